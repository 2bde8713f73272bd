"""The timeline: curves, event marks and the scrubber on one axis. Dragging anywhere in it scrubs."""

from typing import Any

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QBrush, QColor, QPainter, QPainterPath, QPen, QPolygonF
from PySide6.QtWidgets import QMenu, QWidget

from engine.core.arrays import Float
from engine.core.notation import MINUS, short
from engine.core.step import Level
from gui import theme
from gui.panels.curves import EMPTY, Curves, Series, curves
from gui.session import Session

LEFT, RIGHT, TOP = 64, 20, 20
MARKS, TRACK = 12, 16
SHAPES = ("up", "diamond", "down", "dot", "square", "bar", "up", "diamond")


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
        self.setFixedHeight(theme.TIMELINE)
        self._curves: Curves = EMPTY
        self._caption = QRectF()
        for signal in (session.run_changed, session.run_grew):
            signal.connect(self._refresh)
        session.cursor_moved.connect(self.update)
        session.settings_changed.connect(self.update)
        self._refresh()

    # -- numbers ---------------------------------------------------------------------------------------------------

    def _refresh(self) -> None:
        trace = self.session.trace
        if trace is not None and self.shown_metric not in {c.metric for c in trace.algorithm.curves}:
            self.shown_metric = ""
        self._curves = curves(self.session.lane_run, self.shown_metric)
        self.update()

    def last(self) -> int:
        return max(1, len(self.session.trace) - 1) if self.session.trace is not None else 1

    def x_of(self, index: Any) -> Any:
        """Step number(s) -> pixel."""
        wide = self.width() - LEFT - RIGHT
        return LEFT + np.asarray(index, np.float64) / self.last() * wide

    def index_at(self, px: float) -> int:
        """Pixel -> nearest step of the chosen unit."""
        trace = self.session.trace
        if trace is None or not len(trace):
            return 0
        wanted = (px - LEFT) / max(1, self.width() - LEFT - RIGHT) * self.last()
        indices = np.asarray(trace.indices(self.session.unit))
        if not len(indices):
            return int(np.clip(round(wanted), 0, self.last()))
        place = int(np.clip(np.searchsorted(indices, wanted), 1, len(indices) - 1)) if len(indices) > 1 else 0
        near = indices[max(0, place - 1) : place + 1]
        return int(near[np.abs(near - wanted).argmin()])

    # -- hands -----------------------------------------------------------------------------------------------------

    def mousePressEvent(self, event: Any) -> None:
        if self._caption.contains(event.position()):
            self._choose_metric(event.globalPosition().toPoint())
        elif event.button() == Qt.MouseButton.LeftButton:
            self.session.player.pause()
            self.session.seek(self.index_at(event.position().x()))

    def mouseMoveEvent(self, event: Any) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton:
            self.session.seek(self.index_at(event.position().x()))
        over_caption = self._caption.contains(event.position())
        self.setCursor(Qt.CursorShape.PointingHandCursor if over_caption else Qt.CursorShape.ArrowCursor)

    def wheelEvent(self, event: Any) -> None:
        (self.session.previous if event.angleDelta().y() > 0 else self.session.next)()

    def _choose_metric(self, place: Any) -> None:
        trace = self.session.trace
        if trace is None:
            return
        menu = QMenu(self)
        for curve in trace.algorithm.curves:
            if not curve.bound:
                menu.addAction(curve.title, lambda name=curve.metric: self.show_metric(name))
        menu.popup(place)

    def show_metric(self, metric: str) -> None:
        """Draw this metric of the algorithm's curves."""
        self.shown_metric = metric
        self._refresh()
        self.metric_chosen.emit(metric)

    # -- paint -----------------------------------------------------------------------------------------------------

    def paintEvent(self, event: Any) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        look = theme.current()
        painter.fillRect(self.rect(), look.colour("dock"))
        track_y = self.height() - TRACK
        self._area = QRectF(LEFT, TOP, self.width() - LEFT - RIGHT, track_y - MARKS - 10 - TOP)
        painter.fillRect(self._area, look.colour("field"))
        self._paint_axis(painter)
        if self.session.trace is not None and len(self.session.trace):
            self._paint_rounds(painter)
            for series in self._curves.series:
                self._paint_series(painter, series)
            self._paint_marks(painter, track_y - MARKS - 1)
            self._paint_track(painter, track_y)
            self._paint_cursor(painter, track_y)

    def _paint_axis(self, painter: QPainter) -> None:
        look, area = theme.current(), self._area
        painter.setFont(look.font("caption", weight=600))
        painter.setPen(look.colour("ink"))
        caption = self._curves.caption
        more = self.session.trace is not None and sum(not c.bound for c in self.session.trace.algorithm.curves) > 1
        wide = painter.fontMetrics().horizontalAdvance(caption)
        self._caption = QRectF(LEFT, 0, wide + 22, TOP) if more else QRectF()
        painter.drawText(QPointF(LEFT, TOP - 6), caption + (" ▾" if more else ""))
        self._paint_legend(painter, LEFT + wide + 34)
        self._paint_shapes(painter)
        painter.setFont(look.font("caption"))
        for tick in self._curves.ticks():
            y = area.bottom() - float(self._curves.height(np.asarray(tick))) * area.height()
            painter.setPen(QPen(look.colour("grid"), 1))
            painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y))
            painter.setPen(look.colour("ink3"))
            box = QRectF(0, y - 9, LEFT - 8, 18)
            painter.drawText(box, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, short(tick))

    def _paint_legend(self, painter: QPainter, x: float) -> None:
        """Names of the dashed series, when there are any."""
        look = theme.current()
        painter.setFont(look.font("caption"))
        for series in self._curves.series[1:]:
            painter.setPen(_pen(look.colour("ink2"), 1.5, series.dashed, series.name))
            painter.drawLine(QPointF(x, TOP - 10), QPointF(x + 26, TOP - 10))
            painter.setPen(look.colour("ink2"))
            painter.drawText(QPointF(x + 32, TOP - 6), series.name)
            x += 52 + painter.fontMetrics().horizontalAdvance(series.name)

    def _marked(self) -> list[str]:
        """The events that have marks: rounds have rules instead."""
        trace = self.session.trace
        return [name for name in trace.algorithm.events if name != "round"] if trace is not None else []

    def _paint_shapes(self, painter: QPainter) -> None:
        """Which mark means which event, at the right end, of those that the run has."""
        look, trace = theme.current(), self.session.trace
        if trace is None:
            return
        there = {event for events in trace.events for event in events}
        painter.setFont(look.font("caption"))
        x = float(self.width() - RIGHT)
        for k, name in reversed(list(enumerate(self._marked()))):
            if name in there:
                x -= painter.fontMetrics().horizontalAdvance(name)
                painter.setPen(look.colour("ink3"))
                painter.drawText(QPointF(x, TOP - 6), name)
                _mark(painter, SHAPES[k % len(SHAPES)], x - 11, TOP - 10, look.colour("ink3"))
                x -= 32

    def _paint_rounds(self, painter: QPainter) -> None:
        """A rule where each round ended, with the number of the next, while there is room."""
        trace, look = self.session.trace, theme.current()
        assert trace is not None
        ends = [i for i in trace.indices(Level.ROUND) if "round" in trace.events[i]]
        room = self._area.width() / max(1, len(ends))
        if not ends or room < 40:
            return
        painter.setFont(look.font("caption"))
        for k, index in enumerate(ends[:-1] if self.session.finished else ends):
            x = float(self.x_of(index))
            painter.setPen(QPen(look.colour("strong"), 1))
            painter.drawLine(QPointF(x, TOP - 2), QPointF(x, self._area.bottom()))
            painter.setPen(look.colour("ink3"))
            if room > 64 and x > self._caption.right() + 20 and not self._curves.series[1:]:
                painter.drawText(QPointF(x + 6, TOP - 6), f"round {k + 2}")

    def _paint_series(self, painter: QPainter, series: Series) -> None:
        look = theme.current()
        x, y = _thin(self.x_of(series.x), self._curves.height(series.y), self._area.width())
        path = _stairs(x, self._area.bottom() - y * self._area.height())
        now = float(self.x_of(self.session.cursor))
        past = QRectF(0, 0, now, self.height())
        for clip, token, width in (
            (QRectF(now, 0, self.width(), self.height()), "ghost", 1.25),
            (past, "ink", 2.0),
        ):
            painter.save()
            painter.setClipRect(clip)
            painter.setPen(_pen(look.colour(token), width, series.dashed, series.name))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawPath(path)
            painter.restore()

    def _paint_marks(self, painter: QPainter, y: float) -> None:
        look, trace = theme.current(), self.session.trace
        assert trace is not None
        shown = self._marked()
        painter.setFont(look.font("caption"))
        painter.setPen(look.colour("ink3"))
        box = QRectF(0, y - 8, LEFT - 8, 16)
        name = shown[0] + "s" if len(shown) and shown[1:] in ([], ["converged"], ["converged", "cycle"]) else "events"
        painter.drawText(box, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, name)
        taken: set[tuple[int, str]] = set()
        for index, events in enumerate(trace.events):
            for event in events:
                px = round(float(self.x_of(index)) / 2)
                if event in shown and (px, event) not in taken:
                    taken.add((px, event))
                    token = "ink" if index <= self.session.cursor else "ghost"
                    _mark(painter, SHAPES[shown.index(event) % len(SHAPES)], px * 2.0, y, look.colour(token))

    def _paint_track(self, painter: QPainter, y: float) -> None:
        look = theme.current()
        now = float(self.x_of(self.session.cursor))
        for x0, x1, token in ((LEFT, self.width() - RIGHT, "line"), (LEFT, now, "ink")):
            painter.setPen(QPen(look.colour(token), 4, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
            painter.drawLine(QPointF(x0, y), QPointF(x1, y))

    def _paint_cursor(self, painter: QPainter, y: float) -> None:
        look = theme.current()
        x = float(self.x_of(self.session.cursor))
        for token, width in (("ink", 4.5), ("now", 2.0)):
            painter.setPen(QPen(look.colour(token), width))
            painter.drawLine(QPointF(x, TOP - 6), QPointF(x, y))
        painter.setPen(QPen(look.colour("ink"), 1.5))
        painter.setBrush(look.colour("now"))
        painter.drawEllipse(QPointF(x, y), look.handle, look.handle)


def _pen(colour: QColor, width: float, dashed: bool, name: str) -> QPen:
    pen = QPen(colour, width)
    if dashed:
        pen.setDashPattern([4, 2.5] if name == "held out" else [1.5, 2])
    return pen


def _thin(x: Float, y: Float, width: float) -> tuple[Float, Float]:
    """At most about two points per pixel: the least and the largest value of each pixel's steps."""
    size = int(np.ceil(len(x) / max(1.0, width)))
    if size <= 2:
        return x, y
    whole = len(x) // size * size
    blocks = y[:whole].reshape(-1, size)
    ends = np.column_stack([blocks.min(1), blocks.max(1)]).ravel()
    places = np.repeat(x[:whole:size], 2)
    return np.append(places, x[whole:]), np.append(ends, y[whole:])


def _stairs(x: Float, y: Float) -> QPainterPath:
    """A value holds until the next one comes."""
    points = QPolygonF([QPointF(a, b) for a, b in zip(np.repeat(x, 2)[1:], np.repeat(y, 2)[:-1], strict=True)])
    path = QPainterPath()
    path.addPolygon(points)
    return path


def _mark(painter: QPainter, shape: str, x: float, y: float, colour: QColor) -> None:
    painter.setPen(QPen(colour, 1.25))
    painter.setBrush(QBrush(colour) if shape in ("up", "down", "dot", "bar") else Qt.BrushStyle.NoBrush)
    r = 4.0
    rings = {
        "up": [(0, -r), (r, r), (-r, r)],
        "down": [(0, r), (r, -r), (-r, -r)],
        "diamond": [(0, -r), (r, 0), (0, r), (-r, 0)],
        "square": [(-r, -r), (r, -r), (r, r), (-r, r)],
        "bar": [(-1, -r), (1, -r), (1, r), (-1, r)],
    }
    if shape == "dot":
        painter.drawEllipse(QPointF(x, y), r - 1, r - 1)
    else:
        painter.drawPolygon(QPolygonF([QPointF(x + dx, y + dy) for dx, dy in rings[shape]]))


def counter_texts(session: Session) -> tuple[str, str, list[str]]:
    """('37', '/ 213', captions) for the counter: the step, how many there are, its round and events."""
    trace, step = session.trace, session.step
    if trace is None or step is None:
        return MINUS, "", []
    indices = trace.indices(session.unit)
    passed = int(np.searchsorted(indices, session.cursor, side="right")) - 1
    total = f"/ {max(0, len(indices) - 1):,}".replace(",", "\N{NARROW NO-BREAK SPACE}") + (
        "" if session.finished else "+"
    )
    captions = []
    if "round" in trace.algorithm.events:
        ended = sum("round" in trace.events[i] for i in trace.indices(Level.ROUND) if i < session.cursor)
        captions.append(f"round {ended + 1}" if session.cursor else "before round 1")
    if step.events:
        captions.append("event: " + ", ".join(step.events))
    return str(max(0, passed)), total, captions
