"""The figure of a matrix: a grid of numbers shaded by size, cells of this step amber."""

from collections.abc import Sequence
from functools import lru_cache
from math import ceil, isfinite

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter
from PySide6.QtWidgets import QWidget

from engine.base.arrays import Float
from engine.base.notation import fixed, number
from engine.base.tags import is_lit, joined, row_tag, rows_of
from engine.scene.scene import Matrix
from engine.scene.views import short_names
from gui.base.guard import guarded
from gui.figures import shows
from gui.figures.scrolled import ScrolledFigure
from gui.figures.wish import Wish
from gui.look import theme
from gui.look.ink import face, pen, write, write_centred, write_right
from gui.look.theme import mix

PAD, LEAST_PAD, LABEL_GAP, MOST_LABEL = 7.0, 2.0, 8.0, 150.0
LABEL_SHARE = 0.45  # of the room on the stage for the names of rows
BROADEST = 3.0  # width / height of a cell on the stage that makes room for the names of columns
LEAST_CELL, MOST_CELL = 30.0, 88.0
# alone with its room: free pixels around the grid, least width of a cell as a share of its height,
# how much larger than its usual size the grid becomes, and how large it wants to be
EDGE, CELL_SHAPE, MOST_ZOOM, WANTED_ZOOM = 16.0, 1.5, 1.8, 1.5
SHADE_MOST = 0.42
SAMPLE = 4000


@shows(Matrix)
class MatrixFigure(ScrolledFigure):
    """Shows a `Matrix` with its names outside the grid. Wide matrices scroll; missing values are
    empty. On the stage the grid grows until it fills its room, with its title above.

    rows_chosen: numbers of the examples that the clicked cell counts, from 1
    """

    rows_chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.matrix = Matrix("", (), (), np.zeros((0, 0)))
        self.digits = 2
        # by theme key and width of names: layouts ask many times per step
        self._measures: dict[tuple[str, int, float], tuple[float, float]] = {}
        self.active: frozenset[tuple[int, int]] = frozenset()
        self._pressed = (-1, -1)
        self.roomy = False

    def set_roomy(self, roomy: bool) -> None:
        """Whether the figure stands alone with its room: it fills it and says what it is."""
        self.roomy = roomy
        self.content_changed()

    def set_figure(self, matrix: Matrix) -> None:
        self.matrix = matrix
        self._measures.clear()
        values = self._plain()
        present = values[np.isfinite(values)]
        self.digits = 0 if np.array_equal(present, np.round(present)) else matrix.digits
        self.active = frozenset((int(r), int(c)) for r, c in matrix.active)
        self.content_changed()

    def as_text(self) -> str:
        """The names and numbers with tabs between; * before amber cells."""
        m = self.matrix
        head = " / ".join(part for part in (m.y_label, m.x_label) if part)
        lines = [m.title] if m.title else []
        lines.append("\t".join([head, *m.column_labels]))
        for r, label in enumerate(m.row_labels):
            cells = [
                ("*" if (r, c) in self.active else "") + self.text(r, c)
                for c in range(len(m.column_labels))
            ]
            lines.append("\t".join([label, *cells]))
        return "\n".join(lines)

    def text(self, row: int, column: int) -> str:
        """The text of a cell."""
        return value_text(float(self.matrix.values[row, column]), self._digits_of(row))

    def _digits_of(self, row: int) -> int:
        return self.matrix.digits if self._is_measure(row) else self.digits

    def _plain(self) -> Float:
        """The values without the rows of measures."""
        return self.matrix.values[: len(self.matrix.values) - self.matrix.measures]

    def _is_measure(self, row: int) -> bool:
        """Whether a row is one of the measures at the end, which are not shaded."""
        return row >= len(self.matrix.values) - self.matrix.measures

    def counted(self, row: int, column: int) -> list[int]:
        """The numbers of the examples that a cell counts. With −1 for row or column, those of the
        whole column or row.
        """
        rows, columns, numbers = self.matrix.members.T
        here = ((rows == row) | (row < 0)) & ((columns == column) | (column < 0))
        return [] if row < 0 and column < 0 else sorted(numbers[here].tolist())

    # -- measures ----------------------------------------------------------------------------------

    def cell_size(self) -> tuple[float, float]:
        """(width, height) of a cell in pixels. Cells grow with the room, and get tighter where all
        columns then fit.
        """
        widest = self._measured()[0]
        height = theme.current().line_height("body") + 8.0
        columns = max(1, self.matrix.values.shape[1])
        edges = 2 * EDGE if self.roomy else 0.0
        room = (self.viewport().width() - edges - self.left() - 2) / columns
        usual, least = (ceil(max(LEAST_CELL, widest + 2 * pad)) for pad in (PAD, LEAST_PAD))
        if self.roomy:
            usual = max(usual, ceil(CELL_SHAPE * height))
            usual = max(usual, int(min(room, self._for_names(), BROADEST * height)))
        if least <= room < usual:  # tighter cells, so that a minus sign adds no scroll bar
            return int(room), height
        return usual if self.roomy else max(usual, int(min(room, MOST_CELL))), height

    def _measured(self) -> tuple[float, float]:
        """The width of the widest number or column name, and the room for the row names; cached."""
        key = *theme.current().key, self._most_label()
        if key not in self._measures:
            self._measures[key] = self._widest(), self._beside()
        return self._measures[key]

    def _widest(self) -> float:
        m = self.matrix
        look = face("body", 700)
        step = max(1, m.values.size // SAMPLE)
        plain = self._plain().size
        every = m.values.ravel()[::step].tolist()
        first = -(-plain // step)
        texts: set[str] = set()
        for values, digits in ((every[:first], self.digits), (every[first:], m.digits)):
            alike = {
                f"{value:.{digits}f}": value for value in values
            }  # most numbers of a large matrix round to the same text
            texts.update(value_text(value, digits) for value in alike.values())
        return max([0.0, *map(look.width, texts), *map(self._named, m.column_labels)])

    def _named(self, text: str) -> float:
        """The width of a column name, limited; alone with its room, few columns share that."""
        columns = max(1, self.matrix.values.shape[1])
        share = (1 - LABEL_SHARE) * self.maximumViewportSize().width() / columns
        most = max(MOST_LABEL / 2, share if self.roomy else 0.0)
        return min(face("caption").width(text), most)

    def _for_names(self) -> float:
        """The width of a cell below which a column name is cut."""
        small = face("caption")
        return max((small.width(text) for text in self.matrix.column_labels), default=0.0) + 6

    def left(self) -> float:
        """The room for the row names, in pixels."""
        return self._measured()[1]

    def _most_label(self) -> float:
        """The width in pixels to which the name of a row is cut."""
        share = LABEL_SHARE * self.maximumViewportSize().width() if self.roomy else 0.0
        return max(MOST_LABEL, share)

    def _beside(self) -> float:
        look = face("body")
        named = max(
            (min(look.width(text), self._most_label()) for text in self.matrix.row_labels),
            default=0.0,
        )
        side = theme.current().line_height("caption") + 4 if self.matrix.y_label else 0
        return round(named + LABEL_GAP + side) if named or side else 0.0

    def top(self) -> float:
        """The room for the column names, in pixels."""
        line = theme.current().line_height("caption")
        return (line + 4 if any(self.matrix.column_labels) else 1) + (
            line + 2 if self.matrix.x_label else 0
        )

    def content_size(self, width: int) -> QSize:
        wide, high = self._grid_size()
        if not self.roomy:
            return QSize(wide, high)
        wide, high = round(self.zoom * wide + 2 * EDGE), round(self.zoom * high + EDGE)
        return QSize(wide, high + self._head())

    def _grid_size(self) -> tuple[int, int]:
        """(width, height) of the grid with its names, in pixels of the content."""
        rows, columns = self.matrix.values.shape
        wide, high = self.cell_size()
        across = columns * wide
        if self.roomy:
            across = max(across, face("caption").width(self.matrix.x_label))
        return int(self.left() + across) + 2, int(self.top() + rows * high) + 2

    def _head(self) -> int:
        """The height of the title in pixels."""
        return theme.current().line_height("heading") + 18 if self.roomy else 0

    def _fit(self) -> None:
        if self.roomy:
            wide, high = self._grid_size()
            room = self.maximumViewportSize()
            most = min(
                (room.width() - 2 * EDGE) / wide, (room.height() - self._head() - EDGE) / high
            )
            self.zoom = max(1.0, min(MOST_ZOOM, most))
        super()._fit()

    def origin(self) -> QPointF:
        """The grid stands in the middle of its room, below the heading."""
        if not self.roomy:
            return super().origin()
        wide, high = self._grid_size()
        room = self.viewport().size()
        free = room.height() - self._head() - EDGE - self.zoom * high
        left = max(EDGE, (room.width() - self.zoom * wide) / 2)
        return super().origin() - QPointF(left, self._head() + max(0.0, free / 2))

    def wish(self) -> Wish:
        """A grid that a hall can read; at its usual size at least."""
        wide, high = self._grid_size()
        across, down = 2 * EDGE, self._head() + EDGE
        enough = ceil(WANTED_ZOOM * wide + across), ceil(WANTED_ZOOM * high + down)
        return Wish(enough, (ceil(wide + across), ceil(high + down)))

    @guarded
    def sizeHint(self) -> QSize:
        size = self.content_size(280)
        return QSize(max(140, min(size.width(), 420)), min(size.height(), 420))

    @guarded
    def minimumSizeHint(self) -> QSize:
        return QSize(140, min(self.content_size(280).height(), 120))

    def cell(self, row: int, column: int) -> QRectF:
        """The rectangle of a cell."""
        wide, high = self.cell_size()
        return QRectF(self.left() + column * wide, self.top() + row * high, wide, high)

    def cell_at(self, at: QPointF) -> tuple[int, int]:
        """(row, column) at a place; −1 on the names and outside of the cells."""
        wide, high = self.cell_size()
        row, column = int((at.y() - self.top()) // high), int((at.x() - self.left()) // wide)
        rows, columns = self.matrix.values.shape
        return row if 0 <= row < rows else -1, column if 0 <= column < columns else -1

    def tip_at(self, at: QPointF) -> str:
        row, column = self.cell_at(at)
        m = self.matrix
        if row < 0 or column < 0:
            return ""
        names = [t for t in m.row_labels[row : row + 1] + m.column_labels[column : column + 1] if t]
        return f"{', '.join(names)}: {self.text(row, column)}"

    def tag_at(self, at: QPointF) -> str:
        """The tags of the row and the column at a place, or those of the examples counted there."""
        row, column = self.cell_at(at)
        if row >= 0 and column >= 0 and len(self.matrix.members) and not self._is_measure(row):
            return joined(*map(row_tag, self.counted(row, column)))
        rows, columns = self.matrix.row_tags, self.matrix.column_tags
        return joined(
            rows[row] if rows and row >= 0 else "",
            columns[column] if columns and column >= 0 else "",
        )

    def pointed_at(self, row: int, column: int) -> bool:
        """Whether the cell is lit: one of the examples that it counts, else its row
        and its column.
        """
        if not self.lit:
            return False
        if len(self.matrix.members):
            return not self._is_measure(row) and not set(rows_of(self.lit)).isdisjoint(
                self.counted(row, column)
            )
        of_row = self.matrix.row_tags[row : row + 1]
        of_column = self.matrix.column_tags[column : column + 1]
        tags = [tag for tag in (*of_row, *of_column) if tag]
        return bool(tags) and all(is_lit(tag, self.lit) for tag in tags)

    @guarded
    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._pressed = self.cell_at(self.in_content(event.position()))

    @guarded
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Emit `rows_chosen` for a click on a cell that counts examples."""
        cell = self.cell_at(self.in_content(event.position()))
        counts = len(self.matrix.members) and cell != (-1, -1) and not self._is_measure(cell[0])
        if counts and cell == self._pressed and event.button() == Qt.MouseButton.LeftButton:
            self.rows_chosen.emit(self.counted(*cell))

    # -- painting ----------------------------------------------------------------------------------

    def paint_content(self, painter: QPainter, visible: QRectF) -> None:
        rows, columns = self.matrix.values.shape
        if self.roomy:
            self._paint_ground(painter)
        if not rows or not columns:
            return
        wide, high = self.cell_size()
        left = self.left()
        top = self.top()
        first_row, last_row = _span(visible.top() - top, visible.bottom() - top, high, rows)
        first, last = _span(visible.left() - left, visible.right() - left, wide, columns)
        values = self._plain()
        size = float(np.nanmax(np.abs(np.where(np.isfinite(values), values, 0)), initial=0)) or 1.0
        block = QRectF(
            left + first * wide,
            top + first_row * high,
            (last - first) * wide,
            (last_row - first_row) * high,
        )
        painter.fillRect(block.adjusted(0, 0, 1, 1), theme.current().colour("line"))
        for r in range(first_row, last_row):
            for c in range(first, last):
                self._paint_cell(
                    painter, QRectF(left + c * wide, top + r * high, wide, high), r, c, size
                )
        seen = (
            [(r, c) for r in range(first_row, last_row) for c in range(first, last)]
            if self.lit
            else []
        )
        pointed = {(r, c) for r, c in seen if self.pointed_at(r, c)}
        if len(pointed) == len(seen) > 1:  # one frame around all, not one around each
            pointed = set()
            painter.setPen(pen("ink", 3))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(QRectF(left, top, columns * wide, rows * high).adjusted(1, 1, 0, 0))
        for r, c in self.active | pointed:
            if r < rows and c < columns:
                painter.setPen(pen("ink", 3 if (r, c) in pointed else 2))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRect(
                    QRectF(left + c * wide, top + r * high, wide, high).adjusted(1, 1, 0, 0)
                )
        self._paint_names(painter, range(first_row, last_row), range(first, last))

    def _paint_ground(self, painter: QPainter) -> None:
        """Paint the whole room, with the title."""
        painter.save()
        painter.resetTransform()
        painter.fillRect(self.viewport().rect(), theme.current().colour("plane"))
        bold = face("heading")
        room = self.viewport().width() - 2 * EDGE
        whole, short = self.matrix.title, short_names([self.matrix.title])[0]
        title = whole if bold.width(whole) <= room else bold.cut(short, room)
        write(painter, EDGE, self._head() / 2 + 2, title, bold)
        painter.restore()

    def _paint_cell(
        self, painter: QPainter, rect: QRectF, row: int, column: int, size: float
    ) -> None:
        """Paint background and number inside the grid lines, which are painted already."""
        active = (row, column) in self.active
        ground = theme.current().colour("now") if active else self.shade(row, column, size)
        painter.fillRect(rect.adjusted(1, 1, 0, 0), ground)
        font = face("body", 700 if active else 0)
        text = self.text(row, column)
        write_centred(
            painter,
            rect.center().x(),
            rect.center().y(),
            text,
            font,
            "now_ink" if active else "ink",
        )

    def shade(self, row: int, column: int, size: float) -> QColor:
        """A grey by size: the larger the number, the darker (lighter in the dark theme)."""
        value = float(self.matrix.values[row, column])
        shaded = self.matrix.shade and isfinite(value) and not self._is_measure(row)
        return grey(abs(value) / size if shaded else 0.0, theme.current().key)

    def _weight(self, tags: Sequence[str], at: int) -> int:
        """The font weight of a row or column name: bold where its tag is lit."""
        return 700 if self.lit and tags and is_lit(tags[at], self.lit) else 0

    def _paint_names(self, painter: QPainter, rows: range, columns: range) -> None:
        m = self.matrix
        left = self.left()
        top = self.top()
        line = theme.current().line_height("caption")
        for r in rows:
            if r < len(m.row_labels):
                cell = self.cell(r, 0)
                body = face("body", self._weight(m.row_tags, r))
                write_right(
                    painter,
                    left - LABEL_GAP,
                    cell.center().y(),
                    body.cut(m.row_labels[r], self._most_label()),
                    body,
                    "ink2",
                )
        for c in columns:
            if c < len(m.column_labels):
                cell = self.cell(0, c)
                small = face("caption", self._weight(m.column_tags, c))
                text = small.cut(m.column_labels[c], cell.width() - 4)
                write_centred(painter, cell.center().x(), top - line / 2 - 2, text, small, "ink2")
        wide, high = self.cell_size()
        small = face("caption")
        if m.x_label:
            whole = m.values.shape[1] * wide
            seen = self.viewport().width() / self.zoom - left
            need = small.width(m.x_label)
            # the name stays in sight where some columns are not
            middle = left + max(min(whole, seen), min(whole, need)) / 2
            write_centred(painter, middle, line / 2, m.x_label, small, "ink3")
        if m.y_label:
            painter.save()
            painter.translate(line / 2, top + len(self._plain()) * high / 2)
            painter.rotate(-90)
            write_centred(painter, 0, 0, m.y_label, small, "ink3")
            painter.restore()


@lru_cache(maxsize=4 * SAMPLE)  # most numbers recur in the next step
def value_text(value: float, digits: int) -> str:
    """The text of a cell; '' for a missing value."""
    if value != value:
        return ""
    return number(value, digits) if abs(value) >= 1e6 else fixed(value, digits)


@lru_cache(maxsize=4 * SAMPLE)
def grey(share: float, key: tuple[str, int]) -> QColor:
    """The grey for a share from 0 to 1, in the theme with that key."""
    look = theme.look(*key)
    return mix(look.colour("field"), look.colour("ghost"), SHADE_MOST * share)


def _span(low: float, high: float, step: float, count: int) -> tuple[int, int]:
    """The range (first, last + 1) of the rows or columns from `low` to `high` pixels."""
    return max(0, int(low // step)), min(count, int(high // step) + 1)
