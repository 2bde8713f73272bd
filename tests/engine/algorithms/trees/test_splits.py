"""Candidate tests of many nodes at once against plain counting. AIMA 18.3.4, 18.3.6."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.algorithms.trees.parts.entries import Examples, Sample, branch_totals
from engine.algorithms.trees.parts.splits import cut_points, score_tests
from engine.base.work import finished
from engine.numerics import impurity
from engine.table.dataset import Feature, Kind
from tests.engine.algorithms.trees.grown import GAIN, rule

NUMBER = Feature("a")
WORD = Feature("b", Kind.CATEGORICAL, ("p", "q", "r"))
MEASURES = {
    "gain": impurity.gain,
    "ratio": impurity.gain_ratio,
    "gini": lambda b: float(
        impurity.gini(b.sum(0)) - (impurity.gini(b) * b.sum(1)).sum() / b.sum()
    ),
}


def sample_of(X, codes, features, weight=None, classes=2):
    table = Examples.of(np.asarray(X, float), features, np.asarray(codes), classes)
    sample = Sample.root(table) if weight is None else Sample.root(table).weighed(weight)
    return table, sample, table.totals(sample)


def scored(table, sample, totals, how=GAIN):
    return finished(
        score_tests(table, sample, totals, np.zeros((sample.groups, table.X.shape[1]), bool), how)
    )


def test_split_points_lie_only_between_neighbours_of_different_class() -> None:
    """aima A21.

    Values 1 2 3 4 5 6 of classes 0 0 1 1 1 0: 2.5 and 5.5; all five midpoints on request.
    """
    table, sample, totals = sample_of([[1], [2], [3], [4], [5], [6]], [0, 0, 1, 1, 1, 0], (NUMBER,))
    cuts = cut_points(table, sample, totals, np.array([0]), GAIN)
    assert cuts.points(cuts.place).tolist() == [2.5, 5.5]
    cuts = cut_points(table, sample, totals, np.array([0]), rule(every_midpoint=True))
    assert cuts.points(cuts.place).tolist() == [1.5, 2.5, 3.5, 4.5, 5.5]


def test_equal_values_of_different_class_make_both_sides_candidates() -> None:
    """aima A21, trap."""
    table, sample, totals = sample_of([[1], [2], [2], [3], [4]], [0, 0, 1, 1, 1], (NUMBER,))
    cuts = cut_points(table, sample, totals, np.array([0]), GAIN)
    assert cuts.points(cuts.place).tolist() == [1.5, 2.5]


def test_midpoints_that_rounding_would_push_up_stay_below() -> None:
    low = 1.0
    high = np.nextafter(low, 2)
    table, sample, totals = sample_of([[low], [high]], [0, 1], (NUMBER,))
    point = scored(table, sample, totals).point[0, 0]
    assert low <= point < high


def test_column_without_two_values_is_no_candidate() -> None:
    table, sample, totals = sample_of([[1, 0], [1, 0], [1, 0]], [0, 1, 1], (NUMBER, WORD))
    assert (scored(table, sample, totals).worth == -np.inf).all()


def test_missing_values_count_by_the_known_share() -> None:
    """aima A24 [K]: four of five know the value and divide purely, so the gain is 4/5 of a bit."""
    for features in ((NUMBER,), (WORD,)):
        table, sample, totals = sample_of([[0], [0], [1], [1], [np.nan]], [0, 0, 1, 1, 1], features)
        assert scored(table, sample, totals).gain[0, 0] == pytest.approx(0.8)


def test_value_against_the_rest() -> None:
    """aima A23: b = r tells everything, the three-way test too, but q and p are no use alone."""
    table, sample, totals = sample_of([[0], [1], [2], [2]], [0, 0, 1, 1], (WORD,))
    found = scored(table, sample, totals, rule(most_branches=2))
    assert found.point[0, 0] == 2
    assert found.gain[0, 0] == pytest.approx(1)
    assert branch_totals(table, sample, np.ones(len(sample.rows), bool), 0, 2.0).tolist() == [
        [2, 0],
        [0, 2],
    ]


VALUES = st.integers(0, 5)
ROWS = st.lists(
    st.tuples(VALUES, st.integers(0, 2), st.integers(0, 2), st.integers(0, 2), st.integers(1, 3)),
    min_size=1,
    max_size=30,
)


def brute(X, codes, weight, column, kind, measure, subset, classes):
    """The best importance of a column by plain counting; None without a test that divides."""
    values = X[:, column]
    if kind == "number":
        known = np.unique(values)
        tests = [(values > (a + b) / 2).astype(int) for a, b in pairwise(known)]
    elif subset:
        tests = [(values == v).astype(int) for v in range(3)]
    else:
        tests = [values.astype(int)]
    found = []
    for way in tests:
        counts = np.zeros((3, classes))
        np.add.at(counts, (way, codes), weight)
        if (counts.sum(1) > 0).sum() > 1:
            found.append(MEASURES[measure](counts))
    return max(found) if found else None


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(ROWS, st.sampled_from(["gain", "ratio", "gini"]), st.booleans(), st.booleans())
def test_many_nodes_at_once_equal_plain_counting(rows, importance, subset, weighted) -> None:
    data = np.array(rows)
    X = data[:, :2].astype(float)
    codes = data[:, 2]
    group = data[:, 3]
    weight = data[:, 4].astype(float) if weighted else None
    how = rule(importance, every_midpoint=True, most_branches=2 if subset else np.inf)
    table = Examples.of(X, (NUMBER, WORD), codes, 3)
    root = Sample.root(table)
    sample = Sample(root.rows, group, 3, weight, root.orders, root.twins, ordered=False).pick(
        np.isin(np.arange(3), group)
    )
    found = scored(table, sample, table.totals(sample), how)
    for g, name in enumerate(np.unique(group)):
        here = group == name
        w = np.ones(here.sum()) if weight is None else weight[here]
        for column, kind in ((0, "number"), (1, "word")):
            expected = brute(X[here], codes[here], w, column, kind, importance, subset, 3)
            if expected is None:
                assert found.worth[g, column] == -np.inf
            else:
                assert found.worth[g, column] == pytest.approx(expected, abs=1e-9)


@settings(max_examples=100, deadline=None)
@given(ROWS)
def test_class_changes_are_enough_for_the_best_gain(rows) -> None:
    """aima A21 and E18: the best of all midpoints is among the candidates."""
    data = np.array(rows)
    table, sample, totals = sample_of(data[:, :1], data[:, 2], (NUMBER,), classes=3)
    every = scored(table, sample, totals, rule(every_midpoint=True))
    few = scored(table, sample, totals)
    if impurity.entropy(totals)[0] > 0 and every.worth[0, 0] > 0:
        assert few.worth[0, 0] == pytest.approx(every.worth[0, 0])
