"""Greedy conjunction against MIT 2.2.23-2.2.30 (mit D03, D05) and its own laws."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine.core.scene import Table
from engine.core.step import Level, Pace

ROUND = Pace(Level.ROUND)


def test_trace_of_the_slides() -> None:
    """mit D03: n3 = 1, n4 = 2 → f4; N = {x5}; n3 = 1, n4 = 0 → f3; h = f4^f3."""
    trace = engine.run("greedy_conjunction", engine.textbook("mit_conjunction"))
    counts = [s.state.scores for s in trace if s.line == "count"]
    assert counts == [(None, None, 1, 2), (None, None, 1, 0)]
    assert [s.state.N.tolist() for s in trace if s.line == "drop"] == [[4], []]
    assert trace[-1].state.rules == ((3, 2),)
    assert not trace.when("fail")
    assert (trace.predict(trace.problem.X) == trace.problem.y).all()


def test_stuck_on_the_harder_set() -> None:
    """mit D05, A11 erratum 3: stops with f3; the usable column with n = 0 is not taken for ever."""
    trace = engine.run("greedy_conjunction", engine.textbook("mit_harder"))
    fail = next(s for s in trace if s.line == "fail")
    assert fail.state.scores == (None, None, 0, None)
    assert fail.events == ("fail",)
    assert trace[-1].state.rules == ((2,),)
    assert trace[-1].metrics["errors"] == 1


def test_dropped_when_stuck() -> None:
    trace = engine.run("greedy_conjunction", engine.textbook("mit_harder"), stuck="drop")
    assert trace[-1].state.rules == ()
    assert set(trace.predict(trace.problem.X).tolist()) == {0}


def test_noise_lets_negatives_stay() -> None:
    trace = engine.run("greedy_conjunction", engine.textbook("mit_harder"), epsilon=0.5)
    assert trace[-1].state.rules == ((2,),)
    assert not trace.when("fail")
    assert engine.run("greedy_conjunction", engine.textbook("mit_harder"), epsilon=1.0)[-1].state.rules == ((),)


def test_ties_take_the_lowest_column() -> None:
    trace = engine.run("greedy_conjunction", ([[1.0, 1.0], [0.0, 0.0]], [1, 0]))
    choice = next(s.choice for s in trace if s.choice)
    assert choice.winners == (0, 1)
    assert choice.chosen == 0
    assert "lowest" in choice.rule


def test_rows_leave_the_table() -> None:
    trace = engine.run("greedy_conjunction", engine.textbook("mit_conjunction"))
    step = next(s for s in trace if s.line == "drop")
    table = next(f for f in trace.algorithm.scene(trace.problem, trace.params, step).figures if isinstance(f, Table))
    assert np.flatnonzero(~table.active).tolist() == [0, 2]
    assert table.current == (0, 2)


rows = st.lists(st.lists(st.sampled_from([0.0, 1.0]), min_size=4, max_size=4), min_size=2, max_size=10)


@settings(max_examples=60, deadline=None)
@given(rows)
def test_never_loses_a_positive_and_fails_only_when_no_conjunction_fits(rows: list[list[float]]) -> None:
    X, y = np.array(rows), 1 - np.arange(len(rows)) % 2
    trace = engine.run("greedy_conjunction", (X, y), pace=ROUND)
    assert (trace.predict(X)[y == 1] == 1).all()
    fits = any(
        (X[:, [j for j in range(4) if use[j]]].all(1) == (y == 1)).all() for use in product([False, True], repeat=4)
    )
    assert bool(trace.when("fail")) == (not fits)


def test_numbers_are_refused() -> None:
    with pytest.raises(engine.EngineError, match="columns of 0 and 1"):
        engine.run("greedy_conjunction", engine.generate("blobs", seed=1))
