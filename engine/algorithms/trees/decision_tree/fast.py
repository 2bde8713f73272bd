"""A whole tree in one loop that the compiler takes, where nobody looks at its candidates.

Without it the rows "fit decision_tree" with n = 200, 2,000 and 20,000 come to 3.3, 3.4 and 2.0
times scikit-learn: a level takes 0.3 ms of numpy calls however small.

For numeric columns without gaps, whole examples and information gain; other trees grow by levels.
AIMA 18.3.3, 18.3.6.
"""

from functools import reduce
from math import log2
from operator import sub
from typing import Any

from engine.algorithms.trees.decision_tree import Setting
from engine.algorithms.trees.decision_tree.log import DUST, State
from engine.algorithms.trees.parts.levels import Bud, Level
from engine.algorithms.trees.parts.splits import TIE
from engine.algorithms.trees.parts.whole import (
    NO_TEST,
    PURE,
    STOPPED,
    TEST,
    Whole,
    as_decided,
    grown,
    part,
    takes,
)
from engine.authoring import Rng, Work, frozen, np, replace
from engine.numerics.compiled import Changing, Numbers, Rows, Table, loop
from engine.numerics.impurity import xlogx


def planted(given: Setting, rng: Rng) -> Bud:
    return sprout(given.root(rng))


def sprout(top: Bud) -> Bud:
    level = top.level
    level.watched = False
    size = level.front.sample.orders.size
    grow = whole_tree.compiled_for(int(size * log2(size))) if takes(level) else None
    return whole(level, grow).top if grow else top


def grow(given: Setting, s: State, top: Bud) -> Any:
    return NotImplemented if given.p.stop == "nodes" else at_once(given, s, top)


def at_once(given: Setting, s: State, top: Bud) -> Work[State]:
    (s, log), bits = (yield from grown(s, top)), s.bits
    for told, below in as_decided(log, top.level.table):
        bits -= reduce(sub, below, told) / len(given.rows)
        bits = bits if bits > DUST else 0.0
    wrong = log.tree.wrong(log.tree.totals)[log.tree.ends].sum()
    return replace(s, bits=bits, errors=int(wrong))  # parts of rows are counted at the end


def whole(level: Level, grow: Any) -> Whole:
    """Behind the numbers of a node, as in `Whole`, are its class totals, how many tests are as
    good, and its turn.
    """
    growth = level.growth
    sample = level.front.sample
    k = level.table.classes
    n = len(sample.rows)
    limit = growth.limit
    nodes = np.zeros((2 * n, 11 + k))
    orders = sample.orders.astype(np.float64)
    nodes[0, 1], nodes[0, 9:-2], nodes[0, -1] = n, level.front.totals[0], -1.0
    made = grow(
        np.ascontiguousarray(level.table.numbers[:, sample.rows]),
        level.table.codes[sample.rows].astype(np.float64),
        orders,
        xlogx(np.arange(n + 1)),
        np.zeros(k),
        np.zeros(n),
        np.zeros((3, len(sample.orders))),
        nodes,
        limit - TIE if growth.stop == "size" else 0.0,
        limit if growth.stop == "depth" else np.inf,
        limit + TIE if growth.stop == "no-gain" else -1.0,
        growth.rule.every_midpoint,
    )
    nodes = nodes[: int(made)].copy()  # they are kept with the log
    best = (totals := nodes[:, 9:-2]) == totals.max(1, keepdims=True)
    rows = frozen(totals.copy()), frozen(best.argmax(1)), frozen(best.sum(1) > 1)
    return Whole(level, nodes, rows, np.intp, orders[0])


def first_best(
    order: Numbers,
    value: Numbers,
    codes: Numbers,
    xlogx: Numbers,
    below: Changing,
    spare: Changing,
    node: Numbers,
    bits: float,
    every: bool,
) -> tuple[float, int, int]:
    """(gain, place) of the first of the best split points of a column, and how many are as good;
    gain −1 where all the examples agree in it.
    """
    at = int(node[0])
    end = int(node[1])
    total = int(node[1]) - int(node[0])
    largest = -1.0
    last = -2.0
    for k in range(len(below)):
        below[k] = 0.0
    while at < end:  # runs of equal values; last, kind: their one class, or −1
        x = value[int(order[at])]
        kind = codes[int(order[at])]
        stop = at
        while stop < end and value[int(order[stop])] == x:
            if codes[int(order[stop])] != kind:
                kind = -1.0
            spare[stop] = -1.0
            stop += 1
        if at > int(node[0]) and (every or kind != last or kind == -1.0):
            # bits that the examples on either side need
            low, high = xlogx[at - int(node[0])], xlogx[end - at]
            for k in range(len(below)):
                low -= xlogx[int(below[k])]
                high -= xlogx[int(node[9 + k] - below[k])]
            spare[at] = max((bits - low - high) / total, 0.0)
            largest = max(largest, spare[at])
        for i in range(at, stop):
            below[int(codes[int(order[i])])] += 1.0
        at, last = stop, kind
    at = int(node[0])
    while largest >= 0.0 and (spare[at] < 0.0 or spare[at] < largest - TIE):
        at += 1
    equal = 0
    for i in range(at, end):
        equal += 1 if spare[i] >= 0.0 and spare[i] >= largest - TIE else 0
    return (spare[at] if largest >= 0.0 else -1.0), at, equal


@loop(first_best, part)
def whole_tree(
    values: Rows,
    codes: Numbers,
    orders: Table,
    xlogx: Numbers,
    below: Changing,
    spare: Changing,
    tried: Table,
    nodes: Table,
    size: float,
    depth: float,
    least: float,
    every: bool,
) -> float:
    """How many nodes there are, numbered as in `whole_values`.

    Those of fewer examples than `size`, at `depth` or without a test of more gain than `least` are
    leaves. values, orders (columns, n): of the examples, and the examples by them; to work in:
    below (classes,), spare (n,), tried (3, columns).
    """
    count, number, waiting, last = (
        1,
        0,
        0,
        10 + len(below),
    )  # of those that wait each knows the one below it
    while waiting >= 0:
        node = nodes[waiting]
        waiting, node[last] = int(node[last]), number
        number = number + 1
        begin = int(node[0])
        end = int(node[1])
        bits = xlogx[end - begin]
        most = 0.0
        best = -1.0
        for k in range(len(below)):
            bits -= xlogx[int(node[9 + k])]
            most = max(most, node[9 + k])
        node[3] = PURE if most == end - begin else STOPPED
        if most == end - begin or end - begin < size or node[2] >= depth:
            continue
        for c in range(len(orders)):
            gain, at, equal = first_best(
                orders[c], values[c], codes, xlogx, below, spare, node, bits, every
            )
            tried[0][c], tried[1][c], tried[2][c], best = gain, at, equal, max(best, gain)
        if best < 0.0:
            node[3] = NO_TEST
            continue
        taken = -1
        ties = 0.0
        equals = 0.0
        for c in range(len(orders)):
            if tried[0][c] >= 0.0 and tried[0][c] >= best - TIE:
                taken = c if taken < 0 else taken
                ties = ties + 1.0
                equals = equals + tried[2][c]
        if tried[0][taken] <= least:
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
        node[last - 1] = equals
        for i in range(begin, end):
            nodes[count + (i >= at)][9 + int(codes[int(order[i])])] += 1.0
        for side in range(2):
            child = nodes[count + side]
            child[0], child[1], child[2] = at if side else begin, end if side else at, node[2] + 1.0
            child[last] = waiting if side else count + 1.0
        for c in range(len(orders)):
            part(orders[c], value, point, spare, begin, end)
        waiting = count
        count = count + 2
    return float(count)
