"""Sample bounds by the VC dimension, from above and below, by strips, and of networks.

ML 7.4.3, 7.4.4, Ex 7.6.
"""

from math import e, log, log2

from engine.authoring import Float, np
from engine.numerics.closeness import whole_above


def upper(d: float, epsilon: float, delta: float) -> float:
    """So many examples are enough for every consistent learner. ML Eq 7.7."""
    return (4 * log2(2 / delta) + 8 * d * log2(13 / epsilon)) / epsilon


def lower(d: float, epsilon: float, delta: float) -> float:
    """With fewer some distribution and concept defeat any learner; logarithm natural.

    ML Theorem 7.3.
    """
    return max(log(1 / delta) / epsilon, (d - 1) / (32 * epsilon))


def strips(sides: int, epsilon: float, delta: float) -> float:
    """So many are enough for the tightest box of so many sides: s (1 − ε/s)ᵐ ≤ s e^(−εm/s) ≤ δ.

    ML Ex 7.6.
    """
    return sides / epsilon * log(sides / delta)


def network(inputs: int, units: int) -> float:
    """Of layered threshold units: 2 (r + 1) s log₂(e s). ML Eq 7.8."""
    return 2 * (inputs + 1) * units * log2(e * units)


def error_after(m: Float, d: float, delta: float) -> Float:
    """(k,) the ε for which just m (k,) examples are enough by `upper`: it falls with ε, so halving
    finds it.
    """
    low, high = np.full(len(m), -6.0), np.full(len(m), 3.0)  # powers of ten
    for _ in range(60):
        middle = (low + high) / 2
        need = np.array([upper(d, 10.0**v, delta) if v < 1.1 else 0.0 for v in middle.tolist()])
        low, high = np.where(need > m, middle, low), np.where(need > m, high, middle)
    return np.asarray(10.0**high)


def whole(m: float) -> int:
    return whole_above(m)
