"""Converts columns between numbers, categories and yes/no."""

from collections.abc import Callable, Sequence

import numpy as np

from engine.base.arrays import Float, frozen
from engine.base.errors import EngineError
from engine.base.notation import label_text, plural, quoted
from engine.base.records import replace
from engine.base.spelling import order_labels
from engine.protocol.algorithm import Needs
from engine.read.number_cells import number_of
from engine.table.dataset import (
    MAX_CLASSES,
    Column,
    ColumnRole,
    Dataset,
    Feature,
    Kind,
    Label,
    number_column,
)
from engine.table.given import WHOLE


def with_kind(data: Dataset, name: str, kind: Kind) -> Dataset:
    """The table with column `name` as another kind; raises EngineError if its values do not allow
    it.
    """
    column = data[name]
    if kind is column.kind:
        return data
    change: Callable[[Column], Column] = {
        Kind.NUMERIC: to_numbers,
        Kind.CATEGORICAL: _to_categories,
        Kind.BOOLEAN: _to_truth,
    }[kind]
    return data.with_column(change(column))


def read_for(data: Dataset, needs: Needs) -> Dataset:
    """The table with the target as the kind that an algorithm needs, if its values allow it.

    Whole numbers can be classes, and classes that are numbers can be values. Otherwise unchanged.
    """
    target = data.target
    if target is None or needs.labels == needs.values:
        return data
    if target.feature.numeric and needs.labels:
        numbers = np.unique(target.values[~np.isnan(target.values)])
        whole = len(numbers) <= MAX_CLASSES and (numbers == np.round(numbers)).all()
        return with_kind(data, target.name, Kind.CATEGORICAL) if whole else data
    if target.feature.numeric or needs.labels:
        return data
    known = all(
        isinstance(label, (int, float)) and not isinstance(label, bool)
        for label in target.categories
    )
    return with_kind(data, target.name, Kind.NUMERIC) if known else data


def to_numbers(column: Column) -> Column:
    used = np.unique(column.values[~np.isnan(column.values)]).tolist()
    # unused categories may be words
    numbers_of = {code: _as_number(column, column.categories[int(code)]) for code in used}
    numbers = [numbers_of.get(code, np.nan) for code in column.values.tolist()]
    return number_column(column.name, numbers, column.role)


def _as_number(column: Column, label: Label) -> float:
    """The number that a category stands for; 0 and 1 for a yes/no column of words.

    Raises EngineError for other words.
    """
    value = float(label) if isinstance(label, (int, float)) else number_of(label)
    if value is not None and not np.isinf(value):
        return value
    if column.kind is Kind.BOOLEAN:
        return float(order_labels(set(column.categories)).index(label) == 0)
    raise EngineError(
        f"Column {quoted(column.name)} holds {quoted(label_text(label))}, which is no number."
        " Change those cells first, or keep categories."
    )


def _to_categories(column: Column) -> Column:
    if not column.feature.numeric:
        return replace(column, feature=replace(column.feature, kind=Kind.CATEGORICAL))
    numbers = np.unique(column.values[~np.isnan(column.values)]).tolist()
    if column.role is ColumnRole.TARGET and len(numbers) > MAX_CLASSES:
        raise EngineError(
            f"Column {quoted(column.name)} has {len(numbers)} different numbers; the lab shows at"
            f" most {MAX_CLASSES} classes."
        )
    labels: set[Label] = {int(v) if v.is_integer() and abs(v) < WHOLE else v for v in numbers}
    return _recoded(column, numbers, order_labels(labels), Kind.CATEGORICAL)


def _to_truth(column: Column) -> Column:
    """A column with two values, the negative one with code 0; a target has its positive class
    first.

    Raises EngineError for other numbers of values.
    """
    if column.feature.numeric:
        column = _to_categories(column)
    used = np.unique(column.values[~np.isnan(column.values)]).tolist()
    labels = [column.categories[int(code)] for code in used]
    if len(labels) != 2:
        raise EngineError(
            f"Column {quoted(column.name)} has {len(labels)} different"
            f" {plural(len(labels), 'value')}; a yes/no column has two."
        )
    order = order_labels(set(labels))
    order = order if column.role is ColumnRole.TARGET else order[::-1]
    by_code = [float(order.index(label)) for label in labels]
    return _mapped(column, dict(zip(used, by_code, strict=True)), order, Kind.BOOLEAN)


def _recoded(
    column: Column, numbers: Sequence[float], order: tuple[Label, ...], kind: Kind
) -> Column:
    codes = {float(label): float(code) for code, label in enumerate(order)}
    return _mapped(column, {v: codes[v] for v in numbers}, order, kind)


def _mapped(
    column: Column, codes: dict[float, float], order: tuple[Label, ...], kind: Kind
) -> Column:
    values: Float = np.asarray([codes.get(v, np.nan) for v in column.values.tolist()], np.float64)
    return Column(Feature(column.name, kind, order), frozen(values), column.role)
