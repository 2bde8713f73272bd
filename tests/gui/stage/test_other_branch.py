"""The other branch of a tie, taken by a person: at the step's words, in the lane's menu, by key;
kept, compared, undone.
"""

import pytest
from laboratory import CTRL, LEFT, SHIFT, Key, Lab
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu, QWidget

import engine
from engine.document.document import Document
from engine.document.lane import lane
from engine.files.project import load_project, save_project
from engine.protocol.step import BY_HAND
from gui.session.lane_commands import NO_TIE

pytestmark = pytest.mark.slow

CHOOSE = 26  # Patrons = Full: five attributes tie, Hungry comes first


def press(widget: QWidget) -> None:
    QTest.mouseClick(widget, LEFT, pos=widget.rect().center())


def menu_of(widget: QWidget) -> QMenu:
    return next(menu for menu in widget.findChildren(QMenu) if menu.isVisible())


@pytest.fixture
def tied(open_lab) -> Lab:
    """A decision tree on the restaurants at the step that breaks a tie of five, counted
    in steps.
    """
    lab: Lab = open_lab(Document(engine.textbook("restaurant"), (lane("decision_tree"),)))
    at_tie(lab)
    return lab


def at_tie(lab: Lab) -> None:
    trace = lab.session.trace
    lab.session.seek(next(i for i in range(len(trace)) if trace[i].tie is not None))
    lab.settle()


def words(lab: Lab) -> str:
    return lab.window.right_dock.above.difference.accessibleDescription()


def test_a_click_beside_the_candidates_takes_another_one_and_both_stand_there(tied: Lab) -> None:
    other = tied.window.right_dock.step.other
    here = tied.session.number
    tied.until(other.isVisible)
    assert other.accessibleName() == "Take another of the 5 tied…"
    press(other)
    menu = menu_of(other)
    names = [action.text() for action in menu.actions()]
    assert (
        names == [f"Take the other: {name} (tied)" for name in ("Price", "Rain", "Type", "Est")]
        or len(names) == 4
    )
    QTest.mouseClick(menu, LEFT, pos=menu.actionGeometry(menu.actions()[0]).center())
    tied.settle()
    a, b = tied.session.lane_views
    assert tied.session.active == 1 and b.lane.branches == ((0, 1),) and a.lane.branches == ()
    assert a.number == b.number == here
    assert a.step.line == b.step.line == "choose" and b.step.choice.rule == BY_HAND
    assert a.step.choice.chosen != b.step.choice.chosen
    said = tied.said()
    assert (
        said.startswith("Lane B is the run of lane A once more from its beginning")
        and "as good as Hungry" in said
    )


def test_the_difference_names_the_tie_and_one_undo_takes_the_lane_away(tied: Lab) -> None:
    here = tied.session.number
    tied.key(Key.Key_D, CTRL | SHIFT)
    tied.settle()
    name = tied.session.lane_views[1].step.choice
    taken = name.options[name.chosen].label
    tied.until(lambda: "tie" in words(tied))
    assert f"First difference at step {here}, at a tie: B takes {taken}, A takes Hungry." in words(
        tied
    )
    tied.session.seek(2)
    tied.settle()
    press(tied.window.right_dock.above.difference.there)
    tied.settle()
    assert [view.number for view in tied.session.lane_views] == [here, here]
    tied.key(Key.Key_Z, CTRL)
    tied.settle()
    assert len(tied.session.lane_views) == 1 and tied.session.document.compared is None
    tied.key(Key.Key_Z, CTRL | SHIFT)
    tied.settle()
    assert tied.session.lane_views[1].lane.branches == ((0, 1),)


def test_the_menu_of_the_lane_offers_every_other_and_takes_it(tied: Lab) -> None:
    tied.window.lanes.lane_commands.duplicate()
    tied.settle()
    at_tie(tied)
    press(tied.window.lanes.cells[0].badges[0])
    menu = menu_of(tied.window.lanes)
    offers = [action for action in menu.actions() if action.text().endswith("(tied)")]
    assert len(offers) == 4
    QTest.mouseClick(menu, LEFT, pos=menu.actionGeometry(offers[-1]).center())
    tied.settle()
    assert [view.lane.branches for view in tied.session.lane_views] == [(), ((0, 4),), ()]


def test_a_lane_with_a_branch_is_saved_and_opened_and_restarted(tied: Lab, tmp_path) -> None:
    tied.key(Key.Key_D, CTRL | SHIFT)
    tied.settle()
    save_project(tied.session.document, tmp_path / "branch.learnscope")
    assert load_project(tmp_path / "branch.learnscope") == tied.session.document
    assert "tie 1 by hand" in tied.window.lanes.cells[1].chips.texts()
    mine = tied.session.lane_views[1].trace[-1].state.size
    assert mine != tied.session.lane_views[0].trace[-1].state.size
    tied.window.action("anew").trigger()
    tied.settle()
    assert tied.session.lane_views[1].lane.branches == ()


def test_the_branch_of_a_branch_keeps_the_earlier_tie_and_forgets_later_ones(tied: Lab) -> None:
    tied.key(Key.Key_D, CTRL | SHIFT)
    tied.settle()
    b = tied.session.lane_views[1]
    later = [
        i for i in range(len(b.trace)) if b.trace[i].tie is not None and b.trace[i].tie.number == 1
    ]
    tied.session.seek(later[0])
    tied.settle()
    tied.key(Key.Key_D, CTRL | SHIFT)
    tied.settle()
    assert tied.session.lane_views[2].lane.branches == ((0, 1), (1, 1))
    tied.session.seek(CHOOSE)
    at_tie(tied)
    tied.key(Key.Key_D, CTRL | SHIFT)
    tied.settle()
    assert [number for number, _ in tied.session.lane_views[3].lane.branches] == [0]


def test_where_nothing_is_tied_nothing_is_offered_and_the_key_says_why(tied: Lab) -> None:
    tied.session.seek(0)
    tied.settle()
    assert not tied.window.right_dock.step.other.isVisible()
    tied.key(Key.Key_D, CTRL | SHIFT)
    tied.settle()
    assert tied.said() == NO_TIE and len(tied.session.lane_views) == 1


def test_a_method_that_goes_on_takes_the_other_branch_too_and_forks_from_it(open_lab) -> None:
    """AdaBoost: with a stump by hand, then a fork of that lane, which begins with that stump."""
    X = [[1.0, 1.0]] * 4 + [[2.0, 2.0]] * 4
    y = ["Yes"] * 3 + ["No"] * 4 + ["Yes"]
    lab: Lab = open_lab(Document(engine.Dataset.from_arrays(X, y), (lane("adaboost"),)))
    at_tie(lab)
    assert lab.window.right_dock.step.other.accessibleName() == "Take the other: x₂ > 1.50 (tied)"
    press(lab.window.right_dock.step.other)
    lab.settle()
    lab.session.seek(len(lab.session.trace) - 2)
    lab.settle()
    lab.key(Key.Key_D, CTRL)
    lab.settle()
    last = lab.session.lane
    assert last.start.branches == ((0, 1),) and last.branches == ()
    assert lab.session.lane_views[2].trace[0].state.learners[0].column == 1
