"""What each of the learners of two classes says of a place, and what that makes of all classes."""

from collections.abc import Sequence

import numpy as np

from engine.base.arrays import Bool, Float, Int
from engine.experiments.parts.scoring import LARGEST
from engine.fit.learners import Model
from engine.numerics.closeness import tied_with_best
from engine.table.two_classes import Pair


def score_of(h: Model, X: Float) -> Float:
    """(m,) how h scores rows X (m, d): above 0 for its first side, below 0 for its second.

    ±1 by what it says where its method has no scores, NaN where it says nothing.
    """
    scores = h.learner.algorithm.scores
    if scores is None:
        said = h.answers(X)
        return np.select([said == 0, said == 1], [1.0, -1.0], np.nan)
    found = np.asarray(scores(h.given, h.state, X), np.float64)
    lead = found if found.ndim == 1 else found[:, 0] - found[:, 1]
    return np.clip(lead, -LARGEST, LARGEST)


def scored(f: Float, pairs: Sequence[Pair], k: int) -> Float:
    """(m, k) of one against the rest, the score of each class; −LARGEST for a class without one.

    f: (p, m) the scores of the first p pairs
    """
    found = np.full((f.shape[1], k), -LARGEST)
    for score, pair in zip(f, pairs, strict=False):
        found[:, pair.first] = np.where(np.isnan(score), -LARGEST, score)
    return found


def counted_votes(f: Float, pairs: Sequence[Pair], k: int) -> Float:
    """(m, k) of duels, how many each class has won. f: (p, m) the scores of the first p duels"""
    votes = np.zeros((f.shape[1], k))
    for score, pair in zip(f, pairs, strict=False):
        votes[:, pair.first] += score > 0
        votes[:, pair.second] += score < 0
    return votes


def sums(f: Float, pairs: Sequence[Pair], k: int) -> Float:
    """(m, k) of duels, the sum of the scores by which each class is ahead in its duels."""
    ahead = np.zeros((f.shape[1], k))
    for score, pair in zip(np.nan_to_num(f), pairs, strict=False):
        ahead[:, pair.first] += score
        ahead[:, pair.second] -= score
    return ahead


def with_sums(votes: Float, ahead: Float) -> Float:
    """(m, k) the votes, and less than half a vote more or less by the sum of the scores, so that it
    decides between equal votes alone.
    """
    return np.asarray(votes + ahead / (3 * (np.abs(ahead) + 1)))


def largest(values: Float) -> tuple[Int, Bool]:
    """((m,) the class of the largest of the values (m, k), the first of equal ones; (m, k) the
    equal ones).
    """
    tied = tied_with_best(values, axis=1)
    return tied.argmax(axis=1), tied
