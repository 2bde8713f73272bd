"""A table of a million rows opened as the window's dialog does it: how long it takes, how long the window ever waits."""

import csv
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from PySide6.QtWidgets import QApplication

from engine import Dataset, open_table
from gui.app import application
from gui.dialogs.job import Job
from tests.benchmarks.measure import Row, Sizes, as_in_the_window, p95

NOTICED_MS = 100.0  # a stall that a person sees
TICK = 0.001


def rows(sizes: Sizes) -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as folder, as_in_the_window():
        path = Path(folder) / "large.csv"
        write(path, sizes.table_rows)
        theirs = plain(path)
        ours, stalls = opened(path)
    what = f"opening a CSV of {sizes.table_rows:,} rows"
    yield Row(what, ours, theirs, "s", "csv.reader alone")
    yield Row(f"{what}: longest stall of the window", 1000 * max(stalls), NOTICED_MS, "ms", "limit", 1.0)
    yield Row(f"{what}: stalls, p95", 1000 * p95(stalls), NOTICED_MS, "ms", "limit", 1.0)


def write(path: Path, rows: int) -> None:
    rng = np.random.default_rng(0)
    numbers, word = rng.normal(size=(rows, 4)).round(4), np.array(["yes", "no"])[rng.integers(0, 2, rows)]
    with path.open("w") as file:
        file.write("a,b,c,d,answer\n")
        file.writelines(
            f"{a},{b},{c},{d},{answer}\n" for (a, b, c, d), answer in zip(numbers.tolist(), word.tolist(), strict=True)
        )


def plain(path: Path) -> float:
    """Seconds to cut the file into cells and forget them."""
    began = time.perf_counter()
    with path.open(newline="") as file:
        for _ in csv.reader(file):
            pass
    return time.perf_counter() - began


def opened(path: Path) -> tuple[float, list[float]]:
    """(seconds to open the table in the background, by how much each turn of the event loop was late)"""
    application(())
    job, found, stalls = Job(), [], []
    job.done.connect(found.append)
    began = last = time.perf_counter()
    job.start(lambda tick: open_table(path, progress=tick))
    while not found:
        time.sleep(TICK)
        QApplication.processEvents()
        now = time.perf_counter()
        stalls.append(now - last - TICK)
        last = now
    if not isinstance(found[0], Dataset):
        raise found[0]
    return last - began, stalls
