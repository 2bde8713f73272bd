"""A run that goes on from within a round, with a parameter changed that counts only later, comes to what the whole run with that
parameter comes to: the round is begun anew, with its own chances, and nothing from before it is forgotten."""

from typing import Any

import numpy as np
import pytest

import engine
from engine.core.step import Level, Pace
from engine.timeline.run import Run
from tests.engine.test_contract import whole


def forks(key: str, data: Any, before: dict[str, Any], after: dict[str, Any], level: Level = Level.DETAIL) -> Any:
    """(step that it went on from, the run that did) for every step of the run with `before` but the last; `after`: what is
    changed."""
    problem = engine.prepare(data)
    trace = engine.run_problem(key, problem, 3, pace=Pace(level), **before)
    assert trace.finished
    for at in range(len(trace) - 1):
        start = trace.start_at(at)
        yield trace[at], engine.run_problem(key, problem, 3, pace=Pace(level), go_on_from=start, **before | after)


@pytest.mark.parametrize("level", list(Level))
@pytest.mark.parametrize("key", ["bagging", "random_forest"])
def test_trees_are_those_of_the_whole_run(key: str, level: Level) -> None:
    data, small = engine.generate("moons", 30, 0.3), {"members": 3, "max_depth": 2}
    small = {
        name: value for name, value in small.items() if name in engine.algorithms()[key].params.__dataclass_fields__
    }
    wanted = engine.run(key, data, 3, **small | {"members": 5})[-1].state
    for _, trace in forks(key, data, small, {"members": 5}, level):
        assert [whole(tree) for tree in trace[-1].state.learners] == [whole(tree) for tree in wanted.learners]
        assert trace[-1].state.errors == wanted.errors


@pytest.mark.parametrize("level", list(Level))
def test_each_case_is_asked_once(level: Level) -> None:
    data, few, many = engine.generate("blobs", 12), {"cases": 10, "error": 0.4}, {"cases": 14}
    wanted = engine.run("majority_vote", data, 3, **few | many)[-1].state
    for _, trace in forks("majority_vote", data, few, many, level):
        state = trace[-1].state
        assert len(state.votes) == state.asked == 14
        assert np.array_equal(state.votes, wanted.votes)
        assert state.counts.tolist() == wanted.counts.tolist()
        for step in trace:
            assert len(step.state.votes) - step.state.asked in (0, 1)


@pytest.mark.parametrize("level", list(Level))
@pytest.mark.parametrize("key", ["kmeans", "half_plane_and"])
def test_the_best_start_is_not_forgotten(key: str, level: Level) -> None:
    """The starts after the one that the fork stands in are those of the whole run with more of them; its last step is the best."""
    data = engine.generate("gaussians", 24, 0.9, 2) if key == "half_plane_and" else engine.generate("blobs", 24, 0.9, 2)
    small: dict[str, Any] = {"k": 4} if key == "kmeans" else {"members": 2}
    measure = "within" if key == "kmeans" else "loss"
    wanted = engine.run(key, data, 3, **small | {"starts": 5})
    for step, trace in forks(key, data, small | {"starts": 3}, {"starts": 5}, level):
        last = trace[-1].state
        assert last.trial == 5
        if step.level is Level.ROUND:  # a round that is begun anew may come to another end
            assert getattr(last, measure) == pytest.approx(getattr(wanted[-1].state, measure), rel=1e-9)
        ends = [getattr(step.state, measure) for step in trace if step.line == "until"]
        assert getattr(last, measure) <= min(ends) * (1 + 1e-9)


@pytest.mark.parametrize("key", ["kmeans", "half_plane_and"])
def test_the_best_start_is_measured_on_the_points_of_now(key: str) -> None:
    """A state of the third start goes on beside other points, as many and more: the best start before is weighed by them."""
    algorithm, seen = engine.algorithms()[key], engine.generate("gaussians", 24, 0.9, 2)
    params, measure = algorithm.params(), "within" if key == "kmeans" else "loss"
    state = next(step.state for step in engine.run(key, seen, 3) if step.state.trial == 3)
    for n in (24, 30) if key == "kmeans" else (24,):
        run = Run(algorithm, engine.prepare(engine.generate("gaussians", n, 0.3, 7)), params, 3, start=state)
        run.advance()
        trace, earlier = run.trace, state.best
        ends = [getattr(step.state, measure) for step in trace if step.line == "until"]
        assert getattr(trace[0].state.best, measure) != getattr(earlier, measure)
        assert getattr(trace[-1].state, measure) <= min(ends) * (1 + 1e-9)
