"""The row of the play buttons under the hand."""

import pytest
from laboratory import NONE, Lab
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication

from gui.session.player import SPEEDS


def turn(lab: Lab, angle: int) -> None:
    slider = lab.window.transport.speed
    place = QPointF(slider.rect().center())
    event = QWheelEvent(
        place,
        QPointF(slider.mapToGlobal(place.toPoint())),
        QPoint(),
        QPoint(0, angle),
        Qt.MouseButton.NoButton,
        NONE,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(slider, event)


def test_one_notch_of_the_wheel_is_one_speed(lab: Lab) -> None:
    before = SPEEDS.index(lab.session.speed)
    turn(lab, 120)
    assert lab.session.speed == SPEEDS[before + 1]
    turn(lab, -120)
    turn(lab, -120)
    assert lab.session.speed == SPEEDS[before - 1]
    for _ in range(20):
        turn(lab, 120)
    assert lab.session.speed == SPEEDS[-1]


@pytest.mark.slow
@pytest.mark.parametrize("way", [1, -1])
def test_a_touchpad_makes_a_notch_of_many_small_turns(lab: Lab, way: int) -> None:
    before = SPEEDS.index(lab.session.speed)
    for _ in range(7):
        turn(lab, 15 * way)
    assert lab.session.speed == SPEEDS[before]
    turn(lab, 15 * way)
    assert lab.session.speed == SPEEDS[before + way]
