"""Edits keep the step that is shown, where there is one, and say so; nothing is forgotten while
there is no run.
"""

import pytest
from laboratory import CTRL, Key, Lab

from engine.document import edits
from engine.protocol.step import Level
from gui.session import clock
from gui.session.sync_mode import END


def test_all_points_deleted_and_brought_back_show_the_same_step(lab: Lab) -> None:
    lab.session.seek(37)
    lab.key(Key.Key_A, CTRL)
    lab.key(Key.Key_Delete)
    assert lab.session.trace is None
    lab.key(Key.Key_Z, CTRL)
    lab.settle()
    assert lab.session.cursor == 37


def test_the_end_is_kept_too(lab: Lab) -> None:
    lab.key(Key.Key_End)
    lab.settle()
    lab.window.commands.clear()
    assert lab.session.trace is None
    lab.key(Key.Key_Z, CTRL)
    lab.settle()
    assert lab.session.cursor == len(lab.session.trace) - 1


@pytest.mark.slow
def test_a_shorter_run_between_does_not_lose_the_step(lab: Lab) -> None:
    lab.session.seek(100)
    whole = lab.session.document
    few = edits.delete_rows(whole, [k for k in range(len(whole.data)) if 4 <= k < 60])
    lab.session.edit(few, "delete points")
    lab.settle()
    last = len(lab.session.trace) - 1
    assert last < 100
    assert lab.session.cursor == last
    lab.session.edit(whole, "bring them back")
    lab.settle()
    assert lab.session.cursor == 100


@pytest.mark.slow
def test_after_going_elsewhere_that_step_is_kept(lab: Lab) -> None:
    lab.session.seek(100)
    lab.window.commands.clear()
    lab.key(Key.Key_Z, CTRL)
    lab.settle()
    lab.session.seek(12)
    lab.window.commands.clear()
    lab.key(Key.Key_Z, CTRL)
    lab.settle()
    assert lab.session.cursor == 12


@pytest.mark.slow
def test_it_is_said_once_for_each_place(lab: Lab) -> None:
    lab.click(*lab.free_place())
    assert lab.said() == "", "at step 0 there is nothing to keep"
    lab.session.seek(37)
    lab.click(*lab.free_place())
    lab.until(lambda: lab.session.cursor == 37)  # the new run has to get there first
    assert lab.said() == "A new run with the same seed, still at step 37."
    lab.window.message.timer.timeout.emit()
    assert lab.said() == ""
    lab.click(*lab.free_place())
    lab.until(lambda: lab.session.cursor == 37)
    assert lab.said() == "", "not again for every point"
    lab.session.seek(20)
    lab.click(*lab.free_place())
    lab.until(lambda: lab.session.cursor == 20)
    assert lab.said() == "A new run with the same seed, still at step 20."
    for _ in range(4):
        # with these points no line would separate the classes, and there is no end
        lab.key(Key.Key_Z, CTRL)
    lab.key(Key.Key_End)
    lab.settle()
    lab.session.set_params(rate=0.25)
    lab.until(lambda: lab.session.lane_view.at_end)
    assert lab.said() == "A new run with the same seed, still at its end."


def test_a_step_that_is_wanted_is_kept_before_it_is_shown(lab: Lab) -> None:
    """The worker may have finished the run while the window still shows its first step."""
    lab.settle()
    view = lab.session.lane_view
    assert view.finished and view.cursor == 0
    view.wanted = 37
    assert lab.session.cursor_anchor.moment().cursor == 37
    view.wanted = len(view.trace) + 100
    assert lab.session.cursor_anchor.moment().cursor == END


@pytest.mark.slow
def test_another_algorithm_begins_at_its_start(lab: Lab) -> None:
    lab.session.seek(37)
    lab.window.commands.clear()
    lab.session.choose("decision_tree")
    lab.key(Key.Key_Z, CTRL)
    lab.key(Key.Key_Z, CTRL)
    lab.settle()
    assert lab.session.cursor == 0


@pytest.mark.slow
def test_another_seed_and_a_probe_are_distinguished(lab: Lab) -> None:
    lab.session.seek(37)
    lab.session.place_probe((0.5, 0.5))
    assert lab.said() == "", "the probe changes nothing that is learnt"
    lab.session.set_seed(lab.session.lane.seed + 1)
    assert lab.said() == "A run with another seed, still at step 37."


@pytest.mark.slow
def test_digits_before_a_shortcut_are_no_part_of_the_next_number(lab: Lab) -> None:
    lab.write("1")
    lab.key(Key.Key_Home)
    lab.write("37")
    lab.key(Key.Key_Return)
    lab.settle()
    assert lab.session.cursor == 37
    assert lab.said() == "", "the step itself is the answer"


@pytest.mark.slow
def test_where_the_run_stands_is_reported_when_it_stands_there(
    lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A slow run has not got there when the edit is done."""
    lab.session.seek(37)
    monkeypatch.setattr(clock, "AT_ONCE", 0.0)
    monkeypatch.setattr(lab.session.worker, "work_on", lambda wishes: None)
    lab.session.set_params(rate=0.25)
    assert lab.session.cursor < 37
    assert lab.said() == ""
    monkeypatch.undo()
    lab.session.clock.work()
    lab.until(lambda: lab.session.cursor == 37)
    assert lab.said() == "A new run with the same seed, still at step 37."


@pytest.mark.slow
def test_what_was_reported_goes_with_the_first_move(lab: Lab) -> None:
    lab.key(Key.Key_End)
    lab.settle()
    lab.session.set_params(rate=0.25)
    lab.settle()
    assert lab.said() == "A new run with the same seed, still at its end."
    lab.key(Key.Key_Home)
    assert lab.said() == ""
    lab.key(Key.Key_Right)
    lab.session.set_params(rate=0.5)
    assert lab.said() == "A new run with the same seed, still at step 1."
    lab.key(Key.Key_End)
    assert lab.said() == ""


@pytest.mark.slow
def test_a_move_before_the_run_is_there_leaves_nothing_to_tell(
    lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    lab.session.seek(37)
    monkeypatch.setattr(clock, "AT_ONCE", 0.0)
    monkeypatch.setattr(lab.session.worker, "work_on", lambda wishes: None)
    lab.session.set_params(rate=0.25)
    monkeypatch.undo()
    lab.key(Key.Key_Home)
    lab.settle()
    assert (lab.session.cursor, lab.said()) == (0, "")


@pytest.mark.slow
def test_a_move_takes_no_other_notice_away(lab: Lab) -> None:
    lab.session.seek(37)
    lab.session.set_params(rate=0.25)
    lab.session.say("Points snap to the grid.")
    lab.key(Key.Key_Right)
    assert lab.said() == "Points snap to the grid."


@pytest.mark.slow
def test_another_unit_takes_back_what_counts_in_the_one_before(lab: Lab) -> None:
    lab.session.seek(37)
    lab.session.set_params(rate=0.25)
    assert lab.said() == "A new run with the same seed, still at step 37."
    lab.session.set_unit(Level.ROUND)
    assert lab.said() == ""
