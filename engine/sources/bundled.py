"""The data files that come with the lab, and the recipe of a set: title, task, source, words about
it.
"""

import csv
import gzip
import io

from engine.base.place import ASSETS
from engine.base.records import Record
from engine.table.problem import Task

SHELF = ASSETS / "data"


class Entry(Record, eq=True):
    """What a picker shows of a set that comes with the lab."""

    title: str
    task: Task
    source: str
    about: str = ""


def shelf_text(*parts: str) -> str:
    """The text of the file assets/data/<parts>, packed when its name ends in .gz."""
    raw = SHELF.joinpath(*parts).read_bytes()
    return (gzip.decompress(raw) if parts[-1].endswith(".gz") else raw).decode("utf-8")


def shelf_rows(*parts: str) -> tuple[list[str], list[list[str]]]:
    """(column names, rows of cells) of a CSV file on the shelf."""
    header, *rows = csv.reader(io.StringIO(shelf_text(*parts)))
    return header, rows
