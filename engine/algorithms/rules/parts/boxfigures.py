"""Boxes on the plane with the borders that moved, on the map of the inputs, and the examples with
their hypotheses.
"""

from collections.abc import Sequence

import numpy as np

from engine.algorithms.rules.parts.boxes import Box, between_borders
from engine.base.arrays import Float, Int, frozen
from engine.numerics.boolean import Classes, Conjunction
from engine.scene.axes import extent
from engine.scene.boolean import has_map, map_figures
from engine.scene.scene import (
    NO_GROUP,
    Boxes,
    Field,
    Figure,
    Labels,
    Layer,
    Role,
    Scene,
    Segments,
    Table,
    active_point,
    data_points,
    data_table,
)
from engine.scene.views import short_names
from engine.table.problem import Problem

BEYOND = 0.03  # of the extent of the examples: where the names of open boxes may still stand
ALOFT = 0.6  # of the way to the upper end of a plane of one column, where its names stand


def on_plane(problem: Problem, boxes: Sequence[tuple[Float, Float]], closed: bool = True) -> Float:
    """(k, 4) left, bottom, right, top of the boxes (low, high) on the plane, if there is one.

    Only those that hold somewhere where the hidden columns are held. Over one column a box has all
    heights. closed: borders belong to their box.
    """
    if not problem.plane:
        return frozen(np.zeros((0, 4)))
    hidden = [j for j in range(problem.d) if j not in problem.plane]
    at = problem.anchor[hidden]
    found = []
    for low, high in boxes:
        there = between_borders(at, low[hidden], high[hidden], closed).all()
        if there and (low <= high).all():
            left, *bottom = low[list(problem.plane)]
            right, *top = high[list(problem.plane)]
            found.append([left, *(bottom or [-np.inf]), right, *(top or [np.inf])])
    return frozen(np.asarray(found, np.float64).reshape(-1, 4))


def outline(bounds: Float, role: Role, tag: str) -> Boxes:
    """Boxes (m, 4) drawn without a class."""
    return Boxes(bounds, np.full(len(bounds), NO_GROUP), role, tag=tag)


def box_names(problem: Problem, named: Sequence[tuple[Float, str]]) -> Labels:
    """The names of boxes (4,) at a corner or the middle of a side within the plane, each as far as
    possible from the examples and the names before.
    """
    if not problem.plane:
        return Labels(frozen(np.zeros((0, 2))), ())
    low, high, _ = problem.bounds
    room = np.maximum(high - low, 1e-300)
    taken = (problem.drawn_xy - low) / room
    places, names = list[Float](), list[str]()
    for sides, name in named:
        seen = np.isfinite(sides)
        if not seen.any():
            continue  # it holds everywhere
        least, most = low - BEYOND * room, high + BEYOND * room
        box = np.clip(np.where(seen, sides, [*least, *most]).reshape(2, 2), least, most)
        spots = [
            [x, y]
            for x, on_x in ((box[0, 0], seen[0]), (box[:, 0].mean(), False), (box[1, 0], seen[2]))
            for y, on_y in ((box[0, 1], seen[1]), (box[:, 1].mean(), False), (box[1, 1], seen[3]))
            if on_x or on_y
        ]
        at = (np.array(spots) - low) / room
        apart = np.linalg.norm(at[:, None] - taken[None], axis=2).min(axis=1)
        best = int(apart.argmax())
        taken = np.vstack([taken, at[best]])
        places.append(np.array(spots[best]))
        names.append(name)
    xy = np.array(places).reshape(-1, 2)
    if len(problem.plane) == 1:
        xy[:, 1] = ALOFT * extent(problem)[1][1]  # the examples lie on one line
    return Labels(frozen(xy), tuple(names), Role.MARGIN, tag="names")


def moved_borders(problem: Problem, before: Box, after: Box, tag: str) -> tuple[Layer, ...]:
    """The sides of a box that moved, in amber, and pale the previous box."""
    old = on_plane(problem, [(before.low, before.high)])
    new = on_plane(problem, [(after.low, after.high)])
    if not len(old) or not len(new):
        return ()
    left, bottom, right, top = new[0]
    sides = []
    names = []
    for axis, j in enumerate(problem.plane):
        for at, was, sign in (
            (after.low[j], before.low[j], "≥"),
            (after.high[j], before.high[j], "≤"),
        ):
            if at == was or not np.isfinite(at):
                continue
            side = [[at, bottom], [at, top]] if axis == 0 else [[left, at], [right, at]]
            sides.append(side)
            value = problem.features[j].text(float(at))
            names.append(f"{problem.features[j].title} {sign} {value}")
    ends = frozen(np.asarray(sides, np.float64).reshape(-1, 2, 2))
    return outline(old, Role.GHOST, tag), Segments(ends, Role.ACTIVE, tuple(names), tag)


def conjunction(problem: Problem, box: Box) -> Conjunction:
    """The literals that a box over Boolean columns requires."""
    return tuple((j, float(box.low[j])) for j in range(problem.d) if box.low[j] == box.high[j])


def box_map(
    problem: Problem,
    rules: Sequence[Conjunction],
    classes: Classes,
    now: int = -1,
    growing: Conjunction | None = None,
    leaving: Sequence[int] = (),
    said: str = "",
) -> tuple[Figure, ...]:
    """The Karnaugh map of two to four Boolean columns; () for other tables. leaving, said: see
    `map_figures`
    """
    if not has_map(problem) or any(feature.numeric for feature in problem.features):
        return ()
    return map_figures(problem, rules, classes, growing, now=now, leaving=leaving, said=said)


def stream_table(problem: Problem, unseen: Int, current: int) -> Table:
    """The examples; the rows `unseen` are pale."""
    active = np.ones(problem.n, dtype=bool)
    active[unseen] = False
    return data_table(
        problem,
        title="Examples: pale until taken",
        active=frozen(active),
        current=(current,) if current >= 0 else (),
        tag="current",
    )


def box_scene(
    problem: Problem, shown: Int, current: int, boxes: Sequence[Layer], figures: Sequence[Figure]
) -> Scene:
    """The scene of boxes on the plane, where there is one, and figures. shown: (n,) classes of the
    examples
    """
    names = tuple(short_names([figure.title for figure in figures])[:2])
    if not problem.plane:
        return Scene((), tuple(figures), leads=names)
    ring = (active_point(problem, current, shown),) if current >= 0 else ()
    layers = (Field("class", tag="cells"), *boxes, data_points(problem, shown), *ring)
    return Scene(layers, tuple(figures), leads=() if problem.all_on_plane else names)
