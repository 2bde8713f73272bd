"""Reads the data files that come with the lab, and declares the catalogue entry of a set."""

import csv
import gzip
import io

from engine.base.place import ASSETS
from engine.base.records import Record
from engine.table.problem import Task

SHELF = ASSETS / "data"


class Entry(Record, eq=True):
    """The catalogue entry of a bundled set, as the picker shows it."""

    title: str
    task: Task
    source: str
    about: str = ""


def bundled_text(*parts: str) -> str:
    """The text of the file assets/data/<parts>; a file named *.gz is unpacked."""
    raw = SHELF.joinpath(*parts).read_bytes()
    return (gzip.decompress(raw) if parts[-1].endswith(".gz") else raw).decode("utf-8")


def bundled_rows(*parts: str) -> tuple[list[str], list[list[str]]]:
    """(column names, rows of cells) of the CSV file assets/data/<parts>."""
    header, *rows = csv.reader(io.StringIO(bundled_text(*parts)))
    return header, rows
