"""Reads a table in Markdown: cells between bars, and a row of dashes under the names.

Skips the text around it.
"""

import re
from collections.abc import Iterator, Sequence
from functools import partial
from typing import BinaryIO

from engine.base.errors import EngineError
from engine.read.formats.form import Form, Opener, text_lines
from engine.read.regular import LeftOut, Line, Row

_DASHES = re.compile(r":?-++:?")
_BAR = re.compile(r"(?<!\\)\|")
_AROUND = "It is read as a table of Markdown; the text around it is left out."


def has_table(lines: Sequence[str]) -> bool:
    """Whether one of the lines is the row of dashes under a table's names."""
    return next(_begins(enumerate(lines, start=1)), None) is not None


def _begins(lines: Iterator[tuple[int, str]]) -> Iterator[tuple[int, Row]]:
    """(line, names) of each table; the line is that of the names."""
    before = ""
    for number, line in lines:
        if "|" in before and _is_dashes(line) and len(_cells(before)) == len(_cells(line)):
            yield number - 1, _cells(before)
        before = line


def _is_dashes(line: str) -> bool:
    return "|" in line and all(map(_DASHES.fullmatch, _cells(line)))


def _cells(line: str) -> Row:
    inside = line.strip().removeprefix("|")
    inside = inside[:-1] if inside.endswith("|") and not inside.endswith("\\|") else inside
    return [cell.strip().replace("\\|", "|") for cell in _BAR.split(inside)]


def markdown_form(name: str, opener: Opener, encoding: str) -> Form:
    """The reader of the only table in a Markdown text; raises EngineError for none or several."""
    with opener() as stream:
        found = sum(1 for _ in _begins(enumerate(text_lines(stream, encoding), start=1)))
    if found != 1:
        many = f"{found} tables; copy the one to open, and paste it" if found else "no table"
        raise EngineError(f"{name} is a text in Markdown with {many}.")
    with opener() as stream:
        text = any("|" not in line and line.strip() for line in text_lines(stream, encoding))
    return Form(
        partial(_rows, name, encoding),
        decimal=None,
        encoding=encoding,
        notices=(_AROUND,) if text else (),
    )


def _rows(name: str, encoding: str, stream: BinaryIO, left: LeftOut) -> Iterator[Line]:
    """The rows of the table, padded or cut to the number of names, as in Markdown."""
    lines = enumerate(text_lines(stream, encoding), start=1)
    begin, names = next(_begins(lines))
    yield begin, names
    for number, line in lines:
        if "|" not in line:
            return
        row = _cells(line)
        yield number, [*row, *[""] * (len(names) - len(row))][: len(names)]
