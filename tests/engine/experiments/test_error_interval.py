"""Error intervals against scipy, closed forms and the numbers of ML Ex 7.8 (mitchell A17, B12, D25,
E7.3, E7.8, F19).
"""

from math import ceil, exp, log, sqrt
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

import engine
from engine.experiments.error_interval.bounds import RULES, binomial, chernoff, hoeffding, normal
from engine.scene.scene import Band, Role

DATA = engine.generate("moons", 10)
counts = st.integers(1, 300).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
deltas = st.sampled_from([0.3, 0.1, 0.05, 0.01])


def run(**params: Any) -> Any:
    return engine.run("error_interval", DATA, **params)


def ends(rule: Any, k: int, n: int, delta: float) -> tuple[float, float]:
    low, high = rule(np.array([float(k)]), n, delta)
    return float(low[0]), float(high[0])


# -- the exercise ----------------------------------------------------------------------------------


def test_the_exercise_of_30_wrong_among_100() -> None:
    """mitchell B12, D25, E7.8: 95 % by the normal law .3 ± 1.96 √(.3 · .7 / 100), by Hoeffding
    .3 ± √(ln 40 / 200).
    """
    state = run(repeats=0)[-1].state
    half = 1.959964 * sqrt(0.3 * 0.7 / 100)
    assert state.intervals["normal"] == pytest.approx((0.3 - half, 0.3 + half), abs=1e-6)
    half = sqrt(log(40) / 200)
    assert state.intervals["Hoeffding"] == pytest.approx((0.3 - half, 0.3 + half))
    found = binomtest(30, 100).proportion_ci(0.95, method="exact")
    assert state.intervals["binomial"] == pytest.approx((found.low, found.high))


def test_the_training_rows_admit_the_result_only_with_many_columns() -> None:
    """mitchell E7.8 (a), (c), F19: ε = (n ln 3 + ln 20) / 100; .3 needs n ≥ (30 − ln 20) / ln 3."""
    trace = run(repeats=0)
    assert trace[-1].state.epsilon == pytest.approx((10 * log(3) + log(20)) / 100)
    note = next(step for step in trace if step.line == "pac").note
    assert note["first"] == 25
    assert (24 * log(3) + log(20)) / 100 < 0.3 <= (25 * log(3) + log(20)) / 100
    assert note["low_first"] == 17  # the lower end, .2102
    assert "does not allow" in note.text()
    many = next(step for step in run(repeats=0, columns=25) if step.line == "pac").note
    assert "this allows" in many.text()


def test_the_band_over_the_columns_is_the_interval_that_the_words_name() -> None:
    """E7.8: .3 ± .0898 by the normal law, and the 17 columns that reach its lower end."""
    trace = run(repeats=0)
    figures = trace.algorithm.scene(trace.given, trace[-1]).figures
    plot = next(f for f in figures if f.title == "By columns n")
    (band,) = (layer for layer in plot.layers if isinstance(layer, Band))
    half = 1.959964 * sqrt(0.3 * 0.7 / 100)
    assert band.low[0] == pytest.approx(0.3 - half, abs=1e-6)
    assert band.high[0] == pytest.approx(0.3 + half, abs=1e-6)
    assert trace[-1].note["low_first"] == ceil((100 * (0.3 - half) - log(20)) / log(3)) == 17


# -- the rules -------------------------------------------------------------------------------------


@given(counts, deltas)
def test_the_binomial_interval_is_scipys(count: tuple[int, int], delta: float) -> None:
    k, n = count
    found = binomtest(k, n).proportion_ci(1 - delta, method="exact")
    assert ends(binomial, k, n, delta) == pytest.approx((found.low, found.high), abs=1e-9)


@given(counts, deltas)
def test_hoeffding_holds_at_the_ends(count: tuple[int, int], delta: float) -> None:
    """e^(−2Nε²) = δ/2 at both ends that are not cut off at 0 and 1."""
    k, n = count
    for end in ends(hoeffding, k, n, delta):
        if 0 < end < 1:
            assert exp(-2 * n * (end - k / n) ** 2) == pytest.approx(delta / 2)


@given(counts, deltas)
def test_chernoff_holds_at_the_ends(count: tuple[int, int], delta: float) -> None:
    """mitchell E7.3: e^(−N p γ²/2) with e = (1 − γ) p, e^(−N p γ²/3) with e = (1 + γ) p."""
    k, n = count
    e = k / n
    low, high = ends(chernoff, k, n, delta)
    assert low <= e <= high
    if high < 1:
        gamma = 1 - e / high
        assert exp(-n * high * gamma**2 / 2) == pytest.approx(delta / 2)
    if low > 0:
        gamma = e / low - 1
        power = gamma**2 if gamma <= 1 else gamma
        assert exp(-n * low * power / 3) == pytest.approx(delta / 2)


def test_chernoff_is_narrower_for_small_errors_and_wider_for_large_ones() -> None:
    """mitchell E7.3: how much is known depends on the error itself."""

    def width(rule: Any, k: int) -> float:
        low, high = ends(rule, k, 1000, 0.05)
        return high - low

    assert width(chernoff, 10) < width(hoeffding, 10)
    assert width(chernoff, 400) > width(hoeffding, 400)


@given(counts, deltas)
def test_the_exact_interval_lies_within_hoeffdings(count: tuple[int, int], delta: float) -> None:
    k, n = count
    wide, exact = ends(hoeffding, k, n, delta), ends(binomial, k, n, delta)
    assert wide[0] <= exact[0] + 1e-9 and exact[1] <= wide[1] + 1e-9


def test_the_normal_interval_has_no_width_without_errors() -> None:
    assert ends(normal, 0, 50, 0.05) == (0, 0)
    note = next(step for step in run(wrong=0, repeats=1) if step.line == "normal").note
    assert "no width" in note.text()


# -- the repeats -----------------------------------------------------------------------------------


def test_as_many_intervals_hold_the_true_error_as_they_promise() -> None:
    """The binomial one at least 95 of 100 in the long run, Hoeffding's nearly all; the normal one
    fails where errors are rare.
    """
    state = run(repeats=300, rows=40, wrong=2)[-1].state
    held = {rule: state.held(rule) for rule in RULES}
    assert held["binomial"] >= 279
    assert held["Hoeffding"] >= 297 and held["Chernoff"] >= 279
    assert held["normal"] < 270


def test_a_repeat_holds_p_where_its_interval_does() -> None:
    trace = run(truth=0.2, repeats=30)
    for trial in trace[-1].state.trials:
        for rule, held in zip(RULES.values(), trial.holds, strict=True):
            low, high = ends(rule, trial.wrong, 100, 0.05)
            assert held == (low <= 0.2 <= high)


def test_more_wrong_rows_than_rows() -> None:
    with pytest.raises(engine.EngineError, match="lower k or raise N"):
        run(wrong=11, rows=10)


@pytest.mark.parametrize(("wrong", "words"), [(0, "too small"), (10, "too large"), (3, "or less")])
def test_an_end_at_0_or_1_is_no_chance_of_the_tail(wrong: int, words: str) -> None:
    """Of p = 0 a count of 0 or more is certain: the sentence does not say otherwise."""
    trace = run(wrong=wrong, rows=10, repeats=1)
    assert words in next(step for step in trace if step.line == "binomial").note.text()


def test_a_repeat_shows_its_own_intervals_and_alone_is_amber() -> None:
    trace = engine.run("error_interval", DATA, max_steps=60)
    for step in [step for step in trace if step.line == "hold"]:
        left, right = trace.algorithm.scene(trace.given, step).figures[:2]
        lit = {layer.tag: layer for layer in left.layers if layer.role is Role.ACTIVE}
        assert set(lit) == {rule.lower() for rule in RULES}
        for rule, (low, high) in trace.given.rules_of.items():
            ends = lit[rule.lower()].ends[0, :, 0]
            assert ends == pytest.approx([low[step.state.wrong], high[step.state.wrong]])
        now = [layer for layer in right.layers if layer.role is Role.ACTIVE]
        assert {layer.tag for layer in now} == {"now"}
        count = len(step.state.trials)
        assert all((layer.places()[:, 0] == count).all() for layer in now)


def test_amber_is_the_newest_interval_and_none_once_all_is_told() -> None:
    trace = engine.run("error_interval", DATA)
    for step in trace:
        left, right = trace.algorithm.scene(trace.given, step).figures[:2]
        lit = [x.tag for x in (*left.layers, *right.layers) if x.role is Role.ACTIVE]
        wanted = {"start": ["e"], "pac": ["allowed"], "done": []}
        if step.line not in ("draw", "hold"):
            assert lit == wanted.get(step.line, [step.line])
