"""Winnow's weights as powers of its factor, compared with the threshold without rounding.

MMDS 12.2.3-12.2.4.
"""

from fractions import Fraction
from itertools import compress
from math import copysign, log
from typing import Any

from engine.algorithms.linear.parts import P, Rows
from engine.authoring import Bool, Float, Int, cached_property, frozen, np
from engine.base.sums import add_up
from engine.numerics.closeness import equal, settled

FARTHEST = 600.0  # a weight beyond e^±600 has run away
SMALLEST = 5e-324  # above 0

Visit = tuple[int, Int, Int | None]  # row, powers then, powers after a mistake


class Visits(tuple[Visit, ...]):
    """The last visits, a tuple that states share."""

    @property
    def own_bytes(self) -> int:
        """The size of this tuple alone, in bytes."""
        return 120 + 8 * len(self)


class Scale(Rows[P]):
    """w_i = factor^k_i and θ = first · factor^k_θ; powers k (d + 1,) hold θ's last."""

    @property
    def factor(self) -> Fraction:
        """The factor by which weights are multiplied or divided."""
        return Fraction(2)

    @property
    def first(self) -> int:
        """θ where its power is 0."""
        return 1

    @property
    def column(self) -> float:
        """The constant feature of the threshold, −1."""
        return -1.0

    def exact(self, powers: Int) -> tuple[Fraction, ...]:
        """(d + 1,) the weights as exact fractions, θ last."""
        values = [self.factor ** int(k) for k in powers]
        return (*values[:-1], self.first * values[-1])

    def floats(self, powers: Int) -> Float:
        """(d + 1,) the weights as floats, θ last."""
        values = float(self.factor) ** powers.astype(np.float64)
        values[-1] *= self.first
        return frozen(values)

    def weights(self, powers: Int) -> tuple[Float, float]:
        """(w (d,), θ) as floats."""
        values = self.floats(powers)
        return values[:-1], float(values[-1])

    def line(self, s: Any) -> Float:
        """(d + 1,) the weights of a state, θ last."""
        return self.floats(s.powers)

    def previous_line(self, s: Any) -> Float:
        """(d + 1,) the weights of a state before its step, θ last."""
        return self.floats(s.before)

    def scored(self, s: Any, X: Float) -> Float:
        """(m,) w · x − θ of rows X (m, d) by a state."""
        return self.gaps(X, s.powers)

    @cached_property
    def farthest(self) -> float:
        """The power at which a weight counts as diverged."""
        return FARTHEST / log(self.factor)

    def run_away(self, powers: Int) -> bool:
        """Whether some weight, or θ, is too large or too small for another step."""
        return bool(np.abs(powers).max() > self.farthest)

    def gaps(self, X: Float, powers: Int) -> Float:
        """(m,) w·x − θ; of 0/1 rows without rounding where they lie near the threshold, of others 0
        there.
        """
        values = self.floats(powers)
        gap = X @ values[:-1] - values[-1]
        sizes = np.abs(X) @ values[:-1] + values[-1]
        near = np.flatnonzero(equal(gap, 0.0, sizes))
        if len(near):
            whole = ((X[near] == 0) | (X[near] == 1)).all(axis=1)
            gap[near] = settled(gap[near], sizes[near])
            gap[near[whole]] = self._exact_gaps(X[near[whole]] > 0, powers)
        return np.asarray(gap)

    def _exact_gaps(self, X: Bool, powers: Int) -> list[float]:
        """w·x − θ of 0/1 rows without rounding.

        All values are multiplied by one number that makes each of them whole, the gaps divided by
        it again.
        """
        low = int(powers.min())
        high = int(powers.max())
        up = self.factor.numerator
        down = self.factor.denominator
        whole = [up ** (int(k) - low) * down ** (high - int(k)) for k in powers]
        theta = self.first * whole[-1]
        unit = self.factor**low / down ** (high - low)
        rows = [tuple(row) for row in X.tolist()]
        gap_of = {}
        for row in set(rows):  # of many rows few differ
            gap = add_up(compress(whole, row), -theta)
            gap_of[row] = as_float(gap, unit) if gap else 0.0
        return [gap_of[row] for row in rows]


def as_float(gap: int, unit: Fraction) -> float:
    """gap · unit as a float; never 0 for a gap other than 0."""
    return gap * unit.numerator / unit.denominator or copysign(SMALLEST, gap)
