"""k-d trees: boxes halved at the lower median, level by level, and what a search asks of them. AIMA 18.8.2, ML 8.2.2."""

from dataclasses import dataclass
from enum import IntFlag

import numpy as np

from engine.core.arrays import Bool, Float, Int, frozen


class Guard(IntFlag):
    """Why a node is not what the plain rule makes of it: without it equal points would go left for ever."""

    NONE = 0
    NEXT_AXIS = 1  # all have the same value on the axis whose turn it is
    LOWERED = 2  # the median is the largest value: the next smaller one splits
    IDENTICAL = 4  # equal in every column: one leaf keeps them all


@dataclass(frozen=True, slots=True, eq=False)
class KdTree:
    """N nodes, numbered from the root to the left first; node v has the rows order[start[v] : stop[v]].

    axis (N,): column of its test, −1 at a leaf; split (N,): x ≤ split goes left, NaN at a leaf; parent, left, right (N,):
    node numbers or −1; depth (N,); guard (N,): see Guard; order (n,): table rows
    """

    axis: Int
    split: Float
    parent: Int
    left: Int
    right: Int
    start: Int
    stop: Int
    depth: Int
    guard: Int
    order: Int

    @property
    def size(self) -> int:
        return len(self.axis)

    def rows(self, node: int) -> Int:
        return np.sort(self.order[self.start[node] : self.stop[node]])

    def leaf(self, node: int) -> bool:
        return bool(self.axis[node] < 0)

    def way_to(self, node: int) -> list[int]:
        """The nodes from the root to `node`."""
        way = [node]
        while self.parent[way[-1]] >= 0:
            way.append(int(self.parent[way[-1]]))
        return way[::-1]

    def sides(self, node: int, x: Float) -> tuple[int, int]:
        """(the child on the side of x, the other child)."""
        left, right = int(self.left[node]), int(self.right[node])
        return (left, right) if x[self.axis[node]] <= self.split[node] else (right, left)

    def leaf_of(self, x: Float) -> int:
        """Exact look-up: follow the tests."""
        node = 0
        while not self.leaf(node):
            node = self.sides(node, x)[0]
        return node


# -- building ----------------------------------------------------------------------------------------------------------


def build(X: Float, widest: bool, leaf_size: int) -> KdTree:
    """The tree of rows X (n, d), n ≥ 1: nodes with more than `leaf_size` rows are split. All nodes of a depth at once."""
    orders = np.argsort(X, axis=0, kind="stable").T.copy()  # per column; rows of one node stay together, sorted
    start, stop, parent = np.zeros(1, np.intp), np.full(1, len(X), np.intp), np.full(1, -1, np.intp)
    levels: list[dict[str, Int | Float]] = []
    made = 0
    while len(start):
        axis, split, guard = tests(X, orders, start, stop, len(levels), widest, leaf_size)
        inner = np.flatnonzero(axis >= 0)
        middle = part(X, orders, start[inner], stop[inner], axis[inner], split[inner])
        left, right = np.full(len(axis), -1, np.intp), np.full(len(axis), -1, np.intp)
        left[inner] = made + len(axis) + 2 * np.arange(len(inner))
        right[inner] = left[inner] + 1
        levels.append(
            {"axis": axis, "split": split, "parent": parent, "left": left, "right": right, "start": start, "stop": stop,
             "depth": np.full(len(axis), len(levels)), "guard": guard}
        )  # fmt: skip
        parent = np.repeat(made + inner, 2)
        made += len(axis)
        start, stop = (
            np.column_stack([start[inner], middle]).ravel(),
            np.column_stack([middle, stop[inner]]).ravel(),
        )
    return numbered(levels, orders[0])


def tests(
    X: Float, orders: Int, start: Int, stop: Int, depth: int, widest: bool, leaf_size: int
) -> tuple[Int, Float, Int]:
    """(axis, split, guard) of all nodes at one depth."""
    axes = np.arange(X.shape[1])[:, None]
    low, high = X[orders[:, start], axes].T, X[orders[:, stop - 1], axes].T
    varied, big = high > low, stop - start > leaf_size
    if widest:
        axis = np.where(varied, high / 2 - low / 2, -1.0).argmax(1)
        guard = np.zeros(len(start), np.intp)
    else:
        turn = (depth + axes[:, 0]) % X.shape[1]
        skipped = varied[:, turn].argmax(1)
        axis, guard = turn[skipped], np.where(skipped > 0, int(Guard.NEXT_AXIS), 0)
    split = X[orders[axis, start + (stop - start - 1) // 2], axis]
    can = big & varied.any(1)
    top = np.flatnonzero(can & (split == high[np.arange(len(axis)), axis]))
    split[top] = [below(X[orders[axis[v], start[v] : stop[v]], axis[v]]) for v in top]
    guard[top] |= int(Guard.LOWERED)
    guard = np.where(can, guard, np.where(big, int(Guard.IDENTICAL), 0))
    return np.where(can, axis, -1), np.where(can, split, np.nan), guard


def below(ascending: Float) -> float:
    """The largest value that is smaller than the last."""
    return float(ascending[np.searchsorted(ascending, ascending[-1]) - 1])


def part(X: Float, orders: Int, start: Int, stop: Int, axis: Int, split: Float) -> Int:
    """Where the right part of each node begins; rearranges `orders` so that each part keeps its ascending order."""
    count = stop - start
    if not len(count):
        return start
    first = np.concatenate([[0], np.cumsum(count)[:-1]])
    node = np.repeat(np.arange(len(count)), count)
    place = np.arange(len(node)) + np.repeat(start - first, count)
    goes_right = np.zeros(len(X), dtype=bool)
    here = orders[0, place]
    goes_right[here] = X[here, axis[node]] > split[node]
    in_left = count - np.add.reduceat(goes_right[here].astype(np.intp), first)
    middle = start + in_left
    for order in orders:
        rows = order[place]
        right = goes_right[rows]
        seen = np.cumsum(right) - right  # rows that went right before this one, in all nodes
        seen -= np.repeat(seen[first], count)
        order[np.where(right, np.repeat(middle, count) + seen, place - seen)] = rows
    return np.asarray(middle, np.intp)


def numbered(levels: list[dict[str, Int | Float]], order: Int) -> KdTree:
    """The levels as one tree, its nodes numbered in the order in which the recursion meets them."""
    flat = {name: np.concatenate([level[name] for level in levels]) for name in levels[0]}
    left, right = flat["left"], flat["right"]
    sizes = np.ones(len(left), np.intp)
    ends = np.cumsum([len(level["axis"]) for level in levels])
    spans = [np.arange(end - len(level["axis"]), end) for level, end in zip(levels, ends, strict=True)]
    inner = [span[left[span] >= 0] for span in spans]
    for nodes in reversed(inner):
        sizes[nodes] += sizes[left[nodes]] + sizes[right[nodes]]
    new = np.zeros(len(left) + 1, np.intp)
    new[-1] = -1  # no node stays no node
    for nodes in inner:
        new[left[nodes]] = new[nodes] + 1
        new[right[nodes]] = new[nodes] + 1 + sizes[left[nodes]]
    old = np.argsort(new[:-1])
    links = {name: new[flat[name][old]] for name in ("parent", "left", "right")}
    rest = {name: values[old] for name, values in flat.items() if name not in links}
    return KdTree(**{name: frozen(values) for name, values in {**rest, **links}.items()}, order=frozen(order.copy()))


# -- asking ------------------------------------------------------------------------------------------------------------


def spreads(X: Float, rows: Int) -> Float:
    """(d,) largest minus smallest value of each column."""
    with np.errstate(over="ignore"):
        return np.asarray(np.ptp(X[rows], axis=0), np.float64)


def plane_boxes(tree: KdTree, plane: tuple[int, ...]) -> Float:
    """(N, 4) the part of the plane that each node's tests leave, ±inf where open; hidden columns do not bound it."""
    bounds = np.tile([-np.inf, -np.inf, np.inf, np.inf], (tree.size, 1))
    for depth in range(int(tree.depth.max())):
        nodes = np.flatnonzero((tree.depth == depth) & (tree.axis >= 0))
        for child in (tree.left, tree.right):
            bounds[child[nodes]] = bounds[nodes]
        for at, column in enumerate(plane):
            cut = nodes[tree.axis[nodes] == column]
            bounds[tree.left[cut], 2 + at] = tree.split[cut]
            bounds[tree.right[cut], at] = tree.split[cut]
    return bounds


def under(tree: KdTree, node: int) -> Bool:
    """(N,) the node and all below it: a run of numbers."""
    start, stop = tree.start[node], tree.stop[node]
    inside = (tree.start >= start) & (tree.stop <= stop) & (np.arange(tree.size) >= node)
    return np.asarray(inside, np.bool_)
