"""From an empty plane: points of the kind that the algorithm learns from, a switch that says so, a
view that stays put.
"""

import numpy as np
import pytest
from laboratory import CTRL, LEFT, SHIFT, Key, Lab
from PySide6.QtTest import QTest

import engine
from engine.document.document import Document
from engine.document.lane import lane
from engine.sources.own_points import PointKind, kind_of

FIVE = [(-2.0, -1.0), (-1.0, 0.2), (0.0, 0.3), (1.0, 1.2), (2.0, 1.5)]


def begin(lab: Lab, key: str) -> None:
    lab.key(Key.Key_N, CTRL)
    lab.session.choose(key)
    lab.settle()


def switch_to(lab: Lab, kind: PointKind) -> None:
    QTest.mouseClick(lab.plane.kind_switch.buttons()[list(PointKind).index(kind)], LEFT)
    lab.settle()


def ranges(lab: Lab) -> tuple[object, object]:
    return lab.plane.view().x, lab.plane.view().y


@pytest.mark.slow
def test_five_clicks_and_the_line_is_there(lab: Lab) -> None:
    begin(lab, "linear_regression")
    assert lab.plane.axis_names() == ("x", "y")
    assert lab.window.tool_strip.classes.count() == 0
    for place in FIVE:
        lab.click(*place)
        lab.settle()
    x, y = lab.points().T
    slope, level = np.polyfit(x, y, 1)
    assert np.allclose(lab.points(), FIVE, atol=0.02)
    assert lab.session.finished
    assert lab.session.cursor == len(lab.session.trace) - 1
    assert lab.session.trace.predict([[0.0], [1.0]], at=lab.session.cursor) == pytest.approx(
        [level, level + slope]
    )
    assert lab.said() == ""


@pytest.mark.slow
def test_ctrl_n_takes_the_kind_of_the_chosen_algorithm(lab: Lab) -> None:
    for key, kind, classes in (
        ("linear_regression", PointKind.VALUES, 0),
        ("perceptron", PointKind.CLASSES, 2),
        ("em_means", PointKind.PLAIN, 0),
        ("perceptron", PointKind.CLASSES, 2),
        ("kd_tree", PointKind.PLAIN, 0),
    ):
        lab.session.choose(key)
        lab.key(Key.Key_N, CTRL)
        lab.settle()
        assert kind_of(lab.data) is kind
        assert lab.plane.kind_switch.isVisible()
        assert lab.plane.kind_switch.value() is kind
        assert lab.window.tool_strip.classes.count() == classes
        assert lab.window.tool_strip.buttons["relabel"].isEnabled() is bool(classes)


def test_zero_points_are_no_error(lab: Lab) -> None:
    lab.key(Key.Key_N, CTRL)
    message = lab.window.message
    assert message.hint.text() == lab.said() != ""
    assert message.standing.text() == ""
    assert message.hint.icon.isHidden()
    lab.click(1.0, 1.0)
    assert message.hint.text() == ""


@pytest.mark.slow
@pytest.mark.parametrize(
    "key",
    ["perceptron", "svm", "decision_tree", "linear_regression", "em_means", "voronoi_diagram"],
)
def test_nothing_moves_under_the_pointer(
    lab: Lab, monkeypatch: pytest.MonkeyPatch, key: str
) -> None:
    # no line separates them all: each click began 10,000 steps
    monkeypatch.setattr("gui.session.clock.AHEAD", 100)
    begin(lab, key)
    before = ranges(lab)
    label = Key.Key_1
    for k, place in enumerate([*FIVE, (3.2, 2.6), (-3.3, -2.7)]):
        label = Key.Key_2 if k % 2 else Key.Key_1
        lab.key(label)
        lab.click(*place)
        lab.settle()
        assert ranges(lab) == before, k
    lab.key(Key.Key_End)
    lab.settle()
    assert ranges(lab) == before


@pytest.mark.slow
def test_the_switch_changes_the_points_and_not_their_places(lab: Lab) -> None:
    begin(lab, "em_means")
    for place in FIVE:
        lab.click(*place)
    before = lab.points()
    view = ranges(lab)
    for kind in (PointKind.VALUES, PointKind.CLASSES, PointKind.PLAIN):
        switch_to(lab, kind)
        assert kind_of(lab.data) is kind
        assert np.array_equal(lab.points(), before)
        assert ranges(lab) == view
    for _ in range(3):
        lab.key(Key.Key_Z, CTRL)
    assert kind_of(lab.data) is PointKind.PLAIN
    assert lab.plane.kind_switch.value() is PointKind.PLAIN
    lab.key(Key.Key_Z, CTRL | SHIFT)
    assert lab.plane.kind_switch.value() is PointKind.VALUES


@pytest.mark.slow
def test_points_with_classes_become_x_and_y_by_the_button(lab: Lab) -> None:
    lab.key(Key.Key_N, CTRL)
    for place in FIVE:
        lab.click(*place)
    lab.session.choose("linear_regression")
    lab.settle()
    assert lab.window.message.standing.action.text() == "Take them as x and y"
    QTest.mouseClick(lab.window.message.standing.action, LEFT)
    lab.settle()
    assert kind_of(lab.data) is PointKind.VALUES
    assert lab.session.trace is not None
    assert lab.said() == ""


@pytest.mark.slow
def test_other_tables_have_no_switch(open_lab) -> None:
    lab = open_lab(Document(engine.generate("moons"), (lane("perceptron"),)))
    assert not lab.plane.kind_switch.isVisible()


@pytest.mark.slow
@pytest.mark.parametrize("size", [(1280, 800), (1920, 1080)])
def test_the_switch_stands_inside_the_frame(open_lab, size: tuple[int, int]) -> None:
    lab = open_lab(size=size)
    lab.key(Key.Key_N, CTRL)
    lab.settle_drawing()
    frame = lab.plane.view_box.mapRectToScene(lab.plane.view_box.rect()).toRect()
    assert frame.contains(lab.plane.kind_switch.geometry())
    assert frame.right() - lab.plane.kind_switch.geometry().right() < 12
