"""Measures the height that the longest step of a run needs in the right dock, so that the figure
below the words does not come and go with the steps.
"""

import time
from collections.abc import Callable
from functools import lru_cache
from math import log

from PySide6.QtCore import QObject, QTimer, Signal

from engine.protocol.step import Level
from engine.runs.trace import Trace
from gui.look import style, theme
from gui.reading.this_step import ThisStepPanel
from gui.session.changes import Change, Changes
from gui.session.lane_view import LaneView
from gui.session.playhead import Playhead

# seconds of measuring before control goes back to the event loop; a begun step is finished
AT_ONCE = 0.004
# milliseconds until measuring goes on; seconds of delay that show that the window was busy
BETWEEN, DELAY = 8, 0.004
# milliseconds to wait after a new run of the same method, and after another step was shown
PATIENCE = 120
# the first steps of a kind are all measured; later ones at distances that grow by this factor
DENSE, SPARSE = 10, 1.6
Kind = tuple[Level, tuple[str, ...]]


class StepRoom(QObject):
    """Measures some steps of each shown run, in short batches between events.

    The run alone decides which steps are measured, not how fast it grew or what was shown before.

    grew: the needed height has grown
    """

    grew = Signal()

    def __init__(self, shown: Playhead, lane: Callable[[], LaneView], panel: ThisStepPanel) -> None:
        """lane: the lane whose steps are measured; panel: shows them"""
        super().__init__(panel)
        self.lane, self.panel = lane, panel
        self.needed = 0  # height in pixels of the tallest measured step
        self.width = 0  # of the words, in pixels
        self._run: object = None
        self._seen = 0  # number of steps of the run that were examined
        self._kinds: dict[Kind, int] = {}  # steps of each kind so far, minus one
        self._worth: list[int] = []  # indices of the steps to measure at any width and type size
        self._waiting: list[int] = []  # those still to be measured
        # the measured heights by step, for each method, data, type size and width
        self._heights: dict[object, dict[int, int]] = {}
        self._ended = False  # whether the last steps of the run were queued
        self._about: tuple[object, ...] = ()
        self.wanted = False  # whether a figure could have room below the words
        self._more = QTimer(self, singleShot=True)
        self._more.timeout.connect(self._come)
        self._due = 0.0  # when the timer should fire; 0: any delay is all right
        self._moved = 0.0  # when another step was last shown
        shown.changed.connect(self._on_changed)

    @property
    def view(self) -> LaneView:
        return self.lane()

    def _on_changed(self, changes: Changes) -> None:
        here = changes.of(self.view)
        if here & Change.CURSOR:
            self._moved = time.perf_counter()
        if here & (Change.RUN | Change.STEPS):
            self.measure()

    def set_width(self, width: int) -> None:
        """Set the width of the words in pixels."""
        if width != self.width:
            self.width = width
            self.measure()

    def ask(self, wanted: bool) -> None:
        """Set whether a figure could fit below the words; if not, nothing is measured."""
        if wanted != self.wanted:
            self.wanted = wanted
            self.measure()

    def measure(self) -> None:
        """Queue the new steps that are worth measuring, and begin or go on measuring."""
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
        # a new run of the same method keeps `needed`: it may need as much again
        if shown.id != self._run and self._seen:
            self._begin()
            self._due = 0.0
            # while a person drags a point or a slider, the next run follows at once
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
        if self.wanted and not self._more.isActive():
            if self.needed:  # some are measured: the others can wait
                self._leave()
            else:
                self._measure_some()

    @property
    def measured(self) -> bool:
        """Whether nothing is left to be measured."""
        return not self._waiting and not self._more.isActive()

    def hurry(self) -> None:
        """Go on as soon as the window is free, where measuring waits for a time."""
        if self._more.isActive():
            self._more.start(0)

    def forget(self) -> None:
        """Drop the measured heights: those measured while the type size changed are wrong."""
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
        if trace is None or not self._waiting or not self.wanted:
            return
        just = self.needed and time.perf_counter() - self._moved < PATIENCE / 1000
        # measuring now would slow the steps down
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
        """Go on later, so that the window can handle other events."""
        self._due = time.perf_counter() + BETWEEN / 1000
        self._more.start(BETWEEN)

    def _come(self) -> None:
        """Go on measuring; after a long delay wait once more, so that waiting input comes first."""
        if self._due and time.perf_counter() > self._due + DELAY:
            self._due = 0.0
            self._more.start(BETWEEN)
        else:
            self._measure_some()

    def _need(self, height: int) -> None:
        if height > self.needed:
            self.needed = height
            self.grew.emit()


@lru_cache(maxsize=4096)  # called for every step of every run during a drag
def worth_measuring(count: int) -> bool:
    """Whether to measure step number `count` (from 0) of its kind: the first ten, then ever fewer.

    The distances grow, so that they do not coincide with a rhythm of the method.
    """
    return count < DENSE or int(_power(count)) != int(_power(count - 1))


def _power(count: int) -> float:
    return log(count / DENSE, SPARSE) + 1


def last_ones(trace: Trace) -> set[int]:
    """The indices of the last step with each event and of the last step of the run: words that
    grow with the run are longest there.
    """
    last = (trace.when(event)[-1:] for event in trace.algorithm.events)
    return {index for found in last for index in found} | set(range(len(trace))[-1:])


def scaled(pixels: int) -> int:
    """`pixels` scaled to the type size of the theme in force."""
    return style.scale(theme.current(), pixels)
