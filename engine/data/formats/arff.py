"""ARFF, the files of Weka: a head that names each column and its kind, then rows with commas, or sparse ones in braces."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import BinaryIO

from engine.core.dataset import ColumnRole, Kind
from engine.core.errors import EngineError
from engine.data.formats.form import Form, Opener, Said, check_cells, rows_kept, text_lines
from engine.data.regular import MAX_COLUMNS, LeftOut, Line, Row

_BEGIN = re.compile(r"(?i)@(?:relation|attribute)\b")
_NUMBERS = ("numeric", "real", "integer")
_CLASSES = ("class", "target", "label")
_QUOTED = r"""'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)\""""
_TOKEN = re.compile(rf"""\s*+(?:{_QUOTED}|([^,'"\s][^,]*+|))\s*+(,|$)""")
_NAME = re.compile(rf"\s*+(?:{_QUOTED}|(\S++))\s++(.*+)")
_PAIR = re.compile(rf"""\s*+(\d++)\s++({_QUOTED}|[^,]*+)\s*+(?:,|$)""")
_ESCAPED = re.compile(r"\\(.)")


@dataclass(frozen=True, slots=True)
class _Attribute:
    """kind: of its values; values: those that a nominal one may have, () = any"""

    name: str
    kind: Kind | None
    values: tuple[str, ...] = ()


def is_arff(text: str) -> bool:
    """Whether the first line that is neither blank nor a remark begins the head of an ARFF file."""
    lines = (line.strip() for line in text.splitlines())
    first = next((line for line in lines if line and not line.startswith("%")), "")
    return _BEGIN.match(first) is not None


def arff_form(name: str, opener: Opener, encoding: str) -> Form:
    """The reader of an ARFF file; its class is the attribute called so, else the last one, if it is nominal."""
    with opener() as stream:
        attributes = _head(name, enumerate(text_lines(stream, encoding), start=1))
    nominal = [k for k, each in enumerate(attributes) if each.kind is Kind.CATEGORICAL]
    called = [k for k, each in enumerate(attributes) if each.name.casefold() in _CLASSES]
    last = [len(attributes) - 1] if len(attributes) - 1 in nominal or attributes[-1].kind is Kind.NUMERIC else []
    target = next(iter((*(k for k in called if k in nominal), *called, *last)), -1)
    said = tuple(Said(each.kind, ColumnRole.TARGET if k == target else None) for k, each in enumerate(attributes))
    return Form(partial(_rows, name, encoding), said, encoding=encoding)


def _head(name: str, lines: Iterator[tuple[int, str]]) -> list[_Attribute]:
    """The attributes, up to the line @data."""
    found: list[_Attribute] = []
    for number, line in lines:
        word, _, rest = (
            line.strip().partition(" ") if "\t" not in line else line.strip().replace("\t", " ").partition(" ")
        )
        if word.casefold() == "@data":
            if not found:
                break
            return found
        if word.casefold() == "@attribute":
            found.append(_attribute(name, number, rest))
            if len(found) > MAX_COLUMNS:
                raise EngineError(f"{name} has more than {MAX_COLUMNS:,} attributes; the lab takes no more.")
        elif word and not word.startswith("%") and word.casefold() != "@relation":
            raise EngineError(
                f"Line {number} of {name} belongs to no head of an ARFF file: it begins with “{word[:40]}”."
            )
    raise EngineError(
        f"{name} begins like an ARFF file, but has no {'rows: the line @data is missing' if found else '@attribute'}."
    )


def _attribute(name: str, number: int, words: str) -> _Attribute:
    found = _NAME.fullmatch(words.strip())
    if found is None:
        raise EngineError(f"Line {number} of {name} names an attribute without a kind, as numeric or {{yes, no}}.")
    called, kind = _plain(next(filter(None, found.groups()[:3]), "")), found[4].strip()
    if kind.startswith("{") and kind.endswith("}"):
        return _Attribute(called, Kind.CATEGORICAL, tuple(_cells(name, number, kind[1:-1])))
    word = kind.partition(" ")[0].casefold()
    if word in _NUMBERS:
        return _Attribute(called, Kind.NUMERIC)
    if word in ("string", "date"):
        return _Attribute(called, None)
    raise EngineError(
        f"Line {number} of {name} holds an attribute of the kind “{kind[:40]}”, which the lab cannot read."
    )


def _plain(quoted: str) -> str:
    return _ESCAPED.sub(r"\1", quoted) if "\\" in quoted else quoted


def _cells(name: str, number: int, line: str) -> Row:
    """The cells of a line with commas between; quotation marks of either kind, backslashes within them."""
    if "'" not in line and '"' not in line:
        return [cell.strip() for cell in line.split(",")]
    found, place, more = [], 0, True
    while more:
        token = _TOKEN.match(line, place)
        if token is None:
            raise EngineError(f"The quotation marks in line {number} of {name} do not match.")
        single, double, bare, end = token.groups()
        found.append(_plain(single if single is not None else double if double is not None else bare.rstrip()))
        place, more = token.end(), bool(end)
    return found


def _rows(name: str, encoding: str, stream: BinaryIO, left: LeftOut) -> Iterator[Line]:
    lines = enumerate(text_lines(stream, encoding), start=1)
    attributes = _head(name, lines)
    yield 1, [each.name for each in attributes]
    domains = [(k, {*each.values, "?"}) for k, each in enumerate(attributes) if each.values]
    empty = [each.values[0] if each.values else "0" for each in attributes]
    sparse = 0
    for number, line in lines:
        line = line.strip()
        if not line or line.startswith("%"):
            continue
        if line.startswith("{"):
            sparse += 1
            check_cells(name, min(sparse, rows_kept(len(attributes))), len(attributes))
            row = _sparse(name, number, line, empty)
        else:
            row = _cells(name, number, line)
        if len(row) == len(attributes) + 1 and row[-1].startswith("{"):  # the weight of the row
            row.pop()
        if len(row) != len(attributes):
            raise EngineError(
                f"Line {number} of {name} has {len(row)} cells, its head names {len(attributes)} attributes."
            )
        for place, domain in domains:
            if row[place] not in domain:
                raise EngineError(
                    f"Line {number} of {name} holds “{row[place][:40]}” for “{attributes[place].name[:60]}”, whose head does not name "
                    "that value."
                )
        yield number, row


def _sparse(name: str, number: int, line: str, empty: Sequence[str]) -> Row:
    """A row of which {place value, …} tells what is not 0, or not the first value."""
    row = list(empty)
    inside = (line[1 : line.rfind("}")] if "}" in line else line[1:]).strip()
    at = 0
    while at < len(inside):
        pair = _PAIR.match(inside, at)
        if pair is None:
            raise EngineError(f"Line {number} of {name} is no sparse row, as {{0 1.5, 2 yes}}: places and values.")
        at, place = pair.end(), int(pair[1][:9])
        if place >= len(row):
            raise EngineError(f"Line {number} of {name} names place {place}, its head has {len(row)} attributes.")
        row[place] = _cells(name, number, pair[2].strip())[0]
    return row
