"""What a painter works with: the map from plane coordinates to pixels, and the brushwork (painter,
theme, options).
"""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from PySide6.QtCore import QRectF
from PySide6.QtGui import QPaintEngine, QPainter

from engine.base.arrays import Float
from engine.base.records import Record, cached_property
from gui.look.theme import Theme

Ticks = tuple[tuple[float, str], ...]
_VECTOR = (QPaintEngine.Type.SVG, QPaintEngine.Type.Pdf, QPaintEngine.Type.Picture)


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


@dataclass
class Brushwork:
    """Everything a painter function needs; `paint(b, layer)` draws in pixels with `b.painter`.

    lit: tags under the pointer (in a formula or on the plane), which are drawn stronger
    raster: surface by name as (ny, nx) floats over the view's ranges, row 0 at the smallest y, or
    None while not computed
    hatch: regions get their class hatch too
    radius: of an ordinary point, in pixels
    hasty: one of many frames too short to read: labels keep their sides
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
    hasty: bool = False
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
