"""What the models decide by, against scikit-learn and by hand.

Positive means the first class, the positive one of a pair.
"""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.mixture import GaussianMixture
from sklearn.naive_bayes import BernoulliNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

import engine
from engine.protocol.step import Level, Pace

ROUNDS = Pace(Level.ROUND)


def moons(seed: int, n: int = 40) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    y = np.where(np.arange(n) % 2, 1, -1)
    return rng.normal(size=(n, 2)) + np.column_stack([y, 0.3 * y]), y


@pytest.mark.parametrize(
    ("params", "peer"),
    [
        ({"kernel": "linear"}, {"kernel": "linear"}),
        ({"kernel": "quadratic"}, {"kernel": "poly", "degree": 2, "gamma": 1.0, "coef0": 0.0}),
        (
            {"kernel": "polynomial", "degree": 3},
            {"kernel": "poly", "degree": 3, "gamma": 1.0, "coef0": 1.0},
        ),
        ({"kernel": "rbf", "gamma": 0.7}, {"kernel": "rbf", "gamma": 0.7}),
    ],
)
def test_svm_agrees_with_the_decision_function_of_scikit_learn(
    params: dict[str, object], peer: dict[str, object]
) -> None:
    X, y = moons(1)
    Q = np.random.default_rng(2).normal(size=(50, 2)) * 2
    trace = engine.run("svm", (X, y), C=0.5, tolerance=1e-6, pace=ROUNDS, **params)
    machine = SVC(C=0.5, tol=1e-8, **peer).fit(X, y)
    assert trace.problem.classes == (1, -1)  # as scikit-learn's: positive is +1
    assert trace.scores(Q) == pytest.approx(machine.decision_function(Q), abs=2e-4)


@given(st.integers(0, 10_000))
@settings(deadline=None, max_examples=20)
def test_linear_scores_are_the_weighted_sums(seed: int) -> None:
    X, y = moons(seed, 20)
    Q = np.random.default_rng(seed + 1).normal(size=(9, 2))
    fixed = {"pace": ROUNDS, "seed": seed, "max_steps": 8}
    line = engine.run("perceptron", (X, y), threshold="learned", **fixed)
    assert line.scores(Q) == pytest.approx(Q @ line[-1].state.w[:2] - line[-1].state.w[2], abs=1e-9)
    aima = engine.run("perceptron", (X, y), rule="aima", threshold="learned", **fixed)
    assert aima.scores(Q) == pytest.approx(Q @ aima[-1].state.w[:2] + aima[-1].state.w[2], abs=1e-9)
    for key in ("logistic_regression", "hinge_descent"):
        soft = engine.run(key, (X, y), **fixed)
        w = soft[-1].state.w
        assert soft.scores(Q) == pytest.approx(
            Q @ w[:2] + (w[2] if len(w) > 2 else soft[-1].state.b), abs=1e-9
        )
    for trace in (line, aima, soft):
        assert np.isnan(trace.scores([[np.nan, 1.0], [1.0, np.nan]])).all()


def test_winnow_weighs_against_its_threshold() -> None:
    trace = engine.run("winnow", engine.textbook("spam"))
    X = trace.problem.X
    state = trace[-1].state
    assert trace.scores(X) == pytest.approx(X @ state.w - state.theta)


def test_several_classes_have_a_score_each() -> None:
    iris = engine.real("iris")
    X = engine.prepare(iris).X
    for key, params in (
        ("multiclass_perceptron", {}),
        ("perceptron_network", {}),
        ("backpropagation", {"epochs": 5}),
    ):
        trace = engine.run(key, iris, pace=ROUNDS, max_steps=20, **params)
        assert trace.scores(X).shape == (150, 3)
    W = engine.run("perceptron_network", iris, pace=ROUNDS, max_steps=20)
    assert W.scores(X) == pytest.approx(np.column_stack([X, np.ones(150)]) @ W[-1].state.W)


def test_a_network_for_values_has_no_scores() -> None:
    trace = engine.run("backpropagation", (np.arange(5.0)[:, None], np.arange(5.0) / 2), epochs=2)
    with pytest.raises(engine.EngineError, match="Back-propagation has no scores for values"):
        trace.scores([[1.0]])


def test_adaboost_gives_shares_of_the_votes() -> None:
    """From −1 to 1, as scikit-learn's decision function; nothing before the first learner."""
    X, y = moons(4, 60)
    trace = engine.run("adaboost", (X, y), rounds=6, pace=ROUNDS)
    z, learners = trace[-1].state.z, trace[-1].state.learners
    votes = sum(v * np.where(h.predict(X) == 0, 1, -1) for h, v in zip(learners, z, strict=True))
    assert trace.scores(X) == pytest.approx(votes / sum(z))
    assert np.isnan(trace.scores(X, at=0)).all()


def test_naive_bayes_gives_log_odds() -> None:
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (40, 4)).astype(float)
    y = np.where(X[:, 0] + X[:, 1] + rng.random(40) > 1.4, 1, 0)
    trace = engine.run("naive_bayes", (X, y), laplace=True, prior=True)
    peer = BernoulliNB(alpha=1.0).fit(X, y)
    log = peer.predict_joint_log_proba(X)
    assert trace.scores(X) == pytest.approx(log[:, 1] - log[:, 0])
    bare = engine.run("naive_bayes", ([[0.0], [0.0], [1.0], [1.0]], [1, 1, 0, 0]))
    assert bare.scores([[0.0], [1.0], [np.nan]])[:2].tolist() == [np.inf, -np.inf]


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize(("weights", "peer"), [("equal", "uniform"), ("1/d", "distance")])
def test_neighbours_give_shares_of_the_vote(classes: int, weights: str, peer: str) -> None:
    """Of two classes the first one's less the other's."""
    data = engine.generate("blobs", n=60, classes=classes, noise=2.0)
    problem = engine.prepare(data)
    Q = np.random.default_rng(1).normal(size=(40, 2)) * 4
    trace = engine.run("nearest_neighbours", data, k=5, weights=weights)
    model = KNeighborsClassifier(5, weights=peer).fit(problem.X, problem.codes)
    shares = model.predict_proba(Q)
    assert trace.scores(Q) == pytest.approx(shares if classes > 2 else shares[:, 0] - shares[:, 1])
    assert np.isnan(trace.scores(Q, at=0)).all()


def test_neighbours_who_must_agree_give_no_score_where_they_do_not() -> None:
    X, y = np.array([[0.0], [1.0], [2.0], [3.0]]), np.array(["a", "a", "b", "b"])
    trace = engine.run("nearest_neighbours", (X, y), k=2, disagree="leave unclassified")
    assert trace.scores([[0.0], [1.4], [3.0]]) == pytest.approx([1.0, np.nan, -1.0], nan_ok=True)


def test_a_tree_gives_the_shares_of_its_leaves() -> None:
    iris = engine.real("iris")
    X, y = engine.prepare(iris).X, engine.prepare(iris).codes
    trace = engine.run(
        "decision_tree", iris, stop="depth", depth=2, numeric="all", importance="gini", pace=ROUNDS
    )
    peer = DecisionTreeClassifier(max_depth=2, random_state=0).fit(X, y)
    assert trace.scores(X) == pytest.approx(peer.predict_proba(X))
    pair = engine.run(
        "decision_tree", (X[50:], y[50:]), stop="depth", depth=1, importance="gini", pace=ROUNDS
    )
    shares = (
        DecisionTreeClassifier(max_depth=1, random_state=0)
        .fit(X[50:], y[50:])
        .predict_proba(X[50:])
    )
    first = shares[:, list(peer.classes_[1:]).index(pair.problem.classes[0])]
    assert pair.scores(X[50:]) == pytest.approx(2 * first - 1)
    gap = np.array([[np.nan] * 4])
    assert pair.scores(gap) == pytest.approx([0.0])  # half and half go both ways


def test_mixtures_answer_with_their_component() -> None:
    rng = np.random.default_rng(0)
    X = np.vstack([rng.normal(size=(40, 2)), rng.normal(size=(40, 2)) + 6.0])
    given = {"k": 2, "start": (0.0, 0.0, 6.0, 6.0), "pace": ROUNDS}
    for data in ((X, None), (X, np.repeat(["a", "b"], 40))):  # classes are none of its business
        for key in ("em_means", "gaussian_mixture"):
            trace = engine.run(key, data, **given)
            assert trace.predict(X).tolist() == [0] * 40 + [1] * 40
            assert trace.predict([[np.nan, 0.0], [0.0, 0.0]]).tolist() == [-1, 0]
    peer = GaussianMixture(2, means_init=[[0.0, 0.0], [6.0, 6.0]], reg_covar=0).fit(X)
    Q = rng.normal(size=(60, 2)) * 3 + 3.0
    assert trace.predict(Q).tolist() == peer.predict(Q).tolist()
    even = engine.run("em_means", (X, None), k=2, start=(3.0, 3.0, 3.0, 3.0), pace=ROUNDS)
    assert even.predict(X[:2]).tolist() == [-1, -1]  # equal means: none is ahead
