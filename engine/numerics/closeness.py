"""Decides when numbers count as equal: when only rounding tells them apart.

A double has 53 binary digits, so a sum is off by about 1e-16 of the size of its terms: 0.1 + 0.2 is
not 0.3. A tie rule, the side of a line or the end of a run must not depend on that.

A difference counts if it exceeds a share of the size of what is compared:

- SHARE, if that size is that of the numbers themselves: typed numbers and counts differ by more
  than a billionth, the rounding of many sums by less.
- OF_TERMS, if that size is the sum of all added terms, Σ |w| |x|, which may be far larger than
  their sum: then the bound on rounding is tight, and much smaller differences are real.
- LAST_DIGITS, if the number comes from a few operations.
"""

from math import ceil, floor
from typing import Any

import numpy as np

from engine.base.arrays import Bool, Float

SHARE = 1e-9
OF_TERMS = 1e-12
LAST_DIGITS = 1e-14
SPARE_BITS = 20  # the bits that `tidy` drops


def equal(a: Any, b: Any, size: Any = None, share: float = SHARE) -> Any:
    """Whether a and b differ by rounding alone, element by element.

    Infinities equal themselves, NaN equals nothing.

    size: of what is compared, by default the larger of |a| and |b|
    """
    if size is None:
        size = np.maximum(np.abs(a), np.abs(b))
    with np.errstate(invalid="ignore"):
        apart = np.abs(a - b)
        return (a == b) | ((apart <= share * size) & (apart < np.inf))


def more(a: Any, b: Any, size: Any = None, share: float = SHARE) -> Any:
    """Whether a exceeds b by more than rounding, element by element.

    size: of what is compared, by default |b|.
    """
    return a > b + share * (np.abs(b) if size is None else size)


def at_most(a: Any, b: Any, size: Any = None, share: float = SHARE) -> Any:
    """Whether a ≤ b up to rounding, element by element.

    size: of what is compared, if not |b|.
    """
    return np.logical_not(more(a, b, size, share))


def tied_with_best(scores: Any, axis: int = -1, size: Any = None, share: float = SHARE) -> Bool:
    """Whether each score is the largest along the axis, up to rounding.

    A tie rule chooses among them, so the choice is the same on every machine. size: of what is
    compared, broadcast to the scores, by default the best score's own.
    """
    scores = np.asarray(scores)
    best = scores.max(axis=axis, keepdims=True)
    size = np.abs(best) if size is None else size
    room = np.where(np.isfinite(best), share * size, 0.0)
    return np.asarray(scores >= best - room)


def settled(score: Any, size: Any, share: float = OF_TERMS) -> Any:
    """The score, or exactly 0 where it differs from 0 by rounding alone.

    size: the sum of the sizes of its terms.
    """
    if isinstance(score, float):  # the fast path for one example
        return 0.0 if abs(score) <= share * size else score
    return np.where(np.abs(score) <= share * size, 0.0, score)


def whole_above(value: float) -> int:
    """The ceiling, up to rounding: 3.0000000001 gives 3."""
    return ceil(value - SHARE)


def whole_below(value: float) -> int:
    """The floor, up to rounding: 2.9999999999 gives 3."""
    return floor(value + SHARE)


def tidy(values: Float) -> Float:
    """Values rounded to 33 of their 53 binary digits, so that values equal on paper are equal.

    √(0.5 − 0.3)² and √(0.1 − 0.3)² differ in the last digit. Sorts need this for ties to be the
    same on every machine.
    """
    with np.errstate(over="ignore", invalid="ignore"):
        high = values * (2.0**SPARE_BITS + 1)
        rounded = high - (high - values)
    finite = np.isfinite(rounded)
    return rounded if finite.all() else np.where(finite, rounded, values)
