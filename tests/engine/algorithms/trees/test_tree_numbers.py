"""One loop for the whole tree, in plain Python and compiled, and whole levels at once make one and
the same tree, to the last bit.
"""

from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.algorithms.trees.decision_tree import fast
from engine.algorithms.trees.parts.entries import Examples
from engine.algorithms.trees.parts.growth import Growth
from engine.algorithms.trees.parts.levels import root
from engine.algorithms.trees.parts.model import Tree
from engine.algorithms.trees.parts.splits import Rule
from engine.core.arrays import Float, Int
from engine.core.dataset import Feature, Kind
from engine.core.records import field_names
from engine.numerics.compiled import Loop
from tests.engine.algorithms.trees.grown import grow

STOPS = [
    ("pure", 0.0),
    ("no-gain", 0.0),
    ("no-gain", 0.1),
    ("size", 4.0),
    ("depth", 0.0),
    ("depth", 3.0),
]


def grown(X: Float, codes: Int, classes: int, growth: Growth, grown_by: Any) -> Tree:
    """grown_by: the loop, or None for levels."""
    features = tuple(Feature(f"x{j}") for j in range(X.shape[1]))
    with patch.object(Loop, "compiled_for", return_value=grown_by):
        return grow(X, features, codes, None, classes, growth)


def same(a: Tree, b: Tree) -> bool:
    names = [name for name in field_names(Tree) if name not in ("whole", "memo")]
    return all(
        np.array_equal(u, v, equal_nan=u.dtype.kind == "f") and u.dtype == v.dtype
        for u, v in ((getattr(a, name), getattr(b, name)) for name in names)
    )


@pytest.mark.slow
@given(
    st.integers(0, 10_000),
    st.integers(1, 80),
    st.integers(1, 3),
    st.integers(1, 4),
    st.sampled_from([2, 5, 1000]),
    st.sampled_from(STOPS),
    st.booleans(),
)
def test_both_ways_make_the_same_tree(
    seed: int, n: int, d: int, classes: int, values: int, stop: tuple[str, float], every: bool
) -> None:
    rng = np.random.default_rng(seed)  # few values: many twins of different class
    X = rng.integers(0, values, (n, d)) / 7
    codes = rng.integers(-1, classes, n)
    codes[0] = 0
    growth = Growth(Rule(every_midpoint=every), stop=stop[0], limit=stop[1])
    by_levels = grown(X, codes, classes, growth, None)
    assert same(by_levels, grown(X, codes, classes, growth, fast.whole_tree.plain))
    assert same(by_levels, grown(X, codes, classes, growth, fast.whole_tree.compiled()))


def test_the_edge_of_a_value_of_both_classes_is_a_split_point() -> None:
    """A, A, then A and B at one value, then B: its lower edge lies between neighbours of one class
    at first sight.
    """
    X = np.array([[1.0], [2.0], [3.0], [3.0], [4.0]])
    for grown_by in (None, fast.whole_tree.plain):
        tree = grown(X, np.array([0, 0, 0, 1, 1]), 2, Growth(), grown_by)
        assert tree.point[0] == 2.5
        assert tree.totals[[1, 2]].tolist() == [[2, 0], [1, 2]]
        assert np.isclose(tree.gain[0], 0.970951 - 0.6 * 0.918296, atol=1e-6)


def test_words_gaps_and_weights_are_left_to_the_levels() -> None:
    numbers, words = Feature("x"), Feature("w", Kind.CATEGORICAL, ("a", "b"))
    X, codes = np.array([[0.0], [1.0], [1.0]]), np.array([0, 1, 0])
    plain = Examples.of(X, (numbers,), codes, 2)
    assert fast.takes(root(plain, Growth(), None).level)
    for growth in (Growth(Rule("ratio")), Growth(ties="random"), Growth(stop="nodes", limit=3)):
        assert not fast.takes(root(plain, growth, None).level)
    assert not fast.takes(root(plain, Growth(), np.array([1.0, 2, 1])).level)
    for table in (
        Examples.of(X, (words,), codes, 2),
        Examples.of(np.array([[0], [np.nan], [1]]), (numbers,), codes, 2),
    ):
        assert not fast.takes(root(table, Growth(), None).level)
