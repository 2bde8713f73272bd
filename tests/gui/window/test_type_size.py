"""Type follows the window's height; Ctrl + − 0 move it; the projector grows in proportion."""

import pytest
from laboratory import CTRL, Key, Lab
from PySide6.QtWidgets import QApplication

from gui.look import theme

pytestmark = pytest.mark.usefixtures("built")


def body(lab: Lab) -> int:
    """Pixels of the type that is seen, not only of the rule."""
    assert (
        lab.window.left_dock.data.heading.font().pixelSize()
        == theme.current().font("heading").pixelSize()
    )
    return QApplication.font().pixelSize()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("size", "step", "pixels"), [((1280, 800), 0, 13), ((1600, 1000), 1, 15), ((2560, 1440), 2, 16)]
)
def test_a_large_window_opens_with_large_type(open_lab, size, step, pixels) -> None:
    lab = open_lab(size=size)
    assert theme.current().step == step
    assert body(lab) == pixels


@pytest.mark.slow
def test_type_follows_a_window_that_is_resized(lab: Lab) -> None:
    """When it stands still, not at every pixel on the way."""
    lab.window.resize(1920, 1080)
    # and no timers: on a busy machine the window stands still before all is painted
    QApplication.sendPostedEvents()
    assert theme.current().step == 0
    lab.until(lambda: theme.current().step == 1)
    assert body(lab) == 15
    lab.window.resize(1280, 800)
    lab.until(lambda: theme.current().step == 0)
    assert body(lab) == 13


@pytest.mark.slow
def test_the_keyboard_zooms_the_type_and_not_the_plane(open_lab) -> None:
    lab = open_lab()
    seen = lab.plane.view()
    for key, pixels in (
        (Key.Key_Plus, 15),
        (Key.Key_Plus, 16),
        (Key.Key_Equal, 18),
        (Key.Key_Minus, 16),
        (Key.Key_0, 13),
        (Key.Key_Minus, 13),
        (Key.Key_Plus, 15),
    ):
        lab.key(key, CTRL)
        assert body(lab) == pixels
    assert lab.plane.view().x == pytest.approx(seen.x, rel=0.2)
    again = open_lab()
    assert body(again) == 15, "kept between starts"
    for _ in range(9):
        again.key(Key.Key_Plus, CTRL)
    assert theme.current().step == 4
    again.key(Key.Key_0, CTRL)
    assert body(again) == 13


@pytest.mark.slow
def test_no_type_is_smaller_than_at_first(open_lab) -> None:
    """In a large window it may become as small as in a small one, not smaller; and comes back at
    once.
    """
    lab = open_lab(size=(2560, 1440))
    for _ in range(6):
        lab.key(Key.Key_Minus, CTRL)
    assert body(lab) == 13
    lab.key(Key.Key_Plus, CTRL)
    assert body(lab) == 15


@pytest.mark.slow
def test_parts_with_a_printed_height_have_it(open_lab) -> None:
    lab = open_lab(size=(1920, 1080))
    window = lab.window
    heights = (
        window.menu_row.height(),
        window.chips.height(),
        window.transport.height(),
        window.tool_strip.width(),
    )
    assert heights == (44, 46, 52, 52)
    lab.key(Key.Key_Plus, CTRL)
    lab.settle_drawing()
    heights = (
        window.menu_row.height(),
        window.chips.height(),
        window.transport.height(),
        window.tool_strip.width(),
    )
    assert heights == (50, 50, 58, 58)


@pytest.mark.slow
def test_the_projector_grows_with_the_screen(open_lab) -> None:
    lab = open_lab(size=(2560, 1440))
    lab.window.toggle_projector()
    assert theme.current().key == ("projector", 4)
    assert theme.current().font("body").pixelSize() == 32  # 20 · 1.125⁴
    assert theme.current().radius == pytest.approx(9 * 1.125**4)
    lab.window.toggle_projector()
    assert theme.current().key == ("light", 2)
