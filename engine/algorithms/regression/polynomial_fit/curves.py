"""Polynomials of least cost, held as Chebyshev sums over the data's range, so that high degrees
stay exact. AIMA 18.2.
"""

from typing import Any, TypeVar

from numpy.polynomial import chebyshev, polynomial

from engine.algorithms.regression.parts.fits import Examples
from engine.authoring import EngineError, Float, Record, cached_property, frozen, np

P = TypeVar("P")
LARGEST = 1e140  # squares of such coefficients can still be added up


class Fit(Record, eq=True):
    """A fitted curve. series: Chebyshev coefficients over t = (x − middle) / half, that of sin x
    last when `sine`; powers: the same curve as c₀, c₁, … of x, and of sin x; unique: no other curve
    of the basis is as good.
    """

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
            values = chebyshev.chebval(
                (x - self.middle) / self.half, self.series[: self.degree + 1]
            )
            if self.sine:
                values = values + self.series[-1] * np.sin(x)
        return np.where(np.isnan(x), np.nan, held(np.asarray(values)))


def held(values: Float) -> Float:
    return np.nan_to_num(values, nan=0.0, posinf=LARGEST, neginf=-LARGEST)


class Curves(Examples[P]):
    """x (n,): the one column that the curve runs over, with the middle and half of its range; basis
    (n, k): Chebyshev columns of all degrees up to the highest, and sin x when `sine`; triangle: R
    of [basis, y], to which one QR factorisation reduces them.
    """

    p: Any
    sine = property(lambda given: given.p.basis == "with sine")
    middle = cached_property(lambda given: float(given.x.max() / 2 + given.x.min() / 2))
    half = cached_property(lambda given: float(given.x.max() / 2 - given.x.min() / 2) or 1.0)

    @cached_property
    def column(self) -> int:
        """The plane's first."""
        if not self.problem.plane:
            raise EngineError(
                "Polynomial fit needs a column of numbers to run the curve over; the columns hold"
                " words."
            )
        return self.problem.plane[0]

    @cached_property
    def x(self) -> Float:
        return self.X[:, self.column]

    @cached_property
    def basis(self) -> Float:
        rows = chebyshev.chebvander((self.x - self.middle) / self.half, self.p.degree)
        return np.column_stack([rows, np.sin(self.x)]) if self.sine else np.asarray(rows)

    @cached_property
    def triangle(self) -> Float:
        return np.asarray(np.linalg.qr(np.column_stack([self.basis, self.y]), mode="r"))

    def columns(self, degree: int) -> list[int]:
        return [*range(degree + 1), *([self.p.degree + 1] * self.sine)]

    def errors(self, fit: Fit) -> Float:
        """(n,) y − h, from the columns that are there already."""
        return np.asarray(self.y - self.basis[:, self.columns(fit.degree)] @ fit.series)

    def least_cost(self, degree: int) -> Fit:
        """The curve of least (1/N) Σ (y − h)² + penalty · (c₁² + … + c_k²); c₀ is not penalised.

        AIMA 18.4.3.

        Of several curves that are as good (more coefficients than different x) the one with the
        smallest series.
        """
        powers = power_map(degree, self.middle, self.half, self.sine)
        rows, values = self.triangle[:, self.columns(degree)], self.triangle[:, -1]
        if self.p.penalty > 0:
            rows = np.vstack([rows, np.sqrt(self.n * self.p.penalty) * powers[1:]])
            values = np.concatenate([values, np.zeros(len(powers) - 1)])
        size = np.linalg.norm(rows, axis=0)
        size[(size == 0) | ~np.isfinite(size)] = 1.0
        solved, _, rank, _ = np.linalg.lstsq(rows / size, values, rcond=None)
        series = solved / size
        with np.errstate(over="ignore", invalid="ignore"):
            c = held(powers @ series)
        return Fit(
            degree,
            frozen(series),
            frozen(c),
            self.middle,
            self.half,
            self.sine,
            int(rank) == len(series),
        )


def power_map(degree: int, middle: float, half: float, sine: bool) -> Float:
    """(k, k) from Chebyshev coefficients over (x − middle) / half to those of the powers of x (and
    of sin x).
    """
    made = np.eye(degree + 1 + sine)
    earlier, now = np.array([1.0]), np.array([-middle / half, 1 / half])
    inner = now
    with np.errstate(over="ignore", invalid="ignore", under="ignore"):
        for j in range(degree + 1):
            made[: len(earlier), j] = earlier
            earlier, now = now, polynomial.polysub(2 * polynomial.polymul(inner, now), earlier)
    return np.clip(np.nan_to_num(made, nan=0.0), -LARGEST, LARGEST)
