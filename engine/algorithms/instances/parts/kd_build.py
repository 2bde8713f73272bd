"""Building k-d trees: halve at the lower median, with guards where equal numbers forbid it.

AIMA 18.8.2, ML 8.2.2.
"""

from functools import lru_cache

import numpy as np

from engine.algorithms.instances.parts.kd import Guard, KdTree
from engine.core.arrays import Bool, Float, Int, frozen
from engine.core.records import Record, replace
from engine.core.work import Work, finished
from engine.numerics.closeness import tidy

# the shape of larger trees is worked out each time: it would take too much room
_REMEMBERED = 50_000


def build(X: Float, widest: bool, leaf_size: int) -> Work[KdTree]:
    """The tree of rows X (n, d), n ≥ 1: nodes with more than `leaf_size` rows are split."""
    return halved(X, widest, leaf_size) or (yield from grown(X, widest, leaf_size))


# -- distinct numbers: the shape is known beforehand -----------------------------------------------


class Shape(Record):
    """What the lower median makes of n rows whose numbers differ: sizes alone decide, whatever the
    numbers are.

    tree: of the numbers 0 … n − 1; levels: for each depth its inner nodes (m,), the places (n,)
    inside them, the last place of each left part (m,), and the places (n,) in right parts
    """

    tree: KdTree
    levels: tuple[tuple[Int, Bool, Int, Bool], ...]


def halved(X: Float, widest: bool, leaf_size: int) -> KdTree | None:
    """The tree of rows X (n, d) where no median occurs twice in its node; None where one does.

    The rows stand in one order for each column, those of a node together, sorted. To split moves
    the rows of left parts to the places of left parts, in all columns alike: these places are
    known, and the order among the rows stays.
    """
    n, d = X.shape
    shape = shape_of(n, leaf_size) if n <= _REMEMBERED else shape_of.__wrapped__(n, leaf_size)
    tree = shape.tree
    orders = np.array([np.argsort(X[:, j]) for j in range(d)])
    axis = np.full(tree.size, -1)
    split = np.full(tree.size, np.nan)
    goes_right = np.empty(n, bool)
    for depth, (nodes, inside, last, right) in enumerate(shape.levels):
        found: int | Int = depth % d
        here = orders[found]
        if widest:
            found = widest_columns(X, orders, tree.start[nodes], tree.stop[nodes])
            column = np.zeros(n, np.intp)
            column[inside] = np.repeat(found, tree.stop[nodes] - tree.start[nodes])
            here = orders[column, np.arange(n)]
        median = X[here[last], found]
        if (X[here[last + 1], found] == median).any():
            return None
        axis[nodes], split[nodes] = found, median
        goes_right[here] = right
        left = ~right
        for order in (orders[j] for j in range(d) if widest or j != found):
            moves = goes_right[order]
            order[right], order[left] = order[moves], order[~moves]
    return replace(tree, axis=frozen(axis), split=frozen(split), order=frozen(orders[0]))


@lru_cache(maxsize=4)
def shape_of(n: int, leaf_size: int) -> Shape:
    tree = finished(grown(np.arange(n, dtype=np.float64)[:, None], False, leaf_size))
    levels = []
    for depth in range(int(tree.depth.max())):
        nodes = np.flatnonzero((tree.depth == depth) & (tree.axis >= 0))
        # +1 where places begin to be inside, to be right; −1 where they cease
        turns = np.zeros((2, n + 1), np.intp)
        for kind, first in enumerate((tree.start[nodes], tree.start[tree.right[nodes]])):
            np.add.at(turns[kind], first, 1)
            np.add.at(turns[kind], tree.stop[nodes], -1)
        inside, right = turns.cumsum(axis=1)[:, :n] > 0
        levels.append((nodes, inside, tree.start[tree.right[nodes]] - 1, right))
    return Shape(tree, tuple(levels))


def widest_columns(X: Float, orders: Int, start: Int, stop: Int) -> Int:
    """(m,) the column with the widest spread in each node, the first of several that are equal on
    paper.
    """
    axes = np.arange(X.shape[1])[:, None]
    low, high = X[orders[:, start], axes].T, X[orders[:, stop - 1], axes].T
    return np.asarray(tidy(high / 2 - low / 2).argmax(axis=1), np.intp)


# -- any numbers -----------------------------------------------------------------------------------


def grown(X: Float, widest: bool, leaf_size: int) -> Work[KdTree]:
    """The tree of any rows, equal numbers among them. All nodes of a depth at once."""
    # per column; rows of one node stay together, sorted
    orders = np.argsort(X, axis=0, kind="stable").T.copy()
    start = np.zeros(1, np.intp)
    stop = np.full(1, len(X), np.intp)
    parent = np.full(1, -1, np.intp)
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
            {
                "axis": axis,
                "split": split,
                "parent": parent,
                "left": left,
                "right": right,
                "start": start,
                "stop": stop,
                "depth": np.full(len(axis), len(levels)),
                "guard": guard,
            }
        )
        parent = np.repeat(made + inner, 2)
        made += len(axis)
        start, stop = (
            np.column_stack([start[inner], middle]).ravel(),
            np.column_stack([middle, stop[inner]]).ravel(),
        )
        yield
    return numbered(levels, orders[0])


def tests(
    X: Float, orders: Int, start: Int, stop: Int, depth: int, widest: bool, leaf_size: int
) -> tuple[Int, Float, Int]:
    """(axis, split, guard) of all nodes at one depth."""
    axes = np.arange(X.shape[1])[:, None]
    low, high = X[orders[:, start], axes].T, X[orders[:, stop - 1], axes].T
    varied = high > low
    big = stop - start > leaf_size
    if widest:
        axis = np.where(varied, tidy(high / 2 - low / 2), -1.0).argmax(1)
        guard = np.zeros(len(start), np.intp)
    else:
        turn = (depth + axes[:, 0]) % X.shape[1]
        skipped = varied[:, turn].argmax(1)
        axis = turn[skipped]
        guard = np.where(skipped > 0, int(Guard.NEXT_AXIS), 0)
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
    """Where the right part of each node begins; rearranges `orders` so that each part keeps its
    ascending order.
    """
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
    spans = [
        np.arange(end - len(level["axis"]), end) for level, end in zip(levels, ends, strict=True)
    ]
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
    return KdTree(
        **{name: frozen(values) for name, values in {**rest, **links}.items()},
        order=frozen(order.copy()),
    )
