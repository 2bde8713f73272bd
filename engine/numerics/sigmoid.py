"""Visits of a sigmoid unit to one example after the other: logistic regression's, a network's; its
log loss. AIMA Eq 18.8.
"""

from math import tanh

import numpy as np

from engine.core.arrays import Float
from engine.numerics.compiled import Changing, Numbers, Rows, Three, loop


def share(score: float, y: float, rate: float, squared: bool = True) -> float:
    """α (y − h) g′ of a sigmoid unit with this in: h = g(in) = 1/(1 + e^−in), g′ = h (1 − h); of
    log loss, without g′.
    """
    h = 0.5 * tanh(0.5 * score) + 0.5
    change = rate * (y - h)
    return change * h * (1.0 - h) if squared else change


@loop(share)
def sigmoid_visits(rows: Rows, wanted: Numbers, rates: Numbers, squared: bool, w: Changing) -> None:
    """Each row whose y is known changes w, at its own rate."""
    for x, y, rate in zip(rows, wanted, rates):  # noqa: B905 the compiler's zip has no `strict`
        if y == y:
            score = 0.0
            for weight, part in zip(w, x):  # noqa: B905
                score += weight * part
            step = share(score, y, rate, squared)
            for i in range(len(w)):
                w[i] += step * x[i]


@loop()
def sigmoid_visits_of_three(
    xs: Numbers, ys: Numbers, zs: Numbers, wanted: Numbers, rates: Numbers, squared: bool, w: Three
) -> Three:
    """The same for three features, in the fewest numbers that Python can do with."""
    u, v, t = w
    for x, y, z, told, rate in zip(xs, ys, zs, wanted, rates):  # noqa: B905
        if told == told:
            h = 0.5 * tanh(0.5 * (u * x + v * y + t * z)) + 0.5
            step = rate * (told - h)
            if squared:
                step = step * h * (1.0 - h)
            u += step * x
            v += step * y
            t += step * z
    return u, v, t


def log_loss(y: Float, z: Float) -> Float:
    """(n,) −log of the probability of the true class, where y is 1 or 0 and w·x is z; it cannot
    overflow.
    """
    return np.asarray(np.maximum(z, 0.0) - y * z + np.log1p(np.exp(-np.abs(z))))


def after_sigmoid(X: Float, y: Float, rates: Float, w: Float, squared: bool = True) -> Float:
    """The weights after visits to these rows (n, d). Plain numbers: arrays of a few cost more."""
    told = y, np.broadcast_to(rates, len(y))
    if len(w) == 3:
        return _after_three(np.ascontiguousarray(X.T), told, w, squared)
    if compiled := sigmoid_visits.compiled_for(X.size):
        compiled(*(np.array(part, order="C") for part in (X, *told)), squared, learnt := w.copy())
        return learnt
    sigmoid_visits(*(part.tolist() for part in (X, *told)), squared, plain := w.tolist())
    return np.asarray(plain, np.float64)


def _after_three(columns: Float, told: tuple[Float, Float], w: Float, squared: bool) -> Float:
    u, v, t = w.tolist()
    if compiled := sigmoid_visits_of_three.compiled_for(columns.size):
        return np.asarray(
            compiled(*columns, *(np.array(part) for part in told), squared, (u, v, t))
        )
    given = (part.tolist() for part in (*columns, *told))
    return np.asarray(sigmoid_visits_of_three(*given, squared, (u, v, t)), np.float64)
