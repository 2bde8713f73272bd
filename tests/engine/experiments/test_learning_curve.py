"""The learning curve against its own fits made one by one, and what AIMA 18.3.3 says of it."""

import numpy as np
import pytest
from sklearn.neighbors import KNeighborsClassifier

import engine
from engine.base.errors import EngineError
from engine.experiments.parts.trials import most_rows
from engine.protocol.moment import At
from engine.protocol.params import build
from engine.protocol.step import Level, Pace
from engine.scene.scene import Points, Role, Segments

MOONS = engine.generate("moons", 40, seed=1)


def test_each_trial_is_a_fit_on_its_rows_tested_on_all_others() -> None:
    trace = engine.run("learning_curve", MOONS, sizes=4, trials=3, learner="nearest_neighbours")
    X, y = trace.problem.X, trace.problem.codes
    tested = [step.state for step in trace if step.line == "test"]
    assert len(tested) == 12
    for s in tested:
        others = np.setdiff1d(np.arange(40), s.model.rows)
        assert len(s.model.rows) == s.size
        near = KNeighborsClassifier(1).fit(X[s.model.rows], y[s.model.rows])
        assert s.errors.last == pytest.approx(1 - near.score(X[others], y[others]))
    points = trace[-1].state.points
    assert [p.size for p in points] == [1, 11, 22, 32]
    first = [s.errors.last for s in tested[:3]]
    assert points[0].mean == pytest.approx(np.mean(first))
    assert points[0].deviation == pytest.approx(np.std(first, ddof=1))
    assert points[2].train == 0.0  # the nearest of a row that was learnt from is the row itself


def test_the_restaurant_curve_rises_to_its_end() -> None:
    """AIMA Fig 18.7: from a half with the first examples to about 0.95 of those not seen with most
    of the hundred.
    """
    data = engine.generate("restaurant", 100, seed=1)
    trace = engine.run("learning_curve", data, sizes=8, trials=20, pace=Pace(Level.ROUND))
    right = {p.size: 1 - p.mean for p in trace[-1].state.points}
    assert 0.4 < right[1] < 0.7
    assert right[77] > 0.88
    assert right[90] > 0.9


def test_sizes() -> None:
    """Of 40 rows a fifth is left to test on, of 100 and more ten; “Up to” asks for fewer."""
    hundred = engine.generate("moons", 100, seed=1)
    for data, params, sizes in (
        (MOONS, {"spaced": "evenly"}, [1, 16, 32]),
        (MOONS, {"spaced": "in powers"}, [1, 6, 32]),
        (MOONS, {"most": 9}, [1, 5, 9]),
        (hundred, {}, [1, 46, 90]),
        (hundred, {"most": 95}, [1, 46, 90]),
    ):
        trace = engine.run("learning_curve", data, sizes=3, trials=1, **params)
        assert [p.size for p in trace[-1].state.points] == sizes
    assert [most_rows(n) for n in (3, 5, 12, 50, 400)] == [2, 4, 10, 40, 390]


def test_rows_that_cannot_be_learnt_from_are_reported_and_the_rest_go_on() -> None:
    """One row has one class: the perceptron needs two."""
    trace = engine.run(
        "learning_curve", MOONS, sizes=3, trials=4, learner="perceptron(stop=rounds, rounds=5)"
    )
    s = trace[-1].state
    assert [size for size, _ in s.refused][:4] == [1, 1, 1, 1]
    assert "two classes" in s.refused[0][1]
    assert np.isnan(s.points[0].mean)
    assert s.points[-1].mean < 0.5
    assert len(trace.when("refused")) == len(s.refused)


def test_a_run_can_be_stopped_within_its_trials() -> None:
    trace = engine.run("learning_curve", MOONS, sizes=5, trials=200, max_steps=30)
    assert len(trace) == 30


@pytest.mark.parametrize(
    ("data", "params", "part"),
    [
        (
            engine.Dataset.from_columns({"x": [1.0, 2.0], "c": ["A", "B"]}, "c"),
            {},
            "at least 3 examples",
        ),
        (MOONS, {"learner": "gradient_descent"}, "column of numbers"),
    ],
)
def test_what_cannot_be_is_said(data, params, part: str) -> None:
    with pytest.raises(EngineError, match=part):
        engine.run("learning_curve", data, **params)


@pytest.mark.parametrize("key", ["learning_curve", "learner_comparison"])
def test_rows_are_drawn_in_pieces_between_which_a_run_may_stop(key: str) -> None:
    """All trials were drawn at one go before the first step: 50 ms for 5,000 rows."""
    algorithm = engine.algorithm(key)
    given = algorithm.setting(
        engine.prepare(MOONS), build(algorithm.params, {"sizes": 4, "trials": 6})
    )
    steps = algorithm.steps(given, At(algorithm, given), np.random.default_rng(0))
    silent = next(k for k, step in enumerate(steps) if step is not None)
    assert silent >= 4 * 6


def test_amber_is_the_size_then_its_trials_then_their_mean() -> None:
    trace = engine.run("learning_curve", MOONS, sizes=3, trials=4)
    for step in trace:
        s = step.state
        plot = trace.algorithm.scene(trace.given, step).figures[0]
        amber = [
            layer.xy[0] if isinstance(layer, Points) else layer.ends[0, 0]
            for layer in plot.layers
            if isinstance(layer, (Points, Segments)) and layer.role in (Role.ACTIVE, Role.NEAREST)
        ]
        assert len(amber) == 1 or step.line == "learn"
        if step.line in ("size", "mean"):
            assert amber[0][0] == s.size
        if step.line in ("test", "mean"):
            error = s.errors.last if step.line == "test" else s.errors.mean
            assert amber[0][1] == pytest.approx(1 - error)
