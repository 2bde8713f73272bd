"""The sheets of keys and of what the program is, and files dropped onto the window."""

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QKeySequence
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QWidget

import engine
from gui.dialogs.about import AboutDialog, show_about
from gui.dialogs.keys import KeysDialog, key_text
from gui.look import style
from gui.window import dropping


def words(widget: QWidget) -> list[str]:
    return [label.text() for label in widget.findChildren(QLabel)]


# -- keys ------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_every_command_with_a_key_is_listed(qtbot: Any, window: Any) -> None:
    window.commands.show_keys()
    sheet = window.findChild(KeysDialog)
    listed = {(key, what) for _, rows in sheet.groups for key, what in rows}
    for action in window.actions_.all.values():
        if not action.shortcut().isEmpty():
            assert any(key == key_text(action.shortcut()) for key, _ in listed), action.text()
    for tool in window.plane.tools.values():
        assert (tool.shortcut, tool.title) in listed
    assert ("Space", "Play or pause") in listed
    shown = words(sheet)
    assert all(key in shown and what in shown for key, what in listed)
    sheet.close()


@pytest.mark.slow
def test_undo_is_listed_without_what_it_would_undo(window: Any) -> None:
    window.session.set_seed(3)
    window.commands.show_keys()
    sheet = window.findChild(KeysDialog)
    assert ("Ctrl+Z", "Undo") in dict(sheet.groups)["Edit"]
    sheet.close()


@pytest.mark.parametrize(
    ("given", "shown"),
    [("Right", "→"), ("Shift+Left", "Shift+←"), ("Ctrl+-", "Ctrl+−"), ("Ctrl++", "Ctrl++")],
)
def test_keys_as_they_are_engraved(qapp: Any, given: str, shown: str) -> None:
    assert key_text(QKeySequence(given)) == shown


@pytest.mark.slow
def test_f1_twice_shows_one_sheet(qtbot: Any, window: Any) -> None:
    window.commands.show_keys()
    window.commands.show_keys()
    assert sum(sheet.isVisible() for sheet in window.findChildren(KeysDialog)) == 1
    sheet = next(sheet for sheet in window.findChildren(KeysDialog) if sheet.isVisible())
    sheet.activateWindow()
    qtbot.waitUntil(sheet.isActiveWindow)
    qtbot.keyClick(sheet, Qt.Key.Key_Escape)
    assert not any(sheet.isVisible() for sheet in window.findChildren(KeysDialog))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["light", "dark", "projector"])
def test_nothing_is_cut_in_any_theme(qapp: Any, window: Any, name: str) -> None:
    style.apply(qapp, name)
    for sheet in (KeysDialog(window), AboutDialog(window)):
        sheet.show()
        QApplication.processEvents()
        assert sheet.width() <= 1280
        assert sheet.height() <= 800
        for label in sheet.findChildren(QLabel):
            assert label.wordWrap() or label.width() >= label.sizeHint().width(), label.text()
        sheet.close()


# -- about -----------------------------------------------------------------------------------------


@pytest.mark.slow
def test_about_names_version_licence_fonts_and_data(qtbot: Any, window: Any) -> None:
    sheet = show_about(window)
    assert isinstance(sheet, AboutDialog)
    text = " ".join(words(sheet)) + sheet.credits.toPlainText()
    for part in (
        f"version {engine.__version__}",
        "MIT licence",
        "Inter",
        "JetBrains Mono",
        "STIX",
        "iris",
        "CC BY 4.0",
        "UCI",
    ):
        assert part in text
    assert "`" not in text
    assert "*T" not in text
    close = sheet.findChild(QPushButton)
    qtbot.mouseClick(close, Qt.MouseButton.LeftButton)


# -- dropped files ---------------------------------------------------------------------------------


class Opener:
    def __init__(self) -> None:
        self.opened: list[str] = []
        self.said: list[str] = []

    def open_path(self, path: str) -> None:
        self.opened.append(path)

    def say(self, sentence: str) -> None:
        self.said.append(sentence)


def drop(widget: QWidget, mime: QMimeData) -> bool:
    """Drag over the widget and let go; whether it took it."""
    action = Qt.DropAction.CopyAction
    button = Qt.MouseButton.LeftButton
    keys = Qt.KeyboardModifier.NoModifier
    enter = QDragEnterEvent(QPoint(5, 5), action, mime, button, keys)
    QApplication.sendEvent(widget, enter)
    if not enter.isAccepted():
        return False
    event = QDropEvent(QPointF(5, 5), action, mime, button, keys)
    QApplication.sendEvent(widget, event)
    return event.isAccepted()


@pytest.fixture
def target(parent: Any) -> Any:
    parent.opener = Opener()
    dropping.install(parent, parent.opener.open_path, parent.opener.say)
    return parent


def test_a_dropped_file_is_opened(qtbot: Any, target: Any, tmp_path: Path) -> None:
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(tmp_path / "a.csv"))])
    assert drop(target, mime)
    qtbot.waitUntil(lambda: target.opener.opened == [str(tmp_path / "a.csv")])
    assert target.opener.said == []


def test_of_several_files_the_first(qtbot: Any, target: Any, tmp_path: Path) -> None:
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(tmp_path / name)) for name in ("a.csv", "b.csv")])
    assert drop(target, mime)
    qtbot.waitUntil(lambda: bool(target.opener.said))
    assert target.opener.opened == [str(tmp_path / "a.csv")]
    assert "first of the 2 files" in target.opener.said[0]


def test_text_and_addresses_are_not_taken(target: Any) -> None:
    text, address = QMimeData(), QMimeData()
    text.setText("1\t2")
    address.setUrls([QUrl("https://example.org/a.csv")])
    assert not drop(target, text)
    assert not drop(target, address)
