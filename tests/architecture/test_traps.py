"""Faults of libraries that were met once and must not come back with an update."""

import sys
import time

from PySide6.QtCore import QObject, QPointF, QRectF
from PySide6.QtGui import QImage, QPainter


def test_qt_does_not_eat_references_to_none() -> None:
    """PySide6 6.12.0 on CPython 3.11 released None once too often at calls without a result; the
    process then aborted.
    """
    image = QImage(8, 8, QImage.Format.Format_RGBA8888)
    painter = QPainter(image)
    thing = QObject()
    before = sys.getrefcount(None)
    deadline = time.perf_counter() + 1.0
    while time.perf_counter() < deadline:
        for _ in range(100):
            painter.drawRect(QRectF(0, 0, 4, 4))
            painter.drawPoint(QPointF(1, 1))
            thing.setProperty("a", None)
            thing.setObjectName("b")
    painter.end()
    assert sys.getrefcount(None) > before - 100
