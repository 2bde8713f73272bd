"""The panel of several lanes in numbers: errors, steps, time, and predictions at the probe."""

from typing import Any

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QSize, Qt, QTimer
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from engine.base.notation import cut, number, value_text
from engine.base.records import Record
from engine.document.lane_edits import LETTERS, title_of
from engine.judge.nearest_flip import Flip
from engine.lessons.hiding import hides_end
from engine.protocol.step import Level
from gui.base.guard import guarded
from gui.base.plain_text import tip
from gui.look import style, theme
from gui.look.ink import face, write, write_right
from gui.look.swatches import boxed, paint_class
from gui.session.changes import Change, Changes
from gui.session.lane_view import LaneView
from gui.session.score import score
from gui.session.session import Session

ROW, HEAD, PAD = 20, 30, 10  # pixels of a line, of a heading with margins, below the last line
GAP = 10  # pixels between an answer and how far its flip is
LETTER, SWATCH = 20, 22  # pixels for the letter, for the marker of a class
AT_ONCE = (
    Change.ACTIVE
    | Change.QUESTION
    | Change.POINTER
    | Change.LANES
    | Change.PLAYING
    | Change.RESTRICTED
)  # the panel follows at once
# it follows once for all lanes; with a surface a flip that was searched arrives
SOON = Change.RUN | Change.CURSOR | Change.STEPS | Change.SURFACE
COLUMNS = ("train", "test", "steps", "time")
# milliseconds between two refreshes while the clock runs
SECONDS = 250


class Row(Record, eq=True):
    """The figures of one lane.

    cells: its numbers as texts, one for each of COLUMNS
    brief: its name where the whole one has no room
    """

    letter: str
    title: str
    cells: tuple[str, ...]
    brief: str = ""


class Answer(Record, eq=True):
    """What a lane predicts at the probe.

    label: the class, −1 for none
    text: the prediction in words
    flip: the distance to another class in words, "" where it is not known
    """

    letter: str
    label: int
    text: str
    flip: str = ""

    def line(self) -> str:
        return f"{self.letter}: {self.text}" + (f"; {self.flip}" if self.flip else "")


class SideBySide(QWidget):
    """The panel with a row per lane, visible with several lanes; clicking a row activates it."""

    def __init__(self, session: Session, parent: QWidget) -> None:
        # without a parent, showing it would open a window that takes the keyboard
        super().__init__(parent)
        self.session = session
        self.rows: tuple[Row, ...] = ()
        self.answers: tuple[Answer, ...] = ()
        self.heads: tuple[str, ...] = COLUMNS
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setMouseTracking(True)
        self._soon = QTimer(self, singleShot=True)
        self._soon.timeout.connect(self.refresh)
        session.changed.connect(self._on_changed)
        self.hide()

    def _on_changed(self, changes: Changes) -> None:
        anywhere = changes.anywhere()
        if anywhere & AT_ONCE:
            self.refresh()
        elif anywhere & SOON:
            self._later()

    def _later(self) -> None:
        """Refresh once for all lanes whose step changes together.

        While the clock runs or a hand drags, refresh only every `SECONDS`.
        """
        if len(self.session.lane_views) > 1 and not self._soon.isActive():
            fast = self.session.player.playing or self.session.lead.playback_budget.flying
            self._soon.start(SECONDS if fast else 0)

    def refresh(self) -> None:
        views = self.session.lane_views
        self.setVisible(len(views) > 1)
        if len(views) < 2:
            return
        self.rows = tuple(map(_row, views))
        self.heads = tuple(
            name if any(row.cells[k] for row in self.rows) else "" for k, name in enumerate(COLUMNS)
        )
        self.answers = tuple(filter(None, map(_answer, views)))
        self.setAccessibleName("Side by side")
        self.setAccessibleDescription(". ".join(self.lines()))
        high = self._high()
        if high != self.height():
            self.setFixedHeight(high)
        self.update()

    def lines(self) -> list[str]:
        """The content as text, a line for each row and each answer."""
        rows = [
            f"{row.letter} {row.title}: "
            + ", ".join(
                f"{name} {cell}" for name, cell in zip(COLUMNS, row.cells, strict=True) if cell
            )
            for row in self.rows
        ]
        return [*rows, *(each.line() for each in self.answers)]

    def _line(self) -> int:
        return style.scale(theme.current(), ROW)

    def _high(self) -> int:
        head = style.scale(theme.current(), HEAD)
        probed = head + len(self.answers) * self._line() if self.answers else 0
        return head + (len(self.rows) + 1) * self._line() + probed + PAD

    @guarded
    def sizeHint(self) -> QSize:
        return QSize(200, self._high())

    @guarded
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange:
            self.refresh()

    # -- paint -------------------------------------------------------------------------------------

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        look = theme.current()
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), look.colour("dock"))
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            head = style.scale(look, HEAD)
            line = self._line()
            left = theme.PAD_X
            right = self.width() - theme.PAD_X
            write(painter, left, head / 2 + 2, "Side by side", face("heading", 600))
            lead = self.session.lead
            write_right(
                painter,
                right,
                head / 2 + 2,
                f"{lead.unit.name.lower()} {lead.number:,}",
                face("body"),
                "ink2",
            )
            ends = self._ends(right)
            y = head + line / 2
            for text, end in zip(self.heads, ends, strict=True):
                write_right(painter, end, y, text, face("caption"), "ink3")
            for k, row in enumerate(self.rows):
                y += line
                self._paint_row(painter, row, y, left, ends, k == self.session.active)
            if self.answers:
                write(painter, left, y + line / 2 + head / 2, "Probe", face("heading", 600))
                write_right(
                    painter, right, y + line / 2 + head / 2, self._place(), face("body"), "ink2"
                )
                y += head
                for answer in self.answers:
                    y += line
                    self._paint_answer(painter, answer, y - line / 2 + 4, left, right)
            painter.fillRect(0, self.height() - 1, self.width(), 1, look.colour("line"))

    def _ends(self, right: float) -> list[float]:
        """The x of the right end of each column, each as wide as its widest text."""
        wide = [
            max(
                face("caption").width(self.heads[k]),
                *(face("body").width(row.cells[k]) for row in self.rows),
            )
            + 10
            for k in range(len(COLUMNS))
        ]
        return [right - sum(wide[k + 1 :]) for k in range(len(COLUMNS))]

    def _paint_row(
        self, painter: QPainter, row: Row, y: float, left: float, ends: list[float], active: bool
    ) -> None:
        write(painter, left, y, row.letter, face("body", 700))
        first = ends[0] - face("body").width(row.cells[0]) - 12
        room = min(first, ends[0] - face("caption").width(self.heads[0]) - 12) - left - LETTER
        look = face("body", 600 if active else 0)
        name = row.title if look.width(row.title) <= room or not row.brief else row.brief
        write(painter, left + LETTER, y, look.cut(name, max(0.0, room)), look)
        for cell, end in zip(row.cells, ends, strict=True):
            write_right(painter, end, y, cell, face("body"), "ink")

    def _paint_answer(
        self, painter: QPainter, answer: Answer, y: float, left: float, right: float
    ) -> None:
        write(painter, left, y, answer.letter, face("body", 700))
        problem = self.session.problem
        if problem is not None and problem.classes:
            place = QPointF(left + LETTER + 6, y)
            paint_class(painter, theme.current(), answer.label, place, 5.5, boxed(problem))
        x = left + LETTER + SWATCH
        if answer.flip:
            write_right(painter, right, y, answer.flip, face("caption"), "ink2")
            right -= face("caption").width(answer.flip) + GAP
        write(painter, x, y, face("body").cut(answer.text, right - x), face("body"))

    def _place(self) -> str:
        at = probed(self.session.lane_views[0])
        problem = self.session.problem
        if at is None or problem is None or not problem.plane:
            return ""
        x, y = (
            problem.to_plane(np.asarray(at)[None])[0][:2]
            if len(problem.plane) > 1
            else (at[0], np.nan)
        )
        return (
            f"({value_text(float(x))}, {value_text(float(y))})"
            if np.isfinite(y)
            else value_text(float(x))
        )

    # -- mouse -------------------------------------------------------------------------------------

    def _row_at(self, y: float) -> int:
        """The lane at this height, −1 for none."""
        k = int((y - style.scale(theme.current(), HEAD)) // self._line()) - 1
        return k if 0 <= k < len(self.rows) else -1

    @guarded
    def mousePressEvent(self, event: QMouseEvent) -> None:
        if (
            event.button() == Qt.MouseButton.LeftButton
            and (k := self._row_at(event.position().y())) >= 0
        ):
            self.session.activate(k)

    @guarded
    def event(self, event: QEvent) -> bool:
        """Show the whole text of a line that may be cut as its tip."""
        if event.type() == QEvent.Type.ToolTip:
            y = event.pos().y()  # type: ignore[attr-defined]
            k = self._row_at(y)
            below = self._high() - PAD - len(self.answers) * self._line()
            line = self.lines()[k] if k >= 0 else ""
            if self.answers and y >= below:
                line = self.answers[
                    min(int((y - below) // self._line()), len(self.answers) - 1)
                ].line()
            QToolTip.showText(event.globalPos(), tip(line), self)  # type: ignore[attr-defined]
            return True
        return super().event(event)


def _row(view: LaneView) -> Row:
    """The figures of a lane, without those that a page of a lesson hides."""
    trace, run = view.trace, view.run
    steps = time = ""
    hidden = bool(view.ahead) or hides_end(view.hidden)
    if trace is not None and run is not None and len(trace) and not hidden:
        count = max(0, len(trace.indices(Level.STEP)) - 1)
        steps = f"{count:,}" + ("" if view.finished else "+")
        time = f"{1000 * run.seconds:,.0f} ms" if run.seconds < 1 else f"{run.seconds:,.1f} s"
    title = title_of(view.document, view.place)
    found = score(view)
    cells = (found.words(), found.words(test=True), steps, time)
    return Row(LETTERS[view.place], title, cells, title_of(view.document, view.place, brief=True))


def probed(view: LaneView) -> Any:
    """The row (d,) to predict: under the probe tool, else where the probe was put; or None."""
    problem, pointer = view.problem, view.pointer
    if problem is None or not problem.plane:
        return None
    if pointer.tool == "probe" and pointer.place is not None:
        return problem.from_plane(np.array([pointer.place]))[0]
    return problem.query


def _answer(view: LaneView) -> Answer | None:
    x = probed(view)
    if x is None or view.covers_ahead:
        return None
    letter = LETTERS[view.place]
    trace = view.trace
    step = view.step
    if trace is None or step is None:
        return Answer(letter, -1, view.error or "no run")
    explained = view.explanation(x)
    flip = view.flip(x)
    away = "" if flip is None else flip_text(flip, trace.problem.class_text(flip.other))
    if explained is not None:
        return Answer(letter, explained.label, explained.note.text(), away)
    if trace.algorithm.predict is None:
        return Answer(letter, -1, "gives no labels")
    said = trace.algorithm.predict(trace.given, step.state, x[None])[0]
    problem = trace.problem
    if problem.regress:
        return Answer(letter, -1, value_text(float(said)))
    return Answer(
        letter, int(said), problem.class_text(int(said)) if said >= 0 else "no class", away
    )


def flip_text(flip: Flip, other: str) -> str:
    """The shortest way to another label, as '0.43 to B', or '≈ 0.43 to B' where it was searched."""
    return f"{'' if flip.exact else '≈ '}{number(flip.length, 2)} to {cut(other)}"
