"""Gradient descent on the squared loss of a linear model: its convergence test and decaying rates.

AIMA 18.6.1, MMDS 12.2.2.
"""

import numpy as np

from engine.base.arrays import Float
from engine.base.records import cached_property
from engine.numerics.closeness import OF_TERMS, more

# share of the spread of y: at rest no model could reduce the errors by more
STILL = 1e-6
OVERFLOW = 1e120  # squared norm of the weights beyond which a run stops
ENOUGH, ROUNDS = 5_000, 20  # rows and rounds of a power iteration


class Rest:
    """The convergence test: whether no linear model of the columns could reduce the errors much.

    The test holds for any units and rates. A small gradient would prove nothing: far from 0 all
    columns are nearly parallel.

    A: (n, d + 1) rows with x₀ = 1 first
    """

    def __init__(self, A: Float, y: Float) -> None:
        self._A = A
        self._least = STILL * np.linalg.norm(y - y.mean()) + OF_TERMS * np.linalg.norm(y)

    @cached_property
    def _axes(self) -> Float:
        """(n, k) an orthonormal basis of the column space."""
        A = self._A
        centred = A[:, 1:] - A[:, 1:].mean(axis=0)
        sizes = np.linalg.norm(centred, axis=0)
        size = np.linalg.norm(A[:, 1:], axis=0)
        kept = more(sizes, 0.0, size, OF_TERMS)  # the others are constant
        axes, lengths, _ = np.linalg.svd(centred[:, kept] / sizes[kept], full_matrices=False)
        axes = axes[:, more(lengths, 0.0, lengths.max(initial=0.0))]
        return np.column_stack([np.full(len(A), len(A) ** -0.5), axes])

    def __call__(self, errors: Float) -> bool:
        """Whether descent has converged, from the errors (n,) y − h(x)."""
        if abs(np.add.reduce(errors)) > 2 * self._least * len(errors) ** 0.5:
            return False  # the constant alone would reduce them: the first axis
        return bool(np.linalg.norm(errors @ self._axes) <= self._least)


def decayed(rate: float, schedule: str, c: float, t: int) -> float:
    """The rate after t steps: constant, rate / (1 + ct) or rate · 1000 / (1000 + t)."""
    if schedule == "1/(1+ct)":
        return rate / (1 + c * t)
    return rate * (1000 / (1000 + t) if schedule == "1000/(1000+t)" else 1.0)


def largest_square(A: Float) -> float:
    """The largest eigenvalue of AᵀA for rows A (n, d), but at least 1, by power iteration.

    It may be some hundredths too small. From twice ENOUGH rows on, an even selection stands for
    all.
    """
    few = A[:: max(1, len(A) // ENOUGH)]
    peak = float(np.abs(few).max(initial=0.0))
    if peak == 0:
        return 1.0
    few = few / peak
    v = np.asarray(np.random.default_rng(0).standard_normal(A.shape[1]))
    for _ in range(ROUNDS):
        v = np.asarray((few @ v) @ few)
        v = v / np.linalg.norm(v)
    return max(1.0, float(np.square(few @ v).sum()) * peak**2 * (len(A) / len(few)))
