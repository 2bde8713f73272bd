"""Spaces of hypotheses that are small enough to list: conjunctions, all Boolean functions, the columns themselves. ML 7.3.2, 7.3.3.1, 7.5.2."""

from dataclasses import dataclass
from typing import Literal

from engine.authoring import Bool, EngineError, Float, Int, cached_property, frozen, np

MOST = 1 << 16  # hypotheses: all functions of four columns
ANY, NEVER = 2, 3  # in a ternary row: nothing is asked; asked is what no value is
Kind = Literal["conjunctions", "unbiased", "columns"]


@dataclass(frozen=True, eq=False)
class Space:
    """All hypotheses of a kind over d columns of 0 and 1, each by its number. Raises EngineError when they are too many.

    conjunctions: 3^d of them, and last the one that never holds; unbiased: number h holds at the input of code c where bit c of
    h is 1; columns: a column holds where it is 1
    """

    kind: Kind
    d: int

    def __post_init__(self) -> None:
        if self.bits > 16:
            power = {"conjunctions": f"3^{self.d} + 1", "unbiased": f"2^(2^{self.d})", "columns": f"{self.d:,}"}[
                self.kind
            ]
            raise EngineError(
                f"{self.d} columns make {power} hypotheses; at most {MOST:,} fit here: leave out columns."
            )

    @cached_property
    def bits(self) -> float:
        """log₂ |H|, also where |H| itself is beyond reckoning."""
        if self.kind == "unbiased":
            return float(2 ** min(self.d, 1000))
        return float(np.log2(self.d) if self.kind == "columns" else self.d * np.log2(3) + np.log2(1 + 3.0**-self.d))

    @cached_property
    def size(self) -> int:
        sizes: dict[Kind, int] = {"conjunctions": 3**self.d + 1, "unbiased": 1 << (1 << self.d), "columns": self.d}
        return sizes[self.kind]

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
            return np.array([((which >> c) & 1).sum() for c in range(1 << self.d)], np.intp)[self.codes(X)]
        left = np.zeros(self.size, np.intp)
        left[which] = 1
        held = left[:-1].reshape((3,) * self.d)
        for j in range(self.d):  # at the value 0 hold those that ask for 0 and those that ask for nothing, and so on
            zero, one, either = np.moveaxis(held, j, 0)
            held = np.stack([zero + either, one + either], axis=j)
        return held.ravel()[self.codes(X)]
