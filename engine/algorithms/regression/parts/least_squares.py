"""Least squares: the linear model, its loss as a bowl over the weights, exact lines. AIMA 18.6."""

from collections.abc import Iterable

from engine.authoring import EngineError, Float, Int, Problem, Record, Work, np
from engine.numerics.closeness import more
from engine.numerics.least_squares import least_squares as least_squares

LARGEST = 1e40  # with larger numbers a single step of descent could overflow


def training_rows(problem: Problem) -> tuple[Float, Float, Int]:
    """(X (n, d), y (n,), rows (n,)): the rows whose value is known, and their numbers in the table.

    Raises EngineError without any, and for numbers that are too large.
    """
    rows = np.flatnonzero(np.isfinite(problem.y))
    if not len(rows):
        raise EngineError("No row has a value to learn from: fill in the target column.")
    X = problem.X
    y = np.asarray(problem.y, np.float64)
    if len(rows) < problem.n:
        X = X[rows]
        y = y[rows]
    if max(np.abs(X).max(initial=0), np.abs(y).max()) > LARGEST:
        raise EngineError(
            "Some numbers are too large to be squared: measure the columns in a larger unit."
        )
    return X, y, rows


def with_ones(X: Float) -> Float:
    """(n, d + 1) X (n, d) with the dummy input x₀ = 1 as first column. AIMA 18.6.2."""
    return np.column_stack([np.ones(len(X)), X])


def linear_values(w: Float, X: Float) -> Float:
    """(m,) h(x) = w₀ + w₁ x₁ + … for rows X (m, d) and w (d + 1,)."""
    return np.asarray(X @ w[1:] + w[0])


def sum_of_squares(errors: Float) -> float:
    """Σ (y − h)², from errors y − h (n,)."""
    return float(errors.dot(errors))


def root_mean_square(loss: float, n: int) -> float:
    """RMSE √(loss / n), from a sum of squares over n rows. MMDS Ex 12.2 calls the sum itself
    RMSE.
    """
    return float(np.sqrt(loss / n))


def triangle(blocks: Iterable[Float]) -> Work[Float]:
    """(≤ k, k) R of a QR factorisation of all these rows (m, k), which come block by block: it has
    the same least squares.
    """
    R: Float | None = None
    for block in blocks:
        rows = block if R is None else np.vstack([R, block])
        R = np.asarray(np.linalg.qr(rows, mode="r"), np.float64)
        yield
    assert R is not None
    return R


class Bowl(Record):
    """The convex loss over k weights: least + (w − centre)ᵀ H (w − centre). AIMA Fig 18.13(b).

    H: (k, k) half of its second derivatives
    centre: (k,) a lowest place
    least: the loss there
    """

    H: Float
    centre: Float
    least: float

    def __call__(self, W: Float) -> Float:
        """(m,) the loss at places W (m, k)."""
        away = W - self.centre
        return np.asarray(self.least + np.einsum("ij,jk,ik->i", away, self.H, away))

    def section(self, pair: tuple[int, int], w: Float) -> "Bowl":
        """The bowl over two weights, with the others held at w (d + 1,)."""
        two = list(pair)
        rest = [k for k in range(len(w)) if k not in pair]
        H = self.H[np.ix_(two, two)]
        pull = self.H[np.ix_(two, rest)] @ (w - self.centre)[rest]
        centre = self.centre[two] - np.linalg.pinv(H, hermitian=True) @ pull
        lowest = w.copy()
        lowest[two] = centre
        return Bowl(H, centre, float(self(lowest[None])[0]))

    @property
    def round_bottom(self) -> bool:
        """Whether there is one lowest place, not a level valley."""
        curvatures = np.maximum(np.linalg.eigvalsh(self.H), 0.0)
        return bool(more(curvatures[0], 0.0, curvatures[-1]))

    def reach(self, w: Float) -> float:
        """The square root of the loss at w above its minimum."""
        away = w - self.centre
        return float(max(float(away @ self.H @ away), 0.0) ** 0.5)


def loss_bowl(X: Float, y: Float, A: Float) -> Bowl:
    """The loss Σ (y − h)² as a function of (w₀, …, w_d). A: X (n, d) with the dummy input"""
    centre, _ = least_squares(X, y)
    return Bowl(A.T @ A, centre, sum_of_squares(y - A @ centre))
