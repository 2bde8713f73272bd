"""A quiet button that folds and unfolds something."""

from PySide6.QtCore import QEvent, QPointF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from gui.base.guard import guarded
from gui.look import theme
from gui.look.ink import face, pen, write


class Fold(QAbstractButton):
    """A line with a chevron; checked while its content is unfolded."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setCheckable(True)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)

    @guarded
    def sizeHint(self) -> QSize:
        return QSize(
            int(face("caption").width(self.text())) + 18, theme.current().line_height("caption") + 4
        )

    @guarded
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        self.updateGeometry()

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            middle = self.height() / 2
            size = face("caption").size / 3.4
            stroke = pen("ink3", 1.5)
            stroke.setCapStyle(Qt.PenCapStyle.RoundCap)
            painter.setPen(stroke)
            painter.save()
            painter.translate(4, middle)
            painter.rotate(90 if self.isChecked() else 0)
            painter.drawPolyline(_chevron(size))
            painter.restore()
            colour = "ink" if self.underMouse() else "ink3"
            write(painter, 14, middle, self.text(), face("caption"), colour)


def _chevron(size: float) -> list[QPointF]:
    return [QPointF(-size / 2, -size), QPointF(size / 2, 0), QPointF(-size / 2, size)]
