"""Cells cut one by one are the cells of the nearest sites, and their edges those of Qhull and of
exact fractions (MMDS 12.4.2).
"""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial import Delaunay, Voronoi

from engine.algorithms.instances.parts import BOX
from engine.algorithms.instances.voronoi_diagram.cells import Cell, Diagram
from engine.algorithms.instances.voronoi_diagram.clear import clear_cells
from engine.base.work import finished
from tests.engine.algorithms.instances.qhull import voronoi_walls

pytestmark = pytest.mark.slow


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


@settings(max_examples=30, deadline=None)
@given(*cases)
def test_every_place_is_in_the_cell_of_its_nearest_site(seed: int, n: int, kind: str) -> None:
    points = points_of(seed, n, kind)
    diagram = Diagram(points)
    cells = [diagram.shown(cell) for cell in cells_of(diagram)]
    places = points.mean(0) + np.random.default_rng(seed + 1).uniform(-3, 3, (30, 2)) * diagram.half
    for place in places:
        d = np.linalg.norm(points[diagram.sites] - place, axis=1)
        outside = [beyond(cell.ring, place) for cell in cells]
        assert outside[int(d.argmin())] <= 1e-8 * diagram.half
        for i in np.flatnonzero(d > d.min() + 1e-6 * diagram.half):
            assert outside[i] > 0


@settings(max_examples=30, deadline=None)
@given(*cases)
def test_the_edges_are_those_of_qhull(seed: int, n: int, kind: str) -> None:
    points = points_of(seed, n, kind)
    diagram = Diagram(points)
    expected = voronoi_walls(points, np.arange(len(points)))
    long = np.linalg.norm(expected.ends[:, 0] - expected.ends[:, 1], axis=1) > 1e-5 * diagram.half
    found = {cell.site: diagram.shown(cell) for cell in cells_of(diagram)}
    for (a, b), ends in zip(expected.between[long].tolist(), expected.ends[long], strict=True):
        for site, other in ((a, b), (b, a)):
            cell = found[site]
            assert other in cell.across
            edge = int(np.flatnonzero(cell.across == other)[0])
            corners = np.stack([cell.ring[edge], cell.ring[(edge + 1) % len(cell.ring)]])
            same = min(np.abs(corners - ends).max(), np.abs(corners[::-1] - ends).max())
            assert same < 1e-5 * diagram.half


@settings(max_examples=30, deadline=None)
@given(*cases)
def test_the_cells_share_out_the_box(seed: int, n: int, kind: str) -> None:
    diagram = Diagram(points_of(seed, n, kind))
    total = sum(area(diagram, diagram.shown(cell)) for cell in cells_of(diagram))
    assert np.isclose(total, (2 * BOX) ** 2, rtol=1e-7)


@settings(max_examples=30, deadline=None)
@given(*cases)
def test_sites_beyond_twice_the_farthest_corner_do_not_cut(seed: int, n: int, kind: str) -> None:
    diagram = Diagram(points_of(seed, n, kind))
    for cell in cells_of(diagram):
        others, distances = diagram.others(cell.site)
        assert (np.diff(distances) >= 0).all()
        early = diagram.box(cell.site)
        reach = np.inf
        for other, distance in zip(others.tolist(), distances.tolist(), strict=True):
            if distance > 2 * reach:
                break
            early = diagram.cut(early, other)
            reach = diagram.reach(early)
        assert early.across.tolist() == cell.across.tolist()


def found_in(points: np.ndarray) -> tuple[set[tuple[int, int]], set[int]]:
    """(pairs of sites with an edge between them, sites whose cell has no end); both sides of an
    edge know of it.
    """
    cells = cells_of(Diagram(points))
    walls = [(cell.site, other) for cell in cells for other in cell.walls.tolist()]
    assert {(b, a) for a, b in walls} == set(walls)
    assert len(walls) == len(set(walls))
    return {(a, b) for a, b in walls if a < b}, {cell.site for cell in cells if cell.endless}


@settings(max_examples=25)
@given(
    st.integers(0, 10_000),
    st.integers(4, 40),
    st.sampled_from([0, 2, 4, 6]),
    st.sampled_from([0.0, 1e3]),
)
def test_edges_and_cells_without_end_are_those_of_qhull_however_flat_the_sites_lie(
    seed: int, n: int, flat: int, away: float
) -> None:
    """In a strip a millionth as wide as long corners lie a million extents out; not one edge is
    lost.
    """
    points = np.random.default_rng(seed).normal(size=(n, 2)) * [1, 10.0**-flat] + away
    pairs, endless = found_in(points)
    assert pairs == {
        (min(pair), max(pair)) for pair in Voronoi(points - away).ridge_points.tolist()
    }
    assert endless == set(Delaunay(points - away).convex_hull.ravel().tolist())


def exact(points: np.ndarray) -> tuple[set[tuple[int, int]], set[int]]:
    """The same by fractions: on the bisector of p and q a place is a number t, and every other site
    leaves a half-line.
    """
    places = [tuple(map(Fraction, row)) for row in points.tolist()]
    first = {place: i for i, place in reversed(list(enumerate(places)))}
    pairs, endless = set(), set()
    for p, a in first.items():
        for q, b in first.items():
            low, high = None, None
            hidden = False
            for r in set(first) - {p, q} if a < b else ():
                turn = (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])
                room = (r[0] - p[0]) * (r[0] - q[0]) + (r[1] - p[1]) * (r[1] - q[1])
                if turn == 0:
                    hidden |= room < 0
                elif turn > 0:
                    high = room / turn if high is None else min(high, room / turn)
                else:
                    low = room / turn if low is None else max(low, room / turn)
            if a < b and not hidden and (low is None or high is None or low < high):
                pairs.add((a, b))
                endless |= {a, b} if low is None or high is None else set()
    return pairs, endless if len(first) > 1 else set(first.values())


corners = st.tuples(st.integers(-4, 4), st.integers(-4, 4))
decimals = st.tuples(st.integers(-9, 9), st.integers(-9, 9))


@settings(max_examples=30, deadline=None)
@given(st.lists(corners, min_size=1, max_size=14), st.sampled_from([0, 1_000_000]))
def test_squares_lines_and_copies_as_in_exact_fractions(
    places: list[tuple[int, int]], away: int
) -> None:
    points = np.array(places, float) + away
    assert found_in(points) == exact(points)


@settings(max_examples=30, deadline=None)
@given(st.lists(decimals, min_size=2, max_size=12), st.sampled_from([10, 30, 700]))
def test_decimals_lie_on_lines_and_circles_as_on_paper(
    places: list[tuple[int, int]], of: int
) -> None:
    """Tenths, thirtieths, as they are rounded; the whole numbers above them are the paper."""
    assert found_in(np.array(places) / of) == exact(np.array(places, float))


@pytest.mark.parametrize("n", [3, 5, 40])
def test_on_a_circle_all_edges_meet_in_the_middle(n: int) -> None:
    turn = 2 * np.pi * np.arange(n) / n
    points = np.column_stack([np.cos(turn), np.sin(turn)])
    pairs, endless = found_in(points)
    assert pairs == {(min(i, (i + 1) % n), max(i, (i + 1) % n)) for i in range(n)}
    assert endless == set(range(n))


def test_a_flat_curve_has_its_far_edges() -> None:
    """Ten points of y = x²/1000, all on their hull: 3·10 − 3 − 10 edges."""
    x = np.arange(10.0)
    pairs, endless = found_in(np.column_stack([x, 0.001 * x * x]))
    assert len(pairs) == 17
    assert endless == set(range(10))


def test_two_sites_a_hair_apart_have_two_cells() -> None:
    """Nothing lies on another place but its copies: 10⁻¹⁵ of the extent is a gap, and 0 and −0 are
    one place.
    """
    diagram = Diagram(np.array([[0.0, 0.0], [1e-8, 0.0], [1e7, 0.0], [-0.0, 0.0]]))
    assert diagram.sites.tolist() == [0, 1, 2]
    assert [cell.walls.tolist() for cell in cells_of(diagram)] == [[1], [2, 0], [1]]


def test_a_corner_far_out_is_where_it_is() -> None:
    """Where it is as far from (−1, 0) and (1, 0) as from (0, h): a million to the south."""
    h = 5e-7
    diagram = Diagram(np.array([[-1.0, 0.0], [1.0, 0.0], [0.0, h]]))
    cell = diagram.cut(diagram.cut(diagram.box(2), 0), 1)
    assert cell.corners == 1
    corner = cell.ring[(cell.across >= 0) & (np.roll(cell.across, 1) >= 0)][0]
    assert corner == pytest.approx([0.0, (h * h - 1) / (2 * h)], rel=1e-9, abs=1e-3)


def test_a_line_through_a_corner_cuts_nothing_off() -> None:
    """Four sites of a square: the opposite one touches the cell at one corner only."""
    diagram = Diagram(np.array([[0.0, 0.0], [2.0, 0.0], [0.0, 2.0], [2.0, 2.0]]))
    cell = diagram.cut(diagram.cut(diagram.box(0), 1), 2)
    assert diagram.cut(cell, 3) is cell
    assert [1.0, 1.0] in cell.ring.tolist()


def test_copies_have_the_first_as_site() -> None:
    diagram = Diagram(np.array([[1.0, 0.0], [0.0, 0.0], [1.0, 0.0]]))
    assert diagram.sites.tolist() == [0, 1]
    assert diagram.first_at(2) == 0


def carved(diagram: Diagram, site: int) -> Cell:
    """As the page does it: by all others, nearest first."""
    cell = diagram.box(site)
    for other in diagram.others(site)[0].tolist():
        cell = diagram.cut(cell, other)
    return cell


def round_about(seed: int, n: int, kind: str) -> np.ndarray:
    """Sets on which rounding decides, more or less: on a circle up to a size, on a line, in two
    tiny heaps, on tenths.
    """
    rng = np.random.default_rng(seed)
    turn = 2 * np.pi * np.arange(n) / n
    noise = 10.0 ** -int(rng.integers(3, 16)) * rng.normal(size=(n, 2))
    if kind == "circle":
        return np.column_stack([np.cos(turn), np.sin(turn)]) + noise
    if kind == "line":
        return np.column_stack([np.arange(n), 2.0 * np.arange(n)]) + noise
    if kind == "heaps":
        return noise + rng.integers(0, 3, (n, 2))
    return rng.integers(0, 9, (n, 2)) / 10 if kind == "tenths" else points_of(seed, n, kind)


@settings(max_examples=60, deadline=None)
@given(
    st.integers(0, 10_000),
    st.integers(1, 30),
    st.sampled_from(["circle", "line", "heaps", "tenths", "normal", "far off"]),
)
def test_cells_found_at_once_are_those_cut_one_by_one(seed: int, n: int, kind: str) -> None:
    """To the last bit, also where bisectors nearly touch a corner: there none is found at once."""
    cells = Diagram(points := round_about(seed, n, kind))
    for p, cell in finished(clear_cells(cells)).items():
        other = carved(Diagram(points), p)
        assert cell.site == p and cell.across.tolist() == other.across.tolist()
        assert cell.ring.tobytes() == other.ring.tobytes()


def test_most_cells_are_found_at_once() -> None:
    diagram = Diagram(np.random.default_rng(0).normal(size=(300, 2)))
    assert len(finished(clear_cells(diagram))) > 290
