"""G: the widest hypotheses of a version space.

They hold between their borders, which they do not reach. ML 7.5.2.
"""

from typing import Any

from engine.algorithms.rules.parts.boxes import Box, Boxed
from engine.authoring import Bool, Float, Record, frozen, np
from engine.core.work import Work

_CELLS = 1 << 20  # borders compared at a time
Cuts = tuple[Float, Float]  # low and high borders (k, d) of k hypotheses


class General(Record):
    """low, high (g, d): ±∞ where nothing is asked; the value v of a column of words lies between v
    − ½ and v + ½.
    """

    low: Float
    high: Float

    def __len__(self) -> int:
        return len(self.low)

    def __getitem__(self, which: slice | Bool) -> "General":
        return General(frozen(self.low[which]), frozen(self.high[which]))

    def box(self, k: int) -> Box:
        """Number k; its borders do not belong to it."""
        return Box(self.low[k], self.high[k])

    def covers(self, x: Float) -> Bool:
        """(g,) which of them hold at a row x (d,)."""
        return np.asarray(((self.low < x) & (x < self.high)).all(axis=1))

    def any_covers(self, X: Float) -> Bool:
        """(m,) rows of X (m, d) at which at least one holds."""
        held = np.zeros(len(X), dtype=bool)
        for low, high in zip(self.low, self.high, strict=True):
            held |= ((low < X) & (high > X)).all(axis=1)
        return held

    def cut(self, x: Float, S: Box, limit: int, words: Bool, most: Float) -> Work["General | None"]:
        """The widest hypotheses below these that do not hold at x and hold wherever S does; None
        when they are more than `limit`. Those that do not hold at x stay, before the new ones.
        words, most (d,): see Boxed.
        """
        holds = self.covers(x)
        kept, hit = self[~holds], self[holds]
        found = [(kept.low, kept.high)]
        count = len(kept)
        for j in range(len(x)):
            for low, high in _sides(j, x, S, words, most):
                new = yield from _widest(hit, j, low, high, kept)
                found.append(new)
                count += len(new[0])
                if count > limit:
                    return None
        return General(*(frozen(np.concatenate(part)) for part in zip(*found, strict=True)))


def everything(d: int) -> General:
    """The hypothesis that asks nothing."""
    return General(frozen(np.full((1, d), -np.inf)), frozen(np.full((1, d), np.inf)))


def between(given: Boxed[Any], S: Box, G: General, chance: Float) -> Box:
    """A hypothesis that holds where S does and only where one of G does.

    `chance` says which one, and how far every border of S moves towards it, at most to the end of
    the table; of words, whether their value is asked for where it need not be.
    """
    if S.empty:
        return S
    d = len(S.low)
    k = int(chance[-1] * len(G))
    low = np.minimum(given.X.min(axis=0), S.low)
    high = np.maximum(given.X.max(axis=0), S.high)
    low = np.maximum(G.low[k], low)
    high = np.minimum(G.high[k], high)
    free = np.isinf(G.low[k]) & (chance[:d] >= 0.5)
    low = np.where(
        given.words, np.where(free, given.least, S.low), S.low + chance[:d] * (low - S.low)
    )
    high = np.where(
        given.words, np.where(free, given.most, S.high), S.high + chance[d:-1] * (high - S.high)
    )
    return Box(frozen(low), frozen(high))


def _sides(j: int, x: Float, S: Box, words: Bool, most: Float) -> list[tuple[float, float]]:
    """The intervals of column j without the value of x that S allows: below and above it, of words
    every other one.
    """
    if words[j]:
        values = (
            range(int(most[j]) + 1)
            if S.low[j] > S.high[j]
            else range(int(S.low[j]), int(S.low[j]) + 1)
        )
        return [(v - 0.5, v + 0.5) for v in values if v != x[j] and not S.low[j] < S.high[j]]
    below = [(-np.inf, float(x[j]))] if S.high[j] < x[j] else []
    return below + ([(float(x[j]), np.inf)] if S.low[j] > x[j] else [])


def _widest(hit: General, j: int, low: float, high: float, kept: General) -> Work[Cuts]:
    """Those of `hit` cut down to an interval in column j that lie in no other of them so cut, and
    in none of `kept`. What was cut in another column, or at its other side, holds at x in this one,
    so it needs no look.
    """
    lows, highs = hit.low.copy(), hit.high.copy()
    lows[:, j], highs[:, j] = np.maximum(lows[:, j], low), np.minimum(highs[:, j], high)
    some = lows[:, j] < highs[:, j]  # of words one may ask for another value already
    lows = lows[some]
    highs = highs[some]
    rivals = np.concatenate([lows, kept.low]), np.concatenate([highs, kept.high])
    widest = np.ones(len(lows), dtype=bool)
    size = max(1, _CELLS // max(1, rivals[0].size))
    for at in range(0, len(lows), size):
        part = slice(at, at + size)
        inside = (rivals[0] <= lows[part, None]).all(axis=2) & (rivals[1] >= highs[part, None]).all(
            axis=2
        )
        own = np.arange(len(lows))[part, None]
        among = np.arange(len(rivals[0]))
        equal = (
            inside
            & (rivals[0] == lows[part, None]).all(axis=2)
            & (rivals[1] == highs[part, None]).all(axis=2)
        )
        first = (among < own) | (among >= len(lows))
        widest[part] = ~(inside & (among != own) & (~equal | first)).any(axis=1)
        yield
    return lows[widest], highs[widest]
