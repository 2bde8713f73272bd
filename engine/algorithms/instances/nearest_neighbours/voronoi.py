"""Voronoi cells of points in the plane: edges on perpendicular bisectors, with the two points each edge parts. MMDS 12.4.2."""

from dataclasses import dataclass

import numpy as np

from engine.algorithms.instances.parts import BOX
from engine.core.arrays import Float, Int, frozen

_GUARD = 100.0  # four points this far out bound every cell; none of them is nearest to a place inside the box
_SAME = 1e-9  # points closer than this share of the extent are one site


@dataclass(frozen=True, eq=False)
class Edges:
    """ends (m, 2, 2) of the cell edges, clipped to a box far larger than the data; between (m, 2) the points at both sides;
    sites (s,) the point that owns each cell: of points at one place the first."""

    ends: Float
    between: Int
    sites: Int


def voronoi_edges(points: Float) -> Edges:
    """The edges of the Voronoi diagram of points (n, 2), n ≥ 1; copies, collinear points, one, two or three points included."""
    low, high = points.min(0), points.max(0)
    middle, half = (low + high) / 2, float((high - low).max()) / 2
    unit = (points - middle) / (half or 1.0)
    sites = first_of_each(unit)
    if len(sites) == 1:
        return Edges(frozen(np.zeros((0, 2, 2))), frozen(np.zeros((0, 2)), np.intp), frozen(sites))
    between, ends = ridges(unit[sites])
    ends, kept = clip(ends, BOX)
    return Edges(frozen(ends * half + middle), frozen(sites[between[kept]]), frozen(sites))


def first_of_each(unit: Float) -> Int:
    """Ascending indices of the first point at each place."""
    _, first = np.unique(np.round(unit / _SAME).astype(np.int64), axis=0, return_index=True)
    return np.sort(first)


def ridges(sites: Float) -> tuple[Int, Float]:
    """(pairs (m, 2) of sites, ends (m, 2, 2)) of all edges, by Qhull; with the guards every cell of a site is bounded."""
    from scipy.spatial import Voronoi

    guards = _GUARD * np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]])
    diagram = Voronoi(np.vstack([sites, guards]))
    pairs = np.asarray(diagram.ridge_points)
    inner = np.flatnonzero((pairs < len(sites)).all(1))
    vertices = np.array([diagram.ridge_vertices[i] for i in inner], dtype=np.intp).reshape(-1, 2)
    ends = diagram.vertices[vertices]
    long = (np.abs(ends[:, 0] - ends[:, 1]) > _SAME).any(1)
    return np.asarray(pairs[inner][long], np.intp), ends[long]


def clip(ends: Float, half: float) -> tuple[Float, Int]:
    """(pieces inside the square of side 2·half round the origin, their indices), after Liang and Barsky."""
    start, way = ends[:, 0], ends[:, 1] - ends[:, 0]
    with np.errstate(divide="ignore", invalid="ignore"):
        hits = np.stack([(-half - start) / way, (half - start) / way])  # (2, m, 2)
    inside = np.abs(start) <= half
    enter = np.where(way == 0, np.where(inside, -np.inf, np.inf), hits.min(0)).max(1).clip(min=0)
    leave = np.where(way == 0, np.where(inside, np.inf, -np.inf), hits.max(0)).min(1).clip(max=1)
    kept = np.flatnonzero(enter < leave)
    pieces = start[kept, None] + np.stack([enter[kept], leave[kept]], 1)[..., None] * way[kept, None]
    return pieces, kept
