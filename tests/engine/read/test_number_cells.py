"""Numbers as people write them: per cent and money, thousands apart by blanks; what is reported about
them.
"""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.read.guess import TableOptions
from engine.read.number_cells import number_of, unit_of
from engine.read.tables import guess_table, guess_text, open_table, parse_table
from engine.table.dataset import Kind


@pytest.mark.parametrize(
    ("cell", "value", "unit"),
    [
        ("12 %", 12, "%"),
        ("7.50 €", 7.5, "€"),
        ("$5", 5, "$"),
        ("−$5", -5, "$"),
        ("£−5", -5, "£"),
        ("1’234.5 CHF", 1234.5, "CHF"),
        ("1,234 $", 1234, "$"),
        ("1 234", 1234, ""),
        ("1\u00a0234\u202f567", 1234567, ""),
        ("3.5‰", 3.5, "‰"),
    ],
)
def test_signs_beside_digits_are_left_out(cell: str, value: float, unit: str) -> None:
    assert (number_of(cell), unit_of(cell)) == (value, unit)


@pytest.mark.parametrize(
    "cell", ["5 kg", "A1", "%", "€", "$5€", "3%%", "1 23", "01 234", "12.5.2020", "1-2", "", " "]
)
def test_what_is_no_number_stays_none(cell: str) -> None:
    assert (number_of(cell), number_of(cell, comma=True)) == (None, None)


@given(
    st.floats(-1e6, 1e6).map(lambda v: round(v, 2)),
    st.sampled_from(["%", "€", "EUR", "$"]),
    st.booleans(),
)
def test_any_number_with_a_sign_is_that_number(value: float, unit: str, comma: bool) -> None:
    digits = f"{value:.2f}".replace(".", ",") if comma else f"{value:,.2f}"
    assert number_of(f"{digits} {unit}", comma) == value


def written(folder: Path, text: str) -> Path:
    path = folder / "t.csv"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_column_of_prices_holds_numbers_and_says_so(tmp_path: Path) -> None:
    path = written(tmp_path, "share;price;kind\n12 %;7,50 €;p\n3 %;1.238,00 €;q\n4,5 %;9 €;p\n")
    guess = guess_table(path)
    assert (guess.header, guess.decimal) == (True, ",")
    assert guess.notices == (
        "“12 %” in column “share” is read as 12.",
        "“7,50 €” in column “price” is read as 7.5.",
    )
    data = open_table(path)
    assert (data["share"].labels(), data["price"].labels()) == ([12, 3, 4.5], [7.5, 1238, 9])


def test_cells_without_the_sign_are_reported(tmp_path: Path) -> None:
    guess = guess_table(written(tmp_path, "a,kind\n0.12,p\n5 %,q\n0.3,p\n"))
    assert guess.notices == ("“5 %” in column “a” is read as 5, like the cells without “%”.",)


def test_prices_of_two_moneys_are_categories(tmp_path: Path) -> None:
    path = written(tmp_path, "a,b,kind\n5 €,1,p\n5 $,2,q\n6 $,3,p\n")
    assert [c.kind for c in open_table(path).columns] == [
        Kind.CATEGORICAL,
        Kind.NUMERIC,
        Kind.CATEGORICAL,
    ]


# -- a decimal sign for each column ----------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "k;x;z\na;1,5;1.2\nb;2,25;3.4\n",
        "k\tx\tz\na\t1,5\t1.2\nb\t2,25\t3.4\n",
        'k,x,z\na,"1,5",1.2\nb,"2,25",3.4\n',
        "x;z;k\n1,5;1.2;a\n2,25;3.4;b\n",
        "k;x;z\na;1,5;1.2\nb;NA;3.4\nb;2,25;\n",
    ],
)
def test_a_decimal_comma_beside_a_decimal_point(text: str) -> None:
    data = parse_table(text)
    guess = guess_text(text)
    assert [v for v in data["x"].labels() if v is not None] == [1.5, 2.25]
    assert [v for v in data["z"].labels() if v is not None] == [1.2, 3.4]
    assert guess.target == "k"
    assert (
        "Column “x” is read with decimal commas, as “1,5”; the others with points." in guess.notices
    )
    plain = guess_text(text, TableOptions(decimal="."))
    assert next(c.kind for c in plain.columns if c.name == "x") is Kind.CATEGORICAL


def test_a_table_of_commas_with_a_column_of_points_behind_the_first_rows() -> None:
    rows = [f"{k},5;{k}" for k in range(300)] + ["7,5;8.25"]
    data = parse_table("x;z\n" + "\n".join(rows) + "\n")
    assert data["x"].labels()[:2] == [0.5, 1.5]
    assert data["z"].labels()[-1] == 8.25


# -- below zero, and lists -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cell", "value"),
    [
        ("(3.20)", -3.2),
        ("(3)", -3),
        ("12.50-", -12.5),
        ("12.50 −", -12.5),
        ("–12.5", -12.5),
        ("( 3 )", -3),
        ("– 4", -4),
        ("($5.25)", -5.25),
        ("$(5.25)", -5.25),
        ("(1,234.5)", -1234.5),
        ("(12 %)", -12),
        ("5 €-", -5),
    ],
)
def test_numbers_below_zero_as_accountants_write_them(cell: str, value: float) -> None:
    assert number_of(cell) == value


@pytest.mark.parametrize(
    "cell", ["(-3)", "()", "-5-", "(x)", "((3))", "-", "3--", "(3", "3)", "(3)-", "400,401,402"]
)
def test_what_is_no_such_number(cell: str) -> None:
    assert number_of(cell) is None


@given(
    st.floats(-1e6, -0.01).map(lambda v: round(v, 2)),
    st.sampled_from(["({})", "{}-", "({} €)", "{} −"]),
    st.booleans(),
)
def test_any_number_below_zero(value: float, way: str, comma: bool) -> None:
    digits = f"{-value:.2f}".replace(".", ",") if comma else f"{-value:,.2f}"
    assert number_of(way.format(digits), comma) == value


def test_a_column_of_them_is_reported(tmp_path: Path) -> None:
    path = written(tmp_path, "gain;kind\n3.20;a\n(1.50);b\n12.50-;a\n")
    assert open_table(path)["gain"].labels() == [3.2, -1.5, -12.5]
    assert "“(1.50)” in column “gain” is read as -1.5." in guess_table(path).notices


@pytest.mark.parametrize(
    "cells", [["400,401,402", "7"], ["200,404,500", "200,404", "301"], ["100,101", "400,401,402"]]
)
def test_a_list_of_codes_is_no_number(cells: list[str]) -> None:
    text = "codes\tv\n" + "".join(f"{cell}\t1.5\n" for cell in cells)
    column = next(c for c in guess_text(text).columns if c.name == "codes")
    assert column.natural is Kind.CATEGORICAL


def test_thousands_stay_numbers() -> None:
    data = parse_table("people\tv\n331,002,651\t1\n1,380,004,385\t2\n97,338,579\t3\n")
    assert data["people"].labels() == [331002651, 1380004385, 97338579]


@pytest.mark.parametrize(
    "text",
    [
        "k;x\na;1,5\nb;2.5\na;3,5\n",
        "k;x;z\na;1,5;1\nb;2.25;2\na;NA;3\n",
        "k;x\na;1,5\nb;2,5\na;3,5\nb;4.5\n",
    ],
)
def test_both_decimal_signs_in_one_column_are_reported(text: str) -> None:
    guess = guess_text(text)
    assert guess.columns[1].kind is Kind.CATEGORICAL
    assert any("decimal commas and decimal points" in said for said in guess.notices)
    assert not any("holds numbers, and" in said for said in guess.notices)
    assert guess.suggested == ()


def test_a_number_below_zero_with_a_sign_of_money_is_reported_once() -> None:
    guess = guess_text("k,v\na,($3.20)\nb,$4.5\na,($1.00)\n")
    assert [said for said in guess.notices if "3.20" in said] == [
        "“($3.20)” in column “v” is read as -3.2."
    ]


def test_numbers_that_may_list_codes_are_reported() -> None:
    guess = guess_text('k,v\na,"402,400,401"\nb,"400,402"\na,401\n')
    assert any("“402,400,401” in column “v”" in said and "codes" in said for said in guess.notices)
    plain = guess_text('k,v\na,"1,402,400"\nb,"400,402"\na,401\n')
    assert not any("codes" in said for said in plain.notices)
