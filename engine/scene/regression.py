"""Pictures shared by regression: curve, level lines and surface of a model, and its residuals."""

from collections.abc import Callable
from typing import Any

import numpy as np

from engine.base.arrays import Float, Int
from engine.base.grid import Grid
from engine.base.notation import number
from engine.numerics.contours import level_lines, one_polyline, round_levels
from engine.scene.scene import (
    Figure,
    Layer,
    Points,
    Polyline,
    Role,
    Segments,
    Space,
    active_point,
    data_points,
)
from engine.table.problem import Problem

Model = Callable[[Float], Float]  # rows (m, d) -> values (m,)

MOST_RESIDUALS = 2000
_PLACES = 400
_SIDE = 40
_BEYOND = 0.3


def upright(problem: Problem) -> bool:
    """Whether one column is shown, and the value to predict is the second axis."""
    return problem.regress and len(problem.plane) == 1


def extent(problem: Problem, axis: int) -> tuple[float, float]:
    """(low, high) of the points along an axis of the plane, low < high."""
    places = problem.xy[:, axis]
    places = places[np.isfinite(places)]
    low, high = (float(places.min()), float(places.max())) if len(places) else (0.0, 1.0)
    return (low, high) if high > low else (low - 0.5, high + 0.5)


def curve_layers(
    problem: Problem, model: Model, role: Role = Role.BOUNDARY, tag: str = "curve", label: str = ""
) -> list[Layer]:
    """The model as a curve that goes somewhat beyond the points; over two columns as level
    lines.
    """
    if not upright(problem):
        return level_layers(problem, model, tag) if role is Role.BOUNDARY else []
    low, high = extent(problem, 0)
    away = _BEYOND * (high - low)
    xy = np.zeros((_PLACES, 2))
    xy[:, 0] = np.linspace(low - away, high + away, _PLACES)
    xy[:, 1] = model(problem.from_plane(xy))
    bottom, top = extent(problem, 1)
    far = 20 * (top - bottom)
    xy[(xy[:, 1] < bottom - far) | (xy[:, 1] > top + far)] = np.nan
    return [Polyline(xy, role, label=label, tag=tag)]


def level_layers(problem: Problem, model: Model, tag: str) -> list[Layer]:
    """Level lines of the model over two columns, each labelled with its value."""
    if len(problem.plane) != 2:
        return []
    x, y = (np.linspace(*extent(problem, axis), 60) for axis in (0, 1))
    places = np.column_stack([np.tile(x, len(y)), np.repeat(y, len(x))])
    z = model(problem.from_plane(places)).reshape(len(y), len(x))
    found = (
        (level, level_lines(x, y, z, [level]))
        for level in round_levels(float(z.min()), float(z.max()))
    )
    return [
        Polyline(one_polyline(lines), Role.PLAIN, label=number(level, 3), tag=tag)
        for level, lines in found
        if lines
    ]


def surface(problem: Problem, model: Model) -> list[Figure]:
    """The model as a surface over two columns, those of the plane or else the first two.

    Hidden columns are held at the anchor; the examples stand at their values. [] for one column.
    """
    columns = list(problem.plane if len(problem.plane) == 2 else range(min(problem.d, 2)))
    if len(columns) < 2 or problem.target is None:
        return []
    rows: Any = slice(None) if problem.drawn is None else problem.drawn
    flat = problem.X[rows][:, columns]
    values = problem.y[rows]
    codes = problem.codes[rows]
    known = np.isfinite(values)
    x, y = (
        np.linspace(low, high + (high == low), _SIDE)
        for low, high in zip(flat.min(0), flat.max(0), strict=True)
    )
    places = np.tile(problem.anchor, (_SIDE**2, 1))
    places[:, columns] = Grid(x, y).points()
    z = model(places).reshape(_SIDE, _SIDE)
    xyz = np.column_stack([flat, values])[known]
    one, two = (problem.features[j].title for j in columns)
    return [
        Space(
            "Surface",
            (one, two, problem.target.title),
            xyz,
            codes[known],
            surface=(x, y, z),
            beside=True,
        )
    ]


def points_layer(problem: Problem) -> Points:
    """The examples that can be drawn: with one column only those whose value is known."""
    points = data_points(problem)
    here = np.isfinite(points.xy).all(axis=1)
    return (
        points
        if here.all()
        else Points(
            points.xy[here], points.group[here], points.role, tag=points.tag, whole=points.whole
        )
    )


def current_layer(problem: Problem, row: int) -> list[Layer]:
    """The current example, as a list of one layer; [] for row −1."""
    return [active_point(problem, row)] if row >= 0 and np.isfinite(problem.xy[row]).all() else []


# -- errors ----------------------------------------------------------------------------------------


def residuals(
    problem: Problem,
    ends: Float | None,
    rows: Int | None = None,
    role: Role = Role.PLAIN,
    tag: str = "errors",
) -> list[Layer]:
    """The residuals as segments, of `rows` or of all; [] for too many.

    ends: (n, 2, 2) from each point to its prediction, see `feet`
    """
    if ends is None or len(ends) > MOST_RESIDUALS:
        return []
    rows = np.arange(len(ends)) if rows is None else rows
    rows = rows[np.isfinite(ends[rows]).all(axis=(1, 2))]
    return [Segments(ends[rows], role, tag=tag, tags=problem.tags_of(rows))]


def feet(problem: Problem, values: Float) -> Float | None:
    """(n, 2, 2) segments from each point to its predicted value.

    None where the plane does not show values, or where there would be too many.
    """
    if not upright(problem) or problem.n > MOST_RESIDUALS:
        return None
    return np.stack([problem.xy, np.column_stack([problem.xy[:, 0], values])], axis=1)
