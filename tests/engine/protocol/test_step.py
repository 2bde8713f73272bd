"""Notes are formulas with operands; they are read once with symbols and once with numbers."""

import pickle
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import engine
from engine.base.arrays import Log, Prefix, RowLog, frozen
from engine.base.notation import (
    Share,
    change_digits,
    fixed,
    label_text,
    number,
    parting,
    pretty_name,
    read_number,
    row_name,
    row_title,
    short,
    telling_digits,
    value_text,
)
from engine.protocol.moment import At
from engine.protocol.step import Fact, Formula, Level, Note, Operand, Pace, Step, note
from tests.steps import Known

UPDATE = Formula("w ←", "{w} + {eta} · {x}", "{after}")


def test_a_formula_is_shown_with_symbols_and_with_numbers() -> None:
    words = note(
        "Turn w at {point}.",
        UPDATE,
        Fact("before", "{before} ≤ 0"),
        point="x₃",
        w=Operand((1.0, 2.0), "w"),
        eta=Operand(0.5, "η", digits=-1),
        x=Operand((3.0, -1.0), "x"),
        after=Operand((2.5, 1.5), "w"),
        before=-0.6,
    )
    assert words.lines() == [
        "Turn w at x₃.",
        "w ← w + η · x",
        "(1, 2) + 0.5 · (3, −1) = (2.50, 1.50)",
        "before: −0.60 ≤ 0",
    ]
    assert words["eta"] == 0.5


def test_words_of_a_formula_agree_with_a_number() -> None:
    formula = Formula("error =", "|{w}| + … ({n} {n:weight|weights})", "{error}")
    for n, words in ((1, "weight"), (20, "weights")):
        said = note(
            "{n} wrong.",
            formula,
            w=Operand(0.25, "w"),
            n=Operand(n, "n"),
            error=Operand(0.75, "error"),
        )
        assert said.lines()[1:] == [
            f"error = |w| + … (n {words})",
            f"|0.25| + … ({n} {words}) = 0.75",
        ]


def test_a_negative_number_behind_an_operator_stands_in_brackets() -> None:
    words = note(
        "", Formula("d =", "{a} − {b}", "{b} + {a} = {v} · {b}"), a=-1.5, b=-2.0, v=(-1.0, 2.0)
    )
    assert words.lines()[-1] == "−1.50 − (−2) = (−2) + (−1.50) = (−1, 2) · (−2)"
    assert note("", Formula("", "{a} − {b}"), a=-1, b=0.0).lines()[-1] == "−1 − 0"
    assert note("{a} − {b}", a=-1, b="−x").text() == "−1 − −x"


def test_numbers_are_written_as_on_paper() -> None:
    assert number(-0.6) == "−0.60"
    assert number(3.0) == "3"
    assert number(float("inf")) == "∞"
    assert number(0.0004) == "4.00·10⁻⁴"
    assert number(12345678.0) == "1.23·10⁷"
    assert number(42822.04) == "42822"
    assert number(9999.04) == "9999.04"
    assert number(1, signed=True) == "+1"
    assert number(float("nan")) == "undefined"
    assert fixed(-0.001) == "0.00"
    assert short(0.5) == "0.5"
    assert value_text(Fraction(2, 6)) == "1/3"
    assert value_text(Share((2, 6))) == "2/6"
    assert value_text(np.array([1.0, -0.5])) == "(1, −0.50)"
    assert label_text(-1) == "−1"
    assert label_text(True) == "yes"
    assert row_name(36) == "x₃₇"
    assert [row_title(name) for name in ("x6", "x120", "x", "xa", "C1", "", "x²")] == [
        "x₆",
        "x₁₂₀",
        "x",
        "xa",
        "C1",
        "",
        "x²",
    ]
    assert pretty_name("x1") == "x₁"
    assert pretty_name("Price") == "Price"


def test_pace_says_what_is_wanted() -> None:
    assert Pace().detail
    assert Pace(Level.STEP).step
    assert not Pace(Level.STEP).detail
    assert not Pace(Level.ROUND).step


def test_frozen_arrays_cannot_be_written_nor_change_behind_ones_back() -> None:
    mine = np.zeros(3)
    kept = frozen(mine)
    mine[0] = 5
    assert kept[0] == 0
    assert not kept.flags.writeable
    view = frozen(mine[:2])
    mine[1] = 7
    assert view[1] == 0


def test_a_prefix_does_not_grow_with_its_log() -> None:
    log: Log[int] = Log()
    first = log.append(1)
    log.append(2)
    assert list(first) == [1]
    assert list(log.prefix()) == [1, 2]
    assert first[-1] == 1
    assert log.prefix()[0:2] == (1, 2)
    assert Prefix([1], 1) == first


def test_a_log_of_rows_is_as_one_of_arrays() -> None:
    """Rows by themselves and many at once; who goes on from an earlier prefix leaves the others
    what they hold.
    """
    first = np.array([1.0, 2.0])
    many = np.arange(6.0).reshape(3, 2)
    rows, arrays = Prefix(RowLog([first]), 1), Prefix([first], 1)
    for grown in (
        lambda log: log.plus(first + 1),
        lambda log: log.joined(frozen(many)),
        lambda log: log.plus(first),
    ):
        rows, arrays = grown(rows), grown(arrays)
    assert np.array_equal(np.asarray(rows), np.asarray(list(arrays)))
    assert np.array_equal(rows[-2], many[-1])
    assert np.array_equal(rows[1:4:2], arrays[1:4:2])
    assert not rows[1].flags.writeable
    other = Prefix(rows.items, 3).plus(first)
    assert [row.tolist() for row in other] == [[1, 2], [2, 3], [0, 1], [1, 2]]
    assert rows[3].tolist() == [2, 3]
    assert np.array_equal(pickle.loads(pickle.dumps(rows)), rows)
    assert pickle.dumps(Prefix(rows.items, 2)) == pickle.dumps(
        Prefix(RowLog([first, first + 1]), 2)
    )
    assert rows.items[-1].tolist() == first.tolist()
    with pytest.raises(IndexError):
        rows.items[len(rows.items)]


def test_a_step_asks_for_its_words_once_and_only_when_they_are_read() -> None:
    calls = []

    class Teller:
        def say(self, line: str, state: int, details: Mapping[str, int]) -> Note:
            calls.append((line, state, dict(details)))
            return note("{n} mistakes", n=details["n"])

        def measured(self, state: int) -> Mapping[str, float]:
            return {"errors": 2.0 * state}

    step = Step(Teller(), "test", 7, Level.DETAIL, ("mistake",), {"n": 3})
    assert calls == []
    assert (step.note.text(), step.choice, step.note.text()) == ("3 mistakes", None, "3 mistakes")
    assert calls == [("test", 7, {"n": 3})]
    assert (step.line, step.state, step.level, step.events, step.metrics) == (
        "test",
        7,
        Level.DETAIL,
        ("mistake",),
        {"errors": 14.0},
    )


def test_a_step_is_frozen() -> None:
    step = Step(Known(note("")), "test", 7, Level.STEP, (), {})
    for change in (
        lambda: setattr(step, "state", 8),
        lambda: delattr(step, "state"),
        lambda: setattr(step, "x", 1),
    ):
        with pytest.raises(AttributeError):
            change()
    assert step.state == 7


def test_wanted_decimals_stay() -> None:
    """Large numbers lose the usual two decimals, not more that a page wants to tell
    them apart.
    """
    assert number(42822.04, 3) == "42822.040"
    assert number(12345.2) == "12345"


@pytest.mark.parametrize(
    ("a", "b", "digits", "texts"),
    [
        (1.0, 3.0, 2, ("1", "3")),
        (0.999, 1.0, 3, ("0.999", "1")),
        (12345.4, 12345.2, 3, ("12345.400", "12345.200")),
        (1234567.0, 1234566.0, 6, ("1.234567·10⁶", "1.234566·10⁶")),
        (1.000000001, 1.000000003, 9, ("1.000000001", "1.000000003")),
        (1e-9, 3e-9, 2, ("1.00·10⁻⁹", "3.00·10⁻⁹")),
        (5.0, 5.0, 2, ("5", "5")),
        (5.0, float("inf"), 2, ("5", "∞")),
    ],
)
def test_two_numbers_look_as_different_as_they_are(
    a: float, b: float, digits: int, texts: tuple[str, str]
) -> None:
    assert telling_digits(a, b) == digits
    assert (number(a, digits), number(b, digits)) == texts


def test_captions_have_places_for_operands_too() -> None:
    words = note("Now.", Fact("P({class_})", "{p}"), class_="+1", p=0.5)
    assert words.lines()[-1] == "P(+1): 0.50"


@pytest.mark.parametrize(
    ("before", "after", "digits"),
    [
        ((0.0, 0.33), (0.0, 0.33), 2),
        ((0.0, 0.0), (0.0, 0.33), 2),
        ((0.001, 0.33), (0.002, 0.33), 3),
        ((0.0002957, 0.33), (0.0003040, 0.33), 6),
        ((1.0,), (1.0 + 1e-15,), 9),
        ((float("inf"), 1.0), (float("nan"), 1.0), 2),
    ],
)
def test_a_change_is_shown_with_the_fewest_decimals_that_tell_it(
    before: Any, after: Any, digits: int
) -> None:
    assert change_digits(before, after) == digits


def test_a_fraction_below_a_stroke_stands_in_brackets_in_a_line_of_text_only() -> None:
    """1/24 / 5/12 would be something else; on the screen it is stacked and needs none."""
    words = note(
        "Now.",
        Formula("w =", "{a} / {b} + {a} / {c}"),
        a=Fraction(1, 24),
        b=Fraction(5, 12),
        c=Fraction(2),
    )
    body = words.formulas[0].body
    assert words.worked(body) == "1/24 / (5/12) + 1/24 / 2"
    assert words.terms(body)["b"].value == Fraction(5, 12)


def test_a_power_of_ten_stands_in_brackets_below_a_stroke_and_a_power() -> None:
    """1/1·10⁻³ is 0.001, and 1·10⁻³² a number of its own; the sum needs no brackets."""
    words = note(
        "Now.", Formula("w =", "1 / {d}² + {e}^2 + {d2} + 1 / {d2}"), d=1e-3, e="2.00·10⁷", d2=4e8
    )
    assert (
        words.worked(words.formulas[0].body)
        == "1 / (1.00·10⁻³)² + (2.00·10⁷)^2 + (4.00·10⁸) + 1 / (4.00·10⁸)"
    )
    plain = note("Now.", Formula("w =", "1 / {d}² + {e}²"), d=0.25, e=-3.0)
    assert plain.worked(plain.formulas[0].body) == "1 / 0.25² + (−3)²"


@pytest.mark.parametrize(
    ("low", "high", "text"),
    [
        (1.0, 3.0, "2.00"),
        (1_700_000_010.0, 1_700_000_020.0, "1700000015"),
        (100_000.1, 100_000.2, "100000.15"),
        (-0.5000002, -0.5, "−0.5000001"),
        (1e20, 1.0002e20, "1.0001·10²⁰"),
        (1e-30, 3e-30, "2.00·10⁻³⁰"),
        (5.0, 5.0, "5.00"),
    ],
)
def test_a_number_between_two_others_is_written_between_them(
    low: float, high: float, text: str
) -> None:
    middle = low + (high - low) / 2
    assert (
        parting(middle, low, high, fixed(middle) if abs(middle) < 1e6 else number(middle)) == text
    )


@pytest.mark.parametrize("text", ["1.70·10⁹", "−2.50·10⁻³", "12345", "0.25", "−∞"])
def test_what_is_written_is_read(text: str) -> None:
    expected = {
        "1.70·10⁹": 1.7e9,
        "−2.50·10⁻³": -2.5e-3,
        "12345": 12345,
        "0.25": 0.25,
        "−∞": float("-inf"),
    }
    assert read_number(text) == pytest.approx(expected[text], rel=1e-15)


def test_a_bar_in_a_formula_that_is_no_pair_of_words_stays() -> None:
    words = note("", Formula("d =", "|{a} − {b}|", "{d}"), a=3, b=5, d=2)
    assert words.worked(words.formulas[0].body) == "|3 − 5|"


def test_pages_of_other_folders_may_use_the_earlier_names() -> None:
    algorithm = engine.algorithms()["nearest_neighbours"]
    at = At(algorithm, algorithm.setting(algorithm.example(), algorithm.params()), Pace())
    (step,) = at.end("answer", None, count=3)
    assert step.told == step.details == {"count": 3}
    assert at.tells("look") and At.tells is At.records
