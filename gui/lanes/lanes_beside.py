"""The panels about several lanes at once: their numbers, and the difference of two of them."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from engine.base.records import cached_property
from gui.base.guard import guarded, guarded_filter
from gui.session.changes import Change, Changes
from gui.session.session import Session
from gui.widgets.controls import Divider

if TYPE_CHECKING:
    from gui.lanes.side_by_side import SideBySide
    from gui.reading.difference import DifferencePanel


class LanesBeside(QWidget):
    """Holds both panels, one below the other; made and visible only with several lanes."""

    def __init__(self, session: Session, parent: QWidget) -> None:
        # without a parent, showing it would open a window that takes the keyboard
        super().__init__(parent)
        self.session = session
        self.setFixedHeight(0)
        self.hide()
        session.changed.connect(self._on_changed)
        self._look()

    def _on_changed(self, changes: Changes) -> None:
        if changes.window & Change.DOCUMENT:
            self._look()

    def _look(self) -> None:
        if len(self.session.document.lanes) > 1 and "parts" not in self.__dict__:
            self._settle()

    @cached_property
    def parts(self) -> "tuple[SideBySide, DifferencePanel]":
        from gui.lanes.side_by_side import SideBySide
        from gui.reading.difference import DifferencePanel

        made = SideBySide(self.session, self), DifferencePanel(self.session, self)
        self.rule = Divider(parent=self)
        for part in made:
            part.refresh()
            part.installEventFilter(self)
        return made

    numbers: "SideBySide" = property(lambda self: self.parts[0])  # type: ignore[assignment]
    difference: "DifferencePanel" = property(lambda self: self.parts[1])  # type: ignore[assignment]

    @guarded_filter
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Resize, QEvent.Type.ShowToParent, QEvent.Type.HideToParent):
            self._settle()
        return super().eventFilter(watched, event)

    @guarded
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if "parts" in self.__dict__:
            self._settle()

    def _settle(self) -> None:
        y = 0
        for part in self.parts:
            if not part.isHidden():
                part.setGeometry(0, y, self.width(), part.height())
                y += part.height()
        self.difference.fit()
        self.rule.setGeometry(0, max(0, y - 1), self.width(), 1)
        self.rule.raise_()
        if y != self.height():
            self.setFixedHeight(y)
        self.setVisible(any(not part.isHidden() for part in self.parts))
