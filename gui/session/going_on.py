"""Runs that begin with a state of an earlier one: a weight set by hand, or the present step with other parameters."""

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QTimer

from engine.core.errors import EngineError
from engine.document.document import Document
from engine.document.lane_run import LaneRun

if TYPE_CHECKING:
    from gui.session.session import Session

TWEAKED = (
    "Weight set by hand: a new run goes on from here. Undo and saving know nothing of it; "
    "Run > Start anew goes back to the beginning."
)
WENT_ON = (
    "A new run begins with this model, at the beginning of a round; choose other parameters for it now. "
    "Undo and saving know nothing of it; Run > Start anew goes back to the beginning."
)
MISFIT = "These parameters do not fit the state that the run went on from: it has started anew."
LOST = "The run begins anew: the model that it had gone on from belonged to what was there before."
ANEW = "The run begins at its own beginning again."
AT_ONCE = 2  # steps


class GoingOn:
    """states: by lane, the state that its run began with. They are no part of the document, and gone with other data."""

    def __init__(self, session: "Session") -> None:
        self._session = session
        self.states: dict[int, Any] = {}
        self.lost = False  # by the last edit

    @property
    def possible(self) -> bool:
        """Whether a run can begin with the shown state."""
        return self._session.step is not None and self._session.algorithm.resume is not None

    @property
    def tweakable(self) -> bool:
        """Whether a number of the shown state can be changed by hand."""
        return self.possible and self._session.algorithm.tweak is not None

    @property
    def went_on(self) -> bool:
        """Whether the shown run began with a state of an earlier one."""
        return self._session.active in self.states

    def tweak(self, where: tuple[int, ...], value: float) -> None:
        """A new run from the shown state with one number set by hand."""
        trace, step, change = self._session.trace, self._session.step, self._session.algorithm.tweak
        if trace is None or step is None or change is None or not self.possible:
            return
        try:
            state = change(trace.given, step.state, where, value)
        except EngineError as sentence:
            self._session.say(str(sentence), "error")
            return
        self._begin_with(state, TWEAKED)

    def from_here(self) -> None:
        """A new run from the shown state; parameters changed from now on take effect from there."""
        step = self._session.step
        if step is not None and self.possible:
            self._begin_with(step.state, WENT_ON)

    def _begin_with(self, state: Any, sentence: str) -> None:
        self.states[self._session.active] = state
        self._session.restart()
        self._session.say(sentence)

    def anew(self) -> None:
        """The run from its own beginning again."""
        if self.states.pop(self._session.active, None) is not None:
            self._session.restart()
            self._session.say(ANEW)  # in place of the sentence that it goes on from elsewhere

    def gave_up(self, run: LaneRun) -> bool:
        """A run that fails at once does not fit its first state (other hidden units, another bias): it is forgotten."""
        if not run.error or len(run.trace) > AT_ONCE or self.states.pop(self._session.active, None) is None:
            return False
        QTimer.singleShot(0, self._session, lambda: self._session.say(MISFIT))
        return True

    def follow(self, before: Document, after: Document) -> None:
        """Other data, columns, algorithms or seeds begin anew; other parameters, probe, notes and ranges do not."""
        same = all(getattr(before, name) == getattr(after, name) for name in ("data", "transforms", "plane", "split"))
        self.lost = bool(self.states) and (not same or _methods(before) != _methods(after))
        if self.lost:
            self.states.clear()
            QTimer.singleShot(0, self._session, lambda: self._session.say(LOST))


def _methods(document: Document) -> list[tuple[str, int]]:
    return [(lane.key, lane.seed) for lane in document.lanes]
