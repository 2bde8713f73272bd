"""The start page lists, finds and opens lessons, by mouse and keys."""

from collections.abc import Callable
from pathlib import Path

import pytest
import shiboken6
from laboratory import LEFT, NONE, Key, Lab
from PySide6.QtCore import QSettings
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from engine.lessons.library import heads
from gui.app import open_window
from gui.lessons.gallery import Gallery


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
    lab.until(lambda: len(titles(gallery)) == len(list(heads())))
    assert gallery.isVisible() and gallery.continuing.isHidden()
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
    assert gallery.continuing.text() == "Continue “Six e-mails, one line”, page 2 of 8"
    gallery.continuing.click()
    assert player.running and player.at == 1


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
