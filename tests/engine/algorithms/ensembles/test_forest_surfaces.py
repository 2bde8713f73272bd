"""The leaves of many trees over the plane: every place has the votes and the sums of its row."""

import numpy as np
import pytest

import engine
from engine.algorithms.ensembles.parts.forests import Leaves
from engine.algorithms.trees.parts.model import descend
from engine.base.grid import Grid
from engine.judge.surface import surface

GRIDS = [
    Grid(np.linspace(-2, 2, 23), np.linspace(-2, 2, 17)),
    Grid(np.array([-1.0, -0.9, 0.0, 3.0]), np.array([0.25])),  # steps of any size, one row
    Grid(np.array([5.0]), np.linspace(-9, 9, 7)),
]


def table(columns: int, words: bool) -> engine.Problem:
    """On whole and half numbers, so that places lie on edges; of more than two columns some are
    hidden.
    """
    rng = np.random.default_rng(3)
    X = np.round(2 * rng.normal(size=(80, columns))) / 2
    given = {f"x{j + 1}": X[:, j].tolist() for j in range(columns)}
    if words:
        given["word"] = rng.choice(["red", "green", "blue"], 80).tolist()
    given["class"] = [f"c{code}" for code in rng.integers(0, 3, 80)]
    return engine.prepare(engine.Dataset.from_columns(given, "class"))


@pytest.mark.parametrize(("columns", "words"), [(1, False), (2, False), (4, False), (2, True)])
@pytest.mark.parametrize("grid", GRIDS)
def test_each_place_has_the_votes_of_its_row(columns: int, words: bool, grid: Grid) -> None:
    trace = engine.run("bagging", problem := table(columns, words), members=7)
    said = trace.algorithm.predict(trace.given, trace[-1].state, problem.from_plane(grid.points()))
    painted = surface(trace, "class", grid)
    assert np.array_equal(painted, said.reshape(grid.shape))


@pytest.mark.parametrize("columns", [2, 3])
def test_each_place_has_the_sums_of_its_row(columns: int) -> None:
    problem = table(columns, False)
    grid = GRIDS[0]
    rates = [0.5, 0.25, 2.0, 1.0]
    trees = [
        m.tree for m in engine.run("gradient_boosting", problem, members=4)[-1].state.learners
    ][:4]
    trees = [trees[0], trees[1], trees[0], trees[2]]
    X = problem.from_plane(grid.points())
    summed, size = Leaves(problem).summed(trees, rates, grid, 2)
    said = [rate * tree.label[descend(tree, X)[0]] for rate, tree in zip(rates, trees, strict=True)]
    sums = np.stack([said[0] + said[2], said[1] + said[3]]).reshape(2, *grid.shape)
    assert summed == pytest.approx(sums, abs=1e-12 * max(1.0, size))
    assert size >= np.abs(said).sum(axis=0).max()
