"""The dual of the support vector machine, between two moves.

AIMA Eq 18.13, A73; choice of the pair: extension.

Maximise Σ α − ½ Σ Σ α α y y K under 0 ≤ α ≤ C and Σ α y = 0. With β = y α the pair (i, j) moves by
β[i] + t, β[j] − t. Each example requires a b of its own, b[k] = y[k] − Σ β K(x, x[k]): one that can
rise (β below its upper end) needs b ≥ b[k], one that can still fall needs b ≤ b[k]. The optimum is
reached where one b suits all.
"""

from math import inf
from typing import Any

from engine.algorithms.margins.svm.given import Machine
from engine.algorithms.margins.svm.kernel_rows import KernelRows
from engine.authoring import Float, Int, Record, Work, frozen, np
from engine.base.work import finished
from engine.numerics.closeness import LAST_DIGITS, OF_TERMS, settled
from engine.numerics.largest import largest

EPSILON = float(np.finfo(np.float64).eps)
TIE = 10 * OF_TERMS  # of a b that examples ask for, into which many moves are added up
EQUAL = OF_TERMS  # of gains
REFRESH = 5_000  # moves after which rounding is taken out of what the examples ask for
PARTNERS = 8


class Pair(Record):
    """Two examples: β[i] rises and β[j] falls by the same t.

    i, j: their rows
    first: which of them was chosen first
    asks: the b that i needs at least, and j at most
    best: the t that ends their disagreement, ∞ at one place
    room: the largest t that the box allows
    d2: the exact square of their lifted distance where `flat`, 0 at one place
    flat: K does not tell them apart
    """

    i: int
    j: int
    first: int
    asks: tuple[float, float]
    best: float
    room: float
    d2: float
    flat: bool

    @property
    def second(self) -> int:
        """The row that was chosen second, as partner."""
        return self.j if self.first == self.i else self.i

    @property
    def clipped(self) -> bool:
        """Whether a bound, 0 or C, stops the move."""
        return self.room < self.best

    @property
    def endless(self) -> bool:
        """Whether the pair could move for ever: K does not tell its rows apart, and no bound stops
        the move.
        """
        return self.flat and not self.clipped


def first(values: Float, least: float) -> int:
    """The index of the first value ≥ `least`: ties go to the first row."""
    return int((values >= least).argmax())


class Dual:
    """The multipliers as β = y α, and the bounds that each example sets to b; rows without a class
    never move.

    beta: (n,) in its box low … high
    least: (n,) the b that each requires where its β can rise, else −∞
    most: (n,) the b that each requires where its β can fall, else ∞
    moves: pairs so far
    turn: the row that was the last in turn
    rows: of the kernel matrix
    """

    def __init__(
        self,
        given: Machine[Any],
        alpha: Any = 0.0,
        moves: int = 0,
        wish: Any = None,
        turn: int = -1,
    ) -> None:
        C = given.p.C
        self.given = given
        self.sign = given.sign
        self.beta = np.where(alpha > 0, self.sign * alpha, 0.0)
        self.low = np.where(self.sign < 0, -C, 0.0)
        self.high = np.where(self.sign > 0, C, 0.0)
        self.moves = moves
        self.turn = turn
        self.rows = KernelRows(given.kernel, given.X)
        self.lengths = self.rows.lengths
        self.longest = float(self.lengths.max(initial=0.0))
        self._bounds = np.empty((2, given.problem.n))
        self.least, self.most = self._bounds
        if wish is None:
            finished(self.refresh())
        else:
            self.ask(wish)

    # -- moving ------------------------------------------------------------------------------------

    def move(self, i: int, j: int, t: float) -> Work[tuple[int, ...]]:
        """Moves β[i] by t, β[j] by −t and every b[k] by −t (K(i, k) − K(j, k)); returns the rows
        that reached a bound.
        """
        change = self.rows.of(i).copy()  # in whose place the other row may come
        change -= self.rows.of(j)
        self._bounds -= t * change
        ends = tuple(k for k, by in ((i, t), (j, -t)) if self._put(k, by))
        self.moves += 1
        if self.moves % REFRESH == 0:
            yield from self.refresh()
        return ends

    def _put(self, k: int, change: float) -> bool:
        """β[k] by `change`; a place next to an end of its range is the end.

        Whether it has come to one.
        """
        before = self.beta[k]
        low = self.low[k]
        high = self.high[k]
        wish = self.least[k] if before < high else self.most[k]
        value = before + change
        near = OF_TERMS * max(abs(before), abs(change))
        if value - low <= near:
            value = low
        elif high - value <= near:
            value = high
        self.beta[k] = value
        self.least[k] = wish if value < high else -inf
        self.most[k] = wish if value > low else inf
        return bool(value in (low, high))

    def refresh(self) -> Work[None]:
        """Recompute from β the b = y − Σ β K at which each example lies on its margin."""
        wish = np.array(self.sign, np.float64)
        for k in np.flatnonzero(self.beta).tolist():
            wish -= self.beta[k] * self.rows.of(k)
            yield
        self.ask(wish)

    def ask(self, wish: Float) -> None:
        """Set the bounds on b from `wish` (n,): a lower bound where β can rise, an upper one where
        it can fall.
        """
        self.least[:] = np.where(self.beta < self.high, wish, -inf)
        self.most[:] = np.where(self.beta > self.low, wish, inf)

    # -- where it stands ---------------------------------------------------------------------------

    @property
    def wish(self) -> Float:
        """(n,) b = y − Σ β K, with which the example would lie exactly on its margin; 0 without a
        class.
        """
        wish = np.where(self.beta < self.high, self.least, self.most)
        return np.where(self.sign == 0, 0.0, wish)

    @property
    def sums(self) -> Float:
        """(n,) Σ β K of each example: its score without b."""
        return np.asarray(self.sign - self.wish)

    def demands(self) -> tuple[float, float]:
        """(largest lower bound of b, smallest upper bound of b) over all examples."""
        return float(self.least.max()), float(self.most.min())

    def asking(self) -> tuple[int, ...]:
        """The rows that give these two bounds; a single one where it gives both."""
        low = first(self.least, float(self.least.max()) - TIE)
        high = first(-self.most, float((-self.most).max()) - TIE)
        return (low,) if low == high else (low, high)

    @property
    def size(self) -> float:
        """Σ α |F(x)|, the size of the terms of a score for a place of length 1."""
        return float(np.abs(self.beta) @ self.lengths)

    @property
    def squared_length(self) -> float:
        """|w|² = Σ Σ β β K."""
        return max(float(self.beta @ self.sums), 0.0)

    @property
    def objective(self) -> float:
        """Σ α − ½ |w|²."""
        return float(np.abs(self.beta).sum()) - self.squared_length / 2

    @property
    def blurred(self) -> bool:
        """Whether the rounding of the scores can exceed the tolerance for pairs."""
        return 4 * EPSILON * self.size * self.longest > float(self.given.p.tolerance)

    def sides(self, b: float) -> Int:
        """(n,) the signs of the scores with this b, 0 where only rounding keeps one from 0, and
        without a class.
        """
        sizes = 1.0 + self.size * self.lengths + abs(b)
        score = settled(self.sums + b, sizes, LAST_DIGITS)
        return frozen(np.sign(score * self.given.problem.labelled).astype(np.int8))

    # -- which pair --------------------------------------------------------------------------------

    def worst(self) -> int:
        """The example with the largest lower bound of b, the first of ties."""
        return first(self.least, float(self.least.max()) - TIE)

    @property
    def equally_wrong(self) -> int:
        """The number of examples that tie for the largest lower bound of b."""
        return int((self.least >= self.least.max() - TIE).sum())

    def next_in_turn(self) -> tuple[int, bool]:
        """(next example in table order that breaks its condition, whether its β rises)."""
        least, most = self.demands()
        too_low = self.least - most
        too_high = least - self.most
        rows = np.flatnonzero(np.maximum(too_low, too_high) > self.given.p.tolerance)
        k = int(rows[np.searchsorted(rows, self.turn + 1) % len(rows)])
        self.turn = k
        return k, bool(too_low[k] >= too_high[k])

    def gains(self, k: int, rises: bool) -> Float:
        """(n,) how much each would disagree with k about b, per distance: half its square is what
        the dual grows by if the two move to their best place. −∞ or negative: no partner.
        """
        apart: Float = self.least.item(k) - self.most if rises else self.least - self.most.item(k)
        apart *= self.rows.near(k)
        return apart

    def partner(self, k: int, rises: bool) -> int:
        """The example with which moving k gains the dual most, the first of ties. rises: whether
        β[k] rises
        """
        gains = self.gains(k, rises)
        return first(gains, float(gains.max()) * (1 - EQUAL))

    def partners(self, pair: Pair) -> tuple[tuple[tuple[int, float], ...], tuple[int, ...]]:
        """(((row, gain) of the best partners of the pair's first, its second included), the rows
        that tie for most).
        """
        gains = np.maximum(self.gains(pair.first, pair.first == pair.i), 0.0)
        # among as many zeros the largest are found five times as slowly
        able = np.flatnonzero(gains)
        rows = able[largest(gains[able], PARTNERS)].tolist()
        if pair.second not in rows:
            rows.append(pair.second)
        won = [gain * gain / 2 for gain in gains[rows].tolist()]
        least = max(won) * (1 - TIE)
        best = tuple(k for k, gain in enumerate(won) if gain >= least)
        return tuple(zip(rows, won, strict=True)), best
