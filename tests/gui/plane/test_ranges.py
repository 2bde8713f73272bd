"""The fitted range of the plane: what a scene is about may lie beyond the points; axes without a
meaning have no numbers.
"""

import numpy as np
import pytest
from laboratory import CTRL, MIDDLE, SHIFT, Key, Lab
from ready_window import opening

import engine
from engine.document.document import Document
from engine.document.lane import lane
from engine.scene.axes import AIR, extent
from engine.scene.scene import Arrows

# MMDS Fig 12.18: the margins come from far away towards the six points
hinge = opening(
    lambda: Document(engine.textbook("six_points"), (lane("hinge_descent", rate=0.01),))
)


def seen(lab: Lab, x: float, y: float) -> bool:
    view = lab.plane.view()
    return view.x[0] < x < view.x[1] and view.y[0] < y < view.y[1]


def test_the_margin_and_the_feet_on_it_are_seen(hinge: Lab) -> None:
    """Three of the six penalty arrows stand on the upper margin, 0.8 above the highest point."""
    trace = hinge.session.trace
    hinge.session.seek(next(k for k in range(9, len(trace)) if trace[k].line == "bad"))
    layers = hinge.session.scene.layers
    feet = np.concatenate([layer.start for layer in layers if isinstance(layer, Arrows)])
    upper = feet[feet[:, 1] > 4]
    assert len(upper) == 3
    assert all(seen(hinge, *foot) for foot in upper.tolist())


@pytest.mark.slow
def test_the_range_only_grows_and_not_far(hinge: Lab) -> None:
    y0, y1 = extent(hinge.session.problem)[1]
    wide = hinge.plane.view().unit[1]
    hinge.session.seek(0)
    assert hinge.plane.view().unit[1] == wide  # the shown step when the run began is the first one
    heights = []
    for at in (*range(40), 3, 0, 20):
        hinge.session.seek(at)
        view = hinge.plane.view()
        heights.append(view.y[1] - view.y[0])
    assert (np.diff(heights) >= 0).all()
    assert len(set(heights)) <= 4  # it does not creep
    assert heights[0] < heights[-1] <= 1.6 * (y1 - y0) * (1 + 2 * AIR) + 1e-9
    view = hinge.plane.view()
    assert view.unit[0] == pytest.approx(view.unit[1], rel=0.01)


def test_what_a_person_zoomed_to_stays(hinge: Lab) -> None:
    hinge.session.seek(0)
    hinge.wheel(2, 2, +4)
    before = hinge.plane.view()
    hinge.session.seek(10)
    assert hinge.plane.view() == before
    hinge.plane.fit()  # and who asks for everything gets the margin too
    assert seen(hinge, 2.0, 4.8)


def test_a_declared_range_is_kept(open_lab) -> None:
    declared = ((0.0, 4.0), (0.0, 4.5))
    lab = open_lab(
        Document(engine.textbook("six_points"), (lane("hinge_descent", rate=0.01),), view=declared)
    )
    lab.session.seek(0)
    before = lab.plane.view()
    lab.session.seek(10)
    assert lab.plane.view() == before


def one_column() -> Document:
    x = np.array([-1.2, -1.0, -0.9, -0.4, 0.7, 1.0, 1.4, 1.5])
    return Document(engine.Dataset.from_columns({"x": x}), (lane("em_means"),))


@pytest.mark.slow
def test_an_axis_that_means_nothing_has_no_numbers(open_lab) -> None:
    lab = open_lab(one_column())
    assert lab.session.trace is not None
    assert lab.plane.axis_names() == ("x", "")
    left, bottom = (lab.plane.getPlotItem().getAxis(side) for side in ("left", "bottom"))
    assert left.tickValues(-2, 2, 400) == []
    assert bottom.tickValues(-2, 2, 400)
    lab.window.commands.use_data(engine.generate("blobs", 20))
    lab.settle()
    assert left.tickValues(-2, 2, 400)


@pytest.mark.slow
def test_points_snap_along_the_one_axis_that_has_ticks(open_lab) -> None:
    lab = open_lab(one_column())
    lab.window.action("snap").trigger()
    lab.session.set_settings(tool="add")
    ticks = lab.plane.grid.ticks("bottom", *lab.plane.view().x)
    step = (ticks[1] - ticks[0]) / 10
    lab.click(0.1234 * step + 3 * step, 0.0)
    assert lab.data["x"].values[-1] == pytest.approx(3 * step, abs=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("drawn", [0, 1, 3])
def test_undo_of_new_brings_the_view_back(open_lab, drawn: int) -> None:
    """A short run, since a strip under a long one takes some of the height as soon as it is
    recorded.
    """
    lab = open_lab(Document(engine.generate("moons", 60), (lane("naive_bayes"),)))
    lab.key(Key.Key_F)
    before = lab.plane.view()
    lab.key(Key.Key_N, CTRL)
    empty = lab.plane.view()
    assert empty != before
    for k in range(drawn):
        lab.click(0.5 * k, 0.5)
        assert lab.plane.view() == empty, "no point makes the plane jump"
    for _ in range(drawn + 1):
        lab.key(Key.Key_Z, CTRL)
        lab.settle()
    assert lab.plane.view().x == pytest.approx(before.x)
    assert lab.plane.view().y == pytest.approx(before.y)


def test_undo_of_new_brings_points_drawn_by_hand_back_as_a_whole(square: Lab) -> None:
    """Two tables drawn by hand have the same name."""
    square.key(Key.Key_N, CTRL)
    for place in ((0.1, 0.1), (0.2, 0.3), (0.3, 0.1)):
        square.click(*place)
    square.key(Key.Key_N, CTRL)
    empty = np.diff(square.plane.view().x)
    square.key(Key.Key_Z, CTRL)
    square.settle()
    assert np.diff(square.plane.view().x) < empty / 2, (
        "three points within a fifth of a unit, seen large"
    )
    assert all(seen(square, *place) for place in square.points().tolist())


@pytest.mark.slow
def test_the_only_point_erased_and_brought_back_moves_nothing(lab: Lab) -> None:
    lab.key(Key.Key_N, CTRL)
    lab.click(1.0, 0.5)
    before = lab.plane.view()
    lab.session.set_settings(tool="erase")
    lab.click(1.0, 0.5)
    assert len(lab.data) == 0
    assert lab.plane.view() == before
    for keys, count in ((CTRL, 1), (CTRL | SHIFT, 0), (CTRL, 1), (CTRL, 0), (CTRL | SHIFT, 1)):
        lab.key(Key.Key_Z, keys)
        lab.settle()
        assert len(lab.data) == count
        assert lab.plane.view() == before


@pytest.mark.slow
def test_all_points_removed_and_brought_back_leave_the_zoom(lab: Lab) -> None:
    lab.wheel(0.0, 0.0, 10)
    before = lab.plane.view()
    assert not all(seen(lab, *place) for place in lab.points().tolist())
    lab.key(Key.Key_A, CTRL)
    lab.key(Key.Key_Delete)
    assert len(lab.data) == 0
    assert lab.plane.view() == before
    lab.key(Key.Key_Z, CTRL)
    lab.settle()
    assert len(lab.data) > 0
    assert lab.plane.view() == before


@pytest.mark.slow
def test_points_brought_back_out_of_sight_are_shown(lab: Lab) -> None:
    lab.key(Key.Key_A, CTRL)
    lab.key(Key.Key_Delete)
    for _ in range(8):
        x, y = lab.plane.view().x, lab.plane.view().y
        lab.drag((x[0] + 0.1, y[0] + 0.1), (x[1] - 0.1, y[1] - 0.1), button=MIDDLE)
    lab.key(Key.Key_Z, CTRL)
    lab.settle()
    assert all(seen(lab, *place) for place in lab.points().tolist())
