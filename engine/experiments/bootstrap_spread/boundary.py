"""The boundary of a model as lines of the plane, or its curve where values stand upright."""

import numpy as np

from engine.core.arrays import Float, frozen
from engine.core.grid import Grid
from engine.experiments.parts.learners import Model
from engine.experiments.parts.pictures import surface
from engine.numerics.contours import joined, level_lines
from engine.pictures.regression import extent, upright

FINE, STEPS = 64, 160  # cells along an axis, places along a curve
AIR = 0.15


def boundary(model: Model) -> Float:
    """(m, 2) plane coordinates, rows of NaN between pieces; (0, 2) without a plane or a boundary on
    it.
    """
    problem = model.problem
    if not problem.plane:
        return frozen(np.zeros((0, 2)))
    x, y = (aired(*extent(problem, axis)) for axis in (0, 1))
    if problem.regress and upright(problem):
        across = np.linspace(*x, STEPS)
        says = model.answers(problem.from_plane(np.column_stack([across, np.zeros(STEPS)])))
        return frozen(np.column_stack([across, says]))
    if problem.regress:
        return frozen(np.zeros((0, 2)))
    grid = Grid(np.linspace(*x, FINE), np.linspace(*y, FINE))
    told = surface(model, "class", grid)
    edges = range(len(problem.classes) - 1)  # those of the last class are some other's too
    return frozen(
        joined([p for k in edges for p in level_lines(grid.x, grid.y, (told == k) * 1.0, [0.5])])
    )


def aired(low: float, high: float) -> tuple[float, float]:
    """A little beyond the points, as far as the plane shows."""
    return low - AIR * (high - low), high + AIR * (high - low)
