"""What pictures of stored examples need: surfaces, and the cells in which the same of them are the
nearest. MMDS 12.4.2.
"""

from functools import lru_cache
from typing import Any, TypeVar

from engine.algorithms.instances.nearest_neighbours.geometry import (
    Walls,
    order_cell,
    order_walls,
)
from engine.algorithms.instances.nearest_neighbours.stored_examples import StoredExamples
from engine.authoring import (
    Callable,
    Float,
    Grid,
    Int,
    Sequence,
    cached_property,
    frozen,
    np,
    replace,
)
from engine.base.work import Work, finished, in_parts, settle
from engine.numerics.distances import Space, norm
from engine.numerics.nearest import Index

P = TypeVar("P")
_AT_ONCE = 1_000  # neighbours found between two looks at stop
_MEASURED = 2_000_000  # numbers compared between two looks at stop
_WAITED_FOR = 500_000  # neighbours looked up for the colours of the points
_MANY_CELLS = 5_000  # with more examples the cells are smaller than their points
# n · k², the sets of all orders up to k: 600 cells, found in 0.1 s; beyond, only the query's cell
_WHOLE = 1_600
_REMEMBERED = 16  # surfaces, cells
_BLOCK = 4  # places in a row that are first answered as one


class PlaneIndex:
    """Stored rows seen from a plane: of the hidden columns only one number matters, how far they
    are from the anchor.

    So a surface searches a tree of at most three dimensions, whatever the table has.
    """

    def __init__(self, space: Space, Z: Float, plane: Sequence[int], anchor: Float) -> None:
        base = np.array(anchor, np.float64)
        base[list(plane)] = 0.0
        axes = space.axes(plane)
        away = Z - space.embed(base[None])[0]
        seen = (axes != 0).any(0)
        frame = np.eye(Z.shape[1])[:, seen] if space.rotation is None else np.linalg.qr(axes.T)[0]
        sites = away @ frame  # (n, f)
        self.turn = axes @ frame  # (a, f)
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

    def neighbours_at(self, grid: Grid, memory: StoredExamples[Any]) -> Float:
        """(places, 2) the class of every place and the first one's share; a block whose places have
        neighbours of one class is answered once.
        """
        middles, half = grid.blocks(_BLOCK)
        reach = float(
            norm(list(np.abs(self.embed(half * [[1, 1], [1, -1]])).T), self.index.space.p).max()
        )
        block = self.index.of_one_class(self.embed(middles.points()), memory.k, memory.codes, reach)
        classes = grid.from_blocks(block.reshape(middles.shape), _BLOCK).ravel()
        both = np.column_stack([classes, classes == 0])
        mixed = np.flatnonzero(classes < 0)
        both[mixed] = memory.votes(self.index, self.embed(grid.points()[mixed]), None)[:, :2]
        return both


class PlaneExamples(StoredExamples[P]):
    """The stored examples as the plane shows them: surfaces, cell walls, the cell of a query."""

    @cached_property
    def seen(self) -> PlaneIndex:
        """An index that finds the nearest examples of places on the plane."""
        return PlaneIndex(self.space, self.Z, self.problem.plane, self.problem.anchor)

    @cached_property
    def surfaces(self) -> Callable[[Grid], tuple[Float, Float]]:
        """(grid) -> (ny, nx) the class of every place, and the first one's share less the
        others'.
        """
        return lru_cache(_REMEMBERED)(self._surfaces)

    @cached_property
    def walls(self) -> Walls:
        """The walls between cells; none unless `whole_diagram`."""
        return finished(self._walls())

    @property
    def waited_for(self) -> bool:
        """Whether finding the neighbours of all examples takes little time."""
        return bool(self.problem.n * self.k <= _WAITED_FOR)

    @cached_property
    def trained(self) -> Int | None:
        """(n,) the predictions for the stored examples; None where they take too long."""
        return frozen(self.labels(self.problem.X)) if self.waited_for else None

    def precompute(self) -> Work[None]:
        """Compute what pictures of this model need, so that painting does not wait."""
        _ = self.index
        if self.waited_for:
            at_once = max(1, min(_AT_ONCE // self.k, _MEASURED // max(1, self.Z.size)))
            yield from settle(
                self, "trained", lambda: in_parts(self.labels, self.problem.X, at_once)
            )
        if self.whole_diagram:
            yield from settle(self, "walls", self._walls)

    def _surfaces(self, grid: Grid) -> tuple[Float, Float]:
        if self.space.hamming:
            both = self._of_values(grid)
        elif self.space.bent or (self.vote.unanimous and self.vote.weighted):
            # then what lies exactly at a place decides which neighbours have to agree
            places = self.space.embed(self.problem.from_plane(grid.points()))
            both = self.votes(self.index, places, None)
        else:
            both = self.seen.neighbours_at(grid, self)
        both = both.reshape(*grid.shape, -1)
        return frozen(np.nan_to_num(both[..., 0], nan=-1.0)), frozen(2 * both[..., 1] - 1)

    def _of_values(self, grid: Grid) -> Float:
        """(ny, nx, 1 + classes) what the neighbours of every place say under Hamming: places that
        equal the same stored values, mostly none, are looked up once.
        """
        problem = self.problem
        on = zip(problem.plane, (grid.x, grid.y), strict=False)
        axes = [distinct_values(problem.X[:, j], at) for j, at in on]
        for size in grid.shape[::-1][len(axes) :]:
            axes.append((np.zeros(1), np.zeros(size, np.intp)))
        (x, in_x), (y, in_y) = axes
        places = self.space.embed(problem.from_plane(Grid(x, y).points()))
        both = self.votes(self.index, places, None).reshape(len(y), len(x), -1)
        return both[np.ix_(in_y, in_x)]

    # -- cells -------------------------------------------------------------------------------------

    @cached_property
    def straight(self) -> bool:
        """Whether bisectors on the plane are straight, and the true ones: p = 2, and the plane
        shows every column.
        """
        euclidean = not self.space.bent and self.space.p == 2
        return euclidean and 0 < len(self.problem.plane) == self.problem.d == len(self.space.kept)

    @property
    def whole_diagram(self) -> bool:
        """Whether all cells of order k can be drawn."""
        few = self.n <= _MANY_CELLS if self.k == 1 else self.n * self.k**2 <= _WHOLE
        return self.straight and few

    @property
    def framed(self) -> bool:
        """Whether the cell of a query can be drawn, and is not the whole plane."""
        return self.straight and bool(self.k < self.n and self.n * self.k <= _WAITED_FOR)

    def _walls(self) -> Work[Walls]:
        """The walls between the cells of order k in plane coordinates, and where classes part.

        One column: upright lines.
        """
        vote = self.vote
        if self.k == 1:
            vote = replace(vote, power=0, width=0.0)  # of a single vote the weight says nothing
        found = yield from order_walls(self._flat, self.codes, vote)
        return Walls(self._on_plane(found.ends), found.between, found.parts)

    def cell(self, rows: Int) -> Float:
        """(m, 2) corners on the plane of the cell in which these table rows are the nearest, none
        if it has no width; one column: its two ends.
        """
        return np.asarray(self._cell(tuple(np.searchsorted(self.rows, rows).tolist())))

    @cached_property
    def _cell(self) -> Any:
        def cell(neighbours: tuple[int, ...]) -> Float:
            ring = order_cell(self._flat, np.array(neighbours), ask)
            if len(ring) and width == 1:
                ring = np.array([[ring[:, 0].min(), 0.0], [ring[:, 0].max(), 0.0]])
            return self._on_plane(ring) if len(ring) else ring

        def ask(places: Float) -> Int:
            return self.index.nearest(np.ascontiguousarray(places[:, :width]), self.k + 1)[1]

        width = self.Z.shape[1]
        return lru_cache(_REMEMBERED)(cell)

    @cached_property
    def _flat(self) -> Float:
        """(n, 2) the places; those of a single column lie on a line."""
        return self.Z if self.Z.shape[1] == 2 else np.pad(self.Z, ((0, 0), (0, 1)))

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
    """(representatives, index of the representative of each place): stored values stand for
    themselves, all other places for NaN.
    """
    known = np.where(np.isin(places, stored), places, np.nan)
    values, which = np.unique(known, return_inverse=True)
    return values, which.ravel()
