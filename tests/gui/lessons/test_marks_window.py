"""The marks of a class: read, filtered by a wrong answer, and the student's state opened."""

from collections.abc import Callable
from pathlib import Path

import pytest
from laboratory import LEFT, NONE, Key, Lab
from PySide6.QtCore import QMimeData, QPointF, QSettings, Qt, QUrl
from PySide6.QtGui import QDropEvent, QImage, QPainter, QPixmap
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog

from engine.base.records import replace
from engine.lessons.handin import as_text, hand_in
from engine.lessons.library import FOLDER
from engine.lessons.package import open_lesson
from engine.lessons.progress import begin
from engine.lessons.setting import document
from engine.lessons.states import state_text
from gui.lessons.mark_shapes import paint_mark
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
    assert item.text().startswith("5. Who is next?: b") and item.text().endswith("(1 student)")
    place = window.wrong.visualItemRect(item).center()
    QTest.mouseClick(window.wrong.viewport(), LEFT, NONE, place)
    assert [name for name, _ in window.shown] == ["Mole"]
    assert (
        window.side.tries.text() == "1. b\n2. b" and window.side.words.text() == "It comes second."
    )
    window.side.open_button.click()  # no state was kept: the page of the lesson
    player = lab.window.commands.lessons.player
    assert player.running and player.at == 4
    window.all.click()
    window.table.setCurrentCell(0, 8)
    window.side.open_button.click()
    lab.settle()
    assert not player.running and lab.session.document.data.name == "Spam"
    assert lab.session.cursor == 3
    target = tmp_path / "marks.csv"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(target), ""))
    window.buttons["Save as CSV…"].click()
    assert "Lynx" in target.read_text(encoding="utf-8")
    window.close()


HELPS = FOLDER / "mmds" / "helps_and_may_not_do.toml"


def test_a_folder_is_dropped_and_walked_through_by_keys(lab: Lab, tmp_path: Path) -> None:
    """w before is (1, 2), the point (3, −2) of class 1, η 0.5: right is (2.5, 1)."""
    found = open_lesson(HELPS)
    assert found.lesson is not None
    new = begin(found.lesson)
    once, later = new.tried(1, ("2.5", "1"), True), new.tried(1, ("-0.5", "3"), False)
    folder = tmp_path / "class"
    folder.mkdir()
    for name, answers in (
        ("Asp", once),
        ("Bee", later),
        ("Cat", later.tried(1, ("2.5", "1"), True)),
        ("Dog", new.spent(0, 5)),
    ):
        (folder / f"{name}.handin").write_text(as_text(hand_in(answers, name, "1")), "utf-8")
    opened: list[tuple[str, int]] = []
    window = MarksWindow(
        lab.window, lambda: "", lambda handin, page, _: opened.append((handin.name, page)) or ""
    )
    window.show()
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(folder))])
    buttons, keys = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    window.dropEvent(QDropEvent(QPointF(9, 9), Qt.DropAction.CopyAction, data, buttons, keys))
    lab.until(lambda: window.side.searched)
    share = window.shares.shares[2]
    assert (share.at_once, share.later, share.of) == (1, 1, 4)
    assert [window.table.item(row, 2).data(0x0100) for row in range(4)] == ["2", "0", "1", ""]
    window.table.setCurrentCell(0, 2)
    QTest.keyClick(window.table, Key.Key_Down)
    lab.until(lambda: window.side.picture.picture is not None)
    assert window.side.right.text() == "2.50; 1"
    assert window.side.given.text().startswith("-0.5; 3: You subtracted.")
    assert window.side.given.text().endswith("; so did 1 other")
    QTest.keyClick(window.table, Key.Key_N)
    assert window.side.who.text() == "Cat, page 2"
    QTest.keyClick(window.table, Key.Key_Return)
    assert opened == [("Cat", 1)]
    item = window.wrong.item(0)
    QTest.mouseClick(
        window.wrong.viewport(), LEFT, NONE, window.wrong.visualItemRect(item).center()
    )
    assert [name for name, _ in window.shown] == ["Bee", "Cat"]
    window.close()


def test_each_mark_has_a_shape_of_its_own(lab: Lab) -> None:
    pictures = set()
    for mark in ("2", "1", "0", "", "·", "2?"):
        picture = QPixmap(20, 20)
        picture.fill(Qt.GlobalColor.white)
        with QPainter(picture) as painter:
            paint_mark(painter, QPointF(10, 10), mark)
        grey = picture.toImage().convertToFormat(QImage.Format.Format_Grayscale8)
        pictures.add(bytes(grey.constBits()))
    assert len(pictures) == 6
