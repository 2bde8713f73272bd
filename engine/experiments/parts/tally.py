"""Numbers that come one by one, with their mean and standard deviation."""

from collections.abc import Iterator
from math import isnan, nan, sqrt

from engine.base.arrays import Prefix
from engine.base.records import Record, field


def empty() -> Prefix[float]:
    """An empty log of numbers."""
    return Prefix([], 0)


class Tally(Record):
    """k numbers x in their order, with their mean, Σ x / k, and standard deviation,
    √(Σ (x − mean)² / (k − 1)).

    values: all of them, NaN for one that could not be had, which does not count
    count: k
    total: Σ x
    spread: Σ (x − mean)²
    """

    values: Prefix[float] = field(default_factory=empty)
    count: int = 0
    total: float = 0.0
    spread: float = 0.0

    def plus(self, value: float) -> "Tally":
        """The tally with one more value; NaN is kept among the values but does not count."""
        values = self.values.plus(value)
        if isnan(value):
            return Tally(values, self.count, self.total, self.spread)
        far = value - self.mean if self.count else 0.0
        spread = self.spread + far**2 * self.count / (self.count + 1)
        return Tally(values, self.count + 1, self.total + value, spread)

    def __len__(self) -> int:
        return len(self.values)

    def __iter__(self) -> Iterator[float]:
        return iter(self.values)

    @property
    def last(self) -> float:
        """The last value, NaN where there is none."""
        return self.values[-1] if len(self.values) else nan

    @property
    def mean(self) -> float:
        """Σ x / k, NaN where k = 0."""
        return self.total / self.count if self.count else nan

    @property
    def deviation(self) -> float:
        """√(Σ (x − mean)² / (k − 1)), the sample's standard deviation; NaN for fewer than two."""
        return sqrt(self.spread / (self.count - 1)) if self.count > 1 else nan
