"""Linear scores: appended constant columns, lines on the plane, surfaces on a grid."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.base.arrays import Bool, Float
from engine.base.grid import Grid
from engine.numerics.closeness import equal
from engine.table.problem import Problem


def with_column(X: Float, value: float) -> Float:
    """X (n, d) with a constant last column, for the threshold (−1, MMDS 12.2.4) or bias (+1, AIMA
    18.6.3).
    """
    return np.column_stack([X, np.full(len(X), value)])


def plane_line(problem: Problem, w: Float, bias: float) -> tuple[Float, float]:
    """(w₂ (2,), b) of the line w·x + bias = 0 on the plane, with other columns at the anchor."""
    on_plane = list(problem.plane)
    hidden = np.ones(problem.d, dtype=bool)
    hidden[on_plane] = False
    w2 = np.zeros(2)
    w2[: len(on_plane)] = w[: problem.d][on_plane]
    return w2, float(bias + w[: problem.d][hidden] @ problem.anchor[hidden])


def linear_surface(problem: Problem, w: Float, bias: float, grid: Grid) -> Float:
    """(ny, nx) w·x + bias on the grid, added up axis by axis."""
    w2, b = plane_line(problem, w, bias)
    surface: Float = np.repeat(w2[1] * grid.y, len(grid.x)).reshape(grid.shape)
    surface += w2[0] * grid.x + b  # in place: an outer sum would need a second array
    return surface


def size_surface(problem: Problem, sizes: Float, grid: Grid) -> Float:
    """(ny, nx) Σ size · |x| on the grid, a bound on the terms of a score.

    sizes: (d + 1,) one per weight, the last for the bias
    """
    on_plane = list(problem.plane)
    along = np.zeros(2)
    along[: len(on_plane)] = sizes[on_plane]
    hidden = np.delete(np.arange(problem.d), on_plane)
    rest = float(sizes[-1] + sizes[hidden] @ np.abs(problem.anchor[hidden]))
    return np.asarray(np.add.outer(along[1] * np.abs(grid.y), along[0] * np.abs(grid.x) + rest))


def ask_beside(score: Float, classes: Float, grid: Grid, ask: Callable[[Float], Any]) -> Float:
    """`classes` (ny, nx), changed in place where rounding may decide the sign of the score.

    There `ask(points (m, 2))` gives the classes.
    """
    largest = max(float(score.max(initial=0.0)), -float(score.min(initial=0.0)))
    doubtful = equal(score, 0.0, largest)
    if doubtful.any() and not doubtful.all():
        row, column = np.nonzero(doubtful)
        classes[row, column] = ask(np.column_stack([grid.x[column], grid.y[row]]))
    return classes


def fired_classes(score: Float, kind: Any = np.intp) -> NDArray[Any]:
    """Class indices of a unit that fires for scores ≥ 0: 0 (positive) there, 1 below, −1 for
    NaN.
    """
    return _sides(score >= 0, score < 0, kind)


def signed_classes(score: NDArray[Any], kind: Any = np.intp) -> NDArray[Any]:
    """Class indices by the sign of a score: 0 (positive) above 0, 1 below, −1 on the line."""
    return _sides(score > 0, score < 0, kind)


def _sides(first: Bool, second: Bool, kind: Any) -> NDArray[Any]:
    """0 and 1 where one of the masks holds, −1 elsewhere."""
    codes = np.asarray(second, kind)
    known = first | second
    if not known.all():
        codes = np.where(known, codes, -1)
    return codes
