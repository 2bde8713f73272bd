"""Gaussian mixtures over a raster of the plane, row and column apart. ML 6.12."""

from weakref import WeakKeyDictionary

import numpy as np

from engine.core.arrays import Float, Int
from engine.core.grid import Grid
from engine.core.problem import Problem
from engine.numerics.mixtures import EQUAL, LOG_2PI, Columns

_COLUMNS: "WeakKeyDictionary[Problem, Columns]" = WeakKeyDictionary()


def columns_of(problem: Problem) -> Columns:
    """The columns' centre and unit, found once as long as the problem lives."""
    if problem not in _COLUMNS:
        _COLUMNS[problem] = Columns.of(problem.X)
    return _COLUMNS[problem]


def grid_log_density(problem: Problem, means: Float, shapes: Float, grid: Grid) -> Float:
    """(k, ny, nx) ln N(x; μ_j, Σ_j) over the plane, hidden columns at the anchor; means (k, d) and shapes (k, d, d) in
    columns of spread 1. With Σ = L Lᵀ the squared distance is Σ z², and z = L⁻¹ (x − μ) is a number of the raster's column
    plus one of its row."""
    columns = columns_of(problem)
    i, j = (*problem.plane, None)[:2]
    steps_x = (grid.x - problem.anchor[i]) / columns.unit[i]
    steps_y = np.zeros(len(grid.y)) if j is None else (grid.y - problem.anchor[j]) / columns.unit[j]
    anchor = columns.scaled(problem.anchor)
    roots = np.linalg.cholesky(shapes)
    out = np.zeros((len(means), *grid.shape))
    part = np.empty(grid.shape)
    for total, mean, root in zip(out, means, roots, strict=True):
        inverse = np.linalg.inv(root)
        foot = inverse @ (anchor - mean)
        for z0, row in zip(foot, inverse, strict=True):
            along = z0 + row[i] * steps_x
            np.add.outer(np.zeros(len(grid.y)) if j is None else row[j] * steps_y, along, out=part)
            np.multiply(part, part, out=part)
            total += part
        total *= -0.5
        total -= float(np.log(np.diagonal(root)).sum()) + 0.5 * len(mean) * LOG_2PI
    return out


def leaders(joint: Float) -> Int:
    """The component that is ahead at each place of joint (k, …), −1 where none is beyond rounding."""
    best, label = joint[0], np.zeros(joint.shape[1:], np.intp)
    second = np.full(joint.shape[1:], -np.inf)
    for k, log in enumerate(joint[1:], 1):
        label = np.where(log > best, k, label)
        second = np.maximum(second, np.minimum(best, log))
        best = np.maximum(best, log)
    return np.where(best - second > EQUAL, label, -1)
