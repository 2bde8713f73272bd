"""Covers over what a page of a lesson locks: they take the mouse and say why."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from gui.base.guard import guarded, guarded_filter
from gui.look import icons
from gui.look.style import describe
from gui.session.changes import Change, Changes
from gui.session.restrictions import LOCKED, WORDS
from gui.session.session import Session

SIDE, INSET, TOP = 12, 2, 10  # pixels of the lock, from the left and from above
LOW = 80  # height of a bar, in whose middle the lock stands


class LockCover(QWidget):
    """A cover over one widget.

    whole: whether it is a part of the window: it is disabled then, with a lock in its corner
    """

    def __init__(self, ground: QWidget, part: str, whole: bool) -> None:
        super().__init__(ground)
        self.ground, self.whole = ground, whole
        if whole:
            ground.setEnabled(False)
        describe(self, f"Locked: {WORDS[part]}", LOCKED.format(WORDS[part]))
        self.setCursor(Qt.CursorShape.ForbiddenCursor)
        ground.installEventFilter(self)
        self._place()
        self.show()

    def _place(self) -> None:
        self.setGeometry(self.ground.rect())
        self.raise_()

    def lift(self) -> None:
        """Take the cover away."""
        self.ground.removeEventFilter(self)
        if self.whole:
            self.ground.setEnabled(True)
        self.hide()
        self.deleteLater()

    @guarded_filter
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Resize, QEvent.Type.ChildAdded):
            self._place()
        return super().eventFilter(watched, event)

    @guarded
    def mousePressEvent(self, event: Any) -> None:
        event.accept()

    @guarded
    def wheelEvent(self, event: Any) -> None:
        event.accept()

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        if not self.whole:
            return
        side = SIDE
        picture = icons.pixmap("lock", "ink3", side, self.devicePixelRatioF())
        with QPainter(self) as painter:
            middle = (self.height() - side) // 2
            painter.drawPixmap(INSET, middle if self.height() < LOW else TOP, picture)


class Locks(QObject):
    """Covers the parts of the window while a page locks them."""

    def __init__(
        self,
        session: Session,
        grounds: Callable[[], Mapping[str, Iterable[tuple[QWidget, bool]]]],
    ) -> None:
        """grounds: for each part of WORDS the widgets that change it, see `LockCover`"""
        super().__init__(session)
        self.session, self._grounds = session, grounds
        self.covers: list[LockCover] = []
        session.changed.connect(self._on_changed)

    def _on_changed(self, changes: Changes) -> None:
        if changes.window & (Change.RESTRICTED | Change.LANES):
            self.refresh()

    def refresh(self) -> None:
        """Cover what is locked now. A cover that is still wanted stays, since to disable and enable
        a part of the window dresses each of its controls anew.
        """
        locked = self.session.locked
        wanted = {
            ground: (part, whole)
            for part, grounds in (self._grounds() if locked else {}).items()
            if part in locked
            for ground, whole in grounds
        }
        for cover in self.covers:
            if cover.ground not in wanted:
                cover.lift()
        kept = [cover for cover in self.covers if cover.ground in wanted]
        there = {cover.ground for cover in kept}
        self.covers = kept + [
            LockCover(ground, part, whole)
            for ground, (part, whole) in wanted.items()
            if ground not in there
        ]
