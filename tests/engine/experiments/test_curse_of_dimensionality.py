"""The curse of dimensionality: the printed edges and rims, counted ones beside them, contrasts
against scipy.
"""

import numpy as np
import pytest
from scipy.spatial.distance import cdist

import engine
from engine.base.errors import EngineError
from engine.experiments.curse_of_dimensionality import contrast
from engine.experiments.curse_of_dimensionality.distances import BINS, shares
from engine.scene.scene import Role
from engine.sources.generators import generate

MOONS = generate("moons", 60, 0.2)


def seen(data=MOONS, **params):
    trace = engine.run("curse_of_dimensionality", data, **params)
    return {one.n: one for one in trace[-1].state.seen}


def test_printed_edges() -> None:
    """AIMA 18.8.1: k = 10 of a million: 0.003 (n = 2), 0.02 (3), about half (17), 0.94 (200)."""
    found = seen(k=10, points=10**6)
    assert [round(found[n].edge, digits) for n, digits in ((2, 3), (3, 2), (200, 2))] == [
        0.003,
        0.02,
        0.94,
    ]
    assert found[17].edge == pytest.approx(0.5, abs=0.01)


def test_printed_rims() -> None:
    """AIMA 18.8.1: of the outer one per cent 2 % with one dimension, over 98 % with 200."""
    found = seen()
    assert found[1].rim == pytest.approx(0.02)
    assert found[200].rim > 0.98


def test_what_is_counted_agrees_with_the_law() -> None:
    """300 points: within four standard deviations of each law."""
    found = seen(generate("moons", 300, 0.2))
    for one in found.values():
        assert abs(one.counted - one.rim) <= 4 * np.sqrt(one.rim * (1 - one.rim) / 300) + 1e-9


def test_the_contrast_rises_towards_one() -> None:
    """AIMA 18.8.1: the nearest is not near in high dimensions."""
    ratios = [one.cube for one in seen(generate("moons", 300, 0.2)).values()]
    assert ratios == sorted(ratios)
    assert ratios[0] < 0.01
    assert ratios[-1] > 0.7


def test_own_columns_against_scipy() -> None:
    iris = engine.real("iris")
    found = seen(iris)
    X = engine.prepare(iris).X
    X = (X - X.min(0)) / np.ptp(X, axis=0)
    for n in (1, 2, 3, 4):
        D = cdist(X[:, :n], X[:, :n])
        near = (D + np.diag(np.full(len(D), np.inf))).min(1)
        assert found[n].own == pytest.approx(float((near / D.max(1)).mean()), rel=1e-6)
    assert np.isnan(found[5].own)


def test_distances_of_four_corners() -> None:
    """A unit square: nearest 1 beside √2; four sides and two diagonals."""
    X = np.array([[0.0, 0], [0, 1], [1, 0], [1, 1]])
    D = cdist(X, X)
    assert contrast(D) == pytest.approx(1 / np.sqrt(2))
    mean = (4 + 2 * np.sqrt(2)) / 6
    side, diagonal = (np.searchsorted(BINS, d / mean, "right") - 1 for d in (1.0, np.sqrt(2)))
    assert shares(D)[[side, diagonal]] == pytest.approx([4 / 6, 2 / 6])


def test_more_neighbours_than_points() -> None:
    with pytest.raises(EngineError, match="cannot hold 100 of 60"):
        engine.run("curse_of_dimensionality", MOONS, k=100)


def test_a_table_of_words_and_one_of_equal_rows() -> None:
    words = engine.run("curse_of_dimensionality", engine.textbook("restaurant"), dimensions=3)
    assert all(np.isnan(one.own) for one in words[-1].state.seen)
    assert "alone" in words[0].note.text()
    equal = engine.run(
        "curse_of_dimensionality",
        engine.Dataset.from_arrays(np.ones((5, 2)), [0, 1, 0, 1, 1]),
        dimensions=2,
    )
    assert [one.own for one in equal[-1].state.seen] == [1.0, 1.0]


def test_one_dimension_is_no_curse() -> None:
    trace = engine.run("curse_of_dimensionality", MOONS, dimensions=1)
    assert [step.line for step in trace] == ["start", "edge", "shell", "near", "told"]


def test_half_of_the_side_is_marked_once() -> None:
    trace = engine.run("curse_of_dimensionality", MOONS, k=10, points=10**6)
    (half,) = [step for step in trace if "half" in step.events]
    assert half.state.now.n == 17
    assert trace[-1].note["half"] == 17


def test_amber_is_what_the_words_name() -> None:
    trace = engine.run("curse_of_dimensionality", engine.generate("moons", 20), dimensions=3)
    for step in trace:
        plot = trace.algorithm.scene(trace.given, step).figures[0]
        lit = {layer.tag for layer in plot.layers if layer.role is Role.ACTIVE}
        wanted = {"edge": {"edge"}, "shell": {"rim"}, "told": {"rim", "cube"}}
        if step.line != "near":
            assert lit == wanted.get(step.line, set())
