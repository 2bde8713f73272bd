"""Figures of the scene beside the plane: one at a time in the dock, two stacked in place of a plane that cannot be."""

from functools import partial
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QSplitter, QStackedLayout, QToolButton, QVBoxLayout, QWidget

from engine.core.scene import Table, Tree
from gui import style, theme
from gui.figures import FIGURES
from gui.session import Session
from gui.widgets import describe, label

CENTRAL = (Tree, Table)
EXTRA = "extra"


class FigureStack(QWidget):
    """Shows one figure; keeps one widget per kind so that scroll and zoom stay between steps."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self.stack = QStackedLayout(self)
        self.widgets: dict[type[Any], Any] = {}
        session.lit_changed.connect(self._light)

    def show_figure(self, figure: Any, path: tuple[int, ...] = ()) -> None:
        widget = self.widgets.get(type(figure))
        if widget is None:
            widget = FIGURES[type(figure)]()
            if hasattr(widget, "hovered"):
                widget.hovered.connect(lambda tag: self.session.light((tag,)))
            self.widgets[type(figure)] = widget
            self.stack.addWidget(widget)
        self.stack.setCurrentWidget(widget)
        widget.set_figure(figure)
        if hasattr(widget, "set_path"):
            widget.set_path(path)

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
        self.chosen = ""
        self.figures: tuple[Any, ...] = ()
        self.path: tuple[int, ...] = ()
        self.extra: tuple[str, QWidget] | None = None
        self.head = QHBoxLayout()
        self.head.setSpacing(2)
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
        """Offer these; the kind chosen before stays chosen. A tree comes first when nothing was chosen."""
        self.figures, self.path = figures, path
        pages = self.pages()
        self.setVisible(bool(pages))
        if not pages:
            return
        kinds = [kind for kind, _ in pages]
        usual = kinds.index("Tree") if "Tree" in kinds else 0
        index = kinds.index(self.chosen) if self.chosen in kinds else usual
        if (pages, index) != self._shown:
            self._shown = (pages, index)
            self._rebuild_head([title for _, title in pages], index)
        if kinds[index] == EXTRA and self.extra is not None:
            self.body.show_widget(self.extra[1])
        else:
            self.body.show_figure(figures[index - (self.extra is not None)], path)

    def choose(self, index: int) -> None:
        self.chosen = self.pages()[index][0]
        self.show_figures(self.figures, self.path)

    def _rebuild_head(self, titles: list[str], index: int) -> None:
        while self.head.count():
            item = self.head.takeAt(0)
            if item.widget() is not None:
                item.widget().deleteLater()
        if len(titles) == 1 and self.extra is None:
            self.head.addWidget(label(titles[0], "heading"))
        for k, title in enumerate(titles if len(titles) > 1 else ()):
            button = QToolButton()
            button.setText(title)
            button.setCheckable(True)
            button.setChecked(k == index)
            style.mark(button, "tab")
            describe(button, f"Show {title}")
            button.clicked.connect(partial(self.choose, k))
            self.head.addWidget(button)
        self.head.addStretch(1)


class CentralFigures(QSplitter):
    """What stands in the middle when no two columns are numbers: tree above table, or the first figures there are."""

    def __init__(self, session: Session) -> None:
        super().__init__(Qt.Orientation.Vertical)
        self.setChildrenCollapsible(False)
        self.parts = [FigureStack(session), FigureStack(session)]
        for part in self.parts:
            self.addWidget(part)
        self.setSizes([300, 290])

    def show_figures(self, figures: tuple[Any, ...], path: tuple[int, ...] = ()) -> tuple[Any, ...]:
        """Shows up to two and returns the rest."""
        wanted = [f for kind in CENTRAL for f in figures if type(f) is kind] or list(figures)
        shown = wanted[:2]
        for k, part in enumerate(self.parts):
            part.setVisible(k < len(shown))
            if k < len(shown):
                part.show_figure(shown[k], path)
        return tuple(f for f in figures if not any(f is s for s in shown))
