"""Formulas of a note as items of a running line: the symbols, the numbers put in, the result."""

import re
from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import lru_cache
from string import Formatter
from typing import Any

import numpy as np

from engine.core.notation import Share, number, value_text, vector_texts
from engine.core.step import Formula, Note, Operand
from gui.formulas.flow import Box, Column, Item, Sheet, Stack, Word
from gui.look import theme
from gui.look.ink import Face, face

OPERATORS = {"=": 3, "←": 3, "≈": 3, "≤": 3, "≥": 3, "<": 3, ">": 3, "+": 2, "−": 2, "·": 1, "×": 1, "/": 1}
SHORT, TALL = 6, 24  # entries of a vector: up to SHORT all in a column, up to TALL a column with ⋮, then a row with …
OPENING, CLOSING = "([{", ")]}"
SPACE, TIGHT = 0.36, 0.6  # between terms, in units of the type size; how much closer they move to stay on one line
_ITALIC = re.compile(r"[^\W\d_]+|\W+|[\d_]+")


# -- from templates to items -------------------------------------------------------------------------------------------


def template_items(
    template: str,
    literal: Callable[[str], Box],
    operand: Callable[[str], list[Item]],
    space: float,
    prose: bool = False,
) -> list[Item]:
    """The running line of a template: words as `literal` boxes, {places} as `operand` items; prose breaks at spaces."""
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
    """(word or name, whether a space is before it, whether it is the name of a {place}); each step has the same few."""
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


def value_items(o: Operand, look: Face, small: Face, pitch: float, colour: str, tight: float = 1.0) -> list[Item]:
    """A value as boxes: fractions stacked, vectors as columns, long ones as a row, everything else as a word."""
    value, digits, tag = o.value, o.digits, o.about
    if isinstance(value, (Share, Fraction)):
        parts = (value.part, value.whole) if isinstance(value, Share) else (value.numerator, value.denominator)
        if isinstance(value, Share) or value.denominator != 1:
            return [Item(Stack(number(parts[0], digits), number(parts[1], digits), small, look.axis, tag, colour))]
    flat = isinstance(value, (tuple, list)) or (isinstance(value, np.ndarray) and value.ndim == 1)
    if flat and not isinstance(value, Share) and len(value):
        entries = _entries(shortened(value), digits)
        if len(value) <= TALL:
            return [Item(Column(["⋮" if e == "…" else e for e in entries], look, pitch, tag, colour, tight))]
        words = [f"{'(' * (k == 0)}{e}{')' if k == len(entries) - 1 else ','}" for k, e in enumerate(entries)]
        return [Item(Word([(w, look)], pitch, tag, colour), look.width(" ") * (k > 0)) for k, w in enumerate(words)]
    return [Item(Word([(value_text(value, digits), look)], pitch, tag, colour))]


def _entries(values: list[Any], digits: int) -> list[str]:
    numbers = [v for v in values if not isinstance(v, str) and not _nested(v)]
    texts = iter(vector_texts(numbers, digits))
    return [v if isinstance(v, str) else (value_text(v) if _nested(v) else next(texts)) for v in values]


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
        return (
            "("
            + ", ".join(v if v == "…" else value_text(v, operand.digits) for v in map(_plain, shortened(value)))
            + ")"
        )
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

    items = template_items(template, math_word, operand, 4.8 * theme.current().line_height("formula") / 22)
    return nest(spread(items))


def number_items(
    note: Note, template: str, style: str = "vector", result: bool = False, colour: str = "ink", tight: float = 1.0
) -> list[Item]:
    """A template with its numbers put in; those of a result are bold. tight < 1 brings everything closer together."""
    usual = 500 if style == "vector" else 0
    look, small = face(style, 700 if result else usual), face("body", 700 if result else usual)
    pitch, terms = theme.current().line_height(style), note.terms(template)

    def operand(name: str) -> list[Item]:
        o = terms[name]
        ink = "ink2" if o.about == "before" else ("ink" if result else colour)
        return value_items(o, look, small, pitch, ink, tight)

    literal = lambda text: plain_word(text, style, usual, colour=colour)  # noqa: E731
    return nest(spread(template_items(template, literal, operand, SPACE * tight * look.size)))


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


def nest(items: list[Item]) -> list[Item]:
    """Lines break outside of brackets while they can: each item knows how many are open before it."""
    depth = 0
    for item in items:
        item.depth = depth
        text = _text(item)
        depth = max(0, depth + sum(text.count(b) for b in OPENING) - sum(text.count(b) for b in CLOSING))
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
        lead = left_items(note.fill(formula.left))
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
    return body + result_items(note, formula.result, tight=tight, gap=bool(body))


def result_items(note: Note, template: str, style: str = "vector", tight: float = 1.0, gap: bool = True) -> list[Item]:
    """'= {result}'; of '{a} − {b} = {result}' only the last number is bold."""
    made: list[Item] = []
    way = template.split(" = ")
    for k, part in enumerate(way):
        items = number_items(note, f"= {part}", style, result=k == len(way) - 1, tight=tight)
        items[0].space = SPACE * tight * face(style).size if gap or k else 0.0
        items[0].strength = OPERATORS["="]
        made += items
    return made


def says_more(note: Note, formula: Formula) -> bool:
    """Whether a row of symbols tells what the numbers do not."""
    names = [name for _, name, _, _ in Formatter().parse(formula.body) if name]
    if not any(note.operands[name].symbol for name in names):
        return False
    return bool(note.symbols(formula))


def left_items(left: str) -> list[Item]:
    """'Gain =' in the text face, 'w · x =' as variables."""
    symbols = all(sum(c.isalpha() for c in word) <= 1 for word in left.split())
    make = math_word if symbols else plain_word
    return template_items(left, make, lambda name: [Item(make(name))], SPACE * face("vector").size)
