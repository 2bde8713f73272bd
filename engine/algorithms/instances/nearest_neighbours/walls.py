"""Which walls of an order-k Voronoi diagram part two classes, and where classes part inside a cell. MMDS 12.4.2-12.4.3."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from engine.algorithms.instances.nearest_neighbours.orders import Orders
from engine.algorithms.instances.nearest_neighbours.voronoi import clip
from engine.algorithms.instances.nearest_neighbours.votes import Vote, front_runners, tally
from engine.algorithms.instances.parts import BOX
from engine.core.arrays import Bool, Float, Int, frozen

_SHORT = 1e-9  # of the extent, or of a wall: shorter pieces are corners
_BESIDE = 1e-6  # of a piece's length: where the classes at its two sides are looked at
_PARALLEL = 1e-12


@dataclass(frozen=True, eq=False)
class Walls:
    """ends (m, 2, 2) of straight pieces; parts (m,): the classes on both sides differ."""

    ends: Float
    parts: Bool


def class_walls(points: Float, codes: Int, vote: Vote, orders: Orders) -> Walls:
    """The walls of `orders` and what parts classes, for votes of equal weight (weighted ones change inside cells along curves).

    Equal votes go to the class of the nearer neighbour, so a cell with equal votes falls apart into the places that are
    nearer to one class or to another: a wall may change on its way, and bisectors inside such a cell part classes too.
    """
    tied = TiedCells(points, codes, vote, orders)
    wall, pieces = split(orders.ends, *tied.cuts())
    own, other = (points[orders.swapped[wall, side]] for side in (0, 1))
    labels = [tied.labels(beside(pieces, toward), orders.cells[wall, side])
              for side, toward in ((0, own - other), (1, other - own))]  # fmt: skip
    walls = whole(wall, pieces, labels[0] != labels[1])
    inner = tied.inner()
    return Walls(
        frozen(np.concatenate([walls.ends, inner])), frozen(np.append(walls.parts, np.ones(len(inner), bool)), np.bool_)
    )


class TiedCells:
    """The cells whose k points give several classes the most votes, with all pairs of their points from two of these classes.

    voting (c, k): the points of tied cells that are of a leading class; cell, p, q (t,): the pairs
    """

    def __init__(self, points: Float, codes: Int, vote: Vote, orders: Orders) -> None:
        self.points, self.codes, self.vote, self.orders = points, codes, vote, orders
        here = codes[orders.members]
        leading = front_runners(tally(here, np.ones(here.shape), vote.classes))
        several = (leading.sum(axis=1) > 1) & (not vote.unanimous)
        self.voting = leading[np.arange(len(here))[:, None], here] & several[:, None]
        both = self.voting[:, :, None] & self.voting[:, None] & (here[:, :, None] < here[:, None])
        self.cell, first, second = np.nonzero(both)
        self.p, self.q = orders.members[self.cell, first], orders.members[self.cell, second]

    def labels(self, x: Float, cells: Int) -> Int:
        """(m,) classes at the places x (m, 2), each in one of the cells."""
        members = self.orders.members[cells]
        away = ((self.points[members] - x[:, None]) ** 2).sum(axis=2)
        near = np.take_along_axis(members, np.argsort(away, axis=1, kind="stable"), axis=1)
        return np.asarray(self.vote.labels(self.codes[near], np.ones(near.shape)), np.intp)

    def cuts(self) -> tuple[Int, Float]:
        """(walls, shares of their way) where two classes of a tied cell at their side are equally near."""
        wall, pair = joined(self.orders.cells.ravel(), self.cell)
        wall = wall // 2
        start, way = self.orders.ends[wall, 0], self.orders.ends[wall, 1] - self.orders.ends[wall, 0]
        normal, level = half_plane(self.points[self.p[pair]], self.points[self.q[pair]])
        with np.errstate(divide="ignore", invalid="ignore"):
            share = (level - (normal * start).sum(axis=1)) / (normal * way).sum(axis=1)
        inside = (share > 0) & (share < 1)
        return wall[inside], share[inside]

    def inner(self) -> Float:
        """(m, 2, 2) pieces of bisectors inside tied cells, with another class nearest on each side."""
        p, q = self.points[self.p], self.points[self.q]
        normal = q - p
        size = np.sqrt((normal * normal).sum(axis=1))
        kept = np.flatnonzero(size > 0)
        origin = ((p + q) / 2)[kept]
        way = np.column_stack([-normal[kept, 1], normal[kept, 0]]) / size[kept, None]
        spread = np.ptp(self.points, axis=0).max()
        low, high = np.full(len(kept), -4 * BOX * spread), np.full(len(kept), 4 * BOX * spread)
        for pair, across, level, open_ in self.bounds(kept):
            slope = (across * way[pair]).sum(axis=1)
            room = level - (across * origin[pair]).sum(axis=1)
            flat = np.abs(slope) <= _PARALLEL * np.sqrt((across * across).sum(axis=1))
            shut = flat & ((room < 0) | (~open_ & (room <= _PARALLEL * spread**2)))
            with np.errstate(divide="ignore", invalid="ignore"):
                reach = np.where(flat, np.where(shut, -np.inf, np.inf), room / slope)
            up = flat | (slope > 0)
            np.minimum.at(high, pair[up], reach[up])
            np.maximum.at(low, pair[~up], reach[~up])
        seen = high - low > _SHORT * spread
        ends = origin[seen, None] + np.stack([low[seen], high[seen]], axis=1)[..., None] * way[seen, None]
        ends, inside = within(ends, self.points)
        cell, toward = self.cell[kept][seen][inside], normal[kept][seen][inside]
        differ = self.labels(beside(ends, toward), cell) != self.labels(beside(ends, -toward), cell)
        return np.asarray(ends[differ], np.float64)

    def bounds(self, kept: Int) -> Iterator[tuple[Int, Float, Float, bool]]:
        """(pairs, normals, levels, open) of half-planes normal · x ≤ level that bound the bisector of each pair.

        The other points that vote are not nearer than its two, and the place does not leave the cell (open False: nor
        lies on a wall).
        """
        pair, column = np.nonzero(self.voting[self.cell[kept]])
        rival = self.orders.members[self.cell[kept][pair], column]
        third = (rival != self.p[kept][pair]) & (rival != self.q[kept][pair])
        pair, rival = pair[third], rival[third]
        yield pair, *half_plane(self.points[self.p[kept][pair]], self.points[rival]), True
        for side in (0, 1):
            wall, pair = joined(self.orders.cells[:, side], self.cell[kept])
            own, other = self.orders.swapped[wall, side], self.orders.swapped[wall, 1 - side]
            yield pair, *half_plane(self.points[own], self.points[other]), False


def half_plane(p: Float, q: Float) -> tuple[Float, Float]:
    """(normals (m, 2), levels (m,)): normal · x ≤ level where x is as near to p as to q, or nearer."""
    normal = q - p
    return normal, (normal * (p + q)).sum(axis=1) / 2


def beside(ends: Float, toward: Float) -> Float:
    """(m, 2) the middle of each piece, a little to one side."""
    length = np.sqrt(((ends[:, 1] - ends[:, 0]) ** 2).sum(axis=1))
    size = np.sqrt((toward * toward).sum(axis=1))
    return np.asarray(ends.mean(axis=1) + (_BESIDE * length / size)[:, None] * toward)


def joined(left: Int, right: Int) -> tuple[Int, Int]:
    """(i, j) of all pairs with left[i] == right[j]."""
    order = np.argsort(right, kind="stable")
    first = np.searchsorted(right[order], left, side="left")
    count = np.searchsorted(right[order], left, side="right") - first
    i = np.repeat(np.arange(len(left)), count)
    inside = np.arange(len(i)) - np.repeat(np.cumsum(count) - count, count)
    return i, order[np.repeat(first, count) + inside]


def split(ends: Float, walls: Int, shares: Float) -> tuple[Int, Float]:
    """(wall of each, ends (m, 2, 2)) of the pieces into which `walls` fall when cut at `shares` of their way."""
    count = len(ends)
    wall = np.concatenate([np.arange(count), np.arange(count), walls])
    share = np.concatenate([np.zeros(count), np.ones(count), shares])
    order = np.lexsort((share, wall))
    wall, share = wall[order], share[order]
    here = np.flatnonzero((wall[1:] == wall[:-1]) & (share[1:] - share[:-1] > _SHORT))
    start, way = ends[wall[here], 0], ends[wall[here], 1] - ends[wall[here], 0]
    parts = np.stack([share[here], share[here + 1]], axis=1)
    return wall[here], start[:, None] + parts[..., None] * way[:, None]


def whole(wall: Int, pieces: Float, parts: Bool) -> Walls:
    """Neighbouring pieces of one wall that are alike as one, so that dashes run through."""
    new = np.ones(len(wall), dtype=bool)
    new[1:] = (wall[1:] != wall[:-1]) | (parts[1:] != parts[:-1])
    first = np.flatnonzero(new)
    last = np.append(first[1:], len(wall)) - 1
    return Walls(np.stack([pieces[first, 0], pieces[last[: len(first)], 1]], axis=1), parts[first])


def within(ends: Float, points: Float) -> tuple[Float, Int]:
    """(what of the pieces lies in the box of the diagram, which they are)."""
    low, high = points.min(0), points.max(0)
    middle, half = low / 2 + high / 2, float((high / 2 - low / 2).max()) or 1.0
    pieces, kept = clip((ends - middle) / half, BOX)
    return pieces * half + middle, kept
