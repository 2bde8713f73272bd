"""Which object lies under the pointer: it links the plane with the formula, and finds the point to
drag.
"""

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from engine.base.arrays import Float
from engine.base.tags import joined
from engine.scene.roles import ORDINARY
from engine.scene.scene import (
    Arrows,
    Boxes,
    Circles,
    Ellipses,
    Layer,
    Line,
    Points,
    Polygons,
    Polyline,
    Segments,
)
from gui.painters.view import Brushwork, View, clip_line, clipped_ends, pixels

REACH = 8.0
INSIDE = 7.9  # the distance to a filled area from inside: whatever is drawn in it is nearer


def hit(where: Brushwork | View, layers: Iterable[Layer], px: float, py: float) -> str | None:
    """The tag of the nearest tagged object within 8 px of a pixel, or None.

    A piece with a tag of its own gives that; of equally near objects the topmost wins.
    """
    view = where.view if isinstance(where, Brushwork) else where
    best = REACH
    tag = None
    for layer in layers:
        measure = DISTANCES.get(type(layer))
        own = getattr(layer, "tags", ())
        if measure is None or not (layer.tag or own):
            continue
        apart = measure(view, layer, np.array([px, py]))
        apart = np.where(np.isnan(apart), np.inf, apart)
        piece = len(apart) - 1 - int(apart[::-1].argmin()) if len(apart) else -1
        if (
            piece >= 0
            and apart[piece] <= best
            and (name := own[piece] if len(own) > 1 else joined(layer.tag, *own))
        ):
            best = apart[piece]
            tag = name
    return tag


def nearest_point(view: View, xy: Float, px: float, py: float, radius: float = REACH) -> int | None:
    """The row of xy (m, 2) nearest to a pixel; None when it is further than `radius` pixels."""
    if not len(xy):
        return None
    apart = np.linalg.norm(pixels(view, xy) - (px, py), axis=1)
    apart = np.where(np.isnan(apart), np.inf, apart)
    nearest = int(apart.argmin())
    return nearest if apart[nearest] <= radius else None


# Each returns (m,) pixels from the pointer to every piece of a layer; not finite where unseen.


def _points(view: View, layer: Points, at: Float) -> Float:
    return np.maximum(0.0, np.linalg.norm(pixels(view, layer.xy) - at, axis=1) - ORDINARY)


def _line(view: View, layer: Line, at: Float) -> Float:
    ends = clip_line(layer.w, layer.b, view)
    return np.zeros(0) if ends is None else from_segments(ends[None], at)


def _segments(view: View, layer: Segments, at: Float) -> Float:
    ends, kept = clipped_ends(view, layer.ends)
    apart = np.full(len(layer.ends), np.inf)
    apart[kept] = from_segments(ends, at)
    return apart


def _polyline(view: View, layer: Polyline, at: Float) -> Float:
    xy = pixels(view, layer.xy)
    if layer.closed and len(xy):
        xy = np.concatenate([xy, xy[:1]])
    return _least(from_segments(np.stack([xy[:-1], xy[1:]], axis=1), at))


def _arrows(view: View, layer: Arrows, at: Float) -> Float:
    return from_segments(np.stack([pixels(view, layer.start), pixels(view, layer.end)], axis=1), at)


def _circles(view: View, layer: Circles, at: Float) -> Float:
    """Distances to the lines of the circles, each along the ray from its centre."""
    unit = np.array(view.unit)
    radius = np.asarray(layer.radius, np.float64)
    offset = (pixels(view, layer.centre) - at) / unit
    length = np.linalg.norm(offset, axis=1)
    return np.asarray(np.abs(length - radius) * float(unit.mean()))


def _ellipses(view: View, layer: Ellipses, at: Float) -> Float:
    """Distances to the lines of the ellipses, each along the ray from its centre."""
    apart = np.array(view.to_plane(*at.tolist())) - layer.centre
    with np.errstate(all="ignore"):
        reach = (
            np.sqrt(np.einsum("ki,kij,kj->k", apart, np.linalg.pinv(layer.shape), apart))
            / layer.reach
        )
        length = np.linalg.norm(apart * view.unit, axis=1)
        return np.asarray(np.abs(length - length / reach))


def _boxes(view: View, layer: Boxes, at: Float) -> Float:
    """Distances to the frames of the boxes; inside a box at most `INSIDE`."""
    corners = np.sort(pixels(view, np.asarray(layer.bounds).reshape(-1, 2, 2)), axis=1)
    low, high = corners[:, 0], corners[:, 1]
    inside = np.minimum(at - low, high - at).min(axis=1)
    outside = np.linalg.norm(np.maximum(np.maximum(low - at, at - high), 0.0), axis=1)
    return np.where(inside >= 0, np.minimum(inside, INSIDE), outside)


def _polygons(view: View, layer: Polygons, at: Float) -> Float:
    return np.array(
        [_ring(pixels(view, ring), at) if len(ring) > 1 else np.inf for ring in layer.rings]
    )


def _ring(xy: Float, at: Float) -> float:
    """The distance to a polygon (m, 2); inside it at most `INSIDE`."""
    ends = np.stack([xy, np.roll(xy, -1, axis=0)], axis=1)
    (x0, y0), (x1, y1) = ends[:, 0].T, ends[:, 1].T
    crosses = (y0 > at[1]) != (y1 > at[1])
    with np.errstate(divide="ignore", invalid="ignore"):
        right = at[0] < x0 + (at[1] - y0) / (y1 - y0) * (x1 - x0)
    edge = float(_least(from_segments(ends, at))[0])
    return min(edge, INSIDE) if (crosses & right).sum() % 2 else edge


def from_segments(ends: Float, at: Float) -> Float:
    """(m,) the distances from a pixel to the segments (m, 2, 2)."""
    start = ends[:, 0]
    step = ends[:, 1] - ends[:, 0]
    size = (step**2).sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        along = np.where(size > 0, ((at - start) * step).sum(axis=1) / size, 0.0)
    foot = start + np.clip(along, 0, 1)[:, None] * step
    return np.asarray(np.linalg.norm(foot - at, axis=1))


def _least(apart: Float) -> Float:
    """(1,) the smallest distance that is not NaN; inf if there is none."""
    return np.array([np.min(apart, initial=np.inf, where=~np.isnan(apart))])


DISTANCES: dict[type[Any], Callable[[View, Any, Float], Float]] = {
    Points: _points,
    Line: _line,
    Segments: _segments,
    Polyline: _polyline,
    Arrows: _arrows,
    Circles: _circles,
    Ellipses: _ellipses,
    Boxes: _boxes,
    Polygons: _polygons,
}
