"""What pictures of trees find once for a whole run is what each of its moments says by itself."""

import numpy as np
import pytest

import engine
from engine.algorithms.instances.parts import kd_picture
from engine.algorithms.trees.parts import pictures
from engine.algorithms.trees.parts.model import members, predict
from engine.algorithms.trees.parts.pictures import members_of, own_labels, passed, view_of
from engine.protocol.step import Level, Pace
from engine.scene.scene import Tree as TreeFigure
from engine.scene.scene import TreeNode
from engine.sources.generators import generate
from engine.sources.textbook import textbook
from engine.table.dataset import Dataset


def gappy() -> Dataset:
    rng = np.random.default_rng(3)
    X = rng.normal(size=(60, 2))
    y = (X[:, 0] * X[:, 1] > 0).astype(int)
    X[::7, 0] = np.nan
    return Dataset.from_arrays(X, y)


@pytest.mark.parametrize("params", [{}, {"prune": "chi2"}])
@pytest.mark.parametrize(
    "data",
    [generate("moons", n=60, noise=0.4), textbook("restaurant"), gappy()],
    ids=["plane", "names", "gaps"],
)
def test_the_ways_of_the_examples_hold_at_every_moment(
    data: Dataset, params: dict[str, str]
) -> None:
    trace = engine.run("decision_tree", data, pace=Pace(Level.DETAIL), **params)
    problem = trace.problem
    for step in trace:
        view = view_of(step)
        assert (own_labels(view.tree, problem) == predict(view.tree, problem.X)).all()
        if view.current >= 0:
            expected = members(view.tree, view.current, problem.X) > 0
            assert (members_of(view.tree, view.current, problem) == expected).all()


def test_very_many_ways_are_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    trace = engine.run("decision_tree", generate("moons", n=60, noise=0.4))
    monkeypatch.setattr(pictures, "MOST_PASSED", 100)
    tree = trace[-1].state.tree
    problem = trace.problem
    assert passed(tree, problem) is None
    assert (own_labels(tree, problem) == predict(tree, problem.X)).all()


NOISE = np.random.default_rng(0).normal(size=(900, 2))


def grown_large(key: str) -> tuple[engine.Trace, list[TreeNode]]:
    """A tree of more nodes than its figure is given, and those that it is."""
    by_chance = np.random.default_rng(1).integers(0, 2, len(NOISE))
    target = by_chance.astype(float) if key == "regression_tree" else by_chance
    data = Dataset.from_arrays(
        NOISE, target, task="regress" if key == "regression_tree" else "classify"
    )
    trace = engine.run(key, data, pace=Pace(Level.ROUND))
    figures = trace.algorithm.scene(trace.given, trace[-1]).figures
    return trace, list(next(f for f in figures if isinstance(f, TreeFigure)).nodes)


@pytest.mark.parametrize("key", ["decision_tree", "regression_tree", "kd_tree"])
def test_a_figure_knows_how_many_nodes_it_was_not_given(key: str) -> None:
    trace, nodes = grown_large(key)
    tree = trace[-1].state.tree
    whole = tree.size if key == "kd_tree" else int(tree.alive.sum())
    assert whole > len(nodes) > 20
    assert len(nodes) + sum(node.below for node in nodes) == whole
    parents = {node.parent for node in nodes}
    for k, node in enumerate(nodes):
        assert (node.kind == "test" and k not in parents) == bool(node.below)
        assert not node.below or f"{node.below} node" in node.note


def test_a_k_d_tree_that_is_not_built_yet_tells_of_no_node_to_come() -> None:
    """Every node has two children or none, so 2 known + 1 is all there can be."""
    trace, _ = grown_large("kd_tree")
    tree = trace[-1].state.tree
    for known in (1, 5, 60, tree.size):
        count = kd_picture.nodes_below(tree, known, 0)
        assert count == 2 * int(np.count_nonzero(tree.axis[:known] >= 0))
