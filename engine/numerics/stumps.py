"""Decision stumps on weighted examples: trees with one test. AIMA 18.10; sorted once, then O(n) per column and round."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from engine.core.arrays import Bool, Float, Int
from engine.core.dataset import Feature
from engine.core.errors import EngineError
from engine.core.notation import counted, cut, label_text, number, parting
from engine.numerics.class_weights import TIE, class_sums, leaf_classes, purity, sides
from engine.numerics.class_weights import Criterion as Criterion

Test = Literal["none", "threshold", "values", "equals"]

MAX_CELLS = 20_000_000
_BLOCK = 2**20
_BLUR = 0.01  # of a column's width: a written threshold may be so far off


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
        self.X, self.codes, self.features, self.k = X, codes, features, k
        self.multiway, self.criterion = multiway, criterion
        self.numbers = np.flatnonzero([f.numeric for f in features])
        self.words = np.flatnonzero([not f.numeric for f in features])
        self.row_of = {j: row for row, j in enumerate(self.numbers.tolist())}
        self.sign = np.where(codes == 0, 1.0, -1.0)
        gaps = np.isnan(X)
        self.gapped = np.flatnonzero(gaps.any(axis=0) & ~gaps.all(axis=0))
        self._sort_numbers()
        self._index_words()
        self._last: Found | None = None
        self._made: tuple[Stump | None, Int] = None, np.zeros(0, np.intp)

    def _sort_numbers(self) -> None:
        columns = np.ascontiguousarray(self.X[:, self.numbers].T)
        self.order = np.argsort(columns, axis=1)  # NaN last; there is no cut between equal values
        self.sorted = np.take_along_axis(columns, self.order, axis=1)
        self.present = ~np.isnan(self.sorted)
        self.whole = bool(self.present.all())
        last = np.maximum(self.present.sum(axis=1) - 1, 0)[:, None]
        self.blur = (_BLUR * (np.take_along_axis(self.sorted, last, axis=1) - self.sorted[:, :1])[:, 0]).tolist()
        cut = self.sorted[:, :-1] < self.sorted[:, 1:]
        self.wall = None if cut.all() else np.where(cut, 0.0, -np.inf)
        self.buffer, self.scores = np.empty(self.order.shape), np.empty((len(self.order), max(0, len(self.X) - 1)))
        self.columns, self.half = np.arange(len(self.order)), 0.0

    def _index_words(self) -> None:
        """Every categorical column has one slot per category and one for missing values, side by side in one table."""
        sizes = np.array([len(self.features[int(j)].categories) + 1 for j in self.words], np.intp)
        self.offsets = np.concatenate([[0], np.cumsum(sizes)[:-1]]).astype(np.intp) if len(sizes) else sizes
        self.slots = int(sizes.sum())
        values = self.X[:, self.words].T
        value = np.where(np.isnan(values), sizes[:, None] - 1, values).astype(np.intp)
        self.index = ((self.offsets[:, None] + value) * self.k + self.codes).ravel()
        self.gaps = self.offsets + sizes - 1  # slot of each column's missing values

    def search(self, weights: Float) -> Found:
        """The best test of every column for these weights (n,) ≥ 0, which must not change any more."""
        if self._last is None or self._last.weights is not weights:
            self._last = self._search(weights)
        return self._last

    def _search(self, weights: Float) -> Found:
        mass, whole = float(weights.sum()), bool(weights.all())
        if not len(self.words) and len(weights) > 1:
            score, at, lean = self._search_numbers(weights, mass, whole)
        else:
            score, lean = np.full((2, len(self.features)), [[-np.inf], [np.nan]])
            at = np.zeros(len(self.features), np.intp)
            if len(self.numbers) and len(weights) > 1:
                score[self.numbers], at[self.numbers], lean[self.numbers] = self._search_numbers(weights, mass, whole)
            if len(self.words):
                score[self.words], at[self.words] = self._search_words(weights)
        if len(self.gapped):
            self._part_missing(score, at, weights)
        return Found(score, at, lean, self.half, weights, mass, whole)

    def _part_missing(self, score: Float, at: Int, weights: Float) -> None:
        """Thresholds and A = v do not part values that are all the same; such a test still parts them from the missing ones,
        as one branch for each category does."""
        for j in self.gapped[score[self.gapped] == -np.inf].tolist():
            sums = class_sums(np.isnan(self.X[:, j]) * self.k + self.codes, weights, (2, self.k)).T
            if sums.any(axis=0).all():
                score[j], at[j] = float(purity(sums, self.criterion).sum()), -1

    # -- thresholds ------------------------------------------------------------------------------------------------

    def _search_numbers(self, weights: Float, mass: float, whole: bool) -> tuple[Float, Int, Float]:
        two = self.k == 2 and self.criterion == "error" and self.whole
        scores, least, more = self._two_class_scores(weights, mass) if two else (self._scores(weights), -np.inf, 0.0)
        if self.wall is not None:
            scores += self.wall
        if not whole:
            self._close_empty_sides(scores, weights)
        best = scores.max(axis=1)
        best = np.where(best > -np.inf, np.maximum(best, least), best)
        enough = best - TIE * mass
        enough = np.where(enough <= least, 0.0, enough)  # every cut is worth the least
        at = (scores >= enough[:, None]).argmax(axis=1)
        lean = self.buffer[self.columns, at] + self.half if two else np.full(len(at), np.nan)
        return best + more, at, lean

    def _two_class_scores(self, weights: Float, mass: float) -> tuple[Float, float, float]:
        """(scores of the cuts, what every cut counts at least, what is to be added to all of them).

        A side with class weights a and b is worth max(a, b) = (a + b + |a − b|)/2. With r the signed weight (class 0 less
        class 1) left of a cut and t that of all, both sides are worth (Σw + |r| + |t − r|)/2, and |r| + |t − r| is the
        larger of |t| and |2r − t|: one cumulative sum of r − t/2 is enough."""
        signed = weights * self.sign
        self.half = 0.5 * float(signed.sum())
        np.take(signed, self.order, out=self.buffer, mode="clip")
        self.buffer[:, 0] -= self.half
        running = np.cumsum(self.buffer, axis=1, out=self.buffer)[:, :-1]
        return np.abs(running, out=self.scores), abs(self.half), 0.5 * mass

    def _scores(self, weights: Float) -> Float:
        """Purity of the three branches (≤, >, missing) of every cut, any number of classes; blocks bound the memory."""
        scores = np.empty((len(self.numbers), len(weights) - 1))
        step = max(1, _BLOCK // (self.k * len(weights)))
        for first in range(0, len(self.numbers), step):
            rows = slice(first, first + step)
            scores[rows] = self._block_scores(weights, self.order[rows], self.present[rows])
        return scores

    def _block_scores(self, weights: Float, order: Int, present: Bool) -> Float:
        of_class = (self.codes == np.arange(self.k)[:, None]) * weights  # (k, n)
        ordered = of_class[:, order]  # (k, b, n)
        left = np.cumsum(np.where(present, ordered, 0.0), axis=2)
        gaps = np.where(present, 0.0, ordered).sum(axis=2, keepdims=True)
        right = left[:, :, -1:] - left
        sides = purity(left[:, :, :-1], self.criterion) + purity(right[:, :, :-1], self.criterion)
        return np.asarray(sides + purity(gaps, self.criterion))

    def _close_empty_sides(self, scores: Float, weights: Float) -> None:
        """A cut with no weight on one side is no test."""
        live = (weights > 0)[self.order] & self.present
        place = np.arange(scores.shape[1])
        first = np.where(live.any(axis=1), live.argmax(axis=1), scores.shape[1])
        last = live.shape[1] - 1 - live[:, ::-1].argmax(axis=1)
        scores[(place < first[:, None]) | (place >= last[:, None])] = -np.inf

    def _threshold(self, j: int, at: int, weights: Float, whole: bool) -> tuple[float, tuple[float, float]]:
        """(half-way between the neighbouring values; the room of its text: between these two, or a hundredth of the
        column's width from it). Rows without weight are no neighbours."""
        row = self.row_of[j]
        low, high = float(self.sorted[row, at]), float(self.sorted[row, at + 1])
        if not whole:
            live = self.sorted[row][(weights > 0)[self.order[row]] & self.present[row]]
            low, high = float(live[live <= low].max()), float(live[live > low].min())
        middle = low + (high - low) / 2
        value = middle if low <= middle < high else low
        return value, (min(low, value - self.blur[row]), max(high, value + self.blur[row]))

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
            value, room = self._threshold(column, int(found.at[column]), found.weights, found.whole)
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
