"""Rasters as shapes in pixels: the region above a level, level lines, the regions of classes."""

import itertools
from functools import lru_cache
from typing import Any

import numpy as np
from contourpy import FillType, LineType, SerialContourGenerator, ZInterp
from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainterPath

from engine.base.arrays import Bool, Float, Int
from gui.painters.buffers import path_of

FLAT = 0.5  # a raster with a larger share of equal neighbours is piecewise constant
# of a surface with upright and level borders; with slanted ones every row has a change
MOST_BLOCKS = 4_000
FINE = 192  # rows from which a blur is narrower than a line


class Contours:
    """Shapes of one raster (ny, nx), row 0 at the smallest y, over `rect`.

    The values belong to the middles of cells. One more cell on each side, extrapolated linearly if
    `straight_on`, lets the shapes reach the frame.
    """

    def __init__(self, values: Float, rect: QRectF, straight_on: bool = True) -> None:
        ny, nx = values.shape
        padded = np.pad(values, 1, mode="edge")
        if straight_on and min(nx, ny) > 1:
            padded[0], padded[-1] = 2 * padded[1] - padded[2], 2 * padded[-2] - padded[-3]
            padded[:, 0], padded[:, -1] = (
                2 * padded[:, 1] - padded[:, 2],
                2 * padded[:, -2] - padded[:, -3],
            )
        gaps = ~np.isfinite(padded)
        x, y = _places(nx, ny, rect.x(), rect.y(), rect.width(), rect.height())
        mask: Any = gaps if gaps.any() else None
        # the class itself, not the slower `contour_generator`; the types of line and fill decide
        # what it returns
        self._generator: Any = SerialContourGenerator(
            x,
            y,
            padded,
            mask,
            corner_mask=True,
            line_type=LineType.Separate,
            fill_type=FillType.OuterOffset,
            quad_as_tri=False,
            z_interp=ZInterp.Linear,
        )

    def above(self, level: float) -> QPainterPath:
        """The region where the surface is larger than `level`."""
        return self.between(level, np.inf)

    def below(self, level: float) -> QPainterPath:
        """The region where the surface is smaller than `level`."""
        return self.between(-np.inf, level)

    def between(self, low: float, high: float) -> QPainterPath:
        """The region where the surface lies between `low` and `high`."""
        points, offsets = self._generator.filled(low, high)
        rings = (
            p[a:e] for p, o in zip(points, offsets, strict=True) for a, e in itertools.pairwise(o)
        )
        return path_of(rings, closed=True)

    def line(self, level: float) -> QPainterPath:
        """The line where the surface has the value `level`."""
        return path_of(self.pieces(level))

    def pieces(self, level: float) -> list[Float]:
        """The line at `level` as its pieces, each (m_i, 2) pixels."""
        return list(self._generator.lines(level))


@lru_cache(maxsize=8)
def _places(
    nx: int, ny: int, left: float, top: float, wide: float, high: float
) -> tuple[Float, Float]:
    """Pixels (x, y), each (ny + 2, nx + 2), of the middles of the cells, with one more on each
    side.
    """
    columns = left + (np.arange(-1, nx + 1) + 0.5) / nx * wide
    rows = top + high - (np.arange(-1, ny + 1) + 0.5) / ny * high
    x, y = np.meshgrid(columns, rows)
    return x, y


def class_contours(classes: Float, index: int, rect: QRectF) -> Contours:
    """Shapes of the cells of one class: `above(0.5)` is its region, `line(0.5)` its border.

    On a fine raster a slight blur smooths the stairs of slanted borders; upright and level ones
    stay in place.
    """
    inside = (classes == index).astype(np.float64)
    if min(classes.shape) >= FINE:
        inside = _blurred(inside)
    return Contours(inside, rect, straight_on=False)


def _blurred(inside: Float) -> Float:
    """The raster smoothed with the weights 1 4 6 4 1 along rows and columns."""
    for axis in (0, 1):
        wide = np.moveaxis(
            np.pad(inside, [(2, 2) if a == axis else (0, 0) for a in (0, 1)], mode="edge"), axis, 0
        )
        mixed = wide[:-4] + 4 * wide[1:-3] + 6 * wide[2:-2] + 4 * wide[3:-1] + wide[4:]
        inside = np.moveaxis(mixed / 16, 0, axis)
    return inside


def in_steps(values: Float) -> bool:
    """Whether a surface is piecewise constant, as the votes of trees are; its zero line is then no
    smooth curve.
    """
    return bool(np.mean(values[:, 1:] == values[:, :-1]) > FLAT)


def agrees(classes: Float, score: Float | None) -> bool:
    """Whether the sign of `score` gives the classes: positive is class 0, negative class 1."""
    if score is None or score.shape != classes.shape or in_steps(score):
        return False
    with np.errstate(invalid="ignore"):
        signs = np.where(score > 0, 0.0, np.where(score < 0, 1.0, -1.0))
    return bool(np.mean(signs == classes) > 0.995)


# -- upright and level borders ---------------------------------------------------------------------


def blocks(classes: Float) -> tuple[Float, Int, Int] | None:
    """(classes of the blocks (p, q), rows (p + 1,) and columns (q + 1,) at which they begin and
    end); None for a surface whose borders are not all upright or level.
    """
    rows = _changes((classes[1:] != classes[:-1]).any(axis=1), len(classes))
    columns = _changes((classes[:, 1:] != classes[:, :-1]).any(axis=0), classes.shape[1])
    if len(rows) * len(columns) > MOST_BLOCKS:
        return None
    return classes[np.ix_(rows[:-1], columns[:-1])], rows, columns


def _changes(differs: Bool, size: int) -> Int:
    """The indices at which a new value begins, with 0 and `size` at the ends."""
    return np.concatenate([[0], np.flatnonzero(differs) + 1, [size]])


def block_border(found: tuple[Float, Int, Int], shape: tuple[int, ...], rect: QRectF) -> Float:
    """(m, 2, 2) pixels: the level and upright lines between blocks of different classes."""
    classes, rows, columns = found
    x = rect.left() + columns / shape[1] * rect.width()
    y = rect.bottom() - rows / shape[0] * rect.height()
    row, first, last = _stretches(classes[1:] != classes[:-1])
    level = np.column_stack([x[first], y[row + 1], x[last], y[row + 1]])
    column, first, last = _stretches((classes[:, 1:] != classes[:, :-1]).T)
    upright = np.column_stack([x[column + 1], y[first], x[column + 1], y[last]])
    return np.concatenate([level, upright]).reshape(-1, 2, 2)


def _stretches(flags: Bool) -> tuple[Int, Int, Int]:
    """(row, first, one beyond the last) of each run of true flags within the rows of (p, q)."""
    steps = np.diff(np.pad(flags, ((0, 0), (1, 1))).astype(np.int8), axis=1)
    row, first = np.nonzero(steps > 0)
    return row, first, np.nonzero(steps < 0)[1]
