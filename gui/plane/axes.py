"""The axis of the plane."""

from math import ceil
from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtGui import QFontMetricsF, QPainter

from engine.scene.axes import tick_texts
from gui.look import theme
from gui.painters.buffers import draw_lines
from gui.painters.view import View

TICK = 4


class Axis(pg.AxisItem):
    """An axis with the theme's fonts and the number format of the other plots."""

    meaning = True  # positions along it mean something
    _written = ""

    def _updateLabel(self) -> None:
        """Lay the label out only when its text changed. pyqtgraph calls this at each new range."""
        words = self.labelString()
        if words != self._written:
            self._written = words
            super()._updateLabel()
        else:
            self._adjustSize()
            self.picture = None
            self.update()

    def give_meaning(self, meaning: bool) -> None:
        """Show numbers and ticks, or none where positions along the axis mean nothing."""
        if meaning != self.meaning:
            self.meaning = meaning
            self.picture = None
            self.update()

    def tickValues(self, minVal: float, maxVal: float, size: float) -> Any:
        return super().tickValues(minVal, maxVal, size) if self.meaning else []

    def tickStrings(self, values: Any, scale: float, spacing: float) -> list[str]:
        return tick_texts([float(value) * scale for value in values], spacing * scale)

    def room(self, low: float, high: float, length: float) -> int:
        """The width in pixels that the widest number of a vertical axis needs. pyqtgraph drops
        numbers that do not fit.
        """
        levels = self.tickValues(low, high, length)
        if not levels:
            return 0
        spacing, values = levels[0]
        metrics = QFontMetricsF(theme.current().font("caption"))
        texts = self.tickStrings(values, self.autoSIPrefixScale * self.scale, spacing)
        wide = max((metrics.horizontalAdvance(text) for text in texts), default=0.0)
        return ceil(wide) + TICK + self.style["tickTextOffset"][0] + 3

    def restyle(self) -> None:
        """Apply the current theme."""
        look = theme.current()
        self.setTickFont(look.font("caption"))
        self.setPen(pg.mkPen(look.colour("strong"), width=1))
        self.setTextPen(look.colour("ink3"))
        self.setStyle(tickLength=TICK, maxTickLevel=0, hideOverlappingLabels=True)


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
