"""A tree whose candidates nobody looks at. The levels with few examples are grown in plain numbers: a level of numpy calls takes
0.2 ms however small it is, and without them the row "fit decision_tree, n = 200" comes to 3.3 times scikit-learn.

For numeric columns without gaps, whole examples and information gain. AIMA 18.3.3, 18.3.6.
"""

from itertools import accumulate, groupby

from engine.algorithms.trees.decision_tree.setting import Setting
from engine.algorithms.trees.parts.levels import Bud, Level, Test
from engine.algorithms.trees.parts.model import Why
from engine.algorithms.trees.parts.splits import TIE
from engine.authoring import Rng, Sequence, Work, cached_property, frozen, np
from engine.core.sums import add_up
from engine.numerics.impurity import xlogx

MOST = 600  # values in all the columns at all the open nodes of a level
_MIXED = -1
Rows = Sequence[int]  # examples
Cut = tuple[float, int, Rows]  # bits that the examples above need; below: how many, of each class


def planted(given: Setting, rng: Rng) -> Bud:
    return sprout(given.root(rng, Unwatched))


def sprout(bud: Bud) -> Bud:
    return Small.of(bud.level).buds[0] if takes(bud.level) else bud


class Unwatched(Level):
    watched = False

    @cached_property
    def below(self) -> Level:
        level: Level = vars(Level)["below"].func(self)
        return Small.of(level) if takes(level) else level


def takes(level: Level) -> bool:
    """Whether what is left to grow from the level on is small and plain."""
    table, growth = level.table, level.growth
    plain = level.front.sample.weight is None and not table.gaps and not len(table.nominal)
    if not plain or growth.rule.importance != "gain" or growth.draws:
        return False
    return growth.stop not in ("nodes", "entropy") and 0 < level.opened.sample.orders.size <= MOST


class Shared:
    """What the small levels of a tree share. values, codes: the examples as lists; mixed: of each column, whether examples of
    different class share a value."""

    def __init__(self, level: Level) -> None:
        sample = level.opened.sample
        values, codes = level.table.numbers[:, sample.rows], level.table.codes[sample.rows]
        self.growth, self.values, self.codes = level.growth, values.tolist(), codes.tolist()
        self.xlogx = xlogx(np.arange(len(sample.rows) + 1)).tolist()
        ascending, classes = np.take_along_axis(values, sample.orders, axis=1), codes[sample.orders]
        twins = (ascending[:, 1:] == ascending[:, :-1]) & (classes[:, 1:] != classes[:, :-1])
        self.mixed = twins.any(axis=1).tolist()


class Small(Level):
    """entries: of each node, for each column the examples ascending by its value."""

    watched = False

    def __init__(
        self, shared: Shared, depth: int, totals: Sequence[list[int]], entries: Sequence[Sequence[Rows]]
    ) -> None:
        self.shared, self.depth, self.buds, growth = shared, depth, [], shared.growth
        self.entered: list[tuple[list[int], Sequence[Rows]]] = []  # the open nodes
        for at, (counts, columns) in enumerate(zip(totals, entries, strict=True)):
            total, most = add_up(counts), max(counts)
            stopped = (growth.stop == "size" and total < growth.limit - TIE) or (
                growth.stop == "depth" and depth >= growth.limit
            )
            why = Why.PURE if total == most else Why.STOPPED if stopped else Why.OPEN
            label, tied = counts.index(most), counts.count(most) > 1
            self.buds.append(Bud(self, at, len(self.entered), why, counts, label, tied))
            if why is Why.OPEN:
                self.entered.append((counts, columns))
        self.rows = (
            frozen(totals, np.float64), frozen([b.label for b in self.buds], np.intp), frozen([b.tied for b in self.buds]),
        )  # fmt: skip

    @classmethod
    def of(cls, level: Level) -> "Small":
        orders, is_open = level.opened.sample.orders.tolist(), level.front.state == Why.OPEN
        ends = np.where(is_open, level.front.totals.sum(1), 0).cumsum().tolist()
        entries = [[rows[i:j] for rows in orders] for i, j in zip([0, *ends], ends, strict=False)]
        return cls(Shared(level), level.depth, level.front.totals.tolist(), entries)

    def weigh(self) -> Work[None]:
        yield from ()

    @cached_property
    def found(self) -> Sequence[tuple[Test, Cut] | None]:
        return [self._best(counts, columns) for counts, columns in self.entered]

    @cached_property
    def divides(self) -> list[bool]:
        return [found is not None for found in self.found]

    @cached_property
    def tests(self) -> Sequence[Test | None]:
        least = self.shared.growth.limit + TIE if self.shared.growth.stop == "no-gain" else -1.0
        return [found[0] if found and found[0].gain > least else None for found in self.found]

    @cached_property
    def branches(self) -> Sequence[tuple[int, int]]:
        ends = accumulate(2 * (test is not None) for test in self.tests)
        return [(end - 2, end) for end in ends]

    @cached_property
    def below(self) -> Level:
        totals, entries = [], []
        for (counts, columns), test, found in zip(self.entered, self.tests, self.found, strict=True):
            if test and found:
                value, point, (_, size, low) = self.shared.values[test.column], test.point, found[1]
                totals += [list(low), [here - part for here, part in zip(counts, low, strict=True)]]
                tested = columns[test.column]
                entries += [
                    [rows[:size] if rows is tested else [r for r in rows if value[r] <= point] for rows in columns],
                    [rows[size:] if rows is tested else [r for r in rows if value[r] > point] for rows in columns],
                ]
        return Small(self.shared, self.depth + 1, totals, entries)

    def _best(self, counts: Sequence[int], columns: Sequence[Rows]) -> tuple[Test, Cut] | None:
        """The column of greatest gain, the first of equal ones; None where all examples agree in every column."""
        cuts = [self._best_cut(counts, column, rows) for column, rows in enumerate(columns)]
        t, total = self.shared.xlogx, add_up(counts)
        bits = t[total]
        for count in counts:
            bits -= t[count]
        gains = [-1.0 if cut is None else max((bits - cut[0] - cut[1]) / total, 0.0) for cut in cuts]
        best = max(gains)
        winners = [column for column, gain in enumerate(gains) if gain >= best - TIE]
        column = winners[0]
        if (cut := cuts[column]) is None:
            return None
        rows, value = columns[column], self.shared.values[column]
        low, high = value[rows[cut[2] - 1]], value[rows[cut[2]]]
        middle = low + (high - low) / 2
        return Test(column, middle if middle < high else low, gains[column], len(winners)), cut[1:]

    def _best_cut(self, counts: Sequence[int], column: int, rows: Rows) -> tuple[float, float, int, Rows] | None:
        """The first of the best split points; None where all the examples agree in this column."""
        codes, t, total = self.shared.codes, self.shared.xlogx, len(rows)
        best, least, nearer = None, float("inf"), TIE * total
        below, begin = [0] * len(counts), 0
        for size in self._edges(column, rows):
            for row in rows[begin:size]:
                below[codes[row]] += 1
            begin, low, high = size, t[size], t[total - size]  # bits that the examples on either side need
            for here, part in zip(counts, below, strict=True):
                low -= t[part]
                high -= t[here - part]
            if low + high < least - nearer:
                least, best = low + high, (low, high, size, tuple(below))
        return best

    def _edges(self, column: int, rows: Rows) -> Rows:
        """Where the class changes, or runs of equal values of which one has several classes; or all runs. AIMA 18.3.6."""
        codes, every = self.shared.codes, self.shared.growth.rule.every_midpoint
        if not (every or self.shared.mixed[column]):
            kinds = [codes[row] for row in rows]
            return [size for size in range(1, len(rows)) if kinds[size] != kinds[size - 1]]
        runs = [list(run) for _, run in groupby(rows, self.shared.values[column].__getitem__)]
        ends = accumulate(map(len, runs))
        kinds = [codes[run[0]] if len({codes[row] for row in run}) == 1 else _MIXED for run in runs]
        return [end for end, a, b in zip(ends, kinds, kinds[1:], strict=False) if every or a != b or a == _MIXED]
