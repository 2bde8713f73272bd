"""A plane in units of a drawing: where its places lie, and what of a line is seen."""

import numpy as np

from engine.base.arrays import Float, Int
from engine.base.records import Record
from engine.scene.axes import AIR, extent
from engine.table.problem import Problem

FAR = 20_000.0  # units outside of a drawing, beyond which places are moved nearer
Span = tuple[float, float]


class Frame(Record, eq=True):
    """The ranges of the plane over a rectangle `wide` × `high`, whose corner is at the origin, y
    downwards.
    """

    x: Span
    y: Span
    wide: float
    high: float

    @property
    def unit(self) -> tuple[float, float]:
        """Units of the drawing for one unit of the plane along x and y."""
        return self.wide / (self.x[1] - self.x[0]), self.high / (self.y[1] - self.y[0])

    def at(self, xy: Float) -> Float:
        """Places of the plane (…, 2) in pixels of the drawing (…, 2); places very far outside are
        clipped.
        """
        xy = np.asarray(xy, np.float64)
        (ux, uy) = self.unit
        moved = np.stack(
            [(xy[..., 0] - self.x[0]) * ux, self.high - (xy[..., 1] - self.y[0]) * uy], axis=-1
        )
        return np.clip(moved, -FAR, FAR)

    def holds(self, xy: Float) -> bool:
        """Whether a place (2,) in pixels of the drawing lies within the frame."""
        return bool(0 <= xy[0] <= self.wide and 0 <= xy[1] <= self.high)

    def cut(self, ends: Float) -> tuple[Float, Int]:
        """(visible parts (k, 2, 2), indices of their pieces (k,)) of straight pieces (m, 2, 2), in
        pixels of the drawing.

        After Liang and Barsky, A new concept and method for line clipping, 1984.
        """
        start = ends[:, 0]
        step = ends[:, 1] - ends[:, 0]
        low = np.zeros(2)
        high = np.array([self.wide, self.high])
        with np.errstate(divide="ignore", invalid="ignore"):
            a = (low - start) / step
            b = (high - start) / step
        still = step == 0
        within = (start >= low) & (start <= high)
        enter = np.where(still, np.where(within, -np.inf, np.inf), np.minimum(a, b))
        leave = np.where(still, np.where(within, np.inf, -np.inf), np.maximum(a, b))
        first = np.maximum(enter.max(axis=1), 0.0)
        last = np.minimum(leave.min(axis=1), 1.0)
        kept = np.flatnonzero((first <= last) & np.isfinite(ends).all(axis=(1, 2)))
        shares = np.stack([first, last], axis=1)[kept][..., None]
        return start[kept, None] + shares * step[kept, None], kept

    def line(self, w: Float, b: float) -> Float | None:
        """The ends (2, 2), in pixels, of the line w[0]·x + w[1]·y + b = 0 across the frame; None
        where it does not cross it.
        """
        ux, uy = self.unit
        a = float(w[0]) / ux
        c = -float(w[1]) / uy
        size = float(np.hypot(a, c))
        if not np.isfinite([size, b]).all() or size == 0:
            return None
        middle = np.array([self.wide, self.high]) / 2
        x = self.x[0] + middle[0] / ux
        y = self.y[1] - middle[1] / uy
        offset = (float(w[0]) * x + float(w[1]) * y + float(b)) / size
        if not np.isfinite(offset):
            return None
        normal = np.array([a, c]) / size
        along = np.array([-normal[1], normal[0]]) * (self.wide + self.high)
        foot = middle - offset * normal
        parts, kept = self.cut(np.stack([foot - along, foot + along])[None])
        return parts[0] if len(kept) else None


def fitted(problem: Problem, wide: float, high: float, equal: bool) -> Frame:
    """A frame around all examples of a problem, with a margin. equal: both axes get the same
    scale
    """
    (x0, x1), (y0, y1) = extent(problem)
    x = (x0 - AIR * (x1 - x0), x1 + AIR * (x1 - x0))
    y = (y0 - AIR * (y1 - y0), y1 + AIR * (y1 - y0))
    return framed(x, y, wide, high, equal)


def framed(x: Span, y: Span, wide: float, high: float, equal: bool) -> Frame:
    """A frame for these ranges. equal: one range is widened around its middle until both axes have
    the same scale
    """
    if equal:
        unit = min(wide / (x[1] - x[0]), high / (y[1] - y[0]))
        x, y = _widened(x, wide / unit), _widened(y, high / unit)
    return Frame(x, y, wide, high)


def _widened(span: Span, size: float) -> Span:
    middle = (span[0] + span[1]) / 2
    return middle - size / 2, middle + size / 2
