"""How the right dock shares its height: “This step” has what the words of this run need, the figure the rest."""

import time
from math import log

from PySide6.QtCore import QObject, QTimer, Signal

from engine.core.step import Level
from engine.timeline.trace import Trace
from gui.look import style, theme
from gui.panels.this_step import ThisStepPanel
from gui.session.session import Session

AT_ONCE = 0.01  # seconds for measuring words before the window does something else
PATIENCE = 120  # milliseconds before another run of the same method is measured
DENSE, SPARSE = 10, 1.6  # steps of a kind that are measured one after the other; each later one so many times as far
Kind = tuple[Level, tuple[str, ...]]
RULE = 1  # below each part
LONG_ANSWER, ASKED_ANSWER = 34, 46  # per cent of the height for “Why this label?” at most; where it was asked for
PICTURE, DRAWN, LISTED = 150, 90, 52  # pixels for a network or a lifted space, for a plot, for some rows of a list
HINTED = 36  # for how to ask “Why?”, where there is nothing else


class StepRoom(QObject):
    """Measures steps of the shown run, each run anew, so that the dock need not move from step to step. Which ones depends on
    the run alone, not on how it came or what was shown before.

    grew: more height is needed than before
    """

    grew = Signal()

    def __init__(self, session: Session, panel: ThisStepPanel) -> None:
        super().__init__(panel)
        self.session, self.panel = session, panel
        self.needed = 0  # by the longest step
        self._run: object = None
        self._seen = 0  # steps of the run that were looked through
        self._kinds: dict[Kind, int] = {}  # how many of each kind
        self._waiting: list[int] = []  # to be measured
        self._ended = False  # the end of the run waits too, or was measured
        self._about: tuple[object, ...] = ()
        self._more = QTimer(self, singleShot=True)
        self._more.timeout.connect(self._measure_some)
        session.run_changed.connect(self.measure)
        session.run_grew.connect(self.measure)

    def measure(self) -> None:
        """Look for steps that are worth measuring among those that are new."""
        shown, trace, width = self.session.lane_run, self.session.trace, self.panel.scroller.text_width()
        about = (self.session.lane.key, self.session.document.data.name, id(theme.current().type_sizes), width)
        if about != self._about:
            self._about, self.needed = about, 0
            self._begin()
        if shown is None or trace is None:
            return
        if shown.id != self._run and self._seen:  # a new run of the same method: what it needed it may need again
            self._begin()
            self._more.start(PATIENCE)  # while a point or a slider is dragged the next one comes at once
        self._run = shown.id
        for index in range(self._seen, len(trace)):
            kind = trace.levels[index], trace.events[index]
            count = self._kinds[kind] = self._kinds.get(kind, -1) + 1
            if worth_measuring(count):
                self._waiting.append(index)
        self._seen = len(trace)
        if self.session.finished and not self._ended:
            self._ended = True
            self._waiting += sorted(last_ones(trace))
        if not self._more.isActive():
            self._measure_some()

    def forget(self) -> None:
        """Measure anew: what was measured while the type changed was of neither."""
        self._about = ()

    def _begin(self) -> None:
        self._seen, self._kinds, self._waiting, self._ended = 0, {}, [], False

    def _measure_some(self) -> None:
        trace = self.session.trace
        if trace is None or not self._waiting:
            return
        end, heights, width = time.perf_counter() + AT_ONCE, [0], self.panel.scroller.text_width()
        while self._waiting and (len(heights) == 1 or time.perf_counter() < end):
            index = self._waiting.pop(0)
            there = index < len(trace) and trace.holds(index)
            heights.append(self.panel.height_for(trace[index], width) if there else 0)
        self._need(max(heights))
        if self._waiting:
            self._more.start(0)

    def ask(self) -> None:
        """The step that is shown may need more than all that were measured."""
        self._need(self.panel.needed())

    def _need(self, height: int) -> None:
        if height > self.needed:
            self.needed = height
            self.grew.emit()


def worth_measuring(count: int) -> bool:
    """Of the steps of one kind the first ones, then ever fewer; no rhythm of a method is met every time."""
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


def shares(height: int, needed: int, floor: int, head: int, why: bool, room: int, answer: int = 0) -> list[int]:
    """Heights of “This step”, “Why this label?” (where it has a place of its own) and the figure. needed: by the words of
    the longest step; floor: what words get at least; head: of the figure, its tabs; room: pixels that the figure needs to
    be read, 0 where there is none; answer: pixels that the answers need."""
    listed = room <= scaled(LISTED)
    needed += RULE
    asked = max((20 if listed else 16) * height // 100, min(answer, LONG_ANSWER * height // 100)) if why else 0
    if not room:
        step = min(needed, height - asked) if why else min(needed, 55 * height // 100)
        return [step, height - step, 0] if why else [step, 0, height - step]
    least = head + RULE + room
    step = max(min(needed, height - asked - least), floor + RULE)
    return [step, asked, height - asked - step]
