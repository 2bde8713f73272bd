"""Painters of points: shape and outline show the true class, the fill the predicted one, rings and
crosses the role.
"""

import dataclasses
from collections import OrderedDict
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QPainter, QPainterPath

from engine.base.arrays import Float, Int
from engine.base.records import replace
from engine.base.tags import is_lit
from engine.scene.layers import Layer
from engine.scene.roles import (
    CASING,
    HALO,
    HALO_ALPHA,
    LARGEST,
    LETTERING,
    MARKS,
    ORDINARY,
    SMALLEST,
    STROKES,
    Mark,
    Stroke,
)
from engine.scene.scene import Points, Role
from gui.painters import sprites
from gui.painters.buffers import draw_copies
from gui.painters.density import CLOSE, LARGER, cells_of, crowd_of, near, paint_density
from gui.painters.letters import draw_centred
from gui.painters.sprites import QUARTER, Look
from gui.painters.strokes import coats, draw_path, draw_paths, kept, pen
from gui.painters.text import BESIDE, say
from gui.painters.view import Brushwork, paints

QUERY_RADIUS, QUERY_SMALL, PROBE_RADIUS, PROBE_HAIRS, NODE_RADIUS = 15.0, 8.0, 6.0, 13.0, 4.0
# more rings than CROWD are drawn THIN and CLOSER, so that they do not tangle
CROWD, THIN, CLOSER = 50, 1.0, 0.6
SHORT = 2  # letters that fit into the disc of a query
REACH = 40.0  # a symbol further outside the view (pixels) cannot be seen
KEPT = 8
_PLACED = "points where they are"  # key in a Brushwork's cache


@paints(Points)
def paint_points(b: Brushwork, layer: Points) -> None:
    """Draw the points of one layer in their order, then their labels; of very many their density,
    or from near those in view.
    """
    if layer.whole is not None:
        crowd = crowd_of(b, layer.whole)
        cells = cells_of(crowd, b.view)
        if cells.counts.sum() > CLOSE:
            paint_density(b, layer.whole, crowd, cells)
            return
        rows = crowd.in_view(b.view)
        layer = near(layer.whole, rows)
        larger = (CLOSE / max(1, len(rows))) ** 0.25
        b = dataclasses.replace(b, radius=b.radius * min(LARGER, larger))
    mark = MARKS[layer.role]
    here = placed(b, layer, mark)
    xy, seen, radius = here.xy, here.seen, here.radius
    if layer.role in (Role.QUERY, Role.PROBE):
        paint_special(b, layer, xy, seen)
        return
    if is_lit(layer.tag, b.lit):
        paint_halos(b, xy[seen], radius[seen])
    paint_rings(b, mark, xy[seen])
    with kept(b.painter):
        b.painter.setOpacity(b.painter.opacity() * mark.opacity)
        if not (mark.bare and layer.shown is None):
            paint_symbols(b, here)
    paint_labels(b, layer, mark, xy, radius, seen)


@dataclass
class Placed:
    """Where the points of a layer are, which are in view, how large they are and what they look
    like.

    xy: (m, 2) pixels; seen: (k,) indices of points in view; radius: (m,) pixels; looks: the
    different symbols; which: (k,) index into looks
    """

    xy: Float
    seen: Int
    radius: Float
    looks: tuple[Look, ...]
    which: Int


def placed(b: Brushwork, layer: Points, mark: Mark) -> Placed:
    """The `Placed` of a layer, cached while neither points nor view change: most steps move one
    mark among hundreds.
    """
    known = b.cache.setdefault(_PLACED, OrderedDict())
    assert isinstance(known, OrderedDict)
    values = (
        None if part is None else np.asarray(part).tobytes()
        for part in (layer.xy, layer.group, layer.shown, layer.weight)
    )
    key = (*values, layer.role, b.view.x, b.view.y, b.view.rect.getRect(), b.radius, b.theme.key)
    if key not in known:
        xy = b.view.pixels(layer.xy)
        radius = radii(b, layer, mark)
        seen = visible(b, xy)
        known[key] = Placed(xy, seen, radius, *distinct_looks(b, layer, mark, radius, seen))
        while len(known) > KEPT:
            known.popitem(last=False)
    known.move_to_end(key)
    found: Placed = known[key]
    return found


def visible(b: Brushwork, xy: Float) -> Int:
    """The indices (k,) of the places (m, 2), in pixels, whose symbols can be in view."""
    rect = b.view.rect.adjusted(-REACH, -REACH, REACH, REACH)
    x, y = xy.T
    return np.flatnonzero(
        (x >= rect.left()) & (x <= rect.right()) & (y >= rect.top()) & (y <= rect.bottom())
    )


def radii(b: Brushwork, layer: Points, mark: Mark) -> Float:
    """(m,) pixels; a weight of mean size has the ordinary radius, and area grows with weight."""
    usual = b.radius * mark.scale
    if layer.weight is None:
        return np.full(len(layer.xy), usual)
    weight = np.maximum(np.nan_to_num(np.asarray(layer.weight, np.float64), posinf=0.0), 0.0)
    mean = float(weight.mean()) if len(weight) else 0.0
    if mean <= 0:
        return np.full(len(layer.xy), usual)
    factor = max(1.0, b.theme.radius / ORDINARY)
    return np.clip(usual * np.sqrt(weight / mean), SMALLEST * factor, LARGEST * factor)


# -- symbols ---------------------------------------------------------------------------------------


def paint_symbols(b: Brushwork, here: Placed) -> None:
    if not here.looks:
        return
    xy = here.xy[here.seen]
    if b.vector:
        for i in range(len(xy)):
            sprites.draw_vector(b.painter, here.looks[here.which[i]], b.theme, xy[i : i + 1])
        return
    ratio = b.painter.device().devicePixelRatio()
    strip, places = sprites.atlas(here.looks, b.theme, ratio)
    draw_copies(b.painter, on_pixels(b.painter, xy, ratio), places[here.which], strip)


def on_pixels(painter: QPainter, xy: Float, ratio: float) -> Float:
    """Places (m, 2) moved to whole device pixels, where a pixmap is copied without blur."""
    matrix = painter.combinedTransform()
    offset = np.array([matrix.dx(), matrix.dy()])
    return (np.round(xy * ratio + offset) - offset) / ratio


def distinct_looks(
    b: Brushwork, layer: Points, mark: Mark, radius: Float, seen: Int
) -> tuple[tuple[Look, ...], Int]:
    """(the different symbols of a layer, the index (k,) of the symbol of each seen point)."""
    group = np.asarray(layer.group, np.int64)[seen]
    shown = group if layer.shown is None else np.asarray(layer.shown, np.int64)[seen]
    style = np.zeros(len(seen), bool)
    if layer.role is Role.PLAIN:
        style = (group < 0) & (shown < 0)
    quarters = np.round(radius[seen] * QUARTER).astype(np.int64)
    quarters[style] = round(NODE_RADIUS * b.theme.radius / ORDINARY * QUARTER)
    code = ((group + 1) << 40) | ((shown + 1) << 16) | (quarters << 1) | style
    _distinct, first, which = np.unique(code, return_index=True, return_inverse=True)
    looks = (
        Look(
            int(group[i]),
            int(shown[i]),
            int(quarters[i]),
            "node" if style[i] else style_of(layer, mark, int(group[i])),
        )
        for i in first.tolist()
    )
    return tuple(looks), which


def style_of(layer: Points, mark: Mark, group: int) -> str:
    """The style of a point's symbol.

    An active point without a class gets the disc of a sample, so that it hides none.
    """
    return "sample" if layer.role is Role.ACTIVE and group < 0 else mark.style


# -- around the symbols ----------------------------------------------------------------------------


def paint_halos(b: Brushwork, xy: Float, radius: Float) -> None:
    b.painter.setPen(Qt.PenStyle.NoPen)
    b.painter.setBrush(b.theme.colour("ink", HALO_ALPHA))
    for (x, y), r in zip(xy.tolist(), (radius + HALO * b.stroke).tolist(), strict=True):
        b.painter.drawEllipse(QPointF(x, y), r, r)


def ring_radius(b: Brushwork, beyond: float) -> float:
    """The radius of a ring in pixels: closer on small points, further off when lines are thick."""
    return b.radius + beyond * min(1.0, b.radius / ORDINARY) * (1 + b.stroke) / 2


def paint_rings(b: Brushwork, mark: Mark, xy: Float) -> None:
    crowded = (
        len(xy) > CROWD and b.theme.colour(mark.rings[0][1].colour) != b.theme.colour("now")
        if mark.rings
        else False
    )
    for beyond, stroke in mark.rings:
        r = ring_radius(b, beyond * (CLOSER if crowded else 1.0))
        draw_rings(b, replace(stroke, width=THIN, casing=0.0) if crowded else stroke, xy, r)


def draw_rings(b: Brushwork, stroke: Stroke, xy: Float, r: float) -> None:
    """Draw rings of radius r (pixels) round xy (m, 2): all casings lie under all lines.

    On pixels one ring is copied; vector output gets circles.
    """
    if b.vector:
        circles = [QPainterPath() for _ in xy]
        for path, (x, y) in zip(circles, xy.tolist(), strict=True):
            path.addEllipse(QPointF(x, y), r, r)
        draw_paths(b, stroke, circles)
        return
    ratio = b.painter.device().devicePixelRatio()
    places = on_pixels(b.painter, xy, ratio)
    with kept(b.painter):
        b.painter.setOpacity(b.painter.opacity() * stroke.opacity)
        for coat in coats(b, stroke):
            ring, source = sprites.ring(r, coat, ratio)
            draw_copies(b.painter, places, np.broadcast_to(source, (len(xy), 4)), ring)


def ringed(b: Brushwork, layer: Layer) -> Float:
    """(m, 3) (x, y, radius) of the rings round the points of a layer in pixels; none without."""
    if not isinstance(layer, Points) or not MARKS[layer.role].rings or layer.size > CROWD:
        return np.zeros((0, 3))
    xy = b.view.pixels(layer.xy)
    reach = outer_radius(b, MARKS[layer.role], b.radius)
    seen = np.isfinite(xy).all(axis=1)
    return np.column_stack([xy, np.full(len(xy), reach)])[seen]


def outer_radius(b: Brushwork, mark: Mark, radius: float) -> float:
    """How far a point with its rings reaches, in pixels."""
    rings = [
        ring_radius(b, beyond) + stroke.width / 2 + stroke.edge for beyond, stroke in mark.rings
    ]
    return max([radius + CASING, *rings])


def paint_labels(
    b: Brushwork, layer: Points, mark: Mark, xy: Float, radius: Float, seen: Int
) -> None:
    if not layer.label:
        return
    for i in seen.tolist():
        if i < len(layer.label) and layer.label[i] and b.view.rect.contains(*xy[i].tolist()):
            gap = outer_radius(b, mark, float(radius[i])) + 4
            lettering = LETTERING[
                Role.PLAIN if layer.role in (Role.CANDIDATE, Role.REJECTED) else layer.role
            ]
            say(b, layer.label[i], tuple(xy[i].tolist()), gap, lettering, BESIDE, far=True)


# -- question marks and cross hairs ----------------------------------------------------------------


def paint_special(b: Brushwork, layer: Points, xy: Float, seen: Int) -> None:
    lit = is_lit(layer.tag, b.lit)
    for i in seen.tolist():
        label = layer.label[i] if i < len(layer.label) else ""
        if lit:
            paint_halos(b, xy[i : i + 1], np.array([QUERY_RADIUS if label else QUERY_SMALL]))
        if layer.role is Role.PROBE:
            paint_probe(b, *xy[i].tolist())
        else:
            x, y = xy[i].tolist()
            paint_query(b, x, y, label)


def paint_query(b: Brushwork, x: float, y: float, label: str) -> None:
    """A disc with "?" or a short label; a longer label stands beside it."""
    r = QUERY_RADIUS if label else QUERY_SMALL
    inside = label if 0 < len(label) <= SHORT else "?"
    paint_disc(b, x, y, r, STROKES[Role.QUERY].width)
    draw_centred(b, inside, QPointF(x, y), 1.3 * r, 700)
    if len(label) > SHORT:
        say(b, label, (x, y), r + 6, LETTERING[Role.QUERY], BESIDE, far=True)


def paint_disc(b: Brushwork, x: float, y: float, radius: float, width: float) -> None:
    b.painter.setPen(pen(b.theme.colour("ink"), width * b.stroke))
    b.painter.setBrush(b.theme.colour("plane"))
    b.painter.drawEllipse(QPointF(x, y), radius, radius)


def paint_probe(b: Brushwork, x: float, y: float) -> None:
    """A plane-filled circle with cross hairs."""
    hairs = QPainterPath()
    for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        hairs.moveTo(x + dx * PROBE_RADIUS, y + dy * PROBE_RADIUS)
        hairs.lineTo(x + dx * PROBE_HAIRS, y + dy * PROBE_HAIRS)
    circle = QPainterPath()
    circle.addEllipse(QPointF(x, y), PROBE_RADIUS, PROBE_RADIUS)
    b.painter.fillPath(circle, b.theme.colour("plane"))
    draw_path(b, STROKES[Role.PROBE], hairs)
    draw_path(b, STROKES[Role.PROBE], circle)
