"""Many grown trees: the votes for rows, and over the plane by painting the boxes of all their
leaves at once. Extension.
"""

from collections.abc import Callable, Sequence
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from engine.algorithms.trees.parts.model import (
    ARRAYS,
    Edges,
    Tree,
    Why,
    boxes,
    class_borders,
    predict,
    raster,
)
from engine.base.arrays import Float, Int
from engine.base.grid import Grid
from engine.base.records import Record, replace
from engine.table.problem import Problem

MOST_LEAVES = 150  # of a tree whose borders are drawn
TABLES = 2  # of which it is remembered what a tree says: rows learnt from, rows held out
_SAID: "WeakKeyDictionary[Tree, list[tuple[Float, Int]]]" = WeakKeyDictionary()


def says(tree: Tree, X: Float) -> Int:
    """(m,) the class codes that a tree gives to rows X (m, d).

    Cached for a whole, read-only table, because every step of a run needs them.
    """
    if X.flags.writeable or X.base is not None:
        return predict(tree, X)
    known = _SAID.get(tree, [])
    for rows, labels in known:
        if rows is X:
            return labels
    labels = predict(tree, X).astype(np.int16)
    _SAID[tree] = [(X, labels), *known][:TABLES]
    return labels


def said(learners: Sequence[Tree], X: Float) -> Int:
    """(trees, m) the class codes that each tree gives to rows X (m, d)."""
    if not learners:
        return np.zeros((0, len(X)), np.intp)
    return np.stack([says(tree, X) for tree in learners])


def row_votes(learners: Sequence[Tree], X: Float, k: int) -> Float:
    """(k, m) the number of trees for each of k classes at rows X (m, d)."""
    labels = said(learners, X)
    return np.stack([np.count_nonzero(labels == c, axis=0) for c in range(k)]).astype(np.float64)


class Boxed(Record):
    """Leaves of trees that the plane cuts.

    tree: (k,) the number of the tree that each is of
    bounds: (k, 4) x0, y0, x1, y1 of each
    label: (k,) what each answers
    across, up: the edges of all, along x and along y
    """

    tree: Int
    bounds: Float
    label: Any
    across: Edges
    up: Edges

    @classmethod
    def of_tree(cls, bounds: Float, label: Any) -> "Boxed":
        """The leaves of one tree. bounds: (leaves, 4) on the plane; label: (leaves,)"""
        across = Edges.of(np.ascontiguousarray(bounds[:, 0::2].T))
        up = Edges.of(np.ascontiguousarray(bounds[:, 1::2].T))
        return cls(np.zeros(len(label), np.intp), bounds, label, across, up)

    @classmethod
    def of_trees(cls, parts: "Sequence[Boxed]") -> "Boxed":
        """The leaves of several trees together, numbered tree after tree."""
        tree = np.arange(len(parts)).repeat([len(part.label) for part in parts])
        return cls(
            tree,
            np.concatenate([part.bounds for part in parts]),
            np.concatenate([part.label for part in parts]),
            Edges.beside([part.across for part in parts]),
            Edges.beside([part.up for part in parts]),
        )


class Leaves:
    """The leaves of trees over the plane, as boxes; those of each tree are worked out once.

    known, lines: by the identity of a tree, which is kept so that no other one gets it
    latest: the trees of the last call, by identity, and their boxes
    """

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.known = dict[int, tuple[Tree, Boxed]]()
        self.lines = dict[int, Float]()
        self.latest: tuple[list[int], Boxed | None] = [], None

    def of(self, learners: Sequence[Tree]) -> list[Boxed]:
        """The leaves of each tree as boxes on the plane."""
        new = [tree for tree in learners if id(tree) not in self.known]
        if new:
            self.work_out(new)
        return [self.known[id(tree)][1] for tree in learners]

    def work_out(self, new: Sequence[Tree]) -> None:
        """Compute and keep the boxes of new trees, all at once."""
        trees = joint(new)
        ends, bounds = boxes(trees, self.problem)
        roots = np.flatnonzero(trees.parent < 0)
        begin = np.searchsorted(ends, roots).tolist()
        for tree, i, j in zip(new, begin, [*begin[1:], len(ends)], strict=True):
            self.known[id(tree)] = tree, Boxed.of_tree(bounds[i:j], trees.label[ends[i:j]])

    def borders(self, learners: Sequence[Tree]) -> list[Float]:
        """(m, 2, 2) of each tree: where leaves of different class touch; none of one of very many,
        they would hide the points.
        """
        for tree, leaves in zip(learners, self.of(learners), strict=True):
            if id(tree) not in self.lines:
                few = len(leaves.label) <= MOST_LEAVES
                lines = class_borders(leaves.bounds, leaves.label) if few else np.zeros((0, 2, 2))
                self.lines[id(tree)] = lines
        return [self.lines[id(tree)] for tree in learners]

    def together(self, learners: Sequence[Tree]) -> Boxed:
        """The leaves of all these trees together; the last result is kept."""
        names = [id(tree) for tree in learners]
        known, boxed = self.latest
        if boxed is None or names != known:
            boxed = Boxed.of_trees(self.of(learners))
            self.latest = names, boxed
        return boxed

    def painted(
        self, learners: Sequence[Tree], grid: Grid, read: Callable[[Float], Float]
    ) -> Float:
        """(ny, nx) what `read` makes of the votes (k, …) at every place of the grid."""
        k = len(self.problem.classes)
        if not learners:
            return np.broadcast_to(read(np.zeros((k, 1, 1))), grid.shape)
        leaves = self.together(learners)
        one = np.ones(len(leaves.label))
        votes, rows, columns = raster(grid, leaves.across, leaves.up, leaves.label, one, k)
        values = read(votes)
        return np.asarray(values.repeat(columns, axis=1).repeat(rows, axis=0))

    def summed(
        self, learners: Sequence[Tree], rates: Sequence[float], grid: Grid, k: int
    ) -> tuple[Float, float]:
        """((k, ny, nx) k sums of the values of every k-th tree times its rate, the size of all that
        was added up); not to the last bit what adding up tree by tree gives.
        """
        if not learners:
            return np.zeros((k, *grid.shape)), 0.0
        leaves = self.together(learners)
        amount = np.array(rates)[leaves.tree] * leaves.label
        sums, rows, columns = raster(grid, leaves.across, leaves.up, leaves.tree % k, amount, k)
        size = 4 * float(np.abs(amount).sum())
        return sums.repeat(columns, axis=2).repeat(rows, axis=1), size


def joint(trees: Sequence[Tree]) -> Tree:
    """The nodes of several trees in one `Tree` that has a root for each."""
    sizes = np.array([len(tree.parent) for tree in trees])
    shift = (sizes.cumsum() - sizes).repeat(sizes)
    arrays = dict[str, Any]()
    for name in ARRAYS:
        arrays[name] = np.concatenate([getattr(tree, name) for tree in trees])
    for name in ("parent", "first"):
        arrays[name] = np.where(arrays[name] < 0, -1, arrays[name] + shift)
    return replace(trees[0], **arrays, memo={})


def grown_to(tree: Tree, node: int) -> Tree:
    """A tree, numbered level by level, as it is when `node` has just got its test; −1: the whole
    tree.
    """
    if node < 0:
        return tree
    size = int(tree.first[node] + tree.width[node])
    arrays: dict[str, Any] = {name: getattr(tree, name)[:size] for name in ARRAYS}
    grown = np.arange(size) <= node
    arrays["column"] = np.where(grown, arrays["column"], -1)
    arrays["why"] = np.where(grown, arrays["why"], Why.OPEN)
    return replace(tree, **arrays, memo={})
