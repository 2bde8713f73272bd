"""The errors on held-out rows: of every step where judging is quick, of the ends of rounds where it is not."""

import time
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from itertools import islice

import numpy as np

from engine.core.step import Level
from engine.evaluation.evaluate import error_share
from engine.timeline.trace import Trace

# Judging a step is quick where few rows meet few: the slowest methods compare every row with every example. Half a
# thousand points are 175 000 pairs, of which nearest neighbours make a fifth of a millisecond. Then the last judgements
# tell: a method that loops in Python is left to the worker, and one that looks at each row once may be quick with more
# rows. Beyond MANY_PAIRS a single judgement could hold the window up, so that it is not even tried there.
FEW_PAIRS, MANY_PAIRS = 300_000, 10_000_000
QUICK_SECONDS, TRIALS = 0.002, 3
EVERY_STEP = 2_000  # so many steps are judged ahead one by one, later only rounds; the shown one always, if quick


@dataclass(frozen=True)
class Errors:
    """Shares of wrong rows after step `at`, or roots of mean squared errors; NaN where there is none."""

    at: int
    train: float
    test: float


class Judging:
    """steps: which are judged, ascending; shares: the held-out error of each. The worker appends, the window reads."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self.steps: list[int] = []
        self.shares: list[float] = []
        held, n = trace.problem.held_out, trace.problem.n
        self.possible = held is not None and trace.algorithm.predict is not None
        self._pairs = (n + held.n) * n if held is not None else 0
        self._lasted: tuple[float, ...] = ()  # seconds of the last judgements
        self._shown: Errors | None = None

    @property
    def quick(self) -> bool:
        """Whether the window may judge a step itself when it shows it."""
        lasted = self._lasted
        if self._pairs > MANY_PAIRS or len(lasted) < TRIALS:
            return self._pairs <= FEW_PAIRS
        return sorted(lasted)[TRIALS // 2] < QUICK_SECONDS

    def next_step(self) -> int | None:
        """The recorded step to judge next; None when there is none."""
        if not self.possible:
            return None
        last, trace = self.steps[-1] if self.steps else -1, self.trace
        level = Level.STEP if self.quick and len(self.steps) < EVERY_STEP else Level.ROUND
        places = trace.indices(level)
        ahead = islice(places, bisect_right(places, last), None)
        if (place := next(filter(trace.holds, ahead), None)) is not None:  # nobody waits for a replay of the others
            return int(place)
        return len(trace) - 1 if trace.finished and last < len(trace) - 1 else None

    def judge_next(self) -> bool:
        """Judge one more recorded step; True when there may be more to judge."""
        step = self.next_step()
        if step is None:
            return False
        self.shares.append(self._share(step, True))
        self.steps.append(step)  # after its share: who finds the step finds that too
        return True

    def at(self, index: int) -> Errors | None:
        """Errors of step `index`, or, where judging is slow, of the last judged one before; None before there is one."""
        if not self.possible:
            return None
        k = bisect_right(self.steps, index) - 1
        judged = k >= 0 and self.steps[k] == index
        if not judged and not self.quick:
            if k < 0:
                return None
            index, judged = self.steps[k], True
        if self._shown is None or self._shown.at != index:
            test = self.shares[k] if judged else self._share(index, True)
            self._shown = Errors(index, self.train(index), test)
        return self._shown

    def train(self, index: int) -> float:
        """The share of the examples as the run counted it, else judged if that is quick; NaN where it is not."""
        trace, labelled = self.trace, self.trace.problem.labelled
        if self.quick:  # the shown step: it is at hand, while another one might have to be replayed
            counted = trace[index].metrics.get("errors", np.nan)
        else:
            counted = trace.metrics["errors"][index] if "errors" in trace.metrics else np.nan
        if np.isfinite(counted) and labelled.any():
            return float(counted / labelled.sum())
        return self._share(index, False) if self.quick else float("nan")

    def moment(self, index: int) -> str:
        """Which moment step `index` is, in words."""
        if self.trace.finished and index == len(self.trace) - 1:
            return "the end"
        rounds = bisect_left(self.trace.indices(Level.ROUND), index)
        return f"the end of round {rounds:,}" if rounds else "the start"

    def _share(self, index: int, held_out: bool) -> float:
        """The time counted is this thread's own, whatever else the machine does."""
        begun = time.thread_time()
        try:
            return error_share(self.trace, index, held_out=held_out)
        except Exception:  # a state that cannot predict yet, or a bug: no number, and the window goes on
            return float("nan")
        finally:
            self._lasted = (*self._lasted[1 - TRIALS :], time.thread_time() - begun)
