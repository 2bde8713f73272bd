"""The cost matrix: every threshold against brute force, its curves against scikit-learn, what AIMA
18.4.2 says of spam.
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import confusion_matrix, precision_recall_curve, roc_auc_score, roc_curve

import engine
from engine import Dataset
from engine.base.errors import EngineError
from engine.experiments.parts.costs import (
    chance_needed,
    costs_text,
    read_costs,
    total_cost,
    usual_costs,
)
from engine.experiments.parts.scoring import lanes
from engine.judge.confusion import leads
from engine.protocol.step import Level, Pace
from engine.scene.scene import Points, Polyline, Role
from engine.table.dataset import ColumnRole, category_column, number_column

MOONS = engine.generate("moons", 100, noise=0.3, seed=1)
IRIS = engine.real("iris")
BITS = Dataset.from_arrays(
    [[int(b) for b in f"{k:03b}"] for k in range(8)] * 3, [int(k > 2) for k in range(8)] * 3
)


@pytest.mark.parametrize(
    ("data", "params"),
    [
        (MOONS, {}),
        (MOONS, {"costs": "0 1; 5 0", "of": "B", "learner": "svm"}),
        (IRIS, {"of": "versicolor", "costs": "0 1 2; 7 0 4; 1 3 0"}),
        (IRIS, {"of": "virginica", "learner": "adaboost"}),
    ],
    ids=["usual", "svm of B", "forest of 3", "adaboost of 3"],
)
def test_every_threshold_costs_what_counting_says(data, params) -> None:
    trace = engine.run("cost_matrix", data, **params)
    problem = trace.problem
    s = trace[-1].state
    c = trace.given.code
    costs = trace.given.costs
    sweep = s.sweep
    h = s.model
    scores = np.asarray(h.learner.algorithm.scores(h.given, h.state, problem.X[sweep.rows]))
    scores = np.column_stack([scores, -scores]) if scores.ndim == 1 else scores
    others = np.delete(np.arange(scores.shape[1]), c)
    lead = scores[:, c] - scores[:, others].max(axis=1)
    second = others[scores[:, others].argmax(axis=1)]
    found = {}
    for t in [np.inf, *np.unique(lead)]:
        said = np.where(lead >= t, c, second)
        counts = confusion_matrix(
            problem.codes[sweep.rows], said, labels=range(len(problem.classes))
        )
        found[t] = (counts * costs).sum() / len(sweep.rows)
    assert sweep.cost == pytest.approx([found[t] for t in sorted(found, reverse=True)])
    assert sweep.cost[s.now] == pytest.approx(min(found.values()))
    assert not set(sweep.rows) & set(h.rows)
    assert len(sweep.rows) == pytest.approx(0.4 * problem.n, abs=2)


def test_the_curves_are_those_of_scikit_learn() -> None:
    trace = engine.run("cost_matrix", MOONS)
    sweep = trace[-1].state.sweep
    here = trace.problem.codes[sweep.rows] == 0
    false, true, thresholds = roc_curve(here, sweep.lead, drop_intermediate=False)
    assert sweep.rates.roc == pytest.approx(np.column_stack([false, true]))
    assert sweep.rates.threshold == pytest.approx(thresholds)
    assert sweep.rates.area == pytest.approx(roc_auc_score(here, sweep.lead))
    precision, recall, _ = precision_recall_curve(here, sweep.lead)
    assert sweep.rates.precision_recall == pytest.approx(
        np.column_stack([recall, precision])[-2::-1]
    )


def test_the_scene_has_the_present_threshold_on_every_curve() -> None:
    trace = engine.run("cost_matrix", MOONS)
    step = trace[-1]
    scene = trace.algorithm.scene(trace.given, step)
    s = step.state
    figures = {figure.title.split(":")[0]: figure for figure in scene.figures}
    dots = {
        title: [
            layer.xy[0].tolist()
            for layer in figures[title].layers
            if getattr(layer, "role", "") == "active" and hasattr(layer, "xy")
        ]
        for title in ("Cost by threshold", "ROC", "Precision and recall")
    }
    hits, alarms, own, others = (int(v) for v in s.sweep.counts_at(s.now))
    assert dots["Cost by threshold"] == [[s.sweep.threshold(s.now), s.sweep.cost[s.now]]]
    assert dots["ROC"] == [[alarms / others, hits / own]]
    assert dots["Precision and recall"] == [[hits / own, hits / (hits + alarms)]]
    (alike,) = [
        layer for layer in figures["ROC"].layers if getattr(layer, "label", "") == "same cost"
    ]
    across, up = alike.xy[-1] - alike.xy[0]
    w = np.array([up, -across])
    b = -(w @ alike.xy[0])
    assert w @ [alarms / others, hits / own] + b == pytest.approx(0)
    assert (alike.xy >= 0).all() and (alike.xy <= 1.1).all()  # whole, with its name, in the picture
    cheaper = (
        s.sweep.rates.roc @ w + b
    )  # the cost of every other place on the curve, less that of the present one
    assert cheaper.min() == pytest.approx(0, abs=1e-9)
    assert figures["Counts"].values.sum() == len(s.sweep.rows)


def test_the_plane_goes_with_the_threshold() -> None:
    """A dear miss makes the class larger, and equal costs leave it about where the
    learner has it.
    """
    trace = engine.run("cost_matrix", MOONS)
    X = trace.problem.X
    shares = [np.mean(trace.codes(X, i) == 0) for i in range(2, len(trace) - 1)]
    assert shares[0] == 0.0
    assert (np.diff(shares) >= 0).all()
    s = trace[-1].state
    lead = leads(np.asarray(s.model.learner.algorithm.scores(s.model.given, s.model.state, X)))[
        :, 0
    ]
    assert (trace.codes(X) == np.where(lead >= s.sweep.threshold(s.now), 0, 1)).all()
    assert np.mean(trace.codes(X) == 0) > np.mean(s.model.says == 0) + 0.1


@pytest.mark.parametrize("data", [MOONS, IRIS], ids=["moons", "iris"])
def test_with_equal_costs_the_learner_s_own_threshold_costs_its_error(data) -> None:
    k = len(engine.prepare(data).classes)
    trace = engine.run("cost_matrix", data, costs=costs_text(1 - np.eye(k)))
    (own,) = trace.when("own")
    s = trace[own].state
    rows = s.sweep.rows
    assert s.sweep.cost[s.now] == pytest.approx(
        np.mean(s.model.says[rows] != trace.problem.codes[rows])
    )


@pytest.mark.parametrize(
    ("data", "params"),
    [
        (Dataset.from_arrays(np.ones((6, 2)), [0, 1] * 3), {}),
        (Dataset.from_arrays(np.ones((6, 2)), [0, 1] * 3), {"of": "1"}),
        (BITS, {"learner": "perceptron"}),
        (engine.textbook("restaurant"), {"learner": "decision_tree"}),
        (IRIS, {"learner": "nearest_neighbours", "share": 0.6}),
    ],
    ids=["one place", "the second class", "bits", "restaurant", "iris"],
)
def test_a_lead_of_0_is_called_so_by_the_threshold_0(data, params) -> None:
    """The cost of the learner's own threshold is counted by its rule, lead ≥ 0."""
    trace = engine.run("cost_matrix", data, **params)
    s = trace[-1].state
    c = trace.given.code
    own = s.sweep
    said = np.where(own.lead >= 0, c, own.other)
    counts = confusion_matrix(own.codes, said, labels=range(len(trace.problem.classes)))
    assert trace[-1].note["own"] == pytest.approx((counts * trace.given.costs).sum() / len(said))
    assert trace[-1].note["e"] <= trace[-1].note["own"] + 1e-12


# -- costs -----------------------------------------------------------------------------------------


def test_one_to_ten_moves_the_threshold_to_a_tenth_of_the_odds() -> None:
    """AIMA 18.4.2, E21: spam is lost good mail's tenth; good mail is the answer from 1 in 11 on,
    spam from 10 in 11.
    """
    assert chance_needed(read_costs("0 10; 1 0", ["good", "spam"]), 0) == pytest.approx(1 / 11)
    assert chance_needed(read_costs("0 10; 1 0", ["good", "spam"]), 1) == pytest.approx(10 / 11)
    (note,) = [step.note for step in engine.run("cost_matrix", MOONS) if step.line == "best"]
    assert note["p"] == pytest.approx(1 / 11)


@given(st.floats(0.01, 100), st.floats(0.01, 100), st.floats(0, 1))
def test_the_needed_chance_is_where_both_calls_cost_the_same(
    miss: float, alarm: float, p: float
) -> None:
    needed = chance_needed(np.array([[0, miss], [alarm, 0]]), 0)
    counts_at = (1 - p) * alarm
    not_called = p * miss
    if abs(p - needed) > 1e-9:
        assert (p > needed) == (counts_at < not_called)


def test_twice_as_many_cheap_mistakes_cost_less_than_dear_ones() -> None:
    """AIMA 18.4.2: 1 % of errors, nearly all of them spam let through, beat 0.5 % that mostly lose
    good mail.
    """
    costs = usual_costs(2)  # good mail lost costs 10, spam let through 1
    many_cheap = np.array([[500, 0], [10, 490]])
    few_dear = np.array([[497, 3], [2, 498]])
    assert total_cost(many_cheap, costs) == 10 < total_cost(few_dear, costs) == 32
    tie = 1 / 9  # share of dear ones among the 0.5 % at which both cost the same: 0.5 (1 + 9 d) = 1
    assert 0.5 * (10 * tie + 1 - tie) == pytest.approx(1)


@pytest.mark.parametrize(
    "text", ["0 10; 1 0", "0,10 / 1,0", "(0 10; 1 0)", "0 10\n1 0", "0, 10; 1, 0;"]
)
def test_costs_are_read_as_they_are_written(text: str) -> None:
    costs = read_costs(text, ["A", "B"])
    assert costs.tolist() == [[0, 10], [1, 0]]
    assert read_costs(costs_text(costs), ["A", "B"]).tolist() == costs.tolist()


@pytest.mark.parametrize(
    ("params", "part"),
    [
        ({"costs": "0 1; 5"}, "not square: it has 2 rows, and row 2 has 1 number"),
        ({"costs": "0 1 2; 5 0 1"}, "not square: it has 2 rows, and row 1 has 3 numbers"),
        ({"costs": "0 10"}, "not square: it has 1 row, and row 1 has 2 numbers"),
        ({"costs": "0 1 1; 1 0 1; 1 1 0"}, "3 × 3, the table has 2 classes, A, B"),
        ({"costs": "0 dear; 1 0"}, "must be a number; it is “dear”"),
        ({"costs": "0 −5; 1 0"}, "between 0 and 1,000,000,000; it is −5"),
        ({"costs": "0 nan; 1 0"}, "between 0"),
        ({"costs": "1 5; 1 0"}, "What is right costs nothing: row 1"),
        ({"costs": "0 0; 0 0"}, "All costs are 0"),
        ({"costs": ";"}, "0 × 0, the table has 2 classes"),
        ({"of": "C"}, "no class “C”; the classes are A, B"),
        ({"share": 0.0}, "must lie between 0.05 and 0.95"),
        ({"share": 1.0}, "must lie between 0.05 and 0.95"),
        (
            {"learner": "table_lookup"},
            "gives classes without scores: choose a learner that gives some, .*AdaBoost",
        ),
        ({"learner": "gradient_descent"}, "column of numbers"),
    ],
    ids=str,
)
def test_what_cannot_be_is_said(params, part: str) -> None:
    with pytest.raises(EngineError, match=part):
        engine.run("cost_matrix", MOONS, **params)


def test_a_declared_class_without_rows_has_none_to_judge() -> None:
    """Learners of two classes have scores for the first two alone."""
    classes = category_column("c", list("ABABAB"), ("A", "B", "C"), ColumnRole.TARGET)
    data = Dataset((number_column("x", [1, 5, 2, 6, 3, 7]), classes))
    for learner in ("perceptron", "decision_tree"):
        with pytest.raises(EngineError, match="no row of class C: choose another class"):
            engine.run("cost_matrix", data, learner=learner, of="C")


def test_a_class_with_one_row_has_none_to_judge() -> None:
    data = engine.Dataset.from_columns({"x": [1.0, 2.0, 3.0, 4.0, 5.0], "c": list("ABBBB")}, "c")
    with pytest.raises(EngineError, match="no row of class A: judge a larger share"):
        engine.run("cost_matrix", data)


def test_odds_without_end_are_beyond_all_thresholds() -> None:
    trace = engine.run(
        "cost_matrix",
        engine.textbook("mit_bayes"),
        learner="naive_bayes",
        share=0.5,
        pace=Pace(Level.STEP),
    )
    for step in trace:
        assert "nan" not in step.note.text()
        trace.algorithm.scene(trace.given, step)


def test_of_many_thresholds_some_are_stepped_through_with_the_cheapest_and_the_learner_s_own() -> (
    None
):
    trace = engine.run(
        "cost_matrix", engine.generate("moons", 1500, noise=0.3, seed=2), pace=Pace(Level.STEP)
    )
    s, choice = trace[-1].state, trace[-1].choice
    assert len(s.sweep.cost) > 400
    assert len(trace) < 220
    assert s.sweep.cost[s.now] == s.sweep.cost.min()
    assert choice.options[choice.chosen].value == s.sweep.threshold(s.now)
    assert len(choice.options) == len(trace) - 3
    assert len(trace.when("own")) == 1


def test_rows_of_equal_lead_stand_apart_in_their_lane() -> None:
    """Four at one place: none hides another, and none leaves its lane."""
    X = [[0.0], [0.0], [0.0], [0.0], [1.0], [1.0]]
    problem = engine.prepare(engine.Dataset.from_arrays(X, [1, 1, 1, 1, -1, -1]))
    rows = np.arange(6)
    points = lanes(problem, rows, problem.X[:, 0], problem.codes, -0.1, 2)
    heights = -points.xy[:4, 1]
    assert np.diff(heights).min() >= 0.1 * 0.6 / 3 - 1e-12
    assert np.ptp(heights) < 0.1


def test_nothing_is_shown_before_it_is_computed() -> None:
    """No lead before the rows have one, no cost and no rate before a threshold is tried."""
    trace = engine.run("cost_matrix", MOONS)
    for step in trace:
        figures = trace.algorithm.scene(trace.given, step).figures
        cost, roc = figures[:2]
        kinds = [layer.tag for layer in cost.layers]
        assert ("cost" in kinds) == (step.line not in ("learn", "score"))
        assert any(isinstance(layer, Points) for layer in cost.layers) == (step.line != "learn")
        here = [x for x in cost.layers if isinstance(x, Points) and x.role is Role.ACTIVE]
        assert bool(here) == (step.line in ("cost", "best"))
        walked = [x.xy for x in roc.layers if isinstance(x, Polyline) and x.role is Role.BOUNDARY]
        if step.line == "cost":
            assert len(walked[0]) == step.state.now + 1
        if step.line in ("cost", "best"):
            assert f"{step.note['e']:.2f}" in cost.title


def test_the_heading_of_a_cost_says_the_mistakes_and_which_of_them_came() -> None:
    trace = engine.run("cost_matrix", MOONS)
    former: tuple[int, int] | None = None
    for step in (s for s in trace if s.line == "cost"):
        sweep, c = step.state.sweep, trace.given.code
        said, true = sweep.said(step.state.now), sweep.codes
        now = (int(((true == c) & (said != c)).sum()), int(((true != c) & (said == c)).sum()))
        before = former or now
        texts = [f"{a} → {b}" if a != b else str(b) for a, b in zip(before, now, strict=True)]
        name = trace.given.names[c]
        title = trace.algorithm.scene(trace.given, step).figures[0].title
        assert title.endswith(f", {texts[0]} missed, {texts[1]} false {name}")
        former = now
