"""The nearest flip: distances worked out by hand, brute force over rays, and the labels on both
sides of its end.
"""

from typing import Any

import numpy as np
import pytest

import engine
from engine.judge.nearest_flip import Flip, nearest_flip
from engine.runs.trace import Trace

WIDE = ((-6.0, 6.0), (-6.0, 6.0))
RAYS = 240


def blobs(seed: int = 0, n: int = 40) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 2
    return rng.normal(0, 1, (n, 2)) + np.where(y == 1, 1.2, -1.2)[:, None], y


def by_rays(trace: Trace, place: Any, longest: float) -> float:
    """The shortest way to another label along many rays, each walked in small steps."""
    angles = np.arange(RAYS) * 2 * np.pi / RAYS
    steps = np.linspace(0, longest, 400)
    ways = np.column_stack([np.cos(angles), np.sin(angles)])
    places = place + steps[:, None, None] * ways
    codes = trace.predict(places.reshape(-1, 2), -1)
    here = trace.predict(place[None])[0]
    other = (np.asarray(codes) != here).reshape(len(steps), RAYS).any(axis=1)
    return float(steps[int(other.argmax())]) if other.any() else np.inf


def flips(trace: Trace, place: Any, flip: Flip) -> None:
    """Just before its end the label is the old one, just behind it is the other."""
    way = np.subtract(flip.end, flip.start)
    before = place + way * (1 - 1e-4)
    behind = place + way * (1 + 1e-4)
    said = trace.predict(np.array([before, behind]))
    assert said[0] == trace.predict(place[None])[0] != said[1]


CASES = {
    "perceptron": {}, "logistic_regression": {}, "svm": {"kernel": "linear"}, "decision_tree": {},
    "adaboost": {"rounds": 8},
    "bagging": {"members": 5}, "random_forest": {"members": 5}, "nearest_neighbours": {"k": 1},
}  # fmt: skip
SEARCHED = {"nearest_neighbours": {"k": 3}, "svm": {"kernel": "rbf"}, "backpropagation": {}}


@pytest.mark.parametrize("key", CASES)
def test_exact_where_geometry_gives_it(key: str) -> None:
    trace = engine.run(key, blobs(), max_steps=2000, **CASES[key])
    for place in np.random.default_rng(1).uniform(-2.5, 2.5, (6, 2)):
        flip = nearest_flip(trace, place, *WIDE)
        assert flip is not None and flip.exact
        flips(trace, place, flip)
        walked = by_rays(trace, place, 1.5 * flip.length)
        assert flip.length <= walked <= flip.length * 1.02 + 1.5 * flip.length / 400


@pytest.mark.parametrize("key", SEARCHED)
def test_elsewhere_it_is_searched_and_says_so(key: str) -> None:
    trace = engine.run(key, blobs(), max_steps=400, **SEARCHED[key])
    for place in np.random.default_rng(1).uniform(-2.5, 2.5, (4, 2)):
        flip = nearest_flip(trace, place, *WIDE)
        assert flip is not None and not flip.exact and flip.how.startswith("searched")
        flips(trace, place, flip)
        assert flip.length <= by_rays(trace, place, 2 * flip.length) + 0.06


def test_half_the_way_between_two_neighbours() -> None:
    """Sites at (0, 0), (4, 0), (0, 9), (20, 20): from (1, 0) the border of the class at x = 2."""
    trace = engine.run(
        "nearest_neighbours",
        ([[0.0, 0.0], [4.0, 0.0], [0.0, 9.0], [20.0, 20.0]], [0, 1, 0, 1]),
        k=1,
    )
    flip = nearest_flip(trace, np.array([1.0, 0.0]), *WIDE)
    assert (
        flip is not None
        and flip.end == pytest.approx((2.0, 0.0))
        and flip.length == pytest.approx(1.0)
    )


def test_thresholds_of_a_tree() -> None:
    """One test at x = 1.5; the nearest other label of (0.25, 7) is straight to the right."""
    trace = engine.run(
        "decision_tree", ([[0.0, 7.0], [1.0, 8.0], [2.0, 7.0], [3.0, 8.0]], [0, 0, 1, 1])
    )
    flip = nearest_flip(trace, np.array([0.25, 7.0]), *WIDE)
    assert flip is not None and flip.end == (1.5, 7.0) and {flip.code, flip.other} == {0, 1}


def test_none_where_nothing_else_is_said() -> None:
    one = engine.run("decision_tree", ([[0.0, 7.0], [1.0, 8.0]], [0, 0]))
    assert nearest_flip(one, np.array([0.0, 7.0]), *WIDE) is None
    values = engine.run("regression_tree", ([[0.0, 7.0], [1.0, 8.0]], [0.5, 1.5]))
    assert nearest_flip(values, np.array([0.0, 7.0]), *WIDE) is None
    before = engine.run("nearest_neighbours", blobs())
    assert nearest_flip(before, np.array([0.0, 0.0]), *WIDE, at=0) is None
