"""Visits of a sigmoid unit to one example after the other: logistic regression's, a network's; its
log loss. AIMA Eq 18.8.
"""

from math import tanh
from typing import Any

import numpy as np

from engine.base.arrays import Float
from engine.numerics.jit import jit


def share(score: float, y: float, rate: float, squared: bool = True) -> float:
    """α (y − h) g′ of a sigmoid unit with this in: h = g(in) = 1/(1 + e^−in), g′ = h (1 − h); of
    log loss, without g′.
    """
    h = 0.5 * tanh(0.5 * score) + 0.5
    change = rate * (y - h)
    return change * h * (1.0 - h) if squared else change


@jit
def sigmoid_visits(rows: Any, wanted: Any, rates: Any, squared: bool, w: Any) -> Any:
    """w (d,) after a visit to each row (n, d): where y is known, w changes by `share` at the row's
    rate.
    """
    w = w.copy()
    for x, y, rate in zip(rows, wanted, rates):  # noqa: B905 numba's has no `strict`
        if y == y:
            score = 0.0
            for weight, part in zip(w, x):  # noqa: B905
                score += weight * part
            h = 0.5 * tanh(0.5 * score) + 0.5
            change = rate * (y - h)
            if squared:
                change = change * h * (1.0 - h)
            for i in range(len(w)):
                w[i] += change * x[i]
    return w


def log_loss(y: Float, z: Float) -> Float:
    """(n,) −log of the probability of the true class, where y is 1 or 0 and w·x is z; it cannot
    overflow.
    """
    return np.asarray(np.maximum(z, 0.0) - y * z + np.log1p(np.exp(-np.abs(z))))


def log_loss_of_classes(Y: Float, F: Float) -> Float:
    """(n,) −log of the probability e^F / Σ e^F of the true class, for k classes whose rows are F
    (k, n); Y (k, n) is 1 in the row of that class, else 0; it cannot overflow.
    """
    top = F.max(axis=0)
    log_sum = top + np.log(np.exp(F - top).sum(axis=0))
    return np.asarray(log_sum - (Y * F).sum(axis=0))


def after_sigmoid(X: Float, y: Float, rates: Float, w: Float, squared: bool = True) -> Float:
    """The weights (d,) after visits to these rows (n, d), each at its own rate or at one of all."""
    each = np.broadcast_to(rates, len(y))
    return np.asarray(sigmoid_visits(X, y, each, squared, w), np.float64)
