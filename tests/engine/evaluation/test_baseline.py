"""The baseline, the commonest class or the mean, beside every error on rows that were not learnt from."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.dummy import DummyClassifier, DummyRegressor

import engine
from engine.core.baseline import baseline
from engine.core.step import Level, Pace
from engine.data.prepare import Split
from engine.files.summary import summary_lines
from engine.timeline.run import Run


@given(st.lists(st.integers(0, 2), min_size=1, max_size=30), st.lists(st.integers(0, 2), min_size=1, max_size=30))
def test_the_commonest_class_is_that_of_scikit_learn(learnt: list[int], tested: list[int]) -> None:
    problems = []
    for codes in (learnt, tested):
        labels = ["A", "B", "C"]
        data = engine.Dataset.from_arrays(np.zeros((len(codes) + 3, 1)), [*(labels[c] for c in codes), *labels])
        problems.append(engine.prepare(data))
    theirs = DummyClassifier(strategy="most_frequent").fit(problems[0].X, problems[0].codes)
    found = baseline(problems[0])
    assert found is not None
    assert found.error(problems[1]) == pytest.approx(1 - theirs.score(problems[1].X, problems[1].codes))


def test_the_mean_of_values_is_that_of_scikit_learn() -> None:
    problem = engine.prepare(engine.generate("sine", 30, seed=1), split=Split(0.3))
    theirs = DummyRegressor().fit(problem.X, problem.y)
    found, held = baseline(problem), problem.held_out
    assert found is not None and held is not None
    assert found.error(held) == pytest.approx(float(np.sqrt(np.mean((theirs.predict(held.X) - held.y) ** 2))))


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
