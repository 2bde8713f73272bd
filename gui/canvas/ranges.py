"""What part of the plane is shown, and when both axes have the same scale."""

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QRectF

from gui.painters.axes import AIR, extent

if TYPE_CHECKING:
    from gui.canvas.plane import Plane

NEAR = (0.2, 5.0)  # columns whose extents differ by less share one scale, so that angles and distances are true
Span = tuple[float, float]


class Ranges:
    """Fits the plane, and keeps its scales equal while the scenes ask for it."""

    def __init__(self, plane: "Plane") -> None:
        self.plane, self.session = plane, plane.session
        self.equal = False  # the scenes of this method speak of circles and angles
        self._equal_for: Any = None

    def fit(self) -> None:
        """Show all points, or the document's declared range, with equal scales where they mean something."""
        (x0, x1), (y0, y1) = self._whole()
        box = self.plane.view_box
        box.setAspectLocked(self._locked(), ratio=1)
        wide, high = x1 - x0, y1 - y0
        air = 0.0 if self.session.document.view is not None else AIR
        box.setRange(QRectF(x0 - air * wide, y0 - air * high, wide * (1 + 2 * air), high * (1 + 2 * air)), padding=0)

    def keep_scales(self) -> None:
        """Equal scales begin with the first scene that asks for them and stay for this method and table: no step makes
        the plane jump, and what a person zoomed to stays unless the scales change."""
        if self.session.step is None:
            return
        about = (self.session.lane.key, self.session.document.data.name, self.plane.axis_names())
        before, same = self.equal, about == self._equal_for
        self.equal, self._equal_for = self.session.scene.equal_scales or (before and same), about
        if self.equal != before and self._locked() != bool(self.plane.view_box.state["aspectLocked"]):
            self.fit()

    def _whole(self) -> tuple[Span, Span]:
        """The ranges that show everything."""
        problem, declared = self.session.problem, self.session.document.view
        if declared is not None:
            return declared
        if problem is None or not problem.plane:
            return (-3.0, 3.0), (-2.5, 2.5)
        return extent(problem) if problem.n else ((-1.0, 1.0), (-1.0, 1.0))

    def _locked(self) -> bool:
        """Two columns of comparable extents, but not a column and its value: no angle or distance is meant there."""
        (x0, x1), (y0, y1) = self._whole()
        problem = self.session.problem
        columns = problem is None or len(problem.plane) != 1
        return self.equal or (columns and NEAR[0] < (x1 - x0) / (y1 - y0) < NEAR[1])
