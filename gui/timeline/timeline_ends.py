"""Names and values at the right ends of curves, placed so that they do not overlap."""

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from engine.base.notation import value_text
from gui.look.ink import face, write
from gui.timeline.curves import Curves, Series

APART, GAP = 14.0, 6.0  # pixels between two names at least; before a name and before its value


def apart(wanted: Sequence[float], least: float, low: float, high: float) -> list[float]:
    """Heights near the `wanted` ones, in the same order and at least `least` apart.

    They lie between `low` and `high` if there is room for all, otherwise they go on beyond `high`.
    """
    order = np.argsort(wanted, kind="stable")
    placed = np.asarray(wanted, np.float64)[order]
    for k in range(1, len(placed)):
        placed[k] = max(placed[k], placed[k - 1] + least)
    for k in range(len(placed) - 1, -1, -1):
        placed[k] = min(placed[k], high - (len(placed) - 1 - k) * least)
    placed[:1] = np.maximum(placed[:1], low)
    for k in range(1, len(placed)):
        placed[k] = max(placed[k], placed[k - 1] + least)
    result = np.empty(len(placed))
    result[order] = placed
    return result.tolist()


def ends(curves: Curves, last: float) -> list[tuple[Series, float]]:
    """The series that have a name at their end, each with its value at step `last`."""
    found = []
    for series in curves.series:
        at = int(np.searchsorted(series.x, last, "right")) - 1
        if series.end and at >= 0:
            found.append((series, float(series.y[at])))
    return found


def width(curves: Curves, last: float) -> float:
    """Pixels that the names and values need right of the curve; 0 where there are none."""
    value = max(
        (face("caption").width(value_text(v, curves.digits)) for _, v in ends(curves, last)),
        default=0.0,
    )
    name = max((face("caption", 600).width(s.end) for s, _ in ends(curves, last)), default=0.0)
    return name + value + 3 * GAP if name else 0.0


def paint(painter: QPainter, curves: Curves, last: float, area: QRectF) -> None:
    """Write the names and values right of `area`, at the heights where the curves end."""
    found = ends(curves, last)
    heights = [
        area.bottom() - float(curves.height(np.asarray(v))) * area.height() for _, v in found
    ]
    step = max(APART, face("caption").metrics.height())
    for (series, value), y in zip(
        found, apart(heights, step, area.top(), area.bottom()), strict=True
    ):
        write(painter, area.right() + GAP, y, series.end, face("caption", 600), "ink")
        x = area.right() + 2 * GAP + face("caption", 600).width(series.end)
        write(painter, x, y, value_text(value, curves.digits), face("caption"), "ink2")
