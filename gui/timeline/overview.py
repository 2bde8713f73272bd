"""A narrow strip with all steps of a run; a frame with two handles shows and moves the part that
the timeline shows.
"""

from typing import Any

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QPen, QPixmap, QWheelEvent
from PySide6.QtWidgets import QWidget

from gui.base.guard import guarded
from gui.look import theme
from gui.look.ink import face, write
from gui.look.style import describe
from gui.painters.buffers import draw_lines
from gui.timeline.curves import EMPTY, Curves
from gui.timeline.drawing import BOUND, corners_of, dashed, pieces
from gui.timeline.scale import LEAST_SEEN, Span, moved

# pixels: height of the strip, size of a handle, how far from a handle a press still takes it
HEIGHT, HANDLE, GRIP = 26, (5, 14), 8
WORDS = 8.0  # pixels kept free beside the words


class Overview(QWidget):
    """The strip below the timeline.

    spanned(first, last): the person asks for this part of the run, in steps;
    all_wanted: the person asks for all steps.
    """

    spanned = Signal(float, float)
    all_wanted = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        describe(
            self,
            "All steps",
            "All steps of the run: drag the frame or its handles; a double click shows all",
        )
        self.setMouseTracking(True)
        self._curves = EMPTY
        self._whole = (0.0, 1.0)
        self._span = (0.0, 1.0)
        self._now = 0
        self._picture: tuple[Any, QPixmap] | None = None
        # the part that is dragged, where the drag began, and the span at that moment
        self._grip: tuple[str, float, Span] | None = None

    def show_run(self, curves: Curves, whole: Span, span: Span, now: int) -> None:
        """Show the curves of all steps, the visible part `span`, and the current step `now`."""
        if curves is not self._curves or whole != self._whole:
            self._picture = None
        self._curves, self._whole, self._span, self._now = curves, whole, span, now
        self.setAccessibleName(f"All steps, shown: {self.words()}")
        self.update()

    def words(self) -> str:
        """The visible part in words: “steps 10–60 of 213”."""
        first, last = (round(step) for step in self._span)
        return f"steps {first:,}–{last:,} of {round(self._whole[1]):,}"

    def x_of(self, step: Any) -> Any:
        return (
            (np.asarray(step, np.float64) - self._whole[0])
            / (self._whole[1] - self._whole[0])
            * (self.width() - 1)
        )

    def step_at(self, x: float) -> float:
        return self._whole[0] + x / max(1, self.width() - 1) * (self._whole[1] - self._whole[0])

    # -- hands -------------------------------------------------------------------------------------

    def _part_at(self, x: float) -> str:
        left, right = (float(self.x_of(step)) for step in self._span)
        near = [
            (abs(x - edge), name)
            for edge, name in ((left, "first"), (right, "last"))
            if abs(x - edge) <= GRIP
        ]
        return min(near)[1] if near else "frame" if left < x < right else ""

    @guarded
    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            return
        x = event.position().x()
        part = self._part_at(x)
        if not part:  # outside the frame: its middle moves here
            self._ask(moved(self._span, self._whole, self.step_at(x) - sum(self._span) / 2))
        self._grip = part or "frame", x, self._span

    @guarded
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        x = event.position().x()
        if self._grip is None:
            over = {"": Qt.CursorShape.ArrowCursor, "frame": Qt.CursorShape.OpenHandCursor}
            self.setCursor(over.get(self._part_at(x), Qt.CursorShape.SplitHCursor))
            return
        part, start, (first, last) = self._grip
        by = self.step_at(x) - self.step_at(start)
        least = min(LEAST_SEEN, self._whole[1] - self._whole[0])
        if part == "frame":
            self._ask(moved((first, last), self._whole, by))
        elif part == "first":
            self._ask((min(max(first + by, self._whole[0]), last - least), last))
        else:
            self._ask((first, max(min(last + by, self._whole[1]), first + least)))

    @guarded
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._grip = None

    @guarded
    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.all_wanted.emit()

    @guarded
    def wheelEvent(self, event: QWheelEvent) -> None:
        by = -event.angleDelta().y() / 120 * 0.2 * (self._span[1] - self._span[0])
        self._ask(moved(self._span, self._whole, by))

    def _ask(self, span: Span) -> None:
        self.spanned.emit(*span)

    # -- paint -------------------------------------------------------------------------------------

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        look = theme.current()
        with QPainter(self) as painter:
            painter.drawPixmap(0, 0, self._ground())
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            left, right = (float(self.x_of(step)) for step in self._span)
            self._paint_words(painter, left, right)
            now = float(self.x_of(self._now))
            for token, width in (("ink", 4.5), ("now", 2.0)):
                painter.setPen(QPen(look.colour(token), width))
                painter.drawLine(QPointF(now, 2), QPointF(now, self.height() - 2))
            painter.setPen(QPen(look.colour("ink"), 1.5))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(
                QRectF(left, 0.75, right - left, self.height() - 1.5).adjusted(0.75, 0, -0.75, 0),
                3,
                3,
            )
            painter.setBrush(look.colour("dock"))
            for x in (left, right):
                handle = QRectF(0, 0, *HANDLE)
                handle.moveCenter(QPointF(min(max(x, 3.0), self.width() - 3.0), self.height() / 2))
                painter.drawRoundedRect(handle, 2, 2)

    def _paint_words(self, painter: QPainter, left: float, right: float) -> None:
        """Name the visible part beside the frame if there is room; not if all is visible."""
        if self._span == self._whole:
            return
        type_ = face("caption")
        text = self.words()
        wide = type_.width(text) + 2 * WORDS
        if self.width() - right >= wide:
            write(painter, right + WORDS, self.height() / 2, text, type_, "ink2")
        elif left >= wide:
            write(painter, left - wide + WORDS, self.height() / 2, text, type_, "ink2")

    def _ground(self) -> QPixmap:
        """A pixmap with the curves of the whole run, kept until curves, size or theme change."""
        ratio = self.devicePixelRatio()
        key = (self.size(), ratio, theme.current().key)
        if self._picture is None or self._picture[0] != key:
            picture = QPixmap(round(self.width() * ratio), round(self.height() * ratio))
            picture.setDevicePixelRatio(ratio)
            look = theme.current()
            picture.fill(look.colour("field"))
            with QPainter(picture) as painter:
                painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                painter.setPen(QPen(look.colour("ghost"), 1))
                for series in self._curves.series:
                    y = self.height() - 3 - self._curves.height(series.y) * (self.height() - 6)
                    corners = corners_of(self.x_of(series.x), y, self.width())
                    draw_lines(
                        painter, dashed(corners, *BOUND) if series.dashed else pieces(corners)
                    )
                painter.setPen(QPen(look.colour("line"), 1))
                painter.drawRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5))
            self._picture = key, picture
        return self._picture[1]
