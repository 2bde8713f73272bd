"""The parts of the timeline that stay while the cursor moves: captions, axis, rounds and curves of
the visible span.
"""

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from engine.base.arrays import Float
from engine.base.notation import value_text
from engine.base.records import cached_property, replace
from engine.runs.trace import Trace
from engine.scene.geometry import from_segments
from engine.scene.roles import HALO, HALO_ALPHA
from gui.figures.not_yet import LINES, STRENGTH, TILE
from gui.look import sizes, style, theme
from gui.look.ink import face, write
from gui.painters.buffers import draw_lines
from gui.painters.hatches import tile_of
from gui.painters.hits import REACH
from gui.timeline.curves import HELD_OUT as HELD_OUT_NAME
from gui.timeline.curves import Curves, Series, tick_text
from gui.timeline.marks import SHAPES, marked, paint_mark, shapes_of
from gui.timeline.running_mean import is_jagged, running_mean, window
from gui.timeline.scale import Span

PALE = 0.13  # of ink: the values themselves, below their running mean
HELD_OUT, BOUND = (8 / 2.25, 4 / 2.25), (1.5, 2.0)  # dash and gap, in widths of the line


def corners_of(x: Float, y: Float, width: float) -> Float:
    """(m, 2) pixels: stairs through the values x, y (n,) over `width` pixels."""
    return stairs(*thinned(x, y, width))


def pieces(corners: Float) -> Float:
    """(m, 2, 2) the straight pieces between corners (m + 1, 2)."""
    return np.stack([corners[:-1], corners[1:]], axis=1)


def thinned(x: Float, y: Float, width: float) -> tuple[Float, Float]:
    """At most about two points per pixel: the least and the largest value of each pixel's steps."""
    size = int(np.ceil(len(x) / max(1.0, width)))
    if size <= 2:
        return x, y
    whole = len(x) // size * size
    blocks = y[:whole].reshape(-1, size)
    ends = np.column_stack([blocks.min(1), blocks.max(1)]).ravel()
    places = np.repeat(x[:whole:size], 2)
    return np.append(places, x[whole:]), np.append(ends, y[whole:])


def stairs(x: Float, y: Float) -> Float:
    """(m, 2) the corners of stairs: each value y (n,) holds from its x (n,) to the next change."""
    turns = np.append(np.flatnonzero(np.diff(y, prepend=np.nan)), len(y) - 1)
    x = x[turns]
    y = y[turns]
    return np.column_stack([np.repeat(x, 2)[1:], np.repeat(y, 2)[:-1]])


def dashed(corners: Float, *pattern: float) -> Float:
    """(m, 2, 2) the drawn pieces of a dashed line along `corners` (n, 2).

    pattern: pixels of dash, gap, dash, gap …
    """
    way = np.append(0.0, np.cumsum(np.hypot(*np.diff(corners, axis=0).T)))
    ends = np.cumsum(pattern)
    starts = np.arange(0.0, way[-1], ends[-1])
    cuts = (starts[:, None] + np.append(0.0, ends[:-1])).ravel()
    stops = np.unique(np.concatenate([way, cuts[cuts < way[-1]]]))
    places = np.column_stack([np.interp(stops, way, corners[:, j]) for j in (0, 1)])
    drawn = np.searchsorted(ends, (stops[:-1] + stops[1:]) / 2 % ends[-1], "right") % 2 == 0
    return np.stack([places[:-1][drawn], places[1:][drawn]], axis=1)


APART, GAP = 14.0, 6.0  # pixels between two names at least; before a name and before its value


def apart(wanted: Sequence[float], least: float, low: float, high: float) -> list[float]:
    """Heights near the `wanted` ones, in the same order and at least `least` apart.

    They lie between `low` and `high` if there is room for all, otherwise they go on beyond `high`.
    """
    order = np.argsort(wanted, kind="stable")
    placed = np.asarray(wanted, np.float64)[order]
    for k in range(1, len(placed)):
        placed[k] = max(placed[k], placed[k - 1] + least)
    for k in range(len(placed) - 1, -1, -1):
        placed[k] = min(placed[k], high - (len(placed) - 1 - k) * least)
    placed[:1] = np.maximum(placed[:1], low)
    for k in range(1, len(placed)):
        placed[k] = max(placed[k], placed[k - 1] + least)
    result = np.empty(len(placed))
    result[order] = placed
    return result.tolist()


def ends(curves: Curves, last: float) -> list[tuple[Series, float]]:
    """The series that have a name at their end, each with its value at step `last`."""
    found = []
    for series in curves.series:
        at = int(np.searchsorted(series.x, last, "right")) - 1
        if series.end and at >= 0:
            found.append((series, float(series.y[at])))
    return found


def ends_width(curves: Curves, last: float) -> float:
    """Pixels that the names and values need right of the curve; 0 where there are none."""
    value = max(
        (face("caption").width(value_text(v, curves.digits)) for _, v in ends(curves, last)),
        default=0.0,
    )
    name = max((face("caption", 600).width(s.end) for s, _ in ends(curves, last)), default=0.0)
    return _past_handle() + name + value + 2 * GAP if name else 0.0


def _past_handle() -> float:
    """Pixels from the end of the curves to the right of the scrubber's handle there."""
    return theme.current().handle + GAP / 2


def paint_ends(painter: QPainter, curves: Curves, last: float, area: QRectF) -> None:
    """Write the names and values right of `area`, at the heights where the curves end."""
    found = ends(curves, last)
    heights = [
        area.bottom() - float(curves.height(np.asarray(v))) * area.height() for _, v in found
    ]
    step = max(APART, face("caption").metrics.height())
    for (series, value), y in zip(
        found, apart(heights, step, area.top(), area.bottom()), strict=True
    ):
        x = area.right() + _past_handle()
        write(painter, x, y, series.end, face("caption", 600), "ink")
        x += GAP + face("caption", 600).width(series.end)
        write(painter, x, y, value_text(value, curves.digits), face("caption"), "ink2")


WORDS = "hidden until you answer"
PAD = 14.0  # pixels round the words


def up_to(curves: Curves, cursor: int) -> Curves:
    """The curves up to step `cursor`, on an axis that fits this part alone."""
    kept = tuple(series for each in curves.series if len((series := _past(each, cursor)).x))
    values: Float = np.concatenate([np.zeros(0), *(series.y for series in kept)])
    values = values[np.isfinite(values) & ((values > 0) | (not curves.log))]
    if not len(values):
        return replace(curves, series=kept, low=0.1 if curves.log else 0.0, high=1.0)
    low, high = float(values.min()), float(values.max())
    low = low if curves.log else min(0.0, low)
    return replace(curves, series=kept, low=low, high=high if high > low else low + 1.0)


def _past(series: Series, cursor: int) -> Series:
    shown = series.x <= cursor
    return replace(series, x=series.x[shown], y=series.y[shown], beyond="", end="")


def paint_cover(painter: QPainter, area: QRectF, x: float, words: str = "") -> None:
    """Hatch `area` right of the pixel x, with words in the middle if there is room: WORDS if none
    are given.
    """
    words = words or WORDS
    look = theme.current()
    covered = QRectF(x, area.top(), area.right() - x, area.height())
    if covered.width() < 1 or covered.height() < 1:
        return
    painter.fillRect(covered, look.colour("dock"))
    ratio = painter.device().devicePixelRatioF()
    painter.drawTiledPixmap(
        covered, tile_of(LINES, look.colour("ink", STRENGTH).rgba(), 1.0, TILE, ratio)
    )
    painter.setFont(look.font("body"))
    wide = painter.fontMetrics().horizontalAdvance(words) + 2 * PAD
    high = painter.fontMetrics().height() + 8.0
    if wide > covered.width() or high > covered.height():
        return
    pill = QRectF(
        covered.center() - QPointF(wide / 2, high / 2),
        covered.center() + QPointF(wide / 2, high / 2),
    )
    painter.setPen(QPen(look.colour("line"), 1))
    painter.setBrush(look.colour("field"))
    painter.drawRoundedRect(pill, theme.RADIUS, theme.RADIUS)
    painter.setPen(look.colour("ink"))
    painter.drawText(pill, Qt.AlignmentFlag.AlignCenter, words)


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


def paint_cursor(painter: QPainter, x: float, y: float, radius: float = -1.0) -> None:
    """Paint the line of the shown step at x, from below the captions down to the track at y, and
    its handle.

    radius: of the handle, in pixels; negative for that of the theme, 0 for none
    """
    look = theme.current()
    for token, width in (("ink", 4.5), ("now", 2.0)):
        painter.setPen(QPen(look.colour(token), width))
        painter.drawLine(QPointF(x, top_edge() - 1), QPointF(x, y))
    painter.setPen(QPen(look.colour("ink"), 1.5))
    painter.setBrush(look.colour("now"))
    radius = look.handle if radius < 0 else radius
    if radius:
        painter.drawEllipse(QPointF(x, y), radius, radius)


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

    @cached_property
    def means(self) -> list[Float]:
        """(m, 2) the running mean in pixels of each curve that is jagged; (0, 2) of others."""
        return [self._mean_of(series) for series in self.curves.series]

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
        seen = self._seen(series)
        return corners_of(self.x_of(series.x[seen]), self._y_of(series.y[seen]), self.area.width())

    def _mean_of(self, series: Series) -> Float:
        seen = self._seen(series)
        x, y = series.x[seen], series.y[seen]
        wide = self.area.width()
        if series.dashed or not is_jagged(y, wide):
            return np.zeros((0, 2))
        places, means = running_mean(x, y, wide)
        return np.column_stack([self.x_of(places), self._y_of(means)])

    def _seen(self, series: Series) -> slice:
        first, last = np.searchsorted(series.x, self.span)
        return slice(max(0, first - 1), last + 1)

    def _y_of(self, values: Float) -> Float:
        """The y in pixels of values (m,)."""
        return self.area.bottom() - self.curves.height(values) * self.area.height()

    def paint_ground(self, painter: QPainter, track: float, overview: float) -> None:
        """Paint all but the curves. track, overview: the y of their middles."""
        painter.fillRect(self.whole, theme.current().colour("dock"))
        self._paint_captions(painter)
        if self.rows[1]:
            painter.fillRect(self.area, theme.current().colour("field"))
            self._paint_axis(painter)
        if self.trace is not None and self.rows[1]:
            self._paint_rounds(painter)
            paint_ends(painter, self.curves, self.span[1], self.area)
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
        self,
        painter: QPainter,
        corners: list[Float],
        means: list[Float],
        token: str,
        width: float,
    ) -> None:
        """Paint the curves in the colour `token`, with lines of this width; those that have a
        running mean thin and pale, below it.
        """
        look = theme.current()
        # clipped, since a bound may leave through the top
        painter.setClipRect(self.area.adjusted(0, -1, 0, width))
        for way, mean in zip(corners, means, strict=True):
            if len(mean):
                painter.setPen(QPen(look.colour("ink", PALE), 1.0))
                draw_lines(painter, pieces(way))
        painter.setPen(QPen(look.colour(token), width))
        for series, way, mean in zip(self.curves.series, corners, means, strict=True):
            dash = [*series.pattern] or [width * part for part in _dash(series)]
            line = mean if len(mean) else way
            draw_lines(
                painter, dashed(line, *dash) if series.dashed or series.pattern else pieces(line)
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
        start = left_edge() + wide + 34.0
        end = self._paint_legend(painter, start)
        if end > start:
            self.caption_end = max(self.caption_end, end - 20)  # names of rounds stand clear of it
        self._paint_shapes(painter, end)

    def _paint_axis(self, painter: QPainter) -> None:
        look = theme.current()
        area = self.area
        painter.setFont(look.font("caption"))
        above = -np.inf
        ticks = self.curves.ticks() if self.curves.caption else ()  # no axis of nothing
        for tick in reversed(ticks):
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
            room = max(
                0, int(self.area.right() - x - 32)
            )  # a name without room ends in an ellipsis
            words = painter.fontMetrics().elidedText(words, Qt.TextElideMode.ElideRight, room)
            painter.drawText(QPointF(x + 32, top_edge() - 6), words)
            x += 52 + painter.fontMetrics().horizontalAdvance(words)
        if self.trace is not None and self.rows[1] and any(len(mean) for mean in self.means):
            x = self._paint_name_of_mean(painter, x)
        return x

    def _paint_name_of_mean(self, painter: QPainter, x: float) -> float:
        """Say beside the other names that lines are running means; return the x where it ends."""
        look = theme.current()
        words = "running mean, each value pale"
        if not self.lanes:
            series = self.curves.series[0]
            words = f"mean of {window(len(series.x[self._seen(series)])):,} steps, each value pale"
            painter.setPen(QPen(look.colour("ink"), 2.25))
            painter.drawLine(QPointF(x, top_edge() - 10), QPointF(x + 26, top_edge() - 10))
            x += 32
        painter.setPen(look.colour("ink2"))
        painter.drawText(QPointF(x, top_edge() - 6), words)
        return x + 20 + painter.fontMetrics().horizontalAdvance(words)

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
