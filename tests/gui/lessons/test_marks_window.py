"""The marks of a class: read, filtered by a wrong answer, and the student's state opened."""

from collections.abc import Callable
from pathlib import Path

import pytest
from laboratory import LEFT, NONE, Lab
from PySide6.QtCore import QSettings
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog

from engine.base.records import replace
from engine.lessons.handin import as_text, hand_in
from engine.lessons.library import FOLDER
from engine.lessons.package import open_lesson
from engine.lessons.progress import begin
from engine.lessons.setting import document
from engine.lessons.states import state_text
from gui.lessons.marks_window import MarksWindow

SIX = FOLDER / "mmds" / "six_e_mails.toml"


@pytest.fixture
def hand_ins(tmp_path: Path) -> list[str]:
    """Lynx is right at once and keeps a state, Mole answers “b” twice; the third was changed."""
    found = open_lesson(SIX)
    assert found.lesson is not None
    new = begin(found.lesson)
    state = state_text(document(found.lesson, 7, found.files), 3)
    lynx = new.tried(4, ("d",), True).tried(7, ("x",), True).forked(7, "Perceptron", state)
    mole = new.tried(4, ("b",), False).tried(4, ("b",), False).said(4, "It comes second.")
    made = [hand_in(lynx, "Lynx", "1"), hand_in(mole, "Mole", "2"), hand_in(mole, "Newt", "3")]
    made[2] = replace(made[2], progress=lynx)
    paths = [tmp_path / f"{each.name}.handin" for each in made]
    for path, each in zip(paths, made, strict=True):
        path.write_text(as_text(each), encoding="utf-8")
    (tmp_path / "odd.handin").write_text("x", encoding="utf-8")
    return [*map(str, paths), str(tmp_path / "odd.handin")]


@pytest.fixture
def lab(settings: QSettings, tmp_path: Path, open_lab: Callable[..., Lab]) -> Lab:
    settings.setValue("lessons_folder", str(tmp_path / "lessons"))
    return open_lab()


def test_a_class_is_read_filtered_and_opened(
    lab: Lab, hand_ins: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lab.window.action("hand_ins").trigger()
    window = next(each for each in lab.window.findChildren(MarksWindow))
    assert window.empty.isVisible()
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda *_: (hand_ins, ""))
    window.buttons["Add hand-ins…"].click()
    lab.until(lambda: len(window.shown) == 3)
    assert window.count.text() == "3 hand-ins, 1 to look at"
    assert "not readable as TOML" in window.remarks.text()
    marks = [window.table.item(row, 5).data(0x0100) for row in range(3)]
    assert marks == ["2", "0", "2?"]
    item = window.wrong.item(0)
    assert item.text() == "5. Who is next?: b   (1 student)"
    place = window.wrong.visualItemRect(item).center()
    QTest.mouseClick(window.wrong.viewport(), LEFT, NONE, place)
    assert [name for name, _ in window.shown] == ["Mole"]
    assert window.tries.text() == "1. b\n2. b" and window.words.text() == "It comes second."
    window.open_button.click()  # no state was kept: the page of the lesson
    player = lab.window.commands.lessons.player
    assert player.running and player.at == 4
    window.all.click()
    window.table.setCurrentCell(0, 8)
    window.open_button.click()
    lab.settle()
    assert not player.running and lab.session.document.data.name == "Spam"
    assert lab.session.cursor == 3
    target = tmp_path / "marks.csv"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(target), ""))
    window.buttons["Save as CSV…"].click()
    assert "Lynx" in target.read_text(encoding="utf-8")
    window.close()
