"""Finds the k nearest of stored rows in exact order (distance, then row number), with a k-d tree.

AIMA 18.8.1-18.8.2.
"""

from typing import Any

import numpy as np

from engine.base.arrays import Float, Int
from engine.base.records import cached_property
from engine.numerics.closeness import SPARE_BITS, more, tidy
from engine.numerics.distances import Space

# numbers per intermediate array; larger tables of distances are made in parts
_ENTRIES = 2_000_000
# above it powers of gaps vanish inside the tree: candidates come from L^∞, distances from `norm`
_HIGH_P = 16
_PLAIN = 3  # columns up to which splits at the middle do as well
_ROW = (1 << SPARE_BITS) - 1


def tree_of(Z: Float) -> Any:
    """A k-d tree of the rows Z (n, e).

    With few columns, splits at the middle of a box do as well as medians.
    """
    from scipy.spatial import cKDTree

    pays = Z.shape[1] > _PLAIN
    return cKDTree(Z, balanced_tree=pays, compact_nodes=pays)


class Index:
    """Searches the rows Z (n, e) of `space`; the tree is built on first use."""

    def __init__(self, space: Space, Z: Float) -> None:
        self.space, self.Z = space, Z
        self.p = float("inf") if space.p > _HIGH_P else space.p

    @cached_property
    def _groups(self) -> tuple[Int, Int, Int]:
        """(order, start, count) of groups of equal rows.

        Equal rows are adjacent in `order`, ascending; group g is order[start[g]:][:count[g]].
        """
        order = np.lexsort(self.Z.T)
        Z = self.Z[order]
        new = np.ones(len(Z), dtype=bool)
        new[1:] = (Z[1:] != Z[:-1]).any(1)
        start = np.flatnonzero(new)
        return order, start, np.diff(np.append(start, len(Z)))

    @cached_property
    def _tree(self) -> Any:
        order, start, _ = self._groups
        return tree_of(self.Z[order[start]])

    def nearest(self, Q: Float, k: int) -> tuple[Float, Int]:
        """(distances (m, k), rows (m, k)) of the k ≤ n nearest rows to each of Q (m, e), nearest
        first.

        At equal distances the lower row number comes first.
        """
        order, start, count = self._groups
        if self.space.bent or self._worth_scanning(k + 1, k):
            return self.scan(Q, k)
        near, groups = self._ask(Q, k + 1)
        distances = near[:, :k]
        rows = order[start[groups[:, :k]]]
        clear = np.isfinite(near[:, -1])
        for j in range(k):  # column by column: reductions over a short last axis are slow
            clear &= more(near[:, j + 1], near[:, j])
        if k > 1 and len(count) < len(order):
            clear &= (count[groups] == 1).all(1)
        if self.p != self.space.p:
            clear[:] = False
        hard = np.flatnonzero(~clear)
        if len(hard):
            distances, rows = distances.copy(), rows.copy()
            distances[hard], rows[hard] = self._hard(Q[hard], k)
        return distances, rows

    def of_one_class(self, Q: Float, k: int, codes: Int, reach: float) -> Int:
        """(m,) the common class of the k nearest rows of all places within `reach` of each of Q,
        else −1.

        Within `reach` the k-th neighbour is at most `reach` farther away, and rows of other classes
        at most `reach` nearer. A −1 may be cautious.
        """
        distances, rows = self.nearest(Q, k)
        found = codes[rows[:, 0]]
        for c in np.unique(found).tolist():
            here = np.flatnonzero(found == c)
            others = self.Z[codes != c]
            if len(others):
                # L^∞ is a lower bound, so this is safe; ∞ means overflow and proves nothing
                away = tree_of(others).query(Q[here], p=self.p)[0]
                sure = more(away, distances[here, -1] + 2 * reach) & (away < np.inf)
                found[here[~sure]] = -1
        return found

    def scan(self, Q: Float, k: int) -> tuple[Float, Int]:
        """The same as `nearest`, by measuring all distances.

        Distance and row number are packed into one integer, so one selection orders by both.
        """
        size = max(1, _ENTRIES // len(self.Z))
        distances, rows = np.empty((len(Q), k)), np.empty((len(Q), k), np.intp)
        for at in range(0, len(Q), size):
            d = self.space.distance(Q[at : at + size, None], self.Z[None])
            keys = (tidy(d).view(np.int64) & ~_ROW) | np.arange(len(self.Z))
            best = np.sort(np.partition(keys, k - 1, axis=1)[:, :k], axis=1) & _ROW
            rows[at : at + size], distances[at : at + size] = (
                best,
                np.take_along_axis(d, best, axis=1),
            )
        return distances, rows

    def _worth_scanning(self, groups: int, k: int) -> bool:
        """Whether a scan beats the tree: too large a share of the rows is wanted, or too few groups
        exist.
        """
        _, _, count = self._groups
        return groups > len(count) or 4 * groups * min(k, int(count.max())) >= len(self.Z)

    def _ask(self, Q: Float, groups: int) -> tuple[Float, Int]:
        near, index = self._tree.query(Q, groups, p=self.p)
        shape = (len(Q), groups)
        return near.reshape(shape), np.minimum(index.reshape(shape), self._tree.n - 1)

    def _hard(self, Q: Float, k: int) -> tuple[Float, Int]:
        """`nearest` for ties, copies of rows and high p.

        Doubles the number of candidates until the last is surely farther than the k-th.
        """
        distances, rows = np.empty((len(Q), k)), np.empty((len(Q), k), np.intp)
        open_ = np.arange(len(Q))
        wanted = 2 * (k + 1)
        while len(open_) and not self._worth_scanning(wanted, k):
            near, groups = self._ask(Q[open_], wanted)
            distances[open_], rows[open_] = self._sorted(Q[open_], groups, k)
            done = np.isfinite(near[:, -1]) & more(near[:, -1], distances[open_, -1])
            open_ = open_[~done]
            wanted = 2 * wanted
        if len(open_):
            distances[open_], rows[open_] = self.scan(Q[open_], k)
        return distances, rows

    def _sorted(self, Q: Float, groups: Int, k: int) -> tuple[Float, Int]:
        """The first k rows of the candidate groups (m, c), by distance and row number."""
        order, start, count = self._groups
        copies = np.arange(min(k, int(count.max())))
        d = self.space.distance(Q[:, None], self.Z[order[start[groups]]])
        there = copies < count[groups][..., None]
        rows = order[np.minimum(start[groups][..., None] + copies, len(order) - 1)]
        d = np.where(there, d[..., None], np.inf).reshape(len(Q), -1)
        rows = np.where(there, rows, len(order)).reshape(len(Q), -1)
        best = np.lexsort((rows, tidy(d)), axis=-1)[:, :k]
        return np.take_along_axis(d, best, axis=1), np.take_along_axis(rows, best, axis=1)
