"""The figure of three axes: a box that dragging turns, with points, planes, a shaded surface and a
path.
"""

from typing import Any

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from engine.base.arrays import Float
from engine.base.notation import counted, fixed
from engine.scene.axes import axis_name
from engine.scene.scene import Space
from gui.base.guard import guarded
from gui.base.plain_text import tip
from gui.figures import shows
from gui.figures.space_look import (
    FLYING_CELLS,
    HINT,
    MOST_CELLS,
    ROOMY,
    Mesh,
    make_mesh,
    paint_space,
)
from gui.figures.space_view import (
    LEAST_ZOOM,
    MOST_ZOOM,
    PITCH,
    PITCH_SURFACE,
    YAW,
    Box,
    Camera,
    box_of,
    stretch_for,
)
from gui.look import style

DEGREES = 0.5  # per pixel of a drag
KEY_DEGREES = 10.0
REACH = 8.0
EMPTY = Space("", ("", "", ""), np.zeros((0, 3)), np.zeros(0, np.intp))


@shows(Space)
class SpaceFigure(QWidget):
    """Shows a `Space`. Dragging turns it.

    Angle and zoom stay from step to step; a double click resets them.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.space = EMPTY
        self.box: Box = box_of(EMPTY)
        self.yaw = YAW
        self.pitch = PITCH
        self.zoomed = 1.0
        self.by_hand = self.flying = False  # flying: fast playback
        self.printed = False  # in a picture that is taken away
        self.mesh: Mesh | None = None
        self._grabbed: QPointF | None = None
        self._made_of: tuple[Any, ...] = ()
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.OpenHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    # -- in and out --------------------------------------------------------------------------------

    def set_figure(self, space: Space) -> None:
        self.space = space
        self.box = box_of(space)
        self._make_mesh()
        if not self.by_hand:
            self._stand()
        style.read_aloud(self, self.as_text)
        self.update()

    def _make_mesh(self) -> None:
        """Make the mesh of the surface, unless the surface is the same. Fast playback uses larger
        cells.
        """
        if self.space.surface is None:
            self.mesh = None
            self._made_of = ()
            return
        cells = FLYING_CELLS if self.flying else MOST_CELLS
        top = self.space.top
        cut = np.inf if top is None else top
        parts: tuple[Any, ...] = (*self.space.surface, self.box.low, self.box.high, cut, cells)
        same = len(self._made_of) == len(parts) and all(
            a is b or np.array_equal(a, b, equal_nan=True)
            for a, b in zip(parts, self._made_of, strict=True)
        )
        if not same:
            self.mesh = make_mesh(self.space.surface, self.box, cells, top)
            self._made_of = parts

    def set_lit(self, tags: frozenset[str]) -> None:
        """Do nothing: nothing in this figure has a tag."""

    def as_text(self) -> str:
        """The axes with their ranges, and the contents as text."""
        s = self.space
        lines = [self.space.title] if self.space.title else []
        for name, low, high in zip(s.names, self.box.low, self.box.high, strict=True):
            lines.append(f"{axis_name(name)} from {fixed(low)} to {fixed(high)}")
        codes = np.asarray(s.group, np.intp)
        for code in np.unique(codes):
            whose = f"of class {code + 1}" if code >= 0 else "without a class"
            count = int((codes == code).sum())
            lines.append(f"{counted(count, 'point')} {whose}")
        for w, b, role in s.planes:
            lines.append(
                f"plane ({', '.join(fixed(v) for v in w)}) · x + {fixed(b)} = 0, {role.value}"
            )
        if s.surface is not None:
            lines.append(f"surface of {s.names[2]}")
        if s.path is not None and len(s.path):
            lines.append(
                f"path of {counted(len(s.path), 'place')} to"
                f" ({', '.join(fixed(v) for v in s.path[-1])})"
            )
        return "\n".join(lines)

    def camera(self) -> Camera:
        """The camera for the current angle, zoom and size."""
        wide, high = float(self.width()), float(self.height())
        return Camera(self.yaw, self.pitch, self.zoomed, wide, high, stretch_for(wide, high))

    def seen(self) -> Float:
        """(m, 3): pixel x, pixel y and nearness to the eye of each point."""
        return self.camera().project(self.box.inside(np.asarray(self.space.xyz).reshape(-1, 3)))

    @guarded
    def sizeHint(self) -> QSize:
        return QSize(280, 220)

    @guarded
    def minimumSizeHint(self) -> QSize:
        return QSize(140, 120)

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            paint_space(
                painter,
                QRectF(self.rect()),
                self.space,
                self.box,
                self.camera(),
                self.mesh,
                self.printed,
            )

    # -- mouse and keys ----------------------------------------------------------------------------

    def turn(self, across: float, up: float) -> None:
        """Turn by so many degrees. The pitch stays within ±89°."""
        self.by_hand = True
        self.yaw = (self.yaw + across + 180) % 360 - 180
        self.pitch = min(89.0, max(-89.0, self.pitch + up))
        self.update()

    def zoom(self, factor: float) -> None:
        self.by_hand = True
        self.zoomed = min(MOST_ZOOM, max(LEAST_ZOOM, self.zoomed * factor))
        self.update()

    def reset(self) -> None:
        """Return to the first angle and zoom."""
        self.by_hand = False
        self._stand()
        self.update()

    def stand_as(self, other: object) -> None:
        """Take the angle and zoom of another figure of this kind."""
        if isinstance(other, SpaceFigure):
            self.by_hand = True
            self.yaw, self.pitch, self.zoomed = other.yaw, other.pitch, other.zoomed

    def _stand(self) -> None:
        """Set the first angle and zoom. A surface is seen from further above, to
        look into a bowl.
        """
        pitch = PITCH if self.space.surface is None else PITCH_SURFACE
        self.yaw = YAW
        self.pitch = pitch
        self.zoomed = 1.0

    @guarded
    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._grabbed = event.position()
            self.setCursor(Qt.CursorShape.ClosedHandCursor)

    @guarded
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        at = event.position()
        if self._grabbed is not None and event.buttons() & Qt.MouseButton.LeftButton:
            moved = at - self._grabbed
            self._grabbed = at
            self.turn(DEGREES * moved.x(), DEGREES * moved.y())
        else:
            self.setToolTip(tip(self.tip_at(at) or ("" if self.height() >= ROOMY else HINT)))

    @guarded
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._grabbed = None
        self.setCursor(Qt.CursorShape.OpenHandCursor)

    @guarded
    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.reset()

    @guarded
    def wheelEvent(self, event: QWheelEvent) -> None:
        self.zoom(1.2 ** (event.angleDelta().y() / 120))
        event.accept()

    @guarded
    def keyPressEvent(self, event: QKeyEvent) -> None:
        keys = Qt.Key
        far = KEY_DEGREES
        turns: dict[int, tuple[float, float]] = {
            keys.Key_Left: (-far, 0),
            keys.Key_Right: (far, 0),
            keys.Key_Up: (0, far),
            keys.Key_Down: (0, -far),
        }
        if event.key() in (keys.Key_Plus, keys.Key_Minus):
            self.zoom(1.2 if event.key() == keys.Key_Plus else 1 / 1.2)
        elif event.key() in turns and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.turn(*turns[event.key()])
        else:
            super().keyPressEvent(event)

    def tip_at(self, at: QPointF) -> str:
        """The coordinates of the point under the pointer, the nearest to the eye; '' where there is
        none.
        """
        seen = self.seen()
        close = np.flatnonzero(np.hypot(seen[:, 0] - at.x(), seen[:, 1] - at.y()) <= REACH)
        if not len(close):
            return ""
        front = close[int(seen[close, 2].argmax())]
        values = zip(self.space.names, np.asarray(self.space.xyz)[front], strict=True)
        return ", ".join(f"{axis_name(name)} {fixed(value)}" for name, value in values)

    @guarded
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange:
            self.update()
