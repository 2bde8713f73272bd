"""A surface over two axes as a mesh: thinned, shaded by slope, with level lines, painted from far
to near.
"""

from functools import lru_cache
from itertools import groupby

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPolygonF

from engine.base.arrays import Float, Int
from engine.base.records import Record, cached_property
from engine.scene.axes import tick_step, ticks
from gui.figures.space_view import Box, Camera
from gui.look import theme
from gui.look.ink import pen
from gui.look.theme import mix
from gui.painters.buffers import draw_lines, polygon

MOST_CELLS, FLYING_CELLS = 40, 20  # cells along a side; in fast playback
SHADES = 12
LIGHTEST = 0.05
DARKEST = 0.40
LIGHT = np.array([-0.45, -0.35, 0.82])
LEVELS, LEVEL_ALPHA = 10.0, 0.45
WINDING = Qt.FillRule.WindingFill
Surface = tuple[Float, Float, Float]


class Strips(Record, eq=True):
    """Cells in strips; adjacent cells of one shade form one polygon. corner (all,): corners of all
    polygons, polygon k from start[k] on; shade (k,): shade of each polygon; first (strips + 1,):
    first polygon of each strip.
    """

    corner: Int
    start: list[int]
    shade: list[int]
    first: list[int]


class Mesh(Record, eq=True, dict=True):
    """corners (ny, nx, 3) in the box; shade (ny − 1, nx − 1) of the cells, −1 for a hole; levels
    (k, 2, 3): pieces of level lines; row, column (k,): their cells.
    """

    corners: Float
    shade: Int
    levels: Float
    row: Int
    column: Int

    @cached_property
    def rows(self) -> Strips:
        """The cells in strips along x."""
        return _strips(self._number, self.shade)

    @cached_property
    def columns(self) -> Strips:
        """The cells in strips along y."""
        return _strips(self._number.T, self.shade.T)

    @property
    def _number(self) -> Int:
        """(ny, nx) the index of each corner in the flat list of corners."""
        return np.arange(self.corners.shape[0] * self.corners.shape[1]).reshape(
            self.corners.shape[:2]
        )

    def paint(self, painter: QPainter, camera: Camera) -> None:
        """Paint strips across the line of sight, the farthest first, each with its level lines."""
        near = camera.axes()[2]
        by_rows = abs(near[1]) >= abs(near[0])
        # made on first use
        strips, strip_of = (self.rows, self.row) if by_rows else (self.columns, self.column)
        along, across = (near[1], near[0]) if by_rows else (near[0], near[1])
        seen = polygon(camera.project(self.corners)[..., :2].reshape(-1, 2)[strips.corner])
        lines = camera.project(self.levels)[..., :2]
        order = np.argsort(strip_of, kind="stable")
        count = len(strips.first) - 1
        bounds = np.searchsorted(strip_of[order], np.arange(count + 1))
        brushes = _brushes(theme.current().key)
        line_pen = pen(theme.current().colour("ink", LEVEL_ALPHA), 1.0)
        for strip in range(count) if along > 0 else reversed(range(count)):
            _paint_strip(painter, strips, seen, strip, across > 0, brushes)
            pieces = order[bounds[strip] : bounds[strip + 1]]
            if len(pieces):
                painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                painter.setPen(line_pen)
                draw_lines(painter, lines[pieces])


def _paint_strip(
    painter: QPainter,
    strips: Strips,
    seen: QPolygonF,
    strip: int,
    forwards: bool,
    brushes: list[QBrush],
) -> None:
    """Paint the polygons of a strip without antialiasing, which would leave seams between them."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    painter.setPen(Qt.PenStyle.NoPen)
    cells = range(strips.first[strip], strips.first[strip + 1])
    shade, start = strips.shade, strips.start
    for k in cells if forwards else reversed(cells):
        painter.setBrush(brushes[shade[k]])
        painter.drawPolygon(seen.sliced(start[k], start[k + 1] - start[k]), WINDING)


def _strips(number: Int, shade: Int) -> Strips:
    """The strips along the rows. number (n + 1, m + 1): index of each corner; shade (n, m): of the
    cells, −1 for a hole
    """
    corner: list[int] = []
    start = [0]
    shades = []
    first = [0]
    lines = number.tolist()
    for row, one, other in zip(shade.tolist(), lines[:-1], lines[1:], strict=True):
        a = 0
        for value, alike in groupby(row):
            b = a + len(list(alike))
            if value >= 0:
                corner += one[a : b + 1] + other[a : b + 1][::-1]
                start.append(len(corner))
                shades.append(value)
            a = b
        first.append(len(shades))
    return Strips(np.array(corner, np.intp), start, shades, first)


@lru_cache(maxsize=16)
def _brushes(key: tuple[str, int]) -> list[QBrush]:
    """The brush of each shade, in the theme with that key."""
    look = theme.look(*key)
    plane, ink = QColor(look.plane), QColor(look.ink)
    return [
        QBrush(mix(plane, ink, LIGHTEST + (DARKEST - LIGHTEST) * k / (SHADES - 1)))
        for k in range(SHADES)
    ]


def make_mesh(surface: Surface, box: Box, cells: int = MOST_CELLS) -> Mesh:
    """The mesh of a surface with at most `cells` cells along a side. The first and the last row and
    column stay.
    """
    x, y, z = (np.asarray(part, np.float64) for part in surface)
    rows, columns = _thinned(len(y), cells), _thinned(len(x), cells)
    x = x[columns]
    y = y[rows]
    z = z[np.ix_(rows, columns)]
    gx, gy = np.meshgrid(x, y)
    corners = box.inside(np.stack([gx, gy, z], axis=-1))
    levels = ticks(
        float(box.low[2]),
        float(box.high[2]),
        tick_step(float(box.low[2]), float(box.high[2]), LEVELS, 1.0),
    )
    pieces, row, column = level_pieces(
        corners, box.inside(np.column_stack([0 * levels, 0 * levels, levels]))[:, 2]
    )
    return Mesh(corners, _shades(corners), pieces, row, column)


def _thinned(count: int, cells: int) -> Int:
    """The indices of the rows or columns that stay."""
    return np.unique(np.round(np.linspace(0, count - 1, min(count, cells + 1))).astype(np.intp))


def _shades(corners: Float) -> Int:
    """(ny − 1, nx − 1) the shade of each cell by its angle to the light; −1 for a hole."""
    one = corners[1:, 1:] - corners[:-1, :-1]
    two = corners[1:, :-1] - corners[:-1, 1:]
    normal = np.cross(one, two)
    with np.errstate(invalid="ignore", divide="ignore"):
        normal = normal / np.linalg.norm(normal, axis=-1, keepdims=True)
        lit = np.abs(normal @ LIGHT)
    whole = np.isfinite(lit)
    dark = np.clip(1 - np.where(whole, lit, 0.0), 0, 1)
    return np.where(whole, np.round(dark * (SHADES - 1)), -1).astype(np.intp)


def level_pieces(corners: Float, levels: Float) -> tuple[Float, Int, Int]:
    """The straight pieces (k, 2, 3) of level lines, one or two per cell that a level crosses, with
    the rows and columns of their cells.
    """
    quad = np.stack(
        [corners[:-1, :-1], corners[:-1, 1:], corners[1:, 1:], corners[1:, :-1]], axis=2
    )
    after = np.roll(quad, -1, axis=2)
    height = quad[..., 2]
    whole = np.isfinite(height).all(axis=2, keepdims=True)
    found, cells = [np.zeros((0, 2, 3))], [np.zeros((0, 2), np.intp)]
    for level in levels:
        above = height > level
        crossed = (above != (after[..., 2] > level)) & whole
        row, column, side = np.nonzero(crossed)  # two or four consecutive entries per cell
        one = quad[row, column, side]
        other = after[row, column, side]
        share = (level - one[:, 2]) / (other[:, 2] - one[:, 2])
        found.append((one + share[:, None] * (other - one)).reshape(-1, 2, 3))
        cells.append(np.column_stack([row[::2], column[::2]]))
    where = np.concatenate(cells)
    return np.concatenate(found), where[:, 0], where[:, 1]
