"""Where the words of the stage stand in the lecture hall, which has no chips."""

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout

from gui.base.guard import guarded
from gui.frame.switcher import Switcher
from gui.look import style, theme

HIGH = 48


class ProjectorHeader(QFrame):
    """As high whatever it holds, so that the window is laid out once for a theme."""

    def __init__(self) -> None:
        super().__init__()
        style.mark(self, "row")
        self._fit()
        self.row = QHBoxLayout(self)
        self.row.setContentsMargins(12, 0, 14, 0)
        self.row.addStretch(1)

    def _fit(self) -> None:
        self.setFixedHeight(theme.current().large(HIGH))

    @guarded
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange:
            self._fit()

    def hold(self, switcher: Switcher, dense: bool = False) -> None:
        """With all the room there is; dense: there are several such rows, where words are in a
        menu.
        """
        self.row.addWidget(switcher)
        switcher.fit(0 if dense else 10_000)
