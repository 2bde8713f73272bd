"""Reads tables in JSON: a list of records, one record per line, or columns by name.

Nested values are refused.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, BinaryIO

from engine.base.errors import EngineError
from engine.read.formats.form import Form, Opener, check_cells, rows_kept, text_lines, whole
from engine.read.number_cells import number_cell
from engine.read.regular import MAX_COLUMNS, LeftOut, Line

# records, lists and values: an empty record takes thirty times its text in memory
MOST_VALUES = 2**25
_MOST_DIGITS = 400  # of a whole number: more digits overflow a float
_NO_RECORDS = (
    '{name} is JSON, but no table: it holds {what}. A table is a list of records, as [{{"a": 1,'
    ' "b": 2}}, …].'
)


def json_form(name: str, opener: Opener, encoding: str, lines: bool) -> Form:
    """The reader of a JSON file; with `lines`, of a file with one record per line."""
    rows = partial(_line_rows if lines else _rows, name, encoding)
    return Form(rows, encoding=encoding)


def _rows(name: str, encoding: str, stream: BinaryIO, left: LeftOut) -> Iterator[Line]:
    text = whole(name, stream).decode(encoding)
    if text.count("{") + text.count("[") + text.count(",") > MOST_VALUES:
        raise EngineError(
            f"{name} holds more than {MOST_VALUES:,} values, too much for a JSON file that has to"
            " be in memory as a whole; save the table as CSV."
        )
    try:
        found = _loaded(text)
    except (json.JSONDecodeError, RecursionError) as wrong:
        where = f" in line {wrong.lineno}" if isinstance(wrong, json.JSONDecodeError) else ""
        raise EngineError(
            f"{name} begins like JSON and is none: there is a fault{where}. It may be half-written."
        ) from None
    if (
        isinstance(found, Mapping)
        and found
        and all(isinstance(column, (list, Mapping)) for column in found.values())
    ):
        return _columns(name, found)
    if isinstance(found, list) and found and all(isinstance(record, Mapping) for record in found):
        return _records(name, found)
    raise EngineError(_NO_RECORDS.format(name=name, what=_called(found)))


def _loaded(text: str) -> Any:
    return json.loads(text, parse_int=_whole_number)


def _whole_number(digits: str) -> int | float:
    """An int, or for very many digits a float, which is infinite; Python's int() refuses those."""
    return int(digits) if len(digits) < _MOST_DIGITS else float(digits)


def _called(value: Any) -> str:
    if isinstance(value, Mapping):
        return "one object" if value else "an empty object"
    if isinstance(value, list):
        kinds = dict.fromkeys(_one(each) for each in value[:1000])
        return (
            f"a list of {' and '.join(f'{kind}s' for kind in kinds)}" if value else "an empty list"
        )
    return "null" if value is None else f"a {_one(value)}"


def _one(value: Any) -> str:
    names = {list: "list", str: "word", bool: "truth value", type(None): "null"}
    return "record" if isinstance(value, Mapping) else names.get(type(value), "number")


def _records(name: str, records: Sequence[Mapping[str, Any]]) -> Iterator[Line]:
    """The rows of records; the columns are all keys, and absent values are missing."""
    names = list(dict.fromkeys(key for record in records for key in record))
    _check(name, names, len(records))
    yield 1, names
    for number, record in enumerate(records, start=1):
        yield number + 1, [_cell(name, key, number, record.get(key)) for key in names]


def _check(name: str, names: Sequence[str], rows: int) -> None:
    if not names:
        raise EngineError(f"{name} holds records without any value.")
    if len(names) > MAX_COLUMNS:
        raise EngineError(
            f"{name} has {len(names):,} columns; the lab takes at most {MAX_COLUMNS:,}."
        )
    check_cells(name, min(rows, rows_kept(len(names))), len(names))


def _columns(name: str, columns: Mapping[str, Any]) -> Iterator[Line]:
    """The rows of columns given as lists, or as pandas writes them: {row name: value}."""
    kinds = {isinstance(column, list) for column in columns.values()}
    lengths = {len(column) for column in columns.values()}
    if len(kinds) > 1 or (kinds == {True} and len(lengths) > 1):
        raise EngineError(_NO_RECORDS.format(name=name, what="columns of different lengths"))
    if kinds == {True}:
        keys: Sequence[Any] = range(lengths.pop())
    else:
        keys = list(dict.fromkeys(key for column in columns.values() for key in column))
        columns = (
            {key: {**dict.fromkeys(keys), **column} for key, column in columns.items()}
            if len(lengths) > 1
            else columns
        )
    _check(name, list(columns), len(keys))
    yield 1, list(columns)
    for number, key in enumerate(keys, start=1):
        try:
            yield (
                number + 1,
                [_cell(name, title, number, column[key]) for title, column in columns.items()],
            )
        except KeyError:
            raise EngineError(
                _NO_RECORDS.format(name=name, what="columns with different rows")
            ) from None


def _line_rows(name: str, encoding: str, stream: BinaryIO, left: LeftOut) -> Iterator[Line]:
    """The rows of one record per line; the first record's keys are the columns.

    Later records may omit keys; EngineError for new ones.
    """
    names: dict[str, None] = {}  # in their order
    number = 0
    for line, text in enumerate(text_lines(stream, encoding), start=1):
        if not text.strip():
            continue
        number += 1
        try:
            record = _loaded(text)
        except (json.JSONDecodeError, RecursionError):
            raise EngineError(
                f"Line {line} of {name} is no record in JSON; it may be half-written."
            ) from None
        if not isinstance(record, Mapping):
            raise EngineError(
                _NO_RECORDS.format(name=name, what=f"{_called(record)} in line {line}")
            )
        if not names:
            names = dict.fromkeys(record)
            _check(name, list(names), 1)
            yield 1, list(names)
        new = next((key for key in record if key not in names), None)
        if new is not None:
            raise EngineError(
                f"Line {line} of {name} has a value “{new[:60]}” that its first record does not"
                " name."
            )
        yield number + 1, [_cell(name, key, number, record.get(key)) for key in names]


def _cell(name: str, key: str, number: int, value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, float):
        return number_cell(value) if abs(value) < float("inf") else str(value)
    if isinstance(value, (bool, int)):
        return str(value) if isinstance(value, bool) or value.bit_length() < 1024 else "inf"
    what = "a list" if isinstance(value, list) else "a record"
    raise EngineError(
        f"“{key[:60]}” of record {number} of {name} holds {what}; a cell of a table is a number or"
        " a word."
    )
