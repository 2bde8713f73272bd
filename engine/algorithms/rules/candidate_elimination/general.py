"""G: the widest hypotheses of a version space.

They hold between their borders, which they do not reach. ML 7.5.2.
"""

from collections.abc import Sequence
from typing import Any

from engine.algorithms.rules.parts.boxes import Box, Boxed
from engine.authoring import Bool, Float, Record, frozen, np
from engine.base.work import Work

_CELLS = 1 << 20  # borders compared at a time


class General(Record):
    """g hypotheses as open boxes; a value v of a column of words lies between the borders v − ½ and
    v + ½.

    low, high: (g, d) the borders, ±∞ where nothing is required
    """

    low: Float
    high: Float

    def __len__(self) -> int:
        return len(self.low)

    def __getitem__(self, which: slice | Bool) -> "General":
        return General(frozen(self.low[which]), frozen(self.high[which]))

    def box(self, k: int) -> Box:
        """Hypothesis k as a box whose borders are excluded."""
        return Box(self.low[k], self.high[k])

    def covers(self, x: Float) -> Bool:
        """(g,) which hypotheses hold at a row x (d,)."""
        return np.asarray(((self.low < x) & (x < self.high)).all(axis=1))

    def any_covers(self, X: Float) -> Bool:
        """(m,) rows of X (m, d) at which at least one holds."""
        covered = np.zeros(len(X), dtype=bool)
        for low, high in zip(self.low, self.high, strict=True):
            covered |= ((low < X) & (high > X)).all(axis=1)
        return covered

    def within(self, j: int, low: float, high: float) -> "General":
        """The hypotheses that overlap the range low … high of column j, each cut down to it."""
        lows = self.low.copy()
        highs = self.high.copy()
        lows[:, j] = np.maximum(lows[:, j], low)
        highs[:, j] = np.minimum(highs[:, j], high)
        some = lows[:, j] < highs[:, j]  # of words one may ask for another value already
        return General(lows, highs)[some]


def together(parts: Sequence[General]) -> General:
    """The hypotheses of all parts in one `General`."""
    lows = np.concatenate([part.low for part in parts])
    highs = np.concatenate([part.high for part in parts])
    return General(frozen(lows), frozen(highs))


def widest(narrower: General, kept: General) -> Work[General]:
    """Those of `narrower` that lie in no other of them and in none of `kept`; of tied ones one.

    All of `narrower` are cut at the same side of the same column. What was cut in another column,
    or at the other side, holds at the example in this one: there is no need to compare with that.
    """
    m = len(narrower)
    rivals = together([narrower, kept])
    number = np.arange(len(rivals))
    found = np.ones(m, dtype=bool)
    size = max(1, _CELLS // max(1, rivals.low.size))
    for begin in range(0, m, size):
        own = np.arange(begin, min(begin + size, m))[:, None]
        low = narrower.low[own]  # (size, 1, d)
        high = narrower.high[own]
        inside = (rivals.low <= low).all(axis=2) & (rivals.high >= high).all(axis=2)
        equal = (rivals.low == low).all(axis=2) & (rivals.high == high).all(axis=2)
        first = (number < own) | (number >= m)  # of tied ones the first stays, or that of `kept`
        others = inside & (number != own) & (~equal | first)
        found[own[:, 0]] = ~others.any(axis=1)
        yield
    return narrower[found]


def between(given: Boxed[Any], S: Box, G: General, chance: Float) -> Box:
    """A hypothesis that holds where S does and only where one of G does.

    chance (2 d + 1,): the last says which of G; the others how far every border of S moves towards
    it, at most to the end of the table; of words, whether their value is required where it need
    not be.
    """
    if S.empty:
        return S
    d = len(S.low)
    k = int(chance[-1] * len(G))
    low_share = chance[:d]
    high_share = chance[d:-1]
    lowest = np.maximum(G.low[k], np.minimum(given.X.min(axis=0), S.low))
    highest = np.minimum(G.high[k], np.maximum(given.X.max(axis=0), S.high))
    low = S.low + low_share * (lowest - S.low)
    high = S.high + high_share * (highest - S.high)
    free = np.isinf(G.low[k]) & (low_share >= 0.5)
    low = np.where(given.words, np.where(free, given.least, S.low), low)
    high = np.where(given.words, np.where(free, given.most, S.high), high)
    return Box(frozen(low), frozen(high))
