"""Tables as CSV files."""

import csv
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine.base.errors import EngineError
from engine.files.csv_table import save_csv


def saved(data: engine.Dataset, folder: Path) -> list[list[str]]:
    """Rows of cells as another program reads them."""
    path = folder / "table.csv"
    save_csv(data, path)
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.reader(file))


def test_names_then_rows_with_gaps_empty(tmp_path: Path) -> None:
    columns = {
        "size, m²": [1.5, None, 3.0],
        "said": ['a "b"', "c,d", "é"],
        "y": ["no", "yes", "no"],
    }
    rows = saved(engine.Dataset.from_columns(columns, target="y"), tmp_path)
    assert rows[0] == ["size, m²", "said", "y"]
    assert [float(row[0] or "nan") for row in rows[1:]] == pytest.approx(
        [1.5, float("nan"), 3.0], nan_ok=True
    )
    assert [row[1:] for row in rows[1:]] == [['a "b"', "no"], ["c,d", "yes"], ["é", "no"]]


def test_only_other_letters_than_ascii_have_a_mark_in_front(tmp_path: Path) -> None:
    for title, mark in (("m2", b"m2"), ("m²", b"\xef\xbb\xbf")):
        save_csv(engine.Dataset.from_columns({title: [1.0, 2.0]}), tmp_path / "t.csv")
        assert (tmp_path / "t.csv").read_bytes().startswith(mark)


@given(st.lists(st.floats(-1e150, 1e150), min_size=2, max_size=9))
def test_numbers_keep_all_their_digits(
    tmp_path_factory: pytest.TempPathFactory, values: list[float]
) -> None:
    rows = saved(engine.Dataset.from_columns({"x": values}), tmp_path_factory.mktemp("csv"))
    assert [float(row[0]) for row in rows[1:]] == values


@pytest.mark.parametrize("name", ["restaurant", "dogs", "spam", "peak", "two_bit_adder"])
def test_the_lab_reads_its_own_file(name: str, tmp_path: Path) -> None:
    data = engine.textbook(name)
    save_csv(data, tmp_path / "t.csv")
    again = engine.open_table(tmp_path / "t.csv", target=data.target.name)
    assert [c.name for c in again.columns] == [c.name for c in data.columns]
    for before, after in zip(data.columns, again.columns, strict=True):
        assert [str(v).removesuffix(".0") for v in after.labels()] == [
            str(v).removesuffix(".0") for v in before.labels()
        ]


def test_a_place_where_nothing_can_be_written_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(EngineError, match=r"\.$"):
        save_csv(engine.textbook("dogs"), tmp_path / "no" / "t.csv")
