"""An axis of the plane."""

from typing import Any

import pyqtgraph as pg

from engine.core.notation import MINUS
from gui import theme


class Axis(pg.AxisItem):
    """An axis with true minus signs in the theme's type."""

    def tickStrings(self, values: Any, scale: float, spacing: float) -> list[str]:
        return [text.replace("-", MINUS) for text in super().tickStrings(values, scale, spacing)]

    def restyle(self) -> None:
        look = theme.current()
        self.setTickFont(look.font("caption"))
        self.setPen(pg.mkPen(look.colour("strong"), width=1))
        self.setTextPen(look.colour("ink3"))
        self.setStyle(tickLength=4, maxTickLevel=0, hideOverlappingLabels=True)
