"""What the reader of one kind of file hands over: rows of cells, and what the file itself says of
its columns.
"""

import io
from collections.abc import Callable, Iterator
from functools import partial
from typing import BinaryIO

from engine.base.errors import EngineError
from engine.base.records import Record
from engine.read.regular import LeftOut, Line
from engine.table.dataset import ColumnRole, Kind
from engine.table.needs import LINEAR_ROWS

MAX_CELLS = 10_000_000  # of a table that its file writes with gaps
KEPT_CELLS, LEAST_ROWS = 4_000_000, 20_000  # that are kept of a table, however many columns it has
MAX_BYTES = 2**28  # of a file that has to be in memory as a whole
MAX_UNPACKED = 2**30
MAX_LINE = 2**24  # letters
Rows = Callable[[BinaryIO, LeftOut], Iterator[Line]]
Opener = Callable[[], BinaryIO]


class DeclaredColumn(Record, eq=True):
    """What a file says of one of its columns; None: nothing. domain: the words that it may hold, in
    order, () = any
    """

    kind: Kind | None = None
    role: ColumnRole | None = None
    domain: tuple[str, ...] = ()


class Form(Record, eq=True):
    """A kind of file that is no text between separators.

    rows: (number, cells) from the bytes, the first row are the names; what is left out, or added,
    is noted; said: of each column, () where the file says nothing; named: the first row holds the
    names for certain; decimal: the decimal sign, None = to be guessed; sheets: of a workbook;
    encoding: of a text; notices: sentences for the person
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
    """How many rows are kept of a table of so many columns; how many of them a method learns from:
    `Needs.sample`.
    """
    return max(LEAST_ROWS, min(LINEAR_ROWS, KEPT_CELLS // max(1, columns)))


def check_cells(name: str, rows: int, columns: int) -> None:
    """Raises EngineError for a table with gaps that would be too large once they are filled."""
    if rows * columns > MAX_CELLS:
        raise EngineError(
            f"{name} would be a table of {rows:,} rows and {columns:,} columns; where a file leaves"
            f" out the zeros, the lab takes at most {MAX_CELLS:,} cells. Keep fewer rows or"
            " columns."
        )


def whole(name: str, stream: BinaryIO) -> bytes:
    """All bytes of a file that has to be in memory; raises EngineError when there are too many."""
    raw = stream.read(MAX_BYTES + 1)
    if len(raw) > MAX_BYTES:
        raise EngineError(
            f"{name} has more than {MAX_BYTES >> 20} MB, too much for a file of its kind; save the"
            " table as CSV."
        )
    return raw


def text_lines(stream: BinaryIO, encoding: str) -> Iterator[str]:
    """The lines of a text; the stream stays its owner's.

    Raises EngineError for a line that no table has.
    """
    text = io.TextIOWrapper(stream, encoding, newline="")
    try:
        # from the text itself, a reader that stops early would close the stream
        yield from bounded_lines(text)
    finally:
        if not stream.closed:
            text.detach()


def bounded_lines(text: io.TextIOWrapper) -> Iterator[str]:
    """The lines of a text; raises EngineError for one that is longer than MAX_LINE, before it is in
    memory as a whole.
    """
    for number, line in enumerate(iter(partial(text.readline, MAX_LINE), ""), start=1):
        if len(line) == MAX_LINE and line[-1] not in "\r\n":
            raise EngineError(
                f"Line {number} of the file has more than {MAX_LINE:,} letters, too much for a row"
                " of a table. Save it anew with a line for each row."
            )
        yield line
