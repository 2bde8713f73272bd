"""The closed field of a picker, and the painting of a title with its note."""

from typing import Any

from PySide6.QtCore import QEvent, QRect, Qt
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import QPushButton

from gui.base.guard import guarded
from gui.look import icons, style, theme
from gui.look.ink import folded
from gui.widgets.controls import describe

INDENT, TO_NOTE = 9, 12  # pixels before a title, and between it and its note
TOO_FEW = 8  # characters: a note cut to so few is not shown
LEFT_MIDDLE, RIGHT_MIDDLE = (
    side | Qt.AlignmentFlag.AlignVCenter
    for side in (Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignRight)
)


def paint_line(
    painter: QPainter, rect: QRect, title: str, note: str, inks: tuple[str, str], weight: int
) -> None:
    """Paint the title at the left, and at the right as much of the note as has room.

    inks: colour tokens of title and note; weight: of the title's font.
    """
    look = theme.current()
    elide = Qt.TextElideMode.ElideRight
    painter.setFont(look.font("body", weight=weight))
    painter.setPen(look.colour(inks[0]))
    metrics = painter.fontMetrics()
    painter.drawText(rect, LEFT_MIDDLE, metrics.elidedText(title, elide, rect.width()))
    room = rect.adjusted(metrics.horizontalAdvance(title) + TO_NOTE, 0, 0, 0)
    painter.setFont(look.font("caption"))
    painter.setPen(look.colour(inks[1]))
    text = painter.fontMetrics().elidedText(note, elide, max(0, room.width()))
    if text == note or len(text) > TOO_FEW:
        painter.drawText(room, RIGHT_MIDDLE, text)


class PickerField(QPushButton):
    """The closed field, which shows the present choice.

    A long title uses two lines. The note is shown only if all of it fits.
    """

    def __init__(self, what: str) -> None:
        super().__init__()
        self.what = what
        self.title = ""
        self.note = ""
        self.setSizePolicy(
            self.sizePolicy().horizontalPolicy().Ignored, self.sizePolicy().verticalPolicy()
        )

    def show_choice(self, title: str, note: str = "") -> None:
        if (title, note) == (self.title, self.note):  # called at every move of a dragged point
            return
        self.title, self.note = title, note
        whole = f"{title}, {note}" if note else title
        describe(self, f"{self.what}: {title}", f"{whole}\nChoose another {self.what.lower()}")
        self._fold()
        self.update()

    @guarded
    def resizeEvent(self, event: Any) -> None:
        super().resizeEvent(event)
        self._fold()

    @guarded
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange:
            self._fold()

    def _room(self) -> int:
        """The width in pixels between the left indent and the chevron."""
        return self.width() - style.scale(theme.current(), icons.SMALL) - 21 - INDENT

    def lines(self) -> list[str]:
        """The one or two lines on which the title stands; a longer one is cut at the second."""
        metrics = QFontMetrics(theme.current().font("body", weight=600))
        lines = folded(metrics, [self.title], self._room())
        return [lines[0], " ".join(lines[1:])] if len(lines) > 2 else lines

    def _fold(self) -> None:
        """Make the field as high as its title needs: one line or two."""
        double = len(self.lines()) > 1
        if double != bool(self.property("double")):
            self.setProperty("double", double)
            style.refresh(self)
            self.updateGeometry()

    @guarded
    def keyPressEvent(self, event: Any) -> None:
        if event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)

    @guarded
    def paintEvent(self, event: Any) -> None:
        super().paintEvent(event)
        look = theme.current()
        with QPainter(self) as painter:
            down = self.isDown()
            side = style.scale(look, icons.SMALL)
            chevron = icons.pixmap(
                "chevron-down", "sel_ink" if down else "ink2", side, self.devicePixelRatioF()
            )
            right = self.width() - side - 6
            painter.drawPixmap(right, (self.height() - side) // 2, chevron)
            inks = ("sel_ink", "sel_ink") if down else ("ink", "ink3")
            lines = self.lines()
            wide = QFontMetrics(look.font("caption")).horizontalAdvance
            title = QFontMetrics(look.font("body", weight=600)).horizontalAdvance(self.title)
            note = self.note if title + TO_NOTE + wide(self.note) + 2 <= self._room() else ""
            high = look.line_height("body")
            top = (self.height() - len(lines) * high) // 2
            for k, line in enumerate(lines):
                paint_line(
                    painter,
                    QRect(INDENT, top + k * high, self._room(), high),
                    line,
                    note,
                    inks,
                    600,
                )
