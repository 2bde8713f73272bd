"""A draggable edge between two parts of the window: a short pill in its middle, in a wider area to
grip.
"""

from typing import Any

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from gui.base.guard import guarded, guarded_filter
from gui.look import theme
from gui.look.style import describe

GRIP, PILL, STRIDE = 9, (3, 28), 16  # pixels: area to grip; pill; step of an arrow key
_MOVES = {
    QEvent.Type.Move,
    QEvent.Type.Resize,
    QEvent.Type.Show,
    QEvent.Type.Hide,
    QEvent.Type.ParentChange,
}


class Edge(QWidget):
    """Lies over the `side` ("left", "right", "top") of `part` and asks for another size of it.

    dragged: the size in pixels that the drag asks for; given_back: a double click, which restores
    the size of the rule
    """

    dragged = Signal(int)
    given_back = Signal()

    def __init__(self, ground: QWidget, part: QWidget, side: str, name: str) -> None:
        super().__init__(ground)
        self.ground = ground
        self.part, self.side = part, side
        self._grip: tuple[QPoint, int] | None = None
        self.setCursor(
            Qt.CursorShape.SplitVCursor if side == "top" else Qt.CursorShape.SplitHCursor
        )
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # F6 comes here, not Tab
        describe(
            self,
            f"Edge of {name}",
            f"Drag: {name} larger or smaller. Double click: as large as the window suggests",
        )
        part.installEventFilter(self)
        self._place()

    @guarded_filter
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in _MOVES:
            self._place()
        return False

    def _place(self) -> None:
        if not self.ground.isAncestorOf(self.part):  # not yet built in
            return
        self.setVisible(self.part.isVisibleTo(self.ground))
        at = QRect(self.part.mapTo(self.ground, QPoint(0, 0)), self.part.size())
        if self.side == "top":
            self.setGeometry(at.left(), at.top() - GRIP // 2 - 1, at.width(), GRIP)
        else:
            x = at.left() - 1 if self.side == "left" else at.right() + 1
            self.setGeometry(x - GRIP // 2, at.top(), GRIP, at.height())
        self.raise_()

    def _size(self) -> int:
        return self.part.height() if self.side == "top" else self.part.width()

    def _more(self, way: QPoint) -> int:
        """The pixels by which the part grows when its edge moves by `way`."""
        return {"top": -way.y(), "left": -way.x(), "right": way.x()}[self.side]

    @guarded
    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._grip = event.globalPosition().toPoint(), self._size()

    @guarded
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._grip is not None and event.buttons() & Qt.MouseButton.LeftButton:
            start, size = self._grip
            self.dragged.emit(size + self._more(event.globalPosition().toPoint() - start))

    @guarded
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._grip = None

    @guarded
    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.given_back.emit()

    @guarded
    def keyPressEvent(self, event: QKeyEvent) -> None:
        ways = {
            Qt.Key.Key_Left: QPoint(-STRIDE, 0),
            Qt.Key.Key_Right: QPoint(STRIDE, 0),
            Qt.Key.Key_Up: QPoint(0, -STRIDE),
            Qt.Key.Key_Down: QPoint(0, STRIDE),
        }
        way = ways.get(Qt.Key(event.key()))
        more = self._more(way) if way is not None else 0
        if more:
            self.dragged.emit(self._size() + more)
        else:
            super().keyPressEvent(event)

    @guarded
    def enterEvent(self, event: Any) -> None:
        self.update()

    @guarded
    def leaveEvent(self, event: Any) -> None:
        self.update()

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(
                theme.current().colour("ink2" if self.underMouse() or self._grip else "strong")
            )
            wide, long = PILL if self.side != "top" else PILL[::-1]
            pill = QRectF(0, 0, wide, long)
            pill.moveCenter(QRectF(self.rect()).center())
            painter.drawRoundedRect(pill, 1.5, 1.5)
