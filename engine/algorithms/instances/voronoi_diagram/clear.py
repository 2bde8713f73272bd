"""All cells at once where nothing but rounding could make them others, from the triangulation of
Delaunay.

The walls of a site are the bisectors to its neighbours in the triangulation. At each corner of its
cell exactly three sites are the nearest; where a fourth is as near, or nearly, rounding could
decide, and bisectors are tried one by one.
"""

from engine.algorithms.instances.parts.delaunay import neighbours
from engine.algorithms.instances.voronoi_diagram.cells import Cell, Diagram
from engine.authoring import Work, np

DOUBT = 1e-8  # of lengths and sines
FAR = 1e6  # half extents: as far away corners are where three sites lie nearly on a line


def clear_cells(diagram: Diagram) -> Work[dict[int, Cell]]:
    """{site: cell} for the cells that are certain; {} where all sites lie nearly on a line."""
    pairs = diagram.sites[neighbours(diagram.unit[diagram.sites])]
    walls: dict[int, list[int]] = {}
    for p, q in pairs.tolist():
        walls.setdefault(p, []).append(q)
        walls.setdefault(q, []).append(p)
    cells = {}
    for site, others in walls.items():
        cells[site] = diagram.behind(site, np.array(others))
        yield
    doubtful = {site for site, cell in cells.items() if parallel(diagram, cell)}
    doubtful |= near_fourth(diagram, list(cells.values()))
    for site in list(doubtful):
        doubtful.update(walls[site])  # a neighbour could be one no more
    return {site: cell for site, cell in cells.items() if site not in doubtful}


def parallel(diagram: Diagram, cell: Cell) -> bool:
    """Whether two walls that follow one another are parallel, or nearly so."""
    way = diagram.points[cell.walls] - diagram.points[cell.site]
    unit = way / np.hypot(way[:, 0], way[:, 1])[:, None]
    left = np.roll(unit, -1, axis=0)
    sine = unit[:, 0] * left[:, 1] - unit[:, 1] * left[:, 0]
    return bool((np.abs(sine) < DOUBT).any())


def near_fourth(diagram: Diagram, cells: list[Cell]) -> set[int]:
    """The sites whose cell has a corner to which four sites or more are nearly equally near."""
    from scipy.spatial import cKDTree

    if not cells:
        return set()
    corners = diagram.to_unit(np.concatenate([cell.ring[cell.own] for cell in cells]))
    site = np.repeat([cell.site for cell in cells], [cell.corners for cell in cells])
    away = corners - diagram.unit[site]
    radius = np.hypot(away[:, 0], away[:, 1])
    room = DOUBT * (1 + radius)
    four, _ = cKDTree(diagram.unit[diagram.sites]).query(corners, k=4)
    nearest = (four <= (radius + room)[:, None]).sum(axis=1)
    return set(site[(nearest != 3) | ~(radius < FAR)].tolist())
