"""The start page: all lessons with their pictures, by source and topic, and ways to begin."""

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRect,
    QRectF,
    QSize,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import QKeyEvent, QPainter, QPen
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QListView,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from engine.base.notation import counted
from engine.base.records import Record
from engine.lessons.library import Head, heads
from engine.lessons.progress import Progress, Shelf
from gui.base.guard import guarded, guarded_filter
from gui.lessons.thumbnails import Thumbnails
from gui.look import style, theme
from gui.look.ink import face, write, write_right
from gui.predict.predict_score import folding_label
from gui.widgets.controls import SearchField, Segments, describe, label

CARD, PICTURE, GAP = (240, 178), 124, 16  # pixels of a card, of its picture, between two cards
SIDE = 216  # pixels of the column of sources and topics
WIDE = 1_100  # pixels of a window with room for the files used last
SLICE = 0.008  # seconds of reading between two events
ALL = "All lessons"
ORDERS = ("chapter", "name", "length")
HEAD = int(Qt.ItemDataRole.UserRole)
EMPTY = "No lesson has these words. Escape clears the search."
Index = QModelIndex | QPersistentModelIndex


class Ways(Record):
    """What the start page opens: an empty plane, a table, a file, a lesson."""

    empty: Callable[[], object]
    table: Callable[[], object]
    file: Callable[[str], object]
    recent: Callable[[], Sequence[str]]


class Lessons(QAbstractListModel):
    """The lessons that are listed, in their order."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[Head] = []
        self.progress: dict[str, Progress] = {}

    def show_rows(self, rows: Sequence[Head]) -> None:
        self.beginResetModel()
        self.rows = list(rows)
        self.endResetModel()

    @guarded
    def rowCount(self, parent: Index = QModelIndex()) -> int:
        return 0 if parent.isValid() else len(self.rows)

    @guarded
    def data(self, index: Index, role: int = 0) -> Any:
        if not 0 <= index.row() < len(self.rows):
            return None
        head = self.rows[index.row()]
        if role == HEAD:
            return head
        if role in (int(Qt.ItemDataRole.AccessibleTextRole), int(Qt.ItemDataRole.DisplayRole)):
            return f"{head.title}, {head.source}, {head.minutes} minutes, {self.mark(head)}"
        return None

    def mark(self, head: Head) -> str:
        """'done', 'page 3 of 8' where it was begun, or '' ."""
        found = self.progress.get(head.key)
        if found is None or found.title != head.title:
            return ""
        if found.done:
            return "✓ done"
        begun = any(answer.reached for answer in found.answers)
        return f"page {found.page + 1} of {head.pages}" if begun else ""


class LessonCard(QStyledItemDelegate):
    """Paints a lesson: its picture, title, source, minutes and mark."""

    def __init__(self, lessons: Lessons, thumbnails: Thumbnails) -> None:
        super().__init__()
        self.lessons, self.thumbnails = lessons, thumbnails

    @guarded
    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return card_size() + QSize(GAP, GAP)

    @guarded
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        head = index.data(HEAD)
        if head is None:
            return
        look = theme.current()
        size = card_size()
        area = QRect(option.rect.topLeft(), size)
        state = option.state
        chosen = bool(state & QStyle.StateFlag.State_Selected)
        held = chosen or bool(state & QStyle.StateFlag.State_MouseOver)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        wide = 2.0 if held else 1.0
        painter.setBrush(look.colour("field"))
        painter.setPen(QPen(look.colour("ink" if held else "line"), wide))
        frame = QRectF(area).adjusted(1, 1, -1, -1)
        painter.drawRoundedRect(frame, theme.CARD_RADIUS, theme.CARD_RADIUS)
        high = style.scale(look, PICTURE)
        picture = self.thumbnails.picture(head)
        place = QRect(area.x() + 2, area.y() + 2, area.width() - 4, high)
        if picture is not None:
            painter.drawPixmap(place, picture)
        painter.fillRect(
            QRect(place.x(), place.bottom() + 1, place.width(), 1), look.colour("line")
        )
        self._write(painter, area, high, head)
        painter.restore()

    def _write(self, painter: QPainter, area: QRect, high: int, head: Head) -> None:
        look = theme.current()
        left, right = float(area.x() + 12), float(area.right() - 12)
        body, caption = face("body", 600), face("caption")
        first = area.y() + high + look.line_height("body") * 0.95
        write(painter, left, first, body.cut(head.title, right - left), body)
        second = first + look.line_height("body")
        mark = self.lessons.mark(head)
        end = mark or f"{head.minutes} min"
        write_right(painter, right, second, end, face("caption", 700 if mark else 400), "ink")
        room = right - left - caption.width(end) - 16
        write(painter, left, second, caption.cut(head.source, room), caption, "ink2")


def card_size() -> QSize:
    look = theme.current()
    return QSize(style.scale(look, CARD[0]), style.scale(look, CARD[1]))


def thumbnails(folder: Path) -> Thumbnails:
    """Makes pictures as the cards show them. folder: where they are kept"""
    high = style.scale(theme.current(), PICTURE)
    return Thumbnails(folder, QSize(card_size().width() - 4, high))


class Gallery(QFrame):
    """Covers the window below its menu row.

    opened: a lesson was chosen, its path; closed: the page was left
    """

    opened = Signal(str)
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
        self._reading: Iterator[Head] | None = None
        self._source = self._topic = ""
        self.list = QListView()
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
        self.search = SearchField("Search lessons")
        self.search.textChanged.connect(lambda _: self._show())
        self.search.moved.connect(lambda _: self.list.setFocus())
        self.search.chosen.connect(self._open_first)
        self.order = Segments(ORDERS, accessible="Order")
        self.order.picked.connect(lambda _: self._show())
        self.count, self.none = label("", "muted"), folding_label("muted")
        self.none.setText(EMPTY)
        style.mark(self.list, "flat")
        self.list.setViewMode(QListView.ViewMode.IconMode)
        self.list.setResizeMode(QListView.ResizeMode.Adjust)
        self.list.setMovement(QListView.Movement.Static)
        self.list.setUniformItemSizes(True)
        self.list.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setMouseTracking(True)
        self.list.setModel(self.lessons)
        self.card = LessonCard(self.lessons, self.thumbnails)
        self.list.setItemDelegate(self.card)
        self.list.clicked.connect(self._open)
        self.list.activated.connect(self._open)
        describe(self.list, "Lessons", "")
        self.list.setToolTip("")
        head = QHBoxLayout()
        head.setSpacing(10)
        head.addWidget(label("Lessons", "title"))
        head.addWidget(self.count)
        head.addStretch(1)
        head.addWidget(self.search, 2)
        head.addWidget(self.order)
        leave = QPushButton("To the lab")
        describe(leave, "To the lab", "Close this page (Esc)")
        leave.clicked.connect(lambda *_: self.leave())
        head.addWidget(leave)
        right = QVBoxLayout()
        right.setContentsMargins(24, 16, 24, 16)
        right.setSpacing(12)
        right.addLayout(self._beginnings())
        right.addLayout(head)
        right.addWidget(self.none)
        right.addWidget(self.list, 1)
        whole = QHBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(self._side())
        whole.addLayout(right, 1)

    def _side(self) -> QWidget:
        side = QFrame()
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

    def _beginnings(self) -> QHBoxLayout:
        """Where to go on, an empty plane, a table, and the files used last."""
        line = QHBoxLayout()
        line.setSpacing(10)
        self.continuing = QPushButton("Continue")
        style.mark(self.continuing, "main")
        self.continuing.clicked.connect(lambda *_: self._continue())
        line.addWidget(self.continuing)
        for words, about, effect in (
            ("Empty plane", "Click two groups onto the plane, then press Space", self.ways.empty),
            ("Open a table…", "A table, project, lesson or playlist", self.ways.table),
        ):
            button = QPushButton(words)
            describe(button, words, about)
            button.clicked.connect(lambda *_, run=effect: self._leave_for(run))
            line.addWidget(button)
        self.recent = QHBoxLayout()
        line.addLayout(self.recent)
        line.addStretch(1)
        return line

    # -- coming and going --------------------------------------------------------------------------

    def begin(self) -> None:
        """Show the page, and read the lessons that there are."""
        self.lessons.progress = {}
        for each in reversed(self.shelf.all()):
            self.lessons.progress[each.lesson] = each
        self._show_recent()
        self._cover()
        self.show()
        self.raise_()
        self.search.setFocus()
        if not self.all and self._reading is None:
            self._reading = heads()
            self._read()
        else:
            self._show()

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
        """Whether there is room for the files used last, and for long words."""
        return self.ground.width() >= style.scale(theme.current(), WIDE)

    def _show_recent(self) -> None:
        while self.recent.count():
            gone = self.recent.takeAt(0).widget()
            gone.hide()
            gone.deleteLater()
        room = 3 if self._wide else 0
        for path in list(self.ways.recent())[:room]:
            button = QPushButton(theme_cut(Path(path).name))
            style.mark(button, "quiet")
            describe(button, Path(path).name, path)
            button.clicked.connect(
                lambda *_, path=path: self._leave_for(lambda: self.ways.file(path))
            )
            self.recent.addWidget(button)

    def _cover(self) -> None:
        whole = self.ground.rect()
        top = self._top()
        self.setGeometry(0, top, whole.width(), whole.height() - top)

    @guarded_filter
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.ground and event.type() == QEvent.Type.Resize and self.isVisible():
            self._cover()
        return super().eventFilter(watched, event)

    @guarded
    def event(self, event: QEvent) -> bool:
        """Keep keys without Ctrl from the shortcuts of the lab."""
        override = event.type() == QEvent.Type.ShortcutOverride
        if override and isinstance(event, QKeyEvent):
            event.accept()
            return True
        return super().event(event)

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
        if self._reading is not None:
            self._more.start()
        self._count()
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
            self._show()

    def _show(self) -> None:
        words = as_typed(self.search.text()).split()
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
        self.count.setText(f"{len(rows)} of {len(self.all)}" if len(rows) < len(self.all) else "")
        self.none.setVisible(not rows and self._reading is None)
        self._offer()

    def _offer(self) -> None:
        """Offer to go on with the lesson that was left last."""
        found = self._left_last()
        self.continuing.setVisible(found is not None)
        if found is not None:
            head, progress = found
            place = f", page {progress.page + 1} of {head.pages}" if self._wide else ""
            self.continuing.setText(theme_cut(f"Continue “{head.title}”{place}", 60))
            done = sum(1 for answer in progress.answers if answer.right)
            describe(
                self.continuing, self.continuing.text(), f"{counted(done, 'task')} done so far"
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
        if self.lessons.rows:
            self._go(self.lessons.rows[0])

    def _go(self, head: Head) -> None:
        self.leave()
        self.opened.emit(str(head.path))


def theme_cut(words: str, most: int = 24) -> str:
    """A name for a button, cut to `most` letters; “&” would underline the letter after it."""
    cut = words if len(words) <= most else words[: most - 1] + "…"
    return cut.replace("&", "&&")


def as_typed(words: str) -> str:
    return " ".join(words.casefold().split())


def source_of(head: Head) -> str:
    """The text of a lesson without its chapter: 'MMDS'."""
    return head.source.partition(" ")[0] or "Others"


def searched(head: Head) -> str:
    """What the search looks through."""
    parts = (head.key, head.title, head.source, head.topic, head.data, *head.methods)
    return as_typed(" ".join(parts)).replace("_", " ")
