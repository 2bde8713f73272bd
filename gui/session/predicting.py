"""Predict: before a step is shown the person says what it will be.

What is asked, what was answered, and what is covered.
"""

from bisect import bisect_left
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from engine.base.errors import EngineError
from engine.base.records import cached_property, replace
from engine.runs.trace import Trace
from gui.session.forked import begins_later
from gui.session.lane_view import LaneView
from gui.session.playhead import Playhead
from gui.session.sync_mode import SyncMode

if TYPE_CHECKING:  # a start asks nothing
    from engine.judge.questions import Ask, Every, Kind, Question, Tally, Verdict

UNCOVERED = 1 << 62
FIRST = "What comes is covered until you answer: answer, ask for the answer, or skip it."
OVER, NO_SUCH = (
    "The run is over: nothing is left to predict.",
    "Nothing of this kind is asked in the steps to come.",
)
NO_MORE = "No decision is left in this run. Ask about its steps to go on."


class Predicting(QObject):
    """Asks about the lane that time is read from.

    While it is on nobody gets past the `fence`, the last step that has been seen, and the views of
    all lanes are veiled.

    changed: another question, answer or score, or it began or ended; pointed_changed: another
    candidate is under the pointer

    question: None where there is nothing to ask, `said` says why; at: the step it is about;
    verdict: None until it is answered
    """

    changed = Signal()
    pointed_changed = Signal()

    def __init__(
        self, shown: Playhead, seek: Callable[[int], None], pause: Callable[[], None]
    ) -> None:
        super().__init__(shown)
        self._shown, self._seek, self._pause = shown, seek, pause
        self.on = False
        self.fence = UNCOVERED
        self.at = 0
        self.question: Question | None = None
        self.verdict: Verdict | None = None
        self.said = ""
        self._waits = self._going = False
        self.pointed: int | None = None  # the candidate under the pointer
        lead = shown.lead_lane
        lead.run_changed.connect(self._on_run)
        lead.run_grew.connect(self._on_grew)
        lead.cursor_moved.connect(self._on_moved)
        lead.unit_changed.connect(self._on_unit)
        shown.document_changed.connect(self._veil)
        shown.playing_changed.connect(self._on_play)

    @cached_property
    def ask(self) -> "Ask":
        """What is asked, and when."""
        from engine.judge.questions import Ask

        return Ask()

    @cached_property
    def tally(self) -> "Tally":
        """How many answers were right."""
        from engine.judge.questions import Tally

        return Tally()

    # -- on and off --------------------------------------------------------------------------------

    def toggle(self) -> None:
        (self.leave if self.on else self.begin)()

    def begin(self) -> None:
        """From the step that is shown."""
        shown = self._shown
        if self.on:
            return
        self._pause()
        self._seek(self.lane.cursor)  # not on to what was waited for
        self.on = True
        self.__dict__.pop("tally", None)
        if shown.together is SyncMode.ENDS:
            shown.together = SyncMode.UNITS  # else the others stand at ends that are covered
            shown.settings_changed.emit()
        shown.activate(shown.lead.place)
        self._anew()

    def leave(self) -> None:
        if not self.on:
            return
        self.on = False
        self.fence = UNCOVERED
        self.question = None
        self.verdict = None
        self.said = ""
        self._tell()

    def _tell(self) -> None:
        """Something is new.

        Surfaces that may show what is asked for are not painted, of earlier steps neither.
        """
        question = self.question if self.verdict is None else None
        told = question is not None and question.surfaces_tell
        for view in self._shown.lane_views:
            view.regions_veiled = told
        self._veil()
        self.changed.emit()

    def _veil(self) -> None:
        """Tell each lane what of it is covered."""
        asked = self.question if self.verdict is None else None
        for view in self._shown.lane_views:
            covered = self.on and view is not self.lane and begins_later(view)
            veil = self.on, covered, asked if view is self.lane else None
            if (view.veiled, view.covered, view.asked) != veil:
                turned = view.covered != covered
                view.veiled, view.covered, view.asked = veil
                view.veil_changed.emit()
                if turned:
                    view.cursor_moved.emit()

    # -- asking ------------------------------------------------------------------------------------

    @property
    def lane(self) -> LaneView:
        """The lane that is asked about."""
        return self._shown.lead

    @property
    def open(self) -> bool:
        """Whether an answer is waited for, and the step before it is the one that is shown."""
        return self.question is not None and self.verdict is None and not self.looks_back

    @property
    def looks_back(self) -> bool:
        """Whether an earlier step is shown than the question is about."""
        return self.on and self.lane.cursor < self.fence

    def want(self, every: "Every | None" = None, only: "Kind | None" = None) -> None:
        """Ask at these moments (None: as before), only questions of this kind (None: of all)."""
        self.ask = replace(self.ask, every=every or self.ask.every, only=only)
        if self.on and self.verdict is None:
            self._anew()

    def _anew(self) -> None:
        """The next question from the shown step on."""
        self.fence = max(self.lane.cursor, self.fence if self.fence != UNCOVERED else 0)
        self._look()

    def _look(self) -> None:
        from engine.judge.questions import next_question

        lane = self.lane
        self.ask = replace(self.ask, unit=self._shown.unit)
        self.question = self.verdict = self.pointed = None
        trace = lane.trace
        found = (
            next_question(trace, self.fence, self.ask) if trace is not None and len(trace) else None
        )
        few = trace is None or self._nothing_far(trace)
        self._waits = found is None and not lane.finished and few
        self.said = "" if found is not None or self._waits else self._why_none()
        if found is not None and trace is not None:
            self.at, self.question = found
            indices = trace.indices(self._shown.unit)
            place = bisect_left(indices, self.at) - 1
            self.fence = max(self.fence, indices[place] if place >= 0 else 0)
            if lane.cursor != self.fence:
                self._go(self.fence)
        self._tell()

    def _nothing_far(self, trace: Trace) -> bool:
        """Whether so few steps are recorded after the fence that something may be asked later."""
        from engine.judge.questions.asking import FAR

        indices = trace.indices(self.ask.level)
        return len(indices) - bisect_left(indices, self.fence + 1) < FAR

    def _why_none(self) -> str:
        lane = self.lane
        if lane.trace is None or not len(lane.trace):
            return lane.error or OVER
        if self.fence >= len(lane.trace) - 1:
            return OVER
        return NO_SUCH if self.ask.only is not None else NO_MORE

    def back(self) -> None:
        """To the question, for who looks at earlier steps."""
        self._seek(self.fence)

    # -- answering ---------------------------------------------------------------------------------

    def answer(self, answer: int | Sequence[str]) -> None:
        """A candidate by its number, or what was typed.

        Raises EngineError for what is no answer; then nothing is counted.
        """
        from engine.judge.questions import judge

        if self.open and self.question is not None:
            self._reveal(judge(self.question, answer))

    def point_at(self, tags: frozenset[str]) -> bool:
        """A thing with these tags was clicked: True where it was an answer."""
        question = self.question
        chosen = question.answering(tags) if self.open and question is not None else None
        if chosen is not None:
            self.answer(chosen)
        return chosen is not None

    def show_pointed(self, candidate: int | None) -> None:
        """This candidate is under the pointer, on the plane or in the list."""
        if candidate != self.pointed:
            self.pointed = candidate
            self.pointed_changed.emit()

    def show_answer(self) -> None:
        """Counts as not known."""
        from engine.judge.questions.judging import given_up

        if self.question is not None and self.verdict is None:
            self._reveal(given_up(self.question))

    def skip(self) -> None:
        """Shows the step without a word, and asks on."""
        if self.question is not None and self.verdict is None:
            self._uncover()
            self._look()

    def go_on(self) -> None:
        """To the next question."""
        if self.on and self.verdict is not None:
            self._look()

    def push(self) -> None:
        """Somebody wants to go on in time."""
        if self.looks_back:
            self.back()
        elif self.verdict is not None:
            self.go_on()
        elif self.question is not None:
            self._shown.say(FIRST)

    def _reveal(self, verdict: "Verdict") -> None:
        assert self.question is not None
        self.tally = self.tally.after(self.question.kind, verdict.right)
        self.verdict = verdict
        self._uncover()
        self._tell()

    def _uncover(self) -> None:
        self.fence = self.at
        self._go(self.at)

    def _go(self, index: int) -> None:
        """To this step, without a word: who goes there tells."""
        self._going = True
        self._seek(index)
        self._going = False

    # -- what others do ----------------------------------------------------------------------------

    def _on_run(self) -> None:
        """Another run: from where it stands."""
        if self.on:
            self._veil()
            self.fence = self.lane.cursor
            self._look()

    def _on_grew(self) -> None:
        if self.on and (self._waits or (self.said == OVER and self.lane.trace is not None)):
            self._look()

    def _on_moved(self) -> None:
        """A step that had been asked for before is there now, or the person looks back."""
        if not self.on or self._going:
            return
        if self.lane.cursor > self.fence:
            self.fence = self.lane.cursor
            self._look()
        else:
            self._tell()

    def _on_unit(self) -> None:
        if self.on and self._shown.unit is not self.ask.unit:
            self._look()

    def _on_play(self) -> None:
        """Nothing plays by itself: the space bar goes on to the next question."""
        if self.on and self._shown.is_playing():
            self._pause()
            self.push()


def refused(predicting: Predicting, answer: int | Sequence[str]) -> str:
    """Answer; returns the sentence why it is no answer, or ""."""
    try:
        predicting.answer(answer)
    except EngineError as sentence:
        return str(sentence)
    return ""
