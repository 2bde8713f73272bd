"""The events of a run as small marks under its curves, drawn in one call."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from math import ceil, inf
from typing import Any

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPen, QPixmap, QPolygonF

from engine.base.arrays import Float, Int
from engine.base.records import Record
from engine.runs.trace import Trace
from gui.look import theme
from gui.painters.buffers import draw_copies

SHAPES = ("up", "diamond", "down", "dot", "square", "bar", "ring", "plus", "flag")
# the flag is reserved for the event with which a run succeeds
ENDS, FLAG = ("done", "converged"), SHAPES.index("flag")
BOX = 12  # pixels that one mark takes at most
R = 4.0
RINGS: dict[str, list[tuple[float, float]]] = {
    "up": [(0, -R), (R, R), (-R, R)],
    "down": [(0, R), (R, -R), (-R, -R)],
    "diamond": [(0, -R), (R, 0), (0, R), (-R, 0)],
    "square": [(-R, -R), (R, -R), (R, R), (-R, R)],
    "bar": [(-1, -R), (1, -R), (1, R), (-1, R)],
    "plus": [
        (-1, -R),
        (1, -R),
        (1, -1),
        (R, -1),
        (R, 1),
        (1, 1),
        (1, R),
        (-1, R),
        (-1, 1),
        (-R, 1),
        (-R, -1),
        (-1, -1),
    ],
    "flag": [(-R + 1, R), (-R + 1, -R), (R, -R), (R - 2, -R / 2 + 0.5), (R, 1), (-R + 1, 1)],
}
FILLED = ("up", "down", "dot", "bar", "plus")


def shapes_of(names: Sequence[str]) -> list[int]:
    """For each event the index of its shape in SHAPES; shapes repeat only if there are too few."""
    ending = next((name for name in names if name in ENDS), "")
    others = [name for name in names if name != ending]
    return [FLAG if name == ending else others.index(name) % FLAG for name in names]


class Marks(Record):
    """Marks of events, in the order of their steps.

    index: (m,) step numbers, ascending;
    x: (m,) pixels, ascending;
    shape: (m,) places in SHAPES.
    """

    index: Int
    x: Float
    shape: Int

    def paint(
        self,
        painter: QPainter,
        y: float,
        cursor: int,
        size: float = 1.0,
        part: tuple[float, float] = (-inf, inf),
    ) -> None:
        """Draw the marks at height y, `size` times as large as usual: up to the cursor in ink,
        later ones pale.

        part: the range of pixels, from left to right, that is repainted.
        """
        ratio = painter.device().devicePixelRatio()
        box = _box(ratio, size)
        seen = slice(
            *np.searchsorted(self.x, [part[0] - BOX * size, part[1] + BOX * size]).tolist()
        )
        index = self.index[seen]
        x = self.x[seen]
        sources = np.full((len(index), 4), box)
        sources[:, 0] = self.shape[seen] * box
        sources[:, 1] = np.where(index <= cursor, box, 0.0)
        look = theme.current()
        strip = _strip(look.colour("ghost").name(), look.colour("ink").name(), ratio, size)
        draw_copies(painter, np.column_stack([x, np.full(len(x), y)]), sources, strip)


def marked(trace: Trace) -> list[str]:
    """The events that have marks: all but rounds, which have rules."""
    return [name for name in trace.algorithm.events if name != "round"]


def marks_of(
    trace: Trace, names: Sequence[str], last: int, x_of: Callable[[Any], Any], since: int = 0
) -> Marks:
    """The marks of the events `names` from step `since` to `last`.

    Where marks of one event fall on the same place only the first is kept.
    """
    found = [np.zeros((0, 3))]
    for shape, name in zip(shapes_of(names), names, strict=True):
        index = np.asarray(trace.when(name), np.intp)
        index = index[(since <= index) & (index <= last)]
        place, first = np.unique(np.round(x_of(index) / 2), return_index=True)
        found.append(np.column_stack([index[first], place * 2.0, np.full(len(place), shape)]))
    table = np.concatenate(found)
    table = table[np.argsort(table[:, 0], kind="stable")]
    return Marks(table[:, 0].astype(np.intp), table[:, 1], table[:, 2].astype(np.intp))


def paint_mark(painter: QPainter, shape: str, x: float, y: float, colour: QColor) -> None:
    """One mark centred at (x, y)."""
    painter.setPen(QPen(colour, 1.25))
    painter.setBrush(QBrush(colour) if shape in FILLED else Qt.BrushStyle.NoBrush)
    if shape in ("dot", "ring"):
        painter.drawEllipse(QPointF(x, y), R - 1, R - 1)
    else:
        painter.drawPolygon(QPolygonF([QPointF(x + dx, y + dy) for dx, dy in RINGS[shape]]))


def _box(ratio: float, size: float) -> int:
    """The side of one shape in device pixels.

    It is a whole number: otherwise the last row would be read from beyond the pixmap.
    """
    return ceil(BOX * size * ratio)


@lru_cache(maxsize=8)
def _strip(later: str, past: str, ratio: float, size: float) -> QPixmap:
    """Every shape side by side: pale as in the future in the upper row, in ink in the lower row."""
    box = _box(ratio, size)
    pixmap = QPixmap(box * len(SHAPES), 2 * box)
    pixmap.setDevicePixelRatio(ratio)
    pixmap.fill(Qt.GlobalColor.transparent)
    with QPainter(pixmap) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.scale(size, size)
        step = box / ratio / size
        for row, colour in enumerate((later, past)):
            for k, shape in enumerate(SHAPES):
                paint_mark(painter, shape, (k + 0.5) * step, (row + 0.5) * step, QColor(colour))
    return pixmap
