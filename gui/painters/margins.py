"""The lines of a score at its margins: dashed, each tagged with its value; the boundary is tagged
0.
"""

import numpy as np
from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainterPath

from engine.base.arrays import Float
from engine.base.notation import number
from engine.scene.roles import LETTERING
from engine.scene.scene import Role
from gui.painters.contours import Contours
from gui.painters.text import OVER, Spots, say
from gui.painters.view import Brushwork

BETWEEN = 20  # about so many more places on a line where its tag may sit
INSET = 22.0  # pixels between a tag and the frame
Tag = tuple[str, Spots]


def margin_lines(contours: Contours, margins: tuple[float, ...]) -> list[QPainterPath]:
    """The level lines at the margins other than 0."""
    return [contours.line(level) for level in margins if level]


def margin_tags(contours: Contours, margins: tuple[float, ...], rect: QRectF) -> list[Tag]:
    """The value of every line in view, with the places where its tag may sit."""
    found = [
        (level, spots_on(contours.pieces(level), rect))
        for level in sorted({0.0, *margins})
        if margins
    ]
    return [(number(level, 2, signed=bool(level)), spots) for level, spots in found if spots]


def spots_on(pieces: list[Float], rect: QRectF) -> Spots:
    """The places where a tag may sit on a line, best first: its lowest place in the view, its other
    extremes, and some in between.
    """
    room = rect.adjusted(INSET, INSET, -INSET, -INSET)
    xy = np.concatenate([np.zeros((0, 2)), *pieces])
    low = (room.left(), room.top())
    high = (room.right(), room.bottom())
    xy = xy[((xy >= low) & (xy <= high)).all(axis=1)]
    if not len(xy):
        return ()
    ends = [xy[:, 1].argmax(), xy[:, 1].argmin(), xy[:, 0].argmax(), xy[:, 0].argmin()]
    between = range(0, len(xy), len(xy) // BETWEEN + 1)
    return tuple(dict.fromkeys((float(xy[k, 0]), float(xy[k, 1])) for k in (*ends, *between)))


def write_tags(b: Brushwork, tags: list[Tag]) -> None:
    for text, spots in tags:
        say(b, text, spots, 0.0, LETTERING[Role.MARGIN], OVER)
