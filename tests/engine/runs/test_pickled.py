"""A trace is pickled as what its run was made of and its length; when it is loaded its steps are
the same to the last bit.
"""

import os
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine.base.records import replace
from engine.protocol.step import Level, Pace
from engine.runs import run as timeline_run
from engine.runs.run import Run
from engine.runs.trace import Trace
from tests.engine.digests import fewer
from tests.engine.test_contract import arrays, every, quick, record, some_rows, suitable, whole

__all__ = ["quick"]  # the fixture
ROOT = Path(__file__).parents[3]
MOST = 30
TO_LOAD = """
import pickle, sys
trace = pickle.load(sys.stdin.buffer)
print(len(trace), trace.finished, [step.line for step in trace], trace[-1].note.text())
"""


def agree(made: Trace, trace: Trace) -> None:
    assert type(made) is Trace
    assert (len(made), made.finished, made.seed) == (len(trace), trace.finished, trace.seed)
    assert (made.params, made.pace, made.start, made.branches) == (
        trace.params,
        trace.pace,
        trace.start,
        trace.branches,
    )
    assert made.algorithm is trace.algorithm
    assert [step.line for step in made] == [step.line for step in trace]
    assert (list(made.levels), list(made.events)) == (list(trace.levels), list(trace.events))
    assert {name: column.tobytes() for name, column in made.metrics.items()} == {
        name: column.tobytes() for name, column in trace.metrics.items()
    }
    assert [whole(step.state) for step in made] == [whole(step.state) for step in trace]
    assert [step.tie for step in made] == [step.tie for step in trace]


def again(trace: Trace) -> Trace:
    made: Trace = pickle.loads(pickle.dumps(trace))
    agree(made, trace)
    return made


@pytest.mark.slow
@every
def test_every_trace_comes_back_as_it_was(algorithm: Any) -> None:
    """Of its example with details, and of a table of one's own by steps; after its words and
    pictures were made, cut where it is long.
    """
    own = suitable(algorithm, *some_rows(algorithm))
    for problem, level in ((algorithm.example(), Level.DETAIL), (own, Level.STEP)):
        trace = record(algorithm, problem, 3, Pace(level), MOST, **fewer(algorithm))
        shown = trace[len(trace) // 2]
        algorithm.scene(trace.given, shown)
        made = again(trace)
        assert made[len(made) // 2].note.text() == shown.note.text()
        assert not any(array.flags.writeable for step in made for array in arrays(step.state))


@given(st.integers(1, 40), st.integers(0, 99))
def test_a_trace_that_was_cut_comes_back_with_as_many_steps(most: int, seed: int) -> None:
    trace = engine.run(
        "perceptron", engine.generate("moons", 30, 0.3), seed, max_steps=most, order="random"
    )
    assert len(trace) == most
    made = again(again(trace))
    assert made.predict(trace.problem.X).tolist() == trace.predict(trace.problem.X).tolist()


def test_a_run_that_goes_on_and_one_that_takes_other_branches_come_back() -> None:
    trace = engine.run("perceptron", engine.generate("moons", 30, 0.3), max_steps=50)
    for start in (trace.start_at(7), trace.start_at(7, ((0,), 2.5))):
        other = engine.run_problem(
            "perceptron", trace.problem, max_steps=40, go_on_from=start, rate=0.5
        )
        made = again(other)
        assert made.start_at(3) == other.start_at(3)
        again(
            engine.run_problem(
                "perceptron", trace.problem, max_steps=30, go_on_from=other.start_at(3)
            )
        )
    tree = engine.run("decision_tree", engine.textbook("restaurant"))
    tied = next(step.tie for step in tree if step.tie is not None)
    other = engine.run(
        "decision_tree", engine.textbook("restaurant"), branches=((tied.number, 1 - tied.taken),)
    )
    assert whole(again(other)[-1].state) != whole(tree[-1].state)


def test_a_run_that_began_with_a_state_comes_back() -> None:
    trace = engine.run("perceptron", engine.generate("moons", 30, 0.3), max_steps=50)
    run = Run(trace.algorithm, trace.problem, trace.params, start=trace[20].state)
    run.advance(max_steps=30)
    made: Trace = pickle.loads(pickle.dumps(run.trace))
    assert [whole(step.state) for step in made] == [whole(step.state) for step in run.trace]


def test_a_run_of_a_lane_with_examples_of_its_own_comes_back() -> None:
    """What it goes on from was learnt from the examples of all, which are pickled too."""
    shared, own = (engine.prepare(engine.generate("moons", 30, 0.3, seed=seed)) for seed in (1, 2))
    first = engine.run_problem("perceptron", shared, max_steps=50)
    for is_own in (False, True):
        start = replace(first.start_at(20), own=is_own)
        run = Run(first.algorithm, own, first.params, start=start, shared=shared)
        run.advance(max_steps=30)
        again(run.trace)


def test_a_thinned_trace_comes_back_whole() -> None:
    algorithm = engine.algorithms()["perceptron"]
    run = Run(
        algorithm,
        engine.prepare(engine.generate("moons", 60, 0.3)),
        algorithm.params(),
        budget=60_000,
    )
    run.advance(max_steps=3_000)
    assert run.trace.thinned
    assert again(run.trace).budget == 60_000


def test_another_process_loads_it() -> None:
    trace = engine.run("kmeans", engine.generate("blobs", 40), max_steps=25)
    printed = subprocess.run(
        [sys.executable, "-c", TO_LOAD],
        cwd=ROOT,
        input=pickle.dumps(trace),
        capture_output=True,
        check=True,
        env=os.environ | {"PYTHONIOENCODING": "utf-8"},
    ).stdout.decode()
    lines = [step.line for step in trace]
    assert (
        printed.strip() == f"{len(trace)} {trace.finished} {lines} {trace[-1].note.text()}".strip()
    )


def test_several_traces_in_one_pickle() -> None:
    data = engine.generate("blobs", 40)
    both = [engine.run(key, data, max_steps=20) for key in ("kmeans", "decision_tree")]
    for made, trace in zip(pickle.loads(pickle.dumps(both)), both, strict=True):
        agree(made, trace)


def test_a_trace_that_this_program_cannot_make_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    trace = engine.run("majority_vote", engine.textbook("six_points"))
    with pytest.raises(engine.EngineError, match="without a run"):
        pickle.dumps(Trace(trace.algorithm, trace.problem, trace.params, 0))
    written = pickle.dumps(trace)
    monkeypatch.setattr(timeline_run.Run, "advance", lambda *_, **__: 0)
    with pytest.raises(engine.EngineError, match=rf"it had {len(trace)} steps.*ends after 0"):
        pickle.loads(written)
