"""What is equal on paper, by the examples for which the rule is there."""

import numpy as np
import pytest

from engine.numerics.closeness import (
    OF_TERMS,
    at_most,
    equal,
    more,
    settled,
    tidy,
    tied_with_best,
    whole_above,
    whole_below,
)


def test_sums_in_another_order_are_equal() -> None:
    assert 0.1 + 0.2 != 0.3
    assert equal(0.1 + 0.2, 0.3)
    assert not equal(0.3, 0.3001)
    assert not more(0.1 + 0.2, 0.3)
    assert more(0.3001, 0.3)
    assert at_most(0.1 + 0.2, 0.3)
    assert not at_most(0.3001, 0.3)
    assert at_most(np.array([0.1 + 0.2, 0.3001, 0.1]), 0.3).tolist() == [True, False, True]


@pytest.mark.parametrize("unit", [1e-200, 1e-9, 1.0, 1e12, 1e200])
def test_the_unit_of_the_numbers_does_not_matter(unit: float) -> None:
    assert equal((0.1 + 0.2) * unit, 0.3 * unit)
    assert not equal(0.3 * unit, 0.301 * unit)
    assert tied_with_best(np.array([0.3, 0.1 + 0.2, 0.1]) * unit).tolist() == [True, True, False]


def test_what_is_left_of_large_terms_is_judged_by_their_size() -> None:
    left = 1e6 + 0.1 - 1e6 - 0.1  # 0 on paper
    assert left != 0 and not equal(left, 0.0)
    assert equal(left, 0.0, size=2e6)
    assert settled(left, 2e6) == 0
    assert settled(left, 1.0) == left
    assert settled(np.array([left, 0.5]), 2e6).tolist() == [0.0, 0.5]


def test_infinite_and_unknown_numbers() -> None:
    inf, nan = np.inf, np.nan
    assert equal(np.array([inf, inf, nan]), np.array([inf, 1.0, nan])).tolist() == [
        True,
        False,
        False,
    ]
    assert more(inf, 1.0) and not more(1.0, inf)
    assert tied_with_best(np.array([1.0, inf, inf])).tolist() == [False, True, True]
    assert tied_with_best(np.array([-inf, -inf])).tolist() == [True, True]


def test_ties_along_an_axis_with_a_size_of_their_own() -> None:
    scores = np.array([[1.0, 1.0 + 1e-10, 0.5], [-1.0, -2.0, -1.0 - 1e-10]])
    assert tied_with_best(scores).tolist() == [[True, True, False], [True, False, True]]
    assert tied_with_best(scores, share=OF_TERMS).sum() == 2
    size = np.array([[100.0], [1.0]])
    assert tied_with_best(scores, size=size, share=OF_TERMS).sum(axis=1).tolist() == [2, 1]
    assert tied_with_best(scores.T, axis=0).T.tolist() == tied_with_best(scores).tolist()


def test_whole_numbers_up_to_rounding() -> None:
    assert 0.1 * 3 / 0.1 > 3
    assert whole_above(0.1 * 3 / 0.1) == 3 and whole_above(3.001) == 4
    assert 0.7 / 0.1 < 7
    assert whole_below(0.7 / 0.1) == 7 and whole_below(6.999) == 6


def test_distances_that_are_equal_on_paper_are_equal_when_tidy() -> None:
    one, other = np.sqrt(0.5 - 0.3) ** 2, np.sqrt(0.1 + 0.1) ** 2
    assert tidy(np.array([one]))[0] == tidy(np.array([other]))[0]
    assert len(set(tidy(np.array([abs(0.5 - 0.3), abs(0.1 - 0.3)])))) == 1
    assert tidy(np.array([np.inf, 0.0])).tolist() == [np.inf, 0.0]
