"""Surfaces as shapes or small pictures, whichever is smaller.

Their colours are classes, so that one serves every theme.
"""

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np

from engine.base.arrays import Bool, Float, Int
from engine.base.notation import number
from engine.scene.layers import Field, Role
from engine.web.frame import Frame
from engine.web.labels import OVER, Label
from engine.web.look import COLOURS, SHADES, coats
from engine.web.markup import path, size
from engine.web.png import data_uri

Raster = Callable[[str], Float | None]
LIMIT = 0.95  # the deepest step begins below this share of the sizes of a surface
FLAT = 0.5  # a raster with a larger share of equal neighbours is made of steps, not of slopes
AGREE = 0.995  # of the places where the sign of a score has to tell the class
GREY = 20  # between the levels of a picture; level 0 is clear
PACKED = 2.0  # how many letters of a path take the room of one of a picture, when both are packed


def surface(layer: Field, raster: Raster, frame: Frame) -> tuple[list[str], list[Label]]:
    """(SVG parts of a surface, labels of its margin lines); ([], []) where the layer has no finite
    value.
    """
    values = raster(layer.name)
    if values is None or not values.size or not np.isfinite(values).any():
        return [], []
    score = raster("score") if layer.name == "class" else None
    if layer.name != "class":
        parts = _shaded(layer, values, frame)
    elif score is not None and _agrees(values, score):
        parts = _halves(layer, score, frame)
    else:
        parts = _regions(layer, values, frame)
    level = score if layer.name == "class" else values
    if not layer.margins or level is None:
        return parts, []
    shape = Shape(level, frame)
    parts += [_lined(shape.line(v), "s-margin") for v in layer.margins if v]
    tags = [(v, shape.pieces(v)) for v in sorted({0.0, *layer.margins})]
    return parts, [_tag(v, pieces) for v, pieces in tags if pieces]


def _tag(value: float, pieces: list[Float]) -> Label:
    """The value of a line, at its lowest place or at one of some others."""
    xy = np.concatenate(pieces)
    order = [xy[:, 1].argmax(), xy[:, 1].argmin(), *range(0, len(xy), len(xy) // 8 + 1)]
    return Label(number(value, 2, signed=bool(value)), xy[order], Role.MARGIN, 0.0, OVER)


class Shape:
    """Shapes of a raster (ny, nx), row 0 at the smallest y, over a frame.

    The values belong to the middles of cells; one more cell on each side lets the shapes reach the
    edges. straight: these go straight on; else they repeat the last
    """

    def __init__(self, values: Float, frame: Frame, straight: bool = True) -> None:
        from contourpy import FillType, LineType, contour_generator

        ny, nx = values.shape
        padded = np.pad(values, 1, mode="edge")
        if straight and min(nx, ny) > 1:
            padded[0], padded[-1] = 2 * padded[1] - padded[2], 2 * padded[-2] - padded[-3]
            padded[:, 0], padded[:, -1] = (
                2 * padded[:, 1] - padded[:, 2],
                2 * padded[:, -2] - padded[:, -3],
            )
        x = (np.arange(-1, nx + 1) + 0.5) / nx * frame.wide
        y = frame.high - (np.arange(-1, ny + 1) + 0.5) / ny * frame.high
        self._made: Any = contour_generator(
            x,
            y,
            np.ma.masked_invalid(padded),
            line_type=LineType.Separate,
            fill_type=FillType.OuterOffset,
        )

    def between(self, low: float, high: float) -> str:
        """The path data (`d`) of the region whose values lie between two levels."""
        points, offsets = self._made.filled(low, high)
        return path(
            (
                p[a:e]
                for p, o in zip(points, offsets, strict=True)
                for a, e in itertools.pairwise(o)
            ),
            True,
        )

    def line(self, level: float) -> str:
        return path(self.pieces(level))

    def pieces(self, level: float) -> list[Float]:
        return list(self._made.lines(level))


def _filled(d: str, name: str) -> str:
    return f'<path d="{d}" class="{name}" fill-rule="evenodd"/>' if d else ""


def _lined(d: str, look: str) -> str:
    return "".join(f'<path d="{d}" class="s {name}"/>' for name in coats(look)) if d else ""


def _agrees(classes: Float, score: Float) -> bool:
    """Whether the sign of a score tells the classes: positive is class 0, negative class 1."""
    if score.shape != classes.shape or _in_steps(score):
        return False
    with np.errstate(invalid="ignore"):
        signs = np.where(score > 0, 0.0, np.where(score < 0, 1.0, -1.0))
    return bool(np.mean(signs == classes) > AGREE)


def _in_steps(values: Float) -> bool:
    """Whether a surface is piecewise constant."""
    return bool(np.mean(values[:, 1:] == values[:, :-1]) > FLAT)


def _halves(layer: Field, score: Float, frame: Frame) -> list[str]:
    """Two classes divided where the score is zero."""
    shape = Shape(score, frame)
    parts = [_filled(shape.between(0.0, np.inf), "t0"), _filled(shape.between(-np.inf, 0.0), "t1")]
    parts += [_lined(shape.line(level), "level") for level in layer.levels if level]
    return [part for part in parts if part] + [
        _lined(shape.line(0.0), "s-boundary")
    ] * layer.boundary


def _regions(layer: Field, classes: Float, frame: Frame) -> list[str]:
    """Any number of classes, cell by cell."""
    index = np.nan_to_num(classes, nan=-1.0).astype(np.intp)
    present = [int(c) for c in np.unique(index) if c >= 0]
    drawn = "".join(_filled(_cells(index == c, frame), f"t{c % COLOURS}") for c in present)
    grey = np.where(index < 0, 0, (index % COLOURS + 1) * GREY)
    parts = [_smaller(drawn, grey, frame, "tints")]
    if layer.boundary:
        borders = present if len(present) != 2 or (index < 0).any() else present[:1]
        shapes = (Shape(_blurred((index == c).astype(np.float64)), frame, False) for c in borders)
        parts += [_lined(shape.line(0.5), "s-boundary") for shape in shapes]
    return [part for part in parts if part]


def _blurred(inside: Float) -> Float:
    """Weights 1 2 1 along rows and columns: takes the stairs out of slanted borders."""
    for axis in (0, 1):
        wide = np.moveaxis(
            np.pad(inside, [(1, 1) if a == axis else (0, 0) for a in (0, 1)], mode="edge"), axis, 0
        )
        inside = np.moveaxis((wide[:-2] + 2 * wide[1:-1] + wide[2:]) / 4, 0, axis)
    return inside


def _shaded(layer: Field, values: Float, frame: Frame) -> list[str]:
    """Steps of class 0 above zero and of class 1 below, deeper outwards."""
    edges = _edges(layer, values)
    if _in_steps(values):
        return _flat(layer, values, edges, frame)
    shape = Shape(values, frame)
    parts = []
    for k, edge in enumerate(edges):
        parts.append(_filled(shape.between(edge, np.inf), f"u0{_shade(k, edges)}"))
        parts.append(_filled(shape.between(-np.inf, -edge), f"u1{_shade(k, edges)}"))
    parts += [
        _lined(shape.line(level), "level") for level in layer.levels if level or not layer.boundary
    ]
    parts += [_lined(shape.line(0.0), "s-boundary")] * layer.boundary
    return [part for part in parts if part]


def _shade(k: int, edges: list[float]) -> int:
    """Which of the shades the k-th step has: the first the palest, the last the deepest."""
    return round(k * (SHADES - 1) / max(1, len(edges) - 1))


def _edges(layer: Field, values: Float) -> list[float]:
    """Where the steps begin, from zero outwards: at the levels of the layer, or evenly up to the
    largest sizes.
    """
    given = sorted({abs(level) for level in layer.levels if level})
    if len(given) > 1:
        return [0.0, *given]
    sizes = np.abs(values[np.isfinite(values)])
    limit = float(np.quantile(sizes, LIMIT)) if len(sizes) else 0.0
    return [limit * k / SHADES for k in range(SHADES if limit > 0 else 1)]


def _flat(layer: Field, values: Float, edges: list[float], frame: Frame) -> list[str]:
    """A surface of steps is coloured cell by cell, and its border runs between the cells."""
    clear: Bool = ~np.isfinite(values) | (values == 0)
    step = np.searchsorted(np.asarray(edges[1:]), np.abs(np.nan_to_num(values)), side="right")
    shade = np.array([_shade(k, edges) for k in range(len(edges))])[step]
    index = np.where(clear, -1, shade + np.where(values < 0, SHADES, 0))
    drawn = "".join(
        _filled(_cells(index == c, frame), f"u{c // SHADES}{c % SHADES}")
        for c in np.unique(index)
        if c >= 0
    )
    parts = [_smaller(drawn, np.where(index < 0, 0, (index + 1) * GREY), frame, "shades")]
    if layer.boundary:
        parts.append(
            _lined(
                Shape(_blurred((values > 0).astype(np.float64)), frame, False).line(0.5),
                "s-boundary",
            )
        )
    return [part for part in parts if part]


def _smaller(drawn: str, grey: Int, frame: Frame, kind: str) -> str:
    """The shapes, or the picture of their levels, which a filter colours."""
    if not drawn:
        return ""
    picture = data_uri(grey[::-1], clear=0)
    if len(drawn) < PACKED * len(picture):
        return f'<g shape-rendering="crispEdges">{drawn}</g>'
    return (
        f'<image width="{size(frame.wide)}" height="{size(frame.high)}" preserveAspectRatio="none" '
        f'class="px {kind}" href="{picture}"/>'
    )


def _cells(inside: Bool, frame: Frame) -> str:
    """The `d` of the cells (ny, nx) that are inside: equal rows together, one rectangle for each
    run.
    """
    ny, nx = inside.shape
    tall = np.flatnonzero(np.concatenate([[True], (inside[1:] != inside[:-1]).any(axis=1), [True]]))
    d = []
    for first, last in itertools.pairwise(tall):
        edges = np.flatnonzero(np.diff(np.concatenate([[0], inside[first].astype(np.int8), [0]])))
        top = frame.high * (1 - last / ny)
        high = frame.high * (last - first) / ny
        for a, b in zip(edges[::2], edges[1::2], strict=True):
            d.append(
                f"M{size(a / nx * frame.wide)} {size(top)}h{size((b - a) / nx * frame.wide)}v{size(high)}H{size(a / nx * frame.wide)}z"
            )
    return "".join(d)
