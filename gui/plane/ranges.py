"""The visible ranges of the plane, and whether both axes have the same scale."""

from collections.abc import Callable
from math import ceil, isfinite
from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QRectF

from engine.base.records import replace
from engine.document.document import Document
from engine.scene.axes import AIR, extent
from engine.scene.plot_ranges import reach
from engine.table.dataset import Dataset
from gui.session.lane_view import LaneView
from gui.session.session import Session

ALIKE = 0.01  # scales that differ by less are equal
# columns whose extents differ by less share one scale, so that angles and distances are true
NEAR = (0.2, 5.0)
# shares of the points' extent: how far a side may move out for marks, and in what steps
FURTHER, STEP = 0.3, 0.1
Span = tuple[float, float]
Section = tuple[Span, Span]


class Ranges:
    """Fits the plane, and keeps its scales equal while the scenes ask for it.

    Marks may lie beyond the points: a margin, the foot of an arrow. The fitted range then grows, in
    a few steps and up to a limit, and never shrinks in the same run. A range that a person zoomed
    to stays.
    """

    def __init__(
        self,
        session: Session,
        lane_view: LaneView,
        view_box: pg.ViewBox,
        axis_names: Callable[[], tuple[str, str]],
    ) -> None:
        self.session, self.lane_view = session, lane_view
        self.view_box, self.axis_names = view_box, axis_names
        self.leads = True  # of several planes one fits, and the others show its section
        self.equal = False  # the scenes of this method ask for equal scales
        self._equal_for: Any = None
        self._grown: Section | None = None
        self._grown_for: Any = None
        self._fitted: Any = None  # the range that was set last
        self._fitted_to: Section | None = None  # the declared range at that time; None: all points
        self._kept: tuple[Document, Document] | None = None
        # (problem, extent of its points)
        self._extent: tuple[object, Section] = (None, ((-1.0, 1.0), (-1.0, 1.0)))
        self._data = lane_view.data
        self._xy = np.zeros((0, 2))
        self._shape: Any = None  # table, axes, declared range and transforms of the last run
        self._held_for: Any = None  # key of the run whose points are edited: its range stays

    def elsewhere(self) -> bool | None:
        """Whether a new run needs another range, since other columns or another table are shown;
        None where the axes are the same. False, so that nothing moves, when a person adds the first
        point or restores points, and when each point keeps its place on other axes.
        """
        session = self.session
        problem = self.lane_view.problem
        before = self._data
        self._data = self.lane_view.data
        xy = self._xy
        self._xy = np.zeros((0, 2)) if problem is None else problem.xy
        if not len(self._data):
            self._shape = None
        if problem is None:
            return None
        document = session.document
        previous = self._shape
        self._shape = (self._data.name, self.axis_names(), document.view, document.transforms)
        if previous == self._shape:
            self._held_for = self._held_for if self._data is before else self._about()
            return None
        same = (
            previous is not None and previous[2] == self._shape[2] and np.array_equal(xy, self._xy)
        )
        stays = same or self._put_or_back(before)
        self._held_for = self._about() if stays else None
        self._grown = self._grown if stays else None
        return not stays

    def _put_or_back(self, before: Dataset) -> bool:
        """Whether a person added points to the empty plane, all inside the view, or undid the
        removal of the last point. Undoing a new document does not count: it restores a table with a
        range of its own.
        """
        done, undone = self.session.history.done, self.session.history.undone
        put = bool(done) and self._table_of(done[-1].before) is before
        back = bool(undone) and self._table_of(undone[-1].after) is before and not undone[-1].filed
        if len(before) or not (put or back):
            return False
        low, high = np.transpose(self.view_box.viewRange())
        inside = ((self._xy >= low) & (self._xy <= high)).all(axis=1)
        return bool(inside.all() if put else inside.any())

    def _table_of(self, document: Document) -> Dataset | None:
        """The table of this lane in another document; None where that has no such lane."""
        place = self.lane_view.place
        return document.of_lane(place).data if place < len(document.lanes) else None

    def show_section(self, section: Section) -> None:
        """Show the ranges of another plane, with equal scales."""
        (x0, x1), (y0, y1) = section
        if not self.leads:
            self.view_box.setAspectLocked(False)
        self.view_box.setRange(QRectF(x0, y0, x1 - x0, y1 - y0), padding=0)

    def fit(self) -> None:
        """Show all points and marks, or the document's declared range, with equal scales where they
        mean something.
        """
        if not self.leads:
            return
        self._held_for = None
        self._grow()
        self._set(self._grown or self._whole(), self.session.document.view)

    def fit_points(self) -> None:
        """Show the document's declared range; all points where there is none or it is shown
        already.
        """
        declared = self.session.document.view
        if declared is not None and self.section() == declared:
            self._set(self._all_points(), None)
        else:
            self.fit()

    def section(self) -> Section | None:
        """The ranges that a person zoomed or moved to; else the fitted ones, None
        for all points.
        """
        if self.lane_view.problem is not None and not self.lane_view.problem.plane:
            return self.session.document.view
        if self._wanted() == self._fitted:
            return self._fitted_to
        (x0, x1), (y0, y1) = self.view_box.viewRange()
        sound = all(isfinite(high - low) and low < high for low, high in ((x0, x1), (y0, y1)))
        return ((x0, x1), (y0, y1)) if sound else self._fitted_to

    def kept(self) -> Document:
        """The document with the visible section, for saving: zooming is no edit. Returns the same
        object while neither changes.
        """
        document = self.session.document
        section = self.section()
        if section == document.view:
            return document
        if self._kept is None or self._kept[0] is not document or self._kept[1].view != section:
            self._kept = (document, replace(document, view=section))
        return self._kept[1]

    def _set(self, ranges: Section, declared: Section | None) -> None:
        """Show `ranges`, with a margin unless the document declares them."""
        (x0, x1), (y0, y1) = ranges
        box = self.view_box
        box.setAspectLocked(self._locked(), ratio=1)
        wide = x1 - x0
        high = y1 - y0
        air = 0.0 if declared is not None else AIR
        box.setRange(
            QRectF(x0 - air * wide, y0 - air * high, wide * (1 + 2 * air), high * (1 + 2 * air)),
            padding=0,
        )
        self._fitted = self._wanted()
        self._fitted_to = declared

    def keep(self) -> None:
        """Adapt scales and ranges to the shown step and to marks outside them."""
        if not self.leads:
            return
        self.keep_scales()
        if self._held_for == self._about():
            return
        untouched = self._wanted() == self._fitted
        if self._grow() and untouched:
            self.fit()

    def keep_scales(self) -> None:
        """Lock equal scales from the first scene that asks for them, for the rest of this method
        and table, so that no step makes the plane jump. Refit only when the scales change.
        """
        if self.lane_view.step is None:
            return
        about = self._about()
        before = self.equal
        same = about == self._equal_for
        self.equal = self.lane_view.scene.equal_scales or (before and same)
        self._equal_for = about
        if self._locked() == bool(self.view_box.state["aspectLocked"]):
            return
        if self._held_for == about:
            self._lock_in_place()
        elif self.equal != before or not same:
            self.fit()

    def _lock_in_place(self) -> None:
        """Lock or free the scales without moving the visible range."""
        (x0, x1), (y0, y1) = self.view_box.viewRange()
        sx = self.view_box.width() / (x1 - x0)
        sy = self.view_box.height() / (y1 - y0)
        if self._locked() and abs(sx - sy) > ALIKE * sx:
            return
        untouched = self._wanted() == self._fitted
        self.view_box.setAspectLocked(self._locked(), ratio=1)
        self.view_box.setRange(QRectF(x0, y0, x1 - x0, y1 - y0), padding=0)
        self._fitted = self._wanted() if untouched else self._fitted

    def _about(self) -> tuple[object, ...]:
        """What the range belongs to: lane key, table name, axis names."""
        return self.lane_view.lane.key, self.lane_view.data.name, self.axis_names()

    def _wanted(self) -> list[list[float]]:
        """The requested range, before pyqtgraph makes both scales equal. Resizing does not change
        it.
        """
        return [list(span) for span in self.view_box.state["targetRange"]]

    def _grow(self) -> bool:
        """Grow the range for the marks of this step; True where they lie beyond the
        range so far.
        """
        about = (self._about(), self.session.document.view)
        x, y = self._whole()
        if about != self._grown_for or self._grown is None:
            self._grown = (x, y)
            self._grown_for = about
        if self.session.document.view is not None or self.lane_view.problem is None:
            self._grown = (x, y)
            return False
        before = self._grown
        least = _union(before[0], x), _union(before[1], y)  # points were added
        needed = reach(self.lane_view.scene.layers, least, (_further(x), _further(y)))
        grown = tuple(_rounded(*spans) for spans in zip((x, y), least, needed, strict=True))
        if before != grown:
            self._grown = (grown[0], grown[1])
        return any(
            wide[0] < known[0] or wide[1] > known[1]
            for wide, known in zip(needed, least, strict=True)
        )

    def _whole(self) -> Section:
        """The document's range, else the one of all points."""
        return self.session.document.view or self._all_points()

    def _all_points(self) -> Section:
        """The extent of all points, cached per problem; a default without points."""
        problem = self.lane_view.problem
        if problem is None or not problem.plane:
            return (-3.0, 3.0), (-2.5, 2.5)
        if self._extent[0] is not problem:  # every step needs it
            self._extent = problem, extent(problem) if problem.n else ((-1.0, 1.0), (-1.0, 1.0))
        return self._extent[1]

    def _locked(self) -> bool:
        """Whether both scales are equal: where scenes ask for it, or where a numeric method sees
        two columns of similar extent, or an empty plane. For a column and its value only where the
        scene wants it.
        """
        (x0, x1), (y0, y1) = self._whole()
        problem = self.lane_view.problem
        numeric = self.lane_view.algorithm.needs.numeric
        columns = problem is None or (len(problem.plane) != 1 and numeric)
        return self.equal or (columns and NEAR[0] < (x1 - x0) / (y1 - y0) < NEAR[1])


def _union(a: Span, b: Span) -> Span:
    """The smallest span that contains both."""
    return min(a[0], b[0]), max(a[1], b[1])


def _further(span: Span) -> Span:
    """The span with each side moved out by its limit."""
    more = FURTHER * (span[1] - span[0])
    return span[0] - more, span[1] + more


def _rounded(points: Span, known: Span, needed: Span) -> Span:
    """`known` with each side moved out to `needed`, in whole steps of the points' extent."""
    step = STEP * (points[1] - points[0])
    low = (
        points[0] - step * ceil((points[0] - needed[0]) / step - 1e-9)
        if needed[0] < known[0]
        else known[0]
    )
    high = (
        points[1] + step * ceil((needed[1] - points[1]) / step - 1e-9)
        if needed[1] > known[1]
        else known[1]
    )
    return low, high
