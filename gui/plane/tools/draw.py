"""Tools that add points: single points, a spray, a line, an ellipse."""

from typing import Any

import numpy as np
from PySide6.QtCore import Qt

from engine.base.arrays import Float
from engine.base.errors import EngineError
from engine.base.notation import counted
from engine.document.edits import add_points
from engine.scene.scene import Layer, Polyline, Role
from gui.plane.tool import Place, Tool
from gui.plane.tools.edit import MoveTool

SPACING = 18.0  # pixels between the points of a stroke
SHORT = 4.0  # pixels: what is shorter is a click and draws nothing
TAKEN = "There is a point already: drag moves it, Ctrl-click puts another one here."


class DrawTool(Tool):
    """Adds points of the current class, with Shift of the next one. A stroke is one undo step."""

    def code(self, place: Place) -> int | None:
        """The class code of a new point; None without classes."""
        target = self.session.data.target
        if target is None or target.feature.numeric:
            return None
        return self.session.current_class + (1 if place.shift else 0)

    def add(self, xy: Any, place: Place, label: str) -> None:
        """Add points at `xy` (n, 2) in the current stroke."""
        if self.stroke is not None and self.stroke.going:
            self.stroke.edit(lambda document: add_points(document, xy, self.code(place)), label)


class AddTool(DrawTool):
    """Adds one point per click; a drag that starts on a point moves it."""

    key, title, shortcut = "add", "Add points", "A"
    hint = (
        "click; Shift-click for the next class; drag a point to move it; Ctrl-click on one for"
        " another there"
    )
    moving = False

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.mover = MoveTool(*args)

    def press(self, place: Place) -> None:
        """Add a point, or start to move the point at `place`. Shift or Ctrl always adds."""
        super().press(place)
        self.moving = self.plane.point_at(place) is not None and not (place.shift or place.ctrl)
        if self.moving:
            self.mover.press(place)
        else:
            self.add([place.xy], place, "add a point")

    def drag(self, place: Place) -> None:
        if self.moving:
            self.mover.drag(place)

    def release(self, place: Place) -> None:
        if self.moving:
            # a drag would have changed the document
            if self.stroke is not None and self.stroke.going:
                self.session.say(TAKEN)
            self.mover.release(place)
        super().release(place)

    def busy(self) -> bool:
        return self.mover.busy() or super().busy()

    def cancel(self) -> None:
        self.mover.cancel()
        super().cancel()


class SprayTool(DrawTool):
    """Adds random points within a disc around the pointer."""

    key, title, shortcut = "spray", "Spray points", "S"
    hint = "drag; Ctrl+wheel changes the radius, Alt+wheel the density, N normal or uniform"

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.radius = 40.0
        self.density = 3
        self.normal = True
        self.rng = np.random.default_rng(7)
        self.at: Place | None = None

    def press(self, place: Place) -> None:
        super().press(place)
        self._spray(place)

    def drag(self, place: Place) -> None:
        moved = (
            self.at is None
            or np.hypot(place.px - self.at.px, place.py - self.at.py) > self.radius / 3
        )
        if moved:
            self._spray(place)

    def hover(self, place: Place | None) -> None:
        self.at = place
        self.plane.redraw()

    def key_pressed(self, key: int) -> bool:
        """N switches between normal and uniform."""
        if key != Qt.Key.Key_N:
            return False
        self.normal = not self.normal
        self.session.say(
            f"Spray: {'normal, dense in the middle' if self.normal else 'uniform over the disc'}."
        )
        return True

    def wheel(self, steps: int, alt: bool) -> bool:
        """Change the radius (Ctrl+wheel) or the density (Alt+wheel)."""
        if alt:
            self.density = int(np.clip(self.density + steps, 1, 30))
        else:
            self.radius = float(np.clip(self.radius * 1.15**steps, 8, 300))
        points = counted(self.density, "point")
        self.session.say(f"Spray: radius {self.radius:.0f} pixels, {points} at a time.")
        self.plane.redraw()
        return True

    def _spray(self, place: Place) -> None:
        self.at = place
        self.plane.redraw()
        scatter = self.rng.normal(size=(self.density, 2)) / 2 if self.normal else self._disc()
        sx, sy = self.plane.view().unit
        self.add(
            np.array(place.xy) + scatter * (self.radius / sx, self.radius / sy),
            place,
            "spray points",
        )

    def _disc(self) -> Float:
        """Offsets (density, 2), uniform over the unit disc."""
        angle = self.rng.uniform(0, 2 * np.pi, self.density)
        reach = np.sqrt(self.rng.uniform(0, 1, self.density))
        return np.column_stack([np.cos(angle), np.sin(angle)]) * reach[:, None]

    def layers(self) -> tuple[Layer, ...]:
        if self.at is None:
            return ()
        angle = np.linspace(0, 2 * np.pi, 60)
        sx, sy = self.plane.view().unit
        ring = (
            np.array(self.at.xy)
            + np.column_stack([np.cos(angle) / sx, np.sin(angle) / sy]) * self.radius
        )
        return (Polyline(ring, Role.CANDIDATE, closed=True),)


class StrokeTool(DrawTool):
    """Drags from start to end; the release adds points along the shape."""

    cursor = Qt.CursorShape.CrossCursor
    two_places = True

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.start: Place | None = None
        self.end: Place | None = None

    def press(self, place: Place) -> None:
        super().press(place)
        self.start = self.end = place

    def drag(self, place: Place) -> None:
        self.end = place
        self.plane.redraw()

    def release(self, place: Place) -> None:
        if self.start is not None:
            self.end = place
            if self._length() >= SHORT:
                self.add(self.points(), place, f"draw {self.title.lower()}")
        self.start = self.end = None
        super().release(place)
        self.plane.redraw()

    def _length(self) -> float:
        """The distance between the two ends in pixels."""
        assert self.start is not None
        assert self.end is not None
        return float(np.hypot(*(np.subtract(self.end.xy, self.start.xy) * self.plane.view().unit)))

    def busy(self) -> bool:
        return self.start is not None

    def cancel(self) -> None:
        self.start = self.end = None
        super().cancel()

    def shape(self, count: int) -> Float:
        """`count` places along the shape (count, 2). Raises `EngineError` in this base class."""
        raise EngineError("This stroke has no shape.")

    def points(self) -> Float:
        """The places of the new points (n, 2), about `SPACING` pixels apart."""
        sx, sy = self.plane.view().unit
        outline = self.shape(200) * (sx, sy)
        length = float(np.linalg.norm(np.diff(outline, axis=0), axis=1).sum())
        return self.shape(max(2, round(length / SPACING) + 1))

    def layers(self) -> tuple[Layer, ...]:
        return () if self.start is None else (Polyline(self.shape(120), Role.CANDIDATE),)


class LineTool(StrokeTool):
    key, title, shortcut = "line", "Line of points", "L"
    hint = "drag from one end to the other"

    def shape(self, count: int) -> Float:
        assert self.start is not None
        assert self.end is not None
        along = np.linspace(0, 1, count)[:, None]
        return np.array(self.start.xy) * (1 - along) + np.array(self.end.xy) * along


class CurveTool(StrokeTool):
    key, title, shortcut = "ellipse", "Ellipse of points", "O"
    hint = "drag from the middle outwards; Alt for a circle on the screen"

    def shape(self, count: int) -> Float:
        assert self.start is not None
        assert self.end is not None
        reach = np.abs(np.array(self.end.xy) - np.array(self.start.xy))
        if self.end.alt:
            unit = np.array(self.plane.view().unit)
            reach = np.full(2, (reach * unit).max()) / unit
        angle = np.linspace(0, 2 * np.pi, count)
        return np.array(self.start.xy) + np.column_stack([np.cos(angle), np.sin(angle)]) * reach
