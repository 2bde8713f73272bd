"""Files that are no text between separators: each kind opens as it was meant, or is refused with
its true reason.
"""

import bz2
import gzip
import io
import json
import pickle
import sqlite3
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.datasets import dump_svmlight_file, load_svmlight_file

from engine.base.errors import EngineError
from engine.read import excel
from engine.read.cell_names import column_letters
from engine.read.formats import form, packed, sheet_text
from engine.read.guess import TableOptions
from engine.read.tables import guess_table, open_noticed, open_table, parse_table, read_table
from engine.table.dataset import ColumnRole
from tests.engine.read.good_files import GOOD, NAMES, ROWS, ods, ods_cell, ods_row, zipped


@pytest.fixture
def file(tmp_path: Path) -> Callable[[str, str | bytes], Path]:
    def write(name: str, content: str | bytes) -> Path:
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


def opened(path: Path) -> tuple[dict[str, list[Any]], tuple[str, ...]]:
    """({column: labels}, sentences); the dialog's way, a guess and then a reading,
    gives the same.
    """
    data, said = open_noticed(path)
    guess = guess_table(path)
    assert guess.notices == said
    assert (guess.rows, guess.exact) == (len(data), True)
    assert read_table(path, guess).columns == data.columns
    return {c.name: c.labels() for c in data.columns}, said


def roles(path: Path) -> dict[str, tuple[str, str]]:
    return {c.name: (c.kind.value, c.role.value) for c in open_table(path).columns}


# -- the same table in every kind of file ----------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    "suffix", [suffix for suffix in GOOD if suffix not in (".svm", ".learnscope")]
)
@pytest.mark.parametrize("wrapped", [False, True])
def test_every_kind_opens_as_the_same_table(file: Any, suffix: str, wrapped: bool) -> None:
    if wrapped and suffix.endswith(".gz"):
        return
    raw = GOOD[suffix]()
    path = file(
        f"t{suffix}.gz" if wrapped else f"t{suffix}", gzip.compress(raw) if wrapped else raw
    )
    columns, said = opened(path)
    assert columns == {name: [row[j] for row in ROWS] for j, name in enumerate(NAMES)}
    assert open_table(path).target.name == "kind"
    assert open_table(path).name == "t"
    assert said == (
        ("It is read as a table of Markdown; the text around it is left out.",)
        if suffix == ".md"
        else ()
    )


# -- LIBSVM ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("zero_based", [False, True])
def test_libsvm_as_scikit_learn_writes_and_reads_it(tmp_path: Path, zero_based: bool) -> None:
    rng = np.random.default_rng(3)
    X = rng.normal(size=(40, 5)).round(3) * (rng.random((40, 5)) < 0.4)
    y = rng.choice([-1, 1], 40)
    X[0] = 1.5  # so that no column at the edge is empty
    path = tmp_path / "a1a.t"
    dump_svmlight_file(X, y, str(path), zero_based=zero_based)
    if zero_based:
        with pytest.raises(
            EngineError,
            match=r"Line 1 of “a1a\.t” has a place 0; in LIBSVM files places count from 1",
        ):
            open_table(path)
        return
    theirs, labels = load_svmlight_file(str(path))
    data = open_table(path)
    assert [c.name for c in data.columns] == ["label", "x1", "x2", "x3", "x4", "x5"]
    assert np.array_equal(np.column_stack([c.values for c in data.features]), theirs.toarray())
    assert data.target.labels() == labels.tolist()


def test_libsvm_with_remarks_and_empty_rows(file: Any) -> None:
    columns, said = opened(file("t.txt", "# made by hand\n3 2:0.5 # first\n\n1\n2 1:-1 3:1e-3\n"))
    assert columns == {"label": [3, 1, 2], "x1": [0, 0, -1], "x2": [0.5, 0, 0], "x3": [0, 0, 0.001]}
    assert said == (
        "It is read as LIBSVM: a label, then place:value for what is not 0; x1 is place 1.",
    )


@pytest.mark.parametrize("colon", [": ", " :", " : ", ":\t", ":   "])
def test_blanks_beside_the_colons_of_libsvm(file: Any, colon: str) -> None:
    path = file("t.txt", f"3 2{colon}.25 # first\n1\n2 1{colon}-1 3:1e-3\n")
    assert opened(path)[0] == {
        "label": [3, 1, 2],
        "x1": [0, 0, -1],
        "x2": [0.25, 0, 0],
        "x3": [0, 0, 0.001],
    }
    assert open_table(file("u.txt", "1 10: 30\n2 11: 15\n3 12: 45\n"))["x2"].labels() != [
        30,
        15,
        45,
    ], "times"


def test_a_value_that_is_missing_behind_a_colon_is_reported(file: Any) -> None:
    with pytest.raises(EngineError, match=r"Line 61 of “t\.svm” is no line of a LIBSVM file"):
        open_table(file("t.svm", "1 1: 0.5\n" * 60 + "1 1: 2:3\n"))


@pytest.mark.parametrize(
    "line", ["1 1:.5 2:", "1 2:.5 1:.5", "1 1:nan 2:.5", "label features", "1 1:.5, 2:3"]
)
def test_a_broken_line_of_libsvm_is_named(file: Any, line: str) -> None:
    with pytest.raises(EngineError, match=r"Line 1 of .* LIBSVM .* choose the separator"):
        open_table(file("t.txt", f"{line}\n-1 1:1 3:2\n1 2:4\n"))
    assert len(opened(file("t.txt", "a b c\n1 1:1 2:3\nx y 3:4\nz u w\n"))[0]) == 3


def test_labels_of_libsvm_may_be_words(file: Any) -> None:
    columns, _ = opened(file("t.txt", "yes 1:.5 2:.25\nno 2:1\nyes\n"))
    assert columns == {"label": ["yes", "no", "yes"], "x1": [0.5, 0, 0], "x2": [0.25, 1, 0]}
    assert len(opened(file("t.txt", "verse\nMt 5:3\nMk 6:4\n"))[0]) == 1


def test_labels_of_libsvm_may_be_values(file: Any) -> None:
    path = file("t.svm", "".join(f"{k / 7} 1:{k}\n" for k in range(9)))
    assert roles(path)["label"] == ("numeric", "target")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("1,3 1:0.5\n2 2:1\n", "Line 1 of “t.svm” has several labels, “1,3”"),
        ("3 qid:1 1:0.5\n2 qid:1 2:1\n", "queries to rank"),
        ("1 1:0.5\n" * 60 + "1 3:1 2:2\n", "Line 61 of “t.svm” is no line of a LIBSVM file"),
        ("1 99999:1\n2 1:1\n", "has place 99,999; the lab takes at most 10,000 columns"),
        (f"1 {'9' * 400}:1\n2 1:1\n", "the lab takes at most 10,000 columns"),
        (
            "1 9000:1\n" * 2000,
            "would be a table of 2,000 rows and 9,001 columns.* at most 10,000,000 cells",
        ),
    ],
)
def test_libsvm_that_is_none_is_refused(file: Any, text: str, words: str) -> None:
    with pytest.raises(EngineError, match=words) as caught:
        open_table(file("t.svm", text))
    assert len(str(caught.value)) < 300


def test_times_of_the_day_are_no_libsvm(file: Any) -> None:
    assert open_table(file("t.txt", "1 10:30\n2 11:15\n3 12:45\n"))["x2"].labels() == [
        "10:30",
        "11:15",
        "12:45",
    ]


def test_a_separator_that_is_given_makes_it_cells(file: Any) -> None:
    path = file("t.txt", "1 1:0.5\n2 1:0.25\n")
    assert open_table(path, options=TableOptions(separator=" "))["x2"].labels() == [
        "1:0.5",
        "1:0.25",
    ]


# -- ARFF ------------------------------------------------------------------------------------------

ARFF = """% Title: a remark
@RELATION "some flowers"
@attribute 'sepal length' REAL
@ATTRIBUTE n integer
@attribute day date "yyyy-MM-dd"
@attribute said string
@attribute kind {setosa, 'Iris versi', virginica}

@DATA
5.1, 3, 2024-01-02, 'it\\'s, fine', setosa
% another remark
4.9,?,2024-01-03,"b",'Iris versi'
6.0,3,?,O'Neil,virginica
"""


@pytest.mark.parametrize("name", ["t.arff", "t.txt"])
def test_arff(file: Any, name: str) -> None:
    columns, _ = opened(file(name, ARFF))
    assert columns == {
        "sepal length": [5.1, 4.9, 6],
        "n": [3, None, 3],
        "day": ["2024-01-02", "2024-01-03", None],
        "said": ["it's, fine", "b", "O'Neil"],
        "kind": ["setosa", "Iris versi", "virginica"],
    }
    found = roles(file(name, ARFF))
    assert found["n"] == ("numeric", "feature")
    assert found["kind"] == ("categorical", "target")


def test_the_class_of_an_arff_file_is_the_one_called_so_else_the_last_attribute(file: Any) -> None:
    head = (
        "@relation r\n@attribute {} {{p, q}}\n@attribute a numeric\n@attribute c {{u,"
        " v}}\n@data\np,1,u\nq,2,v\n"
    )
    assert open_table(file("t.arff", head.format("Class"))).target.name == "Class"
    assert open_table(file("t.arff", head.format("b"))).target.name == "c"
    assert open_table(file("t.arff", head.format("b")), target="b").classes == ("p", "q")
    numbers = "@relation r\n@attribute a numeric\n@attribute price numeric\n@data\n1,2.5\n2,3.5\n"
    assert roles(file("t.arff", numbers))["price"] == ("numeric", "target")


def test_numbers_that_an_arff_file_calls_nominal_are_categories(file: Any) -> None:
    path = file(
        "t.arff", "@relation r\n@attribute a {1,2,3}\n@attribute c {u,v}\n@data\n1,u\n3,v\n2,u\n"
    )
    assert roles(path)["a"] == ("categorical", "feature")


def test_sparse_rows_of_arff(file: Any) -> None:
    text = (
        "@relation r\n@attribute a numeric\n@attribute b {x,y}\n@attribute c {no,yes}\n@data\n{0"
        " 1.5, 2 yes}\n{1 'y'}\n{ }\n"
    )
    assert opened(file("t.arff", text))[0] == {
        "a": [1.5, 0, 0],
        "b": ["x", "y", "x"],
        "c": ["yes", "no", "no"],
    }


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("@relation r\n@attribute a numeric\n", "the line @data is missing"),
        ("@relation r\n@data\n1\n", "has no @attribute"),
        ("@relation r\n@attribute a relational\n@data\n", "Line 2 .* of the kind “relational”"),
        ("@relation r\n@attribute a\n@data\n", "Line 2 .* without a kind"),
        ("@relation r\nsome words\n", "Line 2 .* begins with “some”"),
        (
            "@relation r\n@attribute a numeric\n@attribute b {p}\n@data\n1\n",
            "Line 5 .* has 1 cell, its head names 2 attributes",
        ),
        (
            "@relation r\n@attribute a numeric\n@attribute b {p}\n@data\n1,q\n",
            "Line 5 .* holds “q” for “b”",
        ),
        ("@relation r\n@attribute a string\n@data\n'it\n", "quotation marks in line 4"),
        (
            "@relation r\n@attribute a numeric\n@data\n{3 1}\n",
            "Line 4 .* names place 3, its head has 1",
        ),
    ],
)
def test_arff_that_is_none_is_refused(file: Any, text: str, words: str) -> None:
    with pytest.raises(EngineError, match=words):
        open_table(file("t.arff", text))


# -- JSON ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["t.json", "t.txt"])
def test_json_records_may_leave_out_keys(file: Any, name: str) -> None:
    records = [
        {"a": 1, "b": "x", "c": True},
        {"a": 2.5, "c": False, "d": 1},
        {"a": None, "b": "y", "c": True},
    ]
    columns, _ = opened(file(name, json.dumps(records, indent=2)))
    assert columns == {
        "a": [1, 2.5, None],
        "b": ["x", None, "y"],
        "c": [True, False, True],
        "d": [None, 1, None],
    }


def test_json_columns(file: Any) -> None:
    wanted = {"a": [1, 2, None], "b": ["x", "y", "x"]}
    assert opened(file("t.json", json.dumps(wanted)))[0] == wanted
    pandas = {"a": {"0": 1, "1": 2, "2": None}, "b": {"0": "x", "1": "y", "2": "x"}}
    assert opened(file("t.json", json.dumps(pandas)))[0] == wanted


def test_json_lines(file: Any) -> None:
    wanted = {"a": [1, 2, None], "b": ["x", "y", "x"]}
    text = '{"a": 1, "b": "x"}\n\n{"b": "y", "a": 2}\n{"b": "x"}\n'
    for name in ("t.jsonl", "t.ndjson", "t.json", "t.txt"):
        assert opened(file(name, text))[0] == wanted


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"a": 1}', "it holds one object"),
        ("[]", "an empty list"),
        ("[1, 2]", "a list of numbers"),
        ('[[1, 2], ["a"]]', "a list of lists"),
        ('"word"', "it holds a word"),
        ("null", "it holds null"),
        ('[{"a": [1, 2]}]', "“a” of record 1 of “t.json” holds a list"),
        ('[{"a": 1}, {"a": {"b": 2}}]', "“a” of record 2 of “t.json” holds a record"),
        ('{"a": [1, 2], "b": [1]}', "columns of different lengths"),
        ('[{"a": 1},\n{"a": 2', "a fault in line 2"),
        ("[" * 100_000, "begins like JSON and is none"),
        ("[{}]", "records without any value"),
        ('{"type": "FeatureCollection", "features": []}', "it holds one object"),
    ],
)
def test_json_that_is_no_table_is_refused(file: Any, text: str, words: str) -> None:
    with pytest.raises(EngineError, match=words):
        open_table(file("t.json", text))


def test_json_lines_that_do_not_fit(file: Any) -> None:
    for text, words in (
        (
            '{"a": 1}\n{"a": 1, "b": 2}\n',
            "Line 2 .* has a value “b” that its first record does not name",
        ),
        ('{"a": 1}\n{"a": \n', "Line 2 of .* is no record"),
        ('{"a": 1}\n[1]\n', "a list of numbers in line 2"),
    ):
        with pytest.raises(EngineError, match=words):
            open_table(file("t.jsonl", text))


# -- Parquet ---------------------------------------------------------------------------------------


def parquet(path: Path, columns: dict[str, Any]) -> Path:
    import pyarrow
    from pyarrow import parquet as writer

    writer.write_table(pyarrow.table(columns), path)
    return path


@pytest.mark.slow
def test_parquet(tmp_path: Path) -> None:
    import datetime

    import pyarrow

    columns = {
        "a": [1, 2, None],
        "b": [1.5, 0.1, float("nan")],
        "t": [True, None, False],
        "d": [datetime.date(2024, 1, 2)] * 3,
        "k": pyarrow.array(["u", "v", "u"]).dictionary_encode(),
        "__index_level_0__": [5, 6, 7],
    }
    path = parquet(tmp_path / "t.parquet", columns)
    found, _ = opened(path)
    assert found["a"] == [1, 2, None]
    assert found["b"] == [1.5, 0.1, None]
    assert found["t"] == [True, None, False]
    assert found["d"][0] == "2024-01-02"
    assert found["k"] == ["u", "v", "u"]
    assert roles(path)["__index_level_0__"][1] == "ignored"


def test_parquet_that_is_no_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(EngineError, match=r"Column “a” of “n\.parquet” holds lists or records"):
        open_table(parquet(tmp_path / "n.parquet", {"a": [[1], [2]]}))
    path = parquet(tmp_path / "t.parquet", {"a": [1, 2]})
    path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(EngineError, match="cannot be read as a Parquet file"):
        open_table(path)
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    with pytest.raises(EngineError, match="needs the package pyarrow: “pip install pyarrow”"):
        open_table(path)


# -- Orange and Markdown ---------------------------------------------------------------------------

ORANGE = (
    "name\tlen\tcolour\tsex\tw\tother\nstring\tc\td\tf m\tcontinuous\td\nmeta\t\t\tclass"
    " color=red\tignore\tclass\nann\t1\tred\tf\t1\tu\nbob\t2\tblue\tm\t2\tv\ncy\t?\tred\tf\t3\tu\n"
)


def test_the_three_rows_of_orange_tell_kinds_and_roles(file: Any) -> None:
    path = file("t.tab", ORANGE)
    assert opened(path)[0]["len"] == [1, 2, None]
    assert roles(path) == {
        "name": ("categorical", "name"),
        "len": ("numeric", "feature"),
        "colour": ("categorical", "feature"),
        "sex": ("categorical", "target"),
        "w": ("numeric", "ignored"),
        "other": ("categorical", "ignored"),
    }


def test_whole_words_are_known_under_any_name_and_a_table_without_class_has_no_target(
    file: Any,
) -> None:
    text = "a\tb\ncontinuous\tdiscrete\n\t\n1\tu\n2\tv\n"
    data = open_table(file("t.txt", text))
    assert data.target is None
    assert data["a"].labels() == [1, 2]
    plain = open_table(file("u.tab", "a\tkind\n1\tp\n2\tq\n"))  # tabs alone are no sign
    assert plain["kind"].role is ColumnRole.TARGET


FLAGGED = [
    ["mS#name", "C#len", "D#size", "cD#k", "iC#w", "other"],
    ["ann", 1, 1, 0, 5, 2.5],
    ["bob", 2, 2, 1, 6, 3],
    ["cy", "", 1, 0, 7, 1],
]
THREE_ROWS = [
    ["name", "len", "size", "k", "w", "other"],
    ["string", "continuous", "1 2", "discrete", "continuous", ""],
    ["meta", "", "", "class", "ignore", ""],
    *FLAGGED[1:],
]


def table_bytes(suffix: str, rows: list[list[Any]]) -> bytes:
    if suffix == ".xlsx":
        from openpyxl import Workbook

        book = Workbook()
        for row in rows:
            book.active.append([None if cell == "" else cell for cell in row])
        out = io.BytesIO()
        book.save(out)
        return out.getvalue()
    separator = {".csv": ",", ".tsv": "\t", ".txt": ";"}[suffix]
    return "".join(separator.join(map(str, row)) + "\n" for row in rows).encode()


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".txt", ".xlsx"])
@pytest.mark.parametrize("rows", [FLAGGED, THREE_ROWS], ids=["flags", "rows"])
def test_the_kinds_and_roles_of_orange_in_any_table(
    file: Any, suffix: str, rows: list[list[Any]]
) -> None:
    path = file(f"t{suffix}", table_bytes(suffix, rows))
    columns, said = opened(path)
    assert columns == {
        "name": ["ann", "bob", "cy"], "len": [1, 2, None], "size": [1, 2, 1], "k": [0, 1, 0],
        "w": [5, 6, 7],
        "other": [2.5, 3, 1],
    }  # fmt: skip
    assert roles(path) == {
        "name": ("categorical", "name"), "len": ("numeric", "feature"), "size": ("categorical",
        "feature"),
        "k": ("categorical", "target"), "w": ("numeric", "ignored"), "other": ("numeric",
        "feature"),
    }  # fmt: skip
    assert any("Orange" in sentence for sentence in said) or suffix == ".tsv"
    target = open_table(path, "size").target
    assert target is not None and target.name == "size"
    assert len(open_table(path, limit=2)) == 2


def test_the_kinds_of_orange_without_a_row_of_roles(file: Any) -> None:
    rows = [["a", "b"], ["continuous", "discrete"], ["", ""], [1, 7], [2, 8]]
    path = file("t.csv", table_bytes(".csv", rows))
    assert opened(path)[0] == {"a": [1, 2], "b": [7, 8]}
    assert roles(path) == {"a": ("numeric", "feature"), "b": ("categorical", "feature")}
    assert not any("left out" in sentence for sentence in guess_table(path).notices)


@pytest.mark.parametrize(
    ("kinds", "uses"),
    [
        (["s", "c", "d"], ["m", "", "c"]),
        (["", "c", "d"], ["m", "", "class"]),
        (["string", "", "q p"], ["meta", "", "class"]),
        (["text", "text", "text"], ["meta", "i", "class"]),
    ],
)
def test_short_and_plain_kinds_of_orange_beside_roles(
    file: Any, kinds: list[str], uses: list[str]
) -> None:
    rows = [["who", "len", "k"], kinds, uses, ["ann", 1, "p"], ["bob", 2, "q"]]
    path = file("t.csv", table_bytes(".csv", rows))
    assert opened(path)[0] == {"who": ["ann", "bob"], "len": [1, 2], "k": ["p", "q"]}
    assert roles(path)["k"] == ("categorical", "target")


def test_pasted_flags_of_orange() -> None:
    data = parse_table("x\tc#k\n1\t5\n2\t6\n")
    assert data.target is not None
    assert ([c.name for c in data.columns], data.target.name) == (["x", "k"], "k")


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("#,a,kind\n1,2,p\n2,3,q\n", None),
        ("C#,a,kind\n1,2,p\n2,3,q\n", ["C#", "a", "kind"]),  # a language
        ("T#1,T#2,kind\n1,2,p\n2,3,q\n", ["T#1", "T#2", "kind"]),  # the first and the second one
        ("No#a,cD#b,kind\n1,2,p\n2,3,q\n", ["No#a", "cD#b", "kind"]),
        ("label\ntext\nimage\nvideo\nsound\n", ["label"]),
        ("name,type\nage,continuous\nsex,discrete\n", ["name", "type"]),
        ("a,b,kind\nc,d,s\nm,c,i\nc,c,d\nd,d,c\n", ["a", "b", "kind"]),
        ("a,b,kind\nc,d,c\n,c,i\n3,c,d\n4,d,c\n", None),
        ("a,type\ncontinuous,text\nstring,text\ntime,string\n", ["a", "type"]),
    ],
)
def test_other_names_and_words_are_none_of_orange(
    file: Any, text: str, names: list[str] | None
) -> None:
    data = open_table(file("t.csv", text))
    assert len(data) == text.count("\n") - 1
    assert names is None or [c.name for c in data.columns] == names


def test_quotation_marks_that_join_the_rows_above_a_table_of_orange(file: Any) -> None:
    head = "a\tb\ncontinuous\tdiscrete\n\t\n"
    for text, words in (
        (head + '1\t"u\n', "quotation marks in “t\\.tab” do not match"),
        (f'"{head}', "quotation marks in “t\\.tab” do not match"),
        (f'"{head}"\tc\n1\t2\n', "three rows above the values of “t\\.tab” do not match"),
    ):
        with pytest.raises(EngineError, match=words):
            open_table(file("t.tab", text))


def test_a_table_in_markdown(file: Any) -> None:
    text = (
        "# Title\n\nWords.\n\n| a | b \\| c | kind |\n|---|:-:|---:|\n| 1,5 | x | p |\n| 2 | y |\n3"
        " | z | p | more\n\nEnd.\n"
    )
    columns, said = opened(file("t.md", text))
    assert columns == {"a": [1.5, 2, 3], "b | c": ["x", "y", "z"], "kind": ["p", None, "p"]}
    assert said[0] == "It is read as a table of Markdown; the text around it is left out."
    bare = file("t.txt", "| a | kind |\n|---|---|\n| 1 | p |\n| 2 | q |\n")
    assert opened(bare)[0] == {"a": [1, 2], "kind": ["p", "q"]}
    table = "| a | b |\n|---|---|\n| 1 | 2 |\n"
    for text, words in (
        ("# Title\n\nwords\n", "with no table"),
        (f"{table}\n{table}", "with 2 tables; copy the one"),
    ):
        with pytest.raises(EngineError, match=words):
            open_table(file("t.md", text))
    assert open_table(file("t.csv", "a|b\n1|2\n3|4\n"))["a"].labels() == [1, 3]


# -- sheets ----------------------------------------------------------------------------------------


def test_a_spreadsheet_with_repeats_notes_and_errors(file: Any) -> None:
    note = "<office:annotation><text:p>a note</text:p></office:annotation>"
    first = ods_row("a", "b", "kind").replace("<text:p>a</text:p>", f"{note}<text:p>a</text:p>")
    money = (
        '<table:table-cell office:value-type="currency" office:value="2.5"><text:p>2,50'
        " €</text:p></table:table-cell>"
    )
    date = (
        '<table:table-cell office:value-type="date"'
        ' office:date-value="2024-01-02"><text:p>2.1.24</text:p></table:table-cell>'
    )
    rows = (
        first
        + f"<table:table-row>{money}{ods_cell(2)}{ods_cell('p')}</table:table-row><table:table-row"
        f" table:number-rows-repeated='2'>{ods_cell(3, 2)}{ods_cell('q')}</table:table-row>"
        + ods_row(4, "#DIV/0!", "two<text:s text:c='2'/>words")
        + ods_row(times=1_048_000)
    )
    path = file("t.ods", ods(("cover", ods_row("a remark")), ("data", rows)))
    columns, said = opened(path)
    assert columns == {
        "a": [2.5, 3, 3, 4],
        "b": [2, 3, 3, None],
        "kind": ["p", "q", "q", "two  words"],
    }
    assert said == (
        "Sheet “data” is read; “cover” holds cells too.",
        "A cell holds an error and counts as empty: B5 (“#DIV/0!”).",
    )
    assert guess_table(path).sheets == ("cover", "data")
    with pytest.raises(EngineError, match="no sheet “third”; it has cover, data"):
        open_table(path, options=TableOptions(sheet="third"))
    dates = file(
        "d.ods",
        ods(
            (
                "s",
                ods_row("day", "n") + f"<table:table-row>{date}{ods_cell(1)}</table:table-row>" * 2,
            )
        ),
    )
    assert open_table(dates)["day"].labels() == ["2024-01-02"] * 2


def test_a_spreadsheet_that_repeats_without_end_is_refused_soon(file: Any) -> None:
    wide = file("w.ods", ods(("s", f"<table:table-row>{ods_cell(1, 2**30)}</table:table-row>")))
    with pytest.raises(EngineError, match="more than 16,384 cells"):
        open_table(wide)
    tall = file("t.ods", ods(("s", ods_row("a", "b") + ods_row(1, 2, times=2**30))))
    with pytest.raises(EngineError, match="more than 1,048,576 rows"):
        open_table(tall)


def old_book(path: Path, *sheets: list[list[Any]]) -> Path:
    from xlwt import Workbook

    book = Workbook()
    for k, rows in enumerate(sheets):
        sheet = book.add_sheet(f"s{k}")
        for i, row in enumerate(rows):
            for j, value in enumerate(row):
                (
                    sheet.row(i).set_cell_error(j, value)
                    if str(value).startswith("#")
                    else sheet.write(i, j, value)
                )
    book.save(str(path))
    return path


def test_old_excel(tmp_path: Path) -> None:
    table = [["a", "flag", "kind"], [1, True, "p"], [2.5, False, "q"], ["#DIV/0!", True, "#NUM!"]]
    path = old_book(tmp_path / "t.xls", [["a remark"]], table)
    columns, said = opened(path)
    assert columns == {"a": [1, 2.5, None], "flag": [True, False, True], "kind": ["p", "q", None]}
    assert said == (
        "Sheet “s1” is read; “s0” holds cells too.",
        "2 cells hold an error and count as empty: A4 (“#DIV/0!”) and C4 (“#NUM!”).",
    )


def test_old_excel_with_a_far_cell_is_refused_before_it_takes_all_memory(tmp_path: Path) -> None:
    """calamine asks for rows × columns × 32 bytes at once, and the whole lab ends where they are
    not to be had.
    """
    path = old_book(tmp_path / "t.xls", [["a", "kind"], [1, "p"], [2, "q"]])
    raw = path.read_bytes()
    size = raw.index(b"\x00\x02\x0e\x00")  # the record of the size, 14 bytes long
    path.write_bytes(raw[: size + 8] + (2**31).to_bytes(4, "little") + raw[size + 12 :])
    with pytest.raises(EngineError, match="a cell so far off"):
        open_table(path)


@pytest.mark.parametrize("column", ["ZZZ", "AAAA", "0A", "é"])
def test_a_place_that_no_sheet_has_is_refused(tmp_path: Path, column: str) -> None:
    import zipfile

    with zipfile.ZipFile(io.BytesIO(GOOD[".xlsx"]())) as book:
        files = {name: book.read(name) for name in book.namelist()}
    place = "xl/worksheets/sheet1.xml"
    for quote in (b'"', b"'"):
        files_ = {
            **files,
            place: files[place].replace(b'r="A3"', b"r=" + quote + f"{column}3".encode() + quote),
        }
        path = tmp_path / "t.xlsx"
        path.write_bytes(zipped(files_))
        with pytest.raises(EngineError, match="it seems half-written"):
            open_table(path)


def test_cells_without_a_place_of_their_own_are_found() -> None:
    """As some programs write them: with a prefix, without r, in other quotation marks."""
    plain = (
        '<worksheet><sheetData><row r="2"><c r="B2"><v>1</v></c><c r="C2"'
        ' t="e"><v>#N/A</v></c></row></sheetData></worksheet>'
    )
    bare = (
        "<x:worksheet xmlns:x='u'><x:sheetData><x:row r='2'><x:c r='B2'><x:v>1</x:v></x:c><x:c"
        " t='e'><x:v>#N/A</x:v></x:c></x:row></x:sheetData></x:worksheet>"
    )
    for text in (plain, bare):
        found = sheet_text.measured(text.encode())
        assert (found.rows, found.columns, found.errors) == (2, 3, [(2, 2, "#N/A")])


def test_letters_of_columns() -> None:
    assert [column_letters(k) for k in (0, 25, 26, 701, 702, 16_383)] == [
        "A",
        "Z",
        "AA",
        "ZZ",
        "AAA",
        "XFD",
    ]


# -- packed ----------------------------------------------------------------------------------------


def test_what_unpacks_to_too_much_is_refused(file: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packed, "MAX_UNPACKED", 100_000)
    bomb = file("t.csv.gz", gzip.compress(b"a,b\n" + b"1,2\n" * 50_000))
    with pytest.raises(EngineError, match="unpacks to more than"):
        open_table(bomb)
    monkeypatch.setattr(form, "MAX_BYTES", 1000)
    with pytest.raises(EngineError, match="too much for a file of its kind"):
        open_table(file("t.json", json.dumps([{"a": k} for k in range(500)])))


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        (gzip.compress(gzip.compress(b"a,b\n1,2\n", mtime=0), mtime=0), "is packed twice"),
        (gzip.compress(b"", mtime=0), "is packed and empty"),
        (
            gzip.compress(b"a,b\n" + b"1,2\n" * 3000, mtime=0)[:-20],
            "cannot be unpacked: it is broken off",
        ),
        (b"\x1f\x8b", "cannot be unpacked"),
    ],
)
def test_packed_files_that_are_broken(file: Any, raw: bytes, words: str) -> None:
    with pytest.raises(EngineError, match=words):
        open_table(file("t.csv.gz", raw))


@pytest.mark.slow
def test_a_large_packed_file_is_sampled(file: Any) -> None:
    text = "i,a,kind\n" + "".join(f"{i},{i % 97 / 7},{'pq'[i % 3 == 0]}\n" for i in range(60_000))
    path = file("t.csv.gz", gzip.compress(text.encode()))
    assert len(open_table(path, limit=500)) == 500
    assert guess_table(path).rows == pytest.approx(60_000, rel=0.1)


# -- what holds no table ---------------------------------------------------------------------------


def _npz() -> bytes:
    out = io.BytesIO()
    np.savez(out, a=np.eye(2), b=np.eye(3))
    return out.getvalue()


def _npy() -> bytes:
    out = io.BytesIO()
    np.save(out, np.eye(3))
    return out.getvalue()


def _sqlite() -> bytes:
    base = sqlite3.connect(":memory:")
    base.execute("create table t (a)")
    return base.serialize()


def _ole(stream: str) -> bytes:
    """An old Office file with one stream of that name."""
    raw = bytearray(GOOD[".xls"]())
    at = raw.index("Workbook".encode("utf-16-le"))
    title = stream.encode("utf-16-le")
    raw[at : at + 64] = title.ljust(64, b"\0")
    raw[at + 64 : at + 66] = (len(title) + 2).to_bytes(2, "little")
    return bytes(raw)


NO_TABLES: dict[str, tuple[str | bytes, str]] = {
    "a.html": (
        "<!DOCTYPE html>\n<html><table><tr><td>1</td></tr></table></html>",
        "is a web page, not a table",
    ),
    "b.html": ("\ufeff <!-- saved -->\n<HTML><body>", "is a web page, not a table"),
    "c.xls": ("<html xmlns='x'><table></table></html>", "is a web page, not a table"),
    "d.xhtml": (
        '<?xml version="1.0"?>\n<!DOCTYPE html PUBLIC "x">\n<html></html>',
        "is a web page, not a table",
    ),
    "e.csv": ("<table>\n<tr><td>1</td></tr>\n</table>", "is a web page, not a table"),
    "a.xml": ('<?xml version="1.0"?>\n<rows><row a="1"/></rows>', "is an XML file, not a table"),
    "a.svg": ('<?xml version="1.0"?><svg xmlns="x"></svg>', "is a drawing"),
    "a.mht": ("MIME-Version: 1.0\nContent-Type: multipart\n", "is a saved web page or a mail"),
    "a.tex": ("\\documentclass{article}\n", "is a LaTeX document"),
    "a.lesson": ("title: Lines\npages: []\n", "is a lesson, no table"),
    "a.sql": ("CREATE TABLE t (a INT);\nINSERT INTO t VALUES (1);\n", "script for a database"),
    "a.rtf": ("{\\rtf1 words}", "is a text document"),
    "a.pdf": (b"%PDF-1.7\n%\xe2\xe3\n1 0 obj", "is a PDF document"),
    "a.png": (b"\x89PNG\r\n\x1a\n" + bytes(20), r"is a picture \(PNG\)"),
    "a.jpg": (b"\xff\xd8\xff\xe0" + bytes(20), r"is a picture \(JPEG\)"),
    "a.gif": (b"GIF89a" + bytes(20), r"is a picture \(GIF\)"),
    "a.webp": (b"RIFF\x10\0\0\0WEBP" + bytes(20), r"is a picture \(WebP\)"),
    "a.bmp": (b"BM\x10\0\0\0\0\0\0\0" + bytes(20), r"is a picture \(BMP\)"),
    "a.mp4": (b"\0\0\0\x20ftypisom" + bytes(20), "is a film or a picture"),
    "a.db": (_sqlite(), "is an SQLite database"),
    "a.pkl": (pickle.dumps({"a": 1}), "is a pickle of Python"),
    "b.pkl": (pickle.dumps([1, 2], protocol=2), "is a pickle of Python"),
    "c.pkl": (pickle.dumps(np.eye(2), protocol=3), "is a pickle of Python"),
    "a.npy": (_npy(), "is an array of numpy"),
    "a.npz": (_npz(), "is a set of arrays of numpy"),
    "a.zip": (zipped({"t.csv": b"a,b\n1,2\n"}), "is a ZIP archive; unpack it"),
    "a.docx": (zipped({"word/document.xml": b"x"}), "is a Word document"),
    "a.pptx": (zipped({"ppt/presentation.xml": b"x"}), "is a presentation"),
    "a.xlsb": (zipped({"xl/workbook.bin": b"x"}), "is a binary Excel file"),
    "a.odt": (
        zipped({"mimetype": b"application/vnd.oasis.opendocument.text"}),
        "is an OpenDocument file, but no spread",
    ),
    "a.numbers": (zipped({"Index/Document.iwa": b"x"}), "is a file of Numbers"),
    "b.zip": (b"PK\x05\x06" + bytes(18), "is an empty ZIP archive"),
    "b.xlsx": (_ole("EncryptedPackage"), "is an Excel file locked by a password"),
    "a.doc": (_ole("WordDocument"), "is a Word document"),
    "a.msi": (_ole("Something"), "is a document of an old program"),
    "a.bz2": (bz2.compress(b"a,b\n1,2\n" * 50), "is packed with bzip2; unpack it"),
    "a.h5": (b"\x89HDF\r\n\x1a\n" + bytes(20), "is an HDF5 file"),
    "a.feather": (b"ARROW1\0\0" + bytes(20), "is a Feather or Arrow file"),
    "a.exe": (b"MZ\x90\0\x03" + bytes(20), "is a program"),
    "a.bin": (bytes(range(256)) * 4, "looks binary"),
}


@pytest.mark.parametrize("name", NO_TABLES)
@pytest.mark.parametrize("wrapped", [False, True])
def test_what_is_no_table_is_refused_with_its_reason(file: Any, name: str, wrapped: bool) -> None:
    content, words = NO_TABLES[name]
    raw = content if isinstance(content, bytes) else content.encode()
    path = file(f"{name}.gz" if wrapped else name, gzip.compress(raw) if wrapped else raw)
    for opener in (open_table, guess_table):
        with pytest.raises(EngineError, match=words) as caught:
            opener(path)
        assert str(caught.value).endswith(".")
        assert len(str(caught.value)) < 200


@pytest.mark.parametrize("name", ["ORC", "ORCHID", "RDX", "GIF8", "BZh", "MATLAB 5.0", "BM", "Obj"])
def test_a_column_may_be_called_like_the_sign_of_a_file(file: Any, name: str) -> None:
    assert open_table(file("t.csv", f"{name},kind\n1,p\n2,q\n"))[name].labels() == [1, 2]


@pytest.mark.parametrize("suffix", [".xlsx", ".ods", ".xls", ".parquet"])
def test_a_file_that_breaks_off_is_refused(file: Any, suffix: str) -> None:
    raw = GOOD[suffix]()
    for share in (0.1, 0.5, 0.9):
        with pytest.raises(EngineError, match="cannot be read"):
            open_table(file(f"t{suffix}", raw[: int(share * len(raw))]))


@pytest.mark.parametrize(("name", "begin", "end"), [("t.json", "[", "]"), ("t.jsonl", "", "\n")])
def test_a_whole_number_of_thousands_of_digits_in_json_is_an_infinite_one(
    file: Any, name: str, begin: str, end: str
) -> None:
    for sign in ("", "-"):
        path = file(name, f'{begin}{{"a": {sign}{"9" * 5000}}}{end}')
        with pytest.raises(EngineError, match="“a” holds an infinite number in row 1"):
            open_table(path)


def test_a_place_of_thousands_of_digits_in_libsvm_is_no_column(file: Any) -> None:
    with pytest.raises(EngineError, match="the lab takes at most 10,000 columns"):
        open_table(file("t.svm", f"1 {'9' * 5000}:1\n2 1:1\n"))


def test_a_sparse_row_that_holds_something_else_is_refused(file: Any) -> None:
    text = "@relation r\n@attribute a numeric\n@attribute c {no,yes}\n@data\n{0 1, yes}\n"
    with pytest.raises(EngineError, match=r"Line 5 of “t\.arff” is no sparse row"):
        open_table(file("t.arff", text))


# -- files that claim more than they are -----------------------------------------------------------


def patched(path: Path, sign: bytes, at: int, value: bytes) -> Path:
    """The file with some bytes behind a sign that it holds once."""
    raw = path.read_bytes()
    place = raw.index(sign) + at
    path.write_bytes(raw[:place] + value + raw[place + len(value) :])
    return path


@pytest.mark.parametrize(("place", "width"), [(4, 4), (12, 2)])
def test_old_excel_whose_first_cell_stands_behind_its_last_is_refused(
    tmp_path: Path, place: int, width: int
) -> None:
    """calamine would reserve the difference, some 2^64 cells less one, and the process
    would end.
    """
    path = old_book(tmp_path / "t.xls", [["a", "kind"], [1, "p"], [2, "q"]])
    patched(path, b"\x00\x02\x0e\x00", place, (60_000).to_bytes(width, "little"))
    for opener in (open_table, guess_table):
        with pytest.raises(
            EngineError, match="sheet 1 that its first row or column stands behind its last"
        ):
            opener(path)


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        (ods_row("a", "b") + ods_row(1, 2, times=1_000_000), "more than 100,000 rows that repeat"),
        (
            (
                "<table:table-row"
                f" table:number-rows-repeated='19000'>{ods_cell(1, 10_000)}</table:table-row>"
            ),
            "cells that repeat",
        ),
        (f"<table:table-row>{ods_cell(1, 10_000)}</table:table-row>" * 1000, "cells that repeat"),
        (
            ods_row("a", "b") + ods_row(*["p<text:s text:c='100000'/>q"] * 300),
            "blanks that are written as a count",
        ),
        (
            ods_row("a", "b") + ods_row("p<text:s text:c='200000'/>q"),
            "more than 131,072 letters in one cell",
        ),
        (ods_row("a", "b") + ods_row("p" * 200_000, "q"), "more than 131,072 letters in one cell"),
    ],
)
def test_a_spreadsheet_that_claims_more_than_it_holds_is_refused_soon(
    file: Any, rows: str, words: str
) -> None:
    import time
    import tracemalloc

    path = file("t.ods", ods(("s", rows)))
    for opener in (open_table, guess_table):
        tracemalloc.start()
        began = time.process_time()
        with pytest.raises(EngineError, match=words) as caught:
            opener(path)
        assert time.process_time() - began < 5
        assert tracemalloc.get_traced_memory()[1] < 150 * 2**20
        tracemalloc.stop()
        assert "Sheet “s” of “t.ods”" in str(caught.value)


@pytest.mark.parametrize(
    "part", ["xl/workbook.xml", "xl/_rels/workbook.xml.rels", "xl/worksheets/sheet1.xml"]
)
def test_a_part_of_a_workbook_that_unpacks_to_too_much_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, part: str
) -> None:
    monkeypatch.setattr(excel, "MAX_PLAN", 20_000)
    monkeypatch.setattr(excel, "MAX_PART", 40_000)
    with zipfile.ZipFile(io.BytesIO(GOOD[".xlsx"]())) as book:
        files = {name: book.read(name) for name in book.namelist()}
    path = tmp_path / "t.xlsx"
    path.write_bytes(zipped({**files, part: files[part] + b" " * 50_000}))
    for opener in (open_table, guess_table):
        with pytest.raises(EngineError, match=f"“t.xlsx” holds “{part}” of more than 0 MB"):
            opener(path)


def test_a_sheet_with_too_many_cells_is_refused(file: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sheet_text, "MAX_CELLS", 20)
    with pytest.raises(EngineError, match=r"of “t\.xlsx” has more than 20 cells"):
        open_table(file("t.xlsx", GOOD[".xlsx"]()))


@pytest.mark.parametrize("suffix", [".csv", ".arff", ".svm", ".jsonl", ".tab", ".md"])
def test_a_line_without_end_is_refused_before_it_is_in_memory(
    file: Any, monkeypatch: pytest.MonkeyPatch, suffix: str
) -> None:
    monkeypatch.setattr(form, "MAX_LINE", 100_000)
    raw = GOOD[suffix]()
    lines = raw.count(b"\n") + 1
    path = file(f"t{suffix}.gz", gzip.compress(raw + b"7" * 3_000_000))
    with pytest.raises(
        EngineError, match=f"Line {lines} of the file has more than 100,000 letters"
    ):
        open_table(path)


def shared_book(words: list[str], rows: list[list[int]]) -> bytes:
    """A workbook whose cells name words of a list by their places."""
    with zipfile.ZipFile(io.BytesIO(GOOD[".xlsx"]())) as book:
        files = {name: book.read(name) for name in book.namelist()}
    part, sheet = "xl/sharedStrings.xml", "xl/worksheets/sheet1.xml"
    main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
    kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/sharedStrings"
    links = "xl/_rels/workbook.xml.rels"
    files[part] = (
        f"<sst {main}>{''.join(f'<si><t>{word}</t></si>' for word in words)}</sst>".encode()
    )
    text = "".join(
        "<row"
        f' r="{i}">{"".join(f"""<c r="{column_letters(j)}{i}" t="s"><v>{k}</v></c>""" for j, k in enumerate(row))}</row>'
        for i, row in enumerate(rows, start=1)
    )
    files[sheet] = f"<worksheet {main}><sheetData>{text}</sheetData></worksheet>".encode()
    if kind.encode() not in files[links]:
        link = (
            f'<Relationship Id="words" Type="{kind}" Target="sharedStrings.xml"/></Relationships>'
        )
        files[links] = files[links].replace(b"</Relationships>", link.encode())
    return zipped(files)


def test_one_long_word_in_many_cells_is_refused_before_each_has_its_own(
    file: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [[0, 1], *([2, 3] for _ in range(50))]
    short, long = ["a", "b", "p", "q"], ["a", "b", "p" * 5000, "q"]
    assert open_table(file("t.xlsx", shared_book(long, rows)))["b"].labels() == ["q"] * 50
    monkeypatch.setattr(sheet_text, "MAX_SHARED", 100_000)
    with pytest.raises(
        EngineError,
        match=r"The words in the cells of sheet .* of “t\.xlsx” have more than 100,000 letters",
    ):
        open_table(file("t.xlsx", shared_book(long, rows)))
    for words, cells in ((short, rows), (long, [[0, 1], *([3, 3] for _ in range(50)), [2, 3]])):
        assert open_table(file("t.xlsx", shared_book(words, cells)))["b"].labels()[0] == "q"


def test_many_sheets_in_one_place_are_refused(file: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    with zipfile.ZipFile(io.BytesIO(GOOD[".xlsx"]())) as book:
        files = {name: book.read(name) for name in book.namelist()}
    plan = files["xl/workbook.xml"].decode()
    begin, end = plan.index("<sheet "), plan.index("</sheets>")
    sheets = "".join(plan[begin:end].replace('name="Sheet"', f'name="s{k}"') for k in range(1001))
    path = file(
        "t.xlsx",
        zipped({**files, "xl/workbook.xml": (plan[:begin] + sheets + plan[end:]).encode()}),
    )
    with pytest.raises(EngineError, match=r"“t\.xlsx” has more than 1,000 sheets"):
        open_table(path)
    many = file("t.ods", ods(*((f"s{k}", ods_row(1, 2)) for k in range(1001))))
    with pytest.raises(EngineError, match=r"“t\.ods” has more than 1,000 sheets"):
        open_table(many)


def test_a_row_that_quotation_marks_never_end_is_refused(
    file: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from engine.read import cells

    monkeypatch.setattr(cells, "MAX_LINE", 10_000)
    with pytest.raises(
        EngineError,
        match=r"A row of “t\.csv” has more than 10,000 letters: quotation marks join its lines",
    ):
        open_table(file("t.csv", "a,b\n1,2\n" + '"x\n",' * 50_000))


def test_two_old_sheets_in_one_place_are_refused(tmp_path: Path) -> None:
    path = old_book(
        tmp_path / "t.xls", [["a", "b"], *([k, k] for k in range(500))], [["a", "b"], [3, 4]]
    )
    raw = path.read_bytes()
    first, second = places_of(raw)
    path.write_bytes(raw[:second] + raw[first : first + 4] + raw[second + 4 :])
    with pytest.raises(EngineError, match=r"“t\.xls” has two sheets in one place"):
        open_table(path)


def places_of(raw: bytes) -> list[int]:
    """Where an old Excel file with two sheets says where they begin: records 0x85, whose names are
    s0 and s1.
    """
    found = [
        k
        for k in range(len(raw))
        if raw.startswith(b"\x85\x00", k) and raw[k + 10 : k + 14].endswith((b"s0", b"s1"))
    ]
    assert len(found) == 2
    return [k + 4 for k in found]


@pytest.mark.parametrize(
    "text", ["[" + "{}," * 2000 + '{"a": 1}]', '{"a": [' + "1," * 2000 + "1]}", "[" * 2000]
)
def test_json_of_more_values_than_memory_is_refused(
    file: Any, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    from engine.read.formats import json_records

    monkeypatch.setattr(json_records, "MOST_VALUES", 1000)
    with pytest.raises(EngineError, match=r"“t\.json” holds more than 1,000 values"):
        open_table(file("t.json", text))


def container(sectors: int, table: int, chained: int) -> bytes:
    """An old Office container of so many sectors of 512 bytes: `table` of them named as tables of
    what follows each sector, and a folder of `chained` streams that all begin in the same long
    chain.
    """
    import struct

    last, end = 0xFFFFFFFF, 0xFFFFFFFE
    head = (
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
        + bytes(16)
        + struct.pack("<HHHHH", 62, 3, 0xFFFE, 9, 6)
        + bytes(10)
    )
    head += struct.pack("<II4sIIIII", 1, 1, bytes(4), 4096, end, 0, end, 0)
    head = head.ljust(76, b"\0") + struct.pack("<109I", *([0] * table), *([last] * (109 - table)))
    folders = chained // 4
    following = [end, *range(2, folders + 1), end, *range(folders + 2, sectors), end][:128]
    fat = struct.pack(f"<{len(following)}I", *following).ljust(512, b"\xff")
    entry = "Workbook".encode("utf-16-le").ljust(64, b"\0") + struct.pack("<HB", 18, 2)
    entry = entry.ljust(116, b"\0") + struct.pack("<II", folders + 1, 10_000)
    return (
        head + fat + entry.ljust(128, b"\0") * (folders * 4) + bytes(512 * (sectors - folders - 1))
    )


@pytest.mark.parametrize(("sectors", "table", "chained"), [(60, 100, 4), (120, 1, 80)])
def test_an_old_container_that_names_its_sectors_twice_is_refused(
    file: Any, sectors: int, table: int, chained: int
) -> None:
    from engine.read.formats.compound import Compound

    assert Compound("t", container(120, 1, 4)).names == ("Workbook",)
    with pytest.raises(EngineError, match="it is broken off, or damaged"):
        Compound("t", container(sectors, table, chained))
