"""The result of a format's reader: rows of cells, and what the file declares about its columns."""

import io
from collections.abc import Callable, Iterator
from functools import partial
from typing import BinaryIO

from engine.base.errors import EngineError
from engine.base.records import Record
from engine.read.regular import LeftOut, Line
from engine.table.dataset import ColumnRole, Kind
from engine.table.needs import LINEAR_ROWS

MAX_CELLS = 10_000_000  # of a sparse table
KEPT_CELLS, LEAST_ROWS = 4_000_000, 20_000  # cells kept of a table, and at least so many rows
MAX_BYTES = 2**28  # of a file that must be in memory
MAX_UNPACKED = 2**30
MAX_LINE = 2**24  # letters
Rows = Callable[[BinaryIO, LeftOut], Iterator[Line]]
Opener = Callable[[], BinaryIO]


class DeclaredColumn(Record, eq=True):
    """What a file declares about a column; None for nothing.

    domain: its possible words in order, () for any
    """

    kind: Kind | None = None
    role: ColumnRole | None = None
    domain: tuple[str, ...] = ()


class Form(Record, eq=True):
    """The reader of a file that is no text with separators.

    rows: (stream, left) -> (number, cells), the names first; adds to `left` what it leaves out or
        fills in
    said: one per column, () if the file declares nothing
    named: whether the first row certainly holds the names
    decimal: the decimal sign, None to guess it
    sheets, sheet: of a workbook
    encoding: of a text
    notices: sentences for the person
    """

    rows: Rows
    said: tuple[DeclaredColumn, ...] = ()
    named: bool = True
    decimal: str | None = "."
    sheets: tuple[str, ...] = ()
    sheet: str = ""
    encoding: str = ""
    notices: tuple[str, ...] = ()


def rows_kept(columns: int) -> int:
    """The number of rows kept of a table with this many columns.

    `Needs.sample` limits how many of them a method learns from.
    """
    return max(LEAST_ROWS, min(LINEAR_ROWS, KEPT_CELLS // max(1, columns)))


def check_cells(name: str, rows: int, columns: int) -> None:
    """Raise EngineError for a sparse table that would be too large once filled."""
    if rows * columns > MAX_CELLS:
        raise EngineError(
            f"{name} would be a table of {rows:,} rows and {columns:,} columns; where a file leaves"
            f" out the zeros, the lab takes at most {MAX_CELLS:,} cells. Keep fewer rows or"
            " columns."
        )


def whole(name: str, stream: BinaryIO) -> bytes:
    """All bytes of a file that must be in memory; raises EngineError if there are too many."""
    raw = stream.read(MAX_BYTES + 1)
    if len(raw) > MAX_BYTES:
        raise EngineError(
            f"{name} has more than {MAX_BYTES >> 20} MB, too much for a file of its kind; save the"
            " table as CSV."
        )
    return raw


def text_lines(stream: BinaryIO, encoding: str) -> Iterator[str]:
    """The lines of a text; leaves the stream open.

    Raises EngineError for a line that is too long.
    """
    text = io.TextIOWrapper(stream, encoding, newline="")
    try:
        # a generator: closing it early must detach, not close, the stream
        yield from bounded_lines(text)
    finally:
        if not stream.closed:
            text.detach()


def bounded_lines(text: io.TextIOWrapper) -> Iterator[str]:
    """The lines of a text; raises EngineError for one longer than MAX_LINE before loading all of
    it.
    """
    for number, line in enumerate(iter(partial(text.readline, MAX_LINE), ""), start=1):
        if len(line) == MAX_LINE and line[-1] not in "\r\n":
            raise EngineError(
                f"Line {number} of the file has more than {MAX_LINE:,} letters, too much for a row"
                " of a table. Save it anew with a line for each row."
            )
        yield line
