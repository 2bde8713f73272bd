"""What the window is about: the document, its runs and the step that is shown."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from PySide6.QtCore import QTimer, Signal

from engine.core.dataset import Dataset
from engine.core.errors import EngineError
from engine.core.registry import algorithm
from engine.core.step import Level, Pace
from engine.data.own_points import taken_by
from engine.document.document import Document
from engine.document.fitting import fitting
from engine.document.lane_run import LaneRun
from engine.timeline.run import pace_of
from gui.session.garbage import Collector
from gui.session.going_on import GoingOn
from gui.session.kept_step import END, KeptStep
from gui.session.lane_view import LaneView
from gui.session.player import Player
from gui.session.refresh_rate import EVERY, RefreshRate
from gui.session.shown_step import ShownStep
from gui.session.surfaces import Surfaces
from gui.session.undo import Edit, History, Moment
from gui.session.workers import Worker

AHEAD = 10_000
LATE = 100  # milliseconds after which the place of a step is marked that has to be replayed
AT_ONCE = 0.016  # with what painting takes, a drag still makes thirty updates a second


class Session(ShownStep):
    """All the window's parts talk to this object and listen to it; they do not talk to each other. Beside the signals of
    the shown step:

    offered: (sentence, words, effect, kind), for the message line, see `offer`
    """

    offered = Signal(str, str, object, str)
    _grew = Signal(int)
    _surfaced = Signal(object, object)

    def __init__(self, document: Document) -> None:
        self.worker = Worker(lambda run: self._grew.emit(run), lambda *found: self._surfaced.emit(*found))
        super().__init__(document, Surfaces(self.worker))
        self._grew.connect(self._on_grew)
        self._surfaced.connect(self._on_surface)
        self.collector = Collector(self, lambda: self.player.playing)
        self._painted = QTimer(self, singleShot=True, interval=0, timeout=self.worker.go_on)  # type: ignore[call-arg]
        self.cursor_moved.connect(self.worker.give_way)
        self.cursor_moved.connect(self._painted.start)
        self.history = History()
        self.kept_step = KeptStep(self)
        self.player = Player(self, self.seek, self.kept_step.hush)
        self.is_playing = lambda: self.player.playing
        self.going_on = GoingOn(self, self.begin)
        self.tweak_begun.connect(self.player.pause)
        self.tweaked.connect(self.going_on.tweak)
        self.painted.connect(self.paint)
        self.edit_wanted.connect(self.edit)
        self.saved: Document | None = document
        self._refresh_rate = RefreshRate(self._painted)
        self._later = QTimer(self, singleShot=True, interval=round(1000 * EVERY))
        self._later.timeout.connect(lambda: self._on_grew(self.lane_run.id) if self.lane_run else None)
        self._waited = QTimer(self, singleShot=True, interval=LATE)
        self._waited.timeout.connect(lambda: self._set_late(True))
        self.current_class = 0
        self._restart(0)

    @property
    def tool(self) -> str:
        """In hand; see `set_settings`."""
        return self.pointer.tool

    @tool.setter
    def tool(self, key: str) -> None:
        self.pointer.tool = key

    # -- editing ---------------------------------------------------------------------------------------------------

    def edit(self, document: Document, label: str, merge: str | None = None) -> None:
        """Put `document` in force; edits with the same `merge` key in a row undo as one."""
        if document == self.document:
            return
        before, (document, emptied) = self.document, fitting(self.document, document)
        self.history.record(Edit(label, before, document, merge))
        if not len(before.data):
            self.kept_step.begin()
        self._swap(document)
        if first := emptied or self.going_on.ended(before):
            self.say(first)
        elif not self.going_on.lost:
            self.kept_step.tell(before)

    def undo(self) -> None:
        if (edit := self.history.undo(self.kept_step.moment())) is not None:
            self._return(edit.before, edit, "Undone")

    def redo(self) -> None:
        if (edit := self.history.redo(self.kept_step.moment())) is not None:
            self._return(edit.after, edit, "Done again")

    def _return(self, document: Document, edit: Edit, words: str) -> None:
        if edit.filed and edit.left is not None:
            self.path = edit.left.path
        self._swap(document, edit.left)
        self.say(f"{words}: {edit.label}.")

    def open(self, document: Document, path: str | None = None, cursor: int = 0, saved: bool = True) -> None:
        """Start with another document; the present one can be brought back with undo. saved: it is on the disk so."""
        moment = self.kept_step.moment()
        self.history.record(Edit("open another document", self.document, document, left=moment, filed=True))
        self.path, self.saved, self.active = path, document if saved else None, 0
        self._swap(document, Moment(cursor, self.stop_at))

    @property
    def unsaved(self) -> bool:
        return self.document is not self.saved and self.document != self.saved

    def choose(self, key: str, within: Document | None = None, **params: Any) -> None:
        """Another algorithm in the shown lane, with its default parameters; an empty plane takes what it needs; within: in
        another document, as one edit."""
        chosen = algorithm(key)
        document = self.document if within is None else within
        document = document.with_lane(self.active, key=key, params=chosen.params(**params))
        document = replace(document, data=taken_by(document.data, chosen.needs))
        self.begin(document, f"choose {chosen.title}")

    def begin(self, document: Document, label: str, nth: tuple[Level, int] | None = None) -> None:
        """An edit after which another run is shown from its first step, or its nth moment of a level; undo goes back to the
        step that was shown."""
        self.history.record(Edit(label, self.document, document, left=self.kept_step.moment()))
        same = document.lanes[self.active].key == self.lane.key
        self._swap(document, Moment(stop_at=self.stop_at if same else frozenset(), nth=nth))

    def set_params(self, merge: str | None = None, **values: Any) -> None:
        """Change parameters of the shown lane; raises EngineError and changes nothing when they do not fit."""
        names = ", ".join(name.replace("_", " ") for name in values)
        self.edit(self.document.with_params(self.active, **values), f"change {names}", merge)

    def paint(self, name: str, values: tuple[float, ...], stroke: int) -> None:
        """A parameter painted by hand; a stroke undoes as one, and what comes of it is shown at once."""
        try:
            self.set_params(f"paint {name} {stroke}", **{name: values})
        except EngineError as sentence:
            self.say(str(sentence), "error")
            return
        self.seek(END)

    def set_seed(self, seed: int) -> None:
        self.edit(self.document.with_lane(self.active, seed=seed), "change the seed")

    def place_probe(self, place: tuple[float, float] | None, merge: str | None = None) -> None:
        """Put the probe on the plane, or take it away."""
        self.edit(replace(self.document, probe=place), "place the probe", merge)
        self.pointer.moved.emit()

    # -- time ------------------------------------------------------------------------------------------------------

    def seek(self, index: int) -> None:
        """Show step `index`; when it is not recorded yet, the last one, and it as soon as it is; when the recording has
        forgotten it, as soon as it is replayed."""
        trace = self.trace
        if trace is None or not len(trace):
            return
        self.kept_step.leave()
        self.lane_view.wanted = max(0, index)
        self.worker.recall(None)
        self._work()
        self._show(min(self.wanted, len(trace) - 1))

    def next(self, unit: Level | None = None) -> None:
        self.seek(self.neighbour(+1, unit))

    def previous(self, unit: Level | None = None) -> None:
        self.seek(self.neighbour(-1, unit))

    def neighbour(self, way: int, unit: Level | None = None) -> int:
        """The step after (+1) or before (−1) the shown one in `unit` (default: the chosen one)."""
        if self.trace is None:
            return 0
        indices = self.trace.indices(self.unit if unit is None else unit)
        place = (bisect_right if way > 0 else bisect_left)(indices, self.cursor)
        found = place if way > 0 else place - 1
        if 0 <= found < len(indices):
            return int(indices[found])
        return 0 if way < 0 else (len(self.trace) - 1 if self.finished else len(self.trace))

    def set_unit(self, unit: Level) -> None:
        """Count time in details, steps or rounds; the shown moment stays."""
        before, self.unit = self._pace(), unit
        for view in self.lane_views:
            view.unit = unit
        if self._pace() != before and self.trace is not None:
            level = max(before.level, self._pace().level)
            passed = int(np.searchsorted(self.trace.indices(level), self.cursor, side="right")) - 1
            self.kept_step.leave()
            self._restart(0, nth=(level, passed))
        self.kept_step.hush()  # it counts in the unit before
        for view in self.lane_views:
            view.unit_changed.emit()
        self.settings_changed.emit()

    def set_settings(self, **values: Any) -> None:
        """tool, current_class, speed, stop_at: not part of the document, not undone."""
        for name, value in values.items():
            setattr(self, name, value)
        self.settings_changed.emit()
        if "tool" in values:
            self.pointer.tool_taken.emit()

    # -- small talk ------------------------------------------------------------------------------------------------

    def offer(self, sentence: str, words: str, effect: Callable[[], object], kind: str = "offer") -> None:
        """A sentence with a button that says `words` and does `effect`; stays until that or until it is dismissed."""
        self.offered.emit(sentence, words, effect, kind)

    def close(self) -> None:
        """End the background work; call before the program exits."""
        self.player.pause()
        self._later.stop()
        self._waited.stop()
        self.worker.close()
        self.collector.close()

    # -- inside ----------------------------------------------------------------------------------------------------

    def _swap(self, document: Document, at: Moment | None = None) -> None:
        """Put `document` in force at a moment of its own, None: where the one before it stands."""
        self._keep_class(document.data)
        self.going_on.follow(self.document, document)
        self.document = document
        self.active = min(self.active, len(document.lanes) - 1)
        self.follow_document()
        at = self.kept_step.follow(at)
        self.stop_at = at.stop_at & frozenset(self.algorithm.events)
        self._restart(at.cursor, at.nth)
        self.document_changed.emit()

    def _keep_class(self, data: Dataset) -> None:
        """One past the last class begins a new one, but not in other data."""
        beyond = len(data.classes) + (data.name == self.document.data.name)
        self.current_class = min(self.current_class, max(0, beyond - 1))

    def _pace(self) -> Pace:
        return pace_of(self.unit, self.problem.n if self.problem is not None else 0)

    def _restart(self, position: int, nth: tuple[Level, int] | None = None) -> None:
        """New runs with the same seeds, at the same step where it exists."""
        problem, error = None, ""
        try:
            problem = self.document.problem()
        except EngineError as fault:
            error = str(fault)
        for view in self.lane_views:
            view.problem, view.error = problem, error
        for view in self.lane_views:
            view.begin(self._start(view), position)
        self.worker.recall(None)
        self._set_late(False)
        self._catch_up(nth)
        for view in self.lane_views:
            view.run_changed.emit()
            view.cursor_moved.emit()
        self._work()

    def _start(self, view: LaneView) -> LaneRun | None:
        if view.problem is None:
            return None
        try:
            return LaneRun(self.going_on.lane(view.lane), view.problem, self._pace(), self.going_on.states)
        except EngineError as fault:
            view.error = str(fault)
            return None

    def _catch_up(self, nth: tuple[Level, int] | None) -> None:
        """Record what fits into a moment, so that a small run follows a drag without a flicker."""
        view, shown = self.lane_view, self.lane_run
        if shown is None:
            return
        shown.advance(AT_ONCE, min(self.wanted, AHEAD) + 1)
        if self.going_on.gave_up(shown):
            view.run = shown = self._start(view) or shown
            shown.advance(AT_ONCE, min(self.wanted, AHEAD) + 1)
        view.error = shown.error or view.error
        self.going_on.wait_for(shown)
        if nth is not None and len(shown.trace):
            while not shown.over and len(shown.trace.indices(nth[0])) <= nth[1] and len(shown.trace) < AHEAD:
                shown.advance(AT_ONCE, AHEAD)
            indices = shown.trace.indices(nth[0])
            view.wanted = int(indices[min(nth[1], len(indices) - 1)]) if len(indices) else 0
        self._show(max(0, min(view.wanted, len(shown.trace) - 1)), False)

    def _work(self) -> None:
        ahead = max(self.cursor, min(self.wanted, 10 * AHEAD)) + AHEAD
        self.worker.work_on([(view.run, ahead) for view in self.lane_views if view.run is not None])

    def _show(self, index: int, tell: bool = True) -> None:
        """Step `index`, or what was shown until it is replayed: that is never done here, where the window waits."""
        run = self.lane_run
        if run is None or not len(run.trace):
            return
        if not run.trace.pin(index):
            self.worker.recall(run, index)
            if not (self.lane_view.late or self._waited.isActive()):
                self._waited.start()
            return
        moved, self.lane_view.cursor = index != self.cursor, index
        self._set_late(False)
        if moved and tell:
            self.lane_view.cursor_moved.emit()

    def _set_late(self, late: bool) -> None:
        self._waited.stop()
        if late != self.lane_view.late:
            self.lane_view.late = late
            self.lane_view.late_changed.emit()

    def _on_grew(self, run_id: int) -> None:
        view, shown = self.lane_view, self.lane_run
        if shown is None or shown.id != run_id:
            return
        if self.going_on.gave_up(shown):
            self._restart(self.wanted)
            return
        if shown.error and shown.error != self.error:
            view.error = shown.error
            view.run_changed.emit()
        last, waits = len(shown.trace) - 1, self.wanted != self.cursor
        there = waits and self.wanted <= last and shown.trace.holds(self.wanted)
        if not (shown.over or there or self._refresh_rate.due()):
            self._later.start()
            return
        self._refresh_rate.begin()
        if waits and last >= 0:
            self._show(min(self.wanted, last))
            if shown.over and (self.cursor == min(self.wanted, last) or shown.error):
                view.wanted = view.cursor
                view.surface_ready.emit()  # nothing moves any more: the surface may be refined
        view.run_grew.emit()

    def _on_surface(self, key: Any, result: Any) -> None:
        if self.surfaces.take(key, result):
            for view in self.lane_views:
                view.surface_ready.emit()
