"""Reading is linear in the bytes read: four times the text takes about four times the time.

The texts repeat a few of the marks that the patterns know, between a beginning and an end of the
same: that is how text looks on which a pattern tries one cut after the other.
"""

import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from engine.base.errors import EngineError
from engine.read import cells, encodings, kinds, number_cells
from engine.read.cells import guess_separator
from engine.read.excel import uncomputed_formulas
from engine.read.formats import (
    arff,
    basket,
    json_records,
    libsvm,
    markdown,
    orange,
    sheet_text,
    texts,
)
from engine.read.headings import unsure_header
from engine.read.regular import LeftOut
from engine.read.tables import open_table

pytestmark = pytest.mark.sweep

LETTERS = 12_000  # a line of a text, or the head of a file
TIMES = 4
MOST, SPARE = 3 * TIMES, 0.08  # times, and seconds that other programs may take
HANGS = 2.0  # seconds
MARKS = st.sampled_from([
    "1", "12345", "0.5", ".", "-", "+", "e", "E", ",", ";", "|", "\t", " ", "\u00a0", "\n", "\r\n",
    "\r", "x", "%", "#", '"',
    "'", "\\", "''", "@", "@data", "@attribute a ", "@relation r", "{", "}", "{}", "[", "]", "[{",
    ":", "1:2", " 1:2", "qid:1",
    "12:30", "<", ">", "<!--", "-->", "<!---->", "<?xml", "<!doctype ", "<c ", '<c r="A1" t="e">',
    "<c:c", "<v>", "</c>", "<f>",
    "<row", "</f>", 't="e"', "<v/>", "|-", "---", ":-:|", "5 €", "€", "1,234", "1.234", "1 234",
    "2024-01-12", "T12:30", "am",
    "class", "continuous", "c", "=", "é", "−", "\x1a",
])  # fmt: skip
WORDS = st.lists(MARKS, max_size=3).map("".join)


def first_lines(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.strip()]


def bytes_of(function: Callable[[bytes], Any]) -> Callable[[str], Any]:
    return lambda text: function(text.encode())


def errors_of(raw: bytes) -> None:
    sheet_text.measured(b"<s>" + raw + b"</s>")


def row_of_arff(text: str) -> None:
    """The text is one row below a head of 20 attributes of several kinds."""
    kinds = ("string", "numeric", "{1, x}")
    head = "".join(f"@attribute x{k} {kinds[k % 3]}\n" for k in range(20))
    rows_of_arff(f"@relation r\n{head}@data\n{in_one_line(text)}\n")


def attribute_of_arff(text: str) -> None:
    rows_of_arff(f"@relation r\n@attribute {in_one_line(text)}\n@data\n1\n")


def rows_of_arff(text: str) -> None:
    raw = text.encode()
    list(arff.arff_form("t", partial(BytesIO, raw), "utf-8").rows(BytesIO(raw), LeftOut()))


def in_one_line(text: str) -> str:
    return " ".join(text.splitlines())


def json_of(text: str) -> None:
    raw = text.encode()
    list(json_records.json_form("t", open_nothing, "utf-8", False).rows(BytesIO(raw), LeftOut()))


def kept_cells(raw: bytes) -> None:
    """A workbook is copied, of which no cell is left out."""
    book = BytesIO()
    with ZipFile(book, "w") as copy:
        copy.writestr("sheet", raw)
    with ZipFile(book) as copy:
        sheet_text.without_far(copy, "sheet", sheet_text.measured(b"<s></s>"))


def words_in_head(text: str) -> None:
    first = (text, "x")
    unsure_header(cells.Cells(first, [["1", "2"], ["1", "2"]], [2, 3], 2), ())


def opened(text: str, suffix: str = ".txt") -> Any:
    return texts.text_form("t", suffix, open_nothing, "utf-8", text, False)


def open_nothing() -> Any:
    raise EngineError("Nothing is opened.")


READERS: dict[str, Callable[[str], Any]] = {
    "kind of a text": opened,
    "baskets": lambda text: basket.listed_by(first_lines(text)),
    "libsvm": lambda text: libsvm.is_libsvm(first_lines(text)),
    "arff": arff.is_arff,
    "cells of arff": row_of_arff,
    "attribute of arff": attribute_of_arff,
    "sparse row of arff": lambda text: row_of_arff("{" + text + "}"),
    "json lines": partial(opened, suffix=".json"),
    "json": json_of,
    "markdown": lambda text: markdown.has_table(["a|b", *first_lines(text)]),
    "orange": lambda text: orange.is_orange(text.splitlines(), True),
    "names of orange": lambda text: list(
        orange.headed(iter([(1, [text, "x"]), (2, ["1", "2"])]), LeftOut())
    ),
    "separator": guess_separator,
    "number": number_cells.number_of,
    "number with a comma": partial(number_cells.number_of, comma=True),
    "unit": number_cells.unit_of,
    "thousands": number_cells.thousands_alone,
    "date": kinds.is_date,
    "words in a heading": words_in_head,
    "letters": lambda text: encodings.by_signs("t", text.encode()),
    "sheet": bytes_of(errors_of),
    "rows of a sheet": bytes_of(sheet_text.widths),
    "cells of a sheet": bytes_of(kept_cells),
    "formulas": bytes_of(uncomputed_formulas),
}


def seconds(reader: Callable[[str], Any], text: str) -> float:
    began = time.process_time()
    with suppress(Exception):  # it may be no such text; only the time counts
        reader(text)
    return time.process_time() - began


def made(begin: str, again: str, end: str, letters: int) -> str:
    return begin + again * (letters // len(again)) + end


@pytest.mark.slow
@pytest.mark.parametrize("name", READERS)
@settings(max_examples=20, deadline=None, derandomize=True)
@given(begin=WORDS, again=WORDS.filter(bool), end=WORDS)
@example(
    "",
    "12345,",
    "x",
)
@example("", "\n", "x")
@example("", "<!---->", "x")
@example("{}", "\n", "x")
@example("'x',a", " ", "x")
@example("", "1", "x")
@example("", " ", "x")
@example("|", "-", "x")
@example("", "<c ", "")
@example("", '<c r="A1" t="e">', "")
def test_four_times_the_text_takes_about_four_times_the_time(
    name: str, begin: str, again: str, end: str
) -> None:
    reader = READERS[name]
    for letters in (24, 240, LETTERS):  # what doubles with each letter shows soon
        assert seconds(reader, made(begin, again, end, letters)) < HANGS
    short = min(seconds(reader, made(begin, again, end, LETTERS)) for _ in range(2))
    long = min(seconds(reader, made(begin, again, end, TIMES * LETTERS)) for _ in range(2))
    assert long < MOST * short + SPARE


@pytest.mark.parametrize(
    "text",
    [
        "c0,c1,c2,c3,c4,c5,c6,c7,c8,c9,c10,class\n" + "12345," * 11 + "p\n" + "54321," * 11 + "q\n",
        "\n" * 200 + "a,b\n1,p\n2,q\n",
        "<!---->" * 200 + ",b\n1,p\n2,q\n",
        "a,b\n" + "1" * 60_000 + "x,p\n2,q\n",
        "a,b\n" + " " * 60_000 + "x,p\n2,q\n",
        "a\n'x',a" + " " * 60_000 + "x\n1,2\n",
        "{}" + "\n" * 5000 + "x",
    ],
)
def test_a_table_opens_or_is_refused_at_once(tmp_path: Path, text: str) -> None:
    path = tmp_path / "t.txt"
    path.write_text(text)
    began = time.process_time()
    try:
        assert len(open_table(path)) > 0
    except EngineError as sentence:
        assert str(sentence)[-1] in ".…"
    assert time.process_time() - began < HANGS


@pytest.mark.slow
@settings(
    max_examples=60,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    begin=WORDS,
    again=WORDS.filter(bool),
    end=WORDS,
    suffix=st.sampled_from([".csv", ".tab", ".arff", ".svm", ".json", ".jsonl", ".md"]),
)
def test_a_file_of_four_times_the_size_takes_about_four_times_the_time(
    tmp_path: Path, begin: str, again: str, end: str, suffix: str
) -> None:
    def reader(text: str) -> None:
        (tmp_path / f"t{suffix}").write_bytes(text.encode())
        open_table(tmp_path / f"t{suffix}")

    short, long = (
        seconds(reader, made(begin, again, end, letters)) for letters in (30_000, 120_000)
    )
    assert long < MOST * short + 0.5  # from some length on another reader may take it
