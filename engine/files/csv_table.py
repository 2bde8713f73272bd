"""Writes a table as a CSV file for this lab, spreadsheets and other programs."""

from pathlib import Path

from engine.files.atomic import write_atomic
from engine.read.tables import table_text
from engine.table.dataset import Dataset


def save_csv(data: Dataset, path: str | Path) -> None:
    """Write a row of names, then the rows, with commas, in UTF-8; missing cells are empty.

    Numbers keep all digits. Raises EngineError if the file cannot be written.
    """
    write_atomic(path, [csv_bytes(table_text(data, ","))])


def csv_bytes(text: str) -> bytes:
    """The text in UTF-8, with a byte order mark if it is not ASCII.

    Without the mark spreadsheets assume another encoding.
    """
    return text.encode("ascii" if text.isascii() else "utf-8-sig")
