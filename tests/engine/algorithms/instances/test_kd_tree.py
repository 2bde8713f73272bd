"""k-d trees step by step: every choice of a column, the lower median, the guard against equal
points (AIMA 18.8.2).
"""

from typing import Any

import numpy as np
import pytest

import engine
from engine.algorithms.instances.kd_tree import ALGORITHM
from engine.protocol.params import build
from engine.protocol.step import Level, Pace
from engine.runs.run import Run
from engine.runs.trace import Trace
from engine.scene.scene import Boxes, Points, Role, Segments, Table, Tree
from engine.table.dataset import Dataset
from engine.table.prepare import prepare

SIX = [[2.0, 3.0], [5.0, 4.0], [9.0, 6.0], [4.0, 7.0], [8.0, 1.0], [7.0, 2.0]]


def run(X: Any, pace: Pace = Pace(), **params: Any) -> Trace:
    columns = {f"x{j + 1}": column for j, column in enumerate(np.asarray(X, np.float64).T)}
    run = Run(
        ALGORITHM,
        prepare(Dataset.from_columns(columns)),
        build(ALGORITHM.params, params),
        pace=pace,
    )
    run.advance()
    return run.trace


def splits(trace: Trace) -> list[tuple[int, float]]:
    return [(step.state.axis, step.state.point) for step in trace if step.line == "split"]


def test_six_points_by_hand() -> None:
    """x: 2 4 5 | 7 8 9, lower median 5; left y: 3 4 | 7, median 4; right y: 1 2 | 6, median 2."""
    trace = run(SIX)
    assert splits(trace) == [(0, 5.0), (1, 4.0), (0, 2.0), (1, 2.0), (0, 7.0)]
    assert [step.note["median"] for step in trace if step.line == "median"] == [5, 4, 2, 2, 7]
    assert trace.metrics["leaves"][-1] == 6
    assert trace.metrics["depth"][-1] == 3


def test_columns_take_turns_by_level() -> None:
    trace = run(SIX)
    for step in trace:
        if step.line == "axis":
            assert step.note["turn"] == step.note["level"] % 2
            assert step.choice is None


def test_the_widest_column_wins_and_ties_are_shown() -> None:
    trace = run([[0.0, 0.0], [2.0, 2.0], [1.0, 2.0]], axis="widest")
    step = next(step for step in trace if step.line == "axis")
    assert step.choice is not None
    assert [option.score for option in step.choice.options] == [2, 2]
    assert step.choice.winners == (0, 1)
    assert step.choice.chosen == 0
    assert [option.value for option in step.choice.options] == [0, 1]
    assert run([[0.0, 0.0], [2.0, 9.0], [1.0, 2.0]], axis="widest")[1].choice.chosen == 1


@pytest.mark.parametrize("axis", ["cycle", "widest"])
def test_identical_points_do_not_recurse_for_ever(axis: str) -> None:
    trace = run([[1.0, 1.0]] * 5, axis=axis)
    assert [step.line for step in trace] == ["start", "guard", "leaf", "done"]
    assert trace.metrics["leaves"][-1] == 1


def test_the_guard_lowers_the_median() -> None:
    trace = run([[1.0], [2.0], [2.0], [2.0]])
    step = next(step for step in trace if step.line == "guard")
    assert step.note["median"] == 2
    assert step.note["point"] == 1


def test_leaves_of_any_size() -> None:
    trace = run(SIX, leaf_size=3)
    assert splits(trace) == [(0, 5.0)]
    assert trace.metrics["leaves"][-1] == 2


def test_a_round_ends_in_the_same_tree() -> None:
    fine, coarse = run(SIX)[-1].state, run(SIX, Pace(Level.ROUND))[-1].state
    assert np.array_equal(fine.tree.axis, coarse.tree.axis)
    assert np.array_equal(fine.tree.split, coarse.tree.split, equal_nan=True)
    assert len(fine.nodes) == len(coarse.nodes) == fine.tree.size


def test_the_cut_is_limited_to_its_box() -> None:
    trace = run(SIX)
    at = [step.line for step in trace].index("split", 5)  # the second: y ≤ 4 left of x = 5
    scene = ALGORITHM.scene(trace.given, trace[at])
    cut = next(
        layer for layer in scene.layers if isinstance(layer, Segments) and layer.tag == "cut"
    )
    assert cut.role is Role.ACTIVE
    assert cut.ends.tolist() == [[[-np.inf, 4.0], [5.0, 4.0]]]


def test_boxes_and_tree_grow_together() -> None:
    trace = run(SIX)
    for step in trace:
        scene = ALGORITHM.scene(trace.given, step)
        boxes = next(layer for layer in scene.layers if isinstance(layer, Boxes))
        tree = next(figure for figure in scene.figures if isinstance(figure, Tree))
        assert len(boxes.bounds) == sum(node.kind != "test" for node in tree.nodes)
        assert sum(node.kind == "leaf" for node in tree.nodes) == step.metrics["leaves"]


def test_classes_are_only_shown() -> None:
    data = engine.generate("moons", noise=0.2)
    problem = prepare(data)
    run = Run(ALGORITHM, problem, ALGORITHM.params())
    run.advance()
    scene = ALGORITHM.scene(ALGORITHM.setting(problem, run.params), run.trace[5])
    table = next(figure for figure in scene.figures if isinstance(figure, Table))
    assert table.group is not None
    assert ALGORITHM.predict is None


def test_hidden_columns_have_no_boxes() -> None:
    trace = run(np.random.default_rng(0).normal(size=(12, 4)))
    for step in trace:
        layers = ALGORITHM.scene(trace.given, step).layers
        assert not [layer for layer in layers if isinstance(layer, Boxes) and layer.tag == "boxes"]


def test_words_are_refused() -> None:
    with pytest.raises(engine.EngineError, match="needs numbers"):
        engine.run("kd_tree", engine.textbook("restaurant"))


def test_a_new_leaf_names_its_example_and_no_ring_hides_its_box() -> None:
    trace = run(SIX)
    step = next(step for step in trace if step.line == "leaf")
    rows = step.state.tree.rows(step.state.node)
    layers = ALGORITHM.scene(trace.given, step).layers
    (named,) = [one for one in layers if isinstance(one, Points) and one.tag == "current"]
    assert named.label == tuple(trace.problem.names[row] for row in rows)
    assert named.xy.tolist() == trace.problem.X[rows].tolist()
    (lit,) = [layer for layer in layers if layer.role is Role.ACTIVE]
    assert isinstance(lit, Boxes) and lit is layers[-1]


def test_spreads_that_are_equal_on_paper_are_a_tie() -> None:
    """0.3 − 0.1 and 0.5 − 0.3 are 0.2 both, though not in floating point: the first column is
    taken, by the rule. With three equal x the other way of building takes it too.
    """
    for rows in ([[0.1, 0.3], [0.3, 0.5]], [[0.1, 0.3], [0.1, 0.3], [0.1, 0.5], [0.3, 0.3]]):
        trace = run(rows, axis="widest")
        first = next(step for step in trace if step.line == "axis")
        assert first.choice is not None
        assert first.choice.winners == (0, 1)
        assert (first.choice.chosen, first.state.axis) == (0, 0)
        assert first.choice.rule
        assert "first" in first.note.text()


@pytest.mark.parametrize("axis", ["cycle", "widest"])
@pytest.mark.parametrize("leaf_size", [1, 3])
def test_the_watched_growth_comes_to_the_tree_built_at_once(axis: str, leaf_size: int) -> None:
    X = np.random.default_rng(3).integers(0, 4, size=(60, 3)).astype(float)  # many equal numbers
    problem = prepare(Dataset.from_columns({f"x{j}": column for j, column in enumerate(X.T)}))
    trace = engine.run("kd_tree", problem, pace=Pace(Level.DETAIL), axis=axis, leaf_size=leaf_size)
    tree = trace[0].state.tree
    grown = {step.state.node: step for step in trace if step.line in ("split", "leaf")}
    assert sorted(grown) == list(range(tree.size))
    for node, step in grown.items():
        assert step.line == ("leaf" if tree.leaf(node) else "split")
        if step.line == "split":
            assert (step.state.axis, step.state.point) == (tree.axis[node], tree.split[node])
