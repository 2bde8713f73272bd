"""The nearest flip by a training point: the smallest move of one example after which the learner,
fitted again in the same way, gives the query another label.

Exact for the nearest neighbour, from two distances. For others a search, from the examples nearest
to the query on: some directions each, then bisection. Each try costs a run, so their number is
limited.
"""

import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from engine.base.arrays import Float, frozen
from engine.base.errors import EngineError
from engine.base.records import replace
from engine.judge.nearest_flip import BEYOND, Flip
from engine.protocol.borders import Sites
from engine.protocol.step import Level, Pace
from engine.runs.run import Run
from engine.runs.trace import Trace
from engine.table.problem import Problem

MOST_POINTS, MOST_FITS = 60, 1500  # examples; runs of a search
# seconds: the slowest run that allows a search, the longest search
SLOWEST, LONGEST = 0.006, 3.0
# times as many steps as the run of the unmoved points: a longer run counts as not converged
LONGER = 4
WAYS = 8  # directions, beside those to the query and away from it
# shares of the shortest move so far to try in each direction: labels may change back
SHARES = (1.0, 0.5, 0.25)
HALVINGS = 12
SEARCHED = "searched by teaching anew"
NEARER = "the query is nearer to it than to its nearest neighbour"

Moving = Callable[[int, tuple[float, float]], Problem]


class PointFlip(Flip, eq=True):
    """A flip by moving an example from `start` to `end`.

    row: the example's row in the problem
    fits: the number of runs made
    """

    row: int = -1
    fits: int = 0


def moved_on_plane(problem: Problem, row: int, place: tuple[float, float]) -> Problem:
    """The problem with one example at another place of the plane."""
    X = problem.X.copy()
    X[row, list(problem.plane)] = place[: len(problem.plane)]
    return replace(problem, X=frozen(X))


class PointSearch:
    """Searches the flip in slices of time.

    found: the best flip so far, or None
    over: whether the search has ended
    """

    def __init__(self, trace: Trace, x: Float, moving: Moving | None = None) -> None:
        """trace: a finished run
        x: (d,) the query
        moving: returns the problem with an example moved; by default only its row changes
        """
        problem = self.problem = trace.problem
        self.trace = trace
        self.x = np.asarray(x, np.float64)
        self.moving: Moving = moving or (lambda row, place: moved_on_plane(problem, row, place))
        self.found: PointFlip | None = None
        self.taken = 0.0  # seconds of the thread
        self.over = not suits(trace)
        self.fits = 0
        self.code = -1 if self.over else self._said(trace.given, trace[-1].state)
        self._tries = self._tried()

    def advance(self, seconds: float = float("inf")) -> bool:
        """Search for at most `seconds`; returns whether the search is over."""
        begun = time.thread_time()
        end = time.perf_counter() + seconds
        while not self.over and time.perf_counter() < end:
            self.over = (
                next(self._tries, None) is None or self.taken + time.thread_time() - begun > LONGEST
            )
        self.taken += time.thread_time() - begun
        return self.over

    # -- one run -----------------------------------------------------------------------------------

    def _said(self, given: Any, state: Any) -> int:
        assert self.trace.algorithm.predict is not None
        return int(self.trace.algorithm.predict(given, state, self.x[None])[0])

    def label(self, row: int, place: Float) -> int:
        """The query's label after the example has moved; the old label if the fit fails or takes
        too long.
        """
        trace = self.trace
        self.fits = self.fits + 1
        begun = time.thread_time()
        most = LONGER * max(len(trace.indices(Level.ROUND)), 12)
        try:
            problem = self.moving(row, (float(place[0]), float(place[1])))
            how = trace.params, trace.seed, Pace(Level.ROUND), trace.start
            run = Run(trace.algorithm, problem, *how, branches=trace.branches)
            while (
                not run.finished
                and len(run.trace) < most
                and time.thread_time() - begun < 5 * SLOWEST
            ):
                run.advance(SLOWEST, max_steps=most)
            return self._said(run.trace.given, run.trace[-1].state) if run.finished else self.code
        except EngineError:
            return self.code

    # -- the search --------------------------------------------------------------------------------

    def _tried(self) -> Iterator[bool]:
        """The search as a generator: one run per item."""
        problem = self.problem
        query = self.problem.to_plane(self.x[None])[0]
        if self.code < 0 or not np.isfinite(query).all():
            return
        if (exact := self._by_distance(query)) is not None:
            self.found = exact
            return
        taken = []  # CPU seconds; the second run leaves out the cost of the first
        for row in (0, 0):
            begun = time.thread_time()
            again = self.label(row, problem.xy[row])
            taken.append(time.thread_time() - begun)
            yield True
        if again != self.code or min(taken) > SLOWEST:
            # the label is not reproducible, or the run is too slow for a search
            return
        away = np.hypot(*(problem.xy - query).T)
        self._reach = 2 * float(np.hypot(*np.ptp(problem.xy, axis=0))) or 1.0
        for row in np.argsort(away, kind="stable").tolist():
            if problem.labelled[row] and np.isfinite(problem.xy[row]).all():
                yield from self._row(row, query)

    def _row(self, row: int, query: Float) -> Iterator[bool]:
        """Try to move one example by less than the shortest move so far."""
        start = self.problem.xy[row]
        toward = query - start
        angles = np.arctan2(toward[1], toward[0]) + np.arange(WAYS) * 2 * np.pi / WAYS
        ways = np.column_stack([np.cos(angles), np.sin(angles)])
        if len(self.problem.plane) == 1:
            ways = np.array([[1.0, 0.0], [-1.0, 0.0]])
        for way in ways:
            for share in SHARES:
                if self.fits >= MOST_FITS:
                    return
                far = share * self._longest
                other = self.label(row, start + far * way)
                yield True
                if other not in (self.code, -1):
                    yield from self._halved(row, way, far, other)
                    break

    @property
    def _longest(self) -> float:
        """The length that a better move has to stay below."""
        return self._reach if self.found is None else self.found.length * (1 - 1e-3)

    def _halved(self, row: int, way: Float, far: float, other: int) -> Iterator[bool]:
        """Bisect for the place along the way where the label changes."""
        near = 0.0
        start = self.problem.xy[row]
        for _ in range(HALVINGS):
            middle = (near + far) / 2
            said = self.label(row, start + middle * way)
            yield True
            near, far, other = (
                (near, middle, said) if said not in (self.code, -1) else (middle, far, other)
            )
        self.found = self._flip(row, start + far * way, other, False, SEARCHED)

    def _by_distance(self, query: Float) -> PointFlip | None:
        """The exact flip of a nearest-neighbour method, confirmed by a run; None for other methods.

        The example of another class with the smallest extra distance moves closer than the nearest
        one.
        """
        borders = self.trace.algorithm.beside.find("picture", "label_borders", "label_borders")
        known = borders(self.trace.given, self.trace[-1].state) if borders is not None else None
        if not isinstance(known, Sites) or not np.array_equal(known.xy, self.problem.xy):
            return None
        away = np.hypot(*(known.xy - query).T)
        gaps = np.where(known.codes != self.code, away, np.inf) - away.min()
        row = int(gaps.argmin())
        if not np.isfinite(gaps[row]) or gaps[row] <= 0:
            return None
        way = (query - known.xy[row]) / away[row]
        end, behind = (known.xy[row] + gaps[row] * more * way for more in (1.0, 1 + 1e3 * BEYOND))
        other = self.label(row, behind)
        return self._flip(row, end, other, True, NEARER) if other not in (self.code, -1) else None

    def _flip(self, row: int, end: Float, other: int, exact: bool, how: str) -> PointFlip:
        (x, y), (u, v) = self.problem.xy[row].tolist(), end.tolist()
        return PointFlip((x, y), (u, v), self.code, other, exact, how, row, self.fits)


def suits(trace: Trace) -> bool:
    """Whether the search applies: a finished run on few examples with classes and a numeric
    plane.
    """
    problem = trace.problem
    few = trace.finished and 1 < problem.n <= MOST_POINTS and len(problem.classes) > 1
    on_plane = bool(problem.plane) and all(
        problem.features[column].numeric for column in problem.plane
    )
    return few and on_plane and not problem.regress and trace.algorithm.predict is not None


def nearest_point_flip(trace: Trace, x: Float, moving: Moving | None = None) -> PointFlip | None:
    """The result of the whole search; None without a flip, or if the learner is too slow."""
    search = PointSearch(trace, x, moving)
    search.advance()
    return search.found
