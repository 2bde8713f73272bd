"""Memberships, M steps and floors of mixtures against scipy, scikit-learn and their own laws.

ML 6.12.
"""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.special import logsumexp
from scipy.stats import multivariate_normal

import engine
from engine.algorithms.clusters.em_means.picture import pair_likelihood
from engine.algorithms.clusters.em_means.widths import fair_width, spherical_log_density, together
from engine.algorithms.clusters.gaussian_mixture.shapes import (
    flat,
    floored,
    log_density,
    weighted_covariances,
)
from engine.algorithms.clusters.parts import start_places
from engine.algorithms.clusters.parts.mixtures import (
    Columns,
    log_sum_exp,
    memberships,
    owners,
    weighted_means,
)
from engine.base.errors import EngineError

numbers = st.floats(-1e4, 1e4)


@given(arrays(np.float64, (3, 5), elements=numbers))
def test_log_sum_exp_is_that_of_scipy(terms: np.ndarray) -> None:
    np.testing.assert_allclose(log_sum_exp(terms), logsumexp(terms, axis=0), rtol=1e-12, atol=1e-12)


def test_far_means_do_not_underflow() -> None:
    """The plain quotient of Eq 6.29 would be 0/0 here."""
    joint = spherical_log_density(np.array([[0.0]]), np.array([[1000.0], [1001.0]]), 1.0)
    assert (np.exp(joint) == 0).all()
    shares, likelihood = memberships(joint)
    assert shares[:, 0] == pytest.approx([1.0, 0.0])
    assert np.isfinite(likelihood)


def test_densities_are_those_of_scipy() -> None:
    rng = np.random.default_rng(0)
    X, means = rng.normal(size=(20, 3)), rng.normal(size=(2, 3))
    shapes = np.stack([np.cov(rng.normal(size=(3, 9))) for _ in range(2)])
    wanted = [multivariate_normal(m, c).logpdf(X) for m, c in zip(means, shapes, strict=True)]
    np.testing.assert_allclose(log_density(X, means, shapes), wanted, rtol=1e-10)
    wanted = [multivariate_normal(m, 0.7**2 * np.eye(3)).logpdf(X) for m in means]
    np.testing.assert_allclose(spherical_log_density(X, means, 0.7), wanted, rtol=1e-10)


@settings(max_examples=40)
@given(arrays(np.float64, (6, 2), elements=st.floats(-50, 50)), st.integers(1, 4))
def test_memberships_of_an_example_add_up_to_one(X: np.ndarray, k: int) -> None:
    shares, _ = memberships(spherical_log_density(X, X[:k], 1.3))
    np.testing.assert_allclose(shares.sum(axis=0), 1.0)


def test_one_component_with_everything_is_the_mean_and_the_covariance() -> None:
    """ML Eq 6.28: the likeliest mean is the sample mean."""
    X = np.random.default_rng(1).normal(size=(30, 2))
    all_ = np.ones((1, 30))
    means = weighted_means(X, all_, np.zeros((1, 2)))
    np.testing.assert_allclose(means[0], X.mean(axis=0))
    np.testing.assert_allclose(
        weighted_covariances(X, all_, means, np.eye(2)[None])[0], np.cov(X.T, bias=True)
    )


def test_an_empty_component_stays() -> None:
    X, before = np.array([[0.0], [2.0]]), np.array([[5.0], [9.0]])
    shares = np.array([[1.0, 1.0], [0.0, 0.0]])
    means = weighted_means(X, shares, before)
    assert means.tolist() == [[1.0], [9.0]]
    assert weighted_covariances(X, shares, means, np.full((2, 1, 1), 3.0)).ravel().tolist() == [
        1.0,
        3.0,
    ]


def test_floor_raises_only_narrow_directions() -> None:
    wide, flat = np.diag([2.0, 1.0]), np.diag([2.0, 0.0])
    shapes, narrow = floored(np.stack([wide, flat]), 0.25)
    assert narrow.tolist() == [False, True]
    np.testing.assert_allclose(shapes, [wide, np.diag([2.0, 0.25])])


@pytest.mark.parametrize("size", [1e-150, 1.0, 1e150])
def test_columns_of_any_size_come_back(size: float) -> None:
    X = size * np.array([[1.0, 5.0], [2.0, 5.0], [4.0, 5.0]])
    columns = Columns.of(X)
    Z = columns.scaled(X)
    assert Z[:, 0].std() == pytest.approx(1.0)
    assert (Z[:, 1] == 0).all()
    np.testing.assert_allclose(columns.raw(Z), X)


def test_fair_width_halves_for_two_heaps_on_a_line() -> None:
    assert fair_width(np.array([[-1.0], [1.0]]), 2) == pytest.approx(0.5)
    assert fair_width(np.ones((4, 2)), 3) == 1.0


def test_pair_likelihood_is_the_mixture_of_two() -> None:
    x, means = np.array([-2.0, -1.5, 2.2]), np.array([-2.0, 0.5, 3.0])
    surface = pair_likelihood(x, 1.5, means)
    np.testing.assert_array_equal(surface, surface.T)
    bells = [np.exp(-((x - m) ** 2) / 4.5) / np.sqrt(2 * np.pi * 2.25) for m in means]
    wanted = [[np.log(0.5 * a + 0.5 * b).sum() for a in bells] for b in bells]
    np.testing.assert_allclose(surface, wanted)


def test_start_places_are_different_examples() -> None:
    X = np.array([[1.0], [1.0], [1.0], [2.0], [3.0]])
    for seed in range(10):
        assert len(np.unique(start_places(X, 3, (), np.random.default_rng(seed)))) == 3
    with pytest.raises(EngineError, match="only 5 examples"):
        start_places(X, 6, (), np.random.default_rng(0))


@pytest.mark.parametrize("key", ["em_means", "gaussian_mixture", "kmeans"])
def test_start_means_of_another_length_are_refused(key: str) -> None:
    data = engine.Dataset.from_arrays([[1.0], [2.0], [3.0]])
    with pytest.raises(EngineError, match="Start means needs 2 numbers"):
        engine.run(key, data, k=2, start=(1.0,))


def test_numbers_that_cannot_be_squared() -> None:
    assert Columns.of(np.array([[0.0], [1e-300]])).unit.tolist() == [1.0]
    with pytest.raises(EngineError, match="too large"):
        start_places(np.array([[1e200], [0.0]]), 1, (), np.random.default_rng(0))


def test_a_place_that_two_share_has_no_owner() -> None:
    shares = np.array([[0.5, 0.6, 0.4999, 0.2], [0.5, 0.4, 0.5001, 0.2], [0.0, 0.0, 0.0, 0.6]])
    assert owners(shares).tolist() == [-1, 0, 1, 2]
    assert owners(shares, ahead=1e-3).tolist() == [-1, 0, -1, 2]
    assert owners(np.ones((1, 3))).tolist() == [0, 0, 0]


def test_two_means_on_one_place_are_named() -> None:
    means = np.array([[0.0, 0.0], [3.0, 0.0], [0.005, 0.0]])
    assert together(means, 1.0) == (0, 2)
    assert together(means, 0.1) is None
    assert together(means[:1], 1.0) is None


def test_examples_on_a_line_are_flat() -> None:
    x = np.linspace(-1, 1, 9)
    assert flat(np.column_stack([x, 2 * x]))
    assert flat(np.column_stack([x, 0 * x]))
    assert not flat(np.column_stack([x, x**2]))
