"""Candidate tests of a decision tree, scored for many nodes at once by running class totals.

AIMA 18.3.4, 18.3.6.

Numeric columns give tests A > v, categorical ones a branch per value, or A = v against the rest.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from engine.algorithms.trees.parts.entries import Examples, Sample
from engine.base.arrays import Bool, Float, Int
from engine.base.records import Record
from engine.base.sums import add_up
from engine.base.work import Work
from engine.numerics.closeness import SHARE
from engine.numerics.impurity import xlogx

_CELLS = 1 << 22
BLOCK = 1 << 17


Sums = Sequence[Any]  # of sets of examples: the weight of each class (…), or count and sum (…)
Measure = Callable[[Sums], Any]  # how much is unknown of all the examples of such sets together


class Candidates(Record):
    """Tests (m,) that could be put to the examples of nodes, for their importance to be found.

    known: sums of the examples of the nodes, of those that have a value; which: the place in these
    of each test's node; branches: sums of the first branches of all tests, of the second ones, …;
    or, where `start` is given, of all branches of the columns, which begin at these places of the
    last axis; examples (m,): how many the node of a test has, also without a value (of numbers to
    learn: the squares around their mean); size: how many examples some sums are of
    """

    known: Sums
    which: Any
    branches: Sequence[Sums]
    examples: Any
    size: Measure
    start: Int | None = None

    def before(self, total: Measure) -> Any:
        """(m,) the impurity of all examples of the node before the test."""
        return total(self.known)[self.which]

    def after(self, total: Measure) -> Any:
        """(m,) the impurity of these examples after the test, over all branches."""
        if self.start is None:
            return add_up(total(branch) for branch in self.branches)
        return np.add.reduceat(total(self.branches[0]), self.start, axis=-1)

    def split_information(self) -> Float:
        """(m,) the entropy of the sizes of the branches in bits, NaN where it is 0. AIMA 18.3.6."""
        size = self.size(self.known)[self.which]
        bits = xlogx(size) - self.after(lambda sums: xlogx(self.size(sums)))
        information = bits / np.where(size > 0, size, 1)
        return np.where(information > SHARE, information, np.nan)


Importance = Callable[[Candidates], Float]


def drop(tests: Candidates, total: Measure) -> Float:
    """(m,) the importance of tests: the fall of the impurity for each example."""
    gain: Float = (tests.before(total) - tests.after(total)) / tests.examples
    return gain


class Rule(Record):
    """How tests are chosen.

    importance: the largest wins, NaN for a test that does not help
    gain: what a stopping rule compares, where it is something else
    every_midpoint: whether neighbours of one class are also split
    most_branches: words with more values have tests A = v
    least: examples that every non-empty branch needs
    """

    importance: Importance
    gain: Importance | None = None
    every_midpoint: bool = False
    most_branches: float = np.inf
    least: int = 1

    def scored(self, tests: Candidates) -> tuple[Float, Float]:
        """(importance (m,), −inf where a test does not help; gain (m,)), both at least 0 where
        finite.
        """
        worth = np.maximum(self.importance(tests), 0)
        worth[np.isnan(worth)] = -np.inf
        return worth, worth if self.gain is None else np.maximum(self.gain(tests), 0)


class Others(NamedTuple):
    """Tests as good as the best of their column at their node, without that one itself, each (m,):
    the node, the column, the point and the gain; by column and point within each node.
    """

    node: Int
    column: Int
    point: Float
    gain: Float

    def pick(self, keep: Bool | Int | slice) -> "Others":
        return Others(self.node[keep], self.column[keep], self.point[keep], self.gain[keep])

    def of(self, node: int) -> "Others":
        """The tied tests of one node."""
        begin, end = np.searchsorted(self.node, (node, node + 1))
        return self.pick(slice(begin, end))


NO_OTHERS = Others(np.zeros(0, np.intp), np.zeros(0, np.intp), np.zeros(0), np.zeros(0))


class Scores(NamedTuple):
    """The best test of each column at each node, all (groups, columns), the first of those that are
    as good.

    worth: its importance, −inf when no test of the column divides the entries; gain in bits (Gini:
    impurity); point: split point, category of A = v, or NaN for a branch per value; others: those
    that are as good in their column
    """

    worth: Float
    gain: Float
    point: Float
    others: Others = NO_OTHERS

    def at(self, place: int) -> "Scores":
        """The scores of one node alone, as arrays (1, columns)."""
        here = slice(place, place + 1)
        mine = self.others.of(place)
        return Scores(
            self.worth[here],
            self.gain[here],
            self.point[here],
            mine._replace(node=mine.node - place),
        )


def score_tests(
    table: Examples, sample: Sample, totals: Any, used: Bool, rule: Rule
) -> Work[Scores]:
    """The best test of every column at every node, some columns after the others. totals (groups,
    classes); used (groups, columns): spent columns.
    """
    shape = (sample.groups, table.X.shape[1])
    table, totals = table.centred(sample, totals)
    scores = Scores(np.full(shape, -np.inf), np.zeros(shape), np.full(shape, np.nan))
    others = [NO_OTHERS]
    width = max(1, BLOCK // max(1, len(sample.rows)))
    for c in range(0, len(table.numeric), width):
        columns = np.arange(c, min(c + width, len(table.numeric)))
        others.append(_score_numeric(table, sample, totals, columns, rule, scores))
        yield
    if len(table.nominal):
        others += _score_nominal(table, sample, totals, rule, scores)
        scores.worth[used] = -np.inf
    if table.gaps and table.apart:
        _part_gaps(table, sample, totals, rule, scores)
    return scores._replace(others=_in_order(others))


def _in_order(parts: Sequence[Others]) -> Others:
    """All of them, by column and point within each node."""
    whole = Others(*map(np.concatenate, zip(*parts, strict=True)))
    order = np.lexsort((whole.point, whole.column, whole.node))
    return whole.pick(order)


def _score_numeric(
    table: Examples, sample: Sample, totals: Any, columns: Int, rule: Rule, scores: Scores
) -> Others:
    """A > v for every candidate v of `columns` at once: sorted by value, what lies left of v is a
    running total.
    """
    cuts = cut_points(table, sample, totals, columns, rule)
    if not len(cuts.segment):
        return NO_OTHERS
    group = cuts.segment % sample.groups
    worth, gain = rule.scored(_two_way(table, cuts.left, cuts.known, cuts.which, totals, group))
    best, rest = _first_best(worth, cuts.segment)
    column = table.numeric[columns[cuts.segment // sample.groups]]
    for target, found in zip(
        scores[:3], (worth[best], gain[best], cuts.points(cuts.place[best])), strict=True
    ):
        target[group[best], column[best]] = found
    return Others(group[rest], column[rest], cuts.points(cuts.place[rest]), gain[rest])


class Cuts(NamedTuple):
    """Candidate split points. place: position in the flattened `cells`; segment = column · groups +
    group; left: per class, the weight at or below the point; known (·, classes): weights that have
    a value, for row `which`; cells: places in `numbers` by (column, node, value).
    """

    place: Int
    segment: Int
    left: list[Any]
    known: Any
    which: Int
    cells: Int
    numbers: Float

    def points(self, place: Int) -> Float:
        """(m,) midpoints between a value and the next; the value itself where rounding would reach
        the next.
        """
        low, high = self.numbers[self.cells[place]], self.numbers[self.cells[place + 1]]
        middle = low + (high - low) / 2
        return np.where(middle < high, middle, low)


def cut_points(table: Examples, sample: Sample, totals: Any, columns: Int, rule: Rule) -> Cuts:
    """All candidate split points of numeric `columns` (positions in table.numeric) at every node.

    AIMA 18.3.6.
    """
    order = sample.orders if len(columns) == len(sample.orders) else sample.orders[columns]
    rows = sample.rows[order]
    numbers = table.numbers.ravel()
    cells = rows + columns[:, None] * table.numbers.shape[1]
    codes = table.terms[rows]
    whole = sample.weight is None and not table.gaps
    sizes = (
        np.asarray(table.size(totals.T), np.intp)
        if whole
        else np.bincount(sample.group, minlength=sample.groups)
    )
    group = np.arange(sample.groups).repeat(sizes)
    end = sizes.cumsum()
    edge = np.zeros(order.shape, dtype=bool)
    steps = edge[:, :-1]
    if sample.twins or rule.every_midpoint:
        values = numbers[cells]
        np.less(values[:, :-1], values[:, 1:], out=steps)
    else:  # where the class changes, so does the value
        np.not_equal(codes[:, :-1], codes[:, 1:], out=steps)
    edge[:, end - 1] = False  # what follows belongs to another node
    if rule.least > 1:
        many = np.arange(1, len(group) + 1) - (end - sizes)[group]
        edge &= (many >= rule.least) & (sizes[group] - many >= rule.least)
    if sample.twins and not rule.every_midpoint:
        _keep_class_changes(edge, values, codes, group[1:] == group[:-1])
    place = edge.ravel().nonzero()[0]
    column, position = np.divmod(place, order.shape[1])
    here = group[position]
    segment = column * sample.groups + here
    if whole:
        left = table.left(codes, place, position + 1 - (end - sizes)[here], here, totals)
        return Cuts(place, segment, left, totals, here, cells.ravel(), numbers)
    weight = np.ones(order.shape) if sample.weight is None else sample.weight[order]
    if table.gaps:
        weight = np.where(np.isnan(numbers[cells]), 0.0, weight)
    bound = edge.copy()
    bound[:, end - 1] = True
    run = bound.ravel().cumsum() - bound.ravel()  # of entries that no candidate parts
    sums = table.sums(run, codes.ravel(), int(run[-1]) + 1, weight.ravel()).cumsum(0)
    upto = sums[run[(np.arange(len(order))[:, None] * order.shape[1] + end - 1).ravel()]]
    known = np.diff(upto, axis=0, prepend=0)
    left = list((sums[run[place]] - (upto - known)[segment]).T)
    known = np.maximum(known, 0) if table.classes else known
    return Cuts(place, segment, left, known, segment, cells.ravel(), numbers)


def _keep_class_changes(edge: Bool, values: Float, codes: Int, inside: Bool) -> None:
    """Drop the edges whose values on both sides belong to one and the same class.

    AIMA 18.3.6. Equal values of several classes make both their edges candidates. inside: both
    neighbours are at one node
    """
    change = (codes[:, :-1] != codes[:, 1:]) & inside
    twins = change & (values[:, :-1] == values[:, 1:])
    if twins.any():
        ends = edge.copy()
        ends[:, :-1] |= ~inside
        run = np.cumsum(ends, axis=1) - ends + np.arange(len(edge))[:, None] * edge.shape[1]
        mixed = np.zeros(edge.size, dtype=bool)
        mixed[run[:, :-1][twins]] = True
        change |= mixed[run[:, :-1]] | mixed[run[:, 1:]]
    edge[:, :-1] &= change


def _two_way(
    table: Examples, left: list[Any], known: Any, which: Int, totals: Any, node: Int
) -> Candidates:
    """Tests of two branches, of which `left` is one; known[which]: sums of their nodes' examples,
    totals[node]: with those that lack the value, which are left out or have a branch of their own.
    """
    right = [known[which, k] - part for k, part in enumerate(left)]
    branches = [left, right]
    if table.apart and table.gaps:
        missing = np.maximum(totals[node] - known[which], 0)
        branches.append(list(missing.T))
        known, which = totals, node
    sums = list(known.T)[: len(left)]  # of values without their squares
    return Candidates(sums, which, branches, table.whole(totals)[node], table.size)


def _first_best(worth: Float, segment: Int) -> tuple[Int, Int]:
    """Positions of the entries of each segment (ascending) that are as good as its best: of the
    first ones, and of the others.
    """
    new = run_starts(segment)
    best = np.maximum.reduceat(worth, new.nonzero()[0])
    good = (worth >= best[new.cumsum() - 1] - SHARE).nonzero()[0]
    first = run_starts(segment[good])
    return good[first], good[~first & (worth[good] > -np.inf)]


def run_starts(ascending: Int) -> Bool:
    """(m,) whether each of ascending numbers is the first of a run of equal ones."""
    new = np.ones(len(ascending), dtype=bool)
    np.not_equal(ascending[1:], ascending[:-1], out=new[1:])
    return new


def _score_nominal(
    table: Examples, sample: Sample, totals: Any, rule: Rule, scores: Scores
) -> list[Others]:
    others = list[Others]()
    cells = int(table.sizes.sum()) * table.classes
    step = max(1, _CELLS // max(1, cells))
    for low in range(0, sample.groups, step):
        high = min(low + step, sample.groups)
        counts = value_counts(table, sample, low, high)
        part = Scores(scores.worth[low:high], scores.gain[low:high], scores.point[low:high])
        _score_values(table, counts, totals[low:high], rule, part)
        found = _score_subsets(table, counts, totals[low:high], rule, part)
        others += [other._replace(node=other.node + low) for other in found]
    return others


def value_counts(table: Examples, sample: Sample, low: int, high: int) -> Any:
    """(nodes low…high, categories of all nominal columns, classes): class weights for
    each value.
    """
    here = (
        slice(None)
        if high - low == sample.groups
        else (sample.group >= low) & (sample.group < high)
    )
    rows = sample.rows[here]
    group = sample.group[here] - low
    width = int(table.sizes.sum()) + 1
    cells = group * width + table.values[:, rows]
    terms = np.broadcast_to(table.terms[rows], cells.shape)
    weight = None if sample.weight is None else np.tile(sample.weight[here], len(table.nominal))
    return table.sums(cells, terms, (high - low) * width, weight).reshape(high - low, width, -1)[
        :, :-1
    ]


def _score_values(table: Examples, counts: Any, totals: Any, rule: Rule, scores: Scores) -> None:
    """A branch for every value."""
    branches = list(np.moveaxis(counts, 2, 0))  # (classes, groups, categories of all columns)
    known = list(np.moveaxis(np.add.reduceat(counts, table.start, axis=1), 2, 0))
    examples = table.whole(totals)[:, None]
    worth, gain = rule.scored(
        Candidates(known, ..., [branches], examples, table.size, start=table.start)
    )
    sizes = table.size(branches)
    divides = np.add.reduceat(sizes > 0, table.start, axis=1, dtype=np.intp) > 1
    if rule.least > 1:
        divides &= ~np.logical_or.reduceat((sizes > 0) & (sizes < rule.least), table.start, axis=1)
    scores.worth[:, table.nominal] = np.where(divides, worth, -np.inf)
    scores.gain[:, table.nominal] = gain


def _score_subsets(
    table: Examples, counts: Any, totals: Any, rule: Rule, scores: Scores
) -> list[Others]:
    """A = v against the rest, for columns of many values. AIMA 18.3.6."""
    others = list[Others]()
    for c in np.flatnonzero(table.sizes - table.apart > rule.most_branches):
        end = table.start[c] + table.sizes[c] - table.apart
        values = counts[:, table.start[c] : end]  # (groups, values, classes)
        groups, width, parts = values.shape
        segment = np.repeat(np.arange(groups), width)
        left = [values[:, :, k].ravel() for k in range(parts)]
        known = values.sum(1)
        tests = _two_way(table, left, known, segment, totals, segment)
        worth, gain = rule.scored(tests)
        worth = np.where(np.isnan(tests.split_information()), -np.inf, worth)
        if rule.least > 1:
            size = table.size(left)
            rest = table.size(known.T)[segment] - size
            worth[(size < rule.least) | (rest < rule.least)] = -np.inf
        best, rest = _first_best(worth, segment)
        found = (worth[best], gain[best], (best % width).astype(np.float64))
        for target, result in zip(scores[:3], found, strict=True):
            target[:, table.nominal[c]] = result
        column = np.full(len(rest), table.nominal[c])
        others.append(Others(segment[rest], column, (rest % width).astype(np.float64), gain[rest]))
    return others


def _part_gaps(table: Examples, sample: Sample, totals: Any, rule: Rule, scores: Scores) -> None:
    """A > v and A = v do not part values that are all the same; such a test still parts them from
    the missing ones.
    """
    few = np.zeros(len(table.is_nominal), dtype=bool)
    few[table.numeric] = True
    few[table.nominal] |= table.sizes - table.apart > rule.most_branches
    x = table.X[sample.rows]
    for c in np.flatnonzero(few):
        gap = np.isnan(x[:, c]) if not table.is_nominal[c] else x[:, c] == table.branches[c] - 1
        cells = (sample.group * 2 + gap) * table.classes + table.codes[sample.rows]
        parts = np.bincount(cells, sample.weight, sample.groups * 2 * table.classes).reshape(
            -1, 2, table.classes
        )
        lone = (scores.worth[:, c] == -np.inf) & (parts.sum(2) > 0).all(1)
        branches = [list(parts[:, b].T) for b in range(2)]
        worth, gain = rule.scored(
            Candidates(list(totals.T), ..., branches, table.whole(totals), table.size)
        )
        scores.worth[lone, c], scores.gain[lone, c] = worth[lone], gain[lone]
        value = np.zeros(sample.groups)
        value[sample.group[~gap]] = x[~gap, c]
        scores.point[lone, c] = value[lone]
