"""A panel that covers another part of the window."""

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QFrame, QWidget

from gui.base.guard import guarded_filter
from gui.look import style


def bar_under(covered: bool) -> Qt.ScrollBarPolicy:
    """When a dock shows its scroll bar: not while it is covered, as the bar would lie above."""
    usual, never = Qt.ScrollBarPolicy.ScrollBarAsNeeded, Qt.ScrollBarPolicy.ScrollBarAlwaysOff
    return never if covered else usual


class Cover(QFrame):
    """Covers the widget `ground`, whatever size that has; hidden at first."""

    def __init__(self, ground: QWidget) -> None:
        super().__init__(ground)
        style.mark(self, "dock")
        self.ground = ground
        self.hide()
        ground.installEventFilter(self)

    def place(self) -> None:
        """Take the place of the ground."""
        self.setGeometry(self.ground.rect())
        self.raise_()

    @guarded_filter
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.ground and event.type() in (QEvent.Type.Resize, QEvent.Type.Show):
            self.place()
        return super().eventFilter(watched, event)
