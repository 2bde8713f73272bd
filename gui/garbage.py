"""Garbage is collected on the window's thread only.

Python's collector runs in whatever thread allocates. On the worker it could destroy Qt objects that died in a cycle, and
Qt's signal lock and Python's own lock would then wait for each other for ever.
"""

import gc

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtWidgets import QApplication

EVERY_MS = 60  # the more often, the shorter each pause
THRESHOLDS = (2_000, 10, 160)  # objects, young rounds, middle rounds: from then on a generation is collected


class Collector(QObject):
    """While one lives, the automatic collector is off and this timer does its work."""

    _living = 0

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        Collector._living += 1
        gc.disable()
        self._timer = QTimer(self)
        self._timer.setInterval(EVERY_MS)
        self._timer.timeout.connect(self._collect)
        self._timer.start()

    def close(self) -> None:
        """No worker runs any more: back to the automatic collector."""
        if self._timer.isActive():
            self._timer.stop()
            Collector._living -= 1
            if Collector._living == 0:
                gc.enable()

    def _collect(self) -> None:
        """The young often; the old, which takes a while, only while no button is held."""
        young, middle, old = gc.get_count()
        if old > THRESHOLDS[2] and QApplication.mouseButtons() == Qt.MouseButton.NoButton:
            gc.collect(2)
        elif middle > THRESHOLDS[1]:
            gc.collect(1)
        elif young > THRESHOLDS[0]:
            gc.collect(0)
