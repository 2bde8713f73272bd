"""Coloured regions: the tint of a class and its hatch."""

from PySide6.QtGui import QPainterPath

from gui.painters.hatches import hatch_class
from gui.painters.view import Brushwork

NEUTRAL = 0.06  # share of ink in a region of no class


def tint_region(b: Brushwork, region: QPainterPath, group: int) -> None:
    """Fill `region` with the tint of its class; with a little ink where it has none."""
    if group >= 0:
        b.painter.fillPath(region, b.theme.tint(group))
        if b.hatch:
            hatch_class(b, region, group)
    else:
        b.painter.fillPath(region, b.theme.colour("ink", NEUTRAL))
