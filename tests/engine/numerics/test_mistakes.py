"""Whole rounds of mistakes: plain numbers, arrays, and one visit after the other by hand all agree."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from engine.core.arrays import Float, Int
from engine.numerics.mistakes import Visits


def by_hand(
    X: Float, sign: Float, order: Int, w: Float, fires_at_zero: bool, rates: Float, moves: Float
) -> tuple[Float, int]:
    w, mistakes = w.copy(), 0
    for i, rate in zip(order, rates, strict=True):
        score = float(w @ X[i])
        if ((score >= 0) != (sign[i] > 0)) if fires_at_zero else sign[i] * score <= 0:
            w, mistakes = w + rate * sign[i] * moves * X[i], mistakes + 1
    return w, mistakes


@given(st.integers(0, 10_000), st.sampled_from([1, 2, 3, 4, 7]), st.integers(1, 60), st.booleans())
def test_whole_numbers_give_the_same_round_as_one_visit_after_the_other(
    seed: int, d: int, n: int, fires_at_zero: bool
) -> None:
    rng = np.random.default_rng(seed)  # whole numbers: no sum is rounded, so equality is equality
    X, sign = rng.integers(-4, 5, (n, d)).astype(float), rng.choice([-1.0, 1.0], n)
    order, w, rates = rng.permutation(n), rng.integers(-3, 4, d).astype(float), rng.integers(1, 4, n).astype(float)
    moves = rng.integers(0, 2, d).astype(float)
    visits = Visits(X, sign, fires_at_zero, moves)
    for given_rates in (rates, np.broadcast_to(2.0, n), rates[::-1]):
        expected = by_hand(X, sign, order, w, fires_at_zero, given_rates, moves)
        found = visits.whole_round(order, w, given_rates)
        assert found[1] == expected[1]
        assert found[0].tolist() == expected[0].tolist()
        order, w = order[::-1], found[0]


def test_first_round_of_the_books_example() -> None:
    """MMDS example 12.4: after a, b, c and d the weights are right for the rest of the round."""
    X = np.array([[1, 1, 0, 1, 1], [0, 0, 1, 1, 0], [0, 1, 1, 0, 0], [1, 0, 0, 1, 0], [1, 0, 1, 0, 1], [1, 0, 1, 1, 0]])
    sign = np.array([1, -1, 1, -1, 1, -1], float)
    w, mistakes = Visits(X.astype(float), sign, False).whole_round(np.arange(6), np.zeros(5), np.full(6, 0.5))
    assert w.tolist() == [0, 1, 0, -0.5, 0.5]
    assert mistakes == 4
