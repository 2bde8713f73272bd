"""Least squares: the linear model, its loss as a bowl over the weights, exact lines, the principal axis. AIMA 18.6."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from engine.core.arrays import Float, Int, frozen
from engine.core.errors import EngineError
from engine.core.problem import Problem
from engine.core.sums import add_up

FLAT = 1e-10  # share of the largest curvature below which a direction of the bowl is level


LARGEST = 1e40  # with larger numbers a single step of descent could overflow


def training_rows(problem: Problem) -> tuple[Float, Float, Int]:
    """(X, y, rows): the rows whose value is known, and their numbers in the table."""
    rows = np.flatnonzero(np.isfinite(problem.y))
    if not len(rows):
        raise EngineError("No row has a value to learn from: fill in the target column.")
    X, y = problem.X, np.asarray(problem.y, np.float64)
    X, y = (X, y) if len(rows) == problem.n else (X[rows], y[rows])
    if max(np.abs(X).max(initial=0), np.abs(y).max()) > LARGEST:
        raise EngineError("Some numbers are too large to be squared: measure the columns in a larger unit.")
    return X, y, rows


def with_ones(X: Float) -> Float:
    """X (n, d) with the dummy input x₀ = 1 as first column. AIMA 18.6.2."""
    return np.column_stack([np.ones(len(X)), X])


def linear_values(w: Float, X: Float) -> Float:
    """h(x) = w₀ + w₁ x₁ + … for rows X (m, d) and w (d + 1,)."""
    values: Float = X @ w[1:] + w[0]
    return values


def sum_of_squares(errors: Float) -> float:
    return float(errors @ errors)


def root_mean_square(loss: float, n: int) -> float:
    """RMSE of a sum of squares over n rows. MMDS Ex 12.2 calls the sum itself by that name."""
    return float(np.sqrt(loss / n))


def least_squares(X: Float, y: Float, origin: bool = False) -> tuple[Float, bool]:
    """(w (d + 1,), unique): the weights of least Σ (y − h)², w₀ = 0 when `origin`. AIMA Eq 18.3, 18.6.2.

    Where they are not unique, those of least size, every column measured in its own spread and w₀ free.
    """
    middle, level = (np.zeros(X.shape[1]), 0.0) if origin else (X.mean(0), float(y.mean()))
    centred = X - middle
    size = np.sqrt(np.einsum("ij,ij->j", centred, centred))
    size[size <= 1e-13 * np.sqrt(len(X)) * np.abs(X).max(axis=0, initial=0)] = np.inf
    slopes, _, rank, _ = np.linalg.lstsq(centred / size, y - level, rcond=None)
    slopes = slopes / size
    return frozen(np.concatenate([[level - slopes @ middle], slopes])), int(rank) == X.shape[1]


def principal_axis(X: Float, y: Float, origin: bool = False) -> tuple[Float, bool]:
    """(w (d + 1,), unique): the line or plane of least squared perpendicular distances. MMDS Ex 12.2.

    Raises EngineError when it stands upright and is no function of x.
    """
    rows = np.column_stack([X, y])
    middle = np.zeros(rows.shape[1]) if origin else rows.mean(0)
    few = len(rows) < rows.shape[1]  # else U would be as wide as it is tall
    _, sizes, axes = np.linalg.svd(rows - middle, full_matrices=few)
    sizes = np.append(sizes, np.zeros(rows.shape[1] - len(sizes)))
    normal = axes[-1]
    unique = bool(sizes[-2] - sizes[-1] > 1e-9 * sizes[0])
    if not unique:  # every line through the middle is as good: the level one is taken
        normal = np.eye(rows.shape[1])[-1]
    if abs(normal[-1]) <= 1e-9:
        raise EngineError(
            "The line nearest to the points by perpendicular distance stands upright: it gives no value for x. Measure "
            "the distances along y instead."
        )
    slopes = -normal[:-1] / normal[-1]
    return frozen(np.concatenate([[middle[-1] - slopes @ middle[:-1]], slopes])), unique


def perpendicular(w: Float, errors: Float) -> Float:
    """Distances from the line that belong to vertical errors y − h."""
    return errors / np.sqrt(1 + w[1:] @ w[1:])


# -- the loss over the weights -----------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Bowl:
    """The convex loss over k weights: least + (w − centre)ᵀ H (w − centre). AIMA Fig 18.13(b)."""

    H: Float
    centre: Float
    least: float

    def __call__(self, W: Float) -> Float:
        """Loss at places W (m, k)."""
        away = W - self.centre
        return np.asarray(self.least + np.einsum("ij,jk,ik->i", away, self.H, away))

    def section(self, pair: tuple[int, int], w: Float) -> "Bowl":
        """The bowl over two weights, the others held as in w."""
        two = list(pair)
        rest = [k for k in range(len(w)) if k not in pair]
        H = self.H[np.ix_(two, two)]
        pull = self.H[np.ix_(two, rest)] @ (w - self.centre)[rest]
        centre = self.centre[two] - np.linalg.pinv(H, hermitian=True) @ pull
        lowest = w.copy()
        lowest[two] = centre
        return Bowl(H, centre, float(self(lowest[None])[0]))

    @property
    def curvatures(self) -> Float:
        """Eigenvalues of H, ascending, none below 0."""
        return np.maximum(np.asarray(np.linalg.eigvalsh(self.H), np.float64), 0.0)

    @property
    def round_bottom(self) -> bool:
        """One lowest place, not a level valley."""
        values = self.curvatures
        return bool(values[0] > FLAT * values[-1])

    def reach(self, w: Float) -> float:
        """How far w is from the bottom: the root of the loss above the least."""
        away = w - self.centre
        return float(max(float(away @ self.H @ away), 0.0) ** 0.5)


def loss_bowl(X: Float, y: Float) -> Bowl:
    """Σ (y − h)² over (w₀, w₁, …, w_d)."""
    A = with_ones(X)
    centre, _ = least_squares(X, y)
    return Bowl(A.T @ A, centre, sum_of_squares(y - A @ centre))


def critical_rate(A: Float) -> float:
    """2 / λ_max(AᵀA): batch descent w ← w + α Σ (y − h) x settles for every smaller α. AIMA 18.6.1."""
    largest = float(np.linalg.norm(A, 2)) ** 2
    return 2.0 / largest if largest > 0 else float("inf")


def valley(A: Float) -> float:
    """How many times longer than wide the ovals of the loss are; ∞ for a level valley."""
    sizes = np.linalg.svd(A, compute_uv=False)
    if len(A) < A.shape[1] or sizes[-1] <= np.sqrt(FLAT) * 1e-3 * sizes[0]:
        return float("inf")
    return float(sizes[0] / sizes[-1])


# -- numbers for paper -------------------------------------------------------------------------------------------------


def fractions(values: Float, digits: int = 2, most: float = 1000) -> list[Fraction] | None:
    """The values as exact fractions when they are short decimals and not large, else None."""
    scaled = np.asarray(values) * 10**digits
    whole = np.round(scaled)
    if not len(scaled) or (np.abs(scaled - whole) > 1e-12 * np.abs(whole)).any() or np.abs(values).max() > most:
        return None
    return [Fraction(round(v), 10**digits) for v in scaled.tolist()]


@dataclass(frozen=True, slots=True)
class Sums:
    """What Eq 18.3 needs: N, Σx, Σy, Σx², Σxy, Σy². Numbers, exact where the data allow it."""

    n: int
    x: Fraction | float
    y: Fraction | float
    xx: Fraction | float
    xy: Fraction | float
    yy: Fraction | float

    @property
    def spread(self) -> Fraction | float:
        """N Σx² − (Σx)²: zero when all x are equal."""
        return self.n * self.xx - self.x * self.x


def column_sums(x: Float, y: Float) -> Sums:
    """The sums of one column and its values; up to thirty short decimals are added as fractions."""
    a, b = (fractions(x), fractions(y)) if len(x) <= 30 else (None, None)
    if a is not None and b is not None:
        zero = Fraction(0)
        xx, xy = add_up((v * v for v in a), zero), add_up((u * v for u, v in zip(a, b, strict=True)), zero)
        return Sums(len(a), add_up(a, zero), add_up(b, zero), xx, xy, add_up((v * v for v in b), zero))
    return Sums(len(x), float(x.sum()), float(y.sum()), float(x @ x), float(x @ y), float(y @ y))


def readable(value: Fraction | float, most: int = 1000) -> Fraction | float:
    """A fraction as it is while its denominator is small, else a number."""
    return value if isinstance(value, Fraction) and value.denominator < most else float(value)
