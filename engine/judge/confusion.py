"""Confusion matrix, precision, recall and F1; ROC and precision–recall curves of scores.

None of the texts has them; these are the usual definitions.
"""

from typing import NamedTuple

import numpy as np

from engine.base.arrays import Bool, Float, Int
from engine.base.records import cached_property


class Confusion:
    """The confusion matrix of predictions.

    said, codes: (m,) predicted and true class indices, −1 for none; rows without a true class do
        not count
    counts: (k, k + 1) rows by true class and predicted class; the last column is "no class"
    """

    def __init__(self, said: Int, codes: Int, k: int) -> None:
        known = codes >= 0
        columns = np.where(said < 0, k, said)[known].astype(np.intp)
        self.counts: Int = np.bincount(
            codes[known] * (k + 1) + columns, minlength=k * (k + 1)
        ).reshape(k, k + 1)

    @cached_property
    def right(self) -> Int:
        """(k,) the number of correctly predicted rows of each class."""
        return np.diagonal(self.counts)

    @property
    def accuracy(self) -> float:
        """The share of correct rows; NaN without rows."""
        return float(_share(self.right.sum(), self.counts.sum()))

    @property
    def precision(self) -> Float:
        """(k,) the share of correct rows among those predicted as the class; NaN if there are
        none.
        """
        return _share(self.right, self.counts[:, :-1].sum(axis=0))

    @property
    def recall(self) -> Float:
        """(k,) the share of correct rows among those of the class; NaN if there are none."""
        return _share(self.right, self.counts.sum(axis=1))

    @property
    def f1(self) -> Float:
        """(k,) the harmonic mean of precision and recall; NaN for a class neither true nor
        predicted.
        """
        return _share(2 * self.right, self.counts.sum(axis=1) + self.counts[:, :-1].sum(axis=0))


def _share(part: Int, whole: Int) -> Float:
    shape = np.broadcast_shapes(np.shape(part), np.shape(whole))
    return np.asarray(
        np.divide(part, whole, out=np.full(shape, np.nan), where=np.asarray(whole) > 0), np.float64
    )


class Curve(NamedTuple):
    """The rule “score ≥ threshold” at each distinct threshold, in falling order.

    threshold: (t,) from ∞, where no row is predicted as positive
    hits, alarms: (t,) how many positive and how many other rows are predicted as positive; the last
        entries count all of them
    """

    threshold: Float
    hits: Int
    alarms: Int

    @property
    def roc(self) -> Float:
        """(t, 2) false and true positive rates; NaN if there are no rows to divide by."""
        return np.column_stack(
            [_share(self.alarms, self.alarms[-1:]), _share(self.hits, self.hits[-1:])]
        )

    @property
    def precision_recall(self) -> Float:
        """(t − 1, 2) recall and precision, without the first threshold, which predicts no
        positives.
        """
        hits = self.hits[1:]
        alarms = self.alarms[1:]
        return np.column_stack([_share(hits, self.hits[-1:]), _share(hits, hits + alarms)])

    @property
    def area(self) -> float:
        """The area under the ROC: the probability that a positive row scores above another one.

        A tie counts half.
        """
        return float(np.trapezoid(*self.roc.T[::-1]))


def curve(score: Float, positive: Bool) -> Curve:
    """The curve of scores (m,), with `positive` (m,) marking the rows of the class.

    A row without a score (NaN) scores −∞.
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
    """(m, k) the lead of each class over the best other one; above 0 where it wins.

    scores: (m,) for two classes, positive for the first, which gives all further classes −∞; or (m,
        k), where the largest wins
    """
    if scores.ndim == 1:
        return np.column_stack([scores, -scores, *np.full((k - 2, len(scores)), -np.inf)])
    if scores.shape[1] < 2:
        return scores
    two = np.partition(scores, -2, axis=1)[:, -2:]
    with np.errstate(invalid="ignore"):  # −∞ against −∞: no lead is known
        return np.asarray(scores - np.where(scores == two[:, 1:], two[:, :1], two[:, 1:]))
