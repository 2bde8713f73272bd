"""Pruning a grown tree: the chi-squared test (AIMA 18.3.5) and reduced error on held-out rows (MIT 2.4.42)."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.core.arrays import Float
from engine.core.problem import Problem
from engine.numerics.impurity import entropy_mass
from engine.algorithms.trees.parts.model import Tree, node_totals

_EQUAL = 1e-9  # parts of rows that rounding alone sets apart


@dataclass(frozen=True, slots=True)
class Deviation:
    """Δ of a test from pure chance. freedom: degrees of freedom; critical: Δ at the significance level; p: the chance of
    a Δ at least as large if the attribute meant nothing."""

    delta: float
    freedom: int
    critical: float
    p: float

    @property
    def worth_keeping(self) -> bool:
        """Not explained by chance at the significance level."""
        return self.delta > self.critical


def expected_counts(branches: Any) -> Float:
    """p̂_k and n̂_k: the branches' class weights (b, classes) if every branch were mixed like the node. AIMA 18.3.5."""
    branches = np.asarray(branches, dtype=np.float64)
    return np.asarray(branches.sum(0) * branches.sum(1, keepdims=True) / branches.sum())


def chi_squared(branches: Any, significance: float = 0.05, count_empty: bool = True) -> Deviation:
    """The deviation of a test with class weights `branches` (b, classes).

    Degrees of freedom: (branches − 1) · (classes − 1), empty branches counted or not; with two classes AIMA's d − 1.
    Empty branches add nothing to Δ.
    """
    branches = np.asarray(branches, dtype=np.float64)
    expected = expected_counts(branches)
    parts = np.divide((branches - expected) ** 2, expected, out=np.zeros_like(expected), where=expected > 0)
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


@dataclass(frozen=True, slots=True)
class HeldOut:
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


class ReducedError:
    """Held-out errors of every subtree, bottom-up; `cut` notes that a node has become a leaf."""

    def __init__(self, tree: Tree, held_out: Problem) -> None:
        totals = node_totals(tree, held_out.X, held_out.codes)
        self.tree = tree
        self.rows = totals.sum(1)
        self.as_leaf: Float = self.rows - totals[np.arange(len(totals)), tree.label]
        self.below = self.as_leaf.copy()

    def judge(self, node: int) -> HeldOut:
        """To be asked of the lowest tests first."""
        self.below[node] = float(self.below[list(self.tree.children(node))].sum())
        return HeldOut(float(self.below[node]), float(self.as_leaf[node]), float(self.rows[node]))

    def cut(self, node: int) -> None:
        self.below[node] = self.as_leaf[node]


class Subtrees:
    """What hangs below each node, kept up to date while a tree is pruned from below."""

    def __init__(self, tree: Tree) -> None:
        size = tree.totals.sum(1)
        self.tree = tree
        self.own_bits: Float = entropy_mass(tree.totals)
        self.own_wrong: Float = size - tree.totals[np.arange(len(size)), tree.label]
        self.bits, self.wrong = self.own_bits.copy(), self.own_wrong.copy()
        self.tests = np.zeros(len(size), dtype=np.intp)
        self.leaves = np.ones(len(size), dtype=np.intp)

    def gather(self, node: int) -> None:
        """Sum up the children of a test; to be called from below."""
        children = list(self.tree.children(node))
        for part in (self.bits, self.wrong, self.tests, self.leaves):
            part[node] = part[children].sum()
        self.tests[node] += 1

    def cut(self, node: int) -> tuple[float, float, int, int]:
        """The node becomes a leaf: (bits, wrong weight) that come back, (tests, leaves) that go."""
        gone = int(self.tests[node]), int(self.leaves[node])
        back = float(self.own_bits[node] - self.bits[node]), float(self.own_wrong[node] - self.wrong[node])
        self.bits[node], self.wrong[node] = self.own_bits[node], self.own_wrong[node]
        self.tests[node], self.leaves[node] = 0, 1
        return *back, *gone


def tests_upwards(tree: Tree) -> list[int]:
    """The test nodes, every one after all the tests below it: in the reverse order of growing."""
    return [int(n) for n in np.flatnonzero(tree.alive & (tree.column >= 0))[::-1]]
