"""The Qt model of the table of examples, and the widths of its contents, cached, as the layout
needs them many times.
"""

from collections.abc import Callable
from itertools import islice
from typing import Any

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtWidgets import QWidget

from engine.base.arrays import Bool
from engine.base.notation import class_text, fixed
from engine.base.records import Record
from engine.scene.scene import Role, Table, TableColumn
from gui.base.guard import guarded
from gui.base.plain_text import tip
from gui.figures.row_names import NUMBERED, UNKNOWN, RowNames
from gui.look import theme
from gui.look.ink import box_width, face

_MODEL_INDEX = QModelIndex | QPersistentModelIndex
PART = 4096  # rows
SAMPLE, LEAST_ROWS = 2_000, 20  # number of cells to measure; least number of rows


class TableModel(QAbstractTableModel):
    """The examples as rows. Column 0 is the box with the row's name; the columns of the table
    follow. The model formats a cell when the view asks for it.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.table = Table("", (), ())
        self.digits: list[int] = []
        self.classes = 0
        self.names = NUMBERED

    def set_table(self, table: Table) -> Bool:
        """Show a table. Returns (m,): True for rows that changed in text, box or being in play."""
        same = self.shape(table) == self.shape(self.table)
        if not same:
            self.beginResetModel()
        before = self.table
        looks = (self.digits, self.classes)
        self.table = table
        self.digits = [column_digits(column) for column in table.columns]
        self.classes = class_count(table)
        if not same:
            self.endResetModel()
        alike = same and looks == (self.digits, self.classes)
        return changed_rows(before, table) if alike else np.ones(len(table.names), bool)

    @staticmethod
    def shape(table: Table) -> tuple[int, tuple[str, ...]]:
        """The number of rows and the column names; a table with another shape resets the model."""
        return len(table.names), tuple(column.feature.name for column in table.columns)

    @guarded
    def rowCount(self, parent: _MODEL_INDEX = QModelIndex()) -> int:
        return 0 if parent.isValid() else len(self.table.names)

    @guarded
    def columnCount(self, parent: _MODEL_INDEX = QModelIndex()) -> int:
        return 0 if parent.isValid() else len(self.table.columns) + 1

    @guarded
    def data(self, index: _MODEL_INDEX, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return self.text(index.row(), index.column())
        if role == Qt.ItemDataRole.ToolTipRole and index.column() == 0:
            return tip(self.table.names[index.row()])
        return None

    @guarded
    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        if orientation == Qt.Orientation.Vertical:
            return self.table.names[section]
        return self.table.columns[section - 1].feature.name if section else ""

    def text(self, row: int, column: int) -> str:
        """The text of a cell."""
        if column == 0:
            return (
                self.names.title(self.number(row))
                if self.named(row)
                else str(self.number(row) or UNKNOWN)
            )
        shown = self.table.columns[column - 1]
        value = float(shown.values[row])
        if shown.feature.numeric and value == value:
            return fixed(value, self.digits[column - 1])
        if shown.role is Role.BOUNDARY and shown.feature.categories and value == value:
            return class_text(shown.feature.categories[int(value)], shown.feature.categories)
        return shown.feature.text(value)

    def texts(self, count: int, column: int) -> set[str]:
        """The different texts of the first `count` rows in a column. Values that round alike are
        formatted once.
        """
        digits = self.digits[column - 1]
        alike = {
            f"{value:.{digits}f}": row
            for row, value in enumerate(self.table.columns[column - 1].values[:count].tolist())
        }
        return {self.text(row, column) for row in alike.values()}

    def number(self, row: int) -> int:
        """The number of a row in the whole table, from 1."""
        return self.table.numbers[row] if self.table.numbers else row + 1

    def named(self, row: int) -> bool:
        """Whether the row is an example with a name of its own, not a row of another table."""
        return self.names.own.get(self.number(row)) == self.table.names[row]

    def active(self, row: int) -> bool:
        """Whether the step is about this row."""
        return self.table.active is None or bool(self.table.active[row])

    def code(self, row: int) -> int:
        """The class code of a row; −1 without classes."""
        return -1 if self.table.group is None else int(self.table.group[row])


def changed_rows(before: Table, table: Table) -> Bool:
    """(m,) True for rows that differ between two tables with the same number of rows and the same
    columns.
    """
    heads = [[(c.feature, c.role) for c in each.columns] for each in (before, table)]
    whole = heads[0] != heads[1] or before.tag != table.tag
    for one, other in ((before.active, table.active), (before.group, table.group)):
        whole = whole or (one is None) != (other is None)
    if whole:
        return np.ones(len(table.names), bool)
    found = np.zeros(len(table.names), bool)
    for rows in ("names", "numbers", "tags"):
        one, other = getattr(before, rows), getattr(table, rows)
        if len(one) != len(other):
            return ~found
        if one != other:
            found |= [a != b for a, b in zip(one, other, strict=True)]
    values = [(c.values, d.values) for c, d in zip(before.columns, table.columns, strict=True)]
    for a, b in (*values, (before.active, table.active), (before.group, table.group)):
        if a is not b and a is not None and b is not None:
            found |= np.asarray((a != b) & ~((a != a) & (b != b)))
    return found


def column_digits(column: TableColumn) -> int:
    """The decimals of a column: none where every number is whole."""
    if not column.feature.numeric:
        return 0
    # part by part: with very many rows the first part often decides
    for start in range(0, len(column.values), PART):
        part = column.values[start : start + PART]
        present = part[~np.isnan(part)]
        if not np.array_equal(present, np.round(present)) or np.abs(present).max(initial=0) >= 1e9:
            return column.digits
    return 0


def class_count(table: Table) -> int:
    """The number of classes that the boxes distinguish: those of the target, or as many as occur,
    which may be more, such as the chunks of a table.
    """
    target = next(
        (c.feature for c in table.columns if c.role is Role.BOUNDARY and c.feature.categories), None
    )
    occur = int(np.max(table.group, initial=-1)) + 1 if table.group is not None else 0
    return max(occur, 0 if target is None else len(target.categories))


def two_lines(text: str, width: Callable[[str], float]) -> list[str]:
    """`text` in two lines that are as narrow as the words allow, by their `width`; one word in
    one.
    """
    words = text.split(" ")
    ways = ([" ".join(words[:k]), " ".join(words[k:])] for k in range(1, len(words)))
    return min(ways, key=lambda lines: max(map(width, lines)), default=[text])


class Widths(Record, eq=True):
    """Widths in pixels. contents, heads: the widest text and the head of each column, 0 for the
    column of boxes; wrapped: the heads in two lines; number: the box with the largest number; name:
    the box with the longest name, 0 where no row has a name.
    """

    contents: list[float]
    heads: list[float]
    wrapped: list[float]
    number: float
    name: float


class TableWidths:
    """The widths in pixels of the columns of a table model."""

    def __init__(self, model: TableModel) -> None:
        self._model = model
        self._last: tuple[object, RowNames, tuple[str, int], Widths] | None = None

    def now(self) -> Widths:
        """The current widths, measured when table, names or theme change."""
        table = self._model.table
        names = self._model.names
        look = theme.current().key
        last = self._last
        if last is None or last[0] is not table or last[1] is not names or last[2] != look:
            self._last = last = table, names, look, self._measured()
        return last[3]

    def _measured(self) -> Widths:
        """Measure the first rows and up to `SAMPLE` names, since another step may
        list other rows.
        """
        model = self._model
        body = face("body", 600)
        bold = face("heading")
        rows = min(model.rowCount(), max(LEAST_ROWS, SAMPLE // max(1, model.columnCount())))
        columns = range(1, model.columnCount())
        contents = [
            max(map(body.width, model.texts(rows, column)), default=0.0) for column in columns
        ]
        names = [column.feature.name for column in model.table.columns]
        heads = [bold.width(name) for name in names]
        wrapped = [max(map(bold.width, two_lines(name, bold.width))) for name in names]
        number = box_width(
            str(max(model.table.numbers, default=model.rowCount() or 1)), model.classes
        )
        own = islice(model.names.own.values(), SAMPLE)
        named = bool(model.names.own) and any(map(model.named, range(rows)))
        name = max((box_width(each, model.classes) for each in own), default=0.0) if named else 0.0
        return Widths([0.0, *contents], [0.0, *heads], [0.0, *wrapped], number, name)
