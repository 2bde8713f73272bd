"""A text that changes with every step and moves nothing beside it."""

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtWidgets import QLabel

from gui.base.guard import guarded
from gui.look import style

TEXT = (QEvent.Type.FontChange, QEvent.Type.StyleChange)


class StillLabel(QLabel):
    """Its room only grows, so that a step does not lay out the row that it stands in."""

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
        """As wide as the text, and at least so wide."""
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
