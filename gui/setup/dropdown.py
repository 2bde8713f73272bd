"""A list that drops down from a field, which keeps the keyboard focus.

It is a child of the window, not a window of its own, so that its place is right on every system.
"""

from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from gui.base.guard import guarded_filter
from gui.look import style

EDGE = 8  # pixels kept free at the edges of the window


class DropDown(QFrame):
    """A frame whose widgets are added to `column`.

    A field with an attribute `popup` keeps the focus while its list is clicked
    (gui/window/keys.py).
    """

    def __init__(self, field: QWidget) -> None:
        super().__init__(field)
        style.mark(self, "toast")
        self.field = field
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(4, 4, 4, 4)
        self.column.setSpacing(6)
        self.hide()

    def drop(
        self, field: QWidget, place: QPoint, width: int, height: int, floor: int | None = None
    ) -> None:
        """Show the list with its top left corner at `place` of `field`, inside the window.

        It moves left or becomes narrower and lower where the window ends. floor: the lowest pixel
        it may reach, counted from the top of the window; by default the end of the window.
        """
        self.field = field
        window = field.window()
        if self.parentWidget() is not window:
            self.setParent(window, Qt.WindowType.Widget)
            window.installEventFilter(self)
        corner = field.mapTo(window, place)
        width = min(width, window.width() - 2 * EDGE)
        left = max(EDGE, min(corner.x(), window.width() - width - EDGE))
        floor = window.height() - EDGE if floor is None else floor
        self.setGeometry(left, corner.y(), width, max(40, min(height, floor - corner.y())))
        if self.isHidden():  # raised only then: the focus frame stays above it
            self.show()
            self.raise_()

    @guarded_filter
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Hide the list when the window is resized: the field has moved."""
        if event.type() == QEvent.Type.Resize:
            self.hide()
        return False
