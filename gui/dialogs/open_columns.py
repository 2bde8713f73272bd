"""The list of columns in the dialog that opens a table: name, kind, role, what was found.

Kind and role open a menu.
"""

from collections.abc import Iterable
from math import ceil
from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QRect,
    Qt,
    Signal,
)
from PySide6.QtGui import QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QMenu,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from engine.base.notation import counted
from engine.read.guess import TableGuess
from engine.read.kinds import ColumnGuess
from engine.table.dataset import ColumnRole, Kind
from gui.base.guard import guarded
from gui.base.plain_text import tip
from gui.look import icons, style, theme
from gui.look.ink import Face, face
from gui.look.style import describe

KINDS = {Kind.NUMERIC: "numbers", Kind.CATEGORICAL: "categories", Kind.BOOLEAN: "yes/no"}
ROLES = {
    ColumnRole.FEATURE: "feature",
    ColumnRole.TARGET: "target",
    ColumnRole.NAME: "row names",
    ColumnRole.IGNORED: "ignored",
}
HEADS = ("Column", "Kind", "Role", "Found")
NAME, KIND, ROLE, FOUND = range(4)
CHOICES = (KIND, ROLE)
MEASURED = 300  # columns whose names are measured
NAMED = 96  # least pixels for a long name beside its kind, role and what was found
_Index = QModelIndex | QPersistentModelIndex


class ColumnsModel(QAbstractTableModel):
    """The model of the list: one row for each column of the table."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.columns: tuple[ColumnGuess, ...] = ()

    def show_columns(self, columns: tuple[ColumnGuess, ...]) -> None:
        """Show these columns; the model is reset only if their names differ."""
        same = [c.name for c in columns] == [c.name for c in self.columns]
        if not same:
            self.beginResetModel()
        self.columns = columns
        if not same:
            self.endResetModel()
        elif columns:
            self.dataChanged.emit(self.index(0, 0), self.index(len(columns) - 1, FOUND))

    @guarded
    def rowCount(self, parent: _Index = QModelIndex()) -> int:
        return 0 if parent.isValid() else len(self.columns)

    @guarded
    def columnCount(self, parent: _Index = QModelIndex()) -> int:
        return len(HEADS)

    @guarded
    def headerData(
        self, section: int, way: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if way is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return HEADS[section]
        if way is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        return None

    @guarded
    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        column = self.columns[index.row()]
        place = index.column()
        text = (column.name, KINDS[column.kind], ROLES[column.role], _found(column))[place]
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return text if role == Qt.ItemDataRole.DisplayRole else tip(text)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{HEADS[place]} of {column.name}: {text}" if place else text
        if role == Qt.ItemDataRole.ForegroundRole:
            return theme.current().colour(
                "ink3" if place == FOUND or column.role is ColumnRole.IGNORED else "ink"
            )
        if role == Qt.ItemDataRole.FontRole and column.role is ColumnRole.TARGET and place != FOUND:
            return theme.current().font("body", weight=600)
        return None


def _found(column: ColumnGuess) -> str:
    """The number of different values and of missing ones, in words."""
    words = counted(column.distinct, "value")
    return f"{words}, {column.missing:,} missing" if column.missing else words


def _widest(look: Face, texts: Iterable[str]) -> float:
    return max((look.width(text) for text in texts), default=0.0)


class _ChoiceCells(QStyledItemDelegate):
    """Paints kind and role with a chevron, as drop-downs have."""

    @guarded
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        if index.column() not in CHOICES:
            super().paint(painter, option, index)
            return
        side = style.scale(theme.current(), icons.SMALL)
        whole = QRect(option.rect)
        super().paint(painter, option, index)
        ratio = painter.device().devicePixelRatio() if painter.device() else 1.0
        chosen = option.state & option.state.State_Selected
        picture = icons.pixmap("chevron-down", "sel_ink" if chosen else "ink2", side, ratio)
        painter.drawPixmap(
            QPoint(whole.right() - side - 3, whole.center().y() - side // 2 + 1), picture
        )


class ColumnsView(QTableView):
    """The list of columns.

    A click, or Space, Return or F2, opens the menu of a cell with a kind or a role.

    chosen: signal (column name, kind or role) that the person chose one
    """

    chosen = Signal(str, object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.model_ = ColumnsModel(self)
        self.setModel(self.model_)
        self.setItemDelegate(_ChoiceCells(self))
        describe(self, "Columns: kind and role of each", "Click a kind or a role to change it")
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setWordWrap(False)
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)  # long names differ at either end
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.horizontalHeader().setHighlightSections(False)
        self.horizontalHeader().setSectionsClickable(False)
        self.clicked.connect(self.open_menu)
        self.menu: QMenu | None = None

    def show_guess(self, guess: TableGuess | None) -> None:
        """Show the columns of a guess, none for None."""
        self.model_.show_columns(guess.columns if guess is not None else ())
        self.fit()

    def fit(self) -> None:
        """Make the columns as wide as their words; the name takes what is left.

        A long name is shortened, so that what was found stays visible.
        """
        look = theme.current()
        self.verticalHeader().setDefaultSectionSize(style.scale(look, 28))
        self.horizontalHeader().setStyleSheet(
            f"QHeaderView::section {{ padding-left: {self._inset()}px; }}"
        )
        wide = self._wide()
        least = min(wide[NAME], style.scale(look, NAMED))
        wide[NAME] = max(self.viewport().width() - sum(wide[1:]), least)
        for place, width in enumerate(wide):
            self.setColumnWidth(place, width)

    def _inset(self) -> int:
        """The distance from the left of a cell to its text, in pixels."""
        return style.scale(theme.current(), 6) + 3

    def _wide(self) -> list[int]:
        """The width that each of the four columns needs for all its words, in pixels."""
        first = self.model_.columns[:MEASURED]
        name, found = (
            _widest(face("body", 600), texts)
            for texts in ([c.name for c in first], map(_found, first))
        )
        kind, role = (_widest(face("body", 600), words.values()) for words in (KINDS, ROLES))
        heads = [face("heading").width(head) for head in HEADS]
        chevron = style.scale(theme.current(), icons.SMALL) + 6
        texts = (name, kind + chevron, role + chevron, found)
        return [
            ceil(max(head, text)) + 2 * self._inset()
            for head, text in zip(heads, texts, strict=True)
        ]

    def wanted(self) -> int:
        """The width of the list that shows all words, in pixels."""
        bar = self.verticalScrollBar().sizeHint().width()
        return sum(self._wide()) + 2 * self.frameWidth() + bar

    @guarded
    def resizeEvent(self, event: Any) -> None:
        super().resizeEvent(event)
        self.fit()

    @guarded
    def keyPressEvent(self, event: QKeyEvent) -> None:
        keys = (Qt.Key.Key_Space, Qt.Key.Key_F2, Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if event.key() in keys and self.currentIndex().column() in CHOICES:
            self.open_menu(self.currentIndex())
            return
        super().keyPressEvent(event)

    def open_menu(self, index: QModelIndex) -> None:
        """Open the menu of a cell with a kind or a role, under the cell."""
        if index.column() not in CHOICES or not self.isEnabled():
            return
        column = self.model_.columns[index.row()]
        options: dict[Any, str] = dict(KINDS) if index.column() == KIND else dict(ROLES)
        now = column.kind if index.column() == KIND else column.role
        self.menu = QMenu(self)
        describe(self.menu, f"{HEADS[index.column()]} of {column.name}")
        for option, words in options.items():
            action = self.menu.addAction(words)
            action.setCheckable(True)
            action.setChecked(option is now)
            action.setEnabled(option is not Kind.BOOLEAN or column.distinct == 2 or now is option)
            action.triggered.connect(
                lambda *_, name=column.name, what=option: self.chosen.emit(name, what)
            )
            if option is now:
                self.menu.setActiveAction(action)
        corner = self.visualRect(index).bottomLeft()
        self.menu.popup(self.viewport().mapToGlobal(corner))
