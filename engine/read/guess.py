"""Guesses how a table is meant: header, decimal sign, kinds, roles, words for missing values.

A dialog shows the guess and changes it.
"""

from collections.abc import Collection, Sequence

from engine.base.errors import EngineError
from engine.base.notation import listed, quoted
from engine.base.records import Record, replace
from engine.read import headings, kinds, number_cells, remarks
from engine.read.cells import Cells, Source
from engine.read.kinds import DOUBTFUL, ColumnGuess
from engine.read.number_cells import MISSING, number_of
from engine.read.regular import Row
from engine.table.dataset import MAX_CLASSES, ColumnRole, Kind

PREVIEW = 20
_SOME = 200


class TableOptions(Record, eq=True):
    """What the person declares about a file; None to guess it.

    missing: the words for missing values; guessed: the usual ones, and doubtful ones among numbers
    """

    separator: str | None = None
    encoding: str | None = None
    decimal: str | None = None
    header: bool | None = None
    missing: tuple[str, ...] | None = None
    sheet: str = ""


class TableGuess(Record, eq=True):
    """How a table is read; the dialog shows it, changes it and passes it to `read_table`.

    rows: their number, an estimate unless `exact`
    preview: the cells of the first rows without the header
    suggested: words that would make a column numeric if they counted as missing
    notices: sentences for the person
    doubtful: words in the cells that may mean missing, whether or not they count so
    among_numbers: those that are missing in numeric columns and a category elsewhere
    named: whether the file itself declares its names and cells
    """

    name: str
    encoding: str = "utf-8"
    separator: str = ","
    decimal: str = "."
    header: bool = True
    missing: tuple[str, ...] = MISSING
    sheet: str = ""
    sheets: tuple[str, ...] = ()
    columns: tuple[ColumnGuess, ...] = ()
    rows: int = 0
    exact: bool = True
    preview: tuple[tuple[str, ...], ...] = ()
    suggested: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()
    doubtful: tuple[str, ...] = ()
    among_numbers: tuple[str, ...] = ()
    strip: bool = True
    named: bool = False

    @property
    def target(self) -> str | None:
        return next((c.name for c in self.columns if c.role is ColumnRole.TARGET), None)

    def missing_in(self, column: ColumnGuess) -> frozenset[str]:
        """The cells of a column that count as missing.

        A column of numbers read as categories for a feature has `missing` alone.
        """
        classes = column.natural is Kind.NUMERIC and column.role is ColumnRole.TARGET
        numbers = column.kind is Kind.NUMERIC or classes
        return frozenset((*self.missing, *(self.among_numbers if numbers else ())))

    def comma_in(self, column: ColumnGuess) -> bool:
        """Whether the numbers of a column have decimal commas."""
        return (column.decimal or self.decimal) == ","

    def with_column(
        self, name: str, *, kind: Kind | None = None, role: ColumnRole | None = None
    ) -> "TableGuess":
        """The guess with another kind or role of column `name`; raises EngineError if there is
        none.

        A previous target or name column becomes a feature, or is ignored if empty.
        """
        return replace(self, columns=tuple(_set(self.columns, name, kind, role)))

    def with_target(self, name: str | None) -> "TableGuess":
        """The guess with the target `name`, of a fitting kind; None for no target. Raises
        EngineError.
        """
        if name is None:
            freed = (
                replace(c, role=_feature(c)) if c.role is ColumnRole.TARGET else c
                for c in self.columns
            )
            return replace(self, columns=tuple(freed))
        return self.with_column(name, role=ColumnRole.TARGET)

    def options(self) -> TableOptions:
        """The options for another guess, after one of them was changed."""
        return TableOptions(
            self.separator, self.encoding, self.decimal, self.header, self.missing, self.sheet
        )


def _feature(column: ColumnGuess) -> ColumnRole:
    return ColumnRole.FEATURE if column.distinct or not column.missing else ColumnRole.IGNORED


def _set(
    columns: Sequence[ColumnGuess], name: str, kind: Kind | None, role: ColumnRole | None
) -> list[ColumnGuess]:
    names = [c.name for c in columns]
    if name not in names:
        raise EngineError(f"There is no column {quoted(name)}; the columns are {listed(names)}.")
    return [_changed(c, name, kind, role, names) for c in columns]


def _changed(
    column: ColumnGuess, name: str, kind: Kind | None, role: ColumnRole | None, names: Sequence[str]
) -> ColumnGuess:
    single = role in (ColumnRole.TARGET, ColumnRole.NAME)
    if column.name != name:
        freed = single and column.role is role
        return replace(column, role=_feature(column), kind=column.natural) if freed else column
    if role is not None:
        fitting = {
            ColumnRole.TARGET: kinds.target_kind(column, names),
            ColumnRole.NAME: Kind.CATEGORICAL,
        }
        column = replace(column, role=role, kind=fitting.get(role, column.natural))
    return replace(column, kind=kind) if kind is not None else column


# -- guessing --------------------------------------------------------------------------------------


def _with_first_row(cells: Cells) -> list[list[str]]:
    """The columns of a table without names: its first row is one of values."""
    return [[cell, *column] for cell, column in zip(cells.first, cells.below, strict=True)]


def guess_from(
    name: str, source: Source, cells: Cells, options: TableOptions, target: str | None = None
) -> TableGuess:
    """The guess of a table from its cells; target: the column to predict, None to guess it.

    Raises EngineError without rows and for an unknown target.
    """
    said = MISSING if options.missing is None else tuple(options.missing)
    missing = frozenset(said)
    comma = (options.decimal or _decimal(source, cells, missing)) == ","
    header = options.header if options.header is not None else headings.has_header(cells, missing)
    if header and not cells.rows:
        raise EngineError(f"{source.name} has a row of column names but no rows below it.")
    names, notices = _names(cells.first, header)
    if options.header is None:
        notices += (
            headings.number_names_notice(cells.first, missing)
            if header
            else headings.unsure_header(cells, missing)
        )
    by_column = cells.below if header else _with_first_row(cells)
    own = [
        options.decimal is None and number_cells.other_sign(column, missing.union(DOUBTFUL), comma)
        for column in by_column
    ]
    commas = [comma is not other for other in own]
    doubted = [
        kinds.doubted_in_numbers(column, missing, sign)
        for column, sign in zip(by_column, commas, strict=True)
    ]
    gaps, among = _gaps(by_column, doubted, missing)
    if options.missing is None:
        said = (*said, *gaps)
        missing = missing.union(gaps)
    missing_in = [missing.union(words.intersection(among)) for words in doubted]
    columns = [
        replace(
            kinds.guess_column(n, c, words, sign), decimal=("." if comma else ",") if other else ""
        )
        for n, c, words, sign, other in zip(names, by_column, missing_in, commas, own, strict=True)
    ]
    places = [number - header for number in cells.numbers] if header else [1, *cells.numbers]
    columns = _roles(
        columns, len(cells.rows) + (not header), _counting(names, by_column, places, commas)
    )
    if target is not None:
        columns = _set(columns, target, None, ColumnRole.TARGET)
    else:
        notices += kinds.doubted_target(columns, len(cells.rows) + (not header))
    said_of = remarks.sentences(columns, by_column, missing, commas, source.separator)
    return TableGuess(
        name,
        source.encoding,
        source.separator,
        "," if comma else ".",
        header,
        said,
        source.sheet,
        source.sheets,
        tuple(columns),
        cells.total + (not header),
        cells.exact,
        tuple(map(tuple, [*([] if header else [cells.first]), *cells.rows[:PREVIEW]][:PREVIEW])),
        remarks.suggested(columns, by_column, missing, commas),
        (
            *source.notices,
            *cells.notices,
            *notices,
            *remarks.own_signs(columns, by_column, own),
            *said_of,
        ),
        remarks.doubtful(by_column),
        among,
    )


def _gaps(
    cells: Sequence[Sequence[str]], doubted: Sequence[frozenset[str]], missing: frozenset[str]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """(doubtful words only among numbers, those that are also categories elsewhere)."""
    inside = frozenset().union(*doubted)
    outside: set[str] = set()
    for column, words in zip(cells, doubted, strict=True):
        outside |= number_cells.met(inside, column).difference(missing, words)
    found = [word for word in DOUBTFUL if word in inside]
    return tuple(w for w in found if w not in outside), tuple(w for w in found if w in outside)


def _decimal(source: Source, cells: Cells, missing: frozenset[str]) -> str:
    """The decimal sign: a comma if cells are like 1,5 and none like 1.5, 1,234.5 or 1,234,567.

    Beside 1,5 a text like 1.234 may be a thousand, so it proves no decimal point; in a sheet
    numbers are no text. With the separator comma, where 1,5 stands in quotation marks, at least one
    such column has to hold numbers only.
    """
    if source.separator == "," and not any(
        number_cells.decimals_in_quotes(column, missing.union(DOUBTFUL))
        for column in zip(*cells.rows[:_SOME], strict=True)
    ):
        return "."
    some = [cell for row in cells.rows[:_SOME] for cell in row]
    commas = [cell for cell in some if "," in cell and number_of(cell, comma=True) is not None]
    if (
        not source.sheet
        and source.separator != ","
        and any(number_of(cell) is None for cell in commas)
    ):
        some = [cell for cell in some if not number_cells.thousands_alone(cell)]
    with_point = any(
        ("." in cell or cell.count(",") > 1) and number_of(cell) is not None for cell in some
    )
    return "," if commas and not with_point else "."


def _names(first: Row, header: bool) -> tuple[list[str], list[str]]:
    """(distinct column names, sentences about changed ones)."""
    if not header:
        return [f"x{j + 1}" for j in range(len(first))], []
    names: dict[str, None] = {}
    taken = set(first)
    counts = dict.fromkeys((name or "column" for name in first), 2)
    for j, name in enumerate(first):
        stem = name or "column"
        free = name or ("name" if j == 0 and "name" not in taken else f"column {j + 1}")
        while free in names or (free != name and free in taken):
            free, counts[stem] = f"{stem} ({counts[stem]})", counts[stem] + 1
        names[free] = None
    changed = [quoted(new) for old, new in zip(first, names, strict=True) if old and old != new]
    if not changed:
        return list(names), []
    return list(names), [f"Column names given twice became {listed(changed, str)}."]


def _counting(
    names: Sequence[str],
    cells: Sequence[Sequence[str]],
    places: Sequence[int],
    commas: Sequence[bool],
) -> set[str]:
    """The names of columns that only count the rows, such as pandas' index."""
    if len(names) < 2 or len(places) < 2:
        return set()
    each = zip(names, cells, commas, strict=True)
    return {name for name, column, comma in each if kinds.counts_rows(name, column, places, comma)}


def _roles(columns: list[ColumnGuess], rows: int, counting: Collection[str]) -> list[ColumnGuess]:
    """The columns with roles; at most one names the rows, preferably one that does not just count
    them.

    Ignored are dates, where each day would be a category, columns with too many words, and columns
    with a single value.
    """
    naming = (
        [c for c in columns if c.name in counting or kinds.names_rows(c, rows)]
        if len(columns) > 1
        else []
    )
    called = [c for c in naming if c.name not in counting and c.name.casefold() in kinds.NAME_NAMES]
    named = next((c.name for c in (*called, *naming)), None)
    shaped = []
    most = max(MAX_CLASSES, rows / 10)
    for c in columns:
        if c.name == named:
            c = replace(c, role=ColumnRole.NAME, kind=Kind.CATEGORICAL)
        elif (
            not c.distinct
            or c.name in counting
            or c.dated
            or (c.kind is Kind.CATEGORICAL and c.distinct > most)
        ):
            c = replace(c, role=ColumnRole.IGNORED)
        shaped.append(c)
    target = kinds.guess_target(shaped, rows)
    names = [c.name for c in columns]
    learnt = [c for c in shaped if c.role is ColumnRole.FEATURE and c.name != target]
    if not all(map(kinds.says_nothing, learnt)):  # unless nothing would be left to learn from
        shaped = [
            replace(c, role=ColumnRole.IGNORED) if c in learnt and kinds.says_nothing(c) else c
            for c in shaped
        ]
    return [
        _changed(c, c.name, None, ColumnRole.TARGET, names) if c.name == target else c
        for c in shaped
    ]
