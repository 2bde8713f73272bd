"""Whole rounds of mistakes: plain numbers, arrays, and one visit after the other by
hand all agree.
"""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.base.arrays import Float, Int
from engine.numerics import mistakes
from engine.numerics.mistakes import (
    Exact,
    grain,
    next_mistake,
    reach_of,
    settled_scores,
    wrong_side,
)
from engine.numerics.visits import Visits


def by_hand(
    X: Float, sign: Float, order: Int, w: Float, fires_at_zero: bool, rates: Float, moves: Float
) -> tuple[Float, int]:
    w = w.copy()
    mistakes = 0
    for i, rate in zip(order, rates, strict=True):
        score = float(w @ X[i])
        if ((score >= 0) != (sign[i] > 0)) if fires_at_zero else sign[i] * score <= 0:
            w = w + rate * sign[i] * moves * X[i]
            mistakes = mistakes + 1
    return w, mistakes


@given(st.integers(0, 10_000), st.sampled_from([1, 2, 3, 4, 7]), st.integers(1, 60), st.booleans())
def test_whole_numbers_give_the_same_round_as_one_visit_after_the_other(
    seed: int, d: int, n: int, fires_at_zero: bool
) -> None:
    rng = np.random.default_rng(seed)  # whole numbers: no sum is rounded, so equality is equality
    X = rng.integers(-4, 5, (n, d)).astype(float)
    sign = rng.choice([-1.0, 1.0], n)
    order = rng.permutation(n)
    w = rng.integers(-3, 4, d).astype(float)
    rates = rng.integers(1, 4, n).astype(float)
    moves = rng.integers(0, 2, d).astype(float)
    visits = Visits(X, sign, fires_at_zero, moves)
    for given_rates in (rates, 2.0, rates[::-1]):
        expected = by_hand(X, sign, order, w, fires_at_zero, np.broadcast_to(given_rates, n), moves)
        found = visits.whole_round(order, w, given_rates)
        assert found[1] == expected[1]
        assert found[0].tolist() == expected[0].tolist()
        order = order[::-1]
        w = found[0]


@given(
    st.integers(0, 10_000),
    st.sampled_from([1, 2]),
    st.sampled_from([-1.0, 1.0]),
    st.booleans(),
    st.booleans(),
)
def test_a_threshold_and_unlabelled_rows_give_the_same_round_as_well(
    seed: int, d: int, feature: float, fires_at_zero: bool, shared: bool
) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 60))
    X = np.column_stack([rng.integers(-4, 5, (n, d)), np.full(n, feature)])
    sign = rng.choice([-1.0, 0.0, 1.0], n)
    order = rng.permutation(n)
    moves = np.ones(d + 1)
    moves[-1] = not shared
    w = rng.integers(-3, 4, d + 1).astype(float)
    rates = np.full(n, 2.0)
    visits = Visits(X, sign, fires_at_zero, moves)
    for _ in range(3):
        labelled = order[sign[order] != 0]
        expected = by_hand(X, sign, labelled, w, fires_at_zero, rates[: len(labelled)], moves)
        found = visits.whole_round(order, w, 2.0)
        assert (found[0].tolist(), found[1]) == (expected[0].tolist(), expected[1])
        order = order[::-1]
        w = found[0]


@given(
    st.integers(0, 10_000), st.sampled_from([0.1, 0.2, 0.3, 0.5, 0.7]), st.booleans(), st.booleans()
)
def test_tenths_are_learnt_as_on_paper(
    seed: int, rate: float, fires_at_zero: bool, steady: bool
) -> None:
    """Fractions say which of them are mistakes; every way of visiting them says the same, for round
    after round.
    """
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(2, 9)), int(rng.integers(1, 3))
    X = rng.integers(-9, 10, (n, d)) / 10
    sign = rng.choice([-1.0, 1.0], n)
    order = np.arange(n)
    reach = reach_of(X, rate)
    eta = Fraction(round(rate * 10), 10)
    rows = [[Fraction(round(x * 10), 10) for x in row] for row in X.tolist()]
    exact = [Fraction(0)] * d
    w = np.zeros(d)
    v = np.zeros(d)
    visits = Visits(X, sign, fires_at_zero, reach=reach)
    rates = rate if steady else np.full(n, rate)
    for _ in range(12):
        wanted = 0
        for row, side in zip(rows, sign.tolist(), strict=True):
            score = sum((a * b for a, b in zip(exact, row, strict=True)), Fraction(0))
            if (score >= 0) != (side > 0) if fires_at_zero else side * score <= 0:
                exact = [a + eta * int(side) * b for a, b in zip(exact, row, strict=True)]
                wanted = wanted + 1
        w, found = visits.whole_round(order, w, rates)
        at = stepwise = 0
        while (miss := next_mistake(X, sign, order, at, v, fires_at_zero, reach)) < n:
            v = v + rate * sign[miss] * X[miss]
            at = miss + 1
            stepwise = stepwise + 1
        assert found == stepwise == wanted
        assert np.allclose(w, [float(part) for part in exact], atol=1e-9)
        assert np.allclose(v, w, atol=1e-9)


@given(st.integers(0, 10_000), st.booleans())
def test_a_point_on_the_line_up_to_rounding_counts_as_on_it(seed: int, steady: bool) -> None:
    """0.1 + 0.2 − 0.3 is no margin: one visit is a mistake exactly where `wrong_side` says so, on
    either way.
    """
    rng = np.random.default_rng(seed)
    w = np.append(rng.integers(1, 9, 2) / 10, 0.0)
    x = rng.integers(-9, 10, 2) / 10
    # on the line of one side or far from it
    w[2] = float(rng.choice([-1, 1])) * round(float(w[:2] @ x), 2)
    row = np.append(x, np.sign(w[2]) or 1.0)[None] * [[1, 1, -1]]
    sign = rng.choice([-1.0, 1.0], 1)
    rates = 0.1 if steady else np.full(1, 0.1)
    _, mistakes = Visits(row, sign, False).whole_round(np.zeros(1, np.intp), w, rates)
    assert mistakes == wrong_side(settled_scores(row, w), sign, False).sum()


def test_first_round_of_the_books_example() -> None:
    """MMDS example 12.4: after a, b, c and d the weights are right for the rest of the round."""
    X = np.array(
        [
            [1, 1, 0, 1, 1],
            [0, 0, 1, 1, 0],
            [0, 1, 1, 0, 0],
            [1, 0, 0, 1, 0],
            [1, 0, 1, 0, 1],
            [1, 0, 1, 1, 0],
        ]
    )
    sign = np.array([1, -1, 1, -1, 1, -1], float)
    w, mistakes = Visits(X.astype(float), sign, False).whole_round(
        np.arange(6), np.zeros(5), np.full(6, 0.5)
    )
    assert w.tolist() == [0, 1, 0, -0.5, 0.5]
    assert mistakes == 4


@given(st.integers(0, 10_000), st.booleans())
def test_rows_together_are_settled_as_each_alone(seed: int, tenths: bool) -> None:
    """Also beside rows of nothing known, and where most scores are far from 0 and some are 0 on
    paper.
    """
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(1, 30)), int(rng.integers(1, 5))
    X = rng.integers(-9, 10, (n, d)) / (10 if tenths else 1)
    w = rng.integers(-3, 4, d) * 0.3
    X[rng.random(n) < 0.1] = np.nan
    reach = reach_of(np.nan_to_num(X), 0.3)
    together = settled_scores(X, w, reach)
    alone = [float(settled_scores(x, w, reach)) for x in X]
    assert np.allclose(together, alone, equal_nan=True)
    assert ((together == 0) == (np.array(alone) == 0)).all()


def test_what_rows_are_multiples_of_is_found_when_a_score_is_near_0(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    calls: list[int] = []
    monkeypatch.setattr(
        mistakes, "grain", lambda values: calls.append(len(values)) or grain(values)
    )
    X, w = np.array([[2.0, 1.0], [3.0, 1.0]]), np.array([1.0, -1.0])
    exact = Exact.of(X, 0.5, [0.0])
    assert settled_scores(X, w, exact=exact).tolist() == [1.0, 2.0]
    assert not calls
    assert settled_scores(X, np.array([1.0, -2.0]), exact=exact).tolist() == [0.0, 1.0]
    assert calls


def test_whole_numbers_have_no_rounding_and_tenths_have() -> None:
    assert [grain(np.array(v)) for v in ([6.0, -20.0, 0.0], [0.75], [3e6], [0.0])] == [
        2.0,
        0.25,
        64.0,
        np.inf,
    ]
    millions = np.array([[2e6, -1.0], [3e6, -1.0]])
    # θ takes steps of ½: sums of halves are exact up to 2⁵³ of them
    exact = Exact.of(millions, 0.5, [0.0])
    assert exact.size == 2.0**52
    assert exact.near(millions, np.array([1e15, 1e16])).tolist() == [0.0, 1e4]
    # a place that is no whole number may be rounded
    assert exact.near(np.array([2e6, -0.3]), 1e15) == 1e3
    assert Exact.of(millions / 10**7, 0.5, [0.0]).size < 1e-9
    nothing: Any = None  # sums of nothing, and beyond all that is exact, need no look at the rows
    assert exact.near(nothing, np.array([0.0, 1e20, np.inf])).tolist() == [0.0, 1e8, np.inf]
