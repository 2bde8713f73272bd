"""The leaves of many trees over the plane, marked in one loop that the compiler takes. Without it the rows "surface …, the model new"
with n = 20,000 come to 0.3 to 0.7 of scikit-learn's time, where a tenth is allowed: most leaves are smaller than a place of the
grid, and have boxes all the same."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from engine.algorithms.trees.parts.model import ARRAYS, Tree, step_down
from engine.core.arrays import Float, Int
from engine.core.grid import Grid
from engine.core.problem import Problem
from engine.numerics.compiled import Changing, Numbers, Places, Rows, Table, loop

ACROSS, HIDDEN = 0, 2


@loop()
def lay(
    ends: Places,
    column: Places,
    point: Numbers,
    first: Places,
    layer: Places,
    amount: Numbers,
    axes: Places,
    nodes: Table,
) -> None:
    """The nodes of trees, which end there, as `mark_leaves` reads them. By numpy bagging's row comes to 0.11."""
    root = 0
    for end in ends:
        for i in range(root, end):  # all is read, then chosen from: of a branch nobody could guess which way it goes
            leaf, told, edge, on, below = column[i] < 0, amount[i], point[i], layer[i], root + first[i]
            nodes[i][0] = axes[column[i] + 1]
            nodes[i][1] = told if leaf else edge
            nodes[i][2] = on if leaf else below
        root = end


def laid(
    put: Callable[..., Any], trees: Sequence[Tree], problem: Problem, rates: Sequence[float] | None = None, k: int = 1
) -> tuple[Int, Float]:
    """(root of each tree, all nodes (N, 3): what is read together lies together). A leaf adds 1 on the layer of its class; with rates
    its value times the tree's rate, on every k-th tree's layer."""
    sizes = np.array([len(tree.parent) for tree in trees])
    ends, nodes = sizes.cumsum(), np.empty((sizes.sum(), 3))
    column, point, first, label = (
        np.concatenate([getattr(tree, name) for tree in trees]) for name in ("column", "point", "first", "label")
    )
    told = label, np.ones(len(label))
    if rates is not None:
        told = (np.arange(len(trees)) % k).repeat(sizes), np.array(rates).repeat(sizes) * label
    axes = np.full(problem.d + 1, HIDDEN)
    axes[0], axes[1:][list(problem.plane)] = -1, np.arange(len(problem.plane))  # a leaf has the column −1
    put(ends, column, point, first, *told, axes, nodes)
    if len(problem.plane) < problem.d and len(hidden := np.flatnonzero(nodes[:, 0] == HIDDEN)):
        nodes[hidden, 1] = 0.0
        nodes[hidden, 2] = step_down(joint(trees), hidden, problem.anchor[column[hidden]])
    return ends - sizes, nodes


@loop()
def mark_leaves(roots: Places, nodes: Rows, xs: Numbers, ys: Numbers, waiting: Table, marks: Changing) -> None:
    """Each leaf that holds places of the grid xs × ys adds its amount at the corners of its box, on its layer: running sums, down and
    then across, spread it inwards. A node is (axis, point, first branch), a leaf (−1, amount, layer).
    To work in: waiting (as many as no tree has tests, 5)."""
    wide, high = len(xs) + 1, len(ys) + 1
    dense, tight = len(xs) / max(xs[wide - 2] - xs[0], 1e-300), len(ys) / max(ys[high - 2] - ys[0], 1e-300)
    for root in roots:
        waiting[0][0], waiting[0][1], waiting[0][3], count = root, 0.0, 0.0, 1
        waiting[0][2], waiting[0][4] = len(xs), len(ys)
        while count > 0:
            count -= 1
            node, x0, x1 = int(waiting[count][0]), int(waiting[count][1]), int(waiting[count][2])
            y0, y1 = int(waiting[count][3]), int(waiting[count][4])
            axis, edge, first = nodes[node][0], nodes[node][1], int(nodes[node][2])
            while axis >= 0:
                node = first
                across = axis == ACROSS
                places, low, top, scale = (xs, x0, x1, dense) if across else (ys, y0, y1, tight)
                cut = low  # in a wide box of a grid of equal steps it is near the guess
                if top - low > 4:
                    cut = int(min(max(1.0 + (edge - places[0]) * scale, low), top))
                while cut > low and places[cut - 1] > edge:
                    cut -= 1
                while cut < top and places[cut] <= edge:  # a place on the edge is on the lower side
                    cut += 1
                if axis == HIDDEN:
                    node = first
                elif cut == low:
                    node += 1
                elif cut < top:
                    last = waiting[count]
                    last[0], last[1], last[2], last[3], last[4] = node + 1, x0, x1, y0, y1
                    count += 1
                    if across:
                        last[1], x1 = cut, cut
                    else:
                        last[3], y1 = cut, cut
                axis, edge, first = nodes[node][0], nodes[node][1], int(nodes[node][2])
            under, over = (first * high + y0) * wide, (first * high + y1) * wide
            marks[under + x0] += edge
            marks[under + x1] -= edge
            marks[over + x0] -= edge
            marks[over + x1] += edge
    for begin in range(0, len(marks), wide):
        if (begin // wide + 1) % high:
            for x in range(begin, begin + wide):
                marks[x + wide] += marks[x]
        for x in range(begin + 1, begin + wide):
            marks[x] += marks[x - 1]


def joint(trees: Sequence[Tree]) -> Tree:
    """The nodes of several trees as those of one that has as many roots."""
    sizes = np.array([len(tree.parent) for tree in trees])
    shift = (sizes.cumsum() - sizes).repeat(sizes)
    arrays: dict[str, Any] = {name: np.concatenate([getattr(tree, name) for tree in trees]) for name in ARRAYS}
    arrays |= {name: np.where(arrays[name] < 0, -1, arrays[name] + shift) for name in ("parent", "first")}
    return replace(trees[0], **arrays, memo={})


def marked(mark: Callable[..., Any], roots: Int, table: Float, grid: Grid, layers: int) -> Float:
    """(layers, ny, nx) the sum of the amounts of the leaves that hold a place, each on its layer."""
    room = np.zeros((layers, len(grid.y) + 1, len(grid.x) + 1))
    places = (np.ascontiguousarray(at, np.float64) for at in (grid.x, grid.y))
    mark(roots, table, *places, np.empty((1 + int(np.diff(roots, append=len(table)).max()), 5)), room.ravel())
    return np.ascontiguousarray(room[:, :-1, :-1])  # read several times from here on
