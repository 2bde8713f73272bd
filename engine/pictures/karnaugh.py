"""The map of all inputs of two to four 0/1 columns, neighbours differing in one bit; rules as outlined blocks. MIT 2.2.31."""

from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from engine.core.arrays import Float, Int
from engine.core.problem import Problem
from engine.core.scene import NO_GROUP, Boxes, Labels, Layer, Plot, Points, Role
from engine.numerics.boolean import GRAY, Conjunction, gray_runs, to_values

INSET = 0.07  # of a rule's outline from the edge of its cells; each further rule a little more
SPREAD = 0.26  # between several examples in one cell


def cells(columns: int) -> tuple[int, int]:
    """How many of the columns run across, and how many down."""
    across = (columns + 1) // 2
    return across, columns - across


def inputs(columns: int) -> Float:
    """(2^d, d) every input in the order of the cells, row by row from the top."""
    across, down = cells(columns)
    return np.asarray([[float(b) for b in right + below] for below in GRAY[down] for right in GRAY[across]])


def karnaugh_map(
    problem: Problem, rules: Sequence[Conjunction], names: Sequence[str], predicted: Int, growing: Conjunction | None
) -> Plot:
    """predicted (2^d,): the class of every cell of `inputs`; growing: the conjunction that is being built, dashed."""
    across, down = cells(problem.d)
    wide, high = len(GRAY[across]), len(GRAY[down])
    layers: list[Layer] = [_tints(predicted, wide, high), _edge_labels(across, down)]
    for k, (rule, name) in enumerate(zip(rules, names, strict=True)):
        layers.append(_block(rule, across, down, name, Role.ACCEPTED, INSET * (1 + k % 3), f"rule {k}"))
    if growing is not None:
        layers.append(_block(growing, across, down, "", Role.CANDIDATE, 0.02, "rule"))
    layers.append(_examples(problem, predicted, across, down))
    titles = [f.title for f in problem.features]
    return Plot(
        "Karnaugh map", " ".join(titles[:across]), " ".join(titles[across:]), tuple(layers), beside=True,
        x_range=(-0.55, wide + 0.45), y_range=(-0.15, high + 0.45),
    )  # fmt: skip


def _tints(predicted: Int, wide: int, high: int) -> Boxes:
    bounds = [[x, high - 1 - y, x + 1, high - y] for y in range(high) for x in range(wide)]
    return Boxes(np.asarray(bounds, np.float64), predicted, tag="cells")


def _edge_labels(across: int, down: int) -> Labels:
    high = len(GRAY[down])
    places = [(x + 0.5, high + 0.2) for x in range(len(GRAY[across]))]
    places += [(-0.3, high - 0.5 - y) for y in range(high)]
    return Labels(np.asarray(places), GRAY[across] + GRAY[down], tag="cells")


def _block(rule: Conjunction, across: int, down: int, name: str, role: Role, inset: float, tag: str) -> Boxes:
    """The cells on which the rule holds: one box, or several where it goes round the edge of the map."""
    wanted: list[int | None] = [None] * (across + down)
    for column, value in rule:
        wanted[column] = int(value)
    high = len(GRAY[down])
    bounds = [
        (left + inset, high - below + inset, right - inset, high - above - inset)
        for left, right in gray_runs(tuple(wanted[:across]))
        for above, below in gray_runs(tuple(wanted[across:]))
    ]
    label = (name, *[""] * (len(bounds) - 1)) if bounds else ()
    return Boxes(np.asarray(bounds).reshape(-1, 4), np.full(len(bounds), NO_GROUP), role, label, tag)


def _examples(problem: Problem, predicted: Int, across: int, down: int) -> Points:
    """Every example in the middle of its cell; equal examples side by side."""
    values = to_values(problem.features, problem.X).astype(int)
    high, wide = len(GRAY[down]), len(GRAY[across])
    members: dict[tuple[int, int], list[int]] = defaultdict(list)
    for i, row in enumerate(values.tolist()):
        bits = "".join(map(str, row))
        members[GRAY[across].index(bits[:across]), GRAY[down].index(bits[across:])].append(i)
    xy, shown = np.zeros((problem.n, 2)), np.zeros(problem.n, np.intp)
    crowded = max(map(len, members.values()), default=0) > 9
    for (x, y), rows in members.items():
        side = int(np.ceil(np.sqrt(len(rows))))
        step = min(SPREAD, 0.8 / side)
        for k, i in enumerate(rows):
            xy[i] = (x + 0.5 + step * (k % side - (side - 1) / 2), high - 0.5 - y - step * (k // side - (side - 1) / 2))
            shown[i] = predicted[y * wide + x]
    return Points(xy, problem.codes, Role.POINT, shown, label=() if crowded else problem.names, tag="rows")
