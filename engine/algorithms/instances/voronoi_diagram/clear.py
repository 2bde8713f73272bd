"""All cells at once, from the triangles of Delaunay: a wall of a site is the bisector to one at the
other end of an edge.
"""

from typing import Any

from engine.algorithms.instances.voronoi_diagram.cells import Cell, Diagram, Ways
from engine.authoring import Bool, Float, Int, frozen, np

DOUBT = 1e-8  # of lengths and sines: where rounding could decide, bisectors are tried one by one
FAR = 1e6  # half extents: as far away corners are where three sites lie nearly on a line


def clear_cells(diagram: Diagram) -> dict[int, Cell]:
    """Cells without a doubt, by site; none where all sites lie on a line, or nearly so."""
    from scipy.spatial import Delaunay, QhullError

    try:
        mesh = Delaunay(diagram.unit[diagram.sites])
    except (QhullError, ValueError):
        return {}
    if len(mesh.coplanar):
        return {}
    # triangles turn left: each edge within is met from both its ends, one of the hull from one
    turn = [1, 2, 0]
    start = mesh.simplices
    end = mesh.simplices[:, turn]
    hull = mesh.neighbors[:, [2, 0, 1]] < 0
    site, wall = (
        np.concatenate([start.ravel(), end[hull]]),
        np.concatenate([end.ravel(), start[hull]]),
    )
    doubtful = near_circles(mesh, diagram.unit[diagram.sites])
    ways = diagram.ways(
        *(diagram.points.take(diagram.sites[ends], axis=0) for ends in (site, wall))
    )
    # by site, then by angle; what rounding brings out of order is parallel
    order = (site + ways.angle / 7).argsort()
    return cut_out(diagram, site[order], wall[order], ways[order], doubtful)


def cut_out(diagram: Diagram, site: Int, wall: Int, ways: Ways, doubtful: Bool) -> dict[int, Cell]:
    """The cells behind walls (m,) of sites (m,), both as places among the sites; those of a site
    follow one another, turning left.
    """
    first = np.append(0, np.flatnonzero(site[1:] != site[:-1]) + 1)
    end = np.append(first[1:], len(site))
    left, right = np.arange(1, len(site) + 1), np.arange(-1, len(site) - 1)
    left[end - 1], right[first] = first, end - 1
    ends, rounding = diagram.ends(ways, np.arange(len(site)), right, left)
    low, high = ends
    sine = ways.unit[:, 0] * ways.unit[left, 1] - ways.unit[:, 1] * ways.unit[left, 0]
    unsure = ~(high - low > DOUBT * (1 + np.where(np.isfinite(rounding), ways.length, 0.0))) | (
        np.abs(sine) < DOUBT
    )
    for places in (site, wall, wall[left], wall[right]):
        doubtful[places[unsure]] = True
    middle, along = diagram.lines(diagram.sites[site], ways)
    with np.errstate(invalid="ignore"):
        rings = frozen(diagram.to_plane(middle + low[:, None] * along))
    across = frozen(diagram.sites[wall], np.intp)
    endless = np.logical_or.reduceat(~np.isfinite(low), first)
    sites = diagram.sites[site[first]]
    sure = ~doubtful[site[first]]
    sizes = end - first
    shut = (each[sure & ~endless].tolist() for each in (sites, first, end))
    cells = {p: Cell(p, rings[a:b], across[a:b]) for p, a, b in zip(*shut, strict=True)}
    # those without end together: one by one they take as long as all others
    left = np.repeat(sure & endless, sizes)
    open_, theirs = (each[sure & endless].tolist() for each in (sites, sizes))
    parts = diagram.shut(open_, theirs, across[left], (middle[left], along[left]), ends[:, left])
    return cells | {cell.site: cell for cell in parts}


def near_circles(mesh: Any, places: Float) -> Bool:
    """(n,) which places lie nearly on the circle round a triangle beside theirs, or round one that
    is nearly flat.
    """
    doubtful = np.zeros(len(places), bool)
    a, b, c = places.take(mesh.simplices.T, axis=0)
    u = b - a
    v = c - a
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        twice = 2 * (u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0])
        uu, vv = (way[:, 0] ** 2 + way[:, 1] ** 2 for way in (u, v))
        away = (
            np.column_stack([v[:, 1] * uu - u[:, 1] * vv, u[:, 0] * vv - v[:, 0] * uu])
            / twice[:, None]
        )
        radius = np.hypot(away[:, 0], away[:, 1])
        doubtful[mesh.simplices[~(radius < FAR)]] = True
        t, k = np.nonzero(mesh.neighbors >= 0)
        beside = mesh.neighbors[t, k]
        other = mesh.simplices[
            beside, (mesh.neighbors.take(beside, axis=0) == t[:, None]).argmax(axis=1)
        ]
        gap = (
            np.hypot(*(places.take(other, axis=0) - a.take(t, axis=0) - away.take(t, axis=0)).T)
            - radius[t]
        )
        near = ~(np.abs(gap) > DOUBT * (1 + radius[t]))
        doubtful[mesh.simplices[t[near]]] = doubtful[other[near]] = True
    return doubtful
