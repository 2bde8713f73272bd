"""How often more than half of K members err who are each wrong with chance p, alone or copying one
another. AIMA 18.10.
"""

from math import comb

import numpy as np

from engine.base.arrays import Float, Int


def counts_law(K: int, p: float, copying: float = 0.0) -> Float:
    """(K + 1,) the chance that i of K err.

    Each copies with chance `copying` a source that is wrong with chance p, or errs by itself.
    """
    if_source_errs = copying + (1 - copying) * p
    if_source_is_right = (1 - copying) * p
    return p * binomial(K, if_source_errs) + (1 - p) * binomial(K, if_source_is_right)


def binomial(K: int, p: float) -> Float:
    """(K + 1,) the chance that i of K members err independently: C(K,i) pⁱ (1−p)ᴷ⁻ⁱ."""
    return np.array([comb(K, i) * p**i * (1 - p) ** (K - i) for i in range(K + 1)])


def majority_errs(law: Float | Int) -> float:
    """The sum over i > K/2 of a law or of counts (K + 1,)."""
    K = len(law) - 1
    return float(law[K // 2 + 1 :].sum())
