"""Collects garbage on the window's thread only.

Python's collector runs in whatever thread allocates. On the worker it could destroy Qt objects that
died in a cycle, and Qt's signal lock and Python's own lock would then wait for each other for ever.
Code that starts a thread therefore calls `hold` before and `release` after it, on the window's
thread.
"""

import gc
from collections.abc import Callable

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtWidgets import QApplication

EVERY_MS = 30  # the more often, the shorter each pause
# new objects, young collections, middle collections after which a generation is collected
THRESHOLDS = (2_000, 10, 160)
PATIENCE = 20  # times the thresholds, while a run is played or a mouse button is held


_threads = 0  # running threads for which the automatic collector is off


def hold() -> None:
    """Switch the automatic garbage collector off while a thread runs."""
    global _threads
    _threads += 1
    gc.disable()


def release() -> None:
    """Report the end of a thread; after the last one the automatic collector is on again."""
    global _threads
    _threads -= 1
    if _threads == 0:
        gc.enable()


class Collector(QObject):
    """Collects garbage by a timer; while one exists, the automatic collector is off.

    busy: whether a pause would be seen now
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
        """Return to the automatic collector; call when the worker has ended."""
        if self._timer.isActive():
            self._timer.stop()
            release()

    def _collect(self) -> None:
        """Collect the young generation often, the others rather while nothing moves.

        They hold the recorded steps, so that collecting them stops the window for a moment.
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
