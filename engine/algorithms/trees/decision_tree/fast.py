"""Small nodes in plain numbers, where a numpy call takes longer than the examples. AIMA 18.3.3, 18.3.6.

For numeric columns without gaps, whole examples and information gain; other levels grow as on the page.
"""

from typing import Any

from engine.algorithms.trees.decision_tree.log import State
from engine.algorithms.trees.decision_tree.setting import Setting
from engine.algorithms.trees.parts.levels import Bud, Level, Test
from engine.algorithms.trees.parts.model import Why
from engine.algorithms.trees.parts.splits import TIE
from engine.authoring import Sequence, Work, np
from engine.core.sums import add_up
from engine.numerics.impurity import xlogx

MOST = 600  # values in all the columns at all the open nodes of a level
_MIXED = -1
Cut = tuple[
    float, float, int, Sequence[int]
]  # bits that the examples on either side need; below: how many, of each class


def tried(given: Setting, s: State, bud: Bud) -> None:
    """Nobody looks at the candidates."""


def branches(given: Setting, bud: Bud) -> Sequence[Any]:
    below = bud.branches()
    if isinstance(bud, SmallBud):
        return below
    level = bud.level.below
    if level.small is None:
        level.small = small_buds(level) if takes(level) else {}
    return [level.small.get(b.at, b) for b in below]


def takes(level: Level) -> bool:
    """Whether what is left to grow below the level is small and plain."""
    table, growth = level.table, level.growth
    plain = level.front.sample.weight is None and not table.gaps and not len(table.nominal)
    if not plain or growth.rule.importance != "gain" or growth.draws:
        return False
    return growth.stop not in ("nodes", "entropy") and 0 < level.opened.sample.orders.size <= MOST


def small_buds(level: Level) -> dict[int, "SmallBud"]:
    grower, front = Grower(level), level.opened
    columns, ends = front.sample.orders.tolist(), front.totals.sum(1).cumsum().tolist()
    at, rows = np.flatnonzero(level.front.state == Why.OPEN).tolist(), level.front.totals.tolist()
    parts = zip(at, [0, *ends], ends, strict=False)
    return {k: SmallBud(grower, rows[k], [c[i:j] for c in columns], front.depth) for k, i, j in parts}


class SmallBud(Bud):
    """entries: for each column the examples (entries of the first level), ascending by its value; found: the test of greatest
    gain; parted: how it parts them."""

    label: int
    tied: bool
    totals: Any
    found: Test | None
    parted: Cut | None

    __slots__ = ("depth", "entries", "found", "grower", "label", "most", "parted", "tied", "total", "totals")

    def __init__(self, grower: "Grower", totals: list[int], entries: Sequence[Sequence[int]], depth: int) -> None:
        self.grower, self.totals, self.entries, self.depth, self.number, self.bits = (
            grower,
            totals,
            entries,
            depth,
            0,
            -1.0,
        )
        self.total, self.most = add_up(totals), max(totals)
        self.label, self.tied = totals.index(self.most), totals.count(self.most) > 1
        self.why, self.found, self.parted = grower.why(self), None, None

    def weigh(self) -> Work[None]:
        self.grower.weigh(self)
        yield from ()

    @property
    def test(self) -> Test | None:
        return self.found if self.found and self.grower.goes_on(self.found) else None

    @property
    def verdict(self) -> Why:
        if self.why is not Why.OPEN:
            return self.why
        return Why.TEST if self.test else Why.STOPPED if self.found else Why.NO_TEST

    def branches(self) -> Sequence[Bud]:
        assert self.parted is not None and self.found is not None
        (_, _, size, low), (column, point, *_) = self.parted, self.found
        value, tested = self.grower.values[column], self.entries[column]
        counts = list(low), [here - part for here, part in zip(self.totals, low, strict=True)]
        below = [[r for r in rows if value[r] <= point] if rows is not tested else rows[:size] for rows in self.entries]
        above = [[r for r in rows if value[r] > point] if rows is not tested else rows[size:] for rows in self.entries]
        return [SmallBud(self.grower, *part, self.depth + 1) for part in zip(counts, (below, above), strict=True)]


class Grower:
    """What all the small nodes share. values, codes: the examples as lists; mixed: of each column, whether examples of different
    class share a value."""

    def __init__(self, level: Level) -> None:
        table, sample = level.table, level.opened.sample
        values, codes = table.numbers[:, sample.rows], table.codes[sample.rows]
        self.values, self.codes = values.tolist(), codes.tolist()
        self.growth, self.every = level.growth, level.growth.rule.every_midpoint
        self.xlogx = xlogx(np.arange(len(sample.rows) + 1)).tolist()
        ascending, classes = np.take_along_axis(values, sample.orders, axis=1), codes[sample.orders]
        twins = (ascending[:, 1:] == ascending[:, :-1]) & (classes[:, 1:] != classes[:, :-1])
        self.mixed = twins.any(axis=1).tolist()

    def goes_on(self, test: Test) -> bool:
        return self.growth.stop != "no-gain" or test.gain > self.growth.limit + TIE

    def why(self, bud: SmallBud) -> Why:
        """OPEN, or why a node is a leaf before any column is looked at."""
        growth = self.growth
        if bud.total == bud.most:
            return Why.PURE
        small = growth.stop == "size" and bud.total < growth.limit - TIE
        deep = growth.stop == "depth" and bud.depth >= growth.limit
        return Why.STOPPED if small or deep else Why.OPEN

    def weigh(self, bud: SmallBud) -> None:
        """Find the column of greatest gain, the first of equal ones; none where all examples agree in every column."""
        cuts = [
            self.best_cut(bud, column) if mixed or self.every else self.best_change(bud, column)
            for column, mixed in enumerate(self.mixed)
        ]
        t, total = self.xlogx, bud.total
        bits = t[total]
        for count in bud.totals:
            bits -= t[count]
        gains = [-1.0 if cut is None else max((bits - cut[0] - cut[1]) / total, 0.0) for cut in cuts]
        best = max(gains)
        if best < 0:
            return
        winners = [column for column, gain in enumerate(gains) if gain >= best - TIE]
        column = winners[0]
        bud.parted = cut = cuts[column]
        assert cut is not None
        value, rows = self.values[column], bud.entries[column]
        low, high = value[rows[cut[2] - 1]], value[rows[cut[2]]]
        middle = low + (high - low) / 2
        bud.found = Test(column, middle if middle < high else low, gains[column], len(winners))

    def best_change(self, bud: SmallBud, column: int) -> Cut | None:
        """`best_cut` where no value has examples of several classes: between neighbours of different class."""
        codes, t = self.codes, self.xlogx
        total, rows = bud.total, bud.entries[column]
        best, least, nearer = None, float("inf"), TIE * total
        below, above = [0] * len(bud.totals), list(bud.totals)
        begin, kind = 0, codes[rows[0]]  # of the run of equal classes
        for size, row in enumerate(rows):
            if codes[row] != kind:
                below[kind] += size - begin
                above[kind] -= size - begin
                begin, kind = size, codes[row]
                low, high = t[size], t[total - size]  # bits that the examples on either side need
                for part in below:
                    low -= t[part]
                for part in above:
                    high -= t[part]
                if low + high < least - nearer:
                    least = low + high
                    best = (low, high, size, tuple(below))
        return best

    def best_cut(self, bud: SmallBud, column: int) -> Cut | None:
        """The first of the best split points; None where all the examples agree in this column. AIMA 18.3.6.

        Between neighbours of different class, or between all that differ in value.
        """
        value, codes, every, t = self.values[column], self.codes, self.every, self.xlogx
        counts, total = bud.totals, bud.total
        best, least, nearer = None, float("inf"), TIE * total
        below = [0] * len(counts)
        begin, last, kind, judged = 0, float("nan"), _MIXED, True  # of the run of equal values
        for size, row in enumerate(bud.entries[column]):
            x, code = value[row], codes[row]
            place: int = 0
            passed: Sequence[int] = below
            if x != last:
                judged = code != kind or every
                if judged:
                    place = size
                begin, last, kind = size, x, code
            elif code != kind:
                if not judged:  # neighbours of one class at first sight, but not all the examples of this value are
                    place, passed = begin, [n - (size - begin) * (k == kind) for k, n in enumerate(below)]
                kind, judged = _MIXED, True
            if place:
                low, high = t[place], t[total - place]  # bits that the examples on either side need
                for here, part in zip(counts, passed, strict=True):
                    low -= t[part]
                    high -= t[here - part]
                if low + high < least - nearer:
                    least = low + high
                    best = (low, high, place, tuple(passed))
            below[code] += 1
        return best
