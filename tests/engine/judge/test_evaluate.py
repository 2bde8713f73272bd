"""Judging and surfaces from outside the algorithms."""

import numpy as np
import pytest

import engine
from engine.base.grid import Grid
from engine.judge.evaluate import error_share, held_out_curve
from engine.judge.surface import evaluate_field, surface
from engine.protocol.step import Level


def clouds() -> engine.Dataset:
    rng = np.random.default_rng(0)
    y = np.where(np.arange(80) % 2 == 0, 1, -1)
    return engine.Dataset.from_arrays(rng.normal(size=(80, 2)) + 1.2 * y[:, None], y)


def test_error_shares_count_wrong_labels() -> None:
    trace = engine.run(
        "perceptron", clouds(), split=engine.Split(0.25), threshold="learned", max_steps=500
    )
    for held_out in (False, True):
        problem = trace.problem.held_out if held_out else trace.problem
        wrong = trace.predict(problem.X) != problem.y
        assert error_share(trace, held_out=held_out) == pytest.approx(np.mean(wrong))


def test_the_held_out_curve_judges_every_round() -> None:
    trace = engine.run(
        "perceptron", clouds(), split=engine.Split(0.25), threshold="learned", rounds=6
    )
    steps, shares = held_out_curve(trace)
    assert steps.tolist() == list(trace.indices(Level.ROUND))
    assert shares[-1] == error_share(trace, held_out=True)
    later, _ = held_out_curve(trace, start=3)
    assert later.tolist() == steps[3:].tolist()
    whole = engine.run("perceptron", clouds(), rounds=2)
    assert len(held_out_curve(whole)[0]) == 0


def test_a_grid_runs_from_the_smallest_y_upwards() -> None:
    grid = Grid.over((0, 4), (10, 12), 4)
    assert grid.x.tolist() == [0.5, 1.5, 2.5, 3.5]
    assert grid.y.tolist() == [10.25, 10.75, 11.25, 11.75]
    assert grid.points()[:5].tolist() == [
        [0.5, 10.25],
        [1.5, 10.25],
        [2.5, 10.25],
        [3.5, 10.25],
        [0.5, 10.75],
    ]


def test_surfaces_hold_hidden_columns_at_the_anchor() -> None:
    rng = np.random.default_rng(1)
    X = rng.normal(size=(60, 3))
    trace = engine.run("perceptron", (X, np.where(X @ [1, 2, 3] > 0, 1, -1)), threshold="learned")
    grid = Grid.over((-2, 2), (-2, 2), 9)
    rows = np.column_stack([grid.points(), np.full(81, X[:, 2].mean())])
    assert np.array_equal(surface(trace, "class", grid).ravel(), trace.codes(rows))


def test_an_unknown_surface_is_reported() -> None:
    trace = engine.run("perceptron", clouds(), rounds=1)
    with pytest.raises(engine.EngineError, match="no surface “height”"):
        evaluate_field(
            trace.algorithm, trace.given, trace[0].state, "height", Grid.over((0, 1), (0, 1), 3)
        )


def test_a_network_of_columns_beside_a_numeric_target_has_no_error() -> None:
    """It tells classes alone, and says nothing of numbers."""
    data = engine.Dataset.from_columns(
        {"a": [True, False, True, False], "y": [1.5, 2.5, 3.5, 4.5]}, "y"
    )
    trace = engine.run("k2_search", data)
    assert np.isnan(trace.codes(trace.problem.X)).all()
    assert np.isnan(error_share(trace))
