"""A sentence with a button that helps: the base of error lines and message cards."""

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QWidget

from gui.base.guard import guarded
from gui.base.plain_text import as_words
from gui.look import icons, style, theme
from gui.look.style import describe

TEXT = (QEvent.Type.FontChange, QEvent.Type.StyleChange)


class StillLabel(QLabel):
    """A label that only grows, so that a step does not lay out its row again."""

    def __init__(self, kind: str = "") -> None:
        super().__init__()
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        style.mark(self, kind)
        self.fit()

    @guarded
    def setText(self, text: str) -> None:
        if text != self.text():
            super().setText(text)
            self.fit(self.minimumWidth())

    def fit(self, least: int = 0) -> None:
        """Take the width of the text, but at least `least` pixels."""
        letters = self.fontMetrics()
        self.setFixedSize(max(least, letters.horizontalAdvance(self.text()) + 2), letters.height())

    @guarded
    def sizeHint(self) -> QSize:
        return self.minimumSize()

    @guarded
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in TEXT:
            self.fit()


def label(text: str, kind: str = "") -> QLabel:
    """A plain-text label of one of the kinds of gui/look/style.py."""
    result = QLabel(text)
    result.setTextFormat(Qt.TextFormat.PlainText)
    if kind:
        style.mark(result, kind)
    return result


class Sentence(QFrame):
    """A sentence with an icon, for errors, and a button.

    An error has an icon, so that colour is not its only sign. Subclasses lay out `icon`, `label`
    and `action`; everything is hidden while there is no sentence. acted: the button was pressed
    """

    acted = Signal()

    def __init__(self, error: bool = True, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._error = error
        self.icon = QLabel(self)
        self.icon.setHidden(not error)
        self.label = label("", "error" if error else "")
        self.label.setWordWrap(True)
        self.action = QPushButton(self)
        self.action.clicked.connect(self.acted)
        self._dress()

    def text(self) -> str:
        return self.label.text()

    def show_text(self, sentence: str, action: str = "") -> None:
        """Show a sentence, and a button with the words `action`; "" hides it."""
        self.label.setText(sentence)
        self.action.setText(as_words(action))
        describe(self.action, action)
        self.action.setVisible(bool(action))
        self.setAccessibleName(f"{'Error: ' if self._error else ''}{sentence}" if sentence else "")
        self.setVisible(bool(sentence))

    @guarded
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange and hasattr(self, "action"):
            self._dress()

    def _dress(self) -> None:
        size = style.scale(theme.current(), icons.SMALL)
        self.icon.setPixmap(icons.pixmap("warning", "error", size, self.devicePixelRatioF()))
