"""Answers that change only at the split points of one column are worked out once between each and
the next, for all rows there.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from engine.base.arrays import Float, Int

MANY, SEVERAL = 4096, 32  # rows and edges from which on a table of intervals pays
FINE = 16  # intervals for each edge
PART = 2**13  # rows at a time, so few that they stay near the processor


def by_steps(points: Float, X: Float, answer: Callable[[Float], Any]) -> Any:
    """`tell(X)` (…, m) of rows that answer otherwise only beyond these split points of their one
    column: tested once between one point and the next where there are fewer of these.
    """
    edges = np.unique(points[np.isfinite(points)])
    if X.shape[1] != 1 or len(X) <= len(edges):
        return answer(X)
    return np.asarray(answer(np.append(edges, np.inf)[:, None])).take(
        below(edges, X[:, 0]), axis=-1
    )


def below(edges: Float, x: Float) -> Int:
    """(m,) how many of the edges (ascending) lie below each number, any for NaN: as
    `np.searchsorted` finds, which goes through memory for every number. Here equal intervals are
    counted, and only numbers that share theirs with an edge are searched.
    """
    with np.errstate(over="ignore", divide="ignore"):
        scale = (
            FINE * len(edges) / (edges[-1] - edges[0])
            if len(edges) >= SEVERAL and len(x) >= MANY
            else np.inf
        )
    if not 0 < scale < np.inf:
        return np.asarray(np.searchsorted(edges, x))

    def interval(values: Float) -> Any:
        """Never smaller for a larger value, whatever rounds."""
        with np.errstate(over="ignore"):
            return np.fmin(np.fmax((values - edges[0]) * scale, 0), FINE * len(edges)).astype(
                np.intp
            )

    filled = np.bincount(interval(edges), minlength=FINE * len(edges) + 1)
    found = np.empty(len(x), np.intp)
    ahead = filled.cumsum() - filled
    any_there = filled > 0
    for i in range(0, len(x), PART):
        at = interval(x[i : i + PART])
        part = found[i : i + PART]
        ahead.take(at, out=part, mode="clip")
        shared = any_there.take(at).nonzero()[0]
        part[shared] = np.searchsorted(edges, x[i : i + PART][shared])
    return found
