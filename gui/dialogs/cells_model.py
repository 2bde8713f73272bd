"""The Qt model of the document's table, for editing.

It announces only the rows that differ, so that selection and scroll position stay.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QWidget

from engine.base.notation import MINUS, row_name, row_title
from engine.document.table_edits import cell_text
from engine.table.dataset import Column, ColumnRole, Dataset, Kind
from gui.base.guard import guarded
from gui.base.plain_text import tip
from gui.dialogs.open_columns import KINDS, ROLES
from gui.look import theme
from gui.widgets.controls import marker_icon

DIGITS = 6
_Index = QModelIndex | QPersistentModelIndex


class CellsModel(QAbstractTableModel):
    """The table as a model of editable cells.

    typed: signal (row, column name, text, whether the value may be new) that a person entered a
        value; the receiver makes the edit and sets `taken`
    taken: whether the last entered value was accepted
    """

    typed = Signal(int, str, str, bool)

    def __init__(self, table: Dataset, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.table = table
        self.taken = False

    # -- following the document --------------------------------------------------------------------

    def follow(self, table: Dataset) -> None:
        """Show another version of the table; announces only the rows that differ."""
        old = self.table
        self_columns = [c.feature.name for c in self.table.columns]
        if table is old:
            return
        if [c.name for c in table.columns] != self_columns:
            self.show_table(table)
            return
        first, last = _difference(old, table)
        self._follow_rows(table, first, last)
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(table.columns) - 1)

    def show_table(self, table: Dataset) -> None:
        """Show another table.

        Resets the model: views lose selection, scroll position and editors.
        """
        self.beginResetModel()
        self.table = table
        self.endResetModel()

    def _follow_rows(self, table: Dataset, first: int, last: int) -> None:
        """Announce that rows first … last differ, counted in the shorter table.

        The rows that one of the tables has more follow them.
        """
        n, m = len(self.table), len(table)
        if m > n:
            self.beginInsertRows(QModelIndex(), last + 1, last + m - n)
            self.table = table
            self.endInsertRows()
        elif m < n:
            self.beginRemoveRows(QModelIndex(), last + 1, last + n - m)
            self.table = table
            self.endRemoveRows()
        self.table = table
        if last >= first and table.columns:
            self.dataChanged.emit(self.index(first, 0), self.index(last, len(table.columns) - 1))

    # -- what views ask ----------------------------------------------------------------------------

    @guarded
    def rowCount(self, parent: _Index = QModelIndex()) -> int:
        return 0 if parent.isValid() else len(self.table)

    @guarded
    def columnCount(self, parent: _Index = QModelIndex()) -> int:
        return 0 if parent.isValid() else len(self.table.columns)

    @guarded
    def flags(self, index: _Index) -> Qt.ItemFlag:
        return super().flags(index) | Qt.ItemFlag.ItemIsEditable

    @guarded
    def headerData(
        self, section: int, way: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if way is Qt.Orientation.Vertical:
            return self.row_title(section) if role == Qt.ItemDataRole.DisplayRole else None
        column = self.table.columns[section]
        if role == Qt.ItemDataRole.DisplayRole:
            return column.name
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
            words = f"{column.name}: {role_text(column)}"
            return tip(words) if role == Qt.ItemDataRole.ToolTipRole else words
        return None

    def row_title(self, row: int) -> str:
        """The row's name, as on the plane; “?” if the cell of its name is empty."""
        named = next((c for c in self.table.columns if c.role is ColumnRole.NAME), None)
        if named is None:
            return row_name(row)
        return row_title(cell_text(named, row)) or "?"

    @guarded
    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        column = self.table.columns[index.column()]
        row = index.row()
        if role == Qt.ItemDataRole.DisplayRole:
            return shown_text(column, row)
        if role == Qt.ItemDataRole.EditRole:
            return cell_text(column, row)
        if role == Qt.ItemDataRole.ToolTipRole:
            return tip(cell_text(column, row))
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{column.name} of {self.row_title(row)}: {cell_text(column, row) or 'missing'}"
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = (
                Qt.AlignmentFlag.AlignRight
                if column.feature.numeric
                else Qt.AlignmentFlag.AlignLeft
            )
            return side | Qt.AlignmentFlag.AlignVCenter
        if role == Qt.ItemDataRole.ForegroundRole and column.role is ColumnRole.IGNORED:
            return theme.current().colour("ink3")
        if (
            role == Qt.ItemDataRole.DecorationRole
            and column.role is ColumnRole.TARGET
            and not column.feature.numeric
        ):
            value = float(column.values[row])
            return None if np.isnan(value) else _marker(int(value), theme.current().key)
        return None

    @guarded
    def setData(self, index: _Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        """Enter a value; returns False if it was refused, and the cell keeps its value.

        value: the text, or (text, whether it may be a new category)
        """
        if role != Qt.ItemDataRole.EditRole or not index.isValid():
            return False
        text, new = value if isinstance(value, tuple) else (str(value), False)
        self.taken = False
        self.typed.emit(index.row(), self.table.columns[index.column()].name, text, new)
        return self.taken


def role_text(column: Column) -> str:
    """The kind of a column and, unless it is a feature, its role.

    “numbers”; “categories, target”
    """
    kind = KINDS[column.kind]
    return kind if column.role is ColumnRole.FEATURE else f"{kind}, {ROLES[column.role]}"


def shown_text(column: Column, row: int) -> str:
    """The text of a cell for display: numbers are rounded to `DIGITS` digits.

    The tool tip and the editor show all digits.
    """
    value = float(column.values[row])
    if column.kind is not Kind.NUMERIC or np.isnan(value) or value.is_integer():
        return cell_text(column, row)
    return f"{value:.{DIGITS}g}".replace("-", MINUS)


@lru_cache(maxsize=256)
def _marker(code: int, look: tuple[str, int]) -> QIcon:
    return marker_icon(code)


def _difference(old: Dataset, new: Dataset) -> tuple[int, int]:
    """(first, last) rows that differ, counted in the shorter table.

    Equal rows at the beginning and at the end are left out.
    """
    short = min(len(old), len(new))
    head, tail = np.ones(short, dtype=bool), np.ones(short, dtype=bool)
    for a, b in zip(old.columns, new.columns, strict=True):
        if a.feature != b.feature:
            return 0, short - 1
        if a.values is b.values:
            continue
        head &= _same(a.values[:short], b.values[:short])
        tail &= _same(a.values[len(old) - short :], b.values[len(new) - short :])
    first = short if head.all() else int(np.argmin(head))
    behind = short if tail.all() else int(np.argmin(tail[::-1]))
    return first, short - 1 - min(behind, short - first)


def _same(a: Sequence[float] | np.ndarray, b: Sequence[float] | np.ndarray) -> np.ndarray:
    a, b = np.asarray(a), np.asarray(b)
    return (a == b) | (np.isnan(a) & np.isnan(b))
