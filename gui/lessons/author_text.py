"""The text of a page as its author writes it: values of the step stand in it as lit boxes."""

import re
from collections.abc import Mapping

from PySide6.QtCore import QMimeData, QPointF, QRect, QRectF, QSizeF, Qt, Signal
from PySide6.QtGui import (
    QFontMetricsF,
    QPainter,
    QPyTextObject,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
)
from PySide6.QtWidgets import QTextEdit, QWidget

from engine.base.notation import cut
from gui.base.guard import guarded
from gui.look import theme

BOX = "\N{OBJECT REPLACEMENT CHARACTER}"
KIND = QTextFormat.ObjectTypes.UserObject + 1
NAME = QTextFormat.Property.UserProperty + 1
PLACE = re.compile(r"\{\{|\}\}|\{([^{}]*)\}")
PAD, ROUND = 4, 3  # pixels beside the words of a box; of its corners
LONGEST = 28  # letters of a box


class ValueBox(QPyTextObject):
    """Paints the values among the words. values: the text of each value by its name"""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.values: Mapping[str, str] = {}

    def words(self, name: str) -> str:
        """The value, or the name in braces where the step has none."""
        return cut(self.values.get(name, f"{{{name}}}"), LONGEST)

    @guarded
    def intrinsicSize(self, document: QTextDocument, place: int, how: QTextFormat) -> QSizeF:
        metrics = QFontMetricsF(theme.current().font("body", weight=600))
        words = self.words(str(how.property(NAME)))
        return QSizeF(metrics.horizontalAdvance(words) + 2 * PAD + 2, metrics.ascent() + 2)

    @guarded
    def drawObject(
        self,
        painter: QPainter,
        rect: QRectF | QRect,
        document: QTextDocument,
        place: int,
        how: QTextFormat,
    ) -> None:
        look, area = theme.current(), QRectF(rect)
        name = str(how.property(NAME))
        font = look.font("body", weight=600)
        metrics = QFontMetricsF(font)
        box = area.adjusted(1, 0, -1, metrics.descent())
        known = name in self.values
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen if known else look.colour("error"))
        painter.setBrush(look.colour("now_soft") if known else Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(box, ROUND, ROUND)
        painter.setPen(look.colour("ink" if known else "error"))
        painter.setFont(font)
        painter.drawText(area.bottomLeft() + QPointF(PAD + 1, 0), self.words(name))
        painter.restore()


class ValueText(QTextEdit):
    """A text field whose boxes follow the run. written: the author changed the text"""

    written = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setAcceptRichText(False)
        self.setTabChangesFocus(True)
        self.box = ValueBox(self)
        self.document().documentLayout().registerHandler(KIND, self.box)
        self._filling = False
        self.textChanged.connect(self._on_changed)

    def _on_changed(self) -> None:
        if not self._filling:
            self.written.emit()

    def show_text(self, text: str) -> None:
        """Show the text of a page, with a box for each value."""
        if text == self.text():
            return
        self._filling = True
        self.clear()
        self._insert(self.textCursor(), text)
        self._filling = False

    def show_values(self, values: Mapping[str, str]) -> None:
        """Let the boxes say the values of another step."""
        if values != self.box.values:
            self.box.values = values
            self._filling = True
            self.document().markContentsDirty(0, self.document().characterCount())
            self._filling = False
            self.viewport().update()

    def names(self) -> list[str]:
        """The names of the values in the text."""
        return [name for name in PLACE.findall(self.text()) if name]

    def insert_value(self, name: str) -> None:
        """Put a value in at the cursor, with room before it."""
        cursor = self.textCursor()
        before = self.document().characterAt(cursor.selectionStart() - 1)
        with_room = cursor.selectionStart() > 0 and not before.isspace() and before not in "([“"
        self._insert(cursor, f"{' ' if with_room else ''}{{{name}}}")
        self.setFocus()

    def text(self) -> str:
        """The text as a lesson has it: '{w}' for a box, a brace doubled."""
        found = []
        block = self.document().begin()
        while block.isValid():
            found.append("".join(self._of_block(block)))
            block = block.next()
        return "\n".join(found)

    @staticmethod
    def _of_block(block: object) -> list[str]:
        parts = []
        for fragment in (each.fragment() for each in block):  # type: ignore[attr-defined]
            name = fragment.charFormat().property(NAME)
            if name:  # neighbours with the same name are one fragment
                parts.append(f"{{{name}}}" * fragment.text().count(BOX))
            else:
                plain = fragment.text().replace(BOX, "").replace("\u2028", "\n")
                parts.append(plain.replace("{", "{{").replace("}", "}}"))
        return parts

    def _insert(self, cursor: QTextCursor, text: str) -> None:
        cursor.beginEditBlock()
        plain, end = QTextCharFormat(), 0
        for place in PLACE.finditer(text):
            cursor.insertText(text[end : place.start()], plain)
            end = place.end()
            if place[1] is None:
                cursor.insertText(place[0][0], plain)
                continue
            box = QTextCharFormat()
            box.setObjectType(KIND)
            box.setProperty(NAME, place[1])
            cursor.insertText(BOX, box)
        cursor.insertText(text[end:], plain)
        cursor.endEditBlock()
        cursor.setCharFormat(plain)
        self.setTextCursor(cursor)
        self.setCurrentCharFormat(plain)

    @guarded
    def createMimeDataFromSelection(self) -> QMimeData:
        """The selected words as a lesson has them, so that values survive copying."""
        cursor = self.textCursor()
        copied = ValueText()
        copied.document().documentLayout().registerHandler(KIND, copied.box)
        copied.textCursor().insertFragment(cursor.selection())
        found = QMimeData()
        found.setText(copied.text())
        return found

    @guarded
    def insertFromMimeData(self, source: QMimeData) -> None:
        self._insert(self.textCursor(), source.text())
