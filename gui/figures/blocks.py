"""The figure of several grids of numbers on a common sheet of cells."""

from collections.abc import Iterator, Sequence
from math import ceil, isfinite

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, QSize, QSizeF, Qt
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QWidget

from engine.base.arrays import Bool
from engine.base.tags import is_lit, joined
from engine.scene.scene import Block, Blocks, Role
from gui.base.guard import guarded
from gui.figures import shows
from gui.figures.matrix import grey, value_text
from gui.figures.scrolled import ScrolledFigure
from gui.figures.wish import ANY, Wish
from gui.look import theme
from gui.look.ink import Face, face, folded, pen, write, write_centred, write_right

MARGIN, LABEL_GAP, PAD = 12.0, 8.0, 4.0
LEAST_HIGH, MOST_HIGH, LEAST_BARE = 22.0, 60.0, 7.0
WIDEST = 1.5  # width / height of a cell
MOST_NAME, LONGEST_NAME = 44.0, 96.0
SEEN = 400  # numbers that are measured
HATCH = 7.0
LARGE = 36.0  # height of a cell from which its number is written larger
LEAST_ZOOM, LEAST_HALL = 0.88, 0.8  # so much a sheet shrinks before it scrolls, and in a hall


@shows(Blocks)
class BlocksFigure(ScrolledFigure):
    """Shows `Blocks`. Cells grow until a side is full; where they have no room they shrink a
    little, then they scroll, to the first amber frame. Numbers in a frame have one more decimal, so
    that small moves are seen.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.figure = Blocks("", ())
        self._measured: dict[object, tuple[float, float]] = {}
        self._notes: dict[object, list[tuple[int, float, str, Role]]] = {}
        self._frames: object = None

    def set_figure(self, figure: Blocks) -> None:
        self.figure = figure
        self._measured.clear()
        self._notes.clear()
        self.content_changed()
        self._reveal()

    def as_text(self) -> str:
        """Each grid under its title, with tabs between the numbers; * before amber cells."""
        lines = [self.figure.title] if self.figure.title else []
        for block in self.figure.blocks:
            lines.append(block.title)
            if block.column_labels:
                lines.append("\t".join(["", *block.column_labels]))
            for r, numbers in enumerate(block.values):
                cells = [
                    ("*" if framed(block, r, c) else "") + value_text(float(v), block.digits)
                    for c, v in enumerate(numbers)
                ]
                lines.append("\t".join([_of(block.row_labels, r), *cells]))
        return "\n".join(lines)

    # -- measures ----------------------------------------------------------------------------------

    def sheet(self) -> tuple[float, float]:
        """(columns, rows) of the sheet."""
        if "sheet" not in self._measured:
            self._measured["sheet"] = self._extent()
        return self._measured["sheet"]

    def _extent(self) -> tuple[float, float]:
        wide = [b.column + b.values.shape[1] for b in self.figure.blocks]
        high = [b.row + (b.high or b.values.shape[0]) for b in self.figure.blocks]
        return max(wide, default=0.0), max(high, default=0.0)

    def _texts(self) -> tuple[float, float]:
        """(least width of a cell, width of the row names at the left end), in pixels."""
        key = theme.current().key
        if key not in self._measured:
            plain = face("body")
            least = LEAST_BARE
            names = 0.0
            for block in self.figure.blocks:
                if block.column < 1:
                    names = max([names, *map(plain.width, block.row_labels)])
                if block.numbers:
                    least = max(least, _widest(block))
            self._measured[key] = least, names
        return self._measured[key]

    def _room_for_names(self) -> float:
        """The width that writes the names of columns in full, as far as they are not very long."""
        every = [name for block in self.figure.blocks for name in block.column_labels[:SEEN]]
        return min(_longest(every) + 6, LONGEST_NAME)

    def left(self) -> float:
        """Where the sheet begins, in pixels."""
        names = self._texts()[1]
        return MARGIN + (names + LABEL_GAP if names else 0.0)

    def top(self) -> float:
        look = theme.current()
        return MARGIN + look.line_height("heading") + look.line_height("caption") + 6

    def bottom(self) -> float:
        lines = self.note_lines()
        line = theme.current().line_height("caption")
        return MARGIN + (lines[-1][0] + 1) * (line + 4) + 6 if lines else MARGIN

    def note_lines(self) -> list[tuple[int, float, str, Role]]:
        """(line, x, words, role) of each note below the sheet, with the room for its mark; words
        that are wider than the room go on in the next line.
        """
        key = "notes", self.maximumViewportSize().width(), theme.current().key
        if key not in self._notes:
            self._notes = {key: self._lay_notes()}
        return self._notes[key]

    def _lay_notes(self) -> list[tuple[int, float, str, Role]]:
        room = self.maximumViewportSize().width() - self.left() - MARGIN
        side = theme.current().line_height("caption") + 10
        found = []
        line, x = 0, 0.0
        for text, role in self.figure.notes:
            look = _note_face(role)
            mark = side * (role not in (Role.PLAIN, Role.ACTIVE))
            if x and x + mark + look.width(text) > room:
                line, x = line + 1, 0.0
            for nth, part in enumerate(evenly(look, text, int(room - mark))):
                line += nth > 0
                found.append((line, x if not nth else 0.0, part, role if not nth else Role.PLAIN))
                if nth and role is Role.ACTIVE:
                    found[-1] = (line, 0.0, part, role)
            x += mark + look.width(text) + 20
        return found

    def cell_size(self) -> tuple[float, float]:
        """(width, height) of a cell in pixels; kept, as painting asks for every cell."""
        room = self.maximumViewportSize()
        key = (room.width(), room.height(), theme.current().key)
        if key not in self._measured:
            lowest = LEAST_HALL if theme.current().stroke > 1 else LEAST_ZOOM
            self.zoom = max(lowest, min(1.0, room.width() / max(self._least_width(), 1.0)))
            self._measured[key] = self._fitting(room.toSizeF() / self.zoom)
        return self._measured[key]

    def _least_width(self) -> float:
        """The width of the sheet with its narrowest cells and the titles of its grids."""
        columns, _ = self.sheet()
        return self._wide(columns, self._texts()[0])

    def _wide(self, columns: float, wide: float) -> float:
        """The width of the sheet with cells `wide` pixels wide, and of the titles beyond it."""
        heading = face("heading")
        ends = [b.column * wide + heading.width(b.title) for b in self.figure.blocks]
        return self.left() + max([columns * wide, *ends]) + MARGIN

    def wish(self) -> Wish:
        """Any room; at least the narrowest cells and the titles."""
        return Wish(least=(ceil(self._least_width()), ANY.least[1]))

    def _fitting(self, room: QSizeF) -> tuple[float, float]:
        """(width, height) of a cell in pixels: as large as the room, at least as its number."""
        columns, rows = self.sheet()
        least = self._texts()[0]
        bare = least <= LEAST_BARE
        lowest = LEAST_BARE if bare else theme.current().line_height("body") + 4
        scale = theme.current().line_height("body") / 18
        high = (room.height() - self.top() - self.bottom()) / max(rows, 1)
        bar = self.verticalScrollBar().sizeHint().width() if high < lowest else 0
        wide = (room.width() - bar - self.left() - MARGIN) / max(columns, 1)
        high = max(lowest, min(high, MOST_HIGH * scale))
        numbers = 0.0
        if high >= theme.current().line_height("body"):
            numbers = max((_widest(b) for b in self.figure.blocks if b.look != "bars"), default=0.0)
        wide = max(least, min(wide, max(WIDEST * high, self._room_for_names(), numbers)))
        return wide, max(lowest, min(high, 1.1 * wide))

    def content_size(self, width: int) -> QSize:
        columns, rows = self.sheet()
        wide, high = self.cell_size()  # it chooses the zoom too
        tall = self.top() + rows * high + self.bottom()
        return QSize(int(self.zoom * self._wide(columns, wide)), int(self.zoom * tall))

    @guarded
    def sizeHint(self) -> QSize:
        return QSize(420, 320)

    @guarded
    def minimumSizeHint(self) -> QSize:
        return QSize(140, 120)

    def offset(self) -> float:
        """The room at the left that centres the sheet, in pixels."""
        columns, _ = self.sheet()
        wide = self._wide(columns, self.cell_size()[0])
        return max(0.0, (self.viewport().width() / self.zoom - wide) / 2)

    def cell(self, block: Block, row: float, column: float) -> QRectF:
        wide, high = self.cell_size()
        x = self.left() + self.offset() + (block.column + column) * wide
        y = self.top() + (block.row + row) * high
        return QRectF(x, y, wide, high)

    def area(self, block: Block) -> QRectF:
        """The rectangle of a grid."""
        rows, columns = block.values.shape
        whole = self.cell(block, 0, 0)
        whole.setWidth(columns * whole.width())
        whole.setHeight((block.high or rows) * whole.height())
        return whole

    def _reveal(self) -> None:
        """Scroll to the first amber frame, where the frames are new."""
        found = [(b, *f) for b in self.figure.blocks for f in b.frames]
        frames = [f[1:] for f in found]
        if not found or frames == self._frames:
            return
        self._frames = frames
        block, row, column, rows, columns = found[0]
        rect = self.cell(block, row, column).united(
            self.cell(block, row + rows - 1, column + columns - 1)
        )
        zoom = self.zoom
        self.show_rows(zoom * (rect.top() - self.fixed() - 30), zoom * (rect.bottom() + 30))
        bar = self.horizontalScrollBar()
        left = zoom * rect.left()
        if not bar.value() <= left <= bar.value() + self.viewport().width() - 60:
            bar.setValue(int(left - self.viewport().width() / 2))

    # -- pointing ----------------------------------------------------------------------------------

    def cell_at(self, at: QPointF) -> tuple[Block, int, int] | None:
        at = self._on_sheet(at)
        for block in self.figure.blocks:
            if self.area(block).contains(at):
                wide, high = self.cell_size()
                corner = self.area(block).topLeft()
                row = int((at.y() - corner.y()) // high)
                column = int((at.x() - corner.x()) // wide)
                rows, columns = block.values.shape
                return block, min(row, rows - 1), min(column, columns - 1)
        return None

    def tip_at(self, at: QPointF) -> str:
        found = self.cell_at(at)
        if found is None:
            return ""
        block, row, column = found
        names = [_of(block.row_labels, row), _of(block.column_labels, column)]
        named = ", ".join(name for name in names if name) or block.title
        value = value_text(float(block.values[row, column]), max(block.digits, 2)) or "not known"
        marks = [", held out"] * marked(block.held, row, column)
        marks += [", missing"] * marked(block.missing, row, column)
        return f"{named}: {value}{''.join(marks)}"

    def tag_at(self, at: QPointF) -> str:
        found = self.cell_at(at)
        if found is None:
            return ""
        block, row, column = found
        return joined(_of(block.row_tags, row), _of(block.column_tags, column))

    def pointed_at(self, block: Block, row: int, column: int) -> bool:
        """Whether the cell's tags are lit."""
        tags = [t for t in (_of(block.row_tags, row), _of(block.column_tags, column)) if t]
        return bool(tags) and all(is_lit(tag, self.lit) for tag in tags)

    # -- painting ----------------------------------------------------------------------------------

    def paint_content(self, painter: QPainter, visible: QRectF) -> None:
        """Paint the grids, and while a high one is scrolled what stands above it once more."""
        self._paint_sheet(painter, visible)
        down = self.origin().y() / self.zoom
        if down > 0 and (fixed := self.fixed()):
            painter.save()
            painter.translate(0, down)
            head = QRectF(visible.left(), 0, visible.width(), fixed)
            painter.setClipRect(head)
            self._paint_sheet(painter, head)
            painter.restore()

    def fixed(self) -> float:
        """The height in pixels above the first grid that is higher than the room; 0 where all of
        them fit.
        """
        room = self.viewport().height() / self.zoom
        tops = [self.area(b).top() for b in self.figure.blocks if self.area(b).height() > room]
        return min(tops, default=0.0) if min(tops, default=0.0) < room / 2 else 0.0

    def _on_sheet(self, at: QPointF) -> QPointF:
        """A place of the content as it is painted: what stands above a high grid stays in sight."""
        down = self.origin().y() / self.zoom
        return at - QPointF(0, down) if at.y() - down < self.fixed() else at

    def _paint_sheet(self, painter: QPainter, visible: QRectF) -> None:
        painter.fillRect(visible, theme.current().colour("plane"))
        shaded = [b.values for b in self.figure.blocks if b.look == "shaded"]
        parts = [np.abs(v[np.isfinite(v)]).max(initial=0.0) for v in shaded]
        most = float(max(parts, default=0.0)) or 1.0
        for block in self.figure.blocks:
            if not block.values.size:
                continue
            if block.look == "bars":
                self._paint_bars(painter, block)
            else:
                self._paint_cells(painter, block, visible, most)
            self._paint_names(painter, block, visible)
            self._paint_frames(painter, block, visible)
        wide, high = self.cell_size()
        sign = face("title")
        for row, column, text in self.figure.signs:
            x = self.left() + self.offset() + (column + 0.5) * wide
            write_centred(painter, x, self.top() + (row + 0.5) * high, text, sign, "ink2")
        self._paint_notes(painter)

    def _seen(self, block: Block, visible: QRectF) -> tuple[range, range]:
        """The rows and the columns of a grid in the visible part, with one more on each side."""
        rows, columns = block.values.shape
        wide, high = self.cell_size()
        corner = self.area(block).topLeft()
        top, bottom = visible.top() - corner.y(), visible.bottom() - corner.y()
        left, right = visible.left() - corner.x(), visible.right() - corner.x()
        return (
            range(max(0, int(top // high)), min(rows, int(bottom // high) + 1)),
            range(max(0, int(left // wide) - 1), min(columns, int(right // wide) + 2)),
        )

    def _shown(self, block: Block, visible: QRectF) -> Iterator[tuple[int, int]]:
        """(row, column) of the cells of a grid in the visible part."""
        rows, columns = self._seen(block, visible)
        return ((r, c) for r in rows for c in columns)

    def _named(self, names: Sequence[str], seen: range) -> Iterator[tuple[int, str]]:
        """(number, name) of the rows or columns that are seen."""
        return ((k, names[k]) for k in seen if k < len(names))

    def _paint_cells(self, painter: QPainter, block: Block, visible: QRectF, most: float) -> None:
        look = theme.current()
        soft = look.colour("now_soft")
        corner = self.area(block).topLeft()
        wide, high = self.cell_size()
        written = block.numbers or (wide >= _widest(block) and high >= look.line_height("body"))
        for r, c in self._shown(block, visible):
            value = float(block.values[r, c])
            rect = QRectF(corner.x() + c * wide, corner.y() + r * high, wide, high)
            inner = rect.adjusted(0.5, 0.5, -0.5, -0.5)
            now = written and framed(block, r, c)  # else the frame alone: its greys are the numbers
            share = abs(value) / most if block.look == "shaded" and isfinite(value) else 0.0
            if block.look == "shaded" or now:
                painter.fillRect(inner, soft if now else grey(share, look.key))
            if marked(block.missing, r, c):
                _hatch(painter, inner)
            if written:
                self._write_number(painter, block, rect, value, (r, c))
            if marked(block.held, r, c):
                painter.setPen(pen("ink2", 1.75, (4, 3)))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRect(rect.adjusted(3, 3, -3, -3))

    def _number_face(self, bold: bool) -> Face:
        large = self.cell_size()[1] >= LARGE * theme.current().line_height("body") / 18
        return face("lead" if large else "body", 700 if bold else 400)

    def _write_number(
        self, painter: QPainter, block: Block, rect: QRectF, value: float, at: tuple[int, int]
    ) -> None:
        now = framed(block, *at)
        text = value_text(value, block.digits + (now and block.digits > 0))
        bold = now or marked(block.missing, *at)
        font = self._number_face(bold)
        if font.width(text) > rect.width() - PAD:
            font = face("body", 700 if bold else 400)
        colour: str | QColor = "ink"
        if block.group is not None:
            colour = theme.current().group(int(block.group[at[1]])) if value else "ink3"
        middle = rect.center()
        if text and marked(block.missing, *at):
            half = font.width(text) / 2 + 3
            ground = QRectF(middle.x() - half, middle.y() - 9, 2 * half, 18)
            painter.fillRect(ground, theme.current().colour("plane"))
        write_centred(painter, middle.x(), middle.y(), text, font, colour)

    def _paint_bars(self, painter: QPainter, block: Block) -> None:
        """Upright bars over the columns, the values of one row each, from a line at 0."""
        look = theme.current()
        area = self.area(block)
        values = np.nan_to_num(block.values).sum(axis=0)
        small = face("caption")
        texts = [value_text(v, block.digits) if v else "" for v in values.tolist()]
        line = theme.current().line_height("caption")
        numbered = max(map(small.width, texts), default=0.0) <= self.cell_size()[0]
        numbered = numbered and area.height() > 4 * line
        low, high = min(0.0, float(values.min())), max(0.0, float(values.max()))
        room = area.adjusted(0, line * (numbered and high > 0), 0, -line * (numbered and low < 0))
        unit = room.height() / ((high - low) or 1.0)
        zero = room.bottom() + low * unit if high > low else room.center().y()
        for c, value in enumerate(values.tolist()):
            cell = self.cell(block, 0, c)
            group = -1 if block.group is None else int(block.group[c])
            bar = QRectF(cell.left() + 0.15 * cell.width(), zero, 0.7 * cell.width(), -value * unit)
            painter.fillRect(bar.normalized(), look.group(group))
            if numbered and value:
                end = bar.bottom() + (line / 2 if value < 0 else -line / 2)
                write_centred(painter, cell.center().x(), end, texts[c], small)
        painter.setPen(pen("ink2", 1.25))
        painter.drawLine(QLineF(area.left(), zero, area.right(), zero))

    def _paint_frames(self, painter: QPainter, block: Block, visible: QRectF) -> None:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if self.lit:
            painter.setPen(pen("ink", 2.5))
            for r, c in self._shown(block, visible):
                if self.pointed_at(block, r, c):
                    painter.drawRect(self.cell(block, r, c).adjusted(1, 1, -1, -1))
        for row, column, rows, columns in block.frames:
            first = self.cell(block, row, column)
            rect = first.united(self.cell(block, row + rows - 1, column + columns - 1))
            for colour, width in (("ink", 5.5), ("now", 2.75)):
                painter.setPen(pen(colour, width))
                painter.drawRect(rect)

    def _paint_names(self, painter: QPainter, block: Block, visible: QRectF) -> None:
        area = self.area(block)
        line = theme.current().line_height("caption")
        rows = {r for r, _, n, _ in block.frames for r in range(r, r + n)}
        columns = {c for _, c, _, n in block.frames for c in range(c, c + n)}
        small_rows = self.cell_size()[1] < 0.8 * theme.current().line_height("caption")
        seen_rows, seen_columns = self._seen(block, visible)
        for r, name in self._named(block.row_labels, seen_rows):
            if small_rows and r not in rows:  # names would cover one another
                continue
            bold = face("body", 700 if r in rows else 0)
            cell = self.cell(block, r, 0)
            write_right(painter, area.left() - LABEL_GAP, cell.center().y(), name, bold, "ink2")
        narrow = not block.numbers and self.cell_size()[0] < _longest(block.column_labels)
        for c, name in self._named(block.column_labels, seen_columns):
            if narrow and c not in columns:
                continue
            cell = self.cell(block, 0, c)
            small = face("caption", 700 if c in columns else 0)
            text = small.cut(name, cell.width() + 4)
            write_centred(
                painter, cell.center().x(), area.top() - line / 2 - 3, text, small, "ink2"
            )
        if block.title:
            above = line + 4 if block.column_labels and not narrow else 2
            heading = face("heading")
            middle = area.top() - above - theme.current().line_height("heading") / 2
            write(painter, area.left(), middle, block.title, heading)

    def _paint_notes(self, painter: QPainter) -> None:
        """Paint the explanations of the marks below the sheet."""
        side = theme.current().line_height("caption")
        left = self.left() + self.offset()
        top = self.top() + self.sheet()[1] * self.cell_size()[1] + 10
        for line, x, text, role in self.note_lines():
            y = top + line * (side + 4)
            box = QRectF(left + x, y, side + 4, side)
            x = box.left()
            if role not in (Role.PLAIN, Role.ACTIVE):
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.setPen(
                    pen("ink2", 1.5, (4, 3)) if role is Role.HELD_OUT else pen("line", 1)
                )
                if role is Role.GHOST:
                    _hatch(painter, box)
                painter.drawRect(box)
                x += box.width() + 6
            colour = "ink" if role is Role.ACTIVE else "ink2"
            write(painter, x, y + side / 2, text, _note_face(role), colour)


def evenly(look: Face, text: str, room: int) -> list[str]:
    """A text in as few lines as `room` pixels need, which are about alike: no lone last word."""
    lines = folded(look.metrics, [text], room)
    if len(lines) < 2:
        return lines
    low, high = 0, room
    while high - low > 1:
        middle = (low + high) // 2
        tried = folded(look.metrics, [text], middle)
        fits = len(tried) == len(lines) and max(map(look.width, tried)) <= middle
        low, high = (low, middle) if fits else (middle, high)
    return folded(look.metrics, [text], high)


def _note_face(role: Role) -> Face:
    return face("heading" if role is Role.ACTIVE else "caption")


def _widest(block: Block) -> float:
    """The width that the numbers and column names of a grid need, in pixels."""
    values = block.values.ravel()
    seen = values[:: max(1, values.size // SEEN)].tolist()
    digits = block.digits
    more = digits + (digits > 0)  # in a frame
    texts = {value_text(v, digits) for v in seen}
    in_frames = {value_text(v, more) for v in seen} if block.frames else ()
    names = (min(face("caption").width(t) - 4, MOST_NAME) for t in block.column_labels[:SEEN])
    return ceil(
        max(
            max(map(face("body").width, texts), default=0.0) + 2 * PAD,
            max(map(face("body", 700).width, in_frames), default=0.0) + 2,
            max(names, default=0.0),
        )
    )


def _longest(names: Sequence[str]) -> float:
    """The width of the longest name, in pixels."""
    return max(map(face("caption").width, names), default=0.0) + 2


def framed(block: Block, row: int, column: int) -> bool:
    """Whether a cell lies in an amber frame."""
    return any(
        r <= row < r + rows and c <= column < c + columns for r, c, rows, columns in block.frames
    )


def marked(cells: Bool | None, row: int, column: int) -> bool:
    """Whether a cell is among the marked ones."""
    return cells is not None and bool(cells[row, column])


def _of(texts: object, at: int) -> str:
    """The text at a place, '' where there are none."""
    return str(texts[at]) if len(texts) > at else ""  # type: ignore[arg-type,index]


def _hatch(painter: QPainter, rect: QRectF) -> None:
    painter.save()
    painter.setClipRect(rect, Qt.ClipOperation.IntersectClip)
    painter.setPen(pen("strong", 0.9, scaled=False))
    x = rect.left() - rect.height()
    while x < rect.right():
        painter.drawLine(QLineF(x, rect.bottom(), x + rect.height(), rect.top()))
        x += HATCH
    painter.restore()
