"""Regularised regression against scikit-learn's Ridge and Lasso, and the claims of AIMA 18.6.2."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.linear_model import Lasso, LinearRegression, Ridge

import engine
from engine.algorithms.regression import regularised_regression
from engine.base.tags import names_in
from engine.protocol.step import Level, Pace
from engine.scene.scene import Circles, Ellipses, Plot, Polyline, Role, Segments

FAST = Pace(Level.ROUND)


def made(seed: int, n: int = 30, d: int = 4):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) + rng.normal(size=d)
    X[:, -1] += 0.6 * X[:, 0]
    y = X @ np.where(np.arange(d) % 2, 0.2, 1.5) + 2 + 0.5 * rng.normal(size=n)
    return X, y, engine.Dataset.from_arrays(X, y, task="regress")


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 5000), st.floats(-3, 1.5), st.sampled_from(["mean", "sum"]))
def test_ridge(seed: int, power: float, loss: str) -> None:
    """Ridge minimises SUM + α Σw²: α = λ beside the sum, N λ beside the mean."""
    X, y, data = made(seed)
    trace = engine.run("regularised_regression", data, q=2, strength=10**power, loss=loss)
    oracle = Ridge(alpha=10**power * (30 if loss == "mean" else 1)).fit(X, y)
    assert np.allclose(trace[-1].state.w, [oracle.intercept_, *oracle.coef_], atol=1e-8)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 5000), st.floats(-3, 0.7), st.sampled_from(["mean", "sum"]))
def test_lasso(seed: int, power: float, loss: str) -> None:
    """Lasso minimises SUM/(2N) + α Σ|w|: α = λ/2 beside the mean, λ/(2N) beside the sum."""
    X, y, data = made(seed)
    trace = engine.run("regularised_regression", data, q=1, strength=10**power, loss=loss)
    oracle = Lasso(
        alpha=10**power / (2 if loss == "mean" else 60), tol=1e-12, max_iter=100_000
    ).fit(X, y)
    assert np.allclose(trace[-1].state.w, [oracle.intercept_, *oracle.coef_], atol=1e-4)


def test_q1_gives_exact_zeros_and_q2_does_not() -> None:
    """aima F24: ten irrelevant columns beside two that count."""
    rng = np.random.default_rng(5)
    X = rng.normal(size=(60, 12))
    y = 2 * X[:, 0] - 1.5 * X[:, 1] + 0.5 * rng.normal(size=60)
    data = engine.Dataset.from_arrays(X, y, task="regress")
    first = engine.run("regularised_regression", data, q=1, strength=0.5)[-1]
    assert np.flatnonzero(first.state.w[1:]).tolist() == [0, 1]
    assert first.metrics["nonzero"] == 2
    assert (engine.run("regularised_regression", data, q=2, strength=0.5)[-1].state.w != 0).all()


def test_q2_does_not_care_how_the_axes_are_turned() -> None:
    """aima F25, A38."""
    X, _, data = made(1, d=2)
    values = {
        (q, turn): (
            engine.run("regularised_regression", data, q=q, strength=0.8, turn=turn).predict(X)
        )
        for q in (1, 2)
        for turn in (0, 35)
    }
    assert np.allclose(values[2, 0], values[2, 35])
    assert not np.allclose(values[1, 0], values[1, 35], atol=1e-2)


def test_without_strength_it_is_least_squares() -> None:
    X, y, data = made(2)
    oracle = LinearRegression().fit(X, y)
    for q in (1, 2):
        w = engine.run("regularised_regression", data, q=q, strength=0.0, pace=FAST)[-1].state.w
        assert np.allclose(w, [oracle.intercept_, *oracle.coef_], atol=1e-4)


def test_intercept_is_not_penalised() -> None:
    """[L] of aima A38: a shift of y moves w₀ alone."""
    X, y, data = made(3)
    shifted = engine.Dataset.from_arrays(X, y + 100, task="regress")
    for q in (1, 2):
        w, v = (
            engine.run("regularised_regression", d, q=q, strength=0.4)[-1].state.w
            for d in (data, shifted)
        )
        assert np.allclose(v - w, [100, 0, 0, 0, 0], atol=1e-6)
    strong = engine.run("regularised_regression", data, q=1, strength=1e6)[-1].state.w
    assert np.allclose(strong, [y.mean(), 0, 0, 0, 0])


def test_one_weight_by_hand() -> None:
    """x = −1, 0, 1, y = −2, 0, 2: x·x = 2, x·y = 4.

    Sum of squares, λ = 2: w = (4 − 1)/2; λ = 8: w = 0 exactly.
    """
    data = engine.Dataset.from_columns({"x": [-1.0, 0, 1], "y": [-2.0, 0, 2]}, "y", task="regress")
    trace = engine.run("regularised_regression", data, strength=2.0, loss="sum")
    update = next(s for s in trace if s.line == "update")
    assert update.state.w.tolist() == [0, 1.5]
    assert [update.note[k] for k in ("pull", "threshold", "size", "new")] == [4, 1, 2, 1.5]
    assert engine.run("regularised_regression", data, strength=8.0, loss="sum")[-1].state.w[1] == 0
    assert (
        engine.run("regularised_regression", data, strength=2.0, loss="sum", q=2)[-1].state.w[1]
        == 1.0
    )


def test_cost_never_rises_along_the_run() -> None:
    trace = engine.run("regularised_regression", made(7)[2], strength=0.3)
    costs = trace.metrics["cost"]
    assert (np.diff(costs) <= 1e-9 * costs[0]).all()


@pytest.mark.parametrize("q", [1, 2])
def test_the_oval_touches_the_diamond_or_circle(q: int) -> None:
    """aima C14: at the end the oval through w lies outside of the penalty's shape,
    which w is on.
    """
    trace = engine.run("regularised_regression", made(4, d=2)[2], q=q, strength=0.5)
    scene = trace.algorithm.scene(trace.given, trace[-1])
    plot = next(f for f in scene.figures if isinstance(f, Plot))
    assert plot.beside
    oval = next(x for x in plot.layers if isinstance(x, Ellipses) and x.role is Role.ACCEPTED)
    values, axes = np.linalg.eigh(oval.shape[0])
    turn = np.linspace(0, 2 * np.pi, 2000)
    ring = oval.centre[0] + oval.reach * (axes * np.sqrt(values) @ [np.cos(turn), np.sin(turn)]).T
    if q == 1:
        corners = next(x for x in plot.layers if isinstance(x, Polyline) and x.tag == "penalty").xy
        least = np.abs(ring).sum(1).min()
        size = np.abs(corners).max()
    else:
        circle = next(x for x in plot.layers if isinstance(x, Circles))
        least = np.linalg.norm(ring, axis=1).min()
        size = float(circle.radius[0])
    assert least == pytest.approx(size, rel=1e-3)


def test_constant_and_repeated_columns() -> None:
    data = engine.Dataset.from_columns(
        {"a": [1.0, 2, 3, 4], "b": [5.0] * 4, "c": [1.0, 2, 3, 4], "y": [1.0, 2.5, 2.5, 4]},
        "y",
        task="regress",
    )
    for q in (1, 2):
        for strength in (0.0, 0.3):
            trace = engine.run("regularised_regression", data, q=q, strength=strength)
            assert np.isfinite(trace[-1].state.w).all()
            assert trace[-1].state.w[2] == 0
            for step in trace:
                trace.algorithm.scene(trace.given, step)


@pytest.mark.parametrize(
    ("q", "strength", "w"),
    [
        (1, 0.2, (0.1, 0.8)),
        (1, 0.3, (0, 0.7)),
        (1, 0.5, (0, 0.6)),
        (1, 1.0, (0, 0.35)),
        (2, 0.5, (0.0625, 0.5875)),
    ],
)
def test_two_correlated_columns_by_hand(q: int, strength: float, w: tuple[float, float]) -> None:
    """aima C14 on G/N = (1, −½; −½, 1) and least squares (0.3, 1). q = 1: (G/N)(w − (0.3, 1)) =
    −λ/2 · (1, 1) while both are positive, that is w = (0.3 − λ, 1 − λ); from λ = 0.3 on w₁ = 0 and
    w₂ = 0.85 − λ/2. q = 2: (G/N + λ I) w = (−0.2, 0.85).
    """
    trace = engine.run(
        "regularised_regression", engine.generate("correlated"), q=q, strength=strength
    )
    assert np.allclose(trace[-1].state.w, [0, *w], atol=1e-5)
    assert (trace[-1].state.w[1] == 0) == (q == 1 and strength > 0.3) or strength == 0.3


def test_q2_makes_weights_smaller_together_not_each_alone() -> None:
    """Two columns with correlation 0.6 and least squares (1, 0.1): the second weight grows, the sum
    of squares falls.
    """
    rng = np.random.default_rng(0)
    axes, _, turn = np.linalg.svd(rng.normal(size=(40, 2)), full_matrices=False)
    X = np.sqrt(40) * axes @ turn @ np.array([[1, 0.6], [0, 0.8]])
    X -= X.mean(0)
    data = engine.Dataset.from_arrays(X, X @ [1.0, 0.1], task="regress")
    w = engine.run("regularised_regression", data, q=2, strength=0.5)[-1].state.w[1:]
    assert w[1] > 0.1
    assert w @ w < 1.01
    words = engine.run("regularised_regression", data, q=2, strength=0.5)
    assert "together" in next(s for s in words if s.line == "update").note.text()


@pytest.mark.parametrize("loss", ["mean", "sum"])
def test_paths_run_over_the_strength_of_the_form(loss: str) -> None:
    """The amber line stands at log₁₀ λ, and w₁ becomes 0 at λ = 0.3 beside the mean, 60 times that
    beside the sum.
    """
    strength = 0.5 * (60 if loss == "sum" else 1)
    trace = engine.run(
        "regularised_regression", engine.generate("correlated"), loss=loss, strength=strength
    )
    figures = trace.algorithm.scene(trace.given, trace[-1]).figures
    plot = next(f for f in figures if f.title == "Paths")
    now = next(
        layer for layer in plot.layers if isinstance(layer, Segments) and layer.tag == "strength"
    )
    assert now.ends[0, 0, 0] == pytest.approx(np.log10(strength))
    first = next(
        layer
        for layer in plot.layers
        if isinstance(layer, Polyline) and "w1" in names_in(layer.tag)
    ).xy
    zero = first[np.abs(first[:, 1]) < 1e-6, 0].min()
    assert zero == pytest.approx(np.log10(0.3 * strength / 0.5), abs=0.1)


def columns(y, **x):
    return engine.Dataset.from_columns(
        {**{k: list(map(float, v)) for k, v in x.items()}, "y": list(y)}, "y", task="regress"
    )


@pytest.mark.parametrize(("size", "strength"), [(1e8, 0.5), (1.0, 1e-18)])
def test_a_strength_lost_to_rounding_gives_the_smallest_weights(
    size: float, strength: float
) -> None:
    """a = (1, 2, 4, 7, 8), y = (1, 3, 4, 8, 9): Σ about the means 37.2 and 41.

    With b = 2a the least w₁ + 2 w₂ = 41/37.2 lies along (1, 2): w = 41/37.2/5 · (1, 2). A third
    column c = (0, 0, 1, 0, 0) in units of 1 keeps its own weight.
    """
    a, y = np.array([1.0, 2, 4, 7, 8]), np.array([1.0, 3, 4, 8, 9])
    trace = engine.run(
        "regularised_regression", columns(y, a=size * a, b=2 * size * a), q=2, strength=strength
    )
    assert np.allclose(trace[-1].state.w[1:] * size, 41 / 37.2 / 5 * np.array([1, 2]), rtol=1e-6)
    alone = np.array([0.0, 0, 1, 0, 0])
    three = engine.run(
        "regularised_regression",
        columns(y, a=size * a, b=2 * size * a, c=alone),
        q=2,
        strength=strength,
    )
    A = np.column_stack([size * a, alone]) - [size * a.mean(), 0.2]
    slope, own = np.linalg.solve(A.T @ A + np.diag([0, 5 * strength]), A.T @ (y - 5))
    assert np.allclose(three[-1].state.w[1:], [slope / 5, 2 * slope / 5, own], rtol=1e-5)


def test_out_of_rounds_is_not_converged(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two columns that hardly differ hand the weight over to each other for thousands of rounds."""
    monkeypatch.setattr(regularised_regression, "MOST_ROUNDS", 3)
    a = np.arange(6.0)
    b = np.array([0, 1.01, 1.99, 3.01, 3.99, 5])
    last = engine.run("regularised_regression", columns(a - 5 * b, a=a, b=b), strength=0.0)[-1]
    assert (last.line, last.state.round, last.events) == ("until", 3, ("round",))
    assert "Settled" not in last.note.text()
    assert "3 rounds" in last.note.text()


def test_words_about_zeros_and_touching_are_true() -> None:
    """b is the same in every row, so its weight is 0 whatever q is.

    Only a diamond has corners; without a penalty, or with all weights 0, nothing is touched. Of
    three weights one that is 0 means an edge of the diamond.
    """

    def lead_of(q: int, strength: float, line: str = "until", **more):
        table = columns([1.0, 2, 4], a=[1, 2, 3], b=[5, 5, 5], **more)
        steps = engine.run("regularised_regression", table, q=q, strength=strength)
        return [s for s in steps if s.line == line][-1].note.text()

    assert "none" not in lead_of(2, 0.5, "update")
    assert "smaller" not in lead_of(2, 0.0, "update")
    assert "no corners" in lead_of(2, 0.5)
    assert "w₂" in lead_of(2, 0.5)
    assert "at a corner" in lead_of(1, 0.5)
    assert "at an edge" in lead_of(1, 0.01, c=[0, 1, 0])
    assert all("touches" not in lead_of(q, 0.0) for q in (1, 2))
    assert "touches" not in lead_of(1, 50.0)


@pytest.mark.parametrize("q", [1, 2])
def test_a_round_without_a_word_comes_to_the_same_state(q: int) -> None:
    """To the last bit, the path of every weight included: at ROUND pace it held the start alone."""
    _, _, data = made(3)
    fine, coarse = (
        engine.run("regularised_regression", data, q=q, strength=0.1, pace=pace)
        for pace in (Pace(), FAST)
    )
    ends = [step.state for step in fine if step.level >= Level.ROUND]
    assert len(ends) == len(coarse) > 1
    for one, other in zip(ends, (step.state for step in coarse), strict=True):
        assert (one.loss, one.round, one.current) == (other.loss, other.round, other.current)
        assert np.array_equal(one.w, other.w)
        assert np.array_equal(one.before, other.before)
        assert np.array_equal(one.path, other.path)
        assert len(one.path) == 1 + one.round * (4 if q == 1 else 1)


def test_the_pull_of_a_weight_is_shown_beside_what_it_has_to_pass() -> None:
    """Coordinate descent: amber is the weight of the step, in weight space too, and its bar is the
    pull of the note, between the lines exactly where the weight is 0.
    """
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 4))
    y = 3 * X[:, 0] - 2 * X[:, 1] + 0.1 * rng.normal(size=40)
    data = engine.Dataset.from_arrays(X, y)
    trace = engine.run("regularised_regression", data, q=1, strength=0.5)
    updates = [step for step in trace if step.line == "update"]
    assert {step.state.current for step in updates} == {1, 2, 3, 4}
    zeros = set()
    for step in updates:
        s = step.state
        space, pulls, *_ = trace.algorithm.scene(trace.given, step).figures
        (at,) = [k for k, role in enumerate(pulls.roles) if role is Role.ACTIVE]
        assert at == s.current - 1
        assert pulls.values[at] == pytest.approx(step.details["pull"])
        (high, _), (low, _) = pulls.levels
        assert (high, low) == pytest.approx((10.0, -10.0))  # N λ / 2 of 40 rows
        assert (low <= pulls.values[at] <= high) is (s.w[s.current] == 0)
        assert f"w{'₁₂₃₄'[at]}" in (space.x_label, space.y_label)
        zeros.add(bool(s.w[s.current] == 0))
    assert zeros == {True, False}


def test_the_heading_of_the_pulls_is_about_the_weight_that_the_words_name() -> None:
    X = np.array([[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]])
    data = engine.Dataset.from_arrays(X, 3 * X[:, 0] + 0.1 * X[:, 1], task="regress")
    trace = engine.run("regularised_regression", data, strength=1.0)
    for s in (s for s in trace if s.line == "update"):
        figures = trace.algorithm.scene(trace.given, s).figures
        pulls = next(f for f in figures if f.title.startswith("Pulls"))
        k = s.state.current
        assert pulls.roles.index(Role.ACTIVE) == k - 1
        assert f"w{'₀₁₂'[k]} " in pulls.title
        assert ("within" in pulls.title) == (s.state.w[k] == 0)
