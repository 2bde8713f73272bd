"""The summary of a VA file: in which part of each column a row lies, and what that says of its
distance. MMDS 12.4.5.
"""

from typing import TypeVar

import numpy as np

from engine.algorithms.instances.parts.best import Search
from engine.base.arrays import Bool, Float, Int, frozen
from engine.base.records import Record, cached_property
from engine.numerics.closeness import at_most
from engine.numerics.distances import norm

P = TypeVar("P")

MOST_BITS = 8  # of the curve over bits
_QUICK = 120_000  # numbers for which that curve is computed


class Bounds(Record):
    """What the file says of the distance from a query to the examples of each cell.

    low: (c,) the least distance that an example in it can have
    high: (c,) the largest
    passed: (c,) whether its examples passed
    own: (c,) whether the query lies in it
    """

    low: Float
    high: Float
    passed: Bool
    own: Bool


class File(Record):
    """In which cell each row lies; only cells with rows are kept, numbered as they came first.

    edges: (d, 2^b + 1) ends of the parts of each column
    cell: (n,) of each row
    codes: (c, d) the part of each column that makes a cell
    count: (c,) rows in it
    """

    edges: Float
    cell: Int
    codes: Int
    count: Int

    @classmethod
    def of(cls, edges: Float, parts: Int) -> "File":
        """The file of rows whose columns lie in these parts (n, d); rows with equal parts share a
        cell.

        edges: (d, 2^b + 1) ends of the parts
        """
        codes, first, cell = np.unique(parts, axis=0, return_index=True, return_inverse=True)
        order = np.argsort(first)
        number = np.empty_like(order)
        number[order] = np.arange(len(order))
        cell = number[cell.ravel()]
        return cls(frozen(edges), frozen(cell), frozen(codes[order]), frozen(np.bincount(cell)))

    @property
    def size(self) -> int:
        """c, the number of cells with rows."""
        return len(self.codes)

    def corners(self) -> tuple[Float, Float]:
        """(low (c, d), high (c, d)) ends of the cells; every row of a cell lies between them,
        exactly.
        """
        columns = np.arange(self.codes.shape[1])
        return self.edges[columns, self.codes], self.edges[columns, self.codes + 1]

    def place(self, q: Float) -> Int:
        """(d,) the parts in which q lies, −1 outside of a column's range."""
        code = codes_of(q[None], self.edges)[0]
        return np.where((q < self.edges[:, 0]) | (q > self.edges[:, -1]), -1, code)


def edges_of(X: Float, bits: int) -> Float:
    """(d, 2^bits + 1) ends of equal parts of what each column spans."""
    edges = np.linspace(X.min(axis=0), X.max(axis=0), 2**bits + 1, axis=1)
    return np.asarray(np.maximum.accumulate(edges, axis=1))


def codes_of(X: Float, edges: Float) -> Int:
    """(n, d) the part in which each number of X lies; parts include their lower end, the last also
    its upper end.
    """
    inner = edges[:, 1:-1]
    columns = zip(inner, X.T, strict=True)
    return np.column_stack([np.searchsorted(cuts, x, side="right") for cuts, x in columns])


def gaps(low: Float, high: Float, q: Float) -> tuple[Float, Float]:
    """(near, far), both (…, d): the least and largest distance in each column from q (d,) to the
    range low … high (…, d).
    """
    near = np.maximum(0.0, np.maximum(low - q, q - high))
    far = np.maximum(np.abs(low - q), np.abs(high - q))
    return near, far


def length(ways: Float) -> Float:
    """(m,) √Σ gap², from gaps (m, d)."""
    return norm(list(ways.T), 2)


def share_kept(X: Float, q: Float, k: int) -> Float:
    """(bits,) the share of rows that stage 1 keeps with 1, 2, … bits for each number; empty for
    large tables.
    """
    if X.size > _QUICK:
        return np.zeros(0)
    columns = np.arange(X.shape[1])
    shares = []
    for bits in range(1, MOST_BITS + 1):
        edges = edges_of(X, bits)
        codes = codes_of(X, edges)
        near, far = gaps(edges[columns, codes], edges[columns, codes + 1], q)
        kth = np.partition(length(far), k - 1)[k - 1]
        shares.append(at_most(length(near), kth).mean())
    return np.asarray(shares, np.float64)


class Filed(Search[P]):
    """The examples, and their files for each number of bits."""

    @cached_property
    def shares(self) -> Float:
        """(bits,) the share of examples that stage 1 keeps with 1, 2, … bits; empty for large
        tables.
        """
        return share_kept(self.problem.X, self.query, self.k)
