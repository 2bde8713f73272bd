"""File → Export: what all of its entries have in common."""

from pathlib import Path
from typing import Any

import pytest
from laboratory import LEFT, READER, Key, Lab, threads
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QMenu, QPushButton

from gui.dialogs.saving import CANCELLED, Saving
from gui.session.session import EXPORT_COVERED

pytestmark = pytest.mark.slow
FILES = {
    "export_page": "run.html",
    "film": "run.gif",
    "handout": "run.pdf",
    "export_questions": "run.pdf",
    "numbers": "run.csv",
}
ENTRIES = ("script", *FILES)


def menu(lab: Lab) -> QMenu:
    file = next(menu for menu in lab.window.actions_.menus if menu.title() == "&File")
    found = next(entry for entry in file.actions() if entry.text() == "Export").menu()
    assert isinstance(found, QMenu)
    return found


def shown() -> list[Any]:
    return [
        each
        for each in QApplication.topLevelWidgets()
        if isinstance(each, Saving) and each.isVisible()
    ]


def opened(lab: Lab, name: str) -> Any:
    lab.window.action(name).trigger()
    (dialog,) = shown()
    dialog.activateWindow()
    lab.until(dialog.isActiveWindow)
    lab.until(dialog.go.isEnabled)
    return dialog


def clicked(dialog: Saving, words: str) -> None:
    found = next(each for each in dialog.findChildren(QPushButton) if each.text() == words)
    QTest.mouseClick(found, LEFT, pos=found.rect().center())


def save_to(monkeypatch: pytest.MonkeyPatch, path: Path) -> None:
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))


def test_each_entry_of_the_menu_is_tried_here(lab: Lab) -> None:
    assert {lab.window.action(name) for name in ENTRIES} == set(menu(lab).actions())


@pytest.mark.parametrize("name", FILES)
def test_a_dialogue_is_called_as_in_the_menu_and_leaves_by_escape(lab: Lab, name: str) -> None:
    dialog = opened(lab, name)
    assert f"{dialog.windowTitle()}…" == lab.window.action(name).text()
    words = [
        each.text() for each in dialog.findChildren(QPushButton) if each.isVisible() and each.text()
    ]
    assert sorted(words) == ["Cancel", "Save…"]
    QTest.keyClick(dialog, Key.Key_Escape)
    assert shown() == []


@pytest.mark.parametrize("name", ENTRIES)
def test_nothing_is_saved_that_predict_covers(
    lab: Lab, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(
        QFileDialog, "getSaveFileName", lambda *_: pytest.fail("nothing can be saved")
    )
    lab.settle()
    lab.window.action("predict").trigger()
    lab.window.action(name).trigger()
    assert lab.said() == EXPORT_COVERED and shown() == []


@pytest.mark.parametrize("name", FILES)
def test_nor_by_a_dialogue_that_was_open_before(
    lab: Lab, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(
        QFileDialog, "getSaveFileName", lambda *_: pytest.fail("nothing can be saved")
    )
    lab.settle()
    dialog = opened(lab, name)
    lab.window.action("predict").trigger()
    clicked(dialog, "Save…")
    assert dialog.error.text() == EXPORT_COVERED and not dialog.job.busy
    dialog.close()


@pytest.mark.parametrize("name", FILES)
def test_cancel_stops_what_is_made_and_then_leaves(
    lab: Lab, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    place = tmp_path / "place"
    place.mkdir()
    save_to(monkeypatch, place / FILES[name])
    lab.settle()
    dialog = opened(lab, name)
    clicked(dialog, "Save…")
    assert dialog.bar.isVisible() and not dialog.go.isEnabled()
    clicked(dialog, "Cancel")
    assert (
        dialog.summary.text() == CANCELLED and dialog.go.isEnabled() and not dialog.bar.isVisible()
    )
    lab.until(lambda: not threads(READER))
    assert list(place.iterdir()) == [] and "Saved" not in lab.said()
    clicked(dialog, "Cancel")
    assert shown() == []


@pytest.mark.parametrize("name", FILES)
def test_a_full_disk_is_a_sentence_and_another_place_may_be_chosen(
    lab: Lab, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    place = tmp_path / "place"
    place.mkdir()
    save_to(monkeypatch, place / FILES[name])
    lab.settle()
    dialog = opened(lab, name)
    if name in ("film", "handout", "numbers"):
        dialog.steps.setText("0:3")
    if name == "export_page":
        dialog.last.setValue(3)
    with monkeypatch.context() as broken:
        broken.setattr("engine.files.atomic.os.fsync", full)
        clicked(dialog, "Save…")
        lab.until(lambda: "No space left on device" in dialog.error.text(), 60.0)
    assert list(place.iterdir()) == [] and dialog.isVisible() and dialog.go.isEnabled()
    dialog.close()


def test_a_script_without_room_is_a_sentence(
    lab: Lab, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save_to(monkeypatch, tmp_path / "nowhere" / "run.py")
    lab.settle()
    lab.window.action("script").trigger()
    assert "could not be saved" in lab.said()
