"""A black screen until the next key: everybody looks at the teacher."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget


class Blank(QWidget):
    """Lies over the whole of `window`; the plane then has the keyboard, since a field would keep
    the key that ends it.
    """

    def __init__(self, window: QWidget, plane: Callable[[], QWidget]) -> None:
        super().__init__(window)
        self._plane = plane
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setStyleSheet("background: black")
        self.hide()

    def toggle(self) -> None:
        self.cover()
        self.raise_()
        self.setVisible(not self.isVisible())
        self._plane().setFocus()

    def cover(self) -> None:
        """Be as large as the window is now."""
        self.setGeometry(self.parentWidget().rect())
