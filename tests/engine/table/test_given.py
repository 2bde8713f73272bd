"""What scripts hand in: each mistake is one sentence, and odd cells, labels and names become plain
ones.
"""

import sys
from collections.abc import Callable
from datetime import date
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import given as drawn
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import engine
from engine.base.errors import EngineError
from engine.document.document import Document
from engine.document.lane import lane
from engine.files.project import load_project, save_project
from engine.read.cells import read_cells
from engine.table.dataset import Dataset, number_column
from engine.table.given import check_seed, check_share, plain, plain_cells
from engine.table.prepare import held_out_rows

TWO = [[0.0, 1.0], [1.0, 0.0]]
OK = Dataset.from_arrays(TWO, [1, -1])


def column(values: Any, target: str | None = None) -> Callable[[], Dataset]:
    return lambda: Dataset.from_columns({"a": [1.0, 2.0], "c": values}, target)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (
            lambda: engine.run("perceptron", "moons"),
            "a Dataset, a Problem or a pair of arrays .X, y.; it is “moons”",
        ),
        (
            lambda: engine.run("perceptron", [TWO, [1, -1]]),
            "a Dataset, a Problem or a pair .* type list",
        ),
        (lambda: engine.run("perceptron", (TWO, [1, -1], 3)), "a Dataset, a Problem or a pair"),
        (lambda: engine.run("perceptron", None), "a Dataset, a Problem or a pair"),
        (lambda: engine.run("perceptron", (10**400, [1])), "X must have two dimensions"),
        (
            lambda: engine.prepare(OK, query="abc"),
            "a place on the plane, as in .0.5, -1.; it is “abc”",
        ),
        (lambda: engine.prepare(OK, query=[1.0]), "a place on the plane"),
        (lambda: engine.prepare(OK, query=[1.0, "a"]), "a place on the plane"),
        (lambda: engine.prepare(OK, query=[1.0, float("inf")]), "a place on the plane"),
        (
            lambda: Dataset.from_arrays([[10**400], [1]]),
            "Column “x1” holds a number of too many digits in row 1",
        ),
        (lambda: Dataset.from_arrays(TWO, [[1], [2, 3]]), "y have different lengths"),
        (lambda: Dataset.from_arrays(TWO, [1, 2, 3]), "one label for each of the 2 rows"),
        (lambda: Dataset.from_arrays(TWO[:1], [1, 2, 3]), "one label for the only row"),
        (
            lambda: Dataset.from_arrays(TWO, task="regression"),
            "“classify” or “regress”.*“regression” is neither",
        ),
        (
            lambda: Dataset.from_columns({"a": [1]}, task="class"),
            "“classify” or “regress”.*“class” is neither",
        ),
        (lambda: Dataset.from_columns([[1], [2]]), "must be given by name"),
        (column(3.0), "Column “c” must be a list of values, one for each row; it is 3.0"),
        (column("no"), "Column “c” must be a list of values"),
        (column(np.array(3)), "Column “c” must be a list of values"),
        (column([[1], [2]]), "Column “c” holds more than one value in row 1 .list."),
        (column([1, {}], "c"), "Column “c” holds more than one value in row 2 .dict."),
        (column([1, -(10**400)], "c"), "Column “c” holds a number of too many digits in row 2"),
        (lambda: number_column("a", [10**400]), "Column “a” holds a number of too many digits"),
        (lambda: number_column("a", ["x"]), "Column “a” must hold one number for each row"),
    ],
)
def test_mistakes_are_one_sentence(call: Callable[[], Any], words: str) -> None:
    with pytest.raises(EngineError, match=words) as caught:
        call()
    assert str(caught.value).endswith(".")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("seed", [-1, "x", "7", 1.5, float("nan"), None, np.float64(2)])
def test_a_seed_is_a_whole_number_from_0_on(tmp_path: Path, seed: Any) -> None:
    (tmp_path / "t.csv").write_text("a,y\n1,p\n2,q\n")
    for call in (
        lambda: engine.run("perceptron", OK, seed=seed),
        lambda: engine.Split(0.3, seed),
        lambda: engine.open_table(tmp_path / "t.csv", seed=seed),
    ):
        with pytest.raises(EngineError, match="The seed must be a whole number from 0 on; it is"):
            call()


@pytest.mark.parametrize("share", [-1, 1, 1.5, 10**400, float("nan"), float("inf"), "0.3", None])
def test_a_share_lies_between_0_and_1(share: Any) -> None:
    with pytest.raises(
        EngineError, match="The share held out must be from 0 up to, but not with, 1; it is"
    ):
        engine.Split(share)


@pytest.mark.parametrize(("plane", "words"), [
    (("x1", "x1"), "The two axes need two different columns; both are “x1”"),
    (("x1", "x2", "x1"), "The plane has two axes; 3 columns were named"),
    (3, "The plane must be a list of column names, as in .*; it is 3"),
    ("x1", "The plane must be a list of column names, as in .*; it is “x1”"),
    (({},), "The plane needs numeric columns; “{}” is no column to learn from. It can show x1, x2"),
    (("x2", "xx"), "“xx” is no column to learn from. It can show x1, x2.$"),
    (("y", "x2"), "“y” is no column to learn from. It can show x1, x2.$"),
    ([np.array(["x1", "x2"]), "x1"], "The plane needs numeric columns"),
])  # fmt: skip
def test_a_plane_is_one_or_two_different_columns(plane: Any, words: str) -> None:
    with pytest.raises(EngineError, match=words):
        engine.run("nearest_neighbours", OK, plane=plane)
    with pytest.raises(EngineError, match=words):
        Document(OK, (lane("perceptron"),), plane=plane).problem()


def test_a_plane_of_words_is_reported_what_can_be_shown() -> None:
    with pytest.raises(
        EngineError,
        match=r"“and” holds no numbers. None of the columns to learn from holds numbers.$",
    ):
        engine.run("perceptron", engine.textbook("spam"), plane=("and", "xx"))
    restaurant = engine.textbook("restaurant")
    wide = np.arange(40.0).reshape(2, 20)
    columns = (*restaurant.columns, number_column("guests", np.arange(12.0)))
    with pytest.raises(EngineError, match=r"“Patrons” holds no numbers. It can show guests.$"):
        engine.prepare(Dataset(columns), plane=("Patrons",))
    with pytest.raises(EngineError, match=r"It can show x1, x2, .*, x12 and 8 more.$"):
        engine.prepare(Dataset.from_arrays(wide, [0, 1]), plane=("x21",))


TRANSFORM = engine.Transform("standardise")


@pytest.mark.parametrize(
    ("given", "words"),
    [
        *(
            ({"max_steps": most}, "The number of steps must be a whole number from 1 on; it is")
            for most in ("x", None, [3], -1, 0, 1.5, True)
        ),
        *(
            ({"pace": pace}, r"The pace must be a Pace, as in Pace\(Level.STEP\); it is")
            for pace in (3, "step", None, engine.Level.STEP, engine.Pace)
        ),
        (
            {"pace": engine.Pace("x")},
            "The level of a pace must be a Level, as in Level.STEP; it is “x”",
        ),
        *(
            ({"split": split}, r"The split must be a Split, as in Split\(0.3\); it is")
            for split in ("a", 0.3, None, (0.3, 1), engine.Split)
        ),
        *(
            ({"transforms": given}, "The transformations must be a list, as in .*; they are")
            for given in ("x", 3, None, TRANSFORM)
        ),
        *(
            ({"transforms": given}, "A transformation must be a Transform, as in .*; it is")
            for given in (("standardise",), [3], (None,))
        ),
        ({"transforms": [engine.Transform([])]}, "There is no transformation “.]”"),
        ({"metric": np.array(["a", "b"])}, "must be one of"),
        ({"k": np.array([1, 2])}, "must be a number"),
        ({"k": 10**5000}, "must be a number; it is a number of too many digits"),
    ],
)
def test_options_of_a_run_are_one_sentence(given: dict[str, Any], words: str) -> None:
    with pytest.raises(EngineError, match=words) as caught:
        engine.run("nearest_neighbours", OK, **given)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("columns", [3, "x1", b"x1", {"x1": 1}])
def test_columns_of_a_transformation_are_a_list(columns: Any) -> None:
    with pytest.raises(
        EngineError, match="The columns of a transformation must be a list of column names"
    ):
        engine.Transform("standardise", columns)
    with pytest.raises(EngineError, match="The names must be a list of column names"):
        Dataset.from_arrays(TWO, names=columns)


@pytest.mark.parametrize("name", [[], {}, None, 3, OK, b"iris", "nonsense"])
def test_names_of_sets_and_algorithms_that_are_none(name: Any) -> None:
    for call in (engine.textbook, engine.real, engine.generate, lambda key: engine.run(key, OK)):
        with pytest.raises(EngineError, match="There is no"):
            call(name)


def test_arrays_are_welcome_as_numbers_and_lists_of_numbers() -> None:
    trace = engine.run(
        "perceptron", OK, start=np.array([1, 2.0]), rate=np.array(0.5), rounds=np.int8(3)
    )
    assert (trace.params.start, trace.params.rate, trace.params.rounds) == ((1, 2), 0.5, 3)
    assert Dataset.from_arrays(TWO, names=np.array(["p", "q"]))["q"].values.tolist() == [1, 0]


def test_names_of_the_plane_may_come_as_an_array() -> None:
    assert engine.run("perceptron", OK, plane=np.array(["x2", "x1"])).problem.plane == (1, 0)


def test_numpy_seeds_and_shares_are_welcome() -> None:
    check_seed(np.int64(3))
    check_share(np.float32(0.5))
    exact, usual = engine.Split(Decimal("0.3")), engine.Split(0.3)
    assert held_out_rows(10, exact).tolist() == held_out_rows(10, usual).tolist()
    trace = engine.run(
        "decision_tree", OK, seed=np.int64(3), split=engine.Split(np.float64(0.5), np.int32(1))
    )
    assert trace.problem.n == 1


def test_masked_entries_are_missing_values() -> None:
    X = np.ma.masked_array([[1.0, -999.0], [3.0, 4.0]], mask=[[False, True], [False, False]])
    data = Dataset.from_arrays(X, np.ma.masked_array([1, -1], mask=[False, True]))
    assert data["x1"].labels() == [1, 3]
    assert data["x2"].labels() == [None, 4]
    assert data["y"].labels() == [1, None]
    named = Dataset.from_columns(
        {"a": X[:, 1], "b": [np.ma.masked, 2.0], "y": np.ma.masked_array(["p", "q"])}, "y"
    )
    assert [c.labels() for c in named.columns] == [[None, 4], [None, 2], ["p", "q"]]
    assert np.isnan(number_column("a", X[:, 1]).values).tolist() == [True, False]


@pytest.mark.parametrize(
    ("labels", "texts"),
    [
        ([date(2020, 1, 1), date(2021, 1, 1)], ["2020-01-01", "2021-01-01"]),
        (np.array(["2020-01-01", "2021-01-01"], "M8[D]"), ["2020-01-01", "2021-01-01"]),
        (np.array([b"p", b"q"]), ["p", "q"]),
        ([b"\xff", None], ["\N{REPLACEMENT CHARACTER}", None]),
    ],
)
def test_dates_and_bytes_are_taken_as_their_text(
    tmp_path: Path, labels: Any, texts: list[str | None]
) -> None:
    data = Dataset.from_columns({1: [0.0, 1.0], 2: [1.0, 0.0], (3,): labels}, target=(3,))
    assert [c.name for c in data.columns] == ["1", "2", "(3,)"]
    assert data.target.labels() == texts
    assert Dataset.from_arrays(TWO, labels, names=[1, 2]).target.labels() == texts
    save_project(Document(data, (lane("decision_tree"),)), tmp_path / "odd.learnscope")
    assert load_project(tmp_path / "odd.learnscope").data == data


def test_names_that_are_alike_as_text_are_refused() -> None:
    with pytest.raises(EngineError, match="Two columns are called “1”"):
        Dataset.from_columns({1: [1.0], "1": [2.0]})


@pytest.mark.parametrize(
    ("value", "cell"),
    [
        (np.float32(2), 2),
        (2.5, 2.5),
        (1e300, 1e300),
        (float("nan"), None),
        (np.datetime64("NaT"), None),
        (Decimal("1.50"), 1.5),
        (Decimal(2), 2),
        (Decimal("NaN"), None),
        (Decimal("sNaN"), None),
        (Fraction(1, 4), 0.25),
        (type("NaTType", (), {})(), None),
        (np.longdouble(3), 3),
        (np.str_("a"), "a"),
        (np.bool_(True), True),
        (1 + 2j, "(1+2j)"),
    ],
)
def test_cells_become_plain(value: Any, cell: Any) -> None:
    assert plain(value) == cell
    assert type(plain(value)) is type(cell)


@drawn(
    st.sampled_from(["?", "i1", "u8", "f2", "f4", "f8", "g"]).flatmap(lambda kind: arrays(kind, 5))
)
def test_a_column_of_numbers_is_read_as_each_of_its_cells(column: np.ndarray) -> None:
    """As a whole, which takes a tenth of the time: the same values of the same types."""
    cells = plain_cells("x", column)
    assert repr(cells) == repr([plain(value) for value in column])
    assert {type(cell) for cell in cells} <= {bool, int, float, type(None)}


def test_lists_that_mix_numbers_and_words_keep_each_as_it_is() -> None:
    data = Dataset.from_arrays([[1.5, "a"], [float("nan"), "b"], [3, None]], [float("nan"), "p", 1])
    named = Dataset.from_columns(
        {"x1": [1.5, None, 3], "x2": ["a", "b", None], "y": [None, "p", 1]}, "y"
    )
    assert data.columns == named.columns
    assert data["x1"].labels() == [1.5, None, 3]
    assert data.classes == (1, "p")
    with pytest.raises(EngineError, match="The rows of X have different lengths"):
        Dataset.from_arrays([[1, "a"], ["b"]])


def test_decimals_are_numbers() -> None:
    data = Dataset.from_columns({"a": [Decimal("1.5"), Decimal("NaN"), Fraction(1, 2)]})
    assert data["a"].kind is engine.Kind.NUMERIC
    assert data["a"].labels() == [1.5, None, 0.5]
    for large in (Decimal("1e999999"), Fraction(10**400)):
        with pytest.raises(EngineError, match="too many digits in row 1"):
            Dataset.from_columns({"a": [large]})
    with pytest.raises(EngineError, match="infinite number in row 1"):
        Dataset.from_columns({"a": [Decimal("Infinity")]})


def test_labels_of_hundreds_of_digits_stay_floats() -> None:
    assert Dataset.from_arrays(TWO, [1e300, 1.0], task="classify").classes == (1e300, 1)


def test_reading_cells_is_checked_where_all_tables_pass() -> None:
    with pytest.raises(EngineError, match="The limit must be"):
        read_cells(None, limit=0)


class Frame:
    """As pandas and polars hand tables over: an array of all cells, and columns by name."""

    def __init__(self, columns: dict[Any, list[Any]]) -> None:
        self._columns = columns
        self.columns = list(columns)
        self.shape = (len(next(iter(columns.values()))), len(columns))

    def __getitem__(self, name: Any) -> list[Any]:
        return self._columns[name]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        return np.array(list(self._columns.values()), dtype=dtype).T


def test_a_frame_is_read_by_its_names() -> None:
    X = Frame({"width": [0.0, 1.0, 5.0, 6.0], "height": [9.0, 8.0, 0.0, 1.0]})
    data = Dataset.from_arrays(X, ["tall", "tall", "wide", "wide"])
    assert [c.name for c in data.columns] == ["width", "height", "y"]
    trace = engine.run("nearest_neighbours", data, k=1)
    turned = Frame({"height": [9.0, 0.0], "width": [0.0, 5.0]})
    assert trace.predict(turned).tolist() == ["tall", "wide"]
    assert trace.predict(Frame({0: [0.0, 5.0], 1: [9.0, 0.0]})).tolist() == ["tall", "wide"]
    with pytest.raises(EngineError, match="no column “height”"):
        trace.predict(Frame({"width": [0.0], "depth": [9.0]}))
    named = Dataset.from_columns(Frame({"width": [1.0, 2.0], "kind": ["a", "b"]}), target="kind")
    assert [c.name for c in named.columns] == ["width", "kind"]


def test_a_frame_without_names_has_the_usual_ones() -> None:
    data = Dataset.from_arrays(Frame({0: [0.0, 1.0], 1: [1.0, 0.0]}), [1, -1])
    assert [c.name for c in data.columns] == ["x1", "x2", "y"]


def test_tables_are_read_while_another_thread_imports_numpy_ma(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It stands among the modules from its first line on: another thread that opened the list of
    data meanwhile met an error.
    """
    monkeypatch.setitem(sys.modules, "numpy.ma", ModuleType("numpy.ma"))
    data = Dataset.from_arrays([[0.0, 1.0], [1.0, 0.0]], [1, -1])
    assert data.columns[1].values.tolist() == [1.0, 0.0]
    trace = engine.run("perceptron", data)
    assert trace.predict([[0.0, 1.0], [1.0, 0.0]]).tolist() == [1, -1]
