"""Lines with casings, for every painter that draws a line."""

import dataclasses
from collections.abc import Callable, Sequence
from functools import lru_cache

import numpy as np
from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPainterPath, QPen, QPolygonF

from engine.base.arrays import Float
from engine.base.records import replace
from engine.scene.roles import CASING, HALO_ALPHA, Stroke
from gui.look.theme import look, mix
from gui.painters.buffers import draw_lines, pieces_of
from gui.painters.view import Brushwork

LONG = 12.0  # pixels per piece, on average, from which a path counts as made of long pieces
MANY, PIECE = 64, 32  # points from which a path is drawn in pieces; points per piece
STEP = 4  # pixels: whole device pixels also on screens with ratios in quarters
ALONE = "alone"  # key in a Brushwork's cache: nothing but lines is on the plane so far
# key in a Brushwork's cache: ghost lines lie on stepped shading and need their casing
SHADED = "shaded"


def pen(
    colour: QColor, width: float, dash: tuple[float, ...] = (), cap: Qt.PenCapStyle | None = None
) -> QPen:
    """A pen; dash lengths are pixels."""
    made = QPen(colour, width)
    made.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    made.setCapStyle(cap or (Qt.PenCapStyle.FlatCap if dash else Qt.PenCapStyle.RoundCap))
    if dash:
        made.setDashPattern([max(length / width, 0.01) for length in dash])
    return made


def coats(
    b: Brushwork, stroke: Stroke, lit: bool = False, colour: QColor | None = None
) -> list[QPen]:
    """The pens of a line from bottom to top: halo, casing, edge, core."""
    casing = CASING if stroke.colour == "ghost" and b.cache.get(SHADED) else stroke.casing
    core = None if colour is None else colour.rgba()
    return [QPen(made) for made in _coats(stroke, casing, lit, b.theme.key, core)]


@lru_cache(maxsize=512)
def _coats(
    stroke: Stroke, casing: float, lit: bool, theme: tuple[str, int], own: int | None
) -> tuple[QPen, ...]:
    """As `coats`, cached. own: the RGBA of the core, where it is not the colour of the stroke."""
    used = look(*theme)
    plane = used.colour("plane")
    ink = used.colour("ink")
    factor = used.stroke
    core = used.colour(stroke.colour) if own is None else QColor.fromRgba(own)
    dash = tuple(length * (1 + factor) / 2 for length in stroke.dash)
    pens = []
    if lit:
        wide = (stroke.width + 2 * stroke.edge + 2 * casing) * factor + 7
        halo = QColor(ink)
        halo.setAlphaF(HALO_ALPHA)
        pens.append(pen(halo, wide, cap=Qt.PenCapStyle.RoundCap))
    if casing:
        pens.append(pen(plane, (stroke.width + 2 * stroke.edge + 2 * casing) * factor, dash))
    if stroke.edge:
        pens.append(pen(ink, (stroke.width + 2 * stroke.edge) * factor, dash))
    pens.append(pen(core, stroke.width * factor, dash))
    return tuple(pens)


def draw(
    b: Brushwork,
    stroke: Stroke,
    shape: Callable[[], None],
    lit: bool = False,
    colour: QColor | None = None,
) -> None:
    """Call `shape`, which draws with the painter's pen, once per coat."""
    draw_coats(b, stroke, coats(b, stroke, lit, colour), shape)


def draw_coats(b: Brushwork, stroke: Stroke, pens: list[QPen], shape: Callable[[], None]) -> None:
    with kept(b.painter):
        b.painter.setBrush(Qt.BrushStyle.NoBrush)
        b.painter.setOpacity(b.painter.opacity() * stroke.opacity)
        for coat in pens:
            b.painter.setPen(coat)
            shape()


def draw_path(
    b: Brushwork,
    stroke: Stroke,
    path: QPainterPath,
    lit: bool = False,
    colour: QColor | None = None,
) -> None:
    """Draw a path with all coats of a stroke.

    Qt smooths long paths slowly, so a long border is drawn piece by piece, a transparent one
    through an image or in an opaque colour. A path of mostly long pieces is drawn as separate
    lines; so are dashed or transparent ones in fast playback.
    """
    many = path.elementCount() > MANY
    clear = stroke.opacity < 1.0
    if (b.fleeting or many) and not lit and not b.vector:
        straight = path.length() > LONG * path.elementCount() and (
            b.fleeting or bool(stroke.dash) or not clear
        )
        if straight or (b.fleeting and (stroke.dash or clear)):
            draw_loose(b, stroke, pieces_of(path), lit, colour)
            return
    if not many or stroke.dash or lit or b.vector:
        draw(b, stroke, lambda: b.painter.drawPath(path), lit, colour)
    elif clear and b.cache.get(ALONE):
        draw_pieces(b, *on_the_plane(b, stroke, colour), path)
    elif clear:
        edge = max(coat.widthF() for coat in coats(b, stroke, lit, colour))
        room = path.boundingRect().adjusted(-edge, -edge, edge, edge)
        draw_layer(
            b,
            stroke.opacity,
            room,
            lambda over: draw_pieces(over, replace(stroke, opacity=1.0), colour, path),
        )
    else:
        draw_pieces(b, stroke, colour, path)


def on_the_plane(
    b: Brushwork, stroke: Stroke, colour: QColor | None
) -> tuple[Stroke, QColor | None]:
    """A transparent stroke as an opaque one, with the colour that it has on the plane."""
    if stroke.opacity == 1.0:
        return stroke, colour
    core = b.theme.colour(stroke.colour) if colour is None else colour
    return replace(stroke, opacity=1.0), mix(b.theme.colour("plane"), core, stroke.opacity)


def draw_pieces(b: Brushwork, stroke: Stroke, colour: QColor | None, path: QPainterPath) -> None:
    """Draw a long path: separate straight pieces as lines, curves a few pieces at a time."""
    lines = path.toSubpathPolygons()
    if all(line.size() == 2 for line in lines):
        draw_ends(b, stroke, pieces_of(path), colour=colour)
        return
    some = [piece for line in lines for piece in pieces(line)]

    def shape() -> None:
        for piece in some:
            b.painter.drawPolyline(piece)

    draw(b, stroke, shape, colour=colour)


def draw_layer(
    b: Brushwork, opacity: float, room: QRectF, drawn: Callable[[Brushwork], None]
) -> None:
    """Draw into an image over `room`, and that image with `opacity`: overlapping parts get no
    darker.
    """
    if not room.intersects(b.view.rect):
        return
    rect = within(b.view.rect.toAlignedRect(), room)
    ratio = b.painter.device().devicePixelRatio()
    layer = QImage(rect.size() * ratio, QImage.Format.Format_ARGB32_Premultiplied)
    layer.setDevicePixelRatio(ratio)
    layer.fill(Qt.GlobalColor.transparent)
    with QPainter(layer) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.translate(-rect.topLeft())
        drawn(dataclasses.replace(b, painter=painter))
    with kept(b.painter):
        b.painter.setOpacity(b.painter.opacity() * opacity)
        b.painter.drawImage(rect.topLeft(), layer)


def within(rect: QRect, room: QRectF) -> QRect:
    """The part of `rect` that `room` covers; its corner is on a grid of `STEP`, whole pixels of
    every screen.
    """
    taken = room.toAlignedRect().intersected(rect)
    left = (taken.left() - rect.left()) // STEP * STEP
    top = (taken.top() - rect.top()) // STEP * STEP
    return taken.adjusted(rect.left() + left - taken.left(), rect.top() + top - taken.top(), 0, 0)


def draw_paths(
    b: Brushwork, stroke: Stroke, paths: Sequence[QPainterPath], lit: bool = False
) -> None:
    """Draw many small shapes alike: all casings lie under all lines."""

    def shape() -> None:
        for path in paths:
            b.painter.drawPath(path)

    draw(b, stroke, shape, lit)


def pieces(line: QPolygonF) -> list[QPolygonF]:
    """A polyline cut into pieces of `PIECE` segments.

    Each begins where the last one ends; the round caps of an opaque pen hide the joints.
    """
    if line.size() <= PIECE + 1:
        return [line]
    starts = range(0, line.size() - 1, PIECE)
    return [QPolygonF(line.sliced(k, min(PIECE + 1, line.size() - k))) for k in starts]


def draw_ends(
    b: Brushwork, stroke: Stroke, ends: Float, lit: bool = False, colour: QColor | None = None
) -> None:
    """Draw separate lines (m, 2, 2), in pixels: all casings lie under all lines.

    The ends are square, as Qt draws round ones slowly.
    """
    pens = coats(b, stroke, lit, colour)
    for coat in pens if not stroke.dash else ():
        coat.setCapStyle(Qt.PenCapStyle.SquareCap)
    level = b.fleeting and not stroke.edge and bool((ends[:, 0] == ends[:, 1]).any(axis=1).all())
    draw_fleeting(
        b, stroke, pens, lambda: draw_lines(b.painter, ends), lit, not level
    )  # level and upright ones have no stairs


def draw_fleeting(
    b: Brushwork,
    stroke: Stroke,
    pens: list[QPen],
    shape: Callable[[], None],
    lit: bool = False,
    smooth: bool = True,
) -> None:
    """As `draw_coats`, without smoothing the casing in fast playback. smooth: whether the line
    itself is smoothed.
    """
    under = len(pens) - 1 if b.fleeting and not lit and not stroke.edge else 0
    with kept(b.painter):
        for layer, fine in ((pens[:under], False), (pens[under:], smooth)):
            if layer:
                b.painter.setRenderHint(QPainter.RenderHint.Antialiasing, fine)
                draw_coats(b, stroke, layer, shape)


def draw_loose(
    b: Brushwork, stroke: Stroke, ends: Float, lit: bool = False, colour: QColor | None = None
) -> None:
    """Draw a curve as separate pieces (m, 2, 2), in pixels.

    For fast playback and dashed curves, since Qt is slow to join the pieces of a path. A
    transparent stroke becomes opaque, in the colour that it has on the plane.
    """
    stroke, colour = on_the_plane(b, stroke, colour)
    pens = coats(b, stroke, lit, colour)
    if stroke.dash:
        on, off = (length * (1 + b.stroke) / 2 for length in stroke.dash)
        ends = dashes(ends, on, off)
    for coat in pens:
        coat.setStyle(Qt.PenStyle.SolidLine)
        coat.setCapStyle(Qt.PenCapStyle.FlatCap if stroke.dash else Qt.PenCapStyle.SquareCap)
    draw_fleeting(b, stroke, pens, lambda: draw_lines(b.painter, ends), lit)


def dashes(ends: Float, on: float, off: float) -> Float:
    """The consecutive pieces (m, 2, 2) of a curve cut into dashes (k, 2, 2) that go on from piece
    to piece.
    """
    step = ends[:, 1] - ends[:, 0]
    length = np.hypot(*step.T)
    before = np.cumsum(length) - length
    first, last = (np.floor(along / (on + off)) for along in (before, before + length))
    count = (last - first).astype(np.intp) + 1
    piece = np.repeat(np.arange(len(ends)), count)
    nth = first[piece] + np.arange(len(piece)) - np.repeat(np.cumsum(count) - count, count)
    begin = nth * (on + off) - before[piece]
    low = np.maximum(begin, 0.0)
    high = np.minimum(begin + on, length[piece])
    seen = high > low
    piece, shares = piece[seen], np.stack([low, high], axis=1)[seen] / length[piece[seen], None]
    return ends[piece, :1] + shares[..., None] * step[piece, None]


class kept:
    """A context that restores the painter's state when the block ends."""

    def __init__(self, painter: QPainter) -> None:
        self.painter = painter

    def __enter__(self) -> QPainter:
        self.painter.save()
        return self.painter

    def __exit__(self, *fault: object) -> None:
        self.painter.restore()
