"""Activation functions g(in) of units, and their slopes g′ as functions of the output.

AIMA 18.6.4, 18.7.1; tanh, relu: extensions.
"""

from collections.abc import Callable, Mapping

import numpy as np

from engine.base.arrays import Float
from engine.base.records import Record


class Activation(Record, eq=True):
    """An activation function.

    g: weighted inputs -> outputs a
    slope: outputs a -> g′(in)
    slope_text: the slope as text, with {a} for the output
    low, high: the bounds of the outputs
    """

    name: str
    g: Callable[[Float], Float]
    slope: Callable[[Float], Float]
    slope_text: str
    low: float
    high: float


def logistic(z: Float) -> Float:
    """1/(1 + e^−z), by tanh, which does not overflow."""
    a: Float = np.tanh(0.5 * z)
    a *= 0.5
    a += 0.5
    return a


def threshold(z: Float) -> Float:
    """1 where z ≥ 0, else 0."""
    return np.asarray(z >= 0, np.float64)


def _flat(a: Float) -> Float:
    return np.ones_like(a)


INFINITE = float("inf")
ACTIVATIONS: Mapping[str, Activation] = {
    one.name: one
    for one in (
        Activation("logistic", logistic, lambda a: a * (1.0 - a), "{a}·(1 − {a})", 0.0, 1.0),
        Activation("tanh", np.tanh, lambda a: 1.0 - a * a, "(1 − {a}·{a})", -1.0, 1.0),
        Activation(
            "relu",
            lambda z: np.maximum(z, 0.0),
            lambda a: np.asarray(a > 0, np.float64),
            "[{a} > 0]",
            0.0,
            INFINITE,
        ),
        Activation("identity", lambda z: z, _flat, "1", -INFINITE, INFINITE),
        Activation("threshold", threshold, _flat, "1", 0.0, 1.0),
    )
}
