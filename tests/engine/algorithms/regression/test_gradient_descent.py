"""Gradient descent against steps by hand (AIMA 18.6.1, LS E54), the critical rate, and the closed
form.
"""

from fractions import Fraction as F
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.linear_model import QuantileRegressor

import engine
from engine.algorithms.regression.gradient_descent import Params, Setting
from engine.algorithms.regression.gradient_descent.absolute import least_absolute
from engine.algorithms.regression.gradient_descent.words import valley
from engine.algorithms.regression.parts.least_squares import with_ones
from engine.base.notation import fixed
from engine.files.sources import find_source
from engine.protocol.step import Level, Pace
from engine.scene.scene import Arrows, Segments

FOUR = engine.textbook("four_points_line")  # MMDS Ex 12.2: (1,2) (2,1) (3,4) (4,3)
XY = [(1, 2), (2, 1), (3, 4), (4, 3)]
BEST = [1, 0.6]  # mmds D01: b = 1, a = 3/5


def updates(trace):
    return [step for step in trace if step.line == "update"]


def by_hand(alpha: F, steps: int) -> list[tuple[F, F]]:
    """Batch descent from 0 in exact fractions: w0 += α Σ(y − h), w1 += α Σ(y − h) x, at once (aima
    A35).
    """
    w0 = w1 = F(0)
    found = []
    for _ in range(steps):
        errors = [y - (w0 + w1 * x) for x, y in XY]
        w0 = w0 + alpha * sum(errors)
        w1 = w1 + alpha * sum(e * x for e, (x, _) in zip(errors, XY, strict=True))
        found.append((w0, w1))
    return found


def test_four_steps_by_hand() -> None:
    """LS E54: α = 0.02 from 0. The first sums are Σy = 10 and Σxy = 28."""
    trace = engine.run("gradient_descent", FOUR, rate=0.02, steps=4)
    hand = by_hand(F(1, 50), 4)
    assert hand[0] == (F(1, 5), F(14, 25))
    assert np.allclose([s.state.w for s in updates(trace)], np.array(hand, float), atol=1e-12)
    first = updates(trace)[0].note
    assert first["sum"].tolist() == [10, 28]
    assert first["before"].tolist() == [0, 0]
    assert first["loss_before"] == 30  # Σ y²


@pytest.mark.parametrize("mode", ["batch", "stochastic"])
def test_a_small_step_is_reported_with_the_decimals_that_show_it(mode: str) -> None:
    """House prices: the columns are so wide that w moves behind the second decimal."""
    trace = engine.run(
        "gradient_descent", find_source("houses").problem(), mode=mode, max_steps=200
    )
    for step in updates(trace):
        before, after = (step.note.operands[name] for name in ("before", "w"))
        assert before.digits >= after.digits  # more where the sum needs them
        texts = [[fixed(v, after.digits) for v in o.value] for o in (before, after)]
        assert texts[0] != texts[1]
        shorter = [[fixed(v, after.digits - 1) for v in o.value] for o in (before, after)]
        assert after.digits == 2 or shorter[0] == shorter[1]
    assert max(step.note.operands["w"].digits for step in updates(trace)) > 2


def test_two_decimals_stay_where_they_show_the_step() -> None:
    first = updates(engine.run("gradient_descent", FOUR, rate=0.02, steps=1))[0].note
    assert {first.operands[name].digits for name in ("before", "sum", "w")} == {2}


def test_one_weight_after_the_other_differs() -> None:
    """aima A34: read literally, w1's derivative already sees the new w0."""
    trace = engine.run("gradient_descent", FOUR, rate=0.02, steps=1, update="one after the other")
    w0 = F(1, 50) * 10
    w1 = F(1, 50) * sum((y - w0) * x for x, y in XY)
    assert np.allclose(updates(trace)[0].state.w, [float(w0), float(w1)])
    assert float(w1) != 0.56


@pytest.mark.parametrize("share", [0.5, 0.97])
def test_settles_below_the_critical_rate(share: float) -> None:
    """aima A35: the sum form is stable iff α < 2/λ_max(XᵀX); XᵀX = [[4, 10], [10, 30]] here."""
    critical = 2 / ((34 + np.sqrt(26**2 + 400)) / 2)
    trace = engine.run("gradient_descent", FOUR, rate=share * critical, steps=20_000)
    assert "converged" in trace[-1].events
    assert not trace.when("uphill")
    assert np.allclose(trace[-1].state.w, BEST, atol=1e-4)


def test_diverges_above_the_critical_rate() -> None:
    """LS E54, D07: above it the loss climbs; the end is an event, and nothing becomes infinite."""
    critical = 2 / ((34 + np.sqrt(26**2 + 400)) / 2)
    trace = engine.run("gradient_descent", FOUR, rate=1.05 * critical, steps=100_000)
    assert trace[-1].events == ("round", "diverged")
    assert len(trace.when("uphill")) > 10
    assert np.isfinite(trace.metrics["loss"]).all()
    sudden = engine.run("gradient_descent", FOUR, rate=10.0, start=(1e50, -1e50))
    assert "diverged" in sudden[-1].events
    assert np.isfinite(sudden[-1].state.w).all()


def test_standardised_columns_have_the_critical_rate_two_by_n() -> None:
    """aima A35: with standardised x the bound is 2/N."""
    x = np.array([-1.5, -0.5, 0.5, 1.5]) / np.sqrt(1.25)
    data = engine.Dataset.from_columns({"x": x, "y": [2.0, 1.0, 4.0, 3.0]}, "y", task="regress")
    trace = engine.run("gradient_descent", data, steps=3)
    assert float(trace[0].note["critical"]) == pytest.approx(2 / 4)
    assert "standardised" not in trace[0].note.lead
    houses = engine.run("gradient_descent", engine.generate("houses"), steps=3)
    assert "standardised" in houses[0].note.lead


def test_stochastic_takes_one_example_at_a_time_in_table_order() -> None:
    """aima A36: w += α (y − h(x)) x for each example."""
    trace = engine.run("gradient_descent", FOUR, mode="stochastic", rate=0.02, steps=8)
    w = np.zeros(2)
    for k, step in enumerate(updates(trace)):
        x, y = XY[k % 4]
        w = w + 0.02 * (y - w @ [1, x]) * np.array([1, x])
        assert np.allclose(step.state.w, w)
        assert step.state.current == k % 4
    assert k == 7


def test_fixed_rate_jitters_and_a_falling_rate_settles() -> None:
    """aima F23, A36."""
    options = {
        "mode": "stochastic",
        "rate": 0.03,
        "steps": 8000,
        "order": "random",
        "pace": Pace(Level.ROUND),
    }
    fixed = engine.run("gradient_descent", FOUR, **options)
    falling = engine.run("gradient_descent", FOUR, schedule="1/(1+ct)", decay=0.01, **options)
    tail = [np.array([s.state.w for s in trace][-200:]) for trace in (fixed, falling)]
    assert tail[1].std(axis=0).max() < 0.2 * tail[0].std(axis=0).max()
    assert np.allclose(falling[-1].state.w, BEST, atol=0.1)


def test_several_columns_reach_the_closed_form() -> None:
    """aima A37: (a) the descent ends where (b) (XᵀX)⁻¹Xᵀy is."""
    rng = np.random.default_rng(3)
    X = rng.normal(size=(60, 3)) + np.array([1, 0, -2])
    y = X @ [1.0, -2.0, 0.5] + 3 + 0.1 * rng.normal(size=60)
    data = engine.Dataset.from_arrays(X, y, task="regress")
    trace = engine.run("gradient_descent", data, steps=20_000, pace=Pace(Level.ROUND))
    A = np.column_stack([np.ones(60), X])
    assert np.allclose(trace[-1].state.w, np.linalg.solve(A.T @ A, A.T @ y), atol=1e-4)


def test_resume_goes_on_from_a_state_and_tweak_moves_a_weight() -> None:
    algorithm = engine.algorithms()["gradient_descent"]
    trace = engine.run("gradient_descent", FOUR, rate=0.02, steps=20)
    again = engine.Run(algorithm, trace.problem, trace.params, start=updates(trace)[4].state)
    again.advance()
    assert np.array_equal(again.trace[-1].state.w, trace[-1].state.w)
    moved = algorithm.tweak(trace.given, trace[-1].state, (1,), 2.0)
    assert moved.w[1] == 2.0
    assert moved.loss == pytest.approx(sum((y - (moved.w[0] + 2 * x)) ** 2 for x, y in XY))


def test_bad_start_is_a_sentence() -> None:
    with pytest.raises(engine.EngineError, match="needs 2 numbers"):
        engine.run("gradient_descent", FOUR, start=(1.0,))


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 4))
def test_the_loss_never_rises_at_the_automatic_rate(seed: int, d: int) -> None:
    """The loss is convex (aima F22) and half of the critical rate is safe for every data set."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(12, d)) * 10 ** rng.uniform(-2, 2, d)
    data = engine.Dataset.from_arrays(X, rng.normal(size=12) + 0.001, task="regress")
    trace = engine.run("gradient_descent", data, steps=60)
    losses = [s.state.loss for s in trace]
    assert all(b <= a * (1 + 1e-9) for a, b in pairwise(losses))


def given_loss(w: np.ndarray) -> float:
    return float(sum((y - (w[0] + w[1] * x)) ** 2 for x, y in XY))


def figure(trace, step, title: str):
    return next(f for f in trace.algorithm.scene(trace.given, step).figures if f.title == title)


def test_words_never_say_that_equal_numbers_fall() -> None:
    trace = engine.run("gradient_descent", FOUR, steps=300)
    late = updates(trace)[-1].note.text()
    assert "falls by" in late
    assert late.split(":")[0] == updates(trace)[0].note.text().split(":")[0]
    assert "from 30 to" in updates(trace)[0].note.text()


@pytest.mark.parametrize("k", [0, 3, 40, 299])
def test_the_present_gradient_is_always_to_be_seen(k: int) -> None:
    """The arrow ends at w after the step and points along Σ (y − h) x; too short a step is drawn
    longer, from farther behind, and says so.
    """
    trace = engine.run("gradient_descent", FOUR, steps=300)
    step = updates(trace)[k]
    plot = figure(trace, step, "Space: w₀ and w₁")
    arrow = next(layer for layer in plot.layers if isinstance(layer, Arrows))
    way = step.state.w - step.state.before
    assert np.allclose(arrow.end[0], step.state.w)
    times = (arrow.end[0] - arrow.start[0]) / way
    assert times[0] == pytest.approx(times[1])
    share = np.abs(arrow.end[0] - arrow.start[0]).max() / (plot.x_range[1] - plot.x_range[0])
    assert 0.03 < share < 0.5
    said = arrow.label[0]
    assert said == (
        "α Σ (y − h) x" if times[0] == pytest.approx(1) else f"step × {round(times[0])}"
    )


@pytest.mark.parametrize(("rate", "k"), [(None, 0), (None, 200), (0.08, 7)])
def test_the_bowl_ends_somewhat_above_the_path(rate: float | None, k: int) -> None:
    """Its corners would flatten it: four points from 0, Loss 30 at the start, would be shown up to
    230.
    """
    trace = engine.run("gradient_descent", FOUR, rate=rate, steps=300)
    step = updates(trace)[k]
    space = figure(trace, step, "Loss")
    x, y, z = space.surface
    z = np.where(z <= (np.inf if space.top is None else space.top), z, np.nan)
    least = 3.2
    top = space.path[:, 2].max()
    assert top == pytest.approx(max(given_loss(w) for w in step.state.path))
    assert 0.8 * top < np.nanmax(z) < 1.0001 * (least + 1.3 * (top - least))
    assert np.nanmin(z) >= least - 1e-9
    assert np.isfinite(z).mean() > 0.15
    here = [np.abs(x - step.state.w[0]).argmin(), np.abs(y - step.state.w[1]).argmin()]
    assert np.isfinite(z[here[1], here[0]])


def test_several_columns_draw_no_errors_on_a_section() -> None:
    """What is predicted from all columns does not lie on the line over one of them."""
    trace = engine.run("gradient_descent", engine.generate("correlated"), steps=3)
    kinds = [type(layer) for layer in trace.algorithm.scene(trace.given, trace[-1]).layers]
    assert Segments not in kinds
    one = engine.run("gradient_descent", FOUR, steps=3)
    assert Segments in [type(layer) for layer in one.algorithm.scene(one.given, one[-1]).layers]


def test_a_weight_that_is_only_rounding_does_not_set_the_scale() -> None:
    """Centred columns and values: w₀ is 1e-17 all the way.

    Its axis is as long as the other one's effect on the loss.
    """
    trace = engine.run("gradient_descent", engine.generate("correlated"), steps=5)
    plot = figure(trace, trace[-1], "Space: w₀ and w₁, others as now")
    low, high = plot.x_range
    assert high - low > 0.05
    assert low < 0 < high
    far = engine.Dataset.from_columns(
        {"x": [1e9, 2e9, 4e9], "y": [5.0, 1.0, 7.0]}, "y", task="regress"
    )
    # a small weight of a large column is no rounding
    trace = engine.run("gradient_descent", far, steps=5)
    plot = figure(trace, trace[-1], "Space: w₀ and w₁")
    assert plot.y_range[1] - plot.y_range[0] < 1e-7


def test_the_equation_of_weights_in_turn_is_what_is_computed() -> None:
    """(1, 3), α = 0.1, w = 0: w₀ takes 0.1 · 3; then h = 0.3 and w₁ takes 0.1 · 2.7 · 1."""
    table = engine.Dataset.from_columns({"x": [1.0, 2.0], "y": [3.0, 1.0]}, "y", task="regress")
    trace = engine.run(
        "gradient_descent",
        table,
        mode="stochastic",
        rate=0.1,
        steps=4,
        update="one after the other",
    )
    note = updates(trace)[0].note
    assert note["pull"].tolist() == pytest.approx([3, 2.7])
    assert "(0, 0) + 0.1 · (3, 2.70) = (0.30, 0.27)" in note.lines()
    for step in updates(trace):
        assert np.allclose(step.state.before + 0.1 * step.note["pull"], step.state.w)
    at_once = updates(engine.run("gradient_descent", table, mode="stochastic", rate=0.1, steps=4))[
        0
    ].note
    assert "(0, 0) + 0.1 · (3 − 0.00) · (1, 1) = (0.30, 0.30)" in at_once.lines()


def test_at_the_bottom_nothing_is_said_to_fall() -> None:
    table = engine.Dataset.from_columns({"x": [1.0, 2.0], "y": [0.0, 0.0]}, "y", task="regress")
    trace = engine.run("gradient_descent", table)
    assert "falls" not in updates(trace)[0].note.text()
    assert "1 step:" in trace[-1].note.text()


def test_far_from_0_descent_does_not_claim_the_bottom() -> None:
    """10⁶ away the columns are nearly parallel to the 1s: after a step no column is pulled, and the
    loss is 20, not 0.03.
    """
    x = np.array([-2.0, -1.0, 1.0, 2.0])
    data = engine.Dataset.from_columns(
        {"x": x + 1e6, "y": [-1.1, 0.2, 1.8, 3.1]}, "y", task="regress"
    )
    trace = engine.run("gradient_descent", data)
    assert not trace.when("converged")
    assert trace[-1].state.loss > 1
    assert trace[-1].note.text().endswith("w still moves.")


def test_critical_rate_of_the_four_points() -> None:
    """XᵀX = [[4, 10], [10, 30]]: λ = 17 ± √269."""
    A = with_ones(np.array([[1.0], [2], [3], [4]]))
    assert Setting(engine.prepare(FOUR), Params()).critical == pytest.approx(
        2 / (17 + np.sqrt(269))
    )
    assert valley(A, np.linalg.svd(A, compute_uv=False)) == pytest.approx(
        np.sqrt((17 + np.sqrt(269)) / (17 - np.sqrt(269)))
    )
    level = with_ones(np.ones((3, 1)))
    assert valley(level, np.linalg.svd(level, compute_uv=False)) == np.inf


@pytest.mark.parametrize("update", ["all weights at once", "one after the other"])
@pytest.mark.parametrize("rate", [None, 10.0])
def test_a_round_without_a_word_comes_to_the_same_state(update: str, rate: float | None) -> None:
    """To the last bit, also where the weights grow beyond what can be computed with in the middle
    of a round.
    """
    x, y = np.tile(np.array(XY, float), (15, 1)).T
    data = engine.Dataset.from_arrays(x[:, None], y, task="regress")
    params = {"mode": "stochastic", "order": "random", "update": update, "rate": rate, "steps": 150}
    fine, coarse = (
        engine.run("gradient_descent", data, seed=5, pace=Pace(level), **params)
        for level in (Level.DETAIL, Level.ROUND)
    )
    ends = [step.state for step in fine if step.level >= Level.ROUND]
    assert len(ends) == len(coarse) > 1
    assert (coarse[-1].state.steps < 60) == (rate is not None)
    for one, other in zip(ends, (step.state for step in coarse), strict=True):
        assert (one.loss, one.steps, one.round) == (other.loss, other.steps, other.round)
        assert np.array_equal(one.w, other.w)
        assert np.array_equal(one.path, other.path)


# -- the absolute loss, AIMA 18.4.2 ----------------------------------------------------------------


def test_one_step_on_the_absolute_loss_by_hand() -> None:
    """From 0 all four errors are above 0: Σ sign(y − h) x = (4, 1 + 2 + 3 + 4); the loss Σ |y| is
    10, and with w = (.04, .1), α = .01, it is 10 − 4 · .04 − 10 · .1.
    """
    trace = engine.run("gradient_descent", FOUR, loss="absolute", rate=0.01, steps=1)
    step = updates(trace)[0]
    assert step.note["sum"].tolist() == [4, 10]
    assert step.state.w == pytest.approx([0.04, 0.1])
    assert (step.note["loss_before"], step.state.loss) == (10, pytest.approx(8.84))
    one = engine.run(
        "gradient_descent", FOUR, loss="absolute", mode="stochastic", rate=0.01, steps=2
    )
    assert updates(one)[1].state.w == pytest.approx([0.02, 0.01 * (1 + 2)])


def test_least_absolute_errors_are_those_of_scikit_learn_whatever_an_outlier_says() -> None:
    """aima A12: the empirical loss may be |y − ŷ|. QuantileRegressor at ½ makes it least; among the
    stand-ins for AIMA Fig 18.28 row 7 lies apart, and may lie farther without moving the line.
    """
    points = engine.textbook("regression_points")
    problem = engine.prepare(points)
    line = QuantileRegressor(quantile=0.5, alpha=0).fit(problem.X, problem.y)
    best = [line.intercept_, *line.coef_]
    far = np.where(np.arange(15) == 6, 70.0, problem.y)
    for y in (problem.y, far):
        assert least_absolute(with_ones(problem.X), y) == pytest.approx(best)
    options = {"loss": "absolute", "rate": 0.003, "schedule": "1/(1+ct)", "decay": 0.01}
    trace = engine.run("gradient_descent", points, steps=3000, pace=Pace(end=True), **options)
    assert trace[-1].state.w == pytest.approx(best, abs=0.01)
    assert trace[-1].metrics["loss"] == pytest.approx(
        np.abs(problem.y - line.predict(problem.X)).sum(), rel=1e-3
    )
    squared = engine.run("linear_regression", points)
    assert trace[-1].metrics["rmse"] > squared[-1].metrics["rmse"]


def test_the_absolute_loss_stands_still_where_the_signs_cancel() -> None:
    """Two examples above each other, at x = 0: between them nothing pulls."""
    data = engine.Dataset.from_columns({"x": [0.0, 0.0], "y": [0.0, 4.0]}, "y", task="regress")
    trace = engine.run("gradient_descent", data, loss="absolute", start=(1.0, 0.0))
    assert "converged" in trace[-1].events and trace[-1].state.loss == 4
    away = engine.run("gradient_descent", data, loss="absolute", start=(5.0, 0.0), rate=0.5)
    assert "converged" in away[-1].events and 0 < away[-1].state.w[0] < 4


def test_over_two_columns_the_space_is_that_of_their_weights() -> None:
    """AIMA 18.6.2: the ovals lean where the columns are correlated, as between w₀ and a weight of
    columns with mean 0 they do not.
    """
    data = engine.generate("correlated")
    for axes, names in ((("x1", "x2"), ["w₁", "w₂"]), (("x2",), ["w₀", "w₂"])):
        problem = engine.prepare(data, plane=axes)
        trace = engine.run("gradient_descent", problem)
        figures = trace.algorithm.scene(trace.given, trace[-1]).figures
        (space,) = (figure for figure in figures if figure.title.startswith("Space"))
        assert space.title.startswith(f"Space: {names[0]} and {names[1]}")
    said = dict(zip(("w0", "w1", "w2"), (0.0, 0.3, 1.0), strict=True))
    for name, value in said.items():
        assert float(trace[-1].note[name]) == pytest.approx(value, abs=1e-3)
    assert float(trace[-1].note["w0"]) == 0.0


def test_a_step_too_short_to_see_has_an_arrow_that_says_how_much_longer_it_is() -> None:
    """Also the last one before the descent converges."""
    trace = engine.run("gradient_descent", FOUR, rate=0.02)
    last = [s for s in trace if s.line == "update"][-1]
    scene = trace.algorithm.scene(trace.given, last)
    space = next(f for f in scene.figures if f.title.startswith("Space"))
    arrow = next(each for each in space.layers if isinstance(each, Arrows))
    assert arrow.label[0].startswith("step × ")
    way = (arrow.end - arrow.start)[0]
    assert way @ (last.state.w - last.state.before) > 0
