"""Makes a lesson of what the lab shows: its data and lanes, and pages at its steps."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from math import isfinite
from typing import Any

from engine.base.errors import EngineError
from engine.base.notation import quoted
from engine.base.records import Record, replace
from engine.document.document import Document
from engine.document.lane import Lane
from engine.files.openings import COLUMNS, Settings, setting_text
from engine.judge.questions import questions
from engine.lessons.lesson import (
    MOST_ROWS,
    Cell,
    Data,
    Lesson,
    LessonLane,
    Page,
    Task,
    TaskKind,
    View,
    Where,
)
from engine.lessons.steps import step_of
from engine.lessons.tasks import KINDS
from engine.protocol.params import params_fields, to_dict
from engine.protocol.step import Level
from engine.runs.trace import Trace
from engine.sources.textbook import TEXTBOOK, textbook
from engine.table.dataset import Dataset

NOUNS = ("mistake", "tie", "round", "cycle", "overshoot", "split", "leaf", "contradiction")
FREE = (  # need nothing of a step
    TaskKind.CHOICE,
    TaskKind.NUMBER,
    TaskKind.PLACE,
    TaskKind.CURVE,
    TaskKind.STATE,
    TaskKind.TEXT,
)
_SKETCH = re.compile(r"(.*?)\s*(?:\bwithin\s+(\S+))?\s*(?:\bin\s+(.+))?")


def draft(document: Document, unit: Level = Level.STEP) -> Lesson:
    """A lesson without pages that opens as this document; raises EngineError where none can."""
    if any(lane.start is not None or lane.branches for lane in document.lanes):
        raise EngineError(
            "A lane that goes on from a step cannot be part of a lesson: let it begin anew first."
        )
    split = document.split
    view = View(
        transform=next((t.kind for t in document.transforms if t.kind in COLUMNS), ""),
        split=split.rows or split.share,
        split_seed=split.seed,
        probe=document.probe or (),
        axes=document.plane,
        unit=unit,
        x=document.view[0] if document.view else (),
        y=document.view[1] if document.view else (),
    )
    lanes = tuple(_lane(lane) for lane in document.lanes)
    return Lesson("", data=_data(document.data), lanes=lanes, view=view)


def _lane(lane: Lane) -> LessonLane:
    data = None if lane.data is None else _data(lane.data)
    return LessonLane(lane.key, _settings(lane), lane.seed, data)


def _settings(lane: Lane) -> Settings:
    """The parameters that differ from their defaults, as a file has them."""
    plain = to_dict(lane.params)
    return tuple(
        (field.name, setting_text(_listed(plain[field.name])))
        for field in params_fields(type(lane.params))
        if getattr(lane.params, field.name) != field.default
    )


def _listed(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _data(data: Dataset) -> Data:
    """A textbook set by its name, any other table with all its rows."""
    for key in TEXTBOOK:
        if (known := textbook(key)).name == data.name and known == data:
            return Data(name=key)
    if len(data) > MOST_ROWS:
        raise EngineError(
            f"A lesson holds at most {MOST_ROWS:,} rows; this table has {len(data):,}."
        )
    columns = [column.labels() for column in data.columns]
    rows = tuple(tuple(map(_cell, row)) for row in zip(*columns, strict=True))
    target = data.target.name if data.target is not None else ""
    names = tuple(column.name for column in data.columns)
    return Data(columns=names, rows=rows, target="" if names[-1:] == (target,) else target)


def _cell(value: Any) -> Cell:
    if value is None:
        return ""
    return value if isinstance(value, (str, bool, int, float)) else str(value)


def page_at(trace: Trace, step: int, unit: Level, before: bool = False) -> Page:
    """A page at a step: by its event where it has one, else by its number."""
    return Page(where=where_of(trace, step, unit, before))


def where_of(trace: Trace, step: int, unit: Level, before: bool = False) -> Where:
    asked = step
    if before:
        later = [int(k) for k in trace.indices(unit) if k > step]
        asked = later[0] if later else step
    if trace.events[asked]:
        event = min(trace.events[asked], key=lambda name: len(trace.when(name)))  # the rarest
        number = bisect_left(trace.when(event), asked) + 1
        return Where(event=event, number=number, before=before)
    places = list(map(int, trace.indices(unit)))
    number = max((k for k, place in enumerate(places) if place <= asked), default=0)
    return Where(step=number, before=before)


def places_at(trace: Trace, step: int, unit: Level) -> list[Where]:
    """All ways to say that a page stands at a step, or one before it, those by an event first."""
    found = []
    for event in trace.events[step]:
        number = bisect_left(trace.when(event), step) + 1
        found.append(Where(event=event, number=number))
    found.append(Where(step=number_of(trace, step, unit)))
    return [*found, *(replace(where, before=True) for where in found)]


def number_of(trace: Trace, step: int, unit: Level) -> int:
    """The number of a step in the unit."""
    return max(0, bisect_right(trace.indices(unit), step) - 1)


# -- after a change of the data --------------------------------------------------------------------


class Seen(Record, eq=True):
    """What the author saw at the step of a page: the index of the step, its number in the unit, and
    the event by which the page is found.
    """

    step: int
    number: int
    event: str = ""


def seen_at(where: Where, trace: Trace, unit: Level) -> Seen:
    """What is seen where a page stands; raises EngineError where the run has no such step."""
    step = step_of(where, trace, unit)
    return Seen(step, number_of(trace, step, unit), where.event)


def lost(seen: Seen, where: Where, trace: Trace, unit: Level) -> str:
    """Why the run no longer shows what the author saw on a page: 'Step 80 is no mistake any more.'

    '' where it does.
    """
    name = f"{unit.name.capitalize()} {seen.number}"
    if seen.event:
        there = seen.step < len(trace) and seen.event in trace.events[seen.step]
        if there:
            return ""
        what = f"no {seen.event}" if seen.event in NOUNS else f"not {quoted(seen.event)}"
        return f"{name} is {what} any more."
    try:
        step_of(where, trace, unit)
    except EngineError:
        return f"The run has no {name[:1].lower()}{name[1:]} any more."
    return ""


def found_again(seen: Seen, where: Where, trace: Trace, unit: Level) -> Where:
    """Where that is now: the step with this event that has the page's number, else the nearest one;
    of a page without an event the last step.

    Raises EngineError where the run has no such event.
    """
    if not len(trace):
        raise EngineError("The run has no step.")
    if not seen.event:
        return replace(where, step=number_of(trace, len(trace) - 1, unit))
    places = list(map(int, trace.when(seen.event)))
    if not places:
        raise EngineError(
            f"This run has no event {quoted(seen.event)}: go to another step and press"
            f" {quoted('Use this step')}, or remove the page."
        )
    if where.number <= len(places):
        return where
    nearest = min(range(len(places)), key=lambda k: abs(places[k] - seen.step))
    return replace(where, number=nearest + 1)


# -- questions -------------------------------------------------------------------------------------


def kinds_at(trace: Trace, step: int) -> Sequence[TaskKind]:
    """The kinds of task that the engine can ask about a step, the most telling first."""
    found = [each.kind for each in questions(trace.algorithm, trace.problem, trace[step])]
    by_question = {question: task for task, question in KINDS.items()}
    return [*(by_question[kind] for kind in found), *FREE]


def pairs_of(text: str) -> tuple[tuple[str, str], ...]:
    """(answer, reply) of each line 'answer | reply'."""
    rows = [line.partition("|") for line in text.splitlines() if line.strip()]
    return tuple((answer.strip(), reply.strip()) for answer, _, reply in rows)


def sketch_line(task: Task) -> str:
    """What is right of a drawing as one line: '(8, 6.2) within 0.5', 'errV in Errors by size'."""
    within = "" if task.within is None else f"within {task.within:g}"
    on = f"in {task.on}" if task.on else ""
    return " ".join(filter(None, ("; ".join(map(str, task.right)), within, on)))


def with_sketch(task: Task, line: str) -> Task:
    """The task with what such a line says."""
    found = _SKETCH.fullmatch(line.strip())
    right, within, on = ("", "", "") if found is None else (each or "" for each in found.groups())
    try:
        distance = abs(float(within.replace(",", "."))) if within else None
    except ValueError:
        distance = None
    if distance is not None and not isfinite(distance):
        distance = None
    places = tuple(part.strip() for part in right.split(";") if part.strip())
    return replace(task, right=places, within=distance, on=on)
