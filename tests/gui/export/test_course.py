"""Worksheets as PDF, and the plane beside a question."""

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import re
from typing import Any

import pytest
from PySide6.QtGui import QImage

import engine
from engine.base.records import replace
from engine.courses import Assignment, Sheet, Stopped, sheets
from engine.courses.worksheet import Worksheet, worksheet
from engine.files.sources import Source
from engine.protocol.params import build
from gui.export.course import course_content, plane_picture
from gui.export.paper import (
    PAPERS,
    Pages,
    Part,
    advance,
    face,
    flowing,
    paragraph,
    pdf,
    table,
    word,
)
from gui.export.render import ensure_application
from gui.export.worksheet_pdf import worksheet_pdf
from tests.courses import every, of_example

MILLIMETRES = {"a4": (210, 297), "letter": (215.9, 279.4)}


@pytest.fixture(autouse=True)
def application() -> None:
    ensure_application()


def found(key: str, data: Any, variants: int = 1, questions: int = 4) -> list[Sheet]:
    algorithm = engine.algorithm(key)
    return sheets(
        Assignment(Source(data), algorithm, build(algorithm.params, {}), questions=questions),
        variants,
    )


def pages_of(content: bytes | None) -> int:
    assert (
        content is not None and content.startswith(b"%PDF") and content.rstrip().endswith(b"%%EOF")
    )
    return len(re.findall(rb"/Type /Page\b", content))


def spam(variants: int = 1) -> list[Worksheet]:
    return [worksheet(sheet) for sheet in found("perceptron", engine.textbook("spam"), variants)]


@pytest.mark.parametrize("paper", PAPERS)
def test_three_sheets_are_three_pages_and_three_keys(paper: str) -> None:
    content = worksheet_pdf(spam(3), paper)
    assert pages_of(content) == 6
    box = re.search(rb"/MediaBox \[([\d. ]+)\]", content or b"")
    assert box is not None
    _, _, wide, high = (float(number) / 72 * 25.4 for number in box[1].split())
    assert (wide, high) == pytest.approx(MILLIMETRES[paper], abs=0.6)


@pytest.mark.slow
@every
def test_every_algorithm_gives_pages(algorithm: Any) -> None:
    sheet = worksheet(of_example(algorithm.key))
    paper = sorted(PAPERS)[len(algorithm.key) % 2]
    assert 2 <= pages_of(worksheet_pdf([sheet], paper)) <= 8


def test_a_sheet_of_many_questions_goes_on_to_further_pages() -> None:
    (sheet,) = spam()
    long = replace(sheet, blocks=sheet.blocks * 6)
    assert pages_of(worksheet_pdf([long])) >= 8


def test_it_stops_at_the_given_step() -> None:
    assert worksheet_pdf(spam(3), tick=lambda done: done < 0.4) is None
    sheet_ = found("perceptron", engine.textbook("spam"))
    with pytest.raises(Stopped):
        list(course_content("worksheet", "x.pdf", sheet_, tick=lambda done: False))
    heard: list[float] = []
    worksheet_pdf(spam(2), tick=lambda done: heard.append(done) or True)  # type: ignore[func-returns-value]
    assert heard == sorted(heard) and heard[0] == 0 and heard[-1] < 1


def test_words_that_are_longer_than_a_line_are_broken() -> None:
    narrow = paragraph("a" * 400 + " b", 120.0)
    assert narrow.high == pytest.approx(19 * (narrow.high // 19)) and narrow.high > 19 * 10
    font = face(13)
    three = [word("wide", font, gap=4.0)] * 3
    assert flowing(three, advance(font, "wide") + 1, 20.0).high == 60.0
    assert flowing(three, 1000.0, 20.0).high == 20.0


def test_a_wide_table_is_set_smaller() -> None:
    few = table([["", "a"], ["x", "1"]], 300.0)
    many = table([["", *["a long name"] * 14], ["x", *["1.23456"] * 14]], 300.0)
    assert few.high == 2 * 23 and many.high < few.high


def test_what_is_a_little_too_high_is_set_smaller_and_what_is_more_goes_to_the_next_page() -> None:
    for share, wanted in ((0.9, 1), (1.1, 1), (1.5, 2), (3.5, 5)):

        def paint(pages: Pages, share: float = share) -> bool:
            part = Part(pages.room * share / 10, lambda painter, x, y: None)
            pages.fill(("", "", ""), lambda width: [[part]] * 10)
            return True

        assert pages_of(pdf("a4", "test", paint)) == wanted, share


def test_the_plane_stands_beside_a_question_about_points() -> None:
    (sheet,) = found("kmeans", engine.generate("blobs", 40, seed=1), questions=2)
    for exercise in sheet.exercises:
        image = QImage.fromData(plane_picture(sheet.trace, exercise))
        assert (image.width(), image.height()) == (1120, 680)
    with_pictures = replace(
        sheet,
        exercises=tuple(replace(e, picture=plane_picture(sheet.trace, e)) for e in sheet.exercises),
    )
    plain, rich = worksheet_pdf([worksheet(sheet)]), worksheet_pdf([worksheet(with_pictures)])
    assert plain is not None and rich is not None and len(rich) > len(plain) + 5_000


def test_a_table_without_a_plane_has_no_picture() -> None:
    (sheet,) = found("decision_tree", engine.textbook("restaurant"))
    assert {plane_picture(sheet.trace, exercise) for exercise in sheet.exercises} == {b""}
