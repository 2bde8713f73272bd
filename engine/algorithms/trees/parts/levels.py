"""Growing a decision tree level by level: whoever asks one node for its test or its branches has those of all the nodes of its
depth worked out. AIMA 18.3.3 (Fig 18.5), 18.4.1; MIT 2.4.22-2.4.27."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from engine.algorithms.trees.parts.entries import Examples, Sample, branch_totals
from engine.algorithms.trees.parts.growth import Front, Growth, Picks, branch, choose, root_front, widths
from engine.algorithms.trees.parts.model import Why
from engine.algorithms.trees.parts.splits import Scores, score_tests
from engine.core.arrays import Bool, Float, Int
from engine.core.records import replace
from engine.core.sums import add_up
from engine.core.work import Work, finished, settle
from engine.numerics.impurity import impurity_of

_REASONS = tuple(Why)


class Test(NamedTuple):
    """column, point: as in Tree; gain; ties: how many columns are as good."""

    column: int
    point: float
    gain: float
    ties: int


class Bud:
    """A node that is about to be looked at. why: OPEN, or the reason for a leaf before any column is looked at; number: in
    the tree, once its parent's test is told."""

    __slots__ = ("at", "bits", "level", "number", "why")

    def __init__(self, level: "Level", at: int, why: Why) -> None:
        self.level, self.at, self.why, self.number, self.bits = level, at, why, 0, -1.0

    @property
    def totals(self) -> list[float]:
        """Of each class."""
        return self.level.rows[0][self.at]

    @property
    def label(self) -> int:
        return self.level.rows[1][self.at]

    @property
    def tied(self) -> bool:
        return self.level.rows[2][self.at]

    def __lt__(self, other: "Bud") -> bool:
        return self.rank < other.rank

    @property
    def mass(self) -> float:
        """Bits that all its examples together still need."""
        if self.bits < 0:
            self.bits = add_up(self.totals) * impurity_of(self.totals)
        return self.bits

    def weigh(self) -> Work[None]:
        """Find the importance of every column."""
        yield from settle(self.level, "scores", self.level.weigh)

    @property
    def rank(self) -> tuple[int, bool, float, int]:
        """Its turn where a tree grows breadth first: by levels, the best gain first, leaves last. AIMA 18.4.1."""
        test = self.test
        return self.level.front.depth, test is None, -round(test.gain, 9) if test else 0.0, self.at

    @property
    def test(self) -> Test | None:
        """The column of greatest importance; None where none divides the examples, or a stopping rule forbids it."""
        if self.why is not Why.OPEN:
            return None
        level, at = self.level, self.place
        return Test(*level.tests[at]) if level.goes_on[at] else None

    @property
    def verdict(self) -> Why:
        """Why it is a leaf, or TEST."""
        if self.why is not Why.OPEN:
            return self.why
        if self.level.goes_on[self.place]:
            return Why.TEST
        return Why.STOPPED if self.level.picks.divides[self.place] else Why.NO_TEST

    def branches(self) -> Sequence["Bud"]:
        """For each value of its test a node."""
        end = self.level.ends[self.place]
        return self.level.below.buds[end - self.level.width[self.place] : end]

    # -- what its words need

    @property
    def place(self) -> int:
        """Among the open nodes of its level."""
        return self.level.places[self.at]

    @property
    def columns(self) -> list[int]:
        """Those that no test above has spent."""
        return np.flatnonzero(~self.level.front.used[self.at]).tolist()

    def point(self, column: int) -> float | None:
        """Of the best test of a column."""
        point = float(self.level.scores.point[self.place, column])
        return None if point != point else point

    @property
    def scores(self) -> Scores | None:
        """worth, gain and point (columns,) of the best test of each column."""
        return Scores(*(part[self.place] for part in self.level.scores))

    @property
    def winners(self) -> Bool:
        return np.asarray(self.level.picks.winners[self.place])

    def counts(self, column: int, point: float) -> Float:
        """(branches, classes) of one test; entries without the value are left out."""
        sample = self.level.entries
        return branch_totals(self.level.table, sample, sample.group == self.place, column, point)


class Level:
    """All nodes of one depth. budget: how many tests, or nodes, may still be made from here on."""

    def __init__(self, table: Examples, growth: Growth, front: Front, budget: float) -> None:
        self.table, self.growth, self.front, self.budget = table, growth, front, budget
        self.small: Mapping[int, Any] | None = None  # those of its nodes that were made otherwise
        self.buds = [Bud(self, at, _REASONS[why]) for at, why in enumerate(front.state.tolist())]

    @cached_property
    def rows(self) -> tuple[list[list[float]], list[int], list[bool]]:
        f = self.front
        return f.totals.tolist(), f.label.tolist(), f.tied.tolist()

    @cached_property
    def places(self) -> list[int]:
        return ((self.front.state == Why.OPEN).cumsum() - 1).tolist()  # type: ignore[no-any-return]

    @cached_property
    def opened(self) -> Front:
        return self.front.pick(self.front.state == Why.OPEN)

    @cached_property
    def entries(self) -> Sample:
        """Those of the open nodes, without their orders, which only the growing needs."""
        return replace(self.opened.sample, orders=self.opened.sample.orders[:, :0])

    def weigh(self) -> Work[Scores]:
        here = self.opened
        return (yield from score_tests(self.table, here.sample, here.totals, here.used, self.growth.rule))

    @cached_property
    def scores(self) -> Scores:
        return finished(self.weigh())

    @cached_property
    def picks(self) -> Picks:
        picks = choose(self.scores, self.opened, self.growth)
        wide = widths(self.table, picks.column, picks.point)
        picks, self.left = _within_budget(picks, wide, self.budget, self.growth)
        self.width = np.where(picks.goes_on, wide, 0).tolist()
        self.ends = np.cumsum(self.width).tolist()
        return picks

    @cached_property
    def goes_on(self) -> list[bool]:
        return self.picks.goes_on.tolist()  # type: ignore[no-any-return]

    @cached_property
    def tests(self) -> list[tuple[int, float, float, int]]:
        p = self.picks
        columns = (p.column.tolist(), p.point.tolist(), p.gain.tolist(), p.winners.sum(1).tolist())
        return list(zip(*columns, strict=True))

    @cached_property
    def below(self) -> "Level":
        """The branches of all its tests."""
        p, on = self.picks, self.picks.goes_on
        front = branch(self.table, self.opened.pick(on), p.column[on], p.point[on], self.growth)
        none = self.entries.orders
        for name in ("front", "opened"):
            kept = getattr(self, name)
            vars(self)[name] = replace(kept, sample=replace(kept.sample, orders=none))
        return Level(self.table, self.growth, front, self.left)


def root(table: Examples, growth: Growth, weights: Float | None = None) -> Bud:
    """The node of all examples, those of positive weight (n,). Raises EngineError for a column of too many values."""
    limit = growth.limit - growth.count_all if growth.stop == "nodes" else float("inf")
    return Level(table, growth, root_front(table, weights, growth), limit).buds[0]


def _within_budget(picks: Picks, width: Int, budget: float, growth: Growth) -> tuple[Picks, float]:
    """Which nodes of a level may still be split, best gain first, and what is left of the count. AIMA 18.4.1.

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
