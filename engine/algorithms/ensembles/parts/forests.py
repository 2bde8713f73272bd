"""Many grown trees: the votes for rows, and over the plane by painting the boxes of all their
leaves at once. Extension.
"""

from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Any

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
from engine.core.arrays import Float, Int
from engine.core.grid import Grid
from engine.core.problem import Problem
from engine.core.records import Record, replace

REMEMBERED, MOST_ROWS, MOST_LEAVES = 6, 5_000, 150
# by rows: trees, and what they say
_heard: "OrderedDict[bytes, tuple[tuple[Tree, ...], Int]]" = OrderedDict()


def said(learners: Sequence[Tree], X: Float) -> Int:
    """(trees, m) the class that each tree says of the rows X.

    Of the rows asked last the earlier trees are not asked again.
    """
    trees = tuple(learners)
    key = X.shape[1].to_bytes(4) + X.tobytes() if len(X) <= MOST_ROWS else b""
    known, labels = _heard.get(key, ((), np.zeros((0, len(X)), np.intp)))
    same = next(
        (i for i, (a, b) in enumerate(zip(trees, known, strict=False)) if a is not b),
        min(len(trees), len(known)),
    )
    if same < len(trees):
        labels = np.concatenate(
            [labels[:same], np.stack([predict(tree, X) for tree in trees[same:]])]
        )
        if key:
            _heard[key] = trees, labels
            while len(_heard) > REMEMBERED:
                _heard.popitem(last=False)
    return labels[: len(trees)]


def row_votes(learners: Sequence[Tree], X: Float, k: int) -> Float:
    """(k, m) how many of the trees say each class of the rows X."""
    labels = said(learners, X)
    return np.stack([np.count_nonzero(labels == c, axis=0) for c in range(k)]).astype(np.float64)


class Boxed(Record):
    """Leaves of trees that the plane cuts: the tree that each is of (k,), bounds (k, 4), label
    (k,), and their edges.
    """

    tree: Int
    bounds: Float
    label: Any
    across: Edges
    up: Edges


class Leaves:
    """The leaves of trees over the plane, as boxes; those of each tree are worked out once."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.known = dict[int, tuple[Tree, Boxed]]()
        self.lines = dict[int, Float]()
        self.latest: tuple[list[int], Boxed | None] = [], None

    def of(self, learners: Sequence[Tree]) -> list[Boxed]:
        """Those of each tree."""
        if new := [tree for tree in learners if id(tree) not in self.known]:
            trees = joint(new)
            ends, bounds = boxes(trees, self.problem)
            begin = np.searchsorted(ends, np.flatnonzero(trees.parent < 0))
            for tree, i, j in zip(
                new, begin.tolist(), [*begin[1:].tolist(), len(ends)], strict=True
            ):
                box = bounds[i:j]
                label = trees.label[ends[i:j]]
                edges = (Edges.of(np.ascontiguousarray(box[:, axis::2].T)) for axis in (0, 1))
                self.known[id(tree)] = tree, Boxed(np.zeros(j - i, np.intp), box, label, *edges)
        return [self.known[id(tree)][1] for tree in learners]

    def borders(self, learners: Sequence[Tree]) -> list[Float]:
        """(m, 2, 2) of each tree: where leaves of different class touch; none of one of very many,
        they would hide the points.
        """
        for tree, leaves in zip(learners, self.of(learners), strict=True):
            if id(tree) not in self.lines:
                few = len(leaves.label) <= MOST_LEAVES
                self.lines[id(tree)] = (
                    class_borders(leaves.bounds, leaves.label) if few else np.zeros((0, 2, 2))
                )
        return [self.lines[id(tree)] for tree in learners]

    def together(self, learners: Sequence[Tree]) -> Boxed:
        """Those of all the trees; what was asked last is remembered."""
        names = [id(tree) for tree in learners]
        if names != self.latest[0] or self.latest[1] is None:
            parts = self.of(learners)
            tree = np.arange(len(parts)).repeat([len(part.label) for part in parts])
            bounds, label = (
                np.concatenate([getattr(part, name) for part in parts])
                for name in ("bounds", "label")
            )
            edges = (
                Edges.beside([getattr(part, name) for part in parts]) for name in ("across", "up")
            )
            self.latest = names, Boxed(tree, bounds, label, *edges)
        assert self.latest[1] is not None
        return self.latest[1]

    def painted(
        self, learners: Sequence[Tree], grid: Grid, tell: Callable[[Float], Float]
    ) -> Float:
        """(ny, nx) what `tell` makes of the votes (k, …) at every place of the grid."""
        k = len(self.problem.classes)
        if not learners:
            return np.broadcast_to(tell(np.zeros((k, 1, 1))), grid.shape)
        leaves = self.together(learners)
        votes, rows, columns = raster(
            grid, leaves.across, leaves.up, leaves.label, np.ones(len(leaves.label)), k
        )
        return np.asarray(tell(votes).repeat(columns, axis=1).repeat(rows, axis=0))

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
        told, rows, columns = raster(grid, leaves.across, leaves.up, leaves.tree % k, amount, k)
        return told.repeat(columns, axis=2).repeat(rows, axis=1), 4 * float(np.abs(amount).sum())


def joint(trees: Sequence[Tree]) -> Tree:
    """The nodes of several trees as those of one that has as many roots."""
    sizes = np.array([len(tree.parent) for tree in trees])
    shift = (sizes.cumsum() - sizes).repeat(sizes)
    arrays: dict[str, Any] = {
        name: np.concatenate([getattr(tree, name) for tree in trees]) for name in ARRAYS
    }
    arrays |= {
        name: np.where(arrays[name] < 0, -1, arrays[name] + shift) for name in ("parent", "first")
    }
    return replace(trees[0], **arrays, memo={})


def grown_to(tree: Tree, node: int) -> Tree:
    """A tree whose nodes are numbered level by level, when `node` has just got its test; −1: all of
    it.
    """
    if node < 0:
        return replace(tree, memo={})
    size = int(tree.first[node] + tree.width[node])
    arrays: dict[str, Any] = {name: getattr(tree, name)[:size] for name in ARRAYS}
    settled = np.arange(size) <= node
    arrays |= {
        "column": np.where(settled, arrays["column"], -1),
        "why": np.where(settled, arrays["why"], Why.OPEN),
    }
    return replace(tree, **arrays, memo={})
