"""How the right dock shares its height: “This step” has what the words of this run need, the figure the rest."""

import numpy as np
from PySide6.QtCore import QObject, Signal

from engine.timeline.trace import Trace
from gui import style, theme
from gui.panels.this_step import ThisStepPanel
from gui.session import Session

AT_ONCE, ALL = 24, 96  # steps whose words are measured when the run grew, and in one run
GOLDEN = 0.6180339887
MOST = 0.9  # of these steps show all their words beside a picture of the method; beside rows of bars all do
RULE = 1  # below each part
LONG_ANSWER, ASKED_ANSWER = 34, 46  # per cent of the height for “Why this label?” at most; where it was asked for
PICTURE, DRAWN, LISTED = 150, 90, 52  # pixels for a network or a lifted space, for a plot, for some rows of a list
HINTED = 36  # for how to ask “Why?”, where there is nothing else


class StepRoom(QObject):
    """Measures steps of the shown run, some at a time and each run anew, so that the dock need not move from step to step.

    grew: more height is needed than before
    """

    grew = Signal()

    def __init__(self, session: Session, panel: ThisStepPanel) -> None:
        super().__init__(panel)
        self.session, self.panel = session, panel
        self.needed = (0, 0)  # by most steps, by the longest one
        self._heights: list[int] = []
        self._measured = 0
        self._about: tuple[object, ...] = ()
        session.run_changed.connect(self.measure)
        session.run_grew.connect(self.measure)

    def measure(self) -> None:
        """Look at some of the steps that are new."""
        trace, width = self.session.trace, self.panel.scroller.text_width()
        about = (self.session.lane.key, self.session.document.data.name, theme.current().name, width)
        if about != self._about:
            self._about, self._heights, self.needed = about, [], (0, 0)
            self._measured = 0
        if trace is None:
            return
        if len(trace) < self._measured:  # a new run of the same method: what it needed before it may need again
            self._measured = 0
        new = range(self._measured, len(trace))
        self._measured = len(trace)
        some = some_of(new, min(AT_ONCE, ALL - len(self._heights)))
        for index in sorted({*some, *telling_ones(trace, new)} if some else ()):
            self._heights.append(self.panel.height_for(trace[index], width))
        if self._heights:
            needed = int(np.quantile(self._heights, MOST, method="higher")), max(self._heights)
            if needed[0] > self.needed[0] or needed[1] > self.needed[1]:
                self.needed = max(needed[0], self.needed[0]), max(needed[1], self.needed[1])
                self.grew.emit()


def telling_ones(trace: Trace, steps: range) -> set[int]:
    """The last of them of each event: rare steps, such as mistakes, have the most to say."""
    last = (trace.when(event)[-1:] for event in trace.algorithm.events)
    return {index for found in last for index in found if index in steps}


def some_of(steps: range, count: int) -> list[int]:
    """Up to `count` of them, spread without a rhythm: most methods have one."""
    if len(steps) <= count or count <= 0:
        return list(steps[: max(0, count)])
    return sorted({steps[int(len(steps) * (GOLDEN * k % 1.0))] for k in range(count)} | {steps[-1]})


def scaled(pixels: int) -> int:
    """In the type of the theme in force."""
    return style.scale(theme.current(), pixels)


def shares(
    height: int, needs: tuple[int, int], floor: int, head: int, why: bool, room: int, answer: int = 0
) -> list[int]:
    """Heights of “This step”, “Why this label?” (where it has a place of its own) and the figure. needs: of the words of
    most steps and of the longest one; floor: what words get at least; head: of the figure, its tabs; room: pixels
    that the figure needs to be read, 0 where there is none; answer: pixels that the answers need."""
    listed = room <= scaled(LISTED)
    needed = needs[listed] + RULE
    if not room:
        step = min(needed, (60 if why else 55) * height // 100)
        return [step, height - step, 0] if why else [step, 0, height - step]
    asked = max((20 if listed else 16) * height // 100, min(answer, LONG_ANSWER * height // 100)) if why else 0
    least = head + RULE + room
    step = max(min(needed, height - asked - least), floor + RULE)
    return [step, asked, height - asked - step]
