"""Weighted votes of learners: of rows, over the plane, and round by round. AIMA 18.10.

Stumps on one column add up to a step function of it, so any number of them is one table per column.
"""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from engine.core.arrays import Bool, Float, Int, frozen
from engine.core.dataset import Feature
from engine.core.grid import Grid
from engine.core.problem import Problem
from engine.algorithms.ensembles.parts.stumps import Stump
from engine.algorithms.ensembles.parts.stumps import Learner, Line, Tree, last_highest
from engine.core.records import Record
from engine.numerics.class_scores import lead_of_two
from engine.numerics.closeness import equal, more, tied_with_best

Box = tuple[float, float, float, float]  # x0 < x ≤ x1 and y0 < y ≤ y1 as (x0, y0, x1, y1)


def voting_power(z: Iterable[float]) -> Float:
    """(K,) the votes z; a learner without error (z = ∞) has all the vote."""
    power = np.fromiter(z, np.float64)
    sure = np.isinf(power)
    return sure.astype(np.float64) if sure.any() else power


def winners(votes: Float, count: int | None = None) -> Int:
    """(…) class with the highest of the votes (k, …); ties go to the first class in order, no votes
    at all to −1. count: how many there are, if everywhere as many.
    """
    all_votes = np.abs(votes).sum(axis=0) if count is None else np.array(count)
    best = tied_with_best(votes, axis=0, size=all_votes)
    codes = np.full(votes.shape[1:], len(votes) - 1)
    for c in reversed(range(len(votes) - 1)):  # quicker than to ask each place for its first
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
    parts = votes / np.where(votes.any(axis=0), votes.sum(axis=0), np.nan)
    return lead_of_two(np.moveaxis(parts, 0, -1))


class Steps(Record):
    """Votes as a function of one column: sums[i] (k,) after the i-th of the cuts, or for category
    i; last: missing.
    """

    cuts: Float | None
    sums: Float

    def votes(self, x: Float) -> Float:
        """(k, m) votes at the values x (m,)."""
        # how many cuts lie below x
        place = x if self.cuts is None else np.searchsorted(self.cuts, x, side="left")
        place = np.where(np.isnan(x), len(self.sums) - 1, place).astype(np.intp)
        return np.asarray(self.sums.T.take(place, axis=1))


def step_tables(
    learners: Iterable[Learner], power: Float, features: Sequence[Feature], k: int
) -> Mapping[int, Steps]:
    """One table per column that the stumps among `learners` test; −1 holds those without a test."""
    groups: dict[int, list[tuple[Stump, float]]] = {}
    for learner, z in zip(learners, power.tolist(), strict=True):
        if type(learner) is Stump:
            groups.setdefault(learner.column, []).append((learner, z))
    return {
        j: _table(groups[j], len(features[j].categories) if j >= 0 else 1, k)
        for j in sorted(groups)
    }


def _table(group: list[tuple[Stump, float]], values: int, k: int) -> Steps:
    """values: how many categories the column has, 0 for numbers."""
    if not values:
        return _thresholds(group, k)
    asked = np.append(np.arange(float(values)), np.nan)
    # whatever column is looked at
    rows = np.broadcast_to(asked[:, None], (values + 1, group[0][0].column + 1))
    sums = np.zeros((values + 1, k))
    for stump, z in group:
        sums[np.arange(values + 1), stump.predict(rows)] += z
    return Steps(None, sums)


def _thresholds(group: list[tuple[Stump, float]], k: int) -> Steps:
    z, cuts = np.array([(power, stump.value) for stump, power in group]).T
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
    power = voting_power(z)
    k = len(problem.classes)
    votes = np.zeros((k, len(X)))
    rows = np.arange(len(X))
    for column, table in step_tables(learners, power, problem.features, k).items():
        votes += table.votes(X[:, column] if column >= 0 else np.zeros(len(X)))
    for learner, vote in zip(learners, power.tolist(), strict=True):
        if type(learner) is not Stump and vote:
            votes[learner.predict(X), rows] += vote
    return votes


# -- over the plane --------------------------------------------------------------------------------


def grid_votes(
    problem: Problem, learners: Sequence[Learner], z: Sequence[float], grid: Grid
) -> Float:
    """(k, ny, nx) weighted votes over the plane, hidden columns at the anchor: one sum per axis for
    stumps, the rectangles of leaves for trees.
    """
    power = voting_power(z)
    k = len(problem.classes)
    axes = (grid.x, grid.y)
    along = [np.zeros((k, len(axis))) for axis in axes]
    for column, table in step_tables(learners, power, problem.features, k).items():
        if column in problem.plane:
            at = problem.plane.index(column)
            along[at] += table.votes(axes[at])
        else:
            along[0] += table.votes(problem.anchor[[column]] if column >= 0 else np.zeros(1))
    votes = along[1][:, :, None] + along[0][:, None, :]
    for learner, vote in zip(learners, power.tolist(), strict=True):
        if isinstance(learner, Tree) and vote:
            for (x0, y0, x1, y1), label in leaves_and_cuts(problem, learner)[0]:
                columns, rows = (
                    np.searchsorted(grid.x, (x0, x1), "right"),
                    np.searchsorted(grid.y, (y0, y1), "right"),
                )
                votes[label, slice(*rows), slice(*columns)] += vote
        elif isinstance(learner, Line) and vote:
            labels = _line_labels(learner, problem, grid)
            for label in range(k):
                votes[label][labels == label] += vote
    return np.asarray(votes)


def leaves_and_cuts(problem: Problem, tree: Tree) -> tuple[list[tuple[Box, int]], list[Float]]:
    """(the box of each leaf of a tree that the plane meets, with its class; (2, 2) the ends of each
    cut that it meets).
    """
    leaves = list[tuple[Box, int]]()
    cuts = list[Float]()
    waiting: list[tuple[int, Box]] = [(0, (-np.inf, -np.inf, np.inf, np.inf))]
    while waiting:
        node, box = waiting.pop()
        stump = tree.tests[node]
        if stump.test == "threshold" and stump.column in problem.plane:
            axis = problem.plane.index(stump.column)
            at = min(max(stump.value, box[axis]), box[axis + 2])
            first, second = [*box], [*box]
            first[axis + 2] = second[axis] = at
            cuts.append(np.array([second[:2], first[2:]]))  # the corners that both halves share
            halves = [(0, tuple(first)), (1, tuple(second))]
        else:
            halves = [(int(stump.branches(problem.anchor[None])[0]), box)]
        for branch, half in halves:
            if (child := tree.children[node][branch]) >= 0:
                waiting.append((child, half))  # type: ignore[arg-type]
            else:
                leaves.append((half, stump.classes[branch]))  # type: ignore[arg-type]
    return leaves, cuts


def _line_labels(line: Line, problem: Problem, grid: Grid) -> Int:
    """(ny, nx) the line's class; each score is a sum of one term per axis."""
    middle, slopes = np.zeros(2), np.zeros((2, line.W.shape[1]))
    plane = list(problem.plane)
    middle[: len(plane)], slopes[: len(plane)] = line.centre[plane], line.W[plane]
    # far from 0 the terms would round more than the scores
    there = problem.from_plane(middle[None])
    x, y = (
        np.multiply.outer(axis - at, slope)
        for axis, at, slope in zip((grid.x, grid.y), middle, slopes, strict=True)
    )
    scores = y[:, None] + (x + line.scores(there))
    sizes = np.abs(y)[:, None] + (np.abs(x) + line.sizes(there))
    return last_highest(scores.reshape(-1, len(line.b)), sizes.reshape(-1, len(line.b))).reshape(
        grid.shape
    )


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
        self.votes = (
            np.zeros(problem.n if self.k == 2 else (self.k, problem.n)) if votes is None else votes
        )
        self._second = problem.codes == 1
        self._labelled = problem.labelled

    def add(self, says: Int, z: float) -> None:
        """One more learner, which says `says` (n,), with the vote z; ∞ silences all others."""
        if abs(z) == np.inf:
            self.votes[:], self.power, z = 0.0, 0.0, 1.0
        self.power += z
        if self.k == 2:
            self.votes += np.array([z, -z]).take(says)
        else:
            self.votes[says, np.arange(len(says))] += z

    def labels(self) -> Int:
        if self.power == 0:
            return np.full(self.problem.n, -1)
        return self._seconds().astype(np.intp) if self.k == 2 else winners(self.votes)

    def _seconds(self) -> Bool:
        return np.asarray(more(0.0, self.votes, self.power))

    def mistakes(self) -> Bool:
        """(n,) the labelled rows that the vote gets wrong."""
        if self.k == 2 and self.power:
            return np.asarray((self._seconds() != self._second) & self._labelled)
        return np.asarray((self.labels() != self.problem.codes) & self._labelled)

    def errors(self) -> int:
        """How many labelled rows the vote gets wrong."""
        return int(np.count_nonzero(self.mistakes()))

    def ties(self) -> int:
        """How many labelled rows have equal votes for several classes."""
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
    also for examples that were edited since: a right answer divides a weight by e^z, and the errors
    are at most Σ e^(Σz/2 − Σz of the right ones).
    """
    vote = Majority(problem)
    right = np.zeros(problem.n)
    for learner, power in zip(learners, z, strict=True):
        vote.add(says := learner.predict(problem.X), power)
        right += (says == problem.codes) * (power if power < np.inf else 0.0)
    known = right[problem.labelled]
    weights = np.where(problem.labelled, np.exp(known.min() - right), 0.0)
    bound = vote.errors() if np.inf in z else np.exp(vote.power / 2 - known).sum()
    return vote, frozen(weights / weights.sum()), float(bound)
