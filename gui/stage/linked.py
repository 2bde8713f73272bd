"""Keeps the planes of all lanes at the same section when a person zooms or moves one of them."""

from collections.abc import Sequence

from gui.plane.plane import Plane
from gui.session.session import Session


class Linked:
    """Links the ranges of the planes.

    The first plane leads: only it fits its section to the points and its scene, and its section is
    saved. The others follow it. A zoom or move of any plane applies to all.
    """

    def __init__(self, session: Session) -> None:
        self.session = session
        self.planes: list[Plane] = []
        self._busy = False

    def link(self, planes: Sequence[Plane]) -> None:
        """Link these planes, at least one, instead of the previous ones."""
        known = set(self.planes)
        self.planes = list(planes)
        for plane in self.planes:
            plane.ranges.leads = plane is self.planes[0]
            if plane not in known:
                plane.view_box.sigRangeChanged.connect(
                    lambda *_, plane=plane: self._on_range(plane)
                )
        self._spread(self.planes[0])

    def _on_range(self, plane: Plane) -> None:
        if plane in self.planes and len(self.planes) > 1:
            self._spread(plane)

    def _spread(self, plane: Plane) -> None:
        """Show the section of this plane on all others."""
        if self._busy:
            return
        self._busy = True
        (x0, x1), (y0, y1) = plane.view_box.viewRange()
        for other in self.planes:
            if other is not plane:
                other.ranges.show_section(((x0, x1), (y0, y1)))
        self._busy = False
