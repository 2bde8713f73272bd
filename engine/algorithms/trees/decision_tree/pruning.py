"""Pruning a grown tree: the chi-squared test (AIMA 18.3.5) and reduced error on held-out rows (MIT
2.4.42).
"""

from collections.abc import Iterator

import numpy as np

from engine.algorithms.trees.parts.model import Tree, node_totals
from engine.base.records import Record
from engine.numerics.impurity import entropy_mass
from engine.table.problem import Problem

_EQUAL = 1e-9  # parts of rows that rounding alone sets apart


class Deviation(Record, eq=True):
    """Δ of a test from pure chance. freedom: degrees of freedom; critical: Δ at the significance
    level; p: the chance of a Δ at least as large if the attribute meant nothing.
    """

    delta: float
    freedom: int
    critical: float
    p: float


def critical_value(significance: float, freedom: int) -> float:
    """The Δ that chance alone exceeds with probability `significance`; ∞ for no degree of
    freedom.
    """
    from scipy.special import chdtri

    return float(chdtri(freedom, significance)) if freedom > 0 else float("inf")


def chance(delta: float, freedom: int) -> float:
    """P(χ² ≥ delta) with `freedom` degrees of freedom; 1 where nothing can deviate."""
    from scipy.special import chdtrc

    return float(chdtrc(freedom, delta)) if freedom > 0 else 1.0


class HeldOut(Record, eq=True):
    """The weight of held-out errors at a node: with the tree below it, and as a single leaf."""

    kept: float
    leaf: float
    rows: float

    @property
    def tied(self) -> bool:
        """Whether both are equal up to rounding."""
        return abs(self.kept - self.leaf) <= _EQUAL


class Pruning:
    """What lies below each node of a tree, kept up to date while it is pruned from below.

    unseen: held-out rows, None for the χ² test
    own, below: (N, 2) bits and errors of each node as a leaf, and with the tree below it
    counts: (N, 2) tests and leaves
    """

    def __init__(self, unseen: Problem | None, tree: Tree) -> None:
        self.unseen = unseen
        self.tree = tree
        self.own = np.column_stack([entropy_mass(tree.totals), tree.wrong(tree.totals)])
        self.below = self.own.copy()
        self.counts = np.tile([0, 1], (len(self.own), 1))
        if unseen is not None:
            totals = node_totals(tree, unseen.X, unseen.codes)
            self.rows = totals.sum(1)
            self.as_leaf = tree.wrong(totals)
            self.errors = self.as_leaf.copy()

    def tests(self) -> Iterator[int]:
        """Every test after all those below it, latest first; for the χ² test only those with leaves
        alone below.
        """
        for node in np.flatnonzero(self.tree.alive & (self.tree.column >= 0))[::-1].tolist():
            children = self.tree.children(node)
            self.below[node] = self.below[children].sum(0)
            self.counts[node] = self.counts[children].sum(0)
            self.counts[node, 0] += 1
            if self.unseen is not None:
                self.errors[node] = self.errors[children].sum()
                yield node
            elif self.counts[node, 0] == 1:
                yield node

    def held_out_errors(self, node: int) -> HeldOut:
        """The held-out errors at the test that `tests` has reached."""
        kept = float(self.errors[node])
        return HeldOut(kept, float(self.as_leaf[node]), float(self.rows[node]))

    def cut(self, node: int) -> tuple[float, float, int, int]:
        """Turns the node into a leaf; returns (bits, errors) added and (tests, leaves) removed."""
        bits, wrong = (self.own[node] - self.below[node]).tolist()
        tests, leaves = self.counts[node].tolist()
        self.below[node] = self.own[node]
        self.counts[node] = (0, 1)
        if self.unseen is not None:
            self.errors[node] = self.as_leaf[node]
        return bits, wrong, tests, leaves
