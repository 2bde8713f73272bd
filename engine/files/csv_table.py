"""A table as a CSV file, to be read by this lab, by spreadsheets and by other programs."""

from pathlib import Path

from engine.files.atomic import write_atomic
from engine.read.tables import table_text
from engine.table.dataset import Dataset


def save_csv(data: Dataset, path: str | Path) -> None:
    """A row of names, then the rows, with commas, in UTF-8; missing cells are empty.

    Numbers keep all their digits.

    Raises EngineError when the file cannot be written.
    """
    write_atomic(path, [csv_bytes(table_text(data, ","))])


def csv_bytes(text: str) -> bytes:
    """A table's text in UTF-8.

    A mark in front says so where there are other letters than ASCII: spreadsheets take them for
    another code without.
    """
    return text.encode("ascii" if text.isascii() else "utf-8-sig")
