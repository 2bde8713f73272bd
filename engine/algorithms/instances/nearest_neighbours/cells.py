"""What pictures of stored examples need: surfaces, and the cells in which the same of them are the nearest. MMDS 12.4.2."""

from collections.abc import Callable
from functools import cached_property
from typing import Any, TypeVar

import numpy as np

from engine.algorithms.instances.nearest_neighbours.memory import Memory
from engine.algorithms.instances.nearest_neighbours.orders import order_cell, voronoi_orders
from engine.algorithms.instances.nearest_neighbours.plane import PlaneIndex
from engine.algorithms.instances.nearest_neighbours.voronoi import Edges, voronoi_edges
from engine.algorithms.instances.nearest_neighbours.walls import Walls, class_walls
from engine.core.arrays import Float, Int, frozen
from engine.core.grid import Grid
from engine.core.work import Work, in_parts, settle

P = TypeVar("P")
_AT_ONCE, _MEASURED = 1_000, 2_000_000  # neighbours found, numbers compared between two looks at stop
_WAITED_FOR = 500_000  # neighbours looked up for the colours of the points
_MANY_CELLS = 5_000  # with more examples the cells are smaller than their points
_WHOLE = 1_600  # n · k², the sets of all orders up to k: 600 cells, found in 12 ms; beyond, only the query's cell
_MANY_CLASSES = 8  # with more of them looking for blocks of one class costs more than it saves


class Pictured(Memory[P]):
    """The memory as it is looked at on the plane."""

    @cached_property
    def seen(self) -> PlaneIndex:
        """The examples as the plane sees them."""
        return PlaneIndex(self.space, self.Z, self.codes, self.problem.plane, self.problem.anchor)

    @property
    def waited_for(self) -> bool:
        """What the examples say about their own table is found soon enough to be looked at."""
        return self.problem.n * self.vote.k <= _WAITED_FOR

    @cached_property
    def trained(self) -> Int | None:
        """(n,) what the examples say about their own table; None where that takes too long."""
        return frozen(self.labels(self.problem.X)) if self.waited_for else None

    def foresee(self) -> Work[None]:
        """Work out what pictures of this model need, so that painting need not wait for it."""
        _ = self.index
        if self.waited_for:
            at_once = max(1, min(_AT_ONCE // self.vote.k, _MEASURED // max(1, self.Z.size)))
            yield from settle(self, "trained", lambda: in_parts(self.labels, self.problem.X, at_once))
        if self.whole_diagram:
            _ = self.walls

    def class_surface(self, grid: Grid) -> Float:
        """(ny, nx) class of every place on the plane; the steps of a search all ask for the same."""
        return np.asarray(self.recall(("class", grid), lambda: frozen(self._classes(grid), np.float64), True))

    def share_surface(self, grid: Grid) -> Float:
        """(ny, nx) `shares` of every place on the plane."""
        return np.asarray(self.recall(("share", grid), lambda: frozen(self._shares(grid)), True))

    def _classes(self, grid: Grid) -> Any:
        if self.space.hamming:
            return self._by_value(grid, self.labels)
        vote, few = self.vote, len(self.seen.of_class) <= _MANY_CLASSES
        classes = self.seen.settled(grid, vote.k).ravel() if few else np.full(grid.x.size * grid.y.size, -1)
        open_ = np.flatnonzero(classes < 0)
        y, x = np.divmod(open_, len(grid.x))
        places = np.column_stack([grid.x[x], grid.y[y]])
        index, Q = self.seen.index, self.seen.embed(places)
        if vote.unanimous and vote.power:  # whether an example lies exactly there decides who has to agree
            index, Q = self.index, self.space.embed(self.problem.from_plane(places))
        classes[open_] = self._told(index, Q, vote.labels, -1)
        return classes.reshape(grid.shape)

    def _shares(self, grid: Grid) -> Any:
        if self.space.hamming:
            return self._by_value(grid, self.shares)
        Q = self.seen.embed(grid.points())
        return self._told(self.seen.index, Q, self.vote.share, np.nan).reshape(grid.shape)

    def _by_value(self, grid: Grid, tell: Callable[[Float], Any]) -> Any:
        """A Hamming surface: places that equal the same stored values (mostly none) are asked once."""
        axes = [
            distinct_values(self.problem.X[:, j], at)
            for j, at in zip(self.problem.plane, (grid.x, grid.y), strict=False)
        ]
        axes += [(np.zeros(1), np.zeros(size, np.intp)) for size in grid.shape[::-1][len(axes) :]]
        (x, in_x), (y, in_y) = axes
        small = Grid(x, y)
        return np.asarray(tell(self.problem.from_plane(small.points()))).reshape(small.shape)[np.ix_(in_y, in_x)]

    # -- pictures --------------------------------------------------------------------------------------------------

    @cached_property
    def straight(self) -> bool:
        """True when bisectors on the plane are straight lines and the true ones: p = 2, the plane shows every column."""
        euclidean = not self.space.hamming and self.space.p == 2
        return euclidean and 0 < len(self.problem.plane) == self.problem.d == len(self.space.kept)

    @property
    def whole_diagram(self) -> bool:
        """Whether all cells of order k can be drawn."""
        k = self.vote.k
        return self.straight and (self.n <= _MANY_CELLS if k == 1 else self.n * k**2 <= _WHOLE)

    @property
    def framed(self) -> bool:
        """Whether the cell of a query can be drawn, and is not the whole plane."""
        return self.straight and self.vote.k < self.n and self.n * self.vote.k <= _WAITED_FOR

    @cached_property
    def walls(self) -> Walls:
        """The walls between the cells of order k in plane coordinates, and where classes part. One column: upright lines.

        Votes weighted by distance change inside the cells, so of their walls none is told to part classes.
        """
        if self.vote.k == 1:
            edges = self.edges
            return Walls(self._on_plane(edges.ends), self.codes[edges.between[:, 0]] != self.codes[edges.between[:, 1]])
        orders = voronoi_orders(self._flat, self.vote.k)
        if self.vote.power:
            return Walls(self._on_plane(orders.ends), np.zeros(len(orders.ends), bool))
        walls = class_walls(self._flat, self.codes, self.vote, orders)
        return Walls(self._on_plane(walls.ends), walls.parts)

    @cached_property
    def edges(self) -> Edges:
        """Voronoi edges of single examples, in the space."""
        return voronoi_edges(self._flat)

    def cell(self, rows: Int) -> Float:
        """(m, 2) corners on the plane of the cell in which these table rows are the nearest, none if it has no width; one
        column: its two ends."""
        held = np.searchsorted(self.rows, rows)
        return np.asarray(self.recall(("cell", held.tobytes()), lambda: self._cell(held)))

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
        turn, base = self.space.axes(self.problem.plane), self.space.embed(np.zeros((1, self.problem.d)))[0]
        if len(self.problem.plane) == 2:
            return frozen((places - base) @ np.linalg.inv(turn))
        x = (places[..., 0] - base[0]) / turn[0, 0]
        return frozen(np.stack([x, np.broadcast_to([-np.inf, np.inf], x.shape)], axis=-1))


def distinct_values(stored: Float, places: Float) -> tuple[Float, Int]:
    """(representatives, which one each place has): every stored value is its own, all other places are alike (NaN)."""
    values, which = np.unique(np.where(np.isin(places, stored), places, np.nan), return_inverse=True)
    return values, which.ravel()
