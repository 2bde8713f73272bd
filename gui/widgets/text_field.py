"""A line of text that stands for a value: numbers separated by commas, a name."""

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from gui.base.guard import guarded
from gui.look import style
from gui.look.style import describe


class TextField(QLineEdit):
    """A line whose text is parsed on Return and when the focus leaves; Esc restores the last value.

    entered(value): `parse` accepted a new value; refused(sentence): what is wrong, and the last
    value stays ("": nothing is wrong any more). set_value() does not emit.
    """

    entered = Signal(object)
    refused = Signal(str)

    def __init__(
        self,
        parse: Callable[[str], Any],
        words: Callable[[Any], str] = str,
        accessible: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._parse, self._words = parse, words
        self._value: Any = None
        self.setProperty("compact", True)
        describe(self, accessible)
        self.textEdited.connect(lambda _: self.mark_wrong(False))

    def value(self) -> Any:
        return self._value

    def set_value(self, value: Any) -> None:
        """Show a value; text being typed, or refused, stays while the value is the same."""
        typing = self.isModified() and self.hasFocus()
        if value != self._value or not (typing or self.property("wrong")):
            self._show(value)

    def restore(self) -> None:
        """Discard what was typed and show the value."""
        self._show(self._value)
        self.refused.emit("")

    def mark_wrong(self, wrong: bool) -> None:
        """Show or remove the red frame of a refused text."""
        if bool(self.property("wrong")) != wrong:
            self.setProperty("wrong", wrong)
            style.refresh(self)

    def commit(self) -> None:
        """Parse the text, if the person changed it."""
        if not self.isModified():
            return
        try:
            value = self._parse(self.text())
        except ValueError as error:
            self.mark_wrong(True)
            self.refused.emit(str(error))
            return
        changed = value != self._value
        self._show(value)
        self.refused.emit("")
        if changed:
            self.entered.emit(value)

    @guarded
    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.commit()
        elif key == Qt.Key.Key_Escape and self.isModified():
            self.restore()
        else:
            super().keyPressEvent(event)

    @guarded
    def focusOutEvent(self, event: QFocusEvent) -> None:
        self.commit()
        super().focusOutEvent(event)

    def _show(self, value: Any) -> None:
        self._value = value
        text = "" if value is None else self._words(value)
        if text != self.text() or self.isModified():  # else it would be repainted for nothing
            self.setText(text)
            self.setCursorPosition(0)  # a text that is too long shows its beginning
        self.mark_wrong(False)
