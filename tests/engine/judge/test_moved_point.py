"""The smallest move of one training point that gives the query another label: by distances, and
against brute force.
"""

from typing import Any

import numpy as np
import pytest

import engine
from engine.base.records import field_names
from engine.judge import moved_point
from engine.judge.moved_point import SEARCHED, PointSearch, moved_on_plane, nearest_point_flip
from engine.protocol.step import Level, Pace


def blobs(seed: int = 0, n: int = 16) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 2
    return rng.normal(0, 1, (n, 2)) + np.where(y == 1, 1.0, -1.0)[:, None], y


def taught(key: str, data: Any, **params: Any) -> Any:
    return engine.run(key, data, pace=Pace(Level.ROUND), **params)


def said(trace: Any, row: int, place: Any, x: Any) -> int:
    """What the learner says of x with one example elsewhere, by another way to the same problem."""
    X = np.array(trace.problem.X)
    X[row] = place
    again = engine.run(
        trace.algorithm.key,
        (X, trace.problem.labels(trace.problem.codes)),
        pace=Pace(Level.ROUND),
        **vars_of(trace),
    )
    assert again.problem.classes == trace.problem.classes
    return int(again.codes(x[None])[0])


def vars_of(trace: Any) -> dict[str, Any]:
    return {name: getattr(trace.params, name) for name in field_names(trace.params)}


@pytest.mark.parametrize("seed", range(6))
def test_of_the_nearest_neighbour_it_is_the_difference_of_two_distances(seed: int) -> None:
    trace = taught("nearest_neighbours", blobs(seed), k=1)
    x = np.random.default_rng(seed + 50).uniform(-1.5, 1.5, 2)
    flip = nearest_point_flip(trace, x)
    away = np.hypot(*(trace.problem.X - x).T)
    codes = trace.problem.codes
    mine = codes[away.argmin()]
    assert flip is not None and flip.exact and flip.code == mine != flip.other
    assert flip.length == pytest.approx((away[codes != mine] - away.min()).min(), rel=1e-9)
    way = np.subtract(flip.end, flip.start)
    assert (
        said(trace, flip.row, flip.start + 0.999 * way, x)
        == mine
        != said(trace, flip.row, flip.start + 1.001 * way, x)
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("key", "params"),
    [
        ("decision_tree", {"stop": "depth", "depth": 1}),
        ("perceptron", {"stop": "rounds", "rounds": 3}),
        ("logistic_regression", {"steps": 20}),
    ],
)
def test_a_searched_one_flips_and_is_about_as_short_as_brute_force_finds(
    key: str, params: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every example on a star of 16 rays, each walked in small steps."""
    monkeypatch.setattr(moved_point, "SLOWEST", 0.05)  # on a busy machine the time would differ
    monkeypatch.setattr(moved_point, "LONGEST", 30.0)
    trace = taught(key, blobs(3, 10), **params)
    x = np.array([0.2, 0.1])
    flip = nearest_point_flip(trace, x)
    assert flip is not None and not flip.exact and flip.how == SEARCHED and flip.fits > 2
    start, end = np.array(flip.start), np.array(flip.end)
    assert tuple(trace.problem.xy[flip.row]) == flip.start
    assert said(trace, flip.row, end, x) == flip.other != flip.code == int(trace.codes(x[None])[0])
    assert said(trace, flip.row, start + 0.5 * (end - start), x) == flip.code or flip.length < 1e-3
    search = PointSearch(trace, x)
    angles = np.arange(16) * np.pi / 8
    shortest = flip.length
    for row in range(trace.problem.n):
        for angle in angles:
            way = np.array([np.cos(angle), np.sin(angle)])
            for far in np.linspace(0.06, 0.96, 6) * flip.length:
                if search.label(row, trace.problem.xy[row] + far * way) not in (flip.code, -1):
                    shortest = min(shortest, far)
                    break
    assert shortest >= 0.55 * flip.length


def test_it_goes_on_in_slices_and_gives_up_what_is_too_much() -> None:
    trace = taught("decision_tree", blobs(3, 10), stop="depth", depth=1)
    search = PointSearch(trace, np.array([0.2, 0.1]))
    slices = 0
    while not search.advance(0.0005):
        slices += 1
        assert slices < 100_000
    whole = nearest_point_flip(trace, np.array([0.2, 0.1]))
    assert slices > 1 and search.found is not None and whole is not None
    assert (search.found.row, search.found.end) == (whole.row, whole.end)
    many = taught("decision_tree", blobs(0, 80))
    assert PointSearch(many, np.zeros(2)).over
    cut = engine.run("perceptron", blobs(3, 10), max_steps=3)
    assert not cut.finished and PointSearch(cut, np.zeros(2)).over


def test_the_caller_may_say_how_a_point_is_moved() -> None:
    """Elsewhere the table is prepared again for each place; what the search tries are places of the
    plane.
    """
    trace = taught("nearest_neighbours", blobs(1), k=1)
    seen = []

    def moving(row: int, place: tuple[float, float]) -> Any:
        seen.append((row, place))
        return moved_on_plane(trace.problem, row, place)

    flip = nearest_point_flip(trace, np.array([0.1, 0.2]), moving)
    assert flip is not None and seen[-1][0] == flip.row
    assert np.allclose(seen[-1][1], flip.end, atol=1e-2)


def test_labels_that_no_move_changes_have_no_flip() -> None:
    X, y = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]), np.array([0, 0, 0])
    data = engine.Dataset.from_arrays(np.vstack([X, [[50.0, 50.0]]]), np.append(y, 1))
    trace = engine.run("nearest_neighbours", data, k=3)
    assert nearest_point_flip(trace, np.array([0.1, 0.1])) is None
