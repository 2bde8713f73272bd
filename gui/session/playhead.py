"""Which step is shown: of which run, of which document; and how one goes from step to step."""

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
    """What the session's own parts read: the player, the kept step, runs that go on.

    document_changed: another document is in force (edit, undo, open) run_changed: the shown lane
    has a new run, or none (see `error`) run_grew: more steps or held-out numbers are recorded
    cursor_moved: another step is shown tweak_begun, tweaked: a number of its state is set by hand;
    painted: a parameter is, on its picture; edit_wanted: another document is to be in force;
    other_wanted: another of the tied candidates is to be taken; step_wanted: a step of the shown
    lane, by a mark that stands for it others_grew: steps of a lane are recorded from which time is
    not read active_changed: another lane is the one that a person works on playing_changed,
    settings_changed (tool, class, unit, speed, stop-at) said: (sentence, kind), for the message
    line, see `say`

    shown_lane: the active lane, whichever it is; lead_lane: the one that time is read from
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
        """A view for every lane of the document; this object tells what the one that is shown
        tells. Nothing is told yet: the runs are those of the document before.
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
        """The lane at this place is the one that a person works on."""
        if place != self.active and 0 <= place < len(self.lane_views):
            self.active = place
            self.shown_lane.follow(self.lane_view)
            self.active_changed.emit()

    @property
    def lead(self) -> LaneView:
        """The lane that time is read from: always the same one as long as it goes on, then the one
        with the most units.
        """
        return self.lead_lane.view

    def find_lead(self, wanted: LaneView | None = None) -> None:
        """Lanes came, went or have ended: see who leads; wanted: who shall if it is not over."""
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
        """How many units there are until its end, those before a fork too."""
        return view.units + units_before(view, self.unit) if view.units >= 0 else -1

    @property
    def data(self) -> Dataset:
        """The table of the active lane: one of its own, or that of the document."""
        return self.document.of_lane(self.active).data

    @property
    def problem(self) -> Problem | None:
        """That the active lane learns from."""
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
        """The lane that is shown."""
        return self.lane_views[self.active]

    @property
    def cursor(self) -> int:
        return self.lane_view.cursor

    @property
    def first_cursor(self) -> int:
        """The step of the first lane, which a file keeps."""
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
        """'info' is shown for some seconds, a 'place' of the run until it is left, an 'error' until
        it is dismissed or something is changed, a 'fault' of a disk or the program until it is
        dismissed or taken back with "".
        """
        self.said.emit(sentence, kind)
