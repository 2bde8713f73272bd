"""Opens and writes tables: CSV, TSV, Excel and other files, pasted cells.

A guess comes first, then the data set.
"""

import csv
import io
import os
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from engine.base.errors import EngineError
from engine.base.notation import cut, plural, quoted
from engine.base.records import replace
from engine.read.cells import (
    GUESSED,
    PASTED_LIMIT,
    Cells,
    Progress,
    Source,
    file_source,
    pasted_source,
    read_cells,
    table_name,
)
from engine.read.formats.declared import declare
from engine.read.guess import TableGuess, TableOptions, guess_from
from engine.read.kinds import ColumnGuess, column_of, label_cell
from engine.read.number_cells import number_cell
from engine.table.dataset import Column, ColumnRole, Dataset, Kind
from engine.table.given import file_path, seen

M = TypeVar("M", bound=StrEnum)

# -- opening ---------------------------------------------------------------------------------------


def guess_table(path: str | Path, options: TableOptions = TableOptions()) -> TableGuess:
    """The options and columns with which to read the table file at `path`, guessed from its first
    rows.

    Raises EngineError if it is no table.
    """
    path = file_path(path)
    options = _options(options)
    source = file_source(path, options.encoding, options.separator, options.sheet)
    return _understood(_stem(path), source, read_cells(source, GUESSED, head_only=True), options)


def read_table(
    path: str | Path,
    guess: TableGuess,
    *,
    progress: Progress | None = None,
    limit: int | None = None,
    seed: int = 0,
) -> Dataset:
    """The table at `path`, read as `guess` says; `about` mentions a sample.

    limit: of more rows a sample is drawn with `seed`; None: 200,000, fewer for very wide tables
    progress: called with the fraction read; returning False raises Cancelled

    Raises EngineError for cells that do not fit.
    """
    path = file_path(path)
    source = replace(
        file_source(path, guess.encoding or None, guess.separator or None, guess.sheet),
        strip=guess.strip,
    )
    return _dataset(
        guess, read_cells(source, limit, seed, progress), f"Opened from {cut(path.name)}.", seed
    )


def open_table(
    path: str | Path,
    target: str | None = None,
    options: TableOptions = TableOptions(),
    *,
    separator: str | None = None,
    encoding: str | None = None,
    decimal: str | None = None,
    header: bool | None = None,
    missing: Iterable[str] | None = None,
    sheet: str | None = None,
    kinds: Mapping[str, Kind | str] | None = None,
    roles: Mapping[str, ColumnRole | str] | None = None,
    progress: Progress | None = None,
    limit: int | None = None,
    seed: int = 0,
) -> Dataset:
    """The table at `path`; what is not given is guessed.

    target: the column to predict
    separator: of cells, ',' or '\\t'
    encoding: such as 'utf-8'
    decimal: '.' or ','
    header: whether the first row names the columns; otherwise they are x1, x2, …
    missing: the words that mean a missing value
    sheet: the name of a sheet of a workbook
    kinds: 'numeric', 'categorical' or 'boolean' by column
    roles: 'feature', 'target', 'name' or 'ignored' by column
    options: separator to sheet as one record; single arguments take precedence
    limit: of more rows a sample is drawn with `seed`; None: 200,000, fewer for very wide tables
    progress: see `read_table`

    Raises EngineError for what does not fit the file.
    """
    arguments: dict[str, Any] = {
        "separator": separator,
        "encoding": encoding,
        "decimal": decimal,
        "header": header,
        "sheet": sheet,
    }
    arguments["missing"] = (
        None
        if missing is None
        else (missing,)
        if isinstance(missing, str)
        else tuple(map(str, missing))
    )
    options = replace(
        _options(options), **{name: value for name, value in arguments.items() if value is not None}
    )
    said = _columns_said(kinds, roles)
    return open_noticed(path, target, options, said, progress=progress, limit=limit, seed=seed)[0]


ColumnsSaid = Sequence[tuple[str, Kind | None, ColumnRole | None]]


def _columns_said(
    kinds: Mapping[str, Kind | str] | None, roles: Mapping[str, ColumnRole | str] | None
) -> ColumnsSaid:
    """(column, kind, role) of each declaration; roles first, because a role sets a kind that
    `kinds` overrules.
    """
    said: list[tuple[str, Kind | None, ColumnRole | None]] = []
    said += [
        (name, None, _member(ColumnRole, role, f"The role of {quoted(name)}"))
        for name, role in (roles or {}).items()
    ]
    return said + [
        (name, _member(Kind, kind, f"The kind of {quoted(name)}"), None)
        for name, kind in (kinds or {}).items()
    ]


def _member(kind: type[M], word: Any, what: str) -> M:
    try:
        return kind(word)
    except ValueError:
        raise EngineError(f"{what} must be one of {', '.join(kind)}; it is {seen(word)}.") from None


def open_noticed(
    path: str | Path,
    target: str | None = None,
    options: TableOptions = TableOptions(),
    said: ColumnsSaid = (),
    *,
    progress: Progress | None = None,
    limit: int | None = None,
    seed: int = 0,
) -> tuple[Dataset, tuple[str, ...]]:
    """(the table as from `open_table`, sentences about what was guessed, changed or left out)."""
    path = file_path(path)
    options = _options(options)
    source = file_source(path, options.encoding, options.separator, options.sheet)
    cells = read_cells(source, limit, seed, progress)
    guess = _understood(_stem(path), source, cells, options, target)
    for name, kind, role in said:
        guess = guess.with_column(name, kind=kind, role=role)
    return _dataset(guess, cells, f"Opened from {cut(path.name)}.", seed), (
        *_sampled(cells, seed),
        *guess.notices,
    )


def _understood(
    name: str, source: Source, cells: Cells, options: TableOptions, target: str | None = None
) -> TableGuess:
    """The guess; declarations of the file take precedence over what its cells suggest."""
    form = source.form
    said = cells.said
    if form is not None:
        options = replace(
            options, decimal=options.decimal or form.decimal, header=form.named or options.header
        )
        said = said or form.said
    if cells.said and options.header is None:
        options = replace(options, header=True)
    guess = guess_from(name, source, cells, options, None if said else target)
    if form is not None:
        guess = replace(guess, named=form.named)
    if said:
        guess = declare(guess, said)
    return guess if target is None else guess.with_target(target)


def _stem(path: Path) -> str:
    return Path(table_name(path)).stem


def _options(options: Any) -> TableOptions:
    if not isinstance(options, TableOptions):
        raise EngineError(
            f"options are TableOptions(…); they are of the type {type(options).__name__}."
        )
    return options


def guess_text(text: str, options: TableOptions = TableOptions()) -> TableGuess:
    """The options and columns with which to read pasted cells; raises EngineError without any."""
    source = pasted_source(text, options.separator)
    return _understood("pasted", source, read_cells(source, GUESSED, head_only=True), options)


def parse_table(text: str, guess: TableGuess | None = None, target: str | None = None) -> Dataset:
    """The table in a pasted text, read as `guess` says; None guesses everything.

    target: the column to predict, None for the one that the guess names

    Raises EngineError for a text that is no table.
    """
    return parse_counted(text, guess, target)[0]


def parse_counted(
    text: str, guess: TableGuess | None = None, target: str | None = None
) -> tuple[Dataset, int]:
    """(pasted cells as a table, the number of their rows); the table is a sample if it has
    fewer.
    """
    source = pasted_source(text, guess.separator if guess else None)
    if guess is not None:
        source = replace(source, strip=guess.strip)
    cells = read_cells(source, PASTED_LIMIT)
    guess = guess or _understood("pasted", source, cells, TableOptions())
    guess = guess if target is None else guess.with_target(target)
    return _dataset(guess, cells, "Pasted.", 0), cells.total + (not guess.header)


# -- the data set ----------------------------------------------------------------------------------


def _dataset(guess: TableGuess, cells: Cells, origin: str, seed: int) -> Dataset:
    numbers = [number - guess.header for number in cells.numbers]  # the header is no row
    if not guess.header:
        numbers = [1, *numbers]
    if len(cells.first) != len(guess.columns):
        width = f"{len(cells.first)} {plural(len(cells.first), 'column')}"
        raise EngineError(f"The table has {width} now, not {len(guess.columns)}: open it again.")
    if not numbers:
        raise EngineError("The table has a row of column names but no rows below it.")
    above = [[]] * len(cells.first) if guess.header else [[cell] for cell in cells.first]
    columns = tuple(
        column_of(said, [*first, *column], numbers, guess.missing_in(said), guess.comma_in(said))
        for said, first, column in zip(guess.columns, above, cells.below, strict=True)
    )
    cells.release()
    return Dataset(columns, guess.name, " ".join((origin, *_sampled(cells, seed))))


def _sampled(cells: Cells, seed: int) -> tuple[str, ...]:
    if cells.total <= len(cells.numbers):
        return ()
    return (
        f"A sample of {len(cells.numbers):,} of its {cells.total:,} rows, drawn with seed {seed}.",
    )


# -- writing ---------------------------------------------------------------------------------------


def table_text(data: Dataset, separator: str = "\t") -> str:
    """The table as text for the clipboard or a file: a row of names, then the rows.

    Missing values are empty cells, see `_gap`.
    """
    gap = _gap(data)
    columns = [
        [gap if np.isnan(v) else _cell(c, v) for v in c.values.tolist()] for c in data.columns
    ]
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter=separator)
    writer.writerow([c.name for c in data.columns])
    writer.writerows(zip(*columns, strict=True))
    return out.getvalue()


def _cell(column: Column, value: float) -> str:
    return (
        number_cell(value) if column.feature.numeric else label_cell(column.categories[int(value)])
    )


def _gap(data: Dataset) -> str:
    """The text of a missing value: "", unless that is a category of the table."""
    taken = {label_cell(label) for c in data.columns for label in c.categories}
    return next(
        word
        for word in ("", "?", "NaN", *(f"missing {k}" for k in range(len(taken) + 1)))
        if word not in taken
    )


def guess_of(data: Dataset, separator: str = "\t") -> TableGuess:
    """The guess that reads `table_text(data)` back exactly, with kinds, roles and whole domains."""
    columns = tuple(ColumnGuess(c.name, c.kind, c.role, c.categories, c.kind) for c in data.columns)
    return TableGuess(
        data.name,
        separator=separator,
        missing=(_gap(data),),
        columns=columns,
        rows=len(data),
        strip=False,
    )


def write_csv(data: Dataset, path: str | Path) -> None:
    """Write the table as a UTF-8 CSV file; raises EngineError.

    Replaces an older file only when all is written. A device or pipe is written to directly.
    """
    path = Path(path)
    straight = os.path.exists(path) and not os.path.isfile(path)
    part = path if straight else path.with_name(path.name + ".part")
    try:
        part.write_text(table_text(data, ","), encoding="utf-8", newline="")
        if not straight:
            os.replace(part, path)
    except (OSError, UnicodeError) as fault:
        if not straight:
            part.unlink(missing_ok=True)
        why = getattr(fault, "strerror", None) or "it holds letters that no file can hold"
        raise EngineError(
            f"{quoted(path.name)} cannot be written: {why}. Choose another place."
        ) from None
