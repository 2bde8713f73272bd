"""Locally weighted regression against AIMA Fig 18.28-18.29, ML Eqs 8.5-8.7 and scikit-learn."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.linear_model import LinearRegression

import engine
from engine.protocol.step import Level, Pace
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


# -- other local models, ML 8.3 and 8.3.1 ----------------------------------------------------------


def test_a_quadratic_is_the_weighted_fit_of_one_x_x_squared_and_exact_on_a_parabola() -> None:
    """ML 8.3: the local function may be constant, linear or quadratic; scikit-learn's weighted fit
    of x and x², with several columns also of their products.
    """
    q = np.array([0.0, 3.3, 6.0, 14.5])
    found = run(model="quadratic").predict(q[:, None])
    bent = np.column_stack([X, X**2])
    for at, value in zip(q, found, strict=True):
        w = np.maximum(0, 1 - (2 * np.abs(X - at) / 10) ** 2)
        oracle = LinearRegression().fit(bent, Y, w)
        assert value == pytest.approx(oracle.predict([[at, at**2]])[0])
    parabola = engine.Dataset.from_columns({"x": X, "y": X**2 - 3 * X}, "y", task="regress")
    far = engine.run("locally_weighted_regression", parabola, model="quadratic", width=8.0)
    assert far.predict(q[:, None]) == pytest.approx(q**2 - 3 * q, abs=1e-8)
    rng = np.random.default_rng(0)
    A, y = rng.normal(size=(20, 2)), rng.normal(size=20)
    both = engine.run(
        "locally_weighted_regression",
        engine.Dataset.from_arrays(A, y, task="regress"),
        model="quadratic",
        kernel="gaussian",
        width=2.0,
    )
    products = np.column_stack([A, A**2, A[:, 0] * A[:, 1]])
    oracle = LinearRegression().fit(products, y, np.exp(-((A**2).sum(axis=1)) / 4))
    assert both.predict([[0.0, 0.0]])[0] == pytest.approx(oracle.intercept_)


def test_too_few_for_a_quadratic_take_a_line_and_too_few_for_that_the_mean() -> None:
    two = engine.Dataset.from_columns({"x": [0.0, 1.0], "y": [1.0, 3.0]}, "y", task="regress")
    trace = engine.run("locally_weighted_regression", two, model="quadratic", width=4.0)
    middle = next(s for s in trace if s.line == "answer" and s.state.query[0] == 0.5)
    assert (middle.state.fallback, middle.events) == ("line", ("too few",))
    assert middle.state.value == pytest.approx(2) and middle.state.slope == pytest.approx([2])
    wide = engine.Dataset.from_arrays(np.ones((3, 11)), np.arange(3.0), task="regress")
    with pytest.raises(engine.EngineError, match="choose a line"):
        engine.run("locally_weighted_regression", wide, model="quadratic")


def test_two_updates_of_the_delta_rule_by_hand() -> None:
    """ML 8.3.1: Δb_j = η Σ K(d) (f − b · a) a_j from b = 0, with x measured from the query.

    (0, 1), (1, 3), (2, 2) at q = 1, width 4: K = ¾, 1, ¾, gaps −1, 0, 1. First sums ¾ + 3 + 1½ = 5¼
    and −¾ + 1½ = ¾: b = (0.525, 0.075) by η = .1. Then Σ K (f − b₀ − b₁ gap) = 5¼ − 2½ · .525 =
    3.9375 and ¾ − 1½ · .075 = .6375.
    """
    three = engine.Dataset.from_columns({"x": [0, 1, 2], "y": [1, 3, 2]}, "y", task="regress")
    trace = engine.run(
        "locally_weighted_regression",
        three,
        pace=Pace(Level.DETAIL),
        width=4.0,
        found="by gradient",
        rate=0.1,
        updates=2,
    )
    one, two = (s for s in trace if s.line == "fit" and s.state.query[0] == 1)
    assert one.note["sum"] == pytest.approx([5.25, 0.75])
    assert one.state.path == pytest.approx(np.array([[0, 0], [0.525, 0.075]]))
    assert two.note["sum"] == pytest.approx([3.9375, 0.6375])
    assert two.state.path[-1] == pytest.approx([0.91875, 0.13875])
    assert trace.predict([[1.0]])[0] == pytest.approx(0.91875)


def test_many_updates_come_to_what_is_solved_and_too_large_a_rate_is_said() -> None:
    """ML 8.3.1: the direct solution is the same, and quicker. S = Σ K a aᵀ of the drawing at 6 has
    its largest size from its own eigenvalues.
    """
    q = np.array([[2.0], [6.0], [13.0]])
    slow = {"found": "by gradient", "updates": 1000}
    assert run(**slow).predict(q) == pytest.approx(run().predict(q))
    bent = run(model="quadratic", **slow).predict([[6.0]])
    assert bent == pytest.approx(run(model="quadratic").predict([[6.0]]), abs=1e-3)
    w = np.maximum(0, 1 - (2 * np.abs(X - 6) / 10) ** 2)
    a = np.column_stack([np.ones(15), X - 6])
    critical = 2 / np.linalg.eigvalsh(a.T @ (w[:, None] * a))[-1]
    for rate, says in ((0.99 * critical, False), (2 * critical, True)):
        trace = run(found="by gradient", rate=rate)
        step = next(s for s in trace if s.line == "answer" and s.state.query[0] == 6)
        assert ("diverged" in step.events) is says
        assert ("too large" in step.note.lead) is says
        assert np.isfinite(trace.predict(q)).all()
