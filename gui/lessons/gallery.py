"""The start page: all lessons with their pictures, the courses, and ways to begin."""

import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QMenu,
    QPushButton,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from engine.base.notation import counted
from engine.lessons.library import Course, Head, courses, heads, ready, shipped
from engine.lessons.progress import Progress, Shelf
from gui.base.guard import guarded, guarded_filter
from gui.lessons.gallery_cards import HEAD, PICTURE, CardList, Index, Lessons, card_size
from gui.lessons.gallery_courses import CourseList
from gui.lessons.gallery_start import HIGH, ContinueBar, RecentCard, StartCard, Ways
from gui.lessons.thumbnails import Thumbnails
from gui.look import style, theme
from gui.predict.predict_score import folding_label
from gui.widgets.controls import SearchField, Segments, describe, label

SIDE = 216  # pixels of the column of sources and topics
TALL = 680  # pixels of a page with room for the cards of the beginnings
WIDE = 940  # pixels of a window with room for the order
SLICE, AGAIN = 0.008, 0.3  # seconds of reading between two events; until more are shown
ALL = "All lessons"
ORDERS = ("chapter", "name", "length")
LESSONS, COURSES = "lessons", "courses"
EMPTY = "No {} these words. Escape clears the search."


def thumbnails(folder: Path) -> Thumbnails:
    """Makes pictures as the cards show them. folder: where they are kept"""
    high = style.scale(theme.current(), PICTURE)
    return Thumbnails(folder, QSize(card_size().width() - 4, high))


class Gallery(QFrame):
    """Covers the window below its menu row.

    opened: a lesson was chosen, its path, with the course that it belongs to or None; closed: the
    page was left
    """

    opened = Signal(str, object)
    closed = Signal()

    def __init__(
        self, ground: QWidget, shelf: Shelf, pictures: Path, ways: Ways, top: Callable[[], int]
    ) -> None:
        """ground: the widget that it covers, from `top()` pixels on
        pictures: the folder where pictures of lessons are kept
        """
        super().__init__(ground)
        style.mark(self, "row")
        self.ground, self.shelf, self.ways, self._top = ground, shelf, ways, top
        self.setAccessibleName("Lessons")
        self.all: list[Head] = []
        self.sittings: tuple[Course, ...] = ()
        self._reading: Iterator[Head] | None = None
        self._shown = 0.0  # when those that were read so far were shown
        self._source = self._topic = ""
        self.lessons = Lessons()
        self.thumbnails = thumbnails(pictures)
        self.thumbnails.made.connect(self._on_made)
        self._build()
        self._more = QTimer(self, singleShot=True, interval=0)
        self._more.timeout.connect(self._read)
        self.hide()
        ground.installEventFilter(self)

    def _on_made(self, _: object) -> None:
        # a method, not a lambda: Qt takes the connection away together with the gallery
        self.list.viewport().update()

    # -- layout ------------------------------------------------------------------------------------

    def _build(self) -> None:
        self.list = CardList(self.lessons, self.thumbnails)
        self.list.clicked.connect(self._open)
        self.list.activated.connect(self._open)
        self.courses = CourseList()
        self.courses.opened.connect(lambda course, head: self._go(head, course))
        self.pages = QStackedWidget()
        self.pages.addWidget(self.list)
        self.pages.addWidget(self.courses)
        self.none, self.said = folding_label("muted"), folding_label("body")
        self.said.hide()
        self.start = StartCard(
            lambda: self._leave_for(self.ways.empty), lambda: self._leave_for(self.ways.table)
        )
        self.recent = RecentCard(lambda: self._leave_for(self.ways.table))
        self.recent.opened.connect(lambda path: self._leave_for(lambda: self.ways.file(path)))
        self.continuing = ContinueBar()
        self.continuing.wanted.connect(self._continue)
        self.beginnings = QWidget()
        self.beginnings.setFixedHeight(style.scale(theme.current(), HIGH))
        band = QHBoxLayout(self.beginnings)
        band.setContentsMargins(0, 0, 0, 0)
        band.setSpacing(16)
        band.addWidget(self.start, 3)
        band.addWidget(self.recent, 2)
        right = QVBoxLayout()
        right.setContentsMargins(24, 16, 24, 16)
        right.setSpacing(12)
        right.addWidget(self.beginnings)
        right.addLayout(self._head())
        right.addWidget(self.said)
        right.addWidget(self.none)
        right.addWidget(self.pages, 1)
        right.addWidget(self.continuing)
        whole = QHBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(self._side())
        whole.addLayout(right, 1)

    def _head(self) -> QHBoxLayout:
        self.kind = Segments((LESSONS, COURSES), accessible="What is listed")
        self.kind.picked.connect(lambda _: self._show())
        self.search = SearchField("Search lessons and courses")
        self.search.textChanged.connect(lambda _: self._show())
        self.search.moved.connect(lambda _: self.pages.currentWidget().setFocus())
        self.search.chosen.connect(self._open_first)
        self.order = Segments(ORDERS, accessible="Order")
        self.order.picked.connect(lambda _: self._show())
        self.count = label("", "muted")
        self.menu = QPushButton("More")
        describe(
            self.menu, "More", "Ways to begin, and your progress: carry it away, bring it back"
        )
        self.menu.setMenu(self._menu())
        leave = QPushButton("To the lab")
        describe(leave, "To the lab", "Close this page (Esc)")
        leave.clicked.connect(lambda *_: self.leave())
        line = QHBoxLayout()
        line.setSpacing(10)
        line.addWidget(self.kind)
        line.addWidget(self.count)
        line.addWidget(self.search, 1)
        for part in (self.order, self.menu, leave):
            line.addWidget(part)
        return line

    def _menu(self) -> QMenu:
        """Ways to begin, which low windows show here alone, what can be done with the progress on
        this machine, and when this page is shown.
        """
        menu = QMenu(self)
        menu.addAction("Empty plane", lambda: self._leave_for(self.ways.empty))
        menu.addAction("Open a table…", lambda: self._leave_for(self.ways.table))
        menu.addSeparator()
        menu.addAction("Carry progress away as a file…", lambda: self._after(self.ways.carry))
        menu.addAction("Bring progress back from a file…", lambda: self._after(self.ways.bring))
        menu.addAction("Forget all progress…", lambda: self._after(self.ways.forget))
        menu.addSeparator()
        self.first = menu.addAction("The program starts with this page", self.ways.start_with)
        self.first.setCheckable(True)
        menu.aboutToShow.connect(lambda: self.first.setChecked(self.ways.first()))
        return menu

    def _after(self, effect: Callable[[], str]) -> None:
        """Change the progress, and say what became of it."""
        said = effect()
        self.said.setText(said)
        self.said.setVisible(bool(said))
        self._read_progress()
        self._show()

    def _side(self) -> QWidget:
        side = self.side = QFrame()
        style.mark(side, "dock")
        side.setFixedWidth(style.scale(theme.current(), SIDE))
        column = QVBoxLayout(side)
        column.setContentsMargins(12, 16, 12, 16)
        self.sources, self.topics = QListWidget(), QListWidget()
        for words, part in (("Source", self.sources), ("Topic", self.topics)):
            style.mark(part, "flat")
            part.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
            describe(part, words)
            part.setToolTip("")
            column.addWidget(label(words, "heading"))
            column.addWidget(part, 1)
        self.sources.currentItemChanged.connect(lambda now, _: self._choose("_source", now))
        self.topics.currentItemChanged.connect(lambda now, _: self._choose("_topic", now))
        return side

    # -- coming and going --------------------------------------------------------------------------

    def begin(self) -> None:
        """Show the page, and read the lessons that there are."""
        self._read_progress()
        self.said.hide()
        self.recent.show_paths(self.ways.recent())
        self._cover()
        self.show()
        self.raise_()
        self.search.setFocus()
        if not self.all and self._reading is None:
            self._reading = iter(shipped()) if ready() else heads()
            self._more.start()
        else:
            self._show()

    def _read_progress(self) -> None:
        self.lessons.progress = {each.lesson: each for each in reversed(self.shelf.all())}

    def leave(self) -> None:
        """Go back to the lab."""
        if self.isVisible():
            self.thumbnails.stop()
            self.hide()
            self.closed.emit()

    def _leave_for(self, effect: Callable[[], object]) -> None:
        self.leave()
        effect()

    @property
    def _wide(self) -> bool:
        """Whether the line over the cards has room for all its parts."""
        return self.ground.width() >= style.scale(theme.current(), WIDE)

    def _cover(self) -> None:
        whole = self.ground.rect()
        top = self._top()
        self.beginnings.setVisible(whole.height() - top >= style.scale(theme.current(), TALL))
        self.order.setVisible(self.kind.value() == LESSONS and self._wide)
        self.count.setVisible(self._wide)
        self.setGeometry(0, top, whole.width(), whole.height() - top)
        self.raise_()

    @guarded_filter
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.ground and event.type() == QEvent.Type.Resize and self.isVisible():
            self._cover()
        return super().eventFilter(watched, event)

    @guarded
    def event(self, event: QEvent) -> bool:
        """Keep keys without Ctrl from the shortcuts of the lab."""
        override = event.type() == QEvent.Type.ShortcutOverride
        if not override or not isinstance(event, QKeyEvent):
            return super().event(event)
        if not event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            event.accept()
            return True
        return super().event(event)

    @guarded
    def changeEvent(self, event: QEvent) -> None:
        """Follow the type of another theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange and hasattr(self, "side"):
            look = theme.current()
            self.side.setFixedWidth(style.scale(look, SIDE))
            self.beginnings.setFixedHeight(style.scale(look, HIGH))
            self.list.fill()
            QTimer.singleShot(0, self, self._cover)  # when the menu row has its new height

    @guarded
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.leave()
        else:
            super().keyPressEvent(event)

    # -- what is listed ----------------------------------------------------------------------------

    def _read(self) -> None:
        """Read lessons for a moment, and go on after the events that wait."""
        end = time.perf_counter() + SLICE
        while self._reading is not None and time.perf_counter() < end:
            found = next(self._reading, None)
            if found is None:
                self._reading = None
            else:
                self.all.append(found)
        if self._reading is None:
            self.sittings = courses(known=self.all).courses
            self._count()
            self._show()
            return
        self._more.start()
        if end - self._shown > AGAIN:  # to lay them out takes longer than to read them
            self._shown = end
            self._show()

    def _count(self) -> None:
        """List sources and topics with their counts."""
        for part, name, counts in (
            (self.sources, self._source, Counter(source_of(head) for head in self.all)),
            (self.topics, self._topic, Counter(head.topic for head in self.all)),
        ):
            part.blockSignals(True)
            part.clear()
            rows = [("", len(self.all)), *sorted(counts.items())]
            for words, count in rows:
                item = QListWidgetItem(f"{words or ALL}  {count}")
                item.setData(HEAD, words)
                part.addItem(item)
                if words == name:
                    part.setCurrentItem(item)
            part.blockSignals(False)
        high = self.sources.count() * self.sources.sizeHintForRow(0) + 8
        self.sources.setFixedHeight(min(high, self.height() // 2))

    def _choose(self, which: str, item: QListWidgetItem | None) -> None:
        if item is not None:
            setattr(self, which, item.data(HEAD))
            self.kind.set_value(LESSONS)
            self._show()

    def _show(self) -> None:
        """List what is searched for, of the chosen source and topic, in the chosen order."""
        words = as_typed(self.search.text()).split()
        listed = self.kind.value()
        self.order.setVisible(listed == LESSONS and self._wide)
        self.count.setVisible(self._wide)
        self.thumbnails.forget()
        if listed == COURSES:
            found, total = self._show_courses(words), len(self.sittings)
        else:
            found, total = self._show_lessons(words), len(self.all)
        self.pages.setCurrentWidget(self.courses if listed == COURSES else self.list)
        self.count.setText(f"{found} of {total}" if found < total else str(total or ""))
        what = "course has" if listed == COURSES else "lesson has"
        self.none.setText(EMPTY.format(what))
        self.none.setVisible(not found and self._reading is None)
        self._offer()

    def _show_lessons(self, words: list[str]) -> int:
        rows = [
            head
            for head in self.all
            if self._source in ("", source_of(head))
            and self._topic in ("", head.topic)
            and all(word in searched(head) for word in words)
        ]
        order = self.order.value()
        if order == "name":
            rows.sort(key=lambda head: head.title.casefold())
        elif order == "length":
            rows.sort(key=lambda head: head.minutes)
        self.lessons.show_rows(rows)
        return len(rows)

    def _show_courses(self, words: list[str]) -> int:
        wanted = {
            course.key
            for course in self.sittings
            if all(word in searched_course(course) for word in words)
        }
        self.courses.show_courses(self.sittings, self.lessons.progress, wanted)
        return len(wanted)

    def _offer(self) -> None:
        """Offer to go on with the lesson that was left last."""
        found = self._left_last()
        if found is None:
            self.continuing.show_words("", "")
            return
        head, progress = found
        done = sum(1 for answer in progress.answers if answer.right)
        tasks = counted(sum(1 for answer in progress.answers if answer.kind), "task")
        self.continuing.show_words(
            f"Continue “{head.title}” at page {progress.page + 1} of {head.pages}",
            f"{done} of {tasks} right so far",
        )

    def _left_last(self) -> tuple[Head, Progress] | None:
        by_key = {head.key: head for head in self.all}
        for key, progress in reversed(self.lessons.progress.items()):
            head = by_key.get(key)
            if head is not None and head.title == progress.title and not progress.done:
                return head, progress
        return None

    def _continue(self) -> None:
        if (found := self._left_last()) is not None:
            self._go(found[0])

    def _open(self, index: Index) -> None:
        head = index.data(HEAD)
        if head is not None:
            self._go(head)

    def _open_first(self) -> None:
        """Open the first lesson that was found, or go on with the first course."""
        shown = [card for card in self.courses.cards if not card.isHidden()]
        if self.kind.value() == LESSONS and self.lessons.rows:
            self._go(self.lessons.rows[0])
        elif self.kind.value() == COURSES and shown:
            shown[0].go_on.click()

    def _go(self, head: Head, course: Course | None = None) -> None:
        self.leave()
        self.opened.emit(str(head.path), course)


def as_typed(words: str) -> str:
    return " ".join(words.casefold().split())


def source_of(head: Head) -> str:
    """The text of a lesson without its chapter: 'MMDS'."""
    return head.source.partition(" ")[0] or "Others"


def searched(head: Head) -> str:
    """What the search looks through."""
    parts = (head.key, head.title, head.source, head.topic, head.data, *head.methods)
    return as_typed(" ".join(parts)).replace("_", " ")


def searched_course(course: Course) -> str:
    """What the search looks through in a course: its words and those of its lessons."""
    own = as_typed(f"{course.key} {course.title} {course.about}")
    return " ".join([own, *map(searched, course.lessons)])
