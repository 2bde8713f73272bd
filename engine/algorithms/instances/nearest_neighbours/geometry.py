"""Cells in which the same k points are the nearest: the walls between them, where classes part, one
cell. MMDS 12.4.2-12.4.3.
"""

from collections.abc import Callable
from math import sqrt
from typing import Any

import numpy as np

from engine.algorithms.instances.nearest_neighbours.votes import Vote
from engine.algorithms.instances.parts import BOX, extent
from engine.algorithms.instances.parts.delaunay import neighbours
from engine.algorithms.instances.parts.rings import kept_side
from engine.base.arrays import Bool, Float, Int, frozen
from engine.base.records import Record
from engine.base.work import Work, in_parts
from engine.numerics.closeness import SHARE, settled

# four points this far out bound every cell; none of them is nearest to a place inside the box
_GUARD = 100.0
# points closer than this share of the half extent are one site, and shorter walls are corners
_SAME = SHARE
_CLOSE = 1e-4  # sites nearer to each other: Qhull may not tell their neighbours apart
_FEW = 60  # sites; beside more of them each is compared with those round it alone
_BESIDE = 1e-6  # of a piece: how far beside it its sides are looked at
_SOMEWHERE = 0.414  # of a piece: where along it, for in the middle of grids others meet
_FAR = 4 * BOX  # how far out a bisector is followed
_ENTRIES = 200_000  # numbers computed between two looks at stop


class Walls(Record):
    """Straight pieces of walls, clipped to a box far larger than the data.

    ends: (m, 2, 2)
    between: (m, 2) the points that are as near there, the first of those at one place
    parts: (m,) whether the classes at the two sides differ
    """

    ends: Float
    between: Int
    parts: Bool


class Sites:
    """Points (n, 2) measured in half extents round their middle; copies of a place are one site.

    at (s, 2): places of the sites; count (s,): points at each; site g has the points
    order[start[g]:][:count[g]], ascending
    """

    def __init__(self, points: Float) -> None:
        self.middle, self.half = extent(points)
        unit = (points - self.middle) / self.half
        places = np.round(unit / _SAME).astype(np.int64)
        _, first, place = np.unique(places, axis=0, return_index=True, return_inverse=True)
        owner = first[place.ravel()]
        self.order = np.argsort(owner, kind="stable")
        self.first = np.sort(first)
        self.at = unit[self.first]
        self.count = np.bincount(owner)[self.first]
        self.start = np.cumsum(self.count) - self.count

    def walls(self, ends: Float, between: Int, parts: Bool) -> Walls:
        """The parts of walls that lie in the box. ends: (m, 2, 2); between: (m, 2) sites on both
        sides
        """
        ends, kept = clip(ends, BOX)
        return Walls(
            frozen(ends * self.half + self.middle),
            frozen(self.first[between[kept]], np.intp),
            frozen(parts[kept], np.bool_),
        )

    @property
    def guarded(self) -> Float:
        """(s + 4, 2) the sites, and four places far out."""
        return np.vstack(
            [self.at, _GUARD * np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]])]
        )


def clip(ends: Float, half: float) -> tuple[Float, Int]:
    """(parts (k, 2, 2) inside the square of side 2·half around 0, indices of their pieces (k,)),
    after Liang and Barsky.
    """
    start = ends[:, 0]
    way = ends[:, 1] - ends[:, 0]
    with np.errstate(divide="ignore", invalid="ignore"):
        hits = np.stack([(-half - start) / way, (half - start) / way])  # (2, m, 2)
    inside = np.abs(start) <= half
    enter = np.where(way == 0, np.where(inside, -np.inf, np.inf), hits.min(0)).max(1).clip(min=0)
    leave = np.where(way == 0, np.where(inside, np.inf, -np.inf), hits.max(0)).min(1).clip(max=1)
    kept = np.flatnonzero(enter < leave)
    shares = np.stack([enter[kept], leave[kept]], axis=1)
    return start[kept, None] + shares[..., None] * way[kept, None], kept


# -- walls of order k ------------------------------------------------------------------------------


class Bisectors:
    """Those of pairs of sites, p and q (m,).

    At the place t on one of them, seen from its middle, the square of a rival's distance is `level`
    − t · `turn` more than that of these two, and grows by `toward` on the way to p; all (m, r).

    Differences of places alone make both, so no square of a small gap is lost beside a large one.

    near: (s, r) the rivals of the bisectors from each site p, −1 where there are fewer
    """

    def __init__(self, sites: Sites, near: Int, p: Int, q: Int) -> None:
        self.sites = sites
        self.rivals = near[p]
        none = self.rivals < 0
        P, Q, R = sites.at[p], sites.at[q], sites.at[self.rivals]
        away = R - P[:, None]
        across = (Q - P) / np.hypot(*(Q - P).T)[:, None]
        self.middle = (P + Q) / 2
        self.along = np.column_stack([-across[:, 1], across[:, 0]])
        self.turn = 2 * np.einsum("mrj,mj->mr", away, self.along)
        self.toward = 2 * np.einsum("mrj,mj->mr", away, across)
        self.level = np.einsum("mrj,mrj->mr", away, R - Q[:, None])
        own = (self.rivals == p[:, None]) | (self.rivals == q[:, None])
        self.level[own] = 0.0
        self.level[none] = np.inf  # farther than all others, everywhere
        self.turn[own | none] = 0.0
        self.count = np.where(own | none, 0, sites.count[self.rivals])
        self.both = sites.count[p] + sites.count[q]

    def pieces(self, k: int, inner: Bool) -> tuple[Int, Float, Int]:
        """(which bisector (w,), from and to (w, 2), how many points are not farther (w,)) of the
        pieces that are walls: fewer than k points are nearer than the two, with both they are more;
        inner (m,): also of those where all are of the k.
        """
        with np.errstate(divide="ignore", invalid="ignore"):
            never = np.where(self.level < 0, -np.inf, np.inf)
            change = np.where(self.turn == 0, never, self.level / self.turn).clip(-_FAR, _FAR)
        grows = self.turn >= 0
        order = change.argsort(axis=1)
        signed = np.where(grows, self.count, -self.count)
        gained = np.take_along_axis(signed, order, axis=1).cumsum(axis=1)
        first = np.where(grows, 0, self.count).sum(axis=1)  # nearer where t begins
        nearer = first[:, None] + np.pad(gained, ((0, 0), (1, 0)))
        edge = np.full((len(order), 1), _FAR)
        stops = np.hstack([-edge, np.take_along_axis(change, order, axis=1), edge])
        upto = nearer + self.both[:, None]
        long = stops[:, 1:] - stops[:, :-1] > _SAME
        which, at = np.nonzero((nearer < k) & ((upto > k) | inner[:, None]) & long)
        return which, np.stack([stops[which, at], stops[which, at + 1]], axis=1), upto[which, at]

    def ends(self, which: Int, t: Float) -> Float:
        """(w, 2, 2) the places t (w, 2) on these bisectors."""
        return np.asarray(self.middle[which, None] + t[..., None] * self.along[which, None])

    def beside(self, which: Int, t: Float, k: int, side: int) -> Int:
        """(w, k) the points nearest to a place beside each of the pieces t (w, 2), on p's side (1)
        or q's (−1).
        """
        rivals = self.rivals[which]
        length = t[:, 1:] - t[:, :1]
        away = self.level[which] - (t[:, :1] + _SOMEWHERE * length) * self.turn[which]
        away += side * _BESIDE * length * self.toward[which]
        near = np.take_along_axis(rivals, away.argsort(axis=1, kind="stable")[:, :k], axis=1)
        if len(self.sites.order) == len(self.sites.at):
            return near
        upto = self.sites.count[near].cumsum(axis=1)
        # (w, k) in whose turn each of the k comes
        site = (upto[:, None] <= np.arange(k)[:, None]).sum(axis=2)
        before = np.take_along_axis(upto - self.sites.count[near], site, axis=1)
        first = self.sites.start[np.take_along_axis(near, site, axis=1)]
        return np.asarray(self.sites.order[first + np.arange(k) - before], np.intp)

    def turns(self, t: Float, k: int) -> Float:
        """(m, …) places where two of the rivals nearest in the middle of the pieces t (m, 2) change
        their order.
        """
        level, turn = self.level, self.turn
        away = level - t.mean(axis=1)[:, None] * turn
        first = away.argsort(axis=1, kind="stable")[:, : k + 1]
        level = np.take_along_axis(level, first, axis=1)
        turn = np.take_along_axis(turn, first, axis=1)
        a, b = np.triu_indices(first.shape[1], 1)
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray((level[:, a] - level[:, b]) / (turn[:, a] - turn[:, b]))


def order_walls(points: Float, codes: Int, vote: Vote) -> Work[Walls]:
    """The walls between places with different k nearest points, 1 ≤ k ≤ n: of the Voronoi diagram
    for k = 1. Copies and collinear points included.

    A wall runs along the bisector of two points where k − 1 others are nearer: there one of the two
    is the k-th. Equal votes go to the class of the nearer neighbour, so where classes tie a wall
    may change on its way, and bisectors inside a cell part classes too. Weighted votes change
    inside cells along curves: none of their walls is known to part classes.
    """
    sites = Sites(points)
    k = vote.k
    found = []
    pairs, near = neighbourhood(sites, k)
    one = np.where(sites.count == 1, codes[sites.first], -1)  # the class of all points at a site
    size = max(1, _ENTRIES // near.shape[1])
    for at in range(0, len(pairs), size):
        p, q = pairs[at : at + size].T
        inner = ((one[p] != one[q]) | (one[p] < 0)) & (not vote.unanimous) & (not vote.weighted)
        which, t, upto = Bisectors(sites, near, p, q).pieces(k, inner)
        found.append((pairs[at + which], t, upto))
        yield
    if not found:
        return sites.walls(np.zeros((0, 2, 2)), pairs, np.zeros(0, bool))
    pair, t, upto = map(np.concatenate, zip(*found, strict=True))
    lines = Bisectors(sites, near, *pair.T)
    piece = np.arange(len(t))
    parts = np.zeros(len(t), bool)
    yield
    if not vote.weighted:
        piece, t = split(t, *(yield from cuts(lines, t, upto, k)))

        def label(part: Int, side: int) -> Int:
            nearest = codes[lines.beside(piece[part], t[part], k, side)]
            return vote.labels(nearest, np.ones(nearest.shape))

        def differ(part: Int) -> Bool:
            return np.asarray(label(part, 1) != label(part, -1))

        parts = yield from in_parts(differ, np.arange(len(t)), size)
    seen = parts | (upto[piece] > k)
    piece, t, parts = whole(pair, piece[seen], t[seen], parts[seen])
    return sites.walls(lines.ends(piece, t), pair[piece], parts)


def neighbourhood(sites: Sites, k: int) -> tuple[Int, Int]:
    """(pairs (m, 2) of sites that may be as far from a place together, k − 1 points nearer; near
    (s, r) the rivals of the first of each pair, −1 where there are fewer).

    The points in the circle through both are joined by edges of the Delaunay triangulation, so the
    two are at most k edges apart, and so are their rivals.
    """
    s = len(sites.at)
    if s <= _FEW:
        everyone = np.arange(s)
        return np.column_stack(np.triu_indices(s, 1)), np.tile(everyone, (s, 1))
    edges = neighbours(sites.guarded)
    reach = joined(edges[(edges < s).all(axis=1)], s)
    if k > 1:
        twins = near_twins(sites)
        step = twins @ reach @ twins
        reach = step
        for _ in range(k - 1):
            reach = reach @ step
    reach.sort_indices()
    many = np.diff(reach.indptr)
    p = np.repeat(np.arange(s), many)
    q = reach.indices
    once = (many[p] < many[q]) | ((many[p] == many[q]) & (p < q))  # first the one with fewer rivals
    pairs = np.column_stack([p, q])[once].astype(np.intp)
    place = np.arange(len(p)) - reach.indptr[p]  # of each rival among those of its site
    width = int(many[pairs[:, 0]].max(initial=1))
    near = np.full((s, width), -1, np.intp)
    kept = many[p] <= width
    near[p[kept], place[kept]] = q[kept]
    return pairs, near


def joined(pairs: Int, s: int) -> Any:
    """(s, s) sparse: which sites are joined by a pair (m, 2), or the same."""
    from scipy.sparse import csr_array

    a, b = pairs.T
    same = np.arange(s)
    rows = np.concatenate([a, b, same])
    columns = np.concatenate([b, a, same])
    return csr_array((np.ones(len(rows), bool), (rows, columns)), shape=(s, s))


def near_twins(sites: Sites) -> Any:
    """(s, s) sparse: which sites are so near that Qhull may take one's neighbours for the
    other's.
    """
    from scipy.spatial import cKDTree

    pairs = cKDTree(sites.at).query_pairs(_CLOSE, p=np.inf, output_type="ndarray")
    return joined(pairs, len(sites.at))


def cuts(lines: Bisectors, t: Float, upto: Int, k: int) -> Work[tuple[Int, Float]]:
    """(which of the pieces t (m, 2), where) the labels at the two sides may change: where two of
    the nearest points change their order, and inside a cell, if others are among its k, at its
    walls.
    """
    turns = lines.turns(t, k)
    piece, at = np.nonzero((t[:, :1] < turns) & (turns < t[:, 1:]))
    found = [(piece, turns[piece, at])]
    ends = lines.ends(np.arange(len(t)), t)
    inner = np.flatnonzero(upto < k)
    walls = ends[upto > k]
    size = max(1, _ENTRIES // max(1, len(walls)))
    for first in range(0, len(inner), size):
        yield
        piece, share = crossings(ends[inner[first : first + size]], walls)
        piece = inner[first + piece]
        found.append((piece, t[piece, 0] + share * (t[piece, 1] - t[piece, 0])))
    which, where = map(np.concatenate, zip(*found, strict=True))
    return which, where


def crossings(pieces: Float, walls: Float) -> tuple[Int, Float]:
    """(index of the piece, share of its length) for each place where a wall (w, 2, 2) crosses or
    touches a piece (m, 2, 2).
    """
    way = pieces[:, 1] - pieces[:, 0]
    along = walls[:, 1] - walls[:, 0]

    def side(ends: Float) -> Float:  # (m, w) on which side of each wall
        right = ends[:, None, 0] - walls[:, 0, 0]
        up = ends[:, None, 1] - walls[:, 0, 1]
        return np.asarray(along[:, 0] * up - along[:, 1] * right)

    begins = side(pieces[:, 0])
    stops = side(pieces[:, 1])
    piece, wall = np.nonzero(begins * stops < 0)
    share = begins[piece, wall] / (begins[piece, wall] - stops[piece, wall])
    gap = pieces[piece, 0] + share[:, None] * way[piece] - walls[wall, 0]
    place = (gap * along[wall]).sum(axis=1) / (along[wall] * along[wall]).sum(axis=1)
    met = np.abs(place - 0.5) <= 0.5 + _SAME
    return piece[met], share[met]


def split(t: Float, which: Int, at: Float) -> tuple[Int, Float]:
    """(piece of each part, (from, to) of it) after cutting the ranges t (m, 2) of the pieces at
    `at` of pieces `which`.
    """
    piece = np.concatenate([np.arange(len(t)), np.arange(len(t)), which])
    stop = np.concatenate([t[:, 0], t[:, 1], at])
    order = np.lexsort((stop, piece))
    piece = piece[order]
    stop = stop[order]
    here = np.flatnonzero((piece[1:] == piece[:-1]) & (stop[1:] - stop[:-1] > _SAME))
    return piece[here], np.stack([stop[here], stop[here + 1]], axis=1)


def whole(pair: Int, piece: Int, t: Float, parts: Bool) -> tuple[Int, Float, Bool]:
    """The parts with neighbours that continue each other and are alike joined, so that dashes run
    through.
    """
    same = (
        (pair[piece[1:]] == pair[piece[:-1]]).all(axis=1)
        & (parts[1:] == parts[:-1])
        & (t[1:, 0] - t[:-1, 1] <= _SAME)
    )
    first = np.flatnonzero(np.append(True, ~same)[: len(t)])
    last = np.append(first[1:], len(t))[: len(first)] - 1
    return piece[first], np.stack([t[first, 0], t[last, 1]], axis=1), parts[first]


# -- the cell of one place -------------------------------------------------------------------------


def order_cell(points: Float, neighbours: Int, ask: Callable[[Float], Int]) -> Float:
    """(m, 2) corners of the cell in which the points `neighbours` (k,) are the k nearest of
    points (n, 2); empty when none is.

    ask: places (m, 2) -> (m, k + 1) the nearest points of each. A box is cut down: at each corner
    the farthest of `neighbours` is compared with the nearest of the others, and where that one is
    nearer their bisector cuts the corner off. The difference of the two is convex, so the cell is
    exact as soon as all corners are right.
    """
    middle, half = extent(points)
    inside = (points[neighbours] - middle) / half
    ring = BOX * np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])
    while len(neighbours) < len(points) and len(ring) > 2:
        near = ask(ring * half + middle)
        stranger = near[np.arange(len(near)), (~np.isin(near, neighbours)).argmax(axis=1)]
        q = (points[stranger] - middle) / half
        p = inside[((ring[:, None] - inside[None]) ** 2).sum(axis=2).argmax(axis=1)]
        wrong = [i for i in range(len(ring)) if beyond(ring[[i]], p[i], q[i])[0] > 0]
        if not wrong:
            break
        for i in wrong:
            ring = kept_side(ring, beyond(ring, p[i], q[i]))
    if len(ring) < 3:
        return frozen(np.zeros((0, 2)))
    return frozen(ring * half + middle)


def beyond(places: Float, p: Float, q: Float) -> Float:
    """(m,) how far places (m, 2) lie beyond the bisector of p and q, on the side of q; 0 on it, and
    for two points at one place.
    """
    way = q - p
    middle = (p + q) / 2
    across = (places[:, 0] - middle[0]) * way[0] + (places[:, 1] - middle[1]) * way[1]
    length = sqrt(way[0] * way[0] + way[1] * way[1]) or 1.0
    return np.asarray(settled(across / length, 1.0, SHARE))
