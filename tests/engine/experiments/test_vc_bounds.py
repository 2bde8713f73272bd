"""VC bounds and random rectangles against formulas and Monte Carlo of their own (mitchell A24, A25,
A33, A34, B9, D11, D12, D23).
"""

from math import ceil, e, log, log2
from typing import Any

import numpy as np
import pytest

import engine
from engine.base.tags import names_in
from engine.experiments.parts.sizes import enough
from engine.experiments.vc_bounds import both_sides, fitted, lower, network, strips, upper
from engine.experiments.vc_bounds.bounds import error_after
from engine.experiments.vc_bounds.boxes import area, drawn, holds, missed
from engine.protocol.step import Level, Pace
from engine.scene.scene import NO_GROUP, Boxes, Labels, Plot, Points, Polyline, Role

KEY = "vc_bounds"
SQUARE = engine.generate("hidden_rectangle", 20, seed=2)


def run(**params: Any) -> Any:
    return engine.run(KEY, SQUARE, **params)


# -- bounds ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "epsilon", "delta", "d"),
    [
        ("rectangles", 0.15, 0.05, 4),  # E7.2
        ("intervals", 0.1, 0.05, 2),  # E7.4
        ("half-spaces", 0.05, 0.1, 3),  # E7.1: a perceptron on two inputs
        ("discs", 0.1, 0.05, 3),  # E7.5
        ("triangles", 0.1, 0.05, 7),  # E7.5
    ],
)
def test_so_many_examples_are_enough(kind: str, epsilon: float, delta: float, d: int) -> None:
    note = run(hypotheses=kind, epsilon=epsilon, delta=delta, repeats=10)[1].note
    assert note["d"] == d
    assert note["enough"] == ceil((4 * log2(2 / delta) + 8 * d * log2(13 / epsilon)) / epsilon)


def test_strips_need_far_fewer_than_the_dimension() -> None:
    """E7.2, E7.4, D12: m ≥ (4/ε) ln(4/δ) of rectangles, (2/ε) ln(2/δ) of intervals; the union of
    the strips is then small.
    """
    assert ceil(strips(4, 0.15, 0.05)) == ceil(4 / 0.15 * log(80)) == 117
    assert ceil(strips(2, 0.1, 0.05)) == ceil(20 * log(40))
    assert 4 * (1 - 0.15 / 4) ** 117 <= 0.05
    assert upper(4, 0.15, 0.05) > 10 * strips(4, 0.15, 0.05) > 10 * lower(4, 0.15, 0.05)


def test_too_few() -> None:
    """A24: the larger of (1/ε) ln 1/δ and (d − 1) / 32ε."""
    assert lower(4, 0.1, 0.05) == pytest.approx(10 * log(20))
    assert lower(1000, 0.1, 0.05) == pytest.approx(999 / 3.2)


@pytest.mark.parametrize(
    ("epsilon", "delta", "known"),
    [(0.1, 0.009, True), (0.125, 0.009, False), (0.1, 0.01, False), (0.15, 0.05, False)],
)
def test_too_few_is_said_only_where_the_theorem_holds(
    epsilon: float, delta: float, known: bool
) -> None:
    """A24: ε < 1/8 and δ < 1/100."""
    trace = run(epsilon=epsilon, delta=delta, repeats=10)
    few = next(step for step in trace if step.line == "lower").note
    assert ("With fewer than 48" in few.text()) is known
    assert ("known for ε < 1/8" in few.text()) is not known
    assert ("Fewer than 48" in trace[-1].note.text()) is known
    figures = trace.algorithm.scene(trace.given, trace[-1]).figures
    plot = next(f for f in figures if f.title.startswith("Bounds"))
    drawn = [layer for layer in plot.layers if "too few" in getattr(layer, "label", "")]
    assert bool(drawn) is (delta < 0.01)
    assert all(layer.xy[:, 0].min() > np.log10(8) for layer in drawn)


def test_of_a_network_too_few_is_by_the_dimension_of_a_unit() -> None:
    """A25 bounds its dimension from above, Theorem 7.3 needs one from below."""
    note = run(hypotheses="network", units=100, epsilon=0.12, delta=0.009)[2].note
    assert note["few"] == ceil(log(1 / 0.009) / 0.12)


def test_any_interval_that_fits_needs_four_strips() -> None:
    """E7.4: of many runs with (2/ε) ln(4/δ) examples at most a share δ err more than ε, whichever
    interval is taken.
    """
    m = ceil(both_sides(0.15, 0.05))
    assert m == ceil(2 / 0.15 * log(80)) == 59
    rng = np.random.default_rng(5)
    for taken in ("tightest", "loosest", "random"):
        bad = 0
        for _ in range(1000):
            c, X = drawn(rng, 1), rng.random((m, 1))
            bad += missed(c, fitted(taken, c, X, rng)) > 0.15
        assert bad <= 50


def test_the_dimension_of_a_network_is_drawn_over_its_units() -> None:
    """A25, F18."""
    trace = run(hypotheses="network", units=3)
    figures = trace.algorithm.scene(trace.given, trace[-1]).figures
    plot = next(f for f in figures if f.title.startswith("VC dimension"))
    (line,) = (layer for layer in plot.layers if isinstance(layer, Polyline))
    for s, d in line.xy.tolist():
        assert d == pytest.approx(2 * 3 * s * log2(e * s))
    (now,) = (layer for layer in plot.layers if isinstance(layer, Points))
    assert now.xy.tolist() == [pytest.approx([3, 18 * log2(3 * e)])]


def test_no_side_of_h_strikes_the_sign_of_an_example() -> None:
    """ML Fig 7.1: the loosest h ends at a −, whose sign stands outside."""
    on_a_side = 0
    for seed in range(30):
        trace = run(seed=seed, learner="loosest", repeats=10)
        step = next(step for step in trace if step.line == "fit")
        s = step.state
        if np.isnan(s.h).any():
            continue
        layers = trace.algorithm.scene(trace.given, step).layers
        signs = [x for x in layers if isinstance(x, Labels) and x.tag == "drawn"]
        low = trace.problem.xy.min(axis=0)
        high = trace.problem.xy.max(axis=0)
        places = (signs[1].xy - low) / (high - low)
        for x, sign in zip(s.X[~s.plus], places, strict=True):
            on = (x == s.h).any()
            on_a_side += on
            assert not on or (sign < s.h[0]).any() or (sign > s.h[1]).any()
    assert on_a_side > 5


def test_a_network_has_at_most_this_dimension() -> None:
    """A25, F18: 2 (r + 1) s log₂(e s), which grows like s log s."""
    assert network(2, 3) == pytest.approx(18 * log2(3 * e))
    assert run(hypotheses="network", units=3)[0].note["d"] == pytest.approx(18 * log2(3 * e))
    assert network(5, 2000) / network(5, 1000) == pytest.approx(2, abs=0.2)


def test_the_dimension_never_does_better_than_the_count_in_the_chapter() -> None:
    """D11: VC ≤ log₂|H|, and yet its constants make it the looser bound."""
    for size in (10 * log(3), 16 * log(2), 2 * log(5050)):
        assert upper(size / log(2), 0.1, 0.05) > enough(size, 0.1, 0.05, False)
        assert upper(2, 0.1, 0.05) > enough(2 * log(5050), 0.1, 0.05, False)


def test_the_allowed_error_is_the_bound_turned_round() -> None:
    m = np.array([200.0, 1516.0, 20_000.0])
    for error, count in zip(error_after(m, 4, 0.05).tolist(), m.tolist(), strict=True):
        assert upper(4, error, 0.05) == pytest.approx(count)


# -- rectangles ------------------------------------------------------------------------------------


@pytest.mark.parametrize("taken", ["tightest", "loosest", "random"])
@pytest.mark.parametrize("axes", [1, 2])
def test_whoever_is_taken_fits(taken: Any, axes: int) -> None:
    """A33, A34."""
    rng = np.random.default_rng(0)
    for _ in range(60):
        c = drawn(rng, axes)
        X = rng.random((25, axes))
        h = fitted(taken, c, X, rng)
        plus = holds(c, X)
        inside = ((h[0] < X) & (h[1] > X)).all(axis=1) if taken == "loosest" else holds(h, X)
        assert (inside == plus).all() or not plus.any()
        tight = fitted("tightest", c, X, rng)
        assert np.isnan(h).all() == (not plus.any())
        if plus.any():
            assert (h[0] <= tight[0]).all() and (h[1] >= tight[1]).all()
        if taken == "tightest" and plus.any():
            assert missed(c, h) == pytest.approx(area(c) - area(h))


def test_the_error_is_the_part_where_they_differ() -> None:
    """Against a count over a fine grid; apart, nested, crossing, and the empty one."""
    axis = (np.arange(200) + 0.5) / 200
    grid = np.stack(np.meshgrid(axis, axis), axis=-1).reshape(-1, 2)
    boxes = [
        np.array(b)
        for b in (
            [[0.1, 0.1], [0.4, 0.4]],
            [[0.6, 0.5], [0.9, 0.95]],
            [[0.2, 0.15], [0.3, 0.35]],
            [[0.3, 0.0], [0.7, 0.6]],
        )
    ]
    for c in boxes:
        for h in boxes:
            assert missed(c, h) == pytest.approx(
                (holds(c, grid) != holds(h, grid)).mean(), abs=0.015
            )
        assert missed(c, np.full((2, 2), np.nan)) == pytest.approx(area(c))


# -- the run ---------------------------------------------------------------------------------------


def test_errors_fall_and_stay_below_what_the_strips_allow() -> None:
    """E7.6, C13: theory fits the experiment; 95 % of the runs err less than the strips say, the
    mean like 1/m at the end.
    """
    trace = run(repeats=200)
    trail = list(trace[-1].state.trail)
    means = [mean for _, mean, _, _ in trail]
    assert means == sorted(means, reverse=True)
    for m, mean, low, high in trail:
        assert low <= mean <= high <= min(1.0, 4 / m * log(4 / 0.025))
    assert means[-2] / means[-1] == pytest.approx(2, abs=0.8)


def test_a_tightest_interval_misses_two_spacings() -> None:
    """An independent mean: of m uniform numbers with k in [a, b] the tightest misses 2 (b − a) / (k
    + 1) on average.
    """
    rng = np.random.default_rng(3)
    total = 0.0
    expected = 0.0
    for _ in range(800):
        c = drawn(rng, 1)
        X = rng.random((30, 1))
        k = int(holds(c, X).sum())
        total += missed(c, fitted("tightest", c, X, rng))
        expected += area(c) * min(1.0, 2 / (k + 1))
    assert total == pytest.approx(expected, rel=0.1)


@pytest.mark.parametrize("learner", ["tightest", "loosest", "random"])
def test_what_it_misses_and_what_it_takes_too_much_is_hatched(learner: str) -> None:
    trace = run(repeats=10, learner=learner)
    low = trace.problem.xy.min(axis=0)
    high = trace.problem.xy.max(axis=0)
    fits = [s for s in trace if s.line == "fit" and s.state.plus.any()]
    for step in fits:
        layers = trace.algorithm.scene(trace.given, step).layers
        hatched = next(
            layer.bounds
            for layer in layers
            if isinstance(layer, Boxes) and layer.role is Role.DIFFERENCE
        )
        areas = ((hatched[:, 2:] - hatched[:, :2]) / (high - low)).prod(axis=1)
        assert areas.sum() == pytest.approx(step.note["error"])
    if learner == "tightest":
        assert len(areas) == 4


def test_curves_come_with_their_lines() -> None:
    trace = run(repeats=10)
    tags = []
    for step in (trace[0], trace[1], trace[3], trace[-1]):
        plot = next(
            f for f in trace.algorithm.scene(trace.given, step).figures if isinstance(f, Plot)
        )
        tags.append(
            {names_in(layer.tag)[0] for layer in plot.layers if isinstance(layer, Polyline)}
        )
    assert tags == [set(), {"upper"}, {"upper", "strips"}, {"upper", "strips", "mean"}]


def test_nothing_is_tried_of_networks_and_the_seed_decides() -> None:
    assert len(run(hypotheses="network")) == 5
    fine, coarse = (
        run(seed=2, repeats=10, pace=Pace(level))[-1].state for level in (Level.DETAIL, Level.ROUND)
    )
    assert list(fine.trail) == list(coarse.trail) and fine.c.tolist() == coarse.c.tolist()


def test_what_a_run_draws_has_no_class_of_the_table() -> None:
    """ML Ex 7.4: in and outside the hidden interval are not “left” and “right”."""
    bells = engine.generate("two_bells", 30)
    trace = engine.run(KEY, bells, hypotheses="intervals", repeats=10)
    scene = trace.algorithm.scene(trace.given, trace[-1])
    drawn = [x for x in scene.layers if isinstance(x, Points) and x.tag == "drawn"]
    s = trace[-1].state
    assert [(x.role, len(x.xy)) for x in drawn] == [
        (Role.POINT, s.plus.sum()),
        (Role.INACTIVE, (~s.plus).sum()),
    ]
    assert all((x.group == NO_GROUP).all() for x in drawn)


@pytest.mark.parametrize("learner", ["tightest", "loosest"])
def test_few_examples_have_their_signs_and_each_box_its_name_in_or_beside_itself(
    learner: str,
) -> None:
    """ML Fig 7.1 names c and h; a name inside the other box alone would name the wrong one."""
    named = 0
    for seed in range(20):
        trace = run(seed=seed, learner=learner, repeats=10)
        step = next(step for step in trace if step.line == "fit")
        layers = trace.algorithm.scene(trace.given, step).layers
        names = [layer for layer in layers if isinstance(layer, Labels)]
        if step.state.h is None or np.isnan(step.state.h).any():
            continue
        plus, minus, boxes = names
        assert plus.text == ("+",) * step.state.plus.sum()
        assert minus.text == ("−",) * (~step.state.plus).sum()
        c, h = boxes.xy[:, 1]
        assert boxes.text == ("concept c", "hypothesis h") and abs(c - h) > 1e-6
        named += 1
    assert named > 3


def test_the_mean_of_a_size_stands_against_what_the_bound_allows() -> None:
    trace = run(repeats=20)
    for step in trace:
        plot = trace.algorithm.scene(trace.given, step).figures[0]
        assert isinstance(plot, Plot)
        rings = [x for x in plot.layers if isinstance(x, Points) and x.role is Role.ACTIVE]
        if step.line != "size":
            assert not rings
            continue
        m, mean, _, _ = step.state.trail[-1]
        (x, of_mean), (same, allowed) = (10.0 ** ring.xy[0] for ring in rings)
        assert x == same == pytest.approx(m) and of_mean == pytest.approx(mean)
        assert upper(4, allowed, 0.05) == pytest.approx(m, rel=1e-6)


@pytest.mark.parametrize(("epsilon", "delta"), [(0.15, 0.05), (0.1, 0.009)])
def test_the_examples_that_a_line_finds_are_ringed(epsilon: float, delta: float) -> None:
    """ML Eq 7.7, Theorem 7.3 (only for ε < 1/8 and δ < 1/100), and Ex 7.6."""
    trace = run(repeats=10, epsilon=epsilon, delta=delta)
    found = []
    for step in trace[:4]:
        plot = trace.algorithm.scene(trace.given, step).figures[1]
        assert isinstance(plot, Plot)
        found.append([x.label for x in plot.layers if isinstance(x, Points) and len(x.label)])
    enough_of_all = ceil((4 * log2(2 / delta) + 8 * 4 * log2(13 / epsilon)) / epsilon)
    of_strips = ceil(4 / epsilon * log(4 / delta))
    few = ceil(max(log(1 / delta) / epsilon, 3 / (32 * epsilon)))
    holds = [(str(few),)] if epsilon < 1 / 8 else []
    assert found == [[], [(str(enough_of_all),)], holds, [(str(of_strips),)]]
