"""Choosing an algorithm: search, list with sources; what the data do not allow is grey and says why."""

from typing import Any

from PySide6.QtCore import QModelIndex, QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QPainter, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QVBoxLayout, QWidget

from engine.core.registry import algorithm, algorithms, loaded
from gui import style, theme
from gui.session import Session
from gui.widgets import SearchField, describe

KEY, SOURCE, WHY = (Qt.ItemDataRole.UserRole + k for k in range(3))
ROWS = 4
LATER_MS = 100


class Row(QStyledItemDelegate):
    """Title at the left; source, or the reason against it, at the right."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Any) -> None:
        look = theme.current()
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        why = index.data(WHY)
        rect = option.rect
        background = "sel" if chosen else ("hover" if option.state & QStyle.StateFlag.State_MouseOver else "field")
        painter.fillRect(rect, look.colour(background))
        inner = rect.adjusted(9, 0, -8, 0)
        painter.setFont(look.font("body", weight=600 if chosen else 400))
        painter.setPen(look.colour("sel_ink" if chosen else ("ink3" if why else "ink")))
        title = index.data(Qt.ItemDataRole.DisplayRole)
        wide = painter.fontMetrics().horizontalAdvance(title)
        painter.drawText(inner, Qt.AlignmentFlag.AlignVCenter, title)
        painter.setFont(look.font("caption"))
        painter.setPen(look.colour("sel_ink" if chosen else "ink3"))
        room = QRect(inner.left() + wide + 10, inner.top(), inner.width() - wide - 10, inner.height())
        text = painter.fontMetrics().elidedText(why or index.data(SOURCE), Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, text)

    def sizeHint(self, option: QStyleOptionViewItem, index: Any) -> QSize:
        return QSize(100, 26 if theme.current().name != "projector" else 38)


class AlgorithmPicker(QWidget):
    """`picked(key)` when the person chooses one that the data allow; `refused(sentence)` otherwise."""

    picked = Signal(str)
    refused = Signal(str)

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self.search = SearchField("Search")
        self.list = QListView()
        self.model = QStandardItemModel(self.list)
        self.list.setModel(self.model)
        self.list.setItemDelegate(Row(self.list))
        self.list.setMouseTracking(True)
        self.list.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        describe(self.list, "Algorithms")
        style.mark(self.list, "flat")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addWidget(self.search)
        column.addWidget(self.list)
        self.search.textChanged.connect(self.refresh)
        self.search.moved.connect(self._move)
        self.search.chosen.connect(lambda: self._pick(self.list.currentIndex()))
        self.list.clicked.connect(self._pick)
        self.list.activated.connect(self._pick)
        session.run_changed.connect(self.refresh)
        self._later = QTimer(self, singleShot=True, interval=LATER_MS)
        self._later.timeout.connect(self._load)
        self.refresh()

    def showEvent(self, event: Any) -> None:
        super().showEvent(event)
        if not loaded():
            self._later.start()

    def _load(self) -> None:
        """The first window stands before every algorithm is imported."""
        algorithms()
        self.refresh()

    def keys(self) -> list[str]:
        """What the list shows now."""
        return [self.model.item(k).data(KEY) for k in range(self.model.rowCount())]

    def refresh(self) -> None:
        """List what fits the search; the algorithm in force stays marked."""
        wanted = self.search.text().casefold().split()
        every = algorithms().values() if loaded() else [self.session.algorithm]
        found = [a for a in every if _fits(a, wanted)]
        problem = self.session.problem
        rows = [(a.key, a.title, _source(a), a.needs.reason(problem) if problem is not None else "") for a in found]
        shown = [[self.model.item(k).data(role) for role in (KEY, WHY)] for k in range(self.model.rowCount())]
        if shown != [[key, why] for key, _, _, why in rows]:
            self._rebuild(rows)
        here = self.session.lane.key
        for k in range(self.model.rowCount()):
            if self.model.item(k).data(KEY) == here:
                self.list.setCurrentIndex(self.model.index(k, 0))
        height = 26 if theme.current().name != "projector" else 38
        self.list.setFixedHeight((max(1, min(ROWS, self.model.rowCount())) if loaded() else ROWS) * height + 2)

    def _rebuild(self, rows: list[tuple[str, str, str, str | None]]) -> None:
        self.model.clear()
        for key, title, source, why in rows:
            item = QStandardItem(title)
            item.setData(key, KEY)
            item.setData(source, SOURCE)
            item.setData(why, WHY)
            item.setToolTip(f"{title} {why}." if why else algorithm(key).summary)
            self.model.appendRow(item)

    def _move(self, way: int) -> None:
        count = self.model.rowCount()
        if count:
            row = (max(self.list.currentIndex().row(), 0) + way) % count
            self.list.setCurrentIndex(self.model.index(row, 0))

    def _pick(self, index: QModelIndex) -> None:
        if not index.isValid():
            return
        if index.data(WHY):
            self.refused.emit(f"{index.data(Qt.ItemDataRole.DisplayRole)} {index.data(WHY)}.")
            self.refresh()
            return
        self.picked.emit(index.data(KEY))


def _fits(chosen: Any, wanted: list[str]) -> bool:
    text = " ".join([chosen.title, chosen.key, chosen.family, *chosen.source, chosen.summary]).casefold()
    return all(word in text for word in wanted)


def _source(chosen: Any) -> str:
    return "extension" if chosen.extension or not chosen.source else str(chosen.source[0])
