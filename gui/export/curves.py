"""The curves of a run as a picture, drawn with what draws them over the timeline."""

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter

from engine.base.arrays import Float
from engine.base.notation import counted
from gui.export.figure import in_theme
from gui.look.theme import Theme
from gui.timeline.drawing import (
    MARKS,
    Paper,
    ends_width,
    left_edge,
    paint_cursor,
    top_edge,
)
from gui.timeline.marks import SHAPES, marked, marks_of, paint_mark

if TYPE_CHECKING:
    from gui.export.shown import Shown

RIGHT, EVENTS, FOOT = 24.0, 26.0, 10.0  # pixels right of the curves; for the marks; below all
MARGIN = 8.0


def paint_curves(painter: QPainter, area: QRectF, *, shown: "Shown", theme: Theme) -> None:
    """Paint the curves with their marks: up to the step in ink, later ones pale."""
    painter.fillRect(area, theme.colour("dock"))
    painter.save()
    with in_theme(theme):
        painter.translate(area.left(), area.top() + MARGIN)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        _paint(painter, area.width(), area.height() - MARGIN, shown, theme)
    painter.restore()


def _paint(painter: QPainter, wide: float, high: float, shown: "Shown", theme: Theme) -> None:
    trace, curves = shown.trace, shown.curves
    last = float(max(1, len(trace) - 1))
    right = max(RIGHT, ends_width(curves, last))
    line = theme.line_height("caption")
    track = high - FOOT - line
    inner = QRectF(
        left_edge(), top_edge(), wide - left_edge() - right, max(20.0, track - EVENTS - top_edge())
    )

    def x_of(index: object) -> Float:
        places: Float = inner.left() + np.asarray(index, np.float64) / last * inner.width()
        return places

    rows = (round(high), round(inner.height()), True, False)
    whole = QRectF(0, 0, wide, high)
    paper = Paper(trace, trace.finished, curves, rows, whole, inner, (0.0, last), x_of, 0.0, False)
    paper.paint_ground(painter, round(track), 0)
    now = float(x_of(shown.index))
    for token, width, past in (("ghost", 1.25, False), ("ink", 2.25, True)):
        painter.save()
        corners, means = (
            [_part(way, now, past) for way in ways] for ways in (paper.corners, paper.means)
        )
        paper.paint_series(painter, corners, means, token, width)
        painter.restore()
    found = marks_of(trace, marked(trace), int(last), x_of)
    for step, x, shape in zip(found.index, found.x, found.shape, strict=True):
        colour = theme.colour("ink" if step <= shown.index else "ghost")
        paint_mark(painter, SHAPES[shape], float(x), track - MARKS, colour)
    paint_cursor(painter, now, track, 0.0)
    _paint_steps(painter, inner, track, now, shown, theme)


def _part(way: Float, x: float, past: bool) -> Float:
    """The corners (n, 2) of stairs left of x, or right of it."""
    if not len(way):
        return way
    kept = way[way[:, 0] <= x] if past else way[way[:, 0] >= x]
    at = way[way[:, 0] <= x][-1:, 1]
    if not len(at):
        return kept
    edge = np.array([[min(x, float(way[-1, 0])), float(at[0])]])
    return np.concatenate([kept, edge] if past else [edge, kept])


def _paint_steps(
    painter: QPainter, inner: QRectF, y: float, now: float, shown: "Shown", theme: Theme
) -> None:
    """Write the numbers of the shown and of the last step below the curves."""
    painter.setFont(theme.font("caption"))
    painter.setPen(theme.colour("ink3"))
    metrics = painter.fontMetrics()
    unit = shown.unit.name.lower()
    total = counted(len(shown.trace.indices(shown.unit)) - 1, unit)
    ends = inner.right()
    painter.drawText(
        QRectF(inner.left(), y, inner.width(), 2.0 * metrics.height()),
        Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop,
        total,
    )
    here = f"{unit} {shown.number:,}"
    wide = metrics.horizontalAdvance(here)
    left = max(inner.left(), now - wide / 2)
    if left + wide + 12 < ends - metrics.horizontalAdvance(total):
        painter.setPen(theme.colour("ink"))
        painter.drawText(QPointF(left, y + metrics.ascent()), here)
