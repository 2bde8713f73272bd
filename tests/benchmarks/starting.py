"""Process start to the first painted window: the lab beside a bare pyqtgraph window on the same platform."""

import os
import resource
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
def watched(painted):
    from PySide6.QtCore import QEvent, QObject, QTimer
    class Watch(QObject):
        def eventFilter(self, watched, event):
            if event.type() == QEvent.Type.Paint:
                QTimer.singleShot(0, lambda: (os.write(1, b"painted"), os._exit(0)))
            return False
    painted.watch = Watch()
    painted.installEventFilter(painted.watch)
"""
LAB = """
import main, sys
class Then:  # whatever main.py imports first, and in whatever order, it does so here too
    def find_spec(self, name, path, target=None):
        if name == "gui.window.warm_up":  # the last module of a window, before it is made
            sys.meta_path.remove(self)
            import gui.canvas.plane as place
            made = place.Plane.__init__
            def made_and_watched(plane, *given):
                made(plane, *given)
                watched(plane.viewport())
            place.Plane.__init__ = made_and_watched
sys.meta_path.insert(0, Then())
main.main([])
"""
BARE = """
from PySide6.QtWidgets import QApplication
import pyqtgraph
app = QApplication([])
plot = pyqtgraph.PlotWidget()
plot.plot([0, 1, 2], [1, 0, 1])
plot.resize(1280, 800)
watched(plot.viewport())
plot.show()
app.exec()
"""


def rows(sizes: Sizes) -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as home:
        taken: dict[str, list[tuple[float, float]]] = {LAB: [], BARE: []}
        for _ in range(sizes.starts + 1):  # the first turn compiles the modules
            for program, times in taken.items():
                times.append(start(program, home))
    for what, turns, most in (("first start ever", slice(1), 2.5), ("process start", slice(1, None), 1.5)):
        for clock, unit in enumerate(("on the wall", "CPU")):
            ours, bare = (1000 * median(took[clock] for took in times[turns]) for times in taken.values())
            yield Row(f"{what} to first painted window, {unit}", ours, bare, "ms", "bare pyqtgraph", most)


def start(program: str, home: str) -> tuple[float, float]:
    """Seconds until a fresh process that runs `program` has painted its window, on the wall and of processor time."""
    given = {"QT_QPA_PLATFORM": "offscreen", **os.environ} | dict.fromkeys(FOLDERS, home)
    given.pop("PYTHONDONTWRITEBYTECODE", None)  # from the second start on, modules are compiled already
    began, busy = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    with subprocess.Popen(
        [sys.executable, "-c", WATCH + program], cwd=ROOT, env=given, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as process:
        assert process.stdout is not None
        told = process.stdout.read(7)
        took = time.perf_counter() - began
    if told != b"painted":
        raise RuntimeError(f"no window was painted: {program.strip().splitlines()[0]}")
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return took, spent.ru_utime + spent.ru_stime - busy.ru_utime - busy.ru_stime
