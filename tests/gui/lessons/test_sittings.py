"""Three sittings of 45 minutes gone through page by page with mouse and keys, once answering right
and once wrong, at 1280 × 800 and on the projector.

`LEARNSCOPE_PICTURES=FOLDER` keeps a picture of each page before and after its answer.
"""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from cut import faults
from laboratory import LEFT, NONE, Key, Lab
from PySide6.QtCore import QSettings
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton

from engine.lessons.lesson import TaskKind
from engine.lessons.library import courses, shipped
from gui.lessons.panel import LessonPanel
from gui.lessons.player import LessonPlayer

pytestmark = pytest.mark.sweep
SITTINGS = ("trees", "lines", "neighbours")
KEPT = os.environ.get("LEARNSCOPE_PICTURES", "")


@pytest.fixture
def lab(settings: QSettings, tmp_path: Path, open_lab: Callable[..., Lab]) -> Lab:
    settings.setValue("lessons_folder", str(tmp_path / "lessons"))
    return open_lab()


def press(button: QAbstractButton) -> None:
    QTest.mouseClick(button, LEFT, NONE, button.rect().center())


class Student:
    """Goes through a lesson, and notes what is wrong with its pages."""

    def __init__(self, lab: Lab, name: str) -> None:
        self.lab, self.name = lab, name
        self.player: LessonPlayer = lab.window.commands.lessons.player
        self.noted: list[str] = []

    @property
    def panel(self) -> LessonPanel:
        assert self.lab.window.lesson_mode is not None
        return self.lab.window.lesson_mode.panel

    def go_through(self, path: Path) -> None:
        self.lab.window.commands.open_path(str(path))
        self.lab.until(lambda: self.player.running and self._stands())
        for page in range(len(self.player.lesson.pages)):
            if page:
                self.lab.key(Key.Key_PageDown)
            self.lab.until(lambda at=page: self.player.at == at and self._stands())
            self._look("asked")
            if self.player.asked is not None and not self.player.done:
                self.answer()
                self.lab.settle()
                self._look("answered")
        self.lab.key(Key.Key_Escape)

    def _stands(self) -> bool:
        return self.player.stand is not None or bool(self.player.fault)

    def _look(self, when: str) -> None:
        self.lab.settle()
        self.lab.settle_drawing()
        place = f"{self.player.lesson.key} page {self.player.at + 1} {when}"
        if self.player.fault:
            self.noted.append(f"{place}: {self.player.fault}")
        self.noted += [f"{place}: {fault}" for fault in faults(self.panel)]
        if KEPT:
            picture = f"{self.name}_{place.replace(' ', '_')}.png"
            self.lab.window.grab().save(str(Path(KEPT) / picture))

    def answer(self) -> None:
        raise NotImplementedError

    def fill(self, texts: tuple[str, ...]) -> None:
        fields = self.panel.page.blanks.fields
        for field, text in zip(fields, texts, strict=True):
            field.setFocus()
            field.selectAll()
            self.lab.write(text.replace("−", "-"))
        press(self.panel.page.blanks.enter)

    def cards(self, right: bool) -> Iterator[QAbstractButton]:
        assert self.player.asked is not None
        for card in self.panel.page.choices.cards:
            if (card.words in self.player.asked.right) is right:
                yield card

    def write_sentence(self) -> None:
        field = self.panel.page.sentence
        field.field.setFocus()
        self.lab.write("Because it errs less.")
        press(field.keep)

    def show_answer(self) -> None:
        self.panel.area.ensureWidgetVisible(self.panel.page.show_button)
        press(self.panel.page.show_button)


class Right(Student):
    """Answers each question right; of a task that the lab proves the answer is shown."""

    def answer(self) -> None:
        asked = self.player.asked
        assert asked is not None
        if asked.blanks:
            self.fill(tuple(blank.shown for blank in asked.blanks))
        elif asked.task.kind is TaskKind.TEXT:
            self.write_sentence()
        elif card := next(self.cards(right=True), None):
            self.panel.area.ensureWidgetVisible(card)
            press(card)
        else:
            self.show_answer()
            return
        if not self.player.answer_so_far.right:
            self.noted.append(f"{self.player.lesson.key} {self.player.at + 1}: not taken as right")


class Wrong(Student):
    """Answers wrong until the answer is shown."""

    def answer(self) -> None:
        asked = self.player.asked
        assert asked is not None
        if asked.task.kind is TaskKind.TEXT:
            self.write_sentence()
            return
        for _ in range(3):
            if self.player.done:
                break
            if asked.blanks:
                self.fill(("7777",) * len(asked.blanks))
            elif card := next((c for c in self.cards(right=False) if not c.state), None):
                self.panel.area.ensureWidgetVisible(card)
                press(card)
            else:
                self.show_answer()
            if not self.panel.page.said.text() and not self.player.done:
                self.noted.append(f"{self.player.lesson.key} {self.player.at + 1}: no reply")
        if not self.player.done:
            self.show_answer()
        if self.player.answer_so_far.right:
            self.noted.append(f"{self.player.lesson.key} {self.player.at + 1}: taken as right")


@pytest.mark.parametrize("answers", [Right, Wrong])
@pytest.mark.parametrize("theme", ["light", "projector"])
@pytest.mark.parametrize("sitting", SITTINGS)
def test_a_sitting_is_gone_through(
    lab: Lab, sitting: str, theme: str, answers: type[Student]
) -> None:
    lab.window.use_theme(theme)
    student = answers(lab, f"{sitting}_{theme}_{answers.__name__.lower()}")
    course = next(each for each in courses().courses if each.key == sitting)
    for head in course.lessons:
        student.go_through(Path(head.path))
    assert student.noted == []


@pytest.mark.parametrize("part", range(8))
def test_every_lesson_is_gone_through(lab: Lab, part: int) -> None:
    student = Right(lab, "all")
    for head in shipped()[part::8]:
        student.go_through(Path(head.path))
    assert student.noted == []
