"""Covers the timeline after the shown step while the next step is predicted."""

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from engine.base.arrays import Float
from engine.base.records import replace
from gui.figures.not_yet import LINES, STRENGTH, TILE
from gui.look import theme
from gui.painters.hatches import tile_of
from gui.timeline.curves import Curves, Series

WORDS = "hidden until you answer"
PAD = 14.0  # pixels round the words


def up_to(curves: Curves, cursor: int) -> Curves:
    """The curves up to step `cursor`, on an axis that fits this part alone."""
    kept = tuple(series for each in curves.series if len((series := _past(each, cursor)).x))
    values: Float = np.concatenate([np.zeros(0), *(series.y for series in kept)])
    values = values[np.isfinite(values) & ((values > 0) | (not curves.log))]
    if not len(values):
        return replace(curves, series=kept, low=0.1 if curves.log else 0.0, high=1.0)
    low, high = float(values.min()), float(values.max())
    low = low if curves.log else min(0.0, low)
    return replace(curves, series=kept, low=low, high=high if high > low else low + 1.0)


def _past(series: Series, cursor: int) -> Series:
    shown = series.x <= cursor
    return replace(series, x=series.x[shown], y=series.y[shown], beyond="", end="")


def paint_cover(painter: QPainter, area: QRectF, x: float) -> None:
    """Hatch `area` right of the pixel x, with WORDS in the middle if there is room."""
    look = theme.current()
    covered = QRectF(x, area.top(), area.right() - x, area.height())
    if covered.width() < 1 or covered.height() < 1:
        return
    painter.fillRect(covered, look.colour("dock"))
    ratio = painter.device().devicePixelRatioF()
    painter.drawTiledPixmap(
        covered, tile_of(LINES, look.colour("ink", STRENGTH).rgba(), 1.0, TILE, ratio)
    )
    painter.setFont(look.font("body"))
    wide = painter.fontMetrics().horizontalAdvance(WORDS) + 2 * PAD
    high = painter.fontMetrics().height() + 8.0
    if wide > covered.width() or high > covered.height():
        return
    pill = QRectF(
        covered.center() - QPointF(wide / 2, high / 2),
        covered.center() + QPointF(wide / 2, high / 2),
    )
    painter.setPen(QPen(look.colour("line"), 1))
    painter.setBrush(look.colour("field"))
    painter.drawRoundedRect(pill, theme.RADIUS, theme.RADIUS)
    painter.setPen(look.colour("ink"))
    painter.drawText(pill, Qt.AlignmentFlag.AlignCenter, WORDS)
