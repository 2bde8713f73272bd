"""Naive Bayes for numbers against scikit-learn, and its borders against the conics."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm
from sklearn.naive_bayes import GaussianNB

import engine
from engine.base.notation import figure_digits, number
from engine.protocol.step import Level, Pace
from engine.scene.scene import Ellipses, Field, Labels, Polyline, Segments

ROUND = Pace(Level.ROUND)


def clouds(classes: int, seed: int, n: int = 150, d: int = 4) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    y = np.arange(n) % classes
    X = rng.normal(size=(n, d)) * (1 + y[:, None]) + 2 * rng.normal(size=(classes, d))[y]
    return X, y


@pytest.mark.parametrize("classes", [2, 3, 6])
def test_like_scikit_learn(classes: int) -> None:
    X, y = clouds(classes, seed=classes)
    trace = engine.run("gaussian_bayes", (X, y), pace=ROUND)
    order = [trace.problem.classes.index(label) for label in range(classes)]
    oracle = GaussianNB(var_smoothing=0.0).fit(X, y)
    s = trace[-1].state
    assert s.means[order] == pytest.approx(oracle.theta_)
    assert s.variances[order] == pytest.approx(oracle.var_)
    queries = np.random.default_rng(9).normal(size=(400, 4)) * 4
    assert (trace.predict(queries) == oracle.predict(queries)).all()
    if classes > 2:
        want = oracle.predict_joint_log_proba(queries)
        assert trace.scores(queries)[:, order] == pytest.approx(want)


@pytest.mark.parametrize("name", ["iris", "wine"])
def test_three_classes_that_ship_with_the_lab(name: str) -> None:
    data = engine.real(name)
    trace = engine.run("gaussian_bayes", data, pace=ROUND)
    problem = trace.problem
    oracle = GaussianNB(var_smoothing=0.0).fit(problem.X, problem.codes)
    assert (trace.codes(problem.X) == oracle.predict(problem.X)).all()


def test_shared_variances_make_lines() -> None:
    """ln S(v) − ln S(w) has no square term: half-way between two places it has the mean value."""
    X, y = clouds(2, seed=1)
    trace = engine.run("gaussian_bayes", (X, y), variances="shared", pace=ROUND)
    a, b = np.random.default_rng(2).normal(size=(2, 50, 4)) * 5
    a_score, b_score, middle = (trace.scores(x) for x in (a, b, (a + b) / 2))
    assert middle == pytest.approx((a_score + b_score) / 2)
    own = engine.run("gaussian_bayes", (X, y), pace=ROUND)
    halves = (own.scores(a) + own.scores(b)) / 2
    assert not np.allclose(own.scores((a + b) / 2), halves)


@given(st.integers(2, 5), st.integers(0, 50))
def test_the_chances_at_the_query_add_up_to_one(classes: int, seed: int) -> None:
    trace = engine.run("gaussian_bayes", clouds(classes, seed, n=30, d=2), pace=ROUND)
    options = trace[-1].choice.options
    assert sum(option.score for option in options) == pytest.approx(1.0)
    assert trace[-1].note["chance"] == pytest.approx(max(option.score for option in options))


def test_equal_values_and_a_single_example_have_a_bell() -> None:
    X = [[1.0, 5.0], [1.0, 5.0], [2.0, 5.0]]
    trace = engine.run("gaussian_bayes", (X, ["a", "a", "b"]))
    assert trace.predict(np.array(X)).tolist() == ["a", "a", "b"]
    assert (trace[-1].state.variances > 0).all()


def test_ovals_at_one_and_two_sigma_and_lines_of_equal_chances() -> None:
    trace = engine.run("gaussian_bayes", engine.generate("gaussians", 60, seed=1))
    scene = trace.algorithm.scene(trace.given, trace[-1])
    ovals = [layer for layer in scene.layers if isinstance(layer, Ellipses)]
    assert [oval.reach for oval in ovals] == [1.0, 2.0]
    fields = [layer for layer in scene.layers if isinstance(layer, Field)]
    assert fields[0].name == ("lead" if len(trace.problem.classes) == 2 else "class")
    assert fields[0].boundary


def test_the_heights_of_the_bells_at_the_query_are_those_of_the_normal_law() -> None:
    trace = engine.run("gaussian_bayes", engine.real("iris"))
    step = next(step for step in trace if step.line == "factor" and step.state.column == 2)
    scene = trace.algorithm.scene(trace.given, step)
    plot = next(figure for figure in scene.figures if figure.title.startswith("Bell curves"))
    said = next(
        layer for layer in plot.layers if isinstance(layer, Labels) and layer.tag == "query"
    )
    X, codes = trace.problem.X, trace.problem.codes
    x = step.state.query[2]
    law = [norm(X[codes == v, 2].mean(), X[codes == v, 2].std()).pdf(x) for v in range(3)]
    assert [float(text) for text in said.text] == pytest.approx(law, rel=6e-3)
    bells = [layer for layer in plot.layers if isinstance(layer, Polyline)]
    assert [bell.group for bell in bells] == [0, 1, 2]
    assert [name for _, name in plot.y_ticks] == list(trace.problem.titles)


def test_a_factor_shows_its_place_and_the_heights_that_it_multiplies_by() -> None:
    trace = engine.run("gaussian_bayes", engine.generate("gaussians", 40))
    for step in trace:
        scene = trace.algorithm.scene(trace.given, step)
        lines = [layer for layer in scene.layers if isinstance(layer, Segments)]
        assert len(lines) == (step.line == "factor")
        if lines:
            j = step.state.column
            assert (lines[0].ends[..., j] == step.state.query[j]).all()
            height = norm.pdf(
                step.state.query[j], step.state.means[0, j], step.state.variances[0, j] ** 0.5
            )
            assert (
                f"{trace.problem.class_names[0]} {number(height, figure_digits(height))}"
                in scene.plane
            )
