"""Choosing an algorithm: one line that says which, and a tall list with search, families and sources that drops from it."""

from typing import Any, NamedTuple

from PySide6.QtCore import QModelIndex, QPoint, QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QPainter, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListView,
    QPushButton,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from engine.core.registry import algorithms, broken, loaded
from gui.look import icons, style, theme
from gui.panels.dropdown import DropDown
from gui.session.session import Session
from gui.widgets.controls import SearchField, describe
from gui.widgets.plain_text import tip

KEY, SOURCE, WHY = (Qt.ItemDataRole.UserRole + k for k in range(3))
WIDTH, ROW, FAMILY = 392, 26, 27  # of the list, of an algorithm in it, of a family's name
LATER_MS = 100
TOO_FEW = 8  # letters of a source that is cut: they say nothing
BROKEN = "Cannot be loaded"
LEFT_MIDDLE, RIGHT_MIDDLE = (
    side | Qt.AlignmentFlag.AlignVCenter for side in (Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignRight)
)


class Entry(NamedTuple):
    """An algorithm in the list: why is what speaks against it, or empty."""

    key: str
    title: str
    family: str
    source: str
    summary: str
    why: str
    words: str  # what the search reads


def paint_line(painter: QPainter, rect: QRect, title: str, source: str, inks: tuple[str, str], weight: int) -> None:
    """Title at the left; as much of the source, or of the reason against it, as has room at the right."""
    look, elide = theme.current(), Qt.TextElideMode.ElideRight
    painter.setFont(look.font("body", weight=weight))
    painter.setPen(look.colour(inks[0]))
    metrics = painter.fontMetrics()
    painter.drawText(rect, LEFT_MIDDLE, metrics.elidedText(title, elide, rect.width()))
    room = rect.adjusted(metrics.horizontalAdvance(title) + 12, 0, 0, 0)
    painter.setFont(look.font("caption"))
    painter.setPen(look.colour(inks[1]))
    text = painter.fontMetrics().elidedText(source, elide, max(0, room.width()))
    if text == source or len(text) > TOO_FEW:
        painter.drawText(room, RIGHT_MIDDLE, text)


class Row(QStyledItemDelegate):
    """An algorithm, or the name of a family."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Any) -> None:
        look, rect = theme.current(), option.rect
        if index.data(KEY) is None:
            painter.setFont(look.font("caption", weight=600))
            painter.setPen(look.colour("ink3"))
            painter.drawText(rect.adjusted(9, 5, -8, 0), LEFT_MIDDLE, index.data(Qt.ItemDataRole.DisplayRole))
            return
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        over = bool(option.state & QStyle.StateFlag.State_MouseOver)
        painter.fillRect(rect, look.colour("sel" if chosen else "hover" if over else "field"))
        why = index.data(WHY)
        inks = ("sel_ink", "sel_ink") if chosen else ("ink3" if why else "ink", "ink3")
        title = index.data(Qt.ItemDataRole.DisplayRole)
        paint_line(painter, rect.adjusted(9, 0, -8, 0), title, why or index.data(SOURCE), inks, 600 if chosen else 400)

    def sizeHint(self, option: QStyleOptionViewItem, index: Any) -> QSize:
        return QSize(100, style.scale(theme.current(), FAMILY if index.data(KEY) is None else ROW))


class Chosen(QPushButton):
    """The algorithm in force and its source, as a drop-down that is closed."""

    def __init__(self) -> None:
        super().__init__()
        self.title, self.source = "", ""
        self.setSizePolicy(self.sizePolicy().horizontalPolicy().Ignored, self.sizePolicy().verticalPolicy())

    def show_choice(self, title: str, source: str) -> None:
        self.title, self.source = title, source
        describe(self, f"Algorithm: {title}", f"{title}, {source}\nChoose another algorithm")
        self.update()

    def keyPressEvent(self, event: Any) -> None:
        if event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: Any) -> None:
        super().paintEvent(event)
        painter, look = QPainter(self), theme.current()
        down = self.isDown()
        side = style.scale(look, icons.SMALL)
        chevron = icons.pixmap("chevron-down", "sel_ink" if down else "ink2", side, self.devicePixelRatioF())
        right = self.width() - side - 6
        painter.drawPixmap(right, (self.height() - side) // 2, chevron)
        inks = ("sel_ink", "sel_ink") if down else ("ink", "ink3")
        paint_line(painter, QRect(9, 0, right - 15, self.height()), self.title, self.source, inks, 600)


class Field(SearchField):
    """The list's search; the list goes when the keyboard does."""

    left = Signal()

    def __init__(self, popup: QWidget) -> None:
        super().__init__("Search by name, family or source")
        self.popup = popup
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)

    def focusOutEvent(self, event: Any) -> None:
        super().focusOutEvent(event)
        self.left.emit()

    def keyPressEvent(self, event: Any) -> None:
        if event.key() == Qt.Key.Key_Escape and not self.text():
            self.clearFocus()
        else:
            super().keyPressEvent(event)


class AlgorithmPicker(QWidget):
    """`picked(key)` when the person chooses one that the data allow; `refused(sentence)` otherwise."""

    picked = Signal(str)
    refused = Signal(str)

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self.chosen = Chosen()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.chosen)
        self.popup = DropDown(self)
        self.search = Field(self.popup)
        self.list = QListView()
        self.model = QStandardItemModel(self.list)
        self._build_list()
        self.popup.column.addWidget(self.search)
        self.popup.column.addWidget(self.list, 1)
        self.chosen.clicked.connect(lambda *_: self.open())
        self.search.textChanged.connect(self.refresh)
        self.search.moved.connect(self._move)
        self.search.chosen.connect(lambda: self._pick(self.list.currentIndex()))
        self.search.left.connect(self.popup.hide)
        self.list.clicked.connect(self._pick)
        session.run_changed.connect(self._on_run)
        self._later = QTimer(self, singleShot=True, interval=LATER_MS)
        self._later.timeout.connect(self._load)
        self.refresh()

    def _build_list(self) -> None:
        self.list.setModel(self.model)
        self.list.setItemDelegate(Row(self.list))
        self.list.setMouseTracking(True)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the search has the keys
        self.list.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        describe(self.list, "Algorithms")
        self.list.setToolTip("")
        style.mark(self.list, "flat")

    def showEvent(self, event: Any) -> None:
        super().showEvent(event)
        if not loaded():
            self._later.start()

    def hideEvent(self, event: Any) -> None:
        super().hideEvent(event)
        self.popup.hide()

    def _load(self) -> None:
        """The first window stands before every algorithm is imported."""
        algorithms()
        self.refresh()

    def _on_run(self) -> None:
        """Whether the data suit each of them is asked when the list is open: a point that is dragged changes the data at
        every move."""
        if self.popup.isVisible():
            self.refresh()
        else:
            self._show_choice()

    def _show_choice(self) -> None:
        self.chosen.show_choice(self.session.algorithm.title, _source(self.session.algorithm))

    def open(self) -> None:
        """Drop the list, with the keyboard in its search."""
        self._load()
        self.search.clear()
        look = theme.current()
        rows = sum(self.list.sizeHintForRow(k) for k in range(self.model.rowCount()))
        margins = self.popup.column.contentsMargins()
        height = rows + self.search.sizeHint().height() + self.popup.column.spacing() + margins.top() * 2 + 6
        place = QPoint(-margins.left(), -margins.top())
        self.popup.drop(self.chosen, place, max(self.width(), style.scale(look, WIDTH)), height)
        self.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.list.scrollTo(self.list.currentIndex(), QAbstractItemView.ScrollHint.PositionAtCenter)

    def keys(self) -> list[str]:
        """What the list shows now."""
        return [key for k in range(self.model.rowCount()) if (key := self.model.item(k).data(KEY)) is not None]

    def refresh(self) -> None:
        """List what fits the search; the algorithm in force stays marked."""
        wanted = self.search.text().casefold().split()
        rows = [entry for entry in self._entries() if all(word in entry.words.casefold() for word in wanted)]
        shown = [tuple(self.model.item(k).data(role) for role in (KEY, WHY)) for k in range(self.model.rowCount())]
        if [row for row in shown if row[0] is not None] != [(entry.key, entry.why) for entry in rows]:
            self._rebuild(rows)
        self._show_choice()
        self._mark(wanted)

    def _entries(self) -> list[Entry]:
        """Every algorithm, and below them the pages that cannot be loaded, with the reason."""
        problem = self.session.problem
        found = []
        for each in algorithms().values() if loaded() else [self.session.algorithm]:
            why = each.needs.reason(problem) or "" if problem is not None else ""
            words = " ".join([each.title, each.key, each.family, *each.source, each.summary])
            found.append(Entry(each.key, each.title, each.family, _source(each), each.summary, why, words))
        for key, fault in broken().items() if loaded() else ():
            why = f"cannot be loaded: {fault:.300}"
            found.append(Entry(key, key, BROKEN, "", "", why, f"{key} {BROKEN}"))
        return found

    def _mark(self, wanted: list[str]) -> None:
        """The algorithm in force, or of those that were searched for the one whose name fits best."""
        items = [self.model.item(k) for k in range(self.model.rowCount()) if self.model.item(k).data(KEY) is not None]
        here = [item for item in items if item.data(KEY) == self.session.lane.key]
        first = " ".join(wanted)
        named = [item for item in items if item.text().casefold().startswith(first)]
        within = [item for item in items if first in item.text().casefold()]
        best = next(iter([*named, *within, *items] if wanted else here), None)
        self.list.setCurrentIndex(best.index() if best is not None else QModelIndex())

    def _rebuild(self, rows: list[Entry]) -> None:
        self.model.clear()
        before = ""
        for entry in rows:
            if entry.family != before:
                heading = QStandardItem(entry.family.capitalize().replace("_", " "))
                heading.setFlags(Qt.ItemFlag.NoItemFlags)
                self.model.appendRow(heading)
                before = entry.family
            item = QStandardItem(entry.title)
            item.setData(entry.key, KEY)
            item.setData(entry.source, SOURCE)
            item.setData(entry.why, WHY)
            item.setToolTip(tip(f"{entry.title} {entry.why}." if entry.why else entry.summary))
            self.model.appendRow(item)

    def _move(self, way: int) -> None:
        rows = [k for k in range(self.model.rowCount()) if self.model.item(k).data(KEY) is not None]
        if rows:
            here = self.list.currentIndex().row()
            place = rows.index(here) + way if here in rows else 0
            self.list.setCurrentIndex(self.model.index(rows[place % len(rows)], 0))

    def _pick(self, index: QModelIndex) -> None:
        if not index.isValid() or index.data(KEY) is None:
            return
        key, title, why = (index.data(role) for role in (KEY, Qt.ItemDataRole.DisplayRole, WHY))
        self.search.clearFocus()
        self.search.clear()
        if why:
            self.refused.emit(f"{title} {why}.")
            self.refresh()
        else:
            self.picked.emit(key)


def _source(chosen: Any) -> str:
    return "extension" if chosen.extension or not chosen.source else str(chosen.source[0])
