"""Pruning a grown tree: the chi-squared test (AIMA 18.3.5) and reduced error on held-out rows (MIT
2.4.42).
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from engine.core.arrays import Float
from engine.core.problem import Problem
from engine.core.records import Record
from engine.numerics.impurity import entropy_mass
from engine.algorithms.trees.decision_tree.params import Params
from engine.algorithms.trees.parts.model import Tree, node_totals

_EQUAL = 1e-9  # parts of rows that rounding alone sets apart


class Deviation(Record, eq=True):
    """Δ of a test from pure chance. freedom: degrees of freedom; critical: Δ at the significance
    level; p: the chance of a Δ at least as large if the attribute meant nothing.
    """

    delta: float
    freedom: int
    critical: float
    p: float

    @property
    def worth_keeping(self) -> bool:
        """Not explained by chance at the significance level."""
        return self.delta > self.critical


def expected_counts(branches: Any) -> Float:
    """p̂_k and n̂_k: the branches' class weights (b, classes) if every branch were mixed like the
    node. AIMA 18.3.5.
    """
    branches = np.asarray(branches, dtype=np.float64)
    return np.asarray(branches.sum(0) * branches.sum(1, keepdims=True) / branches.sum())


def chi_squared(branches: Any, significance: float = 0.05, count_empty: bool = True) -> Deviation:
    """The deviation of a test with class weights `branches` (b, classes).

    Degrees of freedom: (branches − 1) · (classes − 1), empty branches counted or not; with two
    classes AIMA's d − 1. Empty branches add nothing to Δ.
    """
    branches = np.asarray(branches, dtype=np.float64)
    expected = expected_counts(branches)
    parts = np.divide(
        (branches - expected) ** 2, expected, out=np.zeros_like(expected), where=expected > 0
    )
    width = len(branches) if count_empty else int((branches.sum(1) > 0).sum())
    freedom = (width - 1) * (int((branches.sum(0) > 0).sum()) - 1)
    delta = float(parts.sum())
    return Deviation(delta, freedom, critical_value(significance, freedom), chance(delta, freedom))


def critical_value(significance: float, freedom: int) -> float:
    """The Δ that pure chance exceeds with probability `significance`."""
    from scipy.special import chdtri

    return float(chdtri(freedom, significance)) if freedom > 0 else float("inf")


def chance(delta: float, freedom: int) -> float:
    """P(χ² ≥ delta) with `freedom` degrees of freedom; 1 where nothing can deviate."""
    from scipy.special import chdtrc

    return float(chdtrc(freedom, delta)) if freedom > 0 else 1.0


class HeldOut(Record, eq=True):
    """Wrong weight of the held-out rows at a node: kept as it is below, or as one leaf."""

    kept: float
    leaf: float
    rows: float

    @property
    def worth_keeping(self) -> bool:
        """Ties favour the smaller tree. MIT 2.4.42 leaves the rule open."""
        return self.kept < self.leaf - _EQUAL

    @property
    def tied(self) -> bool:
        return abs(self.kept - self.leaf) <= _EQUAL


class Pruning:
    """What hangs below each node of a tree, kept up to date while it is pruned from below. unseen:
    held-out rows, None for the test of chance.
    """

    def __init__(self, unseen: Problem | None, p: Params, tree: Tree) -> None:
        self.unseen, self.p, self.tree = unseen, p, tree
        # bits, wrong weight
        self.own = np.column_stack([entropy_mass(tree.totals), tree.wrong(tree.totals)])
        # tests, leaves
        self.below, self.counts = self.own.copy(), np.tile([0, 1], (len(self.own), 1))
        if unseen is not None:
            totals = node_totals(tree, unseen.X, unseen.codes)
            self.rows = totals.sum(1)
            self.as_leaf = tree.wrong(totals)
            self.errors = self.as_leaf.copy()

    def judged(self) -> Iterator[tuple[int, Deviation | HeldOut]]:
        """Every test after all those below it, in the reverse order of growing; by chance only
        those with leaves alone.
        """
        for node in np.flatnonzero(self.tree.alive & (self.tree.column >= 0))[::-1].tolist():
            children = list(self.tree.children(node))
            self.below[node], self.counts[node] = (
                self.below[children].sum(0),
                self.counts[children].sum(0),
            )
            self.counts[node, 0] += 1
            if self.unseen is not None:
                self.errors[node] = float(self.errors[children].sum())
                yield (
                    node,
                    HeldOut(
                        float(self.errors[node]), float(self.as_leaf[node]), float(self.rows[node])
                    ),
                )
            elif self.counts[node, 0] == 1:
                yield (
                    node,
                    chi_squared(
                        self.tree.totals[children],
                        self.p.significance,
                        self.p.freedom == "branches",
                    ),
                )

    def cut(self, node: int) -> tuple[float, float, int, int]:
        """The node becomes a leaf: (bits, wrong weight) that come back, (tests, leaves) that go."""
        (bits, wrong), (tests, leaves) = (
            (self.own[node] - self.below[node]).tolist(),
            self.counts[node].tolist(),
        )
        self.below[node], self.counts[node] = self.own[node], (0, 1)
        if self.unseen is not None:
            self.errors[node] = self.as_leaf[node]
        return bits, wrong, tests, leaves
