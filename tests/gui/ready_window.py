"""A window that stands ready: built once, and each test that wants one begins in a fork of the
process, where it is still untouched. What a test does to it ends with the fork.

Building, dressing and closing a window takes a quarter of a second, a fork a tenth of that. Its
folder and settings are those of the test. Where a test asks for a document or size of its own, the
window that stands ready opens that document, as the program's does, and is resized. A test of how
windows begin (`built`, `settings`) opens its own, as all do where there is no `os.fork` and in a
debugger.
"""

import gc
import os
import pickle
import shutil
import sys
import tempfile
import traceback
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from _pytest.runner import runtestprotocol
from home import at_home_in
from laboratory import Lab
from PySide6.QtCore import QEvent, QSettings
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from engine.base.records import Record
from engine.document.document import Document
from gui.app import application, open_window
from gui.window.main_window import MainWindow

IDLE = 300  # milliseconds in which a window does what it puts off


class Beginning(Record, eq=True):
    """With what a window opens. document: makes it again; None of it: what the program
    begins with
    """

    document: Callable[[], Document | None]
    size: tuple[int, int]


FIRST = Beginning(lambda: None, (1280, 800))  # as the window opens for everybody
# who asks for these wants to see how a window begins, or says with what
OWN = {"built", "settings"}


def opening(document: Callable[[], Document | None], size: tuple[int, int] = (1280, 800)) -> Any:
    """A fixture: a window on this document, in a fork one that stood ready."""
    beginning = Beginning(document, size)

    def opened(open_lab: Callable[..., Lab]) -> Lab:
        return open_lab(document(), size, window=ready.take(beginning))

    opened.beginning = beginning  # type: ignore[attr-defined]
    return pytest.fixture(opened)


def wanted(item: pytest.Item) -> tuple[str, Beginning] | None:
    """The fixture whose window the test begins with, and that beginning; None where none that
    stands ready will do.
    """
    known = getattr(item, "_fixtureinfo", None)
    if known is None or not hasattr(os, "fork") or item.config.option.usepdb:
        return None
    found = [
        (f"{made.baseid}::{name}", beginning)
        for name, (*_, made) in known.name2fixturedefs.items()
        if (beginning := getattr(made.func, "beginning", None))
    ]
    if not found and "open_lab" in known.names_closure and not OWN & {*known.initialnames}:
        return "tests/gui::lab", FIRST
    return found[0] if len(found) == 1 else None


class ReadyWindow:
    """forked: this is the process of a test. folder, settings: of the window"""

    folder: Path
    settings: QSettings

    def __init__(self) -> None:
        self.forked = False
        self._beginning: Beginning | None = None
        self._window: MainWindow | None = None

    def stand(self, beginning: Beginning) -> None:
        """Have one that began so, with a folder that is as in the beginning."""
        if beginning != self._beginning:
            self.fall()
            undress()  # whatever a test before has put on
            gc.collect()
            # a round of the collector would copy all of this into the fork; the window alone it
            # shall see
            gc.freeze()
            self.folder = Path(tempfile.mkdtemp(prefix="learnscope"))
            self.settings = settings_in(self.folder)
            with pytest.MonkeyPatch.context() as patch:
                at_home_in(self.folder, patch)
                self._window = shown(
                    open_window(self.settings, beginning.document()), beginning.size
                )
                self._beginning = beginning
                Lab(self._window).settle()
                QTest.qWait(IDLE)
            self.settings.sync()
            self._written = (self.folder / "settings.ini").read_bytes()
            gc.collect()
        for path in self.folder.iterdir():
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        (self.folder / "settings.ini").write_bytes(self._written)

    def fall(self) -> None:
        """Another window is about to open."""
        if self._window is not None:
            close(self._window)
            undress()
            shutil.rmtree(self.folder)
        self._beginning = self._window = None

    def take(self, beginning: Beginning) -> MainWindow | None:
        """The window that began so, in the fork that was made for it, once; None elsewhere."""
        if not self.forked or self._window is None or beginning != self._beginning:
            return None
        window = self._window
        self._window = None
        window.session.worker.start()
        return window

    def open(self, document: Document | None, size: tuple[int, int]) -> MainWindow | None:
        """The window that stands ready, where a person has opened this document; None elsewhere,
        and for another size: a window that was resized has had other rooms before.
        """
        window = self.take(FIRST)
        if window is not None and size != FIRST.size:
            close(window)
            undress()
            return None
        if window is not None and document is not None:
            window.session.open(document)
            window.session.history.done.clear()
            # of what showed the document before
            QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
            window.right_dock.room.hurry()
        return window


ready = ReadyWindow()


def settings_in(folder: Path) -> QSettings:
    """Of a window that keeps all its things in this folder."""
    kept = QSettings(str(folder / "settings.ini"), QSettings.Format.IniFormat)
    kept.setValue("autosave_folder", str(folder / "safety"))
    kept.setValue("folder", str(folder))
    return kept


def shown(window: MainWindow, size: tuple[int, int] = (1280, 800)) -> MainWindow:
    """On the screen, with the keyboard on its plane."""
    app = application([])
    # a thousand events of the beginning are none of its business
    app.removeEventFilter(window.keys)
    window.resize(*size)
    window.show()
    window.activateWindow()
    QTest.qWaitForWindowActive(window)
    app.installEventFilter(window.keys)
    window.plane.setFocus()
    return window


def close(window: MainWindow) -> None:
    """As the program does it, and then the widgets are gone too, but for a fork, which
    ends anyway.
    """
    app = application([])
    app.removeEventFilter(window.keys)  # nor are those of the end
    window.session.saved = window.session.document
    window.close()
    window.session.close()
    app.processEvents()  # the worker's last reports find the widgets still there
    if ready.forked:  # the widgets end with the process, at no cost
        return
    window.search.popup.deleteLater()
    window.deleteLater()
    for _ in range(2):  # its session goes after it
        app.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    app.processEvents()


def undress() -> None:
    """The next window is built as the program's first: under a style sheet that takes twice as
    long.
    """
    if not ready.forked:
        application([]).setStyleSheet("")


def run_in_fork(item: pytest.Item) -> list[pytest.TestReport]:
    """What came of the test, which ran in a fork; one that kills its process fails, and no others
    with it.
    """
    here, there = os.pipe()
    with warnings.catch_warnings():
        # there are threads: the worker at rest, and that of xdist
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child == 0:
        ready.forked = True
        try:
            reports = [
                item.config.hook.pytest_report_to_serializable(config=item.config, report=report)
                for report in runtestprotocol(item, log=False, nextitem=item.parent)
            ]
            with os.fdopen(there, "wb") as file:
                pickle.dump(reports, file)
            os._exit(0)
        except BaseException:
            traceback.print_exc(file=sys.__stderr__)
            os._exit(1)
    os.close(there)
    with os.fdopen(here, "rb") as file:
        sent = file.read()
    _, status = os.waitpid(child, 0)
    if sent and status == 0:
        return [
            item.config.hook.pytest_report_from_serializable(config=item.config, data=each)
            for each in pickle.loads(sent)
        ]
    words = f"the process of the test ended with {os.waitstatus_to_exitcode(status)}"
    return [pytest.TestReport(item.nodeid, item.location, {}, "failed", words, "call")]
