"""A grown classification tree as arrays: routing rows, missing values by weight, boxes on the
plane. AIMA 18.3.2, 18.3.6.
"""

from collections.abc import Iterator, Sequence
from enum import IntEnum
from itertools import pairwise
from typing import Any

import numpy as np

from engine.base.arrays import Bool, Float, Int, frozen
from engine.base.grid import Grid
from engine.base.records import Record, field, field_names, replace
from engine.numerics.class_scores import lead_of_two
from engine.table.problem import Problem

_CHUNK = 2048


class Why(IntEnum):
    """The kind of a node; for a leaf the reason: no examples, one class, no test left, a stopping
    rule, pruned.
    """

    OPEN = 0
    EMPTY = 1
    PURE = 2
    NO_TEST = 3
    STOPPED = 4
    TEST = 5
    PRUNED = 6


class Tree(Record, weakref=True):
    """N nodes, parents before children; the children of a node follow one another.

    parent, branch, depth (N,): −1 above the root; why (N,); column (N,): tested attribute, −1 where
    none; point (N,): split point of A > v, category of A = v, NaN for a branch per value; first,
    width (N,): the children; totals (N, classes): training weights; label (N,): plurality, or the
    mean of values, the parent's where there is no example; tied (N,): it had equals; gain (N,): of
    the test; ties (N,): how many tests were as good; nominal (columns,): holds categories; alive
    (N,): False where pruning has cut the node off. Branches of A > v and A = v: 0 no, 1 yes. whole:
    the grown tree of which this is an earlier moment, same indices; memo: what was worked out for
    all its moments
    """

    parent: Int
    branch: Int
    depth: Int
    why: Int
    column: Int
    point: Float
    first: Int
    width: Int
    totals: Float
    label: Any
    tied: Bool
    gain: Float
    ties: Int
    nominal: Bool
    alive: Bool
    whole: "Tree | None" = None
    memo: dict[Any, Any] = field(default_factory=dict)

    def children(self, node: int) -> range:
        """The children of a test node; none of a leaf."""
        first = int(self.first[node])
        return range(first, first + int(self.width[node])) if self.column[node] >= 0 else range(0)

    def way_to(self, node: int) -> tuple[int, ...]:
        """The nodes from the root to `node`, both included."""
        way = [node]
        while self.parent[way[-1]] >= 0:
            way.append(int(self.parent[way[-1]]))
        return tuple(way[::-1])

    @property
    def ends(self) -> Int:
        """(m,) the leaves and open nodes."""
        return np.flatnonzero(self.alive & (self.column < 0))

    def wrong(self, totals: Float) -> Float:
        """(N,) the weight in each node outside its class. totals: (N, classes)"""
        return np.asarray(totals.sum(1) - totals[np.arange(len(totals)), self.label])

    @property
    def shares(self) -> Float:
        """(N, classes) the share of each class in each node; its parent's where it has no
        examples.
        """
        filled = self.totals.any(1)
        counts = self.totals[np.where(filled, np.arange(len(self.label)), self.parent)]
        return np.asarray(counts / counts.sum(1, keepdims=True))


ARRAYS = tuple(name for name in field_names(Tree) if name not in ("nominal", "whole", "memo"))


def by_branches(tree: Tree) -> tuple[Tree, Int]:
    """(a tree whose nodes are numbered level by level as one that is grown branch by branch, each
    to its end before the next, the order (N,) in which its nodes are decided).
    """
    size = np.ones(len(tree.parent), np.intp)
    turn = np.zeros(len(tree.parent), np.intp)
    ends = np.append(0, np.bincount(tree.depth).cumsum()).tolist()
    levels = [(slice(i, j), np.flatnonzero(tree.column[i:j] >= 0) + i) for i, j in pairwise(ends)]
    for (above, inner), (below, _) in reversed([*pairwise(levels)]):
        size[inner] += np.add.reduceat(size[below], tree.first[inner] - above.stop)
    for (above, inner), (below, _) in pairwise(levels):
        ahead = size[below].cumsum() - size[below]
        width = tree.width[inner]
        turn[below] = (turn[inner] + 1 - ahead[tree.first[inner] - above.stop]).repeat(
            width
        ) + ahead
    order = turn.argsort()
    tests = order[tree.column[order] >= 0]
    width = tree.width[tests]
    ahead = 1 + width.cumsum() - width
    old = np.append(0, (tree.first[tests] - ahead).repeat(width) + np.arange(1, len(order)))
    number = np.empty(len(old), np.intp)
    number[old] = np.arange(len(old))
    arrays = {name: getattr(tree, name)[old] for name in ARRAYS}
    for name in ("parent", "first"):
        arrays[name] = np.where(arrays[name] < 0, -1, number[arrays[name]])
    return replace(tree, **{name: frozen(part) for name, part in arrays.items()}, memo={}), frozen(
        number[order]
    )


def step_down(tree: Tree, node: Int, value: Float) -> Int:
    """(m,) the child of each test `node` (m,) to which `value` (m,) of its column leads."""
    point = tree.point[node]
    if not tree.nominal.any():
        return tree.first[node] + (value > point)
    nominal = tree.nominal[tree.column[node]]
    way = np.where(nominal, np.where(np.isnan(point), value, value == point), value > point)
    return tree.first[node] + way.astype(np.intp)


def descend(tree: Tree, X: Float) -> tuple[Int, Bool]:
    """(leaf (m,) that each row reaches, stuck (m,): whether it stopped at a test whose value it
    lacks).
    """
    node = np.zeros(len(X), dtype=np.intp)
    stuck = np.zeros(len(X), dtype=bool)
    moving = np.arange(len(X))
    gaps = bool(np.isnan(X).any())
    flat = np.ascontiguousarray(X).ravel()
    d = X.shape[1]
    while len(moving):
        here = node[moving]
        column = tree.column[here]
        inner = column >= 0
        if not inner.all():
            moving = moving[inner]
            here = here[inner]
            column = column[inner]
        value = flat[moving * d + column]
        if gaps and np.isnan(value).any():
            known = ~np.isnan(value)
            stuck[moving[~known]] = True
            moving = moving[known]
            here = here[known]
            value = value[known]
        node[moving] = step_down(tree, here, value)
    return node, stuck


def spread(tree: Tree, X: Float, every: bool = False) -> tuple[Int, Int, Float]:
    """(row, end, weight) of rows that go down all branches of a test whose value they lack,
    weighted by the branches' frequency; the weights of a row add up to 1. every: also the nodes on
    the way.
    """
    row = np.arange(len(X))
    node = np.zeros(len(X), dtype=np.intp)
    weight = np.ones(len(X))
    size = tree.totals.sum(1)
    done: list[tuple[Int, Int, Float]] = []
    while len(row):
        inner = tree.column[node] >= 0
        out = slice(None) if every else ~inner
        done.append((row[out], node[out], weight[out]))
        row = row[inner]
        node = node[inner]
        weight = weight[inner]
        value = X[row, tree.column[node]]
        if not (gap := np.isnan(value)).any():
            node = step_down(tree, node, value)
            continue
        below = step_down(tree, node[~gap], value[~gap])
        width = tree.width[node[gap]]
        ramp = np.arange(width.sum()) - np.repeat(np.cumsum(width) - width, width)
        split = np.repeat(tree.first[node[gap]], width) + ramp
        whole = np.repeat(np.add.reduceat(size[split], np.cumsum(width) - width), width)
        part = np.repeat(weight[gap], width) * size[split] / whole
        row = np.concatenate([row[~gap], np.repeat(row[gap], width)[part > 0]])
        node = np.concatenate([below, split[part > 0]])
        weight = np.concatenate([weight[~gap], part[part > 0]])
    if not done:
        return row, node, weight
    return tuple(np.concatenate(parts) for parts in zip(*done, strict=True))  # type: ignore[return-value]


def class_shares(tree: Tree, X: Float) -> Float:
    """(m, classes) the shares of the classes in the leaf of each row of X; a missing value mixes
    the leaves it reaches.
    """
    end, stuck = descend(tree, X)
    shares = tree.shares[end]
    shares[stuck] = _mixed(tree, X[stuck], tree.shares)
    return shares


def scores(tree: Tree, X: Float) -> Float:
    """The shares in the leaf of each row: (m,) first class less the other for two classes, else (m,
    classes).
    """
    return lead_of_two(class_shares(tree, X))


def _mixed(tree: Tree, X: Float, values: Float) -> Float:
    """(m, k): `values` (N, k) of all the ends that each row reaches, by weight."""
    mixed = np.empty((len(X), values.shape[1]))
    for rows in _chunks(np.arange(len(X))):
        row, end, weight = spread(tree, X[rows])
        for k in range(values.shape[1]):
            mixed[rows, k] = np.bincount(row, weight * values[end, k], len(rows))
    return mixed


def predict(tree: Tree, X: Float) -> Int:
    """(m,) class indices: the label of the end that a row reaches; by the mixed shares where it
    lacks a value.

    Equal shares: the first class, unless all the ends have one label, which a tie rule may have
    drawn.
    """
    end, stuck = descend(tree, X)
    label: Int = tree.label[end]
    if stuck.any():
        labels = np.eye(tree.totals.shape[1])[tree.label]
        shares, labels_of = np.hsplit(_mixed(tree, X[stuck], np.hstack([tree.shares, labels])), 2)
        best = shares >= shares.max(1, keepdims=True) - 1e-12
        label[stuck] = np.where(labels_of.max(1) > 1 - 1e-9, labels_of.argmax(1), best.argmax(1))
    return label


def node_totals(tree: Tree, X: Float, codes: Int) -> Float:
    """(N, classes) the weight of the rows of each class that pass each node."""
    totals = np.zeros(tree.totals.shape)
    for rows in _chunks(np.flatnonzero(codes >= 0)):
        row, node, weight = spread(tree, X[rows], every=True)
        np.add.at(totals, (node, codes[rows][row]), weight)
    return totals


def _chunks(rows: Int) -> Iterator[Int]:
    return (rows[i : i + _CHUNK] for i in range(0, len(rows), _CHUNK))


def members(tree: Tree, node: int, X: Float) -> Float:
    """(m,) the share of each row of X (m, d) that passes `node`, 0 to 1."""
    weight = np.ones(len(X))
    way = tree.way_to(node)
    size = tree.totals.sum(1)
    for above, below in pairwise(way):
        value = X[:, tree.column[above]]
        known = ~np.isnan(value)
        here = np.full(int(known.sum()), above)
        weight[known] *= step_down(tree, here, value[known]) == below
        weight[~known] *= size[below] / size[list(tree.children(above))].sum()
    return weight


# -- on the plane ----------------------------------------------------------------------------------


def boxes(tree: Tree, problem: Problem) -> tuple[Int, Float]:
    """(ends (k,), bounds (k, 4) as x0, y0, x1, y1): the ends that the plane cuts, hidden columns
    held at the anchor.

    A box holds its upper bounds and not its lower ones, as A > v is strict.
    """
    whole = tree.whole or tree
    key = (problem.plane, problem.anchor.tobytes())
    if key not in whole.memo:
        whole.memo[key] = _node_bounds(whole, problem)
    ends = tree.ends
    bounds = whole.memo[key][ends]
    cut = bounds[:, 0] < bounds[:, 2]
    return ends[cut], bounds[cut]


def _node_bounds(tree: Tree, problem: Problem) -> Float:
    """(N, 4) the box of every node, level by level from the root, or from several; x0 = x1 where
    the plane misses it.
    """
    found = np.zeros((len(tree.parent), 4))
    node = np.flatnonzero(tree.parent < 0)
    found[node] = (-np.inf, -np.inf, np.inf, np.inf)
    axes = np.full(max(problem.d, 1) + 1, -1)
    axes[list(problem.plane)] = np.arange(len(problem.plane))
    # axis: that a test cuts, −1 where none
    inner, axis, edge = tree.column >= 0, axes[tree.column], found.ravel()
    hidden = node[:0]
    hides = bool((inner & (axis < 0)).any())
    while len(node := node[inner[node]]):
        if hides:
            above, node = node[axis[node] < 0], node[axis[node] >= 0]
            hidden = step_down(tree, above, problem.anchor[tree.column[above]])
            found[hidden] = found[above]
        low = tree.first[node]
        high = tree.first[node] + 1
        at = axis[node]
        point = tree.point[node]
        found[low] = found[high] = found[node]
        edge[4 * low + at + 2] = edge[4 * high + at] = point
        node = np.concatenate([hidden, low, high])
    return found


def paint(tree: Tree, problem: Problem, grid: Grid, value: Any) -> Float:
    """(ny, nx) `value` (N,) of the leaf at every place of the grid, as floats."""
    ends, bounds = boxes(tree, problem)
    at = np.arange(2 * len(ends)).reshape(2, -1)
    across, up = (Edges(bounds[:, axis::2].T.ravel(), at) for axis in (0, 1))
    (end,), rows, columns = raster(grid, across, up, 0, ends.astype(np.float64))
    return (
        np.asarray(value[end.astype(np.intp)], np.float64)
        .repeat(columns, axis=1)
        .repeat(rows, axis=0)
    )


class Edges(Record):
    """Along one axis: the values of the edges of boxes, not one for each but the different ones of
    each tree (u,), and which of them are the low and high edges of the boxes (2, k).
    """

    values: Float
    at: Int

    @classmethod
    def of(cls, low_high: Float) -> "Edges":
        values, at = np.unique(low_high, return_inverse=True)
        return cls(values, at.reshape(low_high.shape))

    @classmethod
    def beside(cls, parts: "Sequence[Edges]") -> "Edges":
        sizes = np.array([len(part.values) for part in parts])
        shift = (sizes.cumsum() - sizes).tolist()
        at = np.concatenate(
            [part.at + more for part, more in zip(parts, shift, strict=True)], axis=1
        )
        return cls(np.concatenate([part.values for part in parts]), at)

    def among(self, places: Float) -> tuple[Int, Int]:
        """((2, k) the edges as positions among all that part some of the places, how many places
        lie between one of these and the next).
        """
        at = np.searchsorted(places, self.values, side="right")
        used = np.zeros(len(places) + 1, dtype=bool)
        used[at] = used[0] = used[-1] = True
        return (used.cumsum() - 1)[at].take(self.at), np.diff(used.nonzero()[0])


def raster(
    grid: Grid, across: Edges, up: Edges, layer: Any, amount: Float, layers: int = 1
) -> tuple[Float, Int, Int]:
    """((layers, h, w) the sum of the amounts (k,) of the boxes that cover each cell of the coarse
    raster of their own edges, each on its layer; how many rows of the grid each cell stands for
    (h,), and how many columns (w,)).

    The boxes are drawn by amounts at their corners, which running sums spread inwards.
    """
    (x, columns), (y, rows) = across.among(grid.x), up.among(grid.y)
    shape = layers, len(rows) + 1, len(columns) + 1
    low, high = (layer * shape[1] + y) * shape[2]
    corners = np.concatenate([low + x[0], low + x[1], high + x[0], high + x[1]])
    marks = np.bincount(
        corners, np.concatenate([amount, -amount, -amount, amount]), int(np.prod(shape))
    ).reshape(shape)
    return marks.cumsum(1).cumsum(2)[:, :-1, :-1], rows, columns


def class_borders(bounds: Float, label: Int) -> Float:
    """(m, 2, 2) the straight pieces where boxes of different class touch; ±inf where they run out
    of sight.
    """
    pieces = []
    for along, across in ((0, 1), (1, 0)):
        i, j = np.nonzero(
            (bounds[:, None, 2 + along] == bounds[None, :, along]) & (label[:, None] != label)
        )
        low = np.maximum(bounds[i, across], bounds[j, across])
        high = np.minimum(bounds[i, 2 + across], bounds[j, 2 + across])
        piece = np.empty((len(i), 2, 2))
        piece[:, :, along] = bounds[i, 2 + along, None]
        piece[:, 0, across], piece[:, 1, across] = low, high
        pieces.append(piece[low < high])
    return np.concatenate(pieces)
