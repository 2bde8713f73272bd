"""What only the projector theme shows: the title with the legend, the caption band with scrubber, the side strips."""

from typing import Any

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QLabel, QPushButton, QVBoxLayout, QWidget

from engine.core.problem import Task
from gui import icons, style, theme
from gui.panels.scrubbing import nearest_step
from gui.panels.timeline import counter_texts
from gui.panels.timeline_marks import Marks, marked, marks_of
from gui.session import Session
from gui.swatches import paint_marker
from gui.widgets import describe, label

STRIP, STRIP_ICON = 80, 28
MARKS, MARK_SIZE = 21, 1.75  # pixels above the track, and times the timeline's size
GRIP = 32  # pixels above the track that belong to the scrubber, with the marks; below it all


class TitleRow(QWidget):
    """The algorithm's name and settings at the left, the classes at the right."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self.setFixedHeight(72)
        session.run_changed.connect(self.update)

    def paintEvent(self, event: Any) -> None:
        painter, look = QPainter(self), theme.current()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(self.rect(), look.colour("window"))
        session = self.session
        chips = session.algorithm.chips(session.lane.params) if session.algorithm.chips is not None else ()
        painter.setFont(look.font("body"))
        right = self._paint_legend(painter)
        x = 12.0
        for text, font, ink, y in (
            (session.algorithm.title, "title", "ink", 48),
            (", ".join(chips), "body", "ink2", 46),
        ):
            painter.setFont(look.font(font))
            painter.setPen(look.colour(ink))
            room = int(max(0, right - x - 20))
            words = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, room)
            painter.drawText(QPointF(x, y), words)
            x += painter.fontMetrics().horizontalAdvance(words) + 20

    def _paint_legend(self, painter: QPainter) -> float:
        """Right to left; returns where it begins. No legend where the colours are clusters: a class has none there."""
        look, problem = theme.current(), self.session.problem
        x = self.width() - 14.0
        clusters = self.session.algorithm.task is Task.CLUSTER
        count = len(problem.classes) if problem is not None and not clusters else 0
        for code in reversed(range(min(count, 8))):
            assert problem is not None
            text = problem.class_text(code)
            painter.setPen(look.colour("ink"))
            x -= painter.fontMetrics().horizontalAdvance(text)
            painter.drawText(QPointF(x, 46), text)
            x -= 20
            paint_marker(painter, look, code, QPointF(x, 39), look.radius)
            x -= 24
        return x


class CaptionBand(QWidget):
    """One sentence, one counter, one scrubber."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self.setMouseTracking(True)
        self.setAccessibleName("Step and scrubber")
        self._marks: tuple[Any, Marks | None] = (None, None)
        self._scrubbing = False
        for signal in (session.cursor_moved, session.run_grew, session.run_changed):
            signal.connect(self.update)

    def sizeHint(self) -> QSize:
        return QSize(600, 156)

    def _track(self) -> tuple[float, float, float]:
        return 14.0, self.width() - 18.0, self.height() - 24.0

    def mousePressEvent(self, event: Any) -> None:
        if event.button() == Qt.MouseButton.LeftButton and event.position().y() >= self._track()[2] - GRIP:
            self._scrubbing = True
            self._seek(event.position().x())

    def mouseMoveEvent(self, event: Any) -> None:
        if self._scrubbing:
            self._seek(event.position().x())

    def mouseReleaseEvent(self, event: Any) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._scrubbing = False

    def wheelEvent(self, event: Any) -> None:
        (self.session.previous if event.angleDelta().y() > 0 else self.session.next)()

    def _seek(self, px: float) -> None:
        trace = self.session.trace
        if trace is not None and len(trace):
            left, right, _ = self._track()
            share = min(1.0, max(0.0, (px - left) / (right - left)))
            self.session.player.pause()
            self.session.seek(nearest_step(trace, self.session.unit, share * self._last()))

    def paintEvent(self, event: Any) -> None:
        painter, look = QPainter(self), theme.current()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(self.rect(), look.colour("window"))
        step = self.session.step
        here, total, _ = counter_texts(self.session)
        painter.setPen(look.colour("ink"))
        painter.setFont(look.font("counter"))
        painter.drawText(QPointF(12, 72), here)
        x = 12 + painter.fontMetrics().horizontalAdvance(here) + 12
        painter.setFont(look.font("total"))
        painter.setPen(look.colour("ink2"))
        painter.drawText(QPointF(x, 72), total)
        x += painter.fontMetrics().horizontalAdvance(total) + 28
        painter.fillRect(QRectF(x, 14, 6, 70), look.colour("now"))
        if step is not None:
            self._paint_lead(painter, QRectF(x + 32, 8, self.width() - x - 44, 84), step.note.text())
        self._paint_track(painter)

    def _paint_lead(self, painter: QPainter, box: QRectF, text: str) -> None:
        """As large as fits into the band."""
        font = theme.current().font("lead")
        flags = Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignVCenter
        while font.pixelSize() > 17:
            painter.setFont(font)
            if painter.fontMetrics().boundingRect(box.toRect(), flags, text).height() <= box.height():
                break
            font.setPixelSize(font.pixelSize() - 2)
        painter.setPen(theme.current().colour("ink"))
        painter.drawText(box, flags, text)

    def _last(self) -> int:
        return max(1, len(self.session.trace) - 1) if self.session.trace is not None else 1

    def _x_of(self, index: Any) -> Any:
        """Step number(s) -> pixel."""
        left, right, _ = self._track()
        return left + np.asarray(index, np.float64) / self._last() * (right - left)

    def _marks_there(self) -> Marks | None:
        """The events of the run so far, kept until it grows."""
        shown, trace = self.session.lane_run, self.session.trace
        if shown is None or trace is None:
            return None
        key = shown.id, len(trace), self.width()
        if self._marks[0] != key:
            self._marks = key, marks_of(trace, marked(trace), self._last(), self._x_of)
        return self._marks[1]

    def _paint_track(self, painter: QPainter) -> None:
        look, session = theme.current(), self.session
        left, right, y = self._track()
        now = float(self._x_of(session.cursor))
        if (marks := self._marks_there()) is not None:
            marks.paint(painter, y - MARKS, session.cursor, MARK_SIZE)
        for x1, token in ((right, "line"), (now, "ink")):
            painter.setPen(QPen(look.colour(token), 7, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
            painter.drawLine(QPointF(left, y), QPointF(x1, y))
        painter.setPen(QPen(look.colour("ink"), 2.5))
        painter.setBrush(look.colour("now"))
        painter.drawEllipse(QPointF(now, y), look.handle, look.handle)


class SideStrip(QWidget):
    """Large buttons with words for what is folded away."""

    def __init__(self, buttons: list[tuple[str, str, Any]]) -> None:
        super().__init__()
        self.setFixedWidth(STRIP)
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 20, 8, 8)
        column.setSpacing(14)
        self.buttons: dict[str, tuple[QPushButton, QLabel]] = {}
        for icon, word, effect in buttons:
            button = QPushButton()
            style.mark(button, "strip")
            icons.put(button, icon, "ink", STRIP_ICON)
            button.setIconSize(QSize(STRIP_ICON, STRIP_ICON))
            describe(button, word)
            button.clicked.connect(lambda *_, run=effect: run())
            column.addWidget(button, 0, Qt.AlignmentFlag.AlignHCenter)
            self.buttons[word] = button, label(word, "caption")
            column.addWidget(self.buttons[word][1], 0, Qt.AlignmentFlag.AlignHCenter)
        column.addStretch(1)

    def tick(self, name: str, on: bool) -> None:
        """Show whether what the button called `name` stands for is in hand."""
        button, _ = self.buttons[name]
        button.setCheckable(True)
        button.setChecked(on)

    def dress(self, name: str, icon: str, word: str) -> None:
        """Another icon and word for the button called `name`."""
        button, caption = self.buttons[name]
        icons.put(button, icon, "ink", STRIP_ICON)
        describe(button, word)
        caption.setText(word)
