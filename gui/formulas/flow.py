"""Boxes on lines: words, fractions and column vectors that flow into a given width.

Painted with the current theme.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import ceil

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter

from engine.base.tags import is_lit
from gui.look import theme
from gui.look.ink import Face, pen

MOVING = ("change", "current")
MARK_WIDTH, MARK_ROOM = 34.0, 17.0
EARLY = 0.4  # share of a line: a break before it leaves much room empty


# -- boxes -----------------------------------------------------------------------------------------


@dataclass
class Box:
    """A piece that is painted whole.

    above, below: its extent from the baseline; tag: the object that it is about
    """

    width: float = 0.0
    above: float = 0.0
    below: float = 0.0
    tag: str = ""
    colour: str = "ink"

    def paint(self, painter: QPainter, x: float, baseline: float) -> None:
        """Draw it with its left end at x."""


class Word(Box):
    """Text in one or several faces; `height` is that of the line."""

    def __init__(
        self, runs: Sequence[tuple[str, Face]], height: float, tag: str = "", colour: str = "ink"
    ) -> None:
        axis = runs[0][1].axis
        width = 0.0
        for text, look in runs:
            width += look.width(text)
        super().__init__(width, height / 2 + axis, height / 2 - axis, tag, colour)
        self.runs = runs

    @property
    def text(self) -> str:
        return "".join(text for text, _ in self.runs)

    def paint(self, painter: QPainter, x: float, baseline: float) -> None:
        painter.setPen(theme.current().colour(self.colour))
        for text, look in self.runs:
            look.draw(painter, x, baseline, text)
            x += look.width(text)


class Stack(Box):
    """A fraction: `part` over `whole`."""

    def __init__(
        self, part: str, whole: str, look: Face, axis: float, tag: str = "", colour: str = "ink"
    ) -> None:
        self.half = look.size * 1.08
        super().__init__(
            max(look.width(part), look.width(whole)) + 5,
            self.half + axis,
            self.half - axis,
            tag,
            colour,
        )
        self.part, self.whole, self.look, self.axis = part, whole, look, axis

    def paint(self, painter: QPainter, x: float, baseline: float) -> None:
        painter.setPen(pen(self.colour, 1.25))
        middle = round(baseline - self.axis) + 0.5
        painter.drawLine(QLineF(x, middle, x + self.width, middle))
        painter.setFont(self.look.font)
        for text, line in (
            (self.part, middle - 3.5),
            (self.whole, middle + 0.86 * self.look.size + 2),
        ):
            painter.drawText(
                QPointF(x + (self.width - self.look.width(text)) / 2, round(line)), text
            )


class Column(Box):
    """A column vector in brackets, its numbers aligned at the right."""

    def __init__(
        self,
        entries: Sequence[str],
        look: Face,
        pitch: float,
        tag: str = "",
        colour: str = "ink",
        tight: float = 1.0,
    ) -> None:
        self.pad = 0.62 * tight * look.size
        height = len(entries) * pitch + 1
        width = max(look.width(entry) for entry in entries) + 2 * self.pad
        super().__init__(round(width), height / 2 + look.axis, height / 2 - look.axis, tag, colour)
        self.entries, self.look, self.pitch = entries, look, pitch

    def paint(self, painter: QPainter, x: float, baseline: float) -> None:
        top = round(baseline - self.above) + 0.5
        bottom = top + round(self.above + self.below)
        left = round(x) + 0.5
        right = round(x + self.width) - 0.5
        tick = 0.36 * self.look.size
        painter.setPen(pen(self.colour, 1))
        for edge, inner in ((left, left + tick), (right, right - tick)):
            painter.drawPolyline(
                [
                    QPointF(inner, top),
                    QPointF(edge, top),
                    QPointF(edge, bottom),
                    QPointF(inner, bottom),
                ]
            )
        painter.setFont(self.look.font)
        for row, entry in enumerate(self.entries):
            line = round(top + (row + 0.5) * self.pitch + self.look.axis)
            start = right + 0.5 - self.pad - self.look.width(entry)
            painter.drawText(QPointF(start, line), entry)


class Listed(Box):
    """A column of a table: its head, a line, and all its numbers, aligned at the right."""

    def __init__(
        self,
        head: Word,
        entries: Sequence[str],
        look: Face,
        pitch: float,
        tag: str = "",
        colour: str = "ink",
    ) -> None:
        self.wide = max(look.width(entry) for entry in entries)
        super().__init__(
            max(self.wide, head.width) + look.size, pitch, len(entries) * pitch + 3, tag, colour
        )
        self.head, self.entries, self.look, self.pitch = head, entries, look, pitch

    def paint(self, painter: QPainter, x: float, baseline: float) -> None:
        right = x + self.width - self.look.size / 2
        self.head.paint(
            painter, right - self.head.width, baseline - self.pitch / 2 + self.head.runs[0][1].axis
        )
        painter.fillRect(
            QRectF(x, round(baseline), self.width, 1), theme.current().colour("strong")
        )
        painter.setPen(theme.current().colour(self.colour))
        painter.setFont(self.look.font)
        for row, entry in enumerate(self.entries):
            line = round(baseline + 3 + (row + 0.5) * self.pitch + self.look.axis)
            painter.drawText(QPointF(right - self.look.width(entry), line), entry)


@dataclass
class Item:
    """A box in a running line.

    space: pixels before it; strength: how good a line break before it is (0: only if needed);
    depth: the number of open brackets, which a break should not tear apart
    """

    box: Box
    space: float = 0.0
    strength: int = 0
    depth: int = 0


# -- lines -----------------------------------------------------------------------------------------


@dataclass
class Sheet:
    """A finished layout: boxes with the places of their baselines, marks under terms, rules."""

    width: float
    height: float = 0.0
    placed: list[tuple[Box, float, float]] = field(default_factory=list)
    marks: list[tuple[float, float, float, str]] = field(default_factory=list)
    rules: list[float] = field(default_factory=list)

    def flow(
        self, items: Sequence[Item], indent: float = 0.0, marked: bool = False, left: float = 0.0
    ) -> None:
        """Add lines of `items` below; all but the first start at `indent`; marked: tagged terms get
        bars.
        """
        begin = 0
        while begin < len(items):
            start = left + (indent if begin else 0.0)
            end = _line_end(items, begin, self.width - start, self.width - left - indent)
            self._place(items[begin:end], start, marked)
            begin = end

    def _place(self, line: Sequence[Item], x: float, marked: bool) -> None:
        baseline = ceil(self.height + max(item.box.above for item in line) - 0.01)
        first = len(self.placed)
        for k, item in enumerate(line):
            x += item.space if k else 0.0
            self.placed.append((item.box, x, baseline))
            x += item.box.width
        self.height = baseline + max(item.box.below for item in line)
        spans = _tagged_spans(self.placed[first:])
        if marked and spans:
            scale = theme.current().stroke
            self.marks += [(a, b, self.height + 10 * scale, tag) for a, b, tag in spans]
            self.height += MARK_ROOM * scale

    def gap(self, pixels: float) -> None:
        self.height += pixels

    def rule(self) -> None:
        """Add a thin line over the whole width."""
        self.rules.append(round(self.height))
        self.height += 1

    def paint(self, painter: QPainter, lit: frozenset[str] = frozenset()) -> None:
        """Draw everything; terms whose tag is in `lit` get a background."""
        look = theme.current()
        for y in self.rules:
            painter.fillRect(QRectF(0, y, self.width, 1), look.colour("line"))
        for box, x, baseline in self.placed:
            if is_lit(box.tag, lit):
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(look.colour("hover"))
                ground = QRectF(x - 3, baseline - box.above, box.width + 6, box.above + box.below)
                painter.drawRoundedRect(ground, 3, 3)
        for box, x, baseline in self.placed:
            box.paint(painter, x, baseline)
        for left, right, y, tag in self.marks:
            paint_mark(
                painter,
                (left + right) / 2,
                y,
                min(MARK_WIDTH * look.stroke, right - left),
                tag,
                is_lit(tag, lit),
            )

    def tag_at(self, x: float, y: float) -> str:
        """The tag of the term, or of the mark under it, at a place; '' if there is none."""
        for box, left, baseline in self.placed:
            if (
                box.tag
                and left - 3 <= x <= left + box.width + 3
                and -2 <= y - baseline + box.above <= box.above + box.below + 2
            ):
                return box.tag
        near = (
            tag
            for left, right, mark, tag in self.marks
            if left <= x <= right and abs(y - mark) <= 8
        )
        return next(near, "")


def _line_end(items: Sequence[Item], begin: int, width: float, later: float) -> int:
    """The index after the last item of the line that starts with item `begin`.

    It ends at the strongest break near the end that keeps it within `width`, outside
    brackets if there is one. later: the width of the lines below
    """
    reach = 0.0
    # by how much a break tears apart: (strength, item after it)
    best: dict[int, tuple[int, int]] = {}
    # the latest such break: (item after it, length of the line)
    last: dict[int, tuple[int, float]] = {}
    for k in range(begin, len(items)):
        item = items[k]
        if k > begin:
            if _may_break(item):
                rank = item.strength if reach > EARLY * width else min(item.strength, 1)
                torn = _torn(items, k)
                best[torn] = max(best.get(torn, (rank, k)), (rank, k))
                last[torn] = k, reach
            reach += item.space
        reach += item.box.width
        if reach > width + 0.5 and k > begin:
            # no nearly empty line for the sake of a bracket that the next line cannot hold either
            for torn in sorted(best):
                at, full = last[torn]
                if (
                    full > EARLY * width
                    or _wide(items[at : _next_break(items, at, torn)]) <= later + 0.5
                ):
                    return best[torn][1]
            return max(best.values())[1] if best else k + _is_percent(item)
    return len(items)


def _is_percent(item: Item) -> bool:
    return isinstance(item.box, Word) and item.box.text.startswith("%")


def _may_break(item: Item) -> bool:
    """Whether a line may end before the item; a % stays with its number."""
    return bool(item.space or item.strength) and not _is_percent(item)


def widest_piece(items: Sequence[Item]) -> float:
    """The width in pixels of the widest item, a number together with its %."""
    after = [item.space + item.box.width if _is_percent(item) else 0.0 for item in items[1:]]
    return max(
        (item.box.width + more for item, more in zip(items, [*after, 0.0], strict=True)),
        default=0.0,
    )


def _torn(items: Sequence[Item], k: int) -> int:
    """How much a break before item k tears apart: the open brackets, plus 1 between a sign and what
    follows it.
    """
    return items[k].depth + (items[k - 1].strength > 0 and not items[k].strength)


def _next_break(items: Sequence[Item], begin: int, torn: int) -> int:
    """The next break after item `begin` that tears no more apart than `torn`."""
    rest = range(begin + 1, len(items))
    ends = (k for k in rest if _may_break(items[k]) and _torn(items, k) <= torn)
    return next(ends, len(items))


def _wide(items: Sequence[Item]) -> float:
    return sum(item.box.width + item.space * (k > 0) for k, item in enumerate(items))


def _tagged_spans(placed: Sequence[tuple[Box, float, float]]) -> list[tuple[float, float, str]]:
    """(left, right, tag) of every run of neighbours with the same tag."""
    spans: list[tuple[float, float, str]] = []
    previous = ""
    for box, x, _ in placed:
        if box.tag and box.tag == previous:
            spans[-1] = (spans[-1][0], x + box.width, box.tag)
        elif box.tag:
            spans.append((x, x + box.width, box.tag))
        previous = box.tag
    return spans


def paint_mark(
    painter: QPainter, centre: float, y: float, width: float, tag: str, lit: bool = False
) -> None:
    """The bar under a term, in the form of its mark on the plane."""
    look = theme.current()
    thick = (5.0 if lit else 3.5) * look.stroke
    rect = QRectF(centre - width / 2, y - thick / 2, width, thick)
    if tag in MOVING:
        painter.setPen(pen("ink", 1.5 if lit else 1.25))
        painter.setBrush(look.colour("now"))
        painter.drawRoundedRect(rect.adjusted(0, -0.75, 0, 0.75), 1, 1)
        return
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(look.colour("ghost" if tag == "before" else "ink"))
    painter.drawRoundedRect(rect, thick / 2, thick / 2)
