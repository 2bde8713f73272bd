"""A layer of independent perceptrons: the two-bit adder of AIMA 18.7.2, and agreement with learners
that are alone.
"""

import sys
import time
from itertools import product
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine.algorithms.networks.perceptron_network import Params
from engine.protocol.params import build
from engine.protocol.step import Level, Pace
from engine.runs.run import Run
from engine.scene.scene import Line, Network, Plot, Table
from engine.table.dataset import ColumnRole

ROUNDS = Pace(Level.ROUND)
ADDER = engine.textbook("two_bit_adder")


def names(trace) -> tuple[str, ...]:
    return trace.algorithm.scene(trace.given, trace[-1]).figures[0].outputs


def test_carry_is_learnt_and_sum_goes_round() -> None:
    """aima D61, F31: carry = AND is separable, sum = XOR is not; its unit cycles."""
    trace = engine.run("perceptron_network", ADDER, unit="threshold")
    assert names(trace) == ("carry", "sum")
    assert trace[-1].state.W.shape == (3, 2)
    carry, added = trace[-1].state.wrong
    assert (carry, added > 0) == (0, True)
    assert (trace.predict(trace.problem.X) == [0, 0, 0, 1]).all()
    assert len(trace.when("learnt")) == 1
    assert len(trace.when("cycle")) > 3
    assert not trace.when("converged")
    first = trace.when("learnt")[0]
    assert all(step.state.wrong[0] == 0 for step in trace[first:])
    assert all(step.state.wrong[1] > 0 for step in trace)  # no line gets all of XOR


def test_the_table_has_a_column_for_every_output() -> None:
    """aima C38."""
    trace = engine.run("perceptron_network", ADDER)
    table = next(
        f for f in trace.algorithm.scene(trace.given, trace[-1]).figures if isinstance(f, Table)
    )
    shown = {column.feature.title: column.values.tolist() for column in table.columns}
    assert list(shown) == ["x₁", "x₂", "carry", "sum"]
    assert [
        column.feature.categories[int(v)] for column in table.columns[3:] for v in column.values
    ] == [0, 1, 1, 0]
    alone = engine.run("perceptron_network", ADDER, targets="target")
    scene = alone.algorithm.scene(alone.given, alone[-1])
    assert len(next(f for f in scene.figures if isinstance(f, Table)).columns) == 3


@pytest.mark.slow
@given(
    st.integers(0, 1000),
    st.integers(1, 4),
    st.sampled_from(["threshold", "sigmoid"]),
    st.sampled_from(["table", "random"]),
)
@settings(deadline=None, max_examples=25)
def test_a_run_that_is_not_watched_is_the_same(seed: int, d: int, unit: str, order: str) -> None:
    rng = np.random.default_rng(seed)
    data = (rng.normal(size=(15, d)), rng.integers(3, size=15))
    if len(set(data[1])) < 2:
        return
    options = {"unit": unit, "order": order, "rounds": 4, "seed": seed}
    watched, alone = (
        engine.run("perceptron_network", data, pace=pace, **options) for pace in (Pace(), ROUNDS)
    )
    ends = [step for step in watched if step.level is Level.ROUND]
    assert len(ends) == len(alone)
    for one, other in zip(ends, alone, strict=True):
        assert np.array_equal(one.state.W, other.state.W)
        assert one.events == other.events
        assert one.note.text() == other.note.text()


def test_braces_in_the_name_of_a_column_harm_no_sentence() -> None:
    data = engine.Dataset.from_columns({"x": [0.0, 1.0, 2.0], "a{b}": ["no", "no", "yes"]}, "a{b}")
    trace = engine.run("perceptron_network", data, rounds=3)
    assert all(
        "a(b)" in "".join(step.note.lines())
        for step in trace
        if step.line in ("take", "fire", "update", "until")
    )


def test_first_round_by_hand() -> None:
    """w starts at 0 and fires at in ≥ 0 (AIMA 18.6.3), so both units err at (0, 0): only their
    biases move.
    """
    trace = engine.run("perceptron_network", ADDER, rate=0.5, max_steps=30)
    updates = [s for s in trace if s.line == "update"]
    assert updates[0].state.W.tolist() == [[0, 0], [0, 0], [-0.5, 0]]
    assert updates[1].state.W.tolist() == [[0, 0], [0, 0], [-0.5, -0.5]]
    # (0, 1): sum should be 1 but says 0
    assert updates[2].state.W.tolist() == [[0, 0], [0, 0.5], [-0.5, 0]]
    assert [updates[2].note[name] for name in ("y", "h")] == [1.0, 0.0]


def test_units_do_not_look_at_each_other() -> None:
    both = engine.run("perceptron_network", ADDER, rounds=12)
    carry = engine.run("perceptron_network", ADDER, rounds=12, targets="target")
    alone = engine.run(
        "perceptron_network",
        ADDER.with_role("carry", ColumnRole.IGNORED).with_role("sum", ColumnRole.TARGET),
        rounds=12,
        targets="target",
    )
    assert names(carry) == ("carry",)
    assert np.array_equal(both[-1].state.W[:, :1], carry.at(Level.ROUND, -1).state.W)
    assert np.array_equal(both[-1].state.W[:, 1:], alone[-1].state.W)


def test_carry_is_a_perceptron() -> None:
    """The same rule as the single perceptron with AIMA's conventions; table order makes the visits
    equal.
    """
    X = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], float)
    trace = engine.run("perceptron_network", (X, np.array([0, 0, 0, 1])), pace=ROUNDS)
    w = np.zeros(3)
    for _ in range(len(trace) - 1):
        for x, y in zip(np.column_stack([X, np.ones(4)]), (0, 0, 0, 1), strict=True):
            w = w + (y - float(w @ x >= 0)) * x
    assert trace[-1].state.W[:, 0].tolist() == w.tolist()
    assert trace.when("converged") == [len(trace) - 1]


def test_sigmoid_units_follow_the_squared_loss() -> None:
    """AIMA Eq 18.8 for both outputs, example by example."""
    trace = engine.run("perceptron_network", ADDER, unit="sigmoid", rate=0.8, rounds=2, pace=ROUNDS)
    X = np.column_stack([trace.problem.X, np.ones(4)])
    Y = np.array([[0, 0], [0, 1], [0, 1], [1, 0]], float)
    W = np.zeros((3, 2))
    for _ in range(2):
        for x, y in zip(X, Y, strict=True):
            h = 1 / (1 + np.exp(-(x @ W)))
            W = W + 0.8 * np.outer(x, (y - h) * h * (1 - h))
    assert pytest.approx(W) == trace[-1].state.W
    long = engine.run(
        "perceptron_network", ADDER, unit="sigmoid", rate=2.0, rounds=300, pace=ROUNDS
    )
    assert long[-1].state.wrong[0] == 0
    assert long[-1].state.wrong[1] > 0


@settings(max_examples=25, deadline=None)
@given(
    st.integers(0, 10_000),
    st.sampled_from(["threshold", "sigmoid"]),
    st.sampled_from(["table", "random"]),
)
def test_not_watching_changes_nothing(seed: int, unit: str, order: str) -> None:
    rng = np.random.default_rng(seed)
    data = engine.Dataset.from_arrays(rng.normal(size=(12, 2)), rng.integers(0, 3, 12))
    problem = engine.prepare(data)
    if len(set(problem.codes.tolist())) < 2:
        return
    fine = engine.run("perceptron_network", problem, seed, unit=unit, order=order, rounds=4)
    lean = engine.run(
        "perceptron_network", problem, seed, unit=unit, order=order, rounds=4, pace=ROUNDS
    )
    assert np.array_equal(fine[-1].state.W, lean[-1].state.W)
    assert fine[-1].state.wrong == lean[-1].state.wrong
    last = [s for s in fine if s.line in ("fire", "update")][-1]
    assert np.array_equal(last.state.W, fine[-1].state.W)


def test_every_class_has_a_unit() -> None:
    iris = engine.real("iris")
    trace = engine.run(
        "perceptron_network", iris, unit="sigmoid", rate=0.1, rounds=60, pace=ROUNDS, order="random"
    )
    assert trace[-1].state.W.shape == (5, 3)
    assert trace.wrong().mean() < 0.2


def test_columns_aside_become_outputs_only_when_they_are_pairs() -> None:
    data = engine.Dataset.from_columns(
        {
            "x": [0.0, 1.0, 2.0, 3.0],
            "id": [1.0, 2.0, 3.0, 4.0],
            "late": ["Yes", "No", "No", "Yes"],
            "odd": [False, True, False, True],
            "y": [0, 0, 1, 1],
        },
        target="y",
    )
    for name in ("id", "late", "odd"):
        data = data.with_role(name, ColumnRole.IGNORED)
    trace = engine.run("perceptron_network", data, rounds=5)
    assert names(trace) == ("y", "late", "odd")
    wanted = next(s.note for s in trace if s.line == "take")
    assert [wanted["y0"], wanted["y1"], wanted["y2"]] == ["0", "1", "0"]


def test_unlabelled_rows_teach_nothing() -> None:
    data = engine.Dataset.from_columns({"x": [0.0, 1.0, 2.0], "y": ["a", None, "b"]}, target="y")
    trace = engine.run("perceptron_network", data, rounds=20)
    assert trace.finished
    assert {s.state.current for s in trace if s.line == "update"} <= {0, 2}


def test_pictures() -> None:
    trace = engine.run("perceptron_network", ADDER, max_steps=20)
    step = next(s for s in trace if s.line == "update" and s.state.unit == 1)
    scene = trace.algorithm.scene(trace.given, step)
    network, plot = scene.figures[:2]
    assert isinstance(network, Network)
    assert isinstance(plot, Plot)
    assert network.active == ((0, -1, 1),)
    labels = [layer.label for layer in scene.layers if isinstance(layer, Line) and layer.label]
    assert labels == ["carry", "sum"]
    state = trace.algorithm.tweak(trace.given, step.state, (0, 2, 0), -1.5)
    assert state.W[2, 0] == -1.5


def test_amber_are_the_units_that_answer_then_the_links_that_change() -> None:
    trace = engine.run("perceptron_network", ADDER, max_steps=40)
    seen = set()
    for step in trace:
        network = trace.algorithm.scene(trace.given, step).figures[0]
        if step.line == "fire":
            assert network.active == () and network.current == ((1, 0), (1, 1))
            wrong = [trace.given.errs(step.state, j) for j in range(2)]
            assert network.title.endswith("right") == (not any(wrong))
        elif step.line == "update":
            assert network.active == ((0, -1, step.state.unit),)
        else:
            assert network.active == () and network.current == ()
        seen.add(step.line)
    assert {"fire", "update", "until"} <= seen


def test_a_unit_fires_where_only_rounding_keeps_its_input_below_zero() -> None:
    """Tenths and their tenfold: the same looks, the same mistakes, the same circle.

    AIMA 18.7.2: g(0) = 1
    """
    tenths, whole = [[-0.5], [-0.4], [-0.3]], [[-5.0], [-4.0], [-3.0]]
    small = engine.run("perceptron_network", (tenths, ["a", "b", "a"]), rate=0.1, rounds=12)
    large = engine.run("perceptron_network", (whole, ["a", "b", "a"]), rate=1.0, rounds=12)
    assert small.metrics["errors"].tolist() == large.metrics["errors"].tolist()
    assert [step.line for step in small] == [step.line for step in large]
    assert list(small.when("cycle")) == list(large.when("cycle"))
    assert large.when("cycle")


def thirty_classes() -> tuple[np.ndarray, np.ndarray]:
    y = np.repeat(np.arange(30), 2)
    return np.random.default_rng(0).normal(size=(60, 2)) + y[:, None], y


@pytest.mark.parametrize("unit", ["threshold", "sigmoid"])
def test_errors_after_every_change_are_those_of_the_weights_shown(unit: str) -> None:
    """Counted again from W, though only the unit that changed is computed again."""
    X, y = thirty_classes()
    trace = engine.run("perceptron_network", (X, y), unit=unit, rounds=1)
    Z = np.column_stack([X, np.ones(60)])
    seen = [step for step in trace if step.line in ("fire", "update")]
    assert len(seen) > 150
    for step in seen[:: len(seen) // 40]:
        score = Z @ step.state.W
        score[np.abs(score) < 1e-9] = 0.0
        assert step.state.wrong == tuple(
            ((score >= 0) != (y[:, None] == np.arange(30))).sum(axis=0)
        )
        assert step.state.errors == (score.argmax(axis=1) != y).sum()


@pytest.mark.slow
def test_an_update_costs_no_look_at_all_the_other_units() -> None:
    """A step with thirty units takes hardly longer than one with three, and the sums are AIMA Eq
    18.8's.
    """
    X, y = thirty_classes()

    def step_time(classes: int, rounds: int) -> float:
        began = time.thread_time()
        trace = engine.run("perceptron_network", (X, y % classes), unit="sigmoid", rounds=rounds)
        assert len(trace) == 1 + rounds * (1 + 60 * (2 + classes) + 1)
        return (time.thread_time() - began) / len(trace)

    assert min(step_time(30, 1) for _ in range(3)) < 2.5 * min(step_time(3, 6) for _ in range(3))
    trace = engine.run("perceptron_network", (X, y), unit="sigmoid", rate=1, rounds=2)
    Z = np.column_stack([X, np.ones(60)])
    W = 0.0
    for _ in range(2):
        for z, c in zip(Z, y, strict=True):
            h = 1 / (1 + np.exp(-(z @ (W + np.zeros((3, 30))))))
            W = W + np.outer(z, ((np.arange(30) == c) - h) * h * (1 - h))
    assert pytest.approx(W) == trace[-1].state.W


@pytest.mark.slow
@pytest.mark.parametrize("unit", ["threshold", "sigmoid"])
def test_a_long_round_begins_at_once(unit: str) -> None:
    """Thirty units and 20,000 examples: the first looks do not wait for the end of the round."""
    y = np.arange(20_000) % 30
    X = np.random.default_rng(0).normal(size=(20_000, 2)) + y[:, None]
    run = Run(
        engine.algorithms()["perceptron_network"],
        engine.prepare(engine.Dataset.from_arrays(X, y)),
        build(Params, {"unit": unit}),
    )
    run.advance(max_steps=2)
    gaps = []
    for count in range(3, 60):
        began = time.thread_time()
        run.advance(max_steps=count)
        gaps.append(time.thread_time() - began)
    assert sorted(gaps)[-2] < 0.05


@pytest.mark.slow
def test_the_parts_of_a_long_round_make_the_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = thirty_classes()
    for unit in ("threshold", "sigmoid"):
        whole = engine.run("perceptron_network", (X, y), unit=unit, rounds=3)
        monkeypatch.setattr(
            sys.modules["engine.algorithms.networks.perceptron_network.layer"], "PART", 700
        )  # seven examples
        parts = engine.run("perceptron_network", (X, y), unit=unit, rounds=3)
        monkeypatch.undo()
        assert [step.line for step in parts] == [step.line for step in whole]
        assert all(
            np.array_equal(a.state.W, b.state.W) and a.state.inputs == b.state.inputs
            for a, b in zip(parts, whole, strict=True)
        )


def test_majority_is_one_on_each_input_and_half_of_them_against() -> None:
    """AIMA 18.7.2: w_i = 1 and w0 = −n/2 is the majority function, for odd n at once."""
    trace = engine.run("perceptron_network", engine.textbook("majority"), begin="majority")
    first = trace[0].state
    assert first.W.ravel().tolist() == [1.0] * 11 + [-5.5]
    assert first.errors == 0
    assert np.array_equal(trace[-1].state.W, first.W)


def test_of_an_even_number_a_draw_fires() -> None:
    """aima D57: with ≥ 0 the unit of AIMA 18.7.2 fires at a draw, which is no majority."""
    rows = np.array(list(product((0, 1), repeat=4)))
    most = np.where(rows.sum(axis=1) > 2, 1, 0)
    order = np.argsort(-most, kind="stable")  # 1 is the first class, for which the unit fires
    data = engine.Dataset.from_arrays(rows[order], most[order])
    trace = engine.run("perceptron_network", data, begin="majority")
    assert trace.problem.classes[0] == 1
    assert trace[0].state.errors == comb(4, 2)


def test_start_weights_are_those_of_the_form() -> None:
    """Two units of the adder, each with two weights and a bias."""
    start = (1.0, 2.0, -1.5, 0.5, 0.25, -0.75)
    trace = engine.run("perceptron_network", ADDER, begin="as set", start=start)
    assert trace[0].state.W.T.ravel().tolist() == list(start)
    with pytest.raises(engine.EngineError, match="Start w needs 6 numbers"):
        engine.run("perceptron_network", ADDER, begin="as set", start=(1.0,))
