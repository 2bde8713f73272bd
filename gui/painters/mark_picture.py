"""A single mark of the plane as a small picture for the legend."""

from typing import Any

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPixmap

from engine.base.records import replace
from engine.scene.layers import (
    NO_GROUP,
    Arrows,
    Band,
    Boxes,
    Circles,
    Ellipses,
    Layer,
    Line,
    Points,
    Polygons,
    Polyline,
    Role,
    Segments,
)
from engine.scene.legend import SIZES, WRONG, WRONG_H, Mark
from gui.look import style, theme
from gui.painters import paint_scene
from gui.painters.view import Brushwork, View

WIDE, HIGH, RADIUS = 30, 24, 3.4  # pixels of the light theme; so small that two rings fit
ACROSS = np.array([[[-1.1, 0.0], [1.1, 0.0]]])
WAVE = np.column_stack([np.linspace(-1.1, 1.1, 23), -0.5 * np.sin(np.linspace(-3, 3, 23))])
CORNERS = np.array([[-0.95, -0.55], [0.95, -0.55], [0.95, 0.55], [-0.95, 0.55]])
NONE = np.array([NO_GROUP])
MIDDLE = np.zeros((1, 2))
BARE: dict[type[Any], dict[str, Any]] = {
    Points: {"xy": MIDDLE, "group": NONE, "shown": None, "weight": None, "label": ()},
    Line: {"w": np.array([0.0, 1.0]), "b": 0.0, "label": "", "group": NO_GROUP},
    Segments: {"ends": ACROSS, "label": ()},
    Polyline: {"xy": WAVE, "closed": False, "label": "", "group": NO_GROUP},
    Band: {
        "x": WAVE[:, 0],
        "low": np.full(len(WAVE), -0.7),
        "high": 0.7 * np.cos(WAVE[:, 0]),
        "group": NO_GROUP,
    },
    Polygons: {"rings": (CORNERS,), "group": NONE},
    Boxes: {"bounds": np.array([[-0.95, -0.55, 0.95, 0.55]]), "group": NONE, "label": ()},
    Ellipses: {"centre": MIDDLE, "shape": np.diag([0.8, 0.3])[None], "reach": 1.0, "group": None},
    Circles: {"centre": MIDDLE, "radius": np.array([0.7]), "label": ()},
    Arrows: {"start": np.array([[-1.0, 0.0]]), "end": np.array([[1.0, 0.0]]), "label": ()},
}


def alone(mark: Mark) -> Layer:
    """A layer with a single mark of this kind at the origin, without name and class."""
    if mark.words in (WRONG, WRONG_H):
        return Points(MIDDLE, np.array([0]), Role.POINT, np.array([1]))
    if mark.words in SIZES.values():
        return Points(
            np.array([[-0.55, 0.0], [0.4, 0.0]]),
            np.repeat(NONE, 2),
            Role.SAMPLE,
            weight=np.array([1.0, 5.0]),
        )
    return replace(mark.layer, tag="", **BARE[type(mark.layer)])


def mark_pixmap(mark: Mark, ratio: float) -> QPixmap:
    """The mark as a pixmap in the current theme, for a screen with `ratio` device pixels to a
    pixel.
    """
    look = theme.current()
    wide, high = style.scale(look, WIDE), style.scale(look, HIGH)
    picture = QPixmap(round(wide * ratio), round(high * ratio))
    picture.setDevicePixelRatio(ratio)
    picture.fill(Qt.GlobalColor.transparent)
    with QPainter(picture) as painter:
        paint_mark(painter, mark, look)
    return picture


def paint_mark(painter: QPainter, mark: Mark, look: theme.Theme) -> None:
    """Paint the mark into a rectangle of WIDE × HIGH at the origin."""
    wide, high = style.scale(look, WIDE), style.scale(look, HIGH)
    view = View(
        (4 / HIGH - WIDE / HIGH, WIDE / HIGH - 4 / HIGH),
        (-1.0, 1.0),
        QRectF(0, 0, wide - style.scale(look, 4), high),
    )  # lines end before the words
    # of its two dots one is smaller and one larger than an ordinary point
    size = 4 / 3 if mark.words in SIZES.values() else 1.0
    # smaller where lines are thick, as rings then lie further out
    radius = style.scale(look, 8 * RADIUS * size) / 8 * 2 / (1 + look.stroke)
    paint_scene(Brushwork(painter, view, look, radius=radius), (alone(mark),))
