"""Blocks of a raster hold every place, and no place lies farther from the middle of its block than
half of the largest.
"""

import numpy as np
import pytest

from engine.base.grid import Grid


@pytest.mark.parametrize(("columns", "rows"), [(8, 12), (9, 5), (3, 1), (4, 7)])
def test_blocks_hold_every_place(columns: int, rows: int) -> None:
    grid = Grid(np.linspace(-1.0, 2.0, columns), np.linspace(0.0, 5.0, rows))
    middles, half = grid.blocks(4)
    assert middles.shape == (-(-rows // 4), -(-columns // 4))
    x = grid.from_blocks(np.broadcast_to(middles.x, middles.shape), 4)
    y = grid.from_blocks(np.broadcast_to(middles.y[:, None], middles.shape), 4)
    assert x.shape == y.shape == grid.shape
    assert np.abs(x - grid.x).max() == pytest.approx(half[0])
    assert np.abs(y - grid.y[:, None]).max() == pytest.approx(half[1])
