"""What a painter works with: the map from plane coordinates to pixels, lines and segments clipped
to a rectangle of pixels, and the brushwork (painter, theme, options).
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from math import hypot, isfinite
from typing import Any, TypeVar

import numpy as np
from PySide6.QtCore import QRectF
from PySide6.QtGui import QPaintEngine, QPainter

from engine.base.arrays import Bool, Float, Int
from engine.base.records import Record, cached_property
from engine.scene.layers import Layer
from gui.look.theme import Theme

Ticks = tuple[tuple[float, str], ...]
_VECTOR = (QPaintEngine.Type.SVG, QPaintEngine.Type.Pdf, QPaintEngine.Type.Picture)
FEW, APART = 8, 2.0  # points of a curve; mean pixels from one to the next


class View(Record, eq=True):
    """The visible part of a plane: ranges in plane units, and the pixel rectangle that shows them
    (y grows upwards).

    ticks: of x and y as (place, text), for words or uneven steps; () for automatic numbers
    """

    x: tuple[float, float]
    y: tuple[float, float]
    rect: QRectF
    ticks: tuple[Ticks, Ticks] = ((), ())

    def to_pixels(self, xy: Float) -> Float:
        """(m, 2) plane coordinates -> (m, 2) pixels, limited to 10,000 pixels outside the
        rectangle.
        """
        xy = np.asarray(xy, np.float64)
        px = (
            self.rect.left()
            + (xy[..., 0] - self.x[0]) / (self.x[1] - self.x[0]) * self.rect.width()
        )
        py = (
            self.rect.bottom()
            - (xy[..., 1] - self.y[0]) / (self.y[1] - self.y[0]) * self.rect.height()
        )
        pixels = np.stack([px, py], axis=-1)
        low = (self.rect.left() - 1e4, self.rect.top() - 1e4)
        return np.clip(pixels, low, (self.rect.right() + 1e4, self.rect.bottom() + 1e4))

    def to_plane(self, px: float, py: float) -> tuple[float, float]:
        """One pixel place -> plane coordinates.

        An empty plane counts as one pixel wide.
        """
        fx = (px - self.rect.left()) / max(self.rect.width(), 1.0)
        fy = (self.rect.bottom() - py) / max(self.rect.height(), 1.0)
        return self.x[0] + fx * (self.x[1] - self.x[0]), self.y[0] + fy * (self.y[1] - self.y[0])

    @property
    def unit(self) -> tuple[float, float]:
        """Pixels per plane unit along x and y."""
        return self.rect.width() / (self.x[1] - self.x[0]), self.rect.height() / (
            self.y[1] - self.y[0]
        )

    def pixels(self, xy: Float, limit: float = 1e6) -> Float:
        """(…, 2) plane coordinates as pixels, limited to ±`limit`.

        The limit is large, so that the slopes of visible lines stay true.
        """
        xy = np.asarray(xy, np.float64)
        ux, uy = self.unit
        px = self.rect.left() + (xy[..., 0] - self.x[0]) * ux
        py = self.rect.bottom() - (xy[..., 1] - self.y[0]) * uy
        return np.clip(np.stack([px, py], axis=-1), -limit, limit)

    def line(self, w: Float, b: float, reach: float = 8.0) -> Float | None:
        """The line w[0]·x + w[1]·y + b = 0 as (2, 2) pixels from side to side of the view and
        `reach` further.

        None when it misses the view. It runs from left to right, or from top to bottom when steep.
        """
        rect, (ux, uy) = self.rect, self.unit
        a = float(w[0]) / ux
        c = -float(w[1]) / uy
        size = hypot(a, c)
        if not isfinite(size) or size == 0 or not isfinite(b):
            return None
        middle_x = rect.center().x()
        middle_y = rect.center().y()
        x, y = self.to_plane(middle_x, middle_y)
        offset = (float(w[0]) * x + float(w[1]) * y + float(b)) / size
        if not isfinite(offset):
            return None
        a = a / size
        c = c / size
        foot_x = middle_x - offset * a
        foot_y = middle_y - offset * c
        along_x, along_y = (-c, a) if (a > 0 if abs(a) > abs(c) else c < 0) else (c, -a)
        half = rect.width() + rect.height() + abs(offset)
        ends = (
            foot_x - half * along_x,
            foot_y - half * along_y,
            foot_x + half * along_x,
            foot_y + half * along_y,
        )
        return _part(ends, rect.adjusted(-reach, -reach, reach, reach))

    def segments(self, ends: Float, reach: float = 8.0) -> tuple[Float, Int]:
        """(parts, indices) of plane segments (m, 2, 2), ±inf where open: parts (k, 2, 2) in pixels,
        clipped `reach` outside the view, and the rows (k,) they come from.
        """
        ends = np.asarray(ends, np.float64).reshape(-1, 2, 2)
        return clip_segments(
            self.pixels(ends, 1e9), self.rect.adjusted(-reach, -reach, reach, reach)
        )


Painter = Callable[["Brushwork", Any], None]
P = TypeVar("P", bound=Painter)
PAINTERS: dict[type[Layer], Painter] = {}  # filled by `paints`


def paints(kind: type[Layer]) -> Callable[[P], P]:
    """A decorator that makes a function the painter of a kind of layer."""

    def register(painter: P) -> P:
        PAINTERS[kind] = painter
        return painter

    return register


@dataclass
class Brushwork:
    """Everything a painter function needs; `paint(b, layer)` draws in pixels with `b.painter`.

    lit: tags under the pointer (in a formula or on the plane), which are drawn stronger
    raster: surface by name as (ny, nx) floats over the view's ranges, row 0 at the smallest y, or
    None while not computed
    hatch: regions get their class hatch too
    radius: of an ordinary point, in pixels
    rapid: one of many frames too short to read: labels keep their sides
    fleeting: one frame of fast playback: no pixels are cached
    bare: nothing is painted below yet, see `lay_ground`
    """

    painter: QPainter
    view: View
    theme: Theme
    lit: frozenset[str] = frozenset()
    raster: Callable[[str], Float | None] = lambda name: None
    hatch: bool = False
    radius: float = 5.5
    cache: dict[object, object] = field(default_factory=dict)
    rapid: bool = False
    fleeting: bool = False
    bare: bool = False

    @cached_property
    def vector(self) -> bool:
        """Whether the painter draws into a file of shapes, where pixmaps would lose quality."""
        engine = self.painter.paintEngine()
        return engine is None or engine.type() in _VECTOR

    @property
    def stroke(self) -> float:
        """Factor on every line width (1.5 in the projector theme)."""
        return self.theme.stroke

    def lay_ground(self, laid: bool = False) -> None:
        """Fill the view with the colour of the plane if nothing is painted yet.

        laid: the next surface hides everything, so no fill is needed
        """
        if self.bare and not laid:
            self.painter.fillRect(self.view.rect, self.theme.colour("plane"))
        self.bare = False


def clip_segments(ends: Float, rect: QRectF) -> tuple[Float, Int]:
    """The parts of segments (m, 2, 2) inside `rect`, and the indices (k,) of the segments that have
    one.
    """
    ends = np.asarray(ends, np.float64)
    low, high = np.array([rect.left(), rect.top()]), np.array([rect.right(), rect.bottom()])
    seen: Bool = np.asarray(((ends >= low) & (ends <= high)).all(axis=(1, 2)))
    across = np.flatnonzero(~seen)
    if not len(across):
        return ends, np.arange(len(ends))
    found, some = _clipped(ends[across], low, high)
    parts = ends.copy()
    cut = across[some]
    parts[cut], seen[cut] = found, True
    kept = np.flatnonzero(seen)
    return parts[kept], kept


def _clipped(ends: Float, low: Float, high: Float) -> tuple[Float, Int]:
    """As `clip_segments`, by the algorithm of Liang and Barsky."""
    start = ends[:, 0]
    step = ends[:, 1] - ends[:, 0]
    with np.errstate(divide="ignore", invalid="ignore"):
        a = (low - start) / step
        b = (high - start) / step
    enter = np.minimum(a, b)
    leave = np.maximum(a, b)
    still = step == 0
    within = (start >= low) & (start <= high)
    enter = np.where(still, np.where(within, -np.inf, np.inf), enter)
    leave = np.where(still, np.where(within, np.inf, -np.inf), leave)
    first = np.maximum(enter.max(axis=1), 0.0)
    last = np.minimum(leave.min(axis=1), 1.0)
    kept = np.flatnonzero((first <= last) & np.isfinite(ends).all(axis=(1, 2)))
    parts = start[kept, None] + np.stack([first, last], axis=1)[kept][..., None] * step[kept, None]
    return parts, kept


def clip_segment(start: Float, end: Float, rect: QRectF) -> Float | None:
    """The part (2, 2) of one finite segment inside `rect`; None when there is none."""
    return _part((*start.tolist(), *end.tolist()), rect)


def _part(ends: tuple[float, ...], rect: QRectF) -> Float | None:
    """The part (2, 2) of the segment (x, y, end x, end y) inside `rect`, or None (Liang and
    Barsky).
    """
    x, y, end_x, end_y = ends
    first = 0.0
    last = 1.0
    across = end_x - x
    down = end_y - y
    for at, step, low, high in (
        (x, across, rect.left(), rect.right()),
        (y, down, rect.top(), rect.bottom()),
    ):
        if step == 0:
            if not low <= at <= high:
                return None
            continue
        enter, leave = sorted(((low - at) / step, (high - at) / step))
        first = max(first, enter)
        last = min(last, leave)
    if first > last:
        return None
    return np.array([[x + first * across, y + first * down], [x + last * across, y + last * down]])


def sparse(line: Float, error: float = 0.02) -> Float:
    """A curve (m, 2) in pixels without the points that lie within `error` pixels of the chord
    between their neighbours.

    A pen turns a corner at each point, and a smooth curve has several for each pixel. A curve with
    few points, or points some pixels apart, is returned as it is.
    """
    dense = len(line) > FEW and np.ptp(line, axis=0).sum() < APART * len(line)
    while dense and len(line) > 2:
        before, point, after = line[:-2:2], line[1:-1:2], line[2::2]
        way = after - before
        part = point - before
        aside = way[:, 0] * part[:, 1] - way[:, 1] * part[:, 0]
        along = (way * part).sum(axis=1)
        length = (way**2).sum(axis=1)
        stays = np.ones(len(line), bool)
        stays[1:-1:2] = (aside**2 >= error**2 * length) | (along < 0) | (along > length)
        if stays.all():
            break
        line = line[stays]
    return line
