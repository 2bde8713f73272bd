"""Hands for the window under test: real mouse and key events, places in plane coordinates.

And small documents.
"""

import threading
import time
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt, QtMsgType
from PySide6.QtGui import QMouseEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

import engine
from engine.document.document import Document
from engine.document.lane import lane
from gui.session.changes import Change, Changes
from gui.session.session import Session
from gui.window.main_window import MainWindow

WORKER = "learnscope-worker"
READER = "learnscope-reading"  # of a dialog that reads or writes a file
GRAVE = (QtMsgType.QtWarningMsg, QtMsgType.QtCriticalMsg, QtMsgType.QtFatalMsg)
HARMLESS = ("This plugin does not support", "propagateSizeHints")  # of the screen that is none

Key = Qt.Key
NONE = Qt.KeyboardModifier.NoModifier
SHIFT, CTRL, ALT = (
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.AltModifier,
)
LEFT, MIDDLE, RIGHT = (
    Qt.MouseButton.LeftButton,
    Qt.MouseButton.MiddleButton,
    Qt.MouseButton.RightButton,
)


def complains(kind: QtMsgType, text: str) -> bool:
    """Whether a message of Qt is one that tells of a fault."""
    return kind in GRAVE and not any(words in text for words in HARMLESS)


def threads(name: str) -> list[threading.Thread]:
    """Those with this name that run."""
    return [thread for thread in threading.enumerate() if thread.name == name]


def double_click(widget: QWidget, place: QPoint, button: Any = LEFT, keys: Any = NONE) -> None:
    """The second press of two quick clicks, and its release, which QTest leaves out: the button
    would stay down for ever.
    """
    QTest.mouseDClick(widget, button, keys, place)
    QTest.mouseRelease(widget, button, keys, place)


def point_at(
    widget: QWidget, place: QPoint, holds: Callable[[], bool], seconds: float = 30.0
) -> None:
    """Move the mouse there until it has an effect: one that lay there already gives no event."""
    deadline = time.perf_counter() + seconds
    while not holds():
        assert time.perf_counter() < deadline, "pointing there did nothing"
        for shift in (1, 0):
            QTest.mouseMove(widget, place + QPoint(shift, 0))
            QTest.qWait(5)


def on(session: Session, change: Change, react: Callable[[], object]) -> None:
    """Call `react` whenever `change` is announced of the window or of the active lane."""

    def on_changed(changes: Changes) -> None:
        if changes.of(session.lane_view) & change:
            react()

    session.changed.connect(on_changed)


class Lab:
    """The window under test with a person's hands: places are plane coordinates, keys go where the
    focus is.
    """

    def __init__(self, window: MainWindow) -> None:
        self.window = window
        self.session, self.plane = window.session, window.plane

    # -- time --------------------------------------------------------------------------------------

    def settle(self, seconds: float = 30.0) -> None:
        """Until the worker has nothing to do and everything it reported has been shown."""
        deadline = time.perf_counter() + seconds
        QApplication.processEvents()
        while not self.session.worker.idle:
            assert time.perf_counter() < deadline, "the worker does not become idle"
            # nothing is touched any more: a surface that waits for that need not
            self.session.worker.hurry()
            QTest.qWait(2)
        QApplication.processEvents()

    def settle_drawing(self) -> None:
        """What is there has been painted, and what was thrown away is gone; the worker
        may go on.
        """
        QApplication.processEvents()
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)

    def until(self, holds: Callable[[], bool], seconds: float = 30.0) -> None:
        deadline = time.perf_counter() + seconds
        while not holds():
            assert time.perf_counter() < deadline, "this did not come true in time"
            QTest.qWait(5)

    # -- keys --------------------------------------------------------------------------------------

    def _reader(self) -> QWidget:
        return QApplication.focusWidget() or self.window

    def key(self, key: Any, keys: Any = NONE) -> None:
        QTest.keyClick(self._reader(), key, keys)

    def write(self, text: str) -> None:
        for letter in text:
            QTest.keyClick(self._reader(), letter)

    def hold(self, key: Any) -> None:
        QTest.keyPress(self._reader(), key)

    def let_go(self, key: Any) -> None:
        QTest.keyRelease(self._reader(), key)

    # -- mouse -------------------------------------------------------------------------------------

    def pixel(self, x: float, y: float) -> QPoint:
        """Where (x, y) is, in the viewport."""
        box = self.plane.view_box
        px, py = self.plane.view().to_pixels(np.array([x, y]))
        return self.plane.mapFromScene(box.mapToScene(QPointF(px, py)))

    def coordinates(self, pixel: QPoint) -> tuple[float, float]:
        """What plane coordinates a pixel of the viewport has."""
        local = self.plane.view_box.mapFromScene(self.plane.mapToScene(pixel))
        return self.plane.view().to_plane(local.x(), local.y())

    def click(self, x: float, y: float, keys: Any = NONE, button: Any = LEFT) -> None:
        QTest.mouseClick(self.plane.viewport(), button, keys, self.pixel(x, y))

    def press(self, x: float, y: float, keys: Any = NONE, button: Any = LEFT) -> None:
        QTest.mousePress(self.plane.viewport(), button, keys, self.pixel(x, y))

    def release(self, x: float, y: float, keys: Any = NONE, button: Any = LEFT) -> None:
        QTest.mouseRelease(self.plane.viewport(), button, keys, self.pixel(x, y))

    def move(self, x: float, y: float, keys: Any = NONE) -> None:
        """The pointer to (x, y), with the buttons as they are."""
        self._glide(self.pixel(x, y), keys)

    def _glide(self, pixel: QPoint, keys: Any) -> None:
        if keys == NONE:
            QTest.mouseMove(self.plane.viewport(), pixel)
        else:  # QTest moves without modifiers
            place = QPointF(pixel)
            no = Qt.MouseButton.NoButton
            there = QPointF(self.plane.viewport().mapToGlobal(pixel))
            QApplication.sendEvent(
                self.plane.viewport(),
                QMouseEvent(QEvent.Type.MouseMove, place, there, no, LEFT, keys),
            )

    def drag(self, *places: tuple[float, float], keys: Any = NONE, button: Any = LEFT) -> None:
        """Press at the first place, pass the others, let go at the last.

        Pixels are taken before, as a pan moves them.
        """
        pixels = [self.pixel(*place) for place in places]
        viewport = self.plane.viewport()
        QTest.mousePress(viewport, button, keys, pixels[0])
        for a, b in pairwise(pixels):
            for share in (0.5, 1.0):
                self._glide(a + (b - a) * share, keys)
        QTest.mouseRelease(viewport, button, keys, pixels[-1])

    def wheel(self, x: float, y: float, notches: int, keys: Any = NONE) -> None:
        viewport = self.plane.viewport()
        pixel = self.pixel(x, y)
        event = QWheelEvent(
            QPointF(pixel),
            QPointF(viewport.mapToGlobal(pixel)),
            QPoint(),
            QPoint(0, 120 * notches),
            Qt.MouseButton.NoButton,
            keys,
            Qt.ScrollPhase.NoScrollPhase,
            False,
        )
        QApplication.sendEvent(viewport, event)

    # -- what there is -----------------------------------------------------------------------------

    @property
    def data(self) -> engine.Dataset:
        return self.session.document.data

    def points(self) -> np.ndarray:
        """(n, 2) the points in the table's order."""
        shown = self.plane.shown()
        return shown.xy[np.argsort(shown.rows)]

    def classes(self) -> list[Any]:
        target = self.data.target
        assert target is not None
        return target.labels()

    def said(self) -> str:
        """The message line's sentence."""
        return self.window.message.text() if self.window.message.isVisible() else ""

    def free_place(self) -> tuple[float, float]:
        """A place in the visible part of the plane, far from every point."""
        (x0, x1), (y0, y1) = self.plane.view().x, self.plane.view().y
        grid = [
            (x0 + (x1 - x0) * i / 12, y0 + (y1 - y0) * j / 12)
            for i in range(1, 12)
            for j in range(1, 12)
        ]
        points = self.plane.view().to_pixels(self.plane.shown().xy)
        if not len(points):
            return grid[len(grid) // 2]
        apart = [
            np.linalg.norm(points - self.plane.view().to_pixels(np.array(p)), axis=1).min()
            for p in grid
        ]
        return grid[int(np.argmax(apart))]


def four_points() -> Document:
    """Two points of each class at the corners of a square, far apart on the screen; the perceptron
    separates them.
    """
    data = engine.Dataset.from_arrays(
        [[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]], [1, 1, -1, -1], name="square"
    )
    return Document(data, (lane("perceptron"),), view=((-3.0, 3.0), (-3.0, 3.0)))


def xor() -> Document:
    """What no line separates: the perceptron, which is to go on in its circle, goes on and on."""
    data = engine.Dataset.from_arrays([[0, 0], [0, 1], [1, 0], [1, 1]], [-1, 1, 1, -1], name="xor")
    return Document(data, (lane("perceptron", rounds=100_000),))
