"""Process start to the first painted window: the lab beside a bare pyqtgraph window on the same
platform. The first start ever is that of a fresh copy, whose modules Python has never read; after
it, what holds the window up while it gets ready for more.
"""

import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

from tests.benchmarks.measure import Row, Sizes

ROOT = Path(__file__).parents[2]
STALL_MS = 16.0  # a frame at sixty a second
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
            import gui.plane.plane as place
            made = place.Plane.__init__
            def made_and_watched(plane, *given):
                made(plane, *given)
                watched(plane.viewport())
            place.Plane.__init__ = made_and_watched
sys.meta_path.insert(0, Then())
main.main([])
"""
STALLS = """
import os, time
def watched(painted):
    from PySide6.QtCore import QAbstractEventDispatcher, QEvent, QObject, QTimer
    from gui.window import warm_up
    began, longest = [0.0], [0.0]
    def rest():  # waiting takes no time of the processor
        now = time.thread_time()
        longest[0], began[0] = max(longest[0], now - began[0]), now
        if started and not started[0].is_alive():
            os.write(1, f"stalled {1000 * longest[0]}".encode())
            os._exit(0)
    started, start = [], warm_up.start
    warm_up.start = lambda: started.append(start())
    def look():
        began[0] = time.thread_time()
        QAbstractEventDispatcher.instance().aboutToBlock.connect(rest)
    class Watch(QObject):
        def eventFilter(self, watched, event):
            if event.type() == QEvent.Type.Paint:
                painted.removeEventFilter(self)
                QTimer.singleShot(0, look)
            return False
    painted.watch = Watch()
    painted.installEventFilter(painted.watch)
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
    with tempfile.TemporaryDirectory() as home, copied() as root:
        start(BARE, home, root)  # what it needs of the system is in memory then
        for what, times, most in (
            ("first start ever", sizes.firsts or 1, 3.0),
            ("process start", sizes.starts, 2.0),
        ):
            taken: dict[str, list[tuple[float, float]]] = {LAB: [], BARE: []}
            for _ in range(times):
                if "first" in what:
                    forget(root)
                for program, seconds in taken.items():
                    seconds.append(start(program, home, root))
            for clock, unit in enumerate(("on the wall", "CPU")):
                ours, bare = (
                    1000 * median(took[clock] for took in seconds) for seconds in taken.values()
                )
                yield Row(
                    f"{what} to first painted window, {unit}",
                    ours,
                    bare,
                    "ms",
                    "bare pyqtgraph",
                    most,
                )
        for what in ("first start ever", "process start")[not sizes.firsts :]:
            if "first" in what:
                forget(root)
            longest = float(printed(STALLS + LAB, home, root).removeprefix("stalled "))
            yield Row(
                f"{what}: longest event after the first paint",
                longest,
                STALL_MS,
                "ms",
                "limit",
                1.0,
            )


@contextmanager
def copied() -> Iterator[Path]:
    """The program as a person fetches it."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        shutil.copy(ROOT / "main.py", root)
        for part in ("engine", "gui", "assets"):
            shutil.copytree(ROOT / part, root / part, ignore=shutil.ignore_patterns("__pycache__"))
        yield root


def forget(root: Path) -> None:
    """What Python has read of it."""
    for folder in [*root.rglob("__pycache__")]:
        shutil.rmtree(folder)


def start(program: str, home: str, root: Path = ROOT) -> tuple[float, float]:
    """Seconds until a fresh process that runs `program` has painted its window, on the wall and of
    processor time.
    """
    began = time.perf_counter()
    busy = resource.getrusage(resource.RUSAGE_CHILDREN)
    if printed(WATCH + program, home, root) != "painted":
        raise RuntimeError(f"no window was painted: {program.strip().splitlines()[0]}")
    took = time.perf_counter() - began
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return took, spent.ru_utime + spent.ru_stime - busy.ru_utime - busy.ru_stime


def printed(program: str, home: str, root: Path) -> str:
    """What a fresh process that runs `program` writes until it ends."""
    given = {"QT_QPA_PLATFORM": "offscreen", **os.environ} | dict.fromkeys(FOLDERS, home)
    # from the second start on, modules are compiled already
    given.pop("PYTHONDONTWRITEBYTECODE", None)
    command = [sys.executable, "-c", program]
    return subprocess.run(
        command,
        cwd=root,
        env=given,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        timeout=120,
    ).stdout
