"""Voronoi cells one by one: the plane cut down by bisectors, as half-planes cut a convex region.

MMDS 12.4.2.

No box bounds a cell. Seen from its site p, the wall to q lies |q − p| / 2 away in the direction of
q; walls go round the cell by these directions, and a place on one of them is a number t along it,
from its middle to the left. Where two walls meet follows from two lengths and an angle, however far
away that is; or they have no end.
"""

import math
from collections.abc import Iterator
from itertools import accumulate, chain, pairwise
from typing import Any

import numpy as np

from engine.algorithms.instances.parts import BOX, extent
from engine.core.arrays import Bool, Float, Int, frozen
from engine.core.records import Record
from engine.numerics.closeness import OF_TERMS

Place = list[float]
AHEAD = 64  # bisectors are tried so many at a time
NO_SITE = -1
# a sine below it may be nothing but rounding where two sites are as near as two numbers can be
_PARALLEL = 1e-6
_SAME = OF_TERMS  # directions this near to each other are one
_SIDES = np.array([[-1.0], [1.0]])  # right, left
# of a square, turning left
_CORNERS = np.array([[1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]])
_ANGLES = [(math.atan2(y, x), (x, y)) for x, y in _CORNERS.tolist()]


class Cell(Record):
    """ring (m, 2): corners in turn; across (m,): the site behind the edge from each corner to the
    next. A cell without end is shut by a square that holds all its corners: −1 is behind those
    edges.
    """

    site: int
    ring: Float
    across: Int

    # the sites behind its edges, turning left
    walls = property(lambda cell: cell.across[cell.across >= 0])
    endless = property(lambda cell: bool((cell.across < 0).any()))

    @property
    def corners(self) -> int:
        """How many corners it has of its own, where two of its walls meet."""
        return int(((self.across >= 0) & (np.roll(self.across, 1) >= 0)).sum())


class Ways(Record, eq=True):
    """From one site to others: unit vectors (…, 2), lengths (…,) in half extents, angles (…,)."""

    unit: Float
    length: Float
    angle: Float

    def __getitem__(self, which: Int) -> "Ways":
        # 16 times as fast as [which]
        return Ways(self.unit.take(which, axis=0), self.length[which], self.angle[which])


class Diagram:
    """The points (n, 2) with their bisectors, measured in half extents round their middle. sites:
    first of each place.
    """

    def __init__(self, points: Float) -> None:
        self.middle, self.half = extent(points)
        self.points, self.unit = points, (points - self.middle) / self.half
        # what is too near to be told apart is one place
        places = np.ldexp(points, -np.frexp(self.half)[1]) + 0.0
        order = np.lexsort(places.T)  # keeps the order of copies
        new = np.append(True, np.logical_or(*np.diff(places.take(order, axis=0).T) != 0))
        self.sites = np.sort(order[new])
        self._first: list[int] = order[new][new.cumsum() - 1][order.argsort()].tolist()
        self._rounding = (
            16 * float(np.finfo(float).eps) * (1 + float(np.abs(self.middle).max()) / self.half)
        )
        self._square = frozen(self.to_plane(BOX * _CORNERS)), frozen(np.full(4, NO_SITE, np.intp))
        self._known: tuple[int, Ways] | None = None

    def first_at(self, point: int) -> int:
        """The site at the place of a point: itself, or the first of its copies."""
        return self._first[point]

    def box(self, site: int) -> Cell:
        """A cell before any cut: the whole plane."""
        return Cell(site, *self._square)

    def others(self, site: int) -> tuple[Int, Float]:
        """(all other sites, nearest first, their distances in half extents)."""
        rest = self.sites[self.sites != site]
        distances = self._ways(site).length[rest]
        order = np.argsort(distances, kind="stable")
        return rest[order], distances[order]

    def reach(self, cell: Cell) -> float:
        """The distance to the farthest corner, ∞ without end; a site more than twice as far cannot
        cut.
        """
        return (
            np.inf
            if cell.endless
            else float(np.hypot(*(self.to_unit(cell.ring) - self.unit[cell.site]).T).max())
        )

    def cuts(self, cell: Cell, others: Int) -> Bool:
        """(m,) which of the bisectors to `others` (m,) cut something off the cell; to touch a
        corner is no cut.
        """
        walls = cell.walls
        if not len(walls):
            return np.ones(len(others), bool)
        ways = self._ways(cell.site)
        place = np.searchsorted(ways.angle[walls], ways.angle[others])
        return self._seen(ways, others, walls[place - 1], walls[place % len(walls)])

    def passing(self, cell: Cell, others: Int) -> int:
        """How many of `others` come before the first whose bisector cuts."""
        for at in range(0, len(others), AHEAD):
            cuts = self.cuts(cell, others[at : at + AHEAD])
            if cuts.any():
                return at + int(cuts.argmax())
        return len(others)

    def cut(self, cell: Cell, other: int, sure: bool = False) -> Cell:
        """What of the cell is nearer to its site than to `other`; the same cell when the bisector
        passes by. sure: it cuts.
        """
        if not sure and not self.cuts(cell, np.array([other]))[0]:
            return cell
        ways = self._ways(cell.site)
        walls = cell.walls
        at = int(np.searchsorted(ways.angle[walls], ways.angle[other]))
        walls = np.roll(walls, -at)  # turning left from the new one, which hides some on both sides
        while len(walls) and not self._stays(
            ways, other, walls[0], walls[1] if len(walls) > 1 else other
        ):
            walls = walls[1:]
        while len(walls) and not self._stays(
            ways, walls[-2] if len(walls) > 1 else other, walls[-1], other
        ):
            walls = walls[:-1]
        walls = np.append(walls, other)
        return self.cell(cell.site, walls[ways.angle[walls].argsort(kind="stable")])

    def shown(self, cell: Cell) -> Cell:
        """What of a cell a picture shows: cut off by a box far larger than the data."""
        if np.abs(self.to_unit(cell.ring)).max() <= BOX:
            return cell
        return self.cell(cell.site, cell.walls, BOX)

    def bisector(self, site: int, other: int) -> Float:
        """(1, 2, 2) all places as near to one as to the other, as far as a picture goes."""
        middle = (self.unit[site] + self.unit[other]) / 2
        way = self._ways(site).unit[other]
        along = 3 * BOX * np.array([-way[1], way[0]])
        return self.to_plane(np.stack([middle - along, middle + along]))[None]

    def to_unit(self, xy: Float) -> Float:
        return np.asarray((xy - self.middle) / self.half, np.float64)

    def to_plane(self, unit: Float) -> Float:
        return np.asarray(unit * self.half + self.middle, np.float64)

    # -- walls as they are seen from their site ----------------------------------------------------

    def _ways(self, site: int) -> Ways:
        """From a site to all points; that to itself has no meaning."""
        known = self._known  # looked at once: whoever draws a step asks while others are cut
        if known is None or known[0] != site:
            known = self._known = site, self.ways(self.points[site], self.points)
        return known[1]

    def ways(self, places: Float, others: Float) -> Ways:
        """From places, or one, to others (m, 2)."""
        way = (others - places) / self.half
        length = np.hypot(way[:, 0], way[:, 1])
        unit = way / np.where(length > 0, length, 1.0)[:, None]
        return Ways(unit, length, np.arctan2(way[:, 1], way[:, 0]))

    def _stays(self, ways: Ways, right: int, wall: int, left: int) -> bool:
        return bool(self._seen(ways, np.array([wall]), np.array([right]), np.array([left]))[0])

    def _seen(self, ways: Ways, walls: Int, right: Int, left: Int) -> Bool:
        """(m,) whether something of each wall is left between those to its right and to
        its left.
        """
        (low, high), rounding = self.ends(ways, walls, right, left)
        return np.asarray(high - low > rounding)

    def ends(self, ways: Ways, walls: Int, right: Int, left: Int) -> tuple[Float, Float]:
        """(t (2, m) where each wall meets those to its right and to its left, ∓∞ where it does not;
        how much of the way between may be rounding (m,), ∞ where one of them is parallel and hides
        it).
        """
        own = ways[walls]
        other = ways[np.array([right, left])]
        side = _SIDES
        sine = own.unit[:, 0] * other.unit[..., 1] - own.unit[:, 1] * other.unit[..., 0]
        cosine = own.unit[:, 0] * other.unit[..., 0] + own.unit[:, 1] * other.unit[..., 1]
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            parallel = np.minimum(self._rounding * (1 / own.length + 1 / other.length), _PARALLEL)
            meet = side * sine > parallel
            t = np.where(meet, (other.length - own.length * cosine) / (2 * sine), side * np.inf)
            rounding = np.where(
                meet, parallel * (np.abs(t) + own.length + other.length) / np.abs(sine), 0.0
            )
        hidden = (np.abs(sine) <= parallel) & (cosine > 0) & (other.length <= own.length)
        return t, np.where(hidden, np.inf, rounding).sum(axis=0)

    # -- corners -----------------------------------------------------------------------------------

    def cell(self, site: int, walls: Int, half: float = 0.0) -> Cell:
        """The cell behind walls that turn left, in a square of side 2·half round the middle; 0: no
        square, or one that holds all corners of a cell without end.
        """
        wall = self.ways(self.points[site], self.points[walls])
        k = np.arange(len(walls))
        ends, _ = self.ends(wall, k, k - 1, (k + 1) % max(1, len(k)))
        if half or not len(walls) or not np.isfinite(ends).all():
            return next(self.shut([site], [len(walls)], walls, self.lines(site, wall), ends, half))
        middle, along = self.lines(site, wall)
        return Cell(
            site, frozen(self.to_plane(middle + ends[0][:, None] * along)), frozen(walls, np.intp)
        )

    def lines(self, sites: Any, ways: Ways) -> tuple[Float, Float]:
        """(middles of the walls across ways from sites, their directions), (m, 2) both."""
        middle = self.unit.take(sites, axis=0) + ways.unit * (ways.length / 2)[:, None]
        return middle, np.column_stack([-ways.unit[:, 1], ways.unit[:, 0]])

    def shut(
        self, sites: Any, sizes: Any, walls: Int, lines: Any, ends: Float, half: float = 0.0
    ) -> Iterator[Cell]:
        """The same of several sites, each with so many of the walls (m,), which run along their
        lines between `ends` (2, m).
        """
        bounds = [*pairwise(accumulate(sizes, initial=0))]
        middle, along = lines
        low, high = ends
        with np.errstate(divide="ignore", invalid="ignore"):
            far = np.where(np.isfinite(low), np.abs(middle + low[:, None] * along).max(axis=1), 0.0)
            halves = [half or max(BOX, 2 * float(far[a:b].max(initial=0.0))) for a, b in bounds]
            side = np.repeat(halves, sizes)[:, None]
            one = (-side - middle) / along
            other = (side - middle) / along
            start = np.maximum(low, np.minimum(one, other).max(axis=1))
            end = np.minimum(high, np.maximum(one, other).min(axis=1))
            enters, leaves = ((middle + t[:, None] * along).tolist() for t in (start, end))
        told = [
            *zip(
                walls.tolist(),
                enters,
                leaves,
                (end < high).tolist(),
                (start < end).tolist(),
                strict=True,
            )
        ]
        inside = ([wall for wall in told[a:b] if wall[-1]] for a, b in bounds)
        corners, across = zip(*map(in_square, inside, halves), strict=True) if bounds else ((), ())
        # at one stroke, for few as for many
        rings = frozen(self.to_plane(np.array([*chain(*corners)]).reshape(-1, 2)))
        behind = frozen([*chain(*across)], np.intp)
        bounds = [*pairwise(accumulate(map(len, across), initial=0))]
        return (
            Cell(site, rings[a:b], behind[a:b]) for site, (a, b) in zip(sites, bounds, strict=True)
        )


def in_square(
    walls: list[tuple[int, Place, Place, bool, bool]], half: float
) -> tuple[list[Place], list[int]]:
    """(corners, walls behind the edges that start there) of a cell in a square of side 2·half round
    0. walls: in it, turning left, where they enter and leave it, and whether it cuts them off; then
    edges along the rim, −1, go on to the next.
    """
    corners = list[Place]()
    across = list[int]()
    for (wall, enters, leaves, cut, _), (_, after, *_) in zip(
        walls, walls[1:] + walls[:1], strict=True
    ):
        rim = on_rim(leaves, after, half) if cut else []
        corners += [enters, *rim]
        across += [wall, *[NO_SITE] * len(rim)]
    return (corners, across) if walls else ((half * _CORNERS).tolist(), [NO_SITE] * 4)


def on_rim(leaves: Place, enters: Place, half: float) -> list[Place]:
    """The first place and the corners of a square on the way left along its rim to the second
    place.
    """
    begin, end = (math.atan2(y, x) for x, y in (leaves, enters))
    whole = (end - begin) % (2 * math.pi)
    turns = sorted(((angle - begin) % (2 * math.pi), corner) for angle, corner in _ANGLES)
    return [
        leaves,
        *([half * x, half * y] for turn, (x, y) in turns if _SAME < turn < whole - _SAME),
    ]
