"""Connect the dots against AIMA 18.8.4 and MMDS Fig 12.23(a)."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine.algorithms.regression.connect_the_dots import dots
from engine.scene.scene import Polyline

PEAK = engine.textbook("peak")


def data(x, y):
    return engine.Dataset.from_arrays(
        np.asarray(x, float)[:, None], np.asarray(y, float), task="regress"
    )


def ask(table, *x: float, **params):
    return engine.run("connect_the_dots", table, **params).predict(np.array(x)[:, None])


def test_piecewise_linear_with_extrapolation() -> None:
    """MMDS C12.23(a): the line through (1, 1) and (2, 2) goes on to (0, 0)."""
    assert np.allclose(ask(PEAK, 0, 0.5, 3.5, 4.25, 8), [0, 0.5, 6, 7, 0])


def test_the_curve_goes_on_where_the_plane_shows_more_than_the_examples() -> None:
    """MMDS C12.23(a): the line between 0 and 1 is drawn down to (0, 0)."""
    trace = engine.run("connect_the_dots", PEAK)
    layers = trace.algorithm.scene(trace.given, trace[-1]).layers
    (curve,) = (layer.xy for layer in layers if isinstance(layer, Polyline))
    assert curve[:, 0].min() < 0 and curve[:, 0].max() > 8
    before = curve[(curve[:, 0] >= 0) & (curve[:, 0] <= 1)]
    assert len(before) > 10 and np.allclose(before[:, 0], before[:, 1])


def test_hold_keeps_the_last_value() -> None:
    assert np.allclose(ask(PEAK, -3, 0, 3.5, 20, outside="hold"), [1, 1, 6, 1])


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000), st.integers(2, 15))
def test_meets_every_example_and_numpys_interpolation(seed: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    x = rng.permutation(np.cumsum(rng.uniform(0.1, 1, n)))
    y = rng.normal(size=n) + 0.001
    assert np.allclose(ask(data(x, y), *x), y)
    q = np.linspace(x.min(), x.max(), 50)
    order = x.argsort()
    assert np.allclose(ask(data(x, y), *q), np.interp(q, x[order], y[order]))


def test_coincident_points_give_their_mean() -> None:
    assert np.allclose(ask(data([1, 2, 2, 3], [1.5, 2, 4, 5]), 2.0, 2.5), [3, 4])


def test_one_place_is_a_constant() -> None:
    assert np.allclose(ask(data([2, 2], [1.5, 2.5]), -4, 2, 9), 2)


def test_shares_say_the_value() -> None:
    """One share is negative beyond the ends: that is the straight-line extrapolation that 1/d
    weights do not give.
    """
    trace = engine.run("connect_the_dots", PEAK)
    y = np.array([1, 2, 4, 8, 4, 2, 1.0])
    for s in trace:
        if s.line == "answer":
            assert s.state.weights.sum() == pytest.approx(1)
            assert s.state.weights @ y[s.state.neighbours] == pytest.approx(s.state.value)
            assert (s.state.weights.min() < 0) == bool(s.state.query[0] < 1 or s.state.query[0] > 7)


def test_left_out_errors_by_hand() -> None:
    """On the peak every inner point is determined by its two neighbours, the ends by the line
    through the next two.
    """
    trace = engine.run("connect_the_dots", PEAK)
    answers, y = np.array([0, 2.5, 5, 4, 5, 2.5, 0]), np.array([1, 2, 4, 8, 4, 2, 1])
    assert trace.metrics["loo"][-1] == pytest.approx(np.sqrt(np.mean((answers - y) ** 2)))


def test_the_words_say_which_line_it_is() -> None:
    """Between two points on their line; beyond the ends that line goes on, or the last
    value stays.
    """
    trace = engine.run("connect_the_dots", PEAK)
    steps = {float(step.state.query[0]): step for step in trace if step.line == "answer"}
    assert steps[3.5].state.neighbours.tolist() == [2, 3]
    assert "between x₃ and x₄" in steps[3.5].note.text()
    assert "goes on" in min(steps.items())[1].note.text()
    held = next(
        step
        for step in engine.run("connect_the_dots", PEAK, outside="hold")
        if step.line == "answer"
    )
    assert "last value stays" in held.note.text()
    assert held.events == ()


def test_the_probe_is_a_moving_query() -> None:
    trace = engine.run("connect_the_dots", PEAK)
    explanation = trace.algorithm.explain(trace.given, trace[-1].state, np.array([4.5]))
    value = next(layer for layer in explanation.layers if layer.tag == "value")
    assert value.xy.tolist() == [[4.5, 6.0]]
    assert sorted(
        next(layer for layer in explanation.layers if layer.tag == "neighbours").xy[:, 0].tolist()
    ) == [4.0, 5.0]


def test_words_of_copies_add_up_to_the_value() -> None:
    """(1, 0), (1, 4), (2, 1): at 1 the mean 2 of two examples; at 1.5 shares ¼, ¼, ½ make 0 + 1 + ½
    = 1.5.
    """
    trace = engine.run("connect_the_dots", data([1, 1, 2], [0, 4, 1]))
    answers = {float(s.state.query[0]): s for s in trace if s.line == "answer"}
    here, between = answers[1.0], answers[1.5]
    assert (here.state.neighbours.tolist(), here.state.weights.tolist(), here.state.value) == (
        [0, 1],
        [0.5, 0.5],
        2,
    )
    assert "mean" in here.note.text()
    assert "its own value" not in here.note.text()
    assert between.state.weights.tolist() == [0.25, 0.25, 0.5]
    assert between.note["sum_wy"] == between.note["value"] == 1.5
    assert "x₁, x₂" in between.note["end0"]
    assert between.note["end1"] == "x₃"
    for s in answers.values():
        assert s.state.weights @ np.array([0.0, 4, 1])[s.state.neighbours] == pytest.approx(
            s.state.value
        )
    held = engine.run("connect_the_dots", data([1, 1, 2], [0, 4, 1]), outside="hold")
    first = next(s for s in held if s.line == "answer")
    assert first.state.value == 2
    assert "mean" in first.note.text()


def test_more_copies_than_a_step_can_hold_are_not_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dots, "MOST_COPIES", 2)
    trace = engine.run("connect_the_dots", data([1, 1, 2], [0, 4, 1]))
    between = next(s for s in trace if s.line == "answer" and s.state.query[0] == 1.5)
    assert between.state.value == 1.5
    assert not len(between.state.neighbours)
    assert "too many" in between.note.text()
    for step in trace:
        step.note.lines()
        trace.algorithm.scene(trace.given, step)
