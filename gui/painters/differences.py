"""The difference of two models over the plane: the area on which they disagree, and the other
model's boundary as a ghost.
"""

from collections.abc import Callable

import numpy as np
from PySide6.QtGui import QFontMetricsF, QPainterPath

from engine.base.arrays import Float
from engine.scene.differences import DIFFERENCE, GHOST, OTHER, percent
from engine.scene.roles import LETTERING, STROKES
from engine.scene.scene import Field, Role
from gui.painters.contours import class_contours
from gui.painters.hatches import hatch_difference
from gui.painters.strokes import draw_path, kept
from gui.painters.text import say
from gui.painters.view import Brushwork

KEPT = 4
EDGE, HIGH, SHARE_OF_WIDTH = (
    6.0,
    18.0,
    0.7,
)  # pixels beside and above the text in the corner; the greatest share of the width that it takes


def paint_difference(b: Brushwork, layer: Field) -> None:
    """Hatch the area where two models disagree, with its edge, and write its share in a corner.

    The layer's tag names the other lane.
    """
    mask = b.raster(layer.name)
    if mask is None:
        return
    rect = b.view.rect
    font = b.theme.font("plane")
    text = f"differs from {layer.tag.removeprefix(OTHER)}: {percent(float(mask.mean()))}"
    if QFontMetricsF(font).horizontalAdvance(text) < SHARE_OF_WIDTH * rect.width():
        corners = (
            (rect.right() - EDGE, rect.top() + HIGH),
            (rect.right() - EDGE, rect.bottom() - 2 * HIGH),
        )
        say(b, text, corners, EDGE, LETTERING[Role.DIFFERENCE], ("left",))
    if not mask.any():
        return
    region, edge = _shapes(b, layer.name, mask, lambda: _region(b, mask))
    with kept(b.painter):
        hatch_difference(b, region)
        draw_path(b, STROKES[Role.DIFFERENCE], edge, False)


def paint_ghost(b: Brushwork, layer: Field) -> None:
    """Draw the class borders of the other model as a pale dashed line."""
    classes = b.raster(layer.name)
    if classes is None:
        return
    line, _ = _shapes(b, layer.name, classes, lambda: _borders(b, classes))
    with kept(b.painter):
        draw_path(b, STROKES[Role.GHOST], line, False)


PAINTED: dict[str, Callable[[Brushwork, Field], None]] = {
    DIFFERENCE: paint_difference,
    GHOST: paint_ghost,
}


def _region(b: Brushwork, mask: Float) -> tuple[QPainterPath, QPainterPath]:
    """(region, edge) of the cells of a mask that are 1."""
    contours = class_contours(mask, 1, b.view.rect)
    return contours.above(0.5), contours.line(0.5)


def _borders(b: Brushwork, classes: Float) -> tuple[QPainterPath, QPainterPath]:
    """(all class borders, an empty path).

    Two classes share one border, which is drawn once.
    """
    present = [int(c) for c in np.unique(classes[np.isfinite(classes)])]
    line = QPainterPath()
    for index in present[1:] if len(present) == 2 else present:
        line.addPath(class_contours(classes, index, b.view.rect).line(0.5))
    return line, QPainterPath()


def _shapes(
    b: Brushwork, name: str, values: Float, made: Callable[[], tuple[QPainterPath, QPainterPath]]
) -> tuple[QPainterPath, QPainterPath]:
    """The two paths from `made`, cached for each raster and view."""
    known = b.cache.setdefault(name, {})
    assert isinstance(known, dict)
    key = id(values), b.view.x, b.view.y, b.view.rect.getRect()
    if key not in known:
        while len(known) >= KEPT:
            del known[next(iter(known))]
        known[key] = values, made()
    found: tuple[QPainterPath, QPainterPath] = known[key][1]
    return found
