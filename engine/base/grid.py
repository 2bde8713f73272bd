"""The raster of places at which a surface is evaluated."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.base.arrays import Float
from engine.base.records import Record


class Grid(Record):
    """Columns x (nx,) and rows y (ny,) of plane coordinates; a field returns (ny, nx), row 0 at the
    smallest y.
    """

    x: Float
    y: Float

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.y), len(self.x)

    def points(self) -> Float:
        """(ny·nx, 2) all places, row by row."""
        return np.column_stack([np.tile(self.x, len(self.y)), np.repeat(self.y, len(self.x))])

    def blocks(self, size: int) -> "tuple[Grid, Float]":
        """The middles of blocks of size × size places, of which the last may be smaller; (2,) half
        of the largest.
        """
        ends = [
            (at[::size], at[np.minimum(np.arange(len(at))[::size] + size, len(at)) - 1])
            for at in (self.x, self.y)
        ]
        x, y = ((a + b) / 2 for a, b in ends)
        half = np.array([np.abs(b - a).max() / 2 for a, b in ends])
        return Grid(x, y), half

    def from_blocks(self, values: NDArray[Any], size: int) -> Float:
        """(ny, nx) the values of all places from those of their blocks."""
        whole = values.repeat(size, axis=0).repeat(size, axis=1)
        return np.array(whole[: len(self.y), : len(self.x)], np.float64)

    @classmethod
    def over(cls, x: tuple[float, float], y: tuple[float, float], size: int) -> "Grid":
        """size × size cell centres over the ranges x and y."""
        steps = (np.arange(size) + 0.5) / size
        return cls(x[0] + (x[1] - x[0]) * steps, y[0] + (y[1] - y[0]) * steps)
