"""Marks that stand for a step: a click on one shows the model of that complexity, size,
share or fold, at every step alike.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import engine
from engine.base.tags import row_tag, rows_of, step_tag, step_tags, steps_of
from engine.protocol.step import Level, Pace
from engine.scene.scene import Bars, Boxes, Points, Segments

MOONS = engine.generate("moons", 30, 0.3, seed=1)
WAVES = engine.generate("sine", 24, 0.2, seed=1)


def place(mark: Points | Segments, k: int) -> float:
    """The number that the k-th mark of a layer stands for."""
    return float(mark.xy[k, 0] if isinstance(mark, Points) else mark.ends[k, 0, 0])


def marks(trace: Any, at: int) -> Iterator[tuple[Any, int, int]]:
    """(the layer or figure, which of its marks, the step that this mark stands for) of the first
    figure and of all bars.
    """
    figures = trace.algorithm.scene(trace.given, trace[at]).figures
    for part in (*figures[0].layers, *(figure for figure in figures if isinstance(figure, Bars))):
        for k, tag in enumerate(getattr(part, "tags", ())):
            if (step := trace.named(tag)) is not None:
                yield part, k, step


def numbers(sweep: Any) -> dict[float, float]:
    """The value at a place of its axis."""
    return {round(float(np.log10(v)) if sweep.powers else float(v), 9): v for v in sweep.values}


@pytest.mark.parametrize("data", [MOONS, WAVES])
@pytest.mark.parametrize("at", [0, 3, -1])
def test_a_mark_of_the_overfitting_curve_shows_the_models_of_its_complexity(data, at: int) -> None:
    trace = engine.run("overfitting_curve", data, values=5, splits=3)
    known = numbers(trace.given.sweep)
    found = []
    for layer, k, step in marks(trace, at):
        s = trace[step].state
        assert trace[step].line == "mean" and s.value == known[round(place(layer, k), 9)]
        assert s.points[-1].value == s.value and s.model is not None
        found.append(s.value)
    assert sorted(found) == [*trace.given.sweep.values]


@pytest.mark.parametrize("data", [MOONS, WAVES])
@pytest.mark.parametrize("spaced", ["evenly", "in powers"])
@pytest.mark.parametrize("at", [0, 20, -1])
@pytest.mark.parametrize("key", ["learning_curve", "learner_comparison"])
def test_a_mark_of_a_learning_curve_shows_its_number_of_rows(
    key: str, at: int, spaced: str, data
) -> None:
    tree = "decision_tree" if data is MOONS else "regression_tree"
    chosen = (
        {"learners": (tree, f"{tree}(stop=depth)")}
        if key == "learner_comparison"
        else {"learner": tree}
    )
    trace = engine.run(key, data, sizes=4, trials=3, spaced=spaced, **chosen)
    found = []
    for layer, k, step in marks(trace, at):
        x = place(layer, k)
        size = trace[step].state.points[-1].size
        assert trace[step].line == "mean" and size == round(10**x if spaced == "in powers" else x)
        found.append(size)
    assert sorted(found) == trace.given.sizes


@pytest.mark.parametrize(
    "given", [{}, {"patience": 1}, {"until": "all are tried"}, {"patience": 1, "look": False}]
)
@pytest.mark.parametrize("share", [0.0, 0.5, 0.9, 1.0])
def test_a_mark_of_a_size_shows_the_step_at_which_its_errors_were_known(
    given: dict[str, Any], share: float
) -> None:
    trace = engine.run("model_selection", MOONS, values=5, k=3, **given)
    at = round(share * (len(trace) - 1))
    known = numbers(trace.given.sweep)
    found = []
    for layer, k, step in marks(trace, at):
        s = trace[step].state
        assert (
            trace[step].line in ("errors", "look")
            and s.sizes[-1].value == known[round(place(layer, k), 9)]
        )
        found.append(s.sizes[-1].value)
    assert len(set(found)) == len(found) > 0
    assert set(found) >= {p.value for p in trace[at].state.sizes}


@pytest.mark.parametrize("given", [{}, {"scheme": "batches"}])
@pytest.mark.parametrize("at", [0, 20, -1])
def test_the_line_and_the_mean_of_a_share_show_its_last_split(
    given: dict[str, Any], at: int
) -> None:
    trace = engine.run("holdout", MOONS, splits=4, **given)
    shares = [*trace.given.shares]
    found = set()
    for layer, k, step in marks(trace, at):
        assert isinstance(layer, Segments)
        row = len(shares) - round(float(layer.ends[k].mean(axis=0)[1]))
        assert trace[step].line == "mean" and trace[step].state.now.share == shares[row]
        found.add(shares[row])
    assert found == set(shares)


@pytest.mark.parametrize("lone", [False, True])
@pytest.mark.parametrize("level", [Level.DETAIL, Level.ROUND])
def test_a_fold_shows_where_it_was_tested_and_one_without_a_model_why(
    lone: bool, level: Level
) -> None:
    """lone: the second class has one row, without which a perceptron has one class only."""
    data = engine.Dataset.from_columns(
        {"x": [0.0, 1.0, 2.0, 3.0], "c": [*("ABAA" if lone else "ABBA")]}, "c"
    )
    trace = engine.run(
        "cross_validation", data, learner="perceptron", scheme="leave-one-out", pace=Pace(level)
    )
    assert len(trace[-1].state.refused) == lone
    for at in range(len(trace)):
        done = len(trace[at].state.errors)
        found = []
        for part, k, step in marks(trace, at):
            assert isinstance(part, (Boxes, Bars))
            assert trace[step].state.fold == k
            if isinstance(part, Boxes):
                found.append((k, trace[step].line))
        refused = {fold for fold, _ in trace[at].state.refused}
        lines = {k: "learn" if k in refused or k >= done else "test" for k in range(4)}
        there = {step.line for step in trace}
        assert found == [(k, line) for k, line in lines.items() if line in there]


def test_a_mark_of_a_step_that_is_not_recorded_leads_nowhere() -> None:
    whole = engine.run("overfitting_curve", MOONS, values=3, splits=2)
    begun = engine.run("overfitting_curve", MOONS, values=3, splits=2, max_steps=5)
    rounds = engine.run("overfitting_curve", MOONS, values=3, splits=2, pace=Pace(Level.ROUND))
    assert all(whole.named(tag) is not None for tag in step_tags("mean", 3))
    assert [rounds.named(tag) for tag in step_tags("mean", 3)] == [None] * 3
    assert [
        begun.named(tag)
        for tag in ("", "data", row_tag(1), step_tag("mean", 2), step_tag("nowhere", 0))
    ] == [None] * 5


def test_what_stands_for_a_step_stands_for_no_row() -> None:
    names = [step_tag("mean", 12), row_tag(3), "data"]
    assert steps_of(names) == [("mean", 12)] and rows_of(names) == [3]
