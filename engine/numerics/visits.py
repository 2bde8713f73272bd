"""Whole rounds of visits to examples, of which nobody sees but the end: each mistake changes w.

MMDS 12.2.1, AIMA 18.6.3.

What is left of a weight by rounding alone is cleared after each mistake, as where every step is
shown: the numbers are the same.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from engine.core.arrays import Float, Int
from engine.core.records import cached_property
from engine.numerics.closeness import LAST_DIGITS as LEFT
from engine.numerics.closeness import OF_TERMS as EQUAL
from engine.numerics.compiled import Changing, Compiled, Numbers, Rows, Three, Truths, loop
from engine.numerics.mistakes import ROUNDED, Exact, cleared, count_wrong, next_mistake

LISTED = 2_000_000  # numbers are as many as plain Python may hold in lists
# numbers for each mistake: then arrays reach the next one sooner than plain Python
BLOCKS_PAY = 1_000


def wrong_at_edge(
    w: Numbers,
    reach: Numbers,
    row: Numbers,
    positive: bool,
    equal: float,
    exact: float,
    fires_at_zero: bool,
) -> bool:
    """Whether a signed row is a mistake whose margin is so near 0 that rounding may
    have made it.
    """
    margin = rounding = 0.0
    for i in range(len(w)):
        if w[i] != 0.0:  # what rounding alone has left of a weight was cleared
            margin += w[i] * row[i]
            rounding += (abs(w[i]) + reach[i]) * abs(row[i])
    if abs(margin) > (0.0 if rounding <= exact else equal * rounding):
        return margin < 0
    return not (fires_at_zero and positive)


@loop(wrong_at_edge)
def steady_round(
    xs: Numbers,
    ys: Numbers,
    positives: Truths,
    third: float,
    w: Three,
    move: Three,
    near: float,
    reach: Three,
    equal: float,
    exact: float,
    fires_at_zero: bool,
) -> tuple[float, float, float, int]:
    """With one rate and a threshold, the least that Python can do for a visit: a sum, and which
    class it must beat.

    third: the last feature of all rows, 0 without one; move: what a mistake adds to w for features
    of 1. → w, mistakes
    """
    mistakes = 0
    u, v, t = w
    a, b, c = move
    shift = t * third
    least_u = LEFT * reach[0]
    least_v = LEFT * reach[1]
    least_t = LEFT * reach[2]
    least = near - shift
    least_other = near + shift
    edge = near + near
    for x, y, positive in zip(xs, ys, positives):  # noqa: B905 the compiler's zip has no `strict`
        bound = least if positive else least_other
        score = u * x + v * y
        if score <= bound:
            if score + edge >= bound:
                signed = third if positive else -third
                if not wrong_at_edge(
                    (u, v, shift * third),
                    reach,
                    (x, y, signed),
                    positive,
                    equal,
                    exact,
                    fires_at_zero,
                ):
                    continue
            u += a * x
            v += b * y
            if positive:
                shift += c
            else:
                shift -= c
            if -least_u <= u <= least_u:
                u = 0.0
            if -least_v <= v <= least_v:
                v = 0.0
            if -least_t <= shift <= least_t:
                shift = 0.0
            least = near - shift
            least_other = near + shift
            mistakes += 1
    return u, v, shift * third + 0.0, mistakes  # never −0


@loop(wrong_at_edge)
def varied_round(
    xs: Numbers,
    ys: Numbers,
    positives: Truths,
    zs: Numbers,
    rates: Numbers,
    w: Three,
    move: Three,
    near: float,
    reach: Three,
    equal: float,
    exact: float,
    fires_at_zero: bool,
) -> tuple[float, float, float, int]:
    """The same with a rate of each visit, and any third feature."""
    mistakes = 0
    u, v, t = w
    a, b, c = move
    least_u = LEFT * reach[0]
    least_v = LEFT * reach[1]
    least_t = LEFT * reach[2]
    for x, y, positive, z, rate in zip(xs, ys, positives, zs, rates):  # noqa: B905
        margin = u * x + v * y + t * z
        if margin <= near:
            if margin >= -near and not wrong_at_edge(
                (u, v, t), reach, (x, y, z), positive, equal, exact, fires_at_zero
            ):
                continue
            u += rate * a * x
            v += rate * b * y
            t += rate * c * z
            if -least_u <= u <= least_u:
                u = 0.0
            if -least_v <= v <= least_v:
                v = 0.0
            if -least_t <= t <= least_t:
                t = 0.0
            mistakes += 1
    return u, v, t, mistakes


@loop(wrong_at_edge)
def round_of_rows(
    rows: Rows,
    positives: Truths,
    rates: Numbers,
    w: Changing,
    moves: Numbers,
    near: float,
    reach: Numbers,
    equal: float,
    exact: float,
    fires_at_zero: bool,
) -> int:
    """The same with any number of features. Changes w; → mistakes"""
    mistakes = 0
    for row, positive, rate in zip(rows, positives, rates):  # noqa: B905
        margin = 0.0
        for weight, x in zip(w, row):  # noqa: B905
            margin += weight * x
        if margin <= near:
            if margin >= -near and not wrong_at_edge(
                w, reach, row, positive, equal, exact, fires_at_zero
            ):
                continue
            for i in range(len(w)):
                changed = w[i] + rate * moves[i] * row[i]
                w[i] = 0.0 if abs(changed) <= LEFT * reach[i] else changed
            mistakes += 1
    return mistakes


class Visits:
    """Rows X (n, d) with `sign` (n,), ready to be visited one by one, again and again. moves: (d,)
    1 for the weights that a mistake changes, 0 for those that stay; reach, equal, exact: as in
    `settled_scores`.
    """

    def __init__(
        self,
        X: Float,
        sign: Float,
        fires_at_zero: bool,
        moves: Float | None = None,
        reach: Float | None = None,
        equal: float = EQUAL,
        exact: Exact = ROUNDED,
    ) -> None:
        self.X, self.sign, self.fires_at_zero, self.equal, self.exact = (
            X,
            sign,
            fires_at_zero,
            equal,
            exact,
        )
        self.reach = np.zeros(X.shape[1]) if reach is None else reach
        self.moves = np.ones(X.shape[1]) if moves is None else moves
        self._signed = np.ascontiguousarray((X * sign[:, None]).T)
        self._unlabelled = int(np.count_nonzero(sign == 0))
        self._largest = float(np.abs(X).max(initial=0.0))
        self._reached = float(self.reach.sum())
        self._edge = _three(self.reach), equal, exact.size, fires_at_zero
        self._ordered: _Ordered | None = None
        self._mistakes = X.shape[0]  # of the round before; at first nobody knows

    def count_wrong(self, w: Float) -> int:
        """How many of the rows the weights w (d,) get wrong: `count_wrong`, with what stays the
        same done once.
        """
        margin = w @ self._signed
        near = self.equal * self._largest * float((np.abs(w) + self.reach).sum())
        wrong = int(np.count_nonzero(margin < -near))
        if int(np.count_nonzero(margin <= near)) - self._unlabelled == wrong:
            return wrong
        return count_wrong(self.X, self.sign, w, self.fires_at_zero, self.reach, self.exact)

    def whole_round(self, order: Int, w: Float, rates: Float | float) -> tuple[Float, int]:
        """(weights after every example of `order` was visited, mistakes): each mistake adds rate ·
        sign · x to w (d,).

        rates: one of all the visits, or (n,) one of each
        """
        if self._unlabelled:
            labelled = self.sign[order] != 0
            order = order[labelled]
            rates = rates[labelled] if isinstance(rates, np.ndarray) else rates
        if self.X.shape[1] > 3:
            w, self._mistakes = self._round_of_rows(
                order, w, np.full(len(order), rates, np.float64)
            )
            return w, self._mistakes
        return self._round_of_three(order, w, rates)

    def _round_of_three(self, order: Int, w: Float, rates: Float | float) -> tuple[Float, int]:
        rate = None if isinstance(rates, np.ndarray) or self._third is None else rates
        compiled = (varied_round if rate is None else steady_round).compiled_for(len(order))
        visited = self._visited(order)
        if rate is None:
            x, y, z, positive = visited.columns if compiled else visited.lists
            each = np.full(len(order), rates, np.float64)
            near = self._near(w, float(np.abs(each).sum()))
            move = _three(self.moves)
            given = each if compiled else each.tolist()
            u, v, t, mistakes = (compiled or varied_round)(
                x, y, positive, z, given, _three(w), move, near, *self._edge
            )
        else:
            near = self._near(w, rate * len(order))
            move = _three(rate * self.moves)
            u, v, t, mistakes = visited.steady(compiled, self._third)(
                _three(w), move, near, *self._edge
            )
        return np.asarray([u, v, t][: len(w)]), mistakes

    def _round_of_rows(self, order: Int, w: Float, rates: Float) -> tuple[Float, int]:
        size = len(order) * len(w)
        compiled = round_of_rows.compiled_for(size)
        if not compiled and (size > LISTED or self._mistakes * BLOCKS_PAY < size):
            return self._block_by_block(order, w, rates)
        near = self._near(w, float(np.abs(rates).sum()))
        visited = self._visited(order)
        edge = self.equal, self.exact.size, self.fires_at_zero
        if compiled:
            w = w.copy()
            rows, positives = visited.rows
            return w, compiled(rows, positives, rates, w, self.moves, near, self.reach, *edge)
        rows, positives = visited.row_lists
        changing, moves, reach = w.tolist(), self.moves.tolist(), self.reach.tolist()
        mistakes = round_of_rows(
            rows, positives, rates.tolist(), changing, moves, near, reach, *edge
        )
        return np.asarray(changing), mistakes

    def _block_by_block(self, order: Int, w: Float, rates: Float) -> tuple[Float, int]:
        """Up to the next mistake w stands still: the scores are computed together."""
        at, mistakes = 0, 0
        while (miss := self._next(order, at, w)) < len(order):
            w = cleared(
                w + rates[miss] * self.sign[order[miss]] * self.moves * self.X[order[miss]],
                self.reach,
            )
            at = miss + 1
            mistakes = mistakes + 1
        return w, mistakes

    def _next(self, order: Int, at: int, w: Float) -> int:
        return next_mistake(
            self.X, self.sign, order, at, w, self.fires_at_zero, self.reach, self.equal, self.exact
        )[0]

    def _near(self, w: Float, rates: float) -> float:
        """Farther from 0 no margin is a matter of rounding, whatever mistakes rates of this sum
        bring.
        """
        most = float(np.abs(w).sum()) + len(w) * self._largest * abs(rates) + self._reached
        return self.equal * self._largest * most

    @cached_property
    def _third(self) -> float | None:
        """The last of three features where it is the same in all rows, as a threshold's is; 0 for
        fewer features.
        """
        if self.X.shape[1] < 3:
            return 0.0
        low, high = (float(f(self.X[:, 2], initial=self.X[0, 2])) for f in (np.min, np.max))
        return low if low == high and abs(low) == 1 else None

    def _visited(self, order: Int) -> "_Ordered":
        """Most rounds have the same order."""
        if self._ordered is None or not (
            order is self._ordered.order or np.array_equal(order, self._ordered.order)
        ):
            self._ordered = _Ordered(order, self._signed[:, order], self.sign[order] > 0)
        return self._ordered


class _Ordered:
    """The signed features (d, n) of the rows in an order, and which rows (n,) are positive, as the
    loops take them.
    """

    def __init__(self, order: Int, signed: Float, positive: Any) -> None:
        self.order, self._signed, self._positive = order, signed, positive
        self._steady: Callable[..., Any] | None = None

    @cached_property
    def columns(self) -> tuple[Any, ...]:
        """At most three, and zeros for those that are missing."""
        x, y, z = np.ascontiguousarray(np.pad(self._signed, ((0, 3 - len(self._signed)), (0, 0))))
        return x, y, z, self._positive

    def steady(self, compiled: Compiled | None, third: float | None) -> Callable[..., Any]:
        """`steady_round` of these rows, which the compiled one is handed once for all rounds."""
        if compiled is None:
            x, y, _, positive = self.lists
            return partial(steady_round, x, y, positive, third)
        if self._steady is None:
            x, y, _, positive = self.columns
            self._steady = compiled.holding(x, y, positive, third)
        return self._steady

    @cached_property
    def rows(self) -> tuple[Any, ...]:
        return np.ascontiguousarray(self._signed.T), self._positive

    @cached_property
    def lists(self) -> tuple[list[Any], ...]:
        """The columns for plain Python, which reads lists many times as fast as arrays."""
        return tuple(column.tolist() for column in self.columns)

    @cached_property
    def row_lists(self) -> tuple[list[Any], ...]:
        return self._signed.T.tolist(), self._positive.tolist()


def _three(values: Float) -> Three:
    first, second, third = (*values.tolist(), 0.0, 0.0)[:3]
    return first, second, third
