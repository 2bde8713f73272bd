"""The grid of the plane: a pale line through every tick that has a number."""

from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtGui import QPainter

from gui.look import theme
from gui.painters.buffers import draw_lines
from gui.painters.view import View
from gui.plane.axis import Axis


class Grid:
    """Paints the grid lines, cached for the current view since finding the ticks is expensive."""

    def __init__(self, axes: dict[str, Axis], view_box: pg.ViewBox) -> None:
        """axes: "bottom" and "left"."""
        self._axes, self._view_box = axes, view_box
        self._kept: tuple[object, Any] = (None, np.zeros((0, 2, 2)))

    def paint(self, painter: QPainter, view: View) -> None:
        key = view.x, view.y, view.rect.getRect(), *(axis.meaning for axis in self._axes.values())
        if self._kept[0] != key:
            self._kept = (
                key,
                view.to_pixels(np.array(self._lines(view)).reshape(-1, 2)).reshape(-1, 2, 2),
            )
        painter.setPen(pg.mkPen(theme.current().colour("ink", 0.07), width=1))
        draw_lines(painter, self._kept[1])

    def ticks(self, axis: str, low: float, high: float) -> list[float]:
        """The numbered ticks of an axis ("bottom" or "left") between `low` and `high`."""
        size = self._view_box.width() if axis == "bottom" else self._view_box.height()
        levels = self._axes[axis].tickValues(low, high, size)
        return list(levels[0][1]) if levels else []

    def _lines(self, view: View) -> list[tuple[tuple[float, float], tuple[float, float]]]:
        """The ends of all grid lines in plane units."""
        (x0, x1), (y0, y1) = view.x, view.y
        upright = [((x, y0), (x, y1)) for x in self.ticks("bottom", x0, x1)]
        return upright + [((x0, y), (x1, y)) for y in self.ticks("left", y0, y1)]
