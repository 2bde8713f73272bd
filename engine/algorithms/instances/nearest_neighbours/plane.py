"""Stored rows as a plane sees them: a tree of at most three dimensions, and blocks of cells settled as a whole. AIMA 18.8.1."""

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from engine.core.arrays import Float, Int
from engine.core.grid import Grid
from engine.numerics.distances import EQUAL, Space, norm
from engine.numerics.nearest import Index

BLOCK = 8  # cells along the side of a block that may be settled as a whole


class PlaneIndex:
    """The same rows seen from a plane: of the hidden columns only one number matters, how far they are from the anchor.

    So a surface asks a tree of at most three dimensions, whatever the table has.
    """

    def __init__(self, space: Space, Z: Float, codes: Int, plane: Sequence[int], anchor: Float) -> None:
        self.codes = codes
        base = np.array(anchor, np.float64)
        base[list(plane)] = 0.0
        origin = space.embed(base[None])[0]
        axes = space.axes(plane)  # (a, e)
        if space.rotation is None:
            along = axes != 0
            seen = along.any(0)
            frame = np.eye(len(origin))[:, seen]
            rest = norm([np.abs(Z[:, j] - origin[j]) for j in np.flatnonzero(~seen)] or [np.zeros(len(Z))], space.p)
        else:
            frame = np.linalg.qr(axes.T)[0]
            away = (Z - origin) - (Z - origin) @ frame @ frame.T
            rest = np.sqrt((away * away).sum(1))
        self.turn = axes @ frame  # (a, f)
        self.flat = frame.shape[1] == len(origin)
        on = (Z - origin) @ frame if space.rotation is not None else (Z - origin)[:, seen]
        sites = on if self.flat else np.column_stack([on, rest])
        view = Space(space.p, np.zeros(sites.shape[1]), np.arange(sites.shape[1]), np.ones(sites.shape[1]))
        self.index = Index(view, np.ascontiguousarray(sites))

    def embed(self, xy: Float) -> Float:
        """(m, 2) plane coordinates -> (m, f) places beside the stored rows."""
        on = xy[:, : len(self.turn)] @ self.turn
        return on if self.flat else np.column_stack([on, np.zeros(len(xy))])

    @cached_property
    def of_class(self) -> dict[int, Index]:
        """One index for the rows of each class that occurs."""
        return {int(c): Index(self.index.space, self.index.Z[self.codes == c]) for c in np.unique(self.codes)}

    def settled(self, grid: Grid, k: int) -> Int:
        """(ny, nx) class of the cells in whose whole neighbourhood the k nearest rows surely agree, −1 elsewhere.

        Within r of a block's middle the k-th row is at most d_k + 2r away from the middle; if no row of another class is
        that near, the block has one class.
        """
        x, y = blocks(grid.x), blocks(grid.y)
        middle = Grid((x[0] + x[1]) / 2, (y[0] + y[1]) / 2)
        places = self.embed(middle.points())
        to_class = np.column_stack([index.nearest(places, 1)[0][:, 0] for index in self.of_class.values()])
        nearest, own = to_class.argmin(1), to_class.min(1)
        kth = own if k == 1 else self.index.nearest(places, k)[0][:, -1]
        to_class[np.arange(len(places)), nearest] = np.inf
        sure = to_class.min(1) > (kth + 2 * self.reach(x, y)) * (1 + EQUAL)
        decided = np.where(sure, np.array(list(self.of_class))[nearest], -1).reshape(middle.shape)
        return np.repeat(np.repeat(decided, BLOCK, 0)[: len(grid.y)], BLOCK, 1)[:, : len(grid.x)]

    def reach(self, x: tuple[Float, Float], y: tuple[Float, Float]) -> float:
        """How far a block's cells are from its middle at most."""
        half = np.array([(x[1] - x[0]).max() / 2, (y[1] - y[0]).max() / 2])
        corners = np.abs(np.array([half, half * [1, -1]])[:, : len(self.turn)] @ self.turn)
        return float(norm(list(corners.T) or [np.zeros(2)], self.index.space.p).max())


def blocks(places: Float) -> tuple[Float, Float]:
    """First and last coordinate of every run of BLOCK ascending places."""
    first = np.arange(0, len(places), BLOCK)
    return places[first], places[np.minimum(first + BLOCK - 1, len(places) - 1)]
