"""A run that goes on from within a round, with a parameter changed that counts only later, comes to what the whole run with that
parameter comes to: the round is begun anew, with its own chances, and nothing from before it is forgotten."""

from typing import Any

import numpy as np
import pytest

import engine
from engine.core.step import Level, Pace
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
