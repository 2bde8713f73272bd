"""Bias and variance of bootstrap copies, against a loop of one's own, and the sums that they come
to.
"""

import numpy as np
import pytest

import engine
from engine.experiments.bootstrap_spread import Setting, shares
from engine.scene.scene import Role

MOONS = engine.generate("moons", 40, noise=0.3, seed=1)
SINE = engine.generate("sine", 40, seed=2)


def run_with_votes(data, **params):
    """(trace, what each model said of each row, NaN where it had seen it)."""
    trace = engine.run("bootstrap_spread", data, **params)
    models = [
        step.state.model for step in trace if step.line == "learn" and "refused" not in step.events
    ]
    says = np.full((len(models), trace.problem.n), np.nan)
    for k, model in enumerate(models):
        out = np.setdiff1d(np.arange(trace.problem.n), model.rows)
        says[k, out] = model.says[out]
    return trace, says


def test_for_squares_error_is_bias_and_variance() -> None:
    trace, says = run_with_votes(SINE, learner="polynomial_fit(degree=5)", copies=15)
    known = shares(trace.given, trace[-1].state)
    y = trace.problem.y[known.rows]
    seen = says[:, known.rows]
    assert known.error == pytest.approx(np.nanmean((seen - y) ** 2, axis=0))
    assert known.bias == pytest.approx((np.nanmean(seen, axis=0) - y) ** 2)
    assert known.variance == pytest.approx(np.nanvar(seen, axis=0))
    assert trace[-1].metrics["error"] == pytest.approx(
        trace[-1].metrics["bias"] + trace[-1].metrics["variance"]
    )


def test_for_two_classes_the_variance_is_taken_away_where_most_are_wrong() -> None:
    trace, says = run_with_votes(MOONS, copies=25)
    known = shares(trace.given, trace[-1].state)
    y = trace.problem.codes[known.rows]
    seen = says[:, known.rows]
    predicted = ~np.isnan(seen)
    assert known.error == pytest.approx(
        (predicted & (seen != y)).sum(axis=0) / predicted.sum(axis=0)
    )
    sign = np.where(known.bias > 0, -1, 1)
    assert known.error == pytest.approx(known.bias + sign * known.variance)


def test_fewer_rows_make_more_variance() -> None:
    """AIMA 18.4.2: variance falls as the number of examples rises."""
    data = engine.generate("moons", 120, noise=0.25, seed=4)
    few, many = (
        engine.run("bootstrap_spread", data, copies=30, size=size)[-1].metrics["variance"]
        for size in (10, 120)
    )
    assert many < few


def test_a_stiff_learner_has_bias_and_a_supple_one_variance() -> None:
    data = engine.generate("sine", 80, noise=0.3, seed=2)
    stiff, supple = (
        engine.run("bootstrap_spread", data, copies=30, learner=f"neighbour_regression(k={k})")[
            -1
        ].metrics
        for k in (30, 1)
    )
    assert stiff["bias"] > supple["bias"]
    assert stiff["variance"] < supple["variance"]


def test_a_straight_boundary_is_drawn_where_the_line_is() -> None:
    trace, _ = run_with_votes(MOONS, copies=3, learner="logistic_regression")
    last = [step.state for step in trace if step.line == "learn"][-1]
    w = last.model.state.w
    xy = last.lines[-1]
    xy = xy[~np.isnan(xy).any(axis=1)]
    assert len(xy) > 10
    scores = w[0] * xy[:, 0] + w[1] * xy[:, 1] + w[2]
    assert np.abs(scores).max() < 0.03 * np.linalg.norm(w[:2]) * np.ptp(trace.problem.xy)


def test_setting_draws_as_many_as_there_are() -> None:
    problem = engine.prepare(MOONS)
    params = engine.algorithms()["bootstrap_spread"].params
    assert Setting(problem, params()).size == 40
    assert Setting(problem, params(size=7)).size == 7


def test_the_errors_on_rows_left_out_are_lit_where_they_are_judged() -> None:
    for data, learner in ((SINE, "regression_tree"), (MOONS, "decision_tree")):
        trace = engine.run("bootstrap_spread", data, learner=learner, max_steps=12)
        judged = [step for step in trace if step.line == "judge"]
        assert judged
        for step in judged:
            scene = trace.algorithm.scene(trace.given, step)
            model, problem = step.state.model, trace.problem
            out = np.setdiff1d(trace.given.rows, model.rows)
            lit = [layer for layer in scene.layers if layer.role is Role.ACTIVE]
            error = float(shares(trace.given, step.state).error.mean())
            assert f"{error:.2f}" in scene.plane
            if problem.regress:
                (lines,) = lit
                length = lines.ends[:, 1, 1] - lines.ends[:, 0, 1]
                assert length == pytest.approx(model.says[out] - problem.y[out])
            else:
                wrong = int((model.says[out] != problem.codes[out]).sum())
                assert sum(layer.size for layer in lit) == wrong


def test_at_the_end_the_plane_shows_the_bias() -> None:
    for data, learner in ((SINE, "regression_tree"), (MOONS, "decision_tree")):
        trace = engine.run("bootstrap_spread", data, learner=learner, copies=6)
        step = trace[-1]
        scene = trace.algorithm.scene(trace.given, step)
        found = shares(trace.given, step.state)
        lit = [layer for layer in scene.layers if layer.role is Role.ACTIVE]
        if trace.problem.regress:
            (lines,) = lit
            assert ((lines.ends[:, 1, 1] - lines.ends[:, 0, 1]) ** 2) == pytest.approx(found.bias)
        else:
            assert sum(layer.size for layer in lit) == found.bias.sum()
        for name in ("error", "bias", "variance"):
            assert f"{step.note[name]:.2f}" in scene.plane
