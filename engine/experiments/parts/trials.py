"""One trial: learn from some rows, test on others. Many are independent: see `engine.fit.fits`."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import Any, Literal, NamedTuple, TypeVar

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from engine.core.arrays import Int
from engine.core.errors import EngineError
from engine.core.given import MAX_SEED
from engine.core.problem import Problem
from engine.core.work import Work
from engine.experiments.parts.learners import Model, Studying, begun, fitted
from engine.experiments.parts.loss import mean_loss

R = TypeVar("R")
SIZES = "how many numbers of rows, from 1 to all but one; no more than there are"
MANY = 400  # trials, beyond which only the first model of each size is kept


class Trial(NamedTuple):
    """What a learner learns from, and what its hypothesis is tested on.

    learner: that is studied
    rows: (m,) to learn from; one that was drawn twice stands there twice
    test: the rows to test on
    seed: of the learner's own chance
    keep: whether the model itself is wanted, not only its answers
    """

    learner: Studying
    rows: Int
    test: Int
    seed: int
    keep: bool = True


class Hypothesis(NamedTuple):
    """h, what a trial has learnt.

    says: (n,) the answers of h to all rows of the problem: classes, −1 for none, or values
    model: h itself, None where the trial does not keep it
    """

    says: NDArray[Any]
    model: Model | None


def hypothesis(problem: Problem, trial: Trial) -> Work[Hypothesis]:
    """h ← Learner(rows); raises EngineError where the rows cannot be learnt from."""
    model = yield from fitted(trial.learner, problem, trial.rows, trial.seed)
    return Hypothesis(model.says, model if trial.keep else None)


def next_hypothesis(
    found: Iterator[Hypothesis | EngineError | None],
) -> Work[Hypothesis | EngineError]:
    """The next h that `fits` finds, or why its rows could not be learnt from."""
    h = yield from following(found)
    if isinstance(h, Hypothesis) and h.model is not None:
        h.model.remember(h.says)
    return h


class Outcome(NamedTuple):
    """error: on the rows to test on, train: on those learnt from, see `mean_loss`, NaN where
    nothing could be learnt, and why; model: if it was wanted.
    """

    error: float
    train: float
    model: Model | None
    why: str = ""


class Taught(NamedTuple):
    """A model, and what it says of every row of the problem, (n,)."""

    model: Model
    says: NDArray[Any]


def drawn(learner: Studying, rows: Int, m: int, rng: Generator, keep: bool = True) -> Trial:
    """A trial that learns from m of the rows and tests on the others."""
    order = rng.permutation(rows)
    return Trial(learner, np.sort(order[:m]), np.sort(order[m:]), int(rng.integers(MAX_SEED)), keep)


def draws(
    learner: Studying, rows: Int, sizes: Sequence[int], times: int, rng: Generator, fits: int = 1
) -> Work[list[Trial]]:
    """So many trials of each number of rows, in order; all models are kept where they are few, else
    the first of each. fits: of each trial.
    """
    few = len(sizes) * times * fits <= MANY
    found = list[Trial]()
    for m, i in product(sizes, range(times)):
        found.append(drawn(learner, rows, m, rng, few or not i))
        yield
    return found


def tried(problem: Problem, trial: Trial) -> Work[Outcome]:
    """What comes of it; raises EngineError where the rows cannot be learnt from."""
    model = yield from fitted(trial.learner, problem, trial.rows, trial.seed)
    error, train = (mean_loss(problem, part, model.says[part]) for part in (trial.test, trial.rows))
    return Outcome(error, train, model if trial.keep else None)


def taught(problem: Problem, trial: Trial) -> Work[Taught]:
    """The model of it; raises EngineError as `tried` does."""
    model = yield from fitted(trial.learner, problem, trial.rows, trial.seed)
    return Taught(model, model.says)


def check_able(problem: Problem, trials: Iterable[Trial], parts: str) -> Work[None]:
    """Raises EngineError where a learner cannot even begin with the rows of any of its trials, with
    its sentence about the first of them: those with the most rows stand first.

    parts: what the rows of the trials are called, folds, say.
    """
    refusal = ""
    for trial in trials:
        try:
            yield from begun(trial.learner, problem, trial.rows, trial.seed)
        except EngineError as sentence:
            refusal = (
                refusal or f"{trial.learner.name} can learn from none of the {parts}. {sentence}"
            )
        else:
            return
    if refusal:
        raise EngineError(refusal)


def outcome(told: Iterator[Outcome | EngineError | None]) -> Work[Outcome]:
    """The next of what `fits` finds of trials."""
    found = yield from following(told)
    return Outcome(np.nan, np.nan, None, str(found)) if isinstance(found, EngineError) else found


def next_model(told: Iterator[Taught | EngineError | None]) -> Work[Model | EngineError]:
    """The next of the models that `fits` finds by `taught`."""
    found = yield from following(told)
    if isinstance(found, EngineError):
        return found
    found.model.remember(found.says)
    return found.model


def following(told: Iterator[R | EngineError | None]) -> Work[R | EngineError]:
    """The next of the results that `fits` finds; its pulses are passed on."""
    while (found := next(told)) is None:
        yield
    return found


def spread_out(most: int, count: int, spaced: Literal["evenly", "in powers"]) -> list[int]:
    """At most so many numbers of rows from 1 to `most`, ascending."""
    places = np.linspace(1, most, count) if spaced == "evenly" else np.geomspace(1, most, count)
    return sorted({round(m) for m in places.tolist()})
