"""Which examples a linear score gets wrong, and the next one in an order.

MMDS 12.2.1, AIMA 18.6.3.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from engine.base.arrays import Float, Int
from engine.base.records import cached_property
from engine.numerics.closeness import LAST_DIGITS, OF_TERMS, equal, settled

BLOCK = 64  # examples that are scored at once after a mistake
GROWTH = 4  # times as many where none of them is wrong
MOST_ROUNDS = 1000  # where no other number is set


def grain(values: Float) -> float:
    """The largest power of two of which all values are multiples; infinite where all are 0."""
    mantissa, power = np.frexp(np.abs(values[values != 0]))
    whole = (mantissa * 2.0**53).astype(np.int64)
    return float(np.ldexp((whole & -whole).astype(np.float64), power - 53).min(initial=np.inf))


class Exact:
    """Which scores are free of rounding, found at first use.

    Finding it is slow for very many rows, and most runs never need it.
    """

    def __init__(self, find: Callable[[], tuple[float, Any]]) -> None:
        """find: () → (size, grains)."""
        self._find = find

    @property
    def size(self) -> float:
        """A score is free of rounding where Σ |w_i| |x_i| is at most this."""
        return self._found[0]

    @property
    def grains(self) -> Any:
        """(d,) of which the numbers of such rows are multiples."""
        return self._found[1]

    @cached_property
    def _found(self) -> tuple[float, Any]:
        return self._find()

    @classmethod
    def of(cls, X: Float, rate: float, start: Sequence[float]) -> "Exact":
        """The `Exact` of weights made from the start weights by adding ± rate · rows of X. start:
        one for each column or one for all
        """
        return cls(partial(_exact, X, rate, start))

    def near(self, X: Float, size: Any, share: float = OF_TERMS) -> Any:
        """The largest score of rows X (m, d) or (d,) that may be 0 but for rounding, given the size
        of the terms.
        """
        small = (size > 0) & (size <= self.size)  # 0 is never rounded
        if not np.any(small):
            return share * size
        fitting = (np.remainder(X, self.grains) == 0).all(axis=-1)
        return np.where(fitting & (size <= self.size), 0.0, share * size)


def _exact(X: Float, rate: float, start: Sequence[float]) -> tuple[float, Float]:
    """(the size of exact scores, the grains (d,) of the columns of X).

    Each product w_i x_i is a multiple of the grains of its factors, and sums of such are exact up
    to 2⁵³ of them: far in whole numbers with a rate of ½, nowhere in tenths.
    """
    grains = np.array([grain(column) for column in X.T])
    of_changes = grain(np.array([rate])) * grains
    of_start = [grain(np.array([weight])) for weight in start]
    of_weights = np.minimum(of_changes, of_start)
    least = float((of_weights * grains).min(initial=np.inf))
    size = 2.0**53 * least if np.isfinite(least) else 0.0
    return size, grains


ROUNDED = Exact(lambda: (0.0, 1.0))


def settled_scores(
    X: Float,
    w: Float,
    reach: Any = 0.0,
    share: float = OF_TERMS,
    exact: Exact = ROUNDED,
    largest: float | None = None,
) -> Any:
    """X @ w of rows X (n, d) or of one (d,), and exactly 0 where only rounding keeps it from being
    so: 0.1 + 0.2 − 0.3 lies on the line.

    reach: (d,) what one mistake adds to each weight at most; weights are sums of such numbers, so
    their rounding is theirs, also where little is left of them; a weight of 0 has none
    share: of the terms Σ (|w| + reach) |x| up to which a score may be rounding
    exact: where there is none at all
    largest: the size of a number in X, where it is known
    """
    score = X @ w
    if X.ndim == 1:  # one example, as most are
        clear = abs(score) > share * np.abs(X).dot(np.abs(w) + reach)
        if clear.all() if score.ndim else clear:
            return score
    if not np.count_nonzero(w):  # as runs begin: there is nothing to be rounded
        score += 0.0  # never −0
        return score
    if X.ndim == 1:
        near = exact.near(X, rounding_of(X, w, reach), share)
        return np.where(np.abs(score) <= near, 0.0, score)
    if largest is None:
        largest = max(X.max(initial=0.0), -X.min(initial=0.0))
    size = np.abs(score)
    edge = share * largest * np.add.reduce(np.abs(w) + reach, axis=None)
    if size.min(initial=np.inf) > edge:  # hardly a row is so near that its own terms matter
        return score
    doubtful = np.flatnonzero(~(size > edge))
    rows = X[doubtful]
    rounded = size[doubtful] <= exact.near(rows, rounding_of(rows, w, reach), share)
    score[doubtful[rounded]] = 0.0
    return score


def rounding_of(X: Float, w: Float, reach: Any) -> Any:
    """Σ (|w| + reach) |x| for rows X (m, d) or one (d,); weights of 0 are left out."""
    return np.abs(X) @ np.where(w == 0, 0.0, np.abs(w) + reach)


def reach_of(X: Float, rate: float) -> Float:
    """(d,) what one mistake among the rows X (n, d) adds to each weight at most."""
    return np.asarray(rate * np.abs(X).max(axis=0, initial=0.0))


class RoundEnds:
    """The weights at the ends of rounds, from w after round `number` on. reach: as in
    `settled_scores`
    """

    def __init__(self, reach: Float, w: Float, number: int) -> None:
        self._reach = np.where(reach > 0, reach, 1.0)
        self._known: dict[bytes, tuple[Float, int]] = {}
        self.earlier(w, number)

    def __copy__(self) -> "RoundEnds":
        other = object.__new__(RoundEnds)
        other._reach = self._reach
        other._known = dict(self._known)
        return other

    @property
    def own_bytes(self) -> int:
        """Its size in bytes without the weights, which belong to the states."""
        return 256 * len(self._known)

    def earlier(self, w: Float, number: int) -> int | None:
        """The earlier round that ended with these weights, up to rounding; None for new ones, which
        are then stored for round `number`.
        """
        with np.errstate(over="ignore"):  # start weights far beyond what mistakes can move
            place = (np.round(w / self._reach, 9) + 0.0).tobytes()
        before = self._known.get(place)
        self._known[place] = (w, number)
        if before is None:
            return None
        w_then, round_then = before
        same = equal(w, w_then, np.maximum(self._reach, np.abs(w)), OF_TERMS).all()
        return round_then if same else None


def cleared(w: Float, reach: Any) -> Float:
    """(d,) w with weights within rounding of 0 set to 0."""
    return np.asarray(settled(w, reach, LAST_DIGITS))


def wrong_side(score: Float, sign: Float, fires_at_zero: bool) -> Any:
    """(n,) True where the sign of `settled_scores` is not `sign` (±1; 0 = unlabelled, never wrong).

    A score of zero is the positive side when `fires_at_zero` (AIMA), else wrong for both (MMDS).
    """
    if fires_at_zero:
        return ((score >= 0) != (sign > 0)) & (sign != 0)
    return (sign * score <= 0) & (sign != 0)


def next_mistake(
    X: Float,
    sign: Float,
    order: Int,
    start: int,
    w: Float,
    fires_at_zero: bool,
    reach: Any = 0.0,
    share: float = OF_TERMS,
    exact: Exact = ROUNDED,
) -> int:
    """The position in `order`, from `start` on, of the first wrong example; its length for none."""
    size = BLOCK
    while start < len(order):
        rows = order[start : start + size]
        score = settled_scores(X[rows], w, reach, share, exact)
        wrong = wrong_side(score, sign[rows], fires_at_zero)
        if wrong.any():
            return start + int(wrong.argmax())
        start += size
        size *= GROWTH
    return len(order)
