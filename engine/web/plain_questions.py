"""Questions of the Predict panel as plain values that a page can judge by itself."""

from typing import Any

from engine.base.errors import EngineError
from engine.base.notation import counted
from engine.judge.questions import Kind, Question, judge
from engine.judge.questions.judging import explained, given_up
from engine.web.markup import escaped
from engine.web.mathml import line

BLANK = '<input class="blank" inputmode="text" autocomplete="off" aria-label="{about}"/>'


def plain(question: Question) -> dict[str, Any]:
    """A question with all that a page needs to judge answers.

    kind, prompt, context: as in the question
    rows: formulas with inputs in the order of the blanks
    blanks: [right number, tolerance, text as it is written]
    options: [label, whether it is right, sentence, lines of reasons]
    shown: [sentence, lines] of the answer when the person gives up
    """
    verdict = given_up(question)
    made: dict[str, Any] = {
        "kind": question.kind.value,
        "prompt": question.prompt,
        "context": question.context,
        "shown": [verdict.said, list(verdict.why)],
    }
    if question.kind is Kind.NUMBER:
        made["rows"] = [_with_inputs(row, question) for row in question.text]
        made["blanks"] = [
            [blank.value, blank.within, blank.shown, blank.mark] for blank in question.blanks
        ]
        made["hint"] = "; ".join(dict.fromkeys(blank.tolerance for blank in question.blanks))
        made["why"] = list(explained(question))
        return made
    made["options"] = [_option(question, k) for k in question.options]
    left_out = len(question.candidates) - len(question.options)
    made["hint"] = f"{counted(left_out, 'other candidate')} not listed." if left_out > 0 else ""
    return made


def _option(question: Question, k: int) -> list[Any]:
    try:
        verdict = judge(question, k)
    except EngineError as sentence:
        return [question.candidates[k].label, False, str(sentence), []]
    return [question.candidates[k].label, verdict.right, verdict.said, list(verdict.why)]


def _with_inputs(row: str, question: Question) -> str:
    """A formula or sentence with an input in place of each of its blanks."""
    sentence = not any(mark in row for mark in "=←")
    made = ""
    rest = row
    for blank in question.blanks:
        before, mark, after = rest.partition(blank.mark)
        if not mark:
            continue
        about = f"{blank.about} {blank.mark[1:]}".strip() or blank.mark
        made += (
            escaped(before) if sentence else line(before) if before.strip() else ""
        ) + BLANK.format(about=escaped(about))
        rest = after
    return made + (escaped(rest) if sentence or not rest.strip() else line(rest))
