"""What to try after a run: prepared changes, each a lane beside that differs in one thing."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from engine.base.arrays import Float
from engine.base.errors import EngineError
from engine.base.notation import value_text
from engine.base.records import Record
from engine.document.document import Document
from engine.document.edits import add_points, shown
from engine.document.lane_edits import fork_lane, suggested
from engine.protocol.params import Field, params_fields
from engine.table.problem import Problem

MOST = 2
BEYOND = 0.75  # of the way from one class to the other, by which the outlier lies beyond it
KINDS = ("float", "int", "choice", "bool")  # of parameters, the most telling first
DULL = ("rounds", "steps", "tolerance", "seed", "restarts", "patience")  # they only end the run


class WhatIf(Record):
    """A prepared change.

    name: 'One outlier', 'Rate η × 10'
    question: without the outcome
    document: with the changed lane behind the one it was made from
    lane: the place of the changed lane
    """

    name: str
    question: str
    document: Document
    lane: int


def what_ifs(document: Document, place: int, problem: Problem | None) -> list[WhatIf]:
    """Up to two changes of the lane at `place`, of which the run went on to its end.

    [] where all lanes are taken. problem: what the lane learns from
    """
    found: list[WhatIf] = []
    for change in _changes(document, place, problem):
        found.append(change)
        if len(found) == MOST:
            break
    return found


def _changes(document: Document, place: int, problem: Problem | None) -> Iterator[WhatIf]:
    try:
        beside, lane = fork_lane(document, place, None)
    except EngineError:
        return
    if (change := _outlier(beside, lane, problem)) is not None:
        yield change
    fields = [each for each in params_fields(type(document.lanes[place].params)) if _telling(each)]
    for field in sorted(fields, key=lambda each: KINDS.index(each.kind)):
        if (change := _other_value(beside, lane, field)) is not None:
            yield change


def _telling(field: Field) -> bool:
    return field.kind in KINDS and field.when is None and field.name not in DULL


def _outlier(document: Document, place: int, problem: Problem | None) -> WhatIf | None:
    """One example of the first class beyond the second one; None without a plane of classes."""
    if problem is None or len(problem.plane) != 2 or problem.regress or len(problem.classes) < 2:
        return None
    where = _beyond(document, problem)
    if where is None:
        return None
    own = document.with_lane(place, data=document.of_lane(place).data)
    try:
        changed = own.in_lane(place, lambda seen: add_points(seen, where, 0))
    except EngineError:
        return None
    one, other = problem.class_text(0), problem.class_text(1)
    return WhatIf(
        "One outlier", f"One {one} among the {other}: does the result hold?", changed, place
    )


def _beyond(document: Document, problem: Problem) -> Float | None:
    """(1, 2) a place on the plane beyond the second class, seen from the first."""
    points = shown(document, problem)
    first, second = (points.xy[points.codes == code] for code in (0, 1))
    if not len(first) or not len(second):
        return None
    centre, other = first.mean(axis=0), second.mean(axis=0)
    low, high = points.xy.min(axis=0), points.xy.max(axis=0)
    place: Float = np.clip(other + BEYOND * (other - centre), low, high)[None]
    return place


def _other_value(document: Document, place: int, field: Field) -> WhatIf | None:
    """The next larger of the suggested values, or another one; None where there is none."""
    lane = document.lanes[place]
    now = getattr(lane.params, field.name)
    others = [value for value in suggested(lane, field.name) if value != now]
    if now is None or not others:
        return None
    larger = [value for value in others if field.kind in ("int", "float") and value > now]
    new = larger[0] if larger else others[-1 if field.kind in ("int", "float") else 0]
    try:
        changed = document.with_params(place, **{field.name: new})
    except EngineError:
        return None
    old, text = _text(now), _text(new)
    question = f"{text} in place of {old}: what changes?"
    return WhatIf(f"{field.label} {text}", question, changed, place)


def _text(value: Any) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else value_text(value, -1)
