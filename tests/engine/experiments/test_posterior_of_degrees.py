"""The most probable polynomial against scipy and numpy, and the claims of AIMA 18.2 (aima A01-A03,
B07, B08, F01, F02).
"""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import softmax
from scipy.stats import norm

import engine
from engine.scene.scene import Bars, Role

SEVEN = engine.textbook("polynomial_seven")
EIGHT = engine.textbook("polynomial_eight")


def run(data: Any = SEVEN, **params: Any) -> Any:
    return engine.run("posterior_of_degrees", data, **params)


def logs(x: Any, y: Any, degrees: int, ratio: float, sigma: float) -> Any:
    """ln P(data | h) P(h) of each degree, by numpy and scipy."""
    found = []
    for k in range(degrees + 1):
        h = np.polynomial.Polynomial.fit(x, y, k)(x)
        found.append(norm.logpdf(y, h, sigma).sum() + k * np.log(ratio))
    return np.array(found)


@settings(max_examples=25, deadline=None)
@given(
    st.lists(st.integers(-9, 9), min_size=6, max_size=9),
    st.sampled_from([1.0, 0.5, 0.01]),
    st.sampled_from([0.3, 1.0, 10.0]),
)
def test_the_posterior_is_bayes_rule(y: list[int], ratio: float, sigma: float) -> None:
    x = np.arange(len(y), dtype=float)
    data = engine.Dataset.from_columns({"x": x, "y": np.array(y, float)}, "y", task="regress")
    state = run(data, degree=4, ratio=ratio, sigma=sigma)[-1].state
    wanted = softmax(logs(x, np.array(y, float), 4, ratio, sigma))
    assert state.posterior == pytest.approx(wanted, abs=1e-6)
    assert wanted[state.best] == pytest.approx(wanted.max())


def test_of_all_degrees_that_meet_the_line_the_simplest_is_the_most_probable() -> None:
    """aima A03, B07, Fig 18.1(a, b): the line and the curve of degree 7 fit the same eight points.

    Each higher degree has a tenth of the share: P(1 | data) = .9 / (1 − 10⁻⁷).
    """
    state = run(EIGHT, ratio=0.1)[-1].state
    assert [one.loss for one in state.weighed][1:] == [0] * 7
    assert state.best == 1
    assert state.posterior[1] == pytest.approx(0.9 / (1 - 1e-7), abs=1e-4)
    assert state.posterior[2:] / state.posterior[1:-1] == pytest.approx(0.1)


def test_without_a_prior_nothing_decides_between_curves_that_meet_every_point() -> None:
    trace = run(EIGHT, ratio=1.0)
    assert trace[-1].state.ties == [1, 2, 3, 4, 5, 6, 7]
    assert trace.when("tie") and trace[-1].state.best == 1
    assert "only a prior with r below 1 could decide" in trace[-1].note.text()


def test_how_sure_the_points_are_decides_between_line_and_degree_six() -> None:
    """aima B08, Fig 18.1(c): degree 6 meets the seven points that a line misses."""
    rough, sure = run(sigma=0.5)[-1].state, run(sigma=0.02)[-1].state
    assert (rough.best, sure.best) == (1, 6)
    assert rough.weighed[1].loss > 1 and rough.weighed[6].loss == pytest.approx(0, abs=1e-9)
    assert run(sigma=0.02, ratio=1e-6)[-1].state.best < 7


def test_the_right_space_wins_with_a_line_and_a_sine() -> None:
    """aima F02, Fig 18.1(d): a x + b + c sin x meets all seven points."""
    state = run(basis="with sine", sigma=0.02)[-1].state
    assert state.best == 1
    assert state.weighed[1].fit.powers == pytest.approx([3, 0.4, 1])


def test_a_stronger_prior_never_takes_a_higher_degree() -> None:
    """aima A01: the slider of the prior's strength."""
    best = [run(ratio=r, sigma=0.1)[-1].state.best for r in (1.0, 0.1, 1e-3, 1e-6)]
    assert best == sorted(best, reverse=True) and best[0] > best[-1]


def test_it_predicts_with_the_most_probable_curve() -> None:
    trace = run(EIGHT)
    assert trace.predict(np.array([[10.0]])) == pytest.approx([7.0])


def test_the_degree_at_hand_is_amber_and_later_ones_have_no_share_yet() -> None:
    trace = run()
    for step in trace:
        figures = trace.algorithm.scene(trace.given, step).figures
        bars = next(f for f in figures if isinstance(f, Bars))
        s = step.state
        lit = [k for k, role in enumerate(bars.roles) if role is Role.ACTIVE]
        assert lit == ([] if step.line == "prior" else [s.fit.degree])
        assert not s.weighed or int(np.isfinite(bars.values).sum()) == len(s.weighed)
