"""Declared transformations: fitted on the training rows alone, said in words, undone where they can
be.
"""

import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sklearn.preprocessing import MinMaxScaler, OneHotEncoder, PolynomialFeatures, StandardScaler

import engine
from engine.base.errors import EngineError
from engine.sources.generators import generate
from engine.sources.real import real
from engine.sources.textbook import textbook
from engine.table.dataset import Dataset
from engine.table.prepare import (
    Split,
    Transform,
    held_out_rows,
    prepare,
    problem_rows,
    split_rows,
    unapply,
)

HALF = Split(0.5, 1)


def table() -> Dataset:
    rng = np.random.default_rng(5)
    return Dataset.from_columns(
        {
            "a": rng.normal(50, 9, 40).tolist(),
            "b": rng.uniform(-1, 3, 40).tolist(),
            "colour": rng.choice(["red", "green", "blue"], 40).tolist(),
            "y": rng.choice(["p", "q"], 40).tolist(),
        },
        target="y",
    )


def numbers(data: Dataset) -> np.ndarray:
    return np.column_stack([c.values for c in data.features if c.feature.numeric])


# -- scaling ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "scaler"), [("standardise", StandardScaler), ("unit_range", MinMaxScaler)]
)
def test_scaling_is_fitted_on_the_training_rows(kind: str, scaler: type) -> None:
    data = table()
    train, test = split_rows(data, HALF)
    oracle = scaler().fit(numbers(train))
    problem = prepare(data, transforms=[Transform(kind)], split=HALF)
    assert np.allclose(problem.X[:, :2], oracle.transform(numbers(train)))
    assert np.allclose(problem.held_out.X[:, :2], oracle.transform(numbers(test)))
    assert (problem.held_out.anchor == problem.anchor).all()


def test_scaling_one_column_leaves_the_others() -> None:
    data = table()
    problem = prepare(data, transforms=[Transform("standardise", ("b",))])
    assert (problem.X[:, 0] == data["a"].values).all()
    assert abs(problem.X[:, 1].mean()) < 1e-12
    assert problem.notices == ("b standardised",)


def test_scaling_skips_missing_values_and_constants() -> None:
    data = Dataset.from_columns(
        {"a": [1.0, None, 3.0], "c": [7.0, 7.0, 7.0], "y": ["p", "q", "p"]}, target="y"
    )
    problem = prepare(data, transforms=[Transform("standardise")])
    assert np.allclose(problem.X, [[-1, 0], [math.nan, 0], [1, 0]], equal_nan=True)
    assert problem.notices == ("a, c standardised (c constant)",)


@pytest.mark.filterwarnings("error")
@given(st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=20))
def test_standardised_columns_have_mean_0_and_deviation_1(values: list[float]) -> None:
    assume(np.std(values) > 1e-6 * max(1, np.abs(values).max()))
    z = prepare(Dataset.from_arrays(values), transforms=[Transform("standardise")]).X
    assert abs(z.mean()) < 1e-6
    assert z.std() == pytest.approx(1)


# -- new columns -----------------------------------------------------------------------------------


def test_polar_uses_atan2_and_shows_its_columns() -> None:
    data = Dataset.from_arrays(
        [[3.0, 4.0], [-1.0, 0.0], [0.0, -2.0], [0.0, 0.0]], ["p", "q", "p", "q"]
    )
    problem = prepare(data, transforms=[Transform("polar")])
    assert [f.name for f in problem.features] == ["r", "angle"]
    assert np.allclose(problem.X, [[5, math.atan2(4, 3)], [1, math.pi], [2, -math.pi / 2], [0, 0]])
    assert problem.plane == (0, 1)
    assert problem.notices == ("x1, x2 as r, angle",)


def test_day_trips_are_separable_by_distance() -> None:
    """MMDS 12.2.6: not by a line in x, but in r."""
    problem = prepare(textbook("day_trips"), transforms=[Transform("polar")])
    r = problem.X[:, 0]
    assert r[problem.codes == 0].max() < r[problem.codes == 1].min()


def test_quadratic_adds_what_scikit_learn_adds() -> None:
    data = table()
    problem = prepare(data, transforms=[Transform("quadratic")])
    assert [f.name for f in problem.features] == ["a", "b", "a²", "b²", "a·b", "colour"]
    oracle = PolynomialFeatures(2, include_bias=False).fit_transform(numbers(data))
    assert np.allclose(problem.X[:, [0, 1, 2, 4, 3]], oracle)
    assert problem.plane == (2, 3)
    assert problem.notices == ("squares and products of a, b added",)


def test_quadratic_of_one_column_is_a_parabola() -> None:
    problem = prepare(Dataset.from_arrays([1.0, 2.0, -3.0]), transforms=[Transform("quadratic")])
    assert problem.xy.tolist() == [[1, 1], [2, 4], [-3, 9]]


def test_quadratic_terms_separate_the_exercise() -> None:
    """MMDS Exercise 12.2.3: no line, but a curve with quadratic terms."""
    data = textbook("four_points_cycle")
    train = prepare(data, transforms=[Transform("quadratic")])
    curve = train.X @ np.array([4, -4, -1, 1, 0])  # (x2 − 2)² − (x1 − 2)²
    assert ((curve > 0) == (train.codes == 0)).all()


def test_one_hot_against_scikit_learn() -> None:
    data = table()
    problem = prepare(data, transforms=[Transform("one_hot")])
    words = np.array(data["colour"].labels())[:, None]
    oracle = OneHotEncoder(sparse_output=False).fit_transform(words)
    assert [f.name for f in problem.features[2:]] == [
        "colour = blue",
        "colour = green",
        "colour = red",
    ]
    assert (problem.X[:, 2:] == oracle).all()
    assert problem.notices == ("colour as 0/1 columns",)


def test_one_hot_of_the_restaurant() -> None:
    problem = prepare(textbook("restaurant"), transforms=[Transform("one_hot")])
    names = [f.name for f in problem.features]
    assert len(names) == 6 + 3 + 3 + 4 + 4
    assert "Patrons = None" in names
    assert problem.X[:, names.index("Alt = Yes")].tolist() == [1, 1, 0, 1, 1, 0, 0, 0, 0, 1, 0, 1]
    assert set(np.unique(problem.X)) == {0, 1}


def test_one_hot_of_bits_keeps_their_value() -> None:
    problem = prepare(textbook("mit_tree"), transforms=[Transform("one_hot", ("f2",))])
    assert problem.features[1].name == "f2 = 1"
    assert problem.X[:, 1].tolist() == [1, 0, 1, 0, 0, 1]


def test_one_hot_keeps_gaps() -> None:
    data = Dataset.from_columns({"c": ["u", None, "v", "w"], "y": ["p", "q", "p", "q"]}, target="y")
    X = prepare(data, transforms=[Transform("one_hot")]).X
    assert np.isnan(X[1]).all()
    assert not np.isnan(X[[0, 2, 3]]).any()


def test_names_never_clash() -> None:
    data = Dataset.from_columns(
        {"r": [1.0, 2.0], "x": [3.0, 4.0], "angle": [5.0, 6.0], "y": ["p", "q"]}, target="y"
    )
    problem = prepare(data, transforms=[Transform("polar", ("r", "x"))])
    assert [f.name for f in problem.features] == ["r′", "angle′", "angle"]


# -- missing values --------------------------------------------------------------------------------


def gappy() -> Dataset:
    return Dataset.from_columns(
        {"a": [1.0, None, 3.0, 8.0], "c": ["u", "v", None, "v"], "y": ["p", "q", "p", None]},
        target="y",
    )


def test_drop_missing() -> None:
    problem = prepare(gappy(), transforms=[Transform("drop_missing")])
    assert problem.X.tolist() == [[1, 0], [8, 1]]
    assert problem.codes.tolist() == [0, -1]
    assert problem.notices == ("2 rows with missing values dropped",)
    assert prepare(gappy(), transforms=[Transform("drop_missing", ("a",))]).n == 3
    assert prepare(gappy(), transforms=[Transform("drop_missing", ("y",))]).n == 3


def test_fill_missing() -> None:
    problem = prepare(gappy(), transforms=[Transform("fill_missing")])
    assert problem.X.tolist() == [[1, 0], [4, 1], [3, 1], [8, 1]]
    assert problem.notices == ("2 missing values filled by mean or most frequent",)


def test_a_column_of_0_and_1_stays_one_when_it_is_filled() -> None:
    data = Dataset.from_columns(
        {"a": [0.0, 1.0, None, 1.0], "c": ["u", "v", None, "w"], "b": [5, 6, 7, 9.5]}
    )
    for kinds in (["fill_missing", "one_hot"], ["one_hot", "fill_missing"]):
        problem = prepare(data, transforms=[Transform(kind) for kind in kinds])
        assert problem.X[2, 0] == 1, "the more frequent one"
        assert set(problem.X[:, :4].flat) == {0, 1}
    filled_first = prepare(data, transforms=[Transform("fill_missing"), Transform("one_hot")])
    assert filled_first.X[2, 1:4].tolist() == [1, 0, 0], "the first of equals"


def test_held_out_gaps_are_filled_from_the_training_rows() -> None:
    data = table()
    held = held_out_rows(40, HALF)
    data = data.with_values("a", held, np.nan)
    problem = prepare(data, transforms=[Transform("fill_missing")], split=HALF)
    assert np.allclose(problem.held_out.X[:, 0], data["a"].values[~held].mean())


# -- together --------------------------------------------------------------------------------------


def test_order_matters_and_is_kept() -> None:
    data = table()
    problem = prepare(
        data, transforms=[Transform("standardise"), Transform("quadratic"), Transform("one_hot")]
    )
    z = StandardScaler().fit_transform(numbers(data))
    assert np.allclose(problem.X[:, :5], np.column_stack([z, z**2, z[:, :1] * z[:, 1:]]))
    assert len(problem.notices) == 3
    assert problem.classes == data.classes
    assert all(name not in ("a²", "y") for name in [c.name for c in data.features])


def test_probe_and_plane_are_in_transformed_coordinates() -> None:
    problem = prepare(
        table(), transforms=[Transform("standardise")], plane=("b", "a"), query=(0.5, -1.0)
    )
    assert problem.query[:2].tolist() == [-1.0, 0.5]


@pytest.mark.parametrize(
    ("transform", "words"),
    [
        (Transform("melt"), "no transformation “melt”"),
        (Transform("standardise", ("z",)), "no column “z”"),
        (Transform("standardise", ("colour",)), "“colour” holds words"),
        (Transform("standardise", ("y",)), "“y” is not one to learn from"),
        (Transform("polar", ("a",)), "two numeric columns, there is one"),
        (Transform("polar", ("a", "colour")), "“colour” holds words"),
        (Transform("one_hot", ("a",)), "“a” holds numbers already"),
    ],
)
def test_what_does_not_fit_is_a_sentence(transform: Transform, words: str) -> None:
    with pytest.raises(EngineError, match=words):
        prepare(table(), transforms=[transform])


def test_more_sentences() -> None:
    words = Dataset.from_columns({"c": ["u", "v"], "y": ["p", "q"]}, target="y")
    for kind in ("standardise", "unit_range", "polar", "quadratic"):
        with pytest.raises(EngineError, match="no numeric column"):
            prepare(words, transforms=[Transform(kind)])
    with pytest.raises(EngineError, match="no column of categories"):
        prepare(textbook("xor"), transforms=[Transform("one_hot")])
    empty = Dataset.from_columns({"a": [None, None], "y": ["p", "q"]}, target="y")
    for kind in ("fill_missing", "standardise"):
        with pytest.raises(EngineError, match="“a” has no value at all"):
            prepare(empty, transforms=[Transform(kind)])
    with pytest.raises(EngineError, match="none would be left"):
        prepare(empty, transforms=[Transform("drop_missing")])
    with pytest.raises(EngineError, match="name the columns"):
        prepare(Dataset.from_arrays(np.zeros((3, 40))), transforms=[Transform("quadratic")])


# -- rows and places back --------------------------------------------------------------------------


@settings(max_examples=100)
@given(st.integers(1, 60), st.floats(0, 1, exclude_max=True), st.integers(0, 50))
def test_the_split_is_decidable_from_the_index(n: int, share: float, seed: int) -> None:
    split = Split(share, seed)
    held = held_out_rows(n, split)
    assert held.sum() == min(round(share * n), n - 1)
    data = Dataset.from_arrays(np.arange(float(n)))
    train, test = split_rows(data, split)
    assert train["x1"].values.tolist() == np.flatnonzero(~held).tolist()
    assert test["x1"].values.tolist() == np.flatnonzero(held).tolist()


@given(st.integers(0, 30))
def test_problem_rows_lead_back_to_the_table(seed: int) -> None:
    data = generate("moons", 30, seed=seed)
    gaps = np.random.default_rng(seed + 1000).permutation(30)[:9]
    data = data.with_values("x1", gaps, np.nan)
    transforms = [Transform("drop_missing"), Transform("standardise", ("x2",))]
    split = Split(0.3, seed)
    problem = prepare(data, transforms=transforms, split=split)
    train, test = problem_rows(data, transforms, split)
    assert (data["x1"].values[train] == problem.X[:, 0]).all()
    assert (data["x1"].values[test] == problem.held_out.X[:, 0]).all()
    assert sorted([*train, *test, *gaps]) == list(range(30))


@given(
    st.permutations(["standardise", "unit_range", "fill_missing"]),
    st.integers(0, 3),
    st.integers(0, 9),
)
def test_places_on_the_plane_lead_back_to_the_table(
    kinds: list[str], count: int, seed: int
) -> None:
    data = generate("blobs", 20, seed=seed)
    split = Split(0.2, seed)
    transforms = [Transform(kind) for kind in kinds[:count]]
    problem = prepare(data, transforms=transforms, split=split, plane=("x2", "x1"))
    back = unapply(transforms, data, problem.xy, plane=("x2", "x1"), split=split)
    rows = problem_rows(data, transforms, split)[0]
    assert list(back) == ["x2", "x1"]
    for name, values in back.items():
        assert np.allclose(values, data[name].values[rows])


def test_places_on_made_columns_do_not() -> None:
    data = table()
    for kind, plane in (("polar", ()), ("quadratic", ()), ("one_hot", ("a", "colour = red"))):
        with pytest.raises(EngineError, match="made from other columns"):
            unapply([Transform(kind)], data, [[0.0, 0.0]], plane=plane)
    back = unapply(
        [Transform("quadratic"), Transform("standardise")], data, [[0.0, 0.0]], plane=("a", "b")
    )
    assert back["a"][0] == pytest.approx(data["a"].values.mean())


def test_an_empty_table_takes_clicks_as_they_are() -> None:
    empty = generate("blobs", 3).take([])
    assert unapply([Transform("standardise")], empty, [1.0, 2.0]) == {"x1": [1.0], "x2": [2.0]}
    assert held_out_rows(0, HALF).tolist() == []


@pytest.mark.parametrize("key", ["nearest_neighbours", "multiclass_perceptron"])
def test_permuted_pixels_leave_distances_and_products_as_they_are(key: str) -> None:
    """AIMA 18.11.1, aima F57: neighbours and support vectors do not see the order of pixels."""
    digits = real("digits").take(range(120))
    plain, permuted = (
        engine.run(key, prepare(digits, transforms=changes, split=HALF), seed=1)
        for changes in ((), (Transform("permute"),))
    )
    assert not np.array_equal(plain.problem.X, permuted.problem.X)
    assert np.array_equal(np.sort(plain.problem.X, axis=1), np.sort(permuted.problem.X, axis=1))
    said = [
        trace.algorithm.predict(trace.given, trace[-1].state, trace.problem.held_out.X).tolist()
        for trace in (plain, permuted)
    ]
    assert said[0] == said[1]


def test_a_support_vector_machine_does_not_see_the_order_of_columns() -> None:
    """AIMA 18.11.1, aima F57."""
    data = generate("ten_coordinates", 60, seed=1)
    plain, permuted = (
        engine.run("svm", prepare(data, transforms=changes), kernel="rbf", gamma=1.0)[-1].state
        for changes in ((), (Transform("permute"),))
    )
    assert plain.alpha == pytest.approx(permuted.alpha, abs=1e-6)
    assert plain.b == pytest.approx(permuted.b, abs=1e-6)


def test_permuted_columns_keep_their_names_and_kinds() -> None:
    data = table()
    problem = prepare(data, transforms=[Transform("permute")])
    plain = prepare(data)
    assert sorted(problem.titles) == sorted(plain.titles)
    for feature, values in zip(problem.features, problem.columns, strict=True):
        j = [f.name for f in plain.features].index(feature.name)
        assert plain.features[j] == feature
        assert np.array_equal(values, plain.columns[j], equal_nan=True)
    assert "permuted" in problem.notices[-1]


def test_a_single_named_column_stays_where_it_is() -> None:
    data = Dataset.from_arrays(np.arange(12.0).reshape(3, 4))
    problem = prepare(data, transforms=[Transform("permute", ("x2",))])
    assert np.array_equal(problem.X, prepare(data).X)
