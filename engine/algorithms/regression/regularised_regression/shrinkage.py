"""Least squares with a price on the size of the weights: ridge at one stroke, lasso weight by
weight. AIMA 18.6.2.
"""

from typing import Any, TypeVar

from engine.algorithms.regression.parts.fits import Examples
from engine.algorithms.regression.parts.least_squares import Bowl, least_squares
from engine.authoring import Float, cached_property, frozen, np
from engine.numerics.closeness import OF_TERMS, more

P = TypeVar("P")
STILL = 1e-6  # moves of the values, in relation to the size of y, below which w has settled
_PATH, _PATH_PASSES = 40, 60


class Centred(Examples[P]):
    """Of the columns, the first two turned, and y, all without their means, so that w₀ is free: T
    (d, d) turns; x_mean (d,); y_mean; G = XᵀX (d, d); b = Xᵀy (d,); square = yᵀy, size its root;
    sizes, lengths: x · x of each column, and their roots.
    """

    p: Any
    x_mean = property(lambda given: given.centred[0])
    y_mean = property(lambda given: given.centred[1])
    G = property(lambda given: given.centred[2])
    b = property(lambda given: given.centred[3])
    square = property(lambda given: given.centred[4])
    size = property(lambda given: given.square**0.5)
    sizes = cached_property(lambda given: given.G.diagonal().tolist())
    lengths = cached_property(lambda given: np.sqrt(given.sizes))
    parts = cached_property(
        lambda given: list(zip(given.b.tolist(), given.G, given.sizes, strict=True))
    )

    @cached_property
    def T(self) -> Float:
        T = np.eye(self.problem.d)
        angle = np.radians(self.p.turn)
        if len(T) > 1 and angle:
            T[:2, :2] = [[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]
        return T

    def turned(self, X: Float) -> Float:
        return X @ self.T if self.p.turn else X

    @cached_property
    def centred(self) -> tuple[Float, float, Float, Float, float]:
        X = self.turned(self.X)
        y = self.y
        x_mean = X.mean(0)
        y_mean = float(y.mean())
        A = X - x_mean
        e = y - y_mean
        return x_mean, y_mean, A.T @ A, A.T @ e, float(e @ e)

    def level(self, slopes: Float) -> float:
        """The w₀ that belongs to the slopes."""
        return float(self.y_mean - slopes @ self.x_mean)

    def weights(self, slopes: Float) -> Float:
        return frozen(np.concatenate([[self.level(slopes)], slopes]))

    def loss(self, w: Float) -> float:
        """Σ (y − h)², never below zero by rounding, of weights whose w₀ belongs to the slopes."""
        slopes = w[1:]
        return max(float(self.square - 2 * self.b @ slopes + slopes @ self.G @ slopes), 0.0)

    @cached_property
    def bowl(self) -> Bowl:
        """Σ (y − h)² over the slopes, w₀ at its best for each."""
        w, _ = least_squares(self.turned(self.X), self.y)
        return Bowl(self.G, w[1:], self.loss(w))

    def pull(self, slopes: Float, j: int) -> float:
        """x_j · r, where r is what is left of y when w_j is taken out."""
        whole, row, size = self.parts[j]
        return float(whole - float(row @ slopes) + size * float(slopes[j]))

    def still(self, slopes: Float, before: Float) -> bool:
        """Whether no weight has moved so far that the values show it."""
        return bool((np.abs(slopes - before) * self.lengths).max() <= STILL * self.size)

    @property
    def most(self) -> float:
        """From this strength beside the sum of squares on the lasso sets all weights to zero."""
        return 2 * float(np.abs(self.b).max(initial=0))

    @cached_property
    def strengths(self) -> tuple[Float, Float]:
        """(strengths (m,), slopes (m, d)) from weak to strong: where q = 1 lets one weight after
        the other vanish, and q = 2 makes all of them smaller.
        """
        if self.p.q == 2:
            strengths = (float(np.mean(self.sizes)) or 1.0) * np.geomspace(1e-3, 1e3, _PATH)
            values, axes = np.linalg.eigh(self.G)
            return (
                strengths,
                (axes.T @ self.b / (np.maximum(values, 0) + strengths[:, None])) @ axes.T,
            )
        strengths = (self.most or 1.0) * np.geomspace(1e-3, 1.6, _PATH)
        slopes = np.zeros(len(self.b))
        found = []
        for strength in strengths[::-1].tolist():
            for _ in range(_PATH_PASSES):
                before = slopes.copy()
                for j, size in enumerate(self.sizes):
                    slopes[j] = shrunk(self.pull(slopes, j), strength / 2, size)
                if self.still(slopes, before):
                    break
            found.append(slopes.copy())
        return strengths, np.array(found[::-1])


def shrunk(pull: float, threshold: float, size: float) -> float:
    """The weight of least size · w² − 2 pull · w + 2 threshold · |w|: exactly 0 where |pull| ≤
    threshold.
    """
    if abs(pull) <= threshold or size <= 0:
        return 0.0
    return (pull - threshold if pull > 0 else pull + threshold) / size


def ridge(G: Float, b: Float, strength: float) -> Float:
    """Slopes of least Σ (y − h)² + strength Σ w²; where rounding leaves no inverse the smallest
    ones.
    """
    A = G + strength * np.eye(len(b))
    size = np.sqrt(A.diagonal())
    size = np.where(size > 0, size, 1.0)
    values, axes = np.linalg.eigh(
        A / size / size[:, None]
    )  # in one size, or small units would be lost beside large ones
    kept = more(values, 0.0, values[-1], OF_TERMS)
    if kept.all():
        return np.asarray(np.linalg.solve(A, b), np.float64)
    slopes = axes[:, kept] @ (axes[:, kept].T @ (b / size) / values[kept]) / size
    free = axes[:, ~kept] / size[:, None]  # ways to go on which nothing changes
    slopes = slopes - free @ np.linalg.lstsq(free, slopes, rcond=None)[0]
    return np.where(G.diagonal() > 0, slopes, 0.0)


def complexity(slopes: Float, q: int) -> Any:
    """Σ |w|^q of slopes (…, d). AIMA 18.6.2."""
    return np.abs(slopes).sum(axis=-1) if q == 1 else (slopes**2).sum(axis=-1)
