"""The one clock of all lanes: which step of each is shown, and what the worker has to record for
it.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable

from PySide6.QtCore import QTimer

from engine.document.lane_run import LaneRun
from engine.protocol.step import Level
from engine.table.row_words import MANY
from gui.session.continuation import Continuation
from gui.session.forked import forked_from
from gui.session.lane_view import LaneView
from gui.session.playhead import Playhead
from gui.session.refresh_rate import EVERY, RefreshRate
from gui.session.sync_mode import END, place_beside
from gui.session.workers import Wish, Worker

AHEAD = 10_000  # steps beyond the one that is shown
NEAR = 0.1  # the share of them that is recorded at once
LATE = 100  # milliseconds after which the place of a step is marked that has to be replayed
AT_ONCE = 0.016  # with what painting takes, a drag still makes thirty updates a second
PAINTING = 0.003  # seconds that each lane more takes of that


class Clock:
    """Time is read from the lead lane, see `ShownStep.lead`; the others show what they were at at
    the same time, see `Together`, and their end when they have no more.

    restart: makes the runs anew, with a step to show; begin_run: the run of a lane, None where it
    has none
    """

    def __init__(
        self,
        shown: Playhead,
        worker: Worker,
        continuation: Continuation,
        painted: QTimer,
        restart: Callable[[int], None],
        begin_run: Callable[[LaneView], LaneRun | None],
    ) -> None:
        """painted: once started, tells when what has changed is on the screen."""
        self._shown, self._worker, self._going_on = shown, worker, continuation
        self._restart, self._begin_run = restart, begin_run
        self.refresh_rate = RefreshRate(painted)
        self._later = QTimer(shown, singleShot=True, interval=round(1000 * EVERY))
        self._later.timeout.connect(
            lambda: self.run_grew(shown.lead.run.id) if shown.lead.run else None
        )
        self._waited = QTimer(shown, singleShot=True, interval=LATE)
        self._waited.timeout.connect(self._mark_late)
        self._behind: set[LaneView] = set()  # whose step is replayed

    def close(self) -> None:
        self._later.stop()
        self._waited.stop()

    # -- where the person goes ---------------------------------------------------------------------

    def seek(self, index: int) -> None:
        """Show step `index` of the lead; when it is not recorded yet, the last one, and it as soon
        as it is; when the recording has forgotten it, as soon as it is replayed.
        """
        if index <= 0:
            self._lead_from_the_first()
        lead = self._shown.lead
        if lead.trace is None or not len(lead.trace):
            return
        lead.wanted = max(0, index)
        self._worker.recall(None)
        self._show_all(min(lead.wanted, len(lead.trace) - 1))
        self.work()

    def _lead_from_the_first(self) -> None:
        """Time begins with the run that the lead, and the one before it, was forked from."""
        while (found := forked_from(self._shown.lead)) is not None:
            self._shown.lead_lane.follow(found[0])

    def neighbour(self, way: int, unit: Level) -> int:
        """The step after (+1) or before (−1) the shown one in `unit`."""
        lead = self._shown.lead
        before = forked_from(self._shown.lead)
        if way < 0 and lead.cursor == 0 and before is not None:
            self._shown.lead_lane.follow(before[0])
            return before[1]
        if way > 0 and lead.at_end:
            self._shown.find_lead()
            lead = self._shown.lead
        if lead.trace is None:
            return 0
        indices = lead.trace.indices(unit)
        place = (bisect_right if way > 0 else bisect_left)(indices, lead.cursor)
        found = place if way > 0 else place - 1
        if 0 <= found < len(indices):
            return int(indices[found])
        return 0 if way < 0 else (len(lead.trace) - 1 if lead.finished else len(lead.trace))

    # -- new runs ----------------------------------------------------------------------------------

    def forget(self) -> None:
        """Nobody waits for a step of the runs before."""
        self._worker.recall(None)
        self._behind.clear()
        self._waited.stop()
        for view in self._shown.lane_views:
            self._set_late(view, False)

    def catch_up(self, nth: tuple[Level, int] | None) -> None:
        """Record what fits into a moment, so that small runs follow a drag without a flicker; nth:
        show this moment of a level in place of the step that is wanted.
        """
        shown = self._shown
        views = self._shown.lane_views
        ahead = [shown.lead, *(view for view in views if view is not shown.lead)]
        share = max(0.0, AT_ONCE - PAINTING * (len(views) - 1)) / len(views)
        for view in ahead:
            self._catch_up(view, share, nth)
        shown.find_lead()
        self.follow_lead(False)

    def _catch_up(self, view: LaneView, seconds: float, nth: tuple[Level, int] | None) -> None:
        run = view.run
        until = min(view.wanted, AHEAD) + 1
        if run is None:
            return
        if run.trace.problem.n > MANY:
            # a step, which takes as long as all those of a small run: the worker does the others
            seconds = 0.0
        run.advance(seconds, until, wait=0.0)  # where the worker is inside, it makes the steps
        if self._going_on.gave_up(run):
            view.run = run = self._begin_run(view) or run
            run.advance(seconds, until)
        view.error = run.error or view.error
        self._going_on.wait_for(run)
        if nth is not None and len(run.trace) and view is self._shown.lead:
            while (
                not run.over and len(run.trace.indices(nth[0])) <= nth[1] and len(run.trace) < AHEAD
            ):
                run.advance(AT_ONCE, AHEAD, wait=AT_ONCE)
            indices = run.trace.indices(nth[0])
            view.wanted = int(indices[min(nth[1], len(indices) - 1)]) if len(indices) else 0
        self._show(view, max(0, min(view.wanted, len(run.trace) - 1)), False)

    def work(self) -> None:
        """Let the worker record what is wanted, and a good deal more: most of that while no hand is
        at work, since whoever scrubs over steps that are there would wait for the interpreter at
        each of them.
        """
        wishes = []
        soon = AHEAD if self._shown.is_playing() else round(NEAR * AHEAD)
        for view in self._shown.lane_views:
            if view.run is not None:
                there = max(view.cursor, min(view.wanted, 10 * AHEAD))
                wishes.append(Wish(view.run, there + AHEAD, there + soon))
        self._worker.work_on(wishes)

    # -- showing -----------------------------------------------------------------------------------

    def _show_all(self, index: int) -> None:
        """Step `index` of the lead, which tells it when the others are there too."""
        lead = self._shown.lead
        before = lead.begun, lead.cursor
        self._show(lead, index, False)
        self.follow_lead()
        if (lead.begun, lead.cursor) != before:
            lead.cursor_moved.emit()

    def follow_lead(self, tell: bool = True) -> None:
        """Show of all others what belongs to the lead's step."""
        lead = self._shown.lead
        for view in self._shown.lane_views:
            if view is not lead and lead.trace is not None and len(lead.trace):
                self._follow(view, tell)

    def _follow(self, view: LaneView, tell: bool = True) -> None:
        """Show the step of a lane that belongs to the lead's, as far as it is recorded."""
        if view.trace is None or not len(view.trace):
            return
        waited = view.waits
        last = len(view.trace) - 1
        view.wanted = place_beside(view, self._shown.lead, self._shown.together)
        if view.finished:
            view.wanted = min(view.wanted, last)
        self._show(view, min(view.wanted, last), tell)
        if last < view.wanted < END:
            # it is short of a step that nobody could name before; as many are recorded after the
            # shown one
            self.work()
        if waited and view.finished and view.wanted == view.cursor:
            view.surface_ready.emit()  # nothing moves any more: the surface may be refined

    def _show(self, view: LaneView, index: int, tell: bool = True) -> None:
        """Step `index`, or what was shown until it is replayed: that is never done here, where the
        window waits.
        """
        run = view.run
        if run is None or not len(run.trace):
            return
        if not run.trace.pin(index):
            self._worker.recall(run, index)
            self._behind.add(view)
            if not (view.late or self._waited.isActive()):
                self._waited.start()
            return
        moved = index != view.cursor or not view.begun
        view.cursor = index
        view.begun = True
        self._behind.discard(view)
        if not self._behind:
            self._waited.stop()
        self._set_late(view, False)
        if moved and tell:
            view.cursor_moved.emit()

    def _mark_late(self) -> None:
        for view in self._behind:
            self._set_late(view, True)

    def _set_late(self, view: LaneView, late: bool) -> None:
        if late != view.late:
            view.late = late
            view.late_changed.emit()

    # -- growth ------------------------------------------------------------------------------------

    def run_grew(self, run_id: int) -> None:
        """The worker has recorded or replayed steps of this run, or judged some."""
        view = next(
            (v for v in self._shown.lane_views if v.run is not None and v.run.id == run_id), None
        )
        if view is None or view.run is None:
            return
        run = view.run
        lead = self._shown.lead
        if self._going_on.gave_up(run):
            self._restart(self._shown.lead.wanted)
            return
        if run.error and run.error != view.error:
            view.error = run.error
            view.run_changed.emit()
        if view is not lead:
            self._other_grew(view, run)
            view.run_grew.emit()
            self._shown.others_grew.emit()
        elif not self._lead_grew(view, run):
            return
        self._shown.find_lead()
        if self._shown.lead is not lead:
            self.follow_lead()  # it may have been a little behind the one before

    def _other_grew(self, view: LaneView, run: LaneRun) -> None:
        """Shown where it is there for good; else now and then, as the lead is."""
        wanted = place_beside(view, self._shown.lead, self._shown.together)
        if run.over or wanted < len(run.trace) or self.refresh_rate.due():
            if not run.over and wanted >= len(run.trace):
                self.refresh_rate.begin()
            self._follow(view)
            return
        if wanted < END:
            view.wanted = wanted
            self.work()
        self._later.start()  # nobody tells of its last steps again

    def _lead_grew(self, view: LaneView, run: LaneRun) -> bool:
        """Whether it was looked at; else it is soon."""
        last = len(run.trace) - 1
        waits = view.waits
        there = waits and view.wanted <= last and run.trace.holds(view.wanted)
        if not (run.over or there or self.refresh_rate.due()):
            self._later.start()
            return False
        self.refresh_rate.begin()
        if not waits:
            self.follow_lead()  # how many examples a step has seen is known better with each round
        if waits and last >= 0:
            self._show_all(min(view.wanted, last))
            if run.over and (view.cursor == min(view.wanted, last) or run.error):
                view.wanted = view.cursor
                view.surface_ready.emit()  # nothing moves any more: the surface may be refined
        view.run_grew.emit()
        return True
