"""Weighted majority of weak learners, AIMA Fig 18.34: votes of rows and of rasters.

Stumps on one column add up to a step function of it, so an ensemble of any length is one table per column.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from engine.core.arrays import Bool, Float, Int, Log, frozen
from engine.core.dataset import Feature
from engine.core.grid import Grid
from engine.core.problem import Problem
from engine.algorithms.ensembles.adaboost.stumps import Stump
from engine.algorithms.ensembles.adaboost.stumps import EVEN, Learner, Line, Tree

TIE = 1e-9  # of all votes: what differs by rounding alone is a tie


def voting_power(z: Iterable[float]) -> Float:
    """(K,) the votes z; a learner without error (z = ∞) has all the vote."""
    power = np.fromiter(z, np.float64)
    sure = np.isinf(power)
    return sure.astype(np.float64) if sure.any() else power


def winners(votes: Float) -> Int:
    """(…) class with the highest of the votes (k, …); ties go to the first class in order, no votes at all to −1."""
    return np.where(votes.any(axis=0), tied(votes).argmax(axis=0), -1)


def tied(votes: Float) -> Bool:
    """(k, …) which classes have the highest of the votes (k, …), up to rounding."""
    best = votes.max(axis=0)
    return np.asarray(votes >= best - TIE * np.maximum(np.abs(votes).sum(axis=0), 1e-300))


@dataclass(frozen=True, eq=False, slots=True)
class Steps:
    """Votes as a function of one column: sums[i] (k,) after the i-th of the cuts, or for category i; last: missing."""

    cuts: Float | None
    sums: Float

    def votes(self, x: Float) -> Float:
        """(k, m) votes at the values x (m,)."""
        place = x if self.cuts is None else np.searchsorted(self.cuts, x, side="left")  # how many cuts lie below x
        place = np.where(np.isnan(x), len(self.sums) - 1, place).astype(np.intp)
        return np.asarray(self.sums.T.take(place, axis=1))


def step_tables(learners: Iterable[Learner], power: Float, features: Sequence[Feature], k: int) -> Mapping[int, Steps]:
    """One table per column that the stumps among `learners` test; −1 holds those without a test."""
    groups: dict[int, list[tuple[Stump, float]]] = {}
    for learner, z in zip(learners, power.tolist(), strict=True):
        if type(learner) is Stump:
            groups.setdefault(learner.column, []).append((learner, z))
    return {j: _table(groups[j], features[j].categories if j >= 0 else (None,), k) for j in sorted(groups)}


def _table(group: list[tuple[Stump, float]], categories: Sequence[object], k: int) -> Steps:
    if not categories:
        return _threshold_table(group, k)
    sums = np.zeros((len(categories) + 1, k))
    for stump, z in group:
        labels = stump.classes
        if stump.test == "equals":
            labels = (*(labels[int(v == stump.value)] for v in range(len(categories))), labels[2])
        if stump.test == "none":
            labels = labels * 2
        sums[np.arange(len(sums)), labels] += z
    return Steps(None, sums)


def _threshold_table(group: list[tuple[Stump, float]], k: int) -> Steps:
    z = np.array([power for _, power in group])
    cuts = np.array([stump.value for stump, _ in group])
    below, above, missing = np.array([stump.classes for stump, _ in group], np.intp).T
    order = np.argsort(cuts, kind="stable")
    rows = np.arange(1, len(z) + 1)
    jumps = np.zeros((len(z) + 1, k))
    jumps[0] = np.bincount(below, z, k)
    jumps[rows, below[order]] -= z[order]
    jumps[rows, above[order]] += z[order]
    return Steps(cuts[order], np.vstack([jumps.cumsum(axis=0), np.bincount(missing, z, k)]))


def row_votes(problem: Problem, learners: Sequence[Learner], z: Sequence[float], X: Float) -> Float:
    """(k, m) weighted votes of the learners for the rows X (m, d)."""
    power, k = voting_power(z), len(problem.classes)
    votes = np.zeros((k, len(X)))
    for column, table in step_tables(learners, power, problem.features, k).items():
        votes += table.votes(X[:, column] if column >= 0 else np.zeros(len(X)))
    rows = np.arange(len(X))
    for learner, vote in zip(learners, power.tolist(), strict=True):
        if type(learner) is not Stump and vote:
            votes[learner.predict(X), rows] += vote
    return votes


def row_scores(problem: Problem, learners: Sequence[Learner], z: Sequence[float], X: Float) -> Float:
    """(m,) share of the votes for the first of two classes minus the share for the other, from −1 to 1, 0 on ties; (m, k)
    shares of more classes; NaN without learners."""
    votes = row_votes(problem, learners, z, X)
    shares = votes / np.where(votes.any(axis=0), votes.sum(axis=0), np.nan)
    return np.where(tied(shares).all(axis=0), 0.0, shares[0] - shares[1]) if len(votes) == 2 else shares.T


# -- rasters -----------------------------------------------------------------------------------------------------------


def grid_votes(problem: Problem, learners: Sequence[Learner], z: Sequence[float], grid: Grid) -> Float:
    """(k, ny, nx) weighted votes over the plane: one sum per axis for stumps, leaf rectangles for trees."""
    power = voting_power(z)
    x, y = _axis_votes(problem, learners, power, grid)
    votes = y[:, :, None] + x[:, None, :]
    for learner, vote in zip(learners, power.tolist(), strict=True):
        if isinstance(learner, Tree) and vote:
            for rows, columns, label in _rectangles(learner, problem, grid):
                votes[label, rows, columns] += vote
        elif isinstance(learner, Line) and vote:
            labels = _line_labels(learner, problem, grid)
            for label in range(len(votes)):
                votes[label][labels == label] += vote
    return np.asarray(votes)


def grid_score(problem: Problem, learners: Sequence[Learner], z: Sequence[float], grid: Grid) -> Float:
    """(ny, nx) share of the votes for the first of two classes minus the share for the other: from −1 to 1, 0 on ties,
    NaN without learners."""
    power = voting_power(z)
    whole = float(power.sum())
    if whole == 0:
        return np.full(grid.shape, np.nan)
    if all(type(learner) is Stump for learner in learners):
        x, y = _axis_votes(problem, learners, power, grid)
        score = np.add.outer((y[0] - y[1]) / whole, (x[0] - x[1]) / whole)
    else:
        votes = grid_votes(problem, learners, z, grid)
        score = (votes[0] - votes[1]) / whole
    score[np.abs(score) <= TIE] = 0.0
    return np.asarray(score)


def _axis_votes(problem: Problem, learners: Sequence[Learner], power: Float, grid: Grid) -> tuple[Float, Float]:
    """((k, nx), (k, ny)): the votes along each axis; hidden columns stand at the anchor and add to the first."""
    k = len(problem.classes)
    axes = (grid.x, grid.y)
    votes = [np.zeros((k, len(axis))) for axis in axes]
    for column, table in step_tables(learners, power, problem.features, k).items():
        if column in problem.plane:
            at = problem.plane.index(column)
            votes[at] += table.votes(axes[at])
        else:
            votes[0] += table.votes(problem.anchor[[column]] if column >= 0 else np.zeros(1))
    return votes[0], votes[1]


def _rectangles(tree: Tree, problem: Problem, grid: Grid) -> Iterator[tuple[slice, slice, int]]:
    """(rows, columns, class) of the raster's cells in each leaf of the tree that the plane meets."""
    waiting = [(0, slice(0, len(grid.y)), slice(0, len(grid.x)))]
    while waiting:
        node, rows, columns = waiting.pop()
        stump, children = tree.tests[node], tree.children[node]
        for branch, part_rows, part_columns in _parts(stump, problem, grid, rows, columns):
            if children[branch] >= 0:
                waiting.append((children[branch], part_rows, part_columns))
            else:
                yield part_rows, part_columns, stump.classes[branch]


def _parts(
    stump: Stump, problem: Problem, grid: Grid, rows: slice, columns: slice
) -> tuple[tuple[int, slice, slice], ...]:
    """(branch, rows, columns): how a test divides a rectangle of the raster."""
    if stump.test != "threshold" or stump.column not in problem.plane:
        return ((int(stump.branches(problem.anchor[None])[0]), rows, columns),)
    if problem.plane[0] == stump.column:
        cut = min(max(int(np.searchsorted(grid.x, stump.value, side="right")), columns.start), columns.stop)
        return (0, rows, slice(columns.start, cut)), (1, rows, slice(cut, columns.stop))
    cut = min(max(int(np.searchsorted(grid.y, stump.value, side="right")), rows.start), rows.stop)
    return (0, slice(rows.start, cut), columns), (1, slice(cut, rows.stop), columns)


def _line_labels(line: Line, problem: Problem, grid: Grid) -> Int:
    """(ny, nx) the line's class, as `last_highest` tells it; each score is a sum of one term per axis."""
    plane = list(problem.plane)
    middle, slopes = np.zeros(2), np.zeros((2, line.W.shape[1]))
    middle[: len(plane)], slopes[: len(plane)] = line.centre[plane], line.W[plane]
    there = problem.from_plane(middle[None])
    base = line.scores(there)[0]  # far from 0 the terms would round more than the scores

    def score(c: int) -> Float:
        across = (grid.x - middle[0]) * slopes[0, c] + base[c]
        return np.asarray(np.add.outer((grid.y - middle[1]) * slopes[1, c], across))

    best, across = np.full(grid.shape, -np.inf), np.abs(np.outer(grid.x - middle[0], slopes[0])) + line.sizes(there)[0]
    for c in range(len(base)):
        np.maximum(best, score(c), out=best)
    upwards = np.abs(np.outer(grid.y - middle[1], slopes[1]))
    size = np.add.outer(upwards.max(axis=1), across.max(axis=1))  # at least that of each class
    lowest = best - EVEN * np.maximum(size, 1e-300)
    labels = np.zeros(grid.shape, np.intp)
    for c in range(len(base)):
        labels[score(c) >= lowest] = c
    return labels


# -- round by round ----------------------------------------------------------------------------------------------------


class Majority:
    """A growing ensemble and what it says of the training rows, kept up to date learner by learner."""

    def __init__(self, problem: Problem) -> None:
        self.codes, self.k, self.power = problem.codes, len(problem.classes), 0.0
        self.learners: Log[Learner] = Log()
        self.z: Log[float] = Log()
        self.votes = np.zeros(problem.n if self.k == 2 else (self.k, problem.n))
        self.rows = np.arange(problem.n)

    def add(self, learner: Learner, says: Int, z: float) -> None:
        """One more learner, which says `says` (n,), with the vote z; ∞ silences all others."""
        self.learners.append(learner)
        self.z.append(z)
        if np.isinf(z):
            self.votes[:], self.power, z = 0.0, 0.0, 1.0
        self.power += z
        if self.k == 2:
            self.votes += np.array([z, -z]).take(says)
        else:
            self.votes[says, self.rows] += z

    def labels(self) -> Int:
        if self.power == 0:
            return np.full(len(self.codes), -1)
        if self.k == 2:
            return (self.votes < -TIE * self.power).astype(np.intp)
        return winners(self.votes)

    def errors(self) -> int:
        """How many labelled rows the vote gets wrong."""
        return int(np.count_nonzero(self.mistakes()))

    def mistakes(self) -> Bool:
        """(n,) the labelled rows that the vote gets wrong."""
        return np.asarray((self.labels() != self.codes) & (self.codes >= 0))

    def ties(self) -> int:
        """How many labelled rows have equal votes for several classes."""
        equal = np.abs(self.votes) <= TIE * self.power if self.k == 2 else tied(self.votes).sum(axis=0) > 1
        return int(np.count_nonzero(equal & (self.codes >= 0))) if self.power else 0


def boosted(problem: Problem, learners: Iterable[Learner], z: Iterable[float]) -> tuple[Majority, Float, float]:
    """(the ensemble, the weights (n,) it leaves on the examples, the bound on its errors), also for examples that were
    edited since: boosting divides a weight by e^z for every right answer, and e^(Σz/2 − Σz of the right ones) bounds the
    number of errors."""
    majority = Majority(problem)
    right = np.zeros(problem.n)
    for learner, vote in zip(learners, z, strict=True):
        says = learner.predict(problem.X)
        majority.add(learner, says, vote)
        right += np.where((says == problem.codes) & np.isfinite(vote), vote, 0.0)
    known = right[problem.labelled]
    weights = np.where(problem.labelled, np.exp(known.min() - right), 0.0)
    bound = float(np.exp(majority.power / 2 - known).sum())
    if np.isinf(majority.z.items[-1:]).any():
        bound = float(majority.errors())
    return majority, frozen(weights / weights.sum()), bound
