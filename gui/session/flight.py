"""While steps fly by, what stands beside the plane follows them in turn, so that no frame pays for all of it."""

import time
from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer, Signal

FLYING = 0.1  # seconds between two steps from which on nobody can read their words
WHOLE = 0.4  # after so many seconds one of them is shown with its words all the same
STOOD = 110  # milliseconds after which the last one has come to rest


class Flight(QObject):
    """Told of each step that is shown.

    flying: steps follow one another too fast to be read; whole: this one is shown with all that belongs to it, its words
    and labels too, as one that does not fly is
    figures, numbers: the words and pictures, and the code, the curves and the counter, are to follow; of steps that fly with
    every second one, in turn
    """

    figures = Signal()
    numbers = Signal()

    def __init__(self, playing: Callable[[], bool]) -> None:
        """playing: whether the clock runs."""
        super().__init__()
        self.flying, self.whole = False, True
        self._playing = playing
        self._moved = self._told = 0.0
        self._turn = False
        self._stood = QTimer(self, singleShot=True, interval=STOOD)  # type: ignore[call-arg]
        self._stood.timeout.connect(self.land)

    def move(self) -> None:
        """Another step is shown."""
        now = time.perf_counter()
        self.flying, self._moved = now - self._moved < FLYING and self._playing(), now
        self.whole = not self.flying or now - self._told > WHOLE
        if self.whole:
            self._told = now
        self._turn = not self._turn
        if self.whole or self._turn:
            self.figures.emit()
        if self.whole or not self._turn:
            self.numbers.emit()
        if self.flying:
            self._stood.start()

    def land(self) -> None:
        """The shown step stays: all that it skipped follows."""
        self._stood.stop()
        if not self.flying:
            return
        self.flying, self.whole = False, True
        self.figures.emit()
        self.numbers.emit()
