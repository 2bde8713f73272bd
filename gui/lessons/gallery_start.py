"""The ways to begin on the start page: points, a table, a recent file, the lesson left last."""

import os
from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QAbstractButton,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from engine.base.records import Record
from gui.base.guard import guarded
from gui.look import icons, style, theme
from gui.look.ink import face, write, write_right
from gui.look.symbols import symbol_path
from gui.predict.predict_score import folding_label
from gui.widgets.controls import ElidedLabel, describe, label

PICTURE, HIGH = 190, 132  # pixels: width of the picture, height of the cards
MOST_RECENT = 3
ROW, SYMBOL = 28, 11  # pixels of a recent file, of a point in the picture
DAYS = 7  # up to this age a file shows its weekday, later its date
TABLES = (".csv", ".tsv", ".txt", ".xlsx", ".xls", ".ods", ".arff", ".parquet", ".json")
POINTS = (
    ((0.10, 0.30), (0.16, 0.62), (0.28, 0.18), (0.34, 0.44), (0.47, 0.24), (0.24, 0.84)),
    ((0.62, 0.74), (0.70, 0.50), (0.82, 0.86), (0.86, 0.62), (0.93, 0.36), (0.50, 0.90)),
)
LINE = ((0.22, 1.0), (0.82, 0.0))


class Ways(Record):
    """What the start page opens and does.

    empty, table, file: open an empty plane, a table of one's choice, a file; recent: the files used
    last
    carry, bring, forget: progress into a file, from a file, and to nothing; they return what was
    done, '' for nothing
    first, start_with: whether the program starts with this page, and the change of that
    """

    empty: Callable[[], object]
    table: Callable[[], object]
    file: Callable[[str], object]
    recent: Callable[[], Sequence[str]]
    carry: Callable[[], str]
    bring: Callable[[], str]
    forget: Callable[[], str]
    first: Callable[[], bool]
    start_with: Callable[[], object]


class StartPicture(QWidget):
    """Two groups of points and a line between them, in the colours of the theme."""

    def __init__(self) -> None:
        super().__init__()
        self.setFixedWidth(style.scale(theme.current(), PICTURE))

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        look = theme.current()
        wide, high = self.width(), self.height()
        ends = [QPointF(x * wide, y * high) for x, y in LINE]
        above = QPainterPath(QPointF(0, 0))
        for corner in (ends[1], ends[0], QPointF(0, high)):
            above.lineTo(corner)
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.fillRect(self.rect(), look.tint(1))
            painter.fillPath(above, look.tint(0))
            painter.setPen(QPen(look.colour("ink"), 2))
            painter.drawLine(*ends)
            size = style.scale(look, SYMBOL)
            painter.setPen(QPen(look.colour("plane"), 1.2))
            for code, places in enumerate(POINTS):
                painter.setBrush(look.group(code))
                path = symbol_path(theme.CLASS_SHAPES[code], size / 2)
                for x, y in places:
                    painter.drawPath(path.translated(x * wide, y * high))


class StartCard(QFrame):
    """“Start with points”: an empty plane, or a table."""

    def __init__(self, empty: Callable[[], object], table: Callable[[], object]) -> None:
        super().__init__()
        style.mark(self, "card")
        words = QVBoxLayout()
        words.setContentsMargins(18, 12, 18, 12)
        words.setSpacing(4)
        words.addWidget(label("Start with points", "title"))
        about = folding_label("muted")
        about.setText("Click two groups onto the plane, choose a method, press Space.")
        words.addWidget(about)
        words.addStretch(1)
        buttons = QHBoxLayout()
        buttons.setSpacing(10)
        self.empty, self.table = QPushButton("Empty plane"), QPushButton("Open a table…")
        style.mark(self.empty, "main")
        describe(self.table, "Open a table", "A table, project, lesson or playlist")
        for button, effect in ((self.empty, empty), (self.table, table)):
            button.clicked.connect(lambda *_, run=effect: run())
            buttons.addWidget(button)
        buttons.addStretch(1)
        words.addLayout(buttons)
        line = QHBoxLayout(self)
        line.setContentsMargins(1, 1, 1, 1)
        line.addWidget(StartPicture())
        line.addLayout(words, 1)


class RecentRow(QAbstractButton):
    """A file that was used last: its picture, its name, when it was changed."""

    def __init__(self, path: str) -> None:
        super().__init__()
        self.path = Path(path)
        self.when = when_words(path, date.today())
        describe(self, f"{self.path.name}, {self.when}", path)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    @guarded
    def sizeHint(self) -> QSize:
        return QSize(160, style.scale(theme.current(), ROW))

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        look = theme.current()
        side = style.scale(look, icons.SMALL)
        name = "table" if self.path.suffix.lower() in TABLES else "open"
        middle = self.height() / 2
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            if self.underMouse() or self.hasFocus():
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(look.colour("hover"))
                painter.drawRoundedRect(QRectF(self.rect()), theme.RADIUS, theme.RADIUS)
            picture = icons.pixmap(name, "ink2", side, self.devicePixelRatioF())
            painter.drawPixmap(QPointF(6, middle - side / 2), picture)
            caption, strong = face("caption"), face("body", 600)
            write_right(painter, self.width() - 6, middle, self.when, caption, "ink2")
            left = 6 + side + 8
            room = self.width() - left - caption.width(self.when) - 18
            write(painter, left, middle, strong.cut(self.path.name, room), strong)


def when_words(path: str, today: date) -> str:
    """When a file was changed: 'today', 'yesterday', 'Monday', '12 May', '12 May 2024'."""
    try:
        day = date.fromtimestamp(os.path.getmtime(path))
    except (OSError, ValueError, OverflowError):
        return ""
    ago = (today - day).days
    if 0 <= ago < DAYS:
        return ("today", "yesterday")[ago] if ago < 2 else day.strftime("%A")
    return f"{day.day} {day:%B}" if day.year == today.year else f"{day.day} {day:%B} {day.year}"


class RecentCard(QFrame):
    """The files used last. opened: a path was chosen"""

    opened = Signal(str)

    def __init__(self, other: Callable[[], object]) -> None:
        super().__init__()
        style.mark(self, "card")
        self.rows: list[RecentRow] = []
        more = QPushButton("Open other…")
        style.mark(more, "quiet")
        more.clicked.connect(lambda *_: other())
        head = QHBoxLayout()
        head.addWidget(label("Recent", "heading"))
        head.addStretch(1)
        head.addWidget(more)
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(12, 4, 8, 6)
        self.column.setSpacing(0)
        self.column.addLayout(head)
        self.column.addStretch(1)

    def show_paths(self, paths: Sequence[str]) -> None:
        for row in self.rows:
            row.hide()
            row.deleteLater()
        self.rows = [RecentRow(path) for path in paths[:MOST_RECENT]]
        for k, row in enumerate(self.rows):
            row.clicked.connect(lambda *_, path=str(row.path): self.opened.emit(path))
            self.column.insertWidget(1 + k, row)
        self.setVisible(bool(self.rows))


class ContinueBar(QFrame):
    """The lesson that was left last. wanted: go on with it"""

    wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        style.mark(self, "card")
        self.flag = QLabel()
        self.what, self.done = ElidedLabel("", "strong"), ElidedLabel("", "muted")
        self.button = QPushButton("Continue")
        self.button.clicked.connect(lambda *_: self.wanted.emit())
        words = QVBoxLayout()
        words.setSpacing(0)
        words.addWidget(self.what)
        words.addWidget(self.done)
        line = QHBoxLayout(self)
        line.setContentsMargins(18, 8, 14, 8)
        line.setSpacing(14)
        line.addWidget(self.flag)
        line.addLayout(words, 1)
        line.addWidget(self.button)

    def show_words(self, what: str, done: str) -> None:
        """Show the bar; '' hides it."""
        self.what.set_text(what)
        self.done.set_text(done)
        side = style.scale(theme.current(), icons.SMALL)
        self.flag.setPixmap(icons.pixmap("flag", "ink2", side, self.devicePixelRatioF()))
        describe(self.button, what)
        self.setVisible(bool(what))
