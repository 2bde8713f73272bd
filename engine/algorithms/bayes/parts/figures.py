"""A network with its tables: variables on a ring, arcs between them, and for every row of a table a
bar cut by its chances.
"""

from typing import Any

from engine.algorithms.bayes.parts import Networked, Parents, Tables, case_tag
from engine.authoring import Float, Sequence, np
from engine.core.scene import Arrows, Boxes, Labels, Layer, Matrix, Plot, Role
from engine.core.tags import joined

MOST_ROWS = 9  # of a table that are drawn
WIDE, ROW, TITLE = 0.7, 0.1, 0.13  # of a variable's bars, of one of them, of its name
ACROSS, UP = 1.75, 1.55  # from the middle of the ring to the edges


def place(count: int) -> Float:
    """(count, 2) the middles of the variables, clockwise from the top: no arc can run through a
    third one.
    """
    angle = np.pi / 2 - 2 * np.pi * np.arange(count) / count
    return (
        np.column_stack([1.25 * np.cos(angle), 1.15 * np.sin(angle)])
        if count > 1
        else np.zeros((1, 2))
    )


def shares(table: Float) -> Float:
    """(rows, values) of a table of which a row need not add up to 1."""
    total = table.sum(axis=1, keepdims=True)
    return table / np.where(total > 0, total, 1.0)


def network(
    given: Networked[Any],
    parents: Parents,
    tables: Tables,
    current: int = -1,
    case: int = -1,
    tried: Sequence[tuple[int, int]] = (),
    hidden: Sequence[int] = (),
) -> Plot:
    """current, case: the variable and the row of its table that a step speaks of; tried: arcs that
    are thought of; hidden: variables whose values are never seen.
    """
    at = place(len(tables))
    layers = list[Layer]()
    scale = min(1.0, 7 / len(tables))
    half = (
        np.array([[WIDE / 2, (ROW * min(len(t), MOST_ROWS) + TITLE) / 2] for t in tables]) * scale
    )
    known = [(z, x) for x, own in enumerate(parents) for z in own]
    now = [(z, x) for z, x in known if x == current]
    groups = (
        (Role.GHOST, tried, "tried"),
        (Role.PLAIN, [arc for arc in known if arc not in now], "arcs"),
        (Role.ACTIVE, now, "arcs"),
    )
    for role, some, tag in groups:
        if some:
            ends = np.array([_between(at[z], at[x], half[z], half[x]) for z, x in some])
            tags = tuple(joined(given.variables[z].tag, given.variables[x].tag) for z, x in some)
            layers.append(Arrows(ends[:, 0], ends[:, 1], role, tag=tag, tags=tags))
    for x, table in enumerate(tables):
        layers += _bars(
            given,
            x,
            shares(table)[:MOST_ROWS],
            at[x] - [0, TITLE * scale / 2],
            scale,
            x == current,
            case,
        )
    top = at + np.column_stack([np.zeros(len(at)), half[:, 1] - TITLE * scale / 2])
    names = tuple(
        f"{v.title}{' (hidden)' if x in hidden else ''}" for x, v in enumerate(given.variables)
    )
    layers.append(Labels(top, names, tag="names"))
    across = (-ACROSS, ACROSS)
    up = (-UP, UP)
    return Plot(
        "Network", "", "", tuple(layers), beside=True, x_range=across, y_range=up, ticks=False
    )


def _between(start: Float, end: Float, half: Float, other: Float) -> tuple[Float, Float]:
    """The part of the way between two middles that lies outside of both boxes."""
    way = end - start
    with np.errstate(divide="ignore"):
        cut = [
            float(np.min(np.where(way == 0, np.inf, (box + 0.02) / np.abs(way))))
            for box in (half, other)
        ]
    return start + min(cut[0], 0.45) * way, end - min(cut[1], 0.45) * way


def _bars(
    given: Networked[Any], x: int, rows: Float, middle: Float, scale: float, now: bool, case: int
) -> list[Layer]:
    """One variable's table, a bar for each row of it, cut as its chances are."""
    high = ROW * scale
    wide = WIDE * scale
    count, values = rows.shape
    ends = np.hstack([np.zeros((count, 1)), np.cumsum(rows, axis=1)]) * wide + middle[0] - wide / 2
    tops = middle[1] + high * (count / 2 - np.arange(count))
    bounds = [
        (ends[j, k], tops[j] - 0.85 * high, ends[j, k + 1], tops[j])
        for j in range(count)
        for k in range(values)
    ]
    group = np.tile(np.arange(values), count)
    tag = given.variables[x].tag
    tags = (
        tuple(joined(tag, case_tag(j)) for j in range(count) for _ in range(values)) if now else ()
    )
    layers: list[Layer] = [Boxes(np.array(bounds), group, Role.REGION, tag=tag, tags=tags)]
    left = middle[0] - wide / 2
    right = middle[0] + wide / 2
    if now and 0 <= case < count:
        row = np.array([[left, tops[case] - 0.85 * high, right, tops[case]]])
        return [*layers, Boxes(row, np.array([-1]), Role.ACTIVE, tag=joined(tag, case_tag(case)))]
    frame = np.array([[left, tops[-1] - 0.85 * high, right, tops[0]]])
    return [*layers, Boxes(frame, np.array([-1]), Role.ACTIVE if now else Role.PLAIN, tag=tag)]


def table_matrix(
    given: Networked[Any],
    x: int,
    parents: Sequence[int],
    values: Float,
    title: str,
    case: int = -1,
    digits: int = 2,
) -> Matrix:
    """Numbers for every value of a variable in every row of its table: chances, counts,
    a gradient.
    """
    rows = tuple(
        given.case_text(parents, j, names=False) or "no parents" for j in range(len(values))
    )
    by = ", ".join(given.variables[z].title for z in parents)
    active = tuple((case, k) for k in range(values.shape[1])) if case >= 0 else ()
    tag = given.variables[x].tag
    return Matrix(
        title,
        rows,
        given.variables[x].values,
        values,
        active,
        digits,
        x_label=f"{title.partition(': ')[2] or title}{' by ' if by else ''}{by}",
        row_tags=tuple(map(case_tag, range(len(values)))),
        column_tags=(tag,) * values.shape[1],
    )
