"""Formulas of a note as items of a running line: the symbols, the numbers put in, the result."""

import re
from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import lru_cache
from string import Formatter
from typing import Any

import numpy as np

from engine.base.notation import Share, number, value_text, vector_texts
from engine.protocol.step import Formula, Note, Operand
from gui.formulas.flow import Box, Column, Item, Listed, Sheet, Stack, Word
from gui.look import theme
from gui.look.ink import Face, face

OPERATORS = {
    "=": 3,
    "←": 3,
    "≈": 3,
    "≤": 3,
    "≥": 3,
    "<": 3,
    ">": 3,
    "+": 2,
    "−": 2,
    "·": 1,
    "×": 1,
    "/": 1,
}
# entries of a vector in a sentence, where a longer one loses its middle; formulas show all
SHORT = 6
LONG = 24  # letters of a value that may break at a space
# type styles of symbols and numbers; for what is too wide
USUAL, LESS = ("formula", "vector"), ("formula less", "vector less")
OPENING, CLOSING = "([{", ")]}"
BRACKETS = frozenset(OPENING + CLOSING)
# space between terms, in type sizes; its factor where they must stay on one line
SPACE, TIGHT = 0.36, 0.6
_ITALIC = re.compile(r"[^\W\d_]+|\W+|[\d_]+")


# -- from templates to items -----------------------------------------------------------------------


def template_items(
    template: str,
    literal: Callable[[str], Box],
    operand: Callable[[str], list[Item]],
    space: float,
    prose: bool = False,
) -> list[Item]:
    """The running line of a template: words as `literal` boxes, {places} as `operand` items.

    prose: whether it breaks at spaces instead of operators
    """
    made: list[Item] = []
    for piece, gap, place in template_pieces(template):
        if place:
            items = operand(piece)
            items[0].space = space if gap else 0.0
            items[0].strength = int(prose and gap)
            made += items
        else:
            strength = (1 if prose else OPERATORS.get(piece, 0)) if gap or not made else 0
            made.append(Item(literal(piece), space if gap else 0.0, strength))
    return made


@lru_cache(maxsize=4096)
def template_pieces(template: str) -> tuple[tuple[str, bool, bool], ...]:
    """(word or name, whether a space precedes it, whether it is the name of a {place}) for each
    piece.

    Cached, as every step has the same few templates.
    """
    made: list[tuple[str, bool, bool]] = []
    for text, name, _, _ in Formatter().parse(template):
        gap = False
        for piece in re.findall(r"\s+|\S+", text):
            if not piece.isspace():
                made.append((piece, gap, False))
            gap = piece.isspace()
        if name is not None:
            made.append((name, gap, True))
    return tuple(made)


def signs_in(template: str) -> int:
    """The number of + and − signs at which a formula's body may break."""
    pieces = enumerate(template_pieces(template))
    return sum(
        OPERATORS.get(piece) == OPERATORS["+"] and (gap or not k)
        for k, (piece, gap, is_name) in pieces
        if not is_name
    )


def value_items(
    o: Operand, look: Face, small: Face, pitch: float, colour: str, tight: float = 1.0
) -> list[Item]:
    """A value as boxes: fractions stacked, vectors as columns, everything else as words."""
    value, digits, tag = o.value, o.digits, o.about
    if isinstance(value, (Share, Fraction)):
        parts = (
            (value.part, value.whole)
            if isinstance(value, Share)
            else (value.numerator, value.denominator)
        )
        if isinstance(value, Share) or value.denominator != 1:
            return [
                Item(
                    Stack(
                        number(parts[0], digits),
                        number(parts[1], digits),
                        small,
                        look.axis,
                        tag,
                        colour,
                    )
                )
            ]
    if is_vector(value):
        return [Item(Column(_entries(value, digits), look, pitch, tag, colour, tight))]
    text = value_text(value, digits)
    words = text.split(" ") if len(text) > LONG else [text]
    return [
        Item(Word([(w, look)], pitch, tag, colour), look.width(" ") * (k > 0))
        for k, w in enumerate(words)
    ]


def is_vector(value: Any) -> bool:
    """Whether a value is a non-empty sequence of entries, and no `Share`."""
    flat = isinstance(value, (tuple, list)) or (isinstance(value, np.ndarray) and value.ndim == 1)
    return flat and not isinstance(value, Share) and len(value) > 0


def _entries(values: Iterable[Any], digits: int) -> list[str]:
    values = list(values)
    numbers = [v for v in values if not isinstance(v, str) and not _nested(v)]
    texts = iter(vector_texts(numbers, digits))
    return [
        v if isinstance(v, str) else (value_text(v) if _nested(v) else next(texts)) for v in values
    ]


def _nested(value: Any) -> bool:
    return isinstance(value, (tuple, list, np.ndarray, Fraction))


def shortened(vector: Iterable[Any]) -> list[Any]:
    """At most SHORT entries of a vector; “…” replaces its middle."""
    entries = list(vector)
    return entries if len(entries) <= SHORT else [*entries[:3], "…", *entries[-2:]]


def short_text(operand: Operand) -> str:
    """The text of an operand within a sentence; long vectors lose their middle."""
    value = operand.value
    if (
        isinstance(value, (np.ndarray, tuple, list))
        and not isinstance(value, Share)
        and len(value) > SHORT
    ):
        return (
            "("
            + ", ".join(
                v if v == "…" else value_text(v, operand.digits)
                for v in map(_plain, shortened(value))
            )
            + ")"
        )
    return operand.text()


def _plain(value: Any) -> Any:
    return value if isinstance(value, str) else np.asarray(value).tolist()


def math_word(text: str, tag: str = "", style: str = USUAL[0]) -> Word:
    """Symbols in STIX: single letters are variables and italic, longer names are upright."""
    upright, slanted = face(style, family="formula"), face(style, family="formula", italic=True)
    runs = [(run, slanted if _variable(run) else upright) for run in _ITALIC.findall(text)]
    return Word(runs or [("", upright)], theme.current().line_height(style), tag)


def _variable(run: str) -> bool:
    return sum(c.isalpha() for c in run) == 1 and run[0].isalpha()


def plain_word(
    text: str, style: str = "vector", weight: int = 500, tag: str = "", colour: str = "ink"
) -> Word:
    return Word([(text, face(style, weight))], theme.current().line_height(style), tag, colour)


def symbol_items(note: Note, template: str, style: str = USUAL[0]) -> list[Item]:
    """A template with the symbols of its operands, in STIX."""

    def operand(name: str) -> list[Item]:
        o = note.operands[name]
        parts = (o.symbol or o.text()).split(" ")
        space = face(style).width(" ")
        return [
            Item(math_word(p, o.about, style), space * (k > 0), OPERATORS.get(p, 0))
            for k, p in enumerate(parts)
        ]

    literal = lambda text: math_word(text, style=style)  # noqa: E731
    items = template_items(
        template, literal, operand, 4.8 * theme.current().line_height(style) / 22
    )
    return nest(spread(items))


def number_items(
    note: Note,
    template: str,
    style: str = USUAL[1],
    result: bool = False,
    colour: str = "ink",
    tight: float = 1.0,
    listed: list[Item] | None = None,
) -> list[Item]:
    """A template with numbers put in; those of a result are bold.

    tight: below 1 brings everything closer together; listed: collects the vectors as columns of a
    table, and their symbols stand in the line
    """
    usual = 500 if style in (USUAL[1], LESS[1]) else 0
    look, small = face(style, 700 if result else usual), face("body", 700 if result else usual)
    pitch = theme.current().line_height(style)
    terms = note.terms(template)

    def operand(name: str) -> list[Item]:
        o = terms[name]
        ink = "ink2" if o.about == "before" else ("ink" if result else colour)
        if listed is not None and is_vector(o.value):
            head = math_word(o.symbol or name, o.about)
            gap = SPACE * look.size if listed else 0.0
            listed.append(
                Item(Listed(head, _entries(o.value, o.digits), look, pitch, o.about, ink), gap, 1)
            )
            return [Item(math_word(o.symbol or name, o.about))]
        return value_items(o, look, small, pitch, ink, tight)

    literal = lambda text: plain_word(text, style, usual, colour=colour)  # noqa: E731
    return nest(spread(template_items(template, literal, operand, SPACE * tight * look.size)))


def spread(items: list[Item]) -> list[Item]:
    """Give the tag 'change' of an operand to the factors beside it: it marks a whole product."""
    for k in [k for k, item in enumerate(items) if item.box.tag == "change"]:
        at = k - 1
        while at > 0 and _text(items[at]) in ("·", "×"):
            first = at - 1
            depth = _text(items[at - 1]).count(")") - _text(items[at - 1]).count("(")
            while depth > 0 and first > 0:
                first -= 1
                depth += _text(items[first]).count(")") - _text(items[first]).count("(")
            if any(item.box.tag for item in items[first:at]):
                break
            for item in items[first : at + 1]:
                item.box.tag = "change"
            at = first - 1
    return items


def nest(items: list[Item]) -> list[Item]:
    """Set the depth of each item, the number of brackets open before it, so that lines break
    outside brackets.
    """
    depth = 0
    for item in items:
        item.depth = depth
        text = _text(item)
        if not BRACKETS.isdisjoint(text):
            depth = max(
                0, depth + sum(text.count(b) for b in OPENING) - sum(text.count(b) for b in CLOSING)
            )
    return items


def _text(item: Item) -> str:
    return item.box.text if isinstance(item.box, Word) else ""


# -- a formula -------------------------------------------------------------------------------------


def lay_formula(sheet: Sheet, note: Note, formula: Formula) -> None:
    """Lay out the symbols on the first row, and below it the numbers put in and the result,
    aligned.

    What is too wide breaks before signs of equality, then gets smaller, then has its vectors in a
    table below; long sums break at their signs.
    """
    symbols = says_more(note, formula)  # then the left side is in the row of symbols
    left = "" if symbols else note.fill(formula.left)
    for type_ in (USUAL, LESS):
        lead = left_items(left, type_)
        if (lines := _lines(sheet.width, note, formula, lead, type_)) is not None:
            if symbols:
                _lay_symbols(sheet, note, formula, type_)
            for k, line in enumerate(lines):
                sheet.flow(
                    line, marked=True, left=_hang(line, _indent(lead), sheet.width) if k else 0.0
                )
            return
    columns: list[Item] = []
    lead = left_items(left, USUAL)
    if symbols:
        _lay_symbols(sheet, note, formula, USUAL)
    sheet.flow(_numbers_row(note, formula, lead, 1.0, USUAL, columns), _indent(lead), marked=True)
    if columns:
        sheet.gap(theme.current().line_height("vector") / 4)
        sheet.flow(columns, marked=True)


def _lay_symbols(sheet: Sheet, note: Note, formula: Formula, type_: tuple[str, str]) -> None:
    """Lay out the row of symbols."""
    scale = theme.current().line_height(type_[0]) / 22
    sheet.flow(
        symbol_items(note, f"{formula.left} {formula.body}".strip(), type_[0]), indent=22 * scale
    )
    sheet.gap(9 * scale)


def _lines(
    width: float, note: Note, formula: Formula, lead: list[Item], type_: tuple[str, str]
) -> list[list[Item]] | None:
    """The numbers on one line, or on several that begin with a sign of equality; None if they are
    too wide.
    """
    row = _numbers_row(note, formula, lead, 1.0, type_)
    if _wide(row) <= width:
        return [row]
    tight = _numbers_row(note, formula, lead, TIGHT, type_)
    if _wide(tight) <= width:
        return [tight]
    signs = range(max(1, len(lead)), len(row))
    starts = [k for k in signs if row[k].strength == OPERATORS["="] and not row[k].depth]
    lines: list[list[Item]] = [[]]
    for begin, end in zip([0, *starts], [*starts, len(row)], strict=True):
        if lines[-1] and _wide(lines[-1] + row[begin:end]) > width - (
            _indent(lead) if len(lines) > 1 else 0.0
        ):
            lines.append([])
        lines[-1] = lines[-1] + row[begin:end]
    return lines if all(_wide(line) <= width for line in lines) else None


def _indent(lead: list[Item]) -> float:
    """The start in pixels of later lines of numbers: below the left side's sign of equality."""
    return _wide(lead[:-1]) + lead[-1].space if lead else 0.0


def _hang(line: list[Item], hang: float, width: float) -> float:
    """The start in pixels of a later line: `hang`, or less where it needs the room."""
    return max(0.0, min(hang, width - _wide(line)))


def _wide(items: list[Item]) -> float:
    return sum(item.box.width + item.space * (k > 0) for k, item in enumerate(items))


def _numbers_row(
    note: Note,
    formula: Formula,
    lead: list[Item],
    tight: float,
    type_: tuple[str, str],
    listed: list[Item] | None = None,
) -> list[Item]:
    """The left side, the body with its numbers and, after a sign of equality, the result."""
    body = number_items(note, formula.body, type_[1], tight=tight, listed=listed)
    if formula.result:
        body += result_items(note, formula.result, type_[1], tight, bool(body), listed)
    if lead and body:
        body[0].space = SPACE * face(type_[1]).size
    return lead + body


def result_items(
    note: Note,
    template: str,
    style: str = USUAL[1],
    tight: float = 1.0,
    gap: bool = True,
    listed: list[Item] | None = None,
) -> list[Item]:
    """'= {result}'; in '{a} − {b} = {result}' only the last number is bold."""
    made: list[Item] = []
    way = template.split(" = ")
    for k, part in enumerate(way):
        items = number_items(
            note, f"= {part}", style, k == len(way) - 1, tight=tight, listed=listed
        )
        items[0].space = SPACE * tight * face(style).size if gap or k else 0.0
        items[0].strength = OPERATORS["="]
        made += items
    return made


def says_more(note: Note, formula: Formula) -> bool:
    """Whether a row of symbols says what the numbers do not."""
    names = (piece for piece, _, is_name in template_pieces(formula.body) if is_name)
    return any(note.operands[name].symbol for name in names) and bool(note.symbols(formula))


def left_items(left: str, type_: tuple[str, str] = USUAL) -> list[Item]:
    """The left side: 'Gain =' in the text face, 'w · x =' as variables."""
    symbols = all(sum(c.isalpha() for c in word) <= 1 for word in left.split())

    def make(text: str) -> Word:
        return math_word(text, style=type_[0]) if symbols else plain_word(text, type_[1])

    return template_items(left, make, lambda name: [Item(make(name))], SPACE * face(type_[1]).size)
