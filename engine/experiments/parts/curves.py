"""Curves over a number that an experiment varies: axes in even steps or in powers, a line with its
band and its name at the end.
"""

from collections.abc import Iterable, Sequence
from itertools import compress
from math import inf
from operator import attrgetter
from typing import NamedTuple

import numpy as np

from engine.base.arrays import Float, frozen
from engine.base.notation import counted, number, short
from engine.base.records import Record, replace
from engine.experiments.parts.baselines import baseline_level
from engine.numerics.closeness import whole_above
from engine.scene.layers import NO_GROUP, Band, Layer, Points, Polyline, Role, Segments
from engine.table.problem import Problem

FLOOR = -0.09  # of the height: where marks stand that have no place on a curve yet
_AIR = 0.04
_ROOM = 0.16  # at the right, for the names of lines
_LINE = 0.07  # of an axis, between two names
_NEAR = 0.25  # of an axis: from the end of a curve to that of the baseline
_WAY = 0.03  # of an axis, from the end of a line to its name
_MARK, _BEFORE = 0.02, 0.008  # of an axis: room for the mark of a line; from there to its name


class Axis(Record):
    """The axis of a varied number from `low` to `high`.

    powers: whether it is logarithmic: places are log₁₀ of the numbers, and low > 0
    """

    low: float
    high: float
    powers: bool = False

    def place(self, value: float) -> float:
        """The coordinate of a number on the axis."""
        return float(np.log10(value)) if self.powers else float(value)

    def places(self, values: Iterable[float]) -> Float:
        """(m,) the coordinates of numbers on the axis."""
        return np.array([self.place(value) for value in values], np.float64)

    @property
    def range(self) -> tuple[float, float]:
        """(low, high) of the plot along this axis, with room at the right for the names of the
        lines.
        """
        low = self.place(self.low)
        high = self.place(self.high)
        wide = (high - low) or 1.0
        return low - _AIR * wide, high + _ROOM * wide

    @property
    def ticks(self) -> tuple[tuple[float, str], ...]:
        """(place, text) of 1, 2, 5, 10 … in powers; () for the numbers that fit."""
        if not self.powers:
            return ()
        first = int(np.floor(np.log10(self.low)))
        last = int(np.ceil(np.log10(self.high)))
        marks = [step * 10.0**power for power in range(first, last + 1) for step in (1, 2, 5)]
        shown = [mark for mark in marks if self.low <= mark <= self.high]
        return tuple((float(np.log10(mark)), short(mark)) for mark in shown)


def curve_layers(
    x: Float, mean: Float, spread: Float, name: str, tag: str, role: Role = Role.BOUNDARY
) -> tuple[Layer, ...]:
    """A line through the means with a band of one deviation on both sides; x, mean, spread (m,)."""
    line = Polyline(np.column_stack([x, mean]), role, label=name, tag=tag)
    if not len(x):
        return (line,)
    return Band(x, mean - spread, mean + spread, tag="band"), line


def baseline_line(
    problem: Problem, axis: Axis, right: bool, beside: Sequence[float] = ()
) -> tuple[Polyline, ...]:
    """The error of the baseline as a level line with its name; () where there is none.

    right: it stands at the share right
    beside: the heights of a curve; the name stands at the end of the line that is farther from it
    """
    ends = axis.places([axis.low, axis.high])
    lines = []
    for level, name in baseline_level(problem, right):
        left = len(beside) > 1 and abs(beside[0] - level) > abs(beside[-1] - level)
        xy = np.column_stack([ends[::-1] if left else ends, [level, level]])
        lines.append(Polyline(xy, Role.GHOST, label=name, tag="baseline"))
    return tuple(lines)


def named_baseline(
    problem: Problem, axis: Axis, right: bool, last: float
) -> tuple[list[Polyline], list["End"]]:
    """The line of the baseline, and its end where its name would stand among those of the curves,
    so that `names_at_ends` keeps them apart; else the line has its name itself.

    last: where the curves end, as a place on the axis
    """
    lines = list(baseline_line(problem, axis, right))
    low, high = axis.range
    if last + _NEAR * (high - low) < axis.place(axis.high):
        return lines, []
    ends = [End(line.xy[-1, 0], line.xy[-1, 1], line.label, line.tag) for line in lines]
    return [replace(line, label="") for line in lines], ends


def upright(x: float) -> Float:
    """(1, 2, 2) a line at x, from below the picture to above it."""
    return frozen([[[x, -inf], [x, inf]]])


def stations(
    x: Float, known: Sequence[float], floor: float, tags: Sequence[str]
) -> tuple[Layer, ...]:
    """A mark for each number that is varied, at x (m,); a click leads to the step of its tag.

    known: the heights of those that are done, where points stand on the curve. Those with NaN, and,
        pale, those to come are ticks up to the floor: a point there would look like a result
    """
    y = np.full(len(x), np.nan)
    y[: len(known)] = known
    measured = np.isfinite(y)
    done = np.arange(len(x)) < len(known)
    points = Points(
        np.column_stack([x, y])[measured],
        np.full(int(measured.sum()), NO_GROUP),
        Role.PLAIN,
        tags=tuple(compress(tags, measured.tolist())),
    )
    ticks = (
        Segments(_ticks(x[which], floor), role, tags=tuple(compress(tags, which.tolist())))
        for which, role in ((~done, Role.INACTIVE), (done & ~measured, Role.PLAIN))
    )
    return (*ticks, points)


def _ticks(x: Float, floor: float) -> Float:
    """(m, 2, 2) upright segments at x (m,) from the lower edge of a plot to the floor."""
    low, high = np.full(len(x), -np.inf), np.full(len(x), floor)
    return np.stack([np.column_stack([x, low]), np.column_stack([x, high])], axis=1)


def size_words(line: str, size: int, rest: int, trial: int) -> str:
    """What the lines “size” and “draw” of a curve over numbers of rows do, for its title.

    rest: rows to test on; trial: the number of the trial that is drawn
    """
    rows = counted(size, "row")
    if line == "size":
        return f"learn from {rows}, test on the other {rest}"
    return f"trial {trial}, {rows} drawn"


def station_now(x: float, floor: float, tag: str = "") -> Segments:
    """The tick, in amber, of the number that this step begins with."""
    return Segments(_ticks(np.array([x]), floor), Role.ACTIVE, tag=tag)


def side_by_side(x: float, wide: float, count: int, lane: int = 0, lanes: int = 1) -> Float:
    """(count,) places around x for as many trials, from left to right, so that none hides another.

    wide: of all of them; lane, lanes: each learner, or table, has its own part of it
    """
    part = wide / lanes
    middle = x + part * (lane + 0.5 - lanes / 2)
    return np.asarray(middle + part * ((np.arange(count) + 0.5) / max(count, 1) - 0.5))


def results(
    x: float, errors: Float, last: float, means: Sequence[tuple[float, str, str]], done: bool
) -> tuple[Layer, ...]:
    """The results (m,) of the present number, at x, pale, and over them their means, hollow.

    last: the newest result, NaN where it failed; means: (height, tag, name) of each; done: the step
    is about the means, then in amber rings with their numbers, else about the newest result, then
    amber
    """
    found: list[Layer] = []
    if len(errors):
        singles = np.column_stack([np.full(len(errors), x), errors])
        found.append(Points(singles, np.full(len(singles), NO_GROUP), Role.INACTIVE, tag="now"))
    if not done and last == last:
        newest = np.array([[x, last]])
        found.append(Points(newest, np.array([NO_GROUP]), Role.ACTIVE, tag="now"))
    for y, tag, name in means:
        mean = Points(np.array([[x, y]]), np.array([NO_GROUP]), Role.PLAIN, tag=tag)
        # an active point would be filled, as results are
        said = (f"{name} {number(y)}",)
        found += [mean, replace(mean, role=Role.NEAREST, label=said)] if done else [mean]
    return tuple(found)


def upwards(problem: Problem, most: float) -> float:
    """The upper end of an axis of errors whose largest is `most`; of classes it holds the error
    of the baseline too.

    It grows in steps, so that the plot seldom moves. For values it stays near the error of the
    mean, so that one huge error does not flatten the rest.
    """
    if not problem.regress:
        base = max((error for error, _ in baseline_level(problem)), default=0.0)
        return whole_above(10 * max(most, base, 0.25)) / 10
    enough = 2 * float(np.var(problem.y)) or 1.0
    halves = np.ceil(2 * np.log2(1.1 * most or 1.0))
    return min(enough, float(2.0 ** (halves / 2)))


class End(NamedTuple):
    """The end of a line (x, y), its name and its tag.

    group: whose mark stands before the name
    """

    x: float
    y: float
    name: str
    tag: str
    group: int = NO_GROUP


def names_at_ends(
    ends: Sequence[End], wide: float, high: float, past: float = -inf
) -> tuple[Layer, ...]:
    """The names of lines at the right of their ends, spread where those lie close, with a dotted
    way to each, and before it the mark of a line that has one.

    wide, high: the ranges of the axes; past: a place beyond the ends that the names leave free
    """
    ordered = sorted(ends, key=attrgetter("y"))
    y = spread([end.y for end in ordered], _LINE * high)
    last = max((end.x for end in ordered), default=0.0)
    marked = any(end.group != NO_GROUP for end in ordered)
    x = max(last, past) + (_WAY + _MARK * marked) * wide
    pairs = list(zip(ordered, y, strict=True))
    ways = [
        Polyline(np.array([[end.x, end.y], [x, at]]), Role.SAME, label=end.name, tag=end.tag)
        for end, at in pairs
    ]
    before = x - _BEFORE * wide
    marks = [
        Points(np.array([[before, at]]), np.array([end.group]), Role.SAMPLE, tag=end.tag)
        for end, at in pairs
        if end.group != NO_GROUP
    ]
    return *ways, *marks


def spread(places: Sequence[float], least: float) -> list[float]:
    """Ascending places moved by the least sum of squares so that neighbours are at least `least`
    apart.

    Places less i · least must ascend: neighbours that do not are pooled at their mean.
    """
    pools: list[tuple[float, int]] = []  # the sum of neighbours, and how many
    for i, place in enumerate(places):
        total = place - i * least
        count = 1
        while pools and pools[-1][0] / pools[-1][1] > total / count:
            below, more = pools.pop()
            total += below
            count += more
        pools.append((total, count))
    means = [total / count for total, count in pools for _ in range(count)]
    return [mean + i * least for i, mean in enumerate(means)]
