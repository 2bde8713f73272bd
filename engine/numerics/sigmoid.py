"""Updates of a sigmoid unit by one example after the other, for logistic regression and networks;
log loss.

AIMA Eq 18.8.
"""

from math import tanh
from typing import Any

import numpy as np

from engine.base.arrays import Float
from engine.numerics.jit import jit


def share(score: float, y: float, rate: float, squared: bool = True) -> float:
    """α (y − h) g′ of a sigmoid unit with input `score`; without g′ for log loss.

    h = g(in) = 1/(1 + e^−in), g′ = h (1 − h)
    """
    h = 0.5 * tanh(0.5 * score) + 0.5
    change = rate * (y - h)
    return change * h * (1.0 - h) if squared else change


@jit
def sigmoid_visits(rows: Any, wanted: Any, rates: Any, squared: bool, w: Any) -> Any:
    """w (d,) after an update by each row (n, d) at its rate, see `share`; rows with y = NaN are
    skipped.
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


@jit
def penalised_visits(
    rows: Any, wanted: Any, rates: Any, squared: bool, ridge: float, lasso: float, w: Any
) -> Any:
    """w (d,) after updates as by `sigmoid_visits`, each with a penalty on all weights but the last:
    ridge pulls by 2 · ridge · w, lasso takes off rate · lasso, at most to 0.
    """
    w = w.copy()
    bias = len(w) - 1
    for x, y, rate in zip(rows, wanted, rates):  # noqa: B905 numba's has no `strict`
        if y == y:
            score = 0.0
            for weight, part in zip(w, x):  # noqa: B905
                score += weight * part
            h = 0.5 * tanh(0.5 * score) + 0.5
            error = y - h
            if squared:
                error = error * h * (1.0 - h)
            most = rate * lasso
            for i in range(bias):
                moved = w[i] + rate * (error * x[i] - 2.0 * ridge * w[i])
                if moved > most:
                    w[i] = moved - most
                elif moved < -most:
                    w[i] = moved + most
                elif lasso > 0.0:
                    w[i] = 0.0
                else:
                    w[i] = moved
            w[bias] += rate * error * x[bias]
    return w


def log_loss(y: Float, z: Float) -> Float:
    """(n,) −log of the probability of the true class, without overflow; y is 1 or 0, z is w·x."""
    return np.asarray(np.maximum(z, 0.0) - y * z + np.log1p(np.exp(-np.abs(z))))


def log_loss_of_classes(Y: Float, F: Float) -> Float:
    """(n,) −log of the probability e^F / Σ e^F of the true class, without overflow.

    F: (k, n) scores; Y: (k, n) 1 for the true class, else 0
    """
    top = F.max(axis=0)
    log_sum = top + np.log(np.exp(F - top).sum(axis=0))
    return np.asarray(log_sum - (Y * F).sum(axis=0))


def after_sigmoid(
    X: Float,
    y: Float,
    rates: Float,
    w: Float,
    squared: bool = True,
    ridge: float = 0.0,
    lasso: float = 0.0,
) -> Float:
    """The weights (d,) after updates by the rows X (n, d); rates: one per row, or one for all;
    ridge, lasso: of the penalty that each update takes, see `penalised_visits`.
    """
    each = np.broadcast_to(rates, len(y))
    if ridge or lasso:
        return np.asarray(penalised_visits(X, y, each, squared, ridge, lasso, w), np.float64)
    return np.asarray(sigmoid_visits(X, y, each, squared, w), np.float64)
