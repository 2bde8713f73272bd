"""Entropy, gain, split information against AIMA 18.3.4, MIT 2.4 and their own laws."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.numerics.impurity import (
    boolean_entropy,
    entropy,
    entropy_mass,
    gain,
    gain_ratio,
    gini,
    remainder,
    split_information,
    total_entropy,
    total_error,
    total_gini,
    total_squares,
)

COUNTS = st.lists(st.lists(st.integers(0, 30), min_size=3, max_size=3), min_size=2, max_size=6)


def test_printed_entropies() -> None:
    """aima D05-D08: coin 1 bit, four-sided die 2 bits, coin of 99 % about 0.08 bit, B(½) = 1."""
    assert entropy([1, 1]) == pytest.approx(1)
    assert entropy([1, 1, 1, 1]) == pytest.approx(2)
    assert boolean_entropy(0.99) == pytest.approx(0.08, abs=0.005)
    assert boolean_entropy(0.5) == pytest.approx(1)
    assert boolean_entropy([0.0, 1.0]).tolist() == [0, 0]


def test_printed_gains_of_the_restaurant() -> None:
    """aima D09, D10; slides D59: Patrons 0.541 with 0.459 left, Type 0."""
    patrons, kinds = [[0, 2], [4, 0], [2, 4]], [[1, 1], [1, 1], [2, 2], [2, 2]]
    assert gain(patrons) == pytest.approx(0.541, abs=5e-4)
    assert remainder(patrons) == pytest.approx(0.459, abs=5e-4)
    assert gain(kinds) == pytest.approx(0, abs=1e-12)


def test_printed_average_entropies_of_mit() -> None:
    """mit D21a-c: H = 1 for 3 against 3; AE 0.92, 0.92, 0.81, 1 at the root."""
    assert entropy([3, 3]) == pytest.approx(1)
    splits = [[[1, 2], [2, 1]], [[1, 2], [2, 1]], [[0, 1], [3, 2]], [[1, 1], [2, 2]]]
    assert [remainder(s) for s in splits] == pytest.approx([0.92, 0.92, 0.81, 1], abs=5e-3)


def test_gini_and_empty_sets() -> None:
    assert gini([2, 2]) == pytest.approx(0.5)
    assert gini([[4, 0], [0, 0]]).tolist() == [0, 0]
    assert entropy([0, 0]) == 0


def test_split_information() -> None:
    """Equal halves are one bit; one branch alone is none, and the ratio has no value."""
    assert split_information([[3, 0], [0, 3]]) == pytest.approx(1)
    assert split_information([[3, 3], [0, 0]]) == 0
    assert np.isnan(gain_ratio([[3, 3], [0, 0]]))
    assert gain_ratio([[3, 0], [0, 3]]) == pytest.approx(1)


@given(COUNTS.filter(lambda c: sum(map(sum, c)) > 0))
def test_gain_is_never_negative_and_at_most_the_entropy(counts: list[list[int]]) -> None:
    total = np.sum(counts, axis=0)
    assert -1e-9 <= gain(counts) <= entropy(total) + 1e-9


@given(COUNTS)
def test_bits_looked_up_equal_bits_computed(counts: list[list[int]]) -> None:
    table = np.array(counts)
    many = np.tile(table, (20, 1))  # so many that they are looked up
    looked_up = total_entropy(list(many.T))
    computed = total_entropy(list(many.T.astype(np.float64)))
    assert looked_up.tolist() == computed.tolist()
    assert looked_up[: len(table)] == pytest.approx(entropy_mass(table), abs=1e-9)
    assert total_gini(list(table.T)) == pytest.approx(gini(table) * table.sum(1))


def test_the_error_is_all_but_the_heaviest_class() -> None:
    assert total_error([np.array([3.0, 0]), np.array([1.0, 0]), np.array([2.0, 0])]).tolist() == [
        3,
        0,
    ]


def test_squares_fall_by_as_much_as_the_squares_around_the_means() -> None:
    """1, 3 | 8: around 4 they are 26, around 2 and 8 they are 2."""
    parts = total_squares([np.array([2.0, 1.0]), np.array([4.0, 8.0])])
    whole = total_squares([np.array([3.0]), np.array([12.0])])
    assert whole[0] - parts.sum() == pytest.approx(24)
