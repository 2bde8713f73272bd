"""Judges an answer and explains it with the numbers of the step."""

from collections.abc import Sequence

from engine.base.errors import EngineError
from engine.base.notation import counted, listed
from engine.base.records import Record
from engine.judge.questions.question import Kind, Question


class Verdict(Record, eq=True):
    """The judgement of an answer.

    right: whether all of it is right
    said: one sentence
    why: further lines with the numbers of the step
    parts: whether each blank is right
    """

    right: bool
    said: str
    why: tuple[str, ...] = ()
    parts: tuple[bool, ...] = ()


def judge(question: Question, answer: int | Sequence[str]) -> Verdict:
    """Judge an answer: the index of a candidate, or the texts typed into the blanks.

    Raises EngineError if it does not fit the question.
    """
    if question.kind is Kind.NUMBER:
        if isinstance(answer, int):
            raise EngineError(f"This question asks for {counted(len(question.blanks), 'number')}.")
        return _of_numbers(question, answer)
    if not isinstance(answer, int) or not 0 <= answer < len(question.candidates):
        raise EngineError(f"Choose one of {counted(len(question.candidates), 'candidate')}.")
    return _of_candidate(question, answer)


def _of_candidate(question: Question, answer: int) -> Verdict:
    chosen = question.candidates[answer]
    right = [question.candidates[k] for k in question.right]
    others = [candidate.label for candidate in right if candidate is not chosen]
    if chosen.right:
        tie = f"; as good: {listed(others)}" if others else ""
        said = f"Right: {chosen.label}{tie}."
    else:
        best = (
            f"it is {listed(others)}" if len(others) == 1 else f"any of {listed(others)} is right"
        )
        said = f"Not {chosen.label}: {best}." if others else f"Not {chosen.label}."
    return Verdict(chosen.right, said, _compared(question, answer))


def _compared(question: Question, answer: int | None) -> tuple[str, ...]:
    """What the decision compared, for the right candidates and the answer, and how it broke a tie.

    The last line is the step's note.
    """
    compared = [
        k for k, c in enumerate(question.candidates) if c.worth and (c.right or k == answer)
    ]
    others = [k for k in question.options if k not in compared and question.candidates[k].worth]
    shown = [
        question.candidates[k] for k in sorted((*compared, *others[: max(0, 4 - len(compared))]))
    ][:6]
    rows = [f"{c.label}: {c.worth}" for c in shown]
    rule = [f"A tie, {question.rule}."] if question.rule else []
    return (*rows, *rule, question.step.note.text())


def _of_numbers(question: Question, typed: Sequence[str]) -> Verdict:
    if len(typed) != len(question.blanks):
        raise EngineError(f"This question asks for {counted(len(question.blanks), 'number')}.")
    parts = tuple(blank.takes(text) for blank, text in zip(question.blanks, typed, strict=True))
    wrong = [
        (blank, text.strip())
        for blank, text, right in zip(question.blanks, typed, parts, strict=True)
        if not right
    ]
    corrected = ", ".join(
        f"{blank.mark} is {blank.shown}" + (f", not {text}" if text else "")
        for blank, text in wrong
    )
    said = "Right." if not wrong else f"Not quite: {corrected}."
    return Verdict(not wrong, said, explained(question), parts)


def explained(question: Question) -> tuple[str, ...]:
    """The lines of the step's note."""
    return tuple(question.step.note.lines())


def answer_text(question: Question) -> str:
    """The right answer in one line: all right candidates, or each blank."""
    if question.kind is Kind.NUMBER:
        return ", ".join(
            f"{blank.mark} = {blank.shown} ({blank.tolerance})" for blank in question.blanks
        )
    return " or ".join(question.candidates[k].label for k in question.right)


def given_up(question: Question) -> Verdict:
    """The verdict that shows the answer to a person who gives up."""
    why = explained(question) if question.kind is Kind.NUMBER else _compared(question, None)
    return Verdict(
        False, f"The answer: {answer_text(question)}.", why, (False,) * len(question.blanks)
    )
