"""Many grown trees: the votes for rows, and over the plane by painting the boxes of all their leaves at once. Extension."""

from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from engine.algorithms.trees.parts.model import Tree, Why, boxes, predict, raster
from engine.core.arrays import Float, Int
from engine.core.grid import Grid
from engine.core.problem import Problem

REMEMBERED, MOST_ROWS = 6, 5_000
_heard: "OrderedDict[bytes, tuple[tuple[Tree, ...], Int]]" = OrderedDict()  # by rows: trees, and what they say


def said(learners: Sequence[Tree], X: Float) -> Int:
    """(trees, m) the class that each tree says of the rows X. Of the rows asked last the earlier trees are not asked again."""
    trees, key = tuple(learners), X.shape[1].to_bytes(4) + X.tobytes() if len(X) <= MOST_ROWS else b""
    known, labels = _heard.get(key, ((), np.zeros((0, len(X)), np.intp)))
    same = next(
        (i for i, (a, b) in enumerate(zip(trees, known, strict=False)) if a is not b), min(len(trees), len(known))
    )
    if same < len(trees):
        labels = np.concatenate([labels[:same], np.stack([predict(tree, X) for tree in trees[same:]])])
        if key:
            _heard[key] = trees, labels
            while len(_heard) > REMEMBERED:
                _heard.popitem(last=False)
    return labels[: len(trees)]


def row_votes(learners: Sequence[Tree], X: Float, k: int) -> Float:
    """(k, m) how many of the trees say each class of the rows X."""
    labels = said(learners, X)
    return np.stack([np.count_nonzero(labels == c, axis=0) for c in range(k)]).astype(np.float64)


class Leaves:
    """The boxes of the leaves of trees, each reckoned once."""

    def __init__(self, problem: Problem) -> None:
        self.problem, self.known = problem, dict[int, tuple[Tree, Float, Int]]()

    def of(self, learners: Sequence[Tree]) -> list[tuple[Tree, Float, Int]]:
        """For each tree (itself, bounds (leaves, 4) of those that the plane cuts, their classes)."""
        if new := [tree for tree in learners if id(tree) not in self.known]:
            trees = joint(new)
            ends, bounds = boxes(trees, self.problem)
            begin = np.searchsorted(ends, np.flatnonzero(trees.parent < 0))
            for tree, i, j in zip(new, begin.tolist(), [*begin[1:].tolist(), len(ends)], strict=True):
                self.known[id(tree)] = tree, bounds[i:j], trees.label[ends[i:j]]
        return [self.known[id(tree)] for tree in learners]

    def painted(self, learners: Sequence[Tree], grid: Grid, tell: Callable[[Float], Float]) -> Float:
        """(ny, nx) what `tell` makes of the votes (k, …) at every place of the grid."""
        k, parts = len(self.problem.classes), self.of(learners)
        if not parts:
            return np.broadcast_to(tell(np.zeros((k, 1, 1))), grid.shape)
        bounds, label = (np.concatenate([part[i] for part in parts]) for i in (1, 2))
        votes, rows, columns = raster(grid, bounds, label, np.ones(len(label)), k)
        return np.asarray(tell(votes).repeat(columns, axis=1).repeat(rows, axis=0))


_ARRAYS = tuple(name for name in Tree.__dataclass_fields__ if name not in ("nominal", "whole", "memo"))


def joint(trees: Sequence[Tree]) -> Tree:
    """The nodes of several trees as those of one that has as many roots."""
    sizes = np.array([len(tree.parent) for tree in trees])
    shift = (sizes.cumsum() - sizes).repeat(sizes)
    arrays: dict[str, Any] = {name: np.concatenate([getattr(tree, name) for tree in trees]) for name in _ARRAYS}
    arrays |= {name: np.where(arrays[name] < 0, -1, arrays[name] + shift) for name in ("parent", "first")}
    return replace(trees[0], **arrays, memo={})


def grown_to(tree: Tree, node: int) -> Tree:
    """A tree whose nodes are numbered level by level, when `node` has just got its test; −1: all of it."""
    if node < 0:
        return replace(tree, memo={})
    size = int(tree.first[node] + tree.width[node])
    arrays: dict[str, Any] = {name: getattr(tree, name)[:size] for name in _ARRAYS}
    settled = np.arange(size) <= node
    arrays |= {"column": np.where(settled, arrays["column"], -1), "why": np.where(settled, arrays["why"], Why.OPEN)}
    return replace(tree, **arrays, memo={})
