"""Which examples a linear score gets wrong, the next one in an order, and whole rounds of them. MMDS 12.2.1, AIMA 18.6.3."""

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
    return int(wrong_side(X @ w, sign, np.abs(X) @ np.abs(w), fires_at_zero).sum())


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


def whole_round(X: Float, sign: Float, order: Int, w: Float, fires_at_zero: bool, rates: Float) -> tuple[Float, int]:
    """(weights after every example of `order` was visited, mistakes): each mistake adds rate · sign · x to w.

    rates: (n,) of the visits. Up to three columns are reckoned in plain numbers, an array per mistake takes far longer.
    """
    if X.shape[1] <= 3:
        return _round_of_three(X[order], sign[order], w, fires_at_zero, rates)
    at, mistakes = 0, 0
    while (miss := next_mistake(X, sign, order, at, w, fires_at_zero)[0]) < len(order):
        w = w + rates[miss] * sign[order[miss]] * X[order[miss]]
        at, mistakes = miss + 1, mistakes + 1
    return w, mistakes


def _round_of_three(X: Float, sign: Float, w: Float, fires_at_zero: bool, rates: Float) -> tuple[Float, int]:
    d, mistakes, largest = X.shape[1], 0, float(np.abs(X).max(initial=0.0))
    u, v, t = np.pad(w, (0, 3 - d)).tolist()
    columns = np.pad(X, ((0, 0), (0, 3 - d))).T.tolist()
    near = EQUAL * largest * (abs(u) + abs(v) + abs(t))  # above it no margin is a matter of rounding
    for x, y, z, side, rate in zip(*columns, sign.tolist(), rates.tolist(), strict=True):
        score = u * x + v * y + t * z
        if fires_at_zero:
            miss = (score >= 0) != (side > 0)
        else:
            miss = side * score <= near and side * score <= EQUAL * (abs(u * x) + abs(v * y) + abs(t * z))
        if miss:
            step = rate * side
            u, v, t, mistakes = u + step * x, v + step * y, t + step * z, mistakes + 1
            near = EQUAL * largest * (abs(u) + abs(v) + abs(t))
    return np.asarray([u, v, t][:d]), mistakes
