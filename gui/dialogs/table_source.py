"""Sources of a table for the dialog that opens it: a file or a pasted text."""

from itertools import takewhile
from pathlib import Path
from typing import Protocol

from engine.base.errors import EngineError
from engine.base.records import Record
from engine.read.cells import PASTED_LIMIT, Source, file_source, pasted_source
from engine.read.formats.form import rows_kept
from engine.read.guess import TableGuess, TableOptions
from engine.read.regular import LeftOut
from engine.read.tables import guess_table, guess_text, parse_table, read_table
from engine.table.dataset import Dataset
from gui.dialogs.job import Tick

LINES, WIDE, HEAD, CELLS = 20, 200, 16_384, 100


class Unread(Record, eq=True):
    """What is known of a table that cannot be read with some options.

    why: the reason
    options: those that were tried
    sheets, lines: the sheets and first lines of the file, from which to choose other options
    """

    why: str
    options: TableOptions
    sheets: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()


class TableSource(Protocol):
    """A source of a table.

    title: the file's name
    encoded: whether there is an encoding to choose
    """

    title: str
    encoded: bool

    def guess(self, options: TableOptions, first: bool) -> TableGuess | Unread:
        """The guessed form of the table, or the reason why these options do not read it.

        Raises EngineError for the first guess, if no other options would help.
        """
        ...

    def read(self, guess: TableGuess, tick: Tick) -> Dataset: ...

    def most(self, guess: TableGuess) -> int:
        """The most rows that are kept of the table."""
        ...


class FileTable:
    """A file of any kind that the lab reads."""

    encoded = True

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self.title = self.path.name

    def guess(self, options: TableOptions, first: bool) -> TableGuess | Unread:
        try:
            return guess_table(self.path, options)
        except EngineError as fault:
            return self._unread(options, str(fault), first)

    def _unread(self, options: TableOptions, why: str, first: bool) -> Unread:
        try:
            source = file_source(self.path, options.encoding, options.separator, options.sheet)
        except EngineError:
            if first:
                raise
            return Unread(why, options, (), self._lines(None, options.encoding or "utf-8"))
        tried = TableOptions(
            source.separator,
            source.encoding,
            options.decimal,
            options.header,
            options.missing,
            source.sheet,
        )
        lines = _rows_as_lines(source) if source.sheet else self._lines(source)
        return Unread(why, tried, source.sheets, lines)

    def _lines(self, source: Source | None, encoding: str = "") -> tuple[str, ...]:
        try:
            with source.open() if source is not None else self.path.open("rb") as stream:
                text = stream.read(HEAD).decode(
                    source.encoding if source is not None else encoding, "replace"
                )
        except (EngineError, OSError, LookupError):
            return ()
        return _lines(text)

    def read(self, guess: TableGuess, tick: Tick) -> Dataset:
        return read_table(self.path, guess, progress=tick)

    def most(self, guess: TableGuess) -> int:
        return rows_kept(len(guess.columns))


class PastedTable:
    """Cells from the clipboard."""

    title = "Pasted cells"
    encoded = False

    def __init__(self, text: str) -> None:
        self.text = text

    def guess(self, options: TableOptions, first: bool) -> TableGuess | Unread:
        try:
            return guess_text(self.text, options)
        except EngineError as fault:
            source = pasted_source(self.text, options.separator)
            tried = TableOptions(
                source.separator, "utf-8", options.decimal, options.header, options.missing
            )
            return Unread(str(fault), tried, (), _lines(self.text[:HEAD]))

    def read(self, guess: TableGuess, tick: Tick) -> Dataset:
        return parse_table(self.text, guess)

    def most(self, guess: TableGuess) -> int:
        return PASTED_LIMIT


def _rows_as_lines(source: Source) -> tuple[str, ...]:
    """The first rows of the sheet as lines with tabs.

    With blank rows, since error messages count them.
    """
    assert source.form is not None
    try:
        with source.open() as stream:
            rows = source.form.rows(stream, LeftOut())
            first = dict(takewhile(lambda numbered: numbered[0] <= LINES, rows))
    except (EngineError, OSError):
        return ()
    lines = (
        "\t".join(" ".join(cell.split()) for cell in first.get(k, [])[:CELLS])
        for k in range(1, LINES + 1)
    )
    return _lines("\n".join(lines).rstrip("\n"))


def _lines(text: str) -> tuple[str, ...]:
    """The first lines of a text, with arrows for tabs and � for what cannot be printed."""
    shown = (line[:WIDE].replace("\t", " → ") for line in text.splitlines()[:LINES])
    return tuple("".join(c if c.isprintable() else "�" for c in line) for line in shown)
