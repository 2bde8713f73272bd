"""Edits of a table by hand: what a cell takes, blocks, rows, columns of another kind or role."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.base.errors import EngineError
from engine.document import table_edits as edits
from engine.table.dataset import (
    Column,
    ColumnRole,
    Dataset,
    Feature,
    Kind,
    category_column,
    number_column,
)
from engine.table.transforms import Transform


def small() -> Dataset:
    return Dataset(
        (
            number_column("x1", [0.5, 1.0, math.nan]),
            category_column("food", ["Thai", "French", "Thai"], ("Thai", "French", "Burger")),
            category_column("y", [1, -1, 1], (1, -1), ColumnRole.TARGET),
        ),
        "small",
    )


# -- cells -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("−1.5", -1.5),
        ("-1.5", -1.5),
        ("1,5", 1.5),
        (" 2 ", 2.0),
        ("1e3", 1000.0),
        ("1.234", 1.234),
        ("1.234,5", 1234.5),
        ("1.234.567", 1234567.0),
    ],
)
def test_a_number_as_people_type_it(text: str, value: float) -> None:
    assert edits.set_cells(small(), "x1", [1], [text])["x1"].values[1] == value


def test_an_empty_cell_is_missing() -> None:
    data = edits.set_cells(edits.set_cells(small(), "x1", [0], [""]), "food", [0], ["  "])
    assert data["x1"].labels()[0] is None
    assert data["food"].labels()[0] is None


@pytest.mark.parametrize("word", ["?", "NaN", "nan"])
def test_a_word_for_missing_is_missing(word: str) -> None:
    """The words that the dialog for opening lists, unless they are a category of the column."""
    data = edits.set_cells(
        edits.set_cells(small(), "x1", [0], [word]), "food", [0], [word], new=True
    )
    assert data["x1"].labels() == [None, 1.0, None]
    assert data["food"].labels() == [None, "French", "Thai"]
    assert data["food"].categories == ("Thai", "French", "Burger")
    own = Dataset((category_column("a", ["yes", word]),))
    assert edits.set_cells(own, "a", [0], [word])["a"].labels() == [word, word]


@pytest.mark.parametrize("text", ["abc", "1.2.3", "1,2,3", "inf", "NA", "1_000"])
def test_no_number_is_refused_with_its_place(text: str) -> None:
    with pytest.raises(EngineError, match="Row 2, column “x1”"):
        edits.set_cells(small(), "x1", [1], [text])


def test_categories_are_found_by_word_and_case() -> None:
    data = edits.set_cells(small(), "food", [0, 1], ["burger", "Thai"])
    assert data["food"].labels() == ["Burger", "Thai", "Thai"]
    assert edits.set_cells(small(), "y", [0, 1], ["−1", "+1"])["y"].labels() == [-1, 1, 1]


def test_a_new_category_only_when_wanted() -> None:
    with pytest.raises(EngineError, match="new value"):
        edits.set_cells(small(), "food", [0], ["Greek"])
    data = edits.set_cells(small(), "food", [0], ["Greek"], new=True)
    assert data["food"].categories == ("Thai", "French", "Burger", "Greek")
    assert data["food"].labels()[0] == "Greek"
    assert edits.set_cells(small(), "y", [0], ["2"], new=True)["y"].categories == (1, -1, 2)


def test_a_yes_no_column_has_two_values() -> None:
    data = small().with_column(category_column("b", [True, False, True], (False, True)))
    assert edits.set_cells(data, "b", [1], ["yes"])["b"].labels() == [True, True, True]
    assert edits.set_cells(data, "b", [0], ["False"])["b"].labels()[0] is False
    with pytest.raises(EngineError, match="two values"):
        edits.set_cells(data, "b", [0], ["maybe"], new=True)


def test_a_target_takes_no_more_classes_than_the_lab_shows() -> None:
    labels = [f"c{i}" for i in range(64)]
    data = Dataset((category_column("y", labels, role=ColumnRole.TARGET),))
    with pytest.raises(EngineError, match="at most 64"):
        edits.set_cells(data, "y", [0], ["another"], new=True)


def test_cells_as_they_are_read() -> None:
    data = edits.set_cells(small(), "x1", [0], ["-0.1"])
    assert [edits.cell_text(data["x1"], row) for row in range(3)] == ["−0.1", "1", ""]
    assert edits.cell_text(data["y"], 1) == "−1"


# -- blocks ----------------------------------------------------------------------------------------


def test_a_block_is_copied_and_pasted_with_new_rows() -> None:
    data = small()
    text = edits.block_text(data, [0, 1], ["x1", "food", "y"])
    assert text == "0.5\tThai\t1\n1\tFrench\t-1"
    longer = edits.paste_block(data, 2, ["x1", "food", "y"], edits.cut_block(text))
    assert longer["x1"].labels() == [0.5, 1.0, 0.5, 1.0]
    assert longer["food"].labels() == ["Thai", "French", "Thai", "French"]
    assert longer["y"].labels() == [1, -1, 1, -1]


def test_a_ragged_block_is_filled_up_with_missing_cells() -> None:
    assert edits.cut_block("1\t2\r\n3\r\n") == [["1", "2"], ["3", ""]]


def test_a_block_goes_in_whole_or_not_at_all() -> None:
    with pytest.raises(EngineError, match="Row 2, column “x1”"):
        edits.paste_block(small(), 0, ["x1", "food"], [["1", "Thai"], ["two", "Thai"]])
    with pytest.raises(EngineError, match="3 columns, from here on there are 2"):
        edits.paste_block(small(), 0, ["food", "y"], [["a", "b", "c"]])


def test_pasted_words_become_categories() -> None:
    data = edits.paste_block(small(), 0, ["food", "y"], [["Greek", "1"]])
    assert data["food"].labels()[0] == "Greek"


def test_clear_cells() -> None:
    data = edits.clear_cells(small(), [0, 1], ["x1", "food"])
    assert data["food"].labels() == [None, None, "Thai"]
    assert np.isnan(data["x1"].values).all()


@given(
    st.lists(
        st.tuples(st.floats(-1e6, 1e6), st.sampled_from(["a", "b", "c"])), min_size=1, max_size=12
    )
)
def test_what_is_copied_pastes_back_exactly(rows: list[tuple[float, str]]) -> None:
    data = Dataset(
        (number_column("v", [v for v, _ in rows]), category_column("w", [w for _, w in rows]))
    )
    block = edits.cut_block(edits.block_text(data, range(len(rows)), ["v", "w"]))
    assert (
        edits.paste_block(
            edits.clear_cells(data, range(len(rows)), ["v", "w"]), 0, ["v", "w"], block
        )
        == data
    )


# -- rows ------------------------------------------------------------------------------------------


@given(st.integers(0, 3), st.integers(1, 4))
def test_rows_inserted_and_deleted_again(at: int, count: int) -> None:
    data = edits.insert_rows(small(), at, count)
    assert len(data) == 3 + count
    assert all(data[name].labels()[at] is None for name in ("x1", "food", "y"))
    assert edits.delete_rows(data, range(at, at + count)) == small()


def test_too_many_rows() -> None:
    with pytest.raises(EngineError, match="200,000"):
        edits.insert_rows(small(), 0, 200_000)


# -- columns ---------------------------------------------------------------------------------------


def test_rename() -> None:
    data = edits.rename_column(small(), "x1", " width ")
    assert [c.name for c in data.columns] == ["width", "food", "y"]
    assert edits.rename_column(small(), "x1", "x1") == small()
    for wrong, why in (("food", "already"), ("  ", "needs a name")):
        with pytest.raises(EngineError, match=why):
            edits.rename_column(small(), "x1", wrong)


def test_a_new_column_is_ignored_and_empty() -> None:
    data = edits.add_column(small(), 1, edits.new_name(small()))
    assert [c.name for c in data.columns] == ["x1", "x2", "food", "y"]
    assert data["x2"].role is ColumnRole.IGNORED
    assert data["x2"].labels() == [None] * 3
    words = edits.add_column(small(), 0, "colour", Kind.CATEGORICAL)
    assert edits.set_cells(words, "colour", [0], ["red"])["colour"].labels() == ["red", None, None]


def test_the_last_column_stays() -> None:
    assert [c.name for c in edits.delete_columns(small(), ["x1", "y"]).columns] == ["food"]
    with pytest.raises(EngineError, match="at least one column"):
        edits.delete_columns(small(), ["x1", "food", "y"])


def test_numbers_to_categories_and_back() -> None:
    data = edits.with_kind(small(), "x1", Kind.CATEGORICAL)
    assert data["x1"].categories == (1, 0.5), "of two numbers the larger one is the positive class"
    assert data["x1"].labels() == [0.5, 1, None]
    assert edits.with_kind(data, "x1", Kind.NUMERIC) == small()


def test_words_are_no_numbers() -> None:
    with pytest.raises(EngineError, match="no number"):
        edits.with_kind(small(), "food", Kind.NUMERIC)


def test_yes_and_no() -> None:
    data = edits.with_kind(small(), "food", Kind.BOOLEAN)
    assert data["food"].kind is Kind.BOOLEAN
    assert data["food"].labels() == ["Thai", "French", "Thai"]
    yes = Dataset((category_column("a", ["Yes", "No", None, "Yes"]),))
    truth = edits.with_kind(yes, "a", Kind.BOOLEAN)
    assert truth["a"].values.tolist()[:2] == [1.0, 0.0]
    assert edits.with_kind(truth, "a", Kind.NUMERIC)["a"].labels() == [1, 0, None, 1]
    three = Dataset((number_column("a", [1, 2, 3]),))
    with pytest.raises(EngineError, match="3 different values"):
        edits.with_kind(three, "a", Kind.BOOLEAN)


def test_few_whole_numbers_become_classes_when_predicted() -> None:
    data = edits.with_role(
        Dataset((number_column("k", [1, 2, 1]), number_column("v", [0.1, 0.2, 0.3]))),
        "k",
        ColumnRole.TARGET,
    )
    assert data["k"].kind is Kind.CATEGORICAL
    assert data.classes == (2, 1)
    values = edits.with_role(data, "v", ColumnRole.TARGET)
    assert values["v"].kind is Kind.NUMERIC
    assert values["k"].role is ColumnRole.FEATURE


def test_a_former_target_of_whole_numbers_holds_numbers_again() -> None:
    data = Dataset(
        (
            number_column("k", [1, 2, None]),
            number_column("m", [3, 3, 4]),
            category_column("w", ["a", "b", "a"]),
        )
    )
    first = edits.with_role(data, "k", ColumnRole.TARGET)
    second = edits.with_role(first, "m", ColumnRole.TARGET)
    assert second["k"] == data["k"]
    assert second.classes == (4, 3)
    assert edits.with_role(second, "m", ColumnRole.IGNORED)["m"].labels() == [3, 3, 4]
    words = edits.with_role(edits.with_role(data, "w", ColumnRole.TARGET), "k", ColumnRole.TARGET)
    assert words["w"] == data["w"]


def test_categories_that_the_person_made_stay_so() -> None:
    data = Dataset((number_column("v", [0.5, 1.5, 0.5]), number_column("k", [1, 2, 1])))
    made = edits.with_kind(edits.with_role(data, "v", ColumnRole.TARGET), "v", Kind.CATEGORICAL)
    assert edits.with_role(made, "k", ColumnRole.TARGET)["v"].kind is Kind.CATEGORICAL


def test_too_many_classes() -> None:
    words = Column(
        Feature("w", Kind.CATEGORICAL, tuple(f"{i}" for i in range(80))), np.arange(80.0)
    )
    with pytest.raises(EngineError, match="at most 64"):
        edits.with_role(Dataset((words,)), "w", ColumnRole.TARGET)


def test_transformations_follow_their_columns() -> None:
    declared = (
        Transform("standardise"),
        Transform("polar", ("x1", "x2")),
        Transform("one_hot", ("food",)),
    )
    assert edits.renamed(declared, "x1", "width")[1].columns == ("width", "x2")
    assert edits.without(declared, ["x2"]) == (declared[0], declared[2])
