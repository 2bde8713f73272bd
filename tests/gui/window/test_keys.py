"""Every key of the interface page, typed into the window; and who has a key when a control or a
field is in use.
"""

import pytest
from laboratory import CTRL, LEFT, RIGHT, SHIFT, Key, Lab
from PySide6.QtGui import QContextMenuEvent, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from engine.protocol.step import Level
from gui.look import theme
from gui.widgets.controls import Segments


def focus(lab: Lab, widget: QWidget) -> None:
    """By Tab, from where the focus is."""
    for _ in range(150):
        lab.key(Key.Key_Tab)
        if QApplication.focusWidget() is widget:
            return
    raise AssertionError(f"Tab does not reach {widget.accessibleName()}")


# -- time ------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_space_plays_and_pauses(lab: Lab) -> None:
    lab.key(Key.Key_Space)
    assert lab.session.player.playing
    lab.until(lambda: lab.session.cursor > 0)
    lab.key(Key.Key_Space)
    assert not lab.session.player.playing


def test_arrows_step(lab: Lab) -> None:
    for _ in range(3):
        lab.key(Key.Key_Right)
    assert lab.session.cursor == 3
    lab.key(Key.Key_Left)
    assert lab.session.cursor == 2


def test_shift_and_arrows_go_by_rounds(lab: Lab) -> None:
    rounds = list(lab.session.trace.indices(Level.ROUND))
    lab.key(Key.Key_Right, SHIFT)
    lab.key(Key.Key_Right, SHIFT)
    assert lab.session.cursor == rounds[2]
    lab.key(Key.Key_Left, SHIFT)
    assert lab.session.cursor == rounds[1]


def test_home_and_end(lab: Lab) -> None:
    lab.key(Key.Key_End)
    lab.settle()
    assert lab.session.cursor == len(lab.session.trace) - 1
    assert lab.session.finished
    lab.key(Key.Key_Home)
    assert lab.session.cursor == 0


@pytest.mark.slow
def test_a_number_and_enter_jump_and_choose_no_class(lab: Lab) -> None:
    lab.key(Key.Key_2)
    lab.key(Key.Key_6)
    assert lab.said() == "Enter jumps to step 26."
    lab.key(Key.Key_Return)
    assert lab.session.cursor == 26
    assert lab.session.current_class == 0
    lab.key(Key.Key_3)
    lab.key(Key.Key_Enter)
    assert lab.session.cursor == 3


def test_a_number_counts_in_the_chosen_unit(lab: Lab) -> None:
    lab.session.set_unit(Level.ROUND)
    rounds = list(lab.session.trace.indices(Level.ROUND))
    lab.key(Key.Key_2)
    lab.key(Key.Key_Return)
    assert lab.session.cursor == rounds[2]


def test_a_number_beyond_the_end_goes_to_the_end_and_says_so(lab: Lab) -> None:
    lab.write("99999")
    lab.key(Key.Key_Return)
    lab.settle()
    assert lab.session.cursor == len(lab.session.trace) - 1
    assert lab.said() == f"The run has {len(lab.session.trace) - 1} steps; this is the last one."
    lab.key(Key.Key_Home)
    assert lab.said() == "", "this is the first one"


@pytest.mark.slow
def test_clickers_step(lab: Lab) -> None:
    lab.key(Key.Key_PageDown)
    lab.key(Key.Key_PageDown)
    lab.key(Key.Key_PageUp)
    assert lab.session.cursor == 1


@pytest.mark.slow
def test_brackets_change_the_speed(lab: Lab) -> None:
    before = lab.session.speed
    lab.key(Key.Key_BracketRight)
    faster = lab.session.speed
    assert faster > before
    lab.key(Key.Key_BracketLeft)
    lab.key(Key.Key_BracketLeft)
    assert lab.session.speed < before
    for _ in range(20):
        lab.key(Key.Key_BracketLeft)
    assert lab.session.speed > 0


def test_b_switches_all_breakpoints(lab: Lab) -> None:
    lab.key(Key.Key_B)
    assert lab.session.stop_at == frozenset(lab.session.algorithm.events)
    assert all(check.isChecked() for check in lab.window.transport.checks.values())
    lab.key(Key.Key_B)
    assert lab.session.stop_at == frozenset()


# -- looks -----------------------------------------------------------------------------------------


@pytest.mark.slow
def test_p_is_the_projector_and_back(lab: Lab) -> None:
    lab.key(Key.Key_P)
    assert theme.current().name == "projector"
    assert lab.window.left_dock.isHidden()
    assert lab.window.caption_band.isVisible()
    lab.key(Key.Key_PageDown)
    assert lab.session.cursor == 1
    lab.key(Key.Key_P)
    assert theme.current().name == "light"
    assert lab.window.left_dock.isVisible()
    assert lab.window.caption_band.isHidden()


def darkest_and_lightest(widget: QWidget) -> tuple[int, int]:
    """Of 0 … 255, over all that is painted of it."""
    grey = widget.grab().toImage().convertToFormat(QImage.Format.Format_Grayscale8)
    levels = {
        grey.pixelColor(x, y).red()
        for x in range(0, grey.width(), 7)
        for y in range(0, grey.height(), 7)
    }
    return min(levels), max(levels)


@pytest.mark.slow
def test_period_blanks_and_any_key_brings_the_picture_back(lab: Lab) -> None:
    for key in (Key.Key_Period, Key.Key_Right, Key.Key_PageDown, Key.Key_F, Key.Key_Space):
        lab.key(Key.Key_Period)
        assert lab.window.blank.isVisible()
        assert lab.window.blank.geometry() == lab.window.rect()
        assert darkest_and_lightest(lab.window) == (
            0,
            0,
        ), "black, whatever the theme says of a window"
        lab.key(key)
        assert not lab.window.blank.isVisible()
    assert lab.session.cursor == 0
    assert not lab.session.player.playing


@pytest.mark.slow
def test_every_tool_has_the_letter_that_its_tip_says(lab: Lab) -> None:
    for tool in ("select", "add", "spray", "move", "erase", "relabel", "line", "ellipse", "probe"):
        lab.window.commands.take_tool("move" if tool == "probe" else "probe")
        button = lab.window.tool_strip.buttons[tool]
        assert not button.isChecked()
        letter = button.toolTip().split("(")[1][0]
        lab.key(ord(letter))
        assert lab.session.tool == tool
        assert button.isChecked()


def test_tool_letters_are_no_command_letters(lab: Lab) -> None:
    letters = [tool.shortcut for tool in lab.plane.tools.values()]
    commands = [action.shortcut().toString() for action in lab.window.actions_.all.values()]
    assert len(set(letters)) == len(letters)
    assert not set(letters) & set(commands)
    given = [text for text in commands if text]
    assert len(set(given)) == len(given)


# -- who has the key -------------------------------------------------------------------------------


@pytest.mark.slow
def test_space_plays_after_a_click_on_any_control(lab: Lab) -> None:
    """A click on a chip, a unit, a tool or a list must not leave the space bar there."""
    window = lab.window
    clicked = [
        lambda: window.transport.units.buttons()[2],
        lambda: window.tool_strip.buttons["move"],
        lambda: window.theme_button,
        lambda: window.left_dock.form.findChild(Segments).buttons()[1],
        lambda: window.chips.chips.itemAt(1).widget(),
        lambda: window.left_dock.params.heading,
    ]
    for control in clicked:
        QTest.mouseClick(control(), LEFT)
        lab.settle()
        assert lab.session.trace is not None
        lab.key(Key.Key_Space)
        assert lab.session.player.playing, control().accessibleName()
        lab.key(Key.Key_Space)
        assert not lab.session.player.playing, control().accessibleName()


@pytest.mark.slow
def test_a_control_reached_by_tab_has_its_keys(lab: Lab) -> None:
    slider = lab.window.left_dock.split.slider.slider
    focus(lab, slider)
    lab.key(Key.Key_Right)
    assert lab.session.document.split.share > 0
    assert lab.session.cursor == 0
    play = lab.window.transport.buttons["next"]
    focus(lab, play)
    lab.key(Key.Key_Space)
    lab.settle()
    assert lab.session.cursor == 1
    assert not lab.session.player.playing


@pytest.mark.slow
def test_fields_have_all_keys(lab: Lab) -> None:
    search = lab.window.search
    lab.key(Key.Key_K, CTRL)
    assert search.hasFocus()
    lab.write("fph.b1 [")
    assert search.text() == "fph.b1 ["
    assert theme.current().name == "light"
    assert lab.session.current_class == 0
    assert not lab.session.player.playing
    lab.key(Key.Key_Escape)
    assert search.text() == ""
    lab.key(Key.Key_Escape)
    assert not search.hasFocus()


def test_escape_takes_back_what_is_typed_in_a_field(lab: Lab) -> None:
    lab.session.place_probe((0.0, 0.0))
    field = lab.window.left_dock.form.row("rate").control.field
    QTest.mouseClick(field, LEFT)
    before = field.text()
    field.selectAll()
    lab.write("7")
    lab.key(Key.Key_Escape)
    assert field.text() == before
    assert lab.session.document.probe == (0.0, 0.0)


@pytest.mark.slow
def test_a_click_elsewhere_enters_what_was_typed(lab: Lab) -> None:
    field = lab.window.left_dock.form.row("rate").control.field
    QTest.mouseClick(field, LEFT)
    field.selectAll()
    lab.write("0.25")
    QTest.mouseClick(lab.window.transport.buttons["next"], LEFT)
    assert lab.session.lane.params.rate == 0.25
    lab.key(Key.Key_Space)
    assert lab.session.player.playing


def test_digits_in_a_menu_are_no_classes(lab: Lab) -> None:
    lab.click(*lab.points()[0], button=RIGHT)
    popup = QApplication.activePopupWidget()
    assert popup is not None
    QTest.keyClick(popup, Key.Key_2)
    assert lab.session.current_class == 0
    popup.close()


def test_the_menu_key_opens_the_menu_of_the_selected_point(square: Lab) -> None:
    square.plane.select([0])
    middle = square.plane.viewport().rect().center()
    there = square.plane.viewport().mapToGlobal(middle)
    reasons = QContextMenuEvent.Reason
    QApplication.sendEvent(
        square.plane.viewport(), QContextMenuEvent(reasons.Keyboard, middle, there)
    )
    popup = QApplication.activePopupWidget()
    assert popup is not None
    popup.close()
    QApplication.sendEvent(square.plane.viewport(), QContextMenuEvent(reasons.Mouse, middle, there))
    assert QApplication.activePopupWidget() is None


def test_commands_have_their_keys(lab: Lab) -> None:
    lab.click(*lab.free_place())
    n = len(lab.data)
    lab.key(Key.Key_Z, CTRL)
    assert len(lab.data) == n - 1
    lab.key(Key.Key_Z, CTRL | SHIFT)
    assert len(lab.data) == n
    lab.key(Key.Key_H)
    assert lab.plane.hatch
    lab.key(Key.Key_H)
    assert not lab.plane.hatch


# -- the plane without a mouse ---------------------------------------------------------------------


def test_points_and_the_probe_are_placed_by_keys_alone(lab: Lab) -> None:
    """Ctrl and arrows move a cross, Enter clicks there with the tool in hand."""
    before = len(lab.data)
    pointer = lab.plane.pointer
    view = lab.plane.view()
    lab.write("a")
    lab.key(Key.Key_Return)
    assert len(lab.data) == before, "without a cross Enter does nothing"
    for key in (Key.Key_Right, Key.Key_Right, Key.Key_Up):
        lab.key(key, CTRL)  # the first brings the cross to the middle
    lab.key(Key.Key_Left, CTRL | SHIFT)
    middle = view.to_plane(view.rect.center().x(), view.rect.center().y())
    x = middle[0] + 11 / view.unit[0]
    y = middle[1] + 12 / view.unit[1]
    assert pointer.at == pytest.approx((x, y))
    assert lab.session.cursor == 0, "the run stays where it is"
    lab.key(Key.Key_Return)
    assert len(lab.data) == before + 1
    assert lab.points()[-1] == pytest.approx((x, y))
    lab.write("i")
    lab.key(Key.Key_Down, CTRL)
    lab.key(Key.Key_Return)
    assert lab.session.document.probe == pytest.approx(pointer.at)
    lab.write("37")
    lab.key(Key.Key_Return)
    assert len(lab.data) == before + 1, "a number before Enter is a step"


@pytest.mark.slow
def test_the_cross_stays_on_the_plane_and_goes_with_escape_or_the_mouse(lab: Lab) -> None:
    pointer = lab.plane.pointer
    for _ in range(120):
        lab.key(Key.Key_Left, CTRL)
    x, _ = pointer.at
    assert x == pytest.approx(lab.plane.view().x[0])
    shown = len(lab.plane.layers())
    lab.key(Key.Key_Escape)
    assert pointer.at is None
    assert len(lab.plane.layers()) == shown - 1
    lab.key(Key.Key_Up, CTRL)
    assert pointer.at is not None
    lab.move(*lab.free_place())
    assert pointer.at is None
