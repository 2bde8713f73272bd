"""Whether a first row with numbers in it holds the names of the columns."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.read.cells import pasted_source, read_cells
from engine.read.guess import TableOptions, guess_from
from engine.read.tables import guess_table, guess_text, open_table

SPELLED = ["inf", "Inf", "infinity", "Infinity", "nan", "NaN", "1e5", "3E10"]


def header_of(text: str) -> bool:
    return guess_text(text).header


@pytest.mark.parametrize("name", SPELLED)
@pytest.mark.parametrize("place", [0, 1, 2])
def test_names_that_a_float_parser_takes_for_numbers(name: str, place: int) -> None:
    names = ["year", "rate"]
    names.insert(place, name)
    guess = guess_text(",".join(names) + "\n1990,2.5,3\n1991,3.25,4\n1992,1.75,5\n")
    assert [c.name for c in guess.columns] == names
    assert any(f"“{name}”" in said and "if it is data, say so" in said for said in guess.notices)


@given(
    st.lists(st.sampled_from(SPELLED), min_size=1, max_size=3, unique_by=str.casefold),
    st.integers(1, 6),
)
def test_such_names_beside_a_word_over_numbers(names: list[str], rows: int) -> None:
    text = "\n".join(
        [",".join([*names, "price"]), *(",".join(["1.5"] * (len(names) + 1)) for _ in range(rows))]
    )
    assert header_of(text)


@pytest.mark.parametrize(
    "head",
    [
        "0,1,2,label",
        "1,2,3,class",
        "label,0,1,2",
        "town,1990,2000,2010",
        "town,2010,1990,2000",
        "2000,town,1990,2010",
        "id,01,5,outcome",
        "01,5,07,class",
        "x,y,5,z",
    ],
)
def test_names_that_are_whole_numbers(head: str) -> None:
    names = head.split(",")
    rows = [[f"{k + j}.25" for j in range(4)] for k in range(8)]
    for row, word in zip(rows, "aabbccaa", strict=True):
        for place, name in enumerate(names):
            if name in ("label", "class", "town", "outcome"):
                row[place] = word
    text = "\n".join([head, *map(",".join, rows)])
    assert [c.name for c in guess_text(text).columns] == names


@pytest.mark.parametrize(
    "text",
    [
        # 1999 people
        "1990,2000,2010,town\n100,110,120,Rome\n300,310,290,Paris\n200,1999,220,Kiel\n",
        "id,5\nA1,3\nA2,4\nA3,6\n",
        "patient,0.5,1.0,2.0\nA,1.1,2.2,3.3\nB,1.2,2.4,3.6\n",
        "patient,10,20,50\nA,1.1,2.2,3.3\nB,1.2,2.4,3.6\n",
        "400,401,402,class\n0.1,0.2,0.3,a\n0.2,0.3,0.1,b\n0.2,0.1,0.1,a\n",
        "class,400.5,401.5\na,0.1,0.2\nb,0.2,0.1\n",
        "region,0,5,10,15\nN,100,5,300,400\nS,101,203,303,404\n",
        "kind,-1,0,1\na,1,6,7\nb,8,0,10\na,1,2,3\n".replace("kind", "class"),
        "word,-1,0,1\na,1,6,7\nb,8,5,10\na,1,2,3\nb,1,1,4\n",
        "500,501,502,503,504,word\n1,0,900,5,2,a\n2,0,500,7,2,b\n900,3,4,5,6,a\n1,1,1,1,1,b\n",
        "nan,inf,word\n1990,2.1,a\n1991,2.2,b\n1992,2.5,a\n",
        "nan,inf,class\n1990,2.1,a\n1991,2.2,b\n1992,2.5,a\n",
        "age,<20 %,50%,group\n1,2,3,a\n3,4,5,b\n",
        "Infinity,nan\n1,2\n3,4\n5,6\n",
        "inf\n1\n3\n5\n",
        # as pandas calls columns without names
        "0,1,2,3\n5.1,3.5,1.4,0.2\n4.9,3,1.4,0.2\n4.7,3.2,1.3,0.2\n",
        ",0,1,2\n0,5,3,1\n1,4,3,1\n2,4,3,1\n",
        ",0,1,2\nRome,5,3,1\nParis,4,3,1\n",
        ",7,5\n1,5,3\n2,4,3\n",
    ],
)
def test_other_numbers_that_are_names(text: str) -> None:
    guess = guess_text(text)
    assert guess.header
    names = text.splitlines()[0].split(",")
    assert [c.name for c in guess.columns if c.name != "name"] == [name for name in names if name]


@pytest.mark.parametrize(
    "text",
    [
        "0,1,2\n3,4,5\n1,2,3\n",
        "1990,2000,2010\n5,6,7\n1,2,3\n",
        "town,1990,2000\nUlm,1990,2000\nBonn,1995,2005\n",
    ],
)
def test_a_first_row_that_may_be_names_is_reported(text: str) -> None:
    guess = guess_text(text)
    assert not guess.header
    assert any("read as data" in said for said in guess.notices)


def test_towns_that_each_come_once() -> None:
    assert header_of("town,2010,1990\nRome,2.7,2.8\nParis,2.2,2.1\n")


@pytest.mark.parametrize(
    "text",
    [
        "1,2,yes\n3,4,no\n",
        "0,1,2,a\n3,4,5,b\n6,7,8,c\n",  # words that each come once tell nothing
        "5.1,3.5,setosa\n4.9,3.0,setosa\n6.1,3.2,virginica\n6.3,2.9,virginica\n",
        "5.1,3.5,setosa\n6.0,3.0,virginica\n6.1,3.2,virginica\n6.3,2.9,virginica\n",
        "nan,2,a\n3,4,a\n5,6,b\n",
        "inf,2\n3,4\n",
        "unknown,5,7\n3,4,6\n8,9,1\n",
        "NA,5\n3,4\n8,9\n",
        "2019,2020,p\n2018,2019,q\n",
        "inf,a\n1,b\ninf,c\n",
        "1,2\n3,4\n",
        "0,1,2\n3,4,5\n1,2,3\n",
        "0,1\n0.5,0.25\n",
        "inf,2\n3,4\n5,6\n",
        "5,3,y\n4,2,n\n3,1,n\n2,1,n\n",
        "town,1990,2000\nUlm,1990,2000\nBonn,1995,2005\n",
        ",5,3\nUlm,2,1\nBonn,3,4\n",
        "Rome,10,20,30\nParis,11,21,35\nParis,12,25,36\nParis,1,2,3\n",
        "1,2,3,m\n2,3,4,b\n4,4,4,b\n3,3,1,b\n3,3,1,b\n",
        "Ulm,1990,120\nBonn,1991,130\nKiel,1992,140\n",
    ],
)
def test_rows_of_data_stay_data(text: str) -> None:
    assert not header_of(text)


def test_a_title_above_such_names(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("Prices of the town\nyear,inf,rate\n1990,2.5,3\n1991,3.25,4\n1992,1.75,5\n")
    assert [c.name for c in open_table(path).columns] == ["year", "inf", "rate"]
    assert guess_table(path).header


def test_what_the_person_says_of_the_header_comes_first() -> None:
    text = "year,inf,rate\n1990,2.5,3\n"
    source = pasted_source(text)
    guess = guess_from("pasted", source, read_cells(source), TableOptions(header=False))
    assert not guess.header
    assert not any("say so" in said for said in guess.notices)
