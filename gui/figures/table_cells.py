"""The painting of the cells and the header of the table of examples."""

from collections.abc import Iterable
from functools import lru_cache
from typing import Protocol

from PySide6.QtCore import QLineF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import QHeaderView

from engine.base.tags import is_lit
from engine.scene.scene import Role
from gui.base.guard import guarded
from gui.figures.table_model import TableModel, two_lines
from gui.look import theme
from gui.look.ink import (
    Face,
    box_size,
    box_width,
    example_box,
    face,
    pen,
    write,
    write_centred,
    write_right,
)
from gui.look.theme import mix

HEADER, BOX_MARGIN = 31, 9
CHOSEN_BAR = 4.0
ACTIVE_SHARE = 0.45


class Shown(Protocol):
    """The interface of the table by which its cells are painted."""

    model_: TableModel
    current: frozenset[int]
    chosen: int | None
    lit: frozenset[str]
    wraps: bool

    def alignment(self, column: int) -> tuple[str, float]: ...

    def pointed_at(self, row: int) -> bool: ...

    def column_pointed_at(self, column: int) -> bool: ...


class Cells:
    """Paints the cells of a table."""

    def __init__(self, view: Shown) -> None:
        self.view = view

    def paint(self, painter: QPainter, row: int, cells: Iterable[tuple[int, QRectF]]) -> None:
        """Paint some cells of a row, given as (column, rectangle)."""
        view = self.view
        look = theme.current()
        table = view.model_.table
        pointed_at = view.pointed_at(row)
        chosen = row == view.chosen
        lit = row in view.current and is_lit(table.tag, view.lit)
        thick = 2.0 if pointed_at or lit else 1.0
        for column, rect in cells:
            now = self.amber(row, column)
            if (ground := self.ground(row, column)) is not None:
                painter.fillRect(rect.adjusted(0, 0, 0, -1), ground)
            if now or pointed_at:
                for y in (rect.top(), rect.bottom() - thick):
                    painter.fillRect(
                        QRectF(rect.left(), y, rect.width(), thick), look.colour("ink")
                    )
            if pointed_at:
                self._paint_ends(painter, rect, column, thick)
            if chosen:
                self._paint_chosen(painter, rect, row)
            if column == 0:
                self._paint_box(painter, rect, row)
            else:
                self._paint_text(painter, rect, row, column)
                paint_rules(painter, rect, table.columns[column - 1].role)

    def _paint_ends(self, painter: QPainter, rect: QRectF, column: int, thick: float) -> None:
        """Close the frame of a lit row: between two rows a line alone could belong to either."""
        ink = theme.current().colour("ink")
        if column == 0:
            painter.fillRect(QRectF(rect.left(), rect.top(), 2 * thick, rect.height()), ink)
        if column == len(self.view.model_.table.columns):
            right = rect.right() - 2 * thick
            painter.fillRect(QRectF(right, rect.top(), 2 * thick, rect.height()), ink)

    def amber(self, row: int, column: int) -> bool:
        """Whether a cell is one that the step is about."""
        table = self.view.model_.table
        if row not in self.view.current or not table.cells:
            return row in self.view.current
        return column > 0 and table.columns[column - 1].feature.name in table.cells

    def ground(self, row: int, column: int) -> QColor | None:
        """The background of a cell; None for the plane's colour, which the table has everywhere."""
        look = theme.current()
        table = self.view.model_.table
        if self.amber(row, column):
            return look.colour("now")
        if table.active is None or not table.active[row]:
            return None
        question = column > 0 and table.columns[column - 1].role is Role.ACTIVE
        return look.colour("now_soft") if question else _in_play(look.key)

    def _paint_chosen(self, painter: QPainter, rect: QRectF, row: int) -> None:
        """Paint the chosen row dark; on the amber of the current row only dark bars above and
        below.
        """
        colour = theme.current().colour("sel")
        if row in self.view.current:
            for y in (rect.top(), rect.bottom() - CHOSEN_BAR):
                painter.fillRect(QRectF(rect.left(), y, rect.width(), CHOSEN_BAR), colour)
        else:
            painter.fillRect(rect, colour)

    def _paint_box(self, painter: QPainter, rect: QRectF, row: int) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        model = self.view.model_
        side, _ = box_size()
        text = model.text(row, 0)
        room = rect.width() - 2 * BOX_MARGIN
        wide = box_width(text, model.classes)
        if wide > room:
            inside = face("caption", 600)
            text = inside.cut(text, inside.width(text) - (wide - room))
            wide = room
        if row == self.view.chosen:
            painter.fillRect(rect.adjusted(CHOSEN_BAR, 1, 0, -2), theme.current().colour("plane"))
        box = QRectF(
            round(rect.right() - BOX_MARGIN - wide), round(rect.center().y() - side / 2), wide, side
        )
        example_box(painter, box, text, model.code(row), model.classes)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)

    def _paint_text(self, painter: QPainter, rect: QRectF, row: int, column: int) -> None:
        model = self.view.model_
        table = self.view.model_.table
        shown = table.columns[column - 1]
        active = model.active(row)
        now = self.amber(row, column)
        in_play = active and table.active is not None
        bold = now or (in_play and shown.role in (Role.ACTIVE, Role.BOUNDARY))
        colour = "now_ink" if now else ("ink" if active else "ink3")
        if row == self.view.chosen and not now:
            bold = True
            colour = "sel_ink"
        look = face("body", 600 if bold else 0)
        place_text(
            painter, rect, model.text(row, column), look, colour, self.view.alignment(column)
        )


def place_text(
    painter: QPainter,
    rect: QRectF,
    text: str,
    look: Face,
    colour: str,
    alignment: tuple[str, float],
) -> None:
    """Write `text` into a cell, cut to its width. alignment: ('right', 'left' or
    'centre', inset).
    """
    text = look.cut(text, rect.width() - 4)
    how, inset = alignment
    middle = rect.center().y() - 0.5
    if how == "right":
        write_right(painter, rect.right() - inset, middle, text, look, colour)
    elif how == "left":
        write(painter, rect.left() + inset, middle, text, look, colour)
    else:
        write_centred(painter, rect.center().x(), middle, text, look, colour)


def paint_rules(painter: QPainter, rect: QRectF, role: Role) -> None:
    """Paint ink lines at both sides of the column in question, a grey line before the target."""
    if role is Role.ACTIVE:
        painter.setPen(pen("ink", 2))
        for x in (rect.left() + 1, rect.right() - 1):
            painter.drawLine(QLineF(x, rect.top(), x, rect.bottom()))
    elif role is Role.BOUNDARY:
        painter.setPen(_rule(theme.current().key))
        painter.drawLine(QLineF(rect.left() + 1, rect.top(), rect.left() + 1, rect.bottom()))


@lru_cache(maxsize=16)
def _in_play(key: tuple[str, int]) -> QColor:
    """The background of the rows that the step is about, in the theme with that key."""
    look = theme.look(*key)
    return mix(look.colour("plane"), look.colour("now_soft"), ACTIVE_SHARE)


@lru_cache(maxsize=16)
def _rule(key: tuple[str, int]) -> QPen:
    """The grey line before the target, in the theme with that key."""
    look = theme.look(*key)
    return pen(mix(look.colour("line"), look.colour("strong"), 0.5), 2)


class Header(QHeaderView):
    """The column names: amber for the column in question, struck through when it is used up."""

    def __init__(self, view: Shown) -> None:
        super().__init__(Qt.Orientation.Horizontal, view)  # type: ignore[arg-type]
        self.view = view
        self.setSectionsClickable(False)
        self.setHighlightSections(False)

    @guarded
    def sizeHint(self) -> QSize:
        lines = 2 if self.view.wraps else 1
        return QSize(100, lines * theme.current().line_height("heading") + HEADER - 18)

    @guarded
    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:
        look = theme.current()
        cell = QRectF(rect)
        columns = self.view.model_.table.columns
        role = columns[section - 1].role if 0 < section <= len(columns) else Role.PLAIN
        painter.save()
        active = role is Role.ACTIVE
        painter.fillRect(cell, look.colour("now" if active else "dock"))
        if self.view.column_pointed_at(section):
            painter.fillRect(
                QRectF(cell.left(), cell.bottom() - 2, cell.width(), 2), look.colour("ink")
            )
        if 0 < section <= len(columns):
            struck = role is Role.REJECTED
            name = columns[section - 1].feature.name
            bold = face("heading")
            lines = two_lines(name, bold.width) if self.view.wraps else [name]
            for k, line in enumerate(lines):
                below = (k - (len(lines) - 1) / 2) * look.line_height("heading")
                place_text(
                    painter,
                    cell.translated(0, below),
                    line,
                    bold,
                    "now_ink" if active else "ink3" if struck else "ink",
                    self.view.alignment(section),
                )
            if struck:
                self._strike(painter, cell, min(bold.width(name), cell.width() - 8))
            paint_rules(painter, cell, role)
        painter.restore()

    def _strike(self, painter: QPainter, cell: QRectF, width: float) -> None:
        painter.setPen(pen("ghost", 1.5))
        middle = cell.center().x()
        painter.drawLine(
            QLineF(
                middle - width / 2 - 5, cell.center().y(), middle + width / 2 + 5, cell.center().y()
            )
        )
