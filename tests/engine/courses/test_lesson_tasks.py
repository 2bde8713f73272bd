"""The tasks of a lesson for a course: on paper with the key, and for Moodle with its replies."""

from pathlib import Path
from xml.etree import ElementTree

import pytest

import main
from engine.base.errors import EngineError
from engine.base.place import ASSETS
from engine.courses.lessons import for_the_lab, lesson_moodle, lesson_worksheet, tasks_of
from engine.lessons.package import lesson_of, open_lesson

LESSONS = ASSETS / "lessons" / "mmds"


def test_the_six_e_mails_for_moodle() -> None:
    """MMDS Fig 12.6: five numbers as a cloze, choices with a reply to each wrong one."""
    tasks = tasks_of(open_lesson(LESSONS / "six_e_mails.toml"))
    quiz = ElementTree.fromstring(b"".join(lesson_moodle(tasks)))
    kinds = [question.get("type") for question in quiz]
    assert kinds == ["category", "cloze", "multichoice", "multichoice", "multichoice"]
    assert for_the_lab(tasks) == 2
    cloze = quiz[1].findtext("questiontext/text") or ""
    assert [cloze.count(f":NUMERICAL:={w}:") for w in ("0.5", "-0.5", "0")] == [3, 1, 1]
    assert "You added the row" in (quiz[1].findtext("generalfeedback/text") or "")
    answers = quiz[3].findall("answer")
    who = {a.findtext("text"): (a.get("fraction"), a.findtext("feedback/text")) for a in answers}
    assert who["d"] == ("100", "") and "".join(map(str, who)) == "abcdef"
    assert who["b"][0] == "0" and "its turn in this round is over" in (who["b"][1] or "")


def test_a_single_number_has_wrong_ones_with_replies() -> None:
    """MMDS Example 12.13: 5.514 at 3.5; 6 is the mean of the two nearest."""
    tasks = tasks_of(open_lesson(LESSONS / "one_over_the_square.toml"))
    quiz = ElementTree.fromstring(b"".join(lesson_moodle(tasks)))
    answers = next(q for q in quiz if q.get("type") == "numerical").findall("answer")
    right, mean = answers[:2]
    assert float(right.findtext("text") or 0) == pytest.approx(5.514, abs=5e-4)
    assert (mean.findtext("text"), mean.get("fraction")) == ("6", "0")
    assert "two nearest" in (mean.findtext("feedback/text") or "")


def test_places_are_marked_in_the_picture_on_paper() -> None:
    """MMDS Fig 12.14: the three rings; the key names them and what else people click."""
    tasks = tasks_of(open_lesson(LESSONS / "three_rings.toml"), lambda page: b"PNG")
    block = lesson_worksheet(tasks).blocks[0]
    assert block.title == "In the picture: Three points will lie on its kerbs. Click them."
    assert block.picture == b"PNG" and not block.ruled and block.answer == "(4, 5), (2, 1), (6, 3)"
    assert any("stand in the street" in line for line in block.working)
    assert for_the_lab(tasks) == 2  # Moodle goes without it, and without the change of the data


def test_the_worksheet_of_a_lesson(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    sheet = lesson_worksheet(tasks_of(open_lesson(LESSONS / "six_e_mails.toml")))
    assert [len(block.choices) for block in sheet.blocks] == [0, 3, 6, 3, 0, 0]
    assert [shown for shown, _ in sheet.blocks[0].blanks] == ["0.50", "0.50", "−0.50", "0", "0.50"]
    assert sheet.points == 12 and len(sheet.cells) == 7
    assert sheet.blocks[4].title.startswith("In the lab") and sheet.blocks[4].ruled
    assert not any(block.hint for block in sheet.blocks), "hints belong to the key"
    paper, moodle = tmp_path / "six.html", tmp_path / "six.xml"
    lesson = str(LESSONS / "six_e_mails.toml")
    files = ["--worksheet", str(paper), "--moodle", str(moodle)]
    assert main.main(["answers", lesson, *files]) == 0
    assert "2 need the lab" in capfd.readouterr().out
    assert "Which w comes next?" in paper.read_text("utf-8") and moodle.read_bytes()
    assert main.main(["answers", lesson]) == 2
    assert main.main(["answers", lesson, "--worksheet", "six.txt"]) == 2
    with pytest.raises(EngineError, match="TOML"):
        tasks_of(lesson_of("title"))
