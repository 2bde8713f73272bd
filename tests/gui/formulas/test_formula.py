"""Formulas as boxes: what stands where, what belongs together, and that nothing overlaps at any
width.
"""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.base.notation import Share
from engine.protocol.step import Fact, Formula, Operand, note
from gui.formulas.flow import Column, Listed, Sheet, Stack, Word
from gui.formulas.formula import lay_formula, number_items, says_more, short_text, symbol_items
from gui.look import theme
from gui.look.ink import face
from gui.reading.note_view import FormulaView, LeadView

UPDATE = Formula("w ←", "{w} + {eta} · {sign} · {x}", "{after}")
MISTAKE = note(
    "Mistake: {point} is +1 but lies on the − side. Turn w towards it.",
    UPDATE,
    Fact("y (w · x) before", "{margin} ≤ 0, wrong"),
    Fact("y (w · x) after", "{later} {verdict}"),
    point=Operand("x₃₇", about="current"),
    w=Operand(np.array([1.23, 0.31]), "w", "before"),
    eta=Operand(0.5, "η", digits=1),
    sign=Operand("(+1)", "y"),
    x=Operand(np.array([-1.0, 2.04]), "x", "change"),
    after=Operand(np.array([0.73, 1.33]), "w", "w"),
    margin=-0.6,
    later=1.98,
    verdict="> 0, right",
)
GAIN = note(
    "Split.",
    Formula("Gain =", "B({p}) − [ {a} B({b}) + {c} B({d}) ]", "{u} − {v} = {gain} bits"),
    p=Share((2, 6)),
    a=Share((4, 6)),
    b=Share((2, 4)),
    c=Share((2, 6)),
    d=Share((0, 2)),
    u=Operand(0.9183, digits=4),
    v=Operand(0.6667, digits=4),
    gain=Operand(0.2516, about="candidates", digits=4),
)


@pytest.fixture(autouse=True)
def light(qapp):
    theme.use("light")
    yield
    theme.use("light")


def words(items):
    return [item.box.text for item in items if isinstance(item.box, Word)]


def laid(made, formula, width):
    sheet = Sheet(width)
    lay_formula(sheet, made, formula)
    return sheet


def test_the_symbols_stand_above_the_numbers():
    assert words(symbol_items(MISTAKE, "w ← {w} + {eta} · {sign} · {x}")) == [
        "w",
        "←",
        "w",
        "+",
        "η",
        "·",
        "y",
        "·",
        "x",
    ]
    sheet = laid(MISTAKE, UPDATE, 292)
    columns = [box for box, _, _ in sheet.placed if isinstance(box, Column)]
    assert [list(c.entries) for c in columns] == [
        ["1.23", "0.31"],
        ["−1.00", "2.04"],
        ["0.73", "1.33"],
    ]
    symbols = [y for box, _, y in sheet.placed if isinstance(box, Word) and box.text == "η"]
    numbers = [y for box, _, y in sheet.placed if isinstance(box, Column)]
    assert len(set(numbers)) == 1, (
        "the row of the picture fits on one line at the width of the dock"
    )
    assert symbols[0] < numbers[0] - 20


def test_variables_are_italic_and_names_upright():
    italic = {
        text: look.font.italic()
        for item in symbol_items(GAIN, "Gain w x₁ η + 2")
        for text, look in item.box.runs  # type: ignore[attr-defined]
    }
    assert italic == {"Gain": False, "w": True, "x₁": True, "η": True, "+": False, "2": False}


def test_the_result_is_bold_and_what_was_before_is_grey():
    sheet = laid(MISTAKE, UPDATE, 292)
    first, _, last = [box for box, _, _ in sheet.placed if isinstance(box, Column)]
    assert (first.colour, last.colour) == ("ink2", "ink")
    assert (first.look.font.weight(), last.look.font.weight()) == (500, 700)
    gain = laid(GAIN, GAIN.formulas[0], 400)
    weights = {
        box.text: box.runs[0][1].font.weight() for box, _, _ in gain.placed if isinstance(box, Word)
    }
    assert (weights["0.9183"], weights["0.2516"], weights["bits"]) == (500, 700, 500)


def test_the_tag_of_the_change_covers_its_whole_product():
    tagged = [item.box.tag for item in number_items(MISTAKE, UPDATE.body)]
    assert tagged == ["before", "", "change", "change", "change", "change", "change"]
    bracketed = note("", u=Operand(2, about="change"), a=1, b=3)
    tags = [item.box.tag for item in number_items(bracketed, "{b} + {a} · ({a} − {b}) · {u}")]
    assert tags == ["", "", *["change"] * 9]


def test_each_term_is_marked_once_below_it():
    sheet = laid(MISTAKE, UPDATE, 292)
    assert [tag for *_, tag in sheet.marks] == ["before", "change", "w"]
    bottom = max(y + box.below for box, _, y in sheet.placed)
    assert all(bottom < y < sheet.height for _, _, y, _ in sheet.marks)
    boxes = [
        (x, x + b.width) for b, x, y in sheet.placed if b.tag == "before" and isinstance(b, Column)
    ]
    assert boxes == [(left, right) for left, right, _, tag in sheet.marks if tag == "before"]


def test_fractions_are_stacked():
    kinds = [type(item.box) for item in number_items(GAIN, "{p} {a}")]
    assert kinds == [Stack, Stack]
    whole = note("", p=Operand(Fraction(4, 2)), q=Operand(Fraction(1, 3)))
    two, third = number_items(whole, "{p} {q}")
    assert isinstance(two.box, Word)
    assert two.box.text == "2"
    assert isinstance(third.box, Stack)
    assert (third.box.part, third.box.whole) == ("1", "3")


def test_parts_of_examples_have_the_wanted_decimals():
    parts = note("", p=Operand(Share((7 / 12, 1)), digits=5), q=Operand(Share((7 / 12, 1))))
    fine, usual = number_items(parts, "{p} {q}")
    assert (fine.box.part, fine.box.whole) == ("0.58333", "1")
    assert (usual.box.part, usual.box.whole) == ("0.58", "1")


def test_long_vectors_are_whole_in_a_formula_and_lose_their_middle_in_a_sentence():
    made = note("{v}", v=Operand(np.arange(9.0)), u=Operand(tuple(range(40))))
    for name, count in (("v", 9), ("u", 40)):
        (column,) = number_items(made, f"{{{name}}}")
        assert column.box.entries == [f"{k}.00" for k in range(count)]
    assert short_text(made.operands["v"]) == "(0, 1, 2, …, 7, 8)"


WIDE = note(
    "",
    Formula("w ←", "{w} + {eta} · {x}", "{after}"),
    w=Operand(np.array([123.4567, 0.31]), "w", "before", digits=4),
    eta=Operand(0.5, "η"),
    x=Operand(np.array([-1.0, 2.04]), "x", "change", digits=4),
    after=Operand(np.array([122.9567, 1.33]), "w", "w", digits=4),
)


@pytest.mark.parametrize(
    ("width", "lines", "small", "table"),
    [(330, 1, False, False), (260, 2, False, False), (235, 2, True, False), (170, 1, False, True)],
)
def test_a_formula_too_wide_breaks_then_shrinks_then_becomes_a_table(width, lines, small, table):
    """One line; broken before “=”; one step smaller, not below 14; its vectors in a table."""
    sheet = laid(WIDE, WIDE.formulas[0], width)
    columns = [(box, y) for box, _, y in sheet.placed if isinstance(box, Column)]
    listed = [box for box, _, _ in sheet.placed if isinstance(box, Listed)]
    assert bool(listed) is table and bool(columns) is not table
    assert len({y for _, y in columns} or {0}) == lines
    sizes = {round(box.look.size) for box, _ in columns}
    assert sizes == (set() if table else {14 if small else 15})
    assert all(x >= 0 and x + box.width <= width + 0.5 for box, x, _ in sheet.placed)
    if table:
        assert [box.entries for box in listed] == [
            ["123.4567", "0.3100"],
            ["−1.0000", "2.0400"],
            ["122.9567", "1.3300"],
        ]
        assert [box.head.text for box in listed] == ["w", "x", "w"]


@pytest.mark.parametrize("width", range(252, 500, 31))
def test_no_number_of_a_long_vector_is_missing_at_any_width(width):
    """57 columns of mail, as in Spambase: all three vectors of an update are there, every entry
    once.
    """
    rng = np.random.default_rng(3)
    w, x = rng.normal(size=(2, 57))
    made = note(
        "",
        Formula("w ←", "{w} + {eta} · {x}", "{after}"),
        w=Operand(w, "w", digits=4),
        eta=0.5,
        x=Operand(x, "x", digits=4),
        after=Operand(w + 0.5 * x, "w", digits=4),
    )
    sheet = laid(made, made.formulas[0], width)
    entries = [
        e for box, _, _ in sheet.placed if isinstance(box, (Column, Listed)) for e in box.entries
    ]
    assert len(entries) == 3 * 57 and not any("…" in e or "⋮" in e for e in entries)
    assert all(x + box.width <= width + 0.5 for box, x, _ in sheet.placed)


def test_symbols_that_repeat_the_left_side_are_left_out():
    made = note("", w=Operand(np.array([1.0, 2]), "w"), x=Operand(np.array([3.0, 4]), "x"), s=11.0)
    formula = Formula("w · x =", "{w} · {x}", "{s}")
    assert not says_more(made, formula)
    assert says_more(MISTAKE, UPDATE)
    assert not says_more(GAIN, GAIN.formulas[0]), "no symbols at all"
    sheet = laid(made, formula, 300)
    assert [box.text for box, _, _ in sheet.placed if isinstance(box, Word)] == [
        "w",
        "·",
        "x",
        "=",
        "·",
        "=",
        "11",
    ]


def test_a_wrapped_formula_goes_on_at_the_sign_of_equality():
    sheet = laid(GAIN, GAIN.formulas[0], 292)
    equals = [(x, y) for box, x, y in sheet.placed if isinstance(box, Word) and box.text == "="]
    assert len({y for _, y in equals}) > 1
    assert len({round(x) for x, _ in equals[:2]}) == 1, "aligned under the first ="


CHI2 = note(
    "",
    Formula(
        "Δ =",
        "({a} − {p})²/{p} + ({b} − {q})²/{q} + ({c} − {p})²/{p} + ({a} − {q})²/{q}",
        "{delta}",
    ),
    a=2,
    b=0,
    c=1,
    p=Operand(1.3333, about="current", digits=4),
    q=Operand(2.6667, digits=4),
    delta=Operand(1.5, digits=3),
)


def lines_of(sheet):
    """The words of each line, from left to right."""
    found: dict[float, list[tuple[float, str]]] = {}
    for box, x, y in sheet.placed:
        found.setdefault(y, []).append((x, box.text))
    return ["".join(text for _, text in sorted(found[y])) for y in sorted(found)]


@pytest.mark.parametrize("width", range(210, 620, 10))
def test_no_line_ends_inside_brackets(width):
    """Pearson's Δ of AIMA 18.3.5 is a sum of many squares."""
    lines = lines_of(laid(CHI2, CHI2.formulas[0], width))
    assert all(line.count("(") == line.count(")") for line in lines), lines
    assert all(line[0] in "+=" for line in lines[1:]), lines
    assert len(lines) > 1 or width > 500


def test_a_bracket_longer_than_a_line_breaks_inside_and_leaves_no_line_nearly_empty():
    long = note("", **{f"x{k}": k + 0.5 for k in range(12)}, n=12)
    body = " + ".join(f"{{x{k}}}" for k in range(12))
    sheet = laid(long, Formula("E =", f"( {body} ) / {{n}}"), 200)
    lines = lines_of(sheet)
    assert len(lines) > 2
    assert len(lines[0]) > len("E=(")
    assert all(line[0] == "+" for line in lines[1:])


def overlaps(sheet):
    rects = [(x, x + box.width, y - box.above, y + box.below) for box, x, y in sheet.placed]
    return [
        (a, b)
        for i, a in enumerate(rects)
        for b in rects[i + 1 :]
        if a[0] < b[1] - 0.01 and b[0] < a[1] - 0.01 and a[2] < b[3] - 0.01 and b[2] < a[3] - 0.01
    ]


@settings(deadline=None, max_examples=60)
@given(
    width=st.integers(120, 700),
    size=st.integers(1, 12),
    scale=st.floats(0.001, 1e5),
    name=st.sampled_from(["light", "projector"]),
)
def test_nothing_overlaps_or_leaves_the_sheet(qapp, width, size, scale, name):
    theme.use(name)
    rng = np.random.default_rng(size)
    made = note(
        "{point} is looked at, and something is said about it in a sentence that has to wrap.",
        UPDATE,
        *MISTAKE.facts,
        **{
            **MISTAKE.operands,
            "w": Operand(rng.normal(size=size) * scale, "w", "before"),
            "after": Operand(rng.normal(size=size) * scale, "w", "w"),
        },
    )
    for view in (LeadView(), FormulaView()):
        view.show_note(made)
        sheet = view.sheet(width)
        assert overlaps(sheet) == []
        widest = max(box.width for box, _, _ in sheet.placed)
        if widest < width / 2 - 30:
            assert all(x >= 0 and x + box.width <= width + 1 for box, x, _ in sheet.placed)
        assert all(y + box.below <= sheet.height + 0.5 for box, _, y in sheet.placed)


def test_pointing_at_a_term_finds_its_tag():
    sheet = laid(MISTAKE, UPDATE, 292)
    for box, x, y in sheet.placed:
        assert sheet.tag_at(x + box.width / 2, y - box.above / 2) == box.tag
    for left, right, y, tag in sheet.marks:
        assert sheet.tag_at((left + right) / 2, y) == tag
    assert sheet.tag_at(500, 500) == ""


def test_facts_stand_side_by_side_with_their_numbers_bold():
    view = FormulaView()
    view.show_note(MISTAKE)
    sheet = view.sheet(292)
    bold = {
        b.text: (x, y)
        for b, x, y in sheet.placed
        if isinstance(b, Word) and b.runs[0][1].font.weight() == 700
    }
    assert bold["1.98"] == (146, bold["−0.60"][1])
    assert bold["−0.60"][0] == 0
    assert len(sheet.rules) == 1
    assert face("formula", 700).size == 17
