"""The eight class markers and the cross as paths around (0, 0), of equal optical area for equal
radius.
"""

from functools import lru_cache

from PySide6.QtCore import QPointF
from PySide6.QtGui import QPainterPath, QPolygonF

from engine.scene.roles import CORNERS, CROSS_ARM


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
        corners = CORNERS[shape]
        path.addPolygon(QPolygonF([QPointF(radius * x, radius * y) for x, y in corners]))
        path.closeSubpath()
    return path


def symbol_path(shape: str, radius: float) -> QPainterPath:
    """The outline of class shape `shape` ('circle' … 'hourglass', theme.CLASS_SHAPES), y downwards.

    'cross' (the mark of a wrong point) is two open lines between corners, to be stroked. Each call
    returns a copy.
    """
    return QPainterPath(_path(shape, round(radius, 3)))
