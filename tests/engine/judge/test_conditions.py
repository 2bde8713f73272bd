"""Conditions on runs: what they mean, and that nothing else can be done with them."""

import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine.base.errors import EngineError
from engine.judge.conditions import FUNCTIONS, NAMES, Moment, condition, printed


@pytest.fixture(scope="module")
def tree() -> Moment:
    """The end of the restaurant's tree."""
    trace = engine.run("decision_tree", engine.textbook("restaurant"))
    return Moment(trace, len(trace) - 1)


@pytest.mark.parametrize(
    "text",
    [
        'figure("Tree").nodes[0].text == "Patrons"',  # AIMA Fig 18.6
        "wrong() == 0 and rows == 12",
        'metric("errors", start) > metric("errors", end)',
        "here == end and steps == end",
        'not event("tie") or events("tie") > 0',
        "max([1, 2, 3]) - 1 == 4 / 2",
        '"Pat" in figure("Tree").nodes[0].text',
        'curve("errors") and held_out == 0',
        "lanes == 1",
    ],
)
def test_conditions_that_hold(tree: Moment, text: str) -> None:
    assert condition(text).holds([tree])
    assert not condition(f"not ({text})").holds([tree])


def test_the_candidates_of_a_step_have_scores(tree: Moment) -> None:
    """AIMA 18.3.4: Gain(Patrons) ≈ .541 bits, Gain(Type) = 0."""
    first = Moment(tree.trace, tree.trace.when("split")[0])
    assert condition('printed(score("Patrons"), ".541") and score("Type") == 0').holds([first])
    with pytest.raises(EngineError, match="no candidate “Colour”"):
        condition('score("Colour") > 0').holds([first])


def test_lines_of_plots_are_read_by_their_names() -> None:
    """AIMA Fig 18.7: the share of right answers on unseen rows grows with the training set."""
    trace = engine.run("learning_curve", engine.generate("restaurant", 60), sizes=4, trials=4)
    end = [Moment(trace, len(trace) - 1)]
    text = 'plotted("Learning curve", "unseen")[-1] > plotted("Learning curve", "unseen")[0] + 0.1'
    assert condition(text).holds(end)
    last = 'plotted("Learning curve", "unseen", 1000) == plotted("Learning curve", "unseen")[-1]'
    assert condition(last).holds(end)
    with pytest.raises(EngineError, match="no line “forest” in it: it has “unseen”"):
        condition('plotted("Learning curve", "forest")[0] > 0').holds(end)


def test_inside_a_call_end_is_that_of_its_lane(tree: Moment) -> None:
    other = engine.run("perceptron", engine.textbook("spam"))
    lanes = [tree, Moment(other, 0)]
    assert len(other) != len(tree.trace)
    assert condition('metric("mistakes", end, lane=2) == 4').holds(lanes)  # MMDS Example 12.4
    assert condition('metric("errors", here, lane=2) == 6').holds(lanes)


def test_lanes_are_named_by_number_or_letter(tree: Moment) -> None:
    stump = engine.run("decision_tree", engine.textbook("restaurant"), stop="size", size=12)
    other = Moment(stump, len(stump) - 1)
    assert condition("wrong(lane=2) > wrong()").holds([tree, other])
    assert condition('wrong(lane="A") < wrong(lane="B")').holds([tree, other])
    with pytest.raises(EngineError, match="no lane 3"):
        condition("wrong(lane=3) == 0").holds([tree, other])


def test_the_compared_values_explain_why_it_fails(tree: Moment) -> None:
    assert condition("wrong() == 3 and rows > 20").values([tree]) == ["wrong() = 0", "rows = 12"]


@pytest.mark.parametrize(
    ("value", "text", "same"),
    [
        (0.5409, "0.541", True),  # AIMA 18.3.4: the gain of Patrons, .541
        (0.5409, ".54", True),
        (0.5409, "0.542", False),
        (0.9196, "0.91", True),  # cut, not rounded
        (-3.2, "−3.2", True),
        (1024, "1,024", True),
        (5514.3, "5 514", True),
        (2, "2", True),
        (2.6, "2", True),
        (3.0, "2", False),
    ],
)
def test_a_printed_number_is_met_to_its_digits(value: float, text: str, same: bool) -> None:
    assert printed(value, text) is same


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ('__import__("os")', "at letter 1"),
        ("().__class__", "begin with _"),
        ("[x for x in rows]", "at letter 1"),
        ("lambda: 1", "at letter 1"),
        ("2 ** 9", "add, subtract"),
        ("wrong() ==", "no condition"),
        ("errors == 0", "“errors” at letter 1"),
        ("1 is 1", "compare by"),
        ("b'x' == 1", "Numbers and texts"),
        ("open('x')", "at letter 1"),
        ("(" * 60 + "1" + ")" * 60 + " + " * 2, "no condition"),
        ("not " * 50 + "1", "nested too deeply"),
        ("1 + " * 300 + "1", "letters"),
    ],
)
def test_what_is_no_condition_is_refused_with_its_place(text: str, where: str) -> None:
    with pytest.raises(EngineError, match=where):
        condition(text)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('metric("gini") == 0', "measures no “gini”"),
        ('operand("x") == 0', "has no “x”"),
        ('param("k") == 0', "no parameter “k”"),
        ('state("__class__") == 0', "no field"),
        ('figure("Network").title == ""', "no figure “Network”"),
        ('event("winter")', "no event “winter”"),
        ('figure("Tree").replace == 0', "There is no “replace”"),
        ('figure("Tree").nodes[99].text == ""', "no part 99"),
        ("wrong_held_out() == 0", "No rows are held out"),
        ("1 / 0 == 1", "divides by zero"),
        ('"a" * 9 == "b"', "no number"),
        ('wrong() < "three"', "compares unlike things"),
        ("wrong(1, 2) == 3", "is not used so"),
    ],
)
def test_what_a_run_lacks_is_named(tree: Moment, text: str, why: str) -> None:
    with pytest.raises(EngineError, match=why):
        condition(text).holds([tree])


PUNCTUATION = [*"()[].,<+/*-:@", "==", "and", "not", "0", "1e9", "lane="]
WORDS = st.sampled_from(
    [*NAMES, *FUNCTIONS, *PUNCTUATION, "abs", "len", '"errors"', '"Tree"', "nodes", "__class__"]
)


@settings(max_examples=150, deadline=None)
@given(
    st.one_of(st.lists(WORDS, max_size=14).map(" ".join), st.text(string.printable, max_size=40))
)
def test_nothing_but_a_sentence_comes_of_any_text(tree: Moment, text: str) -> None:
    try:
        found = condition(text).holds([tree])
    except EngineError as sentence:
        assert str(sentence)
    else:
        assert isinstance(found, bool)


def test_at_most_is_up_to_rounding_as_equal_is() -> None:
    trace = engine.run("perceptron", engine.textbook("spam"))
    shown = (Moment(trace, len(trace) - 1),)
    for text in (
        "0.1 + 0.2 <= 0.3",
        "0.3 >= 0.1 + 0.2",
        "(0.1 + 0.2, 1) <= (0.3, 2)",
        "not 0.4 <= 0.3",
    ):
        assert condition(text).holds(shown), text
