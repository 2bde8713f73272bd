"""Weak learners against scikit-learn, weighted votes against counting them one by one."""

import math
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.tree import DecisionTreeClassifier

from engine.algorithms.ensembles.parts.learners import (
    TOTALS,
    LineLearner,
    replicated,
    weak_learner,
)
from engine.algorithms.ensembles.parts.stumps import Stump
from engine.algorithms.ensembles.parts.votes import (
    Majority,
    boosted,
    grid_votes,
    row_votes,
    shares,
    winners,
)
from engine.base.errors import EngineError
from engine.base.grid import Grid
from engine.base.work import finished
from engine.sources.real import real
from engine.table.dataset import Dataset, Feature, Kind
from engine.table.prepare import prepare

NUMBERS = (Feature("x"), Feature("y"), Feature("z"))


def mixed_problem(classes=2, n=40, seed=0):
    rng = np.random.default_rng(seed)
    columns = {
        "a": rng.normal(size=n).tolist(),
        "b": rng.normal(size=n).round(1).tolist(),
        "word": rng.choice(["p", "q", "r"], n).tolist(),
        "c": [
            None if g else v
            for g, v in zip(rng.random(n) < 0.2, rng.normal(size=n).tolist(), strict=True)
        ],
        "label": rng.choice(["no", "other", "yes"][:classes], n).tolist(),
    }
    return prepare(Dataset.from_columns(columns, target="label"))


def ensemble(problem, kind, rounds=12, seed=1, **options):
    """Learners taught on random weights, with random votes."""
    rng = np.random.default_rng(seed)
    k = len(problem.classes)
    learner = weak_learner(kind, problem.X, problem.codes, problem.features, k, **options)
    weights = rng.random((rounds, problem.n))
    return [finished(learner.learn(w / w.sum())) for w in weights], rng.random(rounds).tolist()


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_trees_agree_with_scikit_learn(depth):
    rng = np.random.default_rng(2)
    for _ in range(5):
        X = rng.integers(-500, 500, (60, 3)) / 64.0
        codes = rng.integers(0, 3, 60)
        weights = rng.random(60)
        mine = finished(
            weak_learner("tree", X, codes, NUMBERS, 3, depth=depth, criterion="gini").learn(
                weights / weights.sum()
            )
        )
        tree = DecisionTreeClassifier(max_depth=depth).fit(X, codes, weights)
        assert (mine.predict(X) == tree.predict(X)).all()


def test_of_equally_good_columns_the_first_in_order_are_candidates():
    """Sixty copies of one column in two arrangements: what is left over by rounding names none of
    them.
    """
    rng = np.random.default_rng(3)
    codes = rng.integers(0, 2, 40)
    weights = rng.random(40)
    word = Feature("w", Kind.CATEGORICAL, ("a", "b", "c"))
    one = rng.integers(0, 3, 40)
    X = np.column_stack([one if j % 2 else 2 - one for j in range(60)]).astype(np.float64)
    learner = weak_learner("stump", X, codes, (word,) * 60, 2)
    candidates, tied = finished(learner.candidates(weights / weights.sum(), 40))
    assert [c.stump.column for c in candidates] == list(range(40))
    assert tied == tuple(range(40))


def test_a_tree_sees_what_one_test_cannot():
    X, codes = np.array([[0.0, 0, 0], [1, 1, 0], [0, 1, 0], [1, 0, 0]]), np.array([0, 0, 1, 1])
    tree = finished(weak_learner("tree", X, codes, NUMBERS, 2).learn(np.full(4, 0.25)))
    assert tree.predict(X).tolist() == [0, 0, 1, 1]
    assert len(tree.tests) == 3


def test_the_line_has_the_direction_of_weighted_least_squares():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(50, 3))
    weights = rng.random(50)
    codes = (X @ [1, 2, -1] + rng.normal(size=50) < 0.3).astype(int)
    line = finished(LineLearner(X, codes, NUMBERS, 2).learn(weights / weights.sum()))
    root = np.sqrt(weights)[:, None]
    fit = np.linalg.lstsq(
        root * np.column_stack([X, np.ones(50)]), root[:, 0] * (1.0 - 2 * codes), rcond=None
    )[0][:3]
    mine = line.W[:, 0] - line.W[:, 1]
    assert mine / np.linalg.norm(mine) == pytest.approx(fit / np.linalg.norm(fit))
    at = np.sort(X @ fit)
    cuts = [-np.inf, *((at[1:] + at[:-1]) / 2)]
    sides = [weights[((X @ fit > c) == (codes == 0))].sum() for c in cuts]
    least = min(min(s, weights.sum() - s) for s in sides)
    assert weights[line.predict(X) != codes].sum() == pytest.approx(least)


def test_lines_for_three_classes_separate_three_corners():
    X = np.array([[0.0, 0, 0], [4, 0, 0], [0, 4, 0]])
    line = finished(LineLearner(X, np.arange(3), NUMBERS, 3).learn(np.full(3, 1 / 3)))
    assert line.predict(X).tolist() == [0, 1, 2]


def test_a_line_without_any_spread_says_the_heavier_class():
    line = finished(
        LineLearner(np.ones((3, 3)), np.array([0, 1, 1]), NUMBERS, 2).learn(np.full(3, 1 / 3))
    )
    assert line.predict(np.zeros((2, 3))).tolist() == [1, 1]


@pytest.mark.parametrize(
    ("X", "feature", "words"),
    [
        (
            np.array([[0.0], [1.0]]),
            Feature("w", Kind.CATEGORICAL, ("a", "b", "c")),
            "“w” holds words",
        ),
        (np.array([[0.0], [math.nan]]), Feature("x"), "some are missing"),
    ],
)
def test_lines_say_what_they_cannot_take(X, feature, words):
    with pytest.raises(EngineError, match=words):
        LineLearner(X, np.array([0, 1]), (feature,), 2)


def test_copies_are_whole_parts_and_chance():
    weights = np.array([0.5, 0.25, 0.2, 0.05])
    counts = np.mean(
        [replicated(weights, 10, np.random.default_rng(s)) for s in range(2000)], axis=0
    )
    assert counts == pytest.approx(10 * weights, abs=0.05)
    assert set(replicated(weights, 10, np.random.default_rng(0))) <= {5, 2, 3, 0, 1}
    assert replicated(np.full(12, 1 / 12), 12, np.random.default_rng(0)).tolist() == [1] * 12


# -- votes -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize(
    ("kind", "options"), [("stump", {}), ("stump", {"multiway": False}), ("tree", {}), ("line", {})]
)
def test_votes_are_the_sum_of_each_learner_s_vote(kind, options, classes):
    problem = mixed_problem(classes)
    if kind == "line":
        rng = np.random.default_rng(0)
        problem = prepare(
            Dataset.from_arrays(rng.normal(size=(40, 4)), rng.integers(0, classes, 40))
        )
    learners, z = ensemble(problem, kind, **options)
    expected = np.zeros((classes, problem.n))
    for learner, vote in zip(learners, z, strict=True):
        expected[learner.predict(problem.X), np.arange(problem.n)] += vote
    assert row_votes(problem, learners, z, problem.X) == pytest.approx(expected)

    grid = Grid(np.linspace(-2, 2, 23), np.linspace(-3, 3, 17))
    places = row_votes(problem, learners, z, problem.from_plane(grid.points())).reshape(
        classes, *grid.shape
    )
    assert grid_votes(problem, learners, z, grid) == pytest.approx(places)
    if classes == 2:
        assert shares(grid_votes(problem, learners, z, grid)) == pytest.approx(
            (places[0] - places[1]) / sum(z)
        )


def test_a_raster_lies_on_the_right_side_of_a_cut_that_it_touches():
    problem = prepare(Dataset.from_arrays([[0.0, 0.0], [1.0, 1.0]], ["Yes", "No"]))
    learners = [Stump(0, "threshold", 0.5, (0, 1, 1)), Stump(1, "threshold", 0.5, (0, 1, 1))]
    grid = Grid(np.array([0.25, 0.5, 0.75]), np.array([0.5, 0.75]))
    score = shares(grid_votes(problem, learners, [2.0, 1.0], grid))
    assert score == pytest.approx(np.array([[1, 1, -1 / 3], [1 / 3, 1 / 3, -1]]))


def test_equal_votes_go_to_the_first_class_and_no_votes_to_none():
    assert winners(np.array([[0.1 + 0.2, 0.0, 0.0], [0.3, 0.0, 1.0]])).tolist() == [0, -1, 1]


def test_a_learner_without_error_has_all_the_vote():
    problem = prepare(Dataset.from_arrays([[0.0, 0.0], [1.0, 1.0]], ["Yes", "No"]))
    learners = [Stump(0, "threshold", 0.5, (1, 0, 1)), Stump(0, "threshold", 0.5, (0, 1, 1))]
    votes = row_votes(problem, learners, [3.0, math.inf], problem.X)
    assert votes.tolist() == [[1.0, 0.0], [0.0, 1.0]]


@pytest.mark.parametrize("classes", [2, 3])
def test_the_running_majority_equals_the_votes(classes):
    problem = mixed_problem(classes)
    learners, z = ensemble(problem, "stump")
    majority, weights, _ = boosted(problem, learners, z)
    assert (majority.labels() == winners(row_votes(problem, learners, z, problem.X))).all()
    right = sum(
        v * (h.predict(problem.X) == problem.codes) for h, v in zip(learners, z, strict=True)
    )
    assert weights == pytest.approx(np.exp(-right) / np.exp(-right).sum())


def test_no_learner_has_a_vote_at_the_start():
    majority = Majority(mixed_problem())
    assert (majority.labels() == -1).all()
    assert majority.errors() == 40
    assert majority.ties() == 0


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 2**20),
    n=st.integers(2, 90),
    k=st.integers(2, 4),
    depth=st.integers(1, 6),
    criterion=st.sampled_from(["error", "gain", "gini"]),
    holes=st.sampled_from([0.0, 0.2]),
)
def test_every_test_of_a_tree_is_the_best_for_the_rows_that_reach_it(
    seed, n, k, depth, criterion, holes
):
    """Each node against a search that is sorted again for its rows alone.

    Columns of many and of few different values.
    """
    rng = np.random.default_rng(seed)
    X = np.column_stack([rng.normal(size=n), rng.integers(0, 5, n), rng.integers(0, 3, n)]).astype(
        np.float64
    )
    X[rng.random(X.shape) < holes] = np.nan
    features = (Feature("x"), Feature("few"), Feature("c", Kind.CATEGORICAL, ("a", "b", "c")))
    codes = rng.integers(0, k, n)
    weights = rng.random(n) * (rng.random(n) < 0.8)
    weights[0] = 1.0
    weights /= weights.sum()
    tree = finished(
        weak_learner("tree", X, codes, features, k, depth=depth, criterion=criterion).learn(weights)
    )
    arriving, level = {0: np.flatnonzero(weights > 0)}, {0: 1}
    for node, (stump, children) in enumerate(zip(tree.tests, tree.children, strict=True)):
        rows = arriving[node]
        alone = weak_learner("stump", X[rows], codes[rows], features, k, criterion=criterion)
        assert stump == finished(alone.learn(weights[rows]))
        for branch, child in enumerate(children):
            if child >= 0:
                arriving[child], level[child] = (
                    rows[stump.branches(X[rows]) == branch],
                    level[node] + 1,
                )
    assert max(level.values()) <= depth
    assert set(arriving) == set(range(len(tree.tests)))


@pytest.mark.parametrize("criterion", ["error", "gain", "gini"])
def test_the_cuts_between_few_values_are_those_of_plain_counting(criterion):
    """300 rows with 6 different values, by the weights below and above each."""
    rng = np.random.default_rng(7)
    X = rng.integers(0, 6, (300, 4)).astype(np.float64)
    codes = rng.integers(0, 3, 300)
    weights = rng.random(300)
    features = tuple(Feature(f"x{j}") for j in range(4))
    found = finished(
        weak_learner("stump", X, codes, features, 3, criterion=criterion).race(weights)
    )
    total = TOTALS[criterion]
    whole = [weights[codes == c].sum() for c in range(3)]
    for j in range(4):
        rest = []
        for value in range(5):
            low = [weights[(X[:, j] <= value) & (codes == c)].sum() for c in range(3)]
            high = [weights[(X[:, j] > value) & (codes == c)].sum() for c in range(3)]
            rest.append(float(total(low) + total(high)))
        expected = min(rest) if criterion == "error" else float(total(whole)) - min(rest)
        assert found.measure(j) == pytest.approx(expected / weights.sum(), abs=1e-12)
        assert found.stump(j).value == int(np.argmin(rest)) + 0.5


def test_a_tree_of_the_digits_is_grown_within_five_times_the_time_of_scikit_learn():
    """63 nodes looked at all rows each, a hundred times its time.

    A level of the tree looks at every row once.
    """
    problem = prepare(real("digits"))
    ours = []
    theirs = []
    weights = np.random.default_rng(0).random(problem.n)
    learner = weak_learner("tree", problem.X, problem.codes, problem.features, 10, depth=6)
    rival = DecisionTreeClassifier(max_depth=6)
    for _ in range(5):
        began = time.thread_time()
        finished(learner.learn(weights / weights.sum()))
        between = time.thread_time()
        rival.fit(problem.X, problem.codes, weights)
        ours.append(between - began)
        theirs.append(time.thread_time() - between)
    assert min(ours) < 5 * min(theirs)
