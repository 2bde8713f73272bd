"""A lesson at work: its page sets the lab, asks, and judges what is answered or done."""

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from engine.base.errors import EngineError
from engine.base.records import replace
from engine.document.document import Document
from engine.judge.conditions import Moment
from engine.judge.questions.question import Kind, Question
from engine.lessons import overlays, steps, tasks
from engine.lessons.conditions import edits_between, to_change
from engine.lessons.drawings import Pen
from engine.lessons.hiding import asks_about_future
from engine.lessons.lesson import Lesson, Page, Task, TaskKind
from engine.lessons.package import Found, open_lesson
from engine.lessons.progress import ANSWER_AFTER, HINT_AFTER, Answer, Progress, Shelf, begin
from engine.lessons.setting import document
from gui.session.changes import Change, Changes
from gui.session.lane_view import LaneView
from gui.session.session import Session
from gui.session.sync_mode import SyncMode

if TYPE_CHECKING:
    from gui.session.undo import Edit

PROVING_MS = 40  # between two looks at a state that a task asks for
FAR = 100_000  # steps that are recorded until a page finds its place
LOOKING = ("select", "probe")  # tools that change no data
NOT_LEFT = "Undo brings back what was there before the lesson."
MOVED = Change.DOCUMENT | Change.RUN | Change.STEPS | Change.CURSOR


class LessonPlayer(QObject):
    """The open lesson, if there is one, and its shown page.

    changed: another page, answer, hint or state of a task; left: the lesson was closed

    found: the lesson as it was opened, None without one
    at: the number of the shown page, from 0
    progress: what was done in it
    stand: where the page stands, None while its step is not recorded yet
    asked: its task, None without one
    fault: why the page cannot be shown as it was meant; "" where it can
    reply: the judgement of the latest answer, None before
    refused: why the latest answer is none
    to_change: the parts of the lab that a task on it needs changed, of `conditions.to_change`
    hands: how many of a class raised their hand, by choice
    beyond: goes on from the first (−1) or last (1) page; returns whether there is anything
    """

    changed = Signal()
    left = Signal()

    def __init__(
        self,
        session: Session,
        shelf: Shelf,
        lead_with: Callable[[Sequence[str]], object],
        fit: Callable[[], object],
    ) -> None:
        """lead_with: shows these views first; fit: shows all points"""
        super().__init__(session)
        self.session, self.shelf = session, shelf
        self._lead_with, self._fit = lead_with, fit
        self.found: Found | None = None
        self.path = ""
        self.at = 0
        self.progress: Progress | None = None
        self.beyond: Callable[[int], bool] = lambda way: False
        self._opened: Document | None = None  # by the shown page
        self._led = False  # whether the view that a task is drawn in leads
        self._changing = False
        self._since = 0.0
        self._kept = True
        self._before: tuple[list[Edit], Edit] | None = None
        self._clear()
        self._proof = QTimer(self, singleShot=True, interval=PROVING_MS)
        self._proof.timeout.connect(self._prove)
        session.changed.connect(self._on_changed)

    def _clear(self) -> None:
        self.stand: steps.Stand | None = None
        self.asked: tasks.Asked | None = None
        self.reply: tasks.Reply | None = None
        self.fault = self.refused = ""
        self.to_change: tuple[str, ...] = ()
        self.hands: dict[str, int] = {}
        self.drawn = ""  # the latest answer, where it was drawn
        self.session.overlay(None)

    # -- what is shown -----------------------------------------------------------------------------

    @property
    def running(self) -> bool:
        return self.found is not None

    @property
    def lesson(self) -> Lesson:
        assert self.found is not None and self.found.lesson is not None
        return self.found.lesson

    @property
    def page(self) -> Page:
        return self.lesson.pages[self.at]

    @property
    def task(self) -> Task | None:
        return self.page.task

    @property
    def answer_so_far(self) -> Answer:
        assert self.progress is not None
        return self.progress.answers[self.at]

    @property
    def done(self) -> bool:
        """Whether the task of the page was done, or its answer shown."""
        return self.answer_so_far.right or self.answer_so_far.shown

    @property
    def text(self) -> str:
        """The text of the page with the values of its step."""
        if self.stand is None:
            return self.page.text
        return steps.filled(self.page.text, self.stand.asked)

    @property
    def listed(self) -> tuple[str, ...]:
        """The answers that are listed in words; the others can be clicked only."""
        if self.asked is None:
            return ()
        question = self.asked.question
        if question is not None:
            return tuple(question.candidates[k].label for k in question.options)
        return self.asked.choices

    @property
    def hint(self) -> str:
        """The hint, once it was asked for; "" before."""
        shown = self.asked is not None and self.answer_so_far.hinted
        return self.asked.hint if shown and self.asked is not None else ""

    @property
    def may_hint(self) -> bool:
        """Whether the hint can be asked for: after two wrong answers, of a state at any time."""
        if self.asked is None or not self.asked.hint or self.done or self.answer_so_far.hinted:
            return False
        return self._proved or self.answer_so_far.misses >= HINT_AFTER

    @property
    def must_show(self) -> bool:
        """Whether so many answers were wrong that the answer is shown next."""
        return self.answer_so_far.misses >= ANSWER_AFTER

    @property
    def _proved(self) -> bool:
        return self.task is not None and self.task.kind is TaskKind.STATE

    # -- opening and leaving -----------------------------------------------------------------------

    def open(self, path: str) -> None:
        """Open the lesson of a file where it was left; raises EngineError."""
        found = open_lesson(path)
        if found.lesson is None:
            raise EngineError(" ".join(fault.words(Path(path).name) for fault in found.faults))
        self.begin(found, path)

    def begin(
        self, found: Found, path: str = "", page: int | None = None, kept: bool = True
    ) -> None:
        """Begin a lesson at `page`, None for where it was left.

        kept: whether what is done in it is kept on this machine

        Raises EngineError for one without pages.
        """
        if found.lesson is None or not found.lesson.pages:
            raise EngineError("This lesson has no page.")
        self._spend()
        self._save()
        if not self.running:
            self._keep_what_was()
        self.found, self.path = found, path
        self._kept = kept
        self.progress = self.shelf.load(found.lesson) if kept else begin(found.lesson)
        self._opened, self._since = None, 0.0
        last = len(found.lesson.pages) - 1
        self.at = min(self.progress.page if page is None else page, last)
        self.go(self.at)

    def _keep_what_was(self) -> None:
        """Remember the edits before the lesson, which undo goes through again after it."""
        from gui.session.undo import Edit

        session = self.session
        left = session.cursor_anchor.moment()
        edit = Edit("the lesson", session.document, session.document, left=left, filed=True)
        self._before = list(session.history.done), edit

    def leave(self) -> None:
        """Close the lesson: the lab stays as it is, and undo brings back what was before it."""
        if self._end() and self._kept:
            self.session.say(NOT_LEFT)

    def _end(self) -> bool:
        """Close the lesson without a word; returns whether there was one."""
        if not self.running:
            return False
        self._spend()
        self._save()
        self.found = self.progress = None
        self._since = 0.0
        self._clear()
        session = self.session
        with session.at_once():
            session.restrict()
            session.predicting.leave()
            session.pointer.keep(())
            self._cover_ahead()
            self._restore_history()
            session.announce(Change.DOCUMENT)
        self.left.emit()
        return True

    def _restore_history(self) -> None:
        """Let one undo lead to what was there before the lesson."""
        before, edit = self._before or ([], None)
        self._before = None
        if edit is not None:
            history = self.session.history
            history.undone.clear()
            history.done[:] = [*before, replace(edit, after=self.session.document)]

    # -- pages -------------------------------------------------------------------------------------

    def step(self, way: int) -> None:
        """Go to the next page (1) or the one before (−1)."""
        if self.running and 0 <= self.at + way < len(self.lesson.pages):
            self.go(self.at + way)
        elif self.running and not self.beyond(way):
            self.session.say(
                "That was the last page; Page Up goes back."
                if way > 0
                else "This is the first page; Page Down goes on."
            )

    def go(self, page: int) -> None:
        """Show a page: its data, lanes, views and step."""
        assert self.progress is not None
        self._spend()
        self.at = page
        self.progress = self.progress.at(page)
        self._save()
        self._clear()
        self._set_up()
        self.changed.emit()

    def again(self) -> None:
        """Set the lab as the page has it, whatever was changed in it."""
        self._opened = None
        self._clear()
        self._set_up()
        self.changed.emit()

    def _set_up(self) -> None:
        session = self.session
        session.player.pause()
        self._changing = True
        try:
            with session.at_once():
                session.predicting.leave()
                session.restrict() if self.done else session.restrict(self.page.hide)
                self._open_document()
                session.restrict(self._hidden())
                self._cover_ahead()
                self._find_place()
        except EngineError as sentence:
            self.fault = str(sentence)
        finally:
            self._changing = False

    def _hidden(self) -> tuple[str, ...]:
        """What the page hides now: nothing once its task is done."""
        return () if self.task is not None and self.done else self.page.hide

    def _open_document(self) -> None:
        """Put the document of the page in force, unless it is there unchanged."""
        session = self.session
        assert self.found is not None
        made = document(self.lesson, self.at, self.found.files)
        unit = self.lesson.view.unit
        if session.unit is not unit:
            session.set_unit(unit)
        if self._opened == made and session.document == made:
            return
        session.together = SyncMode.UNITS
        session.open(made)
        self._opened = session.document
        session.history.done.clear()
        session.history.undone.clear()
        session.cursor_anchor.leave()
        session.announce(Change.DOCUMENT)
        if self.lesson.view.pictures:
            self._lead_with(self.lesson.view.pictures)
        self._fit()

    def _find_place(self) -> None:
        """Stand where the page stands, or wait until that is recorded."""
        session = self.session
        views = session.lane_views
        traces = [view.trace for view in views if view.trace is not None]
        if len(traces) < len(views):
            self.fault = next(view.error for view in views if view.trace is None)
            return
        try:
            found = steps.stand(self.page, traces, self.lesson.view.unit)
        except EngineError as sentence:
            if views[0].finished or len(traces[0]) >= FAR:
                self.fault = str(sentence)
            else:
                session.clock.record(FAR)
            return
        if not all(self._there(view, found) for view in views):
            session.clock.record(FAR)
            return
        self.stand = found
        self._take_place(found)

    def _there(self, view: LaneView, found: steps.Stand) -> bool:
        """Whether the step of a lane is known for good: it is no end of a run that goes on."""
        if view.finished or view.trace is None:
            return True
        if self.task is not None and self.task.kind is TaskKind.CURVE:
            return len(view.trace) >= FAR
        if self.page.where.is_end:
            return len(view.trace) >= FAR
        if self.page.then is not None and self.page.then.is_end:
            return len(view.trace) >= FAR
        last = max(each[view.place].cursor for each in (found.asked, found.then))
        return last < len(view.trace) - 1

    def _take_place(self, found: steps.Stand) -> None:
        session = self.session
        moments = found.then if self.done and not self._proved else found.shown
        session.let_lead(session.lane_views[0])
        session.together = self._together()
        session.seek(moments[0].cursor)
        session.pointer.keep(steps.lit(self.page, found.asked))
        if self.task is not None:
            try:
                self.asked = tasks.asked(self.task, found.asked, self.lesson.view)
            except EngineError as sentence:
                self.fault = str(sentence)
        self._lead_with_sketch()
        self._cover()
        if self._proved and self.asked is not None:
            free = {"method", "data", "parameters"} - set(self.page.lock)
            ends = found.ends if all(view.finished for view in session.lane_views) else ()
            self.to_change = to_change(self.asked.task.condition, found.shown, ends, free)
        if self.done:
            self._show_right()
        if self._proved and not self.done:
            self._proof.start()

    def _together(self) -> SyncMode:
        """How the lanes stand beside each other: at their ends, or at the same number."""
        where = self.page.where
        if self.done and not self._proved and self.page.then is not None:
            where = self.page.then
        return SyncMode.ENDS if where.is_end and not where.before else SyncMode.UNITS

    def _lead_with_sketch(self) -> None:
        """Show the view that a task is drawn in, and after it those of the lesson again."""
        view = self.session.lane_views[0]
        sketch = self.asked.sketch if self.asked is not None else None
        name = ""
        if sketch is not None:
            shown = overlays.overlaid(view.scene, overlays.Overlay(sketch.title, (), sketch.plot))
            name = overlays.view_of(sketch.title, shown, view.problem)
        if name:
            others = (each for each in self.lesson.view.pictures if each != name)
            self._lead_with((name, *others))
        elif self._led:
            self._lead_with(self.lesson.view.pictures)
        self._led = bool(name)

    def _show_right(self) -> None:
        """Show what was right beside what was drawn."""
        sketch = self.asked.sketch if self.asked is not None else None
        if sketch is not None:
            tries = self.answer_so_far.tries
            text = self.drawn or (tries[-1] if tries and not sketch.is_curve else "")
            self.session.overlay(overlays.revealed(sketch, text))

    def _cover(self) -> None:
        """Lock and hide what the page says, and let the plane be clicked where it asks for that."""
        session = self.session
        open_task = self.task is not None and not self.done
        locked = set(self.page.lock)
        if self.task is not None and self.done:
            locked.discard("timeline")
        question = self.asked.question if self.asked is not None and open_task else None
        sketch = self.asked.sketch if self.asked is not None and open_task else None
        pen = None if sketch is None else Pen(sketch)
        covers = "future" in self.page.hide and (open_task or self.task is None)
        if self.stand is not None and (question is not None or pen is not None or covers):
            at = self.stand.asked[0].cursor
            session.predicting.put(question, at, self._answered, covers, pen)
            session.predicting.show_drawn()
        session.restrict(self._hidden(), locked)
        self._cover_ahead()
        if "data" in locked and session.tool not in LOOKING:
            session.set_settings(tool=LOOKING[0])

    def _cover_ahead(self) -> None:
        """Cover the part of the timeline that would answer this page, or a later one."""
        words = self._ahead() if self.running else ""
        for view in self.session.lane_views:
            if view.ahead != words:
                view.ahead = words
                view.announce(Change.VEIL)

    def _ahead(self) -> str:
        """Until when what comes is hidden; "" where the timeline is open."""
        assert self.progress is not None
        answers = self.progress.answers
        done = [k for k, each in enumerate(answers) if each.right or each.shown]
        later = asks_about_future(self.lesson, self.at, done)
        hides = not {"future", "curves"}.isdisjoint(self._hidden())
        if hides and self.task is not None:
            return "hidden until it is done" if self._proved else "hidden until you answer"
        if later is not None:
            return f"hidden until page {later + 1}"
        return "hidden on this page" if hides else ""

    # -- answers -----------------------------------------------------------------------------------

    def _answered(self, answer: int | Sequence[str]) -> None:
        """Take what was clicked on the plane or in a figure."""
        question = self.asked.question if self.asked is not None else None
        if isinstance(answer, int):
            if question is not None:
                self.answer((question.candidates[answer].label,))
        else:
            self.answer(tuple(answer))

    def answer(self, given: tuple[str, ...]) -> None:
        """Judge an answer: the label of a choice, or a text for each blank, or a sentence."""
        if self.asked is None or self.progress is None or self.done:
            return
        self.refused = ""
        try:
            reply = self.asked.reply(given)
        except EngineError as sentence:
            self.refused = str(sentence)
            self.changed.emit()
            return
        if self.asked.task.kind is TaskKind.TEXT:
            self.progress = self.progress.said(self.at, given[0])
        if self.asked.sketch is not None:
            self.drawn = given[0]
        self._judge(reply, (reply.kept,) if reply.kept else given)

    def _judge(self, reply: tasks.Reply, given: tuple[str, ...]) -> None:
        assert self.progress is not None
        self.reply = reply
        self.progress = self.progress.tried(self.at, given, reply.right)
        if not reply.right and self.must_show:
            self.progress = self.progress.shown(self.at)
        self._save()
        if self.done:
            self._reveal()
        self.changed.emit()

    def ask_hint(self) -> None:
        if self.progress is not None:
            self.progress = self.progress.hinted(self.at)
            self._save()
            self.changed.emit()

    def show_hands(self, hands: dict[str, int]) -> None:
        """Show beside each choice how many of a class raised their hand for it."""
        self.hands = hands
        self.changed.emit()

    def show_answer(self) -> None:
        """Show the answer, which costs the points of the page."""
        if self.progress is not None and self.asked is not None:
            self.progress = self.progress.shown(self.at)
            self._save()
            self._reveal()
            self.changed.emit()

    def _reveal(self) -> None:
        """Uncover what was hidden, and go to the step that was asked about."""
        session = self.session
        self._changing = True
        with session.at_once():
            session.predicting.leave()
            session.restrict()
            if self.stand is not None and not self._proved:
                session.let_lead(session.lane_views[0])
                session.together = self._together()
                session.seek(self.stand.then[0].cursor)
            self._cover()
            self._show_right()
        self._changing = False

    # -- tasks that the state proves ---------------------------------------------------------------

    def _moments(self) -> list[Moment]:
        return [
            Moment(view.trace, view.cursor)
            for view in self.session.lane_views
            if view.trace is not None and len(view.trace)
        ]

    def _prove(self) -> None:
        """Say what the state still lacks, or that it fulfils the task."""
        open_task = self.running and self._proved and not self.done
        moments = self._moments()
        if not open_task or self.asked is None or self._opened is None or not moments:
            return
        edits = edits_between(self._opened.data, self.session.data)
        reply = tasks.state_reply(self.asked.task, moments, edits)
        if reply.right:
            self._keep_state()
            self._judge(reply, (self._words(),))
        elif reply != self.reply:
            self.reply = reply
            self.changed.emit()

    def _words(self) -> str:
        from engine.lessons.states import lane_words

        return lane_words(self.session.document)

    def _keep_state(self) -> None:
        from engine.lessons.states import state_text

        assert self.progress is not None
        session = self.session
        state = state_text(session.document, session.first_cursor, session.pace().level)
        self.progress = self.progress.forked(self.at, self._words(), state)

    def _on_changed(self, changes: Changes) -> None:
        if not self.running or self._changing:
            return
        last = self.session.history.done[-1:]
        if changes.window & Change.DOCUMENT and last and last[0].filed:
            self._end()  # another document was opened
            return
        if not changes.anywhere() & MOVED:
            return
        self._cover_ahead()
        if self.stand is None and not self.fault:
            self._set_up_later()
        elif self._proved and not self.done and not self._proof.isActive():
            self._proof.start()

    def _set_up_later(self) -> None:
        """Look again whether the step of the page is recorded."""
        self._changing = True
        with self.session.at_once():
            self._find_place()
        self._changing = False
        if self.stand is not None or self.fault:
            self.changed.emit()

    # -- what is kept ------------------------------------------------------------------------------

    def reset(self) -> None:
        """Forget what was done in this lesson, and begin it anew."""
        if self.found is None:
            return
        self.shelf.reset(self.lesson)
        self._since = 0.0
        self.progress = None
        self.begin(self.found, self.path, 0, self._kept)

    def hand_in(self, name: str, path: str) -> None:
        """Write the hand-in of a student; raises EngineError."""
        from engine.files.atomic import write_atomic
        from engine.lessons.handin import as_text, hand_in

        assert self.progress is not None
        self._spend()
        self._save()
        made = hand_in(self.progress, name, time.strftime("%Y-%m-%d %H:%M"))
        write_atomic(path, [as_text(made).encode()])

    def _spend(self) -> None:
        """Count the time on the shown page."""
        now = time.monotonic()
        if self.progress is not None and self._since:
            self.progress = self.progress.spent(self.at, max(1, round(now - self._since)))
        self._since = now

    def _save(self) -> None:
        if self.progress is None or not self._kept:
            return
        try:
            self.shelf.save(self.progress)
        except EngineError as sentence:
            self.session.say(str(sentence), "fault")


def as_question(asked: tasks.Asked, moment: Moment) -> Question | None:
    """The blanks of a task as a question that a form shows; None without blanks."""
    if asked.question is not None:
        return asked.question
    if not asked.blanks:
        return None
    return Question(Kind.NUMBER, asked.prompt, moment.trace[moment.cursor], blanks=asked.blanks)
