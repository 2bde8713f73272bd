"""A step that adds vectors, set out in columns as one does it by hand: one column for each entry,
adding is adding downwards.
"""

import re
from collections.abc import Mapping
from string import Formatter
from typing import Any

import numpy as np

from engine.base.notation import vector_texts
from engine.base.records import Record
from engine.protocol.step import Formula, Note, Operand
from engine.table.problem import Problem

LEAST, MOST = 2, 24  # entries of a vector that is set out so
_TERM = re.compile(r"\s*([+−])?\s*([^+−]*)")
_NUMBER = re.compile(r"\(?([+−-]?)(\d+(?:\.\d+)?)\)?")


class GridRow(Record, eq=True):
    """One vector. label: its symbol; values: its entries as text; role: 'start' (left by the step
    before), 'given' (of the example), 'worked' (to be worked out) or 'result'
    """

    label: str
    values: tuple[str, ...]
    role: str


class Grid(Record, eq=True):
    """heads: of the columns; rows: what is added, the result last; formula: of the note that it
    sets out; scalars: the numbers by which vectors are multiplied, 'With η = 0.5, y = −1.', ""
    without any
    """

    heads: tuple[str, ...]
    rows: tuple[GridRow, ...]
    formula: int
    scalars: str = ""


def grid_of(problem: Problem, note: Note) -> Grid | None:
    """The first formula of a note that adds vectors and comes to its result, as columns; None where
    there is none.
    """
    for number, formula in enumerate(note.formulas):
        found = _grid(problem, note, formula, number)
        if found is not None:
            return found
    return None


def _grid(problem: Problem, note: Note, formula: Formula, number: int) -> Grid | None:
    result = _operand(note.operands, formula.result.strip())
    terms = _terms(formula.body)
    if result is None or not terms or not _is_vector(result.value):
        return None
    size = len(result.value)
    if not LEAST <= size <= MOST:
        return None
    total = np.zeros(size)
    rows: list[GridRow] = []
    for place, (sign, names) in enumerate(terms):
        value = _product(note.operands, names, size)
        if value is None:
            return None
        total = total + (value if sign != "−" else -value)
        rows += _rows_of(note.operands, names, sign if place or sign == "−" else "", value)
    expected = np.asarray(result.value, np.float64)
    if len(rows) < 2 or not np.allclose(total, expected, rtol=1e-9, atol=1e-12):
        return None
    left = formula.left.format_map(
        {name: o.symbol or o.text() for name, o in note.operands.items()}
    ).strip()
    symbol = left.rstrip("←= ").strip()
    label = f"new {symbol}" if left.endswith("←") else symbol
    rows.append(GridRow(label, _texts(expected, result.digits), "result"))
    return Grid(_heads(problem, size), tuple(rows), number, _scalars(note, terms))


def _scalars(note: Note, terms: list[tuple[str, list[str]]]) -> str:
    """The numbers of the factors that have a symbol."""
    found = []
    for name in dict.fromkeys(name for _, names in terms for name in names):
        operand = note.operands[name]
        if operand.symbol and not _is_vector(operand.value):
            found.append(f"{operand.symbol} = {operand.text().strip('()')}")
    return f"With {', '.join(found)}." if found else ""


def _heads(problem: Problem, size: int) -> tuple[str, ...]:
    """The names of the columns of the table, where there are as many; else numbers: an entry more
    may come first or last.
    """
    return problem.titles if size == len(problem.titles) else tuple(str(k + 1) for k in range(size))


def _operand(operands: Mapping[str, Operand], template: str) -> Operand | None:
    """The operand that a template consists of."""
    pieces = list(Formatter().parse(template))
    if len(pieces) != 1 or pieces[0][0] or pieces[0][1] is None:
        return None
    return operands.get(pieces[0][1])


def _terms(body: str) -> list[tuple[str, list[str]]] | None:
    """(sign, names of its factors) of each term of a sum of products; None where the body is more
    than that.
    """
    found = []
    for term in _TERM.finditer(body):
        sign = term[1] or "+"
        text = term[2].strip()
        if not text:
            if term[1]:
                return None
            continue
        factors = [factor.strip() for factor in text.split("·")]
        if not all(re.fullmatch(r"\{\w+\}", factor) for factor in factors):
            return None
        found.append((sign, [factor[1:-1] for factor in factors]))
    return found


def _is_vector(value: Any) -> bool:
    return isinstance(value, np.ndarray) and value.ndim == 1 and bool(np.isfinite(value).all())


def _scalar(operand: Operand) -> float | None:
    value = operand.value
    if isinstance(value, str):
        written = _NUMBER.fullmatch(value)
        return (
            None
            if written is None
            else (-1.0 if written[1] in "−-" and written[1] else 1.0) * float(written[2])
        )
    if isinstance(value, (bool, np.bool_, np.ndarray, tuple, list)) or value is None:
        return None
    number = float(value)
    return number if np.isfinite(number) else None


def _product(operands: Mapping[str, Operand], names: list[str], size: int) -> Any:
    """The vector that these factors come to; None where they are not numbers and one vector."""
    scale = 1.0
    vector = None
    for name in names:
        operand = operands[name]
        if _is_vector(operand.value):
            if vector is not None or len(operand.value) != size:
                return None
            vector = np.asarray(operand.value, np.float64)
        elif (number := _scalar(operand)) is not None:
            scale *= number
        else:
            return None
    return None if vector is None else scale * vector


def _rows_of(
    operands: Mapping[str, Operand], names: list[str], sign: str, value: Any
) -> list[GridRow]:
    """A vector by itself is one row; of a product there are the vector and, below, what the product
    comes to.
    """
    vector = next(name for name in names if _is_vector(operands[name].value))
    operand = operands[vector]
    given = _texts(np.asarray(operand.value, np.float64), operand.digits)
    symbol = operand.symbol or vector
    if len(names) == 1:
        role = "start" if not sign else "given"
        return [GridRow(f"{sign} {symbol}".strip(), given, role)]
    product = " · ".join(operands[name].symbol or operands[name].text() for name in names)
    digits = max(operand.digits, 2)
    return [
        GridRow(symbol, given, "given"),
        GridRow(f"{sign or '+'} {product}", _texts(value, digits), "worked"),
    ]


def _texts(values: Any, digits: int) -> tuple[str, ...]:
    return tuple(vector_texts([float(v) for v in values], max(digits, 2), column=False))
