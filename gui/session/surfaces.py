"""Surfaces of the plane: a coarse raster at once, a finer one once the picture stands still."""

import time
from collections import OrderedDict
from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.base.arrays import Float
from engine.base.grid import Grid
from engine.base.records import cached_property
from engine.judge.surface import LADDER, evaluate_field
from engine.runs.trace import Trace
from gui.session.workers import SurfaceJob, Worker

if TYPE_CHECKING:
    from gui.session.flips import Flips

AT_ONCE = 0.005  # seconds for a raster on the window's thread
AT_FIRST = 96  # rows and columns at most of a first raster: it has to be painted too
# rasters and their bytes at most; one as fine as can be has more than a million
KEEP, ROOM = 200, 32 * 2**20


class Surfaces:
    """Rasters by (run, step, name, ranges, lane); the least recently used ones are dropped.

    `take` receives the results of the worker.
    """

    def __init__(self, worker: Worker) -> None:
        self._worker = worker
        self.rasters: OrderedDict[Any, tuple[int, Float]] = OrderedDict()
        self._latest: dict[tuple[int, str], Float] = {}  # by lane and name
        # by lane and name: the latest step's first raster
        self._coarse: dict[tuple[int, str], tuple[Any, int, Float, Any]] = {}
        self._users: dict[int, int] = {}  # the number of keys that use each array
        self.bytes = 0  # of the arrays, each counted once
        self.seconds: dict[tuple[str, str], float] = {}  # per cell, as last measured

    @cached_property
    def flips(self) -> "Flips":
        """The flips of the probed rows; made on first use, since a new window shows none."""
        from gui.session.flips import Flips

        return Flips(self._worker)

    def raster(
        self,
        run_id: int,
        trace: Trace,
        at: int,
        name: str,
        x: Any,
        y: Any,
        still: bool,
        lane: int = 0,
        hurried: bool = False,
    ) -> Float | None:
        """The best raster (n, n) there is now for surface `name` of a lane.

        still: whether the picture stands still; then the worker computes a finer raster
        hurried: whether several lanes are painted again and again; then it is as coarse as can be
        """
        key = (run_id, at, name, x, y, lane)
        found = self.rasters.get(key)
        if found is None:
            size = LADDER[0] if hurried else self._affordable(trace, name)
            if (
                beside := self.rasters.get((run_id, at, "class", x, y, lane))
            ) is not None and name == "score":
                # a score finer than the classes would not part them where they meet
                size = min(size, beside[0])
            values = self._evaluate(trace, at, name, x, y, size)
            found = self._store(key, size, self._as_before(trace, key, size, values))
        self.rasters.move_to_end(key)
        finer = [size for size in LADDER if size > found[0]]
        if still and finer:
            # the longer of the two: one may have been measured with results that the other cached
            longest = max(
                self.seconds.get((trace.algorithm.key, each), 0.0) for each in (name, "class")
            )
            size = finer[0] if longest * finer[-1] ** 2 > 0.05 else finer[-1]
            self._worker.refine(
                SurfaceJob((key, size), self._work(trace, at, name, x, y, size), lane)
            )
        return found[1]

    def forget(self, runs: set[int]) -> None:
        """Drop the rasters of these runs, which will not be shown again.

        Otherwise those of a drag would fill the cache.
        """
        for key in [key for key in self.rasters if key[0] in runs]:
            self._let_go(self.rasters.pop(key)[1])

    def take(self, key: Any, result: Any) -> bool:
        """Accept a result of the worker; False when it failed or is no finer than what is there."""
        raster_key, size = key
        if "flips" in vars(self) and self.flips.is_flip(raster_key):
            return self.flips.take(raster_key, result)
        known = self.rasters.get(raster_key)
        if isinstance(result, BaseException) or (known is not None and known[0] >= size):
            return False
        self._store(raster_key, size, result)
        return True

    def _as_before(self, trace: Trace, key: Any, size: int, values: Float) -> Float:
        """The finer raster of the step before, where both steps have equal coarse ones; else
        `values`.

        So the borders of a model that does not change do not turn into stairs and back. A finer
        raster of this step that differs still replaces it later.
        """
        run_id, at, name, x, y, lane = key
        before = self._coarse.get((lane, name))
        self._coarse[lane, name] = (run_id, x, y), size, values, key
        if before is None or before[0] != (run_id, x, y) or before[1] > size:
            return values
        _, then, coarse, known = before
        same = values if then == size else self._evaluate(trace, at, name, x, y, then)
        alike = np.array_equal(coarse, same, equal_nan=True)
        return self.rasters.get(known, (size, values))[1] if alike else values

    def _work(
        self, trace: Trace, at: int, name: str, x: Any, y: Any, size: int
    ) -> Callable[[], Float]:
        state = trace[at].state  # now: later the recording may have forgotten it
        return lambda: self._of_state(trace, state, name, x, y, size)

    def _evaluate(self, trace: Trace, at: int, name: str, x: Any, y: Any, size: int) -> Float:
        return self._of_state(trace, trace[at].state, name, x, y, size)

    def _of_state(self, trace: Trace, state: Any, name: str, x: Any, y: Any, size: int) -> Float:
        began = time.perf_counter()
        values = evaluate_field(trace.algorithm, trace.given, state, name, _grid(x, y, size))
        self.seconds[trace.algorithm.key, name] = (time.perf_counter() - began) / size**2
        return values

    def _expected(self, trace: Trace, name: str, size: int) -> float:
        return self.seconds.get((trace.algorithm.key, name), 2e-6) * size**2

    def _affordable(self, trace: Trace, name: str) -> int:
        fits = [
            size
            for size in LADDER
            if size <= AT_FIRST and self._expected(trace, name, size) <= AT_ONCE
        ]
        return fits[-1] if fits else LADDER[0]

    def _store(self, key: Any, size: int, values: Float) -> tuple[int, Float]:
        """Keep a raster; returns its size and the array.

        Many steps leave the model alone: equal rasters become one array, which the plane recognises
        and paints once.
        """
        of = key[5], key[2]
        latest = self._latest.get(of)
        if latest is None or not np.array_equal(values, latest, equal_nan=True):
            self._latest[of] = latest = values
        before, self.rasters[key] = self.rasters.get(key), (found := (size, latest))
        self._hold(latest)
        if before is not None:
            self._let_go(before[1])
        self.rasters.move_to_end(key)
        self._make_room()
        return found

    def _make_room(self) -> None:
        """Drop the least recently used rasters, and what is kept for surfaces without a raster."""
        dropped = False
        while len(self.rasters) > KEEP or (self.bytes > ROOM and len(self.rasters) > 1):
            self._let_go(self.rasters.popitem(last=False)[1][1])
            dropped = True
        if dropped:
            names = {(key[5], key[2]) for key in self.rasters}
            for kept in (self._latest, self._coarse):
                for name in kept.keys() - names:
                    del kept[name]

    def _hold(self, values: Float) -> None:
        count = self._users.get(id(values), 0)
        self._users[id(values)] = count + 1
        self.bytes += 0 if count else values.nbytes

    def _let_go(self, values: Float) -> None:
        count = self._users.pop(id(values)) - 1
        if count:
            self._users[id(values)] = count
        else:
            self.bytes -= values.nbytes


@lru_cache(maxsize=8)
def _grid(x: tuple[float, float], y: tuple[float, float], size: int) -> Grid:
    """The grid over these ranges, one object for equal arguments.

    An algorithm may cache what it has computed for a grid.
    """
    return Grid.over(x, y, size)
