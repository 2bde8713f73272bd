"""Tables from pandas and for it.

The package is loaded when a table is wanted; the lab runs without it.
"""

from typing import Any

import numpy as np

from engine.base.errors import EngineError
from engine.table.dataset import ColumnRole, Dataset, category_column


def pandas() -> Any:
    """The package. Raises EngineError where it is missing."""
    try:
        import pandas as found
    except ModuleNotFoundError:
        raise EngineError("This needs the Python package “pandas”: pip install pandas.") from None
    return found


def from_frame(frame: Any, target: str | None = None, name: str = "data") -> Dataset:
    """The table of a pandas DataFrame.

    Columns are read as by `Dataset.from_columns`, and those that are categories there keep their
    order and the values that no row has. target: the column to learn. Raises EngineError for what
    is no DataFrame, an unknown target and columns that the lab cannot hold.
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
    """The values, None where one is missing."""
    return [
        None if gap else kind(value)
        for value, gap in zip(series.tolist(), series.isna().tolist(), strict=True)
    ]


def _label(value: Any) -> Any:
    """A category as the lab holds one."""
    plain = value.item() if isinstance(value, np.generic) else value
    return plain if isinstance(plain, (str, int, float, bool)) else str(plain)


def to_frame(data: Dataset) -> Any:
    """A pandas DataFrame with the columns of a table: numbers, truth values, and categories with
    their whole domain in order.
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
