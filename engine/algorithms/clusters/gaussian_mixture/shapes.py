"""Gaussians of any width and direction: their density, also over a raster, their covariances and
the least variance.
"""

from typing import Any

from engine.algorithms.clusters.parts.mixtures import EMPTY, LOG_2PI, Columns
from engine.authoring import Bool, Callable, Float, Grid, Problem, Record, Work, frozen, np

FLOOR = 1e-6  # least variance in any direction, as a share of the columns' variances


class Mixture(Record, eq=True):
    """The model in columns of spread 1: means (k, d), covariances `shapes` (k, d, d), weights
    `shares` (k,).
    """

    means: Float
    shapes: Float
    shares: Float

    @classmethod
    def of(cls, s: Any, columns: Columns) -> "Mixture":
        """The scaled model of a state, whose fields are in original units."""
        shapes, _ = floored(columns.scaled_shape(s.covariances), FLOOR)
        return cls(columns.scaled(s.means), shapes, s.weights)

    def in_own_units(self, columns: Columns) -> dict[str, Any]:
        """The fields `means`, `covariances` and `weights` of a state, in original units."""
        means, shapes = frozen(columns.raw(self.means)), frozen(columns.raw_shape(self.shapes))
        return {"means": means, "covariances": shapes, "weights": frozen(self.shares, np.float64)}

    def joint(self, Z: Float) -> Float:
        """(k, m) ln (π_j N(z; μ_j, Σ_j)) at scaled rows Z (m, d)."""
        with np.errstate(divide="ignore"):
            return log_density(Z, self.means, self.shapes) + np.log(self.shares)[:, None]

    def joints(self, Z: Float) -> Work[Float]:
        return each_apart(lambda *one: Mixture(*one).joint(Z), self.means, self.shapes, self.shares)

    def raster(self, problem: Problem, columns: Columns, grid: Grid) -> Float:
        """(k, ny, nx) the same over the plane, hidden columns at the anchor.

        With Σ = L Lᵀ the squared distance is Σ z², and z = L⁻¹ (x − μ) is a number of the raster's
        column plus one of its row.
        """
        i, j = (*problem.plane, None)[:2]
        x, y = (
            np.zeros(len(at)) if c is None else (at - problem.anchor[c]) / columns.unit[c]
            for c, at in ((i, grid.x), (j, grid.y))
        )
        inverses = np.linalg.inv(np.linalg.cholesky(self.shapes))
        out = np.empty((len(self.means), *grid.shape))
        for total, inverse, away in zip(
            out, inverses, columns.scaled(problem.anchor) - self.means, strict=True
        ):
            across = (inverse @ away)[:, None] + np.multiply.outer(inverse[:, i], x)
            up = np.multiply.outer(inverse[:, j or 0], y)
            z = across[:, None] + up[..., None]
            np.einsum("dyx,dyx->yx", z, z, out=total)
        with np.errstate(divide="ignore"):
            tops = np.log(np.diagonal(inverses, axis1=1, axis2=2)).sum(axis=1) + np.log(self.shares)
        return np.asarray(-0.5 * out + (tops - 0.5 * problem.d * LOG_2PI)[:, None, None])


def log_density(X: Float, means: Float, covariances: Float) -> Float:
    """(k, n) ln N(x; μ_j, Σ_j) at rows X (n, d)."""
    roots = np.linalg.cholesky(covariances)
    out = np.empty((len(means), len(X)))
    across = np.ascontiguousarray(X.T)
    for row, mean, inverse in zip(out, means, np.linalg.inv(roots), strict=True):
        z = inverse @ (across - mean[:, None])
        np.einsum("ij,ij->j", z, z, out=row)
    volumes = np.log(np.diagonal(roots, axis1=1, axis2=2)).sum(axis=1)
    return np.asarray(-0.5 * out - volumes[:, None] - 0.5 * X.shape[1] * LOG_2PI)


def each_apart(compute: Callable[..., Float], *parts: Float) -> Work[Float]:
    """(k, …) what `compute` returns for k components, one at a time; parts (k, …): its arguments,
    a row for each component.
    """
    found = []
    for j in range(len(parts[0])):
        found.append(compute(*(part[j : j + 1] for part in parts)))
        yield
    return np.concatenate(found)


def weighted_covariances(X: Float, shares: Float, means: Float, before: Float) -> Float:
    """(k, d, d) spread of each component's share of the examples about its mean; one without
    examples keeps its own.
    """
    out = np.array(before)
    for j in np.flatnonzero(shares.sum(axis=1) > EMPTY):
        away = X - means[j]
        out[j] = (away * shares[j][:, None]).T @ away / shares[j].sum()
    return out


def floored(covariances: Float, least: float) -> tuple[Float, Bool]:
    """The covariances with every variance raised to `least`, and which of them needed it.

    Of all covariances that are nowhere narrower this one is the most likely, so the likelihood does
    not fall.
    """
    values, axes = np.linalg.eigh(covariances)
    narrow: Bool = values[:, 0] < least  # ascending
    if not narrow.any():
        return covariances, narrow
    raised = (axes * np.maximum(values, least)[:, None, :]) @ axes.transpose(0, 2, 1)
    return np.where(narrow[:, None, None], raised, covariances), narrow


def flat(Z: Float) -> bool:
    """Whether the examples Z (n, d), scaled to spread 1, have almost no spread in some
    direction.
    """
    away = Z - Z.mean(axis=0)
    return float(np.linalg.eigvalsh(away.T @ away / len(Z))[0]) < FLOOR
