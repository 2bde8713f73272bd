"""Hypotheses that ask something of every column: a value, or nothing, of a column of words; an
interval of one of numbers. ML 7.3.2, Ex 7.4, 7.6.

Both kinds are one: a box with a low and a high border in every column. A value v is the interval
from v to v, and “?” all of them.
"""

from collections.abc import Iterator
from typing import TypeVar

from engine.authoring import Bool, Float, Grid, Int, Record, Setting, cached_property, frozen, np

P = TypeVar("P")


class Box(Record):
    """low, high (d,): where it holds, borders included; the empty box has +∞ below −∞."""

    low: Float
    high: Float

    @property
    def empty(self) -> bool:
        return bool((self.low > self.high).any())

    def covers(self, X: Float) -> Bool:
        """(m,) rows of X (m, d) in which every value lies between the borders; a missing one does
        not.
        """
        return np.asarray(((self.low <= X) & (self.high >= X)).all(axis=-1))


def empty_box(d: int) -> Box:
    return Box(frozen(np.full(d, np.inf)), frozen(np.full(d, -np.inf)))


class Boxed(Setting[P]):
    """X (n, d); stream: the labelled rows in the order of the table; words (d,) which columns hold
    values without an order, of which a hypothesis asks for one or for none; least, most (d,) the
    borders of “?”.
    """

    @cached_property
    def X(self) -> Float:
        return self.problem.X

    @cached_property
    def stream(self) -> Int:
        return frozen(np.flatnonzero(self.problem.labelled))

    @cached_property
    def words(self) -> Bool:
        return np.array([not feature.numeric for feature in self.problem.features], dtype=bool)

    @cached_property
    def least(self) -> Float:
        return np.where(self.words, 0.0, -np.inf)

    @cached_property
    def most(self) -> Float:
        sizes = [len(feature.categories) - 1.0 for feature in self.problem.features]
        return np.where(self.words, sizes, np.inf)

    @cached_property
    def bound(self) -> int | None:
        """How many mistakes FIND-S makes at most: the first positive, and one for every column; ML
        7.5.1. None with numbers.
        """
        return self.problem.d + 1 if self.words.all() else None

    def positive(self, row: int) -> bool:
        return bool(self.problem.codes[row] == 0)

    def joined(self, box: Box, x: Float) -> Box:
        """The least box round `box` and a row x (d,): of words that differ none is asked for any
        more.
        """
        low = np.minimum(box.low, x)
        high = np.maximum(box.high, x)
        wide = self.words & (low < high)
        return Box(frozen(np.where(wide, self.least, low)), frozen(np.where(wide, self.most, high)))

    def wrong(self, box: Box) -> int:
        """How many rows of the table the box has on the wrong side."""
        return int(
            np.count_nonzero(
                (box.covers(self.X) != (self.problem.codes == 0)) & self.problem.labelled
            )
        )

    def asks(self, box: Box) -> int:
        """How many columns the box asks something of."""
        return (
            self.problem.d
            if box.empty
            else int(((box.low > self.least) | (box.high < self.most)).sum())
        )

    def codes(self, X: Float, holds: Bool) -> Int:
        """(m,) the first class where a hypothesis holds, the second elsewhere; −1 where a value is
        missing.
        """
        return np.where(np.isnan(X).any(axis=1), -1, np.where(holds, 0, 1))

    def sides(self, grid: Grid) -> "Iterator[tuple[int, Float, tuple[int, int]]]":
        """Of every column its places on the grid, one along an axis: (column, values, shape for the
        raster).
        """
        plane = self.problem.plane
        for j in range(self.problem.d):
            if j in plane[:1]:
                yield j, grid.x, (1, -1)
            elif j in plane[1:]:
                yield j, grid.y, (-1, 1)
            else:
                yield j, self.problem.anchor[[j]], (1, 1)

    def shade(self, low: Float, high: Float, grid: Grid, closed: bool = True) -> Bool:
        """(ny, nx) where a box holds: an outer product of what each axis says; closed: with its
        borders.
        """
        held = np.ones(grid.shape, dtype=bool)
        for j, v, shape in self.sides(grid):
            inside = (low[j] <= v) & (v <= high[j]) if closed else (low[j] < v) & (v < high[j])
            held &= inside.reshape(shape)
        return held
