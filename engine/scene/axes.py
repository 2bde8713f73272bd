"""The axes of a plane, without a screen: ranges that fit the data, ticks and their texts."""

import re
from collections.abc import Sequence
from math import floor, log10

import numpy as np

from engine.base.arrays import Float, together
from engine.base.notation import MINUS, number
from engine.table.problem import Problem

AIR = 0.08  # share of the range of the points that is left free on each side
TINY = 1e-290  # a smaller extent counts as none: its reciprocal would overflow
LARGE, SMALL = 1e6, 1e-4  # tick from which, step below which powers of ten may be shorter
_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


def tick_step(low: float, high: float, length: float, apart: float) -> float:
    """The smallest of 1, 2, 5 · 10ⁿ whose ticks are at least `apart` pixels apart.

    length: of the axis, in pixels
    """
    least = (high - low) / max(length, 1.0) * apart
    if not np.isfinite(least) or least <= 0:
        return 1.0
    power = 10.0 ** floor(log10(least))
    return next(
        factor * power for factor in (1.0, 2.0, 5.0, 10.0) if factor * power >= least * (1 - 1e-9)
    )


def ticks(low: float, high: float, step: float) -> Float:
    """The multiples of `step` from `low` to `high`; none for more than a thousand."""
    first = np.ceil(low / step - 1e-9)
    last = np.floor(high / step + 1e-9)
    if not np.isfinite([first, last]).all() or last - first > 1000:
        return np.zeros(0)
    return np.arange(first, last + 1) * step


def tick_texts(values: Sequence[float], step: float) -> list[str]:
    """The texts of ticks, with as many digits as the step needs, so that no two are the same.

    Powers of ten where that is shorter for an axis with very large or small numbers.
    """
    if not np.isfinite([*values, step]).all():
        return [number(value) for value in values]
    full = [_full_text(value, step) for value in values]
    if max(map(abs, values), default=0.0) < LARGE and step >= SMALL:
        return full
    powers = [_power_text(value, step) for value in values]
    return powers if max(map(len, powers), default=0) < max(map(len, full), default=0) else full


def tick_text(value: float, step: float) -> str:
    """The text of a single tick."""
    return tick_texts([value], step)[0]


def _full_text(value: float, step: float) -> str:
    if abs(value) < step * 1e-6:
        return "0"
    decimals = max(0, -floor(log10(step) + 1e-9))
    return f"{MINUS if value < 0 else ''}{abs(value):.{decimals}f}"


def _power_text(value: float, step: float) -> str:
    if abs(value) < step * 1e-6:
        return "0"
    digits = floor(log10(abs(value)) + 1e-9) - floor(log10(step) + 1e-9)
    mantissa, _, exponent = f"{abs(value):.{max(0, digits)}e}".partition("e")
    return f"{MINUS if value < 0 else ''}{mantissa}·10{str(int(exponent)).translate(_SUPERSCRIPTS)}"


def axis_name(name: str) -> str:
    """The name of a column for reading: x1 becomes x₁."""
    return (
        name[0] + name[1:].translate(_SUBSCRIPTS)
        if re.fullmatch(r"[A-Za-z]\d{1,2}", name)
        else name
    )


def extent(problem: Problem) -> tuple[tuple[float, float], tuple[float, float]]:
    """((x0, x1), (y0, y1)): the ranges of the points, never empty.

    Held-out points and the query are included.
    """
    parts = [problem.xy]
    if problem.held_out is not None:
        parts.append(problem.held_out.xy)
    if problem.query is not None:
        parts.append(problem.to_plane(problem.query[None]))
    columns = together(parts).T.copy()  # contiguous columns: min and max are fast on them
    known = np.isfinite(columns).all(axis=0)
    columns = columns if known.all() else columns[:, known]
    low, high = (
        (columns.min(axis=1), columns.max(axis=1)) if known.any() else (np.zeros(2), np.zeros(2))
    )
    wide = high - low
    single = max(float(wide.max()), 0.0)
    single = single if single > TINY else 1.0
    air = np.where(wide > TINY, 0.0, single / 2)
    low = low - air
    high = high + air
    return (float(low[0]), float(high[0])), (float(low[1]), float(high[1]))


def comparable(problem: Problem, factor: float = 5.0) -> bool:
    """Whether the plane has two columns whose ranges are similar, so that equal scales waste no
    room.

    factor: by which the ranges may differ
    """
    (x0, x1), (y0, y1) = extent(problem)
    return 1 / factor < (x1 - x0) / (y1 - y0) < factor and len(problem.plane) == 2
