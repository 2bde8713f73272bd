"""The dual of the support vector machine, between two moves.

AIMA Eq 18.13, A73; choice of the pair: extension.

Maximise Σ α − ½ Σ Σ α α y y K under 0 ≤ α ≤ C and Σ α y = 0. With β = y α the pair (i, j) moves by
β[i] + t, β[j] − t. Each example asks for a b of its own, b[k] = y[k] − Σ β K(x, x[k]): one that can
rise (β below its upper end) needs b ≥ b[k], one that can still fall needs b ≤ b[k]. The optimum is
reached where one b suits all.
"""

from math import inf, sqrt
from typing import Any

from engine.algorithms.margins.svm.given import Machine
from engine.authoring import Float, Int, Record, Work, frozen, np
from engine.core.work import finished
from engine.numerics.largest import largest
from engine.numerics.closeness import LAST_DIGITS, OF_TERMS, settled

EPSILON = float(np.finfo(np.float64).eps)
TINY = 1e-290  # least |F(x) − F(z)|² that can be divided by
TIE = 10 * OF_TERMS  # of a b that examples ask for, into which many moves are added up
EQUAL = OF_TERMS  # of gains
REFRESH = 5_000  # moves after which rounding is taken out of what the examples ask for
PARTNERS = 8
SMALL = 200  # examples up to which all rows of the kernel matrix are computed at once
ROOM = 2**24  # numbers of the kernel matrix that are kept


class Pair(Record, eq=True):
    """β[i] rises and β[j] falls by the same t. first: who was chosen first; asks: the b that i
    needs at least, and j at most; best: the t that ends their disagreement, ∞ at one place; room:
    the largest the box allows; flat: K does not tell them apart; d2: then the exact square of their
    distance in the lifted space, 0 at one place.
    """

    i: int
    j: int
    first: int
    asks: tuple[float, float]
    best: float
    room: float
    d2: float
    flat: bool

    second = property(lambda pair: pair.j if pair.first == pair.i else pair.i)
    clipped = property(lambda pair: pair.room < pair.best)
    # K makes no difference between the two and the box does not end the move: it would go on for
    # ever
    endless = property(lambda pair: pair.flat and not pair.clipped)


def first(values: Float, least: float) -> int:
    """The first in the table that comes up to `least`: the rule for ties, whatever the rounding."""
    return int((values >= least).argmax())


def put(
    least: Float,
    most: Float,
    beta: Float,
    low: Float,
    high: Float,
    k: int,
    change: float,
) -> bool:
    """β[k] by `change`; a place next to an end of the range is the end.

    Whether it has come to one.
    """
    value = beta[k] + change
    near = OF_TERMS * max(abs(beta[k]), abs(change))
    value = low[k] if value - low[k] <= near else high[k] if high[k] - value <= near else value
    wish = least[k] if beta[k] < high[k] else most[k]
    beta[k], least[k], most[k] = (
        value,
        wish if value < high[k] else -inf,
        wish if value > low[k] else inf,
    )
    return bool(value == low[k] or value == high[k])


class Dual:
    """β (n,) in its box low … high; least (n,): the b that each asks for where its β can rise, else
    −∞; most (n,): where it can fall, else ∞. Rows without a class never move. moves: pairs so far;
    turn: who was the last in turn. Latest rows of the kernel matrix: K (m, n), near (m, n): 1 /
    |F(x[i]) − F(·)|, slot (n,): where one is, or −1.
    """

    def __init__(
        self,
        given: Machine[Any],
        alpha: Any = 0.0,
        moves: int = 0,
        wish: Any = None,
        turn: int = -1,
    ) -> None:
        self.given = given
        self.sign = given.sign
        C = given.p.C
        n = given.problem.n
        self.beta = np.where(alpha > 0, self.sign * alpha, 0.0)
        self.moves = moves
        self.turn = turn
        self.low, self.high = np.where(self.sign < 0, -C, 0.0), np.where(self.sign > 0, C, 0.0)
        self.diagonal = given.kernel.diagonal(given.X)
        self.flat = max(OF_TERMS * float(self.diagonal.max(initial=0.0)), TINY)
        self.closest = 1 / sqrt(self.flat)
        self.lengths = np.sqrt(self.diagonal)
        self.longest = float(self.lengths.max(initial=0.0))
        self.K, self.near = np.empty((2, min(n, max(2, ROOM // (2 * n))), n))
        self.slot = np.full(n, -1, np.int64)
        self._made = 0
        self.least, self.most = self.asked = np.empty((2, n))
        self.box: Any = self.least, self.most, self.beta, self.low, self.high
        self.ask(wish) if wish is not None else finished(self.refresh())

    def row(self, i: int) -> int:
        """Where K(x[i], ·) and its near are, computed when they are asked for."""
        if self.slot.item(i) < 0:
            all_at_once = len(self.K) == len(self.slot) <= SMALL
            self._make(*(0, len(self.slot)) if all_at_once else (i, i + 1))
        return int(self.slot.item(i))

    def _make(self, i: int, end: int) -> None:
        at = self._made % len(self.K)
        place = slice(at, at + end - i)
        if self._made >= len(self.K):
            self.slot[self.slot == at] = -1
        self.slot[i:end], self._made = np.arange(at, place.stop), self._made + end - i
        self.K[place] = self.given.kernel.matrix(self.given.X[i:end], self.given.X)
        near = np.multiply(self.K[place], -2.0, out=self.near[place])
        near += self.diagonal
        near += self.diagonal[i:end, None]
        np.reciprocal(np.sqrt(np.maximum(near, self.flat, out=near), out=near), out=near)

    def refresh(self) -> Work[None]:
        """What the examples ask for, computed anew."""
        wish = np.array(self.sign, np.float64)
        for k in np.flatnonzero(self.beta).tolist():
            wish -= self.beta[k] * self.K[self.row(k)]
            yield
        self.ask(wish)

    def ask(self, wish: Float) -> None:
        self.least[:] = np.where(self.beta < self.high, wish, -inf)
        self.most[:] = np.where(self.beta > self.low, wish, inf)

    def move(self, i: int, j: int, t: float) -> Work[tuple[int, ...]]:
        """β[i] by t, β[j] by −t, and b[k] by −t (K(i, k) − K(j, k)).

        Which of the two came to an end of its range.
        """
        change = self.K[self.row(i)].copy()  # in whose place the other row may come
        change -= self.K[self.row(j)]
        self.asked -= t * change
        ends = tuple(k for k, by in ((i, t), (j, -t)) if put(*(*self.box, k, by)))
        self.moves += 1
        if self.moves % REFRESH == 0:
            yield from self.refresh()
        return ends

    # -- where it stands ---------------------------------------------------------------------------

    @property
    def wish(self) -> Float:
        """(n,) b = y − Σ β K, with which the example would lie exactly on its margin; 0 without a
        class.
        """
        return np.asarray(
            np.where(self.sign == 0, 0.0, np.where(self.beta < self.high, self.least, self.most))
        )

    def demands(self) -> tuple[float, float]:
        """(largest b that is asked for at least, smallest b that is asked for at most)."""
        return float(self.least.max()), float(self.most.min())

    def asking(self) -> tuple[int, ...]:
        """The rows that make these two demands; one alone where it makes both."""
        return tuple(
            dict.fromkeys(first(wish, float(wish.max()) - TIE) for wish in (self.least, -self.most))
        )

    def numbers(self, b: float) -> tuple[float, int, int, Int, int]:
        """The objective, Σ α − ½ |w|²; the wrong rows, where the score with this b is 0 but for
        rounding or of the other class; the multipliers that are not 0; the signs of the scores of
        rows with a class; the moves.
        """
        mine = self.sign - self.wish  # Σ β K
        score = settled(mine + b, 1.0 + self.size * self.lengths + abs(b), LAST_DIGITS)
        sides = np.sign(score * self.given.problem.labelled).astype(np.int8)
        wrong = np.count_nonzero((self.sign * sides <= 0) & self.given.problem.labelled)
        objective = float(np.abs(self.beta).sum()) - max(float(self.beta @ mine), 0.0) / 2
        return objective, int(wrong), int(np.count_nonzero(self.beta)), frozen(sides), self.moves

    equally_wrong = property(lambda dual: int((dual.least >= dual.least.max() - TIE).sum()))
    size = property(lambda dual: float(np.abs(dual.beta) @ dual.lengths))  # Σ α |F(x)|
    # |w|²: Σ Σ β β K
    squared_length = property(lambda dual: max(float(dual.beta @ (dual.sign - dual.wish)), 0.0))

    # the rounding of the scores alone may be larger than what pairs may disagree by
    blurred = property(
        lambda dual: bool(4 * EPSILON * dual.size * dual.longest > dual.given.p.tolerance)
    )

    # -- which pair --------------------------------------------------------------------------------

    def gains(self, k: int, rises: bool) -> Float:
        """(n,) how much each would disagree with k about b, per distance: half its square is what
        the dual grows by if the two move to their best place. −∞ or negative: no partner.
        """
        apart: Float = self.least.item(k) - self.most if rises else self.least - self.most.item(k)
        apart *= self.near[self.row(k)]
        return apart

    def next_in_turn(self) -> tuple[int, bool]:
        """The next example in table order that breaks its condition, and whether it rises."""
        least, most = self.demands()
        too_low = self.least - most
        too_high = least - self.most
        rows = np.flatnonzero(np.maximum(too_low, too_high) > self.given.p.tolerance)
        k = self.turn = int(rows[np.searchsorted(rows, self.turn + 1) % len(rows)])
        return k, bool(too_low[k] >= too_high[k])

    def partners(self, pair: Pair) -> tuple[tuple[tuple[int, float], ...], tuple[int, ...]]:
        """The best partners of the first of a pair, and what each gains, the second among them;
        which gain most.
        """
        gains = np.maximum(self.gains(pair.first, pair.first == pair.i), 0.0)
        # among as many zeros the largest are found five times as slowly
        able = np.flatnonzero(gains)
        rows = able[largest(gains[able], PARTNERS)].tolist()
        rows += [pair.second] * (pair.second not in rows)
        won = [gain * gain / 2 for gain in gains[rows].tolist()]
        least = max(won) * (1 - TIE)
        return tuple(zip(rows, won, strict=True)), tuple(
            k for k, gain in enumerate(won) if gain >= least
        )
