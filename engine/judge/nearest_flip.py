"""The nearest flip: the smallest move of a place on the plane that gives it another label.

Exact where geometry allows it: across a straight boundary, out of the boxes of trees, over the
edges between nearest sites. Otherwise a search: a raster of labels, then repeated subdivision of
the way to the nearest other one.
"""

from math import hypot
from typing import Any

import numpy as np

from engine.base.arrays import Float, Int
from engine.base.errors import EngineError
from engine.base.grid import Grid
from engine.base.records import Record
from engine.judge.surface import evaluate_field
from engine.protocol.borders import Cuts, Sites
from engine.protocol.setting import AnySetting
from engine.runs.trace import Trace

STRAIGHT, BOXES, EDGES = (
    "the boundary is straight",
    "labels change at thresholds",
    "it lies halfway between neighbours",
)
STRAIGHTS = ("logit", "score")  # surfaces that change sign where the label of two classes changes
MOST_BOXES = 40_000
SIZES = (48, 128)  # sizes of the raster: rough, then fine around the hit
BEYOND = 1e-6  # share of the way behind the border at which to predict


class Flip(Record, eq=True):
    """A move from `start` to `end` on the plane that changes the label `code` to `other`.

    exact: whether geometry gives it
    how: the reason, or how it was searched
    """

    start: tuple[float, float]
    end: tuple[float, float]
    code: int
    other: int
    exact: bool
    how: str

    @property
    def length(self) -> float:
        """The Euclidean length of the move, in units of the plane."""
        return hypot(self.end[0] - self.start[0], self.end[1] - self.start[1])


Range = tuple[float, float]


def nearest_flip(
    trace: Trace, x: Float, x_range: Range, y_range: Range, at: int = -1
) -> Flip | None:
    """The nearest flip of row x (d,) by the model at step `at`; other columns stay fixed.

    The ranges limit the search. None without another label, or if the axes are not numeric.
    """
    return exact_flip(trace, x, at) or searched_flip(trace, x, x_range, y_range, at)


def exact_flip(trace: Trace, x: Float, at: int = -1) -> Flip | None:
    """The exact flip, or None if no geometry gives it."""
    place = _labelled_place(trace, x, at)
    return None if place is None else place.by_straight() or place.by_borders()


def searched_flip(
    trace: Trace, x: Float, x_range: Range, y_range: Range, at: int = -1
) -> Flip | None:
    """The flip by search: it predicts many places of the plane."""
    place = _labelled_place(trace, x, at)
    return None if place is None else place.by_search(x_range, y_range)


def _labelled_place(trace: Trace, x: Float, at: int) -> "_LabelledPlace | None":
    if trace.algorithm.predict is None or trace.problem.regress:
        return None
    place = _LabelledPlace(trace.algorithm, trace.given, trace[at].state, np.asarray(x, np.float64))
    return place if place.movable and place.code >= 0 else None


class _LabelledPlace:
    """A place on the plane with the model that labels it."""

    def __init__(self, algorithm: Any, given: AnySetting, state: Any, x: Float) -> None:
        self.algorithm, self.given, self.state, self.x = algorithm, given, state, x
        self.problem = problem = given.problem
        self.movable = bool(problem.plane) and all(
            problem.features[column].numeric for column in problem.plane
        )
        self.place = problem.to_plane(x[None])[0] if self.movable else np.zeros(2)
        self.movable = self.movable and bool(np.isfinite(self.place).all())
        hidden = [column for column in range(problem.d) if column not in problem.plane]
        self.at_anchor = bool(np.array_equal(x[hidden], problem.anchor[hidden]))
        self.code = int(self.labels(self.place[None])[0]) if self.movable else -1

    def labels(self, places: Float) -> Int:
        """(m,) class indices of places (m, 2); the other columns as in the row."""
        columns = list(self.problem.plane)
        rows = np.tile(self.x, (len(places), 1))
        rows[:, columns] = places[:, : len(columns)]
        return np.asarray(self.algorithm.predict(self.given, self.state, rows))

    def flip(self, end: Float, exact: bool, how: str) -> Flip | None:
        """The flip to `end`, or None if the label behind it is not another one."""
        way = end - self.place
        step = np.linalg.norm(way) * BEYOND + 1e-12 * max(1.0, float(np.abs(end).max()))
        length = float(np.linalg.norm(way))
        behind = end + (way / length if length > 0 else np.array([1.0, 0.0])) * step
        other = int(self.labels(behind[None])[0])
        if other in (self.code, -1):
            return None
        start, stop = self.place.tolist(), end.tolist()
        return Flip((start[0], start[1]), (stop[0], stop[1]), self.code, other, exact, how)

    # -- exact -------------------------------------------------------------------------------------

    def by_straight(self) -> Flip | None:
        """The foot of the perpendicular on the zero line of a linear two-class score, or None."""
        if not self.at_anchor or len(self.problem.classes) != 2:
            return None
        reach = np.maximum(np.ptp(self.problem.xy, axis=0) if self.problem.n else np.ones(2), 1e-9)
        steps = np.array([-0.71, -0.31, 0.0, 0.43, 1.0])
        grid = Grid(self.place[0] + reach[0] * steps, self.place[1] + reach[1] * steps)
        score = self._straight_score(grid)
        u, v = (axis.ravel() for axis in np.meshgrid(steps, steps))
        if score is None or not np.isfinite(score).all():
            return None
        # the columns of a grid are uncorrelated: fit the slopes separately
        middle, apart = float(steps.mean()), steps - steps.mean()
        slopes = np.array([apart @ score.mean(axis=0), apart @ score.mean(axis=1)]) / (
            apart @ apart
        )
        c = float(score.mean()) - middle * float(slopes.sum())
        if (
            np.abs(c + slopes[0] * u + slopes[1] * v - score.ravel()).max()
            > 1e-9 * np.abs(score).max()
        ):
            return None
        w = slopes / reach
        if len(self.problem.plane) == 1:
            w[1] = 0.0
        if not (w @ w > 0):
            return None
        return self.flip(self.place - c * w / (w @ w), True, STRAIGHT)

    def _straight_score(self, grid: Grid) -> Float | None:
        """The score on the grid, or None.

        Fields of an experiment depend on its last model, so a call may raise EngineError.
        """
        for name in STRAIGHTS:
            if name in self.algorithm.fields:
                try:
                    return evaluate_field(self.algorithm, self.given, self.state, name, grid)
                except EngineError:
                    continue
        return None

    def by_borders(self) -> Flip | None:
        """The flip by the borders that the method declares, or None."""
        borders = self.algorithm.beside.find("picture", "label_borders", "label_borders")
        known = borders(self.given, self.state) if borders is not None else None
        if isinstance(known, Cuts):
            return self._out_of_boxes(known)
        if isinstance(known, Sites) and self.at_anchor:
            return self._over_edges(known)
        return None

    def _out_of_boxes(self, cuts: Cuts) -> Flip | None:
        """The nearest box between thresholds that has another label."""
        none = np.zeros(0)
        plane = self.problem.plane
        ends = [np.array([-np.inf, *cuts.at.get(column, none), np.inf]) for column in plane]
        ends += [np.array([-np.inf, np.inf])] * (2 - len(plane))
        if (len(ends[0]) - 1) * (len(ends[1]) - 1) > MOST_BOXES:
            return None
        inside = [_inside(edges) for edges in ends]
        codes = self.labels(Grid(*inside).points()).reshape(len(inside[1]), len(inside[0]))
        over = [_gap(edges, at) for edges, at in zip(ends, self.place, strict=True)]
        far = np.where(
            (codes != self.code) & (codes >= 0),
            np.hypot(over[0][None, :], over[1][:, None]),
            np.inf,
        )
        row, column = np.unravel_index(int(far.argmin()), far.shape)
        if not np.isfinite(far[row, column]):
            return None
        box = [(edges[k], edges[k + 1]) for edges, k in zip(ends, (column, row), strict=True)]
        end = np.array(
            [min(max(at, low), high) for at, (low, high) in zip(self.place, box, strict=True)]
        )
        start, stop = self.place.tolist(), end.tolist()
        other = int(codes[row, column])
        return Flip((start[0], start[1]), (stop[0], stop[1]), self.code, other, True, BOXES)

    def _over_edges(self, sites: Sites) -> Flip | None:
        """The nearest edge between the cells of two sites with different labels."""
        xy, first = np.unique(sites.xy, axis=0, return_index=True)
        codes = sites.codes[first]
        if len(self.problem.plane) != 2 or len(xy) < 4 or len(xy) < len(sites.xy):
            return None  # sites at the same place decide by votes
        from scipy.spatial import QhullError, Voronoi  # lazy: a heavy library

        try:
            cells = Voronoi(xy)
        except QhullError:  # all in one line
            return None
        pairs = cells.ridge_points
        ends = np.asarray(cells.ridge_vertices)
        apart = codes[pairs[:, 0]] != codes[pairs[:, 1]]
        if not apart.any():
            return None
        a, b = _edges(cells.vertices, xy, pairs[apart], ends[apart], self.place)
        feet = _feet(self.place, a, b)
        return self.flip(feet[int(np.hypot(*(feet - self.place).T).argmin())], True, EDGES)

    # -- searched ----------------------------------------------------------------------------------

    def by_search(self, x_range: Range, y_range: Range) -> Flip | None:
        """The nearest place of a raster with another label, refined by a finer raster and
        subdivision.
        """
        size = 1 if len(self.problem.plane) == 1 else SIZES[0]
        ranges = x_range, y_range if size > 1 else (self.place[1], self.place[1])
        for rough in SIZES:
            steps = (np.arange(rough) + 0.5) / rough
            xs, ys = (
                low + (high - low) * (steps if k == 0 or size > 1 else steps[:1])
                for k, (low, high) in enumerate(ranges)
            )
            places = Grid(xs, ys).points()
            codes = self.labels(places)
            others = np.flatnonzero((codes != self.code) & (codes >= 0))
            if not len(others):
                return None
            away = places[others] - self.place
            there = places[others[int(np.hypot(*away.T).argmin())]]
            reach = float(np.hypot(*(there - self.place)))
            ranges = tuple((at - reach, at + reach) for at in self.place)  # type: ignore[assignment]
        found = self._on_the_way(there)
        size_text = f"searched on {SIZES[-1]} × {SIZES[-1]} places"
        return self.flip(found, False, size_text)

    def _on_the_way(self, there: Float) -> Float:
        """The first place with another label on the way to `there`, by three rounds of
        subdivision.
        """
        low, high = 0.0, 1.0
        for _ in range(3):
            shares = np.linspace(low, high, 33)
            codes = self.labels(self.place + shares[:, None] * (there - self.place))
            other = np.flatnonzero((codes != self.code) & (codes >= 0))
            k = int(other[0]) if len(other) else 32
            low = float(shares[k - 1]) if k else 0.0
            high = float(shares[k])
        return np.asarray(self.place + high * (there - self.place))


def _inside(edges: Float) -> Float:
    """(k − 1,) a place inside each interval between k edges; the outer edges are infinite."""
    if len(edges) == 2:
        return np.zeros(1)
    inner = edges[1:-1]
    return np.concatenate([[inner[0] - 1.0], (inner[:-1] + inner[1:]) / 2, [inner[-1] + 1.0]])


def _gap(edges: Float, at: float) -> Float:
    """(k − 1,) the distance of `at` from each interval between the edges."""
    return np.maximum(np.maximum(edges[:-1] - at, at - edges[1:]), 0.0)


def _edges(corners: Float, xy: Float, pairs: Int, ends: Int, place: Float) -> tuple[Float, Float]:
    """Both ends (e, 2) of the edges between pairs of sites.

    Infinite edges end so far out that nothing beyond is nearer.
    """
    ends = np.sort(ends, axis=1)  # −1, the end at infinity, comes first
    low, high = corners[ends[:, 0]], corners[ends[:, 1]]
    one, two = xy[pairs[:, 0]], xy[pairs[:, 1]]
    along = np.column_stack([one[:, 1] - two[:, 1], two[:, 0] - one[:, 0]])
    along /= np.hypot(*along.T)[:, None]
    outward = ((((one + two) / 2 - xy.mean(axis=0)) * along).sum(axis=1) >= 0)[:, None]
    far = 10 * (
        float(np.ptp(xy, axis=0).max())
        + float(np.abs(place - xy).max())
        + float(np.abs(place - high).max())
    )
    beyond = high + np.where(outward, along, -along) * far
    return np.where(ends[:, :1] < 0, beyond, low), high


def _feet(place: Float, a: Float, b: Float) -> Float:
    """(e, 2) the nearest place to `place` on each segment from a to b."""
    way = b - a
    share = ((place - a) * way).sum(axis=1) / np.maximum((way * way).sum(axis=1), 1e-300)
    return np.asarray(a + np.clip(share, 0.0, 1.0)[:, None] * way)
