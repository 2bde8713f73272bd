"""Questions before a step: textbook numbers are right, others wrong, and nothing tells which before
the answer.
"""

from fractions import Fraction
from itertools import count
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine.base.errors import EngineError
from engine.base.notation import Share
from engine.judge.questions import (
    Ask,
    Every,
    Kind,
    Question,
    Tally,
    answer_key,
    covered,
    judge,
    next_question,
    questions,
)
from engine.judge.questions.blanks import Blanks, numbers_of, read, within
from engine.judge.questions.judging import given_up
from engine.judge.questions.question import MOST, may_choose, options_of, question_of
from engine.protocol.step import Choice, Formula, Operand, Option, Pace, Step, note
from engine.runs.run import Run
from engine.scene.figures import Table
from tests.steps import Known, known_step

STEPS = engine.Level.STEP
MAILS = np.array(
    [
        [1, 1, 0, 1, 1],
        [0, 0, 1, 1, 0],
        [0, 1, 1, 0, 0],
        [1, 0, 0, 1, 0],
        [1, 0, 1, 0, 1],
        [1, 0, 1, 1, 0],
    ]
)
SPAM = np.array([1, -1, 1, -1, 1, -1])  # MMDS 12.2.1, Example 12.4
SMALL = engine.prepare(
    engine.Dataset.from_arrays(np.array([[0.0, 1.0], [2.0, 3.0], [4.0, 1.0]]), np.array([0, 1, 1]))
)


def question_about(step: Step[Any], problem: Any = SMALL) -> Question:
    return questions(engine.algorithm("perceptron"), problem, step)[0]


def labelled(question: Question) -> dict[str, int]:
    return {candidate.label: k for k, candidate in enumerate(question.candidates)}


@pytest.fixture(scope="module")
def restaurant() -> Any:
    return engine.run("decision_tree", engine.textbook("restaurant"))


# -- decisions -------------------------------------------------------------------------------------


def test_the_restaurant_is_split_on_patrons_first(restaurant: Any) -> None:
    """AIMA 18.3.4: the gain of Patrons is 0.541 bits, that of Type 0."""
    at, question = next_question(restaurant, 0, Ask()) or (0, None)
    assert question is not None and restaurant[at].choice is not None
    assert question.kind is Kind.COLUMN and question.prompt == "Which has the largest gain?"
    place = labelled(question)
    assert [question.candidates[k].label for k in question.right] == ["Patrons"]
    assert question.candidates[place["Patrons"]].worth == "0.5409 bits"
    right, wrong = judge(question, place["Patrons"]), judge(question, place["Type"])
    assert right.right and right.said == "Right: Patrons."
    assert not wrong.right and wrong.said == "Not Type: it is Patrons."
    assert "Patrons: 0.5409 bits" in wrong.why and "Type: 0 bits" in wrong.why
    assert wrong.why[-1] == "Split the 12 examples on Patrons."


def test_every_one_of_five_tied_columns_is_right(restaurant: Any) -> None:
    """AIMA Fig 18.6: in the branch Patrons = Full five attributes gain 0.2516 bits each; the
    table's order takes Hungry.
    """
    first = next_question(restaurant, 0, Ask())
    assert first is not None
    found = next_question(restaurant, first[0], Ask())
    assert found is not None
    place = labelled(found[1])
    question = found[1]
    tied = {"Hungry", "Price", "Res", "Type", "Est"}
    assert {question.candidates[k].label for k in question.right} == tied
    for name, k in place.items():
        verdict = judge(question, k)
        assert verdict.right == (name in tied), name
    verdict = judge(question, place["Type"])
    assert verdict.said == "Right: Type; as good: Hungry, Price, Res, Est."
    assert sum(row.endswith("0.2516 bits") for row in verdict.why) == 5
    assert "A tie, " in " ".join(verdict.why)


def test_the_order_of_the_answers_is_not_that_of_the_decision() -> None:
    options = tuple(Option(f"rule {k}", 9.0 - k, value=k) for k in (3, 0, 2, 1))
    choice = Choice("Which?", options, (0,), 0)
    question = question_about(known_step("update", Known(note(""), choice)))
    assert [candidate.value for candidate in question.candidates] == [0, 1, 2, 3]
    assert [question.candidates[k].value for k in question.right] == [3]


def test_yes_comes_before_no_whatever_wins() -> None:
    for winner in (0, 1):
        options = (Option("leave it out", 1.0, value=False), Option("search it", 2.0, value=True))
        question = question_about(
            known_step("update", Known(note(""), Choice("Search?", options, (winner,), winner)))
        )
        assert question.kind is Kind.SIDE
        assert [candidate.label for candidate in question.candidates] == [
            "search it",
            "leave it out",
        ]
        assert question.line == "", "the line may be called after what was decided"


def test_a_mark_on_the_winner_alone_is_no_answer() -> None:
    marked = (Option("a", 1.0, "split", value=0.5), Option("b", 0.5, value=1.5))
    question = question_about(
        known_step("update", Known(note(""), Choice("Which?", marked, (0,), 0)))
    )
    assert question.kind is Kind.BAR and question.answering(frozenset({"split"})) is None
    each = (Option("a", 1.0, "link 0", value=0.5), Option("b", 0.5, "link 1", value=1.5))
    question = question_about(
        known_step("update", Known(note(""), Choice("Which?", each, (0,), 0)))
    )
    assert question.kind is Kind.CELL and question.answering(frozenset({"link 1"})) == 1
    assert question.answering(frozenset({"link 0", "link 1"})) is None


def test_rows_and_columns_of_one_name_are_distinguished() -> None:
    """x₁ and x₂ are rows and columns here."""
    options = (Option("x₁", 1.0, value=0), Option("x₂", 2.0, value=1))
    rows = question_about(
        known_step(
            "update", Known(note(""), Choice("Which of the two is nearer?", options, (1,), 1))
        )
    )
    columns = question_about(
        known_step("update", Known(note(""), Choice("Which column is widest?", options, (1,), 1)))
    )
    assert (rows.kind, columns.kind) == (Kind.POINT, Kind.COLUMN)
    assert (
        rows.answering(frozenset({"row 2"})) == 1
        and columns.answering(frozenset({"column x2"})) == 1
    )


def test_a_split_is_a_line_on_the_plane() -> None:
    options = (Option("x₁ > 1", 1.0, value=(0, 1.0)), Option("x₂ > 2", 2.0, value=(1, 2.0)))
    question = question_about(
        known_step("update", Known(note(""), Choice("Which?", options, (1,), 1)))
    )
    assert question.kind is Kind.COLUMN and [c.cut for c in question.candidates] == [
        (0, 1.0),
        (1, 2.0),
    ]


@given(st.integers(MOST, 60), st.integers(0, 59))
def test_of_many_candidates_a_right_one_is_always_offered(count: int, right: int) -> None:
    options = tuple(Option(f"c{k:02}", 0.0, value=k) for k in range(count))
    choice = Choice("Which?", options, (right % count,), right % count)
    question = question_about(known_step("update", Known(note(""), choice)))
    assert len(question.options) == MOST == len(set(question.options))
    assert (
        set(question.right) <= set(question.options)
        and options_of(question.candidates) == question.options
    )


# -- numbers ---------------------------------------------------------------------------------------


def test_the_first_update_of_the_spam_perceptron() -> None:
    """MMDS 12.2.1: η = ½ and the first mail a give w = [½, ½, 0, ½, ½]."""
    trace = engine.run("perceptron", (MAILS, SPAM), rate=0.5)
    at = next(i for i in trace.indices(STEPS) if trace[i].line == "update")
    question = questions(trace.algorithm, trace.problem, trace[at])[0]
    assert question.kind is Kind.NUMBER and question.line == "update"
    values = [blank.value for blank in question.blanks]
    assert values[-5:] == [0.5, 0.5, 0.0, 0.5, 0.5]
    typed = ["1/2" if value == 0.5 else "0" for value in values]
    assert judge(question, typed).right
    verdict = judge(question, [*typed[:-1], "0.4"])
    assert not verdict.right and verdict.parts == (*[True] * (len(values) - 1), False)
    assert verdict.said == f"Not quite: {question.blanks[-1].mark} is 0.50, not 0.4."
    assert any("mistake" in row.lower() for row in verdict.why)


def test_the_weight_and_the_vote_of_a_boosted_stump() -> None:
    """Two of eight wrong: error ¼, right weights by ¼ / ¾ of 1/8, z = ln 3. AIMA Fig 18.34."""
    algorithm = engine.algorithm("adaboost")
    run = Run(algorithm, algorithm.example(), algorithm.params(), 0, Pace())
    run.advance(max_steps=50)
    first = {
        line: next(s for s in run.trace if s.line == line) for line in ("error", "reweight", "z")
    }
    answers = {"error": ["0.25", "0.3"], "reweight": ["1/24", "1/8"], "z": ["1.0986", "3"]}
    for line, (right, wrong) in answers.items():
        question = questions(algorithm, run.trace.problem, first[line])[0]
        assert question.kind is Kind.NUMBER and len(question.blanks) == 1
        assert judge(question, [right]).right and not judge(question, [wrong]).right, line


def test_the_formula_asks_without_its_result() -> None:
    formula = Formula("m =", "{a} + {b}", "{c}")
    step = known_step(
        "update",
        Known(note("Sum {c}.", formula, a=Operand(2.5), b=Operand(-1.25), c=Operand(1.25))),
    )
    question = question_about(step)
    assert question.text == ("m = 2.50 + (−1.25) = □₁",)
    assert question.blanks[0].tolerance == "± 0.01"
    assert not any("1.25." in row for row in question.text)


def test_what_one_formula_finds_the_next_one_calls_by_its_symbol() -> None:
    first, second = Formula("w₁ =", "{n} / 2", "{w}"), Formula("w₀ =", "3 − {w}", "{b}")
    operands = {"n": Operand(3), "w": Operand(1.5, "w₁"), "b": Operand(1.5)}
    question = question_about(known_step("update", Known(note("", first, second, **operands))))
    assert question.text == ("w₁ = 3 / 2 = □₁", "w₀ = 3 − w₁ = □₂")


def test_counted_things_are_exact_and_rounded_ones_within_what_is_shown() -> None:
    assert within(Operand(12), 12.0, "12") == 0
    assert within(Operand(0.3512), 0.3512, "0.35") == pytest.approx(0.01)
    # half a per cent, to one figure
    assert within(Operand(154.24), 154.24, "154.24") == pytest.approx(0.8)
    assert within(Operand(0.00012, digits=2), 0.00012, "1.20·10⁻⁴") == pytest.approx(1e-6)
    assert within(Operand(Fraction(1, 3)), 1 / 3, "1/3") == pytest.approx(0.004)
    assert within(Operand(1.0), 1.0, "1") == pytest.approx(0.01)


@pytest.mark.parametrize(
    ("typed", "value"),
    [
        ("0.5", 0.5),
        ("−0.5", -0.5),
        ("-0.5", -0.5),
        ("0,5", 0.5),
        ("3/8", 0.375),
        (" 1 / 4 ", 0.25),
        ("+2", 2.0),
        ("1.5·10⁻³", 0.0015),
        ("1e-3", 0.001),
        (".5", 0.5),
    ],
)
def test_numbers_are_read_as_people_write_them(typed: str, value: float) -> None:
    assert read(typed) == pytest.approx(value)


@pytest.mark.parametrize(
    "typed", ["", "one", "1/0", "1/", "--2", "nan", "inf", "1.2.3", "1e999", "½x"]
)
def test_what_is_no_number_is_said_in_a_sentence(typed: str) -> None:
    with pytest.raises(EngineError, match="is no number: write it as"):
        read(typed)


@given(st.floats(-1e6, 1e6), st.integers(1, 4))
def test_the_number_that_is_shown_is_always_right(value: float, digits: int) -> None:
    formula = Formula("z =", "{a}", "{z}")
    question = question_about(
        known_step("update", Known(note("", formula, a="a", z=Operand(value, digits=digits))))
    )
    (blank,) = question.blanks
    assert judge(question, [blank.shown]).right
    assert not judge(question, [str(value + 3 * blank.within + 1)]).right


def test_words_truths_and_what_is_not_finite_are_no_blanks() -> None:
    assert [
        numbers_of(Operand(v))
        for v in ("w", True, None, float("inf"), (1.0, float("nan")), np.array(["a"]))
    ] == [[]] * 6
    assert numbers_of(Operand(Share((2, 6)))) == [(pytest.approx(1 / 3), "2/6")]


def test_a_long_vector_has_some_blanks() -> None:
    formula = Formula("w ←", "{a}", "{w}")
    made = Blanks(note("", formula, a="x", w=Operand(np.arange(784.0))), iter(range(1, 99)))
    assert made.of_formulas() == ("w ← x = (□₁, □₂, □₃, □₄, □₅, □₆, …)",) and len(made.found) == 6


# -- every step, every algorithm -------------------------------------------------------------------


@pytest.mark.parametrize("algorithm", engine.algorithms().values(), ids=lambda a: a.key)
def test_every_step_has_a_question(algorithm: Any) -> None:
    run = Run(algorithm, algorithm.example(), algorithm.params(), 0, Pace())
    run.advance(max_steps=60)
    for step in run.trace:
        found = questions(algorithm, run.trace.problem, step)
        assert found and len({question.kind for question in found}) == len(found)
        for question in found:
            assert question.prompt.endswith((".", "?")) and given_up(question).said
            if question.kind is Kind.NUMBER:
                assert judge(question, [blank.shown for blank in question.blanks]).right, (
                    step.line,
                    question.blanks,
                )
                assert all(blank.mark in " ".join(question.text) for blank in question.blanks)
            else:
                assert question.right and 2 <= len(question.options) <= MOST
                assert [judge(question, k).right for k in question.options] == [
                    k in question.right for k in question.options
                ]
        for kind in Kind:
            alone = question_of(kind, algorithm, run.trace.problem, step)
            among = next((question for question in found if question.kind is kind), None)
            assert (alone is None) == (among is None), (step.line, kind)
            assert alone is None or among is None or alone.prompt == among.prompt
        if step.choice is not None and len(step.choice.options) > 1:
            assert may_choose(algorithm, step.line), (
                f"the words of {step.line} promise a note alone"
            )
            assert {found[0].candidates[k].label for k in found[0].right} == {
                step.choice.options[k].label for k in step.choice.winners
            }


def test_only_questions_of_one_kind(restaurant: Any) -> None:
    cursor = 0
    kinds = set()
    while (found := next_question(restaurant, cursor, Ask(Every.STEP, Kind.NUMBER))) is not None:
        cursor = found[0]
        kinds.add(found[1].kind)
    assert kinds == {Kind.NUMBER}


def test_with_a_question_at_every_round_only_rounds_have_one() -> None:
    trace = engine.run("perceptron", (MAILS, SPAM), rate=0.5)
    cursor = -1
    places = []
    while (found := next_question(trace, cursor, Ask(Every.ROUND))) is not None:
        cursor = found[0]
        places.append(cursor)
    assert places == list(trace.indices(engine.Level.ROUND))


def test_decisions_that_are_over_are_over(restaurant: Any) -> None:
    last = max(i for i in range(len(restaurant)) if restaurant[i].choice is not None)
    assert next_question(restaurant, last, Ask()) is None
    assert next_question(restaurant, last, Ask(Every.STEP)) is not None


def test_the_answer_key_has_each_decision_with_its_answer(restaurant: Any) -> None:
    lines = list(answer_key(restaurant, Ask()))
    decisions = [
        i for i in restaurant.indices(STEPS) if (c := restaurant[i].choice) and len(c.options) > 1
    ]
    assert sum(line.startswith("   Answer: ") for line in lines) == len(decisions)
    assert lines[:4] == [
        "1. step 1: Which has the largest gain?",
        "   Alt | Bar | Fri | Hungry | Patrons | Price | Rain | Res | Type | Est",
        "   Answer: Patrons",
        "   Split the 12 examples on Patrons.",
    ]


def test_what_is_no_answer_is_refused(restaurant: Any) -> None:
    _, question = next_question(restaurant, 0, Ask()) or (0, None)
    assert question is not None
    for answer in (-1, 99, ["1"]):
        with pytest.raises(EngineError):
            judge(question, answer)
    numbers = questions(restaurant.algorithm, restaurant.problem, question.step)[1]
    for answer in (0, ["1"]):
        with pytest.raises(EngineError, match="asks for 3 numbers"):
            judge(numbers, answer)


def test_the_score_is_kept_by_kind() -> None:
    tally = Tally()
    for kind, right in [
        (Kind.POINT, True),
        (Kind.POINT, False),
        (Kind.NUMBER, True),
        (Kind.NUMBER, True),
    ]:
        tally = tally.after(kind, right)
    assert (tally.right, tally.answered, tally.row) == (3, 4, 2)
    assert tally.words() == "points 1 of 2 · numbers 2 of 2" and tally.last == (
        True,
        False,
        True,
        True,
    )


def test_a_number_that_a_later_formula_finds_is_put_into_no_earlier_one() -> None:
    """“αᵢ ← 10 − 3.04 = □₁ … t ← min(3.11, 3.04) = □₃”: t stood there."""
    words = note(
        "A step.",
        Formula("αᵢ ←", "{ai} − {t}", "{after}"),
        Formula("t ←", "min({best}, {room})", "{t}"),
        ai=10.0,
        t=Operand(3.04, symbol="t"),
        after=6.96,
        best=3.11,
        room=3.05,
    )
    blanks = Blanks(words, count(1))
    assert blanks.of_formulas() == ("αᵢ ← 10 − t = □₁", "t ← min(3.11, 3.05) = □₂")
    assert [blank.shown for blank in blanks.found] == ["6.96", "3.04"]


def test_a_table_goes_without_the_numbers_that_answer() -> None:
    """The distances to all centres stood there before the nearest one was chosen."""
    data = engine.generate("moons", 14, noise=0.2, seed=3)
    trace = engine.run("kmeans", data)
    count = 0
    for at in range(1, len(trace)):
        question = questions(trace.algorithm, trace.problem, trace[at])[0]
        if question.step.choice is None:
            continue
        scores = np.array([option.score for option in question.step.choice.options])
        scene = trace.algorithm.scene(trace.given, trace[at - 1])
        for table in (
            figure for figure in covered(scene, question).figures if isinstance(figure, Table)
        ):
            for column in table.columns:
                assert not np.isclose(column.values[:, None], scores, rtol=1e-9, atol=0).any()
                count += 1
    assert count > 10


def test_the_sentence_of_a_decision_is_no_question() -> None:
    """“Round □₁: L learns h₁ …: x₁ > 0.95” gave the stump away in a question for numbers."""
    trace = engine.run("adaboost", engine.generate("moons", 14, noise=0.2, seed=3))
    at = next(k for k in range(len(trace)) if trace[k].line == "learn")
    kinds = {
        question.kind: question for question in questions(trace.algorithm, trace.problem, trace[at])
    }
    assert Kind.COLUMN in kinds and Kind.NUMBER not in kinds
    assert question_of(Kind.NUMBER, trace.algorithm, trace.problem, trace[at]) is None
