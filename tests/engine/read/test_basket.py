"""Baskets: lines that list items become a table with a column for each item."""

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.base.errors import EngineError
from engine.read.formats.basket import SEPARATORS, is_baskets
from engine.read.guess import TableOptions
from engine.read.tables import open_noticed, open_table

LISTS = "bread, milk\nmilk\nbread, butter, milk\n\nbutter\n"


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("name", ["t.basket", "t.bsk", "t.csv", "t.txt", "t"])
def test_lists_of_items_are_a_table_of_them(tmp_path: Path, name: str) -> None:
    data, said = open_noticed(write(tmp_path / name, LISTS))
    assert {c.name: c.labels() for c in data.columns} == {
        "bread": [1, 0, 1, 0],
        "milk": [1, 1, 1, 0],
        "butter": [0, 0, 1, 1],
    }
    assert {(c.kind.value, c.role.value) for c in data.columns} == {("numeric", "feature")}
    assert any("baskets" in sentence for sentence in said)


@pytest.mark.parametrize("name", ["t.basket", "t.csv"])
def test_numbers_of_items_are_kept(tmp_path: Path, name: str) -> None:
    text = 'bread=2,"milk, sour"\n"milk, sour",butter=.5,bread\nbutter\n"milk, sour" = 3,butter\n'
    data = open_table(write(tmp_path / name, text))
    assert {c.name: c.labels() for c in data.columns} == {
        "bread": [2, 1, 0, 0],
        "milk, sour": [1, 1, 0, 3],
        "butter": [0, 0.5, 1, 1],
    }


@pytest.mark.parametrize("separator", [";", "\t", ";;"])
def test_other_signs_between_items(tmp_path: Path, separator: str) -> None:
    text = (
        LISTS.replace(", ", separator[0])
        .replace("\n", separator[1:] * 3 + "\n")
        .replace("\n;;;\n", "\n")
    )
    data = open_table(write(tmp_path / "t.csv", text))
    assert {c.name: c.labels() for c in data.columns} == {
        "bread": [1, 0, 1, 0],
        "milk": [1, 1, 1, 0],
        "butter": [0, 0, 1, 1],
    }


def test_rising_numbers_between_blanks_are_items(tmp_path: Path) -> None:
    data = open_table(write(tmp_path / "t.dat", "1 2 3 \n2 3\n1 3 14 15\n"))
    assert {c.name: c.labels() for c in data.columns} == {
        "1": [1, 0, 1], "2": [1, 1, 0], "3": [1, 1, 1], "14": [0, 0, 1], "15": [0, 0, 1],
    }  # fmt: skip


def test_an_item_listed_twice_counts_twice_and_remarks_are_none(tmp_path: Path) -> None:
    data = open_table(write(tmp_path / "t.basket", "| of 2026\na,b,a\n\nb\n"))
    assert {c.name: c.labels() for c in data.columns} == {"a": [2, 0], "b": [1, 1]}


def test_many_baskets_are_sampled(tmp_path: Path) -> None:
    data = open_table(write(tmp_path / "t.csv", LISTS * 50), limit=20)
    assert len(data) == 20
    assert [c.name for c in data.columns] == ["bread", "milk", "butter"]


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("t.basket", "a,b\na=x\n", "Line 2"),
        ("t.basket", "a,b\n=3\n", "milk=2"),
        ("t.basket", ",,\n\n", "lists no items"),
        ("t.basket", ",".join(f"item{k}" for k in range(10_001)), "10,000"),
    ],
)
def test_what_is_no_basket_is_refused(tmp_path: Path, name: str, text: str, words: str) -> None:
    with pytest.raises(EngineError, match=words):
        open_table(write(tmp_path / name, text))


@pytest.mark.parametrize(
    "text",
    [
        "a,b,kind\n1,2,p\n3,4,q\n",
        # its last line is broken
        "colour,size,kind\nred,big,p\nred,small,q\nblue,big,p\nblue,big\n",
        "town,who\nUlm,Ann\nUlm,Bob,x\nBonn,Cy\nUlm\n",  # each word stays in its column
        "The quick, brown fox\njumps, they say, over the lazy dog\nand, so on\n",
        "1,2\n2\n1,3,2\n",  # numbers may be values
        "3 1 2\n2 3\n1 2\n",
        "a b c\n1 2\n3 4 5\n",
        "yes,no,yes\nno\nyes,no\n",
    ],
)
def test_other_texts_are_no_baskets(text: str) -> None:
    assert not any(is_baskets(text.splitlines(), sign) for sign in SEPARATORS)


def test_a_chosen_separator_says_that_they_are_none(tmp_path: Path) -> None:
    path = write(tmp_path / "t.csv", "bread,milk\nmilk\nbread,butter,milk\n")
    assert [c.name for c in open_table(path).columns] == ["bread", "milk", "butter"]
    with pytest.raises(EngineError, match="cells"):
        open_table(path, options=TableOptions(separator=","))


def test_rows_of_words_of_different_lengths_are_refused_with_the_way_out(tmp_path: Path) -> None:
    text = "bread,milk\nham,eggs,salt\noil\n"
    with pytest.raises(EngineError, match=r"name the file \.basket"):
        open_table(write(tmp_path / "t.csv", text))
    assert len(open_table(write(tmp_path / "t.basket", text)).columns) == 6
    with pytest.raises(EngineError, match=r"Line 3 .* another separator\.$"):
        open_table(write(tmp_path / "n.csv", "a,b\n1,2\n1,2,3\n"))


def test_an_item_of_a_whole_book_is_refused(tmp_path: Path) -> None:
    with pytest.raises(EngineError, match="Line 2"):
        open_table(write(tmp_path / "t.basket", "a,b\n" + "x" * 200_000))


ITEMS = st.sampled_from(["ale", "bread", "cream", "dates", "eggs"])


@given(st.lists(st.dictionaries(ITEMS, st.integers(1, 9), min_size=1), min_size=1, max_size=8))
def test_any_baskets_are_read_as_they_were_written(
    tmp_path_factory: pytest.TempPathFactory, baskets: list[dict[str, int]]
) -> None:
    lines = (",".join(f"{item}={times}" for item, times in basket.items()) for basket in baskets)
    path = write(tmp_path_factory.getbasetemp() / "t.basket", "\n".join(lines))
    columns = {c.name: c.labels() for c in open_table(path).columns}
    found = [
        Counter({name: column[k] for name, column in columns.items()}) for k in range(len(baskets))
    ]
    assert found == [Counter(basket) for basket in baskets]
