"""Rows of a caller as a table that a method can learn from, and more rows of the same columns
later.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from engine.base.arrays import Float, frozen
from engine.base.records import Record
from engine.read.column_kinds import with_kind
from engine.table.dataset import Column, ColumnRole, Dataset, Kind, category_column, number_column
from engine.table.given import plain, plain_cells
from engine.table.needs import Needs
from engine.table.prepare import Split, Transform, prepare
from engine.table.problem import Problem
from engine.table.transforms import Pipeline, fit

Domains = Mapping[str, tuple[Any, ...]]
WHOLE_COLUMNS = 2  # so many columns of whole numbers stay numbers where a method takes them so


class Rows(Record):
    """The columns that a model was trained on.

    problem: what the method learnt from
    raw: the same rows with the caller's own columns
    pipeline: the transforms from `raw` to `problem`
    """

    problem: Problem
    raw: Problem
    pipeline: Pipeline

    def encode(self, X: Any) -> Float:
        """Rows (m, d) with the caller's columns as rows (m, e) of the problem.

        Raises EngineError for unknown words.
        """
        features = self.raw.features
        if all(feature.numeric for feature in features):
            found: Float = np.asarray(X, np.float64)
            return found
        found = self.raw.encode({feature.name: X[:, j] for j, feature in enumerate(features)})
        if not self.pipeline.parts:
            return found
        columns = (Column(feature, frozen(found[:, j])) for j, feature in enumerate(features))
        made = self.pipeline.apply(Dataset(tuple(columns)))
        return np.column_stack([column.values for column in made.features])


def domains_of(X: Any) -> Domains:
    """The categories that columns of a frame declare, by the name of the column: also those that no
    row has.
    """
    names, kinds = getattr(X, "columns", None), getattr(X, "dtypes", None)
    if names is None or kinds is None:
        return {}
    declared = {
        str(name): getattr(kind, "categories", ()) for name, kind in zip(names, kinds, strict=True)
    }
    return {
        name: tuple(plain_cells(name, known))
        for name, known in declared.items()
        if np.ndim(known) and len(known)
    }


def has_gaps(X: Any) -> bool:
    """Whether a cell of X (n, d) is missing: NaN, None, or what frames write for it."""
    if X.dtype.kind == "f":
        return bool(np.isnan(X).any())
    return X.dtype.kind == "O" and any(plain(cell) is None for cell in X.flat)


def rows_of(
    X: Any,
    names: Sequence[str],
    domains: Domains,
    target: Column | None,
    needs: Needs,
    split: Split = Split(),
    whole: bool = False,
) -> Rows:
    """The rows X (n, d), numbers or cells of any kind, with their target, as a method with these
    needs can take them.

    Each column is numbers, truth values or words, as the lab reads it; domains: what columns of
    words may hold. Where a method takes categories alone, whole numbers are categories, unless
    `whole` lets one or two such columns be numbers; where it takes columns of 0 and 1 alone,
    categories become such columns. Raises EngineError for what the lab cannot hold.
    """
    data = Dataset.from_arrays(X, names=names)
    if not needs.numeric:
        for j, name in enumerate(names):
            if name in domains:
                data = data.with_column(category_column(name, X[:, j], domains[name]))
    if needs.discrete or needs.binary:
        data = _with_categories(data, whole)
    words = any(not column.feature.numeric for column in data.features)
    transforms = (Transform("one_hot"),) if needs.binary and words else ()
    if target is not None:
        data = data.with_column(target)
    problem = prepare(data, transforms=transforms, split=split)
    if not transforms:
        return Rows(problem, problem, Pipeline())
    return Rows(problem, prepare(data), fit(transforms, data))


def _with_categories(data: Dataset, whole: bool) -> Dataset:
    """Columns of whole numbers as categories, other than those of 0 and 1 alone."""
    columns = [column for column in data.features if column.feature.numeric]
    if whole and len(data.features) <= WHOLE_COLUMNS and all(map(_is_whole, columns)):
        return data
    for column in columns:
        if _is_whole(column) and not np.isin(column.values[~np.isnan(column.values)], (0, 1)).all():
            data = with_kind(data, column.name, Kind.CATEGORICAL)
    return data


def _is_whole(column: Column) -> bool:
    """Whether a column of numbers holds whole ones alone, and gaps."""
    known = column.values[~np.isnan(column.values)]
    return bool((known == np.floor(known)).all())


def target_name(names: Sequence[str]) -> str:
    """A name for the target that differs from all column names: y, y′, y″ …"""
    name = "y"
    while name in names:
        name += "′"
    return name


def class_target(name: str, classes: Any, codes: Any) -> tuple[Column, list[int]]:
    """(target column, for each class its number in the lab's order) from codes (n,) into `classes`
    (k,).

    The lab has its own order of classes: of two the positive one first. Raises EngineError for more
    classes than the lab allows.
    """
    labels = plain_cells(name, classes)
    column = category_column(
        name, [labels[code] for code in codes.tolist()], role=ColumnRole.TARGET
    )
    return column, [labels.index(label) for label in column.categories]


def value_target(name: str, y: Any) -> Column:
    """The target column of the values y (n,)."""
    return number_column(name, y, ColumnRole.TARGET)
