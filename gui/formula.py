"""Formulas of a note as boxes on lines: the symbols, the numbers put in, the result; wrapped at operators."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from string import Formatter
from typing import Any

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter

from engine.core.notation import Share, fixed, number, value_text
from engine.core.step import Formula, Note, Operand
from gui import theme
from gui.ink import Face, face, pen

OPERATORS = {"=": 3, "←": 3, "≈": 3, "≤": 3, "≥": 3, "<": 3, ">": 3, "+": 2, "−": 2, "·": 1, "×": 1, "/": 1}
SHORT, TALL = 6, 24  # entries of a vector: up to SHORT all in a column, up to TALL a column with ⋮, then a row with …
MOVING = ("change", "current")
MARK_WIDTH, MARK_ROOM = 34.0, 17.0
SPACE, TIGHT = 0.36, 0.6  # between terms, in units of the type size; how much closer they move to stay on one line
_ITALIC = re.compile(r"[^\W\d_]+|\W+|[\d_]+")


# -- boxes -------------------------------------------------------------------------------------------------------------


@dataclass
class Box:
    """A piece painted whole. above, below: its reach from the baseline; tag: what it speaks of."""

    width: float = 0.0
    above: float = 0.0
    below: float = 0.0
    tag: str = ""
    colour: str = "ink"

    def paint(self, painter: QPainter, x: float, baseline: float) -> None:
        """Draw it with its left end at x."""


class Word(Box):
    """Text in one or several faces; `height` is the line's."""

    def __init__(self, runs: Sequence[tuple[str, Face]], height: float, tag: str = "", colour: str = "ink") -> None:
        axis = runs[0][1].axis
        super().__init__(sum(f.width(t) for t, f in runs), height / 2 + axis, height / 2 - axis, tag, colour)
        self.runs = runs

    @property
    def text(self) -> str:
        return "".join(text for text, _ in self.runs)

    def paint(self, painter: QPainter, x: float, baseline: float) -> None:
        painter.setPen(theme.current().colour(self.colour))
        for text, look in self.runs:
            painter.setFont(look.font)
            painter.drawText(QPointF(x, baseline), text)
            x += look.width(text)


class Stack(Box):
    """A fraction: part over whole."""

    def __init__(self, part: str, whole: str, look: Face, axis: float, tag: str = "", colour: str = "ink") -> None:
        self.half = look.size * 1.08
        super().__init__(max(look.width(part), look.width(whole)) + 5, self.half + axis, self.half - axis, tag, colour)
        self.part, self.whole, self.look, self.axis = part, whole, look, axis

    def paint(self, painter: QPainter, x: float, baseline: float) -> None:
        painter.setPen(pen(self.colour, 1.25))
        middle = round(baseline - self.axis) + 0.5
        painter.drawLine(QLineF(x, middle, x + self.width, middle))
        painter.setFont(self.look.font)
        for text, line in ((self.part, middle - 3.5), (self.whole, middle + 0.86 * self.look.size + 2)):
            painter.drawText(QPointF(x + (self.width - self.look.width(text)) / 2, round(line)), text)


class Column(Box):
    """A column vector in brackets, its numbers aligned at the right."""

    def __init__(
        self, entries: Sequence[str], look: Face, pitch: float, tag: str = "", colour: str = "ink", tight: float = 1.0
    ) -> None:
        self.pad = 0.62 * tight * look.size
        height = len(entries) * pitch + 1
        width = max(look.width(entry) for entry in entries) + 2 * self.pad
        super().__init__(round(width), height / 2 + look.axis, height / 2 - look.axis, tag, colour)
        self.entries, self.look, self.pitch = entries, look, pitch

    def paint(self, painter: QPainter, x: float, baseline: float) -> None:
        top = round(baseline - self.above) + 0.5
        bottom, left, right = top + round(self.above + self.below), round(x) + 0.5, round(x + self.width) - 0.5
        tick = 0.36 * self.look.size
        painter.setPen(pen(self.colour, 1))
        for edge, inner in ((left, left + tick), (right, right - tick)):
            painter.drawPolyline([QPointF(inner, top), QPointF(edge, top), QPointF(edge, bottom), QPointF(inner, bottom)])
        painter.setFont(self.look.font)
        for row, entry in enumerate(self.entries):
            line = round(top + (row + 0.5) * self.pitch + self.look.axis)
            start = right + 0.5 - self.pad - self.look.width(entry)
            if entry == "⋮":
                start = (left + right - self.look.width(entry)) / 2
            painter.drawText(QPointF(start, line), entry)


@dataclass
class Item:
    """A box in a running line. space: before it; strength: how good a line break is before it (0 = only in need)."""

    box: Box
    space: float = 0.0
    strength: int = 0


# -- lines -------------------------------------------------------------------------------------------------------------


@dataclass
class Sheet:
    """What was laid out: boxes with the places of their baselines, marks under terms, rules."""

    width: float
    height: float = 0.0
    placed: list[tuple[Box, float, float]] = field(default_factory=list)
    marks: list[tuple[float, float, float, str]] = field(default_factory=list)
    rules: list[float] = field(default_factory=list)

    def flow(self, items: Sequence[Item], indent: float = 0.0, marked: bool = False, left: float = 0.0) -> None:
        """Add lines of `items` below; later lines start at `indent`; marked: bars under the terms with a tag."""
        begin = 0
        while begin < len(items):
            start = left + (indent if begin else 0.0)
            end = _line_end(items, begin, self.width - start)
            self._place(items[begin:end], start, marked)
            begin = end

    def _place(self, line: Sequence[Item], x: float, marked: bool) -> None:
        baseline = round(self.height + max(item.box.above for item in line))
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
        """A thin line over the whole width."""
        self.rules.append(round(self.height))
        self.height += 1

    def paint(self, painter: QPainter, lit: frozenset[str] = frozenset()) -> None:
        """Draw everything; terms whose tag is in `lit` get a ground."""
        look = theme.current()
        for y in self.rules:
            painter.fillRect(QRectF(0, y, self.width, 1), look.colour("line"))
        for box, x, baseline in self.placed:
            if box.tag and box.tag in lit:
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(look.colour("hover"))
                ground = QRectF(x - 3, baseline - box.above, box.width + 6, box.above + box.below)
                painter.drawRoundedRect(ground, 3, 3)
        for box, x, baseline in self.placed:
            box.paint(painter, x, baseline)
        for left, right, y, tag in self.marks:
            paint_mark(painter, (left + right) / 2, y, min(MARK_WIDTH * look.stroke, right - left), tag, tag in lit)

    def tag_at(self, x: float, y: float) -> str:
        """The tag of the term at a place; its mark belongs to it."""
        for box, left, baseline in self.placed:
            if box.tag and left - 3 <= x <= left + box.width + 3 and -2 <= y - baseline + box.above <= box.above + box.below + 2:
                return box.tag
        near = (tag for left, right, mark, tag in self.marks if left <= x <= right and abs(y - mark) <= 8)
        return next(near, "")


def _line_end(items: Sequence[Item], begin: int, width: float) -> int:
    """Where the line that starts with item `begin` ends: at the strongest late break that keeps it within `width`."""
    reach, best = 0.0, (0, begin)
    for k in range(begin, len(items)):
        item = items[k]
        if k > begin:
            if item.space or item.strength:
                late = item.strength if reach > 0.4 * width else min(item.strength, 1)
                best = max(best, (late, k))
            reach += item.space
        reach += item.box.width
        if reach > width + 0.5 and k > begin:
            return best[1] if best[1] > begin else k
    return len(items)


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


def paint_mark(painter: QPainter, centre: float, y: float, width: float, tag: str, lit: bool = False) -> None:
    """The bar under a term, in the form of the mark on the plane that it speaks of."""
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


# -- from templates to items -------------------------------------------------------------------------------------------


def template_items(
    template: str, literal: Callable[[str], Box], operand: Callable[[str], list[Item]], space: float, prose: bool = False
) -> list[Item]:
    """The running line of a template: words as `literal` boxes, {places} as `operand` items; prose breaks at spaces."""
    made: list[Item] = []
    for text, name, _, _ in Formatter().parse(template):
        gap = False
        for piece in re.findall(r"\s+|\S+", text):
            if piece.isspace():
                gap = True
                continue
            strength = (1 if prose else OPERATORS.get(piece, 0)) if gap or not made else 0
            made.append(Item(literal(piece), space if gap else 0.0, strength))
            gap = False
        if name is not None:
            items = operand(name)
            items[0].space = space if gap else 0.0
            items[0].strength = int(prose and gap)
            made += items
    return made


def value_items(o: Operand, look: Face, small: Face, pitch: float, colour: str, tight: float = 1.0) -> list[Item]:
    """A value as boxes: fractions stacked, vectors as columns, long ones as a row, everything else as a word."""
    value, digits, tag = o.value, o.digits, o.about
    if isinstance(value, (Share, Fraction)):
        parts = (value.part, value.whole) if isinstance(value, Share) else (value.numerator, value.denominator)
        if isinstance(value, Share) or value.denominator != 1:
            return [Item(Stack(number(parts[0]), number(parts[1]), small, look.axis, tag, colour))]
    flat = isinstance(value, (tuple, list)) or (isinstance(value, np.ndarray) and value.ndim == 1)
    if flat and not isinstance(value, Share) and len(value):
        entries = [v if isinstance(v, str) else (value_text(v) if _nested(v) else fixed(v, digits)) for v in shortened(value)]
        if len(value) <= TALL:
            return [Item(Column(["⋮" if e == "…" else e for e in entries], look, pitch, tag, colour, tight))]
        words = [f"{'(' * (k == 0)}{e}{')' if k == len(entries) - 1 else ','}" for k, e in enumerate(entries)]
        return [Item(Word([(w, look)], pitch, tag, colour), look.width(" ") * (k > 0)) for k, w in enumerate(words)]
    return [Item(Word([(value_text(value, digits), look)], pitch, tag, colour))]


def _nested(value: Any) -> bool:
    return isinstance(value, (tuple, list, np.ndarray, Fraction))


def shortened(vector: Iterable[Any]) -> list[Any]:
    """At most SHORT entries of a vector; … stands for those left out of the middle."""
    entries = list(vector)
    return entries if len(entries) <= SHORT else [*entries[:3], "…", *entries[-2:]]


def short_text(operand: Operand) -> str:
    """An operand within a sentence; long vectors lose their middle."""
    value = operand.value
    if isinstance(value, (np.ndarray, tuple, list)) and not isinstance(value, Share) and len(value) > SHORT:
        return "(" + ", ".join(v if v == "…" else value_text(v, operand.digits) for v in map(_plain, shortened(value))) + ")"
    return operand.text()


def _plain(value: Any) -> Any:
    return value if isinstance(value, str) else np.asarray(value).tolist()


def math_word(text: str, tag: str = "") -> Word:
    """Symbols in STIX: single letters are variables and italic, names stay upright."""
    upright, slanted = face("formula", family="formula"), face("formula", family="formula", italic=True)
    runs = [(run, slanted if _variable(run) else upright) for run in _ITALIC.findall(text)]
    return Word(runs or [("", upright)], theme.current().line_height("formula"), tag)


def _variable(run: str) -> bool:
    return sum(c.isalpha() for c in run) == 1 and run[0].isalpha()


def plain_word(text: str, style: str = "vector", weight: int = 500, tag: str = "", colour: str = "ink") -> Word:
    return Word([(text, face(style, weight))], theme.current().line_height(style), tag, colour)


def symbol_items(note: Note, template: str) -> list[Item]:
    """A template with its symbols, in STIX."""

    def operand(name: str) -> list[Item]:
        o = note.operands[name]
        parts = (o.symbol or short_text(o)).split(" ")
        space = face("formula").width(" ")
        return [Item(math_word(p, o.about), space * (k > 0), OPERATORS.get(p, 0)) for k, p in enumerate(parts)]

    return spread(template_items(template, math_word, operand, 4.8 * theme.current().line_height("formula") / 22))


def number_items(
    note: Note, template: str, style: str = "vector", result: bool = False, colour: str = "ink", tight: float = 1.0
) -> list[Item]:
    """A template with its numbers put in; those of a result are bold. tight < 1 brings everything closer together."""
    look, small = face(style, 700 if result else 500), face("body", 700 if result else 500)
    pitch = theme.current().line_height(style)

    def operand(name: str) -> list[Item]:
        o = note.operands[name]
        ink = "ink2" if o.about == "before" else ("ink" if result else colour)
        return value_items(o, look, small, pitch, ink, tight)

    literal = lambda text: plain_word(text, style, colour=colour)  # noqa: E731
    return spread(template_items(template, literal, operand, SPACE * tight * look.size))


def spread(items: list[Item]) -> list[Item]:
    """The tag 'change' speaks of a whole product: the factors beside its operand get it too."""
    for k in [k for k, item in enumerate(items) if item.box.tag == "change"]:
        at = k - 1
        while at > 0 and _text(items[at]) in ("·", "×"):
            first, depth = at - 1, _text(items[at - 1]).count(")") - _text(items[at - 1]).count("(")
            while depth > 0 and first > 0:
                first -= 1
                depth += _text(items[first]).count(")") - _text(items[first]).count("(")
            if any(item.box.tag for item in items[first:at]):
                break
            for item in items[first : at + 1]:
                item.box.tag = "change"
            at = first - 1
    return items


def _text(item: Item) -> str:
    return item.box.text if isinstance(item.box, Word) else ""


# -- a formula ---------------------------------------------------------------------------------------------------------


def lay_formula(sheet: Sheet, note: Note, formula: Formula) -> None:
    """Symbols on the first row; below it the numbers put in and the result, aligned."""
    scale = theme.current().line_height("formula") / 22
    if says_more(note, formula):
        sheet.flow(symbol_items(note, f"{formula.left} {formula.body}".strip()), indent=22 * scale)
        sheet.gap(9 * scale)
        lead: list[Item] = []
    else:
        lead = left_items(formula.left)
    hang = sum(i.box.width + i.space for i in lead[:-1]) + (lead[-1].space if lead else 0)
    for tight in (1.0, TIGHT, 1.0):
        row = [*lead, *_numbers_row(note, formula, tight)]
        if lead:
            row[len(lead)].space = SPACE * face("vector").size
        if sum(item.box.width + item.space for item in row) <= sheet.width:
            break
    sheet.flow(row, hang, marked=True)


def _numbers_row(note: Note, formula: Formula, tight: float) -> list[Item]:
    """The body with its numbers and, after a sign of equality, the result."""
    body = number_items(note, formula.body, tight=tight)
    if not formula.result:
        return body
    result = number_items(note, f"= {formula.result}", result=True, tight=tight)
    result[0].space, result[0].strength = (SPACE * tight * face("vector").size if body else 0.0), 3
    return body + result


def says_more(note: Note, formula: Formula) -> bool:
    """Whether a row of symbols tells what the numbers do not."""
    names = [name for _, name, _, _ in Formatter().parse(formula.body) if name]
    if not any(note.operands[name].symbol for name in names):
        return False
    symbols = formula.body.format_map({n: o.symbol or o.text() for n, o in note.operands.items()})
    return symbols.strip() != formula.left.rstrip("=← ").strip()


def left_items(left: str) -> list[Item]:
    """'Gain =' in the text face, 'w · x =' as variables."""
    symbols = all(sum(c.isalpha() for c in word) <= 1 for word in left.split())
    make = math_word if symbols else plain_word
    return template_items(left, make, lambda name: [Item(make(name))], SPACE * face("vector").size)
