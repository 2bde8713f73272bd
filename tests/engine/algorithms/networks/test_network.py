"""Networks against numerical derivatives, scikit-learn, and plain sums done unit by unit."""

import math
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.neural_network import MLPRegressor

import engine
from engine.algorithms.networks.backpropagation import Setting
from engine.algorithms.networks.parts import (
    Units,
    grid_classes,
    grid_inputs,
    network_setting,
    output_inputs,
    with_weight,
)
from engine.base.grid import Grid
from engine.numerics.activations import ACTIVATIONS
from engine.numerics.class_scores import classify

SIZES = st.lists(st.integers(1, 4), min_size=2, max_size=4)
HIDDEN = st.sampled_from(["logistic", "tanh", "relu", "identity"])
OUTPUT = st.sampled_from(["logistic", "identity"])


def forward(how: Units, weights, x):
    return Setting.forward(SimpleNamespace(units=how), weights, x)


def one_example(how: Units, weights, x, y):
    """(answers, deltas) of one example, or of rows."""
    answers = forward(how, weights, x)
    return answers, Setting.backward(SimpleNamespace(units=how), weights, answers, y)


def learnt(weights, answers, deltas, rate: float, decay: float):
    return Setting.learnt(
        SimpleNamespace(p=SimpleNamespace(rate=rate), decay=decay), weights, answers, deltas
    )


def units(hidden: str = "logistic", output: str = "logistic") -> Units:
    return Units(ACTIVATIONS[hidden], ACTIVATIONS[output])


@pytest.mark.parametrize("name", ["logistic", "tanh", "relu", "identity"])
def test_slopes_are_derivatives(name: str) -> None:
    one = ACTIVATIONS[name]
    z = np.array([-3.1, -0.4, 0.2, 2.7])
    h = 1e-6
    assert one.slope(one.g(z)) == pytest.approx((one.g(z + h) - one.g(z - h)) / (2 * h), abs=1e-8)


def test_logistic_is_the_logistic_and_never_overflows() -> None:
    z = np.array([-1e300, -800.0, -2.0, 0.0, 0.5, 1e300])
    with np.errstate(all="raise"):
        a = ACTIVATIONS["logistic"].g(z)
    assert a == pytest.approx([0, 0, 1 / (1 + math.exp(2)), 0.5, 1 / (1 + math.exp(-0.5)), 1])


def test_forward_is_the_sum_over_the_units_before() -> None:
    """AIMA Eq 18.9: a_j = g(Σ w_ij a_i), a_0 = 1."""
    w = network_setting.random_weights((2, 3, 2), 1.0, np.random.default_rng(4))
    x = [0.3, -1.2]
    logistic = lambda z: 1 / (1 + math.exp(-z))  # noqa: E731
    hidden = [logistic(sum(w[0][i, j] * x[i] for i in range(2)) + w[0][2, j]) for j in range(3)]
    out = [logistic(sum(w[1][i, j] * hidden[i] for i in range(3)) + w[1][3, j]) for j in range(2)]
    found = forward(units(), w, np.array(x))
    assert found[1] == pytest.approx(hidden)
    assert found[2] == pytest.approx(out)


@settings(max_examples=40, deadline=None)
@given(SIZES, HIDDEN, OUTPUT, st.integers(0, 10_000))
def test_the_gradient_is_minus_two_a_delta(
    sizes: list[int], hidden: str, output: str, seed: int
) -> None:
    """aima D64: the printed −aΔ lacks a factor 2; with it, and with the sum over outputs, it is the
    derivative.
    """
    rng = np.random.default_rng(seed)
    weights = network_setting.random_weights(sizes, 1.0, rng)
    how = units(hidden, output)
    x, y = rng.normal(size=sizes[0]), rng.normal(size=sizes[-1])
    answers, deltas = one_example(how, weights, x, y)
    printed = [
        -np.outer(np.append(a, 1.0), delta) for a, delta in zip(answers, deltas, strict=False)
    ]
    for gap, w in enumerate(weights):
        for i, j in np.ndindex(w.shape):
            slope, kink = derivative(how, weights, x, y, (gap, i, j))
            if not kink:
                assert slope == pytest.approx(2 * printed[gap][i, j], rel=1e-5, abs=1e-6)


def derivative(how: Units, weights, x, y, link, h: float = 1e-5) -> tuple[float, bool]:
    """∂Loss/∂w by differences, and whether the two sides disagree (the corner of relu)."""
    value = weights[link[0]][link[1], link[2]]
    losses = []
    for step in (-h, 0.0, h):
        a = forward(how, with_weight(weights, link, value + step), x)[-1]
        losses.append(float(((y - a) ** 2).sum()))
    left = (losses[1] - losses[0]) / h
    right = (losses[2] - losses[1]) / h
    return (losses[2] - losses[0]) / (2 * h), abs(left - right) > 1e-2 * max(1.0, abs(left))


@pytest.mark.parametrize("activation", ["logistic", "tanh", "relu", "identity"])
@pytest.mark.parametrize("batch", [1, 40])
def test_same_weights_as_scikit_learn(activation: str, batch: int) -> None:
    """Values, squared loss, plain descent: weight for weight, example by example and
    all together.
    """
    rng = np.random.default_rng(1)
    X = rng.normal(size=(40, 3))
    Y = np.column_stack([np.sin(X[:, 0]), X[:, 1] * X[:, 2]])
    peer = MLPRegressor(
        hidden_layer_sizes=(5, 4),
        activation=activation,
        solver="sgd",
        batch_size=batch,
        momentum=0.0,
        alpha=0.0,
        learning_rate_init=0.05,
        shuffle=False,
        max_iter=1,
        random_state=0,
    )
    peer.partial_fit(X, Y)
    weights = tuple(np.vstack([w, b]) for w, b in zip(peer.coefs_, peer.intercepts_, strict=True))
    how = units(activation, "identity")
    for _ in range(7):
        peer.partial_fit(X, Y)
        if batch == 1:
            for x, y in zip(X, Y, strict=True):
                weights = learnt(weights, *one_example(how, weights, x, y), 0.05, 0.0)
        else:
            weights = learnt(weights, *one_example(how, weights, X, Y), 0.05, 0.0)
    for ours, w, b in zip(weights, peer.coefs_, peer.intercepts_, strict=True):
        assert ours == pytest.approx(np.vstack([w, b]), abs=1e-10)


def test_a_step_by_several_rows_is_the_mean_of_their_steps() -> None:
    """The weights decay first, but for the biases: w ← (1 − α λ) w + α mean(a Δ)."""
    rng = np.random.default_rng(2)
    X = rng.normal(size=(9, 2))
    Y = rng.random((9, 1))
    weights = network_setting.random_weights((2, 3, 1), 1.0, rng)
    whole = learnt(weights, *one_example(units(), weights, X, Y), 0.7, 0.01)
    single = [
        learnt(weights, *one_example(units(), weights, x, y), 0.7, 0.01)
        for x, y in zip(X, Y, strict=True)
    ]
    for gap, after in enumerate(whole):
        assert after == pytest.approx(np.mean([found[gap] for found in single], axis=0))
        assert not after.flags.writeable
    still = learnt(
        weights, *one_example(units(), weights, X, forward(units(), weights, X)[-1]), 0.7, 0.01
    )
    for w, after in zip(weights, still, strict=True):
        assert after[:-1] == pytest.approx(0.993 * w[:-1])
        assert np.array_equal(after[-1], w[-1])


@pytest.mark.parametrize("hidden", [(), (3,), (5, 2), (40,)])
@pytest.mark.parametrize("columns", [1, 2, 4])
def test_surface_is_the_network_at_every_place(hidden: tuple[int, ...], columns: int) -> None:
    rng = np.random.default_rng(5)
    problem = engine.prepare(
        engine.Dataset.from_arrays(rng.normal(size=(12, columns)), np.arange(12) % 2)
    )
    weights = network_setting.random_weights((columns, *hidden, 3), 2.0, rng)
    grid = Grid.over((-2, 2), (-1, 3), 33)
    places = problem.from_plane(grid.points())
    surface = grid_inputs(problem, units("tanh"), weights, grid)
    assert pytest.approx(output_inputs(units("tanh"), weights, places)) == surface.reshape(3, -1).T
    classes = grid_classes(problem, units("tanh"), weights, grid)
    assert np.array_equal(classes.ravel(), classify(output_inputs(units("tanh"), weights, places)))


def test_weights_out_of_bounds_are_reported() -> None:
    good = np.ones((2, 2))
    assert network_setting.bounded([good])
    for bad in (np.nan, np.inf, -np.inf, 1e13):
        assert not network_setting.bounded([good, np.array([[bad, 0.0]])])


def test_hidden_layers_and_start_weights_are_checked() -> None:
    assert network_setting.layer_sizes((4.0, 2.0)) == (4, 2)
    for wrong in ((2.5,), (0.0,), (300.0,), (2.0,) * 7):
        with pytest.raises(engine.EngineError, match="whole numbers"):
            network_setting.layer_sizes(wrong)
    with pytest.raises(engine.EngineError, match="needs 9 numbers for a 2-2-1 network; it has 3"):
        network_setting.shaped((1.0, 2.0, 3.0), (2, 2, 1))
    first, second = network_setting.shaped(tuple(range(9)), (2, 2, 1))
    assert first.tolist() == [[0, 1], [2, 3], [4, 5]]
    assert second.tolist() == [[6], [7], [8]]
