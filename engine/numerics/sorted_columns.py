"""Columns of numbers in order, for the best threshold of each by weighted examples. AIMA 18.10, 18.3.6.

Sorted once; every search, also one among a part of the rows, is then O(n) per column.
"""

from typing import NamedTuple

import numpy as np

from engine.core.arrays import Bool, Float, Int
from engine.core.work import Work
from engine.numerics.class_weights import TIE, Criterion, purity

_BLOCK = 2**18  # weights of a class that are looked at between two looks at stop
_BLUR = 0.01  # of a column's width: a written threshold may be so far off


class Cuts(NamedTuple):
    """The best threshold of every column. score (d,): purity of its branches, −inf without one; at (d,): its position among
    the sorted values; lean (d,): by how much class 0 outweighs class 1 below it, NaN where that is not known, and half of
    that for all rows."""

    score: Float
    at: Int
    lean: Float
    half: float


class SortedColumns:
    """order, values (d, n): rows and values of each column, ascending, NaN last; codes (n,) classes of the rows in 0 … k−1;
    blur: of each column, how far off a written threshold may be."""

    def __init__(
        self, order: Int, values: Float, codes: Int, k: int, criterion: Criterion, blur: list[float] | None = None
    ) -> None:
        self.order, self.values, self.codes, self.k, self.criterion = order, values, codes, k, criterion
        self.present = ~np.isnan(values)
        self.whole = bool(self.present.all())
        last = np.maximum(self.present.sum(axis=1) - 1, 0)[:, None]
        self.blur = blur or (_BLUR * (np.take_along_axis(values, last, axis=1) - values[:, :1])[:, 0]).tolist()
        self.two = k == 2 and criterion == "error" and self.whole
        cut = values[:, :-1] < values[:, 1:]
        self.wall = None if cut.all() else np.where(cut, 0.0, -np.inf)
        self.sign = np.where(codes == 0, 1.0, -1.0)
        self.buffer, self.scores = np.empty(order.shape), np.empty((len(order), max(0, order.shape[1] - 1)))
        self.columns = np.arange(len(order))
        self._index_runs(cut)

    @classmethod
    def of(cls, X: Float, codes: Int, k: int, criterion: Criterion) -> "SortedColumns":
        columns = np.ascontiguousarray(X.T)
        order = np.argsort(columns, axis=1)  # there is no cut between equal values
        return cls(order, np.take_along_axis(columns, order, axis=1), codes, k, criterion)

    def within(self, rows: Int) -> "SortedColumns":
        """The same of some of the rows, ascending, which need not be sorted again."""
        number = np.full(len(self.codes), -1)
        number[rows] = np.arange(len(rows))
        order = number[self.order]
        shape, stays = (len(order), len(rows)), order >= 0
        parts = order[stays].reshape(shape), self.values[stays].reshape(shape)
        return SortedColumns(*parts, self.codes[rows], self.k, self.criterion, self.blur)

    def _index_runs(self, cut: Bool) -> None:
        """Where equal values are many, what counts is the class weights of each run of them. cells: of every row in every
        column, its class, column and run; ends: the cuts, and the runs that they follow."""
        self.runs = 0
        if self.two or not self.whole or not cut.size:
            return
        run = np.zeros(self.order.shape, np.intp)
        np.cumsum(cut, axis=1, out=run[:, 1:])
        if 2 * (count := int(run.max()) + 1) > cut.shape[1] + 1:
            return
        self.runs, (column, place) = count, cut.nonzero()
        self.ends = column, place, run[column, place]
        self.cells = ((self.codes[self.order] * len(run) + self.columns[:, None]) * count + run).ravel()

    def best(self, weights: Float, mass: float, whole: bool) -> Work[Cuts]:
        """For weights (n,) ≥ 0 of this sum. whole: all of them count"""
        least, more, half = -np.inf, 0.0, 0.0
        if self.two:
            half = self._run_up(weights)
            least, more = abs(half), 0.5 * mass
            scores = np.abs(self.buffer[:, :-1], out=self.scores)
        else:
            scores = self._run_scores(weights) if self.runs else (yield from self._scores(weights))
        if self.wall is not None:
            scores += self.wall
        if not whole:
            self._close_empty_sides(scores, weights)
        best = scores.max(axis=1)
        best = np.where(best > -np.inf, np.maximum(best, least), best)
        enough = best - TIE * mass
        enough = np.where(enough <= least, 0.0, enough)  # every cut is worth the least
        at = (scores >= enough[:, None]).argmax(axis=1)
        lean = self.buffer[self.columns, at] + half if self.two else np.full(len(at), np.nan)
        return Cuts(best + more, at, lean, half)

    def _run_up(self, weights: Float) -> float:
        """Fills the buffer with r − t/2 for every cut of two classes and returns t/2.

        A side with class weights a and b is worth max(a, b) = (a + b + |a − b|)/2. With r the signed weight (class 0 less
        class 1) left of a cut and t that of all, both sides are worth (Σw + |r| + |t − r|)/2, and |r| + |t − r| is the
        larger of |t| and |2r − t|: one cumulative sum of r − t/2 is enough."""
        signed = weights * self.sign
        half = 0.5 * float(signed.sum())
        np.take(signed, self.order, out=self.buffer, mode="clip")
        self.buffer[:, 0] -= half
        np.cumsum(self.buffer, axis=1, out=self.buffer)
        return half

    def _run_scores(self, weights: Float) -> Float:
        """Purity of both branches of every cut between two runs of equal values."""
        size = self.k * len(self.order) * self.runs
        sums = np.asarray(np.bincount(self.cells, weights[self.order].ravel(), size), np.float64)
        left = np.cumsum(sums.reshape(self.k, -1, self.runs), axis=2)
        right = left[:, :, -1:] - left
        column, place, run = self.ends
        scores = np.full((len(self.order), len(weights) - 1), -np.inf)
        both = purity(left, self.criterion) + purity(right, self.criterion)
        scores[column, place] = both[column, run]
        return scores

    def _scores(self, weights: Float) -> Work[Float]:
        """Purity of the three branches (≤, >, missing) of every cut, any number of classes; blocks bound memory and time."""
        scores = np.empty((len(self.order), len(weights) - 1))
        step = max(1, _BLOCK // (self.k * len(weights)))
        for first in range(0, len(self.order), step):
            rows = slice(first, first + step)
            scores[rows] = self._block_scores(weights, self.order[rows], self.present[rows])
            yield
        return scores

    def _block_scores(self, weights: Float, order: Int, present: Bool) -> Float:
        of_class = (self.codes == np.arange(self.k)[:, None]) * weights  # (k, n)
        ordered = of_class[:, order]  # (k, b, n)
        left = np.cumsum(np.where(present, ordered, 0.0), axis=2)
        gaps = np.where(present, 0.0, ordered).sum(axis=2, keepdims=True)
        right = left[:, :, -1:] - left
        sides = purity(left[:, :, :-1], self.criterion) + purity(right[:, :, :-1], self.criterion)
        return np.asarray(sides + purity(gaps, self.criterion))

    def _close_empty_sides(self, scores: Float, weights: Float) -> None:
        """A cut with no weight on one side is no test."""
        live = (weights > 0)[self.order] & self.present
        place = np.arange(scores.shape[1])
        first = np.where(live.any(axis=1), live.argmax(axis=1), scores.shape[1])
        last = live.shape[1] - 1 - live[:, ::-1].argmax(axis=1)
        scores[(place < first[:, None]) | (place >= last[:, None])] = -np.inf

    def threshold(self, column: int, at: int, weights: Float, whole: bool) -> tuple[float, tuple[float, float]]:
        """(half-way between the neighbouring values; the room of its text: between these two, or a hundredth of the
        column's width from it). Rows without weight are no neighbours."""
        values = self.values[column]
        low, high = float(values[at]), float(values[at + 1])
        if not whole:
            live = values[(weights > 0)[self.order[column]] & self.present[column]]
            low, high = float(live[live <= low].max()), float(live[live > low].min())
        middle = low + (high - low) / 2
        value = middle if low <= middle < high else low
        return value, (min(low, value - self.blur[column]), max(high, value + self.blur[column]))
