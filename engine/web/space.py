"""A picture in three dimensions, seen from one side, as SVG."""

import numpy as np

from engine.base.arrays import Float
from engine.scene.axes import axis_name
from engine.scene.figures import Space
from engine.scene.layers import Role
from engine.web.look import COLOURS
from engine.web.markup import escaped, path, size

WIDE, HIGH, SCALE = 460.0, 400.0, 118.0
TURN, TILT = np.radians(-38.0), np.radians(24.0)
MESH, MOST_POINTS = 18, 600


def space(figure: Space) -> list[str]:
    """A part for the frame with its box, then surface, planes, path and points."""
    low, high = _bounds(figure)
    parts = [
        f'<svg viewBox="0 0 {size(WIDE)} {size(HIGH)}" class="fig space" role="img" aria-label="{escaped(figure.title)}">',
        _box(figure, low, high),
    ]
    if figure.surface is not None:
        parts.append(_mesh(figure.surface, low, high, figure.top))
    parts += [_plane(w, b, role, low, high) for w, b, role in figure.planes]
    if figure.path is not None and len(figure.path):
        xy = _seen(figure.path, low, high)
        good = np.isfinite(xy).all(axis=1)
        d = path([xy[good]])
        if d:
            end = xy[good][-1]
            parts.append(
                f'<path d="{d}" class="s s-accepted"/><circle cx="{size(end[0])}" cy="{size(end[1])}" r="5" class="fn li"/>'
            )
    parts += _points(figure, low, high)
    parts.append("</svg>")
    return [part for part in parts if part]


def _bounds(figure: Space) -> tuple[Float, Float]:
    """(3,) the least and largest of everything, never equal."""
    parts = [np.asarray(figure.xyz, np.float64).reshape(-1, 3)]
    if figure.surface is not None:
        x, y, z = (np.asarray(part, np.float64) for part in figure.surface)
        known = z[np.isfinite(z)]
        if figure.top is not None:
            known = np.minimum(known, figure.top)
        if len(known):
            parts.append(
                np.array([[x.min(), y.min(), known.min()], [x.max(), y.max(), known.max()]])
            )
    elif figure.path is not None:
        parts.append(np.asarray(figure.path, np.float64).reshape(-1, 3))
    every = np.concatenate(parts)
    every = every[np.isfinite(every).all(axis=1)]
    if not len(every):
        every = np.array([[0.0, 0.0, 0.0], [1.0, 1.0, 1.0]])
    low = every.min(axis=0)
    high = every.max(axis=0)
    return low, np.where(high > low, high, low + 1.0)


def _seen(xyz: Float, low: Float, high: Float) -> Float:
    """(m, 2) where places (m, 3) are seen in the picture."""
    unit = np.clip((np.asarray(xyz, np.float64) - low) / (high - low) * 2 - 1, -4, 4)
    x = unit[:, 0] * np.cos(TURN) - unit[:, 1] * np.sin(TURN)
    deep = unit[:, 0] * np.sin(TURN) + unit[:, 1] * np.cos(TURN)
    up = unit[:, 2] * np.cos(TILT) + deep * np.sin(TILT)
    return np.column_stack([WIDE / 2 + SCALE * x, HIGH / 2 - SCALE * up])


def _box(figure: Space, low: Float, high: Float) -> str:
    """The edges of the box behind, and the names of the axes."""
    corners = (
        np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)]) * (high - low) + low
    )
    at = _seen(corners, low, high)
    edges = [at[[a, a | bit]] for a in range(8) for bit in (1, 2, 4) if not a & bit]
    ends = _seen(
        np.array([[0.5, -0.14, 0], [1.14, 0.5, 0], [-0.08, -0.08, 1.1]]) * (high - low) + low,
        low,
        high,
    )
    names = "".join(
        f'<text x="{size(x)}" y="{size(y)}" class="an" text-anchor="middle">{escaped(axis_name(name))}</text>'
        for (x, y), name in zip(ends, figure.names, strict=True)
    )
    return f'<path d="{path(edges)}" class="gr"/>{names}'


def _mesh(surface: tuple[Float, Float, Float], low: Float, high: Float, top: float | None) -> str:
    x, y, z = (np.asarray(part, np.float64) for part in surface)
    columns, rows = (np.unique(np.linspace(0, len(v) - 1, MESH).astype(np.intp)) for v in (x, y))
    lines = [
        np.column_stack([x[columns], np.full(len(columns), y[r]), z[r, columns]]) for r in rows
    ]
    lines += [np.column_stack([np.full(len(rows), x[c]), y[rows], z[rows, c]]) for c in columns]
    cut = np.inf if top is None else top
    pieces = [_seen(piece, low, high) for line in lines for piece in _below(line, cut)]
    return f'<path d="{path(pieces)}" class="mesh"/>'


def _below(line: Float, top: float) -> list[Float]:
    """The pieces of a line (m, 3) that are not above `top`, each up to there."""
    found: list[list[Float]] = [[]]
    for k, place in enumerate(line):
        before = line[k - 1] if k else place
        if (before[2] > top) != (place[2] > top) and np.isfinite([before[2], place[2]]).all():
            share = (top - before[2]) / (place[2] - before[2])
            found[-1].append(before + share * (place - before))
        if place[2] <= top:
            found[-1].append(place)
        elif found[-1]:
            found.append([])
    return [np.array(piece) for piece in found if len(piece) > 1]


def _plane(w: Float, b: float, role: Role, low: Float, high: Float) -> str:
    """Where w·x + b = 0 inside the box, as a polygon through the crossed edges."""
    w = np.asarray(w, np.float64)
    corners = (
        np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)]) * (high - low) + low
    )
    value = corners @ w + float(b)
    if not np.isfinite(value).all():
        return ""
    crossed = []
    for a in range(8):
        for bit in (1, 2, 4):
            c = a | bit
            if a != c and value[a] * value[c] < 0:
                crossed.append(
                    corners[a] + value[a] / (value[a] - value[c]) * (corners[c] - corners[a])
                )
    if len(crossed) < 3:
        return ""
    at = _seen(np.array(crossed), low, high)
    middle = at.mean(axis=0)
    order = np.argsort(np.arctan2(at[:, 1] - middle[1], at[:, 0] - middle[0]))
    return f'<path d="{path([at[order]], True)}" class="sheet s-{role.value}"/>'


def _points(figure: Space, low: Float, high: Float) -> list[str]:
    xyz = np.asarray(figure.xyz, np.float64).reshape(-1, 3)[:MOST_POINTS]
    at = _seen(xyz, low, high)
    group = np.asarray(figure.group)
    deep = xyz[:, 0] * np.sin(TURN) + xyz[:, 1] * np.cos(TURN) if len(xyz) else np.zeros(0)
    made = []
    for i in np.argsort(-deep).tolist():
        if not np.isfinite(at[i]).all():
            continue
        role = figure.roles[i] if i < len(figure.roles) else Role.POINT
        colour = f"f{int(group[i]) % COLOURS}" if group[i] >= 0 else "f2i"
        ring = f'<circle cx="{size(at[i, 0])}" cy="{size(at[i, 1])}" r="8.5" class="s {"s-nearest" if role in (Role.ACTIVE, Role.NEAREST) else "s-support"}"/>'
        wanted = role in (Role.ACTIVE, Role.NEAREST, Role.SUPPORT, Role.BOUNDED, Role.NEIGHBOUR)
        made.append(
            f'<circle cx="{size(at[i, 0])}" cy="{size(at[i, 1])}" r="4.5" class="{colour} lp"/>{ring if wanted else ""}'
        )
    return made
