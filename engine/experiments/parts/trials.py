"""One trial: learn from some rows, test on others. Many are independent: see `engine.fit.fits`."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import Any, Literal, NamedTuple, TypeVar

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from engine.base.arrays import Int
from engine.base.errors import EngineError
from engine.base.work import Work
from engine.experiments.parts.baselines import ROUGH
from engine.fit.learners import Model, Studying, begun, fitted
from engine.table.given import MAX_SEED
from engine.table.problem import Problem

R = TypeVar("R")
SIZES = (
    "how many numbers of rows, from 1 up; ten rows are left to test on, of fewer than fifty a fifth"
)
UP_TO = "the largest number of rows to learn from; 0: all but those to test on"
MANY = 400  # trials, beyond which only the first model of each size is kept


class Trial(NamedTuple):
    """What a learner learns from, and what its hypothesis is tested on.

    learner: under study
    rows: (m,) to learn from; a row drawn twice stands there twice
    test: (t,) the rows to test on
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
    """The hypothesis h ← Learner(rows) of a trial; raises EngineError where the rows cannot be
    learnt from.
    """
    model = yield from fitted(trial.learner, problem, trial.rows, trial.seed)
    return Hypothesis(model.says, model if trial.keep else None)


Hypotheses = Iterator[Hypothesis | EngineError | None]  # of trials, in their order; None: a pulse


def next_hypothesis(hypotheses: Hypotheses) -> Work[Hypothesis | EngineError]:
    """The next hypothesis from `fits`, or the EngineError that says why its rows could not be
    learnt from.
    """
    h = yield from following(hypotheses)
    if isinstance(h, Hypothesis) and h.model is not None:
        h.model.remember(h.says)
    return h


def trial(learner: Studying, rows: Int, test: Int, rng: Generator, keep: bool = True) -> Trial:
    """A trial that learns from `rows` and tests on `test`, both sorted into the order of the table.

    rng: draws the learner's own seed
    """
    return Trial(learner, np.sort(rows), np.sort(test), int(rng.integers(MAX_SEED)), keep)


def one_trial(learner: Studying, rows: Int, m: int, rng: Generator, keep: bool = True) -> Trial:
    """A trial that learns from m of the rows, drawn without replacement, and tests on the
    others.
    """
    order = rng.permutation(rows)
    return trial(learner, order[:m], order[m:], rng, keep)


def draws(
    learner: Studying, rows: Int, sizes: Sequence[int], times: int, rng: Generator, fits: int = 1
) -> Work[dict[int, list[Trial]]]:
    """{m: `times` trials that each draw m rows} for every size m.

    All models are kept where there are few, else the first of each size. fits: models learnt in
    each trial
    """
    few = len(sizes) * times * fits <= MANY
    found: dict[int, list[Trial]] = {m: [] for m in sizes}
    for m, i in product(sizes, range(times)):
        found[m].append(one_trial(learner, rows, m, rng, few or i == 0))
        yield
    return found


def check_able(problem: Problem, trials: Iterable[Trial], parts: str) -> Work[None]:
    """Raises EngineError where a learner cannot even begin with the rows of any of its trials.

    Its sentence is that about the first of them: those with the most rows stand first.

    parts: what the rows of the trials are called, folds, say
    """
    refusal = ""
    for trial in trials:
        try:
            yield from begun(trial.learner, problem, trial.rows, trial.seed)
        except EngineError as sentence:
            name = trial.learner.name
            refusal = refusal or f"{name} can learn from none of the {parts}. {sentence}"
        else:
            return
    if refusal:
        raise EngineError(refusal)


def following(found: Iterator[R | EngineError | None]) -> Work[R | EngineError]:
    """The next result of an iterator of `fits`, which yields None while it works."""
    while True:
        result = next(found)
        if result is not None:
            return result
        yield


def most_rows(n: int, wanted: int = 0) -> int:
    """The largest number of n rows to learn from: at least ten are left to test on, of fewer than
    fifty rows a fifth, because an error on one or two says nothing. wanted: no more, 0 for any
    """
    most = n - max(1, min(ROUGH, n // 5))
    return min(wanted, most) if wanted else most


def spread_out(most: int, count: int, spaced: Literal["evenly", "in powers"]) -> list[int]:
    """At most `count` numbers of rows from 1 to `most`, ascending, spaced evenly or in powers."""
    places = np.linspace(1, most, count) if spaced == "evenly" else np.geomspace(1, most, count)
    return sorted({round(m) for m in places.tolist()})
