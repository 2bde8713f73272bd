"""The eight class markers and the cross as paths around (0, 0), of equal optical area for equal radius (tokens.md)."""

from functools import lru_cache
from math import cos, pi, sin

from PySide6.QtCore import QPointF
from PySide6.QtGui import QPainterPath, QPolygonF

# sizes in units of the radius
SQUARE_HALF, TRIANGLE, DIAMOND = 0.89, 1.40, 1.27
PLUS_ARM, PLUS_HALF = 1.20, 0.42
STAR_OUTER, STAR_INNER = 1.50, 0.66
HOURGLASS_HALF_WIDTH, HOURGLASS_HALF_HEIGHT = 1.00, 1.15
CROSS_ARM = 1.0


@lru_cache(maxsize=512)
def _path(shape: str, radius: float) -> QPainterPath:
    path = QPainterPath()
    if shape == "circle":
        path.addEllipse(QPointF(0, 0), radius, radius)
    elif shape == "cross":
        a = CROSS_ARM * radius
        for x, y in ((-a, -a), (-a, a)):
            path.moveTo(x, y)
            path.lineTo(-x, -y)
    else:
        corners = _CORNERS[shape]
        path.addPolygon(QPolygonF([QPointF(radius * x, radius * y) for x, y in corners]))
        path.closeSubpath()
    return path


def symbol_path(shape: str, radius: float) -> QPainterPath:
    """The outline of class shape `shape` ('circle' … 'hourglass', theme.CLASS_SHAPES), y downwards as on the screen.

    'cross' (the mark of a wrong point) is two open lines from corner to corner, to be stroked. A fresh copy each time.
    """
    return QPainterPath(_path(shape, round(radius, 3)))


def _ring(radii: tuple[float, ...], start: float, count: int) -> tuple[tuple[float, float], ...]:
    """`count` corners around the centre from angle `start` on, taking the radii in turn."""
    angles = [start + 2 * pi * i / count for i in range(count)]
    return tuple((radii[i % len(radii)] * cos(a), radii[i % len(radii)] * sin(a)) for i, a in enumerate(angles))


_A, _H = PLUS_ARM, PLUS_HALF
_W, _T = HOURGLASS_HALF_WIDTH, HOURGLASS_HALF_HEIGHT
_CORNERS: dict[str, tuple[tuple[float, float], ...]] = {
    "square": tuple((SQUARE_HALF * x, SQUARE_HALF * y) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))),
    "triangle": _ring((TRIANGLE,), -pi / 2, 3),
    "triangle_down": _ring((TRIANGLE,), pi / 2, 3),
    "diamond": _ring((DIAMOND,), -pi / 2, 4),
    "plus": (
        (-_H, -_A), (_H, -_A), (_H, -_H), (_A, -_H), (_A, _H), (_H, _H),
        (_H, _A), (-_H, _A), (-_H, _H), (-_A, _H), (-_A, -_H), (-_H, -_H),
    ),
    "star": _ring((STAR_OUTER, STAR_INNER), -pi / 2, 10),
    "hourglass": ((-_W, -_T), (_W, -_T), (-_W, _T), (_W, _T)),
}  # fmt: skip
