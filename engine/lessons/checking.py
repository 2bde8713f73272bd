"""Goes through a lesson with its runs: what a student meets on each page, and what is wrong."""

import ast
import re
from collections.abc import Callable, Collection, Iterator, Sequence

from engine.base.errors import EngineError
from engine.base.notation import listed, quoted
from engine.base.records import Record
from engine.judge.conditions import EDITS, Moment
from engine.lessons.conditions import unmet
from engine.lessons.digest import disagreements
from engine.lessons.lesson import Lesson, Page, Task, TaskKind
from engine.lessons.package import Found
from engine.lessons.places import Fault, Place
from engine.lessons.setting import Files
from engine.lessons.sketches import SHAPES
from engine.lessons.steps import Stand, filled, run_lanes, stand, unfilled, unlit
from engine.lessons.tasks import Asked, answers_in, asked
from engine.runs.trace import Trace

_MOVED = re.compile(r"\b(?:move|change)\b", re.IGNORECASE)


class Opened(Record):
    """A page with its runs. stand: None where it cannot be shown; fault says why."""

    page: Page
    stand: Stand | None = None
    asked: Asked | None = None
    fault: str = ""

    @property
    def text(self) -> str:
        """The text with the values of its step."""
        return self.page.text if self.stand is None else filled(self.page.text, self.stand.asked)


def opened(
    lesson: Lesson, files: Files, stop: Callable[[], bool] = lambda: False
) -> Iterator[Opened]:
    """Each page of a lesson with its runs; raises nothing."""
    known: dict[int, Trace] = {}
    for index, page in enumerate(lesson.pages):
        place = None
        try:
            traces = run_lanes(lesson, index, files, known, stop)
            place = stand(page, traces, lesson.view.unit)
            task = None if page.task is None else asked(page.task, place.asked, lesson.view)
            yield Opened(page, place, task)
        except EngineError as sentence:
            yield Opened(page, place, None, str(sentence))


def check(found: Found, stop: Callable[[], bool] = lambda: False) -> tuple[Fault, ...]:
    """All faults of a lesson, those of its text and those of its runs, by line."""
    if found.lesson is None:
        return found.faults
    for index, page in enumerate(opened(found.lesson, found.files, stop)):
        for place, sentence in _of_page(page, ("page", index)):
            found.notes.say(place, sentence)
    for sentence in disagreements(found.lesson, found.files):
        found.notes.say(("digest",), sentence)
    return found.faults


def _of_page(opened: Opened, place: Place) -> Iterator[tuple[Place, str]]:
    page = opened.page
    if opened.fault:
        yield (*place, "task") if opened.stand else place, opened.fault
    if opened.stand is None:
        return
    for sentence in unfilled(page.text, opened.stand.asked):
        yield (*place, "text"), sentence
    if names := unlit(page, opened.stand.asked):
        yield (*place, "light"), f"At this step there is no {listed(names, quoted)}."
    if page.task is not None:
        yield from _of_task(page.task, opened, (*place, "task"))


def _of_task(task: Task, opened: Opened, place: Place) -> Iterator[tuple[Place, str]]:
    assert opened.stand is not None
    for key in ("ask", "hint", "answer"):
        for sentence in unfilled(getattr(task, key), opened.stand.asked):
            yield (*place, key), sentence
    if task.kind is TaskKind.STATE and not opened.fault:
        try:
            if not unmet(task.condition, opened.stand.shown, dict.fromkeys(EDITS, 0)):
                yield (*place, "condition"), "It is true from the start: there is nothing to do."
        except EngineError:
            return
        for sentence in _never(task, opened.stand.shown, opened.page.lock):
            yield (*place, "condition"), sentence
    if opened.asked is None:
        return
    sketch = opened.asked.sketch
    if sketch is not None and sketch.title and not sketch.plot and "figures" in opened.page.hide:
        yield (*place, "on"), f"The page hides the figures, and with them {quoted(sketch.title)}."
    for answer, _ in task.wrong:
        yield from _of_reply(answer, opened.asked, (*place, "wrong", answer))


def _never(task: Task, lanes: Sequence[Moment], locked: Collection[str]) -> Iterator[str]:
    """What a condition wants and the page does not let happen, or does not say."""
    for part, _ in unmet(task.condition, lanes, dict.fromkeys(EDITS, 0)):
        names = {node.id for node in ast.walk(ast.parse(part.text)) if isinstance(node, ast.Name)}
        rows = names & {*EDITS}
        if rows and "data" in locked:
            yield f"The page locks the data: {quoted(part.text)} never becomes true."
        if names == {"param"} and {"parameters", "method"} <= {*locked}:
            yield f"The page locks the parameters: {quoted(part.text)} never becomes true."
        if rows == {"added"} and (word := _MOVED.search(task.ask)):
            yield (
                f"The task says {quoted(word[0])}, and {quoted(part.text)} counts new rows only: a"
                " moved or changed row counts as changed."
            )


def _of_reply(answer: str, asked: Asked, place: Place) -> Iterator[tuple[Place, str]]:
    """A wrong answer must be one that can be given, and wrong."""
    if asked.sketch is not None and asked.sketch.is_curve:
        if not SHAPES.fullmatch(answer):
            yield place, f"{quoted(answer)} is no shape of a curve, such as “falls, then rises”."
        elif asked.task.within is None and answer in asked.right:
            yield place, f"{quoted(answer)} is the right shape, and stands among the wrong ones."
        return
    try:
        if asked.reply(answers_in(answer, len(asked.blanks))).right:
            yield place, f"{quoted(answer)} is a right answer, and stands among the wrong ones."
    except EngineError as sentence:
        yield place, str(sentence)
