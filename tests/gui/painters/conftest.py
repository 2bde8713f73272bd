"""A canvas of 400 × 300 pixels over the ranges 0 … 4 and 0 … 3: one unit is 100 pixels, (x, y) lies
at (100 x, 300 − 100 y).
"""

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage, QPainter

from gui.look.theme import LIGHT, Theme
from gui.painters import paint_scene
from gui.painters.view import Brushwork, View

SMOOTHED = 30  # of 255, per channel


class Canvas:
    """Paints layers and says which colours came out."""

    view = View((0.0, 4.0), (0.0, 3.0), QRectF(0, 0, 400, 300))

    def paint(
        self, *layers: Any, theme: Theme = LIGHT, ratio: int = 1, before: str = "", **more: Any
    ) -> "Canvas":
        """before: the colour of what was there, that of the plane where none is given."""
        self.ratio = ratio
        self.image = QImage(400 * ratio, 300 * ratio, QImage.Format.Format_RGB32)
        self.image.setDevicePixelRatio(ratio)
        self.image.fill(QColor(before or theme.plane))
        painter = QPainter(self.image)
        more.setdefault("radius", theme.radius)
        paint_scene(Brushwork(painter, self.view, theme, **more), layers)
        painter.end()
        return self

    def at(self, x: float, y: float, dx: float = 0.0, dy: float = 0.0) -> str:
        """The colour at plane coordinates (x, y), moved by (dx, dy) pixels, as '#RRGGBB'."""
        px = (100 * x + dx) * self.ratio
        py = (300 - 100 * y + dy) * self.ratio
        return self.image.pixelColor(int(px), int(py)).name().upper()

    def shows(self, colour: str, x: float, y: float, dx: float = 0.0, dy: float = 0.0) -> bool:
        """Whether `colour`, give or take the smoothing of edges, lies within a pixel of
        the place.
        """
        row, column = int((300 - 100 * y + dy) * self.ratio), int((100 * x + dx) * self.ratio)
        near = self.pixels[max(row - 1, 0) : row + 2, max(column - 1, 0) : column + 2].astype(int)
        return bool((np.abs(near - QColor(colour).getRgb()[:3]).max(axis=2) <= SMOOTHED).any())

    @property
    def pixels(self) -> np.ndarray:
        """(height, width, 3) uint8."""
        raw = np.frombuffer(self.image.constBits(), np.uint8)
        return raw.reshape(self.image.height(), self.image.width(), 4)[..., 2::-1]

    def count(self, colour: str) -> int:
        """How many pixels have exactly this colour."""
        return int((self.pixels == QColor(colour).getRgb()[:3]).all(axis=2).sum())


@pytest.fixture
def canvas(qapp: Any) -> Canvas:
    return Canvas()


@pytest.fixture
def raster() -> Callable[..., Any]:
    """Named rasters as a Brushwork asks for them."""
    return lambda **named: named.get
