"""Trees that are taught on bags, samples drawn with replacement, and the rows outside each bag that
test them. Extension.
"""

from collections.abc import Iterator
from functools import partial
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.random import Generator

from engine.algorithms.ensembles.parts.forests import Leaves, row_votes, says
from engine.algorithms.ensembles.parts.votes import Majority, winners
from engine.algorithms.trees.parts.entries import Examples, Sample
from engine.algorithms.trees.parts.grove import grove
from engine.algorithms.trees.parts.growth import Growth, Tries
from engine.algorithms.trees.parts.levels import Level, OpenNode, Test, root
from engine.algorithms.trees.parts.model import Tree
from engine.algorithms.trees.parts.splits import Rule, drop
from engine.base.arrays import Bool, Float, Int, Prefix, frozen
from engine.base.errors import EngineError
from engine.base.records import Record, cached_property, replace
from engine.base.work import Work
from engine.numerics.impurity import total_entropy, total_gini
from engine.protocol.setting import Setting

P = TypeVar("P")


class Bagged(Record):
    """The model is `learners`; `copies`, `learner` and `node` are what this step shows.

    learners: h[1] … h[b], the trees that vote
    bags: (n,) of each how often every row is in its bag
    errors: rows that the vote gets wrong
    tested: rows that were outside some bag
    missed: of them those that are wrong by the vote of the trees that never saw them
    round: b, 0 before the first
    copies: (n,) the bag of this round, None before it is drawn
    learner: h[b], None before it is grown
    node: of h[b], the one whose tests this step shows; −1 once it is whole
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
        """(n,) the copies of each row in this round's bag."""
        assert self.copies is not None
        return self.copies

    @property
    def oob(self) -> float:
        """The out-of-bag error rate; NaN where every row is in every bag."""
        return self.missed / self.tested if self.tested else float("nan")


class Race(NamedTuple):
    """The tests compared at a node: the best of each column, and all that tie with the best.

    node: its number in the tree
    columns: of each test
    worth: importance of each, −inf where it does not divide the examples
    points: split point or category of each, NaN for a branch per value
    winners: indices of those that tie for the best
    test: the chosen one
    """

    node: int
    columns: tuple[int, ...]
    worth: tuple[float, ...]
    points: tuple[float, ...]
    winners: tuple[int, ...]
    test: Test


class Bags(Setting[P]):
    """The labelled rows, the bags drawn from them, and the growth of a bag's tree."""

    p: Any

    @cached_property
    def known(self) -> Int:
        """(m,) the indices of the labelled rows."""
        return np.flatnonzero(self.problem.labelled)

    @cached_property
    def size(self) -> int:
        """The number of rows in a bag, copies counted."""
        share = float(self.p.size) / 100
        return max(1, round(share * len(self.known)))

    @property
    def tried(self) -> int | None:
        """The number of columns tried at each node; None for all."""
        return None

    @cached_property
    def table(self) -> Examples:
        """The columns laid out for growing trees, shared by all trees."""
        problem = self.problem
        return Examples.of(problem.X, problem.features, problem.codes, len(problem.classes))

    @cached_property
    def sorted(self) -> Sample:
        """The labelled rows sorted by every column, shared by all trees."""
        return Sample.root(self.table)

    @cached_property
    def ahead(self) -> dict[Any, Tree]:
        """Trees grown in advance for later rounds, by the seeds of their rounds; see `groves`."""
        return {}

    @cached_property
    def leaves(self) -> Leaves:
        """The boxes of the trees' leaves on the plane."""
        return Leaves(self.problem)

    def bag(self, rng: Generator) -> Int:
        """(n,) the number of copies of each row in a bag, drawn with replacement."""
        rows = rng.choice(self.known, self.size)
        return frozen(np.bincount(rows, minlength=self.problem.n))

    def outside(self, copies: Int) -> Bool:
        """(n,) the labelled rows that are not in a bag."""
        return np.asarray((copies == 0) & self.problem.labelled)

    def tries(self, rng: Generator) -> Tries | None:
        """The columns that each node of a tree tries; None where all are tried."""
        if self.tried is None:
            return None
        return Tries(rng, self.problem.d, self.tried)

    @cached_property
    def growth(self) -> Growth:
        """How trees grow: by information gain, or by the drop of the Gini impurity."""
        total = total_gini if self.p.importance == "gini" else total_entropy
        rule = Rule(partial(drop, total=total))
        if self.p.depth is None:
            return Growth(rule, stop="pure")
        return Growth(rule, stop="depth", limit=float(self.p.depth))

    def root(self, copies: Int, tries: Tries | None) -> OpenNode:
        """The root node of a bag's tree. copies: (n,) of each row"""
        growth = replace(self.growth, tries=tries)
        return root(self.table, growth, sample=self.sorted.resampled(copies))

    def tree(self, copies: Int, tries: Tries | None) -> Work[Tree]:
        """The whole tree of a bag. copies: (n,) of each row"""
        sample = self.sorted.resampled(copies)
        each = [] if tries is None else [tries]
        (tree,) = yield from grove(self.table, sample, self.growth, each)
        return tree

    def votes(self, s: Bagged, X: Float) -> Float:
        """(k, m) the number of trees for each class at rows X (m, d)."""
        return row_votes(s.learners, X, len(self.problem.classes))


class Poll:
    """Two votes on the training rows, kept up to date tree by tree.

    vote: of all trees; unseen: (k, n) how many of the trees that never saw a row say each class
    """

    def __init__(self, given: Bags[Any], s: Bagged) -> None:
        problem = given.problem
        other_rows = any(len(bag) != problem.n for bag in s.bags)
        other_columns = any(len(tree.nominal) != problem.d for tree in s.learners)
        if other_rows or other_columns:
            raise EngineError("The bags are of other examples: start again.")
        self.given = given
        self.vote = Majority(problem)
        self.unseen = np.zeros((len(problem.classes), problem.n))
        for tree, bag in zip(s.learners, s.bags, strict=True):
            self.add(tree, bag)

    def add(self, tree: Tree, bag: Int) -> None:
        """Add a tree's answers to the votes. bag: (n,) copies of each row"""
        labels = says(tree, self.given.problem.X)
        self.vote.add(labels, 1.0)
        outside = np.flatnonzero(self.given.outside(bag))
        self.unseen[labels[outside], outside] += 1

    def counted(self, s: Bagged) -> Bagged:
        """The state in which h[b], whose votes are counted, belongs to the trees."""
        assert s.learner is not None
        tested = self.unseen.any(axis=0)
        missed = tested & (winners(self.unseen) != self.given.problem.codes)
        return replace(
            s,
            learners=s.learners.plus(s.learner),
            bags=s.bags.plus(s.bag),
            errors=self.vote.errors(),
            tested=int(np.count_nonzero(tested)),
            missed=int(np.count_nonzero(missed)),
        )


def whole_rounds(given: Bags[Any], s: Bagged, rng: Generator) -> tuple[Bagged, Poll]:
    """(the state from which a run can go on, the votes of its trees); an unfinished round begins
    again.

    Raises EngineError where the bags are of other examples.
    """
    trees = len(s.learners)
    poll = Poll(given, s)
    rng.spawn(trees)  # the chances of the trees so far
    return replace(s, round=trees, copies=None, learner=None, node=-1), poll


def races(root: OpenNode) -> Iterator[Race]:
    """The comparisons of tests at all nodes below a root, level by level."""
    level: Level | None = root.level
    while level is not None:
        tests = 0
        for place, node in enumerate(level.nodes):
            test = node.test
            if test is not None:
                tests += 1
                yield race_at(node, level.start + place, test)
        level = level.below if tests else None


def race_at(node: OpenNode, number: int, test: Test) -> Race:
    """The comparison of tests at a node. number: of the node in its tree; test: the winner"""
    columns, points = zip(*node.candidates, strict=True)
    at = list(columns)
    worth = tuple(node.scores.worth[at].tolist())
    good = tuple(np.flatnonzero(node.winners[at]).tolist())
    return Race(number, columns, worth, points, good, test)
