"""The table of the examples. It marks the rows that the step is about and the
column in question.
"""

from itertools import accumulate
from math import ceil

import numpy as np
from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QRegion, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QHeaderView, QTableView, QWidget

from engine.base.arrays import Bool
from engine.base.notation import counted
from engine.base.tags import is_lit, joined, row_tag
from engine.scene.scene import Role, Table, TableColumn
from gui.base.guard import guarded
from gui.figures import shows
from gui.figures.row_names import RowNames
from gui.figures.table_cells import BOX_MARGIN, Cells, Header
from gui.figures.table_model import TableModel, TableWidths
from gui.figures.wish import Wish
from gui.look import style, theme
from gui.look.ink import box_size, face

NAME, NAME_SHARE = 110, 0.3  # widest row name in pixels, and as a share of the table
# padding of a cell; least padding, where the columns would not all fit
CELL_PAD, TIGHT_PAD = 9, 4
AIRY = 1.75  # highest row of a short table with much room, by its usual height


@shows(Table)
class TableFigure(QTableView):
    """Shows a `Table` with a box for each row. Only rows of the examples can be chosen.

    hovered: tags of row and column under the pointer, on a current row the figure's too;
    row_clicked: index of the row; row_chosen: index of the row chosen by mouse or keys, −1 for none
    """

    hovered = Signal(str)
    row_clicked = Signal(int)
    row_chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.model_ = TableModel(self)
        self._widths = TableWidths(self.model_)
        self.current: frozenset[int] = frozenset()
        self.chosen: int | None = None  # −1: rows can be chosen and none is; None: they cannot
        self.lit: frozenset[str] = frozenset()
        self._tag = ""
        self._pressed = -1
        self._arranging = self._renamed = False
        self.roomy = True
        self.folded = 0  # number of hidden columns
        self.wraps = False  # the heads stand in two lines, as one line would be too wide
        self._alignments: list[tuple[str, float]] = []
        self._pad = float(CELL_PAD)
        self.setHorizontalHeader(Header(self))
        self.verticalHeader().hide()
        self.setModel(self.model_)
        self._cells = Cells(self)
        self.setShowGrid(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setStyleSheet("QTableView { border: none; border-radius: 0; }")
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerItem)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.horizontalHeader().setMinimumSectionSize(8)
        self.verticalHeader().setMinimumSectionSize(8)
        self.viewport().setMouseTracking(True)

    def set_chosen(self, row: int | None) -> None:
        """Mark a row as chosen; −1 for none, None where rows of this table cannot be chosen."""
        if row != self.chosen:
            self.chosen = row
            self._space_rows()
            self.viewport().update()

    def set_names(self, names: RowNames) -> None:
        """Set the names of the rows, for the tables that follow."""
        self._renamed = self._renamed or names is not self.model_.names
        self.model_.names = names

    def set_roomy(self, roomy: bool) -> None:
        """Set whether the table may scroll sideways. Otherwise, as in a dock, it folds columns
        without room, the last ones first.
        """
        self.roomy = roomy
        usual = Qt.ScrollBarPolicy.ScrollBarAsNeeded
        self.setHorizontalScrollBarPolicy(usual if roomy else Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def set_figure(self, table: Table) -> None:
        """Show a table. The scroll position stays, unless the current row would be out of sight."""
        same = (
            self.model_.shape(table) == self.model_.shape(self.model_.table) and not self._renamed
        )
        self._renamed = False
        before = self.model_.table
        longer = same_columns(before, table) and len(table.names) > len(before.names) > 0
        was = self.current
        self.current = frozenset(table.current)
        changed = self.model_.set_table(table)
        changed[[row for row in was ^ self.current if row < len(changed)]] = True
        self.setAccessibleName(f"{table.title}, {counted(len(table.names), 'row')}")
        if not same or self._too_narrow(changed):
            self._fit_columns()
            self.executeDelayedItemsLayout()
            self.updateGeometries()
        self._reveal(table, new=not same, longer=longer)
        self._repaint(changed)

    def _too_narrow(self, changed: Bool) -> bool:
        """Whether a number of the changed rows in sight has outgrown its column."""
        first = self.verticalScrollBar().value()
        rows = (first + np.flatnonzero(changed[first : first + self._room()])).tolist()
        bold = face("body", 600)
        numeric = [
            k
            for k, column in enumerate(self.model_.table.columns, 1)
            if column.feature.numeric and not self.isColumnHidden(k)
        ]
        return any(
            bold.width(self.model_.text(row, k)) > self.columnWidth(k) - self.alignment(k)[1] - 2
            for k in numeric
            for row in rows
        )

    def _repaint(self, changed: Bool) -> None:
        """Repaint the changed rows in sight; most steps change two."""
        if changed.all():
            self.viewport().update()
            self.horizontalHeader().viewport().update()
            return
        first = self.verticalScrollBar().value()
        wide = self.viewport().width()
        for row in (first + np.flatnonzero(changed[first : first + self._room() + 1])).tolist():
            self.viewport().update(0, self.rowViewportPosition(row), wide, self.rowHeight(row))

    def _reveal(self, table: Table, new: bool, longer: bool) -> None:
        """Scroll to the current row, else to the end of a list that grew, else to the first row in
        play when none is in sight; and to the column in question.
        """
        row = table.current[0] if table.current else -1
        if row < 0 and longer:
            row = len(table.names) - 1
        elif (
            row < 0
            and table.active is not None
            and table.active.any()
            and (new or not self._in_sight(table.active))
        ):
            row = int(table.active.argmax())
        if row >= 0 and not self._whole(row):
            self.verticalScrollBar().setValue(row - (self._room() - 1) // 2)
        self._reveal_column(table)

    def _whole(self, row: int) -> bool:
        """Whether the full height of a row is in sight."""
        first = self.verticalScrollBar().value()
        return first <= row < first + self._room()

    def _room(self) -> int:
        """How many full rows fit."""
        return max(1, self.viewport().height() // self.pitch())

    def _in_sight(self, active: Bool) -> bool:
        """Whether any row in play is in sight; True when all rows are in play."""
        return bool(active.all()) or any(self._whole(row) for row in active.nonzero()[0].tolist())

    def _reveal_column(self, table: Table) -> None:
        """Scroll to the column in question, and unfold it where it is hidden."""
        column = next((k + 1 for k, c in enumerate(table.columns) if c.role is Role.ACTIVE), -1)
        if column >= 0:
            if self.isColumnHidden(column):
                self._fit_columns()
            bar = self.horizontalScrollBar()
            left = self.columnViewportPosition(column)
            if left < 0 or left + self.columnWidth(column) > self.viewport().width():
                bar.setValue(bar.value() + left - self.viewport().width() // 3)

    def figure(self) -> Table:
        """The shown table."""
        return self.model_.table

    def pointed_at(self, row: int) -> bool:
        """Whether a row's tag is lit, by the pointer here or elsewhere."""
        return bool(self.lit) and is_lit(self.row_tag(row), self.lit)

    def row_tag(self, row: int) -> str:
        """The tag of a row: the figure's own, else that of the example with its number."""
        table = self.model_.table
        return (
            table.tags[row] if table.tags else row_tag(table.numbers[row] if table.numbers else 0)
        )

    def column_pointed_at(self, column: int) -> bool:
        """Whether the tag of a column is lit; never for column 0, the boxes."""
        return column > 0 and is_lit(self.model_.table.columns[column - 1].tag, self.lit)

    def set_lit(self, tags: frozenset[str]) -> None:
        if tags != self.lit:
            self.lit = tags
            self.viewport().update()
            self.horizontalHeader().viewport().update()

    def as_text(self, most: int = 200) -> str:
        """The table as text with tabs: * before current rows or cells, + before rows in play, >
        before the chosen one. Cut after `most` rows.
        """
        model = self.model_
        table = self.model_.table
        lines = ["\t".join(["row", *(c.feature.name for c in table.columns)])]
        for row in range(min(model.rowCount(), most)):
            whole = row in self.current and not table.cells
            mark = "*" if whole else ("+" if table.active is not None and model.active(row) else "")
            mark = ("> " if row == self.chosen else "") + mark
            lines.append(
                "\t".join(
                    [
                        mark + table.names[row],
                        *(
                            f"{'*' * (not whole and self._cells.amber(row, c))}{model.text(row, c)}"
                            for c in range(1, model.columnCount())
                        ),
                    ]
                )
            )
        if model.rowCount() > most:
            lines.append(f"… {model.rowCount() - most} more rows")
        return "\n".join(lines)

    # -- measures ----------------------------------------------------------------------------------

    def row_height(self) -> int:
        return max(theme.TABLE_ROW, int(box_size()[0]) + 2, theme.current().line_height("body") + 4)

    def pitch(self) -> int:
        """The height of a row as it is shown, in pixels."""
        return self.verticalHeader().defaultSectionSize()

    def _space_rows(self) -> None:
        """Spread the examples over the height; rows of other tables come and go, and stay dense."""
        high = self.row_height()
        rows = self.model_.rowCount()
        if self.roomy and self.chosen is not None and rows:
            head = self.horizontalHeader().sizeHint().height()
            high = max(high, min(round(AIRY * high), (self.height() - head - 2) // rows))
        if high != self.pitch():
            self.verticalHeader().setDefaultSectionSize(high)

    def alignment(self, column: int) -> tuple[str, float]:
        """How a column is aligned: ('right', inset) for numbers, ('left', inset) for the target,
        ('centre', 0) for words.
        """
        return self._alignments[column] if column < len(self._alignments) else ("centre", 0.0)

    def _fit_columns(self) -> None:
        """Give each column the width of its contents, and share out what is left."""
        model = self.model_
        widths = self._widths.now()
        contents, heads = widths.contents, self._wrap_heads()
        self._space_rows()
        wide = self._first_column()
        needs = [max(c, h) for c, h in zip(contents[1:], heads[1:], strict=True)]
        kept = self._keep_columns(
            [need + 2 * TIGHT_PAD for need in needs], self.viewport().width() - wide
        )
        share = (self.viewport().width() - wide - sum(needs[k] for k in kept)) / max(1, len(kept))
        self._pad = min(CELL_PAD, max(TIGHT_PAD, share / 2))
        needs = [wide, *(need + 2 * self._pad for need in needs)]
        spare = max(0.0, share - 2 * self._pad)
        self._alignments = [("centre", 0.0)]
        for k, need in enumerate(needs):
            width = int(need + (spare if k else 0.0))
            if spare and k == max(kept, default=0) + 1:
                width = self.viewport().width() - sum(self.columnWidth(j) for j in range(k))
            self.setColumnWidth(k, width)
            if k:
                self._alignments.append(
                    self._align(model.table.columns[k - 1], width, max(contents[k], heads[k]))
                )

    def _keep_columns(self, needs: list[float], room: float) -> list[int]:
        """Hide the columns without room and return the others. Active columns and the target come
        first.
        """
        columns = self.model_.table.columns
        order = sorted(
            range(len(needs)),
            key=lambda k: (columns[k].role not in (Role.ACTIVE, Role.BOUNDARY), k),
        )
        ends = accumulate(needs[k] for k in order)
        kept = sorted(
            k
            for n, (k, end) in enumerate(zip(order, ends, strict=True))
            if self.roomy or end <= room or not n
        )
        self.folded = len(needs) - len(kept)
        for k in range(len(needs)):
            self.setColumnHidden(k + 1, k not in kept)
        return kept

    def _align(self, column: TableColumn, width: int, content: float) -> tuple[str, float]:
        """The alignment of a column of this width around contents of this width."""
        inset = max(self._pad, (width - content) / 2)
        if column.role is Role.BOUNDARY and not column.feature.numeric:
            return "left", min(inset, 22.0)
        return ("right", inset) if column.feature.numeric else ("centre", 0.0)

    def wish(self) -> Wish:
        """All rows and columns; at least all columns, with heads in two lines, and three rows."""
        widths = self._widths.now()
        wide = ceil(self._wide(widths.heads, CELL_PAD))
        narrow = ceil(self._wide(widths.wrapped, TIGHT_PAD))
        line = theme.current().line_height("heading")
        head = self.horizontalHeader().sizeHint().height() - self.wraps * line
        high = head + self.model_.rowCount() * self.row_height() + 2
        bar = self.verticalScrollBar().sizeHint().width()
        return Wish((wide + bar, high), (narrow + bar, head + 3 * self.row_height()))

    def _wide(self, heads: list[float], pad: float) -> float:
        """The width of all columns in pixels, with these heads and this padding."""
        cells = sum(map(max, self._widths.now().contents[1:], heads[1:]))
        return self._first_column() + cells + 2 * pad * (len(heads) - 1)

    def _wrap_heads(self) -> list[float]:
        """The widths of the heads, in two lines on a stage where one line each is too wide."""
        widths = self._widths.now()
        wraps = self.roomy and self._wide(widths.heads, TIGHT_PAD) > self.viewport().width()
        if wraps != self.wraps:
            self.wraps = wraps
            self.updateGeometries()
        return widths.wrapped if wraps else widths.heads

    def _first_column(self) -> float:
        """The width of the column of boxes, in pixels."""
        widths = self._widths.now()
        longest_name = min(style.scale(theme.current(), NAME), NAME_SHARE * self.viewport().width())
        return max(widths.number, min(longest_name, widths.name)) + 2 * BOX_MARGIN

    @guarded
    def sizeHint(self) -> QSize:
        rows = max(3, min(self.model_.rowCount(), 12))
        return QSize(
            520, self.horizontalHeader().sizeHint().height() + rows * self.row_height() + 2
        )

    @guarded
    def minimumSizeHint(self) -> QSize:
        return QSize(160, self.horizontalHeader().sizeHint().height() + 3 * self.row_height())

    # -- mouse and keys ----------------------------------------------------------------------------

    @guarded
    def updateGeometries(self) -> None:
        """Leave room for full rows only, with a margin below, so that no row is cut."""
        if self._arranging:
            return
        self._arranging = True
        super().updateGeometries()
        for _ in range(2):  # the first pass may hide the other scroll bar
            margins = self.viewportMargins()
            height = self.pitch()
            room = self.viewport().height() + margins.bottom()
            below = room % height if self.verticalScrollBar().maximum() and height <= room else 0
            if below == margins.bottom():  # setting the same margins would lay out again
                break
            margins.setBottom(below)
            self.setViewportMargins(margins)
        self._align_top()
        self._arranging = False

    @guarded
    def scrollContentsBy(self, dx: int, dy: int) -> None:
        super().scrollContentsBy(dx, dy)
        self._align_top()

    def _align_top(self) -> None:
        """Start with a full row, at the end too, where Qt would align the last row
        to the bottom.
        """
        self.verticalHeader().setOffsetToSectionPosition(self.verticalScrollBar().value())
        self.viewport().update()

    @guarded
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._fit_columns()
        self._space_rows()
        if event.size().height() < event.oldSize().height():
            self._reveal(self.model_.table, new=False, longer=False)

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint all cells here. A Qt delegate, called for each cell, would be slower."""
        header = self.horizontalHeader()
        with QPainter(self.viewport()) as painter:
            painter.fillRect(event.rect(), theme.current().colour("plane"))
            columns = [
                (k, self.columnViewportPosition(k), self.columnWidth(k))
                for k in range(header.count())
            ]
            seen = [
                (k, x, wide)
                for k, x, wide in columns
                if wide and x <= event.rect().right() and x + wide > event.rect().x()
            ]
            for row in self._rows_in(event.region()):
                top = self.rowViewportPosition(row)
                high = self.rowHeight(row)
                painter.fillRect(
                    0,
                    top + high - 1,
                    header.length() - header.offset(),
                    1,
                    theme.current().colour("line"),
                )
                self._cells.paint(
                    painter, row, [(k, QRectF(x, top, wide, high)) for k, x, wide in seen]
                )

    def _rows_in(self, seen: QRegion) -> list[int]:
        """The rows that the region touches, sorted. They need not be adjacent."""
        found: set[int] = set()
        for rect in seen:  # type: ignore[attr-defined]
            first, last = self.rowAt(rect.top()), self.rowAt(rect.bottom())
            found.update(
                range(first, (last if last >= 0 else self.model_.rowCount() - 1) + 1)
                if first >= 0
                else ()
            )
        return sorted(found)

    @guarded
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange and hasattr(self, "model_"):
            self._fit_columns()

    @guarded
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        at = event.position().toPoint()
        self._point_at(self.rowAt(at.y()), self.columnAt(at.x()))

    @guarded
    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._pressed = self.rowAt(int(event.position().y()))

    @guarded
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        row = self.rowAt(int(event.position().y()))
        if row < 0:
            return
        self.row_clicked.emit(row)
        if (
            self.chosen is not None
            and row == self._pressed
            and event.button() == Qt.MouseButton.LeftButton
        ):
            self._choose(-1 if row == self.chosen else row)

    @guarded
    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Up and Down choose the row above or below. Up from the first row, or Escape, chooses
        none.
        """
        step = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}.get(Qt.Key(event.key()), 0)
        if self.chosen is not None and step:
            begin = self.chosen if self.chosen >= 0 else self._first_in_sight() - step * (step > 0)
            self._choose(max(-1, min(begin + step, len(self.model_.table.names) - 1)))
        elif event.key() == Qt.Key.Key_Escape and self.chosen is not None and self.chosen >= 0:
            self._choose(-1)
        else:
            event.ignore()

    def _first_in_sight(self) -> int:
        """The index of the first row in sight."""
        return max(0, self.rowAt(self.pitch() // 2))

    def _choose(self, row: int) -> None:
        """Choose a row, scroll to it and emit `row_chosen`; −1 for none."""
        self.set_chosen(row)
        if row >= 0:
            self.scrollTo(self.model_.index(row, 0))
            self.setAccessibleDescription(f"Chosen: {self.model_.table.names[row]}")
        self.row_chosen.emit(row)

    @guarded
    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Leave:
            self._point_at(-1, -1)
        return super().viewportEvent(event)

    def _point_at(self, row: int, column: int) -> None:
        """Emit `hovered` when the tags under the pointer change."""
        table = self.model_.table
        at_row = (
            joined(table.tag if row in self.current else "", self.row_tag(row)) if row >= 0 else ""
        )
        tag = joined(at_row, table.columns[column - 1].tag if row >= 0 and column > 0 else "")
        if tag != self._tag:
            self._tag = tag
            self.hovered.emit(tag)


def same_columns(a: Table, b: Table) -> bool:
    """Whether two tables have the same title and column names."""
    return a.title == b.title and [c.feature.name for c in a.columns] == [
        c.feature.name for c in b.columns
    ]
