"""Distances against scipy, and the edge cases of AIMA 18.8.1."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.spatial.distance import cdist
from sklearn.preprocessing import StandardScaler

from engine.base.errors import EngineError
from engine.numerics.closeness import tidy
from engine.numerics.distances import (
    hamming_space,
    mahalanobis_space,
    minkowski_space,
    norm,
    spread,
    unit_ball,
)

tables = st.integers(2, 4).flatmap(
    lambda d: arrays(np.float64, (6, d), elements=st.floats(-50, 50, width=32))
)


@given(tables, st.sampled_from([1.0, 1.5, 2.0, 3.0, 7.0, np.inf]))
def test_minkowski_agrees_with_scipy(X: np.ndarray, p: float) -> None:
    Z = minkowski_space(X, p).embed(X)
    expected = cdist(X, X, "chebyshev") if np.isinf(p) else cdist(X, X, "minkowski", p=p)
    assert np.allclose(minkowski_space(X, p).distance(Z[:, None], Z[None]), expected, atol=1e-12)


@pytest.mark.parametrize(
    ("p", "expected"), [(1, 7.0), (2, 5.0), (np.inf, 4.0), (3, 91 ** (1 / 3)), (1000, 4.0)]
)
def test_minkowski_by_hand(p: float, expected: float) -> None:
    space = minkowski_space(np.zeros((1, 2)), p)
    assert space.distance(np.array([3.0, 4.0]), np.zeros(2)) == pytest.approx(expected)


@pytest.mark.parametrize("size", [1e-200, 1e-160, 1e160, 1e200])
@pytest.mark.parametrize("p", [2.0, 3.0, 50.0])
def test_extreme_sizes_neither_vanish_nor_overflow(size: float, p: float) -> None:
    assert norm([np.array([size]), np.array([size])], p)[0] == pytest.approx(size * 2 ** (1 / p))
    assert norm([np.array([0.0, size]), np.array([0.0, 0.0])], p) == pytest.approx([0.0, size])


def test_a_distance_does_not_depend_on_its_company() -> None:
    a, b = np.array([0.3, 0.0, 1e-200]), np.array([0.7, 0.0, 1e-200])
    assert norm([a[:1], b[:1]], 2)[0] == norm([a, b], 2)[0]


def test_tidy_makes_equal_on_paper_equal() -> None:
    left, right = abs(0.1 - 0.3), abs(0.5 - 0.3)
    assert left != right
    assert tidy(np.array([left]))[0] == tidy(np.array([right]))[0]
    assert tidy(np.array([0.0, np.inf]))[1] == np.inf
    assert np.allclose(
        tidy(np.array([1 / 3, 1e300, 1e-300])), [1 / 3, 1e300, 1e-300], rtol=1e-9, atol=0
    )
    assert tidy(np.array([1.0]))[0] < tidy(np.array([1.000001]))[0]


@given(tables)
def test_normalising_standardises(X: np.ndarray) -> None:
    space = minkowski_space(X, 2.0, normalise=True)
    varied = (X[0] != X).any(0) & (X.std(0) > 1e-6)
    assert np.allclose(
        space.embed(X)[:, varied], StandardScaler().fit_transform(X)[:, varied], atol=1e-6
    )
    assert (space.embed(X)[:, (X == X[0]).all(0)] == 0).all()  # noqa: SIM300


def test_normalising_undoes_a_change_of_units() -> None:
    """AIMA 18.8.1: centimetres or miles change who is near, unless the columns are normalised."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(30, 2))
    miles = X * [1.0, 1e-5]
    plain, scaled = (minkowski_space(data) for data in (X, miles))
    assert (plain.distance(X, X[0]).argsort() != scaled.distance(miles, miles[0]).argsort()).any()
    normal, normal_miles = (minkowski_space(data, normalise=True) for data in (X, miles))
    near = normal.distance(normal.embed(X), normal.embed(X[:1]))
    near_miles = normal_miles.distance(normal_miles.embed(miles), normal_miles.embed(miles[:1]))
    assert np.allclose(near, near_miles)


def test_stretching_multiplies_axes_and_zero_leaves_one_out() -> None:
    """ML 8.2.2: multiply axis j by z_j; z_j = 0 eliminates the attribute."""
    X = np.array([[1.0, 100.0], [4.0, -50.0]])
    doubled, without = minkowski_space(X, 1, stretch=(2, 1)), minkowski_space(X, 1, stretch=(1, 0))
    assert doubled.distance(*doubled.embed(X)) == 2 * 3 + 150
    assert without.distance(*without.embed(X)) == 3
    assert without.embed(X).shape == (2, 1)


@pytest.mark.parametrize(
    ("stretch", "words"),
    [((1.0,), "one factor"), ((0.0, 0.0), "Every stretch factor is 0"), ((-1.0, 1.0), "negative")],
)
def test_wrong_stretch_factors_are_refused(stretch: tuple[float, ...], words: str) -> None:
    with pytest.raises(EngineError, match=words):
        minkowski_space(np.zeros((3, 2)), stretch=stretch)


@given(st.integers(0, 1000), st.integers(1, 4))
def test_mahalanobis_agrees_with_scipy(seed: int, d: int) -> None:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(20, d)) @ rng.normal(size=(d, d)) + rng.normal(size=d)
    inverse = np.linalg.inv(np.atleast_2d(np.cov(X.T)))
    if np.linalg.cond(inverse) > 1e6:
        return
    space = mahalanobis_space(X, [f"x{j}" for j in range(d)])
    Z = space.embed(X)
    assert np.allclose(
        space.distance(Z[:, None], Z[None]), cdist(X, X, "mahalanobis", VI=inverse), rtol=1e-6
    )


@pytest.mark.parametrize(
    ("X", "words"),
    [
        ([[1.0, 5.0], [2.0, 5.0], [3.0, 5.0]], "“height” has one value"),
        ([[0.0, 0.0], [1.0, 2.0], [2.0, 4.0]], "independently"),
        ([[1.0, 2.0]], "“weight” has one value"),
    ],
)
def test_mahalanobis_refuses_what_has_no_inverse(X: list[list[float]], words: str) -> None:
    with pytest.raises(EngineError, match=words):
        mahalanobis_space(np.array(X), ["weight", "height"])


def test_hamming_counts_differing_columns() -> None:
    X = np.array([[0.0, 1.0, 2.0], [0.0, 2.0, 2.0], [1.0, 2.0, 0.0]])
    space = hamming_space(X)
    assert (
        space.distance(X[:, None], X[None]).tolist()
        == (cdist(X, X, "hamming") * 3).round().tolist()
    )
    assert hamming_space(X, (5, 1, 1)).distance(X[0], X[2]) == 7
    assert space.distance(X[0], np.array([np.nan, 1.0, 2.0])) == 1


@pytest.mark.parametrize("p", [1.0, 1.7, 2.0, 10.0, np.inf])
def test_unit_balls_have_radius_one(p: float) -> None:
    rim = unit_ball(p)
    assert np.allclose(norm(list(np.abs(rim).T), p), 1)
    assert {(1.0, 0.0), (0.0, 1.0)} <= {tuple(np.round(place, 12) + 0.0) for place in rim}
    if np.isinf(p):
        assert (1.0, 1.0) in {tuple(np.round(place, 12)) for place in rim}


def test_spread_of_a_constant_column_is_one() -> None:
    assert spread(np.array([[0.1, 1.0], [0.1, 3.0]])).tolist() == [1.0, 1.0]


def test_copies_lie_at_distance_zero_whatever_their_company() -> None:
    rng = np.random.default_rng(4)
    X = rng.normal(size=(300, 5))
    space = mahalanobis_space(X, [f"x{j}" for j in range(5)])
    Z = space.embed(X)
    assert all(np.array_equal(space.embed(X[i : i + 1])[0], Z[i]) for i in range(300))
    assert all(np.array_equal(space.embed(X[: i + 1]), Z[: i + 1]) for i in range(0, 300, 37))
