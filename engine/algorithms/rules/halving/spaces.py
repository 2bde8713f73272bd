"""Spaces of hypotheses that are small enough to list: conjunctions, all Boolean functions, the
columns themselves. ML 7.3.2, 7.3.3.1, 7.5.2.
"""

from typing import Any, Literal, TypeVar

from engine.algorithms.rules.parts import Booleans
from engine.authoring import Bool, EngineError, Float, Int, Record, cached_property, frozen, np
from engine.core.needs import is_binary, whole_numbers
from engine.numerics.boolean import Classes, to_values

P = TypeVar("P")
MOST = 1 << 16  # hypotheses: all functions of four columns
ANY, NEVER = 2, 3  # in a ternary row: nothing is asked; asked is what no value is
Kind = Literal["conjunctions", "unbiased", "columns"]
RECTANGLES: Literal["rectangles"] = "rectangles"  # what conjunctions over whole numbers are


class Space(Record, dict=True):
    """All hypotheses of a kind over d columns of 0 and 1, each by its number.

    Raises EngineError when they are too many.

    conjunctions: 3^d of them, and last the one that never holds; unbiased: number h holds at the
    input of code c where bit c of h is 1; columns: a column holds where it is 1; rectangles: a ≤ x
    ≤ b in each column, with whole a ≤ b among `side` numbers from `low` on, ML Ex 7.2
    """

    kind: Kind | Literal["rectangles"]
    d: int
    low: int = 0
    side: int = 0

    def __post_init__(self) -> None:
        if self.bits > 16 and self.kind == RECTANGLES:
            numbers = (
                f"The whole numbers from {self.low} to {self.low + self.side - 1} make"
                f" {self.size:,} rectangles"
            )
            raise EngineError(
                f"{numbers}; at most {MOST:,} fit here: take rows that lie nearer together."
            )
        if self.bits > 16:
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
        """log₂ |H|, also where |H| itself is beyond reckoning."""
        if self.kind == "unbiased":
            return float(2 ** min(self.d, 1000))
        if self.kind == RECTANGLES:
            return float(self.d * np.log2(self.side * (self.side + 1) / 2))
        return float(
            np.log2(self.d)
            if self.kind == "columns"
            else self.d * np.log2(3) + np.log2(1 + 3.0**-self.d)
        )

    @cached_property
    def size(self) -> int:
        if self.kind == RECTANGLES:
            spans = self.side * (self.side + 1) // 2
            return spans if self.d == 1 else spans * spans
        if self.kind == "columns":
            return self.d
        return 1 << (1 << self.d) if self.kind == "unbiased" else 3**self.d + 1

    @cached_property
    def intervals(self) -> Int:
        """(side (side + 1) / 2, 2) the whole a ≤ b, counted from `low`."""
        return frozen(np.argwhere(np.tri(self.side, dtype=bool).T))

    def sides(self, which: Int) -> list[Int]:
        """Of each column (k, 2) the a and b of the rectangles `which`."""
        return [
            self.intervals[part]
            for part in np.unravel_index(which, (len(self.intervals),) * self.d)
        ]

    @cached_property
    def ternary(self) -> Int:
        """(|H|, d) what each conjunction asks of every column."""
        rows = np.indices((3,) * self.d, np.int8).reshape(self.d, -1).T
        return frozen(np.vstack([rows, np.full((1, self.d), NEVER, np.int8)]))

    def codes(self, X: Float) -> Int:
        """(m,) rows as binary numbers, the first column the highest bit."""
        return np.asarray((X == 1) @ (1 << np.arange(self.d)[::-1]), np.intp)

    def says(self, X: Float, which: Int) -> Bool:
        """(m, k) where the hypotheses `which` (k,) hold on rows X (m, d) of 0 and 1."""
        if self.kind == RECTANGLES:
            at = X - self.low
            inside = [
                (s[:, 0] <= at[:, [j]]) & (at[:, [j]] <= s[:, 1])
                for j, s in enumerate(self.sides(which))
            ]
            return np.asarray(np.all(inside, axis=0))
        if self.kind == "columns":
            return np.asarray(X[:, which] == 1)
        if self.kind == "unbiased":
            return np.asarray((which[None] >> self.codes(X)[:, None]) & 1, dtype=bool)
        asked = self.ternary[which]
        held = np.ones((len(X), len(which)), dtype=bool)
        for j in range(self.d):
            held &= (asked[:, j] == ANY) | (asked[:, j] == X[:, [j]])
        return held

    def votes(self, X: Float, which: Int) -> Int:
        """(m,) how many of the hypotheses `which` hold on each row."""
        if self.kind == "columns":
            return np.asarray(self.says(X, which).sum(axis=1))
        if self.kind == "unbiased":
            return np.array([((which >> c) & 1).sum() for c in range(1 << self.d)], np.intp)[
                self.codes(X)
            ]
        left = np.zeros(self.size, np.intp)
        left[which] = 1
        if self.kind == RECTANGLES:
            return self._inside(X - self.low, left)
        held = left[:-1].reshape((3,) * self.d)
        # at the value 0 hold those that ask for 0 and those that ask for nothing, and so on
        for j in range(self.d):
            zero, one, either = np.moveaxis(held, j, 0)
            held = np.stack([zero + either, one + either], axis=j)
        return held.ravel()[self.codes(X)]

    def _inside(self, at: Float, left: Int) -> Int:
        """(m,) how many of the rectangles left hold places (m, d): those of whole numbers, and
        those between two of them.
        """
        p = np.arange(2 * self.side - 1)
        held = ((self.intervals[:, :1] <= p // 2) & (self.intervals[:, 1:] >= (p + 1) // 2)).astype(
            np.float64
        )
        counts = left.reshape((len(self.intervals),) * self.d).astype(np.float64)
        for _ in range(self.d):
            counts = np.tensordot(counts, held, axes=(0, 0))
        within = np.asarray(((at >= 0) & (at <= self.side - 1)).all(axis=1))
        place = np.where(within[:, None], np.floor(at) + np.ceil(at), 0).astype(np.intp)
        return np.where(within, counts[tuple(place.T)], 0).astype(np.intp)


class Listed(Booleans[P]):
    """H: all hypotheses; X (n, d), values(X): rows as they see them, in 0 and 1 or as whole
    numbers.
    """

    p: Any

    @cached_property
    def H(self) -> Space:
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
        return self.values(self.problem.X)

    def values(self, X: Float) -> Float:
        """Rows as hypotheses see them."""
        return X if self.H.kind == RECTANGLES else to_values(self.problem.features, X)

    def labels(self, X: Float, model: Classes) -> Int:
        return np.where(np.isnan(X).any(axis=1), -1, model(self.values(X)))
