"""The painters, one for each kind of layer, and `paint_scene`, which draws a whole scene.

Layers name roles and classes; the theme gives the colours.
"""

from collections.abc import Callable, Sequence

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter

from engine.base.arrays import Float
from engine.scene.layers import Field, Layer, Role, ground_end
from gui.painters import areas, lines, points, surfaces  # noqa: F401 - they register their painters
from gui.painters.buffers import distinct
from gui.painters.hits import lit_apart
from gui.painters.strokes import ALONE, SHADED, kept
from gui.painters.text import LABELS, Placer, write
from gui.painters.view import PAINTERS, Brushwork, View, clip_segments

PLACES = "sides that labels were given"  # key in a Brushwork's cache
CLEAR = "names of the axes"  # key in a Brushwork's cache
IN_FOCUS = (Role.QUERY, Role.ACTIVE, Role.NEAREST, Role.PROBE)
MOST_PIECES = 2_000  # of curves; of more, only some start points are used
MOST_TESTED = 500  # places of a layer that the search for free room looks at
MOST_RINGS = 40  # that no label may cut; of more there is no way round
STRIDE = 8.0  # pixels between the places along a line that labels avoid


def paint_scene(
    b: Brushwork, layers: Sequence[Layer], grid: Callable[[], None] = lambda: None
) -> None:
    """Draw `layers` back to front inside the view; `grid` is called above the coloured ground and
    below the marks.

    Labels come last, each where it covers as little as possible. Draws nothing into an empty view.
    """
    if b.view.rect.isEmpty():
        return
    shown = lit_apart(layers, b.lit)
    ground = ground_end(shown)
    b.cache[SHADED] = any(isinstance(layer, Field) and layer.name != "class" for layer in layers)
    b.cache[LABELS] = []
    with kept(b.painter):
        b.painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        b.painter.setClipRect(b.view.rect, Qt.ClipOperation.IntersectClip)
        if not ground or not isinstance(shown[0], Field):
            b.lay_ground()
        for layer in shown[:ground]:
            PAINTERS[type(layer)](b, layer)
        grid()
        b.cache[ALONE] = not ground
        for layer in shown[ground:]:
            b.cache[ALONE] = b.cache[ALONE] and layer.lines
            PAINTERS[type(layer)](b, layer)
        paint_waiting_labels(b, layers)


def paint_waiting_labels(b: Brushwork, layers: Sequence[Layer]) -> None:
    waiting = b.cache.pop(LABELS)
    if not isinstance(waiting, list) or not waiting:
        return
    if not b.rapid:
        b.cache[PLACES] = {}
    before = b.cache.setdefault(PLACES, {})
    assert isinstance(before, dict)
    if b.rapid:
        placer = Placer(b.view.rect, before=before, rapid=True)
        for label in waiting:
            write(b, placer, *label)
        return
    dots = np.concatenate(
        [np.zeros((0, 2)), *(b.view.pixels(some(layer.dots())) for layer in layers)]
    )
    dots = distinct(dots[np.isfinite(dots).all(axis=1)])
    clear = b.cache.get(CLEAR)
    rings = np.concatenate([np.zeros((0, 3)), *(points.ringed(b, layer) for layer in layers)])
    taken = [*reserved(b.view, layers), *map(square, rings[:MOST_RINGS].tolist())]
    taken += clear if isinstance(clear, tuple) else ()
    placer = Placer(
        b.view.rect,
        obstacles(b.view, layers),
        taken,
        dots,
        np.array([0.8, 0.6]) * b.radius,
        rings,
        before,
    )
    for label in waiting:
        write(b, placer, *label)


def some(xy: Float) -> Float:
    """At most `MOST_TESTED` of the places (m, 2), evenly chosen; among more there is no room for
    labels.
    """
    return xy[:: max(1, -(-len(xy) // MOST_TESTED))]


def reserved(view: View, layers: Sequence[Layer]) -> list[QRectF]:
    """The rectangles (pixels) where no label may lie: around the few points in focus."""
    places = [layer.dots() for layer in layers if layer.role in IN_FOCUS and len(layer.dots()) <= 8]
    return [QRectF(x - 12, y - 12, 24, 24) for xy in places for x, y in view.pixels(xy).tolist()]


def square(ring: Sequence[float]) -> QRectF:
    """The rectangle (pixels) round a ring (x, y, radius)."""
    x, y, r = ring
    return QRectF(x - r, y - r, 2 * r, 2 * r)


def keep_clear(b: Brushwork, places: Sequence[QRectF]) -> None:
    """Keep the labels of the next scene off these rectangles (the names of the axes)."""
    b.cache[CLEAR] = tuple(places)


def obstacles(view: View, layers: Sequence[Layer]) -> Float:
    """(m, 2) pixels that labels should not cover: points, and places along arrows and lines."""
    dots = [np.zeros((0, 2)), *(view.pixels(some(layer.dots())) for layer in layers)]
    straight = [np.zeros((0, 2, 2)), *(layer.straight(view) for layer in layers)]
    curves = on_curves(view, [layer.curve() for layer in layers])
    return np.concatenate([*dots, curves, along(np.concatenate(straight))])


def on_curves(view: View, curves: Sequence[Float]) -> Float:
    """(k, 2) pixels along the visible parts of all curves (m, 2).

    All curves are clipped in one call.
    """
    gap = np.full((1, 2), np.nan)
    xy = view.pixels(np.concatenate([gap, *(part for xy in curves for part in (xy, gap))]))
    parts, _ = clip_segments(np.stack([xy[:-1], xy[1:]], axis=1), view.rect)
    if len(parts) <= MOST_PIECES:
        return along(parts)
    return np.asarray(parts[:: len(parts) // MOST_PIECES + 1, 0])


def along(ends: Float) -> Float:
    """(k, 2) places every few pixels on the segments (m, 2, 2)."""
    length = np.hypot(*(ends[:, 1] - ends[:, 0]).T)
    seen = length < 1e4  # infinite and NaN lengths drop out
    ends = ends[seen]
    count = 2 + (length[seen] / STRIDE).astype(np.intp)
    which = np.repeat(np.arange(len(ends)), count)
    place = np.arange(len(which)) - np.repeat(np.cumsum(count) - count, count)
    share = (place / np.repeat(count - 1, count))[:, None]
    return np.asarray(ends[which, 0] + share * (ends[which, 1] - ends[which, 0]))


__all__ = ["PAINTERS", "keep_clear", "paint_scene"]
