"""Hypotheses that ask something of every column. ML 7.3.2, Ex 7.4, 7.6.

Of a column of words they ask for a value, or for nothing; of one of numbers for an interval. Both
kinds are one: a box with a low and a high border in every column. A value v is the interval
from v to v, and “?” all of them.
"""

from collections.abc import Iterator
from typing import Any, TypeVar

from engine.algorithms.rules.parts import NEGATIVE, POSITIVE, Streamed
from engine.authoring import Bool, Float, Grid, Int, Record, cached_property, frozen, np

P = TypeVar("P")


class Box(Record):
    """A box. low, high: (d,) its borders, included; an empty box has low = +∞ and high = −∞"""

    low: Float
    high: Float

    @property
    def empty(self) -> bool:
        """Whether the box holds nowhere."""
        return bool((self.low > self.high).any())

    def covers(self, X: Float) -> Bool:
        """(m,) rows of X (m, d) in which every value lies between the borders.

        A missing value does not.
        """
        return np.asarray(((self.low <= X) & (self.high >= X)).all(axis=-1))


class Boxed(Streamed[P]):
    """A table of numbers and words over which hypotheses are boxes."""

    @cached_property
    def words(self) -> Bool:
        """(d,) which columns hold words, of which a box requires one or none."""
        return np.array([not feature.numeric for feature in self.problem.features], dtype=bool)

    @cached_property
    def least(self) -> Float:
        """(d,) the low borders of an unrestricted box."""
        return np.where(self.words, 0.0, -np.inf)

    @cached_property
    def most(self) -> Float:
        """(d,) the high borders of an unrestricted box."""
        sizes = [len(feature.categories) - 1.0 for feature in self.problem.features]
        return np.where(self.words, sizes, np.inf)

    @cached_property
    def bound(self) -> int | None:
        """n + 1, the most mistakes that FIND-S makes over n columns of words. ML 7.5.1.

        The first positive example costs one, each column one at most. None with numbers.
        """
        return self.problem.d + 1 if self.words.all() else None

    def box(self, low: Float, high: Float) -> Box:
        """The box with these borders (d,); a column of words whose borders differ is
        unrestricted.
        """
        differ = self.words & (low < high)
        return Box(
            frozen(np.where(differ, self.least, low)), frozen(np.where(differ, self.most, high))
        )

    def wrong(self, box: Box) -> int:
        """The number of labelled rows that the box puts on the wrong side."""
        wrong = box.covers(self.X) != (self.problem.codes == POSITIVE)
        return int(np.count_nonzero(wrong & self.problem.labelled))

    def asks(self, box: Box) -> int:
        """The number of columns that the box restricts."""
        if box.empty:
            return self.problem.d
        return int(((box.low > self.least) | (box.high < self.most)).sum())

    def codes(self, X: Float, holds: Bool) -> Int:
        """(m,) the first class where a hypothesis holds, the second elsewhere; −1 where a value of
        X (m, d) is missing.
        """
        codes = np.where(holds, POSITIVE, NEGATIVE)
        return np.where(np.isnan(X).any(axis=1), -1, codes)

    def sides(self, grid: Grid) -> Iterator[tuple[int, Float, tuple[int, int]]]:
        """For every column (column, its values on the grid, their shape that broadcasts to the
        raster).

        A column off the plane has a single value.
        """
        across = self.problem.plane[:1]
        up = self.problem.plane[1:]
        for j in range(self.problem.d):
            if j in across:
                yield j, grid.x, (1, -1)
            elif j in up:
                yield j, grid.y, (-1, 1)
            else:
                yield j, self.problem.anchor[[j]], (1, 1)

    def shade(self, low: Float, high: Float, grid: Grid, closed: bool = True) -> Bool:
        """(ny, nx) where a box holds: an outer product of what each axis says.

        closed: its borders belong to it.
        """
        covered = np.ones(grid.shape, dtype=bool)
        for j, values, shape in self.sides(grid):
            inside = between_borders(values, low[j], high[j], closed)
            covered &= inside.reshape(shape)
        return covered


def between_borders(values: Any, low: Any, high: Any, closed: bool) -> Bool:
    """Whether values lie between borders, elementwise. closed: borders are included"""
    inside = (low <= values) & (values <= high) if closed else (low < values) & (values < high)
    return np.asarray(inside)
