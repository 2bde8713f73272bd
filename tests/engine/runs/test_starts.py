"""Runs that go on from a step of another one: the same states as from that state itself, wherever
they are made.
"""

from functools import reduce
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine.base.errors import EngineError
from engine.base.records import replace
from engine.protocol.params import params_fields
from engine.protocol.step import Level, Pace
from engine.runs.run import Run
from engine.runs.start import MAX_STARTS, Start, changed
from engine.runs.trace import Trace
from tests.benchmarks.measure import points_for
from tests.engine.digests import fewer, parts

RESUMABLE = [method for method in engine.algorithms().values() if method.resume is not None]
LIMIT = 60  # steps of a run
FURTHER = 20  # of one that goes on, whose first ones show whether state and chance are those
XOR = engine.Dataset.from_arrays([[0, 0], [0, 1], [1, 0], [1, 1]], [-1, 1, 1, -1])


def bits(trace: Any) -> list[bytes]:
    """Of values alone: which of them are one object is no matter of the run's."""
    return [b"".join(parts((step.line, step.events, step.state))) for step in trace]


def recorded(
    method: Any, start: Any = None, pace: Pace = Pace(), seed: int = 1, **changes: Any
) -> Trace:
    params = replace(method.params(**fewer(method)), **changes)
    run = Run(method, method.example(), params, seed, pace, start)
    run.advance(max_steps=LIMIT if start is None else FURTHER)
    return run.trace


@pytest.mark.slow
@pytest.mark.parametrize("method", RESUMABLE, ids=lambda method: method.key)
@pytest.mark.parametrize("level", Level)
def test_a_run_goes_on_as_from_the_state_of_that_step(method: Any, level: Level) -> None:
    """Whatever the pace the step was found at, and the pace of the run that goes on; with another
    seed, so that something has been changed.
    """
    trace = recorded(method, pace=Pace(level))
    middle = len(trace) // 3
    for at, pace in (
        (0, Level.DETAIL),
        (middle, Level.DETAIL),
        (middle, Level.ROUND),
        (len(trace) - 1, Level.ROUND),
    ):
        start = trace.start_at(at)
        wanted = recorded(method, trace[at].state, Pace(pace), 2)
        if len(wanted):
            assert bits(recorded(method, start, Pace(pace), 2)) == bits(wanted)
        else:
            with pytest.raises(EngineError, match="nothing left to do"):
                recorded(method, start, Pace(pace), 2)


def test_a_step_is_named_at_the_coarsest_level_it_is_found_at() -> None:
    fine = engine.run("perceptron", XOR, rounds=9)
    rounds = engine.run("perceptron", XOR, rounds=9, pace=Pace(Level.ROUND))
    at = fine.indices(Level.ROUND)[5]
    assert (
        fine.start_at(at)
        == rounds.start_at(5)
        == Start("perceptron", fine.params, 5, level=Level.ROUND)
    )
    assert fine.start_at(-1) == rounds.start_at(-1)


def test_other_parameters_take_over_from_there() -> None:
    first = engine.run("perceptron", XOR, rounds=9, threshold="learned")
    second = engine.run(
        "perceptron",
        XOR,
        7,
        threshold="learned",
        rate=0.1,
        rounds=20,
        go_on_from=first.start_at(30),
    )
    begun, state = second[0].state, first[30].state
    assert np.array_equal(begun.w, state.w)
    assert begun.round == state.round + 1
    assert (second.params.rate, second.seed, second.start) == (0.1, 7, first.start_at(30))
    assert second[-1].state.round == 20


def test_a_chain_of_two_is_the_run_of_its_parts() -> None:
    first = engine.run("backpropagation", XOR, 3, epochs=5)
    second = engine.run(
        "backpropagation", XOR, 4, epochs=9, rate=0.5, go_on_from=first.start_at(11)
    )
    third = engine.run(
        "backpropagation", XOR, 5, epochs=12, rate=0.2, go_on_from=second.start_at(17)
    )
    assert third.start is not None and third.start.depth == 2
    method, problem = first.algorithm, first.problem
    by_hand = Run(method, problem, second.params, 4, start=first[11].state)
    by_hand.advance()
    assert bits(by_hand.trace) == bits(second)
    by_hand = Run(method, problem, third.params, 5, start=second[17].state)
    by_hand.advance()
    assert bits(by_hand.trace) == bits(third)


def test_a_number_set_by_hand_is_part_of_the_start() -> None:
    first = engine.run(
        "gradient_descent", engine.algorithms()["gradient_descent"].example(), rate=0.01
    )
    start = first.start_at(6, ((1,), 2.5))
    second = engine.run("gradient_descent", first.problem, rate=0.01, go_on_from=start)
    w = first[6].state.w
    assert second[0].state.w.tolist() == [w[0], 2.5]
    assert second.start == start


@pytest.mark.slow
@settings(max_examples=20, deadline=None)
@given(ats=st.lists(st.integers(0, 20), min_size=1, max_size=6), seed=st.integers(0, 9))
def test_any_chain_is_the_same_again(ats: list[int], seed: int) -> None:
    def on(trace: Trace, at: int) -> Trace:
        place = min(at, len(trace) - 1)
        return engine.run(
            "perceptron", XOR, seed, rounds=30, order="random", go_on_from=trace.start_at(place)
        )

    begin = engine.run("perceptron", XOR, seed, rounds=3, order="random")
    last = reduce(on, ats, begin)
    again = engine.run("perceptron", XOR, seed, rounds=30, order="random", go_on_from=last.start)
    assert bits(again) == bits(last)


def test_known_states_are_not_sought_again() -> None:
    first = engine.run("perceptron", XOR, rounds=9)
    start = first.start_at(20)
    states = dict[Start, Any]()
    other = replace(first.params, rate=0.1)
    run = Run(first.algorithm, first.problem, other, start=start, states=states)
    pulses = 0
    while not run.advance(seconds=0):
        pulses += 1
    assert pulses == 20 if start.level is Level.DETAIL else start.step
    assert np.array_equal(states[start].w, first[20].state.w)
    again = Run(first.algorithm, first.problem, other, start=start, states=states)
    assert again.advance(seconds=0) == 1, "at once"


def test_a_thinned_step_is_replayed_from_the_run_before() -> None:
    first = engine.run("perceptron", engine.generate("moons", 50), rounds=5)
    whole = engine.run("perceptron", first.problem, rounds=10, go_on_from=first.start_at(100))
    run = Run(first.algorithm, first.problem, whole.params, start=whole.start, budget=40_000)
    run.advance()
    assert run.trace.thinned > len(whole) // 2
    assert bits(run.trace) == bits(whole)


def test_as_many_as_may_go_on_from_one_another() -> None:
    """Deep chains neither exhaust the stack nor go on for ever."""
    params = engine.algorithms()["perceptron"].params(rounds=1000)
    start = None
    for _ in range(MAX_STARTS):
        start = Start("perceptron", params, 3, start=start)
    trace = engine.run("perceptron", XOR, rounds=1000, max_steps=4, go_on_from=start)
    assert trace.start is not None and trace.start.depth == MAX_STARTS
    with pytest.raises(
        EngineError, match=r"can go on from another one 100 times, no more: start anew\."
    ):
        trace.start_at(2)
    with pytest.raises(EngineError, match="100 times"):
        engine.run(
            "perceptron", XOR, go_on_from=Start("perceptron", trace.params, 0, start=trace.start)
        )


# -- what is refused -------------------------------------------------------------------------------


def test_a_run_that_ends_earlier_has_no_such_step() -> None:
    first = engine.run("perceptron", XOR, rounds=30, threshold="learned")
    start = first.start_at(first.indices(Level.ROUND)[20])
    one_class = engine.Dataset.from_arrays([[0, 0], [0, 1], [1, 0], [1, 1]], [-1, -1, -1, 1])
    rounds = len(
        engine.run("perceptron", one_class, rounds=30, threshold="learned").indices(Level.ROUND)
    )
    assert rounds < 20
    words = (
        f"The run to go on from has no round 20 now: it ends after {rounds} rounds, numbered"
        " from 0."
    )
    with pytest.raises(EngineError) as refused:
        engine.run("perceptron", one_class, threshold="learned", go_on_from=start)
    assert str(refused.value) == words


def test_where_a_run_cannot_go_on() -> None:
    perceptron, tree = engine.run("perceptron", XOR, rounds=2), engine.run("decision_tree", XOR)
    with pytest.raises(EngineError, match=r"cannot go on from a state; it starts again\."):
        tree.start_at(1)
    with pytest.raises(
        EngineError, match=r"can only go on from a run of its own; this is one of perceptron\."
    ):
        engine.run("backpropagation", XOR, go_on_from=perceptron.start_at(1))
    with pytest.raises(
        EngineError,
        match=r"The run has the steps 0 to \d+, −1 is the last one; it has no step 10000",
    ):
        perceptron.start_at(10_000)
    with pytest.raises(
        EngineError, match=r"What to go on from must be a Start, as in trace\.start_at\(40\)"
    ):
        engine.run("perceptron", XOR, go_on_from=40)  # type: ignore[arg-type]
    by_hand = Run(
        perceptron.algorithm, perceptron.problem, perceptron.params, start=perceptron[4].state
    )
    by_hand.advance()
    with pytest.raises(EngineError, match="began with a state of its own"):
        by_hand.trace.start_at(0)


def test_numbers_that_are_not_there_cannot_be_set() -> None:
    net = engine.run("backpropagation", XOR, epochs=2)
    state = net[3].state
    for place in ((9, 0, 0), (0, 99, 0), (0, 0, 99), (0,)):
        with pytest.raises(EngineError, match="no number to set by hand at the place"):
            changed(net.algorithm, net.given, state, (place, 1.0))
    tree = engine.run("decision_tree", XOR)
    with pytest.raises(EngineError, match="has no numbers to set by hand"):
        changed(tree.algorithm, tree.given, tree[0].state, ((0,), 1.0))


@pytest.mark.parametrize("method", engine.algorithms().values(), ids=lambda method: method.key)
def test_no_parameter_is_called_as_what_a_run_goes_on_from(method: Any) -> None:
    assert "go_on_from" not in {field.name for field in params_fields(method.params)}


@pytest.mark.slow
@pytest.mark.parametrize(
    "method",
    [each for each in RESUMABLE if points_for(each.key, 13)],
    ids=lambda method: method.key,
)
@pytest.mark.parametrize(("n", "now"), [(13, 10), (10, 13)])
def test_a_run_goes_on_with_other_examples_or_says_why_not(method: Any, n: int, now: int) -> None:
    """A lane was forked, and its points were taken away or more were added: what a state tells of
    each row is of other rows.
    """
    before, after = (engine.prepare(points_for(method.key, size)) for size in (n, now))
    params = method.params(**fewer(method))
    run = Run(method, before, params)
    run.advance(max_steps=LIMIT)
    for step in {0, len(run.trace) // 2, len(run.trace) - 1}:
        further = Run(method, after, params, start=run.trace.start_at(step), shared=before)
        try:
            further.advance(max_steps=FURTHER)
        except EngineError as said:
            assert str(said).endswith(".")
        for shown in further.trace:
            assert method.scene(further.trace.given, shown) is not None
            assert shown.note.lines()
