"""The k-d tree gives exactly what a scan in table order gives, ties and copies included."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.algorithms.instances.nearest_neighbours.cells import PlaneIndex
from engine.algorithms.instances.nearest_neighbours.votes import Vote, tally, weigh
from engine.numerics.closeness import tidy
from engine.numerics.distances import Space, mahalanobis_space, minkowski_space
from engine.numerics.nearest import Index


def by_hand(space: Space, Z: np.ndarray, q: np.ndarray, k: int) -> list[int]:
    d = tidy(space.distance(Z, q))
    return sorted(range(len(Z)), key=lambda i: (d[i], i))[:k]


@pytest.mark.slow
@settings(deadline=None, max_examples=60)
@given(
    st.integers(0, 10_000),
    st.sampled_from([1.0, 2.0, 3.0, 40.0, np.inf]),
    st.integers(1, 9),
    st.sampled_from([(300, 3), (300, 9), (2000, 30), (2000, 60)]),
)
def test_ties_and_copies_come_out_as_in_a_scan(
    seed: int, p: float, k: int, size: tuple[int, int]
) -> None:
    """Few places for many rows, and queries half-way between them: every question has ties."""
    rng = np.random.default_rng(seed)
    n, values = size
    Z = rng.integers(0, values, (n, 2)) / 4.0
    Q = rng.integers(-1, 2 * values, (12, 2)) / 8.0
    space = minkowski_space(Z, p)
    index = Index(space, Z)
    distances, rows = index.nearest(Q, k)
    scanned = index.scan(Q, k)
    expected = [by_hand(space, Z, q, k) for q in Q]
    assert rows.tolist() == expected
    assert scanned[1].tolist() == expected
    assert np.allclose(distances, scanned[0], rtol=1e-12)


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 10_000), st.integers(1, 6), st.sampled_from([1.0, 2.0, 5.0, np.inf]))
def test_continuous_rows(seed: int, k: int, p: float) -> None:
    rng = np.random.default_rng(seed)
    Z, Q = rng.normal(size=(200, 3)), rng.normal(size=(40, 3))
    space = minkowski_space(Z, p)
    assert Index(space, Z).nearest(Q, k)[1].tolist() == [by_hand(space, Z, q, k) for q in Q]


@settings(deadline=None, max_examples=40)
@given(
    st.integers(0, 10_000),
    st.integers(1, 4),
    st.sampled_from([1.0, 2.0, 5.0, 40.0]),
    st.sampled_from([1.0, 1e140]),
)
def test_a_block_of_one_class_has_no_place_with_another_neighbour(
    seed: int, k: int, p: float, size: float
) -> None:
    rng = np.random.default_rng(seed)
    Z = rng.normal(size=(60, 2))
    codes = rng.integers(0, 2, 60)
    Z = np.concatenate([Z, Z + 6.0]) * size
    codes = np.concatenate([codes, 2 + 0 * codes])
    reach = 0.2 * size
    space = Space(p, np.zeros(2), np.arange(2), np.ones(2))
    Q = rng.uniform(-2, 8, (40, 2)) * size
    found = Index(space, Z).of_one_class(Q, k, codes, reach)
    for q, c in zip(Q, found.tolist(), strict=True):
        # at most so far, in any of the distances
        for place in q + rng.uniform(-0.5, 0.5, (20, 2)) * reach:
            assert c < 0 or codes[by_hand(space, Z, place, k)].tolist() == [c] * k
    assert size > 1 or (found == 2).any()


@pytest.mark.parametrize("size", [1e-170, 1.0, 1e170])
def test_extreme_sizes(size: float) -> None:
    rng = np.random.default_rng(1)
    Z = rng.normal(size=(200, 2)) * size
    Q = rng.normal(size=(20, 2)) * size
    space = minkowski_space(Z)
    assert Index(space, Z).nearest(Q, 3)[1].tolist() == [by_hand(space, Z, q, 3) for q in Q]


@pytest.mark.parametrize("k", [1, 2, 5])
def test_all_rows_equal(k: int) -> None:
    Z = np.ones((50, 2))
    distances, rows = Index(minkowski_space(Z), Z).nearest(np.zeros((3, 2)), k)
    assert rows.tolist() == [list(range(k))] * 3
    assert np.allclose(distances, np.sqrt(2))


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 10_000), st.sampled_from([1.0, 2.0, 3.0, np.inf]), st.booleans())
def test_the_plane_sees_the_same_neighbours(seed: int, p: float, turned: bool) -> None:
    """With hidden columns at the anchor the three-dimensional view finds the rows that all columns
    find.
    """
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(150, 5))
    space = mahalanobis_space(X, list("abcde")) if turned else minkowski_space(X, p, normalise=True)
    Z = space.embed(X)
    plane = (3, 1)
    anchor = rng.normal(size=5)
    seen = PlaneIndex(space, Z, plane, anchor)
    assert seen.index.Z.shape[1] == 3
    xy = rng.normal(size=(30, 2))
    rows = np.tile(anchor, (30, 1))
    rows[:, list(plane)] = xy
    whole, part = (
        Index(space, Z).nearest(space.embed(rows), 4),
        seen.index.nearest(seen.embed(xy), 4),
    )
    assert np.array_equal(whole[1], part[1])
    assert np.allclose(whole[0], part[0])


def test_weights_and_votes_by_hand() -> None:
    d = np.array([[0.5, 1.0, 2.0]])
    assert weigh(d, 1).tolist() == [[2, 1, 0.5]]
    assert weigh(d, 2).tolist() == [[4, 1, 0.25]]
    assert weigh(np.array([[0.0, 0.0, 1.0]]), 2).tolist() == [[1, 1, 0]]
    assert tally(np.array([[1, 0, 1]]), weigh(d, 2), 3).tolist() == [[1, 4.25, 0]]


@pytest.mark.parametrize("far", [1e-200, 1e200])
def test_weights_of_extreme_distances_stay_votes(far: float) -> None:
    votes, label = Vote(3, 2, 2).ballot(np.array([[1, 0, 0]]), np.full((1, 3), far))
    assert np.isfinite(votes).all()
    assert label.tolist() == [0]


def test_equal_votes_go_to_the_nearer_neighbour() -> None:
    """ML 8.2 is silent; the lab's rule is the class of the nearer neighbour (AIMA 18.8.1, card
    A55).
    """
    d = np.array([[1.0, 2.0, 3.0, 4.0]])
    assert Vote(4, 3).ballot(np.array([[2, 0, 0, 2]]), d)[1].tolist() == [2]
    assert Vote(4, 3).ballot(np.array([[1, 0, 0, 2]]), d)[1].tolist() == [0]
    five = np.array([[1.0, 2.0, 3.0, 4.0, 5.0]])  # the very nearest has too few votes to matter
    assert Vote(5, 3).ballot(np.array([[1, 2, 0, 0, 2]]), five)[1].tolist() == [2]
    assert Vote(3, 3).labels(np.array([[1, 2, 0]]), d[:, :3]).tolist() == [1]
    assert Vote(4, 3, unanimous=True).labels(
        np.array([[2, 0, 0, 2], [1, 1, 1, 1]]), np.ones((2, 4))
    ).tolist() == [
        -1,
        1,
    ]


def test_equal_weighted_votes_are_a_tie_up_to_rounding() -> None:
    """1/0.1 against 1/0.3 + 1/0.15: both are 10 on paper."""
    d = np.array([[0.1, 0.15, 0.3]])
    votes, label = Vote(3, 2, 1).ballot(np.array([[1, 0, 0]]), d)
    assert votes[0] == pytest.approx([10, 10])
    assert label.tolist() == [1]
