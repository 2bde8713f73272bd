"""The window at work: playing, scrubbing, and dragging a point while the run follows.

Work of the window's thread alone.
"""

import gc
import os
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path
from statistics import mean
from types import SimpleNamespace
from typing import Any, NamedTuple
from unittest.mock import patch

import numpy as np
import pyqtgraph
from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QSettings, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

import engine
from engine import Dataset
from engine.document.document import Document
from engine.document.lane import lane
from engine.protocol.params import build
from engine.protocol.registry import algorithm
from engine.protocol.step import Level, Pace
from engine.runs.run import Run
from gui.app import application, open_window
from gui.session.player import SPEEDS
from gui.window.main_window import MainWindow
from tests.benchmarks.measure import LONG, Row, Sizes, as_in_the_window, p95, points_for

# a frame of every method, and of all but five of thirty
FRAME_MS, QUICK_FRAME_MS, SLOW_SHARE = 12.0, 8.0, 5 / 30
SCRUB_MS = 16.0
DRAG_MS = 1000 / 60
HUGE_MS = 16.0
SWITCH_MS = 100.0
THEME_MS = 100.0
# what ends so soon follows whole; for the rest the window has to answer
QUICK_MS, ANSWER_MS = 10.0, 50.0
PATIENCE, WHILE = 60.0, 8.0  # seconds; those in which a run is recorded that is scrubbed over
END = 1 << 30
HUGE = (3840, 2160)
THEMED = ((1280, 800), (1920, 1080))
THEMES = ("light", "dark"), ("dark", "light"), ("light", "projector"), ("projector", "light")
PLANE, HUGE_PLANE = (640, 540), (2900, 1700)  # what of the window is left to it
# whose stage has two views and more
VIEWED = ("svm", "decision_tree", "backpropagation", "regularised_regression")
USUAL: dict[str, dict[str, Any]] = {
    "perceptron": {"stop": "rounds", "rounds": 2},
    "nearest_neighbours": {"k": 5},
    "decision_tree": {},
    "adaboost": {"rounds": 40},
}


def rows(sizes: Sizes) -> Iterator[Row]:
    with as_in_the_window():
        frames = []
        for key in planar()[: sizes.methods]:
            took, bare = in_turn(key, sizes, None, PLANE)
            frames.append((took.work, bare))
            yield took.row(f"playing {key}, {sizes.points} points: a frame, p95", FRAME_MS)
            yield Row(
                f"playing {key}: beside bare pyqtgraph", took.work, bare, "ms", "points and image"
            )
        most = SLOW_SHARE * len(frames)
        what = f"methods whose frame takes over {QUICK_FRAME_MS:g} ms, of {len(frames)}"
        slow = sum(work > QUICK_FRAME_MS for work, _ in frames)
        yield Row(what, max(slow, 0.01), most, "", "limit", 1.0)
        # other work on the machine slows both down: printed, no limit
        calm = min(bare for _, bare in frames)
        slow = sum(work * calm / bare > QUICK_FRAME_MS for work, bare in frames)
        yield Row(
            f"{what}, were each minute as calm as the calmest",
            max(slow, 0.01),
            most,
            "",
            "limit",
            None,
        )
        for key in planar()[: sizes.methods]:
            took, bare = in_turn(key, sizes, HUGE, HUGE_PLANE)
            yield took.row(f"playing {key} at 3840 × 2160: a frame, p95", HUGE_MS)
            what = f"playing {key} at 3840 × 2160: beside bare pyqtgraph"
            yield Row(what, took.work, bare, "ms", "points and image", 2.0)
        for key in planar()[: sizes.methods]:
            steps, by_hand, jumps, words = scrubbing(key, sizes)
            yield calmest(by_hand).row(
                f"scrubbing {key}, {steps:,} steps: by hand over the time line, p95", SCRUB_MS
            )
            yield calmest(jumps).row(
                f"scrubbing {key}: to a random step, until the plane is painted, p95", SCRUB_MS
            )
            yield calmest(words).row(
                f"scrubbing {key}: its words and figures, in the frame after, p95", SCRUB_MS
            )
        for key in planar()[: sizes.methods]:
            run = running(key, points(key, sizes.dragged))
            update, whole = dragging(key, points(key, sizes.dragged), sizes)
            what = (
                f"dragging at n = {sizes.dragged}, {key} following ({whole:.0%} whole at once),"
                f" runs {run:.0f} ms, p95"
            )
            yield update.row(what, DRAG_MS if run <= QUICK_MS else ANSWER_MS)
        for size, (name, other) in [*product(THEMED, THEMES)][: sizes.themes]:
            took = min(theming(name, other, size, sizes) for _ in range(sizes.passes))
            what = (
                f"from the {name} theme to the {other} one at {size[0]} × {size[1]}, until the"
                " plane is painted"
            )
            yield Row(what, took, THEME_MS, "ms", "limit", 1.0)
        for key in VIEWED[: sizes.methods]:
            yield Row(
                f"another view on the stage, {key}",
                exchanging(key, sizes),
                SWITCH_MS,
                "ms",
                "limit",
                1.0,
            )


class Took(NamedTuple):
    """Milliseconds of work, and on the wall."""

    work: float
    wall: float

    def row(self, what: str, limit: float, reason: str = "") -> Row:
        return Row(what, self.work, limit, "ms", "limit", 1.0, reason, self.wall / limit)


def calmest(passes: list[list[Took]]) -> Took:
    """What 95 of 100 do not exceed, in the calmest pass of each clock."""
    return Took(
        *(min(p95([took[clock] for took in times]) for times in passes) for clock in range(2))
    )


@cache
def planar() -> list[str]:
    """The methods that can be used on points of a plane."""
    return [key for key in engine.algorithms() if points_for(key, 40) is not None]


def points(key: str, n: int, noise: float = 0.3) -> Dataset:
    data = points_for(key, n, noise)
    assert data is not None
    return data


# -- what is measured ------------------------------------------------------------------------------


def long_run(key: str, sizes: Sizes, size: int) -> Document:
    """A run of many steps, for the methods that have any number of them."""
    long = LONG.get(key)
    if long is None:
        return Document(points(key, size), (lane(key),))
    return Document(
        long.data(sizes.run_steps) if size > sizes.points else points(key, size),
        (lane(key, **long.params),),
    )


def playing(key: str, sizes: Sizes, size: tuple[int, int] | None = None) -> list[Took]:
    """Work of the window's thread for each frame that the player goes on, the worker busy beside
    it.
    """
    with opened(long_run(key, sizes, sizes.points), size) as shown:
        session = shown.window.session
        session.set_unit(Level.DETAIL)
        wait(lambda: len(session.trace or ()) > 2 * sizes.frames or session.finished)
        session.set_settings(speed=SPEEDS[-1])
        times: list[Took] = []
        with clock_stopped():
            session.player.play()
            while len(times) < sizes.frames:
                if session.cursor >= len(session.trace or ()) - 1:
                    session.seek(0)  # the run is shorter: once more
                    settle()
                times.append(shown.work(lambda: session.player.advance(1)))
    return times


def clock_stopped() -> Any:
    """The player goes on only where the benchmark advances it, but for one step as it begins."""
    return patch("gui.session.player.time", SimpleNamespace(perf_counter=lambda: 0.0))


def in_turn(
    key: str, sizes: Sizes, size: tuple[int, int] | None, plane: tuple[int, int]
) -> tuple[Took, float]:
    """A frame of ours, and milliseconds of one of the plainest picture, p95; a pass of each in
    turn.
    """
    passes = [
        (playing(key, sizes, size), p95(bare_frames(sizes, plane))) for _ in range(sizes.passes)
    ]
    return calmest([ours for ours, _ in passes]), min(bare for _, bare in passes)


def scrubbing(key: str, sizes: Sizes) -> tuple[int, *tuple[list[list[Took]], ...]]:
    """(steps of the run; for each pass, what it took until a random step was painted: pulled over
    by a hand that holds the time, in flight as all that is dragged; jumped to; and what then
    follows beside the plane)
    """
    with opened(long_run(key, sizes, sizes.points + (key in LONG))) as shown:
        session, timeline = shown.window.session, shown.window.timeline
        session.set_unit(Level.DETAIL)
        # some runs have no end, and some a first step that takes longer
        enough = time.perf_counter() + WHILE

        def few() -> bool:
            wanted = 2 if time.perf_counter() > enough else sizes.run_steps
            return len(session.trace or ()) < wanted

        wait(lambda: session.finished or not few())
        session.seek(steps := len(session.trace or ()) - 1)
        wait(lambda: timeline.last() >= steps)
        chance = np.random.default_rng(0)
        passes = [chance.integers(0, steps + 1, sizes.scrubs).tolist() for _ in range(sizes.passes)]
        jumps = [
            [(_scrub(shown, steps, at, session.seek), shown.settled()) for at in part]
            for part in passes
        ]
        line = QPoint(round(timeline.x_of(session.cursor)), timeline.height() // 2)
        QTest.mousePress(timeline, Qt.MouseButton.LeftButton, pos=line)

        def pull(at: int) -> None:
            line.setX(round(timeline.x_of(at)))
            QTest.mouseMove(timeline, line)

        by_hand = [[_scrub(shown, steps, at, pull) for at in part] for part in passes]
        QTest.mouseRelease(timeline, Qt.MouseButton.LeftButton, pos=line)
        return (
            steps + 1,
            by_hand,
            *([[took[k] for took in part] for part in jumps] for k in range(2)),
        )


def exchanging(key: str, sizes: Sizes) -> float:
    """Milliseconds of work for the slowest of the exchanges of a view on the stage."""
    with opened(Document(points(key, sizes.points), (lane(key),))) as shown:
        session, stage = shown.window.session, shown.window.stage
        enough = time.perf_counter() + 2.0
        wait(lambda: session.finished or time.perf_counter() > enough)
        session.seek(len(session.trace or ()) // 2)
        settle()
        words = [word for word in stage.switcher.words if word.isVisible()]
        times = []
        for word in [*words, *words]:
            began = time.thread_time()
            word.click()
            settle()
            times.append(1000 * (time.thread_time() - began))
    return max(times)


def theming(name: str, other: str, size: tuple[int, int], sizes: Sizes) -> float:
    """Milliseconds of work for the slower of two changes of theme in a long run, after one that
    loads fonts and icons.
    """
    with opened(long_run("perceptron", sizes, sizes.points), size) as shown:
        session = shown.window.session
        times = []
        wait(lambda: len(session.trace or ()) >= sizes.run_steps or session.finished)
        for _ in range(3):
            shown.window.use_theme(name)
            QTest.qWait(sizes.rest)  # what is hidden is dressed in spare time
            began = time.thread_time()
            shown.window.use_theme(other)
            shown.watch.wait()
            times.append(1000 * (time.thread_time() - began))
        shown.window.use_theme("light")
    return max(times[1:])


def _scrub(shown: "Opened", last: int, at: int, go: Callable[[int], Any]) -> Took:
    """To step `at`, or where that is shown already, and nothing would be painted, to one half of
    the run away.
    """
    session = shown.window.session
    half = last // 2 + 1
    settle()
    if abs(at - session.cursor) * 1000 < last + 1:  # the same pixel of the time line
        at = (at + half) % (last + 1)
    before = session.cursor
    took = shown.until_painted(lambda: go(at))
    if session.cursor == before:
        raise RuntimeError("the time did not follow the hand")
    return took


def running(key: str, data: Dataset) -> float:
    """Milliseconds of a whole run in steps, or of its first second."""
    chosen = algorithm(key)
    times = []
    for _ in range(3):
        run = Run(
            chosen,
            engine.prepare(data),
            build(chosen.params, USUAL.get(key, {})),
            pace=Pace(Level.STEP),
        )
        began = time.thread_time()
        run.advance(seconds=1.0)
        times.append(1000 * (time.thread_time() - began))
    return min(times)


def dragging(key: str, data: Dataset, sizes: Sizes) -> tuple[Took, float]:
    """(what it takes for a move of the mouse with everything painted, p95; share of moves after
    which the run was whole)
    """
    with opened(Document(data, (lane(key, **USUAL.get(key, {})),))) as shown:
        session, plane = shown.window.session, shown.window.plane
        enough = time.perf_counter() + 1.0  # some runs have no end
        wait(lambda: session.finished or time.perf_counter() > enough)
        session.seek(END)
        session.set_settings(tool="move")
        settle()
        start = QPointF(*plane.view().to_pixels(plane.shown().xy[:1])[0])
        place = plane.mapFromScene(plane.view_box.mapToScene(start))
        QTest.mousePress(plane.viewport(), Qt.MouseButton.LeftButton, pos=place)
        passes = [[_drag(shown, place, k) for k in range(sizes.drags)] for _ in range(sizes.passes)]
        QTest.mouseRelease(plane.viewport(), Qt.MouseButton.LeftButton, pos=place)
    whole = [done for moves in passes for _, done in moves]
    return calmest([[took for took, _ in moves] for moves in passes]), mean(whole)


def _drag(shown: "Opened", place: QPoint, k: int) -> tuple[Took, bool]:
    """(what one move took, whether the run was whole when it was painted); to the right and back
    again in turn.
    """
    session = shown.window.session
    viewport = shown.window.plane.viewport()
    place.setX(place.x() + (1 if k % 60 < 30 else -1))
    before = session.document
    took = shown.until_painted(lambda: QTest.mouseMove(viewport, place))
    if session.document is before:
        raise RuntimeError("the point did not follow the mouse")
    return took, session.finished and session.cursor == len(session.trace or ()) - 1


def bare_frames(sizes: Sizes, size: tuple[int, int]) -> list[float]:
    """Milliseconds of work for each frame of the plainest picture: points of two classes over an
    image.
    """
    application(())
    plot = pyqtgraph.PlotWidget()
    image = pyqtgraph.ImageItem()
    plot.addItem(image)
    clouds = [pyqtgraph.ScatterPlotItem(size=10), pyqtgraph.ScatterPlotItem(size=10)]
    for cloud in clouds:
        plot.addItem(cloud)
    plot.resize(*size)
    plot.show()
    rng = np.random.default_rng(0)
    watch = Watch(plot.viewport())
    times = []
    for _ in range(max(1, sizes.frames // 3)):  # they differ little, and every method has its own
        began = time.thread_time()
        image.setImage(rng.random((96, 96)), rect=(0, 0, 1, 1))
        for cloud in clouds:
            cloud.setData(rng.random(sizes.points // 2), rng.random(sizes.points // 2))
        watch.wait()
        times.append(1000 * (time.thread_time() - began))
    plot.close()
    return times


# -- a window to measure ---------------------------------------------------------------------------


class Watch(QObject):
    """Tells when a widget has been painted, and all that is painted with it: not what the same turn
    of the event loop does then.

    at: processor seconds of the process and seconds on the wall
    """

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self.widget = widget
        self.painted = False
        self.at: tuple[float, float] | None = None
        widget.installEventFilter(self)
        widget.window().installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint and watched is self.widget:
            self.painted = True
        elif event.type() == QEvent.Type.UpdateRequest and watched is self.widget.window():
            watched.event(event)
            if self.painted and self.at is None:
                self.at = time.process_time(), time.perf_counter()
            return True
        return False

    def wait(self) -> tuple[float, float]:
        """Work off events until the widget is painted again; when it was."""
        self.at = None
        self.painted = False
        wait(lambda: self.painted)
        return self.at or (time.process_time(), time.perf_counter())


@dataclass
class Opened:
    """A window, and a watch on its plane."""

    window: MainWindow
    watch: Watch
    painted: tuple[float, float] = (0.0, 0.0)  # when it was last, by both clocks

    def until_painted(self, act: Callable[[], Any]) -> Took:
        """From `act()` until the plane shows what it did: of the processor, for all threads, and on
        the wall.
        """
        busy = time.process_time()
        began = time.perf_counter()
        act()
        self.painted = self.watch.wait()
        return Took(1000 * (self.painted[0] - busy), 1000 * (self.painted[1] - began))

    def settled(self) -> Took:
        """From then on until nothing waits any more: what follows when the plane is painted."""
        busy, began = self.painted
        settle()
        return Took(1000 * (time.process_time() - busy), 1000 * (time.perf_counter() - began))

    def work(self, act: Callable[[], Any]) -> Took:
        """Of the window's thread for `act()` and all that follows from it, and on the wall."""
        busy = time.thread_time()
        began = time.perf_counter()
        act()
        self.watch.wait()
        settle()
        return Took(1000 * (time.thread_time() - busy), 1000 * (time.perf_counter() - began))


@contextmanager
def opened(document: Document, size: tuple[int, int] | None = None) -> Iterator[Opened]:
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    with tempfile.TemporaryDirectory() as folder:
        settings = QSettings(str(Path(folder) / "settings.ini"), QSettings.Format.IniFormat)
        settings.setValue("autosave_folder", folder)
        application(("benchmark",))
        window = open_window(settings, document)
        if size is not None:
            window.resize(*size)
        window.show()
        window.stage.show_plane()  # where it does not lead
        settle()
        try:
            yield Opened(window, Watch(window.plane.viewport()))
        finally:
            window.session.saved = window.session.document
            window.close()
            window.deleteLater()
            for _ in range(2):  # or it would slow down the next one; its session goes after it
                QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
            gc.unfreeze()  # the warm-up has frozen it, with all that it holds
            gc.collect()


def settle() -> None:
    """Work off what waits, so that the next measurement does not pay for the last one."""
    for _ in range(3):
        QApplication.processEvents()


def wait(ready: Callable[[], bool]) -> None:
    deadline = time.perf_counter() + PATIENCE
    while not ready():
        QApplication.processEvents()
        if time.perf_counter() > deadline:
            raise RuntimeError("the window did not get ready in a minute")
