"""Distances: the nearest by hand and against scipy, balls on whose rim the nearest lies, and tables
that have none.
"""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import cdist

import engine
from engine.base.errors import EngineError
from engine.scene.plot_ranges import reach
from engine.scene.scene import Points, Polyline, Role

ALGORITHM = engine.algorithms()["distance_balls"]
CROSS = [[3.0, 0.0], [2.0, 2.0], [-2.4, 1.0], [0.5, -4.0]]


def cross(**params):
    return engine.run(
        "distance_balls",
        engine.Dataset.from_arrays(np.array(CROSS), list("abab")),
        query=(0.0, 0.0),
        **params,
    )


def test_another_is_nearest_by_hand() -> None:
    """Sums 3, 4, 3.4; squares 9, 8, 6.76; largest 3, 2, 2.4: first, third and second row."""
    trace = cross()
    ways = list(trace.given.ways)
    found = dict(zip(ways, trace[-1].state.nearest, strict=True))
    assert found["p = 1, Manhattan"] == (0,)
    assert found["p = 2, Euclid"] == (2,)
    assert found["p = ∞, largest difference"] == (1,)
    assert found["x₁ · 2"] == (3,)  # 36.25, 20, 24.04 and 17: squares with x₁ doubled
    assert [step.state.distance for step in trace if step.line == "nearest"][:1] == pytest.approx(
        [3.0]
    )
    assert trace[-1].state.others == 4


@given(st.integers(0, 10**6), st.floats(1, 8))
@settings(max_examples=30, deadline=None)
def test_each_distance_is_scipys(seed: int, p: float) -> None:
    X = np.random.default_rng(seed).normal(size=(12, 2)) * [1, 3]
    trace = engine.run(
        "distance_balls",
        engine.Dataset.from_arrays(X, [0, 1] * 6),
        p=p,
        query=(0.3, -0.2),
        stretch=(1, 4),
    )
    q = np.array([[0.3, -0.2]])
    cov = np.linalg.inv(np.cov(X.T))
    peers = [
        cdist(q, X, "minkowski", p=p),
        cdist(q / X.std(0), X / X.std(0), "minkowski", p=p),
        cdist(q, X, "mahalanobis", VI=cov),
        cdist(q * [1, 4], X * [1, 4], "minkowski", p=p),
    ]
    assert len(trace.given.ways) == len(peers)
    for way, peer in enumerate(peers):
        np.testing.assert_allclose(trace.given.distances[way], peer[0], rtol=1e-7)
        assert trace[-1].state.nearest[way] == (int(peer[0].argmin()),)


def test_the_nearest_lies_on_the_rim_of_its_ball() -> None:
    """Every place of the rim is as far by its way, and the example beside it is on it."""
    trace = cross()
    for step in trace:
        if step.line == "nearest":
            layers = ALGORITHM.scene(trace.given, step).layers
            ball = next(
                layer for layer in layers if isinstance(layer, Polyline) and layer.tag == "ball"
            )
            space = list(trace.given.ways.values())[step.state.current]
            q = space.embed(trace.given.q[None])
            np.testing.assert_allclose(
                space.distance(space.embed(ball.xy), q), step.state.distance, rtol=1e-6
            )


def test_the_pale_ball_is_that_of_the_way_before() -> None:
    """There is none before the first way was measured; then it goes through what was nearest."""
    trace = cross()
    pale = []
    for step in trace:
        if step.line == "measure":
            layers = ALGORITHM.scene(trace.given, step).layers
            pale.append([layer.xy for layer in layers if layer.tag == "earlier"])
    assert pale[0] == []
    spaces = list(trace.given.ways.values())
    for way, (ring,) in enumerate(pale[1:]):
        d = spaces[way].distance(spaces[way].embed(ring), spaces[way].embed(trace.given.q[None]))
        np.testing.assert_allclose(d, trace.given.distances[way].min(), rtol=1e-6)


def test_equal_distances_all_win() -> None:
    data = engine.Dataset.from_arrays([[1.0, 0.0], [0.0, 1.0], [3.0, 3.5]], [0, 1, 0])
    step = next(
        step
        for step in engine.run("distance_balls", data, query=(0.0, 0.0))
        if step.line == "nearest"
    )
    assert step.events == ("tie",)
    assert step.choice.winners == (0, 1)
    assert step.choice.rule


def test_points_on_a_line_have_no_mahalanobis_distance() -> None:
    trace = engine.run(
        "distance_balls", engine.Dataset.from_arrays([[0.0, 0], [1, 1], [2, 2]], [0, 1, 1])
    )
    assert "Mahalanobis" not in trace.given.ways
    assert "independently" in trace[0].note["why"]


def test_a_query_upon_an_example() -> None:
    trace = cross(p=2, stretch=(1, 1))
    assert list(trace.given.ways)[-1] == "nothing stretched"
    on = engine.run("distance_balls", trace.problem, p=2, query=(2.0, 2.0))
    assert set(on[-1].state.nearest) == {(1,)}
    assert on[-1].state.others == 1


@pytest.mark.parametrize(
    ("data", "params", "words"),
    [
        (engine.textbook("restaurant"), {}, "2 columns of numbers on the plane, there are none"),
        (engine.Dataset.from_arrays([[1.0], [2.0]], [0, 1]), {}, "there is one"),
        (engine.Dataset.from_arrays([[1.0, np.nan], [np.nan, 2.0]], [0, 1]), {}, "No row has both"),
        (
            engine.generate("moons", 10),
            {"stretch": (1, 2, 3)},
            "Stretch axes needs 2 numbers; it has 3",
        ),
        (engine.generate("moons", 10), {"stretch": (0, 0)}, "Every stretch factor is 0"),
        (engine.generate("moons", 10), {"query": (1,)}, "Query needs 2 numbers; it has 1"),
    ],
)
def test_what_a_person_can_mend(data, params, words) -> None:
    with pytest.raises(EngineError, match=words):
        engine.run("distance_balls", data, **params)


def test_an_axis_may_be_left_out() -> None:
    """By x₂ alone the first row, at 0, is nearest; it has no ball."""
    trace = cross(stretch=(0, 1))
    assert trace[-1].state.nearest[-1] == (0,)
    assert trace[-1].note.text()


def test_all_that_are_as_near_are_named_once_for_a_place() -> None:
    """Rows 1 and 2 lie at the same place, row 3 as far on another side, row 4 farther."""
    places = [[1.0, 0.0], [1.0, 0.0], [0.0, 1.0], [3.0, 3.5]]
    data = engine.Dataset.from_arrays(np.array(places), list("aabb"))
    trace = engine.run("distance_balls", data, query=(0.0, 0.0))
    step = next(step for step in trace if step.line == "nearest")
    layers = ALGORITHM.scene(trace.given, step).layers
    ringed = next(x for x in layers if isinstance(x, Points) and x.role is Role.NEAREST)
    names = trace.problem.names
    assert ringed.xy.tolist() == places[:3]
    assert list(ringed.label) == [f"{names[0]}, {names[1]}: 1", "", names[2]]


def test_the_plane_holds_the_ball() -> None:
    trace = cross(p=1)
    step = next(step for step in trace if step.line == "nearest")
    ring = next(x for x in ALGORITHM.scene(trace.given, step).layers if x.role is Role.BALL)
    shown = reach([ring], ((0.0, 1.0), (0.0, 1.0)), ((-9.0, 9.0), (-9.0, 9.0)))
    np.testing.assert_allclose(shown, [(-3, 3), (-3, 3)])  # the nearest has the sum 3
