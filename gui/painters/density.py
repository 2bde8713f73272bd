"""Very many points: from afar their density in the colours of their classes, from near the points
themselves.
"""

from math import ceil, floor

import numpy as np
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage, QPainter

from engine.base.arrays import Float, Int
from engine.base.records import Record, replace
from engine.scene.layers import Points
from engine.scene.roles import MARKS
from gui.look.theme import mix
from gui.painters.strokes import kept
from gui.painters.view import Brushwork, View

CLOSE = 4_000  # points in view up to which each is drawn
LARGER = 2.0  # how much larger points are drawn at most where few of them are in view
CELL = 4.0  # side of a cell in pixels
FAINTEST = 0.35  # opacity of a cell with one point; the densest cell has 1
WRONG = 0.55  # how far the colour of a wrong point goes towards ink
_CROWD = "very many points"  # key in a Brushwork's cache


class Crowd(Record):
    """Very many points, ready to be counted.

    x, y: (m,) places; rows: (m,) their indices in the layer, without those that have no place
    kinds: (m,) by class, and by whether the point is predicted wrongly
    colours: (k, 3) of the kinds, 0 to 1
    """

    x: Float
    y: Float
    rows: Int
    kinds: Int
    colours: Float

    def in_view(self, view: View) -> Int:
        """The indices in the layer of the points inside the ranges of the view."""
        inside = (self.x >= view.x[0]) & (self.x <= view.x[1])
        inside &= (self.y >= view.y[0]) & (self.y <= view.y[1])
        return np.asarray(self.rows[inside])


def crowd_of(b: Brushwork, whole: Points) -> Crowd:
    """The points of a layer, kept while they stay the same."""
    about = (whole.xy, whole.group, whole.shown, b.theme.key)
    known = b.cache.get((_CROWD, whole.role))
    if isinstance(known, tuple) and all(a is c for a, c in zip(known[0], about, strict=True)):
        return known[1]
    x, y = whole.xy.T
    rows = np.flatnonzero(np.isfinite(x) & np.isfinite(y))
    group = np.asarray(whole.group, np.intp)
    named = group if whole.shown is None else np.where(group >= 0, group, whole.shown)
    count = int(named.max(initial=-1)) + 2  # one more for points without a class
    kind = (named + 1 + count * whole.wrong())[rows]
    kinds = np.flatnonzero(np.bincount(kind, minlength=1))
    number = np.zeros(2 * count, np.intp)
    number[kinds] = np.arange(len(kinds))
    ink = b.theme.colour("ink")
    plain = [b.theme.colour("ink2"), *(b.theme.group(k) for k in range(count - 1))]
    shades = [*plain, *(mix(colour, ink, WRONG) for colour in plain)]
    colours = np.array([_rgb(shades[kind]) for kind in kinds.tolist()])
    crowd = Crowd(x[rows], y[rows], rows, number[kind], colours)
    b.cache[_CROWD, whole.role] = (about, crowd)
    return crowd


def _rgb(colour: QColor) -> tuple[float, float, float]:
    return colour.redF(), colour.greenF(), colour.blueF()


def near(whole: Points, rows: Int) -> Points:
    """These rows of very many points, to be drawn one by one."""
    shown, weight = (
        None if of is None else np.asarray(of)[rows] for of in (whole.shown, whole.weight)
    )
    group = np.asarray(whole.group)[rows]
    return replace(whole, xy=whole.xy[rows], group=group, shown=shown, weight=weight, label=())


class Cells(Record):
    """How many points of each kind lie in each cell of a view; the first row is at the top.

    counts: (k, high, wide); left, low: the place of the lower left cell, in cells from the origin
    """

    counts: Int
    left: int
    low: int


def cells_of(crowd: Crowd, view: View) -> Cells:
    """The points counted by cells, which stay where they are on the plane while it is moved."""
    ux, uy = view.unit
    left, low = floor(view.x[0] * ux / CELL), floor(view.y[0] * uy / CELL)
    wide = ceil(view.x[1] * ux / CELL) - left
    high = ceil(view.y[1] * uy / CELL) - low
    # with a margin of one cell, which takes all that lies outside
    column = np.clip(crowd.x * (ux / CELL) - (left - 1), 0, wide + 1).astype(np.intp)
    row = np.clip((low + high + 1) - crowd.y * (uy / CELL), 0, high + 1).astype(np.intp)
    shape = (len(crowd.colours), high + 2, wide + 2)
    place = (crowd.kinds * shape[1] + row) * shape[2] + column
    counts = np.bincount(place, minlength=shape[0] * shape[1] * shape[2]).reshape(shape)
    return Cells(counts[:, 1:-1, 1:-1], left, low)


def paint_density(b: Brushwork, whole: Points, crowd: Crowd, cells: Cells) -> None:
    """Draw points as a picture of cells: the colour of a cell is the mean of its points', its
    opacity grows with the logarithm of their number.
    """
    ux, uy = b.view.unit
    _, high, wide = cells.counts.shape
    image = cells_image(cells.counts, crowd.colours)
    top = np.array([[cells.left * CELL / ux, (cells.low + high) * CELL / uy]])
    across, down = b.view.pixels(top)[0].tolist()
    with kept(b.painter):
        b.painter.setOpacity(b.painter.opacity() * MARKS[whole.role].opacity)
        b.painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        b.painter.drawImage(QRectF(across, down, wide * CELL, high * CELL), image)


def cells_image(counts: Int, colours: Float) -> QImage:
    """The picture of counts (k, high, wide) by kind; the first row is at the top."""
    kinds, high, wide = counts.shape
    each = counts.reshape(kinds, -1).astype(np.float32)
    total = each.sum(axis=0)
    share = np.log1p(total) / np.log1p(max(1.0, float(total.max(initial=1.0))))
    opacity = np.where(total > 0, FAINTEST + (1 - FAINTEST) * share, 0.0)
    mean = colours[:, ::-1].T.astype(np.float32) @ each / np.maximum(total, 1.0)
    pixels = np.empty((high * wide, 4), np.uint8)
    pixels[:, :3] = (255 * mean * opacity + 0.5).T
    pixels[:, 3] = 255 * opacity + 0.5
    raw = pixels.tobytes()
    return QImage(raw, wide, high, 4 * wide, QImage.Format.Format_ARGB32_Premultiplied).copy()
