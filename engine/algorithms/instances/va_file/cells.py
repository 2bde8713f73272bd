"""The summary of a VA file: in which part of each column a row lies, and what that says of its
distance. MMDS 12.4.5.
"""

from typing import TypeVar

import numpy as np

from engine.algorithms.instances.parts import Asked
from engine.algorithms.instances.parts.best import overlooked
from engine.core.arrays import Bool, Float, Int, frozen
from engine.core.records import Record, cached_property
from engine.numerics.closeness import more
from engine.numerics.distances import norm

P = TypeVar("P")

MOST_BITS = 8  # of the curve over bits
_QUICK = 120_000  # numbers for which that curve is reckoned


class Bounds(Record):
    """Of each cell (c,): the least and the largest distance that an example in it can have, whether
    it passes the test, and whether the query lies in it.
    """

    low: Float
    high: Float
    passed: Bool
    own: Bool


class File(Record):
    """edges (d, 2^b + 1) of the parts of each column; cell (n,) of each row, numbered as they came
    first; codes (c, d): the parts that make each cell; count (c,): its rows.
    """

    edges: Float
    cell: Int
    codes: Int
    count: Int

    @classmethod
    def of(cls, X: Float, bits: int) -> "File":
        edges = edges_of(X, bits)
        codes, first, cell = np.unique(
            codes_of(X, edges), axis=0, return_index=True, return_inverse=True
        )
        order = np.argsort(first)
        number = np.empty_like(order)
        number[order] = np.arange(len(order))
        cell = number[cell.ravel()]
        return cls(frozen(edges), frozen(cell), frozen(codes[order]), frozen(np.bincount(cell)))

    @property
    def size(self) -> int:
        return len(self.codes)

    def corners(self) -> tuple[Float, Float]:
        """(low (c, d), high (c, d)) ends of the cells; every row of a cell lies between them,
        exactly.
        """
        columns = np.arange(self.codes.shape[1])
        return self.edges[columns, self.codes], self.edges[columns, self.codes + 1]

    def bounds(self, q: Float) -> tuple[Float, Float]:
        """(low (c,), high (c,)): least and largest distance from q (d,) to a place of each cell."""
        near, far = gaps(*self.corners(), q)
        return norm(list(near.T), 2), norm(list(far.T), 2)

    def place(self, q: Float) -> Int:
        """(d,) the parts in which q lies, −1 outside of a column's range."""
        code = codes_of(q[None], self.edges)[0]
        return np.where((q < self.edges[:, 0]) | (q > self.edges[:, -1]), -1, code)


def edges_of(X: Float, bits: int) -> Float:
    """(d, 2^bits + 1) ends of equal parts of what each column spans."""
    edges = np.linspace(X.min(axis=0), X.max(axis=0), 2**bits + 1, axis=1)
    return np.asarray(np.maximum.accumulate(edges, axis=1))


def codes_of(X: Float, edges: Float) -> Int:
    """(n, d) in which part each number lies: from its lower end on, the last with its upper end."""
    inner = edges[:, 1:-1]
    return np.column_stack(
        [np.searchsorted(cuts, x, side="right") for cuts, x in zip(inner, X.T, strict=True)]
    )


def gaps(low: Float, high: Float, q: Float) -> tuple[Float, Float]:
    """Column by column how far q is at least and at most from what lies between low and high."""
    near = np.maximum(0.0, np.maximum(low - q, q - high))
    return near, np.maximum(np.abs(low - q), np.abs(high - q))


def share_kept(X: Float, q: Float, k: int) -> Float:
    """(bits,) which share of the rows passes when the file has 1, 2, … bits for each number; none
    of large tables.
    """
    if X.size > _QUICK:
        return np.zeros(0)
    columns = np.arange(X.shape[1])
    shares = []
    for bits in range(1, MOST_BITS + 1):
        edges = edges_of(X, bits)
        codes = codes_of(X, edges)
        near, far = gaps(edges[columns, codes], edges[columns, codes + 1], q)
        low, high = norm(list(near.T), 2), norm(list(far.T), 2)
        shares.append((~more(low, np.partition(high, k - 1)[k - 1])).mean())
    return np.asarray(shares, np.float64)


class Filed(Asked[P]):
    """A table with its summary, and what this says of the distances from the query."""

    k = property(lambda self: min(self.p.k, self.problem.n))
    file = cached_property(lambda self: File.of(self.problem.X, self.p.bits))
    shares = cached_property(lambda self: share_kept(self.problem.X, self.query, self.k))

    @cached_property
    def bounds(self) -> Bounds:
        low, high = self.file.bounds(self.query)
        own = (self.file.codes == self.file.place(self.query)).all(axis=1)
        passed = own if self.p.test == "same cell" else ~more(low, self.kth(high))
        return Bounds(frozen(low), frozen(high), frozen(passed), frozen(own))

    def kth(self, high: Float) -> float:
        """The k-th smallest upper bound of all examples, of those of the cells (c,)."""
        return float(np.partition(high[self.file.cell], self.k - 1)[self.k - 1])

    def distances(self, rows: Int) -> Float:
        """(m,) of these rows from the query."""
        return norm(list(np.abs(self.problem.X[rows] - self.query).T), 2)

    def missed(self, found: Int) -> Int:
        """What a scan finds and a search did not: nothing, by bounds."""
        if self.p.test == "bounds":
            return frozen(found[:0])
        return overlooked(self.distances(np.arange(self.problem.n)), self.k, found)
