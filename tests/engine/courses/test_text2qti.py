"""The text for text2qti, read by text2qti itself."""

import re
from html import unescape
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from text2qti.config import Config
from text2qti.markdown import Markdown
from text2qti.quiz import Group, GroupEnd, GroupStart, Question, Quiz

import engine
from engine.courses import Sheet, sheets, text2qti_text
from engine.courses.qti import markdown, number_answer
from engine.judge.questions.blanks import Blank
from tests.courses import HOSTILE, assignment, every, of_example


def quiz_of(found: list[Sheet]) -> Any:
    return Quiz(b"".join(text2qti_text(found)).decode(), config=Config())


def questions_of(quiz: Any) -> list[Any]:
    return [each for each in quiz.questions_and_delims if isinstance(each, Question)]


@pytest.mark.slow
@every
def test_every_algorithm_gives_questions_that_text2qti_reads(algorithm: Any) -> None:
    sheet = of_example(algorithm.key)
    found = questions_of(quiz_of([sheet]))
    assert len(found) == len([1 for each in sheet.exercises for _ in each.question.blanks or (0,)])
    assert all(each.feedback_raw for each in found)


def test_the_first_split_of_the_restaurant() -> None:
    """AIMA 18.3.4: Patrons has the largest gain; AIMA Fig 18.6: then five columns tie."""
    first, second = questions_of(quiz_of(sheets(assignment("decision_tree", questions=2))))
    assert first.type == "multiple_choice_question"
    assert [choice.choice_raw for choice in first.choices if choice.correct] == ["Patrons"]
    assert second.type == "multiple_answers_question"
    assert {c.choice_raw for c in second.choices if c.correct} == {
        "Hungry",
        "Price",
        "Res",
        "Type",
        "Est",
    }


def test_each_number_of_a_step_is_a_question() -> None:
    """MMDS Example 12.4 with η = ½."""
    found = questions_of(
        quiz_of(sheets(assignment("perceptron", engine.textbook("spam"), questions=1)))
    )
    assert [each.numerical_exact for each in found] == [0.5, 0.5, 0, 0.5, 0.5]
    assert found[0].numerical_min == pytest.approx(0.49) and found[
        0
    ].numerical_max == pytest.approx(0.51)


def test_of_several_sheets_one_question_of_each_group_is_drawn() -> None:
    quiz = quiz_of(
        sheets(
            assignment("perceptron", engine.generate("leaning_clouds", 12, seed=3), questions=2), 3
        )
    )
    groups = [each.group for each in quiz.questions_and_delims if isinstance(each, GroupStart)]
    assert all(
        isinstance(group, Group) and group.pick == 1 and len(group.questions) == 3
        for group in groups
    )
    assert (
        len(groups)
        == len([each for each in quiz.questions_and_delims if isinstance(each, GroupEnd)])
        >= 2
    )


def read(text: str) -> str:
    """The text that a person sees of a paragraph of Markdown."""
    quiz = Quiz(f"1.  a {text}\n=   5\n", config=Config())
    page = unescape(questions_of(quiz)[0].question_html_xml)  # HTML inside XML
    seen = unescape(re.sub(r"<[^>]+>", "", page))
    return seen.strip().removeprefix("a ").strip()


@given(
    st.text(
        st.characters(codec="utf-8", exclude_categories=("Cc", "Cf", "Zl", "Zp", "Co", "Cn")),
        min_size=1,
    )
)
def test_any_text_reads_as_it_is(text: str) -> None:
    wanted = " ".join(text.split())
    if wanted:
        assert read(markdown(text)) == wanted


@pytest.mark.parametrize(
    "text",
    [
        *HOSTILE[:5],
        "1. one",
        "- one",
        "= 5",
        "*a) x",
        "END_GROUP",
        "$x$",
        "![i](a.png)",
        "`a`",
        "a_b_c",
        "a  b",
    ],
)
def test_signs_of_the_format_stay_text(text: str) -> None:
    assert read(markdown(text)) == " ".join(text.split())
    Quiz(f"1.  {markdown(text)}\n*a) {markdown(text)}\nb)  other\n", config=Config())
    assert "li&gt;" not in Markdown(Config()).md_to_html_xml(markdown(text))


@given(st.floats(-1e6, 1e6), st.sampled_from([0.0, 1e-9, 1e-4, 0.01, 0.5, 300.0]))
def test_any_number_is_an_answer(value: float, within: float) -> None:
    """What is right in the lab is right there, up to the four decimals that text2qti writes."""
    shown = f"{value:.6f}"
    quiz = Quiz(f"1.  a\n{number_answer(Blank('□₁', '', value, shown, within))}", config=Config())
    (question,) = questions_of(quiz)
    if question.type == "numerical_question":
        assert question.numerical_min <= value + 1e-9 and value - 1e-9 <= question.numerical_max
        assert (
            question.numerical_min <= value - within + 2e-4
            and question.numerical_max >= value + within - 2e-4
        )
    else:
        assert shown in [choice.choice_raw for choice in question.choices]


@given(st.integers(-10_000, 10_000))
def test_counted_things_are_exact(value: int) -> None:
    (question,) = questions_of(
        Quiz(f"1.  a\n{number_answer(Blank('□₁', '', value, str(value), 0.0))}", config=Config())
    )
    if value:
        assert question.numerical_min == question.numerical_max == value
    else:
        assert [choice.choice_raw for choice in question.choices] == ["0"]
