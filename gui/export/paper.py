"""Text, boxes and tables that flow into a width, and the PDF pages that hold them.

Always black on white, whatever the theme. A pixel is 1/96 inch.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QMarginsF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPageSize, QPainter, QPdfWriter, QPen

from gui.look.theme import THEMES

INK, GREY, RULE, PALE, SOFT = "#14181e", "#454e5b", "#7a8492", "#d5dae1", "#e9ecf0"
PAPERS = {
    "a4": (QPageSize.PageSizeId.A4, 794.0, 1123.0),
    "letter": (QPageSize.PageSizeId.Letter, 816.0, 1056.0),
}
DOTS = 1200  # per inch in the file, so that positions are exact to about 0.02 mm
SIDE, TOP, FOOT = 60.0, 42.0, 48.0  # margins; the foot stands in the lower one
# content higher than a page by less than this factor is scaled down; tolerance of rounding
SMALLER, NEARLY = 1.2, 0.01
BOX = 25.0  # height of a box to write in

Draw = Callable[[QPainter, float, float], None]


class Item(NamedTuple):
    """A piece of a line of text.

    gap: space before it, unless it begins a line
    paint: paints it at x and the baseline
    high: its height, where that is more than the line's
    """

    width: float
    gap: float
    paint: Draw
    high: float = 0.0


class Part(NamedTuple):
    """A piece of a page.

    high: its height
    paint: paints it with its upper left corner at x, y
    """

    high: float
    paint: Draw


@lru_cache(maxsize=64)
def face(size: float, family: str = "text", weight: int = 400, italic: bool = False) -> QFont:
    """A font of the program, `size` in pixels.

    family: 'text', 'mono' or 'formula'
    """
    font = QFont()
    font.setFamilies(THEMES["light"].font_families[family])
    font.setPixelSize(round(size))
    font.setWeight(QFont.Weight(weight))
    font.setItalic(italic)
    font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    if family == "text":
        font.setFeature(QFont.Tag("tnum"), 1)
    return font


def advance(font: QFont, text: str) -> float:
    """The width of a text in pixels."""
    return QFontMetricsF(font).horizontalAdvance(text)


def word(text: str, font: QFont, colour: str = INK, gap: float = 0.0) -> Item:
    """A text that is never broken."""

    def paint(painter: QPainter, x: float, baseline: float) -> None:
        painter.setFont(font)
        painter.setPen(QColor(colour))
        painter.drawText(QPointF(x, baseline), text)

    return Item(advance(font, text), gap, paint)


def words(text: str, font: QFont, colour: str = INK) -> list[Item]:
    """The words of a text, which may be broken at its spaces."""
    space = advance(font, " ")
    return [word(each, font, colour, space if k else 0.0) for k, each in enumerate(text.split())]


def box(shown: str, width: float = 58.0, gap: float = 0.0) -> Item:
    """A box to write in, with `shown` in it."""
    font = face(13, weight=600)
    wide = max(width, advance(font, shown) + 12)

    def paint(painter: QPainter, x: float, baseline: float) -> None:
        area = QRectF(x, baseline - BOX / 2 - 4.5, wide, BOX)
        painter.setPen(QPen(QColor(INK), 1.0))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(area, 3, 3)
        painter.setFont(font)
        painter.drawText(area, Qt.AlignmentFlag.AlignCenter, shown)

    return Item(wide, gap, paint, BOX + 6)


def tick(set_: bool, gap: float = 0.0) -> Item:
    """A small check box, checked if `set_`."""

    def paint(painter: QPainter, x: float, baseline: float) -> None:
        painter.setPen(QPen(QColor(INK), 1.0))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(QRectF(x, baseline - 10, 12, 12), 2, 2)
        if set_:
            painter.setPen(QPen(QColor(INK), 1.8))
            painter.drawPolyline(
                [
                    QPointF(x + 2.5, baseline - 4),
                    QPointF(x + 5, baseline - 1),
                    QPointF(x + 9.5, baseline - 8),
                ]
            )

    return Item(12.0, gap, paint)


def flowing(items: Sequence[Item], width: float, line: float) -> Part:
    """The items on as many lines as they need.

    A line is as high as its highest item, at least `line`.
    """
    rows: list[list[tuple[float, Item]]] = [[]]
    x = 0.0
    for item in items:
        gap = item.gap if rows[-1] else 0.0
        if rows[-1] and x + gap + item.width > width:
            rows.append([])
            x = gap = 0.0
        rows[-1].append((x + gap, item))
        x += gap + item.width
    heights = [max([line, *(item.high for _, item in row)]) for row in rows]

    def paint(painter: QPainter, left: float, top: float) -> None:
        for row, high in zip(rows, heights, strict=True):
            for at, item in row:
                item.paint(painter, left + at, top + high / 2 + 4.5)
            top += high

    total = 0.0
    for high in heights:
        total += high
    return Part(total, paint)


def paragraph(
    text: str,
    width: float,
    size: float = 13,
    colour: str = INK,
    weight: int = 400,
    line: float = 0.0,
) -> Part:
    """A text in one face; a word longer than a line is broken anywhere."""
    font = face(size, weight=weight)
    pieces: list[Item] = []
    for k, item in enumerate(text.split()):
        gap = advance(font, " ") if k else 0.0
        for piece in _fitting(item, font, width):
            pieces.append(word(piece, font, colour, gap))
            gap = 0.0
    return flowing(pieces, width, line or round(size * 1.45))


def _fitting(text: str, font: QFont, width: float) -> list[str]:
    """The word in pieces no wider than a line."""
    found = [""]
    for letter in text if advance(font, text) > width else [text]:
        if found[-1] and advance(font, found[-1] + letter) > width:
            found.append("")
        found[-1] += letter
    return found


def below(*parts: Part, gap: float = 0.0) -> Part:
    """The parts one below the other, with `gap` between them."""
    total = gap * max(0, len(parts) - 1)
    for part in parts:
        total += part.high

    def paint(painter: QPainter, x: float, y: float) -> None:
        for part in parts:
            part.paint(painter, x, y)
            y += part.high + gap

    return Part(total, paint)


def beside(*parts: tuple[float, Part]) -> Part:
    """The parts side by side from the same top, each given as (x, part)."""

    def paint(painter: QPainter, x: float, y: float) -> None:
        for at, part in parts:
            part.paint(painter, x + at, y)

    return Part(max((part.high for _, part in parts), default=0.0), paint)


def rule(width: float, colour: str = RULE, high: float = 1.0, at: float = 0.0) -> Part:
    """A horizontal line in a part `high` high, `at` below its top."""

    def paint(painter: QPainter, x: float, y: float) -> None:
        painter.fillRect(QRectF(x, y + at, width, 1.0), QColor(colour))

    return Part(high, paint)


def table(cells: Sequence[Sequence[str]], width: float) -> Part:
    """A table whose first row and first column are heads, stretched to `width`.

    Its type is smaller where it would be wider.
    """
    columns = list(zip(*cells, strict=True))
    for size in (12, 11, 10, 9, 8, 7, 6):
        bold, plain = face(size, weight=600), face(size)
        wide = [max(advance(bold, text) for text in column) + size for column in columns]
        if _total(wide) <= width:
            break
    stretch = min(1.0, 0.0 + width / _total(wide)) if _total(wide) > width else width / _total(wide)
    wide = [each * stretch for each in wide]
    high = size + 11.0

    def paint(painter: QPainter, x: float, y: float) -> None:
        for i, row in enumerate(cells):
            left = x
            for j, text in enumerate(row):
                area = QRectF(left, y + i * high, wide[j], high)
                head = i == 0 or j == 0
                if head:
                    painter.fillRect(area, QColor("#f1f3f6"))
                painter.setPen(QPen(QColor(RULE), 0.8))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRect(area)
                painter.setPen(QColor(INK))
                painter.setFont(bold if head else plain)
                shown = QFontMetricsF(painter.font()).elidedText(
                    text, Qt.TextElideMode.ElideRight, wide[j] - 3
                )
                painter.drawText(area, Qt.AlignmentFlag.AlignCenter, shown)
                left += wide[j]

    return Part(high * len(cells), paint)


def _total(values: Sequence[float]) -> float:
    total = 0.0
    for value in values:
        total += value
    return total


class Pages:
    """A PDF in the making: parts go one below the other.

    A part that does not fit on the rest of a page begins the next one.
    """

    def __init__(self, painter: QPainter, writer: QPdfWriter, size: tuple[float, float]) -> None:
        """size: of a page, in pixels"""
        self._painter, self._writer = painter, writer
        self.page_width, self.page_height = size
        self._painter.scale(DOTS / 96, DOTS / 96)
        self._y = TOP
        self._foot = ("", "", "")
        self._begun = False
        self._scale = 1.0

    @property
    def width(self) -> float:
        """The width between the margins of a page."""
        return self.page_width - 2 * SIDE

    @property
    def room(self) -> float:
        """The height that an empty page has for parts."""
        return self.page_height - TOP - FOOT - 12

    def fill(
        self, foot: tuple[str, str, str], make: Callable[[float], Sequence[Sequence[Part]]]
    ) -> None:
        """Begin a new page and put on it, and on following ones, the parts that `make` returns.

        Content a little too high for one page is scaled down.

        foot: texts at the left, middle and right of the foot
        make: returns, for a width, groups of parts that belong together
        """
        self._foot = foot
        groups = make(self.width)
        high = _total([part.high for group in groups for part in group])
        self._scale = self.room / high if self.room < high < SMALLER * self.room else 1.0
        if self._scale < 1.0:
            groups = make(self.width / self._scale)
        self._next()
        for group in groups:
            self._put(group)

    def _next(self) -> None:
        if self._begun:
            self._writer.newPage()
        self._begun = True
        self._y = TOP
        bottom = self.page_height - FOOT
        rule(self.width, PALE).paint(self._painter, SIDE, bottom)
        font = face(11)
        line = QRectF(SIDE, bottom + 8, self.width, 18)
        sides = (
            Qt.AlignmentFlag.AlignLeft,
            Qt.AlignmentFlag.AlignHCenter,
            Qt.AlignmentFlag.AlignRight,
        )
        for text, side in zip(self._foot, sides, strict=True):
            self._painter.setFont(font)
            self._painter.setPen(QColor(GREY))
            self._painter.drawText(line, side | Qt.AlignmentFlag.AlignVCenter, text)

    def _put(self, parts: Sequence[Part]) -> None:
        """Put parts that belong together, on one page if one can hold them."""
        high = _total([part.high for part in parts]) * self._scale
        if high > self._left and high <= self.room:
            self._next()
        for part in parts:
            if part.high * self._scale > self._left and self._y > TOP:
                self._next()
            self._painter.save()
            self._painter.translate(SIDE, self._y)
            self._painter.scale(self._scale, self._scale)
            part.paint(self._painter, 0.0, 0.0)
            self._painter.restore()
            self._y += part.high * self._scale

    @property
    def _left(self) -> float:
        return self.page_height - FOOT - 12 - self._y + NEARLY


def pdf(paper: str, title: str, paint: Callable[[Pages], bool]) -> bytes | None:
    """The bytes of a PDF whose pages `paint` fills; None if it returns False: cancelled."""
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    size, width, height = PAPERS[paper]
    writer.setPageSize(QPageSize(size))
    writer.setPageMargins(QMarginsF(0, 0, 0, 0))
    writer.setResolution(DOTS)
    writer.setTitle(title)
    writer.setCreator("Learnscope")
    with QPainter(writer) as painter:
        finished = paint(Pages(painter, writer, (width, height)))
    buffer.close()
    return bytes(data.data()) if finished else None
