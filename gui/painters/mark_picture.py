"""A single mark of the plane as a small picture for the legend."""

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPixmap

from engine.scene.layers import MIDDLE, NONE, SIZES, WRONG, WRONG_H, Layer, Mark, Points, Role
from gui.look import style, theme
from gui.painters import paint_scene
from gui.painters.view import Brushwork, View

WIDE, HIGH, RADIUS = 30, 24, 3.4  # pixels of the light theme; so small that two rings fit
CROSSED = 1.75  # factor for a mark with a cross inside, and without rings


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
    return mark.layer.sample()


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
    # of its two dots one is smaller and one larger than an ordinary point; a cross needs room
    size = 4 / 3 if mark.words in SIZES.values() else 1.0
    size = CROSSED if mark.words in (WRONG, WRONG_H) else size
    # smaller where lines are thick, as rings then lie further out
    radius = style.scale(look, 8 * RADIUS * size) / 8 * 2 / (1 + look.stroke)
    paint_scene(Brushwork(painter, view, look, radius=radius), (alone(mark),))
