"""The painter of surfaces: tints of class regions, stepped shading around zero, level lines,
hatches and the boundary. The lines of a score at its margins are dashed, each tagged with its
value; the boundary is then tagged 0.
"""

from collections import OrderedDict
from dataclasses import dataclass, field
from functools import partial
from math import inf

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPainterPath, QPixmap

from engine.base.arrays import Float
from engine.base.notation import number
from engine.base.tags import is_lit
from engine.scene.roles import LETTERING, LEVEL, STROKES
from engine.scene.scene import Field, Role
from gui.look.theme import rgba
from gui.painters.contours import Contours, agrees, block_border, blocks, class_contours, in_steps
from gui.painters.differences import PAINTED
from gui.painters.hatches import hatch_class
from gui.painters.strokes import draw_ends, draw_path, kept, pen
from gui.painters.text import OVER, Spots, say
from gui.painters.view import Brushwork, paints

STEPS = 5
LIMIT = 0.95  # the deepest step begins below this quantile of the absolute values
KEPT = 6
_PICTURES = "surfaces"  # key in a Brushwork's cache
BETWEEN = 20  # about so many more places on a line where its tag may sit
INSET = 22.0  # pixels between a tag and the frame
Tag = tuple[str, Spots]  # its text and its places


@dataclass
class Ground:
    """The shapes of a surface, ready to be drawn back to front."""

    image: QImage | None = None
    whole: QColor | None = None  # one colour for the whole plane, instead of an image
    fills: list[tuple[QPainterPath, QColor]] = field(default_factory=list)
    hatched: list[tuple[QPainterPath, int]] = field(default_factory=list)
    levels: list[QPainterPath] = field(default_factory=list)
    boundary: list[QPainterPath] = field(default_factory=list)
    # level and upright parts of the boundary
    straight: Float = field(default_factory=lambda: np.zeros((0, 2, 2)))
    margins: list[QPainterPath] = field(default_factory=list)
    tags: list[Tag] = field(default_factory=list)

    @property
    def covers(self) -> bool:
        """Whether it hides everything painted before."""
        return self.whole is not None or (
            self.image is not None and not self.image.hasAlphaChannel()
        )


@paints(Field)
def paint_field(b: Brushwork, layer: Field) -> None:
    """Draw the surface that the layer names, as far as it is computed.

    Its shapes are cached while nothing changes. Its pixels are cached from the second painting on,
    but not in fast playback or vector output: most steps of a scrub are painted only once.
    """
    if (painted := PAINTED.get(layer.name)) is not None:
        painted(b, layer)
        return
    values = b.raster(layer.name)
    if values is None or values.size == 0:
        b.lay_ground()
        return
    score = b.raster("score") if layer.name == "class" else None
    lit = is_lit(layer.tag, b.lit)
    ratio = b.painter.device().devicePixelRatio()
    made = kept_ground(b, layer, values, score)
    if made.painted and not b.fleeting and not b.vector:
        b.lay_ground()
        if (ratio, lit) not in made.pixels:
            made.pixels[ratio, lit] = render(b, made.ground, ratio, lit)
        b.painter.drawPixmap(b.view.rect.topLeft(), made.pixels[ratio, lit])
    else:
        b.lay_ground(laid=made.ground.covers)
        draw_ground(b, made.ground, lit)
    made.painted = True
    write_tags(b, made.ground.tags)


@dataclass
class Kept:
    """The shapes of a surface and their cached pixels.

    rasters: kept alive, so that the ids in the key stay theirs; pixels: by ratio of the screen and
    whether the layer is lit
    """

    ground: Ground
    rasters: tuple[Float, Float | None]
    painted: bool = False
    pixels: dict[tuple[float, bool], QPixmap] = field(default_factory=dict)


def kept_ground(b: Brushwork, layer: Field, values: Float, score: Float | None) -> Kept:
    """The cached shapes of a surface; built when rasters, view or options have changed."""
    place = (b.view.x, b.view.y, b.view.rect.getRect(), b.theme.key)
    drawn = (
        layer.name,
        layer.levels,
        layer.boundary,
        layer.margins,
        b.hatch,
        b.bare,
        b.fleeting,
        b.vector,
    )
    key = (id(values), id(score), place, drawn)
    known = b.cache.setdefault(_PICTURES, OrderedDict())
    assert isinstance(known, OrderedDict)
    if key not in known:
        known[key] = Kept(build(b, layer, values, score), (values, score))
        while len(known) > KEPT:
            known.popitem(last=False)
    known.move_to_end(key)
    result: Kept = known[key]
    return result


def render(b: Brushwork, ground: Ground, ratio: float, lit: bool) -> QPixmap:
    """The ground as pixels, for a screen with `ratio` device pixels to a pixel."""
    rect = b.view.rect
    pixmap = QPixmap(max(1, round(rect.width() * ratio)), max(1, round(rect.height() * ratio)))
    pixmap.setDevicePixelRatio(ratio)
    pixmap.fill(Qt.GlobalColor.transparent)
    with QPainter(pixmap) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.translate(-rect.topLeft())
        inner = Brushwork(painter, b.view, b.theme, b.lit, hatch=b.hatch, radius=b.radius)
        draw_ground(inner, ground, lit)
    return pixmap


def draw_ground(b: Brushwork, ground: Ground, lit: bool) -> None:
    with kept(b.painter):
        if ground.image is not None:
            b.painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, False)
            b.painter.drawImage(b.view.rect, ground.image)
        if ground.whole is not None:
            b.painter.fillRect(b.view.rect, ground.whole)
        # in fast playback edges stay rough, as they lie under lines
        b.painter.setRenderHint(QPainter.RenderHint.Antialiasing, not b.fleeting)
        for path, colour in ground.fills:
            b.painter.fillPath(path, colour)
        b.painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for path, group in ground.hatched:
            hatch_class(b, path, group)
        b.painter.setPen(pen(b.theme.colour("ink", b.theme.level_alpha), LEVEL * b.stroke))
        b.painter.setBrush(Qt.BrushStyle.NoBrush)
        for path in ground.levels:
            b.painter.drawPath(path)
        for path in ground.margins:
            draw_path(b, STROKES[Role.MARGIN], path, lit)
        for path in ground.boundary:
            draw_path(b, STROKES[Role.BOUNDARY], path, lit)
        draw_ends(b, STROKES[Role.BOUNDARY], ground.straight, lit)


def build(b: Brushwork, layer: Field, values: Float, score: Float | None) -> Ground:
    """The shapes of a surface, with its margins."""
    ground = shapes(b, layer, values, score)
    level = values if layer.name != "class" else score
    if layer.margins and level is not None:
        contours = Contours(level, b.view.rect)
        ground.margins = margin_lines(contours, layer.margins)
        ground.tags = margin_tags(contours, layer.margins, b.view.rect)
    return ground


def shapes(b: Brushwork, layer: Field, values: Float, score: Float | None) -> Ground:
    if layer.name == "class":
        smooth = agrees(values, score)
        return (
            by_score(b, layer, score)
            if smooth and score is not None
            else by_class(b, layer, values)
        )
    return by_steps(b, layer, values)


# -- classes ---------------------------------------------------------------------------------------


def by_score(b: Brushwork, layer: Field, score: Float) -> Ground:
    """Two classes divided at the zero line of the score, which is finer than a cell."""
    contours = Contours(score, b.view.rect)
    regions = [(contours.below(0.0), 1), (contours.above(0.0), 0)]
    most = larger_side(score)
    return Ground(
        whole=None if most is None else b.theme.tint(most),
        fills=[(path, b.theme.tint(group)) for path, group in regions if group != most],
        hatched=regions if b.hatch else [],
        levels=[contours.line(level) for level in layer.levels if level],
        boundary=[contours.line(0.0)] if layer.boundary else [],
    )


def larger_side(score: Float) -> int | None:
    """The class (0 above zero, 1 below) with the larger part of the plane; None where some cells
    have neither.

    That side fills the whole plane, and only the other needs a path.
    """
    above, below = np.count_nonzero(score > 0), np.count_nonzero(score < 0)
    return None if above + below < score.size else int(below > above)


def by_class(b: Brushwork, layer: Field, classes: Float) -> Ground:
    """Any number of classes: coloured cells, and smooth regions on top where their borders are
    drawn.
    """
    if not (layer.boundary or b.hatch):
        return Ground(class_image(b, classes))
    found = blocks(classes) if not b.hatch else None
    if found is not None:
        return Ground(
            class_image(b, classes), straight=block_border(found, classes.shape, b.view.rect)
        )
    present = [int(c) for c in np.unique(classes[np.isfinite(classes)]) if c >= 0]
    halves = len(present) == 2 and bool((classes >= 0).all())  # both have the same border
    plain = halves and not b.hatch
    ground = Ground(whole=b.theme.tint(present.pop())) if plain else Ground(class_image(b, classes))
    for index in present:
        contours = class_contours(classes, index, b.view.rect)
        region = contours.above(0.5)
        ground.fills.append((region, b.theme.tint(index)))
        if b.hatch:
            ground.hatched.append((region, index))
        if layer.boundary:
            ground.boundary.append(contours.line(0.5))
    if halves:
        ground.boundary = ground.boundary[:1]
    return ground


def class_image(b: Brushwork, classes: Float) -> QImage:
    """An image with one pixel per cell of the class indices (ny, nx); NaN and −1 are clear."""
    index = np.nan_to_num(classes, nan=-1.0).astype(np.intp) + 1
    table = np.zeros((max(int(index.max(initial=0)) + 1, 1), 4), np.uint8)
    table[0] = clear_of(b)
    for group in range(len(table) - 1):
        table[group + 1] = rgba(b.theme.tint(group))
    return image_of(table.take(np.maximum(index, 0), axis=0))


def clear_of(b: Brushwork) -> tuple[int, int, int, int]:
    """The RGBA of cells without a class: transparent, or the colour of the plane where nothing lies
    below, since Qt scales opaque images faster.
    """
    return rgba(b.theme.colour("plane")) if b.bare else (0, 0, 0, 0)


def image_of(colours: np.ndarray) -> QImage:
    """An image of RGBA colours (ny, nx, 4), row 0 at the bottom, in the format that Qt scales
    fastest.
    """
    pixels = np.ascontiguousarray(colours[::-1])
    ny, nx, _ = pixels.shape
    image = QImage(pixels.data, nx, ny, 4 * nx, QImage.Format.Format_RGBA8888)
    opaque = bool((pixels[..., 3] == 255).all())
    return image.convertToFormat(
        QImage.Format.Format_RGB32 if opaque else QImage.Format.Format_ARGB32_Premultiplied
    )


# -- shading ---------------------------------------------------------------------------------------


def by_steps(b: Brushwork, layer: Field, values: Float) -> Ground:
    """Shading in steps of class 0 above zero and of class 1 below; each deeper step lies on the
    last.
    """
    edges = step_edges(layer, values)
    low, high = b.theme.shading
    shares = np.linspace(low, high, len(edges))
    if in_steps(values):
        return _flat_steps(b, layer, values, edges, shares)
    contours = Contours(values, b.view.rect)
    most = larger_side(values)
    sides = ((1, lambda edge, end: contours.between(-end, -edge)), (0, contours.between))
    # in fast playback the steps do not overlap
    ends = [*edges[1:], inf] if b.fleeting else [inf] * len(edges)
    fills = [
        (side(edge, end), b.theme.tint(group, share))
        for group, side in sides
        for edge, end, share in zip(edges, ends, shares.tolist(), strict=True)
        if (group, edge) != (most, 0.0)
    ]
    hatched = [(contours.above(0.0), 0), (contours.below(0.0), 1)] if b.hatch else []
    levels = [contours.line(level) for level in layer.levels if level or not layer.boundary]
    boundary = [contours.line(0.0)] if layer.boundary else []
    whole = None if most is None else b.theme.tint(most, shares[0])
    return Ground(whole=whole, fills=fills, hatched=hatched, levels=levels, boundary=boundary)


def step_edges(layer: Field, values: Float) -> list[float]:
    """The values at which the steps begin, from zero outwards: at the levels of the layer, or
    evenly spaced up to the largest values.
    """
    given = sorted({abs(level) for level in layer.levels if level})
    if len(given) > 1:
        return [0.0, *given]
    sizes = np.abs(values[:: max(1, values.shape[0] // 64), :: max(1, values.shape[1] // 64)])
    sizes = sizes[np.isfinite(sizes)]
    limit = float(np.quantile(sizes, LIMIT)) if len(sizes) else 0.0
    return [limit * k / STEPS for k in range(STEPS if limit > 0 else 1)]


def _flat_steps(
    b: Brushwork, layer: Field, values: Float, edges: list[float], shares: Float
) -> Ground:
    """A piecewise constant surface: coloured cell by cell, its border between the cells."""
    sizes = np.searchsorted(np.asarray(edges[1:]), np.abs(np.nan_to_num(values)), side="right")
    clear = ~np.isfinite(values) | (values == 0)
    index = np.where(clear, 0, 1 + sizes + np.where(values < 0, len(edges), 0))
    table = np.zeros((1 + 2 * len(edges), 4), np.uint8)
    table[0] = clear_of(b)
    for k, share in enumerate(shares.tolist()):
        table[1 + k] = rgba(b.theme.tint(0, share))
        table[1 + len(edges) + k] = rgba(b.theme.tint(1, share))
    image = image_of(table.take(index, axis=0))
    signs = np.where(clear, -1.0, np.where(values > 0, 0.0, 1.0))
    positive = partial(class_contours, signs, rect=b.view.rect)
    ground = Ground(image, hatched=[(positive(k).above(0.5), k) for k in (0, 1)] if b.hatch else [])
    found = blocks(signs) if layer.boundary else None
    if found is not None:
        ground.straight = block_border(found, signs.shape, b.view.rect)
    elif layer.boundary:
        ground.boundary = [positive(k).line(0.5) for k in ((0, 1) if clear.any() else (0,))]
    contours = Contours(values, b.view.rect, straight_on=False) if layer.levels else None
    if contours is not None:
        ground.levels = [contours.line(level) for level in layer.levels if level]
    return ground


def margin_lines(contours: Contours, margins: tuple[float, ...]) -> list[QPainterPath]:
    """The level lines at the margins other than 0."""
    return [contours.line(level) for level in margins if level]


def margin_tags(contours: Contours, margins: tuple[float, ...], rect: QRectF) -> list[Tag]:
    """The value of every line in view, with the places where its tag may sit."""
    found = [
        (level, spots_on(contours.pieces(level), rect))
        for level in sorted({0.0, *margins})
        if margins
    ]
    return [(number(level, 2, signed=bool(level)), spots) for level, spots in found if spots]


def spots_on(pieces: list[Float], rect: QRectF) -> Spots:
    """The places where a tag may sit on a line, best first: its lowest place in the view, its other
    extremes, and some in between.
    """
    room = rect.adjusted(INSET, INSET, -INSET, -INSET)
    xy = np.concatenate([np.zeros((0, 2)), *pieces])
    low = (room.left(), room.top())
    high = (room.right(), room.bottom())
    xy = xy[((xy >= low) & (xy <= high)).all(axis=1)]
    if not len(xy):
        return ()
    ends = [xy[:, 1].argmax(), xy[:, 1].argmin(), xy[:, 0].argmax(), xy[:, 0].argmin()]
    between = range(0, len(xy), len(xy) // BETWEEN + 1)
    return tuple(dict.fromkeys((float(xy[k, 0]), float(xy[k, 1])) for k in (*ends, *between)))


def write_tags(b: Brushwork, tags: list[Tag]) -> None:
    for text, spots in tags:
        say(b, text, spots, 0.0, LETTERING[Role.MARGIN], OVER)
