"""Reads ARFF, the files of Weka: a head that names each column and its kind, then dense or sparse
rows.

Weka separates cells at blanks as well as commas, and an unquoted % begins a remark. Other programs
write names with blanks, and 50%, without quotation marks. So each row is read in the first way that
fits the head.
"""

import re
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain, pairwise
from typing import BinaryIO

from engine.base.errors import EngineError
from engine.base.notation import counted
from engine.base.records import Record
from engine.read.formats.form import (
    DeclaredColumn,
    Form,
    Opener,
    check_cells,
    rows_kept,
    text_lines,
)
from engine.read.number_cells import is_number
from engine.read.regular import MAX_COLUMNS, LeftOut, Line, Row
from engine.table.dataset import MAX_CLASSES, ColumnRole, Kind

_BEGIN = re.compile(r"(?i)@(?:relation|attribute)\b")
_NUMBERS = ("numeric", "real", "integer")
_CLASSES = ("class", "target", "label")
_QUOTED = r"""'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)\""""
# groups of a cell: in single marks, in double marks, unquoted, terminator
_COMMAS = re.compile(rf"""\s*+(?:{_QUOTED}|([^,'"\s%][^,%]*+|))\s*+([,%]|$)""")
# with % as an ordinary character
_COMMAS_ALONE = re.compile(rf"""\s*+(?:{_QUOTED}|([^,'"\s][^,]*+|))\s*+(,|$)""")
_BLANKS = re.compile(rf"""[\s,]*+(?:{_QUOTED}|([^,'"\s%][^,\s%]*+)|(%|$))""")
_VALUES = re.compile(rf"""\s*+(?:{_QUOTED}|([^,'"\s}}][^,}}]*+|))\s*+([,}}])""")
_WORDS = re.compile(rf"""[\s,]*+(?:{_QUOTED}|([^,'"\s}}][^,\s}}]*+)|(}}))""")
_NAME = re.compile(rf"\s*+(?:{_QUOTED}|([^\s{{]++))\s*+(.++)")
# (place, value) of a sparse row
_PAIR = re.compile(rf"""[\s,]*+(\d++)\s++(?:{_QUOTED}|([^,'"\s}}][^,}}]*+|))(?=[\s,}}]|$)""")
_PAIR_OF_WORDS = re.compile(
    rf"""[\s,]*+(\d++)\s++(?:{_QUOTED}|([^,'"\s}}][^,\s}}]*+))(?=[\s,}}]|$)"""
)
# a weight may follow, or a remark
_END = re.compile(r"[\s,]*+(?:$|\}[\s,]*+(?:\{[\d\s.eE+-]*+\}[\s,]*+)?+(?:%|$))")
_ESCAPED = re.compile(r"\\(.)")


class _Attribute(Record, eq=True):
    """A column in the head; kind: None for text; values: those of a nominal one, () for any."""

    name: str
    kind: Kind | None
    values: tuple[str, ...] = ()


def is_arff(text: str) -> bool:
    """Whether the first line that is neither blank nor a remark begins an ARFF head."""
    lines = (line.strip() for line in text.splitlines())
    first = next((line for line in lines if line and not line.startswith("%")), "")
    return _BEGIN.match(first) is not None


def arff_form(name: str, opener: Opener, encoding: str) -> Form:
    """The reader of an ARFF file; raises EngineError for an invalid head.

    The target is an attribute named class, target or label, else the last one, unless it is text or
    has too many values.
    """
    with opener() as stream:
        attributes, _ = _head(name, enumerate(text_lines(stream, encoding), start=1))
    nominal = [k for k, each in enumerate(attributes) if each.kind is Kind.CATEGORICAL]
    called = [k for k, each in enumerate(attributes) if each.name.casefold() in _CLASSES]
    few = attributes[-1].kind is not None and len(attributes[-1].values) <= MAX_CLASSES
    last = [len(attributes) - 1] if few else []
    target = next(iter((*(k for k in called if k in nominal), *called, *last)), -1)
    said = tuple(
        DeclaredColumn(
            each.kind,
            ColumnRole.TARGET if k == target else None,
            tuple(word for word in each.values if word != "?"),
        )
        for k, each in enumerate(attributes)
    )
    return Form(partial(_rows, name, encoding), said, encoding=encoding)


def _head(name: str, lines: Iterator[tuple[int, str]]) -> tuple[list[_Attribute], tuple[int, str]]:
    """The attributes up to @data, and (number, rest) of that line, which may hold the first row.

    Raises EngineError.
    """
    found: list[_Attribute] = []
    for number, line in lines:
        word, rest = (*line.split(None, 1), "", "")[:2]
        if word.casefold() == "@data":
            if not found:
                break
            return found, (number, rest)
        if word.casefold() == "@attribute":
            found.append(_attribute(name, number, rest))
            if len(found) > MAX_COLUMNS:
                raise EngineError(
                    f"{name} has more than {MAX_COLUMNS:,} attributes; the lab takes no more."
                )
        elif word and not word.startswith("%") and word.casefold() != "@relation":
            raise EngineError(
                f"Line {number} of {name} belongs to no head of an ARFF file: it begins with"
                f" “{word[:40]}”."
            )
    raise EngineError(
        f"{name} begins like an ARFF file, but has no"
        f" {'rows: the line @data is missing' if found else '@attribute'}."
    )


def _attribute(name: str, number: int, words: str) -> _Attribute:
    found = _NAME.fullmatch(words.strip())
    if found is None:
        raise EngineError(
            f"Line {number} of {name} names an attribute without a kind, as numeric or {{yes, no}}."
        )
    called = _plain(next(filter(None, found.groups()[:3]), ""))
    kind = found[4].strip()
    values = _domain(kind) if kind.startswith("{") else None
    if values is not None:
        return _Attribute(called, Kind.CATEGORICAL, values)
    word = (*kind.partition("%")[0].split(None, 1), "")[0].casefold()
    if word in _NUMBERS:
        return _Attribute(called, Kind.NUMERIC)
    if word in ("string", "date"):
        return _Attribute(called, None)
    raise EngineError(
        f"Line {number} of {name} holds an attribute of the kind “{kind[:40]}”, which the lab"
        " cannot read."
    )


def _plain(quoted: str) -> str:
    return _ESCAPED.sub(r"\1", quoted) if "\\" in quoted else quoted


def _domain(braces: str) -> tuple[str, ...] | None:
    """The values in braces, separated by commas, or by blanks if there are no commas.

    None if braces or quotation marks do not match, or if other than a remark follows.
    """
    found = _parted(_VALUES, braces, 1)
    if found is None or len(found[0]) < 2:
        found = _parted(_WORDS, braces, 1)
    if found is None or not (braces[found[1] :].strip() + "%").startswith("%"):
        return None
    return tuple(dict.fromkeys(value for value in found[0] if value))


def _parted(cell: re.Pattern[str], text: str, place: int = 0) -> tuple[Row, int] | None:
    """(the cells of `text` from `place` on, where they end); None if quotation marks do not
    match.
    """
    found: Row = []
    while (met := cell.match(text, place)) is not None:
        single, double, bare, end = met.groups()
        inside = double if single is None else single
        if inside is not None or bare is not None:
            found.append(_plain(inside) if inside is not None else bare.rstrip())
        place = met.end()
        if end not in (None, ","):
            return found, place
    return None


def _is_cut(cell: str) -> bool:
    """Whether a comma inside quotation marks split the cell: it has an open mark after a blank.

    Escaped marks do not count.
    """
    cell = _ESCAPED.sub("", cell)
    return any(
        cell.count(mark) % 2 and (f" {mark}" in cell or f"\t{mark}" in cell) for mark in ("'", '"')
    )


def _rows(name: str, encoding: str, stream: BinaryIO, left: LeftOut) -> Iterator[Line]:
    lines = enumerate(text_lines(stream, encoding), start=1)
    attributes, first = _head(name, lines)
    yield 1, [each.name for each in attributes]
    reader = _RowReader(name, attributes)
    sparse = 0
    for number, line in chain([first], lines):
        line = line.strip()
        if not line or line.startswith("%"):
            continue
        if line.startswith("{"):
            sparse += 1
            check_cells(name, min(sparse, rows_kept(len(attributes))), len(attributes))
            yield number, reader.sparse(number, line)
        else:
            yield number, reader.dense(number, line)


class _RowReader:
    """Converts the lines below the head to rows."""

    def __init__(self, name: str, attributes: Sequence[_Attribute]) -> None:
        self._name, self._attributes = name, attributes
        self._domains = [
            (k, {*each.values, "?"}) for k, each in enumerate(attributes) if each.values
        ]
        self._numbers = [k for k, each in enumerate(attributes) if each.kind is Kind.NUMERIC]
        self._empty = [each.values[0] if each.values else "0" for each in attributes]

    def dense(self, number: int, line: str) -> Row:
        """The cells of a line, split at commas, at blanks too, or with % as an ordinary character.

        Raises EngineError if no way fits the head.
        """
        plain = "'" not in line and '"' not in line and "%" not in line
        row = [cell.strip() for cell in line.split(",")] if plain else self._cells(_COMMAS, line)
        blanks = (
            row is None or "" not in row[:-1]
        )  # an empty cell between commas is a missing value
        cut = not plain and row is not None and any(map(_is_cut, row))
        wrong = self._fault(row)
        if not wrong and not cut and row is not None:
            return row
        if blanks or cut:
            parted = self._cells(_BLANKS, line)
            if parted is not None and not self._fault(parted) and self._are_numbers(parted):
                return parted
        if not wrong and row is not None:
            return row
        whole = self._cells(_COMMAS_ALONE, line) if "%" in line else None
        if whole is not None and not self._fault(whole):
            return whole
        if row is None:
            raise EngineError(f"The quotation marks in line {number} of {self._name} do not match.")
        raise EngineError(f"Line {number} of {self._name} {wrong}.")

    def _cells(self, cell: re.Pattern[str], line: str) -> Row | None:
        found = _parted(cell, line)
        return None if found is None else found[0]

    def _fault(self, row: Row | None) -> str:
        """Why a row does not fit the head, "" if it does; removes a comma at the end, or a
        weight.
        """
        if row is None:
            return ""
        width = len(self._attributes)
        if len(row) > width and not row[-1]:
            row.pop()
        if len(row) == width + 1 and row[-1].startswith("{"):  # the weight of the row
            row.pop()
        if len(row) != width:
            return f"has {counted(len(row), 'cell')}, its head names {counted(width, 'attribute')}"
        for place, domain in self._domains:
            if row[place] not in domain:
                called = self._attributes[place].name[:60]
                return (
                    f"holds “{row[place][:40]}” for “{called}”, whose head does not name that value"
                )
        return ""

    def _are_numbers(self, row: Row) -> bool:
        """Whether all numeric attributes hold numbers or ?."""
        return all(row[k] == "?" or is_number(row[k]) for k in self._numbers)

    def sparse(self, number: int, line: str) -> Row:
        """The row of a sparse line {place value, …}; the other places hold 0 or the first value.

        Raises EngineError.
        """
        words = _pairs(_PAIR_OF_WORDS, line)
        places = [place for place, _ in words or ()]
        rising = all(one < other for one, other in pairwise([-1, *places, len(self._empty)]))
        if words is not None and rising:
            row = self._filled(words)
            if not self._fault(row) and self._are_numbers(row):
                return row
        pairs = _pairs(_PAIR, line)
        if pairs is None:
            raise EngineError(
                f"Line {number} of {self._name} is no sparse row, as {{0 1.5, 2 yes}}: places and"
                " values."
            )
        far = next((place for place, _ in pairs if place >= len(self._empty)), None)
        if far is not None:
            raise EngineError(
                f"Line {number} of {self._name} names place {far}, its head has"
                f" {counted(len(self._empty), 'attribute')}."
            )
        row = self._filled(pairs)
        if wrong := self._fault(row):
            raise EngineError(f"Line {number} of {self._name} {wrong}.")
        return row

    def _filled(self, pairs: Sequence[tuple[int, str]]) -> Row:
        row = list(self._empty)
        for place, value in pairs:
            row[place] = value
        return row


def _pairs(pair: re.Pattern[str], line: str) -> list[tuple[int, str]] | None:
    """The (place, value) pairs of a sparse row; None if it is none."""
    found: list[tuple[int, str]] = []
    at = 1  # behind the brace
    while _END.match(line, at) is None:
        met = pair.match(line, at)
        if met is None:
            return None
        place, single, double, bare = met.groups()
        inside = double if single is None else single
        found.append((int(place[:9]), _plain(inside) if inside is not None else bare.rstrip()))
        at = met.end()
    return found
