"""`Grid`: the raster of places at which a surface is evaluated."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.base.arrays import Float
from engine.base.records import Record


class Grid(Record):
    """Columns x (nx,) and rows y (ny,) in plane coordinates.

    A surface over it is (ny, nx), with row 0 at the smallest y.
    """

    x: Float
    y: Float

    @property
    def shape(self) -> tuple[int, int]:
        """(ny, nx), the shape of a surface."""
        return len(self.y), len(self.x)

    def points(self) -> Float:
        """(ny·nx, 2) all places, row by row."""
        return np.column_stack([np.tile(self.x, len(self.y)), np.repeat(self.y, len(self.x))])

    def blocks(self, size: int) -> "tuple[Grid, Float]":
        """(grid of the centres of blocks, (2,) half the extent of the largest block).

        A block has size × size places, the last ones may have fewer.
        """
        ends = [
            (at[::size], at[np.minimum(np.arange(len(at))[::size] + size, len(at)) - 1])
            for at in (self.x, self.y)
        ]
        x, y = ((a + b) / 2 for a, b in ends)
        half = np.array([np.abs(b - a).max() / 2 for a, b in ends])
        return Grid(x, y), half

    def from_blocks(self, values: NDArray[Any], size: int) -> Float:
        """(ny, nx) the values of all places, each from the value of its block."""
        whole = values.repeat(size, axis=0).repeat(size, axis=1)
        return np.array(whole[: len(self.y), : len(self.x)], np.float64)

    @classmethod
    def over(cls, x: tuple[float, float], y: tuple[float, float], size: int) -> "Grid":
        """A grid of size × size cell centres over the ranges x and y."""
        steps = (np.arange(size) + 0.5) / size
        return cls(x[0] + (x[1] - x[0]) * steps, y[0] + (y[1] - y[0]) * steps)
