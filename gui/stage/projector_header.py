"""The head row of a lane in the projector theme, in place of the chips."""

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout

from gui.base.guard import guarded
from gui.frame.switcher import Switcher
from gui.look import style, theme

HIGH = 48  # pixels, before scaling to the theme


class ProjectorHeader(QFrame):
    """A row of fixed height, so that its content never causes a new layout of the window."""

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
        """Put the switcher at the right end, with all its words; dense: there are several lanes, so
        that its words go into a menu.
        """
        self.row.addWidget(switcher)
        switcher.fit(0 if dense else 10_000)
