"""Converts tables from and to pandas DataFrames.

pandas is imported on use; the lab runs without it.
"""

from typing import Any

import numpy as np

from engine.base.errors import EngineError
from engine.table.dataset import ColumnRole, Dataset, category_column


def pandas() -> Any:
    """The module pandas; raises EngineError if it is not installed."""
    try:
        import pandas as found
    except ModuleNotFoundError:
        raise EngineError("This needs the Python package “pandas”: pip install pandas.") from None
    return found


def from_frame(frame: Any, target: str | None = None, name: str = "data") -> Dataset:
    """The table of a pandas DataFrame.

    Columns are read as by `Dataset.from_columns`; categorical ones keep their order and unused
    categories. target: the column to predict. Raises EngineError for anything but a DataFrame, an
    unknown target, and columns that the lab cannot hold.
    """
    package = pandas()
    if not isinstance(frame, package.DataFrame):
        raise EngineError(
            f"from_frame takes a pandas DataFrame; this is of the type {type(frame).__name__}."
        )
    made = Dataset.from_columns(frame, target, name=name)
    for place, column in enumerate(frame.columns):
        series = frame.iloc[:, place]
        if isinstance(series.dtype, package.CategoricalDtype):
            domain = tuple(map(_label, series.dtype.categories))
            made = made.with_column(category_column(str(column), _cells(series, _label), domain))
    return made if target is None else made.with_role(str(target), ColumnRole.TARGET)


def _cells(series: Any, kind: Any) -> list[Any]:
    """The values, converted by `kind`; None for missing ones."""
    return [
        None if gap else kind(value)
        for value, gap in zip(series.tolist(), series.isna().tolist(), strict=True)
    ]


def _label(value: Any) -> Any:
    """A category as a str, int, float or bool."""
    plain = value.item() if isinstance(value, np.generic) else value
    return plain if isinstance(plain, (str, int, float, bool)) else str(plain)


def to_frame(data: Dataset) -> Any:
    """The table as a pandas DataFrame: numbers, Booleans, and categoricals with their whole domain
    in order.
    """
    package = pandas()
    made = {}
    for column in data.columns:
        if column.feature.numeric:
            made[column.name] = np.array(column.values)
        elif set(column.categories) <= {True, False} and not column.has_gaps and column.categories:
            made[column.name] = np.array([bool(label) for label in column.labels()])
        else:
            made[column.name] = package.Categorical(
                column.labels(), categories=list(column.categories)
            )
    return package.DataFrame(made)
