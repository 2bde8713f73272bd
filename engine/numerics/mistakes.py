"""Which examples a linear score gets wrong, and the next one in an order, found in blocks. MMDS 12.2.1, AIMA 18.6.3."""

from typing import Any

import numpy as np

from engine.core.arrays import Float, Int

BLOCK, GROWTH = 64, 4


def wrong_side(score: Float, sign: Float, scale: Float, fires_at_zero: bool) -> Any:
    """(n,) True where the score's sign is not `sign` (±1; 0 = unlabelled, never wrong). A score of zero is the positive
    side when `fires_at_zero` (AIMA), else wrong for both (MMDS), up to rounding: `scale` is Σ|w_i x_i|."""
    if fires_at_zero:
        return ((score >= 0) != (sign > 0)) & (sign != 0)
    return (sign * score <= 1e-12 * scale) & (sign != 0)


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
