"""Which step is shown: of which run, of which document; and how one goes from step to step."""

from bisect import bisect_right
from typing import Any

from PySide6.QtCore import QObject, Signal

from engine.core.algorithm import Algorithm
from engine.core.problem import Problem
from engine.core.scene import Scene
from engine.core.step import Level, Step
from engine.document.document import Document
from engine.document.lane import Lane
from engine.document.lane_run import LaneRun
from engine.timeline.trace import Trace
from gui.session.lane_view import LaneView


class ShownStep(QObject):
    """What the session's own parts read: the player, the kept step, the hidden marks, runs that go on.

    document_changed: another document is in force (edit, undo, open)
    run_changed: the shown lane has a new run, or none (see `error`)
    run_grew: more steps or held-out numbers are recorded
    cursor_moved: another step is shown
    late_changed: the wanted step has been waited for so long that its place is marked, or no longer (see `late`)
    playing_changed, settings_changed (tool, class, unit, speed, stop-at)
    said: (sentence, kind), for the message line, see `say`
    """

    document_changed = Signal()
    run_changed = Signal()
    run_grew = Signal()
    cursor_moved = Signal()
    late_changed = Signal()
    playing_changed = Signal()
    settings_changed = Signal()
    said = Signal(str, str)

    def __init__(self, document: Document) -> None:
        super().__init__()
        self.document = document
        self.path: str | None = None
        self.problem: Problem | None = None
        self.error = ""
        self.active = 0
        self.late = False
        self.lane_views: list[LaneView] = []
        self._nothing = LaneView()
        self.unit = Level.STEP
        self.speed = 4.0
        self.stop_at: frozenset[str] = frozenset()

    @property
    def lane(self) -> Lane:
        return self.document.lanes[self.active]

    @property
    def algorithm(self) -> Algorithm[Any, Any]:
        return self.lane.algorithm

    @property
    def lane_view(self) -> LaneView:
        """The lane that is shown; an empty one while there is no problem to learn."""
        return self.lane_views[self.active] if self.active < len(self.lane_views) else self._nothing

    @property
    def cursor(self) -> int:
        return self.lane_view.cursor

    @cursor.setter
    def cursor(self, index: int) -> None:
        self.lane_view.cursor = index

    @property
    def wanted(self) -> int:
        return self.lane_view.wanted

    @wanted.setter
    def wanted(self, index: int) -> None:
        self.lane_view.wanted = index

    @property
    def lane_run(self) -> LaneRun | None:
        return self.lane_view.run

    @property
    def trace(self) -> Trace | None:
        """The shown lane's recorded run; None when the algorithm cannot take the data (see `error`)."""
        return self.lane_view.trace

    @property
    def step(self) -> Step[Any] | None:
        return self.lane_view.step

    @property
    def number(self) -> int:
        """Of the shown step in the chosen unit, from 0; between two of them that of the one before."""
        return 0 if self.trace is None else max(0, bisect_right(self.trace.indices(self.unit), self.cursor) - 1)

    @property
    def finished(self) -> bool:
        return self.lane_view.finished

    @property
    def scene(self) -> Scene:
        """The picture of the shown step."""
        return self.lane_view.scene

    def say(self, sentence: str, kind: str = "info") -> None:
        """'info' is shown for some seconds, a 'place' of the run until it is left, an 'error' until it is dismissed or
        something is changed, a 'fault' of a disk or the program until it is dismissed or taken back with ""."""
        self.said.emit(sentence, kind)
