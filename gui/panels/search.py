"""One search for every algorithm, data set, command and place of the texts (Ctrl+K)."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from PySide6.QtCore import QEvent, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QAction, QFontMetrics, QPainter
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from engine.core.records import dataclass
from engine.core.registry import algorithms
from gui.look import style, theme
from gui.panels.chosen import paint_line
from gui.panels.dropdown import DropDown
from gui.panels.finding import rank
from gui.panels.taking import Taking
from gui.session.session import Session
from gui.widgets.controls import SearchField
from gui.widgets.guard import guarded
from gui.widgets.plain_text import tip

MOST, ROW = 12, 26  # results; pixels of one
EDGES = 44  # pixels between the ends of the field and the words of a line, or more
KIND, WHY = Qt.ItemDataRole.UserRole, Qt.ItemDataRole.UserRole + 1


@dataclass(frozen=True)
class Found:
    """One line of the results. key: of a method; why: what keeps it from the present data."""

    text: str
    kind: str
    effect: Callable[[], object]
    key: str = ""
    why: str = ""


class Line(QStyledItemDelegate):
    """What was found at the left, of what kind it is or its key at the right; a method that cannot run is grey, with the
    reason, and so is the sentence that nothing was found."""

    @guarded
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Any) -> None:
        look = theme.current()
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        enabled = bool(option.state & QStyle.StateFlag.State_Enabled)
        over = enabled and bool(option.state & QStyle.StateFlag.State_MouseOver)
        painter.fillRect(option.rect, look.colour("sel" if chosen else "hover" if over else "field"))
        text, kind, why = (index.data(role) for role in (Qt.ItemDataRole.DisplayRole, KIND, WHY))
        inks = ("sel_ink", "sel_ink") if chosen else ("ink" if enabled and not why else "ink3", "ink3")
        paint_line(painter, option.rect.adjusted(9, 0, -9, 0), text, why or kind, inks, 400)

    @guarded
    def sizeHint(self, option: QStyleOptionViewItem, index: Any) -> QSize:
        return QSize(100, style.scale(theme.current(), ROW))


class SearchBox(SearchField):
    """Type, arrow down, Enter. left: it is no longer written in."""

    left = Signal()

    def __init__(self, session: Session, actions: dict[str, QAction], taking: Taking) -> None:
        super().__init__("Search algorithms, data sets, commands", "Ctrl+K")
        self.session, self.actions_, self._taking = session, actions, taking
        self.found: list[Found] = []
        self.popup = DropDown(self)
        self.list = QListWidget()
        style.mark(self.list, "flat")
        self.list.setItemDelegate(Line(self.list))
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setAccessibleName("Results")
        self.list.itemClicked.connect(lambda item: self.run(self.list.row(item)))
        self.popup.column.addWidget(self.list)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.textChanged.connect(self.refresh)
        self.moved.connect(self._move)
        self.chosen.connect(lambda: self.run(max(0, self.list.currentRow())))

    def begin(self) -> None:
        self.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.selectAll()
        self.refresh()

    def results(self, text: str) -> list[Found]:
        """What fits every word of `text`, by its title or by the beginning of a word of its description; exact words of
        titles first, of what fits alike the methods, of these the ones that can run."""
        ranked = []
        for each, said, family in [*self._algorithms(), *self._data(), *self._commands(), *self._places()]:
            if (fits := rank(text, each.text, said, family)) is not None:
                each = replace(each, why=self._why(each.key)) if each.key else each
                ranked.append(((fits.close, each.kind != "algorithm", bool(each.why), fits.kin), each))
        ranked.sort(key=lambda pair: pair[0])
        return [each for _, each in ranked[:MOST]]

    def _algorithms(self) -> list[tuple[Found, str, str]]:
        return [
            (
                Found(a.title, "algorithm", partial(self._choose, a.key), a.key),
                " ".join([a.key, *a.source, a.summary]),
                a.family,
            )
            for a in algorithms().values()
        ]

    def _why(self, key: str) -> str:
        """What keeps the method from the present data, "" when it can run."""
        problem = self.session.problem
        return algorithms()[key].needs.reason(problem, sampled=True) or "" if problem is not None else ""

    def _data(self) -> list[tuple[Found, str, str]]:
        """The tables of this window, then those of the lab."""
        return [
            (Found(entry.title, "data set", partial(self._taking.put, entry.key)), entry.said, entry.group)
            for entry in self._taking.names()
        ]

    def _commands(self) -> list[tuple[Found, str, str]]:
        return [
            (Found(a.text().replace("&&", "&").partition("\t")[0].rstrip("…"), a.shortcut().toString() or "command", a.trigger), name, "")
            for name, a in self.actions_.items() if a.isEnabled()
        ]  # fmt: skip

    def _places(self) -> list[tuple[Found, str, str]]:
        """Of the texts, once it is known what opens them."""
        from engine.files import books

        places = [place for rows in books.in_my_book().values() for place, _ in rows] if books.ready() else []
        return [(Found(p.called, p.title, partial(self._taking.browse, p.called)), p.title, "") for p in places]

    def _choose(self, key: str) -> None:
        """A method; one that cannot run says why, and the changes of the data that the pickers offer then are the results."""
        why = self._why(key)
        if not why:
            self.session.choose(key)
            return
        self.session.say(f"{algorithms()[key].title} {why}.", "error")
        if ways := self._taking.mends("", key):
            self.setFocus(Qt.FocusReason.OtherFocusReason)
            self._show([Found(way.title, way.group, partial(self._taking.put, way.key)) for way in ways])

    def refresh(self) -> None:
        if self.hasFocus():
            self._show(self.results(self.text()))

    def _show(self, results: list[Found]) -> None:
        """The results below the field."""
        self.found = results
        self.list.clear()
        for found in self.found:
            item = QListWidgetItem(found.text)
            item.setData(KIND, found.kind)
            item.setData(WHY, found.why)
            item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{found.text}, {found.why or found.kind}")
            item.setToolTip(tip(f"{found.text} {found.why}." if found.why else ""))
            self.list.addItem(item)
        if self.found:
            self.list.setCurrentRow(0)
        else:
            self._say_nothing_fits()
        rows = sum(self.list.sizeHintForRow(k) for k in range(self.list.count()))
        self.popup.drop(self, QPoint(0, self.height() + 2), self.width(), rows + 14)

    def _say_nothing_fits(self) -> None:
        """One line that cannot be chosen; a text too long for it ends in “…”."""
        metrics, said = QFontMetrics(theme.current().font("body")), "Nothing is called “{}”."
        room = self.width() - EDGES - metrics.horizontalAdvance(said)
        words = metrics.elidedText(self.text().strip(), Qt.TextElideMode.ElideRight, room)
        item = QListWidgetItem(said.replace("{}", words))
        item.setFlags(Qt.ItemFlag.NoItemFlags)
        item.setData(KIND, "")
        item.setData(WHY, "")
        self.list.addItem(item)

    def run(self, row: int) -> None:
        """Carry out a result."""
        if 0 <= row < len(self.found):
            effect = self.found[row].effect
            self.clear()
            self.clearFocus()
            self.popup.hide()
            effect()

    def _move(self, way: int) -> None:
        if self.found:
            self.list.setCurrentRow((self.list.currentRow() + way) % len(self.found))

    @guarded
    def focusOutEvent(self, event: Any) -> None:
        super().focusOutEvent(event)
        self.popup.hide()
        self.left.emit()

    @guarded
    def keyPressEvent(self, event: Any) -> None:
        if event.key() == Qt.Key.Key_Escape and not self.text():
            self.clearFocus()
            self.popup.hide()
            return
        super().keyPressEvent(event)

    @guarded
    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.FocusIn:
            self.refresh()
        return bool(super().event(event))
