"""Spaces of hypotheses that are small enough to list. ML 7.3.2, 7.3.3.1, 7.5.2, Ex 7.2.

Conjunctions, all Boolean functions, the columns themselves, and rectangles of whole numbers.
"""

from typing import Any, Literal, TypeVar

from engine.algorithms.rules.parts import Booleans
from engine.authoring import Bool, EngineError, Float, Int, Record, cached_property, frozen, np
from engine.numerics.boolean import Classes, to_values
from engine.table.needs import is_binary, whole_numbers

P = TypeVar("P")
MOST = 1 << 16  # hypotheses: all functions of four columns
ANY = 2  # in a ternary row: the conjunction has no literal for the column
NEVER = 3  # what no value is
Kind = Literal["conjunctions", "unbiased", "columns"]
RECTANGLES: Literal["rectangles"] = "rectangles"  # what conjunctions over whole numbers are


class Space(Record, dict=True):
    """All hypotheses of a kind over d columns, each by its number.

    Raises EngineError when they are too many.

    conjunctions: 3^d of them over columns of 0 and 1, and last the one that never holds
    unbiased: number h holds at the input of code c where bit c of h is 1
    columns: a column holds where it is 1
    rectangles: a ≤ x ≤ b in each column, with whole a ≤ b among `side` numbers from `low` on, ML
    Ex 7.2
    """

    kind: Kind | Literal["rectangles"]
    d: int
    low: int = 0
    side: int = 0

    def __post_init__(self) -> None:
        if self.bits <= 16:
            return
        if self.kind == RECTANGLES:
            raise EngineError(
                f"The whole numbers from {self.low} to {self.low + self.side - 1} make"
                f" {self.size:,} rectangles; at most {MOST:,} fit here: take rows that lie nearer"
                " together."
            )
        power = {
            "conjunctions": f"3^{self.d} + 1",
            "unbiased": f"2^(2^{self.d})",
            "columns": f"{self.d:,}",
        }[self.kind]
        raise EngineError(
            f"{self.d} columns make {power} hypotheses; at most {MOST:,} fit here: leave out"
            " columns."
        )

    @cached_property
    def bits(self) -> float:
        """log₂ |H|, also where |H| is too large for a float."""
        if self.kind == "unbiased":
            return float(2 ** min(self.d, 1000))
        if self.kind == "columns":
            return float(np.log2(self.d))
        if self.kind == RECTANGLES:
            return float(self.d * np.log2(self.side * (self.side + 1) / 2))
        return float(self.d * np.log2(3) + np.log2(1 + 3.0**-self.d))

    @cached_property
    def size(self) -> int:
        """|H|, the number of hypotheses."""
        if self.kind == "unbiased":
            return 1 << (1 << self.d)
        if self.kind == "columns":
            return self.d
        if self.kind == RECTANGLES:
            spans = self.side * (self.side + 1) // 2
            return spans if self.d == 1 else spans * spans
        conjunctions: int = 3**self.d
        return conjunctions + 1

    @cached_property
    def intervals(self) -> Int:
        """(side (side + 1) / 2, 2) all pairs of whole numbers a ≤ b, counted from `low`."""
        return frozen(np.argwhere(np.tri(self.side, dtype=bool).T))

    def sides(self, which: Int) -> list[Int]:
        """A (k, 2) array for each column: the ends a and b of the rectangles `which` (k,)."""
        parts = np.unravel_index(which, (len(self.intervals),) * self.d)
        return [self.intervals[part] for part in parts]

    @cached_property
    def ternary(self) -> Int:
        """(|H|, d) the value that each conjunction requires of every column, ANY for none."""
        rows = np.indices((3,) * self.d, np.int8).reshape(self.d, -1).T
        return frozen(np.vstack([rows, np.full((1, self.d), NEVER, np.int8)]))

    def codes(self, X: Float) -> Int:
        """(m,) rows as binary numbers, the first column the highest bit."""
        return np.asarray((X == 1) @ (1 << np.arange(self.d)[::-1]), np.intp)

    def says(self, X: Float, which: Int) -> Bool:
        """(m, k) where the hypotheses `which` (k,) hold on rows X (m, d)."""
        if self.kind == "unbiased":
            return np.asarray((which[None] >> self.codes(X)[:, None]) & 1, dtype=bool)
        if self.kind == "columns":
            return np.asarray(X[:, which] == 1)
        holds = np.ones((len(X), len(which)), dtype=bool)
        if self.kind == RECTANGLES:
            for j, interval in enumerate(self.sides(which)):
                place = X[:, [j]] - self.low
                holds &= (interval[:, 0] <= place) & (place <= interval[:, 1])
            return holds
        literals = self.ternary[which]
        for j in range(self.d):
            holds &= (literals[:, j] == ANY) | (literals[:, j] == X[:, [j]])
        return holds

    def votes(self, X: Float, which: Int) -> Int:
        """(m,) how many of the hypotheses `which` (k,) hold on each row of X (m, d)."""
        if self.kind == "unbiased":
            inputs = range(1 << self.d)
            counts = np.array([((which >> c) & 1).sum() for c in inputs], np.intp)
            return counts[self.codes(X)]
        if self.kind == "columns":
            return np.asarray(self.says(X, which).sum(axis=1))
        left = np.zeros(self.size, np.intp)
        left[which] = 1
        if self.kind == RECTANGLES:
            return self._rectangles_at(X - self.low, left)
        return self._conjunctions_at(left)[self.codes(X)]

    def _conjunctions_at(self, left: Int) -> Int:
        """(2^d,) how many of the conjunctions left (|H|,) hold at each input, by its code.

        At the value 0 hold those that ask for 0 and those that ask for nothing, at 1 those that ask
        for 1 and those that ask for nothing: column by column.
        """
        table = left[:-1].reshape((3,) * self.d)
        for j in range(self.d):
            zero, one, either = np.moveaxis(table, j, 0)
            table = np.stack([zero + either, one + either], axis=j)
        return table.ravel()

    def _rectangles_at(self, place: Float, left: Int) -> Int:
        """(m,) how many of the rectangles left (|H|,) hold at places (m, d), counted from `low`.

        A place stands on a whole number or between two of them.
        """
        point = np.arange(2 * self.side - 1)  # whole numbers and the gaps between them
        from_here = self.intervals[:, :1] <= point // 2
        to_here = self.intervals[:, 1:] >= (point + 1) // 2
        holds = (from_here & to_here).astype(np.float64)  # (intervals, points)
        counts = left.reshape((len(self.intervals),) * self.d).astype(np.float64)
        for _ in range(self.d):
            counts = np.tensordot(counts, holds, axes=(0, 0))
        within = np.asarray(((place >= 0) & (place <= self.side - 1)).all(axis=1))
        points = np.where(within[:, None], np.floor(place) + np.ceil(place), 0).astype(np.intp)
        return np.where(within, counts[tuple(points.T)], 0).astype(np.intp)


class Listed(Booleans[P]):
    """A table with H, the list of all hypotheses over it."""

    p: Any

    @cached_property
    def H(self) -> Space:
        """The list of hypotheses. Raises EngineError where they are too many or do not suit the
        table.
        """
        X = self.problem.X
        kind = self.p.hypotheses
        if not whole_numbers(self.problem) or is_binary(self.problem):
            return Space(kind, self.problem.d)
        if kind != "conjunctions":
            raise EngineError(
                f"Hypotheses {kind} need columns of 0 and 1: over whole numbers take conjunctions."
            )
        return Space(RECTANGLES, self.problem.d, int(X.min()), int(X.max() - X.min()) + 1)

    @cached_property
    def X(self) -> Float:
        """(n, d) the rows as whole numbers, or 0 and 1, see `values`."""
        return self.values(self.problem.X)

    def values(self, X: Float) -> Float:
        """(m, d) rows as the hypotheses see them: whole numbers, or 0 and 1."""
        return X if self.H.kind == RECTANGLES else to_values(self.problem.features, X)

    def labels(self, X: Float, model: Classes) -> Int:
        """(m,) class indices by a model of the rows X (m, d); −1 where a value is missing."""
        return np.where(np.isnan(X).any(axis=1), -1, model(self.values(X)))
