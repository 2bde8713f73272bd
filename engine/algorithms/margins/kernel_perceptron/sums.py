"""Sums of kernels over counted mistakes: the score of each example, from mistake to mistake, and
how large its terms are.
"""

from copy import copy
from itertools import combinations_with_replacement
from math import comb
from typing import Any, TypeVar

from engine.algorithms.margins.parts.lifted import Lifted
from engine.authoring import Bool, EngineError, Float, Int, Work, cached_property, frozen, np
from engine.numerics.closeness import LAST_DIGITS, OF_TERMS, equal, settled
from engine.numerics.mistakes import RoundEnds

P = TypeVar("P")
FEW = 500  # examples up to which the kernel matrix is kept
# numbers of the lifted examples that are added up to see whether they cancel
MOST_TERMS = 5_000_000


class Sums(Lifted[P]):
    """rows: those with a class; lengths (n,): |F(x)|; reach (n,): what a mistake adds to a score at
    most.
    """

    rows = cached_property(lambda given: np.flatnonzero(given.problem.labelled))
    learned = property(lambda given: float(given.p.threshold == "learned"))  # 1.0 or 0.0
    lengths = cached_property(lambda given: np.sqrt(given.kernel.diagonal(given.X)))
    reach = cached_property(lambda given: given.lengths * given.lengths.max() + given.learned)
    matrix = cached_property(lambda given: given.kernel.matrix(given.X, given.X))

    def normal(self, s: Any) -> Float | None:
        return (s.counts * self.sign) @ self.X if self.kernel.name == "linear" else None

    def constants(self, s: Any) -> float:
        return float(self.learned * s.mistakes)

    def terms(self, i: int) -> tuple[Float, Float]:
        """(n,) what a mistake about example i changes every score by, but for its sign; (n,) the
        size of that.
        """
        K = self.matrix[i] if self.problem.n <= FEW else self.kernel.matrix(self.X[[i]], self.X)[0]
        K = K + self.learned
        return K, K if self.kernel.name == "rbf" else self.lengths[i] * self.lengths + self.learned

    def settled_scores(self, s: Any) -> Float:
        """(n,) the scores of the examples themselves, which decide."""
        return np.asarray(settled(s.scores, s.sizes, LAST_DIGITS))

    def wrong(self, scores: Float, sizes: Float) -> Bool:
        """(n,) y Σ c y K ≤ 0, of examples that have a class."""
        return np.asarray((self.sign * settled(scores, sizes, LAST_DIGITS) <= 0) & (self.sign != 0))

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
        X = places[rows]
        c = c[rows]
        power = self.kernel.power
        d = self.problem.d
        lowest = 0 if self.kernel.shift else power
        if comb(d + power, power) * len(rows) > MOST_TERMS:
            return False
        X = X / (np.abs(X).max(axis=0) + (X == 0).all(axis=0))
        powers = (
            range(lowest, power + 1)
            if not self.learned or not lowest
            else (0, *range(lowest, power + 1))
        )
        monomials = (
            X[:, columns].prod(axis=1) * c
            for k in powers
            for columns in map(list, combinations_with_replacement(range(d), k))
        )
        return all(equal(terms.sum(), 0.0, np.abs(terms).sum(), OF_TERMS) for terms in monomials)

    def sums(self, counts: Int) -> Work[tuple[Float, Float]]:
        """(n,) the scores of these counts, which may come from another kernel, and (n,) the sizes
        of their terms.
        """
        if len(counts) != self.problem.n:
            raise EngineError("These counts belong to other examples: start again.")
        scores, sizes = np.zeros((2, self.problem.n))
        for i in np.flatnonzero(counts).tolist():
            K, size = self.terms(i)
            scores = scores + counts[i] * self.sign[i] * K
            sizes = sizes + counts[i] * size
            yield
        return scores, sizes

    def counted(self, counts: Int, scores: Float, sizes: Float) -> dict[str, Any]:
        """What a state tells of its counts."""
        return {
            "counts": frozen(counts),
            "scores": frozen(scores),
            "sizes": frozen(sizes),
            "mistakes": int(counts.sum()),
            "b": self.learned * float(self.sign @ counts),
            "errors": int(self.wrong(scores, sizes).sum()),
        }


class Circles:
    """The scores and counts at the ends of rounds, beginning with those of state s."""

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

    own_bytes = property(
        lambda circles: circles._ends.own_bytes + 64 * len(circles._counts)
    )  # arrays are in the states

    def earlier(self, s: Any) -> int | None:
        """The round that ended with the same sum of kernels as state s; None for a new one, and
        where that is not known.
        """
        number = self._ends.earlier(s.scores, s.round)
        self._counts[s.round] = s.counts
        if number is None or not self._given.cancels(s.counts - self._counts[number]):
            return None
        return number
