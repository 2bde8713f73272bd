"""What a lesson names and this program does not know: sets, methods, parameters, files."""

from collections.abc import Iterator
from typing import Any

from engine.base.errors import EngineError
from engine.base.notation import listed, quoted
from engine.files.openings import COLUMNS
from engine.judge.conditions import condition
from engine.lessons.conditions import in_one_way, parts_of
from engine.lessons.lesson import Lesson, LessonLane, Task, TaskKind, Where
from engine.lessons.places import Place
from engine.lessons.setting import Files, dataset, params_of
from engine.lessons.tasks import KINDS
from engine.protocol.algorithm import Algorithm
from engine.protocol.registry import algorithms

Found = Iterator[tuple[Place, str]]


def differences(lesson: Lesson, files: Files) -> Found:
    """The place and a sentence for each name that means nothing here; no run is made."""
    try:
        dataset(lesson.data, files)
    except EngineError as sentence:
        yield ("data",), str(sentence)
    if lesson.view.transform and lesson.view.transform not in COLUMNS:
        known = listed(COLUMNS)
        yield (
            ("view", "transform"),
            f"There is no transformation {quoted(lesson.view.transform)}; there are {known}.",
        )
    for k, lane in enumerate(lesson.lanes):
        yield from _of_lane(lane, ("lane", k), files)
    for k in range(len(lesson.pages)):
        yield from _of_page(lesson, k, files)


def _of_lane(lane: LessonLane, place: Place, files: Files) -> Found:
    if lane.data is not None:
        try:
            dataset(lane.data, files)
        except EngineError as sentence:
            yield (*place, "data"), str(sentence)
    if not lane.method:
        return
    try:
        _, wrong = params_of(lane)
    except EngineError as sentence:
        yield (*place, "method"), f"{sentence} Its pages show the other lanes."
        return
    for why in wrong.values():
        yield (*place, "set"), why


def _of_page(lesson: Lesson, index: int, files: Files) -> Found:
    page, place = lesson.pages[index], ("page", index)
    for number in page.lanes:
        if number > len(lesson.lanes):
            yield (*place, "lanes"), f"There is no lane {number}."
    if page.picture and page.picture not in files:
        yield (*place, "picture"), f"The picture {quoted(page.picture)} is missing."
    keys = [lesson.lanes[k].method for k in lesson.shown(index)]
    leading = next((algorithms()[key] for key in keys if key in algorithms()), None)
    if leading is not None:
        yield from _of_where(page.where, leading, place)
        if page.then is not None:
            yield from _of_where(page.then, leading, (*place, "then"))
    if page.then is not None and (page.task is None or page.task.kind is TaskKind.STATE):
        yield (*place, "then"), "Only a page with a question goes on to another step."
    if page.task is not None:
        yield from _of_task(page.task, (*place, "task"))


def _of_where(where: Where, method: Algorithm[Any, Any], place: Place) -> Found:
    lines = [label for label, _ in method.code_lines() if label]
    for what, name, known in (("event", where.event, method.events), ("line", where.line, lines)):
        if name and name not in known:
            yield (
                (*place, what),
                f"{method.title} has no {what} {quoted(name)}; it has {listed(known)}.",
            )


def _of_task(task: Task, place: Place) -> Found:
    if not task.ask and task.kind not in KINDS:  # a question of the step has words of its own
        yield (*place, "ask"), "The task asks nothing: it needs a sentence, ask = “…”."
    if task.kind is TaskKind.STATE:
        try:
            parts = parts_of(task.condition)
        except EngineError as sentence:
            yield (*place, "condition"), str(sentence)
        else:
            for part, _ in task.not_yet:
                if in_one_way(part) not in [each.text for each in parts]:
                    yield (
                        (*place, "not_yet", part),
                        f"{quoted(part)} is no part of the condition: it has"
                        f" {listed([each.text for each in parts], quoted)}.",
                    )
    if task.kind is TaskKind.NUMBER and not task.right:
        yield (*place, "right"), "A number needs its right value, or an expression of it."
    if task.kind is TaskKind.NUMBER:
        for each in task.right:
            if isinstance(each, str):
                try:
                    condition(each)
                except EngineError as sentence:
                    yield (*place, "right"), str(sentence)
    if task.kind is TaskKind.PLACE:
        yield from _of_place(task, place)
    if task.kind is TaskKind.CHOICE:
        if len(task.choices) < 2:
            yield (*place, "choices"), "A choice needs at least two choices."
        if not task.right:
            yield (*place, "right"), "A choice needs its right answer."
        strange = [each for each in (*task.right, *dict(task.wrong)) if each not in task.choices]
        if task.choices and strange:
            yield (*place, "choices"), f"{listed(strange, quoted)} is none of the choices."


def _of_place(task: Task, place: Place) -> Found:
    if not task.right:
        yield (*place, "right"), "A place needs the right one: right = “(x, y)”."
    if not task.within:
        yield (*place, "within"), "A place needs the distance up to which it is right: within = 1."
    for each in task.right:
        if isinstance(each, str):
            try:
                condition(each)
            except EngineError as sentence:
                yield (*place, "right"), str(sentence)
