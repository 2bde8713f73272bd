"""A percent sign is never the first of its line: it stays with its number, in sentences, facts and
folded texts.
"""

from collections import defaultdict

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtGui import QFontMetricsF

from engine.protocol.step import Fact, note
from gui.formulas.flow import Sheet, Word
from gui.look import theme
from gui.look.ink import face, folded
from gui.reading.note_view import lay_facts, prose_items

SAID = note(
    "With {share} % of the rows refused the error is {after}, and without it is {before} %, of"
    " 3,000 customers.",
    Fact("refused", "{share} %"),
    Fact("share of the rows that are refused", "{after} of all"),
    share=17.4,
    after="12.5 %",
    before=20.7,
)


@pytest.fixture(autouse=True)
def light(qapp: object) -> None:
    theme.use("light")


def begins(sheet: Sheet) -> list[str]:
    """The first word of each line."""
    lines = defaultdict(list)
    for box, x, y in sheet.placed:
        if isinstance(box, Word):
            lines[y].append((x, box.text))
    return [min(line)[1] for line in lines.values()]


@settings(max_examples=60, deadline=None)
@given(st.integers(120, 700))
def test_a_line_of_a_sentence_begins_with_no_percent_sign(qapp: object, wide: int) -> None:
    sheet = Sheet(wide)
    sheet.flow(prose_items(SAID, SAID.lead, "lead"))
    assert len(begins(sheet)) > 0 and not [word for word in begins(sheet) if word.startswith("%")]


@settings(max_examples=30, deadline=None)
@given(st.integers(120, 500))
def test_nor_does_a_line_of_a_fact(qapp: object, wide: int) -> None:
    sheet = Sheet(wide)
    lay_facts(sheet, SAID, SAID.facts)
    assert not [word for word in begins(sheet) if word.startswith("%")]


@settings(max_examples=30, deadline=None)
@given(st.integers(60, 400))
def test_nor_does_a_line_of_a_folded_text(qapp: object, wide: int) -> None:
    lines = folded(
        QFontMetricsF(face("body").font), ["17.4 % of the plane and 6.7 % of the rows"], wide
    )
    assert not [line for line in lines if line.startswith("%")]
