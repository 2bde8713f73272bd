"""Kernel regression against MMDS Fig 12.24, Exercise 12.4.4 and the formula itself."""

from fractions import Fraction as F

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine.scene.scene import Band, Points, Segments

PEAK, DOUBLING = engine.textbook("peak"), engine.textbook("doubling")


def ask(data, *x: float, **params):
    return engine.run("kernel_regression", data, **params).predict(np.array(x)[:, None])


def answer(trace, q: float):
    return next(s for s in trace if s.line == "answer" and s.state.query[0] == q)


def test_mmds_figure_12_24() -> None:
    """D48: q = 3.5 on the peak, 1/d²; every number as printed."""
    trace = engine.run("kernel_regression", PEAK, kernel="1/d²")
    step = answer(trace, 3.5)
    by_row = {int(row): step.note[f"w{j}"] for j, row in enumerate(step.state.neighbours)}
    assert [by_row[i] for i in range(7)] == [F(4, 25), F(4, 9), 4, 4, F(4, 9), F(4, 25), F(4, 49)]
    assert round(step.note["sum_w"], 2) == 9.29
    assert round(step.note["sum_wy"], 2) == 51.23
    assert round(step.state.value, 2) == 5.51


def test_inverse_squares_meet_every_example() -> None:
    """MMDS A42; F28: with flat spots at the data."""
    x = np.arange(1.0, 8)
    y = np.array([1.0, 2, 4, 8, 4, 2, 1])
    assert ask(PEAK, *x, kernel="1/d²").tolist() == y.tolist()
    assert np.allclose(ask(PEAK, *(x + 1e-4), kernel="1/d²"), y, atol=1e-6)


def test_exercise_12_4_4_by_hand() -> None:
    """E13 at q = 3: weights 1/4, 1, 1, 1/25, 1/169, 1/841 on the labels 1 … 6."""
    w = [F(1, 4), F(1), F(1), F(1, 25), F(1, 169), F(1, 841)]
    expected = sum(a * (i + 1) for i, a in enumerate(w)) / sum(w)
    assert ask(DOUBLING, 3.0, kernel="1/d²")[0] == pytest.approx(float(expected))


def test_gaussian_is_the_printed_formula() -> None:
    q = np.linspace(-1, 9, 23)
    w = np.exp(-((np.arange(1.0, 8) - q[:, None]) ** 2) / 1.5**2)
    expected = w @ [1, 2, 4, 8, 4, 2, 1] / w.sum(1)
    assert np.allclose(ask(PEAK, *q, kernel="gaussian", width=1.5), expected)


def test_too_wide_is_flat_too_narrow_is_the_nearest() -> None:
    """AIMA F44."""
    assert np.allclose(ask(PEAK, 1, 4, 7, kernel="gaussian", width=1e5), 22 / 7)
    assert np.allclose(ask(PEAK, 1.3, 3.8, 6.9, kernel="gaussian", width=0.05), [1, 8, 1])


@pytest.mark.slow
@settings(max_examples=30, deadline=None)
@given(
    st.integers(0, 10_000), st.sampled_from(["quadratic", "gaussian", "1/d²"]), st.floats(0.01, 100)
)
def test_stays_between_the_values(seed: int, kernel: str, width: float) -> None:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(12, 2))
    y = rng.normal(size=12) + 0.001
    data = engine.Dataset.from_arrays(X, y, task="regress")
    values = engine.run("kernel_regression", data, kernel=kernel, width=width).predict(
        rng.normal(size=(30, 2)) * 5
    )
    assert values.min() >= y.min() - 1e-12
    assert values.max() <= y.max() + 1e-12


def test_weights_are_the_sizes_of_the_points() -> None:
    trace = engine.run("kernel_regression", PEAK, kernel="1/d²")
    layers = trace.algorithm.scene(trace.given, answer(trace, 3.5)).layers
    points = next(layer for layer in layers if isinstance(layer, Points) and layer.tag == "data")
    assert np.allclose(
        points.weight / points.weight[0],
        np.array([4 / 25, 4 / 9, 4, 4, 4 / 9, 4 / 25, 4 / 49]) / (4 / 25),
    )
    assert any(isinstance(layer, Band) and layer.tag == "kernel" for layer in layers)


def test_an_empty_window_asks_the_nearest_and_says_so() -> None:
    data = engine.Dataset.from_arrays(
        np.array([[0.0], [1.0], [9.0]]), np.array([2.0, 3.5, 7.0]), task="regress"
    )
    trace = engine.run("kernel_regression", data, kernel="quadratic", width=1.0)
    step = answer(trace, 5.0)
    assert step.events == ("too few",)
    assert step.state.value == 3.5
    assert step.state.neighbours.tolist() == [1]


def weighings(x: list[float], **params) -> list[str]:
    """The equations of the weights, as a page reads them."""
    data = engine.Dataset.from_arrays(np.array(x)[:, None], np.arange(len(x)) + 0.5, task="regress")
    steps = engine.run("kernel_regression", data, **params)
    return [line for s in steps if s.line == "weigh" for line in s.note.lines()[2:]]


def test_small_distances_are_squared_and_not_their_powers_of_ten() -> None:
    """1.20·10⁻⁷² would be 10⁻⁷² times 1.20."""
    for params in ({"kernel": "1/d²"}, {"kernel": "gaussian", "width": 0.01}):
        lines = [
            line
            for line in weighings([0.0, 1e-7, 2e-7, 3e-7], **params)
            if "·10" in line.split(" = ")[0]
        ]
        assert lines
        assert all(")²" in line and "⁷²" not in line and "⁸²" not in line for line in lines)


def test_a_mean_answers_with_a_level_bar_over_the_reach_of_its_neighbours() -> None:
    trace = engine.run("kernel_regression", PEAK, kernel="quadratic", width=1.2)
    for step in (s for s in trace if s.line == "answer"):
        q, near = float(step.state.query[0]), trace.problem.X[step.state.neighbours, 0]
        layers = trace.algorithm.scene(trace.given, step).layers
        bars = [x for x in layers if isinstance(x, Segments) and x.tag == "line"]
        (ends,) = (bar.ends[0] for bar in bars)
        assert ends[:, 1].tolist() == [step.state.value] * 2
        if len(near) > 1:
            assert q - ends[0, 0] == pytest.approx(np.abs(near - q).max())
