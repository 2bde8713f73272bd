"""A lesson is written from nothing beside the lab, checked, saved, and opened again."""

from collections.abc import Callable
from pathlib import Path

import pytest
from laboratory import Lab
from PySide6.QtCore import QSettings
from PySide6.QtTest import QTest

from engine.lessons.checking import check
from engine.lessons.lesson import TaskKind
from engine.lessons.package import open_lesson
from engine.lessons.setting import document
from gui.lessons.author import Author, answer_lines, task_of


@pytest.fixture
def lab(settings: QSettings, tmp_path: Path, open_lab: Callable[..., Lab]) -> Lab:
    settings.setValue("lessons_folder", str(tmp_path / "lessons"))
    return open_lab()


def choose(author: Author, kind: TaskKind) -> None:
    author.kind.setCurrentIndex(author.kind.findData(kind))
    author.kind.activated.emit(author.kind.currentIndex())


def test_a_lesson_from_nothing(lab: Lab, tmp_path: Path) -> None:
    lab.window.action("make_lesson").trigger()
    author = lab.window.findChild(Author)
    assert (
        author is not None
        and author.empty.isVisible()
        and not author.buttons["Save as file…"].isEnabled()
    )
    trace = lab.session.lead.trace
    assert trace is not None
    mistake = int(trace.when("mistake")[1])
    lab.session.seek(mistake - 1)
    author.buttons["Page at this step"].click()
    author.before.click()
    assert author.page.where.words() == "before mistake 2"
    QTest.keyClicks(author.title, "A line")
    QTest.keyClicks(author.text, "Now w = ")
    author.value.activated.emit(author.value.findData("w"))
    assert author.page.text == "Now w = {w}"
    choose(author, TaskKind.STEP)
    QTest.keyClicks(author.ask, "Which w comes next?")
    author.hide_boxes["future"].click()
    lab.session.seek(0)
    author.buttons["Page at this step"].click()
    choose(author, TaskKind.STATE)
    QTest.keyClicks(author.ask, "Let it converge.")
    QTest.keyClicks(author.answers, 'event("converged")')
    lab.until(lambda: "The run meets it first at step" in author.truth.text())
    author.buttons["Up"].click()
    assert [page.where.words() for page in author.lesson.pages] == ["step 0", "before mistake 2"]
    assert author.check(), author.remark.text()
    author.preview()
    lab.settle()
    player = lab.window.commands.lessons.player
    assert player.running and not player.fault and player.lesson.title == "A line"
    path = tmp_path / "line.lesson"
    author.save_to(str(path))
    found = open_lesson(path)
    assert found.lesson is not None and found.lesson.digest is not None and not check(found)
    author.close()
    player.leave()
    assert document(found.lesson, 0, {}).lanes == lab.session.document.lanes


def test_answers_are_lines() -> None:
    lines = "* up\ndown | Then it would fall.\nneither"
    task = task_of(TaskKind.CHOICE, "Where?", lines, "", "")
    assert task.choices == ("up", "down", "neither") and task.right == ("up",)
    assert task.wrong == (("down", "Then it would fall."),) and answer_lines(task) == lines
    number = task_of(TaskKind.NUMBER, "How many?", "0,5\n2 | Halve it.", "", "")
    assert number.right == (0.5,) and number.wrong == (("2", "Halve it."),)
