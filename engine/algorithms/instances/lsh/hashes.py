"""Tables of buckets: rows that agree in random bits, or lie in the same strips across random lines.

AIMA 18.8.3.
"""

from functools import lru_cache
from math import comb, prod
from typing import TypeVar

import numpy as np

from engine.algorithms.instances.parts.best import Search
from engine.base.arrays import Float, Int, frozen
from engine.base.errors import EngineError
from engine.base.notation import quoted
from engine.base.records import Record, cached_property
from engine.base.sums import add_up
from engine.numerics.closeness import SHARE
from engine.numerics.distances import norm

P = TypeVar("P")
WIDE = 2.0  # radii: how wide the strips for a radius r are, w = 2 r
SHARES = (16, 8, 4)  # of the widest column: the radii where none are given
ANGLES = 2000  # of a random line at which the distance of two places along it is taken
PAIRS = 300  # rows whose pairs are counted


class Hash(Record):
    """One table of buckets: rows with the same code share one.

    columns: (m,) the bits that it reads; none where it has lines
    lines: (m, d) directions of length 1; none where it reads bits
    offsets: (m,) of the strips across each line
    width: of the strips for its radius
    codes: (b, m) what the rows of each bucket have in common
    bucket: (n,) the number of each row's bucket
    """

    columns: Int
    lines: Float
    offsets: Float
    width: float
    codes: Float
    bucket: Int

    @classmethod
    def of(
        cls,
        X: Float,
        width: float,
        columns: Int | None = None,
        lines: Float | None = None,
        offsets: Float | None = None,
    ) -> "Hash":
        """The hash table of X (n, d): rows share a bucket where these columns agree, or where they
        lie in the same strip of every line.
        """
        if columns is None:
            columns = np.zeros(0, np.intp)
        if lines is None or offsets is None:
            lines = np.zeros((0, X.shape[1]))
            offsets = np.zeros(0)
        found = code_of(X, columns, lines, offsets, width)
        codes, bucket = np.unique(found, axis=0, return_inverse=True)
        return cls(
            frozen(columns),
            frozen(lines),
            frozen(offsets),
            width,
            frozen(codes),
            frozen(bucket.ravel()),
        )

    def code(self, X: Float) -> Float:
        """(n, m) the hash values of rows X (n, d): bits, or numbers of strips."""
        return code_of(X, self.columns, self.lines, self.offsets, self.width)

    def beside(self, q: Float) -> Int:
        """(m,) the rows in the bucket of q (d,); (0,) for an empty one."""
        which = np.flatnonzero((self.codes == self.code(q[None])).all(axis=1))
        if not len(which):
            return which
        return np.flatnonzero(self.bucket == which[0])


def code_of(X: Float, columns: Int, lines: Float, offsets: Float, width: float) -> Float:
    """(n, m) of rows X (n, d) the values of these columns, or where there are none
    ⌊(x · u + b) / w⌋, the numbers of the strips across the lines u in which they lie.
    """
    if len(columns):
        return X[:, columns]
    # added up column by column, which gives the same on every machine
    along = add_up((X[:, j, None] * lines[:, j] for j in range(X.shape[1])), offsets)
    with np.errstate(over="ignore"):
        return np.asarray(np.floor(along / width) + 0.0)


def unit_rows(ways: Float) -> Float:
    """(m, d) the rows of `ways` at length 1."""
    return ways / norm(list(np.abs(ways).T), 2)[:, None]


class Hashing(Search[P]):
    """The radii and distances of a search by hashing, and the chance that it finds a row at a given
    distance.
    """

    @cached_property
    def bitwise(self) -> bool:
        """Whether bits are compared. Raises EngineError where columns hold more than 0 and 1."""
        other = np.flatnonzero(~((self.problem.X == 0) | (self.problem.X == 1)).all(axis=0))
        if self.p.hash == "bits" and len(other):
            name = quoted(self.problem.features[other[0]].name)
            raise EngineError(
                f"Hash by bits needs columns of 0 and 1; {name} holds other numbers. Choose lines,"
                " or other columns."
            )
        return self.p.hash != "lines" and not len(other)

    @cached_property
    def query(self) -> Float:
        """(d,) the query; as bits where bits are compared."""
        query = super().query
        return frozen(np.where(query >= 0.5, 1.0, 0.0)) if self.bitwise else query

    @cached_property
    def radii(self) -> tuple[float, ...]:
        """The radii as set, ascending; else three that suit the data. Raises EngineError for one
        that is not positive.
        """
        if self.p.radii:
            if min(self.p.radii) <= 0:
                raise EngineError("Radii must be distances above 0.")
            return tuple(sorted(set(self.p.radii)))
        if self.bitwise:
            return tuple(float(r) for r in (1, 2, 4) if r <= max(1, self.problem.d // 2))
        span = float((self.problem.X.max(axis=0) / 2 - self.problem.X.min(axis=0) / 2).max()) * 2
        return tuple(float(f"{span / share:.2g}") for share in SHARES) if span > 0 else (1.0,)

    def reach(self, r: float) -> float:
        """The distance that is near enough at radius r, c · r with a margin for rounding."""
        return float(self.p.factor * r * (1 + SHARE))

    def many(self, r: float) -> int:
        """m, the number of hash functions at radius r.

        As set; for bits fewer at larger radii, so that a row at distance r is found with the same
        chance as one at the first radius.
        """
        m = int(self.p.bits)
        d = self.problem.d
        if not self.bitwise:
            return m
        m = min(m, d)
        wanted = alike(d, m, self.radii[0])
        while m > 1 and alike(d, m, r) < wanted:
            m -= 1
        return m

    def distances(self, rows: Int) -> Float:
        """(m,) d = |x − q| of these rows: in how many bits they differ, or straight lines."""
        if self.bitwise:
            return np.asarray(np.abs(self.problem.X[rows] - self.query).sum(axis=1))
        return super().distances(rows)

    # -- chances -----------------------------------------------------------------------------------

    def share(self, d: float, r: float) -> float:
        """The chance that a row at distance d shares a bucket of one table for the radius r."""
        if self.bitwise:
            return alike(self.problem.d, self.many(r), d)
        return strip(self.problem.d, d / (WIDE * r)) ** self.many(r)

    def chance(self, d: float, r: float, tables: int) -> float:
        """The chance that a row at distance d shares the query's bucket in at least one table: 1 −
        (1 − share)^ℓ (AIMA 18.8.3).
        """
        return float(1 - (1 - self.share(d, r)) ** tables)

    def chance_in_all(self, d: float, turns: int, tables: int) -> float:
        """The chance that a row at distance d shares a bucket in any table of the first `turns`
        radii, which are drawn independently.
        """
        alone = ((1 - self.share(d, r)) ** tables for r in self.radii[:turns])
        return float(1 - prod(alone))

    def counted(self, tables: tuple[Hash, ...], edges: Float) -> tuple[Float, Int]:
        """(share (b,), count (b,)) of the pairs of the first rows whose distance lies between two
        edges (b + 1,): which share has a bucket in common, and how many pairs there are.
        """
        a, b, d = self._pairs
        met = np.zeros(len(a), bool)
        for table in tables:
            met |= table.bucket[a] == table.bucket[b]
        ends = np.searchsorted(d, edges)
        many = np.diff(ends)
        together = np.diff(np.append(0, met.cumsum())[ends])
        return together / np.maximum(many, 1), many

    @cached_property
    def _pairs(self) -> tuple[Int, Int, Float]:
        """(one row, the other, how far they are apart) of each pair of the first rows, the nearest
        first.
        """
        X = self.problem.X[:PAIRS]
        a, b = np.triu_indices(len(X), 1)
        gaps = np.abs(X[a] - X[b])
        d = gaps.sum(axis=1) if self.bitwise else norm(list(gaps.T), 2)
        order = d.argsort()
        return a[order], b[order], d[order]


def alike(bits: int, m: int, d: float) -> float:
    """C(B − d, m) / C(B, m): the chance that m random ones of B bits are all among the B − d that
    agree.
    """
    return comb(max(0, bits - int(d)), m) / comb(bits, m)


@lru_cache(maxsize=4096)  # the same places of a curve in each step
def strip(columns: int, share: float) -> float:
    """The chance that two places lie in the same strip across a random line, `share` of a strip's
    width apart: the mean over all directions of what of the width is left, 1 − share · |cos|.
    """
    if columns == 1:
        return max(0.0, 1 - share)
    angle = (np.arange(ANGLES) + 0.5) * (np.pi / 2 / ANGLES)
    weight = np.sin(angle) ** (columns - 2)
    return float((weight * np.maximum(0.0, 1 - share * np.cos(angle))).sum() / weight.sum())
