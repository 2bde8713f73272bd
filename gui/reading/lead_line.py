"""The sentence of this step under the stage, where the window is too narrow for the right dock."""

from PySide6.QtWidgets import QFrame, QVBoxLayout

from gui.look import style, theme
from gui.reading.note_view import LeadView
from gui.session.lane_view import LaneView

LINES, AIR = 2, 14  # that have room: most sentences are shorter, and another step moves nothing


class LeadLine(QFrame):
    """As high as the longest sentence so far."""

    def __init__(self, view: LaneView) -> None:
        super().__init__()
        self.view = view
        style.mark(self, "dock")
        self.lead = LeadView()
        column = QVBoxLayout(self)
        column.setContentsMargins(theme.PAD_X, 6, theme.PAD_X, 6)
        column.addWidget(self.lead)
        column.addStretch(1)
        self.hide()
        for signal in (view.run_changed, view.playback_budget.figures):
            signal.connect(self._refresh)
        self.lead.hovered.connect(lambda tag: view.pointer.light((tag,)))

    def show_if(self, wanted: bool) -> None:
        self.setVisible(wanted)
        self.setFixedHeight(LINES * theme.current().line_height("lead") + AIR)
        self._refresh()

    def _refresh(self) -> None:
        if not self.isHidden():
            step = self.view.step
            self.lead.show_note(step.note if step is not None else None)
            needed = self.lead.heightForWidth(self.width() - 2 * theme.PAD_X) + AIR
            if needed > self.height():
                self.setFixedHeight(needed)
