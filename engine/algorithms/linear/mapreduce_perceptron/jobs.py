"""Chunks of a table, the key-value pairs that mappers send, and rounds of mappers on their own.

MMDS 12.2.8, 12.3.6.
"""

from typing import Any

from engine.algorithms.linear.parts import P, Rows
from engine.authoring import Float, Int, Record, Sequence, cached_property, np
from engine.base.notation import subscript
from engine.numerics.visits import Visits


class Pairs(Record):
    """p pairs (key, value).

    rows: (p,) the example that each pair comes from, −1 − chunk for a local mapper
    keys: (p,) columns
    values: (p,)
    """

    rows: Int
    keys: Int
    values: Float

    def __len__(self) -> int:
        return len(self.keys)

    @classmethod
    def together(cls, parts: "Sequence[Pairs]") -> "Pairs":
        """The pairs of all parts, in the order in which they were emitted."""
        return cls(
            np.concatenate([np.zeros(0, np.intp), *(part.rows for part in parts)]),
            np.concatenate([np.zeros(0, np.intp), *(part.keys for part in parts)]),
            np.concatenate([np.zeros(0), *(part.values for part in parts)]),
        )


class Jobs(Rows[P]):
    """The rows in chunks, one for each mapper; X, sign and w as in all linear learners."""

    p: Any

    @cached_property
    def chunks(self) -> list[Int]:
        """The rows of each mapper, in table order, so that a reducer adds in the same order for any
        number of mappers.
        """
        return np.array_split(self.rows, min(self.p.chunks, len(self.rows)))

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """The names of the weights: w₁, …, and θ for the threshold."""
        return tuple(
            name if name == "θ" else f"w{subscript(k + 1)}" for k, name in enumerate(self.names)
        )

    @cached_property
    def mapper(self) -> Int:
        """(n,) the mapper of each row, −1 for a row without a class."""
        mapper = np.full(self.problem.n, -1)
        for chunk, rows in enumerate(self.chunks):
            mapper[rows] = chunk
        return mapper

    def senders(self, pairs: Pairs) -> Int:
        """(p,) the mapper of each pair."""
        return np.where(pairs.rows < 0, -1 - pairs.rows, self.mapper[pairs.rows])

    def wrong_rows(self, w: Float) -> Int:
        """The rows with a class that w gets wrong: y (w · x) ≤ 0."""
        margin = self.sign * self.score(w, self.X)
        return np.flatnonzero((margin <= 0) & self.problem.labelled)

    def errors(self, w: Float) -> int:
        """The number of labelled rows that w gets wrong."""
        return len(self.wrong_rows(w))

    @cached_property
    def visits(self) -> Visits:
        """The rows prepared for unrecorded rounds of a local mapper."""
        return self.whole_rounds(self.sign)

    def own_round(self, w: Float, chunk: int) -> Float:
        """(d,) the weights after a round of the perceptron from w on one chunk alone: after each
        mistake w ← w + η y x.
        """
        after, _ = self.visits.whole_round(self.chunks[chunk], w, self.p.rate)
        return after
