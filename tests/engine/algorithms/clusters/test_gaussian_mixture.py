"""The Gaussian mixture against scikit-learn and its own laws."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.mixture import GaussianMixture

import engine
from engine.algorithms.clusters.gaussian_mixture.shapes import FLOOR
from engine.algorithms.clusters.gaussian_mixture.words import FLAT, SHRUNK
from engine.base.grid import Grid
from engine.protocol.step import Level, Pace
from engine.runs.run import Run
from engine.scene.scene import Ellipses, Role


def clouds(n: int = 300, seed: int = 4):
    """Three heaps that lean in different directions, of different sizes."""
    rng = np.random.default_rng(seed)
    pulls = np.array(
        [[[1.5, 0.0], [0.9, 0.3]], [[0.4, 0.0], [0.0, 0.4]], [[0.3, 0.0], [-0.8, 1.2]]]
    )
    middles = np.array([[0.0, 0.0], [4.0, 3.0], [-3.0, 4.0]])
    which = rng.choice(3, n, p=[0.5, 0.2, 0.3])
    X = middles[which] + np.einsum("nij,nj->ni", pulls[which], rng.normal(size=(n, 2)))
    return engine.Dataset.from_arrays(X)


START = (1.0, 0.0, 3.0, 1.0, -1.0, 3.0)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("rounds", [1, 3, 12])
def test_agrees_with_scikit_learn_round_by_round(rounds: int) -> None:
    trace = engine.run("gaussian_mixture", clouds(), k=3, start=START, rounds=rounds)
    X = trace.problem.X
    start = trace[0].state
    end = trace[-1].state
    oracle = GaussianMixture(
        3,
        means_init=start.means,
        weights_init=start.weights,
        precisions_init=np.linalg.inv(start.covariances),
        reg_covar=0,
        tol=0,
        max_iter=rounds,
    ).fit(X)
    np.testing.assert_allclose(end.means, oracle.means_, rtol=1e-8)
    np.testing.assert_allclose(end.covariances, oracle.covariances_, rtol=1e-8)
    np.testing.assert_allclose(end.weights, oracle.weights_, rtol=1e-8)
    np.testing.assert_allclose(end.responsibilities, oracle.predict_proba(X), atol=1e-8)
    assert end.log_likelihood == pytest.approx(oracle.score(X) * len(X))


def test_first_e_step_by_hand() -> None:
    """Two numbers, two Gaussians: the start has variance (spread / k)² and equal shares."""
    data = engine.Dataset.from_columns({"x": [-1.0, 1.0]})
    state = engine.run("gaussian_mixture", data, k=2, start=(-1.0, 1.0), rounds=1)[2].state
    near = 1 / (1 + np.exp(-(2.0**2) / (2 * 0.25)))
    np.testing.assert_allclose(state.responsibilities, [[near, 1 - near], [1 - near, near]])


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(
    st.lists(st.tuples(st.floats(-9, 9), st.floats(-9, 9)), min_size=3, max_size=14),
    st.integers(1, 3),
)
def test_likelihood_never_falls(rows: list[tuple[float, float]], k: int) -> None:
    """Not even where the least variance holds a component open."""
    trace = engine.run(
        "gaussian_mixture", engine.Dataset.from_arrays(np.array(rows)), k=k, rounds=30
    )
    curve = trace.metrics["log_likelihood"]
    assert (np.diff(curve) >= -1e-7 * np.maximum(1.0, np.abs(curve[:-1]))).all()
    for step in trace:
        assert np.linalg.eigvalsh(step.state.covariances).min() >= 0
        np.testing.assert_allclose(step.state.responsibilities.sum(axis=1), 1.0)
        assert step.state.weights.sum() == pytest.approx(1.0)


def test_one_component_is_mean_and_covariance_at_once() -> None:
    trace = engine.run("gaussian_mixture", clouds(), k=1)
    X = trace.problem.X
    first = trace.at(Level.ROUND, 1).state
    np.testing.assert_allclose(first.means[0], X.mean(axis=0))
    np.testing.assert_allclose(first.covariances[0], np.cov(X.T, bias=True))
    assert trace[-1].state.round == 2


def test_column_without_spread_is_held_open_and_said() -> None:
    data = engine.Dataset.from_arrays(np.array([[0.0, 5.0], [1.0, 5.0], [4.0, 5.0], [5.0, 5.0]]))
    trace = engine.run("gaussian_mixture", data, k=2)
    assert trace.when("floor")
    shapes = trace[trace.when("floor")[0]]
    assert FLAT in shapes.note.lead
    assert shapes.state.covariances[:, 1, 1] == pytest.approx(FLOOR)
    assert SHRUNK not in trace[-1].note.lead


def test_component_on_one_example_is_held_open() -> None:
    data = engine.Dataset.from_columns({"x": [0.0, 0.1, 0.2, 0.3, 50.0]})
    trace = engine.run("gaussian_mixture", data, k=2, start=(0.1, 50.0))
    assert trace[-1].state.narrow == (1,)
    assert trace[-1].note["held"] == "μ₂"
    assert SHRUNK in trace[-1].note.lead
    assert trace[-1].state.covariances[1, 0, 0] == pytest.approx(
        FLOOR * np.var([0.0, 0.1, 0.2, 0.3, 50.0])
    )


def test_equal_start_means_stay_together() -> None:
    trace = engine.run("gaussian_mixture", clouds(), k=2, start=(0.0, 0.0, 0.0, 0.0))
    np.testing.assert_allclose(*trace[-1].state.means)
    assert "stay together" in trace[0].note.text()


def test_far_component_is_empty_and_stays() -> None:
    trace = engine.run("gaussian_mixture", clouds(), k=2, start=(0.0, 0.0, 1e4, 1e4), rounds=3)
    assert trace.when("empty")
    assert trace[-1].state.means[1] == pytest.approx([1e4, 1e4])
    assert trace[-1].state.weights == pytest.approx([1.0, 0.0])


def test_bad_starts_are_sentences() -> None:
    with pytest.raises(engine.EngineError, match="closer"):
        engine.run("gaussian_mixture", clouds(), k=1, start=(1e12, 0.0))
    with pytest.raises(engine.EngineError, match="only 2 examples"):
        engine.run("gaussian_mixture", engine.Dataset.from_arrays(np.eye(2)), k=3)


@pytest.mark.parametrize("size", [1e-150, 1e148])
def test_scale_of_the_numbers_does_not_matter(size: float) -> None:
    plain = engine.run("gaussian_mixture", clouds(60), k=2, seed=1)
    X = np.asarray(plain.problem.X)
    scaled = engine.run("gaussian_mixture", engine.Dataset.from_arrays(size * X), k=2, seed=1)
    np.testing.assert_allclose(scaled[-1].state.means / size, plain[-1].state.means, rtol=1e-6)
    lost = len(X) * 2 * np.log(size)
    assert scaled[-1].state.log_likelihood + lost == pytest.approx(
        plain[-1].state.log_likelihood, rel=1e-6
    )


def test_goes_on_from_a_state() -> None:
    whole = engine.run("gaussian_mixture", clouds(), k=3, start=START)
    run = Run(whole.algorithm, whole.problem, whole.params, start=whole.at(Level.ROUND, 3).state)
    run.advance()
    np.testing.assert_allclose(run.trace[-1].state.means, whole[-1].state.means, rtol=1e-6)


def test_coarse_runs_end_in_the_same_model() -> None:
    fine = engine.run("gaussian_mixture", clouds(), k=3, seed=5)
    coarse = engine.run("gaussian_mixture", clouds(), k=3, seed=5, pace=Pace(Level.ROUND))
    np.testing.assert_array_equal(fine[-1].state.covariances, coarse[-1].state.covariances)


def test_explain_and_surface_agree_with_scikit_learn() -> None:
    trace = engine.run("gaussian_mixture", clouds(), k=3, start=START)
    s = trace[-1].state
    oracle = GaussianMixture(3)
    oracle.weights_, oracle.means_, oracle.covariances_ = s.weights, s.means, s.covariances
    oracle.precisions_cholesky_ = np.stack(
        [np.linalg.cholesky(np.linalg.inv(c)) for c in s.covariances]
    )
    place = np.array([1.5, 2.0])
    explained = trace.algorithm.explain(trace.given, s, place)
    np.testing.assert_allclose(
        explained.bars.values, oracle.predict_proba(place[None])[0], atol=1e-9
    )
    grid = Grid.over((-5, 6), (-4, 7), 40)
    found = trace.algorithm.fields["class"](trace.given, s, grid)
    assert (found.ravel() == oracle.predict(grid.points())).all()


def test_ovals_are_the_covariances() -> None:
    trace = engine.run("gaussian_mixture", clouds(), k=3, start=START)
    layers = trace.algorithm.scene(trace.given, trace[-1]).layers
    ovals = (layer for layer in layers if isinstance(layer, Ellipses))
    oval = next(layer for layer in ovals if layer.tag == "shapes")
    np.testing.assert_array_equal(oval.shape, trace[-1].state.covariances)
    assert oval.group.tolist() == [0, 1, 2]


def test_the_end_of_a_round_shows_where_the_ovals_were_and_what_was_gained() -> None:
    data = engine.generate("blobs", 40, seed=1)
    trace = engine.run("gaussian_mixture", data, k=2)
    step = next(step for step in trace if step.line == "until")
    scene = trace.algorithm.scene(trace.given, step)
    before = [one for one in scene.layers if isinstance(one, Ellipses) and one.tag == "before"]
    assert len(before) == 1
    np.testing.assert_array_equal(before[0].centre, step.state.before_means)
    for value in (step.details["before"], step.state.log_likelihood):
        assert f"{abs(value):.2f}" in scene.plane
    assert f"Round {step.state.round} is over" in scene.plane


def test_amber_is_on_the_ovals_whose_spread_the_step_has_changed() -> None:
    trace = engine.run("gaussian_mixture", clouds(), k=3, start=START)
    for step in trace:
        s = step.state
        layers = trace.algorithm.scene(trace.given, step).layers
        amber = [x for x in layers if isinstance(x, Ellipses) and x.role is Role.ACTIVE]
        changed = (s.covariances != s.before_covariances).any(axis=(1, 2))
        if step.line != "shapes":
            assert not amber
        else:
            (rings,) = amber
            np.testing.assert_array_equal(rings.shape, s.covariances[changed])
