"""Values that depend on the table, such as start weights, a query or the plane's range, and the
edits that clear them when they stop fitting.
"""

from collections.abc import Callable
from typing import Any

from engine.base.errors import EngineError
from engine.base.records import replace
from engine.document.document import Document
from engine.document.lane import Lane
from engine.protocol.fits import misfit
from engine.protocol.params import Field, params_fields
from engine.protocol.registry import algorithm
from engine.table.dataset import Dataset
from engine.table.prepare import Split
from engine.table.problem import Problem


def fitting(
    before: Document, after: Document, prepared: Callable[[Document], Problem | None]
) -> tuple[Document, str]:
    """`after` without the parameters that fitted `before`'s table but do not fit its own.

    Also returns a sentence about them, "" if there are none. A declared range of the plane is
    cleared without a word when the axes change.

    prepared: the problem of a document, None where its table cannot be prepared
    """
    sentence = ""
    if after.view is not None and after.view == before.view and _axes(before) != _axes(after):
        after = replace(after, view=None)  # a range of other axes is meaningless
    for index, (old, new) in enumerate(zip(before.lanes, after.lanes, strict=False)):
        misfits = _new_misfits(before.of_lane(index), after.of_lane(index), old, new, prepared)
        if misfits:
            after = after.with_lane(index, params=_emptied(new, list(misfits)))
            labels = " and ".join(field.label for field in misfits)
            why = " ".join(misfits.values())
            sentence = f"{why} {labels} is empty now; Ctrl+Z brings it back."
    return after, sentence


def with_data(document: Document, data: Dataset) -> Document:
    """`document` with `data` instead of its table.

    Resets what belongs to the old table: plane, transformations, probe, range, held-out rows and
    the starts, branches and own examples of the lanes. Clears parameters that do not fit.
    """
    lanes = tuple(replace(each, start=None, data=None, branches=()) for each in document.lanes)
    # row numbers refer to the old table
    split = Split() if document.split.rows else document.split
    changed = replace(
        document,
        data=data,
        lanes=lanes,
        transforms=(),
        plane=(),
        probe=None,
        view=None,
        split=split,
    )
    fits = tuple(replace(each, params=_without_misfits(each, changed)) for each in lanes)
    return replace(changed, lanes=fits)


def as_before(document: Document, key: str) -> Any:
    """The parameters for a method that is chosen again: those from `put_away`, else the defaults.

    Values that do not fit the current table are cleared.
    """
    lane = next((each for each in document.put_away if each.key == key), None)
    if lane is None:
        return algorithm(key).params()
    return _without_misfits(lane, document)


def new_document(document: Document, empty: Dataset) -> Document:
    """A new document with the table `empty` and the methods of `document`."""
    return Document(empty, with_data(document, empty).lanes)


def _axes(document: Document) -> object:
    """Everything that decides the axes of the plane, for comparison without preparing the data."""
    columns = [(column.name, column.kind, column.role) for column in document.data.columns]
    return document.transforms, document.plane, columns


def _shape(document: Document) -> object:
    """Everything that decides which values fit: the axes and the words of each column."""
    words = [column.categories for column in document.data.columns]
    return _axes(document), words


def _new_misfits(
    before: Document,
    after: Document,
    old: Lane,
    new: Lane,
    prepared: Callable[[Document], Problem | None],
) -> dict[Field, str]:
    """The parameters that this edit left unchanged but that fit no longer, each with the reason."""
    if old.key != new.key or (old.params == new.params and _shape(before) == _shape(after)):
        return {}  # above all while a point is dragged: nothing is prepared then
    kept = [
        field
        for field in _written(new)
        if getattr(new.params, field.name) == getattr(old.params, field.name)
    ]
    if not kept:
        return {}
    here = prepared(after)
    there = prepared(before)
    if here is None or there is None:
        return {}
    return {
        field: why
        for field in kept
        if (why := misfit(field, new.params, here)) and not misfit(field, old.params, there)
    }


def _without_misfits(lane: Lane, document: Document) -> Any:
    """The lane's parameters with those cleared that do not fit the table.

    Unchanged if the document has no valid problem yet.
    """
    written = _written(lane)
    if not written:
        return lane.params
    try:
        problem = document.problem()
    except EngineError:
        return lane.params
    return _emptied(lane, [field for field in written if misfit(field, lane.params, problem)])


def _written(lane: Lane) -> list[Field]:
    """The parameters that have to fit a table and differ from their defaults."""
    fields = params_fields(lane.algorithm.params)
    return [
        field
        for field in fields
        if field.fits is not None and getattr(lane.params, field.name) != field.default
    ]


def _emptied(lane: Lane, fields: list[Field]) -> Any:
    """The lane's parameters with these fields at their defaults."""
    return replace(lane.params, **{field.name: field.default for field in fields})
