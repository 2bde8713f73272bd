"""Tables whose columns are far from size 1: sigmoid units with the default rate, and networks that
begin at the ends of g.
"""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine.protocol.step import Level, Pace
from engine.sources.real import real
from engine.sources.textbook import textbook

ROUND = Pace(Level.ROUND)
NETWORKS = ["backpropagation", "optimal_brain_damage"]


def table(seed: int, scales: list[float], n: int = 60) -> engine.Dataset:
    """Points of two classes, four deviations apart in every column of these scales."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 3 == 0
    X = (rng.normal(size=(n, len(scales))) + 4.0 * (y[:, None] - 0.5)) * scales
    return engine.Dataset.from_arrays(X, np.where(y, "B", "A"))


def update(trace: engine.Trace) -> engine.Step:
    """The first change of a weight."""
    return next(s for s in trace if s.line == "update")


@settings(max_examples=30, deadline=None)
@given(
    st.integers(0, 1000),
    st.lists(st.sampled_from([1e-3, 1.0, 40.0, 1e3, 1e6]), min_size=1, max_size=4),
)
def test_no_step_of_a_sigmoid_unit_overshoots_by_default(seed: int, scales: list[float]) -> None:
    """A step moves the in of its own example by α (y − h) h (1 − h) |x|²; (1 − h)² h is at most
    4/27.
    """
    trace = engine.run("perceptron_network", table(seed, scales), unit="sigmoid", rounds=2)
    for s in (s for s in trace if s.line == "update"):
        x = np.append(trace.problem.X[s.state.current], 1.0)
        assert np.abs(x @ (s.state.W - s.state.before)).max() <= 1.0


def test_sigmoid_units_learn_a_raw_table_by_default() -> None:
    """With the rate of 1 they are at their ends after one round and change no more."""
    trace = engine.run("perceptron_network", real("digits"), unit="sigmoid", rounds=10, pace=ROUND)
    assert trace[-1].state.errors < 0.1 * trace.problem.n


def test_where_one_large_column_keeps_the_rate_small_the_way_out_is_said_and_helps() -> None:
    wine = real("wine")
    raw = engine.run("perceptron_network", wine, unit="sigmoid", pace=ROUND)
    assert "standardise" in raw[0].note.text()
    way_out = engine.run(
        "perceptron_network",
        wine,
        transforms=[engine.Transform("standardise")],
        unit="sigmoid",
        pace=ROUND,
    )
    assert way_out[-1].state.errors < 0.1 * raw.problem.n < raw[-1].state.errors


def test_the_rate_of_the_book_stays_where_it_does_not_overshoot() -> None:
    for unit in ("threshold", "sigmoid"):
        trace = engine.run("perceptron_network", textbook("two_bit_adder"), unit=unit, rounds=2)
        assert update(trace).note["rate"] == 1.0
    raw = engine.run("perceptron_network", table(0, [1e4, 1e4]), rounds=1)
    assert update(raw).note["rate"] == 1.0, "threshold units answer the same at any rate"


def test_the_rate_that_is_taken_is_shown_at_the_start() -> None:
    trace = engine.run("perceptron_network", table(0, [1e4, 1e4]), unit="sigmoid", rounds=1)
    assert trace[0].note["taken"] == update(trace).note["rate"] < 1e-6
    given_rate = engine.run(
        "perceptron_network", table(0, [1e4, 1e4]), unit="sigmoid", rounds=1, rate=0.5
    )
    assert "taken" not in given_rate[0].note.operands


def flat_answers(trace: engine.Trace) -> tuple[int, int]:
    """Of the answers of logistic units at the start: how many have g′ below 1 % of ¼, and how many
    there are.
    """
    a = trace.problem.X
    flat = 0
    count = 0
    for w in trace[0].state.weights:
        a = 1 / (1 + np.exp(-np.clip(a @ w[:-1] + w[-1], -700, 700)))
        flat = flat + int((a * (1 - a) < 0.0025).sum())
        count = count + a.size
    return flat, count


@pytest.mark.parametrize("key", NETWORKS)
@pytest.mark.parametrize("scale", [1e-3, 1.0, 1e3, 1e7])
def test_a_network_whose_units_begin_at_their_ends_says_so(key: str, scale: float) -> None:
    trace = engine.run(key, table(3, [scale, scale]), max_steps=1)
    flat, count = flat_answers(trace)
    said = trace[0].note
    assert ("standardise" in said.text()) == (2 * flat > count) == (scale > 10)
    if 2 * flat > count:
        assert (said["flat"], said["answers"]) == (flat, count)


@pytest.mark.parametrize("key", NETWORKS)
@pytest.mark.parametrize("activation", ["logistic", "tanh", "relu"])
def test_it_is_said_of_wine_as_it_stands_and_not_of_a_textbook_set(
    key: str, activation: str
) -> None:
    kept = {"hidden": (4,), "activation": activation}
    assert "standardise" in engine.run(key, real("wine"), max_steps=1, **kept)[0].note.text()
    assert "standardise" not in engine.run(key, textbook("xor"), max_steps=1, **kept)[0].note.text()
