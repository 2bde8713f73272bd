"""One object per lane: what it shows follows from its run and the step that the clock is at."""

import numpy as np
import pytest
from laboratory import Lab, four_points

from engine.base.records import replace
from engine.document.document import Document
from engine.document.lane import lane
from engine.scene.scene import Role, Scene
from gui.frame.right_dock import RightDock
from gui.plane.plane import Plane
from gui.session.changes import Change, Changes
from gui.session.lane_view import LaneView
from gui.session.pointer import Pointer
from gui.stage.stage import Stage
from gui.timeline.counter import Counter
from gui.timeline.timeline import Timeline


def beside(view: LaneView) -> LaneView:
    """Another view of the same run, from its first step."""
    other = LaneView(
        view.document, view.place, view.pointer, view.surfaces, view.playing, lambda *_: None
    )
    other.begin(view.run, 0)
    return other


def test_the_session_holds_one_for_each_lane_and_shows_one(open_lab) -> None:
    document = replace(four_points(), lanes=(lane("perceptron"), lane("nearest_neighbours")))
    lab: Lab = open_lab(document)
    session = lab.session
    assert [view.trace.algorithm.key for view in session.lane_views] == [
        "perceptron",
        "nearest_neighbours",
    ]
    assert session.lane_view is session.lane_views[session.active]
    assert session.scene is session.lane_view.scene
    session.seek(2)
    lab.settle()
    assert (session.lane_view.cursor, session.cursor) == (2, 2)
    assert session.lane_view.step is session.lane_view.trace[2]


def test_the_picture_is_made_once_for_each_step(square: Lab) -> None:
    view = square.session.lane_view
    first = view.scene
    assert view.scene is first
    square.session.seek(1)
    assert view.scene is not first
    again = beside(view)
    again.cursor = 1
    assert len(again.scene.layers) == len(view.scene.layers)


def test_it_answers_for_itself(square: Lab) -> None:
    """From the run and the cursor alone: a lane that is not the shown one can be read too."""
    square.session.seek(len(square.session.trace) - 1)
    square.settle()
    other = beside(square.session.lane_view)
    other.cursor = square.session.cursor
    x = np.array([1.0, 1.0])
    assert other.explanation(x).label == square.session.lane_view.explanation(x).label == 0
    raster = other.raster("class", (-1.0, 1.0), (-1.0, 1.0))
    assert raster is not None and np.isfinite(raster).all()
    assert other.raster("no such surface", (-1.0, 1.0), (-1.0, 1.0)) is None


def test_without_a_run_there_is_nothing() -> None:
    view = LaneView(four_points(), 0, Pointer(lambda _: None), None, lambda: False, lambda *_: None)
    assert (view.trace, view.step, view.finished) == (None, None, True)
    assert view.explanation(np.zeros(2)) is None
    assert isinstance(view.scene, Scene) and view.scene.layers == ()


def test_a_document_of_several_lanes_stays_one(open_lab) -> None:
    document = replace(four_points(), lanes=(lane("perceptron"), lane("perceptron", seed=3)))
    lab: Lab = open_lab(Document(document.data, document.lanes))
    assert len({id(view) for view in lab.session.lane_views}) == 2
    lab.session.set_seed(7)
    lab.settle()
    assert len(lab.session.lane_views) == 2


@pytest.mark.slow
def test_a_lane_keeps_its_view_through_edits_and_other_documents(square: Lab) -> None:
    view = square.session.lane_view
    seen = []

    def look(changes: Changes) -> None:
        if changes.of(view) & Change.RUN:
            seen.append((view.lane.key, view.problem.n))

    square.session.changed.connect(look)
    square.session.choose("decision_tree")
    square.session.open(replace(four_points(), lanes=(lane("svm"), lane("perceptron"))))
    assert square.session.lane_view is view
    assert seen == [("decision_tree", 4), ("svm", 4)]
    second = square.session.lane_views[1]
    run = second.run
    square.session.open(four_points())
    assert run.cancelled
    assert square.session.lane_views == [view]


@pytest.mark.slow
def test_what_shows_a_lane_can_show_another_one(open_lab, qtbot) -> None:
    """A plane, a stage, a dock, a timeline and a counter of the second lane, beside those of the
    window.
    """
    lab: Lab = open_lab(replace(four_points(), lanes=(lane("perceptron"), lane("decision_tree"))))
    lab.settle()
    session = lab.session
    second = lab.session.lane_views[1]
    plane = Plane(session, second)

    def of_second() -> LaneView:
        return second

    stage = Stage(session, of_second, plane, lab.window.settings)
    parts = [
        stage,
        stage.switcher,
        RightDock(session, of_second, stage),
        Timeline(session, session.player, of_second),
        Counter(session, of_second),
    ]
    for part in parts:
        qtbot.addWidget(part)
    _, _, dock, timeline, counter = parts
    second.cursor = 3
    second.announce(Change.CURSOR)
    scene = second.trace.algorithm.scene(second.trace.given, second.trace[3])
    own = {layer.tag for layer in scene.layers}
    assert {layer.tag for layer in plane.layers()} >= own
    assert not {layer.tag for layer in lab.plane.layers()} >= own
    assert counter.accessibleName().split()[0] == str(second.number)
    assert dock.code.as_text() != lab.window.right_dock.code.as_text()
    assert timeline.view is second
    second.pointer.light(("row 2",))  # it is one pointer over all lanes
    for each in (plane, lab.plane):
        assert any(getattr(layer, "role", None) is Role.ACCEPTED for layer in each.layers())
