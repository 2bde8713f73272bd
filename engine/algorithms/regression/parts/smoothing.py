"""Estimates by weighted neighbours at many places, with their jumps, and leaving one out.

AIMA 18.8.4, MMDS 12.4.3-4, ML 8.2-8.3.
"""

from collections.abc import Callable
from functools import lru_cache

import numpy as np

from engine.algorithms.regression.parts.least_squares import training_rows
from engine.algorithms.regression.parts.smoothing_fits import (
    FITS,
    INSIDE,
    Rule,
    fitted,
)
from engine.algorithms.regression.parts.smoothing_runs import ENTRIES, Reach, Windows
from engine.base.arrays import Bool, Float, Int
from engine.base.records import Record, cached_property
from engine.base.sums import add_up
from engine.base.work import Work, finished, in_parts
from engine.numerics.closeness import tidy
from engine.numerics.distances import minkowski_space
from engine.numerics.nearest import Index
from engine.table.problem import Problem

_MANY = 1_000_000  # numbers of an array of windows
_BESIDE = 1e-8  # of the range: how far beside a switch the two limits are taken
_JUMP = 1e-5  # of the values' range: less is no jump
# distances measured at most for the errors, where every example takes part in every query
_COMPARED = 5_000_000
LEFT_OUT = 1000  # at most so many examples are left out one by one, evenly spread


class Near(Record):
    """Examples that may count at a query, the nearest first.

    rows: (c,) of the table
    d: (c,) |x − q|, how far each is from the query
    x: (c, columns) where they are
    y: (c,) their values
    outside: the table row left out that is as near as the last of these, or −1
    """

    rows: Int
    d: Float
    x: Float
    y: Float
    outside: int = -1


class StoredValues:
    """The stored examples of a table; nothing is learnt before a query comes.

    X: (n, columns) where they are
    y: (n,) their values
    rows: (n,) of the table
    column: along which the query moves
    rule: by which neighbours answer, None for lines from point to point
    k: how many neighbours answer, 0: all examples
    """

    rule: Rule | None = None
    k = 0

    def __init__(self, problem: Problem) -> None:
        self.X, self.y, self.rows = training_rows(problem)
        self.column = problem.plane[0] if problem.plane else 0

    def values(self, Q: Float) -> Float:
        """(m,) estimates at the places Q (m, d)."""
        raise NotImplementedError

    def without_itself(self, at: Int) -> Float:
        """(m,) leave-one-out estimates at the examples `at` (m,), each from the other examples."""
        raise NotImplementedError

    @property
    def at_once(self) -> int:
        """The number of places computed between two checks for cancellation."""
        return 50

    @property
    def most(self) -> int:
        """The largest number of examples that are left out one by one."""
        return LEFT_OUT

    @cached_property
    def switches(self) -> Float:
        """(m,) ascending places where the estimate may jump; none over several columns."""
        return np.zeros(0)

    @cached_property
    def left_out(self) -> tuple[Int, Float]:
        """(examples (m,), leave-one-out errors y − h (m,)) for at most `most` examples, evenly
        chosen.
        """
        return finished(self.leave_out())

    def leave_out(self) -> Work[tuple[Int, Float]]:
        """Computes `left_out` in parts."""
        n = len(self.y)
        at = np.unique(np.linspace(0, n - 1, min(n, self.most)).astype(np.intp))
        others_say = yield from in_parts(self.without_itself, at, self.at_once)
        return at, self.y[at] - others_say

    @cached_property
    def errors(self) -> Float:
        """(m,) y − h, for the same examples as `left_out`."""
        return finished(self.miss())

    def miss(self) -> Work[Float]:
        """Computes `errors` in parts."""
        at, _ = self.left_out
        h = yield from in_parts(self.values, self.X[at], self.at_once)
        return np.asarray(self.y[at] - h)


class Smoother(StoredValues):
    """Estimates from neighbours by `rule`."""

    rule: Rule

    def __init__(self, problem: Problem, rule: Rule) -> None:
        super().__init__(problem)
        self.rule = rule
        self.k = min(rule.k, len(self.y))

    @cached_property
    def index(self) -> Index:
        """An index that finds the nearest examples of a place."""
        space = minkowski_space(self.X)
        return Index(space, space.embed(self.X))

    @cached_property
    def reach(self) -> Reach | None:
        """Sums over the examples within a kernel's reach, for one column and no limit to the
        neighbours; None for other tables and parameters.
        """
        if self.k or self.X.shape[1] != 1:
            return None
        return Reach(self.X[:, 0], self.y, self.rule)

    def values(self, Q: Float) -> Float:
        """(m,) estimates at the places Q (m, d), part by part."""
        if self.reach is not None:
            return self._reached(self.reach, Q)
        numbers = self.rule.weights(self.X.shape[1])
        numbers *= self.k or len(self.y)  # of one place
        most = _MANY if self.k else ENTRIES
        return finished(in_parts(self._part, Q, max(1, most // numbers)))

    def _reached(self, reach: Reach, Q: Float) -> Float:
        """(m,) estimates where only the examples within reach of the kernel count."""
        order = Q[:, 0].argsort(kind="stable")
        values = np.empty(len(Q))
        values[order], empty = reach.values(Q[order, 0])
        alone = order[empty]
        if len(alone):
            _, near = self.index.nearest(np.ascontiguousarray(Q[alone]), 1)
            values[alone] = self.y[near[:, 0]]
        return values

    def _part(self, Q: Float) -> Float:
        """(m,) estimates at places few enough to be worked out together."""
        if not self.k:
            return self.estimate(Q, self._distances(Q), None)[0]
        if self.windows is None:
            return self._searched(Q)
        at, doubtful = self.windows.at(Q[:, 0])
        if self._plain:
            values = np.asarray(self._levels[at])
        else:
            near = self.windows.rows[at]
            values = self.estimate(Q, np.abs(Q - self.X[near, 0]), near)[0]
        values[doubtful] = self._searched(Q[doubtful])
        return values

    def _searched(self, Q: Float) -> Float:
        """(m,) estimates whose neighbours are searched in the index."""
        if not len(Q):
            return np.zeros(0)
        d, near = self.index.nearest(np.ascontiguousarray(Q), self.k)
        return self.estimate(Q, d, near)[0]

    @cached_property
    def _levels(self) -> Float:
        """The estimate of each of the `windows`, where it is a mean or a median."""
        near = self.windows.rows if self.windows is not None else np.zeros((0, self.k), np.intp)
        return self.estimate(np.zeros((len(near), 1)), np.ones(near.shape), near)[0]

    @property
    def _plain(self) -> bool:
        """Means and medians are those of the neighbours, however near they are."""
        return self.rule.kernel == "equal" and self.rule.estimate not in FITS

    @cached_property
    def windows(self) -> Windows | None:
        """The fast path of k neighbours in one column without coincident points; None for
        others.
        """
        return self._windows(self.k)

    def _windows(self, k: int) -> Windows | None:
        """The runs of k neighbours; None where they are not runs, or too many numbers."""
        if self.X.shape[1] != 1 or k in (0, len(self.y)) or len(self.y) * k > _MANY:
            return None
        order = self.X[:, 0].argsort(kind="stable")
        x = self.X[order, 0]
        return Windows(x, order, k) if (x[1:] > x[:-1]).all() else None

    def _nearest(self, Q: Float, k: int) -> tuple[Float, Int]:
        """(distances, examples) (m, k) of the k nearest to each of Q, nearest first; equal
        distances: the lower row first.
        """
        windows = self._windows(k) if self._plain else None
        if windows is None:
            return self.index.nearest(np.ascontiguousarray(Q), k)
        at, doubtful = windows.at(Q[:, 0])
        near = windows.rows[at]
        d = np.abs(Q - self.X[near, 0])
        order = np.lexsort((near, tidy(d)), axis=-1)
        d, near = np.take_along_axis(d, order, axis=1), np.take_along_axis(near, order, axis=1)
        if len(doubtful):
            d[doubtful], near[doubtful] = self.index.nearest(np.ascontiguousarray(Q[doubtful]), k)
        return d, near

    def _distances(self, Q: Float, X: Float | None = None) -> Float:
        """(m, c) from the places Q to rows X, by default all examples."""
        X = self.X if X is None else X
        if X.shape[1] == 1:
            return np.abs(Q - X.T)
        return self.index.space.distance(Q[:, None], X[None])

    def _nearest_first(self, Q: Float) -> tuple[Float, Int, int]:
        """(distances, examples) that may count at the one place Q (1, d), and the nearest of the
        others, −1 none.
        """
        if self.reach is not None:
            near, d = self.reach.nearest_first(float(Q[0, 0]))
            return d, near, -1
        if self.k:
            found, rows = self.index.nearest(Q, min(self.k + 1, len(self.y)))
            outside = int(rows[0, self.k]) if self.k < len(self.y) else -1
            return found[0, : self.k], rows[0, : self.k], outside
        d = self._distances(Q)[0]
        near = np.lexsort((np.arange(len(d)), tidy(d)))
        return d[near], near, -1

    def estimate(self, Q: Float, d: Float, near: Int | None) -> tuple[Float, Float, Bool]:
        """(values, slopes, determined) from distances d (m, c) to the examples `near` (m, c), None:
        all; ∞ leaves one out.
        """
        Y = np.broadcast_to(self.y, d.shape) if near is None else self.y[near]
        if self.rule.estimate == "mean" and self.rule.kernel == "equal" and near is not None:
            return np.asarray(add_up(Y.T) / Y.shape[1]), np.zeros((0, 0)), np.ones(0, bool)
        return fitted(self.rule, d, Y, self.X[None] if near is None else self.X[near], Q)

    def near(self, q: Float) -> Near:
        """The examples with a weight at the query q (columns,): the k nearest, or all within the
        kernel.
        """
        Q = np.asarray(q, np.float64)[None]
        d, near, outside = self._nearest_first(Q)
        tie = outside >= 0 and tidy(self._distances(Q, self.X[[outside]]))[0, 0] == tidy(d[-1:])[0]
        left_out = int(self.rows[outside]) if tie else -1
        return Near(self.rows[near], d, self.X[near], self.y[near], left_out)

    def without_itself(self, at: Int) -> Float:
        """(m,) leave-one-out estimates at the examples `at` (m,): k + 1 neighbours are found and
        the example itself is skipped. AIMA 18.8.4.
        """
        if len(self.y) < 2:
            return np.full(len(at), np.nan)
        if self.reach is None:
            return self._without(at, min(self.k, len(self.y) - 1))
        order = self.X[at, 0].argsort(kind="stable")
        values = np.empty(len(at))
        values[order], empty = self.reach.values(self.X[at[order], 0], at[order])
        alone = order[empty]
        if len(alone):
            values[alone] = self._without(at[alone], 1)
        return values

    def _without(self, at: Int, k: int) -> Float:
        """Estimates at the examples `at` from k of the others, 0: from all."""
        Q = self.X[at]
        if not k:
            d = self._distances(Q)
            d[np.arange(len(at)), at] = np.inf
            return self.estimate(Q, d, None)[0]
        d, near = self._nearest(Q, k + 1)
        itself = near == at[:, None]
        itself[~itself.any(axis=1), -1] = True  # more copies of it than neighbours: drop the last
        return self.estimate(Q, d[~itself].reshape(-1, k), near[~itself].reshape(-1, k))[0]

    @property
    def at_once(self) -> int:
        """The number of places computed between two checks for cancellation."""
        counted = self.k or len(self.y)
        if self.reach is not None:
            counted = 1
        numbers = max(self.X.shape[1] + 1, self.rule.weights(self.X.shape[1]))
        return int(max(1, min(512, ENTRIES // (counted * numbers))))

    @property
    def most(self) -> int:
        """The largest number of examples that are left out one by one."""
        return LEFT_OUT if self.k else min(LEFT_OUT, max(100, _COMPARED // len(self.y)))

    @cached_property
    def switches(self) -> Float:
        """(m,) ascending places where the set of neighbours changes; none over several columns."""
        if self.X.shape[1] != 1:
            return np.zeros(0)
        x = np.sort(self.X[:, 0])
        places = [x[:0]]
        if self.k:
            places = [(x[: -self.k] + x[self.k :]) / 2]
        distinct = np.unique(x)
        middles = (distinct[:-1] + distinct[1:]) / 2
        steps = np.diff(distinct)
        if self.rule.kernel == "quadratic":
            half = self.rule.width / 2
            places += [x - half, x + half, middles]
        elif self.rule.kernel == "gaussian" and self.rule.estimate in FITS:
            away = -np.log(INSIDE) * self.rule.width**2 / (2 * steps)
            places += [middles - away, middles + away]
        return np.unique(np.concatenate(places))


@lru_cache(maxsize=16)
def smoother(problem: Problem, rule: Rule) -> Smoother:
    """The smoother of a problem by this rule, shared by all runs so that errors are computed
    once.
    """
    return Smoother(problem, rule)


def broken_curve(h: Callable[[Float], Work[Float]], places: Float, switches: Float) -> Work[Float]:
    """(m, 2) the curve y = h(x) over ascending places, with a NaN row at every switch where it
    jumps.
    """
    low, high = places[0], places[-1]
    switches = np.unique(switches[(switches > low) & (switches < high)])
    beside = _BESIDE * (high - low)
    values = yield from h(np.concatenate([places, switches - beside, switches + beside]))
    y, left, right = np.split(values, [len(places), len(places) + len(switches)])
    reach = np.ptp(np.concatenate([y, left, right]))
    jump = np.abs(right - left) > _JUMP * reach
    kept = ~np.isin(places, switches)
    x = np.concatenate([places[kept], switches, switches[jump], switches])
    values = np.concatenate([y[kept], left, np.full(int(jump.sum()), np.nan), right])
    order = np.argsort(x, kind="stable")
    xy = np.column_stack([x, values])[order]
    xy[np.isnan(xy[:, 1])] = np.nan
    return xy
