"""The Voronoi diagram by Qhull, to compare with."""

import numpy as np
from scipy.spatial import Voronoi

from engine.algorithms.instances.nearest_neighbours.geometry import Sites, Walls

SHORT = 1e-9  # half extents: shorter walls are corners


def voronoi_walls(points: np.ndarray, codes: np.ndarray) -> Walls:
    """The walls between points (n, 2); copies, collinear points, one, two or three points
    included.
    """
    sites = Sites(points)
    diagram = Voronoi(sites.guarded)
    pairs = np.asarray(diagram.ridge_points)
    inner = np.flatnonzero((pairs < len(sites.at)).all(1))
    corners = np.array([diagram.ridge_vertices[i] for i in inner], dtype=np.intp).reshape(-1, 2)
    ends = diagram.vertices[corners]
    long = (np.abs(ends[:, 0] - ends[:, 1]) > SHORT).any(1)
    between = np.asarray(pairs[inner][long], np.intp)
    first = codes[sites.first]
    return sites.walls(ends[long], between, first[between[:, 0]] != first[between[:, 1]])
