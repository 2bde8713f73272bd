"""Selects the steps to ask about, and prints the questions and answers of a whole run."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from enum import Enum

from engine.base.records import Record
from engine.judge.questions.judging import answer_text
from engine.judge.questions.question import Kind, Question, may_choose, question_of, questions
from engine.protocol.step import Level
from engine.runs.trace import Trace

# steps searched for a question: each needs its words, which would add up over a long run
FAR = 150


class Every(Enum):
    """Which steps get a question: those that decide, or all of them."""

    CHOICE = "choices"
    STEP = "steps"
    ROUND = "rounds"


class Ask(Record, eq=True):
    """The questions that a person wants.

    every: which steps
    only: the one kind of questions to ask, or None for all
    unit: the level of the clock, which counts the steps
    """

    every: Every = Every.CHOICE
    only: Kind | None = None
    unit: Level = Level.STEP

    @property
    def level(self) -> Level:
        return Level.ROUND if self.every is Every.ROUND else self.unit


def next_question(trace: Trace, cursor: int, ask: Ask) -> tuple[int, Question] | None:
    """(step, question) of the next recorded step after `cursor` to ask about.

    None if there is none within FAR steps. Where no step near `cursor` decides anything, there is a
    question about every step.
    """
    indices = trace.indices(ask.level)
    here = bisect_right(indices, cursor)
    ahead = indices[here : here + FAR]
    if ask.only is not None:
        found = (
            (at, question_of(ask.only, trace.algorithm, trace.problem, trace[at])) for at in ahead
        )
        return next(((at, question) for at, question in found if question is not None), None)
    if ask.every is Every.CHOICE:
        chosen = next((at for at in ahead if _decides(trace, at)), None)
        if chosen is None and any(_decides(trace, at) for at in indices[max(0, here - FAR) : here]):
            return None
        ahead = ahead if chosen is None else [chosen]
    return next(
        ((at, questions(trace.algorithm, trace.problem, trace[at])[0]) for at in ahead), None
    )


def questions_at(trace: Trace, places: Sequence[int]) -> dict[int, Question]:
    """The questions about these steps by step number: those that decide, or all if none does."""
    deciding = [at for at in places if _decides(trace, at)]
    return {
        at: questions(trace.algorithm, trace.problem, trace[at])[0] for at in deciding or places
    }


def _decides(trace: Trace, at: int) -> bool:
    step = trace[at]
    return (
        may_choose(trace.algorithm, step.line)
        and step.choice is not None
        and len(step.choice.options) > 1
    )


def answer_key(trace: Trace, ask: Ask) -> Iterator[str]:
    """All questions of the recorded run with their answers, as lines for printing."""
    places = {at: number for number, at in enumerate(trace.indices(ask.level))}
    cursor = -1
    number = 0
    while (found := next_question(trace, cursor, ask)) is not None:
        cursor, question = found
        number = number + 1
        yield f"{number}. {ask.level.name.lower()} {places[cursor]:,}: {question.prompt}"
        yield from (f"   {row}" for row in question.text)
        if len(question.options) == len(question.candidates) > 0:
            yield "   " + " | ".join(candidate.label for candidate in question.candidates)
        yield f"   Answer: {answer_text(question)}"
        yield f"   {question.step.note.text()}"
