"""Opening tables: guesses, changes of a guess, exact round trips, large files."""

import math
import os
import stat
import time
import tracemalloc
from collections.abc import Callable, Sized
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.base.arrays import frozen
from engine.base.errors import EngineError
from engine.base.notation import label_text
from engine.read.cells import Cancelled
from engine.read.guess import TableOptions
from engine.read.number_cells import MISSING, number_of
from engine.read.tables import (
    guess_of,
    guess_table,
    guess_text,
    open_noticed,
    open_table,
    parse_counted,
    parse_table,
    read_table,
    table_text,
    write_csv,
)
from engine.sources.real import real
from engine.sources.textbook import TEXTBOOK, textbook
from engine.table.dataset import Column, ColumnRole, Dataset, Feature, Kind


def file(tmp_path: Path, content: str | bytes, name: str = "t.csv") -> Path:
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
    return path


def shape(data: Dataset) -> list[tuple[str, str, str]]:
    return [(c.name, c.kind.value, c.role.value) for c in data.columns]


# -- guessing --------------------------------------------------------------------------------------

PLAIN = [
    ("a", "numeric", "feature"),
    ("b", "categorical", "feature"),
    ("kind", "categorical", "target"),
]


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_separators_and_line_ends(tmp_path: Path, separator: str, ending: str) -> None:
    lines = ["a,b,kind", "1.5,red,yes", "2,blue,no", "3,red,yes"]
    data = open_table(file(tmp_path, ending.join(lines).replace(",", separator)))
    assert shape(data) == PLAIN
    assert data["a"].labels() == [1.5, 2, 3]
    assert data.classes == ("yes", "no")


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "latin-1"]
)
def test_encodings(tmp_path: Path, encoding: str) -> None:
    text = "größe,sorte\n1,süß\n2,äpfel\n3,süß\n"
    path = file(tmp_path, text.encode(encoding))
    data = open_table(path)
    assert [c.name for c in data.columns] == ["größe", "sorte"]
    assert data["sorte"].labels() == ["süß", "äpfel", "süß"]
    assert any("Windows-1252" in n for n in guess_table(path).notices) == (encoding == "latin-1")


def test_windows_letters(tmp_path: Path) -> None:
    path = file(tmp_path, "a,price\n1,€uro\n2,“two”\n3,€uro\n".encode("cp1252"))
    assert open_table(path)["price"].labels() == ["€uro", "“two”", "€uro"]
    undefined = file(tmp_path, b"a,price\n1,\x81\xe4\n2,b\n3,b\n", "u.csv")
    assert open_table(undefined)["price"].labels() == ["\x81ä", "b", "b"]
    assert any("Latin-1" in n for n in guess_table(undefined).notices)


@pytest.mark.parametrize("line", ["sep=;\n", "SEP=;\r\n", '"sep=;"\n'])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_separator_declared_in_the_first_line(tmp_path: Path, line: str, encoding: str) -> None:
    path = file(tmp_path, (line + "a;y\n1,5;p,q\n2;r,s\n").encode(encoding))
    guess = guess_table(path)
    assert guess.separator == ";"
    for data in (open_table(path), read_table(path, guess)):
        assert data["a"].labels() == [1.5, 2]
        assert data["y"].labels() == ["p,q", "r,s"]
    with pytest.raises(EngineError, match="Line 3 of"):
        open_table(file(tmp_path, line + "a;y\n1;p;q\n"))


@pytest.mark.slow
def test_a_letter_cut_by_the_first_block_is_no_fault(tmp_path: Path) -> None:
    for shift in range(4):
        text = "a,kind\n" + "x" * shift + "\n".join(f"{i},€{'äö'[i % 2]}" for i in range(12_000))
        assert guess_table(file(tmp_path, text)).encoding == "utf-8"


def test_decimal_comma(tmp_path: Path) -> None:
    data = open_table(file(tmp_path, "a;b;kind\n1,5;−2;yes\n3,25;1e3;no\n"))
    assert data["a"].labels() == [1.5, 3.25]
    assert data["b"].labels() == [-2, 1000]
    assert open_table(file(tmp_path, "a;kind\n1.5;1,2\n3;3\n"))["a"].labels() == [1.5, 3]


def test_header_or_none(tmp_path: Path) -> None:
    assert not guess_table(file(tmp_path, "1,2,yes\n3,4,no\n")).header
    assert not guess_table(file(tmp_path, "republican,n,y\ndemocrat,y,n\ndemocrat,n,n\n")).header
    assert guess_table(file(tmp_path, "colour,size\nred,big\nblue,small\n")).header
    assert guess_table(file(tmp_path, ",a,y\n0,1,p\n1,2,q\n")).header
    bare = guess_table(file(tmp_path, "1,2,yes\n3,4,no\n"))
    assert [c.name for c in bare.columns] == ["x1", "x2", "x3"]
    assert (bare.rows, len(bare.preview)) == (2, 2)


def test_target_by_name_then_by_kind(tmp_path: Path) -> None:
    assert open_table(file(tmp_path, "class,a,b\np,1,u\nq,2,v\n")).target.name == "class"
    assert open_table(file(tmp_path, "u,a,v\np,1,u\nq,2,v\n")).target.name == "v"
    assert open_table(file(tmp_path, "a,b\n1,2\n3,4\n")).target is None
    assert open_table(file(tmp_path, "a,b\n1,2\n3,4\n"), target="b").classes == (4, 2)


@pytest.mark.parametrize(
    ("header", "rows", "target", "kind"),
    [
        ("x,y,class", "0.5,1.5,p\n1,2,q\n3,4,p\n", "class", Kind.CATEGORICAL),
        ("x,y,species", "0.5,1.5,p\n1,2,q\n3,4,p\n", "species", Kind.CATEGORICAL),
        ("y,age,sex", "0.5,31,f\n1.25,22,m\n3.5,44,f\n", "y", Kind.NUMERIC),
        ("x,y,class", "1,1,p\n2,2,q\n3,3,p\n", "class", Kind.CATEGORICAL),  # whole coordinates
        ("x,y,label", "0.5,1.5,1\n1,2,2\n3,4,3\n", "label", Kind.CATEGORICAL),
        ("label,x,y", "p,0.5,1.5\nq,1,2\np,3,4\n", "label", Kind.CATEGORICAL),
        ("x,y,class", "0.5,1.5,p\n1,2,p\n3,4,p\n", "y", Kind.NUMERIC),  # one class is none
        ("x,y,z", "0.5,1.5,0\n1,2,1\n3,4,1\n", "y", Kind.NUMERIC),  # numbers only
        ("y,a,city", "-1,2,p\n1,2.5,q\n1,3,p\n", "y", Kind.CATEGORICAL),
        ("a,y,class", "2,0,p\n2.5,1,q\n3,1,p\n", "y", Kind.CATEGORICAL),
        ("x,y,class", "2,0,p\n2.5,1,q\n3,1,p\n", "y", Kind.CATEGORICAL),
        ("a,y,class", "2,3,p\n2.5,1,q\n3,2,p\n", "y", Kind.CATEGORICAL),
    ],
)
def test_classes_are_rather_the_target_than_many_numbers(
    tmp_path: Path, header: str, rows: str, target: str, kind: Kind
) -> None:
    found = open_table(file(tmp_path, f"{header}\n{rows}")).target
    assert (found.name, found.kind) == (target, kind)


def test_numbers_as_target(tmp_path: Path) -> None:
    assert open_table(file(tmp_path, "a,y\n1,0\n2,1\n3,1\n")).classes == (1, 0)
    assert open_table(file(tmp_path, "a,y\n1,-1\n2,+1\n3,1\n")).classes == (1, -1)
    assert open_table(file(tmp_path, "a,y\n1,0.5\n2,1\n3,1\n")).target.kind is Kind.NUMERIC
    assert open_table(file(tmp_path, "x,y\n1,1\n2,2\n3,4\n")).target.kind is Kind.NUMERIC
    assert open_table(file(tmp_path, "x,y\n1,1\n2,0\n3,0\n")).classes == (1, 0)


def test_row_names(tmp_path: Path) -> None:
    data = open_table(file(tmp_path, "name,a,y\nann,1,p\nbob,2,q\n"))
    assert data.row_names() == ("ann", "bob")
    assert open_table(file(tmp_path, "id,a,y\n11,1,p\n12,2,q\n")).row_names() == ("11", "12")
    assert (
        open_table(file(tmp_path, "id,a,y\n11,1,p\n11,2,q\n12,3,p\n"))["id"].role
        is ColumnRole.FEATURE
    )


def test_truth_values(tmp_path: Path) -> None:
    data = open_table(file(tmp_path, "a,b,y\ntrue,1,TRUE\nFalse,2,false\n,3,true\n"))
    assert data["a"].kind is Kind.BOOLEAN
    assert data["a"].labels() == [True, False, None]
    assert data["a"].values[:2].tolist() == [1, 0]
    assert data.classes == (True, False)


def test_what_is_missing_is_said_by_the_person(tmp_path: Path) -> None:
    path = file(tmp_path, "a,Patrons,y\n1,None,p\n?,Some,q\n,NA,p\nNaN,,q\n")
    data = open_table(path)
    assert data["a"].labels() == [1, None, None, None]
    assert data["Patrons"].labels() == ["None", "Some", "NA", None]
    notices = " ".join(guess_table(path).notices)
    assert "“None” in column “Patrons”" in notices
    assert "“NA” in column “Patrons”" in notices
    other = open_table(path, options=TableOptions(missing=("", "?", "NaN", "NA", "None")))
    assert other["Patrons"].labels() == [None, "Some", None, None]


def test_a_word_that_spoils_a_column_of_numbers_is_pointed_out(tmp_path: Path) -> None:
    path = file(tmp_path, "a,y\n1,p\nnone?,q\n3,p\n4,q\n")
    guess = guess_table(path)
    assert guess.columns[0].kind is Kind.CATEGORICAL
    assert guess.suggested == ("none?",)
    assert guess.notices[1:] == (
        (
            "Column “a” holds numbers, and “none?”: it is read as words. If “none?” means missing,"
            " add it to the missing words, and the column holds numbers."
        ),
    )
    again = guess_table(path, TableOptions(missing=(*guess.missing, *guess.suggested)))
    assert again.columns[0].kind is Kind.NUMERIC


@pytest.mark.parametrize("word", ["NA", "None", "N/A", "null", "?", ""])
def test_a_word_for_missing_among_numbers_is_missing(tmp_path: Path, word: str) -> None:
    path = file(tmp_path, f"a,b,y\n1,u,p\n{word},v,q\n3,u,p\n4,v,q\n")
    guess = guess_table(path)
    assert word in guess.missing
    assert guess.columns[0].kind is Kind.NUMERIC
    assert read_table(path, guess)["a"].labels() == [1, None, 3, 4]
    assert open_table(path)["a"].labels() == [1, None, 3, 4]
    assert any("counts as missing" in n for n in guess.notices) == (word not in MISSING)


def test_the_person_can_make_it_a_category_among_numbers(tmp_path: Path) -> None:
    path = file(tmp_path, "a,y\n1,p\nNA,q\n3,p\n4,q\n")
    guess = guess_table(path, TableOptions(missing=MISSING))
    assert guess.columns[0].kind is Kind.CATEGORICAL
    assert any("becomes numeric" in n for n in guess.notices)
    assert read_table(path, guess)["a"].labels() == ["1", "NA", "3", "4"]


def test_a_word_among_numbers_and_words_is_missing_among_the_numbers_only(tmp_path: Path) -> None:
    path = file(tmp_path, "a,Patrons,y\n1,None,p\nNone,Some,q\n3,Full,p\n4,None,q\n")
    guess = guess_table(path)
    assert (guess.among_numbers, "None" in guess.missing) == (("None",), False)
    data = read_table(path, guess)
    assert data["a"].labels() == [1, None, 3, 4]
    assert data["Patrons"].labels() == ["None", "Some", "Full", "None"]
    words = read_table(path, guess.with_column("a", kind=Kind.CATEGORICAL))
    assert words["a"].labels() == [1, "None", 3, 4]
    everywhere = open_table(path, options=TableOptions(missing=("None",)))
    assert everywhere["Patrons"].labels() == [None, "Some", "Full", None]


def test_a_class_that_is_not_known_is_no_class(tmp_path: Path) -> None:
    data = open_table(file(tmp_path, "a,y\n1,0\n2,1\n3,NA\n4,1\n"))
    assert data["y"].labels() == [0, 1, None, 1]


def test_columns_without_use_are_set_aside(tmp_path: Path) -> None:
    rows = "".join(f"{i % 5},,text {i},{'pq'[i % 2]}\n" for i in range(100))
    guess = guess_table(file(tmp_path, "a,empty,words,y\n" + rows + "1,,text 0,p\n"))
    assert [c.role.value for c in guess.columns] == ["feature", "ignored", "ignored", "target"]
    assert sum("ignored" in n for n in guess.notices) == 2


def test_doubled_and_missing_names(tmp_path: Path) -> None:
    guess = guess_table(file(tmp_path, "a,a,,y\n1,2,3,p\n4,5,6,q\n"))
    assert [c.name for c in guess.columns] == ["a", "a (2)", "column 3", "y"]
    assert any("a (2)" in n for n in guess.notices)


def test_changing_a_guess(tmp_path: Path) -> None:
    path = file(tmp_path, "a,b,y\n1,2,p\n3,4,q\n")
    guess = guess_table(path).with_target("b").with_column("a", kind=Kind.CATEGORICAL)
    data = read_table(path, guess.with_column("y", role=ColumnRole.NAME))
    assert shape(data) == [
        ("a", "categorical", "feature"),
        ("b", "categorical", "target"),
        ("y", "categorical", "name"),
    ]
    assert data.classes == (4, 2)
    assert read_table(path, guess.with_target(None)).target is None
    with pytest.raises(EngineError, match="no column “c”"):
        guess.with_target("c")


def test_a_guess_that_does_not_fit_names_the_row(tmp_path: Path) -> None:
    path = file(tmp_path, "a,y\n1,p\nred,q\n3,p\n")
    guess = guess_table(path).with_column("a", kind=Kind.NUMERIC)
    with pytest.raises(EngineError, match=r"“a” should hold numbers, but row 2 holds “red”"):
        read_table(path, guess)
    with pytest.raises(EngineError, match="has 3 values, truth values are two"):
        read_table(path, guess.with_column("a", kind=Kind.BOOLEAN))


def test_a_pair_of_words_as_truth_values(tmp_path: Path) -> None:
    path = file(tmp_path, "a,b,y\nyes,1,p\nno,0,q\n")
    guess = (
        guess_table(path).with_column("a", kind=Kind.BOOLEAN).with_column("b", kind=Kind.BOOLEAN)
    )
    data = read_table(path, guess)
    assert data["a"].values.tolist() == [1, 0]
    assert data["b"].values.tolist() == [1, 0]


def test_the_file_may_change_after_the_guess(tmp_path: Path) -> None:
    guess = guess_table(file(tmp_path, "a,b\n1,2\n"))
    with pytest.raises(EngineError, match="has 3 columns now"):
        read_table(file(tmp_path, "a,b,c\n1,2,3\n"), guess)


# -- pasted cells ----------------------------------------------------------------------------------


def test_pasted_points() -> None:
    for text in ("1 2 +\n2 1 -\n", "1\t2\t+\n2\t1\t-\n", "  1   2  +\n  2   1  -\n"):
        data = parse_table(text)
        assert [c.values.tolist() for c in data.features] == [[1, 2], [2, 1]]
        assert data.target.labels() == ["+", "-"]
    assert len(parse_table("one column\nof sentences\nhere it is\n").columns) == 1


def test_pasted_guess_can_be_changed() -> None:
    text = "a\tb\n1\t2\n3\t4\n"
    assert parse_table(text, guess_text(text).with_target("a")).target.name == "a"
    assert parse_table(text, target="b").target.name == "b"


# -- round trips -----------------------------------------------------------------------------------

WORDS = st.text(st.characters(codec="utf-8"), max_size=12)
NUMBERS = st.floats(-1e150, 1e150) | st.integers(-(10**6), 10**6).map(float)


@st.composite
def tables(draw: Any) -> Dataset:
    n = draw(st.integers(1, 8))
    names = draw(st.lists(WORDS, min_size=1, max_size=4, unique=True))
    roles = draw(
        st.permutations(
            [ColumnRole.TARGET, ColumnRole.NAME, ColumnRole.IGNORED, ColumnRole.FEATURE]
        )
    )
    return Dataset(
        tuple(draw(columns(name, n, role)) for name, role in zip(names, roles, strict=False)),
        "some data",
    )


@st.composite
def columns(draw: Any, name: str, n: int, role: ColumnRole) -> Column:
    kind = Kind.CATEGORICAL if role is ColumnRole.NAME else draw(st.sampled_from(Kind))
    if kind is Kind.NUMERIC:
        values = st.lists(NUMBERS | st.just(math.nan), min_size=n, max_size=n)
        return Column(Feature(name), frozen(draw(values), np.float64), role)
    if kind is Kind.BOOLEAN:
        categories = draw(st.sampled_from([(False, True), (0, 1), ("no", "yes")]))
    else:
        categories = tuple(draw(st.lists(WORDS, min_size=1, max_size=5, unique=True)))
    codes = st.lists(
        st.integers(0, len(categories) - 1) | st.just(math.nan), min_size=n, max_size=n
    )
    return Column(Feature(name, kind, categories), frozen(draw(codes), np.float64), role)


@pytest.mark.slow
@settings(max_examples=100, deadline=None)
@given(tables())
def test_any_table_survives_the_clipboard(data: Dataset) -> None:
    assert parse_table(table_text(data), guess_of(data)) == data


@pytest.mark.slow
@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(tables())
def test_any_table_survives_a_file(tmp_path: Path, data: Dataset) -> None:
    path = tmp_path / "round.csv"
    write_csv(data, path)
    assert read_table(path, guess_of(data, ",")) == data
    assert [p.name for p in tmp_path.iterdir()] == ["round.csv"]


def opened_or_said(opening: Callable[[], Sized]) -> bool:
    """Whether a table with rows was had, or a whole sentence."""
    try:
        return len(opening()) > 0
    except EngineError as sentence:
        return str(sentence).endswith(".")


@pytest.mark.slow
@settings(max_examples=200, deadline=None)
@given(st.text(max_size=300))
def test_any_text_is_a_table_or_a_sentence(text: str) -> None:
    assert opened_or_said(lambda: parse_table(text))


@settings(
    max_examples=200,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(st.binary(max_size=300))
def test_any_bytes_are_a_table_or_a_sentence(tmp_path: Path, raw: bytes) -> None:
    path = file(tmp_path, raw, "any.csv")
    assert opened_or_said(lambda: open_table(path))
    assert opened_or_said(lambda: guess_table(path).preview)


@pytest.mark.parametrize("name", [n for n in TEXTBOOK if n not in ("peak", "doubling", "majority")])
def test_textbook_sets_open_as_they_were(tmp_path: Path, name: str) -> None:
    data = textbook(name)
    write_csv(data, tmp_path / "t.csv")
    back = open_table(tmp_path / "t.csv", target=data.target.name if data.target else None)
    for old, new in zip(data.columns, back.columns, strict=True):
        assert old.labels() == new.labels()
    # a written table has no order of its words, which these sets name
    assert back.classes == data.classes or name in ("day_trips", "enjoy_sport", "news")


def test_iris_comes_back_whole(tmp_path: Path) -> None:
    data = real("iris")
    write_csv(data, tmp_path / "Iris.csv")
    back = open_table(tmp_path / "Iris.csv")
    assert back.columns == data.columns


def test_writing_to_a_bad_place_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(EngineError, match="cannot be written"):
        write_csv(textbook("xor"), tmp_path / "no" / "t.csv")
    (tmp_path / "t.csv").mkdir()
    with pytest.raises(EngineError, match="cannot be written"):
        write_csv(textbook("xor"), tmp_path / "t.csv")
    assert [p.name for p in tmp_path.iterdir()] == ["t.csv"]


# -- Excel -----------------------------------------------------------------------------------------


def workbook(path: Path, **sheets: list[list[Any]]) -> Path:
    from openpyxl import Workbook

    book = Workbook()
    book.remove(book.active)
    for title, rows in sheets.items():
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(row)
    book.save(path)
    return path


def test_excel(tmp_path: Path) -> None:
    rows = [
        ["a", "flag", "kind"],
        [1, True, "None"],
        [2.5, False, "Some"],
        [None, None, "None"],
        [None, None, None],
    ]
    path = workbook(tmp_path / "t.xlsx", first=rows, second=[["u", "v"], [1, "p"], [2, "q"]])
    guess = guess_table(path)
    assert guess.sheets == ("first", "second")
    data = open_table(path)
    assert data["a"].labels() == [1, 2.5, None]
    assert data["flag"].labels() == [True, False, None]
    assert data.classes == ("None", "Some")
    assert open_table(path, options=TableOptions(sheet="second"))["u"].labels() == [1, 2]
    with pytest.raises(EngineError, match="no sheet “third”; it has first, second"):
        guess_table(path, TableOptions(sheet="third"))


def test_another_sheet_with_cells_is_reported(tmp_path: Path) -> None:
    table = [["a", "y"], [1, "p"], [2, "q"]]
    path = workbook(tmp_path / "t.xlsx", blank=[], first=table, notes=[["note"]], last=table)
    notice = "Sheet “first” is read; “notes” and “last” hold cells too."
    assert notice in open_noticed(path)[1]
    assert notice not in open_noticed(path, options=TableOptions(sheet="first"))[1]
    one = workbook(tmp_path / "u.xlsx", blank=[], first=table)
    assert not any("Sheet" in sentence for sentence in open_noticed(one)[1])


def test_formulas_without_a_computed_value_are_reported(tmp_path: Path) -> None:
    """openpyxl writes formulas without their values, as scripts do."""
    rows = [["a", "b", "y"], [1, "=A2*2", "p"], [2, "=A3*2", "q"]]
    notices = open_noticed(workbook(tmp_path / "t.xlsx", s=rows))[1]
    assert any(sentence.startswith("Some cells hold formulas") for sentence in notices)
    plain = [[cell if cell != "=A2*2" else 2 for cell in row] for row in rows[:2]] + [[2, 4, "q"]]
    assert not any(
        "formulas" in sentence
        for sentence in open_noticed(workbook(tmp_path / "u.xlsx", s=plain))[1]
    )


def test_a_title_above_numbers_of_a_sheet_has_to_go(tmp_path: Path) -> None:
    rows = [["Measured in May"], [1, "p"], [2, "q"]]
    with pytest.raises(EngineError, match="a title above the names of the columns has to go"):
        open_table(workbook(tmp_path / "t.xlsx", s=rows))


def test_words_that_differ_in_capital_letters_are_reported(tmp_path: Path) -> None:
    notices = open_noticed(file(tmp_path, "a,b,y\n1,yes,t\n2,no,f\n3,Yes,t\n4,no,F\n"))[1]
    assert "“yes” and “Yes” in column “b” are read as two categories." in notices
    assert "“f” and “F” in column “y” are read as two categories." in notices
    assert not any(
        "two categories" in sentence
        for sentence in open_noticed(file(tmp_path, "a,y\n1,yes\n2,no\n"))[1]
    )
    assert not any(
        "two categories" in sentence
        for sentence in open_noticed(file(tmp_path, "a,y\n1,True\n2,true\n3,FALSE\n"))[1]
    )


@pytest.mark.parametrize("path", [None, 5, b"t.csv", ["t.csv"]])
def test_a_path_is_text_or_a_path(path: Any) -> None:
    for opener in (open_table, guess_table):
        with pytest.raises(EngineError, match="named by its path"):
            opener(path)


def test_options_are_table_options(tmp_path: Path) -> None:
    with pytest.raises(EngineError, match="options are TableOptions"):
        open_table(file(tmp_path, "a,y\n1,p\n2,q\n"), options="utf-8")  # type: ignore[arg-type]


def test_a_page_of_remarks_before_the_table_is_passed_over(tmp_path: Path) -> None:
    remarks = [["Heights of our class"], [], ["asked in May"], ["by", "Ada"]]
    path = workbook(tmp_path / "t.xlsx", cover=remarks, data=[["a", "kind"], [1, "p"], [2, "q"]])
    data, notices = open_noticed(path)
    assert data["a"].labels() == [1, 2]
    assert notices == ("Sheet “data” is read; “cover” holds cells too.",)
    assert guess_table(path).sheet == "data"


def test_blank_sheets_are_passed_over(tmp_path: Path) -> None:
    path = workbook(
        tmp_path / "t.xlsx", blank=[], dashes=[[], [None]], full=[["a", "y"], [1, "p"], [2, "q"]]
    )
    guess = guess_table(path)
    assert (guess.sheet, guess.sheets) == ("full", ("blank", "dashes", "full"))
    assert open_table(path)["a"].labels() == [1, 2]
    with pytest.raises(EngineError, match="has no cells"):
        open_table(path, options=TableOptions(sheet="blank"))
    with pytest.raises(EngineError, match="has no cells"):
        open_table(workbook(tmp_path / "e.xlsx", s=[], t=[]))


@pytest.mark.parametrize("row", [20_000, 1_048_576])
def test_a_far_off_cell_is_left_out_soon(tmp_path: Path, row: int) -> None:
    from openpyxl import load_workbook

    path = workbook(tmp_path / "t.xlsx", s=[["a", "y"], [1, "p"], [2, "q"]])
    book = load_workbook(path)
    book.active.cell(row, 16_384, "stray")
    book.save(path)
    started = time.perf_counter()
    data, said = open_noticed(path)
    assert data["a"].labels() == [1, 2]
    assert f"A cell beside the table is left out: XFD{row}." in said
    assert time.perf_counter() - started < 15  # 0.5 s; as wide as the far cell, the rows took hours


def test_a_sheet_of_endless_rows_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engine.read.excel.MAX_ROWS", 50)
    path = workbook(tmp_path / "t.xlsx", s=[["a", "y"], *([k, "p"] for k in range(49))])
    assert len(open_table(path)) == 49
    with pytest.raises(
        EngineError, match="has a sheet of more than 50 rows; no Excel sheet has so many"
    ):
        open_table(workbook(path, s=[["a", "y"], *([k, "p"] for k in range(50))]))


def test_cells_far_apart_are_refused_before_they_take_all_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A sheet takes as much as its last row and its last column say."""
    monkeypatch.setattr("engine.read.formats.sheet_text.ROOM", 10_000)
    path = workbook(tmp_path / "t.xlsx", s=[["a", "y"], [1, "p"], [2, "q"]])
    from openpyxl import load_workbook

    book = load_workbook(path)
    for k in range(1100):
        book.active.cell(k + 5, 9000 + k, "x")
    book.save(path)
    with pytest.raises(EngineError, match="cells so far apart that the sheet “s” is too large"):
        open_table(path)


def test_dates_and_times_of_a_sheet(tmp_path: Path) -> None:
    from datetime import date, datetime

    rows = [
        ["day", "at", "kind"],
        [date(2024, 1, 2), datetime(2024, 1, 2, 3, 4), "p"],
        [None, None, "q"],
    ]
    data = open_table(workbook(tmp_path / "t.xlsx", s=rows))
    assert data["day"].labels() == ["2024-01-02", None]
    assert data["at"].labels() == ["2024-01-02T03:04:00", None]


def test_broken_excel(tmp_path: Path) -> None:
    whole = workbook(tmp_path / "t.xlsx", s=[["a"], [1]]).read_bytes()
    for raw in (whole[: len(whole) // 2], whole[:40], b"PK\x03\x04" + b"x" * 500):
        with pytest.raises(EngineError, match="cannot be read as an Excel file"):
            open_table(file(tmp_path, raw, "u.xlsx"))
    with pytest.raises(EngineError, match="old Excel"):
        open_table(file(tmp_path, b"\xd0\xcf\x11\xe0" + b"x" * 500, "u.xls"))
    with pytest.raises(EngineError, match="has no cells"):
        open_table(workbook(tmp_path / "e.xlsx", s=[]))


# -- large files -----------------------------------------------------------------------------------


def big(tmp_path: Path, rows: int = 60_000) -> Path:
    return file(
        tmp_path,
        "i,a,kind\n" + "".join(f"{i},{i % 97 / 7},{'pq'[i % 3 == 0]}\n" for i in range(rows)),
        "big.csv",
    )


@pytest.mark.slow
def test_a_large_file_is_sampled_and_says_so(tmp_path: Path) -> None:
    path = big(tmp_path)
    seen: list[float] = []
    data = read_table(
        path, guess_table(path), progress=lambda share: not seen.append(share), limit=5000
    )
    i = data["i"].values
    assert len(data) == 5000
    assert (np.diff(i) > 0).all()
    assert "5,000 of its 60,000 rows, drawn with seed 0" in data.about
    assert abs(i.mean() - 30_000) < 1000
    assert abs((i < 6000).mean() - 0.1) < 0.02
    assert seen == sorted(seen)
    assert (len(seen) > 20, seen[-1]) == (True, 1.0)


def test_samples_follow_the_seed(tmp_path: Path) -> None:
    path = big(tmp_path)
    first, again, other = (open_table(path, limit=100, seed=s)["i"].labels() for s in (1, 1, 2))
    assert first == again != other


def test_opening_can_be_cancelled(tmp_path: Path) -> None:
    with pytest.raises(Cancelled, match="cancelled"):
        open_table(big(tmp_path), progress=lambda share: share < 0.3)


@pytest.mark.slow
def test_guessing_reads_the_head_only(tmp_path: Path) -> None:
    guess = guess_table(big(tmp_path, 200_000))
    assert not guess.exact
    assert guess.rows == pytest.approx(200_000, rel=0.1)


@pytest.mark.slow
def test_a_large_file_stays_out_of_memory(tmp_path: Path) -> None:
    path = big(tmp_path, 100_000)  # 23 MB as lists of texts
    tracemalloc.start()
    open_table(path, limit=1000)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 8 * 2**20


# -- bad input -------------------------------------------------------------------------------------

BAD = {
    "empty": (b"", "is empty"),
    "blank": (b" \n\n  \n", "is empty"),
    "ragged": (b"a,b,c\n1,2,3\n1,2\n1,2,3\n", "Line 3 .* has 2 cells, the first row has 3"),
    "too wide": (b"a,b,c\n1,2,3\n1,2,3,4\n", "Line 3 .* has 4 cells, the first row has 3"),
    "half-written": (b"a,b,c\n1,2,3\n4,5", "half-written"),
    "open quotes": (b'a,b\n1,"2\n3,4\n', "half-written"),
    "wrong quotes": (b'a,b\n1,"2"x\n3,4\n', "quotation marks in line 2"),
    "picture": (b"\x89PNG\r\n\x1a\n" + bytes(range(256)), r"is a picture \(PNG\), no table"),
    "zeros": (b"\x00" * 300, "looks binary"),
    "noise": (bytes(range(1, 256)) * 4, "looks binary"),
    "names only": (b"a,b,c\n", "no rows below"),
    "infinite": (b"a,y\n1,p\ninf,q\n", "infinite number in row 2"),
    "too large": (b"a,y\n1,p\n1e999,q\n", "infinite number in row 2"),
    "long cell": (b"a,b\n" + b"x" * 200_000 + b",1\n", "131,072 letters"),
    "utf-32": (
        "a,y\n1,p\n".encode("utf-32"),
        "is in UTF-32, which is not supported; save it as UTF-8",
    ),
    "end mark": (b"\x1a", "only blanks"),
    "wide": (
        b",".join(b"%d" % i for i in range(10_001)),
        "10,001 columns; the lab takes at most 10,000",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_files_are_sentences(tmp_path: Path, name: str) -> None:
    raw, words = BAD[name]
    with pytest.raises(EngineError, match=words) as caught:
        open_table(file(tmp_path, raw))
    assert str(caught.value).endswith(".")
    assert str(tmp_path) not in str(caught.value)


def test_bad_places_are_sentences(tmp_path: Path) -> None:
    with pytest.raises(EngineError, match=r"no file “none\.csv”"):
        open_table(tmp_path / "none.csv")
    with pytest.raises(EngineError, match="is a folder"):
        open_table(tmp_path)
    with pytest.raises(EngineError, match="no file name can hold"):
        open_table("a\0b")
    with pytest.raises(EngineError, match="no cells to paste"):
        parse_table(" \n")


def test_wrong_encoding_is_a_sentence(tmp_path: Path) -> None:
    path = file(tmp_path, "ä,y\n1,ö\n".encode("latin-1"))
    for encoding in ("utf-8", "ascii", "no such"):
        with pytest.raises(
            EngineError, match=f"cannot be read as {encoding}; choose another encoding"
        ):
            open_table(path, options=TableOptions(encoding=encoding))


@pytest.mark.slow
def test_bytes_that_are_wrong_far_inside(tmp_path: Path) -> None:
    path = file(tmp_path, b"a,y\n" + b"1,p\n2,q\n" * 200_000 + b"\xe4,q\n")
    with pytest.raises(EngineError, match="cannot be read as utf-8"):
        open_table(path)


@pytest.mark.parametrize("encoding", ["rot13", "base64", "hex", "nul\0", 3])
def test_what_is_no_encoding_of_text_is_a_sentence(tmp_path: Path, encoding: Any) -> None:
    with pytest.raises(EngineError, match="choose another encoding"):
        open_table(file(tmp_path, "a,y\n1,p\n2,q\n"), options=TableOptions(encoding=encoding))


@pytest.mark.parametrize("separator", ["::", "\n", '"', 7])
def test_a_separator_is_one_letter(tmp_path: Path, separator: Any) -> None:
    options = TableOptions(separator=separator)
    for call in (
        lambda: open_table(file(tmp_path, "a;y\n1;p\n"), options=options),
        lambda: guess_text("a;y", options),
    ):
        with pytest.raises(EngineError, match="The separator must be one letter"):
            call()


@pytest.mark.parametrize("limit", [0, -1, 1.5, "all"])
def test_a_limit_is_a_number_of_rows(tmp_path: Path, limit: Any) -> None:
    with pytest.raises(EngineError, match="The limit must be a whole number of rows above 0"):
        open_table(file(tmp_path, "a,y\n1,p\n2,q\n"), limit=limit)


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.csv")
    with pytest.raises(
        EngineError, match=r"“pipe\.csv” is no ordinary file; save the table as a file"
    ):
        guess_table(tmp_path / "pipe.csv")


def test_a_table_written_to_a_pipe_leaves_it_a_pipe(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    write_csv(textbook("xor"), pipe)
    assert os.read(reader, 10_000).decode() == table_text(textbook("xor"), ",")
    os.close(reader)
    assert stat.S_ISFIFO(pipe.stat().st_mode)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
@pytest.mark.parametrize("end", ["\x1a", "\n\x1a", "\r\n\x1a\x1a"])
def test_the_end_mark_of_old_programs_is_no_cell(tmp_path: Path, encoding: str, end: str) -> None:
    lines = ["a b y", "1 2 p", "3 4 q"]
    path = file(tmp_path, ("\n".join(lines) + end).encode(encoding))
    data = open_table(path)
    assert shape(data) == [
        ("a", "numeric", "feature"),
        ("b", "numeric", "feature"),
        ("y", "categorical", "target"),
    ]
    assert data.classes == ("p", "q")
    assert len(data) == 2
    assert parse_table("\n".join(lines) + end).columns == data.columns


def test_class_labels_of_many_digits(tmp_path: Path) -> None:
    """1e300 stays short; the number of an account keeps its last digit, and both come back from a
    file.
    """
    cells = ["1e300", "1" + "0" * 300, "12345678901234567", "12345678901234568"]
    data = open_table(
        file(tmp_path, "a,y\n" + "".join(f"{k},{cell}\n" for k, cell in enumerate(cells))),
        target="y",
    )
    assert data.classes == (12345678901234567, 12345678901234568, 1e300)
    assert [type(label) for label in data.classes] == [int, int, float]
    assert max(len(label_text(label)) for label in data.classes) < 20
    assert parse_table(table_text(data), guess_of(data)) == data


@pytest.mark.slow
def test_pasting_tells_how_many_rows_there_were() -> None:
    for head, total in (("a\ty\n", 20_001), ("", 20_001), ("", 500)):
        data, found = parse_counted(head + "1\tp\n" * total)
        assert found == total
        assert len(data) == min(total, 20_000 + (not head))


@pytest.mark.slow
def test_ten_thousand_columns_of_one_name(tmp_path: Path) -> None:
    width = 10_000
    started = time.perf_counter()
    guess = guess_table(file(tmp_path, ",".join("c" * width) + "\n" + ",".join("1" * width) + "\n"))
    # it is 0.2 s; comparing each name with all before took minutes
    assert time.perf_counter() - started < 5
    assert [c.name for c in guess.columns] == ["c", *(f"c ({k})" for k in range(2, width + 1))]


def test_repeated_names_keep_clear_of_those_there_are(tmp_path: Path) -> None:
    guess = guess_table(file(tmp_path, "a,a (2),a,,column,column 4,a\n1,2,3,4,5,6,7\n"))
    assert [c.name for c in guess.columns] == [
        "a",
        "a (2)",
        "a (3)",
        "column (2)",
        "column",
        "column 4",
        "a (4)",
    ]


@pytest.mark.parametrize(
    ("cells", "values", "words"),
    [
        (
            ["1,234", "12,345"],
            [1.234, 12.345],
            "“1,234” in column “a” is read as 1.234; if the comma separates thousands",
        ),
        (["1,234", "0,345"], [1.234, 0.345], ""),
        (["1,234", "1,5"], [1.234, 1.5], ""),
        (["1,234", "1,234,567"], [1234, 1234567], ""),
        (["1,234.5", "2,345"], [1234.5, 2345], ""),
    ],
)
def test_commas_before_three_digits(
    tmp_path: Path, cells: list[str], values: list[float], words: str
) -> None:
    path = file(tmp_path, "a\ty\n" + "".join(f"{cell}\tp\n" for cell in cells))
    said = [notice for notice in guess_table(path).notices if "is read as" in notice]
    assert open_table(path)["a"].labels() == values
    assert (len(said), words in "".join(said)) == (bool(words), True)
    if words:
        assert open_table(path, options=TableOptions(decimal="."))["a"].labels() == [1234, 12345]


def test_thousands_in_quotes(tmp_path: Path) -> None:
    path = file(tmp_path, 'a,y\n"1,234",p\n"12,345",q\n')
    assert open_table(path)["a"].labels() == [1234, 12345]
    assert any(
        "if the comma is a decimal comma, choose that" in notice
        for notice in guess_table(path).notices
    )
    assert open_table(path, options=TableOptions(decimal=","))["a"].labels() == [1.234, 12.345]


def test_years_may_be_column_names(tmp_path: Path) -> None:
    assert [c.name for c in open_table(file(tmp_path, "2019,2020,y\n1,2,p\n3,4,q\n")).columns] == [
        "2019",
        "2020",
        "y",
    ]
    for rows in (
        "2019,2020,p\n2018,2019,q\n",  # years below them
        "2019,2020,p\n1,2,p\n",  # a word that stands below
        "2019,2020\n1,2\n",  # no word beside them
    ):
        assert not guess_table(file(tmp_path, rows)).header


def test_a_first_row_that_may_be_names_is_reported(tmp_path: Path) -> None:
    def unsure(text: str, **options: Any) -> bool:
        notices = guess_table(file(tmp_path, text), TableOptions(**options)).notices
        return "The first row is read as data; if it holds the column names, say so." in notices

    assert unsure("10,20,kind\n1,2,p\n3,4,q\n5,6,p\n7,8,q\n")
    assert not unsure("10,20,kind\n1,2,p\n3,4,q\n5,6,p\n7,8,q\n", header=False)
    assert not unsure("10,20,p\n1,2,p\n3,4,q\n5,6,p\n7,8,q\n")
    assert not unsure("1,2,yes\n3,4,no\n")
    assert not unsure("a,b,kind\n1,2,p\n3,4,q\n")


def test_words_only_is_fine(tmp_path: Path) -> None:
    path = file(tmp_path, "colour,size\nred,big\nblue,small\n")
    assert any("No column to learn from holds numbers" in n for n in guess_table(path).notices)
    assert len(open_table(path)) == 2


def test_one_class_is_fine(tmp_path: Path) -> None:
    path = file(tmp_path, "a,y\n1,p\n2,p\n")
    assert any("one class only" in n for n in guess_table(path).notices)
    assert open_table(path).classes == ("p",)


@pytest.mark.slow
def test_ten_thousand_classes(tmp_path: Path) -> None:
    path = file(tmp_path, "a,class\n" + "".join(f"{i % 7},c{i % 10_000}\n" for i in range(20_000)))
    assert open_table(path).target is None
    with pytest.raises(EngineError, match="10000 different labels; the lab shows at most 64"):
        open_table(path, target="class")


def test_points_between_thousands_beside_a_decimal_comma(tmp_path: Path) -> None:
    data = open_table(
        file(
            tmp_path,
            "Länge;Breite;Art\n1,5;2,25;rot\n3,0;;blau\n-1,25;1.000,5;rot\n2,5;−12.345.678;blau\n",
        )
    )
    assert data["Breite"].labels() == [2.25, None, 1000.5, -12345678]
    assert open_table(file(tmp_path, "a;kind\n1.234;p\n2.5;q\n"))["a"].labels() == [1.234, 2.5]
    for word in ("1.23,5", "01.234,5", "1.234.56", "1,234.5"):  # no number with a decimal comma
        assert number_of(word, comma=True) is None
