"""The one clock of all lanes: which step of each is shown, and what the worker shall record."""

import time
from bisect import bisect_left, bisect_right
from collections.abc import Callable

from PySide6.QtCore import QTimer

from engine.document.lane_run import LaneRun
from engine.protocol.step import Level
from engine.table.row_words import MANY
from gui.session.changes import Change
from gui.session.continuation import Continuation
from gui.session.forked import forked_from
from gui.session.lane_view import LaneView
from gui.session.playhead import Playhead
from gui.session.sync_mode import END, place_beside
from gui.session.workers import Wish, Worker

EVERY = 0.2  # seconds
SHARE = 4  # after a slow refresh, the keys and the mouse get this many times its duration


class RefreshRate:
    """Limits refreshes to five a second, or fewer where one takes long, so that the window
    responds.

    A refresh is words, figures, curves and painting.
    """

    def __init__(self, painted: QTimer) -> None:
        """painted: a timer that times out once the window has painted what changed."""
        self._began = 0.0
        self.cost = 0.0
        self.under_way = False
        self._painted = painted
        painted.timeout.connect(self._on_painted)

    def due(self) -> bool:
        return time.perf_counter() - self._began > max(EVERY, (1 + SHARE) * self.cost)

    def begin(self) -> None:
        self._began = time.perf_counter()
        self.under_way = True
        # else the refresh would seem to last until the cursor moves, which may take minutes
        self._painted.start()

    def _on_painted(self) -> None:
        if self.under_way:
            self.cost = time.perf_counter() - self._began
            self.under_way = False


AHEAD = 10_000  # steps to record beyond the shown one
NEAR = 0.1  # the share of them to record at once
OVERDUE = 100  # milliseconds of replay after which the place of the wanted step is marked
AT_ONCE = 0.016  # seconds: with the painting, a drag still makes thirty updates a second
PAINTING = 0.003  # seconds of it that each further lane needs to be painted


class Clock:
    """Moves all lanes at once: time is read from the lead, see `Playhead.lead`.

    The other lanes show their step of the same time, see `SyncMode`, or their end when they have no
    more steps.
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
        """restart: starts new runs and shows a step of them
        begin_run: makes the run of a lane, None where it cannot have one
        painted: a timer that times out once the window has painted what changed
        """
        self._shown, self._worker, self._going_on = shown, worker, continuation
        self._restart, self._begin_run = restart, begin_run
        self.refresh_rate = RefreshRate(painted)
        self._later = QTimer(shown, singleShot=True, interval=round(1000 * EVERY))
        self._later.timeout.connect(
            lambda: self.run_grew(shown.lead.run.id) if shown.lead.run else None
        )
        self._waited = QTimer(shown, singleShot=True, interval=OVERDUE)
        self._waited.timeout.connect(self._mark_overdue)
        self._behind: set[LaneView] = set()  # their steps are being replayed

    def close(self) -> None:
        self._later.stop()
        self._waited.stop()

    # -- where the person goes ---------------------------------------------------------------------

    def seek(self, index: int) -> None:
        """Show step `index` of the lead.

        Where it is not recorded yet, show the last step until it is; where there is none yet, the
        first ones as they come. Where it was forgotten, show it as soon as it is replayed.
        """
        if index <= 0:
            self._lead_from_the_first()
        lead = self._shown.lead
        if lead.trace is None:
            return
        lead.wanted = max(0, index)
        self._worker.recall(None)
        if len(lead.trace):
            self._show_all(min(lead.wanted, len(lead.trace) - 1))
        self.work()

    def _lead_from_the_first(self) -> None:
        """Make the first run of the chain of forks lead: time begins with it."""
        while (found := forked_from(self._shown.lead)) is not None:
            self._shown.let_lead(found[0])

    def neighbour(self, way: int, unit: Level) -> int:
        """The index of the step after (+1) or before (−1) the shown one, counted in `unit`.

        At an end of the lead's run another lane may take the lead: the index is one of its steps.
        """
        lead = self._shown.lead
        before = forked_from(self._shown.lead)
        if way < 0 and lead.cursor == 0 and before is not None:
            self._shown.let_lead(before[0])
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
        """Give up the replays that the runs before waited for."""
        self._worker.recall(None)
        self._behind.clear()
        self._waited.stop()
        for view in self._shown.lane_views:
            self._set_overdue(view, False)

    def catch_up(self, nth: tuple[Level, int] | None) -> None:
        """Record for a moment on this thread, so that small runs follow a drag without flicker.

        nth: (level, n), show in the lead this moment in place of the wanted step
        """
        shown = self._shown
        views = self._shown.lane_views
        ahead = [shown.lead, *(view for view in views if view is not shown.lead)]
        share = max(0.0, AT_ONCE - PAINTING * (len(views) - 1)) / len(views)
        for view in ahead:
            self._catch_up(view, share, nth)
        shown.find_lead()
        self.follow_lead()

    def _catch_up(self, view: LaneView, seconds: float, nth: tuple[Level, int] | None) -> None:
        run = view.run
        until = min(view.wanted, AHEAD) + 1
        if run is None:
            return
        if run.trace.problem.n > MANY:
            # one step only: it takes as long as a small run, and the worker makes the others
            seconds = 0.0
        run.advance(seconds, until, wait=0.0)  # wait 0: a worker that is inside makes the steps
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
        self._show(view, max(0, min(view.wanted, len(run.trace) - 1)))

    def work(self) -> None:
        """Tell the worker to record the wanted steps and `AHEAD` more.

        Unless the clock runs, most of these wait for spare time: the worker would take the
        interpreter from a hand that scrubs over steps already recorded.
        """
        wishes = []
        soon = AHEAD if self._shown.is_playing() else round(NEAR * AHEAD)
        for view in self._shown.lane_views:
            if view.run is not None:
                there = max(view.cursor, min(view.wanted, 10 * AHEAD))
                wishes.append(Wish(view.run, there + AHEAD, there + soon))
        self._worker.work_on(wishes)

    def record(self, until: int) -> None:
        """Tell the worker to record this many steps of all lanes, whatever is shown."""
        runs = [view.run for view in self._shown.lane_views if view.run is not None]
        self._worker.work_on([Wish(run, until) for run in runs])

    # -- showing -----------------------------------------------------------------------------------

    def _show_all(self, index: int) -> None:
        """Show step `index` of the lead, and its time in the others."""
        with self._shown.at_once():
            self._show(self._shown.lead, index)
            self.follow_lead()

    def follow_lead(self) -> None:
        """Show in all other lanes the step that belongs to the lead's."""
        lead = self._shown.lead
        for view in self._shown.lane_views:
            if view is not lead and lead.trace is not None and len(lead.trace):
                self._follow(view)

    def _follow(self, view: LaneView) -> None:
        """Show the step of a lane that belongs to the lead's, as far as it is recorded."""
        if view.trace is None or not len(view.trace):
            return
        waited = view.pending
        finished = view.finished  # before `last`: the worker may record the last steps meanwhile
        last = len(view.trace) - 1
        view.wanted = place_beside(view, self._shown.lead, self._shown.together)
        if finished:
            view.wanted = min(view.wanted, last)
        self._show(view, min(view.wanted, last))
        if last < view.wanted < END:
            # only now is it known which step it needs: record that, and as many after it
            self.work()
        if waited and finished and view.wanted == view.cursor:
            view.announce(Change.SURFACE)  # nothing moves any more: the surface may be refined

    def _show(self, view: LaneView, index: int) -> None:
        """Show step `index` of a lane; where it has to be replayed, keep what is shown until then.

        The replay is left to the worker: here it would block the window.
        """
        run = view.run
        if run is None or not len(run.trace):
            return
        if not run.trace.pin(index):
            self._worker.recall(run, index)
            self._behind.add(view)
            if not (view.overdue or self._waited.isActive()):
                self._waited.start()
            return
        moved = index != view.cursor or not view.begun
        view.cursor = index
        view.begun = True
        self._behind.discard(view)
        if not self._behind:
            self._waited.stop()
        self._set_overdue(view, False)
        if moved:
            view.announce(Change.CURSOR)

    def _mark_overdue(self) -> None:
        for view in self._behind:
            self._set_overdue(view, True)

    def _set_overdue(self, view: LaneView, overdue: bool) -> None:
        if overdue != view.overdue:
            view.overdue = overdue
            view.announce(Change.OVERDUE)

    # -- growth ------------------------------------------------------------------------------------

    def run_grew(self, run_id: int) -> None:
        """Show what the worker has recorded, replayed or judged of this run."""
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
            view.announce(Change.RUN)
        if view is not lead:
            self._other_grew(view, run)
            view.announce(Change.STEPS)
        elif not self._lead_grew(view, run):
            return
        self._shown.find_lead()
        if self._shown.lead is not lead:
            if lead.wanted >= END:
                self._shown.lead.wanted = END  # the end that is wanted is that of every lane
            self.follow_lead()  # the new lead may have been a little behind the old one
        self._end_together(self._shown.lead)

    def _all_over(self) -> bool:
        """Whether the runs of all lanes have ended."""
        return all(view.finished for view in self._shown.lane_views)

    def _end_together(self, lead: LaneView) -> None:
        """Once the runs of all lanes have ended, the `lead` whose end was wanted waits no more."""
        if lead.wanted >= END and lead.at_end and self._all_over():
            lead.wanted = lead.cursor
            self.follow_lead()
            lead.announce(Change.SURFACE)

    def _other_grew(self, view: LaneView, run: LaneRun) -> None:
        """Show what belongs to the lead's step; while that is not recorded, only now and then."""
        wanted = place_beside(view, self._shown.lead, self._shown.together)
        if run.over or wanted < len(run.trace) or self.refresh_rate.due():
            if not run.over and wanted >= len(run.trace):
                self.refresh_rate.begin()
            self._follow(view)
            return
        if wanted < END:
            view.wanted = wanted
            self.work()
        self._later.start()  # no report comes after its last steps

    def _lead_grew(self, view: LaneView, run: LaneRun) -> bool:
        """Show the lead's growth and return True; False where that waits for the refresh rate."""
        over = run.over  # before `last`: the worker may record the last steps meanwhile
        last = len(run.trace) - 1
        pending = view.pending
        there = pending and view.wanted <= last and run.trace.holds(view.wanted)
        if not (over or there or self.refresh_rate.due()):
            self._later.start()
            return False
        self.refresh_rate.begin()
        if not pending:
            self.follow_lead()  # each round corrects how many examples a step has seen
        if pending and last >= 0:
            self._show_all(min(view.wanted, last))
            shown = view.cursor == min(view.wanted, last) or bool(run.error)
            # the end that is wanted is that of every lane
            if over and shown and (view.wanted < END or self._all_over()):
                view.wanted = view.cursor
                view.announce(Change.SURFACE)  # nothing moves any more: the surface may be refined
        view.announce(Change.STEPS)
        return True
