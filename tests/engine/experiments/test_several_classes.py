"""Several classes by learners of two: against scikit-learn's own wrappers round our learners, and
what MMDS 12.2.5 says of none and of several.
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.multiclass import OneVsOneClassifier, OneVsRestClassifier
from sklearn.svm import SVC

import engine
from engine.base.errors import EngineError
from engine.base.records import replace
from engine.document.document import Document
from engine.document.lane import lane
from engine.document.opening import opened, shown_model
from engine.estimators.making import estimator
from engine.experiments.several_classes.voting import (
    counted_votes,
    largest,
    scored,
    sums,
    with_sums,
)
from engine.experiments.several_classes.words import answered, choice
from engine.fit import fits as module
from engine.protocol.recipe import two_class_learners, wrapped
from engine.protocol.registry import algorithm
from engine.protocol.step import Level, Pace
from engine.runs.run import run_problem
from engine.scene.scene import Points, Role
from engine.table.prepare import Split
from engine.table.two_classes import REST, Pair, against_rest, duels, posed

FIELDS = engine.generate("three_fields", 60, noise=0.1, seed=1)
IRIS = engine.real("iris")
WRAPPERS = {"one against the rest": OneVsRestClassifier, "duels": OneVsOneClassifier}
LEARNERS = {
    "svm": estimator("svm")(),
    "svm(kernel=rbf, gamma=0.5)": estimator("svm")(kernel="rbf", gamma=0.5),
    "logistic_regression(steps=40)": estimator("logistic_regression")(steps=40),
}
ROUNDS = Pace(Level.ROUND, end=True)


def ran(data, **params):
    return engine.run("several_classes", data, pace=ROUNDS, **params)


@pytest.mark.parametrize("data", [FIELDS, IRIS], ids=["fields", "iris"])
@pytest.mark.parametrize("scheme", WRAPPERS)
@pytest.mark.parametrize("learner", LEARNERS)
def test_the_same_answers_as_scikit_learns_wrapper_round_our_learner(data, scheme, learner) -> None:
    trace = ran(data, learner=learner, scheme=scheme)
    X, y = trace.problem.X, trace.problem.codes
    model = WRAPPERS[scheme](LEARNERS[learner]).fit(X, y)
    wanted = model.decision_function(X)
    # of duels scikit-learn has the signs turned round, and a margin is found to a tolerance
    assert trace.scores(X) == pytest.approx(wanted, abs=2e-3)
    clear = np.ptp(np.sort(wanted, axis=1)[:, -2:], axis=1) > 4e-3
    assert clear.mean() > 0.9
    assert trace.codes(X)[clear].tolist() == model.predict(X)[clear].tolist()


def test_duels_of_scikit_learns_own_margin() -> None:
    """Its SVC decides by duels too, each a soft margin with the same C."""
    trace = ran(FIELDS, learner="svm", scheme="duels")
    X, y = trace.problem.X, trace.problem.codes
    own = SVC(kernel="linear", C=algorithm("svm").params().C, tol=1e-8, break_ties=False)
    assert (own.fit(X, y).predict(X) == trace.codes(X)).mean() >= 0.98


class Drawn(ClassifierMixin, BaseEstimator):
    """Scores that are drawn: the columns of X behind the first hold one of each pair of classes,
    the first of the pair above 0; learnt from, the first column is the class of a row.
    """

    def fit(self, X, y):
        first, second = int(X[:, 0].min()), int(X[:, 0].max())
        k = round((1 + (1 + 8 * (X.shape[1] - 1)) ** 0.5) / 2)
        pairs = [(i, j) for i in range(k) for j in range(i + 1, k)]
        self.column = 1 + pairs.index((first, second))
        self.classes_ = np.unique(y)
        return self

    def decision_function(self, X):
        return -X[:, self.column]

    def predict(self, X):
        return self.classes_[(self.decision_function(X) > 0).astype(int)]


@given(
    st.integers(2, 5).flatmap(
        lambda k: st.tuples(
            st.just(k),
            st.lists(
                st.lists(
                    st.integers(-40, 40).filter(bool),
                    min_size=k * (k - 1) // 2,
                    max_size=k * (k - 1) // 2,
                ),
                min_size=1,
                max_size=6,
            ),
        )
    )
)
def test_votes_are_counted_as_scikit_learn_counts_them(drawn) -> None:
    k, rows = drawn
    f = np.array(rows, float) / 8  # (m, p)
    pairs = [Pair(i, j) for i in range(k) for j in range(i + 1, k)]
    votes = counted_votes(f.T, pairs, k)
    assert votes.sum(axis=1).tolist() == [len(pairs)] * len(f)
    values = with_sums(votes, sums(f.T, pairs, k))
    classes = np.zeros((k, 1 + len(pairs)))
    classes[:, 0] = np.arange(k)
    model = OneVsOneClassifier(Drawn()).fit(classes, np.arange(k))
    wanted = model.decision_function(np.column_stack([np.zeros(len(f)), f]))
    if k == 2:  # there one number, for the second class
        wanted = np.column_stack([-wanted, wanted])
        assert (values.argmax(axis=1) == wanted.argmax(axis=1)).all()
    else:
        assert values == pytest.approx(wanted)
    assert (votes[np.arange(len(f)), largest(values)[0]] == votes.max(axis=1)).all()


def test_a_class_that_says_nothing_of_a_place_cannot_win_it() -> None:
    pairs = [Pair(0), Pair(1), Pair(3)]
    f = np.array([[np.nan, -3.0], [-1.0, -2.0], [np.nan, -4.0]])
    assert largest(scored(f, pairs, 4))[0].tolist() == [1, 1]


@pytest.mark.parametrize("theta", [0.0, 0.5, 3.0])
def test_all_above_the_threshold_are_none_one_or_several(theta: float) -> None:
    """MMDS 12.2.5: the largest score, if it is above θ, otherwise none of the classes; or all
    classes above it.
    """
    trace = ran(FIELDS, learner="svm", answer="all above the threshold", threshold=theta)
    problem, s = trace.problem, trace[-1].state
    f = trace.scores(problem.X)
    claims = trace.given.claims(trace.given.f(s, problem.X))
    assert (claims == (f > theta)).all()
    wanted = np.where((f > theta).any(axis=1), f.argmax(axis=1), -1)
    assert trace.codes(problem.X).tolist() == wanted.tolist()
    assert (wanted < 0).any()
    assert s.errors == np.count_nonzero(wanted != problem.codes)
    assert trace[-1].note["none"] == np.count_nonzero(~(f > theta).any(axis=1))
    assert trace[-1].note["several"] == np.count_nonzero((f > theta).sum(axis=1) > 1)


def clusters(middles) -> engine.Dataset:
    """Five points round each of three middles."""
    away = np.array([[0, 0], [0.3, 0], [-0.3, 0], [0, 0.3], [0, -0.3]])
    X = np.concatenate([np.array(middle) + away for middle in middles])
    return engine.Dataset.from_arrays(X, [c for c in "ABC" for _ in away])


def test_clusters_in_a_triangle_are_distinguished_and_in_a_row_only_by_duels() -> None:
    """MMDS 12.2.5, F12: the maximum with "none" holds for clusters in a triangle and fails for
    clusters in a line, where no line cuts the middle class off from the rest.
    """
    triangle = clusters([(0, 3), (3, -2), (-3, -2)])
    row = clusters([(-4, 0), (0, 0), (4, 0)])
    above = {"learner": "svm", "answer": "all above the threshold"}
    assert ran(triangle, **above)[-1].state.errors == 0
    at_middle = ran(row, **above)[-1].state
    assert (at_middle.said[1][5:10] <= 0).any(), "its own learner does not claim all of B"
    assert at_middle.errors > 0
    assert ran(row, learner="svm", scheme="duels")[-1].state.errors == 0


def test_a_problem_of_two_has_the_rows_of_its_sides() -> None:
    problem = engine.prepare(IRIS)
    assert against_rest(problem) == (Pair(0), Pair(1), Pair(2))
    assert duels(problem) == (Pair(0, 1), Pair(0, 2), Pair(1, 2))
    rest = posed(problem, Pair(1))
    assert rest.classes == ("versicolor", "the rest")
    assert rest.counts.tolist() == [50, 100]
    assert ((rest.codes == 0) == (problem.codes == 1)).all()
    duel = posed(problem, Pair(0, 2))
    assert duel.classes == ("setosa", "virginica")
    assert duel.counts.tolist() == [50, 50]
    assert (duel.codes[problem.codes == 1] == -1).all()
    assert [*duel.y[:1], *duel.y[50:51], *duel.y[149:]] == ["setosa", None, "virginica"]


def test_a_class_without_rows_is_not_learnt() -> None:
    problem = engine.prepare(IRIS)
    codes = np.where(problem.codes == 1, -1, problem.codes)
    changed = replace(problem, codes=codes, y=problem.labels(codes))
    for scheme, pairs in (("one against the rest", 2), ("duels", 1)):
        trace = run_problem("several_classes", changed, scheme=scheme, learner="svm")
        assert len(trace[-1].state.models) == pairs
        assert set(trace.codes(problem.X).tolist()) == {0, 2}
        assert trace[-1].state.errors == 0


@pytest.mark.parametrize("scheme", WRAPPERS)
def test_the_run_of_a_learner_stands_by_itself(scheme: str) -> None:
    document = Document(IRIS, (lane("several_classes", learner="svm", scheme=scheme),))
    document = replace(document, split=Split(rows=(3, 60, 120)))
    problem = document.problem()
    trace = run_problem("several_classes", problem, learner="svm", scheme=scheme)
    s = [step.state for step in trace if step.line == "learn"][1]
    h = shown_model(s)
    alone = opened(document, 0, problem, h)
    own = run_problem("svm", alone.problem())
    assert own.problem.classes == h.problem.classes
    assert (own.problem.numbers, own.problem.n) == (
        tuple(problem.number_of(row) for row in h.rows),
        len(h.rows),
    )
    assert own.scores(problem.X) == pytest.approx(s.said[1])
    rest = {"setosa", "virginica"} if scheme == "duels" else {"versicolor", "the rest"}
    assert set(alone.data.target.labels()) - {None} == rest
    two = replace(document, lanes=(*document.lanes, lane("decision_tree")))
    beside = opened(two, 0, problem, h)
    assert beside.data == IRIS, "the other lane keeps the classes"
    assert beside.lanes[0].data == alone.data


def test_it_shows_the_learner_of_a_step_and_no_other() -> None:
    trace = engine.run("several_classes", FIELDS, learner="svm")
    lines = [step.line for step in trace]
    assert lines[:6] == ["pose", "relabel", "learn"] * 2
    assert lines[9:] == ["ask"] * 60 + ["answer"]
    for number, step in enumerate(trace):
        model = shown_model(step.state)
        assert (model is not None) == (step.line == "learn")
        if model is not None:
            assert model is step.state.models[number // 3]


@pytest.mark.parametrize(
    ("learner", "sentence"),
    [
        ("several_classes", "needs a method for two classes"),
        ("kmeans", "does not predict"),
        ("svm(colour=2)", "no parameter “colour”"),
    ],
)
def test_what_is_no_learner_of_two_classes_is_refused(learner: str, sentence: str) -> None:
    with pytest.raises(EngineError, match=sentence):
        ran(IRIS, learner=learner)


def test_a_refusal_of_a_learner_names_the_classes() -> None:
    with pytest.raises(EngineError, match=r"^setosa against the rest: .*[Hh]old out"):
        ran(IRIS, learner="decision_tree(prune=held-out)")


def test_learners_without_scores_say_one_or_the_other() -> None:
    trace = ran(IRIS, learner="table_lookup", scheme="duels")
    s = trace[-1].state
    assert {*np.unique(np.nan_to_num(np.concatenate([*s.said])))} <= {-1.0, 0.0, 1.0}
    assert s.errors <= 1


@pytest.mark.parametrize(
    ("scheme", "f", "sentence"),
    [
        ("one against the rest", [1, -1, -1], "setosa: its score, 1, is the only one above 0"),
        (
            "one against the rest",
            [1, 1, -1],
            "score is 1, of setosa, versicolor: the first",
        ),
        ("one against the rest", [1, 3, -1], "largest score is that of versicolor, 3"),
        ("one against the rest", [-2, -3, -1], "No class claims it"),
        ("duels", [1, 2, -1], "setosa, with 2 of 3 votes"),
        ("duels", [1, -1, 1], "sums of their scores are equal, too: the first counts, setosa"),
        ("duels", [1, -1, 3], "1 vote each. By the sum of its scores versicolor is ahead"),
        ("duels", [0, 0, 0], "No duel has a winner here"),
        ("duels", [np.nan] * 3, "No learner says anything"),
    ],
)
def test_what_is_said_of_a_place_is_true_of_its_scores(scheme, f, sentence) -> None:
    """Duels in order: setosa and versicolor, setosa and virginica, versicolor and virginica."""
    given = algorithm("several_classes").given(
        engine.prepare(IRIS), algorithm("several_classes").params(scheme=scheme)
    )
    scores = np.array(f, float)[:, None]
    assert sentence in answered(given, scores).text()
    if not np.isnan(scores).any():
        made = choice(given, scores)
        assert made.chosen in made.winners
        assert made.options[made.chosen].value == given.winners(scores)[0]


def test_it_learns_under_another_experiment() -> None:
    learner = "several_classes(learner=svm(C=2), scheme=duels)"
    trace = engine.run("cross_validation", IRIS, k=3, learner=learner, pace=ROUNDS)
    assert len(trace[-1].state.errors) == 3
    assert max(trace[-1].state.errors) < 0.2


def test_two_workers_learn_what_one_learns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEARNSCOPE_JOBS", "1")
    one = ran(IRIS, learner="svm", scheme="duels")[-1].state
    monkeypatch.setenv("LEARNSCOPE_JOBS", "2")
    for name in ("ALONE", "WORTH"):
        monkeypatch.setattr(module, name, 0.0)
    two = ran(IRIS, learner="svm", scheme="duels")[-1].state
    assert np.array_equal(np.array([*one.said]), np.array([*two.said]))
    assert [h.problem.classes for h in one.models] == [h.problem.classes for h in two.models]


def test_the_wrapper_of_a_method_for_two_classes() -> None:
    problem = engine.prepare(IRIS)
    svm = algorithm("svm")
    assert wrapped(svm, svm.params(C=2.0), problem) == (
        "several_classes",
        {"learner": "svm(C=2.0)"},
    )
    assert wrapped(svm, svm.params(), posed(problem, Pair(0, 2))) is None
    for key in ("decision_tree", "majority_vote", "mdl_conjunction", "several_classes"):
        other = algorithm(key)
        assert wrapped(other, other.params(), problem) is None


def test_the_learners_that_are_offered_take_two_classes() -> None:
    keys = {each.key for each in two_class_learners(engine.prepare(IRIS))}
    assert {"svm", "perceptron", "logistic_regression", "decision_tree"} <= keys
    assert "several_classes" not in keys
    assert two_class_learners(None) == ()
    assert two_class_learners(engine.prepare(engine.generate("houses", 20))) == ()
    assert REST not in {pair.first for pair in against_rest(engine.prepare(IRIS))}


def test_rows_on_the_wrong_side_of_a_new_line_are_ringed() -> None:
    trace = engine.run("several_classes", FIELDS)
    ringed = 0
    for step in [step for step in trace if step.line == "learn"]:
        scene = trace.algorithm.scene(trace.given, step)
        rings = [layer for layer in scene.layers if layer.tag == "wrong"]
        count = sum(layer.size for layer in rings)
        assert count == step.note["wrong"]
        assert scene.plane.endswith(f", {count} on the wrong side"), "the heading counts them too"
        ringed += count
    assert ringed


def test_the_rows_of_the_class_against_the_rest_are_amber_while_it_is_relabelled() -> None:
    trace = engine.run("several_classes", FIELDS, scheme="one against the rest")
    for step in (s for s in trace if s.line in ("relabel", "learn")):
        layers = trace.algorithm.scene(trace.given, step).layers
        amber = [x for x in layers if isinstance(x, Points) and x.role is Role.ACTIVE]
        pair = trace.given.pairs[step.state.number]
        rows = trace.problem.codes == pair.first
        expected = trace.problem.xy[rows].tolist() if step.line == "relabel" else []
        assert [xy for x in amber for xy in x.xy.tolist()] == expected
