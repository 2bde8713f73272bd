"""The spotlight: all but a circle round the pointer is dark."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt, QTimer
from PySide6.QtGui import QColor, QCursor, QPainter, QPainterPath, QPaintEvent
from PySide6.QtWidgets import QWidget

from gui.base.guard import guarded, guarded_filter
from gui.look import theme

FRAME_MS = 16
RADIUS = 150  # pixels in the light theme
DARKNESS = 0.62


class Spotlight(QWidget):
    """A dark cover over the window with a hole at the pointer; the mouse works through it."""

    def __init__(self, window: QWidget, changed: Callable[[], object]) -> None:
        """changed: called when the spotlight is switched on or off."""
        super().__init__(window)
        self._changed = changed
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.at = QPoint()
        self.timer = QTimer(self, interval=FRAME_MS)
        # the widgets below get the moves of the mouse, and those without tracking get none
        self.timer.timeout.connect(lambda: self.point_at(self.mapFromGlobal(QCursor.pos())))
        window.installEventFilter(self)
        self.hide()

    @property
    def on(self) -> bool:
        return not self.isHidden()

    def toggle(self) -> None:
        """Switch the spotlight on or off."""
        lit = not self.on
        self.setGeometry(self.parentWidget().rect())
        self.at = self.mapFromGlobal(QCursor.pos())
        self.setVisible(lit)
        self.raise_()
        (self.timer.start if lit else self.timer.stop)()
        self._changed()

    def leave(self) -> bool:
        """Switch it off; returns whether it was on."""
        if self.on:
            self.toggle()
            return True
        return False

    def point_at(self, place: QPoint) -> None:
        """Light the circle round a place of the window."""
        if place != self.at:
            before = self.circle()
            self.at = place
            self.update(before.united(self.circle()).adjusted(-2, -2, 2, 2))

    def circle(self) -> QRect:
        """The rectangle round the lit circle."""
        radius = round(RADIUS * theme.current().stroke)
        return QRect(self.at - QPoint(radius, radius), self.at + QPoint(radius, radius))

    @guarded_filter
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self.setGeometry(self.parentWidget().rect())
        return super().eventFilter(watched, event)

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        dark = QPainterPath()
        dark.addRect(self.rect())
        lit = QPainterPath()
        lit.addEllipse(self.circle())
        shade = QColor(Qt.GlobalColor.black)
        shade.setAlphaF(DARKNESS)
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.fillPath(dark.subtracted(lit), shade)
