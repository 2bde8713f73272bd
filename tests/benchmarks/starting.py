"""Process start to the first painted window: the lab beside a bare pyqtgraph window on the same platform."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from tests.benchmarks.measure import Row, Sizes

ROOT = Path(__file__).parents[2]
FOLDERS = ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME")
WATCH = """
import os
from PySide6.QtCore import QEvent, QObject, QTimer
class Watch(QObject):
    def eventFilter(self, watched, event):
        if event.type() == QEvent.Type.Paint:
            QTimer.singleShot(0, lambda: (os.write(1, b"painted"), os._exit(0)))
        return False
watch = Watch()
"""
LAB = """
import main, gui.app
opened = gui.app.open_window
def open_watched(*given):
    window = opened(*given)
    window.plane.viewport().installEventFilter(watch)
    return window
gui.app.open_window = open_watched
main.main([])
"""
BARE = """
from PySide6.QtWidgets import QApplication
import pyqtgraph
app = QApplication([])
plot = pyqtgraph.PlotWidget()
plot.plot([0, 1, 2], [1, 0, 1])
plot.resize(1280, 800)
plot.viewport().installEventFilter(watch)
plot.show()
app.exec()
"""


def rows(sizes: Sizes) -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as home:
        taken: dict[str, list[float]] = {LAB: [], BARE: []}
        for turn in range(sizes.starts + 1):  # the first turn compiles the modules and warms the disk
            for program, times in taken.items():
                took = start(program, home)
                if turn:
                    times.append(took)
    ours, bare = (1000 * median(times) for times in taken.values())
    yield Row("process start to first painted window", ours, bare, "ms", "bare pyqtgraph", 2.0)


def start(program: str, home: str) -> float:
    """Seconds until a fresh process that runs `program` has painted its window."""
    given = {"QT_QPA_PLATFORM": "offscreen", **os.environ} | dict.fromkeys(FOLDERS, home)
    given.pop("PYTHONDONTWRITEBYTECODE", None)  # from the second start on, modules are compiled already
    began = time.perf_counter()
    with subprocess.Popen(
        [sys.executable, "-c", WATCH + program], cwd=ROOT, env=given, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as process:
        assert process.stdout is not None
        told = process.stdout.read(7)
        took = time.perf_counter() - began
    if told != b"painted":
        raise RuntimeError(f"no window was painted: {program.strip().splitlines()[0]}")
    return took
