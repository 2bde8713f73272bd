"""File → Page to step through: which steps, how large, made while the window goes on, whole or not
at all.
"""

import time
from collections.abc import Callable
from pathlib import Path

import pytest
from laboratory import READER, Lab, threads
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog

import engine.web.lanes
from engine.protocol.step import Level
from engine.web.page import MOST
from gui.dialogs.export_page import ExportPage

LONG = 120.0  # seconds that a busy machine may take


def opened(lab: Lab, monkeypatch: pytest.MonkeyPatch, path: Path) -> ExportPage:
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    lab.window.action("export_page").trigger()
    dialog = lab.window.findChild(ExportPage)
    assert isinstance(dialog, ExportPage)
    return dialog


def wait(done: Callable[[], bool]) -> None:
    """Until it is so; the window goes on meanwhile."""
    end = time.monotonic() + LONG
    while not done():
        assert time.monotonic() < end
        QTest.qWait(5)


@pytest.mark.slow
def test_the_chosen_steps_are_saved_and_the_window_says_so(
    lab: Lab, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    lab.settle()
    dialog = opened(lab, monkeypatch, tmp_path / "run")
    dialog.first.setValue(2)
    dialog.last.setValue(5)
    wait(lambda: "about" in dialog.summary.text())
    assert dialog.summary.text().startswith("4 steps, about")
    dialog.accept()
    wait(lambda: lab.said() == "Saved as run.html: open it in a browser.")
    assert (tmp_path / "run.html").read_text("utf-8").startswith("<!DOCTYPE html>")


@pytest.mark.slow
def test_a_page_that_is_given_up_or_fails_leaves_no_file(
    lab: Lab, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    lab.settle()
    folder = tmp_path / "pages"
    folder.mkdir()
    dialog = opened(lab, monkeypatch, folder / "run.html")
    dialog.accept()
    dialog.close()
    wait(lambda: not threads(READER))
    assert [each.name for each in folder.iterdir()] == []
    failing = opened(lab, monkeypatch, folder / "nowhere" / "run.html")
    failing.last.setValue(1)
    failing.accept()
    wait(lambda: "could not be saved" in failing.error.text())
    assert [each.name for each in folder.iterdir()] == []
    assert failing.go.isEnabled()  # another place can be chosen
    failing.close()


def test_too_many_steps_are_reported_before_anything_is_made(
    lab: Lab, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    lab.settle()
    dialog = opened(lab, monkeypatch, tmp_path / "run.html")
    dialog.last.setRange(0, 5 * MOST)
    dialog.last.setValue(4 * MOST)
    assert f"a page takes {MOST:,} at most" in dialog.error.text()
    dialog.first.setValue(1)
    dialog.last.setValue(0)
    assert dialog.error.text() == "The first is behind the last: nothing to step through."
    dialog.accept()
    assert not dialog.job.busy and not (tmp_path / "run.html").exists()
    dialog.close()


def test_the_lanes_of_a_document_make_one_page(lab: Lab) -> None:
    text = engine.web.lanes.page_of(lab.session.document, Level.STEP, 0, 3)
    assert lab.session.document.data.name in text
