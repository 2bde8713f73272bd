"""Chi-squared and reduced-error pruning. AIMA 18.3.5, MIT 2.4.42."""

import numpy as np
import pytest
from scipy.stats import chi2_contingency

import engine
from engine.algorithms.trees.decision_tree import chi_squared, expected_counts, worth_keeping
from engine.algorithms.trees.decision_tree.pruning import Pruning, chance, critical_value
from engine.table.dataset import Feature
from tests.engine.algorithms.trees.grown import grow

PATRONS = [[0, 2], [4, 0], [2, 4]]


def test_printed_critical_values() -> None:
    """aima D21: 5 % at 3 degrees 7.82; D22 [E]: 1 % is 11.34."""
    assert critical_value(0.05, 3) == pytest.approx(7.82, abs=0.01)
    assert critical_value(0.01, 3) == pytest.approx(11.34, abs=0.01)
    assert chance(critical_value(0.05, 3), 3) == pytest.approx(0.05)


def test_deviation_by_hand() -> None:
    """Patrons: expected 1, 2, 3 of each class; Δ = 1 + 1 + 2 + 2 + 1/3 + 1/3."""
    assert expected_counts(PATRONS).tolist() == [[1, 1], [2, 2], [3, 3]]
    found = chi_squared(PATRONS)
    assert found.delta == pytest.approx(20 / 3)
    assert found.freedom == 2
    assert worth_keeping(found)


def test_deviation_equals_scipys() -> None:
    table = np.array([[3.0, 1, 4], [1, 5, 9], [2, 6, 5]])
    statistic, p, freedom, _ = chi2_contingency(table, correction=False)
    found = chi_squared(table)
    assert (found.delta, found.p, found.freedom) == pytest.approx((statistic, p, freedom))


def test_degrees_of_freedom_of_empty_branches() -> None:
    """aima A19: d − 1, or non-empty branches − 1; empty branches add nothing to Δ."""
    table = [[2, 0], [0, 2], [0, 0], [0, 0]]
    assert chi_squared(table).freedom == 3
    assert chi_squared(table, count_empty=False).freedom == 1
    assert chi_squared(table).delta == pytest.approx(4)
    assert not worth_keeping(chi_squared(table))
    assert worth_keeping(chi_squared(table, count_empty=False))


def test_reduced_error_and_subtrees_count_what_is_below() -> None:
    X, codes = np.array([[0.0], [1.0], [2.0], [3.0]]), np.array([0, 1, 0, 0])
    tree = grow(X, (Feature("a"),), codes, None, 2)
    held = engine.prepare(engine.Dataset.from_arrays([[0.2], [1.2], [2.5], [0.9]], [0, 1, 1, 1]))
    pruning = Pruning(held, tree)
    assert list(pruning.tests()) == np.flatnonzero(tree.column >= 0)[::-1].tolist()
    assert pruning.held_out_errors(0).rows == 4
    assert pruning.counts[0].tolist() == [2, 3]  # tests, leaves
    assert pruning.cut(0) == pytest.approx((4 * 0.811278, 1, 2, 3), abs=1e-5)
