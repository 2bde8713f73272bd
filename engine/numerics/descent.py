"""When descent on the squared loss of a linear model is at rest, and falling rates. AIMA 18.6.1, MMDS 12.2.2."""

import numpy as np

from engine.core.arrays import Float

STILL = 1e-6  # share of the spread of y: less than so much of the errors could still be taken away where w stands still
ROUNDED, LEVEL = 1e-13, 1e-9  # of a column's size, and of the longest axis: what is shorter is none
OVERFLOW = 1e120  # squared size beyond which weights are no longer reckoned with


class Rest:
    """Whether w stands still at the bottom, whatever the units and the rate: no model of the columns of A (n, d + 1), x₀ = 1
    first, would take away more of the errors. Far from 0 all columns are nearly parallel, and small pulls prove nothing."""

    def __init__(self, A: Float, y: Float) -> None:
        centred = A[:, 1:] - A[:, 1:].mean(axis=0)
        sizes = np.linalg.norm(centred, axis=0)
        kept = sizes > ROUNDED * np.linalg.norm(A[:, 1:], axis=0)  # the others are constant
        axes, lengths, _ = np.linalg.svd(centred[:, kept] / sizes[kept], full_matrices=False)
        axes = axes[:, lengths > LEVEL * lengths.max(initial=0.0)]
        self._axes = np.column_stack([np.full(len(A), len(A) ** -0.5), axes])
        self._least = STILL * np.linalg.norm(y - y.mean()) + ROUNDED * np.linalg.norm(y)

    def __call__(self, errors: Float) -> bool:
        """errors (n,) y − h(x)."""
        return bool(np.linalg.norm(errors @ self._axes) <= self._least)


def decayed(rate: float, schedule: str, c: float, t: int) -> float:
    """The rate after t steps: fixed, rate / (1 + ct) or rate · 1000 / (1000 + t)."""
    if schedule == "1/(1+ct)":
        return rate / (1 + c * t)
    return rate * (1000 / (1000 + t) if schedule == "1000/(1000+t)" else 1.0)
