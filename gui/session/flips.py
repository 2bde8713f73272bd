"""The nearest flips of the rows that are asked about: at once where they are exact, else from the worker when the hand rests."""

from collections import OrderedDict
from typing import Any, NamedTuple

import numpy as np

from engine.core.arrays import Float
from engine.evaluation.nearest_flip import Flip, exact_flip, searched_flip
from engine.timeline.trace import Trace
from gui.session.workers import SurfaceJob, Worker

KEEP = 64
BESIDE = 1000  # added to a lane's number: a search does not push a surface out of the queue
MARGIN = 0.25  # of the breadth of the data, searched beyond them


class FlipKey(NamedTuple):
    """What a flip is asked of: a run, its step, the row's bytes."""

    run_id: int
    at: int
    row: bytes


class Flips:
    """The latest ones are kept; the session hands the worker's results to `take`."""

    def __init__(self, worker: Worker) -> None:
        self._worker = worker
        self._found: OrderedDict[FlipKey, Flip | None] = OrderedDict()

    def of(self, run_id: int, trace: Trace, at: int, x: Float, lane: int, still: bool) -> Flip | None:
        """The nearest flip of row x (d,) at a step, or None: there is none, or it is being searched."""
        x = np.asarray(x, np.float64)
        key = FlipKey(run_id, at, x.tobytes())
        if key in self._found:
            return self._found[key]
        found = exact_flip(trace, x, at)
        if found is not None:
            self.take(key, found)
        elif still and trace.problem.plane:
            self._worker.refine(
                SurfaceJob((key, 0), lambda: searched_flip(trace, x, *_around(trace), at), BESIDE + lane)
            )
        return found

    def take(self, key: FlipKey, result: Any) -> bool:
        """Keep what was found; False when nothing is to be shown."""
        self._found[key] = result if isinstance(result, Flip) else None
        while len(self._found) > KEEP:
            self._found.popitem(last=False)
        return isinstance(result, Flip)


def _around(trace: Trace) -> tuple[tuple[float, float], tuple[float, float]]:
    """The ranges of the data with a margin."""
    low, high = trace.problem.xy.min(axis=0), trace.problem.xy.max(axis=0)
    pad = MARGIN * np.where(high > low, high - low, 1.0)
    (x0, y0), (x1, y1) = (low - pad).tolist(), (high + pad).tolist()
    return (x0, x1), (y0, y1)
