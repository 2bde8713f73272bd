"""A question before each step: made from its choice or its note, judged with its own numbers.

No algorithm knows of it.
"""

from engine.questions.asking import Ask, Every, answer_key, asked_of, next_question
from engine.questions.blanks import Blank
from engine.questions.covering import covered
from engine.questions.judging import Verdict, judge
from engine.questions.question import Candidate, Kind, Question, questions
from engine.questions.tally import Tally

__all__ = [
    "Ask", "Blank", "Candidate", "Every", "Kind", "Question", "Tally", "Verdict", "answer_key",
    "asked_of", "covered", "judge", "next_question",
    "questions",
]  # fmt: skip
