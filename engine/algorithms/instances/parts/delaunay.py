"""Which places are neighbours: the triangulation of Delaunay. MMDS 12.4.2."""

import numpy as np

from engine.base.arrays import Float, Int


def neighbours(places: Float) -> Int:
    """(m, 2) the pairs of places (n, 2) whose Voronoi cells share an edge, or nearly; each once.

    None where all places lie on a line, or nearly so.
    """
    from scipy.spatial import Delaunay, QhullError

    try:
        triangles = Delaunay(places).simplices
    except (QhullError, ValueError):
        return np.zeros((0, 2), np.intp)
    sides = triangles[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2)
    return np.unique(np.sort(sides, axis=1), axis=0).astype(np.intp)
