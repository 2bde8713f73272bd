"""The loss bowl, critical rates and level lines against numpy and geometry."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.linear_model import lars_path

from engine import Dataset, prepare
from engine.algorithms.regression import polynomial_fit
from engine.algorithms.regression.parts.least_squares import loss_bowl, with_ones
from engine.algorithms.regression.polynomial_fit.curves import power_map
from engine.algorithms.regression.regularised_regression import Params, Setting
from engine.algorithms.regression.regularised_regression.paths import paths
from engine.numerics.contours import level_lines, one_polyline, round_levels


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 4))
def test_bowl_is_the_sum_of_squares_everywhere(seed: int, d: int) -> None:
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(10, d)), rng.normal(size=10)
    bowl = loss_bowl(X, y, with_ones(X))
    W = rng.normal(size=(5, d + 1))
    direct = [np.sum((y - with_ones(X) @ w) ** 2) for w in W]
    assert np.allclose(bowl(W), direct)
    section = bowl.section((0, 1), W[0])
    moved = np.array([[0.3, -0.7, *W[0][2:]]])
    assert section(moved[:, :2])[0] == pytest.approx(bowl(moved)[0])
    assert section.least <= bowl(W[:1])[0] + 1e-9


def test_level_lines_of_a_cone() -> None:
    x, y = np.linspace(-2, 2, 201), np.linspace(-1, 1, 101)
    z = np.hypot(*np.meshgrid(x, y))
    lines = level_lines(x, y, z, [0.5, 0.9])
    assert len(lines) == 2
    for radius, line in zip((0.5, 0.9), lines, strict=True):
        assert np.allclose(np.hypot(*line.T), radius, atol=1e-3)
    both = one_polyline(lines)
    assert np.isnan(both).any(axis=1).sum() == 1
    assert one_polyline([]).shape == (0, 2)
    assert level_lines(x, y, np.where(z < 1, np.nan, z), [0.5]) == []


def test_round_levels() -> None:
    assert np.allclose(round_levels(0.3, 7.2), [1, 2, 3, 4, 5, 6, 7])
    assert len(round_levels(1.0, 1.0)) == 0


def test_power_map_is_chebyshevs() -> None:
    """T₂(t) = 2t² − 1, T₃(t) = 4t³ − 3t; over the range −1 … 1 the map is their table."""
    assert np.allclose(
        power_map(3, 0.0, 1.0, False), [[1, 0, -1, 0], [0, 1, 0, -3], [0, 0, 2, 0], [0, 0, 0, 4]]
    )


def test_extreme_columns_stay_finite() -> None:
    for scale in (1e-90, 1e39):
        x = np.array([0.0, 1.0, 2.0, 5.0]) * scale
        y = np.array([1.0, 3.0, 2.0, 4.0])
        made = polynomial_fit.Setting(
            prepare(Dataset.from_arrays(x[:, None], y)), polynomial_fit.Params(degree=12)
        )
        for degree in (0, 3, 12):
            fit = made.least_cost(degree)
            assert np.isfinite(fit.powers).all()
            assert np.isfinite(fit(x * 50)).all()
        assert np.allclose(fit(x), y)


def test_lasso_path_agrees_with_scikit_learn() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 4))
    y = X @ [2.0, -1, 0.3, 0] + 0.3 * rng.normal(size=40)
    strengths, slopes = paths(Setting(prepare(Dataset.from_arrays(X, y)), Params(q=1)))
    alphas, _, coefs = lars_path(X - X.mean(0), y - y.mean(), method="lasso")
    for j in range(4):
        assert np.allclose(
            slopes[:, j], np.interp(strengths / 80, alphas[::-1], coefs[j][::-1]), atol=1e-3
        )


def test_turned_axes_keep_lengths() -> None:
    three, one = (
        Setting(prepare(Dataset.from_arrays(np.eye(4)[:, :d], np.arange(4.0))), Params(turn=30)).T
        for d in (3, 1)
    )
    assert np.allclose(three @ three.T, np.eye(3))
    assert three[0, 0] == pytest.approx(np.sqrt(3) / 2)
    assert np.array_equal(one, np.eye(1))
