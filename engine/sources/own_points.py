"""The points that a person clicks onto an empty plane: their columns, by what the algorithm
needs.
"""

from enum import StrEnum

import numpy as np

from engine.base.arrays import Float
from engine.protocol.algorithm import Needs
from engine.table.dataset import Column, ColumnRole, Dataset, Label, category_column, number_column

NAME = "my points"
FIRST_CLASSES: tuple[Label, ...] = (1, -1)


class PointKind(StrEnum):
    """What a point has besides its place: a class, nothing, or its y as the value to predict."""

    CLASSES = "classes"
    VALUES = "x and y"
    PLAIN = "no classes"


def empty_plane(kind: PointKind = PointKind.CLASSES) -> Dataset:
    """A table without rows.

    CLASSES: two columns and the classes 1 and −1; VALUES: x and the target y; PLAIN: two columns
    """
    return _points(np.zeros((0, 2)), kind)


def kind_for(needs: Needs) -> PointKind:
    """The kind of points for an algorithm; CLASSES if it takes classes and values alike."""
    if needs.labels:
        return PointKind.CLASSES
    return PointKind.VALUES if needs.values else PointKind.PLAIN


def kind_of(data: Dataset) -> PointKind | None:
    """The kind of the person's own points; None for other tables."""
    if data.name != NAME:
        return None
    return next((kind for kind in PointKind if _form(data) == _form(empty_plane(kind))), None)


def as_kind(data: Dataset, kind: PointKind) -> Dataset:
    """The person's own points as another kind, each at its place on the plane.

    All points get the first class if the new kind has classes; old classes are dropped.
    """
    if kind_of(data) in (None, kind):
        return data
    first, second = (column.values for column in _axes(data))
    return _points(np.column_stack([first, second]), kind)


def taken_by(data: Dataset, needs: Needs) -> Dataset:
    """An empty table of own points becomes the kind that the algorithm needs; a table with rows is
    returned unchanged.
    """
    return data if len(data) else as_kind(data, kind_for(needs))


def axis_titles(data: Dataset) -> tuple[str, str]:
    """The titles of both axes; "" for an axis without a column."""
    names = [column.feature.title for column in _axes(data)]
    return (*names, "", "")[:2]  # type: ignore[return-value]


def _axes(data: Dataset) -> list[Column]:
    """The columns on the axes: the first two numeric ones; a numeric target is the second."""
    numbers = [column for column in data.features if column.feature.numeric]
    target = data.target
    upright = [target] if target is not None and target.feature.numeric else []
    return [*numbers[: 2 - len(upright)], *upright]


def _form(data: Dataset) -> list[tuple[str, bool, ColumnRole]]:
    return [(column.name, column.feature.numeric, column.role) for column in data.columns]


def _points(xy: Float, kind: PointKind) -> Dataset:
    if kind is PointKind.VALUES:
        return Dataset(
            (number_column("x", xy[:, 0]), number_column("y", xy[:, 1], ColumnRole.TARGET)), NAME
        )
    data = Dataset((number_column("x1", xy[:, 0]), number_column("x2", xy[:, 1])), NAME)
    if kind is PointKind.PLAIN:
        return data
    labels = [FIRST_CLASSES[0]] * len(xy)
    return data.with_column(category_column("y", labels, FIRST_CLASSES, ColumnRole.TARGET))
