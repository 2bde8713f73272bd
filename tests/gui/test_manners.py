"""Small promises of the window: undo reaches past a field, docks stay folded, the projector's strip
says what it does.
"""

import pytest
from laboratory import CTRL, LEFT, Key, Lab
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

import engine
from engine.document.document import Document
from engine.document.lane import lane
from engine.protocol.params import params_fields
from gui.frame.chips import Chip
from gui.frame.projector import STRIP


def enter(lab: Lab, field, text: str) -> None:
    QTest.mouseClick(field, LEFT)
    field.selectAll()
    lab.write(text)
    lab.key(Key.Key_Return)
    lab.settle()


@pytest.mark.slow
def test_undo_reaches_the_document_from_a_field_in_which_nothing_is_written(lab: Lab) -> None:
    field = lab.window.left_dock.form.row("rate").control.field
    before = lab.session.lane.params.rate
    enter(lab, field, "0.25")
    lab.key(Key.Key_Z, CTRL)
    assert lab.session.lane.params.rate == before
    lab.write("0")
    text = field.text()
    lab.write("7")
    lab.key(Key.Key_Z, CTRL)  # what is being written is taken back by the field itself
    assert field.text() != text + "7"
    assert lab.session.lane.params.rate == before


@pytest.mark.slow
def test_space_plays_after_a_number_was_entered(lab: Lab) -> None:
    enter(lab, lab.window.left_dock.form.row("rate").control.field, "0.25")
    lab.key(Key.Key_Space)
    assert lab.session.player.playing


@pytest.mark.slow
def test_a_number_of_points_that_cannot_be_is_reported_below_it(lab: Lab) -> None:
    lab.window.commands.take("generate", "blobs")
    lab.settle()
    form = lab.window.left_dock.data.form
    for text, then in (("99999", 30), ("abc", 31), ("1.5", 32)):
        n = len(lab.data)
        enter(lab, form.sliders["n"].field, text)
        assert form.error.isVisible()
        assert text in form.error.text()
        assert len(lab.data) == n
        enter(lab, form.sliders["n"].field, str(then))
        assert not form.error.isVisible()
        assert len(lab.data) == then


@pytest.mark.slow
def test_a_share_that_cannot_be_is_reported_below_it(lab: Lab) -> None:
    split = lab.window.left_dock.split
    enter(lab, split.slider.field, "81")
    assert "between 0 and 80" in split.error.text()
    enter(lab, split.slider.field, "20")
    assert not split.error.isVisible()


@pytest.mark.slow
def test_folded_docks_stay_folded(lab: Lab) -> None:
    window = lab.window
    window.chips.expand_clicked.emit()
    assert window.left_dock.isHidden() and window.right_dock.isHidden()
    window.toggle_dark()
    assert window.left_dock.isHidden() and window.right_dock.isHidden()
    lab.key(Key.Key_P)
    lab.key(Key.Key_P)
    assert window.left_dock.isHidden() and window.right_dock.isHidden()
    window.chips.expand_clicked.emit()
    window.toggle_dark()
    assert window.left_dock.isVisible() and window.right_dock.isVisible()


def test_blank_ends_with_any_key_whatever_had_the_focus(lab: Lab) -> None:
    lab.window.left_dock.form.row("rate").control.field.setFocus(Qt.FocusReason.TabFocusReason)
    rate = lab.session.lane.params.rate
    lab.window.blank.toggle()
    lab.key(Key.Key_PageDown)
    assert not lab.window.blank.isVisible()
    assert lab.session.lane.params.rate == rate


@pytest.mark.slow
def test_the_left_dock_never_slips_sideways(lab: Lab) -> None:
    for text in [chip.text() for chip in lab.window.chips.findChildren(Chip)]:
        chip = next((c for c in lab.window.chips.findChildren(Chip) if c.text() == text), None)
        if chip is None:  # a click on the seed draws the next one
            continue
        QTest.mouseClick(chip, LEFT)
        lab.settle_drawing()
        assert lab.window.left_dock.horizontalScrollBar().value() == 0


def test_full_screen_and_back_leaves_a_maximised_window_maximised(lab: Lab) -> None:
    lab.window.showMaximized()
    lab.key(Key.Key_F11)
    assert lab.window.isFullScreen()
    lab.key(Key.Key_F11)
    assert lab.window.isMaximized()


def test_the_class_that_the_next_click_begins_is_in_the_strip(square: Lab) -> None:
    square.key(Key.Key_3)
    strip = square.window.tool_strip.classes
    buttons = [strip.itemAt(k).widget() for k in range(strip.count())]
    assert [button.isChecked() for button in buttons] == [False, False, True]
    square.click(2, 2)
    square.key(Key.Key_1)
    assert [strip.itemAt(k).widget().isChecked() for k in range(strip.count())] == [
        True,
        False,
        False,
    ]


# -- projector -------------------------------------------------------------------------------------


def press(lab: Lab, word: str) -> None:
    for strip in (lab.window.left_strip, lab.window.right_strip):
        if word in strip.buttons:
            QTest.mouseClick(strip.buttons[word][0], LEFT)
    lab.settle_drawing()


@pytest.mark.slow
def test_each_button_of_the_strip_shows_what_it_is_called(lab: Lab) -> None:
    lab.window.toggle_projector()
    dock = lab.window.left_dock
    press(lab, "Data")
    assert dock.isVisible()
    press(lab, "Method")
    assert dock.isVisible()
    lab.key(Key.Key_Escape)
    press(lab, "Method")
    assert dock.isHidden()


@pytest.mark.slow
def test_two_docks_never_crowd_out_the_plane(lab: Lab) -> None:
    lab.window.toggle_projector()
    press(lab, "Data")
    press(lab, "Code")
    docks = [d for d in (lab.window.left_dock, lab.window.right_dock) if d.isVisible()]
    assert lab.window.right_dock in docks
    assert lab.window.width() - 2 * STRIP - sum(d.width() for d in docks) >= 480


@pytest.mark.slow
def test_the_play_button_of_the_strip_pauses_while_the_run_is_played(lab: Lab) -> None:
    lab.window.toggle_projector()
    button, word = lab.window.right_strip.buttons["Play"]
    press(lab, "Play")
    assert lab.session.player.playing
    assert (button.accessibleName(), word.text()) == ("Pause", "Pause")
    press(lab, "Play")
    assert (button.accessibleName(), word.text()) == ("Play", "Play")


@pytest.mark.slow
def test_the_search_comes_in_the_projector_too_and_goes_again(lab: Lab) -> None:
    lab.window.toggle_projector()
    lab.key(Key.Key_K, CTRL)
    assert lab.window.search.hasFocus()
    lab.write("winnow")
    lab.key(Key.Key_Escape)
    lab.key(Key.Key_Escape)
    assert not lab.window.menu_row.isVisible()


def test_the_name_of_a_check_box_is_never_cut(open_lab) -> None:
    lab = open_lab(Document(engine.generate("moons"), (lane("nearest_neighbours"),)))
    form = lab.window.left_dock.form
    for field in params_fields(lab.session.algorithm.params):
        if field.kind == "bool":
            assert form.row(field.name).label.text() == field.label
