"""The planes of all lanes show the same section, whichever of them a person zooms or moves."""

from collections.abc import Sequence

from gui.plane.plane import Plane
from gui.session.session import Session


class Linked:
    """The first plane leads: it alone fits itself to the points and to what its scene shows beyond
    them, and its section is the one that is saved. The others follow it; what a hand does to one of
    them is done to the first.
    """

    def __init__(self, session: Session) -> None:
        self.session = session
        self.planes: list[Plane] = []
        self._busy = False

    def link(self, planes: Sequence[Plane]) -> None:
        """From now on these."""
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
        """The section of this plane on all others."""
        if self._busy:
            return
        self._busy = True
        (x0, x1), (y0, y1) = plane.view_box.viewRange()
        for other in self.planes:
            if other is not plane:
                other.ranges.show_section(((x0, x1), (y0, y1)))
        self._busy = False
