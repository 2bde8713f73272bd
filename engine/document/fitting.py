"""What was written for other columns, such as start weights, a query or a section of the plane: an
edit with which it does not fit any more empties it too.
"""

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


def fitting(before: Document, after: Document) -> tuple[Document, str]:
    """`after` without the values that fitted the table of `before` and do not fit its own, and a
    sentence about them, "" where there are none. The section of other axes goes without a word.
    """
    sentence = ""
    if after.view is not None and after.view == before.view and _axes(before) != _axes(after):
        after = replace(after, view=None)  # a section of other axes shows nothing
    for index, (old, new) in enumerate(zip(before.lanes, after.lanes, strict=False)):
        misfits = _new_misfits(before.of_lane(index), after.of_lane(index), old, new)
        if misfits:
            after = after.with_lane(index, params=_emptied(new, list(misfits)))
            labels = " and ".join(field.label for field in misfits)
            why = " ".join(misfits.values())
            sentence = f"{why} {labels} is empty now; Ctrl+Z brings it back."
    return after, sentence


def with_data(document: Document, data: Dataset) -> Document:
    """`document` about `data`: what spoke of the former table begins anew, axes, transformations,
    probe, range and the runs. Parameters that do not fit the table are empty.
    """
    lanes = tuple(replace(each, start=None, data=None, branches=()) for each in document.lanes)
    # row numbers mean rows of the former table
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
    """The parameters of a method that is chosen again: those that it had in this document, the
    usual ones if it was not there; without values that do not fit the table of today.
    """
    lane = next((each for each in document.put_away if each.key == key), None)
    if lane is None:
        return algorithm(key).params()
    return _without_misfits(lane, document)


def anew(document: Document, empty: Dataset) -> Document:
    """No points yet, for the same methods; empty: a plane of their kind."""
    return Document(empty, with_data(document, empty).lanes)


def _axes(document: Document) -> object:
    """What the axes of the plane come from; compared without preparing the data."""
    columns = [(column.name, column.kind, column.role) for column in document.data.columns]
    return document.transforms, document.plane, columns


def _new_misfits(before: Document, after: Document, old: Lane, new: Lane) -> dict[Field, str]:
    """The values that this edit does not itself set, that fitted before it and do not fit now, each
    with the sentence that says why.
    """
    if old.key != new.key:
        return {}
    kept = [
        field
        for field in _written(new)
        if getattr(new.params, field.name) == getattr(old.params, field.name)
    ]
    if not kept:
        return {}
    try:
        here = after.problem()
        there = before.problem()
    except EngineError:
        return {}
    return {
        field: why
        for field in kept
        if (why := misfit(field, new.params, here)) and not misfit(field, old.params, there)
    }


def _without_misfits(lane: Lane, document: Document) -> Any:
    """The parameters of a lane, empty where they do not fit the table; as they are where it is no
    table to learn from yet.
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
    """The parameters that have to fit a table and are not empty."""
    fields = params_fields(lane.algorithm.params)
    return [
        field
        for field in fields
        if field.fits is not None and getattr(lane.params, field.name) != field.default
    ]


def _emptied(lane: Lane, fields: list[Field]) -> Any:
    """The parameters of a lane with those of `fields` as they are of their own accord."""
    return replace(lane.params, **{field.name: field.default for field in fields})
