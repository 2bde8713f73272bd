"""What a task asks at its step, its right answer as the run gives it, the reply to an answer."""

from collections.abc import Mapping, Sequence
from numbers import Real

import numpy as np

from engine.base.errors import EngineError
from engine.base.notation import counted, figure_digits, listed, plural, quoted, value_text
from engine.base.records import Record, replace
from engine.base.spelling import place_of
from engine.judge.conditions import NO_EDITS, Moment, condition
from engine.judge.questions.blanks import Blank, read, within
from engine.judge.questions.question import Kind, Question, question_of
from engine.lessons.conditions import not_yet
from engine.lessons.drawings import begins, judged, near
from engine.lessons.leaves import of_leaves
from engine.lessons.lesson import Task, TaskKind, View
from engine.lessons.sketches import Sketch, sketch_of
from engine.lessons.steps import filled
from engine.protocol.step import Operand

KINDS = {
    TaskKind.POINT: Kind.POINT,
    TaskKind.COLUMN: Kind.COLUMN,
    TaskKind.SIDE: Kind.SIDE,
    TaskKind.CELL: Kind.CELL,
    TaskKind.BAR: Kind.BAR,
    TaskKind.LINE: Kind.LINE,
    TaskKind.STEP: Kind.NUMBER,
}

SKETCHED = (TaskKind.PLACE, TaskKind.CURVE)
CLOSE = 0.005  # of a wrong number that the lesson replies to, absolute and relative
MOST_LISTED = 12  # candidates that are all listed; of more only those that are likely


class Reply(Record, eq=True):
    """The judgement of an answer.

    says: the lesson's reply to this wrong answer, '' without one
    parts: whether each number is right
    measure: of a drawing, how far it is from the right one
    kept: the answer as a hand-in keeps it, "" as it was given
    """

    right: bool
    says: str = ""
    parts: tuple[bool, ...] = ()
    measure: str = ""
    kept: str = ""


class Asked(Record):
    """A task at its step.

    prompt, hint, answer: the sentences, with the values of the step
    choices: the answers to choose from, () where something is typed or done
    right: the right ones among them, or the numbers as the step writes them
    blanks: the numbers to type
    question: what the window asks in Predict, with the tags of its candidates; or None
    sketch: what is to be drawn, or None
    """

    task: Task
    prompt: str
    choices: tuple[str, ...] = ()
    right: tuple[str, ...] = ()
    blanks: tuple[Blank, ...] = ()
    question: Question | None = None
    sketch: Sketch | None = None
    hint: str = ""
    answer: str = ""

    def reply(self, given: Sequence[str]) -> Reply:
        """The judgement of an answer: the label of a choice, a text for each blank, or a drawing
        as `sketches` writes it.

        Of a TEXT every answer counts as right. Raises EngineError for what is no answer: an empty
        blank, no number, a choice that is not there; a STATE is judged by `state_reply`.
        """
        if self.blanks:
            return self._of_numbers(given)
        if self.task.kind is TaskKind.TEXT:
            if not "".join(given).strip():
                raise EngineError("Write a sentence first.")
            return Reply(True)
        if len(given) != 1:
            raise EngineError("Choose one answer.")
        if self.sketch is not None:
            return self._of_drawing(self.sketch, given[0])
        place = place_of(given[0], self.choices)
        if place is None:
            raise EngineError(f"{quoted(given[0])} is none of {listed(self.choices)}.")
        answer = self.choices[place]
        right = answer in self.right
        return Reply(right, "" if right else self._says((answer,)))

    def _of_drawing(self, sketch: Sketch, text: str) -> Reply:
        """The lesson replies to a known wrong place, or to the shape of a wrong curve."""
        found = judged(sketch, text)
        says = ""
        if not found.right:
            known = dict(self.task.wrong)
            answers = [
                answer
                for answer in known
                if (begins(found.key, answer) if sketch.is_curve else near(sketch, text, answer))
            ]
            says = known[max(answers, key=len)] if answers else ""
        return Reply(found.right, says, (), found.measure, found.kept)

    def _of_numbers(self, given: Sequence[str]) -> Reply:
        if len(given) != len(self.blanks) or not all(text.strip() for text in given):
            count = len(self.blanks)
            raise EngineError(f"Type {counted(count, 'number')}, one in each {plural(1, 'blank')}.")
        parts = tuple(blank.takes(text) for blank, text in zip(self.blanks, given, strict=True))
        right = all(parts)
        return Reply(right, "" if right else self._says(tuple(given)), parts)

    def _says(self, given: tuple[str, ...]) -> str:
        """The reply to a wrong answer; numbers are compared as numbers."""
        for answer, reply in self.task.wrong:
            texts = answers_in(answer, len(self.blanks))
            if texts == given or (self.blanks and _same_numbers(texts, given)):
                return reply
        known = [answer for answer, _ in self.task.wrong]
        place = None if self.blanks else place_of(given[0], known)
        return "" if place is None else self.task.wrong[place][1]


def answers_in(answer: str, blanks: int) -> tuple[str, ...]:
    """A written answer as texts, one for each blank: '(−0.19, 1.82)' for two."""
    if blanks < 2:
        return (answer,)
    return tuple(part.strip() for part in answer.strip("() ").split(";" if ";" in answer else ","))


def likely(asked: Asked) -> tuple[str, ...]:
    """The choices; of many those that are right, that people take, and that Predict lists."""
    if len(asked.choices) <= MOST_LISTED or asked.question is None:
        return asked.choices
    labels = [candidate.label for candidate in asked.question.candidates]
    wanted = {
        *asked.right,
        *(answer for answer, _ in asked.task.wrong),
        *(labels[k] for k in asked.question.options),
    }
    return tuple(label for label in asked.choices if label in wanted)


def _same_numbers(texts: Sequence[str], given: Sequence[str]) -> bool:
    if len(texts) != len(given):
        return False
    try:
        return all(
            abs(read(one) - read(other)) <= CLOSE + CLOSE * abs(read(other))
            for one, other in zip(texts, given, strict=True)
        )
    except EngineError:
        return False


def asked(task: Task, lanes: Sequence[Moment], view: View = View()) -> Asked:
    """The task at the step of the first lane; raises EngineError where it cannot be asked there."""
    found = _asked(task, lanes, view)
    prompt, hint, answer = (filled(text, lanes) for text in (found.prompt, task.hint, task.answer))
    return replace(found, prompt=prompt, hint=hint, answer=answer)


def _asked(task: Task, lanes: Sequence[Moment], view: View) -> Asked:
    if task.kind in KINDS:
        return _of_the_step(task, lanes[0])
    if task.kind in SKETCHED:
        sketch = sketch_of(task, lanes, view)
        return Asked(task, task.ask, right=sketch.right, sketch=sketch)
    if task.kind is TaskKind.NUMBER:
        blanks = tuple(_blank(task, each, lanes, k) for k, each in enumerate(task.right))
        return Asked(task, task.ask, (), tuple(each.shown for each in blanks), blanks)
    if task.kind is TaskKind.CHOICE:
        right = tuple(str(each) for each in task.right)
        if not right or any(each not in task.choices for each in right):
            raise EngineError("The right answer is none of the choices.")
        return Asked(task, task.ask, task.choices, right)
    if task.kind is TaskKind.STATE:
        condition(task.condition)
    return Asked(task, task.ask)


def _of_the_step(task: Task, lane: Moment) -> Asked:
    """A question that the step itself answers; the lesson may say which answers count as right."""
    trace = lane.trace
    kind = KINDS[task.kind]
    found = question_of(kind, trace.algorithm, trace.problem, trace[lane.cursor])
    if found is None and task.kind is TaskKind.CELL and task.right:
        found = of_leaves(lane, task.ask)
        if found is not None and not task.ask:
            raise EngineError("A task about the leaves needs a sentence, ask = “…”.")
    if found is None:
        raise EngineError(f"This step has no question about {kind.value}.")
    prompt = task.ask or found.prompt
    if found.blanks:
        right = tuple(blank.shown for blank in found.blanks)
        return Asked(task, prompt, (), right, found.blanks, found)
    labels = tuple(candidate.label for candidate in found.candidates)
    right = tuple(labels[k] for k in found.right)
    if task.right:
        places = [place_of(each, labels) for each in task.right]
        if None in places:
            raise EngineError(f"{listed(task.right, quoted)} is none of {listed(labels)}.")
        right = tuple(labels[k] for k in places if k is not None)
    return Asked(task, prompt, labels, right, (), found)


def _blank(task: Task, right: str | float, lanes: Sequence[Moment], index: int) -> Blank:
    """A number to type: given, or the value of an expression at this step."""
    found = condition(right).value(lanes) if isinstance(right, str) else right
    if isinstance(found, (bool, np.bool_)) or not isinstance(found, Real):
        raise EngineError(f"{quoted(right)} is no number here.")
    value = float(found)
    if not np.isfinite(value):
        raise EngineError(f"{quoted(right)} is no finite number here.")
    shown = value_text(value, figure_digits(abs(value)))
    near = within(Operand(found if isinstance(right, str) else value), value, shown)
    if task.within is not None:
        near = task.within
    return Blank("□", "", value, shown, near)


def state_reply(task: Task, lanes: Sequence[Moment], edits: Mapping[str, int] = NO_EDITS) -> Reply:
    """Whether the state of the lab fulfils a STATE, and what is still missing."""
    missing = not_yet(task.condition, lanes, edits, dict(task.not_yet))
    return Reply(not missing, " ".join(missing))
