"""The middle of the window: the plane, a second plane or a network beside it where there is room, or only figures."""

from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QSplitter, QStackedWidget, QWidget

from gui.panels.figure_panel import CentralFigures, FigureStack
from gui.session import Session

ROOM = 900  # pixels for two planes side by side
EDGE = 10  # between the second plane and the dock, as at the plane's own right edge


class Middle(QSplitter):
    """Shows what needs most room and gives the other figures back. The second plane keeps its place until another
    algorithm or table is shown: a step without it leaves it empty, so that the plane never jumps.

    arranged: there is room beside the plane now, or no longer
    """

    arranged = Signal()

    def __init__(self, session: Session, plane: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self.session, self.plane = session, plane
        self.central = CentralFigures(session)
        self.stack = QStackedWidget()
        self.stack.addWidget(plane)
        self.stack.addWidget(self.central)
        self.beside = FigureStack(session, large=True)
        self.beside.setContentsMargins(0, 0, EDGE, 0)
        self.empty = QWidget()
        self.setChildrenCollapsible(False)
        for part in (self.stack, self.beside):
            part.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
            self.addWidget(part)
            self.setStretchFactor(self.count() - 1, 1)
        self.roomy = False
        self._kept: Any = None  # for what the place beside the plane is kept
        self.beside.hide()

    def currentWidget(self) -> QWidget:
        """The plane, or the figures in its place."""
        return self.stack.currentWidget()

    def show_figures(self, figures: tuple[Any, ...], path: tuple[int, ...] = ()) -> tuple[Any, ...]:
        """Shows what belongs in the middle and returns the rest."""
        problem = self.session.problem
        if problem is not None and not problem.plane:
            self.stack.setCurrentWidget(self.central)
            self._keep(False, False)
            return self.central.show_figures(figures, path)
        self.stack.setCurrentWidget(self.plane)
        second = next((f for f in figures if getattr(f, "beside", False)), None)
        self._keep(second is not None, self.roomy)
        if not self.roomy or second is None:
            self.beside.show_widget(self.empty)
            return figures
        self.beside.show_figure(second)
        return tuple(f for f in figures if f is not second)

    def _keep(self, wanted: bool, room: bool) -> None:
        """Make or give back the place beside the plane; both planes are equally wide when it is made."""
        about = (self.session.lane.key, self.session.document.data.name)
        if wanted:
            self._kept = about
        shown = room and self._kept == about
        if shown != self.beside.isVisibleTo(self):
            self.beside.setVisible(shown)
            self.setSizes([self.width() // 2, self.width() - self.width() // 2])

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        roomy = self.width() >= ROOM
        if roomy != self.roomy:
            self.roomy = roomy
            self.arranged.emit()
