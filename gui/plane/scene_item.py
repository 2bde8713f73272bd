"""What the plane paints its scene through; a fault while painting is told and leaves the window
alive.
"""

import sys
from collections.abc import Callable
from typing import Any

import pyqtgraph as pg
from PySide6.QtCore import QRectF, QTimer
from PySide6.QtGui import QPainter

from gui.base.guard import guarded


class SceneItem(pg.GraphicsObject):
    """Calls `draw` with a painter in the pixels of the view box."""

    def __init__(self, view_box: pg.ViewBox, draw: Callable[[QPainter], None]) -> None:
        super().__init__(view_box)
        self._view_box, self._draw = view_box, draw
        self._told = ""
        self.setZValue(10)

    @guarded
    def boundingRect(self) -> QRectF:
        return QRectF(self._view_box.rect())

    @guarded
    def paint(self, painter: QPainter, *_: Any) -> None:
        """An exception must not leave this method: between two layers of Qt it would end the
        process.
        """
        painter.save()
        try:
            self._draw(painter)
            self._told = ""
        except BaseException as fault:  # also sys.exit() in a page of one's own
            self._tell(fault)
        finally:
            painter.restore()

    def _tell(self, fault: BaseException) -> None:
        """Once, although the picture is painted again and again."""
        if self._told != repr(fault):
            self._told = repr(fault)
            QTimer.singleShot(
                0, self, lambda: sys.excepthook(type(fault), fault, fault.__traceback__)
            )
