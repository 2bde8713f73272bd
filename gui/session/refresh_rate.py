"""When a run that is recorded faster than it can be shown is looked at again."""

import time

from PySide6.QtCore import QTimer

EVERY = 0.2  # seconds
SHARE = 4  # after a look that took long, so many times as long is left to the keys and the mouse


class RefreshRate:
    """Five looks a second, fewer where a look (words, figures, curves and paint) takes long: the
    window stays free.
    """

    def __init__(self, painted: QTimer) -> None:
        """painted: once started, tells when what has changed is on the screen."""
        self._began = 0.0
        self._cost = 0.0
        self._under_way = False
        self._painted = painted
        painted.timeout.connect(self._on_painted)

    def due(self) -> bool:
        return time.perf_counter() - self._began > max(EVERY, (1 + SHARE) * self._cost)

    def begin(self) -> None:
        self._began = time.perf_counter()
        self._under_way = True
        # else a look would last until the cursor moves, if nobody steps for minutes
        self._painted.start()

    def _on_painted(self) -> None:
        if self._under_way:
            self._cost = time.perf_counter() - self._began
            self._under_way = False
