"""Weighted stumps against counting by hand, brute force and scikit-learn."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.tree import DecisionTreeClassifier

from engine.algorithms.ensembles.parts import learners
from engine.algorithms.ensembles.parts.learners import weak_learner
from engine.algorithms.ensembles.parts.stumps import Stump
from engine.algorithms.trees.parts import splits
from engine.algorithms.trees.parts.growth import heaviest, voters_of
from engine.base.errors import EngineError
from engine.base.work import finished
from engine.table.dataset import Feature, Kind

NUMBER = Feature("x")
LONE = Feature("c", Kind.CATEGORICAL, ("a",))
WORD = Feature("w", Kind.CATEGORICAL, ("a", "b", "c"))


def best(X, codes, features, k=2, weights=None, **options):
    X, codes = np.asarray(X, np.float64), np.asarray(codes)
    weights = np.full(len(X), 1 / len(X)) if weights is None else np.asarray(weights, np.float64)
    learner = weak_learner("stump", X, codes, features, k, **options)
    return learner, finished(learner.race(weights)), finished(learner.learn(weights))


def raced(X, codes, features, k, weights):
    return finished(weak_learner("stump", X, codes, features, k).race(weights))


def leaf_classes(sums):
    """The last of the heaviest classes of each branch, those of all the branches where
    it is empty.
    """
    voters = voters_of(sums, np.broadcast_to(sums.sum(0), sums.shape))
    return tuple(int(np.flatnonzero(good)[-1]) for good in heaviest(voters))


def partitions(x, feature, multiway):
    """Every test on one column as a list of branches (lists of rows); missing values are a branch
    of their own.
    """
    gaps = [i for i, v in enumerate(x) if math.isnan(v)]
    rows = [i for i, v in enumerate(x) if not math.isnan(v)]
    values = sorted({x[i] for i in rows})
    if feature.numeric:
        return [
            ([i for i in rows if x[i] <= v], [i for i in rows if x[i] > v], gaps)
            for v in values[:-1]
        ]
    if multiway:
        return (
            [(*([i for i in rows if x[i] == v] for v in values), gaps)]
            if len(values) + bool(gaps) > 1
            else []
        )
    cuts = [([i for i in rows if x[i] != v], [i for i in rows if x[i] == v], gaps) for v in values]
    return cuts if len(values) > 1 else []


def weighted_error(parts, codes, weights, k):
    lost = 0.0
    for part in parts:
        sums = [sum(weights[i] for i in part if codes[i] == c) for c in range(k)]
        lost += sum(sums) - max(sums)
    return lost


def is_test(parts, weights, two_sided):
    """Thresholds and A = v need weight on both their sides, multi-way tests in any two branches."""
    return (
        sum(any(weights[i] > 0 for i in part) for part in (parts[:2] if two_sided else parts)) > 1
    )


@st.composite
def tables(draw):
    n, k = draw(st.integers(1, 12)), draw(st.integers(1, 4))
    gap = st.just(math.nan)
    numbers = st.integers(-3, 3).map(float) | gap
    words = st.integers(0, 2).map(float) | gap
    kinds = draw(st.lists(st.booleans(), min_size=1, max_size=3))
    columns = [
        draw(st.lists(numbers if numeric else words, min_size=n, max_size=n)) for numeric in kinds
    ]
    features = tuple(
        Feature(f"x{j}") if kinds[j] else Feature(f"w{j}", Kind.CATEGORICAL, ("a", "b", "c"))
        for j in range(len(kinds))
    )
    codes = draw(st.lists(st.integers(0, k - 1), min_size=n, max_size=n))
    weights = draw(st.lists(st.integers(0, 5), min_size=n, max_size=n).filter(any))
    return (
        np.array(columns).T,
        np.array(codes),
        features,
        k,
        np.array(weights, float) / sum(weights),
    )


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(tables(), st.booleans())
def test_finds_the_least_weighted_error_of_every_column(table, multiway):
    X, codes, features, k, weights = table
    _, found, stump = best(X, codes, features, k, weights, multiway=multiway)
    errors = []
    for j, feature in enumerate(features):
        two_sided = feature.numeric or not multiway
        tests = [
            p
            for p in partitions(X[:, j].tolist(), feature, multiway)
            if is_test(p, weights, two_sided)
        ]
        missing = np.isnan(X[:, j])
        parted = (np.flatnonzero(~missing).tolist(), np.flatnonzero(missing).tolist())
        if not tests and is_test(parted, weights, True):  # one value that counts, and missing ones
            tests = [parted]
        errors.append(
            min((weighted_error(parts, codes, weights, k) for parts in tests), default=math.inf)
        )
        if tests:
            assert found.measure(j) == pytest.approx(errors[j], abs=1e-12)
            wrong = found.stump(j).predict(X) != codes
            assert weights[wrong].sum() == pytest.approx(errors[j], abs=1e-12)
        else:
            assert found.score[j] == -np.inf
    least = min(errors)
    if least < math.inf:
        assert stump.column == next(j for j, e in enumerate(errors) if e <= least + 1e-12)
    else:
        assert stump.test == "none"


def test_two_class_shortcut_equals_the_general_search():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 4)).round(1)
    codes = rng.integers(0, 2, 60)
    weights = rng.random(60)
    features = tuple(Feature(f"x{j}") for j in range(4))
    shortcut, general = (raced(X, codes, features, k, weights) for k in (2, 3))
    for j in range(4):
        assert shortcut.measure(j) == pytest.approx(general.measure(j))
        assert shortcut.stump(j) == general.stump(j)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(tables())
def test_sides_have_the_class_of_most_weight(table):
    """Also where the class is read off the running sum."""
    X, codes, features, _, weights = table
    codes = codes % 2
    X = np.nan_to_num(X)
    search, found, _ = best(X, codes, features, 2, weights)
    older = found
    finished(search.race(weights[::-1].copy()))  # a later search changes nothing about an older one
    for j in np.flatnonzero(found.score > -np.inf):
        stump = older.stump(int(j))
        branch = stump.branches(X)
        rows = range(len(stump.classes))
        sums = [[weights[(branch == b) & (codes == c)].sum() for c in range(2)] for b in rows]
        assert stump.classes == leaf_classes(np.array(sums))


def test_blocks_of_columns_give_the_same(monkeypatch):
    rng = np.random.default_rng(1)
    X = rng.normal(size=(30, 7))
    codes = rng.integers(0, 3, 30)
    weights = rng.random(30)
    features = tuple(Feature(f"x{j}") for j in range(7))
    whole = raced(X, codes, features, 3, weights)
    monkeypatch.setattr(splits, "BLOCK", 100)
    assert raced(X, codes, features, 3, weights).score == pytest.approx(whole.score)


def test_first_column_and_first_cut_win_a_tie():
    X = [[0, 0], [1, 1], [2, 2], [3, 3]]
    _, found, stump = best(X, [0, 1, 0, 1], (NUMBER, NUMBER))
    assert found.winners.tolist() == [0, 1]
    assert (stump.column, stump.value) == (0, 0.5)  # 0.5 and 2.5 both have error 1/4


def test_a_tied_leaf_says_the_last_class():
    assert leaf_classes(np.array([[1.0, 1.0], [2.0, 1.0], [1.0, 2.0]])) == (1, 0, 1)


def test_an_empty_branch_says_what_most_weight_says():
    _, _, stump = best([[0], [0], [1]], [0, 0, 1], (WORD,))
    # no row has c, none misses a value: 2 of 3 are of class 0
    assert stump.classes == (0, 1, 0, 0)


def test_missing_values_are_a_branch_of_their_own():
    X = [[0.0], [1.0], [math.nan], [math.nan]]
    _, found, stump = best(X, [0, 1, 0, 0], (NUMBER,))
    assert found.measure(0) == 0
    assert stump.classes == (0, 1, 0)
    assert stump.predict(np.array([[math.nan], [9.0]])).tolist() == [0, 1]


@pytest.mark.parametrize(("feature", "multiway"), [(LONE, True), (LONE, False), (NUMBER, True)])
@pytest.mark.parametrize("criterion", ["error", "gain", "gini"])
def test_a_single_value_is_parted_from_missing_ones(feature, multiway, criterion):
    """By hand: a says p, p, n, p and missing says n, n, so one of six is wrong; the same of
    a category and of a number.
    """
    X = [[0.0], [0.0], [0.0], [math.nan], [math.nan], [0.0]]
    codes = [0, 0, 1, 1, 1, 0]
    options = {"multiway": multiway, "criterion": criterion}
    search, found, stump = best(X, codes, (feature,), **options)
    value = {"error": 1 / 6, "gain": 1 - 4 / 6 * 0.8112781245, "gini": 1 / 2 - 4 / 6 * 3 / 8}
    assert found.measure(0) == pytest.approx(value[criterion])
    assert stump.rule((feature,), ("p", "n"), gaps=True) == f"{feature.title} missing: n, else p"
    assert search.says(stump).tolist() == [0, 0, 0, 1, 1, 0]
    alone = best(X, codes, (feature,), weights=[1, 1, 1, 0, 0, 1], **options)[2]
    assert alone.test == "none", "missing values without weight"


@pytest.mark.parametrize("feature", [WORD, NUMBER])
def test_values_without_weight_do_not_part_the_others(feature):
    X, weights = [[1.0], [1.0], [math.nan], [0.0], [2.0]], [1, 1, 1, 0, 0]
    stump = best(X, [0, 0, 1, 1, 1], (feature,), weights=weights, multiway=False)[2]
    assert stump.predict(np.array(X)).tolist() == [0, 0, 1, 0, 0]


def test_equality_tests_and_multi_way_tests_on_words():
    X, codes = [[0], [0], [1], [2], [2]], [0, 0, 1, 2, 2]
    assert best(X, codes, (WORD,), 3)[2].classes[:3] == (0, 1, 2)
    _, _, stump = best(X, codes, (WORD,), 3, multiway=False)
    assert (stump.test, stump.value, stump.classes[:2]) == ("equals", 0.0, (2, 0))


def test_cuts_lie_half_way_between_rows_that_count():
    X, codes = [[0.0], [1.0], [4.0]], [0, 0, 1]
    assert best(X, codes, (NUMBER,))[2].value == 2.5
    assert best(X, codes, (NUMBER,), weights=[0.5, 0, 0.5])[2].value == 2.0


def test_neighbouring_floats_are_kept_apart():
    low = 1.0
    high = np.nextafter(low, 2)
    stump = best([[low], [high]], [0, 1], (NUMBER,))[2]
    assert stump.predict(np.array([[low], [high]])).tolist() == [0, 1]


def test_no_test_without_two_values():
    _, found, stump = best([[3.0], [3.0], [3.0]], [0, 1, 1], (NUMBER,))
    assert len(found.winners) == 0
    assert stump == Stump(-1, "none", 0.0, (1,))


def test_gain_of_hungry_and_of_patrons_like_columns():
    # 12 rows, 6 of each class; the three groups of AIMA 18.3.4: None 0/2, Some 4/0, Full 2/4 ->
    # 0.541 bits
    words = [0] * 2 + [1] * 4 + [2] * 6
    codes = [1, 1, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1]
    _, found, _ = best(np.array(words)[:, None], codes, (WORD,), criterion="gain")
    assert found.measure(0) == pytest.approx(0.541, abs=5e-4)


@pytest.mark.parametrize("criterion", ["gini", "gain"])
@pytest.mark.parametrize("k", [2, 3])
def test_agrees_with_a_tree_of_depth_one(criterion, k):
    rng = np.random.default_rng(5)
    for _ in range(10):
        X = rng.integers(-500, 500, (40, 3)) / 64.0
        codes = rng.integers(0, k, 40)
        weights = rng.random(40)
        stump = best(X, codes, (NUMBER,) * 3, k, weights / weights.sum(), criterion=criterion)[2]
        tree = DecisionTreeClassifier(
            max_depth=1, criterion={"gain": "entropy"}.get(criterion, criterion)
        )
        tree.fit(X, codes, weights)
        assert (stump.column, stump.value) == (
            tree.tree_.feature[0],
            pytest.approx(tree.tree_.threshold[0]),
        )
        assert (stump.predict(X) == tree.predict(X)).all()


def test_impurity_of_an_empty_group_is_zero():
    for criterion in ("error", "gain", "gini"):
        assert learners.TOTALS[criterion](np.zeros((2, 1))).tolist() == [0.0]


def test_too_many_values_are_refused_in_a_sentence(monkeypatch):
    monkeypatch.setattr(learners, "MAX_CELLS", 5)
    with pytest.raises(EngineError, match="3 rows × 2 columns"):
        weak_learner("stump", np.zeros((3, 2)), np.zeros(3, int), (NUMBER, NUMBER), 1)


def test_words_for_a_stump():
    classes = ("Yes", "No")
    assert (
        Stump(0, "threshold", 0.36, (1, 0, 0)).rule((NUMBER,), classes) == "x > 0.36: Yes, else No"
    )
    assert Stump(0, "threshold", -0.00123, (1, 0, 0)).text((NUMBER,)) == "x > −0.00123"
    assert (
        Stump(0, "values", 0.0, (1, 0, 1, 0)).rule((WORD,), classes) == "w: a → No, b → Yes, c → No"
    )
    assert Stump(0, "equals", 1.0, (1, 0, 0)).rule((WORD,), classes) == "w = b: Yes, else No"
    assert Stump(0, "threshold", 1.0, (1, 1, 0)).rule((NUMBER,), classes) == "always No"
    assert Stump(-1, "none", 0.0, (0,)).rule((NUMBER,), classes) == "always Yes"


def test_words_for_a_stump_where_values_are_missing():
    """The last class is that of missing values; “else” speaks of them too, so their class is named
    only if it is another.
    """
    classes = ("Yes", "No")
    assert (
        Stump(0, "threshold", 1.0, (0, 0, 1)).rule((NUMBER,), classes, gaps=True)
        == "x missing: No, else Yes"
    )
    assert Stump(0, "threshold", 1.0, (0, 0, 0)).rule((NUMBER,), classes, gaps=True) == "always Yes"
    assert (
        Stump(0, "threshold", 1.0, (1, 0, 0)).rule((NUMBER,), classes, gaps=True)
        == "x > 1: Yes, else No; missing: Yes"
    )
    assert (
        Stump(0, "threshold", 1.0, (1, 0, 1)).rule((NUMBER,), classes, gaps=True)
        == "x > 1: Yes, else No"
    )
    assert (
        Stump(0, "values", 0.0, (0, 0, 0, 1)).rule((WORD,), classes, gaps=True)
        == "w missing: No, else Yes"
    )
    rule = Stump(0, "values", 0.0, (1, 0, 1, 0)).rule((WORD,), classes, gaps=True)
    assert rule == "w: a → No, b → Yes, c → No, missing → Yes"


@pytest.mark.parametrize(
    ("values", "texts"),
    [
        ([100_000.1, 100_000.2, 100_000.3, 100_000.4], ["100000.15", "100000.25", "100000.35"]),
        ([1_700_000_010.0, 1_700_000_020.0, 1_700_000_030.0], ["1700000015", "1700000025"]),
        ([3e7, 5e7, 6e7], ["4.00·10⁷", "5.50·10⁷"]),
        ([0.1, 0.3, 0.4, 2.0], ["0.20", "0.35", "1.20"]),
    ],
)
def test_a_threshold_is_written_with_the_digits_that_its_gap_needs(
    values: list[float], texts: list[str]
) -> None:
    """Weight on two neighbours of different class alone puts the cut between them."""
    X = np.array(values)[:, None]
    codes = np.arange(len(values)) % 2
    learner = weak_learner("stump", X, codes, (NUMBER,), 2)
    for at, text in enumerate(texts):
        weights = np.zeros(len(values))
        weights[at : at + 2] = 0.5
        assert finished(learner.learn(weights)).text((NUMBER,)) == f"x > {text}"


@pytest.mark.parametrize("noise", [8.88e-16, -8.88e-16, 0.0])
def test_half_way_between_opposite_numbers_is_zero(noise: float) -> None:
    assert Stump(0, "threshold", noise, (0, 1, 0), (-1.0, 1.0)).text((NUMBER,)) == "x > 0"
    assert Stump(0, "threshold", 0.05, (0, 1, 0), (0.04, 0.06)).text((NUMBER,)) == "x > 0.0500"
    assert (
        Stump(0, "threshold", 2e-12, (0, 1, 0), (1e-12, 3e-12)).text((NUMBER,)) == "x > 2.00·10⁻¹²"
    )
