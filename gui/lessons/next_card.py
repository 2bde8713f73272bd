"""A card of the row “What next?”: its picture, its name, its question or what came of it."""

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QEnterEvent,
    QFocusEvent,
    QKeyEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPixmap,
)
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from gui.base.guard import guarded
from gui.look import style, theme
from gui.look.ink import Face, face, folded, pen, write
from gui.look.style import describe

PICTURE = (104, 60)  # pixels
HIGH, LEAST, WIDE = 64, 120, 300  # pixels: of the card; least width; from which it has a picture
EDGE = 12  # pixels beside the words
LINES = 3  # of words
PALE = 0.45  # opacity of a card that cannot be taken


def picture_size() -> QSize:
    look = theme.current()
    return QSize(style.scale(look, PICTURE[0]), style.scale(look, PICTURE[1]))


class NextCard(QAbstractButton):
    """A change or a lesson.

    pointed: whether the mouse is over it or it has the focus
    name: 'One outlier'; badge: what stands in the corner of its picture
    """

    pointed = Signal(bool)

    def __init__(self, parent: QWidget, name: str, key: str, badge: str = "") -> None:
        super().__init__(parent)
        self.name, self.key, self.badge = name, key, badge
        self.words = ""
        self.taken = False
        self.picture: QPixmap | None = None
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setMinimumWidth(LEAST)
        self.setFixedHeight(style.scale(theme.current(), HIGH))

    def tell(self, words: str, taken: bool = False, refused: str = "") -> None:
        """Show the question, or what came of it once it was taken; refused: why it cannot be
        taken, "" where it can.
        """
        self.setEnabled(not refused)
        self.words, self.taken = refused or words, taken
        describe(self, f"{self.name}. {self.words} ({self.key})")
        self.update()

    def show_picture(self, picture: QPixmap | None) -> None:
        self.picture = picture
        self.update()

    @guarded
    def sizeHint(self) -> QSize:
        return QSize(360, self.height())

    # -- pointing ----------------------------------------------------------------------------------

    @guarded
    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        self._point()

    @guarded
    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._point()

    @guarded
    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._point()

    @guarded
    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._point()

    def _point(self) -> None:
        self.update()
        self.pointed.emit(self.isEnabled() and (self.underMouse() or self.hasFocus()))

    @guarded
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)

    # -- painting ----------------------------------------------------------------------------------

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        look = theme.current()
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setOpacity(1.0 if self.isEnabled() else PALE)
            held = self.isEnabled() and (self.underMouse() or self.hasFocus())
            wide = 2.0 if self.taken else 1.0
            frame = QRectF(self.rect()).adjusted(wide / 2, wide / 2, -wide / 2, -wide / 2)
            outline = QPainterPath()
            outline.addRoundedRect(frame, theme.CARD_RADIUS, theme.CARD_RADIUS)
            painter.fillPath(outline, look.colour("field"))
            left = self._paint_picture(painter, frame, outline)
            self._write(painter, left + EDGE)
            painter.setPen(pen("ink" if held or self.taken else "strong", wide, scaled=False))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawPath(outline)

    def _paint_picture(self, painter: QPainter, frame: QRectF, outline: QPainterPath) -> float:
        """Paint the picture with its badge; returns where the words begin."""
        look = theme.current()
        if self.width() < style.scale(look, WIDE):
            return frame.left()
        place = QRectF(frame.topLeft(), frame.bottomLeft())
        place.setWidth(picture_size().width())
        painter.save()
        painter.setClipPath(outline)
        painter.fillRect(place, look.colour("plane"))
        if self.picture is not None:
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            painter.drawPixmap(place, self.picture, filled(self.picture, place))
        painter.restore()
        painter.setPen(pen("line", 1.0, scaled=False))
        painter.drawLine(place.topRight(), place.bottomRight())
        if self.badge:
            small = face("caption", 700)
            room = QRectF(place.left() + 1, place.top() + 1, small.width(self.badge) + 8, 18)
            painter.fillRect(room, look.colour("field"))
            write(painter, room.left() + 4, room.center().y(), self.badge, small)
        return place.right()

    def _write(self, painter: QPainter, left: float) -> None:
        look = theme.current()
        small, strong, plain = face("caption"), face("body", 600), face("body")
        high = look.line_height("body")
        room = self.width() - left - EDGE
        key = small.width(self.key) + 12
        box = QRectF(self.width() - EDGE - key, 7, key, look.line_height("caption") + 4)
        painter.setPen(pen("line", 1.0, scaled=False))
        painter.drawRoundedRect(box, theme.RADIUS, theme.RADIUS)
        write(painter, box.left() + 6, box.center().y(), self.key, small, "ink2")
        names = within(self.name, strong, room - key - 8, LINES - 1)
        words = within(self.words, plain, room, LINES - len(names))
        middle = self.height() / 2 - (len(names) + len(words) - 1) * high / 2
        for k, line in enumerate((*names, *words)):
            bold = k < len(names)
            look_of, colour = (strong, "ink") if bold else (plain, "ink2")
            write(painter, left, middle + k * high, line, look_of, colour)


def within(text: str, look: Face, room: float, most: int) -> list[str]:
    """The text on at most so many lines, the last one cut."""
    lines = folded(look.metrics, [text], room)
    if len(lines) > most:
        lines = [*lines[: most - 1], look.cut(" ".join(lines[most - 1 :]), room)]
    return [look.cut(line, room) for line in lines]


def filled(picture: QPixmap, place: QRectF) -> QRectF:
    """The middle part of a picture that has the shape of a place."""
    wide, high = float(picture.width()), float(picture.height())
    scale = min(wide / place.width(), high / place.height())
    part = QRectF(0, 0, place.width() * scale, place.height() * scale)
    part.moveCenter(QPointF(wide / 2, high / 2))
    return part
