"""A grown classification tree as arrays: routing rows, missing values by weight, boxes on the plane. AIMA 18.3.2, 18.3.6."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from itertools import pairwise
from typing import Any

import numpy as np

from engine.core.arrays import Bool, Float, Int, frozen
from engine.core.grid import Grid
from engine.core.problem import Problem

_CHUNK = 2048


class Why(IntEnum):
    """What a node is, and for a leaf the reason: no examples, one class, no test left, a stopping rule, pruned."""

    OPEN = 0
    EMPTY = 1
    PURE = 2
    NO_TEST = 3
    STOPPED = 4
    TEST = 5
    PRUNED = 6


@dataclass(frozen=True, slots=True, eq=False)
class Tree:
    """N nodes, parents before children; the children of a node follow one another.

    parent, branch, depth (N,): −1 above the root; why (N,); column (N,): tested attribute, −1 where none;
    point (N,): split point of A > v, category of A = v, NaN for a branch per value; first, width (N,): the children;
    totals (N, classes): training weights; label (N,): plurality, the parent's where there is no example; tied (N,): it had
    equals; gain (N,): of the test; ties (N,): how many tests were as good; nominal (columns,): holds categories;
    alive (N,): False where pruning has cut the node off. Branches of A > v and A = v: 0 no, 1 yes.
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
    label: Int
    tied: Bool
    gain: Float
    ties: Int
    nominal: Bool
    alive: Bool

    def children(self, node: int) -> range:
        """The children of a test node; none of a leaf."""
        return (
            range(int(self.first[node]), int(self.first[node] + self.width[node]))
            if self.column[node] >= 0
            else range(0)
        )

    def way_to(self, node: int) -> tuple[int, ...]:
        """The nodes from the root to `node`, both included."""
        way = [node]
        while self.parent[way[-1]] >= 0:
            way.append(int(self.parent[way[-1]]))
        return tuple(way[::-1])

    @property
    def ends(self) -> Int:
        """Leaves and open nodes."""
        return np.flatnonzero(self.alive & (self.column < 0))

    @property
    def shares(self) -> Float:
        """(N, classes) of each node's examples; all on the label where there are none."""
        size = self.totals.sum(1, keepdims=True)
        sure = np.eye(self.totals.shape[1])[self.label]
        return np.where(size > 0, self.totals / np.where(size > 0, size, 1), sure)


def step_down(tree: Tree, node: Int, value: Float) -> Int:
    """The child of each test `node` to which `value` of its tested column leads."""
    point = tree.point[node]
    if not tree.nominal.any():
        return tree.first[node] + (value > point)
    nominal = tree.nominal[tree.column[node]]
    way = np.where(nominal, np.where(np.isnan(point), value, value == point), value > point)
    return tree.first[node] + way.astype(np.intp)


def descend(tree: Tree, X: Float) -> tuple[Int, Bool]:
    """(end (m,) that each row reaches, stuck (m,): it stopped at a test whose value it lacks)."""
    node = np.zeros(len(X), dtype=np.intp)
    stuck = np.zeros(len(X), dtype=bool)
    moving = np.arange(len(X))
    gaps = bool(np.isnan(X).any())
    flat, d = np.ascontiguousarray(X).ravel(), X.shape[1]
    while len(moving):
        here = node[moving]
        column = tree.column[here]
        inner = column >= 0
        if not inner.all():
            moving, here, column = moving[inner], here[inner], column[inner]
        value = flat[moving * d + column]
        if gaps and np.isnan(value).any():
            known = ~np.isnan(value)
            stuck[moving[~known]] = True
            moving, here, value = moving[known], here[known], value[known]
        node[moving] = step_down(tree, here, value)
    return node, stuck


def spread(tree: Tree, X: Float, every: bool = False) -> tuple[Int, Int, Float]:
    """(row, end, weight) of rows that go down all branches of a test whose value they lack, weighted by the branches'
    frequency; the weights of a row add up to 1. every: also the nodes on the way."""
    row, node, weight = np.arange(len(X)), np.zeros(len(X), dtype=np.intp), np.ones(len(X))
    size = tree.totals.sum(1)
    done: list[tuple[Int, Int, Float]] = []
    while len(row):
        inner = tree.column[node] >= 0
        out = slice(None) if every else ~inner
        done.append((row[out], node[out], weight[out]))
        row, node, weight = row[inner], node[inner], weight[inner]
        value = X[row, tree.column[node]]
        gap = np.isnan(value)
        below = step_down(tree, node[~gap], value[~gap])
        width = tree.width[node[gap]]
        ramp = np.arange(width.sum()) - np.repeat(np.cumsum(width) - width, width)
        split = np.repeat(tree.first[node[gap]], width) + ramp
        whole = np.repeat(np.add.reduceat(size[split], np.cumsum(width) - width), width) if len(split) else np.zeros(0)
        part = np.repeat(weight[gap], width) * size[split] / whole
        row = np.concatenate([row[~gap], np.repeat(row[gap], width)[part > 0]])
        node = np.concatenate([below, split[part > 0]])
        weight = np.concatenate([weight[~gap], part[part > 0]])
    if not done:
        return row, node, weight
    return tuple(np.concatenate(parts) for parts in zip(*done, strict=True))  # type: ignore[return-value]


def class_shares(tree: Tree, X: Float) -> Float:
    """(m, classes): the classes' shares where each row ends; a row that lacks a value mixes the ends it reaches."""
    end, stuck = descend(tree, X)
    shares = tree.shares[end]
    for rows in _chunks(np.flatnonzero(stuck)):
        row, leaf, weight = spread(tree, X[rows])
        for k in range(shares.shape[1]):
            shares[rows, k] = np.bincount(row, weight * tree.shares[leaf, k], len(rows))
    return shares


def predict(tree: Tree, X: Float) -> Int:
    """(m,) class indices: the label of the end that a row reaches; by the mixed shares where it lacks a value."""
    end, stuck = descend(tree, X)
    label = tree.label[end]
    if stuck.any():
        shares = class_shares(tree, X[stuck])
        label[stuck] = (shares >= shares.max(1, keepdims=True) - 1e-12).argmax(1)
    return label


def node_totals(tree: Tree, X: Float, codes: Int) -> Float:
    """(N, classes): how much of the rows of each class passes every node."""
    totals = np.zeros(tree.totals.shape)
    for rows in _chunks(np.flatnonzero(codes >= 0)):
        row, node, weight = spread(tree, X[rows], every=True)
        np.add.at(totals, (node, codes[rows][row]), weight)
    return totals


def _chunks(rows: Int) -> Iterator[Int]:
    return (rows[i : i + _CHUNK] for i in range(0, len(rows), _CHUNK))


def members(tree: Tree, node: int, X: Float) -> Float:
    """(m,) how much of each row passes `node`."""
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


# -- on the plane ------------------------------------------------------------------------------------------------------


def boxes(tree: Tree, problem: Problem) -> tuple[Int, Float]:
    """(ends (k,), bounds (k, 4) as x0, y0, x1, y1): the ends that the plane cuts, hidden columns held at the anchor.

    A box holds its upper bounds and not its lower ones, as A > v is strict.
    """
    node, bounds = np.zeros(1, dtype=np.intp), np.array([[-np.inf, -np.inf, np.inf, np.inf]])
    axis = np.full(max(problem.d, 1), -1)
    axis[list(problem.plane)] = np.arange(len(problem.plane))
    done: list[tuple[Int, Float]] = []
    while len(node):
        inner = tree.column[node] >= 0
        done.append((node[~inner], bounds[~inner]))
        node, bounds = node[inner], bounds[inner]
        column = tree.column[node]
        shown = axis[column] >= 0
        hidden = step_down(tree, node[~shown], problem.anchor[column[~shown]])
        cut, point, at = node[shown], tree.point[node[shown]], axis[column[shown]]
        low, high = bounds[shown].copy(), bounds[shown].copy()
        rows = np.arange(len(cut))
        low[rows, 2 + at] = np.minimum(low[rows, 2 + at], point)
        high[rows, at] = np.maximum(high[rows, at], point)
        node = np.concatenate([hidden, tree.first[cut], tree.first[cut] + 1])
        bounds = np.concatenate([bounds[~shown], low, high])
        real = (bounds[:, 0] < bounds[:, 2]) & (bounds[:, 1] < bounds[:, 3])
        node, bounds = node[real], bounds[real]
    return np.concatenate([d[0] for d in done]), np.concatenate([d[1] for d in done])


def paint(tree: Tree, problem: Problem, grid: Grid) -> Int:
    """(ny, nx) the end of every place of the grid: each box adds its number at its corners, running sums fill it."""
    ends, bounds = boxes(tree, problem)
    ny, nx = grid.shape
    x0, x1 = (np.searchsorted(grid.x, bounds[:, c], side="right") for c in (0, 2))
    y0, y1 = (np.searchsorted(grid.y, bounds[:, c], side="right") for c in (1, 3))
    corners = np.concatenate([y * (nx + 1) + x for y, x in ((y0, x0), (y0, x1), (y1, x0), (y1, x1))])
    number = ends.astype(np.float64)
    marks = np.bincount(corners, np.concatenate([number, -number, -number, number]), (ny + 1) * (nx + 1))
    filled = marks.reshape(ny + 1, nx + 1)[:ny, :nx].cumsum(0).cumsum(1)
    return np.asarray(np.rint(filled), dtype=np.intp)


def class_borders(bounds: Float, label: Int) -> Float:
    """(m, 2, 2) the straight pieces where boxes of different class touch; ±inf where they run out of sight."""
    pieces = []
    for along, across in ((0, 1), (1, 0)):
        i, j = np.nonzero((bounds[:, None, 2 + along] == bounds[None, :, along]) & (label[:, None] != label))
        low = np.maximum(bounds[i, across], bounds[j, across])
        high = np.minimum(bounds[i, 2 + across], bounds[j, 2 + across])
        piece = np.empty((len(i), 2, 2))
        piece[:, :, along] = bounds[i, 2 + along, None]
        piece[:, 0, across], piece[:, 1, across] = low, high
        pieces.append(piece[low < high])
    return np.concatenate(pieces)


# -- building ----------------------------------------------------------------------------------------------------------


class TreeRows:
    """A tree in the making, level by level; `finish` gives it."""

    def __init__(self, totals: Any, label: Int, tied: Bool, nominal: Bool) -> None:
        self.size = self.depth = 0
        self.nominal = nominal
        self.levels: list[tuple[Any, ...]] = []
        self.tests: list[tuple[Any, ...]] = []
        self.reasons: list[tuple[Any, Any]] = []
        up = np.full(1, -1, dtype=np.intp)
        self._level(totals, label, tied, up, np.zeros(1, dtype=np.intp))

    def _level(self, totals: Any, label: Int, tied: Bool, parent: Int, branch: Int) -> Int:
        self.levels.append((totals, label, tied, parent, branch, np.full(len(label), len(self.levels))))
        self.size += len(label)
        return np.arange(self.size - len(label), self.size)

    def settle(self, nodes: Int, why: Any) -> None:
        """Say why `nodes` are leaves (or OPEN)."""
        self.reasons.append((nodes, why))

    def split(
        self,
        nodes: Int,
        column: Int,
        point: Float,
        gain: Float,
        ties: Int,
        width: Int,
        totals: Any,
        label: Int,
        tied: Bool,
    ) -> Int:
        """Give tests to `nodes` of the last level; returns the indices of all their children."""
        first = self.size + width.cumsum() - width
        self.tests.append((nodes, column, point, gain, ties, first, width))
        parent = nodes.repeat(width)
        children = self._level(totals, label, tied, parent, parent)
        self.levels[-1] = (*self.levels[-1][:4], children - first.repeat(width), self.levels[-1][5])
        return children

    def finish(self) -> Tree:
        totals, label, tied, parent, branch, depth = (np.concatenate(part) for part in zip(*self.levels, strict=True))
        made: dict[str, Any] = {name: np.full(self.size, -1, dtype=np.intp) for name in ("column", "first")}
        made |= {name: np.zeros(self.size, dtype=np.intp) for name in ("width", "ties", "why")}
        made |= {"point": np.full(self.size, np.nan), "gain": np.zeros(self.size)}
        for nodes, why in self.reasons:
            made["why"][nodes] = why
        if self.tests:
            nodes, *tests = (np.concatenate(part) for part in zip(*self.tests, strict=True))
            for name, values in zip(("column", "point", "gain", "ties", "first", "width"), tests, strict=True):
                made[name][nodes] = values
            made["why"][nodes] = int(Why.TEST)
        made |= {"totals": totals.astype(np.float64), "label": label, "tied": tied, "parent": parent, "branch": branch}
        alive = np.ones(self.size, dtype=bool)
        return Tree(
            **{n: frozen(v) for n, v in (made | {"depth": depth, "nominal": self.nominal, "alive": alive}).items()}
        )
