"""Lines and segments clipped to a rectangle of pixels."""

from math import hypot, isfinite

import numpy as np
from PySide6.QtCore import QRectF

from engine.base.arrays import Bool, Float, Int
from gui.painters.view import View

FEW, APART = 8, 2.0  # points of a curve; mean pixels from one to the next


def clip_segments(ends: Float, rect: QRectF) -> tuple[Float, Int]:
    """The parts of segments (m, 2, 2) inside `rect`, and the indices (k,) of the segments that have
    one.
    """
    ends = np.asarray(ends, np.float64)
    low, high = np.array([rect.left(), rect.top()]), np.array([rect.right(), rect.bottom()])
    seen: Bool = np.asarray(((ends >= low) & (ends <= high)).all(axis=(1, 2)))
    across = np.flatnonzero(~seen)
    if not len(across):
        return ends, np.arange(len(ends))
    found, some = _clipped(ends[across], low, high)
    parts = ends.copy()
    cut = across[some]
    parts[cut], seen[cut] = found, True
    kept = np.flatnonzero(seen)
    return parts[kept], kept


def _clipped(ends: Float, low: Float, high: Float) -> tuple[Float, Int]:
    """As `clip_segments`, by the algorithm of Liang and Barsky."""
    start = ends[:, 0]
    step = ends[:, 1] - ends[:, 0]
    with np.errstate(divide="ignore", invalid="ignore"):
        a = (low - start) / step
        b = (high - start) / step
    enter = np.minimum(a, b)
    leave = np.maximum(a, b)
    still = step == 0
    within = (start >= low) & (start <= high)
    enter = np.where(still, np.where(within, -np.inf, np.inf), enter)
    leave = np.where(still, np.where(within, np.inf, -np.inf), leave)
    first = np.maximum(enter.max(axis=1), 0.0)
    last = np.minimum(leave.min(axis=1), 1.0)
    kept = np.flatnonzero((first <= last) & np.isfinite(ends).all(axis=(1, 2)))
    parts = start[kept, None] + np.stack([first, last], axis=1)[kept][..., None] * step[kept, None]
    return parts, kept


def clip_line(w: Float, b: float, view: View, reach: float = 8.0) -> Float | None:
    """The line w[0]·x + w[1]·y + b = 0 as (2, 2) pixels from side to side of the view and `reach`
    further.

    None when it misses the view. It runs from left to right, or from top to bottom when steep.
    """
    rect, (ux, uy) = view.rect, view.unit
    a = float(w[0]) / ux
    c = -float(w[1]) / uy
    size = hypot(a, c)
    if not isfinite(size) or size == 0 or not isfinite(b):
        return None
    middle_x = rect.center().x()
    middle_y = rect.center().y()
    x, y = view.to_plane(middle_x, middle_y)
    offset = (float(w[0]) * x + float(w[1]) * y + float(b)) / size
    if not isfinite(offset):
        return None
    a = a / size
    c = c / size
    foot_x = middle_x - offset * a
    foot_y = middle_y - offset * c
    along_x, along_y = (-c, a) if (a > 0 if abs(a) > abs(c) else c < 0) else (c, -a)
    half = rect.width() + rect.height() + abs(offset)
    ends = (
        foot_x - half * along_x,
        foot_y - half * along_y,
        foot_x + half * along_x,
        foot_y + half * along_y,
    )
    return _part(ends, rect.adjusted(-reach, -reach, reach, reach))


def clip_segment(start: Float, end: Float, rect: QRectF) -> Float | None:
    """The part (2, 2) of one finite segment inside `rect`; None when there is none."""
    return _part((*start.tolist(), *end.tolist()), rect)


def _part(ends: tuple[float, ...], rect: QRectF) -> Float | None:
    """The part (2, 2) of the segment (x, y, end x, end y) inside `rect`, or None (Liang and
    Barsky).
    """
    x, y, end_x, end_y = ends
    first = 0.0
    last = 1.0
    across = end_x - x
    down = end_y - y
    for at, step, low, high in (
        (x, across, rect.left(), rect.right()),
        (y, down, rect.top(), rect.bottom()),
    ):
        if step == 0:
            if not low <= at <= high:
                return None
            continue
        enter, leave = sorted(((low - at) / step, (high - at) / step))
        first = max(first, enter)
        last = min(last, leave)
    if first > last:
        return None
    return np.array([[x + first * across, y + first * down], [x + last * across, y + last * down]])


def pixels(view: View, xy: Float, limit: float = 1e6) -> Float:
    """(…, 2) plane coordinates as pixels, limited to ±`limit`.

    The limit is large, so that the slopes of visible lines stay true.
    """
    xy = np.asarray(xy, np.float64)
    ux, uy = view.unit
    px = view.rect.left() + (xy[..., 0] - view.x[0]) * ux
    py = view.rect.bottom() - (xy[..., 1] - view.y[0]) * uy
    return np.clip(np.stack([px, py], axis=-1), -limit, limit)


def clipped_ends(view: View, ends: Float, reach: float = 8.0) -> tuple[Float, Int]:
    """(parts, indices) of plane segments (m, 2, 2), ±inf where open: parts (k, 2, 2) in pixels,
    clipped `reach` outside the view, and the rows (k,) they come from.
    """
    ends = np.asarray(ends, np.float64).reshape(-1, 2, 2)
    return clip_segments(pixels(view, ends, 1e9), view.rect.adjusted(-reach, -reach, reach, reach))


def sparse(line: Float, error: float = 0.02) -> Float:
    """A curve (m, 2) in pixels without the points that lie within `error` pixels of the chord
    between their neighbours.

    A pen turns a corner at each point, and a smooth curve has several for each pixel. A curve with
    few points, or points some pixels apart, is returned as it is.
    """
    dense = len(line) > FEW and np.ptp(line, axis=0).sum() < APART * len(line)
    while dense and len(line) > 2:
        before, point, after = line[:-2:2], line[1:-1:2], line[2::2]
        way = after - before
        part = point - before
        aside = way[:, 0] * part[:, 1] - way[:, 1] * part[:, 0]
        along = (way * part).sum(axis=1)
        length = (way**2).sum(axis=1)
        stays = np.ones(len(line), bool)
        stays[1:-1:2] = (aside**2 >= error**2 * length) | (along < 0) | (along > length)
        if stays.all():
            break
        line = line[stays]
    return line
