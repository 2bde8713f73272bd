"""Several learners under study, side by side."""

from collections.abc import Sequence

from engine.base.errors import EngineError
from engine.base.notation import quoted
from engine.fit.learners import Studying, studying
from engine.protocol.recipe import recipe_text, recipe_title
from engine.table.problem import Problem

_VALUES = ("regression_tree", "linear_regression", "neighbour_regression", "gradient_boosting")
_MOST = 3  # learners where fewer than two are named


def several(texts: Sequence[str], problem: Problem) -> tuple[Studying, ...]:
    """The learners that a parameter names; usual ones with them where there are fewer than two.

    Raises EngineError for what `studying` refuses, for one that is named twice, and where the data
    suit one alone.
    """
    if not texts:
        studying("", problem)  # raises an error that says why the most usual one does not suit
    named = [studying(text, problem) for text in texts]
    for j, learner in enumerate(named):
        if learner in named[:j]:
            raise EngineError(
                f"{quoted(learner.name)} is named twice: take another learner, or other parameters"
                " for it."
            )
    if len(named) < 2:
        others = [learner for learner in _usual(problem) if learner not in named]
        named += others[: _MOST - len(named)]
    if len(named) < 2:
        raise EngineError(
            f"Only {quoted(named[0].name)} suits these data by itself: name two learners."
        )
    return tuple(named)


def _usual(problem: Problem) -> list[Studying]:
    """Those that suit the data, most usual first."""
    words = any(not feature.numeric and len(feature.categories) > 2 for feature in problem.features)
    near = "nearest_neighbours(metric=hamming)" if words else "nearest_neighbours"
    classifiers = ("decision_tree", near, "naive_bayes", "svm", "adaboost(rounds=10)")
    found = []
    for text in _VALUES if problem.regress else classifiers:
        try:
            found.append(studying(text, problem))
        except EngineError:
            continue
    return found


def names_of(learners: Sequence[Studying]) -> tuple[str, ...]:
    """The names of the learners, with parameters where two are of the same kind."""
    names = [learner.name for learner in learners]
    return tuple(
        _in_full(learner) if names.count(learner.name) > 1 else learner.name for learner in learners
    )


def _in_full(learner: Studying) -> str:
    """The name with the parameters: Nearest neighbours (k=9)."""
    return recipe_title(recipe_text(learner.key, learner.params))
