"""The script of several classes: the lab’s answers, for learners with scores and without, for every
scheme.
"""

import pytest

import engine
from engine.scripts import script_of
from tests.engine.scripts.running import shares


@pytest.mark.parametrize(
    "params",
    [
        {},
        {"learner": "table_lookup"},
        {"learner": "svm", "scheme": "duels"},
        {"learner": "perceptron", "answer": "all above the threshold"},
        {"learner": "hinge_descent", "answer": "all above the threshold", "threshold": 0.5},
    ],
)
def test_it_answers_as_the_lab_does(params: dict[str, object]) -> None:
    data = engine.generate("three_fields", 30, seed=1)
    trace = engine.run("several_classes", data, pace=engine.Pace(engine.Level.ROUND), **params)
    on_rows, on_grid, stated, text = shares(trace)
    assert min(on_rows, on_grid) >= stated, text


def test_a_learner_whose_script_has_no_score_is_refused_with_others() -> None:
    data = engine.generate("three_fields", 30, seed=1)
    trace = engine.run("several_classes", data, learner="kernel_perceptron")
    with pytest.raises(engine.EngineError, match="take logistic regression"):
        script_of(trace)
