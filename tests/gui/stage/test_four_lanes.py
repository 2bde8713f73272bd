"""Up to four lanes over the same points, with a person's hands: added, looked at, stepped, edited,
taken away, undone.
"""

import numpy as np
import pytest
from laboratory import CTRL, LEFT, Key, Lab, four_points
from PySide6.QtCore import QPoint
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from ready_window import opening

import engine
from engine.base.records import replace
from engine.document.document import Document
from engine.document.lane import lane
from engine.judge.questions.blanks import read
from engine.protocol.step import Level
from gui.dialogs.sweep import Sweep

pytestmark = pytest.mark.slow


def moons(*lanes: object, n: int = 40) -> Document:
    return Document(
        engine.generate("moons", n=n),
        lanes or (lane("perceptron", rounds=30), lane("nearest_neighbours")),
    )


lab = opening(moons)


def press(widget: QWidget, place: QPoint | None = None) -> None:
    QTest.mouseClick(widget, LEFT, pos=place or widget.rect().center())


def keys(lab: Lab) -> list[str]:
    return [view.lane.key for view in lab.session.lane_views]


def test_plus_adds_a_lane_beside_and_undo_takes_it_away(open_lab) -> None:
    lab: Lab = open_lab(moons(lane("perceptron", rounds=30)))
    lanes = lab.window.lanes
    run = lab.session.lane_run
    lab.session.seek(7)
    press(lab.window.chips.plus)
    lab.settle()
    assert len(lanes.cells) == 2 and lab.session.active == 1
    assert lab.session.lane_views[0].run is run, "the run that was there goes on"
    assert lab.session.lane_views[0].cursor == 7
    a, b = (cell.geometry() for cell in lanes.cells)
    assert a.width() == b.width() and a.right() < b.left()
    assert lanes.cells[1].plane.isVisible() and lanes.cells[1].badges[0].text() == "B"
    QApplication.sendPostedEvents()
    lab.key(Key.Key_Escape)
    lab.window.plane.setFocus()
    lab.key(Key.Key_Z, CTRL)
    lab.settle()
    assert len(lanes.cells) == 1 and keys(lab) == ["perceptron"]
    assert lab.session.lane_run is run and lab.session.cursor == 7
    assert not lanes.cells[0].badges[0].isVisible()


def test_four_lanes_stand_two_by_two_and_no_fifth_comes(lab: Lab) -> None:
    for _ in range(5):
        lab.window.lanes.add()
    lab.settle(60)
    cells = lab.window.lanes.cells
    assert len(cells) == 4
    sizes = {(cell.width(), cell.height()) for cell in cells}
    assert max(w for w, _ in sizes) - min(w for w, _ in sizes) <= 1
    assert cells[2].y() > cells[0].geometry().bottom() and cells[2].x() == cells[0].x()
    assert not lab.window.action("add_lane").isEnabled()
    assert len({view.lane.key for view in lab.session.lane_views}) == 4


def test_all_lanes_step_on_one_clock(open_lab) -> None:
    """As many units of each: the n-th step or round, whatever else its run recorded between."""
    lab: Lab = open_lab(
        moons(lane("perceptron", rounds=30), lane("logistic_regression"), lane("adaboost"))
    )
    for unit in (Level.STEP, Level.ROUND):
        lab.session.set_unit(unit)
        lab.session.seek(0)
        lab.settle()
        for n in range(1, 6):
            lab.key(Key.Key_Right)
            lab.settle()
            for view in lab.session.lane_views:
                assert view.cursor == min(view.trace.indices(unit)[n], len(view.trace) - 1)


def test_a_lane_that_would_go_on_for_ever_is_stopped_and_has_not_ended(open_lab) -> None:
    """MMDS Exercise 12.2.1: Winnow with a learned threshold never ends on these e-mails (mmds A20);
    the perceptron converges.
    """
    lanes = (lane("winnow", threshold="learned", rounds=10), lane("perceptron", rate=0.5))
    lab: Lab = open_lab(Document(engine.textbook("spam_nigeria"), lanes))
    lab.key(Key.Key_End)
    lab.settle()
    scores = [cell.score.text() for cell in lab.window.lanes.cells[:2]]
    assert [score.split(", ")[-1] for score in scores] == ["stopped", "ended"]


def test_a_lane_that_is_over_stays_at_its_end_and_says_so(open_lab) -> None:
    lab: Lab = open_lab(moons(lane("adaboost", rounds=3), lane("perceptron", rounds=30)))
    lab.session.set_unit(Level.ROUND)
    lab.settle()
    short, long = lab.session.lane_views
    assert lab.session.active == 0 and lab.session.lead is long, "time goes on with the longer one"
    lab.session.seek(int(long.trace.indices(Level.ROUND)[9]))
    lab.settle()
    assert short.cursor == len(short.trace) - 1 and long.number == 9
    assert lab.window.lanes.cells[0].score.text().endswith(", ended")
    assert "A ended" in lab.window.counter.accessibleName()
    lab.key(Key.Key_End)
    lab.settle()
    assert [view.cursor for view in (short, long)] == [
        len(view.trace) - 1 for view in (short, long)
    ]


def test_a_click_makes_a_lane_active_and_adds_no_point(lab: Lab) -> None:
    second = lab.window.lanes.cells[1]
    before = len(lab.data)
    lab.window.left_dock.show()
    press(second.plane.viewport())
    assert lab.session.active == 1 and len(lab.data) == before
    assert lab.window.right_dock.view.algorithm.key == "nearest_neighbours"
    assert lab.window.right_dock.stage is second.stage
    assert "k" in lab.window.left_dock.form.values()
    assert second.badges[0].property("on") and not lab.window.lanes.cells[0].badges[0].property(
        "on"
    )
    press(second.plane.viewport(), QPoint(60, 60))
    assert len(lab.data) == before + 1, "the hand works in the lane that is active"


def test_a_parameter_is_that_of_the_active_lane_alone(lab: Lab) -> None:
    first = lab.session.lane_run
    lab.key(Key.Key_Tab, CTRL)
    assert lab.session.active == 1
    lab.session.set_params(k=5)
    lab.settle()
    assert [view.lane.params.k for view in lab.session.lane_views[1:]] == [5]
    assert lab.session.lane_views[0].run is first


def test_a_drag_moves_the_point_in_every_lane(open_lab) -> None:
    document = replace(four_points(), lanes=(lane("perceptron"), lane("nearest_neighbours")))
    lab: Lab = open_lab(document)
    lab.session.set_settings(tool="move")
    lab.drag((1.0, 1.0), (0.5, 1.5), (0.2, 1.8))
    lab.settle()
    for view in lab.session.lane_views:
        assert np.abs(view.problem.X[0] - (0.2, 1.8)).max() < 0.05
        assert view.error == "" and len(view.trace) > 1
    lab.key(Key.Key_Z, CTRL)
    lab.settle()
    assert [view.problem.X[0].tolist() for view in lab.session.lane_views] == [[1.0, 1.0]] * 2


@pytest.mark.parametrize("place", [0, 1])
def test_zoom_and_selection_are_those_of_all_lanes(lab: Lab, place: int) -> None:
    planes = lab.window.lanes.planes
    lab.session.activate(place)
    lab.plane = planes[place]
    before = planes[0].view_box.viewRange()
    lab.wheel(0.5, 0.25, 3)
    ranges = [plane.view_box.viewRange() for plane in planes]
    assert np.allclose(ranges[0], ranges[1], atol=0.02) and not np.allclose(ranges[0], before)
    lab.window.action("select_all").trigger()
    assert [len(plane.selected) for plane in planes] == [40, 40]


def test_lanes_are_duplicated_swapped_kept_alone_and_removed(lab: Lab) -> None:
    window = lab.window
    window.action("duplicate_lane").trigger()
    assert (
        keys(lab) == ["perceptron", "perceptron", "nearest_neighbours"] and lab.session.active == 1
    )
    runs = [view.run for view in lab.session.lane_views]
    assert len({id(run) for run in runs}) == 3
    window.action("swap_lane").trigger()
    assert (
        keys(lab) == ["perceptron", "nearest_neighbours", "perceptron"] and lab.session.active == 2
    )
    assert [view.run for view in lab.session.lane_views] == [runs[0], runs[2], runs[1]]
    lab.session.activate(1)
    window.action("only_lane").trigger()
    assert keys(lab) == ["nearest_neighbours"] and len(window.lanes.cells) == 1
    assert lab.session.lane_run is runs[2]
    assert not window.action("remove_lane").isEnabled()
    for _ in range(3):
        window.action("undo").trigger()
    lab.settle()
    assert keys(lab) == ["perceptron", "nearest_neighbours"]
    lab.session.activate(0)
    window.action("remove_lane").trigger()
    lab.settle()
    assert keys(lab) == ["nearest_neighbours"] and lab.session.active == 0


def test_a_lane_that_cannot_take_the_data_says_so_in_its_place(open_lab) -> None:
    lab: Lab = open_lab(moons(lane("nearest_neighbours"), lane("perceptron"), n=12))
    lab.window.left_dock.show()
    rows = np.flatnonzero([value == lab.classes()[0] for value in lab.classes()])
    from engine.document import edits

    lab.session.edit(edits.delete_rows(lab.session.document, rows), "delete a class")
    lab.settle()
    first, second = lab.session.lane_views
    assert second.run is None or second.error
    refusal = lab.window.lanes.cells[1].refusal
    assert refusal.isVisible() and refusal.text() == second.error != ""
    assert first.trace is not None and len(first.trace) > 1
    lab.key(Key.Key_Z, CTRL)
    lab.settle()
    assert not refusal.isVisible() and second.error == ""


def test_lanes_are_in_the_project(open_lab, tmp_path) -> None:
    lab: Lab = open_lab(moons(lane("svm", C=2.0), lane("svm", C=0.5, seed=3), lane("adaboost")))
    lab.session.path = str(tmp_path / "lanes.learnscope")
    assert lab.window.commands.save()
    again: Lab = open_lab(moons(lane("perceptron", rounds=30)))
    again.window.commands.open_path(lab.session.path)
    again.settle()
    assert again.session.document.lanes == lab.session.document.lanes
    assert len(again.window.lanes.cells) == 3


def test_the_same_time_may_be_as_many_examples_or_each_lanes_end(open_lab) -> None:
    """A round of the perceptron and a step of gradient descent over all rows have both seen the 40
    examples once.
    """
    lab: Lab = open_lab(moons(lane("perceptron", rounds=30), lane("logistic_regression", steps=60)))
    online, batch = lab.session.lane_views
    lab.until(lambda: online.finished and batch.finished, 60)
    assert lab.session.lead is online
    lab.window.action("EXAMPLES").trigger()
    for k in (1, 3, 7):
        lab.session.seek(int(online.trace.indices(Level.ROUND)[k]))
        assert batch.cursor == batch.trace.indices(Level.ROUND)[k]
    assert "examples seen" in lab.window.counter.accessibleName()
    lab.window.action("ENDS").trigger()
    lab.session.seek(5)
    assert (online.cursor, batch.cursor) == (5, len(batch.trace) - 1)
    lab.window.action("UNITS").trigger()
    assert batch.number == online.number == 5


def test_playing_stops_at_the_events_of_the_active_lane(open_lab) -> None:
    """Also where time is read from another one, which goes on for longer."""
    lab: Lab = open_lab(moons(lane("adaboost", rounds=5), lane("perceptron", rounds=30)))
    active, lead = lab.session.lane_views
    lab.until(lambda: active.finished and lead.finished, 60)
    assert lab.session.lead is lead and lab.session.active == 0
    event, at = next((events[0], k) for k, events in enumerate(active.trace.events) if k and events)
    lab.session.set_settings(stop_at=frozenset({event}), speed=1000.0)
    lab.session.player.play()
    lab.until(lambda: not lab.session.player.playing, 30)
    assert active.cursor == at and event in lab.said()


def test_values_of_a_parameter_are_compared_in_a_lane_each(open_lab) -> None:
    lab: Lab = open_lab(moons(lane("svm", kernel="rbf")))
    lab.window.action("sweep").trigger()
    dialog = next(
        w for w in QApplication.topLevelWidgets() if isinstance(w, Sweep) and w.isVisible()
    )
    dialog.names.setCurrentIndex([field.name for field in dialog.fields].index("C"))
    assert dialog.values.text() == "1, 10, 100, 1000"
    dialog.values.setText("0.1, ten")
    dialog.accept()
    assert dialog.isVisible() and "“ten” is not a number" in dialog.error.text()
    dialog.values.setText("0.1, 1, 10, 100")
    dialog.values.setFocus()
    QTest.keyClick(dialog.values, Key.Key_Return)
    lab.settle(60)
    assert [view.lane.params.C for view in lab.session.lane_views] == [0.1, 1.0, 10.0, 100.0]
    assert {view.lane.params.kernel for view in lab.session.lane_views} == {"rbf"}
    assert [row.title for row in lab.window.right_dock.above.numbers.rows] == [
        "C 0.1",
        "C 1",
        "C 10",
        "C 100",
    ]
    lab.window.action("undo").trigger()
    assert [view.lane.params.C for view in lab.session.lane_views] == [10.0]


def test_narrow_lanes_of_one_method_are_headed_by_what_differs(open_lab) -> None:
    """MMDS Ex 12.12 has four rules of one method: “Neighb…” four times says nothing."""
    lanes = [lane("nearest_neighbours", k=k, weights="1/d" if k == 2 else "equal") for k in (1, 2)]
    four = (*lanes, lane("nearest_neighbours", k=3), lane("nearest_neighbours", k=4))
    lab: Lab = open_lab(moons(*four))
    heads = [cell.chips.chips.itemAt(0).widget() for cell in lab.window.lanes.cells]
    assert [head.text() for head in heads] == ["k 1, equal", "k 2, 1/d", "k 3, equal", "k 4, equal"]
    assert all("Nearest neighbours" in head.toolTip() for head in heads)


def test_all_lanes_answer_for_the_probe(open_lab) -> None:
    lab: Lab = open_lab(
        moons(lane("perceptron", rounds=3), lane("nearest_neighbours"), lane("decision_tree"))
    )
    lab.key(Key.Key_End)
    lab.settle(60)
    lab.session.place_probe((0.5, 0.25))
    lab.settle(60)
    panel = lab.window.right_dock.above.numbers

    def labels() -> list[int]:
        return [
            int(view.trace.codes(view.problem.query[None], view.cursor)[0])
            for view in lab.session.lane_views
        ]

    # The neighbours are sought again for the place, so their lane says “none” until its run stands
    # at its end again.
    lab.until(lambda: [answer.label for answer in panel.answers] == labels() and -1 not in labels())
    wrong = [int(view.trace.wrong(at=view.cursor).sum()) for view in lab.session.lane_views]
    lab.until(lambda: [row.cells[0] for row in panel.rows] == [str(count) for count in wrong])
    press(panel, QPoint(40, 80))  # a heading of 30 pixels, then rows of 20
    assert lab.session.active == 1, "a row leads to its lane"


def test_no_lane_is_pressed_to_nothing_in_the_least_window(open_lab) -> None:
    """Nor is the only one: its stage asks for its least height as before."""
    lab: Lab = open_lab(moons(), size=(800, 600))
    assert lab.window.lanes.cells[0].minimumHeight() > 0
    for _ in range(2):
        lab.window.lanes.add()
    for theme in ("light", "projector"):
        lab.window.use_theme(theme)
        lab.settle(60)
        views = [plane.viewport().size() for plane in lab.window.lanes.planes if plane.isVisible()]
        assert views and min(min(view.width(), view.height()) for view in views) > 20
    for _ in range(3):
        lab.window.action("remove_lane").trigger()
    assert lab.window.lanes.minimumSizeHint().height() >= 200


def test_every_lane_says_how_far_another_label_is(open_lab) -> None:
    """Against a fine raster of answers; exact ones at once, searched ones (marked ≈) when they are
    found.
    """
    lab: Lab = open_lab(
        moons(lane("perceptron", rounds=3), lane("decision_tree"), lane("svm", kernel="rbf"))
    )
    lab.key(Key.Key_End)
    lab.settle(60)
    lab.session.place_probe((0.5, 0.25))
    panel = lab.window.right_dock.above.numbers
    lab.until(lambda: len(panel.answers) == 3 and all(answer.flip for answer in panel.answers), 30)
    side = np.linspace(-3.0, 3.0, 601)
    places = np.stack([axis.ravel() for axis in np.meshgrid(side, side)], axis=1)
    apart = np.hypot(*(places - [0.5, 0.25]).T)
    for answer, view in zip(panel.answers, lab.session.lane_views, strict=True):
        codes = view.trace.codes(view.problem.from_plane(places), view.cursor)
        length, other = answer.flip.removeprefix("≈ ").split(" to ")
        assert abs(read(length) - apart[codes != answer.label].min()) < 0.03
        assert other == view.problem.class_text(1 - answer.label)
    assert [answer.flip.startswith("≈") for answer in panel.answers] == [False, False, True]
    assert all(answer.flip in panel.accessibleDescription() for answer in panel.answers)


def test_a_name_takes_the_room_that_nothing_else_can_use(open_lab) -> None:
    """AIMA Fig 18.30: “Percept…” stood beside free room, as a parameter had none for its chip."""
    starts = ((3.0, 6.0, 4.0), (0.0, 0.0, 4.0), (0.0, -6.0, 4.0))
    lanes = [lane("perceptron", threshold="learned", start=start) for start in starts]
    lab: Lab = open_lab(moons(*lanes, lane("svm")))
    heads = [cell.chips.chips.itemAt(0).widget() for cell in lab.window.lanes.cells]
    assert [head.text() for head in heads] == ["Perceptron"] * 3 + ["Support vector machine"]
    for cell, head in zip(lab.window.lanes.cells, heads, strict=True):
        assert head.geometry().right() < cell.score.geometry().left()


def test_lanes_with_data_of_their_own_are_headed_by_them(open_lab) -> None:
    """AIMA Fig 18.21: “by rule, (0.2, 0.1…” says nothing of AND, OR and XOR."""
    sets = [engine.textbook(name) for name in ("and", "or", "xor")]
    lanes = [
        replace(lane("perceptron", threshold="learned", start=(0.1 * k, 0.1, 0.3)), data=data)
        for k, data in enumerate(sets)
    ]
    first = replace(lanes[0], data=None)
    lab: Lab = open_lab(Document(sets[0], (first, *lanes[1:])))
    heads = [cell.chips.chips.itemAt(0).widget() for cell in lab.window.lanes.cells]
    assert [head.text() for head in heads] == ["AND", "OR", "XOR"]
