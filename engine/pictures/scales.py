"""When a picture may draw one unit as long on both axes."""

import numpy as np

from engine.core.problem import Problem

_FACTOR = 4.0  # spans farther apart would leave most of the plane empty


def comparable(problem: Problem) -> bool:
    """The plane shows two columns whose spans differ by less than a factor of 4, so that circles may be round on it."""
    xy = problem.xy[np.isfinite(problem.xy).all(axis=1)]
    if len(problem.plane) != 2 or not len(xy):
        return False
    spans = xy.max(axis=0) / 2 - xy.min(axis=0) / 2
    return bool(spans.min() > spans.max() / _FACTOR)
