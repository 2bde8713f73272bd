"""Numbers as people write them: per cent and money, thousands apart by blanks; what is told about them."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.dataset import Kind
from engine.data.number_cells import number_of, unit_of
from engine.data.tables import guess_table, open_table


@pytest.mark.parametrize(
    ("cell", "value", "unit"),
    [
        ("12 %", 12, "%"), ("7.50 €", 7.5, "€"), ("$5", 5, "$"), ("−$5", -5, "$"), ("£−5", -5, "£"), ("1’234.5 CHF", 1234.5, "CHF"),
        ("1,234 $", 1234, "$"), ("1 234", 1234, ""), ("1\u00a0234\u202f567", 1234567, ""), ("3.5‰", 3.5, "‰"),
    ],
)  # fmt: skip
def test_signs_beside_digits_are_left_out(cell: str, value: float, unit: str) -> None:
    assert (number_of(cell), unit_of(cell)) == (value, unit)


@pytest.mark.parametrize("cell", ["5 kg", "A1", "%", "€", "$5€", "3%%", "1 23", "01 234", "12.5.2020", "1-2", "", " "])
def test_what_is_no_number_stays_none(cell: str) -> None:
    assert (number_of(cell), number_of(cell, comma=True)) == (None, None)


@given(st.floats(-1e6, 1e6).map(lambda v: round(v, 2)), st.sampled_from(["%", "€", "EUR", "$"]), st.booleans())
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


def test_cells_without_the_sign_are_told(tmp_path: Path) -> None:
    guess = guess_table(written(tmp_path, "a,kind\n0.12,p\n5 %,q\n0.3,p\n"))
    assert guess.notices == ("“5 %” in column “a” is read as 5, like the cells without “%”.",)


def test_prices_of_two_moneys_are_categories(tmp_path: Path) -> None:
    path = written(tmp_path, "a,b,kind\n5 €,1,p\n5 $,2,q\n6 $,3,p\n")
    assert [c.kind for c in open_table(path).columns] == [Kind.CATEGORICAL, Kind.NUMERIC, Kind.CATEGORICAL]
