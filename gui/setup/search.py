"""The search (Ctrl+K) for algorithms, data sets, commands, lessons and places of the books."""

import re
from collections.abc import Callable
from functools import partial
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QAction, QFontMetrics, QPainter
from PySide6.QtWidgets import (
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
)

from engine.base.records import Record, replace
from engine.protocol.registry import algorithms
from gui.base.guard import guarded
from gui.base.plain_text import tip
from gui.look import style, theme
from gui.session.session import Session
from gui.setup import known_as
from gui.setup.data_commands import DataCommands
from gui.setup.data_section import TRANSFORMS
from gui.setup.dropdown import DropDown
from gui.setup.picker_field import paint_line
from gui.setup.ranking import rank
from gui.widgets.controls import SearchField

if TYPE_CHECKING:
    from engine.files.books import Place
    from engine.files.openings import Opening

MOST, ROW = 12, 26  # results; pixels of one
EDGES = 44  # pixels of a line that hold no words, or a few more
FIRST = (  # what an empty search lists: names of commands and titles of methods
    "open",
    "Decision tree",
    "Nearest neighbours",
    "Perceptron",
    "Linear regression",
    "k-means",
    "Naive Bayes",
    "Logistic regression",
    "Back-propagation",
    "Random forest",
    "Cross-validation",
    "book",
)
_PLACE = re.compile(
    r"(?P<text>aima|mit|mmds|ml)?\s*"
    r"(?P<kind>fig(?:ure)?\.?|ex(?:ercise|ample)?\.?|eq(?:uation)?\.?|table|theorem|section|§)?\s*"
    r"(?P<number>\d+(?:\.\d+)+)(?P<part>\([a-z]\))?"
)
KIND = Qt.ItemDataRole.UserRole
WHY = Qt.ItemDataRole.UserRole + 1


class Found(Record, eq=True):
    """One line of the results.

    kind: shown at the right, such as “data set” or a shortcut;
    effect: carries the result out;
    key: of a method; why: the reason why that method cannot run on the present data, or "";
    said, family, also: see `rank`; name: of a command.
    """

    text: str
    kind: str
    effect: Callable[[], object]
    key: str = ""
    why: str = ""
    said: str = ""
    family: str = ""
    also: str = ""
    name: str = ""


class Line(QStyledItemDelegate):
    """Paints a result at the left and its kind or shortcut at the right.

    A method that cannot run is grey and shows the reason; so is the line “Nothing is called …”.
    """

    @guarded
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Any) -> None:
        look = theme.current()
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        enabled = bool(option.state & QStyle.StateFlag.State_Enabled)
        over = enabled and bool(option.state & QStyle.StateFlag.State_MouseOver)
        painter.fillRect(
            option.rect, look.colour("sel" if chosen else "hover" if over else "field")
        )
        text, kind, why = (index.data(role) for role in (Qt.ItemDataRole.DisplayRole, KIND, WHY))
        inks = (
            ("sel_ink", "sel_ink") if chosen else ("ink" if enabled and not why else "ink3", "ink3")
        )
        paint_line(painter, option.rect.adjusted(9, 0, -9, 0), text, why or kind, inks, 400)

    @guarded
    def sizeHint(self, option: QStyleOptionViewItem, index: Any) -> QSize:
        return QSize(100, style.scale(theme.current(), ROW))


class SearchBox(SearchField):
    """The search field: type, arrow down, Enter.

    left: emitted when the field loses the keyboard focus.
    """

    left = Signal()

    def __init__(
        self,
        session: Session,
        actions: dict[str, QAction],
        data_commands: DataCommands,
        change: Callable[[str], object],
        open_lesson: Callable[[str], object],
    ) -> None:
        """change: adds a change of columns by its kind, or removes it if it is there
        open_lesson: opens the lesson of a file
        """
        super().__init__("Search algorithms, data sets, commands", "Ctrl+K")
        self.session, self.actions_, self._data_commands, self._change = (
            session,
            actions,
            data_commands,
            change,
        )
        self._open_lesson = open_lesson
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
        """The results for `text`, at most MOST, the best first.

        Every word of `text` must be in the title or begin a word of the description. Exact words of
        titles come first; among equally good matches methods come first, and of these the ones that
        can run. If nothing matches, one letter of a word may differ. A number such as “Fig. 18.2”
        finds places in the books. Empty text finds the entries of FIRST.
        """
        if not text.strip():
            return self._first()
        cited = _PLACE.fullmatch(text.strip().casefold())
        if cited is not None and ((found := self._cited(cited)) or cited["kind"]):
            return found
        known = [
            *self._algorithms(),
            *self._data(),
            *self._commands(),
            *self._changes(),
            *self._lessons(),
            *self._places(),
        ]
        return self._ranked(text, known, slips=False) or self._ranked(text, known, slips=True)

    def _ranked(self, text: str, known: list[Found], *, slips: bool) -> list[Found]:
        ranked = []
        for each in known:
            if (
                fits := rank(text, each.text, each.said, each.family, each.also, slips=slips)
            ) is not None:
                each = replace(each, why=self._why(each.key)) if each.key else each
                ranked.append(((fits.close, not each.key, bool(each.why), fits.kin), each))
        ranked.sort(key=itemgetter(0))
        return [each for _, each in ranked[:MOST]]

    def _first(self) -> list[Found]:
        """The results for FIRST, those that cannot run last."""
        known = {each.name or each.text: each for each in [*self._algorithms(), *self._commands()]}
        found = [known[name] for name in FIRST if name in known]
        judged = [replace(each, why=self._why(each.key)) if each.key else each for each in found]
        return sorted(judged, key=_is_unsuitable)

    def _algorithms(self) -> list[Found]:
        return [
            Found(
                a.title,
                "experiment" if a.is_experiment else "algorithm",
                partial(self._choose, a.key),
                a.key,
                said=" ".join([a.key, *a.source, a.summary]),
                family=a.family,
                also=known_as.METHODS.get(a.title, ""),
            )
            for a in algorithms().values()
        ]

    def _why(self, key: str) -> str:
        """The reason why the method cannot run on the present data; "" if it can."""
        problem = self.session.problem
        return (
            algorithms()[key].needs.reason(problem, sampled=True) or ""
            if problem is not None
            else ""
        )

    def _data(self) -> list[Found]:
        """A result for each table of this window, then for each data set of the lab."""
        return [
            Found(
                entry.title,
                "data set",
                partial(self._data_commands.put, entry.key),
                said=entry.said,
                family=entry.group,
                also=entry.also,
            )
            for entry in self._data_commands.names()
        ]

    def _commands(self) -> list[Found]:
        found = []
        for name, action in self.actions_.items():
            if action.isEnabled():
                title = action.text().replace("&&", "&").partition("\t")[0].rstrip("…")
                key = action.shortcut().toString() or "command"
                also = known_as.COMMANDS.get(name, "")
                found.append(Found(title, key, action.trigger, said=name, also=also, name=name))
        return found

    def _changes(self) -> list[Found]:
        """A result for each change of columns, and one that holds rows out."""
        here = {each.kind for each in self.session.document.transforms}
        changes = [
            Found(
                words,
                "on: take it away" if kind in here else "change of columns",
                partial(self._change, kind),
                said=kind,
                also=known_as.CHANGES[kind],
            )
            for kind, words in TRANSFORMS.items()
        ]
        return [
            *changes,
            Found(
                "Hold rows out to test",
                "command",
                self._data_commands.hold_out,
                also=known_as.TESTING,
            ),
        ]

    def _lessons(self) -> list[Found]:
        """The results for lessons by title, key, topic and source; none until they are read."""
        from engine.lessons import library

        return [
            Found(
                head.title,
                f"lesson {head.key}",
                partial(self._open_lesson, str(head.path)),
                said=f"lesson {head.topic} {head.source}",
                also=head.key,
            )
            for head in (library.shipped() if library.ready() else ())
        ]

    def _places(self) -> list[Found]:
        """The results for places in the books; none until their index is built."""
        from engine.files import books

        return (
            [each for rows in _shown_places() for each in self._openings(*rows)]
            if books.ready()
            else []
        )

    def _openings(self, place: "Place", ways: "tuple[Opening, ...]") -> list[Found]:
        """A result for the first opening of a place; if it has more, one that shows all of them."""
        opened = Found(
            place.citation,
            place.title,
            partial(self._data_commands.open_place, place, ways[0]),
            said=place.title,
        )
        browse = partial(self._data_commands.browse, place.citation)
        more = Found(f"All of {place.citation}", "in my book", browse, said=place.title)
        return [opened, more] if len(ways) > 1 else [opened]

    def _cited(self, wanted: re.Match[str]) -> list[Found]:
        """The results for a number that is typed as a book prints it, at most MOST.

        Only places that have this number count, in all books unless one is named. Sections come
        first. A part such as “(b)” is ignored if no place has it.
        """
        number = tuple(map(int, wanted["number"].split(".")))
        named = [
            row
            for row in _shown_places()
            if _is_meant(row[0], wanted["text"], wanted["kind"], number)
        ]
        of_part = [row for row in named if wanted["part"] and row[0].cite.part == wanted["part"]]
        rows = sorted(of_part or named, key=_is_no_section)
        return [each for row in rows for each in self._openings(*row)][:MOST]

    def _choose(self, key: str) -> None:
        """Choose the method `key`.

        If it cannot run, show why and list the changes of the data after which it can.
        """
        why = self._why(key)
        if not why:
            self.session.choose(key)
            return
        self.session.say(f"{algorithms()[key].title} {why}.", "error")
        if ways := self._data_commands.mends("", key):
            self.setFocus(Qt.FocusReason.OtherFocusReason)
            self._show(
                [
                    Found(way.title, way.group, partial(self._data_commands.put, way.key))
                    for way in ways
                ]
            )

    def refresh(self) -> None:
        if self.hasFocus():
            self._show(self.results(self.text()))

    def _show(self, results: list[Found]) -> None:
        """Show `results` below the field, with the first one selected."""
        self.found = results
        self.list.clear()
        for found in self.found:
            item = QListWidgetItem(found.text)
            item.setData(KIND, found.kind)
            item.setData(WHY, found.why)
            item.setData(
                Qt.ItemDataRole.AccessibleTextRole, f"{found.text}, {found.why or found.kind}"
            )
            item.setToolTip(tip(f"{found.text} {found.why}." if found.why else ""))
            self.list.addItem(item)
        if self.found:
            self.list.setCurrentRow(0)
        else:
            self._say_nothing_fits()
        rows = sum(self.list.sizeHintForRow(k) for k in range(self.list.count()))
        self.popup.drop(self, QPoint(0, self.height() + 2), self.width(), rows + 14)

    def _say_nothing_fits(self) -> None:
        """Add a disabled line that says that nothing was found; too long a text ends in “…”."""
        cited = _PLACE.fullmatch(self.text().strip().casefold())
        said = "Nothing opens at “{}”." if cited is not None else "Nothing is called “{}”."
        metrics = QFontMetrics(theme.current().font("body"))
        room = self.width() - EDGES - metrics.horizontalAdvance(said)
        words = metrics.elidedText(self.text().strip(), Qt.TextElideMode.ElideRight, room)
        item = QListWidgetItem(said.replace("{}", words))
        item.setFlags(Qt.ItemFlag.NoItemFlags)
        item.setData(KIND, "")
        item.setData(WHY, "")
        self.list.addItem(item)

    def run(self, row: int) -> None:
        """Close the list and carry out the result at `row`."""
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


def _is_unsuitable(found: Found) -> bool:
    return bool(found.why)


def _shown_places() -> "list[tuple[Place, tuple[Opening, ...]]]":
    from engine.files.books import in_my_book

    return [row for rows in in_my_book().values() for row in rows]


def _is_meant(place: "Place", text: str | None, kind: str | None, number: tuple[int, ...]) -> bool:
    """Whether the place has this number, in this book and of this kind where these are named.

    Only the first two letters of a kind count: exercises and examples are both called “Ex”.
    """
    cite = place.cite
    if (
        (text and cite.text.casefold() != text)
        or len(cite.low) != len(number)
        or not cite.low <= number <= cite.high
    ):
        return False
    if not kind:
        return True
    begun = "" if kind in ("section", "§") else kind[:2]
    return cite.kind.casefold()[:2] == begun


def _is_no_section(row: "tuple[Place, tuple[Opening, ...]]") -> bool:
    return not row[0].is_section
