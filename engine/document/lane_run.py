"""The run of one lane, with its errors on held-out rows."""

import time
from collections.abc import Callable
from itertools import count
from threading import Lock
from typing import Any

from engine.base.errors import EngineError
from engine.base.faults import of_the_user
from engine.document.lane import Lane
from engine.judge.judging import Judging
from engine.protocol.step import Level, Pace
from engine.runs.run import Run
from engine.runs.start import Start
from engine.runs.trace import Trace
from engine.table.problem import Problem
from engine.table.row_words import MANY

_ids = count(1)
HARD_LIMIT = 1_000_000
AT_ONCE = 2  # steps
MISFIT = "These parameters do not fit the model that the run goes on from."
A_MOMENT = 0.002  # seconds


class LaneRun:
    """A run with an id, so that results that an older run still delivers are not taken for its own.

    states, shared: see `Run`.

    Several threads may call `advance`; a lock lets one at a time into the run.
    """

    def __init__(
        self,
        lane: Lane,
        problem: Problem,
        pace: Pace,
        states: dict[Start, Any] | None = None,
        shared: Problem | None = None,
    ) -> None:
        self.id = next(_ids)
        self.lane, self.pace = lane, pace
        self.run = Run(
            lane.algorithm,
            problem,
            lane.params,
            lane.seed,
            pace,
            lane.start,
            states=states,
            shared=shared,
            branches=lane.branches,
        )
        self.error = ""
        self.cancelled = False
        self.seconds = 0.0  # CPU time of the run so far
        self.judging = Judging(self.run.trace)
        self._turn = Lock()  # held by the thread that is inside the run

    @property
    def trace(self) -> Trace:
        return self.run.trace

    @property
    def over(self) -> bool:
        """Whether no more steps will come."""
        return self.run.finished or self.cancelled or bool(self.error)

    @property
    def lost(self) -> bool:
        """Whether the run cannot go on from its lane's start: it failed in its first steps."""
        return bool(self.error) and self._beginning

    @property
    def _beginning(self) -> bool:
        return self.lane.start is not None and len(self.trace) <= AT_ONCE

    def cancel(self) -> None:
        """Stop at the next step; safe to call while a worker is inside the run."""
        self.cancelled = True

    def recall(self, index: int, stop: Callable[[], bool]) -> bool:
        """Load a step that the trace no longer holds; False if `stop()` came first.

        A cancelled run returns True at once. Exceptions become `error`.
        """
        try:
            return self.cancelled or self.trace.recall(index, stop)
        except BaseException as fault:
            if of_the_user(fault):
                raise
            self.error = self._broken(fault)
            return True

    def advance(
        self,
        seconds: float,
        until: int,
        stop: Callable[[], bool] = lambda: False,
        wait: float = -1.0,
    ) -> bool:
        """Record steps for `seconds`, until there are `until` in all, or until `stop()`.

        Exceptions become `error`, a sentence. Returns False, with nothing done, if another thread
        did not leave the run within `wait` seconds; −1 waits without limit.
        """
        if not self._turn.acquire(timeout=wait):
            return False
        try:
            self._advance(seconds, until, stop)
        finally:
            self._turn.release()
        return True

    def _advance(self, seconds: float, until: int, stop: Callable[[], bool]) -> None:
        begun = time.thread_time()
        try:
            self.run.advance(seconds, lambda: self.cancelled or stop(), min(until, HARD_LIMIT))
        except EngineError as problem:
            self.error = str(problem)
        except (
            BaseException
        ) as fault:  # a bug in an algorithm, or its sys.exit(), must not take the window down
            if of_the_user(fault):
                raise
            self.error = MISFIT if self._beginning else self._broken(fault)
        finally:
            self.seconds += time.thread_time() - begun

    def _broken(self, fault: BaseException) -> str:
        title = self.lane.algorithm.title
        kind = type(fault).__name__
        return (
            f"{title} stopped because of a fault of the program ({kind}: {fault}). Your data are"
            " safe."
        )


def refusal(lane: Lane, problem: Problem) -> str:
    """Why the lane cannot make its first step; "" if it can, or if that step takes long."""
    try:
        run = LaneRun(lane, problem, Pace(Level.STEP))
    except EngineError as sentence:
        return str(sentence)
    # of many rows run only the first part of the step
    run.advance(0.0 if problem.n > MANY else A_MOMENT, 1)
    return run.error
