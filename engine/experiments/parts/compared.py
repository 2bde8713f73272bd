"""Several learners under study, side by side."""

from collections.abc import Sequence
from math import nan
from typing import NamedTuple

from engine.core.errors import EngineError
from engine.core.notation import quoted
from engine.core.problem import Problem
from engine.core.recipe import recipe_text
from engine.experiments.parts.learners import Studying, studying
from engine.experiments.parts.paired import Paired, paired
from engine.experiments.parts.tally import Tally

_VALUES = ("regression_tree", "linear_regression", "neighbour_regression", "gradient_boosting")
_MOST = 3  # learners that nobody has named


def several(texts: Sequence[str], problem: Problem) -> tuple[Studying, ...]:
    """The learners that a parameter names; usual ones with them where there are fewer than two.

    Raises EngineError for what `studying` refuses, for one that is named twice, and where the data
    suit one alone.
    """
    named = [studying(text, problem) for text in texts or ("",)][
        : len(texts)
    ]  # "": why the most usual does not suit
    for j, each in enumerate(named):
        if each in named[:j]:
            raise EngineError(
                f"{quoted(each.name)} is named twice: take another learner, or other parameters"
                " for it."
            )
    if len(named) < 2:
        named += [each for each in _usual(problem) if each not in named][: _MOST - len(named)]
    if len(named) < 2:
        raise EngineError(
            f"Only {quoted(named[0].name)} suits these data by itself: name two learners."
        )
    return tuple(named)


def _usual(problem: Problem) -> list[Studying]:
    """Those that suit the data, most usual first."""
    words = any(not feature.numeric and len(feature.categories) > 2 for feature in problem.features)
    near = "nearest_neighbours(metric=hamming)" if words else "nearest_neighbours"
    found = []
    for text in (
        _VALUES
        if problem.regress
        else ("decision_tree", near, "naive_bayes", "svm", "adaboost(rounds=10)")
    ):
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


class Point(NamedTuple):
    """A size that is done. means, counts: of each learner's errors, and in how many trials it could
    learn; apart: how far each lies from the first learner.
    """

    size: int
    means: tuple[float, ...]
    counts: tuple[int, ...]
    apart: tuple[Paired, ...]

    @classmethod
    def of(cls, size: int, errors: Sequence[Tally], confidence: float) -> "Point":
        """What the trials of one size come to."""
        apart = tuple(paired(each, errors[0], confidence) for each in errors)
        return cls(size, tuple(e.mean for e in errors), tuple(e.count for e in errors), apart)

    @property
    def winners(self) -> tuple[int, ...]:
        """The learners of the least mean error.

        One that could not learn in some trials has not met all that the others did: it is out of
        the race. () where none could learn.
        """
        race = [j for j, count in enumerate(self.counts) if count == max(self.counts) > 0]
        least = min((self.means[j] for j in race), default=nan)
        return tuple(j for j in race if self.means[j] == least)

    @property
    def best(self) -> int:
        """The first of the winners, −1 without one."""
        return self.winners[0] if self.winners else -1
