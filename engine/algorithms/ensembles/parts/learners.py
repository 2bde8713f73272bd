"""Weak learners that are taught on weighted examples: stumps and small trees by the one growth of a
tree, least-squares lines. AIMA 18.10.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import islice
from typing import Any, Literal, Protocol

import numpy as np
from numpy.random import Generator

from engine.algorithms.ensembles.parts.cuts import Cuts, TwoSides
from engine.algorithms.ensembles.parts.stumps import Criterion, Learner, Line, Stump, Tree, room
from engine.algorithms.trees.parts.entries import Examples, Sample
from engine.algorithms.trees.parts.growth import Growth, heaviest, root_frontier, voters_of
from engine.algorithms.trees.parts.levels import Level, OpenNode
from engine.algorithms.trees.parts.model import Why
from engine.algorithms.trees.parts.splits import Measure, Rule, drop
from engine.base.arrays import Float, Int, frozen
from engine.base.errors import EngineError
from engine.base.notation import counted, quoted
from engine.base.records import Record, cached_property, replace
from engine.base.work import Work
from engine.numerics.closeness import SHARE
from engine.numerics.impurity import total_entropy, total_error, total_gini
from engine.table.dataset import Feature

Kind = Literal["stump", "tree", "line"]
MAX_CELLS = 20_000_000
TOTALS: dict[Criterion, Measure] = {
    "error": total_error,
    "gain": total_entropy,
    "gini": total_gini,
}


class Candidate(Record):
    """A compared stump. measure: its criterion; error: its weighted error"""

    stump: Stump
    measure: float
    error: float


class LeafTie(Record):
    """A leaf where these classes have equal weight; the last of them is its answer. branch: its
    index in `stump`
    """

    stump: Stump
    branch: int
    classes: tuple[int, ...]


def leaf_ties(
    learner: Learner, X: Float, codes: Int, weights: Float, k: int
) -> tuple[LeafTie, ...]:
    """The leaves of a learner where several of k classes tie.

    X: (n, d) rows; codes: (n,) classes ≥ 0; weights: (n,)
    """
    if isinstance(learner, Line):
        return ()
    if isinstance(learner, Stump):
        learner = Tree((learner,), ((-1,) * len(learner.classes),))
    place = np.zeros(len(X), np.intp)
    ties = list[LeafTie]()
    for node, (stump, children) in enumerate(zip(learner.tests, learner.children, strict=True)):
        rows = np.flatnonzero(place == node)
        branch = stump.branches(X[rows])
        cells = branch * k + codes[rows]
        sums = np.bincount(cells, weights[rows], len(children) * k).reshape(-1, k)
        tied = heaviest(sums)
        for b in np.flatnonzero(tied.sum(axis=1) > 1).tolist():
            if children[b] < 0 and sums[b].any():
                ties.append(LeafTie(stump, b, tuple(np.flatnonzero(tied[b]).tolist())))
        place[rows] = np.asarray(children, np.intp)[branch]
    return tuple(ties)


class WeakLearner(Protocol):
    """A weak learner: learns from weights (n,) ≥ 0 that sum to 1."""

    def learn(self, weights: Float) -> Work[Learner]: ...

    def says(self, learner: Any) -> Int:
        """(n,) the class codes that a learner of this kind gives to the rows it was learnt from."""
        ...

    def candidates(
        self, weights: Float, limit: int
    ) -> Work[tuple[tuple[Candidate, ...], tuple[int, ...]]]:
        """(the stumps compared, the indices of those that tie for the best).

        The stumps are the best of each column and the others that tie for the best, in order of
        column and cut, at most `limit` of each. Empty for lines.
        """
        ...


class Race(Protocol):
    """The best stump of every column for given weights, which must not be modified afterwards."""

    @property
    def score(self) -> Float:
        """(d,) the score of each column's best stump, larger is better, −inf without a test."""
        ...

    @property
    def winners(self) -> Int:
        """The columns that tie for the best; the first is used."""
        ...

    def stump(self, column: int) -> Stump:
        """The best stump of a column, the first of tied ones."""
        ...

    def others(self, column: int) -> Iterator[Stump]:
        """The stumps of the column that tie with its best."""
        ...

    def measure(self, column: int) -> float:
        """The criterion of a column's best stump: weighted error, gain in bits or decrease of
        impurity.
        """
        ...


class TreeLearner:
    """A greedy tree of `depth` tests from root to leaf, each the best stump on the weight that
    reaches it.

    X, codes: rows (n, d) with their classes (n,) in 0 … k−1; multiway: words branch into all their
    values, otherwise the tests are A = v. The first column in order wins a tie of tests, the last
    class one of classes. Raises EngineError when the table is too large to keep sorted.
    """

    def __init__(
        self,
        X: Float,
        codes: Int,
        features: Sequence[Feature],
        k: int,
        depth: int = 1,
        multiway: bool = True,
        criterion: Criterion = "error",
    ) -> None:
        if X.size > MAX_CELLS:
            raise EngineError(
                f"Stumps keep every column sorted: {counted(len(X), 'row')} ×"
                f" {counted(X.shape[1], 'column')} are more than {MAX_CELLS} values. Take a sample"
                " of the rows or fewer columns."
            )
        self.X = X
        self.codes = codes
        self.features = features
        self.criterion = criterion
        self.k = k
        rule = Rule(
            partial(drop, total=TOTALS[criterion]),
            every_midpoint=True,
            most_branches=np.inf if multiway else 0,
        )
        self.growth = Growth(rule, plurality="last", stop="depth", limit=depth)
        self.known: tuple[Float, OpenNode] | None = None

    @cached_property
    def table(self) -> Examples:
        """The columns laid out for growing trees, shared by all weights; missing values have a
        branch of their own.
        """
        return Examples.of(self.X, self.features, self.codes, self.k, apart=True)

    @cached_property
    def sorted(self) -> Sample:
        """All rows sorted by every column, shared by all weights."""
        return Sample.root(self.table)

    def root(self, weights: Float) -> OpenNode:
        """The root node for these weights (n,), open also where all rows have one class."""
        if self.known is None or self.known[0] is not weights:
            front = root_frontier(self.table, self.sorted.weighed(weights), self.growth)
            front = replace(front, state=np.array([Why.OPEN]))
            top = Level(self.table, self.growth, front, np.inf).nodes[0]
            self.known = weights, top
        return self.known[1]

    def learn(self, weights: Float) -> Work[Learner]:
        """The tree for these weights (n,), without tests of the last level whose branches all have
        the same class.
        """
        tests: list[Stump] = []
        children: list[list[int]] = []
        waiting = [(self.root(weights), -1, 0)]  # node, parent test, its branch
        while waiting:
            node, parent, branch = waiting.pop(0)
            yield from node.score_columns()
            below = node.branches if node.test else []
            if parent >= 0:
                last = node.level.depth + 1 == self.growth.limit
                alike = len({b.label for b in below}) == 1
                if not below or (last and alike):
                    continue
                children[parent][branch] = len(tests)
            waiting += [(b, len(tests), i) for i, b in enumerate(below) if b.why is Why.OPEN]
            stump = self.stump(node)
            tests.append(stump)
            children.append([-1] * len(stump.classes))
        return Tree(tuple(tests), tuple(tuple(row) for row in children))

    def stump(self, node: OpenNode) -> Stump:
        """The test of a node with the classes of its branches; without a test the heaviest class
        for all rows.
        """
        test = node.test
        if test is None:
            return Stump(-1, "none", 0.0, (node.label,))
        classes = tuple(branch.label for branch in node.branches)
        return self.stump_at(node, test.column, test.point, classes)

    def stump_at(
        self, node: OpenNode, column: int, point: float, classes: tuple[int, ...]
    ) -> Stump:
        """A test of a node as a stump. point: threshold, NaN for a branch per value"""
        if np.isnan(point):
            return Stump(column, "values", 0.0, classes)
        if not self.features[column].numeric:
            return Stump(column, "equals", point, classes)
        entries = node.level.entries
        every = self.X[:, column]
        x = every[entries.rows[entries.group == node.place]]
        above = x[x > point]
        if not above.size:
            return Stump(column, "threshold", point, classes)
        below = x[x <= point]
        width = float(np.nanmax(every) - np.nanmin(every))
        written = room(point, float(below.max()), float(above.min()), width)
        return Stump(column, "threshold", point, classes, written)

    def parts(self, stump: Stump) -> bool:
        """Whether it matters where the test cuts: what says the same on both sides says it wherever
        that is, unless tests below ask on.
        """
        return self.growth.limit > 1 or stump.classes[0] != stump.classes[1]

    def says(self, learner: Any) -> Int:
        return np.asarray(learner.predict(self.X))

    def race(self, weights: Float) -> Work[Race]:
        top = self.root(weights)
        yield from top.score_columns()
        return Grown(self, top)

    def candidates(
        self, weights: Float, limit: int
    ) -> Work[tuple[tuple[Candidate, ...], tuple[int, ...]]]:
        race = yield from self.race(weights)
        # of equal ones the first in order
        best = np.argsort(-np.round(race.score, 9), kind="stable")[:limit]
        columns = np.sort(best[race.score[best] > -np.inf]).tolist()
        good = set(race.winners.tolist())
        listed = list[Stump]()
        left = limit
        for column in columns:
            listed.append(race.stump(column))
            if column in good:
                others = list(islice(filter(self.parts, race.others(column)), left))
                listed += others
                left -= len(others)
        tied = tuple(i for i, stump in enumerate(listed) if stump.column in good)
        return tuple(self._candidate(race, stump, weights) for stump in listed), tied

    def _candidate(self, race: Race, stump: Stump, weights: Float) -> Candidate:
        measure = race.measure(stump.column)
        if self.criterion == "error":
            return Candidate(stump, measure, measure)
        wrong = stump.predict(self.X) != self.codes
        return Candidate(stump, measure, float(weights[wrong].sum()))


class Grown:
    """The comparison of tests at the root of a tree."""

    def __init__(self, learner: TreeLearner, node: OpenNode) -> None:
        self.learner = learner
        self.node = node
        self.score = node.scores.worth
        self.winners = np.flatnonzero(node.winners)

    def stump(self, column: int) -> Stump:
        return self._stump(column, float(self.node.scores.point[column]))

    def others(self, column: int) -> Iterator[Stump]:
        others = self.node.level.scores.others
        here = (others.node == self.node.place) & (others.column == column)
        for point in others.point[here].tolist():
            yield self._stump(column, point)

    def _stump(self, column: int, point: float) -> Stump:
        totals = self.node.counts(column, point)
        above = np.broadcast_to(self.node.totals, totals.shape)
        begins = None if np.isnan(point) else np.zeros(1, np.intp)
        good = heaviest(voters_of(totals, above, begins))
        classes = tuple(int(np.flatnonzero(row)[-1]) for row in good)
        return self.learner.stump_at(self.node, column, point, classes)

    def measure(self, column: int) -> float:
        gain = float(self.node.scores.gain[column])
        if self.learner.criterion != "error":
            return gain
        totals = np.asarray(self.node.totals)
        error = float(total_error(totals.tolist())) / float(totals.sum())
        return max(0.0, error - gain)


class StumpLearner(TreeLearner):
    """Learns a tree of depth 1, returned as its one test."""

    def learn(self, weights: Float) -> Work[Learner]:
        tree = yield from super().learn(weights)
        assert isinstance(tree, Tree)
        return tree.tests[0]


class TwoSidesLearner(StumpLearner):
    """The fast path of `StumpLearner` for two classes and numeric columns without gaps, see
    `cuts`.
    """

    def __init__(self, X: Float, codes: Int, features: Sequence[Feature], k: int) -> None:
        super().__init__(X, codes, features, k)
        self.sides = TwoSides(X, codes)
        self.raced: Cuts | None = None

    def race(self, weights: Float) -> Work[Race]:
        if self.raced is None or self.raced.weights is not weights:
            self.raced = self.sides.race(weights)
        return self.raced
        yield

    def learn(self, weights: Float) -> Work[Learner]:
        yield from self.race(weights)
        assert self.raced is not None
        return self.raced.best()


class LineLearner:
    """A line by weighted least squares on the classes' indicators (± 1 for two classes).

    Two classes: the fit gives the direction, and the line stands where the weighted error is least;
    so it has an edge whenever any line of that direction has one. More classes: the highest fitted
    indicator wins. Deterministic.
    """

    def __init__(self, X: Float, codes: Int, features: Sequence[Feature], k: int) -> None:
        words = next((f.name for f in features if not f.numeric and len(f.categories) != 2), None)
        if words is not None:
            raise EngineError(
                f"Lines need numbers, {quoted(words)} holds words: choose stumps or trees, or turn"
                " on 0/1 columns."
            )
        if np.isnan(X).any():
            raise EngineError(
                "Lines need every value, some are missing: choose stumps or trees, or fill or drop"
                " them."
            )
        self.X = X
        self.centre = frozen(X.mean(axis=0))
        spread = X.std(axis=0)
        self.spread = np.where(spread > 0, spread, 1.0)
        self.design = np.column_stack([(X - self.centre) / self.spread, np.ones(len(X))])
        self.codes = codes
        self.k = k
        self.target = (codes[:, None] == np.arange(k)) * 2.0 - 1.0

    def learn(self, weights: Float) -> Work[Learner]:
        weighted = self.design * weights[:, None]
        # the pseudo-inverse picks the shortest solution where columns repeat each other
        inverse = np.linalg.pinv(weighted.T @ self.design, hermitian=True)
        solution = inverse @ (weighted.T @ self.target)
        if self.k == 2:
            yield
            solution = self._best_cut(solution[:-1, 0] - solution[:-1, 1], weights)
        W = frozen(solution[:-1] / self.spread[:, None])
        return Line(W, frozen(solution[-1].copy()), self.centre)

    def _best_cut(self, direction: Float, weights: Float) -> Float:
        """(d+1, 2) scores of the line across `direction` with the least weighted error."""
        along = (self.design[:, :-1] @ direction)[:, None]
        stump = TwoSides(along, self.codes).race(weights).best()
        below = stump.classes[0]
        above = stump.classes[min(1, len(stump.classes) - 1)]
        if below == above:
            score = np.append(np.zeros(len(direction)), 1.0 - 2.0 * below)
        else:
            score = np.append(direction, -stump.value) * (1.0 - 2.0 * above)
        return np.column_stack([score, -score])

    def says(self, learner: Any) -> Int:
        return np.asarray(learner.predict(self.X))

    def candidates(
        self, weights: Float, limit: int
    ) -> Work[tuple[tuple[Candidate, ...], tuple[int, ...]]]:
        yield
        return (), ()


def replicated(weights: Float, total: int, rng: Generator) -> Int:
    """(n,) how many copies of each example make a training set of about `total` in proportion to
    the weights (sum 1); a fractional part becomes one more copy by chance. AIMA 18.10.
    """
    wanted = weights * total
    whole = np.floor(wanted + SHARE)
    one_more = rng.random(len(weights)) < wanted - whole
    return frozen((whole + one_more).astype(np.intp))


def weak_learner(
    kind: Kind,
    X: Float,
    codes: Int,
    features: Sequence[Feature],
    k: int,
    *,
    depth: int = 2,
    multiway: bool = True,
    criterion: Criterion = "error",
) -> WeakLearner:
    """The weak learner called `kind`, on rows X (n, d) with class codes (n,) in 0 … k−1.

    Raises EngineError where the kind does not suit the columns.
    """
    if kind == "line":
        return LineLearner(X, codes, features, k)
    if kind == "tree":
        return TreeLearner(X, codes, features, k, depth, multiway, criterion)
    gaps = bool(np.isnan(X).any())
    numbers = all(feature.numeric for feature in features) and not gaps
    if k == 2 and criterion == "error" and numbers:
        return TwoSidesLearner(X, codes, features, k)
    return StumpLearner(X, codes, features, k, 1, multiway, criterion)
