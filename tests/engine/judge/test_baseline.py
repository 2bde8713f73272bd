"""The baseline, the commonest class or the mean, beside every error on rows that were not learnt
from.
"""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.dummy import DummyClassifier, DummyRegressor

import engine
from engine.files.summary import summary_lines
from engine.protocol.step import Level, Pace
from engine.runs.run import Run
from engine.table.baseline import baseline
from engine.table.prepare import Split


@given(
    st.lists(st.integers(0, 2), min_size=1, max_size=30),
    st.lists(st.integers(0, 2), min_size=1, max_size=30),
)
def test_the_commonest_class_is_that_of_scikit_learn(learnt: list[int], tested: list[int]) -> None:
    problems = []
    for codes in (learnt, tested):
        labels = ["A", "B", "C"]
        data = engine.Dataset.from_arrays(
            np.zeros((len(codes) + 3, 1)), [*(labels[c] for c in codes), *labels]
        )
        problems.append(engine.prepare(data))
    theirs = DummyClassifier(strategy="most_frequent").fit(problems[0].X, problems[0].codes)
    found = baseline(problems[0])
    assert found is not None
    assert found.error(problems[1]) == pytest.approx(
        1 - theirs.score(problems[1].X, problems[1].codes)
    )


def test_the_mean_of_values_is_that_of_scikit_learn() -> None:
    problem = engine.prepare(engine.generate("sine", 30, seed=1), split=Split(0.3))
    theirs = DummyRegressor().fit(problem.X, problem.y)
    found = baseline(problem)
    held = problem.held_out
    assert found is not None and held is not None
    assert found.error(held) == pytest.approx(
        float(np.sqrt(np.mean((theirs.predict(held.X) - held.y) ** 2)))
    )


def test_without_a_label_there_is_none() -> None:
    assert baseline(engine.prepare(engine.Dataset.from_columns({"x": [1.0, 2.0]}, None))) is None


def uneven() -> engine.Dataset:
    """30 points of A and 10 of B, which lie anywhere among them."""
    rng = np.random.default_rng(3)
    return engine.Dataset.from_arrays(rng.normal(size=(40, 2)), ["A"] * 30 + ["B"] * 10)


@pytest.mark.parametrize("key", ["cross_validation", "holdout", "learning_curve"])
def test_experiments_tell_it_with_their_mean(key: str) -> None:
    trace = engine.run(key, uneven(), learner="nearest_neighbours", pace=Pace(Level.ROUND))
    steps = [step for step in trace if step.line == "mean"]
    assert steps
    for step in steps:
        said = step.note.text()
        assert "always saying “A”" in said
        assert "0.25" in said
        errors = step.state.now.errors if key == "holdout" else step.state.errors
        assert ("That is worse than always saying “A”" in said) == (errors.mean > 0.25 + 1e-9)


@pytest.mark.parametrize(
    ("key", "line"),
    [
        ("bootstrap_spread", "parts"),
        ("cost_matrix", "best"),
        ("cross_validation", "mean"),
        ("holdout", "mean"),
        ("learner_comparison", "mean"),
        ("learning_curve", "mean"),
        ("model_selection", "best"),
        ("overfitting_curve", "best"),
        ("peeking", "fresh"),
        ("reject_option", "end"),
    ],
)
def test_every_experiment_that_tells_a_held_out_error_tells_it(key: str, line: str) -> None:
    """With equal costs always saying A costs the quarter that is B."""
    params: dict[str, Any] = {"signal": "as given"} if key == "peeking" else {}
    *_, last = (step for step in engine.run(key, uneven(), **params) if step.line == line)
    (fact,) = (fact for fact in last.note.facts if fact.caption.startswith("always saying"))
    assert "A" in last.note.fill(fact.caption)
    if key != "peeking":  # whose fresh rows are some of them
        assert last.note.fill(fact.text) == "0.25"


def test_the_best_model_of_many_is_said_to_be_worse_than_one_answer() -> None:
    """A tree grown to the end follows every label: where they are drawn by chance it is wrong on
    more than the rarer quarter.
    """
    for key, line in (("model_selection", "best"), ("overfitting_curve", "best")):
        *_, last = (
            step
            for step in engine.run(
                key, uneven(), learner="nearest_neighbours", parameter="k", low=1, high=2, values=2
            )
            if step.line == line
        )
        errors = last.state.sizes if key == "model_selection" else last.state.points
        error = errors[last.state.best][1]
        assert error > 0.25
        assert "That is worse than always saying “A”" in last.note.text()


def test_a_comparison_says_where_few_rows_are_left_to_test_on() -> None:
    for step in engine.run("learner_comparison", uneven(), sizes=8, trials=2):
        if step.line == "mean":
            assert ("left to test on" in step.note.text()) == (40 - step.state.size < 10)


def test_a_point_of_a_learning_curve_says_that_few_rows_were_left() -> None:
    trace = engine.run("learning_curve", uneven(), learner="nearest_neighbours", sizes=14, trials=2)
    for step in trace:
        if step.line == "mean":
            left = 40 - step.state.size
            assert ("left to test on" in step.note.text()) == (left < 10)


def test_a_run_that_ends_worse_says_so_on_the_command_line() -> None:
    method = engine.algorithms()["perceptron"]
    run = Run(method, engine.prepare(uneven()), method.params(), pace=Pace(Level.ROUND))
    run.advance(5.0, max_steps=5)
    (line,) = [line for line in summary_lines(run, "uneven") if "baseline" in line]
    wrong = run.trace.wrong(run.problem).sum()
    assert line.startswith("  baseline   always saying “A”: 25 % wrong")
    assert line.endswith("does worse") == (wrong > 10)


@pytest.mark.parametrize(
    ("labels", "kind"),
    [
        ("AAAB", "the commonest class"),
        ("AABB", "one of the commonest classes"),
        ("CABBCC", "the commonest class"),
        ("CCABB", "one of the commonest classes"),
    ],
)
def test_the_commonest_class_has_no_equal(labels: str, kind: str) -> None:
    data = engine.Dataset.from_arrays(np.zeros((len(labels), 1)), list(labels))
    found = baseline(engine.prepare(data))
    assert found is not None and found.kind == kind
