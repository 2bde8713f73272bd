"""ARFF in Weka's grammar: cells parted by blanks, commas at the end of a line, remarks behind what
they speak of.
"""

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.base.errors import EngineError
from engine.read.tables import guess_table, open_table, read_table
from engine.table.dataset import Dataset

HEAD = "@relation r\n@attribute n numeric\n@attribute s string\n@attribute c {p, q, r}\n"
Table = Callable[[str], Dataset]


@pytest.fixture
def table(tmp_path: Path) -> Table:
    """What a text of ARFF opens as; the dialog's way, a guess and then a reading, gives
    the same.
    """

    def read(text: str) -> Dataset:
        path = tmp_path / "t.arff"
        path.write_text(text, encoding="utf-8")
        data = open_table(path)
        assert read_table(path, guess_table(path)).columns == data.columns
        return data

    return read


def rows(data: Dataset) -> list[tuple[object, ...]]:
    return list(zip(*(column.labels() for column in data.columns), strict=True))


@pytest.mark.parametrize("word", ["@data", "@DATA", " @data", "@data\t"])
@pytest.mark.parametrize(
    ("behind", "first"),
    [
        (" 1,a,p", [(1, "a", "p")]),
        ("  1 a p % the first", [(1, "a", "p")]),
        (" {0 1, 1 a, 2 p}", [(1, "a", "p")]),
        ("", []),
        (" % the rows", []),
    ],
)
def test_what_stands_behind_data_is_a_row(
    table: Table, word: str, behind: str, first: list[tuple[object, ...]]
) -> None:
    assert rows(table(f"{HEAD}{word}{behind}\n2,b,q\n3,c,r\n")) == [
        *first,
        (2, "b", "q"),
        (3, "c", "r"),
    ]


def test_a_fault_behind_data_is_reported_with_its_line(table: Table) -> None:
    with pytest.raises(EngineError, match=r"Line 5 of “t\.arff” has 2 cells, its head names 3"):
        table(f"{HEAD}@data 1,a\n2,b,q\n")


@pytest.mark.parametrize(
    "line",
    [
        "1,a b,p,",
        "1, a b ,p , ",
        "1,a b,p,{2}",
        "1,a b,p,{2},",
        "1 'a b' p",
        "1\t'a b'\tp",
        "1\t 'a b', p,",
        "'1' \"a b\" 'p' {0.5}",
        "1,a b,p % remark, with 'marks",
        "1,a b,p%remark",
        "1,'a b',p % it's",
        "1 'a b' p % remark",
        "{0 1, 1 'a b', 2 p} % remark",
        "{0 1, 1 a b, 2 p}, {5}",
        "{0 1, 1 a b, 2 p,}",
        "{0 1 1 'a b' 2 p} {5} % }",
        "{0 1, 1 'a b'}%{",
    ],
)
def test_a_row_as_weka_may_write_it(table: Table, line: str) -> None:
    assert rows(table(f"{HEAD}@data\n{line}\n2,b,q\n")) == [(1, "a b", "p"), (2, "b", "q")]


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("1,New York City,p", (1, "New York City", "p")),
        ("1,'50% off, or so',p", (1, "50% off, or so", "p")),
        ("1,50% off,p", (1, "50% off", "p")),
        ("1,O'Neil,p % he", (1, "O'Neil", "p")),
        ("1,,p", (1, None, "p")),
        (",a,p", (None, "a", "p")),
        ("1 ? p", (1, None, "p")),
        ("1 'Doe, John' p", (1, "Doe, John", "p")),
        ("1,John 'Jack' Doe,p", (1, "John 'Jack' Doe", "p")),
        ("1,rock 'n roll,p", (1, "rock 'n roll", "p")),
        ("{1 Route 66, 2 q}", (0, "Route 66", "q")),
        ("{1 Route 2 north}", (0, "Route 2 north", "p")),
        ("{1 '5 } %, 2 q', 2 q} % x", (0, "5 } %, 2 q", "q")),
        ("{0 7 2 r}", (7, "0", "r")),
    ],
)
def test_blanks_and_marks_within_a_cell_stay(
    table: Table, line: str, wanted: tuple[object, ...]
) -> None:
    assert rows(table(f"{HEAD}@data\n{line}\n2,b,q\n"))[0] == wanted


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("1,a,p,,", "has 4 cells"),
        ("1,,a,p", "has 4 cells"),
        ("a b p", "has 1 cell,"),
        ("1 a x", "has 1 cell,"),
        ("1,'a p", "quotation marks in line 6"),
        ("1,a,50%", "holds “50” for “c”"),
        ("{0 1} {1 a}", "Line 6 .* is no sparse row"),
    ],
)
def test_a_row_that_fits_in_no_way_is_refused(table: Table, line: str, words: str) -> None:
    with pytest.raises(EngineError, match=words):
        table(f"{HEAD}@data\n{line}\n2,b,q\n")


@pytest.mark.parametrize(
    ("attribute", "cells"),
    [
        ("a numeric % in cm", ("1", "2")),
        ("a real% {x}", ("1", "2")),
        ("a real [0, 1]", ("1", "2")),
        ("a {x, y} % {z}", ("x", "y")),
        ("a {x, y}% z", ("x", "y")),
        ("a{x,y}", ("x", "y")),
        ("a\t{ x\ty }", ("x", "y")),
        ("a {x y,}", ("x y", "x y")),
        ("a {'x } % y', z} % }", ("'x } % y'", "z")),
        ("a {'x y' z}", ("'x y'", "z")),
        ("a {50%, 100%}", ("50%", "100%")),
        ("'a % b' {x, dark green} % c", ("x", "dark green")),
    ],
)
def test_an_attribute_as_weka_may_write_it(
    table: Table, attribute: str, cells: tuple[str, str]
) -> None:
    data = table(
        f"@relation r % remark\n@attribute {attribute}\n@attribute n"
        f" numeric\n@data\n{cells[0]},1\n{cells[1]},2\n"
    )
    assert data.columns[0].name == ("a % b" if attribute.startswith("'") else "a")
    plain = [float(cell) if cell.isdigit() else cell.strip("'") for cell in cells]
    assert [str(label) for label in data.columns[0].labels()] in (
        [str(each) for each in plain],
        ["0.5", "1"],
        ["50", "100"],
    )


@pytest.mark.parametrize("kind", ["{x, y", "{x, y} z", "{'x, y}", "% numeric"])
def test_a_kind_that_is_none_is_refused(table: Table, kind: str) -> None:
    with pytest.raises(EngineError, match=r"Line 2 .* which the lab cannot read"):
        table(f"@relation r\n@attribute a {kind}\n@data\nx\n")


WORD = (
    st.text("ab%'{}, \t", min_size=1, max_size=5)
    .map(str.strip)
    .filter(lambda word: word and word not in ("?", "nan"))
)


def quoted(word: str) -> str:
    return "'" + word.replace("'", "\\'") + "'"


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    words=st.lists(WORD, min_size=2, max_size=5),
    gap=st.sampled_from([",", " , ", " ", "\t", ", "]),
    end=st.sampled_from(["", ",", " % x", " %,'x", ", % {"]),
)
def test_words_in_quotation_marks_come_back_however_cells_are_parted(
    table: Table, words: list[str], gap: str, end: str
) -> None:
    head = "@relation r\n@attribute k string\n@attribute n numeric\n@attribute s string\n@data\n"
    lines = [f"row{k}{gap}{k}{gap}{quoted(word)}{end}\n" for k, word in enumerate(words)]
    found = table(head + "".join(lines))
    assert [str(label) for label in found.columns[1].labels()] == [
        str(float(k)) for k in range(len(words))
    ]
    assert [str(label) for label in found.columns[2].labels()] == words
