"""The nearest flips of probed rows: exact ones at once, others searched by the worker."""

from collections import OrderedDict
from typing import Any, NamedTuple

import numpy as np

from engine.base.arrays import Float
from engine.judge.moved_point import Moving, PointFlip, PointSearch, suits
from engine.judge.nearest_flip import Flip, exact_flip, searched_flip
from engine.runs.trace import Trace
from gui.session.workers import SurfaceJob, Worker

KEEP = 64
# added to a lane's number, so that a search does not replace a surface in the queue
BESIDE, POINTS = 1000, 2000
SLICE = 0.012  # seconds of a search for a training point; then all else comes first
MARGIN = 0.25  # share of the data's breadth that is searched beyond them


class Unfinished(Exception):
    """The result of a search whose slice of time is over; it goes on later."""


class FlipKey(NamedTuple):
    """Names a flip: its run, the step, and the bytes of the row.

    point: a flip by moving a training point
    """

    run_id: int
    at: int
    row: bytes
    point: bool = False


class Flips:
    """The flips found last; the worker's results arrive at `take`, by way of `Surfaces.take`."""

    def __init__(self, worker: Worker) -> None:
        self._worker = worker
        self._found: OrderedDict[FlipKey, Flip | None] = OrderedDict()
        # by lane: the query whose flip by a training point is searched
        self._searched: dict[int, FlipKey] = {}

    def is_flip(self, key: Any) -> bool:
        """Whether this key of a worker's result is that of a flip."""
        return isinstance(key, FlipKey)

    def of(
        self, run_id: int, trace: Trace, at: int, x: Float, lane: int, still: bool
    ) -> Flip | None:
        """The nearest flip of row x (d,) at a step; None where there is none or it is being
        searched.

        still: whether the picture stands still, so that the worker may search
        """
        x = np.asarray(x, np.float64)
        key = FlipKey(run_id, at, x.tobytes())
        if key in self._found:
            return self._found[key]
        found = exact_flip(trace, x, at)
        if found is not None:
            self.take(key, found)
        elif still and trace.problem.plane:
            self._worker.refine(
                SurfaceJob(
                    (key, 0), lambda: searched_flip(trace, x, *_around(trace), at), BESIDE + lane
                )
            )
        return found

    def of_point(
        self, run_id: int, trace: Trace, at: int, x: Float, lane: int, moving: Moving
    ) -> PointFlip | None:
        """The nearest flip of row x (d,) by moving one training point, at the end of a run of few
        points.

        None where there is none or it is being searched. The worker searches in slices, for one
        query of a lane at a time: a new query ends the search before.

        moving: gives the problem with a point at another place
        """
        x = np.asarray(x, np.float64)
        key = FlipKey(run_id, at, x.tobytes(), point=True)
        if (
            key not in self._found
            and self._searched.get(lane) != key
            and at == len(trace) - 1
            and suits(trace)
        ):
            self._searched[lane] = key
            self._go_on(key, PointSearch(trace, x, moving), lane)
        found = self._found.get(key)
        return found if isinstance(found, PointFlip) else None

    def _go_on(self, key: FlipKey, search: PointSearch, lane: int) -> None:
        def look() -> PointFlip | None:
            if not search.advance(SLICE) and self._searched.get(lane) == key:
                self._go_on(key, search, lane)
                raise Unfinished
            return search.found

        self._worker.refine(SurfaceJob((key, 0), look, POINTS + lane, last=True))

    def give_up(self) -> None:
        """Stop all searches for training points."""
        self._searched = {}

    def take(self, key: FlipKey, result: Any) -> bool:
        """Keep a result of the worker; returns whether there is a flip to show."""
        if isinstance(result, Unfinished):
            return False
        self._found[key] = result if isinstance(result, Flip) else None
        while len(self._found) > KEEP:
            self._found.popitem(last=False)
        return isinstance(result, Flip)


def _around(trace: Trace) -> tuple[tuple[float, float], tuple[float, float]]:
    """The ranges of the data on both axes, with a margin."""
    low = trace.problem.xy.min(axis=0)
    high = trace.problem.xy.max(axis=0)
    pad = MARGIN * np.where(high > low, high - low, 1.0)
    (x0, y0), (x1, y1) = (low - pad).tolist(), (high + pad).tolist()
    return (x0, x1), (y0, y1)
