"""Weak learners that take weighted examples: decision stumps, small trees, least-squares lines. AIMA 18.10."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

import numpy as np
from numpy.random import Generator

from engine.core.arrays import Float, Int, frozen
from engine.core.dataset import Feature
from engine.core.errors import EngineError
from engine.core.notation import quoted
from engine.core.work import Work
from engine.numerics.class_weights import Criterion, class_sums, heaviest
from engine.numerics.stumps import Found, Stump, StumpSearch

Kind = Literal["stump", "tree", "line"]
EVEN = 1e-12  # of the terms of a score: scores of a line that differ by rounding alone are equal


@dataclass(frozen=True, slots=True)
class Tree:
    """A small tree. tests: stumps, parents before children; children[i]: for each branch of test i the next test, or −1
    where that branch is a leaf with the stump's class."""

    tests: tuple[Stump, ...]
    children: tuple[tuple[int, ...], ...]

    def predict(self, X: Float) -> Int:
        label = np.zeros(len(X), np.intp)
        place = np.zeros(len(X), np.intp)
        for node, (stump, children) in enumerate(zip(self.tests, self.children, strict=True)):
            rows = np.flatnonzero(place == node)
            branch = stump.branches(X[rows])
            label[rows] = np.asarray(stump.classes, np.intp)[branch]
            place[rows] = np.asarray(children, np.intp)[branch]
        return label

    def text(self, features: Sequence[Feature]) -> str:
        """'tree at x₂ > 0.36'."""
        return f"tree at {self.tests[0].question(features)}"


@dataclass(frozen=True, eq=False, slots=True)
class Line:
    """Class scores (x − centre)·W + b; W (d, k), b (k,). The highest wins; equal scores go to the last class, as in a
    leaf. A missing value counts as the centre's."""

    W: Float
    b: Float
    centre: Float

    def scores(self, X: Float) -> Float:
        return np.asarray(np.nan_to_num(X - self.centre) @ self.W + self.b)

    def predict(self, X: Float) -> Int:
        return last_highest(self.scores(X), self.sizes(X))

    def sizes(self, X: Float) -> Float:
        """(m, k) of the terms that are added up for the scores."""
        return np.asarray(np.abs(np.nan_to_num(X - self.centre)) @ np.abs(self.W) + np.abs(self.b))

    def text(self, features: Sequence[Feature]) -> str:
        return "line"


Learner = Stump | Tree | Line


@dataclass(frozen=True, slots=True)
class Candidate:
    """A stump that was in the race. measure: what its learner compares; error: its weighted error."""

    stump: Stump
    measure: float
    error: float


@dataclass(frozen=True, slots=True)
class LeafTie:
    """A leaf, branch number `branch` of `stump`, where these classes weigh the same; the last of them is said."""

    stump: Stump
    branch: int
    classes: tuple[int, ...]


def leaf_ties(learner: Learner, X: Float, codes: Int, weights: Float, k: int) -> tuple[LeafTie, ...]:
    """The leaves where several of the k classes tie on the rows X with classes codes ≥ 0 and these weights."""
    if isinstance(learner, Line):
        return ()
    tree = learner if isinstance(learner, Tree) else Tree((learner,), ((-1,) * len(learner.classes),))
    place, found = np.zeros(len(X), np.intp), list[LeafTie]()
    for node, (stump, children) in enumerate(zip(tree.tests, tree.children, strict=True)):
        rows = np.flatnonzero(place == node)
        branch = stump.branches(X[rows])
        sums = class_sums(branch * k + codes[rows], weights[rows], (len(children), k))
        tied = [(b, classes) for b, classes in enumerate(heaviest(sums)) if children[b] < 0 and len(classes) > 1]
        found += [LeafTie(stump, b, tuple(classes)) for b, classes in tied if sums[b].any()]
        place[rows] = np.asarray(children, np.intp)[branch]
    return tuple(found)


class WeakLearner(Protocol):
    """Learns from weights (n,) ≥ 0 that sum to 1."""

    def learn(self, weights: Float) -> Work[Learner]: ...

    def says(self, learner: Any) -> Int:
        """(n,) what a learner of this kind says of the rows it was taught on."""
        ...

    def candidates(self, weights: Float, limit: int) -> Work[tuple[tuple[Candidate, ...], tuple[int, ...]]]:
        """(the best stump of each column, in column order, positions of those that tie for the best); of more than
        `limit` columns only the best ones. Empty for lines."""
        ...


class StumpLearner:
    """The best stump by the search's criterion; the first column in order wins a tie."""

    def __init__(self, search: StumpSearch) -> None:
        self.search = search

    def learn(self, weights: Float) -> Work[Learner]:
        return self.search.best((yield from self.search.search(weights)))

    def says(self, learner: Any) -> Int:
        return self.search.says(learner)

    def candidates(self, weights: Float, limit: int) -> Work[tuple[tuple[Candidate, ...], tuple[int, ...]]]:
        found = yield from self.search.search(weights)
        best = np.argsort(-found.score, kind="stable")[:limit]
        columns = np.sort(best[found.score[best] > -np.inf])
        good = set(found.winners().tolist())
        winners = tuple(i for i, j in enumerate(columns.tolist()) if j in good)
        return tuple(self._candidate(found, j) for j in columns.tolist()), winners

    def _candidate(self, found: Found, column: int) -> Candidate:
        stump, measure = self.search.stump(found, column), self.search.measure(found, column)
        if self.search.criterion == "error":
            return Candidate(stump, measure, measure)
        wrong = stump.predict(self.search.X) != self.search.codes
        return Candidate(stump, measure, float(found.weights[wrong].sum()))


class TreeLearner(StumpLearner):
    """A greedy tree of `depth` tests from root to leaf, each the best stump on the weight that reaches it."""

    def __init__(self, search: StumpSearch, depth: int) -> None:
        super().__init__(search)
        self.depth = depth

    def learn(self, weights: Float) -> Work[Learner]:
        """Level by level; each node looks at its own rows alone, in the order in which its parent had them."""
        tests: list[Stump] = []
        children: list[list[int]] = []
        waiting = [
            (self.search, weights, -1, 0, 1)
        ]  # search among the rows that arrive, parent test, its branch, depth
        while waiting:
            search, arriving, parent, branch, depth = waiting.pop(0)
            stump = search.best((yield from search.search(arriving)))
            idle = depth == self.depth and len(set(stump.classes)) == 1
            if parent >= 0 and (stump.test == "none" or idle):
                continue
            if parent >= 0:
                children[parent][branch] = len(tests)
            children.append([-1] * len(stump.classes))
            tests.append(stump)
            if depth < self.depth:
                for b, rows in _mixed(search, stump, arriving):
                    waiting.append((search.within(rows), arriving[rows], len(tests) - 1, b, depth + 1))
                    yield
        return Tree(tuple(tests), tuple(tuple(row) for row in children))

    def says(self, learner: Any) -> Int:
        return np.asarray(learner.predict(self.search.X))


def _mixed(search: StumpSearch, stump: Stump, weights: Float) -> list[tuple[int, Int]]:
    """(branch, the rows of positive weight that take it) for the branches where more than one class arrives."""
    branch = np.where(weights > 0, stump.branches(search.X), -1)
    parts = [(b, np.flatnonzero(branch == b)) for b in range(len(stump.classes))]
    return [(b, rows) for b, rows in parts if len(np.unique(search.codes[rows])) > 1]


class LineLearner:
    """A line by weighted least squares on the classes' indicators (± 1 for two classes).

    Two classes: the fit gives the direction, and the line stands where the weighted error is least; so it has an edge
    whenever any line of that direction has one. More classes: the highest fitted indicator wins. Deterministic.
    """

    def __init__(self, X: Float, codes: Int, features: Sequence[Feature], k: int) -> None:
        words = next((f.name for f in features if not f.numeric and len(f.categories) != 2), None)
        if words is not None:
            raise EngineError(
                f"Lines need numbers, {quoted(words)} holds words: choose stumps or trees, or turn on 0/1 columns."
            )
        if np.isnan(X).any():
            raise EngineError("Lines need every value, some are missing: choose stumps or trees, or fill or drop them.")
        self.X, self.centre = X, frozen(X.mean(axis=0))
        spread = X.std(axis=0)
        self.spread = np.where(spread > 0, spread, 1.0)
        self.design = np.column_stack([(X - self.centre) / self.spread, np.ones(len(X))])
        self.codes, self.k = codes, k
        self.target = (codes[:, None] == np.arange(k)) * 2.0 - 1.0

    def learn(self, weights: Float) -> Work[Learner]:
        weighted = self.design * weights[:, None]
        # the pseudo-inverse picks the shortest solution where columns repeat each other
        solution = np.linalg.pinv(weighted.T @ self.design, hermitian=True) @ (weighted.T @ self.target)
        if self.k == 2:
            solution = yield from self._best_cut(solution[:-1, 0] - solution[:-1, 1], weights)
        return Line(frozen(solution[:-1] / self.spread[:, None]), frozen(solution[-1].copy()), self.centre)

    def _best_cut(self, direction: Float, weights: Float) -> Work[Float]:
        """(d+1, 2) scores of the line across `direction` with the least weighted error."""
        along = (self.design[:, :-1] @ direction)[:, None]
        search = StumpSearch(along, self.codes, (Feature("along"),), 2)
        stump = search.best((yield from search.search(weights)))
        below, above = stump.classes[0], stump.classes[min(1, len(stump.classes) - 1)]
        if below == above:
            score = np.append(np.zeros(len(direction)), 1.0 - 2.0 * below)
        else:
            score = np.append(direction, -stump.value) * (1.0 - 2.0 * above)
        return np.column_stack([score, -score])

    def says(self, learner: Any) -> Int:
        return np.asarray(learner.predict(self.X))

    def candidates(self, weights: Float, limit: int) -> Work[tuple[tuple[Candidate, ...], tuple[int, ...]]]:
        yield
        return (), ()


def last_highest(scores: Float, sizes: Float) -> Int:
    """(m,) the last class among those with the highest of the scores (m, k), up to rounding; sizes (m, k): of what was
    added up for them, which on the line is much more than is left."""
    near = EVEN * np.maximum(sizes.max(axis=1, keepdims=True), 1e-300)
    ties = scores >= scores.max(axis=1, keepdims=True) - near
    return np.asarray(scores.shape[1] - 1 - ties[:, ::-1].argmax(axis=1))


def replicated(weights: Float, total: int, rng: Generator) -> Int:
    """(n,) how many copies of each example make a training set of about `total` in proportion to the weights (sum 1); a
    fractional part becomes one more copy by chance. AIMA 18.10."""
    wanted = weights * total
    whole = np.floor(wanted + 1e-9)
    return frozen((whole + (rng.random(len(weights)) < wanted - whole)).astype(np.intp))


def weak_learner(
    kind: Kind, X: Float, codes: Int, features: Sequence[Feature], k: int,
    *, depth: int = 2, multiway: bool = True, criterion: Criterion = "error",
) -> WeakLearner:  # fmt: skip
    """The learner called `kind` on rows X (n, d) with classes codes (n,) in 0 … k−1. Raises EngineError."""
    if kind == "line":
        return LineLearner(X, codes, features, k)
    search = StumpSearch(X, codes, features, k, multiway, criterion)
    return TreeLearner(search, depth) if kind == "tree" else StumpLearner(search)
