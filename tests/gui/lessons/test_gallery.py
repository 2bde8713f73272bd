"""The start page lists, finds and opens lessons, by mouse and keys."""

from collections.abc import Callable
from pathlib import Path

import pytest
import shiboken6
from laboratory import CTRL, LEFT, NONE, Key, Lab
from PySide6.QtCore import QSettings
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QMessageBox

from engine.lessons.library import shipped, with_key
from engine.scene.figures import Table, Tree
from gui.app import open_window
from gui.lessons.gallery import Gallery
from gui.lessons.thumbnails import drawn

ONE_BOX = ("AI16", "AI38", "MI12", "ML07")  # with which their runs begin


@pytest.fixture
def lab(settings: QSettings, tmp_path: Path, open_lab: Callable[..., Lab]) -> Lab:
    settings.setValue("lessons_folder", str(tmp_path / "lessons"))
    settings.setValue("pictures_folder", str(tmp_path / "pictures"))
    return open_lab()


def titles(gallery: Gallery) -> list[str]:
    return [head.title for head in gallery.lessons.rows]


def test_a_lesson_is_found_opened_left_and_gone_on_with(lab: Lab, tmp_path: Path) -> None:
    lab.window.action("lessons").trigger()
    gallery = lab.window.commands.lessons.gallery
    lab.until(lambda: len(titles(gallery)) == len(shipped()))
    lab.until(lambda: bool(gallery.sittings))
    assert gallery.isVisible() and gallery.continuing.isHidden()
    right = max(gallery.list.visualRect(gallery.lessons.index(k)).right() for k in range(5))
    assert gallery.list.viewport().width() - right < 24  # no empty column beside the cards
    lab.until(lambda: any(tmp_path.joinpath("pictures").glob("*.png")))  # drawn and kept
    lab.write("e-mails perceptron")
    assert titles(gallery) == ["Six e-mails, one line"]
    lab.write(" zzz")
    assert titles(gallery) == []
    lab.until(gallery.none.isVisible)  # once the last file is read
    lab.key(Key.Key_Escape)
    assert len(titles(gallery)) > 1
    gallery.topics.setCurrentRow(1)
    assert {head.topic for head in gallery.lessons.rows} == {gallery.lessons.rows[0].topic}
    gallery.topics.setCurrentRow(0)
    row = titles(gallery).index("Six e-mails, one line")
    place = gallery.list.visualRect(gallery.lessons.index(row)).center()
    QTest.mouseClick(gallery.list.viewport(), LEFT, NONE, place)
    player = lab.window.commands.lessons.player
    assert gallery.isHidden() and player.running
    lab.settle()
    lab.key(Key.Key_PageDown)
    player.leave()
    lab.window.action("lessons").trigger()
    assert gallery.lessons.mark(gallery.lessons.rows[row]) == "page 2 of 8"
    assert gallery.continuing.what.text() == "Continue “Six e-mails, one line” at page 2 of 8"
    gallery.continuing.button.click()
    assert player.running and player.at == 1


def test_a_course_is_gone_through_in_its_order(lab: Lab) -> None:
    lab.window.action("lessons").trigger()
    commands = lab.window.commands.lessons
    gallery, list_of = commands.gallery, commands.gallery.courses
    lab.until(lambda: bool(gallery.sittings))
    gallery.kind.buttons()[1].click()
    lab.write("too good on")
    lab.until(lambda: len(list_of.cards) == len(gallery.sittings))
    (card,) = [card for card in list_of.cards if not card.isHidden()]
    first, second = card.course.lessons[:2]
    assert card.go_on.text() == "Begin" and gallery.count.text() == "1 of 12"
    QTest.mouseClick(card.rows[0], LEFT)
    player = commands.player
    assert gallery.isHidden() and player.lesson.key == first.key
    assert player.progress is not None
    for page in range(len(player.lesson.pages)):
        player.progress = player.progress.shown(page)
    player.go(len(player.lesson.pages) - 1)
    lab.settle()
    lab.key(Key.Key_PageDown)
    assert player.lesson.key == second.key and player.at == 0
    player.leave()
    lab.window.action("lessons").trigger()
    assert card.rows[0].mark == "✓ done" and card.go_on.text() == "Continue"
    card.go_on.click()
    assert player.lesson.key == second.key


def test_progress_is_forgotten_and_brought_back(
    lab: Lab, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    commands = lab.window.commands.lessons
    head = shipped()[0]
    commands.open(str(head.path))
    lab.settle()
    lab.key(Key.Key_PageDown)
    commands.leave()
    path = str(tmp_path / "mine.progress")
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (path, ""))
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (path, ""))
    pressed: list[QMessageBox] = []
    monkeypatch.setattr(QMessageBox, "exec", lambda box: pressed.append(box) or 0)
    monkeypatch.setattr(
        QMessageBox,
        "clickedButton",
        lambda box: next(each for each in box.buttons() if each.text() == "Forget"),
    )
    lab.window.action("lessons").trigger()
    gallery = commands.gallery
    lab.until(lambda: bool(gallery.sittings))
    carry, bring, forget, _, first = gallery.menu.menu().actions()[3:]
    carry.trigger()
    assert gallery.said.text() == "The progress in 1 lesson is saved as mine.progress."
    forget.trigger()
    assert pressed and commands.shelf.all() == [] and gallery.continuing.isHidden()
    bring.trigger()
    assert gallery.said.text() == "1 lesson brought back: 1 new."
    assert not gallery.continuing.isHidden() and commands.shelf.all()[0].title == head.title
    first.trigger()
    assert commands.first


@pytest.mark.parametrize(
    "key",
    [
        pytest.param(head.key, marks=[] if head.key in ONE_BOX else pytest.mark.sweep)
        for head in shipped()
    ],
)
def test_no_picture_is_one_box_or_one_row(qapp: QApplication, key: str) -> None:
    """A tree without a test and a hypothesis of one row say nothing about their lessons."""
    head = with_key(key)
    assert head is not None
    found = drawn(head.path, lambda _: True)
    view = found.shown.views[found.name] if found.name else None
    boxes = {Tree: "nodes", Table: "names"}.get(type(view))
    assert boxes is None or len(getattr(view, boxes)) > 1


def test_what_is_opened_from_elsewhere_is_shown(lab: Lab) -> None:
    lab.window.action("lessons").trigger()
    lab.key(Key.Key_K, CTRL)
    assert lab.window.search.isAncestorOf(QApplication.focusWidget() or lab.window)
    lab.window.commands.lessons.open_reported(str(shipped()[0].path))
    assert lab.window.commands.lessons.gallery.isHidden()


def test_keys_do_not_reach_the_lab_below(lab: Lab) -> None:
    lab.window.action("lessons").trigger()
    before = lab.session.cursor
    lab.window.commands.lessons.gallery.list.setFocus()
    lab.key(Key.Key_PageDown)
    lab.key(Key.Key_Space)
    assert lab.session.cursor == before and not lab.session.player.playing
    lab.key(Key.Key_Escape)
    assert lab.window.commands.lessons.gallery.isHidden()


def test_a_picture_that_comes_after_the_window_is_dropped(
    qapp: QApplication, settings: QSettings, tmp_path: Path
) -> None:
    """Its thread may end later than the window; the conftest fails for what Qt prints then."""
    settings.setValue("pictures_folder", str(tmp_path))
    window = open_window(settings)
    window.action("lessons").trigger()
    thumbnails = window.commands.lessons.gallery.thumbnails
    thumbnails.stop()
    window.session.close()
    window.close()
    shiboken6.delete(window)
    thumbnails.made.emit(None)
