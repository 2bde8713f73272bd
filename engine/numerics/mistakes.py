"""Which examples a linear score gets wrong, the next one in an order, and whole rounds of them. MMDS 12.2.1, AIMA 18.6.3."""

from collections.abc import Iterable
from itertools import repeat
from typing import Any

import numpy as np

from engine.core.arrays import Float, Int

BLOCK, GROWTH = 64, 4
EQUAL = 1e-12  # rounding, as a share of Σ|w_i x_i|


def wrong_side(score: Float, sign: Float, scale: Float, fires_at_zero: bool) -> Any:
    """(n,) True where the score's sign is not `sign` (±1; 0 = unlabelled, never wrong). A score of zero is the positive
    side when `fires_at_zero` (AIMA), else wrong for both (MMDS), up to rounding: `scale` is Σ|w_i x_i|."""
    if fires_at_zero:
        return ((score >= 0) != (sign > 0)) & (sign != 0)
    return (sign * score <= EQUAL * scale) & (sign != 0)


def count_wrong(X: Float, sign: Float, w: Float, fires_at_zero: bool) -> int:
    """How many rows of X (n, d) the weights w (d,) get wrong."""
    score = X @ w
    if not fires_at_zero:
        margin, largest = sign * score, float(np.abs(X).max(initial=0.0))
        doubtful = np.abs(margin) <= EQUAL * largest * float(np.abs(w).sum())  # the sign may be a matter of rounding
        if int(doubtful.sum()) == int((sign == 0).sum()):
            return int((margin < 0).sum())
    return int(wrong_side(score, sign, np.abs(X) @ np.abs(w), fires_at_zero).sum())


def next_mistake(X: Float, sign: Float, order: Int, at: int, w: Float, fires_at_zero: bool) -> tuple[int, Float]:
    """(position in `order` of the first wrong example from `at` on, or its length; the scores of all up to its block)."""
    size, parts, begin = BLOCK, [], at
    while begin < len(order):
        rows = order[begin : begin + size]
        score = X[rows] @ w
        parts.append(score)
        miss = wrong_side(score, sign[rows], np.abs(X[rows]) @ np.abs(w), fires_at_zero)
        if miss.any():
            return begin + int(miss.argmax()), np.concatenate(parts)
        begin += size
        size *= GROWTH
    return len(order), np.concatenate(parts) if parts else np.zeros(0)


class Visits:
    """Rows X (n, d) with `sign` (n,), ready to be visited one by one, again and again. moves: (d,) 1 for the weights that
    a mistake changes, 0 for those that stay."""

    def __init__(self, X: Float, sign: Float, fires_at_zero: bool, moves: Float | None = None) -> None:
        self.X, self.sign, self.fires_at_zero = X, sign, fires_at_zero
        self.moves = np.ones(X.shape[1]) if moves is None else moves
        self.in_numbers = X.shape[1] <= 3  # plain numbers then: an array per mistake takes far longer
        if self.in_numbers:
            signed = np.pad(X * sign[:, None], ((0, 0), (0, 3 - X.shape[1])))
            self._rows = list(zip(*signed.T.tolist(), sign.tolist(), strict=True))
            self._order, self._arranged = np.zeros(0, np.intp), self._rows[:0]
            self._largest = float(np.abs(X).max(initial=0.0))

    def whole_round(self, order: Int, w: Float, rates: Float) -> tuple[Float, int]:
        """(weights after every example of `order` was visited, mistakes): each mistake adds rate · sign · x to w (d,).

        rates: (n,) of the visits
        """
        if self.in_numbers:
            return self._round_in_numbers(order, w, rates)
        at, mistakes = 0, 0
        while (miss := next_mistake(self.X, self.sign, order, at, w, self.fires_at_zero)[0]) < len(order):
            w = w + rates[miss] * self.sign[order[miss]] * self.moves * self.X[order[miss]]
            at, mistakes = miss + 1, mistakes + 1
        return w, mistakes

    def _round_in_numbers(self, order: Int, w: Float, rates: Float) -> tuple[Float, int]:
        mistakes, fires = 0, self.fires_at_zero
        u, v, t = (*w.tolist(), 0.0, 0.0)[:3]
        a, b, c = (*self.moves.tolist(), 0.0, 0.0)[:3]
        # above it no margin is a matter of rounding, whatever mistakes this round brings
        reach = float(np.abs(w).sum()) + 3 * self._largest * float(np.abs(rates).sum())
        near = 0.0 if fires else EQUAL * self._largest * reach
        steady = rates.strides == (0,) and len(rates) > 0
        each: Iterable[float] = repeat(float(rates[0])) if steady else rates.tolist()
        for (x, y, z, side), rate in zip(self._visited(order), each, strict=not steady):
            margin = u * x + v * y + t * z
            if margin <= near:
                if fires:
                    miss = margin < 0 or side < 0
                else:
                    miss = margin <= 0 or margin <= EQUAL * (abs(u * x) + abs(v * y) + abs(t * z))
                if miss:
                    u, v, t, mistakes = u + rate * a * x, v + rate * b * y, t + rate * c * z, mistakes + 1
        return np.asarray([u, v, t][: len(w)]), mistakes

    def _visited(self, order: Int) -> list[tuple[float, ...]]:
        """The rows in this order; most rounds have the same one."""
        if not np.array_equal(order, self._order):
            self._order, self._arranged = order, [self._rows[i] for i in order.tolist()]
        return self._arranged
