"""The wrapper of AIMA Fig 18.8: errors against scikit-learn on the same folds, when it stops, and
the trap that it stops too early.
"""

import numpy as np
import pytest
from sklearn.model_selection import PredefinedSplit, cross_validate
from sklearn.neighbors import KNeighborsClassifier

import engine
from engine.base.arrays import Prefix
from engine.base.errors import EngineError
from engine.base.records import replace
from engine.experiments.model_selection import Size, stillness
from engine.experiments.model_selection.words import judge
from engine.protocol.step import Level, Pace
from engine.runs.run import run_problem
from engine.scene.layers import Labels, Points, Polyline, Role, Segments
from engine.scene.scene import Table

MOONS = engine.generate("moons", 40, 0.3, seed=1)
NOISY = engine.generate("restaurant", 200, 0.1, seed=0)
ROUND = Pace(Level.ROUND)
STEP = Pace(Level.STEP)
NEAR = {"learner": "nearest_neighbours", "high": 9, "values": 5}


def sizes_of(*errT: float) -> list[Size]:
    return [Size(i + 1.0, 0.0, 0.0, e) for i, e in enumerate(errT)]


def test_all_sizes_against_the_same_folds_of_scikit_learn() -> None:
    """MIT 2.3.33: cross-validate each, keep the best, learn it from all rows.

    The simplest of neighbours is the largest k.
    """
    trace = engine.run("model_selection", MOONS, until="all are tried", k=4, **NEAR)
    s = trace[-1].state
    X = trace.problem.X
    y = trace.problem.codes
    folds = PredefinedSplit(s.deal)
    expected = {}
    for size in s.sizes:
        found = cross_validate(
            KNeighborsClassifier(int(size.value)), X, y, cv=folds, return_train_score=True
        )
        errors = 1 - found["test_score"]
        expected[size.value] = errors.mean()
        assert size.validation == pytest.approx(errors.mean())
        assert size.deviation == pytest.approx(errors.std(ddof=1))
        assert size.training == pytest.approx(1 - found["train_score"].mean())
    assert [size.value for size in s.sizes] == [9, 7, 5, 3, 1]
    least = max(k for k, e in expected.items() if e <= min(expected.values()) + 1e-12)
    assert s.sizes[s.best].value == least
    assert s.model.learner.params.k == least
    assert list(s.model.rows) == list(range(40))
    assert np.array_equal(s.model.says, KNeighborsClassifier(int(least)).fit(X, y).predict(X))
    assert trace[-1].line == "learn"


def test_each_fold_is_tested_by_a_model_of_the_others() -> None:
    trace = engine.run("model_selection", MOONS, k=4, patience=1, look=False, **NEAR)
    X, y = trace.problem.X, trace.problem.codes
    tested = [step.state for step in trace if step.line == "fold"]
    assert len(tested) % 4 == 0
    for i, s in enumerate(tested):
        fold = np.flatnonzero(s.deal == i % 4)
        assert list(s.model.rows) == list(np.setdiff1d(np.arange(40), fold))
        peer = KNeighborsClassifier(int(s.value)).fit(X[s.model.rows], y[s.model.rows])
        assert s.errors.last == pytest.approx(1 - peer.score(X[fold], y[fold]))


@pytest.mark.parametrize(
    ("errors", "still"),
    [
        ((0.5, 0.4, 0.3), [0, 0, 0]),
        ((0.5, 0.5, 0.5, 0.2, 0.2), [0, 1, 2, 0, 1]),
        ((0.5, 0.497, 0.494), [0, 1, 0]),  # less than a hundredth of the first, then more in all
        ((0.5, 0.6, 0.55), [0, 1, 2]),
        ((0.0, 0.0), [0, 1]),
        ((np.nan, 0.5, np.nan, 0.5), [0, 0, 0, 1]),
    ],
)
def test_on_how_many_sizes_in_a_row_the_training_error_is_still(errors, still) -> None:
    assert stillness(sizes_of(*errors)) == still


@pytest.mark.parametrize(
    ("errT", "fell"), [((0.5, 0.5, 0.5, 0.2), True), ((0.5, 0.5, 0.5, 0.5), False)]
)
def test_the_training_error_is_said_to_fall_on_only_where_it_does(errT, fell: bool) -> None:
    """It stopped at the second size; the fourth has the least errV."""
    trace = engine.run(
        "model_selection", MOONS, k=4, patience=1, look=False, learner="decision_tree", pace=STEP
    )
    sizes = [
        Size(i + 1.0, errV, 0.0, e)
        for i, (errV, e) in enumerate(zip((0.4, 0.4, 0.4, 0.3), errT, strict=True))
    ]
    s = replace(trace[-1].state, sizes=Prefix(sizes, 4), stopped=1, best=0)
    said = judge(trace.given, s)
    assert said["p"] == 3
    assert ("fell on" in said.text()) == fell and ("fell no more" in said.text()) != fell


def test_what_it_says_while_it_waits() -> None:
    """A fall counts from a hundredth of the first errT."""
    trace = engine.run(
        "model_selection", MOONS, k=4, patience=2, look=False, pace=STEP, learner="decision_tree"
    )
    stops = [step for step in trace if step.line == "until"]
    first = stops[0].state.sizes[0].training
    for step in stops:
        note, s = step.note, step.state
        assert note["enough"] == pytest.approx(0.01 * first)
        assert ("has fallen to" in note.text()) is (s.still == 0 and step is not stops[0])
        assert ("begins with" in note.text()) is (step is stops[0])
        assert ("It goes on" in note.text()) is (step is not stops[-1])
    assert "2 sizes in a row: it counts as still" in stops[-1].note.text()


@pytest.mark.slow
def test_a_plain_test_for_no_change_stops_too_early_and_patience_does_not() -> None:
    """The trap of AIMA Fig 18.8 on noisy restaurant rows: errT stands still from 2 to 4 nodes, then
    it falls on. With patience the best is 7 nodes, as Fig 18.9 prints.
    """
    hasty = engine.run("model_selection", NOISY, patience=1, pace=STEP)
    s, note = hasty[-1].state, hasty[-1].note
    errT = [size.training for size in s.sizes]
    assert errT[1] == errT[2] == errT[3] > errT[4] > errT[6]
    assert s.stopped == 2
    assert s.sizes[s.best].value == 2
    assert note["p"] == 3
    assert "too early" in note.text()
    assert s.sizes[6].validation == min(size.validation for size in s.sizes) < s.sizes[1].validation
    patient = engine.run("model_selection", NOISY, patience=note["p"], pace=STEP)
    end = patient[-1].state
    assert end.sizes[end.best].value == 7
    assert end.sizes[: end.stopped + 1] == s.sizes[: end.stopped + 1]
    assert "in time" in patient[-1].note.text()
    shy = engine.run("model_selection", NOISY, patience=note["p"] - 1, pace=STEP)[-1].state
    assert shy.sizes[shy.best].value == 2


@pytest.mark.slow
def test_the_picture_shows_where_it_stopped_and_what_it_missed() -> None:
    trace = engine.run("model_selection", NOISY, patience=1, pace=STEP)

    def plot(i: int):
        return trace.algorithm.scene(trace.given, trace[i]).figures[0]

    end = plot(-1)
    marks = {
        layer.label[0]: layer.ends[0, 0, 0]
        for layer in end.layers
        if isinstance(layer, Segments) and layer.label
    }
    assert marks == {"stopped": 3, "taken": 2, "missed": 7}
    pale = [
        layer.xy for layer in end.layers if isinstance(layer, Polyline) and layer.tag == "beyond"
    ]
    assert [line[:, 0].tolist() for line in pale] == [list(range(3, 22))] * 2
    stop = next(i for i, step in enumerate(trace) if "stop" in step.events)
    (stops,) = [layer for layer in plot(stop).layers if isinstance(layer, Labels)]
    assert stops.text == ("stop? 1 of 1",)


def test_it_looks_beyond_only_when_wanted_and_takes_nothing_from_there() -> None:
    run = {"k": 4, "patience": 1, "pace": STEP, **NEAR}
    plain, looking = (
        engine.run("model_selection", MOONS, look=look, **run) for look in (False, True)
    )
    a, b = plain[-1].state, looking[-1].state
    assert "look" not in [step.line for step in plain]
    assert len(a.sizes) == a.stopped + 1 < len(b.sizes) == 5
    assert a.best == b.best
    assert np.array_equal(a.model.says, b.model.says)
    looked = [step.state for step in looking if step.line == "look"]
    assert all(s.model is b.model for s in looked)
    assert [s.value for s in looked] == [size.value for size in b.sizes[a.stopped + 1 :]]


def test_the_hypothesis_is_judged_on_rows_by_which_nothing_was_chosen() -> None:
    problem = engine.prepare(
        engine.generate("moons", 80, 0.3, seed=1), split=engine.Split(0.25, seed=2)
    )
    trace = run_problem("model_selection", problem, look=False, **NEAR)
    s = trace[-1].state
    test = problem.held_out
    peer = KNeighborsClassifier(int(s.sizes[s.best].value)).fit(problem.X, problem.codes)
    assert trace[-1].note["test"] == pytest.approx(1 - peer.score(test.X, test.codes))
    assert len(s.model.rows) == problem.n == 60


@pytest.mark.slow
def test_a_network_is_as_large_as_its_hidden_units() -> None:
    """AIMA 18.7.4: several sizes, the best by cross-validation.

    No line divides xor: one unit errs.
    """
    learner = "backpropagation(epochs=150, rate=2)"
    data = engine.generate("xor", 40, 0.1, seed=1)
    run = {
        "learner": learner,
        "parameter": "hidden",
        "low": 1,
        "high": 4,
        "values": 2,
        "k": 2,
        "pace": ROUND,
    }
    s = engine.run("model_selection", data, **run)[-1].state
    assert s.model.learner.params.hidden == (4.0,)
    assert s.sizes[0].validation > s.sizes[1].validation


def test_folds_that_cannot_be_learnt_from_are_reported_and_the_rest_go_on() -> None:
    """The only B in a fold leaves one class to the perceptron, which refuses."""
    data = engine.Dataset.from_columns({"x": [0.0, 1.0, 2.0, 3.0, 4.0], "c": list("AAAAB")}, "c")
    trace = engine.run("model_selection", data, learner="perceptron", high=9, values=3, patience=9)
    s = trace[-1].state
    assert len(s.refused) == 3
    assert s.errors.count == 4
    assert s.best >= 0
    refused = [step for step in trace if step.line == "fold" and "refused" in step.events]
    assert ["two classes" in step.note.text() for step in refused] == [True] * 3
    assert (
        "1 fold could not be tested"
        in next(step for step in trace if step.line == "errors").note.text()
    )
    small = engine.Dataset.from_columns({"x": [0.0, 1.0], "c": list("AB")}, "c")
    with pytest.raises(EngineError, match="Perceptron can learn from none of the folds"):
        engine.run("model_selection", small, learner="perceptron", high=9, values=3, k=2)


@pytest.mark.parametrize(
    ("params", "part"),
    [
        ({"k": 41}, "41 folds need 41 rows"),
        ({"parameter": "magic"}, "no number “magic”: choose"),
        ({"low": 7, "high": 3}, "no room to move nodes from 7 to 3"),
        ({"learner": "kd_tree"}, "does not predict"),
        ({"patience": 0}, "Patience"),
    ],
)
def test_what_cannot_be_is_said(params, part: str) -> None:
    with pytest.raises(EngineError, match=part):
        engine.run("model_selection", MOONS, **params)


def test_the_same_seed_tells_the_same_at_every_pace() -> None:
    ends = [
        engine.run("model_selection", MOONS, seed=3, pace=Pace(level), **NEAR)[-1].state
        for level in Level
    ]
    assert (
        len({(tuple(end.sizes), end.best, end.stopped, tuple(end.model.says)) for end in ends}) == 1
    )


def test_amber_is_on_the_error_that_the_words_speak_of() -> None:
    """The error of a fold; both means once they are known; errT alone where its fall decides."""
    trace = engine.run("model_selection", MOONS, k=4, patience=1, **NEAR)
    seen = set()
    for step in trace:
        plot, table, *_ = trace.algorithm.scene(trace.given, step).figures
        if step.line == "deal":
            assert isinstance(table, Table) and table.columns[0].role is Role.ACTIVE
            assert table.columns[0].values.tolist() == (step.state.deal + 1).tolist()
            seen.add(step.line)
            continue
        lit = [layer for layer in plot.layers if layer.role in (Role.ACTIVE, Role.NEAREST)]
        points = [(layer.tag, layer.xy[0, 1]) for layer in lit if isinstance(layer, Points)]
        s = step.state
        if step.line == "fold":
            assert points == [("now", s.errors.last)]
        elif step.line == "errors":
            assert points == [("validation", s.errors.mean), ("training", s.train.mean)]
        elif step.line == "until" and not s.still:
            assert points == [("training", s.train.mean)]
            assert {layer.tag for layer in lit} == {"training"}
        elif step.line == "best":
            assert points == [("best", min(size.validation for size in s.sizes))]
        else:
            continue
        seen.add(step.line)
    assert seen == {"deal", "fold", "errors", "until", "best"}
