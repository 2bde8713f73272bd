"""What the axes of a plane carry: ranges that fit the data, ticks and their texts. No screen."""

import re
from collections.abc import Sequence
from math import floor, log10

import numpy as np

from engine.base.arrays import Float, together
from engine.base.notation import MINUS, number
from engine.table.problem import Problem

AIR = 0.08  # of the range of the points, free on each side
TINY = 1e-290  # no extent: its reciprocal would not be a number
LARGE, SMALL = 1e6, 1e-4  # number and step from which powers of ten may be shorter
_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


def tick_step(low: float, high: float, length: float, apart: float) -> float:
    """The smallest of 1, 2, 5 · 10ⁿ whose ticks are at least `apart` pixels from one another."""
    least = (high - low) / max(length, 1.0) * apart
    if not np.isfinite(least) or least <= 0:
        return 1.0
    power = 10.0 ** floor(log10(least))
    return next(
        factor * power for factor in (1.0, 2.0, 5.0, 10.0) if factor * power >= least * (1 - 1e-9)
    )


def ticks(low: float, high: float, step: float) -> Float:
    """Multiples of `step` from `low` to `high`."""
    first = np.ceil(low / step - 1e-9)
    last = np.floor(high / step + 1e-9)
    if not np.isfinite([first, last]).all() or last - first > 1000:
        return np.zeros(0)
    return np.arange(first, last + 1) * step


def tick_texts(values: Sequence[float], step: float) -> list[str]:
    """As many digits as the step needs, so that no two are the same, and a true minus sign; powers
    of ten where that is shorter for all ticks of an axis with very large or small numbers.
    """
    if not np.isfinite([*values, step]).all():
        return [number(value) for value in values]
    full = [_full_text(value, step) for value in values]
    if max(map(abs, values), default=0.0) < LARGE and step >= SMALL:
        return full
    powers = [_power_text(value, step) for value in values]
    return powers if max(map(len, powers), default=0) < max(map(len, full), default=0) else full


def tick_text(value: float, step: float) -> str:
    """Of one number by itself."""
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
    """A column called x1 is written x₁."""
    return (
        name[0] + name[1:].translate(_SUBSCRIPTS)
        if re.fullmatch(r"[A-Za-z]\d{1,2}", name)
        else name
    )


def extent(problem: Problem) -> tuple[tuple[float, float], tuple[float, float]]:
    """The ranges of the points, held-out ones and the query included, never empty."""
    parts = [problem.xy]
    if problem.held_out is not None:
        parts.append(problem.held_out.xy)
    if problem.query is not None:
        parts.append(problem.to_plane(problem.query[None]))
    columns = together(parts).T.copy()  # by columns: ten times as fast
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
    """Whether both axes span about the same, so that equal scales waste no room and show true
    angles.
    """
    (x0, x1), (y0, y1) = extent(problem)
    return 1 / factor < (x1 - x0) / (y1 - y0) < factor and len(problem.plane) == 2
