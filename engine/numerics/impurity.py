"""Impurity of a set of classes: entropy, B(q), remainder, gain, split information.

AIMA 18.3.4, 18.3.6; MIT 2.4.15-2.4.21.
"""

from collections.abc import Sequence
from functools import cache
from math import log2
from typing import Any

import numpy as np

from engine.base.arrays import Float, frozen
from engine.base.sums import add_up

FEW = 16  # sizes up to which the table is not worth its lookup
MOST = 1 << 20  # the limit of the table


def xlogx(x: Any) -> Float:
    """x · log₂ x, with 0 for x ≤ 0; rounding can make a zero negative.

    Whole numbers come from a table.
    """
    x = np.asarray(x)
    if x.dtype.kind == "i" and x.size > FEW and (most := int(x.max())) < MOST:
        return np.asarray(_looked_up(most.bit_length())[x])
    return _xlogx(x.astype(np.float64))


def _xlogx(x: Float) -> Float:
    return np.asarray(x * np.log2(x, out=np.zeros_like(x), where=x > 0))


def entropy(counts: Any) -> Float:
    """(…) the entropy in bits of class weights (…, k); 0 for an empty set. AIMA 18.3.4."""
    counts = np.asarray(counts, dtype=np.float64)
    total = counts.sum(-1)
    return np.asarray(entropy_mass(counts) / np.where(total > 0, total, 1))


def impurity_of(counts: Sequence[float], gini: bool = False) -> float:
    """Entropy in bits, or Gini impurity, of a few plain numbers; the fast path without arrays."""
    total = add_up(counts)
    if not total:
        return 0.0
    impurity = 0.0
    for count in counts:
        if count > 0:
            p = count / total
            impurity += p * p if gini else p * log2(p)
    return 1 - impurity if gini else abs(impurity)


def entropy_mass(counts: Any) -> Float:
    """(…) n · H of class weights (…, k): the bits that all examples of a set still need."""
    counts = np.asarray(counts, dtype=np.float64)
    return np.asarray(np.maximum(xlogx(counts.sum(-1)) - xlogx(counts).sum(-1), 0))


def boolean_entropy(q: Any) -> Float:
    """B(q): the entropy in bits of a Boolean that is true with probability q. AIMA 18.3.4."""
    q = np.asarray(q, dtype=np.float64)
    return -(xlogx(q) + xlogx(1 - q))


def gini(counts: Any) -> Float:
    """(…) 1 − Σ P(v)² of class weights (…, k); 0 for an empty set.

    Extension: in none of the sources.
    """
    counts = np.asarray(counts, dtype=np.float64)
    total = np.where(counts.sum(-1) > 0, counts.sum(-1), 1)
    return np.where(counts.sum(-1) > 0, 1 - ((counts / total[..., None]) ** 2).sum(-1), 0.0)


def remainder(branches: Any) -> float:
    """The expected entropy after a test, from its branches' class weights (b, k).

    AIMA 18.3.4; MIT 2.4.18 calls it AE.
    """
    branches = np.asarray(branches, dtype=np.float64)
    return float(entropy_mass(branches).sum() / branches.sum())


def gain(branches: Any) -> float:
    """The information gain of a test in bits, from its branches' class weights (b, k). AIMA
    18.3.4.
    """
    branches = np.asarray(branches, dtype=np.float64)
    return float(entropy(branches.sum(0))) - remainder(branches)


def split_information(branches: Any) -> float:
    """The entropy of the sizes of the branches; 0 if all examples take one branch. AIMA 18.3.6."""
    return float(entropy(np.asarray(branches, dtype=np.float64).sum(-1)))


def gain_ratio(branches: Any) -> float:
    """Gain / split information; NaN where the latter is 0. AIMA 18.3.6."""
    information = split_information(branches)
    return gain(branches) / information if information > 0 else float("nan")


def total_entropy(sums: Sequence[Any]) -> Any:
    """(…) n · H of many sets, from one array (…) of weights per class."""
    bits = xlogx(add_up(sums))
    for part in sums:
        bits = bits - xlogx(part)
    return bits


def total_gini(sums: Sequence[Any]) -> Any:
    """(…) n · (1 − Σ P(v)²) of many sets, from one array of weights per class; 0 for an empty
    set.
    """
    total = add_up(sums)
    squares = add_up(np.square(part, dtype=np.float64) for part in sums)
    return np.where(total > 0, total - squares / np.where(total > 0, total, 1), 0.0)


def total_error(sums: Sequence[Any]) -> Any:
    """(…) the weight of all classes but the heaviest, of many sets."""
    return add_up(sums) - np.maximum.reduce(list(sums))


def total_squares(sums: Sequence[Any]) -> Any:
    """(…) Σ (y − ȳ)² − Σ y² = −(Σ y)² / n of many sets, from their n and Σ y (…).

    Differences do not need Σ y²: it is the same for a set and for its parts together.
    """
    n, total = sums
    return -(total**2) / np.where(n > 0, n, 1)


@cache
def _looked_up(bits: int) -> Float:
    """x · log₂ x of all whole numbers with up to this many bits."""
    return frozen(_xlogx(np.arange(1 << bits, dtype=np.float64)))
