"""Voronoi cells one by one: the plane cut down by bisectors, as half-planes cut a convex region.

MMDS 12.4.2.

No box bounds a cell. Seen from its site p, the wall to q lies |q − p| / 2 away in the direction of
q; walls go round the cell by these directions, and a place on one of them is a number t along it,
from its middle to the left. Where two walls meet follows from two lengths and an angle, however far
away that is; or they have no end.
"""

import math

import numpy as np

from engine.algorithms.instances.parts import BOX, extent
from engine.base.arrays import Bool, Float, Int, frozen
from engine.base.records import Record
from engine.numerics.closeness import OF_TERMS

Place = list[float]
NO_SITE = -1
# a sine below it may be nothing but rounding where two sites are as near as two numbers can be
_PARALLEL = 1e-6
_SAME = OF_TERMS  # directions this near to each other are one
_SIDES = np.array([[-1.0], [1.0]])  # right, left
# of a square, turning left
_CORNERS = np.array([[1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]])
_ANGLES = [(math.atan2(y, x), (x, y)) for x, y in _CORNERS.tolist()]


class Cell(Record):
    """The places that are nearest to one site.

    A cell without end is shut by a square that holds all its corners.

    site: the row of the site
    ring: (m, 2) corners in turn, to the left
    across: (m,) the site behind the edge from each corner to the next, −1: the square
    """

    site: int
    ring: Float
    across: Int

    @property
    def walls(self) -> Int:
        """(m,) the sites across its edges, in counter-clockwise order."""
        return self.across[self.across >= 0]

    @property
    def endless(self) -> bool:
        """Whether the cell is unbounded."""
        return bool((self.across < 0).any())

    @property
    def own(self) -> Bool:
        """(m,) which corners are its own, where two of its edges meet."""
        return (self.across >= 0) & (np.roll(self.across, 1) >= 0)

    @property
    def corners(self) -> int:
        """The number of its own corners, without those of the bounding square."""
        return int(np.count_nonzero(self.own))


class Ways(Record):
    """Vectors from one site to others.

    unit: (…, 2) directions of length 1
    length: (…,) in half extents
    angle: (…,) of the directions, in radians
    """

    unit: Float
    length: Float
    angle: Float

    def __getitem__(self, which: Int) -> "Ways":
        return Ways(self.unit[which], self.length[which], self.angle[which])


class Diagram:
    """Points (n, 2) with their bisectors, measured in half extents round their middle.

    middle, half: of the points
    points, unit: (n, 2) on the plane, and as they are measured
    sites: the first point of each place
    """

    def __init__(self, points: Float) -> None:
        self.middle, self.half = extent(points)
        self.points = points
        self.unit = (points - self.middle) / self.half
        # places too near to differ are one place
        places = np.ldexp(points, -np.frexp(self.half)[1]) + 0.0
        order = np.lexsort(places.T)  # keeps the order of copies
        new = np.append(True, np.logical_or(*np.diff(places.take(order, axis=0).T) != 0))
        self.sites = np.sort(order[new])
        self._first: list[int] = order[new][new.cumsum() - 1][order.argsort()].tolist()
        away = float(np.abs(self.middle).max()) / self.half
        self._rounding = 16 * float(np.finfo(float).eps) * (1 + away)
        self._square = frozen(self.to_plane(BOX * _CORNERS))
        self._known: tuple[int, Ways] | None = None

    def first_at(self, point: int) -> int:
        """The site at the place of a point: the first of the points there."""
        return self._first[point]

    def box(self, site: int) -> Cell:
        """The cell of a site before any cut: the bounding square."""
        return Cell(site, self._square, frozen(np.full(4, NO_SITE, np.intp)))

    def others(self, site: int) -> tuple[Int, Float]:
        """(other sites (m,), nearest first, their distances (m,) in half extents)."""
        rest = self.sites[self.sites != site]
        distances = self._ways(site).length[rest]
        order = np.argsort(distances, kind="stable")
        return rest[order], distances[order]

    def reach(self, cell: Cell) -> float:
        """The distance from the site to its cell's farthest corner, ∞ for an unbounded cell; a site
        more than twice as far cannot cut it.
        """
        if cell.endless:
            return np.inf
        away = self.to_unit(cell.ring) - self.unit[cell.site]
        return float(np.hypot(away[:, 0], away[:, 1]).max())

    def cuts(self, cell: Cell, other: int) -> bool:
        """Whether the bisector to `other` cuts something off the cell; to touch a corner is no
        cut.
        """
        walls = cell.walls
        if not len(walls):
            return True
        ways = self._ways(cell.site)
        place = int(np.searchsorted(ways.angle[walls], ways.angle[other]))
        return self._stays(ways, walls[place - 1], other, walls[place % len(walls)])

    def cut(self, cell: Cell, other: int) -> Cell:
        """The part of the cell at least as near to its own site as to `other`; the same cell where
        the bisector misses it.
        """
        if not self.cuts(cell, other):
            return cell
        ways = self._ways(cell.site)
        walls = cell.walls
        at = int(np.searchsorted(ways.angle[walls], ways.angle[other]))
        walls = np.roll(walls, -at)  # turning left from the new one, which hides some on both sides
        while len(walls):
            second = walls[1] if len(walls) > 1 else other
            if self._stays(ways, other, walls[0], second):
                break
            walls = walls[1:]
        while len(walls):
            second = walls[-2] if len(walls) > 1 else other
            if self._stays(ways, second, walls[-1], other):
                break
            walls = walls[:-1]
        return self.behind(cell.site, np.append(walls, other))

    def behind(self, site: int, walls: Int) -> Cell:
        """The cell of a site bounded by the bisectors with these sites, all of which have an
        edge.
        """
        angle = self.ways(self.points[site], self.points[walls]).angle
        return self.cell(site, walls[angle.argsort(kind="stable")])

    def shown(self, cell: Cell) -> Cell:
        """The part of a cell that is drawn: within a box far larger than the data."""
        if np.abs(self.to_unit(cell.ring)).max() <= BOX:
            return cell
        return self.cell(cell.site, cell.walls, BOX)

    def bisector(self, site: int, other: int) -> Float:
        """(1, 2, 2) the bisector of two sites, as long as the picture needs it."""
        middle = (self.unit[site] + self.unit[other]) / 2
        way = self._ways(site).unit[other]
        along = 3 * BOX * np.array([-way[1], way[0]])
        return self.to_plane(np.stack([middle - along, middle + along]))[None]

    def to_unit(self, xy: Float) -> Float:
        """Places (…, 2) of the plane in half extents around the middle."""
        return np.asarray((xy - self.middle) / self.half, np.float64)

    def to_plane(self, unit: Float) -> Float:
        """Places (…, 2) in half extents as places of the plane."""
        return np.asarray(unit * self.half + self.middle, np.float64)

    # -- walls as they are seen from their site ----------------------------------------------------

    def _ways(self, site: int) -> Ways:
        """From a site to all points; that to itself has no meaning. Those of the last site are
        kept, for its cell is cut many times.
        """
        known = self._known  # taken once: another thread may draw a step meanwhile
        if known is None or known[0] != site:
            known = site, self.ways(self.points[site], self.points)
            self._known = known
        return known[1]

    def ways(self, places: Float, others: Float) -> Ways:
        """The vectors from one place (2,) or places (m, 2) to others (m, 2)."""
        way = (others - places) / self.half
        length = np.hypot(way[:, 0], way[:, 1])
        unit = way / np.where(length > 0, length, 1.0)[:, None]
        return Ways(unit, length, np.arctan2(way[:, 1], way[:, 0]))

    def _stays(self, ways: Ways, right: int, wall: int, left: int) -> bool:
        """Whether something of a wall is left between those to its right and to its left."""
        (low, high), rounding = self.ends(
            ways, np.array([wall]), np.array([right]), np.array([left])
        )
        return bool(high[0] - low[0] > rounding[0])

    def ends(self, ways: Ways, walls: Int, right: Int, left: Int) -> tuple[Float, Float]:
        """(t (2, m): where each wall meets those to its right and to its left, ∓∞ where it does
        not; (m,): how much of the way between may be rounding, ∞ where a parallel one hides it).
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
        """The cell behind walls (m,) that turn left, in a square of side 2·half round the middle;
        0: no square, or one that holds all corners of a cell without end.
        """
        ways = self.ways(self.points[site], self.points[walls])
        wall = np.arange(len(walls))
        (low, high), _ = self.ends(ways, wall, wall - 1, (wall + 1) % max(1, len(wall)))
        middle = self.unit[site] + ways.unit * (ways.length / 2)[:, None]  # of the bisectors
        along = np.column_stack([-ways.unit[:, 1], ways.unit[:, 0]])
        shut = np.isfinite(low) & np.isfinite(high)
        if len(walls) and shut.all() and not half:
            ring = self.to_plane(middle + low[:, None] * along)
            return Cell(site, frozen(ring), frozen(walls, np.intp))
        with np.errstate(invalid="ignore"):
            reach = np.abs(middle + low[:, None] * along).max(axis=1, initial=0.0)
        far = float(reach[np.isfinite(low)].max(initial=0.0))
        half = half or max(BOX, 2 * far)
        corners, across = in_square(walls, (low, high), middle, along, half)
        return Cell(site, frozen(self.to_plane(corners)), frozen(across, np.intp))


def in_square(
    walls: Int, ends: tuple[Float, Float], middle: Float, along: Float, half: float
) -> tuple[Float, list[int]]:
    """(corners (c, 2), walls behind the edges that start there (c,)) of a cell in a square of side
    2·half round 0.

    walls: (m,) turning left; ends: (m,) from where to where each runs along its line, from
    `middle` (m, 2) in direction `along` (m, 2). Edges along the rim of the square, −1, lead from a
    wall that it cuts off to the next.
    """
    low, high = ends
    with np.errstate(divide="ignore", invalid="ignore"):
        one = (-half - middle) / along
        other = (half - middle) / along
    start = np.maximum(low, np.minimum(one, other).max(axis=1))
    end = np.minimum(high, np.maximum(one, other).min(axis=1))
    inside = np.flatnonzero(start < end)
    if not len(inside):
        return half * _CORNERS, [NO_SITE] * 4
    enters = (middle + start[:, None] * along).tolist()
    leaves = (middle + end[:, None] * along).tolist()
    corners = list[Place]()
    across = list[int]()
    for wall, after in zip(inside, np.roll(inside, -1), strict=True):
        corners.append(enters[wall])
        across.append(int(walls[wall]))
        if end[wall] < high[wall]:
            rim = on_rim(leaves[wall], enters[after], half)
            corners += rim
            across += [NO_SITE] * len(rim)
    return np.array(corners), across


def on_rim(leaves: Place, enters: Place, half: float) -> list[Place]:
    """The places along the rim of a square, counter-clockwise from `leaves` towards `enters`: the
    first place and the corners between.
    """
    begin = math.atan2(leaves[1], leaves[0])
    end = math.atan2(enters[1], enters[0])
    whole = (end - begin) % (2 * math.pi)
    turns = sorted(((angle - begin) % (2 * math.pi), corner) for angle, corner in _ANGLES)
    passed = [[half * x, half * y] for turn, (x, y) in turns if _SAME < turn < whole - _SAME]
    return [leaves, *passed]
