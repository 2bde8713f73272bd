"""A real window per test, with settings and safety copies in the test's own folder."""

import gc
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from laboratory import LEFT, MIDDLE, RIGHT, WORKER, Lab, complains, four_points, threads, xor
from PySide6.QtCore import QSettings, Qt, QtMsgType, qInstallMessageHandler
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QMessageBox, QWidget
from ready_window import (
    FIRST,
    close,
    opening,
    ready,
    run_in_fork,
    settings_in,
    shown,
    undress,
    wanted,
)

from engine.document.document import Document
from gui.app import SWITCH, open_window
from gui.look import fonts
from gui.session import clock
from gui.window.main_window import MainWindow

POPUP = Qt.WindowType.Popup


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Those that begin with the same window one after the other, so that it is built once."""
    items.sort(key=lambda item: found[0] if (found := wanted(item)) else "")


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    """A test that begins with a window as it opens for everybody gets one that stands ready, in a
    fork of this process.
    """
    found = (
        wanted(item) if QApplication.instance() else None
    )  # the first one makes what serves the whole session
    if found is None:
        ready.fall()
        return None
    ready.stand(found[1])
    item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    for report in run_in_fork(item):
        item.ihook.pytest_runtest_logreport(report=report)
    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    item.session._setupstate.teardown_exact(nextitem)
    if nextitem is None:
        ready.fall()
    return True


@pytest.fixture(autouse=True, scope="session")
def without_other_tests_litter() -> None:
    """What the engine's tests left in memory must not make the window's garbage collection slow."""
    gc.collect()
    gc.freeze()
    sys.setswitchinterval(SWITCH)  # as the program does


@pytest.fixture(autouse=True, scope="session")
def the_fonts_of_the_program(qapp: Any) -> None:
    """Whichever test comes first: sizes of texts are the same in all."""
    fonts.load()


@pytest.fixture(autouse=True)
def nothing_stays_held(qapp: Any) -> Iterator[None]:
    """Qt remembers what is held: the tests after would find sliders that cannot be pressed.

    And a window that is left lies above theirs, so that the mouse never reaches them.
    """
    yield
    forgotten = [
        one
        for one in QApplication.topLevelWidgets()
        if one.isVisible() and one.windowType() != POPUP
    ]
    while (
        left := QApplication.activePopupWidget() or QApplication.activeModalWidget()
    ):  # it would take all that the mouse does
        left.hide()
    held = QGuiApplication.mouseButtons()
    for button in (LEFT, MIDDLE, RIGHT):
        if held & button:
            QTest.mouseRelease(QWidget(), button)
    for one in forgotten:
        one.hide()
    assert held == Qt.MouseButton.NoButton
    assert forgotten == []


@pytest.fixture
def less_ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    """A thousand steps are recorded beyond the shown one, not ten thousand, for which a test with
    a run that does not end soon would wait.
    """
    monkeypatch.setattr(clock, "AHEAD", 1_000)


@pytest.fixture
def faults(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Every exception that an event handler or a thread let through, and what Qt
    complains about.
    """
    found: list[str] = []

    def note(value: BaseException | None) -> None:
        found.append(
            "".join(traceback.format_exception(value))
            if value is not None
            else "a fault without a name"
        )

    monkeypatch.setattr(sys, "excepthook", lambda kind, value, trace: note(value))
    monkeypatch.setattr(threading, "excepthook", lambda fault: note(fault.exc_value))
    monkeypatch.setattr(sys, "unraisablehook", lambda fault: note(fault.exc_value))

    def listen(kind: QtMsgType, place: Any, text: str) -> None:
        if complains(kind, text):
            found.append(text)

    before = qInstallMessageHandler(listen)
    yield found
    qInstallMessageHandler(before)
    assert found == []


@pytest.fixture
def built() -> None:
    """How a window begins is what the test looks at: none that stands ready will do."""


@pytest.fixture
def tmp_path(homes: Iterator[Path]) -> Path:
    """That of the window which stands ready, in its fork."""
    if ready.forked:
        return ready.folder
    place = next(homes)
    place.mkdir()
    return place


@pytest.fixture
def settings(tmp_path: Path) -> QSettings:
    return ready.settings if ready.forked else settings_in(tmp_path)


@pytest.fixture
def open_lab(
    qapp: Any, settings: QSettings, faults: list[str], monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[..., Lab]]:
    """Opens windows; afterwards they are closed and no thread of theirs is left.

    Dialogues are answered by Escape.
    """
    monkeypatch.setattr(QMessageBox, "exec", lambda box: 0)
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: ("", ""))
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: "")
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: ("", ""))
    opened = list[MainWindow]()

    def open_one(
        document: Document | None = None,
        size: tuple[int, int] = (1280, 800),
        wait: bool = True,
        window: MainWindow | None = None,
        kept: QSettings = settings,
    ) -> Lab:
        """window: one that was shown before. kept: other settings than those of the test"""
        stood = window or ready.open(document, size)
        opened.append(stood or open_window(kept, document))
        lab = Lab(stood or shown(opened[-1], size))
        if wait:
            lab.settle()
        return lab

    before = threads(WORKER)
    yield open_one
    for window in opened:
        close(window)
    undress()
    assert [thread for thread in threads(WORKER) if thread not in before] == []


lab = opening(FIRST.document)  # the window as it opens for everybody
square = opening(four_points)  # four points far apart, on a plane from −3 to 3


@pytest.fixture
def endless(open_lab: Callable[..., Lab]) -> Lab:
    """A run that never ends."""
    return open_lab(xor(), wait=False)


@pytest.fixture
def window(lab: Lab) -> MainWindow:
    return lab.window
