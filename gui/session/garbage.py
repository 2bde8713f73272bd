"""Garbage is collected on the window's thread only.

Python's collector runs in whatever thread allocates. On the worker it could destroy Qt objects that
died in a cycle, and Qt's signal lock and Python's own lock would then wait for each other for ever.
So whoever starts a thread keeps the automatic collector off until it has ended, and switches it on
and off on the window's thread.
"""

import gc
from collections.abc import Callable

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtWidgets import QApplication

EVERY_MS = 30  # the more often, the shorter each pause
# objects, young rounds, middle rounds: from then on a generation is collected
THRESHOLDS = (2_000, 10, 160)
PATIENCE = 20  # so many times as much may wait while a run is played or a button is held


_threads = 0  # at work, for which the automatic collector is off


def hold() -> None:
    """A thread begins: no collector but the window's own."""
    global _threads
    _threads += 1
    gc.disable()


def release() -> None:
    """It has ended; after the last one the automatic collector is back."""
    global _threads
    _threads -= 1
    if _threads == 0:
        gc.enable()


class Collector(QObject):
    """While one lives, the automatic collector is off and this timer does its work. busy: whether
    each frame counts now
    """

    def __init__(self, parent: QObject, busy: Callable[[], bool] = lambda: False) -> None:
        super().__init__(parent)
        hold()
        self._busy = busy
        self._timer = QTimer(self)
        self._timer.setInterval(EVERY_MS)
        self._timer.timeout.connect(self._collect)
        self._timer.start()

    def close(self) -> None:
        """No worker runs any more: back to the automatic collector."""
        if self._timer.isActive():
            self._timer.stop()
            release()

    def _collect(self) -> None:
        """The young often.

        The others hold the steps recorded so far and take a while: rather while nothing moves.
        """
        young, middle, old = gc.get_count()
        busy = self._busy() or QApplication.mouseButtons() != Qt.MouseButton.NoButton
        patience = PATIENCE if busy else 1
        if old > patience * THRESHOLDS[2]:
            gc.collect(2)
        elif middle > patience * THRESHOLDS[1]:
            gc.collect(1)
        elif young > THRESHOLDS[0]:
            gc.collect(0)
