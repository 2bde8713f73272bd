"""The leaves of trees marked over the plane in one loop: every place has the answer of its own row,
however the trees were grown.
"""

from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine.algorithms.trees.parts.marks import marked
from engine.algorithms.trees.parts.model import Tree, predict
from engine.core.arrays import Float
from engine.core.grid import Grid
from engine.evaluation.surface import surface
from engine.numerics.compiled import Loop

WAYS = {
    "numpy": lambda body, turns: None,
    "plain": lambda body, turns: body.plain,
    "compiled": lambda body, turns: body.compiled(),
}
TREES: list[tuple[str, dict[str, object]]] = [
    ("decision_tree", {}), ("decision_tree", {"prune": "chi2", "significance": 0.4}),
    ("decision_tree", {"subset_tests": True, "missing": "largest branch"}),
    ("decision_tree", {"stop": "nodes", "nodes": 6}), ("bagging", {"members": 4}), ("random_forest",
    {"members": 4}),
    ("gradient_boosting", {"members": 4, "depth": 3}),
]  # fmt: skip


def table(rng: np.random.Generator, columns: int, words: bool, gaps: bool) -> engine.Problem:
    """On whole and half numbers, so that places lie on edges; of more than two columns some are
    hidden.
    """
    n = int(rng.integers(12, 70))
    X = np.round(2 * rng.normal(size=(n, columns))) / 2
    X[(rng.random(X.shape) < 0.15) & gaps & (np.arange(n) > 3)[:, None]] = np.nan
    known: dict[str, object] = {f"x{j + 1}": X[:, j].tolist() for j in range(columns)}
    if words:
        known["word"] = rng.choice(["red", "green", "blue", "none"], n).tolist()
    known["class"] = [f"c{code}" for code in [0, 1, *rng.integers(0, 3, n - 2)]]
    return engine.prepare(engine.Dataset.from_columns(known, "class"))


def some_grid(rng: np.random.Generator) -> Grid:
    """Of equal steps, or any, from one place on, also where no example is."""

    def places() -> Float:
        many = int(rng.integers(1, 24))
        if rng.random() < 0.5:
            return np.linspace(-3, 3, many)
        return np.unique(np.round(4 * rng.standard_cauchy(many)) / 4)

    return Grid(places(), places())


@pytest.mark.slow
@pytest.mark.parametrize(("key", "params"), TREES)
@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 4), st.booleans(), st.booleans())
def test_each_place_has_the_class_of_its_row_at_every_step(
    key: str, params: dict[str, object], seed: int, columns: int, words: bool, gaps: bool
) -> None:
    rng = np.random.default_rng(seed)
    problem = table(rng, columns, words, gaps and key == "decision_tree")
    grid = some_grid(rng)
    trace = engine.run(key, problem, **params)
    for at in {*rng.integers(0, len(trace), 5).tolist(), len(trace) - 1}:
        said = trace.algorithm.predict(
            trace.given, trace[at].state, problem.from_plane(grid.points())
        )
        for way, body_of in WAYS.items():
            with patch.object(Loop, "compiled_for", body_of):
                told = surface(trace, "class", grid, at)
            assert told.ravel().tolist() == said.tolist(), way


@pytest.mark.slow
@pytest.mark.parametrize("leaf", ["constant", "linear"])
@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 3))
def test_each_place_has_the_value_of_its_row_at_every_step(
    leaf: str, seed: int, columns: int
) -> None:
    rng = np.random.default_rng(seed)
    X = np.round(2 * rng.normal(size=(40, columns))) / 2
    grid = some_grid(rng)
    known = {f"x{j + 1}": X[:, j].tolist() for j in range(columns)} | {
        "y": rng.normal(size=40).tolist()
    }
    problem = engine.prepare(engine.Dataset.from_columns(known, "y"))
    trace = engine.run("regression_tree", problem, leaf=leaf)
    for at in {*rng.integers(0, len(trace), 5).tolist(), len(trace) - 1}:
        state = trace[at].state
        said = (
            trace.algorithm.predict(trace.given, state, problem.from_plane(grid.points()))
            - state.tree.label[0]
        )
        for way, body_of in WAYS.items():
            with patch.object(Loop, "compiled_for", body_of):
                told = surface(trace, "value", grid, at)
            assert told.ravel().tolist() == said.tolist(), way


def random_tree(rng: np.random.Generator, problem: engine.Problem, size: int) -> Tree:
    """Of tests that nobody learnt: empty leaves, several times the same point, words parted in any
    way.
    """
    parent, first, column, point, width = [-1], [-1], [-1], [np.nan], [0]
    for node in rng.integers(0, size, 2 * size).tolist():
        if node >= len(parent) or first[node] >= 0:
            continue
        column[node], first[node] = int(rng.integers(problem.d)), len(parent)
        feature = problem.features[column[node]]
        whole = not feature.numeric and rng.random() < 0.5
        width[node] = len(feature.categories) if whole else 2
        named = np.nan if whole else float(rng.integers(len(feature.categories) or 1))
        point[node] = float(np.round(4 * rng.normal()) / 2) if feature.numeric else named
        for each, told in zip(
            (parent, first, column, point, width), (node, -1, -1, np.nan, 0), strict=True
        ):
            each += [told] * width[node]  # type: ignore[operator]
    n = len(parent)
    none = np.zeros(n, np.intp)
    nominal = np.array([not f.numeric for f in problem.features])
    return Tree(
        np.array(parent),
        none,
        none,
        none,
        np.array(column),
        np.array(point),
        np.array(first),
        np.array(width),
        np.ones((n, 3)),
        rng.integers(0, 3, n),
        none > 0,
        np.zeros(n),
        none,
        nominal,
        none == 0,
    )


@pytest.mark.parametrize("way", ["plain", pytest.param("compiled", marks=pytest.mark.slow)])
@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 4), st.booleans())
def test_any_trees_have_the_votes_and_sums_of_each_row(
    way: str, seed: int, columns: int, words: bool
) -> None:
    rng = np.random.default_rng(seed)
    problem = table(rng, columns, words, False)
    grid = some_grid(rng)
    trees = [random_tree(rng, problem, int(rng.integers(1, 30))) for _ in range(rng.integers(1, 5))]
    labels = [tree.label for tree in trees]
    rates = rng.integers(-3, 4, len(trees)) / 4
    X = problem.from_plane(grid.points())
    with patch.object(Loop, "compiled_for", WAYS[way]):
        votes, sums = (
            marked(trees, labels, problem, grid, 3),
            marked(trees, labels, problem, grid, 2, rates),
        )
    assert votes is not None
    assert sums is not None
    said = np.stack([predict(tree, X) for tree in trees])
    assert np.array_equal(votes[0].reshape(3, -1), [(said == c).sum(0) for c in range(3)])
    added = (rates[:, None] * said).reshape(len(trees), -1)
    # quarters add up exactly
    assert np.array_equal(sums[0].reshape(2, -1), [added[k::2].sum(0) for k in range(2)])
    assert sums[1] >= np.abs(added).sum(0).max(initial=0.0)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 3))
def test_marked_by_the_compiler_and_plainly_it_is_the_same_to_the_last_bit(
    seed: int, columns: int
) -> None:
    rng = np.random.default_rng(seed)
    problem = table(rng, columns, True, False)
    grid = some_grid(rng)
    trees = [random_tree(rng, problem, 20) for _ in range(4)]
    values = [rng.normal(size=len(tree.label)) for tree in trees]
    rates = rng.normal(size=4)
    found = []
    for way in ("plain", "compiled"):
        with patch.object(Loop, "compiled_for", WAYS[way]):
            told = marked(trees, values, problem, grid, 2, rates)
            assert told is not None
            found.append((told[0].tolist(), told[1]))
    assert found[0] == found[1]
