"""The sentence of the shown step below the stage, for windows too narrow for the right dock."""

from PySide6.QtWidgets import QFrame, QVBoxLayout

from gui.look import style, theme
from gui.reading.note_view import LeadView
from gui.session.changes import Change, Changes
from gui.session.playhead import Playhead

LINES, AIR = 2, 14  # least number of lines, so that few steps change the height; pixels around


class LeadLine(QFrame):
    """The sentence of the shown step, as high as the longest one since `show_if`."""

    def __init__(self, shown: Playhead) -> None:
        super().__init__()
        self._shown = shown
        style.mark(self, "dock")
        self.lead = LeadView()
        column = QVBoxLayout(self)
        column.setContentsMargins(theme.PAD_X, 6, theme.PAD_X, 6)
        column.addWidget(self.lead)
        column.addStretch(1)
        self.hide()
        shown.changed.connect(self._on_changed)
        self.lead.hovered.connect(lambda tag: shown.pointer.light((tag,)))

    def _on_changed(self, changes: Changes) -> None:
        if changes.of(self._shown.lane_view) & (Change.RUN | Change.FIGURES):
            self._refresh()

    def show_if(self, wanted: bool) -> None:
        """Show or hide the line, and reset its height."""
        self.setVisible(wanted)
        self.setFixedHeight(LINES * theme.current().line_height("lead") + AIR)
        self._refresh()

    def _refresh(self) -> None:
        if not self.isHidden():
            step = self._shown.step
            self.lead.show_note(step.note if step is not None else None)
            needed = self.lead.heightForWidth(self.width() - 2 * theme.PAD_X) + AIR
            if needed > self.height():
                self.setFixedHeight(needed)
