"""Reads a file, or pasted text, as rows of cells: encoding, separator, ragged rows, samples of long
tables.
"""

import codecs
import csv
import io
import os
import re
import stat
from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain, islice
from numbers import Integral
from pathlib import Path
from typing import BinaryIO, TypeVar

import numpy as np

from engine.base.errors import EngineError
from engine.base.notation import quoted
from engine.base.records import Record, cached_property, replace
from engine.read import encodings, plain_lines
from engine.read.encodings import END_MARK
from engine.read.formats import packed
from engine.read.formats.form import (
    MAX_LINE,
    DeclaredColumn,
    Form,
    Opener,
    bounded_lines,
    rows_kept,
)
from engine.read.formats.orange import headed, said_of
from engine.read.formats.signs import binary_form
from engine.read.number_cells import number_of
from engine.read.regular import LeftOut, Line, Row, regular
from engine.read.sampling import let_go, sample, sample_places
from engine.table.given import check_seed

T = TypeVar("T")
GUESSED = 20_000  # rows used for guesses
PASTED_LIMIT = 20_000  # reading the clipboard blocks the window
SEPARATORS = {"\t": "tab", ";": "semicolon", ",": "comma", "|": "bar", " ": "blank"}
REMARK = "#"  # begins remarks above the table
_REMARKS = 40  # beyond these, such lines are rows
Progress = Callable[[float], bool]
_HEAD = 64 * 1024
_DECLARED = re.compile(r'(?i)"?sep=([^\r\n"])"?(?:\r\n?|\n)')


class Cancelled(EngineError):
    """Raised when the person stops the opening of a table."""


class Cells(Record, dict=True):
    """The first row of a table and the rows below it, or a sample of them, in file order.

    numbers: the number of each row in the file; the first row is 1
    total: the number of rows below the first
    exact: whether `total` is counted, not estimated
    notices: sentences about what was left out
    said: what rows above the values declare about the columns, as in Orange's files
    """

    first: Row
    rows: list[Row]
    numbers: list[int]
    total: int
    exact: bool = True
    notices: tuple[str, ...] = ()
    said: tuple[DeclaredColumn, ...] = ()

    @cached_property
    def below(self) -> list[list[str]]:
        """The columns without the first row."""
        return [[row[j] for row in self.rows] for j in range(len(self.first))]

    def release(self) -> None:
        """Free the rows when they are no longer needed."""
        for part in (*self.__dict__.pop("below", ()), self.rows):
            let_go(part)


class Source(Record, eq=True):
    """Where the rows come from.

    name: for sentences
    open: returns a stream of the bytes
    size: in bytes
    sheets, sheet: of a workbook
    """

    name: str
    open: Callable[[], BinaryIO]
    size: int
    encoding: str = "utf-8"
    separator: str = ","
    sheets: tuple[str, ...] = ()
    sheet: str = ""
    strip: bool = True
    notices: tuple[str, ...] = ()
    declared: bool = False  # the first line is Excel's “sep=;”, no row
    cut: bool = False  # the file ends inside a multi-byte character
    form: Form | None = None  # the reader of other files than text with separators

    @property
    def named(self) -> bool:
        """Whether the first row certainly holds the names."""
        return self.form is not None and self.form.named


def file_source(
    path: Path, encoding: str | None = None, separator: str | None = None, sheet: str = ""
) -> Source:
    """The table file at `path`; guesses what is None. Raises EngineError if it cannot be opened."""
    name = quoted(path.name)
    try:
        size = _ordinary(path).st_size
        with path.open("rb") as stream:
            head = stream.read(_HEAD)
    except FileNotFoundError:
        raise EngineError(f"There is no file {name}; it may have been moved or renamed.") from None
    except IsADirectoryError:
        raise EngineError(f"{name} is a folder; choose a table file in it.") from None
    except OSError as fault:
        raise EngineError(
            f"{name} cannot be read: {fault.strerror or 'it is not a file'}."
        ) from None
    except ValueError as fault:
        if isinstance(fault, EngineError):
            raise
        raise EngineError(
            "The name of the file holds a letter that no file name can hold; check the name."
        ) from None
    if not head:
        raise EngineError(f"{name} is empty.")
    opener: Opener = partial(_bytes, path)
    plain = not head.startswith(packed.SIGN)
    if not plain:
        opener = partial(packed.unpacked, name, path)
        size = packed.size_of(path)
        with opener() as stream:
            head = stream.read(_HEAD)
        if not head or head.startswith(packed.SIGN):
            raise EngineError(
                f"{name} is packed {'twice; unpack it once' if head else 'and empty'}."
            )
    form = binary_form(name, opener, head, sheet)
    if form is not None:
        return _formed(name, opener, size, form)
    source = _text_source(
        name, opener, size, head, encoding, separator, Path(table_name(path)).suffix.lower()
    )
    if plain and source.form is None and encodings.ends_in_a_letter(opener, size, source.encoding):
        source = replace(source, notices=(*source.notices, encodings.CUT), cut=True)
    return source


def _bytes(path: Path) -> BinaryIO:
    return path.open("rb")


def table_name(path: Path) -> str:
    """The name of a file without .gz."""
    return path.name[:-3] if path.name.lower().endswith(".gz") else path.name


def _formed(name: str, opener: Opener, size: int, form: Form) -> Source:
    return Source(
        name,
        opener,
        size,
        form.encoding,
        "",
        form.sheets,
        form.sheet,
        notices=form.notices,
        form=form,
    )


def _ordinary(path: Path) -> os.stat_result:
    """The file's status; raises EngineError for a pipe or a device, which could block when
    opened.
    """
    found = path.stat()
    if not (stat.S_ISREG(found.st_mode) or stat.S_ISDIR(found.st_mode)):
        raise EngineError(
            f"{quoted(path.name)} is no ordinary file; save the table as a file, then open that."
        )
    return found


def pasted_source(text: str, separator: str | None = None) -> Source:
    """The source of pasted text; raises EngineError without cells or for an invalid separator."""
    _check_separator(separator)
    if not text.strip() and (separator is None or not text):
        raise EngineError("There are no cells to paste: copy some rows of a table first.")
    raw = text.encode("utf-8", "replace")
    head = raw[:_HEAD].decode("utf-8", "ignore")
    return Source(
        "The pasted text",
        lambda: io.BytesIO(raw),
        len(raw),
        "utf-8",
        separator or guess_separator(head),
    )


def _text_source(
    name: str,
    opener: Opener,
    size: int,
    head: bytes,
    encoding: str | None,
    separator: str | None,
    suffix: str,
) -> Source:
    """The source of a text file; raises EngineError.

    suffix: of the file's name
    separator: if given, the text is read as cells between separators
    """
    notices: tuple[str, ...] = ()
    _check_separator(separator)
    if encoding is None:
        encoding, notices = encodings.guess(name, opener, head)
    try:
        # raises LookupError for codecs of bytes, such as base64
        io.TextIOWrapper(io.BytesIO(), encoding)
        text = codecs.getincrementaldecoder(encoding)("strict").decode(head).rstrip(END_MARK)
    except (LookupError, ValueError, TypeError):
        raise EngineError(
            f"{name} cannot be read as {encoding}; choose another encoding."
        ) from None
    if not separator:
        from engine.read.formats.texts import text_form

        form = text_form(name, suffix, opener, encoding, text, len(head) == _HEAD)
        if form is not None:
            return _formed(name, opener, size, replace(form, notices=(*notices, *form.notices)))
    if not text.strip() and separator is None:
        raise EngineError(f"{name} is empty: it holds only blanks.")
    said = _DECLARED.match(text)
    separator = separator or (said[1] if said else guess_separator(text))
    return Source(
        name, opener, size, encoding, separator, notices=notices, declared=said is not None
    )


def _check_separator(separator: str | None) -> None:
    if separator and (
        not isinstance(separator, str) or len(separator) != 1 or separator in '"\r\n'
    ):
        raise EngineError(
            f"The separator must be one letter, as “;”; {quoted(separator)} cannot be one."
        )


def guess_separator(text: str) -> str:
    """The separator that splits most of the first lines into the same number of cells.

    Ties go to tab, then ; then , then | then blank.
    """
    lines = text.rstrip(END_MARK).splitlines(keepends=True)
    sample = [line for line in (lines[:-1] if len(lines) > 50 else lines)[:50] if line.strip()]
    sample = [line for line in sample if not line.startswith(REMARK)] or sample
    best = ","
    score = 0.0
    for separator in SEPARATORS:
        try:
            rows = [
                row
                for row in csv.reader(
                    sample, delimiter=separator, skipinitialspace=separator == " "
                )
                if row
            ]
        except csv.Error:
            continue
        widths = [len(row) for row in rows]
        usual = max(set(widths), key=widths.count) if widths else 1
        share = widths.count(usual) / len(widths) if usual > 1 else 0.0
        if share > score and (separator != " " or share == 1.0 or _names_before_numbers(rows)):
            best, score = separator, share
    return best


def _names_before_numbers(rows: list[Row]) -> bool:
    """Whether rows split at blanks begin with row names, as R writes them.

    The first row has one cell fewer, and each row below holds a number.
    """
    below = rows[1:]
    return (
        len(below) > 1
        and {len(row) for row in below} == {len(rows[0]) + 1}
        and all(any(number_of(cell) is not None for cell in row[1:]) for row in below)
    )


# -- rows ------------------------------------------------------------------------------------------


def read_cells(
    source: Source,
    limit: int | None = None,
    seed: int = 0,
    progress: Progress | None = None,
    head_only: bool = False,
) -> Cells:
    """The rows of `source`; of more than `limit` a sample drawn with `seed`.

    With head_only, the first rows instead. limit: None for `rows_kept`. Raises EngineError for
    broken tables and Cancelled if `progress(fraction)` returns False.
    """
    check_seed(seed)
    if limit is not None and not (isinstance(limit, Integral) and limit > 0):
        raise EngineError(f"The limit must be a whole number of rows above 0; it is {limit}.")
    with source.open() as stream:
        try:
            plain = None if head_only else _plain_cells(source, stream, limit, seed, progress)
            if plain is not None:
                return plain
            stream.seek(0)
            left = LeftOut("row" if source.sheet else "line")
            numbered = _table_rows(source, stream, left)
            first = next(numbered, None)
            if first is None:
                raise EngineError(f"{source.name} is empty: it has no cells.")
            most = rows_kept(len(first[1])) if limit is None else limit

            tick = _ticking(source, stream, progress)
            if head_only:
                kept = list(islice(numbered, most))
                rest = (
                    sum(1 for _ in numbered)
                    if stream.tell() >= source.size
                    else len(list(islice(numbered, 1)))
                )
                exact = not rest or stream.tell() >= source.size
                total = len(kept) + rest if exact else _estimate(len(kept), stream.tell(), source)
            else:
                kept, total = sample(numbered, most, seed, tick)
                exact = True
        except UnicodeError:
            raise EngineError(
                f"{source.name} cannot be read as {source.encoding}; choose another encoding."
            ) from None
    rows = [first[1], *(row for _, row in kept)]
    if source.strip:
        rows = [[*map(str.strip, row)] for row in rows]
    numbers = [number for number, _ in kept]
    let_go(kept)
    return Cells(rows[0], rows[1:], numbers, total, exact, left.sentences(), said_of(left.kinds))


def _ticking(
    source: Source,
    stream: BinaryIO,
    progress: Progress | None,
    begin: float = 0.0,
    share: float = 1.0,
) -> Callable[[], None]:
    """A function that reports the part of the stream read so far and raises Cancelled.

    The report runs from `begin` to `begin + share`.
    """

    def tick() -> None:
        if progress is not None and not progress(
            begin + share * min(1.0, stream.tell() / max(1, source.size))
        ):
            raise Cancelled("Opening was cancelled; nothing has changed.")

    return tick


def _plain_cells(
    source: Source, stream: BinaryIO, limit: int | None, seed: int, progress: Progress | None
) -> Cells | None:
    """The fast path of `read_cells` for a long text without quotation marks.

    None for other texts and for those that `read_cells` may refuse.
    """
    if source.form is not None or not source.strip or source.cut or source.size < plain_lines.LEAST:
        return None
    plain = plain_lines.plain_text(stream, source.encoding, source.separator)
    if plain is None:
        return None
    left = LeftOut()
    try:
        first, *above = (row for _, row in _table_rows(source, io.BytesIO(plain.head), left))
    except (EngineError, ValueError):  # ValueError: no row at all
        return None
    if not plain_lines.count_rows(
        plain, stream, len(first), _ticking(source, stream, progress, share=0.5)
    ):
        return None
    tick = _ticking(source, stream, progress, 0.5, 0.5)
    total = len(above) + plain.rows
    places = sample_places(
        total,
        rows_kept(len(first)) if limit is None else limit,
        seed,
        _ticking(source, stream, progress, share=0.5),
    )
    split = int(np.searchsorted(places, len(above)))
    rows = [[*map(str.strip, above[place])] for place in places[:split].tolist()]
    rows += plain_lines.rows_at(plain, stream, places[split:] - len(above), tick)
    left.empty += plain.between
    names = [*map(str.strip, first)]
    return Cells(
        names, rows, (places + 2).tolist(), total, True, left.sentences(), said_of(left.kinds)
    )


def _table_rows(source: Source, stream: BinaryIO, left: LeftOut) -> Iterator[Line]:
    """(number from 1, cells) of each row of the table."""
    lines = _raw_rows(source, stream, left)
    exact = not source.strip or source.named
    rows = regular(
        source.name, lines, left, separator=source.separator, sheet=bool(source.sheet), exact=exact
    )
    return rows if exact else headed(rows, left)


def _estimate(count: int, position: int, source: Source) -> int:
    share = int(count * source.size / max(1, position))
    return max(count, round(share, 2 - len(str(share))))


def _raw_rows(source: Source, stream: BinaryIO, left: LeftOut) -> Iterator[tuple[int, Row]]:
    """(line in the file, cells) of each line that is not blank; adds a sheet's errors to `left`."""
    if source.form is not None:
        yield from source.form.rows(stream, left)
        return
    faults = encodings.HALF_LETTER if source.cut else "strict"
    text = io.TextIOWrapper(stream, source.encoding, faults, newline="")
    letters = 0  # since the last row: an open quotation mark could join all lines

    def fed() -> Iterator[str]:
        nonlocal letters
        for line in bounded_lines(text):
            letters += len(line)
            if letters > MAX_LINE:
                raise EngineError(_endless(source.name))
            yield line.rstrip(
                END_MARK
            )  # only at the end of the file does no line end follow the mark

    lines: Iterator[str] = fed()
    try:
        above = 1 if source.declared and next(lines, None) else 0
        remarks, lines = _remarks(lines) if source.strip else ([], lines)
        for line, row in enumerate(_loose(remarks, source.separator), start=above + 1):
            if row:
                yield line, row
        above += len(remarks)
        reader = csv.reader(
            lines, delimiter=source.separator, strict=True, skipinitialspace=source.separator == " "
        )
        for row in reader:
            letters = 0
            if row:
                yield reader.line_num + above, row
    except csv.Error as fault:
        raise EngineError(_quoting(source.name, reader.line_num + above, str(fault))) from None
    finally:
        if not stream.closed:
            text.detach()  # the owner still uses and closes the stream


def _remarks(lines: Iterator[str]) -> tuple[list[str], Iterator[str]]:
    """(the leading blank lines and lines that begin with #, the lines after them).

    A line with an open quotation mark is a row that continues in the next line.
    """
    found: list[str] = []
    for line in lines:
        remark = line.startswith(REMARK) and line.count('"') % 2 == 0
        if len(found) == _REMARKS or not (remark or not line.strip()):
            return found, chain([line], lines)
        found.append(line)
    return found, lines


def _loose(lines: list[str], separator: str) -> Iterator[Row]:
    """The cells of each remark line; unmatched quotation marks are allowed there."""
    for line in lines:
        yield next(csv.reader([line], delimiter=separator, skipinitialspace=separator == " "), [])


def _endless(name: str) -> str:
    return (
        f"A row of {name} has more than {MAX_LINE:,} letters: quotation marks join its lines. Mend"
        " them, or choose another separator."
    )


def _quoting(name: str, line: int, fault: str) -> str:
    if "unexpected end" in fault:
        return (
            f"{name} breaks off inside quotation marks; it seems half-written. Close the quotes, or"
            " save it again."
        )
    if "field larger" in fault:
        return (
            f"Line {line} of {name} holds a cell of more than 131,072 letters: it is no table, or"
            " another separator fits."
        )
    return (
        f"The quotation marks in line {line} of {name} do not match; mend them, or choose another"
        " separator."
    )
