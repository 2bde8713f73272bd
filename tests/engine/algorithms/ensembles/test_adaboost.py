"""AdaBoost on the restaurant rows by exact fractions, against scikit-learn, and the facts of AIMA
18.10.
"""

import math
import pickle
from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.ensemble import AdaBoostClassifier
from sklearn.tree import DecisionTreeClassifier

import engine
from engine.algorithms.ensembles.adaboost import ALGORITHM, words
from engine.algorithms.ensembles.adaboost.weight_stacks import weight_columns
from engine.base.errors import EngineError
from engine.base.grid import Grid
from engine.base.records import replace
from engine.judge.evaluate import held_out_curve
from engine.judge.surface import evaluate_field
from engine.protocol.params import build
from engine.protocol.step import Level, Pace
from engine.runs.run import Run
from engine.scene.scene import Bars, Field, Line, Plot, Points, Role, Segments, Table, Tree
from engine.table.dataset import ColumnRole, Dataset, category_column
from engine.table.prepare import Split, prepare

# AIMA Fig 18.3
RESTAURANT = """
Alt Bar Fri Hun Pat  Price Rain Res Type    Est   WillWait
Yes No  No  Yes Some $$$   No   Yes French  0-10  Yes
Yes No  No  Yes Full $     No   No  Thai    30-60 No
No  Yes No  No  Some $     No   No  Burger  0-10  Yes
Yes No  Yes Yes Full $     Yes  No  Thai    10-30 Yes
Yes No  Yes No  Full $$$   No   Yes French  >60   No
No  Yes No  Yes Some $$    Yes  Yes Italian 0-10  Yes
No  Yes No  No  None $     Yes  No  Burger  0-10  No
No  No  No  Yes Some $$    Yes  Yes Thai    0-10  Yes
No  Yes Yes No  Full $     Yes  No  Burger  >60   No
Yes Yes Yes Yes Full $$$   No   Yes Italian 10-30 No
No  No  No  No  None $     No   No  Thai    0-10  No
Yes Yes Yes Yes Full $     No   No  Burger  30-60 Yes
"""
HEAD, *ROWS = [line.split() for line in RESTAURANT.split("\n") if line]


def restaurant():
    columns = [category_column(name, [row[j] for row in ROWS]) for j, name in enumerate(HEAD[:-1])]
    target = category_column(HEAD[-1], [row[-1] for row in ROWS], role=ColumnRole.TARGET)
    return prepare(Dataset((*columns, target), "Restaurant"))


def boost(data, pace=Level.DETAIL, seed=0, split=Split(), **params):
    if isinstance(data, tuple):
        data = Dataset.from_arrays(*data)
    problem = prepare(data, split=split) if isinstance(data, Dataset) else data
    run = Run(ALGORITHM, problem, build(ALGORITHM.params, params), seed, Pace(pace))
    run.advance()
    return run.trace


def rounds(trace):
    return [step for step in trace if step.line == "z"]


def lines(trace, line):
    return [step for step in trace if step.line == line]


def overlapping(n=60, d=2, classes=2, seed=0):
    """Points in 1/64ths, so that the single precision of a peer changes nothing."""
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, classes, n)
    X = (
        np.round((rng.normal(size=(n, d)) + codes[:, None] * 0.9 * (1 + np.arange(d) % 2)) * 64)
        / 64
    )
    return X, codes


# -- the 12 rows by hand ---------------------------------------------------------------------------


def by_hand(count):
    """AIMA Fig 18.34 with the corrected z on the 12 rows, multi-way stumps, in exact fractions: the
    first attribute wins a tie, a tied leaf says No. Gives (attribute, error, weights after,
    training errors) of each round.
    """
    w = [Fraction(1, 12)] * 12
    votes = [0.0] * 12
    truth = [row[-1] for row in ROWS]
    for _ in range(count):
        stumps = []
        for j in range(10):
            said = {}
            for value in {row[j] for row in ROWS}:
                yes = sum(w[i] for i in range(12) if ROWS[i][j] == value and truth[i] == "Yes")
                no = sum(w[i] for i in range(12) if ROWS[i][j] == value and truth[i] == "No")
                said[value] = "Yes" if yes > no else "No"
            h = [said[row[j]] for row in ROWS]
            stumps.append((sum(w[i] for i in range(12) if h[i] != truth[i]), j, h))
        error, j, h = min(stumps, key=lambda s: s[:2])
        w = [w[i] * error / (1 - error) if h[i] == truth[i] else w[i] for i in range(12)]
        w = [v / sum(w) for v in w]
        z = math.log((1 - error) / error)
        votes = [v + (z if said == "Yes" else -z) for v, said in zip(votes, h, strict=True)]
        wrong = sum((v >= 0) != (t == "Yes") for v, t in zip(votes, truth, strict=True))
        yield HEAD[j], error, w, wrong


def test_the_first_stump_asks_for_patrons():
    step = lines(boost(restaurant(), rounds=1), "learn")[0]
    scores = {option.label: option.score for option in step.choice.options}
    assert scores["Pat"] == pytest.approx(2 / 12)  # None 0 + Some 0 + Full 2 of 6
    assert scores["Hun"] == pytest.approx(3 / 12)  # Yes 2 of 7 + No 1 of 5
    assert scores["Est"] == pytest.approx(4 / 12)  # 0-10 2 of 6 + 10-30 1 of 2 + 30-60 1 of 2
    assert scores["Type"] == pytest.approx(6 / 12)  # every type half and half
    assert step.choice.options[step.choice.chosen].label == "Pat"
    assert step.choice.smallest


def test_every_round_on_the_restaurant_rows_in_fractions():
    trace = boost(restaurant(), rounds=8)
    for step, (name, error, weights, wrong) in zip(rounds(trace), by_hand(8), strict=True):
        s = step.state
        assert s.learner.text(trace.problem.features) == name
        assert s.error == pytest.approx(float(error))
        assert s.weights == pytest.approx([float(w) for w in weights])
        assert s.z[-1] == pytest.approx(math.log((1 - error) / error))
        assert step.metrics["errors"] == wrong == s.errors
    assert [r[3] for r in by_hand(5)] == [2, 3, 1, 2, 0]
    clean = [step.state.round for step in trace if "clean" in step.events]
    assert clean == [5]


def test_the_words_of_the_first_round_can_be_checked_by_hand():
    trace = boost(restaurant(), rounds=1)
    error, reweight, normalise, vote = (
        lines(trace, line)[0].note for line in ("error", "reweight", "normalise", "z")
    )
    assert error["error"] == Fraction(1, 6)
    assert reweight["factor"] == Fraction(1, 5)
    assert (reweight["w"], reweight["after"]) == (Fraction(1, 12), Fraction(1, 60))
    assert reweight["right_share"] == reweight["wrong_share"] == Fraction(1, 6)
    assert (normalise["after"], normalise["half"]) == (Fraction(1, 4), Fraction(1, 2))
    assert vote["z"] == pytest.approx(math.log(5))
    assert vote["half"] == Fraction(1, 2)
    # the erratum: log(1 − error)/error is negative
    assert vote["printed"] == pytest.approx(math.log(5 / 6) * 6)


def test_a_tie_is_shown_and_the_first_column_wins():
    step = lines(boost(ALGORITHM.example()), "learn")[0]
    assert (step.choice.winners, step.choice.chosen) == ((0, 1), 0)
    assert "tie" in step.events
    assert "column order" in step.choice.rule


# -- facts of the algorithm ------------------------------------------------------------------------


@st.composite
def problems(draw):
    n, d, k = draw(st.integers(2, 14)), draw(st.integers(1, 3)), draw(st.integers(2, 4))
    X = [[draw(st.integers(-4, 4)) for _ in range(d)] for _ in range(n)]
    y = [draw(st.integers(0, k - 1)) for _ in range(n)]
    return prepare(Dataset.from_arrays(np.array(X, float), np.array(y)))


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(problems(), st.sampled_from(["stump", "tree", "line"]))
def test_error_half_after_every_round_and_the_bound_holds(problem, learner):
    trace = boost(problem, rounds=12, learner=learner)
    for step in rounds(trace):
        s = step.state
        assert s.weights[s.wrong].sum() == pytest.approx(0.5)
        assert s.weights.sum() == pytest.approx(1)
        assert 0 < s.error < 0.5
        assert s.errors <= s.bound + 1e-9
        assert s.errors == trace.wrong(at=trace.indices(Level.ROUND)[s.round]).sum()
    product = problem.n * math.prod(
        2 * math.sqrt(s.state.error * (1 - s.state.error)) for s in rounds(trace)
    )
    if "perfect" not in trace[-2].events:
        assert trace[-1].state.bound == pytest.approx(product)


@pytest.mark.slow
@pytest.mark.parametrize("criterion", ["gini", "gain"])
@pytest.mark.parametrize("learner", ["stump", "tree"])
def test_agrees_with_scikit_learn_round_by_round(criterion, learner):
    X, y = overlapping(seed=3)
    depth = 1 if learner == "stump" else 2
    tree = DecisionTreeClassifier(
        max_depth=depth, criterion={"gain": "entropy"}.get(criterion, criterion)
    )
    peer = AdaBoostClassifier(tree, n_estimators=30, random_state=0).fit(X, y)
    trace = boost((X, y), Level.ROUND, rounds=30, criterion=criterion, learner=learner)
    grid = np.random.default_rng(0).integers(-200, 300, (200, 2)) / 64.0
    for k, (mine, theirs) in enumerate(
        zip(peer.staged_predict(X), peer.staged_predict(grid), strict=True), 1
    ):
        assert (trace.predict(X, at=k) == mine).all()
        assert (trace.predict(grid, at=k) == theirs).all()
    assert list(trace[-1].state.z) == pytest.approx(
        peer.estimator_weights_[: len(trace[-1].state.z)]
    )


class LeastError(ClassifierMixin, BaseEstimator):
    """The stump with the least weighted error, by trying all of them."""

    def fit(self, X, y, sample_weight):
        self.classes_ = np.unique(y)
        best = None
        for j in range(X.shape[1]):
            values = np.unique(X[:, j])
            for cut in (values[1:] + values[:-1]) / 2:
                side = X[:, j] > cut
                label = [
                    max((0, 1), key=lambda c: (sample_weight[(side == s) & (y == c)].sum(), -c))
                    for s in (0, 1)
                ]
                error = sample_weight[np.where(side, label[1], label[0]) != y].sum()
                if best is None or error < best[0] - 1e-12:
                    best = (error, j, cut, label)
        self.stump_ = best[1:]
        return self

    def predict(self, X):
        j, cut, label = self.stump_
        return np.where(X[:, j] > cut, label[1], label[0])


def test_agrees_with_scikit_learn_on_stumps_of_least_error():
    X, y = overlapping(seed=8)
    peer = AdaBoostClassifier(LeastError(), n_estimators=20).fit(X, y)
    trace = boost((X, y), Level.ROUND, rounds=20)
    for k, theirs in enumerate(peer.staged_predict(X), 1):
        assert (trace.predict(X, at=k) == theirs).all()
    assert list(trace[-1].state.z) == pytest.approx(peer.estimator_weights_)


def test_five_weights_by_the_definition():
    # one column, + − + + −: best cut of the first round is x > 1 or x > 4 …: error 1/5 is reached
    # by x ≤ 3.5 only
    trace = boost((np.arange(5.0)[:, None], np.array([1, 0, 1, 1, 0])), rounds=1)
    s = rounds(trace)[0].state
    assert (s.learner.value, s.learner.classes[:2]) == (3.5, (0, 1))
    assert s.error == pytest.approx(0.2)
    assert s.weights == pytest.approx([1 / 8, 1 / 2, 1 / 8, 1 / 8, 1 / 8])


# -- ends ------------------------------------------------------------------------------------------


def test_a_learner_without_error_gets_all_the_vote_and_ends_the_run():
    trace = boost((np.array([[0.0], [1.0], [2.0]]), np.array([1, 0, 0])))
    stop = lines(trace, "stop")[0]
    assert "perfect" in stop.events
    assert stop.state.z[-1] == math.inf
    assert len(stop.state.learners) == 1
    assert stop.metrics["errors"] == 0
    assert trace.predict([[0.0], [2.0]]).tolist() == [1, 0]
    assert trace[-1].line == "return"
    assert all(
        np.isfinite(figure.values).all()
        for figure in scene(trace, -1).figures
        if isinstance(figure, Bars)
    )
    assert explain(trace, [0.0]).label == 0


def test_without_an_edge_nothing_is_learnt_from_exclusive_or():
    X = np.array([[0.0, 0], [1, 1], [0, 1], [1, 0]])
    trace = boost((X, np.array([1, 1, 0, 0])))
    assert "no edge" in lines(trace, "stop")[0].events
    assert len(trace[-1].state.learners) == 0
    assert trace.codes(X).tolist() == [-1] * 4
    explanation = explain(trace, [0.0, 0.0])
    assert (explanation.label, explanation.bars, dict(explanation.note.operands)) == (-1, None, {})
    assert boost((X, np.array([1, 1, 0, 0])), learner="tree").metrics["errors"][-1] == 0


def test_an_edge_can_be_lost_later():
    trace = boost(ALGORITHM.example())
    stop = lines(trace, "stop")[0]
    assert (stop.state.round, len(stop.state.learners)) == (2, 1)
    assert stop.note["error"] == Fraction(1, 2)
    assert trace.metrics["errors"][-1] == 2


def test_many_classes_need_more_than_being_better_than_a_guess():
    trace = boost((np.arange(5.0)[:, None], np.arange(5)))
    stop = lines(trace, "stop")[0]
    assert stop.state.error == pytest.approx(3 / 5)  # two of five named
    assert "5 classes" in stop.note.text()
    deep = boost((np.arange(5.0)[:, None], np.arange(5)), learner="tree", depth=3)
    assert deep.metrics["errors"][-1] == 0


def test_three_classes_are_boosted():
    X, y = overlapping(90, classes=3, seed=2)
    trace = boost((X, y), rounds=30)
    assert trace.metrics["errors"][-1] < trace.at(Level.ROUND, 1).metrics["errors"]
    grid = Grid.over((-3, 5), (-3, 5), 20)
    field = evaluate_field(ALGORITHM, trace.given, trace[-1].state, "class", grid)
    assert (field.ravel() == trace.codes(trace.problem.from_plane(grid.points()))).all()


def test_equal_votes_go_to_the_first_class_and_this_is_said():
    trace = boost(ALGORITHM.example(), rounds=1)
    problem = trace.problem
    state = trace[-1].state
    h = state.learners[0]
    opposite = replace(h, classes=(*h.classes[1::-1], 0))
    tied = replace(state, learners=(h, opposite), z=(1.0, 1.0))
    assert (
        ALGORITHM.predict(ALGORITHM.setting(problem, trace.params), tied, problem.X).tolist()
        == [0] * 8
    )
    assert (
        "first"
        in ALGORITHM.explain(
            ALGORITHM.setting(problem, trace.params), tied, problem.X[0]
        ).note.text()
    )


# -- data of every kind ----------------------------------------------------------------------------


def test_rows_without_a_class_or_a_value():
    columns = {
        "x": [0.0, 1.0, 2.0, 3.0, None, 9.0],
        "w": ["a", "a", None, "b", "b", "a"],
        "y": [*"+-+-+", None],
    }
    problem = prepare(Dataset.from_columns(columns, target="y"))
    trace = boost(problem, rounds=10)
    for step in trace:
        assert step.state.weights[5] == 0
        assert not len(step.state.wrong) or not step.state.wrong[5]
        assert math.isfinite(step.state.weights.sum())
    assert trace[0].state.weights[:5] == pytest.approx(0.2)
    assert trace.codes(problem.X).min() >= 0
    assert trace[-1].metrics["errors"] == trace.wrong().sum()


def test_lines_refuse_words_and_gaps_in_a_sentence():
    with pytest.raises(EngineError, match="holds words"):
        boost(restaurant(), learner="line")


def test_replicated_copies_are_close_to_the_weights():
    X, y = overlapping(200, seed=4)
    plain = boost((X, y), Level.ROUND, rounds=5)
    copied = boost((X, y), Level.ROUND, rounds=5, copies="replicated", size=100)
    assert [h.column for h in copied[-1].state.learners] == [
        h.column for h in plain[-1].state.learners
    ]
    assert list(copied[-1].state.z) == pytest.approx(list(plain[-1].state.z), abs=0.05)


def test_replicated_copies_follow_the_seed_and_are_shown():
    trace = boost(restaurant(), rounds=4, copies="replicated", seed=3)
    again = boost(restaurant(), rounds=4, copies="replicated", seed=3)
    copies = [step.state.copies for step in lines(trace, "learn")]
    assert copies[0].tolist() == [1] * 12  # 12 · 1/12
    for counts, step, other in zip(
        copies, lines(trace, "learn"), lines(again, "learn"), strict=True
    ):
        assert (np.abs(counts - 12 * step.state.weights) < 1 + 1e-9).all()
        assert (counts == other.state.copies).all()
    table = next(f for f in scene(trace, 4).figures if isinstance(f, Table))
    assert "copies" in [column.feature.name for column in table.columns]


def test_one_column_and_one_class_and_one_row():
    assert boost((np.array([[1.0], [2.0]]), np.array([1, 1]))).predict([[5.0]]).tolist() == [1]
    assert boost((np.array([[1.0]]), np.array([1]))).metrics["errors"][-1] == 0


# -- looking at it ---------------------------------------------------------------------------------


def scene(trace, at):
    return ALGORITHM.scene(trace.given, trace[at])


def explain(trace, x, at=-1):
    return ALGORITHM.explain(trace.given, trace[at].state, np.asarray(x, float))


def index(trace, line, number=0):
    return [i for i, step in enumerate(trace) if step.line == line][number]


@pytest.mark.parametrize("learner", ["stump", "tree", "line"])
def test_surfaces_equal_predictions_at_every_step(learner):
    trace = boost(overlapping(40), rounds=6, learner=learner)
    grid = Grid.over((-3, 4), (-3, 4), 25)
    places = trace.problem.from_plane(grid.points())
    for at in range(0, len(trace), 3):
        state = trace[at].state
        field = evaluate_field(ALGORITHM, trace.given, state, "class", grid)
        assert (field.ravel() == trace.codes(places, at)).all()
        score = evaluate_field(ALGORITHM, trace.given, state, "score", grid)
        assert ((np.abs(score) <= 1) | np.isnan(score)).all()
        assert ((score.ravel() < 0) == (field.ravel() == 1)).all()


def test_a_round_is_drawn_with_weights_as_sizes_and_its_stump_lit():
    trace = boost(overlapping(40), rounds=4)
    at = index(trace, "z", 2)
    layers = scene(trace, at).layers
    points = next(layer for layer in layers if isinstance(layer, Points))
    state = trace[at].state
    assert points.weight / points.weight.sum() == pytest.approx(state.weights)
    assert (points.shown == trace.codes(trace.problem.X, at)).all()
    assert isinstance(layers[0], Field)
    assert layers[0].name == "score"
    lit = [layer for layer in layers if isinstance(layer, Line) and layer.role is Role.ACTIVE]
    assert [line.label for line in lit] == [state.learner.text(trace.problem.features)]
    pale = [layer for layer in layers if isinstance(layer, Line) and layer.role is Role.INACTIVE]
    assert 1 <= len(pale) <= 2


def test_while_the_stump_is_judged_its_mistakes_are_crossed():
    trace = boost(overlapping(40), rounds=3)
    at = index(trace, "error", 1)
    picture = scene(trace, at)
    points = next(layer for layer in picture.layers if isinstance(layer, Points))
    assert ((points.shown != points.group) == trace[at].state.wrong).all()
    table = next(f for f in picture.figures if isinstance(f, Table))
    assert table.current == tuple(np.flatnonzero(trace[at].state.wrong))


@pytest.mark.parametrize("learner", ["stump", "tree"])
def test_the_result_marks_what_the_vote_gets_wrong(learner):
    trace = boost(overlapping(40), rounds=3, learner=learner, depth=1)
    by_vote = trace.codes(trace.problem.X) != trace.problem.codes
    # the last hypothesis alone errs elsewhere
    assert not np.array_equal(by_vote, trace[-2].state.wrong)
    picture = scene(trace, -1)
    points = next(layer for layer in picture.layers if isinstance(layer, Points))
    assert ((points.shown != points.group) == by_vote).all()
    assert not [layer for layer in picture.layers if layer.tag == "learner"]
    table = next(f for f in picture.figures if isinstance(f, Table))
    assert table.current == tuple(np.flatnonzero(by_vote))
    assert trace[-1].metrics["errors"] == trace[-1].note["errors"] == by_vote.sum()
    assert not [
        column
        for column in table.columns
        if column.role is Role.ACTIVE or column.feature.name == "h says"
    ]
    assert not [f for f in picture.figures if getattr(f, "title", "").startswith("Tree")]
    assert trace[-1].metrics == trace[-2].metrics


def test_a_result_without_mistakes_marks_no_row():
    trace = boost(restaurant(), rounds=40)
    assert trace[-1].note["errors"] == 0
    assert trace[-2].state.wrong.any()
    assert next(f for f in scene(trace, -1).figures if isinstance(f, Table)).current == ()


def test_a_table_of_words_has_bars_and_weights_beside_it():
    trace = boost(restaurant(), rounds=3)
    learn = scene(trace, index(trace, "learn", 1))
    assert learn.layers == ()
    choice = trace[index(trace, "learn", 1)].choice
    assert choice.options[choice.chosen].score == min(option.score for option in choice.options)
    assert len(choice.options) == trace.problem.d
    error = scene(trace, index(trace, "error", 1))
    # the tabs stand still, what is said of the step changes
    tabs = [[f.title.partition(":")[0] for f in each.figures] for each in (learn, error)]
    assert tabs[0] == tabs[1]
    table = next(f for f in learn.figures if isinstance(f, Table))
    weight = next(column for column in table.columns if column.feature.name == "weight")
    assert weight.values == pytest.approx(trace[index(trace, "learn", 1)].state.weights)
    done = scene(trace, index(trace, "z", 2))
    votes = done.figures[0]
    assert votes.values == pytest.approx(list(reversed(trace[-1].state.z)))
    margins = next(f for f in done.figures if isinstance(f, Plot))
    assert margins.layers[0].bounds[:, 3].sum() == 12


def test_a_weak_tree_is_drawn_as_a_tree_and_its_cuts():
    trace = boost(overlapping(40), rounds=2, learner="tree")
    picture = scene(trace, index(trace, "learn"))
    tree = picture.figures[0]
    assert isinstance(tree, Tree)
    assert all(node.parent < i for i, node in enumerate(tree.nodes))
    cuts = next(layer for layer in picture.layers if isinstance(layer, Segments))
    assert len(cuts.ends) == sum(node.kind == "test" for node in tree.nodes)


def test_why_this_label_adds_up():
    trace = boost(restaurant(), rounds=4)
    row = trace.problem.X[3]
    found = explain(trace, row)
    votes = [
        z if h.predict(row[None])[0] == 0 else -z
        for h, z in zip(trace[-1].state.learners, trace[-1].state.z, strict=True)
    ]
    assert found.bars.values == pytest.approx(votes)
    assert found.note["sum"] == pytest.approx(sum(votes))
    assert found.label == trace.codes(row[None])[0] == (0 if sum(votes) >= 0 else 1)


def test_many_votes_are_gathered_into_the_strongest_and_the_rest():
    trace = boost(overlapping(60), Level.ROUND, rounds=40)
    found = explain(trace, [0.3, 0.3])
    assert len(found.bars.labels) <= 14
    score = evaluate_field(
        ALGORITHM, trace.given, trace[-1].state, "score", Grid(np.array([0.3]), np.array([0.3]))
    )
    assert found.bars.values.sum() == pytest.approx(score[0, 0] * sum(trace[-1].state.z))


# -- runs ------------------------------------------------------------------------------------------


def test_the_pace_changes_what_is_recorded_not_what_is_learnt():
    fine, coarse = boost(overlapping(), rounds=10), boost(overlapping(), Level.ROUND, rounds=10)
    assert [step.line for step in coarse] == ["init", *["z"] * 10, "return"]
    assert list(fine[-1].state.z) == list(coarse[-1].state.z)
    assert fine[-1].state.weights == pytest.approx(coarse[-1].state.weights)
    assert fine.indices(Level.ROUND)[3] == index(fine, "z", 2)


def test_goes_on_from_any_step_as_if_it_had_not_stopped():
    whole = boost(overlapping(), rounds=8)
    params = build(ALGORITHM.params, {"rounds": 8})
    for at in (0, index(whole, "error", 2), index(whole, "reweight", 4), index(whole, "z", 5)):
        run = Run(ALGORITHM, whole.problem, params, start=whole[at].state)
        run.advance()
        assert list(run.trace[-1].state.learners) == list(whole[-1].state.learners)
        assert list(run.trace[-1].state.z) == pytest.approx(list(whole[-1].state.z))
        assert run.trace[-1].state.bound == pytest.approx(whole[-1].state.bound)


def test_goes_on_with_other_rows_after_an_edit():
    whole = boost(overlapping(), rounds=4)
    edited = prepare(Dataset.from_arrays(*overlapping(50, seed=9)))
    run = Run(ALGORITHM, edited, build(ALGORITHM.params, {"rounds": 6}), start=whole[-1].state)
    run.advance()
    assert len(run.trace[-1].state.learners) == 6
    assert len(run.trace[-1].state.weights) == 50
    assert run.trace[-1].state.errors <= run.trace[-1].state.bound


def test_states_pickle_and_share_their_lists():
    trace = boost(overlapping(), rounds=5)
    state = pickle.loads(pickle.dumps(trace[-1].state))
    assert state.learners == trace[-1].state.learners
    assert trace[3].state.learners.items is trace[-1].state.learners.items


@pytest.mark.slow
def test_ten_thousand_rounds_stay_small():
    trace = boost(overlapping(100, seed=5), Level.ROUND, rounds=10_000, learner="stump")
    assert len(trace) == 10_002  # the start, the rounds, the result
    assert trace.thinned == 0
    assert trace.bytes < 64 * 2**20


def test_held_out_errors_over_the_rounds():
    trace = boost(Dataset.from_arrays(*overlapping(100)), Level.ROUND, rounds=10, split=Split(0.3))
    indices, shares = held_out_curve(trace)
    assert indices.tolist() == list(range(12))  # the start, ten rounds, the result
    assert shares[-1] == shares[-2]
    assert shares[0] == 1.0
    assert shares[-1] < 0.5


def test_equal_votes_go_to_the_first_of_the_best_classes_not_of_all():
    """Three classes: where b and c have equal votes and a has none, b wins, and the words do not
    say that a does.
    """
    data = {"A0": [None, 0, None, 2, 3, 0, 1, 2, 1, 2, 3, 0], "y": list("cacbacabccab")}
    trace = boost(
        Dataset.from_columns(data, "y"), learner="tree", depth=1, criterion="gini", rounds=14
    )
    s = trace[-1].state
    problem = trace.problem
    votes = np.zeros((3, problem.n))
    for learner, z in zip(s.learners, s.z, strict=True):
        votes[learner.predict(problem.X), np.arange(problem.n)] += z
    best = np.isclose(votes, votes.max(axis=0), atol=1e-9)
    tied = best.sum(axis=0) > 1
    assert trace[-1].note["ties"] == tied.sum() == 8
    predicted = ALGORITHM.predict(ALGORITHM.setting(problem, trace.params), s, problem.X)
    assert (predicted == best.argmax(axis=0)).all()
    assert 0 not in predicted[tied]  # a
    assert trace[-1].note["n"] == 12
    assert "{ties}" in trace[-1].note.lead


def test_a_line_that_ties_paints_what_it_predicts():
    """Places 0, 2, 1 of classes a, b, c: least squares on ±1 give −1/3 − (x − 1), −1/3 + (x − 1)
    and −1/3, so at 1 all three are equal and the last class, c, has it.
    """
    trace = boost(
        Dataset.from_columns({"A": [0.0, 2.0, 1.0], "y": ["a", "b", "c"]}, "y"),
        learner="line",
        rounds=3,
    )
    grid = Grid(np.array([0.0, 1.0, 2.0]), np.array([0.0]))
    for step in (trace[-2], trace[-1]):
        painted = evaluate_field(ALGORITHM, trace.given, step.state, "class", grid)
        assert painted.ravel().tolist() == [0, 2, 1]
        assert ALGORITHM.predict(
            trace.given, step.state, np.array([[0.0], [1.0], [2.0]])
        ).tolist() == [
            0,
            2,
            1,
        ]


@pytest.mark.parametrize(("size", "copies"), [(1, 12), (5, 60)])
def test_the_copies_of_an_example_are_its_share_of_them_all(size, copies):
    """Twelve examples of weight 1/12 have `size` copies each: w · 60 = 5, not w · N = 1."""
    trace = boost(restaurant(), copies="replicated", size=size, rounds=1)
    learn = trace[index(trace, "learn")]
    assert learn.state.copies.tolist() == [size] * 12
    assert learn.note["copied"] == learn.note["M"] == copies


# -- what the words name ---------------------------------------------------------------------------


def learnt(columns, **params):
    """The run, and its first learner with the words that tell of it."""
    trace = boost(Dataset.from_columns(columns, "y"), **params)
    return trace, lines(trace, "learn")[0]


def tied_leaves(step) -> list[tuple[int, tuple[int, ...], int]]:
    """Of each leaf with a tie its branch, the classes that tie, and the one that it says."""
    return [
        (tie.branch, tie.classes, tie.stump.classes[tie.branch]) for tie in step.details["leaves"]
    ]


def test_a_stump_that_parts_missing_values_says_so():
    """Four Yes with a value, three No without one: no cut is better than another, the missing
    values have it all.
    """
    trace, step = learnt(
        {"x": [1.0, 2.0, 3.0, 4.0, None, None, None], "y": ["Yes"] * 4 + ["No"] * 3}, rounds=2
    )
    assert (step.note["k"], step.note["h"], step.note["rule"]) == (
        1,
        "h₁",
        "x missing: No, else Yes",
    )
    assert step.note.facts == ()
    assert trace.predict(trace.problem.X).tolist() == ["Yes"] * 4 + ["No"] * 3
    assert [option.label for option in step.choice.options] == ["x missing"]
    assert "h₁ (x missing)" in lines(trace, "stop")[0].note.text()
    (name,) = explain(trace, [2.0]).bars.labels
    assert name.split("  ") == ["1", "x missing (∞)"]
    picture = scene(trace, index(trace, "learn"))
    # a missing value has no place
    assert not [layer for layer in picture.layers if isinstance(layer, Line)]


def test_the_class_of_missing_values_is_named_where_the_rule_does_not_tell_it():
    """Manners: the rule as it is written, whole."""
    x = [1.0, 2.0, 3.0, 4.0, None, None, 5.0]
    _, step = learnt({"x": x, "y": ["Yes", "Yes", "Maybe", "Maybe", "No", "No", "No"]}, rounds=1)
    assert step.note["rule"] == "x > 2.50: Maybe, else Yes; missing: No"
    _, step = learnt(
        {"x": [*x[:6], None], "y": ["Yes", "Yes", "Maybe", "Maybe", "Yes", "Yes", "Yes"]}, rounds=1
    )
    assert step.note["rule"] == "x > 2.50: Maybe, else Yes"
    _, step = learnt(
        {"c": ["a", "a", "b", "b", None, None], "y": ["Yes", "Yes", "No", "No", "Yes", "Yes"]},
        rounds=1,
    )
    assert step.note["rule"] == "c: a → Yes, b → No, missing → Yes"
    columns = {"c": ["a", "a", "b", "b", None, None], "y": ["u", "u", "v", "v", "w", "w"]}
    _, step = learnt(columns, rounds=1, multiway=False)
    assert step.note["rule"] == "c = a: u, else v; missing: w"


def test_a_tree_keeps_the_question_of_its_root():
    """Its halves say the same of all values, but a tree may ask on below them."""
    columns = {"x": [1.0, 2.0, 3.0, 4.0, None, None, None], "y": ["Yes"] * 4 + ["No"] * 3}
    _, step = learnt(columns, rounds=1, learner="tree", depth=1)
    (test,) = step.state.learner.tests
    assert (test.test, test.value) == ("threshold", 1.5)
    assert "x > 1.50" in step.note["rule"]
    assert [(option.label, option.value) for option in step.choice.options] == [
        ("x > 1.50", (0, 1.5))
    ]


@pytest.mark.parametrize("learner", ["stump", "tree"])
def test_a_tie_in_a_leaf_is_reported(learner):
    """AIMA card A79: a leaf tie says No. Branch a has one Yes and one No, branch b three Yes."""
    columns = {"c": list("aabbb"), "y": ["Yes", "No", "Yes", "Yes", "Yes"]}
    trace, step = learnt(columns, rounds=1, learner=learner)
    assert tied_leaves(step) == [(0, (0, 1), 1)]  # branch a; Yes and No; No
    assert "tie" in step.events
    assert step.state.learner.predict(trace.problem.X).tolist() == [1, 1, 0, 0, 0]


def test_leaves_with_a_tie_are_called_by_their_test():
    """Manners: the name of a leaf, the classes that tie there and the one that wins."""
    said = "{} and {} weigh the same, the last of them, {}, wins".format
    _, step = learnt({"x": [1.0, 1.0, 2.0, 2.0, 2.0], "y": list("baaaa")}, rounds=1)
    assert step.note["leaves"] == f"x ≤ 1.50: {said('a', 'b', 'b')}"
    _, step = learnt({"c": list("ccbbbaaa"), "y": list("vuuuuvvv")}, rounds=1, multiway=False)
    assert (tied_leaves(step), step.note["leaves"]) == ([], "")
    _, step = learnt({"x": [1.0] * 4, "y": list("uuvv")}, rounds=1)
    assert step.note["leaves"] == f"all examples: {said('u', 'v', 'v')}"
    _, step = learnt({"c": list("aabbb"), "y": ["Yes", "No", "Yes", "Yes", "Yes"]}, rounds=1)
    assert step.note["leaves"] == f"c = a: {said('Yes', 'No', 'No')}"


def test_no_tie_is_reported_where_none_is():
    trace = boost(restaurant(), rounds=1)  # Patrons: None 0 : 2, Some 4 : 0, Full 2 : 4
    step = lines(trace, "learn")[0]
    assert (step.events, len(step.note.lines())) == ((), 1)


def test_every_leaf_tie_counts_by_hand():
    """Half and half in each of four types of restaurant (AIMA 18.3.3), which all say No then."""
    kept = prepare(
        Dataset.from_columns(
            {"Type": [row[8] for row in ROWS], "y": [row[10] for row in ROWS]}, "y"
        )
    )
    step = lines(boost(kept), "learn")[0]
    assert tied_leaves(step) == [(branch, (0, 1), 1) for branch in range(4)]
    assert step.note["leaves"].count(";") == 3
    assert set(step.state.learner.classes) == {1}


def test_a_perfect_learner_is_said_to_decide_alone():
    trace = boost((np.array([[0.0], [1.0], [2.0]]), np.array([1, 0, 0])))
    note = explain(trace, [0.0]).note
    assert (note["name"], note["h"], note["z"]) == ("1", "h₁", math.inf)
    assert note.formulas == note.facts == ()
    result = trace[-1].note
    assert [result[name] for name in ("h", "errors", "n", "ties")] == ["h₁", 0, 3, 0]
    assert "alone" in note.lead and "alone" in result.lead


def test_a_perfect_learner_silences_those_before_it():
    """A learner that is always wrong has z = log 5 here, yet beside z = ∞ it has no say."""
    X = np.array([[1.0], [2.0], [3.0], [4.0]])
    y = list("uuvv")
    trace = boost((X, np.array(y)))
    problem = trace.problem
    s = trace[-1].state
    before = replace(s.learners[0], classes=(1, 0, 0))
    both = replace(s, learners=(before, s.learners[0]), z=(math.log(5), math.inf))
    explanation = ALGORITHM.explain(ALGORITHM.setting(problem, trace.params), both, X[0])
    assert explanation.label == 0
    assert (explanation.note["name"], explanation.note["h"], explanation.note["z"]) == (
        "u",
        "h₂",
        math.inf,
    )
    # that others count for nothing
    assert explanation.note.lead.startswith(explain(trace, [1.0]).note.lead + " ")
    assert explanation.note.formulas == explanation.note.facts == ()


@pytest.mark.slow
@given(st.integers(0, 10_000))
@settings(max_examples=15)
def test_places_on_a_line_have_one_answer(seed: int) -> None:
    """On whole coordinates many lie on it: alone, among others, explained and on the plane they are
    called the same.
    """
    rng = np.random.default_rng(seed)
    n = int(rng.integers(3, 9))
    y = rng.permutation([0, 1, *rng.integers(0, 2, n - 2)])
    trace = boost((rng.integers(-3, 4, (n, 2)).astype(float), y), learner="line", rounds=3)
    grid = Grid(np.arange(-4.0, 5.0), np.arange(-4.0, 5.0))
    places = grid.points()
    state = trace[-1].state
    codes = trace.codes(places)
    assert codes.tolist() == [int(trace.codes(place[None])[0]) for place in places]
    assert codes.tolist() == [explain(trace, place).label for place in places]
    field = evaluate_field(ALGORITHM, trace.given, state, "class", grid)
    assert codes.tolist() == np.asarray(field).ravel().tolist()


def test_a_vote_near_a_half_follows_from_its_error():
    """Manners, on paper: log[(1 − e)/e] of 0.49998 is 8·10⁻⁵; of 0.5000, which four decimals would
    show, it is 0.
    """
    state = SimpleNamespace(
        round=2,
        error=0.49998,
        weights=np.full(50, 0.02),
        wrong=np.arange(50) < 25,
        errors=25,
        bound=50.0,
        learner=SimpleNamespace(text=lambda _: "x₁ > 0"),
        z=(math.log(0.50002 / 0.49998),),
    )
    trace = boost((np.arange(50.0)[:, None], np.arange(50) % 2), rounds=1)
    lines = words.z(trace.given, state).lines()
    assert lines[2] == "log[(1 − 0.49998) / 0.49998] = 8.00·10⁻⁵"


def test_copies_are_reported_by_the_number_they_are_drawn_from():
    """w · M with M = size · N, whatever chance makes of the fractions: each count is one of the two
    whole numbers beside it.
    """
    trace = boost(restaurant(), rounds=5, copies="replicated", size=1, seed=3)
    for step in lines(trace, "learn"):
        operands = step.note.operands
        assert operands["M"].value == 12
        assert operands["copied"].value == step.state.copies.sum()
        wanted = step.state.weights * 12
        assert (np.abs(step.state.copies - wanted) < 1).all()


def test_an_error_is_added_up_without_the_threads_of_a_library():
    """The product of 20,000 weights and a mask took four times as long as the whole round, and its
    last bits were the library's.
    """
    rng = np.random.default_rng(0)
    trace = boost((rng.normal(size=(20_000, 2)), rng.integers(0, 2, 20_000)), rounds=2)
    for judged, before in zip(lines(trace, "error"), lines(trace, "learn"), strict=True):
        assert judged.state.error == before.state.weights[judged.state.wrong].sum()


def test_the_stumps_to_choose_from_carry_column_and_threshold():
    trace = boost(([[1.0, 5.0], [2.0, 5.0], [3.0, 7.0], [4.0, 8.0]], [0, 0, 1, 1]), rounds=1)
    assert [option.value for option in lines(trace, "learn")[0].choice.options] == [
        (0, 2.5),
        (1, 6.0),
    ]


def test_the_error_of_many_wrong_examples_is_reported() -> None:
    """More weights than a formula lists: how many there are is named behind those that are."""
    trace = engine.run("adaboost", engine.generate("moons", 100, seed=1), rounds=2)
    said = [line for step in trace if step.line == "error" for line in step.note.lines()]
    assert any("weights)" in line for line in said)


def test_the_stacks_of_weights_are_those_that_the_rounds_met() -> None:
    """AIMA Fig 18.33: boxes as high as the weights before each round, worked back from the last
    ones; ✗ where h[k] errs. After a round its mistakes weigh ½: rows 4 and 12, ¼ each.
    """
    trace = engine.run("adaboost", engine.textbook("restaurant"), rounds=4, pace=Pace(Level.DETAIL))
    met = [step.state.weights for step in trace if step.line == "learn"]
    erred = [step.state.wrong for step in trace if step.line == "error"]
    columns = weight_columns(trace.given, trace[-1].state, "return")
    assert [column.name for column in columns[:2]] == ["h₁ Patrons", "h₂ Hungry"]
    for column, weights, wrong in zip(columns, met, erred, strict=False):
        assert column.weights == pytest.approx(weights)
        assert column.wrong.tolist() == wrong.tolist()
    assert columns[1].weights[[3, 11]] == pytest.approx([0.25, 0.25])
    for step in trace:
        shown = weight_columns(trace.given, step.state, step.line)[-1].weights
        if step.line == "z":  # about the vote of h[k]: under the weights that it met
            assert shown == pytest.approx(met[step.state.round - 1])
        else:
            assert step.line == "return" or shown == pytest.approx(step.state.weights)
    plot = stacks(trace, trace[-1])
    stack = plot.layers[1]
    assert stack.bounds[:, 3] - stack.bounds[:, 1] == pytest.approx(met[1])
    assert stack.label[3] == "4 ✓" and plot.layers[0].label[3] == "4 ✗"
    many = engine.run("adaboost", engine.generate("moons", 61), rounds=1)
    titles = [f.title for f in ALGORITHM.scene(many.given, many[-1]).figures]
    assert not [title for title in titles if title.startswith("Weights by round")]


def stacks(trace, step):
    """The picture of the weights round by round at a step."""
    figures = ALGORITHM.scene(trace.given, step).figures
    return next(f for f in figures if f.title.startswith("Weights by round"))


def test_each_wrong_row_bears_its_cross_in_a_low_box_too() -> None:
    """AIMA Fig 18.33: Hungry errs on x2, x3 and x10, each with a weight of 1/20."""
    trace = boost(restaurant(), rounds=4)
    step = trace[-1]
    boxes = [layer for layer in stacks(trace, step).layers if layer.tag == "weights"]
    columns = weight_columns(trace.given, step.state, step.line)
    assert [j + 1 for j in range(12) if "✗" in boxes[1].label[j]] == [2, 3, 10]
    for layer, column in zip(boxes, columns, strict=True):
        assert column.wrong is not None
        crossed = np.array(["✗" in text for text in layer.label])
        assert np.array_equal(crossed, column.wrong & (column.weights > 0.025))


def test_amber_boxes_are_what_the_words_are_about() -> None:
    """The rows called wrong, those that lose weight, the vote; amber in the table are the same
    rows.
    """
    trace = boost(restaurant(), rounds=4)
    for step in trace:
        s = step.state
        lit = [layer for layer in stacks(trace, step).layers if layer.role is Role.ACTIVE]
        table = next(f for f in ALGORITHM.scene(trace.given, step).figures if isinstance(f, Table))
        rows = {"error": s.wrong, "normalise": s.wrong, "return": s.wrong, "reweight": ~s.wrong}
        about = np.flatnonzero(rows.get(step.line, np.zeros(12, bool)))
        assert table.current == tuple(about.tolist()), step.line
        if step.line == "z":
            (vote,) = lit
            bars = next(layer for layer in stacks(trace, step).layers if layer.tag == "z")
            assert np.array_equal(vote.bounds[0], bars.bounds[-1])
            assert bars.label[-1] == f"z = {s.z[-1]:.2f}"
        elif len(about):
            weights = weight_columns(trace.given, s, step.line)[-1].weights
            heights = (lit[0].bounds[:, 3] - lit[0].bounds[:, 1]).tolist()
            assert heights == pytest.approx(weights[about].tolist())
        else:
            assert not lit, step.line
