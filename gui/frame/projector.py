"""The widgets of the projector theme: title row with legend, caption band with scrubber, side
strips.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from PySide6.QtCore import QEvent, QLineF, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QHelpEvent, QPainter, QPen
from PySide6.QtWidgets import QLabel, QPushButton, QToolTip, QVBoxLayout, QWidget

from engine.base.records import cached_property
from engine.table.problem import Task
from gui.base.guard import guarded
from gui.base.plain_text import tip
from gui.look import icons, style, theme
from gui.look.ink import face, folded, write
from gui.look.swatches import boxed, paint_class
from gui.session.changes import Change, Changes
from gui.session.lane_view import LaneView
from gui.session.playhead import Playhead
from gui.session.session import Session
from gui.timeline.counter import counter_texts
from gui.timeline.marks import Marks, marked, marks_of
from gui.timeline.scale import nearest_step
from gui.widgets.controls import describe, label

# sizes at 1280 x 800; all of them grow with the type
STRIP, STRIP_ICON = 80, 28
PITCH = 86  # pixels from button to button, with the word between them
TITLE = 72  # height of the title row in pixels
MARKS, MARK_SIZE = 21, 1.75  # pixels above the track; factor for the size of the timeline
LEGEND = 12.0, 14.0  # left and right margin of the title row
NAMED, SHORTEST = 44, 40  # width of a class beside its name; least width of a cut name
CHIPS = 120  # least width of cut settings
WORDS = 20  # between the title and the text beside it
SPOKEN, SCRUBBER = 104, 52  # heights of the sentence and, below it, of the scrubber
SPOKEN_EDGE = 7  # free above and below the sentence, so that no mark of an event touches it
BAR = 32  # from the amber bar to the sentence
NARROW = 800  # width of the band below which the total stands under the step
LEAST_TYPE = 16
GRIP = 32  # pixels above the track that react to the pointer, as all below it does
# step and total for which room is kept; wider ones get smaller type
WIDEST = "8,888", "/ 8,888+"


def large(pixels: float) -> int:
    """`pixels` scaled to the theme in force."""
    return theme.current().large(pixels)


class TitleRow(QWidget):
    """The algorithm's name and settings at the left, the legend of the classes at the right, or
    below where one line is too short.
    """

    def __init__(self, shown: Playhead) -> None:
        super().__init__()
        self._shown = shown
        self.setFixedHeight(TITLE)
        shown.changed.connect(self._on_changed)

    @property
    def view(self) -> LaneView:
        """The active lane."""
        return self._shown.lane_view

    def _on_changed(self, changes: Changes) -> None:
        if changes.of(self.view) & Change.RUN:
            self.update()

    @guarded
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange:
            self.setFixedHeight(large(TITLE))

    def names(self) -> list[str]:
        """The names of the classes; empty for clustering, where colours stand for clusters, and for
        methods that look at no data.
        """
        problem = self.view.problem
        foreign = self.view.algorithm.task is Task.CLUSTER or self.view.lane.without_data
        if problem is None or foreign:
            return []
        return [
            problem.class_text(code)
            for code in range(min(len(problem.classes), len(theme.CLASS_SHAPES)))
        ]

    def cut_names(self) -> list[str]:
        """The names of the classes, the longest cut so that the legend fits the row."""
        names = self.names()
        look = face("body")
        room = self.width() - large(LEGEND[0]) - large(LEGEND[1]) - large(NAMED) * len(names)
        most = max(map(look.width, names), default=0.0)
        while most > large(SHORTEST) and sum(min(look.width(name), most) for name in names) > room:
            most -= 4
        return [look.cut(name, most) for name in names]

    def legend_width(self) -> float:
        """The width of the legend in pixels."""
        return sum(face("body").width(name) + large(NAMED) for name in self.cut_names())

    def two_lines(self) -> bool:
        """Whether the full name of the algorithm and the legend need a line each."""
        legend = self.legend_width()
        title = face("title").width(self.view.algorithm.title)
        return legend > 0 and title + legend + large(LEGEND[0] + WORDS + LEGEND[1]) > self.width()

    @guarded
    def paintEvent(self, event: Any) -> None:
        look = theme.current()
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.fillRect(self.rect(), look.colour("window"))
            two = self.two_lines()
            left = self._paint_legend(painter, large(58 if two else 39))
            middle, room = (large(21), float(self.width())) if two else (large(38), left)
            start, words = large(LEGEND[0]), large(WORDS)
            title = face("title").cut(self.view.algorithm.title, max(0.0, room - start - words))
            write(painter, start, middle, title, face("title"))
            x = start + face("title").width(title) + words
            write(painter, x, middle, self.settings(room - x - words), face("body"), "ink2")

    def settings(self, room: float) -> str:
        """The settings of the run, cut to `room` pixels; "" where only a few letters would fit."""
        algorithm = self.view.algorithm
        chips = (
            ", ".join(algorithm.chips(self.view.lane.params)) if algorithm.chips is not None else ""
        )
        return (
            face("body").cut(chips, room)
            if room >= min(large(CHIPS), face("body").width(chips))
            else ""
        )

    def _paint_legend(self, painter: QPainter, middle: float) -> float:
        """Paint the legend from right to left; returns the x of its left end in pixels."""
        look = theme.current()
        type_ = face("body")
        x = float(self.width() - large(LEGEND[1]))
        for code, name in reversed(list(enumerate(self.cut_names()))):
            x -= type_.width(name)
            write(painter, x, middle, name, type_)
            x -= large(20)
            paint_class(
                painter, look, code, QPointF(x, middle), look.radius, boxed(self.view.problem)
            )
            x -= large(NAMED - 20)
        return x


class CaptionBand(QWidget):
    """Shows the sentence of the active lane's step, the counter and the scrubber. While the curves
    are shown, they have the scrubber.
    """

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self.setMouseTracking(True)
        self._marks: tuple[Any, Marks | None] = (None, None)
        self._scrubbing = False
        self.lend_scrubber(False)
        session.changed.connect(self._on_changed)

    @property
    def view(self) -> LaneView:
        """The active lane."""
        return self.session.lane_view

    def _on_changed(self, changes: Changes) -> None:
        here = changes.of(self.view) | changes.of(self.session.lead)
        if here & (Change.CURSOR | Change.STEPS | Change.RUN | Change.RESTRICTED):
            self.update()

    def lend_scrubber(self, lent: bool) -> None:
        """Hide the scrubber while the curves have it, or show it again."""
        self.lent = lent
        self._scrubbing = False
        self.setAccessibleName("Step" if lent else "Step and scrubber")
        self._fit()
        self.update()

    def _fit(self) -> None:
        self.setFixedHeight(large(SPOKEN if self.lent else SPOKEN + SCRUBBER))

    @guarded
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange:
            self._fit()

    def track(self) -> tuple[float, float, float]:
        return large(14), self.width() - large(18), self.height() - large(24)

    @property
    def scrubber(self) -> QLineF:
        """The line of the scrubber from the first step to the last, in pixels of the band."""
        left, right, y = self.track()
        return QLineF(left, y, right, y)

    @guarded
    def mousePressEvent(self, event: Any) -> None:
        on_track = not self.lent and event.position().y() >= self.track()[2] - large(GRIP)
        if event.button() == Qt.MouseButton.LeftButton and on_track:
            self._scrubbing = True
            self._seek(event.position().x())

    @guarded
    def mouseMoveEvent(self, event: Any) -> None:
        if self._scrubbing:
            self._seek(event.position().x())

    @guarded
    def mouseReleaseEvent(self, event: Any) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._scrubbing = False

    @guarded
    def wheelEvent(self, event: Any) -> None:
        (self.session.previous if event.angleDelta().y() > 0 else self.session.next)()

    def _seek(self, px: float) -> None:
        trace = self.session.lead.trace
        if trace is not None and len(trace):
            left, right, _ = self.track()
            share = min(1.0, max(0.0, (px - left) / (right - left)))
            self.session.player.pause()
            self.session.seek(nearest_step(trace, self.session.unit, share * self._last()))

    @guarded
    def event(self, event: QEvent) -> bool:
        """Show the whole sentence as tool tip where it is cut."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            sentence = self.sentence()
            whole = self.said()[2]
            QToolTip.showText(event.globalPos(), "" if whole else tip(sentence), self)
            return True
        return super().event(event)

    def sentence(self) -> str:
        """The sentence of the shown step, "" without one; on the way to another step, that this is
        still to come.
        """
        if self.view.to_come:
            return f"The run is still at work: {self.view.to_come} is shown as soon as it is there."
        worded = self.view.worded
        return worded.note.text() if worded is not None else ""

    def said(self) -> tuple[QFont, list[str], bool]:
        """(font, lines, whether nothing is missing) of the sentence, see `fitted`."""
        return fitted(
            self.sentence(),
            int(self.width() - self.counter()[0] - large(BAR + 18)),
            large(SPOKEN - 2 * SPOKEN_EDGE),
        )

    def counter(self) -> tuple[float, list[tuple[str, QFont, str, float, float]]]:
        """The right end of the counter in pixels; step and total as (text, font, ink, x, baseline).

        They stand side by side, in a narrow band one below the other. Their room is the same for
        all numbers, so that the sentence beside them does not move.
        """
        texts = counter_texts(self.session.lead)[:2]
        styles = ("counter", "total")
        room = [face(style).width(widest) for style, widest in zip(styles, WIDEST, strict=True)]
        fonts = [
            shrunk(text, theme.current().font(s), wide)
            for text, s, wide in zip(texts, styles, room, strict=True)
        ]
        left = float(large(12))
        wide = QFontMetrics(fonts[0]).horizontalAdvance(texts[0])
        if self.width() < large(NARROW):
            places = (left, large(57)), (left, large(93))
            end = left + max(room) + large(20)
        else:
            stroke = left + room[0] + large(12)
            places = (stroke - large(12) - wide, large(72)), (stroke, large(72))
            end = stroke + room[1] + large(28)
        return end, [
            (text, font, ink, x, y)
            for text, font, ink, (x, y) in zip(texts, fonts, ("ink", "ink2"), places, strict=True)
        ]

    @guarded
    def paintEvent(self, event: Any) -> None:
        look = theme.current()
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.fillRect(self.rect(), look.colour("window"))
            x, parts = self.counter()
            for text, font, ink, left, baseline in parts:
                painter.setPen(look.colour(ink))
                painter.setFont(font)
                painter.drawText(QPointF(left, baseline), text)
            painter.fillRect(QRectF(x, large(14), large(6), large(70)), look.colour("now"))
            self._paint_sentence(painter, x + large(BAR))
            if not self.lent:
                self._paint_track(painter)

    def _paint_sentence(self, painter: QPainter, x: float) -> None:
        font, lines, _ = self.said()
        painter.setFont(font)
        painter.setPen(theme.current().colour("ink"))
        pitch = painter.fontMetrics().lineSpacing()
        top = (large(SPOKEN) - pitch * len(lines)) / 2
        for k, line in enumerate(lines):
            painter.drawText(
                QPointF(x, round(top + k * pitch) + painter.fontMetrics().ascent()), line
            )

    def _last(self) -> int:
        trace = self.session.lead.trace
        return max(1, len(trace) - 1) if trace is not None else 1

    def _x_of(self, index: Any) -> Any:
        """The x of one or more steps on the track, in pixels."""
        left, right, _ = self.track()
        return left + np.asarray(index, np.float64) / self._last() * (right - left)

    def marks(self) -> Marks | None:
        """The marks of the events so far, cached until the run grows; None without a run."""
        shown, trace = self.session.lead.run, self.session.lead.trace
        if shown is None or trace is None:
            return None
        last = self.session.lead.cursor if self.session.lead.covers_ahead else self._last()
        key = shown.id, len(trace), self.width(), last
        if self._marks[0] != key:
            self._marks = key, marks_of(trace, marked(trace), last, self._x_of)
        return self._marks[1]

    def _paint_track(self, painter: QPainter) -> None:
        look = theme.current()
        cursor = self.session.lead.cursor
        left, right, y = self.track()
        now = float(self._x_of(cursor))
        if (marks := self.marks()) is not None:
            marks.paint(painter, y - large(MARKS), cursor, MARK_SIZE * large(100) / 100)
        for x1, token in ((right, "line"), (now, "ink")):
            painter.setPen(
                QPen(look.colour(token), large(7), Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap)
            )
            painter.drawLine(QPointF(left, y), QPointF(x1, y))
        painter.setPen(QPen(look.colour("ink"), large(25) / 10))
        painter.setBrush(look.colour("now"))
        painter.drawEllipse(QPointF(now, y), look.handle, look.handle)


def fitted(text: str, width: int, height: int) -> tuple[QFont, list[str], bool]:
    """(font, lines, whether nothing is missing): the text in the largest type that fits `width`
    times `height` pixels; cut with “…” where it does not fit even in the smallest type.
    """
    font = theme.current().font("lead")
    metrics = QFontMetrics(font)
    lines = folded(metrics, [text], width)
    while font.pixelSize() > LEAST_TYPE and not _fits(metrics, lines, width, height):
        font.setPixelSize(max(LEAST_TYPE, font.pixelSize() - 2))
        metrics = QFontMetrics(font)
        lines = folded(metrics, [text], width)
    if _fits(metrics, lines, width, height):
        return font, lines, True
    lines = lines[: max(1, height // metrics.lineSpacing())]
    if len(" ".join(lines)) < len(text):
        lines[-1] += " …"
    shown = [metrics.elidedText(line, Qt.TextElideMode.ElideRight, width) for line in lines]
    return font, shown, False


def _fits(metrics: QFontMetrics, lines: list[str], width: int, height: int) -> bool:
    return len(lines) * metrics.lineSpacing() <= height and all(
        metrics.horizontalAdvance(t) <= width for t in lines
    )


def shrunk(text: str, font: QFont, room: float) -> QFont:
    """`font` itself, made smaller while the text is wider than `room` pixels."""
    while QFontMetrics(font).horizontalAdvance(text) > room and font.pixelSize() > LEAST_TYPE:
        font.setPixelSize(font.pixelSize() - 2)
    return font


class SideStrip(QWidget):
    """A strip of large buttons with words, made when first shown.

    buttons: (icon, word, function to call) of each, in order
    """

    def __init__(self, buttons: list[tuple[str, str, Any]]) -> None:
        super().__init__()
        self._wanted = buttons
        self._later = dict[str, Callable[[], None]]()

    @cached_property
    def buttons(self) -> dict[str, tuple[QPushButton, QLabel]]:
        """(button, word below it) by name, created on first use."""
        made: dict[str, tuple[QPushButton, QLabel]] = {}
        column = QVBoxLayout(self)
        for icon, word, effect in self._wanted:
            button = QPushButton()
            style.mark(button, "strip")
            icons.put(button, icon, "ink", STRIP_ICON)
            describe(button, word)
            button.clicked.connect(lambda *_, run=effect: run())
            column.addWidget(button, 0, Qt.AlignmentFlag.AlignHCenter)
            made[word] = button, label(word, "caption")
            column.addWidget(made[word][1], 0, Qt.AlignmentFlag.AlignHCenter)
        column.addStretch(1)
        self.__dict__["buttons"] = made
        for dress in self._later.values():
            dress()
        self._fit()
        self._show_words()
        return made

    def _dress(self, what: str, dress: Callable[[], None]) -> None:
        if "buttons" in self.__dict__:
            dress()
        else:
            self._later[what] = dress

    @guarded
    def setVisible(self, visible: bool) -> None:
        """Make the buttons before the strip appears; in `showEvent` they would be painted late."""
        if visible:
            _ = self.buttons
        super().setVisible(visible)

    def _fit(self) -> None:
        self.setFixedWidth(large(STRIP))
        self.layout().setContentsMargins(large(4), large(20), large(4), large(8))
        self.layout().setSpacing(large(5))
        for button, caption in self.buttons.values():
            button.setIconSize(QSize(large(STRIP_ICON), large(STRIP_ICON)))
            caption.setContentsMargins(0, 0, 0, large(8))

    @guarded
    def minimumSizeHint(self) -> QSize:
        return QSize(self.width(), 0)

    @guarded
    def resizeEvent(self, event: Any) -> None:
        """Hide the words where the window is too low for them."""
        super().resizeEvent(event)
        if "buttons" in self.__dict__:
            self._show_words()

    def _show_words(self) -> None:
        words = self.height() >= large(28) + len(self.buttons) * large(PITCH)
        for _, caption in self.buttons.values():
            caption.setVisible(words)

    @guarded
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange and "buttons" in self.__dict__:
            self._fit()

    def tick(self, name: str, on: bool) -> None:
        """Make the button called `name` checkable, and check or uncheck it."""

        def dress() -> None:
            button, _ = self.buttons[name]
            button.setCheckable(True)
            button.setChecked(on)

        self._dress(f"tick {name}", dress)

    def dress(self, name: str, icon: str, word: str) -> None:
        """Give the button called `name` another icon and word."""

        def dress() -> None:
            button, caption = self.buttons[name]
            icons.put(button, icon, "ink", STRIP_ICON)
            describe(button, word)
            caption.setText(word)

        self._dress(name, dress)
