"""The last words of a run say where one answer to all rows would do better: for every method that
predicts, at every pace.
"""

import pickle

import numpy as np
import pytest

import engine
from engine.protocol.step import Level, Pace
from engine.table.baseline import baseline, error_of
from engine.table.prepare import Split
from engine.table.problem import Task
from tests.engine.digests import fewer

METHODS = {
    key: method
    for key, method in engine.algorithms().items()
    if method.predict is not None and method.task in (Task.CLASSIFY, Task.REGRESS)
}


def uneven(values: bool = False) -> engine.Dataset:
    """25 points, 19 of A and 6 of B, which lie anywhere among them, or values that the columns say
    nothing of.
    """
    rng = np.random.default_rng(3)
    labels = rng.normal(size=25) if values else ["A"] * 19 + ["B"] * 6
    bits = rng.integers(0, 2, (25, 2))
    return engine.Dataset.from_arrays(bits if not values else rng.normal(size=(25, 2)), labels)


@pytest.mark.parametrize("key", METHODS)
def test_a_method_says_at_its_end_that_it_is_worse_than_one_answer(key: str) -> None:
    method = METHODS[key]
    for problem in (engine.prepare(uneven()), engine.prepare(uneven(True)), method.example()):
        if method.needs.reason(problem) is not None:
            continue
        few = fewer(method)
        trace = engine.run_problem(key, problem, pace=Pace(Level.ROUND), max_steps=3_000, **few)
        found = baseline(problem)
        if not trace.finished or found is None:
            continue
        error = error_of(problem, trace.codes(problem.X))
        own = found.error(problem)
        said = trace[-1].note.text()
        assert (f"does worse than always saying {found.name}, the" in said) == (
            error > own * (1 + 1e-9)
        )


def test_a_worse_line_tells_both_numbers() -> None:
    """A step far too long leaves the line where it calls all points by the rarer class."""
    X, y = [[1.0], [2.0], [3.0], [4.0]], ["A", "B", "B", "B"]
    trace = engine.run(
        "logistic_regression",
        engine.Dataset.from_arrays(X, y),
        start=(0.0, 1.0),
        rate=1e-6,
        steps=1,
    )
    note = trace[-1].note
    assert (note["rows_here"], note["wrong_here"], note["wrong_always"]) == (4, 3, 1)
    assert "The model does worse than always saying “B”, the commonest class" in note.text()
    assert "worse" not in trace[0].note.text()


def test_a_run_that_has_not_ended_says_nothing_of_it() -> None:
    X, y = [[1.0], [2.0], [3.0], [4.0]], ["A", "B", "B", "B"]
    data = engine.prepare(engine.Dataset.from_arrays(X, y))
    trace = engine.run_problem(
        "logistic_regression", data, start=(0.0, 1.0), rate=1e-6, max_steps=3
    )
    assert not trace.finished
    assert "worse" not in trace[-1].note.text()


def test_rows_held_out_are_judged_where_those_learnt_from_are_fitted() -> None:
    """The nearest neighbour knows every row that it has learnt; of labels drawn by chance it knows
    no other.
    """
    rng = np.random.default_rng(5)
    data = engine.Dataset.from_arrays(rng.normal(size=(40, 2)), ["A"] * 28 + ["B"] * 12)
    problem = engine.prepare(data, split=Split(0.5))
    held = problem.held_out
    found = baseline(problem)
    assert held is not None and found is not None
    trace = engine.run_problem("nearest_neighbours", problem, k=1, pace=Pace(Level.ROUND))
    wrong = int(trace.wrong(held).sum())
    assert wrong > found.error(held) * held.n
    note = trace[-1].note
    assert (note["rows_here"], note["wrong_here"]) == (held.n, wrong)
    assert "rows held out" in note.text()


def test_a_pickled_recording_keeps_its_last_words() -> None:
    X, y = [[1.0], [2.0], [3.0], [4.0]], ["A", "B", "B", "B"]
    trace = engine.run(
        "logistic_regression",
        engine.Dataset.from_arrays(X, y),
        start=(0.0, 1.0),
        rate=1e-6,
        steps=1,
    )
    again = pickle.loads(pickle.dumps(trace))
    assert again[-1].note.text() == trace[-1].note.text()


def test_of_classes_that_tie_none_is_called_the_commonest() -> None:
    """MMDS 12.2.6: 8 day trips lie within 8 excursions; no line does better than one answer."""
    trace = engine.run(
        "perceptron",
        engine.textbook("day_trips"),
        threshold="learned",
        start=(-1.0, 0.0, -3.2),
        rounds=20,
    )
    text = trace[-1].note.text()
    assert "always saying “day trip”, one of the commonest classes: of the 16 rows" in text
    assert "”, the commonest" not in text
