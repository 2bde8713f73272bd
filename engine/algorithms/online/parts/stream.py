"""Experts who forecast one example after the other: weights, votes, mistake bounds.

ML 7.5.4, AIMA 18.10.1.
"""

from collections.abc import Callable, Iterator, Sequence
from math import log

import numpy as np
from numpy.typing import NDArray

from engine.base.arrays import Bool, Float, Int, frozen
from engine.base.records import Record, cached_property
from engine.numerics.closeness import tied_with_best

FADED = 1e-100  # a best weight below it is taken as the new 1, long before numbers run out
TINY = float(np.finfo(np.float64).tiny)
MOST_PLACES = 300  # places of a curve that a plot can tell apart
CHUNK = 65_536  # examples whose weights are computed at once


class Stream(Record, dict=True):
    """The n labelled examples in table order.

    rows: (n,) of the table
    says: (n, K) forecasts, −1 for none
    truth: (n,) what happened
    classes: how many there are
    """

    rows: Int
    says: Int
    truth: Int
    classes: int

    @property
    def n(self) -> int:
        """n, the number of examples."""
        return len(self.rows)

    @cached_property
    def wrong(self) -> Bool:
        """(n, K) which experts err in each example."""
        return frozen(self.says != self.truth[:, None])

    @cached_property
    def counts(self) -> NDArray[np.int32]:
        """(n + 1, K) mistakes of every expert before each example, and after the last."""
        none = np.zeros((1, self.says.shape[1]), np.int32)
        return frozen(np.vstack([none, np.cumsum(self.wrong, axis=0, dtype=np.int32)]))

    @cached_property
    def plain(self) -> Float:
        """(n + 1,) mistakes of a vote without weights before each example; at a tie the share of
        the wrong classes.
        """
        q = votes(np.ones(self.says.shape[1]), self.says, self.classes)
        first = q == q.max(axis=1, keepdims=True)
        right = first[np.arange(self.n), self.truth] / first.sum(axis=1)
        return frozen(np.concatenate([[0.0], np.cumsum(1 - right)]))

    def expected(self, beta: float) -> Float:
        """(n + 1,) the expected mistakes before each example and after the last, where an expert is
        drawn by weight; β > 0.
        """
        chances = []  # of a mistake in each example
        for start in range(0, self.n, CHUNK):
            wrong = self.wrong[start : start + CHUNK]
            counts = self.counts[start : start + len(wrong)]
            w = np.power(beta, counts - counts.min(axis=1, keepdims=True), dtype=np.float64)
            chances.append((w * wrong).sum(axis=1) / w.sum(axis=1))
        return frozen(np.concatenate([[0.0], np.cumsum(np.concatenate(chances))]))

    def after(self, seen: int) -> Int:
        """(K,) mistakes of the experts in the first `seen` examples."""
        return frozen(self.counts[seen].astype(np.intp))


def weights(wrong: Int, beta: float) -> Float:
    """(K,) β^mistakes: one factor β for each mistake of an expert.

    Once even the best expert's is below 1e-100, all are divided by it: only ratios matter.
    """
    if beta == 0:
        return frozen(np.power(beta, wrong, dtype=np.float64))
    best = int(wrong.min())
    if best * log(beta) < log(FADED):
        wrong = wrong - best
    w = np.power(beta, wrong, dtype=np.float64)
    return frozen(np.maximum(w, TINY))


def votes(w: Float, says: Int, classes: int) -> Float:
    """(m, classes) weight of the experts for each class; says (m, K), −1 is no vote."""
    return np.stack([(says == c) @ w for c in range(classes)], axis=1)


def tied(q: Float) -> Int:
    """(m,) the classes that tie for the largest of the votes q (classes,)."""
    return np.flatnonzero(tied_with_best(q))


def winners(q: Float) -> Int:
    """(m,) class with the most of the votes q (m, classes); ties go to the first class in order, no
    votes at all to −1.
    """
    return np.where(q.max(axis=1) > 0, tied_with_best(q).argmax(axis=1), -1)


def share_curves(s: Stream, beta: float, seen: int) -> tuple[Float, Float]:
    """(x (m,) numbers of examples, (m, K) every expert's share of all weight after them); NaN when
    no weight is left.
    """
    x = places(seen)
    counts = s.counts[x]
    if beta > 0:
        counts = counts - counts.min(axis=1, keepdims=True)
    w = np.power(beta, counts, dtype=np.float64)
    total = w.sum(axis=1, keepdims=True)
    share = w / np.where(total > 0, total, np.nan)
    return x.astype(np.float64), share


def race(s: Stream, misses: Sequence[int], seen: int) -> tuple[Int, Int, Int]:
    """(numbers of examples x (m,), mistakes made after them (m,), those of the best expert (m,)).
    misses: positions of the mistakes
    """
    x = places(seen)
    made = np.searchsorted(np.asarray(misses, np.intp), x)
    best = s.counts[x].min(axis=1).astype(np.intp)
    return x, made, best


def places(seen: int) -> Int:
    """(m,) numbers of examples, from 0 to `seen`, at which a curve is drawn."""
    return np.unique(np.linspace(0, seen, min(seen + 1, MOST_PLACES)).astype(np.intp))


def bounds(best: Int, bound: Callable[[int], float]) -> Float:
    """(m,) the bound for each number of mistakes of the best expert; NaN where it is infinite."""
    limits = np.array([bound(int(k)) for k in best])
    return np.where(np.isinf(limits), np.nan, limits)


def breaks(w: Float) -> Iterator[tuple[float, float]]:
    """(start, end) of each expert's sector of the wheel, which runs from 0 to 1."""
    edges = np.concatenate([[0.0], np.cumsum(w) / w.sum()])
    return zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True)
