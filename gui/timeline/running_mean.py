"""The running mean of a curve that jumps too densely to be followed: a training curve of single
examples.
"""

import numpy as np

from engine.base.arrays import Float

WINDOWS = 60  # parts of the visible span over which a running mean is taken
JUMPS = 10.0  # how often a curve goes up and down its range before it can be followed no more
EACH = 2.0  # pixels between two places of a mean


def is_jagged(y: Float, width: float) -> bool:
    """Whether values y (n,) over `width` pixels jump too densely to be followed as one line."""
    range_ = float(np.ptp(y)) if len(y) else 0.0
    return len(y) > width and float(np.abs(np.diff(y)).sum()) > JUMPS * range_ > 0


def window(n: int) -> int:
    """The number of values that a running mean of n values takes together."""
    return max(2, round(n / WINDOWS))


def running_mean(x: Float, y: Float, width: float) -> tuple[Float, Float]:
    """Places and means, one for each EACH pixels: each of the values y (n,) around it, fewer at
    both ends, where x (n,) is ascending.
    """
    n, half = len(y), window(len(y)) / 2
    at = np.unique(np.linspace(0, n - 1, max(2, int(width / EACH))).round().astype(int))
    low = np.maximum(0, np.floor(at - half).astype(int) + 1)
    high = np.minimum(n, np.floor(at + half).astype(int) + 1)
    so_far = np.append(0.0, np.cumsum(y))
    return x[at], (so_far[high] - so_far[low]) / (high - low)
