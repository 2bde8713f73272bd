"""One lane as it is shown: its run, the shown step with its picture, its surfaces and answers."""

from bisect import bisect_right
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from PySide6.QtCore import QObject

from engine.base.arrays import Float
from engine.base.records import replace
from engine.document.document import MAX_LANES, Document
from engine.document.edits import move_points, shown
from engine.document.lane import Lane
from engine.document.lane_run import LaneRun
from engine.protocol.algorithm import Algorithm, Explanation
from engine.protocol.step import Level, Step
from engine.runs.trace import Trace
from engine.scene.differences import SURFACES
from engine.scene.layers import Layer
from engine.scene.scene import Scene
from engine.table.dataset import Dataset
from engine.table.problem import Problem
from gui.session.changes import Change
from gui.session.hidden_marks import HiddenMarks
from gui.session.playback_budget import PLANE, WHOLE, PlaybackBudget
from gui.session.pointer import Pointer
from gui.session.surfaces import Surfaces

END = 1 << 60  # stands for the last step of a run, wherever that is

if TYPE_CHECKING:
    from engine.judge.moved_point import PointFlip
    from engine.judge.nearest_flip import Flip
    from engine.judge.questions import Question
    from engine.lessons.overlays import Overlay


class DifferenceOverlay(Protocol):
    """The interface of what draws the difference from another lane: `LaneComparison`."""

    def raster(
        self, name: str, x: tuple[float, float], y: tuple[float, float], dragged: bool
    ) -> Float | None: ...
    def with_difference(self, layers: tuple[Layer, ...]) -> tuple[Layer, ...]: ...


class LaneView:
    """What the panels of a lane read.

    The session makes one for each lane, keeps it up to date and moves its cursor.

    place: of the lane in the document
    problem: what the lane learns from; None where its table cannot be prepared
    run: None where the algorithm cannot take the data; `error` says why
    siblings: the views of all lanes, this one too
    cursor: the step that is shown
    wanted: the step that shall be shown, which may not be recorded yet
    begun: whether a step of the run has been shown
    unit: the level that the clock counts in
    marks: which marks of the plane are hidden
    pointer: shared by all lanes
    playing: says whether the clock runs
    beside: draws the difference from another lane in this one; None without one
    playback_budget: says when the panels beside the plane show the step
    overdue: whether the wait for the wanted step is so long that its place is marked
    veiled: whether what comes after the shown step is covered
    ahead: the words over the part of the timeline that a lesson covers; "" where it covers none
    covered: whether nothing of this lane is shown, because it begins later
    question: the question whose answer the picture leaves out
    regions_veiled: whether the surfaces are not painted, because they would give the answer away
    hidden: what a page of a lesson hides
    overlay: what a task of a lesson draws over the picture, None for nothing
    coming: what a prepared change would bring, on the plane
    """

    def __init__(
        self,
        document: Document,
        place: int,
        pointer: Pointer,
        surfaces: Surfaces,
        playing: Callable[[], bool],
        announce: "Callable[[Change, LaneView], None]",
        owner: QObject | None = None,
    ) -> None:
        """place: of the lane in the document
        playing: whether the clock runs
        announce: says to the window what changed in a lane
        owner: the timers of the lane end with this object
        """
        self.document, self.place = document, place
        self.siblings: list[LaneView] = [self]
        self.pointer, self.surfaces, self.playing = pointer, surfaces, playing
        self._announce = announce
        self.problem: Problem | None = None
        self.run: LaneRun | None = None
        self.error = ""
        self.cursor = self.wanted = 0
        self.begun = False
        self.question: Question | None = None
        self.ahead = ""
        self.overdue = self.veiled = self.covered = self.regions_veiled = False
        self.hidden: frozenset[str] = frozenset()
        self.overlay: Overlay | None = None
        self.coming: tuple[Layer, ...] = ()
        self.unit = Level.STEP
        self.playback_budget = PlaybackBudget(
            playing, self.announce, PLANE + place * WHOLE // MAX_LANES, owner
        )
        self.marks = HiddenMarks(self, partial(self.announce, Change.MARKS))
        self._scene: tuple[Any, Scene] | None = None
        self._overlaid: tuple[Any, Scene] | None = None
        self.beside: DifferenceOverlay | None = None

    def announce(self, what: Change) -> None:
        """Say to the window what changed in this lane."""
        self._announce(what, self)

    def begin(self, run: LaneRun | None, wanted: int) -> None:
        """Show another run from its first step, and step `wanted` as soon as it is recorded."""
        self.run = run
        self.cursor = 0
        self.wanted = wanted
        self.begun = False

    def show_coming(self, layers: tuple[Layer, ...]) -> None:
        """Show on the plane what a prepared change would bring; () for nothing."""
        if layers is not self.coming:
            self.coming = layers
            self.announce(Change.POINTER)

    @property
    def pending(self) -> bool:
        """Whether the wanted step, or the first one, is still to be shown."""
        return self.wanted != self.cursor or not self.begun

    @property
    def lane(self) -> Lane:
        return self.document.lanes[self.place]

    @property
    def data(self) -> Dataset:
        """The table that the lane learns from: one of its own, or that of the document."""
        return self.document.of_lane(self.place).data

    @property
    def algorithm(self) -> Algorithm[Any, Any]:
        return self.lane.algorithm

    @property
    def trace(self) -> Trace | None:
        """The recorded run; None when the algorithm cannot take the data (see `error`)."""
        return self.run.trace if self.run is not None else None

    @property
    def step(self) -> Step[Any] | None:
        """The shown step; None where no step is recorded or the lane is covered."""
        trace = self.trace  # looked up once: this property is read dozens of times per step
        return trace[self.cursor] if trace is not None and len(trace) and not self.covered else None

    @property
    def worded(self) -> Step[Any] | None:
        """The shown step without the words that a page of a lesson hides."""
        step = self.step
        if step is None or not self.hidden:
            return step
        from engine.lessons.hiding import worded

        return worded(step, self.hidden)

    @property
    def number(self) -> int:
        """The number of the shown step in the clock's unit, from 0; between two units that of the
        earlier one.
        """
        return self.number_of(self.cursor)

    def number_of(self, index: int) -> int:
        return (
            0
            if self.trace is None
            else max(0, bisect_right(self.trace.indices(self.unit), index) - 1)
        )

    @property
    def units(self) -> int:
        """The number of units of the clock that are recorded; −1 without a run."""
        return -1 if self.trace is None else len(self.trace.indices(self.unit))

    @property
    def finished(self) -> bool:
        return self.run is None or self.run.over

    @property
    def to_come(self) -> str:
        """The wanted step in words where the run is on its way there: 'its end' or 'a later step';
        "" where the wanted step is shown, or is the next one.
        """
        if self.run is None or self.finished or self.wanted <= self.cursor + 1:
            return ""
        return "its end" if self.wanted >= END else "a later step"

    @property
    def at_end(self) -> bool:
        """Whether the run has ended and its last step is shown."""
        return self.trace is not None and self.finished and self.cursor == len(self.trace) - 1

    @property
    def end_word(self) -> str:
        """How the run is over where its last step is shown: "stopped" where rounds went by and none
        of them converged, else "ended"; "" before.
        """
        if not self.at_end or self.trace is None:
            return ""
        rounds = "converged" in self.trace.algorithm.events and self.trace.when("round")
        return "stopped" if rounds and not self.trace.when("converged") else "ended"

    @property
    def tweakable(self) -> bool:
        """Whether a run can begin with the shown state and one of its numbers changed by hand."""
        return (
            self.step is not None
            and self.algorithm.resume is not None
            and self.algorithm.tweak is not None
        )

    @property
    def scene(self) -> Scene:
        """The picture of the shown step, with what a task of a lesson draws over it."""
        own, overlay = self.own_scene, self.overlay
        if overlay is None:
            return own
        if self._overlaid is None or self._overlaid[0] != (own, overlay):
            from engine.lessons.overlays import overlaid

            self._overlaid = (own, overlay), overlaid(own, overlay)
        return self._overlaid[1]

    @property
    def own_scene(self) -> Scene:
        """The picture of the shown step, with what it predicts for the held-out rows.

        Made once per step; made again when the worker has judged a step nearer to it, or the
        question changes.
        """
        run, step = self.run, self.step
        if run is None or step is None:
            return Scene()
        answers = run.judging.says(self.cursor)
        judged = -1 if answers is None else answers[0]
        key = (run.id, self.cursor, judged, self.question, self.hidden)
        if self._scene is None or self._scene[0] != key:
            own = run.trace.algorithm.scene(run.trace.given, step)
            if answers is not None:
                from engine.judge.held_out_figures import held_out_figures

                own = replace(
                    own,
                    figures=(*own.figures, *held_out_figures(run.judging, self.cursor, answers)),
                )
            if self.question is not None:
                from engine.judge.questions import covered

                own = covered(own, self.question)
            if self.hidden:
                from engine.lessons.hiding import hidden_scene

                own = hidden_scene(own, self.hidden, self.problem)
            self._scene = (key, own)
        return self._scene[1]

    @property
    def marked(self) -> list[int]:
        """The recorded steps that marks of the figures stand for, ascending."""
        parts = [
            part
            for figure in self.scene.figures
            for part in (figure, *getattr(figure, "layers", ()))
        ]
        tags = {tag for part in parts for tag in getattr(part, "tags", ())}
        found = {None if self.trace is None else self.trace.named(tag) for tag in tags}
        return sorted(step for step in found if step is not None)

    def with_difference(self, layers: tuple[Layer, ...]) -> tuple[Layer, ...]:
        """The layers of the plane, with the difference from another lane where it is shown."""
        return layers if self.beside is None else self.beside.with_difference(layers)

    @property
    def covers_ahead(self) -> bool:
        """Whether the timeline shows the run up to the shown step only."""
        return self.veiled or bool(self.ahead)

    @property
    def _bare(self) -> bool:
        """Whether the surfaces are hidden by a page of a lesson."""
        return "regions" in self.hidden

    @property
    def _silent(self) -> bool:
        """Whether nothing may say which label a place has."""
        return self.veiled or self._bare

    def explanation(self, x: Any) -> Explanation | None:
        """Why the shown model labels the row x (d,) as it does; None where it cannot or may not
        say.
        """
        trace, step = self.trace, self.step
        if trace is None or step is None or trace.algorithm.explain is None or self._silent:
            return None
        return trace.algorithm.explain(trace.given, step.state, np.asarray(x, np.float64))

    def flip(self, x: Any) -> "Flip | None":
        """The smallest move on the plane that gives the row x (d,) another label.

        None where there is none, it is not found yet, steps fly by, or the lane is veiled.
        """
        if (
            self.run is None
            or self.step is None
            or self._silent
            or self.playing()
            or self.playback_budget.flying
        ):
            return None
        return self.surfaces.flips.of(
            self.run.id, self.run.trace, self.cursor, x, self.place, still=True
        )

    def point_flip(self, x: Any) -> "PointFlip | None":
        """The smallest move of one training point that gives the row x (d,) another label.

        Only at the end of a run of few points; None elsewhere, and while it is not found.
        """
        problem, trace = self.problem, self.trace
        resting = not (self.playing() or self.playback_budget.flying or self._silent)
        if self.run is None or trace is None or problem is None or not resting or not self.at_end:
            return None
        document = self.document.of_lane(self.place)

        def moving(row: int, place: tuple[float, float]) -> Problem:
            rows = shown(document, problem).rows[[row]]
            return move_points(document, rows, np.array([place])).problem()

        return self.surfaces.flips.of_point(self.run.id, trace, self.cursor, x, self.place, moving)

    def raster(
        self, name: str, x: tuple[float, float], y: tuple[float, float], dragged: bool = False
    ) -> Any:
        """Surface `name` (n, n) of the shown step over the ranges x and y, or None.

        dragged: whether a hand holds the picture, so that no finer raster is computed
        """
        if self.run is None or self.step is None or self.regions_veiled or self._bare:
            return None
        if self.beside is not None and name in SURFACES:
            return self.beside.raster(name, x, y, dragged)
        if name != "class" and name not in self.run.trace.algorithm.fields:
            return None
        still = not (dragged or self.playing() or (self.cursor < self.wanted and not self.finished))
        hurried = (dragged or self.playing()) and len(self.document.lanes) > 2
        return self.surfaces.raster(
            self.run.id, self.run.trace, self.cursor, name, x, y, still, self.place, hurried
        )
