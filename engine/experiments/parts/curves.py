"""Curves over a number that an experiment varies: axes in even steps or in powers, a line with its
band and its name at the end.
"""

from collections.abc import Iterable, Sequence
from math import inf
from typing import NamedTuple

import numpy as np

from engine.core.arrays import Float
from engine.core.layers import NO_GROUP, Band, Layer, Points, Polyline, Role
from engine.core.notation import short
from engine.core.problem import Problem
from engine.core.records import Record
from engine.numerics.closeness import whole_above

FLOOR = -0.09  # of the height: where marks stand that have no place on a curve yet
_AIR = 0.04
_ROOM = 0.16  # at the right, for the names of lines
_LINE, _WAY = 0.07, 0.03  # of an axis: between two names, and from the end of a line to its name


class Axis(Record, eq=True):
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
        return tuple(
            (float(np.log10(mark)), short(mark)) for mark in marks if self.low <= mark <= self.high
        )


def curve_layers(
    x: Float, mean: Float, spread: Float, name: str, tag: str, role: Role = Role.BOUNDARY
) -> tuple[Layer, ...]:
    """A line through the means with a band of one deviation on both sides; x, mean, spread (m,)."""
    band: tuple[Layer, ...] = (Band(x, mean - spread, mean + spread, tag="band"),) if len(x) else ()
    return (*band, Polyline(np.column_stack([x, mean]), role, label=name, tag=tag))


def stations(
    x: Float, known: Sequence[float], floor: float, tags: Sequence[str]
) -> tuple[Layer, ...]:
    """A mark for each number x (m,) that is varied, on the curve as far as that is known, then at
    the floor; tags (m,): of the steps that are shown to whoever clicks it.
    """
    y = np.full(len(x), floor)
    done = np.arange(len(x)) < len(known)
    y[: len(known)] = np.where(np.isfinite(known), known, floor)
    return tuple(
        Points(
            np.column_stack([x, y])[part],
            np.full(int(part.sum()), NO_GROUP),
            role,
            tags=tuple(np.array(tags)[part].tolist()),
        )
        for part, role in ((~done, Role.INACTIVE), (done, Role.PLAIN))
    )


def upwards(problem: Problem, most: float) -> float:
    """Up to where errors are drawn: in steps, so that the picture seldom moves while it grows, and
    of values not far beyond the error of their mean, so that a curve that leaves the picture hides
    nothing of the rest.
    """
    if not problem.regress:
        return whole_above(10 * max(most, 0.25)) / 10
    enough = 2 * float(np.var(problem.y)) or 1.0
    return min(enough, float(2.0 ** (np.ceil(2 * np.log2(1.1 * most or 1.0)) / 2)))


class End(NamedTuple):
    """Where a line ends, what it is called, and its tag."""

    x: float
    y: float
    name: str
    tag: str


def names_at_ends(
    ends: Sequence[End], wide: float, high: float, past: float = -inf
) -> tuple[Layer, ...]:
    """The names of lines at the right of their ends, spread where those lie close, with a dotted
    way to each. wide, high: the ranges of the axes; past: a place beyond the ends that the names
    leave free.
    """
    ordered = sorted(ends, key=lambda end: end.y)
    y = spread([end.y for end in ordered], _LINE * high)
    x = max((end.x for end in ordered), default=0.0)
    x = max(x, past) + _WAY * wide
    return tuple(
        Polyline(np.array([[end.x, end.y], [x, at]]), Role.SAME, label=end.name, tag=end.tag)
        for end, at in zip(ordered, y, strict=True)
    )


def spread(places: Sequence[float], least: float) -> list[float]:
    """Ascending places moved as little as need be, in squares, to lie at least so far apart."""
    # sum and number of neighbours that touch, each less the room of those below
    pools: list[tuple[float, int]] = []
    for i, place in enumerate(places):
        total = place - i * least
        count = 1
        while pools and pools[-1][0] / pools[-1][1] > total / count:
            below = pools.pop()
            total = total + below[0]
            count = count + below[1]
        pools.append((total, count))
    means = [total / count for total, count in pools for _ in range(count)]
    return [mean + i * least for i, mean in enumerate(means)]
