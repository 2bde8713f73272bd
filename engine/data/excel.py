"""Sheets of an Excel file as rows of text cells, by openpyxl."""

import re
import zipfile
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

from engine.core.errors import EngineError
from engine.core.notation import listed, quoted
from engine.data.kinds import ERRORS

Row = list[str]
MAX_ROWS = 2**20  # as many as Excel knows
_FIRST = 20  # rows tell a table from a page of remarks
_FORMULAS = (
    "Some cells hold formulas that nobody has computed yet, they count as empty: open the file in a spreadsheet program "
    "once and save it."
)
_NO_VALUE = re.compile(rb'<c\b(?![^>]*t="str")[^>]*><f[^>]*>[^<]*</f>(<v\s*/>|<v></v>)?</c>')
_MANY = "{name} has a sheet of more than {most:,} rows; no Excel sheet has so many."


def chosen_sheet(path: Path, sheet: str = "") -> tuple[tuple[str, ...], str, tuple[str, ...]]:
    """(the sheets of the file, the one to read, sentences about it): `sheet`, else the first that begins like a table, else
    the first that holds a cell. Raises EngineError when it is no readable Excel file or has no such sheet."""
    name = quoted(path.name)
    with path.open("rb") as stream:
        book = _book(name, stream)
        names = tuple(each.title for each in book.worksheets)
        widths = {each.title: _widths(name, each) for each in book.worksheets if len(names) > 1}
        book.close()
        stream.seek(0)
        notices = (_FORMULAS,) if _formulas_without_values(stream) else ()
    if not names:
        raise EngineError(f"{name} has no sheet with cells.")
    if sheet and sheet not in names:
        raise EngineError(f"{name} has no sheet {quoted(sheet)}; it has {listed(names)}.")
    filled = [title for title, found in widths.items() if found]
    tables = [title for title in filled if sum(width > 1 for width in widths[title]) > 1]
    read = sheet or next(iter((*tables, *filled)), names[0])
    if not sheet and len(filled) > 1:
        rest = [title for title in filled if title != read]
        others = " and ".join(quoted(other) for other in rest[:3]) + (" and more" if len(rest) > 3 else "")
        notices = (f"Sheet {quoted(read)} is read; {others} hold{'s' * (len(rest) == 1)} cells too.", *notices)
    return names, read, notices


def _widths(name: str, sheet: Any) -> list[int]:
    """How many cells the first rows hold that are not blank."""
    filled = (sum(bool(cell_text(value)) for value in row) for row in _values(name, sheet))
    return list(islice(filter(None, filled), _FIRST))


def _formulas_without_values(stream: BinaryIO) -> bool:
    """Whether a sheet begins with formulas that no program has computed: their cells would seem empty."""
    with zipfile.ZipFile(stream) as book:
        for name in book.namelist():
            if name.startswith("xl/worksheets/") and name.endswith(".xml"):
                with book.open(name) as sheet:
                    if _NO_VALUE.search(sheet.read(2**20)):
                        return True
    return False


def _book(name: str, stream: BinaryIO) -> Any:
    from openpyxl import load_workbook  # type: ignore[import-untyped]

    try:
        if _row_marks(stream) > MAX_ROWS:
            raise EngineError(_MANY.format(name=name, most=MAX_ROWS))
        return load_workbook(stream, read_only=True, data_only=True)
    except EngineError:
        raise
    except Exception:  # openpyxl lets faults of zip, XML and its own escape
        raise EngineError(
            f"{name} cannot be read as an Excel file: it may be half-written, locked by a password, or something else."
        ) from None


def sheet_rows(
    name: str, stream: BinaryIO, sheet: str, fault: Callable[[int, int, str], None] | None = None
) -> Iterator[tuple[int, Row]]:
    """(row in the sheet, cells) of every row that is not blank, up to the last cell of each that is filled. A cell in which
    nothing could be computed counts as empty; `fault` is called with its row, its place in it, and its error."""
    book = _book(name, stream)
    for number, values in enumerate(_values(name, book[sheet]), start=1):
        row = [cell_text(value) for value in values]
        for place, value in enumerate(values):
            if fault is not None and _is_error(value):
                fault(number, place, str(value))
        filled = max((j + 1 for j, cell in enumerate(row) if cell), default=0)
        if filled:
            yield number, row[:filled]


def cell_name(row: int, place: int) -> str:
    """E3 for the fifth cell, place 4, of row 3."""
    from openpyxl.utils import get_column_letter  # type: ignore[import-untyped]

    return f"{get_column_letter(place + 1)}{row}"


def _values(name: str, sheet: Any) -> Iterator[tuple[Any, ...]]:
    """The rows without the blank cells behind each: a far-off cell would make every row as wide as its own."""
    try:
        sheet.reset_dimensions()
        for count, row in enumerate(sheet.iter_rows(values_only=True)):
            if count == MAX_ROWS:  # rows left out count too
                raise EngineError(_MANY.format(name=name, most=MAX_ROWS))
            yield row
    except EngineError:
        raise
    except Exception:
        raise EngineError(f"{name} breaks off in sheet {quoted(sheet.title)}; it seems half-written.") from None


def _row_marks(stream: BinaryIO) -> int:
    """About how many rows the longest sheet has, counted in its text: a hundred times as fast as reading them."""
    most = 0
    with zipfile.ZipFile(stream) as book:
        for name in book.namelist():
            if name.startswith("xl/worksheets/") and name.endswith(".xml"):
                with book.open(name) as sheet:
                    blocks = iter(lambda: sheet.read(2**20), b"")
                    most = max(most, sum(block.count(b"<row ") + block.count(b"<row>") for block in blocks))
    return most


def _is_error(value: Any) -> bool:
    return isinstance(value, str) and value[:1] == "#" and value in ERRORS


def cell_text(value: Any) -> str:
    """A value of a sheet as a person would type it; nothing for an error."""
    if value is None or _is_error(value):
        return ""
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    if isinstance(value, (bool, int, float)):
        return str(value)
    return value.isoformat() if hasattr(value, "isoformat") else str(value).strip()
