"""The courses: lessons for one sitting, in their order, with how far each is done."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QProgressBar,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from engine.base.notation import counted
from engine.lessons.library import Course, Head
from engine.lessons.progress import Progress
from gui.base.guard import guarded
from gui.lessons.gallery_cards import mark_of
from gui.look import style, theme
from gui.look.ink import face, write, write_right
from gui.predict.predict_score import folding_label
from gui.widgets.controls import describe, label

ROW, NUMBER, MINUTES = 26, 22, 60  # pixels: of a lesson, of its number, of its minutes
LEAST, GAP = 420, 16  # pixels: least width of a course, between two
DONE = "✓ done"


class CourseRow(QAbstractButton):
    """A lesson of a course: its number, its title, its minutes, how far it is done."""

    def __init__(self, number: int, head: Head) -> None:
        super().__init__()
        self.number, self.head, self.mark = number, head, ""
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_mark(self, mark: str) -> None:
        self.mark = mark
        words = f"{self.number}. {self.head.title}, {self.head.minutes} minutes"
        describe(self, f"{words}, {mark}" if mark else words, self.head.title)
        self.update()

    @guarded
    def sizeHint(self) -> QSize:
        return QSize(200, style.scale(theme.current(), ROW))

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        look = theme.current()
        middle = self.height() / 2
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            if self.underMouse() or self.hasFocus():
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(look.colour("hover"))
                painter.drawRoundedRect(QRectF(self.rect()), theme.RADIUS, theme.RADIUS)
            body, caption = face("body"), face("caption")
            left = style.scale(look, NUMBER)
            write_right(painter, left - 4, middle, str(self.number), caption, "ink3")
            right = self.width() - 6
            write_right(painter, right, middle, f"{self.head.minutes} min", caption, "ink2")
            before: float = right - style.scale(look, MINUTES)
            if self.mark:
                write_right(painter, before, middle, self.mark, face("caption", 700), "ink")
                before -= face("caption", 700).width(self.mark) + 10
            write(painter, left + 6, middle, body.cut(self.head.title, before - left - 6), body)


class CourseCard(QFrame):
    """A course: title, what it is about, its lessons, and the button that goes on with it.

    opened: (course, lesson) a lesson was chosen
    """

    opened = Signal(object, object)

    def __init__(self, course: Course) -> None:
        super().__init__()
        style.mark(self, "card")
        self.course = course
        self.next: Head | None = None  # the first lesson that is not done
        self.state, self.bar = label("", "caption"), QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setRange(0, max(1, len(course.lessons)))
        self.go_on = QPushButton("Begin")
        self.go_on.clicked.connect(lambda *_: self._open(self.next or course.lessons[0]))
        about = folding_label("muted")
        about.setText(course.about)
        head = QHBoxLayout()
        head.addWidget(label(course.title, "heading"), 1)
        head.addWidget(self.go_on)
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 10, 12, 10)
        column.setSpacing(4)
        column.addLayout(head)
        column.addWidget(about)
        column.addWidget(self.state)
        column.addWidget(self.bar)
        self.rows = [CourseRow(k, each) for k, each in enumerate(course.lessons, 1)]
        for row in self.rows:
            row.clicked.connect(lambda *_, each=row.head: self._open(each))
            column.addWidget(row)
        column.addStretch(1)

    def _open(self, head: Head) -> None:
        self.opened.emit(self.course, head)

    def show_progress(self, progress: Mapping[str, Progress]) -> None:
        course = self.course
        marks = [mark_of(each, progress) for each in course.lessons]
        for row, mark in zip(self.rows, marks, strict=True):
            row.show_mark(mark)
        done = marks.count(DONE)
        left = [each for each, mark in zip(course.lessons, marks, strict=True) if mark != DONE]
        self.next = left[0] if left else None
        self.bar.setValue(done)
        self.bar.setVisible(any(marks))
        begun = f", {done} of {counted(len(marks), 'lesson')} done" if any(marks) else ""
        own = f"{counted(len(marks), 'lesson')}, {course.lesson_minutes} min"
        self.state.setText(f"{course.minutes} minutes with talk ({own}){begun}")
        self.go_on.setText("Again" if not left else "Continue" if any(marks) else "Begin")
        style.mark(self.go_on, "main" if left and any(marks) else "")
        describe(self.go_on, f"{self.go_on.text()}: {course.title}")


class CourseList(QScrollArea):
    """All courses, in as many columns as there is room for; one after the other is made.

    opened: (course, lesson) a lesson was chosen
    """

    opened = Signal(object, object)

    def __init__(self) -> None:
        super().__init__()
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.setAccessibleName("Courses")
        self.cards: list[CourseCard] = []
        self._waiting: list[Course] = []
        self._wanted: set[str] = set()
        self._progress: Mapping[str, Progress] = {}
        self._columns = 0
        self.inner = QWidget()
        self.grid = QGridLayout(self.inner)
        self.grid.setContentsMargins(0, 0, 0, 0)
        self.grid.setSpacing(GAP)
        self.setWidget(self.inner)
        self._more = QTimer(self, singleShot=True, interval=0)
        self._more.timeout.connect(self._make)

    def show_courses(
        self, courses: Sequence[Course], progress: Mapping[str, Progress], wanted: set[str]
    ) -> None:
        """Show those courses whose keys are wanted."""
        self._progress, self._wanted = progress, wanted
        known = {card.course.key for card in self.cards}
        self._waiting = [course for course in courses if course.key not in known]
        for card in self.cards:
            card.show_progress(progress)
        self._lay()
        if self._waiting:
            self._more.start()

    def _make(self) -> None:
        """Make one card, then let the window go on."""
        if not self._waiting:
            return
        card = CourseCard(self._waiting.pop(0))
        card.opened.connect(self.opened)
        card.show_progress(self._progress)
        self.cards.append(card)
        self._lay()
        if self._waiting:
            self._more.start()

    def _lay(self) -> None:
        room = self.viewport().width()
        least = style.scale(theme.current(), LEAST)
        columns = self._columns = max(1, (room + GAP) // (least + GAP))
        shown = [card for card in self.cards if card.course.key in self._wanted]
        for card in self.cards:
            self.grid.removeWidget(card)
            if card not in shown:
                card.hide()
        for k, card in enumerate(shown):
            self.grid.addWidget(card, k // columns, k % columns)
            card.show()
        for k in range(self.grid.columnCount()):
            self.grid.setColumnStretch(k, int(k < columns))
        for k in range(self.grid.rowCount() + 1):
            self.grid.setRowStretch(k, 0)
        self.grid.setRowStretch((len(shown) + columns - 1) // columns, 1)

    @guarded
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        least = style.scale(theme.current(), LEAST)
        columns = max(1, (self.viewport().width() + GAP) // (least + GAP))
        if columns != self._columns:
            self._lay()
