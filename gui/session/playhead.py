"""The shown step with its run and its document, and the signals that announce their changes."""

from collections.abc import Callable
from typing import Any

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
from gui.session.followed_lane import FollowedLane
from gui.session.forked import units_before
from gui.session.lane_view import LaneView
from gui.session.playback_budget import PLANE
from gui.session.pointer import Pointer
from gui.session.surfaces import Surfaces
from gui.session.sync_mode import SyncMode

TOLD = (
    "run_changed",
    "run_grew",
    "cursor_moved",
    "tweak_begun",
    "tweaked",
    "painted",
    "edit_wanted",
    "other_wanted",
    "step_wanted",
)


class Playhead(QObject):
    """The shown step, its lane and its document: the base of `Session`, which its parts read.

    document_changed: another document is in force (edit, undo, open)
    run_changed: the active lane has another run, or none (see `error`)
    run_grew: more of its steps or held-out errors are recorded
    cursor_moved: another of its steps is shown
    tweak_begun: a number of its state is about to be set by hand
    tweaked: (place, number), a number of its state was set by hand
    painted: (name, values, stroke), a parameter was painted on its picture
    edit_wanted: (document, label), a part of the window wants this edit
    other_wanted: (number), another of the tied candidates shall be taken
    step_wanted: (index), a mark that stands for this step of the active lane was clicked
    others_grew: lanes other than the lead have more steps, or show other ones
    playing_changed: playing began or paused
    active_changed: another lane is active
    settings_changed: the tool, class, unit, sync mode, speed or stops changed
    said: (sentence, kind), for the message line, see `say`

    shown_lane: follows the active lane
    lead_lane: follows the lane that time is read from
    """

    document_changed = Signal()
    run_changed = Signal()
    run_grew = Signal()
    cursor_moved = Signal()
    tweak_begun = Signal()
    tweaked = Signal(object, float)
    painted = Signal(str, object, int)
    edit_wanted = Signal(object, str)
    other_wanted = Signal(int)
    step_wanted = Signal(int)
    playing_changed = Signal()
    active_changed = Signal()
    others_grew = Signal()
    settings_changed = Signal()
    said = Signal(str, str)

    def __init__(self, document: Document, surfaces: Surfaces) -> None:
        super().__init__()
        self.document, self.surfaces = document, surfaces
        self.path: str | None = None
        self.active = 0
        self.pointer = Pointer()
        self.lane_views: list[LaneView] = []
        self.unit = Level.STEP
        self.together = SyncMode.UNITS
        self.speed = 4.0
        self.stop_at: frozenset[str] = frozenset()
        self.is_playing: Callable[[], bool] = lambda: False
        self.playing_changed.connect(self._tell_lanes)
        self.settings_changed.connect(self._tell_speed)
        self._follow_lanes()
        self.shown_lane, self.lead_lane = (
            FollowedLane(self.lane_view, PLANE),
            FollowedLane(self.lane_view, PLANE),
        )
        self._tell_speed()
        for name in TOLD:
            getattr(self.shown_lane, name).connect(getattr(self, name))

    def _tell_lanes(self) -> None:
        if not self.is_playing():
            for view in self.lane_views:
                view.rested.emit()

    def _tell_speed(self) -> None:
        for view in (*self.lane_views, self.shown_lane, self.lead_lane):
            view.playback_budget.speed = self.speed

    def follow_document(self) -> None:
        """Make a view for each lane of the document, and follow the active lane.

        No signal is emitted yet: the runs are still those of the document before.
        """
        self._follow_lanes()
        self.shown_lane.follow(self.lane_view, later=True)
        if self.lead not in self.lane_views:
            self.lead_lane.follow(self.lane_view, later=True)
        self._tell_speed()

    def _follow_lanes(self) -> None:
        lanes = self.document.lanes
        for place in range(len(self.lane_views), len(lanes)):
            self.lane_views.append(
                LaneView(
                    self.document, place, self.pointer, self.surfaces, lambda: self.is_playing()
                )
            )
        for gone in self.lane_views[len(lanes) :]:
            gone.begin(None, 0)  # the session gives up its run
        del self.lane_views[len(lanes) :]
        for view in self.lane_views:
            view.document, view.unit, view.siblings = self.document, self.unit, self.lane_views

    def activate(self, place: int) -> None:
        """Make the lane at `place` the active one."""
        if place != self.active and 0 <= place < len(self.lane_views):
            self.active = place
            self.shown_lane.follow(self.lane_view)
            self.active_changed.emit()

    @property
    def lead(self) -> LaneView:
        """The lane that time is read from.

        It stays the same until its run ends; then the lane with the most units leads.
        """
        return self.lead_lane.view

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
        self.lead_lane.follow(lead)

    def _ends(self, view: LaneView) -> int:
        """How many units are recorded, with those before a fork; −1 without a run."""
        return view.units + units_before(view, self.unit) if view.units >= 0 else -1

    @property
    def data(self) -> Dataset:
        """The table of the active lane: one of its own, or that of the document."""
        return self.document.of_lane(self.active).data

    @property
    def problem(self) -> Problem | None:
        """What the active lane learns from; None where its table cannot be prepared."""
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
            in the run, 'error' until it is dismissed or something is changed, 'fault' (of a disk or
            the program) until it is dismissed or taken back
        """
        self.said.emit(sentence, kind)
