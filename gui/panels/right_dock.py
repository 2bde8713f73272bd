"""The right dock: pseudo-code, this step, why this label, figure."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QSplitter, QVBoxLayout, QWidget

from gui import style, theme
from gui.canvas.probe import probed_row
from gui.panels.figure_panel import CentralFigures, FigurePanel
from gui.panels.pseudocode import PseudocodePanel
from gui.panels.this_step import ThisStepPanel
from gui.panels.why import WhyPanel
from gui.session import Session
from gui.widgets import Divider


class RightDock(QFrame):
    """Reads the shown step aloud; repaints only what changed."""

    def __init__(self, session: Session, central: CentralFigures) -> None:
        super().__init__()
        self.session, self.central = session, central
        style.mark(self, "dock")
        self.setFixedWidth(theme.RIGHT_DOCK)
        self.code = PseudocodePanel()
        self.step = ThisStepPanel()
        self.why = WhyPanel()
        self.figure = FigurePanel(session)
        self.step.term_hovered.connect(lambda tag: session.light((tag,)))
        self.step.option_hovered.connect(lambda tag: session.light((tag,)))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.code)
        column.addWidget(Divider())
        self.split = QSplitter(Qt.Orientation.Vertical)
        self.split.setChildrenCollapsible(False)
        for panel, share in ((self.step, 5), (self.why, 2), (self.figure, 4)):
            self.split.addWidget(_ruled(panel))
            self.split.setStretchFactor(self.split.count() - 1, share)
        column.addWidget(self.split, 1)
        session.run_changed.connect(self._on_run)
        session.cursor_moved.connect(self.refresh)
        session.probe_changed.connect(self._refresh_why)
        session.settings_changed.connect(self._refresh_why)
        session.lit_changed.connect(lambda: self.step.set_lit(session.lit))
        self._on_run()

    def _on_run(self) -> None:
        self.code.show_algorithm(self.session.algorithm)
        self.refresh()

    def refresh(self) -> None:
        session = self.session
        step = session.step
        self.code.light(step.line if step is not None else "")
        self.step.show_step(step, session.cursor)
        self._refresh_why()

    def _refresh_why(self) -> None:
        session = self.session
        row, name = probed_row(session)
        explanation = session.explanation(row) if row is not None else None
        if explanation is not None and session.problem is not None:
            self.why.show_explanation(explanation, session.problem, name)
        else:
            self.why.show_hint("Take the probe and point at the plane, or click to put it down.")
        path = explanation.path if explanation is not None else ()
        figures = session.scene.figures
        if session.problem is not None and not session.problem.plane:
            figures = self.central.show_figures(figures, path)
        self.figure.parentWidget().setVisible(bool(figures))
        self.figure.show_figures(figures, path)


def _ruled(panel: QWidget) -> QWidget:
    """The panel with a rule below it."""
    box = QWidget()
    column = QVBoxLayout(box)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(0)
    column.addWidget(panel, 1)
    column.addWidget(Divider())
    return box
