"""Where the labels of a model change, known exactly: for the shortest way to another label."""

from collections.abc import Iterable

import numpy as np

from engine.base.arrays import Float, Int
from engine.base.records import Record


class Cuts(Record):
    """Labels change only where a column passes one of its thresholds.

    at: column -> (t,) thresholds, ascending
    """

    at: dict[int, Float]


class Sites(Record):
    """Each place has the label of its nearest site, by the distance of the plane.

    xy: (s, 2) places; codes: (s,) class indices
    """

    xy: Float
    codes: Int


def cuts_of(tests: Iterable[tuple[int, float]]) -> Cuts:
    """The cuts of (column, threshold) tests; NaN and column −1 are left out."""
    found: dict[int, set[float]] = {}
    for column, point in tests:
        if column >= 0 and point == point:
            found.setdefault(int(column), set()).add(float(point))
    return Cuts({column: np.array(sorted(points)) for column, points in found.items()})
