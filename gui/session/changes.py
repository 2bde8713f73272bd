"""What the session says when something changes: one signal for all parts of the window."""

from collections.abc import Callable, Hashable, Mapping
from enum import Flag, auto
from typing import Any


class Change(Flag):
    """What has changed: of the window as a whole, or of single lanes."""

    # -- of the window -----------------------------------------------------------------------------
    DOCUMENT = auto()  # another document is in force: an edit, undo, or another file
    LANES = auto()  # lanes were added or removed; their views exist already
    ACTIVE = auto()  # another lane is active
    LEAD = auto()  # time is read from another lane
    PLAYING = auto()  # playing began or paused
    SETTINGS = auto()  # the tool, class, unit, sync mode, speed or stops
    LIT = auto()  # other names are lit up
    POINTER = auto()  # the pointer or the probe is at another place of the plane
    TOOL = auto()  # a tool was taken, even if it was in hand already
    SELECTION = auto()  # other rows of the table are selected
    QUESTION = auto()  # another question, answer or score, or predicting began or ended
    CANDIDATE = auto()  # another candidate of the question is under the pointer
    COMPARISON = auto()  # other lanes are compared, or their comparison has another sentence
    DIFFERENCE = auto()  # the first step at which the compared runs differ is known, or no longer
    RESTRICTED = auto()  # a page of a lesson hides or locks other parts

    # -- of a lane ---------------------------------------------------------------------------------
    RUN = auto()  # it has another run, or none
    STEPS = auto()  # more steps or held-out errors are recorded
    CURSOR = auto()  # another step is shown
    NUMBERS = auto()  # code, curves and the counter shall follow the shown step
    FIGURES = auto()  # words and figures shall follow the shown step
    WORDS = auto()  # the words alone shall follow the shown step
    SURFACE = auto()  # a finer raster or a flip arrived
    UNIT = auto()  # the clock counts in another unit, or the sync mode is another one
    MARKS = auto()  # other marks of the plane are hidden
    OVERDUE = auto()  # the wanted step became overdue, or is no longer
    VEIL = auto()  # what is covered, or the question whose answer is left out


NOTHING = Change(0)
# what may be different where a part shows another lane
ANOTHER_LANE = (
    Change.RUN | Change.CURSOR | Change.UNIT | Change.MARKS | Change.OVERDUE | Change.VEIL
)

Announce = Callable[[Change], None]


class Changes:
    """All that changed at once.

    window: what changed for the window as a whole
    lanes: what changed in single lanes, by `LaneView`
    """

    __slots__ = ("lanes", "window")

    def __init__(self, window: Change, lanes: Mapping[Any, Change]) -> None:
        self.window, self.lanes = window, lanes

    def of(self, lane: Hashable) -> Change:
        """The flags for a part that shows this lane: those of the window and of the lane."""
        return self.window | self.lanes.get(lane, NOTHING)

    def beside(self, lane: Hashable) -> Change:
        """The flags of all lanes but this one."""
        found = NOTHING
        for other, what in self.lanes.items():
            if other is not lane:
                found |= what
        return found

    def anywhere(self) -> Change:
        """The flags of the window and of all lanes."""
        found = self.window
        for what in self.lanes.values():
            found |= what
        return found
