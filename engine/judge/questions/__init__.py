"""Questions before each step, made from its choice or note and judged with its own numbers.

Algorithms need no support for them.
"""

from engine.judge.questions.asking import Ask, Every, answer_key, next_question, questions_at
from engine.judge.questions.blanks import Blank
from engine.judge.questions.covering import covered
from engine.judge.questions.judging import Verdict, judge
from engine.judge.questions.question import Candidate, Kind, Question, questions
from engine.judge.questions.tally import Tally

__all__ = [
    "Ask",
    "Blank",
    "Candidate",
    "Every",
    "Kind",
    "Question",
    "Tally",
    "Verdict",
    "answer_key",
    "covered",
    "judge",
    "next_question",
    "questions",
    "questions_at",
]  # fmt: skip
