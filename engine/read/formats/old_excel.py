"""Checks an old Excel file (.xls) before a library reads it: its size, and its cells with errors.

A sheet is a list of records (type, length, bytes); those of cells begin with row and column.
[MS-XLS] 2.3
"""

from collections.abc import Iterator
from struct import error as TooShort
from struct import unpack_from

from engine.base.errors import EngineError
from engine.read.formats.compound import Compound

_MAX_SHEETS = 1000
MAX_AREA = 2**24  # cells of all sheets together: 65,536 rows and 256 columns
_SHEET, _SIZE, _MANY, _ERROR, _FORMULA, _BEGIN, _END = 0x85, 0x200, 0xBD, 0x205, 0x06, 0x809, 0x0A
_MERGED = 0xE5
MAX_MERGED = 2**18  # merged cells of a sheet
_CELLS = {0x203, 0x204, 0xD6, 0x27E, 0xFD, _MANY, _ERROR, _FORMULA}
_ERRORS = {
    0x00: "#NULL!", 0x07: "#DIV/0!", 0x0F: "#VALUE!", 0x17: "#REF!", 0x1D: "#NAME?", 0x24: "#NUM!",
    0x2A: "#N/A",
}  # fmt: skip
Errors = list[tuple[int, int, str]]  # row from 1, place from 0, error


def errors_of(name: str, raw: bytes) -> list[Errors]:
    """The cells with an error, per sheet in order.

    Raises EngineError for a broken file, or for more than Excel could have written.
    """
    book = Compound(name, raw)
    try:
        stream = book.stream("Workbook" if "Workbook" in book.names else "Book")
        starts = [
            unpack_from("<I", body, 0)[0] for kind, body in _records(stream, 0) if kind == _SHEET
        ]
        if len(starts) > _MAX_SHEETS:
            raise EngineError(
                f"{name} has more than {_MAX_SHEETS:,} sheets; save the one to open as CSV."
            )
        area = read = 0
        found: list[Errors] = []
        for start in starts:
            cells, errors, size = _sheet(name, len(found) + 1, stream, start)
            area = area + cells
            read = read + size
            found.append(errors)
            if read > len(stream):
                raise EngineError(
                    f"{name} has two sheets in one place: it is damaged, or no old Excel file."
                )
            if area > MAX_AREA:
                raise EngineError(
                    f"{name} has a cell so far off that no old Excel file could hold its sheet."
                )
    except (TooShort, IndexError):
        raise EngineError(
            f"{name} cannot be read as an old Excel file: it is broken off, or damaged."
        ) from None
    return found


def _records(stream: bytes, place: int) -> Iterator[tuple[int, bytes]]:
    """The records from `place` to the end of the part that begins there."""
    depth = 0
    while place + 4 <= len(stream):
        kind, length = unpack_from("<HH", stream, place)
        yield kind, stream[place + 4 : place + 4 + length]
        depth += (kind == _BEGIN) - (kind == _END)
        if kind == _END and depth <= 0:
            return
        place += 4 + length


def _sheet(name: str, sheet: int, stream: bytes, start: int) -> tuple[int, Errors, int]:
    """(cells of the rectangle up to the last cell, the errors, bytes of the sheet).

    Raises EngineError.
    """
    rows = columns = read = merged = 0
    errors: Errors = []
    for kind, body in _records(stream, start):
        read += 4 + len(body)
        if kind == _SIZE:
            size = (
                unpack_from("<IIHH", body, 0) if len(body) == 14 else unpack_from("<HHHH", body, 0)
            )
            first, last, left, right = size
            # the library would allocate the difference, which is negative
            if last and right and (first > last or left > right):
                raise EngineError(
                    f"{name} says of its sheet {sheet} that its first row or column stands behind"
                    " its last: it is damaged. Open it in a spreadsheet program, and save it as"
                    " .xlsx or CSV."
                )
            rows, columns = max(rows, last), max(columns, right)
        if kind == _MERGED:
            merged += unpack_from("<H", body, 0)[0]
        if merged > MAX_MERGED:
            raise EngineError(
                f"{name} has more than {MAX_MERGED:,} merged cells in its sheet {sheet}, too much"
                " for the lab; split them, or save the table as CSV."
            )
        if kind not in _CELLS:
            continue
        row, column = unpack_from("<HH", body, 0)
        right = unpack_from("<H", body, len(body) - 2)[0] if kind == _MANY else column
        rows, columns = (
            max(rows, row + 1),
            max(columns, right + 1, column + (len(body) - 6) // 6 * (kind == _MANY)),
        )
        if (kind == _ERROR and body[7] == 1) or (
            kind == _FORMULA and body[6] == 2 and body[12:14] == b"\xff\xff"
        ):
            code = body[6] if kind == _ERROR else body[8]
            errors.append((row + 1, column, _ERRORS.get(code, "#N/A")))
    return rows * columns, errors, read
