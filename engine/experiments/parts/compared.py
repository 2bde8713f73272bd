"""Several learners under study, side by side."""

from collections.abc import Sequence

from engine.core.errors import EngineError
from engine.core.notation import quoted
from engine.core.problem import Problem
from engine.core.recipe import recipe_text
from engine.experiments.parts.learners import Studying, studying

_VALUES = ("regression_tree", "linear_regression", "neighbour_regression")
_MOST = 3  # learners that nobody has named


def several(texts: Sequence[str], problem: Problem) -> tuple[Studying, ...]:
    """The learners that a parameter names; usual ones with them where there are fewer than two. Raises EngineError for what
    `studying` refuses, for one that is named twice, and where the data suit one alone."""
    named = [studying(text, problem) for text in texts]
    for j, each in enumerate(named):
        if each in named[:j]:
            raise EngineError(f"{quoted(each.name)} is named twice: take another learner, or other parameters for it.")
    if len(named) < 2:
        named += [each for each in _usual(problem) if each not in named][: _MOST - len(named)]
    if len(named) < 2:
        raise EngineError(f"Only {quoted(named[0].name)} suits these data by itself: name two learners.")
    return tuple(named)


def _usual(problem: Problem) -> list[Studying]:
    """Those that suit the data, most usual first."""
    words = any(not feature.numeric and len(feature.categories) > 2 for feature in problem.features)
    near = "nearest_neighbours(metric=hamming)" if words else "nearest_neighbours"
    found = []
    for text in _VALUES if problem.regress else ("decision_tree", near, "naive_bayes", "svm", "adaboost"):
        try:
            found.append(studying(text, problem))
        except EngineError:
            continue
    return found


def names_of(learners: Sequence[Studying]) -> tuple[str, ...]:
    """What they are called, with their parameters where two are of a kind."""
    names = [each.name for each in learners]
    return tuple(_in_full(each) if names.count(each.name) > 1 else each.name for each in learners)


def _in_full(learner: Studying) -> str:
    """Nearest neighbours (k=9)."""
    _, bracket, inside = recipe_text(learner.key, learner.params).partition("(")
    return f"{learner.name} {bracket}{inside}".strip()
