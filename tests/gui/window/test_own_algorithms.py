"""A folder of one's own in the window: chosen, remembered, its broken page greyed with
the reason.
"""

import errno
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from laboratory import Key
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog

from engine.files.new_page import new_page
from engine.protocol import registry
from gui.setup.picker import WHY


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """With the page that `main.py new` writes and one that is broken."""
    place = tmp_path / "mine"
    new_page(place, "nearest_mean")
    (place / "unfinished.py").write_text("def steps(:\n", "utf-8")
    yield place
    registry.forget_added()


@pytest.mark.slow
def test_choosing_a_folder_puts_its_algorithms_into_the_list(
    lab: Any, folder: Path, monkeypatch: Any
) -> None:
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(folder))
    lab.window.action("own_algorithms").trigger()
    picker = lab.window.left_dock.picker
    picker.open()
    assert {"nearest_mean", "perceptron"} <= set(picker.listed())
    (row,) = [
        k for k in range(picker.model.rowCount()) if picker.model.item(k).text() == "unfinished"
    ]
    assert "SyntaxError" in picker.model.item(row).data(WHY)
    picker.search.setText("nearest_mean")
    assert picker.listed()[0] == "nearest_mean"
    QTest.keyClick(picker.search, Key.Key_Return)
    lab.settle()
    assert lab.session.lane.key == "nearest_mean"
    assert lab.session.trace[-1].line == "done"


@pytest.mark.slow
def test_a_broken_page_is_refused_with_its_reason(lab: Any, folder: Path) -> None:
    lab.window.commands.own.use(str(folder))
    picker = lab.window.left_dock.picker
    refused: list[str] = []
    picker.refused.connect(refused.append)
    picker.open()
    picker.search.setText("unfinished")
    QTest.keyClick(picker.search, Key.Key_Return)
    assert len(refused) == 1
    assert "SyntaxError" in refused[0]
    assert lab.session.lane.key != "unfinished"


@pytest.mark.slow
def test_the_folder_is_read_again_at_the_next_start(lab: Any, folder: Path) -> None:
    lab.window.commands.own.use(str(folder))
    registry.forget_added()
    assert "nearest_mean" not in registry.algorithms()
    lab.window.commands.own.load()
    assert "nearest_mean" in registry.algorithms()


def test_a_missing_folder_is_reported_with_a_way_out(lab: Any, folder: Path) -> None:
    lab.window.settings.setValue("own_algorithms", str(folder / "gone"))
    offered: list[tuple[Any, ...]] = []
    lab.session.offered.connect(lambda *args: offered.append(args))
    lab.window.commands.own.load()
    assert len(offered) == 1
    assert "gone" in offered[0][0]


@pytest.mark.parametrize(
    "kind", ["a pipe", "a device", "too long a name", "a folder that may not be read"]
)
def test_the_lab_starts_whatever_folder_it_remembers(
    open_lab: Any, settings: Any, folder: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    """It says what is wrong, and offers to choose another folder."""
    os.mkfifo(folder / "pipe")
    places = {
        "a pipe": folder / "pipe",
        "a device": os.devnull,
        "too long a name": folder / ("a" * 300),
    }
    settings.setValue("own_algorithms", str(places.get(kind, folder)))
    if kind not in places:

        def refuse(*_: object) -> None:
            raise PermissionError(errno.EACCES, "Permission denied")

        monkeypatch.setattr(Path, "iterdir", refuse)
    lab = open_lab(kept=settings)
    assert lab.said().endswith(".")
    assert registry.own_pages() == ()
    assert lab.session.trace is not None


def test_a_page_that_leaves_the_program_is_a_broken_one(lab: Any, folder: Path) -> None:
    (folder / "aborts.py").write_text("import sys\nsys.exit()\n", "utf-8")
    lab.window.commands.own.use(str(folder))
    assert "SystemExit" in registry.broken()["aborts"]
    assert "nearest_mean" in registry.algorithms()
