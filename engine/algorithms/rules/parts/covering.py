"""Scores of a greedy rule's next column, in whole numbers and fractions.

MIT 2.2.18-2.2.40, 2.3.15-2.3.20.
"""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from engine.core.arrays import Float, Int, own
from engine.core.records import Record


def rows_of(codes: Int, code: int) -> Int:
    """The rows of one class."""
    return own((codes == code).nonzero()[0])


def in_the_way(X: Float, positives: Int, negatives: Int) -> tuple[int, int] | None:
    """A positive row and a negative one that holds 1 wherever it does, so that no rule without
    negation tells them apart; equal rows first. None when every positive can be covered alone.
    """
    found = None
    for i in positives.tolist():
        above = negatives[(X[negatives] >= X[i]).all(1)]
        equal = above[(X[above] == X[i]).all(1)]
        if len(equal):
            return i, int(equal[0])
        if len(above) and found is None:
            found = i, int(above[0])
    return found


def members(rows: Int, n: int) -> Float:
    """(n,) 1 for each of `rows`, 0 for the others."""
    held = np.zeros(n)
    held[rows] = 1
    return held


class Counts(Record, eq=True):
    """What each column would keep if the rule asked for 1 in it: positives n⁺ (d,), negatives n⁻
    (d,).
    """

    plus: Int
    minus: Int


def counts(X: Float, covered: Int, negatives: Int) -> Counts:
    """X (n, d) holds 0 and 1 alone."""
    return Counts(*(X[rows].sum(0).astype(np.intp) for rows in (covered, negatives)))


def scores(
    counts: Counts, candidates: Sequence[int], floor: Fraction
) -> tuple[Fraction | None, ...]:
    """(d,) v = n⁺ / max(n⁻, floor) of every candidate, None for the other columns."""
    wanted = set(candidates)
    pairs = zip(counts.plus.tolist(), counts.minus.tolist(), strict=True)
    return tuple(
        Fraction(a) / max(Fraction(b), floor) if j in wanted else None
        for j, (a, b) in enumerate(pairs)
    )


def best(scores: Sequence[Fraction | int | None]) -> tuple[int, ...]:
    """Every column with the largest score, lowest index first; () without candidates."""
    largest = max((score for score in scores if score is not None), default=None)
    return tuple(j for j, score in enumerate(scores) if largest is not None and score == largest)


def share_floor(share: float, whole: int) -> int:
    """The largest whole number that is at most `share` · `whole`, with the share as it is written
    in decimals.
    """
    return int(Fraction(str(share)) * whole) if share else 0
