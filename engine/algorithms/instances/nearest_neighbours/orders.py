"""Voronoi diagrams of order k: cells in which the same k points are nearest, and the walls where one of them changes."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from engine.algorithms.instances.nearest_neighbours.voronoi import clip, first_of_each
from engine.algorithms.instances.parts import BOX
from engine.core.arrays import Float, Int, frozen

_GUARD = 4.0  # how far out the four bounding sites lie, in half extents; the centre of k points is within √2
_GUARD_LIFT = 2 * _GUARD * BOX + 4 * BOX + 2  # so heavy that none of them wins inside the box
_SHORT = 1e-9  # walls shorter than this share of the half extent are corners
_ON_LINE = 1e-10  # corners nearer than that to a bisector lie on it
_CLOSE = 1e-4  # sites nearer to each other, in half extents: the hull's paraboloid is flat between them up to rounding
_FAR = 4 * BOX  # how far out a bisector is followed


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

    def least_gap(self) -> float:
        """How near the two nearest sites are, along the axis on which they are farther apart; ∞ for a single one."""
        gaps = np.abs(self.unit[:, None] - self.unit[None]).max(axis=2)
        np.fill_diagonal(gaps, np.inf)
        return float(gaps.min())

    def nearest(self, sites: Int, k: int) -> Int:
        """(k,) the points of these sites one after the other, as their sites, as many as are wanted."""
        return np.sort(np.repeat(sites, self.count[sites])[:k])


# -- the whole diagram -------------------------------------------------------------------------------------------------


def voronoi_orders(points: Float, k: int) -> Orders:
    """The order-k diagram of points (n, 2), 1 ≤ k ≤ n; copies and collinear points included."""
    sites = Sites(points)
    sets, pairs, ends, swapped = by_bisectors(sites, k) if sites.least_gap() < _CLOSE else by_hulls(sites, k)
    ends, kept = clip(ends, BOX)
    seen, cells = np.unique(pairs[kept], return_inverse=True)  # others have no cell, or one outside the box
    members = sites.points_of(sets[seen] if len(seen) else sets[:1])
    first = sites.order[sites.start]
    return Orders(
        frozen(members, np.intp), frozen(ends * sites.half + sites.middle),
        frozen(cells.reshape(-1, 2), np.intp), frozen(first[swapped[kept]], np.intp),
    )  # fmt: skip


def by_hulls(sites: Sites, k: int) -> tuple[Int, Int, Float, Int]:
    """(sets (c, k) of sites, pairs (m, 2) of sets, ends (m, 2, 2), swapped sites (m, 2)) of the walls of order k.

    Points move from order to order: the k nearest at a wall of order k − 1 are what both its sides have together, and
    every cell of order k is found like that (D. T. Lee, 1982). All cells of one order are a power diagram: the mean of
    the squared distances to k points is one paraboloid for each set, so the lower hull of the lifted centres has their
    walls as edges (F. Aurenhammer, 1990).
    """
    sets = np.arange(len(sites.unit))[:, None]
    pairs, ends, swapped = walls(sites, sets)
    for _ in range(1, k):
        sets = larger(sites, sets, pairs, swapped)
        pairs, ends, swapped = walls(sites, sets)
    return sets, pairs, ends, swapped


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


# -- sites too close for the hull --------------------------------------------------------------------------------------


def by_bisectors(sites: Sites, k: int) -> tuple[Int, Int, Float, Int]:
    """What `by_hulls` finds, from differences of places alone, so that no square of a small gap is lost beside a large
    one; n³ log n steps. Where a bisector of two sites is a wall, it parts the k-th nearest point from the next one."""
    found = [wall for p in range(len(sites.unit) - 1) for wall in _walls_of_site(sites, k, p)]
    if not found:
        middle = np.hypot(*sites.unit.T).argsort(kind="stable")
        nothing = np.zeros((0, 2), np.intp)
        return sites.nearest(middle, k)[None], nothing, np.zeros((0, 2, 2)), nothing
    both = np.array(
        [[sites.nearest(np.append(nearer, ends), k) for ends in (pair, pair[::-1])] for nearer, pair, _ in found]
    )
    sets, number = np.unique(both.reshape(-1, k), axis=0, return_inverse=True)
    swapped = np.array([pair for _, pair, _ in found])
    return sets, number.reshape(-1, 2), np.array([ends for _, _, ends in found]), swapped


def _walls_of_site(sites: Sites, k: int, p: int) -> Iterator[tuple[Int, Int, Float]]:
    """(sites nearer than both, the pair (p, q), ends (2, 2)) of the walls between site p and later ones.

    At the place t on the bisector of p and q a site r is nearer than these two where t (r − p)·u > (r − p)·(r − q)/2.
    """
    others = np.arange(p + 1, len(sites.unit))
    between = sites.unit[others] - sites.unit[p]
    along = np.column_stack([-between[:, 1], between[:, 0]]) / np.hypot(*between.T)[:, None]
    away = sites.unit - sites.unit[p]
    turn = 2 * along @ away.T
    level = (away[None] * (sites.unit[None] - sites.unit[others][:, None])).sum(axis=2)
    with np.errstate(divide="ignore", invalid="ignore"):
        change = np.where(turn == 0, np.where(level < 0, -np.inf, np.inf), level / turn).clip(-_FAR, _FAR)
    grows = turn >= 0
    counts = np.tile(sites.count, (len(others), 1))
    for own in (p, others):  # the two themselves are no rivals of each other
        counts[np.arange(len(others)), own], change[np.arange(len(others)), own] = 0, _FAR
    order = change.argsort(axis=1)
    gained = np.take_along_axis(np.where(grows, counts, -counts), order, axis=1).cumsum(axis=1)
    nearer = np.where(grows, 0, counts).sum(axis=1)[:, None] + np.column_stack([np.zeros(len(others), np.intp), gained])
    edge = np.full((len(others), 1), _FAR)
    stops = np.hstack([-edge, np.take_along_axis(change, order, axis=1), edge])
    parts = (nearer < k) & (k < nearer + (sites.count[p] + sites.count[others])[:, None])
    for i, j in zip(*np.nonzero(parts & (stops[:, 1:] - stops[:, :-1] > _SHORT)), strict=True):
        inside = (change[i] < (stops[i, j] + stops[i, j + 1]) / 2) == grows[i]
        ends = sites.unit[p] + between[i] / 2 + stops[i, j : j + 2, None] * along[i]
        yield np.flatnonzero(inside & (counts[i] > 0)), np.array([p, others[i]]), ends


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


Corner = tuple[list[float], int]


def clipped(ring: list[list[float]], over: list[float], across: list[int], other: int) -> Iterator[Corner]:
    """The corners left with the site behind the edge that starts there, after Sutherland and Hodgman.

    over: how far each corner is beyond the line, 0 on it
    """
    for i, (a, side) in enumerate(zip(ring, over, strict=True)):
        after = (i + 1) % len(ring)
        b, next_side = ring[after], over[after]
        leaves = side <= 0 < next_side
        if side < 0 or (side == 0 and not leaves):
            yield a, across[i]
        if leaves:
            yield crossing(a, b, side, next_side), other  # from here the new edge runs along the bisector
        elif side > 0 > next_side:
            yield crossing(a, b, side, next_side), across[i]


def crossing(a: list[float], b: list[float], side: float, next_side: float) -> list[float]:
    """Where the edge a–b meets the line."""
    share = side / (side - next_side)
    return [a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])]
