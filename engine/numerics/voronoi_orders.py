"""Voronoi diagrams of order k: cells in which the same k points are nearest, and the walls where one of them changes."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from engine.core.arrays import Float, Int, frozen
from engine.numerics.voronoi import BOX, clip, first_of_each
from engine.numerics.voronoi_cells import clipped

_GUARD = 4.0  # how far out the four bounding sites lie, in half extents; the centre of k points is within √2
_GUARD_LIFT = 2 * _GUARD * BOX + 4 * BOX + 2  # so heavy that none of them wins inside the box
_SHORT = 1e-9  # walls shorter than this share of the half extent are corners
_ON_LINE = 1e-10  # corners nearer than that to a bisector lie on it


@dataclass(frozen=True, eq=False)
class Orders:
    """The diagram of one order k. members (c, k): the points of each cell, ascending (of points at one place the first);
    ends (m, 2, 2) of the walls, clipped to a box far larger than the data; cells (m, 2): those at both sides;
    swapped (m, 2): the point that belongs to the first and not to the second, and the other way round."""

    members: Int
    ends: Float
    cells: Int
    swapped: Int


class Sites:
    """Points (n, 2) measured in half extents round their middle; copies of a place are one site that counts several times.

    unit (s, 2): places of the sites; count (s,): points at each; order (n,), start (s,): the points of site g are
    order[start[g] : start[g] + count[g]], ascending
    """

    def __init__(self, points: Float) -> None:
        low, high = points.min(0), points.max(0)
        self.middle, self.half = low / 2 + high / 2, float((high / 2 - low / 2).max()) or 1.0
        unit = (points - self.middle) / self.half
        first = first_of_each(unit)
        if len(first) == len(unit):
            site = np.arange(len(unit))
        else:
            gaps = np.abs(unit[:, None] - unit[first][None]).max(axis=2)
            site = gaps.argmin(axis=1)
        self.unit = unit[first]
        self.count = np.bincount(site, minlength=len(first))
        self.order = np.argsort(site, kind="stable")
        self.start = np.cumsum(self.count) - self.count

    def points_of(self, sets: Int) -> Int:
        """(c, k) point numbers of sets of sites (c, k), ascending with repeats: of each place the first points."""
        repeat = np.zeros_like(sets)
        for j in range(1, sets.shape[1]):
            repeat[:, j] = np.where(sets[:, j] == sets[:, j - 1], repeat[:, j - 1] + 1, 0)
        return np.sort(self.order[self.start[sets] + repeat], axis=1)


# -- the whole diagram -------------------------------------------------------------------------------------------------


def voronoi_orders(points: Float, k: int) -> Orders:
    """The order-k diagram of points (n, 2), 1 ≤ k ≤ n; copies and collinear points included.

    Points move from order to order: the k nearest at a wall of order k − 1 are what both its sides have together, and
    every cell of order k is found like that (D. T. Lee, 1982). All cells of one order are a power diagram: the mean of
    the squared distances to k points is one paraboloid for each set, so the lower hull of the lifted centres has their
    walls as edges (F. Aurenhammer, 1990).
    """
    sites = Sites(points)
    sets = np.arange(len(sites.unit))[:, None]
    pairs, ends, swapped = walls(sites, sets)
    for _ in range(1, k):
        sets = larger(sites, sets, pairs, swapped)
        pairs, ends, swapped = walls(sites, sets)
    ends, kept = clip(ends, BOX)
    seen, cells = np.unique(pairs[kept], return_inverse=True)  # others have no cell, or one outside the box
    members = sites.points_of(sets[seen] if len(seen) else sets[:1])
    first = sites.order[sites.start]
    return Orders(
        frozen(members, np.intp), frozen(ends * sites.half + sites.middle),
        frozen(cells.reshape(-1, 2), np.intp), frozen(first[swapped[kept]], np.intp),
    )  # fmt: skip


def larger(sites: Sites, sets: Int, pairs: Int, swapped: Int) -> Int:
    """(c, j + 1) the sets of the next order: what both sides of a wall hold, and one more copy of a place.

    Sets without a cell may be among them: they lie above the hull and get no wall.
    """
    found = [
        np.column_stack([sets[pairs[:, 0]], swapped[:, 1]]),
        np.column_stack([sets[pairs[:, 1]], swapped[:, 0]]),
    ]
    if (sites.count > 1).any() or not len(pairs):
        for j in range(sets.shape[1]):
            again = (sets == sets[:, [j]]).sum(axis=1) < sites.count[sets[:, j]]
            found.append(np.column_stack([sets[again], sets[again, j]]))
    together = np.sort(np.concatenate(found), axis=1)
    together = together[np.lexsort(together.T)]
    new = np.ones(len(together), dtype=bool)
    new[1:] = (together[1:] != together[:-1]).any(axis=1)
    return together[new]


def walls(sites: Sites, sets: Int) -> tuple[Int, Float, Int]:
    """(pairs (m, 2) of sets, ends (m, 2, 2), swapped sites (m, 2)) of all walls between the cells of `sets` (c, j)."""
    from scipy.spatial import ConvexHull

    centre = sites.unit[sets].mean(axis=1)
    lift = (sites.unit**2).sum(axis=1)[sets].mean(axis=1)
    out = _GUARD * np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]])
    hull = ConvexHull(np.column_stack([np.vstack([centre, out]), np.append(lift, np.full(4, _GUARD_LIFT))]))
    normal = hull.equations[:, :3]
    lower = normal[:, 2] < -1e-12
    corner = np.zeros((len(normal), 2))
    corner[lower] = -normal[lower, :2] / (2 * normal[lower, 2:])
    face, side = np.nonzero((hull.neighbors > np.arange(len(normal))[:, None]) & lower[:, None])
    other = hull.neighbors[face, side]
    pairs = np.column_stack([hull.simplices[face, (side + 1) % 3], hull.simplices[face, (side + 2) % 3]])
    ends = np.stack([corner[face], corner[other]], axis=1)
    kept = lower[other] & (pairs < len(sets)).all(axis=1) & (np.abs(ends[:, 0] - ends[:, 1]) > _SHORT).any(axis=1)
    pairs, ends = pairs[kept], ends[kept]
    swapped = np.column_stack([only(sets[a], sets[b]) for a, b in (pairs.T, pairs.T[::-1])])
    return pairs.astype(np.intp), onto_bisectors(ends, sites.unit[swapped]), swapped


def only(A: Int, B: Int) -> Int:
    """(m,) the element that a row of A (m, j) holds more often than the same row of B."""
    more = (A[:, :, None] == A[:, None]).sum(axis=2) > (A[:, :, None] == B[:, None]).sum(axis=2)
    return np.asarray(A[np.arange(len(A)), more.argmax(axis=1)], np.intp)


def onto_bisectors(ends: Float, sides: Float) -> Float:
    """Pieces (m, 2, 2) moved onto the bisector of the two places sides (m, 2, 2), where they belong on paper."""
    p, q = sides[:, 0], sides[:, 1]
    way = (q - p) / np.hypot(*(q - p).T)[:, None]
    off = ((ends - ((p + q) / 2)[:, None]) * way[:, None]).sum(axis=2)
    return np.asarray(ends - off[..., None] * way[:, None], np.float64)


# -- the cell of one place ---------------------------------------------------------------------------------------------


def order_cell(points: Float, held: Int, ask: Callable[[Float], Int]) -> Float:
    """(m, 2) corners of the cell in which the points `held` (k,) are the k nearest of points (n, 2); empty when none is.

    ask: places (m, 2) -> (m, k + 1) the nearest points of each. A box is cut down: at each corner the farthest of `held`
    is compared with the nearest of the others, and where that one is nearer their bisector cuts the corner off. The
    difference of the two is convex, so the cell is exact as soon as all corners are right.
    """
    low, high = points.min(0), points.max(0)
    middle, half = low / 2 + high / 2, float((high / 2 - low / 2).max()) or 1.0
    inside = (points[held] - middle) / half
    ring = BOX * np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])
    while len(held) < len(points) and len(ring) > 2:
        near = ask(ring * half + middle)
        stranger = near[np.arange(len(near)), (~np.isin(near, held)).argmax(axis=1)]
        q = (points[stranger] - middle) / half
        p = inside[((ring[:, None] - inside[None]) ** 2).sum(axis=2).argmax(axis=1)]
        wrong = over(ring, p, q) > _ON_LINE
        if not wrong.any():
            break
        for a, b in zip(p[wrong], q[wrong], strict=True):
            ring = kept_side(ring, a, b)
    return frozen(ring * half + middle) if len(ring) > 2 else frozen(np.zeros((0, 2)))


def kept_side(ring: Float, p: Float, q: Float) -> Float:
    """What of a convex polygon is nearer to p than to q."""
    beyond = over(ring, p, q)
    beyond[np.abs(beyond) <= _ON_LINE] = 0
    if (beyond <= 0).all():
        return ring
    corners = clipped(ring.tolist(), beyond.tolist(), [0] * len(ring), 0)
    return np.array([corner for corner, _ in corners]).reshape(-1, 2)


def over(x: Float, p: Float, q: Float) -> Float:
    """How far each x lies beyond the bisector of p and q, on the side of q; 0 for two points at one place."""
    way = q - p
    length = np.sqrt((way * way).sum(axis=-1))
    apart = np.where(length > 0, length, 1.0)
    return np.asarray(((x - (p + q) / 2) * way).sum(axis=-1) / apart, np.float64)
