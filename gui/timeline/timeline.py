"""The timeline: curves, event marks and the scrubber on one axis.

Dragging anywhere in it scrubs.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import ceil
from typing import Any

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QFontMetrics, QPainter, QPen, QPixmap
from PySide6.QtWidgets import QWidget

from gui.base.guard import guarded
from gui.look import sizes, theme
from gui.session.changes import Change, Changes
from gui.session.lane_view import LaneView
from gui.session.player import Player
from gui.session.playhead import Playhead
from gui.timeline.curves import EMPTY, Curves, curves, lane_curves
from gui.timeline.drawing import (
    MARKS,
    NO_END,
    TOP,
    Paper,
    ends_width,
    left_edge,
    paint_cover,
    paint_cursor,
    top_edge,
    up_to,
)
from gui.timeline.marks import BOX, Marks, marked, marks_of
from gui.timeline.metric_choice import MetricChoice
from gui.timeline.overview import HEIGHT, Overview
from gui.timeline.scale import Scale, Span, holding, nearest_step, zoomed

RIGHT = 20
ROOMIER = 28  # pixels more for the projector's larger type
NOTCH, FASTER = 120, 0.8  # of the wheel; factor of the visible steps for each notch
# Milliseconds until new steps are drawn: usually, while a dragging hand makes run after run, and
# while the run is played. In the last two cases the plane needs the frames.
GROWTH_MS, DRAGGED_MS, PLAYED_MS = 100, 400, 1000


def track_height() -> int:
    """The pixels from the middle of the track down to what is below it."""
    return max(sizes.TRACK, round(theme.current().handle) + 5)


class Timeline(QWidget):
    """Curves, marks and track: left of the cursor the past, in ink; right of it the future, pale.

    The wheel zooms the time at the pointer. metric_chosen(metric): another curve was chosen.
    """

    metric_chosen = Signal(str)

    def __init__(self, shown: Playhead, player: Player, lane: Callable[[], LaneView]) -> None:
        """lane: the lane that time is read from"""
        super().__init__()
        self._shown, self.player, self.lane = shown, player, lane
        self.shown_metric = ""
        self.setAccessibleName("Timeline")
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        # it covers all that is below it, which Qt then need not paint
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self._curves: Curves = EMPTY
        self._window = sizes.START_H
        self._by_hand: int | None = None
        self._leads = False  # the curve is the lead picture
        self._message = 0  # height in pixels of the message above
        self._span: Span | None = None  # the visible part of the run; None: all of it
        self._about: object = None
        self._data: object = None  # the data for which the height was set
        self._most, self._right = 0, RIGHT  # steps so far; pixels right of the curve
        self.overview = Overview(self)
        self.overview.spanned.connect(lambda first, last: self.show_span((first, last)))
        self.overview.all_wanted.connect(lambda: self.show_span(None))
        self.choice = MetricChoice(self, self.show_metric)
        self.paper: Paper | None = None  # what was drawn last
        self.drawn = 0  # the last step of the run that is drawn
        self._stale = False  # the curves of the shown run are still to be drawn
        self._scale = Scale()
        self.still: tuple[Any, QPixmap, QPixmap, Marks | None] | None = None
        self._seen_at = 0  # where the cursor was painted last, in pixels
        self.growth = QTimer(self, singleShot=True)
        self.growth.timeout.connect(self.refresh)
        shown.changed.connect(self._on_changed)
        self.refresh()

    @property
    def view(self) -> LaneView:
        """The lane that time is read from."""
        return self.lane()

    def _on_changed(self, changes: Changes) -> None:
        here = changes.of(self.view)
        if here & Change.RUN:
            self._on_run()
        if here & Change.STEPS:
            self._on_grew()
        if here & Change.NUMBERS:
            self._on_moved()
        if here & Change.UNIT:
            self._on_unit()
        if here & Change.VEIL:
            self.refresh()
        if here & Change.LIT:
            self.update()
        if changes.beside(self.view) & (Change.RUN | Change.STEPS):
            self._on_others()

    # -- room --------------------------------------------------------------------------------------

    def set_room(
        self, window: int, by_hand: int | None, leads: int = 0, projector: bool = False
    ) -> None:
        """Set the height by the rules for a window of height `window`, or to `by_hand` pixels.

        leads: of so many lanes the curves are what the window shows first, 0 where they are not
        """
        first = bool(leads) and by_hand is None
        if first:
            by_hand = sizes.leading_curve(window, leads > 1, projector)
        if (window, by_hand, first) != (self._window, self._by_hand, self._leads):
            self._window, self._by_hand, self._leads = window, by_hand, first
            self._fit()

    def spare(self) -> int:
        """The height in pixels that a message may take."""
        return self.shared() - sizes.SCRUBBER

    def set_message(self, height: int) -> None:
        """Leave `height` pixels to the message above, as far as the scrubber can spare them."""
        if height != self._message:
            self._message = height
            self._fit()

    def shared(self) -> int:
        """The height by the rules in pixels, without what larger type adds and a message takes."""
        return self._rows(self._by_hand)[0]

    def _rows(self, by_hand: int | None) -> tuple[int, int, bool, bool]:
        return sizes.timeline_rows(self._window, self._most, by_hand, self._leads)

    def _fit(self) -> None:
        look = theme.current()
        self.rows = self._rows(self._by_hand)
        if self._message:
            left = self.shared() - self._message
            self.rows = self._rows(left)
        self._more = (
            top_edge()
            - TOP
            + track_height()
            - sizes.TRACK
            + (look.large(ROOMIER) if look.handle > 8 else 0)
        )
        self.setFixedHeight(self.rows[0] + self._more)
        self.overview.setVisible(self.rows[3])
        self._place()

    def _place(self) -> None:
        """Place the choice of the curve over the caption and the overview at the bottom."""
        wide = QFontMetrics(theme.current().font("caption", weight=600)).horizontalAdvance(
            self._curves.caption
        )
        self.choice.setGeometry(left_edge(), 0, wide + 22, top_edge())
        left = left_edge()
        y = self.height() - sizes.OVERVIEW + 7
        self.overview.setGeometry(left, y, max(1, self.width() - left - self._right), HEIGHT)

    def track_y(self) -> int:
        return self.height() - track_height() - (sizes.OVERVIEW if self.rows[3] else 0)

    @guarded
    def resizeEvent(self, event: Any) -> None:
        super().resizeEvent(event)
        self._place()

    @guarded
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange:
            self._right = RIGHT
            self._fit()
            self.refresh()

    # -- numbers -----------------------------------------------------------------------------------

    def _on_run(self) -> None:
        """Draw the curves of the new run; later if a dragging hand makes one run after another."""
        self._stale = (
            self.view.playback_budget.flying and not self.view.covers_ahead
        )  # veiled: the old curves might show what comes
        if not self._stale:
            self.refresh()

    def _on_grew(self) -> None:
        """Draw new steps after a while, but those of a finished run at once: the curves must not
        blink while a slider is dragged.
        """
        if self._several:
            self._on_others()
        elif self.view.finished:
            self.growth.stop()
            self.refresh()
        elif not self.growth.isActive():
            self.growth.start(PLAYED_MS if self.view.playing() else GROWTH_MS)

    def _on_others(self) -> None:
        """Draw new steps of several lanes after a while, for all lanes at once."""
        if not self.growth.isActive():
            dragged = self._stale and self.view.playback_budget.flying
            self.growth.start(
                PLAYED_MS if self.view.playing() else DRAGGED_MS if dragged else GROWTH_MS
            )

    @property
    def _several(self) -> bool:
        return len(self._shown.lane_views) > 1

    def _on_moved(self) -> None:
        """Show the cursor; if it has passed the drawn steps, draw all that are recorded, not one by
        one.

        While a dragging hand makes one run after another, draw only now and then.
        """
        if self._stale and self.view.playback_budget.flying:
            self._on_others()
            return
        if self._span is not None:
            self._span = holding(self._span, (0.0, float(self.last())), self.view.cursor)
        if self._stale or self.view.cursor > self.drawn or self.view.covers_ahead:
            self.refresh()
        elif self.still is None or self.still[0] != self._about_still():
            self._show()
        else:
            self._show_cursor()

    def _on_unit(self) -> None:
        """Draw the curves of several lanes again: lanes are compared at units of the clock."""
        if self._several:
            self.refresh()
        self.update()

    def refresh(self) -> None:
        trace = self.view.trace
        if trace is not None and self.shown_metric not in {
            c.metric for c in trace.algorithm.curves
        }:
            self.shown_metric = ""
        self._curves = self._make_curves()
        self._stale = False
        if self.view.covers_ahead:
            self._curves = up_to(self._curves, self.view.cursor)
        self.drawn = len(trace) - 1 if trace is not None else 0
        about = self.view.lane.key, self.view.data.name, self.view.unit
        self._scale.follow(about, self.drawn, self.view.finished)
        if about != self._about:
            self._about = about
            self._span = None
            self._most = 0
            self._right = RIGHT
            self._data = self.view.data
        if self._span is not None and self._span[1] > self.last():
            self._span = None
        # not for changed data: all would move under the pointer that drags points
        if self.view.data is self._data:
            self._grow()
        self._right = max(self._right, int(ends_width(self._curves, self.drawn)) + 1)
        self.still = None
        own = tuple(c for c in trace.algorithm.curves if not c.bound) if trace is not None else ()
        self.choice.offer(() if self._bare else own, self._curves.caption)
        self._place()
        self._show()

    @property
    def curves(self) -> Curves:
        """The curves of the run, up to the cursor where the steps after it are covered."""
        return self._curves

    @property
    def _bare(self) -> bool:
        """Whether a page of a lesson hides the curves, and with them the events."""
        return "curves" in self.view.hidden

    def _make_curves(self) -> Curves:
        if self._bare:
            return EMPTY
        if not self._several:
            return curves(self.view.run, self.shown_metric)
        shown = self._shown
        return lane_curves(shown.lane_views, shown.lead, shown.together, self.shown_metric)

    def _grow(self) -> None:
        """Adapt the height to the length of the run: only a long run has an overview."""
        long = max(self._most, self.drawn) >= sizes.OVERVIEW_STEPS
        if not self._most or long != (self._most >= sizes.OVERVIEW_STEPS):
            self._most = self.drawn
            self._fit()

    def _show(self) -> None:
        self._show_run()
        self.update()

    def _show_cursor(self) -> None:
        """Repaint the strip between the old and the new cursor, its handle and the marks it passes
        included.

        Nothing else has changed.
        """
        self._show_run()
        now = self._now()
        reach = ceil(theme.current().handle) + BOX
        first = min(now, self._seen_at) - reach
        last = max(now, self._seen_at) + reach
        self.update(first, 0, last - first, self.height())

    def _show_run(self) -> None:
        self.overview.show_run(
            self._curves, (0.0, float(self.last())), self.span(), self.view.cursor
        )

    def last(self) -> int:
        """The step at the right end when the whole run is visible."""
        return max(self._scale.last, self.view.cursor)

    def span(self) -> Span:
        """(first, last) of the visible steps."""
        return self._span or (0.0, float(self.last()))

    def show_span(self, span: Span | None) -> None:
        """Make these steps visible; None: the whole run."""
        whole = (0.0, float(self.last()))
        self._span = None if span is None or (span[0] <= 0 and span[1] >= whole[1]) else span
        self._show()

    def x_of(self, index: Any) -> Any:
        """The x in pixels of one step number or of an array of them."""
        first, last = self.span()
        wide = self.width() - left_edge() - self._right
        return left_edge() + (np.asarray(index, np.float64) - first) / (last - first) * wide

    def place_at(self, px: float) -> float:
        """The place in the run at the x `px`, in steps, within the visible span."""
        first, last = self.span()
        share = (px - left_edge()) / max(1, self.width() - left_edge() - self._right)
        return first + min(max(share, 0.0), 1.0) * (last - first)

    def index_at(self, px: float) -> int:
        """The step of the chosen unit nearest to the x `px`; 0 without a run."""
        trace = self.view.trace
        if trace is None or not len(trace):
            return 0
        return nearest_step(trace, self.view.unit, self.place_at(px))

    # -- mouse and keys ----------------------------------------------------------------------------

    @guarded
    def mousePressEvent(self, event: Any) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self.player.pause()
            self.player.seek(self.index_at(event.position().x()))

    @guarded
    def mouseMoveEvent(self, event: Any) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton:
            self.player.seek(self.index_at(event.position().x()))
        else:
            self.view.pointer.light(
                self.paper.about(event.position()) if self.paper is not None else ()
            )

    @guarded
    def leaveEvent(self, event: QEvent) -> None:
        self.view.pointer.light(())
        super().leaveEvent(event)

    @guarded
    def mouseDoubleClickEvent(self, event: Any) -> None:
        self.show_span(None)

    @guarded
    def wheelEvent(self, event: Any) -> None:
        factor = FASTER ** (event.angleDelta().y() / NOTCH)
        self._grow()
        at = self.place_at(event.position().x())
        whole = (0.0, float(self.last()))
        self.show_span(zoomed(self.span(), whole, at, factor))

    def show_metric(self, metric: str) -> None:
        """Draw this metric's curve and emit `metric_chosen`, unless it is the shown one."""
        if metric == self.shown_metric:
            return
        self.shown_metric = metric
        self.refresh()
        self.metric_chosen.emit(metric)

    # -- paint -------------------------------------------------------------------------------------

    @guarded
    def paintEvent(self, event: Any) -> None:
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            later, past, marks = self.pictures()
            self._seen_at = now = self._now()
            for picture, x0, x1 in ((past, 0, now), (later, now, self.width())):
                painter.setClipRect(x0, 0, x1 - x0, self.height())
                painter.drawPixmap(0, 0, picture)
            painter.setClipping(False)
            if self.view.pointer.lit and self.paper is not None:
                self.paper.paint_lit(painter, self.view.pointer.lit)
            if (self._bare or self.view.covers_ahead) and self.rows[1]:
                start = self._area().left() if self._bare else float(now)
                paint_cover(painter, self._area(), start, self.view.ahead)
            if marks is not None:
                track_y = self.track_y()
                if self.rows[2]:
                    part = event.rect()
                    marks.paint(
                        painter,
                        track_y - MARKS - 1,
                        self.view.cursor,
                        part=(float(part.left()), float(part.right())),
                    )
                self._paint_track(painter, track_y)
                if self.span()[0] <= self.view.cursor <= self.span()[1]:
                    paint_cursor(painter, float(self.x_of(self.view.cursor)), track_y)

    def _now(self) -> int:
        """The x of the cursor in whole pixels, within the widget."""
        return min(max(round(float(self.x_of(self.view.cursor))), 0), self.width())

    def _about_still(self) -> tuple[object, ...]:
        return self.size(), self.devicePixelRatio(), theme.current(), self.span(), self._right

    def pictures(self) -> tuple[QPixmap, QPixmap, Marks | None]:
        """(later, past, marks): the timeline as it looks right and left of the cursor, and the
        event marks.

        Kept until something other than the cursor changes.
        """
        key = self._about_still()
        if self.still is None or self.still[0] != key:
            self.still = (key, *self.draw_pictures())
        return self.still[1:]

    def draw_pictures(self) -> tuple[QPixmap, QPixmap, Marks | None]:
        trace = self.view.trace
        ratio = self.devicePixelRatio()
        there = trace is not None and len(trace) > 0
        caption_end = float(self.choice.geometry().right()) if self.choice.isVisible() else 0.0
        self.paper = paper = Paper(
            trace if there else None,
            self.view.finished,
            self._curves,
            self.rows,
            QRectF(self.rect()),
            self._area(),
            self.span(),
            self.x_of,
            caption_end,
            len(self.choice.curves) > 1,
            until=self._until(),
        )
        ground = QPixmap(round(self.width() * ratio), round(self.height() * ratio))
        ground.setDevicePixelRatio(ratio)
        with _brush(ground) as painter:
            paper.paint_ground(painter, self.track_y(), self.overview.geometry().center().y() + 1)
        pictures = []
        for token, width in (("ghost", 1.25), ("ink", 2.25)) if there and self.rows[1] else ():
            picture = QPixmap(ground)
            with _brush(picture) as painter:
                paper.paint_series(painter, paper.corners, paper.means, token, width)
            pictures.append(picture)
        later, past = pictures or (ground, ground)
        if trace is None or not there:
            return later, past, None
        first, last = self.span()
        last = min(int(last), paper.until)
        return later, past, marks_of(trace, marked(trace), last, self.x_of, ceil(first))

    def _until(self) -> int:
        """The last step whose events are marked."""
        if self._bare:
            return -1
        return self.view.cursor if self.view.covers_ahead else NO_END

    def _area(self) -> QRectF:
        """The rectangle of the curves, in pixels."""
        top = top_edge()
        bottom = self.track_y() - (sizes.MARKS if self.rows[2] else 4)
        return QRectF(
            left_edge(), top, self.width() - left_edge() - self._right, max(0, bottom - top)
        )

    def _paint_track(self, painter: QPainter, y: float) -> None:
        look = theme.current()
        right = self.width() - self._right
        now = min(max(float(self.x_of(self.view.cursor)), left_edge()), right)
        for x0, x1, token in ((left_edge(), right, "line"), (left_edge(), now, "ink")):
            painter.setPen(
                QPen(look.colour(token), 4, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap)
            )
            painter.drawLine(QPointF(x0, y), QPointF(x1, y))


@contextmanager
def _brush(picture: QPixmap) -> Iterator[QPainter]:
    with QPainter(picture) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        yield painter
