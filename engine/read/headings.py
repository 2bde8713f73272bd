"""Decides whether the first row of a table holds column names, which may look like numbers: inf,
1990, 0, 01.
"""

import re
from collections.abc import Collection, Sequence
from itertools import islice

import numpy as np

from engine.base.notation import listed, quoted
from engine.read.cells import Cells
from engine.read.kinds import CLASS_NAMES, DOUBTFUL
from engine.read.number_cells import is_number, name_like, number_of
from engine.read.regular import Row

_YEAR = re.compile(r"(1[89]|20)\d\d")
_WHOLE = re.compile(r"\d+")
_NUMBER_LIKE = re.compile(r"[+\-−]?[\d.,]+(e[+-]?\d+)?", re.IGNORECASE)
_STEPS = 3  # the fewest numbers that show a rule
_MANY = 5  # numbers that show it with certainty
_LOOKED_AT = 1000  # cells of a column
_UNKNOWN = frozenset(
    word.casefold() for word in (*DOUBTFUL, "unknown", "missing", "not available", "undefined")
)
_CALLED = frozenset(
    (
        *CLASS_NAMES,
        "outcome",
        "name",
        "names",
        "id",
        "index",
        "year",
        "date",
        "month",
        "age",
        "gender",
        "town",
        "city",
        "state",
        "country",
        "region",
        "district",
        "code",
        "sample",
        "patient",
        "subject",
        "gene",
        "feature",
        "land",
        "stadt",
        "jahr",
    )
)
Below = Sequence[Sequence[str]]


def has_header(cells: Cells, missing: Collection[str]) -> bool:
    """Whether the first row seems to hold names.

    Names are words over numbers, or words that their columns do not repeat. Numbers among them have
    to look like names too.
    """
    first = cells.first
    if not any(is_number(cell) or (cell and cell in missing) for cell in first):
        return _words_are_names(cells, missing)
    return bool(cells.rows) and _with_numbers(first, cells.below, missing)


def number_names_notice(first: Row, missing: Collection[str]) -> list[str]:
    """A sentence, in a list, where names in the header could be values; else []."""
    odd = [quoted(cell) for cell in first if cell and (cell in missing or is_number(cell))]
    if not odd:
        return []
    return [
        f"The first row, with {listed(odd[:3], str)}, is read as the column names; if it is data,"
        " say so."
    ]


def unsure_header(cells: Cells, missing: Collection[str]) -> list[str]:
    """A sentence if the first row, read as data, may be names after all; else [].

    So it is if the row counts the columns, has years where the rows have none, or has words that
    are common names, or that no row repeats although the rows repeat theirs.
    """
    below = cells.below
    if not cells.rows:
        return []
    said = ["The first row is read as data; if it holds the column names, say so."]
    if len(cells.first) >= _STEPS and (
        _counting(cells.first) or _are_years([*zip(cells.first, below, strict=True)])
    ):
        return said
    if not _fresh_words(cells.first, below, missing):
        return []
    if _known(cells.first):
        return said
    words = [
        column
        for cell, column in zip(cells.first, below, strict=True)
        if cell and not _NUMBER_LIKE.fullmatch(cell)
    ]
    if not all(2 * len(set(column)) <= len(column) for column in words):
        return []
    return said


def _words_are_names(cells: Cells, missing: Collection[str]) -> bool:
    """Whether a first row of words only holds names."""
    if not cells.rows or any(_numbers_alone(column, missing) for column in cells.below):
        return True
    first = cells.first
    named = [cell for cell in first if cell]
    repeated = (
        cell in column
        for cell, column in zip(first, cells.below, strict=True)
        if cell not in missing
    )
    return len(set(named)) == len(named) and not any(repeated)


def _numbers_alone(column: Sequence[str], missing: Collection[str]) -> bool:
    head = list(islice((cell for cell in column if cell not in missing), _LOOKED_AT))
    return bool(head) and all(is_number(cell) for cell in head)


def _with_numbers(first: Row, below: Below, missing: Collection[str]) -> bool:
    """Whether a first row with numbers, or with words such as nan, holds names."""
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
    if not words:
        return _numbers_are_names(first, below, missing)
    if any(cell.casefold() in _UNKNOWN or cell in column for cell, column in words):
        return False
    over_numbers = any(_numbers_alone(column, missing) for _, column in words)
    called = _known([cell for cell, _ in words])
    infinite = any(
        cell.isalpha() and cell not in missing and _only_name(column, missing)
        for cell, column in others
    )
    sure = (
        over_numbers
        or called
        or infinite
        or any(2 * len(set(column)) <= len(column) for _, column in words)
    )
    plain = [
        (cell, column)
        for cell, column in others
        if not (name_like(cell) and _only_name(column, missing)) and not (sure and cell in missing)
    ]
    return not plain or _called_by_numbers(plain, [cell for cell, _ in words], sure, over_numbers)


def _only_name(column: Sequence[str], missing: Collection[str]) -> bool:
    """Whether a column holds numbers only, none of which could be a name."""
    head = [cell for cell in islice(column, _LOOKED_AT) if cell not in missing]
    return all(is_number(cell) and not name_like(cell) for cell in head)


def _called_by_numbers(
    named: Sequence[tuple[str, Sequence[str]]], words: Sequence[str], sure: bool, over_numbers: bool
) -> bool:
    """Whether the numbers beside words are column names: years, counts from 0 or 1, codes such as
    01, doses, wavelengths.

    named: these numbers with the columns below them
    sure: whether the words are certainly names
    over_numbers: whether a word stands over numbers only
    """
    names = [cell for cell, _ in named]
    if len(set(names)) < len(names):
        return False
    known = _known(words)
    if _are_years(named) and (len(names) > 1 or sure):
        return True
    if (_counting(names) or _in_steps(names)) and (sure or known):
        return (
            known
            or over_numbers
            or len(names) >= _MANY
            or all(_outside(cell, column) for cell, column in named)
        )
    fresh = not any(cell in column for cell, column in named)
    coded = any(map(_is_code, names)) and not any(
        _is_code(cell) for _, column in named for cell in column
    )
    return fresh and (known or (coded and sure) or (over_numbers and len(words) >= len(names)))


def _known(words: Sequence[str]) -> bool:
    """Whether one of the words is a common column name."""
    return any(word.casefold() in _CALLED for word in words)


def _are_years(named: Sequence[tuple[str, Sequence[str]]]) -> bool:
    """Whether all names are years, but less than half of the cells below."""
    if not all(_YEAR.fullmatch(name) for name, _ in named):
        return False
    below = [cell for _, column in named for cell in column[:_LOOKED_AT] if cell]
    years = sum(1 for cell in below if _YEAR.fullmatch(cell))
    return 2 * years < len(below)


def _counting(names: Sequence[str]) -> bool:
    """Whether the names count from 0 or 1."""
    return len(names) > 1 and any(
        names == [str(begin + k) for k in range(len(names))] for begin in (0, 1)
    )


def _in_steps(names: Sequence[str]) -> bool:
    """Whether at least three numbers rise or fall in equal steps, as wavelengths do."""
    values = [number_of(name) for name in names]
    numbers = [value for value in values if value is not None]
    if len(names) < _STEPS or len(numbers) < len(names) or not np.isfinite(numbers).all():
        return False
    steps = np.diff(numbers)
    return bool(steps[0]) and bool(np.allclose(steps, steps[0], rtol=1e-6, atol=0.0))


def _outside(cell: str, column: Sequence[str]) -> bool:
    """Whether a number is below or above all numbers of its column."""
    value = number_of(cell)
    below = [number for number in map(number_of, column[:_LOOKED_AT]) if number is not None]
    return value is not None and bool(below) and (value < min(below) or value > max(below))


def _is_code(cell: str) -> bool:
    return len(cell) > 1 and cell[0] == "0" and _WHOLE.fullmatch(cell) is not None


def _numbers_are_names(first: Row, below: Below, missing: Collection[str]) -> bool:
    """Whether a first row without words holds names.

    Either all are names of infinity; or numbers follow an empty corner above row numbers, or count
    or rise in steps; or they count the columns above decimals.
    """
    if any(cell.isalpha() and cell not in missing for cell in first):
        return all(
            cell.isalpha() and _only_name(column, missing)
            for cell, column in zip(first, below, strict=True)
        )
    names = first[1:]
    if not first[0] and names and all(names) and len(set(names)) == len(names):
        return _counting(list(below[0])) or _counting(names) or _in_steps(names)
    return len(first) >= _STEPS and _counting(first) and any(map(_decimals_alone, below))


def _decimals_alone(column: Sequence[str]) -> bool:
    """Whether a column has cells, all of which are numbers with decimals."""
    head = [cell for cell in column[:_LOOKED_AT] if cell]
    return bool(head) and all(("." in cell or "," in cell) and is_number(cell) for cell in head)


def _fresh_words(first: Row, below: Below, missing: Collection[str]) -> bool:
    """Whether the first row has words and no column repeats its own."""
    words = [
        (cell, column)
        for cell, column in zip(first, below, strict=True)
        if cell and not _NUMBER_LIKE.fullmatch(cell)
    ]
    return bool(words) and not any(cell in missing or cell in column for cell, column in words)
