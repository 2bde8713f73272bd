"""Lets the panels beside the plane follow fast steps in turn, so that no frame updates them all."""

import time
from collections.abc import Callable
from math import inf

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtGui import QGuiApplication

from gui.session.changes import NOTHING, Announce, Change

# a step flies when it is seen for fewer seconds, or at more units a second
FLYING, FAST = 0.08, 8.0
WHOLE = 48  # flying steps in a cycle, of which one is shown with its words
# the step of the cycle in which the plane paints its labels, without words, figures and numbers
PLANE = 2
STOOD = 250  # milliseconds without another step after which the flight ends


class PlaybackBudget(QObject):
    """Decides what follows each step that a lane shows.

    Steps fly while the run is played fast, and while a hand drags a point, a slider or the time. In
    each cycle of 48 flying steps the first updates the words and nothing else, the second all of
    the figures, the third the labels of the plane, so that no frame pays for two of these. The
    others update figures and numbers in turn. For a step that can be read the plane is painted
    first; words and figures follow in the next frame. Only the very first step is painted with all
    of it: a window that opens half empty would seem to stutter.

    speed: of the clock, in units a second
    flying: whether steps follow one another too fast to be read
    whole: whether the step is shown with its words
    whole_figures: whether the step is shown with all of its figures
    labels: whether the step is shown with the labels of its plane
    """

    def __init__(
        self,
        playing: Callable[[], bool],
        announce: Announce,
        ahead: int = 0,
        owner: QObject | None = None,
    ) -> None:
        """playing: whether the clock runs
        announce: says that NUMBERS or FIGURES shall follow the step
        ahead: begin this many steps further in the cycle of 48, so that the planes of several lanes
            do not make the same frame slow
        owner: its timers end with this object
        """
        super().__init__(owner)
        self._ahead = ahead
        self.speed = 0.0
        self.flying, self.whole, self.whole_figures, self.labels = False, True, True, True
        self._playing, self._announce = playing, announce
        self._seen_at = -inf
        self._passed = 0
        self._begun = False
        # starts the time to read a step only when the window has done all work for it
        self._seen = QTimer(self, singleShot=True, interval=0)
        self._seen.timeout.connect(self._on_seen)
        self._painted = QTimer(self, singleShot=True, interval=0)
        self._painted.timeout.connect(self._on_painted)
        self._stood = QTimer(self, singleShot=True, interval=STOOD)
        self._stood.timeout.connect(self.land)

    def move(self) -> Change:
        """Another step is shown: decide whether it flies; returns what shall follow it at once."""
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
        self.labels = nth in (None, PLANE)
        self._stood.stop()
        self._painted.stop()
        if nth is None and self._begun:
            self._painted.start()
            return Change.NUMBERS
        if nth is None:
            return Change.NUMBERS | Change.FIGURES
        if nth == 0:
            return Change.WORDS
        if nth % 2:
            return Change.FIGURES
        return Change.NUMBERS if nth > PLANE else NOTHING

    def land(self) -> None:
        """End the flight: all that was left out for the shown step follows."""
        self._stood.stop()
        if not self.flying:
            return
        self.flying = False
        self.whole = True
        self.whole_figures = True
        self.labels = True
        self._passed = 0
        self._announce(Change.NUMBERS)
        self._painted.start()

    def _on_painted(self) -> None:
        self._announce(Change.FIGURES)

    def _on_seen(self) -> None:
        self._seen_at = time.perf_counter()
        self._begun = True
        if self.flying:
            self._stood.start()
