"""Neighbour regression against MMDS Ex 12.12 and Exercises 12.4.3, 12.4.5-6, AIMA Fig 18.28 and
scikit-learn.
"""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.neighbors import KNeighborsRegressor

import engine
from engine.protocol.step import Level, Pace
from engine.runs.run import run_problem
from engine.scene.scene import Labels, Points, Polyline, Role

PEAK, DOUBLING, DRAWING = (
    engine.textbook(name) for name in ("peak", "doubling", "regression_points")
)


def ask(data, *x: float, **params):
    return engine.run("neighbour_regression", data, **params).predict(np.array(x)[:, None])


def test_nearest_and_mean_of_two_on_the_peak() -> None:
    """MMDS C12.22."""
    assert ask(PEAK, 1.2, 3.9, 4.6, 6.4, k=1).tolist() == [1, 8, 4, 2]
    assert ask(PEAK, 1.2, 3.9, 4.6, 6.4, k=2).tolist() == [1.5, 6, 6, 1.5]


def test_mean_of_three_and_four_on_the_peak() -> None:
    """MMDS C12.23(b), E14: the mean of the four nearest."""
    assert np.allclose(ask(PEAK, 4.0, 2.1, 7.0, k=3), [16 / 3, 7 / 3, 7 / 3])
    assert np.allclose(ask(PEAK, 3.5, 4.5, 0.0, k=4), [18 / 4, 18 / 4, 15 / 4])


def test_two_weighted_by_distance_interpolate() -> None:
    """MMDS A41(3): between two neighbours 1/d weights are the straight line; E12 on the doubling
    set.
    """
    q = np.linspace(1, 7, 31)
    assert np.allclose(
        ask(PEAK, *q, k=2, weights="1/d"), np.interp(q, range(1, 8), [1, 2, 4, 8, 4, 2, 1])
    )
    assert ask(DOUBLING, 3.0, k=2, weights="1/d")[0] == pytest.approx(2.5)
    assert ask(DOUBLING, 2.9, k=1)[0] == 2
    assert ask(DOUBLING, 3.1, k=1)[0] == 3


def test_erratum_weights_by_distance_do_not_extrapolate() -> None:
    """MMDS A41: at q = 0 the weights 1 and 1/2 give 4/3, the straight line 0."""
    assert ask(PEAK, 0.0, k=2, weights="1/d")[0] == pytest.approx(4 / 3)
    assert ask(PEAK, 0.0, k=2, estimate="line")[0] == pytest.approx(0)


def test_weighted_mean_of_two_jumps_where_both_stand_on_one_side() -> None:
    """MMDS E15, Exercise 12.4.6: on the doubling set the neighbours 2 and 4 become 4 and 8 at (2 +
    8) / 2.
    """
    left, right = ask(DOUBLING, 5 - 1e-6, 5 + 1e-6, k=2, weights="1/d")
    assert left == pytest.approx(3 - 1 / 4, abs=1e-4)  # 4 is 1 away, 2 is 3 away
    assert right == pytest.approx(3 + 1 / 4, abs=1e-4)  # 4 is 1 away, 8 is 3 away


def test_ends_are_flat_for_means_and_go_on_for_lines() -> None:
    """AIMA F43, Fig 18.28(b, c)."""
    means, lines = ask(DRAWING, 12.9, 14, 16, k=3), ask(DRAWING, 12.9, 14, 16, k=3, estimate="line")
    assert np.ptp(means) == 0
    assert np.all(np.diff(lines) > 0)


def test_median_ignores_the_outlier() -> None:
    assert ask(DRAWING, 6.0, k=3, estimate="median")[0] == 5.1
    assert ask(DRAWING, 6.0, k=3)[0] == pytest.approx((4.8 + 7.4 + 5.1) / 3)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 4), st.integers(1, 8), st.booleans())
def test_agrees_with_scikit_learn(seed: int, d: int, k: int, weighted: bool) -> None:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(15, d))
    y = rng.normal(size=15) + 0.001
    trace = run_problem(
        "neighbour_regression",
        engine.prepare(engine.Dataset.from_arrays(X, y, task="regress")),
        pace=Pace(Level.ROUND),
        k=k,
        weights="1/d" if weighted else "equal",
    )
    oracle = KNeighborsRegressor(k, weights="distance" if weighted else "uniform").fit(X, y)
    Q = rng.normal(size=(30, d))
    assert np.allclose(trace.predict(Q), oracle.predict(Q))


def test_a_tie_is_reported_and_goes_to_the_lower_row() -> None:
    trace = engine.run("neighbour_regression", PEAK, k=1)
    tied = [s for s in trace if s.line == "near" and s.events == ("tie",)]
    assert {float(s.state.query[0]) for s in tied} == {1.5, 2.5, 3.5, 4.5, 5.5, 6.5}
    for s in tied:
        assert len(s.choice.winners) == 2
        assert s.choice.rule
        assert s.state.neighbours[0] == int(s.state.query[0] - 1)
        assert [option.value for option in s.choice.options[:2]] == [
            int(s.state.query[0] - 1),
            int(s.state.query[0]),
        ]


def test_a_second_run_by_the_same_rule_leaves_nothing_out_again() -> None:
    """The memory is that of the table and the rule; which of both runs asks first makes no
    difference.
    """
    problem = engine.prepare(PEAK)
    first, second, other = (engine.run("neighbour_regression", problem, k=k) for k in (2, 2, 3))
    assert first.given.model is second.given.model
    assert first.given.model is not other.given.model
    np.testing.assert_array_equal(first.metrics["loo"], second.metrics["loo"])


def test_the_query_stops_at_every_example_and_switch() -> None:
    trace = engine.run("neighbour_regression", DOUBLING, k=2)
    stops = {round(float(s.state.query[0]), 9) for s in trace if s.line == "answer"}
    assert {1, 2, 4, 8, 16, 32, 2.5, 5, 10, 20} <= stops


def test_left_out_error_at_the_end() -> None:
    """AIMA A67 by hand on the peak with k = 1, lower row on ties: 2, 1, 2, 4, 8, 4, 2 answer for 1,
    2, 4, 8, 4, 2, 1.
    """
    trace = engine.run("neighbour_regression", PEAK, k=1)
    answers, y = np.array([2, 1, 2, 4, 8, 4, 2]), np.array([1, 2, 4, 8, 4, 2, 1])
    assert trace.metrics["loo"][-1] == pytest.approx(np.sqrt(np.mean((answers - y) ** 2)))
    assert trace.metrics["rmse"][-1] == 0


def test_the_curve_breaks_at_jumps_and_is_ink_up_to_the_query() -> None:
    trace = engine.run("neighbour_regression", PEAK, k=2)
    step = next(s for s in trace if s.line == "answer" and s.state.query[0] == 4)
    layers = trace.algorithm.scene(trace.given, step).layers
    drawn = {
        layer.role: layer.xy
        for layer in layers
        if isinstance(layer, Polyline) and layer.tag == "curve"
    }
    assert np.nanmax(drawn[Role.BOUNDARY][:, 0]) <= 4 <= np.nanmin(drawn[Role.GHOST][:, 0])
    assert np.isnan(drawn[Role.BOUNDARY]).any()
    rings = next(
        layer for layer in layers if isinstance(layer, Points) and layer.role is Role.NEIGHBOUR
    )
    assert {tuple(xy) for xy in rings.xy.tolist()} == {(4, 8), (3, 4)}


def test_two_columns_on_the_plane() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(30, 2))
    trace = engine.run(
        "neighbour_regression", engine.Dataset.from_arrays(X, X.sum(1) + 0.01, task="regress")
    )
    for step in trace[::9]:
        assert trace.algorithm.scene(trace.given, step).layers


@pytest.mark.parametrize(
    ("k", "written"),
    # mmds E14; k 1: every piece goes through its example; k 3: mmds A41 (4)
    [(1, set()), (3, {"2.33", "4.67", "5.33"}), (4, {"3.75", "4.50"})],
)
def test_the_values_of_few_level_pieces_are_written(k: int, written: set[str]) -> None:
    trace = engine.run("neighbour_regression", engine.textbook("peak"), k=k)
    layers = trace.algorithm.scene(trace.given, trace[-1]).layers
    assert {text for x in layers if isinstance(x, Labels) for text in x.text} == written
