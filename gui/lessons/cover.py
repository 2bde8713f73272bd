"""Panels that cover another part of the window."""

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from gui.base.guard import guarded_filter
from gui.look import style


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


class FoldingCover(Cover):
    """Covers a dock that scrolls. Folded, it leaves the dock free but for a strip at its foot."""

    def __init__(self, dock: QScrollArea) -> None:
        super().__init__(dock)
        self.dock = dock

    def strip_height(self) -> int:
        """The height in pixels that is covered while the panel is folded, 0 while it is not."""
        raise NotImplementedError

    def place(self) -> None:
        """Take the place of the dock, whose scroll bar would lie above, or of a strip of it."""
        strip = self.strip_height()
        shown = not self.isHidden()
        covered = shown and not strip
        usual, never = Qt.ScrollBarPolicy.ScrollBarAsNeeded, Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        self.dock.setVerticalScrollBarPolicy(never if covered else usual)
        self.dock.setViewportMargins(0, 0, 0, strip if shown else 0)
        whole = self.dock.rect()
        high = strip or whole.height()
        self.setGeometry(0, whole.height() - high, whole.width(), high)
        self.raise_()
