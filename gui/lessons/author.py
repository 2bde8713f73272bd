"""A lesson that is being written in the lab: its pages, and what becomes of them."""

import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal

from engine.base.errors import EngineError
from engine.base.records import Record, replace
from engine.document.document import MAX_LANES
from engine.document.lane_edits import LETTERS
from engine.judge.conditions import Moment
from engine.lessons.checking import check
from engine.lessons.digest import digest_of
from engine.lessons.drafting import (
    Seen,
    draft,
    found_again,
    lost,
    page_at,
    seen_at,
    where_of,
)
from engine.lessons.lesson import HIDDEN, LOCKED, Lesson, Page, Where
from engine.lessons.package import Found, lesson_of, open_lesson, save_lesson
from engine.lessons.places import Fault
from engine.lessons.setting import document
from engine.lessons.steps import Stand, run_lanes, stand
from engine.lessons.writing import as_text
from engine.runs.trace import Trace
from gui.dialogs.job import Job, Tick
from gui.session.changes import Change, Changes
from gui.session.lane_view import LaneView
from gui.session.session import Session

KEEP_MS = 700  # after the last change, until the lesson is written to the file of its kind
SETTLED_MS = 120  # after the last change of a run, until the pages are compared with it
MET_SLICE, MET_MS = 0.008, 4  # seconds of a search between two events; milliseconds between
AT_ONCE_HIDDEN = tuple(name for name in HIDDEN if name != "future")
AT_ONCE_LOCKED = tuple(name for name in LOCKED if name != "timeline")
NO_STEP = "The lab shows no step: give it data that the method can take."
RUNS = Change.RUN | Change.STEPS | Change.UNIT
CHECKED = "The lesson could not be checked."


class Drafted(Record, eq=True):
    """A page, and what the lab showed where it was put; None where its run is not there yet."""

    page: Page
    seen: Seen | None = None


class Author(QObject):
    """The lesson that is being written. Data and lanes are those of the lab, whatever they become.

    changed: another list of pages, or another one is chosen; edited: the chosen page has other
    words; moved: the lab shows another step; checked: the faults were looked for, or are out of
    date; filed: the lesson was saved in the file with this path

    drafts: the pages; at: the number of the chosen one, from 0, −1 without one
    gone: for each page why the run no longer shows what it is about; '' where it does
    remark: a sentence about the lesson as a whole
    remarks: what the last check found, each with the number of its page or −1; None before
    saved: whether a file holds the lesson as it is
    """

    changed = Signal()
    edited = Signal()
    moved = Signal()
    checked = Signal()
    filed = Signal(str)

    def __init__(
        self,
        session: Session,
        preview: Callable[[Found, int], object],
        views: Callable[[], tuple[str, ...]],
        kept: Path,
    ) -> None:
        """preview: shows a page as a student sees it
        views: the names of the views that the stage shows
        kept: the file of a lesson that was not saved
        """
        super().__init__(session)
        self.session, self._preview, self.kept = session, preview, kept
        self._views, self._pictures = views, tuple[str, ...]()
        self.drafts: list[Drafted] = []
        self.at = -1
        self.gone: list[str] = []
        self.remark = ""
        self.remarks: list[tuple[int, str]] | None = None
        self.saved = True
        self.on = self._begun = False
        self.unit = session.unit
        self._waits = False  # for the step of the chosen page
        self._setup = Lesson("")
        self._job = Job(CHECKED)
        self._job.done.connect(self._on_done)
        self._then: Callable[[object], object] = lambda found: None
        self._keep = QTimer(self, singleShot=True, interval=KEEP_MS)
        self._keep.timeout.connect(self.keep)
        self._look = QTimer(self, singleShot=True, interval=SETTLED_MS)
        self._look.timeout.connect(self._on_settled)
        session.changed.connect(self._on_changed)

    # -- the lesson --------------------------------------------------------------------------------

    @property
    def lesson(self) -> Lesson:
        if self.on:
            self._pictures = self._views()
        view = replace(self._setup.view, pictures=self._pictures)
        return replace(self._setup, view=view, pages=tuple(each.page for each in self.drafts))

    @property
    def page(self) -> Page:
        return self.drafts[self.at].page

    def lanes_of(self, number: int) -> list[LaneView]:
        """The lanes of the lab that page `number` shows; all of them for −1."""
        views = self.session.lane_views
        lanes = self.drafts[number].page.lanes if number >= 0 else ()
        return [views[k - 1] for k in lanes if k <= len(views)] or list(views)

    def trace(self, number: int) -> Trace | None:
        """The run in which page `number` has its place, of the first of its lanes; None without a
        step.
        """
        found = self.lanes_of(number)[0].trace
        return found if found is not None and len(found) else None

    def moments(self, number: int) -> list[Moment]:
        """The lanes that page `number` shows, at the steps that the lab shows."""
        return [
            Moment(view.trace, view.cursor)
            for view in self.lanes_of(number)
            if view.trace is not None and len(view.trace)
        ]

    def stand(self, number: int) -> Stand | None:
        """Where page `number` stands in the runs of the lab; None where it stands nowhere."""
        if number < 0:
            return None
        traces = [moment.trace for moment in self.moments(number)]
        if len(traces) < len(self.lanes_of(number)):
            return None
        try:
            return stand(self.drafts[number].page, traces, self.unit)
        except EngineError:
            return None

    def open(self) -> None:
        """Begin to write, or go on: the lesson takes what the lab shows now."""
        self.on = True
        self._take_lab()
        self.look()
        self._restrict()
        self.changed.emit()

    def close(self) -> None:
        """Leave the lab to itself; the lesson is kept."""
        self.on = False
        self._job.cancel()
        self.session.restrict()
        self._cover()
        self.keep()

    # -- what is not saved yet ---------------------------------------------------------------------

    def keep(self) -> None:
        """Write the lesson into the file `kept`, or remove that where nothing is unsaved."""
        self._keep.stop()
        self._begun = self._begun or bool(self.drafts)
        if not self._begun:
            return  # it may hold what was written before the program was opened
        try:
            if self.saved or not self.drafts:
                self.kept.unlink(missing_ok=True)
            else:
                self.kept.parent.mkdir(parents=True, exist_ok=True)
                save_lesson(replace(self.lesson, digest=None), self.kept)
        except (OSError, EngineError) as refused:
            self.session.say(f"The lesson that you write could not be kept: {refused}", "fault")

    def left(self) -> Found | None:
        """The lesson that was not saved when the program ended; None without one, or where another
        was begun since.
        """
        found = open_lesson(self.kept) if self.kept.is_file() and not self._begun else None
        return found if found is not None and found.lesson and found.lesson.pages else None

    def take_up(self, found: Found) -> None:
        """Go on with a lesson: the lab shows its data and lanes. Raises EngineError for one that
        cannot be written here.
        """
        lesson = found.lesson
        if lesson is None or not lesson.pages:
            raise EngineError("This lesson has no page.")
        if found.files or len(lesson.lanes) > MAX_LANES:
            raise EngineError(
                f"This lesson brings files, or has more than {MAX_LANES} lanes: change its text."
            )
        made = document(replace(lesson, pages=(Page(),)), 0, found.files)
        if len(made.lanes) < len(lesson.lanes):
            raise EngineError("This lesson needs a method that this program does not have.")
        self.unit = lesson.view.unit
        self.session.set_unit(self.unit)
        self._setup = replace(lesson, pages=(), digest=None)
        self.drafts, self._begun = [Drafted(page) for page in lesson.pages], True
        self.at = 0
        self.session.open(made)
        self.open()
        self.choose(0)

    def name(self, **words: object) -> None:
        """Give the lesson a title, a source or minutes."""
        self._setup = replace(self._setup, **words)
        self._unsaved()
        self.edited.emit()

    def _take_lab(self) -> None:
        """Take data and lanes from the lab; where a lesson cannot hold them, say why."""
        if not self.drafts:
            self.unit = self.session.unit
        try:
            made = draft(self.session.document, self.unit)
        except EngineError as sentence:
            self.remark = str(sentence)
            return
        self.remark = ""
        named = self._setup
        kept = {
            name: getattr(named, name) for name in ("title", "source", "topic", "minutes", "key")
        }
        made = replace(made, **kept)
        if made != replace(named, pages=(), digest=None):
            self._setup = made
            self._unsaved()

    def _unsaved(self) -> None:
        self.saved = not self.drafts and not self._setup.title
        self._keep.start()
        if self.remarks is not None:
            self.remarks = None
            self.checked.emit()

    # -- pages -------------------------------------------------------------------------------------

    def add_page(self) -> None:
        """Add a page at the shown step, behind the chosen one."""
        trace = self.trace(-1)
        self.remark = "" if trace is not None else NO_STEP
        if trace is None:
            self.changed.emit()
            return
        if not self.drafts:
            self._take_lab()
        self._begun = True
        cursor = self.session.lane_views[0].cursor
        made = replace(page_at(trace, cursor, self.unit), title=f"Page {len(self.drafts) + 1}")
        self.drafts.insert(self.at + 1, Drafted(made, seen_at(made.where, trace, self.unit)))
        self._unsaved()
        self.choose(self.at + 1)

    def choose(self, number: int) -> None:
        """Choose a page: the lab shows its step."""
        if not 0 <= number < len(self.drafts):
            return
        self.at = number
        self.look()
        self._go()
        self._restrict()
        self.changed.emit()

    def step(self, way: int) -> None:
        """Choose the next page (1) or the one before (−1)."""
        if self.drafts:
            self.choose(min(max(self.at + way, 0), len(self.drafts) - 1))

    def _go(self) -> None:
        """Go to the step of the chosen page, at once or when it is recorded."""
        place = self.stand(self.at)
        session = self.session
        first = self.lanes_of(self.at)[0]
        self._waits = place is None and not first.finished
        if place is not None:
            session.player.pause()
            session.let_lead(first)
            session.seek(place.shown[0].cursor)

    def shift(self, way: int) -> None:
        """Move the chosen page up (−1) or down (1)."""
        self.put(self.at, self.at + way)

    def put(self, number: int, to: int) -> None:
        """Move a page to another place in their order."""
        if 0 <= number < len(self.drafts) and 0 <= to < len(self.drafts) and number != to:
            self.drafts.insert(to, self.drafts.pop(number))
            self.at = to
            self._unsaved()
            self.look()
            self.changed.emit()

    def remove(self) -> None:
        """Remove the chosen page; the message line brings it back."""
        if self.at < 0:
            return
        place, removed = self.at, self.drafts.pop(self.at)
        self.at = min(place, len(self.drafts) - 1)
        self._unsaved()
        self.look()
        self._restrict()
        self.changed.emit()
        title = f"Page “{removed.page.title}” is removed."
        self.session.offer(title, "Bring it back", lambda: self._bring_back(place, removed))

    def _bring_back(self, place: int, removed: Drafted) -> None:
        place = min(place, len(self.drafts))
        self.drafts.insert(place, removed)
        self._unsaved()
        self.choose(place)

    def change(self, page: Page) -> None:
        """Give the chosen page other words, or another task."""
        if self.at >= 0 and page != self.page:
            self.drafts[self.at] = replace(self.drafts[self.at], page=page)
            self._unsaved()
            self._restrict()
            self.edited.emit()

    def stand_at(self, where: Where) -> None:
        """Let the chosen page stand elsewhere, and go there."""
        trace = self.trace(self.at)
        if self.at < 0 or trace is None:
            return
        try:
            seen = seen_at(where, trace, self.unit)
        except EngineError as sentence:
            self.session.say(str(sentence))
            return
        self.drafts[self.at] = Drafted(replace(self.page, where=where), seen)
        self._unsaved()
        self.choose(self.at)

    def show_lanes(self, lanes: tuple[int, ...]) -> None:
        """Let the chosen page show these lanes, from 1, () for all. Where another one is the first,
        the page stands at the step that the lab shows of it.
        """
        if self.at < 0 or lanes == self.page.lanes:
            return
        before = self.lanes_of(self.at)[0]
        self.change(replace(self.page, lanes=lanes))
        if self.lanes_of(self.at)[0] is not before:
            self.take_step()
        self.look()
        self._go()
        self.changed.emit()

    def take_step(self) -> None:
        """Let the chosen page stand at the shown step, or ask about the one behind it as before."""
        trace = self.trace(self.at)
        if self.at >= 0 and trace is not None:
            cursor = self.lanes_of(self.at)[0].cursor
            self.stand_at(where_of(trace, cursor, self.unit, self.page.where.before))

    # -- after a change of the data ----------------------------------------------------------------

    def look(self) -> None:
        """Compare each page with the run: does it still show what the author saw?"""
        gone = []
        for number, each in enumerate(self.drafts):
            trace, view = self.trace(number), self.lanes_of(number)[0]
            if each.seen is None and trace is not None:
                each = self.drafts[number] = self._first_seen(each, trace, view.finished)
            finished = view.finished
            if missing := self._no_lane(each.page):
                gone.append(missing)
            elif trace is None or each.seen is None:
                gone.append("")
            elif finished or each.seen.step < len(trace):
                gone.append(lost(each.seen, each.page.where, trace, self.unit))
            else:
                gone.append("")  # not recorded yet
        if gone != self.gone:
            self.gone = gone
            self.changed.emit()

    def _no_lane(self, page: Page) -> str:
        """Why the lab cannot show a page: 'The lab has no lane C any more.'; '' where it can."""
        lost = [k for k in page.lanes if k > len(self.session.lane_views)]
        return f"The lab has no lane {LETTERS[lost[0] - 1]} any more." if lost else ""

    def _first_seen(self, drafted: Drafted, trace: Trace, finished: bool) -> Drafted:
        """With what the lab shows where the page stands, once that is recorded."""
        try:
            return replace(drafted, seen=seen_at(drafted.page.where, trace, self.unit))
        except EngineError:
            if not finished:
                return drafted
            where = drafted.page.where  # the run never comes there
            return replace(drafted, seen=Seen(where.step, where.step, where.event))

    def _on_settled(self) -> None:
        """The run has changed, and goes on no more for a moment."""
        self.look()
        if self._waits:
            self._go()
        self.moved.emit()

    def find_again(self) -> None:
        """Let the chosen page stand where its event is now, or say that there is none."""
        trace = self.trace(self.at)
        if self.at < 0 or trace is None:
            return
        if self._no_lane(self.page):
            there = len(self.session.lane_views)
            self.change(replace(self.page, lanes=tuple(k for k in self.page.lanes if k <= there)))
            self.take_step()
            return
        seen, page = self.drafts[self.at].seen or Seen(0, 0), self.page
        try:
            where = found_again(seen, page.where, trace, self.unit)
        except EngineError as sentence:
            self.gone[self.at] = str(sentence)
            self.changed.emit()
            return
        self.stand_at(where)

    def _restrict(self) -> None:
        """Hide and lock in the lab what the chosen page does, but for the timeline, by which pages
        are found.
        """
        page = self.page if self.at >= 0 else Page()
        self.session.restrict(
            (name for name in page.hide if name in AT_ONCE_HIDDEN),
            (name for name in page.lock if name in AT_ONCE_LOCKED),
        )
        self._cover()

    def _cover(self) -> None:
        """Cover what comes after the step of a page that hides the future, while it is shown."""
        session = self.session
        hides = self.on and self.at >= 0 and "future" in self.page.hide
        place = self.stand(self.at) if hides else None
        first = self.lanes_of(self.at)[0]
        covered = place is not None and place.shown[0].cursor == first.cursor
        if session.predicting.on:
            return
        with session.at_once():
            for view in session.lane_views:
                if view.veiled != covered:
                    view.veiled = covered
                    view.announce(Change.VEIL)

    def _on_changed(self, changes: Changes) -> None:
        if not self.on:
            return
        if changes.window & Change.DOCUMENT:
            self._take_lab()
            self._look.start()
        if changes.anywhere() & RUNS:
            self._look.start()
        if changes.anywhere() & (RUNS | Change.CURSOR):
            self._cover()
        if changes.anywhere() & Change.CURSOR and not self.session.player.playing:
            self.moved.emit()

    # -- what becomes of it ------------------------------------------------------------------------

    def found(self) -> Found:
        """The lesson as a file would hold it."""
        return lesson_of(as_text(replace(self.lesson, digest=None)))

    def preview(self) -> None:
        """Show the chosen page as a student sees it."""
        if self.at >= 0:
            self._preview(self.found(), self.at)

    def check(self) -> None:
        """Look for faults in the background; `remarks` has them then."""
        found = self.found()
        self._start(
            lambda tick: _remarks(found, lambda: not tick(0.0)),
            self._on_checked,
        )

    def _on_checked(self, found: object) -> None:
        if isinstance(found, list):
            self.remarks = found
        else:
            self.remarks = [(-1, str(found))]
        self.checked.emit()

    def save(self, path: str) -> None:
        """Save the lesson, with its faults too; its digest follows when the runs are made."""
        lesson = replace(self.lesson, digest=None)
        try:
            save_lesson(lesson, path)
        except EngineError as sentence:
            self.session.say(str(sentence), "fault")
            return
        self.saved = True
        self.keep()
        self.edited.emit()
        self.filed.emit(path)
        name = Path(path).name
        self.session.say(f"Saved as {name}: one file to mail.")

        def complete(made: object) -> None:
            if isinstance(made, EngineError):
                self.session.say(f"{name} is saved without a digest: {made}")

        self._start(lambda tick: _save_with_digest(lesson, path, lambda: not tick(0.0)), complete)

    def _start(self, work: Callable[[Tick], object], then: Callable[[object], object]) -> None:
        self._then = then
        self._job.start(work)

    def _on_done(self, found: object) -> None:
        self._then(found)


def _save_with_digest(lesson: Lesson, path: str, stop: Callable[[], bool]) -> None:
    """Save the lesson once more with what its runs are; raises EngineError."""
    traces: dict[int, Trace] = {}
    for page in range(len(lesson.pages)):
        run_lanes(lesson, page, {}, traces, stop)
    if not stop():
        save_lesson(replace(lesson, digest=digest_of(lesson, {}, traces)), path)


def _remarks(found: Found, stop: Callable[[], bool]) -> list[tuple[int, str]]:
    """The faults of a lesson, each once, with the number of its page, from 0, or −1."""
    said = [(page_of(found, fault), fault.sentence) for fault in check(found, stop)]
    if found.lesson is not None:
        for number, page in enumerate(found.lesson.pages):
            wrong = page.task.wrong if page.task is not None else ()
            said += [
                (number, f"The wrong answer “{answer}” has no reply yet.")
                for answer, reply in wrong
                if not reply
            ]
    return list(dict.fromkeys(said))


def page_of(found: Found, fault: Fault) -> int:
    """The number of the page, from 0, in which a fault stands; −1 for the lesson as a whole."""
    pages = len(found.lesson.pages) if found.lesson is not None else 0
    lines: Sequence[int] = [found.notes.lines.get(("page", k), 0) for k in range(pages)]
    return max((k for k, line in enumerate(lines) if 0 < line <= fault.line), default=-1)


def slices(tried: Iterator[int | None]) -> Iterator[int | None]:
    """Goes on with a search for a moment at each step: None while it goes on, then what it found,
    −1 for nothing.
    """
    while True:
        end = time.perf_counter() + MET_SLICE
        while time.perf_counter() < end:
            try:
                met = next(tried)
            except StopIteration:
                yield -1
                return
            if met is not None:
                yield met
                return
        yield None
