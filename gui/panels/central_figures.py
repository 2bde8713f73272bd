"""What stands in the middle when no two columns are numbers."""

from typing import Any

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSplitter, QVBoxLayout, QWidget

from engine.core.scene import Bars, Plot, Table, Tree
from gui.canvas.probe import is_examples
from gui.look import theme
from gui.panels.figure_panel import NOTHING, Asked, FigureStack, is_telling
from gui.panels.tab_strip import TabStrip
from gui.session.session import Session

HIGHER = 0.6  # of a tree over its table in the hall
LOWEST = 0.45  # of a tree at the desk, where the table has the height of its first rows
WIDER = 0.42  # of bars beside theirs


class CentralFigures(QSplitter):
    """Two figures: tree above table, a map below its table, or the first ones there are. In a lecture hall the docks
    are folded: the picture of the method itself stands here, large, and beside it the examples or, by tabs, what else
    there is.

    row_chosen: a row of the examples, −1 for none
    """

    row_chosen = Signal(int)

    def __init__(self, session: Session) -> None:
        super().__init__(Qt.Orientation.Vertical)
        self.session = session
        self.setChildrenCollapsible(False)
        self.parts = [FigureStack(session, roomy=True), FigureStack(session, roomy=True)]
        self.tabs = TabStrip()
        self.tabs.chosen.connect(self._choose)
        self.tabs.hide()
        self.places = [self.parts[0], self._under_tabs(self.parts[1])]
        for part, place in zip(self.parts, self.places, strict=True):
            self.addWidget(place)
            part.row_chosen.connect(self.row_chosen)
        self._tabs_for = ""  # the method whose figures have had tabs
        self._choices: dict[str, str] = {}  # title of the second figure in the hall, by the method's key
        self._given: tuple[tuple[Any, ...], Asked] = ((), NOTHING)
        self._arrangement: object = None
        self._needed = (0, 0)  # the height of all, and what the table wanted of it
        self.setSizes([300, 290])

    def show_figures(self, figures: tuple[Any, ...], asked: Asked = NOTHING) -> tuple[Any, ...]:
        """Shows up to two and returns the rest."""
        self._given = (figures, asked)
        hall = theme.current().name == "projector"
        shown = self._for_the_hall(figures) if hall else self._for_the_desk(figures)
        others = [figure for figure in figures if figure is not shown[0]] if hall else []
        if len(others) > 1:
            self._tabs_for = self.session.lane.key
        tabs = bool(others) and self._tabs_for == self.session.lane.key  # and stay where a step has one figure less
        if tabs:
            shown[1:] = [self._second(others, *shown[1:], *others)]
            index = next(k for k, figure in enumerate(others) if figure is shown[1])
            self.tabs.show_titles([figure.title for figure in others], index, self.session.lane.key)
        self.tabs.setVisible(tabs)
        self._arrange(shown)
        for k, part in enumerate(self.parts):
            self.places[k].setVisible(k < len(shown))
            if k < len(shown):
                part.show_figure(shown[k], asked)
        self._fit()
        return tuple(f for f in figures if not any(f is s for s in shown))

    def _under_tabs(self, part: FigureStack) -> QWidget:
        """In a lecture hall the docks are folded: tabs lead to the other figures."""
        place = QWidget()
        column = QVBoxLayout(place)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.GAP)
        column.addWidget(self.tabs)
        column.addWidget(part, 1)
        return place

    def _second(self, others: list[Any], usual: Any, *_: Any) -> Any:
        """The one chosen by its tab."""
        chosen = self._choices.get(self.session.lane.key)
        return next((figure for figure in others if figure.title == chosen), usual)

    def _choose(self, index: int) -> None:
        self._choices[self.session.lane.key] = self.tabs.titles[index]
        self.show_figures(*self._given)

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
        self._needed = (0, 0)
        if hall:
            self._share(HIGHER if tree else WIDER)
        elif not tree:
            self._share(300 / 590)

    def _fit(self) -> None:
        """At the desk the table below a tree is as high as its first rows need; what a person dragged holds until the height of all changes."""
        hall, *kinds = self._arrangement if isinstance(self._arrangement, tuple) else (True,)
        if not hall and kinds == [Tree, Table] and self.height():
            needed = (self.height(), self.parts[1].wanted())
            if needed != self._needed:
                self._needed = needed
                self._share(max(LOWEST, 1 - needed[1] / needed[0]))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _share(self, first: float) -> None:
        self.setSizes([round(1000 * first), round(1000 * (1 - first))])

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange:
            self._arrangement = None
