"""k-d trees: their nodes, and what a search reads of them.

AIMA 18.8.2, ML 8.2.2.
"""

from enum import IntFlag

import numpy as np

from engine.base.arrays import Bool, Float, Int, frozen
from engine.base.records import Record, cached_property


class Guard(IntFlag):
    """Why a node departs from the plain rule, by which equal points would go to the left for
    ever.
    """

    NONE = 0
    NEXT_AXIS = 1  # all have the same value on the axis whose turn it is
    LOWERED = 2  # the median is the largest value: the next smaller one splits
    IDENTICAL = 4  # equal in every column: one leaf keeps them all


class KdTree(Record, dict=True, weakref=True):
    """N nodes, numbered from the root to the left first.

    axis: (N,) the column of a node's test, −1 at a leaf
    split: (N,) x ≤ split goes left, NaN at a leaf
    parent, left, right: (N,) numbers of nodes, or −1
    start, stop: (N,) node v has the rows order[start[v] : stop[v]]
    depth: (N,) its level, 0 at the root
    guard: (N,) see `Guard`
    order: (n,) rows of the table
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
        """N, the number of nodes."""
        return len(self.axis)

    def rows(self, node: int) -> Int:
        """The rows in the box of a node, ascending."""
        return np.sort(self.order[self.start[node] : self.stop[node]])

    @cached_property
    def leaves(self) -> Int:
        """(N + 1,) the number of leaves among the first v nodes."""
        return frozen(np.append(0, (self.axis < 0).cumsum()))

    @cached_property
    def deepest(self) -> Int:
        """(N + 1,) the largest depth among the first v nodes."""
        return frozen(np.append(0, np.maximum.accumulate(self.depth)))

    def leaf(self, node: int) -> bool:
        """Whether a node is a leaf."""
        return bool(self.axis[node] < 0)

    def way_to(self, node: int) -> list[int]:
        """The nodes from the root to `node`."""
        way = [node]
        while self.parent[way[-1]] >= 0:
            way.append(int(self.parent[way[-1]]))
        return way[::-1]

    def sides(self, node: int, x: Float) -> tuple[int, int]:
        """(the child on the side of x, the other child)."""
        left = int(self.left[node])
        right = int(self.right[node])
        if x[self.axis[node]] <= self.split[node]:
            return left, right
        return right, left

    def leaf_with(self, row: int) -> int:
        """The leaf whose rows include `row`."""
        place = int(np.flatnonzero(self.order == row)[0])
        leaves = (self.axis < 0) & (self.start <= place) & (place < self.stop)
        return int(np.flatnonzero(leaves)[0])

    def leaf_of(self, x: Float) -> int:
        """The leaf reached by the tests from the root for x (d,)."""
        node = 0
        while not self.leaf(node):
            node = self.sides(node, x)[0]
        return node


def plane_boxes(tree: KdTree, plane: tuple[int, ...]) -> Float:
    """(N, 4) the part of the plane that each node's tests leave, ±inf where open; hidden columns do
    not bound it.
    """
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
    start = tree.start[node]
    stop = tree.stop[node]
    inside = (tree.start >= start) & (tree.stop <= stop) & (np.arange(tree.size) >= node)
    return np.asarray(inside, np.bool_)
