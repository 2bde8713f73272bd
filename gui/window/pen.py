"""The pen: lines drawn by hand over the pictures, until one key clears them."""

from collections.abc import Callable
from math import ceil

from PySide6.QtCore import QEvent, QObject, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QWidget

from gui.base.guard import guarded, guarded_filter
from gui.look import theme

WIDE, CASING = 4.5, 3.5  # pixels of a line in the light theme; more of its casing


class Pen(QWidget):
    """A cover over `ground` that is seen through: while it is on, the mouse draws on it.

    Lines stay when the pen is put down, while the run goes on, and follow the size of the ground.

    lines: the places of each line as shares of the width and height
    """

    def __init__(self, ground: QWidget, changed: Callable[[], object]) -> None:
        """changed: called when the pen is taken up or put down."""
        super().__init__(ground)
        self._changed = changed
        self.on = False
        self.lines: list[list[QPointF]] = []
        self._drawing = False
        self.setAccessibleName("Lines drawn by hand")
        self.setCursor(Qt.CursorShape.CrossCursor)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        ground.installEventFilter(self)
        self._show()

    def toggle(self) -> None:
        """Take the pen up, or put it down."""
        self.on = not self.on
        self._drawing = False
        self._show()
        self._changed()

    def leave(self) -> bool:
        """Put the pen down; returns whether it was in use."""
        if self.on:
            self.toggle()
            return True
        return False

    def clear(self) -> None:
        """Remove all lines; the pen stays in use."""
        self.lines = []
        self._drawing = False
        self._show()

    def _show(self) -> None:
        self.setGeometry(self.parentWidget().rect())
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents, not self.on)
        self.setVisible(self.on or bool(self.lines))
        self.raise_()
        self.update()

    @guarded_filter
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self.setGeometry(self.parentWidget().rect())
        elif event.type() == QEvent.Type.ChildAdded and self.isVisible():
            self.raise_()  # a lane was added
        return super().eventFilter(watched, event)

    # -- drawing -----------------------------------------------------------------------------------

    @guarded
    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._drawing = True
            self.lines.append([])
            self._add(event.position())

    @guarded
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._drawing:
            self._add(event.position())

    @guarded
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._drawing = False

    def _add(self, place: QPointF) -> None:
        line = self.lines[-1]
        line.append(QPointF(place.x() / self.width(), place.y() / self.height()))
        reach = ceil(self._width + CASING)
        near = QRectF(self._place(line[-2:][0]), place).normalized()
        self.update(near.toAlignedRect().adjusted(-reach, -reach, reach, reach))

    @property
    def _width(self) -> float:
        return WIDE * theme.current().stroke

    def _place(self, share: QPointF) -> QPointF:
        return QPointF(share.x() * self.width(), share.y() * self.height())

    def outline(self, line: list[QPointF]) -> QPolygonF:
        """The places of a line in pixels; a single place as a line as short as can be."""
        places = [self._place(share) for share in line]
        return QPolygonF(places if len(places) > 1 else [*places, places[0] + QPointF(0.1, 0)])

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        look = theme.current()
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            for token, wide in (("plane", self._width + CASING), ("error", self._width)):
                round_ = Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin
                painter.setPen(QPen(look.colour(token), wide, Qt.PenStyle.SolidLine, *round_))
                for line in self.lines:
                    painter.drawPolyline(self.outline(line))
            if self.on:  # a frame says that the mouse draws
                painter.setPen(QPen(look.colour("error"), 2))
                painter.drawRect(QRect(1, 1, self.width() - 2, self.height() - 2))
