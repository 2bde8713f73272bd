"""`Dataset`: a table of typed columns with roles.

Immutable: every edit gives a new table that shares the unchanged columns.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from enum import StrEnum
from importlib import import_module
from typing import Any

import numpy as np

from engine.base.arrays import Float, Int, alike, frozen, own
from engine.base.errors import EngineError
from engine.base.notation import (
    cut,
    label_text,
    listed,
    plural,
    pretty_name,
    quoted,
    row_name,
    row_title,
    value_text,
)
from engine.base.records import Record, cached_property, replace
from engine.base.spelling import label_array, order_labels, place_of, positive_first
from engine.table.given import (
    check_task,
    columns_named,
    entries,
    labels,
    named_columns,
    plain_cells,
    table,
    unmasked,
)
from engine.table.origin import Origin, checksum
from engine.table.row_words import words_from, words_of

MAX_CLASSES = 64
Label = str | int | float | bool


class Kind(StrEnum):
    """The kind of values in a column."""

    NUMERIC = "numeric"
    CATEGORICAL = "categorical"
    BOOLEAN = "boolean"


class ColumnRole(StrEnum):
    """What a column is for.

    NAME holds the names of the rows; IGNORED is kept but not learnt from.
    """

    FEATURE = "feature"
    TARGET = "target"
    NAME = "name"
    IGNORED = "ignored"


class Feature(Record, eq=True):
    """A column without its values, as an algorithm sees it.

    categories: the whole domain in order, also values that no row has (AIMA 18.3.3); () for numeric
        columns. Booleans have two categories; their codes 0 and 1 are also their numeric values.
    """

    name: str
    kind: Kind = Kind.NUMERIC
    categories: tuple[Label, ...] = ()

    @property
    def numeric(self) -> bool:
        return self.kind is Kind.NUMERIC

    @property
    def title(self) -> str:
        """The name for reading: x1 is shown as x₁."""
        return pretty_name(self.name)

    def text(self, value: float, digits: int = 2) -> str:
        """A stored value for reading: the category's name, the number, or '?' when missing."""
        if np.isnan(value):
            return "?"
        if self.numeric:
            return value_text(value, digits)
        return cut(label_text(self.categories[int(value)]))


class Column(Record, dict=True):
    """A feature with its values.

    values: (n,) float64, read-only: numbers, or codes into `categories`; NaN where missing
    """

    feature: Feature
    values: Float
    role: ColumnRole = ColumnRole.FEATURE

    @property
    def name(self) -> str:
        return self.feature.name

    @property
    def kind(self) -> Kind:
        return self.feature.kind

    @property
    def categories(self) -> tuple[Label, ...]:
        return self.feature.categories

    def labels(self) -> list[Label | float | None]:
        """The values as the person wrote them; None where missing."""
        if self.feature.numeric:
            return [None if np.isnan(v) else float(v) for v in self.values]
        return [None if np.isnan(v) else self.categories[int(v)] for v in self.values]

    @cached_property
    def coded(self) -> tuple[Int, Any]:
        """(codes, labels) of a class column, (n,) each; −1 and None where the value is missing.

        Cached: a dragged point leaves the column of classes as it is.
        """
        gaps = np.isnan(self.values)
        codes = own(
            (np.where(gaps, -1, self.values) if gaps.any() else self.values).astype(np.intp)
        )
        return codes, own(
            label_array((*self.categories, None) if gaps.any() else self.categories)[codes]
        )

    @cached_property
    def has_gaps(self) -> bool:
        """Whether any value is missing."""
        return bool(np.isnan(self.values.min(initial=0.0)))

    def title_at(self, row: int) -> str:
        """The name of a row, where this is the column of names; '?' where it is missing."""
        value = float(self.values[row])
        label = value if value != value or self.feature.numeric else self.categories[int(value)]
        return "?" if label != label else row_title(value_text(label))

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Column)
            and self.feature == other.feature
            and self.role == other.role
            and alike(self.values, other.values)
        )

    __hash__ = None  # type: ignore[assignment]


def number_column(name: str, values: Any, role: ColumnRole = ColumnRole.FEATURE) -> Column:
    """A numeric column; None, NaN and masked values are missing.

    Raises EngineError for words, infinite values and numbers that are too large.
    """
    try:
        array = np.asarray(unmasked(values), dtype=np.float64)
    except OverflowError:
        raise EngineError(
            f"Column {quoted(name)} holds a number of too many digits; make it smaller or text."
        ) from None
    except (TypeError, ValueError):
        raise EngineError(f"Column {quoted(name)} must hold one number for each row.") from None
    if (np.abs(array) > MOST).any() and not np.isinf(array).any():
        raise EngineError(
            f"Column {quoted(name)} holds a number beyond 10¹⁵⁰, too large to compute: make it"
            " smaller."
        )
    if np.isinf(array).any():
        raise EngineError(
            f"Column {quoted(name)} holds an infinite number in row"
            f" {int(np.isinf(array).argmax()) + 1}."
        )
    return Column(Feature(name), frozen(array), role)


def category_column(
    name: str,
    labels: Iterable[Any],
    categories: Sequence[Label] | None = None,
    role: ColumnRole = ColumnRole.FEATURE,
) -> Column:
    """A categorical column from labels; None and NaN are missing.

    categories: the domain in order; None: the labels that occur, ordered
    Raises EngineError for a label that is not in the domain.
    """
    raw = plain_cells(name, labels)
    order = (
        tuple(categories)
        if categories is not None
        else order_labels({v for v in raw if v is not None})
    )
    codes = {label: float(code) for code, label in enumerate(order)}
    for strange in dict.fromkeys(v for v in raw if v is not None and v not in codes):
        place = place_of(strange, order)
        if place is None:
            raise EngineError(
                f"{quoted(strange)} is not one of the values of column {quoted(name)}."
            )
        codes[strange] = float(place)
    values = [np.nan if v is None else codes[v] for v in raw]
    boolean = len(order) == 2 and all(isinstance(v, bool) for v in order)
    return Column(
        Feature(name, Kind.BOOLEAN if boolean else Kind.CATEGORICAL, order),
        frozen(values, np.float64),
        role,
    )


MOST = 1e150  # squares of larger numbers are beyond floats


class Dataset(Record):
    """A table of n rows.

    columns: all of one length, names unique; at most one TARGET and one NAME column
    about: where it comes from and what is special about it; shown with the data, holds attributions
    plane: names of one or two numeric columns that show most, the default axes; () = the first two
    origin: how a generator drew it, None for other tables; kept by edits, see `as_drawn`
    """

    columns: tuple[Column, ...]
    name: str = "data"
    about: str = ""
    plane: tuple[str, ...] = ()
    origin: Origin | None = None

    def __post_init__(self) -> None:
        names = [column.name for column in self.columns]
        if len(set(names)) != len(names):
            twice = next(n for n in names if names.count(n) > 1)
            raise EngineError(f"Two columns are called {quoted(twice)}; rename one of them.")
        if len({len(column.values) for column in self.columns}) > 1:
            raise EngineError("The columns have different lengths.")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Dataset) and all(
            getattr(self, part) == getattr(other, part) for part in ("columns", "name", "plane")
        )

    __hash__ = None  # type: ignore[assignment]

    def __len__(self) -> int:
        return len(self.columns[0].values) if self.columns else 0

    def __getitem__(self, name: str) -> Column:
        for column in self.columns:
            if column.name == name:
                return column
        raise EngineError(
            f"There is no column {quoted(name)}; the columns are"
            f" {listed(c.name for c in self.columns)}."
        )

    @property
    def features(self) -> tuple[Column, ...]:
        return tuple(c for c in self.columns if c.role is ColumnRole.FEATURE)

    @property
    def target(self) -> Column | None:
        return next((c for c in self.columns if c.role is ColumnRole.TARGET), None)

    @property
    def classes(self) -> tuple[Label, ...]:
        """The labels of the target in order, of two the positive one first; () without a class
        target.
        """
        return self.target.categories if self.target is not None else ()

    @property
    def as_drawn(self) -> bool:
        """Whether the table still holds the values that its generator drew."""
        return self.origin is not None and self.origin.check == checksum(
            c.values for c in self.columns
        )

    def row_names(self) -> Sequence[str]:
        """The names of the rows: the NAME column, else x₁, x₂, …"""
        named = next((c for c in self.columns if c.role is ColumnRole.NAME), None)
        n = len(self)
        return (
            words_from(row_name, 0, n) if named is None else words_of(named.title_at, np.arange(n))
        )

    @classmethod
    def from_arrays(
        cls,
        X: Any,
        y: Any = None,
        *,
        names: Sequence[str] = (),
        name: str = "data",
        task: str | None = None,
    ) -> "Dataset":
        """A table from X (n, d) numbers and y (n,) labels or values; a frame X names its own
        columns.

        Text, bool and int y, and whole floats of at most 20 different values, are classes; other
        floats are values to predict. `task="classify"` or `"regress"` decides otherwise. Raises
        EngineError on wrong shapes.
        """
        check_task(task)
        # a frame may have numbers for names
        own = tuple(name for name in named_columns(X) or () if isinstance(name, str))
        X = table(X)
        titles = (
            columns_named("The names", names)
            or own
            or tuple(f"x{j + 1}" for j in range(X.shape[1]))
        )
        if len(titles) != X.shape[1]:
            count = len(titles)
            width = X.shape[1]
            raise EngineError(
                f"There {plural(count, 'is', 'are')} {count} {plural(count, 'name')} for {width} "
                f"{plural(width, 'column')}; give each column one."
            )
        columns = [_guess_column(title, X[:, j]) for j, title in enumerate(titles)]
        if y is not None:
            marks = labels(y, len(X))
            ints = (y.dtype if isinstance(y, np.ndarray) else marks.dtype).kind in "iub"
            columns.append(
                _target_column("y" if "y" not in titles else "target", marks, task, ints)
            )
        return cls(tuple(columns), name)

    @classmethod
    def from_columns(
        cls,
        columns: Mapping[str, Any],
        target: str | None = None,
        *,
        name: str = "data",
        task: str | None = None,
    ) -> "Dataset":
        """A table from named columns, or a frame, of numbers, booleans or text.

        None, NaN and masked values are missing; other names and labels are taken as their text.
        Raises EngineError.
        """
        check_task(task)
        by_name = named_columns(columns)
        if by_name is None:
            raise EngineError(
                'The columns must be given by name, as in {"x1": [0, 1], "y": ["no", "yes"]}.'
            )
        given = [(str(key), entries(str(key), values)) for key, values in by_name.items()]
        aim = None if target is None else str(target)
        if aim is not None and aim not in dict(given):
            raise EngineError(
                f"There is no column {quoted(aim)} to predict; the columns are"
                f" {listed(dict(given))}."
            )
        made = (_target_column(k, v, task) if k == aim else _guess_column(k, v) for k, v in given)
        return cls(tuple(made), name)

    def frame(self) -> Any:
        """A pandas DataFrame of numbers, truth values, and categories with their whole domain.

        Raises EngineError without pandas.
        """
        return import_module("engine.read.frames").to_frame(self)

    # -- edits: each returns a new table -----------------------------------------------------------

    def with_role(self, name: str, role: ColumnRole) -> "Dataset":
        """The table with column `name` in another role.

        A previous target or name column becomes a feature; the categories of a new target are put
        in the order of classes, see `class_order`. Raises EngineError when there are more than the
        lab can show.
        """
        chosen = (
            self[name]
            if role is not ColumnRole.TARGET
            else check_classes(_with_classes(self[name]))
        )
        single = role in (ColumnRole.TARGET, ColumnRole.NAME)
        columns = []
        for column in self.columns:
            if column.name == name:
                column = replace(chosen, role=role)
            elif single and column.role is role:
                column = replace(column, role=ColumnRole.FEATURE)
            columns.append(column)
        return replace(self, columns=tuple(columns))

    def take(self, rows: Any) -> "Dataset":
        """The table of the rows with these indices, in that order, or of those where a mask
        holds.
        """
        columns = tuple(replace(c, values=own(c.values[rows])) for c in self.columns)
        return replace(self, columns=columns)

    def with_rows(self, rows: Sequence[Mapping[str, float]]) -> "Dataset":
        """The table with more rows at the end.

        rows: stored values (numbers or codes) by column name; columns without one are missing there
        """
        columns = []
        for c in self.columns:
            added = [row.get(c.name, np.nan) for row in rows]
            columns.append(
                replace(c, values=frozen(np.concatenate([c.values, np.asarray(added, np.float64)])))
            )
        return replace(self, columns=tuple(columns))

    def with_values(self, name: str, rows: Any, values: Any) -> "Dataset":
        """The table with the stored values (numbers or codes) of column `name` replaced at
        `rows`.
        """
        changed = self[name].values.copy()
        changed[rows] = values
        return self.with_column(replace(self[name], values=own(changed)))

    def with_column(self, column: Column) -> "Dataset":
        """The table with `column` in place of the one of its name, or as the last one."""
        if all(c.name != column.name for c in self.columns):
            return replace(self, columns=(*self.columns, column))
        return replace(
            self, columns=tuple(column if c.name == column.name else c for c in self.columns)
        )


def _guess_column(name: str, values: Iterable[Any]) -> Column:
    """A column of booleans, numbers or categories, whichever its values are."""
    plain = plain_cells(name, values)
    present = [v for v in plain if v is not None]
    if all(isinstance(v, bool) for v in present) and present:
        return category_column(name, plain, (False, True))
    if all(isinstance(v, (int, float)) and not isinstance(v, bool) for v in present):
        return number_column(name, [np.nan if v is None else v for v in plain])
    return category_column(name, [None if v is None else str(v) for v in plain])


def _target_column(
    name: str, values: Iterable[Any], task: str | None, ints: bool = False
) -> Column:
    """The target column, of classes or of numbers as `task` says; None: guessed from the values.

    ints: the values are integers, so they are classes however many there are
    """
    plain = plain_cells(name, values)
    present = {v for v in plain if v is not None}
    numeric = all(isinstance(v, (int, float)) and not isinstance(v, bool) for v in present)
    whole = numeric and all(isinstance(v, int) for v in present)
    if task == "regress" or (
        task is None and numeric and not (whole and ints) and not (whole and len(present) <= 20)
    ):
        if not numeric:
            raise EngineError(
                f"Column {quoted(name)} holds text; only numbers can be predicted as values."
            )
        return number_column(name, [np.nan if v is None else v for v in plain], ColumnRole.TARGET)
    column = category_column(name, plain, role=ColumnRole.TARGET)
    check_classes(column)
    return column


def class_order(labels: Sequence[Label], used: Collection[Label]) -> tuple[Label, ...]:
    """The classes of a target with the domain `labels`, in order; used: those that have rows.

    Of two classes the positive one is first, as everywhere. Where only two of several classes have
    rows, these come first, because a method for two classes learns the first two. Of more classes
    than can be shown, those without rows are left out.
    """
    met = tuple(label for label in labels if label in used)
    if len(labels) > MAX_CLASSES:
        return positive_first(met)
    front = met if len(met) == 2 else tuple(labels)
    return (*positive_first(front), *(label for label in labels if label not in front))


def _with_classes(column: Column) -> Column:
    """A categorical column with its categories in the order of classes; other columns unchanged."""
    if column.kind is not Kind.CATEGORICAL:
        return column
    gaps = np.isnan(column.values)
    codes = np.where(gaps, 0, column.values).astype(np.intp)
    used = {column.categories[code] for code in np.unique(codes[~gaps]).tolist()}
    order = class_order(column.categories, used)
    if order == column.categories:
        return column
    places = np.array(
        [order.index(label) if label in order else -1 for label in column.categories], np.float64
    )
    values = frozen(np.where(gaps, np.nan, places[codes]), np.float64)
    return replace(column, feature=replace(column.feature, categories=order), values=values)


def check_classes(column: Column) -> Column:
    """The target `column` itself; raises EngineError when it has more classes than the lab can
    show.
    """
    if len(column.categories) > MAX_CLASSES:
        raise EngineError(
            f"Column {quoted(column.name)} has {len(column.categories)} different labels; the lab"
            f" shows at most {MAX_CLASSES} classes. Choose another target, or predict it as a"
            " value."
        )
    return column
