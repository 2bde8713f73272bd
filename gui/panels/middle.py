"""The middle of the window: the plane, a second plane or a network beside it where there is room, or only figures."""

from typing import Any

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QSplitter, QStackedWidget, QToolButton, QVBoxLayout, QWidget

from gui.canvas.plane import Plane
from gui.look import icons, theme
from gui.panels.central_figures import CentralFigures
from gui.panels.figure_panel import NOTHING, Asked, FigureStack
from gui.session.session import Session
from gui.widgets.controls import ElidedLabel, describe

ROOM = 900  # pixels for two planes side by side
EDGE = 10  # between the second plane and the dock, as at the plane's own right edge


class Middle(QSplitter):
    """Shows what needs most room and gives the other figures back. The second plane keeps its place until another
    algorithm or table is shown: a step without it leaves it empty, so that the plane never jumps. A figure that a person
    enlarged stands there too, however narrow the window, until it is given back.

    arranged: there is room beside the plane now, or no longer; row_chosen: a row of the examples, −1 for none
    """

    arranged = Signal()
    row_chosen = Signal(int)

    def __init__(self, session: Session, plane: Plane) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self.session, self.plane = session, plane
        self.central = CentralFigures(session)
        self.stack = QStackedWidget()
        self.stack.addWidget(plane)
        self.stack.addWidget(self.central)
        self.beside = FigureStack(session, large=True)
        self.empty = QWidget()
        self.side = self._side()
        self.setChildrenCollapsible(False)
        for part in (self.stack, self.side):
            part.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
            self.addWidget(part)
            self.setStretchFactor(self.count() - 1, 1)
        for part in (self.central, self.beside):
            part.row_chosen.connect(self.row_chosen)
        self.roomy = False
        self.enlarged: tuple[str, str] | None = None  # (kind, title)
        self._kept: Any = None  # for what the place beside the plane is kept
        self._look = ""
        self.side.hide()

    def _side(self) -> QWidget:
        """The second plane, and over an enlarged figure its title and the way back."""
        side, self.bar = QWidget(), QWidget()
        self.name = ElidedLabel("", "heading")
        back = QToolButton()
        icons.put(back, "close", "ink2", icons.SMALL)
        describe(back, "Put this figure back into the dock")
        back.clicked.connect(lambda *_: self.enlarge(None))
        row = QHBoxLayout(self.bar)
        row.setContentsMargins(8, 2, 0, 2)
        row.addWidget(self.name, 1)
        row.addWidget(back)
        column = QVBoxLayout(side)
        column.setContentsMargins(0, 0, EDGE, 0)
        column.setSpacing(0)
        column.addWidget(self.bar)
        column.addWidget(self.beside, 1)
        self.bar.hide()
        return side

    def currentWidget(self) -> QWidget | None:
        """The plane, or the figures in its place."""
        return self.stack.currentWidget()

    def enlarge(self, kind: str | None, title: str = "") -> None:
        """Give this figure the room of a plane, or None: give it back to the dock."""
        self.enlarged = (kind, title) if kind is not None else None
        self._kept = None
        self.arranged.emit()

    def show_figures(self, figures: tuple[Any, ...], asked: Asked = NOTHING) -> tuple[Any, ...]:
        """Shows what belongs in the middle and returns the rest."""
        problem = self.session.problem
        if problem is not None and not problem.plane:
            self.stack.setCurrentWidget(self.central)
            self._keep(False, False)
            return self.central.show_figures(figures, asked)
        self.stack.setCurrentWidget(self.plane)
        if self._kept is not None and self._kept != self._about():
            self.enlarged = None
        if self.enlarged is not None:
            second = next((f for f in figures if (type(f).__name__, f.title) == self.enlarged), None)
        else:
            second = next((f for f in figures if getattr(f, "beside", False)), None)
        room = self.roomy or self.enlarged is not None
        self._keep(second is not None, room)
        self.bar.setVisible(self.enlarged is not None)
        if not room or second is None:
            self.beside.show_widget(self.empty)
            return figures
        self.name.set_text(second.title)
        self.beside.show_figure(second, asked)
        return tuple(f for f in figures if f is not second)

    def _about(self) -> tuple[str, str]:
        return self.session.lane.key, self.session.document.data.name

    def _keep(self, wanted: bool, room: bool) -> None:
        """Make or give back the place beside the plane; both planes are equally wide when it is made."""
        if wanted:
            self._kept = self._about()
        shown = room and self._kept == self._about()
        if shown != self.side.isVisibleTo(self):
            self.side.setVisible(shown)
            self.setSizes([self.width() // 2, self.width() - self.width() // 2])

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        roomy = self.width() >= ROOM
        if roomy != self.roomy:
            self.roomy = roomy
            self.arranged.emit()

    def changeEvent(self, event: QEvent) -> None:
        """The lecture hall has another choice of figures."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange and self._look != theme.current().name:
            self._look = theme.current().name
            self.arranged.emit()
