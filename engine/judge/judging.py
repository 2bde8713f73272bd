"""Errors on held-out rows: of each step if judging is quick, else of the ends of rounds."""

import time
from bisect import bisect_left, bisect_right
from collections.abc import Callable
from itertools import islice
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from engine.base.arrays import Float, Int
from engine.base.faults import of_the_user
from engine.base.records import Record
from engine.protocol.step import Level
from engine.runs.trace import Trace
from engine.table.baseline import error_of
from engine.table.problem import Problem, Task

T = TypeVar("T")
# Judging is quick for few pairs of rows: the slowest methods compare every row with every example.
# After that the last judgements decide, because a method that loops in Python is slow with few rows
# and one that looks at each row once is quick with many. Beyond MANY_PAIRS even a single try could
# block the window.
FEW_PAIRS, MANY_PAIRS = 300_000, 10_000_000
QUICK_SECONDS = 0.002
TRIALS = 3
MOST_KEPT = 16_000_000  # cached classes of all judged steps, two bytes each
MOST_SCORES = 4_000_000  # cached scores, of the steps judged last
# steps judged ahead one by one; after these only rounds, and the shown step if judging is quick
EVERY_STEP = 2_000


class Errors(Record, eq=True):
    """Shares of wrong rows at step `at`, for values root mean squared errors; NaN for unknown."""

    at: int
    train: float
    test: float


class Judging:
    """Judges the steps of a trace on its held-out rows; the worker appends, the window reads.

    steps: the judged steps, ascending
    shares: the held-out error of each
    possible: whether there are held-out rows and predictions
    calls: whether the predictions are classes
    decides: whether the method has scores for its classes
    """

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self.steps: list[int] = []
        self.shares: list[float] = []
        held_out = trace.problem.held_out
        n = trace.problem.n
        method = trace.algorithm
        self.possible = held_out is not None and method.predict is not None
        self.calls = (
            self.possible and bool(trace.problem.classes) and method.task is not Task.CLUSTER
        )
        self.decides = self.calls and method.scores is not None
        self._pairs = (n + held_out.n) * n if held_out is not None else 0
        self._lasted: tuple[float, ...] = ()  # seconds of the last judgements
        self._shown: Errors | None = None
        self._said: dict[int, Int | None] = {}  # by step; None if it cannot predict
        self._scores: dict[int, Float | None] = {}  # by step, filled by the worker only

    @property
    def quick(self) -> bool:
        """Whether the window may judge a step itself when it shows it."""
        lasted = self._lasted
        if self._pairs > MANY_PAIRS or len(lasted) < TRIALS:
            return self._pairs <= FEW_PAIRS
        return sorted(lasted)[TRIALS // 2] < QUICK_SECONDS

    def next_step(self) -> int | None:
        """The recorded step to judge next, or None."""
        if not self.possible:
            return None
        last = self.steps[-1] if self.steps else -1
        trace = self.trace
        level = Level.STEP if self.quick and len(self.steps) < EVERY_STEP else Level.ROUND
        places = trace.indices(level)
        ahead = islice(places, bisect_right(places, last), None)
        # skip steps that would have to be replayed
        if (place := next(filter(trace.holds, ahead), None)) is not None:
            return int(place)
        return len(trace) - 1 if trace.finished and last < len(trace) - 1 else None

    def judge_next(self) -> bool:
        """Judge one more recorded step; False if there is none."""
        step = self.next_step()
        if step is None:
            return False
        self.shares.append(self._share(step, True))
        if self.decides and not self.quick:
            self._keep_scores(step)
        self.steps.append(step)  # last, because the window looks up the share of each step
        return True

    def at(self, index: int) -> Errors | None:
        """The errors of step `index`, or, if judging is slow, of the last judged step before it.

        None if there is no such step.
        """
        if not self.possible:
            return None
        k = bisect_right(self.steps, index) - 1
        judged = k >= 0 and self.steps[k] == index
        if not judged and not self.quick:
            if k < 0:
                return None
            index = self.steps[k]
            judged = True
        if self._shown is None or self._shown.at != index:
            test = self.shares[k] if judged else self._share(index, True)
            self._shown = Errors(index, self.train(index), test)
        return self._shown

    def train(self, index: int) -> float:
        """The training error of step `index`: as the run counted it, else judged if that is quick.

        NaN otherwise.
        """
        trace = self.trace
        labelled = self.trace.problem.labelled
        if self.quick:  # `index` is the shown step, so it needs no replay
            counted = trace[index].metrics.get("errors", np.nan)
        else:
            counted = trace.metrics["errors"][index] if "errors" in trace.metrics else np.nan
        if np.isfinite(counted) and labelled.any():
            return float(counted / labelled.sum())
        return self._share(index, False) if self.quick else float("nan")

    def moment(self, index: int) -> str:
        """The place of step `index` in the run, in words."""
        if self.trace.finished and index == len(self.trace) - 1:
            return "the end"
        rounds = bisect_left(self.trace.indices(Level.ROUND), index)
        return f"the end of round {rounds:,}" if rounds else "the start"

    def says(self, index: int) -> tuple[int, Int] | None:
        """(step, predicted classes (m,) of the held-out rows) for step `index`.

        If judging is slow, for the last judged step before it. None without one, and for methods
        that do not predict classes.
        """
        if not self.calls:
            return None
        if not self.quick:
            k = bisect_right(self.steps, index) - 1
            if k < 0 or (index := self.steps[k]) not in self._said:
                return None
        if index not in self._said and _tried(self._of_held_out, index) is None:
            self._said[index] = None
        said = self._said.get(index)
        return None if said is None else (index, said)

    def scores(self, index: int) -> Float | None:
        """(m,) or (m, k) the scores of step `index` for the held-out rows.

        None without scores, or if judging is slow and the worker has not judged this step.
        """
        return self._found_scores(index) if self.decides and self.quick else self._scores.get(index)

    def _found_scores(self, index: int) -> Float | None:
        trace = self.trace
        held_out = self.trace.problem.held_out
        assert held_out is not None
        scores = trace.algorithm.scores
        rows = held_out.X
        assert scores is not None

        def found() -> Float:
            return np.asarray(scores(trace.given, trace[index].state, rows), np.float64)

        return _tried(found)

    def _keep_scores(self, index: int) -> None:
        found = self._scores[index] = self._found_scores(index)
        if found is not None and len(self._scores) * found.size > MOST_SCORES:
            self._scores.pop(next(iter(self._scores)))

    def _share(self, index: int, held_out: bool) -> float:
        problem = self.trace.problem
        if held_out:
            judged = problem.held_out or problem
            said = _tried(self._of_held_out, index)
        else:
            judged = problem
            said = _tried(self._timed, problem, index)
        error = _tried(error_of, judged, said) if said is not None else None
        return float("nan") if error is None else float(error)

    def _of_held_out(self, index: int) -> NDArray[Any]:
        """The predictions of step `index` for the held-out rows; classes are cached."""
        said = self._said.get(index)
        held_out = self.trace.problem.held_out
        if said is not None or held_out is None:
            return np.zeros(0) if said is None else said
        found = self._timed(held_out, index)
        if self.calls:
            if (len(self._said) + 1) * held_out.n > MOST_KEPT:
                self._said.clear()
            self._said[index] = found.astype(np.int16)
        return found

    def _timed(self, problem: Problem, index: int) -> NDArray[Any]:
        """The predictions of step `index`; notes the CPU time of this thread."""
        begun = time.thread_time()
        try:
            return self.trace.codes(problem.X, index)
        finally:
            self._lasted = (*self._lasted[1 - TRIALS :], time.thread_time() - begun)


def _tried(function: Callable[..., T], *given: Any) -> T | None:
    """The result of `function(*given)`, or None if it raises.

    Catches even SystemExit: a state that cannot predict yet, or a fault of the page, must not stop
    the window.
    """
    try:
        return function(*given)
    except BaseException as fault:
        if of_the_user(fault):
            raise
        return None
