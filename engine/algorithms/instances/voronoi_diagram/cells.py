"""Voronoi cells one by one: the plane cut down by bisectors, as half-planes cut a convex region. MMDS 12.4.2.

No box bounds a cell. Seen from its site p, the wall to q lies |q − p| / 2 away in the direction of q; walls go round the
cell by these directions, and a place on one of them is a number t along it, from its middle to the left. Where two walls
meet follows from two lengths and an angle, however far away that is; or they have no end.
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.algorithms.instances.parts import BOX, extent
from engine.core.arrays import Bool, Float, Int, frozen
from engine.core.records import quick

AHEAD = 64  # bisectors are tried so many at a time
NO_SITE = -1
_PARALLEL = 1e-6  # a sine below it may be nothing but rounding where two sites are as near as two numbers can be
_SAME = 1e-12  # directions this near to each other are one
_SIDES = np.array([[-1.0], [1.0]])  # right, left
_CORNERS = np.array([[1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]])  # of a square, turning left
_ANGLES = [(math.atan2(y, x), (x, y)) for x, y in _CORNERS.tolist()]


@quick
@dataclass(frozen=True, slots=True, eq=False)
class Cell:
    """ring (m, 2): corners in turn; across (m,): the site behind the edge from each corner to the next. A cell without end
    is shut by a square that holds all its corners: −1 is behind those edges."""

    site: int
    ring: Float
    across: Int

    walls = property(lambda cell: cell.across[cell.across >= 0])  # the sites behind its edges, turning left
    endless = property(lambda cell: bool((cell.across < 0).any()))

    @property
    def corners(self) -> int:
        """How many corners it has of its own, where two of its walls meet."""
        return int(((self.across >= 0) & (np.roll(self.across, 1) >= 0)).sum())


@dataclass(frozen=True, slots=True)
class Ways:
    """From one site to others: unit vectors (…, 2), lengths (…,) in half extents, angles (…,)."""

    unit: Float
    length: Float
    angle: Float

    def __getitem__(self, which: Int) -> "Ways":
        return Ways(self.unit[which], self.length[which], self.angle[which])


class Diagram:
    """The points (n, 2) with their bisectors, measured in half extents round their middle. sites: first of each place."""

    def __init__(self, points: Float) -> None:
        self.middle, self.half = extent(points)
        self.points, self.unit = points, (points - self.middle) / self.half
        places = np.ldexp(points, -np.frexp(self.half)[1]) + 0.0  # what is too near to be told apart is one place
        order = np.lexsort(places.T)  # keeps the order of copies
        new = np.append(True, (places[order[1:]] != places[order[:-1]]).any(axis=1))
        self.sites, self._first = np.sort(order[new]), order[new][new.cumsum() - 1][order.argsort()]
        self._rounding = 16 * float(np.finfo(float).eps) * (1 + float(np.abs(self.middle).max()) / self.half)
        self._square = frozen(self.to_plane(BOX * _CORNERS)), frozen(np.full(4, NO_SITE, np.intp))
        self._known: tuple[int, Ways] | None = None
        self.clear: dict[int, Cell] | None = None  # by site, once all are found at once

    def first_at(self, point: int) -> int:
        """The site at the place of a point: itself, or the first of its copies."""
        return int(self._first[point])

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
        """The distance to the farthest corner, ∞ without end; a site more than twice as far cannot cut."""
        return np.inf if cell.endless else float(np.hypot(*(self.to_unit(cell.ring) - self.unit[cell.site]).T).max())

    def cuts(self, cell: Cell, others: Int) -> Bool:
        """(m,) which of the bisectors to `others` (m,) cut something off the cell; to touch a corner is no cut."""
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
        """What of the cell is nearer to its site than to `other`; the same cell when the bisector passes by. sure: it cuts."""
        if not sure and not self.cuts(cell, np.array([other]))[0]:
            return cell
        ways, walls = self._ways(cell.site), cell.walls
        at = int(np.searchsorted(ways.angle[walls], ways.angle[other]))
        walls = np.roll(walls, -at)  # turning left from the new one, which hides some on both sides
        while len(walls) and not self._stays(ways, other, walls[0], walls[1] if len(walls) > 1 else other):
            walls = walls[1:]
        while len(walls) and not self._stays(ways, walls[-2] if len(walls) > 1 else other, walls[-1], other):
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
        middle, way = (self.unit[site] + self.unit[other]) / 2, self._ways(site).unit[other]
        along = 3 * BOX * np.array([-way[1], way[0]])
        return self.to_plane(np.stack([middle - along, middle + along]))[None]

    def to_unit(self, xy: Float) -> Float:
        return np.asarray((xy - self.middle) / self.half, np.float64)

    def to_plane(self, unit: Float) -> Float:
        return np.asarray(unit * self.half + self.middle, np.float64)

    # -- walls as they are seen from their site --------------------------------------------------------------------

    def _ways(self, site: int) -> Ways:
        """From a site to all points; that to itself has no meaning."""
        known = self._known  # looked at once: whoever draws a step asks while others are cut
        if known is None or known[0] != site:
            known = self._known = site, self.ways(site, slice(None))
        return known[1]

    def ways(self, sites: Any, others: Any) -> Ways:
        """From sites to others."""
        way = (self.points[others] - self.points[sites]) / self.half
        length = np.hypot(way[:, 0], way[:, 1])
        unit = way / np.where(length > 0, length, 1.0)[:, None]
        return Ways(unit, length, np.arctan2(way[:, 1], way[:, 0]))

    def _stays(self, ways: Ways, right: int, wall: int, left: int) -> bool:
        return bool(self._seen(ways, np.array([wall]), np.array([right]), np.array([left]))[0])

    def _seen(self, ways: Ways, walls: Int, right: Int, left: Int) -> Bool:
        """(m,) whether something of each wall is left between those to its right and to its left."""
        (low, high), rounding = self.ends(ways, walls, right, left)
        return np.asarray(high - low > rounding)

    def ends(self, ways: Ways, walls: Int, right: Int, left: Int) -> tuple[Float, Float]:
        """(t (2, m) where each wall meets those to its right and to its left, ∓∞ where it does not; how much of the way
        between may be rounding (m,), ∞ where one of them is parallel and hides it)."""
        own, other, side = ways[walls], ways[np.array([right, left])], _SIDES
        sine = own.unit[:, 0] * other.unit[..., 1] - own.unit[:, 1] * other.unit[..., 0]
        cosine = own.unit[:, 0] * other.unit[..., 0] + own.unit[:, 1] * other.unit[..., 1]
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            parallel = np.minimum(self._rounding * (1 / own.length + 1 / other.length), _PARALLEL)
            meet = side * sine > parallel
            t = np.where(meet, (other.length - own.length * cosine) / (2 * sine), side * np.inf)
            rounding = np.where(meet, parallel * (np.abs(t) + own.length + other.length) / np.abs(sine), 0.0)
        hidden = (np.abs(sine) <= parallel) & (cosine > 0) & (other.length <= own.length)
        return t, np.where(hidden, np.inf, rounding).sum(axis=0)

    # -- corners -----------------------------------------------------------------------------------------------------

    def cell(self, site: int, walls: Int, half: float = 0.0) -> Cell:
        """The cell behind walls that turn left, in a square of side 2·half round the middle; 0: no square, or one that holds
        all corners of a cell without end."""
        wall, k = self.ways(site, walls), np.arange(len(walls))
        ends, _ = self.ends(wall, k, k - 1, (k + 1) % max(1, len(k)))
        return self.shut(site, walls, *self.lines(site, wall), ends, half)

    def lines(self, sites: Any, ways: Ways) -> tuple[Float, Float]:
        """(middles of the walls across ways from sites, their directions), (m, 2) both."""
        middle = self.unit[sites] + ways.unit * (ways.length / 2)[:, None]
        return middle, np.column_stack([-ways.unit[:, 1], ways.unit[:, 0]])

    def shut(self, site: int, walls: Int, middle: Float, along: Float, ends: Float, half: float = 0.0) -> Cell:
        """The same of walls that run along their lines between `ends` (2, m)."""
        low, high = ends
        met = np.isfinite(low)
        corners = middle[met] + low[met, None] * along[met]
        if half or not len(walls) or not met.all():
            half = half or max(BOX, 2 * float(np.abs(corners).max(initial=0.0)))
            corners, kept = in_square(middle, along, low, high, half)
            walls = np.where(kept < 0, NO_SITE, walls[kept] if len(walls) else NO_SITE)
        return Cell(site, frozen(self.to_plane(corners)), frozen(walls, np.intp))


def in_square(middle: Float, along: Float, low: Float, high: Float, half: float) -> tuple[Float, Int]:
    """(corners (k, 2), walls behind the edges that start there (k,)) of a cell in a square of side 2·half round 0.

    Its walls, turning left, run from middle + low · along to middle + high · along; where one leaves the square, edges along
    the rim, −1, go on to the next.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        one, other = (-half - middle) / along, (half - middle) / along
        start = np.maximum(low, np.minimum(one, other).max(axis=1))
        end = np.minimum(high, np.maximum(one, other).min(axis=1))
        enters, leaves = ((middle + t[:, None] * along).tolist() for t in (start, end))
    inside, cut = (start < end).nonzero()[0].tolist(), (end < high).tolist()
    if not inside:
        return half * _CORNERS, np.full(4, NO_SITE)
    corners: list[list[float]] = []
    walls: list[int] = []
    for i, after in zip(inside, inside[1:] + inside[:1], strict=True):
        corners.append(enters[i])
        walls.append(i)
        if cut[i]:
            rim = on_rim(leaves[i], enters[after], half)
            corners += rim
            walls += [NO_SITE] * len(rim)
    return np.array(corners), np.array(walls)


def on_rim(leaves: list[float], enters: list[float], half: float) -> list[list[float]]:
    """The first place and the corners of a square on the way left along its rim to the second place."""
    begin, end = (math.atan2(y, x) for x, y in (leaves, enters))
    whole = (end - begin) % (2 * math.pi)
    turns = sorted(((angle - begin) % (2 * math.pi), corner) for angle, corner in _ANGLES)
    return [leaves, *([half * x, half * y] for turn, (x, y) in turns if _SAME < turn < whole - _SAME)]
