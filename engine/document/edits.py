"""Edits of the data by hand on the plane: each takes a document and returns a new one."""

from collections.abc import Iterable, Sequence
from itertools import accumulate, count

import numpy as np

from engine.base.arrays import Float, Int, frozen, together
from engine.base.errors import EngineError
from engine.base.notation import MINUS, plural, quoted
from engine.base.records import Record, cached_property, replace
from engine.document.document import Document
from engine.read.number_cells import MISSING, number_of
from engine.table.dataset import (
    Column,
    Dataset,
    Kind,
    Label,
    check_classes,
)
from engine.table.prepare import unapply
from engine.table.problem import Problem
from engine.table.row_words import MANY

MAX_POINTS = 20_000
NAMELESS = "A class needs a name."


class Shown(Record, dict=True):
    """The table's rows on the plane.

    xy: (m, 2) positions
    rows: (m,) indices into the table
    codes: (m,) classes
    drawn: indices into these arrays of the rows that are drawn, or None for all
    """

    xy: Float
    rows: Int
    codes: Int
    drawn: Int | None = None

    @cached_property
    def in_sight(self) -> tuple[Float, Int]:
        """(positions (k, 2), indices into the table (k,)) of the rows that are drawn."""
        return (
            (self.xy, self.rows)
            if self.drawn is None
            else (self.xy[self.drawn], self.rows[self.drawn])
        )

    def seen(self, rows: Iterable[int]) -> Int:
        """The indices into `xy` of these table rows; of more than MANY only the drawn ones."""
        there = np.isin(self.rows, np.fromiter(rows, np.intp))
        if self.drawn is None or np.count_nonzero(there) <= MANY:
            return np.flatnonzero(there)
        return self.drawn[there[self.drawn]]


def shown(document: Document, problem: Problem | None) -> Shown:
    """The rows on the plane, training rows first, then held-out rows; empty without a plane."""
    if problem is None or not problem.plane:
        return Shown(np.zeros((0, 2)), np.zeros(0, np.intp), np.zeros(0, np.intp))
    parts = [problem] if problem.held_out is None else [problem, problem.held_out]
    before = accumulate((p.n for p in parts), initial=0)
    drawn = [
        first + (np.arange(p.n) if p.drawn is None else p.drawn)
        for first, p in zip(before, parts, strict=False)
    ]
    return Shown(
        together([p.xy for p in parts]),
        together([p.table_rows for p in parts]),
        together([p.codes for p in parts]),
        None if all(p.drawn is None for p in parts) else np.concatenate(drawn),
    )


def add_points(document: Document, xy: Float, code: int | None = None) -> Document:
    """The document with new rows at plane coordinates xy (m, 2) of class `code`.

    A code one past the last makes a new class. Hidden columns get usual values, see `_usual`.
    Raises EngineError for too many rows, and when the plane's columns are made from others.
    """
    xy = np.atleast_2d(np.asarray(xy, np.float64))
    data = document.data
    if len(data) + len(xy) > MAX_POINTS:
        raise EngineError(
            f"The plane takes at most {MAX_POINTS:,} points by hand; open a table for more."
        )
    target = data.target
    labelled = code is not None and target is not None and not target.feature.numeric
    if labelled and target is not None and code is not None and code >= len(target.categories):
        data = data.with_column(_with_class(target))
        code = len(target.categories)
    values = _table_values(document, data, xy)
    rows = [{name: float(column[i]) for name, column in values.items()} for i in range(len(xy))]
    fixed = _usual(data)
    if labelled and target is not None:
        fixed[target.name] = float(code or 0)
    return replace(document, data=data.with_rows([fixed | row for row in rows]))


def move_points(document: Document, rows: Int, xy: Float) -> Document:
    """The document with table rows `rows` moved to plane coordinates xy (m, 2)."""
    data = document.data
    values = _table_values(document, data, np.atleast_2d(xy))
    for name, column in values.items():
        data = data.with_values(name, rows, column)
    return replace(document, data=data)


def delete_rows(document: Document, rows: Int) -> Document:
    """The document without these rows."""
    keep = np.ones(len(document.data), dtype=bool)
    keep[rows] = False
    return replace(document, data=document.data.take(keep))


def relabel(document: Document, rows: Int, code: int) -> Document:
    """The document with the rows in class `code`; a code one past the last makes a new class.

    Raises EngineError when the target has no classes.
    """
    data = document.data
    target = document.data.target
    if target is None or target.feature.numeric:
        raise EngineError("These data have no classes to choose from.")
    if code >= len(target.categories):
        data = data.with_column(_with_class(target))
        code = len(target.categories)
    return replace(document, data=data.with_values(target.name, rows, float(code)))


def rename_class(document: Document, code: int, text: str) -> Document:
    """The document with class `code` named `text`; a number if all other names are numbers.

    Raises EngineError for a class that does not exist, a name that another class has, and a name
    that stands for a missing value.
    """
    data = document.data
    target = document.data.target
    if target is None or not 0 <= code < len(target.categories):
        raise EngineError("These data have no such class to rename.")
    text = text.strip()
    others = [label for k, label in enumerate(target.categories) if k != code]
    if text in MISSING:
        raise EngineError(
            f"{quoted(text)} stands for a missing value: a class needs another name."
            if text
            else NAMELESS
        )
    value = number_of(text) if all(_is_number(label) for label in others) else None
    label: Label = (
        text if value is None or np.isinf(value) else int(value) if value.is_integer() else value
    )
    if _spelt(label) in {_spelt(other) for other in others}:
        raise EngineError(
            f"Another class is called {quoted(text)} already: choose a name of its own."
        )
    categories = tuple(label if k == code else known for k, known in enumerate(target.categories))
    # a boolean has two values
    feature = replace(target.feature, kind=Kind.CATEGORICAL, categories=categories)
    return replace(document, data=data.with_column(replace(target, feature=feature)))


def _is_number(label: Label) -> bool:
    return isinstance(label, (int, float)) and not isinstance(label, bool)


def set_target(document: Document, rows: Int, value: float) -> Document:
    """The document with the target of these rows set to `value`.

    Raises EngineError when the target is not numeric.
    """
    data = document.data
    target = document.data.target
    if target is None or not target.feature.numeric:
        raise EngineError("These data have no values to predict.")
    return replace(document, data=data.with_values(target.name, rows, value))


def put_on_axis(document: Document, axes: Sequence[str], column: str, axis: int) -> Document:
    """The document with `column` on axis 0 or 1 of a plane that shows `axes`.

    If the column is on the other axis, the two swap.
    """
    other = next((name for k, name in enumerate(axes) if k != axis and name != column), axes[axis])
    return replace(
        document, plane=(column, other) if axis == 0 else (other, column), probe=None, view=None
    )


def clear(document: Document) -> Document:
    """The document with the same columns, no rows and no probe."""
    return replace(document, data=document.data.take([]), probe=None)


def _table_values(document: Document, data: Dataset, xy: Float) -> dict[str, Float]:
    """Plane coordinates as values of the table's columns, by name.

    If the plane shows a single column, its second axis is the numeric target.
    """
    values = unapply(
        document.transforms,
        data,
        xy,
        plane=document.plane,
        split=document.split,
        most=document.most,
    )
    if data.target is not None and data.target.feature.numeric and len(values) == 1:
        values[data.target.name] = xy[:, 1]
    return values


def _with_class(target: Column) -> Column:
    """The target with one more class, named by `_next_label`; raises EngineError."""
    used = target.categories
    label = _next_label(target.categories)
    kind = Kind.CATEGORICAL  # a boolean has two values
    wider = replace(target, feature=replace(target.feature, kind=kind, categories=(*used, label)))
    check_classes(wider)  # a project file cannot hold more classes
    return wider


def _next_label(used: tuple[Label, ...]) -> Label:
    """A name for one more class, of the same kind as the others.

    For whole numbers the next one (3 after −1 and +1), for letters the next letter, for words the
    number of the class, as its key and its button show it.
    """
    whole = [label for label in used if isinstance(label, int) and _is_number(label)]
    if len(whole) == len(used):
        return max([*whole, len(used) if min(whole, default=0) < 0 else 0]) + 1
    letters = [
        label for label in used if isinstance(label, str) and len(label) == 1 and label.isascii()
    ]
    if len(letters) == len(used) and all(map(str.isalpha, letters)):
        following = chr(max(map(ord, letters)) + 1)
        if following.isalpha():
            return following
    return next(str(k) for k in count(len(used) + 1) if str(k) not in used)


def _usual(data: Dataset) -> dict[str, float]:
    """Values of the other columns for a new row: the mean, or the most frequent category.

    Only a column without categories stays missing.
    """
    usual: dict[str, float] = {}
    for column in data.features:
        present = column.values[~np.isnan(column.values)]
        if not len(present):
            usual[column.name] = 0.0 if column.feature.numeric or column.categories else np.nan
        elif column.feature.numeric:
            usual[column.name] = float(present.mean())
        else:
            usual[column.name] = float(np.bincount(present.astype(int)).argmax())
    return usual


def points_text(document: Document, rows: Int) -> str:
    """Rows as tab-separated text for a spreadsheet, with a header."""
    from engine.read.tables import table_text

    return table_text(document.data.take(frozen(rows)))


def paste_rows(document: Document, pasted: Dataset) -> Document:
    """The document with the rows of `pasted` appended.

    Columns match by name, or by position if the names differ but the numbers of columns agree.
    Raises EngineError if neither matches.
    """
    data = document.data
    by_name = {c.name: c for c in pasted.columns}
    if not {c.name for c in data.columns} <= set(by_name):
        if len(pasted.columns) != len(data.columns):
            raise EngineError(
                f"The pasted cells have {_columns(pasted)}, this table has {len(data.columns)}: "
                "paste as many, or open them as a new table."
            )
        by_name = {own.name: c for own, c in zip(data.columns, pasted.columns, strict=True)}
    values = {own.name: _fitted(own, by_name[own.name]) for own in data.columns}
    rows = [{name: float(column[i]) for name, column in values.items()} for i in range(len(pasted))]
    return replace(document, data=data.with_rows(rows))


def _columns(data: Dataset) -> str:
    return f"{len(data.columns)} {plural(len(data.columns), 'column')}"


def _spelt(label: object) -> str:
    """The label as text, with one spelling per number.

    A spreadsheet returns a class named “−1” as the number -1.
    """
    text = str(label)
    try:
        return f"{float(text.replace(MINUS, '-')):.12g}"
    except ValueError:
        return text


def _fitted(own: Column, given: Column) -> Float:
    """The values of `given` as numbers or category codes of `own`; raises EngineError."""
    labels = given.labels()
    try:
        if own.feature.numeric:
            return np.asarray([np.nan if v is None else float(v) for v in labels])
        codes = {_spelt(label): float(k) for k, label in reversed(list(enumerate(own.categories)))}
        codes |= {str(label): float(k) for k, label in enumerate(own.categories)}
        texts = [None if v is None else str(v) if str(v) in codes else _spelt(v) for v in labels]
        return np.asarray([np.nan if v is None else codes[v] for v in texts])
    except (ValueError, KeyError) as odd:
        raise EngineError(f"Column {quoted(own.name)} cannot hold {odd}.") from None
