"""Searches in a k-d tree: the same neighbours as a scan and as SciPy, nothing left out that is
nearer (AIMA 18.8.2).
"""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial import cKDTree

import engine
from engine.algorithms.instances.kd_search import ALGORITHM, begun, entered, measured
from engine.algorithms.instances.parts import kd_build
from engine.algorithms.instances.parts.kd_picture import whole_grid
from engine.base.records import replace
from engine.base.work import finished
from engine.protocol.moment import At
from engine.protocol.params import build
from engine.protocol.step import Level, Pace
from engine.runs.run import Run
from engine.runs.trace import Trace
from engine.scene.scene import Arrows, Boxes, Circles, Points, Role, Segments, Table, Tree
from engine.table.dataset import Dataset
from engine.table.prepare import prepare

SIX = [[2.0, 3.0], [5.0, 4.0], [9.0, 6.0], [4.0, 7.0], [8.0, 1.0], [7.0, 2.0]]
ROUND = Pace(Level.ROUND)


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


def scan(X: np.ndarray, query: np.ndarray, k: int) -> list[int]:
    """Whole numbers only: their squares are exact, so ties are ties."""
    squares = ((X - query) ** 2).sum(1)
    return sorted(range(len(X)), key=lambda i: (squares[i], i))[:k]


@settings(deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 60), st.integers(1, 8), st.integers(1, 5))
def test_finds_what_scipy_finds(seed: int, n: int, k: int, d: int) -> None:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    query = rng.normal(size=d)
    k = min(k, n)
    state = run(X, ROUND, k=k, query=tuple(query))[-1].state
    expected, rows = cKDTree(X).query(query, k=np.arange(1, k + 1))
    assert state.neighbours.tolist() == rows.tolist()
    assert np.allclose(state.distances, expected, rtol=1e-12)


@settings(deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 60), st.integers(1, 8), st.integers(2, 4))
def test_ties_go_to_the_lower_row_number(seed: int, n: int, k: int, d: int) -> None:
    rng = np.random.default_rng(seed)
    X, query = rng.integers(-3, 4, (n, d)).astype(float), rng.integers(-3, 4, d).astype(float)
    assert run(X, ROUND, k=k, query=tuple(query))[-1].state.neighbours.tolist() == scan(X, query, k)


@settings(deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 30), st.integers(1, 6))
def test_the_list_of_the_best_is_that_of_scipy(seed: int, n: int, k: int) -> None:
    """All examples in one leaf: nothing but the list decides."""
    X = np.random.default_rng(seed).normal(size=(n, 2))
    k = min(k, n)
    problem = prepare(Dataset.from_arrays(X))
    found = ALGORITHM.setting(problem, ALGORITHM.params(k=k, query=(0.1, -0.2)))
    s = begun(finished(kd_build.build(X, False, n)), found.query)
    s = finished(measured(found, At(ALGORITHM, found, ROUND), entered(s, 0)))
    expected, rows = cKDTree(X).query(found.query, k=np.arange(1, k + 1))
    assert s.neighbours.tolist() == rows.tolist()
    assert np.allclose(s.distances, expected, rtol=1e-12)


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 10_000), st.integers(2, 40), st.integers(1, 4))
def test_nothing_in_a_side_left_out_is_nearer(seed: int, n: int, k: int) -> None:
    rng = np.random.default_rng(seed)
    X, query = rng.normal(size=(n, 2)), rng.normal(size=2)
    s = run(X, k=k, query=tuple(query))[-1].state
    out = [row for node in s.pruned for row in s.tree.rows(node)]
    assert (np.linalg.norm(X[out] - query, axis=1) >= s.radius).all()
    assert s.examined + len(out) == n


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 10_000), st.integers(2, 40), st.integers(1, 4))
def test_the_decision_is_the_line_against_the_ball(seed: int, n: int, k: int) -> None:
    rng = np.random.default_rng(seed)
    for step in run(rng.normal(size=(n, 2)), k=k, query=tuple(rng.normal(size=2))):
        if step.line == "prune":
            assert step.state.gap > step.state.radius
        if step.line == "other":
            assert step.state.gap <= step.state.radius


def test_six_points_by_hand() -> None:
    """q = (6, 5) goes right of x = 5, above y = 2 to x₃, d = √(9 + 1); y = 2 is 3 < √10 away, and
    so on.
    """
    trace = run(SIX, query=(6.0, 5.0))
    assert [trace.problem.names[row] for row in trace[-1].state.neighbours] == ["x₂"]
    assert trace[-1].state.radius == pytest.approx(np.sqrt(2))
    gaps = [step.state.gap for step in trace if step.line in ("prune", "other")]
    assert gaps[:2] == [3.0, 1.0]


def test_a_line_exactly_at_the_ball_is_crossed() -> None:
    # x ≤ 2: q goes right, to x₂; the line is 1 away as well
    trace = run([[2.0, 0.0], [4.0, 0.0]], query=(3.0, 0.0))
    tied = [step for step in trace if "tie" in step.events]
    assert tied[0].line == "other"
    assert tied[0].choice.winners == (0, 1)
    assert trace[-1].state.neighbours.tolist() == [0]


def test_choices_carry_what_is_chosen() -> None:
    """The row that stays or comes, and whether the other side is searched."""
    trace = run(SIX, query=(6.0, 5.0))
    for step in trace:
        if step.choice is not None and step.line in ("keep", "look"):
            kept = step.choice.options[step.choice.chosen].value
            assert kept == step.state.neighbours[-1]
        if step.choice is not None and step.line in ("prune", "other"):
            assert step.choice.options[step.choice.chosen].value == (step.line == "other")
    assert {"keep", "look", "other"} <= {step.line for step in trace if step.choice is not None}


def test_a_tree_saves_most_of_a_scan() -> None:
    rng = np.random.default_rng(0)
    X = rng.random((2000, 2))
    assert run(X, ROUND, query=(0.4, 0.6))[-1].metrics["examined"] < 60


def test_many_columns_make_it_a_scan() -> None:
    """The tree degrades with the dimension (AIMA 18.8.2)."""
    rng = np.random.default_rng(0)
    X = rng.random((500, 20))
    query = tuple(rng.random(20))
    assert run(X, ROUND, query=query)[-1].metrics["examined"] > 450


def test_the_picture_of_a_decision() -> None:
    trace = run(SIX, query=(6.0, 5.0))
    step = next(step for step in trace if step.line == "other")
    scene = ALGORITHM.scene(trace.given, step)
    circle = next(layer for layer in scene.layers if isinstance(layer, Circles))
    assert circle.centre.tolist() == [[6.0, 5.0]]
    assert circle.radius[0] == pytest.approx(np.sqrt(10))
    arrow = next(layer for layer in scene.layers if isinstance(layer, Arrows))
    assert arrow.end.tolist() == [[6.0, 2.0]]
    cut = next(
        layer for layer in scene.layers if isinstance(layer, Segments) and layer.tag == "cut"
    )
    assert cut.ends.tolist() == [[[5.0, 2.0], [np.inf, 2.0]]]


def test_visited_and_pruned_are_distinguished() -> None:
    trace = run(np.random.default_rng(1).random((30, 2)), query=(0.3, 0.3))
    scene = ALGORITHM.scene(trace.given, trace[-1])
    boxes = {layer.tag: layer for layer in scene.layers if isinstance(layer, Boxes)}
    assert len(boxes["pruned"].bounds) == len(trace[-1].state.pruned) > 0
    assert len(boxes["visited"].bounds) == trace[-1].state.examined
    tree = next(figure for figure in scene.figures if isinstance(figure, Tree))
    assert sum(node.role is Role.REJECTED for node in tree.nodes) == len(trace[-1].state.pruned)
    best = next(figure for figure in scene.figures if isinstance(figure, Table))
    assert best.names == tuple(trace.problem.names[row] for row in trace[-1].state.neighbours)


def test_a_query_of_the_wrong_length_is_refused() -> None:
    with pytest.raises(engine.EngineError, match="query"):
        run(SIX, query=(1.0, 2.0, 3.0))


def test_the_last_step_shows_where_the_nearest_was_found() -> None:
    """The tree lights the leaf of the nearest, so that it is what a narrow panel shows."""
    trace = run(
        np.random.default_rng(3).normal(size=(200, 2)), Pace(Level.STEP), k=2, query=(0.5, 0.5)
    )
    s = trace[-1].state
    tree = next(f for f in ALGORITHM.scene(trace.given, trace[-1]).figures if isinstance(f, Tree))
    (lit,) = [node for node in tree.nodes if node.role is Role.ACTIVE]
    assert lit.kind == "leaf"
    assert lit.text == trace.problem.names[s.neighbours[0]]
    assert s.node == -1


def test_the_best_are_ringed_and_named() -> None:
    trace = run(np.array(SIX), k=2, query=(6.0, 5.0))
    scene = ALGORITHM.scene(trace.given, trace[-1])
    (best,) = [
        layer for layer in scene.layers if isinstance(layer, Points) and layer.role is Role.NEAREST
    ]
    assert best.xy.tolist() == trace.problem.X[trace[-1].state.neighbours].tolist()
    assert best.label == ("x₂: 1.41", "x₄: 2.83")  # √(1² + 1²), √(2² + 2²)
    assert scene.equal_scales


@pytest.mark.parametrize("key", ["kd_search", "va_file", "lsh"])
def test_amber_is_the_example_that_the_words_name(key: str) -> None:
    """Where an example is measured, it alone is amber, with its distance, and not the best so
    far.
    """
    X = np.random.default_rng(5).normal(size=(60, 2))
    data = Dataset.from_columns({"x1": X[:, 0], "x2": X[:, 1]})
    trace = engine.run(key, data, query=(0.3, 0.3), k=2)
    seen = set()
    for step in trace:
        if step.line not in ("look", "keep"):
            continue
        seen.add(step.line)
        scene = trace.algorithm.scene(trace.given, step)
        amber = [
            layer
            for layer in scene.layers
            if isinstance(layer, Points) and layer.role in (Role.ACTIVE, Role.NEAREST)
        ]
        (text,) = [text for layer in amber for text in layer.label]
        name, distance = text.split(": ")
        assert name == step.note["point"]
        row = trace.problem.names.index(name)
        assert float(distance) == pytest.approx(np.hypot(*(X[row] - 0.3)), abs=0.006)
        assert scene.plane.removeprefix("Stage 2: ").startswith(f"{name} ")
    assert seen == {"look", "keep"}


@pytest.mark.parametrize(
    ("k", "line", "written"), [(1, "look", "1.00002 > 1.00001"), (2, "other", "1.00001 < 1.00002")]
)
def test_numbers_that_differ_are_not_written_alike(k: int, line: str, written: str) -> None:
    """From (0, 0) the examples are 1.00002, 1.00001 and 3 away; the tree parts them at x = 1.00001
    first.
    """
    trace = run([[0.0, 1.00002], [1.00001, 0.0], [3.0, 0.0]], query=(0.0, 0.0), k=k)
    assert any(written in step.note.text() for step in trace if step.line == line)
    choice = next(
        step.choice
        for step in trace
        if step.line == line and step.choice and written in step.note.text()
    )
    assert choice.digits == 5


def test_the_grid_of_the_tree_is_made_once_for_all_steps_and_for_each_plane() -> None:
    """It stays the same while the search goes on, and took a tenth of a frame of 500 points."""
    trace = run(SIX, query=(9.0, 2.0))
    scenes = [ALGORITHM.scene(trace.given, step) for step in trace]
    grids = [[layer for layer in scene.layers if layer.tag == "boxes"] for scene in scenes]
    assert all(
        len(grid) == 2 and grid[0] is grids[0][0] and grid[1] is grids[0][1] for grid in grids
    )
    tree = trace[-1].state.tree
    upright = replace(trace.problem, plane=(1, 0))
    (straight, _), (turned, layers) = whole_grid(trace.problem, tree), whole_grid(upright, tree)
    assert np.array_equal(turned, straight[:, [1, 0, 3, 2]])
    assert layers[0] is not grids[0][0]
    assert not straight.flags.writeable


def test_a_visited_node_says_what_the_search_found_there() -> None:
    """Example of AIMA 18.8.2's kind: the query's value at each test, the distance at each leaf."""
    trace = run(SIX, query=(6.0, 5.0))
    s = trace[-1].state
    tree = next(f for f in ALGORITHM.scene(trace.given, trace[-1]).figures if isinstance(f, Tree))
    assert len(tree.nodes) == s.tree.size
    for v, node in enumerate(tree.nodes):
        if v not in s.visited:
            assert "example" in node.note
        elif s.tree.leaf(v):
            apart = np.linalg.norm(np.array(SIX)[s.tree.rows(v)] - (6.0, 5.0), axis=1)
            shown = float(node.note.removeprefix("distance "))
            assert shown == pytest.approx(apart.min(), abs=0.006)
        else:
            assert node.note == f"? has {(6, 5)[int(s.tree.axis[v])]}"
