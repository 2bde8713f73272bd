"""Numbers written for other columns: emptied by the edit with which they do not fit any more, and
the window says so.
"""

import pytest
from laboratory import CTRL, Key, Lab


def choose(lab: Lab, words: str) -> None:
    """From the menu “Change”."""
    menu = lab.window.left_dock.data.menu
    menu.aboutToShow.emit()
    next(action for action in menu.actions() if action.text() == words).trigger()
    lab.settle()


def start(lab: Lab) -> tuple[float, ...]:
    return lab.session.lane.params.start


@pytest.mark.slow
def test_the_first_start_weights_are_no_trap(lab: Lab) -> None:
    """The person has never written them."""
    assert start(lab) == (-1.0, 0.5)
    choose(lab, "Add squares and products")
    assert lab.session.error == ""
    assert start(lab) == ()
    assert lab.window.left_dock.form.row("start").control.text() == ""
    assert lab.said() == (
        "Start w needs 5 numbers (columns: 5); it has 2. Start w is empty now; Ctrl+Z brings it"
        " back."
    )
    lab.key(Key.Key_Z, CTRL)
    lab.settle()
    assert start(lab) == (-1.0, 0.5)
    assert lab.session.document.transforms == ()


@pytest.mark.slow
def test_a_parameter_that_counts_one_more_empties_them_too(lab: Lab) -> None:
    lab.session.seek(20)
    lab.session.set_params(threshold="learned")
    lab.settle()
    assert lab.session.error == ""
    assert start(lab) == ()
    assert "Start w is empty now" in lab.said()
    lab.session.set_params(rate=0.1)
    lab.settle()
    assert "Start w" not in lab.said()


def test_what_is_written_now_is_left_and_refused(lab: Lab) -> None:
    lab.session.set_params(start=(1.0, 2.0, 3.0))
    lab.settle()
    assert start(lab) == (1.0, 2.0, 3.0)
    assert lab.session.error == "Start w needs 2 numbers (columns: 2); it has 3."
    choose(lab, "Standardise numbers")
    assert start(lab) == (1.0, 2.0, 3.0), "it did not fit before"


def test_numbers_that_fit_stay(lab: Lab) -> None:
    choose(lab, "Standardise numbers")
    assert start(lab) == (-1.0, 0.5)
    lab.click(*lab.free_place())
    assert start(lab) == (-1.0, 0.5)
