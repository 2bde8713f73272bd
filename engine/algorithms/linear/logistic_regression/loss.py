"""Squared and log loss, and where the squared one is flat. AIMA 18.6.4, Eq 18.8."""

import numpy as np

from engine.base.arrays import Float
from engine.numerics.activations import logistic
from engine.numerics.sigmoid import log_loss

FLAT = 1e-9  # h (1 − h) that lets an example pull no more


def total_loss(loss: str, y: Float, z: Float) -> float:
    """The loss Σ (y − h)², or Σ −log of the probability of the true class; NaN where it overflows.

    y: (m,) 0 or 1; z: (m,) w·x
    """
    if (
        not z.dot(z) < np.inf and not np.isfinite(z).all()
    ):  # one sum tells of most that all are numbers
        return float("nan")
    return float((np.square(y - logistic(z)) if loss == "squared" else log_loss(y, z)).sum())


def stuck(loss: str, X: Float, y: Float, w: Float) -> bool:
    """Whether some example is wrong but, under the squared loss, so far from the line that its
    factor h (1 − h) is almost 0.
    """
    h = logistic(X @ w)
    return loss == "squared" and bool(((np.abs(y - h) > 0.5) & (h * (1.0 - h) < FLAT)).any())
