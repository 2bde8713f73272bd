"""Tables: kinds and orders as guessed, edits that share what they leave alone, sentences for bad
shapes.
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.base.errors import EngineError
from engine.base.spelling import order_labels
from engine.table.dataset import ColumnRole, Dataset, Kind, category_column, number_column


def small() -> Dataset:
    columns = {
        "a": [1, 2.5, None],
        "flag": [True, False, True],
        "c": ["None", None, "NA"],
        "y": ["no", "yes", "no"],
    }
    return Dataset.from_columns(columns, target="y")


def test_from_columns() -> None:
    data = small()
    assert [c.kind for c in data.columns] == [
        Kind.NUMERIC,
        Kind.BOOLEAN,
        Kind.CATEGORICAL,
        Kind.CATEGORICAL,
    ]
    assert data["a"].labels() == [1, 2.5, None]
    assert data["flag"].values.tolist() == [1, 0, 1]
    assert data["c"].labels() == ["None", None, "NA"]
    assert data.classes == ("yes", "no")
    assert data.row_names() == ("x₁", "x₂", "x₃")


@pytest.mark.parametrize(
    ("labels", "order"),
    [
        ({1, -1}, (1, -1)),
        ({0, 1}, (1, 0)),
        ({True, False}, (True, False)),
        ({"no", "yes"}, ("yes", "no")),
        ({"+", "-"}, ("+", "-")),
        ({"b", "a"}, ("a", "b")),
        ({"republican", "democrat"}, ("democrat", "republican")),
        ({3, 1, 2}, (1, 2, 3)),
        ({"b", "A", "c"}, ("A", "b", "c")),
    ],
)
def test_the_positive_of_two_classes_comes_first(labels: set, order: tuple) -> None:
    assert order_labels(labels) == order


def test_from_arrays_tells_classes_from_values() -> None:
    X = [[0.0, 1.0], [2.0, 3.0]]
    assert Dataset.from_arrays(X, [1, -1]).classes == (1, -1)
    assert Dataset.from_arrays(X, [1.0, -1.0]).classes == (1, -1)
    assert Dataset.from_arrays(X, ["p", "q"]).classes == ("p", "q")
    assert Dataset.from_arrays(X, [0.5, 1.0]).classes == ()
    assert Dataset.from_arrays(X, [1.0, 2.0], task="regress").classes == ()
    assert Dataset.from_arrays([1.0, 2.0]).features[0].name == "x1"


def test_bad_shapes_are_sentences() -> None:
    for call, words in [
        (lambda: Dataset.from_arrays(np.zeros((2, 2, 2))), "two dimensions"),
        (lambda: Dataset.from_arrays([[1.0], [1.0, 2.0]]), "different lengths"),
        (lambda: Dataset.from_arrays([[1.0, 2.0]], names=["a"]), "There is 1 name for 2 columns"),
        (
            lambda: Dataset.from_arrays([[1.0, 2.0]], names=["a", "b", "c"]),
            "There are 3 names for 2 columns",
        ),
        (lambda: Dataset.from_arrays([[1.0, 2.0]], names=["a", "a"]), "Two columns are called “a”"),
        (lambda: Dataset.from_arrays([[1.0], [2.0]], [1]), "one label for each of the 2 rows"),
        (lambda: Dataset.from_arrays([[1.0], [np.inf]]), "infinite number in row 2"),
        (
            lambda: Dataset.from_arrays(np.zeros((99, 1)), [str(i) for i in range(99)]),
            "99 different labels",
        ),
        (lambda: Dataset.from_arrays([[1.0]], ["p"], task="regress"), "only numbers"),
        (lambda: Dataset.from_columns({"a": [1], "b": [1, 2]}), "different lengths"),
        (lambda: Dataset.from_columns({"a": [1]}, target="b"), "no column “b”"),
        (lambda: category_column("c", ["u"], ["v"]), "“u” is not one of the values"),
        (lambda: small()["z"], "no column “z”; the columns are a, flag, c, y"),
    ]:
        with pytest.raises(EngineError, match=words):
            call()


def test_values_cannot_be_written() -> None:
    values = np.array([1.0, 2.0])
    column = number_column("a", values)
    values[0] = 9
    assert column.values.tolist() == [1, 2]
    with pytest.raises(ValueError, match="read-only"):
        column.values[0] = 3


def test_edits_share_untouched_columns() -> None:
    data = small()
    changed = data.with_values("a", [0], [7.0])
    assert data["a"].values[0] == 1
    assert changed["a"].values[0] == 7
    assert all(changed[name] is data[name] for name in ("flag", "c", "y"))
    assert data.with_rows([{"a": 4.0, "y": 1.0}]).take([3])["a"].labels() == [4]


def test_tables_are_equal_whose_gaps_are_the_same() -> None:
    data = small()
    gap = [2]
    assert data == small()
    assert data["a"].has_gaps
    assert not data["flag"].has_gaps
    assert data != data.with_values("a", gap, 0.0)
    assert data.with_values("a", gap, 0.0) != data
    assert data != data.with_values("flag", gap, np.nan)
    assert data != data.with_values("a", [0], 3.0)
    assert data != data.take([0, 1])


def test_roles_are_unique() -> None:
    data = small().with_role("c", ColumnRole.TARGET)
    assert data.target.name == "c"
    assert data["y"].role is ColumnRole.FEATURE
    named = data.with_role("y", ColumnRole.NAME)
    assert named.row_names() == ("no", "yes", "no")
    assert [c.name for c in named.features] == ["a", "flag"]


@pytest.mark.slow
@given(
    st.lists(st.lists(st.floats(-1e9, 1e9), min_size=2, max_size=2), min_size=1, max_size=12),
    st.data(),
)
def test_take_and_add_rows_give_the_table_back(rows: list, data: st.DataObject) -> None:
    table = Dataset.from_arrays(rows, [i % 2 for i in range(len(rows))])
    at = data.draw(st.integers(0, len(rows)))
    tail = [{c.name: float(c.values[i]) for c in table.columns} for i in range(at, len(rows))]
    assert table.take(slice(0, at)).with_rows(tail) == table


@pytest.mark.parametrize("value", [1e308, -1e308, 1.1e150])
def test_a_number_beyond_all_measure_is_refused(value: float) -> None:
    with pytest.raises(EngineError, match="beyond 10¹⁵⁰"):
        Dataset.from_arrays([[value], [1.0]], [0, 1])
    assert len(Dataset.from_arrays([[1e150], [-1e150]], [0, 1])) == 2
