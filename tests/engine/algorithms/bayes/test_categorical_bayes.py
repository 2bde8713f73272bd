"""Naive Bayes with several classes: the numbers of ML 6.9.1, and scikit-learn."""

import numpy as np
import pytest
from sklearn.naive_bayes import CategoricalNB

import engine
from engine.protocol.step import Level, Pace

ROUND = Pace(Level.ROUND)


def test_a_sunny_cool_humid_windy_day_of_the_text() -> None:
    """ML 6.9.1: .0053 for Yes, .0206 for No; made to add up to 1, .795 for No. Public notes on the
    section print the same three numbers.
    """
    data = engine.textbook("play_tennis")
    queries = ("Sunny", "Cool", "High", "Strong")
    trace = engine.run("categorical_bayes", data, query=queries)
    last = [step for step in trace if step.line == "factor"][-1].note
    assert last["t0"] == pytest.approx(0.0053, abs=5e-5)
    assert last["t1"] == pytest.approx(0.0206, abs=5e-5)
    assert trace[-1].note["answer"] == "No"
    assert trace[-1].note["chance"] == pytest.approx(0.795, abs=5e-4)


def test_the_m_estimate_of_the_text() -> None:
    """ML 6.9.1.1, Eq 6.22: (n_c + m p) / (n + m); of 3 among 5, m = 2 and p = 1/2 it is 4/7."""
    data = engine.textbook("play_tennis")
    trace = engine.run("categorical_bayes", data, estimate="m-estimate", m=2.0)
    assert trace[-1].state.tables[3][1] == pytest.approx([4 / 11, 4 / 7])


@pytest.mark.parametrize("classes", [2, 3, 5])
@pytest.mark.parametrize("alpha", [1.0, 0.25])
def test_like_scikit_learn(classes: int, alpha: float) -> None:
    """Its alpha is m p: with 3 values m = 3 alpha."""
    rng = np.random.default_rng(classes)
    words = np.array(["a", "b", "c"])
    X = rng.integers(0, 3, (200, 6))
    X[:3] = [[0] * 6, [1] * 6, [2] * 6]  # all words occur in their order
    y = (X[:, 0] + X[:, 1] * 2 + rng.integers(0, 3, 200)) % classes
    columns = {f"c{j}": words[X[:, j]].tolist() for j in range(6)}
    data = engine.Dataset.from_columns({**columns, "y": [f"k{c}" for c in y]}, "y")
    how = {"estimate": "Laplace"} if alpha == 1.0 else {"estimate": "m-estimate", "m": 3 * alpha}
    trace = engine.run("categorical_bayes", data, pace=ROUND, **how)
    problem = trace.problem
    oracle = CategoricalNB(alpha=alpha).fit(problem.X.astype(int), problem.codes)
    queries = rng.integers(0, 3, (300, 6)).astype(float)
    assert (trace.codes(queries) == oracle.predict(queries.astype(int))).all()
    found = trace.scores(queries)
    want = oracle.predict_joint_log_proba(queries.astype(int))
    assert found == pytest.approx(want[:, 0] - want[:, 1] if classes == 2 else want)


def test_no_class_where_every_product_is_0() -> None:
    columns = {"x": ["a", "a", "b", "b"], "z": ["c", "c", "d", "d"], "y": [0, 0, 1, 1]}
    data = engine.Dataset.from_columns(columns, "y")
    trace = engine.run("categorical_bayes", data, query=("a", "d"))
    assert "none" in trace[-1].events
    assert trace.codes(np.array([[0.0, 1.0]])).tolist() == [-1]
    smooth = engine.run("categorical_bayes", data, query=("a", "d"), estimate="Laplace")
    assert smooth.codes(np.array([[0.0, 1.0]])).tolist() == [0]
