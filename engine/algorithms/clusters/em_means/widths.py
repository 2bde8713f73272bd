"""Gaussians of one known width σ: their density, a fair σ, and means on one place. ML 6.12."""

from engine.algorithms.clusters.parts.mixtures import EMPTY, LOG_2PI, Columns
from engine.algorithms.clusters.parts.squares import squares_to
from engine.authoring import Float, np

SAME_PLACE = 1e-2  # of σ: means as near as this lie on one place for the eye


def spherical_log_density(X: Float, means: Float, sigma: float) -> Float:
    """(k, n) ln N(x; μ_j, σ² I) = −½ |x − μ_j|²/σ² − d ln(σ √(2π))."""
    squares = squares_to(means, np.ascontiguousarray(X.T), sigma)
    return np.asarray(-0.5 * squares - X.shape[1] * (np.log(sigma) + 0.5 * LOG_2PI))


def fair_width(X: Float, k: int) -> float:
    """A σ for k components that divide the spread of the examples X (n, d) evenly; 1 where there is
    no spread.
    """
    columns = Columns.of(X)
    spread = np.where(np.ptp(X, axis=0) > 0, columns.unit, 0.0)
    largest = float(spread.max())
    if largest == 0:
        return 1.0
    typical = largest * float(np.sqrt(np.mean((spread / largest) ** 2)))
    return float(typical / k ** (1 / X.shape[1]))


def together(means: Float, sigma: float) -> tuple[int, int] | None:
    """The first pair of means (k, d) at the same place, as indices; None where all differ."""
    gaps = np.abs(means[:, None] - means[None]).max(axis=2) + np.diag(np.full(len(means), np.inf))
    i, j = np.unravel_index(int(gaps.argmin()), gaps.shape)
    return (int(i), int(j)) if gaps[i, j] <= SAME_PLACE * sigma else None


def would_part(X: Float, shares: Float, mean: Float, sigma: float) -> bool:
    """Whether two equal means would part after a tiny push.

    A small gap g between them becomes C g / σ² in a round, C the spread of their examples, which
    both own with the same shares (n,): it grows along a direction in which C > σ².
    """
    away = (X - mean) / sigma
    mass = float(shares.sum())
    spread = (away * shares[:, None]).T @ away / (mass if mass > EMPTY else 1.0)
    return float(np.linalg.eigvalsh(spread)[-1]) > 1.0
