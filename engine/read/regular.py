"""Reduces the rows of a file to a table: without titles above the names, empty rows and cells
beside it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice

from engine.base.errors import EngineError
from engine.base.notation import counted, plural, quoted
from engine.read.cell_names import cell_name
from engine.read.number_cells import is_number, name_like

MAX_COLUMNS = 10_000
Row = list[str]
Line = tuple[int, Row]  # number in the file, cells
_HEAD = 50  # lines that show where the table begins
# the fewest rows that prove counted row names: in fewer the extra cell may be a decimal comma
_COUNTED = 5
_NAMED = 3  # the most examples in a sentence
_TITLE = (
    " Give every row the same number of cells; a title above the names of the columns has to go."
)
_BESIDE = (
    " Give every row the same number of cells; what is no part of the table needs an empty column"
    " before it."
)
_LISTS = (
    " If each line lists items, as purchases do, name the file .basket, and each item becomes a"
    " column."
)
_MEND = " Give every row the same number of cells, or choose another separator."


@dataclass
class LeftOut:
    """What a file holds besides its table; filled while the rows are read.

    above: texts of the lines above the column names
    last: the number of the last of those lines
    empty: the number of blank rows between others
    beside: the first cells right of the table, of `aside` in all
    faults: the first cells of a sheet with an error, of `failed`
    merged: the first cells filled from a merged one, of `copied`
    captions: the first rows of one cell merged over all columns, of `captioned`
    name_rows: the number of rows that make the column names together
    named: whether the rows have names without a heading
    kinds: (kind, role) of each column as Orange writes them
    orange: a sentence about that
    """

    unit: str = "line"
    above: list[str] = field(default_factory=list)
    last: int = 0
    empty: int = 0
    beside: list[str] = field(default_factory=list)
    aside: int = 0
    faults: list[str] = field(default_factory=list)
    failed: int = 0
    merged: list[str] = field(default_factory=list)
    copied: int = 0
    captions: list[str] = field(default_factory=list)
    captioned: int = 0
    name_rows: int = 0
    named: bool = False
    kinds: list[tuple[str, str]] = field(default_factory=list)
    orange: str = ""

    def fault(self, line: int, place: int, error: str) -> None:
        """Record a cell of a sheet with an error, such as “#DIV/0!”."""
        self.failed += 1
        if len(self.faults) < _NAMED:
            self.faults.append(f"{cell_name(line, place)} ({quoted(error)})")

    def merge(self, line: int, place: int, value: str) -> None:
        """Record a cell of a sheet that got the value of its merged cell."""
        self.copied += 1
        if len(self.merged) < _NAMED:
            self.merged.append(f"{cell_name(line, place)} ({quoted(value)})")

    def caption(self, text: str) -> None:
        """Record a row of a sheet that is one cell merged over all columns."""
        self.captioned += 1
        if len(self.captions) < _NAMED:
            self.captions.append(quoted(text))

    def sentences(self) -> tuple[str, ...]:
        said = []
        if self.above:
            lines = f"{self.unit} is" if self.last == 1 else f"{counted(self.last, self.unit)} are"
            said.append(
                f"The first {lines} left out: {_listed([quoted(text) for text in self.above])}."
            )
        if self.named:
            said.append(
                "Each row has one cell more than the first line: the first cells are read as names"
                " of the rows."
            )
        if self.empty:
            many = (
                f"{self.empty:,} rows are left out: all their"
                if self.empty > 1
                else "A row is left out: all its"
            )
            said.append(f"{many} cells are empty.")
        if self.captions:
            many = (
                f"{self.captioned:,} rows are left out: each"
                if self.captioned > 1
                else "A row is left out: it"
            )
            said.append(f"{many} is one cell merged over all columns, {_listed(self.captions)}.")
        if self.beside:
            cells = (
                f"{self.aside:,} cells beside the table are"
                if self.aside > 1
                else "A cell beside the table is"
            )
            said.append(f"{cells} left out: {_listed(self.beside)}.")
        if self.failed:
            cells = (
                f"{self.failed:,} cells hold an error and count"
                if self.failed > 1
                else "A cell holds an error and counts"
            )
            said.append(f"{cells} as empty: {_listed(self.faults)}.")
        if self.orange:
            said.append(self.orange)
        if self.name_rows:
            said.append(
                f"The names of the columns are joined from {self.name_rows} rows with merged cells."
            )
        if self.copied:
            cells = f"{self.copied:,} cells have" if self.copied > 1 else "A cell has"
            said.append(
                f"{cells} the value of the merged cell that covers"
                f" {'them' if self.copied > 1 else 'it'}: {_listed(self.merged)}."
            )
        return tuple(said)


def _listed(words: Sequence[str]) -> str:
    return f"{words[0]}, {words[1]} and more" if len(words) > 2 else " and ".join(words)


def regular(
    name: str, lines: Iterator[Line], left: LeftOut, *, separator: str, sheet: bool, exact: bool
) -> Iterator[Line]:
    """(row number from 1, cells) of each row, all as wide as the first one.

    Raises EngineError for a row of another width. exact: whether every line is a row; otherwise
    `left` records what is left out. sheet: whether a sheet of a workbook, whose rows end at their
    last filled cell.
    """
    if not exact:
        lines = _from_names(lines, left, separator, sheet)
    width = 0
    number = 0
    gap = 0
    short = ""
    mend = ""
    for line, cells in lines:
        row = _beside_cut(line, cells, width, left) if sheet and number else cells
        if not exact and not row[0].strip() and not any(map(str.strip, row)):
            gap += 1
            continue
        if short:
            raise EngineError(short + mend)
        if number and len(row) != width:
            if len(row) == 1 and not row[0].strip():
                continue
            mend = _mend(row, number, separator, sheet)
            fault = f"Line {line} of {name} has {cells_text(len(row))}, the first row has {width}."
            if len(row) > width:
                raise EngineError(fault + mend)
            short = fault
            continue
        if not number:
            width = _checked_width(name, len(row))
        if gap:
            left.empty = left.empty + gap * (number > 0)
            gap = 0
        number += 1
        yield number, row
    if short:
        raise EngineError(
            short + " It is the last one: the file seems half-written. Complete or delete it."
        )


def _mend(row: Row, number: int, separator: str, sheet: bool) -> str:
    """A way to repair a row with another width than the `number` rows before it, in words."""
    if sheet:
        return _TITLE if number == 1 else _BESIDE
    return _MEND + ("" if separator != "," or any(map(is_number, row)) else _LISTS)


def _beside_cut(line: int, row: Row, width: int, left: LeftOut) -> Row:
    """A row of a sheet with the table's width; cells after an empty one beside the table are left
    out.
    """
    if len(row) > width and not row[width]:
        places = [place for place in range(width, len(row)) if row[place]]
        left.aside += len(places)
        left.beside += [cell_name(line, place) for place in places[: _NAMED - len(left.beside)]]
        row = row[:width]
    return row + [""] * (width - len(row))


def _checked_width(name: str, width: int) -> int:
    if width > MAX_COLUMNS:
        raise EngineError(f"{name} has {width:,} columns; the lab takes at most {MAX_COLUMNS:,}.")
    return width


def cells_text(count: int) -> str:
    return f"{count} {plural(count, 'cell')}"


# -- where the table begins ------------------------------------------------------------------------


def _from_names(
    lines: Iterator[Line], left: LeftOut, separator: str, sheet: bool
) -> Iterator[Line]:
    """The lines from the one with the column names on."""
    head = [(line, row) for line, row in islice(lines, _HEAD)]
    filled = [k for k, (_, row) in enumerate(head) if any(map(str.strip, row))]
    rows = [[cell.strip() for cell in head[k][1]] for k in filled]
    start = _start(rows)
    if start:
        left.above = [separator.join(head[k][1]).strip(separator + " ") for k in filled[:start]]
        left.last = head[filled[start - 1]][0]
    if (
        not sheet
        and start < len(rows)
        and _has_row_names(rows[start], rows[start + 1 :], separator)
    ):
        left.named = True
        line, row = head[filled[start]]
        head[filled[start]] = line, ["", *row]
    return chain(head[filled[start - 1] + 1 if start else 0 :], lines)


def _start(rows: Sequence[Row]) -> int:
    """The number of rows above the names: remarks that begin with #, and titles of one cell."""
    remarks = 0
    while remarks < len(rows) and rows[remarks][0].startswith("#"):
        remarks += 1
    remarks = remarks if remarks < len(rows) and _are_remarks(rows, remarks) else 0
    start = remarks
    while start < len(rows) and len(_cells(rows[start])) == 1:
        start += 1
    return start if remarks < start and _are_titles(rows[remarks:start], rows[start:]) else remarks


def _are_remarks(rows: Sequence[Row], count: int) -> bool:
    """Whether the first `count` rows, which begin with #, are not the names; a column may be called
    #.
    """
    first, below = rows[count], rows[count + 1 :]
    numbers = any(all(is_number(cell) for cell in column) for column in zip(*below, strict=False))
    return len(rows[count - 1]) != len(first) or (may_be_names(first, below) and numbers)


def _are_titles(titles: Sequence[Row], table: Sequence[Row]) -> bool:
    """Whether the rows of one cell are titles of a table with names: words that no row repeats."""
    if len(table) < 2 or not may_be_names(table[0], table[1:]):
        return False
    if sum(len(_cells(row)) > 1 for row in table) * 2 <= len(table):
        return False
    begun = {row[0] for row in table}
    return all(
        not is_number(_cells(row)[0])
        and (row[0] not in begun if row[0] else len(row) < len(table[0]))
        for row in titles
    )


def may_be_names(first: Row, below: Sequence[Row]) -> bool:
    """Whether a row has only words, and none occurs below in its column."""
    columns = zip(first, *(row + [""] * (len(first) - len(row)) for row in below), strict=False)
    return not any(
        cell and ((is_number(cell) and not name_like(cell)) or cell in column)
        for cell, *column in columns
    )


def _has_row_names(first: Row, below: Sequence[Row], separator: str) -> bool:
    """Whether the rows begin with a name that has no heading, as R writes them.

    With commas the extra cell may come from decimal commas, so the names need to be words or
    counts.
    """
    if (
        len(below) < 2
        or any(is_number(cell) and not name_like(cell) for cell in first)
        or any(len(row) != len(first) + 1 for row in below)
    ):
        return False
    names = [row[0] for row in below]
    if not all(names) or len(set(names)) < len(names) or not any(row[-1] for row in below):
        return False
    if separator != ",":
        return True
    counted = [[str(k + begin) for k in range(len(names))] for begin in (0, 1)]
    words = not any(map(is_number, names))
    return len(first) > 1 and (words or (len(names) >= _COUNTED and names in counted))


def _cells(row: Row) -> list[str]:
    return [cell for cell in row if cell]
