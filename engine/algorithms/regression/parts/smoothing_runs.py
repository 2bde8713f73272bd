"""Examples of one column in order: what a query needs of them is a run, k of them or all that a
kernel reaches.
"""

from collections.abc import Iterator

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from engine.algorithms.regression.parts.smoothing_fits import (
    SMOOTH,
    Rule,
    fitted,
    fitted_together,
    kernel_value,
)
from engine.base.arrays import Bool, Float, Int
from engine.numerics.closeness import SHARE, tidy

ENTRIES = 1 << 17  # numbers of an intermediate array: what fits into the processor's own memory
_FAR = 55.0  # e^−55 of the largest weight, a million times, does not change a digit of a sum


class Windows:
    """The k nearest on a line are k in a row.

    rows: (n − k + 1, k) each k in a row
    switches: (n − k,) the places (x_i + x_{i+k})/2 at which the next ones are nearer
    close: from a switch, what may be nothing but rounding
    """

    def __init__(self, x: Float, order: Int, k: int) -> None:
        """x (n,): ascending and distinct; order (n,): the example at each."""
        self.rows = np.ascontiguousarray(sliding_window_view(order, k))
        self.switches = (x[:-k] + x[k:]) / 2
        self.close = SHARE * float(x[-1] - x[0] + np.abs(x).max())

    def at(self, q: Float) -> tuple[Int, Int]:
        """(index in `rows` of the k nearest (m,), indices of the places so near a switch that
        distances may tie) for places q (m,).
        """
        at = np.searchsorted(self.switches, q)
        left = self.switches[np.maximum(at - 1, 0)]
        right = self.switches[np.minimum(at, len(self.switches) - 1)]
        away = np.minimum(np.abs(q - left), np.abs(q - right))
        return at, np.flatnonzero(away <= self.close)


class Reach:
    """All examples weighted by a kernel: those beyond its reach, too light to change a digit, are
    left out.

    order: (n,) the examples by x
    x, y: (n,) in that order
    place: (n,) where each example stands in it
    """

    def __init__(self, x: Float, y: Float, rule: Rule) -> None:
        self.order = x.argsort(kind="stable")
        self.x = x[self.order]
        self.y = y[self.order]
        self.rule = rule
        self.place = np.empty(len(x), np.intp)
        self.place[self.order] = np.arange(len(x))

    def least(self, q: Float) -> Float:
        """(m,) the distance of each place q (m,) to its nearest example."""
        at = np.searchsorted(self.x, q)
        left = self.x[np.maximum(at - 1, 0)]
        right = self.x[np.minimum(at, len(self.x) - 1)]
        return np.asarray(np.minimum(np.abs(q - left), np.abs(q - right)))

    def least_other(self, at: Int) -> Float:
        """(m,) the distance of each example `at` (m,) to its nearest other example."""
        place = self.place[at]
        apart = np.concatenate([[np.inf], np.diff(self.x), [np.inf]])
        return np.asarray(np.minimum(apart[place], apart[place + 1]))

    def alone(self, least: Float) -> Bool:
        """(m,) whether no example lies within the window, given the distances `least` (m,) to the
        nearest.
        """
        if self.rule.kernel != "quadratic":
            return np.zeros(len(least), dtype=bool)
        return np.asarray(kernel_value(least, self.rule) <= 0)

    def run(self, q: Float, least: Float) -> tuple[Int, Int]:
        """(first, end) of the range of examples with a weight at each q (m,)."""
        if self.rule.kernel == "quadratic":
            reach = np.maximum(self.rule.width / 2, least)
        elif self.rule.kernel == "gaussian":
            reach = np.sqrt(least**2 + _FAR * self.rule.width**2)
        else:
            return np.zeros(len(q), np.intp), np.full(len(q), len(self.x))
        # what is as near as the last one up to rounding is in
        reach = reach + SHARE * (reach + np.abs(q))
        first = np.searchsorted(self.x, q - reach, side="left")
        end = np.searchsorted(self.x, q + reach, side="right")
        return first, end

    def values(self, q: Float, skip: Int | None = None) -> tuple[Float, Bool]:
        """(estimates (m,), whether no example lies within the window (m,)) at ascending places q
        (m,).

        skip: (m,) an example to leave out at each
        """
        found = np.empty(len(q))
        least = self.least(q) if skip is None else self.least_other(skip)
        first, end = self.run(q, least)
        smooth = self.rule.kernel in SMOOTH and self.rule.estimate in ("mean", "line")
        # never the examples themselves, whose errors steps show to the last bit
        many = smooth and not self.rule.updates and len(q) > len(self.x)
        for part in blocks(first, end):
            run = slice(int(first[part].min()), int(end[part].max()))
            rest = np.arange(part.start, part.stop)
            x = self.x[run]
            y = self.y[run]
            if many:
                found[part], sure = fitted_together(self.rule, q[part], x, y)
                rest = rest[~sure]
            if len(rest):
                d = np.abs(q[rest, None] - x)
                if skip is not None:
                    d[np.arange(len(rest)), self.place[skip[rest]] - run.start] = np.inf
                Y = np.broadcast_to(y, d.shape)
                h, _, _ = fitted(self.rule, d, Y, x[None, :, None], q[rest, None])
                found[rest] = h
        return found, self.alone(least)

    def nearest_first(self, q: float) -> tuple[Int, Float]:
        """(examples (c,), distances (c,)) with a weight at place q, nearest first; of tied
        distances the lower row first.
        """
        place = np.array([q])
        (first,), (end,) = self.run(place, self.least(place))
        middle = int(np.searchsorted(self.x, q))
        places = np.concatenate([np.arange(middle - 1, first - 1, -1), np.arange(middle, end)])
        d = np.abs(self.x[places] - q)
        rank = tidy(d)
        rows = self.order[places]
        by_distance = rank.argsort(kind="stable")  # two ascending runs: merged at one go
        rank = rank[by_distance]
        if (rank[1:] == rank[:-1]).any():
            by_distance = by_distance[np.lexsort((rows[by_distance], rank))]
        return rows[by_distance], d[by_distance]


def blocks(first: Int, end: Int) -> Iterator[slice]:
    """Slices of neighbouring queries whose ranges first … end, both ascending, mostly overlap."""
    at = 0
    while at < len(first):
        count = min(len(first) - at, max(1, ENTRIES // int(end[at] - first[at])))
        while count > 1 and count * int(end[at + count - 1] - first[at]) > 2 * ENTRIES:
            count //= 2
        yield slice(at, at + count)
        at += count
