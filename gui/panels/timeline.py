"""The timeline: curves, event marks and the scrubber on one axis. Dragging anywhere in it scrubs."""

from bisect import bisect_left
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QFontMetrics, QPainter, QPen, QPixmap
from PySide6.QtWidgets import QWidget

from engine.core.arrays import Float
from engine.core.notation import MINUS
from gui.look import style, theme
from gui.painters.buffers import draw_lines
from gui.panels.curves import EMPTY, Curves, Series, curves, tick_text
from gui.panels.scrubbing import nearest_step
from gui.panels.timeline_lines import BOUND, HELD_OUT, corners_of, dashed, pieces
from gui.panels.timeline_marks import SHAPES, Marks, marked, marks_of, paint_mark, shapes_of
from gui.panels.timeline_metric import MetricChoice
from gui.panels.timeline_scale import Scale
from gui.session.session import Session

LEFT, RIGHT, TOP = 64, 20, 20
MARKS, TRACK = 12, 16
ROOMIER = 28  # pixels more for the projector's larger type
COUNTED = ("mistake", "overshoot", "tie", "zero")  # events whose names are nouns
GROWTH_MS, PLAYED_MS = 100, 1000  # new steps are drawn this often; while the run is played, when frames have their time


def left_edge() -> int:
    """Where the curves begin: right of the numbers, which are larger in the projector theme."""
    return style.scale(theme.current(), LEFT)


class Timeline(QWidget):
    """Left of the cursor is the past, in ink; right of it the future, pale."""

    metric_chosen = Signal(str)

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self.shown_metric = ""
        self.setAccessibleName("Timeline")
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self._fit()
        self._curves: Curves = EMPTY
        self.choice = MetricChoice(self, self.show_metric)
        self._shapes_left = 0.0
        self._drawn = 0  # the last step of the run that is drawn
        self._scale = Scale()
        self._still: tuple[Any, QPixmap, QPixmap, Marks | None] | None = None
        self._growth = QTimer(self, singleShot=True)
        self._growth.timeout.connect(self._refresh)
        session.run_grew.connect(self._on_grew)
        session.run_changed.connect(self._refresh)
        session.cursor_moved.connect(self._on_moved)
        session.settings_changed.connect(self.update)
        self._refresh()

    def _fit(self) -> None:
        self.setFixedHeight(theme.TIMELINE + (ROOMIER if theme.current().name == "projector" else 0))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange:
            self._fit()
            self._place_choice()

    # -- numbers ---------------------------------------------------------------------------------------------------

    def _on_grew(self) -> None:
        """A whole run is drawn at once, so that the curves do not blink while a slider is dragged."""
        if self.session.finished:
            self._growth.stop()
            self._refresh()
        elif not self._growth.isActive():
            self._growth.start(PLAYED_MS if self.session.player.playing else GROWTH_MS)

    def _on_moved(self) -> None:
        """Steps that are not drawn yet are drawn all at once, not one by one as the cursor comes to them."""
        (self._refresh if self.session.cursor > self._drawn else self.update)()

    def _refresh(self) -> None:
        trace = self.session.trace
        if trace is not None and self.shown_metric not in {c.metric for c in trace.algorithm.curves}:
            self.shown_metric = ""
        self._curves = curves(self.session.lane_run, self.shown_metric)
        self._drawn = len(trace) - 1 if trace is not None else 0
        about = self.session.lane.key, self.session.document.data.name, self.session.unit
        self._scale.follow(about, self._drawn, self.session.finished)
        self._still = None
        own = tuple(c for c in trace.algorithm.curves if not c.bound) if trace is not None else ()
        self.choice.offer(own, self._curves.caption)
        self._place_choice()
        self.update()

    def _place_choice(self) -> None:
        """Over the caption."""
        wide = QFontMetrics(theme.current().font("caption", weight=600)).horizontalAdvance(self._curves.caption)
        self.choice.setGeometry(left_edge(), 0, wide + 22, TOP)

    def last(self) -> int:
        """The step at the right end."""
        return max(self._scale.last, self.session.cursor)

    def x_of(self, index: Any) -> Any:
        """Step number(s) -> pixel."""
        wide = self.width() - left_edge() - RIGHT
        return left_edge() + np.asarray(index, np.float64) / self.last() * wide

    def index_at(self, px: float) -> int:
        """Pixel -> nearest step of the chosen unit."""
        trace = self.session.trace
        if trace is None or not len(trace):
            return 0
        wanted = (px - left_edge()) / max(1, self.width() - left_edge() - RIGHT) * self.last()
        return nearest_step(trace, self.session.unit, wanted)

    # -- mouse and keys --------------------------------------------------------------------------------------------

    def mousePressEvent(self, event: Any) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self.session.player.pause()
            self.session.seek(self.index_at(event.position().x()))

    def mouseMoveEvent(self, event: Any) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton:
            self.session.seek(self.index_at(event.position().x()))

    def wheelEvent(self, event: Any) -> None:
        (self.session.previous if event.angleDelta().y() > 0 else self.session.next)()

    def show_metric(self, metric: str) -> None:
        """Draw this metric of the algorithm's curves."""
        self.shown_metric = metric
        self._refresh()
        self.metric_chosen.emit(metric)

    # -- paint -----------------------------------------------------------------------------------------------------

    def paintEvent(self, event: Any) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        later, past, marks = self._pictures()
        now = round(float(self.x_of(self.session.cursor)))
        for picture, x0, x1 in ((past, 0, now), (later, now, self.width())):
            painter.setClipRect(x0, 0, x1 - x0, self.height())
            painter.drawPixmap(0, 0, picture)
        painter.setClipping(False)
        if marks is not None:
            track_y = self.height() - TRACK
            marks.paint(painter, track_y - MARKS - 1, self.session.cursor)
            self._paint_track(painter, track_y)
            self._paint_cursor(painter, track_y)

    def _pictures(self) -> tuple[QPixmap, QPixmap, Marks | None]:
        """All that the cursor leaves alone, as it looks right and left of it, and the marks; kept until it changes."""
        key = (self.size(), self.devicePixelRatio(), theme.current(), self.last())
        if self._still is None or self._still[0] != key:
            self._still = (key, *self._draw_pictures())
        return self._still[1:]

    def _draw_pictures(self) -> tuple[QPixmap, QPixmap, Marks | None]:
        trace, ratio = self.session.trace, self.devicePixelRatio()
        there = trace is not None and len(trace) > 0
        ground = QPixmap(round(self.width() * ratio), round(self.height() * ratio))
        ground.setDevicePixelRatio(ratio)
        with _brush(ground) as painter:
            self._paint_ground(painter, there)
        self._corners = [self._corners_of(series) for series in self._curves.series]
        pictures = []
        for token, width in (("ghost", 1.25), ("ink", 2.0)) if there else ():
            picture = QPixmap(ground)
            with _brush(picture) as painter:
                self._paint_series(painter, token, width)
            pictures.append(picture)
        if trace is None or not there:
            return ground, ground, None
        return pictures[0], pictures[1], marks_of(trace, self._marked(), self.last(), self.x_of)

    def _corners_of(self, series: Series) -> Float:
        y = self._area.bottom() - self._curves.height(series.y) * self._area.height()
        return corners_of(self.x_of(series.x), y, self._area.width())

    def _paint_ground(self, painter: QPainter, there: bool) -> None:
        look, track_y = theme.current(), self.height() - TRACK
        painter.fillRect(self.rect(), look.colour("dock"))
        self._area = QRectF(left_edge(), TOP, self.width() - left_edge() - RIGHT, track_y - MARKS - 10 - TOP)
        painter.fillRect(self._area, look.colour("field"))
        self._paint_axis(painter)
        if there:
            self._paint_rounds(painter)
            self._paint_name_of_marks(painter, track_y - MARKS - 1)

    def _paint_axis(self, painter: QPainter) -> None:
        look, area = theme.current(), self._area
        painter.setFont(look.font("caption", weight=600))
        painter.setPen(look.colour("ink"))
        caption = self._curves.caption
        more = len(self.choice.curves) > 1
        painter.drawText(QPointF(left_edge(), TOP - 6), caption + (" ▾" if more else ""))
        wide = painter.fontMetrics().horizontalAdvance(caption)
        self._paint_shapes(painter, self._paint_legend(painter, left_edge() + wide + 34.0))
        painter.setFont(look.font("caption"))
        above = -np.inf
        for tick in reversed(self._curves.ticks()):
            y = area.bottom() - float(self._curves.height(np.asarray(tick))) * area.height()
            painter.setPen(QPen(look.colour("grid"), 1))
            painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y))
            middle = min(y, area.bottom() - 6)  # the lowest stands above the marks' name
            if middle - above < look.line_height("caption") - 1:
                continue  # its number would lie on the one above
            above = middle
            painter.setPen(look.colour("ink3"))
            box = QRectF(0, middle - 9, left_edge() - 8, 18)
            painter.drawText(box, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, tick_text(tick))

    def _paint_legend(self, painter: QPainter, x: float) -> float:
        """Names of the dashed series, when there are any; returns where they end."""
        look = theme.current()
        painter.setFont(look.font("caption"))
        for series in self._curves.series[1:]:
            pen = QPen(look.colour("ink2"), 1.5)
            if series.dashed:
                pen.setDashPattern(_dash(series))
            painter.setPen(pen)
            painter.drawLine(QPointF(x, TOP - 10), QPointF(x + 26, TOP - 10))
            painter.setPen(look.colour("ink2"))
            words = f"{series.name} ({series.beyond})" if series.beyond else series.name
            painter.drawText(QPointF(x + 32, TOP - 6), words)
            x += 52 + painter.fontMetrics().horizontalAdvance(words)
        return x

    def _marked(self) -> list[str]:
        return marked(self.session.trace) if self.session.trace is not None else []

    def _paint_shapes(self, painter: QPainter, start: float) -> None:
        """Which mark means which event, at the right end, of those that the run has: the first ones, right of `start`."""
        look, trace = theme.current(), self.session.trace
        if trace is None:
            return
        painter.setFont(look.font("caption"))
        x = float(self.width() - RIGHT - 10)  # the cursor at the end stands beside it
        names, wide = self._marked(), painter.fontMetrics().horizontalAdvance
        told = [(shape, name) for shape, name in zip(shapes_of(names), names, strict=True) if trace.when(name)]
        while told and x - sum(wide(name) + 32 for _, name in told) < start - 10:
            told.pop()
        for shape, name in reversed(told):
            x -= wide(name)
            painter.setPen(look.colour("ink3"))
            painter.drawText(QPointF(x, TOP - 6), name)
            paint_mark(painter, SHAPES[shape], x - 11, TOP - 10, look.colour("ink3"))
            x -= 32
        self._shapes_left = x

    def _paint_rounds(self, painter: QPainter) -> None:
        """A rule where each round ended, with the number of the next, while there is room."""
        trace, look = self.session.trace, theme.current()
        assert trace is not None
        ends = trace.when("round")
        room = self._area.width() / max(1, len(ends))
        if not ends or room < 40:
            return
        painter.setFont(look.font("caption"))
        for k, index in enumerate(ends[:-1] if self.session.finished else ends):
            x = float(self.x_of(index))
            painter.setPen(QPen(look.colour("strong"), 1))
            painter.drawLine(QPointF(x, TOP - 2), QPointF(x, self._area.bottom()))
            painter.setPen(look.colour("ink3"))
            fits = self._caption_end() + 20 < x < self._shapes_left - 60
            if room > 64 and fits and not self._curves.series[1:]:
                painter.drawText(QPointF(x + 6, TOP - 6), f"round {k + 2:,}")

    def _caption_end(self) -> float:
        return self.choice.geometry().right() if self.choice.isVisible() else 0.0

    def _paint_series(self, painter: QPainter, token: str, width: float) -> None:
        painter.setPen(QPen(theme.current().colour(token), width))
        painter.setClipRect(self._area.adjusted(0, -1, 0, width))  # a bound may leave through the top
        for series, corners in zip(self._curves.series, self._corners, strict=True):
            dash = [width * part for part in _dash(series)]
            draw_lines(painter, dashed(corners, *dash) if series.dashed else pieces(corners))

    def _paint_name_of_marks(self, painter: QPainter, y: float) -> None:
        look, shown = theme.current(), self._marked()
        painter.setFont(look.font("caption"))
        painter.setPen(look.colour("ink3"))
        box = QRectF(0, y - 8, left_edge() - 8, 16)
        alone = [name for name in shown if name not in ("converged", "cycle")]
        name = alone[0] + "s" if len(alone) == 1 and alone[0] in COUNTED else "events"
        painter.drawText(box, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, name)

    def _paint_track(self, painter: QPainter, y: float) -> None:
        look = theme.current()
        now = float(self.x_of(self.session.cursor))
        for x0, x1, token in ((left_edge(), self.width() - RIGHT, "line"), (left_edge(), now, "ink")):
            painter.setPen(QPen(look.colour(token), 4, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
            painter.drawLine(QPointF(x0, y), QPointF(x1, y))

    def _paint_cursor(self, painter: QPainter, y: float) -> None:
        look = theme.current()
        x = float(self.x_of(self.session.cursor))
        for token, width in (("ink", 4.5), ("now", 2.0)):
            painter.setPen(QPen(look.colour(token), width))
            painter.drawLine(QPointF(x, TOP - 1), QPointF(x, y))  # below the captions
        painter.setPen(QPen(look.colour("ink"), 1.5))
        painter.setBrush(look.colour("now"))
        painter.drawEllipse(QPointF(x, y), look.handle, look.handle)


def _dash(series: Series) -> tuple[float, float]:
    return HELD_OUT if series.name == "held out" else BOUND


@contextmanager
def _brush(picture: QPixmap) -> Iterator[QPainter]:
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    yield painter
    painter.end()


def counter_texts(session: Session) -> tuple[str, str, list[str]]:
    """('37', '/ 1,213', captions) for the counter: the step, how many there are, its round and events."""
    trace, step = session.trace, session.step
    if trace is None or step is None:
        return MINUS, "", []
    indices = trace.indices(session.unit)
    total = f"/ {max(0, len(indices) - 1):,}" + ("" if session.finished else "+")
    captions = []
    if "round" in trace.algorithm.events:
        captions.append(f"round {_round_at(session):,}" if session.cursor else "before round 1")
    if step.events:
        captions.append("event: " + ", ".join(step.events))
    return f"{session.number:,}", total, captions


def _round_at(session: Session) -> int:
    """The round that the shown step belongs to; the single step that sums a run up belongs to its last round."""
    trace = session.trace
    assert trace is not None
    ends = trace.when("round")
    ended = bisect_left(ends, session.cursor)
    summed_up = session.finished and ended == len(ends) > 0 and ends[-1] == len(trace) - 2
    return ended + 1 - summed_up
