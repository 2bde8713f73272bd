"""The symbols of points, drawn once per look into pixmaps and then copied, thousands at once."""

from collections import OrderedDict
from collections.abc import Sequence
from math import ceil

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPen, QPixmap

from engine.base.arrays import Float
from engine.base.records import Record
from engine.scene.roles import (
    CASING,
    CROSS,
    CROSS_REACH,
    NODE,
    OUTLINE,
    UNLABELLED,
    WRONG_FILL,
    WRONG_RADIUS,
    shape_of,
)
from gui.look.symbols import symbol_path
from gui.look.theme import Theme
from gui.painters.strokes import pen

QUARTER = 4  # radii are rounded to quarters of a pixel, so that weights do not need a pixmap each


class Look(Record, eq=True):
    """What one symbol shows.

    group, shown: the true and the predicted class (−1: none); quarters: radius in quarters of a
    pixel; style: the kind of symbol
    """

    group: int
    shown: int
    quarters: int
    style: str = "body"

    @property
    def wrong(self) -> bool:
        return (
            self.style != "ghost"
            and self.group >= 0
            and self.shown >= 0
            and self.shown != self.group
        )

    @property
    def radius(self) -> float:
        size = self.quarters / QUARTER
        if self.wrong:
            return size * WRONG_RADIUS
        return (
            size * UNLABELLED
            if self.group < 0 and self.style not in ("node", "sample", "hollow")
            else size
        )


def draw_symbol(painter: QPainter, look: Look, theme: Theme) -> None:
    """One symbol around (0, 0): casing, fill of the predicted class, outline of the true class.

    A wrong one has a cross inside, which leaves both colours visible.
    """
    factor = theme.stroke
    path = symbol_path(shape_of(look.group), look.radius)
    outline, fill = colours(look, theme)
    width = NODE.width if look.style in ("node", "ghost") else OUTLINE
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(pen(theme.colour("plane"), (width + 2 * CASING) * factor))
    painter.drawPath(path)
    painter.setPen(pen(outline, width * factor))
    painter.setBrush(QBrush(fill))
    painter.drawPath(path)
    if look.wrong:
        cross = symbol_path("cross", CROSS_REACH * look.radius)
        painter.strokePath(
            cross, pen(theme.colour("ink"), CROSS * factor, cap=Qt.PenCapStyle.FlatCap)
        )


def colours(look: Look, theme: Theme) -> tuple[QColor, QColor]:
    """(outline, fill) of a symbol."""
    plane = theme.colour("plane")
    if look.style in ("node", "ghost"):
        return theme.colour("ink" if look.style == "node" else "ghost"), plane
    if look.style == "sample" and look.group < 0:
        return theme.colour("ink2"), theme.colour("ink2")
    outline = theme.group(look.group)
    if look.style == "hollow":
        return outline, plane
    if look.wrong:
        return outline, theme.tint(look.shown, WRONG_FILL)
    if look.shown < 0:
        return outline, theme.group(-1) if look.group < 0 else plane
    return outline, theme.group(look.shown)


_sprites: OrderedDict[tuple[Look, tuple[str, int], float], QPixmap] = OrderedDict()
_rings: OrderedDict[tuple[object, ...], tuple[QPixmap, Float]] = OrderedDict()
_atlases: OrderedDict[tuple[tuple[Look, ...], tuple[str, int], float], tuple[QPixmap, Float]] = (
    OrderedDict()
)


def sprite(look: Look, theme: Theme, ratio: float) -> QPixmap:
    """The pixmap of one symbol, centred, for `ratio` device pixels per pixel."""
    key = (look, theme.key, ratio)
    if key not in _sprites:
        _sprites[key] = _paint_sprite(look, theme, ratio)
        _forget(_sprites, 4096)
    _sprites.move_to_end(key)
    return _sprites[key]


def _paint_sprite(look: Look, theme: Theme, ratio: float) -> QPixmap:
    half = ceil((look.radius * 1.5 + 4 * theme.stroke) * ratio)
    pixmap = QPixmap(2 * half, 2 * half)
    pixmap.setDevicePixelRatio(ratio)
    pixmap.fill(Qt.GlobalColor.transparent)
    with QPainter(pixmap) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.translate(half / ratio, half / ratio)
        draw_symbol(painter, look, theme)
    return pixmap


def atlas(looks: Sequence[Look], theme: Theme, ratio: float) -> tuple[QPixmap, Float]:
    """All `looks` side by side in one pixmap, and the rectangles (k, 4) of x, y, width and height
    of each, in device pixels.
    """
    key = (tuple(looks), theme.key, ratio)
    if key not in _atlases:
        _atlases[key] = _paint_atlas([sprite(look, theme, ratio) for look in looks], ratio)
        _forget(_atlases, 32)
    _atlases.move_to_end(key)
    return _atlases[key]


def ring(radius: float, line: QPen, ratio: float) -> tuple[QPixmap, Float]:
    """The pixmap of a circle of `radius` pixels, centred, and its whole rectangle (4,) in device
    pixels.
    """
    key = (radius, line.color().rgba(), line.widthF(), tuple(line.dashPattern()), ratio)
    if key not in _rings:
        half = ceil((radius + line.widthF() / 2 + 1) * ratio)
        pixmap = QPixmap(2 * half, 2 * half)
        pixmap.setDevicePixelRatio(ratio)
        pixmap.fill(Qt.GlobalColor.transparent)
        with QPainter(pixmap) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.translate(half / ratio, half / ratio)
            painter.setPen(line)
            painter.drawEllipse(QPointF(0, 0), radius, radius)
        _rings[key] = pixmap, np.array([0.0, 0.0, 2.0 * half, 2.0 * half])
        _forget(_rings, 256)
    _rings.move_to_end(key)
    return _rings[key]


def _paint_atlas(sprites: list[QPixmap], ratio: float) -> tuple[QPixmap, Float]:
    widths = np.array([s.width() for s in sprites])
    lefts = np.concatenate([[0], np.cumsum(widths)[:-1]])
    strip = QPixmap(int(widths.sum()), int(widths.max()))
    strip.fill(Qt.GlobalColor.transparent)
    with QPainter(strip) as painter:
        for pixmap, left in zip(sprites, lefts, strict=True):
            painter.drawPixmap(int(left), 0, pixmap.width(), pixmap.height(), pixmap)
    strip.setDevicePixelRatio(ratio)
    return strip, np.column_stack([lefts, np.zeros(len(widths)), widths, widths]).astype(np.float64)


def _forget(cache: OrderedDict, limit: int) -> None:  # type: ignore[type-arg]
    while len(cache) > limit:
        cache.popitem(last=False)


def draw_vector(painter: QPainter, look: Look, theme: Theme, xy: Float) -> None:
    """Draw the symbol as shapes at each of xy (m, 2)."""
    for x, y in xy.tolist():
        painter.save()
        painter.translate(QPointF(x, y))
        draw_symbol(painter, look, theme)
        painter.restore()
