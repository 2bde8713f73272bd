"""What a table is guessed to mean: its target, what counts its rows, points between thousands, the
remarks.
"""

from pathlib import Path
from typing import Any

import pytest
from openpyxl import Workbook

from engine import run
from engine.read.guess import TableOptions
from engine.read.tables import guess_table, open_noticed, open_table
from engine.table.dataset import ColumnRole, Kind


@pytest.fixture
def table(tmp_path: Path) -> Any:
    """table(text) writes a file and gives its path."""

    def write(text: str) -> Path:
        path = tmp_path / "t.csv"
        path.write_bytes(text.encode())
        return path

    return write


# -- the target ------------------------------------------------------------------------------------

CONTINUOUS = [f"{k}.5" for k in range(12)]


def target_of(path: Path) -> tuple[str, Kind]:
    found = open_table(path).target
    assert found is not None
    return found.name, found.kind


def with_cells(header: str, *columns: list[str]) -> str:
    return header + "\n" + "".join(",".join(row) + "\n" for row in zip(*columns, strict=True))


@pytest.mark.parametrize(
    "name", ["Gruppe", "class", "Klasse", "species", "group", "label", "target"]
)
@pytest.mark.parametrize("marks", ["12", "ab"])
def test_a_column_called_like_a_class_comes_before_many_numbers(
    table: Any, name: str, marks: str
) -> None:
    classes = list(marks * 6)
    for header, columns in (
        (f"x,y,{name}", (CONTINUOUS, CONTINUOUS, classes)),
        (f"{name},x,y", (classes, CONTINUOUS, CONTINUOUS)),
        (f"a,y,{name}", (CONTINUOUS, CONTINUOUS, classes)),
    ):
        assert target_of(table(with_cells(header, *columns))) == (name, Kind.CATEGORICAL)


@pytest.mark.parametrize("x", ["x", "x_long", "a"])
def test_words_that_come_last_come_before_many_numbers(table: Any, x: str) -> None:
    text = with_cells(f"{x},y,what it is", CONTINUOUS, CONTINUOUS, list("pq" * 6))
    assert target_of(table(text)) == ("what it is", Kind.CATEGORICAL)


def test_few_whole_numbers_that_come_last_beside_x_and_y(table: Any) -> None:
    text = with_cells("x,y,kind of it", CONTINUOUS, CONTINUOUS, list("010011010011"))
    assert target_of(table(text)) == ("kind of it", Kind.CATEGORICAL)


@pytest.mark.parametrize(
    ("header", "last"),
    [
        ("x,z,y", CONTINUOUS),
        ("x1,x2,y", CONTINUOUS),
        ("y,x1,group", list("ab" * 6)),  # y first: what the others explain
        ("y,age,what", list("ab" * 6)),
        ("x,y,z", list("010011010011")),  # a third coordinate
        ("x,y,count", [str(k) for k in range(12)]),  # every number once
        ("a,y,count", list("010011010011")),
    ],
)
def test_a_value_to_predict_stays_one(table: Any, header: str, last: list[str]) -> None:
    assert target_of(table(with_cells(header, CONTINUOUS, CONTINUOUS, last))) == ("y", Kind.NUMERIC)


def test_two_columns_x_and_y_are_a_curve(table: Any) -> None:
    assert target_of(table(with_cells("x,y", CONTINUOUS, CONTINUOUS))) == ("y", Kind.NUMERIC)


def test_classes_that_are_called_so_where_there_are_no_words(table: Any) -> None:
    assert target_of(table(with_cells("a,b,Klasse", CONTINUOUS, CONTINUOUS, list("12" * 6)))) == (
        "Klasse",
        Kind.CATEGORICAL,
    )
    assert (
        open_table(table(with_cells("a,b,Klasse", CONTINUOUS, CONTINUOUS, CONTINUOUS))).target
        is None
    )


def test_numbers_that_an_error_spoils_are_no_classes(table: Any) -> None:
    spoilt = ["#DIV/0!", "True", *CONTINUOUS[2:]]
    assert (
        target_of(table(with_cells("x,y,class", CONTINUOUS, spoilt, list("ab" * 6))))[0] == "class"
    )
    assert (
        target_of(table(with_cells("x,y,colour", CONTINUOUS, spoilt, list("ab" * 6))))[0]
        == "colour"
    )
    assert target_of(table(with_cells("x,y,n", CONTINUOUS, spoilt, CONTINUOUS)))[0] == "y"
    marks = [*"01010101010", "unknown"]  # three classes, one of them a word
    assert target_of(table(with_cells("a,y,colour", CONTINUOUS, marks, list("ab" * 6))))[0] == "y"


# Kaggle's train.csv, the first rows
TITANIC = """PassengerId,Survived,Pclass,Name,Sex,Age,SibSp,Parch,Ticket,Fare,Cabin,Embarked
1,0,3,"Braund, Mr. Owen Harris",male,22,1,0,A/5 21171,7.25,,S
2,1,1,"Cumings, Mrs. John Bradley (Florence Briggs Thayer)",female,38,1,0,PC 17599,71.2833,C85,C
3,1,3,"Heikkinen, Miss. Laina",female,26,0,0,STON/O2. 3101282,7.925,,S
4,1,1,"Futrelle, Mrs. Jacques Heath (Lily May Peel)",female,35,1,0,113803,53.1,C123,S
5,0,3,"Allen, Mr. William Henry",male,35,0,0,373450,8.05,,S
6,0,3,"Moran, Mr. James",male,,0,0,330877,8.4583,,Q
7,0,1,"McCarthy, Mr. Timothy J",male,54,0,0,17463,51.8625,E46,S
8,0,3,"Palsson, Master. Gosta Leonard",male,2,3,1,349909,21.075,,S
9,1,3,"Johnson, Mrs. Oscar W (Elisabeth Vilhelmina Berg)",female,27,0,2,347742,11.1333,,S
10,1,2,"Nasser, Mrs. Nicholas (Adele Achem)",female,14,1,0,237736,30.0708,,C
11,1,3,"Sandstrom, Miss. Marguerite Rut",female,4,1,1,PP 9549,16.7,G6,S
12,1,1,"Bonnell, Miss. Elizabeth",female,58,0,0,113783,26.55,C103,S
"""
MARKS, FLAGS, TOWNS = list("010011010011"), list("001100111010"), list("pqrpqrpqrpqr")


def test_the_target_of_the_titanic_is_who_survived(table: Any) -> None:
    path = table(TITANIC)
    assert target_of(path) == ("Survived", Kind.CATEGORICAL)
    assert open_table(path)["PassengerId"].role is ColumnRole.IGNORED
    small = [line.rsplit(",", 1) for line in TITANIC.replace("Survived", "Fate").splitlines()]
    assert target_of(table("\n".join(",".join(line) for line in small)))[0] == "Fate", (
        "the only column of two numbers"
    )


@pytest.mark.parametrize(
    "name",
    [
        "survived",
        "Outcome",
        "default",
        "Churn",
        "Exited",
        "is_fraud",
        "isSpam",
        "DEATH_EVENT",
        "default.payment.next.month",
    ],
)
@pytest.mark.parametrize("marks", ["01", "12", ["yes", "no"]])
def test_an_outcome_comes_before_a_last_column_of_words_and_before_flags(
    table: Any, name: str, marks: list[str]
) -> None:
    outcome = [marks[int(k)] for k in MARKS]
    for header, columns in (
        (f"{name},age,town", (outcome, CONTINUOUS, TOWNS)),
        (f"flag,{name},age,smokes", (FLAGS, outcome, CONTINUOUS, list("yn" * 6))),
        (f"flag,age,{name},town", (FLAGS, CONTINUOUS, outcome, TOWNS)),
    ):
        assert target_of(table(with_cells(header, *columns)))[0] == name


def test_an_outcome_is_found_where_there_are_only_numbers(table: Any) -> None:
    assert target_of(table(with_cells("flag,age,Outcome", FLAGS, CONTINUOUS, MARKS))) == (
        "Outcome",
        Kind.CATEGORICAL,
    )


@pytest.mark.parametrize("marks", [("0", "1"), ("1", "2"), ("-1", "1"), ("1.0", "0.0")])
def test_a_lone_column_of_two_numbers_comes_before_a_last_column_of_words_and_says_so(
    table: Any, marks: Any
) -> None:
    guess = guess_table(
        table(with_cells("age,ill,town", CONTINUOUS, [marks[int(k)] for k in MARKS], TOWNS))
    )
    assert guess.target == "ill"
    assert guess.notices == (
        (
            "Column “ill”, the only one of two numbers, is taken as the target; if “town” is meant,"
            " choose that one."
        ),
    )
    opened = open_noticed(table(with_cells("age,ill,town", CONTINUOUS, MARKS, TOWNS)), "town")
    assert (opened[0].target.name, opened[1]) == ("town", ())  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("header", "columns", "target"),
    [
        ("age,a,b,town", (CONTINUOUS, MARKS, FLAGS, TOWNS), "town"),  # which of the two?
        ("id,age,town", (MARKS, CONTINUOUS, TOWNS), "town"),
        ("age,flag,species", (CONTINUOUS, MARKS, TOWNS), "species"),
        # two answers too, and last
        ("age,credit,status", (CONTINUOUS, MARKS, list("yn" * 6)), "status"),
        ("age,year,town", (CONTINUOUS, ["1990", "2000"] * 6, TOWNS), "town"),
        ("age,ill,town", (CONTINUOUS[:4], MARKS[:4], TOWNS[:4]), "town"),  # too few rows to be sure
        # an outcome of many numbers is no class
        ("age,outcome,town", (CONTINUOUS, CONTINUOUS, TOWNS), "town"),
        ("survived,age,class", (MARKS, CONTINUOUS, TOWNS), "class"),
    ],
)
def test_a_flag_or_an_id_does_not_win_blindly(
    table: Any, header: str, columns: Any, target: str
) -> None:
    guess = guess_table(table(with_cells(header, *columns)))
    assert guess.target == target
    assert not any("taken as the target" in sentence for sentence in guess.notices)


@pytest.mark.parametrize("header", ["x,y", "X,Y", "x,Y", "X,y"])
def test_whole_numbers_of_y_beside_x_are_values_in_any_case(table: Any, header: str) -> None:
    assert target_of(table(with_cells(header, CONTINUOUS, list("012345012345")))) == (
        header[-1],
        Kind.NUMERIC,
    )


# -- columns that count the rows -------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["Unnamed: 0", "Nr", "nr.", "No.", "#", "index", "id", "", "PassengerId", "case_no"]
)
@pytest.mark.parametrize("first", [0, 1])
def test_a_column_that_counts_the_rows_names_them(table: Any, name: str, first: int) -> None:
    count = [str(k + first) for k in range(12)]
    data = open_table(
        table(with_cells(f"{name},x,y,class", count, CONTINUOUS, CONTINUOUS, list("ab" * 6)))
    )
    assert [c.role.value for c in data.columns] == ["name", "feature", "feature", "target"]
    assert data.row_names()[:2] == (str(first), str(first + 1))


def test_a_count_in_a_sample_of_the_rows_is_one(table: Any) -> None:
    text = "Nr,a,kind\n" + "".join(f"{k},{k % 7}.5,{'pq'[k % 2]}\n" for k in range(1, 301))
    assert open_table(table(text), limit=50)["Nr"].role is ColumnRole.NAME


@pytest.mark.parametrize(
    "cells", [["1", "2", "4"], ["3", "2", "1"], ["2", "3", "4"], ["1", "2", ""], ["1", "1", "2"]]
)
def test_other_numbers_are_no_count(table: Any, cells: list[str]) -> None:
    data = open_table(table(with_cells("Nr,a,kind", cells, ["0.5", "1.5", "2"], ["p", "q", "p"])))
    assert data["Nr"].role is ColumnRole.FEATURE


def test_a_coordinate_that_counts_stays_a_coordinate(table: Any) -> None:
    data = open_table(table("x,y\n1,0.5\n2,1.5\n3,0.25\n"))
    assert data["x"].role is ColumnRole.FEATURE
    assert open_table(table("Nr\n1\n2\n3\n"))["Nr"].role is ColumnRole.FEATURE, "the only column"


def test_so_called_numbers_of_a_few_rows_are_no_count(table: Any) -> None:
    data = open_table(table("number of rooms,a,kind\n1,0.5,p\n2,1.5,q\n3,2,p\n"))
    assert data["number of rooms"].role is ColumnRole.FEATURE


def test_names_come_before_a_count(table: Any) -> None:
    path = table(",name,a,kind\n0,ann,1.5,p\n1,bob,2.5,q\n")
    guess = guess_table(path)
    assert [c.role.value for c in guess.columns] == ["ignored", "name", "feature", "target"]
    assert guess.notices == ("Column “column 1” counts the rows; it is ignored.",)


@pytest.mark.parametrize("rows", [30, 120])
def test_numbers_that_a_word_spoils_name_no_rows(table: Any, rows: int) -> None:
    """All cells differ, as names do; the sentence tells which column it is, what became of it, and
    the way out.
    """
    cells = ["abc", *(str(k) for k in range(1, rows))]
    guess = guess_table(
        table(
            with_cells("x,y,kind", cells, [f"{k}.5" for k in range(rows)], list("pq" * (rows // 2)))
        )
    )
    assert [c.role.value for c in guess.columns] == [
        "feature" if rows == 30 else "ignored",
        "feature",
        "target",
    ]
    became = "" if rows == 30 else ", and ignored: too many of its cells differ"
    assert guess.notices == (
        (
            f"Column “x” holds numbers, and “abc”: it is read as words{became}. If “abc” means"
            " missing, add it to the missing words, and the column holds numbers."
        ),
    )
    again = guess_table(
        table(with_cells("x,kind", cells, list("pq" * (rows // 2)))), TableOptions(missing=("abc",))
    )
    assert again.columns[0].kind is Kind.NUMERIC


def test_two_words_among_numbers_are_reported_together(table: Any) -> None:
    guess = guess_table(table(with_cells("a,kind", ["m", "NA", *CONTINUOUS[2:]], list("pq" * 6))))
    assert guess.notices[1:] == (
        (
            "Column “a” holds numbers, and “m” and “NA”: it is read as words. If “m” and “NA” mean"
            " missing, add them to the missing words, and the column holds numbers."
        ),
    )


def test_words_still_name_rows(table: Any) -> None:
    # house numbers: as many words as numbers
    cells = [f"{k}a" if k % 2 else str(k) for k in range(30)]
    data = open_table(
        table(with_cells("house,x,kind", cells, [f"{k % 7}.5" for k in range(30)], list("pq" * 15)))
    )
    assert data["house"].role is ColumnRole.NAME


# -- columns that are not learnt from --------------------------------------------------------------

DATES = [
    ["2024-01-12", "2024-01-30", "2024-02-12"], ["12.01.2024", "30.01.2024", "1.2.24"],
    ["1/12/2024", "1/30/2024", "2/1/2024"],
    ["2024/01/12", "2024/1/30", "2024/2/12"], ["2024-01-12T08:30:00", "2024-01-30 08:30",
    "2024-02-12T08:30:00.5Z"],
]  # fmt: skip


@pytest.mark.parametrize("cells", DATES)
@pytest.mark.parametrize("gap", ["", "2024-01-12"])
def test_dates_are_not_learnt_from_and_reported(table: Any, cells: list[str], gap: str) -> None:
    guess = guess_table(table(with_cells("day,x,kind", [*cells, gap], list("1231"), list("pqpq"))))
    assert [c.role.value for c in guess.columns] == ["ignored", "feature", "target"]
    assert guess.notices == (
        "Column “day” holds dates; it is ignored, because each would be a category of its own.",
    )
    assert guess.with_column("day", role=ColumnRole.FEATURE).columns[0].kind is Kind.CATEGORICAL, (
        "who wants to, may"
    )


def test_dates_are_not_guessed_as_what_is_predicted(table: Any) -> None:
    path = table(
        with_cells(
            "kind,x,day", list("pqp"), list("123"), ["2024-01-12", "2024-01-13", "2024-01-12"]
        )
    )
    assert target_of(path)[0] == "kind"
    assert open_table(path, target="day")["day"].role is ColumnRole.TARGET


def test_a_date_for_every_row_names_it(table: Any) -> None:
    days = [f"{k:02}.01.2024" for k in range(1, 31)]
    guess = guess_table(
        table(with_cells("day,x,kind", days, [f"{k % 7}" for k in range(30)], list("pq" * 15)))
    )
    assert (guess.columns[0].role, guess.notices) == (ColumnRole.NAME, ())


@pytest.mark.parametrize(
    "cells",
    [
        ["2024-13-32", "2024-01-12"],
        ["1.2.3.4", "1.2.3.5"],
        ["12-2024", "1-2024"],
        ["40/40/2024", "1/1/2024"],
    ],
)
def test_what_is_no_date_stays_a_category(table: Any, cells: list[str]) -> None:
    data = open_table(
        table(with_cells("code,x,kind", [*cells, cells[0]], list("121"), list("pqp")))
    )
    assert data["code"].role is ColumnRole.FEATURE


@pytest.mark.parametrize("cell", ["k", "7", "TRUE"])
def test_a_column_with_the_same_in_every_row_is_not_learnt_from(table: Any, cell: str) -> None:
    guess = guess_table(table(with_cells("a,x,kind", [cell] * 4, list("1231"), list("pqpq"))))
    assert [c.role.value for c in guess.columns] == ["ignored", "feature", "target"]
    assert guess.notices == (f"Column “a” holds “{cell}” in every row; it is ignored.",)


def test_the_only_column_a_target_and_gaps_are_kept(table: Any) -> None:
    only = open_table(table(with_cells("a,kind", list("kkkk"), list("pqpq"))))
    assert [c.role.value for c in only.columns] == ["feature", "target"]
    row = open_table(table("x,y,kind\n1,2,p\n"))
    assert [c.role.value for c in row.columns][:2] == ["feature", "target"]
    gaps = open_table(
        table(with_cells("a,x,class", ["k", "k", "", ""], list("1231"), list("pppp")))
    )
    assert [c.role.value for c in gaps.columns] == ["feature", "feature", "target"]


# -- points between thousands ----------------------------------------------------------------------


def test_points_before_three_digits_are_reported(table: Any) -> None:
    path = table("income;age;credit\n15.356;33;no\n85.464;36;yes\n;39;yes\n")
    notice = "“15.356” in column “income” is read as {}; if the point {}."
    assert guess_table(path).notices == (
        notice.format("15.356", "separates thousands, choose the decimal comma"),
    )
    assert open_table(path)["income"].labels() == [15.356, 85.464, None]
    comma = TableOptions(decimal=",")
    assert guess_table(path, comma).notices == (
        notice.format("15356", "is a decimal point, choose that"),
    )
    assert open_table(path, options=comma)["income"].labels() == [15356, 85464, None]


@pytest.mark.parametrize(
    "cells",
    [
        ["1.234", "2.5"],
        ["1.234", "2"],
        ["0.234", "1.345"],
        ["1.234", "1.2345"],
        ["1.234", "1234.567"],
    ],
)
def test_points_of_decimals_are_not_reported(table: Any, cells: list[str]) -> None:
    path = table(
        "a;kind\n" + "".join(f"{cell};{kind}\n" for cell, kind in zip(cells, "pq", strict=True))
    )
    assert guess_table(path).notices == ()
    assert open_table(path)["a"].labels() == [float(cell) for cell in cells]


def test_between_commas_a_point_is_a_decimal_one(table: Any) -> None:
    assert guess_table(table("a,kind\n1.234,p\n2.345,q\n")).notices == ()


def test_beside_decimal_commas_such_points_separate_thousands(table: Any) -> None:
    path = table("income;height;credit\n15.356;1,75;no\n985;1,5;yes\n")
    guess = guess_table(path)
    assert guess.decimal == ","
    assert open_table(path)["income"].labels() == [15356, 985]
    assert guess.notices == (
        (
            "“15.356” in column “income” is read as 15356; if the point is a decimal point, choose"
            " that."
        ),
    )


def test_where_commas_may_separate_thousands_too_points_are_decimal(table: Any) -> None:
    data = open_table(table("income;weight;credit\n15,356;12.345;no\n1,985;1.500;yes\n"))
    assert (data["income"].labels(), data["weight"].labels()) == ([15356, 1985], [12.345, 1.5])


def test_numbers_of_a_sheet_have_decimal_points(tmp_path: Path) -> None:
    book = Workbook()
    for row in (["weight", "note", "kind"], [15.356, "1,5", "p"], [12.125, "2,5", "q"]):
        book.active.append(row)
    book.save(tmp_path / "t.xlsx")
    assert open_table(tmp_path / "t.xlsx")["weight"].labels() == [15.356, 12.125]


# -- decimal commas between commas -----------------------------------------------------------------


def test_decimal_commas_in_quotes_are_read_and_reported(table: Any) -> None:
    path = table('x,y,cls\n"0,5",1,a\n"1,25","3,5",b\n"−2,5",NA,a\n"1.234,5",2,b\n')
    guess = guess_table(path)
    assert (guess.separator, guess.decimal) == (",", ",")
    assert open_table(path)["x"].labels() == [0.5, 1.25, -2.5, 1234.5]
    assert [c.role.value for c in guess.columns] == ["feature", "feature", "target"]
    notice = (
        "“{}” in column “{}” is read as {}; if its comma is no decimal one, choose the decimal"
        " point."
    )
    gap = "“NA” stands among the numbers of column “y”: it counts as missing there."
    assert guess.notices == (
        notice.format("0,5", "x", "0.5"),
        gap,
        notice.format("3,5", "y", "3.5"),
    )
    assert open_table(path, options=TableOptions(decimal="."))["x"].kind is Kind.CATEGORICAL
    assert guess_table(table('x,cls\n"0,5",a\nNA,b\n')).decimal == ","


@pytest.mark.parametrize(
    "cells",
    [
        ["1,234", "5,678"],  # thousands
        ["1,5", "1,2,3"],  # lists
        ["1,5", "word"],
        ["1,5", "2.5"],  # a point
        ["1,5", "1,234,567"],
    ],
)
def test_other_commas_in_quotes_are_no_decimal_ones(table: Any, cells: list[str]) -> None:
    path = table(
        "a,b,kind\n" + "".join(f'"{cell}",{k},{"pq"[k]}\n' for k, cell in enumerate(cells))
    )
    assert guess_table(path).decimal == "."


@pytest.mark.parametrize("other", ["0.5", "1.234"])
def test_a_point_elsewhere_speaks_against_them(table: Any, other: str) -> None:
    """Between commas a point is a decimal one, before three digits as well."""
    path = table(f'a,b,kind\n"1,5",{other},p\n"2,5",2,q\n')
    assert guess_table(path).decimal == "."
    assert open_table(path)["b"].labels() == [float(other), 2]


# -- no numbers ------------------------------------------------------------------------------------


def test_what_a_table_without_numbers_is_good_for(table: Any) -> None:
    """Pairs of words count as 0 and 1, so that what learns from numbers takes them."""
    pairs = table("a,b,class\nTRUE,no,0\nFALSE,yes,1\nTRUE,yes,1\n")
    assert guess_table(pairs).notices == (
        "No column to learn from holds numbers: the plane stays empty.",
    )
    assert len(run("perceptron", open_table(pairs), max_steps=20)) > 1
    words = table("a,b,class\nred,no,0\ngreen,yes,1\nblue,yes,1\n")
    assert guess_table(words).notices == (
        "No column to learn from holds numbers: the plane stays empty, tables and trees work.",
    )
