"""Weighted votes of learners: of rows, over the plane, and round by round. AIMA 18.10.

Stumps on one column add up to a step function of it, so any number of them is one table per column.
"""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from engine.algorithms.ensembles.parts.stumps import Learner, Line, Stump, Tree, last_highest
from engine.base.arrays import Bool, Float, Int, frozen
from engine.base.grid import Grid
from engine.base.records import Record
from engine.numerics.class_scores import lead_of_two
from engine.numerics.closeness import equal, more, tied_with_best
from engine.table.dataset import Feature
from engine.table.problem import Problem

Box = tuple[float, float, float, float]  # x0 < x ≤ x1 and y0 < y ≤ y1 as (x0, y0, x1, y1)


def voting_power(z: Iterable[float]) -> Float:
    """(K,) the votes z; a learner without error (z = ∞) has all the vote."""
    power = np.fromiter(z, np.float64)
    sure = np.isinf(power)
    return sure.astype(np.float64) if sure.any() else power


def winners(votes: Float, count: int | None = None) -> Int:
    """(…) the class with the highest of the votes (k, …), the first of tied ones; −1 without votes.

    count: how many votes there are, if everywhere as many
    """
    all_votes = np.abs(votes).sum(axis=0) if count is None else np.array(count)
    best = tied_with_best(votes, axis=0, size=all_votes)
    last = len(votes) - 1
    codes = np.full(votes.shape[1:], last)
    for c in reversed(range(last)):  # quicker than to ask each place for its first
        np.copyto(codes, c, where=best[c])
    np.copyto(codes, -1, where=~(all_votes > 0))
    return codes


def tied(votes: Float) -> Bool:
    """(k, …) which classes have the highest of the votes (k, …), up to rounding."""
    return tied_with_best(votes, axis=0, size=np.abs(votes).sum(axis=0))


def shares(votes: Float) -> Float:
    """Of votes (k, …) the share for the first of two classes less that for the other (…), from −1
    to 1, 0 on ties; the shares (…, k) of more classes; NaN without votes.
    """
    all_votes = np.where(votes.any(axis=0), votes.sum(axis=0), np.nan)
    return lead_of_two(np.moveaxis(votes / all_votes, 0, -1))


class Steps(Record):
    """Votes as a function of one column.

    cuts: (m,) thresholds, ascending; None for categories
    sums: (m + 2, k) the votes below the first of the cuts, after each of them, and for a missing
    value; or the votes for each category and for a missing value
    """

    cuts: Float | None
    sums: Float

    def votes(self, x: Float) -> Float:
        """(k, m) votes at the values x (m,)."""
        missing = len(self.sums) - 1
        # a category, or how many cuts lie below x
        place = x if self.cuts is None else np.searchsorted(self.cuts, x, side="left")
        place = np.where(np.isnan(x), missing, place).astype(np.intp)
        return np.asarray(self.sums.T.take(place, axis=1))


def step_tables(
    learners: Iterable[Learner], power: Float, features: Sequence[Feature], k: int
) -> Mapping[int, Steps]:
    """One table for each column that the stumps among `learners` test; −1 holds those without a
    test.

    power (K,): the votes of the learners; k: how many classes
    """
    groups: dict[int, list[tuple[Stump, float]]] = {}
    for learner, vote in zip(learners, power.tolist(), strict=True):
        if type(learner) is Stump:
            groups.setdefault(learner.column, []).append((learner, vote))
    tables = {}
    for column in sorted(groups):
        if column < 0:
            tables[column] = _of_categories(groups[column], 1, k)
        elif features[column].numeric:
            tables[column] = _of_thresholds(groups[column], k)
        else:
            tables[column] = _of_categories(groups[column], len(features[column].categories), k)
    return tables


def _of_categories(group: list[tuple[Stump, float]], values: int, k: int) -> Steps:
    """values: how many categories the column has."""
    x = np.append(np.arange(float(values)), np.nan)
    column = group[0][0].column
    rows = np.broadcast_to(x[:, None], (values + 1, column + 1))  # x in the tested column
    sums = np.zeros((values + 1, k))
    for stump, vote in group:
        sums[np.arange(values + 1), stump.predict(rows)] += vote
    return Steps(None, sums)


def _of_thresholds(group: list[tuple[Stump, float]], k: int) -> Steps:
    votes = np.array([vote for _, vote in group])
    cuts = np.array([stump.value for stump, _ in group])
    below, above, missing = np.array([stump.classes for stump, _ in group], np.intp).T
    order = np.argsort(cuts, kind="stable")
    rows = np.arange(1, len(cuts) + 1)
    jumps = np.zeros((len(cuts) + 1, k))
    jumps[0] = np.bincount(below, votes, k)
    jumps[rows, below[order]] -= votes[order]
    jumps[rows, above[order]] += votes[order]
    sums = jumps.cumsum(axis=0)
    return Steps(cuts[order], np.vstack([sums, np.bincount(missing, votes, k)]))


def row_votes(problem: Problem, learners: Sequence[Learner], z: Sequence[float], X: Float) -> Float:
    """(k, m) weighted votes of the learners for the rows X (m, d)."""
    power = voting_power(z)
    k = len(problem.classes)
    votes = np.zeros((k, len(X)))
    rows = np.arange(len(X))
    for column, table in step_tables(learners, power, problem.features, k).items():
        x = X[:, column] if column >= 0 else np.zeros(len(X))
        votes += table.votes(x)
    for learner, vote in zip(learners, power.tolist(), strict=True):
        if type(learner) is not Stump and vote:
            votes[learner.predict(X), rows] += vote
    return votes


# -- over the plane --------------------------------------------------------------------------------


def grid_votes(
    problem: Problem, learners: Sequence[Learner], z: Sequence[float], grid: Grid
) -> Float:
    """(k, ny, nx) weighted votes over the plane, hidden columns at the anchor."""
    power = voting_power(z)
    votes = _stump_votes(problem, learners, power, grid)
    for learner, vote in zip(learners, power.tolist(), strict=True):
        if isinstance(learner, Tree) and vote:
            _add_tree(votes, problem, learner, vote, grid)
        elif isinstance(learner, Line) and vote:
            labels = _line_labels(learner, problem, grid)
            for c in range(len(votes)):
                votes[c][labels == c] += vote
    return votes


def _stump_votes(problem: Problem, learners: Sequence[Learner], power: Float, grid: Grid) -> Float:
    """(k, ny, nx) of the stumps alone: one sum for each axis."""
    k = len(problem.classes)
    axes = (grid.x, grid.y)
    along = [np.zeros((k, len(axis))) for axis in axes]
    for column, table in step_tables(learners, power, problem.features, k).items():
        if column in problem.plane:
            at = problem.plane.index(column)
            along[at] += table.votes(axes[at])
        else:
            x = problem.anchor[[column]] if column >= 0 else np.zeros(1)
            along[0] += table.votes(x)
    return np.asarray(along[1][:, :, None] + along[0][:, None, :])


def _add_tree(votes: Float, problem: Problem, tree: Tree, vote: float, grid: Grid) -> None:
    """Add the vote of a tree to votes (k, ny, nx): one rectangle for each leaf."""
    leaves, _ = leaves_and_cuts(problem, tree)
    for (x0, y0, x1, y1), label in leaves:
        columns = slice(*np.searchsorted(grid.x, (x0, x1), "right"))
        rows = slice(*np.searchsorted(grid.y, (y0, y1), "right"))
        votes[label, rows, columns] += vote


def leaves_and_cuts(problem: Problem, tree: Tree) -> tuple[list[tuple[Box, int]], list[Float]]:
    """([(box, class) of each leaf], [ends (2, 2) of each cut]) of a tree, where the plane meets
    them.
    """
    leaves = list[tuple[Box, int]]()
    cuts = list[Float]()
    waiting: list[tuple[int, Box]] = [(0, (-np.inf, -np.inf, np.inf, np.inf))]
    while waiting:
        node, box = waiting.pop()
        stump = tree.tests[node]
        if stump.test == "threshold" and stump.column in problem.plane:
            first, second = _halves(box, problem.plane.index(stump.column), stump.value)
            cuts.append(np.array([second[:2], first[2:]]))  # the corners that both halves share
            halves = [(0, first), (1, second)]
        else:
            halves = [(int(stump.branches(problem.anchor[None])[0]), box)]
        for branch, half in halves:
            child = tree.children[node][branch]
            if child >= 0:
                waiting.append((child, half))
            else:
                leaves.append((half, stump.classes[branch]))
    return leaves, cuts


def _halves(box: Box, axis: int, value: float) -> tuple[Box, Box]:
    """A box below and above a cut, which lies on its edge where it misses the box."""
    at = min(max(value, box[axis]), box[axis + 2])
    x0, y0, x1, y1 = box
    if axis == 0:
        return (x0, y0, at, y1), (at, y0, x1, y1)
    return (x0, y0, x1, at), (x0, at, x1, y1)


def _line_labels(line: Line, problem: Problem, grid: Grid) -> Int:
    """(ny, nx) the line's class; each score is a sum of one term per axis."""
    plane = list(problem.plane)
    middle = np.zeros(2)
    middle[: len(plane)] = line.centre[plane]
    slopes = np.zeros((2, line.W.shape[1]))
    slopes[: len(plane)] = line.W[plane]
    # from the middle: far from 0 the terms would round more than the scores
    there = problem.from_plane(middle[None])
    x = np.multiply.outer(grid.x - middle[0], slopes[0])
    y = np.multiply.outer(grid.y - middle[1], slopes[1])
    scores = y[:, None] + (x + line.scores(there))
    sizes = np.abs(y)[:, None] + (np.abs(x) + line.sizes(there))
    k = len(line.b)
    labels = last_highest(scores.reshape(-1, k), sizes.reshape(-1, k))
    return labels.reshape(grid.shape)


# -- round by round --------------------------------------------------------------------------------


class Majority:
    """What a growing ensemble says of the training rows, kept up to date learner by learner.

    votes: (n,) for the first of two classes less those for the other, (k, n) of more; power: of all
    votes
    """

    def __init__(self, problem: Problem, votes: Float | None = None, power: float = 0.0) -> None:
        self.problem = problem
        self.k = len(problem.classes)
        self.power = power
        if votes is None:
            votes = np.zeros(problem.n if self.k == 2 else (self.k, problem.n))
        self.votes = votes
        self._second = problem.codes == 1
        self._labelled = problem.labelled

    def add(self, says: Int, z: float) -> None:
        """Add a learner with answers `says` (n,) and vote z; ∞ removes all other votes."""
        if abs(z) == np.inf:
            self.votes[:] = 0.0
            self.power = 0.0
            z = 1.0
        self.power += z
        if self.k == 2:
            self.votes += np.array([z, -z]).take(says)
        else:
            self.votes[says, np.arange(len(says))] += z

    def labels(self) -> Int:
        """(n,) the class with most votes, the first of tied ones; −1 without votes."""
        if self.power == 0:
            return np.full(self.problem.n, -1)
        if self.k == 2:
            return self._seconds().astype(np.intp)
        return winners(self.votes)

    def _seconds(self) -> Bool:
        """(n,) which rows get the second of two classes."""
        return np.asarray(more(0.0, self.votes, self.power))

    def mistakes(self) -> Bool:
        """(n,) the labelled rows that the vote gets wrong."""
        if self.k == 2 and self.power:
            return np.asarray((self._seconds() != self._second) & self._labelled)
        return np.asarray((self.labels() != self.problem.codes) & self._labelled)

    def errors(self) -> int:
        """The number of labelled rows that the vote gets wrong."""
        return int(np.count_nonzero(self.mistakes()))

    def ties(self) -> int:
        """The number of labelled rows for which several classes have equal votes."""
        if not self.power:
            return 0
        if self.k == 2:
            level = equal(self.votes, 0.0, self.power)
        else:
            level = tied(self.votes).sum(axis=0) > 1
        return int(np.count_nonzero(level & self._labelled))


def boosted(
    problem: Problem, learners: Sequence[Learner], z: Sequence[float]
) -> tuple[Majority, Float, float]:
    """(the vote of these learners, the weights (n,) that boosting leaves, the bound on its errors),
    also for examples that were edited since.

    A right answer divides a weight by e^z, and the errors are at most Σ e^(Σz/2 − Σz of the right
    ones).
    """
    vote = Majority(problem)
    right = np.zeros(problem.n)  # Σ z of the right ones
    for learner, power in zip(learners, z, strict=True):
        says = learner.predict(problem.X)
        vote.add(says, power)
        if power < np.inf:
            right += (says == problem.codes) * power
    known = right[problem.labelled]
    weights = np.where(problem.labelled, np.exp(known.min() - right), 0.0)
    bound = float(np.exp(vote.power / 2 - known).sum())
    if np.inf in z:
        bound = float(vote.errors())
    return vote, frozen(weights / weights.sum()), bound
