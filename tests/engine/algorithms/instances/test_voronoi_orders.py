"""Order-k Voronoi diagrams against what defines them: the k nearest of a scan (lower row on ties),
on any points.
"""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.algorithms.instances.nearest_neighbours.geometry import (
    Walls,
    order_cell,
    order_walls,
)
from engine.algorithms.instances.nearest_neighbours.votes import Vote
from engine.algorithms.instances.parts.rings import kept_side
from engine.base.work import finished
from engine.numerics.distances import minkowski_space
from engine.numerics.nearest import Index
from tests.engine.algorithms.instances.qhull import voronoi_walls


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
cases = (st.integers(0, 10_000), st.integers(1, 18), st.integers(1, 18), kinds)


def class_walls(points: np.ndarray, codes: np.ndarray, vote: Vote) -> Walls:
    return finished(order_walls(points, codes, vote))


def walls_of(points: np.ndarray, k: int) -> Walls:
    """The walls alone: of votes by distance none is known to part classes, and none
    inside a cell.
    """
    walls = class_walls(points, np.arange(len(points)), Vote(k, len(points), 1))
    assert not walls.parts.any()
    return walls


def frame(points: np.ndarray) -> tuple[np.ndarray, float]:
    return (points.min(0) + points.max(0)) / 2, np.ptp(points, axis=0).max() / 2 or 1.0


def ranked(places: np.ndarray, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(points by distance, copies by number; the distances in that order), measured in half
    extents.
    """
    middle, half = frame(points)
    d = np.linalg.norm((places[:, None] - middle) / half - (points[None] - middle) / half, axis=2)
    order = np.lexsort((np.broadcast_to(np.arange(len(points)), d.shape), np.round(d, 9)), axis=1)
    return order, np.take_along_axis(d, order, axis=1)


def somewhere(points: np.ndarray, seed: int, count: int = 60, far: float = 3.0) -> np.ndarray:
    middle, half = frame(points)
    return middle + half * np.random.default_rng(seed).uniform(-far, far, (count, 2))


def clear(d: np.ndarray, k: int) -> np.ndarray:
    """Places that are on no wall: the next point is farther than the k-th, or lies at the same
    place (then it is no rival).
    """
    return np.ones(len(d), bool) if k == d.shape[1] else d[:, k] - d[:, k - 1] > 1e-7


@settings(deadline=None)
@given(*cases)
def test_on_a_wall_two_are_as_near_and_one_of_them_is_the_last_of_k(
    seed: int, n: int, k: int, kind: str
) -> None:
    """Fewer than k are nearer than these two, and with all that are as near they are
    more than k.
    """
    points = points_of(seed, n, kind)
    k = min(k, n)
    walls = walls_of(points, k)
    middle, half = frame(points)
    for ends, (p, q) in zip(walls.ends, walls.between, strict=True):
        for share in (0.01, 0.5, 0.99):
            place = (1 - share) * ends[0] + share * ends[1]
            d = np.linalg.norm((points - place) / half, axis=1)
            assert abs(d[p] - d[q]) < 1e-9 * (1 + d[p])
            assert (d < d[p] - 1e-7).sum() < k < (d <= d[p] + 1e-7).sum()
        assert (np.abs(ends - middle) <= 10 * half * (1 + 1e-9)).all()


@settings(deadline=None)
@given(*cases)
def test_walking_over_a_wall_is_the_only_way_to_other_neighbours(
    seed: int, n: int, k: int, kind: str
) -> None:
    points = points_of(seed, n, kind)
    k = min(k, n)
    walls = walls_of(points, k).ends
    for start, end in somewhere(points, seed + 2, 16).reshape(-1, 2, 2):
        shares = crossings(start, end, walls)
        for low, high in pairwise(shares):
            inside = start + np.linspace(low, high, 9)[1:-1, None] * (end - start)
            order, d = ranked(inside, points)
            sets = {tuple(sorted(row)) for row in order[clear(d, k), :k].tolist()}
            assert high - low < 1e-6 or len(sets) <= 1


def crossings(start: np.ndarray, end: np.ndarray, walls: np.ndarray) -> np.ndarray:
    """Shares of the way at which it crosses walls, with 0 and 1."""
    way = end - start
    along = walls[:, 1] - walls[:, 0]
    gap = walls[:, 0] - start
    turn = way[0] * along[:, 1] - way[1] * along[:, 0]
    with np.errstate(divide="ignore", invalid="ignore"):
        share = (gap[:, 0] * along[:, 1] - gap[:, 1] * along[:, 0]) / turn
        place = (gap[:, 0] * way[1] - gap[:, 1] * way[0]) / turn
    hit = (share > 0) & (share < 1) & (place >= -1e-9) & (place <= 1 + 1e-9)
    return np.concatenate([[0.0], np.sort(share[hit]), [1.0]])


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 10_000), st.integers(2, 25), kinds)
def test_order_one_is_the_voronoi_diagram(seed: int, n: int, kind: str) -> None:
    points = points_of(seed, n, kind)
    orders = walls_of(points, 1)
    edges = voronoi_walls(points, np.arange(n))
    assert {tuple(sorted(pair)) for pair in orders.between.tolist()} == {
        tuple(sorted(p)) for p in edges.between.tolist()
    }
    length = [
        np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1).sum() for ends in (orders.ends, edges.ends)
    ]
    assert length[0] == pytest.approx(length[1], rel=1e-6)


def test_four_points_of_a_square_by_hand() -> None:
    """k = 2 on a square: the four sides have a cell each, the diagonals none; the cells meet in the
    middle.
    """
    points = np.array([[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]])
    orders = walls_of(points, 2)
    assert {tuple(pair) for pair in orders.between.tolist()} == {(0, 2), (1, 3)}
    for ends in orders.ends:  # from end to end of the box, through the middle
        assert ends.mean(axis=0) == pytest.approx([1.0, 1.0])
        assert np.abs(ends - 1) == pytest.approx(np.full((2, 2), 10.0))


def test_points_on_a_line_are_parted_half_way_between_the_outer_ones() -> None:
    """MMDS 12.4.3: the k nearest change at (x_i + x_{i+k}) / 2."""
    x = np.array([0.0, 1.0, 3.0, 4.0, 8.0])
    walls = walls_of(np.column_stack([x, np.zeros(5)]), 2)
    assert sorted(walls.ends[:, 0, 0].round(9).tolist()) == [1.5, 2.5, 5.5]
    assert sorted(walls.between.tolist()) == [[0, 2], [1, 3], [2, 4]]


def test_copies_count_several_times() -> None:
    """Three at one place and two at another: half-way between them the k nearest change, unless all
    five are.
    """
    points = np.array([[0.0, 0.0], [2.0, 0.0], [0.0, 0.0], [2.0, 0.0], [0.0, 0.0]])
    for k in (1, 2, 3, 4):
        walls = walls_of(points, k)
        assert walls.between.tolist() == [[0, 1]]
        assert np.allclose(walls.ends[:, :, 0], 1.0)
    assert len(walls_of(points, 5).ends) == 0


def test_of_copies_the_lower_rows_vote_first() -> None:
    """k = 4: at one place its three and a row of class 0 from the other, where two lie; the same
    the other way round.
    """
    points = np.array([[0.0, 0.0], [2.0, 0.0], [0.0, 0.0], [2.0, 0.0], [0.0, 0.0]])
    # left 3 : 1, right 3 : 1 (rows 1, 3, 0, 2)
    walls = class_walls(points, np.array([0, 0, 0, 1, 1]), Vote(4, 2))
    assert walls.parts.tolist() == [False]
    # left rows 0 and 2, right 1 and 3
    walls = class_walls(points, np.array([0, 1, 0, 1, 1]), Vote(2, 2))
    assert walls.parts.tolist() == [True]


@pytest.mark.parametrize("points", [[[2.0, 3.0]], [[2.0, 3.0]] * 5])
def test_one_place_has_one_cell(points: list[list[float]]) -> None:
    for k in range(1, len(points) + 1):
        assert len(walls_of(np.array(points), k).ends) == 0


# -- columns of very different scale ---------------------------------------------------------------


def exactly_nearest(place: np.ndarray, points: np.ndarray, k: int) -> list[int]:
    """The k nearest in whole fractions, without any rounding."""
    x, y = map(Fraction, place.tolist())
    away = [(Fraction(a) - x) ** 2 + (Fraction(b) - y) ** 2 for a, b in points.tolist()]
    return sorted(sorted(range(len(points)), key=lambda i: (away[i], i))[:k])


def flat_points(seed: int, n: int, scale: float) -> np.ndarray:
    """Two lines of places that lie far apart, measured by how far the places on one of them do: by
    0.01 or more, which is more than the billionth of the extent within which places are one.
    """
    rng = np.random.default_rng(seed)
    x = rng.choice(201, n, replace=False) / 100 - 1
    return np.column_stack([x, rng.integers(0, 2, n) * -scale])


@settings(deadline=None)
@given(
    st.integers(0, 10_000), st.integers(2, 12), st.integers(1, 12), st.sampled_from([1e3, 1e5, 1e7])
)
def test_columns_of_very_different_scale_have_true_walls(
    seed: int, n: int, k: int, scale: float
) -> None:
    """On a wall two are as near and one of them is the last of the k nearest: of all others fewer
    than k are on the near side of its bisector, up to rounding, computed in fractions.
    """
    points = flat_points(seed, n, scale)
    k = min(k, n)
    walls = walls_of(points, k)
    for ends, (p, q) in zip(walls.ends, walls.between.tolist(), strict=True):
        place = ends.mean(axis=0)
        away = np.array([ahead(place, points[r], points[p]) if r != p else 0.0 for r in range(n)])
        assert abs(away[q]) < 1e-14 * scale
        assert (away > 1e-14 * scale).sum() < k < (away > -1e-14 * scale).sum()


def ahead(place: np.ndarray, near: np.ndarray, far: np.ndarray) -> float:
    """How far a place lies on the side of `near` of the bisector of two places, computed in
    fractions.
    """
    x, p, q = ([Fraction(v) for v in at.tolist()] for at in (place, near, far))
    lead = sum((a - c) ** 2 - (a - b) ** 2 for a, b, c in zip(x, p, q, strict=True))
    return float(lead) / (2 * float(np.linalg.norm(near - far)))


@pytest.mark.slow
@settings(deadline=None)
@given(
    st.integers(0, 10_000), st.integers(2, 12), st.integers(1, 12), st.sampled_from([1e3, 1e5, 1e7])
)
def test_columns_of_very_different_scale_have_all_their_walls(
    seed: int, n: int, k: int, scale: float
) -> None:
    """Where no wall is between two places they have the same k nearest."""
    points = flat_points(seed, n, scale)
    k = min(k, n)
    walls = walls_of(points, k).ends
    rng = np.random.default_rng(seed)
    for _ in range(20):
        level = rng.choice([0, -scale])
        start, end = (np.array([rng.uniform(-2, 2), level + rng.uniform(-1, 1)]) for _ in range(2))
        middle, half = frame(points)
        in_box = np.abs(np.array([start, end]) - middle).max() < 10 * half
        if in_box and len(crossings(start, end, walls)) == 2:
            assert exactly_nearest(start, points, k) == exactly_nearest(end, points, k)


@pytest.mark.parametrize("far", [1e7, 1e9])
def test_a_line_of_places_and_two_far_away(far: float) -> None:
    """k = 2 beside the line y = 0: the nearest two change half-way between the outer
    ones of three.
    """
    points = np.array([[0.84, 0.0], [-0.017, 0.0], [0.81, -far], [-0.977, -far], [0.58, 0.0]])
    walls = walls_of(points, 2)
    upright = [
        ends
        for ends, pair in zip(walls.ends, walls.between.tolist(), strict=True)
        if set(pair) == {0, 1}
    ]
    assert len(upright) == 1
    assert upright[0][:, 0] == pytest.approx((0.84 - 0.017) / 2)
    assert len(walls_of(points, 5).ends) == 0


# -- the cell of one place -------------------------------------------------------------------------


@settings(deadline=None)
@given(*cases)
def test_the_cell_of_a_place_holds_what_has_the_same_neighbours(
    seed: int, n: int, k: int, kind: str
) -> None:
    points = points_of(seed, n, kind)
    k = min(k, n)
    index = Index(minkowski_space(points), points)
    (held,) = index.nearest(somewhere(points, seed + 3, 1), k)[1]
    ring = order_cell(
        points, held, lambda places: index.nearest(np.ascontiguousarray(places), min(k + 1, n))[1]
    )
    if len(ring) < 3:
        return  # the place lies just where several cells meet, and the lower rows have none
    places = somewhere(points, seed + 4, 200, 9.0)
    ways = np.roll(ring, -1, axis=0) - ring
    gaps = places[:, None] - ring[None]
    side = ways[:, 0] * gaps[..., 1] - ways[:, 1] * gaps[..., 0]
    order, d = ranked(places, points)
    same = np.array([set(row) == set(held.tolist()) for row in order[:, :k].tolist()])
    sure = (np.abs(side) > 1e-9 * np.abs(side).max()).all(axis=1) & clear(d, k)
    assert ((side > 0).all(axis=1) == same)[sure].all()


def test_the_cell_of_everybody_is_the_whole_box() -> None:
    points = np.array([[0.0, 0.0], [2.0, 0.0]])
    assert (
        np.abs(
            order_cell(points, np.array([0, 1]), lambda places: np.zeros((len(places), 2), np.intp))
        ).max()
        == 11
    )


def test_two_who_are_never_nearest_together_have_no_cell() -> None:
    """Opposite corners of a square: only its middle has them among its nearest two, with the others
    as near.
    """
    points = np.array([[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0], [1.0, 1.0]])
    index = Index(minkowski_space(points), points)
    assert (
        len(order_cell(points, np.array([0, 2]), lambda places: index.nearest(places, 3)[1])) == 0
    )


# -- what parts classes ----------------------------------------------------------------------------


@settings(deadline=None)
@given(*cases, st.integers(2, 3), st.booleans())
def test_classes_change_at_solid_walls_and_nowhere_else(
    seed: int, n: int, k: int, kind: str, classes: int, unanimous: bool
) -> None:
    """Votes of equal weight by a scan: ties go to the nearer neighbour, copies by row number."""
    points = points_of(seed, n, kind)
    k = min(k, n, 6)
    codes = np.random.default_rng(seed).integers(0, classes, n)
    vote = Vote(k, classes, 0, unanimous)
    walls = class_walls(points, codes, vote)
    for start, end in somewhere(points, seed + 5, 12).reshape(-1, 2, 2):
        shares = crossings(start, end, walls.ends[walls.parts])
        if (np.diff(shares) < 1e-5).any():
            continue
        labels = []
        for low, high in pairwise(shares):
            inside = start + np.linspace(low, high, 9)[1:-1, None] * (end - start)
            order, _ = ranked(inside, points)
            votes = vote.labels(codes[order[:, :k]], np.ones((len(order), k)))
            assert len(set(votes.tolist())) == 1
            labels.append(votes[0])
        assert all(a != b for a, b in pairwise(labels))


def test_a_tie_between_two_classes_is_parted_inside_the_cell() -> None:
    """Two points of two classes, k = 2: they vote 1 : 1 everywhere, so their bisector decides."""
    points, codes = np.array([[0.0, 0.0], [2.0, 0.0]]), np.array([0, 1])
    walls = class_walls(points, codes, Vote(2, 2))
    assert walls.parts.tolist() == [True]
    assert np.allclose(walls.ends[:, :, 0], 1.0)
    assert not len(class_walls(points, codes, Vote(2, 2, 0, True)).ends)


SQUARE = np.array([(0.0, 0.0), (2.0, 0.0), (2.0, 2.0), (0.0, 2.0)])


def test_a_square_cut_in_half_by_hand() -> None:
    left = kept_side(SQUARE, np.array([-1.0, 1.0, 1.0, -1.0]))
    assert left.tolist() == [[0, 0], [1, 0], [1, 2], [0, 2]]


def test_a_cut_along_the_diagonal_keeps_three_corners() -> None:
    left = kept_side(SQUARE, np.array([0.0, -1.0, 0.0, 1.0]))
    assert left.tolist() == [[0, 0], [2, 0], [2, 2]]


@pytest.mark.parametrize("kind", ["normal", "grid", "line", "copies", "circle", "outlier"])
def test_many_sites_have_the_walls_of_qhull(kind: str) -> None:
    """More than are compared each with each; on the circle one site is beside all others."""
    rng = np.random.default_rng(3)
    points = rng.normal(size=(150, 2))
    if kind == "grid":
        points = np.stack(np.meshgrid(np.arange(12.0), np.arange(9.0)), axis=-1).reshape(-1, 2)
    elif kind == "line":
        points = np.column_stack([points[:, 0], np.zeros(150)])
    elif kind == "copies":
        points = np.repeat(points, 2, axis=0)
    elif kind == "circle":
        turn = rng.uniform(0, 2 * np.pi, 150)
        points = np.vstack([np.column_stack([np.cos(turn), np.sin(turn)]), [[0.0, 0.0]]])
    elif kind == "outlier":
        points[0] = 1e3
    codes = rng.integers(0, 3, len(points))
    expected = voronoi_walls(points, codes)
    found = class_walls(points, codes, Vote(1, 3))
    size = frame(points)[1]
    for walls in (found, expected):
        assert (walls.between[:, 0] != walls.between[:, 1]).all()

    def by_pair(walls: Walls) -> dict[tuple[int, int], tuple[float, bool]]:
        length = np.linalg.norm(walls.ends[:, 1] - walls.ends[:, 0], axis=1)
        rows = zip(np.sort(walls.between).tolist(), length, walls.parts.tolist(), strict=True)
        return {(p, q): (part, apart) for (p, q), part, apart in rows if part > 1e-6 * size}

    here, there = by_pair(found), by_pair(expected)
    assert here.keys() == there.keys()
    for pair, (length, apart) in here.items():
        assert (length, apart) == (pytest.approx(there[pair][0], abs=1e-6 * size), there[pair][1])
