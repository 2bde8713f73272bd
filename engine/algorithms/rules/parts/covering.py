"""What the greedy rule learners share: rows, scores of columns as fractions, shares.

MIT 2.2.18-2.2.40, 2.3.15-2.3.20.
"""

from collections.abc import Sequence
from fractions import Fraction

from engine.base.arrays import Float, Int, own


def rows_of(codes: Int, code: int) -> Int:
    """(m,) the indices of the rows with this class code."""
    return own((codes == code).nonzero()[0])


def in_the_way(X: Float, positives: Int, negatives: Int) -> tuple[int, int] | None:
    """A positive row and a negative one that holds 1 wherever it does, equal rows first.

    No rule without negation tells them apart. None when every positive can be covered alone.
    """
    found = None
    for i in positives.tolist():
        above = negatives[(X[negatives] >= X[i]).all(axis=1)]
        equal = above[(X[above] == X[i]).all(axis=1)]
        if len(equal):
            return i, int(equal[0])
        if len(above) and found is None:
            found = i, int(above[0])
    return found


def best(scores: Sequence[Fraction | int | None]) -> tuple[int, ...]:
    """The columns that tie for the largest score, ascending; () where every score is None."""
    largest = max((score for score in scores if score is not None), default=None)
    if largest is None:
        return ()
    return tuple(j for j, score in enumerate(scores) if score == largest)


def share_floor(share: float, whole: int) -> int:
    """⌊share · whole⌋, computed exactly from the decimal digits of the share."""
    return int(Fraction(str(share)) * whole) if share else 0
