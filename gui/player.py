"""Playing: the clock that asks for the next step, and stops where the person wants it to."""

import time
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer

if TYPE_CHECKING:
    from gui.session import Session

FRAME_MS = 16
SPEEDS = (0.5, 1.0, 2.0, 4.0, 8.0, 15.0, 30.0, 60.0, 200.0, 1000.0)


class Player:
    """Moves the session's cursor at `session.speed` units a second; above the frame rate it skips frames, not events."""

    def __init__(self, session: "Session") -> None:
        self._session = session
        self._timer = QTimer(session)
        self._timer.setInterval(FRAME_MS)
        self._timer.timeout.connect(self._tick)
        self._last = 0.0
        self._owed = 0.0
        self.playing = False

    def play(self) -> None:
        """Go on from here; from the start when the end is shown."""
        session = self._session
        if session.trace is None or self.playing:
            return
        if session.finished and session.cursor >= len(session.trace) - 1:
            session.seek(0)
        self.playing = True
        self._last, self._owed = time.perf_counter(), 1.0 if session.speed <= 4 else 0.0
        self._timer.start()
        session.playing_changed.emit()

    def pause(self) -> None:
        if not self.playing:
            return
        self.playing = False
        self._timer.stop()
        self._session.playing_changed.emit()

    def toggle(self) -> None:
        (self.pause if self.playing else self.play)()

    def faster(self) -> None:
        self._session.set_settings(speed=next((s for s in SPEEDS if s > self._session.speed), SPEEDS[-1]))

    def slower(self) -> None:
        self._session.set_settings(speed=next((s for s in reversed(SPEEDS) if s < self._session.speed), SPEEDS[0]))

    def _tick(self) -> None:
        now = time.perf_counter()
        self._owed += min(now - self._last, 0.25) * self._session.speed
        self._last = now
        while self._owed >= 1 and self.playing:
            self._owed -= 1
            if not self._advance(last=self._owed < 1):
                return

    def _advance(self, last: bool) -> bool:
        """One unit on; False when playing ended or has to wait for the run."""
        session = self._session
        trace = session.trace
        if trace is None:
            self.pause()
            return False
        target = session.neighbour(+1)
        if target >= len(trace) or target == session.cursor:
            if session.finished:
                self.pause()
            self._owed = 0.0
            return False
        found = session.stop_at.intersection(trace.events[target])
        if last or found:
            session.seek(target)
        else:
            session.cursor = session.wanted = target
        if found:
            self.pause()
            session.say("Stopped at: " + ", ".join(sorted(found)) + ".")
        return self.playing
