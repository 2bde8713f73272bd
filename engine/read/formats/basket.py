"""Reads baskets, such as Orange's .basket files and lists of purchases: each line lists items.

An item may have a number, as in milk=2; without one it counts once.
"""

import csv
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import pairwise
from typing import BinaryIO

from engine.base.errors import EngineError
from engine.base.notation import quoted
from engine.read.formats.form import (
    DeclaredColumn,
    Form,
    Opener,
    check_cells,
    rows_kept,
    text_lines,
)
from engine.read.number_cells import is_number, number_cell, number_of
from engine.read.regular import MAX_COLUMNS, LeftOut, Line
from engine.table.dataset import ColumnRole, Kind

SUFFIXES = (".basket", ".bsk")  # of Orange
SEPARATORS = (",", ";", "\t", " ")
_PLACE = re.compile(r"\d{1,9}")
_REMARKS = ("|", "#")
_LEAST = 3  # the fewest lines to judge by
_LONGEST = 60  # the longest item in a text without such a suffix
_NOTICE = (
    "It is read as baskets: each line lists items, and each item has a column of {}. If it is"
    " another table, choose the separator."
)


def listed_by(lines: Sequence[str]) -> str:
    """The separator of the items if the first lines of a text look like baskets; else ""."""
    return next((sign for sign in SEPARATORS if is_baskets(lines, sign)), "")


def is_baskets(lines: Sequence[str], separator: str = ",") -> bool:
    """Whether the lines look like baskets with this separator.

    Their widths differ, most items come again, and not always in the same place, unlike the values
    of a column. Numbers are items only if separated by blanks and rising in each line, as published
    collections write them.
    """
    rows = [_cut(line, separator) for line in lines] if _may_list(lines, separator) else []
    if len(rows) < _LEAST or not all(rows) or _of_one_width(rows):
        return False
    if separator == " ":
        return all(all(map(_PLACE.fullmatch, row)) and _rising([*map(int, row)]) for row in rows)
    items = [[_item(cell) for cell in row] for row in rows]
    known = [[name for name in row if name is not None] for row in items]
    if any(None in row or len({*row}) < len(row) for row in items):
        return False
    often = Counter(name for row in known for name in row)
    once = list(often.values()).count(1)
    places = {(name, place) for row in known for place, name in enumerate(row)}
    moved = len(places) > len(often)
    return moved and 2 * once <= often.total()  # at most half of all cells are items that come once


def _rising(numbers: Sequence[int]) -> bool:
    return all(a < b for a, b in pairwise(numbers))


def _may_list(lines: Sequence[str], separator: str) -> bool:
    return any(separator in line for line in lines) and all(
        line.count('"') % 2 == 0 for line in lines
    )


def _cut(line: str, separator: str) -> list[str]:
    """The cells of a line without empty ones at its end; [] if a cell is too long for csv."""
    try:
        cells = [
            *map(
                str.strip, next(csv.reader([line], delimiter=separator, skipinitialspace=True), [])
            )
        ]
    except csv.Error:
        return []
    while len(cells) > 1 and not cells[-1]:
        cells.pop()
    return cells


def _of_one_width(rows: Sequence[Sequence[str]]) -> bool:
    """Whether three quarters of the rows have the same width: then the others are broken rows."""
    widths = Counter(map(len, rows))
    return 4 * max(widths.values()) >= 3 * len(rows)


def _item(cell: str) -> str | None:
    """The name of an item; None for a number, or if no number follows “=”."""
    name, mark, value = cell.partition("=")
    name = name.strip()
    known = bool(name) and len(name) <= _LONGEST and not is_number(name)
    return name if known and (not mark or number_of(value) is not None) else None


def basket_form(name: str, opener: Opener, encoding: str, separator: str) -> Form:
    """The reader of a basket file; reads it once to collect the items. Raises EngineError."""
    items: dict[str, int] = {}
    numbers = {0.0, 1.0}
    rows = 0
    with opener() as stream:
        for _, basket in _baskets(name, stream, encoding, separator):
            rows += 1
            numbers.update(basket.values())
            for item in basket:
                items.setdefault(item, len(items))
            if len(items) > MAX_COLUMNS:
                raise EngineError(
                    f"{name} lists more than {MAX_COLUMNS:,} different items; the lab takes at most"
                    " so many columns."
                )
    if not items:
        raise EngineError(f"{name} lists no items.")
    check_cells(name, min(rows, rows_kept(len(items))), len(items))
    said = tuple(DeclaredColumn(Kind.NUMERIC, ColumnRole.FEATURE) for _ in items)
    notice = _NOTICE.format(
        "0 and 1" if len(numbers) == 2 else "its numbers, 0 where it is not listed"
    )
    return Form(partial(_rows, name, encoding, separator, items), said, notices=(notice,))


def _baskets(
    name: str, stream: BinaryIO, encoding: str, separator: str
) -> Iterator[tuple[int, dict[str, float]]]:
    """(line, {item: count}) of each basket.

    Raises EngineError for an invalid count or a cell that is too long.
    """
    for line, text in enumerate(text_lines(stream, encoding), start=1):
        if not text.strip() or text.startswith(_REMARKS):
            continue
        basket: dict[str, float] = {}
        cells = _cut(text, separator)
        if not cells:
            raise EngineError(
                f"Line {line} of {name} has an item of more than 131,072 letters: it is no list of"
                " items."
            )
        for cell in cells:
            item, mark, value = (part.strip() for part in cell.partition("="))
            times = number_of(value) if mark else 1.0
            if times is None or (mark and not item):
                raise EngineError(
                    f"Line {line} of {name} has {quoted(cell)}: in baskets an item stands before"
                    " “=”, and its number behind it, as milk=2."
                )
            if item:
                basket[item] = basket.get(item, 0.0) + times
        yield line, basket


def _rows(
    name: str, encoding: str, separator: str, items: dict[str, int], stream: BinaryIO, left: LeftOut
) -> Iterator[Line]:
    yield 1, list(items)
    for line, basket in _baskets(name, stream, encoding, separator):
        row = ["0"] * len(items)
        for item, times in basket.items():
            row[items[item]] = number_cell(times)
        yield line, row
