"""Voronoi edges have the properties that define them (MMDS 12.4.2), on any points."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.algorithms.instances.nearest_neighbours.geometry import Walls, clip, order_walls
from engine.algorithms.instances.nearest_neighbours.votes import Vote
from engine.algorithms.instances.parts import BOX
from engine.base.work import finished


def points_of(seed: int, n: int, kind: str) -> np.ndarray:
    rng = np.random.default_rng(seed)
    if kind == "grid":
        return rng.integers(0, 5, (n, 2)).astype(float)
    if kind == "collinear":
        return rng.integers(-5, 6, (n, 1)) * np.array([[2.0, 1.0]]) + [3.0, -1.0]
    if kind == "far off":
        return rng.normal(size=(n, 2)) * 1e-3 + 1e3
    return rng.normal(size=(n, 2))


def voronoi_edges(points: np.ndarray) -> Walls:
    n = len(points)
    return finished(order_walls(points, np.arange(n), Vote(1, n)))


def sites_of(points: np.ndarray) -> np.ndarray:
    """The first point at each place."""
    return np.sort(np.unique(points.round(12), axis=0, return_index=True)[1])


def distances(places: np.ndarray, points: np.ndarray) -> np.ndarray:
    return np.linalg.norm(places[:, None] - points[None], axis=2)


kinds = st.sampled_from(["normal", "grid", "collinear", "far off"])
cases = (st.integers(0, 10_000), st.integers(1, 30), kinds)


@settings(deadline=None)
@given(*cases)
def test_edges_lie_on_bisectors_and_no_other_site_is_nearer(seed: int, n: int, kind: str) -> None:
    points = points_of(seed, n, kind)
    edges = voronoi_edges(points)
    if not len(edges.ends):
        return
    for share in (0.0, 0.3, 0.5, 1.0):
        place = (1 - share) * edges.ends[:, 0] + share * edges.ends[:, 1]
        d = distances(place, points)
        sides = np.take_along_axis(d, edges.between, axis=1)
        scale = 1e-9 * (1 + d.max())
        assert np.allclose(sides[:, 0], sides[:, 1], rtol=0, atol=scale)
        assert (sides[:, 0] <= d.min(1) + scale).all()


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(*cases)
def test_the_cells_between_the_edges_are_those_of_the_nearest_sites(
    seed: int, n: int, kind: str
) -> None:
    """A place that is nearer to a site than to all its neighbours over an edge is in that site's
    cell, and only then.
    """
    points = points_of(seed, n, kind)
    edges = voronoi_edges(points)
    middle = points.mean(0)
    size = np.ptp(points, axis=0).max() or 1.0
    places = middle + np.random.default_rng(seed + 1).uniform(-2, 2, (40, 2)) * size
    d = distances(places, points[sites_of(points)])
    for place, row in zip(places, d, strict=True):
        del place
        order = np.argsort(row)
        if len(row) > 1 and row[order[1]] - row[order[0]] < 1e-9 * size:
            continue
        inside = [beats_neighbours(edges, sites_of(points), i, row) for i in range(len(row))]
        assert inside == [i == order[0] for i in range(len(row))]


def beats_neighbours(edges: Walls, sites: np.ndarray, i: int, d: np.ndarray) -> bool:
    site = sites[i]
    sides = edges.between[(edges.between == site).any(1)]
    others = np.searchsorted(sites, sides[sides != site])
    return bool((d[i] < d[others]).all())


@settings(deadline=None)
@given(*cases)
def test_every_cell_holds_its_site_and_edges_are_few(seed: int, n: int, kind: str) -> None:
    """Each site is nearest to itself; a planar diagram of s ≥ 3 cells has at most 3s − 6 edges
    (MMDS 12.4.2 erratum).
    """
    points = points_of(seed, n, kind)
    edges = voronoi_edges(points)
    sites = points[sites_of(points)]
    for i, row in enumerate(distances(sites, sites)):
        assert row.argmin() == i
    assert {tuple(p) for p in points} == {tuple(p) for p in sites}
    assert len(edges.between) <= max(3 * len(sites) - 6, len(sites) - 1)
    assert (edges.between[:, 0] != edges.between[:, 1]).all()


@pytest.mark.slow
@settings(deadline=None)
@given(*cases)
def test_edges_end_where_three_cells_meet_or_at_the_box(seed: int, n: int, kind: str) -> None:
    points = points_of(seed, n, kind)
    edges = voronoi_edges(points)
    middle = (points.min(0) + points.max(0)) / 2
    half = np.ptp(points, axis=0).max() / 2
    for ends in edges.ends:
        for place in ends:
            d = distances(place[None], points[sites_of(points)])[0]
            meeting = (d <= d.min() + 1e-7 * half).sum()
            assert meeting >= 3 or np.isclose(np.abs(place - middle).max(), BOX * half)


def test_copies_belong_to_the_first() -> None:
    edges = voronoi_edges(np.array([[1.0, 0.0], [0.0, 0.0], [1.0, 0.0], [0.0, 0.0]]))
    assert {tuple(sorted(pair)) for pair in edges.between.tolist()} == {(0, 1)}


@pytest.mark.parametrize("points", [[[2.0, 3.0]], [[2.0, 3.0]] * 5])
def test_one_place_has_no_edges(points: list[list[float]]) -> None:
    assert len(voronoi_edges(np.array(points)).ends) == 0


def test_two_points_are_parted_by_their_bisector() -> None:
    edges = voronoi_edges(np.array([[0.0, 0.0], [2.0, 0.0]]))
    assert edges.ends.shape == (1, 2, 2)
    assert np.allclose(edges.ends[0, :, 0], 1)
    assert np.ptp(edges.ends[0, :, 1]) >= 10


def test_three_points_meet_at_the_centre_of_their_circle() -> None:
    edges = voronoi_edges(np.array([[0.0, 0.0], [4.0, 0.0], [0.0, 2.0]]))
    assert len(edges.ends) == 3
    for ends in edges.ends:
        assert min(np.linalg.norm(ends - [2.0, 1.0], axis=1)) < 1e-9


def test_collinear_points_give_parallel_edges() -> None:
    edges = voronoi_edges(np.array([[0.0, 0.0], [1.0, 1.0], [2.0, 2.0], [5.0, 5.0]]))
    assert len(edges.ends) == 3
    ways = edges.ends[:, 1] - edges.ends[:, 0]
    assert np.allclose(ways @ [1.0, 1.0], 0)


def test_clipping() -> None:
    ends = np.array(
        [
            [[-5.0, 0.0], [5.0, 0.0]],
            [[2.0, 2.0], [3.0, 3.0]],
            [[0.0, 0.0], [0.5, 0.5]],
            [[-2.0, 0.0], [0.0, 2.0]],
        ]
    )
    pieces, kept = clip(ends, 1.0)
    assert kept.tolist() == [0, 2]
    assert np.allclose(pieces, [[[-1.0, 0.0], [1.0, 0.0]], [[0.0, 0.0], [0.5, 0.5]]])
