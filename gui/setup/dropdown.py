"""A list that drops down from a field and leaves the keyboard to it.

Part of the window, so that it lies right everywhere.
"""

from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from gui.base.guard import guarded_filter
from gui.look import style

EDGE = 8  # pixels that stay free between it and the end of the window


class DropDown(QFrame):
    """Its parts stand in `column`.

    Widgets with an attribute `popup` keep the focus while it is clicked (gui/window/keys.py).
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
        """Show it with its corner at `place` of `field`, moved left and made lower where the window
        ends, or at `floor` pixels from its top.
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
        if self.isHidden():  # the focus frame lies above it
            self.show()
            self.raise_()

    @guarded_filter
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """In a window of another size the field is elsewhere."""
        if event.type() == QEvent.Type.Resize:
            self.hide()
        return False
