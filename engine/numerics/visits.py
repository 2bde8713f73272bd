"""Whole rounds of visits to examples, of which only the end is seen: each mistake changes w.

MMDS 12.2.1, AIMA 18.6.3.

What is left of a weight by rounding alone is cleared after each mistake, as where every step is
shown: the numbers are the same.
"""

from typing import Any

import numpy as np

from engine.base.arrays import Float, Int
from engine.numerics.closeness import LAST_DIGITS, OF_TERMS
from engine.numerics.jit import jit
from engine.numerics.mistakes import ROUNDED, Exact, cleared, next_mistake

MOST = 2_000_000  # numbers of a round that are visited one by one: as lists they take 64 MB
BLOCKS_PAY = 1_000  # numbers for each mistake: from there on the next one is found sooner in blocks


@jit
def round_of_rows(
    rows: Any,
    positives: Any,
    rates: Any,
    w: Any,
    moves: Any,
    reach: Any,
    left: Any,
    near: float,
    equal: float,
    exact: float,
    fires_at_zero: bool,
) -> tuple[Any, int]:
    """(w (d,) after a visit to each row, how many mistakes there were).

    rows: (n, d) y x; positives: (n,) whether y = +1; rates: (n,)
    near: farther from 0 no margin is a matter of rounding
    left: (d,) smaller weights are nothing but rounding
    moves, reach, equal, exact: as in `Visits`
    """
    w = w.copy()
    mistakes = 0
    for row, positive, rate in zip(rows, positives, rates):  # noqa: B905 numba's has no `strict`
        margin = 0.0
        for weight, x in zip(w, row):  # noqa: B905
            margin += weight * x
        if not margin <= near:
            continue
        if margin >= -near:
            rounding = 0.0
            for i in range(len(w)):
                if w[i] != 0.0:  # what rounding alone has left of a weight was cleared
                    rounding += (abs(w[i]) + reach[i]) * abs(row[i])
            blur = 0.0 if rounding <= exact else equal * rounding
            if margin > blur:
                continue
            if margin >= -blur and fires_at_zero and positive:
                continue
        for i in range(len(w)):
            changed = w[i] + rate * moves[i] * row[i]
            w[i] = 0.0 if abs(changed) <= left[i] else changed
        mistakes += 1
    return w, mistakes


class Visits:
    """Rows ready to be visited one by one, round after round, without their moments.

    There are two ways, with the same numbers: in plain loops, which is much sooner where there are
    many mistakes, and in blocks of rows, which is where there are few.
    """

    def __init__(
        self,
        X: Float,
        sign: Float,
        fires_at_zero: bool,
        moves: Float | None = None,
        reach: Float | None = None,
        equal: float = OF_TERMS,
        exact: Exact = ROUNDED,
    ) -> None:
        """X: (n, d); sign: (n,) ±1, 0 without a class; fires_at_zero: a score of 0 is the positive
        side; else it is wrong for both; moves: (d,) 1 for the weights that a mistake changes, 0 for
        those that stay; reach, exact: as in `settled_scores`, equal: its `share`.
        """
        self.X = X
        self.sign = sign
        self.fires_at_zero = fires_at_zero
        self.moves = np.ones(X.shape[1]) if moves is None else moves
        self.reach = np.zeros(X.shape[1]) if reach is None else reach
        self.equal = equal
        self.exact = exact
        self._signed = X * sign[:, None]
        self._largest = float(np.abs(X).max(initial=0.0))
        self._mistakes = X.shape[0]  # of the round before; of the first one it is not known

    def whole_round(self, order: Int, w: Float, rates: Float | float) -> tuple[Float, int]:
        """(weights after every example of `order` was visited, mistakes): each mistake adds rate ·
        sign · x to w (d,).

        rates: one of all the visits, or (n,) one of each
        """
        labelled = self.sign[order] != 0
        each = np.full(len(order), rates, np.float64)[labelled]
        order = order[labelled]
        size = order.size * w.size
        blocks_pay = self._mistakes * BLOCKS_PAY < size
        way = self._block_by_block if size > MOST or blocks_pay else self._row_by_row
        w, self._mistakes = way(order, w, each)
        return w, self._mistakes

    def _row_by_row(self, order: Int, w: Float, rates: Float) -> tuple[Float, int]:
        """In plain loops over numbers."""
        w, mistakes = round_of_rows(
            self._signed[order],
            self.sign[order] > 0,
            rates,
            w,
            self.moves,
            self.reach,
            LAST_DIGITS * self.reach,
            self._near(w, float(np.abs(rates).sum())),
            self.equal,
            self.exact.size,
            self.fires_at_zero,
        )
        return np.asarray(w, np.float64), mistakes

    def _block_by_block(self, order: Int, w: Float, rates: Float) -> tuple[Float, int]:
        """Up to the next mistake w stands still: the scores are computed together."""
        mistakes = 0
        place = self._next(order, 0, w)
        while place < len(order):
            i = order[place]
            change = rates[place] * self.sign[i] * self.moves * self.X[i]
            w = cleared(w + change, self.reach)
            mistakes += 1
            place = self._next(order, place + 1, w)
        return w, mistakes

    def _next(self, order: Int, start: int, w: Float) -> int:
        """The place of the next mistake in the order, from `start` on; its length without one."""
        return next_mistake(
            self.X,
            self.sign,
            order,
            start,
            w,
            self.fires_at_zero,
            self.reach,
            self.equal,
            self.exact,
        )

    def _near(self, w: Float, rates: float) -> float:
        """How far from 0 a margin may be a matter of rounding, whatever mistakes rates of this sum
        bring.
        """
        most = float(np.abs(w).sum()) + len(w) * self._largest * rates + float(self.reach.sum())
        return self.equal * self._largest * most
