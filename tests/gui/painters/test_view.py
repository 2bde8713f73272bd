"""The map between pixels and the plane, also of a plane that a splitter or a small window has left
no room.
"""

import math

import pytest
from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtTest import QTest

from gui.painters.view import View

LEFT = Qt.MouseButton.LeftButton


@pytest.mark.parametrize("rect", [QRectF(5, 7, 0, 40), QRectF(5, 7, 40, 0), QRectF(5, 7, 0, 0)])
def test_a_plane_without_room_still_has_places(rect: QRectF) -> None:
    view = View((-1.0, 1.0), (0.0, 10.0), rect)
    assert view.to_plane(rect.left(), rect.bottom()) == (-1.0, 0.0)
    assert all(map(math.isfinite, view.to_plane(50, 50)))


def test_a_press_on_a_plane_without_height_does_nothing(lab) -> None:
    """Plane units of such a press were a division by zero, which ended the process on
    Python 3.11.
    """
    before = lab.session.document
    lab.plane.resize(lab.plane.width(), 1)
    QTest.mousePress(lab.plane.viewport(), LEFT, pos=QPoint(20, 0))
    QTest.mouseRelease(lab.plane.viewport(), LEFT, pos=QPoint(20, 0))
    assert lab.session.document is before
