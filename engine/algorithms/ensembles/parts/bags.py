"""Trees that are taught on bags, samples drawn with replacement, and the rows outside each bag that
test them. Extension.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.random import Generator

from engine.algorithms.ensembles.parts.forests import Leaves, row_votes
from engine.algorithms.ensembles.parts.votes import Majority, winners
from engine.algorithms.trees.parts.entries import Examples, Sample
from engine.algorithms.trees.parts.growth import Growth, Tries
from engine.algorithms.trees.parts.levels import Level, OpenNode, Test, root
from engine.algorithms.trees.parts.model import Tree, predict
from engine.algorithms.trees.parts.splits import Rule, drop
from engine.algorithms.trees.parts.grove import grove
from engine.core.arrays import Bool, Float, Int, Prefix, frozen
from engine.core.errors import EngineError
from engine.core.records import Record, cached_property, replace
from engine.core.setting import Setting
from engine.core.work import Work
from engine.numerics.impurity import total_entropy, total_gini

P = TypeVar("P")


class Bagged(Record, eq=True):
    """learners: trees that vote; bags: how often each row is in the bag of each (n,); errors: rows
    that the vote gets wrong; tested: rows that were outside some bag; missed: of them, wrong by the
    vote of the trees that never saw them. This round's: copies (n,), learner h[b], node of it
    looked at now, −1 once it is whole.
    """

    learners: Prefix[Tree]
    bags: Prefix[Int]
    errors: int
    tested: int = 0
    missed: int = 0
    round: int = 0
    copies: Int | None = None
    learner: Tree | None = None
    node: int = -1

    @property
    def bag(self) -> Int:
        """(n,) the copies of this round."""
        assert self.copies is not None
        return self.copies

    @property
    def oob(self) -> float:
        """The share that the trees get wrong of the rows they never saw; NaN before
        there are any.
        """
        return self.missed / self.tested if self.tested else float("nan")


class Race(NamedTuple):
    """The tests tried at a node, of each column the best and all that are as good as the best of
    all: the column of each, its worth, −inf where it divides nothing, its point, and which are as
    good as the best; test: the one that is taken.
    """

    node: int
    columns: tuple[int, ...]
    worth: tuple[float, ...]
    points: tuple[float, ...]
    winners: tuple[int, ...]
    test: Test


class Bags(Setting[P]):
    """known: labelled rows; size: of a bag."""

    p: Any
    known = cached_property(lambda given: np.flatnonzero(given.problem.labelled))
    size = cached_property(lambda given: max(1, round(given.p.size * len(given.known) / 100)))

    @property
    def tried(self) -> int | None:
        """How many columns are tried at each node, None for all."""
        return None

    @cached_property
    def table(self) -> Examples:
        return Examples.of(
            self.problem.X, self.problem.features, self.problem.codes, len(self.problem.classes)
        )

    @cached_property
    def sorted(self) -> Sample:
        return Sample.root(self.table)

    @cached_property
    def ahead(self) -> dict[Any, Tree]:
        """Trees of rounds to come, by the seeds of their chances."""
        return {}

    @cached_property
    def leaves(self) -> Leaves:
        return Leaves(self.problem)

    def bag(self, rng: Generator) -> Int:
        """(n,) how often each row is drawn."""
        drawn = self.known[rng.integers(len(self.known), size=self.size)]
        return frozen(np.bincount(drawn, minlength=self.problem.n))

    def tries(self, rng: Generator) -> tuple[Tries, ...]:
        """Which columns the nodes of a tree try, nothing where all do."""
        return () if self.tried is None else (Tries(rng, self.problem.d, self.tried),)

    @cached_property
    def growth(self) -> Growth:
        """How its trees grow: by information gain, or by the drop of the Gini impurity."""
        total = total_gini if self.p.importance == "gini" else total_entropy
        stop, limit = ("pure", 0.0) if self.p.depth is None else ("depth", float(self.p.depth))
        return Growth(Rule(partial(drop, total=total)), stop=stop, limit=limit)

    def root(self, copies: Int, tries: Sequence[Tries]) -> OpenNode:
        """The node of a bag."""
        growth = replace(self.growth, tries=tries[0] if tries else None)
        return root(self.table, growth, sample=self.sorted.drawn(copies))

    def tree(self, copies: Int, tries: Sequence[Tries]) -> Work[Tree]:
        """The whole tree of a bag."""
        (grown,) = yield from grove(self.table, self.sorted.drawn(copies), self.growth, tries)
        return grown

    def started(self) -> Bagged:
        return Bagged(Prefix([], 0), Prefix([], 0), len(self.known))

    def outside(self, copies: Int) -> Bool:
        """(n,) the labelled rows that are not in the bag."""
        return np.asarray((copies == 0) & self.problem.labelled)

    def votes(self, s: Bagged, X: Float) -> Float:
        """(k, m) how many trees say each class."""
        return row_votes(s.learners, X, len(self.problem.classes))


class Poll:
    """The votes of all trees, and those outside the bag, kept up to date tree by tree."""

    def __init__(self, given: Bags[Any], s: Bagged) -> None:
        problem = given.problem
        if any(len(bag) != problem.n for bag in s.bags) or any(
            len(h.nominal) != problem.d for h in s.learners
        ):
            raise EngineError("The bags are of other examples: start again.")
        self.given = given
        self.vote = Majority(problem)
        self.out = np.zeros((len(problem.classes), problem.n))
        for tree, bag in zip(s.learners, s.bags, strict=True):
            self.add(tree, bag)

    def add(self, tree: Tree, bag: Int) -> None:
        self.vote.add(says := predict(tree, self.given.problem.X), 1.0)
        out = np.flatnonzero(self.given.outside(bag))
        self.out[says[out], out] += 1

    def heard(self, s: Bagged) -> Bagged:
        """One more tree votes."""
        assert s.learner is not None and s.copies is not None
        self.add(s.learner, s.copies)
        tested = self.out.any(axis=0)
        missed = int(np.count_nonzero((winners(self.out) != self.given.problem.codes) & tested))
        learners, bags = s.learners.plus(s.learner), s.bags.plus(s.copies)
        errors = self.vote.errors()
        count = int(np.count_nonzero(tested))
        return replace(s, learners=learners, bags=bags, errors=errors, tested=count, missed=missed)


def races(root: OpenNode) -> Iterator[Race]:
    """Of all the tests below a root, level by level."""
    level: Level | None = root.level
    while level is not None:
        tests = [
            (level.start + at, node, node.test) for at, node in enumerate(level.nodes) if node.test
        ]
        for number, node, test in tests:
            columns, points = zip(*node.candidates, strict=True)
            worth = node.scores.worth[list(columns)].tolist()
            good = np.flatnonzero(node.winners[list(columns)]).tolist()
            yield Race(number, columns, tuple(worth), points, tuple(good), test)
        level = level.below if tests else None
