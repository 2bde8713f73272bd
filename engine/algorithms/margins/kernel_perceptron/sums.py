"""Sums of kernels over counted mistakes: the score of each example, from mistake to mistake, and
how large its terms are.
"""

from copy import copy
from itertools import combinations_with_replacement
from math import comb
from typing import Any, TypeVar

from engine.algorithms.margins.parts.lifted import Lifted
from engine.authoring import Bool, EngineError, Float, Int, Work, cached_property, np
from engine.numerics.closeness import LAST_DIGITS, OF_TERMS, equal, settled
from engine.numerics.mistakes import RoundEnds

P = TypeVar("P")
FEW = 500  # examples up to which the kernel matrix is kept
# numbers of the lifted examples that are added up to see whether they cancel
MOST_TERMS = 5_000_000


class Sums(Lifted[P]):
    """The rows, kernel and scores of the kernel perceptron."""

    @cached_property
    def rows(self) -> Int:
        """(m,) the indices of the rows with a class."""
        return np.flatnonzero(self.problem.labelled)

    @property
    def learned(self) -> float:
        """1 where a threshold is learnt, which adds 1 to every K; else 0."""
        return float(self.p.threshold == "learned")

    @cached_property
    def lengths(self) -> Float:
        """(n,) |F(x)|, the lengths of the examples in the lifted space."""
        return np.sqrt(self.kernel.diagonal(self.X))

    @cached_property
    def reach(self) -> Float:
        """(n,) the largest change of each score by one mistake."""
        return np.asarray(self.lengths * self.lengths.max() + self.learned)

    @cached_property
    def matrix(self) -> Float:
        """(n, n) K of the examples with one another."""
        return self.kernel.matrix(self.X, self.X)

    def normal(self, s: Any) -> Float | None:
        """w = Σ c y x (d,) for the linear kernel, else None."""
        if self.kernel.name != "linear":
            return None
        return np.asarray((s.counts * self.sign) @ self.X)

    def constants(self, s: Any) -> float:
        """The size of the terms of a score that do not depend on x; rounding is relative to it."""
        return float(self.learned * s.mistakes)

    def kernel_row(self, i: int) -> tuple[Float, Float]:
        """(K(x[i], ·) (n,) with every example, plus 1 where a threshold is learned; the sizes of
        these values (n,)).
        """
        few = self.problem.n <= FEW
        K = self.matrix[i] if few else self.kernel.matrix(self.X[[i]], self.X)[0]
        K = K + self.learned
        if self.kernel.name == "rbf":
            return K, K
        return K, self.lengths[i] * self.lengths + self.learned

    def settled_scores(self, s: Any) -> Float:
        """(n,) the scores of the examples, 0 where they are within rounding of 0."""
        return np.asarray(settled(s.scores, s.sizes, LAST_DIGITS))

    def wrong(self, scores: Float, sizes: Float) -> Bool:
        """(n,) which labelled examples have y Σ c y K ≤ 0."""
        margins = self.sign * settled(scores, sizes, LAST_DIGITS)
        return np.asarray((margins <= 0) & (self.sign != 0))

    def cancels(self, counts: Int) -> bool:
        """Whether Σ c y F(x) is known to be 0 for these counts (n,): then no boundary of this
        kernel separates the classes.

        Scores alone do not tell: where K is 1 + 1e-14, what separates is below their rounding. So
        the coordinates of F are added up one by one, each on its own scale. False also where they
        are too many to be added up.
        """
        places, place = np.unique(self.X, axis=0, return_inverse=True)
        c = np.bincount(place.ravel(), counts * self.sign, len(places))
        rows = np.flatnonzero(c)
        if not len(rows):
            return True
        if self.kernel.name == "rbf":  # different places are independent
            return False
        d = self.problem.d
        power = self.kernel.power
        if comb(d + power, power) * len(rows) > MOST_TERMS:
            return False
        powers = [*range(power + 1)] if self.kernel.shift else [power]
        if self.learned and 0 not in powers:
            powers.insert(0, 0)
        X = places[rows]
        X = X / (np.abs(X).max(axis=0) + (X == 0).all(axis=0))
        for k in powers:
            for columns in combinations_with_replacement(range(d), k):
                terms = X[:, list(columns)].prod(axis=1) * c[rows]
                if not equal(terms.sum(), 0.0, np.abs(terms).sum(), OF_TERMS):
                    return False
        return True

    def sums(self, counts: Int) -> Work[tuple[Float, Float]]:
        """(scores (n,) for these counts, which may come from another kernel; the sizes of their
        terms (n,)).
        """
        if len(counts) != self.problem.n:
            raise EngineError("These counts belong to other examples: start again.")
        scores = np.zeros(self.problem.n)
        sizes = np.zeros(self.problem.n)
        for i in np.flatnonzero(counts).tolist():
            K, size = self.kernel_row(i)
            scores = scores + counts[i] * self.sign[i] * K
            sizes = sizes + counts[i] * size
            yield
        return scores, sizes


class Circles:
    """The scores and counts at the ends of rounds from state s on, by which cycles are found."""

    def __init__(self, given: Sums[Any], s: Any) -> None:
        self._given = given
        self._counts = {s.round: s.counts}
        self._ends = RoundEnds(given.reach, s.scores, s.round)

    def __copy__(self) -> "Circles":
        other = object.__new__(Circles)
        other._given = self._given
        other._ends = copy(self._ends)
        other._counts = dict(self._counts)
        return other

    @property
    def own_bytes(self) -> int:
        """Its size in bytes without the arrays, which belong to the states."""
        return int(self._ends.own_bytes) + 64 * len(self._counts)

    def earlier(self, s: Any) -> int | None:
        """The earlier round that ended with the same scores as state s; None for none, and where
        that is not known.
        """
        number = self._ends.earlier(s.scores, s.round)
        self._counts[s.round] = s.counts
        if number is None or not self._given.cancels(s.counts - self._counts[number]):
            return None
        return number
