"""The session: the document, its runs and the shown step, for all parts of the window."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from PySide6.QtCore import QTimer, Signal

from engine.base.errors import EngineError
from engine.base.records import replace
from engine.document.document import Document
from engine.document.fitting import as_before, fitting
from engine.document.lane_edits import compare
from engine.document.lane_run import LaneRun
from engine.protocol.registry import algorithm
from engine.protocol.step import Level, Pace
from engine.runs.run import pace_of
from engine.sources.own_points import taken_by
from engine.table.dataset import Dataset
from engine.table.problem import Problem
from gui.session.changes import ANOTHER_LANE, Change, Changes
from gui.session.clock import Clock
from gui.session.continuation import Continuation
from gui.session.cursor_anchor import CursorAnchor
from gui.session.garbage import Collector
from gui.session.lane_commands import LaneCommands
from gui.session.lane_comparison import LaneComparison
from gui.session.lane_events import LANE_EVENTS, LaneEvents
from gui.session.lane_view import LaneView
from gui.session.player import Player
from gui.session.playhead import Playhead
from gui.session.predicting import FIRST, Predicting
from gui.session.prepared import Prepared
from gui.session.restrictions import parts_changed
from gui.session.surfaces import Surfaces
from gui.session.sync_mode import END, SyncMode
from gui.session.undo import Edit, History, Moment
from gui.session.workers import Worker

ENDS_COVERED = "The ends are covered while you predict: leave it first (Esc)."
EXPORT_COVERED = "What would be saved is covered while you predict: leave it first (Esc)."


class Session(Playhead):
    """All parts of the window talk and listen to this object, and never to each other.

    They connect to `changed`, see `Playhead`, and read here what they show.

    offered: (sentence, words, effect, kind), for the message line, see `offer`
    """

    offered = Signal(str, str, object, str)
    _grew = Signal(int)
    _surfaced = Signal(object, object)

    def __init__(self, document: Document) -> None:
        self.worker = Worker(
            lambda run: self._grew.emit(run), lambda *found: self._surfaced.emit(*found)
        )
        super().__init__(document, Surfaces(self.worker))
        self._surfaced.connect(self._on_surface)
        self.collector = Collector(self, lambda: self.player.playing)
        self._painted = QTimer(self, singleShot=True, interval=0, timeout=self.worker.go_on)  # type: ignore[call-arg]
        self.history = History()
        self.cursor_anchor = CursorAnchor(self)
        self.player = Player(self, self.seek, self.cursor_anchor.hush)
        self.is_playing = lambda: self.player.playing
        self.continuation = Continuation(self, self.begin)
        self.clock = Clock(
            self, self.worker, self.continuation, self._painted, self._restart, self._start
        )
        self._grew.connect(self.clock.run_grew)
        self.predicting = Predicting(self, self.seek, self.player.pause)
        self.changed.connect(self._on_changed)
        self.saved: Document | None = document
        self._runs: list[LaneRun] = []
        self.lane_comparison = LaneComparison(self)
        self.lane_commands = LaneCommands(self)
        self.player.lanes = LaneEvents(self, self.lane_comparison)
        # by run id, the wanted steps before an edit: runs that go on keep theirs
        self._times: dict[int, int] | None = None
        self._prepared = Prepared()
        self.current_class = 0
        self._shared: Problem | None = None  # what lanes without a table of their own learn from
        self._restart(0)

    @property
    def tool(self) -> str:
        """The key of the tool in hand, see `set_settings`."""
        return self.pointer.tool

    @tool.setter
    def tool(self, key: str) -> None:
        self.pointer.tool = key

    # -- editing -----------------------------------------------------------------------------------

    def edit(self, document: Document, label: str, merge: str | None = None) -> None:
        """Put `document` in force as an edit that can be undone.

        Edits in a row with the same `merge` key undo as one. Parameters that do not fit the new
        table are emptied, and the message line says so. An equal document changes nothing.
        """
        if document == self.document or self._locks(document):
            return
        before = self.document
        document, emptied = fitting(self.document, document, self._problem_of)
        self.history.record(Edit(label, before, document, merge))
        if not len(self.data):
            self.cursor_anchor.begin()
        self._swap(document)
        if first := emptied or self.continuation.ended(before):
            self.say(first)
        elif not self.continuation.lost:
            self.cursor_anchor.announce(before)

    def edit_data(
        self, change: Callable[[Document], Document], label: str, merge: str | None = None
    ) -> None:
        """Edit the table that the active lane learns from: its own if any, else the document's.

        Raises EngineError where `change` does.
        """
        self.edit(self.document.in_lane(self.active, change), label, merge)

    def _locks(self, document: Document) -> bool:
        """Whether a page of a lesson locks what this document would change; says so."""
        return bool(self.locked) and self.refuses(*parts_changed(self.document, document))

    def undo(self) -> None:
        if (edit := self.history.undo(self.cursor_anchor.moment())) is not None:
            self._return(edit.before, edit, "Undone")

    def redo(self) -> None:
        if (edit := self.history.redo(self.cursor_anchor.moment())) is not None:
            self._return(edit.after, edit, "Done again")

    def _return(self, document: Document, edit: Edit, words: str) -> None:
        if edit.filed and edit.left is not None:
            self.path = edit.left.path
        self._swap(document, edit.left)
        self.say(f"{words}: {edit.label}.")

    def open(
        self,
        document: Document,
        path: str | None = None,
        cursor: int = 0,
        saved: bool = True,
        level: Level | None = None,
    ) -> None:
        """Start with another document; undo brings the present one back.

        path: the file of the document, None without one
        cursor: the step to show
        saved: whether the file holds the document as it is
        level: the level in which `cursor` counts; None: whatever the clock's unit records
        """
        if level is not None:
            self._record(level, document)
        moment = self.cursor_anchor.moment()
        self.history.record(
            Edit("open another document", self.document, document, left=moment, filed=True)
        )
        self.path = path
        self.saved = document if saved else None
        self._swap(document, Moment(cursor, self.stop_at), active=0)

    def _record(self, level: Level, document: Document) -> None:
        """Choose the unit in which runs of a document record the steps of `level`, unless the
        present one does: the number of a step would mean another moment.
        """
        try:
            rows = document.of_lane(0).problem().n
        except EngineError:
            return
        if pace_of(self.unit, rows).level is not level:
            self.set_unit(level)

    @property
    def unsaved(self) -> bool:
        return self.document is not self.saved and self.document != self.saved

    def choose(self, key: str, within: Document | None = None, **params: Any) -> None:
        """Put algorithm `key` in the active lane.

        It gets the parameters that it last had in this document, or else its defaults. An empty
        plane becomes one of the kind that the algorithm needs.

        within: make the change in this document instead of the present one, as one edit
        params: parameters that differ from the defaults, in place of those that it last had
        """
        chosen = algorithm(key)
        document = self.document if within is None else within
        known = chosen.params(**params) if params else as_before(document.of_lane(self.active), key)
        document = document.with_lane(self.active, key=key, params=known)
        document = document.in_lane(
            self.active, lambda seen: replace(seen, data=taken_by(seen.data, chosen.needs))
        )
        if len(document.lanes) > 1:  # the others stay where they are
            self.set_lanes(document, f"choose {chosen.title}", self.active)
        else:
            self.begin(document, f"choose {chosen.title}")

    def begin(self, document: Document, label: str, nth: tuple[Level, int] | None = None) -> None:
        """Make an edit after which another run is shown from its first step.

        Undo goes back to the step that was shown. With several lanes the clock stays where it is,
        unless the split changes or `nth` is given.

        nth: (level, n), show the nth moment of that level, from 0, in place of the first step
        """
        if self._locks(document):
            return
        if len(document.lanes) > 1 and nth is None and document.split is self.document.split:
            self.set_lanes(document, label, self.active)
            return
        self.history.record(Edit(label, self.document, document, left=self.cursor_anchor.moment()))
        here = min(self.active, len(document.lanes) - 1)
        same = document.lanes[here].key == self.lane.key
        self._swap(document, Moment(stop_at=self.stop_at if same else frozenset(), nth=nth))

    def set_params(self, merge: str | None = None, **values: Any) -> None:
        """Change parameters of the active lane, or raise EngineError and change nothing."""
        names = ", ".join(name.replace("_", " ") for name in values)
        self.edit(self.document.with_params(self.active, **values), f"change {names}", merge)

    def paint(self, name: str, values: tuple[float, ...], stroke: int) -> None:
        """Set parameter `name` to values painted by hand, and show the end of the run.

        A stroke undoes as one edit. A refusal goes to the message line.
        """
        try:
            self.set_params(f"paint {name} {stroke}", **{name: values})
        except EngineError as sentence:
            self.say(str(sentence), "error")
            return
        self.seek(END)

    def set_seed(self, seed: int, place: int | None = None) -> None:
        """Set the seed of the active lane, or of the lane at `place`."""
        self.edit(
            self.document.with_lane(self.active if place is None else place, seed=seed),
            "change the seed",
        )

    def set_lanes(self, document: Document, label: str, active: int) -> None:
        """Make an edit of the lanes, after which lane `active` is active; the clock stays."""
        if self._locks(document):
            return
        self.history.record(Edit(label, self.document, document))
        self._swap(document, active=active)

    @property
    def events(self) -> tuple[str, ...]:
        """The events at which playing can stop: of several lanes, then of the active lane."""
        return (*(LANE_EVENTS if len(self.document.lanes) > 1 else ()), *self.algorithm.events)

    def compare(self, place: int, other: int) -> None:
        """Show the difference of two lanes, in the lane at `place`; none for equal places."""
        document = compare(self.document, place, other)
        if document != self.document:
            self.set_lanes(
                document, "compare two lanes" if place != other else "compare no lanes", self.active
            )

    def go_to_difference(self) -> None:
        """Go to the first step at which the runs of the compared lanes differ, in both lanes."""
        pair, first = self.lane_comparison.pair, self.lane_comparison.first
        if pair is None or first is None:
            return
        self.player.pause()
        level = min(
            view.trace.levels[at]
            for view, at in zip(pair, first.at, strict=True)
            if view.trace is not None
        )
        if level < self.unit:
            self.set_unit(level)
        if self.together is not SyncMode.UNITS:
            self.set_together(SyncMode.UNITS)
        if self.lead not in pair:
            self.let_lead(pair[1])
        self.seek(first.at[pair.index(self.lead)])

    def place_probe(self, place: tuple[float, float] | None, merge: str | None = None) -> None:
        """Put the probe on the plane; None takes it away."""
        self.edit(replace(self.document, probe=place), "place the probe", merge)
        self.announce(Change.POINTER)

    # -- time --------------------------------------------------------------------------------------

    def seek(self, index: int) -> None:
        """Show step `index` of the lead, see `Clock.seek`.

        While the person predicts, it goes no further than the last step that was seen.
        """
        if self.refuses("timeline"):
            return
        self.cursor_anchor.leave()
        if index > self.predicting.fence:
            self.say(FIRST)
        self.clock.seek(min(index, self.predicting.fence))

    def go_to(self, index: int) -> None:
        """Pause, make the active lane the lead and show its step `index`."""
        self.player.pause()
        self.let_lead(self.lane_view)
        self.seek(index)

    def go_to_mark(self, way: int) -> None:
        """Go to the next (+1) or previous (−1) step that a mark of the figures stands for."""
        marked = self.lane_view.marked
        ahead = [step for step in marked if (step - self.cursor) * way > 0]
        if ahead:
            self.go_to(min(ahead) if way > 0 else max(ahead))
        elif not marked:
            self.say("No mark of these figures stands for a step.")

    def next(self, unit: Level | None = None) -> None:
        index = self.neighbour(+1, unit)
        (self.predicting.push if index > self.predicting.fence else partial(self.seek, index))()

    def previous(self, unit: Level | None = None) -> None:
        self.seek(self.neighbour(-1, unit))

    def neighbour(self, way: int, unit: Level | None = None) -> int:
        """The index of the step after (+1) or before (−1) the shown one; unit None: the clock's."""
        return self.clock.neighbour(way, self.unit if unit is None else unit)

    def set_unit(self, unit: Level) -> None:
        """Count time in details, steps or rounds; the shown moment stays."""
        before = self.pace()
        self.unit = unit
        for view in self.lane_views:
            view.unit = unit
        if self.pace() != before and self.lead.trace is not None:
            level = max(before.level, self.pace().level)
            passed = (
                int(np.searchsorted(self.lead.trace.indices(level), self.lead.cursor, side="right"))
                - 1
            )
            self.cursor_anchor.leave()
            self._restart(0, nth=(level, passed))
        self.clock.follow_lead()
        self.find_lead()
        self.cursor_anchor.hush()  # its sentence counts in the previous unit
        self._announce_time()

    def set_together(self, together: SyncMode) -> None:
        """Choose what counts as the same time in all lanes; the lead stays where it is.

        `SyncMode.ENDS` is refused while the person predicts, since the ends are covered.
        """
        if together is SyncMode.ENDS and self.predicting.on:
            self.say(ENDS_COVERED)
            self.announce(Change.SETTINGS)  # the menu ticks the old entry again
            return
        self.together = together
        self.clock.follow_lead()
        self.clock.work()
        self._announce_time()

    def _announce_time(self) -> None:
        """Say that time is counted in another way."""
        with self.at_once():
            for view in self.lane_views:
                view.announce(Change.UNIT)
            self.announce(Change.SETTINGS)

    def set_settings(self, **values: Any) -> None:
        """Set tool, current_class, speed or stop_at: not in the document, and never undone."""
        for name, value in values.items():
            setattr(self, name, value)
        self.pass_on_speed()
        self.announce(Change.SETTINGS | Change.TOOL if "tool" in values else Change.SETTINGS)

    # -- messages and the end ----------------------------------------------------------------------

    def offer(
        self, sentence: str, words: str, effect: Callable[[], object], kind: str = "offer"
    ) -> None:
        """Show a sentence with a button `words` that calls `effect`, until pressed or dismissed."""
        self.offered.emit(sentence, words, effect, kind)

    def close(self) -> None:
        """End the background work; call before the program exits."""
        self.player.pause()
        self.clock.close()
        self.worker.close()
        self.collector.close()

    # -- inside ------------------------------------------------------------------------------------

    def _on_changed(self, changes: Changes) -> None:
        """Let the window paint a new step before the worker takes the interpreter again."""
        if changes.of(self.lane_view) & Change.CURSOR:
            self.worker.give_way()
            self._painted.start()

    def _swap(
        self, document: Document, at: Moment | None = None, active: int | None = None
    ) -> None:
        """Put `document` in force and show its moment `at`; None: the place shown before."""
        before = len(self.document.lanes)
        lanes_edited = active is not None
        self._times = {} if at is not None else self._wanted()
        active = min(self.active if active is None else active, len(document.lanes) - 1)
        self._carry(document.of_lane(active).data)
        self.continuation.follow(self.document, document)
        with self.at_once():
            self.announce(Change.DOCUMENT)
            if len(document.lanes) != before:
                self.announce(Change.LANES)
            turned = lanes_edited or active != self.active
            self.document, self.active = document, active
            self.follow_document()
            if turned:
                self.announce(Change.ACTIVE)
                self.announce(ANOTHER_LANE, self.lane_view)
            if at is not None:
                self.let_lead(self.lane_views[min(at.lead, len(self.lane_views) - 1)])
            elif self.lead not in self.lane_views:
                self.let_lead(self.lane_view)
            at = self.cursor_anchor.follow(at)
            self.stop_at = at.stop_at & frozenset(self.events)
            self._renew(at.cursor, at.nth)
        self.clock.work()

    def activate(self, place: int) -> None:
        """Make the lane at `place` the active one.

        Selected rows stay selected where the table of that lane has the same points.
        """
        if not 0 <= place < len(self.lane_views):
            return
        with self.at_once():
            selected = self.pointer.selected
            self._carry(self.document.of_lane(place).data)
            super().activate(place)
            if self.pointer.selected != selected:
                self.announce(Change.SELECTION)

    def _carry(self, data: Dataset) -> None:
        """Carry the selection and the current class over to the table that is edited next.

        The current class may be one past the last, to begin a new class, but only in the same data.
        """
        beyond = len(data.classes) + (data.name == self.data.name)
        self.current_class = min(self.current_class, max(0, beyond - 1))
        self.pointer.carry(self.data, data)

    def pace(self) -> Pace:
        return pace_of(self.unit, self.problem.n if self.problem is not None else 0)

    def _restart(self, position: int, nth: tuple[Level, int] | None = None) -> None:
        """Start new runs with the same seeds; runs whose lane and examples are unchanged go on.

        position: the step that new runs show, where it exists
        nth: the moment to show in its place, see `begin`
        """
        with self.at_once():
            self._renew(position, nth)
        self.clock.work()

    def _renew(self, position: int, nth: tuple[Level, int] | None) -> None:
        before = list(self._runs)
        times = self._times if self._times is not None else self._wanted()
        self._times = None
        self._shared = self._problem_of(self.document)
        for view in self.lane_views:
            view.problem, view.error = self._prepare(self.document.of_lane(view.place))
        lead = self.lead
        continuation: dict[LaneView, LaneRun] = {}
        for view in self.lane_views:
            kept = self._kept(view, before)
            view.begin(
                kept or self._start(view), times.get(kept.id, position) if kept else position
            )
            continuation |= {view: kept} if kept else {}
        for run in before:
            run.cancel()
        self.surfaces.forget({run.id for run in before})
        self.clock.forget()
        self.find_lead(lead if lead in continuation else next(iter(continuation), None))
        self.clock.catch_up(nth)
        self._runs = [view.run for view in self.lane_views if view.run is not None]
        for view in self.lane_views:
            view.announce(Change.RUN | Change.CURSOR)

    def _wanted(self) -> dict[int, int]:
        """The wanted step of each run, by run id."""
        return {view.run.id: view.wanted for view in self.lane_views if view.run is not None}

    def _problem_of(self, document: Document) -> Problem | None:
        return self._prepare(document)[0]

    def _prepare(self, document: Document) -> tuple[Problem | None, str]:
        return self._prepared.of(
            document, [self._shared, *(view.problem for view in self.lane_views)]
        )

    def _kept(self, view: LaneView, before: list[LaneRun]) -> LaneRun | None:
        """The run in `before` that this lane can keep, taken out of the list; None without one."""
        lane = self.continuation.lane(view.lane)
        for k, run in enumerate(before):
            if run.trace.problem is view.problem and run.lane == lane and run.pace == self.pace():
                return before.pop(k)
        return None

    def _start(self, view: LaneView) -> LaneRun | None:
        if view.problem is None:
            return None
        try:
            return LaneRun(
                self.continuation.lane(view.lane),
                view.problem,
                self.pace(),
                self.continuation.states,
                self._shared,
            )
        except EngineError as fault:
            view.error = str(fault)
            return None

    def _on_surface(self, key: Any, result: Any) -> None:
        if self.surfaces.take(key, result):
            for view in self.lane_views:
                if view.run is not None and view.run.id == key[0][0]:
                    view.announce(Change.SURFACE)
