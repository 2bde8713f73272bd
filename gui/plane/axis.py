"""An axis of the plane."""

from math import ceil
from typing import Any

import pyqtgraph as pg
from PySide6.QtGui import QFontMetricsF

from engine.scene.axes import tick_texts
from gui.look import theme

TICK = 4


class Axis(pg.AxisItem):
    """An axis in the theme's type, with numbers as on the other planes."""

    meaning = True  # places along it say something
    _written = ""

    def _updateLabel(self) -> None:
        """At each new range; to lay the same words out again is the most of it."""
        words = self.labelString()
        if words != self._written:
            self._written = words
            super()._updateLabel()
        else:
            self._adjustSize()
            self.picture = None
            self.update()

    def give_meaning(self, meaning: bool) -> None:
        """Numbers and ticks, or none where places along the axis say nothing."""
        if meaning != self.meaning:
            self.meaning = meaning
            self.picture = None
            self.update()

    def tickValues(self, minVal: float, maxVal: float, size: float) -> Any:
        return super().tickValues(minVal, maxVal, size) if self.meaning else []

    def tickStrings(self, values: Any, scale: float, spacing: float) -> list[str]:
        return tick_texts([float(value) * scale for value in values], spacing * scale)

    def room(self, low: float, high: float, length: float) -> int:
        """Pixels beside an upright axis that its widest number needs; pyqtgraph drops what does not
        fit.
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
        look = theme.current()
        self.setTickFont(look.font("caption"))
        self.setPen(pg.mkPen(look.colour("strong"), width=1))
        self.setTextPen(look.colour("ink3"))
        self.setStyle(tickLength=TICK, maxTickLevel=0, hideOverlappingLabels=True)
