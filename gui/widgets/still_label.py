"""A label that changes with every step without moving its neighbours."""

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtWidgets import QLabel

from gui.base.guard import guarded
from gui.look import style

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
