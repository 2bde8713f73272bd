"""Axis weights against scikit-learn's neighbours on stretched columns, and what ML 8.2.2 says."""

from itertools import pairwise

import numpy as np
import pytest
from sklearn.neighbors import KNeighborsClassifier, NearestNeighbors

import engine
from engine.base.errors import EngineError
from engine.scene.scene import Points, Polyline, Role

TWENTY = engine.generate("irrelevant", 60, seed=0)  # ML 8.2.2: only x1 and x2 matter


def left_out_error(X: np.ndarray, y: np.ndarray, z: np.ndarray, k: int) -> float:
    """The share of rows that the majority of the k nearest others calls wrong. X: (n, d), k odd."""
    others = NearestNeighbors(n_neighbors=k).fit(X * z).kneighbors(return_distance=False)
    return float(((y[others].mean(axis=1) > 0.5) != y).mean())


@pytest.mark.parametrize("k", [1, 3])
def test_every_factor_is_judged_as_scikit_learn_judges_it(k: int) -> None:
    trace = engine.run("axis_weights", engine.generate("moons", 24, 0.3, seed=4), k=k, rounds=2)
    X, y = trace.problem.X, trace.problem.codes
    tested = [step.state for step in trace if step.line == "test"]
    assert len(tested) >= 8
    for s in tested:
        z = s.z.copy()
        z[s.axis] = trace.given.values[s.value]
        assert s.tried[s.axis, s.value] == pytest.approx(left_out_error(X, y, z, k))


def test_the_error_falls_or_stays_and_the_end_is_converged() -> None:
    trace = engine.run("axis_weights", TWENTY)
    errors = [step.state.error for step in trace]
    assert all(b <= a + 1e-12 for a, b in pairwise(errors))
    s = trace[-1].state
    assert trace[-1].events == ("converged",)
    assert (s.z == s.before).all()


def test_columns_that_do_not_matter_are_dropped() -> None:
    """ML 8.2.2: factors of 0 eliminate attributes; eighteen of these twenty do not matter."""
    trace = engine.run("axis_weights", TWENTY, values=(0, 1))
    z = trace[-1].state.z
    assert z[0] == z[1] == 1
    assert np.count_nonzero(z == 0) >= 9
    fresh = engine.prepare(engine.generate("irrelevant", 500, seed=7))
    X, y = trace.problem.X, trace.problem.codes
    plain = KNeighborsClassifier(1).fit(X, y).score(fresh.X, fresh.codes)
    shrunk = KNeighborsClassifier(1).fit(X * z, y).score(fresh.X * z, fresh.codes)
    assert shrunk > plain


def test_leave_one_out_looks_better_than_fresh_rows() -> None:
    """ML 8.2.2: the more freedom in stretching, the more it overfits."""
    trace = engine.run("axis_weights", TWENTY)
    s = trace[-1].state
    fresh = engine.prepare(engine.generate("irrelevant", 1000, seed=7))
    says = trace.algorithm.predict(trace.given, s, fresh.X)
    assert s.error < np.mean(says != fresh.codes)


def test_random_splits_judge_by_rows_that_are_not_stored() -> None:
    data = engine.generate("moons", 20, 0.2, seed=1)
    trace = engine.run("axis_weights", data, judged="random splits", splits=3, share=0.25)
    rng = np.random.default_rng(0)
    X, y = trace.problem.X, trace.problem.codes
    errors = []
    for _ in range(3):
        order = rng.permutation(20)
        near = KNeighborsClassifier(1).fit(X[order[5:]], y[order[5:]])
        errors.append(1 - near.score(X[order[:5]], y[order[:5]]))
    assert trace[0].state.error == pytest.approx(np.mean(errors))


@pytest.mark.parametrize("values", [(1,), (-1, 1), tuple(range(9))])
def test_values_that_are_none_are_refused(values: tuple[float, ...]) -> None:
    with pytest.raises(EngineError, match="Values of z must be 2 to 8"):
        engine.run("axis_weights", TWENTY, values=values)


def test_the_plot_has_the_errors_of_the_axis_at_hand() -> None:
    trace = engine.run("axis_weights", engine.generate("blobs", 20, seed=1))
    for step in trace:
        s = step.state
        bars, plot = trace.algorithm.scene(trace.given, step).figures[:2]
        assert bars.ticks != "before this step"  # they are of the round: no step moved them
        if s.axis < 0:
            continue
        (line,) = (layer for layer in plot.layers if isinstance(layer, Polyline))
        tried = s.tried[s.axis]
        assert line.xy[:, 1].tolist() == tried[~np.isnan(tried)].tolist()
        ring = next(x for x in plot.layers if isinstance(x, Points) and x.role is Role.ACTIVE)
        taken = s.value
        if step.line == "set" and taken < 0:  # z stays
            taken = trace.given.values.index(s.z[s.axis])
        assert ring.xy.tolist() == ([[taken, tried[taken]]] if taken >= 0 else [])


def test_amber_and_check_mark_are_on_the_factors_that_the_words_name() -> None:
    trace = engine.run("axis_weights", engine.generate("blobs", 20, seed=1))
    for step in trace:
        bars, plot = trace.algorithm.scene(trace.given, step).figures[:2]
        lit = [j for j, role in enumerate(bars.roles) if role is Role.ACTIVE]
        assert bars.checked == (step.line == "set")
        if step.line == "until":
            assert len(lit) == step.note["changed"]
            assert f"{step.note['e']:.2f} after round {step.state.round}" in plot.title
        elif step.line in ("test", "set"):
            assert [trace.problem.titles[j] for j in lit] == [step.note["axis"]]
            assert f"{step.note['e']:.2f}" in plot.title
