"""Polynomial fits against AIMA 18.2 (Fig 18.1), numpy and scikit-learn."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.linear_model import Ridge
from sklearn.preprocessing import PolynomialFeatures

import engine
from engine.protocol.step import Level
from engine.scene.scene import Plot, Polyline, Role

SEVEN = engine.textbook("polynomial_seven")  # aima B08: y = 0.4x + 3 + sin x at 0, 2, … 12
EIGHT = engine.textbook("polynomial_eight")  # aima B07: y = 0.4x + 3 at 0 … 7


def data(x, y):
    return engine.Dataset.from_columns(
        {"x": list(map(float, x)), "y": list(map(float, y))}, "y", task="regress"
    )


def consistent(trace) -> list[int]:
    return [t.fit.degree for t in trace[-1].state.tried if not t.missed]


def test_seven_points_need_degree_six() -> None:
    """aima B08: exact with degree 6; the line misses all of them."""
    trace = engine.run("polynomial_fit", SEVEN, degree=8)
    assert consistent(trace) == [6, 7, 8]
    assert trace[-1].state.tried[1].missed == 7
    assert trace[-1].choice.chosen == 6
    assert trace[-1].choice.winners == (6, 7, 8)


def test_the_sine_basis_meets_them_with_a_line() -> None:
    """aima B08, F02: a·x + b + c·sin x is exact, with a = 0.4, b = 3, c = 1."""
    trace = engine.run("polynomial_fit", SEVEN, degree=1, basis="with sine")
    assert consistent(trace) == [1]
    assert np.allclose(trace[-1].state.coefficients, [3, 0.4, 1])
    x = np.array([1.0, 3.0, 11.0])
    assert np.allclose(trace.predict(x[:, None]), 0.4 * x + 3 + np.sin(x))
    six = engine.run("polynomial_fit", SEVEN, degree=6)
    assert np.abs(six.predict(x[:, None]) - (0.4 * x + 3 + np.sin(x))).max() > 0.1


def test_ockham_takes_the_line_through_eight_points() -> None:
    """aima B07, A03: degrees 1 … 7 are consistent, the simplest is the line 0.4x + 3."""
    trace = engine.run("polynomial_fit", EIGHT, degree=7)
    assert consistent(trace) == list(range(1, 8))
    assert trace[-1].state.degree == 7
    assert trace[-1].state.chosen == trace[-1].choice.chosen == 1
    simple = engine.run("polynomial_fit", EIGHT, degree=7, take="simplest consistent")
    assert simple[-1].state.degree == 1
    assert np.allclose(simple[-1].state.coefficients, [3, 0.4])


def test_a_spiky_curve_through_wobbling_points() -> None:
    """aima B07: with ±0.01 no degree below N − 1 = 7 is consistent (A02), and the curve of degree 7
    has spikes.
    """
    x = np.arange(8.0)
    y = 0.4 * x + 3 + 0.01 * (-1) ** np.arange(8)
    trace = engine.run("polynomial_fit", data(x, y), degree=7)
    assert consistent(trace) == [7]
    between = np.linspace(0, 7, 99)
    assert np.abs(trace.predict(between[:, None]) - (0.4 * between + 3)).max() > 0.05


def test_best_quadratic_of_mmds_exercise_12_1_1() -> None:
    """mmds E1(b): the four points are symmetric about their middle, so the best quadratic is the
    best line.
    """
    trace = engine.run("polynomial_fit", engine.textbook("four_points_line"), degree=2)
    assert np.allclose(trace[-1].state.coefficients, [1, 0.6, 0], atol=1e-9)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10_000), st.integers(0, 8))
def test_agrees_with_numpy(seed: int, degree: int) -> None:
    rng = np.random.default_rng(seed)
    x = rng.uniform(-3, 5, 30)
    y = rng.normal(size=30)
    trace = engine.run("polynomial_fit", data(x, y), degree=degree)
    oracle = np.polynomial.Polynomial.fit(x, y, degree)
    assert np.allclose(trace.predict(x[:, None]), oracle(x), atol=1e-7)
    assert np.allclose(trace[-1].state.coefficients, oracle.convert().coef, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("penalty", [1e-3, 0.1, 5.0])
def test_penalty_agrees_with_ridge(penalty: float) -> None:
    """aima A13: mean loss + λ Σ c², c₀ free, is ridge with α = N λ."""
    rng = np.random.default_rng(1)
    x = rng.uniform(-1.5, 2, 40)
    y = np.sin(2 * x) + 0.1 * rng.normal(size=40)
    trace = engine.run("polynomial_fit", data(x, y), degree=7, penalty=penalty)
    powers = PolynomialFeatures(7, include_bias=False).fit_transform(x[:, None])
    oracle = Ridge(alpha=40 * penalty, solver="svd").fit(powers, y)
    assert np.allclose(trace[-1].state.coefficients[1:], oracle.coef_, atol=1e-6)
    assert trace[-1].state.coefficients[0] == pytest.approx(oracle.intercept_)


def test_training_error_falls_and_held_out_error_need_not() -> None:
    """aima F01: a higher degree fits the training rows better and may generalise worse."""
    split = engine.Split(0.5, 3)
    trace = engine.run(
        "polynomial_fit", engine.generate("sine", n=24, noise=0.3, seed=2), degree=11, split=split
    )
    losses = [t.loss for t in trace[-1].state.tried]
    assert all(b <= a * (1 + 1e-9) for a, b in pairwise(losses))
    rounds = [step for step in trace if step.level is Level.ROUND]
    held = trace.problem.held_out
    errors = [np.mean((t.fit(held.X[:, 0]) - held.y) ** 2) for t in trace[-1].state.tried]
    assert min(errors) < errors[-1]
    assert [s.state.degree for s in rounds[:-1]] == list(range(12))
    plot = next(f for f in trace.algorithm.scene(trace.given, trace[-1]).figures if type(f) is Plot)
    assert any(layer.tag == "held_out" for layer in plot.layers)


def test_more_coefficients_than_points() -> None:
    trace = engine.run("polynomial_fit", data([0, 1, 2, 2], [1, 3, 2, 4]), degree=6)
    assert len(trace.when("not unique")) == 4  # degrees 3 … 6 over three different x
    assert np.allclose(trace.predict(np.array([[0.0], [1.0], [2.0]])), [1, 3, 3])
    assert consistent(trace) == []
    assert trace[-1].choice is None
    same = engine.run("polynomial_fit", data([2, 2, 2], [1, 2, 4]), degree=3)
    assert np.allclose(same.predict(np.array([[2.0]])), [7 / 3])


def test_high_degrees_far_from_zero_stay_exact() -> None:
    """Stable numerics: degree 20 over 500 … 3500 reproduces a polynomial that raw powers cannot."""
    x = np.linspace(500, 3500, 120)
    t = (x - 2000) / 1500
    y = np.polynomial.chebyshev.chebval(t, np.arange(21) % 4 - 1.5)
    trace = engine.run("polynomial_fit", data(x, y), degree=20)
    assert trace.metrics["rmse"][-1] < 1e-9
    assert np.isfinite(trace[-1].state.coefficients).all()


def test_the_simplest_curve_is_marked_in_the_picture() -> None:
    trace = engine.run("polynomial_fit", EIGHT, degree=5)
    layers = trace.algorithm.scene(trace.given, trace[-1]).layers
    marked = [
        layer for layer in layers if isinstance(layer, Polyline) and layer.role is Role.ACCEPTED
    ]
    assert [layer.tag for layer in marked] == ["degree 1"]


def test_a_table_of_words_is_refused() -> None:
    table = engine.Dataset.from_columns(
        {"c": ["a", "b", "c"], "y": [1.0, 2.0, 3.5]}, "y", task="regress"
    )
    with pytest.raises(engine.EngineError, match="column of numbers"):
        engine.run("polynomial_fit", table)


def test_errors_stand_beside_the_curve_with_room_for_all_degrees() -> None:
    """aima A02: the error by degree is part of the picture; its axis does not grow from step to
    step.
    """
    trace = engine.run("polynomial_fit", engine.textbook("polynomial_seven"))
    plots = [
        next(f for f in trace.algorithm.scene(trace.given, step).figures if isinstance(f, Plot))
        for step in trace
        if step.line in ("fit", "test")
    ]
    assert all(plot.beside for plot in plots)
    assert {plot.x_range for plot in plots} == {(-0.5, 6.5)}


def test_a_test_says_how_far_the_farthest_point_is() -> None:
    """y = 0.4 x + 3 + sin x at 0, 2, … 12: by its own errors."""
    trace = engine.run("polynomial_fit", engine.textbook("polynomial_seven"))
    x = np.arange(0.0, 13.0, 2.0)
    y = 0.4 * x + 3 + np.sin(x)
    for step in (s for s in trace if s.line == "test"):
        errors = np.abs(y - np.polyval(np.polyfit(x, y, step.state.degree), x))
        assert step.note["farthest"] == pytest.approx(errors.max(), abs=1e-8)


@pytest.mark.parametrize("basis", ["powers", "with sine"])
def test_before_the_first_curve_every_place_has_the_value_0(basis: str) -> None:
    trace = engine.run("polynomial_fit", data([0, 1, 2], [0, 1, 0]), basis=basis)
    explanation = trace.algorithm.explain(trace.given, trace[0].state, np.array([1.0]))
    assert trace[0].line == "grow"
    assert "No curve" in explanation.note.text()


def test_with_a_penalty_the_training_error_may_rise() -> None:
    """x = y = 0, 1, 2, Nλ = 0.3.

    Degree 1: c₁ = 2/2.3, the loss is 2 (0.3/2.3)² = 0.034. Degree 2: Σ of squares about the means
    2, 4, 26/3, so (2.3, 4; 4, 26/3 + 0.3) c = (2, 4): c = (0.4182, 0.2595), and the loss is 0.053.
    """
    trace = engine.run("polynomial_fit", data([0, 1, 2], [0, 1, 2]), degree=2, penalty=0.1)
    fits = [s for s in trace if s.line == "fit"]
    assert [s.metrics["loss"] for s in fits] == pytest.approx(
        [2, 2 * (0.3 / 2.3) ** 2, 0.05278], abs=1e-5
    )
    assert [s.note.text().split()[-1] for s in fits[1:]] == ["falls.", "rises."]


def test_nine_columns_over_ten_places_may_still_depend_on_each_other() -> None:
    """sin x is x − x³/6 + … − x⁷/5040 up to 1e-14 on 0 … 0.1: as good as a sum of the powers.

    Over two places three coefficients are too many.
    """
    x = [0.01 * k for k in range(9)] + [0.1]
    many = engine.run("polynomial_fit", data(x, range(10)), degree=7, basis="with sine")
    last = [s for s in many if s.line == "fit"][-1]
    assert "not unique" in last.events
    assert len(last.state.coefficients) == 9
    assert "nearly depend" in last.note.text()
    assert "More coefficients" not in last.note.text()
    few = engine.run("polynomial_fit", data([0, 1], [0, 1]), degree=2)
    assert "More coefficients" in [s for s in few if s.line == "fit"][-1].note.text()


def test_only_the_column_of_the_curve_has_to_be_known() -> None:
    """y = 1 + 2 x; z is not used."""
    data = engine.Dataset.from_columns(
        {"x": [0.0, 1.0, 2.0], "z": [5.0, 1.0, 3.0], "y": [1.0, 3.0, 5.0]}, "y", task="regress"
    )
    trace = engine.run("polynomial_fit", data, degree=1)
    assert trace.predict([[3.0, np.nan], [np.nan, 3.0]]) == pytest.approx(
        [7.0, np.nan], nan_ok=True
    )
    why = trace.algorithm.explain(trace.given, trace[-1].state, np.array([np.nan, 3.0]))
    assert why.note.text().startswith("“x” is unknown")


def test_the_straight_line_that_misses_is_drawn_beside_the_curve_that_does_not() -> None:
    """AIMA Fig 18.1(c): degree 6 meets seven points, the least squares line none; (a): it does."""
    for name, degree, drawn in (("polynomial_seven", 6, True), ("polynomial_eight", 7, False)):
        table = engine.textbook(name)
        trace = engine.run("polynomial_fit", table, degree=degree)
        layers = trace.algorithm.scene(trace.given, trace[-1]).layers
        dashed = [each.xy for each in layers if each.tag == "degree 1" and each.role is Role.GHOST]
        assert len(dashed) == drawn
        if drawn:
            x, y = trace.problem.X[:, 0], trace.problem.y
            line = np.polynomial.Polynomial.fit(x, y, 1)
            assert dashed[0][:, 1] == pytest.approx(line(dashed[0][:, 0]))


def test_at_the_end_the_simplest_consistent_degree_is_in_amber() -> None:
    """Eight points of a line: degrees 1 to 7 meet them, and the line is the simplest."""
    x = np.arange(8.0)
    data = engine.Dataset.from_columns({"x": x, "y": 2 * x}, "y", task="regress")
    trace = engine.run("polynomial_fit", data, degree=4)
    errors = next(
        f for f in trace.algorithm.scene(trace.given, trace[-1]).figures if f.title == "Errors"
    )
    (dot,) = [each for each in errors.layers if each.role is Role.ACTIVE]
    assert dot.xy[0, 0] == 1
