"""Building k-d trees: halve at the lower median, with guards where equal numbers forbid it.

AIMA 18.8.2, ML 8.2.2.
"""

import numpy as np

from engine.algorithms.instances.parts.kd import Guard, KdTree
from engine.base.arrays import Float, Int, frozen
from engine.base.work import Work
from engine.numerics.closeness import tidy


def build(X: Float, widest: bool, leaf_size: int) -> Work[KdTree]:
    """The tree of rows X (n, d), n ≥ 1: nodes with more than `leaf_size` rows are cut.

    Node by node as the book has it: by the column whose turn it is, or with the widest spread, at
    the lower median. All nodes of a level are cut at once, which gives the same tree.
    """
    # (d, n) by each column the rows in its order; those of a node stand together
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
        left = np.full(len(axis), -1, np.intp)
        left[inner] = made + len(axis) + 2 * np.arange(len(inner))
        right = np.where(left < 0, -1, left + 1)
        level = {
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
        levels.append(level)
        parent = np.repeat(made + inner, 2)
        made += len(axis)
        stop = np.column_stack([middle, stop[inner]]).ravel()
        start = np.column_stack([start[inner], middle]).ravel()
        yield
    return numbered(levels, orders[0])


def tests(
    X: Float, orders: Int, start: Int, stop: Int, depth: int, widest: bool, leaf_size: int
) -> tuple[Int, Float, Int]:
    """(axis (m,), split (m,), guard (m,)) of the m nodes at one depth."""
    d = X.shape[1]
    columns = np.arange(d)[:, None]
    nodes = np.arange(len(start))
    low = X[orders[:, start], columns].T  # (m, d)
    high = X[orders[:, stop - 1], columns].T
    varied = high > low
    if widest:
        spread = np.where(varied, tidy(high / 2 - low / 2), -1.0)
        axis = spread.argmax(axis=1)
        guard = np.zeros(len(start), np.intp)
    else:
        turn = (depth + np.arange(d)) % d
        passed_over = varied[:, turn].argmax(axis=1)
        axis = turn[passed_over]
        guard = np.where(passed_over > 0, int(Guard.NEXT_AXIS), 0)
    split = X[orders[axis, start + (stop - start - 1) // 2], axis]  # the lower median
    big = stop - start > leaf_size
    can = big & varied.any(axis=1)
    for v in np.flatnonzero(can & (split == high[nodes, axis])):
        split[v] = below(X[orders[axis[v], start[v] : stop[v]], axis[v]])
        guard[v] |= int(Guard.LOWERED)
    identical = np.where(big, int(Guard.IDENTICAL), 0)
    return np.where(can, axis, -1), np.where(can, split, np.nan), np.where(can, guard, identical)


def below(ascending: Float) -> float:
    """The largest value of an ascending array that is below its last one."""
    return float(ascending[np.searchsorted(ascending, ascending[-1]) - 1])


def part(X: Float, orders: Int, start: Int, stop: Int, axis: Int, split: Float) -> Int:
    """(m,) where the right part of each of m nodes begins; rearranges `orders` so that each part
    keeps its ascending order.
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
    """The tree of these levels, its nodes numbered in preorder."""
    flat = {name: np.concatenate([level[name] for level in levels]) for name in levels[0]}
    left = flat["left"]
    right = flat["right"]
    ends = np.cumsum([len(level["axis"]) for level in levels])
    inner = [nodes[left[nodes] >= 0] for nodes in np.split(np.arange(ends[-1]), ends[:-1])]
    sizes = np.ones(len(left), np.intp)  # nodes from each on down
    for nodes in reversed(inner):
        sizes[nodes] += sizes[left[nodes]] + sizes[right[nodes]]
    new = np.zeros(len(left) + 1, np.intp)
    new[-1] = -1  # no node stays no node
    for nodes in inner:
        new[left[nodes]] = new[nodes] + 1
        new[right[nodes]] = new[nodes] + 1 + sizes[left[nodes]]
    old = np.argsort(new[:-1])
    fields = {name: values[old] for name, values in flat.items()}
    for name in ("parent", "left", "right"):
        fields[name] = new[fields[name]]
    read_only = {name: frozen(values) for name, values in fields.items()}
    return KdTree(**read_only, order=frozen(order.copy()))
