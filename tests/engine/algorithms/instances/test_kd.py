"""k-d trees part every set of rows, whatever repeats in it (AIMA 18.8.2)."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.algorithms.instances.parts.kd import Guard, KdTree, plane_boxes, under
from engine.algorithms.instances.parts.kd_build import build
from engine.base.work import finished


def rows_of(seed: int, n: int, d: int, kind: str) -> np.ndarray:
    rng = np.random.default_rng(seed)
    if kind == "bits":
        return rng.integers(0, 2, (n, d)).astype(float)
    if kind == "grid":
        return rng.integers(-2, 3, (n, d)).astype(float)
    return rng.normal(size=(n, d))


kinds = st.sampled_from(["bits", "grid", "normal"])
cases = (
    st.integers(0, 10_000),
    st.integers(1, 40),
    st.integers(1, 4),
    kinds,
    st.booleans(),
    st.integers(1, 5),
)


def recursion(X: np.ndarray, rows: list[int], depth: int, widest: bool, leaf_size: int) -> object:
    """The same tree by plain recursion: a leaf is its rows, a test (column, value, left, right)."""
    d = X.shape[1]
    several = [j for j in range(d) if len(set(X[rows, j])) > 1]
    if len(rows) <= leaf_size or not several:
        return rows
    turn = sorted(several, key=lambda j: (j - depth) % d)[0]
    column = max(several, key=lambda j: (np.ptp(X[rows, j]), -j)) if widest else turn
    values = sorted(X[rows, column])
    m = values[(len(values) - 1) // 2]
    if m == values[-1]:
        m = max(v for v in values if v < m)
    left = [i for i in rows if X[i, column] <= m]
    right = [i for i in rows if X[i, column] > m]
    return column, m, *(recursion(X, side, depth + 1, widest, leaf_size) for side in (left, right))


def unfolded(tree: KdTree, node: int = 0) -> object:
    if tree.leaf(node):
        return tree.rows(node).tolist()
    children = (unfolded(tree, int(tree.left[node])), unfolded(tree, int(tree.right[node])))
    return int(tree.axis[node]), float(tree.split[node]), *children


@settings(deadline=None)
@given(*cases)
def test_is_the_tree_of_the_plain_recursion(
    seed: int, n: int, d: int, kind: str, widest: bool, leaf: int
) -> None:
    X = rows_of(seed, n, d, kind)
    assert unfolded(finished(build(X, widest, leaf))) == recursion(
        X, list(range(n)), 0, widest, leaf
    )


@settings(deadline=None)
@given(*cases)
def test_every_row_is_in_its_leaf(
    seed: int, n: int, d: int, kind: str, widest: bool, leaf: int
) -> None:
    tree = finished(build(rows_of(seed, n, d, kind), widest, leaf))
    leaves = [node for node in range(tree.size) if tree.leaf(node)]
    assert sorted(row for node in leaves for row in tree.rows(node).tolist()) == list(range(n))
    for node in leaves:
        for row in tree.rows(node).tolist():
            assert tree.leaf_with(row) == node


@settings(deadline=None)
@given(*cases)
def test_numbers_run_as_the_recursion_meets_the_nodes(
    seed: int, n: int, d: int, kind: str, widest: bool, leaf: int
) -> None:
    tree = finished(build(rows_of(seed, n, d, kind), widest, leaf))
    inner = np.flatnonzero(tree.axis >= 0)
    assert (tree.left[inner] == inner + 1).all()
    assert (tree.right[inner] > tree.left[inner]).all()
    assert (tree.parent[tree.left[inner]] == inner).all()
    assert (tree.parent[tree.right[inner]] == inner).all()
    for node in range(tree.size):
        below = [v for v in range(tree.size) if node in tree.way_to(v)]
        assert np.flatnonzero(under(tree, node)).tolist() == below


@settings(deadline=None)
@given(*cases)
def test_every_row_is_found_again(
    seed: int, n: int, d: int, kind: str, widest: bool, leaf: int
) -> None:
    X = rows_of(seed, n, d, kind)
    tree = finished(build(X, widest, leaf))
    for i, x in enumerate(X):
        assert i in tree.rows(tree.leaf_of(x))


@settings(deadline=None)
@given(*cases)
def test_boxes_of_the_leaves_hold_their_rows(
    seed: int, n: int, d: int, kind: str, widest: bool, leaf: int
) -> None:
    X = rows_of(seed, n, 2, kind)
    tree = finished(build(X, widest, leaf))
    bounds = plane_boxes(tree, (0, 1))
    for node in range(tree.size):
        low, high = bounds[node, :2], bounds[node, 2:]
        inside = ((low < X) | np.isneginf(low)).all(1) & (high >= X).all(1)
        assert np.flatnonzero(inside).tolist() == tree.rows(node).tolist()


def test_identical_rows_end_in_one_leaf() -> None:
    tree = finished(build(np.ones((9, 3)), widest=False, leaf_size=1))
    assert tree.size == 1
    assert tree.guard[0] == Guard.IDENTICAL


def test_a_median_that_is_the_largest_is_lowered() -> None:
    tree = finished(build(np.array([[1.0], [2.0], [2.0], [2.0]]), widest=False, leaf_size=1))
    assert tree.split[0] == 1
    assert tree.guard[0] == Guard.LOWERED


def test_a_column_with_one_value_is_passed_over() -> None:
    tree = finished(build(np.array([[5.0, 1.0], [5.0, 2.0]]), widest=False, leaf_size=1))
    assert tree.axis[0] == 1
    assert tree.guard[0] == Guard.NEXT_AXIS


@pytest.mark.parametrize("size", [1e150, 1e-150])
def test_extreme_numbers(size: float) -> None:
    tree = finished(
        build(np.array([[size, -size], [-size, size], [size / 10, 0.0]]), widest=True, leaf_size=1)
    )
    assert (tree.axis < 0).sum() == 3
