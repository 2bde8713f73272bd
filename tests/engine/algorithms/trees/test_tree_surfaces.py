"""Trees over the plane: every place of a surface has the answer of its own row, however the trees
were grown.
"""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine.base.arrays import Float
from engine.base.grid import Grid
from engine.judge.surface import surface

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
        painted = surface(trace, "class", grid, at)
        assert painted.ravel().tolist() == said.tolist()


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
        assert surface(trace, "value", grid, at).ravel().tolist() == said.tolist()
