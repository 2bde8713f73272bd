"""The boundary of a model as lines of the plane, or its curve where values stand upright."""

import numpy as np

from engine.base.arrays import Float, frozen
from engine.base.grid import Grid
from engine.experiments.parts.pictures import surface
from engine.fit.learners import Model
from engine.numerics.contours import level_lines, one_polyline
from engine.scene.regression import extent, upright

FINE = 64  # cells along an axis
STEPS = 160  # places along a curve
AIR = 0.15  # of the plane, beyond the points


def boundary(model: Model) -> Float:
    """(m, 2) plane coordinates, rows of NaN between pieces; (0, 2) without a plane or a boundary on
    it.
    """
    problem = model.problem
    if not problem.plane:
        return frozen(np.zeros((0, 2)))
    x, y = (aired(*extent(problem, axis)) for axis in (0, 1))
    if not problem.regress:
        return between_classes(model, Grid(np.linspace(*x, FINE), np.linspace(*y, FINE)))
    if not upright(problem):
        return frozen(np.zeros((0, 2)))
    across = np.linspace(*x, STEPS)
    places = problem.from_plane(np.column_stack([across, np.zeros(STEPS)]))
    return frozen(np.column_stack([across, model.answers(places)]))


def between_classes(model: Model, grid: Grid) -> Float:
    """(m, 2) the lines on the grid at which the class changes, rows of NaN between pieces."""
    says = surface(model, "class", grid)
    pieces = []
    # the edges of the last class are edges of another, too
    for k in range(len(model.problem.classes) - 1):
        pieces += level_lines(grid.x, grid.y, (says == k) * 1.0, [0.5])
    return frozen(one_polyline(pieces))


def aired(low: float, high: float) -> tuple[float, float]:
    """The range low … high with the margin that the plane shows around its points."""
    return low - AIR * (high - low), high + AIR * (high - low)
