"""The preview in the dialog that opens a table.

It shows the first rows as they are understood, or the lines of a file that is not understood.
"""

from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyleOptionHeader,
    QTableView,
    QWidget,
)

from engine.base.notation import quoted
from engine.read.guess import TableGuess
from engine.table.dataset import ColumnRole, Kind
from gui.base.guard import guarded
from gui.base.plain_text import tip
from gui.look import style, theme
from gui.look.ink import face
from gui.look.style import describe

MISSING = "missing"
_Index = QModelIndex | QPersistentModelIndex


class PreviewModel(QAbstractTableModel):
    """Cells as in the file; those that count as missing say “missing”."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.guess: TableGuess | None = None
        self.lines: tuple[str, ...] = ()
        self.missing: tuple[frozenset[str], ...] = ()

    def show_guess(self, guess: TableGuess | None, lines: tuple[str, ...] = ()) -> None:
        self.beginResetModel()
        self.guess, self.lines = guess, lines
        self.missing = (
            tuple(guess.missing_in(column) for column in guess.columns) if guess is not None else ()
        )
        self.endResetModel()

    @guarded
    def rowCount(self, parent: _Index = QModelIndex()) -> int:
        if parent.isValid():
            return 0
        return len(self.guess.preview) if self.guess is not None else len(self.lines)

    @guarded
    def columnCount(self, parent: _Index = QModelIndex()) -> int:
        return len(self.guess.columns) if self.guess is not None else int(bool(self.lines))

    @guarded
    def headerData(
        self, section: int, way: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if role == Qt.ItemDataRole.TextAlignmentRole and way is Qt.Orientation.Horizontal:
            return self._side(section) | Qt.AlignmentFlag.AlignVCenter
        whole = (
            role == Qt.ItemDataRole.ToolTipRole
            and way is Qt.Orientation.Horizontal
            and self.guess is not None
        )
        if role != Qt.ItemDataRole.DisplayRole and not whole:
            return None
        if way is Qt.Orientation.Vertical:
            return section + 1
        name = (
            self.guess.columns[section].name
            if self.guess is not None
            else "The first lines of the file"
        )
        return tip(name) if whole else name

    def _side(self, column: int) -> Qt.AlignmentFlag:
        numbers = self.guess is not None and self.guess.columns[column].kind is Kind.NUMERIC
        return Qt.AlignmentFlag.AlignRight if numbers else Qt.AlignmentFlag.AlignLeft

    @guarded
    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if self.guess is None:
            return self.lines[index.row()] if role == Qt.ItemDataRole.DisplayRole else None
        cell = self.guess.preview[index.row()][index.column()]
        gap = cell in self.missing[index.column()]
        column = self.guess.columns[index.column()]
        if role == Qt.ItemDataRole.DisplayRole:
            return MISSING if gap else cell[:200]
        if role == Qt.ItemDataRole.ToolTipRole:
            return tip(f"{quoted(cell)} counts as missing" if gap and cell else cell)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return self._side(index.column()) | Qt.AlignmentFlag.AlignVCenter
        if role == Qt.ItemDataRole.ForegroundRole:
            return theme.current().colour(
                "ink3" if gap or column.role is ColumnRole.IGNORED else "ink"
            )
        if role == Qt.ItemDataRole.FontRole:
            weight = 600 if column.role is ColumnRole.TARGET else 400
            return theme.current().font("body", weight=weight if not gap else 400, italic=gap)
        return None


class NameHeader(QHeaderView):
    """Cuts long names in their middle, where they differ least.

    Qt's own cut does not count with the weight of the font.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)

    @guarded
    def initStyleOptionForIndex(self, option: QStyleOptionHeader, section: int) -> None:
        super().initStyleOptionForIndex(option, section)
        option.text = self.shown(section)

    def shown(self, section: int) -> str:
        """The name of a column, cut to its width."""
        name = str(self.model().headerData(section, Qt.Orientation.Horizontal) or "")
        room = self.sectionSize(section) - 2 * head_inset()
        return face("heading").metrics.elidedText(name, Qt.TextElideMode.ElideMiddle, room)


def head_inset() -> int:
    """The distance from the left of a cell or head to its text, in pixels."""
    return style.scale(theme.current(), 6) + 3


class PreviewView(QTableView):
    """The preview; its cells cannot be edited."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.model_ = PreviewModel(self)
        self.setModel(self.model_)
        self.setHorizontalHeader(NameHeader(self))
        describe(self, "The first rows as they are understood", "The first rows")
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setTabKeyNavigation(False)
        self.setWordWrap(False)
        self.horizontalHeader().setHighlightSections(False)
        self.horizontalHeader().setSectionsClickable(False)
        self.verticalHeader().setHighlightSections(False)
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)

    def show_guess(self, guess: TableGuess | None, lines: tuple[str, ...] = ()) -> None:
        """Show the first rows of a guess, or without one these lines of the file."""
        place = self.horizontalScrollBar().value()
        self.model_.show_guess(guess, lines)
        self.verticalHeader().setDefaultSectionSize(style.scale(theme.current(), theme.TABLE_ROW))
        self.horizontalHeader().setStyleSheet(
            f"QHeaderView::section {{ padding-left: {head_inset()}px; }}"
        )
        self._fit(guess)
        self.horizontalScrollBar().setValue(place)

    def _fit(self, guess: TableGuess | None) -> None:
        """Make columns as wide as the first rows need, up to a limit; the last takes the rest."""
        look = theme.current()
        metrics = self.fontMetrics()
        bold = style.scale(look, 8)
        self.horizontalHeader().setStretchLastSection(True)
        if guess is None:
            self.setColumnWidth(0, self.viewport().width())
            return
        for place, column in enumerate(guess.columns[:300]):
            cells = [row[place] or MISSING for row in guess.preview]
            wide = max(
                metrics.horizontalAdvance(text[:60]) for text in (column.name, MISSING, *cells)
            )
            self.setColumnWidth(place, min(int(wide * 1.08) + 2 * bold + 6, style.scale(look, 260)))
