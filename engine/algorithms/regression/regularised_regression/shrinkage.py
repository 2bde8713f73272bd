"""What least squares with a price on the size of the weights needs of the table. AIMA 18.6.2."""

from typing import Any, TypeVar

from engine.algorithms.regression.parts.fits import Examples
from engine.algorithms.regression.parts.least_squares import Bowl, least_squares
from engine.authoring import Float, cached_property, frozen, np
from engine.numerics.closeness import OF_TERMS, more

P = TypeVar("P")


class Centred(Examples[P]):
    """The columns, the first two rotated if wanted, and y, all less their means.

    So w₀ is not penalised: it is the mean of y less that of the slopes' part.
    """

    p: Any

    @property
    def x_mean(self) -> Float:
        """(d,) the mean of each column."""
        return self.centred[0]

    @property
    def y_mean(self) -> float:
        """The mean of y."""
        return self.centred[1]

    @property
    def G(self) -> Float:
        """(d, d) XᵀX."""
        return self.centred[2]

    @property
    def b(self) -> Float:
        """(d,) Xᵀy."""
        return self.centred[3]

    @property
    def square(self) -> float:
        """yᵀy of the centred y."""
        return self.centred[4]

    @property
    def size(self) -> float:
        """|y| of the centred y."""
        return float(self.square**0.5)

    @cached_property
    def sizes(self) -> list[float]:
        """xᵀx of each centred column x."""
        return [float(size) for size in self.G.diagonal()]

    @cached_property
    def lengths(self) -> Float:
        """(d,) |x| of each column."""
        return np.asarray(np.sqrt(self.sizes), np.float64)

    @cached_property
    def parts(self) -> list[tuple[float, Float, float]]:
        """(x · y, x · each column, x · x) of each column x."""
        return list(zip(self.b.tolist(), self.G, self.sizes, strict=True))

    @cached_property
    def T(self) -> Float:
        """(d, d) turns the first two columns by the angle that is set."""
        T = np.eye(self.problem.d)
        angle = np.radians(self.p.turn)
        if len(T) > 1 and angle:
            T[:2, :2] = [[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]
        return T

    def turned(self, X: Float) -> Float:
        """(m, d) rows X (m, d) over the turned columns."""
        return X @ self.T if self.p.turn else X

    @cached_property
    def centred(self) -> tuple[Float, float, Float, Float, float]:
        """(means of X (d,), mean of y, G = XᵀX (d, d), b = Xᵀy (d,), yᵀy) of centred X and y."""
        X = self.turned(self.X)
        y = self.y
        x_mean = X.mean(0)
        y_mean = float(y.mean())
        A = X - x_mean
        e = y - y_mean
        return x_mean, y_mean, A.T @ A, A.T @ e, float(e @ e)

    def level(self, slopes: Float) -> float:
        """The w₀ that fits the slopes (d,)."""
        return float(self.y_mean - slopes @ self.x_mean)

    def weights(self, slopes: Float) -> Float:
        """(d + 1,) the w₀ that belongs to the slopes (d,), then these."""
        return frozen(np.concatenate([[self.level(slopes)], slopes]))

    def loss(self, w: Float) -> float:
        """Σ (y − h)², never below zero by rounding, of weights whose w₀ belongs to the slopes."""
        slopes = w[1:]
        return max(float(self.square - 2 * self.b @ slopes + slopes @ self.G @ slopes), 0.0)

    @cached_property
    def bowl(self) -> Bowl:
        """The loss Σ (y − h)² as a function of the slopes, with the best w₀ for each."""
        w, _ = least_squares(self.turned(self.X), self.y)
        return Bowl(self.G, w[1:], self.loss(w))

    @property
    def most(self) -> float:
        """The strength, against the sum of squares, from which on q = 1 sets all weights to 0."""
        return 2 * float(np.abs(self.b).max(initial=0))


def ridge(G: Float, b: Float, strength: float) -> Float:
    """(d,) the slopes (G + strength · I)⁻¹ b, of least Σ (y − h)² + strength · Σ w².

    Where rounding leaves no inverse, the smallest slopes that do as well.
    """
    A = G + strength * np.eye(len(b))
    size = np.sqrt(A.diagonal())
    size = np.where(size > 0, size, 1.0)
    # in one size, or small units would be lost beside large ones
    values, axes = np.linalg.eigh(A / size / size[:, None])
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
