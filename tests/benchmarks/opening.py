"""Large tables opened as the window's dialog does it: how long it takes, how long the window ever
waits.
"""

import csv
import tempfile
import time
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import python_calamine
from PySide6.QtWidgets import QApplication

from engine import Dataset, open_table
from engine.read.cells import file_source
from gui.app import application
from gui.dialogs.job import Job
from tests.benchmarks.measure import Row, Sizes, as_in_the_window, p95

NOTICED_MS = 50.0  # a stall that a person sees
TICK = 0.001
Stalls = list[tuple[float, float]]
MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
BOOK = (
    f'<workbook xmlns="{MAIN}" xmlns:r="{OFFICE}"><sheets><sheet name="s" sheetId="1"'
    ' r:id="a"/></sheets></workbook>'
)
LINK = (
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    f'<Relationship Id="a" Type="{OFFICE}/{{kind}}" Target="{{target}}"/></Relationships>'
)


def rows(sizes: Sizes) -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as folder, as_in_the_window():
        path = Path(folder) / "large.csv"
        write(path, sizes.table_rows)
        theirs = plain(path)
        ours, stalls = opened(path)
    what = f"opening a CSV of {sizes.table_rows:,} rows"
    yield Row(what, ours, theirs, "s", "csv.reader alone")
    yield stalled(what, stalls)
    work, wall = (p95(clock) for clock in zip(*stalls, strict=True))
    yield Row(
        f"{what}: stalls, p95",
        1000 * work,
        NOTICED_MS,
        "ms",
        "limit",
        1.0,
        wall=1000 * wall / NOTICED_MS,
    )
    yield from sheet(sizes)


def sheet(sizes: Sizes) -> Iterator[Row]:
    """A sheet of Excel with eleven columns: its cells as text beside the library's own reading,
    then all of the opening.
    """
    with tempfile.TemporaryDirectory() as folder, as_in_the_window():
        path = Path(folder) / "large.xlsx"
        write_sheet(path, sizes.sheet_rows)
        theirs = min(cpu(lambda: calamine_alone(path)) for _ in range(sizes.passes))
        ours = min(cpu(lambda: cells_of(path)) for _ in range(sizes.passes))
        _, stalls = opened(path)
    what = f"a sheet of {sizes.sheet_rows:,} rows and 11 columns"
    yield Row(f"reading {what}, CPU", ours, theirs, "s", "calamine alone", 2.5)
    yield stalled(f"opening {what}", stalls)


def stalled(what: str, stalls: Stalls) -> Row:
    """What the program did meanwhile: other programs hold a window up on the wall alone."""
    work, wall = (1000 * max(clock) for clock in zip(*stalls, strict=True))
    return Row(
        f"{what}: longest stall of the window",
        work,
        NOTICED_MS,
        "ms",
        "limit",
        1.0,
        wall=wall / NOTICED_MS,
    )


def cpu(work: Callable[[], None]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


def calamine_alone(path: Path) -> None:
    for _ in python_calamine.load_workbook(path).get_sheet_by_index(0).iter_rows():
        pass


def cells_of(path: Path) -> None:
    source = file_source(path)
    assert source.form is not None
    with source.open() as stream:
        for _ in source.form.rows(stream, lambda *_: None):
            pass


def write_sheet(path: Path, rows: int) -> None:
    """The least that Excel would open: ten columns of numbers and one of words."""
    numbers = np.random.default_rng(0).normal(size=(rows, 10)).round(4).tolist()
    letters = "ABCDEFGHIJ"
    names = "".join(f'<c r="{letter}1" t="str"><v>{letter}</v></c>' for letter in "ABCDEFGHIJK")
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as book:
        book.writestr("_rels/.rels", LINK.format(kind="officeDocument", target="xl/workbook.xml"))
        book.writestr(
            "xl/_rels/workbook.xml.rels",
            LINK.format(kind="worksheet", target="worksheets/sheet1.xml"),
        )
        book.writestr("xl/workbook.xml", BOOK)
        with book.open("xl/worksheets/sheet1.xml", "w") as sheet:
            sheet.write(f'<worksheet xmlns="{MAIN}"><sheetData><row r="1">{names}</row>'.encode())
            for k, row in enumerate(numbers, start=2):
                cells = "".join(
                    f'<c r="{at}{k}"><v>{value}</v></c>'
                    for at, value in zip(letters, row, strict=True)
                )
                last = f'<c r="K{k}" t="str"><v>{"pq"[k % 2]}</v></c>'
                sheet.write(f'<row r="{k}">{cells}{last}</row>'.encode())
            sheet.write(b"</sheetData></worksheet>")


def write(path: Path, rows: int) -> None:
    rng = np.random.default_rng(0)
    numbers = rng.normal(size=(rows, 4)).round(4)
    word = np.array(["yes", "no"])[rng.integers(0, 2, rows)]
    with path.open("w") as file:
        file.write("a,b,c,d,answer\n")
        file.writelines(
            f"{a},{b},{c},{d},{answer}\n"
            for (a, b, c, d), answer in zip(numbers.tolist(), word.tolist(), strict=True)
        )


def plain(path: Path) -> float:
    """Seconds to cut the file into cells and forget them."""
    began = time.perf_counter()
    with path.open(newline="") as file:
        for _ in csv.reader(file):
            pass
    return time.perf_counter() - began


def opened(path: Path) -> tuple[float, Stalls]:
    """(seconds to open the table in the background; for each turn of the event loop, how long the
    program worked while it was late, in all threads, and by how much it was late)
    """
    application(())
    found: list[Any] = []
    stalls: Stalls = []
    job = Job()
    job.done.connect(found.append)
    began = last = time.perf_counter()
    busy = time.process_time()
    job.start(lambda tick: open_table(path, progress=tick))
    while not found:
        time.sleep(TICK)
        QApplication.processEvents()
        now = time.perf_counter()
        busy_now = time.process_time()
        late = max(0.0, now - last - TICK)
        stalls.append((min(busy_now - busy, late), late))
        last, busy = now, busy_now
    if not isinstance(found[0], Dataset):
        raise found[0]
    return last - began, stalls
