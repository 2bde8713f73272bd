"""Which classes are taken for which: confusion, precision, recall, F1; ROC and precision–recall
curves of scores. In none of the texts: as usual.
"""

from typing import NamedTuple

import numpy as np

from engine.base.arrays import Bool, Float, Int
from engine.base.records import cached_property


class Confusion:
    """counts (k, k + 1): labelled rows, by true class and by what was said of them; the last
    column: no class.

    said, codes (m,): class indices, −1 for none; rows without a true class are not counted.
    """

    def __init__(self, said: Int, codes: Int, k: int) -> None:
        known = codes >= 0
        told = np.where(said < 0, k, said)[known].astype(np.intp)
        self.counts: Int = np.bincount(
            codes[known] * (k + 1) + told, minlength=k * (k + 1)
        ).reshape(k, k + 1)

    @cached_property
    def right(self) -> Int:
        """(k,) rows of each class that are called so."""
        return np.diagonal(self.counts)

    @property
    def accuracy(self) -> float:
        """The share of right rows; NaN of none."""
        return float(_share(self.right.sum(), self.counts.sum()))

    @property
    def precision(self) -> Float:
        """(k,) of the rows called so, the share that are; NaN where none is."""
        return _share(self.right, self.counts[:, :-1].sum(axis=0))

    @property
    def recall(self) -> Float:
        """(k,) of the rows that are of a class, the share called so; NaN where there is none."""
        return _share(self.right, self.counts.sum(axis=1))

    @property
    def f1(self) -> Float:
        """(k,) the harmonic mean of precision and recall; NaN of a class that is neither there nor
        told.
        """
        return _share(2 * self.right, self.counts.sum(axis=1) + self.counts[:, :-1].sum(axis=0))


def _share(part: Int, whole: Int) -> Float:
    shape = np.broadcast_shapes(np.shape(part), np.shape(whole))
    return np.asarray(
        np.divide(part, whole, out=np.full(shape, np.nan), where=np.asarray(whole) > 0), np.float64
    )


class Curve(NamedTuple):
    """A rule “score ≥ threshold” at every threshold that tells rows apart, the highest first, where
    nothing is called so.

    threshold (t,), from ∞; hits, alarms (t,): how many rows of the class, and how many others, are
    called so; the last are all of them.
    """

    threshold: Float
    hits: Int
    alarms: Int

    @property
    def roc(self) -> Float:
        """(t, 2): share of the others called so, share of the class called so; NaN where there are
        none of them.
        """
        return np.column_stack(
            [_share(self.alarms, self.alarms[-1:]), _share(self.hits, self.hits[-1:])]
        )

    @property
    def precision_recall(self) -> Float:
        """(t − 1, 2): recall, precision, without the threshold at which nothing is called so."""
        hits = self.hits[1:]
        alarms = self.alarms[1:]
        return np.column_stack([_share(hits, self.hits[-1:]), _share(hits, hits + alarms)])

    @property
    def area(self) -> float:
        """Under the ROC: how often a row of the class scores above one of the others, a tie counts
        half.
        """
        return float(np.trapezoid(*self.roc.T[::-1]))


def curve(score: Float, positive: Bool) -> Curve:
    """Of scores (m,) for a class, and which rows are of it (m,); rows without a score (NaN) never
    are called so.
    """
    score = np.where(np.isnan(score), -np.inf, score)
    order = np.argsort(-score, kind="stable")
    falling = score[order]
    hits = np.cumsum(positive[order])
    ends = np.flatnonzero(np.append(falling[1:] != falling[:-1], True)[: len(falling)])
    begin = np.zeros(1, np.intp)
    found = np.concatenate([begin, hits[ends]])
    return Curve(
        np.concatenate([[np.inf], falling[ends]]), found, np.concatenate([begin, ends + 1]) - found
    )


def leads(scores: Float, k: int = 2) -> Float:
    """(m, k): by how much each of k classes is ahead of the best other, above 0 where it wins.
    scores: (m,) of the first two classes, positive means the first, which leave the others −∞; or
    (m, k) one for each, of which the largest wins.
    """
    if scores.ndim == 1:
        return np.column_stack([scores, -scores, *np.full((k - 2, len(scores)), -np.inf)])
    if scores.shape[1] < 2:
        return scores
    two = np.partition(scores, -2, axis=1)[:, -2:]
    with np.errstate(invalid="ignore"):  # −∞ against −∞: no lead is known
        return np.asarray(scores - np.where(scores == two[:, 1:], two[:, :1], two[:, 1:]))
