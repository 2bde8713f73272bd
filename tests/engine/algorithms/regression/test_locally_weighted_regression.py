"""Locally weighted regression against AIMA Fig 18.28-18.29, ML Eqs 8.5-8.7 and scikit-learn."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.linear_model import LinearRegression

import engine
from engine.scene.scene import Segments

DRAWING = engine.textbook("regression_points")
X = np.array([0, 1.2, 2, 3, 4.1, 5, 6, 7.3, 8, 9, 10.2, 11, 12, 13, 14])
Y = np.array([2.0, 2.6, 3.1, 4.0, 4.2, 4.8, 7.4, 5.1, 5.6, 5.4, 6.0, 6.2, 6.8, 6.9, 7.6])


def run(**params):
    return engine.run("locally_weighted_regression", DRAWING, **{"width": 10.0, **params})


def test_quadratic_kernel_of_width_ten_on_the_drawing() -> None:
    """AIMA Fig 18.28(d): at each query the weighted line of max(0, 1 − (2d/10)²), by normal
    equations.
    """
    q = np.linspace(0, 14, 29)
    found = run().predict(q[:, None])
    for at, value in zip(q, found, strict=True):
        w = np.maximum(0, 1 - (2 * np.abs(X - at) / 10) ** 2)
        A = np.column_stack([np.ones(15), X])
        a, b = np.linalg.solve(A.T @ (w[:, None] * A), A.T @ (w * Y))
        assert value == pytest.approx(a + b * at)


def test_the_outlier_is_smoothed_away() -> None:
    """AIMA F43: connect the dots goes to 7.4 at x = 6, this curve stays below 6 and rises on."""
    curve = run().predict(np.linspace(0, 14, 57)[:, None])
    assert run().predict([[6.0]])[0] < 6
    assert (np.diff(curve) > 0).all()


def test_very_wide_is_one_straight_line_very_narrow_follows_the_points() -> None:
    """AIMA F44."""
    q = np.linspace(0, 14, 15)
    line = LinearRegression().fit(X[:, None], Y).predict(q[:, None])
    assert np.allclose(run(width=1e5).predict(q[:, None]), line, atol=1e-6)
    assert np.allclose(run(width=1.0).predict(X[:, None]), Y)


def test_a_width_left_open_is_half_of_the_reach_whatever_the_units() -> None:
    """A quadratic window reaches half of its width to either side; the drawing goes
    from 0 to 14.
    """
    q = np.linspace(0, 14, 29)[:, None]
    assert np.allclose(run(width=None).predict(q), run(width=7.0).predict(q))
    inches = engine.Dataset.from_columns({"x": X / 1000, "y": Y}, "y", task="regress")
    assert np.allclose(
        engine.run("locally_weighted_regression", inches).predict(q / 1000),
        run(width=7.0).predict(q),
    )
    same = engine.Dataset.from_columns(
        {"x": [2.0, 2.0, 2.0], "y": [1.0, 2.0, 3.0]}, "y", task="regress"
    )
    assert engine.run("locally_weighted_regression", same).predict([[2.0]])[0] == pytest.approx(2.0)


def test_too_few_inside_the_window_is_said() -> None:
    trace = run(width=0.5)
    few = [s for s in trace if s.line == "answer" and s.events == ("too few",)]
    assert few
    for s in few:
        assert not len(s.state.slope)
        inside = np.abs(X - s.state.query[0]) < 0.25
        if inside.any():
            assert s.state.value == pytest.approx(Y[inside].mean())
        else:
            assert s.state.value in Y


@pytest.mark.slow
@settings(max_examples=30, deadline=None)
@given(
    st.integers(0, 10_000),
    st.integers(1, 3),
    st.integers(6, 12),
    st.sampled_from(["gaussian", "quadratic"]),
)
def test_criterion_three_is_a_weighted_line_of_k_neighbours(
    seed: int, d: int, k: int, kernel: str
) -> None:
    """ML 8.3.1, criterion (3): k nearest, each squared error × K."""
    rng = np.random.default_rng(seed)
    A = rng.normal(size=(14, d))
    y = rng.normal(size=14) + 0.001
    q = rng.normal(size=d) / 2
    data = engine.Dataset.from_arrays(A, y, task="regress")
    trace = engine.run("locally_weighted_regression", data, k=k, kernel=kernel, width=20.0)
    away = np.linalg.norm(A - q, axis=1)
    near = away.argsort()[:k]
    K = np.exp(-((away / 20) ** 2)) if kernel == "gaussian" else 1 - (2 * away / 20) ** 2
    oracle = LinearRegression().fit(A[near], y[near], K[near])
    assert trace.predict(q[None])[0] == pytest.approx(oracle.predict(q[None])[0], abs=1e-8)


@pytest.mark.slow
@settings(max_examples=20, deadline=None)
@given(st.floats(-5, 5), st.floats(-5, 5), st.sampled_from(["gaussian", "quadratic", "1/d²"]))
def test_points_on_a_line_give_that_line(a: float, b: float, kernel: str) -> None:
    y = a + b * X + 0.0
    data = engine.Dataset.from_arrays(X[:, None], y, task="regress")
    q = np.array([-1.0, 0.3, 6.5, 14.9])
    found = engine.run("locally_weighted_regression", data, kernel=kernel, width=8.0).predict(
        q[:, None]
    )
    assert np.allclose(found, a + b * q, atol=1e-7)


def test_the_local_line_passes_the_value() -> None:
    trace = run()
    step = next(s for s in trace if s.line == "answer" and s.state.query[0] == 8)
    layers = trace.algorithm.scene(trace.given, step).layers
    (ends,) = next(
        layer.ends for layer in layers if isinstance(layer, Segments) and layer.tag == "line"
    )
    assert np.interp(8, ends[:, 0], ends[:, 1]) == pytest.approx(step.state.value)
    assert np.diff(ends[:, 1])[0] / np.diff(ends[:, 0])[0] == pytest.approx(step.state.slope[0])
