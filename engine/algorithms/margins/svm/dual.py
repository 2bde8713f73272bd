"""The dual of the support vector machine, two multipliers at a time. AIMA Eq 18.13, A73; choice of the pair: extension.

Maximise Σ α − ½ Σ Σ α α y y K under 0 ≤ α ≤ C and Σ α y = 0. With β = y α the pair (i, j) moves by β[i] + t, β[j] − t.
Each example asks for a b of its own, b[k] = y[k] − Σ β K(x, x[k]): one that can still rise (β below its upper end) needs
b ≥ b[k], one that can still fall needs b ≤ b[k]. The optimum is reached where one b suits all.
"""

from math import inf
from typing import NamedTuple

from engine.authoring import Callable, EngineError, Float, Iterator, np
from engine.core.notation import row_name

EPSILON = float(np.finfo(np.float64).eps)
FLAT = 1e-12  # |F(x) − F(z)|² below this share of the scale: the same place
NEGATIVE = -1e-7
TINY = 1e-290
SNAP = 1e-12
EQUAL = 1e-12  # gains that differ by less, as a share, are equal
TIE = 1e-11  # examples that ask for a b this near to the largest are equally wrong
ROUNDED = 1e-14  # rounding of a score, as a share of its terms
PARTNERS = 8
SMALL = 200
ROOM = 2**24  # numbers of the kernel matrix that are kept
REFRESH = 5_000  # moves after which rounding is taken out of what the examples ask for


class Rows:
    """Rows of a kernel matrix with one over the distances in the lifted space, computed when asked for; the latest stay.
    rows(first, last) -> (last − first, n) gives K(x[first … last − 1], ·); of few examples all rows are asked for at once."""

    def __init__(self, rows: Callable[[int, int], Float], diagonal: Float) -> None:
        self._rows, self.diagonal = rows, diagonal
        self.scale = float(diagonal.max(initial=0.0))
        self._kept: dict[int, tuple[Float, Float]] = {}
        self._most = max(2, ROOM // max(1, 2 * len(diagonal)))
        self._at_once = len(diagonal) if len(diagonal) <= min(SMALL, self._most) else 1

    def __getitem__(self, i: int) -> tuple[Float, Float]:
        """(K(x[i], ·), 1 / |F(x[i]) − F(·)|)."""
        try:
            return self._kept[i]
        except KeyError:
            if len(self._kept) >= self._most:
                del self._kept[next(iter(self._kept))]
            first = 0 if self._at_once > 1 else i
            self._kept.update(enumerate(self._computed(first, first + self._at_once), first))
            return self._kept[i]

    def _computed(self, first: int, last: int) -> Iterator[tuple[Float, Float]]:
        rows = self._rows(first, last)
        apart = self.diagonal - 2 * rows
        apart += self.diagonal[first:last, None]
        if apart.min(initial=0.0) < NEGATIVE * self.scale:
            i, k = np.unravel_index(int(apart.argmin()), apart.shape)
            raise EngineError(
                f"This is not a kernel: K(x, x) + K(z, z) − 2 K(x, z) is negative for {row_name(first + int(i))} and "
                f"{row_name(int(k))}, but it has to be a squared length. The matrix of K must be positive semidefinite."
            )
        np.maximum(apart, max(FLAT * self.scale, TINY), out=apart)
        return zip(rows, np.reciprocal(np.sqrt(apart, out=apart), out=apart), strict=True)

    def flat(self, i: int, j: int) -> bool:
        """Whether the kernel puts both at the same place: |F(x[i]) − F(x[j])|² is next to 0."""
        return float(self.diagonal[i] + self.diagonal[j] - 2 * self[i][0][j]) <= FLAT * self.scale


class Pair(NamedTuple):
    """β[i] rises and β[j] falls by the same t. first: the one that was chosen first; asks: the b that i needs at least, and j
    at most; best: the t that ends their disagreement; room: the largest t that the box [0, C] allows."""

    i: int
    j: int
    first: int
    asks: tuple[float, float]
    best: float
    room: float

    @property
    def second(self) -> int:
        return self.j if self.first == self.i else self.i

    @property
    def violation(self) -> float:
        """By how much they disagree about b."""
        return self.asks[0] - self.asks[1]

    @property
    def clipped(self) -> bool:
        return self.room < self.best

    @property
    def t(self) -> float:
        return min(self.best, self.room)


Partners = tuple[tuple[int, float], ...]  # rows with their gains


def equal_gains(partners: Partners) -> tuple[int, ...]:
    """Which of the partners gain as much as the best one."""
    most = max(gain**2 / 2 for _, gain in partners)
    return tuple(k for k, (_, gain) in enumerate(partners) if gain**2 / 2 >= most * (1 - TIE))


def tied(partners: Partners) -> tuple[str, ...]:
    return ("tie",) if len(equal_gains(partners)) > 1 else ()


def settled(score: Float, sizes: Float) -> Float:
    """Scores whose terms have these sizes in all, exactly 0 where only rounding keeps them from being so."""
    return np.where(np.abs(score) <= ROUNDED * sizes, 0.0, score)


class Solver:
    """β (n,) in its box low … high. wish (n,) is the b that each example asks for; `least` has it where β can rise and
    −∞ elsewhere, `most` where β can fall and ∞ elsewhere. Rows without a class never move.

    A move is 7 to 9 calls of numpy over n numbers and about 6 µs of Python: 11 µs at n = 200, 14 µs at n = 2,000, where the
    compiled loop behind scikit-learn's SVC takes 0.2 and 2.7 µs. Leaving out examples that seem settled (shrinking) would
    be faster, but then the pair that is called the worst no longer is.

    lift (n,): where the linear kernel is taken from an origin o, x·o of each row; b is told as from 0.
    """

    def __init__(
        self, rows: Rows, sign: Float, C: float, tolerance: float, alpha: Float | None = None, lift: Float | None = None
    ) -> None:
        self.rows, self.sign, self.C, self.tolerance, self._lift = rows, sign, C, tolerance, lift
        self.beta = np.zeros(len(sign)) if alpha is None else sign * alpha
        self._low: list[float] = np.where(sign < 0, -C, 0.0).tolist()  # plain numbers: read one by one
        self._high: list[float] = np.where(sign > 0, C, 0.0).tolist()
        self.moves, self.turn = 0, -1
        self._demands = np.empty((2, len(sign)))
        self.least, self.most = self._demands
        self._work = np.empty(len(sign))
        self._roots = np.sqrt(np.maximum(rows.diagonal, 0.0))
        self.refresh()

    def refresh(self) -> None:
        """What the examples ask for, computed anew."""
        wish = np.array(self.sign, np.float64)
        for k in np.flatnonzero(self.beta).tolist():
            wish -= self.beta[k] * self.rows[k][0]
        self.least[:] = np.where(self.beta < self._high, wish, -inf)
        self.most[:] = np.where(self.beta > self._low, wish, inf)

    # -- where it stands -----------------------------------------------------------------------------------------------

    @property
    def alpha(self) -> Float:
        return np.abs(self.beta)

    @property
    def wish(self) -> Float:
        """(n,) b = y − Σ β K, with which the example would lie exactly on its margin; 0 without a class."""
        free = np.where(np.isfinite(self.least), self.least, self.most)
        return np.where(np.isfinite(free), free, 0.0)

    def demands(self) -> tuple[float, float]:
        """(largest b that is asked for at least, smallest b that is asked for at most)."""
        return float(self.least.max()), float(self.most.min())

    def asking(self) -> tuple[int, ...]:
        """The rows that make these two demands; one alone where it makes both."""
        return tuple(dict.fromkeys((int(self.least.argmax()), int(self.most.argmin()))))

    @property
    def _middle(self) -> float:
        """Midway between the two demands; 0 where only rounding keeps it from being so."""
        least, most = self.demands()
        middle = (least + most) / 2
        return middle if abs(middle) > ROUNDED * (1.0 + self._sizes * float(self._roots.max(initial=0.0))) else 0.0

    @property
    def shift(self) -> float:
        """w · o: how much more b is asked for than from 0."""
        return 0.0 if self._lift is None else float(self.beta @ self._lift)

    @property
    def b(self) -> float:
        return self._middle - self.shift

    @property
    def blurred(self) -> bool:
        """The rounding of the scores alone may be larger than what pairs may disagree by."""
        return 4 * EPSILON * self._sizes * float(self._roots.max(initial=0.0)) > self.tolerance

    @property
    def _sizes(self) -> float:
        """Σ α |F(x)|."""
        return float(np.abs(self.beta) @ self._roots)

    @property
    def violation(self) -> float:
        least, most = self.demands()
        return max(least - most, 0.0)

    @property
    def squared_length(self) -> float:
        """|w|² in the lifted space: Σ Σ β β K."""
        return max(float(self.beta @ (self.sign - self.wish)), 0.0)

    @property
    def objective(self) -> float:
        """The dual: Σ α − ½ |w|²."""
        return float(np.abs(self.beta).sum()) - self.squared_length / 2

    def scores(self) -> Float:
        """(n,) Σ β K + b of the labelled examples themselves, 0 where only rounding keeps it from being so."""
        b = self._middle
        return settled(self.sign - self.wish + b, 1.0 + self._sizes * self._roots + abs(b))

    @property
    def support(self) -> int:
        """How many multipliers are not 0."""
        return int(np.count_nonzero(self.beta))

    @property
    def equally_wrong(self) -> int:
        return int((self.least >= self.least.max() - TIE).sum())

    # -- which pair ----------------------------------------------------------------------------------------------------

    def worst(self) -> Pair | None:
        """The example that asks for most, with the partner that promises the largest gain; None: no pair disagrees."""
        i = int(self.least.argmax())
        if len(self.least) <= SMALL:  # the first of the equally wrong ones, whatever the rounding
            i = int((self.least >= self.least.item(i) - TIE).argmax())
        return self._with_partner(i, True)

    def next_in_turn(self) -> Pair | None:
        """The next example in table order that breaks its condition, with its best partner."""
        least, most = self.demands()
        too_low, too_high = self.least - most, least - self.most
        rows = np.flatnonzero(np.maximum(too_low, too_high) > self.tolerance)
        if not len(rows):
            return None
        i = self.turn = int(rows[np.searchsorted(rows, self.turn + 1) % len(rows)])
        return self._with_partner(i, bool(too_low[i] >= too_high[i]))

    def gains(self, i: int, rises: bool) -> Float:
        """(n,) how much each would disagree with i about b, per distance: half its square is what the dual grows by if
        the two move to their best place. −∞ or negative: no partner."""
        if rises:
            np.subtract(self.least.item(i), self.most, self._work)
        else:
            np.subtract(self.least, self.most.item(i), self._work)
        return np.multiply(self._work, self.rows[i][1], self._work)

    def _with_partner(self, i: int, rises: bool) -> Pair | None:
        gains, closeness = self.gains(i, rises), self.rows[i][1]
        j = int(gains.argmax())
        gain = gains.item(j)
        if len(gains) <= SMALL:  # where ties are seen, the first in the table wins whatever the rounding
            j = int((gains >= gain - EQUAL * abs(gain)).argmax())
            gain = gains.item(j)
        near = closeness.item(j)
        if gain <= self.tolerance * near and (gains / closeness).max() <= self.tolerance:
            return None
        up, down = (i, j) if rises else (j, i)
        least, most = self.least.item(up), self.most.item(down)
        room = min(self._high[up] - self.beta.item(up), self.beta.item(down) - self._low[down])
        return Pair(up, down, i, (least, most), (least - most) * near * near, room)

    def partners(self, pair: Pair) -> Partners:
        """The best partners of the first of a pair, the second among them."""
        gains = np.maximum(self.gains(pair.first, pair.first == pair.i), 0.0)
        best = np.argsort(-gains, kind="stable")[:PARTNERS].tolist()
        rows = [k for k in best if gains[k] > 0 or k == pair.second]
        return tuple((k, float(gains[k])) for k in (rows if pair.second in rows else [*rows, pair.second]))

    # -- the move ------------------------------------------------------------------------------------------------------

    def endless(self, pair: Pair) -> bool:
        """Two examples at one place, in different classes, without a bound: the dual grows for ever."""
        return pair.room == inf and self.rows.flat(pair.i, pair.j)

    def move(self, pair: Pair) -> tuple[int, ...]:
        """Move as far as the box allows; returns which of the two came to an end of its range."""
        t, work = min(pair.best, pair.room), self._work
        np.subtract(self.rows[pair.i][0], self.rows[pair.j][0], work)
        np.multiply(work, t, work)
        np.subtract(self._demands, work, self._demands)
        ends = (*self._shift(pair.i, t), *self._shift(pair.j, -t))
        self.moves += 1
        if self.moves % REFRESH == 0:
            self.refresh()
        return ends

    def _shift(self, k: int, change: float) -> tuple[int, ...]:
        """β[k] by `change`; a place next to an end of the range is the end."""
        before, low, high = self.beta.item(k), self._low[k], self._high[k]
        value, near = before + change, SNAP * max(abs(before), abs(change))
        if low < before < high and low + near < value < high - near:  # free before and after: both demands hold
            self.beta[k] = value
            return ()
        value = low if value - low <= near else high if high - value <= near else value
        wish = self.least.item(k) if before < high else self.most.item(k)
        self.beta[k] = value
        self.least[k] = wish if value < high else -inf
        self.most[k] = wish if value > low else inf
        return (k,) if value in (low, high) else ()
