"""The stored examples of a problem under one metric: what nearest neighbours learn by heart. AIMA 18.8, ML 8.2."""

from collections.abc import Callable
from functools import cached_property
from threading import Lock
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from engine.core.arrays import Bool, Float, Int, frozen
from engine.core.errors import EngineError
from engine.core.grid import Grid
from engine.core.notation import quoted
from engine.core.problem import Problem
from engine.core.work import Work, in_parts
from engine.numerics.class_walls import Walls, class_walls
from engine.numerics.distances import Space, hamming_space, mahalanobis_space, minkowski_space
from engine.numerics.nearest import Index, PlaneIndex
from engine.numerics.voronoi import Edges, voronoi_edges
from engine.numerics.voronoi_orders import order_cell, voronoi_orders
from engine.numerics.votes import Vote

_REMEMBERED = 16  # metrics per problem, answers per metric
_AT_ONCE, _MEASURED = 1_000, 2_000_000  # neighbours found, numbers compared between two looks at stop
_PART = 2_000_000  # neighbours held at a time
_WAITED_FOR = 500_000  # neighbours looked up for the colours of the points
_MANY_CELLS = 5_000  # with more examples the cells are smaller than their points
_WHOLE = 1_600  # n · k², the sets of all orders up to k: 600 cells, found in 12 ms; beyond, only the query's cell
_MANY_CLASSES = 8  # with more of them looking for blocks of one class costs more than it saves


class Stored:
    """rows: table rows of the labelled examples; codes: their classes; Z: their places in `space`."""

    def __init__(self, problem: Problem, metric: str, p: float, normalise: bool, stretch: tuple[float, ...]) -> None:
        self.rows = frozen(np.flatnonzero(problem.labelled))
        self.codes = problem.codes[self.rows]
        self.space = measure(problem, problem.X[self.rows], metric, p, normalise, stretch)
        self.normalised = normalise and metric == "minkowski"
        self.stretched = any(factor != 1 for factor in stretch)
        self.Z = frozen(self.space.embed(problem.X[self.rows]))
        self.plane, self.anchor, self.d, self.values = problem.plane, problem.anchor, problem.d, problem.X
        self._answers: dict[Any, Any] = {}
        self._surfaces: dict[Any, Any] = {}
        self._walls: dict[Any, Walls] = {}

    @property
    def n(self) -> int:
        return len(self.rows)

    @cached_property
    def index(self) -> Index:
        return Index(self.space, self.Z)

    @cached_property
    def seen(self) -> PlaneIndex:
        """The examples as the plane sees them."""
        return PlaneIndex(self.space, self.Z, self.codes, self.plane, self.anchor)

    def distances(self, x: Float) -> Float:
        """(n,) distance of every example from the row x (d,)."""
        return self.recall(x.tobytes(), lambda: frozen(self.space.distance(self.Z, self.place(x))))  # type: ignore[no-any-return]

    def place(self, x: Float) -> Float:
        """(e,) where the row x lies in the space."""
        return self.recall((x.tobytes(),), lambda: frozen(self.space.embed(x[None])[0]))  # type: ignore[no-any-return]

    def position(self, row: int) -> int:
        """Where the example in a table row stands in the memory."""
        return int(np.searchsorted(self.rows, row))

    def comparable(self, X: Float) -> Bool:
        """(m,) which rows have a distance: under Hamming all, else those without a missing number."""
        return np.asarray(self.space.hamming | np.isfinite(self.space.embed(X)).all(1))

    def nearest(self, x: Float, k: int) -> Int:
        """(k,) positions among the examples of the nearest to the row x, by measuring all of them."""
        return np.asarray(self.index.scan(self.space.embed(x[None]), k)[1][0])

    # -- what the examples say -------------------------------------------------------------------------------------

    def labels(self, vote: Vote, X: Float) -> Int:
        """(m,) class of rows X (m, d); −1 where the vote leaves it open or a number is missing."""
        return np.asarray(self._told(self.index, self.space.embed(X), vote.k, vote.labels, -1), np.intp)

    def shares(self, vote: Vote, X: Float) -> Float:
        """(m,) share of votes for class 0 minus the share of all others; NaN where a number is missing."""
        return np.asarray(self._told(self.index, self.space.embed(X), vote.k, vote.share, np.nan))

    def trained(self, vote: Vote, problem: Problem) -> Int | None:
        """(n,) what the examples say about their own table; None where that takes too long to look at."""
        if problem.n * vote.k > _WAITED_FOR:
            return None
        return self.recall(vote, lambda: frozen(self.labels(vote, problem.X)))  # type: ignore[no-any-return]

    def foresee(self, vote: Vote, problem: Problem) -> Work[None]:
        """Work out what pictures of this model need, so that painting need not wait for it."""
        _ = self.index
        if problem.n * vote.k <= _WAITED_FOR and vote not in self._answers:
            at_once = max(1, min(_AT_ONCE // vote.k, _MEASURED // max(1, self.Z.size)))
            labels = yield from in_parts(lambda X: self.labels(vote, X), problem.X, at_once)
            self.recall(vote, lambda: frozen(labels))
        if self.whole_diagram(vote):
            self.walls(vote)

    def class_surface(self, vote: Vote, problem: Problem, grid: Grid) -> Float:
        """(ny, nx) class of every place on the plane; the steps of a search all ask for the same."""
        key = ("class", vote, grid)
        return np.asarray(
            _remember(self._surfaces, key, lambda: frozen(self._classes(vote, problem, grid), np.float64))
        )

    def share_surface(self, vote: Vote, problem: Problem, grid: Grid) -> Float:
        """(ny, nx) `shares` of every place on the plane."""
        return _remember(self._surfaces, ("share", vote, grid), lambda: frozen(self._shares(vote, problem, grid)))  # type: ignore[no-any-return]

    def _classes(self, vote: Vote, problem: Problem, grid: Grid) -> Any:
        if self.space.hamming:
            return self._by_value(problem, grid, lambda X: self.labels(vote, X))
        few = len(self.seen.of_class) <= _MANY_CLASSES
        classes = self.seen.settled(grid, vote.k).ravel() if few else np.full(grid.x.size * grid.y.size, -1)
        open_ = np.flatnonzero(classes < 0)
        y, x = np.divmod(open_, len(grid.x))
        places = np.column_stack([grid.x[x], grid.y[y]])
        index, Q = self.seen.index, self.seen.embed(places)
        if vote.unanimous and vote.power:  # whether an example lies exactly there decides who has to agree
            index, Q = self.index, self.space.embed(problem.from_plane(places))
        classes[open_] = self._told(index, Q, vote.k, vote.labels, -1)
        return classes.reshape(grid.shape)

    def _shares(self, vote: Vote, problem: Problem, grid: Grid) -> Any:
        if self.space.hamming:
            return self._by_value(problem, grid, lambda X: self.shares(vote, X))
        Q = self.seen.embed(grid.points())
        return self._told(self.seen.index, Q, vote.k, vote.share, np.nan).reshape(grid.shape)

    def _told(self, index: Index, Q: Float, k: int, say: Callable[[Int, Float], Any], otherwise: float) -> Any:
        """`say` of the neighbours of every place Q, in parts that fit into memory."""
        size = max(1, _PART // k)
        told = np.full(len(Q), otherwise, np.float64)
        known = np.arange(len(Q)) if self.space.hamming else np.flatnonzero(np.isfinite(Q).all(1))
        for at in range(0, len(known), size):
            part = known[at : at + size]
            distances, positions = index.nearest(Q[part], k)
            told[part] = say(self.codes[positions], distances)
        return told

    def _by_value(self, problem: Problem, grid: Grid, tell: Callable[[Float], Any]) -> Any:
        """A Hamming surface: places that equal the same stored values (mostly none) are asked once."""
        axes = [distinct_values(self.values[:, j], at) for j, at in zip(self.plane, (grid.x, grid.y), strict=False)]
        axes += [(np.zeros(1), np.zeros(size, np.intp)) for size in grid.shape[::-1][len(axes) :]]
        (x, in_x), (y, in_y) = axes
        small = Grid(x, y)
        return np.asarray(tell(problem.from_plane(small.points()))).reshape(small.shape)[np.ix_(in_y, in_x)]

    # -- pictures --------------------------------------------------------------------------------------------------

    @cached_property
    def straight(self) -> bool:
        """True when bisectors on the plane are straight lines and the true ones: p = 2, the plane shows every column."""
        euclidean = not self.space.hamming and self.space.p == 2
        return euclidean and 0 < len(self.plane) == self.d == len(self.space.kept)

    def whole_diagram(self, vote: Vote) -> bool:
        """Whether all cells of order k can be drawn."""
        return self.straight and (self.n <= _MANY_CELLS if vote.k == 1 else self.n * vote.k**2 <= _WHOLE)

    def framed(self, vote: Vote) -> bool:
        """Whether the cell of a query can be drawn, and is not the whole plane."""
        return self.straight and vote.k < self.n and self.n * vote.k <= _WAITED_FOR

    def walls(self, vote: Vote) -> Walls:
        """The walls between the cells of order k in plane coordinates, and where classes part. One column: upright lines.

        Votes weighted by distance change inside the cells, so of their walls none is told to part classes.
        """
        return _remember(self._walls, vote, lambda: self._walls_of(vote))  # type: ignore[no-any-return]

    def _walls_of(self, vote: Vote) -> Walls:
        if vote.k == 1:
            edges = self.edges
            return Walls(self._on_plane(edges.ends), self.codes[edges.between[:, 0]] != self.codes[edges.between[:, 1]])
        orders = voronoi_orders(self._flat, vote.k)
        if vote.power:
            return Walls(self._on_plane(orders.ends), np.zeros(len(orders.ends), bool))
        walls = class_walls(self._flat, self.codes, vote, orders)
        return Walls(self._on_plane(walls.ends), walls.parts)

    @cached_property
    def edges(self) -> Edges:
        """Voronoi edges of single examples, in the space."""
        return voronoi_edges(self._flat)

    def cell(self, rows: Int) -> Float:
        """(m, 2) corners on the plane of the cell in which these table rows are the nearest, none if it has no width; one
        column: its two ends."""
        held = np.searchsorted(self.rows, rows)
        return self.recall(("cell", held.tobytes()), lambda: self._cell(held))  # type: ignore[no-any-return]

    def _cell(self, held: Int) -> Float:
        width = self.Z.shape[1]

        def ask(places: Float) -> Int:
            return self.index.nearest(np.ascontiguousarray(places[:, :width]), len(held) + 1)[1]

        ring = order_cell(self._flat, held, ask)
        if not len(ring):
            return ring
        if width == 1:
            ring = np.array([[ring[:, 0].min(), 0.0], [ring[:, 0].max(), 0.0]])
        return self._on_plane(ring)

    @cached_property
    def _flat(self) -> Float:
        """(n, 2) the places; a single column lies on a line."""
        return self.Z if self.Z.shape[1] == 2 else np.column_stack([self.Z, np.zeros(self.n)])

    def _on_plane(self, places: Float) -> Float:
        """Places (…, 2) of the space in plane coordinates; each two of a single column stand below and above each other."""
        turn, base = self.space.axes(self.plane), self.space.embed(np.zeros((1, self.d)))[0]
        if len(self.plane) == 2:
            return frozen((places - base) @ np.linalg.inv(turn))
        x = (places[..., 0] - base[0]) / turn[0, 0]
        return frozen(np.stack([x, np.broadcast_to([-np.inf, np.inf], x.shape)], axis=-1))

    def recall(self, key: Any, make: Callable[[], Any]) -> Any:
        """What `make` gives, kept for the next time."""
        return _remember(self._answers, key, make)


_LOCK = Lock()  # the worker and the window ask at the same time


def _remember(kept: dict[Any, Any], key: Any, make: Callable[[], Any]) -> Any:
    value = kept.get(key)
    if value is None:
        value = make()
        with _LOCK:
            while len(kept) >= _REMEMBERED:
                del kept[next(iter(kept))]
            kept[key] = value
    return value


_STORED: "WeakKeyDictionary[Problem, dict[Any, Any]]" = WeakKeyDictionary()


def stored(problem: Problem, metric: str, p: float, normalise: bool, stretch: tuple[float, ...]) -> Stored:
    """The stored examples, the same object as long as the problem lives (what a state holds is the decision, not the data)."""
    key = (metric, p if metric == "minkowski" else 2.0, normalise, stretch)
    kept = _STORED.setdefault(problem, {})
    return _remember(kept, key, lambda: Stored(problem, *key))  # type: ignore[no-any-return]


def measure(problem: Problem, X: Float, metric: str, p: float, normalise: bool, stretch: tuple[float, ...]) -> Space:
    """The space of `metric` for rows X; raises EngineError for columns that it cannot compare."""
    if metric == "hamming":
        return hamming_space(X, stretch)
    for feature in problem.features:
        if not feature.numeric and len(feature.categories) > 2:
            raise EngineError(
                f"{metric.capitalize()} distance needs numbers; column {quoted(feature.name)} holds {len(feature.categories)} "
                "categories without an order. Choose the Hamming metric, or turn on 0/1 columns in the data panel."
            )
    if metric == "mahalanobis":
        return mahalanobis_space(X, [f.name for f in problem.features], stretch)
    return minkowski_space(X, p, normalise, stretch)


def distinct_values(stored: Float, places: Float) -> tuple[Float, Int]:
    """(representatives, which one each place has): every stored value is its own, all other places are alike (NaN)."""
    values, which = np.unique(np.where(np.isin(places, stored), places, np.nan), return_inverse=True)
    return values, which.ravel()
