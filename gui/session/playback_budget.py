"""While steps fly by, what stands beside the plane follows them in turn, so that no frame pays for
all of it.
"""

import time
from collections.abc import Callable
from math import inf

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication

# seconds that a step is seen, or units a second, from which on nobody can read its words
FLYING, FAST = 0.08, 8.0
WHOLE = 48  # of so many of them one is shown with its words all the same: they stand for a second
# of these the one that has neither words, figures nor numbers: the labels of the plane come with it
PLANE = 2
STOOD = 250  # milliseconds after which the last one that is seen has come to rest


class PlaybackBudget(QObject):
    """Told of each step that is shown: they fly while the run is played fast, and while a hand
    drags a point, a slider or the time.

    speed: units a second that the clock is to go on; flying: steps follow one another too fast to
    be read; whole: this one is shown with its words and the labels of its plane, as one that does
    not fly is; whole_figures: with those of its figures figures, numbers: the words and pictures,
    and the code, the curves and the counter, are to follow; of steps that fly with every second
    one, in turn; words: the words alone. In each 48 of them the first has its words and nothing
    else, the second whole figures, the third nothing: no frame pays for two of these. Of a step
    that can be read the plane is painted first, and its words and pictures in the next frame:
    whoever jumps to it waits for neither of them longer than for a frame. The first of all is
    painted with all of it, as a window that opens half empty would seem to stutter
    """

    figures = Signal()
    words = Signal()
    numbers = Signal()

    def __init__(self, playing: Callable[[], bool], ahead: int = 0) -> None:
        """playing: whether the clock runs; ahead: so many steps sooner one is shown whole than
        where it is 0: words, planes of several lanes and what stands beside them do not all make
        the same frame a slow one.
        """
        super().__init__()
        self._ahead = ahead
        self.speed = 0.0
        self.flying, self.whole, self.whole_figures = False, True, True
        self._playing = playing
        self._seen_at = -inf
        self._passed = 0
        self._begun = False
        self._seen = QTimer(
            self, singleShot=True, interval=0
        )  # what the window has to do for a step is no time to read it
        self._seen.timeout.connect(self._on_seen)
        self._painted = QTimer(self, singleShot=True, interval=0)
        self._painted.timeout.connect(self.figures)
        self._stood = QTimer(self, singleShot=True, interval=STOOD)
        self._stood.timeout.connect(self.land)

    def move(self) -> None:
        """Another step is shown."""
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
        """The shown step stays: all that it skipped follows."""
        self._stood.stop()
        if not self.flying:
            return
        self.flying = False
        self.whole = True
        self.whole_figures = True
        self._passed = 0
        self.numbers.emit()
        self._painted.start()
