"""The ridge and the bump of AIMA Fig 18.23 by the recipe's own sums, far from 0 and in other units
too.
"""

from math import exp

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine.base.errors import EngineError
from engine.base.grid import Grid
from engine.protocol.step import Level, Pace
from engine.scene.scene import Network, Plot, Polyline, Role, Space

KEY = "ridge_and_bump"
ALGORITHM = engine.algorithms()[KEY]
XOR = engine.textbook("xor")


def g(z: float) -> float:
    return 1 / (1 + exp(-z))


def pair(u: float, k: float = 5.0, b: float = 2.0) -> float:
    return g(k * (u + b)) + g(k * (-u + b))


def by_line(trace):
    return {step.line: step for step in trace}


def height(trace, step, *place: float) -> float:
    return float(trace.given.height(step.state, np.array([place]))[0])


@given(st.floats(-4, 4), st.floats(-4, 4))
@settings(max_examples=15)
def test_the_recipe(x: float, y: float) -> None:
    """aima A48, C23: f = g(5(x₁ + 2)) + g(5(−x₁ + 2)), ridge = g(10(f − 1.5)), bump = g(10(f₁ + f₂
    − 3.5)).
    """
    trace = engine.run(KEY, ALGORITHM.example())
    lines = by_line(trace)
    assert height(trace, lines["slope"], x, y) == pytest.approx(g(5 * (x + 2)))
    assert height(trace, lines["pair"], x, y) == pytest.approx(pair(x))
    assert height(trace, lines["ridge"], x, y) == pytest.approx(g(10 * (pair(x) - 1.5)))
    assert height(trace, lines["cross"], x, y) == pytest.approx(pair(x) + pair(y))
    bump = g(10 * (pair(x) + pair(y) - 3.5))
    assert (
        height(trace, lines["bump"], x, y)
        == height(trace, lines["sum"], x, y)
        == pytest.approx(bump)
    )


def test_the_weights_of_the_recipe() -> None:
    lines = by_line(engine.run(KEY, ALGORITHM.example()))
    assert lines["slope"].state.weights[0].ravel().tolist() == [5, 0, 10]
    hidden, out = lines["ridge"].state.weights
    assert hidden.T.tolist() == [[5, 0, 10], [-5, 0, 10]]
    assert out.ravel().tolist() == [10, 10, -15]
    hidden, out = lines["bump"].state.weights
    assert hidden.T.tolist() == [[5, 0, 10], [-5, 0, 10], [0, 5, 10], [0, -5, 10]]
    assert out.ravel().tolist() == [10, 10, 10, 10, -35]


def test_what_the_ridge_and_the_bump_are() -> None:
    """aima F33: 1 along the ridge and 0 beside it; 1 on the bump, 0 off it, also on the ridges that
    cross there.
    """
    trace = engine.run(KEY, ALGORITHM.example())
    lines = by_line(trace)
    for along in (-4.0, 0.0, 4.0):
        assert height(trace, lines["ridge"], 0.0, along) > 0.99
        assert height(trace, lines["ridge"], 4.0, along) < 0.01
    assert height(trace, lines["bump"], 0.0, 0.0) > 0.99
    for place in ((4.0, 0.0), (0.0, -4.0), (4.0, 4.0)):
        assert height(trace, lines["bump"], *place) < 0.01
    assert [step.state.errors for step in trace] == [5, 2, 2, 0, 0, 0]
    assert lines["cross"].note["out"] == pytest.approx(2 * pair(0))
    assert lines["cross"].note["one"] == pytest.approx(pair(0) + 1, abs=1e-4)
    assert lines["cross"].note["none"] == pytest.approx(2, abs=1e-4)
    assert lines["bump"].note["out"] == pytest.approx(g(10 * (2 * pair(0) - 3.5)))


@pytest.mark.parametrize(("unit", "shift"), [(1e-6, 0.0), (1e6, 1e6), (1000.0, -500.0)])
def test_the_picture_reaches_from_minus_four_to_four_whatever_the_units(
    unit: float, shift: float
) -> None:
    problem = ALGORITHM.example()
    X = problem.X * unit + shift
    moved = engine.run(
        KEY, engine.Dataset.from_arrays(X, problem.labels(problem.codes)), steepness=3.0, width=1.0
    )
    here = engine.run(KEY, problem, steepness=3.0, width=1.0)
    for there, step in zip(moved, here, strict=True):
        at = np.array([[0.7, -1.2], [1.1, 0.1]])
        found = moved.given.height(there.state, at * unit + shift)
        assert found == pytest.approx(here.given.height(step.state, at), rel=1e-6)


def test_sliders_are_the_numbers_of_the_recipe() -> None:
    params = {
        "steepness": 2.0,
        "width": 1.5,
        "cut": 6.0,
        "ridge_at": 1.2,
        "bump_at": 3.1,
        "place": (1.0, -0.5),
    }
    trace = engine.run(KEY, ALGORITHM.example(), **params)
    lines = by_line(trace)
    x, y = 1.4, 0.3
    across, upright = pair(x - 1.0, 2.0, 1.5), pair(y + 0.5, 2.0, 1.5)
    assert height(trace, lines["ridge"], x, y) == pytest.approx(g(6 * (across - 1.2)))
    assert height(trace, lines["bump"], x, y) == pytest.approx(g(6 * (across + upright - 3.1)))
    codes = dict(ALGORITHM.code_lines(trace.params))
    assert codes["ridge"].endswith("f − 1.2))") and codes["bump"].endswith("f − 3.1))")


def test_a_bump_on_each_example_says_xor() -> None:
    """aima E33: two bumps are a network of two hidden layers that no line could replace."""
    trace = engine.run(KEY, XOR, bumps="on the first class")
    last = trace[-1].state
    assert [w.shape for w in last.weights] == [(3, 8), (9, 2), (3, 1)]
    assert last.errors == 0
    one, two = (step.state for step in trace if step.line == "bump")
    X = np.random.default_rng(0).random((20, 2))
    added = trace.given.height(one, X) + trace.given.height(two, X)
    assert trace.given.height(last, X) == pytest.approx(added)
    assert (
        trace.predict(trace.problem.X).tolist()
        == trace.problem.labels(trace.problem.codes).tolist()
    )


def test_too_many_bumps_and_half_a_place_are_refused_in_words() -> None:
    with pytest.raises(EngineError, match="At most 12 bumps"):
        engine.run(KEY, engine.generate("moons", 60, 0.1, 0), bumps="on the first class")
    with pytest.raises(EngineError, match="2 numbers, not 1"):
        engine.run(KEY, XOR, place=(1.0,))


def test_of_a_single_column_the_ridge_is_the_bump() -> None:
    trace = engine.run(
        KEY, engine.Dataset.from_arrays([[-4.0], [0.0], [4.0]], ["off", "on", "off"]), place=(0.0,)
    )
    lines = by_line(trace)
    assert "cross" not in lines
    assert (
        height(trace, lines["bump"], 0.5)
        == height(trace, lines["ridge"], 0.5)
        == pytest.approx(g(10 * (pair(0.5) - 1.5)))
    )


def test_every_pace_ends_alike() -> None:
    ends = [engine.run(KEY, XOR, bumps="on the first class", pace=Pace(level)) for level in Level]
    for trace in ends:
        assert all(map(np.array_equal, trace[-1].state.weights, ends[0][-1].state.weights))
    assert [step.line for step in ends[-1]] == ["bump", "bump", "sum"]


def test_the_surface_in_space_is_the_network() -> None:
    trace = engine.run(KEY, ALGORITHM.example())
    for step in trace:
        scene = ALGORITHM.scene(trace.given, step)
        space, network, cut = scene.figures[:3]
        assert isinstance(space, Space) and isinstance(network, Network) and isinstance(cut, Plot)
        x, y, z = space.surface
        assert (x[0], x[-1]) == pytest.approx((-4.4, 4.4))
        for i, j in ((0, 0), (3, 17), (20, 20), (40, 8)):
            assert z[i, j] == pytest.approx(height(trace, step, x[j], y[i]))
        (w, b, _), *none = space.planes
        assert none == [] and w.tolist() == [0, 0, 1] and b == -step.state.level
        assert len(space.xyz) == 0, "a bump in the middle has nothing to do with the examples"
        out = [
            layer
            for layer in cut.layers
            if isinstance(layer, Polyline) and layer.role is Role.BOUNDARY
        ]
        assert out[0].xy[60, 1] == pytest.approx(height(trace, step, out[0].xy[60, 0], 0.0))


def test_the_shading_is_the_height_above_the_level() -> None:
    trace = engine.run(KEY, XOR, bumps="on the first class")
    grid = Grid.over((-0.5, 1.5), (-0.5, 1.5), 7)
    for step in trace:
        found = ALGORITHM.fields["score"](trace.given, step.state, grid).ravel()
        level = step.state.level
        assert found == pytest.approx(
            (trace.given.height(step.state, grid.points()) - level) / max(level, 0.5)
        )


def test_why_this_class() -> None:
    trace = engine.run(KEY, XOR, bumps="on the first class")
    for x, code in zip(trace.problem.X, trace.problem.codes, strict=True):
        why = ALGORITHM.explain(trace.given, trace[-1].state, x)
        assert why.label == code
        assert (why.note["a"] >= 0.5) == (code == 0)


def test_a_ridge_alone_runs_along_the_second_axis() -> None:
    """AIMA Fig 18.23(a): the height along x₁ is that of the recipe's ridge, whatever x₂."""
    trace = engine.run(KEY, ALGORITHM.example(), bumps="a ridge alone")
    assert [step.line for step in trace] == ["slope", "pair", "ridge", "sum"]
    for x, y in ((0.0, 4.0), (0.0, 0.0), (2.5, 0.0), (-3.0, -4.0)):
        assert height(trace, trace[-1], x, y) == pytest.approx(g(10 * (pair(x) - 1.5)))


def test_a_ridge_alone_is_not_called_a_bump() -> None:
    """AIMA Fig 18.23 tells the ridge of panel (a) from the bump of panel (b)."""
    ridge = engine.run("ridge_and_bump", engine.textbook("xor"), bumps="a ridge alone")
    said = [" ".join(map(str, ridge[k].note.lines())) for k in range(len(ridge))]
    assert not any("bump" in words.lower() for words in said)
    assert "one ridge" in said[-1]
    bump = engine.run("ridge_and_bump", engine.textbook("xor"), bumps="one")
    assert "1 bump" in bump[-1].note.lines()[0]


def test_bumps_on_examples_are_shown_with_them() -> None:
    trace = engine.run(KEY, XOR, bumps="on the first class")
    for k, step in enumerate(trace):
        space = ALGORITHM.scene(trace.given, step).figures[0]
        assert isinstance(space, Space)
        (w, b, _) = space.planes[0]
        above = space.xyz @ w + b >= 0
        assert above.tolist() == (trace.codes(trace.problem.X, at=k) == 0).tolist()
