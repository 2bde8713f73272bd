"""Scans the XML of an Excel sheet: the extent of its cells and those with errors. [ECMA-376]
18.3
"""

import io
import re
import zipfile
from dataclasses import dataclass, field
from typing import Any
from xml.etree import ElementTree
from xml.parsers import expat

import numpy as np

from engine.read.cell_names import column_letters
from engine.read.formats.old_excel import Errors

MAX_SHARED = 2**30  # letters of all cells that show a shared string
MAX_CELLS = 2**25  # cells that a sheet may hold
_BLOCK = 2**20
ROOM = 2**24  # cells of the rectangle, blank ones too, that are always allowed
_FEW = 1000  # far-off cells
_COLUMNS = 2**14
_IS_ERROR = re.compile(rb'\bt="e"')
_VALUE = re.compile(rb"<(?:\w++:)?v>([^<]*+)<")
_CELL = re.compile(rb'<((?:\w++:)?c) r="([A-Z]++)([0-9]++)"')
_PLACE = re.compile(r"([A-Za-z]{1,3})([0-9]{1,7})")
_WORD_END = re.compile(rb"</(?:\w++:)?si>")
_NAMED = re.compile(rb'"s"[^<>"]*+>\s*+<(?:\w++:)?v>([0-9]{1,9})<')
_ROW = re.compile(rb"<(?:\w++:)?row\b")
_FILLED = re.compile(rb"<(?:\w++:)?(?:v|t)(?: [^<>]*+)?>\s*+[^<\s]")


class TooManyCells(Exception):
    """Raised for a sheet with more than MAX_CELLS cells."""


@dataclass
class Measured:
    """The extent of a sheet.

    rows, columns: how far the cells reach
    errors: the cells with an error
    far: {row: columns} of far-off cells, which the library must not read
    sparse: whether there are too many of those to remove
    """

    rows: int
    columns: int
    errors: Errors
    far: dict[int, list[int]] = field(default_factory=dict)
    sparse: bool = False


def places(book: zipfile.ZipFile) -> dict[str, str]:
    """{title of a sheet: its path in the archive}, in order."""
    links = ElementTree.fromstring(book.read("xl/_rels/workbook.xml.rels"))
    sheets = (each for each in links if each.get("Type", "").endswith("/worksheet"))
    targets = {each.get("Id"): each.get("Target", "") for each in sheets}
    found = {}
    inside = set(book.namelist())
    for sheet in ElementTree.fromstring(book.read("xl/workbook.xml")).iterfind(
        "{*}sheets/{*}sheet"
    ):
        link = next((value for key, value in sheet.items() if key.endswith("}id")), "")
        target = targets.get(link, "")
        place = (
            target[1:]
            if target.startswith("/")
            else target
            if target.startswith("xl/")
            else f"xl/{target}"
        )
        if place in inside:
            found[sheet.get("name", "")] = place
    return found


def widths(head: bytes) -> list[int]:
    """The numbers of filled cells in the first rows; rows without any are left out."""
    return [count for row in _ROW.split(head)[1:] if (count := len(_FILLED.findall(row)))]


def measured(raw: bytes) -> Measured:
    """The extent of a sheet's cells. Raises TooManyCells, ValueError, and expat's errors for
    invalid XML.
    """
    found = _by_sight(raw) or _by_parser(raw)
    rows, columns, errors, seen = found
    measure = Measured(rows, columns, errors)
    if rows * columns > max(ROOM, 4 * len(seen)):
        near = max(1, min(_COLUMNS, ROOM // rows))
        off = [(row, column) for row, column in zip(*seen.T.tolist(), strict=True) if column > near]
        for row, column in off:
            measure.far.setdefault(row, []).append(column - 1)
        measure.sparse = len(off) > _FEW
    return measure


_Found = tuple[int, int, Errors, Any]


def _by_sight(raw: bytes) -> _Found | None:
    """(rows, columns, errors, (n, 2) row and column of each cell), if all cells are written <c
    r="B3"…, as common programs do.

    None if any differs; `_by_parser` is the slow path. Raises TooManyCells.
    """
    text = np.frombuffer(raw + bytes(16), np.uint8)
    at = np.concatenate(
        [_begins(text, begin) for begin in range(0, len(raw), _BLOCK)] or [np.zeros(0, np.int64)]
    )
    if len(at) > MAX_CELLS:
        raise TooManyCells
    if not all((text[at + k] == letter).all() for k, letter in enumerate(b' r="', start=1)):
        return None
    place = at + 5
    column = np.zeros(len(at), np.int64)
    row = np.zeros(len(at), np.int64)
    for _ in range(3):
        letter = text[place].astype(np.int64) - ord("A")
        there = (letter >= 0) & (letter < 26)
        column = np.where(there, column * 26 + letter + 1, column)
        place = place + there
    for _ in range(7):
        digit = text[place].astype(np.int64) - ord("0")
        there = (digit >= 0) & (digit < 10)
        row = np.where(there, row * 10 + digit, row)
        place = place + there
    if not ((text[place] == ord('"')) & (column > 0) & (column <= _COLUMNS) & (row > 0)).all():
        return None
    errors = _errors(raw, at, row, column)
    seen = np.column_stack([row, column])
    return int(row.max(initial=0)), int(column.max(initial=0)), errors, seen


def _begins(text: Any, begin: int) -> Any:
    """The positions where cells begin in one block; blocks bound the memory for a file full of
    c.
    """
    at = begin + np.flatnonzero(text[begin : begin + _BLOCK] == ord("c"))
    before = np.isin(text[at - 1], np.frombuffer(b"<:", np.uint8))
    return at[before & np.isin(text[at + 1], np.frombuffer(b" \t\r\n/>", np.uint8))]


def _errors(raw: bytes, at: Any, row: Any, column: Any) -> Errors:
    """The cells with an error; at: (n,) where each cell begins.

    A cell ends where the next one begins.
    """
    marks = np.array([found.start() for found in _IS_ERROR.finditer(raw)], np.int64)
    errors: Errors = []
    for k in np.unique(np.searchsorted(at, marks) - 1).tolist():
        words = raw[at[k] : at[k + 1] if k + 1 < len(at) else len(raw)] if k >= 0 else b""
        tag, _, inside = words.partition(b">")
        value = _VALUE.search(inside) if _IS_ERROR.search(tag) and not tag.endswith(b"/") else None
        if value is not None:
            errors.append((int(row[k]), int(column[k]) - 1, _text(value[1])))
    return errors


def _by_parser(raw: bytes) -> _Found:
    """The same for any XML; a cell without a reference follows the one before."""
    seen: list[tuple[int, int]] = []
    errors: Errors = []
    row = 0
    column = 0
    word = None
    parser = expat.ParserCreate(namespace_separator=" ")

    def start(tag: str, given: dict[str, str]) -> None:
        nonlocal row, column, word
        kind = tag.rpartition(" ")[2]
        if kind == "row":
            row = int(given.get("r", row + 1))
            column = 0
        elif kind == "c":
            name = _PLACE.fullmatch(given.get("r", f"{column_letters(column)}{row}"))
            if name is None:
                raise ValueError(given["r"])
            place = int(name[2])
            column = _number(name[1].upper().encode())
            if column > _COLUMNS:
                raise ValueError(given["r"])
            seen.append((place, column))
            if len(seen) > MAX_CELLS // 8:  # a pair takes far more memory than two array entries
                raise TooManyCells
            word = "" if given.get("t") == "e" else None

    def data(text: str) -> None:
        nonlocal word
        if word is not None:
            word += text

    def end(tag: str) -> None:
        nonlocal word
        if tag.rpartition(" ")[2] == "c" and word is not None:
            errors.append((seen[-1][0], seen[-1][1] - 1, word.strip()))
            word = None

    parser.StartElementHandler, parser.CharacterDataHandler, parser.EndElementHandler = (
        start,
        data,
        end,
    )
    parser.Parse(raw, True)
    cells = np.array(seen, np.int64).reshape(-1, 2)
    return int(max(row, cells[:, 0].max(initial=0))), int(cells[:, 1].max(initial=0)), errors, cells


def shared_letters(words: bytes, sheet: bytes) -> int:
    """The total letters of the cells that show a shared string (xl/sharedStrings.xml).

    A library copies the string into each of them. 0 if the total cannot exceed MAX_SHARED.
    """
    ends = np.array([found.start() for found in _WORD_END.finditer(words)], np.int64)
    lengths = np.diff(ends, prepend=0)
    # closing tags bound the number of cells
    if int(lengths.max(initial=0)) * sheet.count(b"</") <= MAX_SHARED:
        return 0
    named = np.array([int(found[1]) for found in _NAMED.finditer(sheet)], np.int64)
    return int(lengths[named[named < len(lengths)]].sum())


def without_far(book: zipfile.ZipFile, place: str, found: Measured) -> bytes:
    """A copy of the file without the far-off cells of the sheet at `place`.

    Raises ValueError if they cannot be found.
    """
    far = {(row, column) for row, columns in found.far.items() for column in columns}
    raw = book.read(place)
    kept = []
    done = 0
    for cell in _CELL.finditer(raw):
        if (int(cell[3]), _number(cell[2]) - 1) in far:
            kept.append(raw[done : cell.start()])
            done = _cell_end(raw, cell)
    sheet = b"".join((*kept, raw[done:]))
    if measured(sheet).far:
        raise ValueError(place)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as copy:
        for each in book.namelist():
            copy.writestr(each, sheet if each == place else book.read(each))
    return out.getvalue()


def _cell_end(raw: bytes, cell: re.Match[bytes]) -> int:
    """Where the cell that begins with `cell` ends; raises ValueError if it does not."""
    end = raw.index(b">", cell.end()) + 1
    closing = b"</" + cell[1] + b">"
    return end if raw[end - 2 : end] == b"/>" else raw.index(closing, end) + len(closing)


def _number(letters: bytes) -> int:
    """The column number of letters: 1 for A, 16,384 for XFD."""
    found = 0
    for letter in letters:
        found = found * 26 + letter - ord("A") + 1
    return found


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "replace").strip()
