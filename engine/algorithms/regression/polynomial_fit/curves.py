"""Polynomials of least cost, kept as Chebyshev sums over the data's range, so that high degrees
stay exact. AIMA 18.2.
"""

from typing import Any, TypeVar

from numpy.polynomial import chebyshev, polynomial

from engine.algorithms.regression.parts.fits import Examples
from engine.authoring import EngineError, Float, Record, cached_property, frozen, np

P = TypeVar("P")
LARGEST = 1e140  # squares of such coefficients can still be added up


class Fit(Record):
    """A fitted curve.

    degree: the highest power of x in it
    series: Chebyshev coefficients over t = (x − middle) / half, that of sin x last when `sine`
    powers: the same curve as c₀, c₁, … of the powers of x, and the coefficient of sin x
    middle, half: of the range of the examples
    sine: whether sin x belongs to it
    unique: whether no other curve of the basis is as good
    """

    degree: int
    series: Float
    powers: Float
    middle: float
    half: float
    sine: bool
    unique: bool

    def __call__(self, x: Float) -> Float:
        """(m,) values at x (m,), NaN where it is; far outside of the data at most ±10¹⁴⁰."""
        t = (x - self.middle) / self.half
        with np.errstate(over="ignore", invalid="ignore"):
            values = chebyshev.chebval(t, self.series[: self.degree + 1])
            if self.sine:
                values = values + self.series[-1] * np.sin(x)
        return np.where(np.isnan(x), np.nan, bounded(np.asarray(values)))


def bounded(values: Float) -> Float:
    """The values with ±∞ replaced by ±10¹⁴⁰ and NaN by 0."""
    return np.nan_to_num(values, nan=0.0, posinf=LARGEST, neginf=-LARGEST)


class Curves(Examples[P]):
    """The examples, and the least-squares curves over one column."""

    p: Any

    @property
    def sine(self) -> bool:
        """Whether sin x belongs to the basis."""
        return bool(self.p.basis == "with sine")

    @property
    def penalty(self) -> float:
        """λ, the weight of Σ c²."""
        return float(self.p.penalty)

    @cached_property
    def middle(self) -> float:
        """The middle of the range of x."""
        return float(self.x.max() / 2 + self.x.min() / 2)

    @cached_property
    def half(self) -> float:
        """Half of the range of x, 1 where all examples are at one place."""
        return float(self.x.max() / 2 - self.x.min() / 2) or 1.0

    @cached_property
    def column(self) -> int:
        """The index of the column of the curve, the plane's first. Raises EngineError where the
        table has no plane.
        """
        if not self.problem.plane:
            raise EngineError(
                "Polynomial fit needs a column of numbers to run the curve over; the columns hold"
                " words."
            )
        return self.problem.plane[0]

    @cached_property
    def x(self) -> Float:
        """(n,) the column of the curve."""
        return self.X[:, self.column]

    @cached_property
    def basis(self) -> Float:
        """(n, k) Chebyshev polynomials of x of all degrees up to the highest, then sin x if it
        belongs to them.
        """
        t = (self.x - self.middle) / self.half
        polynomials = np.asarray(chebyshev.chebvander(t, self.p.degree), np.float64)
        if self.sine:
            return np.column_stack([polynomials, np.sin(self.x)])
        return polynomials

    @cached_property
    def triangle(self) -> Float:
        """(≤ k + 1, k + 1) R of the QR factorisation of [basis, y], from which the least-squares
        fits follow.
        """
        rows = np.column_stack([self.basis, self.y])
        return np.asarray(np.linalg.qr(rows, mode="r"), np.float64)

    def columns(self, degree: int) -> list[int]:
        """The indices of the basis columns used by a curve of this degree."""
        powers = list(range(degree + 1))
        return [*powers, self.p.degree + 1] if self.sine else powers

    def errors(self, fit: Fit) -> Float:
        """(n,) y − h of the examples for a fit."""
        return np.asarray(self.y - self.basis[:, self.columns(fit.degree)] @ fit.series)

    def least_cost(self, degree: int) -> Fit:
        """The curve of this degree of least (1/N) Σ (y − h)² + λ (c₁² + … + cₖ²). AIMA 18.4.3.

        c₀ is not penalised. Of several curves that are as good (more coefficients than different
        x) the one with the smallest series.
        """
        powers = power_map(degree, self.middle, self.half, self.sine)
        rows = self.triangle[:, self.columns(degree)]
        values = self.triangle[:, -1]
        if self.penalty > 0:  # a row √(N λ) c = 0 for each coefficient adds N λ c² to the loss
            rows = np.vstack([rows, np.sqrt(self.n * self.penalty) * powers[1:]])
            values = np.concatenate([values, np.zeros(len(powers) - 1)])
        size = np.linalg.norm(rows, axis=0)
        size[(size == 0) | ~np.isfinite(size)] = 1.0
        solved, _, rank, _ = np.linalg.lstsq(rows / size, values, rcond=None)
        series = solved / size
        with np.errstate(over="ignore", invalid="ignore"):
            c = bounded(powers @ series)
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
    earlier = np.array([1.0])
    inner = np.array([-middle / half, 1 / half])
    now = inner
    with np.errstate(over="ignore", invalid="ignore", under="ignore"):
        for j in range(degree + 1):
            made[: len(earlier), j] = earlier
            later = polynomial.polysub(2 * polynomial.polymul(inner, now), earlier)
            earlier = now
            now = later
    return np.clip(np.nan_to_num(made, nan=0.0), -LARGEST, LARGEST)
