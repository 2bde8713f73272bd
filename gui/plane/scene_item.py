"""The graphics item that paints the scene, and keeps the window alive when painting raises."""

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
        self._reported = ""
        self.setZValue(10)

    @guarded
    def boundingRect(self) -> QRectF:
        return QRectF(self._view_box.rect())

    @guarded
    def paint(self, painter: QPainter, *_: Any) -> None:
        """Call `draw`. An exception must not leave this method: Qt would end the process."""
        painter.save()
        try:
            self._draw(painter)
            self._reported = ""
        except BaseException as fault:  # also sys.exit() in a person's own page
            self._report(fault)
        finally:
            painter.restore()

    def _report(self, fault: BaseException) -> None:
        """Pass an exception to `sys.excepthook`, once for repeated paints with the
        same exception.
        """
        if self._reported != repr(fault):
            self._reported = repr(fault)
            QTimer.singleShot(
                0, self, lambda: sys.excepthook(type(fault), fault, fault.__traceback__)
            )
