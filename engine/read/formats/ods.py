"""Reads sheets of an OpenDocument spreadsheet (.ods) as rows of text cells. [OpenDocument 1.3] 9.1

The XML is parsed as a stream, with limits: one cell or row may stand for a million by its repeat
count.
"""

import zipfile
from collections.abc import Callable, Iterator
from functools import partial
from typing import BinaryIO
from xml.parsers import expat

from engine.base.errors import EngineError
from engine.base.notation import quoted
from engine.read.excel import FIRST, MAX_ROWS, chosen_sheet
from engine.read.formats.form import KEPT_CELLS, Form, Opener
from engine.read.formats.merged import Corner, Spans, filled
from engine.read.kinds import ERRORS
from engine.read.number_cells import number_cell
from engine.read.regular import LeftOut, Line, Row

_BLOCK = 2**16
_COLUMNS = 2**14  # LibreOffice's limit
_MAX_BYTES = 2**30
_MAX_LETTERS = 2**17  # of a cell
_MAX_BLANKS = 2**24  # blanks of a sheet written as a count
_MAX_SHEETS = 1000
_MAX_ROWS = 100_000  # rows of a sheet that repeat the one before
_TABLE, _ROW, _CELL, _COVERED = (
    "table:table",
    "table:table-row",
    "table:table-cell",
    "table:covered-table-cell",
)
_OUTSIDE = ("office:annotation", "draw:frame", "table:shapes")  # notes and pictures at a cell
_SPACES = {"text:tab": "\t", "text:line-break": "\n"}
# {place in a row: the last row and place of the merged cell that begins there}
Merged = dict[int, Corner]
# (first row number, cells, repeat count, merged cells)
Found = Callable[[int, Row, int, Merged], None]


class _Reader:
    """An XML parser that calls `found` for each row with a cell.

    name: of the file, for sentences
    sheet: the sheet to read, None for all; `sheets` collects the titles
    """

    def __init__(self, name: str, found: Found, sheet: str | None) -> None:
        self.name, self.found, self.wanted = name, found, sheet
        self.repeated = self.again = self.blanks = self.letters = 0
        self.sheets: list[str] = []
        self.outside = 0
        self.inside = False
        self.row: Row = []
        self.merged: Merged = {}
        self.high = self.wide = 1  # rows and columns that the cell covers
        self.number, self.blank, self.times, self.often = 0, 0, 1, 1
        self.text: list[str] | None = None
        self.value: str | None = None
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.parser.CharacterDataHandler = self.data

    def start(self, tag: str, given: dict[str, str]) -> None:
        if tag in _OUTSIDE:
            self.outside += 1
        elif tag == _TABLE and not self.outside:
            self.sheets.append(given.get("table:name", ""))
            if len(self.sheets) > _MAX_SHEETS:
                raise EngineError(
                    f"{self.name} has more than {_MAX_SHEETS:,} sheets; save the one to open as"
                    " CSV."
                )
            self.inside = self.wanted is None or self.sheets[-1] == self.wanted
            self.number = self.repeated = self.again = self.blanks = 0
        elif not self.inside or self.outside:
            return
        elif tag == _ROW:
            self.row = []
            self.blank = 0
            self.times = _count(given, "table:number-rows-repeated")
            self.merged = {}
        elif tag in (_CELL, _COVERED):
            self.often = _count(given, "table:number-columns-repeated")
            self.value = _value(given)
            self.text = []
            self.letters = 0
            self.high = _count(given, "table:number-rows-spanned")
            self.wide = _count(given, "table:number-columns-spanned")
        elif tag == "text:p" and self.text:
            self.text.append("\n")
        elif tag == "text:s" and self.text is not None:
            blanks = _count(given, "text:c")
            self.blanks += blanks
            self._check(self.blanks, _MAX_BLANKS, "blanks that are written as a count")
            self._lengthen(" " * blanks)
        elif tag in _SPACES and self.text is not None:
            self.text.append(_SPACES[tag])

    def data(self, words: str) -> None:
        if self.text is not None and self.value is None and not self.outside:
            self._lengthen(words)

    def _lengthen(self, words: str) -> None:
        assert self.text is not None
        self.letters += len(words)
        self._check(self.letters, _MAX_LETTERS, "letters in one cell")
        self.text.append(words)

    def _check(self, count: int, most: int, what: str) -> None:
        """Raise EngineError for a sheet that claims too much, before its memory is allocated."""
        if count > most:
            raise EngineError(
                f"Sheet {quoted(self.sheets[-1])} of {self.name} has more than {most:,} {what}, too"
                " much for the lab; delete what is no part of the table, or save the table as CSV."
            )

    def end(self, tag: str) -> None:
        if tag in _OUTSIDE:
            self.outside -= 1
        elif tag == _TABLE and not self.outside:
            self.inside = False
        elif not self.inside or self.outside:
            return
        elif tag in (_CELL, _COVERED):
            self._cell()
        elif tag == _ROW:
            if self.row:
                self._repeat()
                self.found(self.number + 1, self.row, self.times, self.merged)
            self.number += self.times

    def _repeat(self) -> None:
        """Count repeated rows and cells; only the sheet to read expands its rows."""
        if self.wanted is not None and self.number + self.times <= MAX_ROWS:
            self.again += self.times - 1
            self.repeated += (self.times - 1) * len(self.row)
            self._check(self.again, _MAX_ROWS, "rows that repeat the one before")
        self._check(self.repeated, KEPT_CELLS, "cells that repeat others")

    def _cell(self) -> None:
        text = self.value if self.value is not None else "".join(self.text or ()).strip()
        self.text = None
        if not text:
            self.blank += self.often
            return
        if len(self.row) + self.blank + self.often > _COLUMNS:
            raise EngineError(
                f"A row of a sheet has more than {_COLUMNS:,} cells; no program writes so many."
            )
        self.repeated += self.blank + self.often - 1
        self._check(self.repeated, KEPT_CELLS, "cells that repeat others")
        place = len(self.row) + self.blank
        if max(self.high, self.wide) > 1 and self.often == 1:
            self.merged[place] = (self.number + self.high, place + self.wide - 1)
        self.row += [""] * self.blank + [text] * self.often
        self.blank = 0


def _count(given: dict[str, str], key: str) -> int:
    return min(int(given.get(key, "1")), 2**31)


def _value(given: dict[str, str]) -> str | None:
    """The value of a cell as a person would type it; None if its text is the value."""
    kind = given.get("office:value-type")
    if kind in ("float", "percentage", "currency"):
        return number_cell(float(given["office:value"]))
    if kind == "date":
        return given["office:date-value"].removesuffix("T00:00:00")
    if kind == "boolean":
        return "True" if given["office:boolean-value"] == "true" else "False"
    return None


def _rows(
    name: str, sheet: str | None, stream: BinaryIO
) -> Iterator[tuple[str, int, Row, int, Merged]]:
    """(sheet, number, cells, repeat count, merged cells) of each row that is not blank.

    With sheet None, ends with one entry of count 0 per sheet. Raises EngineError.
    """
    waiting: list[tuple[str, int, Row, int, Merged]] = []

    def found(number: int, row: Row, times: int, merged: Merged) -> None:
        waiting.append((reader.sheets[-1], number, row, times, merged))

    reader = _Reader(name, found, sheet)
    left = _MAX_BYTES
    try:
        with zipfile.ZipFile(stream) as book, book.open("content.xml") as text:
            while block := text.read(_BLOCK):
                left -= len(block)
                if left < 0:
                    raise EngineError(
                        f"{name} unpacks to more than 1 GB; no table of this lab is so large."
                    )
                reader.parser.Parse(block, False)
                yield from waiting
                waiting.clear()
            reader.parser.Parse(b"", True)
    except EngineError:
        raise
    except Exception:  # errors of zipfile, of the XML parser, and of numbers
        raise EngineError(
            f"{name} cannot be read as an OpenDocument spreadsheet: it is broken off, damaged, or"
            " locked by a password."
        ) from None
    yield from waiting
    if sheet is None:
        yield from ((title, 0, [], 0, {}) for title in reader.sheets)


def ods_form(name: str, opener: Opener, sheet: str = "") -> Form:
    """The reader of a spreadsheet and the sheet it reads.

    Raises EngineError if it is no spreadsheet or has no such sheet.
    """
    widths: dict[str, list[int]] = {}
    names: dict[str, None] = {}
    with opener() as stream:
        for title, _, row, times, _ in _rows(name, None, stream):
            if times:
                widths.setdefault(title, []).extend([len([*filter(None, row)])] * min(times, FIRST))
            else:
                names[title] = None
    found = {title: widths.get(title, [])[:FIRST] for title in names}
    read, notices = chosen_sheet(name, tuple(found), found, sheet)
    rows = partial(_sheet_rows, name, read)
    return Form(rows, named=False, decimal=None, sheets=tuple(found), sheet=read, notices=notices)


def _sheet_rows(name: str, sheet: str, stream: BinaryIO, left: LeftOut) -> Iterator[Line]:
    spans: Spans = {}
    yield from filled(_unmerged_rows(name, sheet, stream, spans, left), spans, left)


def _unmerged_rows(
    name: str, sheet: str, stream: BinaryIO, spans: Spans, left: LeftOut
) -> Iterator[Line]:
    """The rows as written; `spans` gets the merged cells of each row before the row is yielded."""
    for _, first, row, times, merged in _rows(name, sheet, stream):
        if first + times > MAX_ROWS + 1:
            raise EngineError(
                f"{name} has a sheet of more than {MAX_ROWS:,} rows; no spreadsheet has so many."
            )
        wrong = [place for place, cell in enumerate(row) if cell in ERRORS]
        for number in range(first, first + times):
            cells = list(row)
            for place in wrong:
                left.fault(number, place, cells[place])
                cells[place] = ""
            if merged:
                spans[number] = dict(merged)
            yield number, cells
