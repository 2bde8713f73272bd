"""The axis of the plane."""

from math import ceil
from typing import Any

import pyqtgraph as pg
from PySide6.QtGui import QFontMetricsF

from engine.scene.axes import tick_texts
from gui.look import theme

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
