"""Figures of the scene beside the plane: one at a time in the dock, two stacked in place of a plane that cannot be."""

from functools import partial
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QSplitter, QStackedLayout, QToolButton, QVBoxLayout, QWidget

from engine.core.scene import Network, Plot, Space, Table, Tree
from gui import style, theme
from gui.figures import FIGURES
from gui.session import Session
from gui.widgets import describe, label

CENTRAL = (Tree, Table)
TELLING = (Tree, Network, Space)
EXTRA = "extra"


def is_telling(figure: Any) -> bool:
    return type(figure) in TELLING or bool(getattr(figure, "beside", False))


class FigureStack(QWidget):
    """Shows one figure; keeps one widget per kind so that scroll and zoom stay between steps."""

    def __init__(self, session: Session, large: bool = False) -> None:
        super().__init__()
        self.session, self.large = session, large
        self.stack = QStackedLayout(self)
        self.widgets: dict[type[Any], Any] = {}
        session.lit_changed.connect(self._light)

    def show_figure(self, figure: Any, path: tuple[int, ...] = ()) -> None:
        widget = self.widgets.get(type(figure))
        if widget is None:
            widget = FIGURES[type(figure)]()
            if hasattr(widget, "hovered"):
                widget.hovered.connect(lambda tag: self.session.light((tag,)))
            if hasattr(widget, "edited"):
                widget.edit_wanted.connect(self.session.player.pause)
                widget.edited.connect(self.session.tweak)
            if hasattr(widget, "set_large"):
                widget.set_large(self.large)
            self.widgets[type(figure)] = widget
            self.stack.addWidget(widget)
        self.stack.setCurrentWidget(widget)
        widget.set_figure(figure)
        if hasattr(widget, "set_path"):
            widget.set_path(path)
        if hasattr(widget, "set_editable"):
            widget.set_editable(self.session.going_on.tweakable)

    def show_widget(self, widget: QWidget) -> None:
        """Something that is no figure of the scene."""
        if self.stack.indexOf(widget) < 0:
            self.stack.addWidget(widget)
        self.stack.setCurrentWidget(widget)

    def _light(self) -> None:
        widget = self.stack.currentWidget()
        if widget is not None and hasattr(widget, "set_lit"):
            widget.set_lit(self.session.lit)


class FigurePanel(QWidget):
    """In the right dock: a heading to choose among the scene's figures (and one extra page), and the chosen one."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self.chosen = ""  # kind of figure
        self.title = ""  # which one of several of this kind
        self.figures: tuple[Any, ...] = ()
        self.path: tuple[int, ...] = ()
        self.extra: tuple[str, QWidget] | None = None
        self.head = QHBoxLayout()
        self.head.setSpacing(2)
        self.heading = label("", "heading")
        self.tabs: list[QToolButton] = []
        self.head.addWidget(self.heading)
        self.head.addStretch(1)
        self.body = FigureStack(session)
        column = QVBoxLayout(self)
        column.setContentsMargins(theme.PAD_X, theme.PAD_Y, theme.PAD_X, theme.PAD_Y)
        column.setSpacing(theme.GAP)
        column.addLayout(self.head)
        column.addWidget(self.body, 1)
        self._shown: object = None

    def pages(self) -> list[tuple[str, str]]:
        """(kind, title) of everything that can be shown now."""
        extra = [(EXTRA, self.extra[0])] if self.extra is not None else []
        return [*extra, *((type(figure).__name__, figure.title) for figure in self.figures)]

    def show_figures(self, figures: tuple[Any, ...], path: tuple[int, ...] = ()) -> None:
        """Offer these; the figure chosen before stays chosen. The picture of the method comes first when nothing was
        chosen."""
        self.figures, self.path = figures, path
        pages = self.pages()
        self.setVisible(bool(pages))
        if not pages:
            return
        kinds = [kind for kind, _ in pages]
        index = kinds.index(self.chosen) if self.chosen in kinds else self._usual()
        if (self.chosen, self.title) in pages:
            index = pages.index((self.chosen, self.title))
        if (pages, index) != self._shown:
            self._shown = (pages, index)
            self._show_head([title for _, title in pages], index)
        if kinds[index] == EXTRA and self.extra is not None:
            self.body.show_widget(self.extra[1])
        else:
            self.body.show_figure(figures[index - (self.extra is not None)], path)

    @property
    def telling(self) -> bool:
        """Whether one of the figures is the picture of the method."""
        return any(map(is_telling, self.figures))

    def _usual(self) -> int:
        """The page of the first such figure, else the first page."""
        before = len(self.pages()) - len(self.figures)
        return next((before + k for k, figure in enumerate(self.figures) if is_telling(figure)), 0)

    def choose(self, index: int) -> None:
        self.chosen, self.title = self.pages()[index]
        self.show_figures(self.figures, self.path)

    def _show_head(self, titles: list[str], index: int) -> None:
        """One title as a heading, several as tabs. Tabs are kept: the sheet takes its time to dress a new one."""
        self.heading.setText(titles[0])
        self.heading.setVisible(len(titles) == 1 and self.extra is None)
        titles = titles if len(titles) > 1 else []
        while len(self.tabs) < len(titles):
            self._add_tab()
        for k, tab in enumerate(self.tabs):
            if k < len(titles) and tab.text() != titles[k]:
                tab.setText(titles[k])
                describe(tab, f"Show {titles[k]}")
            tab.setChecked(k == index)
            tab.setVisible(k < len(titles))

    def _add_tab(self) -> None:
        tab = QToolButton()
        tab.setCheckable(True)
        style.mark(tab, "tab")
        tab.clicked.connect(partial(self.choose, len(self.tabs)))
        self.head.insertWidget(1 + len(self.tabs), tab)
        self.tabs.append(tab)


class CentralFigures(QSplitter):
    """What stands in the middle when no two columns are numbers: tree above table, a map below its
    table, or the first figures there are."""

    def __init__(self, session: Session) -> None:
        super().__init__(Qt.Orientation.Vertical)
        self.setChildrenCollapsible(False)
        self.parts = [FigureStack(session), FigureStack(session)]
        for part in self.parts:
            self.addWidget(part)
        self.setSizes([300, 290])

    def show_figures(self, figures: tuple[Any, ...], path: tuple[int, ...] = ()) -> tuple[Any, ...]:
        """Shows up to two and returns the rest."""
        wanted = [f for kind in CENTRAL for f in figures if type(f) is kind]
        wanted = [*wanted, *(f for f in figures if type(f) is Plot and f.beside)] or list(figures)
        shown = wanted[:2]
        for k, part in enumerate(self.parts):
            part.setVisible(k < len(shown))
            if k < len(shown):
                part.show_figure(shown[k], path)
        return tuple(f for f in figures if not any(f is s for s in shown))
