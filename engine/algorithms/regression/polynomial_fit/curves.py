"""Polynomials of least cost, held as Chebyshev sums over the data's range, so that high degrees stay exact. AIMA 18.2."""

from dataclasses import dataclass

import numpy as np
from numpy.polynomial import chebyshev, polynomial

from engine.core.arrays import Float, frozen

LARGEST = 1e140  # squares of such coefficients can still be added up


@dataclass(frozen=True, slots=True)
class Fit:
    """A fitted curve. series: Chebyshev coefficients over t = (x − middle) / half, that of sin x last when `sine`;
    powers: the same curve as c₀, c₁, … of x, and of sin x; unique: no other curve of the basis is as good."""

    degree: int
    series: Float
    powers: Float
    middle: float
    half: float
    sine: bool
    unique: bool

    def __call__(self, x: Float) -> Float:
        """Values at x (m,), NaN where it is; far outside of the data they are held at ±10¹⁴⁰."""
        with np.errstate(over="ignore", invalid="ignore"):
            values = chebyshev.chebval((x - self.middle) / self.half, self.series[: self.degree + 1])
            if self.sine:
                values = values + self.series[-1] * np.sin(x)
        held = np.nan_to_num(values, nan=0.0, posinf=LARGEST, neginf=-LARGEST)
        return np.where(np.isnan(x), np.nan, held)


@dataclass(frozen=True, eq=False)
class Basis:
    """The columns of all degrees up to the highest, reduced to a triangle by one QR factorisation.

    rows (n, k): Chebyshev columns over (x − middle) / half, and sin x when `sine`; triangle: R of [rows, y].
    """

    rows: Float
    triangle: Float
    n: int
    middle: float
    half: float
    sine: bool

    def columns(self, degree: int) -> list[int]:
        return [*range(degree + 1), *([self.rows.shape[1] - 1] if self.sine else [])]

    def values(self, fit: Fit) -> Float:
        """The curve at the data's own x, from the columns that are there already."""
        return np.asarray(self.rows[:, self.columns(fit.degree)] @ fit.series)

    def least_cost(self, degree: int, penalty: float = 0.0) -> Fit:
        """The curve of least (1/N) Σ (y − h)² + penalty · (c₁² + … + c_k²); c₀ is not penalised. AIMA 18.4.3.

        Of several curves that are as good (more coefficients than different x) the one with the smallest series.
        """
        powers = power_map(degree, self.middle, self.half, self.sine)
        rows, values = self.triangle[:, self.columns(degree)], self.triangle[:, -1]
        if penalty > 0:
            rows = np.vstack([rows, np.sqrt(self.n * penalty) * powers[1:]])
            values = np.concatenate([values, np.zeros(len(powers) - 1)])
        size = np.linalg.norm(rows, axis=0)
        size[(size == 0) | ~np.isfinite(size)] = 1.0
        solved, _, rank, _ = np.linalg.lstsq(rows / size, values, rcond=None)
        series = solved / size
        with np.errstate(over="ignore", invalid="ignore"):
            c = np.nan_to_num(powers @ series, nan=0.0, posinf=LARGEST, neginf=-LARGEST)
        unique = int(rank) == rows.shape[1]
        return Fit(degree, frozen(series), frozen(c), self.middle, self.half, self.sine, unique)


def basis(x: Float, y: Float, degree: int, sine: bool = False) -> Basis:
    """The basis for fits up to `degree` to the points (x, y)."""
    middle = float(x.max() / 2 + x.min() / 2)
    half = float(x.max() / 2 - x.min() / 2) or 1.0
    rows = chebyshev.chebvander((x - middle) / half, degree)
    rows = np.column_stack([rows, np.sin(x)]) if sine else rows
    triangle = np.linalg.qr(np.column_stack([rows, y]), mode="r")
    return Basis(np.asarray(rows, np.float64), np.asarray(triangle, np.float64), len(x), middle, half, sine)


def power_map(degree: int, middle: float, half: float, sine: bool) -> Float:
    """(k, k) from Chebyshev coefficients over (x − middle) / half to those of the powers of x (and of sin x)."""
    k = degree + 1 + sine
    made = np.zeros((k, k))
    inner = np.array([-middle / half, 1 / half])
    with np.errstate(over="ignore", invalid="ignore", under="ignore"):
        earlier, now = np.array([1.0]), inner
        for j in range(degree + 1):
            made[: len(earlier), j] = earlier
            following = polynomial.polysub(2 * polynomial.polymul(inner, now), earlier)
            earlier, now = now, following
    if sine:
        made[-1, -1] = 1.0
    return np.clip(np.nan_to_num(made, nan=0.0), -LARGEST, LARGEST)
