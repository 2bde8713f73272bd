"""The row “What next?” after a run: two prepared changes and the lesson that fits."""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QKeySequence, QPainter, QPaintEvent, QPen, QShortcut
from PySide6.QtWidgets import (
    QAbstractButton,
    QFrame,
    QHBoxLayout,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from engine.base.notation import counted
from gui.base.guard import guarded
from gui.lessons.quiet import quiet
from gui.look import style, theme
from gui.look.ink import face, write, write_right
from gui.look.style import describe
from gui.session.changes import Change, Changes
from gui.session.session import Session
from gui.widgets.controls import label

if TYPE_CHECKING:  # imported at the end of the first run
    from engine.document.what_next import WhatIf
    from engine.lessons.library import Head

HIGH, LEAST_WINDOW = 76, 640  # pixels of the row; of a window that has room for it
CARD_HIGH = 56
SLICE_MS = 20  # between two lessons that are read
MOVED = Change.DOCUMENT | Change.RUN | Change.CURSOR | Change.QUESTION | Change.ACTIVE


class NextCard(QAbstractButton):
    """A change or a lesson: its name, its question, its key."""

    def __init__(self, name: str, question: str, key: str) -> None:
        super().__init__()
        self.name, self.question, self.key = name, question, key
        describe(self, f"{name}. {question} ({key})")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(style.scale(theme.current(), CARD_HIGH))

    @guarded
    def sizeHint(self) -> QSize:
        return QSize(220, self.height())

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        look = theme.current()
        held = self.underMouse() or self.hasFocus()
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            wide = 2.0 if held else 1.0
            painter.setPen(QPen(look.colour("ink" if held else "strong"), wide))
            painter.setBrush(look.colour("field"))
            frame = QRectF(self.rect()).adjusted(wide / 2, wide / 2, -wide / 2, -wide / 2)
            painter.drawRoundedRect(frame, theme.CARD_RADIUS, theme.CARD_RADIUS)
            caption, strong = face("caption"), face("body", 600)
            room = self.width() - 24 - caption.width(self.key) - 12
            write(painter, 12, self.height() * 0.3, strong.cut(self.name, room), strong)
            write_right(painter, self.width() - 12, self.height() * 0.3, self.key, caption, "ink3")
            question = face("body").cut(self.question, self.width() - 24)
            write(painter, 12, self.height() * 0.7, question, face("body"), "ink2")


class WhatNext(QFrame):
    """Comes when playing has reached the end of a run, and goes when anything else is shown.

    appeared: the row came or went; lesson_wanted: the path of a lesson
    """

    appeared = Signal()
    lesson_wanted = Signal(str)

    def __init__(self, session: Session, busy: Callable[[], bool]) -> None:
        """busy: whether a lesson is open"""
        super().__init__()
        style.mark(self, "dock")
        self.session, self._busy = session, busy
        self.setAccessibleName("What next?")
        self.words = QWidget()
        column = QVBoxLayout(self.words)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(label("What next?", "heading"))
        column.addWidget(label("each opens beside", "caption"))
        self.line = QHBoxLayout(self)
        self.line.setContentsMargins(16, 8, 8, 8)
        self.line.setSpacing(10)
        self.line.addWidget(self.words)
        self.close_button = quiet("close", "Hide this row for this run", self.dismiss)
        self.line.addWidget(self.close_button)
        self.cards: list[NextCard] = []
        self.changes: list[WhatIf] = []
        self._was_playing = False
        self._known: list[Head] = []
        self._reading: Iterator[Head] | None = None
        self._more = QTimer(self, singleShot=True, interval=SLICE_MS)
        self._more.timeout.connect(self._read)
        for k in range(3):
            key = QShortcut(QKeySequence(f"Alt+{k + 1}"), self)
            key.activated.connect(lambda k=k: self._take_nth(k))
        self.hide()
        session.changed.connect(self._on_changed)

    def _on_changed(self, changes: Changes) -> None:
        session = self.session
        playing = session.player.playing
        ended = self._was_playing and not playing and session.lead.at_end
        self._was_playing = playing
        moved = changes.window & MOVED or not session.lead.at_end
        if not self.isHidden() and (playing or moved):
            self.dismiss()
        if ended and not session.predicting.on and not self._busy():
            self.offer()

    def offer(self) -> None:
        """Show what can be tried next; nothing where there is no room or nothing to try."""
        if self.window().height() < LEAST_WINDOW or theme.current().name == "projector":
            return
        from engine.document.what_next import what_ifs
        from engine.lessons.library import heads

        session = self.session
        self.changes = what_ifs(session.document, session.active, session.problem)
        if not self._known and self._reading is None:
            self._reading = heads()
            self._more.start()
        self._show()

    def _read(self) -> None:
        """Read one more lesson, then let the window go on."""
        found = next(self._reading, None) if self._reading is not None else None
        if found is None:
            self._reading = None
            if not self.isHidden() or self.changes:
                self._show()
            return
        self._known.append(found)
        self._more.start()

    def _lesson(self) -> "Head | None":
        """The first lesson about this method, in the order of their keys."""
        method = self.session.lane.key
        fitting = [head for head in self._known if method in head.methods[:1]]
        return min(fitting, key=lambda head: head.key, default=None)

    def _show(self) -> None:
        for card in self.cards:
            self.line.removeWidget(card)
            card.hide()
            card.deleteLater()
        lesson = self._lesson()
        rows: list[tuple[str, str, Callable[[], object]]] = [
            (each.name, each.question, partial(self.take, each)) for each in self.changes
        ]
        if lesson is not None:
            pages = f"Lesson, {counted(lesson.pages, 'page')}"
            rows.append((lesson.title, pages, partial(self._open, lesson.path)))
        self.cards = []
        for k, (name, question, effect) in enumerate(rows):
            card = NextCard(name, question, f"Alt {k + 1}")
            card.clicked.connect(lambda *_, run=effect: run())
            self.line.insertWidget(1 + k, card, 1)
            self.cards.append(card)
        self.setFixedHeight(style.scale(theme.current(), HIGH))
        shown = bool(self.cards)
        if shown == self.isHidden():
            self.setVisible(shown)
            self.appeared.emit()

    def dismiss(self) -> None:
        """Hide the row for this run."""
        self.changes = []
        if not self.isHidden():
            self.hide()
            self.appeared.emit()

    def _take_nth(self, number: int) -> None:
        if not self.isHidden() and number < len(self.cards):
            self.cards[number].click()

    def take(self, change: "WhatIf") -> None:
        """Open a change as a lane beside, as one edit."""
        self.session.set_lanes(change.document, f"what if: {change.name}", change.lane)
        self.session.say(f"{change.name}: {change.question} Ctrl+Z takes the lane away.")

    def _open(self, path: Path) -> None:
        self.dismiss()
        self.lesson_wanted.emit(str(path))
