"""Linear scores: appended threshold columns, lines on the plane, surfaces split per axis."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.base.arrays import Bool, Float
from engine.base.grid import Grid
from engine.numerics.closeness import equal
from engine.table.problem import Problem


def with_column(X: Float, value: float) -> Float:
    """X (n, d) with a constant last column, the feature of the threshold (−1, MMDS 12.2.4) or bias
    (+1, AIMA 18.6.3).
    """
    return np.column_stack([X, np.full(len(X), value)])


def plane_line(problem: Problem, w: Float, bias: float) -> tuple[Float, float]:
    """(w₂ (2,), b) of the line w·x + bias = 0 on the plane, hidden columns held at the anchor."""
    on_plane = list(problem.plane)
    hidden = np.ones(problem.d, dtype=bool)
    hidden[on_plane] = False
    w2 = np.zeros(2)
    w2[: len(on_plane)] = w[: problem.d][on_plane]
    return w2, float(bias + w[: problem.d][hidden] @ problem.anchor[hidden])


def linear_surface(problem: Problem, w: Float, bias: float, grid: Grid) -> Float:
    """w·x + bias on the grid: one sum per axis instead of one product per place. (ny, nx)"""
    w2, b = plane_line(problem, w, bias)
    surface: Float = np.repeat(w2[1] * grid.y, len(grid.x)).reshape(grid.shape)
    surface += w2[0] * grid.x + b  # to rows that are there: in half the time of an outer sum
    return surface


def size_surface(problem: Problem, sizes: Float, grid: Grid) -> Float:
    """Σ size · |x| on the grid, the last size the bias's: how large the terms of such a score are.
    sizes (d + 1,); (ny, nx)
    """
    on_plane = list(problem.plane)
    along = np.zeros(2)
    along[: len(on_plane)] = sizes[on_plane]
    hidden = np.delete(np.arange(problem.d), on_plane)
    rest = float(sizes[-1] + sizes[hidden] @ np.abs(problem.anchor[hidden]))
    return np.asarray(np.add.outer(along[1] * np.abs(grid.y), along[0] * np.abs(grid.x) + rest))


def ask_beside(score: Float, classes: Float, grid: Grid, ask: Callable[[Float], Any]) -> Float:
    """`classes` (ny, nx), and where the score is so near 0 that rounding may have made its sign
    `ask(places (m, 2))`.
    """
    largest = max(float(score.max(initial=0.0)), -float(score.min(initial=0.0)))
    doubtful = equal(score, 0.0, largest)
    if doubtful.any() and not doubtful.all():
        row, column = np.nonzero(doubtful)
        classes[row, column] = ask(np.column_stack([grid.x[column], grid.y[row]]))
    return classes


def fired_classes(score: Float, kind: Any = np.intp) -> NDArray[Any]:
    """Class index of a unit that fires from score 0 on: 0 (the positive class) there, 1 below, −1
    where it is unknown.
    """
    return _sides(score >= 0, score < 0, kind)


def signed_classes(score: NDArray[Any], kind: Any = np.intp) -> NDArray[Any]:
    """Class index by the sign of a score: 0 (the positive class) above 0, 1 below, −1 exactly on
    the line.
    """
    return _sides(score > 0, score < 0, kind)


def _sides(first: Bool, second: Bool, kind: Any) -> NDArray[Any]:
    """0 and 1 where one of them holds, −1 elsewhere: seldom anywhere, and to look for it is quicker
    than to write it.
    """
    codes = np.asarray(second, kind)
    known = first | second
    if not known.all():
        codes = np.where(known, codes, -1)
    return codes
