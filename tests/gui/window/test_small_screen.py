"""On a small screen the window is no larger than the screen, and Play can be clicked whatever else
is open.
"""

from typing import Any

import pytest
from laboratory import LEFT, Lab
from PySide6.QtCore import QPoint, QSize
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton

from gui.app import fit_into
from gui.look.sizes import MOST_ZOOM
from gui.window.main_window import MainWindow

pytestmark = pytest.mark.usefixtures("built")
SCREENS = [(1366, 768), (800, 600), (640, 480)]


def play_button(window: MainWindow) -> QAbstractButton:
    """The one that is shown: of the row below, or of the projector theme's strip."""
    return (
        window.right_strip.buttons["Play"][0]
        if window.lanes.projector
        else window.transport.buttons["play"]
    )


def assert_plays(lab: Lab, when: str) -> None:
    """Play lies whole within the window, nothing lies above it, and a click plays."""
    lab.settle_drawing()
    window = lab.window
    button = play_button(lab.window)
    place = button.rect().translated(button.mapTo(window, QPoint(0, 0)))
    assert button.isVisible() and window.rect().contains(place), when
    assert window.childAt(place.center()) is button, when
    lab.session.seek(0)
    QTest.mouseClick(window.windowHandle(), LEFT, pos=place.center())
    assert lab.session.player.playing, when
    lab.session.player.pause()


@pytest.mark.parametrize("screen", SCREENS)
def test_the_window_is_no_larger_than_the_screen(open_lab: Any, screen: tuple[int, int]) -> None:
    window = open_lab().window
    fit_into(window, QSize(*screen))
    assert window.width() <= screen[0] and window.height() < screen[1], (
        "there is a title bar above it"
    )


def test_a_large_screen_changes_nothing(open_lab: Any) -> None:
    window = open_lab().window
    least = window.minimumSize()
    fit_into(window, QSize(1920, 1080))
    assert (window.size(), window.minimumSize()) == (QSize(1280, 800), least)


@pytest.mark.parametrize("zoom", [0, MOST_ZOOM])
@pytest.mark.parametrize("screen", SCREENS)
def test_play_can_be_clicked_on_a_small_screen(
    open_lab: Any, screen: tuple[int, int], zoom: int
) -> None:
    lab: Lab = open_lab()
    window = lab.window
    fit_into(window, QSize(*screen))
    window.type_size.zoom(zoom)
    assert_plays(lab, "as it opens")
    window.room.reveal(window.left_dock)
    assert_plays(lab, "left dock open")
    window.room.reveal(window.right_dock)
    assert_plays(lab, "right dock open")
    window.room.drag("timeline", screen[1])
    assert_plays(lab, "timeline as high as can be")
    window.room.drag("timeline", None)
    window.action("add_lane").trigger()
    assert_plays(lab, "two lanes")


@pytest.mark.parametrize("zoom", [0, MOST_ZOOM])
@pytest.mark.parametrize("screen", SCREENS)
def test_play_can_be_clicked_in_the_projector_theme_on_a_small_screen(
    open_lab: Any, screen: tuple[int, int], zoom: int
) -> None:
    lab: Lab = open_lab()
    window = lab.window
    fit_into(window, QSize(*screen))
    window.use_theme("projector")
    window.type_size.zoom(zoom)
    assert_plays(lab, "as it opens")
    for dock in (window.left_dock, window.right_dock):
        window.room.unfold(dock)
        assert_plays(lab, dock.objectName() or type(dock).__name__)
    window.use_theme("light")
