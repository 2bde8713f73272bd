"""Which step is asked about next, and the answers of a whole run on paper."""

from collections.abc import Iterator
from bisect import bisect_right
from dataclasses import dataclass
from enum import Enum

from engine.core.step import Level
from engine.questions.judging import answer_text
from engine.questions.question import Kind, Question, questions
from engine.timeline.trace import Trace

FAR = 400  # steps that are looked through for a question of the wanted kind


class Every(Enum):
    """When to ask."""

    CHOICE = "choices"
    STEP = "steps"
    ROUND = "rounds"


@dataclass(frozen=True, slots=True)
class Ask:
    """What a person wants to be asked. unit: of the clock, in which steps are counted; only: questions of this kind"""

    every: Every = Every.CHOICE
    only: Kind | None = None
    unit: Level = Level.STEP

    @property
    def level(self) -> Level:
        return Level.ROUND if self.every is Every.ROUND else self.unit


def next_question(trace: Trace, cursor: int, ask: Ask) -> tuple[int, Question] | None:
    """(step, question) of the next recorded step after `cursor` that is to be asked about; None where there is none among the
    next so many. A run without decisions is asked about its steps."""
    plain = None
    for at in _ahead(trace, cursor, ask.level)[:FAR]:
        found = questions(trace.algorithm, trace.problem, trace[at])
        if ask.only is not None:
            wanted = next((question for question in found if question.kind is ask.only), None)
            if wanted is not None:
                return at, wanted
        elif ask.every is not Every.CHOICE or _decides(found[0]):
            return at, found[0]
        elif plain is None:
            plain = at, found[0]
    return plain


def _decides(question: Question) -> bool:
    return len(question.right) > 0 and any(candidate.worth for candidate in question.candidates)


def _ahead(trace: Trace, cursor: int, level: Level) -> list[int]:
    indices = trace.indices(level)
    return list(indices[bisect_right(indices, cursor) :])


def answer_key(trace: Trace, ask: Ask) -> Iterator[str]:
    """Every question of the recorded run with its answer, as lines for printing."""
    cursor, asked = -1, 0
    places = {at: number for number, at in enumerate(trace.indices(ask.level))}
    if ask.every is Every.CHOICE and not any(trace[at].choice for at in places):
        ask = Ask(Every.STEP, ask.only, ask.unit)
    while (found := next_question(trace, cursor, ask)) is not None:
        cursor, question = found
        if ask.every is Every.CHOICE and ask.only is None and not _decides(question):
            cursor = max(cursor, min(cursor + FAR, len(trace)))
            continue
        asked += 1
        yield f"{asked}. {ask.level.name.lower()} {places[cursor]:,}: {question.prompt}"
        yield from (f"   {row}" for row in question.text)
        if question.candidates and len(question.offered) == len(question.candidates):
            yield "   " + " | ".join(candidate.label for candidate in question.candidates)
        yield f"   Answer: {answer_text(question)}"
        yield f"   {question.step.note.text()}"
