"""The row “What next?” after a run: two prepared changes and the lesson that fits."""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QKeySequence, QPixmap, QShortcut
from PySide6.QtWidgets import QAbstractButton, QFrame, QHBoxLayout, QVBoxLayout, QWidget

from engine.base.errors import EngineError
from engine.base.notation import counted
from engine.base.records import cached_property
from gui.lessons.next_card import NextCard, picture_size
from gui.lessons.quiet import quiet
from gui.look import style, theme
from gui.session.changes import Change, Changes
from gui.session.lane_view import LaneView
from gui.session.session import Session
from gui.widgets.controls import label

if TYPE_CHECKING:  # imported at the end of the first run
    from engine.document.what_next import WhatIf
    from engine.lessons.library import Head
    from engine.runs.trace import Trace
    from gui.lessons.thumbnails import Starts, Thumbnails

HIGH, LEAST_WINDOW = 80, 640  # pixels of the row; of a window that has room for it
WORDS = 96  # pixels of the words before the cards
SLICE_MS = 20  # between two lessons that are read
SOON_MS = 200  # until what came of a run follows its growth
REST_MS = 700  # on the last step, to which a hand has gone, until the row comes
GROWN = Change.STEPS | Change.RUN | Change.CURSOR | Change.UNIT


class WhatNext(QFrame):
    """Shown on the last step of a run that has ended; × and Esc hide it for this run.

    It never comes while steps are played, in Predict and in a lesson. In a low window a button
    brings it.

    appeared: the row came or went; lesson_wanted: the path of a lesson
    known: the lessons that were read so far
    """

    appeared = Signal()
    lesson_wanted = Signal(str)

    def __init__(
        self,
        session: Session,
        busy: Callable[[], bool],
        button: QAbstractButton,
        thumbnails: "Callable[[], Thumbnails]",
    ) -> None:
        """busy: whether a lesson is open
        button: shows the row in a low window
        thumbnails: makes the pictures of lessons
        """
        super().__init__()
        style.mark(self, "dock")
        self.session, self._busy, self.button = session, busy, button
        self._make_thumbnails = thumbnails
        self.setAccessibleName("What next?")
        self.cards: list[NextCard] = []
        self.changes: list[WhatIf] = []
        self.lesson: Head | None = None
        self._of: Trace | None = None  # the run after which the row comes
        self._closed: Trace | None = None  # the run for which it was hidden
        self._passing: Trace | None = None  # a run that has ended, of which an earlier step shows
        self._was_playing = self._called = False
        self._dressed = theme.current()  # the theme of the cards
        self.known: list[Head] = []
        self._reading: Iterator[Head] | None = None
        self._build()
        self._more = self._timer(SLICE_MS, self._read)
        self._soon = self._timer(SOON_MS, self._tell)
        self._rest = self._timer(REST_MS, self._offer_at_rest)
        button.clicked.connect(self._call)
        button.hide()
        self.hide()
        session.changed.connect(self._on_changed)

    def _timer(self, wait: int, effect: Callable[[], None]) -> QTimer:
        made = QTimer(self, singleShot=True, interval=wait)
        made.timeout.connect(effect)
        return made

    def _build(self) -> None:
        words = QWidget()
        words.setFixedWidth(style.scale(theme.current(), WORDS))
        column = QVBoxLayout(words)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addStretch(1)
        column.addWidget(label("What next?", "heading"))
        self.about = label("", "caption")
        self.about.setWordWrap(True)
        column.addWidget(self.about)
        column.addStretch(1)
        self.line = QHBoxLayout(self)
        self.line.setContentsMargins(16, 0, 8, 0)
        self.line.setSpacing(10)
        self.line.addWidget(words)
        self.close_button = quiet("close", "Hide this row for this run (Esc)", self.dismiss)
        self.line.addWidget(self.close_button)
        for k in range(3):
            key = QShortcut(QKeySequence(f"Alt+{k + 1}"), self)
            key.activated.connect(lambda k=k: self._take_nth(k))

    # -- when it comes -----------------------------------------------------------------------------

    def _on_changed(self, changes: Changes) -> None:
        session = self.session
        playing = session.player.playing
        ended = self._was_playing and not playing
        self._was_playing = playing
        view = session.lane_view if session.lane_view.at_end else session.lead
        if ended and view.at_end:
            self._begin(view.trace)
        self._watch(view)
        if self._of is not None:
            self._follow(bool(changes.window & (Change.DOCUMENT | Change.LANES)))
            if not self.isHidden() and changes.anywhere() & GROWN and not self._soon.isActive():
                self._soon.start()

    def _watch(self, view: LaneView) -> None:
        """Notice a hand that goes to the last step of a run from an earlier one."""
        trace = view.trace
        resting = trace is not None and view.finished and not view.pending
        if not view.at_end:
            self._passing = trace if resting else None
            self._rest.stop()
        elif self._passing is trace and trace is not self._of:
            self._passing = None
            self._rest.start()

    def _offer_at_rest(self) -> None:
        view = self.session.lane_view
        if view.at_end and not self.session.player.playing:
            self._begin(view.trace)
            self._follow(False)

    def _begin(self, trace: "Trace | None") -> None:
        origin = self.origin
        if origin is not None and origin.at_end:
            return  # the lanes that came of a run leave the row to it
        if trace is None or trace is self._of or trace is self._closed:
            return
        self._of, self._called = trace, False
        self._prepare()

    @property
    def origin(self) -> LaneView | None:
        """The lane of the run after which the row comes; None once it is gone."""
        views = self.session.lane_views if self._of is not None else []
        return next((view for view in views if view.trace is self._of), None)

    def _wanted(self) -> bool:
        session, view = self.session, self.origin
        return (
            view is not None
            and view.at_end
            and self._of is not self._closed
            and not session.player.playing
            and not session.predicting.on
            and not self._busy()
            and theme.current().name != "projector"
            and self._count > 0
        )

    def _follow(self, edited: bool) -> None:
        """Come or go; edited: whether the document is another one."""
        if self._of is not None and self.origin is None:
            self._of = None
            self._starts_stop()
        wanted = self._wanted()
        if wanted and (edited or len(self.cards) < self._count):
            self._fill()
        low = self.window().height() < LEAST_WINDOW
        self._called = self._called and wanted
        if self.button.isHidden() == (wanted and low):
            self.button.setVisible(wanted and low)
            self.appeared.emit()
        self._show(wanted and (self._called or not low))

    def _show(self, shown: bool) -> None:
        if not shown:
            self._preview(None)
        if shown == self.isHidden():
            if shown:
                self.setFixedHeight(style.scale(theme.current(), HIGH))
                self._tell()
            self.setVisible(shown)
            self.appeared.emit()

    def room_changed(self) -> None:
        """Come, go, or leave it to the button in a window of another height or theme."""
        if self._of is None:
            return
        if self._dressed is not theme.current():
            self._drop()
        self._follow(False)

    def _call(self) -> None:
        """Show the row in a low window, or hide it again."""
        self._called = not self._called
        self._follow(False)

    def dismiss(self) -> bool:
        """Hide the row for this run; returns whether it was shown."""
        shown = not self.isHidden()
        if shown:
            self._closed = self._of
            self._follow(False)
        return shown

    # -- what it shows -----------------------------------------------------------------------------

    def _prepare(self) -> None:
        """Find the changes of this run, and the lesson that fits."""
        from engine.document.what_next import what_ifs
        from engine.lessons.library import heads

        view = self.origin
        if view is None:
            return
        self.changes = what_ifs(self.session.document, view.place, view.problem, self._of)
        self._drop()
        self.lesson = self._fitting(view)
        if not self.known and self._reading is None:
            self._reading = heads()
            self._more.start()

    def _read(self) -> None:
        """Read one more lesson, then let the window go on."""
        found = next(self._reading, None) if self._reading is not None else None
        if found is not None:
            self.known.append(found)
            self._more.start()
            return
        self._reading = None
        view = self.origin
        if view is not None:
            self.lesson = self._fitting(view)
            self._follow(False)

    def _fitting(self, view: LaneView) -> "Head | None":
        """The lesson about this method alone; one on the same data before others, then one of the
        text that the method is from.
        """
        method, origin = view.algorithm, view.data.origin
        data = origin.generator if origin is not None else view.data.name
        text = str(method.source[0]).partition(" ")[0] if method.source else ""
        fitting = [head for head in self.known if method.key in head.methods[:1]]

        def strangeness(head: "Head") -> tuple[bool, bool, bool, str]:
            other = head.source.partition(" ")[0] != text
            return head.data != data, len(head.methods) > 1, other, head.key

        return min(fitting, key=strangeness, default=None)

    def _drop(self) -> None:
        for card in self.cards:
            self.line.removeWidget(card)
            card.hide()
            card.deleteLater()
        self.cards = []

    def _fill(self) -> None:
        """Make the cards that are not there, and tell what is true of all of them now."""
        rows = [(each.name, each.badge, partial(self.take, each)) for each in self.changes]
        if self.lesson is not None:
            rows.append((self.lesson.title, "", partial(self._open, self.lesson.path)))
        new = list(enumerate(rows))[len(self.cards) :]
        for k, (name, badge, effect) in new:
            card = NextCard(self, name, f"Alt {k + 1}", badge)
            card.clicked.connect(lambda *_, run=effect: run())
            card.pointed.connect(lambda on, k=k: self._preview(k if on else None))
            self.line.insertWidget(1 + k, card, 1)
            self.cards.append(card)
        if new:
            self._dressed = theme.current()
            self._draw(changes_too=new[0][0] == 0)
        self._tell()

    @property
    def _lesson_card(self) -> NextCard | None:
        return self.cards[-1] if len(self.cards) > len(self.changes) else None

    @property
    def _count(self) -> int:
        """The number of cards."""
        return len(self.changes) + (self.lesson is not None)

    def _tell(self) -> None:
        """Tell the question of each change, or what came of it."""
        from engine.document.document import MAX_LANES
        from engine.document.lane_edits import FULL, LETTERS
        from engine.document.what_next import taken

        view, document = self.origin, self.session.document
        if view is None or not self.cards:
            return
        full = FULL if len(document.lanes) == MAX_LANES else ""
        several = False
        for card, change in zip(self.cards, self.changes, strict=False):
            place = taken(document, view.place, change)
            if place is None:
                card.tell(change.question, refused=full)
            else:
                several = True
                card.tell(f"Lane {LETTERS[place]}: {self._outcome(place)}", taken=True)
        if self._lesson_card is not None and self.lesson is not None:
            self._lesson_card.tell(f"Lesson, {counted(self.lesson.pages, 'page')}")
        after = f"after lane {LETTERS[view.place]}"
        self.about.setText(after if several else "each opens beside")

    def _outcome(self, place: int) -> str:
        """What came of the lane at this place, as far as it is recorded."""
        from engine.judge.outcome import came_of

        view = self.session.lane_views[place]
        if view.trace is None or self._of is None or not len(view.trace):
            return view.error or "it begins"
        return came_of(view.trace, self._of, self.session.unit) + "."

    # -- pictures ----------------------------------------------------------------------------------

    @cached_property
    def _starts(self) -> "Starts":
        from gui.lessons.thumbnails import Starts

        found = Starts()
        found.made.connect(self._on_start)
        return found

    def _starts_stop(self) -> None:
        if "_starts" in self.__dict__:
            self._starts.stop()

    @cached_property
    def _thumbnails(self) -> "Thumbnails":
        found = self._make_thumbnails()
        found.made.connect(self._on_lesson)
        return found

    def _draw(self, changes_too: bool) -> None:
        """Draw the lesson, and the changes if their cards are new."""
        if changes_too:
            self._starts.make(self.changes, self.session.document, picture_size())
        if self._lesson_card is not None and self.lesson is not None:
            self._lesson_card.show_picture(self._thumbnails.picture(self.lesson))

    def _on_start(self, number: int, picture: QPixmap) -> None:
        if number < min(len(self.changes), len(self.cards)):
            self.cards[number].show_picture(picture)

    def _on_lesson(self, head: "Head") -> None:
        if self._lesson_card is not None and head is self.lesson:
            self._lesson_card.show_picture(self._thumbnails.picture(head))

    def _preview(self, number: int | None) -> None:
        """Show on the plane what a change would bring; None: nothing."""
        view = self.origin
        there = number is not None and number < len(self.changes) and not self.cards[number].taken
        marks = self.changes[number].marks if number is not None and there else ()
        for each in self.session.lane_views:
            each.show_coming(marks if each is view else ())

    # -- what it does ------------------------------------------------------------------------------

    def _take_nth(self, number: int) -> None:
        if not self.isHidden() and number < len(self.cards):
            self.cards[number].click()

    def take(self, change: "WhatIf") -> None:
        """Open a change as a lane beside, as one edit; of one that was taken, go to its lane."""
        from engine.document.what_next import take, taken

        session, view = self.session, self.origin
        if view is None:
            return
        place = taken(session.document, view.place, change)
        if place is not None:
            session.activate(place)
            return
        try:
            document, lane = take(session.document, view.place, change)
        except EngineError as sentence:
            session.say(str(sentence), "error")
            return
        self._preview(None)
        session.set_lanes(document, f"what if: {change.name}", lane)

    def _open(self, path: Path) -> None:
        self.dismiss()
        self.lesson_wanted.emit(str(path))
