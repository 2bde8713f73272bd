"""Runs that go on from a step of an earlier run, with a weight set by hand or other parameters."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QTimer

from engine.base.errors import EngineError
from engine.base.records import replace
from engine.document.document import Document
from engine.document.lane import Lane
from engine.document.lane_run import LaneRun
from engine.protocol.step import Level
from engine.runs.start import Change, Start, changed
from gui.session.playhead import Playhead

if TYPE_CHECKING:
    from engine.fit.learners import Model

TWEAKED = (
    "Weight set by hand: a new run goes on from here. Ctrl+Z goes back; Run > Start anew begins at"
    " the beginning."
)
WENT_ON = (
    "A new run goes on from this step. Choose other parameters for it now{restart}. "
    "Ctrl+Z goes back; Run > Start anew begins at the beginning."
)
ROUND_RESTARTS = "; its round may then begin anew"
ENDED = (
    "The run begins at its own beginning: the model that it had gone on from belonged to what was"
    " there before."
)
FROM_BEGINNING = "The run begins at its own beginning again."
INSTEAD = "The run begins at its own beginning instead."
LEARNT_FROM = ("data", "transforms", "plane", "split")
OPENED = (
    "The run of the experiment stands by itself now; the rows that it has not seen are held out."
    " Ctrl+Z goes back."
)
KEPT = 16  # states


class Continuation:
    """Begins runs at the shown step; where a run begins is a field of its lane, see `Lane.start`.

    states: the state at each start on the present data, so that moving a slider does not replay the
        earlier run each time
    lost: starts that the present document cannot reach
    """

    def __init__(self, shown: Playhead, begin: Callable[[Document, str], None]) -> None:
        """begin: makes an edit that shows another run, see `Session.begin`."""
        self._shown, self._begin_run = shown, begin
        self.states: dict[Start, Any] = {}
        self.lost: set[Start] = set()

    @property
    def possible(self) -> bool:
        """Whether a run can begin with the shown state."""
        return self._shown.step is not None and self._shown.algorithm.resume is not None

    @property
    def model(self) -> "Model | None":
        """The model that the shown step of an experiment has fitted in a run; None without one."""
        step = self._shown.step
        if getattr(step and step.state, "model", None) is None:
            return None
        from engine.document.opening import shown_model

        return None if step is None else shown_model(step.state)

    def open_run(self) -> None:
        """Replace the experiment in the active lane by the run of that model.

        It learns from the same rows; all others are held out.
        """
        from engine.document.opening import opened

        shown, model = self._shown, self.model
        if model is not None and shown.problem is not None:
            self._begin_run(
                opened(shown.document, shown.active, shown.problem, model),
                "open a run of the experiment",
            )
            shown.say(OPENED)

    @property
    def went_on(self) -> bool:
        """Whether the active lane begins at a step of another run, or takes another branch."""
        return self._shown.lane.start is not None or bool(self._shown.lane.branches)

    @property
    def round_note(self) -> str:
        """Half a sentence for the message that the round may begin again with other parameters; ""
        at the end of a round.
        """
        shown = self._shown
        within = (
            shown.trace is not None
            and shown.step is not None
            and shown.trace.levels[shown.cursor] < Level.ROUND
        )
        return ROUND_RESTARTS if within else ""

    def tweak(self, where: tuple[int, ...], value: float) -> None:
        """Begin a run at the shown state, with the number at place `where` set by hand."""
        if self._shown.lane_view.tweakable:
            self._begin("set a weight by hand", TWEAKED, (where, value))

    def from_here(self) -> None:
        """Begin a run at the shown state; parameters that change from now on apply from there."""
        self._begin("go on from this step", WENT_ON.format(restart=self.round_note))

    def start_here(self) -> tuple[Start, str]:
        """The start of a run that goes on from the shown step, and what that step is called.

        Raises EngineError where no run can begin there.
        """
        shown = self._shown
        if shown.trace is None or shown.step is None:
            raise EngineError(shown.error or "There is no step to go on from.")
        start = replace(shown.trace.start_at(shown.cursor), own=shown.lane.data is not None)
        self.states = dict([*list(self.states.items()), (start, shown.step.state)][-KEPT:])
        return start, f"{shown.lane_view.unit.name.lower()} {shown.number:,}"

    def _begin(self, label: str, sentence: str, change: Change | None = None) -> None:
        shown = self._shown
        trace, step = shown.trace, shown.step
        if trace is None or step is None or not self.possible:
            return
        try:
            start = replace(trace.start_at(shown.cursor, change), own=shown.lane.data is not None)
            state = changed(trace.algorithm, trace.given, step.state, change)
        except EngineError as refused:
            shown.say(str(refused), "error")
            return
        # a copy: the worker may add to the dict meanwhile
        self.states = dict([*list(self.states.items()), (start, state)][-KEPT:])
        self._begin_run(shown.document.with_lane(shown.active, start=start, branches=()), label)
        shown.say(sentence)

    def restart(self) -> None:
        """Start the active lane again from its own beginning."""
        shown = self._shown
        if self.went_on:
            self._begin_run(
                shown.document.with_lane(shown.active, start=None, branches=()), "start anew"
            )
            shown.say(FROM_BEGINNING)  # replaces the sentence that it goes on from elsewhere

    def lane(self, lane: Lane) -> Lane:
        """The lane as it can be run: without a start that is lost."""
        return replace(lane, start=None) if lane.start in self.lost else lane

    def gave_up(self, run: LaneRun) -> bool:
        """Whether a run cannot begin where its lane says; then note its start as lost and say why.

        The next run begins at its own beginning. The lane keeps its start: other parameters or
        points, or undo, may make it reachable again.
        """
        if not run.lost or run.lane.start is None:
            return False
        self.lost.add(run.lane.start)
        QTimer.singleShot(0, self._shown, lambda: self._shown.say(f"{run.error} {INSTEAD}"))
        return True

    def wait_for(self, run: LaneRun) -> None:
        """Say in the message line why a run has no step yet, where the earlier run is still being
        replayed.
        """
        start = run.lane.start
        if start is not None and start not in self.states and not len(run.trace) and not run.over:
            sentence = (
                f"The run before is followed to its {start.place} first: there this one begins."
            )
            QTimer.singleShot(0, self._shown, lambda: self._shown.say(sentence))

    def ended(self, before: Document) -> str:
        """A sentence where an edit of `before` has removed the start of a lane, else "".

        Using another table does so, for example.
        """
        lanes = zip(before.lanes, self._shown.document.lanes, strict=False)
        return (
            ENDED if any(old.start is not None and new.start is None for old, new in lanes) else ""
        )

    def follow(self, before: Document, after: Document) -> None:
        """Prepare for another document: try lost starts again, and drop states of other data."""
        self.lost.clear()
        # whether other rows are learnt from
        others = before.most != after.most and len(after.data) > min(before.most, after.most)
        if others or any(getattr(before, name) is not getattr(after, name) for name in LEARNT_FROM):
            self.states = {}
        elif [lane.data for lane in before.lanes] != [lane.data for lane in after.lanes]:
            self.states = {start: state for start, state in [*self.states.items()] if not start.own}
