"""The switch for the kind of hand-drawn points: whether a click gives a class, a
value or neither.
"""

import pyqtgraph as pg
from PySide6.QtWidgets import QWidget

from engine.base.records import replace
from engine.document.document import Document
from engine.sources.own_points import PointKind, as_kind, kind_of
from gui.session.lane_view import LaneView
from gui.session.session import Session
from gui.widgets.segments import Segments

EDGE = 8  # pixels to the frame of the plane
TIPS = {
    PointKind.CLASSES: "A click gives a point a class (keys 1 to 9)",
    PointKind.VALUES: "A click gives a point x and the value y to predict",
    PointKind.PLAIN: "A click gives a point no class, for clusters and cells",
}


class KindSwitch(Segments):
    """The switch for the kind of points drawn by hand, in the upper right corner of the plane;
    hidden for other tables.
    """

    def __init__(
        self, session: Session, lane_view: LaneView, ground: QWidget, view_box: pg.ViewBox
    ) -> None:
        """lane_view: the lane with the points; ground: the widget that it floats on"""
        super().__init__(tuple(PointKind), accessible="Points", parent=ground)
        self.session, self.lane_view, self._view_box = session, lane_view, view_box
        for kind, words in TIPS.items():
            self.set_enabled(kind, True, words)
        self.picked.connect(self._take)
        view_box.sigResized.connect(lambda *_: self.place())
        self.refresh()

    def _take(self, kind: PointKind) -> None:
        def change(seen: Document) -> Document:
            probe = None if kind is PointKind.VALUES else seen.probe
            return replace(seen, data=as_kind(seen.data, kind), plane=(), probe=probe)

        self.session.edit(
            self.session.document.in_lane(self.lane_view.place, change), f"points with {kind}"
        )

    def refresh(self) -> None:
        """Show the kind of the lane's points, or hide."""
        kind = kind_of(self.lane_view.data)
        self.setVisible(kind is not None)
        if kind is not None:
            self.set_value(kind)
        self.place()

    def place(self) -> None:
        """Move to the upper right corner of the frame."""
        self.adjustSize()
        corner = self._view_box.mapRectToScene(self._view_box.rect()).topRight()
        self.move(round(corner.x()) - EDGE - self.width(), round(corner.y()) + EDGE)
