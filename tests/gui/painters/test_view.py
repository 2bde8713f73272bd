"""The map between pixels and the plane, also of a plane that a splitter or a small window has left
no room; and curves in few points.
"""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtTest import QTest

from gui.painters.view import View, sparse

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


@given(st.floats(2.0, 200.0), st.floats(0.1, 3.0), st.integers(3, 500))
def test_a_sparse_curve_stays_where_it_was(radius: float, bend: float, many: int) -> None:
    """Every point left out lies beside what is drawn in its place, by less than an eye or a
    smoothed edge can tell.
    """
    angle = np.linspace(0.0, bend, many)
    curve = radius * np.column_stack([np.cos(angle), np.sin(2 * angle)])
    left = sparse(curve)
    assert (left[[0, -1]] == curve[[0, -1]]).all()
    start = left[:-1]
    way = np.diff(left, axis=0)
    along = np.clip(
        ((curve[:, None] - start) * way).sum(axis=2) / np.maximum((way**2).sum(axis=1), 1e-300),
        0.0,
        1.0,
    )
    apart = np.linalg.norm(curve[:, None] - (start + along[..., None] * way), axis=2).min(axis=1)
    assert apart.max() < 0.1


def test_a_sparse_curve_has_few_points_and_all_its_corners() -> None:
    x = np.linspace(0.0, 600.0, 601)
    assert len(sparse(np.column_stack([x, 0.3 * x]))) == 2
    assert len(sparse(np.column_stack([x, 100.0 + 50.0 * np.sin(x / 60.0)]))) < 200
    spike = np.array(
        [[0.0, 0.0], [10.0, 0.0], [10.0, -40.0], [10.0, 0.0], [20.0, 0.0], [5.0, 0.0], [30.0, 0.0]]
    )
    assert sparse(spike).tolist() == spike.tolist()
