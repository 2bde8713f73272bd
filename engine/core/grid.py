"""The raster of places at which a surface is evaluated."""

import numpy as np

from engine.core.arrays import Float
from engine.core.records import dataclass


@dataclass(frozen=True, eq=False)
class Grid:
    """Columns x (nx,) and rows y (ny,) of plane coordinates; a field returns (ny, nx), row 0 at the smallest y."""

    x: Float
    y: Float

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.y), len(self.x)

    def points(self) -> Float:
        """(ny·nx, 2) all places, row by row."""
        return np.column_stack([np.tile(self.x, len(self.y)), np.repeat(self.y, len(self.x))])

    @classmethod
    def over(cls, x: tuple[float, float], y: tuple[float, float], size: int) -> "Grid":
        """size × size cell centres over the ranges x and y."""
        steps = (np.arange(size) + 0.5) / size
        return cls(x[0] + (x[1] - x[0]) * steps, y[0] + (y[1] - y[0]) * steps)
