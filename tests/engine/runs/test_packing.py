"""Steps in little room: to the last bit what they were, however they are packed."""

import tracemalloc
import weakref
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine.base.records import Record, replace
from engine.protocol import moment
from engine.protocol.algorithm import Algorithm
from engine.protocol.step import Level, Pace, Step, note
from engine.runs.packing import Packer
from engine.runs.run import Run
from engine.runs.trace import Trace
from engine.runs.weighing import Scales
from engine.sources.generators import generate
from tests.engine.digests import fewer, parts
from tests.steps import Known, known_step

METHODS = list(engine.algorithms().values())


class State(Record):
    weights: Any
    before: Any = None
    count: int = 0


def step_of(state: Any) -> Step[Any]:
    return known_step("until", Known(note("One more.")), state, Level.STEP)


def bits(step: Step[Any]) -> tuple[Any, ...]:
    return step.line, step.level, step.events, b"".join(parts(step.state))


ODD = st.sampled_from([0.0, -0.0, 1.0, float("nan"), float("inf"), 5e-324, -1.5])


@settings(deadline=None, max_examples=60)
@given(
    st.sampled_from([np.float64, np.float32, np.int64, np.int8, np.bool_]),
    st.lists(st.lists(st.tuples(st.integers(0, 1999), ODD), max_size=40), min_size=1, max_size=30),
)
def test_every_array_is_what_it_was_to_the_last_bit(
    kind: Any, edits: list[list[tuple[int, float]]]
) -> None:
    packer = Packer()
    now = np.zeros(2000, kind)
    was = []
    for edit in edits:
        now = now.copy()
        for place, value in edit:
            now[place] = (
                value if np.issubdtype(kind, np.floating) else np.isfinite(value) and value != 0
            )
        was.append(now)
    for array in was:
        kept = packer.pack(step_of(State(array)))
        again = kept.step().state.weights if kept is not None else array
        assert (again.dtype, again.shape, again.tobytes()) == (
            array.dtype,
            array.shape,
            array.tobytes(),
        )
        assert kept is None or not again.flags.writeable


@settings(deadline=None, max_examples=40)
@given(
    st.integers(1024, 3000),
    st.sampled_from([(-1, 1), (-1, 0, 1), (0,), (0, 1), (-1,)]),
    st.integers(0, 9),
)
def test_signs_that_change_everywhere_take_a_bit_or_two_each(
    n: int, values: tuple[int, ...], seed: int
) -> None:
    packer = Packer()
    rng = np.random.default_rng(seed)
    assert packer.pack(step_of(State(rng.choice([-1, 0, 1], n).astype(np.int8)))) is None
    for _ in range(5):
        array = rng.choice(values, n).astype(np.int8)
        kept = packer.pack(step_of(State(array)))
        assert kept is not None
        assert Scales().weigh(kept.state) < n / 4 + 500
        again = kept.step().state.weights
        assert (again.dtype, again.shape, again.tobytes()) == (
            array.dtype,
            array.shape,
            array.tobytes(),
        )
        assert not again.flags.writeable


def test_small_numbers_that_are_no_signs_are_left_alone() -> None:
    packer = Packer()
    rng = np.random.default_rng(0)
    for _ in range(3):
        assert packer.pack(step_of(State(rng.integers(-2, 3, 2000).astype(np.int8)))) is None


def test_arrays_of_other_shapes_kinds_or_orders_are_left_alone() -> None:
    packer = Packer()
    first = np.zeros((40, 50))
    assert packer.pack(step_of(State(first))) is None
    for other in (
        np.zeros((50, 40)),
        np.zeros((40, 50), np.float32),
        np.zeros((50, 40)).T,
        np.zeros((40, 50), object),
    ):
        assert packer.pack(step_of(State(other))) is None
    for odd in (np.zeros(2000), (np.zeros(2000),), None, 3):
        assert packer.pack(step_of(odd)) is None


def test_a_walk_takes_the_room_of_its_changes() -> None:
    """Two numbers of 20 000 in a step: about √n of them have one whole array."""
    rng = np.random.default_rng(0)
    now = np.zeros(20_000)
    sums = []
    algorithm = engine.algorithms()["perceptron"]
    trace = Trace(algorithm, algorithm.example(), algorithm.params(), 0)
    trace.budget = 8 << 20  # fifty whole arrays
    tracemalloc.start()
    for _ in range(1_500):
        now = now.copy()
        now[rng.integers(0, 20_000, 2)] += rng.normal(size=2)
        now.flags.writeable = False
        sums.append(hash(now.tobytes()))
        trace.append(step_of(State(now)))
    held = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert trace.thinned == 0
    assert trace.bytes <= trace.budget
    assert held <= trace.budget
    for i in range(0, 1_500, 7):
        assert hash(trace[i].state.weights.tobytes()) == sums[i]


def test_what_was_packed_is_freed() -> None:
    """Not by the scales either, which remember what they have weighed."""
    now = np.zeros(20_000)
    given_away = list[weakref.ref[np.ndarray]]()
    algorithm = engine.algorithms()["perceptron"]
    trace = Trace(algorithm, algorithm.example(), algorithm.params(), 0)
    trace.budget = 8 << 20
    for k in range(1_000):
        now = now.copy()
        now[k] = 1.0
        now.flags.writeable = False
        given_away.append(weakref.ref(now))
        trace.append(step_of(State(now)))
    assert sum(array() is not None for array in given_away) < 100


def test_a_packed_step_is_itself_while_it_is_at_hand() -> None:
    trace = svm_run(600, budget=1_500_000).trace
    assert trace.thinned == 0
    assert trace.bytes < len(trace) * trace[0].state.alpha.nbytes, "most of them are packed"
    for place in (1, 100, 250):
        step = trace[place]
        assert trace[place] is step
        assert (trace.index(step), trace.count(step), step in trace) == (place, 1, True)


def svm_run(n: int, budget: int, **params: Any) -> Run:
    method = engine.algorithms()["svm"]
    run = Run(
        method,
        engine.prepare(generate("moons", n, 0.3)),
        method.params(**params),
        pace=Pace(Level.STEP),
        budget=budget,
    )
    run.advance(max_steps=400)
    return run


@pytest.mark.slow
@pytest.mark.parametrize("params", [{}, {"kernel": "rbf"}, {"pair": "in turn"}], ids=str)
def test_the_multipliers_of_many_points_are_never_forgotten(
    params: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """400 steps of 5 000 multipliers and signs, 9 MB, in less than a quarter of that; a slow
    machine would have many checkpoints beside them.
    """
    monkeypatch.setattr(moment, "BETWEEN", float("inf"))
    whole, small = (
        svm_run(5_000, 1 << 40, **params).trace,
        svm_run(5_000, 2_000_000, **params).trace,
    )
    assert small.thinned == 0
    assert 4 * small.bytes < sum(step.state.alpha.nbytes for step in whole)
    assert [bits(a) for a in small] == [bits(b) for b in whole]
    assert [a.note for a in small][::40] == [b.note for b in whole][::40]


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.key)
def test_what_is_packed_or_recalled_is_what_was_recorded(method: Algorithm[Any, Any]) -> None:
    """Of every method, at every pace, in a tenth of the room that it takes."""
    problem = method.example()
    params = method.params(**fewer(method))
    for level in Level:
        whole = Run(method, problem, params, 3, Pace(level))
        whole.advance(max_steps=60)
        small = Run(method, problem, params, 3, Pace(level), budget=whole.trace.bytes // 10)
        small.advance(max_steps=60)
        forward, backward = range(len(whole.trace)), range(len(whole.trace) - 1, -1, -17)
        for place in (*forward, *backward):
            assert small.trace.recall(place), (level, place)
            assert small.trace.holds(place), (level, place)
            assert bits(small.trace[place]) == bits(whole.trace[place]), (level, place)


# -- recalling -------------------------------------------------------------------------------------


def counted_run(budget: int) -> tuple[Run, list[int]]:
    """The perceptron, and how often one of its runs began."""
    method = engine.algorithms()["perceptron"]
    begun = list[int]()

    def steps(*given: Any) -> Any:
        begun.append(0)
        return method.steps(*given)

    rng = np.random.default_rng(0)
    data = engine.Dataset.from_arrays(rng.normal(size=(60, 2)), rng.integers(0, 2, 60))
    run = Run(replace(method, steps=steps), engine.prepare(data), method.params(), budget=budget)
    run.advance(max_steps=3_000)
    return run, begun


def test_a_recall_can_be_stopped_goes_on_and_passes_the_run_once() -> None:
    run, begun = counted_run(400_000)
    trace = run.trace
    forgotten = [i for i in range(len(trace)) if not trace.holds(i)]
    assert len(forgotten) > 1_000
    turns = 0
    while not trace.recall(forgotten[700], stop=lambda: True):
        turns += 1
    assert turns >= forgotten[700] - 1
    assert len(begun) == 2  # itself, and once more
    for place in forgotten[700:]:
        assert trace.recall(place)
    assert len(begun) == 2
    assert trace.recall(forgotten[0])
    assert len(begun) == 3


def test_the_pinned_step_stays_whatever_is_forgotten_or_recalled() -> None:
    run, _ = counted_run(1 << 40)
    trace = run.trace
    step = run.trace[501]
    assert trace.pin(501)
    trace.budget = 100_000
    run.advance(max_steps=6_000)
    assert [k for k in range(496, 507) if trace.holds(k)] == [501], "the pinned one alone is held"
    assert trace[501] is step
    forgotten = next(i for i in range(2, len(trace)) if not trace.holds(i))
    assert not trace.pin(forgotten)
    assert trace.recall(forgotten) and trace.pin(forgotten)
    assert trace[forgotten] is not step
