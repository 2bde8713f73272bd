"""Sheets for a course: the same kinds of questions in the same order, about other data of the same
kind.
"""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine.base.errors import EngineError
from engine.courses import Sheet, Stopped, sheets
from engine.courses.sheets import MOST_SHEETS, data_of_the_same_kind, of_one_kind
from engine.judge.questions import Ask, Every, Kind, judge
from engine.sources.real import real
from tests.courses import assignment, every, of_example


def table(name: str) -> Any:
    return engine.textbook(name) if name in engine.TEXTBOOK else engine.generate(name, 24, seed=1)


def source(name: str) -> Any:
    return engine.textbook(name) if name in engine.TEXTBOOK else real(name)


def suited(algorithm: Any, name: str) -> Any:
    """Two questions about a run on a set, None where the method does not take it."""
    data = engine.generate(name, 16, seed=1) if name in engine.GENERATORS else source(name)
    wanted = assignment(algorithm.key, data, questions=2, max_steps=60)
    try:
        return wanted if sheets(wanted)[0].exercises else None
    except EngineError:
        return None


def pattern(sheet: Sheet) -> list[Any]:
    return [each.pattern for each in sheet.exercises]


@pytest.mark.parametrize(
    ("key", "name"), [("perceptron", "spam"), ("decision_tree", "restaurant"), ("kmeans", "blobs")]
)
def test_thirty_sheets_have_the_same_questions_about_other_data(key: str, name: str) -> None:
    found = sheets(assignment(key, table(name), questions=3), 30)
    assert [sheet.number for sheet in found] == list(range(1, 31)) and {
        sheet.of for sheet in found
    } == {30}
    assert all(pattern(sheet) == pattern(found[0]) and len(pattern(sheet)) == 3 for sheet in found)
    assert len({sheet.content for sheet in found}) == 30
    again = sheets(assignment(key, table(name), questions=3), 30)
    assert [sheet.content for sheet in again] == [sheet.content for sheet in found]


def test_questions_of_one_kind_where_other_data_ask_in_another_order() -> None:
    """The fourth question about the restaurant is about an empty branch, the others are splits."""
    wanted = assignment("decision_tree", table("restaurant"), questions=4)
    (alone,) = sheets(wanted)
    assert [each.question.kind for each in alone.exercises] == [*[Kind.COLUMN] * 3, Kind.SIDE]
    alike = of_one_kind(wanted, alone)
    assert alike is not None
    assert [each.question.kind for each in alike.exercises] == [Kind.COLUMN] * 4
    places = [each.place for each in alone.exercises]
    assert [each.place for each in alike.exercises][:3] == places[:3]
    assert of_one_kind(wanted, alike) is None


SETS = (
    "spam",
    "six_points",
    "restaurant",
    "iris",
    "blobs",
    "sine",
    "boolean_rule",
    "uv_matrix",
    "pundits",
    "houses",
    "people",
    "mit_bayes",
)


@pytest.mark.slow
@pytest.mark.usefixtures("few_digits")
@every
def test_every_algorithm_gives_two_sheets_or_says_that_there_is_one(algorithm: Any) -> None:
    wanted = next(found for name in SETS if (found := suited(algorithm, name)) is not None)
    try:
        first, second = sheets(wanted, 2)
    except EngineError as sentence:
        assert str(sentence).startswith("No second sheet can be made")
    else:
        assert first.content != second.content
        assert [each.question.kind for each in first.exercises] == [
            each.question.kind for each in second.exercises
        ]


def test_the_first_sheet_is_the_run_itself() -> None:
    wanted = assignment("perceptron", table("spam"), questions=3)
    assert sheets(wanted, 3)[0].content == sheets(wanted)[0].content
    assert (sheets(wanted)[0].problem.X == engine.prepare(table("spam")).X).all()


@pytest.mark.slow
@every
def test_the_answers_of_each_algorithm_are_right_by_its_own_judge(algorithm: Any) -> None:
    for each in of_example(algorithm.key).exercises:
        question = each.question
        if question.kind is Kind.NUMBER:
            assert judge(question, [blank.shown for blank in question.blanks]).right, each.name
        else:
            assert len(set(each.labels)) == len(each.labels) == len(question.options) and any(
                each.right
            )
            for place, right in zip(question.options, each.right, strict=True):
                assert judge(question, place).right == right
        assert each.answer and each.working and each.prompt


@settings(max_examples=20)
@given(st.integers(1, 500), st.sampled_from(["spam", "restaurant", "blobs", "houses"]))
def test_data_of_the_same_kind(attempt: int, name: str) -> None:
    """The columns, the names of the rows and, of a table that no generator drew, the class of each
    row stay.
    """
    data = table(name)
    other = data_of_the_same_kind(data, attempt)
    assert [(c.feature, c.role) for c in other.columns] == [
        (c.feature, c.role) for c in data.columns
    ]
    assert list(other.row_names()) == list(data.row_names())
    if data.origin is None and data.target is not None:
        assert np.array_equal(other.target.values, data.target.values)  # type: ignore[union-attr]
    for column in other.columns:
        known = data[column.name].values
        assert data.origin is not None or np.isin(column.values, known).all()


def test_points_that_were_moved_by_hand_are_drawn_from_the_table() -> None:
    data = engine.generate("blobs", 40, seed=1)
    moved = data.with_values(data.columns[0].name, [0], [77.0])
    drawn = [data_of_the_same_kind(moved, attempt).columns[0].values for attempt in range(1, 9)]
    assert any(77.0 in values for values in drawn)


@pytest.mark.parametrize(
    ("wanted", "variants", "said"),
    [
        (assignment("perceptron", table("spam"), first=900), 1, "the run has the steps 0 to"),
        (
            assignment("perceptron", table("spam"), ask=Ask(only=Kind.CELL)),
            1,
            "has no question of this kind",
        ),
        (assignment("vc_bounds", table("blobs"), questions=2), 3, "No second sheet can be made"),
        (assignment("perceptron", table("spam")), 0, "1 to 500 sheets"),
        (assignment("perceptron", table("spam")), MOST_SHEETS + 1, "1 to 500 sheets"),
        (assignment("perceptron", table("spam"), questions=0), 1, "1 to 200 questions"),
    ],
)
def test_an_impossible_course_gets_a_sentence(wanted: Any, variants: int, said: str) -> None:
    with pytest.raises(EngineError, match=said):
        sheets(wanted, variants)


def test_too_few_different_sheets_say_how_many_there_are() -> None:
    two = engine.Dataset.from_arrays([[0.0], [1.0]], [0, 1])
    with pytest.raises(EngineError, match=r"No second|Only \d+ different"):
        sheets(assignment("perceptron", two, questions=1), 300)


def test_it_stops_at_the_given_step() -> None:
    heard: list[float] = []

    def tick(done: float) -> bool:
        heard.append(done)
        return len(heard) < 5

    with pytest.raises(Stopped):
        sheets(assignment("perceptron", table("spam"), questions=2), 30, tick=tick)
    assert len(heard) == 5 and heard == sorted(heard) and heard[0] >= 0 and heard[-1] < 1


def test_the_start_of_a_run_is_no_exercise_where_there_are_others() -> None:
    (sheet,) = sheets(assignment("perceptron", table("spam"), questions=3))
    assert [each.place for each in sheet.exercises] == [1, 2, 3]


def test_rounds_and_a_later_beginning() -> None:
    (sheet,) = sheets(assignment("perceptron", table("spam"), ask=Ask(Every.ROUND), first=1))
    assert sheet.exercises and all(
        each.unit == "round" and each.place >= 1 for each in sheet.exercises
    )
    (later,) = sheets(assignment("perceptron", table("spam"), questions=2, first=3))
    assert [each.place for each in later.exercises] == [3, 4]
    assert later.exercises[0].before
