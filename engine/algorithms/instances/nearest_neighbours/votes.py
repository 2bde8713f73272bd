"""What k neighbours say: weights by distance, votes, ties.

AIMA 18.8.1, ML 8.2-8.2.1, MMDS 12.4.1-12.4.3.
"""

import numpy as np

from engine.base.arrays import Bool, Float, Int
from engine.base.records import Record
from engine.numerics.closeness import tied_with_best


def weigh(distances: Float, power: int, width: float = 0.0) -> Float:
    """(…, k) weights 1/d^power of neighbours, nearest first; with a width σ e^(−d²/σ²).

    Where examples lie exactly at the query, only these have a weight 1/d^power (ML Eq 8.2);
    the bell is that of MMDS 12.4.6.
    """
    if width:
        return _bell(distances, width)
    if power == 0:
        return np.ones_like(distances)
    with np.errstate(divide="ignore", over="ignore", under="ignore"):
        weights = distances ** -float(power)
    exact = np.isinf(weights[..., :1])
    lost = weights[..., :1] == 0  # so far away that 1/d^power vanishes: take every example alike
    return np.where(exact, np.isinf(weights), np.where(lost, 1.0, weights))


def _bell(distances: Float, width: float) -> Float:
    """(…, k) weights e^(−d²/σ²); where all vanish, of what is left of them beside the nearest."""
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        exponents = np.square(distances / width)
        weights = np.exp(-exponents)
        beside = np.exp(exponents[..., :1] - exponents)
    return np.where(weights[..., :1] == 0, np.nan_to_num(beside, nan=1.0), weights)


def tally(codes: Int, weights: Float, classes: int) -> Float:
    """(m, classes) summed weights of the neighbours of each class. codes, weights (m, k)."""
    cells = np.arange(len(codes))[:, None] * classes + codes
    counts = np.bincount(cells.ravel(), weights.ravel(), minlength=len(codes) * classes)
    return np.asarray(counts.reshape(len(codes), classes), np.float64)


def front_runners(votes: Float) -> Bool:
    """(m, classes) which classes have the most votes, up to rounding."""
    return tied_with_best(votes)


def elect(votes: Float, codes: Int) -> Int:
    """(m,) the class with the most votes; equal votes: the class of the nearer neighbour (codes are
    nearest first).
    """
    label: Int = votes.argmax(1)
    leading = front_runners(votes)
    tied = np.flatnonzero(np.count_nonzero(leading, axis=1) > 1)
    first = leading[tied[:, None], codes[tied]].argmax(1)
    label[tied] = codes[tied, first]
    return label


class Vote(Record, eq=True):
    """How k neighbours, at most as many as there are examples, vote on one of `classes`.

    power: weights are 1/d^power
    unanimous: no label unless all voters agree
    width: σ of weights e^(−d²/σ²), 0 for those of `power`
    """

    k: int
    classes: int
    power: int = 0
    unanimous: bool = False
    width: float = 0.0

    @property
    def weighted(self) -> bool:
        """Whether the distance decides how much a vote weighs."""
        return self.power > 0 or self.width > 0

    def weigh(self, distances: Float) -> Float:
        """(…, k) the weights of neighbours at these distances, nearest first."""
        return weigh(distances, self.power, self.width)

    def ballot(self, codes: Int, distances: Float) -> tuple[Float, Int]:
        """(votes (m, classes), labels (m,), −1 none) of neighbours (m, k), nearest first."""
        weights = self.weigh(distances)
        votes = tally(codes, weights, self.classes)
        return votes, self.common(codes, weights) if self.unanimous else elect(votes, codes)

    def labels(self, codes: Int, distances: Float) -> Int:
        """(m,) the labels of `ballot`, without its votes."""
        return codes[:, 0] if codes.shape[1] == 1 else self.ballot(codes, distances)[1]

    def common(self, codes: Int, weights: Float) -> Int:
        """(m,) the class that all voters, neighbours of weight > 0, share; −1 where they disagree
        (MMDS Exercise 12.4.1).
        """
        return np.where(((codes == codes[:, :1]) | (weights == 0)).all(1), codes[:, 0], -1)

    def shares(self, codes: Int, distances: Float) -> Float:
        """(m, classes) the share of each class in all votes."""
        votes = tally(codes, self.weigh(distances), self.classes)
        return np.asarray(votes / votes.sum(1, keepdims=True))
