"""Decision stumps on weighted examples: trees with one test. AIMA 18.10; sorted once, then O(n) per column and round."""

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from engine.core.arrays import Float, Int
from engine.core.dataset import Feature
from engine.core.errors import EngineError
from engine.core.notation import counted, cut, label_text, number, parting
from engine.core.work import Work
from engine.numerics.class_weights import TIE, class_sums, leaf_classes, purity, sides
from engine.numerics.class_weights import Criterion as Criterion
from engine.numerics.sorted_columns import SortedColumns

Test = Literal["none", "threshold", "values", "equals"]

MAX_CELLS = 20_000_000


@dataclass(frozen=True, slots=True)
class Stump:
    """One test and a class for each of its branches.

    test: 'threshold' x > value (branches: no, yes), 'equals' x = value (no, yes), 'values' one branch per category,
    'none' a single branch; classes: class of each branch, last of all the branch of missing values; room: between which
    two numbers a written threshold has to lie
    """

    column: int
    test: Test
    value: float
    classes: tuple[int, ...]
    room: tuple[float, float] = field(default=(-np.inf, np.inf), compare=False)

    def branches(self, X: Float) -> Int:
        """(m,) branch that each row takes."""
        if self.test == "none":
            return np.zeros(len(X), np.intp)
        x = X[:, self.column]
        gaps = np.isnan(x)
        if self.test == "values":
            return np.where(gaps, len(self.classes) - 1, x).astype(np.intp)
        taken = (x > self.value if self.test == "threshold" else x == self.value).astype(np.intp)
        if gaps.any():
            taken[gaps] = 2
        return taken

    def predict(self, X: Float) -> Int:
        return np.asarray(self.classes, np.intp).take(self.branches(X))

    @property
    def parts_missing(self) -> bool:
        """Whether it says one class of all values and another of missing ones."""
        return len(set(self.classes[:-1])) == 1 and self.classes[-1] != self.classes[0]

    def text(self, features: Sequence[Feature]) -> str:
        """The test that matters for what it says: 'x₂ > 0.36', 'Hungry = Yes', 'Patrons', 'x₂ missing'."""
        return f"{features[self.column].title} missing" if self.parts_missing else self.question(features)

    def question(self, features: Sequence[Feature]) -> str:
        """The test alone, as a tree asks it whatever comes below: 'x₂ > 0.36'."""
        if self.test == "none":
            return "no test"
        feature = features[self.column]
        if self.test == "values":
            return feature.title
        sign = ">" if self.test == "threshold" else "="
        return f"{feature.title} {sign} {self._value(feature)}"

    def rule(self, features: Sequence[Feature], classes: Sequence[str], gaps: bool = False) -> str:
        """The whole stump as words: 'x₂ > 0.36: Yes, else No' or 'Patrons: None → No, Some → Yes'. gaps: values are missing."""
        said = [classes[c] for c in self.classes]
        if gaps and self.parts_missing:
            return f"{self.text(features)}: {said[-1]}, else {said[0]}"
        if self.test == "none" or len(set(self.classes[:-1])) == 1:
            return f"always {said[0]}"
        if self.test == "values":
            names = [*(cut(label_text(v)) for v in features[self.column].categories), *["missing"] * gaps]
            return f"{features[self.column].title}: " + ", ".join(map(" → ".join, zip(names, said, strict=False)))
        other = f"; missing: {said[2]}" if gaps and said[2] != said[0] else ""
        return f"{self.question(features)}: {said[1]}, else {said[0]}{other}"

    def _value(self, feature: Feature) -> str:
        if self.test == "equals":
            return feature.text(self.value)
        low, high = self.room
        value = 0.0 if abs(self.value) < 1e-9 * (high - low) < np.inf else self.value  # rounding, half-way from −1 to 1
        usual = number(value, int(2 - np.floor(np.log10(abs(value)))) if 1e-4 <= abs(value) < 0.1 else 2)
        return parting(value, low, high, usual)


@dataclass(frozen=True, slots=True)
class Found:
    """The best test of every column for some weights. score (d,): purity of its branches, −inf without a test;
    at (d,): position of the cut among the sorted values, or the category, −1 where all values that count are the same and
    the test parts them from the missing ones; lean (d,): by how much class 0 outweighs class 1
    below the cut, NaN where that is not known, and half of that for all rows; weights (n,) it was found for, their sum, and
    whether all of them count."""

    score: Float
    at: Int
    lean: Float
    half: float
    weights: Float
    mass: float
    whole: bool

    def winners(self) -> Int:
        """Columns that are as good as the best; the first one is taken. Empty when no column offers a test."""
        best = self.score.max(initial=-np.inf)
        return np.flatnonzero(self.score >= best - TIE * self.mass) if best > -np.inf else np.zeros(0, np.intp)


class StumpSearch:
    """All stumps on the rows X (n, d) with classes codes (n,) in 0 … k−1: sorts once, then searches for any weights.

    multiway: categorical columns branch into all values, otherwise the tests are A = v; criterion: see `purity`.
    Rows of weight 0 do not count. Raises EngineError when the table is too large to keep sorted.
    """

    def __init__(
        self, X: Float, codes: Int, features: Sequence[Feature], k: int,
        multiway: bool = True, criterion: Criterion = "error",
    ) -> None:  # fmt: skip
        if X.size > MAX_CELLS:
            raise EngineError(
                f"Stumps keep every column sorted: {counted(len(X), 'row')} × {counted(X.shape[1], 'column')} are more than "
                f"{MAX_CELLS} values. Take a sample of the rows or fewer columns."
            )
        self.features, self.k = features, k
        self.multiway, self.criterion = multiway, criterion
        self.numbers = np.flatnonzero([f.numeric for f in features])
        self.words = np.flatnonzero([not f.numeric for f in features])
        self.row_of = {j: row for row, j in enumerate(self.numbers.tolist())}
        self._take(X, codes, SortedColumns.of(X[:, self.numbers], codes, k, criterion))

    def within(self, rows: Int) -> "StumpSearch":
        """The same search among some of the rows, ascending."""
        part = copy(self)
        part._take(self.X[rows], self.codes[rows], self.sorted.within(rows))
        return part

    def _take(self, X: Float, codes: Int, ordered: SortedColumns) -> None:
        self.X, self.codes, self.sorted = X, codes, ordered
        gaps = np.isnan(X)
        self.gapped = np.flatnonzero(gaps.any(axis=0) & ~gaps.all(axis=0))
        self._index_words()
        self._last: Found | None = None
        self._made: tuple[Stump | None, Int] = None, np.zeros(0, np.intp)

    def _index_words(self) -> None:
        """Every categorical column has one slot per category and one for missing values, side by side in one table."""
        sizes = np.array([len(self.features[int(j)].categories) + 1 for j in self.words], np.intp)
        self.offsets = np.concatenate([[0], np.cumsum(sizes)[:-1]]).astype(np.intp) if len(sizes) else sizes
        self.slots = int(sizes.sum())
        values = self.X[:, self.words].T
        value = np.where(np.isnan(values), sizes[:, None] - 1, values).astype(np.intp)
        self.index = ((self.offsets[:, None] + value) * self.k + self.codes).ravel()
        self.gaps = self.offsets + sizes - 1  # slot of each column's missing values

    def search(self, weights: Float) -> Work[Found]:
        """The best test of every column for these weights (n,) ≥ 0, which must not change any more."""
        if self._last is None or self._last.weights is not weights:
            self._last = yield from self._search(weights)
        return self._last

    def _search(self, weights: Float) -> Work[Found]:
        mass, whole, half = float(weights.sum()), bool(weights.all()), 0.0
        score, lean = np.full((2, len(self.features)), [[-np.inf], [np.nan]])
        at = np.zeros(len(self.features), np.intp)
        if len(self.numbers) and len(weights) > 1:
            cuts = yield from self.sorted.best(weights, mass, whole)
            score[self.numbers], at[self.numbers], lean[self.numbers], half = cuts
        if len(self.words):
            score[self.words], at[self.words] = self._search_words(weights)
        if len(self.gapped):
            self._part_missing(score, at, weights)
        return Found(score, at, lean, half, weights, mass, whole)

    def _part_missing(self, score: Float, at: Int, weights: Float) -> None:
        """Thresholds and A = v do not part values that are all the same; such a test still parts them from the missing ones,
        as one branch for each category does."""
        for j in self.gapped[score[self.gapped] == -np.inf].tolist():
            sums = class_sums(np.isnan(self.X[:, j]) * self.k + self.codes, weights, (2, self.k)).T
            if sums.any(axis=0).all():
                score[j], at[j] = float(purity(sums, self.criterion).sum()), -1

    # -- categories ------------------------------------------------------------------------------------------------

    def _search_words(self, weights: Float) -> tuple[Float, Int]:
        sums = class_sums(self.index, np.tile(weights, len(self.words)), (self.slots, self.k)).T  # (k, slots)
        pure = purity(sums, self.criterion)
        filled = (sums.sum(axis=0) > 0).astype(np.intp)
        if self.multiway:
            several = np.add.reduceat(filled, self.offsets) > 1
            score = np.where(several, np.add.reduceat(pure, self.offsets), -np.inf)
            return score, np.zeros(len(self.words), np.intp)
        found = [self._best_value(sums, pure, filled, i) for i in range(len(self.words))]
        return np.array([score for score, _ in found]), np.array([value for _, value in found], np.intp)

    def _best_value(self, sums: Float, pure: Float, filled: NDArray[np.intp], i: int) -> tuple[float, int]:
        """The best test A = v of categorical column number i, the first value on ties."""
        begin, gap = self.offsets[i], self.gaps[i]
        rest = sums[:, begin:gap].sum(axis=1, keepdims=True) - sums[:, begin:gap]
        score = pure[begin:gap] + purity(rest, self.criterion) + pure[gap]
        score[(filled[begin:gap] == 0) | (filled[begin:gap].sum() - filled[begin:gap] == 0)] = -np.inf
        best = float(score.max(initial=-np.inf))
        return best, int((score >= best - TIE * sums.sum()).argmax()) if len(score) else 0

    # -- results ---------------------------------------------------------------------------------------------------

    def stump(self, found: Found, column: int) -> Stump:
        """The best stump of `column` (−1: no test at all) with its classes."""
        if column < 0:
            return self._with_classes(Stump(-1, "none", 0.0, (0,)), 1, found.weights)
        if found.at[column] < 0:
            return self._parting_missing(found, column)
        if self.features[column].numeric:
            value, room = self.sorted.threshold(self.row_of[column], int(found.at[column]), found.weights, found.whole)
            if not np.isnan(lean := found.lean[column]):
                return Stump(column, "threshold", value, sides(float(lean), 2 * found.half, found.mass), room)
            return self._with_classes(Stump(column, "threshold", value, (0, 0, 0), room), 3, found.weights)
        if self.multiway:
            count = len(self.features[column].categories) + 1
            return self._with_classes(Stump(column, "values", 0.0, (0,) * count), count, found.weights)
        return self._with_classes(Stump(column, "equals", float(found.at[column]), (0, 0, 0)), 3, found.weights)

    def _parting_missing(self, found: Found, column: int) -> Stump:
        """The test at the only value that counts: the branch beside it, where nobody is, says what the value says."""
        x = self.X[:, column]
        value = float(x[(found.weights > 0) & ~np.isnan(x)][0])
        test: Test = "threshold" if self.features[column].numeric else "equals"
        made = self._with_classes(Stump(column, test, value, (0, 0, 0)), 3, found.weights)
        known = made.classes[test == "equals"]
        made = replace(made, classes=(known, known, made.classes[2]))
        self._made = made, self._made[1]
        return made

    def _with_classes(self, stump: Stump, count: int, weights: Float) -> Stump:
        branches = stump.branches(self.X)
        sums = class_sums(branches * self.k + self.codes, weights, (count, self.k))
        made = Stump(stump.column, stump.test, stump.value, leaf_classes(sums), stump.room)
        self._made = made, branches
        return made

    def says(self, stump: Stump) -> Int:
        """(n,) the classes it gives the rows; the stump made last need not look at them again."""
        made, branches = self._made
        return np.asarray(stump.classes, np.intp).take(branches if stump is made else stump.branches(self.X))

    def best(self, found: Found) -> Stump:
        """The best stump of all; the first column wins a tie; without any test the heaviest class for everyone."""
        winners = found.winners()
        return self.stump(found, int(winners[0]) if len(winners) else -1)

    def measure(self, found: Found, column: int) -> float:
        """What the criterion says of a column's best test: weighted error, gain in bits or decrease of impurity."""
        sums = class_sums(self.codes, found.weights, (1, self.k))[0]
        whole = float(sums.sum())
        if self.criterion == "error":
            return max(0.0, (whole - float(found.score[column])) / whole)
        return max(0.0, float(found.score[column] - purity(sums, self.criterion)) / whole)
