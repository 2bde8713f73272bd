"""Bagging and the random forest at their end: every tree has its name, a row its votes, the columns
their importance.
"""

from math import log2
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.tree import DecisionTreeClassifier

import engine
from engine.algorithms.ensembles.parts.bag_words import numbered
from engine.base.tags import column_tag
from engine.protocol.step import Level, Pace
from engine.scene.scene import Bars, Tree

KEYS = ("bagging", "random_forest")
each = pytest.mark.parametrize("key", KEYS)


def figure(trace: Any, step: int, name: str) -> Any:
    """The figure of this name in the picture of a step, None where it has none."""
    scene = trace.algorithm.scene(trace.given, trace[step])
    return next((one for one in scene.figures if one.title.split(":")[0] == name), None)


def heads(tree: Tree) -> list[str]:
    return [node.text for node in tree.nodes if node.parent < 0]


@each
def test_the_tree_that_is_shown_is_named(key: str) -> None:
    trace = engine.run(key, engine.textbook("restaurant"), members=5)
    names = set[str]()
    for k, step in enumerate(trace):
        shown = figure(trace, k, "Tree")
        if step.line == "return":
            assert heads(shown) == [f"tree {b}" for b in range(1, 6)]
        elif shown is not None:
            number = (
                step.state.round if step.state.learner is not None else len(step.state.learners)
            )
            assert heads(shown) == [f"tree {number} of 5"]
            names.update(heads(shown))
    assert len(names) == 5, "each was shown in its round"


@each
def test_all_the_trees_stand_beside_each_other_as_they_were_grown(key: str) -> None:
    trace = engine.run(key, engine.textbook("restaurant"), members=4)
    nodes = figure(trace, -1, "Tree").nodes
    trees = trace[-1].state.learners
    assert len(nodes) == sum(len(tree.parent) + 1 for tree in trees)
    assert [k for k, node in enumerate(nodes) if node.parent >= k] == []
    at = 0
    for tree in trees:
        own = nodes[at + 1 : at + 1 + len(tree.parent)]
        assert [node.parent - at - 1 for node in own] == tree.parent.tolist()
        assert [node.kind == "test" for node in own] == (tree.column >= 0).tolist()
        at += len(own) + 1


@each
def test_of_very_many_trees_each_shows_its_top_and_counts_the_rest(key: str) -> None:
    data = engine.generate("moons", 200, noise=0.4, seed=1)
    trace = engine.run(key, data, members=150, pace=Pace(Level.ROUND))
    nodes = figure(trace, -1, "Tree").nodes
    grown = sum(len(tree.parent) + 1 for tree in trace[-1].state.learners)
    assert len(nodes) < grown == len(nodes) + sum(node.below for node in nodes)
    assert len(heads(figure(trace, -1, "Tree"))) == 150


@each
def test_the_votes_of_a_row_are_shown_tree_by_tree_and_its_ways_are_drawn(key: str) -> None:
    data = engine.textbook("restaurant")
    trace = engine.run(key, data, members=7)
    nodes = figure(trace, -1, "Tree").nodes
    last = trace[-1].state
    for x, name in zip(trace.problem.X, trace.problem.names, strict=True):
        answer = trace.algorithm.explain(trace.given, last, x)
        votes = {
            c: [b + 1 for b, tree in enumerate(last.learners) if said(tree, x) == c] for c in (0, 1)
        }
        facts = {fact.caption: fact.text for fact in answer.note.facts}
        expected = {
            trace.problem.classes[c]: f"said by {numbered('tree', np.array(v))}"
            for c, v in votes.items()
            if v
        }
        assert facts == expected, name
        ends = [nodes[k] for k in answer.path if nodes[k].kind == "leaf" and nodes[k].parent >= 0]
        assert len(ends) == 7 and [end.group for end in ends].count(0) == len(votes[0])
        assert all(nodes[k].parent < 0 or nodes[k].parent in answer.path for k in answer.path)
    assert trace.algorithm.explain(trace.given, trace[3].state, trace.problem.X[0]).path == (), (
        "one tree alone is shown there"
    )


def said(tree: Any, x: np.ndarray) -> int:
    """The class at the leaf, followed by hand."""
    node = 0
    while tree.column[node] >= 0:
        value = x[tree.column[node]]
        point = tree.point[node]
        branch = int(value) if np.isnan(point) else int(value > point)
        node = int(tree.first[node]) + branch
    return int(tree.label[node])


@pytest.mark.parametrize(
    ("numbers", "text"),
    [
        ([4], "tree 4"),
        ([1, 2], "trees 1, 2"),
        ([1, 2, 3, 5], "trees 1–3, 5"),
        ([2, 4, 6], "trees 2, 4, 6"),
    ],
)
def test_numbers_in_a_row_are_a_range(numbers: list[int], text: str) -> None:
    assert numbered("tree", np.array(numbers)) == text


def importance(bars: Bars) -> dict[str, float]:
    return dict(zip(bars.labels, bars.values.tolist(), strict=True))


@each
def test_the_importance_is_the_entropy_that_the_tests_take_away(key: str) -> None:
    """Added up by hand from the copies at every node."""
    trace = engine.run(key, engine.textbook("restaurant"), members=6)
    expected = dict.fromkeys((feature.name for feature in trace.problem.features), 0.0)
    for tree in trace[-1].state.learners:
        whole = tree.totals[0].sum()
        for node in np.flatnonzero(tree.column >= 0):
            parts = tree.totals[list(tree.children(node))]
            lost = bits(tree.totals[node]) - sum(map(bits, parts))
            expected[trace.problem.features[tree.column[node]].name] += lost / whole / 6
    bars = figure(trace, -1, "Importance")
    assert importance(bars) == pytest.approx(expected, abs=1e-9)
    assert bars.values.tolist() == sorted(bars.values.tolist(), reverse=True)
    assert bars.tags == tuple(column_tag(name) for name in bars.labels) and bars.unit == "bits"


def bits(counts: np.ndarray) -> float:
    """How many bits all the labels at a node together need."""
    return -sum(c * log2(c / counts.sum()) for c in counts.tolist() if c)


@given(st.integers(0, 10_000))
@settings(max_examples=15, deadline=None)
def test_the_importance_by_gini_is_that_of_scikit_learn(seed: int) -> None:
    """One tree on one bag: with the same copies scikit-learn's takes the same impurity away."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(40, 3))
    y = (X[:, 0] + 0.5 * rng.normal(size=40) > 0).astype(int)
    data = engine.Dataset.from_arrays(X, [("a", "b")[k] for k in y])
    trace = engine.run("bagging", data, members=1, importance="gini", depth=1, seed=seed)
    tree = DecisionTreeClassifier(max_depth=1).fit(X, y, sample_weight=trace[-1].state.bags[0])
    bars = figure(trace, -1, "Importance")
    assert bars.values.sum() == pytest.approx(
        tree.tree_.compute_feature_importances(normalize=False).sum()
    )
    assert bars.unit == ""


def test_there_is_no_importance_before_the_first_tree_votes() -> None:
    trace = engine.run("bagging", engine.textbook("restaurant"), members=2)
    assert figure(trace, 0, "Importance") is None and figure(trace, 0, "Tree") is None
