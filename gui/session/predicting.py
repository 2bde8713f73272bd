"""Predict: the person says what a step will be before it is shown.

This module holds the question, the answer and what is covered.
"""

from bisect import bisect_left
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from engine.base.errors import EngineError
from engine.base.records import cached_property, replace
from engine.runs.trace import Trace
from gui.session.changes import Change, Changes
from gui.session.forked import begins_later
from gui.session.lane_view import LaneView
from gui.session.playhead import Playhead
from gui.session.sync_mode import SyncMode

if TYPE_CHECKING:  # imported when the person first predicts
    from engine.judge.questions import Ask, Every, Kind, Question, Tally, Verdict
    from engine.lessons.drawings import Pen

UNCOVERED = 1 << 62
FIRST = "What comes is covered until you answer: answer, ask for the answer, or skip it."
OVER, NO_SUCH = (
    "The run is over: nothing is left to predict.",
    "The steps to come have no question of this kind.",
)
LESSON_ASKS = "The lesson asks on this page: answer there, or leave the lesson."
NO_MORE = "No decision is left in this run. Ask about its steps to go on."


class Predicting(QObject):
    """Asks about the next step of the lead, and covers it until it is answered.

    While it is on, seeking stops at the `fence`, the last step that has been seen, and the views of
    all lanes are veiled.

    question: None where there is nothing to ask; `said` says why
    at: the step that the question is about
    verdict: None until the question is answered
    given: judges the answers to a question that a lesson asks; None while the run asks
    covers: whether what comes after the question is covered
    pen: draws what a lesson asks to be drawn; None where nothing is to be drawn
    """

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
        self.given: Callable[[int | Sequence[str]], object] | None = None
        self.covers = True
        self.pen: Pen | None = None
        self._pending = self._going = False
        self.pointed: int | None = None  # the candidate under the pointer
        shown.changed.connect(self._on_changed)

    @cached_property
    def ask(self) -> "Ask":
        """The kind of the questions, and the moments at which they come."""
        from engine.judge.questions import Ask

        return Ask()

    @cached_property
    def tally(self) -> "Tally":
        """The number of right answers, by kind of question."""
        from engine.judge.questions import Tally

        return Tally()

    # -- on and off --------------------------------------------------------------------------------

    def put(
        self,
        question: "Question | None",
        at: int,
        judge: Callable[[int | Sequence[str]], object],
        covers: bool,
        pen: "Pen | None" = None,
    ) -> None:
        """Ask a question of a lesson about step `at`, None for one that is asked elsewhere.

        judge: called with each answer, see `answer`
        covers: whether what comes after the shown step is covered
        pen: draws what is asked for
        """
        self._pause()
        self.pen = pen
        self.given, self.covers = judge, covers
        self.question, self.at = question, at
        self.verdict = self.pointed = None
        self.said = ""
        self.fence = self._shown.lead.cursor if covers else UNCOVERED
        self.on = True
        self._announce()

    def toggle(self) -> None:
        if self.given is not None:
            self._shown.say(LESSON_ASKS)
            self._shown.announce(Change.QUESTION)  # the button that was pressed comes up again
            return
        (self.leave if self.on else self.begin)()

    def begin(self) -> None:
        """Start at the shown step, with an empty score."""
        shown = self._shown
        if self.on:
            return
        self._pause()
        self._seek(self.lane.cursor)  # gives up the wish for a later step
        self.on = True
        self.__dict__.pop("tally", None)
        if shown.together is SyncMode.ENDS:
            shown.together = SyncMode.UNITS  # the other lanes would show ends that are covered
            shown.announce(Change.SETTINGS)
        shown.activate(shown.lead.place)
        self._ask_next()

    def leave(self) -> None:
        if not self.on:
            return
        self.on = False
        self.fence = UNCOVERED
        self.given, self.covers = None, True
        self.question = self.pen = None
        self.verdict = None
        self.said = ""
        self._announce()

    def _announce(self) -> None:
        """Veil what would show the answer, and announce that something changed.

        Surfaces that may show the answer are not painted, not even those of earlier steps.
        """
        question = self.question if self.verdict is None else None
        would_show = question is not None and question.surfaces_give_away
        for view in self._shown.lane_views:
            view.regions_veiled = would_show
        with self._shown.at_once():
            self._veil()
            self._shown.announce(Change.QUESTION)

    def _veil(self) -> None:
        """Set on each view what is covered, and announce it where that changes."""
        question = self.question if self.verdict is None else None
        with self._shown.at_once():
            for view in self._shown.lane_views:
                covered = self.on and view is not self.lane and begins_later(view)
                veil = self.on and self.covers, covered, question if view is self.lane else None
                if (view.veiled, view.covered, view.question) != veil:
                    turned = view.covered != covered
                    view.veiled, view.covered, view.question = veil
                    view.announce(Change.VEIL | Change.CURSOR if turned else Change.VEIL)

    # -- drawing -----------------------------------------------------------------------------------

    def draws_in(self, view: LaneView, title: str) -> bool:
        """Whether the hand draws in this plot of a lane, "" for its plane."""
        pen = self.pen
        if pen is None or view is not self.lane or self.looks_back:
            return False
        return pen.sketch.title == title

    def draw(self, how: str, x: float, y: float) -> None:
        """Put the pen down at a place of the picture, move it, or lift it.

        how: 'press', 'drag' or 'release'
        """
        if self.pen is None:
            return
        if how == "press":
            self.pen.press(x, y)
        elif how == "drag":
            self.pen.drag(x, y)
        else:
            self.pen.release()
        self.show_drawn()

    def show_drawn(self) -> None:
        """Show what is drawn so far."""
        from engine.lessons.overlays import drawing

        if self.pen is not None:
            self._shown.overlay(drawing(self.pen))
            self._shown.announce(Change.CANDIDATE)

    # -- asking ------------------------------------------------------------------------------------

    @property
    def lane(self) -> LaneView:
        """The lane that the questions are about: the lead, of a lesson the first one."""
        return self._shown.lead if self.given is None else self._shown.lane_views[0]

    @property
    def open(self) -> bool:
        """Whether the question can be answered now: the step before it is the shown one."""
        return self.question is not None and self.verdict is None and not self.looks_back

    @property
    def looks_back(self) -> bool:
        """Whether a step before the fence is shown."""
        return self.on and self.covers and self._shown.lead.cursor < self.fence

    def want(self, every: "Every | None" = None, only: "Kind | None" = None) -> None:
        """Choose the moments to ask at (None: as before) and the kind of question (None: all)."""
        self.ask = replace(self.ask, every=every or self.ask.every, only=only)
        if self.on and self.verdict is None:
            self._ask_next()

    def _ask_next(self) -> None:
        """Ask the next question after the shown step."""
        self.fence = max(self.lane.cursor, self.fence if self.fence != UNCOVERED else 0)
        self._look()

    def _look(self) -> None:
        if self.given is not None:
            self._announce()
            return
        from engine.judge.questions import next_question

        lane = self.lane
        self.ask = replace(self.ask, unit=self._shown.unit)
        self.question = self.verdict = self.pointed = None
        trace = lane.trace
        found = (
            next_question(trace, self.fence, self.ask) if trace is not None and len(trace) else None
        )
        few = trace is None or self._nothing_far(trace)
        self._pending = found is None and not lane.finished and few
        self.said = "" if found is not None or self._pending else self._why_none()
        if found is not None and trace is not None:
            self.at, self.question = found
            indices = trace.indices(self._shown.unit)
            place = bisect_left(indices, self.at) - 1
            self.fence = max(self.fence, indices[place] if place >= 0 else 0)
            if lane.cursor != self.fence:
                self._go(self.fence)
        self._announce()

    def _nothing_far(self, trace: Trace) -> bool:
        """Whether so few steps are recorded after the fence that a question may still come."""
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
        """Return from an earlier step to the step of the question."""
        self._seek(self.fence)

    # -- answering ---------------------------------------------------------------------------------

    def answer(self, answer: int | Sequence[str]) -> None:
        """Answer with a candidate's number, or with the texts that were typed.

        Raises EngineError for what is no answer; then nothing is counted.
        """
        from engine.judge.questions import judge

        if self.given is not None:
            self.given(answer)
        elif self.open and self.question is not None:
            self._reveal(judge(self.question, answer))

    def point_at(self, tags: frozenset[str]) -> bool:
        """Answer with the clicked object, by its tags; returns whether it was an answer."""
        question = self.question
        chosen = question.answering(tags) if self.open and question is not None else None
        if chosen is not None:
            self.answer(chosen)
        return chosen is not None

    def show_pointed(self, candidate: int | None) -> None:
        """Mark a candidate as the one under the pointer, on the plane or in the list."""
        if candidate != self.pointed:
            self.pointed = candidate
            self._shown.announce(Change.CANDIDATE)

    def show_answer(self) -> None:
        """Reveal the answer; it counts as not known."""
        if self.given is not None:
            return
        from engine.judge.questions.judging import given_up

        if self.question is not None and self.verdict is None:
            self._reveal(given_up(self.question))

    def skip(self) -> None:
        """Show the step without counting an answer, and ask the next question."""
        if self.question is not None and self.verdict is None and self.given is None:
            self._uncover()
            self._look()

    def go_on(self) -> None:
        """Ask the next question, once the present one is answered."""
        if self.on and self.verdict is not None:
            self._look()

    def push(self) -> None:
        """Step forward: back to the question, or on to the next one if it is answered."""
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
        self._announce()

    def _uncover(self) -> None:
        self.fence = self.at
        self._go(self.at)

    def _go(self, index: int) -> None:
        """Seek a step without reacting to the move: the caller announces it."""
        self._going = True
        self._seek(index)
        self._going = False

    # -- reactions ---------------------------------------------------------------------------------

    def _on_changed(self, changes: Changes) -> None:
        here = changes.of(self._shown.lead)
        if here & Change.DOCUMENT:
            self._veil()
        if here & Change.RUN:
            self._on_run()
        elif here & Change.CURSOR:
            self._on_moved()
        if here & Change.STEPS:
            self._on_grew()
        if here & Change.UNIT:
            self._on_unit()
        if here & Change.PLAYING:
            self._on_play()

    def _on_run(self) -> None:
        """Ask from the step at which the new run stands."""
        if self.on:
            self._veil()
            self.fence = self._shown.lead.cursor if self.covers else UNCOVERED
            self._look()

    def _on_grew(self) -> None:
        if self.on and (self._pending or (self.said == OVER and self.lane.trace is not None)):
            self._look()

    def _on_moved(self) -> None:
        """Ask on from a wanted step that has arrived; for an earlier step, announce a change."""
        if not self.on or self._going:
            return
        if self._shown.lead.cursor > self.fence:
            self.fence = self._shown.lead.cursor
            self._look()
        else:
            self._announce()

    def _on_unit(self) -> None:
        if self.on and self._shown.unit is not self.ask.unit:
            self._look()

    def _on_play(self) -> None:
        """Pause at once: the space bar goes on to the next question instead of playing."""
        if self.on and self.covers and self._shown.is_playing():
            self._pause()
            self.push()


def refused(predicting: Predicting, answer: int | Sequence[str]) -> str:
    """Give an answer; returns the sentence that says why it is invalid, "" where it is valid."""
    try:
        predicting.answer(answer)
    except EngineError as sentence:
        return str(sentence)
    return ""
