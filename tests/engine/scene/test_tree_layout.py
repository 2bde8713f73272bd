"""Tidy trees, by the properties that make them tidy."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.scene.tree_layout import (
    LABEL_AT,
    LABEL_GAP,
    SIBLING_GAP,
    children_of,
    depths,
    preorder,
    tidy,
)


@st.composite
def trees(draw):
    """(parents, left, right, labels) of up to 60 nodes."""
    count = draw(st.integers(1, 60))
    parents = [-1, *(draw(st.integers(0, k - 1)) for k in range(1, count))]
    sizes = st.floats(5, 120)
    left, right = ([draw(sizes) for _ in range(count)] for _ in range(2))
    labels = [draw(st.floats(0, 80)) for _ in range(count)]
    return parents, left, right, labels


def rows(parents):
    found: dict[int, list[int]] = {}
    for node, depth in enumerate(depths(parents)):
        found.setdefault(depth, []).append(node)
    return found.values()


@pytest.mark.slow
@settings(deadline=None)
@given(trees())
def test_nodes_of_a_row_keep_their_distance(tree):
    parents, left, right, labels = tree
    x = tidy(parents, left, right, labels)
    for row in rows(parents):
        for a, b in pairwise(sorted(row, key=lambda node: x[node])):
            assert x[a] + right[a] + SIBLING_GAP <= x[b] - left[b] + 1e-6


@pytest.mark.slow
@settings(deadline=None)
@given(trees())
def test_branch_labels_do_not_overlap(tree):
    parents, left, right, labels = tree
    x = tidy(parents, left, right, labels)
    for row in rows(parents):
        named = [n for n in row if parents[n] >= 0 and labels[n] > 0]
        ends = sorted(
            (x[p] + LABEL_AT * (x[n] - x[p]), labels[n]) for n in named for p in [parents[n]]
        )
        for (a, wide_a), (b, wide_b) in pairwise(ends):
            assert a + wide_a / 2 <= b - wide_b / 2 + 1e-6


@pytest.mark.slow
@settings(deadline=None)
@given(trees())
def test_parents_stand_over_the_middle_and_order_is_kept(tree):
    parents, left, right, labels = tree
    x = tidy(parents, left, right, labels)
    for node, kids in enumerate(children_of(parents)):
        if kids:
            assert x[node] == pytest.approx((x[kids[0]] + x[kids[-1]]) / 2)
            assert [x[k] for k in kids] == sorted(x[k] for k in kids)


@pytest.mark.slow
@settings(deadline=None)
@given(trees())
def test_a_subtree_has_the_same_shape_wherever_it_hangs(tree):
    parents, left, right, labels = tree
    x = tidy(parents, left, right, labels)
    twice = [
        -1,
        *(0 if p < 0 else p + 1 for p in parents),
        *(0 if p < 0 else p + 1 + len(parents) for p in parents),
    ]
    y = tidy(twice, [5, *left, *left], [5, *right, *right], [0, *labels, *labels])
    first, second = y[1 : len(parents) + 1], y[len(parents) + 1 :]
    for k in range(len(parents)):
        assert first[k] - first[0] == pytest.approx(x[k])
        assert second[k] - second[0] == pytest.approx(x[k])


def test_a_small_tree_by_hand():
    """Three leaves of half-width 10 under a root: centres 38 apart, the root over the
    middle one.
    """
    x = tidy([-1, 0, 0, 0], [10] * 4, [10] * 4, [0] * 4)
    assert x == [0, -38, 0, 38]
    wide = tidy([-1, 0, 0], [10] * 3, [10] * 3, [0, 60, 60])
    assert wide[2] - wide[1] == pytest.approx((60 + LABEL_GAP) / LABEL_AT)


@pytest.mark.slow
def test_a_chain_of_two_thousand_and_a_fan_of_two_thousand():
    chain = [k - 1 for k in range(2000)]
    assert tidy(chain, [5] * 2000, [5] * 2000, [0] * 2000) == [0.0] * 2000
    fan = tidy([-1] + [0] * 2000, [5] * 2001, [5] * 2001, [0] * 2001)
    assert fan[2000] - fan[1] == 1999 * (10 + SIBLING_GAP)


def test_a_forest_stands_side_by_side_and_nothing_is_nothing():
    assert tidy([-1, -1], [10, 10], [10, 10], [0, 0]) == [0, 20 + SIBLING_GAP]
    assert tidy([], [], [], []) == []


def test_reading_order():
    assert preorder([-1, 0, 0, 1, 1, 2]) == [0, 1, 3, 4, 2, 5]
