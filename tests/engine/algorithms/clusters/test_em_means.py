"""EM for means against ML 6.12, scikit-learn and its own laws."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.mixture import GaussianMixture

import engine
from engine.algorithms.clusters.em_means.words import MERGED, ONE_PLACE
from engine.algorithms.clusters.parts.mixtures import leaders
from engine.base.grid import Grid
from engine.protocol.step import Level, Pace
from engine.runs.run import Run
from engine.scene.scene import Ellipses, Field, Plot

LUCK = [0.0, 1.0, 20.0, 21.0, 24.0, 25.0]


def line(values):
    return engine.Dataset.from_columns({"x": list(values)})


def fig_6_4(seed: int = 0):
    """ML Fig 6.4: two Gaussians of equal width, chosen with equal chance."""
    rng = np.random.default_rng(seed)
    return line(np.where(rng.random(30) < 0.5, -2.0, 2.0) + rng.normal(size=30))


def clouds(n: int = 200, seed: int = 2):
    rng = np.random.default_rng(seed)
    middles = np.array([[0.0, 0.0], [5.0, 1.0], [1.0, 6.0]])
    return engine.Dataset.from_arrays(middles[rng.integers(3, size=n)] + rng.normal(size=(n, 2)))


def test_first_round_by_hand() -> None:
    """Eqs 6.29 and 6.31 written out for two examples."""
    trace = engine.run("em_means", line([0.0, 1.0]), k=2, sigma=1.0, start=(0.0, 1.0), rounds=1)
    near = 1 / (1 + np.exp(-0.5))
    e, m = (next(s for s in trace if s.line == name) for name in ("e", "m"))
    np.testing.assert_allclose(e.state.responsibilities, [[near, 1 - near], [1 - near, near]])
    np.testing.assert_allclose(m.state.means.ravel(), [1 - near, near])
    assert e.note["z0"] == pytest.approx(near)


def test_finds_the_two_gaussians_of_fig_6_4() -> None:
    trace = engine.run("em_means", fig_6_4(), k=2, sigma=1.0, start=(-0.5, 0.5))
    assert trace.finished
    assert "converged" in trace[-1].events
    assert trace[-1].state.means.ravel() == pytest.approx([-2.0, 2.0], abs=0.6)


def test_agrees_with_scikit_learn_for_known_width() -> None:
    """One round of scikit-learn's mixture from the same state has the same memberships and the same
    new means.
    """
    data = clouds()
    sigma = 1.0
    start = np.array([[1.0, 1.0], [3.0, 0.0], [2.0, 4.0]])
    trace = engine.run("em_means", data, k=3, sigma=sigma, start=tuple(start.ravel()), rounds=5)
    X = trace.problem.X
    means = start
    for n in range(5):
        oracle = GaussianMixture(3, covariance_type="spherical")
        oracle.weights_ = np.full(3, 1 / 3)
        oracle.means_ = means
        oracle.covariances_, oracle.precisions_cholesky_ = (
            np.full(3, sigma**2),
            np.full(3, 1 / sigma),
        )
        state = [s for s in trace if s.line == "e"][n].state
        np.testing.assert_allclose(state.responsibilities, oracle.predict_proba(X), atol=1e-12)
        assert state.log_likelihood == pytest.approx(oracle.score(X) * len(X))
        z = oracle.predict_proba(X)
        means = z.T @ X / z.sum(axis=0)[:, None]
        np.testing.assert_allclose(trace.at(Level.ROUND, n + 1).state.means, means)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.floats(-30, 30), min_size=3, max_size=12), st.integers(1, 3), st.floats(0.2, 20))
def test_likelihood_never_falls(values: list[float], k: int, sigma: float) -> None:
    trace = engine.run("em_means", line(values), k=k, sigma=sigma, rounds=40)
    curve = trace.metrics["log_likelihood"]
    assert (np.diff(curve) >= -1e-9 * np.maximum(1.0, np.abs(curve[:-1]))).all()
    assert not trace.when("fell")


def test_equal_start_means_are_a_saddle() -> None:
    """ML F1: they never part, although a tiny push leads to a higher likelihood."""
    data = line([-2.5, -2.0, -1.5, 1.5, 2.0, 2.5])
    stuck = engine.run("em_means", data, k=2, sigma=1.0, start=(0.0, 0.0))
    assert stuck[-1].state.means.ravel().tolist() == [0.0, 0.0]
    assert "saddle" in stuck[-1].events
    assert "stay together" in stuck[0].note.text()
    pushed = engine.run("em_means", data, k=2, sigma=1.0, start=(-1e-3, 1e-3))
    assert pushed[-1].state.means.ravel() == pytest.approx([-2.0, 2.0], abs=0.05)
    assert pushed[-1].state.log_likelihood > stuck[-1].state.log_likelihood + 1
    assert not pushed.when("saddle")


def test_too_wide_a_sigma_lets_the_means_meet() -> None:
    """ML F5: then all means end at the middle of all examples, and this is no saddle: a push dies
    out.
    """
    values = [-2.5, -2.0, -1.5, 1.5, 2.0, 2.5]  # spread 4.17 = 2.04²
    for start in ((-1.0, 1.5), (0.0, 0.0)):
        wide = engine.run("em_means", line(values), k=2, sigma=3.0, start=start)
        assert wide[-1].state.means.ravel() == pytest.approx([0.0, 0.0], abs=0.01)
        assert "merged" in wide[-1].events
        assert not wide.when("saddle")
        assert (wide[-1].note["one"], wide[-1].note["other"]) == ("μ₁", "μ₂")
        assert MERGED in wide[-1].note.lead
    field = wide.algorithm.fields["class"](
        wide.given, wide[-1].state, Grid.over((-2, 2), (-1, 1), 5)
    )
    assert (field == -1).all()  # neither owns more of any place
    assert (
        "merged"
        not in engine.run("em_means", line(values), k=2, sigma=1.0, start=(-1.0, 1.5))[-1].events
    )


@pytest.mark.parametrize(("sigma", "parts"), [(2.0, True), (2.1, False)])
def test_equal_means_part_below_the_spread_of_their_examples(sigma: float, parts: bool) -> None:
    """The spread is √4.17 = 2.04: a tiny gap grows for a smaller σ and shrinks for a larger one."""
    data = line([-2.5, -2.0, -1.5, 1.5, 2.0, 2.5])
    start = (-1e-4, 1e-4)
    one, other = engine.run("em_means", data, k=2, sigma=sigma, start=start, rounds=1)[
        -1
    ].state.means.ravel()
    assert (other - one > 2e-4) == parts
    stuck = engine.run("em_means", data, k=2, sigma=sigma, start=(0.0, 0.0))
    assert ("saddle" in stuck[-1].events) == parts


def test_one_mean_is_the_middle_in_one_step() -> None:
    """ML F4, A4."""
    trace = engine.run("em_means", clouds(), k=1, sigma=0.3)
    np.testing.assert_allclose(
        trace.at(Level.ROUND, 1).state.means[0], trace.problem.X.mean(axis=0)
    )


def test_the_start_decides_among_local_maxima() -> None:
    """ML B19: six numbers in three pairs, two of the pairs close to each other."""
    good = engine.run("em_means", line(LUCK), k=3, sigma=1.0, start=(0.0, 20.0, 25.0))[-1].state
    bad = engine.run("em_means", line(LUCK), k=3, sigma=1.0, start=(0.0, 1.0, 22.0))[-1].state
    assert good.means.ravel() == pytest.approx([0.5, 20.5, 24.5], abs=0.01)
    assert bad.means[2, 0] == pytest.approx(22.5, abs=0.01)
    assert bad.log_likelihood < good.log_likelihood - 1


def test_far_start_means_do_not_underflow() -> None:
    trace = engine.run("em_means", line([0.0, 1.0, 2.0]), k=2, sigma=0.01, start=(1000.0, 2000.0))
    assert np.isfinite(trace[-1].state.means).all()
    assert trace[-1].state.means[0, 0] == pytest.approx(1.0)
    assert trace[-1].state.means[1, 0] == 2000.0
    assert trace.when("empty")
    assert trace[trace.when("empty")[0]].note["empty"] == "μ₂"


def test_overlap_slows_em() -> None:
    """ML F3."""
    rng = np.random.default_rng(3)
    noise = rng.normal(size=60)
    apart = [
        engine.run(
            "em_means",
            line(np.repeat([-a, a], 30) + noise),
            k=2,
            sigma=1.0,
            start=(-0.1, 0.1),
            seed=0,
        )
        for a in (4.0, 1.2)
    ]
    assert apart[0][-1].state.round < apart[1][-1].state.round


def test_more_means_than_examples_is_a_sentence() -> None:
    with pytest.raises(engine.EngineError, match="only 3 examples"):
        engine.run("em_means", line([1.0, 2.0, 3.0]), k=4)


def test_far_too_small_a_width_is_a_sentence() -> None:
    with pytest.raises(engine.EngineError, match="Width"):
        engine.run("em_means", line([1e150, -1e150]), k=2, sigma=1e-3)


def test_identical_examples_end_at_once() -> None:
    trace = engine.run("em_means", line([2.0] * 5), k=2)
    assert trace.finished
    assert trace[-1].state.means.ravel().tolist() == [2.0, 2.0]
    assert ONE_PLACE in trace[-1].note.lead


def test_goes_on_from_a_state() -> None:
    whole = engine.run("em_means", clouds(), k=3, sigma=1.0)
    half = whole.at(Level.ROUND, 3).state
    run = Run(whole.algorithm, whole.problem, whole.params, start=half)
    run.advance()
    np.testing.assert_array_equal(run.trace[-1].state.means, whole[-1].state.means)
    other = engine.run("em_means", clouds(), k=2, sigma=1.0)
    run = Run(whole.algorithm, whole.problem, whole.params, start=other[-1].state)
    with pytest.raises(engine.EngineError, match="start again"):
        run.advance()


def test_explains_a_place_by_its_memberships() -> None:
    trace = engine.run("em_means", line([-2.0, 2.0]), k=2, sigma=1.0, start=(-2.0, 2.0), rounds=1)
    explained = trace.algorithm.explain(trace.given, trace[0].state, np.array([0.5]))
    odds = np.exp(-(2.5**2) / 2) / np.exp(-(1.5**2) / 2)
    assert explained.bars.values == pytest.approx([odds / (1 + odds), 1 / (1 + odds)])
    assert explained.label == -1
    assert "μ₂" in explained.note.text()


def test_pictures_show_ovals_the_shading_and_the_likelihood() -> None:
    flat = engine.run("em_means", clouds(), k=3, sigma=1.0)
    layers = flat.algorithm.scene(flat.given, flat[-1]).layers
    shapes = next(layer for layer in layers if isinstance(layer, Ellipses))
    np.testing.assert_array_equal(shapes.centre, flat[-1].state.means)
    np.testing.assert_array_equal(shapes.shape, np.tile(np.eye(2), (3, 1, 1)))
    thin = engine.run("em_means", fig_6_4(), k=2, sigma=1.0)
    e = next(step for step in thin if step.line == "e")
    scene = thin.algorithm.scene(thin.given, e)
    assert any(isinstance(layer, Field) and layer.name == "membership" for layer in scene.layers)
    plot = next(figure for figure in scene.figures if isinstance(figure, Plot))
    top = next(layer for layer in plot.layers if isinstance(layer, Ellipses))
    after = next(step for step in thin if step.line == "m").state.means
    np.testing.assert_allclose(top.centre[0], after.ravel())  # EM jumps to the top of Q


def test_coarse_runs_end_in_the_same_means() -> None:
    fine = engine.run("em_means", clouds(), k=3, seed=5)
    coarse = engine.run("em_means", clouds(), k=3, seed=5, pace=Pace(Level.ROUND))
    np.testing.assert_array_equal(fine[-1].state.means, coarse[-1].state.means)


def test_a_place_between_two_components_is_reported_as_a_tie() -> None:
    """Half-way between two equal clusters no component is ahead, and the map says so too."""
    data = engine.Dataset.from_arrays([[0.0, 0.0], [0.0, 1.0], [4.0, 0.0], [4.0, 1.0]], None)
    for key in ("em_means", "gaussian_mixture"):
        trace = engine.run(key, data, k=2, start=(0.0, 0.5, 4.0, 0.5))
        explanation = trace.algorithm.explain(trace.given, trace[-1].state, np.array([2.0, 0.5]))
        assert (explanation.note["name"], explanation.note["share"]) == (
            "μ₁ and μ₂",
            pytest.approx(0.5),
        ), key


def test_means_without_examples_have_not_met() -> None:
    data = engine.Dataset.from_arrays([[0.0], [1.0], [0.5], [-1.0]], None)
    trace = engine.run("em_means", data, k=3, sigma=1.0, start=(0.0, 1000.0, 1000.0))
    assert not trace.when("merged")


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 1000), st.integers(1, 4), st.floats(-3, 8), st.floats(-3, 8))
def test_the_explanation_names_who_leads_on_the_map(seed: int, k: int, x: float, y: float) -> None:
    for key in ("em_means", "gaussian_mixture"):
        trace = engine.run(key, clouds(40, seed), k=k, rounds=3)
        s = trace[-1].state
        place = np.array([x, y])
        owner = int(leaders(trace.given.joint(s, place[None]))[0])
        text = trace.algorithm.explain(trace.given, s, place).note.text()
        named = "No component is ahead" if owner < 0 else f"called μ{'₁₂₃₄'[owner]}:"
        assert named in text, key
