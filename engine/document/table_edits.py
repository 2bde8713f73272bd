"""Edits of a table by hand: cells, rows and columns. Each takes a table and returns a new one."""

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from engine.base.arrays import Int, frozen
from engine.base.errors import EngineError
from engine.base.notation import MINUS, counted, label_text, listed, plural, quoted
from engine.base.records import replace
from engine.base.spelling import typed
from engine.read.column_kinds import to_numbers
from engine.read.column_kinds import with_kind as with_kind
from engine.read.kinds import FEW, ColumnGuess, label_cell, target_kind
from engine.read.number_cells import MISSING, number_cell, number_of
from engine.table.dataset import Column, ColumnRole, Dataset, Feature, Kind, Label, check_classes
from engine.table.given import WHOLE
from engine.table.needs import LINEAR_ROWS
from engine.table.transforms import Transform

MAX_ROWS = LINEAR_ROWS

# -- cells -----------------------------------------------------------------------------------------


def cell_text(column: Column, row: int) -> str:
    """A cell as a person reads and types it: “−1.5”, a category's name, "" for a missing value."""
    value = float(column.values[row])
    if np.isnan(value):
        return ""
    return (
        number_cell(value).replace("-", MINUS)
        if column.feature.numeric
        else label_text(column.categories[int(value)])
    )


def set_cells(
    data: Dataset, name: str, rows: Sequence[int], texts: Sequence[str], *, new: bool = False
) -> Dataset:
    """The table with `texts` typed into column `name` at `rows`; an empty text means missing.

    Raises EngineError, naming the row, for what the column cannot hold.

    new: whether a word that is no category yet becomes one
    """
    column = data[name]
    taker = _number if column.feature.numeric else _Taker(column, new)
    values = _plain_numbers(texts) if column.feature.numeric else None
    values = _taken(taker, name, rows, texts) if values is None else values
    if isinstance(taker, _Taker) and len(taker.order) > len(column.categories):
        column = replace(column, feature=replace(column.feature, categories=tuple(taker.order)))
        if column.role is ColumnRole.TARGET:
            check_classes(column)
        data = data.with_column(column)
    return data.with_values(name, np.asarray(rows, np.intp), values)


def _taken(
    taker: Callable[[str], float], name: str, rows: Sequence[int], texts: Sequence[str]
) -> list[float]:
    values = []
    for row, text in zip(rows, texts, strict=True):
        try:
            values.append(taker(text.strip()))
        except EngineError as fault:
            raise EngineError(f"Row {row + 1}, column {quoted(name)}: {fault}") from None
    return values


def _plain_numbers(texts: Sequence[str]) -> list[float] | None:
    """All texts as finite numbers, or None if one needs a closer look. The fast path of large
    blocks.
    """
    try:
        values = [float(text) for text in texts]
    except ValueError:
        return None
    return values if np.isfinite(values).all() and not any("_" in text for text in texts) else None


def _number(text: str) -> float:
    """The number that `text` writes, NaN for missing; 1,5 and 1.5 are the same.

    Raises EngineError for other text and for infinities.
    """
    if text in MISSING:
        return float("nan")
    value = number_of(text, comma=True) if "," in text or text.count(".") > 1 else None
    value = number_of(text) if value is None else value
    if value is None:
        raise EngineError(
            f"{quoted(text)} is not a number. Type one like −1.5, or leave the cell empty for a"
            " missing value."
        )
    if np.isinf(value):
        raise EngineError(
            "a value must be a finite number. Leave the cell empty for a missing one."
        )
    return value


class _Taker:
    """Maps the words of a categorical column to codes; `order` grows when new words are allowed."""

    def __init__(self, column: Column, new: bool) -> None:
        self.column = column
        self.new = new or not column.categories
        self.order: list[Label] = list(column.categories)
        self.codes: dict[str, float] = {}
        for code, label in enumerate(self.order):
            self._learn(label, float(code))

    def _learn(self, label: Label, code: float) -> None:
        for word in (label_cell(label), label_text(label)):
            self.codes.setdefault(word, code)

    def __call__(self, text: str) -> float:
        if text in self.codes:
            return self.codes[text]
        alike = {code for word, code in self.codes.items() if typed(word) == typed(text)}
        # a typed "-" may mean the class −, not a missing value
        if text in MISSING and not ("-" in text and len(alike) == 1):
            return float("nan")
        label = _label_like(self.order, text)
        if label in self.order:
            return float(self.order.index(label))
        if len(alike) == 1:
            return alike.pop()
        return self._added(label, text)

    def _added(self, label: Label, text: str) -> float:
        if self.column.kind is Kind.BOOLEAN:
            raise EngineError(f"{quoted(text)} is not one of its two values, {self._known()}.")
        if not self.new:
            raise EngineError(
                f"{quoted(text)} is not one of its values ({self._known()}). Choose “new value…” to"
                " add it."
            )
        code = float(len(self.order))
        self.order.append(label)
        self._learn(label, code)
        return code

    def _known(self) -> str:
        return listed(label_text(label) for label in self.order)


def _label_like(known: Sequence[Label], text: str) -> Label:
    """A number if all known labels are numbers and `text` writes one; else the text itself."""
    value = number_of(text)
    numeric = all(
        isinstance(label, (int, float)) and not isinstance(label, bool) for label in known
    )
    if not numeric or value is None or np.isinf(value):
        return text
    return int(value) if value.is_integer() else value


def block_text(data: Dataset, rows: Sequence[int], names: Sequence[str]) -> str:
    """Cells for the clipboard: a line per row, tabs between columns, "" for missing values."""
    columns = [_texts(data[name], np.asarray(rows, np.intp)) for name in names]
    return "\n".join("\t".join(cells) for cells in zip(*columns, strict=True))


def _texts(column: Column, rows: Int) -> list[str]:
    values = column.values[rows].tolist()
    if column.feature.numeric:
        return ["" if v != v else number_cell(v) for v in values]
    words = [label_cell(label) for label in column.categories]
    return ["" if v != v else words[int(v)] for v in values]


def cut_block(text: str) -> list[list[str]]:
    """The cells of text copied from a spreadsheet, each line padded to the widest."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").removesuffix("\n").split("\n")
    cells = [line.split("\t") for line in lines]
    width = max(len(line) for line in cells)
    return [line + [""] * (width - len(line)) for line in cells]


def paste_block(
    data: Dataset, row: int, names: Sequence[str], block: Sequence[Sequence[str]]
) -> Dataset:
    """The table with `block` in the columns `names` from `row` down; missing rows are added.

    Raises EngineError for a cell that does not fit and for more columns than `names` has.
    """
    width = len(block[0])
    if width > len(names):
        raise EngineError(
            f"The copied block has {counted(width, 'column')}, from here on there"
            f" {plural(len(names), 'is', 'are')} {len(names)}: begin further left, or add columns."
        )
    missing = row + len(block) - len(data)
    data = insert_rows(data, len(data), missing) if missing > 0 else data
    rows = range(row, row + len(block))
    for name, texts in zip(names, zip(*block, strict=True), strict=False):
        data = set_cells(data, name, rows, texts, new=data[name].kind is not Kind.BOOLEAN)
    return data


def clear_cells(data: Dataset, rows: Sequence[int], names: Iterable[str]) -> Dataset:
    """The table with missing values in these cells."""
    for name in names:
        data = data.with_values(name, np.asarray(rows, np.intp), np.nan)
    return data


# -- rows ------------------------------------------------------------------------------------------


def insert_rows(data: Dataset, at: int, count: int = 1) -> Dataset:
    """The table with `count` empty rows before row `at`; raises EngineError beyond MAX_ROWS."""
    if len(data) + count > MAX_ROWS:
        raise EngineError(f"The table takes at most {MAX_ROWS:,} rows.")
    n = len(data)
    longer = data.with_rows([{}] * count)
    return longer.take(
        np.concatenate([np.arange(at), np.arange(n, n + count), np.arange(at, n)]).astype(np.intp)
    )


def delete_rows(data: Dataset, rows: Sequence[int]) -> Dataset:
    keep = np.ones(len(data), dtype=bool)
    keep[np.asarray(rows, np.intp)] = False
    return data.take(keep)


# -- columns ---------------------------------------------------------------------------------------


def rename_column(data: Dataset, old: str, new: str) -> Dataset:
    """The table with column `old` named `new`; raises EngineError if that name is empty or
    taken.
    """
    new = _free(data, new, old)
    column = data[old]
    renamed = replace(column, feature=replace(column.feature, name=new))
    return replace(data, columns=tuple(renamed if c.name == old else c for c in data.columns))


def _free(data: Dataset, name: str, own: str = "") -> str:
    name = name.strip()
    if not name:
        raise EngineError("A column needs a name.")
    if name != own and any(c.name == name for c in data.columns):
        raise EngineError(f"There is a column {quoted(name)} already; choose another name.")
    return name


def new_name(data: Dataset) -> str:
    """The first free name among x1, x2, …."""
    taken = {c.name for c in data.columns}
    return next(f"x{k}" for k in range(1, len(taken) + 2) if f"x{k}" not in taken)


def add_column(data: Dataset, at: int, name: str, kind: Kind = Kind.NUMERIC) -> Dataset:
    """The table with an empty column before column `at`.

    It is ignored until it gets a role, so the lanes can still run.
    """
    empty = frozen(np.full(len(data), np.nan))
    column = Column(Feature(_free(data, name), kind), empty, ColumnRole.IGNORED)
    return replace(data, columns=(*data.columns[:at], column, *data.columns[at:]))


def delete_columns(data: Dataset, names: Sequence[str]) -> Dataset:
    kept = tuple(c for c in data.columns if c.name not in names)
    if not kept:
        raise EngineError(
            "A table needs at least one column; open another table or add a column first."
        )
    return replace(data, columns=kept)


def with_role(data: Dataset, name: str, role: ColumnRole) -> Dataset:
    """The table with column `name` in another role.

    A new target gets the kind that fits it: a few distinct whole numbers become classes. When such
    a column stops being the target, it becomes numeric again.
    """
    previous = data.target
    if role is ColumnRole.TARGET:
        kind = target_kind(_seen(data[name]), [c.name for c in data.columns])
        data = with_kind(data, name, kind)
    data = data.with_role(name, role)
    freed = data[previous.name] if previous is not None else None
    if (
        freed is None
        or freed.role in (ColumnRole.TARGET, ColumnRole.NAME)
        or not _made_classes(freed)
    ):
        return data
    return data.with_column(to_numbers(freed))


def _made_classes(column: Column) -> bool:
    """Whether the column looks like few whole numbers that became classes for a target."""
    labels = column.categories
    whole = all(type(label) is int and abs(label) < WHOLE for label in labels)
    return column.kind is Kind.CATEGORICAL and whole and 0 < len(labels) <= FEW


def _seen(column: Column) -> ColumnGuess:
    present = column.values[~np.isnan(column.values)]
    whole = (
        column.feature.numeric and len(present) > 0 and bool((present == np.round(present)).all())
    )
    return ColumnGuess(
        column.name, column.kind, natural=column.kind, whole=whole, distinct=len(np.unique(present))
    )


# -- what speaks of columns ------------------------------------------------------------------------


def renamed(transforms: Sequence[Transform], old: str, new: str) -> tuple[Transform, ...]:
    """The transformations with column `old` renamed to `new`."""
    return tuple(
        replace(t, columns=tuple(new if c == old else c for c in t.columns)) for t in transforms
    )


def without(transforms: Sequence[Transform], names: Sequence[str]) -> tuple[Transform, ...]:
    """The transformations without those that name a deleted column."""
    return tuple(t for t in transforms if not set(t.columns) & set(names))
