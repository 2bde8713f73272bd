"""Peeking: what luck makes of many looks, by counting all ways, and that fresh rows
tell the truth.
"""

from itertools import product

import numpy as np
import pytest

import engine
from engine.base.errors import EngineError
from engine.base.notation import number
from engine.experiments.parts.chance import least_expected
from engine.protocol.step import Level, Pace
from engine.scene.scene import Points, Role, Segments, Table

MOONS = engine.generate("moons", 200, seed=1)


@pytest.mark.parametrize(("rows", "looks"), [(1, 1), (2, 2), (3, 2), (2, 3)])
def test_the_least_of_many_coins_is_the_mean_over_all_tosses(rows: int, looks: int) -> None:
    ways = [
        min(sum(toss[k * rows : (k + 1) * rows]) for k in range(looks))
        for toss in product((0, 1), repeat=rows * looks)
    ]
    assert least_expected(rows, looks, 0.5) == pytest.approx(np.mean(ways) / rows)


def test_the_best_of_many_looks_promises_what_fresh_rows_do_not_keep() -> None:
    """AIMA 18.4: optimistic results, on labels that nothing can tell."""
    ends = [
        engine.run("peeking", MOONS, seed=seed, looks=100, pace=Pace(Level.ROUND))[-1].state
        for seed in range(12)
    ]
    best, fresh = np.array([[s.best, s.fresh] for s in ends]).T
    assert best.mean() == pytest.approx(least_expected(60, 100, 0.5), abs=0.02)
    assert fresh.mean() == pytest.approx(0.5, abs=0.05)
    assert (best < fresh).mean() > 0.8


def test_each_look_is_counted_and_the_kept_one_is_the_least() -> None:
    trace = engine.run("peeking", MOONS, looks=20)
    s = trace[-1].state
    assert len(trace.when("look")) == len(s.looks) == 20
    assert s.best == min(s.looks)
    test, fresh = (np.flatnonzero(s.part == part) for part in (1, 2))
    assert s.best == np.mean(s.kept[test] != s.codes[test])
    assert s.fresh == np.mean(s.kept[fresh] != s.codes[fresh])
    assert len(test) == len(fresh) == 60
    looks = [step for step in trace if step.line == "look"]
    assert looks[-1].choice.winners == tuple(np.flatnonzero(np.array([*s.looks]) == s.best))


def test_shuffled_labels_are_the_same_labels_on_other_rows() -> None:
    trace = engine.run("peeking", MOONS, looks=1)
    assert sorted(trace[-1].state.codes) == sorted(trace.problem.codes)
    assert (trace[-1].state.codes != trace.problem.codes).mean() > 0.3
    kept = engine.run("peeking", MOONS, looks=1, signal="as given")
    assert (kept[-1].state.codes == kept.problem.codes).all()


def test_a_learner_with_a_signal_keeps_its_promise() -> None:
    s = engine.run(
        "peeking",
        MOONS,
        looks=5,
        hypotheses="copies",
        learner="nearest_neighbours(k=3)",
        signal="as given",
    )[-1].state
    assert s.best < 0.1
    assert s.fresh < 0.15
    assert s.model is not None


def test_too_few_rows_make_no_three_parts() -> None:
    data = engine.Dataset.from_columns({"x": [1.0, 2.0, 3.0], "c": ["A", "B", "A"]}, "c")
    with pytest.raises(EngineError, match="three parts"):
        engine.run("peeking", data, share=0.1)


def test_the_end_shows_how_much_too_good_the_promise_was() -> None:
    trace = engine.run("peeking", MOONS, looks=20)
    s = trace[-1].state
    plot = trace.algorithm.scene(trace.given, trace[-1]).figures[0]
    lit = [layer for layer in plot.layers if layer.role is Role.ACTIVE]
    gap = next(layer for layer in plot.layers if isinstance(layer, Segments))
    assert gap.ends[0, :, 1].tolist() == [s.best, s.fresh]
    assert [layer.xy[0, 1] for layer in lit] == [s.fresh]


def test_what_is_dealt_or_shuffled_is_the_amber_column() -> None:
    trace = engine.run("peeking", MOONS, looks=3)
    found = []
    for step in trace:
        deal = trace.algorithm.scene(trace.given, step).figures[0]
        if isinstance(deal, Table):
            (lit,) = (column for column in deal.columns if column.role is Role.ACTIVE)
            own = step.state.part if step.line == "lock" else step.state.codes
            assert lit.values.tolist() == own.tolist()
            found.append((step.line, lit.feature.name))
    assert found == [("lock", "part"), ("shake", "shuffled")]


def test_the_look_at_hand_has_its_error() -> None:
    trace = engine.run("peeking", MOONS, looks=5)
    for step in (t for t in trace if t.line in ("look", "keep")):
        looks = trace.algorithm.scene(trace.given, step).figures[0]
        (lit,) = (x for x in looks.layers if isinstance(x, Points) and x.role is Role.ACTIVE)
        assert lit.xy[0].tolist() == [len(step.state.looks), step.state.looks.last]
        assert number(step.state.looks.last) in lit.label[0]


def test_the_padlock_that_is_opened_is_lit() -> None:
    trace = engine.run("peeking", MOONS, looks=3)
    lit = {"look": 0, "fresh": 1}
    for step in trace:
        bars = trace.algorithm.scene(trace.given, step).figures[1]
        opened = [k for k, role in enumerate(bars.roles) if role is Role.ACTIVE]
        assert opened == ([lit[step.line]] if step.line in lit else [])
