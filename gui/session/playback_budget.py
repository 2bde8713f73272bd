"""Lets the panels beside the plane follow fast steps in turn, so that no frame updates them all."""

import time
from collections.abc import Callable
from math import inf

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication

# a step flies when it is seen for fewer seconds, or at more units a second
FLYING, FAST = 0.08, 8.0
WHOLE = 48  # flying steps in a cycle, of which one is shown with its words
# the step of the cycle without words, figures and numbers: the plane paints its labels then
PLANE = 2
STOOD = 250  # milliseconds without another step after which the flight ends


class PlaybackBudget(QObject):
    """Says what is updated for each step that is shown.

    Steps fly while the run is played fast, and while a hand drags a point, a slider or the time. In
    each cycle of 48 flying steps the first updates the words and nothing else, the second all of
    the figures, the third nothing, so that no frame pays for two of these. The others update
    figures and numbers in turn. For a step that can be read the plane is painted first; words and
    figures follow in the next frame. Only the very first step is painted with all of it: a window
    that opens half empty would seem to stutter.

    speed: of the clock, in units a second
    flying: whether steps follow one another too fast to be read
    whole: whether the step is shown with its words and the labels of its plane
    whole_figures: whether the step is shown with all of its figures

    figures: words and figures shall follow the step
    numbers: code, curves and the counter shall follow it
    words: the words alone shall follow it
    """

    figures = Signal()
    words = Signal()
    numbers = Signal()

    def __init__(self, playing: Callable[[], bool], ahead: int = 0) -> None:
        """playing: whether the clock runs
        ahead: begin this many steps further in the cycle of 48, so that the planes of several lanes
            and the panels beside them do not make the same frame slow
        """
        super().__init__()
        self._ahead = ahead
        self.speed = 0.0
        self.flying, self.whole, self.whole_figures = False, True, True
        self._playing = playing
        self._seen_at = -inf
        self._passed = 0
        self._begun = False
        # starts the time to read a step only when the window has done all work for it
        self._seen = QTimer(self, singleShot=True, interval=0)
        self._seen.timeout.connect(self._on_seen)
        self._painted = QTimer(self, singleShot=True, interval=0)
        self._painted.timeout.connect(self.figures)
        self._stood = QTimer(self, singleShot=True, interval=STOOD)
        self._stood.timeout.connect(self.land)

    def move(self) -> None:
        """Another step is shown: decide whether steps fly by, and emit the signals of what is to be
        updated now.
        """
        before = self.flying
        held = QGuiApplication.mouseButtons() != Qt.MouseButton.NoButton
        seen = time.perf_counter() - self._seen_at
        self._seen_at = inf
        self._seen.start()
        self.flying = (held and 1000 * seen < STOOD) or (
            (seen < FLYING or self.speed > FAST) and self._playing()
        )
        self._passed = self._passed + 1 if before and self.flying else 0
        nth = (self._passed + self._ahead) % WHOLE if self._passed else None
        self.whole = nth in (None, 0)
        self.whole_figures = nth in (None, 1)
        if nth == 0:
            self.words.emit()
        self._painted.stop()
        if nth is None and self._begun:
            self._painted.start()
        elif nth is None or nth % 2:
            self.figures.emit()
        if nth is None or (nth % 2 == 0 and nth > PLANE):
            self.numbers.emit()
        self._stood.stop()

    def _on_seen(self) -> None:
        self._seen_at = time.perf_counter()
        self._begun = True
        if self.flying:
            self._stood.start()

    def land(self) -> None:
        """End fast playback: everything left out for the shown step is updated."""
        self._stood.stop()
        if not self.flying:
            return
        self.flying = False
        self.whole = True
        self.whole_figures = True
        self._passed = 0
        self.numbers.emit()
        self._painted.start()
