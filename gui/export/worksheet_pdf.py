"""Worksheets as PDF, with the same content as in HTML."""

import re
from collections.abc import Callable, Sequence
from math import ceil

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPen

from engine.courses.worksheet import Block, Row, Worksheet
from engine.courses.worksheet_html import ALONE, UPRIGHT
from gui.export.paper import (
    BOX,
    GREY,
    INK,
    RULE,
    SOFT,
    Item,
    Pages,
    Part,
    advance,
    below,
    beside,
    box,
    face,
    flowing,
    paragraph,
    pdf,
    rule,
    table,
    tick,
    word,
    words,
)

SPACE = Part(8.0, lambda painter, x, y: None)
LINE, MATH = 20.0, 17  # height of a line of text, size of formulas
WIDE_TABLE = 8  # columns: a wider table takes the whole width
PICTURE = 215.0  # greatest height of the plane's picture
CELL, LABEL, HALF = 65.0, 94.0, 0.5  # widths of a vector's column, of labels; the table's share
SIDE_WIDTH = 236.0  # least width for the working beside the vectors, else it goes below them

Tick = Callable[[float], bool]


def worksheet_pdf(
    worksheets: Sequence[Worksheet], paper: str = "a4", tick: Tick = lambda done: True
) -> bytes | None:
    """The bytes of a PDF with all sheets, then all keys; None when cancelled.

    tick: called with the share that is done; False cancels
    """

    def paint(pages: Pages) -> bool:
        for key in (False, True):
            for done, sheet in enumerate(worksheets):
                if not tick((done / len(worksheets) + key) / 2):
                    return False
                _key(pages, sheet) if key else _sheet(pages, sheet)
        return True

    return pdf(paper, worksheets[0].title, paint)


def _sheet(pages: Pages, sheet: Worksheet) -> None:
    def make(width: float) -> list[list[Part]]:
        title = paragraph(sheet.title, width, 21, weight=700, line=30)
        head = [_head(sheet, width), SPACE, title, paragraph(sheet.intro, width, 13, GREY), SPACE]
        blocks = [_block(block, width, False) for block in sheet.blocks]
        return [[*head, _top(sheet, width), SPACE], *blocks]

    pages.fill((sheet.foot, "Key on its own page", "Learnscope"), make)


def _key(pages: Pages, sheet: Worksheet) -> None:
    def make(width: float) -> list[list[Part]]:
        title = f"Key to sheet {sheet.number} of {sheet.of}: {sheet.title}"
        head = paragraph(title, width, 18, weight=700, line=28)
        blocks = [_block(block, width, True) for block in sheet.blocks]
        return [
            [head, paragraph(f"{sheet.points} points in all.", width, 13, GREY), SPACE],
            *blocks,
        ]

    pages.fill((sheet.foot, "Key", "Learnscope"), make)


def _head(sheet: Worksheet, width: float) -> Part:
    """The head with name, date and points, with lines to write on."""
    font = face(13)
    of = f"of {sheet.points}"

    def paint(painter: QPainter, x: float, y: float) -> None:
        painter.setFont(font)
        right = x + width
        ends = (x + width * 0.455, x + width * 0.725, right - advance(font, of) - 8)
        starts = (x, x + width * 0.49, x + width * 0.80)
        for text, start, end in zip(("Name", "Date", "Points"), starts, ends, strict=True):
            painter.setPen(QColor(GREY))
            painter.drawText(QPointF(start, y + 13), text)
            painter.fillRect(
                QRectF(
                    start + advance(font, text) + 8,
                    y + 15,
                    end - start - advance(font, text) - 8,
                    1,
                ),
                QColor(INK),
            )
        painter.setPen(QColor(GREY))
        painter.drawText(QPointF(right - advance(font, of), y + 13), of)

    return Part(18.0, paint)


def _top(sheet: Worksheet, width: float) -> Part:
    """The table, and what to do: beside it, or below a wide table."""
    wide = len(sheet.cells[0]) > WIDE_TABLE
    left = width if wide else width * HALF - 16
    right = width if wide else width * HALF - 12
    data = below(paragraph(sheet.caption, left, 13, weight=600, line=24), table(sheet.cells, left))
    done = [paragraph(line, right, 12, GREY) for line in sheet.done]
    todo = below(
        paragraph("What to do", right, 13, weight=600, line=24),
        _code(sheet, right),
        *(SPACE, *done) if done else (),
    )
    return below(data, SPACE, todo) if wide else beside((0.0, data), (width - right, todo))


def _code(sheet: Worksheet, width: float) -> Part:
    """The pseudo-code in a frame; lines that questions are about are bold on grey."""
    high, size = 20.0, 12.0
    longest = max(advance(face(size, "mono", 700), text) for text, _ in sheet.code)
    while longest > width - 26 and size > 7:
        longest *= (size - 1) / size
        size -= 1

    def paint(painter: QPainter, x: float, y: float) -> None:
        painter.setPen(QPen(QColor(RULE), 0.8))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(QRectF(x, y, width, high * len(sheet.code) + 12))
        for k, (text, lit) in enumerate(sheet.code):
            row = QRectF(x + 12, y + 6 + k * high, width - 24, high)
            if lit:
                painter.fillRect(row, QColor(SOFT))
            painter.setFont(face(size, "mono", 700 if lit else 400))
            painter.setPen(QColor(INK))
            painter.drawText(row, Qt.AlignmentFlag.AlignVCenter, text)

    return Part(high * len(sheet.code) + 12, paint)


# -- blocks ----------------------------------------------------------------------------------------


def _block(block: Block, width: float, key: bool) -> list[Part]:
    """The parts of a question, with everything filled in for the key."""
    parts = [
        rule(width, high=9.0),
        _title(block, width),
        *([] if block.rows or block.ruled else [SPACE]),
    ]
    if block.prompt:
        parts.append(paragraph(block.prompt, width))
    if block.picture:
        parts += [_picture(block.picture, width), SPACE]
    parts += [flowing(_text_row(block, row, key), width, 26.0) for row in block.text]
    if block.rows:
        parts.append(_work(block, width, key))
    if block.choices:
        parts.append(_choices(block, width, key))
    if key:
        parts += _working(block, width)
    else:
        if block.hint and not block.rows:
            parts.append(paragraph(block.hint, width, 12, GREY))
        parts += [rule(width, high=30.0, at=28.0)] * block.ruled
    return [*parts, SPACE]


def _title(block: Block, width: float) -> Part:
    points = f"{block.points} point{'s' * (block.points != 1)}"
    small = face(12)
    room = width - advance(small, points) - 44
    text = paragraph(block.title, room, 15, weight=600, line=22)

    def paint(painter: QPainter, x: float, y: float) -> None:
        disc = QRectF(x, y + 1, 20, 20)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(INK))
        painter.drawEllipse(disc)
        painter.setPen(QColor("#ffffff"))
        painter.setFont(face(12, weight=700))
        painter.drawText(disc, Qt.AlignmentFlag.AlignCenter, str(block.number))
        text.paint(painter, x + 29, y)
        painter.setFont(small)
        painter.setPen(QColor(GREY))
        painter.drawText(
            QRectF(x, y, width, 22),
            Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter,
            points,
        )

    return Part(text.high, paint)


def _picture(data: bytes, width: float) -> Part:
    image = QImage.fromData(data)
    scale = min(width / max(1, image.width()), PICTURE / max(1, image.height()))
    size = image.width() * scale, image.height() * scale

    def paint(painter: QPainter, x: float, y: float) -> None:
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.drawImage(QRectF(x, y, *size), image)

    return Part(size[1], paint)


def formula(text: str, gap: float = 0.0) -> list[Item]:
    """A formula as items; letters that stand alone are variables, set in italics."""
    upright, italic = face(MATH, "formula"), face(MATH, "formula", italic=True)
    space = advance(upright, " ")
    items = []
    for each in re.findall(r"\s+|\S+", text):
        if each.isspace():
            gap = space
            continue
        runs = re.split(f"({ALONE.pattern})", each)
        for run in filter(None, runs):
            items.append(word(run, italic if ALONE.fullmatch(run) else upright, gap=gap))
            gap = 0.0
    return items


def _text_row(block: Block, row: Sequence[str | int], key: bool) -> list[Item]:
    """A row of text with its boxes, as items.

    A box keeps the space at the end of the text before it.
    """
    items: list[Item] = []
    plain = face(13)
    value = face(MATH, "formula") if block.formal else plain
    gap = 0.0
    for piece in row:
        if isinstance(piece, int):
            shown, opened = block.blanks[piece]
            item = box(shown if key else "", gap=gap + 2) if opened else word(shown, value, gap=gap)
            items.append(item)
            gap = 2.0
            continue
        before = 6.0 if piece[:1].isspace() else gap
        found = formula(piece.strip(), before) if block.formal else words(piece, plain)
        if found and not block.formal:
            found[0] = found[0]._replace(gap=before)
        items += found
        gap = 6.0 if piece[-1:].isspace() else 2.0
    return items


def _work(block: Block, width: float, key: bool) -> Part:
    """The vectors, and beside them, or below wide ones, what is worked out from them."""
    vectors, wide = _vectors(block, width, key)
    if wide + SIDE_WIDTH > width:
        return below(vectors, SPACE, _side(block, width, key))
    return beside((0.0, vectors), (wide + 26, _side(block, width - wide - 26, key)))


def _vectors(block: Block, width: float, key: bool) -> tuple[Part, float]:
    """(part, width) of the vectors: a column for each entry, or for many entries a row for each.

    The rows for each entry are in two blocks side by side.
    """
    count = len(block.heads)
    if count <= UPRIGHT:
        return _grid([("", block.heads)], block.rows, key)
    half = ceil(count / 2)
    sides = []
    x = 0.0
    for places in (range(half), range(half, count)):
        part, wide = _upright(block, places, key)
        sides.append((x, part))
        x += wide + 30
    return beside(*sides), x - 30


def _label(row: Row) -> list[Item]:
    """The label of a row as items; in “x of b” b is a name, not a variable."""
    symbol, of, name = row.label.partition(" of ")
    items = formula(symbol)
    if of:
        items.append(word(f"of {name}", face(MATH, "formula"), gap=5.0))
    return items


def _width(items: Sequence[Item]) -> float:
    total = 0.0
    for item in items:
        total += item.gap + item.width
    return total


def _grid(
    heads: Sequence[tuple[str, Sequence[str]]], rows: Sequence[Row], key: bool
) -> tuple[Part, float]:
    labels = [_label(row) for row in rows]
    first = max(LABEL, *(_width(label) + 12 for label in labels))
    names = heads[0][1]
    cell = (
        max([CELL, *(advance(face(12), name) + 10 for name in names)]) if len(names) < 4 else CELL
    )
    wide = first + cell * len(names)

    def paint(painter: QPainter, x: float, y: float) -> None:
        for j, name in enumerate(names):
            _centred(painter, QRectF(x + first + j * cell, y, cell, 18), name, 12, GREY)
        y += 20
        for row, label in zip(rows, labels, strict=True):
            if row.rule:
                painter.fillRect(QRectF(x, y + 1, wide, 1), QColor(INK))
                y += 6
            flowing(label, first, BOX + 5).paint(painter, x, y)
            for j, text in enumerate(row.values):
                _cell(painter, QRectF(x + first + j * cell, y, cell, BOX + 5), text, row.open, key)
            y += BOX + 5

    return (
        Part(20 + (BOX + 5) * len(rows) + 6 * len([row for row in rows if row.rule]), paint),
        wide,
    )


def _upright(block: Block, places: range, key: bool) -> tuple[Part, float]:
    """(part, width) of a table with a row for each entry and a column for each vector."""
    labels = [_label(row) for row in block.rows]
    names = [block.heads[k] for k in places]
    first = min(110.0, max(advance(face(12), name) for name in names) + 10)
    cells = [max(CELL - 4, _width(label) + 8) for label in labels]

    def paint(painter: QPainter, x: float, y: float) -> None:
        left = x + first
        for label, cell in zip(labels, cells, strict=True):
            flowing(label, cell + 4, 24).paint(
                painter, left + max(0.0, (cell - _width(label)) / 2), y
            )
            left += cell
        y += 26
        for k, name in zip(places, names, strict=True):
            _centred(painter, QRectF(x, y, first, BOX + 4), name, 12, GREY)
            left = x + first
            for row, cell in zip(block.rows, cells, strict=True):
                _cell(painter, QRectF(left, y, cell, BOX + 4), row.values[k], row.open, key)
                left += cell
            y += BOX + 4

    return Part(26 + (BOX + 4) * len(names), paint), first + _width(
        [Item(cell, 0.0, tick(False).paint) for cell in cells]
    )


def _cell(painter: QPainter, area: QRectF, text: str, opened: bool, key: bool) -> None:
    if opened:
        painter.setPen(QPen(QColor(INK), 1.0))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(area.adjusted(3, 3, -3, -3), 3, 3)
    if key or not opened:
        _centred(painter, area, text, 14 if not opened else 13, INK, 600 if opened else 400)


def _centred(
    painter: QPainter, area: QRectF, text: str, size: float, colour: str, weight: int = 400
) -> None:
    """Paint text in the middle of an area, smaller where it would be wider."""
    while size > 7 and advance(face(size, weight=weight), text) > area.width() - 4:
        size -= 1
    painter.setFont(face(size, weight=weight))
    painter.setPen(QColor(colour))
    painter.drawText(area, Qt.AlignmentFlag.AlignCenter, text)


def _side(block: Block, width: float, key: bool) -> Part:
    rows = []
    for gap in block.side:
        items = [*formula(gap.left), box(gap.shown if key else "", 84, gap=8.0)]
        rows.append(flowing(items, width, 38.0))
    if block.test is not None:
        condition, holds = block.test
        items = formula(f"{condition}?")
        items += [tick(key and holds, 14.0), word("yes", face(14), gap=6.0)]
        items += [tick(key and not holds, 16.0), word("no", face(14), gap=6.0)]
        rows.append(flowing(items, width, 30.0))
    if block.hint and not key:
        rows.append(paragraph(block.hint, width, 12, GREY))
    return below(*rows) if rows else Part(0.0, lambda painter, x, y: None)


def _choices(block: Block, width: float, key: bool) -> Part:
    font = face(13)
    items = []
    for label, right in block.choices:
        text = word(label, font, gap=6.0)
        if text.width > width - 40:
            text = word(f"{label[:90]}…", font, gap=6.0)
        mark = tick(key and right)

        def paint(
            painter: QPainter, x: float, baseline: float, mark: Item = mark, text: Item = text
        ) -> None:
            mark.paint(painter, x, baseline)
            text.paint(painter, x + 18, baseline)

        items.append(Item(18 + text.width, 24.0, paint))
    return flowing(items, width, 24.0)


def _working(block: Block, width: float) -> list[Part]:
    """The answer in words where no box shows it, and how it is worked out."""
    parts = [paragraph(block.answer, width, 13, weight=600)] if block.ruled or block.choices else []
    return [*parts, *(paragraph(line, width, 12, GREY) for line in block.working)]
