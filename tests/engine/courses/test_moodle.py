"""The Moodle XML: as docs.moodle.org/en/Moodle_XML_format and
Embedded_Answers_(Cloze)_question_type describe it.
"""

import re
from base64 import b64decode
from html import unescape
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine.courses import Sheet, moodle_xml, sheets
from engine.courses.markup import cdata, clean, html
from engine.courses.moodle import plain
from engine.judge.questions import Ask, Every, Kind
from tests.courses import HOSTILE, assignment, every, of_example

# NUMBER_REGEX and the field of a cloze, as Moodle documents them
NUMBER = r"-?(?:[0-9]+[.,]?[0-9]*|[.,][0-9]+)(?:[eE][-+]?[0-9]+)?"
FIELD = re.compile(r"\{([0-9]*):(NUMERICAL):=(" + NUMBER + "):(" + NUMBER + r")\}")
ANY_FIELD = re.compile(
    r"\{[0-9]*:(?:NUMERICAL|NM|MULTICHOICE|MC|MCV|MCH|SHORTANSWER|SA|MW|SAC|MWC|MR|MULTIRESPONSE)\w*:"
)
PARTS = {
    "numerical": {"name", "questiontext", "generalfeedback", "defaultgrade", "penalty", "hidden",
    "answer"},
    "multichoice": {
        "name", "questiontext", "generalfeedback", "defaultgrade", "penalty", "hidden", "answer",
        "single", "shuffleanswers",
        "answernumbering",
    },
    "cloze": {"name", "questiontext", "generalfeedback", "penalty", "hidden"},
}  # fmt: skip


def parsed(found: list[Sheet]) -> ElementTree.Element:
    content = b"".join(moodle_xml(found))
    assert content.startswith(b"<?xml"), "a line before would confuse Moodle's parser"
    return ElementTree.fromstring(content)


def text_of(question: ElementTree.Element, part: str) -> str:
    return question.findtext(f"{part}/text") or ""


def check(question: ElementTree.Element) -> None:
    """One question by the documented format."""
    kind = question.get("type") or ""
    assert {part.tag for part in question} == PARTS[kind]
    assert 0 < len(text_of(question, "name")) <= 255
    for part in ("questiontext", "generalfeedback"):
        assert question.find(part).get("format") == "html"  # type: ignore[union-attr]
        assert text_of(question, part).strip()
        # the HTML inside is whole, too
        ElementTree.fromstring(f"<div>{text_of(question, part)}</div>")
    assert 0 <= float(question.findtext("penalty") or "nan") <= 1
    fractions = [float(answer.get("fraction") or "nan") for answer in question.findall("answer")]
    if kind == "cloze":
        check_cloze(question)
        return
    assert float(question.findtext("defaultgrade") or "nan") > 0
    assert max(fractions) == 100 and set(fractions) <= {0.0, 100.0}
    if kind == "numerical":
        (answer,) = question.findall("answer")
        assert re.fullmatch(NUMBER, answer.findtext("text") or "")
        assert float(answer.findtext("tolerance") or "nan") >= 0
    else:
        assert question.findtext("single") == "true" and len(fractions) >= 2
        texts = [answer.findtext("text") for answer in question.findall("answer")]
        assert all(texts) and len(set(texts)) == len(texts)


def check_cloze(question: ElementTree.Element) -> None:
    text = text_of(question, "questiontext")
    assert len(FIELD.findall(text)) == len(ANY_FIELD.findall(text)) >= 2
    assert not re.search(r"[{}]", FIELD.sub("", text))


@pytest.mark.slow
@every
def test_every_algorithm_gives_questions_that_moodle_reads(algorithm: Any) -> None:
    sheet = of_example(algorithm.key)
    assert sheet.exercises
    quiz = parsed([sheet])
    assert quiz.tag == "quiz" and quiz[0].get("type") == "category"
    questions = [q for q in quiz if q.get("type") != "category"]
    assert len(questions) == len(sheet.exercises)
    for question in questions:
        check(question)


def test_the_first_split_of_the_restaurant() -> None:
    """AIMA 18.3.4: Patrons has the largest gain, 0.541 bits; of five that tie in the second split
    each is right.
    """
    (sheet,) = sheets(assignment("decision_tree", questions=2))
    _, first, second = parsed([sheet])
    assert first.get("type") == "multichoice" and "Which has the largest gain?" in text_of(
        first, "questiontext"
    )
    right = [a.findtext("text") for a in first.findall("answer") if a.get("fraction") == "100"]
    assert right == ["Patrons"]
    assert "Patrons: 0.5409 bits" in text_of(first, "generalfeedback")
    tied = {a.findtext("text") for a in second.findall("answer") if a.get("fraction") == "100"}
    assert tied == {"Hungry", "Price", "Res", "Type", "Est"}
    assert "<td>French</td>" in text_of(first, "questiontext"), (
        "the table stands beside: there is nothing else to look at"
    )


def test_a_step_of_the_perceptron_is_a_text_with_fields() -> None:
    """MMDS Example 12.4: the first update with η = ½ makes w = (½, ½, 0, ½, ½); it is the second
    step of the run.
    """
    (sheet,) = sheets(assignment("perceptron", engine.textbook("spam"), questions=1))
    question = parsed([sheet])[1]
    assert question.get("type") == "cloze"
    fields = FIELD.findall(text_of(question, "questiontext"))
    assert [float(value) for _, _, value, _ in fields] == [0.5, 0.5, 0, 0.5, 0.5]
    assert {float(within) for _, _, _, within in fields} == {0.01}


def test_several_sheets_have_a_category_for_each_question() -> None:
    found = sheets(
        assignment("perceptron", engine.generate("leaning_clouds", 12, seed=3), questions=2), 4
    )
    quiz = parsed(found)
    kinds = [q.get("type") == "category" for q in quiz]
    assert kinds == [True, *[False] * 4, True, *[False] * 4]
    names = [q.findtext("category/text") for q in quiz if q.get("type") == "category"]
    assert len(set(names)) == 2 and all(name and name.startswith("$course$/top/") for name in names)
    texts = [text_of(q, "questiontext") for q in quiz if q.get("type") != "category"]
    assert len(set(texts)) == len(texts)


def test_names_of_columns_and_rows_stay_text() -> None:
    names = [*HOSTILE[:4], "plain"]
    rng = np.random.default_rng(0)
    data = engine.Dataset.from_arrays(
        rng.integers(0, 2, (12, 5)).astype(float), rng.integers(0, 2, 12), names=names
    )
    for key in ("decision_tree", "perceptron", "winnow"):
        (sheet,) = sheets(assignment(key, data, questions=4, ask=Ask(Every.STEP)))
        for question in parsed([sheet])[1:]:
            check(question)


@given(st.text())
def test_any_text_comes_back_out_of_the_xml(text: str) -> None:
    content = f"<t>{cdata(html(text))}</t>".encode()
    found = ElementTree.fromstring(content).text or ""
    wanted = clean(text).replace("\r\n", "\n").replace("\r", "\n")  # any reader of XML does so
    assert unescape(found) == wanted and clean(wanted) == wanted


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_is_whole_xml(text: str) -> None:
    assert ElementTree.fromstring(f"<t>{cdata(text)}</t>".encode()).text == clean(text)


@given(st.floats(allow_nan=False, allow_infinity=False, max_value=1e300, min_value=-1e300))
def test_numbers_are_written_as_moodle_reads_them(value: float) -> None:
    assert re.fullmatch(NUMBER, plain(value))
    assert float(plain(value)) == pytest.approx(value, rel=1e-11)


def test_a_picture_goes_into_the_file() -> None:
    wanted = assignment("kmeans", engine.generate("blobs", 12, seed=1), questions=1)
    (sheet,) = sheets(wanted, picture=lambda trace, each: b"\x89PNG picture")
    (exercise,) = sheet.exercises
    assert exercise.question.kind is Kind.BAR
    text = parsed([sheet])[1].find("questiontext")
    assert text is not None and "@@PLUGINFILE@@/plane.png" in (text.findtext("text") or "")
    file = text.find("file")
    assert file is not None and file.get("encoding") == "base64"
    assert b64decode(file.text or "") == b"\x89PNG picture"
