"""The painting of a 3-D figure: box and names, glass planes with points before and behind them,
rings, the path, and a surface over two axes as a mesh, thinned, shaded by slope, with level lines.
"""

from collections.abc import Mapping
from functools import lru_cache
from itertools import groupby
from math import hypot

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPainterPath, QPolygonF

from engine.base.arrays import Bool, Float, Int
from engine.base.records import Record, cached_property, replace
from engine.scene.axes import axis_name, tick_step, tick_text, ticks
from engine.scene.roles import MARKS, STROKES, Stroke
from engine.scene.scene import Role, Space
from gui.figures.space_view import CORNERS, Box, Camera, axis_edge, box_lines
from gui.look import theme
from gui.look.ink import face, pen, write, write_centred, write_right
from gui.look.theme import mix
from gui.painters.buffers import draw_copies, draw_lines, path_of, polygon, runs
from gui.painters.points import on_pixels, ring_radius
from gui.painters.sprites import QUARTER, Look, atlas
from gui.painters.strokes import draw_ends, draw_path, kept
from gui.painters.view import Brushwork, View

GLASS = 0.16  # opacity of a plane
DASHED = (Role.MARGIN, Role.GHOST, Role.CANDIDATE)  # planes without glass
NAME_AWAY, NAME_NEAR, NUMBER_AWAY, NUMBER_UP = 22.0, 13.0, 11.0, 9.0
MARGIN = 3.0  # pixels from a text to the edge of the figure at least
LEAST_EDGE = 64.0  # pixels; shorter edges have no room for numbers
SMALL, LARGE, PER_RADIUS = 2.7, 5.0, 15.0  # radii of points; radii per half side
HINT = "drag to turn"
ROOMY = 170  # least height in pixels that shows the hint
LEGEND_ROOM = 220  # least height that shows the legend of the rings
THIN, USUAL_UNIT = 0.55, 60.0  # least factor of widths; half side in pixels for factor 1
MOST_CELLS, FLYING_CELLS = 40, 20  # cells along a side; in fast playback
SHADES = 12
LIGHTEST = 0.05
DARKEST = 0.40
LIGHT = np.array([-0.45, -0.35, 0.82])
LEVELS, LEVEL_ALPHA = 10.0, 0.45
WINDING = Qt.FillRule.WindingFill
Surface = tuple[Float, Float, Float]


class Strips(Record, eq=True):
    """Cells in strips; adjacent cells of one shade form one polygon. corner (all,): corners of all
    polygons, polygon k from start[k] on; shade (k,): shade of each polygon; first (strips + 1,):
    first polygon of each strip.
    """

    corner: Int
    start: list[int]
    shade: list[int]
    first: list[int]


class Mesh(Record, eq=True, dict=True):
    """corners (ny, nx, 3) in the box; shade (ny − 1, nx − 1) of the cells, −1 for a hole; levels
    (k, 2, 3): pieces of level lines; row, column (k,): their cells.

    cut: {(row, column): corners} of the cells that the top cuts, numbered as `places`; rim (m, 3):
    the places at which it cuts
    """

    corners: Float
    shade: Int
    levels: Float
    row: Int
    column: Int
    cut: Mapping[tuple[int, int], list[int]]
    rim: Float

    @property
    def places(self) -> Float:
        """(ny nx + m, 3) all corners of polygons: those of the cells, then the rim."""
        return np.concatenate([self.corners.reshape(-1, 3), self.rim])

    @cached_property
    def rows(self) -> Strips:
        """The cells in strips along x."""
        return _strips(self._number, self.shade, self.cut)

    @cached_property
    def columns(self) -> Strips:
        """The cells in strips along y."""
        turned = {(column, row): corners for (row, column), corners in self.cut.items()}
        return _strips(self._number.T, self.shade.T, turned)

    @property
    def _number(self) -> Int:
        """(ny, nx) the index of each corner in the flat list of corners."""
        return np.arange(self.corners.shape[0] * self.corners.shape[1]).reshape(
            self.corners.shape[:2]
        )

    def paint(self, painter: QPainter, camera: Camera) -> None:
        """Paint strips across the line of sight, the farthest first, each with its level lines."""
        near = camera.axes()[2]
        by_rows = abs(near[1]) >= abs(near[0])
        # made on first use
        strips, strip_of = (self.rows, self.row) if by_rows else (self.columns, self.column)
        along, across = (near[1], near[0]) if by_rows else (near[0], near[1])
        seen = polygon(camera.project(self.places)[:, :2][strips.corner])
        lines = camera.project(self.levels)[..., :2]
        order = np.argsort(strip_of, kind="stable")
        count = len(strips.first) - 1
        bounds = np.searchsorted(strip_of[order], np.arange(count + 1))
        brushes = _brushes(theme.current().key)
        line_pen = pen(theme.current().colour("ink", LEVEL_ALPHA), 1.0)
        for strip in range(count) if along > 0 else reversed(range(count)):
            _paint_strip(painter, strips, seen, strip, across > 0, brushes)
            pieces = order[bounds[strip] : bounds[strip + 1]]
            if len(pieces):
                painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                painter.setPen(line_pen)
                draw_lines(painter, lines[pieces])


def _paint_strip(
    painter: QPainter,
    strips: Strips,
    seen: QPolygonF,
    strip: int,
    forwards: bool,
    brushes: list[QBrush],
) -> None:
    """Paint the polygons of a strip without antialiasing, which would leave seams between them."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    painter.setPen(Qt.PenStyle.NoPen)
    cells = range(strips.first[strip], strips.first[strip + 1])
    shade, start = strips.shade, strips.start
    for k in cells if forwards else reversed(cells):
        painter.setBrush(brushes[shade[k]])
        painter.drawPolygon(seen.sliced(start[k], start[k + 1] - start[k]), WINDING)


def _strips(number: Int, shade: Int, cut: Mapping[tuple[int, int], list[int]]) -> Strips:
    """The strips along the rows. number (n + 1, m + 1): index of each corner; shade (n, m): of the
    cells, −1 for a hole; cut: the corners of cells that are no quadrangles
    """
    corner: list[int] = []
    start = [0]
    shades = []
    first = [0]
    lines = number.tolist()
    for i, (row, one, other) in enumerate(zip(shade.tolist(), lines[:-1], lines[1:], strict=True)):
        a = 0
        cells = [(value, j if (i, j) in cut else -1) for j, value in enumerate(row)]
        for (value, alone), alike in groupby(cells):
            b = a + len(list(alike))
            if value >= 0:
                corner += cut[i, a] if alone >= 0 else one[a : b + 1] + other[a : b + 1][::-1]
                start.append(len(corner))
                shades.append(value)
            a = b
        first.append(len(shades))
    return Strips(np.array(corner, np.intp), start, shades, first)


@lru_cache(maxsize=16)
def _brushes(key: tuple[str, int]) -> list[QBrush]:
    """The brush of each shade, in the theme with that key."""
    look = theme.look(*key)
    plane, ink = QColor(look.plane), QColor(look.ink)
    return [
        QBrush(mix(plane, ink, LIGHTEST + (DARKEST - LIGHTEST) * k / (SHADES - 1)))
        for k in range(SHADES)
    ]


def make_mesh(
    surface: Surface, box: Box, cells: int = MOST_CELLS, top: float | None = None
) -> Mesh:
    """The mesh of a surface with at most `cells` cells along a side. The first and the last row and
    column stay. top: the height at which the surface is cut off
    """
    x, y, z = (np.asarray(part, np.float64) for part in surface)
    rows, columns = _thinned(len(y), cells), _thinned(len(x), cells)
    x = x[columns]
    y = y[rows]
    z = z[np.ix_(rows, columns)]
    gx, gy = np.meshgrid(x, y)
    corners = box.inside(np.stack([gx, gy, z], axis=-1))
    levels = ticks(
        float(box.low[2]),
        float(box.high[2]),
        tick_step(float(box.low[2]), float(box.high[2]), LEVELS, 1.0),
    )
    heights = box.inside(np.column_stack([0 * levels, 0 * levels, levels]))[:, 2]
    shade = _shades(corners)
    cut: dict[tuple[int, int], list[int]] = {}
    rim = np.zeros((0, 3))
    if top is not None:
        high = float(box.inside(np.array([0.0, 0.0, top]))[2])
        shade = np.where(_beyond(corners, high), -1, shade)
        cut, rim = _cut_cells(corners, shade, high)
        heights = np.append(heights[heights < high], high)  # a line along the rim too
    return Mesh(corners, shade, *level_pieces(corners, heights), cut, rim)


def _beyond(corners: Float, high: float) -> Bool:
    """(ny − 1, nx − 1) whether a cell has no corner below the height `high`."""
    above = ~(corners[..., 2] < high)
    return above[:-1, :-1] & above[:-1, 1:] & above[1:, :-1] & above[1:, 1:]


def _cut_cells(
    corners: Float, shade: Int, high: float
) -> tuple[dict[tuple[int, int], list[int]], Float]:
    """({(row, column): corners}, (m, 3) the rim): of each cell that a level plane cuts, the corners
    of what is below it, as numbers of the corners in row order, and behind them of the rim.
    """
    ny, nx = shade.shape
    count = (ny + 1) * (nx + 1)
    flat = corners.reshape(-1, 3)
    above = ~(flat[:, 2] < high)
    cut: dict[tuple[int, int], list[int]] = {}
    rim: list[Float] = []
    for row, column in np.argwhere(shade >= 0).tolist():
        first = row * (nx + 1) + column
        ring = [first, first + 1, first + nx + 2, first + nx + 1]
        if not above[ring].any():
            continue
        kept: list[int] = []
        for a, b in zip(ring, [*ring[1:], ring[0]], strict=True):
            if not above[a]:
                kept.append(a)
            if above[a] != above[b]:
                share = (high - flat[a, 2]) / (flat[b, 2] - flat[a, 2])
                kept.append(count + len(rim))
                rim.append(flat[a] + share * (flat[b] - flat[a]))
        cut[row, column] = kept
    return cut, np.array(rim).reshape(-1, 3)


def _thinned(count: int, cells: int) -> Int:
    """The indices of the rows or columns that stay."""
    return np.unique(np.round(np.linspace(0, count - 1, min(count, cells + 1))).astype(np.intp))


def _shades(corners: Float) -> Int:
    """(ny − 1, nx − 1) the shade of each cell by its angle to the light; −1 for a hole."""
    one = corners[1:, 1:] - corners[:-1, :-1]
    two = corners[1:, :-1] - corners[:-1, 1:]
    normal = np.cross(one, two)
    with np.errstate(invalid="ignore", divide="ignore"):
        normal = normal / np.linalg.norm(normal, axis=-1, keepdims=True)
        lit = np.abs(normal @ LIGHT)
    whole = np.isfinite(lit)
    dark = np.clip(1 - np.where(whole, lit, 0.0), 0, 1)
    return np.where(whole, np.round(dark * (SHADES - 1)), -1).astype(np.intp)


def level_pieces(corners: Float, levels: Float) -> tuple[Float, Int, Int]:
    """The straight pieces (k, 2, 3) of level lines, one or two per cell that a level crosses, with
    the rows and columns of their cells.
    """
    quad = np.stack(
        [corners[:-1, :-1], corners[:-1, 1:], corners[1:, 1:], corners[1:, :-1]], axis=2
    )
    after = np.roll(quad, -1, axis=2)
    height = quad[..., 2]
    whole = np.isfinite(height).all(axis=2, keepdims=True)
    found, cells = [np.zeros((0, 2, 3))], [np.zeros((0, 2), np.intp)]
    for level in levels:
        above = height > level
        crossed = (above != (after[..., 2] > level)) & whole
        row, column, side = np.nonzero(crossed)  # two or four consecutive entries per cell
        one = quad[row, column, side]
        other = after[row, column, side]
        share = (level - one[:, 2]) / (other[:, 2] - one[:, 2])
        found.append((one + share[:, None] * (other - one)).reshape(-1, 2, 3))
        cells.append(np.column_stack([row[::2], column[::2]]))
    where = np.concatenate(cells)
    return np.concatenate(found), where[:, 0], where[:, 1]


def paint_space(
    painter: QPainter,
    rect: QRectF,
    space: Space,
    box: Box,
    camera: Camera,
    mesh: Mesh | None,
    printed: bool = False,
) -> None:
    """Paint everything from far to near; printed: without the hint, as nothing can be turned."""
    look = theme.current()
    painter.setPen(pen("line", 1, scaled=False))
    painter.setBrush(look.colour("plane"))
    painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), theme.RADIUS, theme.RADIUS)
    size = min(LARGE, max(SMALL, camera.unit / PER_RADIUS))
    b = Brushwork(painter, View((0, 1), (0, 1), rect), look, radius=size * look.radius / 5.5)
    with kept(painter):
        painter.setClipRect(rect.adjusted(1, 1, -1, -1))
        _paint_box(painter, camera)
        if mesh is not None:
            mesh.paint(painter, camera)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        _paint_planes_and_points(b, space, box, camera)
        if space.path is not None:
            _paint_path(b, camera.project(box.inside(space.path))[:, :2])
        _paint_axes(painter, rect, space, box, camera)
    line = theme.current().line_height("caption")
    if rect.height() >= ROOMY and not printed:
        write_right(
            painter, rect.right() - 8, rect.top() + 4 + line / 2, HINT, face("caption"), "ink3"
        )
    if rect.height() >= LEGEND_ROOM and Role.BOUNDED in space.roles:
        _paint_legend(b, rect, line)


def _paint_legend(b: Brushwork, rect: QRectF, line: float) -> None:
    """Paint the meaning of one ring and of two, at the top left."""
    x = rect.left() + 18.0
    y = rect.top() + 4 + line / 2
    ring = 0.3 * line
    for word, circles in (("free", 1), ("bounded", 2)):
        b.painter.setPen(pen("ink", 1.5))
        b.painter.setBrush(Qt.BrushStyle.NoBrush)
        for k in range(circles):
            r = ring * (1 + 0.75 * k)
            b.painter.drawEllipse(QPointF(x, y), r, r)
        write(b.painter, x + 2 * ring + 4, y, word, face("caption"), "ink2")
        x += 2 * ring + 4 + face("caption").width(word) + 26


def _fine(stroke: Stroke, camera: Camera) -> Stroke:
    """A stroke scaled to the box, without a casing: no fills lie behind lines here."""
    factor = min(1.0, max(THIN, camera.unit / USUAL_UNIT))
    dash = tuple(length * factor for length in stroke.dash)
    return replace(
        stroke, width=stroke.width * factor, edge=stroke.edge * factor, dash=dash, casing=0.0
    )


def _paint_box(painter: QPainter, camera: Camera) -> None:
    seen = camera.project(CORNERS)
    painter.setPen(pen("strong", 1, scaled=False))
    painter.setOpacity(0.55)
    for a, b in box_lines(camera):
        painter.drawLine(QPointF(*seen[a, :2]), QPointF(*seen[b, :2]))
    painter.setOpacity(1.0)


def _paint_axes(painter: QPainter, rect: QRectF, space: Space, box: Box, camera: Camera) -> None:
    """Write names at the middle and numbers at the ends of three edges, outside of the box."""
    centre = camera.project(np.zeros(3))[:2]
    for axis, name in enumerate(space.names):
        a, b = axis_edge(camera, axis)
        ends = camera.project(np.array([a, b, (a + b) / 2]))[:, :2]
        step = box.high[axis] / 20 - box.low[axis] / 20  # the span itself could overflow
        for end, place in zip((a, b), ends, strict=False):
            value = box.high[axis] if end[axis] > 0 else box.low[axis]
            text = tick_text(float(value), float(step))
            text = "0" if not text.strip("−0.") else text
            if axis == 2 and end[2] < 0:
                place = place - (0.0, NUMBER_UP)  # keeps clear of the number of another axis here
            if hypot(*(ends[1] - ends[0])) > LEAST_EDGE:
                _write_outside(
                    painter, rect, ends[2] - centre, place, NUMBER_AWAY, text, "caption", "ink3"
                )
        away = NAME_AWAY if hypot(*(ends[1] - ends[0])) > LEAST_EDGE else NAME_NEAR
        _write_outside(
            painter, rect, ends[2] - centre, ends[2], away, axis_name(name), "body", "ink2"
        )


def _write_outside(
    painter: QPainter,
    rect: QRectF,
    outwards: Float,
    at: Float,
    away: float,
    text: str,
    style: str,
    colour: str,
) -> None:
    """Write a text outside of the edge at `at`, further along `outwards`, whole within `rect`."""
    dx, dy = outwards / (hypot(*outwards) or 1.0)
    look = face(style)
    away *= theme.current().line_height("caption") / 16
    aside = min(1.0, max(-1.0, 3 * dx)) * (look.width(text) / 2 + 4)
    half = look.width(text) / 2 + MARGIN
    middle = min(max(at[0] + aside + dx * away / 3, rect.left() + half), rect.right() - half)
    write_centred(painter, middle, at[1] + dy * away, text, look, colour)


# -- planes and points -----------------------------------------------------------------------------


def _paint_planes_and_points(b: Brushwork, space: Space, box: Box, camera: Camera) -> None:
    """Paint the glass planes from far to near, each after the points behind it; then rings and
    dashed planes.
    """
    places = box.inside(np.asarray(space.xyz, np.float64).reshape(-1, 3))
    seen = camera.project(places)
    front = np.zeros(len(places), np.intp)
    glass = []
    for w, bias, role in space.planes:
        ring = box.cut(w, bias)
        if len(ring) and role not in DASHED:
            glass.append((float(camera.project(ring)[:, 2].mean()), w, bias, role, ring))
    glass.sort(key=lambda plane: plane[0])
    for depth, (_, w, bias, _, _) in enumerate(glass):
        inner, offset = box.plane(w, bias)
        before = (places @ inner + offset) * camera.side(inner, offset) > 0
        front = np.where(before, depth + 1, front)
    for depth in range(len(glass) + 1):
        _paint_points(b, space, seen, np.flatnonzero(front == depth))
        if depth < len(glass):
            _paint_plane(b, camera, camera.project(glass[depth][4])[:, :2], glass[depth][3], True)
    _paint_rings(b, space, seen, camera)
    for w, bias, role in space.planes:
        ring = box.cut(w, bias)
        if len(ring) and role in DASHED:
            _paint_plane(b, camera, camera.project(ring)[:, :2], role, False)


def _paint_plane(b: Brushwork, camera: Camera, ring: Float, role: Role, glass: bool) -> None:
    """Paint a plane. Its edges are separate lines, faster in Qt than one outline; they cover the
    jagged rim of the glass.
    """
    if glass:
        b.painter.setPen(Qt.PenStyle.NoPen)
        b.painter.setBrush(b.theme.colour("now" if role is Role.ACTIVE else "ink", GLASS))
        b.painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        b.painter.drawPolygon(polygon(ring))
        b.painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    stroke = _fine(STROKES[role], camera)
    if stroke.dash:
        draw_path(b, stroke, path_of([ring], closed=True))
    else:
        draw_ends(b, stroke, np.stack([ring, np.roll(ring, -1, axis=0)], axis=1))


def _paint_points(b: Brushwork, space: Space, seen: Float, rows: Int) -> None:
    """Paint points from far to near."""
    rows = rows[np.isfinite(seen[rows]).all(axis=1)]
    if not len(rows):
        return
    rows = rows[np.argsort(seen[rows, 2], kind="stable")]
    roles = space.roles or (Role.POINT,) * len(seen)
    pale = np.array([roles[i] is Role.INACTIVE for i in rows.tolist()])
    for chosen, opacity in ((rows[pale], MARKS[Role.INACTIVE].opacity), (rows[~pale], 1.0)):
        with kept(b.painter):
            b.painter.setOpacity(opacity)
            _paint_symbols(b, space, seen, chosen, roles)


def _paint_rings(b: Brushwork, space: Space, seen: Float, camera: Camera) -> None:
    """Paint the rings over all glass, the amber ones last."""
    ringed = [
        (i, role)
        for i, role in enumerate(space.roles)
        if MARKS[role].rings and np.isfinite(seen[i]).all()
    ]
    for i, role in sorted(ringed, key=lambda pair: pair[1] is Role.ACTIVE):
        for beyond, stroke in MARKS[role].rings:
            circle = QPainterPath()
            r = ring_radius(b, beyond)
            circle.addEllipse(QPointF(*seen[i, :2]), r, r)
            fine = _fine(stroke, camera)
            draw_path(b, replace(fine, casing=stroke.casing * fine.width / stroke.width), circle)


def _paint_symbols(
    b: Brushwork, space: Space, seen: Float, rows: Int, roles: tuple[Role, ...]
) -> None:
    if not len(rows):
        return
    kinds: dict[tuple[int, Role], int] = {}
    pairs = zip(
        np.asarray(space.group)[rows].tolist(), (roles[i] for i in rows.tolist()), strict=True
    )
    which = [kinds.setdefault(pair, len(kinds)) for pair in pairs]
    ratio = b.painter.device().devicePixelRatio()
    strip, places = atlas([_look(b, *kind) for kind in kinds], b.theme, ratio)
    draw_copies(b.painter, on_pixels(b.painter, seen[rows, :2], ratio), places[which], strip)


def _look(b: Brushwork, group: int, role: Role) -> Look:
    """The symbol of a point by class and role."""
    mark = MARKS[role]
    style = "sample" if group < 0 and mark.style == "body" else mark.style
    return Look(group, group, round(b.radius * mark.scale * QUARTER), style)


def _paint_path(b: Brushwork, xy: Float) -> None:
    """Paint the path over everything, broken where places are missing, with a small disc at its
    end.
    """
    pieces = runs(xy)
    if not pieces:
        return
    draw_path(b, STROKES[Role.ACCEPTED], path_of(pieces))
    end = QPainterPath()
    end.addEllipse(QPointF(*pieces[-1][-1]), 3.0 * b.stroke, 3.0 * b.stroke)
    b.painter.fillPath(end, b.theme.colour("now"))
    draw_path(b, STROKES[Role.BALL], end)
