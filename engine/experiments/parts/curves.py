"""Curves over a number that an experiment varies: axes in even steps or in powers, a line with its band and its name at the end."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from engine.core.arrays import Float
from engine.core.layers import Band, Layer, Polyline, Role
from engine.core.notation import short

_AIR = 0.04
_ROOM = 0.16  # at the right, for the names of lines


@dataclass(frozen=True)
class Axis:
    """From low to high; powers: the places are log₁₀ of the numbers, low > 0."""

    low: float
    high: float
    powers: bool = False

    def place(self, value: float) -> float:
        return float(np.log10(value)) if self.powers else float(value)

    def places(self, values: Iterable[float]) -> Float:
        return np.array([self.place(value) for value in values], np.float64)

    @property
    def range(self) -> tuple[float, float]:
        low, high = self.place(self.low), self.place(self.high)
        wide = (high - low) or 1.0
        return low - _AIR * wide, high + _ROOM * wide

    @property
    def ticks(self) -> tuple[tuple[float, str], ...]:
        """1, 2, 5, 10 … in powers; () for the numbers that fit."""
        if not self.powers:
            return ()
        first, last = int(np.floor(np.log10(self.low))), int(np.ceil(np.log10(self.high)))
        marks = [step * 10.0**power for power in range(first, last + 1) for step in (1, 2, 5)]
        return tuple((float(np.log10(mark)), short(mark)) for mark in marks if self.low <= mark <= self.high)


def curve_layers(
    x: Float, mean: Float, spread: Float, name: str, tag: str, role: Role = Role.BOUNDARY
) -> tuple[Layer, ...]:
    """A line through the means with a band of one deviation on both sides; x, mean, spread (m,)."""
    band: tuple[Layer, ...] = (Band(x, mean - spread, mean + spread, tag="band"),) if len(x) else ()
    return (*band, Polyline(np.column_stack([x, mean]), role, label=name, tag=tag))
