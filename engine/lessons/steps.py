"""A page beside its run: the step that it shows, its text with that step’s values, what is lit."""

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from numbers import Real

import numpy as np

from engine.base.errors import EngineError
from engine.base.notation import counted, quoted, value_text
from engine.base.records import Record
from engine.base.tags import class_tag, column_tag, names_in, step_tag
from engine.files.openings import END
from engine.judge.conditions import NAMES, Moment, condition
from engine.lessons.lesson import Lesson, Page, Where
from engine.lessons.setting import Files, document
from engine.protocol.registry import algorithms
from engine.protocol.step import Level
from engine.runs.run import Run, pace_of
from engine.runs.trace import Trace

_PLACES = re.compile(r"\{\{|\}\}|\{([^{}]*)\}")
MOST_STEPS = 100_000  # of a run that a lesson opens


class Stand(Record):
    """Where a page stands.

    shown: each lane that the page shows, at the step it opens with
    asked: the same at the step that its text and task are about: one later with `before`
    then: the same once its task is done: `asked`, or where the page goes on to
    """

    shown: tuple[Moment, ...]
    asked: tuple[Moment, ...]
    then: tuple[Moment, ...]

    @property
    def ends(self) -> tuple[Moment, ...]:
        """Each lane at the last step that is recorded."""
        return tuple(Moment(each.trace, len(each.trace) - 1) for each in self.asked)


# -- runs ------------------------------------------------------------------------------------------


def run_lanes(
    lesson: Lesson,
    page: int,
    files: Files,
    known: dict[int, Trace] | None = None,
    stop: Callable[[], bool] = lambda: False,
) -> tuple[Trace, ...]:
    """The runs of the lanes that page `page`, from 0, shows, to their ends; raises EngineError.

    known: runs of other pages by the number of the lane; new ones are added
    stop: asked now and then; once true, the runs stay as long as they are
    """
    made = {} if known is None else known
    opened = document(lesson, page, files)
    numbers = [k for k in lesson.shown(page) if lesson.lanes[k].method in algorithms()]
    for place, k in enumerate(numbers):
        if k in made:
            continue
        lane = opened.lanes[place]
        problem = opened.of_lane(place).problem()
        run = Run(
            lane.algorithm, problem, lane.params, lane.seed, pace_of(lesson.view.unit, problem.n)
        )
        run.advance(stop=stop, max_steps=MOST_STEPS)
        made[k] = run.trace
    return tuple(made[k] for k in numbers)


def stand(page: Page, traces: Sequence[Trace], unit: Level) -> Stand:
    """Where a page stands in the runs of its lanes; raises EngineError where there is no such
    step.

    The first lane decides. The others stand at the same number of the unit, or at their end.
    """
    first = traces[0]
    step = step_of(page.where, first, unit)
    before = max(0, step - 1) if page.where.before else step
    asked = _beside(traces, step, page.where, unit)
    then = asked
    if page.then is not None:
        then = _beside(traces, step_of(page.then, first, unit), page.then, unit)
    return Stand(_beside(traces, before, page.where, unit), asked, then)


def _beside(traces: Sequence[Trace], step: int, where: Where, unit: Level) -> tuple[Moment, ...]:
    number = bisect_right(traces[0].indices(unit), step) - 1
    found = [Moment(traces[0], step)]
    for trace in traces[1:]:
        places = trace.indices(unit)
        at_end = (where.is_end and not where.before) or number >= len(places)
        found.append(Moment(trace, len(trace) - 1 if at_end else int(places[max(0, number)])))
    return tuple(found)


def step_of(where: Where, trace: Trace, unit: Level) -> int:
    """The number of a step in the recorded run; raises EngineError where it is not (yet) there."""
    if not len(trace):
        raise EngineError("The run has no step.")
    if where.event:
        places = trace.when(where.event)
        if where.number > len(places):
            raise EngineError(
                f"The run has the event {quoted(where.event)} {counted(len(places), 'time')} only."
            )
        return int(places[where.number - 1])
    if where.line:
        place = trace.named(step_tag(where.line, where.number - 1))
        if place is None:
            raise EngineError(f"The run does not come to line {quoted(where.line)} so often.")
        return place
    if where.step == END:
        return len(trace) - 1
    places = trace.indices(unit)
    if where.step >= len(places):
        raise EngineError(f"The run has {counted(len(places) - 1, unit.name.lower())} only.")
    return int(places[where.step])


# -- text ------------------------------------------------------------------------------------------


def filled(text: str, lanes: Sequence[Moment]) -> str:
    """`text` with its values: '{score}' an operand of the step, '{wrong()}' an expression.

    What has no value here stays as it is written; `unfilled` says why.
    """
    return _PLACES.sub(lambda place: _value(place, lanes), text)


def unfilled(text: str, lanes: Sequence[Moment]) -> list[str]:
    """A sentence for each place of `text` that has no value at this step."""
    found = []
    for place in _PLACES.finditer(text):
        if place[1] is not None:
            try:
                value_at(place[1], lanes)
            except EngineError as sentence:
                found.append(str(sentence))
    return found


def _value(place: re.Match[str], lanes: Sequence[Moment]) -> str:
    if place[1] is None:
        return place[0][0]
    try:
        return value_at(place[1], lanes)
    except EngineError:
        return place[0]


def value_at(name: str, lanes: Sequence[Moment]) -> str:
    """An operand of the first lane's step, else an expression, as text; raises EngineError."""
    first = lanes[0]
    operands = first.trace[first.cursor].note.operands
    if name in operands:
        return str(operands[name].text())
    operand = name.isidentifier() and name not in NAMES
    found = condition(f'operand("{name}")' if operand else name).value(lanes)
    if not isinstance(found, (str, tuple, np.ndarray, Real)):
        raise EngineError(f"{quoted(name)} is nothing that can be written.")
    try:
        return value_text(found)
    except (TypeError, ValueError):
        raise EngineError(f"{quoted(name)} is nothing that can be written.") from None


# -- what is lit -----------------------------------------------------------------------------------


def lit(page: Page, lanes: Sequence[Moment]) -> frozenset[str]:
    """The tags of what a page lights; names that nothing has are left out, see `unlit`."""
    return frozenset(tag for name in page.light for tag in _tags(name, lanes[0]))


def unlit(page: Page, lanes: Sequence[Moment]) -> list[str]:
    """The names of a page's `light` that nothing has at this step."""
    return [name for name in page.light if not _tags(name, lanes[0])]


def _tags(name: str, lane: Moment) -> tuple[str, ...]:
    """The tags of an operand in braces, a row, a column or a class."""
    problem = lane.trace.problem
    if name.startswith("{"):
        operand = lane.trace[lane.cursor].note.operands.get(name.strip("{}"))
        return names_in(operand.about) if operand is not None else ()
    if name in problem.names:
        return names_in(problem.row_tags[problem.names.index(name)])
    for feature in problem.features:
        if name in (feature.name, feature.title):
            return (column_tag(feature.name),)
    classes = [problem.class_text(code) for code in range(len(problem.classes))]
    return (class_tag(classes.index(name)),) if name in classes else ()
