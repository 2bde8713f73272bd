"""Wrong answers that people give to a task, computed from its step, each with a reply."""

import re

import numpy as np

from engine.base.errors import EngineError
from engine.base.notation import number, value_text
from engine.judge.conditions import Moment
from engine.judge.questions.blanks import last_place, names_of, numbers_of
from engine.judge.questions.question import Candidate
from engine.lessons.tasks import Asked, answers_in, asked
from engine.protocol.step import Choice, Formula, Note

_SUM = re.compile(r"^\{(\w+)\} ?([+−])")
REPLIES = {"+": "Add, not subtract.", "−": "Subtract, not add."}
BEFORE = "That was the step before."


def likely_slip(task: Asked, lane: Moment) -> tuple[str, str] | None:
    """(answer, reply) of the likeliest wrong answer to a task at its step; None without one.

    Of numbers it is the sum with the wrong sign; of candidates the one with the next best score;
    of rows, columns and lines the one that the step before was about.
    """
    found = _of_numbers(task, lane) if task.blanks else _of_candidates(task, lane)
    if found is None or _is_right(task, found[0]):
        return None
    return found


def _is_right(task: Asked, answer: str) -> bool:
    try:
        return task.reply(answers_in(answer, len(task.blanks))).right
    except EngineError:
        return True  # it cannot be given, so it is no answer


# -- numbers ---------------------------------------------------------------------------------------


def _of_numbers(task: Asked, lane: Moment) -> tuple[str, str] | None:
    """What comes out where a formula is added instead of subtracted, or the other way round."""
    note = lane.trace[lane.cursor].note
    texts, reply, place = [blank.shown for blank in task.blanks], "", 0
    known: set[str] = set()  # of a result in two formulas there is one blank
    for formula in note.formulas:
        names = [name for name in names_of(formula.result) if name not in known]
        known.update(names)
        count = sum(len(numbers_of(note.operands[name])) for name in names)
        if len(names) == 1 and place + count <= len(texts) and (turned := _turned(note, formula)):
            values, sign = turned
            places = task.blanks[place : place + count]
            digits = max(_digits(blank.shown) for blank in places)
            texts[place : place + count] = [value_text(value, digits) for value in values]
            reply = reply or REPLIES[sign]
        place += count
    if not reply:
        return None
    joint = "; " if any("," in text for text in texts) else ", "
    return (f"({joint.join(texts)})" if len(texts) > 1 else texts[0]), reply


def _turned(note: Note, formula: Formula) -> tuple[list[float], str] | None:
    """The results of a sum with its sign turned, and the sign that is right; None for no sum."""
    sums = _SUM.match(formula.body)
    if sums is None:
        return None
    first = [value for value, _ in numbers_of(note.operands[sums[1]])]
    result = [value for value, _ in numbers_of(note.operands[names_of(formula.result)[0]])]
    if not first or len(first) != len(result) or np.allclose(first, result):
        return None
    return [2 * one - other for one, other in zip(first, result, strict=True)], sums[2]


def _digits(shown: str) -> int:
    """The decimals of a number as it is written."""
    return max(0, round(-np.log10(last_place(shown)))) if "·" not in shown else 2


# -- candidates ------------------------------------------------------------------------------------


def _of_candidates(task: Asked, lane: Moment) -> tuple[str, str] | None:
    question = task.question
    if question is None or not task.right:
        return None
    others = [each for each in question.candidates if each.label not in task.right]
    if not others:
        return None
    if scored := _next_best(others, question.step.choice):
        return scored.label, _compared(scored.label, task.right[0], question.step.choice)
    if lane.cursor:
        try:
            before = asked(task.task, [Moment(lane.trace, lane.cursor - 1)])
        except EngineError:
            before = None
        if before is not None and before.right and before.right[0] not in task.right:
            return before.right[0], BEFORE
    return (others[0].label, "") if len(others) == 1 else None


def _compared(wrong: str, right: str, choice: Choice | None) -> str:
    """'A has 1, B has 4 (votes).'; '' where rounding makes both the same."""
    assert choice is not None
    scores = {each.label: number(each.score, choice.digits) for each in choice.options}
    if right not in scores or scores[wrong] == scores[right]:
        return ""
    unit = f" ({choice.unit})" if choice.unit else ""
    return f"{wrong} has {scores[wrong]}, {right} has {scores[right]}{unit}."


def _next_best(others: list[Candidate], choice: Choice | None) -> Candidate | None:
    """The wrong candidate with the best score; None where nothing is compared."""
    if choice is None:
        return None
    scores = {each.label: each.score for each in choice.options}
    scored = [each for each in others if np.isfinite(scores.get(each.label, np.nan))]
    way = 1 if choice.smallest else -1
    return min(scored, key=lambda each: scores[each.label] * way, default=None)
