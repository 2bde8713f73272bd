"""The hatched cover of a picture while its step is being computed."""

from collections.abc import Callable
from math import radians, sin

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from gui.base.guard import guarded, guarded_filter
from gui.look import theme
from gui.painters.hatches import Lines, tile_of
from gui.session.changes import Change, Changes
from gui.session.lane_view import LaneView
from gui.session.playhead import Playhead

TILE, STRENGTH = 9.0, 0.07
LINES = (Lines(45, TILE * sin(radians(45))),)


class NotYet(QWidget):
    """Covers the widget `place` while the wanted step of a lane is not computed yet."""

    def __init__(self, place: QWidget, shown: Playhead, lane: Callable[[], LaneView]) -> None:
        """lane: the lane that `place` shows"""
        super().__init__(place)
        self.lane = lane
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAccessibleName("This step is being computed again.")
        self.hide()
        place.installEventFilter(self)
        shown.changed.connect(self._on_changed)

    def _on_changed(self, changes: Changes) -> None:
        if changes.of(self.lane()) & Change.OVERDUE:
            self.setVisible(self.lane().overdue)
            self.raise_()

    @guarded_filter
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and watched is self.parentWidget():
            self.resize(self.parentWidget().size())
        return super().eventFilter(watched, event)

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        look = theme.current()
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), look.colour("dock"))
            ink = look.colour("ink", STRENGTH).rgba()
            painter.drawTiledPixmap(
                self.rect(), tile_of(LINES, ink, 1.0, TILE, self.devicePixelRatioF())
            )
