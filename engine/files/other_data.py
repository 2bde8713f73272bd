"""Other data for the same methods: what spoke of the former table begins anew."""

from dataclasses import replace
from typing import Any

from engine.core.dataset import Dataset
from engine.core.params import params_fields
from engine.core.registry import algorithm
from engine.files.document import Document


def with_data(document: Document, data: Dataset) -> Document:
    """`document` about `data`. Axes, transformations, probe and range begin anew. So do lists of numbers that are empty
    unless somebody writes some, such as start weights, where there are other columns or classes: they count those."""
    before = document.data
    alike = len(before.features) == len(data.features) and len(before.classes) == len(data.classes)
    lanes = (
        document.lanes
        if alike
        else tuple(replace(lane, params=_emptied(lane.key, lane.params)) for lane in document.lanes)
    )
    return replace(document, data=data, lanes=lanes, transforms=(), plane=(), probe=None, view=None)


def _emptied(key: str, params: Any) -> Any:
    lists = [f.name for f in params_fields(algorithm(key).params) if f.kind in ("numbers", "words") and f.default == ()]
    return replace(params, **dict.fromkeys(lists, ()))
