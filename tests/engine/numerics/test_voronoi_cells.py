"""Cells cut one by one are the cells of the nearest sites, and their edges those of Qhull (MMDS 12.4.2)."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.numerics.voronoi import BOX, voronoi_edges
from engine.numerics.voronoi_cells import Cell, Diagram, clipped


def points_of(seed: int, n: int, kind: str) -> np.ndarray:
    rng = np.random.default_rng(seed)
    if kind == "grid":
        return rng.integers(0, 4, (n, 2)).astype(float)
    if kind == "collinear":
        return rng.integers(-5, 6, (n, 1)) * np.array([[2.0, 1.0]]) + [3.0, -1.0]
    if kind == "far off":
        return rng.normal(size=(n, 2)) * 1e-3 + 1e3
    return rng.normal(size=(n, 2))


kinds = st.sampled_from(["normal", "grid", "collinear", "far off"])
cases = (st.integers(0, 10_000), st.integers(1, 20), kinds)


def cells_of(diagram: Diagram) -> list[Cell]:
    cells = []
    for site in diagram.sites.tolist():
        cell = diagram.box(site)
        for other in diagram.sites[diagram.sites != site].tolist():
            cell = diagram.cut(cell, other)
        cells.append(cell)
    return cells


def area(diagram: Diagram, cell: Cell) -> float:
    x, y = diagram.to_unit(cell.ring).T
    return 0.5 * float(x @ np.roll(y, -1) - y @ np.roll(x, -1))


def beyond(ring: np.ndarray, place: np.ndarray) -> float:
    """How far a place is outside a ring that turns left; negative inside."""
    way = np.roll(ring, -1, axis=0) - ring
    normal = np.column_stack([way[:, 1], -way[:, 0]]) / np.hypot(*way.T)[:, None]
    return float(((place - ring) * normal).sum(1).max())


@settings(deadline=None)
@given(*cases)
def test_every_place_is_in_the_cell_of_its_nearest_site(seed: int, n: int, kind: str) -> None:
    points = points_of(seed, n, kind)
    diagram = Diagram(points)
    cells = cells_of(diagram)
    places = points.mean(0) + np.random.default_rng(seed + 1).uniform(-3, 3, (30, 2)) * diagram.half
    for place in places:
        d = np.linalg.norm(points[diagram.sites] - place, axis=1)
        outside = [beyond(cell.ring, place) for cell in cells]
        assert outside[int(d.argmin())] <= 1e-8 * diagram.half
        for i in np.flatnonzero(d > d.min() + 1e-6 * diagram.half):
            assert outside[i] > 0


@settings(deadline=None)
@given(*cases)
def test_the_edges_are_those_of_qhull(seed: int, n: int, kind: str) -> None:
    points = points_of(seed, n, kind)
    diagram = Diagram(points)
    expected = voronoi_edges(points)
    long = np.linalg.norm(expected.ends[:, 0] - expected.ends[:, 1], axis=1) > 1e-5 * diagram.half
    found = {cell.site: cell for cell in cells_of(diagram)}
    for (a, b), ends in zip(expected.between[long].tolist(), expected.ends[long], strict=True):
        for site, other in ((a, b), (b, a)):
            cell = found[site]
            assert other in cell.across
            edge = int(np.flatnonzero(cell.across == other)[0])
            corners = np.stack([cell.ring[edge], cell.ring[(edge + 1) % len(cell.ring)]])
            same = min(np.abs(corners - ends).max(), np.abs(corners[::-1] - ends).max())
            assert same < 1e-5 * diagram.half


@settings(deadline=None)
@given(*cases)
def test_the_cells_share_out_the_box(seed: int, n: int, kind: str) -> None:
    diagram = Diagram(points_of(seed, n, kind))
    total = sum(area(diagram, cell) for cell in cells_of(diagram))
    assert np.isclose(total, (2 * BOX) ** 2, rtol=1e-7)


@settings(deadline=None)
@given(*cases)
def test_sites_beyond_twice_the_farthest_corner_do_not_cut(seed: int, n: int, kind: str) -> None:
    diagram = Diagram(points_of(seed, n, kind))
    for cell in cells_of(diagram):
        others, distances = diagram.others(cell.site)
        assert (np.diff(distances) >= 0).all()
        early, reach = diagram.box(cell.site), np.inf
        for other, distance in zip(others.tolist(), distances.tolist(), strict=True):
            if distance > 2 * reach:
                break
            early = diagram.cut(early, other)
            reach = diagram.reach(early)
        assert np.isclose(area(diagram, early), area(diagram, cell), rtol=1e-7)


def test_a_line_through_a_corner_cuts_nothing_off() -> None:
    """Four sites of a square: the opposite one touches the cell at one corner only."""
    diagram = Diagram(np.array([[0.0, 0.0], [2.0, 0.0], [0.0, 2.0], [2.0, 2.0]]))
    cell = diagram.cut(diagram.cut(diagram.box(0), 1), 2)
    assert diagram.cut(cell, 3) is cell
    assert [1.0, 1.0] in cell.ring.tolist()


def test_a_square_cut_in_half_by_hand() -> None:
    ring = [[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]]
    left = list(clipped(ring, [-1.0, 1.0, 1.0, -1.0], [10, 11, 12, 13], 99))
    assert left == [([0.0, 0.0], 10), ([1.0, 0.0], 99), ([1.0, 2.0], 12), ([0.0, 2.0], 13)]


def test_a_cut_along_the_diagonal_keeps_three_corners() -> None:
    ring = [[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]]
    left = list(clipped(ring, [0.0, -1.0, 0.0, 1.0], [10, 11, 12, 13], 99))
    assert left == [([0.0, 0.0], 10), ([2.0, 0.0], 11), ([2.0, 2.0], 99)]


def test_copies_have_the_first_as_site() -> None:
    diagram = Diagram(np.array([[1.0, 0.0], [0.0, 0.0], [1.0, 0.0]]))
    assert diagram.sites.tolist() == [0, 1]
    assert diagram.first_at(2) == 0
