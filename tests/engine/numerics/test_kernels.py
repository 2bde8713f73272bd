"""Kernels against scikit-learn, the lift of AIMA Eq 18.15, and their surfaces against their values
place by place.
"""

import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics.pairwise import linear_kernel, polynomial_kernel, rbf_kernel

import engine
from engine.algorithms.margins.parts.kernel import (
    Kernel,
    factor,
    smallest_eigenvalue,
    squared_distances,
)
from engine.base.grid import Grid

RNG = np.random.default_rng(5)
A, B = RNG.normal(size=(7, 3)), RNG.normal(size=(9, 3))
KERNELS = [
    Kernel("linear"),
    Kernel("quadratic"),
    Kernel("polynomial", degree=4),
    Kernel("rbf", gamma=0.7),
]
ORACLE = {
    "linear": linear_kernel,
    "quadratic": lambda X, Z: polynomial_kernel(X, Z, degree=2, gamma=1, coef0=0),
    "polynomial": lambda X, Z: polynomial_kernel(X, Z, degree=4, gamma=1, coef0=1),
    "rbf": lambda X, Z: rbf_kernel(X, Z, gamma=0.7),
}
each = pytest.mark.parametrize("kernel", KERNELS, ids=lambda k: k.name)
coordinates = st.lists(st.floats(-4, 4), min_size=2, max_size=2)


@each
def test_values_are_those_of_scikit_learn(kernel: Kernel) -> None:
    assert np.allclose(kernel.matrix(A, B), ORACLE[kernel.name](A, B))
    assert np.allclose(kernel.diagonal(A), np.diag(ORACLE[kernel.name](A, A)))


@given(coordinates, coordinates)
@settings(deadline=None, max_examples=50)
def test_the_lift_has_the_dot_product_of_the_quadratic_kernel(
    x: list[float], z: list[float]
) -> None:
    """aima D78: F(x)·F(z) = (x·z)², F(x) = (x1², x2², √2·x1·x2)."""
    kernel = Kernel("quadratic")
    lifted = kernel.lifted(np.array([x, z]))
    assert np.allclose(lifted[0], [x[0] ** 2, x[1] ** 2, np.sqrt(2) * x[0] * x[1]])
    assert lifted[0] @ lifted[1] == pytest.approx(np.dot(x, z) ** 2, abs=1e-9)


def test_lifts_of_more_columns_and_of_other_kernels() -> None:
    kernel = Kernel("quadratic")
    assert np.allclose(kernel.lifted(A) @ kernel.lifted(B).T, kernel.matrix(A, B))
    assert Kernel("linear").lifted(A) is A
    assert Kernel("rbf").lifted(A) is None


def problem_of(columns: int):
    rng = np.random.default_rng(2)
    X = rng.normal(size=(12, columns))
    return engine.prepare(engine.Dataset.from_arrays(X, np.where(X[:, 0] > 0, 1, -1)))


@each
@pytest.mark.parametrize("columns", [1, 2, 4])
def test_surfaces_are_the_values_place_by_place(kernel: Kernel, columns: int) -> None:
    """One column, two, and two of four with the hidden ones at the anchor."""
    problem = problem_of(columns)
    grid = Grid.over((-2, 3), (-1, 2), 9)
    weights = np.linspace(-2, 3, problem.n)
    surface = kernel.surface(problem, problem.X, weights, grid)
    wanted = kernel.scores(problem.X, weights, problem.from_plane(grid.points()))
    assert surface.shape == grid.shape
    assert np.allclose(surface.ravel(), wanted)
    assert (kernel.surface(problem, problem.X[:0], weights[:0], grid) == 0).all()


def test_far_from_narrow_bells_surface_and_values_agree() -> None:
    """Where every bell is next to nothing both ways of summing give exactly 0, so that classes
    cannot differ.
    """
    problem = problem_of(2)
    kernel = Kernel("rbf", gamma=40.0)
    weights = np.where(np.arange(problem.n) % 2, 1.0, -1.0)
    grid = Grid.over((-8, 8), (-8, 8), 41)
    surface = kernel.surface(problem, problem.X, weights, grid).ravel()
    values = kernel.scores(problem.X, weights, problem.from_plane(grid.points()))
    assert np.array_equal(np.sign(surface), np.sign(values))
    assert (values == 0).any()
    assert (values != 0).any()


def test_scores_in_blocks_are_scores_at_once(monkeypatch) -> None:
    kernel = KERNELS[3]
    weights = np.arange(9.0)
    whole = kernel.scores(B, weights, A)
    monkeypatch.setattr(sys.modules[Kernel.__module__], "BLOCK", 20)
    assert np.allclose(kernel.scores(B, weights, A), whole)
    assert kernel.scores(B, weights, A[:0]).shape == (0,)


@pytest.mark.parametrize("columns", [2, 9])
def test_squared_distances(columns: int) -> None:
    X, Z = RNG.normal(size=(5, columns)), RNG.normal(size=(6, columns))
    assert np.allclose(squared_distances(X, Z), ((X[:, None] - Z[None]) ** 2).sum(2))
    assert (squared_distances(X, X) >= 0).all()


@each
def test_mercer(kernel: Kernel) -> None:
    """aima D85: no eigenvalue is negative; 0 is allowed."""
    assert smallest_eigenvalue(kernel.matrix(B, B)) >= 0
    twice = np.concatenate([B, B])
    assert smallest_eigenvalue(kernel.matrix(twice, twice)) == 0
    assert smallest_eigenvalue(np.array([[1.0, 2.0], [2.0, 1.0]])) == pytest.approx(-1)


def test_factor_gives_points_with_these_dot_products() -> None:
    K = KERNELS[3].matrix(B, B)
    points = factor(K)
    centre = np.eye(9) - 1 / 9
    assert np.allclose(points @ points.T, centre @ K @ centre)


def test_values_too_large_for_a_number_are_refused() -> None:
    with pytest.raises(engine.EngineError, match="Scale the columns"):
        Kernel("polynomial", degree=9).diagonal(np.full((2, 2), 1e40))


@each
def test_distances_are_those_of_the_lifted_points(kernel: Kernel) -> None:
    """AIMA 18.9: d² = K(x, x) − 2 K(x, z) + K(z, z), by scikit-learn's matrices; of x and x² it is
    that of the points lifted.
    """
    K = ORACLE[kernel.name]
    squares = np.diag(K(A, A))[:, None] - 2 * K(A, B) + np.diag(K(B, B))
    found = kernel.distance(A[:, None], B[None])
    assert np.allclose(found, np.sqrt(squares))
    assert (kernel.distance(A, A) == 0).all()
    if kernel.lifted(A) is not None:
        assert np.allclose(
            found, np.linalg.norm(kernel.lifted(A)[:, None] - kernel.lifted(B)[None], axis=2)
        )
