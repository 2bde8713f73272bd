"""The section of the plane that is shown belongs to a project: it opens there.

Looking closer is no edit.
"""

from pathlib import Path

import pytest
from laboratory import CTRL, MIDDLE, Key, Lab, four_points
from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QFileDialog

import engine
from engine.document.document import Document
from engine.document.lane import lane
from engine.files.project import read_project


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where Ctrl+S puts the project."""
    path = tmp_path / "mine.learnscope"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    return path


@pytest.mark.slow
def test_a_project_opens_where_it_was_looked_at(open_lab, file: Path) -> None:
    lab = open_lab()
    lab.wheel(0.5, 0.5, 4)
    assert not lab.session.history.done
    assert not lab.session.unsaved
    shown = lab.plane.view()
    lab.key(Key.Key_S, CTRL)
    assert not lab.session.unsaved
    assert not lab.window.windowTitle().startswith("*")
    other = open_lab()
    other.window.commands.open_path(str(file))
    other.settle()
    assert other.plane.view().x == pytest.approx(shown.x)
    assert other.plane.view().y == pytest.approx(shown.y)
    assert not other.session.unsaved


@pytest.mark.slow
def test_f_then_shows_all_points_and_the_section_again(open_lab, file: Path) -> None:
    lab = open_lab()
    whole = lab.plane.view()
    lab.wheel(0.5, 0.5, 4)
    shown = lab.plane.view()
    lab.key(Key.Key_S, CTRL)
    lab.window.commands.open_path(str(file))
    lab.settle()
    lab.key(Key.Key_F)
    assert lab.plane.view().x == pytest.approx(whole.x)
    lab.key(Key.Key_S, CTRL)
    assert read_project(file).document.view is None
    lab.key(Key.Key_F)
    assert lab.plane.view().x == pytest.approx(shown.x)
    lab.drag((0.5, 0.5), (0.7, 0.5), button=MIDDLE)
    lab.key(Key.Key_F)
    assert lab.plane.view().x == pytest.approx(shown.x)


def test_who_looked_no_closer_has_all_points_in_any_window(open_lab, file: Path) -> None:
    lab = open_lab()
    lab.key(Key.Key_S, CTRL)
    assert read_project(file).document.view is None


def test_a_declared_range_stays_as_it_was_declared(square: Lab, file: Path) -> None:
    square.key(Key.Key_S, CTRL)
    assert read_project(file).document.view == four_points().view
    square.window.action("zoom_in").trigger()
    square.key(Key.Key_S, CTRL)
    assert read_project(file).document.view == (square.plane.view().x, square.plane.view().y)


@pytest.mark.slow
def test_the_safety_copy_has_the_section_too(open_lab, settings: QSettings) -> None:
    lab = open_lab()
    folder = Path(str(settings.value("autosave_folder")))
    lab.click(*lab.free_place())
    lab.until(lambda: any(folder.glob("*.learnscope")))
    work = lab.session.document
    lab.wheel(0.5, 0.5, 4)
    (copy,) = folder.glob("*.learnscope")
    lab.until(lambda: read_project(copy).document.view is not None)
    assert read_project(copy).document.view[0] == pytest.approx(lab.plane.view().x)
    assert lab.session.document is work
    assert (
        lab.window.commands.files.autosave.store(lab.plane.ranges.kept(), lab.session.cursor)
        is False
    ), "stored already"


@pytest.mark.slow
def test_the_section_of_other_axes_is_forgotten(open_lab, file: Path) -> None:
    lab = open_lab(
        Document(engine.generate("moons"), (lane("perceptron"),), view=((0.4, 0.5), (0.4, 0.5)))
    )
    lab.window.left_dock.data.toggle("standardise")
    lab.settle()
    assert lab.session.document.view is None
    x0, x1 = lab.plane.view().x
    points = lab.points()
    assert x0 < points[:, 0].min() < points[:, 0].max() < x1
    lab.key(Key.Key_Z, CTRL)
    assert lab.session.document.view == ((0.4, 0.5), (0.4, 0.5))
