"""What pictures of stored examples need: surfaces, and the cells in which the same of them are the
nearest. MMDS 12.4.2.
"""

from functools import lru_cache
from typing import Any, TypeVar

from engine.algorithms.instances.nearest_neighbours.geometry import (
    Walls,
    order_cell,
    order_walls,
    voronoi_walls,
)
from engine.algorithms.instances.nearest_neighbours.memory import Memory
from engine.authoring import Float, Grid, Int, Sequence, cached_property, frozen, np
from engine.core.work import Work, finished, in_parts, settle
from engine.numerics.distances import Space, norm
from engine.numerics.nearest import Index

P = TypeVar("P")
# neighbours found, numbers compared between two looks at stop
_AT_ONCE, _MEASURED = 1_000, 2_000_000
_WAITED_FOR = 500_000  # neighbours looked up for the colours of the points
_MANY_CELLS = 5_000  # with more examples the cells are smaller than their points
# n · k², the sets of all orders up to k: 600 cells, found in 0.1 s; beyond, only the query's cell
_WHOLE = 1_600
_REMEMBERED = 16  # surfaces, cells
_BLOCK = 4  # places in a row that are first asked as one


class PlaneIndex:
    """Stored rows seen from a plane: of the hidden columns only one number matters, how far they
    are from the anchor.

    So a surface asks a tree of at most three dimensions, whatever the table has.
    """

    def __init__(self, space: Space, Z: Float, plane: Sequence[int], anchor: Float) -> None:
        base = np.array(anchor, np.float64)
        base[list(plane)] = 0.0
        axes = space.axes(plane)
        away = Z - space.embed(base[None])[0]
        seen = (axes != 0).any(0)
        frame = np.eye(Z.shape[1])[:, seen] if space.rotation is None else np.linalg.qr(axes.T)[0]
        sites, self.turn = away @ frame, axes @ frame  # (n, f), (a, f)
        self.hidden = frame.shape[1] < Z.shape[1]
        if self.hidden:
            rest = norm(list(np.abs(away - sites @ frame.T).T), space.p)
            sites = np.column_stack([sites, rest])
        view = Space(
            space.p, np.zeros(sites.shape[1]), np.arange(sites.shape[1]), np.ones(sites.shape[1])
        )
        self.index = Index(view, np.ascontiguousarray(sites))

    def embed(self, xy: Float) -> Float:
        """(m, 2) plane coordinates -> (m, f) places beside the stored rows."""
        on = xy[:, : len(self.turn)] @ self.turn
        return np.column_stack([on, np.zeros(len(xy))]) if self.hidden else on

    def asked(self, grid: Grid, memory: Memory[Any]) -> Float:
        """(places, 2) the class of every place and the first one's share; a block whose places have
        neighbours of one class is asked once.
        """
        middles, half = grid.blocks(_BLOCK)
        reach = float(
            norm(list(np.abs(self.embed(half * [[1, 1], [1, -1]])).T), self.index.space.p).max()
        )
        block = self.index.of_one_class(self.embed(middles.points()), memory.k, memory.codes, reach)
        told = grid.from_blocks(block.reshape(middles.shape), _BLOCK).reshape(-1, 1)
        told, open_ = np.hstack([told, told == 0]), np.flatnonzero(told < 0)
        told[open_] = memory.told(self.index, self.embed(grid.points()[open_]), None)[:, :2]
        return told


class Pictured(Memory[P]):
    """The memory as it is looked at on the plane. straight: bisectors there are straight lines and
    the true ones (p = 2, the plane shows every column); surfaces(grid): (ny, nx) the class of every
    place, and the first one's share less the others'.
    """

    seen = cached_property(
        lambda self: PlaneIndex(self.space, self.Z, self.problem.plane, self.problem.anchor)
    )
    surfaces = cached_property(lambda self: lru_cache(_REMEMBERED)(self._surfaces))
    walls = cached_property(lambda self: finished(self._walls()))
    waited_for = property(lambda self: bool(self.problem.n * self.k <= _WAITED_FOR))
    # (n,) what the examples say about their own table; None where that takes too long
    trained = cached_property(
        lambda self: frozen(self.labels(self.problem.X)) if self.waited_for else None
    )

    def foresee(self) -> Work[None]:
        """Work out what pictures of this model need, so that painting need not wait for it."""
        _ = self.index
        if self.waited_for:
            at_once = max(1, min(_AT_ONCE // self.k, _MEASURED // max(1, self.Z.size)))
            yield from settle(
                self, "trained", lambda: in_parts(self.labels, self.problem.X, at_once)
            )
        if self.whole_diagram:
            yield from settle(self, "walls", self._walls)

    def _surfaces(self, grid: Grid) -> tuple[Float, Float]:
        problem, vote = self.problem, self.vote
        # places that equal the same stored values (mostly none) are looked up once
        if self.space.hamming:
            on = zip(problem.plane, (grid.x, grid.y), strict=False)
            axes = [distinct_values(problem.X[:, j], at) for j, at in on]
            axes += [
                (np.zeros(1), np.zeros(size, np.intp)) for size in grid.shape[::-1][len(axes) :]
            ]
            (x, in_x), (y, in_y) = axes
            places = problem.from_plane(Grid(x, y).points())
            told = self.told(self.index, self.space.embed(places), None).reshape(
                len(y), len(x), -1
            )[np.ix_(in_y, in_x)]
        elif self.space.bent or (
            vote.unanimous and vote.power
        ):  # then who lies exactly there decides who has to agree
            told = self.told(self.index, self.space.embed(problem.from_plane(grid.points())), None)
        else:
            told = self.seen.asked(grid, self)
        told = told.reshape(*grid.shape, -1)
        return frozen(np.nan_to_num(told[..., 0], nan=-1.0)), frozen(2 * told[..., 1] - 1)

    # -- cells -------------------------------------------------------------------------------------

    @cached_property
    def straight(self) -> bool:
        euclidean = not self.space.bent and self.space.p == 2
        return euclidean and 0 < len(self.problem.plane) == self.problem.d == len(self.space.kept)

    # whether all cells of order k can be drawn; the cell of a query, if it is not the whole plane
    few = property(
        lambda self: self.n <= _MANY_CELLS if self.k == 1 else self.n * self.k**2 <= _WHOLE
    )
    whole_diagram = property(lambda self: self.straight and self.few)
    framed = property(
        lambda self: self.straight and bool(self.k < self.n and self.n * self.k <= _WAITED_FOR)
    )

    def _walls(self) -> Work[Walls]:
        """The walls between the cells of order k in plane coordinates, and where classes part.

        One column: upright lines.
        """
        if self.k == 1:
            found = voronoi_walls(self._flat, self.codes)
        else:
            found = yield from order_walls(self._flat, self.codes, self.vote)
        return Walls(self._on_plane(found.ends), found.between, found.parts)

    def cell(self, rows: Int) -> Float:
        """(m, 2) corners on the plane of the cell in which these table rows are the nearest, none
        if it has no width; one column: its two ends.
        """
        return np.asarray(self._cell(tuple(np.searchsorted(self.rows, rows).tolist())))

    @cached_property
    def _cell(self) -> Any:
        def cell(held: tuple[int, ...]) -> Float:
            ring = order_cell(self._flat, np.array(held), ask)
            if len(ring) and width == 1:
                ring = np.array([[ring[:, 0].min(), 0.0], [ring[:, 0].max(), 0.0]])
            return self._on_plane(ring) if len(ring) else ring

        def ask(places: Float) -> Int:
            return self.index.nearest(np.ascontiguousarray(places[:, :width]), self.k + 1)[1]

        width = self.Z.shape[1]
        return lru_cache(_REMEMBERED)(cell)

    # (n, 2) the places; a single column lies on a line
    _flat = cached_property(
        lambda self: self.Z if self.Z.shape[1] == 2 else np.pad(self.Z, ((0, 0), (0, 1)))
    )

    def _on_plane(self, places: Float) -> Float:
        """Places (…, 2) of the space in plane coordinates; each two of a single column stand below
        and above each other.
        """
        turn = self.space.axes(self.problem.plane)
        base = self.space.embed(np.zeros((1, self.problem.d)))[0]
        if len(self.problem.plane) == 2:
            return frozen((places - base) @ np.linalg.inv(turn))
        x = (places[..., 0] - base[0]) / turn[0, 0]
        return frozen(np.stack([x, np.broadcast_to([-np.inf, np.inf], x.shape)], axis=-1))


def distinct_values(stored: Float, places: Float) -> tuple[Float, Int]:
    """(representatives, which one each place has): every stored value is its own, all other places
    are alike (NaN).
    """
    values, which = np.unique(
        np.where(np.isin(places, stored), places, np.nan), return_inverse=True
    )
    return values, which.ravel()
