"""Feature selection against scikit-learn's on the same folds, and what ML 8.2.2 says of columns
that do not matter.
"""

from itertools import pairwise

import numpy as np
import pytest
from sklearn.feature_selection import SequentialFeatureSelector
from sklearn.model_selection import cross_val_score
from sklearn.neighbors import KNeighborsClassifier

import engine
from engine.base.errors import EngineError
from engine.experiments.feature_selection import predict
from engine.scene import views
from engine.scene.scene import Polyline

NEAR = "nearest_neighbours"
WIDE = 8  # columns of the tables on which every fit is repeated by scikit-learn
TWENTY = engine.generate("irrelevant", 60, seed=0)  # only x1 and x2 matter


def eight() -> tuple[np.ndarray, np.ndarray]:
    """x1 and x2, which matter, and six columns that do not: X (40, 8) and y."""
    problem = engine.prepare(engine.generate("irrelevant", 40, seed=2))
    return problem.X[:, :WIDE], problem.y


def splits(deal: np.ndarray, k: int) -> list[tuple[np.ndarray, np.ndarray]]:
    return [(np.flatnonzero(deal != i), np.flatnonzero(deal == i)) for i in range(k)]


def right_of(trace: engine.Trace, columns: list[int]) -> float:
    """The mean share right on the folds of the trace, by scikit-learn."""
    X, y = trace.problem.X, trace.problem.codes
    folds = splits(trace[-1].state.deal, 4)
    return float(cross_val_score(KNeighborsClassifier(1), X[:, columns], y, cv=folds).mean())


@pytest.mark.parametrize("direction", ["forward", "backward"])
def test_every_column_is_judged_as_scikit_learn_judges_it(direction: str) -> None:
    trace = engine.run(
        "feature_selection",
        eight(),
        learner=NEAR,
        direction=direction,
        until="all columns are tried",
        k=4,
    )
    rounds = list(trace[-1].state.rounds)
    assert len(rounds) == (WIDE + 1 if direction == "forward" else WIDE)
    for before, done in list(pairwise(rounds))[: WIDE - 1 : 3]:
        others = set(before.columns) ^ set(range(WIDE) if direction == "forward" else ())
        errors = {}
        for c in others:
            errors[c] = 1 - right_of(trace, sorted({c} ^ set(before.columns)))
            assert done.tried[c] == pytest.approx(errors[c])
        assert done.error == pytest.approx(min(errors.values()))
        assert set(done.columns) == set(before.columns) ^ {done.taken}


def test_the_first_columns_are_those_of_scikit_learn() -> None:
    trace = engine.run("feature_selection", eight(), learner=NEAR, k=4)
    s = trace[-1].state
    search = SequentialFeatureSelector(
        KNeighborsClassifier(1), n_features_to_select=2, cv=splits(s.deal, 4)
    ).fit(trace.problem.X, trace.problem.codes)
    assert set(s.rounds[2].columns) == set(np.flatnonzero(search.get_support()))


def test_of_twenty_columns_the_two_that_matter_are_kept() -> None:
    """ML 8.2.2: eighteen columns that do not matter mislead the neighbours."""
    trace = engine.run("feature_selection", TWENTY, learner=NEAR)
    s = trace[-1].state
    assert sorted(s.columns) == [0, 1]
    everything = engine.run("cross_validation", TWENTY, learner=NEAR, k=5)[-1].state.errors.mean
    assert s.error < everything


def test_the_final_model_sees_the_kept_columns_alone() -> None:
    trace = engine.run("feature_selection", TWENTY, learner=NEAR)
    X = trace.problem.X
    s = trace[-1].state
    near = KNeighborsClassifier(1).fit(X[:, list(s.columns)], trace.problem.codes)
    fresh = engine.prepare(engine.generate("irrelevant", 50, seed=9)).X
    says = trace.algorithm.predict(trace.given, s, fresh)
    assert says.tolist() == near.predict(fresh[:, list(s.columns)]).tolist()


def test_dice_need_no_column() -> None:
    """AIMA 18.3.5: no column tells whether the die shows 6."""
    trace = engine.run("feature_selection", engine.generate("dice", 100, seed=0))
    s = trace[-1].state
    assert s.columns == ()
    assert s.model is None
    assert "always giving the same answer" in trace[-2].note.text()


def test_values_are_judged_by_squares() -> None:
    data = engine.generate("correlated", 30, seed=3)
    trace = engine.run("feature_selection", data, learner="linear_regression", direction="backward")
    s = trace[-1].state
    assert set(s.columns) == {0, 1}
    assert (s.tried > s.error).all()


def test_too_many_columns_and_folds_are_refused() -> None:
    with pytest.raises(EngineError, match="folds"):
        engine.run("feature_selection", TWENTY, k=61)
    rng = np.random.default_rng(0)
    wide = engine.Dataset.from_arrays(rng.normal(size=(6, 201)), [0, 1, 0, 1, 0, 1])
    with pytest.raises(EngineError, match="201 columns"):
        engine.run("feature_selection", wide)


def test_what_is_learnt_leads_beside_the_errors() -> None:
    """On the plane where that shows all of S, else as the learner's own figure."""
    sine = engine.run("feature_selection", engine.generate("sine", 20), learner="regression_tree")
    table = engine.textbook("restaurant")
    for trace, second in (
        (sine, "Plane"),
        (engine.run("feature_selection", table, learner="decision_tree"), "Tree"),
    ):
        scene = trace.algorithm.scene(trace.given, trace[-1])
        assert views.leads(scene, trace.problem) == ("Error by columns", second)
    scene = sine.algorithm.scene(sine.given, sine[-1])
    (line,) = (layer for layer in scene.layers if isinstance(layer, Polyline))
    s = sine[-1].state
    assert line.xy[:, 1] == pytest.approx(predict(sine.given, s, line.xy[:, :1]))


def test_the_folds_have_their_numbers_of_rows() -> None:
    trace = engine.run("feature_selection", engine.generate("sine", 22), k=4)
    bars = trace.algorithm.scene(trace.given, trace[0]).figures[0]
    assert sorted(bars.values) == [5, 5, 6, 6]
