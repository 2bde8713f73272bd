"""A lane forked at a step, changed, compared with the one it comes from: with a person's hands."""

import numpy as np
import pytest
from laboratory import CTRL, LEFT, Key, Lab
from PySide6.QtCore import QPoint
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu, QWidget
from ready_window import opening

import engine
from engine.document.document import Document
from engine.document.edits import relabel
from engine.document.lane import lane
from engine.files.project import load_project, save_project
from engine.judge.difference import disagreement
from engine.protocol.step import Level
from engine.runs.start import Start
from gui.figures.network import NetworkFigure
from gui.painters.differences import GHOST
from gui.session.continuation import ROUND_RESTARTS
from gui.session.forked import forked_from, units_before

pytestmark = pytest.mark.slow

ROUNDS = lane("perceptron", stop="rounds", rounds=30)


def moons(*lanes: object, n: int = 40) -> Document:
    return Document(engine.generate("moons", n=n), lanes or (ROUNDS,))  # type: ignore[arg-type]


def press(widget: QWidget, place: QPoint | None = None) -> None:
    QTest.mouseClick(widget, LEFT, pos=place or widget.rect().center())


def at_round(lab: Lab, number: int, place: int = 0) -> None:
    view = lab.session.lane_views[place]
    lab.session.seek(int(view.trace.indices(Level.ROUND)[number]))
    lab.settle()


begun = opening(lambda: moons())


@pytest.fixture
def forked(begun: Lab) -> Lab:
    """A perceptron forked at its round 10, counted in rounds; lane B is active."""
    lab = begun
    lab.session.set_unit(Level.ROUND)
    at_round(lab, 10)
    lab.key(Key.Key_D, CTRL)
    lab.settle()
    return lab


def words(lab: Lab) -> str:
    return lab.window.right_dock.above.difference.accessibleDescription()


def test_a_lane_forked_by_key_begins_with_the_shown_step(forked: Lab) -> None:
    a, b = forked.session.lane_views
    assert forked.session.active == 1 and forked.said().startswith(
        "Lane B goes on from round 10 of lane A"
    )
    assert b.lane.start == Start("perceptron", a.lane.params, 10, 0, Level.ROUND)
    assert a.number == 10 and forked.session.document.compared == (1, 0)
    assert forked_from(b) == (a, a.cursor) and units_before(b, Level.ROUND) == 11
    first = int(a.trace.indices(Level.ROUND)[10]) + 1
    for k in range(20):  # unchanged it is the same run
        assert np.array_equal(b.trace[k].state.w, a.trace[first + k].state.w)
    forked.key(Key.Key_Z, CTRL)
    forked.settle()
    assert len(forked.session.lane_views) == 1 and forked.session.document.compared is None
    assert forked.session.number == 10, "the clock stays where it is"


@pytest.mark.usefixtures("less_ahead")
@pytest.mark.parametrize("key", ["perceptron", "bagging", "kmeans"])
def test_within_a_round_both_ways_to_go_on_say_that_it_may_begin_again(open_lab, key: str) -> None:
    """And at the end of one they do not: the method goes on with the next."""
    lab: Lab = open_lab(Document(engine.generate("moons", n=12), (lane(key),)))
    levels = lab.session.trace.levels
    places = (
        levels.index(Level.ROUND, 1),
        next(k for k in range(1, 200) if levels[k] < Level.ROUND),
    )
    for place, within in zip(places, (False, True), strict=True):
        for command in ("fork_lane", "go_on"):
            lab.session.seek(place)
            lab.settle()
            lab.window.action(command).trigger()
            assert (ROUND_RESTARTS in lab.said()) == within, (command, place, lab.said())
            lab.session.undo()
            lab.settle()


def test_both_go_on_together_and_before_the_fork_the_new_one_waits(forked: Lab) -> None:
    a, b = forked.session.lane_views
    forked.session.set_params(rate=0.05)
    forked.settle()
    for number in (11, 12, 13):
        forked.key(Key.Key_Right)
        forked.settle()
        assert a.number == number and b.cursor == b.trace.indices(Level.ROUND)[number - 11]
    at_round(forked, 4)
    assert b.cursor == 0


def test_a_longer_fork_can_be_followed_to_its_end_and_back_to_the_beginning(open_lab) -> None:
    lab: Lab = open_lab(moons(lane("perceptron", stop="rounds", rounds=12)))
    lab.session.set_unit(Level.ROUND)
    at_round(lab, 10)
    lab.key(Key.Key_D, CTRL)
    lab.session.set_params(rounds=30)
    lab.settle()
    a, b = lab.session.lane_views
    for _ in range(6):
        lab.key(Key.Key_Right)
        lab.settle()
    assert a.at_end and b.cursor == b.trace.indices(Level.ROUND)[5], (
        "rounds 11 and 12 of both, then B's own"
    )
    lab.key(Key.Key_Home)
    lab.settle()
    assert (a.cursor, b.cursor) == (0, 0)
    for _ in range(3):
        lab.key(Key.Key_Right)
    lab.settle()
    assert a.number == 3 and b.cursor == 0


def test_the_menu_of_the_lane_and_the_search_fork_too(open_lab) -> None:
    lab: Lab = open_lab(moons(ROUNDS, lane("nearest_neighbours")))
    press(lab.window.lanes.cells[0].badges[0])
    menu = next(menu for menu in lab.window.lanes.findChildren(QMenu) if menu.isVisible())
    next(action for action in menu.actions() if action.text() == "Fork here").trigger()
    menu.close()
    lab.settle()
    assert [view.lane.key for view in lab.session.lane_views] == [
        "perceptron",
        "perceptron",
        "nearest_neighbours",
    ]
    lab.window.activateWindow()
    QTest.qWaitForWindowActive(lab.window)
    lab.key(Key.Key_K, CTRL)
    lab.window.search.setText("fork here")
    lab.key(Key.Key_Return)
    lab.settle()
    assert len(lab.session.lane_views) == 4 and not lab.window.action("fork_lane").isEnabled()


def test_a_method_that_cannot_go_on_starts_again_and_says_so(open_lab) -> None:
    lab: Lab = open_lab(moons(lane("nearest_neighbours")))
    lab.session.seek(3)
    lab.settle()
    lab.key(Key.Key_D, CTRL)
    lab.settle()
    assert lab.session.lane.start is None and len(lab.session.lane_views) == 2
    assert "cannot go on from a state" in lab.said() and "from its beginning" in lab.said()


def test_a_step_that_was_thinned_can_be_forked(open_lab) -> None:
    lab: Lab = open_lab(moons(lane("perceptron", stop="rounds", rounds=200)), wait=False)
    trace = lab.session.trace
    trace.budget = 100_000
    lab.settle()
    place = next(i for i in range(200, len(trace)) if not trace.holds(i))
    lab.session.seek(place)
    lab.settle()
    assert lab.session.cursor == place
    lab.key(Key.Key_D, CTRL)
    lab.settle()
    # as in a file that was opened again: it is found by replaying
    lab.session.continuation.states.clear()
    lab.session.set_params(rate=0.25)
    lab.settle()
    assert len(lab.session.trace) > 1 and not lab.session.error
    assert np.array_equal(lab.session.lane_views[1].trace[0].state.before, trace[place].state.w)


def test_the_area_of_disagreement_is_hatched_with_its_share(forked: Lab) -> None:
    """Its share against a count of its own over the same places; the hatch darkens them and no
    others.
    """
    forked.session.set_params(rate=0.05)
    at_round(forked, 13)
    a, b = forked.session.lane_views
    plane = forked.window.lanes.cells[1].plane
    forked.until(lambda: not np.isnan(forked.session.lane_comparison.share))
    QTest.qWait(300)
    forked.settle()
    view = plane.view()
    x, y = (np.linspace(*axis, 300) for axis in (view.x, view.y))
    places = a.problem.from_plane(np.array([(u, v) for v in y for u in x]))
    said = [each.trace.codes(places, each.cursor).astype(float) for each in (b, a)]
    share = disagreement(*said).mean()
    assert 0 < share == pytest.approx(forked.session.lane_comparison.share, abs=0.01)
    assert (
        f"B and A disagree on {100 * forked.session.lane_comparison.share:.1f} % of the plane"
        in words(forked)
    )
    codes = [each.trace.codes(a.problem.X, each.cursor) for each in (b, a)]
    assert f"{100 * np.mean(codes[0] != codes[1]):.1f} % of the rows".replace(
        "0.0 %", "0 %"
    ) in words(forked)
    before = plane.grab().toImage()
    forked.session.compare(0, 0)
    forked.settle()
    after = plane.grab().toImage()
    differ = sum(
        before.pixel(px, py) != after.pixel(px, py)
        for px in range(0, before.width(), 3)
        for py in range(0, before.height(), 3)
    )
    cells = len(range(0, before.width(), 3)) * len(range(0, before.height(), 3))
    assert 0.1 * share < differ / cells < 1.6 * share + 0.02


def test_the_first_difference_is_named_and_shown_in_both(forked: Lab) -> None:
    forked.session.set_params(rate=0.05)
    forked.settle()
    forked.until(lambda: forked.session.lane_comparison.first is not None)
    a, b = forked.session.lane_views
    found = forked.session.lane_comparison.first
    apart = int(a.trace.indices(Level.ROUND)[10]) + 1
    first = next(k for k in range(len(b.trace)) if b.trace[k].line == "update")
    assert found.at == (first, apart + first), "until the first mistake nothing differs"
    assert (found.what, found.values) == ("operand", ("0.05", "0.5"))
    assert "is 0.05 in B, 0.5 in A" in words(forked)
    at_round(forked, 20)
    press(forked.window.right_dock.above.difference.there)
    forked.settle()
    assert (b.cursor, a.cursor) == found.at


def test_points_only_one_gets_right_are_listed_and_ringed(open_lab) -> None:
    lab: Lab = open_lab(
        moons(lane("perceptron", stop="rounds", rounds=5), lane("nearest_neighbours", k=1))
    )
    lab.session.seek(1 << 60)
    lab.settle()
    panel = lab.window.right_dock.above.difference
    panel.choice.setCurrentIndex(panel.choice.findText("A against B"))
    panel.choice.activated.emit(panel.choice.currentIndex())
    lab.settle()
    a, b = lab.session.lane_views
    right = [view.trace.codes(a.problem.X, view.cursor) == a.problem.codes for view in (a, b)]
    only = [int(k) for k in np.flatnonzero(right[1] & ~right[0])]
    assert len(only) > 0 and f"only B right: {len(only)} ({a.problem.names[only[0]]}" in words(
        lab
    ).replace("O", "o")
    ringed = [
        layer
        for layer in lab.window.lanes.cells[0].plane.layers()
        if layer.tag == "difference" and hasattr(layer, "xy")
    ]
    assert sum(len(layer.xy) for layer in ringed) == int((right[0] != right[1]).sum())
    assert not [
        layer for layer in lab.window.lanes.cells[1].plane.layers() if layer.tag == "difference"
    ]
    assert "Different methods" in words(lab)
    lab.key(Key.Key_Z, CTRL)
    assert lab.session.document.compared is None and words(lab) == ""


def test_the_ghost_of_the_other_boundary_is_part_of_undo_and_of_the_file(
    forked: Lab, tmp_path
) -> None:
    panel = forked.window.right_dock.above.difference
    press(panel.ghost, QPoint(8, panel.ghost.height() // 2))
    assert forked.session.document.ghost
    assert GHOST in [
        getattr(layer, "name", "") for layer in forked.window.lanes.cells[1].plane.layers()
    ]
    save_project(forked.session.document, tmp_path / "forked.learnscope")
    assert load_project(tmp_path / "forked.learnscope") == forked.session.document
    forked.window.plane.setFocus()
    forked.key(Key.Key_Z, CTRL)
    assert not forked.session.document.ghost and forked.session.document.compared == (1, 0)


def test_the_pair_goes_with_its_lanes(forked: Lab) -> None:
    lanes = forked.window.lanes.lane_commands
    lanes.swap(0)
    assert forked.session.document.compared == (0, 1)
    forked.session.activate(0)
    lanes.duplicate()
    assert forked.session.document.compared == (0, 2)
    forked.session.activate(2)
    lanes.remove()
    assert forked.session.document.compared is None


def test_a_lane_without_a_run_is_said_and_the_others_go_on(forked: Lab) -> None:
    """A third class is more than a perceptron takes; nearest neighbours do not mind."""
    forked.session.activate(0)
    forked.session.choose("nearest_neighbours")
    forked.settle()
    forked.session.edit(relabel(forked.session.document, np.array([0]), 2), "a third class")
    forked.settle()
    a, b = forked.session.lane_views
    assert a.trace is not None and b.trace is None and b.error
    assert words(forked).startswith("B has no run: ")
    forked.key(Key.Key_End)
    forked.settle()
    assert a.at_end
    forked.key(Key.Key_Z, CTRL)
    forked.settle()
    assert b.trace is not None and "has no run" not in words(forked)


def test_a_weight_set_by_hand_in_a_fork_leaves_the_other_lane_at_its_step(open_lab) -> None:
    lab: Lab = open_lab(
        Document(engine.generate("moons", n=20), (lane("backpropagation", epochs=20),))
    )
    lab.session.set_unit(Level.ROUND)
    at_round(lab, 5)
    lab.key(Key.Key_D, CTRL)
    lab.settle()
    a, b = lab.session.lane_views
    run, at = a.run, a.cursor
    figure = next(f for f in lab.window.stage.findChildren(NetworkFigure) if f.isVisible())
    press(figure.viewport(), (figure.place((0, 0, 0)) - figure.origin()).toPoint())
    lab.write("2.5")
    lab.key(Key.Key_Return)
    lab.settle()
    assert a.run is run and a.cursor == at
    assert b.lane.start.change == ((0, 0, 0), 2.5) and b.lane.start.start.step == 5
    assert units_before(b, Level.ROUND) > 0


@pytest.mark.parametrize("event", ["lanes disagree", "a lane converges", "first difference"])
def test_playing_stops_at_events_of_lanes(open_lab, event: str) -> None:
    lab: Lab = open_lab(
        Document(
            engine.generate("moons", n=40),
            (ROUNDS, lane("perceptron", stop="rounds", rounds=8, rate=0.05)),
            probe=(0.4, 0.2),
        )
    )
    lab.session.set_unit(Level.STEP)
    lab.session.compare(1, 0)
    lab.settle()
    a, b = lab.session.lane_views
    check = lab.window.transport.checks[event]
    check.setChecked(True)
    assert lab.session.stop_at == {event}
    lab.session.set_settings(speed=1000.0)
    said = [
        [int(view.trace.codes(view.problem.query[None], k)[0]) for k in range(len(view.trace))]
        for view in (a, b)
    ]
    # B stays at its end
    agree = [said[0][k] == said[1][min(k, len(b.trace) - 1)] for k in range(len(a.trace))]
    apart = [k for k in range(1, len(a.trace)) if agree[k - 1] and not agree[k]]
    wanted = {
        "lanes disagree": apart[0],
        "a lane converges": len(b.trace) - 1,
        "first difference": next(k for k in range(len(b.trace)) if a.trace[k].line == "update"),
    }[event]
    lab.key(Key.Key_Space)
    lab.until(lambda: not lab.session.player.playing, 30)
    assert lab.session.lead.cursor == wanted
    assert lab.said().startswith("Stopped at: ")


def test_a_point_changed_in_a_lane_with_points_of_its_own_leaves_the_others_alone(
    forked: Lab, tmp_path
) -> None:
    """B goes on from round 10 of A, which learnt from the points as they were, with one point
    elsewhere.
    """
    a, b = forked.session.lane_views
    run = a.run
    before = forked.data
    forked.window.action("own_points").trigger()
    forked.settle()
    assert forked.said().startswith("Lane B has points of its own") and b.lane.data is not None
    assert np.array_equal(
        b.trace[0].state.before, a.trace[int(a.trace.indices(Level.ROUND)[10])].state.w
    )
    plane = forked.window.lanes.cells[1].plane
    forked.session.set_settings(tool="move")
    hand = Lab(forked.window)
    hand.plane = plane
    start = tuple(plane.shown().xy[plane.shown().rows == 0][0])
    hand.drag(start, (start[0] + 0.1, start[1] + 0.3))
    forked.settle()
    moved = b.problem.xy[0]
    assert np.allclose(moved, (start[0] + 0.1, start[1] + 0.3), atol=0.05)
    assert a.run is run and a.problem.xy[0] == pytest.approx(start) and forked.data is before
    root = a.trace[int(a.trace.indices(Level.ROUND)[10])].state.w
    assert np.array_equal(b.trace[0].state.before, root), "the past is the one of lane A"
    assert not forked.session.error and len(b.trace) > 10
    save_project(forked.session.document, tmp_path / "own.learnscope")
    forked.session.continuation.states.clear()
    found = load_project(tmp_path / "own.learnscope")
    assert found == forked.session.document and found.lanes[1].data != found.data
    forked.session.open(found)
    forked.settle()
    again = forked.session.lane_views[1]
    assert np.array_equal(again.trace[0].state.before, root), (
        "found again by replaying on the shared points"
    )
    forked.key(Key.Key_Z, CTRL)
    forked.key(Key.Key_Z, CTRL)
    forked.settle()
    assert np.allclose(forked.session.lane_views[1].problem.xy[0], start), "the move is undone"
    assert forked.session.lane_views[1].lane.data is not None
    forked.key(Key.Key_Z, CTRL)
    forked.settle()
    assert forked.session.lane_views[1].lane.data is None


def test_a_point_erased_in_a_lane_of_its_own_can_be_taken_back_with_the_points_of_all(
    forked: Lab,
) -> None:
    count = len(forked.data)
    forked.window.action("own_points").trigger()
    plane = forked.window.lanes.cells[1].plane
    plane.select([0, 1])
    plane.setFocus()
    forked.key(Key.Key_Delete)
    forked.settle()
    a, b = forked.session.lane_views
    assert (a.problem.n, b.problem.n) == (count, count - 2) and len(forked.data) == count
    forked.window.action("own_points").trigger()
    forked.settle()
    assert b.problem is a.problem and b.lane.data is None
