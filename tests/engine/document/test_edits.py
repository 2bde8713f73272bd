"""Edits of the data as the hands make them: each takes a document and gives a new one, the old one
stays as it was.
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine.base.errors import EngineError
from engine.document import edits
from engine.document.document import Document
from engine.document.lane import lane
from engine.document.table_edits import add_column
from engine.read.tables import parse_table
from engine.sources.own_points import empty_plane
from engine.table.dataset import (
    MAX_CLASSES,
    ColumnRole,
    Dataset,
    Kind,
    category_column,
    number_column,
)
from engine.table.prepare import Split, Transform

LANES = (lane("perceptron"),)
numbers = st.floats(-1e6, 1e6, allow_nan=False)


def square(**more: object) -> Document:
    data = Dataset.from_arrays([[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]], [1, 1, -1, -1])
    return Document(data, LANES, **more)  # type: ignore[arg-type]


def mixed() -> Document:
    """Four columns beside the two of the plane: a number, a word, a yes/no, a name."""
    columns = (
        number_column("a", [0.0, 2.0, 4.0]),
        number_column("b", [1.0, 1.0, 1.0]),
        number_column("c", [10.0, np.nan, 20.0]),
        category_column("d", ["x", "y", "y"]),
        category_column("e", [True, False, True]),
        category_column("who", ["p", "q", "r"], role=ColumnRole.NAME),
        category_column("kind", ["cat", "dog", "cat"], role=ColumnRole.TARGET),
    )
    return Document(Dataset(columns, "mixed"), (lane("decision_tree"),))


def xy(document: Document) -> np.ndarray:
    shown = edits.shown(document, document.problem())
    return shown.xy[np.argsort(shown.rows)]


# -- shown -----------------------------------------------------------------------------------------


def test_every_row_is_shown_once_whether_held_out_or_not() -> None:
    document = Document(engine.generate("moons"), LANES, split=Split(0.3))
    shown = edits.shown(document, document.problem())
    assert sorted(shown.rows.tolist()) == list(range(len(document.data)))
    values = np.column_stack([c.values for c in document.data.features])
    assert (shown.xy == values[shown.rows]).all()
    assert (shown.codes == document.data.target.values[shown.rows]).all()


def test_rows_that_are_dropped_are_not_shown_and_the_others_keep_their_numbers() -> None:
    data = Dataset.from_arrays([[0.0, 1.0], [np.nan, 2.0], [3.0, 4.0]], [1, -1, -1])
    document = Document(data, LANES, transforms=(Transform("drop_missing", ()),))
    shown = edits.shown(document, document.problem())
    assert shown.rows.tolist() == [0, 2]


def test_nothing_is_shown_without_a_problem_or_a_plane() -> None:
    assert len(edits.shown(square(), None).rows) == 0
    words = Document(engine.textbook("restaurant"), (lane("decision_tree"),))
    assert len(edits.shown(words, words.problem()).rows) == 0


# -- add -------------------------------------------------------------------------------------------


@given(numbers, numbers, st.integers(0, 1))
def test_a_point_is_added_where_it_is_put(x: float, y: float, code: int) -> None:
    before = square()
    after = edits.add_points(before, np.array([[x, y]]), code)
    assert xy(after)[-1].tolist() == [x, y]
    assert after.data.target.values[-1] == code
    assert len(before.data) == 4
    assert (xy(after)[:4] == xy(before)).all()


@pytest.mark.parametrize(("classes", "fresh"), [
    ((1, -1), 3), ((1, -1, 3), 4), ((0, 1), 2), ((3, 5), 6), (("yes", "no"), "3"),
    (("a", "b"), "c"), (("b", "a", "c"), "d"), (("A", "B"), "C"), (("x", "o"), "y"),
    (("y", "z"), "3"), (("yes", "3"), "4"),
])  # fmt: skip
def test_one_past_the_last_class_begins_one_named_after_its_kind(
    classes: tuple, fresh: object
) -> None:
    data = Dataset(
        (
            number_column("x1", [0.0]),
            number_column("x2", [0.0]),
            category_column("y", [classes[0]], classes, ColumnRole.TARGET),
        )
    )
    after = edits.add_points(Document(data, LANES), [[1, 1]], len(classes))
    assert after.data.classes == (*classes, fresh)
    assert after.data.target.labels() == [classes[0], fresh]


def test_a_class_beside_yes_and_no_can_be_kept_in_a_file(tmp_path) -> None:
    data = Dataset(
        (
            number_column("x1", [0.0, 1.0]),
            number_column("x2", [0.0, 1.0]),
            category_column("y", [True, False], (True, False), ColumnRole.TARGET),
        )
    )
    after = edits.add_points(Document(data, (lane("decision_tree"),)), [[2, 2]], 2)
    assert len(after.data.classes) == 3
    path = tmp_path / "three.learnscope"
    engine.save_project(after, path)
    assert engine.load_project(path) == after


def test_hidden_columns_get_their_usual_values() -> None:
    after = edits.add_points(mixed(), [[9.0, 9.0]], 1).data
    assert after["c"].values[-1] == 15.0
    assert after["d"].labels()[-1] == "y"
    assert after["e"].labels()[-1] is True
    assert after.target.labels()[-1] == "dog"
    assert after["who"].labels()[-1] is None


@pytest.mark.parametrize("kind", [Kind.CATEGORICAL, Kind.BOOLEAN])
def test_a_new_point_has_no_category_where_there_is_none(kind: Kind) -> None:
    """A column that was just added is empty; code 0 would stand for a category that it does not
    have.
    """
    data = add_column(square().data, 2, "new", kind).with_role("new", ColumnRole.FEATURE)
    after = edits.add_points(Document(data, LANES), [[2.0, 2.0]], 0)
    assert after.data["new"].labels() == [None] * len(after.data)
    assert np.isnan(after.problem().anchor[2])
    for algorithm in engine.algorithms().values():
        # for forecasts the category is named
        algorithm.needs.reason(after.problem())


def test_the_first_point_of_an_empty_plane() -> None:
    after = edits.add_points(Document(empty_plane(), LANES), [[2.0, 3.0]], 0)
    assert after.data.target.labels() == [1]
    assert xy(after).tolist() == [[2.0, 3.0]]


def test_too_many_points_are_refused() -> None:
    with pytest.raises(EngineError, match="at most"):
        edits.add_points(square(), np.zeros((edits.MAX_POINTS, 2)), 0)


def test_a_value_to_predict_is_the_second_coordinate() -> None:
    """Beside one column, and of a table with more columns only the first and the value move."""
    data = Dataset.from_arrays([[0.0, 7.0], [1.0, 8.0]], [0.5, 1.5], task="regress")
    document = Document(data, LANES)
    after = edits.add_points(document, [[2.0, 9.0]])
    assert after.data.target.values.tolist() == [0.5, 1.5, 9.0]
    assert after.data["x2"].values.tolist() == [7.0, 8.0, 7.5]
    moved = edits.move_points(document, np.array([0]), np.array([[5.0, 6.0]]))
    assert moved.data["x1"].values.tolist() == [5.0, 1.0]
    assert moved.data["x2"].values.tolist() == [7.0, 8.0]
    assert moved.data.target.values.tolist() == [6.0, 1.5]


# -- move, with declared transformations -----------------------------------------------------------


@given(st.sampled_from(["standardise", "unit_range"]), st.floats(-2, 2), st.floats(-2, 2))
def test_a_click_on_a_scaled_plane_is_a_row_in_the_tables_units(
    kind: str, x: float, y: float
) -> None:
    document = square(transforms=(Transform(kind, ()),))
    values = engine.table.transforms.fit(document.transforms, document.data).apply(document.data)
    after = edits.add_points(document, [[x, y]], 0).data
    raw = np.array([after["x1"].values[-1], after["x2"].values[-1]])
    low = (-1.0, 1.0)
    high = (values["x1"].values.min(), values["x1"].values.max())
    scale = (low[1] - low[0]) / (high[1] - high[0])
    assert raw == pytest.approx(
        [low[0] + (x - high[0]) * scale, low[0] + (y - high[0]) * scale], abs=1e-9
    )


def test_a_plane_of_made_columns_takes_no_points() -> None:
    document = Document(engine.generate("circles"), LANES, transforms=(Transform("polar", ()),))
    try:
        document.problem()
    except EngineError:
        document = Document(document.data, LANES, transforms=(Transform("polar", ("x1", "x2")),))
    with pytest.raises(EngineError):
        edits.add_points(document, [[0.0, 0.0]], 0)


@given(st.lists(st.tuples(st.integers(0, 3), numbers, numbers), max_size=5))
def test_moves_put_rows_at_their_places(moves: list[tuple[int, float, float]]) -> None:
    document = square()
    wanted = xy(square()).copy()
    for row, x, y in moves:
        document = edits.move_points(document, np.array([row]), np.array([[x, y]]))
        wanted[row] = x, y
    assert (xy(document) == wanted).all()


# -- delete, relabel, clear ------------------------------------------------------------------------


@given(st.sets(st.integers(0, 3)))
def test_deleted_rows_vanish_and_the_others_stay_in_order(rows: set[int]) -> None:
    after = edits.delete_rows(square(), np.array(sorted(rows), np.intp))
    kept = [r for r in range(4) if r not in rows]
    assert after.data == square().data.take(kept)


def test_relabel() -> None:
    after = edits.relabel(square(), np.array([0, 3]), 1)
    assert after.data.target.labels() == [-1, 1, -1, -1]
    assert edits.relabel(after, np.array([1]), 5).data.target.labels() == [-1, 3, -1, -1]
    values = Document(Dataset.from_arrays([[0.0], [1.0]], [0.5, 1.5], task="regress"), LANES)
    with pytest.raises(EngineError, match="no classes"):
        edits.relabel(values, np.array([0]), 0)


def test_values_are_set_where_values_are_predicted() -> None:
    values = Document(Dataset.from_arrays([[0.0], [1.0]], [0.5, 1.5], task="regress"), LANES)
    assert edits.set_target(values, np.array([1]), -2.0).data.target.values.tolist() == [0.5, -2.0]
    with pytest.raises(EngineError, match="no values"):
        edits.set_target(square(), np.array([0]), 1.0)


def test_clear_keeps_the_columns() -> None:
    after = edits.clear(square(probe=(0.0, 0.0)))
    assert len(after.data) == 0
    assert after.probe is None
    assert [c.name for c in after.data.columns] == ["x1", "x2", "y"]
    assert after.data.classes == (1, -1)


def test_there_are_no_more_classes_than_a_project_may_hold() -> None:
    document = square()
    while len(document.data.classes) < MAX_CLASSES:
        document = edits.relabel(document, np.array([0]), len(document.data.classes))
    for edit in (edits.relabel, edits.add_points):
        with pytest.raises(EngineError, match="at most 64 classes"):
            edit(document, np.array([0, 0]), MAX_CLASSES)


# -- copy and paste --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "document",
    [
        square(),
        mixed(),
        *(
            Document(data, LANES)
            for data in (engine.real("iris"), engine.generate("leaning_clouds"))
        ),
    ],
    ids=["square", "mixed", "iris", "classes called +1 and −1"],
)
def test_what_is_copied_can_be_pasted(document: Document) -> None:
    n = len(document.data)
    after = edits.paste_rows(document, parse_table(edits.points_text(document, np.arange(n))))
    assert len(after.data) == 2 * n
    assert after.data.take(np.arange(n, 2 * n)) == document.data


def test_columns_are_matched_by_name_and_then_by_place() -> None:
    by_name = edits.paste_rows(square(), parse_table("y\tx2\tx1\n-1\t3\t4\n1\t5\t6\n"))
    assert xy(by_name)[4:].tolist() == [[4, 3], [6, 5]]
    by_place = edits.paste_rows(square(), parse_table("p\tq\tr\n4\t3\t-1\n6\t5\t1\n"))
    assert xy(by_place)[4:].tolist() == [[4, 3], [6, 5]]
    assert by_place.data.target.labels()[4:] == [-1, 1]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("p\tq\n1\t2\n3\t4\n", "2 columns, this table has 3"),
        ("p\n1\n3\n", "have 1 column, this table has 3"),
        ("x1\tx2\ty\nred\t1\t1\nblue\t2\t-1\n", "x1"),
        ("x1\tx2\ty\n1\t1\tmaybe\n2\t2\tnever\n", "y"),
    ],
)
def test_what_does_not_fit_is_refused_in_words(text: str, words: str) -> None:
    with pytest.raises(EngineError, match=words):
        edits.paste_rows(square(), parse_table(text))
