"""The randomised weighted majority against AIMA 18.10.1: its draw, its expectation, its bound and
regret.
"""

from fractions import Fraction as F

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine.algorithms.online.randomized_weighted_majority import expected_bound, expert_at
from engine.protocol.step import Level, Pace
from engine.scene.scene import Plot, Segments
from engine.table.dataset import category_column

KEY = "randomized_weighted_majority"
ROUND = Pace(Level.ROUND)
ROWS = st.integers(1, 6).flatmap(
    lambda k: st.lists(
        st.lists(st.booleans(), min_size=k + 1, max_size=k + 1), min_size=1, max_size=40
    )
)
BETAS = st.sampled_from([0.01, 0.1, 0.5, 0.75, 0.9, 0.99])


def table(rows: object) -> engine.Dataset:
    """The last value of each row is what happens, the others are forecasts."""
    rows = np.asarray(rows, bool)
    columns = [
        category_column(f"e{j + 1}", rows[:, j], (False, True)) for j in range(rows.shape[1] - 1)
    ]
    return engine.Dataset(
        (*columns, category_column("up", rows[:, -1], (True, False), engine.ColumnRole.TARGET))
    )


def test_printed_bounds_for_ten_experts() -> None:
    """aima D93, K = 10: β = ½ gives 1.39 M* + 4.6, β = ¾ gives 1.15 M* + 9.2."""
    for beta, slope, cost in ((0.5, 1.39, 4.6), (0.75, 1.15, 9.2)):
        at = [expected_bound(best, 10, beta) for best in (0, 1, 50)]
        assert at[0] == pytest.approx(cost, abs=0.05)
        assert at[1] - at[0] == pytest.approx(slope, abs=0.005)
        assert at[2] == pytest.approx(50 * (at[1] - at[0]) + at[0])


def test_by_hand() -> None:
    """Three experts, two wrong on day 1: risk 2/3; then weights 1, ½, ½ and the first wrong: risk
    1/2.
    """
    trace = engine.run(KEY, table([[1, 0, 0, 1], [0, 1, 1, 1]]))
    truths = [s for s in trace if s.line == "truth"]
    assert [s.note["p"] for s in truths] == pytest.approx([2 / 3, 1 / 2])
    assert [(s.note["bad"], s.note["W"]) for s in truths] == [(2, 3), (1, 2)]
    assert [s.state.weights.tolist() for s in trace if s.line == "update"] == [
        [1, 0.5, 0.5],
        [0.5, 0.5, 0.5],
    ]
    assert trace[-1].state.expected == pytest.approx(7 / 6)
    assert next(s for s in trace if s.line == "update").note["after"] == (F(1, 2), F(1, 2))


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(ROWS, BETAS)
def test_expected_mistakes_stay_below_the_bound(rows: list[list[bool]], beta: float) -> None:
    """The expectation is computed here from the definition, step by step; on any sequence it keeps
    the bound.
    """
    trace = engine.run(KEY, table(rows), beta=beta, pace=ROUND)
    data = np.asarray(rows)
    w = np.ones(data.shape[1] - 1)
    expected = 0.0
    for row in data:
        wrong = row[:-1] != row[-1]
        expected += w[wrong].sum() / w.sum()
        w[wrong] *= beta
    assert trace[-1].state.expected == pytest.approx(expected)
    best = (data[:, :-1] != data[:, -1:]).sum(0).min()
    assert expected <= expected_bound(int(best), len(w), beta) + 1e-9
    for step in trace:
        assert step.metrics["expected"] <= step.metrics["bound"] + 1e-9
        assert step.metrics["regret"] == step.metrics["mistakes"] - step.metrics["best"]
        assert step.metrics["regret_bound"] == pytest.approx(
            step.metrics["bound"] - step.metrics["best"]
        )


@pytest.mark.slow
def test_a_single_run_may_break_the_bound() -> None:
    """aima D94: the bound is on the expected number.

    Two experts, one right: a run may draw the wrong one at the start.
    """
    data = engine.generate("pundits", 8, seed=1)
    runs = [engine.run(KEY, data, seed, beta=0.5)[-1] for seed in range(200)]
    bound = runs[0].metrics["bound"]
    expected = runs[0].state.expected
    assert len({r.state.expected for r in runs}) == 1
    assert expected <= bound
    assert max(r.state.mistakes for r in runs) > expected
    assert np.mean([r.state.mistakes for r in runs]) == pytest.approx(expected, abs=0.35)


def test_the_draw_follows_the_weights() -> None:
    w = np.array([1.0, 0.5, 0.25, 0.25])
    assert [expert_at(w, u) for u in (0.0, 0.49, 0.5, 0.74, 0.75, 0.874, 0.876, 1 - 1e-16)] == [
        0,
        0,
        1,
        1,
        2,
        2,
        3,
        3,
    ]
    draws = [expert_at(w, u) for u in np.random.default_rng(0).random(4000)]
    counts = np.bincount(draws, minlength=4)
    assert counts / 4000 == pytest.approx(w / 2, abs=0.03)


def test_the_draw_is_seen() -> None:
    """The drawn number lies on the drawn expert's part of the picture; what is said is that
    expert's forecast.
    """
    trace = engine.run(KEY, engine.generate("pundits", 12, 0.2), 5)
    stream = trace.given.stream
    for step in trace:
        if step.line != "draw":
            continue
        wheel = next(
            f for f in trace.algorithm.scene(trace.given, step).figures if f.title == "Draw"
        )
        assert isinstance(wheel, Plot)
        lit = next(layer for layer in wheel.layers if layer.tag == "drawn")
        mark = next(layer for layer in wheel.layers if isinstance(layer, Segments))
        assert lit.bounds[0, 0] <= mark.ends[0, 0, 0] <= lit.bounds[0, 2]
        share = step.state.weights[step.state.drawn] / step.state.weights.sum()
        assert lit.bounds[0, 2] - lit.bounds[0, 0] == pytest.approx(share)
        assert step.note["p"] == pytest.approx(share)
    said = [s for s in trace if s.line == "say"]
    assert [s.state.said for s in said] == [
        stream.says[t, s.state.drawn] for t, s in enumerate(said)
    ]
    assert sum("mistake" in s.events for s in trace) == trace[-1].state.mistakes


@pytest.mark.parametrize("beta", [0, 1, -1, 0.999])
def test_beta_outside_its_range_is_refused(beta: float) -> None:
    with pytest.raises(engine.EngineError, match="Factor β"):
        engine.run(KEY, table([[1, 0, 1]]), beta=beta)


@pytest.mark.slow
@pytest.mark.parametrize("beta", [0.01, 0.5, 0.99])
def test_long_runs_do_not_run_out_of_numbers(beta: float) -> None:
    rng = np.random.default_rng(0)
    truth = rng.random(10_000) < 0.5
    rows = np.column_stack(
        [truth[:, None] ^ (rng.random((10_000, 5)) < [0.3, 0.45, 0.5, 0.9, 1.0]), truth]
    )
    trace = engine.run(KEY, table(rows), beta=beta, pace=ROUND)
    for step in trace:
        assert (step.state.weights > 0).all()
        assert np.isfinite(step.state.weights).all()
    assert trace[-1].state.expected <= trace[-1].metrics["bound"]


def test_average_regret_goes_to_zero() -> None:
    """AIMA 18.10.1, no-regret: with β = 1/(1 + √(2 ln K / T)) the regret per trial is small on long
    streams.
    """
    for n, most in ((200, 0.16), (5000, 0.04)):
        beta = 1 / (1 + np.sqrt(2 * np.log(10) / n))
        last = engine.run(
            KEY, engine.generate("pundits", n, 0.3), beta=round(float(beta), 4), pace=ROUND
        )[-1]
        assert (last.state.expected - last.state.best) / n < most


def test_shows_the_likeliest_label() -> None:
    trace = engine.run(KEY, table([[1, 0, 0, 1], [1, 0, 0, 1]]))
    rows = np.array([[1.0, 0, 0], [0, 1, 1]])
    assert trace.codes(rows).tolist() == [0, 1]  # 1 against 1/4 + 1/4
    explanation = trace.algorithm.explain(trace.given, trace[-1].state, rows[0])
    assert explanation.note["p"] == pytest.approx(2 / 3)
    assert explanation.bars.group.tolist() == [0, 1, 1]


def test_one_expert_who_is_never_wrong_meets_the_bound() -> None:
    """K = 1, no mistakes: both sides are 0, so the expected number is at most the bound, not below
    it.
    """
    last = engine.run(KEY, table([[True, True], [False, False], [True, True]]))[-1]
    assert last.metrics["expected"] == last.metrics["bound"] == 0
    (formula,) = last.note.formulas
    assert "≤" in formula.left
    assert "<" not in formula.left


def test_the_tally_is_bars_of_what_its_words_compare() -> None:
    trace = engine.run(KEY, engine.generate("pundits", 20))
    step = [step for step in trace if step.line == "tally"][-1]
    scene = trace.algorithm.scene(trace.given, step)
    bars = scene.figures[0]
    s = step.state
    assert bars.values == pytest.approx([s.mistakes, s.best, s.expected, trace.given.bound(s.best)])
    assert scene.leads[0] == "Tally" and bars.title.startswith("Tally")
    assert "Draw" not in [figure.title for figure in scene.figures], "nothing is drawn"
