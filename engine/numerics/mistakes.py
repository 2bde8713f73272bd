"""Which examples a linear score gets wrong, and the next one in an order.

MMDS 12.2.1, AIMA 18.6.3.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from engine.core.arrays import Float, Int
from engine.core.records import cached_property
from engine.numerics.closeness import LAST_DIGITS, OF_TERMS, equal, settled

BLOCK, GROWTH = 64, 4
MOST_ROUNDS = 1000  # where nobody says how many


def grain(values: Float) -> float:
    """The largest power of two of which all values are multiples; infinite where all are 0."""
    mantissa, power = np.frexp(np.abs(values[values != 0]))
    whole = (mantissa * 2.0**53).astype(np.int64)
    return float(np.ldexp((whole & -whole).astype(np.float64), power - 53).min(initial=np.inf))


class Exact:
    """Up to which size Σ |w_i| |x_i| a score has no rounding at all, of rows that are multiples of
    the columns' grains (d,).

    Found when somebody asks, which of very many rows takes a while: nobody does while no score is
    near 0.
    """

    size = property(lambda exact: exact._found[0])
    grains = property(lambda exact: exact._found[1])

    def __init__(self, find: Callable[[], tuple[float, Any]]) -> None:
        """find: gives size and grains"""
        self._find = find

    @cached_property
    def _found(self) -> tuple[float, Any]:
        return self._find()

    @classmethod
    def of(cls, X: Float, rate: float, start: Sequence[float]) -> "Exact":
        """Whatever mistakes among the rows X, all of one rate, add to the start weights, of each
        column or one of all.
        """
        return cls(partial(_exact, X, rate, start))

    def near(self, X: Float, size: Any, share: float = OF_TERMS) -> Any:
        """How far from 0 rounding may keep the scores of rows X (m, d) or (d,) with terms of this
        size.
        """
        if not np.any(
            (size > 0) & (size <= self.size)
        ):  # of the others no row has to be asked: 0 is never rounded
            return share * size
        here = self.size and np.where(
            (np.remainder(X, self.grains) == 0).all(axis=-1), self.size, 0.0
        )
        return np.where(size <= here, 0.0, share * size)


def _exact(X: Float, rate: float, start: Sequence[float]) -> tuple[float, Float]:
    """Each product w_i x_i is a multiple of the grains of its factors, and sums of such are exact
    up to 2⁵³ of them: far in whole numbers with a rate of ½, nowhere in tenths.
    """
    grains = np.array([grain(column) for column in X.T])
    steps = np.minimum(
        grain(np.array([rate])) * grains, [grain(np.array([weight])) for weight in start]
    )
    least = float((steps * grains).min(initial=np.inf))
    return 2.0**53 * least if np.isfinite(least) else 0.0, grains


ROUNDED = Exact(lambda: (0.0, 1.0))


def settled_scores(
    X: Float,
    w: Float,
    reach: Any = 0.0,
    share: float = OF_TERMS,
    exact: Exact = ROUNDED,
    largest: float | None = None,
) -> Any:
    """X @ w, and exactly 0 where only rounding keeps it from being so: 0.1 + 0.2 − 0.3 lies on the
    line. X (n, d) or (d,).

    share: of the terms Σ (|w| + reach) |x| up to which a score may be rounding; reach: (d,) what
    one mistake adds to each weight at most. Weights are sums of such numbers, so
    their rounding is theirs, also where little is left of them; a weight of 0 has none. exact:
    where there is none at all. largest: size of a number in X, where somebody knows it.
    """
    score = X @ w
    if X.ndim == 1:  # one example, as most are
        clear = abs(score) > share * np.abs(X).dot(np.abs(w) + reach)
        if clear.all() if score.ndim else clear:
            return score
    # as runs begin: nothing to be rounded, and every row would be doubtful
    if not np.count_nonzero(w):
        score += 0.0  # never −0
        return score
    rough = np.abs(w) + reach
    size = np.abs(score)
    if X.ndim > 1:
        largest = max(X.max(initial=0.0), -X.min(initial=0.0)) if largest is None else largest
        edge = share * largest * np.add.reduce(rough, axis=None)
        # hardly a row is so near that its own terms have to be asked
        if size.min(initial=np.inf) > edge:
            return score
    rough = np.where(w == 0, 0.0, rough)
    if X.ndim == 1:
        return np.where(size <= exact.near(X, np.abs(X) @ rough, share), 0.0, score)
    doubtful = np.flatnonzero(~(size > edge))
    score[
        doubtful[size[doubtful] <= exact.near(X[doubtful], np.abs(X[doubtful]) @ rough, share)]
    ] = 0.0
    return score


def reach_of(X: Float, rate: float) -> Float:
    """(d,) what one mistake among the rows X (n, d) adds to each weight at most."""
    return np.asarray(rate * np.abs(X).max(axis=0, initial=0.0))


class RoundEnds:
    """The weights at the ends of rounds, beginning with w after round `number`. reach: as in
    `settled_scores`.
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

    own_bytes = property(lambda ends: 256 * len(ends._known))  # the weights are in the states, too

    def earlier(self, w: Float, number: int) -> int | None:
        """The round that ended with these weights too, but for rounding; None for new ones.

        They end round `number`.
        """
        with np.errstate(over="ignore"):  # start weights far beyond what mistakes can move
            place = (np.round(w / self._reach, 9) + 0.0).tobytes()
        before, self._known[place] = self._known.get(place), (w, number)
        if (
            before is None
            or not equal(w, before[0], np.maximum(self._reach, np.abs(w)), OF_TERMS).all()
        ):
            return None
        return before[1]


def cleared(w: Float, reach: Any) -> Float:
    """w without what is only left by rounding."""
    return np.asarray(settled(w, reach, LAST_DIGITS))


def wrong_side(score: Float, sign: Float, fires_at_zero: bool) -> Any:
    """(n,) True where the settled score's sign is not `sign` (±1; 0 = unlabelled, never wrong).

    A score of zero is the positive side when `fires_at_zero` (AIMA), else wrong for both (MMDS).
    """
    if fires_at_zero:
        return ((score >= 0) != (sign > 0)) & (sign != 0)
    return (sign * score <= 0) & (sign != 0)


def count_wrong(
    X: Float, sign: Float, w: Float, fires_at_zero: bool, reach: Any = 0.0, exact: Exact = ROUNDED
) -> int:
    """How many rows of X (n, d) the weights w (d,) get wrong."""
    return int(wrong_side(settled_scores(X, w, reach, exact=exact), sign, fires_at_zero).sum())


def next_mistake(
    X: Float,
    sign: Float,
    order: Int,
    at: int,
    w: Float,
    fires_at_zero: bool,
    reach: Any = 0.0,
    share: float = OF_TERMS,
    exact: Exact = ROUNDED,
) -> tuple[int, Float]:
    """(position in `order` of the first wrong example from `at` on, or its length; the scores of
    all up to its block).
    """
    size = BLOCK
    parts = []
    begin = at
    while begin < len(order):
        rows = order[begin : begin + size]
        score = settled_scores(X[rows], w, reach, share, exact)
        parts.append(score)
        miss = wrong_side(score, sign[rows], fires_at_zero)
        if miss.any():
            return begin + int(miss.argmax()), np.concatenate(parts)
        begin += size
        size *= GROWTH
    return len(order), np.concatenate(parts) if parts else np.zeros(0)
