"""Questions for a course, out of the window: a preview first, then a file that is whole or not
there.
"""

import re
import threading
from pathlib import Path
from typing import Any

import pytest
from laboratory import Lab

import engine
from engine.document.document import Document
from engine.document.lane import lane
from gui.dialogs.export_questions import FORMATS, ExportQuestions
from gui.dialogs.saving import CANCELLED

pytestmark = pytest.mark.slow
PDF, HTML, MOODLE, QTI = range(4)
STARTS = {PDF: b"%PDF", HTML: b"<!DOCTYPE html>", MOODLE: b"<?xml", QTI: b"Quiz title: "}


def opened(open_lab: Any, key: str = "perceptron", data: Any = None) -> tuple[Lab, ExportQuestions]:
    table = data if data is not None else engine.textbook("spam")
    lab: Lab = open_lab(Document(table, (lane(key),)))
    lab.window.action("export_questions").trigger()
    dialog = next(found for found in lab.window.findChildren(ExportQuestions) if found.isVisible())
    lab.until(lambda: not dialog.looking.busy)
    return lab, dialog


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "out"
    made.mkdir()
    return made


def working() -> bool:
    return any(thread.name == "learnscope-reading" for thread in threading.enumerate())


@pytest.mark.parametrize("index", range(4))
def test_each_format_is_written_whole(open_lab: Any, folder: Path, index: int) -> None:
    ending = FORMATS[index][2]
    lab, dialog = opened(open_lab, "kmeans", engine.generate("blobs", 20, seed=1))
    assert dialog.go.isEnabled() and re.match(r"4 questions: step \d+", dialog.summary.text())
    dialog.format.setCurrentIndex(index)
    assert dialog.paper.isEnabled() == (index in (PDF, HTML))
    dialog.sheets.setValue(2)
    lab.until(lambda: not (dialog.job.busy or dialog.looking.busy))
    path = folder / f"questions{ending}"
    dialog.make(str(path))
    assert dialog.bar.isVisible() and not dialog.go.isEnabled()
    lab.until(lambda: path.exists() and "Saved as" in lab.said(), 120.0)
    assert path.read_bytes().startswith(STARTS[index])
    if index == MOODLE:
        assert b"@@PLUGINFILE@@" in path.read_bytes(), (
            "the plane stands beside what is asked about it"
        )


def test_an_impossible_question_is_reported_before(open_lab: Any) -> None:
    lab, dialog = opened(open_lab)
    dialog.first.setValue(900)
    lab.until(lambda: not (dialog.job.busy or dialog.looking.busy))
    assert (
        "There is no question from step 900 on" in dialog.error.text() and not dialog.go.isEnabled()
    )
    dialog.first.setValue(2)
    lab.until(lambda: not (dialog.job.busy or dialog.looking.busy))
    assert not dialog.error.text() and dialog.go.isEnabled() and "step 2" in dialog.summary.text()
    dialog.kind.setCurrentIndex(dialog.kind.findText("Which part of a figure"))
    lab.until(lambda: not (dialog.job.busy or dialog.looking.busy))
    assert "has no question of this kind" in dialog.error.text() and not dialog.go.isEnabled()
    dialog.reject()


@pytest.mark.parametrize(
    ("path", "said"), [("/dev/full", "No space left"), ("/nowhere/x", "No such file")]
)
def test_a_disk_that_refuses_is_a_sentence_and_one_may_save_elsewhere(
    open_lab: Any, path: str, said: str, tmp_path: Path
) -> None:
    lab, dialog = opened(open_lab)
    dialog.format.setCurrentIndex(MOODLE)
    lab.until(lambda: not (dialog.job.busy or dialog.looking.busy))
    dialog.make(path)
    lab.until(lambda: not (dialog.job.busy or dialog.looking.busy))
    assert said in dialog.error.text() and dialog.isVisible() and dialog.go.isEnabled()
    dialog.make(str(tmp_path / "x.xml"))
    lab.until(
        lambda: (tmp_path / "x.xml").exists() and not (dialog.job.busy or dialog.looking.busy)
    )


def test_a_cancelled_export_leaves_nothing(open_lab: Any, folder: Path) -> None:
    lab, dialog = opened(open_lab, "kmeans", engine.generate("blobs", 60, seed=1))
    dialog.sheets.setValue(60)
    moved: list[float] = []
    dialog.job.moved.connect(moved.append)
    dialog.make(str(folder / "x.pdf"))
    lab.until(lambda: bool(moved))
    assert lab.window.isVisible()
    dialog.reject()
    lab.until(lambda: not working())
    lab.settle()
    assert list(folder.iterdir()) == [] and "Saved" not in lab.said()
    assert dialog.isVisible() and dialog.summary.text() == CANCELLED and dialog.go.isEnabled()
    dialog.reject()
