"""Voronoi cells one by one: a box cut down by bisectors, as half-planes cut a convex polygon. MMDS 12.4.2."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from engine.core.arrays import Float, Int, frozen
from engine.numerics.voronoi import BOX, first_of_each

_ON_LINE = 1e-10  # corners nearer than that to a bisector lie on it; the points have the extent 2
NO_SITE = -1


@dataclass(frozen=True, slots=True, eq=False)
class Cell:
    """ring (m, 2): corners in turn; across (m,): the site behind the edge from each corner to the next, −1 the box."""

    site: int
    ring: Float
    across: Int


class Diagram:
    """The points (n, 2) with their bisectors, measured in half extents round their middle. sites: first of each place."""

    def __init__(self, points: Float) -> None:
        low, high = points.min(0), points.max(0)
        self.middle, self.half = low / 2 + high / 2, float((high / 2 - low / 2).max()) or 1.0
        self.unit = (points - self.middle) / self.half
        self.sites = first_of_each(self.unit)

    def first_at(self, point: int) -> int:
        """The site at the place of a point: itself, or the first of its copies."""
        gaps = np.abs(self.unit[self.sites] - self.unit[point]).max(1)
        return int(self.sites[gaps.argmin()])

    def box(self, site: int) -> Cell:
        """A cell before any cut: far larger than the data."""
        corners = BOX * np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])
        return Cell(site, frozen(self.to_plane(corners)), frozen(np.full(4, NO_SITE), np.intp))

    def others(self, site: int) -> tuple[Int, Float]:
        """(all other sites, nearest first, their distances in half extents)."""
        rest = self.sites[self.sites != site]
        distances = np.hypot(*(self.unit[rest] - self.unit[site]).T)
        order = np.argsort(distances, kind="stable")
        return rest[order], distances[order]

    def reach(self, cell: Cell) -> float:
        """The distance to the farthest corner; a site more than twice as far cannot cut."""
        return float(np.hypot(*(self.to_unit(cell.ring) - self.unit[cell.site]).T).max())

    def cut(self, cell: Cell, other: int) -> Cell:
        """What of the cell is nearer to its site than to `other`; the same cell when the bisector passes by."""
        p, q = self.unit[cell.site], self.unit[other]
        ring = self.to_unit(cell.ring)
        over = (ring - (p + q) / 2) @ ((q - p) / np.hypot(*(q - p)))
        over[np.abs(over) <= _ON_LINE] = 0
        if (over <= 0).all():
            return cell
        corners = list(clipped(ring.tolist(), over.tolist(), cell.across.tolist(), other))
        kept = self.to_plane(np.array([corner for corner, _ in corners]))
        return Cell(cell.site, frozen(kept), frozen([site for _, site in corners], np.intp))

    def bisector(self, site: int, other: int) -> Float:
        """(1, 2, 2) all places as near to one as to the other, as far as the box goes."""
        p, q = self.unit[site], self.unit[other]
        way = (q - p) / np.hypot(*(q - p))
        along = 3 * BOX * np.array([-way[1], way[0]])
        return self.to_plane(np.stack([(p + q) / 2 - along, (p + q) / 2 + along]))[None]

    def to_unit(self, xy: Float) -> Float:
        return np.asarray((xy - self.middle) / self.half, np.float64)

    def to_plane(self, unit: Float) -> Float:
        return np.asarray(unit * self.half + self.middle, np.float64)


Corner = tuple[list[float], int]


def clipped(ring: list[list[float]], over: list[float], across: list[int], other: int) -> Iterator[Corner]:
    """The corners left with the site behind the edge that starts there, after Sutherland and Hodgman.

    over: how far each corner is beyond the line, 0 on it
    """
    for i, (a, side) in enumerate(zip(ring, over, strict=True)):
        after = (i + 1) % len(ring)
        b, next_side = ring[after], over[after]
        leaves = side <= 0 < next_side
        if side < 0 or (side == 0 and not leaves):
            yield a, across[i]
        if leaves:
            yield crossing(a, b, side, next_side), other  # from here the new edge runs along the bisector
        elif side > 0 > next_side:
            yield crossing(a, b, side, next_side), across[i]


def crossing(a: list[float], b: list[float], side: float, next_side: float) -> list[float]:
    """Where the edge a–b meets the line."""
    share = side / (side - next_side)
    return [a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])]
