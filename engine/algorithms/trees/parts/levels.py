"""The open nodes of a tree that grows: asking one for its test or its branches works out those of
all the nodes of its depth together. AIMA 18.3.3 (Fig 18.5), 18.4.1; MIT 2.4.22-2.4.27.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from engine.algorithms.trees.parts.entries import Examples, Sample, branch_totals
from engine.algorithms.trees.parts.growth import (
    Frontier,
    Growth,
    Picks,
    among,
    branch,
    check_values,
    choose,
    root_frontier,
)
from engine.algorithms.trees.parts.model import Why
from engine.algorithms.trees.parts.splits import Scores, score_tests
from engine.base.arrays import Bool, Float, Int, frozen
from engine.base.records import cached_property, replace
from engine.base.work import Work, finished, settle

_REASONS = tuple(Why)
MOST_CUTS = 40  # to choose from, beside the best of each column


class Test(NamedTuple):
    """The test of a node.

    column, point: as in Tree
    gain: its information gain, or what takes its place
    ties: number of columns that are as good
    equals: number of tests that are as good, with all cuts of those columns
    """

    column: int
    point: float
    gain: float
    ties: int
    equals: int

    @property
    def cuts(self) -> bool:
        """Whether several cuts of one column tie."""
        return self.equals > self.ties


class OpenNode:
    """A node that has grown, or that is still to grow.

    totals: of each class; label: what a leaf would say, the plurality (the mean of values); tied:
    the plurality had equals; why: OPEN, or the reason for a leaf before any column is looked at;
    unknown: bits of all its examples, or squares around their mean; place: among the open nodes of
    its level; number: in the tree, once its parent's test is in the log
    """

    __slots__ = ("at", "label", "level", "number", "place", "tied", "totals", "unknown", "why")

    def __init__(
        self,
        level: "Level",
        at: int,
        place: int,
        why: Why,
        totals: Sequence[float],
        label: int,
        tied: bool,
    ) -> None:
        self.level = level
        self.at = at
        self.place = place
        self.number = 0
        self.why = why
        self.totals = totals
        self.label = label
        self.tied = tied
        self.unknown = 0.0 if why is Why.PURE else level.table.unknown(totals)

    def __eq__(self, other: object) -> bool:
        """The same node of a tree that has grown alike so far, whatever has grown below it."""
        if not isinstance(other, OpenNode):
            return False
        one, two = (
            (n.level.depth, n.at, n.number, n.why, n.label, n.tied, list(n.totals))
            for n in (self, other)
        )
        return one == two and (self.why is not Why.OPEN or _equal(self.scores, other.scores))

    __hash__ = object.__hash__

    def __lt__(self, other: "OpenNode") -> bool:
        return self.rank < other.rank

    def score_columns(self) -> Work[None]:
        """Compute the importance of the best test of every column."""
        if self.why is Why.OPEN:
            yield from self.level.score()

    @property
    def rank(self) -> tuple[int, bool, float, int]:
        """The sort key of breadth-first growth: by level, then by descending gain, leaves last.
        AIMA 18.4.1.
        """
        test = self.test
        return self.level.depth, test is None, -round(test.gain, 9) if test else 0.0, self.at

    @property
    def test(self) -> Test | None:
        """The best test; None where none divides the examples, or a stopping rule forbids it."""
        return self.level.tests[self.place] if self.why is Why.OPEN else None

    @property
    def reason(self) -> Why:
        """Why the node is a leaf, or TEST where it is not."""
        if self.why is not Why.OPEN:
            return self.why
        if self.test:
            return Why.TEST
        return Why.STOPPED if self.level.divides[self.place] else Why.NO_TEST

    @property
    def branches(self) -> "list[OpenNode]":
        """The nodes below, one for each outcome of the test."""
        return self.level.below.nodes[self.level.branches[self.place]]

    @property
    def sums(self) -> tuple[Float, Int, Bool]:
        """(totals (branches, classes), labels (branches,), tied (branches,)) of the branches."""
        here = self.level.branches[self.place]
        totals, labels, tied = self.level.below.sums
        return totals[here], labels[here], tied[here]

    @property
    def rows(self) -> Int:
        """(m,) the indices of its examples."""
        return self.level.rows_at(self.at)

    def choose(self, take: Callable[[Sequence[int], int], int]) -> "OpenNode":
        """The same node, with the test that `take` chooses of those that are as good.

        What grows below is worked out for it alone where that is another than the usual one. A
        count of nodes is one for all of a depth: then it is the usual one.
        """
        test = self.test
        if test is None or test.equals < 2 or self.level.growth.stop == "nodes":
            return self
        candidates = self.candidates
        equals = [i for i, (column, _) in enumerate(candidates) if self.winners[column]]
        usual = place_of(candidates, test.column, test.point)
        taken = take(equals, usual)
        return self if taken == usual else self.level.alone(self, *candidates[taken])

    # -- for its words

    @property
    def columns(self) -> list[int]:
        """The columns whose tests are compared: those not used up above, and [] where the tree is
        full.
        """
        full = self.level.growth.stop == "nodes" and self.test is None
        if self.why is not Why.OPEN or full:
            return []
        free = ~self.level.front.used[self.at]
        if self.level.tried is not None:
            free = free & self.level.tried[self.place]
        return np.flatnonzero(free).tolist()

    def point(self, column: int) -> float | None:
        """The split point of the best test of a column; None for a test without one."""
        point = float(self.level.scores.point[self.place, column])
        return None if point != point else point

    @property
    def candidates(self) -> list[tuple[int, float]]:
        """The tests (column, point) to choose from: the best of each column, and others that tie
        for the best.

        Where very many tie, the first ones and the chosen one.
        """
        scores = self.level.scores
        test = self.test
        found = [(column, float(scores.point[self.place, column])) for column in self.columns]
        if test is None or not test.cuts:
            return found
        others = scores.others.of(self.place)
        others = others.pick(self.winners[others.column])
        cuts = list(zip(others.column.tolist(), others.point.tolist(), strict=True))
        listed = cuts[:MOST_CUTS]
        listed += [cut for cut in cuts[MOST_CUTS:] if cut == (test.column, test.point)]
        return sorted(found + listed, key=_by_column)

    @property
    def scores(self) -> Scores:
        """worth, gain and point, (columns,) each, of the best test of each column."""
        return Scores(*(part[self.place] for part in self.level.scores[:3]))

    @property
    def winners(self) -> Bool:
        return np.asarray(self.level.picks.winners[self.place])

    def counts(self, column: int, point: float) -> Float:
        """(branches, classes) of one test; entries without the value are left out."""
        sample = self.level.entries
        return branch_totals(self.level.table, sample, sample.group == self.place, column, point)


class Level:
    """All nodes of one depth.

    budget: how many tests, or nodes, may still be made from here on; start: nodes above; tried
    (open nodes, columns): where not all are; sums: totals (nodes, classes), label and tied (nodes,)
    """

    tried: Bool | None = None

    def __init__(
        self, table: Examples, growth: Growth, front: Frontier, budget: float, start: int = 0
    ) -> None:
        self.start = start
        self.table = table
        self.growth = growth
        self.front = front
        self.budget = budget
        self.depth = front.depth
        self.sums = frozen(front.totals, np.float64), frozen(front.label), frozen(front.tied)

    @cached_property
    def nodes(self) -> list[OpenNode]:
        front = self.front
        places = (front.state == Why.OPEN).cumsum() - 1
        why = map(_REASONS.__getitem__, front.state.tolist())
        known = (
            places.tolist(),
            why,
            front.totals.tolist(),
            front.label.tolist(),
            front.tied.tolist(),
        )
        return [OpenNode(self, at, *row) for at, row in enumerate(zip(*known, strict=True))]

    @cached_property
    def opened(self) -> Frontier:
        return self.front.pick(self.front.state == Why.OPEN)

    @cached_property
    def entries(self) -> Sample:
        """The sample of the open nodes, without the sort orders, which only growing needs."""
        return replace(self.opened.sample, orders=self.opened.sample.orders[:, :0])

    def rows_at(self, at: int) -> Int:
        """(m,) the indices of a node's examples, in table order."""
        return self.parted[at]

    @cached_property
    def parted(self) -> list[Int]:
        sample = self.front.sample
        order = sample.group.argsort(kind="stable")
        return np.split(
            sample.rows[order], np.bincount(sample.group, minlength=sample.groups).cumsum()[:-1]
        )

    def score(self) -> Work[None]:
        """Compute the scores of all open nodes of the level."""
        return settle(self, "scores", self._scored)

    def _scored(self) -> Work[Scores]:
        here = self.opened
        tries = self.growth.tries
        scores = yield from score_tests(
            self.table, here.sample, here.totals, here.used, self.growth.rule
        )
        if tries is not None:
            numbers = self.start + np.flatnonzero(self.front.state == Why.OPEN)
            scores, self.tried = among(
                scores, tries.keys(int(numbers.max(initial=-1)) + 1)[numbers], tries.many
            )
        return scores

    @cached_property
    def scores(self) -> Scores:
        finished(self.score())
        return vars(self)["scores"]  # type: ignore[no-any-return]

    def alone(self, node: OpenNode, column: int, point: float) -> OpenNode:
        """An open node as the only one of a level, split by this test."""
        here = slice(node.at, node.at + 1)
        place = slice(node.place, node.place + 1)
        f = self.front
        at = f.sample.group == node.at
        rows = np.zeros(len(self.table.X))
        rows[f.sample.rows[at]] = 1.0 if f.sample.weight is None else f.sample.weight[at]
        sample = Sample.root(self.table).weighed(rows)
        sample = sample if f.sample.weight is not None else replace(sample, weight=None)
        front = Frontier(
            sample,
            f.totals[here],
            f.voters[here],
            f.label[here],
            f.tied[here],
            f.state[here],
            f.path[here],
            f.used[here],
            f.depth,
        )
        level = Level(self.table, self.growth, front, self.budget, self.start)
        yes = np.ones(1, dtype=bool)
        scores = self.scores.at(node.place)
        picks = self.picks
        columns, points = np.array([column]), np.array([point])
        among = (scores.others.column == column) & (scores.others.point == point)
        gain = scores.others.gain[among] if among.any() else scores.gain[0, columns]
        level.width = self.table.widths(columns, points)
        level.left = self.left
        chosen = Picks(columns, points, picks.winners[place], yes, yes, gain, picks.equals[place])
        vars(level).update(scores=scores, picks=chosen)
        (other,) = level.nodes
        other.number = node.number
        return other

    @cached_property
    def picks(self) -> Picks:
        picks = choose(self.scores, self.opened, self.growth)
        self.width = self.table.widths(picks.column, picks.point)
        picks, self.left = _within_budget(picks, self.width, self.budget, self.growth)
        return picks

    @cached_property
    def divides(self) -> list[bool]:
        return self.picks.divides.tolist()  # type: ignore[no-any-return]

    @cached_property
    def tests(self) -> Sequence[Test | None]:
        """The best test of each open node, None for a node without one."""
        p = self.picks
        columns = (
            p.column.tolist(),
            p.point.tolist(),
            p.gain.tolist(),
            p.winners.sum(1).tolist(),
            p.equals.tolist(),
        )
        return [
            Test(*row) if on else None
            for on, *row in zip(p.goes_on.tolist(), *columns, strict=True)
        ]

    @cached_property
    def branches(self) -> Sequence[slice]:
        """For each open node the slice of its branches in the level below."""
        ends = np.where(self.picks.goes_on, self.width, 0).cumsum()
        return list(map(slice, (ends - self.width).tolist(), ends.tolist()))

    @cached_property
    def below(self) -> "Level":
        """The level of the branches of all tests."""
        p = self.picks
        on = self.picks.goes_on
        front = branch(self.table, self.opened.pick(on), p.column[on], p.point[on], self.growth)
        none = self.entries.orders
        for name in ("front", "opened"):
            kept = getattr(self, name)
            vars(self)[name] = replace(kept, sample=replace(kept.sample, orders=none))
        return Level(self.table, self.growth, front, self.left, self.start + len(self.nodes))


def root(
    table: Examples, growth: Growth, weights: Float | None = None, sample: Sample | None = None
) -> OpenNode:
    """The root node of the examples of positive weight (n,).

    sample: the same examples, already sorted, or None

    Raises EngineError for a column with too many values.
    """
    check_values(table, growth)
    sample = Sample.root(table) if sample is None else sample
    sample = sample if weights is None else sample.weighed(weights)
    limit = growth.limit - growth.count_all if growth.stop == "nodes" else float("inf")
    return Level(table, growth, root_frontier(table, sample, growth), limit).nodes[0]


def _equal(one: Scores, other: Scores) -> bool:
    return all(
        np.array_equal(a, b, equal_nan=True) for a, b in zip(one[:3], other[:3], strict=True)
    )


def _by_column(test: tuple[int, float]) -> tuple[int, float]:
    """By column and point; a branch for every value is the only test of its column."""
    column, point = test
    return column, 0.0 if point != point else point


def place_of(tests: Sequence[tuple[int, float]], column: int, point: float) -> int:
    """The index of a test among these."""
    wanted = _by_column((column, point))
    return next(i for i, test in enumerate(tests) if _by_column(test) == wanted)


def _within_budget(picks: Picks, width: Int, budget: float, growth: Growth) -> tuple[Picks, float]:
    """Which nodes of a level may still be split, best gain first, and what is left of the count.

    AIMA 18.4.1.

    The first test that no longer fits ends the growing, also of smaller ones behind it.
    """
    if growth.stop != "nodes":
        return picks, budget
    order = np.lexsort((np.arange(len(width)), -np.round(picks.gain, 9), ~picks.goes_on))
    price = width[order] if growth.count_all else np.ones(len(order), dtype=np.intp)
    allowed = (np.cumsum(price) <= budget) & picks.goes_on[order]
    goes_on = np.zeros(len(order), dtype=bool)
    goes_on[order[allowed]] = True
    left = budget - float(price[allowed].sum()) if allowed.sum() == picks.goes_on.sum() else 0.0
    return picks._replace(goes_on=goes_on), left
