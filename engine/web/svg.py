"""Planes as SVG: each layer of a scene as some parts, back to front.

Equal parts of many steps are kept once by the caller.
"""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np

from engine.base.arrays import Float
from engine.scene.geometry import dividing_edges
from engine.scene.layers import (
    NO_GROUP,
    Arrows,
    Band,
    Boxes,
    Circles,
    Ellipses,
    Field,
    Labels,
    Layer,
    Line,
    Points,
    Polygons,
    Polyline,
    Role,
    Segments,
    ground_end,
)
from engine.scene.roles import (
    ARROW_HEAD,
    LARGEST,
    LETTERING,
    MARKS,
    SMALLEST,
    SPAN_LETTERING,
    STROKES,
)
from engine.web import look
from engine.web.frame import Frame
from engine.web.labels import BESIDE, OVER, Label, Placer
from engine.web.look import COLOURS, QUARTER, Look, arrow_look, box_look, coats, ring_name
from engine.web.markup import escaped, path, points, runs, size
from engine.web.surfaces import Raster, surface

# of points, in pixels: on a plane, in a small one, of a bare place
RADIUS, SMALL, NODE = 5.5, 3.6, 4.0
OUTSIDE = 20.0  # open sides of boxes lie this far outside of the picture
MANY = 40  # points of a layer from which on they are one part each
HEAD_BACK = 8.0  # units before the tip of an arrow at which its shaft ends
TAG_AT = (0.8, 0.65, 0.9, 0.5, 0.3)
NAME_AT = (0.5, 0.8, 0.2, 0.65, 0.35)
MEASURED = 0.74  # where beside a measure its length stands
TO_MIDDLE = (0.0, 0.2, 0.4, 0.6)  # from the wanted place of a name towards the middle
HANDLE_AT = (0.03, 0.1, 0.17, 0.24, 0.97, 0.9)


class Plane:
    """One plane being drawn. defs: definitions by name, to which markers are added; radius: of a
    point in pixels.
    """

    def __init__(
        self,
        frame: Frame,
        defs: dict[str, str],
        raster: Raster | None = None,
        radius: float = RADIUS,
    ) -> None:
        self.frame, self.defs, self.radius = frame, defs, radius
        self.raster: Raster = raster or (lambda name: None)
        self.labels: list[Label] = []
        self.covered: list[Float] = [np.zeros((0, 2))]

    def draw(self, layers: Sequence[Layer], grid: str = "") -> list[str]:
        """The parts of `layers`, with `grid` above the coloured ground and below the marks, labels
        on top.
        """
        ground = ground_end(layers)
        parts = [part for layer in layers[:ground] for part in self._layer(layer)]
        parts.append(grid)
        parts += [part for layer in layers[ground:] for part in self._layer(layer)]
        placer = Placer(self.frame, np.concatenate(self.covered))
        parts += [placer.write(label) for label in self.labels]
        return [part for part in parts if part]

    def _layer(self, layer: Layer) -> list[str]:
        return DRAWN.get(type(layer), _sketched)(self, layer)

    def define(self, name: str, make: Callable[[], str]) -> str:
        """A reference "#name" to an SVG definition, made by `make` when it is first needed."""
        if name not in self.defs:
            self.defs[name] = make()
        return f"#{name}"

    def say(
        self,
        text: str,
        spots: Float,
        role: Role,
        gap: float = 0.0,
        sides: Sequence[str] = BESIDE,
        form: str = "",
    ) -> None:
        self.labels.append(Label(text, np.atleast_2d(spots), role, gap, sides, form))


Drawer = Callable[[Plane, Any], list[str]]
D = TypeVar("D", bound=Drawer)
DRAWN: dict[type[Layer], Drawer] = {}  # filled by `draws`


def draws(kind: type[Layer]) -> Callable[[D], D]:
    """A decorator that makes a function the drawing of a kind of layer."""

    def register(drawer: D) -> D:
        DRAWN[kind] = drawer
        return drawer

    return register


def _sketched(p: Plane, layer: Layer) -> list[str]:
    """A kind without a drawing of its own: its points and curves, in the look of its role."""
    dots = layer.dots()
    return [
        *_points(p, Points(dots, np.full(len(dots), NO_GROUP), layer.role)),
        *_polyline(p, Polyline(layer.curve(), layer.role)),
    ]


# -- points ----------------------------------------------------------------------------------------


@draws(Points)
def _points(p: Plane, layer: Points) -> list[str]:
    xy = p.frame.at(layer.xy)
    seen = np.flatnonzero(
        (np.abs(xy - [p.frame.wide / 2, p.frame.high / 2]) <= [p.frame.wide, p.frame.high]).all(
            axis=1
        )
    )
    p.covered.append(xy[seen])
    if layer.role in (Role.QUERY, Role.PROBE):
        return _special(p, layer, xy, seen.tolist())
    mark = MARKS[layer.role]
    parts = []
    if rings := look.rings(layer.role, p.radius):
        href = p.define(ring_name(layer.role, p.radius), lambda: rings)
        parts += [
            f'<use href="{href}" x="{size(xy[i, 0])}" y="{size(xy[i, 1])}"/>' for i in seen.tolist()
        ]
    if not (mark.bare and layer.shown is None):
        drawn = _markers(p, layer, xy, seen.tolist())
        parts += (
            [f'<g opacity="{mark.opacity}">{"".join(drawn)}</g>'] if mark.opacity < 1 else drawn
        )
    reach = max([0.0, *(beyond + stroke.width for beyond, stroke in mark.rings)])
    for i in seen.tolist():
        if i < len(layer.label) and layer.label[i]:
            p.say(layer.label[i], xy[i], layer.role, p.radius + reach + 4, BESIDE, "halo")
    return parts if len(parts) > MANY else ["".join(parts)]


def _markers(p: Plane, layer: Points, xy: Float, seen: list[int]) -> list[str]:
    mark = MARKS[layer.role]
    radius = _radii(p, layer)
    group = np.asarray(layer.group, np.int64)
    shown = group if layer.shown is None else np.asarray(layer.shown, np.int64)
    drawn = []
    for i in seen:
        g, s = int(group[i]), int(shown[i])
        style = mark.style
        r = float(radius[i])
        if layer.role is Role.PLAIN and g < 0 and s < 0:
            style = "node"
            r = NODE
        elif layer.role is Role.ACTIVE and g < 0:
            style = "sample"
        one = Look(g, s, style, round(r * QUARTER))
        href = p.define(one.name, lambda one=one: look.marker(one))  # type: ignore[misc]
        drawn.append(f'<use href="{href}" x="{size(xy[i, 0])}" y="{size(xy[i, 1])}"/>')
    return drawn


def _radii(p: Plane, layer: Points) -> Float:
    """(m,) pixels; area grows with weight."""
    usual = p.radius * MARKS[layer.role].scale
    weight = (
        None
        if layer.weight is None
        else np.maximum(np.nan_to_num(np.asarray(layer.weight, np.float64), posinf=0.0), 0.0)
    )
    if weight is None or not len(weight) or weight.mean() <= 0:
        return np.full(len(layer.xy), usual)
    return np.asarray(np.clip(usual * np.sqrt(weight / weight.mean()), SMALLEST, LARGEST))


def _special(p: Plane, layer: Points, xy: Float, seen: list[int]) -> list[str]:
    drawn = []
    for i in seen:
        x, y = size(xy[i, 0]), size(xy[i, 1])
        label = layer.label[i] if i < len(layer.label) else ""
        if layer.role is Role.PROBE:
            drawn.append(f'<use href="{p.define("probe", look.probe)}" x="{x}" y="{y}"/>')
            continue
        name = "query-l" if label else "query"
        href = p.define(name, lambda label=label: look.query(bool(label)))  # type: ignore[misc]
        inside = label if 0 < len(label) <= 2 else "?"
        text = f'<g transform="translate({x} {y})"><text class="m qt{"" if label else " qs"}" y="{6 if label else 3.8}">{escaped(inside)}</text></g>'
        drawn.append(f'<use href="{href}" x="{x}" y="{y}"/>{text}')
        if len(label) > 2:
            p.say(label, xy[i], Role.PLAIN, look.QUERY_RADIUS + 6, BESIDE, "halo")
    return ["".join(drawn)]


# -- lines -----------------------------------------------------------------------------------------


def _stroked(d: str, name: str, own: str = "") -> str:
    """A path in all its coats; own: more attributes of the topmost one."""
    if not d:
        return ""
    *under, core = coats(name)
    return (
        "".join(f'<path d="{d}" class="s {each}"/>' for each in under)
        + f'<path d="{d}" class="s {core}"{own}/>'
    )


def _coloured(role: Role, group: int) -> str:
    """The attribute that gives a line in ink the colour of a class."""
    return (
        f' style="stroke:var(--c{group % COLOURS})"'
        if group >= 0 and STROKES[role].colour == "ink"
        else ""
    )


@draws(Line)
def _line(p: Plane, layer: Line) -> list[str]:
    ends = p.frame.line(layer.w, layer.b)
    if ends is None:
        return []
    if layer.label or layer.role is Role.REJECTED:
        _name_span(p, layer.label, ends, layer.role, False, layer.name_at)
    return [_stroked(path([ends]), f"s-{layer.role.value}", _coloured(layer.role, layer.group))]


def _name_span(
    p: Plane, text: str, ends: Float, role: Role, span: bool, at: float = float("nan")
) -> None:
    """A text on a straight piece: tags on it, handles at one end, other texts beside its middle, or
    beside the share `at` of the way from left to right.
    """
    form = SPAN_LETTERING[role].form if span else ""
    kind = form or LETTERING[role].form
    shares = np.array(
        HANDLE_AT if kind in ("handle", "cross") else TAG_AT if kind == "tag" else NAME_AT
    )[:, None]
    first, last = ends
    if kind in ("handle", "cross"):
        axis = int(abs(last[1] - first[1]) > abs(last[0] - first[0]))
        first, last = sorted((first, last), key=lambda end: float(end[axis]))
    elif at == at and kind != "tag":
        first, last = sorted((first, last), key=lambda end: float(end[0]))
        shares = at + np.array(TO_MIDDLE)[:, None] * (0.5 - at)
    spots = first + shares * (last - first)
    p.say(
        text,
        spots,
        role,
        0.0 if kind in ("handle", "cross", "tag") else 9.0,
        OVER if kind == "tag" else _sides(last - first),
        form,
    )


def _sides(step: Float) -> tuple[str, ...]:
    """Where a text beside a straight piece finds room."""
    if abs(step[0]) < 0.35 * abs(step[1]):
        return ("right", "left")
    if abs(step[1]) < 0.35 * abs(step[0]):
        return ("above", "below")
    return ("below right", "above left") if step[0] * step[1] < 0 else ("above right", "below left")


@draws(Segments)
def _segments(p: Plane, layer: Segments) -> list[str]:
    ends, kept = p.frame.cut(p.frame.at(np.asarray(layer.ends, np.float64).reshape(-1, 2, 2)))
    for k, i in enumerate(kept.tolist()):
        text = layer.label[i] if i < len(layer.label) else ""
        if text or layer.role is Role.REJECTED:
            _name_span(p, text, ends[k], layer.role, True)
    name = f"s-{layer.role.value}"
    if layer.width is None:
        return [_stroked(path(ends), name)]
    width = np.asarray(layer.width, np.float64)[kept]
    usual = STROKES[layer.role].width
    return [
        _stroked(path(ends[width == times]), name, f' style="stroke-width:{size(usual * times)}"')
        for times in np.unique(width[np.isfinite(width)]).tolist()
    ]


@draws(Polyline)
def _polyline(p: Plane, layer: Polyline) -> list[str]:
    pieces = runs(p.frame.at(layer.xy))
    if layer.label and pieces:
        inside = [xy for xy in np.concatenate(pieces) if p.frame.holds(xy)]
        if inside:
            p.say(layer.label, inside[-1], layer.role, 8.0, (*BESIDE, "middle"))
    own = _coloured(layer.role, layer.group)
    name = "curve" if own and layer.role is Role.PLAIN else f"s-{layer.role.value}"
    return [_stroked(path(pieces, layer.closed), name, own)]


@draws(Band)
def _band(p: Plane, layer: Band) -> list[str]:
    low, high = (p.frame.at(np.column_stack([layer.x, y])) for y in (layer.low, layer.high))
    good = np.isfinite(low).all(axis=1) & np.isfinite(high).all(axis=1)
    if np.count_nonzero(good) < 2:
        return []
    d = path([np.concatenate([low[good], high[good][::-1]])], True)
    edge = (
        ""
        if layer.role is Role.REGION
        else _stroked(path([low[good], high[good]]), f"s-{layer.role.value}")
    )
    return [f'<path d="{d}" class="{_tint(layer.role, layer.group) or "band"}"/>{edge}']


@draws(Arrows)
def _arrows(p: Plane, layer: Arrows) -> list[str]:
    start, end = p.frame.at(layer.start), p.frame.at(layer.end)
    name = arrow_look(layer.role)
    drawn = []
    for i in np.flatnonzero(np.hypot(*(end - start).T) >= 1.0).tolist():
        step = end[i] - start[i]
        length = float(np.hypot(*step))
        back = min(HEAD_BACK, 0.6 * length)
        shaft = path([np.stack([start[i], end[i] - step * back / length])])
        k = min(1.0, 0.8 * length / ARROW_HEAD)
        turn = size(np.degrees(np.arctan2(step[1], step[0])))
        head = f"M0 0L-{size(ARROW_HEAD * k)} {size(7 * k)}V-{size(7 * k)}z"
        drawn.append(
            f'{_stroked(shaft, name)}<g transform="translate({points(end[i])}) rotate({turn})"><path d="{head}" class="m h-{name}"/></g>'
        )
        if layer.role is Role.ACCEPTED:
            drawn.append(
                f'<circle cx="{size(start[i, 0])}" cy="{size(start[i, 1])}" r="4" class="s fp s-query"/>'
            )
        p.covered.append(start[i] + np.linspace(0.1, 1, 8)[:, None] * step)
        if i < len(layer.label) and layer.label[i]:
            _name_arrow(p, layer, layer.label[i], start[i], end[i])
    return ["".join(drawn)]


def _name_arrow(p: Plane, layer: Arrows, text: str, tail: Float, tip: Float) -> None:
    """The change and a measure are named beside their shafts, every other arrow at its tip."""
    role = Role.GHOST if layer.role is Role.GHOST else Role.PLAIN
    if layer.role is Role.ACTIVE or layer.measure:
        middle = tail + (MEASURED if layer.measure else 0.5) * (tip - tail)
        p.say(text, middle, role, 12.0, _sides(tip - tail))
        return
    across, back = ("right", "left") if tip[0] >= tail[0] else ("left", "right")
    along, under = ("above", "below") if tip[1] <= tail[1] else ("below", "above")
    p.say(text, tip, role, 10.0, (across, along, back, under))


# -- areas -----------------------------------------------------------------------------------------


def _tint(role: Role, group: int) -> str:
    """The class of an area: the hatch of a difference, the tint of a class, '' for none."""
    if role is Role.DIFFERENCE:
        return "hatch"
    return f"t{group % COLOURS}" if group >= 0 else ""


@draws(Polygons)
def _polygons(p: Plane, layer: Polygons) -> list[str]:
    parts = []
    for ring, group in zip(layer.rings, np.asarray(layer.group).tolist(), strict=True):
        name = _tint(layer.role, group)
        if name:
            parts.append(f'<path d="{path([p.frame.at(ring)], True)}" class="{name}"/>')
    if layer.role is not Role.REGION:
        d = "".join(path([p.frame.at(ring)], True) for ring in layer.rings)
        parts.append(_stroked(d, f"s-{layer.role.value}"))
    return ["".join(parts)] if len(parts) < MANY else parts


@draws(Boxes)
def _boxes(p: Plane, layer: Boxes) -> list[str]:
    bounds = np.asarray(layer.bounds, np.float64).reshape(-1, 4)
    group = np.asarray(layer.group)
    corners = np.clip(
        p.frame.at(bounds.reshape(-1, 2, 2)),
        -OUTSIDE,
        [p.frame.wide + OUTSIDE, p.frame.high + OUTSIDE],
    )
    boxes = np.concatenate([corners.min(axis=1), corners.max(axis=1)], axis=1)
    parts = []
    for box, g in zip(boxes, group.tolist(), strict=True):
        if name := _tint(layer.role, int(g)):
            parts.append(f'<path d="{_box(box)}" class="{name}"/>')
    if layer.role is Role.ACTIVE:
        boxes = np.clip(boxes, 3, [p.frame.wide - 3, p.frame.high - 3] * 2)
    parts.append(_stroked("".join(map(_box, boxes)), box_look(layer.role)))
    if layer.role is Role.REGION:
        ends, _ = p.frame.cut(p.frame.at(dividing_edges(bounds, group)))
        parts.append(_stroked(path(ends), "divider"))
    for (left, top, right, bottom), text in zip(boxes, layer.label, strict=False):
        if text:
            middle = np.clip(
                [[(left + right) / 2, (top + bottom) / 2]], 0, [p.frame.wide, p.frame.high]
            )
            p.say(text, middle, Role.PLAIN, 0.0, OVER)
    return ["".join(parts)]


def _box(box: Float) -> str:
    left, top, right, bottom = map(size, box)
    return f"M{left} {top}H{right}V{bottom}H{left}z"


@draws(Ellipses)
def _ellipses(p: Plane, layer: Ellipses) -> list[str]:
    centre, shape = np.asarray(layer.centre, np.float64), np.asarray(layer.shape, np.float64)
    groups = np.full(len(centre), -1) if layer.group is None else np.asarray(layer.group)
    ux, uy = p.frame.unit
    drawn = []
    for at, spread, group in zip(p.frame.at(centre), shape, groups.tolist(), strict=True):
        if not (np.isfinite(at).all() and np.isfinite(spread).all()):
            continue
        values, axes = np.linalg.eigh((spread + spread.T) / 2)
        pulls = np.array([[ux], [-uy]]) * axes * layer.reach * np.sqrt(np.maximum(values, 0.0))
        turn = np.linspace(0, 2 * np.pi, 49)[:-1]
        d = path([at + np.column_stack([np.cos(turn), np.sin(turn)]) @ pulls.T], True)
        colour = f"var(--c{int(group) % COLOURS})"
        plain = layer.role in (Role.BALL, Role.PLAIN, Role.REGION, Role.POINT)
        fill = f'<path d="{d}" style="fill:{colour};fill-opacity:.12"/>' if group >= 0 else ""
        own = f' style="stroke:{colour}"' if group >= 0 and plain else ""
        drawn.append(
            fill + _stroked(d, "ellipse" if group >= 0 and plain else f"s-{layer.role.value}", own)
        )
    return ["".join(drawn)]


@draws(Circles)
def _circles(p: Plane, layer: Circles) -> list[str]:
    ux, uy = p.frame.unit
    drawn = []
    for i, (at, radius) in enumerate(
        zip(p.frame.at(layer.centre), np.asarray(layer.radius, np.float64).tolist(), strict=True)
    ):
        if not np.isfinite([*at, radius]).all() or radius <= 0:
            continue
        rx, ry = min(radius * ux, 1e5), min(radius * uy, 1e5)
        shape = f'cx="{size(at[0])}" cy="{size(at[1])}" rx="{size(rx)}" ry="{size(ry)}"'
        drawn += [f'<ellipse {shape} class="s {name}"/>' for name in coats(f"s-{layer.role.value}")]
        if i < len(layer.label) and layer.label[i]:
            tops = at + np.array([[0, -ry], [0, ry], [rx, 0], [-rx, 0]])
            p.say(
                layer.label[i],
                tops,
                Role.GHOST if layer.role is Role.GHOST else Role.PLAIN,
                3.0,
                OVER,
            )
    return ["".join(drawn)]


@draws(Labels)
def _labels(p: Plane, layer: Labels) -> list[str]:
    for xy, text in zip(p.frame.at(layer.xy), layer.text, strict=True):
        if text and p.frame.holds(xy):
            p.say(text, xy, layer.role, 0.0, OVER)
    return []


@draws(Field)
def _field(p: Plane, layer: Field) -> list[str]:
    parts, tags = surface(layer, p.raster, p.frame)
    p.labels += tags
    return parts
