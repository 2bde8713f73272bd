"""Every lane shows its first step as soon as it is there, and no part of it is ever a window of its
own.
"""

from collections.abc import Iterator

import pytest
from laboratory import CTRL, Key, Lab
from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QApplication, QWidget

import engine
from engine.document.document import Document
from engine.document.lane import lane
from gui.window.main_window import MainWindow


class Windows(QObject):
    """Remembers the kinds of all widgets that are shown as windows."""

    def __init__(self) -> None:
        super().__init__()
        self.shown: list[str] = []

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Show and isinstance(watched, QWidget) and watched.isWindow():
            self.shown.append(type(watched).__name__)
        return False


@pytest.fixture
def windows(qapp: QApplication) -> Iterator[Windows]:
    found = Windows()
    qapp.installEventFilter(found)
    yield found
    qapp.removeEventFilter(found)


def trees(many: int) -> Document:
    return Document(engine.textbook("restaurant"), (lane("decision_tree"),) * many)


def stages(lab: Lab) -> list[tuple[str, ...]]:
    return [cell.stage.arrangement.names for cell in lab.window.lanes.cells]


def assert_all_as_the_first(lab: Lab, many: int) -> None:
    """Lanes of one method at one step show the same views, and figures that have
    something in them.
    """
    assert stages(lab) == [stages(lab)[0]] * many
    for cell in lab.window.lanes.cells:
        figures = [
            pane.figures
            for name, pane in cell.stage.panes()
            if cell.stage.there.get(name) is not None
        ]
        assert figures and all(figure.stack.currentWidget() is not None for figure in figures)


@pytest.mark.parametrize("many", [2, 4])
def test_each_lane_of_a_document_that_a_window_opens_with_shows_its_first_step(
    open_lab, windows: Windows, many: int
) -> None:
    lab: Lab = open_lab(trees(many), size=(1600, 1000))
    assert_all_as_the_first(lab, many)
    assert not lab.window.tool_strip.isVisible(), "a tree of words has no plane"
    assert set(windows.shown) == {MainWindow.__name__} and lab.window.isActiveWindow()


def test_lanes_that_come_later_are_no_windows_and_leave_the_keyboard_to_the_window(
    open_lab, windows: Windows
) -> None:
    lab: Lab = open_lab(trees(1), size=(1600, 1000))
    lab.session.open(trees(4))
    lab.settle()
    assert_all_as_the_first(lab, 4)
    lab.key(Key.Key_Z, CTRL)
    lab.settle()
    assert len(lab.window.lanes.cells) == 1, "the window still hears keys"
    lab.window.lanes.lane_commands.duplicate()
    lab.settle()
    assert_all_as_the_first(lab, 2)
    assert set(windows.shown) == {MainWindow.__name__} and lab.window.isActiveWindow()
