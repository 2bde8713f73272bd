"""Whole numbers to predict are classes or values: the algorithm decides.

AIMA 18.2: classification and regression.
"""

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression

import engine
from engine.read.column_kinds import read_for
from engine.table.dataset import Dataset

CURVES = [a.key for a in engine.algorithms().values() if a.needs.values and not a.needs.labels]
X = np.arange(12.0)[:, None]


@pytest.mark.parametrize("key", CURVES)
@pytest.mark.parametrize(
    "y", [np.arange(12) * 3, np.arange(12.0) * 3, [-1, 1] * 6, np.arange(12) % 5 - 2]
)
def test_a_curve_takes_whole_numbers_as_values(key: str, y: np.ndarray) -> None:
    for data in (
        (X, y),
        Dataset.from_arrays(X, y),
        Dataset.from_columns({"x": X[:, 0], "y": y}, "y"),
    ):
        trace = engine.run(key, data, max_steps=5)
        assert trace.problem.regress
        assert trace.problem.y.tolist() == list(y)


def test_the_line_through_whole_numbers_is_that_of_scikit_learn() -> None:
    y = np.array([1, 3, 2, 5, 4, 4, 7, 6, 9, 8, 12, 10])
    trace = engine.run("linear_regression", (X, y))
    peer = LinearRegression().fit(X, y)
    assert trace[-1].state.w == pytest.approx([peer.intercept_, *peer.coef_])


@pytest.mark.parametrize("y", [np.repeat(np.arange(30), 2), np.repeat(np.arange(30.0), 2)])
def test_a_classifier_takes_whole_numbers_as_classes_however_many(y: np.ndarray) -> None:
    """Floats of more than twenty different values alone would be values."""
    rows = np.arange(60.0)[:, None]
    for data in ((rows, y), Dataset.from_columns({"x": rows[:, 0], "y": y}, "y")):
        trace = engine.run("multiclass_perceptron", data, max_steps=5)
        assert trace.problem.classes == tuple(range(30))
        assert trace.problem.codes.tolist() == y.tolist()
    two = Dataset.from_columns({"x": [0.0, 1.0, 2.0], "y": [3, None, 7]}, "y", task="regress")
    # the larger one is positive
    assert engine.run("perceptron", two, max_steps=5).problem.codes.tolist() == [1, -1, 0]


def test_an_algorithm_for_both_takes_the_table_as_it_is() -> None:
    for task in ("classify", "regress"):
        data = Dataset.from_arrays(X, np.arange(12) % 3, task=task)
        assert read_for(data, engine.algorithms()["backpropagation"].needs) is data
        assert read_for(data, engine.algorithms()["em_means"].needs) is data


@pytest.mark.parametrize(
    ("key", "y", "sentence"),
    [
        ("linear_regression", ["a", "b"] * 6, "needs a column of numbers as target"),
        ("linear_regression", [False, True] * 6, "needs a column of numbers as target"),
        ("multiclass_perceptron", np.arange(12) / 2, "needs a column of classes as target"),
    ],
)
def test_what_cannot_be_read_so_is_refused_as_ever(
    key: str, y: list[object], sentence: str
) -> None:
    with pytest.raises(engine.EngineError, match=sentence):
        engine.run(key, (X, y))


def test_more_numbers_than_classes_can_be_stay_values() -> None:
    rows = np.arange(100.0)[:, None]
    with pytest.raises(engine.EngineError, match="needs a column of classes as target"):
        engine.run("perceptron", (rows, np.arange(100.0)))
