"""Four lanes at work: playing, scrubbing, and a point dragged while all four follow.

Work of the window's thread alone.
"""

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import numpy as np
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtTest import QTest

from engine.base.grid import Grid
from engine.document.document import Document
from engine.document.lane import lane
from engine.document.lane_run import LaneRun
from engine.judge.difference import disagreement
from engine.judge.surface import surface
from engine.protocol.step import Level, Pace
from engine.scene.layers import Field
from gui.look import theme
from gui.painters.differences import DIFFERENCE, paint_difference
from gui.painters.view import Brushwork, View
from gui.session.lane_comparison import of_one_size
from tests.benchmarks.measure import Row, Sizes, as_in_the_window, p95
from tests.benchmarks.showing import END, Opened, Watch, clock_stopped, opened, points, settle, wait

POINTS = 200
ROOT = Path(__file__).parents[2]
FRAME_MS = 1000 / 30
SCRUB_MS = 33.0
DRAG_MS = 1000 / 20
DIFFER_MS = 10.0
FLIP_MS = 5.0
CELLS = 256
FLIPS = {"logistic_regression": "linear model", "decision_tree": "tree"}
LANES = (
    lane("perceptron", stop="rounds", rounds=40),
    lane("logistic_regression"),
    lane("svm", kernel="rbf"),
    lane("adaboost"),
)


def rows(sizes: Sizes) -> Iterator[Row]:
    document = Document(points("svm", min(POINTS, sizes.points)), LANES)
    with as_in_the_window():
        for unit in (Level.STEP, Level.ROUND):
            work = min(p95(playing(document, unit, sizes)) for _ in range(sizes.passes))
            yield Row(
                f"playing four lanes by {unit.name.lower()}s: a frame, p95",
                work,
                FRAME_MS,
                "ms",
                "limit",
                1.0,
            )
        work = min(p95(scrubbing(document, sizes)) for _ in range(sizes.passes))
        yield Row(
            "scrubbing four lanes: to a random round, p95", work, SCRUB_MS, "ms", "limit", 1.0
        )
        work = min(p95(dragging(document, sizes)) for _ in range(sizes.passes))
        yield Row(
            "dragging with four live lanes: an update, p95", work, DRAG_MS, "ms", "limit", 1.0
        )
        for key, name in FLIPS.items():
            work = min(max(flipping(key, sizes)) for _ in range(sizes.passes))
            yield Row(
                f"nearest flip of a {name}, the slowest of a process",
                work,
                FLIP_MS,
                "ms",
                "limit",
                1.0,
            )
        work = min(p95(lane_comparison(document, sizes)) for _ in range(sizes.passes))
        yield Row(
            "difference of two lanes, 256 x 256, beyond surfaces, p95",
            work,
            DIFFER_MS,
            "ms",
            "limit",
            1.0,
        )


def flipping(key: str, sizes: Sizes) -> list[float]:
    """Milliseconds of each flip, in a process of their own: nothing is warmed up for the
    first one.
    """
    command = [
        sys.executable,
        "-m",
        "tests.benchmarks.first_flip",
        key,
        str(min(POINTS, sizes.points)),
        str(sizes.scrubs),
    ]
    return [float(word) for word in subprocess.check_output(command, cwd=ROOT).split()]


class Painted:
    """All that moves is painted together with the lane that goes on for longest; what is painted
    finer later, while nothing moves, is not counted.
    """

    def __init__(self, shown: Opened) -> None:
        session = shown.window.session
        wait(lambda: all(view.finished for view in session.lane_views))
        settle()
        self.watch = Watch(shown.window.lanes.planes[session.lead.place].viewport())

    def work(self, act: Callable[[], object]) -> float:
        """Milliseconds that the window's thread works for `act()` until all planes show it."""
        self.watch.painted = False
        began = time.thread_time()
        act()
        wait(lambda: self.watch.painted)
        return 1000 * (time.thread_time() - began)


def playing(document: Document, unit: Level, sizes: Sizes) -> list[float]:
    """Milliseconds of work for each unit that the clock goes on."""
    with opened(document) as shown:
        session = shown.window.session
        session.set_unit(unit)
        painted = Painted(shown)
        session.seek(0)
        settle()
        times: list[float] = []
        with clock_stopped():
            session.player.play()
            settle()
            while len(times) < sizes.frames:
                if session.lead.cursor >= len(session.lead.trace or ()) - 1:
                    session.seek(0)
                    settle()
                times.append(painted.work(lambda: session.player.advance(1)))
    return times


def scrubbing(document: Document, sizes: Sizes) -> list[float]:
    """Milliseconds of work from asking for a random round until it is painted in all lanes."""
    with opened(document) as shown:
        session = shown.window.session
        session.set_unit(Level.ROUND)
        painted = Painted(shown)
        rounds = session.lead.trace.indices(Level.ROUND)  # type: ignore[union-attr]
        chance = np.random.default_rng(0)
        places = [int(rounds[k]) for k in chance.integers(0, len(rounds), sizes.scrubs)]
        return [
            painted.work(partial(session.seek, at)) for at in places if at != session.lead.cursor
        ]


def dragging(document: Document, sizes: Sizes) -> list[float]:
    """Milliseconds of work for each move of the mouse, until all lanes are painted."""
    with opened(document) as shown:
        session, plane = shown.window.session, shown.window.plane
        painted = Painted(shown)
        session.seek(END)
        session.set_settings(tool="move")
        start = QPointF(*plane.view().to_pixels(plane.shown().xy[:1])[0])
        place = plane.mapFromScene(plane.view_box.mapToScene(start))
        QTest.mousePress(plane.viewport(), Qt.MouseButton.LeftButton, pos=place)
        times = []
        for k in range(sizes.drags):
            place += QPoint(1 if k % 60 < 30 else -1, 0)
            before = session.document
            times.append(painted.work(partial(QTest.mouseMove, plane.viewport(), place)))
            if session.document is before:
                raise RuntimeError("the point did not follow the mouse")
        QTest.mouseRelease(plane.viewport(), Qt.MouseButton.LeftButton, pos=place)
    return times


def lane_comparison(document: Document, sizes: Sizes) -> list[float]:
    """Milliseconds of work for where a kernel and a vote of stumps disagree: the cells, their
    share, the hatched and bordered area, on a plane as large as that of one of two lanes. What the
    two say of each cell is known.
    """
    rasters = []
    problem = document.problem()
    for each in (LANES[2], LANES[3]):
        run = LaneRun(each, problem, Pace(Level.ROUND))
        run.advance(10.0, 10_000)
        grid = Grid.over((-3.0, 3.0), (-3.0, 3.0), CELLS)
        rasters.append(surface(run.trace, "class", grid))
    image = QImage(640, 640, QImage.Format.Format_ARGB32_Premultiplied)
    times = []
    for _ in range(sizes.scrubs):
        painter = QPainter(image)
        began = time.thread_time()
        mask = disagreement(*of_one_size(*rasters)).astype(np.float64)
        view = View((-3.0, 3.0), (-3.0, 3.0), QRectF(0, 0, 640, 640))
        paint_difference(
            Brushwork(painter, view, theme.current(), raster=lambda _, mask=mask: mask),
            Field(DIFFERENCE),
        )
        times.append(1000 * (time.thread_time() - began))
        painter.end()
    if not 0.001 < float(mask.mean()) < 0.5:
        raise RuntimeError("the two lanes hardly differ")
    return times
