"""Runs that go on from a step of an earlier one: a weight set by hand, or the present step with
other parameters.
"""

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
    "A new run goes on from this step. Choose other parameters for it now{anew}. "
    "Ctrl+Z goes back; Run > Start anew begins at the beginning."
)
ROUND_ANEW = "; its round may then begin anew"
ENDED = (
    "The run begins at its own beginning: the model that it had gone on from belonged to what was"
    " there before."
)
ANEW = "The run begins at its own beginning again."
INSTEAD = "The run begins at its own beginning instead."
LEARNT_FROM = ("data", "transforms", "plane", "split")
OPENED = (
    "The run of the experiment stands by itself now; the rows that it has not seen are held out."
    " Ctrl+Z goes back."
)
KEPT = 16  # states


class Continuation:
    """states: with which runs on the present data begin, so that not every turn of a slider replays
    the run before; lost: starts that cannot be had with the present document. Where a run begins is
    the lane's, see `Lane.start`.
    """

    def __init__(self, shown: Playhead, begin: Callable[[Document, str], None]) -> None:
        """begin: puts a document in force whose shown run is another one, see `Session.begin`."""
        self._shown, self._begin_run = shown, begin
        self.states: dict[Start, Any] = {}
        self.lost: set[Start] = set()

    @property
    def possible(self) -> bool:
        """Whether a run can begin with the shown state."""
        return self._shown.step is not None and self._shown.algorithm.resume is not None

    @property
    def model(self) -> "Model | None":
        """What the shown step of an experiment has learnt, if that is a run of its own."""
        step = self._shown.step
        if getattr(step and step.state, "model", None) is None:
            return None
        from engine.document.opening import shown_model

        return None if step is None else shown_model(step.state)

    def open_run(self) -> None:
        """The run of that model in place of the experiment: its rows learnt from, all others held
        out.
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
        """Whether the shown lane begins with a state of an earlier run, or takes a tie
        otherwise.
        """
        return self._shown.lane.start is not None or bool(self._shown.lane.branches)

    @property
    def round_anew(self) -> str:
        """Within a round: half a sentence that with another setting most methods begin it anew; ""
        at the end of one.
        """
        shown = self._shown
        within = (
            shown.trace is not None
            and shown.step is not None
            and shown.trace.levels[shown.cursor] < Level.ROUND
        )
        return ROUND_ANEW if within else ""

    def tweak(self, where: tuple[int, ...], value: float) -> None:
        """A new run from the shown state with one number set by hand."""
        if self._shown.lane_view.tweakable:
            self._begin("set a weight by hand", TWEAKED, (where, value))

    def from_here(self) -> None:
        """A new run from the shown state; parameters changed from now on take effect from there."""
        self._begin("go on from this step", WENT_ON.format(anew=self.round_anew))

    def start_here(self) -> tuple[Start, str]:
        """Where a run begins that goes on from the shown step, and what that step is called;
        EngineError where none can.
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
        # the worker may add to it
        self.states = dict([*list(self.states.items()), (start, state)][-KEPT:])
        self._begin_run(shown.document.with_lane(shown.active, start=start, branches=()), label)
        shown.say(sentence)

    def anew(self) -> None:
        """The run from its own beginning again."""
        shown = self._shown
        if self.went_on:
            self._begin_run(
                shown.document.with_lane(shown.active, start=None, branches=()), "start anew"
            )
            shown.say(ANEW)  # in place of the sentence that it goes on from elsewhere

    def lane(self, lane: Lane) -> Lane:
        """The lane as it can be run: without a start that cannot be had."""
        return replace(lane, start=None) if lane.start in self.lost else lane

    def gave_up(self, run: LaneRun) -> bool:
        """A run that cannot go on from where its lane says begins at its own beginning, and says
        why. The lane stays as it is: other parameters or points, or undo, may let it go on again.
        """
        if not run.lost or run.lane.start is None:
            return False
        self.lost.add(run.lane.start)
        QTimer.singleShot(0, self._shown, lambda: self._shown.say(f"{run.error} {INSTEAD}"))
        return True

    def wait_for(self, run: LaneRun) -> None:
        """Say why there is no step yet where the run before takes long to follow."""
        start = run.lane.start
        if start is not None and start not in self.states and not len(run.trace) and not run.over:
            sentence = (
                f"The run before is followed to its {start.place} first: there this one begins."
            )
            QTimer.singleShot(0, self._shown, lambda: self._shown.say(sentence))

    def ended(self, before: Document) -> str:
        """What to say after an edit of `before` that ends such a run, a table taken for instance;
        "" where none does.
        """
        lanes = zip(before.lanes, self._shown.document.lanes, strict=False)
        return (
            ENDED if any(old.start is not None and new.start is None for old, new in lanes) else ""
        )

    def follow(self, before: Document, after: Document) -> None:
        """Another document is in force: what was lost may be found again, and other data have other
        states.
        """
        self.lost.clear()
        # rows are learnt from
        others = before.most != after.most and len(after.data) > min(before.most, after.most)
        if others or any(getattr(before, name) is not getattr(after, name) for name in LEARNT_FROM):
            self.states = {}
        elif [lane.data for lane in before.lanes] != [lane.data for lane in after.lanes]:
            self.states = {start: state for start, state in [*self.states.items()] if not start.own}
