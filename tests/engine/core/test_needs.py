"""What an algorithm says that it cannot take."""

import pytest

import engine

TWO = ["perceptron", "naive_bayes", "greedy_dnf", "decision_list", "svm", "winnow", "logistic_regression"]


@pytest.mark.parametrize("key", TWO)
def test_two_classes_that_are_not_the_first_two_are_refused_in_words(key: str) -> None:
    """Classes keep their places, so that their colours stay; a method of two looks at the first two."""
    whole = engine.Dataset.from_columns({"f1": [0, 0, 1, 1, 1, 0], "f2": [0, 1, 0, 1, 0, 1], "y": list("aabbcc")}, "y")
    assert len(engine.run(key, whole.take([0, 1, 2, 3])))
    with pytest.raises(engine.EngineError, match="“a” has no rows"):
        engine.run(key, whole.take([2, 3, 4, 5]))
    with pytest.raises(engine.EngineError, match="“b” has no rows"):
        engine.run(key, whole.take([0, 1, 4, 5]))
