"""Numbers written for other columns, such as start weights or a section of the plane: an edit with
which they do not fit any more empties them too, and other data begin without.
"""

from typing import Any

from engine.core.dataset import Dataset
from engine.core.errors import EngineError
from engine.core.params import Field, params_fields
from engine.core.records import replace
from engine.core.registry import algorithm
from engine.data.prepare import Split
from engine.document.document import Document
from engine.document.lane import Lane
from engine.document.lane_run import refusal


def fitting(before: Document, after: Document) -> tuple[Document, str]:
    """`after` without lists of numbers, empty unless somebody writes some, that fitted `before` and
    keep it from running; and a sentence about that, "" where there are none. The section of other
    axes goes without a word.
    """
    told = ""
    if after.view is not None and after.view == before.view and _axes(before) != _axes(after):
        after = replace(after, view=None)  # a section of other axes shows nothing
    for index, (old, new) in enumerate(zip(before.lanes, after.lanes, strict=False)):
        here, there = before.of_lane(index), after.of_lane(index)
        lists = _kept_lists(old, new) if _other_shape(here, there, old, new) else []
        if lists and (refused := _misfit(new, lists, here, there, old)):
            after = after.with_lane(index, params=_emptied(new, lists))
            told = (
                f"{refused} {' and '.join(f.label for f in lists)} is empty now; Ctrl+Z brings it"
                " back."
            )
    return after, told


def with_data(document: Document, data: Dataset) -> Document:
    """`document` about `data`: what spoke of the former table begins anew, axes, transformations,
    probe, range and the runs. So do lists of numbers that are empty unless somebody writes some,
    where there are other columns or classes.
    """
    before = document.data
    alike = len(before.features) == len(data.features) and len(before.classes) == len(data.classes)
    emptied = [
        each if alike else replace(each, params=_emptied(each, _optional_lists(each)))
        for each in document.lanes
    ]
    lanes = tuple(replace(each, start=None, data=None, branches=()) for each in emptied)
    # row numbers mean rows of the former table
    split = Split() if document.split.rows else document.split
    return replace(
        document,
        data=data,
        lanes=lanes,
        transforms=(),
        plane=(),
        probe=None,
        view=None,
        split=split,
    )


def as_before(document: Document, key: str) -> Any:
    """The parameters of a method that is chosen again: those that it had in this document, the
    usual ones if it was not there; without lists of numbers that were written for other columns.
    """
    lane = next((each for each in document.put_away if each.key == key), None)
    if lane is None:
        return algorithm(key).params()
    lists = [f for f in _optional_lists(lane) if getattr(lane.params, f.name) != ()]
    try:
        misfit = bool(lists) and bool(refusal(lane, document.problem()))
    except EngineError:
        misfit = False  # nothing can be said yet
    return _emptied(lane, lists) if misfit else lane.params


def anew(document: Document, empty: Dataset) -> Document:
    """No points yet, for the same methods; empty: a plane of their kind."""
    return Document(empty, with_data(document, empty).lanes)


def _other_shape(before: Document, after: Document, old: Lane, new: Lane) -> bool:
    """Whether other counts may be asked for; cheap, since points are dragged and sliders moved
    through here.
    """
    if before.transforms != after.transforms or len(before.data.features) != len(
        after.data.features
    ):
        return True
    return old.key == new.key and any(
        getattr(old.params, f.name) != getattr(new.params, f.name)
        for f in _fields(new)
        if f.kind != "float"
    )


def _axes(document: Document) -> object:
    """What the axes of the plane come from; compared without preparing the data."""
    columns = [(column.name, column.kind, column.role) for column in document.data.columns]
    return document.transforms, document.plane, columns


def _kept_lists(old: Lane, new: Lane) -> list[Field]:
    """The filled lists that this edit does not itself set."""
    if old.key != new.key:
        return []
    return [
        f
        for f in _optional_lists(new)
        if getattr(new.params, f.name) == getattr(old.params, f.name) != ()
    ]


def _misfit(new: Lane, lists: list[Field], before: Document, after: Document, old: Lane) -> str:
    """What the method says about the lists; "" where something else is wrong, or was so before."""
    try:
        here, there = after.problem(), before.problem()
    except EngineError:
        return ""
    refused = refusal(new, here)
    emptied = replace(new, params=_emptied(new, lists))
    return refused if refused and not refusal(emptied, here) and not refusal(old, there) else ""


def _emptied(each: Lane, lists: list[Field]) -> object:
    return replace(each.params, **dict.fromkeys([f.name for f in lists], ()))


def _optional_lists(each: Lane) -> list[Field]:
    """Those that are empty unless somebody writes some: they count columns or classes."""
    return [f for f in _fields(each) if f.kind in ("numbers", "words") and f.default == ()]


def _fields(each: Lane) -> tuple[Field, ...]:
    return params_fields(each.algorithm.params)
