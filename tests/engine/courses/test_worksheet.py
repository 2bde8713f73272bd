"""The worksheet: what is left blank is what has to be worked out, and the key has all of it."""

import re
from html.parser import HTMLParser
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine.base.errors import EngineError
from engine.base.notation import read_number
from engine.base.records import replace
from engine.courses import sheets
from engine.courses.files import course_file
from engine.courses.grids import grid_of
from engine.courses.worksheet import Worksheet, shortened, worksheet
from engine.courses.worksheet_html import PAPERS, worksheet_html
from engine.protocol.step import Formula, Operand, note
from tests.courses import HOSTILE, assignment, every, of_example

VOID = {"meta", "img"}


class Balanced(HTMLParser):
    """Reads HTML and holds that each tag is closed in its place."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.text: list[str] = []
        self.classes: list[str] = []

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.classes += (dict(attrs).get("class") or "").split()
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag == "p" and self.open[-1] != "p":
            raise AssertionError(f"</{tag}> in {self.open[-1]}")
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def read(found: list[Worksheet], paper: str = "a4") -> Balanced:
    page = Balanced()
    page.feed(b"".join(worksheet_html(found, paper)).decode())
    assert page.open == []
    return page


def spam(variants: int = 1) -> list[Worksheet]:
    wanted = assignment("perceptron", engine.textbook("spam"), questions=4)
    return [worksheet(sheet) for sheet in sheets(wanted, variants)]


def test_the_sheet_of_the_six_mails() -> None:
    """MMDS Example 12.4 with η = ½: a, b, c and d are mistakes; w = (0, 1, 0, −½, ½) after d, by
    hand.
    """
    (sheet,) = spam()
    assert sheet.points == 13 and [block.points for block in sheet.blocks] == [3, 4, 4, 2]
    assert [block.title for block in sheet.blocks[:3]] == [
        "Step 2: b, class −1",
        "Step 3: c, class +1",
        "Step 4: d, class −1",
    ]
    assert sheet.cells[0] == ("", "and", "viagra", "the", "of", "nigeria", "y")
    assert sheet.cells[1] == ("a", "1", "1", "0", "1", "1", "+1") and len(sheet.cells) == 7
    assert [text.strip() for text, lit in sheet.code if lit] == ["w ← w + η y x"]
    first, second, third = ([row.open for row in block.rows] for block in sheet.blocks[:3])
    assert first == [False, False, True, True]
    assert second == [True, False, True, True]
    assert third == [True, True, True, True]
    last = sheet.blocks[2].rows
    assert [row.label for row in last] == ["w", "x of d", "+ η · y · x", "new w"]
    assert [read_number(text) for text in last[3].values] == [0, 1, 0, -0.5, 0.5]
    assert [read_number(text) for text in last[2].values] == [-0.5, 0, 0, -0.5, 0]
    assert sheet.blocks[3].answer == "The largest: viagra (1). The smallest: of (−0.50)."
    hints = [block.hint for block in sheet.blocks[:3]]
    assert hints[:2] == ["With η = 0.5, y = −1.", "With η = 0.5, y = +1."]
    assert hints[2] == "With η = 0.5, y = −1. Copy the row of d from the table first."
    assert sheet.done[0].startswith("Step 1 is done for you: ")


def test_each_sheet_and_each_key_is_a_page_of_its_own() -> None:
    found = spam(3)
    page = read(found)
    assert page.classes.count("sheet") == page.classes.count("key") == 3
    text = "".join(page.text)
    assert [text.index(f"Sheet {k} of 3") for k in (1, 2, 3)] == sorted(
        text.index(f"Sheet {k} of 3") for k in (1, 2, 3)
    )
    assert text.index("Sheet 3 of 3") < text.index("Key to sheet 1 of 3")


def test_the_blanks_are_empty_on_the_sheet_and_full_in_the_key() -> None:
    content = b"".join(worksheet_html(spam())).decode()
    sheet, key = re.findall(r"<section.*?</section>", content, re.S)
    boxes = re.compile(r'<span class="box[^"]*">(.*?)</span>')
    assert set(boxes.findall(sheet)) == {""} and all(boxes.findall(key))
    assert len(boxes.findall(sheet)) == len(boxes.findall(key)) == 5 * (2 + 3 + 4) + 2 * 3
    assert "✓" not in sheet and key.count("✓") == 3


@pytest.mark.parametrize("paper", PAPERS)
def test_the_paper_is_named_for_the_printer(paper: str) -> None:
    content = b"".join(worksheet_html(spam(), paper)).decode()
    assert f"@page {{ size: {PAPERS[paper][0]};" in content and "break-after: page" in content
    assert not re.search(r"(src|href)=\"(?!data:)|@import|url\(", content), "nothing is fetched"


@pytest.mark.slow
@every
def test_every_algorithm_gives_a_worksheet(algorithm: Any) -> None:
    found = worksheet(of_example(algorithm.key))
    page = read([found])
    assert found.points == sum(block.points for block in found.blocks) > 2
    assert len(found.blocks) >= 2 and found.blocks[-1].ruled and found.blocks[-1].answer
    for block in found.blocks:
        opened = [row for row in block.rows if row.open] or [b for b in block.blanks if b[1]]
        assert opened or block.choices or block.ruled, block.title
        assert block.answer
        shown = {piece for row in block.text for piece in row if isinstance(piece, int)}
        assert shown == set(range(len(block.blanks)))
        if block.rows:
            assert all(len(row.values) == len(block.heads) for row in block.rows)
    assert page.classes.count("sheet") == page.classes.count("key") == 1


@given(
    st.lists(st.tuples(*[st.integers(-9, 9)] * 3), min_size=2, max_size=9),
    st.sampled_from([0.5, 1.0, -2.0]),
    st.booleans(),
)
def test_the_columns_add_up(rows: list[tuple[int, int, int]], eta: float, minus: bool) -> None:
    """What stands above the line comes to what stands below, entry by entry."""
    table = np.array(rows, np.float64)
    w, x = table[:, 0], table[:, 1]
    after = w - eta * x if minus else w + eta * x
    formula = Formula("w ←", "{w} − {eta} · {x}" if minus else "{w} + {eta} · {x}", "{after}")
    said = note(
        "",
        formula,
        w=Operand(w, "w"),
        eta=Operand(eta, "η"),
        x=Operand(x, "x"),
        after=Operand(after, "w"),
    )
    problem = engine.prepare(
        engine.Dataset.from_arrays(
            np.eye(len(rows)), [0, 1] * (len(rows) // 2) + [0] * (len(rows) % 2)
        )
    )
    grid = grid_of(problem, said)
    assert grid is not None and grid.heads == problem.titles
    start, given_, product, result = grid.rows
    assert [row.role for row in grid.rows] == ["start", "given", "worked", "result"]
    sign = -1 if minus else 1
    for j in range(len(rows)):
        total = read_number(start.values[j]) + sign * read_number(product.values[j])
        assert total == pytest.approx(read_number(result.values[j]), abs=0.011)
        assert abs(read_number(product.values[j])) == pytest.approx(
            abs(eta * read_number(given_.values[j])), abs=0.011
        )


@pytest.mark.parametrize(
    "body", ["{w} × {x}", "({w} + {x}) / 2", "{w} · {x}", "{w} + {eta}", "{w} + 3 · {x}", "{w} +"]
)
def test_what_is_no_sum_of_vectors_has_no_columns(body: str) -> None:
    x = np.array([1.0, 2.0])
    operands = {
        "w": Operand(x, "w"),
        "x": Operand(x, "x"),
        "eta": Operand(2.0, "η"),
        "after": Operand(2 * x, "w"),
    }
    said = replace(note("", **operands), formulas=(Formula("w ←", body, "{after}"),))
    assert grid_of(engine.prepare(engine.textbook("spam")), said) is None


def test_a_sum_that_does_not_come_to_its_result_has_no_columns() -> None:
    x = np.array([1.0, 2.0])
    formula = Formula("w ←", "{w} + {x}", "{after}")
    said = note("", formula, w=Operand(x, "w"), x=Operand(x, "x"), after=Operand(3 * x, "w"))
    assert grid_of(engine.prepare(engine.textbook("spam")), said) is None


def test_more_than_six_columns_stand_upright_in_two_blocks() -> None:
    rng = np.random.default_rng(1)
    data = engine.Dataset.from_arrays(rng.integers(0, 2, (10, 9)).astype(float), [0, 1] * 5)
    (sheet,) = sheets(assignment("perceptron", data, questions=3))
    content = b"".join(worksheet_html([worksheet(sheet)])).decode()
    first = re.search(r"<article>.*?</article>", content, re.S)
    assert first is not None
    tables = re.findall(r'<table class="vectors">.*?</table>', first[0], re.S)
    assert [table.count("<tr>") - 1 for table in tables] == [5, 4]


def test_a_vector_that_is_no_row_of_the_table_is_not_called_one() -> None:
    """UV-decomposition: v is no row, and its step size and error are given."""
    (sheet,) = sheets(assignment("uv_descent", engine.textbook("uv_matrix"), questions=3))
    labels = [row.label for block in worksheet(sheet).blocks for row in block.rows]
    assert "v" in labels and not any(" of " in label for label in labels)
    assert all(
        "e = " in block.hint and "Copy" not in block.hint
        for block in worksheet(sheet).blocks
        if block.rows
    )


def test_names_stay_text() -> None:
    rng = np.random.default_rng(0)
    data = engine.Dataset.from_arrays(
        rng.integers(0, 2, (12, 5)).astype(float), rng.integers(0, 2, 12), names=[*HOSTILE[:4], "p"]
    )
    for key in ("decision_tree", "perceptron"):
        (sheet,) = sheets(assignment(key, data, questions=4))
        page = read([worksheet(sheet)])
        assert "b" not in page.open and "<b>&amp;" in "".join(page.text)


def test_long_vectors_lose_their_middle_but_no_blank() -> None:
    long = f"w ← ({', '.join(map(str, range(40)))}) = (□₁, □₂, …)"
    assert shortened(long) == "w ← (0, 1, 2, 3, 4, 5, …, 38, 39) = (□₁, □₂, …)"
    assert shortened("(1, 2, 3) and f(x, y)") == "(1, 2, 3) and f(x, y)"


def test_another_kind_of_file_is_a_sentence() -> None:
    with pytest.raises(EngineError, match=r"“x\.docx” is another kind"):
        course_file(
            "worksheet",
            "x.docx",
            sheets(assignment("perceptron", engine.textbook("spam"), questions=2)),
        )
