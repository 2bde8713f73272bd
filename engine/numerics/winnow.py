"""Winnow's weights as powers of its factor, compared with the threshold without rounding. MMDS 12.2.3-12.2.4."""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import compress

import numpy as np

from engine.core.arrays import Bool, Float, Int
from engine.core.sums import add_up

DOUBTFUL = 1e-9  # scores this near to the threshold, relative to both, are compared as whole numbers
NEAR = 1e-12  # other places with scores this near, relative to both, lie on the threshold
FARTHEST = 600.0  # a weight beyond e^±600 has run away


@dataclass(frozen=True, eq=False)
class Scale:
    """w_i = factor^k_i and θ = start·factor^k_θ; powers k (d + 1,) hold θ's last. start: d when θ stays, else 1; on_it: the
    side of a row on the threshold, 0 for neither."""

    factor: Fraction
    start: int
    on_it: int = 0

    def exact(self, powers: Int) -> tuple[Fraction, ...]:
        """(d + 1) weights, and θ last."""
        values = [self.factor ** int(k) for k in powers]
        return (*values[:-1], self.start * values[-1])

    def floats(self, powers: Int) -> Float:
        values = float(self.factor) ** powers.astype(np.float64)
        values[-1] *= self.start
        return values

    def runs_away(self, powers: Int) -> bool:
        return float(np.abs(powers).max()) * self.log > FARTHEST

    @cached_property
    def log(self) -> float:
        return float(np.log(float(self.factor)))

    def sides(self, X: Float, powers: Int) -> Int:
        """(n,) sign of w·x − θ for 0/1 rows: +1, −1, exactly on the threshold `on_it`."""
        values = self.floats(powers)
        score, theta = X @ values[:-1], values[-1]
        gap = score - theta
        sides: Int = np.sign(gap).astype(np.intp)
        doubtful = np.flatnonzero(np.abs(gap) <= DOUBTFUL * (score + theta))
        if len(doubtful):
            sides[doubtful] = self._sides_in_whole_numbers(X[doubtful] > 0, powers)
        return np.where(sides == 0, self.on_it, sides)

    def gaps(self, X: Float, powers: Int) -> Float:
        """(n,) w·x − θ; of 0/1 rows without rounding where they lie near the threshold, else 0 there."""
        values = self.floats(powers)
        gap = X @ values[:-1] - values[-1]
        sizes = np.abs(X) @ values[:-1] + values[-1]
        whole = ((X == 0) | (X == 1)).all(axis=1)
        gap = np.where(~whole & (np.abs(gap) <= NEAR * sizes), 0.0, gap)
        doubtful = np.flatnonzero(whole & (np.abs(gap) <= DOUBTFUL * sizes))
        if len(doubtful):
            exact = self.exact(powers)
            gap[doubtful] = [float(add_up(compress(exact, row), -exact[-1])) for row in X[doubtful] > 0]
        return gap

    def _sides_in_whole_numbers(self, X: Bool, powers: Int) -> list[int]:
        """All values times one number that makes each of them whole."""
        low, high = int(powers.min()), int(powers.max())
        up, down = self.factor.numerator, self.factor.denominator
        whole = [up ** (int(k) - low) * down ** (high - int(k)) for k in powers]
        gaps = [add_up(compress(whole, row)) - self.start * whole[-1] for row in X.tolist()]
        return [(gap > 0) - (gap < 0) for gap in gaps]


def next_wrong(scale: Scale, X: Float, sign: Float, order: Int, at: int, powers: Int) -> int:
    """Position in `order`, from `at` on, of the first example that is not strictly on its side; else its length."""
    size = 64
    while at < len(order):
        rows = order[at : at + size]
        wrong = scale.sides(X[rows], powers) != sign[rows]
        if wrong.any():
            return at + int(wrong.argmax())
        at, size = at + size, size * 4
    return len(order)
