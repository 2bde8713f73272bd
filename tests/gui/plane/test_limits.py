"""Typed ranges of the axes, each axis on its own, and equal scales only where a method reckons with
numbers.
"""

import numpy as np
import pytest
from laboratory import CTRL, Key, Lab, double_click
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from ready_window import opening

import engine
from engine.document.document import Document
from engine.document.lane import lane
from gui.plane.limits import Limits


def numbers_of(lab: Lab, axis: str) -> QPoint:
    """The middle of an axis, in the viewport."""
    item = lab.plane.getPlotItem().getAxis(axis)
    return lab.plane.mapFromScene(item.mapToScene(item.boundingRect().center()))


def type_ranges(lab: Lab, *texts: str) -> Limits:
    double_click(lab.plane.viewport(), numbers_of(lab, "left"))
    limits = QApplication.activePopupWidget()
    assert isinstance(limits, Limits)
    for field, text in zip(limits.fields, texts, strict=True):
        field.selectAll()
        QTest.keyClicks(field, text)
    QTest.keyClick(limits.fields[-1], Key.Key_Return)
    return limits


tree = opening(lambda: Document(engine.generate("moons", 40, 0.2), (lane("decision_tree"),)))


def test_typed_ranges_are_shown_kept_and_undone(tree: Lab) -> None:
    before = tree.plane.view()
    type_ranges(tree, "0", "10", "-2.5", "2.5")
    assert tree.plane.view().x == pytest.approx((0.0, 10.0))
    assert tree.plane.view().y == pytest.approx((-2.5, 2.5))
    assert tree.plane.ranges.kept().view == ((0.0, 10.0), (-2.5, 2.5))
    tree.window.activateWindow()
    tree.key(Key.Key_Z, CTRL)
    assert tree.plane.view().x == pytest.approx(before.x)
    assert tree.plane.view().y == pytest.approx(before.y)


@pytest.mark.slow
def test_what_is_no_range_is_said_and_changes_nothing(tree: Lab) -> None:
    before = tree.plane.view()
    for texts in (
        ("3", "1", "0", "1"),
        ("a", "1", "0", "1"),
        ("0", "1", "2", "2"),
        ("0", "1e300", "0", "1"),
    ):
        limits = type_ranges(tree, *texts)
        assert limits.error.text() == "Each axis goes from a number to a larger one."
        assert tree.plane.view() == before
        QTest.keyClick(limits, Key.Key_Escape)


def turn_over(lab: Lab, axis: str) -> None:
    place = numbers_of(lab, axis)
    event = QWheelEvent(
        QPointF(place),
        QPointF(lab.plane.viewport().mapToGlobal(place)),
        QPoint(),
        QPoint(0, 240),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(lab.plane.viewport(), event)


@pytest.mark.slow
@pytest.mark.parametrize("axis", ["left", "bottom"])
def test_each_axis_zooms_alone(tree: Lab, axis: str) -> None:
    before = tree.plane.view()
    turn_over(tree, axis)
    after = tree.plane.view()
    assert (after.x == before.x) is (axis == "left")
    assert (after.y == before.y) is (axis == "bottom")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("key", "equal"),
    [("decision_tree", False), ("adaboost", False), ("perceptron", True), ("svm", True)],
)
def test_scales_are_equal_where_an_angle_or_a_distance_is_meant(
    open_lab, key: str, equal: bool
) -> None:
    lab = open_lab(Document(engine.generate("moons", 40, 0.2), (lane(key),)))
    across, up = lab.plane.view().unit
    assert (abs(across / up - 1) < 0.01) is equal


@pytest.mark.slow
@pytest.mark.usefixtures("less_ahead")
def test_unlike_units_are_not_forced_equal(open_lab) -> None:
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.uniform(20, 60, 30), rng.uniform(20_000, 90_000, 30)])
    lab = open_lab(
        Document(engine.Dataset.from_arrays(X, np.where(X[:, 0] > 40, 1, -1)), (lane("svm"),))
    )
    (x0, x1), (y0, y1) = lab.plane.view().x, lab.plane.view().y
    assert x1 - x0 < 60
    assert y1 - y0 < 100_000
