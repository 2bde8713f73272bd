"""Settings that hold nonsense, and event filters that meet a fault: the window opens, works and
closes all the same.
"""

import ast
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from laboratory import Key, Lab
from PySide6.QtCore import QByteArray, QEvent, QObject, QPoint, QSettings, QStandardPaths
from PySide6.QtWidgets import QApplication

from gui.base.guard import guarded_filter
from gui.look import theme

pytestmark = pytest.mark.usefixtures("built")

GUI = Path(__file__).resolve().parents[3] / "gui"
KEYS = sorted(
    {
        key
        for path in GUI.rglob("*.py")
        for key in re.findall(r'(?:settings, |setValue\()"(\w+)"', path.read_text("utf-8"))
    }
)
NONSENSE: dict[str, Any] = {
    "a NUL": "a\0b",
    "huge": "x" * 100_000,
    "a folder that cannot be": f"{__file__}/folder",
    "nothing": "",
    "a number": 7.5,
    "truth": True,
    "bytes": QByteArray(b"\x00\xff\x17 no geometry"),
    "a list": ["a\0b", "x" * 100_000, 3, None, ["deeper"]],
    "a mapping": {"a": 1},
    "a place": QPoint(3, 4),
}


def test_all_keys_are_known() -> None:
    assert KEYS == [
        "autosave_folder",
        "folded",
        "folder",
        "geometry",
        "lessons_folder",
        "pictures_folder",
        "recent",
        "sizes",
        "student",
        "theme",
        "type",
    ]


@pytest.mark.slow
@pytest.mark.parametrize("nonsense", NONSENSE.values(), ids=NONSENSE)
def test_the_window_works_whatever_the_settings_hold(
    open_lab: Any,
    settings: QSettings,
    nonsense: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(QStandardPaths, "writableLocation", lambda _: str(tmp_path / "usual"))
    for key in KEYS:
        settings.setValue(key, nonsense)
    settings.sync()
    lab: Lab = open_lab()
    assert theme.current().name == "light"
    cursor = lab.session.cursor
    lab.key(Key.Key_PageDown)
    lab.settle()
    assert lab.session.cursor == cursor + 1
    lab.click(*lab.free_place())
    lab.settle()
    lab.window.commands.files.secure()
    assert lab.window.commands.files.recent() == []
    assert "\0" not in lab.window.commands.files.folder()
    lab.window.recent_menu.aboutToShow.emit()
    lab.window.room.fold_docks()
    lab.session.saved = lab.session.document
    assert lab.window.close()


def test_a_safety_folder_that_cannot_be_is_the_usual_one(
    open_lab: Any, settings: QSettings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QStandardPaths, "writableLocation", lambda _: str(tmp_path / "usual"))
    settings.setValue("autosave_folder", "a\0b")
    lab = open_lab()
    assert lab.window.commands.files.autosave.folder == tmp_path / "usual" / "autosave"
    assert lab.window.commands.files.secure()


class Faulty(QObject):
    """An event filter with a fault at every event."""

    count = 0

    @guarded_filter
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self.count += 1
        raise ValueError("embedded null byte")


def test_a_fault_in_an_event_filter_is_reported_once_and_goes_no_further(
    lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    kinds: list[type] = []

    def hook(kind: type, fault: BaseException, where: object) -> None:
        """As the program does it: the message makes events, which the filter gets too."""
        kinds.append(kind)
        lab.session.say("A fault of the program.", "fault")
        QApplication.sendEvent(lab.window, QEvent(QEvent.Type.User))

    monkeypatch.setattr(sys, "excepthook", hook)
    filtering = Faulty()
    lab.window.installEventFilter(filtering)
    QApplication.sendEvent(lab.window, QEvent(QEvent.Type.User))
    lab.window.removeEventFilter(filtering)
    assert kinds == [ValueError]
    assert filtering.count >= 2
    assert lab.said() == "A fault of the program."


@pytest.mark.slow
def test_a_fault_of_the_keys_takes_no_key_and_no_stack(
    lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    kinds: list[type] = []
    monkeypatch.setattr(
        sys,
        "excepthook",
        lambda kind, fault, where: (kinds.append(kind), lab.session.say("!", "fault")),
    )
    monkeypatch.setattr(lab.window.commands, "take_tool", lambda tool: 1 / 0)
    lab.key(Key.Key_A)
    assert set(kinds) == {ZeroDivisionError}
    monkeypatch.undo()
    lab.key(Key.Key_PageDown)
    lab.settle()
    assert lab.session.cursor == 1


@pytest.mark.slow
def test_every_event_filter_lets_nothing_out() -> None:
    filters = [
        (path.name, [ast.unparse(each) for each in node.decorator_list])
        for path in sorted(GUI.rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.FunctionDef) and node.name == "eventFilter"
    ]
    assert filters
    assert [name for name, guards in filters if guards != ["guarded_filter"]] == []
