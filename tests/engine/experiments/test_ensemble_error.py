"""The error of a vote: printed ones, against scipy's binomial, counted beside the law, and members
that err together.
"""

import numpy as np
import pytest
from scipy.stats import binom

import engine
from engine.base.errors import EngineError
from engine.scene.scene import Role

ROWS = engine.Dataset.from_arrays(np.arange(20.0).reshape(10, 2), [0, 1] * 5)


def seen(**params):
    trace = engine.run("ensemble_error", ROWS, **params)
    return {one.K: one for one in trace[-1].state.seen}


@pytest.mark.parametrize(
    ("p", "K", "error"),
    [(0.2, 5, 0.0579), (0.1, 5, 0.0086), (0.2, 1, 0.2), (0.3, 21, 0.0264), (0.5, 7, 0.5)],
)
def test_printed_errors(p: float, K: int, error: float) -> None:
    """AIMA Ex 18.18: five of 0.2 err in .0579; 18.10: five of 0.1 in less than one of a hundred."""
    assert seen(error=p)[K].law == pytest.approx(error, abs=5e-5)


@pytest.mark.parametrize("p", [0.0, 0.15, 0.5, 0.8, 1.0])
def test_the_sum_is_scipys(p: float) -> None:
    for K, one in seen(error=p, members=41).items():
        assert one.law == one.alone == pytest.approx(binom.sf(K // 2, K, p), abs=1e-12)


def test_what_is_counted_is_as_the_law_says() -> None:
    """Of 10,000 cases within four standard deviations, correlated or not."""
    for rho in (0.0, 0.4):
        for one in seen(error=0.3, correlation=rho, cases=10_000, members=11).values():
            assert abs(one.counted - one.law) < 4 * np.sqrt(one.law * (1 - one.law) / 10_000)


def test_members_that_err_together_gain_less() -> None:
    found = [seen(error=0.2, correlation=rho)[25].law for rho in (0.0, 0.1, 0.3, 1.0)]
    assert found == sorted(found)
    assert found[-1] == pytest.approx(0.2)
    assert seen(error=0.1, correlation=0.3)[5].law == pytest.approx(0.0678, abs=5e-5)


def test_two_errors_have_the_correlation() -> None:
    """Of 10,000 cases with two of three members, ρ = 0.5, p = 0.3."""
    trace = engine.run("ensemble_error", ROWS, error=0.3, correlation=0.5, cases=10_000, members=3)
    from engine.experiments.ensemble_error import draw_errors

    errs = draw_errors(trace.given, np.random.default_rng(1))
    assert np.corrcoef(errs[:, 0], errs[:, 1])[0, 1] == pytest.approx(0.5, abs=0.04)


def test_the_first_below_one_in_a_hundred_is_marked_once() -> None:
    trace = engine.run("ensemble_error", ROWS, error=0.1)
    (step,) = [step for step in trace if "below 1 %" in step.events]
    assert step.state.K == 5


def test_shares_of_how_many_err() -> None:
    step = next(
        s
        for s in engine.run("ensemble_error", ROWS, error=1.0, members=3)
        if s.line == "count" and s.state.K == 3
    )
    assert step.state.counts.tolist() == [0, 0, 0, 1]
    assert step.state.wrong == 10 == len(ROWS)


def test_even_numbers_are_left_out_and_there_is_always_one() -> None:
    assert list(seen(members=6)) == [1, 3, 5]
    assert list(seen(members=2)) == [1]
    many = list(seen(members=301, cases=5))
    assert many[0] == 1
    assert many[-1] == 301
    assert len(many) == 30


@pytest.mark.parametrize(
    "params", [{"error": 1.2}, {"members": 0}, {"correlation": -0.1}, {"cases": 0}]
)
def test_bounds(params) -> None:
    with pytest.raises(EngineError, match="must lie between"):
        engine.run("ensemble_error", ROWS, **params)


def test_at_the_end_one_member_and_all_of_them_are_amber() -> None:
    trace = engine.run("ensemble_error", ROWS, members=9)
    plot = trace.algorithm.scene(trace.given, trace[-1]).figures[0]
    (amber,) = (layer for layer in plot.layers if layer.role is Role.ACTIVE)
    assert amber.xy[:, 0].tolist() == [1, 9]
    assert amber.xy[:, 1] == pytest.approx([trace.given.p.error, trace.given.law(9)])
