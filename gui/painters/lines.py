"""Painters of lines: separators clipped to the view, segments, curves, bands and arrows."""

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPolygonF

from engine.base.arrays import Float
from engine.base.records import replace
from engine.base.tags import is_lit
from engine.scene.roles import (
    ARROW_HEAD,
    ARROW_STROKES,
    CLASS_CURVE,
    HALO_ALPHA,
    LETTERING,
    NODE,
    POINTED_AT,
    SPAN_LETTERING,
    STROKES,
    Lettering,
    Stroke,
)
from engine.scene.scene import Arrows, Band, Line, Polyline, Role, Segments
from gui.painters.buffers import draw_lines, path_of, polygon, runs
from gui.painters.hatches import hatch_difference, tint_region
from gui.painters.strokes import draw_ends, draw_loose, draw_path, kept, pen
from gui.painters.text import BESIDE, OVER, Spots, say
from gui.painters.view import (
    Brushwork,
    clip_segment,
    clip_segments,
    paints,
    sparse,
)

FOOT = 4.0  # radius (pixels) of the small disc at the tail of an accepted arrow
# where on a line its tag sits, the usual place first
TAG_AT = (0.8, 0.68, 0.9, 0.56, 0.44, 0.3, 0.15)
# where its handle sits, from one end on, or at the other end
HANDLE_AT = (0.0, 0.07, 0.14, 0.21, 0.28, 1.0, 0.93, 0.36)
SPOTS = (0.5, 0.65, 0.35, 0.8, 0.2)  # where along a piece a text may stand; else it is left out
# where along a whole line its name may stand; pixels from the frame at its ends
NAME_AT, FROM_FRAME = (0.5, 0.8, 0.2, 0.65, 0.35), 26.0
TO_MIDDLE = (0.0, 0.2, 0.4, 0.6)  # from there towards the middle
MEASURED = 0.74  # where beside a measure its length stands: other lines cross its middle
NAN = float("nan")


def stroke_of(b: Brushwork, role: Role, tag: str) -> tuple[Stroke, bool]:
    """The stroke of a line, and whether it gets a halo: a candidate under the pointer becomes solid
    instead.
    """
    lit = is_lit(tag, b.lit)
    if role is Role.CANDIDATE and lit:
        return POINTED_AT, False
    return STROKES[role], lit


def reach(b: Brushwork) -> float:
    """How far lines go beyond the frame (pixels), so that no cap shows; 0 for vector output, as
    some SVG readers do not clip.
    """
    return 0.0 if b.vector else 8.0


@paints(Line)
def paint_line(b: Brushwork, layer: Line) -> None:
    """The line w[0]·x + w[1]·y + b = 0 from side to side of the view, with its label."""
    ends = b.view.line(layer.w, layer.b, reach(b))
    if ends is None:
        return
    stroke, lit = stroke_of(b, layer.role, layer.tag)
    colour = b.theme.group(layer.group) if layer.group >= 0 and stroke.colour == "ink" else None
    draw_ends(b, stroke, ends[None], lit, colour)
    if layer.label or layer.role is Role.REJECTED:
        lit = is_lit(layer.tag, b.lit)
        label_span(b, layer.label, ends, LETTERING[layer.role], lit, True, layer.name_at)


def label_span(
    b: Brushwork,
    text: str,
    ends: Float,
    lettering: Lettering,
    lit: bool,
    whole: bool = False,
    first: float = NAN,
) -> None:
    """Place a text on a straight piece (2, 2).

    Tags sit on it, handles at its upper or left end, other texts beside its middle; with `whole`
    also beside its ends at the frame, where there are few points. first: the share of the way from
    left to right where other texts stand if there is room
    """
    part = clip_segment(ends[0], ends[1], b.view.rect)
    if part is None:
        return
    start, end = part
    if first == first and start[0] > end[0]:
        start, end = end, start
    if lettering.form in ("handle", "cross"):
        steep = abs(end[1] - start[1]) > abs(end[0] - start[0])
        one, other = sorted((start, end), key=lambda p: p[1] if steep else p[0])
        say(b, text, spots_on(one, other, HANDLE_AT), 0.0, lettering, OVER, lit)
    elif lettering.form == "tag":
        say(b, text, spots_on(start, end, TAG_AT), 0.0, lettering, OVER, lit)
    else:
        inset = min(0.5, FROM_FRAME * b.stroke / max(1.0, float(np.hypot(*(end - start)))))
        shares: tuple[float, ...]
        shares = (*NAME_AT[:1], inset, 1 - inset, *NAME_AT[1:]) if whole else SPOTS
        if first == first:
            shares = tuple(first + part * (0.5 - first) for part in TO_MIDDLE)
        spots = spots_on(start, end, shares)
        say(b, text, spots, 9.0, lettering, sides_of(end - start), lit)


def spots_on(start: Float, end: Float, shares: tuple[float, ...]) -> Spots:
    """The places at these shares of the way from start to end."""
    (x, y), (end_x, end_y) = start.tolist(), end.tolist()
    return tuple((x + share * (end_x - x), y + share * (end_y - y)) for share in shares)


def sides_of(step: Float) -> tuple[str, ...]:
    """The sides on which a text beside a straight piece finds room, away from its direction."""
    if abs(step[0]) < 0.35 * abs(step[1]):
        return ("right", "left")
    if abs(step[1]) < 0.35 * abs(step[0]):
        return ("above", "below")
    rising = step[0] * step[1] < 0  # on the screen, where y grows downwards
    return ("below right", "above left") if rising else ("above right", "below left")


@paints(Segments)
def paint_segments(b: Brushwork, layer: Segments) -> None:
    """Separate straight pieces with their labels."""
    ends, kept_rows = b.view.segments(layer.ends, reach(b))
    stroke, lit = stroke_of(b, layer.role, layer.tag)
    width = np.ones(len(ends)) if layer.width is None else np.asarray(layer.width)[kept_rows]
    for times in np.unique(width).tolist():  # the widest on top
        draw_ends(b, replace(stroke, width=stroke.width * times), ends[width == times], lit)
    for k, i in enumerate(kept_rows.tolist()):
        text = layer.label[i] if i < len(layer.label) else ""
        if text or layer.role is Role.REJECTED:
            label_span(b, text, ends[k], SPAN_LETTERING[layer.role], is_lit(layer.tag, b.lit))


@paints(Polyline)
def paint_polyline(b: Brushwork, layer: Polyline) -> None:
    """A curve; in the colour of its class if it has one."""
    xy = b.view.pixels(layer.xy)
    pieces = runs(xy)
    if not pieces:
        return
    stroke, lit = stroke_of(b, layer.role, layer.tag)
    colour = b.theme.group(layer.group) if layer.group >= 0 and stroke.colour == "ink" else None
    if colour is not None and layer.role is Role.PLAIN:
        stroke = CLASS_CURVE
    if b.fleeting:
        line = ringed(pieces) if layer.closed else xy
        parts, _ = clip_segments(
            np.stack([line[:-1], line[1:]], axis=1), b.view.rect.adjusted(-8, -8, 8, 8)
        )
        draw_loose(b, stroke, parts, lit, colour)
    else:
        draw_path(
            b, stroke, path_of([sparse(piece) for piece in pieces], layer.closed), lit, colour
        )
    if layer.label:
        inside = [p for p in np.concatenate(pieces) if b.view.rect.contains(*p.tolist())]
        if inside:
            say(
                b,
                layer.label,
                tuple(inside[-1].tolist()),
                8.0,
                LETTERING[layer.role],
                (*sides_of_end(inside), "middle"),
                lit,
            )


def sides_of_end(places: list[Float]) -> tuple[str, ...]:
    """The sides on which a name finds room at the last of the places of a curve: where the curve
    ends level, not the side from which it comes.
    """
    x, y = places[-1] - places[-2] if len(places) > 1 else (0.0, 0.0)
    if abs(x) < 1.0 or abs(y) > 0.35 * abs(x):
        return BESIDE
    if x < 0:
        return ("left", "above right", "below right")
    return ("right", "above left", "below left", "above", "below")


def ringed(pieces: list[Float]) -> Float:
    """The pieces (m, 2), each closed by its first point and followed by a NaN row."""
    gap = np.full((1, 2), np.nan)
    return np.concatenate([part for piece in pieces for part in (piece, piece[:1], gap)])


@paints(Band)
def paint_band(b: Brushwork, layer: Band) -> None:
    """Fill the strip between two curves."""
    low = b.view.pixels(np.column_stack([layer.x, layer.low]))
    high = b.view.pixels(np.column_stack([layer.x, layer.high]))
    good = np.isfinite(low).all(axis=1) & np.isfinite(high).all(axis=1)
    if good.sum() < 2:
        return
    path = path_of([np.concatenate([low[good], high[good][::-1]])], closed=True)
    if layer.role is Role.DIFFERENCE:
        hatch_difference(b, path)
    else:
        tint_region(b, path, layer.group)
    if layer.role is not Role.REGION or is_lit(layer.tag, b.lit):
        stroke, lit = stroke_of(b, layer.role, layer.tag)
        draw_path(b, stroke, path_of([low[good], high[good]]), lit)


# -- arrows ----------------------------------------------------------------------------------------


@paints(Arrows)
def paint_arrows(b: Brushwork, layer: Arrows) -> None:
    """Arrows with filled heads; an accepted one stands on a small disc."""
    stroke = ARROW_STROKES.get(layer.role, STROKES[layer.role])
    lit = is_lit(layer.tag, b.lit)
    start, end = b.view.pixels(layer.start, 2e4), b.view.pixels(layer.end, 2e4)
    seen = np.flatnonzero(np.hypot(*(end - start).T) >= 1.0)  # NaN lengths drop out
    if not len(seen):
        return
    shafts, heads = arrow_parts(b, start[seen], end[seen])
    draw_arrows(b, stroke, shafts, heads, lit)
    for i in seen.tolist():
        if layer.role is Role.ACCEPTED:
            paint_foot(b, start[i])
        if i < len(layer.label) and layer.label[i]:
            label_arrow(b, layer, layer.label[i], start[i], end[i], lit)


def arrow_parts(b: Brushwork, tail: Float, tip: Float) -> tuple[Float, Float]:
    """Shafts (m, 2, 2) and heads (m, 3, 2); a very short arrow gets a smaller head."""
    length = np.hypot(*(tip - tail).T)[:, None]
    along = (tip - tail) / length
    size = np.minimum(ARROW_HEAD * (1 + (b.stroke - 1) / 2), 0.8 * length)
    base = tip - size * along
    across = np.column_stack([-along[:, 1], along[:, 0]]) * size * 0.54
    heads = np.stack([tip, base + across, base - across], axis=1)
    return np.stack([tail, tip - 0.8 * size * along], axis=1), heads


def draw_arrows(b: Brushwork, stroke: Stroke, shafts: Float, heads: Float, lit: bool) -> None:
    """Draw halo, casing and edge round all shafts (m, 2, 2) and heads (m, 3, 2), then the cores.

    So no arrow is cut by another's casing. In fast playback the casing of a head is three
    unsmoothed lines, as Qt draws round joints slowly.
    """
    look = b.theme
    factor = b.stroke
    fleeting = b.fleeting and not (stroke.edge or lit)
    every = polygon(heads.reshape(-1, 2))
    shapes = [QPolygonF(every.sliced(k, 3)) for k in range(0, every.size(), 3)]
    with kept(b.painter):
        b.painter.setOpacity(b.painter.opacity() * stroke.opacity)
        for colour, extra, wanted in (
            (look.colour("ink", HALO_ALPHA), stroke.edge + stroke.casing + 3.5 / factor, lit),
            (look.colour("plane"), stroke.edge + stroke.casing, stroke.casing > 0),
            (look.colour("ink"), stroke.edge, stroke.edge > 0),
        ):
            if wanted:
                b.painter.setRenderHint(QPainter.RenderHint.Antialiasing, not fleeting)
                b.painter.setPen(
                    pen(colour, (stroke.width + 2 * extra) * factor, cap=Qt.PenCapStyle.SquareCap)
                )
                draw_lines(b.painter, shafts)
                b.painter.setPen(
                    pen(
                        colour,
                        2 * extra * factor,
                        cap=Qt.PenCapStyle.SquareCap if fleeting else None,
                    )
                )
                if fleeting:
                    draw_lines(
                        b.painter,
                        np.stack([heads, np.roll(heads, 1, axis=1)], axis=2).reshape(-1, 2, 2),
                    )
                else:
                    draw_filled(b.painter, shapes, colour)
        b.painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        core = look.colour(stroke.colour)
        cap = Qt.PenCapStyle.FlatCap if stroke.dash else Qt.PenCapStyle.SquareCap
        b.painter.setPen(pen(core, stroke.width * factor, stroke.dash, cap))
        draw_lines(b.painter, shafts)
        b.painter.setPen(Qt.PenStyle.NoPen)
        draw_filled(b.painter, shapes, core)


def draw_filled(painter: QPainter, shapes: list[QPolygonF], colour: QColor) -> None:
    painter.setBrush(colour)
    for shape in shapes:
        painter.drawPolygon(shape)


def paint_foot(b: Brushwork, place: Float) -> None:
    b.painter.setPen(pen(b.theme.colour("ink"), NODE.width * b.stroke))
    b.painter.setBrush(b.theme.colour("plane"))
    b.painter.drawEllipse(QPointF(*place.tolist()), FOOT * b.stroke, FOOT * b.stroke)


def label_arrow(b: Brushwork, layer: Arrows, text: str, tail: Float, tip: Float, lit: bool) -> None:
    """The label of an arrow: beside the shaft of an active one or a measure, else at the tip."""
    lettering = LETTERING[Role.GHOST if layer.role is Role.GHOST else Role.PLAIN]
    if layer.role is Role.ACTIVE or layer.measure:
        middle = tail + (MEASURED if layer.measure else 0.5) * (tip - tail)
        sides = sides_of(tip - tail)
        say(b, text, tuple(middle.tolist()), 12.0 * b.stroke, lettering, sides, lit, evade=True)
        return
    across, back = ("right", "left") if tip[0] >= tail[0] else ("left", "right")
    along, under = ("above", "below") if tip[1] <= tail[1] else ("below", "above")
    sides = (across, along, back, under)  # the head is kept clear
    say(b, text, tuple(tip.tolist()), 10.0 * b.stroke, lettering, sides, lit, evade=True)
