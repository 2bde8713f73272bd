"""Distances and edges of the shapes on a plane, and the view that places them in pixels."""

from functools import lru_cache
from typing import Protocol

import numpy as np

from engine.base.arrays import Float, Int

INSIDE = 7.9  # the distance to a filled area from inside: whatever is drawn in it is nearer


class Pixels(Protocol):
    """A view of a plane, as layers need it: it gives their places in pixels."""

    @property
    def unit(self) -> tuple[float, float]:
        """Pixels per plane unit along x and y."""

    def to_plane(self, px: float, py: float) -> tuple[float, float]:
        """One pixel place as plane coordinates."""

    def pixels(self, xy: Float, limit: float = 1e6) -> Float:
        """(…, 2) plane coordinates as pixels, limited to ±`limit`."""

    def line(self, w: Float, b: float) -> Float | None:
        """The visible part (2, 2), in pixels, of the line w[0]·x + w[1]·y + b = 0."""

    def segments(self, ends: Float) -> tuple[Float, Int]:
        """(parts, rows) of plane segments (m, 2, 2): the visible parts (k, 2, 2) in pixels, and the
        rows (k,) they come from.
        """


def from_segments(ends: Float, at: Float) -> Float:
    """(m,) the distances from a place to the segments (m, 2, 2)."""
    start = ends[:, 0]
    step = ends[:, 1] - ends[:, 0]
    size = (step**2).sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        along = np.where(size > 0, ((at - start) * step).sum(axis=1) / size, 0.0)
    foot = start + np.clip(along, 0, 1)[:, None] * step
    return np.asarray(np.linalg.norm(foot - at, axis=1))


def from_ring(xy: Float, at: Float) -> float:
    """The distance from a place to a polygon (m, 2); inside it at most `INSIDE`."""
    ends = np.stack([xy, np.roll(xy, -1, axis=0)], axis=1)
    (x0, y0), (x1, y1) = ends[:, 0].T, ends[:, 1].T
    crosses = (y0 > at[1]) != (y1 > at[1])
    with np.errstate(divide="ignore", invalid="ignore"):
        right = at[0] < x0 + (at[1] - y0) / (y1 - y0) * (x1 - x0)
    edge = float(least(from_segments(ends, at))[0])
    return min(edge, INSIDE) if (crosses & right).sum() % 2 else edge


def least(apart: Float) -> Float:
    """(1,) the smallest distance that is not NaN; inf if there is none."""
    return np.array([np.min(apart, initial=np.inf, where=~np.isnan(apart))])


def nearest_on_line(w: Float, b: float, low: Float, high: Float) -> Float:
    """(1, 2) the place on the line w[0]·x + w[1]·y + b = 0 that is nearest to the closest corner of
    the box from `low` to `high`; (0, 2) when the line crosses the box.
    """
    w = np.asarray(w, np.float64)
    size = float(np.hypot(*w))
    if not np.isfinite(size) or size == 0 or not np.isfinite(b):
        return np.zeros((0, 2))
    corners = np.array([(x, y) for x in (low[0], high[0]) for y in (low[1], high[1])])
    score = (corners @ w + b) / size
    if score.min() <= 0 <= score.max():
        return np.zeros((0, 2))
    k = int(np.abs(score).argmin())
    return np.asarray(corners[[k]] - score[k] * w / size)


def dividing_edges(bounds: Float, group: Int) -> Float:
    """(m, 2, 2) the common edges of boxes of different classes.

    bounds: (k, 4), see `Boxes`; group: (k,)
    Cached, because the boxes of a run often stay for many steps.
    """
    return _dividing(np.ascontiguousarray(bounds).tobytes(), np.asarray(group, np.int64).tobytes())


@lru_cache(maxsize=16)
def _dividing(boxes: bytes, groups: bytes) -> Float:
    bounds = np.frombuffer(boxes).reshape(-1, 4)
    group = np.frombuffer(groups, np.int64)
    upright = _touching(bounds, group)
    level = _touching(bounds[:, [1, 0, 3, 2]], group)[..., ::-1]
    return np.concatenate([upright, level])


def _touching(bounds: Float, group: Int) -> Float:
    """(m, 2, 2) the upright common edges of boxes of different classes.

    The right side of one box lies on the left side of the other; the edge is the part that both
    have.
    """
    left, low, right, high = bounds.T
    same_place = (right[:, None] == left[None]) & np.isfinite(right)[:, None]
    bottom = np.maximum(low[:, None], low[None])
    top = np.minimum(high[:, None], high[None])
    first, second = np.nonzero(same_place & (bottom < top) & (group[:, None] != group[None]))
    at = right[first]
    return np.stack(
        [np.column_stack([at, bottom[first, second]]), np.column_stack([at, top[first, second]])],
        axis=1,
    )
