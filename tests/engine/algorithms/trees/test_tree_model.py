"""Routing, missing values by weight, painting. AIMA 18.3.6."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.tree import DecisionTreeClassifier

import engine
from engine.algorithms.trees.parts import model as tree_model
from engine.algorithms.trees.parts.growth import Growth
from engine.base.grid import Grid
from engine.table.dataset import Feature, Kind
from tests.engine.algorithms.trees.grown import GAIN, grow, rule

A, B = Feature("a"), Feature("b")
WORD = Feature("w", Kind.CATEGORICAL, ("p", "q", "r"))
PLACES = st.lists(
    st.tuples(st.integers(0, 9), st.integers(0, 9), st.integers(0, 2)), min_size=2, max_size=40
)


def grown(data, growth=Growth(GAIN)):
    table = np.array(data)
    return (
        table[:, :2].astype(float),
        table[:, 2],
        grow(table[:, :2].astype(float), (A, B), table[:, 2], None, 3, growth),
    )


def test_the_edge_of_a_value_of_both_classes_is_a_split_point() -> None:
    """A, A, then A and B at one value, then B: its lower edge lies between neighbours of one class
    at first sight.
    """
    X = np.array([[1.0], [2.0], [3.0], [3.0], [4.0]])
    tree = grow(X, (A,), np.array([0, 0, 0, 1, 1]), None, 2)
    assert tree.point[0] == 2.5
    assert tree.totals[[1, 2]].tolist() == [[2, 0], [1, 2]]
    assert np.isclose(tree.gain[0], 0.970951 - 0.6 * 0.918296, atol=1e-6)


def test_missing_value_is_divided_by_branch_frequency() -> None:
    """Three of four examples lie at a ≤ 1.5; a row without a is ¾ class 0 and ¼ class 1."""
    tree = grow(np.array([[0.0], [1.0], [1.0], [2.0]]), (A,), np.array([0, 0, 0, 1]), None, 2)
    assert tree_model.class_shares(tree, np.array([[np.nan]])).tolist() == [[0.75, 0.25]]
    assert tree_model.predict(tree, np.array([[np.nan], [2.0]])).tolist() == [0, 1]


def test_training_rows_without_the_value_go_down_all_branches() -> None:
    """Two known rows at each side: the fifth adds half an example to both."""
    X = np.array([[0.0], [0.0], [1.0], [1.0], [np.nan]])
    tree = grow(X, (A,), np.array([0, 0, 1, 1, 1]), None, 2)
    assert tree.totals[1:3].tolist() == [[2, 0.5], [0, 2.5]]
    tree = grow(X, (A,), np.array([0, 0, 1, 1, 1]), None, 2, Growth(GAIN, whole_part=np.inf))
    assert tree.totals[1:3].tolist() == [[2, 1], [0, 2]]


@settings(max_examples=60, deadline=None)
@given(PLACES, st.integers(0, 2**20))
def test_weights_of_a_row_sum_to_one(data, seed) -> None:
    X, _, tree = grown(data)
    rng = np.random.default_rng(seed)
    holes = np.where(rng.random(X.shape) < 0.4, np.nan, X)
    row, end, weight = tree_model.spread(tree, holes)
    assert np.bincount(row, weight, len(X)) == pytest.approx(np.ones(len(X)))
    assert (tree.column[end] < 0).all()
    for node in tree.ends:
        assert tree_model.members(tree, int(node), holes) == pytest.approx(
            np.bincount(row[end == node], weight[end == node], len(X))
        )
    assert tree_model.class_shares(tree, holes).sum(1) == pytest.approx(np.ones(len(X)))


@settings(max_examples=40, deadline=None)
@given(PLACES, st.integers(0, 2**20))
def test_fractions_in_training_keep_the_total_weight(data, seed) -> None:
    table = np.array(data)
    rng = np.random.default_rng(seed)
    X = np.where(rng.random((len(table), 2)) < 0.3, np.nan, table[:, :2])
    tree = grow(X, (A, B), table[:, 2], None, 3)
    assert tree.totals[tree.ends].sum() == pytest.approx(len(table))
    for node in np.flatnonzero(tree.column >= 0):
        assert tree.totals[list(tree.children(int(node)))].sum(0) == pytest.approx(
            tree.totals[node]
        )


@settings(max_examples=60, deadline=None)
@given(PLACES)
def test_painted_surface_equals_prediction(data) -> None:
    X, codes, tree = grown(data)
    problem = engine.prepare(engine.Dataset.from_arrays(X, codes))
    grid = Grid(np.linspace(-1, 10, 23), np.linspace(-2, 11, 17))
    painted = tree_model.paint(tree, problem, grid, tree.label)
    assert (
        painted.ravel().tolist()
        == tree_model.predict(tree, problem.from_plane(grid.points())).tolist()
    )


def test_painting_holds_hidden_columns_at_the_anchor() -> None:
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.normal(size=(80, 3)), rng.integers(0, 3, 80)])
    codes = ((X[:, 0] * X[:, 2] > 0) ^ (X[:, 3] == 1)).astype(int)
    features = (A, B, Feature("c"), WORD)
    columns = {
        f.name: X[:, j] if f.numeric else [f.categories[int(v)] for v in X[:, j]]
        for j, f in enumerate(features)
    }
    problem = engine.prepare(
        engine.Dataset.from_columns({**columns, "y": codes}, target="y"), plane=("c", "a")
    )
    tree = grow(problem.X, problem.features, problem.codes, None, 2)
    grid = Grid(np.linspace(-2, 2, 31), np.linspace(-2, 2, 29))
    painted = tree_model.paint(tree, problem, grid, tree.label)
    assert (
        painted.ravel().tolist()
        == tree_model.predict(tree, problem.from_plane(grid.points())).tolist()
    )


def test_class_borders_separate_the_classes() -> None:
    """Four boxes of XOR around (½, ½): four pieces meet there."""
    tree = grow(
        np.array([[0.0, 0], [0, 1], [1, 0], [1, 1]]), (A, B), np.array([0, 1, 1, 0]), None, 2
    )
    problem = engine.prepare(
        engine.Dataset.from_arrays([[0.0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0])
    )
    ends, bounds = tree_model.boxes(tree, problem)
    pieces = tree_model.class_borders(bounds, tree.label[ends])
    assert len(pieces) == 4
    assert all((piece == 0.5).all(axis=1).any() for piece in pieces)


@pytest.mark.parametrize(("name", "criterion"), [("gain", "entropy"), ("gini", "gini")])
def test_agrees_with_scikit_learn(name, criterion) -> None:
    """Same root, and on distinct points the same answers for the training rows; three classes."""
    for seed in range(5):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(300, 2)).astype(np.float32).astype(float)
        codes = (X[:, 0] + X[:, 1] ** 2 + 0.3 * rng.normal(size=300) > 0.5).astype(int) + (
            X[:, 1] > 1
        )
        tree = grow(X, (A, B), codes, None, 3, Growth(rule(name)))
        peer = DecisionTreeClassifier(criterion=criterion, random_state=0).fit(X, codes)
        assert tree.column[0] == peer.tree_.feature[0]
        assert tree.point[0] == pytest.approx(peer.tree_.threshold[0], abs=1e-5)
        assert (tree_model.predict(tree, X) == peer.predict(X)).all()
        fresh = rng.normal(size=(2000, 2))
        assert (tree_model.predict(tree, fresh) == peer.predict(fresh)).mean() > 0.93
        shallow = grow(X, (A, B), codes, None, 3, Growth(rule(name), stop="depth", limit=3))
        peer = DecisionTreeClassifier(criterion=criterion, random_state=0, max_depth=3).fit(
            X, codes
        )
        assert (tree_model.predict(shallow, fresh) == peer.predict(fresh)).mean() == 1


def test_weighted_rows_agree_with_copies_and_with_scikit_learn() -> None:
    rng = np.random.default_rng(3)
    X = rng.normal(size=(60, 2))
    codes = rng.integers(0, 2, 60)
    weight = rng.integers(0, 4, 60)
    growth = Growth(GAIN, stop="depth", limit=3)
    weighted = grow(X, (A, B), codes, weight.astype(float), 2, growth)
    copied = grow(np.repeat(X, weight, axis=0), (A, B), np.repeat(codes, weight), None, 2, growth)
    assert weighted.column.tolist() == copied.column.tolist()
    assert weighted.totals == pytest.approx(copied.totals)
    assert np.nan_to_num(weighted.point) == pytest.approx(np.nan_to_num(copied.point))
    small = weight / weight.sum()
    peer = DecisionTreeClassifier(criterion="entropy", max_depth=1).fit(
        X, codes, sample_weight=small
    )
    stump = grow(X, (A, B), codes, small, 2, Growth(GAIN, stop="depth", limit=1))
    assert stump.point[0] == pytest.approx(peer.tree_.threshold[0], abs=1e-5)
    assert (tree_model.predict(stump, X) == peer.predict(X)).all()


@settings(max_examples=60, deadline=None)
@given(PLACES, st.sampled_from(["gain", "ratio", "gini"]), st.sampled_from(["first", "random"]))
def test_full_tree_makes_no_error_on_consistent_data(data, importance, ties) -> None:
    unique = list({(a, b): (a, b, c) for a, b, c in data}.values())
    X, codes, tree = grown(unique, Growth(rule(importance), ties=ties))
    assert (tree_model.predict(tree, X) == codes).all()
    assert len(np.unique(tree.why)) >= 1


def test_too_many_words_are_refused_in_a_sentence() -> None:
    crowd = Feature("id", Kind.CATEGORICAL, tuple(f"n{i}" for i in range(1001)))
    X = np.arange(10.0)[:, None]
    codes = np.arange(10) % 2
    with pytest.raises(engine.EngineError, match="1001 different words"):
        grow(X, (crowd,), codes, None, 2)
    tree = grow(X, (crowd,), codes, None, 2, Growth(rule(most_branches=2)))
    assert (tree_model.predict(tree, X) == codes).all()
