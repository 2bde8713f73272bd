"""The parts of the timeline that stay while the cursor moves: captions, axis, rounds and curves of
the visible span.
"""

from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from engine.base.arrays import Float
from engine.base.records import cached_property
from engine.runs.trace import Trace
from engine.scene.geometry import from_segments
from engine.scene.roles import HALO, HALO_ALPHA
from gui.look import sizes, style, theme
from gui.painters.buffers import draw_lines
from gui.painters.hits import REACH
from gui.timeline import timeline_ends
from gui.timeline.curves import HELD_OUT as HELD_OUT_NAME
from gui.timeline.curves import Curves, Series, tick_text
from gui.timeline.timeline_lines import BOUND, HELD_OUT, corners_of, dashed, pieces
from gui.timeline.timeline_marks import SHAPES, marked, paint_mark, shapes_of
from gui.timeline.timeline_scale import Span

LEFT = 64
TOP = sizes.CAPTIONS
MARKS = 12  # pixels from the track up to the events
NO_END = 1 << 62  # no step comes after it
ABOVE_MARKS = 10  # pixels below the curves: axis numbers stay a line above, for the marks' name
COUNTED = ("mistake", "overshoot", "tie", "zero")  # events named by nouns, with a plural “s”


def left_edge() -> int:
    """The x of the left end of the curves, in pixels; the axis numbers stand before it."""
    return style.scale(theme.current(), LEFT)


def top_edge() -> int:
    """The y of the upper end of the curves, in pixels; the captions stand above it."""
    line = theme.current().line_height("caption")
    return TOP if line <= TOP else line + 4


@dataclass
class Paper:
    """Paints the parts that stay.

    trace: of the run, None without a step;
    finished: whether the run has no more steps;
    rows: what the timeline has room for, see `sizes.timeline_rows`;
    whole, area: the rectangles of the timeline and of its curves, in pixels;
    span: the visible steps;
    x_of: step numbers to pixels;
    caption_end: the x where the choice of the curve ends;
    more: whether there are curves to choose from;
    shapes_left: the x where the legend of the marks begins, known once it is painted;
    until: the last step whose events may be shown.
    """

    trace: Trace | None
    finished: bool
    curves: Curves
    rows: tuple[int, int, bool, bool]
    whole: QRectF
    area: QRectF
    span: Span
    x_of: Callable[[Any], Any]
    caption_end: float
    more: bool
    shapes_left: float = 0.0
    until: int = NO_END

    @property
    def lanes(self) -> bool:
        """Whether there is a curve for each of several lanes."""
        return any(series.lane for series in self.curves.series)

    @cached_property
    def corners(self) -> list[Float]:
        """(m, 2) the corners of each curve in pixels, computed on first use."""
        return [self._corners_of(series) for series in self.curves.series]

    def about(self, at: QPointF) -> tuple[str, ...]:
        """The tags of what the curve near `at` measures; () if none is near."""
        if not self.rows[1] or self.trace is None or not self.area.contains(at):
            return ()
        place = np.array([at.x(), at.y()])
        apart = [
            float(from_segments(pieces(way), place).min(initial=np.inf)) for way in self.corners
        ]
        nearest = int(np.argmin(apart)) if apart else -1
        return self.curves.series[nearest].about if apart and apart[nearest] <= REACH else ()

    def _corners_of(self, series: Series) -> Float:
        """(m, 2) the corners in pixels of the visible part of a curve and of one more value on each
        side.
        """
        first, last = np.searchsorted(series.x, self.span)
        seen = slice(max(0, first - 1), last + 1)
        y = self.area.bottom() - self.curves.height(series.y[seen]) * self.area.height()
        return corners_of(self.x_of(series.x[seen]), y, self.area.width())

    def paint_ground(self, painter: QPainter, track: float, overview: float) -> None:
        """Paint all but the curves. track, overview: the y of their middles."""
        painter.fillRect(self.whole, theme.current().colour("dock"))
        self._paint_captions(painter)
        if self.rows[1]:
            painter.fillRect(self.area, theme.current().colour("field"))
            self._paint_axis(painter)
        if self.trace is not None and self.rows[1]:
            self._paint_rounds(painter)
            timeline_ends.paint(painter, self.curves, self.span[1], self.area)
        if self.trace is not None and self.rows[2]:
            self._paint_name_of_marks(painter, track - MARKS - 1)
        if self.rows[3]:
            self._paint_left(painter, overview, "all")

    def paint_lit(self, painter: QPainter, lit: frozenset[str]) -> None:
        """Paint a halo around the curves that have a tag in `lit`."""
        painter.setPen(QPen(theme.current().colour("ink", HALO_ALPHA), HALO))
        for series, way in zip(self.curves.series, self.corners, strict=True):
            if self.rows[1] and lit.intersection(series.about):
                draw_lines(painter, pieces(way))

    def paint_series(
        self, painter: QPainter, corners: list[Float], token: str, width: float
    ) -> None:
        """Paint the curves in the colour `token`, with lines of this width."""
        painter.setPen(QPen(theme.current().colour(token), width))
        # clipped, since a bound may leave through the top
        painter.setClipRect(self.area.adjusted(0, -1, 0, width))
        for series, way in zip(self.curves.series, corners, strict=True):
            dash = [*series.pattern] or [width * part for part in _dash(series)]
            draw_lines(
                painter, dashed(way, *dash) if series.dashed or series.pattern else pieces(way)
            )

    def _paint_captions(self, painter: QPainter) -> None:
        look = theme.current()
        painter.setFont(look.font("caption", weight=600))
        painter.setPen(look.colour("ink"))
        caption = self.curves.caption
        painter.drawText(
            QPointF(left_edge(), top_edge() - 6), caption + (" ▾" if self.more else "")
        )
        wide = painter.fontMetrics().horizontalAdvance(caption)
        # a single curve has no button that would end here
        self.caption_end = max(self.caption_end, left_edge() + wide)
        self._paint_shapes(painter, self._paint_legend(painter, left_edge() + wide + 34.0))

    def _paint_axis(self, painter: QPainter) -> None:
        look = theme.current()
        area = self.area
        painter.setFont(look.font("caption"))
        above = -np.inf
        for tick in reversed(self.curves.ticks()):
            y = area.bottom() - float(self.curves.height(np.asarray(tick))) * area.height()
            painter.setPen(QPen(look.colour("grid"), 1))
            painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y))
            # the number stays above the name of the marks
            middle = min(y, area.bottom() + ABOVE_MARKS - look.line_height("caption"))
            if middle - above < look.line_height("caption") - 1:
                continue  # its number would lie on the one above
            above = middle
            painter.setPen(look.colour("ink3"))
            box = QRectF(0, middle - 9, left_edge() - 8, 18)
            painter.drawText(
                box, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, tick_text(tick)
            )

    def _paint_legend(self, painter: QPainter, x: float) -> float:
        """Paint the names of the lanes, or of the series after the first, from `x` on; return the x
        where they end.
        """
        look = theme.current()
        painter.setFont(look.font("caption"))
        for series in self.curves.series[0 if self.lanes else 1 :]:
            pen = QPen(look.colour("ink2"), 2.25 if self.lanes else 1.5)
            pen.setCapStyle(Qt.PenCapStyle.FlatCap)
            if series.dashed or series.pattern:
                pen.setDashPattern([part / 2.25 for part in series.pattern] or _dash(series))
            painter.setPen(pen)
            painter.drawLine(QPointF(x, top_edge() - 10), QPointF(x + 26, top_edge() - 10))
            painter.setPen(look.colour("ink2"))
            words = f"{series.name} ({series.beyond})" if series.beyond else series.name
            painter.drawText(QPointF(x + 32, top_edge() - 6), words)
            x += 52 + painter.fontMetrics().horizontalAdvance(words)
        return x

    def _marked(self) -> list[str]:
        return marked(self.trace) if self.trace is not None else []

    def _paint_shapes(self, painter: QPainter, start: float) -> None:
        """Paint a legend of the marks at the right end of the captions.

        It names the events that occur up to `until`, as many as fit right of `start`. Without the
        row of marks there is no legend.
        """
        look = theme.current()
        trace = self.trace
        self.shapes_left = self.area.right()
        if trace is None or not self.rows[2]:
            return
        painter.setFont(look.font("caption"))
        x = self.area.right() - 10  # leaves room for the cursor at the end
        names = self._marked()
        wide = painter.fontMetrics().horizontalAdvance
        first = {name: next(iter(trace.when(name)), NO_END) for name in names}
        marks = [
            (k, name)
            for k, name in zip(shapes_of(names), names, strict=True)
            if first[name] < min(self.until + 1, NO_END)
        ]
        while marks and x - sum(wide(name) + 32 for _, name in marks) < start - 10:
            marks.pop()
        for shape, name in reversed(marks):
            x -= wide(name)
            painter.setPen(look.colour("ink3"))
            painter.drawText(QPointF(x, top_edge() - 6), name)
            paint_mark(painter, SHAPES[shape], x - 11, top_edge() - 10, look.colour("ink3"))
            x -= 32
        self.shapes_left = x

    def _paint_rounds(self, painter: QPainter) -> None:
        """Paint a rule at the end of each round, with the number of the next, if there is room."""
        trace = self.trace
        look = theme.current()
        assert trace is not None
        every = trace.when("round")
        first, last = (bisect_left(every, step) for step in self.span)
        ends = every[first : last + 1]
        room = self.area.width() / max(1, len(ends))
        if not ends or room < 40:
            return
        painter.setFont(look.font("caption"))
        for k, index in enumerate(ends, first):
            x = float(self.x_of(index))
            if (
                x > self.area.right()
                or index > self.until
                or (self.finished and k == len(every) - 1)
            ):
                break
            painter.setPen(QPen(look.colour("strong"), 1))
            painter.drawLine(QPointF(x, top_edge() - 2), QPointF(x, self.area.bottom()))
            painter.setPen(look.colour("ink3"))
            fits = self.caption_end + 20 < x < self.shapes_left - 60
            if room > 64 and fits and not self.curves.series[1:]:
                painter.drawText(QPointF(x + 6, top_edge() - 6), f"round {k + 2:,}")

    def _paint_name_of_marks(self, painter: QPainter, y: float) -> None:
        shown = self._marked()
        alone = [name for name in shown if name not in ("converged", "cycle")]
        name = alone[0] + "s" if len(alone) == 1 and alone[0] in COUNTED else "events"
        self._paint_left(painter, y, name)

    def _paint_left(self, painter: QPainter, y: float, text: str) -> None:
        """Write `text` left of the axis, with its middle at y."""
        look = theme.current()
        painter.setFont(look.font("caption"))
        painter.setPen(look.colour("ink3"))
        box = QRectF(0, y - 9, left_edge() - 8, 18)
        painter.drawText(box, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, text)


def _dash(series: Series) -> tuple[float, float]:
    return HELD_OUT if series.name == HELD_OUT_NAME else BOUND
