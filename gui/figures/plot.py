"""The figure of a second plane with axes of its own, painted like the first."""

from collections.abc import Iterable
from typing import Any

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from engine.scene.plot_ranges import span
from engine.scene.scene import (
    Layer,
    Plot,
)
from gui.base.guard import guarded
from gui.figures import shows
from gui.look import style, theme
from gui.look.ink import face, write_right
from gui.painters.axes import (
    axis_step,
    covers_number,
    draw_plane,
    equal_scales,
    label_width,
)
from gui.painters.hits import hit
from gui.painters.view import View

TOP, TICK_ROOM = 6.0, 10.0
BELOW = (24.0, 32.0)  # height for the numbers below the first plane; in the projector theme


@shows(Plot)
class PlotFigure(QWidget):
    """Shows a `Plot`.

    hovered: tag under the pointer, '' when it leaves
    drawn(how, x, y): the left button goes down in the frame, is moved or comes up; how: as in
        `Predicting.draw`
    """

    hovered = Signal(str)
    drawn = Signal(str, float, float)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.plot = Plot("", "", "", ())
        self.large = self.roomy = self.rapid = False  # rapid: fast playback
        self.lit: frozenset[str] = frozenset()
        self._tag = ""
        self._cache: dict[object, object] = {}
        self._down = False  # the left button, since it went down in the frame
        self.setMouseTracking(True)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def set_figure(self, plot: Plot) -> None:
        self.plot = plot
        style.read_aloud(self, self.as_text)
        self.update()

    def set_large(self, large: bool) -> None:
        """Set whether the plot is as large as the first plane and aligned with it: with points of
        the same size and the title inside the frame.
        """
        self.large = large

    def set_roomy(self, roomy: bool) -> None:
        """Set whether the plot is in the middle of the window. The switcher shows its title there,
        so the frame does not.
        """
        self.roomy = roomy

    def set_lit(self, tags: frozenset[str]) -> None:
        if tags != self.lit:
            self.lit = tags
            self.update()

    def as_text(self) -> str:
        """The title, the axes and the layers as text."""
        x, y = span(self.plot, 0), span(self.plot, 1)
        across, up = self.plot.x_label, self.plot.y_label
        lines = [
            self.plot.title,
            (
                f"{across} from {x[0]:g} to {x[1]:g}, {up} from {y[0]:g} to {y[1]:g}"
                if self.plot.ticks
                else ""
            ),
        ]
        for layer in self.plot.layers:
            named = [text for text in _labels(layer) if text]
            lines.append(
                f"{type(layer).__name__.lower()}, {layer_size(layer)}"
                + (f": {', '.join(named)}" if named else "")
            )
        return "\n".join(line.replace("-", "−") for line in lines if line)

    @guarded
    def sizeHint(self) -> QSize:
        return QSize(280, self.heightForWidth(280))

    @guarded
    def minimumSizeHint(self) -> QSize:
        return QSize(140, 110)

    @guarded
    def heightForWidth(self, width: int) -> int:
        """Equal to `width` for equal scales, else three quarters of it."""
        return width if self.plot.equal else int(0.75 * width)

    def view(self) -> View:
        """The ranges of the layers with a margin, in a rectangle that leaves room for the axis
        numbers.
        """
        look = theme.current()
        x, y = span(self.plot, 0), span(self.plot, 1)
        projected = look.stroke > 1
        top, below = (
            (0.0, BELOW[projected]) if self.large else (TOP, look.line_height("caption") + 8.0)
        )
        right = 1.0 if self.large else 0.9 * look.line_height("caption")
        if not self.plot.ticks:
            below, right = (below, right) if self.large else (2.0, 2.0)
        high = max(20.0, self.height() - top - below)

        def frame(y: tuple[float, float]) -> QRectF:
            left = 2.0
            if self.plot.ticks:
                step = axis_step(1, y, high, look)
                left = label_width(y, step, look, self.plot.y_ticks) + TICK_ROOM
            return QRectF(round(left), top, max(20.0, self.width() - round(left) - right), high)

        rect = frame(y)
        if self.plot.equal:  # a widened range may have longer numbers
            return equal_scales(x, y, frame(equal_scales(x, y, rect).y))
        ticks = (self.plot.x_ticks, self.plot.y_ticks)
        if self.plot.ticks:  # keep free the lines of names inside the frame: marks would cover them
            line = look.line_height("body")
            above = line * bool(self.plot.y_label)
            inside = covers_number(View(x, y, rect, ticks), look, self.plot.x_label)
            unit = (y[1] - y[0]) / max(high - above - line * inside, high / 2)
            y = y[0] - unit * line * inside, y[1] + unit * above
        return View(x, y, rect, ticks)

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            names = (self.plot.x_label, self.plot.y_label)
            look = theme.current()
            view = self.view()
            radius = (
                look.radius
                if self.large and not self.plot.small
                else (3.6 if look.stroke == 1 else 6.0)
            )
            draw_plane(
                painter,
                None,
                self.plot.layers,
                lambda name: None,
                view,
                look,
                names,
                lit=self.lit,
                radius=radius,
                cache=self._cache,
                numbers=self.plot.ticks,
                small=True,
                rapid=self.rapid,
            )
            if self.large and not self.roomy:
                bold = face("body", 600)
                line = look.line_height("body")
                box = QRectF(
                    view.rect.right() - bold.width(self.plot.title) - 20,
                    view.rect.top() + 2,
                    0,
                    line + 4,
                )
                box.setRight(view.rect.right() - 2)
                painter.fillRect(box, look.colour("plane", 0.85))
                write_right(
                    painter, box.right() - 8, box.center().y(), self.plot.title, bold, "ink2"
                )

    @guarded
    def mousePressEvent(self, event: QMouseEvent) -> None:
        inside = self.view().rect.contains(event.position())
        self._down = event.button() == Qt.MouseButton.LeftButton and inside
        self._draw("press", event)
        event.accept()

    @guarded
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._draw("release", event)
        self._down = False

    def _draw(self, how: str, event: QMouseEvent) -> None:
        if self._down:
            at = event.position()
            self.drawn.emit(how, *self.view().to_plane(at.x(), at.y()))

    @guarded
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        at = event.position()
        self._draw("drag", event)
        self._point_at(hit(self.view(), self.plot.layers, at.x(), at.y()) or "")

    @guarded
    def leaveEvent(self, event: QEvent) -> None:
        self._point_at("")

    def _point_at(self, tag: str) -> None:
        if tag != self._tag:
            self._tag = tag
            self.hovered.emit(tag)


def layer_size(layer: Layer) -> int:
    """The number of items in a layer."""
    names = ("xy", "ends", "start", "rings", "bounds", "centre", "x")
    parts: list[Any] = [getattr(layer, name, None) for name in names]
    return next((len(part) for part in parts if part is not None), 1)


def _labels(layer: Layer) -> Iterable[str]:
    """Up to eight labels of a layer, or its text."""
    text: Any = getattr(layer, "label", None) or getattr(layer, "text", ())
    return (text,) if isinstance(text, str) else tuple(text)[:8]
