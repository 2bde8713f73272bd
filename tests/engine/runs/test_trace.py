"""Recording a run: budget, thinning and replay, indices by level, cancelling."""

import numpy as np
import pytest

import engine
from engine.base.records import replace
from engine.protocol.step import Level, Pace, note
from engine.runs.run import Run
from engine.runs.trace import Trace
from tests.steps import Known, known_step


def noise(n: int = 60, seed: int = 0):
    rng = np.random.default_rng(seed)
    return engine.Dataset.from_arrays(rng.normal(size=(n, 2)), rng.integers(0, 2, n))


def perceptron_run(budget: int, pace: Pace = Pace(), steps: int = 3000) -> Run:
    algorithm = engine.algorithms()["perceptron"]
    run = Run(
        algorithm, engine.prepare(noise()), algorithm.params(), seed=1, pace=pace, budget=budget
    )
    run.advance(max_steps=steps)
    return run


def test_thinned_steps_are_replayed_exactly() -> None:
    whole, thin = perceptron_run(1 << 40).trace, perceptron_run(400_000).trace
    assert thin.thinned > 0
    assert thin.bytes <= 400_000
    assert len(thin) == len(whole) == 3000
    for i in (1, 2, 3, 500, 777, 1400, 2999):
        assert thin[i].line == whole[i].line
        assert np.array_equal(thin[i].state.w, whole[i].state.w)
    assert np.array_equal(thin.metrics["errors"], whole.metrics["errors"])


def test_rounds_survive_longer_than_details() -> None:
    trace = perceptron_run(1_700_000).trace
    kept = [trace.holds(i) for i in range(len(trace))]
    share = {
        level: np.mean([k for k, own in zip(kept, trace.levels, strict=True) if own is level])
        for level in Level
    }
    assert share[Level.DETAIL] < share[Level.STEP] <= share[Level.ROUND]
    assert kept[0]
    assert kept[-1]


def test_metrics_are_columns_over_all_steps() -> None:
    trace = perceptron_run(1 << 40, steps=50).trace
    assert all(len(column) == 50 for column in trace.metrics.values())
    assert trace.metrics["errors"][10] == trace[10].state.errors


def test_at_counts_steps_of_a_level() -> None:
    trace = perceptron_run(1 << 40, steps=500).trace
    rounds = [step for step in trace if step.level >= Level.ROUND]
    assert trace.at(Level.ROUND, 2) is rounds[2]
    assert trace.at(Level.ROUND, -1) is rounds[-1]


def test_steps_are_distinguished_by_identity() -> None:
    """Their states hold arrays, which have no one truth when they are compared."""
    trace, other = (
        perceptron_run(1 << 40, steps=300).trace,
        perceptron_run(1 << 40, steps=300).trace,
    )
    step = trace[200]
    assert (trace.index(step), trace.index(step, -100), trace.count(step), step in trace) == (
        200,
        200,
        1,
        True,
    )
    assert (trace.count(other[200]), other[200] in trace, None in trace) == (0, False, False)
    for call in (
        lambda: trace.index(other[200]),
        lambda: trace.index(step, 201),
        lambda: trace.index(step, 0, 200),
    ):
        with pytest.raises(ValueError, match="does not hold this step"):
            call()


def test_a_thinned_step_is_found_while_it_is_at_hand() -> None:
    thin = perceptron_run(400_000).trace
    forgotten = next(i for i in range(len(thin)) if not thin.holds(i))
    step = thin[forgotten]
    assert thin.index(step) == forgotten
    assert step in thin
    assert None not in thin


def test_events_are_found_by_name() -> None:
    trace = perceptron_run(1 << 40, steps=500).trace
    assert list(trace.when("mistake")) == [
        i for i, step in enumerate(trace) if "mistake" in step.events
    ]
    assert list(trace.when("no such event")) == []


def test_advance_stops_for_time_and_for_the_caller() -> None:
    algorithm = engine.algorithms()["perceptron"]
    run = Run(algorithm, engine.prepare(noise()), algorithm.params())
    assert run.advance(seconds=0.0) == 1
    assert run.advance(stop=lambda: True) == 1
    assert run.advance(max_steps=10) == 8
    run.close()
    assert run.advance() == 0


@pytest.mark.slow
def test_a_long_step_can_be_stopped_at_every_pulse_and_goes_on_where_it_was() -> None:
    """A pulse is no step: not recorded, not counted, not replayed."""
    method = engine.algorithms()["perceptron"]

    def steps(*given: object):
        for step in method.steps(*given):
            yield from (None, None, step)

    algorithm = replace(method, steps=steps)
    looked = []
    run = Run(algorithm, engine.prepare(noise()), algorithm.params(rounds=20))
    assert [run.advance(stop=lambda: looked.append(0) is None) for _ in range(6)] == [
        0,
        0,
        1,
        0,
        0,
        1,
    ]
    assert len(looked) == 6
    assert [run.advance(seconds=0.0) for _ in range(3)] == [0, 0, 1]
    assert run.advance(max_steps=5) == 2
    assert not run.finished
    run.advance()
    plain = Run(method, run.problem, run.params)
    plain.advance()
    assert [step.line for step in run.trace] == [step.line for step in plain.trace]
    assert run.trace.replay.go_to(7)
    assert [run.trace.replay.block[k].line for k in range(8)] == [
        step.line for step in plain.trace[:8]
    ]


def test_unknown_algorithm_and_parameter_are_named() -> None:
    with pytest.raises(engine.EngineError, match="nonsense"):
        engine.run("nonsense", noise())
    with pytest.raises(engine.EngineError, match="colour"):
        engine.run("perceptron", noise(), colour="red")
    with pytest.raises(engine.EngineError, match="between"):
        engine.run("perceptron", noise(), rate=1e9)


def test_predict_gives_back_the_persons_labels() -> None:
    X = np.array([[2.0, 1.0], [1.5, 2.0], [-1.0, -1.0], [-2.0, -1.5]])
    for labels in (
        [1, 1, -1, -1],
        [1, 1, 0, 0],
        ["ham", "ham", "spam", "spam"],
        [True, True, False, False],
    ):
        trace = engine.run("perceptron", (X, np.array(labels)))
        assert trace.predict(X).tolist() == labels
        assert (trace.problem.y == np.array(labels)).all()


@pytest.mark.parametrize("at", [99, -99, "x", None, 1.5, [0]])
def test_predict_names_the_steps_that_there_are(at: object) -> None:
    X = [[0.0, 0.0], [1.0, 1.0]]
    trace = engine.run("nearest_neighbours", (X, ["p", "q"]))
    with pytest.raises(
        engine.EngineError, match=f"The run has the steps 0 to {len(trace) - 1}, .* has no step"
    ):
        trace.predict(X, at=at)
    assert trace.predict(X, at=np.int64(-1)).tolist() == ["p", "q"]


@pytest.mark.parametrize("n", [99, -99, "x", None, 1.5, [0]])
def test_at_names_the_rounds_that_there_are(n: object) -> None:
    trace = engine.run("nearest_neighbours", ([[0.0, 0.0], [1.0, 1.0]], ["p", "q"]))
    count = sum(step.level >= engine.Level.ROUND for step in trace)
    with pytest.raises(
        engine.EngineError, match=f"The run has {count} steps of the level ROUND .* has no step"
    ):
        trace.at(engine.Level.ROUND, n)
    assert trace.at(engine.Level.ROUND, np.int64(-1)) is trace[-1]
    with pytest.raises(
        engine.EngineError,
        match=r"The level of a step must be a Level, as in Level.ROUND; it is “end”",
    ):
        trace.at("end", 0)
    with pytest.raises(IndexError):
        trace[10**6]


def test_data_set_arrays_and_problem_give_the_same_run() -> None:
    data = noise()
    X = np.column_stack([c.values for c in data.features])
    y = np.array(data.target.labels())
    runs = [
        engine.run("perceptron", given, max_steps=300)
        for given in (data, (X, y), engine.prepare(data))
    ]
    assert len({run[-1].state.w.tobytes() for run in runs}) == 1


def test_heavy_states_after_a_light_first_one_stay_near_the_budget() -> None:
    algorithm = engine.algorithms()["perceptron"]
    trace = Trace(algorithm, algorithm.example(), algorithm.params(), 0)
    trace.budget = 4 << 20
    for k in range(300):
        state = np.zeros(0 if k == 0 else 1 << 15)  # 256 KB each
        trace.append(known_step("until", Known(note("One more.")), state, Level.ROUND))
        held = sum(trace[i].state.nbytes for i in range(len(trace)) if trace.holds(i))
        assert held <= trace.budget + 16 * (1 << 18)
    assert trace.thinned > 200


def test_what_is_judged_is_a_problem() -> None:
    trace = engine.run("perceptron", engine.textbook("four_points_free"), rounds=1)
    with pytest.raises(engine.EngineError, match="those of a Problem"):
        trace.wrong("x")  # type: ignore[arg-type]


def test_steps_are_forgotten_a_few_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """A run cannot be stopped while its memory is freed."""
    monkeypatch.setattr("engine.runs.trace.AT_ONCE", 20)
    algorithm = engine.algorithms()["perceptron"]
    rng = np.random.default_rng(0)
    thinned = [0]
    trace = Trace(algorithm, algorithm.example(), algorithm.params(), 0)
    trace.budget = 1 << 21
    for _ in range(2_000):
        trace.append(
            known_step("until", Known(note("One more.")), rng.normal(size=256), Level.ROUND)
        )
        thinned.append(trace.thinned)
    assert thinned[-1] > 1_000
    assert max(np.diff(thinned)) <= 20
    assert trace.bytes <= trace.budget


def test_what_steps_share_counts_as_long_as_one_of_them_is_kept() -> None:
    algorithm = engine.algorithms()["perceptron"]
    rng = np.random.default_rng(0)
    trace = Trace(algorithm, algorithm.example(), algorithm.params(), 0)
    trace.budget = 4 << 20
    for _ in range(600):
        state = rng.normal(size=4_096)
        for level in (Level.DETAIL, Level.DETAIL, Level.STEP):
            trace.append(known_step("until", Known(note("One more.")), state, level))
    states = [trace[i].state for i in range(len(trace)) if trace.holds(i)]
    assert len(states) > 100
    assert sum({id(state): state.nbytes for state in states}.values()) <= trace.budget


@pytest.mark.parametrize("key", ["kmeans", "em_means", "gaussian_mixture"])
def test_codes_of_groups_are_what_predict_answers(key: str) -> None:
    """Their numbers are no classes: none of them is wrong."""
    trace = engine.run(key, engine.generate("blobs", 30), max_steps=40)
    for at in (0, 5, -1):
        assert (
            trace.codes(trace.problem.X, at).tolist() == trace.predict(trace.problem.X, at).tolist()
        )
    assert set(trace.codes(trace.problem.X).tolist()) <= {-1, *range(trace.params.k)}
    with pytest.raises(engine.EngineError, match="no classes"):
        trace.wrong()
