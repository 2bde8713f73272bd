"""Tools that change existing points: select, move, erase, relabel."""

from typing import Any

import numpy as np
from PySide6.QtCore import Qt

from engine.base.arrays import Float, Int
from engine.document.edits import delete_rows, move_points, relabel
from engine.scene.scene import Layer, Polyline, Role
from gui.plane.tool import Place, Stroke, Tool

BRUSH = 14.0
NO_CLASSES = "These points have no classes to give."


class MoveTool(Tool):
    """Drags a point or the whole selection."""

    key = "move"
    title = "Move points"
    shortcut = "M"
    makes = False
    hint = "drag a point, or the whole selection; the algorithm follows"
    cursor = Qt.CursorShape.SizeAllCursor

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.rows: Int = np.zeros(0, np.intp)
        self.places: Float = np.zeros((0, 2))
        self.start: Place | None = None

    def press(self, place: Place) -> None:
        row = self.plane.point_at(place)
        if row is None:
            return
        super().press(place)
        rows = sorted(self.plane.selected) if row in self.plane.selected else [row]
        shown = self.plane.shown()
        where = np.flatnonzero(np.isin(shown.rows, rows))
        self.rows = shown.rows[where]
        self.places = shown.xy[where]
        self.start = place

    def drag(self, place: Place) -> None:
        if self.stroke is None or self.start is None or not self.stroke.going:
            return
        moved = self.places + (np.array(place.xy) - np.array(self.start.xy))
        if self.plane.snap and len(self.rows) == 1:
            moved = np.array([place.xy])
        self.stroke.edit(lambda d: move_points(d, self.rows, moved), "move points")


class SelectTool(Tool):
    """Selects points by clicks or a frame, and drags the selection."""

    key = "select"
    title = "Select points"
    shortcut = "V"
    makes = False
    hint = (
        "click or drag a frame; Shift adds; drag the selection, arrows nudge it, Delete removes it"
    )
    cursor = Qt.CursorShape.ArrowCursor

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.mover = MoveTool(*args)
        self.corner: Place | None = None
        self.end: Place | None = None

    def press(self, place: Place) -> None:
        row = self.plane.point_at(place)
        if row is None:
            self.corner = self.end = place
            if not place.shift:
                self.plane.select([])
        elif place.shift:
            self.plane.select(set(self.plane.selected) ^ {row})
        else:
            if row not in self.plane.selected:
                self.plane.select([row])
            self.mover.press(place)

    def drag(self, place: Place) -> None:
        if self.corner is None:
            self.mover.drag(place)
            return
        self.end = place
        self.plane.redraw()

    def release(self, place: Place) -> None:
        if self.corner is not None:
            inside = self._inside(place)
            self.plane.select(
                set(inside.tolist()) | (set(self.plane.selected) if place.shift else set())
            )
            self.corner = self.end = None
        else:
            self.mover.release(place)
        super().release(place)

    def busy(self) -> bool:
        return self.corner is not None or self.mover.busy()

    def cancel(self) -> None:
        if self.corner is None:
            self.mover.cancel()
        self.corner = self.end = None
        super().cancel()

    def _inside(self, place: Place) -> Int:
        """The table rows of the points in the frame from the first corner to `place`."""
        assert self.corner is not None
        shown = self.plane.shown()
        low = np.minimum(self.corner.xy, place.xy)
        high = np.maximum(self.corner.xy, place.xy)
        return shown.rows[((shown.xy >= low) & (shown.xy <= high)).all(axis=1)]

    def layers(self) -> tuple[Layer, ...]:
        if self.corner is None or self.end is None:
            return ()
        (x0, y0), (x1, y1) = self.corner.xy, self.end.xy
        frame = np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]])
        return (Polyline(frame, Role.CANDIDATE, closed=True),)


class BrushTool(Tool):
    """Base of the tools that change every point under a brush."""

    verb = ""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.at: Place | None = None

    def press(self, place: Place) -> None:
        super().press(place)
        self.drag(place)

    def drag(self, place: Place) -> None:
        self.at = place
        self.plane.redraw()
        rows = self.plane.points_near(place, BRUSH)
        if len(rows) and self.stroke is not None and self.stroke.going:
            self.touch(self.stroke, rows, place)

    def hover(self, place: Place | None) -> None:
        self.at = place
        self.plane.redraw()

    def touch(self, stroke: Stroke, rows: Int, place: Place) -> None:
        """Change these rows; subclasses override it."""

    def layers(self) -> tuple[Layer, ...]:
        if self.at is None:
            return ()
        angle = np.linspace(0, 2 * np.pi, 40)
        sx, sy = self.plane.view().unit
        ring = (
            np.array(self.at.xy) + np.column_stack([np.cos(angle) / sx, np.sin(angle) / sy]) * BRUSH
        )
        return (Polyline(ring, Role.CANDIDATE, closed=True),)


class EraseTool(BrushTool):
    key, title, shortcut = "erase", "Erase points", "E"
    hint = "drag over points"

    def touch(self, stroke: Stroke, rows: Int, place: Place) -> None:
        stroke.edit(lambda d: delete_rows(d, rows), "erase points")


class RelabelTool(BrushTool):
    key, title, shortcut = "relabel", "Relabel points", "R"
    hint = "drag over points to give them the current class; Shift for the next one"

    def refusal(self) -> str:
        target = self.session.data.target
        classes = target is not None and not target.feature.numeric
        return super().refusal() or ("" if classes else NO_CLASSES)

    def touch(self, stroke: Stroke, rows: Int, place: Place) -> None:
        target = self.session.data.target
        code = self.session.current_class + int(place.shift)
        if target is not None and (target.values[rows] == code).all():
            return
        stroke.edit(lambda d: relabel(d, rows, code), "relabel points")
