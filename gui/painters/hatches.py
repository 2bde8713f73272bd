"""Hatches: families of parallel lines across a region, one per class, and the one that marks a
difference; and regions with the tint and the hatch of their class.
"""

from functools import lru_cache
from math import ceil, cos, hypot, radians, sin

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPixmap

from engine.base.records import Record
from gui.look.theme import CLASS_HATCHES
from gui.painters.buffers import draw_lines
from gui.painters.strokes import kept, pen
from gui.painters.view import Brushwork

TILE, WIDTH, DOT, STRENGTH = 8.0, 1.25, 1.5, 0.5
DIFFERENCE_TILE, DIFFERENCE_WIDTH, DIFFERENCE_STRENGTH = 6.0, 1.4, 0.8
NEUTRAL = 0.06  # share of ink in a region of no class


class Lines(Record, eq=True):
    """Parallel lines.

    angle: degrees, 0 = horizontal, rising anticlockwise; distance, width, dash: pixels
    """

    angle: float
    distance: float = TILE
    width: float = WIDTH
    dash: tuple[float, ...] = ()


_SLANTED = TILE * sin(radians(45))
HATCHES: dict[str, tuple[Lines, ...]] = {
    "diagonal": (Lines(45, _SLANTED),),
    "dots": (Lines(0, TILE, DOT, (0.01, TILE)),),
    "antidiagonal": (Lines(135, _SLANTED),),
    "horizontal": (Lines(0),),
    "vertical": (Lines(90),),
    "grid": (Lines(0), Lines(90)),
    "diamond_grid": (Lines(45, _SLANTED), Lines(135, _SLANTED)),
    "dashes": (Lines(0, TILE / 2, WIDTH, (5.0, 3.0)),),
}
DIFFERENCE = (Lines(45, DIFFERENCE_TILE * sin(radians(45)), DIFFERENCE_WIDTH),)


def hatch_class(b: Brushwork, region: QPainterPath, group: int) -> None:
    """Fill `region` with the hatch of a class."""
    kind = CLASS_HATCHES[group % len(CLASS_HATCHES)]
    hatch(b, region, HATCHES[kind], b.theme.group(group), STRENGTH, TILE)


def hatch_difference(b: Brushwork, region: QPainterPath) -> None:
    """Fill `region` with ink lines at 45°: here two models disagree."""
    hatch(b, region, DIFFERENCE, b.theme.colour("ink"), DIFFERENCE_STRENGTH, DIFFERENCE_TILE)


def hatch(
    b: Brushwork,
    region: QPainterPath,
    families: tuple[Lines, ...],
    colour: QColor,
    strength: float,
    side: float,
) -> None:
    """Fill `region` with families of lines.

    Vector output gets real lines; on pixels a tile is repeated. side: of the square after which the
    families repeat
    """
    box = region.boundingRect().intersected(b.view.rect)
    if box.isEmpty():
        return
    colour = QColor(colour)
    colour.setAlphaF(strength)
    with kept(b.painter):
        b.painter.setClipPath(region, Qt.ClipOperation.IntersectClip)
        if b.vector:
            draw_families(b.painter, families, colour, b.stroke, box, b.view.rect)
        else:
            tile = tile_of(
                families, colour.rgba(), b.stroke, side, b.painter.device().devicePixelRatio()
            )
            corner = b.view.rect.topLeft()
            box = QRectF(box.toAlignedRect())
            b.painter.drawTiledPixmap(
                box, tile, QPointF((box.left() - corner.x()), (box.top() - corner.y()))
            )


def draw_families(
    painter: QPainter,
    families: tuple[Lines, ...],
    colour: QColor,
    stroke: float,
    box: QRectF,
    frame: QRectF,
) -> None:
    """Draw the lines of each family that cross `box`, in step with `frame`."""
    for lines in families:
        cap = (
            Qt.PenCapStyle.RoundCap if lines.dash and lines.dash[0] < 1 else Qt.PenCapStyle.FlatCap
        )
        painter.setPen(pen(colour, lines.width * stroke, lines.dash, cap))
        draw_lines(painter, family(box, frame, lines))


@lru_cache(64)
def tile_of(
    families: tuple[Lines, ...], rgba: int, stroke: float, side: float, ratio: float
) -> QPixmap:
    """A square pixmap of the hatch that repeats without a seam, as near to whole device pixels as
    possible.
    """
    times = min(
        range(4, 25), key=lambda k: (round(abs(k * side * ratio - round(k * side * ratio)), 6), k)
    )
    square = QRectF(0, 0, times * side, times * side)
    tile = QPixmap(*[round(times * side * ratio)] * 2)
    tile.setDevicePixelRatio(ratio)
    tile.fill(Qt.GlobalColor.transparent)
    with QPainter(tile) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        draw_families(painter, families, QColor.fromRgba(rgba), stroke, square, square)
    return tile


def family(box: QRectF, frame: QRectF, lines: Lines) -> np.ndarray:
    """(m, 2, 2) the lines that cross `box`, in step with `frame` so that the hatches of
    neighbouring regions join.
    """
    along = np.array([cos(radians(lines.angle)), -sin(radians(lines.angle))])
    across = np.array([-along[1], along[0]])
    middle = np.array([box.center().x(), box.center().y()])
    origin = np.array([frame.left(), frame.top()])
    half = hypot(box.width(), box.height()) / 2
    nearest = round(float((middle - origin) @ across) / lines.distance)
    count = ceil(half / lines.distance)
    offsets = (nearest + np.arange(-count, count + 1)) * lines.distance
    begin = TILE * np.floor(((middle - origin) @ along - half) / TILE)
    starts = origin + offsets[:, None] * across + begin * along
    return np.stack([starts, starts + (2 * half + 2 * TILE) * along], axis=1)


def tint_region(b: Brushwork, region: QPainterPath, group: int) -> None:
    """Fill `region` with the tint of its class; with a little ink where it has none."""
    if group >= 0:
        b.painter.fillPath(region, b.theme.tint(group))
        if b.hatch:
            hatch_class(b, region, group)
    else:
        b.painter.fillPath(region, b.theme.colour("ink", NEUTRAL))
