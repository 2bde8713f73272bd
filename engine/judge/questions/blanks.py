"""Turns the numbers of a note's formulas or sentence into blanks to fill in."""

from collections.abc import Iterator
from fractions import Fraction
from math import isfinite
from string import Formatter
from typing import Any

import numpy as np

from engine.base.errors import EngineError
from engine.base.notation import (
    MINUS,
    Share,
    quoted,
    read_number,
    short,
    subscript,
    value_text,
    vector_texts,
)
from engine.base.records import Record
from engine.protocol.step import Note, Operand

MOST = 6  # blanks in one question
SHARE = 0.005  # relative tolerance for rounding on the way
WRITTEN = "write it as 0.75, −2, 3/8 or 1.5·10⁻³"


class Blank(Record, eq=True):
    """One number to type.

    mark: its placeholder in the text, □₁
    about: what the number is, as the formula names it
    shown: the right answer as the step writes it
    within: the tolerance, 0 for counts
    """

    mark: str
    about: str
    value: float
    shown: str
    within: float

    @property
    def tolerance(self) -> str:
        """The tolerance in words: “± 0.01”, or “exactly”."""
        return f"± {short(self.within)}" if self.within else "exactly"

    def takes(self, typed: str) -> bool:
        """Whether `typed` is the number, within the tolerance; raises EngineError if it is no
        number.
        """
        return abs(read(typed) - self.value) <= self.within * (1 + 1e-9) + 1e-9 * abs(self.value)


def read(typed: str) -> float:
    """The number that a person typed: with either minus, a decimal comma, a fraction, a power of
    ten.

    Raises EngineError.
    """
    text = typed.strip().replace(MINUS, "-").replace(" ", "").replace("+", "", 1).rstrip("%")
    if "." not in text:
        text = text.replace(",", ".", 1)
    try:
        above, stroke, below = text.partition("/")
        found = read_number(above) / read_number(below) if stroke else read_number(text)
    except (ValueError, ZeroDivisionError, OverflowError):
        raise EngineError(f"{quoted(typed)} is no number: {WRITTEN}.") from None
    if not isfinite(found):
        raise EngineError(f"{quoted(typed)} is no number: {WRITTEN}.")
    return found


class Blanks:
    """Makes the blanks of a note while it fills the texts; found: the blanks so far."""

    def __init__(self, note: Note, numbers: Iterator[int]) -> None:
        self.note, self.numbers = note, numbers
        self.found: list[Blank] = []
        self._marks: dict[str, str] = {}  # placeholder text by operand

    def of_formulas(self) -> tuple[str, ...]:
        """Each formula with its numbers filled in and its result left blank.

        A blank result that another formula uses appears there as its symbol.
        """
        note = self.note
        rows = []
        for formula in note.formulas:
            for name in names_of(formula.result):
                self._open(name, self._left(formula.left))
        for formula in note.formulas:
            if not any(name in self._marks for name in names_of(formula.result)):
                continue
            hidden = {
                name: note.operands[name].symbol or mark for name, mark in self._marks.items()
            }
            body = note_filled(note, formula.body, hidden)
            result = note_filled(note, formula.result, self._marks)
            rows.append(f"{self._left(formula.left)} {body} = {result}".strip())
        return tuple(rows)

    def of_sentence(self) -> tuple[str, ...]:
        """The sentence with blanks for its numbers."""
        for name in names_of(self.note.lead):
            self._open(name, "")
        return (note_filled(self.note, self.note.lead, self._marks),) if self.found else ()

    def _left(self, left: str) -> str:
        """The left side of a formula, with symbols."""
        return left.format_map(
            {name: o.symbol or o.text() for name, o in self.note.operands.items()}
        )

    def _open(self, name: str, left: str) -> None:
        """Make blanks for an operand that is or holds numbers, if there is room."""
        if name in self._marks:
            return
        operand = self.note.operands[name]
        parts = numbers_of(operand)
        if (
            not parts
            or len(self.found) + (len(parts) if len(parts) <= MOST else 0) > MOST
            or len(self.found) == MOST
        ):
            return
        marks = []
        for value, text in parts[:MOST]:
            mark = "□" + subscript(next(self.numbers))
            about = left.rstrip(" =←").strip() or operand.symbol
            self.found.append(Blank(mark, about, value, text, within(operand, value, text)))
            marks.append(mark)
        rest = ", …" if len(parts) > MOST else ""
        several = isinstance(operand.value, (np.ndarray, tuple, list)) and not isinstance(
            operand.value, Share
        )
        self._marks[name] = f"({', '.join(marks)}{rest})" if several else marks[0]


def names_of(template: str) -> list[str]:
    """The operands of a template, in order, without repeats."""
    return list(dict.fromkeys(name for _, name, _, _ in Formatter().parse(template) if name))


def note_filled(note: Note, template: str, marks: dict[str, str]) -> str:
    """The filled template, with `marks` in place of some operands; compare `Note.worked`."""
    terms = note.terms(template)
    return template.format_map({name: marks.get(name, terms[name].text()) for name in terms})


def numbers_of(operand: Operand) -> list[tuple[float, str]]:
    """(value, text) of each number in an operand; [] for words, or if one is not finite."""
    value = operand.value
    if isinstance(value, (bool, np.bool_, str)) or value is None:
        return []
    if isinstance(value, (np.ndarray, tuple, list)) and not isinstance(value, Share):
        if not all(_is_number(v) for v in value):
            return []
        digits = max(operand.digits, 2)
        return [
            (float(v), t)
            for v, t in zip(value, vector_texts(value, digits, column=False), strict=True)
        ]
    return [(float(value), value_text(value, operand.digits))] if _is_number(value) else []


def _is_number(value: Any) -> bool:
    plain = isinstance(value, (int, float, np.number, Fraction, Share)) and not isinstance(
        value, (bool, np.bool_)
    )
    return plain and isfinite(float(value))


def within(operand: Operand, value: float, text: str) -> float:
    """The tolerance of an answer: one in the last shown place, or more for rounding on the way.

    0 for counts.
    """
    if isinstance(operand.value, (Fraction, Share)):
        return _neat(0.01 * abs(value))
    if isinstance(operand.value, (int, np.integer)):
        return 0.0
    if value == round(value) and "." not in text and "·" not in text:
        return 10.0 ** -max(operand.digits, 2)
    return max(last_place(text), _neat(SHARE * abs(value)))


def last_place(text: str) -> float:
    """The unit of the last written place of a number: 0.01 for −0.35."""
    mantissa, tens, power = text.partition("·10")
    digits = len(mantissa.partition(".")[2])
    return 10.0**-digits * (read_number(f"1·10{power}") if tens else 1.0)


def _neat(size: float) -> float:
    """`size` rounded up to one significant figure."""
    if not size:
        return 0.0
    unit = 10.0 ** np.floor(np.log10(size))
    return float(np.ceil(size / unit - 1e-9) * unit)
