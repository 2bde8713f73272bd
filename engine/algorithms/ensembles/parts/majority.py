"""How often more than half of K members err who are each wrong with chance p, alone or copying one
another. AIMA 18.10.
"""

from math import comb

import numpy as np

from engine.core.arrays import Float, Int


def counts_law(K: int, p: float, copying: float = 0.0) -> Float:
    """(K + 1,) the chance that i of K err, when each copies with that chance a source that is wrong
    with p, or errs by itself.
    """
    bad, good = (
        copying + (1 - copying) * p,
        (1 - copying) * p,
    )  # where the source is wrong, and where it is right
    return p * binomial(K, bad) + (1 - p) * binomial(K, good)


def binomial(K: int, p: float) -> Float:
    return np.array([comb(K, i) * p**i * (1 - p) ** (K - i) for i in range(K + 1)])


def majority_errs(law: Float | Int) -> float:
    """The sum over i > K/2 of a law (K + 1,)."""
    return float(np.add.reduce(law[len(law) // 2 + len(law) % 2 :]))
