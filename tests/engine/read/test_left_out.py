"""What stands in a table file and is no part of the table: titles, remarks, empty rows, cells
beside it.
"""

from pathlib import Path
from typing import Any

import pytest

from engine.base.errors import EngineError
from engine.read.tables import (
    guess_of,
    guess_table,
    open_noticed,
    open_table,
    parse_table,
    read_table,
    table_text,
)
from engine.table.dataset import ColumnRole, Dataset, category_column, number_column


@pytest.fixture
def table(tmp_path: Path) -> Any:
    """table(text) writes a file; of rows it makes an Excel file."""

    def write(content: str | list[list[Any]]) -> Path:
        if isinstance(content, str):
            path = tmp_path / "t.csv"
            path.write_bytes(content.encode())
            return path
        from openpyxl import Workbook

        book = Workbook()
        for row in content:
            book.active.append(row)
        book.save(tmp_path / "t.xlsx")
        return tmp_path / "t.xlsx"

    return write


def opened(path: Path) -> tuple[dict[str, list[Any]], tuple[str, ...]]:
    """({column: labels}, sentences); the dialog's way, a guess and then a reading,
    gives the same.
    """
    data, said = open_noticed(path)
    guess = guess_table(path)
    assert guess.notices == said
    assert guess.rows == len(data)
    assert read_table(path, guess).columns == data.columns
    return {c.name: c.labels() for c in data.columns}, said


# -- errors of Excel -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "error", ["#DIV/0!", "#N/A", "#VALUE!", "#REF!", "#NAME?", "#NUM!", "#NULL!"]
)
def test_a_cell_with_an_error_is_empty(table: Any, error: str) -> None:
    """Among numbers as among words: nothing could be computed, and no category is called so."""
    columns, said = opened(
        table([["a", "pet", "kind"], [1, "cat", "p"], [error, "dog", "q"], [3, "cat", "p"]])
    )
    assert columns == {"a": [1, None, 3], "pet": ["cat", "dog", "cat"], "kind": ["p", "q", "p"]}
    assert said == (f"A cell holds an error and counts as empty: A3 (“{error}”).",)
    columns, said = opened(
        table([["a", "pet", "kind"], [1, "cat", "p"], [2, error, error], [3, "dog", "q"]])
    )
    assert columns == {"a": [1, 2, 3], "pet": ["cat", None, "dog"], "kind": ["p", None, "q"]}
    assert said == (
        f"2 cells hold an error and count as empty: B3 (“{error}”) and C3 (“{error}”).",
    )


def test_many_errors_are_counted(table: Any) -> None:
    rows = [[k, "#REF!" if k % 2 else k / 4, "pq"[k % 3 == 0]] for k in range(40)]
    columns, said = opened(table([["a", "b", "kind"], *rows, ["#REF!", "#REF!", "#REF!"]]))
    assert columns["b"][:4] == [0, None, 0.5, None]
    assert len(columns["b"]) == 40, "a row of errors alone is no example"
    assert said == (
        "23 cells hold an error and count as empty: B3 (“#REF!”), B5 (“#REF!”) and more.",
    )


def test_an_error_in_a_text_file_is_missing_among_numbers(table: Any) -> None:
    columns, said = opened(table("a,pet,kind\n1,cat,p\n#DIV/0!,#REF!,q\n3,cat,p\n"))
    assert columns == {"a": [1, None, 3], "pet": ["cat", "#REF!", "cat"], "kind": ["p", "q", "p"]}
    assert said == (
        "“#DIV/0!” stands among the numbers of column “a”: it counts as missing there.",
        (
            "“#REF!” in column “pet” is read as a category; if it means missing, add it to the"
            " missing words."
        ),
    )


# -- empty rows ------------------------------------------------------------------------------------


@pytest.mark.parametrize("empty", [";;", " ; ;", ";", '"";"";""'])
def test_rows_of_separators_are_no_examples(table: Any, empty: str) -> None:
    """Excel writes them below a table; between rows they are reported, below them they are not."""
    path = table(f"a;b;kind\n1;2;p\n{empty}\n3;4;q\n{empty}\n{empty}\n")
    columns, said = opened(path)
    assert columns == {"a": [1, 3], "b": [2, 4], "kind": ["p", "q"]}
    assert said == ("A row is left out: all its cells are empty.",)
    below, silence = opened(table(f"a;b;kind\n1;2;p\n3;4;q\n{empty}\n{empty}\n"))
    assert (below["a"], silence) == ([1, 3], ())


def test_several_empty_rows_are_counted(table: Any) -> None:
    assert opened(table("a,kind\n1,p\n,\n\n,\n2,q\n,\n3,p\n"))[1] == (
        "3 rows are left out: all their cells are empty.",
    )


def test_an_empty_row_takes_no_number(table: Any) -> None:
    """Rows are counted as the table shows them, lines as the file has them."""
    with pytest.raises(EngineError, match="infinite number in row 2"):
        open_table(table("a,kind\n1,p\n,\ninf,q\n"))
    with pytest.raises(EngineError, match="Line 4 of"):
        open_table(table("a,kind\n1,p\n,\n2,q,r\n"))


def test_rows_with_any_cell_stay(table: Any) -> None:
    assert opened(table("a,b,kind\n1,2,p\n,,q\n?,,\n5,6,q\n"))[0]["kind"] == ["p", "q", None, "q"]


def test_an_empty_row_of_a_copied_table_comes_back() -> None:
    data = Dataset(
        (number_column("a", [1, None, 2]), category_column("b", ["p", None, "q"])), "rows"
    )
    assert parse_table(table_text(data), guess_of(data)) == data


def test_empty_rows_of_a_sheet(table: Any) -> None:
    columns, said = opened(table([["a", "kind"], [1, "p"], [" ", ""], [2, "q"], [None, " "]]))
    assert (columns["a"], said) == ([1, 2], ())


# -- titles and remarks ----------------------------------------------------------------------------


def test_a_title_above_the_names(table: Any) -> None:
    rows = "Name;Punkte;Note\nAnna;12,5;gut\nBen;8;mittel\nCleo;3;schlecht\n"
    for title in ("Klassenliste 10b;;\n;;\n", "Klassenliste 10b\n\n", "Klassenliste 10b\n"):
        columns, said = opened(table(title + rows))
        assert columns["Punkte"] == [12.5, 8, 3]
        assert said == ("The first line is left out: “Klassenliste 10b”.",)


def test_remarks_above_the_names(table: Any) -> None:
    columns, said = opened(
        table("# measured 2024\n# by me, at home\nx,y,class\n1,2,a\n2,3,b\n3,4,a\n")
    )
    assert columns == {"x": [1, 2, 3], "y": [2, 3, 4], "class": ["a", "b", "a"]}
    assert said == ("The first 2 lines are left out: “# measured 2024” and “# by me, at home”.",)
    more = opened(table("# one\n# two\n\n# four\n1 2 p\n3 4 q\n"))
    assert more[0] == {"x1": [1, 3], "x2": [2, 4], "x3": ["p", "q"]}
    assert more[1] == ("The first 4 lines are left out: “# one”, “# two” and more.",)


def test_quotation_marks_in_a_remark_need_not_match(table: Any) -> None:
    assert opened(table('# x,"the width" of it\nx,kind\n1,a\n2,b\n'))[0] == {
        "x": [1, 2],
        "kind": ["a", "b"],
    }


def test_a_title_above_the_names_of_a_sheet(table: Any) -> None:
    title: list[list[Any]] = [["Noten der Klasse 10b"], [], ["Name", "Punkte", "Note"]]
    columns, said = opened(
        table([*title, ["Ann", 1.5, "gut"], ["Ben", 3, "gut"], ["Cleo", 2, None]])
    )
    assert columns == {
        "Name": ["Ann", "Ben", "Cleo"],
        "Punkte": [1.5, 3, 2],
        "Note": ["gut", "gut", None],
    }
    assert said[0] == "The first row is left out: “Noten der Klasse 10b”."
    centred = [[None, "Noten"], ["Name", "Punkte", "Note"], ["Ann", 1.5, "gut"], ["Ben", 3, "mies"]]
    assert opened(table(centred))[0]["Punkte"] == [1.5, 3]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("#,x,kind\n1,2,p\n2,3,q\n", ["#", "x", "kind"]),  # a column called #
        ("# x,y,kind\n1,2,p\n2,3,q\n", ["# x", "y", "kind"]),  # names behind a mark
        ("#ff0000,1,p\nred,2,q\nblue,3,p\n", ["x1", "x2", "x3"]),  # a colour
        ("colour,\nred,1\nblue,2\n", ["colour", "column 2"]),  # one of two names
        (",price\na,1.5\nb,2.5\n", ["name", "price"]),  # a series of pandas
        ("p,\nq,r\np,s\nq,r\n", ["x1", "x2"]),  # words, the first row is one of them
        ("5,,\n,2,3\n1,2,4\n", ["x1", "x2", "x3"]),  # numbers with gaps
        ("word\nother\nthird\n", ["word"]),
    ],
)
def test_a_first_line_that_may_be_part_of_the_table_stays(
    table: Any, text: str, names: list[str]
) -> None:
    columns, said = opened(table(text))
    assert list(columns) == names
    assert not any("left out" in sentence for sentence in said)


def test_only_remarks_are_a_table_as_before(table: Any) -> None:
    assert opened(table("#a,b\n#c,d\n"))[0] == {"#a": ["#c"], "b": ["d"]}


# -- cells beside the table ------------------------------------------------------------------------


def test_a_remark_beside_a_sheet(table: Any) -> None:
    rows: list[list[Any]] = [
        ["x", "y", "class"],
        [0, 0, "a"],
        [1, 1, "b", None, "note"],
        [2, 4, "a"],
    ]
    columns, said = opened(table(rows))
    assert columns == {"x": [0, 1, 2], "y": [0, 1, 4], "class": ["a", "b", "a"]}
    assert said == ("A cell beside the table is left out: E3.",)
    both = opened(
        table([*rows, [3, 5, "b", None, "one", "two"], [None, None, None, None, "below"]])
    )
    assert both[0]["x"] == [0, 1, 2, 3]
    assert both[1] == ("4 cells beside the table are left out: E3, E5 and more.",)


def test_a_cell_that_touches_a_sheet_is_refused(table: Any) -> None:
    with pytest.raises(
        EngineError,
        match=r"Line 3 of “t\.xlsx” has 4 cells, the first row has 3.*empty column before it",
    ):
        open_table(table([["x", "y", "class"], [0, 0, "a"], [1, 1, "b", "note"], [2, 4, "a"]]))


# -- names of rows, as R writes them ---------------------------------------------------------------

NAMED = (
    "Each row has one cell more than the first line: the first cells are read as names of the rows."
)


@pytest.mark.parametrize("separator", [" ", "\t", ";"])
@pytest.mark.parametrize("quote", ['"', ""])
def test_rows_that_begin_with_a_name(table: Any, separator: str, quote: str) -> None:
    lines = ["x y class", "0 0.5 1.5 a", "1 0.25 2 b", "2 3 4.5 a"]
    text = "\n".join(
        separator.join(f"{quote}{cell}{quote}" for cell in line.split()) for line in lines
    )
    columns, said = opened(table(text))
    assert columns == {
        "name": [0, 1, 2],
        "x": [0.5, 0.25, 3],
        "y": [1.5, 2, 4.5],
        "class": ["a", "b", "a"],
    }
    assert open_table(table(text))["name"].role is ColumnRole.NAME
    assert said == (NAMED,)


def test_words_and_counts_name_rows_between_commas(table: Any) -> None:
    assert opened(table("mpg,cyl\nMazda,21,6\nFiat,32.4,4\n"))[0]["cyl"] == [6, 4]
    counted = "".join(f"{k},{k / 4},p\n" for k in range(1, 8))
    assert opened(table("a,kind\n" + counted))[1][0] == NAMED


@pytest.mark.parametrize(
    "text",
    [
        "size,kind\n1,5,p\n2,5,q\n3,5,p\n",  # decimal commas
        "a;b\n1;2;\n3;4;\n",  # a separator at the end
        "a;b\n1;2;p\n1;4;q\n",  # the same name twice
        "a;b\n1;2;p\n",  # one row is no rule
        "a;b\n1;2;p\n2;4;q\n3;4\n",
    ],
)
def test_a_cell_more_that_is_no_name_is_a_fault(table: Any, text: str) -> None:
    with pytest.raises(EngineError, match=r"Line 2 of “t\.csv” has 3 cells, the first row has 2"):
        open_table(table(text))
