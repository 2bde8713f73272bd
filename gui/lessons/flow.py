"""Widgets in rows, as words are: what does not fit goes to the next row."""

from collections.abc import Sequence

from PySide6.QtCore import QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui.base.guard import guarded

GAP = 6  # pixels between two widgets, and between two rows


class Flow(QWidget):
    """Places its parts from left to right, in as many rows as they need."""

    def __init__(self) -> None:
        super().__init__()
        self.parts: list[QWidget] = []
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setSizePolicy(policy)

    def show_parts(self, parts: Sequence[QWidget]) -> None:
        """Show these parts instead of those before, which are given up."""
        for part in self.parts:
            part.hide()
            part.deleteLater()
        self.parts = list(parts)
        for part in self.parts:
            part.setParent(self)
            part.show()
        self._place()

    def _place(self) -> None:
        x = y = high = 0
        for part in self.parts:
            size = part.sizeHint()
            wide = min(size.width(), self.width())
            if x and x + wide > self.width():
                x, y, high = 0, y + high + GAP, 0
            part.setGeometry(x, y, wide, size.height())
            x += wide + GAP
            high = max(high, size.height())
        self.setFixedHeight(y + high)

    @guarded
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._place()

    @guarded
    def minimumSizeHint(self) -> QSize:
        return QSize(40, 0)
