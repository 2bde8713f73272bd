"""Moving pictures, handouts and numbers from the window, with real keys and mouse."""

import csv
import os
import re
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from laboratory import LEFT, READER, Key, Lab, threads
from PIL import Image
from PySide6.QtCore import QPoint, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QPushButton
from shiboken6 import Shiboken

import engine
from engine.protocol.step import Level
from gui.dialogs.export_film import ExportFilm
from gui.dialogs.export_handout import ExportHandout
from gui.dialogs.export_numbers import ExportNumbers
from gui.dialogs.export_steps import ExportSteps
from gui.dialogs.saving import CANCELLED
from gui.export import kinds
from gui.export.film import pictures
from gui.export.kinds import Kind

pytestmark = pytest.mark.slow
DIALOGS = {"film": ExportFilm, "handout": ExportHandout, "numbers": ExportNumbers}


def opened(lab: Lab, name: str) -> Any:
    """The dialogue behind an entry of the menu File → Export, found and chosen there."""
    file = next(menu for menu in lab.window.actions_.menus if menu.title() == "&File")
    export = next(entry for entry in file.actions() if entry.text() == "Export").menu()
    entry = lab.window.action(name)
    assert entry in export.actions()
    entry.trigger()
    (dialog,) = [
        w for w in QApplication.topLevelWidgets() if isinstance(w, DIALOGS[name]) and w.isVisible()
    ]
    dialog.activateWindow()
    lab.until(dialog.isActiveWindow)
    return dialog


def save_to(monkeypatch: pytest.MonkeyPatch, path: Path) -> None:
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))


def typed(dialog: ExportSteps, text: str) -> None:
    dialog.steps.setFocus()
    dialog.steps.selectAll()
    QTest.keyClicks(dialog.steps, text)


def button(dialog: ExportSteps, words: str) -> QPushButton:
    return next(found for found in dialog.findChildren(QPushButton) if found.text() == words)


def clicked(dialog: ExportSteps, words: str) -> None:
    found = button(dialog, words)
    QTest.mouseClick(found, LEFT, pos=found.rect().center())


def removed(dialog: ExportSteps) -> bool:
    return not Shiboken.isValid(dialog) or not dialog.isVisible()


@pytest.mark.parametrize("name", list(DIALOGS))
def test_escape_leaves_without_a_question(lab: Lab, name: str) -> None:
    dialog = opened(lab, name)
    QTest.keyClick(dialog, Key.Key_Escape)
    assert removed(dialog)


def test_a_gif_of_chosen_steps(lab: Lab, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save_to(monkeypatch, tmp_path / "run")
    dialog = opened(lab, "film")
    typed(dialog, "0:12")
    dialog.every.setFocus()
    QTest.keyClick(dialog.every, Key.Key_Up)
    QTest.keyClick(dialog.every, Key.Key_Up)
    assert dialog.summary.text().startswith("5 pictures, 4.0 s")
    QTest.keyClick(dialog.steps, Key.Key_Return)
    lab.until(lambda: removed(dialog))
    assert lab.said().startswith("Saved as run.gif: 5 pictures, 4.0 s")
    with Image.open(tmp_path / "run.gif") as film:
        assert (film.n_frames, film.size) == (5, (640, 480))


def test_a_folder_shows_the_plane_as_it_is_on_the_screen(
    lab: Lab, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its ranges, theme and size of type; without words below it is what the export of one picture
    saves.
    """
    lab.plane.zoom(1.5)
    lab.settle()
    save_to(monkeypatch, tmp_path / "steps")
    dialog = opened(lab, "film")
    dialog.kinds.setCurrentIndex(dialog.kinds.findData(Kind.FOLDER))
    dialog.size_row.sizes.setCurrentIndex(0)
    for box in (dialog.caption, dialog.legend):
        QTest.mouseClick(box, LEFT, pos=QPoint(8, box.height() // 2))
        assert not box.isChecked()
    typed(dialog, "3,7")
    clicked(dialog, "Save…")
    lab.until(lambda: removed(dialog))
    assert sorted(os.listdir(tmp_path / "steps")) == ["step-3.png", "step-7.png"]
    lab.session.seek(7)
    lab.settle()
    lab.window.commands.exports.picture_to(str(tmp_path / "seven.png"))
    assert (tmp_path / "seven.png").read_bytes() == (tmp_path / "steps" / "step-7.png").read_bytes()


def test_what_was_chosen_last_stands_there_again(
    lab: Lab, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save_to(monkeypatch, tmp_path / "run.webp")
    dialog = opened(lab, "film")
    dialog.kinds.setCurrentIndex(dialog.kinds.findData(Kind.WEBP))
    dialog.size_row.wide.setValue(200)
    dialog.size_row.high.setValue(150)
    dialog.seconds.setValue(0.25)
    typed(dialog, "0:1")
    clicked(dialog, "Save…")
    lab.until(lambda: removed(dialog))
    dialog = opened(lab, "film")
    assert (dialog.kind, dialog.size_row.size_wanted(), dialog.seconds.value()) == (
        Kind.WEBP,
        (200, 150),
        0.25,
    )
    dialog.close()


def test_a_handout_of_the_shown_step_and_those_after_it(
    lab: Lab, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lab.session.seek(5)
    lab.settle()
    save_to(monkeypatch, tmp_path / "paper")
    dialog = opened(lab, "handout")
    assert dialog.steps.text() == "5:8"
    dialog.per_page.setCurrentIndex(dialog.per_page.findData(2))
    assert dialog.summary.text() == "4 steps on 2 pages"
    clicked(dialog, "Save…")
    lab.until(lambda: removed(dialog))
    assert lab.said() == "Saved as paper.pdf: 4 steps on 2 pages."
    assert len(re.findall(rb"/Type\s*/Page\b", (tmp_path / "paper.pdf").read_bytes())) == 2


def test_numbers_are_those_of_the_run(
    lab: Lab, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save_to(monkeypatch, tmp_path / "numbers")
    dialog = opened(lab, "numbers")
    typed(dialog, "2:9")
    clicked(dialog, "Save…")
    lab.until(lambda: removed(dialog))
    with open(tmp_path / "numbers.csv", encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    trace = lab.session.trace
    assert trace is not None
    assert [int(row["step"]) for row in rows] == list(range(2, 10))
    assert [float(row["errors"]) for row in rows] == trace.metrics["errors"][
        trace.indices(Level.STEP)[2] :
    ][:8].tolist()


def test_the_table_asks_for_no_steps(
    lab: Lab, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save_to(monkeypatch, tmp_path / "table.csv")
    dialog = opened(lab, "numbers")
    typed(dialog, "nonsense")
    assert "names no steps" in dialog.error.text()
    dialog.what.setCurrentIndex(2)
    assert not dialog.steps.isEnabled() and dialog.error.text() == ""
    clicked(dialog, "Save…")
    lab.until(lambda: removed(dialog))
    assert (
        len((tmp_path / "table.csv").read_text("utf-8-sig").splitlines())
        == len(lab.session.data) + 1
    )
    assert lab.said() == f"Saved as table.csv: {len(lab.session.data)} rows."


@pytest.mark.parametrize("how", ["Escape", "button", "close"])
@pytest.mark.parametrize(
    ("name", "file"), [("film", "run.gif"), ("film", "run"), ("handout", "paper.pdf")]
)
def test_what_is_being_made_can_be_stopped(
    lab: Lab, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, file: str, how: str
) -> None:
    place = tmp_path / "place"
    place.mkdir()
    save_to(monkeypatch, place / file)
    dialog = opened(lab, name)
    if name == "film":
        dialog.kinds.setCurrentIndex(dialog.kinds.findData(Kind(Path(file).suffix)))
    typed(dialog, "0:150")
    clicked(dialog, "Save…")
    lab.until(lambda: dialog.bar.value() > 0)
    assert not dialog.steps.isEnabled() and "% done" in dialog.summary.text()
    if how == "Escape":
        QTest.keyClick(dialog, Key.Key_Escape)
    elif how == "button":
        clicked(dialog, "Cancel")
    else:
        dialog.close()
    if how != "close":
        assert (
            dialog.isVisible() and dialog.steps.isEnabled() and dialog.summary.text() == CANCELLED
        )
    lab.until(lambda: not threads(READER))
    assert os.listdir(place) == []
    if how != "close":
        QTest.keyClick(dialog, Key.Key_Escape)
        assert removed(dialog)


def test_the_window_answers_while_a_film_is_made(
    lab: Lab, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A step on is shown meanwhile, and a timer of the window's thread goes on ringing between the
    pictures.
    """
    save_to(monkeypatch, tmp_path / "run.gif")
    dialog = opened(lab, "film")
    typed(dialog, "0:20")
    rings: list[float] = []
    timer = QTimer(interval=5)
    timer.timeout.connect(lambda: rings.append(time.perf_counter()))
    clicked(dialog, "Save…")
    lab.until(lambda: dialog.bar.value() > 0)
    timer.start()
    before = lab.session.cursor
    lab.window.action("next").trigger()
    lab.until(lambda: removed(dialog))
    timer.stop()
    assert lab.session.cursor == before + 1
    assert len(rings) >= 20, "at least once for each picture"
    assert float(np.median(np.diff(rings))) < 0.05


def test_a_run_that_was_not_recorded_so_far_is_made(
    endless: Lab, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The window has seen some of its steps; what it shows is left alone."""
    save_to(monkeypatch, tmp_path / "steps")
    dialog = opened(endless, "film")
    dialog.kinds.setCurrentIndex(dialog.kinds.findData(Kind.FOLDER))
    typed(dialog, "12000,12001")
    cursor = endless.session.cursor
    clicked(dialog, "Save…")
    endless.until(lambda: removed(dialog), 60)
    assert sorted(os.listdir(tmp_path / "steps")) == ["step-12000.png", "step-12001.png"]
    assert endless.session.cursor == cursor


def test_a_lane_of_its_own_points_and_parameters_is_saved_as_it_is(
    lab: Lab, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In rounds, of a run that goes on from another one: the pictures are those of its
    recording.
    """
    lab.session.seek(30)
    lab.session.continuation.from_here()
    lab.settle()
    run = lab.session.lane_run
    assert run is not None and run.trace.start is not None
    save_to(monkeypatch, tmp_path / "steps")
    dialog = opened(lab, "film")
    dialog.kinds.setCurrentIndex(dialog.kinds.findData(Kind.FOLDER))
    typed(dialog, "4")
    film = dialog.film()
    clicked(dialog, "Save…")
    lab.until(lambda: removed(dialog))
    image = next(
        pictures(
            run.trace, [run.trace.indices(Level.STEP)[4]], lab.session.data.name, Level.STEP, film
        )
    )
    image.save(str(tmp_path / "own.png"))
    with (
        Image.open(tmp_path / "own.png") as own,
        Image.open(tmp_path / "steps" / "step-4.png") as found,
    ):
        high = own.height // 2  # the words below may know how long the run is, or not
        assert np.array_equal(
            np.asarray(own.convert("RGB"))[:high], np.asarray(found.convert("RGB"))[:high]
        )


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("9:2", "0 steps"),
        ("few", "names no steps"),
        ("", "names no steps"),
        ("100000:", "none, 0 of the run's"),
    ],
)
def test_wrong_steps_are_reported_at_once_and_nothing_begins(
    lab: Lab, monkeypatch: pytest.MonkeyPatch, text: str, words: str
) -> None:
    monkeypatch.setattr(
        QFileDialog, "getSaveFileName", lambda *_: pytest.fail("nothing can be saved")
    )
    lab.session.seek(10**9)
    lab.until(lambda: lab.session.finished)
    dialog = opened(lab, "film")
    typed(dialog, text or " ")
    assert words in dialog.error.text()
    clicked(dialog, "Save…")
    assert words in dialog.error.text() and not dialog.job.busy
    dialog.close()


def test_a_range_that_is_too_long_is_reported_with_its_size(endless: Lab) -> None:
    dialog = opened(endless, "film")
    typed(dialog, "0:9000")
    assert "9,001 pictures of 640 × 480 pixels; one file holds at most 2,000" in dialog.error.text()
    dialog.every.setValue(5)
    assert dialog.error.text() == "" and dialog.summary.text().startswith("1,801 pictures, ")
    dialog.close()


def test_without_ffmpeg_the_command_that_fetches_it_is_named(
    lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        kinds, "find_spec", lambda name: None if name == "imageio_ffmpeg" else object()
    )
    dialog = opened(lab, "film")
    assert dialog.error.text() == ""
    dialog.kinds.setCurrentIndex(dialog.kinds.findData(Kind.MP4))
    assert "imageio-ffmpeg, which this fetches: " in dialog.error.text()
    dialog.close()


@pytest.mark.parametrize(
    ("name", "file"), [("film", "run.gif"), ("handout", "p.pdf"), ("numbers", "n.csv")]
)
def test_a_place_that_cannot_be_written_is_reported_and_another_can_be_chosen(
    lab: Lab, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, file: str
) -> None:
    save_to(monkeypatch, tmp_path / "nowhere" / file)
    dialog = opened(lab, name)
    typed(dialog, "0:2")
    clicked(dialog, "Save…")
    lab.until(lambda: "could not be saved" in dialog.error.text())
    save_to(monkeypatch, tmp_path / file)
    clicked(dialog, "Save…")
    lab.until(lambda: removed(dialog))
    assert (tmp_path / file).stat().st_size > 100


def test_a_fault_of_the_program_is_a_sentence(
    lab: Lab, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save_to(monkeypatch, tmp_path / "run.gif")

    def broken(*_: Any, **__: Any) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("gui.export.shown.paint_prepared", broken)
    dialog = opened(lab, "film")
    typed(dialog, "0:2")
    clicked(dialog, "Save…")
    lab.until(lambda: "fault of the program" in dialog.error.text())
    assert "run.gif" not in os.listdir(tmp_path)
    dialog.close()


def test_a_table_without_a_plane(
    open_lab: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from engine.document.document import Document
    from engine.document.lane import lane

    lab = open_lab(Document(engine.textbook("restaurant"), (lane("decision_tree"),)))
    save_to(monkeypatch, tmp_path / "tree.gif")
    dialog = opened(lab, "film")
    typed(dialog, "0:3")
    clicked(dialog, "Save…")
    lab.until(lambda: removed(dialog))
    with Image.open(tmp_path / "tree.gif") as film:
        assert film.n_frames == 4
