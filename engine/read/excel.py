"""Reads sheets of Excel files, new (.xlsx, .xlsm) and old (.xls), as rows of text cells, by
calamine.

calamine allocates a sheet up to its last row and column and does not report which cells hold
errors. So the positions of cells and errors are read from the sheet's own XML or records first.
"""

import io
import re
import zipfile
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice
from typing import Any, BinaryIO

from engine.base.errors import EngineError
from engine.base.notation import listed, quoted
from engine.read.formats import merged, sheet_text
from engine.read.formats.form import MAX_UNPACKED, Form, Opener, Rows, whole
from engine.read.formats.old_excel import MAX_MERGED, Errors, errors_of
from engine.read.kinds import ERRORS
from engine.read.regular import LeftOut, Line, Row

_PLAN, MAX_PLAN = ("xl/workbook.xml", "xl/_rels/workbook.xml.rels"), 2**23  # bytes
MAX_PART = 2**29  # bytes of a sheet, or of the shared strings
_WORDS = "xl/sharedStrings.xml"
_MAX_SHEETS = 1000
MAX_ROWS = 2**20  # Excel's own limit
FIRST = 20  # rows that tell a table from a page of remarks
_FORMULAS = (
    "Some cells hold formulas that are not computed yet, they count as empty: open the file in a"
    " spreadsheet program once and save it."
)
_NO_VALUE = re.compile(rb"<c\b([^<>]*+)><f[^<>]*+>[^<]*+</f>(?:<v\s*+/>|<v></v>)?</c>")
_MANY = "{name} has a sheet of more than {most:,} rows; no Excel sheet has so many."


def excel_form(name: str, opener: Opener, sheet: str = "") -> Form:
    """The reader of an Excel file and the sheet it reads.

    Raises EngineError if it is no Excel file or has no such sheet.
    """
    with opener() as stream:
        places = _archive(name, stream)
        begins = {place: _begin(name, stream, place) for place in dict.fromkeys(places.values())}
    uncomputed = (_FORMULAS,) if any(formulas for _, formulas in begins.values()) else ()
    widths = {title: begins[place][0] for title, place in places.items()}
    read, notices = chosen_sheet(name, tuple(places), widths, sheet)
    return _form(partial(_new_rows, name, read), tuple(places), read, (*notices, *uncomputed))


def uncomputed_formulas(head: bytes) -> bool:
    """Whether a formula has no value; a formula with a text value may have an empty one."""
    return any(b't="str"' not in found[1] for found in _NO_VALUE.finditer(head))


def old_excel_form(name: str, opener: Opener, sheet: str = "") -> Form:
    """The reader of an old Excel file (.xls); as `excel_form`."""
    from python_calamine import SheetTypeEnum

    with opener() as stream:
        errors = errors_of(name, whole(name, stream))
        stream.seek(0)
        book = _opened(name, stream)
        names = tuple(
            each.name for each in book.sheets_metadata if each.typ == SheetTypeEnum.WorkSheet
        )
        widths = {title: _widths(_values(_sheet(name, book, title))) for title in names}
        faults = dict(zip(book.sheet_names, errors, strict=False))
    read, notices = chosen_sheet(name, names, widths, sheet)
    return _form(partial(_old_rows, name, read, faults.get(read, [])), names, read, notices)


def _form(rows: Rows, names: tuple[str, ...], read: str, notices: tuple[str, ...]) -> Form:
    return Form(rows, named=False, decimal=None, sheets=names, sheet=read, notices=notices)


def chosen_sheet(
    name: str, names: Sequence[str], widths: dict[str, list[int]], sheet: str
) -> tuple[str, tuple[str, ...]]:
    """(the sheet to read, sentences about it).

    The sheet is `sheet`, else the first that looks like a table, else the first with cells. widths:
    the numbers of cells in the first rows of each sheet. Raises EngineError if there is no such
    sheet.
    """
    if not names:
        raise EngineError(f"{name} has no sheet with cells.")
    if sheet and sheet not in names:
        raise EngineError(f"{name} has no sheet {quoted(sheet)}; it has {listed(names)}.")
    filled = [title for title in names if widths[title]]
    tables = [title for title in filled if sum(width > 1 for width in widths[title]) > 1]
    read = sheet or next(iter((*tables, *filled)), names[0])
    if sheet or len(filled) < 2:
        return read, ()
    rest = [title for title in filled if title != read]
    others = " and ".join(quoted(other) for other in rest[:3]) + (
        " and more" if len(rest) > 3 else ""
    )
    return read, (
        f"Sheet {quoted(read)} is read; {others} hold{'s' * (len(rest) == 1)} cells too.",
    )


def _widths(rows: Iterator[list[Any]]) -> list[int]:
    """The numbers of filled cells in the first rows that are not blank."""
    return list(islice(filter(None, (sum(map(bool, map(cell_text, row))) for row in rows)), FIRST))


# -- the file --------------------------------------------------------------------------------------


def _unreadable(name: str) -> EngineError:
    return EngineError(
        f"{name} cannot be read as an Excel file: it may be half-written, locked by a password, or"
        " something else."
    )


def _archive(name: str, stream: BinaryIO) -> dict[str, str]:
    """{sheet: its path in the archive}; raises EngineError for an invalid or too large file."""
    try:
        with zipfile.ZipFile(stream) as book:
            if sum(int(each.file_size) for each in book.infolist()) > MAX_UNPACKED:
                raise EngineError(
                    f"{name} unpacks to more than {MAX_UNPACKED >> 30} GB; no table of this lab is"
                    " so large."
                )
            for each in book.infolist():
                _check_part(name, each.filename, each.file_size)
            places = sheet_text.places(book)
            if len(places) > _MAX_SHEETS:
                raise EngineError(
                    f"{name} has more than {_MAX_SHEETS:,} sheets; save the one to open as CSV."
                )
            return places
    except EngineError:
        raise
    except Exception:  # errors of zipfile, of the XML parser, and missing parts
        raise _unreadable(name) from None


def _check_part(name: str, part: str, size: int) -> None:
    """Raise EngineError for a part of the archive that would take too much memory."""
    most = MAX_PLAN if part in _PLAN else MAX_PART
    if part.startswith("xl/") and part.endswith((".xml", ".rels")) and size > most:
        raise EngineError(
            f"{name} holds “{part[:60]}” of more than {most >> 20} MB, too much for the lab. Open"
            " it in a spreadsheet program and save the table as CSV."
        )


def _begin(name: str, stream: BinaryIO, place: str) -> tuple[list[int], bool]:
    """(numbers of cells in the sheet's first rows, whether a formula among them has no value)."""
    try:
        with zipfile.ZipFile(stream) as book, book.open(place) as sheet:
            head = sheet.read(2**20)
    except Exception:
        raise _unreadable(name) from None
    return sheet_text.widths(head)[:FIRST], uncomputed_formulas(head)


def _opened(name: str, stream: BinaryIO) -> Any:
    from python_calamine import load_workbook

    stream.seek(0)
    return _guarded(name, lambda: load_workbook(io.BytesIO(whole(name, stream))))


def _guarded(name: str, call: Callable[[], Any]) -> Any:
    """The result of a calamine call; its errors and Rust panics become EngineError."""
    try:
        return call()
    except EngineError:
        raise
    except BaseException as fault:
        if isinstance(fault, Exception) or type(fault).__name__ == "PanicException":
            raise _unreadable(name) from None
        raise


# -- rows ------------------------------------------------------------------------------------------


def _new_rows(name: str, sheet: str, stream: BinaryIO, left: LeftOut) -> Iterator[Line]:
    place = _archive(name, stream).get(sheet)
    if place is None:
        raise EngineError(f"{name} has no sheet “{sheet}”.")
    try:
        with zipfile.ZipFile(stream) as book:
            raw = book.read(place)
            found = sheet_text.measured(raw)
            words = book.read(_WORDS) if _WORDS in book.namelist() else b""
            if sheet_text.shared_letters(words, raw) > sheet_text.MAX_SHARED:
                raise EngineError(
                    f"The words in the cells of sheet “{sheet}” of {name} have more than"
                    f" {sheet_text.MAX_SHARED:,} letters together, too much for the lab; shorten"
                    " the long ones, or delete their column."
                )
            if raw.count(b"mergeCell") - raw.count(b"mergeCells") > MAX_MERGED:
                raise EngineError(
                    f"Sheet “{sheet}” of {name} has more than {MAX_MERGED:,} merged cells, too much"
                    " for the lab; split them, or save the table as CSV."
                )
            del raw, words
            if found.rows > MAX_ROWS:
                raise EngineError(_MANY.format(name=name, most=MAX_ROWS))
            taken: BinaryIO = stream
            if found.far and not found.sparse:
                taken = io.BytesIO(sheet_text.without_far(book, place, found))
    except EngineError:
        raise
    except sheet_text.TooManyCells:
        raise EngineError(
            f"Sheet “{sheet}” of {name} has more than {sheet_text.MAX_CELLS:,} cells, too much for"
            " the lab; save the table as CSV."
        ) from None
    except Exception:
        raise EngineError(f"{name} breaks off in sheet “{sheet}”; it seems half-written.") from None
    if found.sparse:
        raise EngineError(
            f"{name} has cells so far apart that the sheet “{sheet}” is too large; delete those off"
            " the table."
        )
    table = _sheet(name, _opened(name, taken), sheet)
    stream.seek(0, io.SEEK_END)  # reports the whole stream as read
    yield from merged.filled(
        _rows(_values(table), found.errors, found.far, left), _spans(table), left
    )


def _old_rows(
    name: str, sheet: str, errors: Errors, stream: BinaryIO, left: LeftOut
) -> Iterator[Line]:
    table = _sheet(name, _opened(name, stream), sheet)
    yield from merged.filled(_rows(_values(table), errors, {}, left), _spans(table), left)


def _sheet(name: str, book: Any, sheet: str) -> Any:
    return _guarded(name, partial(book.get_sheet_by_name, sheet))


def _spans(found: Any) -> merged.Spans:
    """The merged cells of a sheet."""
    spans: merged.Spans = {}
    for (row, place), (last, end) in found.merged_cell_ranges or ():
        if last >= row and end >= place:
            spans.setdefault(row + 1, {})[place] = (last + 1, end)
    return spans


def _values(found: Any) -> Iterator[list[Any]]:
    """The rows of a sheet, padded on the left to its first column."""
    before = [""] * (found.start[1] if found.start else 0)
    return ([*before, *row] for row in found.iter_rows()) if before else iter(found.iter_rows())


def _rows(
    values: Iterator[list[Any]], errors: Errors, far: dict[int, list[int]], left: LeftOut
) -> Iterator[Line]:
    """(row in the sheet, cells up to the last filled one) of each row that is not blank.

    A cell with an error counts as empty; `left` records its row, column and error.
    """
    waiting = iter([*sorted(errors), (MAX_ROWS + 2, 0, "")])
    row_, place, error = next(waiting)
    number = 0
    for number, found in enumerate(values, start=1):
        while row_ <= number:
            left.fault(row_, place, error)
            row_, place, error = next(waiting)
        row = [value.strip() if type(value) is str else cell_text(value) for value in found]
        if "#" in "".join(row):
            for place_, cell in enumerate(row):
                if cell in ERRORS:  # an error that was typed as text
                    left.fault(number, place_, cell)
                    row[place_] = ""
        while row and not row[-1]:
            row.pop()
        if number in far:
            row = _with_far(row, far.pop(number))
        if row:
            yield number, row
    for number, places in sorted(far.items()):
        yield number, _with_far([], places)


def _with_far(row: Row, places: Sequence[int]) -> Row:
    """A row with “…” in the places of far-off cells that were removed for calamine."""
    row = row + [""] * (max(places) + 1 - len(row))
    for place in places:
        row[place] = "…"
    return row


def cell_text(value: Any) -> str:
    """A value of a sheet as a person would type it."""
    if type(value) is float:
        return repr(value).removesuffix(".0")
    if isinstance(value, str):
        return value.strip()
    return value.isoformat() if hasattr(value, "isoformat") else str(value)
