"""The one background thread: it advances runs in slices of 8 ms and refines surfaces."""

import threading
import time
from collections.abc import Callable
from typing import Any, NamedTuple

from engine.base.records import Record
from engine.document.lane_run import LaneRun

SLICE = 0.008
REPORT_EVERY = 0.05
# seconds that runs wait for the window at most; then they get a slice, whatever it does
ASIDE = 0.06
QUIET = 0.003  # seconds without an event after which the window counts as idle
# seconds that the picture stands still before it is refined and spare time begins
REST = 0.1


class SurfaceJob(Record, eq=True):
    """A computation: the worker calls `work()` and reports (key, result).

    lane: a newer job of the same lane replaces one that has not begun
    last: only when nothing else is to be done
    """

    key: Any
    work: Callable[[], Any]
    lane: int = 0
    last: bool = False


class Wish(NamedTuple):
    """A request that a run gets `until` steps.

    soon: how many of them at once, the others while the picture stands still; None: all at once
    """

    run: LaneRun
    until: int
    soon: int | None = None

    def due(self, rested: bool) -> int:
        """How many steps the run should have now. rested: whether the picture stands still"""
        return self.until if rested or self.soon is None else self.soon


class Worker:
    """Advances runs, replays forgotten steps and computes surfaces on its own thread.

    It reports by calling `grew(run_id)` and `surfaced(key, result)` from that thread: pass the
    `emit` of signals. The runs wished for get slices in turn until each has its steps; a new
    `work_on` replaces the wishes.
    """

    def __init__(self, grew: Callable[[int], None], surfaced: Callable[[Any, Any], None]) -> None:
        self._grew, self._surfaced = grew, surfaced
        self._wishes: list[Wish] = []
        self.surfaces: dict[int, SurfaceJob] = {}  # by lane
        self._recalls: dict[int, tuple[LaneRun, int]] = {}  # by run; the first one is next
        self._closing = False
        self._aside_until = self._rest_at = self._event_at = self._turn_ends = 0.0
        self._free = threading.Event()
        self.busy = False
        self.start()

    def start(self) -> None:
        """Start the thread; again in a fork of the process, into which no thread comes along."""
        self.wake = threading.Condition()
        self._thread = threading.Thread(target=self._loop, name="learnscope-worker", daemon=True)
        self._thread.start()

    def work_on(self, wishes: list[Wish]) -> None:
        with self.wake:
            self._wishes = wishes
            # else each shown step of a run that is all recorded would wake the thread for nothing
            if self._open_wishes(rested=True):
                self.wake.notify()

    def refine(self, job: SurfaceJob) -> None:
        """Compute this next; it replaces a job of the same lane that has not begun."""
        with self.wake:
            self.surfaces[job.lane] = job
            self.wake.notify()

    def hurry(self) -> None:
        """Compute the requested surfaces without waiting until the picture stands still."""
        with self.wake:
            if self.surfaces:
                self._rest_at = 0.0
                self.wake.notify()

    def recall(self, lane_run: LaneRun | None, index: int = 0) -> None:
        """Replay this forgotten step of the run next and report it as growth; None drops all."""
        with self.wake:
            if lane_run is None:
                self._recalls = {}
            elif self._recalls.get(lane_run.id) != (lane_run, index):
                self._recalls[lane_run.id] = lane_run, index
                self.wake.notify()

    def give_way(self) -> None:
        """Pause after the present step, because the window is about to paint in this
        interpreter.
        """
        now = time.perf_counter()
        self._aside_until = now + ASIDE
        self._rest_at = now + REST
        self._free.clear()

    def go_on(self) -> None:
        """End the pause of `give_way`: the window has painted."""
        self._free.set()

    def hear(self) -> None:
        """Stand aside, since the window handles an event.

        While a thread makes steps, each event that Python handles waits until the thread lets go of
        the interpreter. Laying out a panel takes hundreds of events.
        """
        self._event_at = time.perf_counter()

    @property
    def _aside(self) -> bool:
        now = time.perf_counter()
        painting = now < self._aside_until and not self._free.is_set()
        return now >= self._turn_ends and (painting or now < self._event_at + QUIET)

    @property
    def idle(self) -> bool:
        with self.wake:
            free = (
                not self.busy
                and not self._recalls
                and all(job.last for job in self.surfaces.values())
            )
            return free and not self._open_wishes(rested=True)

    def close(self) -> None:
        """End the thread; returns when it has ended (at most two seconds)."""
        with self.wake:
            self._closing = True
            self.wake.notify()
        self._thread.join(2.0)

    def _loop(self) -> None:
        job: SurfaceJob | None
        recall: tuple[LaneRun, int] | None
        wishes: list[tuple[LaneRun, int]]
        while True:
            # releases what is done: a run that was given up may be large
            job, recall, wishes = None, None, []
            with self.wake:
                self.busy = False
                while not (
                    self._closing
                    or self._recalls
                    or self._refinable
                    or self._open_wishes(self._rested)
                ):
                    # not computed once before: a wish that waits for rest may have come
                    self.wake.wait(self._until_rest())
                if self._closing:
                    return
                recall = next(iter(self._recalls.values()), None)
                wishes = self._open_wishes(self._rested)
                if self._refinable and recall is None:
                    job = self.surfaces.pop(
                        min(self.surfaces, key=lambda lane: self.surfaces[lane].last)
                    )
                self.busy = job is None or not job.last
            self._stand_aside()
            if recall is not None:
                self._bring(recall)
            elif job is not None:
                self._compute(job)
            elif wishes:
                self._advance(wishes)

    @property
    def _refinable(self) -> bool:
        with self.wake:  # the window's thread may wish for one at any moment
            last = self.surfaces and not self._open_wishes(rested=True)
            wanted = any(not job.last for job in self.surfaces.values()) or last
        return bool(wanted) and self._rested

    @property
    def _rested(self) -> bool:
        return time.perf_counter() >= self._rest_at

    def _until_rest(self) -> float | None:
        pending = self.surfaces or self._open_wishes(rested=True)
        return max(0.0, self._rest_at - time.perf_counter()) if pending else None

    def _open_wishes(self, rested: bool) -> list[tuple[LaneRun, int]]:
        """The runs to work on, each with the number of steps it shall have; rested: as in `due`."""
        due = [(wish.run, wish.due(rested)) for wish in self._wishes]
        return [each for each in due if _open(*each)]

    def _stand_aside(self) -> None:
        """Wait while the window paints or handles events, for `ASIDE` seconds at most.

        Then the run gets a slice, so that it goes on under a busy hand too.
        """
        enough = time.perf_counter() + ASIDE
        while self._aside and not self._closing:
            if time.perf_counter() >= enough:
                self._turn_ends = time.perf_counter() + SLICE
            else:
                time.sleep(0.001)

    def _bring(self, wish: tuple[LaneRun, int]) -> None:
        """Replay a wanted step for a slice; once it is there, wish for the others of its block."""
        lane_run, index = wish
        end = time.perf_counter() + SLICE
        stop = lambda: self._aside or not self._is_open(wish) or time.perf_counter() >= end  # noqa: E731
        if lane_run.recall(index, stop):
            with self.wake:
                if self._is_open(wish):
                    del self._recalls[lane_run.id]  # the others come first
                    if (last := lane_run.trace.block_end(index)) is not None:
                        self._recalls[lane_run.id] = lane_run, last
            self._grew(lane_run.id)

    def _is_open(self, wish: tuple[LaneRun, int]) -> bool:
        return self._recalls.get(wish[0].id) is wish

    def _compute(self, job: SurfaceJob) -> None:
        try:
            result = job.work()
        except (
            BaseException
        ) as fault:  # also sys.exit(): reported as "no surface"; the plane keeps the coarse one
            result = fault
        self._surfaced(job.key, result)

    def _advance(self, wishes: list[tuple[LaneRun, int]]) -> None:
        """Give all open wishes slices until the next report is due, then report each run."""
        deadline = time.perf_counter() + REPORT_EVERY
        while time.perf_counter() < deadline and not (
            self._refinable or self._recalls or self._closing
        ):
            for lane_run, until in wishes:
                lane_run.advance(SLICE, until, lambda: self._aside)
                stop = time.perf_counter() + SLICE
                while lane_run.judging.judge_next() and time.perf_counter() < stop:
                    pass
            if not any(_open(*wish) for wish in wishes):
                break
            self._stand_aside()
        for lane_run, _ in wishes:
            self._grew(lane_run.id)


def _open(lane_run: LaneRun, until: int) -> bool:
    """Whether more is wanted of this run: steps up to `until`, or errors on held-out rows."""
    return lane_run.judging.next_step() is not None or (
        not lane_run.over and len(lane_run.trace) < until
    )
