"""When numbers count as equal: what is equal on paper and differs here by rounding alone.

Numbers have 53 binary digits, so a sum is off by some 1e-16 of the size of its terms: 0.1 + 0.2 is
not 0.3. A tie rule, the side of a line or the end of a run must not hang on that.

One rule of scale: a difference counts from a share of the size of what is compared.

- SHARE where that size is the numbers' own: what people type and what counts add up to differs by
  more than a billionth, and what many sums leave differs by less.
- OF_TERMS where that size is of all terms that were added up, Σ |w| |x|, which may be much more
  than is left of them: then rounding is known so well that much smaller differences are real.
- LAST_DIGITS where the number itself came about in a few operations.
"""

from math import ceil, floor
from typing import Any

import numpy as np

from engine.base.arrays import Bool, Float

SHARE = 1e-9
OF_TERMS = 1e-12
LAST_DIGITS = 1e-14
SPARE_BITS = 20  # that `tidy` drops


def equal(a: Any, b: Any, size: Any = None, share: float = SHARE) -> Any:
    """Whether a and b differ by rounding alone, element by element.

    size: of what is compared, if not the larger of |a| and |b|. Infinite numbers are equal to
    themselves, NaN to none.
    """
    if size is None:
        size = np.maximum(np.abs(a), np.abs(b))
    with np.errstate(invalid="ignore"):
        apart = np.abs(a - b)
        return (a == b) | ((apart <= share * size) & (apart < np.inf))


def more(a: Any, b: Any, size: Any = None, share: float = SHARE) -> Any:
    """Whether a is larger than b by more than rounding, element by element.

    size: of what is compared, if not |b|.
    """
    return a > b + share * (np.abs(b) if size is None else size)


def at_most(a: Any, b: Any, size: Any = None, share: float = SHARE) -> Any:
    """Whether a ≤ b up to rounding, element by element.

    size: of what is compared, if not |b|.
    """
    return np.logical_not(more(a, b, size, share))


def tied_with_best(scores: Any, axis: int = -1, size: Any = None, share: float = SHARE) -> Bool:
    """Which scores are the largest along the axis, or as good as it up to rounding.

    A tie rule chooses among them, so that the choice is the same on every machine. size: of what is
    compared, broadcast to the scores, if not the best one's own.
    """
    scores = np.asarray(scores)
    best = scores.max(axis=axis, keepdims=True)
    size = np.abs(best) if size is None else size
    room = np.where(np.isfinite(best), share * size, 0.0)
    return np.asarray(scores >= best - room)


def settled(score: Any, size: Any, share: float = OF_TERMS) -> Any:
    """A score whose sign decides: exactly 0 where only rounding keeps it from being so.

    size: of the terms that were added up for it.
    """
    if isinstance(score, float):  # of one example: arrays take ten times as long
        return 0.0 if abs(score) <= share * size else score
    return np.where(np.abs(score) <= share * size, 0.0, score)


def whole_above(value: float) -> int:
    """The least whole number that is not smaller; 3.0000000001 is 3."""
    return ceil(value - SHARE)


def whole_below(value: float) -> int:
    """The largest whole number that is not larger; 2.9999999999 is 3."""
    return floor(value + SHARE)


def tidy(values: Float) -> Float:
    """Values rounded to 33 of their 53 binary digits: equal on paper, equal here.

    √(0.5 − 0.3)² and √(0.1 − 0.3)² differ in the last digit; where many values are sorted, a tie
    rule needs them to be the same on every machine.
    """
    with np.errstate(over="ignore", invalid="ignore"):
        high = values * (2.0**SPARE_BITS + 1)
        rounded = high - (high - values)
    finite = np.isfinite(rounded)
    return rounded if finite.all() else np.where(finite, rounded, values)
