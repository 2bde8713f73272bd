"""Where labels can change, as an algorithm knows it exactly: for the shortest way to
another label.
"""

from collections.abc import Iterable

import numpy as np

from engine.base.arrays import Float, Int
from engine.base.records import Record


class Cuts(Record):
    """Labels change only where a column passes one of its thresholds. at: column ->
    (t,) ascending
    """

    at: dict[int, Float]


class Sites(Record):
    """A place has the label of the nearest site, as the plane measures. xy (s, 2), codes (s,)"""

    xy: Float
    codes: Int


def cuts_of(tests: Iterable[tuple[int, float]]) -> Cuts:
    """tests: of (column, threshold); NaN and column −1 are none."""
    found: dict[int, set[float]] = {}
    for column, point in tests:
        if column >= 0 and point == point:
            found.setdefault(int(column), set()).add(float(point))
    return Cuts({column: np.array(sorted(points)) for column, points in found.items()})
