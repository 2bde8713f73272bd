"""What algorithms are given: codes, signs, plane coordinates, and labels back."""

import numpy as np
import pytest

import engine
from engine.protocol.algorithm import Needs


def mixed() -> engine.Dataset:
    return engine.Dataset.from_columns(
        {
            "size": [1.0, 2.0, 3.0],
            "wet": [True, False, None],
            "kind": ["a", None, "b"],
            "y": ["no", "yes", "yes"],
        },
        target="y",
    )


def test_the_positive_class_comes_first() -> None:
    assert engine.prepare(mixed()).classes == ("yes", "no")
    assert engine.prepare(mixed()).sign.tolist() == [-1, 1, 1]
    for labels, first in (
        ([0, 1], 1),
        ([-1, 1], 1),
        ([True, False], True),
        (["+", "-"], "+"),
        (["b", "a"], "a"),
    ):
        assert (
            engine.prepare(engine.Dataset.from_arrays([[0.0], [1.0]], labels)).classes[0] == first
        )


def test_categories_are_codes_and_gaps_are_nan() -> None:
    X = engine.prepare(mixed()).X
    assert X[:, 1].tolist()[:2] == [1, 0]
    assert np.isnan(X[2, 1])
    assert np.isnan(X[1, 2])
    assert not X.flags.writeable


def test_rows_from_outside_are_encoded_by_name() -> None:
    problem = engine.prepare(mixed())
    rows = problem.encode({"kind": ["b", None], "wet": [False, True], "size": [5, None]})
    assert rows[0].tolist() == [5, 0, 1]
    assert np.isnan(rows[1]).tolist() == [True, False, True]
    assert np.array_equal(problem.encode(mixed()), problem.X, equal_nan=True)
    with pytest.raises(engine.EngineError, match="3 columns"):
        problem.encode(np.zeros((2, 5)))


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([[1, 2, 0]], "Column “wet” has the codes 0 to 1, for no, yes; 2 is none of them"),
        ([[1, 0, -1]], "Column “kind” has the codes 0 to 1, for a, b; −1 is none of them"),
        (
            np.array([[1, 0.5, 0]]),
            "Column “wet” has the codes 0 to 1, for no, yes; 0.500 is none of them",
        ),
        ([[1, True, "c"]], "“c” is not one of the values of column “kind”: a, b"),
        (
            {"size": [1], "wet": ["typo"], "kind": ["a"]},
            "“typo” is not one of the values of column “wet”: no, yes",
        ),
        ([["big", True, "a"]], "Column “size” must hold one number for each row"),
        ([[1j, True, "a"]], "Column “size” must hold one number for each row"),
        ([[10**400, 0, 0]], "Column “size” holds a number of too many digits"),
        ([[float("inf"), 0, 0]], "Column “size” holds an infinite number in row 1"),
        ([[1, 0, 0], [1]], "The rows to predict have different lengths"),
        ({"size": 1, "wet": True, "kind": "a"}, "Column “size” must be a list of values"),
        (
            {"size": [1], "wet": [True], "kind": ["a", "b"]},
            "The columns of the rows to predict have different lengths",
        ),
    ],
)
def test_rows_that_cannot_be_encoded_are_refused_in_a_sentence(rows: object, words: str) -> None:
    with pytest.raises(engine.EngineError, match=words):
        engine.prepare(mixed()).encode(rows)


def test_gaps_of_rows_from_outside_are_missing_values() -> None:
    problem = engine.prepare(mixed())
    numbers = np.ma.masked_array([[1.0, 1.0, 99.0]], [[True, False, True]])
    words = np.ma.masked_array([[1.0, "yes", "b"]], [[True, False, True]], dtype=object)
    for rows in (numbers, words, [[np.nan, 1, np.nan]], [[None, "True", None]]):
        assert np.array_equal(problem.encode(rows), [[np.nan, 1, np.nan]], equal_nan=True)


def test_a_tree_does_not_search_for_branches_that_are_not_there() -> None:
    trace = engine.run("decision_tree", engine.textbook("restaurant"))
    for code in (-1, 99):
        with pytest.raises(engine.EngineError, match=f"{abs(code)} is none of them"):
            trace.predict([[code] * 10])


def test_the_plane_holds_hidden_columns_at_the_anchor() -> None:
    data = engine.Dataset.from_arrays([[1.0, 10.0, 5.0], [3.0, 20.0, 7.0]], [0, 1])
    problem = engine.prepare(data, plane=("x3", "x1"))
    assert problem.xy.tolist() == [[5, 1], [7, 3]]
    assert problem.from_plane(np.array([[9.0, 8.0]])).tolist() == [[8, 15, 9]]
    with pytest.raises(engine.EngineError, match="numeric columns"):
        engine.prepare(data, plane=("x9",))


def test_a_value_to_predict_stands_upright() -> None:
    problem = engine.prepare(engine.textbook("four_points_line"))
    assert problem.regress
    assert problem.xy.tolist() == [[1, 2], [2, 1], [3, 4], [4, 3]]


def test_labels_come_back_as_they_were_given() -> None:
    problem = engine.prepare(engine.Dataset.from_arrays([[0.0], [1.0]], [-1, 1]))
    assert problem.labels(np.array([0, 1])).tolist() == [1, -1]
    assert problem.labels(np.array([0, -1])).tolist() == [1, None]
    assert problem.class_text(0) == "+1"
    assert problem.class_text(1) == "−1"
    assert problem.class_text(-1) == "no class"


def test_labels_may_mix_numbers_and_words() -> None:
    columns = {"x": [0, 1, 2, 3], "z": [1, 0, 1, 0], "y": [-1, "B", -1, "B"]}
    problem = engine.prepare(engine.Dataset.from_columns(columns, target="y"))
    assert problem.y.tolist() == [-1, "B", -1, "B"]
    assert problem.labels(np.array([0, 1])).tolist() == [-1, "B"]
    assert [problem.class_text(code) for code in (0, 1)] == ["−1", "B"]
    for key in ("adaboost", "nearest_neighbours", "perceptron", "decision_tree"):
        trace = engine.run(key, problem, max_steps=60)
        assert all(step.note.text() for step in trace)
        assert set(trace.predict(problem.X).tolist()) <= {-1, "B"}


def test_reasons_are_sentences_with_a_way_out() -> None:
    problem = engine.prepare(mixed())
    assert Needs(missing=True).reason(problem) is None
    assert "missing" in str(Needs().reason(problem))
    filled = engine.prepare(mixed(), transforms=(engine.Transform("fill_missing"),))
    assert Needs(numeric=True).reason(filled) is None  # a pair of categories is a number
    assert Needs(min_classes=3).reason(filled) == "needs at least 3 classes, this table has 2"


def test_no_rows_and_no_columns_are_reported() -> None:
    with pytest.raises(engine.EngineError, match="no examples yet"):
        engine.prepare(engine.Dataset.from_arrays(np.zeros((0, 2)), []))


def test_held_out_rows_keep_their_names_of_the_whole_table() -> None:
    data = engine.Dataset.from_arrays(np.arange(20.0).reshape(10, 2), [0, 1] * 5)
    problem = engine.prepare(data, split=engine.Split(0.4, seed=1))
    assert problem.held_out is not None
    whole = engine.prepare(data)
    names = {tuple(row): name for row, name in zip(whole.X.tolist(), whole.names, strict=True)}
    for part in (problem, problem.held_out):
        assert part.names == tuple(names[tuple(row)] for row in part.X.tolist())
    assert sorted(problem.names + problem.held_out.names) == sorted(whole.names)


def test_signs_tell_the_first_class_from_all_others_and_from_none() -> None:
    data = engine.Dataset.from_arrays(np.arange(5.0)[:, None], ["b", None, "a", "c", "a"])
    problem = engine.prepare(data)
    assert problem.sign.tolist() == [-1, 0, 1, -1, 1]
    assert engine.prepare(data.with_values("y", range(5), np.nan)).sign.tolist() == [0] * 5


@pytest.mark.parametrize("n", [1, 7, 130, 20_011])
def test_the_middle_of_the_plane_is_the_mean_to_the_last_bit(n: int) -> None:
    X = np.random.default_rng(n).normal(1e3, 5.0, (n, 3))
    low, high, middle = engine.prepare(engine.Dataset.from_arrays(X)).bounds
    assert middle.tolist() == X[:, :2].mean(axis=0).tolist()
    assert [low.tolist(), high.tolist()] == [
        X[:, :2].min(axis=0).tolist(),
        X[:, :2].max(axis=0).tolist(),
    ]


def test_a_dragged_point_leaves_the_classes_as_they_are() -> None:
    data = engine.Dataset.from_arrays([[0.0], [1.0], [2.0]], ["no", None, "yes"])
    before, after = engine.prepare(data), engine.prepare(data.with_values("x1", [0], 5.0))
    assert after.X[0].tolist() == [5.0]
    assert after.codes is before.codes
    assert after.y is before.y
    assert (after.codes.tolist(), after.y.tolist()) == ([1, -1, 0], ["no", None, "yes"])
