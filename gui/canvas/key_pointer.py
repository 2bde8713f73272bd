"""The pointer that the keyboard moves over the plane: a cross, for those who use no mouse."""

from typing import TYPE_CHECKING

import numpy as np

from engine.core.scene import Layer, Role, Segments
from gui.canvas.tool import Place

if TYPE_CHECKING:
    from gui.canvas.plane import Plane

ARM = 11.0  # pixels of each arm of the cross
GAP = 4.0  # pixels left free in its middle


class KeyPointer:
    """Moved by pixels; `click` does with the tool in hand what a click there does. A movement of the mouse takes it away."""

    def __init__(self, plane: "Plane") -> None:
        self.plane = plane
        self.at: tuple[float, float] | None = None  # in plane units: it stays on its place when the view moves

    def move(self, dx: float, dy: float) -> None:
        """By pixels, right and up; the first time to the middle of the view."""
        view = self.plane.view()
        if self.at is None:
            px, py = view.rect.center().x(), view.rect.center().y()
        else:
            px, py = (float(v) for v in view.to_pixels(np.array(self.at)))
            px = min(max(px + dx, view.rect.left()), view.rect.right())
            py = min(max(py - dy, view.rect.top()), view.rect.bottom())
        self.at = view.to_plane(px, py)
        self.plane.hover(self._place())
        self.plane.redraw()

    def click(self) -> bool:
        """Press and release there; False where there is no cross, or no tool."""
        tool = self.plane.tool
        if self.at is None or tool is None:
            return False
        place = self._place()
        tool.press(place)
        tool.release(place)
        return True

    def hide(self) -> None:
        if self.at is not None:
            self.at = None
            self.plane.redraw()

    def _place(self) -> Place:
        assert self.at is not None
        px, py = (float(v) for v in self.plane.view().to_pixels(np.array(self.at)))
        return self.plane.snapped(Place(*self.at, px, py))

    def layers(self) -> tuple[Layer, ...]:
        if self.at is None:
            return ()
        view, at = self.plane.view(), np.array(self.at)
        arms = np.array([(-1.0, 0.0), (1.0, 0.0), (0.0, -1.0), (0.0, 1.0)])
        ends = at + np.stack([GAP * arms, ARM * arms], axis=1) / view.unit
        return (Segments(ends, Role.BOUNDARY),)
