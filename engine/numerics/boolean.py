"""Conjunctions over columns of few values: what they cover, which are uniform, Gray codes. MIT 2.2, AIMA 18.5.1."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from engine.core.arrays import Bool, Float, Int, frozen
from engine.core.dataset import Feature
from engine.core.grid import Grid
from engine.core.problem import Problem

Literal = tuple[int, float]  # column, value
Conjunction = tuple[Literal, ...]  # () is true everywhere
GRAY = {0: ("",), 1: ("0", "1"), 2: ("00", "01", "11", "10")}
NO_ROWS: Int = frozen(np.zeros(0, np.intp))
Classes = Callable[[Float], Int]  # the model: rows of stored values -> class indices


def domain(feature: Feature) -> tuple[float, ...]:
    """The stored values that a column can have; a column of numbers holds 0 and 1."""
    return (0.0, 1.0) if feature.numeric else tuple(float(v) for v in range(len(feature.categories)))


def to_values(features: tuple[Feature, ...], X: Float) -> Float:
    """X with every number taken to the nearer of 0 and 1, so that the plane between them has an answer."""
    numeric = [j for j, feature in enumerate(features) if feature.numeric]
    if not numeric:
        return X
    if len(numeric) == X.shape[1] and not np.isnan(X).any():
        return (X > 0.5).astype(np.float64)
    values = X.copy()
    column = X[:, numeric]
    values[:, numeric] = np.where(np.isnan(column), np.nan, column > 0.5)
    return values


def labels(features: tuple[Feature, ...], X: Float, classes: Classes) -> Int:
    """(m,) class indices of the rows X (m, d), numbers taken to 0 and 1; −1 where a value is missing."""
    return np.where(np.isnan(X).any(1), -1, classes(to_values(features, X)))


def squares(problem: Problem, grid: Grid, predict: Callable[[Float], Int]) -> Float:
    """(ny, nx) what `predict` says of rows (m, d) over the plane. Only the side of ½ counts, so four rows say it all."""
    ends = Grid(np.array([0.0, 1.0]), np.array([0.0, 1.0]))
    corners = predict(problem.from_plane(ends.points())).reshape(2, 2).astype(np.float64)
    return corners[np.ix_((grid.y > 0.5).astype(np.intp), (grid.x > 0.5).astype(np.intp))]


def wrong_rows(problem: Problem, classes: Classes) -> int:
    """How many examples get another class than their own; rows without a class do not count."""
    return int(((labels(problem.features, problem.X, classes) != problem.codes) & problem.labelled).sum())


def ones(columns: Iterable[int]) -> Conjunction:
    """The conjunction that asks for 1 in these columns."""
    return tuple((j, 1.0) for j in columns)


def covers(test: Conjunction, X: Float) -> Bool:
    """(m,) rows on which every literal of `test` holds."""
    held = np.ones(len(X), dtype=bool)
    for column, value in test:
        held &= X[:, column] == value
    return held


def twins(X: Float, codes: Int, rows: Int) -> tuple[int, int] | None:
    """Two of `rows` with the same values and different classes, the first there are; None when there are none."""
    seen: dict[bytes, int] = {}
    for i in rows.tolist():
        other = seen.setdefault((X[i] + 0.0).tobytes(), i)
        if codes[other] != codes[i]:
            return other, i
    return None


def any_covers(tests: Iterable[Conjunction], X: Float) -> Bool:
    """(m,) rows on which at least one of the conjunctions holds."""
    held = np.zeros(len(X), dtype=bool)
    for test in tests:
        held |= covers(test, X)
    return held


@dataclass(frozen=True, slots=True)
class Uniform:
    """A conjunction whose covered rows are all of one class, and how many they are."""

    test: Conjunction
    code: int
    count: int


class Literals:
    """All literals of a table with the rows on which they hold; finds the uniform conjunctions."""

    def __init__(self, features: tuple[Feature, ...], X: Float, codes: Int) -> None:
        self.literals = [(j, v) for j, feature in enumerate(features) for v in domain(feature)]
        self.columns = np.array([j for j, _ in self.literals])
        self.held = np.array([X[:, j] == v for j, v in self.literals], dtype=np.float64).reshape(-1, len(X))
        self.positive = np.asarray(codes == 0)

    def uniform(self, size: int, rows: Bool, least: int = 1) -> list[Uniform]:
        """The uniform conjunctions of `size` literals that cover at least `least` of `rows`, in column order.

        Every literal but the last two is taken in turn; the last two are counted for all pairs at once.
        """
        if size == 0:
            return self._whole(rows, least)
        found: list[Uniform] = []
        for prefix, left in self._prefixes(max(0, size - 2), rows, least):
            found += self._one(left, least) if size == 1 else self._pairs(prefix, left, least)
        return found

    def _whole(self, rows: Bool, least: int) -> list[Uniform]:
        positive = int((rows & self.positive).sum())
        total = int(rows.sum())
        if total < least or positive not in (0, total):
            return []
        return [Uniform((), 0 if positive else 1, total)]

    def _prefixes(self, size: int, rows: Bool, least: int) -> Iterator[tuple[tuple[int, ...], Bool]]:
        for chosen in combinations(range(len(self.literals)), size):
            if len({self.columns[i] for i in chosen}) == size:
                left = rows & self.held[list(chosen)].all(0) if chosen else rows
                if left.sum() >= least:
                    yield chosen, left

    def _one(self, rows: Bool, least: int) -> list[Uniform]:
        total, positive = self.held @ rows, self.held @ (rows & self.positive)
        good = np.flatnonzero((total >= least) & ((positive == 0) | (positive == total)))
        return [Uniform((self.literals[i],), 0 if positive[i] else 1, int(total[i])) for i in good]

    def _pairs(self, prefix: tuple[int, ...], rows: Bool, least: int) -> list[Uniform]:
        first = prefix[-1] + 1 if prefix else 0
        held = self.held[first:, rows]
        total = held @ held.T
        positive = held[:, self.positive[rows]] @ held[:, self.positive[rows]].T
        used = self.columns[list(prefix)] if prefix else np.zeros(0, np.intp)
        columns = self.columns[first:]
        good = (total >= least) & ((positive == 0) | (positive == total))
        good &= (columns[:, None] < columns[None, :]) & ~np.isin(columns, used)[:, None]
        head = tuple(self.literals[i] for i in prefix)
        return [
            Uniform(
                (*head, self.literals[first + i], self.literals[first + j]),
                0 if positive[i, j] else 1,
                int(total[i, j]),
            )
            for i, j in np.argwhere(good)
        ]


def best_uniform(table: Literals, rows: Bool, most: int, widest: bool) -> list[Uniform]:
    """Uniform conjunctions of at most `most` literals, best first.

    Not widest: only those of the smallest size that has any, by coverage. Widest: by coverage, then by size; of longer
    conjunctions only those that cover at least as much as the best shorter one. Ties keep the order of the columns.
    """
    found: list[Uniform] = []
    for size in range(most + 1):
        least = max((u.count for u in found), default=1)
        found += table.uniform(size, rows, least)
        if found and not widest:
            break
    return sorted(found, key=lambda u: (-u.count, len(u.test)))


def gray_runs(wanted: tuple[int | None, ...]) -> list[tuple[int, int]]:
    """[start, end) runs of Gray codes of `len(wanted)` bits that agree with the wanted bits (None: either)."""
    codes = GRAY[len(wanted)]
    held = [all(w is None or int(b) == w for b, w in zip(code, wanted, strict=True)) for code in codes]
    runs: list[tuple[int, int]] = []
    for k, ok in enumerate(held):
        if ok and runs and runs[-1][1] == k:
            runs[-1] = (runs[-1][0], k + 1)
        elif ok:
            runs.append((k, k + 1))
    return runs
