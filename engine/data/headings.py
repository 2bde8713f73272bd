"""Whether the first row of a table holds the names of its columns; names may look like numbers: inf, 1990, 0, 01."""

import re
from collections.abc import Collection, Sequence
from itertools import islice

from engine.core.notation import listed, quoted
from engine.data.cells import Cells
from engine.data.kinds import DOUBTFUL, TARGET_NAMES
from engine.data.number_cells import is_number, name_like
from engine.data.regular import Row

_YEAR = re.compile(r"(1[89]|20)\d\d")
_WHOLE = re.compile(r"\d+")
_NUMBER_LIKE = re.compile(r"[+\-−]?[\d.,]+(e[+-]?\d+)?", re.IGNORECASE)
_LOOKED_AT = 1000  # cells of a column
_UNKNOWN = frozenset(word.casefold() for word in (*DOUBTFUL, "unknown", "missing", "not available", "undefined"))
Below = Sequence[Sequence[str]]


def has_header(cells: Cells, missing: Collection[str]) -> bool:
    """Whether the first row seems to hold names: no plain numbers, or such as a column may be called by beside words, and
    over numbers, or at least words that their columns do not repeat."""
    first = cells.first
    if not any(is_number(cell) or (cell and cell in missing) for cell in first):
        return _words_are_names(cells, missing)
    return bool(cells.rows) and _with_numbers(first, cells.below, missing)


def numbers_told(first: Row, missing: Collection[str]) -> list[str]:
    """A sentence when names of the header could be values."""
    odd = [quoted(cell) for cell in first if cell and (cell in missing or is_number(cell))]
    if not odd:
        return []
    return [f"The first row, with {listed(odd[:3], str)}, is read as the column names; if it is data, say so."]


def unsure_header(cells: Cells, missing: Collection[str]) -> list[str]:
    """A sentence when the first row, read as data, has words that no row repeats, though the others do repeat theirs."""
    below = cells.below
    if not cells.rows or not _fresh_words(cells.first, below, missing):
        return []
    words = [
        column for cell, column in zip(cells.first, below, strict=True) if cell and not _NUMBER_LIKE.fullmatch(cell)
    ]
    if not all(2 * len(set(column)) <= len(column) for column in words):
        return []
    return ["The first row is read as data; if it holds the column names, say so."]


def _words_are_names(cells: Cells, missing: Collection[str]) -> bool:
    """Whether a first row of words alone is one of names."""
    if not cells.rows or any(_numbers_alone(column, missing) for column in cells.below):
        return True
    first = cells.first
    named = [cell for cell in first if cell]
    repeated = (cell in column for cell, column in zip(first, cells.below, strict=True) if cell not in missing)
    return len(set(named)) == len(named) and not any(repeated)


def _numbers_alone(column: Sequence[str], missing: Collection[str]) -> bool:
    head = list(islice((cell for cell in column if cell not in missing), _LOOKED_AT))
    return bool(head) and all(is_number(cell) for cell in head)


def _with_numbers(first: Row, below: Below, missing: Collection[str]) -> bool:
    """Whether a first row with numbers, or with words like nan, among its cells is one of names."""
    words = [
        (cell, column)
        for cell, column in zip(first, below, strict=True)
        if cell and cell not in missing and not is_number(cell)
    ]
    others = [
        (cell, column)
        for cell, column in zip(first, below, strict=True)
        if cell and (cell in missing or is_number(cell))
    ]
    if not words or any(cell.casefold() in _UNKNOWN or cell in column for cell, column in words):
        return False
    over_numbers = any(_numbers_alone(column, missing) for _, column in words)
    sure = over_numbers or any(2 * len(set(column)) <= len(column) for _, column in words)
    plain = [
        (cell, column)
        for cell, column in others
        if not (name_like(cell) and _only_name(column, missing)) and not (sure and cell in missing)
    ]
    return not plain or _called_by_numbers(plain, [cell for cell, _ in words], sure, over_numbers)


def _only_name(column: Sequence[str], missing: Collection[str]) -> bool:
    """Whether a column holds numbers, none of them written as a name could be."""
    head = [cell for cell in islice(column, _LOOKED_AT) if cell not in missing]
    return all(is_number(cell) and not name_like(cell) for cell in head)


def _called_by_numbers(
    named: Sequence[tuple[str, Sequence[str]]], words: Sequence[str], sure: bool, over_numbers: bool
) -> bool:
    """Whether whole numbers beside words are names of columns: years, places from 0 or 1 on, codes such as 01.

    named: such numbers, and what stands below each; sure: the words are names beyond doubt; over_numbers: and one stands
    over nothing but numbers
    """
    names = [cell for cell, _ in named]
    if len(set(names)) < len(names) or not all(map(_WHOLE.fullmatch, names)):
        return False
    known = any(word.casefold() in TARGET_NAMES for word in words)
    if all(map(_YEAR.fullmatch, names)) and (len(names) > 1 or sure):
        return not any(_YEAR.fullmatch(cell) for _, column in named for cell in column)
    begin = int(names[0][:9])
    if names == [str(begin + k) for k in range(len(names))] and begin < 2 and len(names) > 1:
        return sure or known
    fresh = not any(cell in column for cell, column in named)
    coded = any(len(cell) > 1 and cell[0] == "0" for cell in names)
    coded = coded and not any(
        len(cell) > 1 and _WHOLE.fullmatch(cell) and cell[0] == "0" for _, c in named for cell in c
    )
    return fresh and ((coded and (sure or known)) or (over_numbers and len(words) >= len(names)))


def _fresh_words(first: Row, below: Below, missing: Collection[str]) -> bool:
    """Whether the first row has words, and none of them stands below it."""
    words = [
        (cell, column) for cell, column in zip(first, below, strict=True) if cell and not _NUMBER_LIKE.fullmatch(cell)
    ]
    return bool(words) and not any(cell in missing or cell in column for cell, column in words)
