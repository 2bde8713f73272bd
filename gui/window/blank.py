"""A black screen until the next key, so that the class looks at the teacher."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget


class Blank(QWidget):
    """A black cover over the whole of `window`.

    While it is shown the plane has the focus, since a field would take the key that ends it.
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
        """Take the size of the window."""
        self.setGeometry(self.parentWidget().rect())
