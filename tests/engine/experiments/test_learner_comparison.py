"""The comparison of learners against scikit-learn's fits of the same rows and scipy's interval, and
what AIMA 18.11.2 says of it.
"""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from sklearn.neighbors import KNeighborsClassifier

import engine
from engine.base.errors import EngineError
from engine.experiments.learner_comparison import paired, student
from engine.experiments.parts import trials
from engine.experiments.parts.compared import several
from engine.experiments.parts.curves import End, names_at_ends, spread
from engine.experiments.parts.tally import Tally
from engine.protocol.step import Level, Pace
from engine.runs.trace import Trace
from engine.scene.scene import Plot, Points, Polyline, Role, Scene, Segments

MOONS = engine.generate("moons", 40, seed=1)
NEAR, NINE = "nearest_neighbours", "nearest_neighbours(k=9)"


def tally(*values: float) -> Tally:
    found = Tally()
    for value in values:
        found = found.plus(value)
    return found


def pictured(trace: Trace) -> Scene:
    return trace.algorithm.scene(trace.given, trace[-1])


def test_all_learners_draw_the_same_rows_and_are_tested_on_the_same_others() -> None:
    trace = engine.run("learner_comparison", MOONS, learners=(NEAR, NINE), sizes=3, trials=3)
    X, y = trace.problem.X, trace.problem.codes
    learnt = [step.state for step in trace if step.line == "learn"]
    tested = [step.state for step in trace if step.line == "test"]
    assert len(learnt) == 2 * len(tested) == 18
    for one, nine, s in zip(learnt[::2], learnt[1::2], tested, strict=True):
        rows = one.model.rows
        assert rows.tolist() == nine.model.rows.tolist()
        assert len(rows) == s.size
        others = np.setdiff1d(np.arange(40), rows)
        for errors, k in zip(s.errors, (1, min(9, s.size)), strict=True):
            if k % 2:  # of an even number of votes two classes may have as many
                near = KNeighborsClassifier(k).fit(X[rows], y[rows])
                assert errors.last == pytest.approx(1 - near.score(X[others], y[others]))


def test_differences_have_the_interval_of_students_paired_test() -> None:
    trace = engine.run(
        "learner_comparison", MOONS, learners=(NEAR, NINE), sizes=3, trials=8, confidence=0.9
    )
    for i in trace.when("size"):
        s = trace[i].state
        one, nine = (np.array([*errors]) for errors in s.errors)
        difference = s.points[-1].apart[1]
        right = stats.ttest_rel(nine, one)
        assert difference.mean == pytest.approx(np.mean(nine - one))
        if difference.deviation:
            interval = right.confidence_interval(0.9)
            assert (
                difference.mean - difference.half,
                difference.mean + difference.half,
            ) == pytest.approx((interval.low, interval.high))
            assert difference.apart == (right.pvalue < 0.1)


@pytest.mark.parametrize(
    ("freedom", "confidence", "t"),
    [(1, 0.95, 12.706), (9, 0.95, 2.262), (19, 0.99, 2.861), (5, 0.5, 0.727)],
)
def test_quantiles_as_the_tables_print_them(freedom: int, confidence: float, t: float) -> None:
    assert student(freedom, confidence) == pytest.approx(t, abs=5e-4)


def test_only_trials_that_both_could_learn_from_are_paired() -> None:
    nan = float("nan")
    found = paired(tally(0.1, nan, 0.3, 0.5), tally(0.2, 0.4, nan, 0.2), 0.95)
    assert (found.trials, found.mean) == (2, pytest.approx(0.1))
    assert found.half == pytest.approx(12.706 * np.std([-0.1, 0.3], ddof=1) / np.sqrt(2), rel=1e-4)
    lone = paired(tally(0.1), tally(0.2), 0.95)
    assert (lone.trials, lone.apart) == (1, False)
    assert np.isnan(lone.half)


def test_who_could_not_learn_from_all_draws_is_out_of_the_race() -> None:
    """One row has one class: the support vector machine needs two, and it meets only the draws of
    two rows that have both.
    """
    trace = engine.run(
        "learner_comparison", MOONS, learners=("decision_tree", "svm"), sizes=6, trials=6
    )
    points = trace[-1].state.points
    assert [p.size for p in points] == [1, 2, 4, 8, 16, 32]
    assert points[0].counts == (6, 0)
    assert np.isnan(points[0].means[1])
    assert points[1].counts[1] < 6
    assert points[1].winners == (0,)
    refused = trace[-1].state.refused
    assert {learner for _, learner, _ in refused} == {1}
    assert "two classes" in refused[0][2]
    trials = {(trace[i].state.size, len(trace[i].state.errors[0])) for i in trace.when("refused")}
    assert len(trials) == len(refused)
    assert any("cannot learn" in step.note.text() for step in trace if step.line == "learn")


def test_a_draw_is_called_learnt_also_where_its_model_is_not_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Of many trials only the first model is kept: the sentence of one refused before was said of
    all that came after.
    """
    monkeypatch.setattr(trials, "MANY", 0)
    trace = engine.run(
        "learner_comparison", MOONS, learners=("decision_tree", "svm"), sizes=6, trials=6
    )
    of_svm = [step for step in trace if step.line == "learn" and step.details["j"] == 1]
    tested = [step.state.errors[1].last for step in trace if step.line == "test"]
    assert ["learns from" in step.note.text() for step in of_svm] == [
        error == error for error in tested
    ]
    assert 6 < sum(np.isnan(tested)) < 30


def test_more_data_beat_a_better_learner() -> None:
    """AIMA 18.11.2: the worst learner with ten times the data beats the best with fewer.

    Curves cross on the way.
    """
    data = engine.generate("restaurant", 100, seed=1)
    near = "nearest_neighbours(metric=hamming)"
    trace = engine.run(
        "learner_comparison", data, learners=("decision_tree", near, "naive_bayes"), trials=15
    )
    points = {p.size: p for p in trace[-1].state.points}
    assert [*points] == [1, 2, 4, 7, 13, 25, 47, 90]
    assert max(points[47].means) < min(points[4].means)
    said = next(s for s in trace if s.line == "mean" and s.state.size == 47)
    assert said.note["few"] >= 4
    assert said.choice is not None
    assert [option.score for option in said.choice.options] == [*points[47].means]
    assert said.choice.chosen == said.choice.winners[0] == int(np.argmin(points[47].means))
    best = [points[m].best for m in points]
    overtaken = [trace[i].state.size for i in trace.when("overtaken")]
    assert overtaken == [
        m for m, now, before in zip([*points][1:], best[1:], best, strict=False) if now != before
    ]
    assert overtaken


def test_fewer_than_two_learners_are_joined_by_usual_ones() -> None:
    moons, words, values = (
        engine.prepare(engine.generate(name, 30)) for name in ("moons", "restaurant", "sine")
    )
    assert [each.key for each in several((), moons)] == [
        "decision_tree",
        "nearest_neighbours",
        "svm",
    ]
    assert [each.key for each in several((), words)] == [
        "decision_tree",
        "nearest_neighbours",
        "naive_bayes",
    ]
    assert [each.key for each in several((), values)] == [
        "regression_tree",
        "linear_regression",
        "neighbour_regression",
    ]
    assert [each.key for each in several(("svm",), moons)] == [
        "svm",
        "decision_tree",
        "nearest_neighbours",
    ]
    assert [each.key for each in several(("svm", "adaboost"), moons)] == ["svm", "adaboost"]


def test_learners_of_a_kind_are_called_with_their_parameters() -> None:
    trace = engine.run("learner_comparison", MOONS, learners=(NEAR, NINE, "svm"), sizes=2, trials=1)
    assert trace.given.names == (
        "Nearest neighbours",
        "Nearest neighbours (k=9)",
        "Support vector machine",
    )


def test_the_picture_has_a_curve_of_each_and_an_interval_for_each_but_the_first() -> None:
    trace = engine.run(
        "learner_comparison", MOONS, learners=("decision_tree", NEAR, NINE), sizes=4, trials=5
    )
    curves, differences = (
        figure for figure in pictured(trace).figures if isinstance(figure, Plot) and figure.beside
    )
    s = trace[-1].state
    lines = [layer for layer in curves.layers if isinstance(layer, Polyline) and layer.group >= 0]
    assert [line.group for line in lines] == [0, 1, 2]
    for j, line in enumerate(lines):
        assert line.xy == pytest.approx(
            np.array([[np.log10(p.size), 1 - p.means[j]] for p in s.points])
        )
    marks = [layer for layer in curves.layers if isinstance(layer, Points) and layer.tag]
    of_names = marks[-len(lines) :]  # a mark before each name, in the order of their heights
    assert sorted(int(layer.group[0]) for layer in of_names) == [0, 1, 2]
    for j, layer in enumerate(marks[: 2 * len(lines) : 2]):
        sure = [
            [np.log10(p.size), 1 - p.means[j]]
            for p in s.points
            if abs(p.apart[j].mean) > p.apart[j].half
        ]
        assert layer.xy == pytest.approx(np.array(sure).reshape(-1, 2))
    bars = [layer.ends for layer in differences.layers if isinstance(layer, Segments)]
    assert len(bars) == 2
    for j, ends in enumerate(bars, 1):
        middle = [-p.apart[j].mean for p in s.points]
        assert ends[:, :, 1].mean(axis=1) == pytest.approx(middle)
        assert np.ptp(ends[:, :, 1], axis=1) == pytest.approx(
            [2 * p.apart[j].half for p in s.points]
        )


def test_names_stand_apart_where_lines_end_close_to_each_other() -> None:
    ends = [End(1.0, 0.50, "b", ""), End(1.0, 0.49, "a", ""), End(0.5, 0.9, "c", "")]
    ways = names_at_ends(ends, 2.0, 1.0)
    assert [way.label for way in ways] == ["a", "b", "c"]
    assert [way.xy[0].tolist() for way in ways] == [[1.0, 0.49], [1.0, 0.5], [0.5, 0.9]]
    tips = np.array([way.xy[1] for way in ways])
    assert np.diff(tips[:, 1]).min() >= 0.07 - 1e-12
    assert len(set(tips[:, 0].tolist())) == 1
    assert tips[0, 0] > 1.0
    assert tips[2, 1] == 0.9  # none is near
    assert tips[:2, 1].mean() == pytest.approx(0.495)
    assert all(way.xy[1, 0] > 1.5 for way in names_at_ends(ends, 2.0, 1.0, past=1.5))
    assert names_at_ends([], 2.0, 1.0) == ()


@given(st.lists(st.floats(-1, 1), min_size=1, max_size=4))
def test_names_are_spread_in_order_and_their_middle_stays(places: list[float]) -> None:
    spaced = spread(sorted(places), 0.1)
    assert all(b - a >= 0.1 - 1e-9 for a, b in pairwise(spaced))
    assert np.mean(spaced) == pytest.approx(np.mean(places), abs=1e-9)
    if all(b - a >= 0.1 for a, b in pairwise(sorted(places))):
        assert spaced == pytest.approx(sorted(places))


def test_values_are_compared_by_their_squared_errors() -> None:
    trace = engine.run(
        "learner_comparison", engine.generate("sine", 30), sizes=3, trials=4, pace=Pace(Level.ROUND)
    )
    last = trace[-1].state.points[-1]
    assert last.size == 24
    assert last.means[1] > last.means[2] > 0  # a straight line against neighbours
    assert "squared error" in pictured(trace).figures[1].y_label


@pytest.mark.parametrize(
    ("learners", "part"),
    [
        ((NEAR, NEAR), "named twice"),
        ((NEAR, "kmeans"), "does not predict"),
        ((NEAR, "nonsense"), "nonsense"),
        ((NEAR, "linear_regression"), "Linear regression"),
        ((NEAR, "svm(C=-1)"), "Support vector machine"),
        (("svm", NEAR, NINE, "adaboost", "decision_tree", "perceptron"), "at most 5"),
    ],
)
def test_what_cannot_be_compared_is_said(learners: tuple[str, ...], part: str) -> None:
    with pytest.raises(EngineError, match=part):
        engine.run("learner_comparison", MOONS, learners=learners)


def test_five_learners_as_in_the_figure() -> None:
    """AIMA Fig 18.37: five learners on one axis of sizes."""
    learners = (NEAR, NINE, "decision_tree", "svm", "naive_bayes")
    words = engine.generate("boolean_rule", 30, seed=1)
    trace = engine.run("learner_comparison", words, learners=learners, sizes=2, trials=2)
    assert [len(point.means) for point in trace[-1].state.points] == [5, 5]
    plot = pictured(trace).figures[0]
    assert isinstance(plot, Plot)
    lines = {
        layer.group for layer in plot.layers if isinstance(layer, Polyline) and layer.group >= 0
    }
    assert lines == {0, 1, 2, 3, 4}


def test_amber_is_what_is_spoken_of() -> None:
    """The errors of the trial, the least mean, and the learners that differ from the first."""
    trace = engine.run("learner_comparison", MOONS, learners=(NEAR, NINE), trials=4)
    for step in trace:
        plot = trace.algorithm.scene(trace.given, step).figures[0]
        assert isinstance(plot, Plot)
        amber = {
            int(k.group[0]): float(k.xy[0, 1])
            for k in plot.layers
            if isinstance(k, Points) and k.role is Role.ACTIVE and k.group[0] >= 0
        }
        s = step.state
        wanted: dict[int, float] = {}
        if step.line == "test":
            wanted = {j: errors.last for j, errors in enumerate(s.errors)}
        elif step.line == "mean":
            wanted = {s.points[-1].best: min(s.points[-1].means)}
        elif step.line == "pair":
            means = s.points[-1].means
            wanted = {j: means[j] for j, d in enumerate(s.points[-1].apart) if d.apart}
            bars = [k for k in plot.layers if isinstance(k, Segments) and k.role is Role.ACTIVE]
            assert [k.ends[0, :, 1].mean() for k in bars] == pytest.approx(
                [1 - error for error in (wanted or {1: means[1]}).values()]
            )
            wanted = {}
        assert amber == pytest.approx({j: 1 - error for j, error in wanted.items()}), step.line


def test_the_interval_of_a_pair_is_drawn_from_the_mean_of_the_first() -> None:
    """0 lies within it just where the level of the first learner crosses it."""
    trace = engine.run("learner_comparison", MOONS, learners=(NEAR, "decision_tree"), trials=6)
    for step in [step for step in trace if step.line == "pair"]:
        plot = trace.algorithm.scene(trace.given, step).figures[0]
        (bar,) = (x for x in plot.layers if isinstance(x, Segments) and x.role is Role.ACTIVE)
        low, high = bar.ends[0, :, 1]
        point = step.state.points[-1]
        assert (low <= 1 - point.means[0] <= high) != point.apart[1].apart


def test_no_mark_of_a_trial_hides_another() -> None:
    trace = engine.run("learner_comparison", MOONS, learners=(NEAR, NINE), trials=5)
    last = [step for step in trace if step.line == "test"][-1]
    plot = trace.algorithm.scene(trace.given, last).figures[0]
    pale = [x.xy for x in plot.layers if isinstance(x, Points) and x.role is Role.INACTIVE]
    x = np.concatenate([xy[:, 0] for xy in pale[:2]])
    assert len(set(x.round(9).tolist())) == len(x) == 10
