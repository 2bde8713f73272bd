"""What stands in the middle when no two columns are numbers."""

from typing import Any

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QSplitter

from engine.core.scene import Bars, Plot, Table, Tree
from gui import theme
from gui.canvas.probe import is_examples
from gui.panels.figure_panel import NOTHING, Asked, FigureStack, is_telling
from gui.session import Session

HIGHER = 0.6  # of a tree over its table
WIDER = 0.42  # of bars beside theirs


class CentralFigures(QSplitter):
    """Two figures: tree above table, a map below its table, or the first ones there are. In a lecture hall the docks
    are folded, and the picture of the method itself stands here, large, with the examples.

    row_chosen: a row of the examples, −1 for none
    """

    row_chosen = Signal(int)

    def __init__(self, session: Session) -> None:
        super().__init__(Qt.Orientation.Vertical)
        self.session = session
        self.setChildrenCollapsible(False)
        self.parts = [FigureStack(session, roomy=True), FigureStack(session, roomy=True)]
        for part in self.parts:
            self.addWidget(part)
            part.row_chosen.connect(self.row_chosen)
        self._arrangement: object = None
        self.setSizes([300, 290])

    def show_figures(self, figures: tuple[Any, ...], asked: Asked = NOTHING) -> tuple[Any, ...]:
        """Shows up to two and returns the rest."""
        shown = self._for_the_hall(figures) if theme.current().name == "projector" else self._for_the_desk(figures)
        self._arrange(shown)
        for k, part in enumerate(self.parts):
            part.setVisible(k < len(shown))
            if k < len(shown):
                part.show_figure(shown[k], asked)
        return tuple(f for f in figures if not any(f is s for s in shown))

    def _for_the_desk(self, figures: tuple[Any, ...]) -> list[Any]:
        wanted = [f for kind in (Tree, Table) for f in figures if type(f) is kind]
        return ([*wanted, *(f for f in figures if type(f) is Plot and f.beside)] or list(figures))[:2]

    def _for_the_hall(self, figures: tuple[Any, ...]) -> list[Any]:
        """The method's picture, then the examples or what else it works on."""
        pictures = [f for f in figures if is_telling(f)] + [f for f in figures if type(f) is Bars]
        tables = [f for f in figures if type(f) is Table]
        tables.sort(key=lambda table: not is_examples(table, self.session.problem))
        return [*pictures[:1], *tables[:1]] or list(figures[:2])

    def _arrange(self, shown: list[Any]) -> None:
        """A tree lies over its table; in the hall other pictures stand beside theirs, where both are high enough."""
        hall = theme.current().name == "projector"
        kinds = (hall, *(type(figure) for figure in shown))
        if kinds == self._arrangement:
            return
        self._arrangement = kinds
        tree = bool(shown) and type(shown[0]) is Tree
        self.setOrientation(Qt.Orientation.Vertical if tree or not hall else Qt.Orientation.Horizontal)
        if hall:
            self._share(HIGHER if tree else WIDER)
        else:
            self._share(300 / 590)

    def _share(self, first: float) -> None:
        self.setSizes([round(1000 * first), round(1000 * (1 - first))])

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange:
            self._arrangement = None
