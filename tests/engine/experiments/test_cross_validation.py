"""Cross-validation by hand, and against the same folds with scikit-learn."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import LeaveOneOut, PredefinedSplit, cross_val_score
from sklearn.neighbors import KNeighborsClassifier

import engine
from engine.base.errors import EngineError
from engine.experiments.parts.folds import dealt, labelled_rows
from engine.fit.learners import rows_of
from engine.runs.run import run_problem
from engine.scene.scene import Boxes, Role

NEAREST = "nearest_neighbours(k=3)"
MOONS = engine.generate("moons", 60, seed=1)


def folds(trace):
    return [step.state for step in trace if step.line == "test"]


def test_three_points_left_out_one_by_one() -> None:
    """0 and 1 are A, 5 is B: the nearest of the others says A, A and A; only the last is wrong."""
    data = engine.Dataset.from_columns({"x": [0.0, 1.0, 5.0], "c": ["A", "A", "B"]}, "c")
    trace = engine.run(
        "cross_validation", data, learner="nearest_neighbours", scheme="leave-one-out"
    )
    end = trace[-1].state
    assert list(end.errors) == [0.0, 0.0, 1.0]
    assert end.errors.mean == pytest.approx(1 / 3)
    assert end.errors.deviation == pytest.approx(np.std([0, 0, 1], ddof=1))
    assert [answers.tolist() for answers in end.answers] == [[0.0], [0.0], [0.0]]


@pytest.mark.parametrize("scheme", ["k-fold", "stratified"])
def test_the_errors_of_the_same_folds_are_those_of_scikit_learn(scheme: str) -> None:
    trace = engine.run("cross_validation", MOONS, learner=NEAREST, scheme=scheme, k=7)
    deal = trace[0].state.deal
    X, y = trace.problem.X, trace.problem.codes
    scores = cross_val_score(KNeighborsClassifier(3), X, y, cv=PredefinedSplit(deal))
    assert list(trace[-1].state.errors) == pytest.approx(1 - scores)


def test_values_are_judged_by_their_squared_errors() -> None:
    trace = engine.run(
        "cross_validation", engine.generate("sine", 40, seed=2), learner="linear_regression", k=4
    )
    X = trace.problem.X
    y = trace.problem.y
    deal = trace[0].state.deal
    cv = PredefinedSplit(deal)
    scores = cross_val_score(LinearRegression(), X, y, cv=cv, scoring="neg_mean_squared_error")
    assert list(trace[-1].state.errors) == pytest.approx(-scores)


@pytest.mark.parametrize("weights", ["equal", "1/d"])
def test_the_short_cut_says_what_leaving_out_each_row_says(weights: str) -> None:
    """AIMA 18.8.4: k + 1 neighbours of each example, the example itself skipped."""
    learner = f"nearest_neighbours(k=3, weights={weights})"
    ends = [
        engine.run("cross_validation", MOONS, learner=learner, scheme="leave-one-out", cheap=cheap)[
            -1
        ].state
        for cheap in (False, True)
    ]
    assert list(ends[0].errors) == list(ends[1].errors)
    same = cross_val_score(
        KNeighborsClassifier(3, weights="uniform" if weights == "equal" else "distance"),
        *xy(MOONS),
        cv=LeaveOneOut(),
    )
    assert ends[1].errors.mean == pytest.approx(1 - same.mean())


def test_the_short_cut_of_equal_places() -> None:
    """Three rows at one place: the row itself may not be among its nearest, and is left out all the
    same.
    """
    data = engine.Dataset.from_columns({"x": [1.0, 1.0, 1.0, 9.0], "c": ["A", "B", "B", "A"]}, "c")
    slow, quick = (
        engine.run(
            "cross_validation",
            data,
            learner="nearest_neighbours",
            scheme="leave-one-out",
            cheap=cheap,
        )
        for cheap in (False, True)
    )
    assert [a.tolist() for a in slow[-1].state.answers] == [
        a.tolist() for a in quick[-1].state.answers
    ]


def xy(data):
    problem = engine.prepare(data)
    return problem.X, problem.codes


def test_the_model_of_a_fold_is_the_run_that_a_person_would_open() -> None:
    trace = engine.run("cross_validation", MOONS, k=5)
    s = folds(trace)[2]
    rest = np.flatnonzero(s.deal != 2)
    own = run_problem("decision_tree", rows_of(trace.problem, rest), seed=s.model.seed)
    X = trace.problem.X
    assert s.model.answers(X).tolist() == own.codes(X).tolist()
    assert (
        trace.codes(X, [step.line for step in trace].index("learn")).tolist()
        == folds(trace)[0].model.says.tolist()
    )


@settings(max_examples=40, deadline=None)
@given(st.integers(2, 30), st.integers(2, 12), st.booleans(), st.integers(0, 99))
def test_folds_share_the_rows_evenly(n: int, k: int, stratified: bool, seed: int) -> None:
    rng = np.random.default_rng(seed)
    labels = [str(c) for c in rng.integers(3, size=n)]
    problem = engine.prepare(engine.Dataset.from_columns({"x": list(range(n)), "c": labels}, "c"))
    k = min(k, n)
    deal = dealt(problem, labelled_rows(problem), k, rng, stratified)
    assert np.ptp(np.bincount(deal, minlength=k)) <= 1
    if stratified:
        each = [
            np.bincount(deal[problem.codes == c], minlength=k) for c in range(len(problem.classes))
        ]
        assert all(np.ptp(counts) <= 1 for counts in each)


def test_a_fold_that_cannot_be_learnt_is_left_out_and_the_rest_go_on() -> None:
    """Without its only B the perceptron has one class: it says so, and the folds with a B are
    judged.
    """
    data = engine.Dataset.from_columns({"x": [0.0, 1.0, 2.0, 3.0], "c": ["A", "A", "A", "B"]}, "c")
    trace = engine.run("cross_validation", data, learner="perceptron", scheme="leave-one-out")
    end = trace[-1].state
    assert [fold for fold, _ in end.refused] == [3]
    assert "two classes" in end.refused[0][1]
    assert end.errors.count == 3
    assert len(trace.when("refused")) == 1


@pytest.mark.parametrize(
    ("params", "part"),
    [
        ({"k": 61}, "there are 60"),
        ({"learner": "linear_regression"}, "column of numbers"),
        ({"learner": "kd_tree"}, "does not predict"),
        ({"learner": "decisiontree"}, "did you mean"),
        ({"learner": "nearest_neighbours(k=0)"}, "between 1"),
        ({"learner": "nearest_neighbours(k=3"}, "closing bracket"),
        ({"learner": "nearest_neighbours(3)"}, "name=value"),
        ({"learner": "cross_validation"}, "choose another"),
        ({"scheme": "leave-one-out", "cheap": True}, "no short cut"),
        (
            {
                "scheme": "leave-one-out",
                "cheap": True,
                "learner": "nearest_neighbours(normalise=yes)",
            },
            "another scale",
        ),
    ],
)
def test_what_cannot_be_is_said(params, part: str) -> None:
    with pytest.raises(EngineError, match=part):
        engine.run("cross_validation", MOONS, **params)


def test_the_same_seed_deals_the_same_folds_at_every_pace() -> None:
    runs = [
        engine.run("cross_validation", MOONS, seed=3, pace=engine.Pace(level))
        for level in engine.Level
    ]
    assert len({tuple(trace[-1].state.errors) for trace in runs}) == 1


def test_two_thousand_rows_left_out_one_by_one() -> None:
    """Every row is its own fold, each in its turn."""
    data = engine.generate("moons", 2_000, seed=1)
    trace = engine.run(
        "cross_validation",
        data,
        learner=NEAREST,
        scheme="leave-one-out",
        cheap=True,
        pace=engine.Pace(engine.Level.ROUND),
    )
    assert trace[-1].state.errors.count == 2_000
    X, y = trace.problem.X, trace.problem.codes
    near = KNeighborsClassifier(3).fit(X, y).kneighbors(return_distance=False)
    assert trace[-1].state.errors.mean == pytest.approx(np.mean((y[near].mean(axis=1) > 0.5) != y))


def test_the_fold_laid_aside_is_amber_and_the_others_while_they_are_learnt_from() -> None:
    trace = engine.run("cross_validation", engine.generate("moons", 30, 0.2), k=5)
    for step in trace:
        plot = trace.algorithm.scene(trace.given, step).figures[0]
        lit = [x for x in plot.layers if isinstance(x, Boxes) and x.role is Role.ACTIVE]
        frames = sum(len(x.bounds) for x in lit)
        assert frames == {"fold": 1, "learn": 4, "test": 1}.get(step.line, 0)
