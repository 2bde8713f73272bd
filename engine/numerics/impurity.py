"""How mixed a set of classes is: entropy, B(q), remainder, gain, split information.

AIMA 18.3.4, 18.3.6; MIT 2.4.15-2.4.21.
"""

from collections.abc import Sequence
from functools import cache
from math import log2
from typing import Any

import numpy as np

from engine.core.arrays import Float, frozen
from engine.core.records import Record
from engine.core.sums import add_up


def xlogx(x: Any) -> Float:
    """x · log₂ x, with 0 at x = 0 (and below it, where only rounding leads)."""
    x = np.asarray(x, dtype=np.float64)
    return np.asarray(x * np.log2(x, out=np.zeros_like(x), where=x > 0))


def entropy(counts: Any) -> Float:
    """H in bits of class weights (…, k); 0 for an empty set. AIMA 18.3.4."""
    counts = np.asarray(counts, dtype=np.float64)
    total = counts.sum(-1)
    return np.asarray(entropy_mass(counts) / np.where(total > 0, total, 1))


def impurity_of(counts: Sequence[float], gini: bool = False) -> float:
    """Entropy in bits, or Gini impurity, of one handful of plain numbers: many times faster than an
    array's.
    """
    total = add_up(counts)
    if not total:
        return 0.0
    told = 0.0
    for count in counts:
        if count > 0:
            p = count / total
            told += p * p if gini else p * log2(p)
    return 1 - told if gini else abs(told)


def entropy_mass(counts: Any) -> Float:
    """Total · H: the bits that all the examples together still need. (…, k) -> (…)"""
    counts = np.asarray(counts, dtype=np.float64)
    return np.asarray(np.maximum(xlogx(counts.sum(-1)) - xlogx(counts).sum(-1), 0))


def boolean_entropy(q: Any) -> Float:
    """B(q): bits of a Boolean that is true with probability q. AIMA 18.3.4."""
    q = np.asarray(q, dtype=np.float64)
    return -(xlogx(q) + xlogx(1 - q))


def gini(counts: Any) -> Float:
    """1 − Σ P(v)² of class weights (…, k); 0 for an empty set.

    Extension: in none of the sources.
    """
    counts = np.asarray(counts, dtype=np.float64)
    total = np.where(counts.sum(-1) > 0, counts.sum(-1), 1)
    return np.where(counts.sum(-1) > 0, 1 - ((counts / total[..., None]) ** 2).sum(-1), 0.0)


def remainder(branches: Any) -> float:
    """Expected entropy after a test, from its branches' class weights (b, k).

    AIMA 18.3.4; MIT 2.4.18 calls it AE.
    """
    branches = np.asarray(branches, dtype=np.float64)
    return float(entropy_mass(branches).sum() / branches.sum())


def gain(branches: Any) -> float:
    """Bits that a test tells: entropy before less the remainder. AIMA 18.3.4."""
    branches = np.asarray(branches, dtype=np.float64)
    return float(entropy(branches.sum(0))) - remainder(branches)


def split_information(branches: Any) -> float:
    """Entropy of the sizes of the branches; 0 when all the examples take one branch.
    AIMA 18.3.6.
    """
    return float(entropy(np.asarray(branches, dtype=np.float64).sum(-1)))


def gain_ratio(branches: Any) -> float:
    """Gain / split information; NaN where the latter is 0. AIMA 18.3.6."""
    information = split_information(branches)
    return gain(branches) / information if information > 0 else float("nan")


class Mass(Record):
    """total · impurity for many sets at once: entropy, Gini impurity, or the part of the smaller
    classes. Whole counts are looked up in a table instead of taking logarithms. Of numbers, whose
    parts are their count and their sum: the squares around their mean, but for those around 0.
    """

    kind: str
    table: Float | None

    @classmethod
    def of(cls, importance: str, largest: int | None) -> "Mass":
        """largest: the greatest count when all weights are 1, else None."""
        whole = largest is not None and importance in ("gain", "ratio")
        return cls(importance, _looked_up((largest or 0).bit_length()) if whole else None)

    def xlogx(self, counts: Any) -> Float:
        return xlogx(counts) if self.table is None else self.table[counts]

    def size(self, parts: Any) -> Any:
        """The total of sets by their parts."""
        return parts[0] if self.kind == "squares" else add_up(parts)

    def __call__(self, total: Any, classes: Sequence[Any]) -> Float:
        """total (…), and its part in each class (…) -> (…)"""
        if self.kind == "squares":
            return np.asarray(-(classes[1] ** 2) / np.where(total > 0, total, 1))
        if self.kind == "error":
            return np.asarray(total - np.maximum.reduce(list(classes)))
        if self.kind == "gini":
            squares = add_up(np.square(part, dtype=np.float64) for part in classes)
            return np.where(total > 0, total - squares / np.where(total > 0, total, 1), 0.0)
        parts = self.xlogx(total)
        for part in classes:
            parts -= self.xlogx(part)
        return parts


@cache
def _looked_up(bits: int) -> Float:
    """x · log₂ x of all whole numbers of so many bits."""
    return frozen(xlogx(np.arange(1 << bits)))
