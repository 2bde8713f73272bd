"""The raster of a mixture is the mixture at every place of it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import Dataset, prepare
from engine.algorithms.clusters.gaussian_mixture.shapes import Mixture
from engine.algorithms.clusters.parts.mixtures import Columns, leaders, memberships, owners
from engine.base.grid import Grid


@pytest.mark.parametrize("d", [1, 2, 4])
@pytest.mark.parametrize("k", [1, 2, 5])
def test_the_raster_is_the_density_at_every_place(d: int, k: int) -> None:
    rng = np.random.default_rng(10 * d + k)
    problem = prepare(
        Dataset.from_arrays(100 + rng.normal(size=(30, d)) * [1, 50, 0.01, 3][:d], None)
    )
    columns = Columns.of(problem.X)
    root = np.tril(rng.normal(size=(k, d, d))) * 0.3 + np.eye(d)
    mixture = Mixture(
        rng.normal(size=(k, d)), root @ root.transpose(0, 2, 1), rng.dirichlet(np.ones(k))
    )
    grid = Grid.over((97.0, 103.0), (0.0, 200.0) if d > 1 else (0.0, 1.0), 9)
    found = mixture.raster(problem, columns, grid)
    places = columns.scaled(problem.from_plane(grid.points()))
    assert np.allclose(found.reshape(k, -1), mixture.joint(places), rtol=1e-9, atol=1e-9)


@given(st.integers(0, 1000), st.integers(1, 6))
def test_leaders_are_the_owners(seed: int, k: int) -> None:
    joint = np.random.default_rng(seed).normal(size=(k, 40)) * 3
    joint[:, :5] = joint[:1, :5]  # no component is ahead of its equals
    expected = owners(memberships(joint)[0])
    assert leaders(joint.reshape(k, 8, 5)).ravel().tolist() == expected.tolist()
