"""How often a run that is recorded faster than it can be shown is shown again."""

import time

from PySide6.QtCore import QTimer

EVERY = 0.2  # seconds
SHARE = 4  # after a slow refresh, the keys and the mouse get this many times its duration


class RefreshRate:
    """Limits refreshes to five a second, or fewer where one takes long, so that the window
    responds.

    A refresh is words, figures, curves and painting.
    """

    def __init__(self, painted: QTimer) -> None:
        """painted: a timer that times out once the window has painted what changed."""
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
        # else the refresh would seem to last until the cursor moves, which may take minutes
        self._painted.start()

    def _on_painted(self) -> None:
        if self._under_way:
            self._cost = time.perf_counter() - self._began
            self._under_way = False
