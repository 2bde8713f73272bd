"""A field that shows the choice in force, with a drop-down list that has a search and groups.

Entries that do not suit stand last, grey, with the reason. Choosing one lists what suits it.
"""

from collections.abc import Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

from PySide6.QtCore import QModelIndex, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QPainter, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QListView,
    QScrollArea,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from gui.base.guard import guarded
from gui.base.plain_text import tip
from gui.look import style, theme
from gui.setup.dropdown import EDGE, DropDown
from gui.setup.picker_field import (
    INDENT,
    LEFT_MIDDLE,
    RIGHT_MIDDLE,
    TO_NOTE,
    PickerField,
    paint_line,
)
from gui.setup.ranking import rank
from gui.widgets.controls import SearchField, describe
from gui.widgets.sentence import label

KEY, NOTE, WHY = (Qt.ItemDataRole.UserRole + k for k in range(3))
# pixels: height of an entry, height of a heading, least and greatest width of the list
ROW, HEADING, LEAST, WIDEST = 22, 25, 236, 360
LOW = 240  # pixels: with less room than this the list may cover the timeline
PAGES = {Qt.Key.Key_PageDown: 10, Qt.Key.Key_PageUp: -10}


class Entry(NamedTuple):
    """One entry of the list.

    note: its size or source;
    why: "" if it suits, otherwise the reason against it, a sentence without its subject;
    fact: that reason in a few words;
    about: the tool tip;
    said: further text that the search reads beside title and group;
    also: other names, separated by commas.
    """

    key: str
    title: str
    group: str
    note: str = ""
    why: str = ""
    fact: str = ""
    about: str = ""
    said: str = ""
    also: str = ""

    @property
    def shown(self) -> str:
        """The text at the right of the title: the fact, else why it does not suit, else the
        note.
        """
        return self.fact or self.why or self.note


class Row(QStyledItemDelegate):
    """Paints an entry, or the heading of a group with the number of its entries."""

    @guarded
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Any) -> None:
        look = theme.current()
        rect = option.rect.adjusted(INDENT, 0, -INDENT, 0)
        title, note = index.data(Qt.ItemDataRole.DisplayRole), index.data(NOTE)
        if index.data(KEY) is None:
            painter.setFont(look.font("caption", weight=600))
            painter.setPen(look.colour("ink3"))
            painter.drawText(rect.adjusted(0, 4, 0, 0), LEFT_MIDDLE, title)
            painter.drawText(rect.adjusted(0, 4, 0, 0), RIGHT_MIDDLE, note)
            return
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        over = bool(option.state & QStyle.StateFlag.State_MouseOver)
        painter.fillRect(
            option.rect, look.colour("sel" if selected else "hover" if over else "field")
        )
        inks = (
            ("sel_ink", "sel_ink") if selected else ("ink3" if index.data(WHY) else "ink", "ink3")
        )
        paint_line(painter, rect, title, note, inks, 600 if selected else 400)

    @guarded
    def sizeHint(self, option: QStyleOptionViewItem, index: Any) -> QSize:
        return QSize(100, style.scale(theme.current(), HEADING if index.data(KEY) is None else ROW))


class Field(SearchField):
    """The search field above the list.

    left: emitted when it loses the keyboard focus, unless to the field that opens and closes the
    list; back: emitted on Esc when it is empty.
    """

    left = Signal()
    back = Signal()

    def __init__(self, popup: DropDown) -> None:
        super().__init__("Search")
        self.popup = popup
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)

    @guarded
    def focusOutEvent(self, event: Any) -> None:
        super().focusOutEvent(event)
        if QApplication.focusWidget() is not self.popup.field:
            self.left.emit()

    @guarded
    def keyPressEvent(self, event: Any) -> None:
        if event.key() == Qt.Key.Key_Escape and not self.text():
            self.back.emit()
        elif event.key() in PAGES:
            self.moved.emit(PAGES[event.key()])
        else:
            super().keyPressEvent(event)


class Picker(QWidget):
    """A closed field and its list; subclasses supply the entries and say what a choice does.

    refused(sentence): an unsuitable entry was chosen, and nothing suits it.
    """

    refused = Signal(str)

    def __init__(self, what: str) -> None:
        """what: the kind of thing to choose, such as 'Algorithm'."""
        super().__init__()
        self.what = what
        self.field = PickerField(what)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.field)
        self.popup = DropDown(self)
        self.popup.column.setContentsMargins(7, 7, 7, 7)
        self.search = Field(self.popup)
        self.sentence = label("", "muted")
        self.sentence.setWordWrap(True)
        self.list = QListView()
        self.model = QStandardItemModel(self.list)
        self._unsuitable: Entry | None = None  # the entry whose ways to suit the data are listed
        self._entries: list[Entry] = []
        self._build_list()
        for part, room in ((self.search, 0), (self.sentence, 0), (self.list, 1)):
            self.popup.column.addWidget(part, room)
        self.field.clicked.connect(
            lambda *_: self.fold() if self.popup.isVisible() else self.open()
        )
        self.search.textChanged.connect(lambda _: self._list())
        self.search.moved.connect(self._move)
        self.search.chosen.connect(lambda: self._pick(self.list.currentIndex()))
        self.search.left.connect(self.popup.hide)
        self.search.back.connect(self._back)
        self.list.clicked.connect(self._pick)

    # -- for a kind of thing -----------------------------------------------------------------------

    def entries(self) -> list[Entry]:
        """All entries, group by group, the unsuitable ones last."""
        raise NotImplementedError

    def here(self) -> str:
        """The key of the present entry."""
        raise NotImplementedError

    def take(self, key: str) -> None:
        """Use the suitable entry `key`."""
        raise NotImplementedError

    def ways(self, entry: Entry) -> tuple[str, list[Entry]]:
        """(sentence, entries) for an unsuitable entry: why it does not suit, and what suits it."""
        raise NotImplementedError

    def take_way(self, key: str, way: str) -> None:
        """Use the unsuitable entry `key` together with `way`, a key from `ways`."""
        raise NotImplementedError

    # -- open and closed ---------------------------------------------------------------------------

    def _build_list(self) -> None:
        self.list.setModel(self.model)
        self.list.setItemDelegate(Row(self.list))
        self.list.setMouseTracking(True)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the search has the focus
        self.list.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        describe(self.list, f"{self.what}s")
        self.list.setToolTip("")
        style.mark(self.list, "flat")
        style.mark(self.list.verticalScrollBar(), "slim")

    @guarded
    def hideEvent(self, event: Any) -> None:
        super().hideEvent(event)
        self.popup.hide()

    def open(self) -> None:
        """Open the list with the keyboard focus in its search."""
        self._unsuitable = None
        self.search.clear()
        self.refresh()
        self._drop()
        self.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.list.scrollToTop()  # suitable entries are there; the field names the one in force

    def fold(self) -> None:
        """Close the list and take the keyboard focus from its search."""
        self.search.clearFocus()
        self.popup.hide()

    def _back(self) -> None:
        """Return from the ways of an unsuitable entry to the whole list, or close that."""
        if self._unsuitable is None:
            self.fold()
        else:
            self._unsuitable = None
            self.refresh()

    def _drop(self) -> None:
        """Show the list below the field.

        It ends where the scroll area around the field ends if that leaves room enough, otherwise
        where the window ends.
        """
        look = theme.current()
        margins = self.popup.column.contentsMargins()
        widest = max((self._wide(entry) for entry in self._entries), default=0)
        width = min(
            max(style.scale(look, LEAST), self.field.width() + 16, widest),
            style.scale(look, WIDEST),
        )
        rows = sum(self.list.sizeHintForRow(k) for k in range(self.model.rowCount()))
        above = [self.search.sizeHint().height()]
        if self._unsuitable is not None:
            above.append(self.sentence.heightForWidth(width - 2 * margins.left()))
        height = (
            rows + sum(above) + len(above) * self.popup.column.spacing() + 2 * margins.top() + 6
        )
        place = QPoint(-8, self.field.height() + 4)
        window = self.window()
        floor = window.height() - EDGE
        area = self.parentWidget()
        while area is not None and not isinstance(area, QScrollArea):
            area = area.parentWidget()
        if area is not None:
            end = area.mapTo(window, area.rect().bottomLeft()).y() - EDGE
            room = end - self.field.mapTo(window, place).y()
            floor = end if room >= min(height, style.scale(look, LOW)) else floor
        self.popup.drop(self.field, place, width, height, floor)

    def _wide(self, entry: Entry) -> int:
        """The width in pixels at which neither the entry nor its group's heading is cut."""
        look = theme.current()
        title = QFontMetrics(look.font("body", weight=600)).horizontalAdvance(entry.title)
        note = QFontMetrics(look.font("caption")).horizontalAdvance(entry.shown)
        group = QFontMetrics(look.font("caption", weight=600)).horizontalAdvance(
            f"{entry.group}   999"
        )
        edges = 2 * INDENT + 2 * self.popup.column.contentsMargins().left() + style.scale(look, 10)
        return max(title + TO_NOTE + note, group) + edges

    # -- what is listed ----------------------------------------------------------------------------

    def listed(self) -> list[str]:
        """The keys of the listed entries, from top to bottom."""
        return [
            key
            for k in range(self.model.rowCount())
            if (key := self.model.item(k).data(KEY)) is not None
        ]

    def refresh(self) -> None:
        """Read the entries again and list those that match the search."""
        sentence = ""
        if self._unsuitable is None:
            self._entries = self.entries()
            words = f"Search {len(self._entries)} {self.what.lower()}s"
        else:
            sentence, self._entries = self.ways(self._unsuitable)
            words = "Search what suits it"
        self.sentence.setText(sentence)
        self.sentence.setVisible(bool(sentence))
        self.search.setPlaceholderText(words)
        self._list()

    def _list(self) -> None:
        """List the entries that match the search, the closest first.

        Select the first one, or without search text the one in force.
        """
        wanted = self.search.text()
        rows = _sorted(wanted, self._entries) if wanted.strip() else self._entries
        self.model.clear()
        for group, found in groupby(rows, lambda entry: entry.group):
            self._add(group, list(found))
        keys = [self.model.item(k).data(KEY) for k in range(self.model.rowCount())]
        first = next((k for k, key in enumerate(keys) if key is not None), -1)
        here = (
            keys.index(self.here())
            if not wanted.strip() and self._unsuitable is None and self.here() in keys
            else first
        )
        at = here if wanted.strip() or self._unsuitable is not None or self.here() in keys else -1
        self.list.setCurrentIndex(self.model.index(at, 0) if at >= 0 else QModelIndex())
        if wanted.strip():
            self.list.scrollToTop()

    def _add(self, group: str, entries: Sequence[Entry]) -> None:
        heading = QStandardItem(group)
        heading.setFlags(Qt.ItemFlag.NoItemFlags)
        heading.setData(f"{len(entries):,}", NOTE)
        self.model.appendRow(heading)
        for entry in entries:
            item = QStandardItem(entry.title)
            for role, value in ((KEY, entry.key), (NOTE, entry.shown), (WHY, entry.why)):
                item.setData(value, role)
            item.setData(
                ", ".join(filter(None, (entry.title, entry.why or entry.note))),
                Qt.ItemDataRole.AccessibleTextRole,
            )
            item.setToolTip(tip(self.sentence_of(entry) if entry.why else entry.about))
            self.model.appendRow(item)

    def sentence_of(self, entry: Entry) -> str:
        """The sentence that says why an entry does not suit."""
        return f"{entry.title} {entry.why}."

    # -- choosing ----------------------------------------------------------------------------------

    def _move(self, way: int) -> None:
        rows = [k for k in range(self.model.rowCount()) if self.model.item(k).data(KEY) is not None]
        if rows:
            here = self.list.currentIndex().row()
            place = rows.index(here) + way if here in rows else 0
            place = place % len(rows) if abs(way) == 1 else max(0, min(place, len(rows) - 1))
            self.list.setCurrentIndex(self.model.index(rows[place], 0))

    def _pick(self, index: QModelIndex) -> None:
        entry = next(
            (e for e in self._entries if index.isValid() and e.key == index.data(KEY)), None
        )
        if entry is None:
            return
        if entry.why and self._unsuitable is None:
            self._ask(entry)
            return
        unsuitable = self._unsuitable
        self.fold()
        if unsuitable is None:
            self.take(entry.key)
        else:
            self.take_way(unsuitable.key, entry.key)

    def _ask(self, entry: Entry) -> None:
        """List what suits an unsuitable entry; emit `refused` if nothing does."""
        if not self.ways(entry)[1]:
            self.fold()
            self.refused.emit(self.sentence_of(entry))
            return
        self._unsuitable = entry
        self.search.clear()
        self.refresh()
        self._drop()


def _sorted(wanted: str, entries: Sequence[Entry]) -> list[Entry]:
    """The matching entries, group by group; the group of the closest entry comes first.

    If none matches, one letter of a word may differ.
    """
    ranked = _ranked(wanted, entries, slips=False) or _ranked(wanted, entries, slips=True)
    groups = list(dict.fromkeys(entry.group for entry in ranked))
    return sorted(ranked, key=lambda entry: groups.index(entry.group))


def _ranked(wanted: str, entries: Sequence[Entry], *, slips: bool) -> list[Entry]:
    ranked = []
    for entry in entries:
        found = rank(wanted, entry.title, entry.said, entry.group, entry.also, slips=slips)
        if found is not None:
            ranked.append(((found.close, bool(entry.why), found.kin), entry))
    ranked.sort(key=itemgetter(0))
    return [entry for _, entry in ranked]
