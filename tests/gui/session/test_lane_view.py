"""One object per lane: what it shows follows from its run and the step that the clock is at."""

from dataclasses import replace

import numpy as np
from laboratory import Lab, four_points

from engine.core.scene import Scene
from engine.document.document import Document
from engine.document.lane import lane
from gui.session.lane_view import LaneView


def test_the_session_holds_one_for_each_lane_and_shows_one(open_lab) -> None:
    document = replace(four_points(), lanes=(lane("perceptron"), lane("nearest_neighbours")))
    lab: Lab = open_lab(document)
    session = lab.session
    assert [view.trace.algorithm.key for view in session.lane_views] == ["perceptron", "nearest_neighbours"]
    assert session.lane_view is session.lane_views[session.active]
    assert session.scene is session.lane_view.scene
    session.seek(2)
    lab.settle()
    assert (session.lane_view.cursor, session.cursor) == (2, 2)
    assert session.lane_view.step is session.lane_view.trace[2]


def test_the_picture_is_made_once_for_each_step(open_lab) -> None:
    lab: Lab = open_lab(four_points())
    view = lab.session.lane_view
    first = view.scene
    assert view.scene is first
    lab.session.seek(1)
    assert view.scene is not first
    again = LaneView(view.run)
    again.cursor = 1
    assert len(again.scene.layers) == len(view.scene.layers)


def test_it_answers_for_itself(open_lab) -> None:
    """From the run and the cursor alone: a lane that is not the shown one can be asked too."""
    lab: Lab = open_lab(four_points())
    lab.session.seek(len(lab.session.trace) - 1)
    lab.settle()
    other = LaneView(lab.session.lane_view.run)
    other.cursor = lab.session.cursor
    x = np.array([1.0, 1.0])
    assert other.explanation(x).label == lab.session.explanation(x).label == 0
    raster = other.raster(lab.session.surfaces, "class", (-1.0, 1.0), (-1.0, 1.0))
    assert raster is not None and np.isfinite(raster).all()
    assert other.raster(lab.session.surfaces, "no such surface", (-1.0, 1.0), (-1.0, 1.0)) is None


def test_without_a_run_there_is_nothing() -> None:
    view = LaneView()
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
