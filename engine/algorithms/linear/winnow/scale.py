"""Winnow's weights as powers of its factor, compared with the threshold without rounding.

MMDS 12.2.3-12.2.4.
"""

from fractions import Fraction
from itertools import compress
from math import copysign, log
from typing import Any

from engine.algorithms.linear.parts import P, Rows
from engine.authoring import Bool, Float, Int, cached_property, frozen, np
from engine.core.sums import add_up
from engine.numerics.closeness import equal, settled

FARTHEST = 600.0  # a weight beyond e^±600 has run away

Visit = tuple[int, Int, Int | None]  # row, powers then, powers after a mistake


class Visits(tuple[Visit, ...]):
    """The last visits.

    States share them: the scales of a recording need not go through them at every step.
    """

    own_bytes = property(lambda visits: 120 + 8 * len(visits))


class Scale(Rows[P]):
    """w_i = factor^k_i and θ = first · factor^k_θ; powers k (d + 1,) hold θ's last."""

    factor = Fraction(2)
    first = 1

    def exact(self, powers: Int) -> tuple[Fraction, ...]:
        """(d + 1) weights, and θ last."""
        values = [self.factor ** int(k) for k in powers]
        return (*values[:-1], self.first * values[-1])

    def floats(self, powers: Int) -> Float:
        values = float(self.factor) ** powers.astype(np.float64)
        values[-1] *= self.first
        return frozen(values)

    def line(self, s: Any) -> Float:
        return self.floats(s.powers)

    def former(self, s: Any) -> Float:
        return self.floats(s.before)

    def scored(self, s: Any, X: Float) -> Float:
        return self.gaps(X, s.powers)

    def weights(self, powers: Int) -> tuple[Float, float]:
        """w (d,) and θ as numbers."""
        values = self.floats(powers)
        return values[:-1], float(values[-1])

    farthest = cached_property(lambda given: FARTHEST / log(given.factor))

    def run_away(self, powers: Int) -> bool:
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

    def wrong(self, rows: Int | slice, powers: Int) -> Bool:
        """Which of these training rows do not lie on their side, or have none."""
        problem = self.problem
        return np.asarray(self.called(self.gaps(problem.X[rows], powers)) != problem.codes[rows])

    def _exact_gaps(self, X: Bool, powers: Int) -> list[float]:
        """All values times one number that makes each of them whole, and their gaps by it again."""
        low, high = int(powers.min()), int(powers.max())
        up, down = self.factor.numerator, self.factor.denominator
        whole = [up ** (int(k) - low) * down ** (high - int(k)) for k in powers]
        rows = [*map(tuple, X.tolist())]  # of many rows few differ
        gaps = {row: add_up(compress(whole, row), -self.first * whole[-1]) for row in {*rows}}
        one = self.factor**low / down ** (high - low) if any(gaps.values()) else 0
        # a fraction would be reduced anew for every row
        above, below = one.numerator, one.denominator
        told = {
            row: gap * above / below or copysign(5e-324, gap) if gap else 0.0
            for row, gap in gaps.items()
        }
        return [told[row] for row in rows]
