"""Greedy conjunction against MIT 2.2.23-2.2.30 (mit D03, D05) and its own laws."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine.protocol.step import Level, Pace
from engine.scene.scene import Boxes, Plot, Role, Table

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
    assert engine.run("greedy_conjunction", engine.textbook("mit_harder"), epsilon=1.0)[
        -1
    ].state.rules == ((),)


def test_ties_take_the_lowest_column() -> None:
    trace = engine.run("greedy_conjunction", ([[1.0, 1.0], [0.0, 0.0]], [1, 0]))
    choice = next(s.choice for s in trace if s.choice)
    assert choice.winners == (0, 1)
    assert choice.chosen == 0
    assert "lowest" in choice.rule


def test_rows_leave_the_table() -> None:
    trace = engine.run("greedy_conjunction", engine.textbook("mit_conjunction"))
    step = next(s for s in trace if s.line == "drop")
    table = next(
        f for f in trace.algorithm.scene(trace.given, step).figures if isinstance(f, Table)
    )
    assert np.flatnonzero(~table.active).tolist() == [0, 2]
    assert table.current == (0, 2)


rows = st.lists(
    st.lists(st.sampled_from([0.0, 1.0]), min_size=4, max_size=4), min_size=2, max_size=10
)


@settings(max_examples=60, deadline=None)
@given(rows)
def test_never_loses_a_positive_and_fails_only_when_no_conjunction_fits(
    rows: list[list[float]],
) -> None:
    X = np.array(rows)
    y = 1 - np.arange(len(rows)) % 2
    trace = engine.run("greedy_conjunction", (X, y), pace=ROUND)
    assert (trace.predict(X)[y == 1] == 1).all()
    fits = any(
        (X[:, [j for j in range(4) if use[j]]].all(1) == (y == 1)).all()
        for use in product([False, True], repeat=4)
    )
    assert bool(trace.when("fail")) == (not fits)


def test_numbers_are_refused() -> None:
    with pytest.raises(engine.EngineError, match="columns of 0 and 1"):
        engine.run("greedy_conjunction", engine.generate("blobs", seed=1))


USELESS = ([[1.0, 1.0, 1.0], [1.0, 1.0, 0.0], [0.0, 1.0, 1.0], [1.0, 1.0, 1.0]], [1, 1, 0, 0])


@pytest.mark.parametrize(
    ("policy", "rules"), [("literal", ((0, 1),)), ("keep", ((0,),)), ("drop", ())]
)
def test_policies_when_stuck(policy: str, rules: tuple) -> None:
    """mit A11 erratum 3: f2 is usable and removes nothing.

    The printed loop takes it; once h has it, no other is left.
    """
    trace = engine.run("greedy_conjunction", USELESS, stuck=policy)
    assert trace[-1].state.rules == rules
    assert trace.when("fail")
    assert trace.finished


def test_literal_says_that_the_column_is_useless() -> None:
    trace = engine.run("greedy_conjunction", USELESS, stuck="literal")
    counts = [s for s in trace if s.line == "count"]
    assert [s.state.chosen for s in counts] == [0, 1]
    assert "removes a row" in counts[1].note.text()
    assert [o.label for o in counts[1].choice.options] == ["x₂"]


def test_a_floor_stops_at_small_gains() -> None:
    """On the set of the slides f4 removes two negatives, then f3 one (mit D03): a floor of 2 keeps
    f3 out.
    """
    data = engine.textbook("mit_conjunction")
    trace = engine.run("greedy_conjunction", data, floor=2)
    assert trace[-1].state.rules == ((3,),)
    assert "removes 2 rows" in next(s for s in trace if s.line == "fail").note.text()
    assert engine.run("greedy_conjunction", data, floor=3)[-1].state.rules == ((),)
    assert engine.run("greedy_conjunction", data, floor=3, stuck="literal")[-1].state.rules == (
        (3, 2),
    )


def test_rows_that_contradict_each_other_are_named() -> None:
    """Manners: who is in whose way."""
    trace = engine.run("greedy_conjunction", ([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]], [1, 0, 0]))
    assert (
        "x₁ and x₂ are alike and of different classes"
        in next(s for s in trace if s.line == "fail").note.text()
    )
    above = engine.run("greedy_conjunction", ([[1.0, 0.0], [1.0, 1.0]], [1, 0]))
    assert "x₂ is 1 wherever x₁ is" in next(s for s in above if s.line == "fail").note.text()


def test_the_growing_rule_is_drawn_once() -> None:
    """Dashed while it grows, also where rows leave, whole at the end; the map names its own rows
    and columns, so its axes carry no numbers.
    """
    trace = engine.run("greedy_conjunction", engine.textbook("mit_conjunction"))

    def boxes(step):
        plot = next(
            f for f in trace.algorithm.scene(trace.given, step).figures if isinstance(f, Plot)
        )
        assert not plot.ticks
        return [
            layer.role for layer in plot.layers if isinstance(layer, Boxes) and layer.tag != "cells"
        ]

    assert boxes(trace[0]) == [Role.CANDIDATE]
    assert boxes(next(s for s in trace if s.line == "drop")) == [Role.CANDIDATE]
    assert boxes(trace[-1]) == [Role.ACCEPTED]


def test_the_table_says_in_which_set_a_row_is() -> None:
    """MIT 2.2.31: f₄ is 0 on the negatives 1 and 3, so these leave N; 5 stays in it."""
    trace = engine.run("greedy_conjunction", engine.textbook("mit_conjunction"))
    step = next(s for s in trace if s.line == "drop")
    table = next(
        f for f in trace.algorithm.scene(trace.given, step).figures if isinstance(f, Table)
    )
    column = table.columns[-1]
    texts = [column.feature.categories[int(v)] for v in column.values]
    assert texts == ["leaves N", "P", "leaves N", "P", "N", "P"]


def test_the_chosen_column_and_the_rows_it_would_remove_are_in_amber() -> None:
    trace = engine.run("greedy_conjunction", engine.textbook("mit_conjunction"))
    for s in (s for s in trace if s.line == "count"):
        table = next(
            f
            for f in trace.algorithm.scene(trace.given, s).figures
            if f.title.startswith("Examples")
        )
        (column,) = [c for c in table.columns if c.role is Role.ACTIVE]
        assert table.cells == (column.feature.name,)
        assert len(table.current) == s.state.scores[s.state.chosen]
        assert not any(column.values[row] for row in table.current)
