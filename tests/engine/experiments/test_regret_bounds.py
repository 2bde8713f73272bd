"""Regret: the printed coefficients, mistakes against an independent count of the two majorities,
bounds that hold.
"""

from math import log, log2

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine.algorithms.online.randomized_weighted_majority import expected_bound
from engine.base.errors import EngineError
from engine.scene.scene import Arrows, Polyline, Role, Segments


def table(n: int = 60, K: int = 4, seed: int = 0):
    rng = np.random.default_rng(seed)
    y = rng.random(n) < 0.5
    errs = rng.random((n, K)) < np.linspace(0.1, 0.5, K)
    columns = {f"e{k}": np.where(errs[:, k], ~y, y) for k in range(K)}
    return engine.Dataset.from_columns({**columns, "y": y}, "y"), errs, y


def counted(errs, beta: float) -> tuple[float, float, float]:
    """Least and most mistakes of the vote, whose ties are drawn; expected mistakes of a drawn
    expert.
    """
    w = np.ones(errs.shape[1])
    sure = 0
    ties = 0
    expected = 0.0
    for row in errs:
        wrong = float(w[row].sum() / w.sum())
        expected += wrong
        sure = sure + (wrong > 0.5 + 1e-9)
        ties = ties + (abs(wrong - 0.5) <= 1e-9)
        w[row] *= beta
    return sure, sure + ties, expected


def test_printed_coefficients() -> None:
    """AIMA 18.10.1: K = 10: β = ½ gives 1.39 M* + 4.6, β = ¾ gives 1.15 M* + 9.2."""
    for beta, slope, start in ((0.5, 1.39, 4.6), (0.75, 1.15, 9.2)):
        assert expected_bound(0, 10, beta) == pytest.approx(start, abs=0.05)
        assert expected_bound(100, 10, beta) - expected_bound(0, 10, beta) == pytest.approx(
            100 * slope, abs=0.5
        )


@given(st.integers(0, 10**6))
@settings(max_examples=8, deadline=None)
def test_mistakes_are_those_of_a_plain_loop_and_within_the_bounds(seed: int) -> None:
    data, errs, _ = table(seed=seed)
    trace = engine.run("regret_bounds", data, runs=1)
    least = int(errs.sum(axis=0).min())
    assert trace[-1].state.least == least
    for one in trace[-1].state.seen:
        sure, most, expected = counted(errs, one.beta)
        assert sure <= one.vote <= most
        assert one.drawn == pytest.approx(expected)
        assert one.vote_bound == pytest.approx(
            (least * log2(1 / one.beta) + log2(4)) / log2(2 / (1 + one.beta))
        )
        assert one.drawn_bound == pytest.approx(
            (least * log(1 / one.beta) + log(4)) / (1 - one.beta)
        )
        assert one.vote <= one.vote_bound + 1e-9
        assert one.drawn <= one.drawn_bound + 1e-9


def test_the_best_factor_is_that_of_the_least_bound() -> None:
    trace = engine.run("regret_bounds", engine.generate("pundits", 200))
    step = next(step for step in trace if step.line == "best")
    limits = {one.beta: one.drawn_bound for one in step.state.seen}
    assert step.state.beta == min(limits, key=limits.get)
    assert step.choice.options[step.choice.chosen].score == pytest.approx(min(limits.values()))


@pytest.mark.slow
def test_the_mean_regret_falls_towards_nothing() -> None:
    """AIMA 18.10.1: with a suitable β the mistakes for each trial are in the end those of the best
    expert.
    """
    trace = engine.run("regret_bounds", engine.generate("pundits", 1000))
    lengths = trace[-1].state.lengths
    assert [one.n for one in lengths] == list(range(100, 1001, 100))
    assert all(one.regret <= one.bound + 1e-9 for one in lengths)
    assert lengths[-1].regret < lengths[0].regret / 2
    assert lengths[-1].bound < lengths[0].bound / 2


def test_each_length_is_counted_on_the_rows_before_it() -> None:
    data, errs, _ = table(60)
    for one in engine.run("regret_bounds", data)[-1].state.lengths:
        least = errs[: one.n].sum(axis=0).min()
        assert one.regret == pytest.approx((counted(errs[: one.n], one.beta)[2] - least) / one.n)


def test_a_single_run_above_the_bound_is_marked() -> None:
    """Two experts, one always right: with β = 0.1 at most 0.77 mistakes are expected, a run may
    make one.
    """
    y = np.array([True, False, True, False])
    data = engine.Dataset.from_columns({"good": y, "bad": ~y, "y": y}, "y")
    trace = engine.run("regret_bounds", data, runs=8)
    first = next(step for step in trace if step.line == "draw")
    assert first.state.seen[0].drawn_bound == pytest.approx(log(2) / 0.9)
    assert "above" in first.events
    assert max(first.state.seen[0].runs) >= 1
    assert first.note["above"] == sum(m > log(2) / 0.9 for m in first.state.seen[0].runs)


def test_no_single_runs() -> None:
    seen = engine.run("regret_bounds", table(14)[0], runs=0)[-1].state.seen
    assert all(one.runs == () for one in seen)
    assert all(np.isfinite(one.drawn) for one in seen)


def test_a_table_without_experts_is_refused() -> None:
    with pytest.raises(EngineError, match="Regret bounds"):
        engine.run("regret_bounds", engine.generate("moons", 20))


@pytest.mark.parametrize("n", [1, 2])
def test_very_few_trials(n: int) -> None:
    data, _, y = table(40)
    first = [int(np.flatnonzero(y)[0]), int(np.flatnonzero(~y)[0])][:n]
    trace = engine.run("regret_bounds", data.take(first))
    assert trace[-1].state.n == n
    assert [one.n for one in trace[-1].state.lengths] == [n]


def test_the_gap_goes_from_what_was_counted_to_what_is_allowed() -> None:
    trace = engine.run("regret_bounds", table(30)[0], runs=2)
    for step in (t for t in trace if t.line == "draw"):
        plot = trace.algorithm.scene(trace.given, step).figures[0]
        seen = step.state.seen[-1]
        (gap,) = (x for x in plot.layers if getattr(x, "role", None) is Role.ACTIVE)
        if seen.drawn_bound > plot.y_range[1]:  # what is not in the picture is pointed to
            assert isinstance(gap, Arrows)
            (beta, low), (_, high) = gap.start[0], gap.end[0]
            assert low < high < plot.y_range[1]
        else:
            assert isinstance(gap, Segments)
            (beta, low), (_, high) = gap.ends[0]
            assert high == seen.drawn_bound
        assert (beta, low) == (seen.beta, seen.drawn)
        names = [x.label for x in plot.layers if isinstance(x, Polyline) and x.tag == "now"]
        (said,) = (name.removeprefix("bound, ") for name in names)
        most, times = said.removesuffix(" times").split(": ")
        assert float(most) == pytest.approx(seen.drawn_bound, abs=0.006)
        assert float(times) == pytest.approx(seen.drawn_bound / seen.drawn, abs=0.006)


def test_amber_is_at_the_factor_or_at_the_number_of_trials() -> None:
    """At the least bound where that is found, in no other plot than the one a step is about."""
    trace = engine.run("regret_bounds", engine.generate("pundits", 40))
    for step in trace:
        figures = trace.algorithm.scene(trace.given, step).figures
        lit = [
            (k, float(x.xy[-1, 1]))
            for k, plot in enumerate(figures)
            for x in plot.layers
            if getattr(x, "role", None) is Role.NEAREST
        ]
        s = step.state
        if step.line == "best":
            assert lit == [(0, expected_bound(s.least, trace.given.K, s.beta))]
        elif step.line in ("more", "told"):
            assert lit == [(1, s.lengths[-1].regret)]
        else:
            assert not lit
