"""Playing: seeks step after step at the chosen speed, and stops at chosen events."""

import time
from bisect import bisect_right
from collections.abc import Callable

from PySide6.QtCore import QTimer

from engine.runs.trace import Trace
from gui.session.changes import Change
from gui.session.lane_events import LaneEvents
from gui.session.playhead import Playhead
from gui.session.sync_mode import place_beside

FRAME_MS = 16
SPEEDS = (0.5, 1.0, 2.0, 4.0, 8.0, 15.0, 30.0, 60.0, 200.0, 1000.0)


class Player:
    """Moves the clock at `speed` units a second; above the frame rate it skips frames,
    not events.
    """

    def __init__(
        self, shown: Playhead, seek: Callable[[int], None], hush: Callable[[], None]
    ) -> None:
        """seek: shows a step of the lead; hush: clears the message about the place in the run."""
        self._shown, self.seek, self._hush = shown, seek, hush
        self._timer = QTimer(shown)
        self._timer.setInterval(FRAME_MS)
        self._timer.timeout.connect(self._tick)
        self._last = 0.0
        self._owed = 0.0
        self.playing = False
        self.lanes: LaneEvents | None = None

    def play(self) -> None:
        """Go on from here; from the start when the end is shown."""
        shown = self._shown
        lead = self._shown.lead
        if lead.trace is None or self.playing or shown.refuses("timeline"):
            return
        if lead.finished and lead.cursor >= len(lead.trace) - 1:
            self.seek(0)
        self._hush()  # the place is left, even if the first step is not due yet
        self.playing = True
        self._last = time.perf_counter()
        self._owed = 1.0 if shown.speed <= 4 else 0.0
        self._timer.start()
        shown.announce(Change.PLAYING)

    def pause(self) -> None:
        if not self.playing:
            return
        self.playing = False
        self._timer.stop()
        with self._shown.at_once():
            self._shown.announce(Change.PLAYING)
            for view in self._shown.lane_views:
                view.playback_budget.land()

    def toggle(self) -> None:
        (self.pause if self.playing else self.play)()

    def faster(self) -> None:
        self._set_speed(next((s for s in SPEEDS if s > self._shown.speed), SPEEDS[-1]))

    def slower(self) -> None:
        self._set_speed(next((s for s in reversed(SPEEDS) if s < self._shown.speed), SPEEDS[0]))

    def _set_speed(self, speed: float) -> None:
        self._shown.speed = speed
        self._shown.pass_on_speed()
        self._shown.announce(Change.SETTINGS)

    def _tick(self) -> None:
        now = time.perf_counter()
        self._owed += min(now - self._last, 0.25) * self._shown.speed
        self._last = now
        count = int(self._owed)
        if count:
            self._owed -= count
            self.advance(count)

    def advance(self, count: int) -> None:
        """Go on by `count` units, as far as they are recorded, but not past an event to stop at."""
        shown = self._shown
        lead = self._shown.lead
        trace = lead.trace
        if trace is None:
            self.pause()
            return
        ahead = self._ahead(trace, count)
        if not ahead:
            self._owed = 0.0
            if lead.finished:
                shown.find_lead()  # a lane that was forked may go on beyond it
            if shown.lead is lead and lead.finished:
                self.pause()
            return
        if self.lanes is not None:
            self.lanes.begin()
        between = range(lead.cursor + 1, ahead[-1] + 1) if shown.lane_view is lead else ahead
        stop, met = next(
            ((index, met) for index in between if (met := self._met(index))), (None, frozenset())
        )
        self.seek(ahead[-1] if stop is None else stop)
        if stop is not None:
            self.pause()
            shown.say(f"Stopped at: {', '.join(sorted(met))}.", "place")  # until the person goes on

    def _met(self, index: int) -> frozenset[str]:
        """The events to stop at that occur by step `index` of the lead.

        Those that the active lane has on its way there, and those of several lanes.
        """
        return self._own(index) | (self.lanes.met(index) if self.lanes is not None else frozenset())

    def _own(self, index: int) -> frozenset[str]:
        shown = self._shown
        active = self._shown.lane_view
        if not shown.stop_at or active.trace is None:
            return frozenset()
        events = active.trace.events
        if active is shown.lead:
            return shown.stop_at.intersection(events[index])
        there = min(place_beside(active, shown.lead, shown.together, index), len(events) - 1)
        return shown.stop_at.intersection(
            e for k in range(active.cursor + 1, there + 1) for e in events[k]
        )

    def _ahead(self, trace: Trace, count: int) -> list[int]:
        """The next `count` recorded steps of the chosen unit.

        The last step of a run belongs to every unit.
        """
        lead = self._shown.lead
        last = len(trace) - 1
        indices = trace.indices(lead.unit)
        place = bisect_right(indices, lead.cursor)
        found = list(indices[place : place + count])
        at = found[-1] if found else lead.cursor
        over = lead.finished
        return [*found, last] if over and len(found) < count and at < last else found
