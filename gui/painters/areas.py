"""Painters of areas: polygons, boxes, ellipses and circles."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import product

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPainterPath, QTransform

from engine.base.arrays import Bool, Float, Int
from engine.base.records import replace
from engine.base.tags import is_lit
from engine.scene.geometry import dividing_edges
from engine.scene.roles import (
    BOX_STROKES,
    CARD,
    DIVIDER,
    LETTERING,
    PALE_CARD,
    POINTED_AT,
    STROKES,
    Stroke,
)
from engine.scene.scene import Boxes, Circles, Ellipses, Polygons, Role
from gui.painters.buffers import distinct, path_of
from gui.painters.hatches import hatch_difference, tint_region
from gui.painters.letters import outline
from gui.painters.lines import stroke_of
from gui.painters.strokes import draw_ends, draw_path, draw_paths, kept
from gui.painters.text import BESIDE, OVER, Spots, say
from gui.painters.view import Brushwork, paints

# open sides of a box lie this far outside the view (pixels), so that no frame shows there
OUTSIDE = 20.0
FEW = 60  # boxes up to which each is framed by itself
NEAR_EDGE = 8.0  # pixels between a label and the edge of its box
# places of a label in its box, as shares of the way from the centre to an edge
IN_BOX = tuple(sorted(product((0, -0.5, 0.5, -1, 1), repeat=2), key=lambda at: sum(map(abs, at))))
LINE, LOWEST = 1.2, 0.75  # height of a label, and of the lowest box that has one, by its capitals
ELLIPSE_LINE = Stroke(2.0)
ELLIPSE_FILL = 0.12


@paints(Polygons)
def paint_polygons(b: Brushwork, layer: Polygons) -> None:
    """Polygons with the tint of their class.

    Plain regions get an outline only under the pointer.
    """
    ends = np.cumsum([len(ring) for ring in layer.rings])
    rings = np.split(b.view.pixels(np.concatenate(layer.rings)), ends[:-1]) if len(ends) else []
    paths = [path_of([ring], closed=True) for ring in rings]
    lit = is_lit(layer.tag, b.lit)
    paint_regions(b, paths, np.asarray(layer.group), layer.role)
    if layer.role is not Role.REGION or lit:
        stroke, halo = stroke_of(b, layer.role, layer.tag)
        outlined = layer.role is Role.REGION
        draw_paths(b, POINTED_AT if outlined else stroke, paths, halo and not outlined)


def paint_regions(b: Brushwork, paths: list[QPainterPath], group: Int, role: Role) -> None:
    """Fill the regions with the tints of their classes (m,), or hatch them as one difference."""
    if role is Role.DIFFERENCE:  # one hatch runs through all
        whole = QPainterPath()
        whole.setFillRule(Qt.FillRule.WindingFill)
        for path in paths:
            whole.addPath(path)
        hatch_difference(b, whole)
        return
    for path, index in zip(paths, group.tolist(), strict=True):
        if index >= 0:
            tint_region(b, path, index)


# -- boxes -----------------------------------------------------------------------------------------


@paints(Boxes)
def paint_boxes(b: Brushwork, layer: Boxes) -> None:
    """Axis-parallel boxes, with an ink line between boxes of different classes in plain regions.

    A box that is lower than its name has none: names would lie on one another.
    """
    bounds = np.asarray(layer.bounds, np.float64).reshape(-1, 4)
    boxes = pixel_boxes(b, bounds)
    group = np.asarray(layer.group)
    lit = is_lit(layer.tag, b.lit)
    tinted = np.full(len(boxes), True) if layer.role is Role.DIFFERENCE else group >= 0
    paint_regions(b, [rect_path(box) for box in boxes[tinted].tolist()], group[tinted], layer.role)
    stroke = (
        POINTED_AT
        if lit and layer.role is Role.REGION
        else BOX_STROKES.get(layer.role, STROKES[layer.role])
    )
    frames = inset(b, boxes, stroke) if layer.role is Role.ACTIVE else boxes
    frame_boxes(b, stroke, frames, lit and layer.role is not Role.REGION)
    if layer.role is Role.REGION:
        draw_ends(b, DIVIDER, b.view.segments(dividing_edges(bounds, group))[0])
    for seen, text in legible(b, boxes, layer.label):
        say(b, text, spots_in(b, seen, text), 0.0, LETTERING[Role.PLAIN], OVER, lit)


def spots_in(b: Brushwork, box: QRectF, text: str) -> Spots:
    """The places in a box for the middle of its label: its centre, and those to take where points
    lie there.
    """
    _, width, capital = outline(text, b.theme.font("plane"))
    x, y = box.center().x(), box.center().y()
    across = max((box.width() - width) / 2 - NEAR_EDGE, 0.0)
    along = max((box.height() - LINE * capital) / 2 - NEAR_EDGE, 0.0)
    return tuple((x + i * across, y + j * along) for i, j in IN_BOX)


def legible(b: Brushwork, boxes: Float, labels: Sequence[str]) -> list[tuple[QRectF, str]]:
    """(visible part of a box, its label) for the labels that can be read: not those of boxes much
    lower than the text, and of labels on one another those of the higher boxes.
    """
    found = []
    for box, text in zip(boxes.tolist(), labels, strict=False):
        seen = QRectF(QPointF(*box[:2]), QPointF(*box[2:])).intersected(b.view.rect)
        if text and not seen.isEmpty():
            found.append((seen, text))
    kept: list[QRectF] = []
    chosen = []
    for k in sorted(range(len(found)), key=lambda k: -int(found[k][0].height() // 2)):
        seen, text = found[k]
        _, width, capital = outline(text, b.theme.font("plane"))
        words = QRectF(0, 0, width, LINE * capital)
        words.moveCenter(seen.center())
        if seen.height() >= LOWEST * capital and not any(map(words.intersects, kept)):
            kept.append(words)
            chosen.append(k)
    return [found[k] for k in sorted(chosen)]


def frame_boxes(b: Brushwork, stroke: Stroke, boxes: Float, lit: bool) -> None:
    """Draw the outlines of boxes (m, 4), in pixels.

    On the screen a shared edge of many boxes, or of dotted ones, is drawn once: two rows of dots
    would fill each other's gaps. Many boxes get solid lines.
    """
    few = len(boxes) <= FEW
    if b.vector or (few and not b.fleeting and not stroke.dash):
        draw_paths(b, stroke, [rect_path(box) for box in boxes.tolist()], lit)
        return
    ends = _sides(np.ascontiguousarray(boxes).tobytes())
    draw_ends(b, stroke if few else replace(stroke, dash=()), ends, lit)


@lru_cache(maxsize=16)
def _sides(boxes: bytes) -> Float:
    """(k, 2, 2) the sides of boxes (m, 4), shared ones once.

    Cached, as boxes often stay the same for many steps.
    """
    found = np.frombuffer(boxes).reshape(-1, 4)
    sides = (0, 1, 2, 1), (0, 3, 2, 3), (0, 1, 0, 3), (2, 1, 2, 3)
    return distinct(np.concatenate([found[:, side] for side in sides])).reshape(-1, 2, 2)


def pixel_boxes(b: Brushwork, bounds: Float) -> Float:
    """(m, 4) left, top, right, bottom in pixels of boxes (m, 4); open sides lie just outside the
    view.
    """
    view = b.view.rect
    corners = b.view.pixels(bounds.reshape(-1, 2, 2), 1e9)
    low = (view.left() - OUTSIDE, view.top() - OUTSIDE)
    high = (view.right() + OUTSIDE, view.bottom() + OUTSIDE)
    corners = np.clip(corners, low, high)
    return np.concatenate([corners.min(axis=1), corners.max(axis=1)], axis=1)


def inset(b: Brushwork, boxes: Float, stroke: Stroke) -> Float:
    """(k, 4) the boxes that are in view, clipped to it so that the whole frame is seen."""
    half = (stroke.width / 2 + stroke.edge) * b.stroke
    room = b.view.rect.adjusted(half, half, -half, -half)
    low = (room.left(), room.top())
    high = (room.right(), room.bottom())
    seen = ((boxes[:, :2] <= high) & (boxes[:, 2:] >= low)).all(axis=1)
    return np.clip(boxes[seen], low * 2, high * 2)


def rect_path(box: Sequence[float]) -> QPainterPath:
    """left, top, right, bottom as a path."""
    left, top, right, bottom = box
    path = QPainterPath()
    path.addRect(left, top, right - left, bottom - top)
    return path


# -- round ones ------------------------------------------------------------------------------------


@paints(Ellipses)
def paint_ellipses(b: Brushwork, layer: Ellipses) -> None:
    """Ellipses at Mahalanobis distance `reach` from their centres.

    Those without a class are drawn as one path.
    """
    groups = layer.group if layer.group is not None else np.full(len(layer.centre), -1)
    stroke, lit = stroke_of(b, layer.role, layer.tag)
    bare = QPainterPath()
    for path, group in zip(ellipse_paths(b, layer), groups.tolist(), strict=True):
        if path is None:
            continue
        if group < 0:
            bare.addPath(path)
            continue
        fill = b.theme.group(group)
        fill.setAlphaF(ELLIPSE_FILL)
        with kept(b.painter):
            # the edge of the fill lies under the line
            b.painter.setRenderHint(QPainter.RenderHint.Antialiasing, not b.fleeting)
            b.painter.fillPath(path, fill)
        plain = layer.role in (Role.BALL, Role.PLAIN, Role.REGION, Role.POINT)
        draw_path(
            b, ELLIPSE_LINE if plain else stroke, path, lit, b.theme.group(group) if plain else None
        )
    if not bare.isEmpty():
        draw_path(b, stroke, bare, lit)


def ellipse_paths(b: Brushwork, layer: Ellipses) -> list[QPainterPath | None]:
    """The ellipses as paths in pixels, by the eigenvectors of their covariances; None where a
    number is not finite.
    """
    centre, shape = np.asarray(layer.centre, np.float64), np.asarray(layer.shape, np.float64)
    real: Bool = np.asarray(np.isfinite(shape).all(axis=(1, 2)) & np.isfinite(centre).all(axis=1))
    even: Float = np.where(real[:, None, None], shape + shape.transpose(0, 2, 1), 0.0) / 2
    values, axes = np.linalg.eigh(even)
    radii = layer.reach * np.sqrt(np.maximum(values, 0.0))
    ux, uy = b.view.unit
    pulls = (np.array([[ux], [-uy]]) * axes * radii[:, None]).transpose(0, 2, 1)
    circle = QPainterPath()
    circle.addEllipse(QPointF(0, 0), 1, 1)
    placed = np.column_stack([pulls.reshape(-1, 4), b.view.pixels(centre)]).tolist()
    return [
        QTransform(*at).map(circle) if there else None
        for at, there in zip(placed, real.tolist(), strict=True)
    ]


@paints(Circles)
def paint_circles(b: Brushwork, layer: Circles) -> None:
    """Circles with a radius in plane units; ellipses on the screen when the axes have different
    scales.
    """
    stroke, lit = stroke_of(b, layer.role, layer.tag)
    ux, uy = b.view.unit
    for i, (centre, radius) in enumerate(
        zip(b.view.pixels(layer.centre).tolist(), layer.radius, strict=True)
    ):
        if not np.isfinite([*centre, radius]).all() or radius <= 0:
            continue
        path = QPainterPath()
        path.addEllipse(QPointF(*centre), float(radius) * ux, float(radius) * uy)
        draw_path(b, stroke, path, lit)
        if i < len(layer.label) and layer.label[i]:
            card = PALE_CARD if layer.role is Role.GHOST else CARD
            say(
                b,
                layer.label[i],
                tuple(centre),
                float(radius) * uy,
                card,
                ("above", "below", *BESIDE[:2]),
                lit,
            )
