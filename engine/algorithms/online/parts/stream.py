"""Experts who forecast one example after the other: weights, votes, mistake bounds.

ML 7.5.4, AIMA 18.10.1.
"""

from collections.abc import Callable, Iterator, Sequence
from math import log

import numpy as np
from numpy.typing import NDArray

from engine.core.arrays import Bool, Float, Int, frozen
from engine.core.records import Record, cached_property, field
from engine.numerics.closeness import tied_with_best

FADED = 1e-100  # a best weight below it is taken as the new 1, long before numbers run out
TINY = float(np.finfo(np.float64).tiny)
DRAWN = 300  # places of a curve that a plot can tell apart
CHUNK = 65_536  # examples whose weights are reckoned at once


class Stream(Record, dict=True):
    """The labelled examples in table order. rows (n,) of the table; says (n, K) forecasts; truth
    (n,) what happened, of `classes` classes.
    """

    rows: Int
    says: Int
    truth: Int
    classes: int
    _risks: dict[float, Float] = field(default_factory=dict)

    @property
    def n(self) -> int:
        return len(self.rows)

    @cached_property
    def wrong(self) -> Bool:
        """(n, K) which experts err in which example."""
        return frozen(self.says != self.truth[:, None])

    @cached_property
    def counts(self) -> NDArray[np.int32]:
        """(n + 1, K) mistakes of every expert before each example, and after the last."""
        return frozen(
            np.vstack(
                [np.zeros((1, self.says.shape[1]), np.int32), np.cumsum(self.wrong, 0, np.int32)]
            )
        )

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
        """(n + 1,) mistakes before each example on average over all draws of an expert by weight, β
        > 0.
        """
        if beta not in self._risks:
            parts = []
            for start in range(0, self.n, CHUNK):
                counts = self.counts[start : min(start + CHUNK, self.n)]
                w = np.power(beta, counts - counts.min(axis=1, keepdims=True), dtype=np.float64)
                parts.append((w * self.wrong[start : start + len(w)]).sum(axis=1) / w.sum(axis=1))
            self._risks.clear()  # of one β at a time
            self._risks[beta] = frozen(np.concatenate([[0.0], np.cumsum(np.concatenate(parts))]))
        return self._risks[beta]

    def votes(self, beta: float) -> Float:
        """(n, classes) weight for each class in each example: it follows from the experts' mistakes
        alone.
        """
        parts = [np.zeros((0, self.classes))]
        for start in range(0, self.n, CHUNK):
            says = self.says[start : start + CHUNK]
            w = weights(self.counts[start : start + len(says)], beta)
            parts.append(
                np.stack(
                    [np.where(says == c, w, 0.0).sum(axis=1) for c in range(self.classes)], axis=1
                )
            )
        return frozen(np.concatenate(parts))

    def after(self, seen: int) -> Int:
        """(K,) mistakes of the experts in the first `seen` examples."""
        return frozen(self.counts[seen].astype(np.intp))


def weights(wrong: Int | NDArray[np.int32], beta: float) -> Float:
    """(…, K) β^mistakes.

    Once even the best expert's is below 1e-100, all are divided by it: only ratios matter.
    """
    if not beta:
        return frozen(np.power(beta, wrong, dtype=np.float64))
    best = wrong.min(axis=-1, keepdims=True)
    w = np.power(beta, wrong - best * (best * log(beta) < log(FADED)), dtype=np.float64)
    return frozen(np.maximum(w, TINY, out=w))


def votes(w: Float, says: Int, classes: int) -> Float:
    """(m, classes) weight of the experts for each class; says (m, K), −1 is no vote."""
    return np.stack([(says == c) @ w for c in range(classes)], axis=1)


def tied(q: Float) -> Int:
    """The classes with the largest of the votes q (classes,)."""
    return np.flatnonzero(tied_with_best(q))


def winners(q: Float) -> Int:
    """(m,) class with the most of the votes q (m, classes); ties go to the first class in order, no
    votes at all to −1.
    """
    return np.where(q.max(axis=1) > 0, tied_with_best(q).argmax(axis=1), -1)


def drawn(w: Float, u: Float | float) -> Int:
    """The expert on whose part of the cumulated weights (…, K) each number u (…,) in
    [0, 1) falls.
    """
    edges = np.cumsum(w, axis=-1)
    return np.asarray(
        np.minimum((edges <= (u * edges[..., -1])[..., None]).sum(axis=-1), w.shape[-1] - 1)
    )


def share_curves(s: Stream, beta: float, seen: int) -> tuple[Float, Float]:
    """x (m,) numbers of examples and (m, K) every expert's share of all weight after them; NaN when
    no weight is left.
    """
    x = np.unique(np.linspace(0, seen, min(seen + 1, DRAWN)).astype(np.intp))
    counts = s.counts[x]
    base = counts.min(axis=1, keepdims=True) if beta > 0 else 0
    w = np.power(beta, counts - base, dtype=np.float64)
    total = w.sum(axis=1, keepdims=True)
    return x.astype(np.float64), np.where(total > 0, w / np.where(total > 0, total, 1.0), np.nan)


def race(s: Stream, misses: Sequence[int], seen: int) -> tuple[Int, Int, Int]:
    """After x (m,) examples: the mistakes made, at the positions `misses`, and those of the best
    expert.
    """
    x = np.unique(np.linspace(0, seen, min(seen + 1, DRAWN)).astype(np.intp))
    return (
        x,
        np.searchsorted(np.asarray(misses, np.intp), x),
        s.counts[x].min(axis=1).astype(np.intp),
    )


def bounds(best: Int, bound: Callable[[int], float]) -> Float:
    """(m,) the bound for each number of mistakes of the best expert; NaN where it is infinite."""
    limits = np.array([bound(int(k)) for k in best])
    return np.where(np.isinf(limits), np.nan, limits)


def breaks(w: Float) -> Iterator[tuple[float, float]]:
    """From where to where each expert's part of the wheel, 0 to 1, reaches."""
    edges = np.concatenate([[0.0], np.cumsum(w) / w.sum()])
    return zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True)
