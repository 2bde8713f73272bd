"""Which examples a linear score gets wrong, the next one in an order, and whole rounds of them. MMDS 12.2.1, AIMA 18.6.3."""

from functools import cached_property
from typing import Any

import numpy as np

from engine.core.arrays import Float, Int

BLOCK, GROWTH = 64, 4
LEFT = 1e-14  # of what one mistake adds to a weight at most: all that rounding leaves of it
EQUAL = 1e-12  # rounding, as a share of Σ (|w_i| + reach_i) |x_i| over the weights that are not 0


def settled_scores(X: Float, w: Float, reach: Any = 0.0, equal: float = EQUAL) -> Any:
    """X @ w, and exactly 0 where only rounding keeps it from being so: 0.1 + 0.2 − 0.3 lies on the line. X (n, d) or (d,).

    reach: (d,) what one mistake adds to each weight at most. Weights are sums of such numbers, so their rounding is
    theirs, also where little is left of them; a weight of 0 has none.
    """
    score = X @ w
    return np.where(np.abs(score) <= equal * (np.abs(X) @ np.where(w == 0, 0.0, np.abs(w) + reach)), 0.0, score)


def reach_of(X: Float, rate: float) -> Float:
    """(d,) what one mistake among the rows X (n, d) adds to each weight at most."""
    return np.asarray(rate * np.abs(X).max(axis=0, initial=0.0))


class RoundEnds:
    """The weights at the ends of rounds, beginning with w after round `number`. reach: as in `settled_scores`."""

    def __init__(self, reach: Float, w: Float, number: int) -> None:
        self._reach = np.where(reach > 0, reach, 1.0)
        self._known: dict[bytes, tuple[Float, int]] = {}
        self.earlier(w, number)

    def earlier(self, w: Float, number: int) -> int | None:
        """The round that ended with these weights too, but for rounding; None for new ones. They end round `number`."""
        place = (np.round(w / self._reach, 9) + 0.0).tobytes()
        before, self._known[place] = self._known.get(place), (w, number)
        if before is None or (np.abs(w - before[0]) > EQUAL * np.maximum(self._reach, np.abs(w))).any():
            return None
        return before[1]


def cleared(w: Float, reach: Any) -> Float:
    """w without what is only left by rounding."""
    return np.where(np.abs(w) <= LEFT * reach, 0.0, w)


def wrong_side(score: Float, sign: Float, fires_at_zero: bool) -> Any:
    """(n,) True where the settled score's sign is not `sign` (±1; 0 = unlabelled, never wrong). A score of zero is the
    positive side when `fires_at_zero` (AIMA), else wrong for both (MMDS)."""
    if fires_at_zero:
        return ((score >= 0) != (sign > 0)) & (sign != 0)
    return (sign * score <= 0) & (sign != 0)


def count_wrong(X: Float, sign: Float, w: Float, fires_at_zero: bool, reach: Any = 0.0) -> int:
    """How many rows of X (n, d) the weights w (d,) get wrong."""
    return int(wrong_side(settled_scores(X, w, reach), sign, fires_at_zero).sum())


def next_mistake(
    X: Float, sign: Float, order: Int, at: int, w: Float, fires_at_zero: bool, reach: Any = 0.0, equal: float = EQUAL
) -> tuple[int, Float]:
    """(position in `order` of the first wrong example from `at` on, or its length; the scores of all up to its block)."""
    size, parts, begin = BLOCK, [], at
    while begin < len(order):
        rows = order[begin : begin + size]
        score = settled_scores(X[rows], w, reach, equal)
        parts.append(score)
        miss = wrong_side(score, sign[rows], fires_at_zero)
        if miss.any():
            return begin + int(miss.argmax()), np.concatenate(parts)
        begin += size
        size *= GROWTH
    return len(order), np.concatenate(parts) if parts else np.zeros(0)


class Visits:
    """Rows X (n, d) with `sign` (n,), ready to be visited one by one, again and again. moves: (d,) 1 for the weights that
    a mistake changes, 0 for those that stay; reach, equal: as in `settled_scores`."""

    def __init__(
        self,
        X: Float,
        sign: Float,
        fires_at_zero: bool,
        moves: Float | None = None,
        reach: Float | None = None,
        equal: float = EQUAL,
    ) -> None:
        self.X, self.sign, self.fires_at_zero, self.equal = X, sign, fires_at_zero, equal
        self.reach = np.zeros(X.shape[1]) if reach is None else reach
        self.moves = np.ones(X.shape[1]) if moves is None else moves
        self.in_numbers = X.shape[1] <= 3  # plain numbers then: an array per mistake takes far longer
        self._moves = (*self.moves.tolist(), 0.0, 0.0)[:3]
        self._reaches = (*self.reach.tolist(), 0.0, 0.0)[:3]
        self._signed = np.ascontiguousarray((X * sign[:, None]).T)
        self._unlabelled = int(np.count_nonzero(sign == 0))
        self._largest = float(np.abs(X).max(initial=0.0))
        self._order = np.zeros(0, np.intp)
        self._rows: list[tuple[Any, ...]] = []
        self._arranged: list[tuple[Any, ...]] = []

    def count_wrong(self, w: Float) -> int:
        """How many of the rows the weights w (d,) get wrong: `count_wrong`, with what stays the same done once."""
        margin, near = w @ self._signed, self.equal * self._largest * float((np.abs(w) + self.reach).sum())
        wrong = int(np.count_nonzero(margin < -near))
        if int(np.count_nonzero(margin <= near)) - self._unlabelled == wrong:
            return wrong
        return count_wrong(self.X, self.sign, w, self.fires_at_zero, self.reach)

    def whole_round(self, order: Int, w: Float, rates: Float | float) -> tuple[Float, int]:
        """(weights after every example of `order` was visited, mistakes): each mistake adds rate · sign · x to w (d,).

        rates: one of all the visits, or (n,) one of each
        """
        if self.in_numbers and isinstance(rates, (int, float)) and self._third is not None:
            return self._steady_round(self._visited(order, self._classed), w, rates, self._third)
        rates = np.broadcast_to(rates, len(order))
        if self.in_numbers:
            return self._round_in_numbers(self._visited(order, self._numbers), w, rates)
        at, mistakes = 0, 0
        while (miss := self._next(order, at, w)) < len(order):
            w = w + rates[miss] * self.sign[order[miss]] * self.moves * self.X[order[miss]]
            at, mistakes = miss + 1, mistakes + 1
        return w, mistakes

    def _next(self, order: Int, at: int, w: Float) -> int:
        return next_mistake(self.X, self.sign, order, at, w, self.fires_at_zero, self.reach, self.equal)[0]

    def _steady_round(self, rows: list[tuple[Any, ...]], w: Float, rate: float, third: float) -> tuple[Float, int]:
        """With one rate and a threshold, the least that Python can do for a visit: a sum, and which class it must beat.

        third: the last feature of all rows, 0 without one
        """
        mistakes = 0
        u, v, t = (*w.tolist(), 0.0, 0.0)[:3]
        a, b, c = (rate * move for move in self._moves)
        near, shift = self._near(w, rate * len(rows)), t * third
        least, least_other, edge = near - shift, near + shift, near + near
        for x, y, positive in rows:
            if (score := u * x + v * y) <= (least if positive else least_other):
                if score + edge >= (least if positive else least_other):
                    signed = third if positive else -third
                    if not self._wrong_at_edge((u, v, shift * third), (x, y, signed), positive):
                        continue
                u += a * x
                v += b * y
                if positive:
                    shift += c
                else:
                    shift -= c
                least = near - shift
                least_other = near + shift
                mistakes += 1
        return np.asarray([u, v, shift * third + 0.0][: len(w)]), mistakes  # never −0

    def _round_in_numbers(self, rows: list[tuple[Any, ...]], w: Float, rates: Float) -> tuple[Float, int]:
        mistakes = 0
        u, v, t = (*w.tolist(), 0.0, 0.0)[:3]
        a, b, c = self._moves
        near = self._near(w, float(np.abs(rates).sum()))
        for (x, y, z, side), rate in zip(rows, rates.tolist(), strict=True):
            margin = u * x + v * y + t * z
            if margin <= near and side:
                if margin >= -near and not self._wrong_at_edge((u, v, t), (x, y, z), side > 0):
                    continue
                u, v, t, mistakes = u + rate * a * x, v + rate * b * y, t + rate * c * z, mistakes + 1
        return np.asarray([u, v, t][: len(w)]), mistakes

    def _near(self, w: Float, rates: float) -> float:
        """Farther from 0 no margin is a matter of rounding, whatever mistakes rates of this sum bring."""
        most = float(np.abs(w).sum()) + 3 * self._largest * abs(rates) + float(self.reach.sum())
        return self.equal * self._largest * most

    def _wrong_at_edge(self, weights: tuple[float, ...], row: tuple[float, ...], positive: bool) -> bool:
        """Whether a signed row is a mistake whose margin is so near 0 that rounding may have made it."""
        margin = rounding = 0.0
        for w, more, x in zip(weights, self._reaches, row, strict=True):
            if abs(w) > LEFT * more:  # else nothing is left of it
                margin += w * x
                rounding += (abs(w) + more) * abs(x)
        if abs(margin) > self.equal * rounding:
            return margin < 0
        return not (self.fires_at_zero and positive)

    @cached_property
    def _third(self) -> float | None:
        """The last of three features where it is the same in all rows, as a threshold's is; 0 for fewer features."""
        if self.X.shape[1] < 3:
            return 0.0
        low, high = (float(f(self.X[:, 2], initial=self.X[0, 2])) for f in (np.min, np.max))
        return low if low == high and abs(low) == 1 else None

    @cached_property
    def _classed(self) -> list[tuple[Any, ...]]:
        """(x, y, whether it is positive) of each row, the features signed; () for an unlabelled one."""
        x, y = (*self._signed[:2].tolist(), [0.0] * len(self.sign))[:2]
        rows = list(zip(x, y, (self.sign > 0).tolist(), strict=True))
        return [row if side else () for row, side in zip(rows, self.sign, strict=True)] if self._unlabelled else rows

    @cached_property
    def _numbers(self) -> list[tuple[Any, ...]]:
        """(x, y, z, sign) of each row, the features signed."""
        padded = np.pad(self._signed, ((0, 3 - len(self._signed)), (0, 0)))
        return list(zip(*padded.tolist(), self.sign.tolist(), strict=True))

    def _visited(self, order: Int, rows: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
        """The labelled rows in this order; most rounds have the same one."""
        known = rows is self._rows and (order is self._order or np.array_equal(order, self._order))
        if not known:
            as_they_are = not self._unlabelled and np.array_equal(order, np.arange(len(rows)))
            self._rows, self._order = rows, order
            self._arranged = rows if as_they_are else [row for i in order.tolist() if (row := rows[i])]
        return self._arranged
