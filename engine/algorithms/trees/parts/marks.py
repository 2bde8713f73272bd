"""The leaves of trees over the plane, marked in one loop that the compiler takes.

Without it the rows "surface …, the model new" with n = 20,000 come to 1.1 times scikit-learn's time
for one tree and to 0.3 to 0.7 for many, where 1 and a tenth are allowed.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.core.arrays import Float
from engine.core.grid import Grid
from engine.core.problem import Problem
from engine.numerics.compiled import Changing, Numbers, Places, Rows, Table, Truths, loop

HIDDEN = 2


def sorted_out(column: Places, root: int, end: int, queue: Changing) -> tuple[int, int]:
    """(how many of these nodes are tests, with which the queue begins; where in it the leaves
    begin, the last node first): which of the two is next no processor could guess.
    """
    tests = 0
    leaves = len(queue)
    for i in range(root, end):
        inner = 1 if column[i] >= 0 else 0
        leaves -= 1 - inner
        queue[tests] = i
        queue[leaves - inner] = i
        tests += inner
    return tests, leaves


def spread_in(marks: Table, high: int, told: Table) -> None:
    """What marks at the corners of boxes add up to at each place: sums along the rows, and from row
    to row of a layer.
    """
    for y in range(len(told)):
        row = marks[y + y // (high - 1)]
        below = told[y - 1]
        into = told[y]
        total = 0.0
        lowest = y % (high - 1) == 0
        for x in range(len(into)):
            total += row[x]
            into[x] = total if lowest else total + below[x]


@loop(sorted_out, spread_in)
def mark_leaves(
    ends: Places,
    column: Places,
    point: Numbers,
    first: Places,
    value: Numbers,
    rates: Numbers,
    vote: bool,
    layers: int,
    anchor: Numbers,
    nominal: Truths,
    axes: Places,
    frame: Rows,
    places: Numbers,
    boxes: Table,
    queue: Changing,
    marks: Table,
    told: Table,
) -> float:
    """The size of all that is added up.

    Each leaf that holds places of the grid adds an amount there: if it votes, the rate of its tree
    on the layer of its value; else its value times the rate, on the layer that every `layers`-th
    tree has.

    The nodes of the trees, which end there, lie beside one another, branches behind their test.
    axes (columns,): of the plane, or HIDDEN; frame (2, 4): the first place along an axis, how many
    there are for 1, where they begin and end in `places`, of both axes with a NaN at either end;
    told (layers · ny, nx): what comes of it. To work in, all 0: boxes (as many as no tree has
    nodes, 4), x0, y0, x1, y1 in places, queue (as many,), marks (layers · (ny + 1), nx + 1).
    """
    root = 0
    size = 0.0
    high = len(marks) // layers
    wide = len(marks[0])
    for t in range(len(ends)):
        tests, leaves = sorted_out(column, root, ends[t], queue)
        boxes[0][2], boxes[0][3] = wide - 1.0, high - 1.0
        for k in range(tests):
            i = int(queue[k])
            own = boxes[i - root]
            edge = point[i]
            low = boxes[first[i]]
            axis = axes[column[i]]
            x0, y0, x1, y1 = own[0], own[1], own[2], own[3]
            own[0] = own[2] = 0.0
            if axis == HIDDEN:
                held = anchor[column[i]]
                way = 1 if held > edge else 0
                if nominal[column[i]]:
                    way = int(held) if edge != edge else 1 if held == edge else 0
                low = boxes[min(first[i] + way, ends[t] - root - 1)]
                low[0], low[1], low[2], low[3] = x0, y0, x1, y1
                continue
            of = frame[axis]
            top = boxes[first[i] + 1]
            # near it, where steps are equal
            at = int(min(of[3], max(of[2], of[2] + 1.0 + (edge - of[0]) * of[1])))
            while places[at] > edge:
                at -= 1
            while places[at + 1] <= edge:  # a place on the edge is on the lower side
                at += 1
            low[0], low[1], low[2], low[3] = x0, y0, x1, y1
            top[0], top[1], top[2], top[3] = x0, y0, x1, y1
            low[axis + 2] = top[axis] = min(max(at - of[2], low[axis]), low[axis + 2])
        for k in range(leaves, len(queue)):
            i = int(queue[k])
            own = boxes[i - root]
            x0, x1 = int(own[0]), int(own[2])
            own[0] = own[2] = 0.0
            if x0 < x1 and own[1] < own[3]:
                amount, layer = (
                    (rates[t], int(value[i])) if vote else (rates[t] * value[i], t % layers)
                )
                under, over = marks[layer * high + int(own[1])], marks[layer * high + int(own[3])]
                under[x0] += amount
                under[x1] -= amount
                over[x0] -= amount
                over[x1] += amount
                size += abs(amount)
        root = ends[t]
    spread_in(marks, high, told)
    return size


def marked(
    trees: Sequence[Any],
    values: Sequence[Any],
    problem: Problem,
    grid: Grid,
    layers: int = 1,
    rates: Any = None,
) -> tuple[Float, float] | None:
    """((layers, ny, nx) what the leaves that hold a place add up to, the size of all that was added
    up); None without the compiler. values: of the nodes of each tree (N,), which are classes that
    the tree votes for, on their layers; or numbers, of which its rate is added, on the layer that
    it shares with every layers-th tree.
    """
    sizes = np.array([len(tree.column) for tree in trees])
    mark = mark_leaves.compiled_for(int(sizes.sum()))
    if mark is None:
        return None
    nodes = (
        np.concatenate([getattr(tree, name) for tree in trees])
        for name in ("column", "point", "first")
    )
    axes = np.full(problem.d, HIDDEN)
    frame = list[tuple[float, ...]]()
    axes[list(problem.plane)] = np.arange(len(problem.plane))
    for at in (grid.x, grid.y):
        begin = frame[-1][3] + 1.0 if frame else 0.0
        frame.append(
            (at[0], max(len(at) - 1, 1) / max(at[-1] - at[0], 1e-300), begin, begin + len(at))
        )
    ny, nx = grid.shape
    gap = [np.nan]
    told = np.empty((layers, ny, nx))
    size = mark(
        sizes.cumsum(),
        *nodes,
        np.concatenate(values, dtype=np.float64),
        np.ones(len(trees)) if rates is None else np.array(rates, np.float64),
        rates is None,
        layers,
        np.ascontiguousarray(problem.anchor),
        trees[0].nominal,
        axes,
        np.array(frame),
        np.concatenate([gap, grid.x, gap, grid.y, gap]),
        np.zeros((sizes.max(), 4)),
        np.zeros(sizes.max()),
        np.zeros((layers * (ny + 1), nx + 1)),
        told.reshape(-1, nx),
    )
    return told, size
