"""The domain that a file names for a column is kept: its order, and the values that no row has."""

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

import engine
from engine.base.errors import EngineError
from engine.document import table_edits
from engine.document.document import Document
from engine.document.lane import lane
from engine.files.project import load_project, save_project
from engine.read.column_kinds import with_kind
from engine.read.tables import guess_table, open_noticed, open_table, read_table
from engine.table.dataset import (
    MAX_CLASSES,
    ColumnRole,
    Dataset,
    Kind,
    category_column,
    number_column,
)

ROWS = ["x,yes", "x,yes", "x,yes", "y,no", "y,no"]
ARFF = "@relation r\n@attribute a {z, x, y}\n@attribute c {no, yes}\n@data\n" + "\n".join(ROWS)
ORANGE = "a\tc\nz x y\tno yes\n\tclass\n" + "\n".join(ROWS).replace(",", "\t")
Table = Callable[..., Dataset]


@pytest.fixture
def table(tmp_path: Path) -> Table:
    """What a text opens as; the dialog's way, a guess and then a reading, gives the same."""

    def read(text: str, name: str = "t.arff") -> Dataset:
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        data = open_table(path)
        assert read_table(path, guess_table(path)).columns == data.columns
        return data

    return read


@pytest.fixture(params=["t.arff", "t.tab"])
def data(request: pytest.FixtureRequest, table: Table) -> Dataset:
    return table(ARFF if request.param == "t.arff" else ORANGE, request.param)


def test_a_declared_domain_keeps_its_order_and_its_unused_values(data: Dataset) -> None:
    assert data["a"].categories == ("z", "x", "y")
    assert data["a"].labels() == ["x", "x", "x", "y", "y"]
    assert data.classes == ("yes", "no")  # the positive class is the first one everywhere


def test_an_unused_value_is_an_empty_branch_with_the_plurality_of_its_parent(data: Dataset) -> None:
    """AIMA 18.3.3: no examples are left, a default value comes from the plurality of the parent,
    here 3 yes and 2 no.
    """
    trace = engine.run("decision_tree", data)
    assert trace.predict([["x"], ["y"], ["z"]]).tolist() == ["yes", "no", "yes"]


def test_an_unused_value_counts_in_laplaces_rule(data: Dataset) -> None:
    """MIT 2.5: (count + 1) / (rows + number of values).

    Of z, x, y three rows are yes (0, 3, 0), two no (0, 0, 2).
    """
    trace = engine.run("naive_bayes", data, laplace=True)
    (column,) = trace[-1].state.R
    found = [(Fraction(*one), Fraction(*other)) for one, other in column]
    assert found == [
        (Fraction(1, 6), Fraction(1, 5)),
        (Fraction(4, 6), Fraction(1, 5)),
        (Fraction(1, 6), Fraction(3, 5)),
    ]


def test_a_project_keeps_the_domain(data: Dataset, tmp_path: Path) -> None:
    path = tmp_path / "p.learnscope"
    save_project(Document(data, (lane("decision_tree"),)), path)
    assert load_project(path).data == data


def test_a_blank_within_a_value_of_orange_has_a_backslash_before_it(table: Table) -> None:
    found = table("a\tb\ndark\\ red blue\tcontinuous\n\t\ndark red\t1\nblue\t2\n", "t.tab")
    assert found["a"].categories == ("dark red", "blue")


def test_a_value_that_orange_does_not_list_comes_behind_the_others(table: Table) -> None:
    found = table("a\tb\nu t\tcontinuous\n\t\ns\t1\nt\t2\nu\t3\n", "t.tab")
    assert found["a"].categories == ("u", "t", "s")


@pytest.mark.parametrize(
    ("listed", "cells", "categories"),
    [
        ("{3, 1, 2}", "12", (3, 1, 2)),
        ("{false, true, unknown}", ["false", "true"], ("false", "true", "unknown")),
        ("{true, false}", ["false", "true"], (True, False)),
        ("{?, u, t, u}", "tu", ("u", "t")),
        ("{u, nan, t,}", "tu", ("u", "t")),
        ("{1, 2, many}", "12", ("1", "2", "many")),
    ],
)
def test_what_the_values_are_is_seen_in_the_whole_domain(
    table: Table, listed: str, cells: list[str], categories: tuple[object, ...]
) -> None:
    text = (
        f"@relation r\n@attribute a {listed}\n@attribute c {{p,"
        f" q}}\n@data\n{cells[0]},p\n{cells[1]},q\n"
    )
    found = table(text)["a"].categories
    assert found == categories
    assert list(map(type, found)) == list(map(type, categories))


@pytest.mark.parametrize(
    ("listed", "cells", "classes"),
    [
        ("{q, p}", "pq", ("q", "p")),
        ("{no, yes}", ["no", "yes"], ("yes", "no")),
        ("{0, 1}", "01", (1, 0)),
        ("{c, b, a}", "aa", ("c", "b", "a")),
        ("{c, b, a}", "ab", ("b", "a", "c")),  # what learns two classes takes the first two
        ("{no, yes, perhaps}", ["no", "yes"], ("yes", "no", "perhaps")),
    ],
)
def test_the_order_of_classes(
    table: Table, listed: str, cells: list[str], classes: tuple[object, ...]
) -> None:
    text = (
        "@relation r\n@attribute a numeric\n@attribute k"
        f" {listed}\n@data\n1,{cells[0]}\n2,{cells[1]}\n"
    )
    assert table(text).classes == classes


def test_a_perceptron_learns_two_of_three_declared_classes(table: Table) -> None:
    rows = "".join(f"{k},{'a' if k < 3 else 'b'}\n" for k in range(6))
    trace = engine.run(
        "perceptron",
        table(f"@relation r\n@attribute n numeric\n@attribute k {{c, b, a}}\n@data\n{rows}"),
    )
    assert trace.predict([[-9.0], [9.0]]).tolist() == ["a", "b"]


def test_another_role_or_kind_in_the_dialog_keeps_what_the_file_names(tmp_path: Path) -> None:
    path = tmp_path / "t.arff"
    path.write_text(
        "@relation r\n@attribute a {3, 1, 2}\n@attribute c {u, v, w}\n@data\n1,v\n2,u\n1,u\n"
    )
    guess = guess_table(path)
    assert read_table(path, guess.with_target("a"))["c"].categories == ("u", "v", "w")
    back = guess.with_target("a").with_target("c")
    assert read_table(path, back)["a"].categories == (3, 1, 2)
    numbers = read_table(path, guess.with_column("a", kind=Kind.NUMERIC))
    assert numbers["a"].labels() == [1.0, 2.0, 1.0]
    pair = read_table(path, guess.with_column("c", kind=Kind.BOOLEAN, role=ColumnRole.FEATURE))
    assert len(pair["c"].categories) == 2


def many(count: int, used: int, name: str = "k") -> str:
    """A table with a last nominal attribute of so many values, of which so many have rows."""
    values = ", ".join(f"v{k}" for k in range(count))
    rows = "".join(f"{k % 7},{k % 5},v{k % used}\n" for k in range(2 * used))
    return (
        f"@relation r\n@attribute a numeric\n@attribute b numeric\n@attribute {name}"
        f" {{{values}}}\n@data\n{rows}"
    )


@pytest.mark.parametrize("used", [3, MAX_CLASSES + 6])
def test_a_last_attribute_of_many_values_is_ignored_not_refused(tmp_path: Path, used: int) -> None:
    path = tmp_path / "t.arff"
    path.write_text(many(MAX_CLASSES + 6, used))
    data, said = open_noticed(path)
    assert data.target is None
    assert engine.run("kmeans", data, k=2).problem.d == 2
    assert any("“k”" in sentence and "ignored" in sentence for sentence in said)


def test_a_last_attribute_of_as_many_values_as_are_shown_is_the_target(table: Table) -> None:
    found = table(many(MAX_CLASSES, 3))
    assert found.target is found["k"]
    assert len(found.classes) == MAX_CLASSES


def test_an_attribute_called_class_is_the_target_as_long_as_its_rows_have_few_classes(
    tmp_path: Path, table: Table
) -> None:
    assert table(many(MAX_CLASSES + 6, 3, "class")).classes == ("v0", "v1", "v2")
    path = tmp_path / "t.arff"
    path.write_text(many(MAX_CLASSES + 6, MAX_CLASSES + 6, "class"))
    data, said = open_noticed(path)
    assert data.target is None
    assert any("“class” has more than 64 different classes" in sentence for sentence in said)
    with pytest.raises(EngineError, match="at most 64 classes"):
        open_table(path, target="class")


@pytest.mark.parametrize(
    ("braces", "categories"),
    [
        ("{a, dark green,b ,}", ("a", "dark green", "b")),
        ("{a dark green}", ("a", "dark", "green")),
        ("{ }", ("a",)),
    ],
)
def test_the_domain_between_braces(table: Table, braces: str, categories: tuple[str, ...]) -> None:
    """Separated by commas, else by blanks; empty braces declare nothing."""
    head = f"@relation r\n@attribute k {braces}\n@attribute n numeric\n@attribute m numeric\n"
    assert table(f"{head}@data\na,1,2\na,2,1\n")["k"].categories == categories


def declared(name: str, used: str, categories: str) -> Dataset:
    """A table of one feature with these categories, in that order."""
    return Dataset(
        (category_column(name, list(used), tuple(categories)), number_column("n", range(len(used))))
    )


def test_categories_that_become_classes_have_the_order_of_classes() -> None:
    aimed = declared("k", "abba", "cba").with_role("k", ColumnRole.TARGET)
    assert aimed.classes == ("b", "a", "c")
    assert aimed["k"].labels() == list("abba")
    words = Dataset((category_column("k", ["no", "yes", None], ("no", "yes")),))
    aimed = words.with_role("k", ColumnRole.TARGET)
    assert aimed.classes == ("yes", "no")
    assert aimed["k"].labels() == ["no", "yes", None]
    assert declared("k", "abc", "cba").with_role("k", ColumnRole.TARGET).classes == ("c", "b", "a")


def test_categories_without_rows_keep_no_column_from_being_the_target() -> None:
    many_words = [f"v{k}" for k in range(MAX_CLASSES + 6)]
    data = Dataset(
        (category_column("k", ["v9", "v3", "v9"], many_words), number_column("n", [1, 2, 3]))
    )
    for aimed in (
        data.with_role("k", ColumnRole.TARGET),
        table_edits.with_role(data, "k", ColumnRole.TARGET),
    ):
        assert aimed.classes == ("v3", "v9")
        assert aimed["k"].labels() == ["v9", "v3", "v9"]


def test_words_that_no_row_has_keep_no_column_from_being_numbers_or_yes_and_no() -> None:
    data = Dataset((category_column("a", ["1", None, "3"], ("1", "many", "3")),))
    assert with_kind(data, "a", Kind.NUMERIC)["a"].labels() == [1, None, 3]
    truth = with_kind(declared("a", "yny", "xny"), "a", Kind.BOOLEAN)["a"]
    assert truth.values.tolist() == [1, 0, 1]
