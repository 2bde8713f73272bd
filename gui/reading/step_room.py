"""How much height the longest step of a run needs, so that a figure below the words does not come
and go with the steps.
"""

import time
from functools import lru_cache
from math import log

from PySide6.QtCore import QObject, QTimer, Signal

from engine.protocol.step import Level
from engine.runs.trace import Trace
from gui.look import style, theme
from gui.reading.this_step import ThisStepPanel
from gui.session.lane_view import LaneView

# seconds of measuring words, to the end of a step, before the window does something else
AT_ONCE = 0.004
# milliseconds for that; seconds after which the timer comes late: something else was long
BETWEEN, LATE = 8, 0.004
# milliseconds before another run of the same method is measured, and after another step was shown
PATIENCE = 120
# steps of a kind that are measured one after the other; each later one so many times as far
DENSE, SPARSE = 10, 1.6
Kind = tuple[Level, tuple[str, ...]]


class StepRoom(QObject):
    """Measures steps of the shown run, each run anew, so that no figure comes and goes from step to
    step. Which ones depends on the run alone, not on how it came or what was shown before.

    grew: more height is needed than before
    """

    grew = Signal()

    def __init__(self, view: LaneView, panel: ThisStepPanel) -> None:
        super().__init__(panel)
        self.view, self.panel = view, panel
        self.needed = 0  # by the longest step
        self.width = 0  # pixels that the words have
        self._run: object = None
        self._seen = 0  # steps of the run that were looked through
        self._kinds: dict[Kind, int] = {}  # how many of each kind
        self._worth: list[int] = []  # worth measuring, in any width and type
        self._waiting: list[int] = []  # of them, to be measured
        # of those that were, by what they were measured in
        self._heights: dict[object, dict[int, int]] = {}
        self._ended = False  # the end of the run waits too, or was measured
        self._about: tuple[object, ...] = ()
        self.asked = False  # whether a figure could find room below the words
        self._more = QTimer(self, singleShot=True)
        self._more.timeout.connect(self._come)
        self._due = 0.0  # when it should come; 0: it comes in any case
        view.run_changed.connect(self.measure)
        view.run_grew.connect(self.measure)
        self._moved = 0.0  # when another step was shown
        view.cursor_moved.connect(self._on_moved)

    def _on_moved(self) -> None:
        self._moved = time.perf_counter()

    def set_width(self, width: int) -> None:
        """The words have so many pixels now."""
        if width != self.width:
            self.width = width
            self.measure()

    def ask(self, asked: bool) -> None:
        """Whether a figure could find room: else nobody wants to know what the words need."""
        if asked != self.asked:
            self.asked = asked
            self.measure()

    def measure(self) -> None:
        """Look for steps that are worth measuring among those that are new."""
        shown = self.view.run
        trace = self.view.trace
        width = self.width
        about = (self.view.lane.key, self.view.data.name, id(theme.current().type_sizes), width)
        if about != self._about:
            self._about = about
            self.needed = 0
            if shown is not None and shown.id == self._run:
                found = self._heights.get(about, {})
                self._waiting = [index for index in self._worth if index not in found]
                self._ended = False
                self.needed = max(found.values(), default=0)
            else:
                self._begin()
        if shown is None or trace is None:
            return
        # a new run of the same method: what it needed it may need again
        if shown.id != self._run and self._seen:
            self._begin()
            self._due = 0.0
            # while a point or a slider is dragged the next one comes at once
            self._more.start(PATIENCE)
        self._run = shown.id
        new = slice(self._seen, len(trace))
        for index, kind in enumerate(
            zip(trace.levels[new], trace.events[new], strict=True), self._seen
        ):
            count = self._kinds[kind] = self._kinds.get(kind, -1) + 1
            if worth_measuring(count):
                self._worth.append(index)
                self._waiting.append(index)
        self._seen = len(trace)
        if self.view.finished and not self._ended:
            self._ended = True
            self._waiting += sorted(last_ones(trace) - set(self._heights.get(about, ())))
        if self.asked and not self._more.isActive():
            if self.needed:  # by some of them: the others have time
                self._leave()
            else:
                self._measure_some()

    def forget(self) -> None:
        """Measure anew: what was measured while the type changed was of neither."""
        self._heights.pop(self._about, None)
        self._about = ()

    def _begin(self) -> None:
        self._heights.clear()
        self._seen = 0
        self._kinds = {}
        self._worth = []
        self._waiting = []
        self._ended = False

    def _measure_some(self) -> None:
        trace = self.view.trace
        if trace is None or not self._waiting or not self.asked:
            return
        just = self.needed and time.perf_counter() - self._moved < PATIENCE / 1000
        # till then the figures stay as they are
        if just or self.view.playing() or self.view.playback_budget.flying:
            self._due = 0.0
            self._more.start(PATIENCE)
            return
        end = time.perf_counter() + AT_ONCE
        most = 0
        heights = self._heights.setdefault(self._about, {})
        while self._waiting and (not most or time.perf_counter() < end):
            index = self._waiting.pop(0)
            if index < len(trace) and trace.holds(index):
                heights[index] = self.panel.height_for(trace[index], self.width)
                most = max(most, heights[index])
        self._need(most)
        if self._waiting:
            self._leave()

    def _leave(self) -> None:
        """Let the window do something else."""
        self._due = time.perf_counter() + BETWEEN / 1000
        self._more.start(BETWEEN)

    def _come(self) -> None:
        """Where the window has just done something long, it first looks for what a person wants."""
        if self._due and time.perf_counter() > self._due + LATE:
            self._due = 0.0
            self._more.start(BETWEEN)
        else:
            self._measure_some()

    def _need(self, height: int) -> None:
        if height > self.needed:
            self.needed = height
            self.grew.emit()


@lru_cache(maxsize=4096)  # asked for every step of every run that follows a hand
def worth_measuring(count: int) -> bool:
    """Of the steps of one kind the first ones, then ever fewer; no rhythm of a method is met every
    time.
    """
    return count < DENSE or int(_power(count)) != int(_power(count - 1))


def _power(count: int) -> float:
    return log(count / DENSE, SPARSE) + 1


def last_ones(trace: Trace) -> set[int]:
    """The last step of each event, and of all: what has grown with the run is longest there."""
    last = (trace.when(event)[-1:] for event in trace.algorithm.events)
    return {index for found in last for index in found} | set(range(len(trace))[-1:])


def scaled(pixels: int) -> int:
    """In the type of the theme in force."""
    return style.scale(theme.current(), pixels)
