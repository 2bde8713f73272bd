"""All the nodes of a tree at once, made by one loop that the compiler takes, where nobody looks at
its candidates: a level of numpy calls takes 0.3 ms however few its examples are.
"""

from collections.abc import Callable, Iterator
from functools import partial
from math import floor, log2, sqrt
from typing import Any, TypeVar

import numpy as np

from engine.algorithms.trees.parts.entries import Examples
from engine.algorithms.trees.parts.grove import grown_below, sealed
from engine.algorithms.trees.parts.levels import Bud, Level, Test
from engine.algorithms.trees.parts.log import Grown
from engine.algorithms.trees.parts.model import Tree, Why, by_branches
from engine.algorithms.trees.parts.splits import TIE
from engine.algorithms.trees.parts.values import Values
from engine.core.arrays import Float, Int, Prefix, frozen
from engine.core.records import Record, cached_property, replace
from engine.core.work import Work
from engine.numerics.compiled import Changing, Numbers, Rows, Table, loop

S = TypeVar("S", bound=Record)
PURE, NO_TEST, STOPPED, TEST = (
    float(why) for why in (Why.PURE, Why.NO_TEST, Why.STOPPED, Why.TEST)
)
MOST = 2**16  # values: the loop cannot be stopped, and takes half a microsecond for each


class Whole(Level):
    """All the nodes of a tree.

    As numbers a node is the part of the orders from where to where it has its examples, its depth,
    reason, first branch, the test (column, point, gain, ties), and last how many tests are as good,
    and its turn. rows: totals, labels, tied, as in `Level`; kind: of the totals for reading; order:
    the examples of the root, those of each node beside one another.
    """

    watched = False

    def __init__(
        self,
        level: Level,
        nodes: Float,
        rows: tuple[Float, Any, Any],
        kind: type[Any],
        order: Float,
    ) -> None:
        self.table = level.table
        self.growth = level.growth
        self.depth = 0
        self.rows = rows
        self.nodes, self.kind, self.order, self.sample, self.below = (
            nodes,
            kind,
            order,
            level.front.sample,
            self,
        )

    @property
    def top(self) -> Bud:
        return self.buds_of(slice(1))[0]

    @cached_property
    def buds(self) -> list[Bud]:
        return self.buds_of(slice(None))

    def buds_of(self, part: slice) -> list[Bud]:
        totals, labels, tied = (
            row[part].tolist() for row in (self.rows[0].astype(self.kind), *self.rows[1:])
        )
        why = [
            Why.OPEN if w == Why.TEST else Why(w)
            for w in self.nodes[part, 3].astype(np.intp).tolist()
        ]
        return [
            Bud(self, at, at, *row)
            for at, row in enumerate(zip(why, totals, labels, tied, strict=True))
        ]

    @cached_property
    def tests(self) -> list[Test]:
        column, ties, equals = (self.nodes[:, at].astype(np.intp).tolist() for at in (5, 8, -2))
        point, gain = (self.nodes[:, at].tolist() for at in (6, 7))
        return [Test(*test) for test in zip(column, point, gain, ties, equals, strict=True)]

    @cached_property
    def branches(self) -> list[tuple[int, int]]:
        return [(at, at + 2) for at in self.nodes[:, 4].astype(np.intp).tolist()]

    @property
    def log(self) -> Callable[[], Grown]:
        return partial(log_of, self.nodes, self.rows, self.table)

    def rows_at(self, at: int) -> Int:
        begin, end, _, why = self.nodes[at, :4].astype(np.intp).tolist()
        rows = self.sample.rows[self.order[begin:end].astype(np.intp)]
        # a leaf still has its examples in their order
        return np.sort(rows) if why == Why.TEST else rows

    def weigh(self) -> Work[None]:
        yield from ()


def tree_of(nodes: Float, rows: tuple[Float, Any, Any], table: Examples) -> Tree:
    """The tree of such numbers, its nodes numbered as they are, which is as a page numbers them."""
    depth, why, first, column, ties = nodes[:, [2, 3, 4, 5, 8]].T.astype(np.intp)
    outer = why != Why.TEST
    parent = np.full(len(nodes), -1)
    branches = np.zeros(len(nodes), np.intp)
    inner = np.flatnonzero(~outer)
    parent[first[inner]] = parent[first[inner] + 1] = inner
    branches[first[inner] + 1] = 1
    column[outer] = first[outer] = -1
    known = (
        parent,
        branches,
        depth,
        why,
        column,
        np.where(outer, np.nan, nodes[:, 6]),
        first,
        2 * ~outer,
        *rows,
    )
    return sealed([*known, nodes[:, 7], ties], table)


def log_of(nodes: Float, rows: tuple[Float, Any, Any], table: Examples) -> Grown:
    """The log of all of that tree."""
    return Grown(tree_of(nodes, rows, table), nodes[:, -1].argsort())


def takes(level: Level) -> bool:
    """Whether the tree is plain: of numbers, without gaps, weights and chance, by information gain
    or squares.
    """
    table = level.table
    growth = level.growth
    sample = level.front.sample
    rule = {"gain": growth.rule.least == 1, "squares": True}.get(growth.rule.importance, False)
    plain = rule and sample.weight is None and not table.gaps and not len(table.nominal)
    return (
        plain
        and not growth.draws
        and growth.stop not in ("nodes", "entropy")
        and 1 < sample.orders.size <= MOST
    )


def sprouted(top: Bud) -> Bud:
    """The root of a tree of values, grown at once where it is plain and the compiler is at hand."""
    level = top.level
    level.watched = False
    found = grown_values(level)
    return (
        top if found is None else Whole(level, found[0], _rows(found[0]), np.float64, found[1]).top
    )


def _rows(nodes: Float) -> tuple[Float, Float, Any]:
    """Examples, mean and squares of a node; its mean; that no other class is as good."""
    totals = nodes[:, 9:12]
    return (
        frozen(totals.copy()),
        frozen(totals[:, 1].copy()),
        frozen(np.zeros(len(nodes), dtype=bool)),
    )


def grown(s: S, top: Bud) -> Work[tuple[S, Grown]]:
    """(the state in which the last node below a root has been decided but for what is added up on
    the way, its log): numbered and decided as by a page that grows each branch to its end.
    """
    level = top.level
    if isinstance(level, Whole):
        log = level.log()
    elif found := grown_values(level):
        log = log_of(found[0], _rows(found[0]), level.table)
    else:
        (tree,) = yield from grown_below(level.table, level.front, level.growth)
        log = Grown(*by_branches(tree))
    size, leaves = len(log.order), len(log.tree.ends)
    return replace(s, log=Prefix(log, size + 1), size=size, tests=size - leaves, leaves=leaves), log


def as_decided(log: Grown, table: Examples) -> Iterator[tuple[float, list[float]]]:
    """What is unknown at each test and in its branches, in turn: added up like this it rounds as on
    a page.
    """
    tree, order = log.tree, log.order
    mass = [table.unknown(totals) for totals in tree.totals.tolist()]
    tests = order[tree.column[order] >= 0]
    first = tree.first[tests]
    width = tree.width[tests]
    for node, begin, end in zip(
        tests.tolist(), first.tolist(), (first + width).tolist(), strict=True
    ):
        yield mass[node], mass[begin:end]


def grown_values(level: Level) -> tuple[Float, Float] | None:
    """(nodes (N, 15), order (n,)) of a plain tree of values, as in `whole_values`; None where it is
    to grow by levels.
    """
    if not takes(level):
        return None
    size = level.front.sample.orders.size
    table = level.table
    grow = whole_values.compiled_for(int(size * log2(size)))
    if grow is None or not isinstance(table, Values):
        return None
    growth = level.growth
    sample = level.front.sample
    limit = level.growth.limit
    n = len(sample.rows)
    rows = sample.rows
    nodes = np.zeros((2 * n, 15))
    order = np.vstack([sample.orders, np.arange(n)]).astype(np.float64)
    made = grow(
        np.ascontiguousarray(table.numbers[:, rows]),
        table.y[rows],
        table.units[rows],
        order,
        np.zeros(n),
        np.zeros((3, len(sample.orders))),
        nodes,
        table.unit,
        float(growth.rule.least),
        limit - TIE if growth.stop == "size" else 0.0,
        limit if growth.stop == "depth" else np.inf,
        limit + TIE if growth.stop == "no-gain" else -1.0,
    )
    return nodes[: int(made)], order[-1]


def part(
    order: Changing, value: Numbers, point: float, spare: Changing, begin: int, end: int
) -> None:
    """The examples of a node with value > point behind the others, both as they were."""
    low = begin
    high = 0
    for i in range(begin, end):
        if value[int(order[i])] <= point:
            order[low] = order[i]
            low += 1
        else:
            spare[high] = order[i]
            high += 1
    for i in range(high):
        order[low + i] = spare[i]


def sum_up(order: Numbers, y: Numbers, units: Numbers, node: Changing) -> None:
    """Examples, mean, squares around it, and the whole number of units near it."""
    begin = int(node[0])
    end = int(node[1])
    total = 0.0
    whole = 0.0
    squares = 0.0
    differ = 0.0
    for i in range(begin, end):
        total += y[int(order[i])]
        whole += units[int(order[i])]
    mean = total / (end - begin)
    centre = float(floor(whole / (end - begin) + 0.5))
    for i in range(begin, end):
        away = y[int(order[i])] - mean
        squares += away * away
        differ += abs(units[int(order[i])] - centre)
    node[9], node[10], node[11], node[12] = (
        end - begin,
        mean,
        squares if differ > 0.0 else 0.0,
        centre,
    )


def best_cut(
    order: Numbers,
    value: Numbers,
    units: Numbers,
    spare: Changing,
    node: Numbers,
    unit: float,
    least: float,
) -> tuple[float, int, int]:
    """(share of the squares, place) of the first of the best split points of a column, and how many
    are as good; −1 where there is none.
    """
    begin = int(node[0])
    end = int(node[1])
    centre = node[12]
    size = sqrt(node[11]) / unit
    whole = 0.0
    low = 0.0
    largest = -1.0
    for i in range(begin, end):
        whole += units[int(order[i])] - centre
    parent = -(whole * whole) / (end - begin)
    squares = size * size
    for at in range(begin, end - 1):
        low += units[int(order[at])] - centre
        under, over = float(at + 1 - begin), float(end - at - 1)
        spare[at] = -1.0
        if under >= least and over >= least and value[int(order[at])] < value[int(order[at + 1])]:
            high = whole - low
            told = parent - -(low * low) / under - -(high * high) / over
            spare[at] = max(told / squares, 0.0)
            largest = max(largest, spare[at])
    at = begin
    while largest >= 0.0 and (spare[at] < 0.0 or spare[at] < largest - TIE):
        at += 1
    equal = 0
    for i in range(at, end - 1):
        equal += 1 if spare[i] >= 0.0 and spare[i] >= largest - TIE else 0
    return largest if largest < 0.0 else spare[at], at + 1, equal


@loop(part, sum_up, best_cut)
def whole_values(
    values: Rows,
    y: Numbers,
    units: Numbers,
    orders: Table,
    spare: Changing,
    tried: Table,
    nodes: Table,
    unit: float,
    least: float,
    size: float,
    depth: float,
    gain: float,
) -> float:
    """How many nodes there are, numbered as they come to be where each branch is grown to its end;
    last of their numbers is their turn. values (columns, n), orders (columns + 1, n): of the
    examples, and the examples by them, at last in their own order; least: examples of a branch;
    nodes of fewer than `size`, at `depth` or without a test of more than `gain` are leaves. To work
    in: spare (n,), tried (3, columns).
    """
    count, turn, waiting, columns = (
        1,
        0,
        0,
        len(values),
    )  # of those that wait each knows the one below it
    nodes[0][1], nodes[0][14] = len(y), -1.0
    sum_up(orders[columns], y, units, nodes[0])
    while waiting >= 0:
        node = nodes[waiting]
        waiting, node[14] = int(node[14]), turn
        turn += 1
        begin = int(node[0])
        end = int(node[1])
        best = -1.0
        node[3] = STOPPED if node[11] > 0.0 else PURE
        if node[11] == 0.0 or end - begin < size or node[2] >= depth:
            continue
        for c in range(columns):
            share, place, equal = best_cut(orders[c], values[c], units, spare, node, unit, least)
            tried[0][c], tried[1][c], tried[2][c], best = share, place, equal, max(best, share)
        if best < 0.0:
            node[3] = NO_TEST
            continue
        taken = -1
        ties = 0.0
        equals = 0.0
        for c in range(columns):
            if tried[0][c] >= 0.0 and tried[0][c] >= best - TIE:
                taken = c if taken < 0 else taken
                ties = ties + 1.0
                equals = equals + tried[2][c]
        if tried[0][taken] <= gain:
            continue
        at = int(tried[1][taken])
        value = values[taken]
        order = orders[taken]
        under, over = value[int(order[at - 1])], value[int(order[at])]
        point = under + (over - under) / 2
        point = point if point < over else under
        node[3], node[4], node[5], node[6], node[7], node[8] = (
            TEST,
            count,
            taken,
            point,
            tried[0][taken],
            ties,
        )
        node[13] = equals
        for c in range(columns + 1):
            part(orders[c], value, point, spare, begin, end)
        for side in range(2):
            child = nodes[count + side]
            child[0], child[1], child[2] = at if side else begin, end if side else at, node[2] + 1.0
            sum_up(orders[columns], y, units, child)
            child[14] = waiting if side else count + 1.0
        waiting = count
        count += 2
    return float(count)
