"""What speaks of several lanes at once, over what speaks of one: their numbers, and the difference of two of them."""

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from gui.panels.difference import DifferencePanel
from gui.panels.side_by_side import SideBySide
from gui.session.session import Session
from gui.widgets.controls import Divider
from gui.widgets.guard import guarded


class LanesBeside(QWidget):
    """As high as both parts are; there while there are several lanes."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.numbers, self.difference, self.rule = SideBySide(session), DifferencePanel(session), Divider()
        self.parts = (self.numbers, self.difference)
        for part in (*self.parts, self.rule):
            part.setParent(self)
        for part in self.parts:
            part.installEventFilter(self)
        self._settle()

    @guarded
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Resize, QEvent.Type.ShowToParent, QEvent.Type.HideToParent):
            self._settle()
        return super().eventFilter(watched, event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
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
