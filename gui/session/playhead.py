"""The shown step with its run and its document, and the one signal of their changes."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from engine.document.document import Document
from engine.document.lane import Lane
from engine.document.lane_run import LaneRun
from engine.protocol.algorithm import Algorithm
from engine.protocol.step import Level, Step
from engine.runs.trace import Trace
from engine.scene.scene import Scene
from engine.table.dataset import Dataset
from engine.table.problem import Problem
from gui.session.changes import ANOTHER_LANE, NOTHING, Change, Changes
from gui.session.forked import units_before
from gui.session.lane_view import LaneView
from gui.session.pointer import Pointer
from gui.session.restrictions import refusal
from gui.session.surfaces import Surfaces
from gui.session.sync_mode import SyncMode

if TYPE_CHECKING:
    from engine.lessons.overlays import Overlay


class Playhead(QObject):
    """The shown step, its lane and its document: the base of `Session`, which its parts read.

    changed: (changes), all that changed at once, see `Changes`
    said: (sentence, kind), for the message line, see `say`

    document: in force
    path: the file of the document, None without one
    active: the place of the active lane
    lane_views: of all lanes, in the order of the document
    unit: the level that the clock counts in
    together: what counts as the same time in several lanes
    speed: of the clock, in units a second
    stop_at: the events at which playing stops
    hidden, locked: what a page of a lesson hides and locks
    """

    changed = Signal(object)
    said = Signal(str, str)

    def __init__(self, document: Document, surfaces: Surfaces) -> None:
        super().__init__()
        self.document, self.surfaces = document, surfaces
        self.path: str | None = None
        self.active = 0
        self._window, self._lanes = NOTHING, dict[LaneView, Change]()  # not announced yet
        self._depth = 0  # of `at_once`
        self.pointer = Pointer(self.announce)
        self.lane_views: list[LaneView] = []
        self.unit = Level.STEP
        self.together = SyncMode.UNITS
        self.speed = 4.0
        self.stop_at: frozenset[str] = frozenset()
        self.hidden: frozenset[str] = frozenset()
        self.locked: frozenset[str] = frozenset()
        self.is_playing: Callable[[], bool] = lambda: False
        self.follow_document()
        self._lead = self.lane_view

    # -- what changed ------------------------------------------------------------------------------

    def announce(self, what: Change, lane: LaneView | None = None) -> None:
        """Say to all parts what changed: in `lane`, or for the window as a whole.

        A step that is shown also brings what follows it at once, see `PlaybackBudget`.
        """
        if lane is None:
            self._window |= what
        else:
            self._lanes[lane] = self._lanes.get(lane, NOTHING) | what
        if not self._depth:
            self._emit()

    @contextmanager
    def at_once(self) -> Iterator[None]:
        """Announce all that changes inside as one, at the end."""
        self._depth += 1
        try:
            yield
        finally:
            self._depth -= 1
            if not self._depth:
                self._emit()

    def _emit(self) -> None:
        window, lanes = self._window, self._lanes
        self._window, self._lanes = NOTHING, {}
        for lane, what in lanes.items():
            if what & Change.CURSOR:
                lanes[lane] = what | lane.playback_budget.move()
        if window or lanes:
            self.changed.emit(Changes(window, lanes))

    # -- lessons -----------------------------------------------------------------------------------

    def restrict(self, hidden: Iterable[str] = (), locked: Iterable[str] = ()) -> None:
        """Hide and lock these parts, and no others, see `engine.lessons.lesson`."""
        wanted = frozenset(hidden), frozenset(locked)
        if wanted == (self.hidden, self.locked):
            return
        self.hidden, self.locked = wanted
        with self.at_once():
            for view in self.lane_views:
                view.hidden = self.hidden
                view.announce(Change.VEIL)
            self.announce(Change.RESTRICTED)

    def overlay(self, overlay: "Overlay | None") -> None:
        """Draw this over the picture of the first lane, and over no other."""
        with self.at_once():
            for view in self.lane_views:
                wanted = overlay if view.place == 0 else None
                if view.overlay is not wanted:
                    view.overlay = wanted
                    view.announce(Change.VEIL)

    def refuses(self, *parts: str) -> bool:
        """Whether one of these parts is locked; says so."""
        sentence = refusal(parts, self.locked)
        if sentence:
            self.say(sentence)
        return bool(sentence)

    # -- the lanes ---------------------------------------------------------------------------------

    def follow_document(self) -> None:
        """Make a view for each lane of the document, and give up those of removed lanes.

        Nothing is announced yet: the runs are still those of the document before.
        """
        lanes = self.document.lanes
        for place in range(len(self.lane_views), len(lanes)):
            self.lane_views.append(
                LaneView(
                    self.document,
                    place,
                    self.pointer,
                    self.surfaces,
                    lambda: self.is_playing(),
                    self.announce,
                    self,
                )
            )
        for closed in self.lane_views[len(lanes) :]:
            closed.begin(None, 0)  # the session gives up its run
            closed.playback_budget.deleteLater()
        del self.lane_views[len(lanes) :]
        for view in self.lane_views:
            view.document, view.unit, view.siblings = self.document, self.unit, self.lane_views
            view.hidden = self.hidden
        self.pass_on_speed()

    def pass_on_speed(self) -> None:
        for view in self.lane_views:
            view.playback_budget.speed = self.speed

    def activate(self, place: int) -> None:
        """Make the lane at `place` the active one."""
        if place != self.active and 0 <= place < len(self.lane_views):
            self.active = place
            with self.at_once():
                self.announce(Change.ACTIVE)
                self.announce(ANOTHER_LANE, self.lane_view)

    @property
    def lead(self) -> LaneView:
        """The lane that time is read from.

        It stays the same until its run ends; then the lane with the most units leads.
        """
        return self._lead

    def let_lead(self, view: LaneView) -> None:
        """Read time from this lane from now on."""
        if view is not self._lead:
            self._lead = view
            with self.at_once():
                self.announce(Change.LEAD)
                self.announce(ANOTHER_LANE, view)

    def shown_lane(self) -> LaneView:
        """The view of the active lane, as a function for the parts that always show that lane."""
        return self.lane_view

    def lead_lane(self) -> LaneView:
        """The view of the lead, as a function for the parts that always show the lead."""
        return self._lead

    def find_lead(self, wanted: LaneView | None = None) -> None:
        """Choose the lead after lanes were added or removed, or runs have ended.

        wanted: leads unless its run is over
        """
        lead = wanted or self.lead
        if lead not in self.lane_views:
            lead = self.lane_view
        if lead.finished:
            there = [
                view
                for view in self.lane_views
                if view is lead or lead.at_end or not units_before(view, self.unit)
            ]
            lead = max(
                there, key=lambda view: (self._ends(view), view is lead, view is self.lane_view)
            )
        self.let_lead(lead)

    def _ends(self, view: LaneView) -> int:
        """How many units are recorded, with those before a fork; −1 without a run."""
        return view.units + units_before(view, self.unit) if view.units >= 0 else -1

    @property
    def data(self) -> Dataset:
        """The table of the active lane: one of its own, or that of the document."""
        return self.document.of_lane(self.active).data

    @property
    def problem(self) -> Problem | None:
        """The problem of the active lane; None where its table cannot be prepared."""
        return self.lane_view.problem

    @property
    def error(self) -> str:
        return self.lane_view.error

    @property
    def lane(self) -> Lane:
        return self.document.lanes[self.active]

    @property
    def algorithm(self) -> Algorithm[Any, Any]:
        return self.lane.algorithm

    @property
    def lane_view(self) -> LaneView:
        """The view of the active lane."""
        return self.lane_views[self.active]

    @property
    def cursor(self) -> int:
        return self.lane_view.cursor

    @property
    def first_cursor(self) -> int:
        """The shown step of the first lane, which a saved file keeps."""
        return self.lane_views[0].cursor

    @property
    def wanted(self) -> int:
        return self.lane_view.wanted

    @property
    def lane_run(self) -> LaneRun | None:
        return self.lane_view.run

    @property
    def trace(self) -> Trace | None:
        return self.lane_view.trace

    @property
    def step(self) -> Step[Any] | None:
        return self.lane_view.step

    @property
    def number(self) -> int:
        return self.lane_view.number

    @property
    def finished(self) -> bool:
        return self.lane_view.finished

    @property
    def scene(self) -> Scene:
        return self.lane_view.scene

    def say(self, sentence: str, kind: str = "info") -> None:
        """Show a sentence in the message line; "" takes one back.

        kind: how long it stays: 'info' for some seconds, 'place' until the person leaves the place
            in the run, 'remark' until something is changed, 'error' until it is dismissed or
            something is changed, 'fault' (of a disk or the program) until it is dismissed or taken
            back
        """
        self.said.emit(sentence, kind)
