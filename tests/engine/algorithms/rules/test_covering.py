"""Why no rule without negation fits: a negative that holds 1 wherever a positive does.

MIT 2.2.18-2.2.40.
"""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.algorithms.rules.parts.covering import in_the_way, rows_of
from engine.numerics.boolean import covers, ones, twins

rows = st.lists(
    st.lists(st.sampled_from([0.0, 1.0]), min_size=3, max_size=3), min_size=2, max_size=9
)


def test_a_negative_above_a_positive_is_found() -> None:
    X = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    assert in_the_way(X, np.array([0, 1]), np.array([2])) == (0, 2)
    assert in_the_way(X, np.array([2]), np.array([0, 1])) is None


def test_equal_rows_come_first() -> None:
    X = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [0.0, 1.0]])
    assert in_the_way(X, np.array([0, 1]), np.array([2, 3])) == (1, 3)


def test_twins_differ_in_class_alone() -> None:
    X = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 0.0], [-0.0, 1.0]])
    assert twins(X, np.array([0, 0, 0, 1]), np.arange(4)) == (1, 3)
    assert twins(X, np.array([0, 0, 0, 1]), np.arange(3)) is None


@settings(max_examples=80, deadline=None)
@given(rows)
def test_nothing_in_the_way_means_that_every_positive_has_a_rule(drawn: list[list[float]]) -> None:
    """The rule that asks for all ones of a positive is the narrowest that covers it."""
    X = np.array(drawn)
    codes = np.arange(len(drawn)) % 2
    positives, negatives = rows_of(codes, 0), rows_of(codes, 1)
    clean = [not covers(ones(np.flatnonzero(X[i])), X[negatives]).any() for i in positives]
    found = in_the_way(X, positives, negatives)
    assert (found is None) == all(clean)
    if found is not None:
        assert codes[found[0]] == 0
        assert codes[found[1]] == 1
        assert (X[found[1]] >= X[found[0]]).all()
