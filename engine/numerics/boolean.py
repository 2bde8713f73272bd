"""Conjunctions over columns of few values: what they cover, which are uniform, Gray codes.

MIT 2.2, AIMA 18.5.1.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import overload

import numpy as np
from numpy.typing import NDArray

from engine.base.arrays import Bool, Float, Int, frozen
from engine.base.grid import Grid
from engine.base.records import Record
from engine.base.work import Work
from engine.table.dataset import Feature
from engine.table.problem import Problem

Literal = tuple[int, float]  # column, value
Conjunction = tuple[Literal, ...]  # () is true everywhere
GRAY = {0: ("",), 1: ("0", "1"), 2: ("00", "01", "11", "10")}
NO_ROWS: Int = frozen(np.zeros(0, np.intp))
Words = NDArray[np.uint64]
CELLS = 1 << 17  # pairs tried, or words read, at a time
Classes = Callable[[Float], Int]  # the model: rows of stored values -> class indices


def domain(feature: Feature) -> tuple[float, ...]:
    """The stored values that a column can have; a column of numbers holds 0 and 1."""
    return (
        (0.0, 1.0) if feature.numeric else tuple(float(v) for v in range(len(feature.categories)))
    )


def to_values(features: tuple[Feature, ...], X: Float) -> Float:
    """(m, d) rows X with every number rounded to the nearer of 0 and 1, so that places between them
    have an answer.
    """
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
    """(m,) class indices of the rows X (m, d), numbers taken to 0 and 1; −1 where a value is
    missing.
    """
    return np.where(np.isnan(X).any(1), -1, classes(to_values(features, X)))


def squares(problem: Problem, grid: Grid, predict: Callable[[Float], Int]) -> Float:
    """(ny, nx) what `predict` says of rows (m, d) over the plane.

    Only the side of ½ counts, so four rows say it all.
    """
    ends = Grid(np.array([0.0, 1.0]), np.array([0.0, 1.0]))
    corners = predict(problem.from_plane(ends.points())).reshape(2, 2).astype(np.float64)
    return corners[np.ix_((grid.y > 0.5).astype(np.intp), (grid.x > 0.5).astype(np.intp))]


def ones(columns: Iterable[int]) -> Conjunction:
    """The conjunction that requires 1 in these columns."""
    return tuple((j, 1.0) for j in columns)


def covers(test: Conjunction, X: Float) -> Bool:
    """(m,) rows on which every literal of `test` holds."""
    covered = np.ones(len(X), dtype=bool)
    for column, value in test:
        covered &= X[:, column] == value
    return covered


def twins(X: Float, codes: Int, rows: Int) -> tuple[int, int] | None:
    """The first two of `rows` with equal values and different classes; None where there are
    none.
    """
    seen: dict[bytes, int] = {}
    for i in rows.tolist():
        other = seen.setdefault((X[i] + 0.0).tobytes(), i)
        if codes[other] != codes[i]:
            return other, i
    return None


def any_covers(tests: Iterable[Conjunction], X: Float) -> Bool:
    """(m,) rows on which at least one of the conjunctions holds."""
    covered = np.zeros(len(X), dtype=bool)
    for test in tests:
        covered |= covers(test, X)
    return covered


class Uniform(Record, eq=True):
    """A conjunction whose covered rows are all of one class, and their number."""

    test: Conjunction
    code: int
    count: int


class Batch(Record, eq=True):
    """Conjunctions of one size, each of a single class.

    literals: (m, size) indices of their literals, ascending
    code, count: (m,) class and number of the covered rows
    """

    literals: Int
    code: Int
    count: Int


class Uniforms(Sequence[Uniform]):
    """Uniform conjunctions, those that cover most first, equal ones in the order of the batches;
    each is made on access. ties: how many cover as many as the first.
    """

    def __init__(self, literals: Sequence[Literal], batches: Sequence[Batch]) -> None:
        counts = np.concatenate([np.zeros(0, np.intp), *(batch.count for batch in batches)])
        self._literals, self._batches = literals, batches
        self._ends = np.cumsum([len(batch.count) for batch in batches])
        self._order = np.argsort(-counts, kind="stable")
        self.ties = int((counts == counts.max(initial=0)).sum())

    def __len__(self) -> int:
        return len(self._order)

    @overload
    def __getitem__(self, at: int) -> Uniform: ...
    @overload
    def __getitem__(self, at: slice) -> list[Uniform]: ...
    def __getitem__(self, at: int | slice) -> Uniform | list[Uniform]:
        return (
            [self._made(i) for i in self._order[at]]
            if isinstance(at, slice)
            else self._made(self._order[at])
        )

    def _made(self, place: int) -> Uniform:
        k = int(np.searchsorted(self._ends, place, side="right"))
        batch, i = self._batches[k], place - self._ends[k]  # counted from the batch's end
        return Uniform(
            tuple(self._literals[j] for j in batch.literals[i]),
            int(batch.code[i]),
            int(batch.count[i]),
        )


class Literals:
    """All literals of a table with the rows on which they hold; finds the uniform conjunctions.

    Rows are bits, 64 to a word: those of the first class in the words before `cut`, the others
    behind.
    """

    def __init__(self, features: tuple[Feature, ...], X: Float, codes: Int) -> None:
        self.literals = [(j, v) for j, feature in enumerate(features) for v in domain(feature)]
        self.covered = np.array([X[:, j] == v for j, v in self.literals], dtype=bool).reshape(
            -1, len(X)
        )
        self.positive = np.asarray(codes == 0)
        columns = np.array([j for j, _ in self.literals], np.intp)
        self.columns = columns
        self.behind = np.searchsorted(columns, columns, side="right")

    def uniform(self, size: int, rows: Bool, least: int = 1) -> Work[list[Batch]]:
        """The uniform conjunctions of `size` literals that cover at least `least` ≥ 1 of `rows`, in
        column order.

        Every literal but the last two is taken in turn; the last two are tried for all pairs at
        once.
        """
        covered = self.covered if size else np.ones((1, len(rows)), dtype=bool)
        parts = [
            _words(covered[:, rows & of_class]) for of_class in (self.positive, ~self.positive)
        ]
        bits = np.hstack(parts)
        cut = parts[0].shape[1]
        if size < 2:
            return [
                _uniform(np.arange(size * len(bits)).reshape(len(bits), size), bits, cut, least)
            ]
        found: list[Batch] = []
        for prefix, covered in self._prefixes(size - 2, (), bits, bits, least):
            found += yield from self._pairs(prefix, covered, cut, least)
        return found

    def _prefixes(
        self, size: int, prefix: tuple[int, ...], bits: Words, covered: Words, least: int
    ) -> Iterator[tuple[tuple[int, ...], Words]]:
        """(literals, what they and each literal behind them cover) for `size` more literals than
        `prefix`.
        """
        if not size:
            yield prefix, covered
            return
        first = len(bits) - len(covered)
        for i in np.flatnonzero(_count(covered) >= least).tolist():
            behind = int(self.behind[first + i])
            further = covered[i] & bits[behind:]
            yield from self._prefixes(size - 1, (*prefix, first + i), bits, further, least)

    def _pairs(
        self, prefix: tuple[int, ...], covered: Words, cut: int, least: int
    ) -> Work[list[Batch]]:
        """Most pairs cover rows of both classes in the first word of each already; only the others
        are counted.
        """
        able = np.flatnonzero(_count(covered) >= least)
        covered, literal = covered[able], able + len(self.literals) - len(covered)
        step = max(1, CELLS // max(1, len(able)))
        found = list[Batch]()
        for at in range(0, len(able), step):
            here, other = covered[at : at + step, None], covered[None, at:]
            i, j = (
                ((here[..., 0] & other[..., 0]) == 0) | ((here[..., cut] & other[..., cut]) == 0)
            ).nonzero()
            apart = self.columns[literal[at + i]] < self.columns[literal[at + j]]
            i = at + i[apart]
            j = at + j[apart]
            many = max(1, CELLS // covered.shape[1])
            for k in range(0, len(i), many):
                a = i[k : k + many]
                b = j[k : k + many]
                taken = np.column_stack(
                    [*(np.full(len(a), p) for p in prefix), literal[a], literal[b]]
                )
                batch = _uniform(taken, covered[a] & covered[b], cut, least)
                found += [batch] * (len(batch.count) > 0)
                yield
            yield
        return found


def _words(values: Bool) -> Words:
    """(m, n) truth values as (m, w) words of 64 bits, filled up with zeros; at least one word."""
    packed = np.packbits(values, axis=1)
    words = np.zeros((len(values), max(1, -(-values.shape[1] // 64))), np.uint64)
    words.view(np.uint8)[:, : packed.shape[1]] = packed
    return words


def _count(words: Words) -> Int:
    """(m,) how many bits of (m, w) words are set."""
    return np.asarray(np.bitwise_count(words).sum(1, dtype=np.intp))


def _uniform(literals: Int, covered: Words, cut: int, least: int) -> Batch:
    """Of the conjunctions that cover these rows those that will do."""
    first, second = _count(covered[:, :cut]), _count(covered[:, cut:])
    good = (first + second >= least) & ((first == 0) | (second == 0))
    return Batch(literals[good], (first[good] == 0).astype(np.intp), (first + second)[good])


def gray_runs(wanted: tuple[int | None, ...]) -> list[tuple[int, int]]:
    """[start, end) runs of Gray codes of `len(wanted)` bits that agree with the wanted bits (None:
    either).
    """
    codes = GRAY[len(wanted)]
    agrees = [
        all(w is None or int(b) == w for b, w in zip(code, wanted, strict=True)) for code in codes
    ]
    runs: list[tuple[int, int]] = []
    for k, ok in enumerate(agrees):
        if ok and runs and runs[-1][1] == k:
            runs[-1] = (runs[-1][0], k + 1)
        elif ok:
            runs.append((k, k + 1))
    return runs
