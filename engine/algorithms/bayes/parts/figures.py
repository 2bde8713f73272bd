"""A network with its tables: variables on a ring, arcs between them, and for every row of a table a
bar cut by its chances.
"""

from typing import Any

from engine.algorithms.bayes.parts import Networked, Parents, Tables, case_tag
from engine.authoring import Float, Sequence, np
from engine.base.tags import joined
from engine.scene.scene import Arrows, Boxes, Labels, Layer, Matrix, Plot, Role

MOST_ROWS = 9  # of a table that are drawn
WIDE = 0.7  # width of a variable's bars
ROW = 0.1  # height of one of them
TITLE = 0.17  # height of its name
ACROSS = 1.75  # from the middle of the ring to the edge on the right
UP = 1.55  # from the middle of the ring to the edge above


def place(count: int) -> Float:
    """(count, 2) the middles of the variables, clockwise from the top: no arc can run through a
    third one.
    """
    if count == 1:
        return np.zeros((1, 2))
    angle = np.pi / 2 - 2 * np.pi * np.arange(count) / count
    return np.column_stack([1.25 * np.cos(angle), 1.15 * np.sin(angle)])


def shares(table: Float) -> Float:
    """(rows, values) what share each entry has of its row, which need not add up to 1."""
    total = table.sum(axis=1, keepdims=True)
    return table / np.where(total > 0, total, 1.0)


def network(
    given: Networked[Any],
    parents: Parents,
    tables: Tables,
    current: int = -1,
    case: int = -1,
    tried: Sequence[tuple[int, int]] = (),
    best: tuple[int, int] | None = None,
    hidden: Sequence[int] = (),
) -> Plot:
    """The variables with their tables and arcs.

    current, case: the variable and the row of its table that a step speaks of; tried: arcs that are
    thought of, best: the best of them; hidden: variables whose values are never seen
    """
    at = place(len(tables))
    scale = min(1.0, 7 / len(tables))
    rows = np.array([min(len(table), MOST_ROWS) for table in tables])
    half = np.column_stack([np.full(len(rows), WIDE), ROW * rows + TITLE]) / 2 * scale
    known = [(z, x) for x, own in enumerate(parents) for z in own]
    groups = (
        (Role.GHOST, [arc for arc in tried if arc != best], "tried"),
        (Role.ACTIVE, [best] if best is not None else [], "tried"),
        (Role.PLAIN, [arc for arc in known if arc[1] != current], "arcs"),
        (Role.PLAIN if tried else Role.ACTIVE, [arc for arc in known if arc[1] == current], "arcs"),
    )
    layers = list[Layer]()
    for role, some, tag in groups:
        if some:
            ends = np.array([_between(at[z], at[x], half[z], half[x]) for z, x in some])
            tags = tuple(joined(given.variables[z].tag, given.variables[x].tag) for z, x in some)
            layers.append(Arrows(ends[:, 0], ends[:, 1], role, tag=tag, tags=tags))
    for x, table in enumerate(tables):
        middle = at[x] - [0, TITLE * scale / 2]
        chances = shares(table)[:MOST_ROWS]
        layers += _bars(given, x, chances, middle, scale, x == current, case)
    top = at + np.column_stack([np.zeros(len(at)), half[:, 1] - TITLE * scale / 2])
    names = tuple(
        f"{v.title} (hidden)" if x in hidden else v.title for x, v in enumerate(given.variables)
    )
    layers.append(Labels(top, names, tag="names"))
    return Plot(
        "Network",
        "",
        "",
        tuple(layers),
        beside=True,
        x_range=(-ACROSS, ACROSS),
        y_range=(-UP, UP),
        ticks=False,
    )


def _between(start: Float, end: Float, half: Float, other: Float) -> tuple[Float, Float]:
    """(from, to) the part of the way between two middles that lies outside of both boxes.

    half, other: (2,) half the width and height of the boxes
    """
    way = end - start
    return start + _inside(way, half) * way, end - _inside(way, other) * way


def _inside(way: Float, half: Float) -> float:
    """Which share of a way from the middle of a box lies inside of it, or very near."""
    with np.errstate(divide="ignore"):
        shares = np.where(way == 0, np.inf, (half + 0.02) / np.abs(way))
    return min(float(shares.min()), 0.45)


def _bars(
    given: Networked[Any], x: int, rows: Float, middle: Float, scale: float, now: bool, case: int
) -> list[Layer]:
    """One variable's table, a bar for each row of it, cut as its chances are.

    rows: (rows, values) its chances; now: the step speaks of it; case: of this row, or −1
    """
    count, values = rows.shape
    high = ROW * scale
    wide = WIDE * scale
    left = middle[0] - wide / 2
    right = middle[0] + wide / 2
    ends = left + wide * np.hstack([np.zeros((count, 1)), np.cumsum(rows, axis=1)])
    tops = middle[1] + high * (count / 2 - np.arange(count))
    floors = tops - 0.85 * high
    bounds = [
        (ends[j, k], floors[j], ends[j, k + 1], tops[j])
        for j in range(count)
        for k in range(values)
    ]
    tag = given.variables[x].tag
    tags: tuple[str, ...] = ()
    if now:
        tags = tuple(joined(tag, case_tag(j)) for j in range(count) for _ in range(values))
    group = np.tile(np.arange(values), count)
    bars = Boxes(np.array(bounds), group, Role.REGION, tag=tag, tags=tags)
    if now and 0 <= case < count:
        frame = np.array([[left, floors[case], right, tops[case]]])
        tag = joined(tag, case_tag(case))
    else:
        frame = np.array([[left, floors[-1], right, tops[0]]])
    return [bars, Boxes(frame, np.array([-1]), Role.ACTIVE if now else Role.PLAIN, tag=tag)]


def table_matrix(
    given: Networked[Any],
    x: int,
    parents: Sequence[int],
    values: Float,
    title: str,
    case: int = -1,
    digits: int = 2,
) -> Matrix:
    """A matrix of numbers (rows, values) of the table of variable x: chances, counts or a gradient.
    case: the row to highlight
    """
    rows = tuple(
        given.case_text(parents, j, names=False) or "no parents" for j in range(len(values))
    )
    by = ", ".join(given.variables[z].title for z in parents)
    label = title.partition(": ")[2] or title
    active = tuple((case, k) for k in range(values.shape[1])) if case >= 0 else ()
    tag = given.variables[x].tag
    return Matrix(
        title,
        rows,
        given.variables[x].values,
        values,
        active,
        digits,
        x_label=f"{label} by {by}" if by else label,
        row_tags=tuple(map(case_tag, range(len(values)))),
        column_tags=(tag,) * values.shape[1],
    )
