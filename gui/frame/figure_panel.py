"""Widgets that show one figure of a scene, and the panel of the right dock that offers several."""

from collections.abc import Callable
from functools import partial
from typing import Any

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QStackedLayout, QToolButton, QVBoxLayout, QWidget

from engine.base.notation import counted
from engine.base.records import Record
from engine.scene.scene import Network, Space, Tree
from gui.base.guard import guarded
from gui.figures import FIGURES
from gui.figures.for_problem import suit
from gui.figures.wish import Wish, wish_of
from gui.frame.axis_menu import AxisMenu
from gui.frame.tab_strip import TabStrip
from gui.look import icons, theme
from gui.plane.probe import is_examples
from gui.reading.step_links import StepLinks
from gui.session.changes import Change, Changes
from gui.session.lane_view import LaneView
from gui.session.session import Session
from gui.widgets.controls import ElidedLabel, describe

TELLING = (Tree, Network, Space)
LEAST = QSize(140, 42)


class ExplainedRow(Record, eq=True):
    """The row and path that “Why?” explains.

    path: the tree nodes that the row passed
    row: number of the example, −1 for none
    """

    path: tuple[int, ...] = ()
    row: int = -1


NOTHING = ExplainedRow()


def is_telling(figure: Any) -> bool:
    """Whether the figure shows the method at work and thus deserves much room."""
    return type(figure) in TELLING or bool(getattr(figure, "beside", False))


class FigureStack(QWidget):
    """Shows one figure; keeps one widget per kind so that scroll and zoom stay between steps.

    large: on the stage, with points of the plane's size; roomy: on the stage, where the switcher
    names the figure

    row_chosen: a row of the examples, −1 for none; axis_chosen: a column was put on an axis of the
    plane
    """

    row_chosen = Signal(int)
    axis_chosen = Signal()

    def __init__(
        self,
        session: Session,
        lane: Callable[[], LaneView],
        large: bool = False,
        roomy: bool = False,
    ) -> None:
        """lane: the lane that is shown"""
        super().__init__()
        self.session, self.lane = session, lane
        self.large, self.roomy = large, roomy
        self.stack = QStackedLayout(self)
        self.widgets: dict[type[Any], Any] = {}
        self._table = self.view.data.name
        session.changed.connect(self._on_changed)

    @property
    def view(self) -> LaneView:
        return self.lane()

    def _on_changed(self, changes: Changes) -> None:
        if changes.window & Change.LIT:
            self._light()

    @guarded
    def minimumSizeHint(self) -> QSize:
        """Constant, so that the first figure of another kind does not move the widgets above."""
        return LEAST

    def wish(self) -> Wish:
        """How much room the present figure wants."""
        return wish_of(self.stack.currentWidget())

    def fit(self) -> None:
        """Reset the zoom of all figures."""
        for widget in self.widgets.values():
            if hasattr(widget, "fit"):
                widget.fit()

    def show_figure(self, figure: Any, explained: ExplainedRow = NOTHING) -> None:
        """Show a figure of the scene, with the row or path that “Why?” is about marked."""
        self._leave_zoom_of_other_data()
        widget = self.widgets.get(type(figure))
        if widget is None:
            widget = self.widgets[type(figure)] = self._make(figure)
        self.stack.setCurrentWidget(widget)
        if hasattr(widget, "set_chosen"):
            widget.set_chosen(explained.row if is_examples(figure, self.view.problem) else None)
        suit(widget, self.view.problem)
        if hasattr(widget, "rapid"):
            widget.rapid = not self.view.playback_budget.whole_figures
        if hasattr(widget, "flying"):
            widget.flying = self.view.playback_budget.flying
        if isinstance(figure, Tree):
            widget.set_figure(figure, explained.path)
        else:
            widget.set_figure(figure)
        self._light()  # what is lit stays so in a figure that comes later
        if hasattr(widget, "set_editable"):
            widget.set_editable(self.view.tweakable)
        if hasattr(widget, "drawn"):
            cross = Qt.CursorShape.CrossCursor
            if self._draws(figure):
                widget.setCursor(cross)
            elif widget.cursor().shape() is cross:
                widget.unsetCursor()

    def _leave_zoom_of_other_data(self) -> None:
        """Reset the zoom when another table was loaded; edited points keep the table's name."""
        data = self.view.data
        if data.name != self._table:
            self._table = data.name
            self.fit()

    def _make(self, figure: Any) -> Any:
        """A new widget for this kind of figure, its signals connected to the lane."""
        widget: Any = FIGURES[type(figure)]()
        if hasattr(widget, "hovered"):
            widget.hovered.connect(lambda tag: self.view.pointer.light((tag,)))
            StepLinks(widget, self.session, self.lane)
        if hasattr(widget, "edited"):
            widget.edit_wanted.connect(self.session.player.pause)
            widget.edited.connect(self.session.continuation.tweak)
        if hasattr(widget, "drawn"):
            widget.drawn.connect(partial(self._draw, widget))
        if hasattr(widget, "painted"):
            widget.painted.connect(self.session.paint)
        if hasattr(widget, "row_chosen"):
            widget.row_chosen.connect(self.row_chosen)
        if hasattr(widget, "rows_chosen"):
            widget.rows_chosen.connect(self._select)
        if hasattr(widget, "menu_wanted"):
            widget.menu_wanted.connect(partial(self._ask_axis, widget))
        if hasattr(widget, "set_large"):
            widget.set_large(self.large)
        if hasattr(widget, "set_roomy"):
            widget.set_roomy(self.roomy)
        self.stack.addWidget(widget)
        return widget

    def _draws(self, figure: Any) -> bool:
        """Whether a lesson asks for a drawing in this figure."""
        return self.session.predicting.draws_in(self.view, figure.title)

    def _draw(self, widget: Any, how: str, x: float, y: float) -> None:
        if self._draws(widget.plot):
            self.session.predicting.draw(how, x, y)

    def _select(self, numbers: list[int]) -> None:
        """Select the rows with these numbers, counted from 1, in all views; select none where
        exactly these are selected already.
        """
        rows = frozenset(number - 1 for number in numbers)
        self.view.pointer.select(() if rows == self.view.pointer.selected else rows)

    def _ask_axis(self, widget: QWidget, column: str, place: QPoint) -> None:
        """Open the menu that puts a test's column on an axis, if two numeric columns exist."""
        problem = self.view.problem
        if problem is not None and sum(feature.numeric for feature in problem.features) > 1:
            menu = AxisMenu(widget, self.session, self.view, column)
            menu.triggered.connect(self.axis_chosen)
            menu.popup(place)

    def _light(self) -> None:
        widget = self.stack.currentWidget()
        if widget is not None and hasattr(widget, "set_lit"):
            widget.set_lit(self.view.pointer.lit)


class Page(Record, eq=True):
    """Identifies a figure. nth: its number, from 0, among those of the same kind and title."""

    kind: str
    title: str
    nth: int = 0


class FigurePanel(QWidget):
    """A heading or tabs to choose among figures of the scene, and the chosen one.

    The choice is kept for each method.

    enlarge_wanted: the shown figure, to be moved to the stage
    """

    enlarge_wanted = Signal(object)

    def __init__(self, session: Session, lane: Callable[[], LaneView]) -> None:
        """lane: the lane that is shown"""
        super().__init__()
        self.lane = lane
        self.choices: dict[str, Page] = {}  # by the method's key
        self.figures: tuple[Any, ...] = ()  # those not on the stage
        self.explained = NOTHING
        self.heading = ElidedLabel("", "heading")
        self.tabs = TabStrip()
        self.tabs.chosen.connect(self.choose)
        self.enlarge = QToolButton()
        icons.put(self.enlarge, "expand", "ink2", icons.SMALL)
        describe(self.enlarge, "Show this figure on the stage")
        self.enlarge.clicked.connect(self._enlarge)
        head = QHBoxLayout()
        head.setSpacing(2)
        head.addWidget(self.heading, 1)
        head.addWidget(self.tabs, 1)
        head.addWidget(self.enlarge)
        head.setAlignment(self.enlarge, Qt.AlignmentFlag.AlignTop)
        self.body = FigureStack(session, lane)
        column = QVBoxLayout(self)
        column.setContentsMargins(theme.PAD_X, theme.PAD_TIGHT, theme.PAD_X, theme.PAD_TIGHT)
        column.setSpacing(theme.GAP)
        column.addLayout(head)
        column.addWidget(self.body, 1)
        self._shown: object = None
        self._figure: Any = None  # the one that is shown

    def pages(self) -> list[tuple[str, str]]:
        """(kind, title) of each figure that can be shown now."""
        return [(page.kind, page.title) for page in self._pages()]

    def _pages(self) -> list[Page]:
        named = [(type(figure).__name__, figure.title) for figure in self.figures]
        return [Page(*name, named[:k].count(name)) for k, name in enumerate(named)]

    def show_figures(self, figures: tuple[Any, ...], explained: ExplainedRow = NOTHING) -> None:
        """Offer these figures, at least one. The earlier choice stays; without one the figure that
        shows the method at work is chosen.
        """
        self.figures, self.explained = figures, explained
        pages = self._pages()
        index = self._index(pages)
        state = (pages, index)
        if state != self._shown:
            self._shown = state
            self._show_head([page.title for page in pages], index)
        self._figure = figures[index]
        self.body.show_figure(self._figure, explained)
        self._say_folded()

    def _say_folded(self) -> None:
        """Show on the button to the stage how many columns of a table have no room here."""
        folded = getattr(self.body.stack.currentWidget(), "folded", 0)
        self.enlarge.setText(f"+{folded}" if folded else "")
        beside = (
            Qt.ToolButtonStyle.ToolButtonTextBesideIcon
            if folded
            else Qt.ToolButtonStyle.ToolButtonIconOnly
        )
        self.enlarge.setToolButtonStyle(beside)
        more = f", with {counted(folded, 'more column')}" if folded else ""
        describe(self.enlarge, f"Show this figure on the stage{more}")

    def _index(self, pages: list[Page]) -> int:
        """The index of the chosen page; where its title has changed, of the first page of its kind;
        else of the usual page.
        """
        chosen = self.choices.get(self.lane().lane.key)
        if chosen in pages:
            return pages.index(chosen)
        kind = [
            k for k, page in enumerate(pages) if chosen is not None and page.kind == chosen.kind
        ]
        return kind[0] if kind else self._usual()

    def _usual(self) -> int:
        """The index of the first figure that shows the method at work, else of the first that is
        not the table of the examples, else 0.
        """
        problem = self.lane().problem
        own = [k for k, figure in enumerate(self.figures) if not is_examples(figure, problem)]
        telling = [k for k in own if is_telling(self.figures[k])]
        return next((k for k in (*telling, *own)), 0)

    def choose(self, index: int) -> None:
        """Show the figure at `index` and keep it as the choice for the method."""
        self.choices[self.lane().lane.key] = self._pages()[index]
        self.show_figures(self.figures, self.explained)

    def _enlarge(self) -> None:
        self.enlarge_wanted.emit(self._figure)

    def _show_head(self, titles: list[str], index: int) -> None:
        """Show one title as a heading, several as tabs."""
        single = len(titles) == 1
        self.heading.set_text(titles[0])
        self.heading.setVisible(single)
        self.tabs.setVisible(not single)
        if not single:
            self.tabs.show_titles(titles, index, self.lane().lane.key)
