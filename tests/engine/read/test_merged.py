"""Merged cells of a workbook: their value is meant for every place that they cover, and the table
says so.
"""

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.base.errors import EngineError
from engine.read import excel
from engine.read.formats import old_excel
from engine.read.formats.merged import filled
from engine.read.regular import LeftOut
from engine.read.tables import guess_table, open_noticed, read_table
from tests.engine.read.good_files import ods

Merged = tuple[int, int, int, int]  # first row and place, last row and place, from 0
Rows = list[list[Any]]


def xlsx(rows: Rows, merged: list[Merged]) -> bytes:
    from openpyxl import Workbook

    book = Workbook()
    sheet = book.active
    for i, row in enumerate(rows, start=1):
        for j, value in enumerate(row, start=1):
            if value != "":
                sheet.cell(i, j, value)
    for top, begin, bottom, end in merged:
        sheet.merge_cells(
            start_row=top + 1, start_column=begin + 1, end_row=bottom + 1, end_column=end + 1
        )
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def xls(rows: Rows, merged: list[Merged]) -> bytes:
    from xlwt import Workbook

    book = Workbook()
    sheet = book.add_sheet("s")
    for i, row in enumerate(rows):
        for j, value in enumerate(row):
            if value != "":
                sheet.write(i, j, value)
    for top, begin, bottom, end in merged:
        sheet.merge(top, bottom, begin, end)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def ods_book(rows: Rows, merged: list[Merged]) -> bytes:
    """As LibreOffice writes it: the first cell of each says how far it reaches, the others are
    covered.
    """
    spans = {
        (top, begin): (bottom - top + 1, end - begin + 1) for top, begin, bottom, end in merged
    }
    covered = {
        (i, j)
        for top, begin, bottom, end in merged
        for i in range(top, bottom + 1)
        for j in range(begin, end + 1)
    }
    text = ""
    for i, row in enumerate(rows):
        text += "<table:table-row>"
        for j, value in enumerate(row):
            tag = "covered-table-cell" if (i, j) in covered - set(spans) else "table-cell"
            high, wide = spans.get((i, j), (1, 1))
            size = (
                f' table:number-rows-spanned="{high}" table:number-columns-spanned="{wide}"'
                if (i, j) in spans
                else ""
            )
            kind = "" if value == "" else ' office:value-type="string"'
            if isinstance(value, (int, float)):
                kind = f' office:value-type="float" office:value="{value}"'
            text += f"<table:{tag}{size}{kind}><text:p>{value}</text:p></table:{tag}>"
        text += "</table:table-row>"
    return ods(("s", text))


BOOKS: dict[str, Callable[[Rows, list[Merged]], bytes]] = {
    ".xlsx": xlsx,
    ".xls": xls,
    ".ods": ods_book,
}
every_book = pytest.mark.parametrize("suffix", BOOKS)


def opened(
    path: Path, suffix: str, rows: Rows, merged: list[Merged]
) -> tuple[dict[str, list[Any]], tuple[str, ...]]:
    """({column: labels}, sentences), the same by a guess and then a reading."""
    book = path / f"t{suffix}"
    book.write_bytes(BOOKS[suffix](rows, merged))
    data, said = open_noticed(book)
    guess = guess_table(book)
    assert (guess.notices, read_table(book, guess).columns) == (said, data.columns)
    return {c.name: c.labels() for c in data.columns}, said


@every_book
def test_the_rows_of_a_merged_class_all_have_it(tmp_path: Path, suffix: str) -> None:
    rows = [["x", "class"], [1, "a"], [2, ""], [3, ""], [4, "b"], [5, ""]]
    columns, said = opened(tmp_path, suffix, rows, [(1, 1, 3, 1), (4, 1, 5, 1)])
    assert columns == {"x": [1, 2, 3, 4, 5], "class": ["a", "a", "a", "b", "b"]}
    assert said == (
        "3 cells have the value of the merged cell that covers them: B3 (“a”), B4 (“a”) and more.",
    )


@every_book
def test_merged_numbers_and_columns_and_blocks(tmp_path: Path, suffix: str) -> None:
    rows = [
        ["", "", ""],
        ["x", "y", "class"],
        [7, "", "a"],
        [2, 3, "b"],
        [5, "", "a"],
        ["", "", "b"],
        ["", "", ""],
        [1, 1, "a"],
    ]
    columns, _ = opened(tmp_path, suffix, rows, [(2, 0, 2, 1), (4, 0, 6, 1)])
    assert columns == {
        "x": [7, 2, 5, 5, 1],
        "y": [7, 3, 5, 5, 1],
        "class": ["a", "b", "a", "b", "a"],
    }


@every_book
def test_a_gap_that_is_not_merged_stays_one(tmp_path: Path, suffix: str) -> None:
    rows = [["x", "class"], [1, "a"], [2, ""], [3, "b"], [4, ""]]
    columns, said = opened(tmp_path, suffix, rows, [(3, 1, 4, 1)])
    assert columns["class"] == ["a", None, "b", "b"]
    assert said == ("A cell has the value of the merged cell that covers it: B5 (“b”).",)


@every_book
@pytest.mark.parametrize("title", [[], [["Petals, 2020", "", "", ""]]])
def test_headings_of_two_rows_are_joined(tmp_path: Path, suffix: str, title: Rows) -> None:
    t = len(title)
    rows = [
        *title,
        ["id", "size", "", "class"],
        ["", "width", "height", ""],
        ["u", 1, 2, "a"],
        ["v", 3, 4, "b"],
    ]
    merged = [(t, 0, t + 1, 0), (t, 1, t, 2), (t, 3, t + 1, 3), *([(0, 0, 0, 3)] if title else [])]
    columns, said = opened(tmp_path, suffix, rows, merged)
    assert columns == {
        "id": ["u", "v"],
        "size width": [1, 3],
        "size height": [2, 4],
        "class": ["a", "b"],
    }
    assert said[-1] == "The names of the columns are joined from 2 rows with merged cells."
    assert len(said) == 1 + t


@every_book
def test_years_below_a_merged_heading_and_headings_of_three_rows(
    tmp_path: Path, suffix: str
) -> None:
    rows = [["town", "income", ""], ["", 1990, 2000], ["A", 1, 2], ["B", 3, 4]]
    assert list(opened(tmp_path, suffix, rows, [(0, 0, 1, 0), (0, 1, 0, 2)])[0]) == [
        "town",
        "income 1990",
        "income 2000",
    ]
    rows = [
        ["kind", "flower", "", "", ""], ["", "petal", "", "sepal", ""], ["", "w", "h", "w", "h"],
        ["a", 1, 2, 3, 4], ["b", 5, 6, 7, 8],
    ]  # fmt: skip
    merged = [(0, 0, 2, 0), (0, 1, 0, 4), (1, 1, 1, 2), (1, 3, 1, 4)]
    names = list(opened(tmp_path, suffix, rows, merged)[0])
    assert names == ["kind", "flower petal w", "flower petal h", "flower sepal w", "flower sepal h"]


@every_book
def test_groups_of_names_above_whole_names(tmp_path: Path, suffix: str) -> None:
    rows = [
        ["", "size", "", "place", ""],
        ["id", "w", "h", "x", "y"],
        ["u", 1, 2, 3, 4],
        ["v", 5, 6, 7, 8],
    ]
    names = list(opened(tmp_path, suffix, rows, [(0, 1, 0, 2), (0, 3, 0, 4)])[0])
    assert names == ["id", "size w", "size h", "place x", "place y"]


@every_book
def test_units_below_the_names(tmp_path: Path, suffix: str) -> None:
    rows = [
        ["class", "width", "height"],
        ["", "(cm)", "(mm)"],
        ["a", 1, 2],
        ["b", 3, 4],
        ["b", 5, 6],
    ]
    columns, _ = opened(tmp_path, suffix, rows, [(0, 0, 1, 0)])
    assert columns == {"class": ["a", "b", "b"], "width (cm)": [1, 3, 5], "height (mm)": [2, 4, 6]}


@every_book
def test_one_heading_over_two_columns_of_numbers(tmp_path: Path, suffix: str) -> None:
    columns, _ = opened(
        tmp_path, suffix, [["size", "", "class"], [1, 2, "a"], [3, 4, "b"]], [(0, 0, 0, 1)]
    )
    assert columns == {"size": [1, 3], "size (2)": [2, 4], "class": ["a", "b"]}


@every_book
def test_a_title_and_a_line_across_the_table_are_no_cells_of_all_columns(
    tmp_path: Path, suffix: str
) -> None:
    rows = [
        ["Results of 2020", "", ""],
        ["x", "y", "class"],
        [1, 2, "a"],
        [3, 4, "b"],
        ["A remark", "", ""],
    ]
    columns, said = opened(tmp_path, suffix, rows, [(0, 0, 0, 2), (4, 0, 4, 2)])
    assert columns["y"] == [2, 4]
    assert said == (
        "The first row is left out: “Results of 2020”.",
        "A row is left out: it is one cell merged over all columns, “A remark”.",
    )


@every_book
def test_captions_between_the_rows_are_no_rows(tmp_path: Path, suffix: str) -> None:
    rows = [
        ["x", "y", "class"],
        ["North", "", ""],
        [1, 2, "a"],
        [5, 6, "a"],
        ["South", "", ""],
        [3, 4, "b"],
    ]
    columns, said = opened(tmp_path, suffix, rows, [(1, 0, 1, 2), (4, 0, 4, 2)])
    assert columns == {"x": [1, 5, 3], "y": [2, 6, 4], "class": ["a", "a", "b"]}
    assert (
        said[0]
        == "2 rows are left out: each is one cell merged over all columns, “North” and “South”."
    )


@every_book
def test_rows_that_are_all_merged_are_the_table(tmp_path: Path, suffix: str) -> None:
    rows = [["x", ""], ["a", ""], ["b", ""], ["a", ""]]
    columns, _ = opened(tmp_path, suffix, rows, [(k, 0, k, 1) for k in range(4)])
    assert columns["x"] == ["a", "b", "a"]


def test_what_is_hidden_below_a_merged_cell_stays(tmp_path: Path) -> None:
    rows = [["x", "class"], [1, "a"], [2, "b"], [3, "a"]]
    assert opened(tmp_path, ".ods", rows, [(1, 1, 2, 1)])[0]["class"] == ["a", "b", "a"]


@pytest.mark.parametrize("suffix", [".xlsx", ".xls"])
def test_too_many_merged_cells_are_refused(
    tmp_path: Path, suffix: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(excel, "MAX_MERGED", 2)
    monkeypatch.setattr(old_excel, "MAX_MERGED", 2)
    rows = [["x", "class"], *([k, "ab"[k // 2 % 2] if k % 2 == 0 else ""] for k in range(6))]
    for count in (2, 3):
        merged = [(1 + 2 * k, 1, 2 + 2 * k, 1) for k in range(count)]
        if count == 2:
            assert opened(tmp_path, suffix, rows, merged)[0]["x"] == [0, 1, 2, 3, 4, 5]
        else:
            with pytest.raises(EngineError, match="has more than 2 merged cells"):
                opened(tmp_path, suffix, rows, merged)


@settings(max_examples=200, deadline=None)
@given(
    rows=st.lists(st.lists(st.sampled_from(["", "a", "1"]), max_size=6), max_size=8),
    merged=st.lists(st.tuples(*[st.integers(0, 9)] * 4), max_size=12),
)
def test_any_merged_cells_keep_what_is_written_and_the_width(
    rows: list[list[str]], merged: list[Merged]
) -> None:
    """Overlapping ones, and such as reach far beyond the table, too; no plain row is lost or made
    wider than the widest.
    """
    lines = [(number, row) for number, row in enumerate(rows, start=1) if any(row)]
    spans: dict[int, dict[int, tuple[int, int]]] = {}
    for top, begin, high, wide in merged:
        spans.setdefault(top, {})[begin] = (top + high * 10**6, begin + wide * 10**6)
    left = LeftOut("row")
    found = list(filled(iter(lines), spans, left))
    assert len(found) == len(lines) - max(0, left.name_rows - 1) - left.captioned
    assert left.captioned <= sum(len([*filter(None, row)]) == 1 for _, row in lines)
    most = max((len(row) for _, row in lines), default=0)
    below = dict(found)
    changed = 0
    for number, row in lines:
        new = below.get(number, row)
        assert len(new) <= most
        changed += any(now != old and old for old, now in zip(row, new, strict=False))
    assert changed <= (left.name_rows > 0)  # the names alone
