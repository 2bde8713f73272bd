"""Small nodes of a decision tree in plain numbers: where a numpy call takes longer than the examples. AIMA 18.3.3, 18.3.6.

For numeric columns without gaps, whole examples and information gain; `tree_levels` grows what is larger or of another
kind. Both make the same tree.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from engine.core.arrays import Int
from engine.core.sums import add_up
from engine.numerics.impurity import xlogx
from engine.algorithms.trees.parts.splits import TIE
from engine.algorithms.trees.parts.entries import Examples
from engine.algorithms.trees.parts.growth import Front, Growth
from engine.algorithms.trees.parts.model import Why
from engine.algorithms.trees.parts.rows import TreeRows

MOST = 600  # values in all the columns at all the nodes of a level
_MIXED = -1


class Node(NamedTuple):
    """number: in the tree; rows: for each column the examples (entries of the first front), ascending by its value;
    counts: of each class; total: of all; bits: that they need."""

    number: int
    rows: Sequence[Sequence[int]]
    counts: Sequence[int]
    total: int
    bits: float


class Cut(NamedTuple):
    """A > point. size: examples at or below it; below: of each class."""

    gain: float
    size: int
    below: Sequence[int]


class Test(NamedTuple):
    """The cut of greatest gain, the first of equals; ties: columns with one as good."""

    column: int
    point: float
    ties: int
    cut: Cut


def takes(table: Examples, front: Front, growth: Growth) -> bool:
    """Whether what is left to grow below the nodes of `front` is small and plain."""
    plain = not table.gaps and front.sample.weight is None and not table.is_nominal.any()
    known = growth.rule.importance == "gain" and growth.stop not in ("nodes", "entropy") and not growth.draws
    return plain and known and 0 < front.sample.orders.size <= MOST


def finish(table: Examples, front: Front, nodes: Int, tree: TreeRows, growth: Growth) -> None:
    """Grow all that is below the open `nodes`, level by level. front: these nodes, in order"""
    grower = _Grower(table, front, growth)
    here, depth = grower.start(front, nodes.tolist()), front.depth
    below: list[tuple[Any, ...]] = []
    tests: list[tuple[Any, ...]] = []
    reasons: list[tuple[int, Why]] = []
    number = tree.size  # of the next child
    while here:
        depth += 1
        opened = []
        for node in here:
            test = grower.best_test(node)
            if test is None or not grower.goes_on(test):
                reasons.append((node.number, Why.NO_TEST if test is None else Why.STOPPED))
                continue
            tests.append((node.number, test.column, test.point, test.cut.gain, test.ties, number, 2))
            for side, counts in enumerate(_sides(node, test.cut)):
                most = max(counts)
                below.append((counts, counts.index(most), counts.count(most) > 1, node.number, side, depth))
                why = grower.state(counts, most, depth)
                if why is Why.OPEN:
                    opened.append(grower.node(number, grower.rows(node, test, side), counts))
                else:
                    reasons.append((number, why))
                number += 1
        here = opened
    tree.extend(below, tests, reasons)


def _sides(node: Node, cut: Cut) -> tuple[list[int], list[int]]:
    """How many examples of each class a cut sends down either branch."""
    return list(cut.below), [here - low for here, low in zip(node.counts, cut.below, strict=True)]


class _Grower:
    """What all the nodes share. values, codes: the examples as lists; mixed: of each column, whether examples of different
    class share a value."""

    def __init__(self, table: Examples, front: Front, growth: Growth) -> None:
        rows, orders = front.sample.rows, front.sample.orders
        values, codes = table.numbers[:, rows], table.codes[rows]
        self.values, self.codes = values.tolist(), codes.tolist()
        self.every, self.growth = growth.rule.every_midpoint, growth
        self.xlogx = xlogx(np.arange(len(rows) + 1)).tolist()
        ascending, classes = np.take_along_axis(values, orders, axis=1), codes[orders]
        twins = (ascending[:, 1:] == ascending[:, :-1]) & (classes[:, 1:] != classes[:, :-1])
        self.mixed = twins.any(axis=1).tolist()

    def start(self, front: Front, nodes: Sequence[int]) -> list[Node]:
        columns, totals = front.sample.orders.tolist(), front.totals.tolist()
        made, begin = [], 0
        for number, counts in zip(nodes, totals, strict=True):
            end = begin + add_up(counts)
            made.append(self.node(number, [rows[begin:end] for rows in columns], counts))
            begin = end
        return made

    def node(self, number: int, rows: Sequence[Sequence[int]], counts: Sequence[int]) -> Node:
        total = add_up(counts)
        bits = self.xlogx[total]
        for count in counts:
            bits -= self.xlogx[count]
        return Node(number, rows, counts, total, bits)

    def goes_on(self, test: Test) -> bool:
        return self.growth.stop != "no-gain" or test.cut.gain > self.growth.limit + TIE

    def state(self, counts: Sequence[int], most: int, depth: int) -> Why:
        """OPEN, or why a node is a leaf before any column is looked at."""
        size, growth = add_up(counts), self.growth
        if size == most:
            return Why.PURE
        small = growth.stop == "size" and size < growth.limit - TIE
        deep = growth.stop == "depth" and depth >= growth.limit
        return Why.STOPPED if small or deep else Why.OPEN

    def rows(self, node: Node, test: Test, side: int) -> list[Sequence[int]]:
        """The examples of one branch, ascending in every column: A ≤ point at side 0, A > point at side 1."""
        value, point, tested = self.values[test.column], test.point, node.rows[test.column]
        own = tested[test.cut.size :] if side else tested[: test.cut.size]
        if side:
            parts = [[row for row in rows if value[row] > point] for rows in node.rows if rows is not tested]
        else:
            parts = [[row for row in rows if value[row] <= point] for rows in node.rows if rows is not tested]
        return [*parts[: test.column], own, *parts[test.column :]]

    def best_test(self, node: Node) -> Test | None:
        """The column of greatest gain, the first of equal ones; None where all examples agree in every column."""
        cuts = [
            self.best_cut(node, column) if mixed or self.every else self.best_change(node, column)
            for column, mixed in enumerate(self.mixed)
        ]
        gains = [cut.gain for cut in cuts if cut is not None]
        if not gains:
            return None
        least = max(gains) - TIE
        winners = [column for column, cut in enumerate(cuts) if cut is not None and cut.gain >= least]
        column, ties = winners[0], len(winners)
        cut = cuts[column]
        assert cut is not None
        value, rows = self.values[column], node.rows[column]
        low, high = value[rows[cut.size - 1]], value[rows[cut.size]]
        middle = low + (high - low) / 2
        return Test(column, middle if middle < high else low, ties, cut)

    def best_change(self, node: Node, column: int) -> Cut | None:
        """`best_cut` where no value has examples of several classes: between neighbours of different class."""
        codes, t = self.codes, self.xlogx
        total, rows = node.total, node.rows[column]
        best, least, nearer = None, float("inf"), TIE * total
        below, above = [0] * len(node.counts), list(node.counts)
        begin, kind = 0, codes[rows[0]]  # of the run of equal classes
        for size, row in enumerate(rows):
            if codes[row] != kind:
                below[kind] += size - begin
                above[kind] -= size - begin
                begin, kind = size, codes[row]
                low, high = t[size], t[total - size]  # bits that the examples on either side need
                for part in below:
                    low -= t[part]
                for part in above:
                    high -= t[part]
                if low + high < least - nearer:
                    least = low + high
                    best = (low, high, size, tuple(below))
        return self.cut(node, best)

    def best_cut(self, node: Node, column: int) -> Cut | None:
        """The first of the best split points; None where all the examples agree in this column. AIMA 18.3.6.

        Between neighbours of different class, or between all that differ in value.
        """
        value, codes, every, t = self.values[column], self.codes, self.every, self.xlogx
        counts, total = node.counts, node.total
        best, least, nearer = None, float("inf"), TIE * total
        below = [0] * len(counts)
        begin, last, kind, judged = 0, float("nan"), _MIXED, True  # of the run of equal values
        for size, row in enumerate(node.rows[column]):
            x, code = value[row], codes[row]
            place: int = 0
            passed: Sequence[int] = below
            if x != last:
                judged = code != kind or every
                if judged:
                    place = size
                begin, last, kind = size, x, code
            elif code != kind:
                if not judged:  # neighbours of one class at first sight, but not all the examples of this value are
                    place, passed = begin, [n - (size - begin) * (k == kind) for k, n in enumerate(below)]
                kind, judged = _MIXED, True
            if place:
                low, high = t[place], t[total - place]  # bits that the examples on either side need
                for here, part in zip(counts, passed, strict=True):
                    low -= t[part]
                    high -= t[here - part]
                if low + high < least - nearer:
                    least = low + high
                    best = (low, high, place, tuple(passed))
            below[code] += 1
        return self.cut(node, best)

    def cut(self, node: Node, best: tuple[float, float, int, Sequence[int]] | None) -> Cut | None:
        """What was found as (bits that the examples on either side need, size, below)."""
        if best is None:
            return None
        low, high, size, below = best
        return Cut(max((node.bits - low - high) / node.total, 0.0), size, below)
