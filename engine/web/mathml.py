"""Formulas of a note as MathML: once with symbols, once with the numbers put in."""

import re
from collections.abc import Callable, Iterable
from fractions import Fraction
from string import Formatter
from typing import Any

import numpy as np

from engine.base.notation import Share, number, value_text, vector_texts
from engine.protocol.step import Formula, Note, Operand
from engine.web.markup import escaped

_UP, _DOWN = "⁻⁺⁰¹²³⁴⁵⁶⁷⁸⁹", "₀₁₂₃₄₅₆₇₈₉ᵢⱼₖₘₙₜ"
_PIECES = re.compile(
    rf"\s+|[{_UP}]+|[{_DOWN}]+|−?[0-9]+(?:[.,][0-9]+)*|[^\W\d_{_UP}{_DOWN}]+|.", re.DOTALL
)
_RAISED = str.maketrans(_UP, "−+0123456789")
_LOWERED = str.maketrans(_DOWN, "0123456789ijkmnt")
_OPERATORS = frozenset("=←≈≤≥<>+−·×/()[]{}|,;:∑√→∈∩∪∧∨¬±≠")
LONG_VECTOR = 8  # entries from which on a vector stands in a line


def formulas(note: Note) -> list[str]:
    """Each formula of a note as rows of MathML, with the result in bold; [] for a note without
    any.
    """
    made = []
    for formula in note.formulas:
        if _says_more(note, formula):
            made.append(
                _math(
                    _row(f"{formula.left} {formula.body}".strip(), lambda name: _symbol(note, name))
                )
            )
            made.append(_math(_numbers(note, formula)))
        else:
            left = _plain(note.fill(formula.left))
            made.append(_math(left + _numbers(note, formula)))
    return made


def line(text: str) -> str:
    """A formula in one line as MathML, with a blank '□₁' for each number to be typed."""
    return _math(_plain(text))


def _math(row: str) -> str:
    return f"<math><mrow>{row}</mrow></math>"


def _says_more(note: Note, formula: Formula) -> bool:
    """Whether symbols tell what the numbers do not."""
    names = (name for _, name, _, _ in Formatter().parse(formula.body) if name)
    return any(note.operands[name].symbol for name in names) and bool(note.symbols(formula))


def _numbers(note: Note, formula: Formula) -> str:
    """The body with its numbers and, after a sign of equality, the result, of which the last number
    is bold.
    """
    terms = note.terms(formula.body)
    row = _row(formula.body, lambda name: value(terms[name]))
    if not formula.result:
        return row
    *ways, last = formula.result.split(" = ")
    for way in ways:
        row += "<mo>=</mo>" + _row(way, lambda name: value(note.operands[name]))
    return (
        row
        + "<mo>=</mo>"
        + _row(last, lambda name: f'<mrow class="res">{value(note.operands[name])}</mrow>')
    )


def _row(template: str, operand: Callable[[str], str]) -> str:
    """A template with its {places} filled."""
    made = []
    for text, name, _, _ in Formatter().parse(template):
        made.append(_plain(text))
        if name is not None:
            made.append(operand(name))
    return "".join(made)


def _symbol(note: Note, name: str) -> str:
    o = note.operands[name]
    return _marked(_plain(o.symbol or o.text()), o.about)


def value(o: Operand) -> str:
    """An operand's value as MathML: fractions stacked, vectors as columns, everything else in a
    line.
    """
    found = o.value
    if isinstance(found, (Share, Fraction)):
        part, whole = (
            (found.part, found.whole)
            if isinstance(found, Share)
            else (found.numerator, found.denominator)
        )
        if isinstance(found, Share) or whole != 1:
            return _marked(
                f"<mfrac><mn>{number(part, o.digits)}</mn><mn>{number(whole, o.digits)}</mn></mfrac>",
                o.about,
            )
    if _is_vector(found) and len(found) <= LONG_VECTOR:
        rows = "".join(
            f"<mtr><mtd>{_plain(entry)}</mtd></mtr>" for entry in _entries(found, o.digits)
        )
        return _marked(f'<mtable class="vector">{rows}</mtable>', o.about)
    return _marked(_plain(value_text(found, o.digits)), o.about)


def _marked(content: str, about: str) -> str:
    """A term, underlined where it stands for what the step moves: before, the change, after."""
    kind = {
        "before": "before",
        "change": "change",
        "current": "change",
        "after": "after",
        "w": "after",
    }.get(about, "")
    return f'<mrow class="{kind}">{content}</mrow>' if kind else content


def _is_vector(found: Any) -> bool:
    flat = isinstance(found, (tuple, list)) or (isinstance(found, np.ndarray) and found.ndim == 1)
    return flat and not isinstance(found, Share) and len(found) > 0


def _entries(values: Iterable[Any], digits: int) -> list[str]:
    found = list(values)
    plain = [not isinstance(v, (str, tuple, list, np.ndarray, Fraction)) for v in found]
    texts = iter(vector_texts([v for v, alone in zip(found, plain, strict=True) if alone], digits))
    return [
        next(texts) if alone else (v if isinstance(v, str) else value_text(v))
        for v, alone in zip(found, plain, strict=True)
    ]


def _plain(text: str) -> str:
    """Words, numbers, signs and variables of a text as MathML; signs bring their own spaces."""
    made: list[str] = []
    gap = False
    for piece in _PIECES.findall(text):
        if piece.isspace():
            gap = True
            continue
        if gap and made and not made[-1].startswith("<mo>") and piece not in _OPERATORS:
            made.append('<mspace width="0.3em"/>')
        gap = False
        if piece[0] in _UP + _DOWN:
            _attach(made, piece)
        elif piece[-1].isdigit():
            made.append(f"<mn>{escaped(piece)}</mn>")
        elif piece in _OPERATORS:
            made.append(f"<mo>{escaped(piece)}</mo>")
        elif len(piece) == 1 and piece.isalpha():
            made.append(f"<mi>{escaped(piece)}</mi>")
        else:
            made.append(f"<mtext>{escaped(piece)}</mtext>")
    return "".join(made)


def _attach(made: list[str], script: str) -> None:
    """Raise or lower digits behind the last piece."""
    base = made.pop() if made else "<mrow></mrow>"
    if script[0] in _DOWN:
        made.append(f"<msub>{base}<mn>{script.translate(_LOWERED)}</mn></msub>")
    else:
        made.append(f"<msup>{base}<mn>{script.translate(_RAISED)}</mn></msup>")
