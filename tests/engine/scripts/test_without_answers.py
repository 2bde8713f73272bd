"""Scripts of methods that answer nothing about new rows: they find what the lab finds."""

import numpy as np
import pytest

import engine
from engine.base.errors import EngineError
from engine.protocol.registry import algorithms
from engine.table.prepare import prepare
from tests.engine.scripts.running import executed


def both(key, problem=None, seed=0, **params):
    """(the lab's last state, what the script leaves behind)."""
    problem = algorithms()[key].example() if problem is None else problem
    trace = engine.run(key, problem, seed, **params)
    return trace[-1].state, executed(trace.script())


def points(n, seed=0):
    rng = np.random.default_rng(seed)
    return prepare(engine.Dataset.from_arrays(rng.normal(size=(n, 2)), rng.choice(["a", "b"], n)))


def flattened(tree):
    if isinstance(tree, list):
        return [sorted(tree)]
    j, point, below, above = tree
    return [(j, point), *flattened(below), *flattened(above)]


@pytest.mark.parametrize("params", [{}, {"leaf_size": 3}, {"axis": "widest"}])
def test_the_k_d_tree_is_halved_alike(params):
    for problem in (None, points(30)):
        state, space = both("kd_tree", problem, **params)
        lab = [
            sorted(node.rows) if node.axis < 0 else (node.axis, node.split) for node in state.nodes
        ]
        assert flattened(space["tree"]) == lab


@pytest.mark.parametrize("key", ["kd_search", "va_file", "lsh"])
@pytest.mark.parametrize("k", [1, 4])
def test_searches_find_the_same_rows(key, k):
    for problem in (None, points(40)):
        state, space = both(key, problem, seed=3, k=k)
        found = space["nearest"] if key == "lsh" else space["rows"][0]
        assert found.tolist() == state.neighbours.tolist()


def test_voronoi_cells_have_the_same_edges():
    state, space = both("voronoi_diagram", points(25))
    pairs = {
        tuple(sorted((cell.site, int(q)))) for cell in state.cells for q in cell.across if q >= 0
    }
    assert set(space["edges"]) == pairs and len(pairs) == state.edges


def test_k2_finds_the_same_arcs():
    for name in ("restaurant", "mit_tree"):
        state, space = both("k2_search", prepare(engine.textbook(name)))
        assert space["arcs"] == sorted(map(tuple, state.edges.tolist()))


@pytest.mark.parametrize("correlation", [0.0, 0.4])
def test_the_same_members_err(correlation):
    state, space = both("majority_vote", seed=5, cases=300, correlation=correlation)
    assert space["counts"].tolist() == state.counts.tolist()
    state, space = both("ensemble_error", seed=5, cases=300, correlation=correlation)
    assert space["counted"] == pytest.approx([one.counted for one in state.seen])
    assert [space["law"](one.K) for one in state.seen] == pytest.approx(
        [one.alone for one in state.seen]
    )


@pytest.mark.parametrize("params", [{}, {"step": "printed"}, {"order": "random"}])
def test_uv_descent_comes_to_the_same_numbers(params):
    X = np.random.default_rng(1).normal(size=(6, 4)) + 5
    X[1, 2] = X[4, 0] = np.nan
    state, space = both("uv_descent", prepare(engine.Dataset.from_arrays(X)), seed=2, **params)
    assert np.allclose(space["U"], state.U) and np.allclose(space["V"], state.V)


LEARNERS = [
    "perceptron(threshold=learned, rounds=5)",
    "nearest_neighbours(k=1)",
    "logistic_regression(steps=50)",
]


@pytest.mark.parametrize("learner", LEARNERS)
def test_experiments_come_to_the_same_errors(learner):
    problem = points(40, seed=2)
    for params in ({}, {"scheme": "stratified"}, {"shuffle": False}, {"scheme": "leave-one-out"}):
        state, space = both("cross_validation", problem, seed=4, learner=learner, **params)
        assert space["errors"] == pytest.approx([e for e in state.errors if e == e])
    state, space = both("holdout", problem, seed=4, learner=learner, splits=5)
    assert [np.mean(found) for found in space["errors"].values()] == pytest.approx(
        [one.errors.mean for one in state.estimates]
    )
    state, space = both("learning_curve", problem, seed=4, learner=learner, sizes=5, trials=4)
    assert [m for m, _ in space["curve"]] == [one.size for one in state.points]
    assert [e for _, e in space["curve"]] == pytest.approx(
        [one.mean for one in state.points], nan_ok=True
    )


def test_a_learner_without_a_script_says_so():
    trace = engine.run("cross_validation", points(20), learner="tiling")
    with pytest.raises(EngineError, match="Tiling"):
        trace.script()
