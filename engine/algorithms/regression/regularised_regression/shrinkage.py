"""Least squares with a penalty on the size of the weights: ridge at one stroke, lasso weight by weight. AIMA 18.6.2."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from engine.core.arrays import Float
from engine.numerics.least_squares import Bowl, least_squares

_PATH, _PATH_PASSES = 40, 60
_SINGULAR = 1e-13  # share of the largest eigenvalue, columns of equal size, below which there is only rounding


@dataclass(frozen=True, eq=False)
class Centred:
    """What a penalised fit needs once the means are out, so that w₀ is free: G = XᵀX, b = Xᵀy, s = yᵀy."""

    G: Float
    b: Float
    s: float
    n: int
    x_mean: Float
    y_mean: float

    def loss(self, slopes: Float) -> float:
        """Σ (y − h)², never below zero by rounding."""
        return max(float(self.s - 2 * self.b @ slopes + slopes @ self.G @ slopes), 0.0)

    def weights(self, slopes: Float) -> Float:
        """(d + 1,) with the w₀ that belongs to the slopes."""
        return np.concatenate([[self.y_mean - slopes @ self.x_mean], slopes])

    def without(self, slopes: Float, j: int) -> float:
        """x_j · r, where r is what is left of y when w_j is taken out."""
        return float(self.b[j] - self.G[j] @ slopes + self.G[j, j] * slopes[j])

    @property
    def uneven(self) -> float:
        """How many times wider the widest column is than the narrowest; the penalty depends on units."""
        sizes = np.sqrt(np.diagonal(self.G))
        sizes = sizes[sizes > 0]
        return float(sizes.max() / sizes.min()) if len(sizes) else 1.0

    @property
    def size(self) -> float:
        return float(np.sqrt(self.s))


def centred(X: Float, y: Float) -> Centred:
    x_mean, y_mean = X.mean(0), float(y.mean())
    A, e = X - x_mean, y - y_mean
    return Centred(A.T @ A, A.T @ e, float(e @ e), len(y), x_mean, y_mean)


def slope_bowl(X: Float, y: Float, data: Centred) -> Bowl:
    """Σ (y − h)² over the slopes, w₀ at its best for each."""
    w, _ = least_squares(X, y)
    return Bowl(data.G, w[1:], data.loss(w[1:]))


def complexity(slopes: Float, q: int) -> float:
    """Σ |w|^q. AIMA 18.6.2."""
    return float(np.abs(slopes).sum() if q == 1 else slopes @ slopes)


def ridge(data: Centred, strength: float) -> Float:
    """Slopes of least Σ (y − h)² + strength Σ w²; where rounding leaves no inverse the smallest ones."""
    A = data.G + strength * np.eye(len(data.b))
    size = np.sqrt(A.diagonal())
    size = np.where(size > 0, size, 1.0)
    scaled = A / size / size[:, None]  # or a column in small units would be lost beside one in large units
    values, axes = np.linalg.eigh(scaled)
    kept = values > _SINGULAR * values[-1]
    if kept.all():
        return np.asarray(np.linalg.solve(A, data.b), np.float64)
    slopes = axes[:, kept] @ (axes[:, kept].T @ (data.b / size) / values[kept]) / size
    free = axes[:, ~kept] / size[:, None]  # ways to go on which nothing changes
    slopes = slopes - free @ np.linalg.lstsq(free, slopes, rcond=None)[0]
    return np.where(data.G.diagonal() > 0, slopes, 0.0)


def shrunk(pull: float, threshold: float, size: float) -> float:
    """The weight of least size · w² − 2 pull · w + 2 threshold · |w|: exactly 0 where |pull| ≤ threshold."""
    if abs(pull) <= threshold or size <= 0:
        return 0.0
    return (pull - threshold if pull > 0 else pull + threshold) / size


def lasso_pass(data: Centred, slopes: Float, strength: float) -> Iterator[float]:
    """Set each weight in turn to its best for Σ (y − h)² + strength Σ |w|, in place. Gives the move of each, as a change of
    values in relation to the size of y."""
    threshold, whole = strength / 2, data.size or 1.0
    for j, (size, row, pull) in enumerate(zip(data.G.diagonal().tolist(), data.G, data.b.tolist(), strict=True)):
        old = float(slopes[j])
        new = shrunk(pull - float(row @ slopes) + size * old, threshold, size)
        if new != old:
            slopes[j] = new
        yield abs(new - old) * size**0.5 / whole


def largest_strength(data: Centred) -> float:
    """From this strength on the lasso sets all weights to zero."""
    return 2 * float(np.abs(data.b).max(initial=0))


def strength_path(data: Centred, q: int) -> tuple[Float, Float]:
    """(strengths (m,), slopes (m, d)) from weak to strong: where q = 1 lets one weight after the other vanish, and q = 2
    makes all of them smaller."""
    top = largest_strength(data) or 1.0
    if q == 1:
        strengths = top * np.geomspace(1e-3, 1.6, _PATH)
        return strengths, _lasso_path(data, strengths)
    values, axes = np.linalg.eigh(data.G)
    middle = float(np.mean(np.diagonal(data.G))) or 1.0
    strengths = middle * np.geomspace(1e-3, 1e3, _PATH)
    turned = axes.T @ data.b
    return strengths, np.array([axes @ (turned / (np.maximum(values, 0) + s)) for s in strengths])


def _lasso_path(data: Centred, strengths: Float) -> Float:
    slopes, found = np.zeros(len(data.b)), []
    for strength in strengths[::-1].tolist():
        for _ in range(_PATH_PASSES):
            if max(lasso_pass(data, slopes, strength)) < 1e-6:
                break
        found.append(slopes.copy())
    return np.array(found[::-1])


def turn(d: int, degrees: float) -> Float:
    """(d, d): the first two of d columns turned by an angle."""
    T = np.eye(d)
    if d >= 2 and degrees:
        c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
        T[:2, :2] = [[c, -s], [s, c]]
    return T
